"""Games on which the engines once disagreed, as (configuration, seed, index, what it was).

Every divergence that the soak finds is added here; ``docs/divergences.md`` tells its story.
"""

from __future__ import annotations

REGRESSIONS: list[tuple[str, int, int, str]] = [
    ("4p:plain", 20, 0, "a decision whose only option is DONE"),
    ("2p:plain", 20, 2, "who is left when both sides of a Combat are destroyed together"),
    ("3p:short", 20, 75, "which Units a Collapse destroys in a Combat Space"),
    ("2p:no_reuse", 20, 9, "which Units a Ship destroys in a Combat Space"),
    ("3p:quick+cap", 20, 6, "order of final_turns in documents"),
    ("6p:factions", 20, 26, "Blueprints before the Factions are chosen"),
    ("2p:blueprints1", 20, 105, "a Cyber Attack with a single prize in the Blueprint variant"),
    ("4p:quick+guilty_ignore_captives+immediate", 20, 113, "the event of an Active Relic that is discarded"),
]
