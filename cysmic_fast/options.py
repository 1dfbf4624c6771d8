"""Options of a game: what is fixed before set-up (S1.6)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from numbers import Integral
from typing import TYPE_CHECKING, Any, Final, NoReturn

from cysmic_fast.errors import OptionError
from cysmic_fast.names import shown, suggest
from cysmic_fast.vocabulary import MAX_PLAYERS, Colour, UnitType

if TYPE_CHECKING:
    from cysmic_fast.content import Content

__all__ = ["COLOURS", "END_TRIGGERS", "LAUNCHES", "MODES", "GameOptions", "make_options", "parse_ending"]

MODES: Final = ("competitive",)
LAUNCHES: Final = ("base", "build_it", "guilty", "guilty_ignore_captives")
END_TRIGGERS: Final = ("immediate", "simultaneous", "equality")
COLOURS: Final = tuple(colour.name.lower() for colour in Colour)
#: Unit types that Echoes of Humanity can take away (L5).
ECHO_TYPES: Final = tuple(kind.name.lower() for kind in UnitType if kind != UnitType.SHIP)

#: Most pieces of a type in a stock, whatever the content pack (S1.3).
_ECHO_MAX: Final = (10, 6, 5, 2, 2)

Echoes = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions:
    """Options of a game, validated, immutable, hashable.

    Every field accepts what its default shows; ``colours`` and ``echoes`` also accept the forms given below.

    Raises
    ------
    OptionError
        Naming the option, what was given and what is allowed.
    """

    #: Game mode.
    mode: str = "competitive"
    #: Number of players, 2 to 6 (S1.1).
    players: int = 4
    #: Distinct colour names by seat, any sequence; default: the first ``players`` of :class:`Colour`.
    colours: tuple[str, ...] = ()
    #: Factions are dealt and chosen (S4.5); otherwise everybody has the generic set-up.
    factions: bool = False
    #: Molten Core cards are in the decks (S3.5).
    molten_core: bool = False
    #: Planetary Events are in the Discovery Deck (S3.8, D4).
    events: bool = False
    #: Not available; kept so that saved options stay readable once it is.
    espionage: bool = False
    #: Additional Acquired Blueprints of S5.1: 0 (variant off), 1 (2 or 3 players), 2 (2 players).
    blueprint_variant: int = 0
    #: Launch condition (L1, L4.1 to L4.3).
    launch: str = "base"
    #: End trigger (L4.4, L4.5).
    end_trigger: str = "immediate"
    #: Resource Trading takes place (G5).
    trading: bool = True
    #: Card, Relic and Faction Abilities and the effects of Planetary Events work (docs/cards.md). Without
    #: them a Discovery Card is played for its Rewards or as a modifier only, Relics are goods, Events have no
    #: effect. The reference engine alone plays them so far.
    abilities: bool = True
    #: Pieces missing by Echoes of Humanity (L5), for each seat five numbers in order of Unit type. Accepts a
    #: mapping of seats, or a sequence by seat, to mappings of type names to numbers: ``{0: {"miner": 2}}``.
    echoes: Echoes = ()
    #: Rounds after which the game is cut off, 1 to 1000; None: the content pack's cap.rounds (T1.9).
    max_rounds: int | None = None

    def __post_init__(self) -> None:
        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        put("mode", _word("mode", self.mode, MODES))
        put("players", _integer("players", self.players, 2, MAX_PLAYERS))
        put("colours", _colours(self.colours, self.players))
        for name in ("factions", "molten_core", "events", "espionage", "trading", "abilities"):
            put(name, _flag(name, getattr(self, name)))
        if self.espionage:
            _bad("espionage", True, "False; the Espionage expansion is not available")
        put("blueprint_variant", _integer("blueprint_variant", self.blueprint_variant, 0, 2))
        most = max(0, min(2, 4 - self.players))
        if self.blueprint_variant > most:
            allowed = f"0 to {most}" if most else "0"
            _bad("blueprint_variant", self.blueprint_variant, f"{allowed} with {self.players} players (S5.1)")
        put("launch", _word("launch", self.launch, LAUNCHES))
        put("end_trigger", _word("end_trigger", self.end_trigger, END_TRIGGERS))
        put("echoes", _echoes(self.echoes, self.players))
        if self.max_rounds is not None:
            put("max_rounds", _integer("max_rounds", self.max_rounds, 1, 1000, "or None"))

    @property
    def ending(self) -> str:
        """Launch condition and end trigger in one word, as :func:`parse_ending` reads it."""
        parts = [self.launch] if self.launch != "base" or self.end_trigger == "immediate" else []
        return "+".join(parts + ([self.end_trigger] if self.end_trigger != "immediate" else []))

    @property
    def colour_ids(self) -> tuple[Colour, ...]:
        """Colours by seat."""
        return tuple(Colour[colour.upper()] for colour in self.colours)

    def rounds_cap(self, content: Content) -> int:
        """Round after which the game is cut off (T1.9); OptionError for what is no Content."""
        _check_content(content)
        return content.limits.rounds if self.max_rounds is None else self.max_rounds

    def check(self, content: Content) -> None:
        """Raise :class:`OptionError` if the options ask for more than ``content`` holds, or it is none."""
        _check_content(content)
        limits = content.limits
        if not limits.players_min <= self.players <= limits.players_max:
            span = f"{limits.players_min} to {limits.players_max}"
            _bad("players", self.players, f"{span} with content pack {content.name!r}")
        for seat, missing in enumerate(self.echoes):
            for kind, number in zip(content.units, missing, strict=False):
                if number > kind.supply:
                    name = kind.type.name.lower()
                    _bad("echoes", f"{number} {name} missing in seat {seat}", f"at most {kind.supply}")

    def to_dict(self) -> dict[str, Any]:
        """JSON-able form of all options; :meth:`from_dict` reads it back."""
        out = {spec.name: getattr(self, spec.name) for spec in dataclasses.fields(self)}
        out["colours"] = list(self.colours)
        out["echoes"] = [
            {kind: number for kind, number in zip(ECHO_TYPES, missing, strict=True) if number}
            for missing in self.echoes
        ]
        return out

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> GameOptions:
        """Options of :meth:`to_dict`, or of any mapping of option names; absent ones have their default."""
        if not isinstance(options, Mapping):
            raise OptionError(
                f"options: {shown(options)} given; allowed: a mapping of option names to values"
            )
        return make_options(**_checked_names(options))


def make_options(mode: str = "competitive", **options: Any) -> GameOptions:
    """Options from keyword arguments, with ``ending`` as a short form of ``launch`` and ``end_trigger``.

    >>> make_options(players=3, ending="guilty+simultaneous").launch
    'guilty'

    Raises
    ------
    OptionError
        For an unknown option name, with the nearest known one, and for values as in :class:`GameOptions`.
    """
    _checked_names(options)
    if "ending" in options:
        for name in ("launch", "end_trigger"):
            if name in options:
                raise OptionError(f"options 'ending' and {name!r} given; allowed: one or the other")
        options["launch"], options["end_trigger"] = parse_ending(options.pop("ending"))
    return GameOptions(mode=mode, **options)


def parse_ending(ending: str) -> tuple[str, str]:
    """Launch condition and end trigger of a text like ``base``, ``equality``, ``guilty+simultaneous``.

    Whichever half is left out is ``base`` or ``immediate``.
    """
    allowed = f"one of {_words(LAUNCHES)}, one of {_words(END_TRIGGERS)}, or both joined by '+'"
    if not isinstance(ending, str):
        _bad("ending", ending, allowed)
    words = [word.strip() for word in ending.split("+")]
    launch = [word for word in words if word in LAUNCHES]
    trigger = [word for word in words if word in END_TRIGGERS]
    if len(launch) + len(trigger) < len(words) or len(launch) > 1 or len(trigger) > 1:
        _bad("ending", ending, allowed)
    return (launch or ["base"])[0], (trigger or ["immediate"])[0]


def _checked_names(options: Mapping[str, Any]) -> dict[str, Any]:
    known = [spec.name for spec in dataclasses.fields(GameOptions)]
    for name in options:
        if name not in known and name != "ending":
            hint = suggest(name, [*known, "ending"]) if isinstance(name, str) else ""
            raise OptionError(f"unknown option {shown(name)}{hint} (options: {', '.join(known)}, ending)")
    return dict(options)


def _words(words: Iterable[str]) -> str:
    return ", ".join(map(repr, words))


def _bad(name: str, given: object, allowed: str) -> NoReturn:
    raise OptionError(f"option {name!r}: {shown(given)} given; allowed: {allowed}")


def _check_content(content: object) -> None:
    from cysmic_fast.content.types import Content

    if not isinstance(content, Content):
        _bad("content", content, "a Content (load_content)")


def _integer(name: str, value: object, low: int, high: int, also: str = "") -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or not low <= int(value) <= high:
        _bad(name, value, f"an integer from {low} to {high} {also}".rstrip())
    return int(value)


def _flag(name: str, value: object) -> bool:
    # NumPy's bool is no bool, and 0 and 1 are no flags.
    if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):
        _bad(name, value, "True or False")
    return bool(value)


def _word(name: str, value: object, words: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in words:
        _bad(name, value, _words(words) + (suggest(value, words) if isinstance(value, str) else ""))
    return str(value)


def _colours(value: object, players: int) -> tuple[str, ...]:
    allowed = f"{players} different names out of {_words(COLOURS)}"
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        _bad("colours", value, allowed)
    try:
        names = tuple(islice(value, MAX_PLAYERS + 1))  # an iterator may have no end
    except Exception:  # whatever one may raise
        _bad("colours", value, allowed)
    if not names:
        return COLOURS[:players]
    if any(not isinstance(name, str) or name not in COLOURS for name in names):
        _bad("colours", value, allowed)
    if len(names) != players or len(set(names)) != players:
        _bad("colours", value, allowed)
    return tuple(map(str, names))


def _echoes(value: object, players: int) -> Echoes:
    allowed = (
        f"for seats 0 to {players - 1} a mapping of {_words(ECHO_TYPES)} to numbers up to {list(_ECHO_MAX)}"
    )
    seats: dict[int, object] = {}
    if value is None:
        return ((0,) * len(ECHO_TYPES),) * players
    if isinstance(value, Mapping):
        for seat, missing in value.items():
            if isinstance(seat, bool) or not isinstance(seat, Integral) or not 0 <= int(seat) < players:
                _bad("echoes", value, allowed)
            seats[int(seat)] = missing
    elif isinstance(value, Sequence) and not isinstance(value, (str, bytes)) and len(value) in (0, players):
        seats = dict(enumerate(value))
    else:
        _bad("echoes", value, allowed)
    return tuple(_missing(seats.get(seat), value, allowed) for seat in range(players))


def _missing(missing: object, given: object, allowed: str) -> tuple[int, ...]:
    if missing is None:
        return (0,) * len(ECHO_TYPES)
    if isinstance(missing, Mapping):
        if any(kind not in ECHO_TYPES for kind in missing):
            _bad("echoes", given, allowed)
        numbers: list[object] = [missing.get(kind, 0) for kind in ECHO_TYPES]
    elif (
        isinstance(missing, Sequence)
        and not isinstance(missing, (str, bytes))
        and len(missing) == len(ECHO_TYPES)
    ):
        numbers = list(missing)
    else:
        _bad("echoes", given, allowed)
    for number, most in zip(numbers, _ECHO_MAX, strict=True):
        if isinstance(number, bool) or not isinstance(number, Integral) or not 0 <= int(number) <= most:
            _bad("echoes", given, allowed)
    return tuple(int(number) for number in numbers)  # type: ignore[call-overload]
