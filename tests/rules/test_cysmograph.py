"""Chapter Y: Cysmograph, Fracture, Collapse, escape."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from boards import GROUND, Board
from geometry import NEAR, is_abyss, landscape, ring
from scenario import TERRAINS, UNIT_NAMES, Table, scenario, space
from scenario import units as counted

#: Where the Harvester that shakes the planet stands; no test of this chapter lets Tundra ring 5 Collapse.
SITE = "tundra-5-0"
SPECIAL = {"false_alarm": 2, "devastated": 1, "pull_2_more": 2, "colony_city": 1}
SAVANNAH_5 = landscape(0, 5)


def shake(t: Table, site: str | int = SITE) -> Table:
    """The active player Plays Harvesters, moves nobody and Harvests once: one Tremor."""
    t.turn("harvesters")
    return t.answer("ACT_SPACE", "done").answer("ACT_SPACE", space(site))


def table_of(seats: Sequence[Mapping[str, Any]], players: int) -> list[dict[str, Any]]:
    """Players for a position; Ships that are not placed stand on ring 3, away from everything."""
    given = [dict(s) for s in seats] + [{} for _ in range(players - len(seats))]
    return [{"ship": f"{terrain}-3-1", **seat} for terrain, seat in zip(TERRAINS, given, strict=False)]


def quake(
    engine: str,
    *seats: Mapping[str, Any],
    token: str | Sequence[str] = (),
    site: str | int = SITE,
    tiles: Mapping[str | int, str] | None = None,
    players: int = 2,
    **more: Any,
) -> Table:
    """The active player's first Harvest moves the stack onto the Fracture Zone; ``token`` is drawn."""
    people = table_of(seats, players)
    people[0]["units"] = {**people[0].get("units", {}), site: "harvester"}
    more.setdefault("cysmograph", {"singles": 6 - players, "stack": 6})
    t = scenario(
        engine,
        *people,
        tiles={**(tiles or {}), site: "lorium"},
        script={"fracture_token": [token] if isinstance(token, str) else list(token)},
        **more,
    )
    return shake(t, site)


def gone(t: Table) -> set[int]:
    return {n for n, tile in enumerate(t.snapshot()["tiles"]) if tile == "none"}


def placed(t: Table, seat: int) -> dict[int, list[int]]:
    return {where: counts for where, counts in t.player(seat)["units"] if any(counts)}


def drawn(t: Table) -> list[str]:
    """Names of the Fracture Tokens drawn so far, in order."""
    return [t.game.content.tokens[e[3]].name for e in t.events("CHANCE") if e[2] == 5]


def tremors_to_next(t: Table) -> int:
    return 7 - int(t.snapshot()["cysmograph"]["stack"]) or 1


# ---------------------------------------------------------------- Y1 track and Tremor
@pytest.mark.rule("Y1.1")
def test_track(engine: str) -> None:
    """Seven positions before the Fracture Zone, numbered as printed."""
    t = scenario(engine, players=6)
    assert tuple(t.game.content.cysmograph.track) == (6, 5, 4, 3, 2, 0, 0)
    assert t.game.content.cysmograph.tokens == 8
    assert t.snapshot()["cysmograph"] == {"singles": 0, "stack": 0}


@pytest.mark.rule("Y1.2", "Y1.1")
@pytest.mark.parametrize("stack", range(6))
def test_tremor_moves_the_stack_one_right(engine: str, stack: int) -> None:
    t = scenario(
        engine,
        {"units": {SITE: "harvester"}},
        players=6,
        tiles={SITE: "lorium"},
        cysmograph={"singles": 0, "stack": stack},
    )
    shake(t)
    assert t.snapshot()["cysmograph"] == {"singles": 0, "stack": stack + 1}
    assert [e[1:] for e in t.events("TREMOR")] == [(0, stack + 1, 0, 0)]
    assert t.events("FRACTURE") == []
    assert drawn(t) == []


def _harvest(t: Table) -> None:
    shake(t)


def _jump(t: Table) -> None:
    t.turn("powermechs").answer("ACT_SPACE", "rocky-5-1")
    t.answer("ACT_ACTION", "action:jumpjet").answer("MOVE_TO", "rocky-5-1")


def _stabilize(t: Table) -> None:
    t.turn("colony_ship").answer("MOVE_TO", "savannah-4-1")


def _dropship(t: Table) -> None:
    t.turn("upgrade").answer("UPGRADE_SPACE", "rocky-3-0")


def _strike(t: Table) -> None:
    t.turn("battle").answer("STRIKE_OR_FLEE", "strike")


def _move(t: Table) -> None:
    t.turn("powermechs").answer("ACT_SPACE", "rocky-5-1")
    t.answer("ACT_ACTION", "action:move").answer("MOVE_TO", "rocky-5-2")


def _ship_move(t: Table) -> None:
    """After Stabilize (one Tremor) the Ship's Move."""
    _stabilize(t)
    t.answer("ACT_SPACE", "savannah-4-1").answer("MOVE_TO", "savannah-4-0")


@pytest.mark.rule("Y1.3", "Y1.2")
@pytest.mark.parametrize(
    ("source", "tremors"),
    [(_harvest, 1), (_jump, 1), (_stabilize, 1), (_dropship, 1), (_strike, 1), (_move, 0), (_ship_move, 1)],
)
def test_sources_of_tremors(engine: str, source: Any, tremors: int) -> None:
    """Harvest, Jumpjet, Stabilize, Dropship and the Strike Die cause one Tremor each; a Move none."""
    t = scenario(
        engine,
        {
            "units": {
                SITE: "harvester",
                "rocky-5-1": "powermech",
                "rocky-3-0": "miner",
                "wetlands-3-0": "soldier",
            },
            "lorium": 2,
        },
        {"units": {"wetlands-3-0": "soldier"}},
        tiles={SITE: "lorium"},
        combats={"wetlands-3-0": 0},
        script={"attacker_strike_die": ["tremor"], "red_die": ["1"]},
    )
    source(t)
    assert t.snapshot()["cysmograph"] == {"singles": 4, "stack": 4 + tremors}
    assert [e[1] for e in t.events("TREMOR")] == [0] * tremors


@pytest.mark.rule("Y1.4")
def test_fracture_at_once(engine: str) -> None:
    """The Tremor that reaches the Fracture Zone is a Fracture before the next Unit acts."""
    t = quake(
        engine, {"units": {"savannah-5-2": "harvester"}}, token="savannah-5", tiles={"savannah-5-2": "lorium"}
    )
    t.expect("ESCAPE", 0)
    assert [e[1:] for e in t.events("TREMOR")] == [(0, 7, 0, 0)]
    assert [e[1] for e in t.events("FRACTURE")] == [0]
    t.do("done")
    assert t.kind != "ACT_SPACE", "the destroyed Harvester cannot Harvest any more"
    assert placed(t, 0) == {space(SITE): counted("harvester")}
    assert t.player(0)["lorium"] == 3


@pytest.mark.rule("Y1.4", "RUL-Y5")
def test_no_tremor_without_a_trigger_inside_a_fracture(engine: str) -> None:
    """Three tokens, Collapses, an escape and destroyed Units add no Tremor to the one that caused it all."""
    t = quake(
        engine,
        {"units": {"savannah-5-2": "miner", "forest-2-1": "soldier"}},
        token=["pull_2_more", "savannah-5", "forest-2"],
    )
    t.answer("ESCAPE", "savannah-5-2").answer("ESCAPE_TO", "savannah-4-1")
    assert len(t.events("TREMOR")) == len(t.events("FRACTURE")) == 1
    assert t.snapshot()["cysmograph"] == {"singles": 5, "stack": 5}


# ---------------------------------------------------------------- Y2 Fracture
@pytest.mark.rule("Y2.1", "RUL-Y13")
def test_drawn_token_leaves_the_game(engine: str) -> None:
    """The token is gone from the bag afterwards, all others are still in it."""
    t = quake(engine, token="forest-2")
    bag = t.snapshot()["bag"]
    assert len(bag) == 41
    assert "forest-2" not in bag
    assert drawn(t) == ["forest-2"]


@pytest.mark.rule("Y2.1")
def test_tokens_are_drawn_at_random(engine: str) -> None:
    """Every token of the bag can be the one; with one token in the bag it is."""
    bag = ["savannah-1", "desert-6", "false_alarm"]
    found = Counter(drawn(quake(engine, bag=bag, seed=seed))[0] for seed in range(24))
    assert set(found) == set(bag)
    assert max(found.values()) <= 18
    assert drawn(quake(engine, bag=["rocky-3"])) == ["rocky-3"]


def strike_quake(engine: str, *seats: Mapping[str, Any], token: str, **more: Any) -> Table:
    """Seat 0 Battles at wetlands-3-0, seat 1 strikes back with a Tremor that is a Fracture."""
    people = table_of(seats, max(2, len(seats)))
    for person, unit in zip(people, ("miner", "soldier"), strict=False):
        person["units"] = {**person.get("units", {}), "wetlands-3-0": unit}
    t = scenario(
        engine,
        *people,
        combats={"wetlands-3-0": 1},
        cysmograph={"singles": 6 - len(people), "stack": 6},
        script={
            "defender_strike_die": ["reroll red"],
            "yellow_die": ["1"],
            "attacker_strike_die": ["tremor"],
            "red_die": ["1"],
            "fracture_token": [token],
        },
        **more,
    )
    t.turn("battle")
    t.answer("STRIKE_OR_FLEE", "strike", seat=0).answer("STRIKE_OR_FLEE", "strike", seat=1)
    return t


@pytest.mark.rule("Y2.1", "Y1.3", "RUL-Y13")
def test_striker_triggers_the_fracture(engine: str) -> None:
    """In another player's turn the Fracture belongs to the player who rolled the Strike Die."""
    t = strike_quake(engine, token="false_alarm")
    assert [e[1] for e in t.events("TREMOR")] == [1]
    assert [e[1] for e in t.events("FRACTURE")] == [1]


@pytest.mark.rule("Y2.2", "Y2.4")
def test_the_bag(engine: str) -> None:
    """36 Landscape Tokens, one for each terrain and ring, and six special ones."""
    bag = Counter(scenario(engine).snapshot()["bag"])
    expected = {f"{terrain}-{r}": 1 for terrain in TERRAINS for r in range(1, 7)} | SPECIAL
    assert bag == Counter(expected)
    assert sum(bag.values()) == 42


@pytest.mark.rule("Y2.3", "Y-EX4", "Y4.4")
@pytest.mark.parametrize("of_ring", range(1, 7))
@pytest.mark.parametrize("terrain", range(6))
def test_landscape_token(engine: str, terrain: int, of_ring: int) -> None:
    """Exactly the tiles of that terrain and ring go, as many as the ring's number."""
    far = TERRAINS[(terrain + 3) % 6]
    ships = [{"ship": f"{TERRAINS[(terrain + i) % 6]}-4-1"} for i in (2, 4)]
    doomed = landscape(terrain, of_ring)
    features = ["camp", "mountain", "tunl", "lake", "lorium", "explorable"][:of_ring]
    t = quake(
        engine,
        *ships,
        token=f"{TERRAINS[terrain]}-{of_ring}",
        site=f"{far}-5-0",
        tiles=dict(zip(doomed, features, strict=True)),
    )
    assert gone(t) == set(doomed)
    assert len(doomed) == of_ring
    ids = {"camp": 2, "mountain": 5, "lorium": 6, "explorable": 7, "tunl": 8, "lake": 9}
    assert sorted(e[1:] for e in t.events("COLLAPSE")) == [
        (0, n, ids[f], 0) for n, f in zip(doomed, features, strict=True)
    ]


@pytest.mark.rule("Y2.3", "Y4.1")
def test_only_spaces_with_tiles_collapse(engine: str) -> None:
    """In a ring that is partly gone the rest Collapses; Units on its bottom layer are safe."""
    t = quake(
        engine,
        {"units": {"savannah-5-0": "soldier", "savannah-5-4": "soldier"}},
        token="savannah-5",
        tiles={"savannah-5-0": "none", "savannah-5-1": "none"},
        relic_tokens=["savannah-5-0"],
    )
    assert placed(t, 0) == {space("savannah-5-0"): counted("soldier"), space(SITE): counted("harvester")}
    assert [e[2] for e in sorted(t.events("COLLAPSE"))] == SAVANNAH_5[2:]
    assert t.snapshot()["relic_tokens"] == [SAVANNAH_5[0], SAVANNAH_5[2], SAVANNAH_5[3]]


@pytest.mark.rule("Y2.5")
def test_false_alarm(engine: str) -> None:
    """Nothing but the reset."""
    t = quake(engine, token="false_alarm")
    assert gone(t) == set()
    assert t.events("COLLAPSE") == []
    assert t.snapshot()["cysmograph"] == {"singles": 5, "stack": 5}
    assert Counter(t.snapshot()["bag"])["false_alarm"] == 1


@pytest.mark.rule("Y2.6", "RUL-Y9", "Y5.1")
def test_devastated_token(engine: str) -> None:
    """Units and Relic Tokens on Devastated spaces go; escapes lead to other ground; no new tokens."""
    bare = ["forest-5-2", "forest-5-3", "forest-4-1", "forest-4-2", "desert-2-0", "rocky-5-0"]
    t = quake(
        engine,
        {"units": {"forest-5-2": "miner", "forest-5-3": "soldier"}},
        {"units": {"desert-2-0": "2 soldier", "rocky-5-1": "speaker"}},
        token="devastated",
        tiles=dict.fromkeys(bare, "none"),
        relic_tokens=["forest-5-3", "forest-4-1"],
    )
    t.answer("ESCAPE", "forest-5-2", seat=0).expect("ESCAPE_TO", 0)
    # forest-5-3 and -4-1 are Devastated themselves, forest-4-2 is Abyss.
    assert t.spaces() == {space(s) for s in ("forest-5-1", "forest-6-2", "forest-6-3")}
    t.do("forest-5-1")
    assert placed(t, 0) == {space("forest-5-1"): counted("miner"), space(SITE): counted("harvester")}
    assert placed(t, 1) == {space("rocky-5-1"): counted("speaker")}
    after = t.snapshot()
    assert after["relic_tokens"] == []
    assert gone(t) == {space(s) for s in bare}
    assert t.events("COLLAPSE") == []
    assert after["cysmograph"] == {"singles": 5, "stack": 5}


@pytest.mark.rule("Y2.6", "RUL-Y9", "Y5.5")
def test_devastated_token_and_ships(engine: str) -> None:
    """A Ship on Devastated ground must leave it for ground that is not Devastated."""
    t = quake(
        engine, {"ship": "rocky-5-0"}, token="devastated", tiles={"rocky-5-0": "none", "rocky-5-1": "none"}
    )
    t.expect("ESCAPE_TO", 0)
    assert t.spaces() == NEAR[space("rocky-5-0")] - {space("rocky-5-1")}
    t.do("rocky-4-0")
    assert t.player(0)["ship"] == space("rocky-4-0")


@pytest.mark.rule("Y2.6", "Y4.3")
def test_devastated_token_ends_combats(engine: str) -> None:
    """A Combat on Devastated ground is destroyed with everybody in it."""
    t = quake(
        engine,
        {"units": {"desert-2-0": "miner"}},
        {"units": {"desert-2-0": "soldier"}},
        token="devastated",
        tiles={"desert-2-0": "none"},
        combats={"desert-2-0": 1},
    )
    assert t.snapshot()["combats"] == []
    assert placed(t, 1) == {}
    assert set(placed(t, 0)) == {space(SITE)}


@pytest.mark.rule("Y2.7", "Y2.12", "Y3.2", "RUL-Y3")
def test_pull_two_more(engine: str) -> None:
    """The second token is drawn when the first is done, and one reset follows."""
    t = quake(
        engine,
        {"units": {"savannah-5-2": "miner"}},
        token=["pull_2_more", "savannah-5", "forest-2"],
    )
    t.expect("ESCAPE", 0)
    assert drawn(t) == ["pull_2_more", "savannah-5"]
    assert t.snapshot()["cysmograph"]["singles"] == 4, "no reset before the last token"
    t.do("savannah-5-2").answer("ESCAPE_TO", "savannah-4-1")
    assert drawn(t) == ["pull_2_more", "savannah-5", "forest-2"]
    assert gone(t) == set(SAVANNAH_5) | set(landscape(1, 2))
    assert t.snapshot()["cysmograph"] == {"singles": 5, "stack": 5}


@pytest.mark.rule("Y3.2", "RUL-Y3")
def test_reading_one_reset_per_token(engine: str, tmp_path: Path) -> None:
    """With the ruling switched there is a reset after each token drawn."""
    (tmp_path / "rulings.toml").write_text('resets = "per_token"', encoding="utf-8")
    t = quake(
        engine,
        players=4,
        token=["pull_2_more", "rocky-1", "false_alarm"],
        options={"packs": str(tmp_path)},
    )
    assert drawn(t) == ["pull_2_more", "rocky-1", "false_alarm"]
    assert t.snapshot()["cysmograph"] == {"singles": 5, "stack": 5}
    t = quake(engine, players=4, token="false_alarm", options={"packs": str(tmp_path)})
    assert t.snapshot()["cysmograph"] == {"singles": 3, "stack": 3}


@pytest.mark.rule("Y2.7", "Y2.12")
@pytest.mark.parametrize("second", [1, 2])
def test_pull_two_more_twice(engine: str, second: int) -> None:
    """The other Pull 2, drawn as the first or second further token, brings two more: five tokens in all."""
    tokens = ["pull_2_more", "desert-1", "forest-1", "rocky-1"]
    tokens.insert(second, "pull_2_more")
    t = quake(engine, token=tokens)
    assert drawn(t) == tokens
    assert len(t.snapshot()["bag"]) == 37
    assert t.snapshot()["cysmograph"] == {"singles": 5, "stack": 5}


@pytest.mark.rule("Y2.7", "Y2.10", "RUL-Y3")
def test_pull_two_more_from_a_short_bag(engine: str) -> None:
    """With one token left in the bag only that one is drawn."""
    t = quake(engine, bag=["rocky-1", "pull_2_more"], token="pull_2_more")
    assert drawn(t) == ["pull_2_more", "rocky-1"]
    assert t.snapshot()["bag"] == []
    assert t.snapshot()["cysmograph"] == {"singles": 5, "stack": 5}


@pytest.mark.rule("Y2.8", "Y4.4")
def test_colony_city_token(engine: str) -> None:
    """The centre Collapses, its Habitat with it; its bottom is Abyss and gets no Relic Token."""
    t = quake(engine, {"units": {0: "speaker"}}, token="colony_city", control={0: 0})
    assert gone(t) == {0}
    assert placed(t, 0) == {space(SITE): counted("harvester")}
    assert t.controller(0) is None
    assert t.snapshot()["relic_tokens"] == []
    assert [e[1:] for e in t.events("COLLAPSE")] == [(0, 0, 10, 0)]
    assert [e[1:4] for e in t.events("INFLUENCE_CONTROL")] == [(-1, 0, 0)]


@pytest.mark.rule("Y2.9", "RUL-Y8")
@pytest.mark.parametrize("token", ["savannah-5", "colony_city"])
def test_token_for_tiles_already_gone(engine: str, token: str) -> None:
    """No effect and no redraw, but the reset."""
    bare = dict.fromkeys([*SAVANNAH_5, 0], "none")
    t = quake(engine, {"units": {"savannah-5-2": "soldier"}}, token=token, tiles=bare)
    assert drawn(t) == [token]
    assert t.events("COLLAPSE") == []
    assert t.units(0, "savannah-5-2") == counted("soldier")
    assert t.snapshot()["cysmograph"] == {"singles": 5, "stack": 5}


@pytest.mark.rule("Y2.10", "RUL-Y4")
def test_empty_bag(engine: str) -> None:
    """A Fracture without tokens is a reset."""
    t = quake(engine, bag=[])
    assert drawn(t) == []
    assert gone(t) == set()
    assert len(t.events("FRACTURE")) == 1
    assert t.snapshot()["cysmograph"] == {"singles": 5, "stack": 5}


# ---------------------------------------------------------------- Y3 reset
@pytest.mark.rule("Y3.1", "Y3.5", "RUL-Y2", "Y-EX2")
def test_reset(engine: str) -> None:
    """P = 4: one token on "4", the stack of five on "3", four Tremors to the next Fracture."""
    t = quake(engine, token="false_alarm", players=4)
    board = t.snapshot()["cysmograph"]
    track, tokens = t.game.content.cysmograph.track, t.game.content.cysmograph.tokens
    assert board == {"singles": 3, "stack": 3}
    assert (track[board["singles"] - 1], track[board["stack"]], tokens - board["singles"]) == (4, 3, 5)
    assert tremors_to_next(t) == 4


@pytest.mark.rule("Y3.5", "Y-EX9", "RUL-Y2")
@pytest.mark.parametrize("stack", [2, 3, 4, 5, 6])
def test_reset_from_anywhere(engine: str, stack: int) -> None:
    """P = 4, no reset yet: one token stays on "4", the stack of five goes to "3", wherever it was.

    (Only cards can cause a Fracture away from the Fracture Zone; the Tremors in between change nothing.)
    """
    sites = ["tundra-5-0", "tundra-5-1", "tundra-5-2", "tundra-5-3", "tundra-4-1"]
    owners = [0, 0, 1, 1, 2]
    people: list[dict[str, Any]] = [{"units": {}} for _ in range(4)]
    for site, owner in zip(sites, owners, strict=True):
        people[owner]["units"][site] = "harvester"
    t = scenario(
        engine,
        *({**p, "ship": f"{terrain}-3-1"} for p, terrain in zip(people, TERRAINS, strict=False)),
        tiles=dict.fromkeys(sites, "lorium"),
        cysmograph={"singles": 2, "stack": stack},
        script={"fracture_token": ["false_alarm"]},
    )
    acting = -1
    for site, owner in zip(sites, owners, strict=True):
        if owner != acting:
            if owner:
                t.end_turn()
            t.turn("harvesters").answer("ACT_SPACE", "done", seat=owner)
            acting = owner
        t.answer("ACT_SPACE", site)
        if t.events("FRACTURE"):
            break
    assert len(t.events("TREMOR")) == 7 - stack
    assert t.snapshot()["cysmograph"] == {"singles": 3, "stack": 3}


def tremor_by_tremor(engine: str, players: int) -> list[int]:
    """Tremors before each Fracture by Harvests, Jumpjet Moves and Stabilizing; the tokens do nothing."""
    bare = [n for terrain in range(6) for r in (1, 6) for n in landscape(terrain, r)]
    sites: list[list[str]] = [[f"{name}-5-{k}" for k in range(4)] for name in TERRAINS[:players]]
    t = scenario(
        engine,
        *(
            {
                "ship": f"{name}-4-1",
                "units": {h1: "harvester", h2: "harvester", p1: "powermech", p2: "powermech"},
            }
            for name, (h1, h2, p1, p2) in zip(TERRAINS, sites, strict=False)
        ),
        players=players,
        tiles={**dict.fromkeys(bare, "none"), **{s: "lorium" for four in sites for s in four[:2]}},
        bag=[f"{name}-{r}" for name in TERRAINS for r in (1, 6)],
    )
    found: list[int] = []
    waited = fractures = 0

    def tremor() -> None:
        nonlocal waited, fractures
        waited += 1
        if len(t.events("FRACTURE")) > fractures:
            fractures += 1
            found.append(waited)
            waited = 0
            filled = min(7, 6 - players + fractures)
            assert t.snapshot()["cysmograph"] == {"singles": filled, "stack": filled}

    for seat in range(players):
        t.turn("harvesters", burn="recruit").answer("ACT_SPACE", "done", seat=seat)
        for site in sites[seat][:2]:
            t.answer("ACT_SPACE", site)
            tremor()
        t.end_turn()
    for seat in range(players):
        t.turn("powermechs", burn="upgrade")
        for site in sites[seat][2:]:
            t.answer("ACT_SPACE", site, seat=seat).answer("ACT_ACTION", "action:jumpjet").answer(
                "MOVE_TO", site
            )
            tremor()
        t.end_turn()
    for seat in range(players):
        t.turn("colony_ship", burn="battle").answer("MOVE_TO", f"{TERRAINS[seat]}-4-2", seat=seat)
        tremor()
        t.end_turn()
    return found


@pytest.mark.rule("Y3.3", "Y3.4", "Y-EX3", "Y1.1", "RUL-Y1")
@pytest.mark.parametrize(
    ("players", "expected"),
    [
        (2, [3, 2, 1, 1, 1, 1, 1]),
        (3, [4, 3, 2, 1, 1, 1, 1, 1, 1]),
        (4, [5, 4, 3, 2, 1, 1, 1, 1, 1]),
        (5, [6, 5, 4, 3, 2, 1, 1, 1, 1]),
        (6, [7, 6, 5, 4, 3, 2, 1, 1]),
    ],
)
def test_tremors_per_fracture(engine: str, players: int, expected: list[int]) -> None:
    """P + 1, P, ..., 2, 1, 1, ... Tremors, whatever causes them; then every Tremor is a Fracture."""
    assert tremor_by_tremor(engine, players)[: len(expected)] == expected


@pytest.mark.rule("Y-EX1")
def test_fifth_tremor_at_four_players(engine: str) -> None:
    """P = 4: four Tremors reach the last empty position, the fifth the Fracture Zone."""
    sites = {0: ["tundra-5-0", "tundra-5-1"], 1: ["tundra-5-2", "tundra-5-3"], 2: ["tundra-4-1"]}
    t = scenario(
        engine,
        *(
            {"ship": f"{TERRAINS[seat]}-3-1", "units": dict.fromkeys(sites.get(seat, []), "harvester")}
            for seat in range(4)
        ),
        tiles=dict.fromkeys([s for some in sites.values() for s in some], "lorium"),
        script={"fracture_token": ["false_alarm"]},
    )
    assert t.snapshot()["cysmograph"] == {"singles": 2, "stack": 2}
    stacks = []
    for seat in range(3):
        t.turn("harvesters").answer("ACT_SPACE", "done", seat=seat)
        for site in sites[seat]:
            t.answer("ACT_SPACE", site, seat=seat)
            stacks.append((t.snapshot()["cysmograph"]["stack"], len(t.events("FRACTURE"))))
        t.end_turn()
    assert stacks == [(3, 0), (4, 0), (5, 0), (6, 0), (3, 1)]


@pytest.mark.rule("Y3.4", "RUL-Y1")
def test_last_token_stays_on_the_fracture_zone(engine: str) -> None:
    """With seven single tokens a Tremor is a Fracture and changes nothing on the track."""
    t = quake(engine, token="false_alarm", cysmograph={"singles": 7, "stack": 7})
    assert len(t.events("FRACTURE")) == 1
    assert t.snapshot()["cysmograph"] == {"singles": 7, "stack": 7}
    assert [e[1:3] for e in t.events("TREMOR")] == [(0, 7)]


@pytest.mark.rule("Y3.4", "Y3.1")
def test_seventh_position(engine: str) -> None:
    """The reset that fills the seventh position leaves the last token on the Fracture Zone."""
    t = quake(engine, token="false_alarm", cysmograph={"singles": 6, "stack": 6})
    assert t.snapshot()["cysmograph"] == {"singles": 7, "stack": 7}


# ---------------------------------------------------------------- Y4 Collapse
@pytest.mark.rule("Y4.2", "Y4.3", "RUL-Y10")
def test_stages_are_common(engine: str) -> None:
    """While anybody still escapes nothing is destroyed or removed; destruction frees no Locked Unit."""
    t = quake(
        engine,
        {"units": {"savannah-5-0": "2 soldier", "savannah-5-2": "miner", "savannah-5-4": "miner"}},
        {"units": {"savannah-5-4": "soldier", "savannah-5-3": "speaker"}},
        token="savannah-5",
        combats={"savannah-5-4": 1},
    )
    t.expect("ESCAPE", 0)
    assert t.spaces() == {space("savannah-5-2")}
    assert gone(t) == set()
    assert t.events("LEAVE") == []
    assert t.units(0, "savannah-5-0") == counted("2 soldier")
    t.do("savannah-5-2").answer("ESCAPE_TO", "savannah-4-1")
    assert placed(t, 0) == {space("savannah-4-1"): counted("miner"), space(SITE): counted("harvester")}
    assert placed(t, 1) == {}
    left = Counter(e[1:] for e in t.events("LEAVE"))
    assert left == {
        (0, 0, SAVANNAH_5[0], 0): 2,
        (0, 1, SAVANNAH_5[4], 0): 1,
        (1, 0, SAVANNAH_5[4], 0): 1,
        (1, 2, SAVANNAH_5[3], 0): 1,
    }
    assert t.snapshot()["combats"] == []
    assert [e[1:3] for e in t.events("COMBAT_END")] == [(-1, SAVANNAH_5[4])]


@pytest.mark.rule("Y4.3")
def test_destroyed_units_are_in_reserve_again(engine: str) -> None:
    """All ten Soldiers on the planet: after three of them are destroyed three can be Recruited, no more."""
    people = {
        "units": {
            "savannah-5-2": "3 soldier",
            "rocky-2-0": "3 soldier",
            "rocky-2-1": "3 soldier",
            "rocky-3-0": "soldier",
        }
    }
    t = quake(engine, people, token="savannah-5")
    t.end_turn().turn("battle").end_turn().turn("recruit")
    chosen = 0
    while t.kind == "RECRUIT_TYPE" and "unit:soldier" in t.options():
        t.do("unit:soldier")
        chosen += 1
    assert chosen == 3


@pytest.mark.rule("Y4.4")
def test_removal(engine: str) -> None:
    """Tile, Habitat with its Flag, and Mountain leave the planet for good."""
    t = quake(
        engine,
        token="savannah-5",
        control={"savannah-5-0": 0, "savannah-5-2": 1, "savannah-4-0": 0},
        tiles={
            "savannah-5-0": "camp",
            "savannah-5-1": "mountain",
            "savannah-5-2": "outpost",
            "savannah-4-0": "camp",
        },
    )
    assert gone(t) == set(SAVANNAH_5)
    assert t.snapshot()["control"] == [[space("savannah-4-0"), 0]]
    assert sorted(e[1:4] for e in t.events("INFLUENCE_CONTROL")) == [
        (-1, SAVANNAH_5[0], 0),
        (-1, SAVANNAH_5[2], 1),
    ]
    assert [t.state.influence(seat) for seat in (0, 1)] == [5, 4]


@pytest.mark.rule("Y4.5")
def test_relic_tokens_on_revealed_ground(engine: str) -> None:
    """Devastated bottoms get a Relic Token each, Abyss none."""
    t = quake(engine, token="savannah-5")
    revealed = [n for n in SAVANNAH_5 if not is_abyss(n)]
    assert len(revealed) == 3
    assert t.snapshot()["relic_tokens"] == revealed
    assert sorted(e[1:] for e in t.events("RELIC_TOKEN")) == [(-1, n, 1, 0) for n in revealed]


def devastated_elsewhere(count: int) -> list[int]:
    """Spaces with Devastated bottoms outside Savannah and Tundra, away from Ships."""
    found = [n for t in (1, 2, 4, 5) for r in (2, 5, 6) for n in landscape(t, r) if not is_abyss(n)]
    assert len(found) >= count
    return found[:count]


@pytest.mark.rule("Y4.5", "RUL-S10", "RUL-Y10")
@pytest.mark.parametrize("supply", [0, 1, 2, 3])
def test_short_supply_of_relic_tokens(engine: str, supply: int) -> None:
    """Thirty in all: with fewer than needed the triggering player chooses who gets one."""
    used = devastated_elsewhere(30 - supply)
    t = quake(engine, token="savannah-5", tiles=dict.fromkeys(used, "none"), relic_tokens=used)
    revealed = [n for n in SAVANNAH_5 if not is_abyss(n)]
    if supply in (1, 2):
        left = set(revealed)
        for n in sorted(revealed, reverse=True)[:supply]:
            t.expect("PLACE_TOKEN", 0)
            assert t.spaces() == left
            assert "done" not in t.options()
            t.do(n)
            left.remove(n)
    chosen = sorted(revealed, reverse=True)[:supply]
    assert t.kind != "PLACE_TOKEN"
    assert t.snapshot()["relic_tokens"] == sorted([*used, *chosen])


@pytest.mark.rule("Y4.5", "RUL-Y13")
def test_striker_places_scarce_tokens(engine: str) -> None:
    """The choice is the triggering player's, not the active player's."""
    used = devastated_elsewhere(29)
    t = strike_quake(engine, token="savannah-5", tiles=dict.fromkeys(used, "none"), relic_tokens=used)
    t.expect("PLACE_TOKEN", 1)


@pytest.mark.rule("Y4.6")
def test_collapse_by_effect(engine: str) -> None:
    """Stabilize Collapses the space left: no token is drawn, the stack moves by its own Tremor only."""
    t = scenario(engine, {"ship": "savannah-4-0"})
    t.turn("colony_ship").answer("MOVE_TO", "savannah-4-1")
    after = t.snapshot()
    assert gone(t) == {space("savannah-4-0")}
    assert len(after["bag"]) == 42
    assert after["cysmograph"] == {"singles": 4, "stack": 5}
    assert after["relic_tokens"] == [space("savannah-4-0")]
    assert t.events("FRACTURE") == []
    assert len(t.events("TREMOR")) == 1


# ---------------------------------------------------------------- Y5 escape
@pytest.mark.rule("Y5.1", "Y5.4")
@pytest.mark.parametrize("unit", ["soldier", "speaker", "powermech", "miner", "harvester"])
def test_who_may_escape(engine: str, unit: str) -> None:
    """Miners and Harvesters may escape, and may decline; others by themselves are destroyed unasked."""
    t = quake(engine, {"units": {"savannah-5-2": unit}}, token="savannah-5")
    if unit in ("miner", "harvester"):
        t.expect("ESCAPE", 0)
        assert t.options() == ["done", f"space:{SAVANNAH_5[2]}"]
        t.do("done")
    assert placed(t, 0) == {space(SITE): counted("harvester")}


@pytest.mark.rule("Y5.1", "RUL-M8")
def test_escape_destinations(engine: str) -> None:
    """Side, arrow and TUNL neighbours, less Collapsing and impassable spaces and those with a Ship."""
    t = quake(
        engine,
        {"units": {"savannah-6-2": "miner"}, "ship": "savannah-5-1"},
        {"ship": "rocky-6-2"},
        token="savannah-6",
        tiles={
            "savannah-6-2": "tunl",
            "savannah-6-5": "tunl",
            "wetlands-2-1": "tunl",
            "forest-6-2": "lake",
            "tundra-6-2": "mountain",
            "wetlands-6-2": "none",
        },
    )
    t.answer("ESCAPE", "savannah-6-2", seat=0).expect("ESCAPE_TO", 0)
    # wetlands-6-2 shows bottom layer 6 + 2: Devastated, not Abyss; savannah-6-5 Collapses, too.
    assert t.spaces() == {space(s) for s in ("savannah-5-2", "desert-6-2", "wetlands-6-2", "wetlands-2-1")}


@pytest.mark.rule("Y5.1")
def test_no_escape_into_abyss(engine: str) -> None:
    """A neighbour whose tile is gone is a destination only if its bottom is not Abyss."""
    t = quake(
        engine,
        {"units": {"savannah-5-2": "miner"}},
        token="savannah-5",
        tiles={
            "savannah-4-1": "none",
            "savannah-4-2": "none",
            "savannah-6-2": "none",
            "savannah-6-3": "none",
        },
    )
    t.answer("ESCAPE", "savannah-5-2").expect("ESCAPE_TO")
    assert t.spaces() == {space("savannah-4-1"), space("savannah-6-2")}


@pytest.mark.rule("Y5.2", "Y5.8")
def test_no_escape_onto_enemies(engine: str) -> None:
    """Not even with a Soldier onto enemy Units, nor into a Combat; escaping starts no Combat."""
    t = quake(
        engine,
        {"units": {"savannah-5-2": "miner, soldier", "savannah-4-2": "soldier"}},
        {"units": {"savannah-4-1": "speaker", "savannah-4-2": "soldier"}},
        token="savannah-5",
        combats={"savannah-4-2": 0},
    )
    t.answer("ESCAPE", "savannah-5-2").expect("ESCAPE_TO")
    assert t.spaces() == {space("savannah-6-2"), space("savannah-6-3")}
    t.do("savannah-6-2").answer("ESCAPE_UNIT", "unit:soldier")
    assert t.units(0, "savannah-6-2") == counted("miner, soldier")
    assert t.events("COMBAT_BEGIN") == []


@pytest.mark.rule("Y5.2", "Y5.3")
@pytest.mark.parametrize(
    ("there", "spaces", "takes"),
    [
        ("3 soldier", {"savannah-6-2"}, None),
        ("2 soldier", {"savannah-6-2", "savannah-4-1"}, []),
        ("soldier, speaker", {"savannah-6-2", "savannah-4-1"}, []),
        ("soldier", {"savannah-6-2", "savannah-4-1"}, ["unit:soldier", "unit:powermech"]),
        ("powermech", {"savannah-6-2", "savannah-4-1"}, ["unit:soldier"]),
    ],
)
def test_capacity_of_the_destination(
    engine: str, there: str, spaces: set[str], takes: list[str] | None
) -> None:
    """A destination has room for an Early Warning Unit at least; companions only as far as there is room."""
    t = quake(
        engine,
        {"units": {"savannah-5-2": "miner, soldier, powermech", "savannah-4-1": there}},
        token="savannah-5",
        tiles={"savannah-4-2": "lake", "savannah-6-3": "lake"},
    )
    t.answer("ESCAPE", "savannah-5-2")
    if len(spaces) > 1:
        t.expect("ESCAPE_TO")
        assert t.spaces() == {space(s) for s in spaces}
        t.do("savannah-4-1")
    if takes is None:
        assert t.expect("ESCAPE_UNIT").options() == ["done", "unit:soldier", "unit:powermech"]
        t.do("done")
        assert t.units(0, "savannah-6-2") == counted("miner")
    elif takes:
        assert t.expect("ESCAPE_UNIT").options() == ["done", *takes]
        t.do("done")
    if takes is not None:
        expected = [a + b for a, b in zip(counted(there), counted("miner"), strict=True)]
        assert t.units(0, "savannah-4-1") == expected
    assert t.units(0, "savannah-5-2") == [0] * 5


@pytest.mark.rule("Y5.2", "Y5.3")
def test_a_vehicle_may_lead(engine: str) -> None:
    """Next to a Vehicle only the Miner can lead, a Harvester cannot come; elsewhere either leads."""
    t = quake(
        engine,
        {"units": {"savannah-5-2": "miner, harvester", "savannah-4-1": "powermech"}},
        token="savannah-5",
    )
    t.answer("ESCAPE", "savannah-5-2")
    crowded, free = t.fork(), t
    crowded.answer("ESCAPE_TO", "savannah-4-1")
    assert crowded.units(0, "savannah-4-1") == counted("miner, powermech")
    assert crowded.units(0, "savannah-5-2") == [0] * 5
    free.answer("ESCAPE_TO", "savannah-6-2")
    assert free.expect("ESCAPE_UNIT").options() == ["unit:miner", "unit:harvester"]
    free.do("unit:harvester")
    assert free.expect("ESCAPE_UNIT").options() == ["done", "unit:miner"]
    free.do("done")
    assert free.units(0, "savannah-6-2") == counted("harvester")


@pytest.mark.rule("Y5.3", "RUL-Y7")
def test_one_destination_per_space(engine: str) -> None:
    """What stays behind when a group has left its space is not asked again."""
    t = quake(
        engine, {"units": {"savannah-5-2": "2 miner, speaker", "savannah-5-0": "miner"}}, token="savannah-5"
    )
    assert t.expect("ESCAPE").spaces() == {SAVANNAH_5[0], SAVANNAH_5[2]}
    t.do("savannah-5-2").answer("ESCAPE_TO", "savannah-4-1")
    assert t.expect("ESCAPE_UNIT").options() == ["done", "unit:miner", "unit:speaker"]
    t.do("done")
    assert t.expect("ESCAPE").spaces() == {SAVANNAH_5[0]}
    t.do("done")
    assert placed(t, 0) == {space("savannah-4-1"): counted("miner"), space(SITE): counted("harvester")}


@pytest.mark.rule("Y5.4")
def test_without_destination_destroyed(engine: str) -> None:
    """A Miner that cannot leave is not asked."""
    around = NEAR[space("savannah-5-2")] - set(SAVANNAH_5)
    t = quake(
        engine, {"units": {"savannah-5-2": "miner"}}, token="savannah-5", tiles=dict.fromkeys(around, "lake")
    )
    assert all(e[2] != 75 for e in t.events("CHOICE") if e[4] == 0)
    assert placed(t, 0) == {space(SITE): counted("harvester")}


@pytest.mark.rule("Y5.5")
def test_ship_must_escape(engine: str) -> None:
    """The Ship's escape cannot be declined; everything where it goes is destroyed, the tile kept."""
    t = quake(
        engine,
        {"ship": "savannah-5-2", "units": {"savannah-5-0": "miner", "savannah-4-1": "2 speaker"}},
        {"units": {"savannah-4-2": "miner, soldier"}},
        token="savannah-5",
        tiles={"savannah-4-1": "camp", "savannah-6-2": "lake", "savannah-6-3": "none"},
        control={"savannah-4-1": 1},
    )
    assert t.expect("ESCAPE", 0).options() == [f"space:{SAVANNAH_5[0]}", f"space:{SAVANNAH_5[2]}"]
    t.do("savannah-5-2").expect("ESCAPE_TO")
    assert t.spaces() == {space("savannah-4-1"), space("savannah-4-2")}  # 6 + 3: Abyss
    other = t.fork()
    t.do("savannah-4-1")
    assert "done" in t.expect("ESCAPE").options()
    t.do("done")
    assert t.player(0)["ship"] == space("savannah-4-1")
    assert t.tile("savannah-4-1") == "plain"
    assert t.units(0, "savannah-4-1") == [0] * 5
    assert t.controller("savannah-4-1") is None
    other.do("savannah-4-2", "done")
    assert placed(other, 1) == {}


@pytest.mark.rule("Y5.6", "M4.4", "RUL-Y11")
def test_ship_without_neighbour_escapes_to_the_nearest(engine: str) -> None:
    """Over Collapsing and impassable spaces to the nearest legal ones, whichever of them it likes."""
    home = space("savannah-5-2")
    near = set(NEAR[home])
    second = {n for m in near for n in NEAR[m]} - near - {home}
    free = {space("savannah-3-0"), space("savannah-4-3")}
    tiles = dict.fromkeys((near | second) - free - set(SAVANNAH_5), "lake")
    t = quake(engine, {"ship": home}, token="savannah-5", tiles=tiles)
    t.expect("ESCAPE_TO", 0)
    assert free <= second
    assert t.spaces() == free
    t.do("savannah-3-0")
    assert t.player(0)["ship"] == space("savannah-3-0")
    assert gone(t) == set(SAVANNAH_5)


@pytest.mark.rule("Y5.6", "RUL-Y11", "M4.4")
def test_ship_with_nowhere_to_go_stays(engine: str) -> None:
    """With no legal space on the planet its own space is left out of the Collapse."""
    ship, other = space("savannah-5-2"), space("rocky-3-1")
    lakes: dict[str | int, str] = dict.fromkeys(set(range(1, 127)) - {ship, other}, "lake")
    lakes[0] = "none"  # Abyss
    t = quake(engine, {"ship": ship}, {"ship": other}, token="savannah-5", site="savannah-5-0", tiles=lakes)
    assert t.player(0)["ship"] == ship
    assert placed(t, 0) == {}
    assert gone(t) == set(SAVANNAH_5) - {ship} | {0}


@pytest.mark.rule("Y5.7", "RUL-Y6")
def test_order_of_escapes(engine: str) -> None:
    """The active player first, then clockwise, whoever triggered the Fracture; earlier escapes count."""
    t = strike_quake(
        engine,
        {"units": {"savannah-5-2": "miner", "savannah-5-0": "miner"}},
        {"units": {"savannah-5-3": "miner"}},
        {"units": {"savannah-5-1": "harvester"}},
        token="savannah-5",
    )
    assert t.expect("ESCAPE", 0).spaces() == {SAVANNAH_5[0], SAVANNAH_5[2]}
    t.do("savannah-5-2").answer("ESCAPE_TO", "savannah-4-2")
    assert t.expect("ESCAPE", 0).spaces() == {SAVANNAH_5[0]}
    t.do("done")
    t.answer("ESCAPE", "savannah-5-3", seat=1).expect("ESCAPE_TO", 1)
    assert t.spaces() == {space(s) for s in ("savannah-4-3", "savannah-6-3", "savannah-6-4")}
    t.do("savannah-4-3")
    t.expect("ESCAPE", 2)


@pytest.mark.rule("Y5.7", "Y5.5", "RUL-Y12")
def test_ship_lands_on_units_that_escaped_before(engine: str) -> None:
    """A later Ship destroys Units that have just escaped."""
    t = quake(engine, {"units": {"savannah-5-2": "miner"}}, {"ship": "savannah-5-3"}, token="savannah-5")
    t.answer("ESCAPE", "savannah-5-2", seat=0).answer("ESCAPE_TO", "savannah-4-2")
    assert t.units(0, "savannah-4-2") == counted("miner")
    t.answer("ESCAPE_TO", "savannah-4-2", seat=1)
    assert placed(t, 0) == {space(SITE): counted("harvester")}
    assert t.player(1)["ship"] == space("savannah-4-2")


# ---------------------------------------------------------------- the printed example
def savannah_five(engine: str) -> Table:
    """The printed event: Savannah / ring 5, grey's Units in several of its spaces."""
    return quake(
        engine,
        {
            "ship": "savannah-5-0",
            "units": {
                "savannah-5-4": "miner, 2 soldier",
                "savannah-4-3": "soldier",
                "savannah-5-3": "speaker",
                "savannah-5-2": "miner",
            },
        },
        {"units": {"savannah-5-2": "soldier", "savannah-4-0": "soldier"}},
        options={"colours": ("grey", "orange")},
        token="savannah-5",
        combats={"savannah-5-2": 1},
        tiles={
            "savannah-6-4": "lake",
            "savannah-6-5": "mountain",
            "forest-5-0": "mountain",
            "savannah-5-1": "mountain",
            "savannah-6-0": "mountain",
            "savannah-6-1": "mountain",
        },
    )


@pytest.mark.rule("Y-EX5", "Y5.3", "Y5.2")
def test_example_miner_with_two_soldiers(engine: str) -> None:
    """All three together reach the Forest space only; beside the other Soldier there is room for two."""
    t = savannah_five(engine)
    t.answer("ESCAPE", "savannah-5-4", seat=0).expect("ESCAPE_TO", 0)
    assert t.spaces() == {space("savannah-4-3"), space("forest-4-0")}
    cramped = t.fork()
    t.do("forest-4-0").answer("ESCAPE_UNIT", "unit:soldier").answer("ESCAPE_UNIT", "unit:soldier")
    assert t.units(0, "forest-4-0") == counted("miner, 2 soldier")
    cramped.do("savannah-4-3").answer("ESCAPE_UNIT", "unit:soldier")
    assert cramped.kind == "ESCAPE_TO", "the Ship's turn: nobody else fits"
    assert cramped.units(0, "savannah-4-3") == counted("miner, 2 soldier")


@pytest.mark.rule("Y-EX6", "Y-EX7", "Y-EX8", "Y-EX4", "Y5.5")
def test_example_the_others(engine: str) -> None:
    """Speaker and both sides of the Combat perish; the Ship may crush a Soldier; five tiles go."""
    t = savannah_five(engine)
    assert t.expect("ESCAPE", 0).spaces() == {space("savannah-5-0"), space("savannah-5-4")}
    t.do("savannah-5-4", "forest-4-0").answer("ESCAPE_UNIT", "unit:soldier").answer(
        "ESCAPE_UNIT", "unit:soldier"
    )
    t.expect("ESCAPE_TO", 0)
    assert t.spaces() == {space("savannah-4-0"), space("desert-5-4"), space("desert-6-5")}
    t.do("savannah-4-0")
    assert t.player(0)["ship"] == space("savannah-4-0")
    assert placed(t, 0) == {
        space("forest-4-0"): counted("miner, 2 soldier"),
        space("savannah-4-3"): counted("soldier"),
        space(SITE): counted("harvester"),
    }
    assert placed(t, 1) == {}
    assert t.snapshot()["combats"] == []
    assert gone(t) == set(SAVANNAH_5)
    assert len(SAVANNAH_5) == 5


@pytest.mark.rule("Y-EX4")
def test_example_ring_one(engine: str) -> None:
    """A ring 1 token removes one tile of an untouched planet."""
    t = quake(engine, token="forest-1")
    assert gone(t) == {space("forest-1-0")}
    assert all(ring(n) == 1 for n in gone(t))


# ---------------------------------------------------------------- any position, against a model
class Event(Board):
    """An independent model of a Fracture in a crowded position; checks every decision and picks at random."""

    def __init__(self, engine: str, seed: int, token: str) -> None:
        rng = random.Random(seed)
        terrain, of_ring = rng.randrange(6), rng.randint(2, 6)
        ground = (*GROUND, "none", "none", "none") if token == "devastated" else (*GROUND, "camp", "outpost")
        super().__init__(seed, ["harvester"], centre=rng.choice(landscape(terrain, of_ring)), ground=ground)
        self.tiles[self.home] = "lorium"
        self.tokens.discard(self.home)
        habitats = [n for n in range(1, 127) if self.tiles[n] in ("camp", "outpost")]
        self.control = {n: rng.randrange(3) for n in rng.sample(habitats, min(7, len(habitats)))}
        if token == "devastated":
            self.doomed = {n for n in range(127) if self.devastated(n)}
        else:
            token = f"{TERRAINS[terrain]}-{of_ring}"
            self.doomed = {n for n in landscape(terrain, of_ring) if self.tiles[n] != "none"}
        self.removal = token != "devastated"
        self.t = self.load(
            engine,
            relics={"draw": [f"R{i:02d}" for i in range(1, 21)]},
            control=self.control,
            cysmograph={"singles": 3, "stack": 6},
            script={"fracture_token": [token]},
        )
        shake(self.t, self.home)

    def ask(self, kind: str, seat: int, options: Sequence[str]) -> str:
        if len(options) == 1:
            return options[0]
        assert set(self.t.expect(kind, seat).options()) == set(options)
        choice = self.rng.choice(options)
        self.t.do(choice)
        return choice

    def ask_space(self, kind: str, seat: int, spaces: Iterable[int], *others: str) -> int | None:
        choice = self.ask(kind, seat, [*others, *(f"space:{n}" for n in sorted(spaces))])
        return int(choice[6:]) if choice.startswith("space:") else None

    def open(self, n: int) -> bool:
        return not (n in self.doomed or self.impassable(n) or n in self.ships)

    def ways(self, seat: int, n: int) -> set[int]:
        """Where a group of Early Warning Units may escape to."""
        counts = self.units[seat].get(n, [0] * 5)
        return {
            m
            for m in self.near(n)
            if self.open(m)
            and not self.enemies(seat, m)
            and any(counts[i] and self.has_room(seat, m, i) for i in (1, 4))
        }

    def groups(self, seat: int, used: set[int]) -> set[int]:
        return {
            n
            for n in self.doomed - used
            if n in self.units[seat] and not self.enemies(seat, n) and self.ways(seat, n)
        }

    def escape_ship(self, seat: int) -> None:
        home = self.ships[seat]
        reach, legal = {home}, set()
        while not legal and len(reach) < 127:
            reach = {m for n in reach for m in NEAR[n]} | reach
            legal = {n for n in reach if self.open(n)}
        if not legal:
            self.doomed.discard(home)
            return
        to = self.ask_space("ESCAPE_TO", seat, legal)
        assert to is not None
        self.ships[seat] = to
        for units in self.units:
            units.pop(to, None)
        self.attackers.pop(to, None)
        self.control.pop(to, None)
        self.tokens.discard(to)
        if self.tiles[to] != "none":
            self.tiles[to] = "plain"

    def escape_group(self, seat: int, start: int) -> None:
        to = self.ask_space("ESCAPE_TO", seat, self.ways(seat, start))
        assert to is not None
        here = self.units[seat][start]
        leader: list[str] = []
        while True:
            allowed = (1, 4) if not leader else range(5)
            able = [f"unit:{UNIT_NAMES[i]}" for i in allowed if here[i] and self.has_room(seat, to, i)]
            choice = self.ask("ESCAPE_UNIT", seat, able if not leader else ["done", *able])
            if choice == "done":
                break
            leader = ["done"]
            index = UNIT_NAMES.index(choice[5:])
            here[index] -= 1
            self.units[seat].setdefault(to, [0] * 5)[index] += 1
        if not any(here):
            del self.units[seat][start]
        if to in self.tokens and self.ask_space("TAKE_TOKEN", seat, [to], "done") == to:
            self.tokens.discard(to)
            self.t.answer("KEEP_RELIC", self.rng.choice(self.t.options()), seat=seat)
            self.t.answer("RELIC_WINDOW", "done", seat=seat)

    def run(self) -> None:
        for seat in range(3):
            used: set[int] = set()
            while True:
                ship = {self.ships[seat]} & self.doomed - used
                start = self.ask_space(
                    "ESCAPE", seat, ship | self.groups(seat, used), *([] if ship else ["done"])
                )
                if start is None:
                    break
                used.add(start)
                if start in ship:
                    self.escape_ship(seat)
                else:
                    self.escape_group(seat, start)
        for n in self.doomed:
            for units in self.units:
                units.pop(n, None)
            self.attackers.pop(n, None)
            self.tokens.discard(n)
            if self.removal:
                self.control.pop(n, None)
                self.tiles[n] = "none"
                if not is_abyss(n):
                    self.tokens.add(n)

    def check(self) -> None:
        assert self.t.kind not in ("ESCAPE", "ESCAPE_TO", "ESCAPE_UNIT", "TAKE_TOKEN")
        after = self.t.snapshot()
        assert [p["ship"] for p in after["players"]] == self.ships
        assert [placed(self.t, seat) for seat in range(3)] == self.units
        assert after["tiles"] == [self.tiles[n] for n in range(127)]
        assert after["relic_tokens"] == sorted(self.tokens)
        assert after["control"] == sorted([n, seat] for n, seat in self.control.items())
        assert after["combats"] == sorted([n, seat] for n, seat in self.attackers.items())
        assert after["cysmograph"] == {"singles": 4, "stack": 4}


@pytest.mark.rule(
    "Y2.3",
    "Y2.6",
    "Y4.1",
    "Y4.2",
    "Y4.3",
    "Y4.4",
    "Y4.5",
    "Y5.1",
    "Y5.2",
    "Y5.3",
    "Y5.4",
    "Y5.5",
    "Y5.6",
    "Y5.7",
)
@pytest.mark.parametrize("token", ["landscape", "devastated"])
@pytest.mark.parametrize("seed", range(40))
def test_fractures_against_a_model(engine: str, seed: int, token: str) -> None:
    """Random crowded positions: who is asked about which escapes, and what is left afterwards."""
    event = Event(engine, seed, token)
    event.run()
    event.check()
