"""Units about to be captured or destroyed: the event ``defeated``, then their removal (K6.5, U1.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cysmic_fast.content.effect_words import Immunity, Kind, Trigger
from cysmic_fast.reference.decision import Flow
from cysmic_fast.reference.frame import Happening
from cysmic_fast.reference.model import Game, Unit, Where
from cysmic_fast.reference.modifiers import no_capture, protected
from cysmic_fast.reference.units import capture, destroy
from cysmic_fast.reference.windows import fire

__all__ = ["defeat_windows", "defeated_in_strike", "effect_captures", "effect_destroys", "safe_from"]


def defeat_windows(game: Game, units: Iterable[Unit], kind: Kind, cause: int) -> Flow[list[Unit]]:
    """Fire ``defeated`` once per space and owner, all still in place; returns those that still have to go."""
    doomed = sorted(units, key=lambda u: (u.place, u.owner, u.type))
    places = {id(u): u.place for u in doomed}
    for unit in doomed:
        unit.doomed += 1
    for space, owner in sorted({(u.place, u.owner) for u in doomed}):
        group = [u for u in doomed if (u.place, u.owner) == (space, owner) and u.doomed]
        if group:
            yield from fire(game, _defeated(group, kind, cause))
    left = [u for u in doomed if u.doomed and u.where == Where.PLANET and u.place == places[id(u)]]
    for unit in doomed:
        unit.doomed = max(0, unit.doomed - 1)
    return left


def _defeated(group: list[Unit], kind: Kind, cause: int) -> Happening:
    space, owner = group[0].place, group[0].owner
    return Happening(
        Trigger.DEFEATED,
        cause,
        owner,
        (kind,),
        space,
        units=group,
        gone=lambda: not any(u.doomed and u.place == space for u in group),
    )


def defeated_in_strike(game: Game, units: Sequence[Unit], striker: int, *, captures: bool) -> Flow[None]:
    """Units defeated in a Strike or by K3.5 leave together, captured unless an effect forbids it (K6.5)."""
    left = yield from defeat_windows(game, units, Kind.STRIKE, striker)
    saved = [u for u in left if not captures or no_capture(game, u, striker)]
    destroy(game, saved)
    capture(game, [u for u in left if u not in saved], striker)


def effect_destroys(game: Game, units: Sequence[Unit], cause: int) -> Flow[list[Unit]]:
    """An effect destroys Units; returns those it did."""
    left = yield from defeat_windows(game, units, Kind.DESTROY, cause)
    destroy(game, left)
    return left


def effect_captures(game: Game, units: Sequence[Unit], captor: int, cause: int) -> Flow[list[Unit]]:
    """An effect captures Units; out of a Combat resolved without captures it destroys them (RUL-K19)."""
    left = yield from defeat_windows(game, units, Kind.CAPTURE, cause)
    running = game.resolution
    sent_home = [u for u in left if running is not None and not running.captures and u.place == running.space]
    destroy(game, sent_home)
    capture(game, [u for u in left if u not in sent_home], captor)
    return left


def safe_from(game: Game, unit: Unit, word: Immunity, cause: int) -> bool:
    """The owner is immune to such effects of ``cause`` (V1.8)."""
    return protected(game, unit.owner, word, cause)
