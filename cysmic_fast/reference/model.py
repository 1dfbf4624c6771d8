"""The pieces on the table: Units, spaces, players, decks, the Cysmograph, and the game that holds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

from cysmic_fast.content.effect_words import Duration, Trigger
from cysmic_fast.reference.chance import Chance
from cysmic_fast.reference.hexmap import CENTRE, SPACES, HexMap, number
from cysmic_fast.reference.knowledge import Knowledge
from cysmic_fast.vocabulary import (
    ChanceKind,
    Colour,
    CommandCard,
    EventKind,
    Feature,
    UnitType,
)

if TYPE_CHECKING:
    from cysmic_fast.content.effects import Modifier
    from cysmic_fast.content.types import Content, FactionSpec
    from cysmic_fast.options import GameOptions
    from cysmic_fast.reference.combat import Resolution
    from cysmic_fast.reference.dice import Die

__all__ = [
    "TROOPS",
    "VEHICLES",
    "Cysmograph",
    "Deck",
    "Ended",
    "Event",
    "Flag",
    "Game",
    "Gathering",
    "Grant",
    "Mark",
    "Phase",
    "Player",
    "Recorded",
    "Slot",
    "Space",
    "Stats",
    "Unit",
    "Where",
]

Event = tuple[int, int, int, int, int]
#: An event, and which seats see all of it (None: everybody).
Recorded = tuple[Event, frozenset[int] | None]

TROOPS = (UnitType.SOLDIER, UnitType.MINER, UnitType.SPEAKER)
VEHICLES = (UnitType.POWERMECH, UnitType.HARVESTER)


#: A standing rule of a player: ("R", slot) of a Relic Card, ("F", number) of a Faction (V8.1).
Flag = tuple[str, int]


class Where(Enum):
    """Where a Unit can be (U1.3)."""

    RESERVE = auto()
    CHOSEN = auto()  #: picked for Deploying, not yet placed; counts as in Reserve for everybody else
    PLANET = auto()
    CAPTIVE = auto()
    GONE = auto()  #: missing by Echoes of Humanity (L5), or the Ship of a Launched player (L4.10)


class Mark(Enum):
    """What tells like Units apart while something is being resolved (RUL-U4).

    The values order equally many marks: read as a binary number, the smaller set goes first.
    """

    PART = 1  #: takes part in the list being resolved
    ACTED = 2  #: acted in the Section or list
    NEW = 4  #: Deployed or placed in this resolution of a Tactic card
    TRIED = 8  #: attempted a Cyber Attack in this Action
    ONCE = 16  #: taken by an ``each`` with ``once`` in this resolution of its card (V3.3)
    LISTED = 32  #: treated in a list that has its own marks: a step of several Units, Evacuate (V9.2)


@dataclass(eq=False, slots=True)
class Doom:
    """How many Units of one owner in one space are about to go: by type, and Confused or not (C19)."""

    owner: int
    space: int
    counts: Counter[tuple[UnitType, bool]]


@dataclass(eq=False, slots=True)
class Unit:
    """One piece. Its place is a space number (PLANET) or the captor's seat (CAPTIVE), else -1."""

    owner: int
    type: UnitType
    where: Where = Where.RESERVE
    place: int = -1
    marks: set[Mark] = field(default_factory=set)
    confused: bool = False  #: a Troop on the planet that is neither Locked nor Unlocked (U4.5)
    attacking: bool = False  #: its Cyber Attack is being answered; ends when it leaves the planet
    reached: Doom | None = None  #: it is being taken by way of the ``$unit`` of that ``defeated`` (C19)

    @property
    def is_ship(self) -> bool:
        """The Colony Ship is neither Troop nor Vehicle (U1.1)."""
        return self.type == UnitType.SHIP

    @property
    def is_troop(self) -> bool:
        """Speaker, Miner or Soldier (U1.1)."""
        return self.type in TROOPS

    @property
    def is_vehicle(self) -> bool:
        """Harvester or Powermech (U1.1)."""
        return self.type in VEHICLES


@dataclass(eq=False, slots=True)
class Space:
    """One of the 127 spaces: its tile, what lies and stands on it."""

    number: int
    feature: Feature  #: NONE once the tile is gone (P1.1)
    abyss: bool  #: the bottom layer: Abyss, else Devastated (S2.9)
    control: int | None = None  #: seat of the player whose Flag is here (I3.1)
    token: bool = False  #: a Relic Token lies here
    attacker: int | None = None  #: seat of the Attacker while this is a Combat Space (K1.3)
    defender: int | None = None  #: seat of the Defender, likewise
    serial: int = 0  #: tells one Combat here from a later one; 0 without
    units: list[Unit] = field(default_factory=list)

    @property
    def has_tile(self) -> bool:
        """The tile has not Collapsed."""
        return self.feature != Feature.NONE

    @property
    def impassable(self) -> bool:
        """Lake, Mountain or Abyss (P2.2)."""
        return self.feature in (Feature.LAKE, Feature.MOUNTAIN) or (not self.has_tile and self.abyss)

    @property
    def devastated(self) -> bool:
        """No tile left, and the bottom is not Abyss (P2.3)."""
        return not self.has_tile and not self.abyss

    @property
    def ship(self) -> Unit | None:
        """The Ship standing here; it is alone in its space (U5.2)."""
        return next((u for u in self.units if u.is_ship), None)

    def of(self, seat: int) -> list[Unit]:
        """Troops and Vehicles of a player here."""
        return [u for u in self.units if u.owner == seat and not u.is_ship]

    def sober(self, seat: int) -> list[Unit]:
        """Those of them that are not Confused."""
        return [u for u in self.of(seat) if not u.confused]

    def others(self, seat: int) -> list[Unit]:
        """Troops and Vehicles of all other players here."""
        return [u for u in self.units if u.owner != seat and not u.is_ship]

    @property
    def sides(self) -> set[int]:
        """Seats with Troops or Vehicles here."""
        return {u.owner for u in self.units if not u.is_ship}

    @property
    def is_combat(self) -> bool:
        """Two Factions share a space only in Combat (P3.2)."""
        return len(self.sides) == 2


@dataclass(slots=True)
class Slot:
    """A Relic Slot: empty, an Active Relic Card (its design number), or stored Lorium (G3.6)."""

    relic: int | None = None
    lorium: int = 0

    @property
    def empty(self) -> bool:
        """Neither a Relic Card nor Lorium is in it."""
        return self.relic is None and self.lorium == 0


@dataclass(slots=True)
class Player:
    """What belongs to one player, besides Units and Flags."""

    seat: int
    colour: Colour
    faction: int | None = None  #: number of the Faction, None: the generic set-up
    lorium: int = 0  #: on the track
    slots: list[Slot] = field(default_factory=list)
    hand: set[CommandCard] = field(default_factory=lambda: set(CommandCard))
    burned: list[CommandCard | None] = field(default_factory=list)  #: by Column
    played: list[CommandCard | None] = field(default_factory=list)  #: by Column
    discovery: list[int] = field(default_factory=list)  #: designs in hand
    relics: list[int] = field(default_factory=list)  #: designs of Inactive Relic Cards
    acquired: set[int] = field(default_factory=set)  #: Modules whose Blueprint is Acquired
    modules: set[int] = field(default_factory=set)  #: Modules constructed
    launched: bool = False
    tokens: int = 0  #: the counter of the Faction
    once: set[Flag] = field(default_factory=set)  #: standing rules used up for a while (V8.1)

    @property
    def on_board(self) -> list[CommandCard]:
        """Burned and Played cards."""
        return [c for c in (*self.burned, *self.played) if c is not None]

    def take_back(self, card: CommandCard) -> None:
        """A card of the board returns to the hand (T2.3)."""
        self.burned = [None if c == card else c for c in self.burned]
        self.played = [None if c == card else c for c in self.played]
        self.hand.add(card)

    @property
    def total_lorium(self) -> int:
        """Track and stored together (G2.2)."""
        return self.lorium + sum(s.lorium for s in self.slots)

    @property
    def active_relics(self) -> list[int]:
        """Slots with an Active Relic Card."""
        return [i for i, s in enumerate(self.slots) if s.relic is not None]


@dataclass(slots=True)
class Deck:
    """A draw pile (the last element is the top) and its discard pile."""

    draw: list[int] = field(default_factory=list)
    discard: list[int] = field(default_factory=list)
    aside: list[int] = field(default_factory=list)  #: on the table: being played, resolved or looked at


@dataclass(slots=True)
class Cysmograph:
    """Single Tremor Tokens fill positions 0 … singles - 1, the stack is on ``stack`` (Y1.1, Y3.5)."""

    zone: int  #: position of the Fracture Zone
    singles: int
    stack: int
    busy: bool = False  #: a Fracture or Collapse is being resolved (Y1.5)


@dataclass(slots=True)
class Gathering:
    """All that one player gathers in one Section, step, Bonus Action or program (docs/cards.md, 4.5)."""

    player: int
    lorium: int = 0
    discovery: int = 0
    spaces: set[int] = field(default_factory=set)  #: spaces gathered in
    actions: set[int] = field(default_factory=set)  #: gathering Actions performed


@dataclass(frozen=True, slots=True)
class Grant:
    """Modifiers given to a player for a while (section 8 of docs/cards.md)."""

    player: int  #: who has them
    by: int  #: who gave them
    mods: tuple[Modifier, ...]
    duration: Duration


@dataclass(slots=True)
class Ended:
    """A Combat that has ended with one side left, until its event fires (V1.7)."""

    space: int
    stays: int
    left: int
    fled: bool = False


@dataclass(slots=True)
class Stats:
    """Counters of one game (docs/protocol.md, section 19)."""

    decisions: int = 0
    options: int = 0
    forced: int = 0
    launch_clean: int = 0
    launch_die: int = 0
    launch_failed: int = 0
    tremors: int = 0
    fractures: int = 0
    collapsed: int = 0
    captures: int = 0
    destroyed: int = 0
    combats: int = 0
    strikes: int = 0
    blueprints_cyber: int = 0
    blueprints_exchange: int = 0
    modules: int = 0
    relics: int = 0
    first_player: int = 0


class Phase(Enum):
    """From where the flow continues when nothing but the game's state is known."""

    START = auto()  #: nothing is set up
    SHIPS = auto()  #: everything but Ships, Starting Habitats and Starting Units is set up
    TURN = auto()  #: a turn is about to begin


class Game:
    """Everything on the table, and the few facts about the turn that outlast a decision."""

    def __init__(self, options: GameOptions, content: Content, hexmap: HexMap, chance: Chance) -> None:
        self.options = options
        self.content = content
        self.map = hexmap
        self.chance = chance
        self.phase = Phase.START
        self.spaces = [Space(s, Feature.NONE, s in content.planet.abyss) for s in SPACES]
        self.spaces[CENTRE].feature = Feature.COLONY_CITY
        seats = range(options.players)
        slots, columns = content.limits.relic_slots, content.limits.columns
        self.players = [
            Player(
                seat,
                options.colour_ids[seat],
                slots=[Slot() for _ in range(slots)],
                burned=[None] * columns,
                played=[None] * columns,
            )
            for seat in seats
        ]
        self.units = [
            Unit(seat, spec.type) for seat in seats for spec in content.units for _ in range(spec.supply)
        ]
        self.discovery = Deck()
        self.relics = Deck()
        self.bag = list(range(len(content.tokens)))  #: Fracture Tokens left, ascending
        start = content.cysmograph.track.index(options.players)
        self.cysmograph = Cysmograph(len(content.cysmograph.track), start, start)
        self.round = 1
        self.first_player = 0
        self.marker = 0
        self.active = 0  #: whose turn it is
        self.final_turns: list[int] = []  #: seats still to take a final turn (L4.4)
        # within a turn
        self.fresh = False  #: no choice of this turn (or of the placing of Ships) has been made yet
        self.bonus_actions = 0  #: Bonus Actions begun this turn, of all players (V1.13)
        self.programs = 0  #: programs in progress (V1.13)
        # cards
        self.reactions: dict[Trigger, frozenset[int]] = {
            trigger: frozenset(
                number
                for number, card in enumerate(content.discovery)
                if card.trigger is not None and trigger in card.trigger.on
            )
            for trigger in Trigger
        }  #: designs of Reactions that wait for an event
        rules = [rule for relic in content.relics for rule in relic.rules]
        rules += [rule for faction in content.factions for rule in faction.rules]
        self.sabotage = any(rule.sabotage for rule in rules)  #: some rule works on the opponents of its owner
        self.grants: list[Grant] = []  #: temporary modifiers in force
        self.area: tuple[int, ...] = ()  #: spaces of the latest Fracture Token or Collapse (section 2)
        self.collapsing: frozenset[int] = frozenset()  #: spaces that are collapsing now
        self.looked_at = (0, 0)  #: deck and design of the card that SCRY_PUT is about
        self.ended: list[Ended] = []  #: Combats whose end has not been told yet
        self.dooms: list[Doom] = []  #: what is about to go, for each ``defeated`` that is being answered
        self.resolution: Resolution | None = None  #: the Combat being resolved
        self.pool: list[Die] = []  #: Combat Dice on the table, until the Strike or attempt is settled
        self.combats_begun = 0  #: serial number of the latest Combat
        self.testing_play = False  #: whether a card can be played is being found out
        self.steps = 0  #: steps of programs performed since the last asked decision (V1.15)
        # the end
        self.over = False
        self.reason = -1
        # the record
        self.recording = False
        self.events: list[Recorded] = []
        self.knows = Knowledge(options.players, columns)  #: who knows what (docs/information.md)
        self.stats = Stats()

    # ------------------------------------------------------------------ looking
    @property
    def seats(self) -> range:
        """All seats, ascending."""
        return range(len(self.players))

    def clockwise(self, start: int) -> list[int]:
        """All seats, clockwise from ``start`` (T1.2)."""
        return [(start + i) % len(self.players) for i in self.seats]

    @property
    def column(self) -> int:
        """Place 0 … 4 of the current Column (T1.3)."""
        return (self.round - 1) % self.content.limits.columns

    def faction(self, seat: int) -> FactionSpec:
        """The set-up a player started with (S4.6)."""
        faction = self.players[seat].faction
        return self.content.generic if faction is None else self.content.factions[faction]

    def wedge(self, terrain: int, ring: int | None = None) -> list[int]:
        """Spaces of a terrain, ascending; of one ring only if given (P1.2)."""
        rings = range(1, 7) if ring is None else (ring,)
        return sorted(number(terrain, r, k) for r in rings for k in range(r))

    def army(self, seat: int) -> Iterator[Unit]:
        """All Units of a player, wherever they are."""
        return (u for u in self.units if u.owner == seat)

    def on_planet(self, seat: int) -> list[Unit]:
        """Troops and Vehicles of a player on the planet."""
        return [u for u in self.army(seat) if u.where == Where.PLANET and not u.is_ship]

    def ship(self, seat: int) -> Unit | None:
        """A player's Ship if it is on the planet."""
        return next((u for u in self.army(seat) if u.is_ship and u.where == Where.PLANET), None)

    def reserve(self, seat: int, kind: UnitType) -> list[Unit]:
        """Pieces of a type in a player's Reserve."""
        return [u for u in self.army(seat) if u.type == kind and u.where == Where.RESERVE]

    def in_reserve(self, seat: int, kinds: Iterable[UnitType]) -> list[UnitType]:
        """Those of ``kinds`` of which the player has a piece in Reserve."""
        here = {u.type for u in self.army(seat) if u.where == Where.RESERVE}
        return [k for k in kinds if k in here]

    def captives(self, holder: int) -> list[Unit]:
        """Captured Units in a player's Holding Area, by owner and type (G4.1)."""
        held = [u for u in self.units if u.where == Where.CAPTIVE and u.place == holder]
        return sorted(held, key=lambda u: (u.owner, u.type))

    def is_locked(self, unit: Unit) -> bool:
        """An enemy Troop or Vehicle is in the Unit's space; never for Ships and Confused Troops (U4.1)."""
        if unit.is_ship or unit.where != Where.PLANET or unit.confused:
            return False
        return bool(self.spaces[unit.place].others(unit.owner))

    def is_unlocked(self, unit: Unit) -> bool:
        """On the planet, neither Locked nor Confused (U4.1, U4.5)."""
        return unit.where == Where.PLANET and not unit.confused and not self.is_locked(unit)

    def unlocked(self, seat: int) -> list[Unit]:
        """Unlocked Troops and Vehicles of a player on the planet."""
        return [u for u in self.on_planet(seat) if self.is_unlocked(u)]

    def seated(self, start: int) -> list[int]:
        """Seats that have not Launched, clockwise from ``start`` (V3.1)."""
        return [s for s in self.clockwise(start) if not self.players[s].launched]

    def combats(self, seat: int | None = None) -> list[int]:
        """Combat Spaces, of one player if given, ascending."""
        return [
            s.number for s in self.spaces if s.units and s.is_combat and (seat is None or seat in s.sides)
        ]

    def habitats(self, seat: int) -> list[int]:
        """Spaces of the Habitats a player controls, ascending."""
        return [s.number for s in self.spaces if s.control == seat]

    def is_habitat(self, space: int) -> bool:
        """The space shows a Habitat, whatever its value (I1.2)."""
        return self.spaces[space].feature in self.content.habitat_values

    def habitat_value(self, space: int) -> int:
        """Value of the Habitat in a space, 0 without one (I1.2)."""
        return self.content.habitat_values.get(self.spaces[space].feature, 0)

    def marked(self, mark: Mark) -> list[Unit]:
        """Units that carry a mark."""
        return [u for u in self.units if mark in u.marks]

    def unmark(self, *marks: Mark) -> None:
        """A resolution has ended: its marks are lost."""
        for unit in self.units:
            unit.marks.difference_update(marks)

    # ------------------------------------------------------------------ recording
    def emit(
        self,
        kind: EventKind,
        player: int,
        a: int = 0,
        b: int = 0,
        c: int = 0,
        *,
        seen: Iterable[int] | None = None,
    ) -> None:
        """Record an event (docs/protocol.md, section 17), of which only the seats ``seen`` see all."""
        if self.recording:
            event = (int(kind), player, int(a), int(b), int(c))
            self.events.append((event, None if seen is None else frozenset(seen)))

    def finish(self, reason: int) -> None:
        """The game is over: 0 a Launch, 1 no tile left, 2 the cap."""
        self.over = True
        self.reason = reason
        self.emit(EventKind.GAME_OVER, -1, reason)

    # ------------------------------------------------------------------ chance
    def draw_chance(
        self,
        kind: ChanceKind,
        names: list[str],
        numbers: list[int] | None = None,
        *,
        seen: Iterable[int] | None = None,
    ) -> int:
        """One outcome: its place among ``names``, or the number standing there."""
        place = self.chance.pick(kind, names)
        outcome = place if numbers is None else numbers[place]
        self.emit(EventKind.CHANCE, -1, kind, outcome, seen=seen)
        return outcome

    def shuffled(
        self, kind: ChanceKind, items: list[int], names: list[str], terrain: int = 0
    ) -> tuple[list[int], list[int]]:
        """(items a script puts first, the others in random order)."""
        first, rest = self.chance.order(kind, items, names)
        self.emit(EventKind.SHUFFLE, -1, kind, len(items), terrain)
        return first, rest

    # ------------------------------------------------------------------ copying
    def copy(self) -> Game:
        """An independent twin; the record of events is not copied."""
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin.chance = self.chance.copy()
        units = {id(u): Unit(u.owner, u.type, u.where, u.place, set(u.marks), u.confused) for u in self.units}
        twin.units = [units[id(u)] for u in self.units]
        twin.spaces = [
            Space(
                s.number,
                s.feature,
                s.abyss,
                s.control,
                s.token,
                s.attacker,
                s.defender,
                s.serial,
                [units[id(u)] for u in s.units],
            )
            for s in self.spaces
        ]
        twin.players = [_copy_player(p) for p in self.players]
        twin.discovery, twin.relics = (
            Deck(list(d.draw), list(d.discard), list(d.aside)) for d in (self.discovery, self.relics)
        )
        twin.knows = self.knows.copy()
        twin.bag = list(self.bag)
        track = self.cysmograph
        twin.cysmograph = Cysmograph(track.zone, track.singles, track.stack, track.busy)
        twin.final_turns = list(self.final_turns)
        twin.grants = list(self.grants)
        twin.ended = []
        twin.dooms = []
        twin.pool = []
        twin.recording = False
        twin.events = []
        twin.stats = Stats(**{f: getattr(self.stats, f) for f in Stats.__slots__})
        return twin


def _copy_player(player: Player) -> Player:
    return Player(
        player.seat,
        player.colour,
        player.faction,
        player.lorium,
        [Slot(s.relic, s.lorium) for s in player.slots],
        set(player.hand),
        list(player.burned),
        list(player.played),
        list(player.discovery),
        list(player.relics),
        set(player.acquired),
        set(player.modules),
        player.launched,
        player.tokens,
        set(player.once),
    )


def count_types(units: Iterable[Unit]) -> Counter[UnitType]:
    """How many Units of each type."""
    return Counter(u.type for u in units)
