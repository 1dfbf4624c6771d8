"""Random crowded positions for tests that compare an engine with a model of the rules."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from geometry import NEAR, SPACES, ball, is_abyss
from scenario import UNIT_NAMES, Table, scenario

#: Tiles of a crowded position, as often as they are likely.
GROUND = ("plain",) * 8 + ("lake", "mountain", "none", "none", "tunl")


class Board:
    """Three players whose Units crowd around one space: full spaces, Combats, Ships, holes, Relic Tokens.

    ``units[seat]`` is {space: [soldiers, miners, speakers, powermechs, harvesters]}, ``attackers`` is {Combat
    Space: seat}. ``first`` are Units of seat 0 that stand by themselves in a passable space, ``home``.
    """

    def __init__(
        self,
        seed: int,
        first: Sequence[str] = (),
        *,
        centre: int | None = None,
        ground: Sequence[str] = GROUND,
    ) -> None:
        self.rng = rng = random.Random(seed)
        self.tiles: dict[str | int, str] = {n: rng.choice(ground) for n in range(1, 127)}
        self.tiles[0] = rng.choice(["colony_city", "none"])
        around = sorted(ball(rng.randrange(127) if centre is None else centre, 3))
        passable = [n for n in around if not self.impassable(n)]
        while len(passable) < 12:
            n = rng.choice(around)
            if self.impassable(n):
                self.tiles[n] = "plain" if n else "colony_city"
                passable.append(n)
        rng.shuffle(passable)
        passable.sort(key=bool)  # the centre is taken last
        self.home = passable.pop()
        self.ships: list[int] = [passable.pop(), passable.pop()]
        self.ships.append(rng.choice([n for n in range(1, 127) if n not in (self.home, *self.ships)]))
        for n in self.ships:
            self.tiles[n] = "plain"
        self.units: list[dict[int, list[int]]] = [{}, {}, {}]
        self.attackers: dict[int, int] = {}
        self.stock = [[10, 6, 5, 2, 2] for _ in range(3)]
        self.put(0, self.home, first)
        for n in [n for n in passable if n not in self.ships][: rng.randint(3, 20)]:
            holders = rng.choice([(0,), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)])
            for seat in holders:
                wanted = [rng.choice(["soldier", "powermech"])] if len(holders) == 2 else []
                wanted += rng.choices(UNIT_NAMES, k=rng.randint(0 if wanted else 1, 2))
                self.put(seat, n, wanted)
            present = [seat for seat in holders if n in self.units[seat]]
            if len(present) == 2:
                self.attackers[n] = rng.choice(present)
        self.tokens = {n for n in around if self.devastated(n) and n not in self.ships and rng.random() < 0.6}

    def put(self, seat: int, where: int, wanted: Sequence[str]) -> None:
        """Adds Units as far as stock and Space Capacity allow."""
        for name in wanted:
            index = UNIT_NAMES.index(name)
            if self.stock[seat][index] and self.has_room(seat, where, index):
                self.stock[seat][index] -= 1
                self.units[seat].setdefault(where, [0] * 5)[index] += 1

    def has_room(self, seat: int, where: int, index: int) -> bool:
        """Whether one more Unit of a type fits by Space Capacity (P3.1)."""
        counts = self.units[seat].get(where, [0] * 5)
        return sum(counts) < 3 and not (index > 2 and sum(counts[3:]))

    def devastated(self, n: int) -> bool:
        return self.tiles[n] == "none" and not is_abyss(n)

    def impassable(self, n: int) -> bool:
        return self.tiles[n] in ("lake", "mountain") or (self.tiles[n] == "none" and is_abyss(n))

    def enemies(self, seat: int, n: int) -> set[int]:
        """Other players with Troops or Vehicles in a space."""
        return {other for other in range(3) if other != seat and n in self.units[other]}

    def near(self, n: int) -> set[int]:
        """Adjacent for Troops and Vehicles: by side, arrow or TUNL (P4)."""
        if self.tiles[n] != "tunl":
            return NEAR[n]
        return NEAR[n] | {m for m in SPACES if m != n and self.tiles[m] == "tunl"}

    def load(self, engine: str, **more: Any) -> Table:
        """The position in an engine."""
        people = [
            {
                "ship": self.ships[seat],
                "units": {
                    n: ", ".join(f"{c} {name}" for c, name in zip(counts, UNIT_NAMES, strict=True) if c)
                    for n, counts in self.units[seat].items()
                },
            }
            for seat in range(3)
        ]
        more.setdefault("cysmograph", {"singles": 3, "stack": 3})
        return scenario(
            engine, *people, tiles=self.tiles, combats=self.attackers, relic_tokens=self.tokens, **more
        )
