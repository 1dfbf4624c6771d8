"""Chapter P: tiles, Relic Tokens, and what a space is adjacent to."""

from __future__ import annotations

from collections.abc import Iterable

from cysmic_fast.reference.influence import lose_control
from cysmic_fast.reference.model import Game
from cysmic_fast.vocabulary import EventKind, Feature

__all__ = [
    "erase_feature",
    "lose_token",
    "nearest",
    "neighbours",
    "place_token",
    "remove_tile",
    "take_token",
    "token_supply",
    "tunl_spaces",
]


def tunl_spaces(game: Game) -> list[int]:
    """Spaces that are TUNL now (P4.3, P4.4)."""
    return [s.number for s in game.spaces if s.feature == Feature.TUNL]


def neighbours(game: Game, space: int, *, tunl: bool) -> list[int]:
    """Adjacent spaces by side and arrow, with ``tunl`` also by TUNL (P4.1 to P4.3), ascending."""
    around = set(game.map.adjacent[space])
    if tunl and game.spaces[space].feature == Feature.TUNL:
        around |= set(tunl_spaces(game)) - {space}
    return sorted(around)


def nearest(game: Game, start: int, legal: Iterable[int]) -> list[int]:
    """Those of ``legal`` fewest side-and-arrow steps away from ``start``, over all spaces (M4.4)."""
    wanted = set(legal)
    seen = {start}
    ring = [start]
    while ring:
        ring = sorted({n for s in ring for n in game.map.adjacent[s]} - seen)
        seen |= set(ring)
        found = [s for s in ring if s in wanted]
        if found:
            return found
    return []


def erase_feature(game: Game, space: int) -> None:
    """A Ship erases Habitat and feature; the tile stays (U5.3, U5.4)."""
    here = game.spaces[space]
    lose_control(game, space)
    if here.has_tile:
        here.feature = Feature.PLAIN


def remove_tile(game: Game, space: int, cause: int) -> None:
    """Tile, Habitat and Mountain leave the game (Y4.4)."""
    here = game.spaces[space]
    lose_control(game, space)
    game.emit(EventKind.COLLAPSE, cause, space, here.feature)
    game.stats.collapsed += 1
    here.feature = Feature.NONE


def token_supply(game: Game) -> int:
    """Relic Tokens left in the supply (S1.5)."""
    return game.content.limits.relic_tokens - sum(s.token for s in game.spaces)


def place_token(game: Game, space: int) -> None:
    """A Relic Token from the supply (Y4.5)."""
    game.spaces[space].token = True
    game.emit(EventKind.RELIC_TOKEN, -1, space, 1)


def take_token(game: Game, space: int, collector: int) -> None:
    """A Unit of ``collector`` picks the token up; it returns to the supply (M6.3)."""
    game.spaces[space].token = False
    game.emit(EventKind.RELIC_TOKEN, collector, space, -1)


def lose_token(game: Game, space: int) -> None:
    """A token, if one is there, returns to the supply without a draw (M6.4, Y2.6)."""
    if game.spaces[space].token:
        game.spaces[space].token = False
        game.emit(EventKind.RELIC_TOKEN, -1, space, -1)
