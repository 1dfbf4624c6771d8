"""Verbs of commands: act, gather, command, reclaim, bonus, play (docs/cards.md, 4.5)."""

from __future__ import annotations

from dataclasses import replace

from cysmic_fast.content.effect_words import (
    BonusColumn,
    CommandFrom,
    CommandKind,
    CommandPart,
    Deck,
    Denial,
    IconsFrom,
    PlayAs,
    ReclaimFrom,
    State,
    TremorAction,
)
from cysmic_fast.content.effects import Act, Bonus, Command, Gather, Play, Reclaim
from cysmic_fast.reference import cards, knowledge
from cysmic_fast.reference.bonus import (
    bonus_possible,
    choose_bonus,
    icons_of_turn,
    played_this_turn,
    possible_cells,
)
from cysmic_fast.reference.commands import (
    activate,
    card_actions,
    one_action,
    perform,
    possible_actions,
    possible_sections,
    resolve_command,
    tactic_section,
    type_actions,
)
from cysmic_fast.reference.conditions import count
from cysmic_fast.reference.confused import may_be_activated
from cysmic_fast.reference.cysmograph import icon_tremor
from cysmic_fast.reference.decision import Flow, choose
from cysmic_fast.reference.effects import Handlers
from cysmic_fast.reference.effects_units import enough, report
from cysmic_fast.reference.frame import Frame
from cysmic_fast.reference.gathering import GATHERS, close, produce
from cysmic_fast.reference.model import Game, Gathering, Mark, Unit
from cysmic_fast.reference.model import Where as Place
from cysmic_fast.reference.modifiers import action_denied, denied, no_tremor
from cysmic_fast.reference.selectors import units
from cysmic_fast.reference.targets import choose_unit
from cysmic_fast.vocabulary import ACTION, COMMAND, DONE, OPTION, CardAction, CommandCard, DecisionKind
from cysmic_fast.vocabulary import Bonus as Cell

__all__ = ["VERBS"]


def _room(game: Game) -> bool:
    """A further program may start (V1.13)."""
    return game.programs < game.content.limits.programs


# ---------------------------------------------------------------------- act
def _open_actions(game: Game, step: Act, unit: Unit) -> list[CardAction]:
    """Actions of its own card that a Unit may perform in this step (N6.3)."""
    own = card_actions(game, unit)
    return possible_actions(game, unit, own if step.whole else [a for a in own if a in step.actions])


def _actors(game: Game, frame: Frame, step: Act, performer: int) -> list[Unit]:
    """Own Unlocked Units that can act; to be Activated also Confused Troops without enemies (D7.2)."""
    found = units(game, frame, step.units)
    if step.whole:
        found += [u for u in _confused(game, frame, step) if u not in found]
    return [
        u
        for u in found
        if u.owner == performer
        and Mark.LISTED not in u.marks
        and (may_be_activated(game, u) if step.whole else game.is_unlocked(u))
        and _open_actions(game, step, u)
    ]


def _confused(game: Game, frame: Frame, step: Act) -> list[Unit]:
    """Confused Troops that match but for their state."""
    if step.units.register:
        return []
    return [u for u in units(game, frame, replace(step.units, state=State.CONFUSED)) if u.confused]


def _can_act(game: Game, frame: Frame, step: Act, performer: int) -> bool:
    return _room(game) and enough(game, frame, step, len(_actors(game, frame, step, performer)))


def _act(game: Game, frame: Frame, step: Act, performer: int) -> Flow[bool]:
    """Each chosen Unit once: exactly one listed action, or at most one of each Section; one gathering."""
    n = count(game, frame, step.n)
    worked: list[tuple[Unit, int]] = []
    gathered = Gathering(performer)
    while _room(game) and (n is None or len(worked) < n):
        pool = _actors(game, frame, step, performer)
        unit = yield from choose_unit(game, performer, pool, done=step.upto)
        if unit is None:
            break
        chosen_at = unit.place
        if n != 1:
            unit.marks.add(Mark.LISTED)
        if step.whole:
            yield from activate(game, unit, gathered)
        else:
            options = [ACTION + a for a in _open_actions(game, step, unit)]
            choice = yield from choose(game, performer, DecisionKind.ACT_ACTION, options)
            action = CardAction(choice - ACTION)
            yield from perform(game, unit, action, gathered, lorium_only=step.lorium_only)
        worked.append((unit, unit.place if unit.where == Place.PLANET else chosen_at))
    if n != 1:
        game.unmark(Mark.LISTED)
    yield from close(game, gathered)
    report(frame, worked)
    return n is None or len(worked) >= n


# ---------------------------------------------------------------------- gather
def _gatherers(game: Game, frame: Frame, step: Gather) -> list[Unit]:
    """Units on the right feature that have not gathered in this step; the type does not matter."""
    return [
        u
        for u in units(game, frame, step.units)
        if not action_denied(game, u.owner, step.kind)
        and not u.confused
        and Mark.LISTED not in u.marks
        and game.spaces[u.place].feature == GATHERS[step.kind]
    ]


def _can_gather(game: Game, frame: Frame, step: Gather, performer: int) -> bool:
    del performer
    return enough(game, frame, step, len(_gatherers(game, frame, step)))


def _gather(game: Game, frame: Frame, step: Gather, performer: int) -> Flow[bool]:
    """Each Unit at most once; what is produced belongs to the gathering of the program."""
    n = count(game, frame, step.n)
    done = 0
    gathered = frame.gatherings.setdefault(performer, Gathering(performer))
    while n is None or done < n:
        pool = _gatherers(game, frame, step)
        unit = yield from choose_unit(game, performer, pool, done=step.upto)
        if unit is None:
            break
        done += 1
        if n != 1:
            unit.marks.add(Mark.LISTED)
        yield from produce(game, gathered, unit, step.kind)
        if step.tremor and not no_tremor(game, unit.owner, TremorAction.HARVEST):
            yield from icon_tremor(game, frame.seat, step.kind, drawer=performer)
    if n != 1:
        game.unmark(Mark.LISTED)
    frame.regs.n = done
    return n is None or done >= n


# ---------------------------------------------------------------------- command
def _commands(game: Game, step: Command, seat: int) -> list[CommandCard]:
    """Cards of the kind in hand or face up (``earlier``: not Played this turn); for one action: possible."""
    player = game.players[seat]
    if step.source == CommandFrom.HAND:
        found = sorted(player.hand)
    else:
        found = [c for c in player.played if c is not None]
        if step.source == CommandFrom.EARLIER:
            found = [c for c in found if c != played_this_turn(game, seat)]
    kind = "unit" if step.kind == CommandKind.UNIT else "tactic"
    found = [c for c in found if game.content.commands[c].kind == kind]
    if step.part == CommandPart.ALL:
        return found
    return [c for c in found if _parts(game, seat, c)]


def _parts(game: Game, seat: int, card: CommandCard) -> list[int]:
    """Ids of the actions of a card that are possible: of a Unit card, or Sections of a Tactic card."""
    if game.content.commands[card].kind == "unit":
        return [ACTION + a for a in type_actions(game, seat, card)]
    return [OPTION + i for i in possible_sections(game, seat, card)]


def _can_command(game: Game, frame: Frame, step: Command, performer: int) -> bool:
    del frame
    return _room(game) and bool(_commands(game, step, performer))


def _command(game: Game, frame: Frame, step: Command, performer: int) -> Flow[bool]:
    """One action, or the whole card (T8.3); the card is not moved, fires no ``section``."""
    if not _can_command(game, frame, step, performer):
        return False
    options = [COMMAND + c for c in _commands(game, step, performer)]
    card = CommandCard((yield from choose(game, performer, DecisionKind.COMMAND_CARD, options)) - COMMAND)
    if step.source == CommandFrom.HAND:
        knowledge.shown(game, performer, card)
    if step.part == CommandPart.ALL:
        yield from resolve_command(game, performer, card, played=False)
        return True
    choice = yield from choose(game, performer, DecisionKind.COMMAND_ACTION, _parts(game, performer, card))
    if choice >= ACTION:
        yield from one_action(game, performer, card, CardAction(choice - ACTION))
    else:
        yield from tactic_section(game, performer, game.content.commands[card].sections[choice - OPTION])
        game.unmark(Mark.NEW)
    return True


# ---------------------------------------------------------------------- reclaim
def _reclaimable(game: Game, step: Reclaim, seat: int) -> list[CommandCard]:
    """Cards Burned, or Burned or Played, on earlier turns of this cycle."""
    if denied(game, seat, Denial.RECLAIM):
        return []
    player = game.players[seat]
    cards_ = list(player.burned) if step.source == ReclaimFrom.BURNED else [*player.burned, *player.played]
    now: set[CommandCard | None] = {None}
    if seat == game.active:
        now |= {player.burned[game.column], player.played[game.column]}
    return [c for c in cards_ if c is not None and c not in now]


def _can_reclaim(game: Game, frame: Frame, step: Reclaim, performer: int) -> bool:
    del frame
    there = len(_reclaimable(game, step, performer))
    return there >= (step.n if step.must else 1)


def _reclaim(game: Game, frame: Frame, step: Reclaim, performer: int) -> Flow[bool]:
    del frame
    for done in range(step.n):
        options = [COMMAND + c for c in _reclaimable(game, step, performer)]
        if not options:
            return done >= step.n
        choice = yield from choose(game, performer, DecisionKind.RECLAIM, options + [DONE] * step.upto)
        if choice == DONE:
            return False
        game.players[performer].take_back(CommandCard(choice - COMMAND))
        knowledge.taken_back(game, performer)
    return True


# ---------------------------------------------------------------------- bonus, play
def _cells(game: Game, frame: Frame, step: Bonus, seat: int) -> list[Cell]:
    """Startable cells of the colours, or the cell of the event."""
    if step.icons_from == IconsFrom.EVENT:
        if frame.regs.card is None:
            return []
        cell = Cell(frame.regs.card)
        return [cell] if bonus_possible(game, seat, cell) else []
    icons = icons_of_turn(game, seat) if step.icons_from == IconsFrom.PLAYED else set(step.icons)
    column = game.column + 1 if step.column == BonusColumn.CURRENT else None
    return possible_cells(game, seat, icons, column)


def _can_bonus(game: Game, frame: Frame, step: Bonus, performer: int) -> bool:
    return _room(game) and bool(_cells(game, frame, step, performer))


def _bonus(game: Game, frame: Frame, step: Bonus, performer: int) -> Flow[bool]:
    cells = _cells(game, frame, step, performer) if _room(game) else []
    return (yield from choose_bonus(game, performer, cells))


def _can_play(game: Game, frame: Frame, step: Play, performer: int) -> bool:
    del frame
    if step.deck != Deck.HAND or not _room(game):
        return False
    if step.mode == PlayAs.REWARD and denied(game, performer, Denial.REWARD):
        return False
    return cards.can_play(game, performer)


def _play(game: Game, frame: Frame, step: Play, performer: int) -> Flow[bool]:
    if not _can_play(game, frame, step, performer):
        return False
    yield from cards.play_card(game, performer, rewards_only=step.mode == PlayAs.REWARD)
    return True


VERBS: Handlers = {
    Act: (_can_act, _act),
    Gather: (_can_gather, _gather),
    Command: (_can_command, _command),
    Reclaim: (_can_reclaim, _reclaim),
    Bonus: (_can_bonus, _bonus),
    Play: (_can_play, _play),
}
