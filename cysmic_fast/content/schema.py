"""Typed layouts of TOML files: checking, layering and provenance, independent of what the values mean.

A layout is a tree of :class:`Table`, :class:`Cards` and leaves (:class:`Int`, :class:`Word`, ...). Reading
a pack is three steps: :func:`annotate` checks the file of one pack and attaches status and basis to every
value, :func:`merge` lays one pack over another key by key, :func:`finish` finds what is missing and gives
plain values. All defects go to a :class:`Report`; none stops the reading.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

from cysmic_fast.content.types import Entry

STATUSES: Final = ("rulebook", "derived", "inferred", "stand-in", "custom")

#: Words a message lists at most.
MOST_LISTED: Final = 20

#: Keys with a meaning of their own in every table.
RESERVED: Final = ("status", "basis")


class Defect(NamedTuple):
    """One defect of a pack."""

    pack: str  #: name of the pack
    file: str  #: "units.toml"; "" for the pack as a whole
    path: str  #: "soldier.movement"; "" for the file as a whole
    found: str
    allowed: str

    def __str__(self) -> str:
        where = "/".join(part for part in (self.pack, self.file) if part)
        path = f": {self.path}" if self.path else ""
        return f"{where}{path}: found {self.found}; allowed: {self.allowed}"


@dataclass(slots=True)
class Report:
    """Collects defects, each once, in the order in which they are found."""

    defects: list[Defect] = field(default_factory=list)

    def add(self, pack: str, file: str, path: str, found: str, allowed: str) -> None:
        """Report one defect."""
        defect = Defect(pack, file, path, found, allowed)
        if defect not in self.defects:
            self.defects.append(defect)

    def touches(self, file: str, path: str = "") -> bool:
        """Whether a defect lies at, below or above ``path`` of ``file``."""
        for defect in self.defects:
            if defect.file in (file, "") and (
                not path or not defect.path or within(defect.path, path) or within(path, defect.path)
            ):
                return True
        return False


def within(path: str, prefix: str) -> bool:
    """Whether dotted ``path`` is ``prefix`` or lies below it."""
    return path == prefix or path.startswith(prefix + ".")


def show(value: object, limit: int = 60) -> str:
    """A short repr of a TOML value for messages; None, which TOML cannot write, is an absent one."""
    if value is None:
        return "nothing"
    try:
        text = repr(value)
    except ValueError:  # an integer too long to print
        text = "an integer of thousands of digits"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def one_of(words: Iterable[object]) -> str:
    """Words for a message, texts quoted."""
    return ", ".join(repr(word) if isinstance(word, str) else str(word) for word in words)


def suggest(word: str, words: Iterable[str]) -> str:
    """``allowed`` text for an unknown word: the nearest one first."""
    known = list(words)
    close = get_close_matches(word, known, 1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    listed = known if len(known) <= MOST_LISTED else known[: MOST_LISTED - 1]
    return f"one of {one_of(listed)}{', …' if len(listed) < len(known) else ''}{hint}"


class Invalid(Exception):
    """Raised by a leaf check: ``(allowed,)``, ``(allowed, found)`` or ``(allowed, {path inside: found})``."""


class Leaf(ABC):
    """A single value. Called with what a file holds, gives its effective form or raises :class:`Invalid`."""

    @abstractmethod
    def __call__(self, value: Any) -> Any:
        """Effective form of ``value``. :class:`Invalid` says what is allowed."""


@dataclass(frozen=True)
class Int(Leaf):
    """An integer of a range, some values left out."""

    low: int
    high: int
    but: tuple[int, ...] = ()

    def __call__(self, value: Any) -> int:
        """See :class:`Leaf`."""
        if type(value) is not int or not self.low <= value <= self.high or value in self.but:
            without = f" without {one_of(self.but)}" if self.but else ""
            span = str(self.low) if self.low == self.high else f"an integer from {self.low} to {self.high}"
            raise Invalid(span + without)
        return value


@dataclass(frozen=True)
class Flag(Leaf):
    """True or false."""

    def __call__(self, value: Any) -> bool:
        """See :class:`Leaf`."""
        if type(value) is not bool:
            raise Invalid("true or false")
        return value


@dataclass(frozen=True)
class Text(Leaf):
    """A text of limited length."""

    longest: int = 600
    shortest: int = 1

    def __call__(self, value: Any) -> str:
        """See :class:`Leaf`."""
        if type(value) is not str or not self.shortest <= len(value) <= self.longest:
            raise Invalid(f"a text of {self.shortest} to {self.longest} characters")
        if not value.replace("\n", "").isprintable():  # it must not steer the terminal it is printed on
            raise Invalid("a text of printable characters and line ends")
        return value


@dataclass(frozen=True)
class Word(Leaf):
    """One of several words."""

    words: tuple[str, ...]

    def __call__(self, value: Any) -> str:
        """See :class:`Leaf`."""
        if type(value) is not str or value not in self.words:
            raise Invalid(
                suggest(value, self.words) if type(value) is str else f"one of {one_of(self.words)}"
            )
        return value


@dataclass(frozen=True)
class ListOf(Leaf):
    """A list as one value: a pack that overrides it writes all of it."""

    item: Leaf
    low: int = 0
    high: int = 100
    distinct: bool = False

    def __call__(self, value: Any) -> list[Any]:
        """See :class:`Leaf`."""
        size = f"exactly {self.low}" if self.low == self.high else f"{self.low} to {self.high}"
        if type(value) is not list:
            raise Invalid(f"a list of {size} items")
        if not self.low <= len(value) <= self.high:
            raise Invalid(f"a list of {size} items", f"{len(value)} items")
        out = []
        for place, item in enumerate(value):
            try:
                out.append(self.item(item))
            except Invalid as bad:
                found = bad.args[1] if len(bad.args) > 1 else show(item)
                raise Invalid(f"{bad.args[0]}, for each item", f"{found} as item {place + 1}") from None
        if self.distinct:
            for place, item in enumerate(out):
                if item in out[:place]:
                    raise Invalid("items that are all different", f"{show(item)} twice")
        return out


@dataclass(frozen=True)
class OneOf(Leaf):
    """The first of several leaves that accepts the value."""

    choices: tuple[Leaf, ...]

    def __call__(self, value: Any) -> Any:
        """See :class:`Leaf`."""
        allowed = []
        for choice in self.choices:
            try:
                return choice(value)
            except Invalid as bad:
                if len(bad.args) > 1 and isinstance(bad.args[1], Mapping):
                    raise  # the right kind of value, with a defect inside
                allowed.append(bad.args[0])
        raise Invalid(", or ".join(allowed))


@dataclass(frozen=True)
class Computed(Leaf):
    """A leaf with a function of its own, which raises :class:`Invalid`."""

    function: Callable[[Any], Any]

    def __call__(self, value: Any) -> Any:
        """See :class:`Leaf`."""
        return self.function(value)


@dataclass(frozen=True)
class Data(Leaf):
    """A program of the effect vocabulary, carried as it is: tables and lists of texts, integers and flags.

    ``item`` is what a table in it is called, lists deeper down have names of their own (:data:`_ITEMS`).
    """

    kind: type = list
    item: str = "step"

    def __call__(self, value: Any) -> Any:
        """See :class:`Leaf`."""
        parts = "texts, integers, true and false, lists and tables"
        if not isinstance(value, self.kind) or not value:
            raise Invalid(f"a {'list' if self.kind is list else 'table'} that is not empty, of {parts}")
        odd = dict(_odd(value, "", self.item))
        if odd:
            raise Invalid(parts, odd)
        return value


#: What the items of some lists are called in the paths of messages; of all others that hold tables: step.
_ITEMS: Final = {"options": "option", "rules": "rule", "mods": "mod"}


def _odd(value: Any, path: str, item: str) -> Iterator[tuple[str, str]]:
    """Path and text of everything in a program that is no text, integer or flag."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _odd(inner, f"{path}.{key}", _ITEMS.get(key, "step"))
    elif isinstance(value, list):
        for place, inner in enumerate(value, 1):
            named = isinstance(inner, (Mapping, list))
            yield from _odd(inner, f"{path}.{item} {place}" if named else path, "step")
    elif type(value) not in (str, int, bool):
        yield path.removeprefix("."), show(value)


@dataclass(frozen=True)
class Table:
    """A table with fixed keys; those in ``optional`` may be absent."""

    keys: Mapping[str, Leaf | Table | Cards]
    optional: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Cards:
    """A list of tables, each known by its value of ``key``, in order."""

    key: str
    name: Leaf
    card: Table


Node = Leaf | Table | Cards


class Value(NamedTuple):
    """An annotated leaf."""

    raw: Any
    effective: Any
    status: str
    basis: str
    pack: str


@dataclass(slots=True)
class CardTree:
    """One card in a layer: its keys, whether it takes the card away, and the pack that wrote it."""

    keys: dict[str, Any]
    remove: bool
    pack: str


# An annotated tree: Value for a leaf, dict for a table, dict[name, CardTree] for cards.
Tree = dict[str, Any]


@dataclass(frozen=True)
class Source:
    """Where :func:`annotate` is, and what it has inherited."""

    pack: str
    file: str
    report: Report
    path: tuple[str, ...] = ()
    status: str = ""
    basis: str = ""

    def at(self, key: str) -> Source:
        """The place of ``key`` in this table."""
        return replace(self, path=(*self.path, key))

    def inherit(self, table: Mapping[str, Any]) -> Source:
        """This place with the status and basis that ``table`` gives. A new status forgets the basis."""
        status, basis = self.status, self.basis
        if "status" in table:
            if table["status"] in STATUSES:
                status, basis = table["status"], ""
            else:
                self.at("status").bad(show(table["status"]), f"one of {one_of(STATUSES)}")
        if "basis" in table:
            if type(table["basis"]) is str:
                basis = table["basis"]
            else:
                self.at("basis").bad(show(table["basis"]), "a text")
        return replace(self, status=status, basis=basis)

    def bad(self, found: str, allowed: str) -> None:
        """Report a defect here."""
        self.report.add(self.pack, self.file, ".".join(self.path), found, allowed)


def annotate(node: Table, raw: Mapping[str, Any], source: Source) -> Tree:
    """Check one table of one pack; what is wrong is reported and left out."""
    source = source.inherit(raw)
    tree: Tree = {}
    for key, value in raw.items():
        if key in RESERVED:
            continue
        here = source.at(key)
        below = node.keys.get(key)
        if below is None:
            here.bad(f"unknown key {key!r}", suggest(key, [*node.keys, *RESERVED]))
        elif isinstance(below, Leaf):
            leaf = _annotate_leaf(below, value, here)
            if leaf is not None:
                tree[key] = leaf
        elif isinstance(below, Table):
            if isinstance(value, Mapping):
                tree[key] = annotate(below, value, here)
            else:
                here.bad(show(value), f"a table with {one_of(below.keys)}")
        else:
            tree[key] = _annotate_cards(below, value, here)
    return tree


def _annotate_leaf(node: Leaf, raw: Any, source: Source) -> Value | None:
    if isinstance(raw, Mapping) and "value" in raw:
        source = source.inherit(raw)
        for key in raw:
            if key != "value" and key not in RESERVED:
                source.at(key).bad(f"unknown key {key!r}", suggest(key, ["value", *RESERVED]))
        raw = raw["value"]
    try:
        effective = node(raw)
    except Invalid as bad:
        found = bad.args[1] if len(bad.args) > 1 else show(raw)
        for path, part in found.items() if isinstance(found, Mapping) else [("", found)]:
            (source.at(path) if path else source).bad(part, bad.args[0])
        return None
    return Value(raw, effective, source.status, source.basis, source.pack)


def _annotate_cards(node: Cards, raw: Any, source: Source) -> dict[str, CardTree]:
    cards: dict[str, CardTree] = {}
    if not isinstance(raw, list) or not all(isinstance(card, Mapping) for card in raw):
        source.bad(show(raw), f"a list of tables, each with {node.key!r}")
        return cards
    for place, card in enumerate(raw):
        try:
            name = str(node.name(card.get(node.key)))
        except Invalid as bad:
            found = show(card[node.key]) if node.key in card else "nothing"
            source.at(f"number {place + 1}").at(node.key).bad(found, bad.args[0])
            continue
        here = card_place(source, name)
        if name in cards:
            here.bad(f"{node.key} {name!r} twice", f"each {node.key} once in a file")
            continue
        rest = {key: value for key, value in card.items() if key not in (node.key, "remove")}
        remove = card.get("remove", False)
        if type(remove) is not bool:
            here.at("remove").bad(show(remove), "true or false")
            continue
        if remove and rest:
            here.at("remove").bad("true beside other keys", f"nothing but {node.key} in a card to be removed")
            continue
        cards[name] = CardTree(annotate(node.card, rest, here), remove, source.pack)
    return cards


def card_place(source: Source, name: str) -> Source:
    """Cards of a file are called by their id alone; lists deeper down keep their key."""
    return replace(source, path=(name,) if len(source.path) == 1 else (*source.path, name))


def merge(node: Table, below: Tree, above: Tree, source: Source) -> Tree:
    """Lay ``above`` over ``below``: every value that it writes replaces the one below, all others stay."""
    tree = dict(below)
    for key, value in above.items():
        kind = node.keys[key]
        if isinstance(kind, Leaf):
            tree[key] = value
        elif isinstance(kind, Table):
            tree[key] = merge(kind, tree.get(key, {}), value, source.at(key))
        else:
            tree[key] = _merge_cards(kind, tree.get(key, {}), value, source.at(key))
    return tree


def _merge_cards(
    node: Cards, below: dict[str, CardTree], above: dict[str, CardTree], source: Source
) -> dict[str, CardTree]:
    cards = dict(below)
    for name, card in above.items():
        here = card_place(source, name)
        if not card.remove:
            lower = cards.get(name, CardTree({}, False, card.pack))
            cards[name] = CardTree(merge(node.card, lower.keys, card.keys, here), False, lower.pack)
        elif name in cards:
            del cards[name]
        else:
            here.bad(f"remove of unknown {node.key} {name!r}", suggest(name, cards))
    return cards


def finish(node: Table, tree: Tree, source: Source, entries: list[Entry]) -> dict[str, Any]:
    """Plain effective values of a merged tree.

    Missing keys are reported and left out, incomplete cards too; an absent optional key gives no value.
    Provenance goes to ``entries``, in the order of the layout.
    """
    out: dict[str, Any] = {}
    for key, kind in node.keys.items():
        here = source.at(key)
        if isinstance(kind, Leaf):
            value: Value | None = tree.get(key)
            path = ".".join(here.path)
            if value is not None:
                entries.append(
                    Entry(f"{source.file}: {path}", value.raw, value.status, value.basis, value.pack)
                )
                out[key] = value.effective
            elif key not in node.optional and not source.report.touches(source.file, path):
                here.bad("nothing", f"{key!r} is required")
        elif isinstance(kind, Table):
            out[key] = finish(kind, tree.get(key, {}), here, entries)
        else:
            cards = []
            for name, card in tree.get(key, {}).items():
                place = card_place(replace(here, pack=card.pack), name)
                keys = finish(kind.card, card.keys, place, entries)
                if is_complete(kind.card, keys):
                    cards.append({kind.key: name, **keys})
            out[key] = cards
    return out


def is_complete(node: Table, values: Mapping[str, Any]) -> bool:
    """Whether finished values lack no required key."""
    return all(
        key in values
        if isinstance(kind, Leaf)
        else not isinstance(kind, Table) or is_complete(kind, values[key])
        for key, kind in node.keys.items()
        if key not in node.optional
    )


def canonical_json(value: Any) -> str:
    """JSON with sorted keys, no spaces, ASCII only: the same text on every platform."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=_plain_form)


def _plain_form(value: Any) -> Any:
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"no canonical form for {value!r}")
