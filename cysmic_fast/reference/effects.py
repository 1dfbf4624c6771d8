"""The interpreter of programs: steps, performers, what is possible (docs/cards.md, sections 1 and 4.1).

Each verb has a test, whether it is possible at all for a performer, and a flow that performs it and tells
whether it was done in full. They live in ``effects_*.py``, by the groups of section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Final, TypeAlias, TypeVar, cast

from cysmic_fast.content.effect_words import MAX_PERFORMED, VERBS, PickWhat, Register, Who
from cysmic_fast.content.effects import (
    Alter,
    Combat,
    Control,
    Each,
    Gain,
    Grant,
    Pay,
    Pick,
    Program,
    Steal,
    Step,
    Steps,
)
from cysmic_fast.errors import ContentError
from cysmic_fast.reference.conditions import lacks_register, needs
from cysmic_fast.reference.decision import Flow, choose, choose_yes
from cysmic_fast.reference.frame import Frame
from cysmic_fast.reference.gathering import close_gatherings
from cysmic_fast.reference.model import Game
from cysmic_fast.reference.units import settle_ends
from cysmic_fast.vocabulary import PLAYER, DecisionKind

__all__ = [
    "ONE_OF_SEVERAL",
    "choose_player",
    "meant",
    "perform_program",
    "players",
    "possible",
    "run",
    "startable",
]

S = TypeVar("S", bound=Step)
#: (game, frame, step, performer) -> possible, in full if the step is ``must``.
Test: TypeAlias = Callable[[Game, Frame, S, int], bool]
#: (game, frame, step, performer) -> done in full.
Perform: TypeAlias = Callable[[Game, Frame, S, int], Flow[bool]]
#: Words that mean one player, whom ``self`` chooses.
ONE_OF_SEVERAL: Final = (Who.OPPONENT, Who.ANY_PLAYER)
#: Registers that ``pick`` fills.
PICKED: Final = {
    PickWhat.SPACE: Register.SPACE,
    PickWhat.PLAYER: Register.PLAYER,
    PickWhat.TERRAIN: Register.TERRAIN,
}
Handlers: TypeAlias = dict[type[Step], tuple[Callable[..., bool], Callable[..., Flow[bool]]]]


@cache
def _handlers() -> Handlers:
    """Test and flow of every verb. Imported late: verbs use procedures that open windows."""
    from cysmic_fast.reference import (
        effects_combat,
        effects_commands,
        effects_flow,
        effects_goods,
        effects_moves,
        effects_planet,
        effects_scry,
        effects_ship,
        effects_taking,
        effects_units,
    )

    groups = (
        effects_flow,
        effects_goods,
        effects_taking,
        effects_scry,
        effects_units,
        effects_moves,
        effects_commands,
        effects_planet,
        effects_combat,
        effects_ship,
    )
    return {step: pair for group in groups for step, pair in cast("Handlers", group.VERBS).items()}


# ---------------------------------------------------------------------- players
def players(game: Game, frame: Frame, word: Who) -> list[int]:
    """Seats a word may mean, in the order of V3.1; several mean a choice for ``opponent``, ``any_player``."""
    everybody = game.seated(game.active)
    match word:
        case Who.SELF:
            return [frame.seat]
        case Who.REGISTER:
            return [] if frame.regs.player is None else [frame.regs.player]
        case Who.HOLDER:
            return [game.marker]
        case Who.OPPONENT:
            return [s for s in everybody if s != frame.seat]
        case Who.EACH_OPPONENT:  # clockwise after ``self``
            return [s for s in game.seated(frame.seat) if s != frame.seat]
        case Who.ANY_PLAYER | Who.ALL:
            return everybody
        case _:
            raise AssertionError(f"{word.name} is no player")


def meant(game: Game, frame: Frame, word: Who) -> list[int]:
    """Seats the other player word of a step means, once one of several has been chosen (C72)."""
    seats = players(game, frame, word)
    if word in ONE_OF_SEVERAL and frame.second is not None:
        return [s for s in seats if s == frame.second]
    return seats


def choose_player(game: Game, frame: Frame, able: Iterable[int]) -> Flow[int]:
    """PICK_PLAYER[self]{players for whom the step is possible}; -1 if there is nobody."""
    options = [PLAYER + s for s in able]
    if not options:
        return -1
    return (yield from choose(game, frame.seat, DecisionKind.PICK_PLAYER, options)) - PLAYER


def _performers(game: Game, frame: Frame, step: Step, rest: Steps) -> Flow[list[int]]:
    """Who performs a step, one after the other (V1.5)."""
    seats = players(game, frame, step.who)
    if step.who not in ONE_OF_SEVERAL:
        return seats
    able = [s for s in seats if _able(game, frame, step, s, rest)]
    chosen = yield from choose_player(game, frame, able)
    return [s for s in seats if s == chosen]


def _able(game: Game, frame: Frame, step: Step, performer: int, rest: Steps) -> bool:
    """A step is possible where it stands; ``rest`` is what is left of the head, for ``pick``."""
    if isinstance(step, Pick):
        return any(True for _ in picks(game, frame, step, rest))
    return _possible_for(game, frame, step, performer)


def _second_player(game: Game, frame: Frame, step: Step, performers: list[int]) -> Flow[int | None]:
    """The other player word of a step, if it leaves a choice: asked once, before anybody acts (C72)."""
    word = _second_word(step)
    if word not in ONE_OF_SEVERAL:
        return None
    able = []
    for seat in players(game, frame, word):
        probe = frame.probe()
        probe.second = seat
        if any(_possible_for(game, probe, step, p) for p in performers):
            able.append(seat)
    return (yield from choose_player(game, frame, able))


def _second_word(step: Step) -> Who | None:
    match step:
        case Pay() | Control() | Grant() | Alter():
            return step.to
        case Steal():
            return step.source
        case Gain():
            return step.of
        case Combat():
            return step.first
        case _:
            return None


# ---------------------------------------------------------------------- possible
def _possible_for(game: Game, frame: Frame, step: Step, performer: int) -> bool:
    return _handlers()[type(step)][0](game, frame, step, performer)


def possible(game: Game, frame: Frame, step: Step) -> bool:
    """A step is possible at least once, in full if it is ``must``, for one of its performers (V1.2, 4.1)."""
    if lacks_register(game, frame, step):
        return False
    return any(_possible_for(game, frame, step, s) for s in players(game, frame, step.who))


def is_must(step: Step) -> bool:
    """The program ends if the step cannot be done in full (V1.1)."""
    return step.must or isinstance(step, (Pay, Pick))


def startable(game: Game, frame: Frame, steps: Steps, filled: Iterable[Register] = ()) -> bool:
    """Each step of the head is possible, tested by itself against the present state (V1.2).

    A step that needs a register which an earlier one of the head will fill counts as possible; only what
    ``pick`` fills is tried out. ``filled``: by steps before these.
    """
    later = set(filled)
    for place, step in enumerate(steps):
        if later.isdisjoint(needs(step) or ()):
            if isinstance(step, Pick):
                return any(True for _ in picks(game, frame, step, steps[place + 1 :], later))
            if not possible(game, frame, step):
                return False
        if not (is_must(step) or isinstance(step, Grant)):
            break
        later |= {PICKED[step.what]} if isinstance(step, Pick) else set(VERBS[step.verb].sets)
    return True


def picks(
    game: Game, frame: Frame, step: Pick, rest: Steps, filled: Iterable[Register] = ()
) -> Iterator[int]:
    """What ``pick`` may pick so that the rest of the head is possible (V1.2)."""
    from cysmic_fast.reference.effects_flow import pickable

    if lacks_register(game, frame, step):
        return
    for value in pickable(game, frame, step):
        probe = frame.probe()
        put(probe, step.what, value)
        if startable(game, probe, rest, set(filled) - {PICKED[step.what]}):
            yield value


def put(frame: Frame, what: PickWhat, value: int) -> None:
    """What was picked goes to its register."""
    match what:
        case PickWhat.SPACE:
            frame.regs.space, frame.regs.area = value, False
        case PickWhat.PLAYER:
            frame.regs.player = value
        case PickWhat.TERRAIN:
            frame.regs.terrain = value


# ---------------------------------------------------------------------- performing
def perform_program(game: Game, frame: Frame, program: Program) -> Flow[None]:
    """All of a program; what its verb ``gather`` produced is told at its end."""
    yield from run(game, frame, program.steps)
    yield from close_gatherings(game, frame.gatherings)


def run(game: Game, frame: Frame, steps: Steps) -> Flow[None]:
    """A list of steps; it ends early where a ``must`` step cannot be done in full (V1.1)."""
    in_head = True
    for place, step in enumerate(steps):
        rest = steps[place + 1 :] if in_head else ()
        if not (yield from _step(game, frame, step, rest)):
            break
        in_head = in_head and (is_must(step) or isinstance(step, Grant))


def _step(game: Game, frame: Frame, step: Step, rest: Steps) -> Flow[bool]:
    """One step; False if the list ends with it. ``rest`` is what is left of the head, for ``pick``."""
    game.steps += 1
    if game.steps > MAX_PERFORMED:
        raise ContentError(f"{frame.name}: more than {MAX_PERFORMED} steps between two decisions (V1.15)")
    if lacks_register(game, frame, step):  # skipped (V2.3, C22)
        return not is_must(step) or _optional(step)
    performers = yield from _performers(game, frame, step, rest)
    frame.second = yield from _second_player(game, frame, step, performers)
    done = not is_must(step)
    for performer in performers:
        done |= yield from settle_ends(game, _perform(game, frame, step, performer, rest))
    frame.second = None
    return done


def _optional(step: Step) -> bool:
    """The performer is asked whether to do it at all; ``each`` asks item by item instead."""
    return step.opt and not (isinstance(step, Each) and step.asks)


def _perform(game: Game, frame: Frame, step: Step, performer: int, rest: Steps) -> Flow[bool]:
    """One performer's part of a step; False if the list ends with it."""
    from cysmic_fast.reference.effects_flow import pick

    if _optional(step):
        if not _able(game, frame, step, performer, rest):
            return True
        if not (yield from choose_yes(game, performer, DecisionKind.OPTIONAL_STEP)):
            return True
    if is_must(step) and not _possible_for(game, frame, step, performer):
        return False
    if isinstance(step, Pick):
        return (yield from pick(game, frame, step, performer, rest))
    in_full = yield from _handlers()[type(step)][1](game, frame, step, performer)
    return in_full or not is_must(step)
