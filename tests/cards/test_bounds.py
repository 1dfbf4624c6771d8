"""Cards that do too much: both engines stop with an error that names the card, and take the action back."""

from __future__ import annotations

import random
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from abilities import table
from card_strategies import CardMaker, Pack, Source, spoil, write_pack
from scenario import Table, space

from cysmic_fast import ContentError, crosscheck
from cysmic_fast.content import Content, PackError, load_content
from cysmic_fast.content.cautions import cautions
from cysmic_fast.content.effect_words import MAX_PERFORMED
from cysmic_fast.game import make_game
from cysmic_fast.options import END_TRIGGERS, LAUNCHES, make_options
from cysmic_fast.vocabulary import DONE

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


@pytest.mark.rule("V1.13")
def test_events_within_events() -> None:
    """A game in which gains of cards lie deep within each other: there is room for it."""
    gain = [{"do": "gain", "who": "all", "res": "discovery", "n": 1}]
    content = load({"events.toml": {"card": [{"id": "P01", "effect": gain}]}})
    options = make_options(
        players=4, factions=True, molten_core=True, events=True, ending="build_it", max_rounds=60
    )
    native, reference = (make_game(options, content, engine) for engine in ("native", "reference"))
    assert native.simulate(0, 2674, 1).tolist() == reference.simulate(0, 2674, 1).tolist()


@pytest.mark.rule("V1.15")
def test_the_bound_in_bulk(engine: str) -> None:
    """Bulk simulation stops with the same error instead of counting a broken game."""
    game = make_game(make_options(players=2, molten_core=True), ants(), engine)
    with pytest.raises(ContentError, match=rf"D0[12].*{MAX_PERFORMED}"):
        game.simulate(1, 0, 20)


def chain() -> Content:
    """A pack of Reactions alone: whoever gains a card may answer with one that has everybody gain another."""
    answer = {
        "kind": "reaction",
        "trigger": {"on": "gained", "by": "any", "kind": ["discovery"]},
        "ability": [
            {
                "do": "each",
                "over": "all",
                "run": [{"do": "gain", "who": "$player", "res": "discovery", "n": 1}],
            }
        ],
    }
    cards: list[dict[str, Any]] = [
        {"id": card.id, **answer} if card.kind == "reaction" else {"id": card.id, "count": 0}
        for card in load_content().discovery
        if card.kind != "event"
    ]
    return load({"discovery.toml": {"card": cards}})


CAMPS = [space(f"tundra-5-{k}") for k in range(5)] + [space(f"wetlands-5-{k}") for k in range(4)]


def gainer(n: int) -> Content:
    """Three copies of a Reaction on the end of a turn that gains ``n`` cards; no others in the deck."""
    again = {
        "id": "D74",
        "count": 3,
        "icons": [],
        "kind": "reaction",
        "trigger": {"on": "turn_end", "by": "any"},
        "ability": [{"do": "gain", "res": "discovery", "n": n}],
    }
    others = [{"id": c.id, "count": 0} for c in load_content().discovery if c.id != "D74" and not c.event]
    return load({"discovery.toml": {"card": [again, *others]}})


@pytest.mark.rule("V1.14")
def test_a_window_that_only_passing_ends(engine: str) -> None:
    """Whoever gains again what was played can play it for ever; each action ends, passing ends the window."""
    content = gainer(30)
    state = make_game(make_options(players=2), content, engine).new_initial_state(4)
    rng, played = random.Random(1), 0
    for _ in range(3000):
        legal = state.legal_actions()
        if state.decision().name != "REACT":
            played = 0
            state.apply_action(rng.choice(legal))
            continue
        before = state.round
        state.apply_action(next(a for a in legal if a != DONE))
        played += 1
        if played == 300:
            break
    assert played == 300
    assert state.round == before
    while state.decision().name == "REACT":
        state.apply_action(DONE)
        played += 1
    assert played < 304
    (line,) = cautions(content)
    assert line.startswith(
        "discovery.toml: D74: a Reaction that draws many cards can be played again and again"
    )


def test_what_validate_warns_of() -> None:
    """Reactions that draw two cards or more; none of the standard pack."""
    assert not list(cautions(load_content()))
    assert not list(cautions(gainer(1)))
    (line,) = cautions(gainer(2))
    assert "draws up to 2 cards" in line


def claims(engine: str, *, n: int | str) -> Table:
    """Seat 0 takes ``n`` of nine Habitats when it Plays its Miners."""
    take = {"do": "control", "at": {"feature": "camp"}, "n": n, "to": "self", "as": "effect"}
    win = {"do": "gain", "res": "lorium", "n": 1}
    rule = {
        "trigger": {"on": "section", "by": "self", "once": "turn"},
        "effect": [take | {"must": True}, win],
    }
    ability = [{"name": "Made", "text": "Made for the test.", "rules": [rule]}]
    content = load({"factions.toml": {"card": [{"id": "F23", "min_players": 2, "ability": ability}]}})
    options = {"content": content, "trading": False}
    tiles = dict.fromkeys(CAMPS, "camp")
    us, them = {"faction": "F23"}, {"faction": "F01", "ship": "forest-4-1"}
    return table(engine, us, them, tiles=tiles, options=options).turn("miners")


@pytest.mark.rule("V1.14")
@pytest.mark.parametrize("n", [9, "all"])
def test_more_habitats_than_flags(engine: str, n: int | str) -> None:
    """What is given up for the next Habitat is not taken again in that step, which would not end (C83)."""
    t = claims(engine, n=n)
    taken: list[int] = []
    while t.kind in ("REWARD_HABITAT", "GIVE_UP_FLAG"):
        options = t.spaces()
        if t.kind == "REWARD_HABITAT":
            assert options == set(CAMPS) - set(taken)
            taken.append(min(options))
        else:
            assert len(taken) > 7
            assert options == {where for where in CAMPS if t.controller(where) == 0}
        t.do(f"space:{min(options)}")
    assert len(taken) == 8  # the last one is no choice
    assert t.player(0)["lorium"] == 1  # done in full
    assert [t.controller(where) for where in CAMPS].count(0) == 7


@pytest.mark.rule("V1.13")
def test_effects_within_effects() -> None:
    """Too deep for the native engine: an error that names the card, and the state is as before."""
    game = make_game(make_options(players=4, molten_core=True), chain(), "native")
    met = 0
    for seed in range(20):
        state, rng = game.new_initial_state(seed, record=True), random.Random(seed)
        for _ in range(400):
            if state.is_terminal():
                break
            legal = state.legal_actions()
            action = rng.choice([a for a in legal if a != DONE] or legal)
            before = (state.snapshot(), legal, state.decision(), len(state.events()))
            try:
                state.apply_action(action)
            except ContentError as error:
                met += 1
                assert re.fullmatch(r"D\d\d .*: effects within effects too deep", str(error))  # noqa: PT017
                assert (
                    state.snapshot(),
                    state.legal_actions(),
                    state.decision(),
                    len(state.events()),
                ) == before
                assert state.check_integrity() is None
                state.apply_action(DONE)
        if met > 5:
            return
    assert met > 5


def test_the_comparison_leaves_a_game_too_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound is the native engine's alone, and so no divergence of a random pack (V1.13)."""
    options, content = make_options(players=4, molten_core=True), chain()
    games = (make_game(options, content, "reference"), make_game(options, content, "native"))
    monkeypatch.setattr(crosscheck, "load_pair", lambda _config: games)
    seen: Counter[str] = Counter()
    config = crosscheck.Config("4p:chain", 4, cards=0)
    for index in range(1, 20, 4):
        crosscheck.check_game(config, 1, index, limit=400, sides=0.0, seen=seen)
        if seen["too deep"]:
            break
    assert seen["too deep"]
    printed = crosscheck.Config("4p:chain", 4)
    with pytest.raises(crosscheck.Divergence, match="not both refuse"):
        crosscheck.check_game(printed, 1, index, limit=400, sides=0.0)


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


def games_that_end(seeds: range, most: int = 100_000) -> int:
    """Plays one game for each pack of random cards to its end; tells how many were not refused.

    Refused are the packs with effects that are too long or too deep, told as such: at most one in fifty.
    """
    ended, refused = 0, 0
    for seed in seeds:
        pack = CardMaker(Source(seed)).pack(cards=20, relics=8, events=4, abilities=seed % 4 == 0, old=20)
        options = make_options(
            players=2 + seed % 5,
            factions=seed % 2 == 0,
            molten_core=True,
            events=True,
            launch=LAUNCHES[seed % len(LAUNCHES)],
            end_trigger=END_TRIGGERS[seed % len(END_TRIGGERS)],
            max_rounds=12,
        )
        rng, decisions = random.Random(seed), 0
        state = make_game(options, load(pack), "native").new_initial_state(seed)
        try:
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
                assert decisions < most, f"the game of seed {seed} goes on and on"
        except ContentError as error:  # effects that do not come to an end are told
            assert re.search(r"effects within effects too deep|more than 10000 steps", str(error)), error  # noqa: PT017
            refused += 1
            continue
        ended += 1
    assert ended + refused == len(seeds)
    assert refused <= max(1, len(seeds) // 50), f"{refused} of {len(seeds)} packs refused"
    return ended


def test_games_of_random_cards_end() -> None:
    assert games_that_end(range(30)) >= 29


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
def test_many_games_of_random_cards_end(part: int) -> None:
    assert games_that_end(range(1000 * part + 100, 1000 * part + 1100)) >= 980
