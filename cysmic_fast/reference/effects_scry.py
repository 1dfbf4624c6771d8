"""The verb scry: looking at the top cards of a deck (docs/cards.md, 4.3)."""

from __future__ import annotations

from cysmic_fast.content.effect_words import (
    Deck,
    Kind,
    ScryRest,
)
from cysmic_fast.content.effects import Scry
from cysmic_fast.reference import knowledge
from cysmic_fast.reference.decision import Flow, choose
from cysmic_fast.reference.effects import Handlers
from cysmic_fast.reference.frame import Frame
from cysmic_fast.reference.goods import (
    DISCOVERY,
    RELIC,
    discard,
    draw_into_hand,
    gained_window,
    lift,
    look,
    put_event_away,
    receive,
    receive_relic,
)
from cysmic_fast.reference.model import Game
from cysmic_fast.reference.windows import gained
from cysmic_fast.vocabulary import CARD, OPTION, DecisionKind

__all__ = ["VERBS"]


def _can_scry(game: Game, frame: Frame, step: Scry, performer: int) -> bool:
    del game, frame, performer
    return step.deck in (Deck.DISCOVERY, Deck.RELIC)


def _scry(game: Game, frame: Frame, step: Scry, performer: int) -> Flow[bool]:
    """Draw, keep some, put the rest away; Events are resolved only if kept, after that."""
    del frame
    if step.deck not in (Deck.DISCOVERY, Deck.RELIC):
        return False
    deck = DISCOVERY if step.deck == Deck.DISCOVERY else RELIC
    cards = look(game, performer, deck, step.n)
    knowledge.all_looked_at(game, performer, deck)
    looking = game.knows.looking
    kept: list[int] = []
    for _ in range(min(step.keep, len(cards))):
        options = [CARD + c for c in cards]
        card = (yield from choose(game, performer, DecisionKind.SCRY_KEEP, options)) - CARD
        cards.remove(card)
        kept.append(card)
        assert looking is not None
        looking.cards.remove(card)
    yield from _put_rest(game, performer, deck, cards, kept, step.rest)
    got = 0
    if deck == RELIC:
        for card in kept:
            yield from receive_relic(game, performer, card, window=False)
        for card in kept:
            yield from gained_window(game, performer, card)
        got = len(kept)
        yield from gained(game, performer, Kind.RELIC, got)
    else:
        got = yield from _keep_discovery(game, performer, kept)
        yield from gained(game, performer, Kind.DISCOVERY, got)
    return got >= step.keep


def _put_rest(
    game: Game, seat: int, deck: int, cards: list[int], kept: list[int], rest: ScryRest
) -> Flow[None]:
    """The other cards, first drawn first: under the deck, on its top or on the discard pile."""
    pile = game.discovery if deck == DISCOVERY else game.relics
    top: list[int] = []
    under: list[int] = []
    for card in cards:
        if rest in (ScryRest.ANY, ScryRest.SIFT):
            game.looked_at = (deck, card)
            choice = yield from choose(game, seat, DecisionKind.SCRY_PUT, [OPTION, OPTION + 1])
            assert game.knows.looking is not None
            game.knows.looking.cards.remove(card)
            if choice == OPTION:
                top.append(card)
                continue
        if rest in (ScryRest.BOTTOM, ScryRest.ANY):
            under.append(card)
        else:
            discard(game, seat, deck, lift(game, deck, card))
            knowledge.opened(game, seat, deck, card, on_table=True)
    for card in (*top, *under):
        lift(game, deck, card)
    events = [card for card in kept if deck == DISCOVERY and game.content.discovery[card].event]
    for card in events:  # kept, it is open (J06)
        knowledge.opened(game, seat, deck, card, on_table=True)
    hidden = len(kept) - len(events)
    knowledge.settled(game, seat, deck, kept=hidden, back=len(top) + len(under), under=len(under))
    # The last element is the top: cards on top keep their order, those under lie as they were put.
    pile.draw = under[::-1] + pile.draw + top[::-1]
    knowledge.put_back(game, seat, deck, len(top), len(under))


def _keep_discovery(game: Game, seat: int, kept: list[int]) -> Flow[int]:
    """Kept cards go to the hand; a kept Event is resolved and replaced by a normal draw (V1.10)."""
    resolved: set[int] = set()
    events = [c for c in kept if game.content.discovery[c].event]
    cards = [c for c in kept if not game.content.discovery[c].event]
    receive(game, seat, DISCOVERY, [lift(game, DISCOVERY, card) for card in cards])
    got = len(cards)
    for event in events:
        yield from put_event_away(game, seat, event, resolved)
        if {*game.discovery.draw, *game.discovery.discard} - resolved:
            got += yield from draw_into_hand(game, seat, resolved)
    return got


VERBS: Handlers = {
    Scry: (_can_scry, _scry),
}
