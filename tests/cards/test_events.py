"""The Planetary Events: drawn, resolved at once, discarded and replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from geometry import NEAR, ball, is_abyss, landscape, ring
from plays import at_bonus
from scenario import SHIPS, Table, make_game, scenario, space
from scenario import units as counted
from small_packs import write_pack

from cysmic_fast import load_game
from cysmic_fast.vocabulary import OPTION, DecisionKind

FIELD, HILL = space("wetlands-4-1"), space("tundra-4-1")
BESIDE = sorted(NEAR[FIELD])
PLAIN = space("desert-4-1")
SHIP, THEIR_SHIP, THIRD_SHIP = (space(ship) for ship in SHIPS[:3])
SOLDIER, MINER, SPEAKER, POWERMECH, HARVESTER = range(5)
#: A player who has Launched.
GONE = {"ship": None, "launched": True}
CALM = {"singles": 3, "stack": 3}


def options(more: dict[str, Any]) -> dict[str, Any]:
    given = {"abilities": True, "molten_core": True, "events": True, "trading": False}
    return {**given, **more.pop("options", {})}


def draw(engine: str, event: str, *seats: Mapping[str, Any], cell: str = "gain_card", **more: Any) -> Table:
    """Seat 0 of three gains a card by its Bonus Action, and the Event lies on top, D26 and D27 beneath it."""
    more["options"] = options(more)
    more.setdefault("discovery", {"draw": [event, "D26", "D27"]})
    more.setdefault("cysmograph", CALM)
    everyone = [*seats, *({} for _ in range(3 - len(seats)))]
    return at_bonus(engine, "two_cards", *everyone, **more).do(f"bonus:{cell}")


def over(t: Table, event: str) -> Table:
    """The Event is resolved and discarded, another card drawn for it, and the turn has passed on."""
    design = next(n for n, d in enumerate(t.game.content.discovery) if d.id == event)
    assert [e[1:] for e in t.events("PLAY_CARD")] == [(0, design, 3, 0)]
    assert t.snapshot()["discovery"]["discard"].count(event) == 1
    assert event not in t.player(0)["discovery"]
    assert t.player(0)["discovery"][-1:] == ["D26"]
    return t.expect("BURN", 1)


def asked(t: Table, kind: str, *choices: str | int, seat: int = 0) -> Table:
    """Exactly these options are offered to this player; the only one has been taken already."""
    wanted = sorted(t.action(c) for c in choices)
    if len(wanted) == 1 and t.kind != kind:
        taken = [(e[1], *e[3:]) for e in t.events("CHOICE") if e[2] == DecisionKind[kind]]
        assert (seat, wanted[0], 1) in taken, f"{kind}: neither asked nor the only choice"
        return t
    t.expect(kind, seat)
    assert list(t.state.legal_actions()) == wanted, t.options()
    return t


def lorium(t: Table) -> list[int]:
    return [p["lorium"] for p in t.snapshot()["players"]]


# ------------------------------------------------------------------ each of them
@pytest.mark.card("P01")
@pytest.mark.rule("D4.1", "V3.1", "V1.5")
def test_solar_flare(engine: str) -> None:
    """Everybody discards a card of their choice, clockwise from the active player; who has none does not."""
    t = draw(engine, "P01", {"discovery": ["D01", "D02"]}, {"discovery": ["D03", "D04"]}, {})
    asked(t, "PAY_CARD", "card:D01", "card:D02")
    t.do("card:D02")
    assert t.player(0)["discovery"] == ["D01"]
    asked(t, "PAY_CARD", "card:D03", "card:D04", seat=1)
    t.do("card:D03")
    assert t.player(1)["discovery"] == ["D04"]
    assert t.player(2)["discovery"] == []
    assert t.snapshot()["discovery"]["discard"] == ["D02", "D03", "P01"]
    over(t, "P01")


@pytest.mark.card("P01")
@pytest.mark.rule("D4.1", "V1.10")
def test_solar_flare_in_the_middle_of_a_gain(engine: str) -> None:
    """A card drawn just before is in hand and may be the one that is lost; one drawn afterwards is safe."""
    t = draw(engine, "P01", cell="two_cards", discovery={"draw": ["D19", "P01", "D26"]})
    assert t.player(0)["discovery"] == ["D26"]
    assert t.snapshot()["discovery"]["discard"] == ["D19", "P01"]
    over(t, "P01")


@pytest.mark.card("P02")
@pytest.mark.rule("V3.1")
def test_crystal_bloom(engine: str) -> None:
    """2 Lorium each; a player who has Launched is passed over."""
    over(t := draw(engine, "P02", {"lorium": 1}), "P02")
    assert lorium(t) == [3, 2, 2]
    t = draw(engine, "P02", {}, {}, GONE, options={"end_trigger": "simultaneous"})
    assert lorium(t) == [2, 2, 0]


@pytest.mark.card("P03")
@pytest.mark.rule("Y2.1", "Y3.2")
def test_the_long_quake(engine: str) -> None:
    """A Fracture without a Tremor, its token drawn by chance and gone from the bag."""
    t = draw(engine, "P03", script={"fracture_token": ["wetlands-5"]})
    assert {e[2] for e in t.events("COLLAPSE")} == set(landscape(4, 5))
    assert {e[1] for e in t.events("COLLAPSE")} == {0}
    assert t.events("TREMOR") == []
    assert "wetlands-5" not in t.snapshot()["bag"]
    assert t.snapshot()["cysmograph"] == {"singles": 4, "stack": 4}
    over(t, "P03")


@pytest.mark.card("P03")
@pytest.mark.rule("V1.1")
def test_the_long_quake_with_an_empty_bag(engine: str) -> None:
    t = draw(engine, "P03", bag=[])
    assert t.events("COLLAPSE") == []
    over(t, "P03")


@pytest.mark.card("P04")
@pytest.mark.rule("D4.1", "V3.1", "V1.1")
def test_refugee_column(engine: str) -> None:
    """Everybody may Deploy a Soldier; the drawer gets a neutral Camp of their choice."""
    tiles = {
        **dict.fromkeys(NEAR[THEIR_SHIP], "lake"),
        FIELD: "camp",
        HILL: "camp",
        BESIDE[0]: "outpost",
        BESIDE[2]: "camp",
    }
    t = draw(engine, "P04", tiles=tiles, control={BESIDE[2]: 2})
    asked(t, "OPTIONAL_STEP", "yes", "no")
    t.do("yes")
    asked(t, "DEPLOY_SPACE", *sorted(NEAR[SHIP]))
    t.do(min(NEAR[SHIP]))
    assert t.units(0, min(NEAR[SHIP])) == counted("soldier")
    # seat 1 has no place for one
    asked(t, "OPTIONAL_STEP", "yes", "no", seat=2)
    t.do("no")
    asked(t, "REWARD_HABITAT", FIELD, HILL)
    t.do(HILL)
    assert t.controller(HILL) == 0
    assert t.controller(FIELD) is None
    over(t, "P04")


@pytest.mark.card("P04")
@pytest.mark.rule("V1.1")
def test_refugee_column_without_a_camp(engine: str) -> None:
    """No neutral Camp: none is taken from anybody."""
    t = draw(engine, "P04", tiles={FIELD: "camp", HILL: "outpost"}, control={FIELD: 1})
    for seat in range(3):
        t.answer("OPTIONAL_STEP", "no", seat=seat)
    assert t.controller(FIELD) == 1
    over(t, "P04")


@pytest.mark.card("P05")
@pytest.mark.rule("V1.2")
def test_ion_storm(engine: str) -> None:
    """Everybody's Units move one space less and nobody jumps, up to the start of the drawer's next turn."""
    seats = ({"units": {HILL: "soldier"}}, {"units": {FIELD: "powermech"}}, {"units": {PLAIN: "miner"}})
    t = over(draw(engine, "P05", *seats), "P05")
    storm = t.fork().turn("powermechs").answer("ACT_SPACE", FIELD)
    assert storm.kind == "MOVE_TO"  # there is no other action
    assert storm.spaces() == ball(FIELD, 2)
    t.turn("upgrade").skip("BURN").expect("BURN", 2)
    t.turn("miners").answer("ACT_SPACE", PLAIN).expect("MOVE_TO", 2)
    assert t.spaces() == ball(PLAIN, 1)
    t.do(PLAIN).skip("BURN").expect("BURN", 0)
    t.turn("soldiers").answer("ACT_SPACE", HILL).expect("MOVE_TO", 0)
    assert t.spaces() == ball(HILL, 3) - {THIRD_SHIP}
    t.do(HILL).skip("BURN").expect("BURN", 1)
    t.turn("powermechs").answer("ACT_SPACE", FIELD).expect("ACT_ACTION", 1)
    assert t.options() == ["action:move", "action:jumpjet"]


@pytest.mark.card("P05")
@pytest.mark.rule("D4.1")
def test_ion_storm_at_once(engine: str) -> None:
    """Its drawer is struck too, in what is left of the turn."""
    t = scenario(
        engine,
        {"units": {FIELD: "harvester", HILL: "soldier"}},
        {},
        tiles={FIELD: "explorable"},
        options=options({}),
        discovery={"draw": ["P05", "D26", "D27"]},
    ).turn("harvesters")
    t.answer("ACT_SPACE", "done").answer("ACT_SPACE", FIELD)
    t.answer("BONUS", "bonus:hand_action").skip("ACT_SPACE").do(HILL)
    assert t.expect("MOVE_TO", 0).spaces() == ball(HILL, 2)


@pytest.mark.card("P05")
@pytest.mark.rule("X1.2", "V1.2")
def test_ion_storm_stops_cyber_attacks(engine: str) -> None:
    """No Cyber Attack is offered; Long Jump cannot be played for its Ability."""
    near = sorted(NEAR[SHIP])[0]
    seats = ({}, {"units": {near: "soldier"}, "discovery": ["D04", "D25"]}, {})
    calm = draw(engine, "P02", *seats)
    calm.turn("negotiate").skip("CYBER_SPACE").expect("CYBER_SPACE", 1)
    t = over(draw(engine, "P05", *seats), "P05").turn("negotiate").skip("BONUS")
    assert not [e for e in t.events("CHOICE") if e[2] == DecisionKind.CYBER_SPACE]
    for card in ("D04", "D25"):
        one = t.fork().do("bonus:play_card").answer("PLAY_CARD", f"card:{card}")
        last = [e for e in one.events("CHOICE") if e[2] == DecisionKind.PLAY_MODE][-1]
        assert last[1:] == (1, DecisionKind.PLAY_MODE, OPTION + 1, 1)


@pytest.mark.card("P06")
@pytest.mark.rule("V3.1")
def test_prison_riot(engine: str) -> None:
    """Each player rescues one Unit of their own, Vehicles too, out of a Holding Area of their choice."""
    t = draw(
        engine, "P06",
        {"captured": {1: "soldier", 2: "miner"}},
        {"captured": {0: "soldier, powermech"}},
        {"captured": {0: "speaker"}},
    )  # fmt: skip
    asked(t, "RESCUE_HOLDER", "player:1", "player:2")
    t.do("player:1")
    asked(t, "RESCUE_TYPE", "unit:soldier", "unit:powermech")
    t.do("unit:powermech")
    assert t.captured(1, 0) == counted("soldier")
    assert t.captured(2, 0) == counted("speaker")
    assert t.captured(0, 1) == t.captured(0, 2) == [0] * 5
    assert sorted(e[1:4] for e in t.events("RELEASE")) == [(0, 1, SOLDIER), (0, 2, MINER), (1, 0, POWERMECH)]
    over(t, "P06")
    over(t := draw(engine, "P06", {}, {"captured": {}}), "P06")
    assert t.events("RELEASE") == []


@pytest.mark.card("P07")
@pytest.mark.rule("V1.1")
def test_old_voices(engine: str) -> None:
    """Up to three tokens on Devastated spaces without Unit, Ship and token, as the drawer likes."""
    *free, taken, held = [n for n in sorted(ball(FIELD, 2)) if not is_abyss(n)][:6]
    abyss = next(n for n in BESIDE if is_abyss(n))
    t = draw(
        engine,
        "P07",
        {},
        {"units": {held: "soldier"}},
        tiles=dict.fromkeys([*free, taken, held, abyss], "none"),
        relic_tokens=[taken],
    )
    asked(t, "TOKEN_SPACE", "done", *free)
    over(t.fork().do("done"), "P07")
    t.do(free[0]).answer("TOKEN_SPACE", free[1])
    asked(t, "TOKEN_SPACE", "done", *free[2:])
    t.do(free[3])
    assert t.snapshot()["relic_tokens"] == sorted([taken, free[0], free[1], free[3]])
    assert t.events("TREMOR") == []
    over(t, "P07")


@pytest.mark.card("P07")
@pytest.mark.rule("V1.1")
def test_old_voices_on_a_whole_planet(engine: str) -> None:
    """Without a Devastated space a Tremor; an Abyss is not Devastated. One that is full: neither."""
    abyss = next(n for n in BESIDE if is_abyss(n))
    t = draw(engine, "P07", tiles={abyss: "none"})
    assert [e[1:3] for e in t.events("TREMOR")] == [(0, 4)]
    over(t, "P07")
    hole = next(n for n in BESIDE if not is_abyss(n))
    t = draw(engine, "P07", tiles={hole: "none"}, relic_tokens=[hole])
    assert t.events("TREMOR") == []
    over(t, "P07")


@pytest.mark.card("P08")
@pytest.mark.rule("V3.1")
def test_crisis_of_faith(engine: str) -> None:
    """Who has two Habitats or more gives one of them up, in turn; one Habitat is kept."""
    a, b, c, d, e = BESIDE[:5]
    tiles = {a: "camp", b: "outpost", c: "settlement", d: "camp", e: "camp"}
    t = draw(engine, "P08", tiles=tiles, control={a: 0, b: 0, c: 1, d: 2, e: 2})
    asked(t, "PAY_HABITAT", a, b)
    t.do(b)
    assert t.controller(b) is None
    asked(t, "PAY_HABITAT", d, e, seat=2)
    t.do(d)
    assert [t.controller(n) for n in (a, b, c, d, e)] == [0, None, 1, None, 2]
    over(t, "P08")


@pytest.mark.card("P08", "D76", "P01", "D03")
@pytest.mark.rule("V1.8")
def test_an_event_belongs_to_its_drawer(engine: str) -> None:
    """What others lose by it is the drawer's effect: Loyal Crowd works against it, but not for the drawer."""
    a, b, c, d = BESIDE[:4]
    tiles = dict.fromkeys((a, b, c, d), "camp")
    t = draw(engine, "P08", {}, {"discovery": ["D76"]}, tiles=tiles, control={a: 0, b: 0, c: 1, d: 1})
    t.answer("PAY_HABITAT", a, seat=0).answer("PAY_HABITAT", c, seat=1)
    asked(t, "REACT", "done", "card:D76", seat=1)
    t.do("card:D76")
    assert t.controller(a) is None
    assert t.controller(c) == 1


@pytest.mark.card("P09")
@pytest.mark.rule("V1.1")
@pytest.mark.parametrize(("stack", "after"), [(6, 4), (5, 3), (4, 3), (3, 3)])
def test_silent_ground(engine: str, stack: int, after: int) -> None:
    """The stack goes two positions back, not behind its start; the look at the Relics may be declined."""
    t = draw(engine, "P09", cysmograph={"singles": 3, "stack": stack})
    assert t.snapshot()["cysmograph"] == {"singles": 3, "stack": after}
    asked(t, "OPTIONAL_STEP", "yes", "no")
    over(t.do("no"), "P09")


@pytest.mark.card("P09")
@pytest.mark.rule("V1.4")
@pytest.mark.parametrize("places", [(0, 1, 0), (1, 1, 1), (1, 0, 1), (0, 0, 0)])
def test_silent_ground_sorts_relics(engine: str, places: Sequence[int]) -> None:
    """Three Relic Cards, one by one to the top or the bottom; those on top keep their order."""
    content = make_game(engine).content
    deck = [content.relics[n].id for n in content.relic_deck(True)]
    t = draw(engine, "P09", relics={"draw": deck}).answer("OPTIONAL_STEP", "yes")
    for place in places:
        asked(t, "SCRY_PUT", "option:0", "option:1")
        t.do(f"option:{place}")
    top = [card for card, place in zip(deck[:3], places, strict=True) if place == 0]
    bottom = [card for card, place in zip(deck[:3], places, strict=True) if place == 1]
    assert t.snapshot()["relics"] == {"draw": top + deck[3:] + bottom, "discard": []}
    assert t.player(0)["relics"] == []
    over(t, "P09")


@pytest.mark.card("P10")
@pytest.mark.rule("D7.1", "D7.2")
def test_neural_static(engine: str) -> None:
    """Everybody picks one Unlocked Troop of their own, which becomes Confused."""
    t = draw(
        engine, "P10",
        {"units": {FIELD: "soldier, miner, powermech", HILL: "soldier"}},
        {"units": {HILL: "2 soldier", BESIDE[0]: "speaker"}},
        {"units": {BESIDE[1]: "harvester"}},
        combats={HILL: 1},
    )  # fmt: skip
    asked(t, "UNIT_TYPE", "unit:soldier", "unit:miner")
    t.do("unit:miner")
    assert t.player(0)["confused"] == [[FIELD, [0, 1, 0]]]
    assert t.player(1)["confused"] == [[BESIDE[0], [0, 0, 1]]]
    assert t.player(2)["confused"] == []
    assert [e[1:] for e in t.events("CONFUSE")] == [(0, MINER, FIELD, 1), (1, SPEAKER, BESIDE[0], 1)]
    over(t, "P10")


@pytest.mark.card("P11")
@pytest.mark.rule("K7.1", "V1.1", "V3.1")
def test_broadcast_truce(engine: str) -> None:
    """Everybody in turn may Flee one Combat without a Final Strike; a Combat that is over is nobody's."""
    other = HILL
    t = draw(
        engine,
        "P11",
        {"units": {FIELD: "soldier", other: "2 soldier"}},
        {"units": {FIELD: "2 soldier"}},
        {"units": {other: "miner"}},
        combats={FIELD: 0, other: 0},
    )
    asked(t, "OPTIONAL_STEP", "yes", "no")
    t.do("yes")
    asked(t, "FREE_FLEE", *sorted([FIELD, other]))
    t.do(FIELD).answer("FLEE_TO", BESIDE[0], seat=0)
    assert t.units(0, BESIDE[0]) == counted("soldier")
    # the Combat of seat 1 is over
    asked(t, "OPTIONAL_STEP", "yes", "no", seat=2)
    t.do("no")
    assert t.units(2, other) == counted("miner")
    assert t.events("STRIKE") == []
    assert [e[1:3] for e in t.events("COMBAT_END")] == [(1, FIELD)]
    over(t, "P11")


@pytest.mark.card("P11")
@pytest.mark.rule("V1.1", "K7.2")
def test_broadcast_truce_without_a_way_out(engine: str) -> None:
    """Neither without a Combat nor without a destination is anybody asked."""
    t = draw(
        engine, "P11", {"units": {FIELD: "soldier"}}, {"units": {FIELD: "soldier"}}, combats={FIELD: 0},
        tiles=dict.fromkeys(BESIDE, "lake"),
    )  # fmt: skip
    over(t, "P11")


@pytest.mark.card("P12")
@pytest.mark.rule("Y4.2", "Y4.6", "V2.4")
def test_sinkhole(engine: str) -> None:
    """A tile in rings 2 to 4; tokens beside the hole go, the one in the hole is new."""
    hole = next(n for n in BESIDE if not is_abyss(n) and 2 <= ring(n) <= 4)
    beside = [n for n in sorted(NEAR[hole]) if not is_abyss(n)][:2]
    far = next(n for n in sorted(ball(hole, 2) - ball(hole, 1)) if not is_abyss(n))
    t = draw(
        engine, "P12", {}, {"units": {hole: "soldier"}}, tiles=dict.fromkeys([*beside, far], "none"),
        relic_tokens=[*beside, far],
    )  # fmt: skip
    t.expect("COLLAPSE_SPACE", 0)
    assert t.spaces() == {n for n in range(127) if 2 <= ring(n) <= 4} - {*beside, far}
    t.do(hole)
    assert t.tile(hole) == "none"
    assert t.units(1, hole) == [0] * 5
    assert t.snapshot()["relic_tokens"] == sorted([hole, far])
    assert t.events("TREMOR") == t.events("FRACTURE") == []
    over(t, "P12")


@pytest.mark.card("P12")
@pytest.mark.rule("V1.1")
def test_sinkhole_without_a_tile(engine: str) -> None:
    """With rings 2 to 4 gone nothing happens, to tokens either."""
    tiles = {n: "none" for n in range(127) if 2 <= ring(n) <= 4}
    ships = ({"ship": "savannah-5-1"}, {"ship": "forest-5-1"}, {"ship": "rocky-5-1"})
    token = next(n for n in BESIDE if n in tiles and not is_abyss(n))
    t = draw(engine, "P12", *ships, tiles=tiles, relic_tokens=[token])
    assert t.events("COLLAPSE") == []
    assert t.snapshot()["relic_tokens"] == [token]
    over(t, "P12")


# ------------------------------------------------------------------ drawing them
def everything_but(engine: str, *cards: str) -> list[str]:
    """The Discovery Deck with Molten Core and Events, without one copy of each of these cards."""
    content = make_game(engine).content
    deck = [content.discovery[n].id for n in content.discovery_deck(True, True)]
    for card in cards:
        deck.remove(card)
    return deck


LATE = {"end_trigger": "simultaneous"}


@pytest.mark.card("P02", "P09")
@pytest.mark.rule("D4.1", "V1.10")
def test_several_events_in_a_row(engine: str) -> None:
    """Each is resolved in the order drawn before the next card is drawn."""
    t = draw(engine, "P02", discovery={"draw": ["P02", "P09", "D26", "D27"]})
    assert lorium(t) == [2, 2, 2]
    t.answer("OPTIONAL_STEP", "no", seat=0)
    assert t.player(0)["discovery"] == ["D26"]
    assert t.snapshot()["discovery"]["draw"][0] == "D27"
    assert t.snapshot()["discovery"]["discard"] == ["P02", "P09"]


@pytest.mark.card("P02")
@pytest.mark.rule("D4.1", "V1.10", "RUL-D2")
def test_nothing_but_events_left(engine: str) -> None:
    """Each once in one gain, the deck being rebuilt once; the gain ends without a card."""
    hand = everything_but(engine, "P02", "P10")
    t = draw(
        engine, "P02", {}, {}, {**GONE, "discovery": [c for c in hand if c[0] == "D"]}, cell="two_cards",
        discovery={"draw": ["P02"], "discard": [c for c in hand if c[0] == "P"] + ["P10"]},
        options=LATE, script={"discovery_shuffle": [["P10"]]}, bag=[],
    )  # fmt: skip
    while t.kind != "DISCARD_DISCOVERY":
        t.skip(("DISCARD_DISCOVERY", "COLLAPSE_SPACE"))
        if t.kind == "COLLAPSE_SPACE":
            t.do(min(t.spaces()))
    events = [e for e in t.events("PLAY_CARD") if e[3] == 3]
    assert len(events) == len({e[2] for e in events}) == 12
    assert t.player(0)["discovery"] == []
    assert lorium(t) == [2, 2, 0]
    assert sorted(t.snapshot()["discovery"]["draw"] + t.snapshot()["discovery"]["discard"]) == [
        f"P{n:02}" for n in range(1, 13)
    ]


@pytest.mark.card("P02")
@pytest.mark.rule("D4.1", "V1.10")
def test_drawn_while_exploring(engine: str) -> None:
    """In the middle of a Section; the Miner's card comes afterwards."""
    t = scenario(
        engine, {"units": {FIELD: "miner"}}, {}, tiles={FIELD: "explorable"}, options=options({}),
        discovery={"draw": ["P02", "D26"]},
    ).turn("miners")  # fmt: skip
    t.answer("ACT_SPACE", "done").answer("ACT_SPACE", FIELD)
    assert lorium(t) == [2, 2]
    assert t.player(0)["discovery"] == ["D26"]


@pytest.mark.card("P04", "D75")
@pytest.mark.rule("D4.1", "V3.1")
def test_drawn_by_a_player_who_is_not_active(engine: str) -> None:
    """The drawer is the one it belongs to, but the questions go round from the active player."""
    t = draw(
        engine, "P04", {}, {"discovery": ["D75"]}, tiles={FIELD: "camp", HILL: "camp"},
        discovery={"draw": ["D26", "P04", "D27"]},
    ).answer("REACT", "card:D75", seat=1)  # fmt: skip
    for seat in range(3):
        t.answer("OPTIONAL_STEP", "no", seat=seat)
    asked(t, "REWARD_HABITAT", FIELD, HILL, seat=1)
    t.do(FIELD)
    assert t.controller(FIELD) == 1
    assert t.player(0)["discovery"] == ["D26"]
    assert t.player(1)["discovery"] == ["D27"]


@pytest.mark.card("D30", "P02", "P09")
@pytest.mark.rule("V1.10", "D4.1")
def test_survey_drone_sees_events(engine: str) -> None:
    """An Event that is looked at does nothing unless it is kept; then another card is drawn for it."""
    deck = {"draw": ["P02", "D26", "P09", "D27", "D01"]}
    t = at_bonus(engine, "two_cards", {"discovery": ["D30"]}, {}, options=options({}), discovery=deck)
    t.do("bonus:play_card").answer("PLAY_MODE", "option:0")
    asked(t, "SCRY_KEEP", "card:D26", "card:D27", "card:P02", "card:P09")
    left = t.fork().do("card:D26", "card:D27")
    assert lorium(left) == [0, 0]
    assert left.player(0)["discovery"] == ["D26", "D27"]
    assert left.snapshot()["discovery"]["discard"] == ["D30", "P02", "P09"]
    t.do("card:P02", "card:D26")
    assert lorium(t) == [2, 2]
    assert t.player(0)["discovery"] == ["D01", "D26"]
    assert t.snapshot()["discovery"]["discard"] == ["D27", "D30", "P02", "P09"]


@pytest.mark.card("P02")
@pytest.mark.rule("D4.1")
def test_events_have_no_effect_without_abilities(engine: str) -> None:
    t = draw(engine, "P02", options={"abilities": False})
    assert lorium(t) == [0, 0, 0]
    assert t.player(0)["discovery"] == ["D26"]
    assert t.snapshot()["discovery"]["discard"] == ["P02"]


NO_EVENTS = "".join(f'[[card]]\nid = "P{number:02}"\ncount = 0\n' for number in range(1, 13))


def test_a_deck_without_any_event_is_shuffled_as_well(tmp_path: Path) -> None:
    """S3.6: with Events in play the pile is shuffled a second time, whatever the packs have put into it."""
    pack = write_pack(tmp_path / "none", {"events.toml": NO_EVENTS})
    found = []
    for engine in ("native", "reference"):
        game = load_game(players=3, engine=engine, packs=[pack], events=True, max_rounds=20)
        found.append(game.simulate(5, 0, 3).tolist())
        state = game.new_initial_state(5)
        found.append(state.snapshot())
    assert found[:2] == found[2:]
    plain = load_game(players=3, packs=[pack], max_rounds=20).new_initial_state(5).snapshot()
    assert found[1]["discovery"]["draw"] != plain["discovery"]["draw"]
