"""Coming to rest: what happens when Units come to a space (V7.8, M6, U5.3)."""

from __future__ import annotations

from collections.abc import Sequence

from cysmic_fast.content.effect_words import Kind, Trigger
from cysmic_fast.reference.decision import Flow, choose_space
from cysmic_fast.reference.defeat import defeat_windows
from cysmic_fast.reference.frame import Happening
from cysmic_fast.reference.goods import gain_relic
from cysmic_fast.reference.model import Game, Unit, Where
from cysmic_fast.reference.planet import take_token
from cysmic_fast.reference.units import line_up, ship_lands
from cysmic_fast.reference.windows import fire, gained
from cysmic_fast.vocabulary import DecisionKind

__all__ = ["ask_token", "collect", "entered", "group_rests", "offer_token", "ship_enters", "unit_rests"]


# ---------------------------------------------------------------------- Relic Tokens
def ask_token(game: Game, seat: int, tokens: Sequence[int]) -> Flow[int | None]:
    """Picking up is never compulsory (M6.1, RUL-M1)."""
    if not tokens:
        return None
    return (yield from choose_space(game, seat, DecisionKind.TAKE_TOKEN, tokens, done=True))


def collect(game: Game, seat: int, space: int) -> Flow[None]:
    """A token goes to the supply, its collector gains a Relic Card (M6.3)."""
    take_token(game, space, seat)
    yield from gained(game, seat, Kind.RELIC, (yield from gain_relic(game, seat)))


def offer_token(game: Game, seat: int, space: int) -> Flow[None]:
    """Units that entered a space outside a Move may pick up its token; the card is gained at once (M6.7)."""
    if game.spaces[space].token:
        token = yield from ask_token(game, seat, [space])
        if token is not None:
            yield from collect(game, seat, token)


# ---------------------------------------------------------------------- entered, combat_begun
def entered(game: Game, unit: Unit, space: int, kind: Kind, cause: int) -> Flow[None]:
    """A Unit or Ship has come to rest in a space it was not in before."""

    def gone() -> bool:
        return unit.where != Where.PLANET or unit.place != space

    if not gone():
        yield from fire(
            game, Happening(Trigger.ENTERED, cause, unit.owner, (kind,), space, units=[unit], gone=gone)
        )


def unit_rests(game: Game, unit: Unit, number: int, kind: Kind, cause: int, *, began: bool) -> Flow[None]:
    """After the token: ``entered``, then ``combat_begun`` if that Combat still stands (V7.8)."""
    here = game.spaces[number]
    attacker, defender = here.attacker, here.defender
    yield from entered(game, unit, number, kind, cause)
    if began and attacker is not None and (here.attacker, here.defender) == (attacker, defender):
        yield from fire(
            game,
            Happening(
                Trigger.COMBAT_BEGUN, attacker, defender, space=number, gone=lambda: here.attacker is None
            ),
        )


def group_rests(game: Game, units: Sequence[Unit], kind: Kind, cause: int) -> Flow[None]:
    """All are in their space: one may take the token, then ``entered`` type by type, Unit by Unit (V7.8)."""
    space = units[0].place
    yield from offer_token(game, units[0].owner, space)
    for unit in line_up(units):
        yield from entered(game, unit, space, kind, cause)


# ---------------------------------------------------------------------- Ships
def ship_enters(game: Game, ship: Unit, space: int, kind: Kind, cause: int) -> Flow[bool]:
    """A Ship crushes what is in a space, then is in it (U5.3, V7.8); False if it cannot any more (V1.6)."""
    here = game.spaces[space]
    for seat in game.seats:
        yield from defeat_windows(game, here.of(seat), Kind.DESTROY, cause)
    shut = here.impassable or here.ship is not None or space in game.collapsing
    if shut or ship.where != Where.PLANET:
        return False
    ship_lands(game, ship, space)
    yield from entered(game, ship, space, kind, cause)
    return True
