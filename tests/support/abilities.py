"""Positions with Active Relics and Factions, for tests of Abilities.

The Espionage cards of the standard pack are not dealt in this version, some Factions only with more players;
here every card may be used, whatever the number of players.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from geometry import NEAR, SIDES
from scenario import SHIPS, Table, scenario, space

from cysmic_fast.content import load_content
from cysmic_fast.content.types import Content
from cysmic_fast.vocabulary import ChanceKind, DecisionKind

#: A space of ring 5 whose neighbours have no arrows; far from the Ships of :data:`scenario.SHIPS`.
FIELD = space("wetlands-5-2")
#: Factions whose Abilities nothing here calls for: seats whose Faction does not matter.
IDLE = ("F18", "F10", "F26")
#: The stack stands on the Fracture Zone: every Tremor is a Fracture.
BRINK = {"singles": 7, "stack": 7}
#: Strike Dice without an effect if no die of the colour is rolled.
NO_YELLOW, NO_RED = ("reroll yellow",) * 9, ("reroll red",) * 9
COLOURS = ("red", "blue", "yellow", "green", "purple")


@cache
def everything() -> Content:
    """The standard pack without restrictions on who may use a card."""
    plain = load_content()
    return dataclasses.replace(
        plain,
        hash=hashlib.sha256(b"everything").hexdigest(),
        discovery=tuple(dataclasses.replace(card, espionage=False) for card in plain.discovery),
        relics=tuple(dataclasses.replace(card, espionage=False) for card in plain.relics),
        factions=tuple(dataclasses.replace(f, espionage=False, min_players=2) for f in plain.factions),
    )


def table(engine: str, *seats: Mapping[str, Any], players: int | None = None, **more: Any) -> Table:
    """:func:`scenario.scenario` with Abilities, all Relics and Factions.

    ``active``: one or two Relics in the slots of a seat. If any seat has a Faction, all others get an
    idle one.
    """
    people = [dict(seat) for seat in seats]
    while len(people) < (players or 2):
        people.append({})
    for person in people:
        active = person.pop("active", None)
        if active is not None:
            cards = [active] if isinstance(active, str) else list(active)
            person["slots"] = [{"relic": card} for card in cards] + [None] * (2 - len(cards))
    factions = any("faction" in person for person in people)
    if factions:
        taken = {person.get("faction") for person in people}
        idle = iter(f for f in IDLE if f not in taken)
        for person in people:
            if "faction" not in person:
                person["faction"] = next(idle)
    options = {"abilities": True, "molten_core": True, "factions": factions, "content": everything()}
    options.update(more.pop("options", {}))
    return scenario(engine, *people, options=options, **more)


def dice(
    red: Iterable[int] = (),
    yellow: Iterable[int] = (),
    blue: Sequence[str] = NO_YELLOW,
    green: Sequence[str] = NO_YELLOW,
    **more: Sequence[str],
) -> dict[str, list[str]]:
    """Scripted dice; blue is the Strike Die of the Attacker, green of the Defender, both quiet by default."""
    return {
        "red_die": [str(v) for v in red],
        "yellow_die": [str(v) for v in yellow],
        "attacker_strike_die": list(blue),
        "defender_strike_die": list(green),
        **{kind: list(outcomes) for kind, outcomes in more.items()},
    }


def fight(
    engine: str,
    ours: str,
    theirs: str,
    us: Mapping[str, Any] | None = None,
    them: Mapping[str, Any] | None = None,
    *others: Mapping[str, Any],
    attacker: int = 0,
    at: int = FIELD,
    script: Mapping[str, Any] | None = None,
    play: str | None = "battle",
    closed: bool = False,
    **more: Any,
) -> Table:
    """Seat 0 Plays Battle with one Combat against seat 1; ``closed``: nobody can flee from it."""
    first, second = dict(us or {}), dict(them or {})
    first["units"] = {at: ours, **first.get("units", {})}
    second["units"] = {at: theirs, **second.get("units", {})}
    tiles: dict[str | int, str] = dict.fromkeys(SIDES[at], "lake") if closed else {}
    tiles.update(more.pop("tiles", {}))
    combats = {at: attacker, **more.pop("combats", {})}
    t = table(engine, first, second, *others, tiles=tiles, combats=combats, script=script or dice(), **more)
    if play:
        t.turn(play)
        while t.kind == "RELIC_WINDOW":
            t.do("done")
    return t


def strike_dice(t: Table) -> list[tuple[int, int]]:
    """(striker, Combat Dice) of every Strike so far, Final ones left out."""
    return [(e[1], e[4]) for e in t.events("STRIKE") if not e[3]]


def rolled(t: Table, kind: str) -> int:
    """How many dice of a kind ("red_die" ...) have been rolled."""
    return sum(e[2] == ChanceKind[kind.upper()] for e in t.events("CHANCE"))


def asked(t: Table, kind: str, seat: int | None = None) -> list[int]:
    """Actions chosen in decisions of a kind, those taken by force included."""
    return [e[3] for e in t.events("CHOICE") if e[2] == DecisionKind[kind] and (seat is None or e[1] == seat)]


def reach(start: int, steps: int, blocked: Iterable[int] = ()) -> set[int]:
    """Spaces within a number of steps over plain ground around ``blocked`` spaces, the start included."""
    closed = set(blocked)
    found, edge = {start}, {start}
    for _ in range(steps):
        edge = {n for m in edge for n in NEAR[m]} - closed - found
        found |= edge
    return found


#: Spaces of the default Ships of two players.
TWO_SHIPS = tuple(space(s) for s in SHIPS[:2])


def column(t: Table) -> set[str]:
    """Cells offered in the BONUS decision."""
    return {o.removeprefix("bonus:") for o in t.expect("BONUS").options() if o != "done"}


def quake(t: Table) -> Table:
    """Seat 0 Plays Powermechs; one Powermech jumps on the spot, a Tremor."""
    t.turn("powermechs")
    t.skip("ACT_SPACE").do(next(o for o in t.options() if o != "done"))
    t.answer("ACT_ACTION", "action:jumpjet")
    here = asked(t, "ACT_SPACE")[-1]
    return t.answer("MOVE_TO", here - 128)


__all__ = [
    "BRINK",
    "COLOURS",
    "FIELD",
    "IDLE",
    "NO_RED",
    "NO_YELLOW",
    "TWO_SHIPS",
    "asked",
    "column",
    "dice",
    "everything",
    "fight",
    "quake",
    "reach",
    "rolled",
    "strike_dice",
    "table",
]
