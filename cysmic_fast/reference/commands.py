"""Chapter A: what the Command Cards do, Section by Section (T4, T8)."""

from __future__ import annotations

from collections.abc import Iterable

from cysmic_fast.content.types import CommandSpec, Section
from cysmic_fast.reference.combat import battle
from cysmic_fast.reference.construction import (
    can_ransom,
    completed,
    construct_robotically,
    payable,
    ransom,
)
from cysmic_fast.reference.cyber import cyber_attacks
from cysmic_fast.reference.cysmograph import collapse, icon_tremor
from cysmic_fast.reference.decision import Flow, choose, choose_space, choose_yes
from cysmic_fast.reference.goods import draw_discovery, gain_lorium, relic_window
from cysmic_fast.reference.influence import gain_control, lose_control
from cysmic_fast.reference.model import Game, Mark, Unit, Where
from cysmic_fast.reference.movement import (
    choose_unit,
    jump,
    move,
    perform_evacuate,
    ship_move,
    stabilize_move,
)
from cysmic_fast.reference.recruit import can_promote, can_recruit, promote, recruit, upgrade
from cysmic_fast.reference.trade import trade
from cysmic_fast.reference.units import line_up
from cysmic_fast.vocabulary import (
    ACTION,
    DONE,
    CardAction,
    CommandCard,
    DecisionKind,
    EventKind,
    Feature,
    UnitType,
)

__all__ = [
    "gather_lorium",
    "one_action",
    "possible_actions",
    "resolve_command",
    "take_marker",
    "type_actions",
]

#: Where a gathering Action can be performed (A2.1, A5.1, A5.2).
GATHERS = {
    CardAction.MINE: Feature.LORIUM,
    CardAction.HARVEST: Feature.LORIUM,
    CardAction.EXPLORE: Feature.EXPLORABLE,
    CardAction.SCAVENGE: Feature.EXPLORABLE,
}


# ---------------------------------------------------------------------- the whole card
def resolve_command(game: Game, seat: int, card: CommandCard, *, windows: bool) -> Flow[None]:
    """Resolve a card's Sections in order (T4.1); ``windows``: Relics may be Activated in between."""
    spec = game.content.commands[card]
    if spec.kind == "unit":
        yield from _resolve_unit_card(game, seat, spec, windows=windows)
    else:
        yield from _resolve_tactic_card(game, seat, spec, windows=windows)


def _resolve_unit_card(game: Game, seat: int, spec: CommandSpec, *, windows: bool) -> Flow[None]:
    """Each eligible Unit may perform one Action of each Section (T4.2, T4.4)."""
    assert spec.unit is not None
    eligible = _all_unlocked(game, seat, [spec.unit])
    for unit in eligible:
        unit.marks.add(Mark.PART)
    if windows:
        yield from relic_window(game, seat)  # after Playing (RUL-T6)
    if eligible:  # else no effect (T4.10)
        for number, section in enumerate(spec.sections):
            if windows and number > 0:
                yield from relic_window(game, seat)
            yield from _unit_section(game, seat, section.actions, mandatory=section.mandatory)
    game.unmark(Mark.PART)


def _all_unlocked(game: Game, seat: int, kinds: Iterable[UnitType]) -> list[Unit]:
    """The player's Unlocked Units of some types; the Ship always is (U4.1)."""
    ship = game.ship(seat)
    units = game.unlocked(seat) + ([ship] if ship else [])
    return [u for u in units if u.type in set(kinds)]


def _unit_section(
    game: Game, seat: int, actions: Iterable[CardAction], *, mandatory: bool = False
) -> Flow[None]:
    """The Units that take part act one at a time, in any order (T4.3)."""
    while True:
        able = [
            u
            for u in game.marked(Mark.PART)
            if u.owner == seat
            and Mark.ACTED not in u.marks
            and _may_act(game, u)
            and possible_actions(game, u, actions)
        ]
        if not able:
            break
        space = yield from choose_space(
            game, seat, DecisionKind.ACT_SPACE, {u.place for u in able}, done=not mandatory
        )
        if space is None:
            break
        unit = line_up(u for u in able if u.place == space)[0]
        unit.marks.add(Mark.ACTED)
        options = possible_actions(game, unit, actions)
        choice = yield from choose(game, seat, DecisionKind.ACT_ACTION, [ACTION + a for a in options])
        yield from perform(game, unit, CardAction(choice - ACTION))
    game.unmark(Mark.ACTED)


def _may_act(game: Game, unit: Unit) -> bool:
    """On the planet and Unlocked when its turn comes (T4.4, U4.3)."""
    return unit.where == Where.PLANET and not game.is_locked(unit)


def activate(game: Game, unit: Unit) -> Flow[None]:
    """One Unit performs at most one Action of each Section of its card (T8.1, T8.2, T8.5)."""
    spec = next(c for c in game.content.commands if c.unit == unit.type)
    for section in spec.sections:
        if not _may_act(game, unit):
            break
        options = possible_actions(game, unit, section.actions)
        if not options:
            continue
        ids = [ACTION + a for a in options] + [DONE] * (not section.mandatory)
        choice = yield from choose(game, unit.owner, DecisionKind.ACT_ACTION, ids)
        if choice != DONE:
            yield from perform(game, unit, CardAction(choice - ACTION))


# ---------------------------------------------------------------------- one Action of a Unit
def possible_actions(game: Game, unit: Unit, actions: Iterable[CardAction]) -> list[CardAction]:
    """Those Actions the Unit could perform where it is (N6.3, A2.3)."""
    return [a for a in actions if _possible(game, unit, a)]


def _possible(game: Game, unit: Unit, action: CardAction) -> bool:
    seat, here = unit.owner, game.spaces[unit.place]
    if action in GATHERS:
        return here.feature == GATHERS[action]
    match action:
        case CardAction.PERSUADE:
            return here.feature in game.content.habitat_values and here.control != seat
        case CardAction.NEUTRALIZE:
            return here.control is not None and here.control != seat
        case CardAction.PROMOTE:
            return can_promote(game, seat)
        case CardAction.ROBOTIC:
            return bool(payable(game, seat, manual=False))
        case CardAction.EVACUATE:
            return completed(game, seat) and bool(game.unlocked(seat))  # (A7.5)
        case _:
            return True  # Move, Jumpjet Move, the Ship's Move, Stabilize


def perform(game: Game, unit: Unit, action: CardAction) -> Flow[None]:
    """Perform one Action, and its Tremor right after it (T4.7, T4.8)."""
    seat = unit.owner
    performed = True
    match action:
        case CardAction.MOVE:
            yield from move(game, unit)
        case CardAction.JUMPJET:
            yield from jump(game, unit)
        case CardAction.SHIP_MOVE:
            yield from ship_move(game, unit)
        case CardAction.STABILIZE:
            performed = yield from _stabilize(game, unit)
        case CardAction.PERSUADE:
            yield from gain_control(game, unit.place, seat)  # (A1.1)
        case CardAction.NEUTRALIZE:
            lose_control(game, unit.place)  # (A3.1)
        case CardAction.PROMOTE:
            yield from promote(game, seat)  # (A1.2)
        case CardAction.ROBOTIC:
            yield from construct_robotically(game, seat)
        case CardAction.EVACUATE:
            yield from perform_evacuate(game, seat)
        case _:
            gather = game.content.yields[action]
            gain_lorium(game, seat, gather.lorium)
            draw_discovery(game, seat, gather.discovery)
    if performed:
        yield from icon_tremor(game, seat, action)


def _stabilize(game: Game, ship: Unit) -> Flow[bool]:
    """Move, then the space left Collapses (A7.2, RUL-Y14); False if there is nowhere to go (RUL-M5)."""
    left = yield from stabilize_move(game, ship)
    if left is None:
        return False
    yield from collapse(game, [left], ship.owner)
    return True


# ---------------------------------------------------------------------- Tactic cards
def _resolve_tactic_card(game: Game, seat: int, spec: CommandSpec, *, windows: bool) -> Flow[None]:
    """Each Action once, in printed order (T4.5)."""
    for section in spec.sections:
        if windows:
            yield from relic_window(game, seat)  # after Playing, and before each further Section (RUL-T6)
        yield from _tactic_section(game, seat, section)
    game.unmark(Mark.NEW)


def _tactic_section(game: Game, seat: int, section: Section) -> Flow[None]:
    for action in section.actions:
        match action:
            case CardAction.RECRUIT:
                if can_recruit(game, seat):
                    yield from recruit(game, seat)
            case CardAction.MOTIVATE:
                yield from _start_up(game, seat, [u for u in game.marked(Mark.NEW) if u.is_troop])  # (A6.2)
            case CardAction.STARTUP:
                yield from _start_up(game, seat, [u for u in game.marked(Mark.NEW) if u.is_vehicle])  # (A6.4)
            case CardAction.STANDARD_UPGRADE | CardAction.DROPSHIP_UPGRADE:
                while (yield from upgrade(game, seat, action)):  # any number (A6.3, A6.5)
                    pass
            case CardAction.BATTLE:
                yield from battle(game, seat)
            case CardAction.INITIATIVE:
                if game.marker != seat and (yield from choose_yes(game, seat, DecisionKind.SECTION)):
                    take_marker(game, seat)  # (A9.1)
            case CardAction.CYBER_ATTACK:
                yield from cyber_attacks(game, seat, game.content.limits.cyber_attempts, optional=True)
            case CardAction.TRADE:
                yield from trade(game, seat)
            case CardAction.BLUEPRINTS:
                while can_ransom(game, seat) and (yield from ransom(game, seat, optional=True)):  # (A9.4)
                    pass
            case _:
                raise AssertionError(f"{action.name} is no Action of a Tactic card")


def _start_up(game: Game, seat: int, new: list[Unit]) -> Flow[None]:
    """Motivate or Startup: Activate one Unlocked new Unit (RUL-R9), which is marked as acting (RUL-U4)."""
    unit = yield from choose_unit(game, seat, [u for u in new if _may_act(game, u)])
    if unit is not None:
        unit.marks.add(Mark.ACTED)
        yield from activate(game, unit)
        game.unmark(Mark.ACTED)


def take_marker(game: Game, seat: int) -> None:
    """The First Player Marker changes hands at once (T1.7)."""
    game.marker = seat
    game.emit(EventKind.MARKER, seat)


# ---------------------------------------------------------------------- parts of cards (N1.2, N3.2, N5.5)
def type_actions(game: Game, seat: int, card: CommandCard) -> list[CardAction]:
    """Actions of a Unit card that one of the player's Unlocked Units of the type could perform (N6.3)."""
    spec = game.content.commands[card]
    if spec.unit is None:
        return []
    actions = [a for section in spec.sections for a in section.actions]
    units = _all_unlocked(game, seat, [spec.unit])
    return [a for a in actions if any(_possible(game, u, a) for u in units)]


def one_action(game: Game, seat: int, card: CommandCard, action: CardAction) -> Flow[None]:
    """All Unlocked Units of the card's type may perform one of its Actions (N1.2, N1.3, N6.4)."""
    unit = game.content.commands[card].unit
    assert unit is not None
    for piece in _all_unlocked(game, seat, [unit]):
        piece.marks.add(Mark.PART)
    yield from _unit_section(game, seat, [action])
    game.unmark(Mark.PART)


def gathering(game: Game, unit: Unit) -> CardAction | None:
    """The Action by which a Unit gathers Lorium where it is (N5.5)."""
    actions = {
        UnitType.MINER: [CardAction.MINE],
        UnitType.HARVESTER: [CardAction.HARVEST, CardAction.SCAVENGE],
    }
    return next(iter(possible_actions(game, unit, actions.get(unit.type, []))), None)


def gather_lorium(game: Game, seat: int) -> Flow[None]:
    """Every Unlocked Miner and Harvester may gather, for Lorium only (N5.5, RUL-N5)."""
    for unit in _all_unlocked(game, seat, [UnitType.MINER, UnitType.HARVESTER]):
        unit.marks.add(Mark.PART)
    while True:
        waiting = [u for u in game.marked(Mark.PART) if Mark.ACTED not in u.marks and _may_act(game, u)]
        unit_or_none = yield from choose_unit(game, seat, [u for u in waiting if gathering(game, u)])
        if unit_or_none is None:
            break
        unit_or_none.marks.add(Mark.ACTED)
        action = gathering(game, unit_or_none)
        assert action is not None
        gain_lorium(game, seat, game.content.yields[action].lorium)
        yield from icon_tremor(game, seat, action)
    game.unmark(Mark.PART, Mark.ACTED)
