"""Every card of the standard pack and every statement about the words of cards has a test on both engines."""

from __future__ import annotations

import rule_coverage

from cysmic_fast.content import load_content

#: Statements about what a pack may hold; the validator's tests (tests/content) check them.
FOR_THE_VALIDATOR = {"V2.2", "V1.12"}


def test_every_card_has_a_test() -> None:
    content = load_content()
    cards = {card.id for deck in (content.discovery, content.relics, content.factions) for card in deck}
    assert set(rule_coverage.tested_cards()) == cards


def test_every_statement_of_the_vocabulary_has_a_test() -> None:
    assert set(rule_coverage.vocabulary_ids()) - set(rule_coverage.tested_ids()) == FOR_THE_VALIDATOR
