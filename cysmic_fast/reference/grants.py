"""Temporary modifiers: how long they last (docs/cards.md, section 8)."""

from __future__ import annotations

from cysmic_fast.content.effect_words import Duration
from cysmic_fast.content.effects import Modifier
from cysmic_fast.reference.model import Game, Grant

__all__ = ["end_of_resolution", "end_of_strike", "end_of_turn", "give", "turn_of"]


def give(game: Game, player: int, by: int, mods: tuple[Modifier, ...], duration: Duration) -> None:
    """A player receives modifiers; beyond the bound a further grant has no effect (V1.13)."""
    if len(game.grants) < game.content.limits.grants:
        game.grants.append(Grant(player, by, mods, duration))


def end_of_strike(game: Game, striker: int) -> None:
    """A Strike of the receiver is over; a Final Strike does not count."""
    game.grants = [g for g in game.grants if g.duration != Duration.STRIKE or g.player != striker]


def end_of_resolution(game: Game) -> None:
    """A resolution is over, be it at the cap (V8.2)."""
    game.grants = [g for g in game.grants if g.duration not in (Duration.STRIKE, Duration.COMBAT)]


def end_of_turn(game: Game) -> None:
    """The current turn is over, discarding included."""
    game.grants = [g for g in game.grants if g.duration == Duration.ROUND]


def turn_of(game: Game, granter: int) -> None:
    """The granter's next turn starts, or would start."""
    game.grants = [g for g in game.grants if g.duration != Duration.ROUND or g.by != granter]
