"""Compiled effects: the shape in which both engines read abilities, Reactions, Events and standing rules.

Frozen, hashable, picklable. A program is a tuple of steps, one class for each verb; lists inside ``choose``,
``if`` and ``each`` are tuples of steps too. Defaults are filled in, words are enumeration members
(:mod:`cysmic_fast.content.effect_words`), Unit types, Command Card actions and icons those of
:mod:`cysmic_fast.vocabulary`, terrains places in ``Planet.terrains``. What ``docs/cards.md`` makes depend on
the context of a selector is decided here (:attr:`UnitSelector.confused`). Everything is valid: the compiler
(:mod:`cysmic_fast.content.compiler`) has checked words, types, registers, sizes and places.

An interpreter walks the tree with ``match step: case Gain(): …``; a flat compiler dispatches on
``step.verb``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from cysmic_fast.content.effect_words import (
    Alteration,
    BonusColumn,
    BonusRule,
    By,
    Chooser,
    CombatAxis,
    CommandFrom,
    CommandKind,
    CommandPart,
    ControlAs,
    ControlAxis,
    ConvertTo,
    CountKind,
    Deck,
    Denial,
    DieColour,
    DieOp,
    Dropship,
    Duration,
    Good,
    IconsFrom,
    IconSource,
    Immunity,
    Kind,
    LimitOf,
    Method,
    Metric,
    Mod,
    MoveMode,
    Once,
    Op,
    Owner,
    Part,
    PassFeature,
    Per,
    PickWhat,
    PlayAs,
    ReachAction,
    ReclaimFrom,
    Register,
    Role,
    ScryRest,
    Side,
    SpaceFeature,
    State,
    TokenOp,
    TremorAction,
    Trigger,
    Turn,
    UnitAbility,
    Verb,
    Where,
    Who,
)
from cysmic_fast.vocabulary import CardAction, Icon, UnitType

#: Types that ``unit``, the default of every list of types, stands for.
UNITS: Final = (UnitType.SOLDIER, UnitType.MINER, UnitType.SPEAKER, UnitType.POWERMECH, UnitType.HARVESTER)


# ---------------------------------------------------------------- selectors, counts, conditions
@dataclass(frozen=True, slots=True)
class UnitSelector:
    """Units that fit all axes (section 3). With ``register`` it is ``$unit`` and nothing else."""

    owner: Owner = Owner.ANY
    types: tuple[UnitType, ...] = UNITS  #: ascending
    state: State = State.ANY  #: ANY: Locked or Unlocked; CONFUSED: only Confused Troops
    confused: bool = False  #: Confused Troops fit too, besides those of ``state`` (V3.2)
    where: Where = Where.PLANET
    at: SpaceSelector | None = None  #: None: anywhere
    health: int | None = None  #: only Troops whose Health is at most this
    health_n: bool = False  #: … at most ``$n``
    register: bool = False


@dataclass(frozen=True, slots=True)
class Near:
    """``low`` to ``high`` adjacency steps from the nearest match of ``units`` or of ``space``."""

    units: UnitSelector | None
    space: SpaceSelector | None
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class SpaceSelector:
    """Spaces that fit all axes (section 3). With a ``register`` it is ``$space`` or ``$from`` alone."""

    features: tuple[SpaceFeature, ...] = ()  #: one of these; (): any
    terrains: tuple[int, ...] = ()  #: one of these places in Planet.terrains; (): any
    terrain_register: bool = False  #: of the terrain in ``$terrain``
    ring: tuple[int, int] | None = None
    near: Near | None = None
    holds: UnitSelector | None = None
    empty: bool = False  #: holds = "none": no Unit and no Ship
    combat: CombatAxis | None = None
    control: tuple[ControlAxis, ...] = ()  #: one of these; (): any
    value: tuple[int, int] | None = None
    register: Register = Register.NONE  #: SPACE or FROM


@dataclass(frozen=True, slots=True)
class Count:
    """``n``: by ``kind`` a number, all, ``$n``, or a count of one thing, at most ``most``."""

    kind: CountKind = CountKind.NUMBER
    number: int = 1
    units: UnitSelector | None = None
    space: SpaceSelector | None = None
    metric: Metric | None = None
    most: int | None = None


ONE: Final = Count()


@dataclass(frozen=True, slots=True)
class Condition:
    """All parts that are given hold. ``low`` to ``high`` is for ``exists`` and ``site`` (None: no limit)."""

    exists: UnitSelector | None = None
    site: SpaceSelector | None = None
    low: int = 1
    high: int | None = None
    metric: Metric | None = None
    who: Who = Who.SELF
    op: Op = Op.GE
    value: int = 0
    role: Role | None = None
    turn: Turn | None = None


@dataclass(frozen=True, slots=True)
class Modifier:
    """One modifier. Which fields count depends on ``mod``; ``effect_words.MODS`` lists them."""

    mod: Mod
    n: int = 0
    types: tuple[UnitType, ...] = UNITS  #: ascending
    role: Role | None = None  #: ATTACKER or DEFENDER: only on that side
    mode: MoveMode = MoveMode.EITHER  #: move
    colour: DieColour = DieColour.ANY  #: dice, die_value, rerolls
    per: Per = Per.UNIT  #: dice, gather_bonus
    ability: UnitAbility | None = None
    features: tuple[PassFeature, ...] = ()  #: pass
    side: Side = Side.OWN  #: no_capture, cyber_dice
    part: Part | None = None  #: upgrade_cost, module_cost
    space: SpaceSelector | None = None  #: deploy_at; never holds a register
    res: Good | None = None  #: gather_bonus, reclaim_with
    gathers: tuple[CardAction, ...] = ()  #: gather_bonus
    limit: LimitOf | None = None
    icons: tuple[Icon, ...] = ()  #: bonus_icons with source LIST
    source: IconSource = IconSource.LIST  #: bonus_icons
    rule: BonusRule | None = None
    tremors: tuple[TremorAction, ...] = ()  #: no_tremor
    immunities: tuple[Immunity, ...] = ()
    denials: tuple[Denial, ...] = ()
    reaches: tuple[ReachAction, ...] = ()


# ---------------------------------------------------------------- steps
@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What all steps have: performer, and how the step is asked (section 1)."""

    verb: ClassVar[Verb]

    who: Who = Who.SELF
    opt: bool = False
    upto: bool = False
    must: bool = False  #: as written; ``pay`` and ``pick`` always count as must (V1.1)

    @property
    def lists(self) -> tuple[tuple[Step, ...], ...]:
        """The lists of steps inside this one: options, then and else, run."""
        return ()


Steps = tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choose(Step):
    """One startable option."""

    verb = Verb.CHOOSE
    options: tuple[Steps, ...]

    @property
    def lists(self) -> tuple[Steps, ...]:
        """See :class:`Step`."""
        return self.options


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Step):
    """``then`` if ``cond`` holds, else ``otherwise``, which may be empty."""

    verb = Verb.IF
    cond: Condition
    then: Steps
    otherwise: Steps = ()

    @property
    def lists(self) -> tuple[Steps, ...]:
        """See :class:`Step`."""
        return (self.then, self.otherwise) if self.otherwise else (self.then,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Each(Step):
    """``run`` for every player, Unit or space of ``over``, for at most ``most`` of them."""

    verb = Verb.EACH
    over: Who | UnitSelector | SpaceSelector
    run: Steps
    most: int | None = None
    once: bool = False

    @property
    def asks(self) -> bool:
        """Whether each item is asked for (not the step)."""
        return self.opt or self.most is not None

    @property
    def lists(self) -> tuple[Steps, ...]:
        """See :class:`Step`."""
        return (self.run,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pay(Step):
    """All ``n`` of ``res``, or the program ends. ``to`` SUPPLY: paid to nobody."""

    verb = Verb.PAY
    res: Good
    n: Count = ONE
    to: Who = Who.SUPPLY


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick(Step):
    """A space of ``space``, a player of ``player``, or a terrain."""

    verb = Verb.PICK
    what: PickWhat
    space: SpaceSelector | None = None
    player: Who | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll(Step):
    """``n`` dice; ``$n`` is the highest."""

    verb = Verb.ROLL
    dice: DieColour
    n: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain(Step):
    """``n`` of ``res``; a Blueprint comes from player ``of``."""

    verb = Verb.GAIN
    res: Good
    n: Count = ONE
    of: Who | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lose(Step):
    """``who`` loses ``n`` of ``res``, chosen as ``by`` says."""

    verb = Verb.LOSE
    res: Good
    n: Count = ONE
    by: Chooser = Chooser.OWNER


@dataclass(frozen=True, slots=True, kw_only=True)
class Steal(Step):
    """``n`` of ``res`` from ``source`` to the performer."""

    verb = Verb.STEAL
    res: Good
    n: Count = ONE
    source: Who
    by: Chooser = Chooser.RANDOM


@dataclass(frozen=True, slots=True, kw_only=True)
class Trade(Step):
    """Up to ``n`` offers of Resource Trading."""

    verb = Verb.TRADE
    n: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Store(Step):
    """1 to ``n`` Lorium into a slot."""

    verb = Verb.STORE
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scry(Step):
    """The top ``n`` cards of ``deck``: ``keep`` of them are gained, the others treated by ``rest``."""

    verb = Verb.SCRY
    deck: Deck
    n: int
    keep: int = 0
    rest: ScryRest


@dataclass(frozen=True, slots=True, kw_only=True)
class Deploy(Step):
    """Units of ``types`` from the Reserve: ``n``, or as many as the budget allows.

    Exactly one of three holds: neither ``budget`` nor ``influence`` (then ``n`` counts), a ``budget`` of
    Influence cost, or the budget is the own ``influence``.
    """

    verb = Verb.DEPLOY
    types: tuple[UnitType, ...]
    n: Count = ONE
    budget: int | None = None
    influence: bool = False
    at: SpaceSelector | None = None  #: None: Deploy Locations


@dataclass(frozen=True, slots=True, kw_only=True)
class Convert(Step):
    """Units replaced in place."""

    verb = Verb.CONVERT
    units: UnitSelector
    n: Count = ONE
    to: ConvertTo
    discount: int = 0
    dropship: Dropship = Dropship.NORMAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(Step):
    """Units moved along a path, or jumping. ``steps`` None: their Movement."""

    verb = Verb.MOVE
    units: UnitSelector
    n: Count = ONE
    steps: int | None = None
    mode: MoveMode = MoveMode.WALK
    end: SpaceSelector | None = None
    engage: bool = True
    tremor: bool = False
    board: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Place(Step):
    """Units set down without a path: on ``to``, on a Deploy Location (``deploy``), or changed with ``swap``.

    Exactly one of the three is given; with ``swap``, ``n`` is all and ``units`` are own ones at ``$space``.
    """

    verb = Verb.PLACE
    units: UnitSelector
    n: Count = ONE
    to: SpaceSelector | None = None
    deploy: bool = False
    swap: UnitSelector | None = None
    engage: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall(Step):
    """Units to their owners' Reserves."""

    verb = Verb.RECALL
    units: UnitSelector
    n: Count = ONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Destroy(Step):
    """Units destroyed."""

    verb = Verb.DESTROY
    units: UnitSelector
    n: Count = ONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture(Step):
    """Units into the performer's Holding Area."""

    verb = Verb.CAPTURE
    units: UnitSelector
    n: Count = ONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Confuse(Step):
    """Unlocked Troops become Confused."""

    verb = Verb.CONFUSE
    units: UnitSelector
    n: Count = ONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Act(Step):
    """One of ``actions`` each; ``whole`` (actions = ["all"]): one of each Section of the card."""

    verb = Verb.ACT
    units: UnitSelector
    n: Count = ONE
    actions: tuple[CardAction, ...] = ()
    whole: bool = False
    lorium_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Gather(Step):
    """MINE, EXPLORE, HARVEST or SCAVENGE where the Units stand."""

    verb = Verb.GATHER
    kind: CardAction
    units: UnitSelector
    n: Count = ONE
    tremor: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Command(Step):
    """One action of a Command Card, or all of it."""

    verb = Verb.COMMAND
    source: CommandFrom
    kind: CommandKind
    part: CommandPart


@dataclass(frozen=True, slots=True, kw_only=True)
class Reclaim(Step):
    """Command Cards back into the hand."""

    verb = Verb.RECLAIM
    source: ReclaimFrom
    n: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonus(Step):
    """One Bonus Action with one of ``icons`` (``icons_from`` LIST), or as ``icons_from`` says."""

    verb = Verb.BONUS
    icons: tuple[Icon, ...] = ()
    icons_from: IconsFrom = IconsFrom.LIST
    column: BonusColumn = BonusColumn.CURRENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Play(Step):
    """A Discovery Card of the hand; ``deck`` SUBROUTINE draws one instead."""

    verb = Verb.PLAY
    mode: PlayAs
    deck: Deck = Deck.HAND


@dataclass(frozen=True, slots=True, kw_only=True)
class Control(Step):
    """Control of ``n`` Habitats to player ``to`` or to nobody (NONE)."""

    verb = Verb.CONTROL
    at: SpaceSelector
    n: Count = ONE
    to: Who
    means: ControlAs = ControlAs.EFFECT


@dataclass(frozen=True, slots=True, kw_only=True)
class Tremor(Step):
    """``n`` Tremors, or the stack moved back."""

    verb = Verb.TREMOR
    n: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Fracture(Step):
    """A Fracture with ``draw`` tokens to choose from."""

    verb = Verb.FRACTURE
    draw: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Collapse(Step):
    """``n`` spaces Collapse together."""

    verb = Verb.COLLAPSE
    space: SpaceSelector
    n: Count = ONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Token(Step):
    """Relic Tokens added, removed or collected."""

    verb = Verb.TOKEN
    op: TokenOp
    space: SpaceSelector
    n: Count = ONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Combat(Step):
    """``n`` Combats resolved; ``first`` may be ATTACKER or DEFENDER."""

    verb = Verb.COMBAT
    which: CombatAxis
    n: Count = ONE
    first: Who
    captures: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Flee(Step):
    """One own Combat fled."""

    verb = Verb.FLEE
    final_strike: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Die(Step):
    """``n`` different dice of the table changed; ``value`` for ADD and SET."""

    verb = Verb.DIE
    op: DieOp
    colour: DieColour = DieColour.ANY
    n: Count = ONE
    value: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Alter(Step):
    """The waiting event changed; ``to`` for FIRST_STRIKE and ASSIGNER."""

    verb = Verb.ALTER
    what: Alteration
    to: Who | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancel(Step):
    """The waiting event does not happen."""

    verb = Verb.CANCEL


@dataclass(frozen=True, slots=True, kw_only=True)
class Cyber(Step):
    """``n`` Cyber Attacks within ``range``, with ``dice`` more dice."""

    verb = Verb.CYBER
    n: int = 1
    range: int = 1
    dice: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ransom(Step):
    """Captives for Blueprints."""

    verb = Verb.RANSOM
    n: Count = ONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Construct(Step):
    """``n`` Modules."""

    verb = Verb.CONSTRUCT
    method: Method
    n: Count = ONE
    discount: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant(Step):
    """Modifiers to player ``to`` for a while."""

    verb = Verb.GRANT
    mods: tuple[Modifier, ...]
    to: Who = Who.SELF
    duration: Duration


STEPS: Final[dict[Verb, type[Step]]] = {
    cls.verb: cls
    for cls in (
        Choose,
        If,
        Each,
        Pay,
        Pick,
        Roll,
        Gain,
        Lose,
        Steal,
        Trade,
        Store,
        Scry,
        Deploy,
        Convert,
        Move,
        Place,
        Recall,
        Destroy,
        Capture,
        Confuse,
        Act,
        Gather,
        Command,
        Reclaim,
        Bonus,
        Play,
        Control,
        Tremor,
        Fracture,
        Collapse,
        Token,
        Combat,
        Flee,
        Die,
        Alter,
        Cancel,
        Cyber,
        Ransom,
        Construct,
        Grant,
    )
}


# ---------------------------------------------------------------- programs and rules
@dataclass(frozen=True, slots=True)
class Program:
    """Steps performed in order; never empty."""

    steps: Steps

    def walk(self) -> Iterator[Step]:
        """All steps, nested ones included, in the order in which they are written."""
        pending = list(reversed(self.steps))
        while pending:
            step = pending.pop()
            yield step
            for inner in reversed(step.lists):
                pending.extend(reversed(inner))


@dataclass(frozen=True, slots=True)
class TriggerSpec:
    """When a Reaction or rule fits (section 7.1)."""

    on: tuple[Trigger, ...]  #: ascending, not empty
    by: By
    of: By | None = None
    kinds: tuple[Kind, ...] = ()  #: one of these, ascending; (): any
    role: Role | None = None
    cond: Condition | None = None
    once: Once | None = None  #: of rules only
    opt: bool = False  #: of rules only


@dataclass(frozen=True, slots=True)
class Rule:
    """A standing rule: modifiers (for each opponent with ``sabotage``), or a trigger with its program."""

    mods: tuple[Modifier, ...] = ()
    sabotage: bool = False
    trigger: TriggerSpec | None = None
    program: Program | None = None
