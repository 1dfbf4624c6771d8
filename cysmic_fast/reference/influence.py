"""Chapter I: Influence, Habitats, Control Flags."""

from __future__ import annotations

from collections.abc import Iterable

from cysmic_fast.content.effect_words import Kind, LimitOf, Trigger
from cysmic_fast.reference.decision import Flow, choose_space
from cysmic_fast.reference.model import Game
from cysmic_fast.reference.modifiers import limit
from cysmic_fast.vocabulary import DecisionKind, EventKind

__all__ = [
    "control",
    "influence",
    "limit_flags",
    "lorium_capacity",
    "lose_control",
    "neutralize_habitat",
    "take_habitat",
]


def influence(game: Game, seat: int) -> int:
    """Starting Influence plus the values of the controlled Habitats, always (I1.1)."""
    return game.faction(seat).influence + sum(game.habitat_value(s) for s in game.habitats(seat))


def unlimited(game: Game, seat: int) -> bool:
    """Recruit and storage are unlimited from here on (I1.4)."""
    return influence(game, seat) >= game.content.unlimited_influence


def lorium_capacity(game: Game, seat: int) -> int | None:
    """Lorium that may stay on the track, None if unlimited (I2)."""
    storage = game.content.storage(influence(game, seat))
    return None if storage is None else max(0, storage + limit(game, seat, LimitOf.LORIUM))


# ---------------------------------------------------------------------- Flags
def control(game: Game, space: int, seat: int) -> None:
    """The Habitat of a space changes to ``seat``, who has a Flag for it (I3.2)."""
    old = game.spaces[space].control
    if old != seat:
        game.spaces[space].control = seat
        game.emit(EventKind.INFLUENCE_CONTROL, seat, space, -1 if old is None else old)


def lose_control(game: Game, space: int) -> None:
    """The Habitat of a space, if controlled, becomes neutral; the Flag returns (I3.2, I3.5, I3.7)."""
    old = game.spaces[space].control
    if old is not None:
        game.spaces[space].control = None
        game.emit(EventKind.INFLUENCE_CONTROL, -1, space, old)


def limit_flags(game: Game, seat: int, received: Iterable[int]) -> Flow[None]:
    """After an exchange only the result must respect the limit; none of the new Flags goes (I3.6, G5.8)."""
    new = set(received)
    while len(game.habitats(seat)) > game.content.limits.flags:
        others = [space for space in game.habitats(seat) if space not in new]
        yield from _give_up_flag(game, seat, others or game.habitats(seat))


def _give_up_flag(game: Game, seat: int, spaces: Iterable[int]) -> Flow[None]:
    space = yield from choose_space(game, seat, DecisionKind.GIVE_UP_FLAG, spaces)
    assert space is not None
    lose_control(game, space)


# ---------------------------------------------------------------------- by an effect or Unit action
def take_habitat(game: Game, space: int, seat: int, cause: int | None = None) -> Flow[bool]:
    """``seat`` gains control; an eighth Habitat needs a Flag to be given up first (I3.3).

    Fires ``habitat_lost`` if another player than ``cause`` (default ``seat``) loses it, then ``gained``.
    False if it was kept.
    """
    from cysmic_fast.reference.windows import gained

    if not (yield from habitat_stays_open(game, space, seat if cause is None else cause, Kind.TAKEN)):
        return False
    if len(game.habitats(seat)) >= game.content.limits.flags:
        yield from _give_up_flag(game, seat, game.habitats(seat))
    control(game, space, seat)
    yield from gained(game, seat, Kind.HABITAT)
    return True


def neutralize_habitat(game: Game, space: int, cause: int) -> Flow[bool]:
    """The Habitat becomes neutral (A3.1); False if it was kept."""
    if not (yield from habitat_stays_open(game, space, cause, Kind.NEUTRALIZED)):
        return False
    lose_control(game, space)
    return True


def habitat_stays_open(game: Game, space: int, cause: int, kind: Kind) -> Flow[bool]:
    """Fire ``habitat_lost`` if another player loses control; whether the change may still be made."""
    from cysmic_fast.reference.frame import Happening
    from cysmic_fast.reference.windows import fire

    here = game.spaces[space]
    loser = here.control
    if loser is None or loser == cause:
        return True
    event = Happening(
        Trigger.HABITAT_LOST,
        cause,
        loser,
        (kind,),
        space,
        gone=lambda: here.control != loser,
    )
    yield from fire(game, event)
    return not event.cancelled and here.control == loser
