"""The words both engines share: actions, decisions, chance, events.

This module is the one source of every enumeration. The native engine's constants are generated
from it at build time (``src/generate_constants.py``), the reference engine imports it. Ids, names
and meaning are golden-tested; a change of any of them bumps :data:`ACTION_VOCABULARY_VERSION`.
``docs/protocol.md`` says when each decision is raised and what each action means in it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

ACTION_VOCABULARY_VERSION: Final = 1
RULES_VERSION: Final = "1.0"
POSITION_VERSION: Final = 1

NUM_ACTIONS: Final = 512
MAX_PLAYERS: Final = 6
NUM_SPACES: Final = 127
NUM_TERRAINS: Final = 6
NUM_RINGS: Final = 6
NUM_COLUMNS: Final = 5
NUM_SLOTS: Final = 2
MAX_DESIGNS: Final = 128
MAX_DICE: Final = 24

#: ``State.current_player()`` of a finished game (OpenSpiel's value).
TERMINAL_PLAYER: Final = -4


class Colour(IntEnum):
    """Player and Blueprint colours (S1.1)."""

    BLUE = 0
    GREEN = 1
    GREY = 2
    ORANGE = 3
    PURPLE = 4
    YELLOW = 5


class UnitType(IntEnum):
    """Unit types in the order in which the Units of one space are listed."""

    SOLDIER = 0
    MINER = 1
    SPEAKER = 2
    POWERMECH = 3
    HARVESTER = 4
    SHIP = 5


class Feature(IntEnum):
    """What a tile shows (P2.1). PLAIN: a tile whose feature a Ship erased (U5.4). NONE: no tile left."""

    NONE = 0
    PLAIN = 1
    CAMP = 2
    OUTPOST = 3
    SETTLEMENT = 4
    MOUNTAIN = 5
    LORIUM = 6
    EXPLORABLE = 7
    TUNL = 8
    LAKE = 9
    COLONY_CITY = 10


class CommandCard(IntEnum):
    """The ten Command Cards (S4.1)."""

    RECRUIT = 0
    UPGRADE = 1
    BATTLE = 2
    NEGOTIATE = 3
    SOLDIERS = 4
    MINERS = 5
    SPEAKERS = 6
    POWERMECHS = 7
    HARVESTERS = 8
    COLONY_SHIP = 9


class CardAction(IntEnum):
    """Actions printed on Command Cards. The first 13 are a Unit's own and part of the action vocabulary."""

    MOVE = 0
    JUMPJET = 1
    MINE = 2
    EXPLORE = 3
    HARVEST = 4
    SCAVENGE = 5
    PERSUADE = 6
    PROMOTE = 7
    NEUTRALIZE = 8
    STABILIZE = 9
    SHIP_MOVE = 10
    ROBOTIC = 11
    EVACUATE = 12
    # Tactic cards: performed by the player, never offered as an action id.
    RECRUIT = 16
    MOTIVATE = 17
    STANDARD_UPGRADE = 18
    DROPSHIP_UPGRADE = 19
    STARTUP = 20
    BATTLE = 21
    INITIATIVE = 22
    CYBER_ATTACK = 23
    TRADE = 24
    BLUEPRINTS = 25


class Icon(IntEnum):
    """Bonus Action Icon colours, in the order of a Column (F:bonus.order); GREY last."""

    RED = 0
    BLUE = 1
    YELLOW = 2
    GREEN = 3
    PURPLE = 4
    GREY = 5


class Bonus(IntEnum):
    """The 29 Bonus Actions. Grey options 0-3; then 4 + 5 * (column - 1) + icon."""

    PLAY_CARD = 0  # N0.1
    GAIN_CARD = 1  # N0.2
    GAIN_BLUEPRINT = 2  # N0.3
    CONSTRUCT = 3  # N0.4
    RESOLVE_COMBAT = 4  # N1.1
    HAND_ACTION = 5  # N1.2
    TWO_CARDS = 6  # N1.4
    DEPLOY_ONE = 7  # N1.5
    TWO_LORIUM = 8  # N1.6
    DESTROY_TROOP = 9  # N2.1
    FREE_FLEE = 10  # N2.2
    DEPLOY_TWO = 11  # N2.3
    RESCUE = 12  # N2.4
    STORE_LORIUM = 13  # N2.5
    CAPTURE_TROOP = 14  # N3.1
    PLAYED_ACTION = 15  # N3.2
    PROMOTE = 16  # N3.3
    MOVE_THREE = 17  # N3.4
    GAIN_RELIC = 18  # N3.5
    CYBER_ATTACK = 19  # N4.1
    REACTIVATE_TACTIC = 20  # N4.2
    COLONY_CITY = 21  # N4.3
    STEAL_CAPTIVE = 22  # N4.4
    DISCARD_RELIC = 23  # N4.5
    ANY_COMBAT = 24  # N5.1
    REACTIVATE_UNIT = 25  # N5.2
    UPGRADE_ONE = 26  # N5.3
    TAKE_MARKER = 27  # N5.4
    GATHER_LORIUM = 28  # N5.5


NUM_BONUS: Final = 29


class Resource(IntEnum):
    """Kinds of Resource (G1.1)."""

    LORIUM = 0
    DISCOVERY = 1
    RELIC = 2
    CAPTIVE = 3
    HABITAT = 4


# ---------------------------------------------------------------- the action vocabulary
DONE: Final = 0
YES: Final = 1
NO: Final = 2
STRIKE: Final = 3
FLEE: Final = 4
SLOT: Final = 5  # + slot 0..1
RESOURCE: Final = 8  # + Resource
NUMBER: Final = 16  # + 0..15
OPTION: Final = 32  # + 0..7
UNIT: Final = 40  # + UnitType
PLAYER: Final = 48  # + seat
TERRAIN: Final = 54  # + place of the terrain in the clockwise order
MODULE: Final = 60  # + place of the Module (Blueprints use the same ids)
COMMAND: Final = 66  # + CommandCard
ACTION: Final = 80  # + CardAction 0..12
CAPTIVE: Final = 96  # + 5 * owner's seat + UnitType 0..4
SPACE: Final = 128  # + space number 0..126
BONUS: Final = 256  # + Bonus
DIE: Final = 288  # + place in the pool 0..23
HITS: Final = 312  # + set of defeated Units, see protocol
CARD: Final = 320  # + design number in the deck the decision is about

#: Ranges of the vocabulary: name -> (first id, number of ids in use). Everything else is reserved.
ACTION_RANGES: Final[dict[str, tuple[int, int]]] = {
    "done": (DONE, 1),
    "yes": (YES, 1),
    "no": (NO, 1),
    "strike": (STRIKE, 1),
    "flee": (FLEE, 1),
    "slot": (SLOT, NUM_SLOTS),
    "resource": (RESOURCE, len(Resource)),
    "number": (NUMBER, 16),
    "option": (OPTION, 8),
    "unit": (UNIT, len(UnitType)),
    "player": (PLAYER, MAX_PLAYERS),
    "terrain": (TERRAIN, NUM_TERRAINS),
    "module": (MODULE, 6),
    "command": (COMMAND, len(CommandCard)),
    "action": (ACTION, 13),
    "captive": (CAPTIVE, 5 * MAX_PLAYERS),
    "space": (SPACE, NUM_SPACES),
    "bonus": (BONUS, NUM_BONUS),
    "die": (DIE, MAX_DICE),
    "hits": (HITS, 8),
    "card": (CARD, MAX_DESIGNS),
}


class DecisionKind(IntEnum):
    """What is being asked. ``docs/protocol.md`` gives moment, player and options of each."""

    NONE = 0  # the game is over
    # set-up
    CHOOSE_FACTION = 1
    CHOOSE_BLUEPRINT = 2
    PLACE_SHIP = 3
    STARTING_HABITAT = 4
    DEPLOY_TYPE = 5
    DEPLOY_SPACE = 6
    # relics and stored Lorium
    RELIC_WINDOW = 7
    CLEAR_SLOT = 8
    UNSTORE_AMOUNT = 9
    KEEP_RELIC = 10
    # turn
    RECLAIM = 11
    RECLAIM_RELIC = 12
    BURN = 13
    PLAY = 14
    SECTION = 15
    ACT_SPACE = 16
    ACT_TYPE = 17
    ACT_ACTION = 18
    # movement
    MOVE_TO = 19
    MOVE_MODE = 20
    TAKE_TOKEN = 21
    # troops
    PROMOTE_SPACE = 22
    PROMOTE_FROM = 23
    PROMOTE_TO = 24
    RECRUIT_TYPE = 25
    UPGRADE_SPACE = 26
    UPGRADE_TYPE = 27
    # construction
    CONSTRUCT = 28
    RECALL_SPACE = 29
    RECALL_TYPE = 30
    # combat
    COMBAT = 31
    STRIKE_OR_FLEE = 32
    FLEE_TO = 33
    FINAL_STRIKE = 34
    REROLL_DIE = 35
    VALUE_DIE = 36
    SHIELD_DIE = 37
    MODIFIER_CARD = 38
    MODIFIER_DIE = 39
    HITS = 40
    # negotiate
    CYBER_SPACE = 41
    CYBER_TYPE = 42
    CYBER_TARGET = 43
    TRADE_PARTNER = 44
    TRADE_GIVE = 45
    TRADE_TAKE = 46
    TRADE_ANSWER = 47
    TRADE_CARD = 48
    TRADE_RELIC = 49
    RANSOM_PLAYER = 50
    RANSOM_UNIT = 51
    # bonus actions and rewards
    BONUS = 52
    PLAY_CARD = 53
    REWARD = 54
    REWARD_HABITAT = 55
    GIVE_UP_FLAG = 56
    COMMAND_CARD = 57
    COMMAND_ACTION = 58
    TARGET_SPACE = 59
    TARGET_TYPE = 60
    FREE_FLEE = 61
    RESCUE_HOLDER = 62
    RESCUE_TYPE = 63
    STORE_SLOT = 64
    STORE_AMOUNT = 65
    PAY_KIND = 66
    PAY_CARD = 67
    PAY_RELIC = 68
    PAY_CAPTIVE = 69
    PAY_HABITAT = 70
    STEAL_HOLDER = 71
    STEAL_CAPTIVE = 72
    RELIC_OWNER = 73
    RELIC_SLOT = 74
    # fracture and collapse
    ESCAPE = 75
    ESCAPE_TO = 76
    ESCAPE_UNIT = 77
    PLACE_TOKEN = 78
    # end of the turn
    LAUNCH = 79
    DISCARD_DISCOVERY = 80
    DISCARD_RELIC = 81
    DISCARD_CAPTIVE = 82
    # cards (docs/cards.md, section 13)
    REACT = 83
    RULE = 84
    OPTIONAL_STEP = 85
    CHOOSE = 86
    EACH_ITEM = 87
    PICK_SPACE = 88
    PICK_PLAYER = 89
    PICK_TERRAIN = 90
    UNIT_SPACE = 91
    UNIT_OWNER = 92
    UNIT_TYPE = 93
    PLACE_TO = 94
    DIE = 95
    SCRY_KEEP = 96
    SCRY_PUT = 97
    PLAY_MODE = 98
    KEEP_TOKEN = 99
    COLLAPSE_SPACE = 100
    TOKEN_SPACE = 101


class ChanceFamily(IntEnum):
    """Independent streams of the generator; second counter word of Philox4x64-10."""

    SETUP = 0
    DECKS = 1
    DICE = 2
    POLICY = 3  # draws of the built-in random policy; never part of a state
    AUTOMA = 4  # reserved
    RESAMPLE = 5  # draws of State.resample; never part of a state


class ChanceKind(IntEnum):
    """Kinds of random outcome; each can be scripted by name."""

    TERRAIN_LAYOUT = 0
    FACTION_DEAL = 1
    FIRST_PLAYER = 2
    DISCOVERY_SHUFFLE = 3
    RELIC_SHUFFLE = 4
    FRACTURE_TOKEN = 5
    RED_DIE = 6
    YELLOW_DIE = 7
    ATTACKER_STRIKE_DIE = 8
    DEFENDER_STRIKE_DIE = 9
    HUMANITY_DIE = 10
    RANDOM_CARD = 11


CHANCE_FAMILY: Final[dict[ChanceKind, ChanceFamily]] = {
    ChanceKind.TERRAIN_LAYOUT: ChanceFamily.SETUP,
    ChanceKind.FACTION_DEAL: ChanceFamily.SETUP,
    ChanceKind.FIRST_PLAYER: ChanceFamily.SETUP,
    ChanceKind.DISCOVERY_SHUFFLE: ChanceFamily.DECKS,
    ChanceKind.RELIC_SHUFFLE: ChanceFamily.DECKS,
    ChanceKind.FRACTURE_TOKEN: ChanceFamily.DECKS,
    ChanceKind.RED_DIE: ChanceFamily.DICE,
    ChanceKind.YELLOW_DIE: ChanceFamily.DICE,
    ChanceKind.ATTACKER_STRIKE_DIE: ChanceFamily.DICE,
    ChanceKind.DEFENDER_STRIKE_DIE: ChanceFamily.DICE,
    ChanceKind.HUMANITY_DIE: ChanceFamily.DICE,
    ChanceKind.RANDOM_CARD: ChanceFamily.DECKS,
}


class EventKind(IntEnum):
    """What happened. Every event is (kind, player, a, b, c); ``docs/protocol.md`` gives the fields."""

    CHOICE = 0
    CHANCE = 1
    SHUFFLE = 2
    TURN = 3
    RESET = 4
    DRAW = 5
    DISCARD = 6
    LORIUM = 7
    INFLUENCE_CONTROL = 8
    MOVE = 9
    ENTER = 10
    LEAVE = 11
    CAPTURE = 12
    RELEASE = 13
    COMBAT_BEGIN = 14
    COMBAT_END = 15
    STRIKE = 16
    TREMOR = 17
    FRACTURE = 18
    COLLAPSE = 19
    RELIC_TOKEN = 20
    RELIC = 21
    BLUEPRINT = 22
    MODULE = 23
    MARKER = 24
    LAUNCH = 25
    GAME_OVER = 26
    PLAY_CARD = 27
    RULE = 28
    CONFUSE = 29
    RECEIVE = 30


class CensusRow(IntEnum):
    """What is counted of a design (``census.py``). DISCOVERY_ACTION + field b of PLAY_CARD is a row."""

    FACTION = 0
    SEAT = 1
    PLACE = 2  # in turn order, from the first First Player
    DISCOVERY_HELD = 3
    DISCOVERY_PLAYED = 4  # as an Action, as a Reaction or for Rewards
    DISCOVERY_ACTION = 5
    DISCOVERY_REACTION = 6
    DISCOVERY_REWARD = 7
    EVENT_DRAWN = 8
    DISCOVERY_MODIFIER = 9
    RELIC_HELD = 10
    RELIC_ACTIVATED = 11
