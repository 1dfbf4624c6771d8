"""Chapter X: Cyber Attacks."""

from __future__ import annotations

from cysmic_fast.content.effect_words import Denial, DieColour, Kind, ReachAction, Side, Trigger
from cysmic_fast.reference.construction import BY_CYBER_ATTACK, acquire, choose_blueprint, obtainable
from cysmic_fast.reference.decision import Flow, choose, choose_space, choose_type
from cysmic_fast.reference.dice import batches, capped, printed_dice, roll_dice
from cysmic_fast.reference.frame import Happening
from cysmic_fast.reference.model import Game, Mark, Unit
from cysmic_fast.reference.modifiers import cyber_dice, denied, reach
from cysmic_fast.reference.selectors import steps_from
from cysmic_fast.reference.units import fewest_marks
from cysmic_fast.reference.windows import fire, gained
from cysmic_fast.vocabulary import PLAYER, DecisionKind

__all__ = ["attackers", "can_attack", "cyber_attacks"]


def _targets(game: Game, unit: Unit, distance: int) -> list[int]:
    """Opponents whose Ship is near enough and from whom a Blueprint is at stake (X1.2, X1.10)."""
    most = distance + reach(game, unit.owner, ReachAction.CYBER)
    near: dict[int, int] | None = None
    found = []
    for seat in game.seats:
        ship = game.ship(seat)
        if seat == unit.owner or ship is None or not obtainable(game, unit.owner, seat):
            continue
        if near is None:
            near = steps_from(game, unit.owner, [unit.place], most)
        if ship.place in near:
            found.append(seat)
    return found


def attackers(game: Game, seat: int, distance: int) -> list[Unit]:
    """Unlocked Units that have not tried in this Action and have a target (X1.2, X1.7)."""
    if denied(game, seat, Denial.CYBER):
        return []
    return [u for u in game.unlocked(seat) if Mark.TRIED not in u.marks and _targets(game, u, distance)]


def can_attack(game: Game, seat: int, distance: int = 1) -> bool:
    """An attempt is allowed, even if no die can show the Target Value (X1.11)."""
    return bool(attackers(game, seat, distance))


def cyber_attacks(
    game: Game, seat: int, most: int, *, optional: bool, distance: int = 1, dice: int = 0
) -> Flow[tuple[int, int]]:
    """Up to ``most`` attempts by different Units, each with its own target (X1.8, A9.2, N4.1).

    ``distance``: spaces to the Ship. ``dice``: dice more. Returns (attempts, successes).
    """
    tried = won = 0
    for _ in range(most):
        able = attackers(game, seat, distance)
        if not able:
            break
        space = yield from choose_space(
            game, seat, DecisionKind.CYBER_SPACE, {u.place for u in able}, done=optional
        )
        if space is None:
            break
        here = [u for u in able if u.place == space]
        kind = yield from choose_type(game, seat, DecisionKind.CYBER_TYPE, {u.type for u in here})
        assert kind is not None
        tried += 1
        won += yield from _attempt(game, fewest_marks(here, kind), distance, dice)
        game.pool = []
    game.unmark(Mark.TRIED)
    return tried, won


def _attempt(game: Game, unit: Unit, distance: int, extra: int) -> Flow[bool]:
    """Roll the Unit's Combat Dice; one die must equal the Target Value exactly (X1.4 to X1.6)."""
    seat = unit.owner
    options = [PLAYER + s for s in _targets(game, unit, distance)]
    target = (yield from choose(game, seat, DecisionKind.CYBER_TARGET, options)) - PLAYER
    unit.marks.add(Mark.TRIED)
    dice = roll_dice(game, *_count(game, unit, target, extra))
    unit.attacking = True
    yield from fire(game, Happening(Trigger.CYBER_ROLLED, seat, target, dice=dice))
    acting, unit.attacking = unit.attacking and game.is_unlocked(unit), False
    if not acting:  # (V1.6)
        return False
    yield from batches(game, seat, target, dice)
    values = {d.value for d in dice}
    won = [m for m in obtainable(game, seat, target) if game.content.modules[m].target in values]
    if not won:
        return False  # failure has no effect (X1.7)
    module = won[0]
    if len(won) > 1:  # one Blueprint per attack (X1.9)
        module = yield from choose_blueprint(game, seat, won)
    game.pool = []
    acquire(game, seat, module, BY_CYBER_ATTACK)
    yield from gained(game, seat, Kind.BLUEPRINT)
    return True


def _count(game: Game, unit: Unit, target: int, extra: int) -> tuple[int, int]:
    """Printed dice, more or fewer of the Unit's colour; at least one die is rolled."""
    red, yellow = printed_dice(game, [unit])
    more = extra + cyber_dice(game, unit.owner, Side.ATTACK) + cyber_dice(game, target, Side.DEFEND)
    colour = DieColour.RED if red else DieColour.YELLOW
    if colour == DieColour.RED:
        red = max(0, red + more)
    else:
        yellow = max(0, yellow + more)
    if red + yellow == 0:
        red, yellow = (1, 0) if colour == DieColour.RED else (0, 1)
    return capped(game, red, yellow)
