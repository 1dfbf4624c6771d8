"""Games on which the engines once disagreed, as (configuration, seed, index, what it was).

Every divergence that the soak finds is added here; ``docs/divergences.md`` tells its story. An index
divisible by 4 is best: such a game depends on the contract alone, not on what the soak does on the way.
"""

from __future__ import annotations

REGRESSIONS: list[tuple[str, int, int, str]] = [
    ("4p:core+plain", 20, 0, "a decision that only offers DONE; both sides of a Combat destroyed together"),
    ("2p:core+quick+build_it+simultaneous", 20, 72, "which Units a Collapse destroys in Combat Spaces"),
    ("3p:core+no_reuse", 20, 56, "which Units a Ship destroys in a Combat Space"),
    ("3p:core+quick+cap", 20, 6, "order of final_turns in documents"),
    ("2p:core+factions", 7, 0, "Blueprints and Influence before the First Player is known"),
    ("2p:core+blueprints1", 7, 0, "a Cyber Attack with a single prize in the Blueprint variant"),
    ("2p:core+wide", 23, 0, "how many Troops a Bonus Action Deploys (deploy_one.amount)"),
    ("6p:core+regrouped", 22, 3, "which of like Speakers a motivated one Promotes"),
    ("5p:core+worthless", 21, 0, "spaces without a Habitat taken for Habitats of value 0"),
    ("3p:core+quick+guilty+immediate", 20, 20, "the event of an Active Relic that is discarded"),
    ("4p:core+random1", 20, 28, "Persuading a Habitat of value 0"),
    ("2p:core+quick+build_it+simultaneous", 12, 14, "final turns of a game in which everybody has Launched"),
    ("4p:random9", 5, 16, "the verb act at the bound of programs in progress"),
    ("5p:cards8", 5, 37, "types of a Dropship's price; $player after steal; Relics kept by scry"),
    ("6p:cards4", 5, 70, "Units about to be defeated that become Confused; fewer cells"),
    ("4p:cards4", 102, 14, "an opt and must step that needs an empty register"),
    ("6p:cards1", 102, 35, "each with must of which nothing was taken"),
    ("4p:cards7", 102, 51, "an optional pick that leaves nothing to pick"),
    ("5p:cards11", 103, 66, "Reclaim paid by several Discovery Cards"),
    ("6p:cards7", 103, 70, "in which order kept Relic Cards may be Activated"),
    ("5p:cards1", 103, 106, "marks of a Cyber Attack in another player's turn"),
    ("4p:random8", 104, 235, "Bonus Actions after Bonus Actions"),
    ("4p:cards3", 105, 13, "a Relic Token under a Unit steered out and back"),
    ("3p:cards2", 107, 20, "a Reaction to gaining the card itself"),
    ("4p:cards8", 108, 52, "a Habitat kept by a cancelled window, offered again"),
    ("6p:cards7", 108, 70, "a Ship moved back while it Stabilizes"),
    ("6p:cards7", 109, 10, "a Ship steered into a space that is collapsing"),
    ("6p:cards1", 32000, 35, "own Units of the first of several spaces change places"),
    ("4p:cards4", 204, 14, "a Final Strike that leaves only Confused Troops"),
]
