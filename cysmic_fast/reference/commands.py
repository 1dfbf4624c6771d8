"""Chapter A: what the Command Cards do, Section by Section (T4, T8)."""

from __future__ import annotations

from collections.abc import Iterable

from cysmic_fast.content.effect_words import Immunity, Kind, Method, ReachAction, TremorAction, Trigger
from cysmic_fast.content.types import CommandSpec, Section
from cysmic_fast.reference.combat import battle
from cysmic_fast.reference.confused import may_be_activated, recover
from cysmic_fast.reference.construction import can_ransom, completed, construct_robotically, payable, ransom
from cysmic_fast.reference.cyber import can_attack, cyber_attacks
from cysmic_fast.reference.cysmograph import collapse, icon_tremor
from cysmic_fast.reference.decision import Flow, choose, choose_space, choose_yes
from cysmic_fast.reference.frame import Happening
from cysmic_fast.reference.gathering import GATHERS, close, produce
from cysmic_fast.reference.goods import relic_window
from cysmic_fast.reference.influence import neutralize_habitat, take_habitat
from cysmic_fast.reference.model import Game, Gathering, Mark, Unit
from cysmic_fast.reference.modifiers import (
    action_denied,
    gained_jumpjets,
    no_tremor,
    protected,
    reach,
)
from cysmic_fast.reference.movement import (
    choose_unit,
    jump,
    move,
    perform_evacuate,
    ship_move,
    stabilize_move,
)
from cysmic_fast.reference.recruit import can_promote, can_recruit, can_upgrade, promote, recruit, upgrade
from cysmic_fast.reference.selectors import steps_from
from cysmic_fast.reference.trade import trade
from cysmic_fast.reference.units import line_up
from cysmic_fast.reference.windows import fire, gained
from cysmic_fast.vocabulary import (
    ACTION,
    DONE,
    CardAction,
    CommandCard,
    DecisionKind,
    EventKind,
    UnitType,
)

__all__ = [
    "activate",
    "all_unlocked",
    "card_actions",
    "gather_lorium",
    "gathering",
    "habitats_near",
    "one_action",
    "perform",
    "possible_actions",
    "possible_sections",
    "resolve_command",
    "tactic_section",
    "take_marker",
    "type_actions",
]


# ---------------------------------------------------------------------- the whole card
def resolve_command(game: Game, seat: int, card: CommandCard, *, played: bool) -> Flow[None]:
    """Resolve a card's Sections in order (T4.1).

    ``played``: as the card of this turn, with the event ``section`` and the windows of RUL-T6 in between.
    """
    spec = game.content.commands[card]
    if spec.kind == "unit":
        yield from _resolve_unit_card(game, seat, spec, played=played)
    else:
        yield from _resolve_tactic_card(game, seat, spec, played=played)


def _between(game: Game, seat: int, spec: CommandSpec, number: int, *, last: bool) -> Flow[None]:
    """After the ``number``-th Section of a Played card: the event, and before a further Section a window."""
    kinds = [Kind[spec.card.name], Kind.TACTIC_CARD if spec.kind == "tactic" else Kind.UNIT_CARD]
    if spec.unit is not None and spec.unit != UnitType.SHIP:
        vehicle = spec.unit in (UnitType.POWERMECH, UnitType.HARVESTER)
        kinds.append(Kind.VEHICLE_CARD if vehicle else Kind.TROOP_CARD)
    event = Happening(Trigger.SECTION, seat, kinds=tuple(kinds), card=spec.card, n=number)
    yield from fire(game, event)
    if not last:
        yield from relic_window(game, seat)


def _resolve_unit_card(game: Game, seat: int, spec: CommandSpec, *, played: bool) -> Flow[None]:
    """Each eligible Unit may perform one Action of each Section (T4.2, T4.4); Confused ones recover first."""
    assert spec.unit is not None
    recover(game, seat, spec.unit)  # (D7.2)
    eligible = all_unlocked(game, seat, [spec.unit])
    for unit in eligible:
        unit.marks.add(Mark.PART)
    if played:
        yield from _between(game, seat, spec, 0, last=False)  # after Playing (RUL-T6)
    if eligible:  # else no effect (T4.10)
        for number, section in enumerate(spec.sections, 1):
            yield from _unit_section(game, seat, section.actions, mandatory=section.mandatory, own_card=True)
            if played:
                yield from _between(game, seat, spec, number, last=number == len(spec.sections))
    game.unmark(Mark.PART, Mark.ONCE)


def all_unlocked(game: Game, seat: int, kinds: Iterable[UnitType]) -> list[Unit]:
    """The player's Unlocked Units of some types; the Ship always is (U4.1)."""
    ship = game.ship(seat)
    units = game.unlocked(seat) + ([ship] if ship else [])
    return [u for u in units if u.type in set(kinds)]


def _unit_section(
    game: Game, seat: int, actions: Iterable[CardAction], *, mandatory: bool = False, own_card: bool = False
) -> Flow[None]:
    """The Units that take part act one at a time, in any order (T4.3); a gathering of its own.

    ``own_card``: a whole Section of the Units' card, in which gained Jumpjets add to Move (M5.6).
    """
    gathered = Gathering(seat)

    def open_to(unit: Unit) -> list[CardAction]:
        return possible_actions(game, unit, _with_jump(game, unit, actions) if own_card else actions)

    while True:
        able = [
            u
            for u in game.marked(Mark.PART)
            if u.owner == seat and Mark.ACTED not in u.marks and game.is_unlocked(u) and open_to(u)
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
        options = [ACTION + a for a in open_to(unit)]
        choice = yield from choose(game, seat, DecisionKind.ACT_ACTION, options)
        yield from perform(game, unit, CardAction(choice - ACTION), gathered)
    game.unmark(Mark.ACTED)
    yield from close(game, gathered)


def activate(game: Game, unit: Unit, gathered: Gathering) -> Flow[None]:
    """One Unit performs at most one Action of each Section of its card (T8.1, T8.2, T8.5).

    A chosen Troop first recovers, with all of its type (D7.2).
    """
    if unit.is_troop:
        recover(game, unit.owner, unit.type)
    for section in _card_of(game, unit).sections:
        if not game.is_unlocked(unit):
            break
        options = possible_actions(game, unit, _with_jump(game, unit, section.actions))
        if not options:
            continue
        ids = [ACTION + a for a in options] + [DONE] * (not section.mandatory)
        choice = yield from choose(game, unit.owner, DecisionKind.ACT_ACTION, ids)
        if choice != DONE:
            yield from perform(game, unit, CardAction(choice - ACTION), gathered)


# ---------------------------------------------------------------------- one Action of a Unit
def _card_of(game: Game, unit: Unit) -> CommandSpec:
    """The Command Card of a Unit's type."""
    return next(c for c in game.content.commands if c.unit == unit.type)


def _with_jump(game: Game, unit: Unit, actions: Iterable[CardAction]) -> list[CardAction]:
    """Actions of a Section of the Unit's own card: with gained Jumpjets, Jumpjet Move beside Move (M5.6)."""
    found = list(actions)
    missing = CardAction.MOVE in found and CardAction.JUMPJET not in found
    if missing and gained_jumpjets(game, unit.owner, unit.type):
        found.append(CardAction.JUMPJET)
    return found


def card_actions(game: Game, unit: Unit) -> list[CardAction]:
    """All Actions of a Unit's own card."""
    return [a for s in _card_of(game, unit).sections for a in _with_jump(game, unit, s.actions)]


def possible_actions(game: Game, unit: Unit, actions: Iterable[CardAction]) -> list[CardAction]:
    """Those Actions the Unit could perform where it is (N6.3, A2.3)."""
    return [a for a in actions if _possible(game, unit, a)]


def _possible(game: Game, unit: Unit, action: CardAction) -> bool:
    seat, here = unit.owner, game.spaces[unit.place]
    if action_denied(game, seat, action):
        return False
    if action in GATHERS:
        return here.feature == GATHERS[action]
    match action:
        case CardAction.PERSUADE | CardAction.NEUTRALIZE:
            return bool(habitats_near(game, unit, action))
        case CardAction.PROMOTE:
            return can_promote(game, seat)
        case CardAction.ROBOTIC:
            return bool(payable(game, seat, Method.ROBOTIC))
        case CardAction.EVACUATE:
            return completed(game, seat) and bool(game.unlocked(seat))  # (A7.5)
        case _:
            return True  # Move, Jumpjet Move, the Ship's Move, Stabilize


REACHES = {CardAction.PERSUADE: ReachAction.PERSUADE, CardAction.NEUTRALIZE: ReachAction.NEUTRALIZE}


def habitats_near(game: Game, unit: Unit, action: CardAction) -> list[int]:
    """Habitats that a Unit can Persuade (A1.1) or Neutralize (A3.1): in its space, or within ``reach``."""
    seat = unit.owner
    found = []
    for space in sorted(steps_from(game, seat, [unit.place], reach(game, seat, REACHES[action]))):
        owner = game.spaces[space].control
        wanted = owner != seat if action == CardAction.PERSUADE else owner not in (None, seat)
        safe = owner is not None and protected(game, owner, Immunity.CONTROL, seat)
        if game.is_habitat(space) and wanted and not safe:
            found.append(space)
    return found


def perform(
    game: Game, unit: Unit, action: CardAction, gathered: Gathering, *, lorium_only: bool = False
) -> Flow[None]:
    """Perform one Action, and its Tremor right after it (T4.7, T4.8): one program in progress (V1.13)."""
    game.programs += 1
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
        case CardAction.PERSUADE | CardAction.NEUTRALIZE:
            yield from _change_control(game, unit, action)
        case CardAction.PROMOTE:
            yield from promote(game, seat)  # (A1.2)
        case CardAction.ROBOTIC:
            yield from construct_robotically(game, seat)
        case CardAction.EVACUATE:
            yield from perform_evacuate(game, seat)
        case _:
            yield from produce(game, gathered, unit, action, lorium_only=lorium_only)
    if performed and not _quiet(game, unit, action):
        yield from icon_tremor(game, seat, action)
    game.programs -= 1


def _quiet(game: Game, unit: Unit, action: CardAction) -> bool:
    """The owner's Units perform the Action without its Tremor."""
    words = {CardAction.JUMPJET: TremorAction.JUMPJET, CardAction.HARVEST: TremorAction.HARVEST}
    return action in words and no_tremor(game, unit.owner, words[action])


def _change_control(game: Game, unit: Unit, action: CardAction) -> Flow[None]:
    """Persuade (A1.1) or Neutralize (A3.1); the Habitat is asked for only where `reach` offers others."""
    space: int | None = unit.place
    if reach(game, unit.owner, REACHES[action]):
        spaces = habitats_near(game, unit, action)
        space = yield from choose_space(game, unit.owner, DecisionKind.REWARD_HABITAT, spaces)
    assert space is not None
    if action == CardAction.PERSUADE:
        yield from take_habitat(game, space, unit.owner)
    else:
        yield from neutralize_habitat(game, space, unit.owner)


def _stabilize(game: Game, ship: Unit) -> Flow[bool]:
    """Move, then the space left Collapses (A7.2, RUL-Y14); False if there is nowhere to go (RUL-M5)."""
    left = yield from stabilize_move(game, ship)
    if left is None:
        return False
    yield from collapse(game, [left], ship.owner)
    return True


# ---------------------------------------------------------------------- Tactic cards
def _resolve_tactic_card(game: Game, seat: int, spec: CommandSpec, *, played: bool) -> Flow[None]:
    """Each Action once, in printed order (T4.5)."""
    if played:
        yield from _between(game, seat, spec, 0, last=False)
    for number, section in enumerate(spec.sections, 1):
        yield from tactic_section(game, seat, section)
        if played:
            yield from _between(game, seat, spec, number, last=number == len(spec.sections))
    game.unmark(Mark.NEW)


def possible_sections(game: Game, seat: int, card: CommandCard) -> list[int]:
    """Sections of a Tactic card of which an Action is possible by itself."""
    sections = game.content.commands[card].sections
    return [i for i, s in enumerate(sections) if any(_tactic_possible(game, seat, a) for a in s.actions)]


def _tactic_possible(game: Game, seat: int, action: CardAction) -> bool:
    if action_denied(game, seat, action):
        return False
    match action:
        case CardAction.RECRUIT:
            return can_recruit(game, seat)
        case CardAction.STANDARD_UPGRADE | CardAction.DROPSHIP_UPGRADE:
            return can_upgrade(game, seat, action)
        case CardAction.BATTLE:
            return bool(game.combats(seat))
        case CardAction.INITIATIVE:
            return game.marker != seat
        case CardAction.CYBER_ATTACK:
            return can_attack(game, seat)
        case CardAction.BLUEPRINTS:
            return can_ransom(game, seat)
        case CardAction.TRADE:
            return True
        case _:
            return False  # Motivate and Startup need Units that are new in a resolution of the card


def tactic_section(game: Game, seat: int, section: Section) -> Flow[None]:
    """The Actions of a Section, each one program in progress (V1.13)."""
    for action in section.actions:
        game.programs += 1
        yield from _tactic_action(game, seat, action)
        game.programs -= 1


def _tactic_action(game: Game, seat: int, action: CardAction) -> Flow[None]:
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
                yield from take_marker(game, seat)  # (A9.1)
        case CardAction.CYBER_ATTACK:
            yield from cyber_attacks(game, seat, game.content.limits.cyber_attempts, optional=True)
        case CardAction.TRADE:
            yield from trade(game, seat, game.content.limits.offers)
        case CardAction.BLUEPRINTS:
            while can_ransom(game, seat) and (yield from ransom(game, seat, optional=True)):  # (A9.4)
                pass
        case _:
            raise AssertionError(f"{action.name} is no Action of a Tactic card")


def _start_up(game: Game, seat: int, new: list[Unit]) -> Flow[None]:
    """Motivate or Startup: Activate one Unlocked new Unit (RUL-R9), or a Confused one (D7.2); it is marked as
    acting (RUL-U4).
    """
    able = [u for u in new if u.owner == seat and may_be_activated(game, u)]
    unit = yield from choose_unit(game, seat, able)
    if unit is not None:
        unit.marks.add(Mark.ACTED)
        gathered = Gathering(seat)
        yield from activate(game, unit, gathered)
        game.unmark(Mark.ACTED)
        yield from close(game, gathered)


def take_marker(game: Game, seat: int) -> Flow[None]:
    """The First Player Marker changes hands at once (T1.7)."""
    game.marker = seat
    game.emit(EventKind.MARKER, seat)
    yield from gained(game, seat, Kind.MARKER)


# ---------------------------------------------------------------------- parts of cards (N1.2, N3.2, N5.5)
def type_actions(game: Game, seat: int, card: CommandCard) -> list[CardAction]:
    """Actions of a Unit card that one of the player's Unlocked Units of the type could perform (N6.3)."""
    spec = game.content.commands[card]
    if spec.unit is None:
        return []
    units = all_unlocked(game, seat, [spec.unit])
    found = {a for u in units for a in possible_actions(game, u, card_actions(game, u))}
    return sorted(found)


def one_action(game: Game, seat: int, card: CommandCard, action: CardAction) -> Flow[None]:
    """All Unlocked Units of the card's type may perform one of its Actions (N1.2, N1.3, N6.4)."""
    unit = game.content.commands[card].unit
    assert unit is not None
    for piece in all_unlocked(game, seat, [unit]):
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
    gathered = Gathering(seat)
    for unit in all_unlocked(game, seat, [UnitType.MINER, UnitType.HARVESTER]):
        unit.marks.add(Mark.PART)
    while True:
        waiting = [
            u
            for u in game.marked(Mark.PART)
            if u.owner == seat and Mark.ACTED not in u.marks and game.is_unlocked(u)
        ]
        unit_or_none = yield from choose_unit(game, seat, [u for u in waiting if gathering(game, u)])
        if unit_or_none is None:
            break
        unit_or_none.marks.add(Mark.ACTED)
        action = gathering(game, unit_or_none)
        assert action is not None
        game.programs += 1
        yield from produce(game, gathered, unit_or_none, action, lorium_only=True)
        if not _quiet(game, unit_or_none, action):
            yield from icon_tremor(game, seat, action)
        game.programs -= 1
    game.unmark(Mark.PART, Mark.ACTED)
    yield from close(game, gathered)
