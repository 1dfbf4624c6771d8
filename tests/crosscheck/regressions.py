"""Games on which the engines once disagreed, as (configuration, seed, index, what it was).

Every divergence that the soak finds is added here; ``docs/divergences.md`` tells its story.
"""

from __future__ import annotations

REGRESSIONS: list[tuple[str, int, int, str]] = []
