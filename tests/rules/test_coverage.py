"""No rule of the digest without a test on both engines, except those the list names with a reason."""

from __future__ import annotations

import rule_coverage


def test_every_rule_has_a_test() -> None:
    assert rule_coverage.uncovered() == []


def test_tests_name_rules_that_exist() -> None:
    known = {*rule_coverage.digest_ids(), *rule_coverage.vocabulary_ids()}
    unknown = {r for r in rule_coverage.tested_ids() if not r.startswith("RUL-")} - known
    assert unknown == set()


def test_the_list_of_exceptions_only_shrinks() -> None:
    excused = rule_coverage.out_of_scope()
    assert set(excused) <= set(rule_coverage.digest_ids())
    assert not set(excused) & set(rule_coverage.tested_ids()), "has a test now: take it off the list"
    assert all(excused.values()), "every exception has a reason"
    assert len(excused) <= 1
