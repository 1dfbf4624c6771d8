"""Verbs that take goods away: lose, steal (docs/cards.md, 4.3)."""

from __future__ import annotations

from collections.abc import Iterable

from cysmic_fast.content.effect_words import (
    Chooser,
    Good,
    Immunity,
    Kind,
    Who,
)
from cysmic_fast.content.effects import Lose, Steal
from cysmic_fast.reference import knowledge
from cysmic_fast.reference.conditions import count
from cysmic_fast.reference.decision import Flow
from cysmic_fast.reference.effects import Handlers, meant
from cysmic_fast.reference.effects_goods import RESOURCES
from cysmic_fast.reference.frame import Frame
from cysmic_fast.reference.goods import (
    DISCOVERY,
    RELIC,
    discard,
    gain_lorium,
    gained_window,
    give_up_relic,
    lose_lorium,
    receive,
)
from cysmic_fast.reference.influence import habitat_stays_open, lose_control
from cysmic_fast.reference.model import Game
from cysmic_fast.reference.modifiers import protected
from cysmic_fast.reference.payment import (
    Piece,
    choose_piece,
    choose_pieces,
    pieces_left,
    relics_left,
)
from cysmic_fast.reference.robbery import rob
from cysmic_fast.reference.units import free_captive
from cysmic_fast.vocabulary import CARD, SPACE, ChanceKind, DecisionKind, Resource

__all__ = ["VERBS"]


# ---------------------------------------------------------------------- lose
def _losable(game: Game, loser: int, res: Good, chosen: Iterable[Piece] = ()) -> list[Piece]:
    """Pieces of one kind that can be lost: Lorium of the track, Relic Cards Inactive or Active as named."""
    match res:
        case Good.RELIC | Good.RELIC_ACTIVE:
            return relics_left(game, loser, active=res == Good.RELIC_ACTIVE, chosen=chosen)
        case Good.ANY:
            return [p for kind in Resource for p in pieces_left(game, loser, kind, chosen, stored=False)]
        case Good.ESPIONAGE:
            return []
        case _:
            return pieces_left(game, loser, RESOURCES[res], chosen, stored=False)


def _can_lose(game: Game, frame: Frame, step: Lose, loser: int) -> bool:
    n = count(game, frame, step.n)
    stock = len(_losable(game, loser, step.res))
    safe = protected(game, loser, Immunity.LOSE, frame.seat)
    return not safe and stock >= (1 if not step.must or n is None else n)


def _lose(game: Game, frame: Frame, step: Lose, loser: int) -> Flow[bool]:
    """First the choices, then the windows, then the loss of what was not cancelled."""
    n = count(game, frame, step.n)
    stock = _losable(game, loser, step.res)
    wanted = len(stock) if n is None else n
    lost = 0
    if wanted and not protected(game, loser, Immunity.LOSE, frame.seat):
        if step.by == Chooser.RANDOM and step.res in (Good.DISCOVERY, Good.RELIC):
            lost = yield from _lose_at_random(game, frame, loser, step.res, min(wanted, len(stock)))
        else:
            chooser = frame.seat if step.by == Chooser.SELF else loser
            chosen = yield from _choose_losses(game, loser, chooser, step.res, wanted)
            lost = yield from _take_losses(game, frame, loser, chosen)
    frame.regs.n = lost
    return n is None or lost >= n


def _choose_losses(game: Game, loser: int, chooser: int, res: Good, n: int) -> Flow[list[Piece]]:
    chosen: list[Piece] = []
    if res == Good.ANY:
        yield from choose_pieces(game, loser, chooser, n, chosen, stored=False)
        return chosen
    question = DecisionKind.RELIC_SLOT if res == Good.RELIC_ACTIVE else None
    for _ in range(n):
        left = _losable(game, loser, res, chosen)
        if not left:
            break
        chosen.append((yield from choose_piece(game, loser, chooser, left, question)))
    return chosen


def _take_losses(game: Game, frame: Frame, loser: int, chosen: list[Piece]) -> Flow[int]:
    """``robbed`` once for each kind, ``habitat_lost`` for each Habitat; then all that is still there goes."""
    kinds = {
        Resource.LORIUM: Kind.LORIUM,
        Resource.DISCOVERY: Kind.DISCOVERY,
        Resource.RELIC: Kind.RELIC,
        Resource.CAPTIVE: Kind.CAPTIVE,
    }
    going: list[Piece] = []
    for resource, kind in kinds.items():
        pieces = [p for p in chosen if p.kind == resource]
        if (yield from rob(game, frame.seat, loser, kind, len(pieces))):
            going += pieces
    habitats = sorted((p for p in chosen if p.kind == Resource.HABITAT), key=lambda p: p.choice)
    for piece in habitats:
        space = piece.choice - SPACE
        if (yield from habitat_stays_open(game, space, frame.seat, Kind.NEUTRALIZED)):
            going.append(piece)
    lost = 0
    for resource in Resource:
        lost += _remove(game, loser, resource, [p for p in going if p.kind == resource])
    return lost


def _remove(game: Game, loser: int, kind: Resource, pieces: list[Piece]) -> int:
    """Pieces of one kind go to nobody (G1.4), as far as they are still there (V1.6)."""
    if kind == Resource.LORIUM:
        amount = min(len(pieces), game.players[loser].lorium)
        lose_lorium(game, loser, amount)
        return amount
    removed: list[Piece] = []
    for piece in pieces:
        left = pieces_left(game, loser, kind)
        if not any(p.choice == piece.choice and p.unit is piece.unit for p in left):
            continue
        removed.append(piece)
        match kind:
            case Resource.DISCOVERY:
                game.players[loser].discovery.remove(piece.choice - CARD)
                discard(game, loser, DISCOVERY, piece.choice - CARD)
                knowledge.opened(game, loser, DISCOVERY, piece.choice - CARD)
            case Resource.RELIC:
                give_up_relic(game, loser, piece.choice)
            case Resource.CAPTIVE:
                assert piece.unit is not None
                free_captive(game, piece.unit)
            case _:
                lose_control(game, piece.choice - SPACE)
    return len(removed)


def _lose_at_random(game: Game, frame: Frame, loser: int, res: Good, n: int) -> Flow[int]:
    """Cards of the hand drawn by chance, after the window."""
    kind = Kind.DISCOVERY if res == Good.DISCOVERY else Kind.RELIC
    lost = 0
    if (yield from rob(game, frame.seat, loser, kind, n)):
        for _ in range(n):
            card = _random_card(game, loser, res)
            if card is None:
                break
            deck = DISCOVERY if res == Good.DISCOVERY else RELIC
            discard(game, loser, deck, card)
            knowledge.opened(game, loser, deck, card)
            lost += 1
    return lost


def _random_card(game: Game, owner: int, res: Good, thief: int | None = None) -> int | None:
    """A card out of a hand by chance: the k-th in design order, copies counted (13.3)."""
    player = game.players[owner]
    hand = player.discovery if res == Good.DISCOVERY else player.relics
    if not hand:
        return None
    cards = sorted(hand)
    specs = game.content.discovery if res == Good.DISCOVERY else game.content.relics
    seen = None if thief is None else (owner, thief)
    card = game.draw_chance(ChanceKind.RANDOM_CARD, [specs[c].id for c in cards], cards, seen=seen)
    hand.remove(card)
    return card


# ---------------------------------------------------------------------- steal
def _victims(game: Game, frame: Frame, step: Steal, thief: int) -> list[int]:
    """Players from whom something can be stolen."""
    return [
        s
        for s in meant(game, frame, step.source)
        if s != thief and not protected(game, s, Immunity.STEAL, frame.seat) and _losable(game, s, step.res)
    ]


def _can_steal(game: Game, frame: Frame, step: Steal, thief: int) -> bool:
    n = count(game, frame, step.n)
    victims = _victims(game, frame, step, thief)
    if not step.must or n is None:
        return bool(victims)
    enough = [s for s in victims if len(_losable(game, s, step.res)) >= n]
    others = [s for s in meant(game, frame, step.source) if s != thief]
    if step.source in (Who.EACH_OPPONENT, Who.ALL) and n > 0:
        return bool(enough) and enough == others
    return bool(enough) or n == 0


def _steal(game: Game, frame: Frame, step: Steal, thief: int) -> Flow[bool]:
    """From each victim in order; what arrives is the thief's (a Relic Card Inactive, G5.5)."""
    n = count(game, frame, step.n)
    seats = [] if n == 0 else _victims(game, frame, step, thief)
    total, in_full = 0, bool(seats) or n == 0
    for victim in seats:
        stock = len(_losable(game, victim, step.res))
        wanted = stock if n is None else min(n, stock)
        stolen = yield from _steal_from(game, frame, step, thief, victim, wanted)
        total += stolen
        in_full = in_full and (n is None or stolen >= n)
        frame.regs.player = victim
    frame.regs.n = total
    return in_full


def _steal_from(game: Game, frame: Frame, step: Steal, thief: int, victim: int, n: int) -> Flow[int]:
    if n == 0:
        return 0
    if step.res == Good.LORIUM:
        if not (yield from rob(game, frame.seat, victim, Kind.LORIUM, n)):
            return 0
        amount = min(n, game.players[victim].lorium)
        lose_lorium(game, victim, amount)
        gain_lorium(game, thief, amount)
        return amount
    kind = Kind.DISCOVERY if step.res == Good.DISCOVERY else Kind.RELIC
    deck = DISCOVERY if step.res == Good.DISCOVERY else RELIC
    cards: list[int] = []
    if step.by == Chooser.RANDOM:
        if (yield from rob(game, frame.seat, victim, kind, n)):
            for _ in range(n):
                card = _random_card(game, victim, step.res, thief)
                if card is None:
                    break
                cards.append(card)
                knowledge.moved(
                    game, victim, thief, deck, card, left=len(knowledge.hand_of(game, deck, victim))
                )
    else:
        chooser = thief if step.by == Chooser.SELF else victim
        pieces = yield from _choose_losses(game, victim, chooser, step.res, n)
        if (yield from rob(game, frame.seat, victim, kind, len(pieces))):
            hand = knowledge.hand_of(game, deck, victim)
            for piece in pieces:
                if piece.choice - CARD in hand:
                    hand.remove(piece.choice - CARD)
                    cards.append(piece.choice - CARD)
                    knowledge.moved(game, victim, thief, deck, cards[-1], left=len(hand))
    receive(game, thief, deck, cards)
    if step.res != Good.DISCOVERY:
        for card in cards:
            yield from gained_window(game, thief, card)
    return len(cards)


VERBS: Handlers = {
    Lose: (_can_lose, _lose),
    Steal: (_can_steal, _steal),
}
