"""Which pack a defect belongs to: the uppermost of those that wrote the values concerned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cysmic_fast.content.schema import within
from cysmic_fast.content.types import Entry


class Place(NamedTuple):
    """Values of a file: those at or below a path, or, if it begins with ``*``, all whose path ends so."""

    file: str
    path: str = ""

    def holds(self, entry: str) -> bool:
        """Whether the entry of this path, ``units.toml: soldier.red``, is one of them."""
        file, _, path = entry.partition(": ")
        if file != self.file:
            return False
        if self.path.startswith("*"):
            return path.endswith(self.path[1:])
        return not self.path or within(path, self.path)


class Writers:
    """The packs that wrote the values.

    Parameters
    ----------
    entries
        Provenance of all values.
    packs
        Names of the packs, the lowest first.
    """

    def __init__(self, entries: Iterable[Entry], packs: Sequence[str]) -> None:
        self._packs = tuple(packs)
        layer = {name: place for place, name in enumerate(packs)}
        self._layers = [(entry.path, layer[entry.pack]) for entry in entries]

    @property
    def top(self) -> str:
        """The uppermost pack."""
        return self._packs[-1]

    def blame(self, *places: Place) -> tuple[str, Place]:
        """The pack that wrote last in one of the places, and the place: of several the first one.

        A pack that overrides one of two values that go together answers for both. Where none of the values is
        there, the uppermost pack and the first place.
        """
        last = [max((n for path, n in self._layers if place.holds(path)), default=-1) for place in places]
        highest = max(last)
        if highest < 0:
            return self.top, places[0]
        return self._packs[highest], places[last.index(highest)]
