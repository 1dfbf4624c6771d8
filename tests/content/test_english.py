"""Cards in plain English: the standard pack against a golden file, and words that no card of it uses."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cysmic_fast.content import effects as fx
from cysmic_fast.content import load_content
from cysmic_fast.content.compiler import compile_program, compile_rules
from cysmic_fast.content.effect_words import TRIGGERS, By, Trigger
from cysmic_fast.content.english import English
from cysmic_fast.content.phrases import article, join, number, plural
from cysmic_fast.content.show import CARD_KINDS, WIDTH, CardKind, card_text, cards_of, find_card
from cysmic_fast.errors import ContentError

GOLDEN = Path(__file__).parent / "golden" / "standard_cards.txt"
CONTENT = load_content()


def everything() -> str:
    texts = [card_text(CONTENT, kind, card) for kind in CARD_KINDS for card in cards_of(CONTENT, kind)]
    return "\n\n".join(texts) + "\n"


def test_standard_cards_read_as_before() -> None:
    """What the programs of the standard pack do, for a person to read.

    After a change of cards or wording look at the difference, then write the file anew with
    UPDATE_GOLDEN=1.
    """
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(everything(), encoding="utf-8")
    assert everything() == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", CARD_KINDS)
def test_every_card_renders(kind: CardKind) -> None:
    cards = cards_of(CONTENT, kind)
    assert len(cards) == {"discovery": 81, "event": 12, "relic": 45, "faction": 27}[kind]
    for card in cards:
        text = card_text(CONTENT, kind, card)
        assert text.startswith(f"{card.id} {card.name}\n")
        assert max(map(len, text.splitlines())) <= WIDTH
        does = text[text.index("oes") : text.index("  Source")]
        assert len(does) > 20
        assert not any(bad in does for bad in ("None", "$", "<", "_", " .", ",,", "()"))
        assert "  Source   " in text


def test_cards_are_found_by_id_and_name() -> None:
    card = find_card(CONTENT, "discovery", "D17")
    assert find_card(CONTENT, "discovery", "targeting") is card
    assert find_card(CONTENT, "event", "p12").name == "Sinkhole"
    with pytest.raises(ContentError, match=r"unknown relic card 'Forge Dron'.*did you mean 'Forge Drone'"):
        find_card(CONTENT, "relic", "Forge Dron")
    with pytest.raises(ContentError, match="unknown discovery card 'P12'"):
        find_card(CONTENT, "discovery", "P12")


@pytest.mark.parametrize(
    ("program", "lines"),
    [
        (
            [{"do": "gain", "res": "relic", "n": 2, "who": "all", "opt": True}],
            ["Each player may gain 2 Relic Cards."],
        ),
        (
            [{"do": "steal", "res": "lorium", "from": "opponent", "must": True}, {"do": "fracture"}],
            [
                "1. Steal 1 Lorium from an opponent of your choice (if this cannot be done, stop).",
                "2. Cause a Fracture.",
            ],
        ),
        (
            [{"do": "recall", "units": {"owner": "any", "where": "held_other"}, "n": "all"}],
            ["Release all Units of any player in another player's Holding Area to their owners' Reserves."],
        ),
        (
            [{"do": "place", "units": {"owner": "any"}, "n": "all", "to": {"ring": [1, 2]}, "engage": True}],
            ["Place all Units of any player in a space in rings 1 or 2, even where this begins a Combat."],
        ),
        (
            [
                {"do": "roll", "dice": "yellow", "n": 2},
                {"do": "die", "op": "add", "n": "$n", "value": -1, "who": "opponent"},
            ],
            [
                "1. Roll two yellow dice; the highest is the number.",
                "2. An opponent of your choice changes that many Combat Dice by -1.",
            ],
        ),
    ],
)
def test_sentences(program: list[dict[str, object]], lines: list[str]) -> None:
    from cysmic_fast.content.settings import ANYWHERE

    assert English().program(compile_program(program, setting=ANYWHERE)) == lines


def test_sabotage_speaks_of_opponents() -> None:
    rule = {"to": "each_opponent", "mods": [{"mod": "first_strike"}, {"mod": "humanity", "n": -1}]}
    (compiled,) = compile_rules([rule])
    assert English().rule(compiled) == [
        "Each opponent has First Strike.",
        "Each opponent's Humanity Die counts -1 places.",
    ]


@pytest.mark.parametrize("trigger", Trigger)
def test_every_event_has_a_sentence(trigger: Trigger) -> None:
    row = TRIGGERS[trigger]
    seen = set()
    for by in By:
        for of in (None, *(By if row.affected else ())):
            for kinds in ((), row.kinds):
                text = English().trigger(fx.TriggerSpec(on=(trigger,), by=by, of=of, kinds=kinds))
                assert text.startswith("When ")
                assert not any(bad in text for bad in ("None", "  ", "_", "()"))
                seen.add(text)
    assert len(seen) >= len(By)


def test_words() -> None:
    assert [plural(noun) for noun in ("Powermech", "copy", "Lorium", "space with a Camp")] == [
        "Powermechs",
        "copies",
        "Lorium",
        "spaces with a Camp",
    ]
    assert (article("Outpost"), article("tile")) == ("an Outpost", "a tile")
    assert (join(["a"]), join(["a", "b", "c"], "and")) == ("a", "a, b and c")
    assert (number(3), number(11)) == ("three", "11")
