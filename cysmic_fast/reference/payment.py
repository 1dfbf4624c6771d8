"""Pieces of Resources given up or taken: chosen one by one, then handed over (G1, V1.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cysmic_fast.reference import knowledge
from cysmic_fast.reference.decision import Flow, choose
from cysmic_fast.reference.goods import (
    DISCOVERY,
    RELIC,
    captive_id,
    discard,
    gain_lorium,
    gained_window,
    give_up_relic,
    pay_lorium,
    receive,
    take_relic,
)
from cysmic_fast.reference.influence import control, limit_flags, lose_control
from cysmic_fast.reference.model import Game, Unit
from cysmic_fast.reference.units import free_captive, take_captive
from cysmic_fast.vocabulary import CARD, RESOURCE, SLOT, SPACE, DecisionKind, Resource

__all__ = [
    "Piece",
    "choose_piece",
    "choose_pieces",
    "hand_over",
    "pay_resource",
    "pieces_left",
    "relics_left",
]

QUESTIONS = {
    Resource.DISCOVERY: DecisionKind.PAY_CARD,
    Resource.RELIC: DecisionKind.PAY_RELIC,
    Resource.CAPTIVE: DecisionKind.PAY_CAPTIVE,
    Resource.HABITAT: DecisionKind.PAY_HABITAT,
}


@dataclass(frozen=True, slots=True)
class Piece:
    """One Resource (G1.3): its kind, the action id that names it, and the Captured Unit it is."""

    kind: Resource
    choice: int = 0
    unit: Unit | None = None


def pieces_left(
    game: Game, owner: int, kind: Resource, chosen: Iterable[Piece] = (), *, stored: bool = True
) -> list[Piece]:
    """Pieces of a kind that a player has and that are not ``chosen`` yet; Lorium as many like pieces.

    ``stored`` False: without the Lorium in Relic Slots.
    """
    player = game.players[owner]
    gone = Counter(p.choice for p in chosen if p.kind == kind)
    match kind:
        case Resource.LORIUM:
            amount = player.total_lorium if stored else player.lorium
            return [Piece(kind)] * (amount - gone[0])
        case Resource.DISCOVERY:
            ids = Counter(CARD + d for d in player.discovery)
        case Resource.RELIC:
            ids = Counter([*(CARD + r for r in player.relics), *(SLOT + i for i in player.active_relics)])
        case Resource.CAPTIVE:
            taken = [p.unit for p in chosen]
            return [Piece(kind, captive_id(u), u) for u in game.captives(owner) if u not in taken]
        case Resource.HABITAT:
            ids = Counter(SPACE + s for s in game.habitats(owner))
    return [Piece(kind, choice) for choice in sorted((ids - gone).elements())]


def relics_left(game: Game, owner: int, *, active: bool, chosen: Iterable[Piece] = ()) -> list[Piece]:
    """Active or Inactive Relic Cards among the pieces left."""
    return [p for p in pieces_left(game, owner, Resource.RELIC, chosen) if (p.choice < RESOURCE) == active]


def choose_piece(
    game: Game, owner: int, chooser: int, pieces: Sequence[Piece], question: DecisionKind | None = None
) -> Flow[Piece]:
    """One of several pieces of one kind; Lorium asks nothing."""
    if pieces[0].kind == Resource.LORIUM:
        return pieces[0]
    kind = question or QUESTIONS[pieces[0].kind]
    if chooser != owner and kind in (DecisionKind.PAY_CARD, DecisionKind.PAY_RELIC):
        knowledge.hand_seen(game, chooser, owner, DISCOVERY if kind == DecisionKind.PAY_CARD else RELIC)
    choice = yield from choose(game, chooser, kind, [p.choice for p in pieces])
    return next(p for p in pieces if p.choice == choice)


def choose_pieces(
    game: Game, owner: int, chooser: int, count: int, chosen: list[Piece], *, stored: bool = True
) -> Flow[None]:
    """Any mix of the five kinds, piece by piece, as far as there are any; they are added to ``chosen``."""
    for _ in range(count):
        stock = {k: pieces_left(game, owner, k, chosen, stored=stored) for k in Resource}
        kinds = [RESOURCE + k for k, pieces in stock.items() if pieces]
        if not kinds:
            break
        kind = Resource((yield from choose(game, chooser, DecisionKind.PAY_KIND, kinds)) - RESOURCE)
        chosen.append((yield from choose_piece(game, owner, chooser, stock[kind])))


def hand_over(game: Game, owner: int, pieces: Sequence[Piece], receiver: int | None) -> Flow[None]:
    """Pieces go to nobody (G1.4) or to a player (N5.4, RUL-N8), in the order chosen."""
    relics: list[int] = []
    for piece in pieces:
        match piece.kind:
            case Resource.LORIUM:
                pay_lorium(game, owner, 1)
                if receiver is not None:
                    gain_lorium(game, receiver, 1)
            case Resource.DISCOVERY:
                card = piece.choice - CARD
                game.players[owner].discovery.remove(card)
                if receiver is None:
                    discard(game, owner, DISCOVERY, card)
                    knowledge.opened(game, owner, DISCOVERY, card)
                else:
                    left = len(game.players[owner].discovery)
                    knowledge.moved(game, owner, receiver, DISCOVERY, card, left=left)
                    receive(game, receiver, DISCOVERY, [card])
            case Resource.RELIC:
                if receiver is None:
                    give_up_relic(game, owner, piece.choice)
                else:
                    relic = take_relic(game, owner, piece.choice)
                    if piece.choice >= CARD:
                        left = len(game.players[owner].relics)
                        knowledge.moved(game, owner, receiver, RELIC, relic, left=left)
                    else:
                        knowledge.moved_openly(game, receiver, RELIC, relic)
                    receive(game, receiver, RELIC, [relic])
                    relics.append(relic)
            case Resource.CAPTIVE:
                assert piece.unit is not None
                if receiver is None:
                    free_captive(game, piece.unit)
                else:
                    take_captive(game, piece.unit, receiver)
            case Resource.HABITAT:
                if receiver is None:
                    lose_control(game, piece.choice - SPACE)
                else:
                    control(game, piece.choice - SPACE, receiver)
    if receiver is not None:
        habitats = [piece.choice - SPACE for piece in pieces if piece.kind == Resource.HABITAT]
        yield from limit_flags(game, receiver, habitats)
        for relic in relics:
            yield from gained_window(game, receiver, relic)


def pay_resource(game: Game, seat: int, receiver: int | None) -> Flow[None]:
    """Give up one Resource of one's choice: to nobody (G1.4) or to a player (N5.4, RUL-N8)."""
    chosen: list[Piece] = []
    yield from choose_pieces(game, seat, seat, 1, chosen)
    yield from hand_over(game, seat, chosen, receiver)
