"""Names of everything that has a number: actions, spaces, decisions, chance kinds.

``docs/protocol.md``, section 2, lists them. All functions are pure; those that need printed names (terrains,
Modules, cards) take a :class:`~cysmic_fast.content.types.Content`. What is unknown raises an error of our
family naming the closest match: :class:`~cysmic_fast.errors.IllegalActionError` for actions and decisions,
:class:`~cysmic_fast.errors.ChanceError` for chance kinds, :class:`~cysmic_fast.errors.PositionError` for
spaces.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from enum import IntEnum
from numbers import Integral
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from cysmic_fast import vocabulary as v
from cysmic_fast.errors import ChanceError, CysmicError, IllegalActionError, PositionError

if TYPE_CHECKING:
    from cysmic_fast.content.types import Content

__all__ = [
    "CENTRE_NAME",
    "Outcome",
    "ParsedScript",
    "action_id",
    "action_name",
    "card_deck",
    "chance_kind",
    "decision_kind",
    "kind_name",
    "parse_script",
    "parse_space",
    "plain",
    "shown",
    "space_at",
    "space_name",
    "space_number",
    "suggest",
]

#: Name of space 0.
CENTRE_NAME: Final = "colony_city"

_RELIC_DECISIONS: Final = frozenset(
    {
        v.DecisionKind.KEEP_RELIC,
        v.DecisionKind.RELIC_WINDOW,
        v.DecisionKind.RECLAIM_RELIC,
        v.DecisionKind.PAY_RELIC,
        v.DecisionKind.TRADE_RELIC,
        v.DecisionKind.DISCARD_RELIC,
    }
)

#: Ranges whose numbers have names of their own: the enumeration behind each.
_ENUMS: Final[dict[str, type[IntEnum]]] = {
    "resource": v.Resource,
    "unit": v.UnitType,
    "command": v.CommandCard,
    "action": v.CardAction,
    "bonus": v.Bonus,
}

#: Chance kinds whose outcome is an order of several items.
_SHUFFLES: Final = frozenset(
    {
        v.ChanceKind.TERRAIN_LAYOUT,
        v.ChanceKind.FACTION_DEAL,
        v.ChanceKind.DISCOVERY_SHUFFLE,
        v.ChanceKind.RELIC_SHUFFLE,
    }
)

#: A scripted outcome: a name, or for shuffles the names of the first items.
Outcome: TypeAlias = "str | list[str]"
ParsedScript: TypeAlias = "dict[v.ChanceKind, list[Outcome]]"

E = TypeVar("E", bound=IntEnum)


def suggest(word: str, allowed: Iterable[str]) -> str:
    """``"; did you mean 'x'?"`` for the closest allowed word, empty if none is close."""
    close = difflib.get_close_matches(word[:60].lower(), list(allowed), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def shown(value: object, limit: int = 60) -> str:
    """``repr`` for a message: at most ``limit`` characters that can be printed, and never an exception."""
    try:
        text = repr(value)
    except Exception:  # huge integers, endless nesting, a broken __repr__
        text = f"<{type(value).__name__}>"
    text = plain(text[: limit + 1])
    return text if len(text) <= limit else text[: limit - 3] + "..."


def plain(text: str) -> str:
    """A text for a message or a terminal: what is no printable character (controls, escape sequences, marks
    that turn the direction of writing, halves of surrogate pairs) as Python would escape it.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


# ------------------------------------------------------------------ enumerations
def kind_name(kind: IntEnum) -> str:
    """Lower-case name of a decision, chance or event kind: ``"red_die"``."""
    return kind.name.lower()


def _member(enum: type[E], name: object, what: str, error: type[CysmicError]) -> E:
    if not isinstance(name, str):
        raise error(f"a {what} is named by a string, not by {type(name).__name__}")
    found = enum.__members__.get(name.upper())
    if found is None:
        raise error(f"unknown {what} {shown(name)}{suggest(name, [m.lower() for m in enum.__members__])}")
    return found


def decision_kind(name: str) -> v.DecisionKind:
    """The decision kind of a name, any case."""
    return _member(v.DecisionKind, name, "decision kind", IllegalActionError)


def chance_kind(name: str) -> v.ChanceKind:
    """The chance kind of a name, any case."""
    return _member(v.ChanceKind, name, "chance kind", ChanceError)


def parse_script(script: object) -> ParsedScript:
    """Outcomes to come by chance kind (protocol, section 18); ChanceError for anything malformed.

    A mapping of kind names, in lower case, to lists or tuples of outcomes: a name each, for shuffles a list
    or tuple of names. None is the empty script. Whether an outcome can occur is seen when it is drawn.
    """
    if script is None:
        return {}
    if not isinstance(script, Mapping):
        raise ChanceError(f"a script maps chance kinds to lists of outcomes; found {shown(script)}")
    kinds = {kind_name(kind): kind for kind in v.ChanceKind}
    parsed: ParsedScript = {}
    for name, outcomes in script.items():
        kind = kinds.get(name) if isinstance(name, str) else None
        if kind is None:
            hint = suggest(name, kinds) if isinstance(name, str) else ""
            raise ChanceError(f"unknown chance kind {shown(name)}{hint}; known: {', '.join(kinds)}")
        if not isinstance(outcomes, (list, tuple)):
            raise ChanceError(f"script of {name}: a list of outcomes is needed; found {shown(outcomes)}")
        parsed[kind] = [_outcome(kind, outcome) for outcome in outcomes]
    return parsed


def _outcome(kind: v.ChanceKind, outcome: object) -> Outcome:
    if kind in _SHUFFLES:
        if isinstance(outcome, (list, tuple)) and all(isinstance(name, str) for name in outcome):
            return [str(name) for name in outcome]
        allowed = "a list of names"
    else:
        if isinstance(outcome, str):
            return str(outcome)
        allowed = "a name"
    raise ChanceError(f"script of {kind_name(kind)}: each outcome is {allowed}; found {shown(outcome)}")


# ------------------------------------------------------------------ spaces
def space_at(terrain: int, ring: int, offset: int) -> int:
    """Number of a space by terrain (0 to 5), ring (1 to 6) and offset (0 to ring - 1) (P1.7)."""
    return 1 + 3 * ring * (ring - 1) + ring * terrain + offset


def space_name(space: int, content: Content) -> str:
    """Name of a space: ``"colony_city"`` or ``"<terrain>-<ring>-<offset>"`` (P1.3, P1.7)."""
    if not 0 <= space < v.NUM_SPACES:
        raise PositionError(f"there is no space {space}; allowed: 0 to {v.NUM_SPACES - 1}")
    if space == 0:
        return CENTRE_NAME
    ring = next(r for r in range(1, v.NUM_RINGS + 1) if space <= 3 * r * (r + 1))
    terrain, offset = divmod(space - space_at(0, ring, 0), ring)
    return f"{content.planet.terrains[terrain]}-{ring}-{offset}"


def parse_space(name: object, content: Content) -> int | None:
    """Number of a space given as number, digits or name; None if it is nothing of the kind. Never raises."""
    if isinstance(name, bool):
        return None
    if isinstance(name, Integral):
        number = int(name)
        return number if 0 <= number < v.NUM_SPACES else None
    if not isinstance(name, str) or len(name) > 60:
        return None
    if name.isascii() and name.isdigit():
        return int(name) if int(name) < v.NUM_SPACES else None
    if name in (CENTRE_NAME, "centre"):
        return 0
    terrain, _, place = name.partition("-")
    ring_text, _, offset_text = place.partition("-")
    if terrain not in content.planet.terrains or not (ring_text + offset_text).isascii():
        return None
    if not (ring_text.isdigit() and offset_text.isdigit()):
        return None
    ring, offset = int(ring_text), int(offset_text)
    if not (1 <= ring <= v.NUM_RINGS and 0 <= offset < ring):
        return None
    return space_at(content.planet.terrains.index(terrain), ring, offset)


def space_number(name: str | int, content: Content) -> int:
    """Number of a space given by name or number (P1.7)."""
    found = parse_space(name, content)
    if found is None:
        hint = suggest(shown(name), [space_name(s, content) for s in range(v.NUM_SPACES)])
        raise PositionError(
            f"{shown(name)} is no space{hint}; allowed: 0 to {v.NUM_SPACES - 1}, {CENTRE_NAME!r}, "
            "'<terrain>-<ring>-<offset>'"
        )
    return found


# ------------------------------------------------------------------ actions
def card_deck(decision: int | None) -> str:
    """Deck that ``CARD + n`` speaks about in a decision: ``"discovery"``, ``"relics"`` or ``"factions"``."""
    if decision == v.DecisionKind.CHOOSE_FACTION:
        return "factions"
    return "relics" if decision in _RELIC_DECISIONS else "discovery"


def _check_decision(decision: object) -> None:
    """IllegalActionError unless it is a decision kind, as such or as its number, or None."""
    if decision is None or isinstance(decision, v.DecisionKind):
        return
    number = int(decision) if isinstance(decision, Integral) and not isinstance(decision, bool) else -1
    if not 0 <= number < len(v.DecisionKind):
        raise IllegalActionError(
            f"decision {shown(decision)} given; allowed: a DecisionKind, 0 to {len(v.DecisionKind) - 1}, None"
        )


def _deck_ids(content: Content, deck: str) -> list[str]:
    cards: Iterable[object] = getattr(content, deck)
    return [str(card.id) for card in cards]  # type: ignore[attr-defined]


def _range_of(action: int) -> tuple[str, int] | None:
    for name, (first, count) in v.ACTION_RANGES.items():
        if first <= action < first + count:
            return name, action - first
    return None


def action_name(action: int, content: Content, decision: int | None = None) -> str:
    """Name of an action id, such as ``"captive:2:miner"``.

    Cards are named by their id in the deck the decision is about (``"card:D17"``); without a decision, by
    design number (``"card:16"``). IllegalActionError for what is no action or no decision.
    """
    found = None
    _check_decision(decision)
    if not isinstance(action, bool) and isinstance(action, Integral):
        found = _range_of(int(action))
    if found is None:
        raise IllegalActionError(
            f"{shown(action)} is no action; allowed: the ids in vocabulary.ACTION_RANGES"
        )
    kind, number = found
    if v.ACTION_RANGES[kind][1] == 1:
        return kind
    if kind in _ENUMS:
        return f"{kind}:{_ENUMS[kind](number).name.lower()}"
    if kind == "captive":
        return f"captive:{number // 5}:{v.UnitType(number % 5).name.lower()}"
    if kind == "terrain":
        return f"terrain:{content.planet.terrains[number]}"
    if kind == "module":
        return f"module:{content.modules[number].id}"
    if kind == "card" and decision is not None:
        ids = _deck_ids(content, card_deck(decision))
        if number < len(ids):
            return f"card:{ids[number]}"
    return f"{kind}:{number}"


def _unknown(name: str, words: Iterable[str]) -> IllegalActionError:
    return IllegalActionError(f"unknown action {shown(name)}{suggest(name, words)}")


def action_id(name: str, content: Content, decision: int | None = None) -> int:
    """Action id of a name (the inverse of :func:`action_name`).

    Spaces may be named (``"space:savannah-5-4"``), cards given by id or design number. A card id is looked up
    in the deck of ``decision``, without one in every deck. IllegalActionError for what is none.
    """
    _check_decision(decision)
    if not isinstance(name, str):
        raise IllegalActionError(f"an action is named by a string, not by {type(name).__name__}")
    kind, _, rest = name.partition(":")
    if kind not in v.ACTION_RANGES:
        raise _unknown(name, v.ACTION_RANGES)
    first, count = v.ACTION_RANGES[kind]
    if count == 1:
        if rest or ":" in name:
            raise _unknown(name, [kind])
        return first
    number: int | None = None
    words: list[str] = []
    if kind in _ENUMS:
        words = [member.name.lower() for member in _ENUMS[kind] if member < count]
    elif kind == "captive":
        words = [f"{seat}:{v.UnitType(t).name.lower()}" for seat in range(v.MAX_PLAYERS) for t in range(5)]
    elif kind == "terrain":
        words = list(content.planet.terrains)
    elif kind == "module":
        words = [module.id for module in content.modules]
    elif kind == "space":
        number = parse_space(rest, content)
        words = [] if number is not None else [space_name(s, content) for s in range(v.NUM_SPACES)]
    elif kind == "card":
        decks = ["discovery", "relics", "factions"] if decision is None else [card_deck(decision)]
        numbers = {ids.index(rest) for ids in (_deck_ids(content, deck) for deck in decks) if rest in ids}
        if len(numbers) > 1:
            raise IllegalActionError(f"{name!r} is in more than one deck: name the decision")
        number = numbers.pop() if numbers else None
        words = [card for deck in decks for card in _deck_ids(content, deck)]
    if number is None and rest in words and kind != "card":
        number = words.index(rest)
    if number is None and kind not in _ENUMS and rest.isascii() and rest.isdigit() and len(rest) < 4:
        number = int(rest)
    if number is None or not 0 <= number < count:
        allowed = [f"{kind}:{word}" for word in words] or [f"{kind}:{i}" for i in range(count)]
        raise _unknown(name, allowed)
    return first + number
