"""Chapter X: Cyber Attacks."""

from __future__ import annotations

from cysmic_fast.reference.construction import BY_CYBER_ATTACK, acquire, obtainable
from cysmic_fast.reference.decision import Flow, choose, choose_space, choose_type
from cysmic_fast.reference.dice import batches, roll_units
from cysmic_fast.reference.model import Game, Mark, Unit
from cysmic_fast.reference.units import fewest_marks
from cysmic_fast.vocabulary import MODULE, PLAYER, DecisionKind

__all__ = ["can_attack", "cyber_attacks"]


def _targets(game: Game, unit: Unit) -> list[int]:
    """Opponents whose Ship is adjacent and from whom a Blueprint is at stake (X1.2, X1.10)."""
    found = []
    for seat in game.seats:
        ship = game.ship(seat)
        if seat == unit.owner or ship is None or not obtainable(game, unit.owner, seat):
            continue
        if unit.place in game.map.adjacent[ship.place]:
            found.append(seat)
    return found


def _attackers(game: Game, seat: int) -> list[Unit]:
    """Unlocked Units that have not tried in this Action and have a target (X1.2, X1.7)."""
    return [u for u in game.unlocked(seat) if Mark.TRIED not in u.marks and _targets(game, u)]


def can_attack(game: Game, seat: int) -> bool:
    """An attempt is allowed, even if no die can show the Target Value (X1.11)."""
    return bool(_attackers(game, seat))


def cyber_attacks(game: Game, seat: int, most: int, *, optional: bool) -> Flow[None]:
    """Up to ``most`` attempts by different Units, each with its own target (X1.8, A9.2, N4.1)."""
    for _ in range(most):
        able = _attackers(game, seat)
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
        yield from _attempt(game, fewest_marks(here, kind))
    game.unmark(Mark.TRIED)


def _attempt(game: Game, unit: Unit) -> Flow[None]:
    """Roll the Unit's Combat Dice; one die must equal the Target Value exactly (X1.4 to X1.6)."""
    seat = unit.owner
    options = [PLAYER + s for s in _targets(game, unit)]
    target = (yield from choose(game, seat, DecisionKind.CYBER_TARGET, options)) - PLAYER
    unit.marks.add(Mark.TRIED)
    dice = roll_units(game, [unit])
    yield from batches(game, seat, target, dice)
    values = {d.value for d in dice}
    won = [m for m in obtainable(game, seat, target) if game.content.modules[m].target in values]
    if not won:
        return  # failure has no effect (X1.7)
    module = won[0]
    if len(won) > 1:  # one Blueprint per attack (X1.9)
        options = [MODULE + m for m in won]
        module = (yield from choose(game, seat, DecisionKind.CHOOSE_BLUEPRINT, options)) - MODULE
    acquire(game, seat, module, BY_CYBER_ATTACK)
