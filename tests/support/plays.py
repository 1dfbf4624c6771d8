"""Short ways to what rules about goods, Modules, Launches and Bonus Actions are about.

Everything works on a :class:`scenario.Table`; nothing here knows the engines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scenario import Table, scenario

from cysmic_fast.vocabulary import DONE, DecisionKind

#: Supply of each Unit type (S1.3).
SUPPLY = (10, 6, 5, 2, 2)
MODULES = ("crew_bridge", "control_systems", "colonist_quarters", "power_core", "fuel_cells", "warp_drive")
GREY = ("play_card", "gain_card", "gain_blueprint", "construct")
COLOURS_DOWN = ("red", "blue", "yellow", "green", "purple")
#: The coloured Bonus Actions, down each Column (N1 to N5).
COLUMNS = (
    ("resolve_combat", "hand_action", "two_cards", "deploy_one", "two_lorium"),
    ("destroy_troop", "free_flee", "deploy_two", "rescue", "store_lorium"),
    ("capture_troop", "played_action", "promote", "move_three", "gain_relic"),
    ("cyber_attack", "reactivate_tactic", "colony_city", "steal_captive", "discard_relic"),
    ("any_combat", "reactivate_unit", "upgrade_one", "take_marker", "gather_lorium"),
)
#: Cell -> (Column, colour); Grey cells are in every Column.
CELL = {cell: (c, COLOURS_DOWN[i]) for c, cells in enumerate(COLUMNS, 1) for i, cell in enumerate(cells)}
#: For each colour a card that can be Played without being made to do anything.
PLAIN_CARD = {
    "red": "harvesters",
    "blue": "harvesters",
    "yellow": "upgrade",
    "green": "powermechs",
    "purple": "speakers",
}


def at_bonus(
    engine: str,
    cell: str,
    *seats: Mapping[str, Any],
    card: str | None = None,
    burn: str = "battle",
    **more: Any,
) -> Table:
    """A game at the Bonus decision of seat 0, in the Column of ``cell`` with a fitting card Played, Battle
    Burned."""
    column, colour = CELL.get(cell, (1, "green"))
    more.setdefault("round", column)
    t = scenario(engine, *seats, **more)
    return t.turn(card or PLAIN_CARD[colour], burn).skip("BONUS")


def offered(t: Table, cell: str) -> bool:
    """Whether a Bonus Action can be chosen now."""
    return f"bonus:{cell}" in t.expect("BONUS").options()


def pick(t: Table, kind: str, action: str | int) -> Table:
    """Does an action where ``kind`` is asked; a choice that is the only one has been made already."""
    if t.kind == kind:
        t.do(action)
        return t
    last = [e for e in t.events("CHOICE") if e[2] == DecisionKind[kind]][-1]
    assert last[3:] == (t.action(action), 1), f"{kind}: {action} was neither asked nor the only choice"
    return t


def ship_card(t: Table) -> Table:
    """From the Bonus decision of Column 001 to COMMAND_ACTION of the Ship's card in hand (N1.2, N1.3)."""
    return pick(t.do("bonus:hand_action"), "COMMAND_CARD", "command:colony_ship").expect("COMMAND_ACTION")


def robotic(t: Table) -> Table:
    """From the Bonus decision of Column 001 to CONSTRUCT of Robotic Construction."""
    return ship_card(t).do("action:robotic", t.player(t.seat)["ship"]).expect("CONSTRUCT")


def on_planet(t: Table, seat: int) -> list[int]:
    """All Troops and Vehicles of a seat on the planet, by type."""
    return [sum(counts[kind] for _, counts in t.player(seat)["units"]) for kind in range(5)]


def held(t: Table, owner: int) -> list[int]:
    """Units of a seat that others hold captive, by type."""
    doc = t.snapshot()
    return [
        sum(counts[kind] for p in doc["players"] for who, counts in p["captured"] if who == owner)
        for kind in range(5)
    ]


def reserve(t: Table, seat: int) -> list[int]:
    """Reserve of a seat, by type."""
    rows = zip(SUPPLY, on_planet(t, seat), held(t, seat), t.player(seat)["missing"], strict=True)
    return [total - placed - captive - missing for total, placed, captive, missing in rows]


def goods(t: Table, seat: int) -> dict[str, Any]:
    """What a seat owns besides Units on the planet, to compare before and after."""
    p = t.player(seat)
    keys = ("lorium", "slots", "discovery", "relics", "captured", "blueprints", "modules")
    mine = {key: p[key] for key in keys}
    mine["habitats"] = sorted(s for s, owner in t.snapshot()["control"] if owner == seat)
    mine["marker"] = t.snapshot()["marker"] == seat
    return mine


def offer(t: Table, partner: int, give: Sequence[str | int], take: Sequence[str | int]) -> Table:
    """From TRADE_PARTNER to the partner's TRADE_ANSWER; pieces that are the only choice are picked by
    themselves."""
    asked = len(t.events("CHOICE"))
    t.answer("TRADE_PARTNER", f"player:{partner}")

    def picked(kind: str) -> list[int]:
        choices = t.events("CHOICE")[asked:]
        return [c[3] for c in choices if c[2] == DecisionKind[kind] and c[3] != DONE]

    for kind, pieces in (("TRADE_GIVE", give), ("TRADE_TAKE", take)):
        while t.kind == kind:
            done = len(picked(kind))
            t.do(pieces[done] if done < len(pieces) else "done")
        assert picked(kind) == [t.action(piece) for piece in pieces], kind
    return t.expect("TRADE_ANSWER", partner)


def lines(t: Table, kinds: tuple[str, ...], result: Callable[[Table], Any]) -> list[Any]:
    """Plays every line of decisions of ``kinds`` to its end and collects ``result`` there."""
    if t.kind not in kinds:
        return [result(t)]
    found = []
    for action in t.state.legal_actions():
        branch = t.fork()
        branch.state.apply_action(action)
        found += lines(branch, kinds, result)
    return found


def turns(t: Table) -> list[tuple[int, int, int]]:
    """(seat, round, Column) of each turn begun."""
    return [(e[1], e[2], e[3]) for e in t.events("TURN")]
