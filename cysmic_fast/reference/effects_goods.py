"""Verbs of goods: pay, gain, trade, store (docs/cards.md, 4.2 and 4.3)."""

from __future__ import annotations

from collections.abc import Sequence

from cysmic_fast.content.effect_words import (
    Denial,
    Good,
    Kind,
    Who,
)
from cysmic_fast.content.effects import Gain, Pay, Store, Trade
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
from cysmic_fast.reference.decision import Flow
from cysmic_fast.reference.effects import Handlers, meant
from cysmic_fast.reference.frame import Frame
from cysmic_fast.reference.goods import (
    draw_discovery,
    gain_lorium,
    gain_relic,
    pay_lorium,
)
from cysmic_fast.reference.model import Game, Unit
from cysmic_fast.reference.modifiers import denied
from cysmic_fast.reference.payment import (
    Piece,
    choose_piece,
    choose_pieces,
    hand_over,
    pieces_left,
)
from cysmic_fast.reference.targets import choose_unit
from cysmic_fast.reference.trade import trade
from cysmic_fast.reference.units import capture, recall
from cysmic_fast.reference.windows import gained
from cysmic_fast.vocabulary import Resource

__all__ = ["RESOURCES", "VERBS"]

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
                pieces.append((yield from choose_piece(game, payer, payer, left)))
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


VERBS: Handlers = {
    Pay: (_can_pay, _pay),
    Gain: (_can_gain, _gain),
    Trade: (_can_trade, _trade),
    Store: (_can_store, _store),
}
