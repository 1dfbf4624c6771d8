"""Dice of a Strike or Cyber Attack, and the Discovery Cards played on them (K4, K5, X1.5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cysmic_fast.content.effect_words import DieColour, Mod, Role
from cysmic_fast.reference.decision import Flow, choose
from cysmic_fast.reference.goods import DISCOVERY, discard, lay, lift
from cysmic_fast.reference.knowledge import opened
from cysmic_fast.reference.model import Game, Unit
from cysmic_fast.reference.modifiers import extra_dice, total
from cysmic_fast.vocabulary import CARD, DIE, DONE, ChanceKind, DecisionKind, EventKind

__all__ = [
    "Die",
    "DieColour",
    "batches",
    "choose_die",
    "count_dice",
    "fitting_dice",
    "printed_dice",
    "roll",
    "roll_dice",
]

MODIFIER = 4  # field b of PLAY_CARD


@dataclass(eq=False, slots=True)
class Die:
    """One Combat Die; its place in the pool is its index."""

    colour: DieColour
    value: int


def roll(game: Game, colour: DieColour) -> int:
    """Roll one Combat Die."""
    red = colour == DieColour.RED
    faces = game.content.dice.red if red else game.content.dice.yellow
    kind = ChanceKind.RED_DIE if red else ChanceKind.YELLOW_DIE
    return faces[game.draw_chance(kind, [str(f) for f in faces])]


def printed_dice(game: Game, units: Iterable[Unit]) -> tuple[int, int]:
    """Red and yellow Combat Dice of Units; a Confused Troop has none (U2.7, D7.1)."""
    specs = [game.content.units[u.type] for u in units if not u.confused]
    return sum(s.red for s in specs), sum(s.yellow for s in specs)


def count_dice(game: Game, seat: int, units: Iterable[Unit], role: Role | None) -> tuple[int, int]:
    """Dice of a side in a Strike: printed ones and those added by effects, each colour at least 0."""
    rolling = [u for u in units if not u.confused]
    if not rolling:  # a side of Confused Troops has none (D7.10)
        return 0, 0
    red, yellow = printed_dice(game, rolling)
    extra = extra_dice(game, seat, rolling, role)
    return max(0, red + extra[DieColour.RED]), max(0, yellow + extra[DieColour.YELLOW])


def capped(game: Game, red: int, yellow: int) -> tuple[int, int]:
    """At most so many dice in one pool, red ones first (V1.13)."""
    most = game.content.limits.dice
    return min(red, most), min(yellow, most - min(red, most))


def roll_dice(game: Game, red: int, yellow: int) -> list[Die]:
    """Roll Combat Dice: red ones first (K4.1). They are on the table from now on."""
    colours = [DieColour.RED] * red + [DieColour.YELLOW] * yellow
    game.pool = [Die(colour, roll(game, colour)) for colour in colours]
    return game.pool


def fitting_dice(dice: Iterable[Die], colour: DieColour) -> list[Die]:
    """Dice of a colour, or all."""
    return [d for d in dice if colour in (d.colour, DieColour.ANY)]


def choose_die(
    game: Game, seat: int, kind: DecisionKind, dice: list[Die], able: Iterable[Die], *, done: bool = False
) -> Flow[Die | None]:
    """Pick one of the ``able`` dice of the pool; of like dice only the first is offered."""
    offered: dict[tuple[DieColour, int], int] = {}
    chosen = list(able)
    for index, die in enumerate(dice):
        if die in chosen:
            offered.setdefault((die.colour, die.value), index)
    options = [DIE + i for i in offered.values()] + [DONE] * done
    if not options:
        return None
    choice = yield from choose(game, seat, kind, options)
    return None if choice == DONE else dice[choice - DIE]


# ---------------------------------------------------------------------- Discovery Cards as modifiers
def batches(game: Game, first: int, second: int, dice: list[Die]) -> Flow[None]:
    """Batches of modifiers alternate until the second player's is empty (K5.1, K5.3, X1.5)."""
    while True:
        yield from _batch(game, first, dice)
        if not (yield from _batch(game, second, dice)):
            break


def _batch(game: Game, seat: int, dice: list[Die]) -> Flow[int]:
    """At most one card on each die (K5.1), one after another (K5.5); returns how many were played."""
    untouched = list(dice)
    hand = game.players[seat].discovery
    played = 0
    while untouched:
        options = [DONE, *(CARD + d for d in hand)]
        choice = yield from choose(game, seat, DecisionKind.MODIFIER_CARD, options)
        if choice == DONE:
            break
        card = choice - CARD
        hand.remove(card)
        lay(game, DISCOVERY, card)
        opened(game, seat, DISCOVERY, card)
        die = yield from choose_die(game, seat, DecisionKind.MODIFIER_DIE, dice, untouched)
        assert die is not None
        if game.options.abilities:
            game.emit(EventKind.PLAY_CARD, seat, card, MODIFIER)
        discard(game, seat, DISCOVERY, lift(game, DISCOVERY, card))  # at once (D1.2)
        die.value += _printed_modifier(game, seat, card)  # no floor, no ceiling (K4.8)
        untouched.remove(die)
        played += 1
    return played


def _printed_modifier(game: Game, seat: int, card: int) -> int:
    """The printed modifier, moved away from 0 by ``card_modifier``."""
    printed = game.content.discovery[card].modifier
    extra = total(game, seat, Mod.CARD_MODIFIER)
    return printed + extra if printed > 0 else printed - extra
