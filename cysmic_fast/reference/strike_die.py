"""The Strike Die: its face, and what it does (K4.1, K4.3 to K4.6)."""

from __future__ import annotations

from cysmic_fast.content.effect_words import Kind, Role
from cysmic_fast.content.types import StrikeFace
from cysmic_fast.reference.cysmograph import tremor
from cysmic_fast.reference.decision import Flow
from cysmic_fast.reference.dice import Die, DieColour, choose_die, roll
from cysmic_fast.reference.model import Game
from cysmic_fast.vocabulary import ChanceKind, DecisionKind

__all__ = ["apply_face", "draw_face"]


def draw_face(game: Game, role: Role) -> StrikeFace:
    """Blue as Attacker, green as Defender (K4.1)."""
    attacks = role == Role.ATTACKER
    faces = game.content.dice.attacker_strike if attacks else game.content.dice.defender_strike
    kind = ChanceKind.ATTACKER_STRIKE_DIE if attacks else ChanceKind.DEFENDER_STRIKE_DIE
    return faces[game.draw_chance(kind, [f.name for f in faces])]


def apply_face(game: Game, striker: int, face: StrikeFace, dice: list[Die]) -> Flow[None]:
    """A Tremor, pips on a die, or the reroll of one."""
    if face.kind == "tremor":  # (K4.6)
        yield from tremor(game, striker, Kind.STRIKE)
    elif face.kind == "value":  # compulsory (K4.5)
        die = yield from choose_die(game, striker, DecisionKind.VALUE_DIE, dice, dice)
        if die is not None:
            die.value += face.value
    else:  # may be declined (K4.4, RUL-K5)
        colour = DieColour.RED if face.colour == "red" else DieColour.YELLOW
        able = [d for d in dice if d.colour == colour]
        die = yield from choose_die(game, striker, DecisionKind.REROLL_DIE, dice, able, done=True)
        if die is not None:
            die.value = roll(game, colour)
