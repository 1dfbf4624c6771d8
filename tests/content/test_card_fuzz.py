"""Random packs from the declared vocabulary load; spoilt ones load or are refused with PackError."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from card_strategies import (
    CardMaker,
    Pack,
    Source,
    broken_packs,
    packs,
    programs,
    random_content,
    random_pack,
    spoil,
    to_toml,
    write_pack,
)
from hypothesis import HealthCheck, given, settings

from cysmic_fast.content import Content, PackError, load_content
from cysmic_fast.content.causes import causes
from cysmic_fast.content.compiler import compile_program
from cysmic_fast.content.effect_words import MODS, TRIGGERS, VERBS, Mod, Once, Trigger, Verb
from cysmic_fast.content.effects import Program
from cysmic_fast.content.english import English

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def load(pack: Pack) -> Content:
    with tempfile.TemporaryDirectory() as folder:
        return load_content(write_pack(Path(folder) / "made", pack))


def words_of(data: Any, found: Counter[str]) -> None:
    """Count verbs, modifiers and events of raw data."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key in ("do", "mod"):
                found[f"{key} {value}"] += 1
            elif key == "on":
                found.update(f"on {event}" for event in ([value] if isinstance(value, str) else value))
            words_of(value, found)
    elif isinstance(data, list):
        for value in data:
            words_of(value, found)


@pytest.mark.parametrize("seed", range(12))
def test_packs_of_a_seed_load(seed: int) -> None:
    pack = random_pack(seed)
    content = random_content(seed)
    assert content == load(pack)
    made = [card for card in content.discovery if card.id.startswith("G")]
    assert len(made) == 24
    assert all(len(relic.rules) == 1 for relic in content.relics)
    for rule in (rule for card in (*content.relics, *content.factions) for rule in card.rules):
        if rule.trigger is not None and rule.program is not None and rule.trigger.once == Once.EVENT:
            assert not causes(rule.program) & set(rule.trigger.on)
    assert random_pack(seed) == pack


def test_every_word_turns_up_in_a_few_packs() -> None:
    found: Counter[str] = Counter()
    for seed in range(8):
        words_of(random_pack(seed), found)
    wanted = {f"do {verb.name.lower()}" for verb in VERBS} | {f"mod {mod.name.lower()}" for mod in MODS}
    wanted |= {f"on {trigger.name.lower()}" for trigger in TRIGGERS}
    assert len(wanted) == len(Verb) + len(Mod) + len(Trigger)
    assert not wanted - set(found)


@settings(max_examples=15, deadline=None, suppress_health_check=SLOW)
@given(packs(cards=3, relics=2, events=1, abilities=False))
def test_packs_of_hypothesis_load(pack: Pack) -> None:
    content = load(pack)
    english = English(content.planet.terrains)
    for card in content.discovery:
        assert english.program(card.effect if card.effect is not None else _ability(card.ability))


def _ability(program: Program | None) -> Program:
    assert program is not None
    return program


@settings(max_examples=100, deadline=None, suppress_health_check=SLOW)
@given(programs())
def test_programs_compile_and_read_well(raw: list[dict[str, Any]]) -> None:
    program = compile_program(raw)
    text = "\n".join(English().program(program))
    assert not any(bad in text for bad in ("None", "  ,", "<", "_", "()", " ."))
    assert compile_program(raw) == program
    assert hash(compile_program(raw)) == hash(program)


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(broken_packs())
def test_spoilt_packs_load_or_are_refused(pack: Pack) -> None:
    check_refusal(pack)


@pytest.mark.parametrize("seed", range(20))
def test_badly_spoilt_packs_load_or_are_refused(seed: int) -> None:
    source = Source(seed)
    pack = CardMaker(source).pack(cards=6, relics=4, events=2, abilities=seed % 4 == 0, old=None)
    check_refusal(spoil(pack, source, 12))


def check_refusal(pack: Pack) -> None:
    """Nothing but PackError, whose defects name files and cards of the pack."""
    try:
        content = load(pack)
    except PackError as error:
        for defect in error.defects:
            assert defect.found
            assert defect.allowed
            assert defect.file in (*pack, "")
            assert defect.pack == "made" or not defect.path
            assert len(str(defect)) < 2000
    else:
        assert content.hash


def test_toml_of_odd_texts() -> None:
    import tomllib

    data = {"a b": 'x"\\\n\x00ü', "c": [{"d": -1.5}, {}], "e": {"f": [[], True]}}
    assert tomllib.loads(to_toml(data)) == data
