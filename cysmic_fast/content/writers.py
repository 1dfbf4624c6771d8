"""Which pack a defect belongs to: the uppermost of those that wrote the values concerned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cysmic_fast.content.types import Entry


class Place(NamedTuple):
    """Values of a file: those at or below a path, or with a path like ``*.red`` all of that key."""

    file: str
    path: str = ""


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
        layer = {name: number for number, name in enumerate(packs)}
        self._last: dict[Place, int] = {}  # every program of every card is looked up: no search then
        for entry in entries:
            file, _, path = entry.path.partition(": ")
            keys = path.split(".")
            paths = ["", *(".".join(keys[:length]) for length in range(1, len(keys) + 1))]
            if len(keys) > 1:
                paths.append(f"*.{keys[-1]}")
            for place in (Place(file, part) for part in paths):
                self._last[place] = max(self._last.get(place, -1), layer[entry.pack])

    @property
    def top(self) -> str:
        """The uppermost pack."""
        return self._packs[-1]

    def blame(self, *places: Place) -> tuple[str, Place]:
        """The pack that wrote last in one of the places, and the place: of several the first one.

        A pack that overrides one of two values that go together answers for both. Where none of the values is
        there, the uppermost pack and the first place.
        """
        last = [self._last.get(place, -1) for place in places]
        highest = max(last)
        if highest < 0:
            return self.top, places[0]
        return self._packs[highest], places[last.index(highest)]
