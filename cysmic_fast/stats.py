"""The statistics record of one simulated game (``docs/protocol.md``, section 19)."""

from __future__ import annotations

from typing import Final

import numpy as np

__all__ = ["GAME_STATS"]

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
