"""The game at a glance: ``str(state)`` with all that is hidden, :func:`view_text` with what a seat sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cysmic_fast import vocabulary as v
from cysmic_fast.errors import OptionError
from cysmic_fast.names import action_name, shown, space_name

if TYPE_CHECKING:
    from cysmic_fast.content.types import Content
    from cysmic_fast.interface import Document, State

__all__ = ["render", "render_position", "render_view", "view_text"]

_REASONS: Final = ("a Launch", "no tile is left", "the round cap")
_MOST_ACTIONS: Final = 12
_LETTERS: Final = "SMKPH"  # Soldier, Miner, speaKer, Powermech, Harvester


def render(state: State) -> str:
    """Several lines: who decides what, then :func:`render_position`. All that is hidden is in it."""
    content = state.game.content
    doc = state.snapshot()
    if state.is_terminal():
        reason = state.end_reason()
        why = _REASONS[reason] if 0 <= reason < len(_REASONS) else "?"
        winners = ", ".join(f"seat {s} ({doc['players'][s]['colour']})" for s in state.winners()) or "nobody"
        head = f"over by {why}; won by {winners}"
    else:
        seat, kind = state.current_player(), v.DecisionKind(state.decision())
        asked = f"seat {seat} ({doc['players'][seat]['colour']}) decides {kind.name}"
        head = f"{asked}, {_options(state.legal_actions(), kind, content)}"
    return f"{head}\n{render_position(doc, content)}"


def view_text(state: State, player: int) -> str:
    """What a seat sees and knows, as text: nothing that is hidden from it, the same on both engines.

    Raises
    ------
    OptionError
        For what is no state, and for a seat that does not exist.
    """
    from cysmic_fast.game import is_state

    if not is_state(state):
        raise OptionError(f"state: {shown(state)} given; allowed: a state")
    return render_view(state.view(player), state.game.content)


def render_view(view: Document, content: Content) -> str:
    """The document of ``State.view(player)`` as text: it has nothing else to draw from."""
    players, asked = view["players"], view["decision"]
    if asked is None:
        winners = ", ".join(f"seat {s} ({p['colour']})" for s, p in enumerate(players) if p["launched"])
        head = f"over; won by {winners or 'nobody'}"
    else:
        kind = v.DecisionKind[asked["kind"]]
        head = f"seat {asked['player']} ({players[asked['player']]['colour']}) decides {kind.name}"
        if asked["actions"] is not None:
            head += f", {_options(asked['actions'], kind, content)}"
    lines = [f"as seat {view['viewer']} sees it: {head}", *_shown(view["shown"], content)]
    for deck in ("discovery", "relics"):
        draw = view[deck]["draw"]
        known = [f"{end} {' '.join(draw[end])}" for end in ("top", "bottom") if draw[end]]
        known += [f"{card} in {' or '.join(map(str, where))}" for card, where in view[deck]["placed"]]
        if known:
            lines.append(f"known of {deck}: {', '.join(known)}")
    return "\n".join([*lines, render_position(view, content)])


def _options(actions: list[int], kind: v.DecisionKind, content: Content) -> str:
    names = [action_name(a, content, kind) for a in actions[:_MOST_ACTIONS]]
    if len(actions) > _MOST_ACTIONS:
        names.append("...")
    return f"{len(actions)} options: {', '.join(names)}"


def _shown(what: dict[str, Any], content: Content) -> list[str]:
    """What a seat is shown in the step at hand, a line each."""
    lines = []
    if "dice" in what:
        lines.append("dice: " + " ".join(f"{colour} {value}" for colour, value in what["dice"]))
    if "cards" in what:
        lines.append("looked at: " + " ".join(what["cards"]))
    if "offer" in what:
        offer = what["offer"]
        give, take = (", ".join(action_name(a, content) for a in offer[side]) for side in ("give", "take"))
        lines.append(f"offer of seat {offer['from']} to seat {offer['to']}: {give or '-'} for {take or '-'}")
    if "picked" in what:
        lines.append("picked: " + (" ".join(what["picked"]) or "-"))
    return lines


def _count(cards: Any) -> int:
    """How many cards; of some a view says only that."""
    return int(cards["count"]) if isinstance(cards, dict) else len(cards)


def _cards(p: dict[str, Any]) -> str:
    """The cards of a player as a view has them: the seat's own, or those it knows."""
    own = isinstance(p["discovery"], list)
    cards = [*p["discovery"], *p["relics"]] if own else [*p["discovery"]["known"], *p["relics"]["known"]]
    return f"  {'cards' if own else 'known cards'}: {' '.join(cards)}" if cards else ""


def _units(counts: list[int]) -> str:
    return "".join(f"{n if n > 1 else ''}{letter}" for n, letter in zip(counts, _LETTERS, strict=True) if n)


def _slot(slot: dict[str, Any] | None) -> str:
    if slot is None:
        return "-"
    return str(slot["relic"]) if "relic" in slot else f"{slot['lorium']} Lorium"


def render_position(doc: Document, content: Content) -> str:
    """A canonical position document, snapshot or view as text, one paragraph per player."""
    viewer = doc.get("viewer")
    column = (doc["round"] - 1) % content.limits.columns + 1
    track = len(content.cysmograph.track)
    graph = doc["cysmograph"]
    cells = ["o" if i < graph["singles"] else "." for i in range(track)] + ["|"]
    cells[min(graph["stack"], track)] = "#"
    tiles = sum(tile != "none" for tile in doc["tiles"])
    turn = f"round {doc['round']} (column {column}), seat {doc['current_player']}'s turn"
    holders = f"First Player {doc['first_player']}, Marker {doc['marker']}"
    bag = f"{len(doc['bag'])} tokens in the bag, {tiles} tiles, {len(doc['relic_tokens'])} Relic Tokens"
    decks = f"decks {_count(doc['discovery']['draw'])} Discovery and {_count(doc['relics']['draw'])} Relics"
    lines = [f"{doc['phase']}, {turn}, {holders}", f"Cysmograph {''.join(cells)}, {bag}, {decks}"]
    control: dict[int, list[int]] = {}
    for space, seat in doc["control"]:
        control.setdefault(seat, []).append(space)
    for seat, p in enumerate(doc["players"]):
        discovery, relics = _count(p["discovery"]), _count(p["relics"])
        ship = (
            "Launched" if p["launched"] else "none" if p["ship"] is None else space_name(p["ship"], content)
        )
        faction = f", {p['faction']}" if p["faction"] is not None else ""
        lines.append(
            f"seat {seat} {p['colour']}{faction}: Ship {ship}, Lorium {p['lorium']}, "
            f"slots {' '.join(_slot(slot) for slot in p['slots'])}, {discovery} Discovery and "
            f"{relics} Relic Cards, {len(p['blueprints'])} Blueprints, {len(p['modules'])} Modules"
        )
        held = "hand" if viewer in (None, seat) else "hand or Burned"
        lines.append(f"  {held}: {' '.join(p['hand']) or '-'}")
        if viewer is not None and _cards(p):
            lines.append(_cards(p))
        if "dealt" in p:
            lines.append(f"  dealt: {' '.join(p['dealt'])}")
        board = " ".join(f"{burned or '-'}/{played or '-'}" for burned, played in p["board"])
        lines.append(f"  board: {board}")
        units = ", ".join(f"{space_name(s, content)} {_units(counts)}" for s, counts in p["units"])
        lines.append(f"  Units: {units or '-'}")
        if p["captured"]:
            captives = ", ".join(f"of seat {owner} {_units(counts)}" for owner, counts in p["captured"])
            lines.append(f"  captives: {captives}")
        if seat in control:
            spaces = ", ".join(f"{space_name(s, content)} ({doc['tiles'][s]})" for s in control[seat])
            lines.append(f"  Habitats: {spaces}")
    if doc["combats"]:
        fights = ", ".join(f"{space_name(s, content)} (Attacker {seat})" for s, seat in doc["combats"])
        lines.append(f"Combats: {fights}")
    return "\n".join(lines)
