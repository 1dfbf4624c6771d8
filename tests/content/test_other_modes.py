"""The vocabulary reaches the decks of other modes: their effects, as data, compile."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cysmic_fast.content import effect_words as words
from cysmic_fast.content.compiler import compile_program, compile_rules
from cysmic_fast.content.english import English

TEXT = (Path(__file__).parent / "data" / "other_modes.toml").read_text(encoding="utf-8")
DATA: dict[str, dict[str, Any]] = tomllib.loads(TEXT)
ENGLISH = English()


def lines(effect: list[dict[str, Any]], name: str) -> list[str]:
    """An effect in English: a rule list or a program."""
    if any("mods" in part or "trigger" in part for part in effect):
        return [line for rule in compile_rules(effect, name) for line in ENGLISH.rule(rule)]
    return ENGLISH.program(compile_program(effect, name))


@pytest.mark.parametrize("name", DATA["espionage"])
def test_espionage(name: str) -> None:
    assert lines(DATA["espionage"][name], name)


def test_all_espionage_cards_are_there() -> None:
    assert set(DATA["espionage"]) == {f"{side}{n:02}" for side in "SE" for n in range(1, 31)}
    ongoing = [name for name, effect in DATA["espionage"].items() if "do" not in effect[0]]
    assert sum(name.startswith("S") for name in ongoing) == 21
    assert sum(name.startswith("E") for name in ongoing) == 17
    sabotages = [name for name in ongoing if DATA["espionage"][name][0].get("to") == "each_opponent"]
    assert len(sabotages) == 19  # the two others wait for events of opponents
    assert all(name.startswith("S") for name in sabotages)


@pytest.mark.parametrize("name", DATA["missions"])
def test_missions(name: str) -> None:
    mission = DATA["missions"][name]
    assert set(mission) in ({"test"}, {"pay"})
    if "pay" in mission:
        assert lines(mission["pay"], name)
    for condition in mission.get("test", ()):
        assert lines([{"do": "if", "cond": condition, "then": [{"do": "trade"}]}], name)


def test_missions_count_what_happens_in_a_turn() -> None:
    assert len(DATA["missions"]) == 24
    used = set(re.findall(r'metric = "(turn\.\w+)"', TEXT))
    counters = {metric for metric in words.METRIC if metric.startswith("turn.")}
    assert counters - used == {"turn.defeated"}


@pytest.mark.parametrize(
    ("part", "name"),
    [(part, name) for part in ("solo", "solo_bonus", "solo_factions") for name in DATA[part]],
)
def test_solo(part: str, name: str) -> None:
    assert lines(DATA[part][name], name)


def test_reserved_words_are_used() -> None:
    assert len(DATA["solo"]) == 55
    for word in ("subroutine", "strike"):
        assert f'deck = "{word}"' in TEXT
