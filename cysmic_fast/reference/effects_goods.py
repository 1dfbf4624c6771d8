"""Verbs of goods: pay, gain, lose, steal, trade, store, scry (docs/cards.md, 4.2 and 4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cysmic_fast.content.effect_words import (
    Chooser,
    Deck,
    Denial,
    Good,
    Immunity,
    Kind,
    ScryRest,
    Who,
)
from cysmic_fast.content.effects import Gain, Lose, Pay, Scry, Steal, Store, Trade
from cysmic_fast.reference.bonus import store, store_slots
from cysmic_fast.reference.commands import take_marker
from cysmic_fast.reference.conditions import count
from cysmic_fast.reference.construction import (
    BY_EFFECT,
    acquire,
    choose_blueprint,
    choose_recall,
    largest_recall,
    obtainable,
)
from cysmic_fast.reference.decision import Flow, choose
from cysmic_fast.reference.effects import Handlers, meant
from cysmic_fast.reference.frame import Frame
from cysmic_fast.reference.goods import (
    DISCOVERY,
    RELIC,
    discard,
    draw,
    draw_discovery,
    draw_into_hand,
    gain_lorium,
    gain_relic,
    gained_window,
    lift,
    lose_lorium,
    pay_lorium,
    put_event_away,
    receive_relic,
    take_relic,
)
from cysmic_fast.reference.influence import habitat_stays_open, lose_control
from cysmic_fast.reference.model import Game, Unit
from cysmic_fast.reference.modifiers import denied, protected
from cysmic_fast.reference.payment import (
    Piece,
    choose_piece,
    choose_pieces,
    hand_over,
    pieces_left,
    relics_left,
)
from cysmic_fast.reference.robbery import rob
from cysmic_fast.reference.targets import choose_unit
from cysmic_fast.reference.trade import trade
from cysmic_fast.reference.units import capture, free_captive, recall
from cysmic_fast.reference.windows import gained
from cysmic_fast.vocabulary import CARD, OPTION, SPACE, ChanceKind, DecisionKind, Resource

__all__ = ["VERBS"]

RESOURCES = {
    Good.LORIUM: Resource.LORIUM,
    Good.DISCOVERY: Resource.DISCOVERY,
    Good.RELIC: Resource.RELIC,
    Good.CAPTIVE: Resource.CAPTIVE,
    Good.HABITAT: Resource.HABITAT,
}


# ---------------------------------------------------------------------- pay
def _payees(game: Game, frame: Frame, step: Pay, payer: int) -> list[int]:
    """Who may be paid: nobody pays to oneself."""
    if step.to == Who.SUPPLY:
        return []
    return [s for s in meant(game, frame, step.to) if s != payer]


def _can_pay(game: Game, frame: Frame, step: Pay, payer: int) -> bool:
    """It can be paid in full."""
    payees = _payees(game, frame, step, payer)
    n = count(game, frame, step.n)
    if (step.to != Who.SUPPLY and not payees) or n is None:
        return False
    player = game.players[payer]
    match step.res:
        case Good.LORIUM:
            return n <= player.total_lorium
        case Good.TOKEN:
            return n <= player.tokens
        case Good.INFLUENCE:
            return n <= largest_recall(game, payer)
        case Good.HOSTAGE:
            wanted = n * (len(payees) if step.to in (Who.EACH_OPPONENT, Who.ALL) else 1)
            return wanted <= len(_hostages(game, payer))
        case Good.ANY:
            return n <= sum(len(pieces_left(game, payer, kind)) for kind in Resource)
        case _:
            return n <= len(pieces_left(game, payer, RESOURCES[step.res]))


def _pay(game: Game, frame: Frame, step: Pay, payer: int) -> Flow[bool]:
    """All at once after the choices; fires nothing (V1.4)."""
    n = count(game, frame, step.n)
    assert n is not None
    payees = _payees(game, frame, step, payer)
    receiver = payees[0] if payees else None
    match step.res:
        case Good.LORIUM:
            pay_lorium(game, payer, n)
            if receiver is not None:
                gain_lorium(game, receiver, n)
        case Good.TOKEN:
            game.players[payer].tokens -= n
        case Good.INFLUENCE:
            recall(game, (yield from choose_recall(game, payer, n)))
        case Good.HOSTAGE:
            yield from _give_hostages(game, payer, payees, n)
        case Good.ANY:
            chosen: list[Piece] = []
            yield from choose_pieces(game, payer, payer, n, chosen)
            yield from hand_over(game, payer, chosen, receiver)
        case _:
            pieces: list[Piece] = []
            for _ in range(n):
                left = pieces_left(game, payer, RESOURCES[step.res], pieces)
                pieces.append((yield from choose_piece(game, payer, left)))
            yield from hand_over(game, payer, pieces, receiver)
    frame.regs.n = n
    return True


def _hostages(game: Game, payer: int) -> list[Unit]:
    return [u for u in game.unlocked(payer) if u.is_troop]


def _give_hostages(game: Game, payer: int, payees: Sequence[int], n: int) -> Flow[None]:
    """Unlocked own Troops go into the Holding Area of each payee, ``n`` to each."""
    chosen: list[tuple[Unit, int]] = []
    for payee in payees:
        for _ in range(n):
            taken = [u for u, _ in chosen]
            pool = [u for u in _hostages(game, payer) if u not in taken]
            unit = yield from choose_unit(game, payer, pool)
            assert unit is not None
            chosen.append((unit, payee))
    for unit, payee in chosen:
        capture(game, [unit], payee)


# ---------------------------------------------------------------------- gain
def _sources(game: Game, frame: Frame, step: Gain, performer: int) -> list[int]:
    """Players from whom a Blueprint can come."""
    seats = meant(game, frame, step.of or Who.SELF)
    return [s for s in seats if s != performer and obtainable(game, performer, s)]


def _can_gain(game: Game, frame: Frame, step: Gain, performer: int) -> bool:
    match step.res:
        case Good.MARKER:
            return game.marker != performer
        case Good.BLUEPRINT:
            there = [len(obtainable(game, performer, s)) for s in _sources(game, frame, step, performer)]
            n = count(game, frame, step.n) if step.must else 1
            return max(there, default=0) >= (n or 0) and bool(there or n == 0)
        case Good.TOKEN:
            return bool(game.faction(performer).token)
        case Good.ESPIONAGE:
            return False
        case _:
            return True


def _gain(game: Game, frame: Frame, step: Gain, performer: int) -> Flow[bool]:
    """From the supply or a deck; ``gained`` once, when the step is done; not for Lorium and tokens."""
    n = count(game, frame, step.n)
    assert n is not None
    got = 0
    if n and _can_gain(game, frame, step, performer):
        match step.res:
            case Good.LORIUM:
                got = n
                gain_lorium(game, performer, n)
            case Good.TOKEN:
                got = n
                game.players[performer].tokens += n
            case Good.DISCOVERY:
                got = yield from draw_discovery(game, performer, n)
                yield from gained(game, performer, Kind.DISCOVERY, got)
            case Good.RELIC:
                for _ in range(n):
                    got += yield from gain_relic(game, performer)
                yield from gained(game, performer, Kind.RELIC, got)
            case Good.MARKER:
                got = n = 1
                yield from take_marker(game, performer)
            case Good.BLUEPRINT:
                got = yield from _gain_blueprints(game, frame, step, performer, n)
                yield from gained(game, performer, Kind.BLUEPRINT, got)
            case _:
                pass
    frame.regs.n = got
    return got >= n


def _gain_blueprints(game: Game, frame: Frame, step: Gain, performer: int, n: int) -> Flow[int]:
    """Those of player ``of`` that are Missing, one after the other."""
    sources = _sources(game, frame, step, performer)
    got = 0
    while got < n:
        modules = obtainable(game, performer, sources[0]) if sources else []
        if not modules:
            break
        module = modules[0] if len(modules) == 1 else (yield from choose_blueprint(game, performer, modules))
        acquire(game, performer, module, BY_EFFECT)
        got += 1
    return got


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
        chosen.append((yield from choose_piece(game, chooser, left, question)))
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
            case Resource.RELIC:
                discard(game, loser, RELIC, take_relic(game, loser, piece.choice))
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
            discard(game, loser, DISCOVERY if res == Good.DISCOVERY else RELIC, card)
            lost += 1
    return lost


def _random_card(game: Game, owner: int, res: Good) -> int | None:
    """A card out of a hand by chance: the k-th in design order, copies counted (13.3)."""
    player = game.players[owner]
    hand = player.discovery if res == Good.DISCOVERY else player.relics
    if not hand:
        return None
    cards = sorted(hand)
    specs = game.content.discovery if res == Good.DISCOVERY else game.content.relics
    card = game.draw_chance(ChanceKind.RANDOM_CARD, [specs[c].id for c in cards], cards)
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
    everybody = step.source in (Who.EACH_OPPONENT, Who.ALL)
    return len(enough) == len(meant(game, frame, step.source)) if everybody else bool(enough) or n == 0


def _steal(game: Game, frame: Frame, step: Steal, thief: int) -> Flow[bool]:
    """From each victim in order; what arrives is the thief's (a Relic Card Inactive, G5.5)."""
    n = count(game, frame, step.n)
    seats = _victims(game, frame, step, thief)
    total, in_full = 0, bool(seats)
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
    cards: list[int] = []
    if step.by == Chooser.RANDOM:
        if (yield from rob(game, frame.seat, victim, kind, n)):
            drawn = [_random_card(game, victim, step.res) for _ in range(n)]
            cards = [c for c in drawn if c is not None]
    else:
        chooser = thief if step.by == Chooser.SELF else victim
        pieces = yield from _choose_losses(game, victim, chooser, step.res, n)
        if (yield from rob(game, frame.seat, victim, kind, len(pieces))):
            player = game.players[victim]
            hand = player.discovery if step.res == Good.DISCOVERY else player.relics
            for piece in pieces:
                if piece.choice - CARD in hand:
                    hand.remove(piece.choice - CARD)
                    cards.append(piece.choice - CARD)
    if step.res == Good.DISCOVERY:
        game.players[thief].discovery += cards
    else:
        game.players[thief].relics += cards
        for card in cards:
            yield from gained_window(game, thief, card)
    return len(cards)


# ---------------------------------------------------------------------- trade, store
def _can_trade(game: Game, frame: Frame, step: Trade, performer: int) -> bool:
    del frame, step
    return not denied(game, performer, Denial.TRADE)


def _trade(game: Game, frame: Frame, step: Trade, performer: int) -> Flow[bool]:
    del frame
    yield from trade(game, performer, step.n)
    return True


def _can_store(game: Game, frame: Frame, step: Store, performer: int) -> bool:
    """As N2.5 in the table of N6."""
    del frame
    return game.players[performer].lorium > 0 and bool(store_slots(game, performer, step.n))


def _store(game: Game, frame: Frame, step: Store, performer: int) -> Flow[bool]:
    if not _can_store(game, frame, step, performer):
        return False
    yield from store(game, performer, step.n)
    return True


# ---------------------------------------------------------------------- scry
def _can_scry(game: Game, frame: Frame, step: Scry, performer: int) -> bool:
    del game, frame, performer
    return step.deck in (Deck.DISCOVERY, Deck.RELIC)


def _scry(game: Game, frame: Frame, step: Scry, performer: int) -> Flow[bool]:
    """Draw, keep some, put the rest away; Events are resolved only if kept, after that."""
    del frame
    if step.deck not in (Deck.DISCOVERY, Deck.RELIC):
        return False
    deck = DISCOVERY if step.deck == Deck.DISCOVERY else RELIC
    cards = [c for c in (draw(game, performer, deck) for _ in range(step.n)) if c is not None]
    kept: list[int] = []
    for _ in range(min(step.keep, len(cards))):
        options = [CARD + c for c in cards]
        card = (yield from choose(game, performer, DecisionKind.SCRY_KEEP, options)) - CARD
        cards.remove(card)
        kept.append(card)
    yield from _put_rest(game, performer, deck, cards, step.rest)
    got = 0
    if deck == RELIC:
        for card in kept:
            yield from receive_relic(game, performer, card)
        got = len(kept)
        yield from gained(game, performer, Kind.RELIC, got)
    else:
        got = yield from _keep_discovery(game, performer, kept)
        yield from gained(game, performer, Kind.DISCOVERY, got)
    return got >= step.keep


def _put_rest(game: Game, seat: int, deck: int, cards: list[int], rest: ScryRest) -> Flow[None]:
    """The other cards, first drawn first: under the deck, on its top or on the discard pile."""
    pile = game.discovery if deck == DISCOVERY else game.relics
    top: list[int] = []
    under: list[int] = []
    for card in cards:
        if rest in (ScryRest.ANY, ScryRest.SIFT):
            choice = yield from choose(game, seat, DecisionKind.SCRY_PUT, [OPTION, OPTION + 1])
            if choice == OPTION:
                top.append(card)
                continue
        if rest in (ScryRest.BOTTOM, ScryRest.ANY):
            under.append(card)
        else:
            discard(game, seat, deck, lift(game, deck, card))
    for card in (*top, *under):
        lift(game, deck, card)
    # The last element is the top: cards on top keep their order, those under lie as they were put.
    pile.draw = under[::-1] + pile.draw + top[::-1]


def _keep_discovery(game: Game, seat: int, kept: list[int]) -> Flow[int]:
    """Kept cards go to the hand; a kept Event is resolved and replaced by a normal draw (V1.10)."""
    resolved: set[int] = set()
    events = [c for c in kept if game.content.discovery[c].event]
    cards = [c for c in kept if not game.content.discovery[c].event]
    game.players[seat].discovery += [lift(game, DISCOVERY, card) for card in cards]
    got = len(cards)
    for event in events:
        yield from put_event_away(game, seat, event, resolved)
        if {*game.discovery.draw, *game.discovery.discard} - resolved:
            got += yield from draw_into_hand(game, seat, resolved)
    return got


VERBS: Handlers = {
    Pay: (_can_pay, _pay),
    Gain: (_can_gain, _gain),
    Lose: (_can_lose, _lose),
    Steal: (_can_steal, _steal),
    Trade: (_can_trade, _trade),
    Store: (_can_store, _store),
    Scry: (_can_scry, _scry),
}
