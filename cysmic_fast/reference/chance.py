"""Chance: Philox streams, unbiased integers, shuffles, scripted outcomes (docs/protocol.md, section 3).

Family f of game (seed, index) reads the words of ``numpy.random.Philox`` with key (seed, index) and
counter (0, f, 0, 0). How many words each family has used is part of the game's state, so that a stream can
be resumed from that count alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TypeVar

import numpy as np

from cysmic_fast.errors import ChanceError
from cysmic_fast.names import Outcome, ParsedScript
from cysmic_fast.vocabulary import CHANCE_FAMILY, ChanceFamily, ChanceKind

__all__ = ["Chance", "Stream"]

T = TypeVar("T")

_WORD = 1 << 64
_BLOCK = 4  # words per step of the Philox counter


class Stream:
    """The 64-bit words of one family, resumable at any word."""

    def __init__(self, seed: int, index: int, family: int, used: int = 0) -> None:
        self.seed, self.index, self.family = seed, index, family
        self.used = used
        self._ahead: deque[int] = deque()
        self._source: np.random.Philox | None = None

    def _open(self) -> np.random.Philox:
        """The generator, standing just after the words already used."""
        block, rest = divmod(self.used, _BLOCK)
        source = np.random.Philox(
            key=np.array([self.seed, self.index], dtype=np.uint64),
            counter=np.array([block, self.family, 0, 0], dtype=np.uint64),
        )
        if rest:
            source.random_raw(rest)
        return source

    def word(self) -> int:
        """The next 64-bit word."""
        if not self._ahead:
            if self._source is None:
                self._source = self._open()
            self._ahead.extend(int(w) for w in self._source.random_raw(32))
        self.used += 1
        return self._ahead.popleft()

    def bounded(self, n: int) -> int:
        """A uniform integer in [0, n); for n = 1 no word is used.

        A word times n has its result in the high 64 bits; the 2^64 mod n lowest low halves are rejected.
        """
        if n == 1:
            return 0
        biased = _WORD % n
        while True:
            product = self.word() * n
            if product % _WORD >= biased:
                return product // _WORD

    def copy(self) -> Stream:
        """An independent stream that continues with the same words."""
        return Stream(self.seed, self.index, self.family, self.used)


class Chance:
    """The state's streams of one game, and the scripted outcomes waiting by kind.

    A draw of a kind takes the next scripted outcome and leaves the generator alone; the streams are used once
    the queue is empty.
    """

    FAMILIES = (ChanceFamily.SETUP, ChanceFamily.DECKS, ChanceFamily.DICE)

    def __init__(self, seed: int, index: int = 0, words: Iterable[int] = (0, 0, 0)) -> None:
        self.seed, self.index = seed, index
        self.streams = {
            family: Stream(seed, index, int(family), used)
            for family, used in zip(self.FAMILIES, words, strict=True)
        }
        self.script: dict[ChanceKind, deque[Outcome]] = {k: deque() for k in ChanceKind}

    def extend(self, script: ParsedScript) -> None:
        """Append scripted outcomes to the queues."""
        for kind, outcomes in script.items():
            self.script[kind].extend(outcomes)

    def bounded(self, kind: ChanceKind, n: int) -> int:
        """A uniform integer in [0, n) from the stream of a kind."""
        return self.streams[CHANCE_FAMILY[kind]].bounded(n)

    def pick(self, kind: ChanceKind, names: list[str]) -> int:
        """Place of the outcome among ``names``; a scripted name means its first place."""
        queue = self.script[kind]
        if not queue:
            return self.bounded(kind, len(names))
        name = queue.popleft()
        if name not in names:
            raise ChanceError(
                f"scripted {kind.name.lower()}: {name!r} cannot occur now; "
                f"possible: {', '.join(sorted(set(names)))}"
            )
        return names.index(str(name))

    def order(self, kind: ChanceKind, items: list[T], names: list[str]) -> tuple[list[T], list[T]]:
        """Order ``items``: (the ones a script puts first, the rest shuffled); ``names`` are their names.

        The shuffle is Fisher-Yates from the last place down.
        """
        first: list[T] = []
        rest = list(items)
        left = list(names)
        queue = self.script[kind]
        if queue:
            for name in queue.popleft():
                if name not in left:
                    raise ChanceError(
                        f"scripted {kind.name.lower()}: {name!r} is unknown or listed too often; "
                        f"left at that point: {', '.join(sorted(set(left))) or 'nothing'}"
                    )
                place = left.index(name)
                left.pop(place)
                first.append(rest.pop(place))
        for i in range(len(rest) - 1, 0, -1):
            j = self.bounded(kind, i + 1)
            rest[i], rest[j] = rest[j], rest[i]
        return first, rest

    def words(self) -> list[int]:
        """Words used so far: SETUP, DECKS, DICE."""
        return [self.streams[f].used for f in self.FAMILIES]

    def copy(self) -> Chance:
        """An independent twin that will draw the same outcomes."""
        twin = Chance(self.seed, self.index, self.words())
        twin.script = {k: deque(q) for k, q in self.script.items()}
        return twin
