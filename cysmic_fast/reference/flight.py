"""Chapter K, section 7: flights and Final Strikes."""

from __future__ import annotations

from cysmic_fast.content.effect_words import Denial, Kind, Role, Trigger
from cysmic_fast.reference.decision import Flow, choose_space, choose_yes
from cysmic_fast.reference.defeat import defeated_in_strike
from cysmic_fast.reference.dice import printed_dice, roll_dice
from cysmic_fast.reference.frame import Happening
from cysmic_fast.reference.hits import choose_hits, printed_health
from cysmic_fast.reference.model import Game, Space, Unit
from cysmic_fast.reference.modifiers import denied, role_in
from cysmic_fast.reference.movement import adjacent_to, has_room
from cysmic_fast.reference.rest import group_rests
from cysmic_fast.reference.strike_die import apply_face, draw_face
from cysmic_fast.reference.units import capture, destroy, line_up, move_units, settle_ends
from cysmic_fast.reference.windows import fire
from cysmic_fast.vocabulary import DecisionKind, EventKind

__all__ = ["flee_by_effect", "flee_spaces", "fly", "places_to_flee"]


def flee_spaces(game: Game, space: int, seat: int) -> list[int]:
    """Adjacent spaces all of a side's Units, but Confused ones, can flee to together (K7.1 to K7.3, D7.9)."""
    units = game.spaces[space].sober(seat)
    if not units or denied(game, seat, Denial.FLEE):
        return []
    found = []
    for end in adjacent_to(game, space, seat):
        there = game.spaces[end]
        if there.impassable or there.ship is not None or there.others(seat):
            continue
        if has_room(game, end, seat, units):
            found.append(end)
    return found


def places_to_flee(game: Game, seat: int) -> list[int]:
    """Combats a player can flee from."""
    return [s for s in game.combats(seat) if flee_spaces(game, s, seat)]


def flee_by_effect(game: Game, seat: int, *, final_strike: bool) -> Flow[tuple[int, list[tuple[Unit, int]]]]:
    """All Units of one own Combat flee (N2.2, RUL-K16, the verb ``flee``).

    Returns the space left, and the Units that fled with the space they fled to.
    """
    space = yield from choose_space(game, seat, DecisionKind.FREE_FLEE, places_to_flee(game, seat))
    assert space is not None
    role = role_in(game, space, seat)
    assert role is not None
    fled: list[tuple[Unit, int]] = []
    yield from fly(game, space, role, must_flee=False, final_strike=final_strike, fled=fled)
    return space, fled


def fly(
    game: Game,
    space: int,
    role: Role,
    *,
    must_flee: bool,
    final_strike: bool = True,
    fled: list[tuple[Unit, int]] | None = None,
) -> Flow[bool]:
    """A side flees (K7.8); True if it was cancelled. Units that fled, and where, are added to ``fled``.

    In a resolution of this Combat its Confused Troops are then captured; elsewhere they stay (D7.9).
    """
    here = game.spaces[space]
    serial = here.serial
    seat, enemy = _sides(here, role)
    end = yield from choose_space(game, seat, DecisionKind.FLEE_TO, flee_spaces(game, space, seat))
    assert end is not None
    event = Happening(Trigger.FLEE_DECLARED, seat, enemy, space=space, gone=lambda: here.serial != serial)
    yield from fire(game, event)
    if event.cancelled or here.serial != serial:
        return event.cancelled
    seat, enemy = _sides(here, role)
    running = game.resolution
    captures = running is None or running.space != space or running.captures
    if (
        final_strike
        and event.final_strike
        and (yield from choose_yes(game, enemy, DecisionKind.FINAL_STRIKE))
    ):
        yield from _final_strike(game, here, role, captures=captures)
    if here.serial != serial:  # (K7.9)
        return False
    seat, enemy = _sides(here, role)
    legal = flee_spaces(game, space, seat)  # for the survivors (K7.10)
    if end not in legal:
        if not legal:
            if must_flee:
                fall = defeated_in_strike(game, here.of(seat), enemy, captures=captures)
                yield from settle_ends(game, fall)
            return False
        end = yield from choose_space(game, seat, DecisionKind.FLEE_TO, legal)
        assert end is not None
    resolved = running is not None and running.space == space
    if fled is not None:
        fled += [(u, end) for u in here.sober(seat)]
    yield from settle_ends(game, _run_away(game, here, seat, enemy, end, captures, resolved), fled=True)
    return False


def _sides(here: Space, role: Role) -> tuple[int, int]:
    """The fleeing player and the other one, as they stand now."""
    assert here.attacker is not None
    assert here.defender is not None
    both = (here.attacker, here.defender)
    return both if role == Role.ATTACKER else both[::-1]


def _run_away(
    game: Game, here: Space, seat: int, enemy: int, end: int, captures: bool, resolved: bool
) -> Flow[None]:
    """The side moves, one of its Units may take a Relic Token there (K7.6, RUL-K20)."""
    serial = here.serial
    units = line_up(here.sober(seat))
    move_units(game, units, end)
    yield from group_rests(game, units, Kind.FLEE, seat)
    left = [u for u in here.of(seat) if u.confused]
    if resolved and left and here.serial == serial:
        yield from defeated_in_strike(game, left, enemy, captures=captures)


def _final_strike(game: Game, here: Space, role: Role, *, captures: bool) -> Flow[None]:
    """Printed Combat Dice and Health, no Shields, cards or other modifications, no events (K7.5, V7.2)."""
    serial = here.serial
    seat, enemy = _sides(here, role)
    units = here.of(enemy)
    red, yellow = printed_dice(game, units)
    game.stats.strikes += 1
    game.emit(EventKind.STRIKE, enemy, here.number, 1, red + yellow)
    face = None
    if game.content.rulings.final_strike_die:  # the Strike Die is part of the roll (RUL-K2)
        face = draw_face(game, Role.DEFENDER if role == Role.ATTACKER else Role.ATTACKER)
    dice = roll_dice(game, red, yellow)
    if face is not None:
        yield from apply_face(game, enemy, face, dice)
    if here.serial != serial:  # (K7.9)
        game.pool = []
        return
    seat, enemy = _sides(here, role)
    hit = yield from choose_hits(game, enemy, here.of(seat), dice, lambda u: printed_health(game, u))
    game.pool = []
    if hit:
        yield from settle_ends(game, _fall(game, hit, enemy, captures=captures))


def _fall(game: Game, units: list[Unit], victor: int, *, captures: bool) -> Flow[None]:
    """What a Final Strike defeats is captured, or destroyed where the effect says so (K7.6, N5.1)."""
    if captures:
        capture(game, units, victor)
    else:
        destroy(game, units)
    yield from ()
