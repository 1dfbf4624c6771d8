"""What a seat sees of a state, and of its record (docs/information.md, sections 2 and 3)."""

from __future__ import annotations

from typing import Any

from cysmic_fast.content.effect_words import DieColour
from cysmic_fast.reference import position
from cysmic_fast.reference.decision import Decision
from cysmic_fast.reference.knowledge import DECKS, DRAW, Place, hand_of, pile_of
from cysmic_fast.reference.model import Event, Game
from cysmic_fast.vocabulary import DecisionKind, EventKind

__all__ = ["events_seen", "view"]

KEYS = ("discovery", "relics")  # of a deck and its hands

DICE = frozenset(
    {
        DecisionKind.REROLL_DIE,
        DecisionKind.VALUE_DIE,
        DecisionKind.SHIELD_DIE,
        DecisionKind.MODIFIER_CARD,
        DecisionKind.MODIFIER_DIE,
        DecisionKind.HITS,
        DecisionKind.DIE,
    }
)
PICKS = frozenset({DecisionKind.TRADE_CARD, DecisionKind.TRADE_RELIC})
OFFERS = PICKS | {DecisionKind.TRADE_GIVE, DecisionKind.TRADE_TAKE, DecisionKind.TRADE_ANSWER}
LOOKS = frozenset({DecisionKind.KEEP_RELIC, DecisionKind.SCRY_KEEP, DecisionKind.SCRY_PUT})


def view(game: Game, decision: Decision | None, viewer: int) -> dict[str, Any]:
    """The document of a seat (section 2, J12)."""
    phase = position.phase_name(game, decision).removeprefix("mid_")
    doc = position.emit(game, phase)
    del doc["chance"]
    doc["viewer"] = viewer
    for seat, player in enumerate(doc["players"]):
        if seat != viewer:
            _hide(game, viewer, seat, player)
    for deck in DECKS:
        doc[KEYS[deck]] = _deck(game, viewer, deck, doc[KEYS[deck]]["discard"])
    if decision is not None and decision.kind == DecisionKind.CHOOSE_FACTION:
        for seat, player in enumerate(doc["players"]):
            if seat != viewer:
                player["faction"] = None
        dealt = game.knows.dealt[viewer]
        doc["players"][viewer]["dealt"] = [game.content.factions[n].id for n in dealt]
    doc["decision"] = None
    if decision is not None:
        actions = list(decision.options) if decision.player == viewer else None
        doc["decision"] = {"player": decision.player, "kind": decision.kind.name, "actions": actions}
    doc["shown"] = {} if decision is None else _shown(game, decision, viewer)
    return doc


def _names(game: Game, deck: int) -> list[str]:
    """Ids of the designs of a deck."""
    specs = game.content.relics if deck else game.content.discovery
    return [spec.id for spec in specs]


def _hide(game: Game, viewer: int, seat: int, doc: dict[str, Any]) -> None:
    """Another player's part of the document, without what is hidden."""
    player = game.players[seat]
    lying = [card for card in player.burned if card is not None]
    doc["hand"] = [card.name.lower() for card in sorted({*player.hand, *lying})]
    doc["board"] = [["hidden" if burned else None, played] for burned, played in doc["board"]]
    doc["excluded"] = [[card.name.lower() for card in sorted(cards)] for cards in game.knows.excluded[seat]]
    for deck in DECKS:
        names = _names(game, deck)
        copies = game.knows.decks[deck].seats[viewer].copies
        known = sorted(design for design, places in copies if places == {seat})
        doc[KEYS[deck]] = {
            "count": len(hand_of(game, deck, seat)),
            "known": [names[design] for design in known],
        }


def _order(place: Place) -> tuple[int, str]:
    return (place, "") if isinstance(place, int) else (len(DRAW) + 10, place)


def _deck(game: Game, viewer: int, deck: int, thrown: list[str]) -> dict[str, Any]:
    """The piles of a deck, and what the viewer knows of cards that may be in several places."""
    names, known = _names(game, deck), game.knows.decks[deck]
    insight = known.seats[viewer]
    draw = pile_of(game, deck).draw[::-1]
    placed = [
        (design, sorted(places, key=_order))
        for design, places in insight.copies
        if len(places) > 1 or not isinstance(next(iter(places)), int)
    ]
    placed.sort(key=lambda one: (one[0], [_order(place) for place in one[1]]))
    own = hand_of(game, deck, viewer)
    late = [d for d, n in known.late.items() for _ in range(n - own.count(d))]
    return {
        "draw": {
            "count": len(draw),
            "top": [names[d] for d in draw[: insight.top]],
            "bottom": [names[d] for d in draw[len(draw) - insight.bottom :]],
        },
        "discard": thrown,
        "placed": [[names[design], places] for design, places in placed],
        "late": sorted(names[d] for d in late),
        "fresh": [0 if seat == viewer else n for seat, n in enumerate(known.fresh)],
    }


def _shown(game: Game, decision: Decision, viewer: int) -> dict[str, Any]:
    """What lies in sight of the viewer at the decision at hand."""
    found: dict[str, Any] = {}
    if decision.kind in DICE:
        found["dice"] = [["red" if d.colour == DieColour.RED else "yellow", d.value] for d in game.pool]
    looking = game.knows.looking
    if decision.kind in LOOKS and decision.player == viewer and looking is not None:
        names = _names(game, looking.deck)
        found["cards"] = [names[d] for d in looking.cards]
    offer = game.knows.offer
    if decision.kind in OFFERS and offer is not None:
        found["offer"] = {
            "from": offer.seat,
            "to": offer.partner,
            "give": list(offer.give),
            "take": list(offer.take),
        }
        if decision.kind in PICKS:
            found["picked"] = list(offer.picked.get(viewer, []))
    return found


# ---------------------------------------------------------------------- the record
def events_seen(game: Game, viewer: int) -> list[Event]:
    """The record as a seat may see it (section 3, J10)."""
    found: list[Event] = []
    for event, seen in game.events:
        kind, player, a, _, c = event
        if seen is None or viewer in seen:
            found.append(event)
        elif kind != EventKind.CHOICE:
            found.append((kind, player, a, -1, c))
        elif a != DecisionKind.REACT:
            found.append((kind, player, a, -1, 0))
    return found
