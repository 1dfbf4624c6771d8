"""Which numbered rules have a test: reads the ids of the digest and the ``rule`` markers of tests/rules and
tests/cards; which cards have one: their ``card`` markers.

``python tests/support/rule_coverage.py`` prints the ids without a test.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIGEST = ROOT / "docs" / "rules" / "competitive.md"
VOCABULARY = ROOT / "docs" / "cards.md"
TESTS = (ROOT / "tests" / "rules", ROOT / "tests" / "cards")
OUT_OF_SCOPE = TESTS[0] / "out_of_scope.txt"

_ID = re.compile(r"^- \*\*([A-Z]\d*(?:\.\d+)?(?:-EX\d*)?)\*\*", re.MULTILINE)


def digest_ids() -> list[str]:
    """Every id of the digest, in its order: S1.1 ... and examples such as K-EX1."""
    return _ID.findall(DIGEST.read_text(encoding="utf-8"))


def vocabulary_ids() -> list[str]:
    """Every id of the effect vocabulary: V1.1 ..."""
    return re.findall(r"^- \*\*(V\d+\.\d+)\b", VOCABULARY.read_text(encoding="utf-8"), re.MULTILINE)


def out_of_scope() -> dict[str, str]:
    """Ids that no test of this engine can name yet, each with its reason: lines ``id: reason``."""
    found = {}
    for line in OUT_OF_SCOPE.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            rule, _, reason = line.partition(":")
            found[rule.strip()] = reason.strip()
    return found


def _marked(marker: str) -> dict[str, list[str]]:
    """Id -> names of the tests that carry it in a ``pytest.mark.<marker>`` and take ``engine``."""
    found: dict[str, list[str]] = {}
    for path in sorted(path for folder in TESTS for path in folder.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
                continue
            if "engine" not in {a.arg for a in node.args.args}:
                continue
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith(f"mark.{marker}"):
                    for argument in decorator.args:
                        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                            found.setdefault(argument.value, []).append(f"{path.name}::{node.name}")
    return found


def tested_ids() -> dict[str, list[str]]:
    """Rule id -> its tests."""
    return _marked("rule")


def tested_cards() -> dict[str, list[str]]:
    """Card id -> its tests."""
    return _marked("card")


def uncovered() -> list[str]:
    tested, excused = tested_ids(), out_of_scope()
    return [rule for rule in digest_ids() if rule not in tested and rule not in excused]


if __name__ == "__main__":
    ids, tested = digest_ids(), tested_ids()
    missing = uncovered()
    rulings = {t for t in tested if t.startswith("RUL-")}
    unknown = sorted(set(tested) - set(ids) - set(vocabulary_ids()) - rulings)
    print(
        f"{len(ids)} ids, {len(set(ids) & set(tested))} with a test, "
        f"{len(out_of_scope())} out of scope, {len(missing)} without"
    )
    chapters: dict[str, list[str]] = {}
    for rule in missing:
        chapters.setdefault(rule[0], []).append(rule)
    for chapter, rules in chapters.items():
        print(f"  {chapter}: {' '.join(rules)}")
    if unknown:
        print("ids that the digest does not have:", " ".join(unknown))
    sys.exit(bool(unknown))
