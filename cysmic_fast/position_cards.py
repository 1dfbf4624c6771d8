"""What card effects add to a position document: Confused Troops, counters, ``once`` flags, grants.

Mixed into the reader of :mod:`cysmic_fast.position`, which gives the tools used here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cysmic_fast.content.effect_words import Duration, Once
from cysmic_fast.content.effects import Grant, Modifier, Program, Rule, Store
from cysmic_fast.content.schema import canonical_json
from cysmic_fast.content.written import read_modifiers, written_modifier

if TYPE_CHECKING:
    from cysmic_fast.content.types import Content

__all__ = ["CardsReader", "grant_order", "lasting_grants", "most_stored"]

#: Bound of a counter; far above what play can reach.
MAX_TOKENS: Final = 9999

T = TypeVar("T")


def _programs(content: Content) -> Iterator[Program]:
    for card in content.discovery:
        yield from (program for program in (card.ability, card.effect) if program is not None)
    rules = [rule for relic in content.relics for rule in relic.rules]
    rules += [rule for faction in content.factions for rule in faction.rules]
    yield from (rule.program for rule in rules if rule.program is not None)


def lasting_grants(content: Content) -> tuple[tuple[Modifier, ...], ...]:
    """Modifiers of every ``grant`` of the pack that outlasts a turn, each once, as the pack has them."""
    found = dict.fromkeys(
        step.mods
        for program in _programs(content)
        for step in program.walk()
        if isinstance(step, Grant) and step.duration == Duration.ROUND
    )
    return tuple(found)


def most_stored(content: Content) -> int:
    """The most Lorium that a card of the pack lets somebody keep in one slot."""
    steps = (step for program in _programs(content) for step in program.walk())
    return max((step.n for step in steps if isinstance(step, Store)), default=0)


def grant_order(grant: Mapping[str, Any]) -> tuple[Any, ...]:
    """Sorting key of grants in a canonical document."""
    return grant["player"], grant["by"], grant["for"], canonical_json(grant["mods"])


class CardsReader:
    """The part of the reader for cards; the tools are those of ``position._Reader``."""

    content: Content
    setup: bool
    bad: Callable[[str, object, str], None]
    by_key: Callable[..., dict[int, tuple[str, Any]]]
    flag: Callable[[object, str], bool]
    integer: Callable[..., Any]
    items: Callable[..., list[Any]]
    seat: Callable[[object, str], int | None]
    space: Callable[[object, str], int | None]
    table: Callable[[object, str, Sequence[str]], Mapping[str, Any]]
    word: Callable[[object, str, Sequence[str]], str | None]

    # ------------------------------------------------------------ players
    def confused(self, value: object, path: str, units: Iterable[Sequence[Any]]) -> list[list[Any]]:
        """``[[space, [soldiers, miners, speakers]], …]``: how many of the Troops are Confused (U4.5)."""
        there = {s: counts for s, counts in units}  # noqa: C416 - the pairs are lists
        found = []
        given = self.by_key(value, path, "space, [soldiers, miners, speakers]", self.space)
        for s in sorted(given):
            at, item = given[s]
            counts = self._three(item, at, there.get(s, [0] * 5)[:3])
            if sum(counts):
                found.append([s, counts])
        return found

    def _three(self, value: object, path: str, most: Sequence[int]) -> list[int]:
        names = ("soldier", "miner", "speaker")
        if isinstance(value, Mapping):
            known = self.table(value, path, names)
            value = [known.get(name, 0) for name in names]
        if not isinstance(value, (list, tuple)) or len(value) != 3:
            self.bad(path, value, "[soldiers, miners, speakers]")
            return [0] * 3
        return [self.integer(n, f"{path}[{t}]", 0, most[t], 0) for t, n in enumerate(value)]

    def tokens(self, value: object, path: str, faction: str | None) -> int:
        """The counter of the Faction, 0 if it has none."""
        counted = any(f.id == faction and f.token for f in self.content.factions)
        found: int = self.integer(value, path, 0, MAX_TOKENS if counted else 0, 0)
        return found

    def once(
        self, value: object, path: str, faction: str | None, slots: Sequence[Any], *, moving: bool
    ) -> list[list[Any]]:
        """Standing rules used up for longer than a turn: ``["F", rule]``, ``["R", slot]``.

        Flags of kind ``turn`` are free when a turn starts; of the player whose turn it is (``moving``) also
        those of kind ``round``.
        """
        spent = self._spendable(faction, slots, moving=moving)
        found = []
        for i, item in enumerate(self.items(value, path)):
            pair = list(item) if isinstance(item, (list, tuple)) else item
            if pair not in spent:
                known = ", ".join(map(str, spent)) or "nothing"
                self.bad(f"{path}[{i}]", item, f"a rule that can be used up now: {known}")
            elif pair in found:
                self.bad(f"{path}[{i}]", item, "each only once")
            else:
                found.append(pair)
        return sorted(found)

    def _spendable(self, faction: str | None, slots: Sequence[Any], *, moving: bool) -> list[list[Any]]:
        lasting = (Once.CYCLE,) if moving else (Once.ROUND, Once.CYCLE)
        if self.setup:
            return []

        def lasts(rule: Rule) -> bool:
            return rule.trigger is not None and rule.trigger.once in lasting

        found: list[list[Any]] = []
        for spec in self.content.factions:
            if spec.id == faction:
                found += [["F", i] for i, rule in enumerate(spec.rules) if lasts(rule)]
        relics = {relic.id: relic for relic in self.content.relics}
        for i, slot in enumerate(slots):
            relic = relics.get(slot["relic"]) if slot and "relic" in slot else None
            if relic is not None and any(map(lasts, relic.rules)):
                found.append(["R", i])
        return found

    # ------------------------------------------------------------ the whole document
    def grants(self, value: object, current: int) -> list[dict[str, Any]]:
        """Grants for a round in force when the turn of ``current`` starts."""
        terrains = self.content.planet.terrains
        known = lasting_grants(self.content)
        found: list[dict[str, Any]] = []
        for i, item in enumerate(self.items(value, "grants", most=self.content.limits.grants)):
            path = f"grants[{i}]"
            d = self.table(item, path, ("player", "by", "mods", "for"))
            missing = [key for key in ("player", "by", "mods") if key not in d]
            if missing:
                self.bad(path, item, f"{', '.join(missing)} too")
                continue
            player, by = self.seat(d["player"], f"{path}.player"), self.seat(d["by"], f"{path}.by")
            if "for" in d:
                self.word(d["for"], f"{path}.for", ("round",))
            if self.setup:
                self.bad(path, item, "no grants in set-up")
            elif by == current:
                self.bad(f"{path}.by", by, "another seat: grants of the player whose turn starts end")
            mods = read_modifiers(d["mods"], self.bad, terrains, f"{path}.mods")
            if mods and mods not in known:
                listed = [[written_modifier(m, terrains) for m in mods_] for mods_ in known]
                self.bad(f"{path}.mods", d["mods"], f"those of a grant for a round in this pack: {listed}")
            written = [written_modifier(m, terrains) for m in mods]
            found.append({"player": player, "by": by, "mods": written, "for": "round"})
        return sorted(found, key=grant_order) if all(None not in g.values() for g in found) else []
