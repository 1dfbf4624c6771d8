"""Cards that do too much: both engines stop with an error that names the card, and take the action back."""

from __future__ import annotations

import random
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from card_strategies import CardMaker, Pack, Source, spoil, write_pack

from cysmic_fast import ContentError
from cysmic_fast.content import Content, PackError, load_content
from cysmic_fast.content.effect_words import MAX_PERFORMED
from cysmic_fast.game import make_game
from cysmic_fast.options import END_TRIGGERS, LAUNCHES, make_options

ACTIONS = ("D01", "D02")


def load(pack: Pack) -> Content:
    with tempfile.TemporaryDirectory() as folder:
        return load_content(write_pack(Path(folder) / "made", pack))


def each_space(run: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"do": "each", "over": {"space": {}}, "run": run}]


def ants() -> Content:
    """A pack in which the first Action cards do 127 x 127 steps without a decision."""
    endless = each_space(each_space([{"do": "gain", "res": "lorium", "n": 1}]))
    assert MAX_PERFORMED < 127 * 127
    return load({"discovery.toml": {"card": [{"id": i, "ability": endless, "count": 9} for i in ACTIONS]}})


@pytest.mark.rule("V1.15")
def test_more_steps_than_the_bound(engine: str) -> None:
    """An error that names the card, and the state is as before."""
    content = ants()
    state = make_game(make_options(players=2, molten_core=True), content, engine).new_initial_state(1)
    rng, met = random.Random(3), 0
    while not met and not state.is_terminal():
        before, legal, kind = state.snapshot(), state.legal_actions(), state.decision()
        action = rng.choice(legal)
        try:
            state.apply_action(action)
        except ContentError as error:
            met += 1
            name = re.escape(content.discovery[0].name)
            assert re.search(rf"D0[12]|{name}.*{MAX_PERFORMED}", str(error))  # noqa: PT017
            assert (state.snapshot(), state.legal_actions(), state.decision()) == (before, legal, kind)
            state.apply_action(next(a for a in legal if a != action))
    assert met == 1


@pytest.mark.rule("V1.15")
def test_the_bound_in_bulk(engine: str) -> None:
    """Bulk simulation stops with the same error instead of counting a broken game."""
    game = make_game(make_options(players=2, molten_core=True), ants(), engine)
    with pytest.raises(ContentError, match=rf"D0[12].*{MAX_PERFORMED}"):
        game.simulate(1, 0, 20)


@pytest.mark.parametrize("seed", range(40))
def test_spoilt_packs_are_played_alike(seed: int) -> None:
    """What of a spoilt pack still loads is played by both engines to the same end."""
    source = Source(1000 + seed)
    pack = CardMaker(source).pack(cards=8, relics=6, events=3, abilities=seed % 4 == 0, old=20)
    content = None
    for times in (6, 3, 1):  # fewer wounds until it loads
        try:
            content = load(spoil(pack, source, times))
            break
        except PackError:
            continue
    if content is None:
        content = load(pack)
    options = make_options(
        players=2 + seed % 3,
        factions=seed % 2 == 0,
        molten_core=True,
        events=True,
        launch=LAUNCHES[seed % 4],
        end_trigger=END_TRIGGERS[seed % 3],
        max_rounds=10,
    )
    states = [make_game(options, content, name).new_initial_state(seed) for name in ("reference", "native")]
    rng = random.Random(seed)
    for _ in range(150):
        if states[0].is_terminal():
            break
        legal = states[0].legal_actions()
        assert states[1].legal_actions() == legal
        action = rng.choice(legal)
        errors = []
        for state in states:
            try:
                state.apply_action(action)
            except ContentError as error:
                errors.append(str(error).split(":")[0])
        assert len(errors) in (0, 2)
        if errors:
            assert errors[0] == errors[1]
            break
    assert states[0].snapshot() == states[1].snapshot()
