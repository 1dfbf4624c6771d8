"""Packs of the examples folder and the file formats that docs/content.md promises."""

from __future__ import annotations

from pathlib import Path

import pytest

from cysmic_fast.content import load_content
from cysmic_fast.content.show import CARD_KINDS, card_text, cards_of

EXAMPLES = Path(__file__).parents[2] / "examples"
PACKS = sorted(path for path in EXAMPLES.glob("pack*") if path.is_dir())


@pytest.mark.parametrize("folder", PACKS, ids=lambda folder: folder.name)
def test_example_packs_load_and_read_well(folder: Path) -> None:
    content = load_content(folder)
    assert content.hash != load_content().hash
    assert (folder / "README.md").is_file()
    for kind in CARD_KINDS:
        for card in cards_of(content, kind):
            assert card_text(content, kind, card)


def test_there_is_an_example() -> None:
    assert PACKS
