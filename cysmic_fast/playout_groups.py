"""Groups of actions that the rules of the playout policy speak of (docs/rollouts.md).

A module of its own because the native engine's constants are generated from it before anything is installed
(``src/generate_constants.py``). What a group holds is worked out twice from what lies open on the table: in
``src/playout.pxi`` and in ``cysmic_fast/reference/playout.py``. "You" is the player who decides.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

#: In a rule, numbers below this are action ids, from here on groups.
FIRST_GROUP: Final = 512
#: Rules of one row.
MAX_PLAYOUT_RULES: Final = 16


class Group(IntEnum):
    """Sets of actions; of each only those that are legal in the decision at hand count."""

    ALL = 512  # every legal action
    # spaces
    OWN_SHIP = 513  # the space of your Ship
    TILES = 514  # spaces that still have a tile
    LORIUM = 515  # Lorium tiles
    EXPLORABLE = 516  # Explorable tiles
    HABITATS = 517  # Habitats that you do not control
    RAID = 518  # adjacent (side, arrow) to the Ship of an opponent whose Blueprint you miss
    PREY = 519  # Units of an opponent whose Blueprint you miss
    TO_RAID = (
        520  # the offered spaces nearest to one of RAID, by sides and arrows over what is not impassable
    )
    TO_LORIUM = 521  # likewise LORIUM
    TO_HABITAT = 522  # likewise HABITATS
    TO_PREY = 523  # likewise PREY
    HOME = 524  # if your Ship is completed: likewise OWN_SHIP
    # Command Cards
    SHIP_CARD = 525  # Colony Ship, if it can build (a Blueprint and the Lorium) or bring Units home
    DEAL_CARD = 526  # Negotiate, if you have a Unit in RAID, or captives enough for a Blueprint
    BATTLE_CARD = 527  # Battle, if you have a Combat
    UNIT_CARD = 528  # cards of Unit types (not the Ship) that you have on the planet
    IDLE_CARD = 529  # all cards that are in none of the four before, Recruit and Upgrade excepted
    # others
    ENOUGH = 530  # DONE, if your Ship is completed
