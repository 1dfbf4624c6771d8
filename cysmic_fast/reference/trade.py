"""Chapter G, section 5: Resource Trading."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from cysmic_fast.content.effect_words import Denial
from cysmic_fast.reference import goods, knowledge
from cysmic_fast.reference.decision import Flow, choose, choose_yes
from cysmic_fast.reference.goods import (
    captive_id,
    gain_lorium,
    gained_window,
    pay_lorium,
    receive,
    resources,
    take_from_slot,
)
from cysmic_fast.reference.influence import control, limit_flags
from cysmic_fast.reference.model import Game, Unit
from cysmic_fast.reference.modifiers import denied
from cysmic_fast.reference.units import take_captive
from cysmic_fast.vocabulary import CAPTIVE, CARD, DONE, PLAYER, RESOURCE, SLOT, SPACE, DecisionKind, Resource

__all__ = ["trade"]

LORIUM = RESOURCE + Resource.LORIUM
DISCOVERY = RESOURCE + Resource.DISCOVERY
RELIC = RESOURCE + Resource.RELIC


@dataclass
class _Side:
    """What one side hands over: the pieces named in the offer, then the cards picked for the counted ones."""

    seat: int
    pieces: list[int]
    discovery: list[int] = field(default_factory=list)
    relics: list[int] = field(default_factory=list)


def trade(game: Game, seat: int, offers: int) -> Flow[None]:
    """Resource Trading (G5.2): a bounded number of offers, accepted or not (G5.3, RUL-G1)."""
    if not game.options.trading or denied(game, seat, Denial.TRADE):
        return
    for _ in range(offers):
        if not resources(game, seat):
            break
        partners = [s for s in game.seated(0) if s != seat and resources(game, s)]
        partners = [s for s in partners if not denied(game, s, Denial.TRADE)]
        options = [DONE, *(PLAYER + s for s in partners)]
        choice = yield from choose(game, seat, DecisionKind.TRADE_PARTNER, options)
        if choice == DONE:
            break
        partner = choice - PLAYER
        offer = game.knows.offer = knowledge.Offer(seat, partner)
        give, take = offer.give, offer.take
        yield from _list_pieces(game, seat, seat, DecisionKind.TRADE_GIVE, give)
        yield from _list_pieces(game, seat, partner, DecisionKind.TRADE_TAKE, take)
        if (yield from choose_yes(game, partner, DecisionKind.TRADE_ANSWER)):
            yield from _exchange(game, _Side(seat, give), _Side(partner, take))


def _stock(game: Game, owner: int) -> Counter[int]:
    """Everything ``owner`` can hand over, by action id (G5.6)."""
    player = game.players[owner]
    stock = Counter(
        {LORIUM: player.total_lorium, DISCOVERY: len(player.discovery), RELIC: len(player.relics)}
    )
    stock.update(SLOT + i for i in player.active_relics)
    stock.update(captive_id(u) for u in game.captives(owner))
    stock.update(SPACE + s for s in game.habitats(owner))
    return +stock


def _list_pieces(game: Game, seat: int, owner: int, kind: DecisionKind, pieces: list[int]) -> Flow[None]:
    """The offerer names 1 to ``offer_pieces`` Resources of ``owner``, in ascending order."""
    stock = _stock(game, owner)
    while len(pieces) < game.content.limits.offer_pieces:
        left = +(stock - Counter(pieces))
        options = [p for p in left if not pieces or p >= pieces[-1]]
        if not options:
            break
        choice = yield from choose(game, seat, kind, options + [DONE] * bool(pieces))
        if choice == DONE:
            break
        pieces.append(choice)


def _pick_cards(game: Game, side: _Side) -> Flow[None]:
    """The giver picks the hidden cards; the other side sees nothing yet (G5.7)."""
    player = game.players[side.seat]
    assert game.knows.offer is not None
    picked = game.knows.offer.picked.setdefault(side.seat, [])
    for _ in range(side.pieces.count(DISCOVERY)):
        left = +(Counter(player.discovery) - Counter(side.discovery))
        choice = yield from choose(game, side.seat, DecisionKind.TRADE_CARD, [CARD + d for d in left])
        side.discovery.append(choice - CARD)
        picked.append(game.content.discovery[choice - CARD].id)
    for _ in range(side.pieces.count(RELIC)):
        left = +(Counter(player.relics) - Counter(side.relics))
        choice = yield from choose(game, side.seat, DecisionKind.TRADE_RELIC, [CARD + r for r in left])
        side.relics.append(choice - CARD)
        picked.append(game.content.relics[choice - CARD].id)


def _named_captives(game: Game, side: _Side) -> list[Unit]:
    """The Captured Units an offer names by owner and type."""
    held = game.captives(side.seat)
    named: list[Unit] = []
    for piece in side.pieces:
        if CAPTIVE <= piece < SPACE:
            named.append(next(u for u in held if captive_id(u) == piece and u not in named))
    return named


def _tell_knowledge(game: Game, mine: _Side, theirs: _Side) -> None:
    """Who knows what afterwards: as if handed over piece by piece, first what the offerer gives (J08)."""
    for deck, cards in ((goods.DISCOVERY, "discovery"), (goods.RELIC, "relics")):
        arrived = 0
        for side, receiver in ((mine, theirs), (theirs, mine)):
            left = len(knowledge.hand_of(game, deck, side.seat)) + arrived
            slots = [p - SLOT for p in side.pieces if SLOT <= p < RESOURCE] if deck == goods.RELIC else []
            for slot in slots:
                relic = game.players[side.seat].slots[slot].relic
                assert relic is not None
                knowledge.moved_openly(game, receiver.seat, deck, relic)
            for card in getattr(side, cards):
                left -= 1
                knowledge.moved(game, side.seat, receiver.seat, deck, card, left=left)
            arrived = len(slots) + len(getattr(side, cards))


def _exchange(game: Game, mine: _Side, theirs: _Side) -> Flow[None]:
    """An accepted offer takes effect as a whole (G5.2)."""
    yield from _pick_cards(game, mine)
    yield from _pick_cards(game, theirs)
    ways = ((mine, theirs.seat), (theirs, mine.seat))
    # Both sides give before either receives: nothing received can serve to pay.
    units = {side.seat: _named_captives(game, side) for side, _ in ways}
    _tell_knowledge(game, mine, theirs)
    arriving: dict[int, list[int]] = {}
    for side, _ in ways:
        player = game.players[side.seat]
        pay_lorium(game, side.seat, side.pieces.count(LORIUM))
        for card in side.discovery:
            player.discovery.remove(card)
        for relic in side.relics:
            player.relics.remove(relic)
        slots = [p - SLOT for p in side.pieces if SLOT <= p < RESOURCE]
        arriving[side.seat] = [take_from_slot(game, side.seat, s) for s in slots] + side.relics
    for side, receiver in ways:
        gain_lorium(game, receiver, side.pieces.count(LORIUM))
        receive(game, receiver, goods.DISCOVERY, side.discovery)
        receive(game, receiver, goods.RELIC, arriving[side.seat])  # Inactive on arrival (G5.5)
        for unit in units[side.seat]:
            take_captive(game, unit, receiver)  # (G5.4)
        for piece in side.pieces:
            if SPACE <= piece < SPACE + len(game.spaces):
                control(game, piece - SPACE, receiver)  # (G5.1)
    for side, receiver in ((theirs, mine.seat), (mine, theirs.seat)):
        yield from limit_flags(game, receiver, [piece - SPACE for piece in side.pieces if piece >= SPACE])
    for receiver, giver in ((mine.seat, theirs.seat), (theirs.seat, mine.seat)):
        for relic in arriving[giver]:
            yield from gained_window(game, receiver, relic)
