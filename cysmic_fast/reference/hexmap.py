"""The map of 127 spaces: numbers, coordinates, side-adjacency and arrows (P1, P4).

A space is a number 0..126 (P1.7). Space 0 is Colony City's; every other one is (terrain, ring, offset),
the terrain given by its place 0..5 in the clockwise terrain order of the content pack.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

__all__ = [
    "CENTRE",
    "RINGS",
    "SIDES",
    "SPACES",
    "Cube",
    "HexMap",
    "Spot",
    "cube",
    "is_inner",
    "locate",
    "number",
]

RINGS = 6
TERRAINS = 6
SPACES = range(127)
CENTRE = 0

Cube = tuple[int, int, int]

#: Unit vectors of the six corners of ring 1, clockwise; corner t starts the wedge of terrain t (P1.3).
CORNERS: tuple[Cube, ...] = ((0, -1, 1), (1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1))


@dataclass(frozen=True, slots=True)
class Spot:
    """A space other than the centre: terrain place 0..5, ring 1..6, offset 0..ring-1 (P1.3)."""

    terrain: int
    ring: int
    offset: int


def number(terrain: int, ring: int, offset: int) -> int:
    """Space number of (terrain, ring, offset) (P1.7); offsets -1 and ``ring`` are next door (P1.6)."""
    if ring == 0:
        return CENTRE
    if offset < 0:
        terrain, offset = terrain - 1, ring - 1
    if offset >= ring:
        terrain, offset = terrain + 1, 0
    return 1 + 3 * ring * (ring - 1) + ring * (terrain % TERRAINS) + offset


def locate(space: int) -> Spot | None:
    """The (terrain, ring, offset) of a space number, None for the centre (P1.7)."""
    if space == CENTRE:
        return None
    ring = next(r for r in range(1, RINGS + 1) if space <= 3 * r * (r + 1))
    terrain, offset = divmod(space - 1 - 3 * ring * (ring - 1), ring)
    return Spot(terrain, ring, offset)


def cube(space: int) -> Cube:
    """Cube coordinates (x + y + z = 0) with Colony City at the origin."""
    spot = locate(space)
    if spot is None:
        return (0, 0, 0)
    corner = CORNERS[spot.terrain]
    nxt = CORNERS[(spot.terrain + 1) % TERRAINS]
    x, y, z = (spot.ring * c + spot.offset * (n - c) for c, n in zip(corner, nxt, strict=True))
    return (x, y, z)


def _side_neighbours(space: int) -> tuple[int, ...]:
    """P1.6, ascending."""
    spot = locate(space)
    if spot is None:
        return tuple(range(1, 7))
    t, r, k = spot.terrain, spot.ring, spot.offset
    found = {number(t, r, k - 1), number(t, r, k + 1), number(t, r - 1, k)}
    if k > 0:
        found.add(number(t, r - 1, k - 1))
    if r < RINGS:
        found |= {number(t, r + 1, k), number(t, r + 1, k + 1)}
        if k == 0:
            found.add(number(t - 1, r + 1, r))
    return tuple(sorted(found))


#: Side-neighbours of every space, ascending (P1.4, P1.6).
SIDES: tuple[tuple[int, ...], ...] = tuple(_side_neighbours(s) for s in SPACES)


def is_inner(space: int) -> bool:
    """Inner space of a terrain: all six side-neighbours share its terrain (S4.9)."""
    spot = locate(space)
    if spot is None or len(SIDES[space]) < 6:
        return False
    around = [locate(s) for s in SIDES[space]]
    return all(a is not None and a.terrain == spot.terrain for a in around)


class HexMap:
    """Adjacency of one content pack: sides plus Global Movement Arrows (P4.1, P4.2)."""

    def __init__(self, arrow_groups: Iterable[Sequence[int]]) -> None:
        mates: dict[int, set[int]] = {s: set() for s in SPACES}
        for group in arrow_groups:
            for space in group:
                mates[space] |= set(group) - {space}
        self.arrow_mates: tuple[frozenset[int], ...] = tuple(frozenset(mates[s]) for s in SPACES)

    @cached_property
    def adjacent(self) -> tuple[tuple[int, ...], ...]:
        """Side- and arrow-neighbours of every space, ascending; TUNLs depend on the game (P4.5)."""
        return tuple(tuple(sorted(set(SIDES[s]) | self.arrow_mates[s])) for s in SPACES)

    @cached_property
    def pairs(self) -> frozenset[frozenset[int]]:
        """All unordered adjacent pairs."""
        return frozenset(frozenset((a, b)) for a in SPACES for b in self.adjacent[a])
