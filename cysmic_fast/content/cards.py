"""The programs of all cards: compiled, and what is said about several rules together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cysmic_fast.content.causes import causes
from cysmic_fast.content.compiler import Compiler
from cysmic_fast.content.effect_words import MAX_FACTION_RULES, TERRAIN, Good, Metric, Once
from cysmic_fast.content.effects import Condition, Count, Gain, If, Pay, Program, Rule, TriggerSpec
from cysmic_fast.content.reader import Tell
from cysmic_fast.content.schema import Report
from cysmic_fast.content.settings import ACTION, ANYWHERE, PLANETARY, Setting
from cysmic_fast.content.types import Entry

Values = Mapping[str, Any]


@dataclass(slots=True)
class Compiled:
    """What is compiled of each card, by id; what has a defect is missing or None."""

    abilities: dict[str, Program | None] = field(default_factory=dict)  #: Discovery Cards
    triggers: dict[str, TriggerSpec | None] = field(default_factory=dict)  #: Reactions
    effects: dict[str, Program | None] = field(default_factory=dict)  #: Planetary Events
    relics: dict[str, tuple[Rule, ...]] = field(default_factory=dict)
    factions: dict[str, list[tuple[Rule, ...]]] = field(default_factory=dict)  #: by Ability


def compile_cards(values: Values, entries: Iterable[Entry], pack: str, report: Report) -> Compiled:
    """Compile every program of the (perhaps incomplete) ``values``.

    A defect is reported for the pack that wrote the program, or for ``pack``.
    """
    writers = {entry.path: entry.pack for entry in entries}

    def teller(file: str, key: str) -> Tell:
        writer = writers.get(f"{file}: {key}", pack)
        return lambda path, found, allowed: report.add(writer, file, path, found, allowed)

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


def _discovery(card: Mapping[str, Any], out: Compiled, terrains: Sequence[str], teller: Any) -> None:
    name, file = card["id"], "discovery.toml"
    setting = ACTION
    raw = card.get("trigger", "none")
    path = f"{name}.trigger"
    tell = teller(file, path)
    if card["kind"] == "reaction":
        setting = ANYWHERE
        if raw == "none":
            tell(path, "nothing" if "trigger" not in card else "'none'", "a trigger, on a Reaction")
        else:
            trigger = Compiler(tell, terrains).trigger(raw, path, standing=False)
            out.triggers[name] = trigger
            if trigger is not None:
                setting = Setting(trigger.on, trigger.by)
    elif raw != "none":
        tell(path, "a trigger", "none, on an Action")
    path = f"{name}.ability"
    out.abilities[name] = Compiler(teller(file, path), terrains).program(card["ability"], setting, path)


def _faction(card: Mapping[str, Any], out: Compiled, terrains: Sequence[str], teller: Any) -> None:
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


def _check_circles(values: Values, out: Compiled, teller: Any) -> None:
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
            circle = sorted({rules[other][1] for other in reached[start] if start in reached[other]} - {path})
            teller(file, path)(
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
