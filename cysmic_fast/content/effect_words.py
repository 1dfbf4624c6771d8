"""The effect vocabulary: every word a card's program may use, with arguments, legal words and bounds.

This module is the one declared table; ``docs/cards.md`` says what the words mean. Loader, compiler, English
rendering and both engines read it, and the native engine's constants are generated from its enumerations
(like :mod:`cysmic_fast.vocabulary` it imports nothing of the package). Values are stable: a word is never
renumbered, a new one goes to the end.

Word tables (``WHO``, ``GOOD`` …) map what a pack writes to a member. Where an argument takes only some words
of an enumeration the table of the argument lists them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Final, NamedTuple, TypeVar

# ---------------------------------------------------------------- bounds (V1.12, V1.13, V1.15)
MAX_STEPS: Final = 24  # steps of a program, nested ones included
MAX_NESTING: Final = 3  # lists within lists, the program itself is the first
MAX_OPTIONS: Final = 8  # of `choose`
MAX_FACTION_RULES: Final = 8
MAX_MODS: Final = 8  # modifiers in one rule or grant
MAX_NEAR: Final = 2  # adjacency steps of `near`
MAX_SELECTORS: Final = 6  # selectors within selectors, the outer one included
MAX_PERFORMED: Final = 10_000  # steps performed between two asked decisions, a safety net
MAX_COUNT: Final = 30  # `n` of any verb
MAX_TOKENS_DRAWN: Final = 8  # Fracture Tokens drawn at once, `draw` and `fracture_draw` together
MAX_RELICS_DRAWN: Final = 8  # Relic Cards drawn at once, `relic_draw` included
MAX_SCRY: Final = 8  # cards of `scry`


# ---------------------------------------------------------------- the four word classes
class Verb(IntEnum):
    """What a step does."""

    CHOOSE = 0
    IF = 1
    EACH = 2
    PAY = 3
    PICK = 4
    ROLL = 5
    GAIN = 6
    LOSE = 7
    STEAL = 8
    TRADE = 9
    STORE = 10
    SCRY = 11
    DEPLOY = 12
    CONVERT = 13
    MOVE = 14
    PLACE = 15
    RECALL = 16
    DESTROY = 17
    CAPTURE = 18
    CONFUSE = 19
    ACT = 20
    GATHER = 21
    COMMAND = 22
    RECLAIM = 23
    BONUS = 24
    PLAY = 25
    CONTROL = 26
    TREMOR = 27
    FRACTURE = 28
    COLLAPSE = 29
    TOKEN = 30
    COMBAT = 31
    FLEE = 32
    DIE = 33
    ALTER = 34
    CANCEL = 35
    CYBER = 36
    RANSOM = 37
    CONSTRUCT = 38
    GRANT = 39


class Mod(IntEnum):
    """Keys of passive modifiers (section 6)."""

    MOVE = 0
    HEALTH = 1
    DICE = 2
    DIE_VALUE = 3
    REROLLS = 4
    SHIELDS = 5
    FIRST_STRIKE = 6
    ABILITY = 7
    PASS = 8
    ESCAPE_MOVE = 9
    NO_CAPTURE = 10
    RECRUIT_BUDGET = 11
    UPGRADE_COST = 12
    MODULE_COST = 13
    DEPLOY_AT = 14
    GATHER_BONUS = 15
    LIMIT = 16
    RELIC_DRAW = 17
    CARD_MODIFIER = 18
    PLAY_BOTH = 19
    BONUS_ICONS = 20
    BONUS_RULE = 21
    RECLAIM_WITH = 22
    NO_TREMOR = 23
    FRACTURE_DRAW = 24
    IMMUNE = 25
    DENY = 26
    CYBER_DICE = 27
    REACH = 28
    RANSOM_RATE = 29
    HUMANITY = 30


class Trigger(IntEnum):
    """Events a rule or Reaction may wait for; the value is the bit in the watch mask (section 7.1)."""

    TURN_START = 0
    SECTION = 1
    TREMOR = 2
    BONUS_STEP = 3
    BONUS_CHOSEN = 4
    BONUS_DONE = 5
    TURN_END = 6
    ENTERED = 7
    COMBAT_BEGUN = 8
    COMBAT_START = 9
    STRIKE_START = 10
    STRIKE_ROLLED = 11
    STRIKE_FINAL = 12
    DEFEATED = 13
    FLEE_DECLARED = 14
    COMBAT_END = 15
    CYBER_ROLLED = 16
    GATHERED = 17
    GAINED = 18
    DISCOVERY_PLAYED = 19
    HABITAT_LOST = 20
    ROBBED = 21
    FRACTURE_DRAWN = 22
    COLLAPSE = 23
    LAUNCH = 24


class Kind(IntEnum):
    """Kinds of events, one code for a word whatever the event, so that a filter is one 64-bit mask.

    A ``section`` of a Unit card has three kinds at once: its card, troop_card / vehicle_card and unit_card.
    """

    ACTION = 0
    STRIKE = 1
    EFFECT = 2
    MOVE = 3
    JUMPJET = 4
    DEPLOY = 5
    PLACE = 6
    FLEE = 7
    ESCAPE = 8
    REROLL = 9
    VALUE = 10
    CAPTURE = 11
    DESTROY = 12
    WON = 13
    FLED = 14
    LORIUM = 15
    DISCOVERY = 16
    RELIC = 17
    ESPIONAGE = 18
    MARKER = 19
    BLUEPRINT = 20
    MODULE = 21
    HABITAT = 22
    REACTION = 23
    REWARD = 24
    TAKEN = 25
    NEUTRALIZED = 26
    CAPTIVE = 27
    LANDSCAPE = 28
    SPECIAL = 29
    # Bonus Actions by colour, in the order of vocabulary.Icon
    RED = 30
    BLUE = 31
    YELLOW = 32
    GREEN = 33
    PURPLE = 34
    GREY = 35
    # Command Cards, in the order of vocabulary.CommandCard, then their classes
    RECRUIT = 36
    UPGRADE = 37
    BATTLE = 38
    NEGOTIATE = 39
    SOLDIERS = 40
    MINERS = 41
    SPEAKERS = 42
    POWERMECHS = 43
    HARVESTERS = 44
    COLONY_SHIP = 45
    TROOP_CARD = 46
    VEHICLE_CARD = 47
    UNIT_CARD = 48
    TACTIC_CARD = 49


# ---------------------------------------------------------------- words of arguments
class Register(IntEnum):
    """Registers of a running program (section 2). NONE: no register."""

    NONE = 0
    PLAYER = 1
    UNIT = 2
    SPACE = 3
    FROM = 4
    TERRAIN = 5
    N = 6
    CARD = 7


class Who(IntEnum):
    """Player words; the last four only where an argument says so. REGISTER is ``$player``."""

    SELF = 0
    OPPONENT = 1
    ANY_PLAYER = 2
    EACH_OPPONENT = 3
    ALL = 4
    HOLDER = 5
    REGISTER = 6
    SUPPLY = 7  # pay: to nobody
    NONE = 8  # control: no controller
    ATTACKER = 9  # combat: first
    DEFENDER = 10


class Owner(IntEnum):
    """Axis ``owner`` of a unit selector. REGISTER is ``$player``."""

    SELF = 0
    ENEMY = 1
    ANY = 2
    FOREIGN = 3  # not the owner of the Unit being moved
    REGISTER = 4


class State(IntEnum):
    """Axis ``state`` of a unit selector. ANY is Unlocked or Locked."""

    UNLOCKED = 0
    LOCKED = 1
    ANY = 2
    CONFUSED = 3


class Where(IntEnum):
    """Axis ``where`` of a unit selector."""

    PLANET = 0
    CAPTIVE = 1
    HELD_OTHER = 2


class SpaceFeature(IntEnum):
    """Axis ``feature`` of a space selector."""

    CAMP = 0
    OUTPOST = 1
    SETTLEMENT = 2
    CITY = 3
    HABITAT = 4
    EXPLORABLE = 5
    LORIUM = 6
    TUNL = 7
    LAKE = 8
    MOUNTAIN = 9
    TILE = 10
    DEVASTATED = 11
    ABYSS = 12
    RELIC_TOKEN = 13


class CombatAxis(IntEnum):
    """Axis ``combat`` of a space selector; ``which`` of the verb ``combat`` (not NONE)."""

    MINE = 0
    ANY = 1
    NONE = 2


class ControlAxis(IntEnum):
    """Axis ``control`` of a space selector. REGISTER is ``$player``."""

    SELF = 0
    ENEMY = 1
    NONE = 2
    REGISTER = 3


class Metric(IntEnum):
    """Numbers a condition or count may ask for. N is ``$n``; those from 14 on are counters of the turn."""

    INFLUENCE = 0
    LORIUM = 1
    DISCOVERY = 2
    RELICS = 3
    ACTIVE_RELICS = 4
    CAPTIVES = 5
    OWN_CAPTIVES = 6
    HABITATS = 7
    BLUEPRINTS = 8
    MODULES = 9
    TOKENS = 10
    UNITS_PLANET = 11
    TERRAINS_OCCUPIED = 12
    N = 13
    TURN_LORIUM = 14
    TURN_DISCOVERY = 15
    TURN_RELICS = 16
    TURN_HABITATS = 17
    TURN_HABITAT_VALUE = 18
    TURN_HABITAT_BEST = 19
    TURN_DEPLOYED = 20
    TURN_UPGRADED = 21
    TURN_PROMOTED = 22
    TURN_HARVESTS = 23
    TURN_MINER_ACTIONS = 24
    TURN_MOVED = 25
    TURN_TUNL = 26
    TURN_ARROWS = 27
    TURN_SHIP_MOVES = 28
    TURN_TREMORS = 29
    TURN_FRACTURES = 30
    TURN_MODULES = 31
    TURN_REACTIVATED = 32
    TURN_MARKER = 33
    TURN_DEFEATED = 34


class Op(IntEnum):
    """Comparison of a metric with a value."""

    LT = 0
    LE = 1
    EQ = 2
    GE = 3
    GT = 4


class Role(IntEnum):
    """Part of ``self`` in a Combat. INVOLVED: Attacker or Defender."""

    ATTACKER = 0
    DEFENDER = 1
    INVOLVED = 2
    BYSTANDER = 3


class Turn(IntEnum):
    """Condition ``turn``."""

    OWN = 0
    OTHER = 1


class By(IntEnum):
    """Trigger filters ``by`` and ``of``."""

    SELF = 0
    ENEMY = 1
    ANY = 2


class Once(IntEnum):
    """How often a standing rule works."""

    EVENT = 0
    TURN = 1
    ROUND = 2
    CYCLE = 3


class Duration(IntEnum):
    """How long a grant lasts."""

    STRIKE = 0
    COMBAT = 1
    TURN = 2
    ROUND = 3


class CountKind(IntEnum):
    """Forms of ``n``: a number, ``"all"``, ``"$n"``, or a count of Units, spaces or a metric."""

    NUMBER = 0
    ALL = 1
    REGISTER = 2
    UNITS = 3
    SPACES = 4
    METRIC = 5


class Good(IntEnum):
    """What is gained, lost, stolen or paid; the first five are vocabulary.Resource."""

    LORIUM = 0
    DISCOVERY = 1
    RELIC = 2
    CAPTIVE = 3
    HABITAT = 4
    ANY = 5  # any mix of the five above
    RELIC_ACTIVE = 6
    ESPIONAGE = 7
    MARKER = 8
    BLUEPRINT = 9
    TOKEN = 10
    INFLUENCE = 11
    HOSTAGE = 12


class Chooser(IntEnum):
    """``by`` of lose and steal."""

    OWNER = 0
    SELF = 1
    RANDOM = 2


class PickWhat(IntEnum):
    """``what`` of pick."""

    SPACE = 0
    PLAYER = 1
    TERRAIN = 2


class DieColour(IntEnum):
    """Combat Dice."""

    RED = 0
    YELLOW = 1
    ANY = 2


class Deck(IntEnum):
    """Decks of scry and play (HAND: no deck, the own hand)."""

    DISCOVERY = 0
    RELIC = 1
    SUBROUTINE = 2
    STRIKE = 3
    HAND = 4


class ScryRest(IntEnum):
    """What becomes of the other cards of scry."""

    BOTTOM = 0
    DISCARD = 1
    ANY = 2  # each on the top or under the deck
    SIFT = 3  # each on the top or the discard pile


class ConvertTo(IntEnum):
    """``to`` of convert. The first three are vocabulary.UnitType."""

    SOLDIER = 0
    MINER = 1
    SPEAKER = 2
    TROOP = 3
    VEHICLE = 4
    BASE = 5


class Dropship(IntEnum):
    """``dropship`` of convert."""

    NORMAL = 0
    NEVER = 1
    ONLY = 2


class MoveMode(IntEnum):
    """``mode`` of move and of the modifier move."""

    WALK = 0
    JUMP = 1
    EITHER = 2


class CommandFrom(IntEnum):
    """``from`` of command."""

    HAND = 0
    PLAYED = 1
    EARLIER = 2


class CommandKind(IntEnum):
    """``kind`` of command."""

    UNIT = 0
    TACTIC = 1


class CommandPart(IntEnum):
    """``part`` of command."""

    ACTION = 0
    ALL = 1


class ReclaimFrom(IntEnum):
    """``from`` of reclaim."""

    BURNED = 0
    ANY = 1


class IconsFrom(IntEnum):
    """``icons`` of bonus: listed colours, the icons of the player this turn, or the cell of the event."""

    LIST = 0
    PLAYED = 1
    EVENT = 2


class BonusColumn(IntEnum):
    """``column`` of bonus."""

    CURRENT = 0
    ANY = 1


class PlayAs(IntEnum):
    """``as`` of play."""

    REWARD = 0
    ANY = 1


class ControlAs(IntEnum):
    """``as`` of control."""

    PERSUADE = 0
    NEUTRALIZE = 1
    EFFECT = 2


class TokenOp(IntEnum):
    """``op`` of token."""

    ADD = 0
    REMOVE = 1
    COLLECT = 2


class DieOp(IntEnum):
    """``op`` of die."""

    ADD = 0
    SET = 1
    REROLL = 2
    DROP = 3


class Alteration(IntEnum):
    """``what`` of alter."""

    FIRST_STRIKE = 0
    ASSIGNER = 1
    FINAL_STRIKE = 2
    REDRAW = 3


class Method(IntEnum):
    """``method`` of construct."""

    MANUAL = 0
    ROBOTIC = 1
    FREE = 2


class UnitAbility(IntEnum):
    """Unit Abilities (U3)."""

    ENGAGE = 0
    SHIELD = 1
    EARLY_WARNING = 2
    JUMPJET = 3


class PassFeature(IntEnum):
    """Obstacles of the modifier pass."""

    LAKE = 0
    MOUNTAIN = 1


class Per(IntEnum):
    """``per`` of the modifiers dice (UNIT, STRIKE) and gather_bonus (UNIT, SPACE, ACTION)."""

    UNIT = 0
    STRIKE = 1
    SPACE = 2
    ACTION = 3


class Side(IntEnum):
    """``side`` of no_capture (OWN, ENEMY) and cyber_dice (ATTACK, DEFEND)."""

    OWN = 0
    ENEMY = 1
    ATTACK = 2
    DEFEND = 3


class Part(IntEnum):
    """``part`` of upgrade_cost (VEHICLE, DROPSHIP) and module_cost (LORIUM, INFLUENCE)."""

    VEHICLE = 0
    DROPSHIP = 1
    LORIUM = 2
    INFLUENCE = 3


class LimitOf(IntEnum):
    """``what`` of limit."""

    LORIUM = 0
    DISCOVERY = 1
    CELLS = 2


class IconSource(IntEnum):
    """``source`` of bonus_icons. LIST: the colours are listed."""

    LIST = 0
    BURNED = 1
    PREVIOUS = 2


class BonusRule(IntEnum):
    """``rule`` of bonus_rule."""

    PER_ICON = 0
    FREE_PLAY = 1


class TremorAction(IntEnum):
    """``actions`` of no_tremor."""

    JUMPJET = 0
    HARVEST = 1
    DROPSHIP = 2


class ReachAction(IntEnum):
    """``actions`` of reach."""

    PERSUADE = 0
    NEUTRALIZE = 1
    CYBER = 2


class Immunity(IntEnum):
    """``from`` of immune."""

    STEAL = 0
    LOSE = 1
    DESTROY = 2
    CAPTURE = 3
    CONFUSE = 4
    CONVERT = 5
    DRIVE = 6
    CONTROL = 7


class Denial(IntEnum):
    """``actions`` of deny."""

    JUMPJET = 0
    MINE = 1
    EXPLORE = 2
    HARVEST = 3
    SCAVENGE = 4
    PERSUADE = 5
    PROMOTE = 6
    NEUTRALIZE = 7
    ROBOTIC = 8
    DROPSHIP = 9
    CYBER = 10
    TRADE = 11
    INFILTRATE = 12
    FLEE = 13
    REWARD = 14
    RECLAIM = 15
    TUNL = 16
    SHIELD = 17
    EARLY_WARNING = 18
    RED = 19
    BLUE = 20
    YELLOW = 21
    GREEN = 22
    PURPLE = 23


class Stack(IntEnum):
    """How several sources of a modifier go together: added up, one is enough, sets united, the highest."""

    SUM = 0
    OR = 1
    UNION = 2
    MAX = 3


# ---------------------------------------------------------------- words as packs write them
E = TypeVar("E", bound=IntEnum)


def _words(enum: type[E], **others: E) -> dict[str, E]:
    """``{word: member}``: lower-case names; ``others`` are written ``$player`` for ``player``."""
    return {member.name.lower(): member for member in enum if member not in others.values()} | {
        f"${word}": member for word, member in others.items()
    }


WHO: Final = {
    word: who
    for word, who in _words(Who, player=Who.REGISTER).items()
    if who not in (Who.SUPPLY, Who.NONE, Who.ATTACKER, Who.DEFENDER)
}
OWNER: Final = _words(Owner, player=Owner.REGISTER)
STATE: Final = _words(State)
WHERE: Final = _words(Where)
FEATURE: Final = _words(SpaceFeature)
COMBAT: Final = _words(CombatAxis)
CONTROL: Final = _words(ControlAxis, player=ControlAxis.REGISTER)
METRIC: Final = {
    "$n" if metric == Metric.N else metric.name.lower().replace("turn_", "turn.", 1): metric
    for metric in Metric
}
OP: Final = {"<": Op.LT, "<=": Op.LE, "==": Op.EQ, ">=": Op.GE, ">": Op.GT}
ROLE: Final = _words(Role)
TURN_OF: Final = _words(Turn)
BY: Final = _words(By)
ONCE: Final = _words(Once)
DURATION: Final = _words(Duration)
KIND: Final = _words(Kind)
VERB: Final = _words(Verb)
MOD: Final = _words(Mod)
TRIGGER: Final = _words(Trigger)
GOOD: Final = _words(Good)

#: The six terrains; programs are compiled with their places in the clockwise order of the planet.
TERRAIN: Final = ("desert", "forest", "rocky", "savannah", "tundra", "wetlands")
#: Words of the axis ``type`` and of ``types``: numbers of vocabulary.UnitType.
UNIT_TYPE: Final[dict[str, tuple[int, ...]]] = {
    "soldier": (0,),
    "miner": (1,),
    "speaker": (2,),
    "powermech": (3,),
    "harvester": (4,),
    "ship": (5,),
    "troop": (0, 1, 2),
    "vehicle": (3, 4),
    "combat": (0, 3),
    "resource": (1, 4),
    "unit": (0, 1, 2, 3, 4),
    "any": (0, 1, 2, 3, 4, 5),
}
#: Words of ``actions`` of act: numbers of vocabulary.CardAction. ``all`` stands alone.
ACTION: Final[dict[str, int]] = {
    "move": 0,
    "jumpjet": 1,
    "mine": 2,
    "explore": 3,
    "harvest": 4,
    "scavenge": 5,
    "persuade": 6,
    "promote": 7,
    "neutralize": 8,
    "stabilize": 9,
    "ship_move": 10,
    "robotic": 11,
    "evacuate": 12,
}
GATHERING: Final = ("mine", "explore", "harvest", "scavenge")
#: Colours of icons: numbers of vocabulary.Icon.
COLOUR: Final = {"red": 0, "blue": 1, "yellow": 2, "green": 3, "purple": 4, "grey": 5}
#: Registers as written.
REGISTER: Final = _words(
    Register,
    player=Register.PLAYER,
    unit=Register.UNIT,
    space=Register.SPACE,
    n=Register.N,
    terrain=Register.TERRAIN,
    card=Register.CARD,
) | {"$from": Register.FROM}
del REGISTER["none"], REGISTER["from"]


# ---------------------------------------------------------------- arguments
class Arg(NamedTuple):
    """An argument of a verb or modifier.

    ``type`` is one of: ``int`` (``low`` … ``high``), ``bool``, ``count`` (numbers 1 … ``high``), ``program``,
    ``programs``, ``units``, ``space``, ``place``, ``player``, ``over``, ``pick`` (according to ``what``),
    ``cond``, ``mods``, ``icons``, ``budget``, ``steps``, ``types``, ``actions``, ``alter``,
    ``word`` and ``list`` (one or several of ``words``).
    """

    type: str
    field: str  #: name of the field of the compiled step or modifier
    words: Mapping[str, int] = {}
    low: int = 0
    high: int = 0
    required: bool = False
    but: tuple[int, ...] = ()  #: integers that are left out


def _only(table: Mapping[str, int], *words: str) -> dict[str, int]:
    return {word: table[word] for word in words}


def _word(field: str, table: Mapping[str, int] | type[IntEnum], *words: str, required: bool = False) -> Arg:
    """One word of a table or enumeration, or of the given ones among them."""
    all_words: Mapping[str, int] = _words(table) if isinstance(table, type) else table
    return Arg("word", field, _only(all_words, *words) if words else all_words, required=required)


def _player(field: str, *words: str, also: Iterable[Who] = (), required: bool = False) -> Arg:
    table: dict[str, int] = dict(_only(WHO, *words) if words else WHO)
    return Arg("player", field, table | {who.name.lower(): who for who in also}, required=required)


def _int(field: str, low: int, high: int, *but: int, required: bool = False) -> Arg:
    return Arg("int", field, low=low, high=high, but=but, required=required)


def _need(arg: Arg) -> Arg:
    return arg._replace(required=True)


_N: Final = Arg("count", "n", high=MAX_COUNT)
_UNITS: Final = Arg("units", "units", required=True)
_TYPES: Final = Arg("types", "types")
#: One player, named without a question.
ONE_PLAYER: Final = ("self", "opponent", "any_player", "holder", "$player")

#: Arguments that every step may carry.
COMMON: Final[dict[str, Arg]] = {
    "who": _player("who"),
    "opt": Arg("bool", "opt"),
    "upto": Arg("bool", "upto"),
    "must": Arg("bool", "must"),
}


class VerbRow(NamedTuple):
    """A verb: arguments, the registers it fills, and where it may stand."""

    args: Mapping[str, Arg]
    sets: tuple[Register, ...] = ()
    upto: bool = False  #: choices may be left by DONE
    flow: bool = False  #: starts a procedure: only in the places of V1.12


_WORKED: Final = (Register.UNIT, Register.SPACE, Register.N)
_MOVED: Final = (Register.UNIT, Register.SPACE, Register.FROM, Register.N)

VERBS: Final[dict[Verb, VerbRow]] = {
    Verb.CHOOSE: VerbRow({"options": Arg("programs", "options", required=True)}),
    Verb.IF: VerbRow(
        {
            "cond": Arg("cond", "cond", required=True),
            "then": Arg("program", "then", required=True),
            "else": Arg("program", "otherwise"),
        }
    ),
    Verb.EACH: VerbRow(
        {
            "over": Arg("over", "over", required=True),
            "run": Arg("program", "run", required=True),
            "n": _int("most", 1, MAX_COUNT),
            "once": Arg("bool", "once"),
        }
    ),
    Verb.PAY: VerbRow(
        {
            "res": _word(
                "res",
                GOOD,
                "lorium",
                "discovery",
                "relic",
                "captive",
                "habitat",
                "any",
                "influence",
                "hostage",
                "token",
                required=True,
            ),
            "n": _N,
            "to": _player("to", also=(Who.SUPPLY,)),
        },
        (Register.N,),
    ),
    Verb.PICK: VerbRow({"what": _word("what", PickWhat, required=True), "from": Arg("pick", "source")}),
    Verb.ROLL: VerbRow(
        {"dice": _word("dice", DieColour, "red", "yellow", required=True), "n": _int("n", 1, 12)},
        (Register.N,),
    ),
    Verb.GAIN: VerbRow(
        {
            "res": _word(
                "res",
                GOOD,
                "lorium",
                "discovery",
                "relic",
                "espionage",
                "marker",
                "blueprint",
                "token",
                required=True,
            ),
            "n": _N,
            "of": _player("of", *ONE_PLAYER),
        },
        (Register.N,),
    ),
    Verb.LOSE: VerbRow(
        {
            "res": _word(
                "res",
                GOOD,
                "lorium",
                "discovery",
                "relic",
                "relic_active",
                "captive",
                "habitat",
                "espionage",
                "any",
                required=True,
            ),
            "n": _N,
            "by": _word("by", Chooser),
        },
        (Register.N,),
    ),
    Verb.STEAL: VerbRow(
        {
            "res": _word("res", GOOD, "lorium", "discovery", "relic", required=True),
            "n": _N,
            "from": _player("source", required=True),
            "by": _word("by", Chooser),
        },
        (Register.N, Register.PLAYER),
    ),
    Verb.TRADE: VerbRow({"n": _int("n", 1, 8)}),
    Verb.STORE: VerbRow({"n": _int("n", 1, 15, required=True)}),
    Verb.SCRY: VerbRow(
        {
            "deck": _word("deck", Deck, "discovery", "relic", "subroutine", "strike", required=True),
            "n": _int("n", 1, MAX_SCRY, required=True),
            "keep": _int("keep", 0, MAX_SCRY),
            "rest": _word("rest", ScryRest, required=True),
        }
    ),
    Verb.DEPLOY: VerbRow(
        {
            "types": _need(_TYPES),
            "n": _N,
            "budget": Arg("budget", "budget", low=1, high=60),
            "at": Arg("space", "at"),
        },
        _WORKED,
        upto=True,
    ),
    Verb.CONVERT: VerbRow(
        {
            "units": _UNITS,
            "n": _N,
            "to": _word("to", ConvertTo, required=True),
            "discount": _int("discount", 0, 99),
            "dropship": _word("dropship", Dropship),
        },
        _WORKED,
        upto=True,
    ),
    Verb.MOVE: VerbRow(
        {
            "units": _UNITS,
            "n": _N,
            "steps": Arg("steps", "steps", low=1, high=20),
            "mode": _word("mode", MoveMode),
            "end": Arg("space", "end"),
            "engage": Arg("bool", "engage"),
            "tremor": Arg("bool", "tremor"),
            "board": Arg("bool", "board"),
        },
        _MOVED,
        upto=True,
    ),
    Verb.PLACE: VerbRow(
        {
            "units": _UNITS,
            "n": _N,
            "to": Arg("place", "to"),
            "swap": Arg("units", "swap"),
            "engage": Arg("bool", "engage"),
        },
        _MOVED,
        upto=True,
    ),
    Verb.RECALL: VerbRow({"units": _UNITS, "n": _N}, (Register.UNIT, Register.N), upto=True),
    Verb.DESTROY: VerbRow({"units": _UNITS, "n": _N}, _WORKED, upto=True),
    Verb.CAPTURE: VerbRow({"units": _UNITS, "n": _N}, _WORKED, upto=True),
    Verb.CONFUSE: VerbRow({"units": _UNITS, "n": _N}, _WORKED, upto=True),
    Verb.ACT: VerbRow(
        {
            "units": _UNITS,
            "n": _N,
            "actions": Arg("actions", "actions", required=True),
            "lorium_only": Arg("bool", "lorium_only"),
        },
        (Register.UNIT, Register.SPACE),
        upto=True,
        flow=True,
    ),
    Verb.GATHER: VerbRow(
        {
            "kind": Arg("word", "kind", _only(ACTION, *GATHERING), required=True),
            "units": _UNITS,
            "n": _N,
            "tremor": Arg("bool", "tremor"),
        },
        (Register.N,),
        upto=True,
    ),
    Verb.COMMAND: VerbRow(
        {
            "from": _word("source", CommandFrom, required=True),
            "kind": _word("kind", CommandKind, required=True),
            "part": _word("part", CommandPart, required=True),
        },
        flow=True,
    ),
    Verb.RECLAIM: VerbRow(
        {"from": _word("source", ReclaimFrom, required=True), "n": _int("n", 1, 10)}, upto=True
    ),
    Verb.BONUS: VerbRow(
        {"icons": Arg("icons", "icons", required=True), "column": _word("column", BonusColumn)}, flow=True
    ),
    Verb.PLAY: VerbRow(
        {"as": _word("mode", PlayAs, required=True), "deck": _word("deck", Deck, "hand", "subroutine")},
        flow=True,
    ),
    Verb.CONTROL: VerbRow(
        {
            "at": Arg("space", "at", required=True),
            "n": _N,
            "to": _player("to", *ONE_PLAYER, also=(Who.NONE,), required=True),
            "as": _word("means", ControlAs),
        },
        (Register.SPACE, Register.PLAYER, Register.N),
        upto=True,
    ),
    Verb.TREMOR: VerbRow({"n": _int("n", -12, 12, 0)}),
    Verb.FRACTURE: VerbRow({"draw": _int("draw", 1, MAX_TOKENS_DRAWN)}),
    Verb.COLLAPSE: VerbRow(
        {"space": Arg("space", "space", required=True), "n": _N}, (Register.SPACE, Register.N), upto=True
    ),
    Verb.TOKEN: VerbRow(
        {"op": _word("op", TokenOp, required=True), "space": Arg("space", "space", required=True), "n": _N},
        (Register.SPACE, Register.N),
        upto=True,
    ),
    Verb.COMBAT: VerbRow(
        {
            "which": _word("which", CombatAxis, "mine", "any", required=True),
            "n": _N,
            "first": _player("first", *ONE_PLAYER, also=(Who.ATTACKER, Who.DEFENDER), required=True),
            "captures": Arg("bool", "captures"),
        },
        (Register.SPACE,),
        upto=True,
        flow=True,
    ),
    Verb.FLEE: VerbRow(
        {"final_strike": Arg("bool", "final_strike")}, (Register.SPACE, Register.FROM, Register.UNIT)
    ),
    Verb.DIE: VerbRow(
        {
            "op": _word("op", DieOp, required=True),
            "colour": _word("colour", DieColour),
            "n": _N,
            "value": _int("value", -12, 12, 0),
        },
        upto=True,
    ),
    Verb.ALTER: VerbRow(
        {"what": _word("what", Alteration, required=True), "to": Arg("alter", "to", _only(WHO, *ONE_PLAYER))}
    ),
    Verb.CANCEL: VerbRow({}),
    Verb.CYBER: VerbRow(
        {"n": _int("n", 1, 25), "range": _int("range", 1, 20), "dice": _int("dice", 0, 12)},
        (Register.N,),
        upto=True,
    ),
    Verb.RANSOM: VerbRow({"n": _N}, (Register.N,), upto=True),
    Verb.CONSTRUCT: VerbRow(
        {"method": _word("method", Method, required=True), "n": _N, "discount": _int("discount", 0, 99)},
        (Register.N,),
        upto=True,
    ),
    Verb.GRANT: VerbRow(
        {
            "mods": Arg("mods", "mods", required=True),
            "to": _player("to"),
            "for": _word("duration", DURATION, required=True),
        }
    ),
}


# ---------------------------------------------------------------- modifiers
class ModRow(NamedTuple):
    """A modifier: arguments, how sources stack, and the least result of a sum after clamping."""

    args: Mapping[str, Arg]
    stack: Stack
    role: bool = False  #: may carry a role; counts only on that side then
    least: int | None = None


#: The number of a modifier; 0 would say nothing.
_M: Final = _int("n", -20, 20, 0, required=True)

MODS: Final[dict[Mod, ModRow]] = {
    Mod.MOVE: ModRow({"n": _M, "types": _TYPES, "mode": _word("mode", MoveMode)}, Stack.SUM, least=0),
    Mod.HEALTH: ModRow({"n": _M, "types": _TYPES}, Stack.SUM, role=True, least=1),
    Mod.DICE: ModRow(
        {
            "n": _M,
            "colour": _word("colour", DieColour, "red", "yellow", required=True),
            "per": _word("per", Per, "unit", "strike", required=True),
            "types": _TYPES,
        },
        Stack.SUM,
        role=True,
        least=0,
    ),
    Mod.DIE_VALUE: ModRow({"n": _M, "colour": _word("colour", DieColour)}, Stack.SUM, role=True),
    Mod.REROLLS: ModRow({"n": _M, "colour": _word("colour", DieColour)}, Stack.SUM, role=True, least=0),
    Mod.SHIELDS: ModRow({"n": _M}, Stack.SUM, role=True, least=0),
    Mod.FIRST_STRIKE: ModRow({}, Stack.OR, role=True),
    Mod.ABILITY: ModRow({"ability": _word("ability", UnitAbility, required=True), "types": _TYPES}, Stack.OR),
    Mod.PASS: ModRow(
        {"features": Arg("list", "features", _words(PassFeature), required=True), "types": _TYPES},
        Stack.UNION,
    ),
    Mod.ESCAPE_MOVE: ModRow({}, Stack.OR),
    Mod.NO_CAPTURE: ModRow({"types": _TYPES, "side": _word("side", Side, "own", "enemy")}, Stack.OR),
    Mod.RECRUIT_BUDGET: ModRow({"n": _M}, Stack.SUM, least=0),
    Mod.UPGRADE_COST: ModRow(
        {"n": _M, "part": _word("part", Part, "vehicle", "dropship", required=True), "types": _TYPES},
        Stack.SUM,
        least=0,
    ),
    Mod.MODULE_COST: ModRow(
        {"n": _M, "part": _word("part", Part, "lorium", "influence", required=True)}, Stack.SUM, least=0
    ),
    Mod.DEPLOY_AT: ModRow({"space": Arg("space", "space", required=True)}, Stack.UNION),
    Mod.GATHER_BONUS: ModRow(
        {
            "res": _word("res", GOOD, "lorium", "discovery", required=True),
            "n": _M,
            "per": _word("per", Per, "unit", "space", "action", required=True),
            "actions": Arg("list", "gathers", _only(ACTION, *GATHERING), required=True),
        },
        Stack.SUM,
        least=0,
    ),
    Mod.LIMIT: ModRow({"what": _word("limit", LimitOf, required=True), "n": _M}, Stack.SUM, least=0),
    Mod.RELIC_DRAW: ModRow({"n": _M}, Stack.SUM),
    Mod.CARD_MODIFIER: ModRow({"n": _M}, Stack.SUM),
    Mod.PLAY_BOTH: ModRow({}, Stack.OR),
    Mod.BONUS_ICONS: ModRow(
        {
            "icons": Arg("list", "icons", {word: n for word, n in COLOUR.items() if word != "grey"}),
            "source": _word("source", IconSource, "burned", "previous"),
        },
        Stack.UNION,
    ),
    Mod.BONUS_RULE: ModRow({"rule": _word("rule", BonusRule, required=True)}, Stack.OR),
    Mod.RECLAIM_WITH: ModRow(
        {"res": _word("res", GOOD, "discovery", "lorium", required=True), "n": _int("n", 1, 12)}, Stack.UNION
    ),
    Mod.NO_TREMOR: ModRow(
        {"actions": Arg("list", "tremors", _words(TremorAction), required=True)}, Stack.UNION
    ),
    Mod.FRACTURE_DRAW: ModRow({"n": _M}, Stack.SUM),
    Mod.IMMUNE: ModRow({"from": Arg("list", "immunities", _words(Immunity), required=True)}, Stack.UNION),
    Mod.DENY: ModRow({"actions": Arg("list", "denials", _words(Denial), required=True)}, Stack.UNION),
    Mod.CYBER_DICE: ModRow(
        {"side": _word("side", Side, "attack", "defend", required=True), "n": _M}, Stack.SUM, least=1
    ),
    Mod.REACH: ModRow(
        {
            "n": _int("n", 1, 6, required=True),
            "actions": Arg("list", "reaches", _words(ReachAction), required=True),
        },
        Stack.MAX,
    ),
    Mod.RANSOM_RATE: ModRow({"n": _M}, Stack.SUM, least=1),
    Mod.HUMANITY: ModRow({"n": _M}, Stack.SUM),
}


# ---------------------------------------------------------------- triggers
class TriggerRow(NamedTuple):
    """An event: registers it sets, its kinds, and what a program on it may do."""

    sets: tuple[Register, ...]
    kinds: tuple[Kind, ...] = ()
    affected: bool = False  #: has an affected player, so that `of` can fit
    combat: bool = False  #: belongs to a Combat: `role` and grants for a Strike
    dice: bool = False  #: dice lie on the table: `die`
    cancel: bool = False
    alter: tuple[Alteration, ...] = ()
    flow: bool = False  #: one of the places of V1.12


def _kinds(first: Kind, last: Kind) -> tuple[Kind, ...]:
    return tuple(Kind(value) for value in range(first, last + 1))


_P: Final = Register.PLAYER
_S: Final = Register.SPACE

TRIGGERS: Final[dict[Trigger, TriggerRow]] = {
    Trigger.TURN_START: TriggerRow((_P,), flow=True),
    Trigger.SECTION: TriggerRow(
        (_P, Register.CARD, Register.N), _kinds(Kind.RECRUIT, Kind.TACTIC_CARD), flow=True
    ),
    Trigger.TREMOR: TriggerRow((_P,), (Kind.ACTION, Kind.STRIKE, Kind.EFFECT), cancel=True),
    Trigger.BONUS_STEP: TriggerRow((_P,), flow=True),
    Trigger.BONUS_CHOSEN: TriggerRow((_P, Register.CARD), _kinds(Kind.RED, Kind.GREY), cancel=True),
    Trigger.BONUS_DONE: TriggerRow((_P, Register.CARD), _kinds(Kind.RED, Kind.GREY), flow=True),
    Trigger.TURN_END: TriggerRow((_P,), flow=True),
    Trigger.ENTERED: TriggerRow((_P, Register.UNIT, _S), _kinds(Kind.MOVE, Kind.ESCAPE), affected=True),
    Trigger.COMBAT_BEGUN: TriggerRow((_P, _S), affected=True, combat=True),
    Trigger.COMBAT_START: TriggerRow((_P, _S), combat=True, alter=(Alteration.FIRST_STRIKE,)),
    Trigger.STRIKE_START: TriggerRow((_P, _S), affected=True, combat=True),
    Trigger.STRIKE_ROLLED: TriggerRow(
        (_P, _S), (Kind.REROLL, Kind.VALUE), affected=True, combat=True, dice=True
    ),
    Trigger.STRIKE_FINAL: TriggerRow(
        (_P, _S), affected=True, combat=True, dice=True, alter=(Alteration.ASSIGNER,)
    ),
    Trigger.DEFEATED: TriggerRow(
        (_P, Register.UNIT, _S), (Kind.STRIKE, Kind.CAPTURE, Kind.DESTROY), affected=True, combat=True
    ),
    Trigger.FLEE_DECLARED: TriggerRow(
        (_P, _S), affected=True, combat=True, cancel=True, alter=(Alteration.FINAL_STRIKE,)
    ),
    Trigger.COMBAT_END: TriggerRow((_P, _S), (Kind.WON, Kind.FLED), affected=True, combat=True),
    Trigger.CYBER_ROLLED: TriggerRow((_P,), affected=True, dice=True),
    Trigger.GATHERED: TriggerRow((_P, Register.N), (Kind.LORIUM, Kind.DISCOVERY)),
    Trigger.GAINED: TriggerRow((_P, Register.N), _kinds(Kind.DISCOVERY, Kind.HABITAT)),
    Trigger.DISCOVERY_PLAYED: TriggerRow(
        (_P, Register.CARD), (Kind.ACTION, Kind.REACTION, Kind.REWARD), cancel=True
    ),
    Trigger.HABITAT_LOST: TriggerRow((_P, _S), (Kind.TAKEN, Kind.NEUTRALIZED), affected=True, cancel=True),
    Trigger.ROBBED: TriggerRow(
        (_P, Register.N),
        (Kind.LORIUM, Kind.DISCOVERY, Kind.RELIC, Kind.CAPTIVE, Kind.ESPIONAGE),
        affected=True,
        cancel=True,
    ),
    Trigger.FRACTURE_DRAWN: TriggerRow((_P, _S), (Kind.LANDSCAPE, Kind.SPECIAL), alter=(Alteration.REDRAW,)),
    Trigger.COLLAPSE: TriggerRow((_P, _S, Register.N)),
    Trigger.LAUNCH: TriggerRow((_P,)),
}

# ---------------------------------------------------------------- selectors, conditions, filters
#: Axes and keys, by what they belong to.
UNIT_AXES: Final = ("owner", "type", "state", "where", "at", "health")
SPACE_AXES: Final = ("feature", "terrain", "ring", "near", "holds", "combat", "control", "value")
CONDITIONS: Final = ("exists", "site", "metric", "role", "turn")
CONDITION_KEYS: Final = (*CONDITIONS, "min", "max", "op", "value", "who")
FILTERS: Final = ("on", "by", "of", "kind", "role", "if", "once", "opt")


def word_of(table: Mapping[str, int], value: int) -> str:
    """The word of ``value`` as packs write it."""
    return next(word for word, member in table.items() if member == value)
