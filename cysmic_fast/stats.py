"""The statistics record of one simulated game (``docs/protocol.md``, section 19), and intervals of shares."""

from __future__ import annotations

from typing import Final

import numpy as np

__all__ = ["GAME_STATS", "wilson"]

#: One record per game, little-endian and packed without padding. A count stops at the largest number that its
#: field holds.
GAME_STATS: Final[np.dtype] = np.dtype(
    [
        ("winners", "<u1"),  # bit s: seat s has Launched
        ("reason", "<i1"),  # 0 Launch, 1 no tiles left, 2 round cap
        ("rounds", "<u2"),
        ("decisions", "<u4"),  # asked decisions: two or more legal options
        ("options", "<u8"),  # legal options, summed over the asked decisions
        ("forced", "<u4"),  # single-option decisions applied without asking
        ("launch_clean", "<u1"),
        ("launch_die", "<u1"),
        ("launch_failed", "<u2"),
        ("tremors", "<u2"),
        ("fractures", "<u2"),
        ("collapsed", "<u2"),
        ("captures", "<u2"),
        ("destroyed", "<u2"),
        ("combats", "<u2"),
        ("strikes", "<u2"),
        ("blueprints_cyber", "<u1"),
        ("blueprints_exchange", "<u1"),
        ("modules", "<u1"),
        ("relics", "<u2"),
        ("first_player", "<u1"),
    ]
)


def wilson(hits: int, trials: int, z: float = 1.959963984540054) -> tuple[float, float]:
    """Wilson score interval of a share; by default with 95 % confidence. (0, 1) without trials."""
    if trials == 0:
        return 0.0, 1.0
    share = hits / trials
    middle = share + z * z / (2 * trials)
    spread = z * (share * (1 - share) / trials + z * z / (4 * trials * trials)) ** 0.5
    scale = 1 + z * z / trials
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
