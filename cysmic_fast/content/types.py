"""The shape of a loaded content pack: what the engines read.

Everything is immutable, hashable and picklable. Numbers are plain ``int``; enumerations are those of
:mod:`cysmic_fast.vocabulary`. ``docs/content.md`` says which file each value is written in.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, NamedTuple, NoReturn, TypeVar

from cysmic_fast.content.effects import Program, Rule, TriggerSpec
from cysmic_fast.vocabulary import Bonus, CardAction, Colour, CommandCard, Feature, Icon, UnitType

__all__ = [
    "AbilitySpec",
    "BonusSpec",
    "CommandSpec",
    "Content",
    "Cysmograph",
    "Dice",
    "DiscoverySpec",
    "Entry",
    "FactionSpec",
    "FrozenDict",
    "Limits",
    "ModuleSpec",
    "Planet",
    "RelicSpec",
    "RewardItem",
    "Rewards",
    "Rulings",
    "Section",
    "StrikeFace",
    "TokenSpec",
    "UnitSpec",
    "Yield",
]

K = TypeVar("K")
V = TypeVar("V")


class FrozenDict(dict[K, V], Generic[K, V]):
    """A ``dict`` that cannot be changed, so that a cached :class:`Content` can be shared."""

    def _frozen(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise TypeError("content tables cannot be changed; write a pack that overrides the value")

    __setitem__ = __delitem__ = __ior__ = _frozen
    clear = pop = popitem = setdefault = update = _frozen

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (dict(self),))


Status = Literal["rulebook", "derived", "inferred", "stand-in", "custom"]


class Entry(NamedTuple):
    """Provenance of one effective value."""

    path: str  # "units.toml: soldier.movement", "discovery.toml: D01.count"
    value: Any  # as written (a str, int, bool or list)
    status: str  # one of Status
    basis: str  # where it follows from, or why the stand-in is what it is; may be empty
    pack: str  # name of the pack that sets it


@dataclass(frozen=True, slots=True)
class Planet:
    """The printed side of the planet (S2, P4.2); spaces are numbered as in P1.7."""

    terrains: tuple[str, ...]  #: the 6 terrains clockwise (F:terrain_order)
    tiles: tuple[
        tuple[Feature, int], ...
    ]  #: what the 21 tiles of each terrain show, in Feature order (F:tiles)
    abyss: frozenset[int]  #: spaces whose bottom layer is Abyss; the others are Devastated (S2.9)
    arrows: tuple[tuple[int, ...], ...]  #: groups of edge spaces with the same arrow, each ascending (P4.2)


@dataclass(frozen=True, slots=True)
class UnitSpec:
    """Attributes of a Unit type (U2)."""

    type: UnitType
    kind: Literal["troop", "vehicle", "ship"]
    supply: int  #: pieces in each player's stock (S1.3)
    influence_cost: int  #: Cost of a Troop in Influence; 0 for others
    lorium_cost: int  #: price of a Vehicle in Lorium; 0 for others
    movement: int
    health: tuple[int, ...]  #: one number per die needed; () for the Ship
    red: int  #: red Combat Dice
    yellow: int  #: yellow Combat Dice
    engage: bool
    shield: bool
    early_warning: bool
    jumpjet: bool
    upgrades_from: UnitType | None  #: the Troop a Vehicle is Upgraded from (R4)


@dataclass(frozen=True, slots=True)
class StrikeFace:
    """A face of a Strike Die: a Tremor, ``value`` added to one die, or the reroll of a die of ``colour``."""

    kind: Literal["tremor", "value", "reroll"]
    value: int = 0
    colour: Literal["red", "yellow", ""] = ""

    @property
    def name(self) -> str:
        """Name used to script the die: ``tremor``, ``+1``, ``reroll red``, ``reroll yellow``."""
        if self.kind == "value":
            return f"{self.value:+d}"
        return f"reroll {self.colour}" if self.kind == "reroll" else "tremor"


@dataclass(frozen=True, slots=True)
class Dice:
    """Faces of the dice, in printed order; every face is equally likely."""

    red: tuple[int, ...]  #: 12 faces
    yellow: tuple[int, ...]  #: 12 faces
    attacker_strike: tuple[StrikeFace, ...]  #: 6 faces, the blue die
    defender_strike: tuple[StrikeFace, ...]  #: 6 faces, the green die
    humanity: tuple[int | None, ...]  #: 6 faces: Units that may be stranded; None = any number (L2.2)

    @property
    def humanity_names(self) -> tuple[str, ...]:
        """Names used to script the Humanity Die: ``"0"`` … ``"4"``, ``"any"``."""
        return tuple("any" if face is None else str(face) for face in self.humanity)


@dataclass(frozen=True, slots=True)
class Yield:
    """What one Unit gains by one gathering Action."""

    lorium: int
    discovery: int


@dataclass(frozen=True, slots=True)
class Section:
    """A Section of a Command Card (T4.1)."""

    mandatory: bool
    actions: tuple[CardAction, ...]


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A Command Card: Sections from top to bottom, coloured icons (Grey is on every card, T5.2)."""

    card: CommandCard
    kind: Literal["unit", "tactic"]
    unit: UnitType | None
    icons: tuple[Icon, ...]
    sections: tuple[Section, ...]
    name: str


@dataclass(frozen=True, slots=True)
class BonusSpec:
    """A cell of the Command Board. Column 0 holds the four Grey options of every Column."""

    bonus: Bonus
    column: int
    icon: Icon
    name: str
    #: The printed number: cards, Lorium, Troops or Units (N1.4 … N3.5); 1 where none is printed.
    amount: int = 1


@dataclass(frozen=True, slots=True)
class ModuleSpec:
    """A Module, in the order of the Construction Board (B1)."""

    id: str
    name: str
    colour: Colour
    target: int
    lorium: int
    influence: int


@dataclass(frozen=True, slots=True)
class TokenSpec:
    """A Fracture Token (Y2)."""

    name: str  #: "savannah-5"; "false_alarm", "devastated", "pull_2_more", "colony_city"
    kind: Literal["landscape", "false_alarm", "devastated", "pull_2_more", "colony_city"]
    terrain: int  #: place of the terrain in Planet.terrains, -1 for special tokens
    ring: int  #: 1 to 6, -1 for special tokens


@dataclass(frozen=True, slots=True)
class Cysmograph:
    """The track (Y1.1). The Fracture Zone is position ``len(track)``."""

    track: tuple[
        int, ...
    ]  #: printed numbers from left to right, 0 for an empty position: 6, 5, 4, 3, 2, 0, 0
    tokens: int  #: Tremor Tokens, single ones and stack together


@dataclass(frozen=True, slots=True)
class Limits:
    """Every count and cap that is not part of a card or Unit."""

    players_min: int  #: S1.1
    players_max: int
    columns: int  #: Columns of the board = rounds of a cycle (T1.3)
    discovery_hand: int  #: T7.2
    relics: int  #: Relic Cards, Active and Inactive (T7.2)
    relic_slots: int  #: Active Relic Cards, stored Lorium (G3.4)
    flags: int  #: I3.3
    cells: int  #: Holding Cells (B2.1)
    cell_troops: int  #: Troops in one cell (B2.2)
    cell_vehicles: int  #: Vehicles in one cell (B2.2)
    capacity_units: int  #: Units per Faction and space (P3.1)
    capacity_vehicles: int  #: Vehicles among them
    relic_tokens: int  #: S1.5
    faction_deal: int  #: Faction Cards dealt to each player (S4.5)
    cyber_attempts: int  #: attempts of the Negotiate card (A9.2)
    blueprint_troops: int  #: Captured Troops per Blueprint (B3.2)
    blueprint_vehicles: int  #: Captured Vehicles per Blueprint (B3.2)
    rounds: int  #: cap.rounds (T1.9)
    strikes: int  #: cap.strikes, Strikes in the resolution of one Combat
    offers: int  #: cap.offers, offers in one Resource Trading
    offer_pieces: int  #: cap.offers, Resources on either side of an offer
    programs: int  #: cap.programs
    bonus_actions: int  #: cap.bonus_actions, in one turn
    grants: int  #: cap.grants
    dice: int  #: cap.dice, in one pool


@dataclass(frozen=True, slots=True)
class Rulings:
    """Readings of the rulebook that can be switched (docs/rules/rulings.md)."""

    ship_start: Literal["inner", "rings_1_3"]  #: RUL-S1
    resets: Literal["per_fracture", "per_token"]  #: RUL-Y3
    must_flee: Literal["dice_count", "never"]  #: RUL-K1
    final_strike_die: bool  #: RUL-K2: the Strike Die is rolled in a Final Strike
    build_it_on_devastated: bool  #: RUL-L4: If You Build It Launches from Devastated ground too
    end_without_tiles: bool  #: RUL-L11: no tile left ends the game
    reuse_this_turns_card: bool  #: RUL-N1: 003 Blue may use the card Played this turn


@dataclass(frozen=True, slots=True)
class AbilitySpec:
    """An Ability of a Faction."""

    name: str
    text: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class FactionSpec:
    """A Faction's set-up (S4.6) and Abilities."""

    id: str
    name: str
    min_players: int
    espionage: bool
    influence: int
    lorium: int
    discovery: int
    relics: int
    units: tuple[int, int, int]  #: Soldiers, Miners, Speakers
    habitats: tuple[int, ...]  #: values of the Starting Habitats (S4.15)
    difficulty: int = 1
    leader: str = ""
    token: str = ""  #: what its counter counts; "" if it has none
    abilities: tuple[AbilitySpec, ...] = ()
    rules: tuple[Rule, ...] = ()  #: of all Abilities, in order: the rule numbers of events and choices


@dataclass(frozen=True, slots=True)
class RewardItem:
    """One side of a card's Rewards (D3)."""

    kind: Literal["bonus", "lorium", "discovery", "relic", "habitat", "units"]
    icons: tuple[Icon, ...] = ()  #: bonus: one of these colours
    amount: int = 0  #: lorium, discovery, relic: how many; habitat: the value
    units: tuple[int, int, int] = (0, 0, 0)  #: units: Soldiers, Miners, Speakers


@dataclass(frozen=True, slots=True)
class Rewards:
    """Rewards of a Discovery Card: one item, both (``and``), either (``or``) or nothing (Events)."""

    op: Literal["single", "and", "or", "none"]
    items: tuple[RewardItem, ...] = ()


@dataclass(frozen=True, slots=True)
class DiscoverySpec:
    """A design of the Discovery Deck; its number is its place in :attr:`Content.discovery`."""

    id: str
    name: str
    count: int
    kind: Literal["action", "reaction", "event"]
    modifier: int  #: -3 … 3; 0 for Events only
    rewards: Rewards
    molten_core: bool
    espionage: bool
    event: bool
    icons: tuple[str, ...] = ()  #: modes, as written
    text: str = ""
    ability: Program | None = None  #: None for Events only
    trigger: TriggerSpec | None = None  #: Reactions only
    effect: Program | None = None  #: Events only


@dataclass(frozen=True, slots=True)
class RelicSpec:
    """A design of the Relic Deck; its number is its place in :attr:`Content.relics`."""

    id: str
    name: str
    count: int
    molten_core: bool
    espionage: bool
    icons: tuple[str, ...] = ()  #: modes, as written
    type: str = ""
    text: str = ""
    rules: tuple[Rule, ...] = ()  #: exactly one


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """A validated content pack. Two are equal when their effective values are."""

    hash: str  #: SHA-256 (64 hex digits) of the canonical JSON of all effective values
    name: str
    version: str
    planet: Planet
    units: tuple[UnitSpec, ...]  #: by UnitType
    dropship_lorium: int  #: extra price of a Dropship Upgrade (R4.3)
    dice: Dice
    yields: FrozenDict[CardAction, Yield]  #: MINE, EXPLORE, HARVEST, SCAVENGE
    tremor_actions: frozenset[CardAction]  #: Actions with a Tremor icon (T4.7)
    commands: tuple[CommandSpec, ...]  #: by CommandCard
    bonus: tuple[BonusSpec, ...]  #: by Bonus
    habitat_values: FrozenDict[Feature, int]  #: I1.2
    unlimited_influence: int  #: Influence from which Influence and storage are unlimited (I1.4)
    lorium_capacity: tuple[tuple[int, int], ...]  #: (from this Influence, capacity), ascending from 0 (I2)
    modules: tuple[ModuleSpec, ...]
    cysmograph: Cysmograph
    tokens: tuple[TokenSpec, ...]  #: landscape terrain-major, then the special ones (Y2)
    limits: Limits
    rulings: Rulings
    generic: FactionSpec  #: everybody's set-up without Factions
    factions: tuple[FactionSpec, ...]
    discovery: tuple[DiscoverySpec, ...]  #: the Discovery designs, then the Planetary Events
    relics: tuple[RelicSpec, ...]
    entries: tuple[Entry, ...] = field(repr=False)  #: provenance of every value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Content) and self.hash == other.hash

    def __hash__(self) -> int:
        return hash(self.hash)

    def __repr__(self) -> str:
        return f"<Content {self.name!r} {self.version} {self.hash[:12]}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """A pack of the package travels as name and hash, any other with all its data."""
        from cysmic_fast.content import loader

        if self.name in loader.pack_names():
            own = loader.load_content(name=self.name)
            if own.hash == self.hash:
                return loader.packed_content, (self.name, self.hash, own == self and self._has_abilities())
        return _unpickled, (tuple(getattr(self, name) for name in self.__slots__),)

    def _has_abilities(self) -> bool:
        return any(relic.rules for relic in self.relics) or any(card.ability for card in self.discovery)

    def without_abilities(self) -> Content:
        """The same pack, same hash, with no program in any card: what is played with ``abilities=False``."""
        return replace(
            self,
            discovery=tuple(replace(c, ability=None, trigger=None, effect=None) for c in self.discovery),
            relics=tuple(replace(c, rules=()) for c in self.relics),
            factions=tuple(replace(c, abilities=(), rules=()) for c in self.factions),
            generic=replace(self.generic, abilities=(), rules=()),
        )

    def discovery_deck(self, molten_core: bool, events: bool, espionage: bool = False) -> tuple[int, ...]:
        """Design numbers of the Discovery Deck, ascending, each as often as it has copies (S3.4, S3.5, S3.8).

        With ``events`` the Planetary Events are at the end, whether or not ``molten_core`` is set. Set-up
        shuffles them in later (S3.6): use ``discovery_deck(molten_core, False)`` and :meth:`event_deck`.
        """
        deck = tuple(
            number
            for number, card in enumerate(self.discovery)
            if not card.event and (molten_core or not card.molten_core) and (espionage or not card.espionage)
            for _ in range(card.count)
        )
        return deck + self.event_deck() if events else deck

    def event_deck(self) -> tuple[int, ...]:
        """Design numbers of the Planetary Events, ascending, each as often as it has copies."""
        return tuple(
            number for number, card in enumerate(self.discovery) if card.event for _ in range(card.count)
        )

    def relic_deck(self, molten_core: bool, espionage: bool = False) -> tuple[int, ...]:
        """Design numbers of the Relic Deck, ascending, each as often as it has copies (S3.4, S3.5)."""
        return tuple(
            number
            for number, card in enumerate(self.relics)
            if (molten_core or not card.molten_core) and (espionage or not card.espionage)
            for _ in range(card.count)
        )

    def eligible_factions(self, players: int, espionage: bool = False) -> tuple[int, ...]:
        """Numbers of the Factions that take part in the deal with ``players`` players (S4.4), ascending."""
        return tuple(
            number
            for number, faction in enumerate(self.factions)
            if faction.min_players <= players and (espionage or not faction.espionage)
        )

    def storage(self, influence: int) -> int | None:
        """Lorium capacity at ``influence`` (I2), None if unlimited."""
        if influence >= self.unlimited_influence:
            return None
        return [capacity for start, capacity in self.lorium_capacity if start <= influence][-1]


def _unpickled(values: tuple[Any, ...]) -> Content:
    return Content(*values)
