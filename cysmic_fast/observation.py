"""What a player sees, as numbers for a learner: the one definition of the fields of an observation.

An observation is one flat ``int8`` array: first *planes*, one number for each of the 127 spaces, then a
*vector*. Each field is one contiguous slice of it. ``state.observation(player)`` and ``Batch.observe()``
write it; :func:`observation_spec` says what is where::

    spec = cysmic_fast.observation_spec(game)
    seen = state.observation(0)
    spec.planes(seen)             # (planes, 127), a view
    spec.view(seen, "units")      # (players, 5, 127), a view

Seats are rotated: the observer is 0, then clockwise. Both engines' writers follow :data:`FIELDS`, and the
tables of docs/observation.md are made from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from cysmic_fast.content.effect_words import Mod
from cysmic_fast.errors import OptionError
from cysmic_fast.names import shown
from cysmic_fast.vocabulary import (
    MAX_DICE,
    NUM_COLUMNS,
    NUM_SLOTS,
    NUM_SPACES,
    Colour,
    CommandCard,
    DecisionKind,
    Feature,
)

if TYPE_CHECKING:
    from cysmic_fast.content.types import Content
    from cysmic_fast.interface import Game
    from cysmic_fast.options import GameOptions

__all__ = [
    "FIELDS",
    "LOWEST",
    "MOST",
    "Field",
    "ObservationSpec",
    "check_room",
    "make_spec",
    "observation_spec",
    "token_names",
]

#: Numbers beyond these are shown as these.
LOWEST: Final = -128
MOST: Final = 127

_UNITS: Final = 5
_TROOPS: Final = 3
_MODULES: Final = 6
#: Rules that a Faction can have (docs/cards.md, V1.15).
_FACTION_RULES: Final = 8

#: The fields in order: name, shape, lowest and highest value, meaning. Letters in shapes: S spaces,
#: P players; D and R designs of Discovery and Relic Cards, F Factions, T different Fracture Tokens. U as the
#: highest value: the Units of a player that fit into a space. A field whose shape ends in S is planes.
FIELDS: Final[tuple[tuple[str, tuple[str | int, ...], int, int | str, str], ...]] = (
    ("feature", (len(Feature), "S"), 0, 1, "what the tile shows, one plane for each `Feature` (P2.1)"),
    ("impassable", ("S",), 0, 1, "Lake, Mountain, or Abyss without a tile (P2.2)"),
    ("relic_token", ("S",), 0, 1, "a Relic Token"),
    ("combat", ("S",), 0, 1, "a Combat: all Units here but the Confused ones are Locked (U4.1)"),
    ("resolving", ("S",), 0, 1, "the Combat that is being resolved"),
    ("collapsing", ("S",), 0, 1, "spaces of the Collapse that is being resolved"),
    ("attacker", ("P", "S"), 0, 1, "in a Combat: the seat is the Attacker (K1.3)"),
    ("control", ("P", "S"), 0, 1, "a Habitat that the seat controls"),
    ("ship", ("P", "S"), 0, 1, "the seat's Colony Ship"),
    ("units", ("P", _UNITS, "S"), 0, "U", "the seat's Units by `UnitType`, Confused ones too"),
    ("confused", ("P", _TROOPS, "S"), 0, "U", "how many of the Troops are Confused (D7.1)"),
    ("phase", (3,), 0, 1, "set-up, turns, over"),
    ("decision", (len(DecisionKind),), 0, 1, "the `DecisionKind` at hand, if the observer decides"),
    ("decider", ("P",), 0, 1, "who decides; nobody when the game is over"),
    ("active", ("P",), 0, 1, "whose turn it is"),
    ("first_player", ("P",), 0, 1, "the First Player"),
    ("marker", ("P",), 0, 1, "who holds the Marker"),
    ("round", (1,), 1, MOST, "round, from 1"),
    ("column", (NUM_COLUMNS,), 0, 1, "the current Column"),
    ("singles", (1,), 0, MOST, "Cysmograph: single Tremor Tokens (Y1.1)"),
    ("stack", (1,), 0, MOST, "Cysmograph: position of the stack"),
    ("bag", ("T",), 0, MOST, "Fracture Tokens left in the bag, by name"),
    ("discovery_draw", (1,), 0, MOST, "cards in the Discovery draw pile"),
    ("relic_draw", (1,), 0, MOST, "cards in the Relic draw pile"),
    ("discovery_discard", ("D",), 0, MOST, "Discovery discard pile, by design"),
    ("relic_discard", ("R",), 0, MOST, "Relic discard pile, by design"),
    ("dice_red", (MAX_DICE,), 0, 1, "Strike or Cyber Attack: the die at this place in the pool is red"),
    ("dice_yellow", (MAX_DICE,), 0, 1, "it is yellow; no die: neither"),
    ("dice_value", (MAX_DICE,), LOWEST, MOST, "what the die shows by now"),
    ("colour", ("P", len(Colour)), 0, 1, "the seat's `Colour`"),
    ("faction", ("P", "F"), 0, 1, "the Faction; of others only when all have chosen"),
    ("influence", ("P",), 0, MOST, "Influence (I1.1); of others only when all have chosen a Faction"),
    ("lorium", ("P",), 0, MOST, "Lorium on the track"),
    ("stored", ("P", NUM_SLOTS), 0, MOST, "Lorium stored in each Relic Slot"),
    ("active_relics", ("P", NUM_SLOTS, "R"), 0, 1, "the Active Relic Card of each slot, by design"),
    ("reserve", ("P", _UNITS), 0, MOST, "Units in Reserve; those chosen to be Deployed are among them"),
    ("missing", ("P", _UNITS), 0, MOST, "pieces missing from the stock (L5)"),
    ("captured", ("P", "P", _UNITS), 0, MOST, "Captured Units: holder, owner, type"),
    ("blueprints", ("P", _MODULES), 0, 1, "Blueprints Acquired"),
    ("modules", ("P", _MODULES), 0, 1, "Modules built"),
    ("played", ("P", NUM_COLUMNS, len(CommandCard)), 0, 1, "Command Card face up in each Column"),
    ("burned", ("P", NUM_COLUMNS), 0, 1, "a Command Card is Burned there"),
    ("discovery_count", ("P",), 0, MOST, "Discovery Cards in hand"),
    ("relic_count", ("P",), 0, MOST, "Inactive Relic Cards"),
    ("faction_tokens", ("P",), 0, MOST, "the counter of the Faction"),
    (
        "used_up",
        ("P", NUM_SLOTS + _FACTION_RULES),
        0,
        1,
        "standing rules used up for the round or cycle: of the slots' Relics, of the Faction",
    ),
    ("launched", ("P",), 0, 1, "has Launched"),
    ("final_turn", ("P",), 0, 1, "has a final turn left (L4.4)"),
    ("grants", ("P", len(Mod)), 0, MOST, "temporary modifiers in force, by `Mod`: how many grants hold one"),
    ("own_commands", (len(CommandCard),), 0, 1, "the observer's Command Cards in hand"),
    ("own_burned", (NUM_COLUMNS, len(CommandCard)), 0, 1, "the observer's Burned card in each Column"),
    ("own_discovery", ("D",), 0, MOST, "the observer's Discovery Cards in hand, by design"),
    ("own_relics", ("R",), 0, MOST, "the observer's Inactive Relic Cards, by design"),
    ("looked_discovery", ("D",), 0, 1, "`SCRY_PUT`: the card that the observer puts away, by design"),
    ("looked_relics", ("R",), 0, 1, "`SCRY_PUT`: the same of a Relic Card"),
)

A = TypeVar("A", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Field:
    """One field: ``observation[field.slice].reshape(field.shape)``."""

    name: str
    start: int
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers."""
        return prod(self.shape)

    @property
    def slice(self) -> slice:
        """Where they are in the flat array."""
        return slice(self.start, self.start + self.size)


class ObservationSpec:
    """Where everything is in the observations of a game; shared by all games of like size.

    ``fields`` maps names to :class:`Field`, in order; ``shape`` is ``(size,)``; ``num_planes`` tells how many
    planes come first.
    """

    dtype: Final = np.dtype(np.int8)

    def __init__(self, dims: dict[str, int]) -> None:
        self.dims = dims
        self.fields: dict[str, Field] = {}
        at = planes = 0
        for name, letters, low, high, meaning in FIELDS:
            shape = tuple(dims[n] if isinstance(n, str) else n for n in letters)
            most = dims[high] if isinstance(high, str) else high
            field = Field(name, at, shape, low, most, meaning)
            self.fields[name] = field
            at += field.size
            if letters[-1] == "S":
                planes += field.size // NUM_SPACES
        self.size = at
        self.num_planes = planes
        self.shape = (at,)

    def __repr__(self) -> str:
        return f"<observations of {self.size} int8: {self.num_planes} planes, {len(self.fields)} fields>"

    def view(self, observation: npt.NDArray[A], name: str) -> npt.NDArray[A]:
        """A field of an observation, or of many (any leading dimensions): a view in the field's shape."""
        field = self.fields.get(name) if isinstance(name, str) else None
        if field is None:
            from cysmic_fast.names import suggest

            hint = suggest(name, self.fields) if isinstance(name, str) else ""
            raise OptionError(f"field {shown(name)} given; allowed: {', '.join(self.fields)}{hint}")
        seen = self._checked(observation)
        return seen[..., field.slice].reshape(*seen.shape[:-1], *field.shape)

    def views(self, observation: npt.NDArray[A]) -> dict[str, npt.NDArray[A]]:
        """All fields by name, as :meth:`view` gives them."""
        return {name: self.view(observation, name) for name in self.fields}

    def planes(self, observation: npt.NDArray[A]) -> npt.NDArray[A]:
        """All planes: a view of shape (..., num_planes, 127)."""
        seen = self._checked(observation)
        last = self.num_planes * NUM_SPACES
        return seen[..., :last].reshape(*seen.shape[:-1], self.num_planes, NUM_SPACES)

    def vector(self, observation: npt.NDArray[A]) -> npt.NDArray[A]:
        """All that is no plane: a view of shape (..., size - 127 * num_planes)."""
        return self._checked(observation)[..., self.num_planes * NUM_SPACES :]

    @cached_property
    def low(self) -> npt.NDArray[np.int8]:
        """The lowest value of each number, shape (size,)."""
        return self._bound("low")

    @cached_property
    def high(self) -> npt.NDArray[np.int8]:
        """The highest value of each number, shape (size,)."""
        return self._bound("high")

    def _bound(self, which: str) -> npt.NDArray[np.int8]:
        bounds = np.empty(self.shape, dtype=np.int8)
        for field in self.fields.values():
            bounds[field.slice] = getattr(field, which)
        bounds.flags.writeable = False
        return bounds

    def _checked(self, observation: npt.NDArray[A]) -> npt.NDArray[A]:
        if not isinstance(observation, np.ndarray) or observation.shape[-1:] != self.shape:
            allowed = f"arrays of shape (..., {self.size})"
            raise OptionError(f"observation: {shown(observation)} given; allowed: {allowed}")
        return observation


def token_names(content: Content) -> list[str]:
    """The names of the Fracture Tokens, each once, in token order: field ``bag``."""
    return list(dict.fromkeys(token.name for token in content.tokens))


def make_spec(options: GameOptions, content: Content) -> ObservationSpec:
    """The layout for options and content."""
    return ObservationSpec(
        {
            "S": NUM_SPACES,
            "P": options.players,
            "D": len(content.discovery),
            "R": len(content.relics),
            "F": len(content.factions),
            "T": len(token_names(content)),
            "U": content.limits.capacity_units,
        }
    )


def observation_spec(game: Game) -> ObservationSpec:
    """Names, slices, shapes, ranges and meanings of the fields of a game's observations."""
    from cysmic_fast.game import BaseGame

    if not isinstance(game, BaseGame):
        raise OptionError(f"game: {shown(game)} given; allowed: a game of load_game")
    return make_spec(game.options, game.content)


def check_room(out: Any, shape: tuple[int, ...], dtype: np.dtype[Any], what: str = "out") -> None:
    """OptionError unless ``out`` can be written to in place: exactly this array, in C order."""
    if not isinstance(out, np.ndarray):
        found = shown(out)
    elif isinstance(out, np.ma.MaskedArray):
        found = "a masked array"
    elif out.dtype != dtype:
        found = f"dtype {out.dtype}"
    elif out.shape != shape:
        found = f"shape {out.shape}"
    elif not out.flags.c_contiguous:
        found = "an array not in C order"
    elif not out.flags.writeable:
        found = "a read-only array"
    else:
        return
    allowed = f"a writeable C-contiguous {dtype} array of shape {shape}"
    raise OptionError(f"{what}: {found} given; allowed: {allowed}")
