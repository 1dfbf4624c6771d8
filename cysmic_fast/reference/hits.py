"""Chapter K, section 6: which Units dice can defeat, and the choice among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from cysmic_fast.reference.decision import Flow, choose
from cysmic_fast.reference.dice import Die
from cysmic_fast.reference.model import Game, Unit
from cysmic_fast.reference.units import line_up
from cysmic_fast.vocabulary import HITS, DecisionKind

__all__ = ["choose_hits", "defeatable", "printed_health"]


def printed_health(game: Game, unit: Unit) -> tuple[int, ...]:
    """Die values that defeat a Unit together, without modifiers (K6.2, K6.3, K7.5)."""
    return game.content.units[unit.type].health


def choose_hits(
    game: Game,
    assigner: int,
    units: Sequence[Unit],
    dice: Sequence[Die],
    health: Callable[[Unit], tuple[int, ...]],
) -> Flow[list[Unit]]:
    """The enemy Units that are defeated (K6.6); ``assigner`` names them."""
    enemies = line_up(units)
    sets = defeatable(enemies, [d.value for d in dice], health)
    hits = (yield from choose(game, assigner, DecisionKind.HITS, [HITS + m for m in sets])) - HITS
    return [u for i, u in enumerate(enemies) if hits >> i & 1]


def defeatable(
    enemies: Sequence[Unit], values: Sequence[int], health: Callable[[Unit], tuple[int, ...]]
) -> list[int]:
    """Sets of enemies, as bits, that can be defeated together by different dice (K6.1, K6.6).

    ``enemies`` are in unit order; of like Units only the first ones are ever in a set. The empty set is one.
    """
    found = []
    ranked = sorted(values, reverse=True)
    for size in range(len(enemies) + 1):
        for group in combinations(range(len(enemies)), size):
            skipped = any(i > 0 and _alike(enemies[i], enemies[i - 1]) and i - 1 not in group for i in group)
            # The highest dice serve the highest needs: if that fails, nothing works.
            wanted = sorted((n for i in group for n in health(enemies[i])), reverse=True)
            enough = len(wanted) <= len(ranked) and all(v >= n for v, n in zip(ranked, wanted, strict=False))
            if enough and not skipped:
                found.append(sum(1 << i for i in group))
    return sorted(found)


def _alike(a: Unit, b: Unit) -> bool:
    """Like Units: of one type, and both Confused or neither (V3.3)."""
    return (a.type, a.confused) == (b.type, b.confused)
