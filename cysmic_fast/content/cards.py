"""The programs of all cards: compiled, and what is said about several rules together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from cysmic_fast.content.causes import causes
from cysmic_fast.content.compiler import Compiler
from cysmic_fast.content.effect_words import MAX_FACTION_RULES, TERRAIN, Good, Metric, Once
from cysmic_fast.content.effects import Condition, Count, Gain, If, Pay, Program, Rule, TriggerSpec
from cysmic_fast.content.schema import Report
from cysmic_fast.content.settings import ACTION, ANYWHERE, PLANETARY, Setting
from cysmic_fast.content.writers import Place, Writers

Values = Mapping[str, Any]


@dataclass(slots=True)
class Compiled:
    """What is compiled of each card, by id; what has a defect is missing or None."""

    abilities: dict[str, Program | None] = field(default_factory=dict)  #: Discovery Cards
    triggers: dict[str, TriggerSpec | None] = field(default_factory=dict)  #: Reactions
    effects: dict[str, Program | None] = field(default_factory=dict)  #: Planetary Events
    relics: dict[str, tuple[Rule, ...]] = field(default_factory=dict)
    factions: dict[str, list[tuple[Rule, ...]]] = field(default_factory=dict)  #: by Ability


class _Teller:
    """Reports defects for the packs that answer for them."""

    def __init__(self, writers: Writers, report: Report) -> None:
        self.writers, self.report = writers, report

    def __call__(self, file: str, *keys: str) -> partial[None]:
        """Reports for the pack that wrote last in one of the values or tables of these paths."""
        writer, _ = self.writers.blame(*(Place(file, key) for key in keys))
        return partial(self.report.add, writer, file)

    def conflict(self, file: str, path: str, other: str, found: str, allowed: str) -> None:
        """Report two values that do not go together, at the one that was written last."""
        writer, place = self.writers.blame(Place(file, path), Place(file, other))
        below, _ = self.writers.blame(Place(file, path))
        if place.path == other and writer != below:
            self.report.add(writer, file, other, f"beside it {found} of {below} ({path})", allowed)
        else:
            self.report.add(writer, file, path, found, allowed)

    def unless_told(self, tell: partial[None], path: str, found: str, allowed: str) -> None:
        """Report what no pack has been told yet."""
        _, file = tell.args
        if not any(defect[1:] == (file, path, found, allowed) for defect in self.report.defects):
            tell(path, found, allowed)


def compile_cards(values: Values, writers: Writers, report: Report) -> Compiled:
    """Compile every program of the (perhaps incomplete) ``values``.

    A defect is reported for the pack that wrote the program, or, if one above it changed a value that the
    program goes with, for that one.
    """

    teller = _Teller(writers, report)
    terrains = values["planet.toml"].get("terrain", {}).get("order", TERRAIN)
    out = Compiled()
    for card in values["discovery.toml"].get("card", ()):
        _discovery(card, out, terrains, teller)
    for card in values["events.toml"].get("card", ()):
        path = f"{card['id']}.effect"
        compiler = Compiler(teller("events.toml", path), terrains)
        out.effects[card["id"]] = compiler.program(card["effect"], PLANETARY, path)
    for card in values["relics.toml"].get("card", ()):
        path = f"{card['id']}.rules"
        tell = teller("relics.toml", path)
        out.relics[card["id"]] = Compiler(tell, terrains).rules(card["rules"], path)
        if isinstance(card["rules"], list) and len(card["rules"]) > 1:
            tell(path, f"{len(card['rules'])} rules", "exactly one rule on a Relic (V1.15)")
    for card in values["factions.toml"].get("card", ()):
        _faction(card, out, terrains, teller)
    _check_circles(values, out, teller)
    return out


def _discovery(card: Mapping[str, Any], out: Compiled, terrains: Sequence[str], teller: _Teller) -> None:
    name, file = card["id"], "discovery.toml"
    setting = ACTION
    path, kind = f"{name}.trigger", f"{name}.kind"
    if card["kind"] == "reaction":
        setting = ANYWHERE
        if "trigger" not in card:
            if not teller.report.touches(file, path):
                teller(file, path, kind)(path, "nothing", "a trigger, on a Reaction")
        elif card["trigger"] == "none":
            teller.conflict(file, path, kind, "'none'", "a trigger, on a Reaction")
        else:
            trigger = Compiler(teller(file, path), terrains).trigger(card["trigger"], path, standing=False)
            out.triggers[name] = trigger
            if trigger is not None:
                setting = Setting(trigger.on, trigger.by)
    elif card.get("trigger", "none") != "none":
        teller.conflict(file, path, kind, "a trigger", "none, on an Action")
    path = f"{name}.ability"
    own, around = teller(file, path), teller(file, path, f"{name}.trigger", kind)
    if own.args != around.args:  # what is wrong with the program anywhere is not the fault of its trigger
        Compiler(own, terrains).program(card["ability"], ANYWHERE, path)
        around = partial(teller.unless_told, around)
    out.abilities[name] = Compiler(around, terrains).program(card["ability"], setting, path)


def _faction(card: Mapping[str, Any], out: Compiled, terrains: Sequence[str], teller: _Teller) -> None:
    file, abilities = "factions.toml", []
    for ability in card.get("ability", ()):
        path = f"{card['id']}.ability.{ability['name']}.rules"
        tell = teller(file, path)
        rules = Compiler(tell, terrains).rules(ability["rules"], path)
        abilities.append(rules)
        if not card.get("token") and any(map(_uses_token, rules)):
            tell(
                path, "a counter in use", f"rules without token, or a key token of {card['id']} that names it"
            )
    out.factions[card["id"]] = abilities
    number = sum(map(len, abilities))
    if number > MAX_FACTION_RULES:
        path = f"{card['id']}.ability"
        teller(file, path)(path, f"{number} rules", f"at most {MAX_FACTION_RULES} on a Faction (V1.15)")


def _uses_token(rule: Rule) -> bool:
    """Whether a rule reads or changes the counter of its Faction."""
    if rule.program is None or rule.trigger is None:
        return False
    conditions = [rule.trigger.cond]
    for step in rule.program.walk():
        if isinstance(step, (Gain, Pay)) and step.res == Good.TOKEN:
            return True
        if isinstance(step, If):
            conditions.append(step.cond)
        count = getattr(step, "n", None)
        if isinstance(count, Count) and count.metric == Metric.TOKENS:
            return True
    return any(isinstance(cond, Condition) and cond.metric == Metric.TOKENS for cond in conditions)


def _check_circles(values: Values, out: Compiled, teller: _Teller) -> None:
    """V1.14: no rules with ``once = "event"`` that bring about each other's events without end."""
    rules: list[tuple[str, str, Rule]] = []
    rules += [
        ("relics.toml", f"{name}.rules", rule)
        for name, found in out.relics.items()
        for rule in _endless(found)
    ]
    for card in values["factions.toml"].get("card", ()):
        for ability, found in zip(card.get("ability", ()), out.factions[card["id"]], strict=True):
            path = f"{card['id']}.ability.{ability['name']}.rules"
            rules += [("factions.toml", path, rule) for rule in _endless(found)]
    follow = [
        [
            other
            for other, (_, _, after) in enumerate(rules)
            if after.trigger is not None
            and rule.program is not None
            and causes(rule.program) & set(after.trigger.on)
        ]
        for _, _, rule in rules
    ]
    reached = [_reach(follow, start) for start in range(len(rules))]
    for start, (file, path, _) in enumerate(rules):
        if start in reached[start]:
            around = [other for other in reached[start] if start in reached[other]]
            places = [Place(rules[other][0], rules[other][1]) for other in (start, *around)]
            writer, last = teller.writers.blame(*places)
            if last != places[0]:
                continue  # told where a pack above this one closes the circle
            circle = sorted({rules[other][1] for other in around} - {path})
            teller.report.add(
                writer,
                file,
                path,
                f"once = 'event' in a circle with {', '.join(circle) or 'another rule of this card'}",
                "once = 'turn', 'round' or 'cycle' in one of them (V1.14)",
            )


def _reach(follow: Sequence[Sequence[int]], start: int) -> set[int]:
    """Everything that follows ``start``, directly or not."""
    reached, pending = set(follow[start]), list(follow[start])
    while pending:
        for other in follow[pending.pop()]:
            if other not in reached:
                reached.add(other)
                pending.append(other)
    return reached


def _endless(rules: Iterable[Rule]) -> Iterator[Rule]:
    """Rules that work each time their event fires."""
    return (rule for rule in rules if rule.trigger is not None and rule.trigger.once == Once.EVENT)
