"""Units about to be captured or destroyed: the event ``defeated``, then their removal (K6.5, U1.4).

Who goes is a number of each like group (C19): what other effects take meanwhile comes from the others first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from cysmic_fast.content.effect_words import Immunity, Kind, Trigger
from cysmic_fast.content.effects import UnitSelector
from cysmic_fast.reference.decision import Flow
from cysmic_fast.reference.frame import Frame, Happening
from cysmic_fast.reference.model import Doom, Game, Unit
from cysmic_fast.reference.modifiers import no_capture, protected
from cysmic_fast.reference.units import capture, destroy, line_up
from cysmic_fast.reference.windows import fire

__all__ = [
    "defeat_windows",
    "defeated_in_strike",
    "doom_of",
    "effect_captures",
    "effect_destroys",
    "reach",
    "safe_from",
]


def defeat_windows(game: Game, units: Iterable[Unit], kind: Kind, cause: int) -> Flow[list[Unit]]:
    """Fire ``defeated`` once per space and owner, all still in place; returns those that still have to go."""
    groups: dict[tuple[int, int], Doom] = {}
    for unit in units:
        doom = groups.setdefault((unit.place, unit.owner), Doom(unit.owner, unit.place, Counter()))
        doom.counts[unit.type, unit.confused] += 1
    dooms = [groups[key] for key in sorted(groups)]
    game.dooms += dooms
    for doom in dooms:
        if doom.counts.total():
            yield from fire(game, _defeated(doom, kind, cause))
    game.dooms = [d for d in game.dooms if d not in dooms]
    return [unit for doom in dooms for unit in _left(game, doom)]


def _left(game: Game, doom: Doom) -> list[Unit]:
    """Who goes now, of like Units those with the fewest marks."""
    left: list[Unit] = []
    count = doom.counts.copy()
    for unit in line_up(game.spaces[doom.space].of(doom.owner)):
        if count[unit.type, unit.confused] > 0:
            count[unit.type, unit.confused] -= 1
            left.append(unit)
    return left


def _defeated(doom: Doom, kind: Kind, cause: int) -> Happening:
    return Happening(
        Trigger.DEFEATED,
        cause,
        doom.owner,
        (kind,),
        doom.space,
        doom=doom,
        gone=lambda: not doom.counts.total(),
    )


def doom_of(frame: Frame, sel: UnitSelector) -> Doom | None:
    """The ``defeated`` by way of whose ``$unit`` a step takes Units, so that it spares them (C19)."""
    return frame.regs.unit.doom if sel.register and frame.regs.unit is not None else None


def reach(frame: Frame, sel: UnitSelector, *units: Unit) -> None:
    """Units are about to be taken by a step."""
    _reach(units, doom_of(frame, sel))


def _reach(units: Iterable[Unit], doom: Doom | None) -> None:
    for unit in units:
        unit.reached = doom


def defeated_in_strike(game: Game, units: Sequence[Unit], striker: int, *, captures: bool) -> Flow[None]:
    """Units defeated in a Strike or by K3.5 leave together, captured unless an effect forbids it (K6.5)."""
    left = yield from defeat_windows(game, units, Kind.STRIKE, striker)
    saved = [u for u in left if not captures or no_capture(game, u, striker)]
    destroy(game, saved)
    capture(game, [u for u in left if u not in saved], striker)


def effect_destroys(
    game: Game, units: Sequence[Unit], cause: int, doom: Doom | None = None
) -> Flow[list[Unit]]:
    """An effect destroys Units; returns those it did. ``doom``: it takes them by way of that ``$unit``."""
    left = yield from defeat_windows(game, units, Kind.DESTROY, cause)
    _reach(left, doom)
    destroy(game, left)
    return left


def effect_captures(
    game: Game, units: Sequence[Unit], captor: int, cause: int, doom: Doom | None = None
) -> Flow[list[Unit]]:
    """An effect captures Units; out of a Combat resolved without captures it destroys them (RUL-K19)."""
    left = yield from defeat_windows(game, units, Kind.CAPTURE, cause)
    _reach(left, doom)
    running = game.resolution
    sent_home = [u for u in left if running is not None and not running.captures and u.place == running.space]
    destroy(game, sent_home)
    capture(game, [u for u in left if u not in sent_home], captor)
    return left


def safe_from(game: Game, unit: Unit, word: Immunity, cause: int) -> bool:
    """The owner is immune to such effects of ``cause`` (V1.8)."""
    return protected(game, unit.owner, word, cause)
