"""Which events a program can bring about by itself (V1.14)."""

from __future__ import annotations

from typing import Final

from cysmic_fast.content.effect_words import Alteration, Deck, Good, TokenOp, Trigger, Verb
from cysmic_fast.content.effects import Alter, Gain, Program, Scry, Step, Token, Tremor

# ---------------------------------------------------------------- what a program can bring about (V1.14)
_T = Trigger
_ENTER: Final = frozenset({_T.ENTERED, _T.COMBAT_BEGUN, _T.COMBAT_END, _T.GAINED, _T.DEFEATED})
_QUAKE: Final = frozenset(
    {_T.TREMOR, _T.FRACTURE_DRAWN, _T.COLLAPSE, _T.ENTERED, _T.GAINED, _T.DEFEATED, _T.COMBAT_END}
)
#: Drawing Discovery Cards: Planetary Events are resolved on the way (V1.10).
_DRAW: Final = _ENTER | _QUAKE | {_T.HABITAT_LOST, _T.ROBBED, _T.FLEE_DECLARED}
#: What happens only in the course of a turn, never by a program.
_COURSE: Final = frozenset({_T.TURN_START, _T.SECTION, _T.BONUS_STEP, _T.TURN_END, _T.LAUNCH})
_ANYTHING: Final = frozenset(_T) - _COURSE
_COMBAT: Final = _DRAW | {_T.COMBAT_START, _T.STRIKE_START, _T.STRIKE_ROLLED, _T.STRIKE_FINAL}
_NONE: Final[frozenset[Trigger]] = frozenset()

#: Events that a verb can bring about by itself; those that depend on the good are in :func:`_brings`.
CAUSES: Final[dict[Verb, frozenset[Trigger]]] = {
    Verb.LOSE: frozenset({_T.ROBBED, _T.HABITAT_LOST}),
    Verb.STEAL: frozenset({_T.ROBBED}),
    Verb.DEPLOY: _ENTER,
    Verb.CONVERT: _QUAKE,
    Verb.MOVE: _ENTER | _QUAKE,
    Verb.PLACE: _ENTER,
    Verb.RECALL: frozenset({_T.COMBAT_END}),
    Verb.DESTROY: frozenset({_T.DEFEATED, _T.COMBAT_END}),
    Verb.CAPTURE: frozenset({_T.DEFEATED, _T.COMBAT_END, _T.ROBBED}),
    Verb.CONTROL: frozenset({_T.HABITAT_LOST, _T.GAINED}),
    Verb.FRACTURE: _QUAKE,
    Verb.COLLAPSE: _QUAKE,
    Verb.FLEE: _ENTER | _QUAKE | {_T.FLEE_DECLARED},
    Verb.CYBER: frozenset({_T.CYBER_ROLLED, _T.GAINED}),
    Verb.RANSOM: frozenset({_T.GAINED}),
    Verb.CONSTRUCT: frozenset({_T.GAINED}),
    Verb.GATHER: _DRAW | {_T.GATHERED},
    Verb.ACT: _DRAW | {_T.GATHERED},
    Verb.COMBAT: _COMBAT,
    Verb.COMMAND: _ANYTHING,
    Verb.BONUS: _ANYTHING,
    Verb.PLAY: _ANYTHING,
}


def _brings(step: Step) -> frozenset[Trigger]:
    """Events that one step can bring about, without the lists inside it."""
    match step:
        case Gain(res=Good.DISCOVERY):
            return _DRAW | {_T.GAINED}
        case Gain(res=Good.ESPIONAGE):
            return _DRAW | {_T.GAINED, _T.CYBER_ROLLED}
        case Gain(res=Good.LORIUM | Good.TOKEN):
            return _NONE
        case Gain():
            return frozenset({_T.GAINED})
        case Scry(keep=0):
            return _NONE
        case Scry(deck=Deck.DISCOVERY):
            return _DRAW
        case Scry():
            return frozenset({_T.GAINED})
        case Tremor():
            return _QUAKE if step.n > 0 else _NONE
        case Token():
            return frozenset({_T.GAINED}) if step.op == TokenOp.COLLECT else _NONE
        case Alter(what=Alteration.REDRAW):
            return frozenset({_T.FRACTURE_DRAWN})
    return CAUSES.get(step.verb, _NONE)


def causes(program: Program) -> set[Trigger]:
    """Events that a program can bring about by itself."""
    return set().union(*map(_brings, program.walk()))
