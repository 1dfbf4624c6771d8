"""The declared table: stable values, agreement with its documentation, an example for every word."""

from __future__ import annotations

import dataclasses
import re
import runpy
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import Any

import pytest
from card_strategies import write_pack

import cysmic_fast.content.effect_words as words
from cysmic_fast.content import Content, load_content
from cysmic_fast.content.compiler import compile_program
from cysmic_fast.content.effect_words import MODS, TRIGGERS, VERBS, Mod, Stack, Trigger, Verb
from cysmic_fast.content.effects import STEPS, Modifier
from cysmic_fast.content.english import English
from cysmic_fast.content.settings import ANYWHERE
from cysmic_fast.vocabulary import CardAction, CommandCard, Icon, Resource, UnitType

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"
DOCS = (ROOT / "docs" / "cards.md").read_text(encoding="utf-8")
PACKS = ROOT / "cysmic_fast" / "content" / "packs" / "standard"


def enumerations() -> list[type[IntEnum]]:
    return [
        value
        for value in vars(words).values()
        if isinstance(value, type) and issubclass(value, IntEnum) and value is not IntEnum
    ]


def test_values_are_stable() -> None:
    lines = [
        f"{enum.__name__} {' '.join(f'{member.name}={int(member)}' for member in enum)}"
        for enum in enumerations()
    ]
    golden = GOLDEN / "effect_words.txt"
    assert "\n".join(lines) + "\n" == golden.read_text(encoding="utf-8"), (
        "words are never renumbered; a new one goes to the end, and into tests/content/golden"
    )
    for enum in enumerations():
        assert [int(member) for member in enum] == list(range(len(enum))), enum


def test_the_table_stands_alone() -> None:
    path = ROOT / "cysmic_fast" / "content" / "effect_words.py"
    program = (
        "import runpy, sys\n"
        f"names = runpy.run_path({str(path)!r})\n"
        "print(len(names['VERBS']), any('cysmic' in module for module in sys.modules))"
    )
    command = [sys.executable, "-I", "-S", "-c", program]
    out = subprocess.run(command, capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["40", "False"]
    assert runpy.run_path(str(path))["MAX_STEPS"] == words.MAX_STEPS


def test_numbers_are_those_of_the_shared_vocabulary() -> None:
    assert {icon.name.lower(): icon for icon in Icon} == words.COLOUR
    assert {name: CardAction(n).name.lower() for name, n in words.ACTION.items()} == {
        name: name for name in words.ACTION
    }
    assert [words.Good(resource).name for resource in Resource] == [r.name for r in Resource]
    for unit in UnitType:
        assert words.UNIT_TYPE[unit.name.lower()] == (unit,)
    for card in CommandCard:
        assert words.Kind[card.name] == words.Kind.RECRUIT + card
    for icon in Icon:
        assert words.Kind[icon.name] == words.Kind.RED + icon
    troops = ("soldier", "miner", "speaker")
    assert [words.ConvertTo[name.upper()] for name in troops] == [UnitType[name.upper()] for name in troops]
    assert len(words.Kind) <= 64
    assert len(Trigger) <= 32
    assert len(Mod) <= 32


def test_every_argument_has_a_field() -> None:
    assert set(VERBS) == set(STEPS) == set(Verb)
    assert set(MODS) == set(Mod)
    assert set(TRIGGERS) == set(Trigger)
    for verb, row in VERBS.items():
        fields = {field.name for field in dataclasses.fields(STEPS[verb])}
        for name, arg in row.args.items():
            assert arg.type == "pick" or arg.field in fields, (verb, name)
    fields = {field.name for field in dataclasses.fields(Modifier)}
    assert {arg.field for row in MODS.values() for arg in row.args.values()} <= fields


# ---------------------------------------------------------------- documentation
def rows(header: str) -> list[list[str]]:
    """Cells of the table of docs/cards.md that begins with ``header``."""
    table = DOCS[DOCS.index(header) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_the_table_of_events_is_the_documented_one() -> None:
    found = rows("| bit | event |")
    assert [(int(bit), event.strip("`")) for bit, event, *_ in found] == [
        (int(trigger), trigger.name.lower()) for trigger in Trigger
    ]
    for _, event, _, cause, affected, sets, kinds, may in found:
        trigger = words.TRIGGER[event.strip("`")]
        row = TRIGGERS[trigger]
        assert row.affected == (affected not in ("", "-")), event
        assert ("cancelled" in may) == row.cancel, event
        assert row.dice == ("die" in re.split(r"[ ,]+", may)), event
        assert [what.name.lower() for what in row.alter] == re.findall(r"alter (\w+)", may), event
        for register in ("$unit", "$space", "$n", "$card"):
            assert (f"`{register}`" in sets) == (words.REGISTER[register] in row.sets), (event, register)
        assert words.Register.PLAYER in row.sets
        listed = set(re.findall(r"\w+", re.sub(r"\(.*?\)", "", kinds)))
        if "card name" in kinds:
            listed = {card.name.lower() for card in CommandCard} | set(re.findall(r"\w+_card", kinds))
        elif kinds == "colour":
            listed = set(words.COLOUR)
        assert listed == {kind.name.lower() for kind in row.kinds}, event
        assert cause


def test_the_table_of_modifiers_is_the_documented_one() -> None:
    stacks = {Stack.SUM: "sum", Stack.OR: "or", Stack.UNION: "union", Stack.MAX: "max"}
    found = {}
    for key, _, _, stack in rows("| key | unit |"):
        name = re.findall(r"`(\w+)`", key)[0]
        found[name] = (key.endswith("R"), stack)
    assert list(found) == [mod.name.lower() for mod in Mod]
    for mod, row in MODS.items():
        role, stack = found[mod.name.lower()]
        assert row.role == role, mod
        assert stack.startswith(stacks[row.stack]), mod
        least = re.findall(r"at least (?:one|(\d))", stack)
        assert ([int(n or 1) for n in least] or [None]) == [row.least], mod


def test_bounds_are_the_documented_ones() -> None:
    assert f"A program has at most {words.MAX_STEPS} steps" in DOCS
    assert f"nest at most {words.MAX_NESTING} deep" in DOCS
    assert f"`choose` has at most {words.MAX_OPTIONS} options" in DOCS
    assert f"a Faction at most {words.MAX_FACTION_RULES} rules" in DOCS
    assert f"at {words.MAX_PERFORMED:,} they stop" in DOCS
    bounds = dict(row[:2] for row in rows("| bound | value |"))
    limits = load_content().limits
    assert bounds["programs in progress"] == str(limits.programs)
    assert bounds["grants in force"] == str(limits.grants)
    assert bounds["Combat Dice in one pool"] == str(limits.dice)
    assert bounds["Bonus Actions in one turn"] == str(limits.bonus_actions)
    assert bounds["steps in `near`"] == str(words.MAX_NEAR)


def test_flow_verbs_and_places_are_those_of_v1_12() -> None:
    (text,) = re.findall(r"\*\*V1\.12 Where flow starts\.\*\*(.*?)- \*\*V1\.13", DOCS, re.S)
    first, rest = text.split("stand", 1)
    assert set(re.findall(r"`(\w+)`", first)) == {v.name.lower() for v, row in VERBS.items() if row.flow}
    places = re.findall(r"`(\w+)`", rest.split(";")[0])
    assert places == [t.name.lower() for t, row in TRIGGERS.items() if row.flow]


@pytest.mark.parametrize(
    "name", ["VERB", "MOD", "TRIGGER", "METRIC", "WHO", "FEATURE", "ONCE", "DURATION", "ROLE", "GOOD"]
)
def test_every_word_is_explained(name: str) -> None:
    for word in getattr(words, name):
        short = word.removeprefix("turn.")
        assert any(f"`{form}`" in DOCS for form in (word, short, f"turn.{short}")), word


def test_ids_of_statements_are_defined_once() -> None:
    for statement in set(re.findall(r"\bV\d+\.\d+", DOCS)):
        assert len(re.findall(rf"^- \*\*{re.escape(statement)}\b", DOCS, re.M)) == 1, statement


# ---------------------------------------------------------------- examples
def inline_examples() -> list[Any]:
    found = re.findall(r"`(\{ do = [^`]*\})`", DOCS)
    return [tomllib.loads(f"x = {text}")["x"] for text in found if ".." not in text]


def examples() -> list[dict[str, Any]]:
    """Section 14: abilities of Actions, Reactions, standing rules, each by its sentence."""
    section = DOCS[DOCS.index("## 14. Examples") : DOCS.index("## 15. ")]
    return [tomllib.loads(block) for block in re.findall(r"```toml\n(.*?)```", section, re.S)]


def test_inline_examples_compile() -> None:
    examples = inline_examples()
    for step in examples:
        assert compile_program([step], setting=ANYWHERE)
    shown = {step["do"] for step in examples}
    assert set(words.VERB) - shown <= {"choose", "if", "each"}
    for verb in words.VERB:
        assert f'do = "{verb}"' in DOCS


def flat(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines)


def made(**files: list[dict[str, Any]]) -> Content:
    with tempfile.TemporaryDirectory() as folder:
        pack = {f"{file}.toml": {"card": cards} for file, cards in files.items()}
        return load_content(write_pack(Path(folder) / "made", pack))


def groups(values: list[Any], ids: list[str]) -> Iterator[list[tuple[str, Any]]]:
    """The values beside the cards that get them, a pack for as many as there are cards."""
    for start in range(0, len(values), len(ids)):
        yield list(zip(ids, values[start:], strict=False))


def test_the_examples_load_and_say_what_is_printed() -> None:
    """Each stands on a card of a pack, and its sentence is what ``content show`` gives of that card."""
    actions, reactions, rules = examples()
    standard = load_content()
    english = English(standard.planet.terrains)
    cards = [card.id for card in standard.discovery if not card.event]
    plain = {"kind": "action", "trigger": "none"}
    said: list[str] = []
    for group in groups(list(actions.values()), cards):
        content = made(discovery=[{"id": name, **plain, "ability": value} for name, value in group])
        for card in content.discovery[: len(group)]:
            assert card.ability is not None
            said.append(flat(english.program(card.ability)))
    assert said == list(actions)
    said = []
    for group in groups(list(reactions.values()), cards):
        content = made(discovery=[{"id": name, "kind": "reaction", **value} for name, value in group])
        for card in content.discovery[: len(group)]:
            assert card.trigger is not None
            assert card.ability is not None
            said.append(flat(english.reaction(card.trigger, card.ability)))
    assert said == list(reactions)

    counters = {text: rule for text, rule in rules.items() if "token" in str(rule)}
    rest = {text: rule for text, rule in rules.items() if text not in counters}
    said = []
    for group in groups(list(rest.values()), [card.id for card in standard.relics]):
        content = made(relics=[{"id": name, "rules": [value]} for name, value in group])
        said += [flat(english.rule(relic.rules[0])) for relic in content.relics[: len(group)]]
    assert said == list(rest)
    ability = {"name": "Made", "text": "Made for the test.", "rules": list(counters.values())}
    faction = made(factions=[{"id": "F02", "ability": [ability]}]).factions[1]
    assert [flat(english.rule(rule)) for rule in faction.abilities[-1].rules] == list(counters)


def test_every_word_has_an_example() -> None:
    """In section 14 alone: whole programs, which load. What the standard pack uses does not count."""
    found: defaultdict[str, set[Any]] = defaultdict(set)
    for block in examples():
        for example in block.values():
            collect(example, "", found)
    missing = {name: sorted(table - have) for name, table, have in wanted(found) if table - have}
    assert not missing, f"no example of docs/cards.md uses {missing}"


def collect(data: Any, key: str, found: defaultdict[str, set[Any]]) -> None:
    """Words by the key before them; the keys themselves under ""."""
    if isinstance(data, dict):
        for inner, value in data.items():
            found[""].add(inner)
            collect(value, inner, found)
    elif isinstance(data, list):
        for value in data:
            collect(value, key, found)
    elif isinstance(data, str):
        found[key].add(data)


def wanted(found: defaultdict[str, set[Any]]) -> Iterator[tuple[str, set[str], set[Any]]]:
    """Name, words and words in use of every table of the vocabulary."""

    def table(name: str, of: Any, *keys: str) -> tuple[str, set[str], set[Any]]:
        return name, set(of), set().union(*(found[key] for key in keys))

    yield table("verbs", words.VERB, "do")
    yield table("modifiers", words.MOD, "mod")
    yield table("events", words.TRIGGER, "on")
    keys = (*words.UNIT_AXES, *words.SPACE_AXES, *words.CONDITION_KEYS, *words.FILTERS, *words.COMMON)
    yield table("keys", keys, "")
    yield table("players", words.WHO, "who", "to", "from", "of", "over", "first")
    yield table("owners", words.OWNER, "owner")
    yield table("types", words.UNIT_TYPE, "type", "types")
    yield table("states", words.STATE, "state")
    yield table("where", words.WHERE, "where")
    yield table("features", words.FEATURE, "feature")
    yield table("terrains", words.TERRAIN, "terrain")
    yield table("combat", words.COMBAT, "combat")
    yield table("control", words.CONTROL, "control")
    # The counters of a turn belong to the Missions of another mode (test_other_modes.py).
    yield table("metrics", {m for m in words.METRIC if not m.startswith("turn.")}, "metric")
    yield table("operators", words.OP, "op")
    yield table("roles", words.ROLE, "role")
    yield table("turns", words.TURN_OF, "turn")
    yield table("by", words.BY, "by")
    yield table("once", words.ONCE, "once")
    yield table("durations", words.DURATION, "for")
    yield table("kinds", words.KIND, "kind")
    everything = [key for key in found if key]
    # $card is never written: `bonus` with icons = "event" reads it.
    yield table("registers", set(words.REGISTER) - {"$card"}, *everything)
    for verb, row in VERBS.items():
        for name, arg in row.args.items():
            if arg.type == "word":
                yield table(f"{verb.name.lower()}.{name}", arg.words, name)
    for mod, modifier in MODS.items():
        for name, arg in modifier.args.items():
            if arg.type in ("word", "list"):
                yield table(f"{mod.name.lower()}.{name}", arg.words, name)


def test_the_longest_program_of_the_standard_pack() -> None:
    content = load_content()
    programs = [card.ability or card.effect for card in content.discovery]
    programs += [rule.program for card in (*content.relics, *content.factions) for rule in card.rules]
    sizes = [len(list(program.walk())) for program in programs if program is not None]
    assert max(sizes) == 5
    assert f"the longest in this pack has {max(sizes)} steps" in DOCS
