"""``str(state)``: the game at a glance, from a snapshot; both engines call :func:`render`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cysmic_fast import vocabulary as v
from cysmic_fast.names import action_name, space_name

if TYPE_CHECKING:
    from cysmic_fast.content.types import Content
    from cysmic_fast.interface import Document, State

__all__ = ["render", "render_position"]

_REASONS: Final = ("a Launch", "no tile is left", "the round cap")
_MOST_ACTIONS: Final = 12
_LETTERS: Final = "SMKPH"  # Soldier, Miner, speaKer, Powermech, Harvester


def render(state: State) -> str:
    """Several lines: who decides what, then :func:`render_position`."""
    content = state.game.content
    doc = state.snapshot()
    if state.is_terminal():
        reason = state.end_reason()
        why = _REASONS[reason] if 0 <= reason < len(_REASONS) else "?"
        winners = ", ".join(f"seat {s} ({doc['players'][s]['colour']})" for s in state.winners()) or "nobody"
        head = f"over by {why}; won by {winners}"
    else:
        seat, kind = state.current_player(), v.DecisionKind(state.decision())
        legal = state.legal_actions()
        names = [action_name(a, content, kind) for a in legal[:_MOST_ACTIONS]]
        if len(legal) > _MOST_ACTIONS:
            names.append("...")
        head = (
            f"seat {seat} ({doc['players'][seat]['colour']}) decides {kind.name}, "
            f"{len(legal)} options: {', '.join(names)}"
        )
    return f"{head}\n{render_position(doc, content)}"


def _units(counts: list[int]) -> str:
    return "".join(f"{n if n > 1 else ''}{letter}" for n, letter in zip(counts, _LETTERS, strict=True) if n)


def _slot(slot: dict[str, Any] | None) -> str:
    if slot is None:
        return "-"
    return str(slot["relic"]) if "relic" in slot else f"{slot['lorium']} Lorium"


def render_position(doc: Document, content: Content) -> str:
    """A canonical position document or snapshot as text, one paragraph per player."""
    column = (doc["round"] - 1) % content.limits.columns + 1
    track = len(content.cysmograph.track)
    graph = doc["cysmograph"]
    cells = ["o" if i < graph["singles"] else "." for i in range(track)] + ["|"]
    cells[min(graph["stack"], track)] = "#"
    tiles = sum(tile != "none" for tile in doc["tiles"])
    turn = f"round {doc['round']} (column {column}), seat {doc['current_player']}'s turn"
    holders = f"First Player {doc['first_player']}, Marker {doc['marker']}"
    bag = f"{len(doc['bag'])} tokens in the bag, {tiles} tiles, {len(doc['relic_tokens'])} Relic Tokens"
    decks = f"decks {len(doc['discovery']['draw'])} Discovery and {len(doc['relics']['draw'])} Relics"
    lines = [f"{doc['phase']}, {turn}, {holders}", f"Cysmograph {''.join(cells)}, {bag}, {decks}"]
    control: dict[int, list[int]] = {}
    for space, seat in doc["control"]:
        control.setdefault(seat, []).append(space)
    for seat, p in enumerate(doc["players"]):
        ship = (
            "Launched" if p["launched"] else "none" if p["ship"] is None else space_name(p["ship"], content)
        )
        faction = f", {p['faction']}" if p["faction"] is not None else ""
        lines.append(
            f"seat {seat} {p['colour']}{faction}: Ship {ship}, Lorium {p['lorium']}, "
            f"slots {' '.join(_slot(slot) for slot in p['slots'])}, {len(p['discovery'])} Discovery and "
            f"{len(p['relics'])} Relic Cards, {len(p['blueprints'])} Blueprints, {len(p['modules'])} Modules"
        )
        lines.append(f"  hand: {' '.join(p['hand']) or '-'}")
        board = " ".join(f"{burned or '-'}/{played or '-'}" for burned, played in p["board"])
        lines.append(f"  board: {board}")
        units = ", ".join(f"{space_name(s, content)} {_units(counts)}" for s, counts in p["units"])
        lines.append(f"  Units: {units or '-'}")
        if p["captured"]:
            held = ", ".join(f"of seat {owner} {_units(counts)}" for owner, counts in p["captured"])
            lines.append(f"  captives: {held}")
        if seat in control:
            spaces = ", ".join(f"{space_name(s, content)} ({doc['tiles'][s]})" for s in control[seat])
            lines.append(f"  Habitats: {spaces}")
    if doc["combats"]:
        fights = ", ".join(f"{space_name(s, content)} (Attacker {seat})" for s, seat in doc["combats"])
        lines.append(f"Combats: {fights}")
    return "\n".join(lines)
