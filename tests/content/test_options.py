"""Game options: defaults, accepted forms, refusals, round trips."""

from __future__ import annotations

import dataclasses
import itertools
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cysmic_fast.content import load_content
from cysmic_fast.errors import CysmicError, OptionError
from cysmic_fast.options import END_TRIGGERS, LAUNCHES, GameOptions, make_options, parse_ending
from cysmic_fast.vocabulary import Colour


def test_defaults() -> None:
    options = GameOptions()
    assert options == make_options() == GameOptions.from_dict({})
    assert (options.mode, options.players, options.max_rounds) == ("competitive", 4, None)
    assert options.colours == ("blue", "green", "grey", "orange")
    assert options.colour_ids == (Colour.BLUE, Colour.GREEN, Colour.GREY, Colour.ORANGE)
    assert not any((options.factions, options.molten_core, options.events, options.espionage))
    assert options.trading
    assert (options.launch, options.end_trigger, options.ending) == ("base", "immediate", "base")
    assert options.echoes == ((0,) * 5,) * 4


@pytest.mark.parametrize("kind", [int, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64, np.uint64])
def test_integers_of_any_type(kind: Any) -> None:
    options = make_options(players=kind(3), blueprint_variant=kind(1), max_rounds=kind(7))
    assert options == make_options(players=3, blueprint_variant=1, max_rounds=7)
    assert {type(options.players), type(options.blueprint_variant), type(options.max_rounds)} == {int}
    assert make_options(factions=np.True_).factions is True


@pytest.mark.rule("L4.6")
def test_twelve_endings() -> None:
    seen = set()
    for launch, trigger in itertools.product(LAUNCHES, END_TRIGGERS):
        options = GameOptions(launch=launch, end_trigger=trigger)
        assert parse_ending(options.ending) == (launch, trigger)
        assert make_options(ending=f"{trigger} + {launch}") == options
        seen.add(options.ending)
    assert len(seen) == 12
    assert parse_ending("equality") == ("base", "equality")
    assert parse_ending("guilty") == ("guilty", "immediate")


def test_echoes_in_every_form() -> None:
    wanted = make_options(players=2, echoes={1: {"miner": 2, "powermech": np.int8(1)}})
    assert wanted.echoes == ((0, 0, 0, 0, 0), (0, 2, 0, 1, 0))
    for form in (
        [{}, {"miner": 2, "powermech": 1}],
        [None, (0, 2, 0, 1, 0)],
        {1: [0, 2, 0, 1, 0]},
        wanted.echoes,
        {np.int64(1): {"miner": 2, "powermech": 1}},
    ):
        assert make_options(players=2, echoes=form) == wanted
    assert make_options(players=2, echoes=None) == make_options(players=2)


def test_round_trips() -> None:
    options = make_options(
        players=3,
        colours=["yellow", "grey", "blue"],
        factions=True,
        molten_core=True,
        events=True,
        blueprint_variant=1,
        ending="guilty_ignore_captives+simultaneous",
        trading=False,
        echoes={2: {"soldier": 3}},
        max_rounds=10,
    )
    assert GameOptions.from_dict(json.loads(json.dumps(options.to_dict()))) == options
    assert pickle.loads(pickle.dumps(options)) == options
    assert len({options, GameOptions.from_dict(options.to_dict()), GameOptions()}) == 2
    assert dataclasses.replace(options, max_rounds=11).max_rounds == 11
    with pytest.raises(dataclasses.FrozenInstanceError):
        options.players = 2  # type: ignore[misc]


BAD: list[tuple[dict[str, Any], str]] = [
    ({"players": 1}, "option 'players': 1 given; allowed: an integer from 2 to 6"),
    ({"players": 7}, "'players': 7 given"),
    ({"players": True}, "'players': True given"),
    ({"players": 3.0}, "'players': 3.0 given"),
    ({"players": "3"}, "'players': '3' given"),
    ({"players": None}, "'players': None given"),
    ({"players": np.float64(3)}, "'players'"),
    ({"players": 10**5000}, "'players': <int> given"),
    ({"mode": "solo"}, "'mode': 'solo' given; allowed: 'competitive'"),
    ({"mode": None}, "'mode': None given"),
    ({"colours": "blue"}, "'colours': 'blue' given; allowed: 4 different names out of 'blue'"),
    ({"colours": ["blue", "green", "grey"]}, "'colours'"),
    ({"colours": ["blue", "green", "grey", "grey"]}, "'colours'"),
    ({"colours": ["blue", "green", "grey", "red"]}, "'colours'"),
    ({"colours": [0, 1, 2, 3]}, "'colours'"),
    ({"colours": 4}, "'colours'"),
    ({"factions": 1}, "'factions': 1 given; allowed: True or False"),
    ({"trading": None}, "'trading': None given"),
    ({"events": "no"}, "'events': 'no' given"),
    (
        {"espionage": True},
        "'espionage': True given; allowed: False; the Espionage expansion is not available",
    ),
    ({"blueprint_variant": 1}, "'blueprint_variant': 1 given; allowed: 0 with 4 players"),
    ({"blueprint_variant": 2, "players": 3}, "allowed: 0 to 1 with 3 players"),
    ({"blueprint_variant": 3, "players": 2}, "'blueprint_variant': 3 given"),
    ({"blueprint_variant": True, "players": 2}, "'blueprint_variant': True given"),
    ({"launch": "gilty"}, "did you mean 'guilty'?"),
    ({"launch": None}, "'launch': None given"),
    (
        {"end_trigger": "never"},
        "'end_trigger': 'never' given; allowed: 'immediate', 'simultaneous', 'equality'",
    ),
    ({"ending": "base+guilty"}, "'ending': 'base+guilty' given"),
    ({"ending": "equality+immediate"}, "'ending'"),
    ({"ending": ""}, "'ending'"),
    ({"ending": "base+"}, "'ending'"),
    ({"ending": 3}, "'ending': 3 given"),
    ({"ending": "base", "launch": "base"}, "options 'ending' and 'launch' given"),
    ({"max_rounds": 0}, "'max_rounds': 0 given; allowed: an integer from 1 to 1000 or None"),
    ({"max_rounds": 1001}, "'max_rounds'"),
    ({"max_rounds": 2.5}, "'max_rounds'"),
    ({"echoes": 3}, "'echoes': 3 given"),
    ({"echoes": "none"}, "'echoes'"),
    ({"echoes": [{}]}, "'echoes'"),
    ({"echoes": {4: {}}}, "'echoes'"),
    ({"echoes": {"0": {}}}, "'echoes'"),
    ({"echoes": {True: {}}}, "'echoes'"),
    ({"echoes": {0: {"ship": 1}}}, "'echoes'"),
    ({"echoes": {0: {"miner": 7}}}, "'echoes'"),
    ({"echoes": {0: {"miner": -1}}}, "'echoes'"),
    ({"echoes": {0: {"miner": True}}}, "'echoes'"),
    ({"echoes": {0: [1, 2]}}, "'echoes'"),
    ({"echoes": {0: 1}}, "'echoes'"),
    ({"playrs": 3}, "unknown option 'playrs'; did you mean 'players'?"),
    ({"xyzzy": 3}, "unknown option 'xyzzy' (options: mode, players"),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_refusals(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        make_options(**options)
    assert message in str(caught.value)
    assert isinstance(caught.value, (CysmicError, ValueError))
    with pytest.raises(OptionError):
        GameOptions.from_dict(options)


@pytest.mark.parametrize("value", [None, 3, "players", [("players", 3)]])
def test_from_dict_wants_a_mapping(value: object) -> None:
    with pytest.raises(OptionError, match="a mapping of option names"):
        GameOptions.from_dict(value)  # type: ignore[arg-type]


def test_check_against_content(tmp_path: Path) -> None:
    (tmp_path / "limits.toml").write_text("[table]\nplayers_max = 3\n[caps]\nrounds = 20")
    (tmp_path / "units.toml").write_text("[miner]\nsupply = 4")
    content = load_content(tmp_path)
    make_options(players=3, echoes={0: {"miner": 4}}).check(content)
    with pytest.raises(OptionError, match="4 given; allowed: 2 to 3 with content pack"):
        make_options().check(content)
    with pytest.raises(OptionError, match="5 miner missing in seat 1' given; allowed: at most 4"):
        make_options(players=2, echoes={1: {"miner": 5}}).check(content)
    assert make_options().rounds_cap(content) == 20
    assert make_options(max_rounds=70).rounds_cap(content) == 70
    assert make_options().rounds_cap(load_content()) == 60
