"""Chapter G: Lorium, cards, captives and Habitats; paying, storing, Activating and trading them."""

from __future__ import annotations

from typing import Any

import pytest
from plays import at_bonus, goods, held, offer, offered, on_planet, reserve, robotic, ship_card
from scenario import Table, make_game, scenario, space
from scenario import units as counted

RELIC_DEAL = {"draw": ["R06", "R07", "R08", "R09"]}

#: One player with every kind of Resource, and what tiles that takes.
RICH: dict[str, Any] = {
    "lorium": 2,
    "discovery": ["D19", "D22"],
    "relics": ["R06"],
    "slots": [{"relic": "R07"}, None],
    "captured": {1: "soldier, miner"},
}
HABITATS = {"tundra-5-2": "camp", "tundra-5-3": "settlement"}
MINE = {"tundra-5-2": 0, "tundra-5-3": 0}


# ------------------------------------------------------------------ G1
@pytest.mark.rule("G1.1", "G1.3", "G1.4", "N6.6", "RUL-G3")
@pytest.mark.parametrize(
    ("kind", "asked", "choices", "choice"),
    [
        ("lorium", None, None, None),
        ("discovery", "PAY_CARD", ["card:D19", "card:D22"], "card:D22"),
        ("relic", "PAY_RELIC", ["slot:0", "card:R06"], "slot:0"),
        ("relic", "PAY_RELIC", ["slot:0", "card:R06"], "card:R06"),
        ("captive", "PAY_CAPTIVE", ["captive:1:soldier", "captive:1:miner"], "captive:1:miner"),
        ("habitat", "PAY_HABITAT", ["space:tundra-5-2", "space:tundra-5-3"], "tundra-5-3"),
    ],
)
def test_one_resource_of_any_kind(
    engine: str, kind: str, asked: str | None, choices: list[str] | None, choice: str
) -> None:
    """Five kinds can be paid, one piece of the payer's choice leaves, and goes where its kind belongs."""
    t = at_bonus(engine, "colony_city", RICH, tiles=HABITATS, control=MINE)
    before = goods(t, 0)
    t.do("bonus:colony_city").expect("PAY_KIND", 0)
    assert t.options() == [
        f"resource:{name}" for name in ("lorium", "discovery", "relic", "captive", "habitat")
    ]
    t.do(f"resource:{kind}")
    if asked:
        t.expect(asked, 0)
        assert t.options() == [
            o if not o.startswith("space:") else f"space:{space(o[6:])}" for o in choices or []
        ]
        t.do(choice)
    after = goods(t, 0)
    paid = {key for key in before if key != "habitats" and before[key] != after[key]}
    habitats = sorted(space(where) for where in HABITATS)
    if kind == "lorium":
        assert paid == {"lorium"}
        assert after["lorium"] == 1
    elif kind == "discovery":
        assert paid == {"discovery"}
        assert after["discovery"] == ["D19"]
        assert t.snapshot()["discovery"]["discard"] == ["D22"]
    elif kind == "relic":
        assert paid == {"slots" if choice == "slot:0" else "relics"}
        assert t.snapshot()["relics"]["discard"] == ["R07" if choice == "slot:0" else "R06"]
    elif kind == "captive":
        assert paid == {"captured"}
        assert t.captured(0, 1) == counted("soldier")
        assert reserve(t, 1) == [9, 6, 5, 2, 2]
    else:
        assert not paid
        assert t.controller("tundra-5-3") is None
        habitats.remove(space("tundra-5-3"))
    assert after["habitats"] == sorted([0, *habitats])


@pytest.mark.rule("G1.1", "G1.2")
def test_what_is_no_resource(engine: str) -> None:
    """Blueprints, Modules, own Units, Influence and the Marker pay for nothing and cannot be traded."""
    poor = {
        "blueprints": ["crew_bridge", "control_systems", "warp_drive"],
        "modules": ["crew_bridge"],
        "units": {"tundra-5-2": "2 speaker, powermech"},
    }
    t = at_bonus(engine, "colony_city", poor, {"lorium": 1})
    assert not offered(t, "colony_city")
    t = scenario(engine, poor, {"lorium": 1}).turn("negotiate")
    assert t.kind == "BONUS", "nothing to trade, nobody to attack, nothing to ransom"
    t = scenario(engine, {**poor, "lorium": 1}, {"lorium": 1}).turn("negotiate").expect("TRADE_PARTNER")
    t.do("player:1")  # the only piece on either side is given and taken without a question
    t.expect("TRADE_ANSWER", 1)


@pytest.mark.rule("G1.2", "R4.2", "B5.3")
def test_lorium_is_paid_in_lorium(engine: str) -> None:
    """Neither an Upgrade nor a Module can be paid with cards, captives or Habitats."""
    ground = {"savannah-4-1": "soldier, miner"}
    rich = {**RICH, "units": ground, "captured": {1: "2 soldier"}}
    t = (
        scenario(engine, {**rich, "lorium": 0}, tiles=HABITATS, control=MINE)
        .turn("upgrade", "battle")
        .skip(["UPGRADE_SPACE", "BONUS"])
    )
    assert t.kind == "BONUS"
    ship_card(t)
    assert t.options() == ["action:stabilize", "action:ship_move"]
    t = (
        scenario(engine, {**rich, "lorium": 2}, tiles=HABITATS, control=MINE)
        .turn("upgrade", "battle")
        .skip(["UPGRADE_SPACE", "BONUS"])
    )
    t.expect("UPGRADE_SPACE").skip("BONUS")
    ship_card(t)
    assert t.options() == ["action:stabilize", "action:ship_move", "action:robotic"]


# ------------------------------------------------------------------ G2
@pytest.mark.rule("G2.1", "T7.1")
def test_excess_lorium_can_be_spent_during_the_turn(engine: str) -> None:
    """Three Miners mine far beyond the capacity of 5; nothing is lost before the end of the turn, then the
    excess."""
    blueprints = ["warp_drive"]
    me = {"lorium": 5, "units": {"tundra-5-2": "3 miner"}, "blueprints": blueprints}
    t = scenario(engine, me, {"lorium": 9}, tiles={"tundra-5-2": "lorium"}).turn("miners")
    t.answer("ACT_SPACE", "done", seat=0)
    for _ in range(3):
        t.answer("ACT_SPACE", "tundra-5-2", seat=0)
    t.expect("BONUS", 0)
    assert t.player(0)["lorium"] == 8
    idle = t.fork().do("done").expect("BURN", 1)
    assert [idle.player(seat)["lorium"] for seat in (0, 1)] == [5, 5], (
        "everybody's excess goes at the end of any turn"
    )
    t.do("bonus:construct").expect("BURN", 1)
    assert t.player(0)["modules"] == ["warp_drive"]
    assert t.player(0)["lorium"] == 8 - 5


@pytest.mark.rule("G2.2", "N2.6", "RUL-G7")
@pytest.mark.parametrize(
    ("track", "stores", "module", "left"),
    [
        (2, (3, 1), "crew_bridge", (0, 3, 1)),
        (4, (1, 1), "control_systems", (1, 1, 1)),
        (1, (3, 1), "crew_bridge", (0, 3, 0)),
        (1, (1, 3), "control_systems", (0, 0, 2)),
        (0, (2, 2), "crew_bridge", (0, 0, 2)),
        (0, (2, 2), "control_systems", (0, 0, 1)),
        (1, (3, 1), "control_systems", (0, 2, 0)),
        (1, (3, 3), "control_systems", (0, 1, 3)),
        (1, (2, 1), "power_core", (0, 0, 0)),
        (0, (0, 3), "crew_bridge", (0, 0, 1)),
    ],
)
def test_payment_takes_the_track_then_the_smaller_store(
    engine: str, track: int, stores: tuple[int, int], module: str, left: tuple[int, int, int]
) -> None:
    """Track and stores are one purse; the smaller store is emptied first, of equal ones the first slot."""
    slots = [{"lorium": n} if n else None for n in stores]
    t = at_bonus(engine, "hand_action", {"lorium": track, "slots": slots, "blueprints": [module]})
    robotic(t).do(f"module:{module}")
    p = t.player(0)
    assert p["modules"] == [module]
    assert (p["lorium"], *((s or {"lorium": 0})["lorium"] for s in p["slots"])) == left
    assert [s for s in p["slots"] if s == {"lorium": 0}] == [], "an emptied slot is free"
    assert [e[1:3] for e in t.events("LORIUM")] == [(0, sum(left) - track - sum(stores))]


@pytest.mark.rule("G2.2")
def test_stored_lorium_alone_does_not_pay_more_than_there_is(engine: str) -> None:
    """Track and stores together are what a price is measured against."""
    me = {"lorium": 1, "slots": [{"lorium": 2}, {"lorium": 1}], "blueprints": ["power_core", "warp_drive"]}
    t = robotic(at_bonus(engine, "hand_action", me))
    assert t.options() == ["done", "module:power_core"]


# ------------------------------------------------------------------ G3
@pytest.mark.rule("G3.1", "G3.2", "N3.5")
def test_gaining_a_relic(engine: str) -> None:
    """Two are drawn, one is kept in hand Inactive, the other discarded; the new one may be Activated at
    once."""
    t = at_bonus(engine, "gain_relic", {"relics": ["R10"]}, relics=RELIC_DEAL)
    t.do("bonus:gain_relic").expect("KEEP_RELIC", 0)
    assert t.options() == ["card:R06", "card:R07"]
    t.do("card:R07")
    assert t.player(0)["relics"] == ["R07", "R10"]
    assert t.player(0)["slots"] == [None, None]
    assert t.snapshot()["relics"]["discard"] == ["R06"]
    assert t.snapshot()["relics"]["draw"][:2] == ["R08", "R09"]
    t.expect("RELIC_WINDOW", 0)
    assert t.options() == ["done", "card:R07"], "only the one just gained"
    passed = t.fork().do("done")
    assert passed.player(0)["slots"] == [None, None]
    t.do("card:R07")
    assert t.player(0)["slots"] == [{"relic": "R07"}, None]
    assert t.player(0)["relics"] == ["R10"]


def relic_deck(engine: str) -> list[str]:
    content = make_game(engine).content
    return [content.relics[n].id for n in content.relic_deck(False)]


@pytest.mark.rule("G3.1", "D1.1", "RUL-G5", "RUL-G6")
def test_gaining_the_last_relics(engine: str) -> None:
    """Between two draws an empty deck is rebuilt; a single card is kept, with none nothing is gained."""
    deck = relic_deck(engine)
    deck.remove("R06")
    deck.remove("R07")
    # one on the pile, one discarded
    t = at_bonus(engine, "gain_relic", {}, {"relics": deck}, relics={"draw": ["R06"], "discard": ["R07"]})
    t.do("bonus:gain_relic").expect("KEEP_RELIC", 0)
    assert t.options() == ["card:R06", "card:R07"]
    t.do("card:R06")
    assert t.snapshot()["relics"] == {"draw": [], "discard": ["R07"]}
    # one card in all
    t = at_bonus(
        engine, "gain_relic", {}, {"relics": [*deck, "R07"]}, relics={"draw": [], "discard": ["R06"]}
    )
    t.do("bonus:gain_relic").expect("RELIC_WINDOW", 0)
    assert t.player(0)["relics"] == ["R06"]
    assert t.snapshot()["relics"] == {"draw": [], "discard": []}
    # none
    t = at_bonus(
        engine, "gain_relic", {}, {"relics": [*deck, "R06", "R07"]}, relics={"draw": [], "discard": []}
    )
    t.do("bonus:gain_relic")
    assert t.player(0)["relics"] == []
    t.expect("DISCARD_RELIC", 1)


@pytest.mark.rule("G3.3", "T9.7", "RUL-T6", "RUL-N2")
@pytest.mark.parametrize("means", [{"relics": ["R06"]}, {"slots": [{"lorium": 1}, None]}])
def test_when_relics_can_be_activated(engine: str, means: dict[str, Any]) -> None:
    """Windows: before Reclaim, after Playing, before each further Section, before Bonus and Launch; not for
    others."""
    me = {**means, "units": {"tundra-5-2": "harvester"}, "board": [["soldiers", "miners"]]}
    other = {"relics": ["R08"], "slots": [{"lorium": 1}, None]}
    t = scenario(engine, me, other, round=2, tiles={"tundra-5-2": "lorium"})
    asked = []
    while t.seat == 0:
        asked.append((t.kind, t.seat))
        t.do(
            "command:harvesters" if t.kind == "PLAY" else "done" if "done" in t.options() else t.options()[0]
        )
    reclaim = ["RECLAIM"] if "relics" in means else []
    assert asked == [
        (kind, 0)
        for kind in (
            "RELIC_WINDOW", *reclaim, "BURN", "PLAY",
            "RELIC_WINDOW", "ACT_SPACE",
            "RELIC_WINDOW", "ACT_SPACE",
            "RELIC_WINDOW", "BONUS",
            "RELIC_WINDOW",
        )
    ]  # fmt: skip
    t.expect("RELIC_WINDOW", 1)


@pytest.mark.rule("G3.3", "RUL-T6")
def test_no_section_no_window_before_it(engine: str) -> None:
    """Without a Unit to act there is one window after Playing and one before the Bonus Action."""
    t = (
        scenario(engine, {"relics": ["R06"]})
        .answer("RELIC_WINDOW", "done")
        .do("command:soldiers", "command:harvesters")
    )
    t.answer("RELIC_WINDOW", "done", seat=0).answer("RELIC_WINDOW", "done", seat=0).expect("BONUS", 0)


@pytest.mark.rule("G3.2", "G3.3", "G3.5")
def test_activating(engine: str) -> None:
    """A Relic goes into the lowest empty slot, any number one after the other, and does not come back to
    hand."""
    t = scenario(engine, {"relics": ["R06", "R07"]}).expect("RELIC_WINDOW", 0)
    assert t.options() == ["done", "card:R06", "card:R07"]
    t.do("card:R07").expect("RELIC_WINDOW", 0)
    assert t.player(0)["slots"] == [{"relic": "R07"}, None]
    assert t.options() == ["done", "card:R06"]
    t.do("card:R06").expect("BURN", 0)  # nothing left to Activate, no further windows
    assert t.player(0)["slots"] == [{"relic": "R07"}, {"relic": "R06"}]
    assert t.player(0)["relics"] == []
    game = make_game(engine).content
    designs = {spec.id: n for n, spec in enumerate(game.relics)}
    assert [e[1:] for e in t.events("RELIC")] == [(0, designs["R07"], 0, 1), (0, designs["R06"], 1, 1)]
    t.turn("harvesters").expect("BONUS", 0)
    t.end_turn()
    t.turn("harvesters").end_turn()
    assert t.player(0)["slots"] == [{"relic": "R07"}, {"relic": "R06"}]
    assert t.player(0)["relics"] == []


@pytest.mark.rule("G3.4", "G3.6")
def test_both_slots_full(engine: str) -> None:
    """One of the Active Relics, the player's choice, is discarded first."""
    t = scenario(engine, {"relics": ["R08"], "slots": [{"relic": "R06"}, {"relic": "R07"}]})
    t.answer("RELIC_WINDOW", "card:R08", seat=0).expect("CLEAR_SLOT", 0)
    assert t.options() == ["slot:0", "slot:1"]
    first = t.fork().do("slot:0")
    assert first.player(0)["slots"] == [{"relic": "R08"}, {"relic": "R07"}]
    assert first.snapshot()["relics"]["discard"] == ["R06"]
    t.do("slot:1").expect("BURN", 0)
    assert t.player(0)["slots"] == [{"relic": "R06"}, {"relic": "R08"}]
    assert t.snapshot()["relics"]["discard"] == ["R07"]
    design = {spec.id: n for n, spec in enumerate(make_game(engine).content.relics)}
    assert sorted(e[1:] for e in t.events("RELIC")) == [(0, design["R07"], 1, 0), (0, design["R08"], 1, 1)]
    assert [e[1:4] for e in t.events("DISCARD")] == [(0, 1, design["R07"])]


@pytest.mark.rule("G3.6", "G3.7", "G3.4", "RUL-N2")
def test_stored_lorium_makes_room_for_a_relic(engine: str) -> None:
    """A slot holds a Relic or Lorium: Activating into it moves the Lorium to the track."""
    t = scenario(engine, {"lorium": 1, "relics": ["R08"], "slots": [{"lorium": 2}, {"relic": "R07"}]})
    t.answer("RELIC_WINDOW", "card:R08", seat=0).answer("CLEAR_SLOT", "slot:0", seat=0)
    assert t.player(0)["slots"] == [{"relic": "R08"}, {"relic": "R07"}]
    assert t.player(0)["lorium"] == 3
    assert t.events("LORIUM") == [], "track and store together are as before"
    # beside an empty slot nothing has to be cleared
    t = scenario(engine, {"relics": ["R08"], "slots": [{"lorium": 2}, None]}).answer(
        "RELIC_WINDOW", "card:R08", seat=0
    )
    assert t.player(0)["slots"] == [{"lorium": 2}, {"relic": "R08"}]


@pytest.mark.rule("G3.3", "G3.4", "G3.7")
def test_activating_the_relic_just_gained(engine: str) -> None:
    """Stored Lorium may be moved first; with both slots full one is cleared."""
    me = {"slots": [{"lorium": 2}, {"relic": "R10"}]}
    t = at_bonus(engine, "gain_relic", me, relics=RELIC_DEAL).do("bonus:gain_relic").do("card:R06")
    assert t.expect("RELIC_WINDOW", 0).options() == ["done", "slot:0", "card:R06"]
    moved = t.fork().do("slot:0", "number:2").expect("RELIC_WINDOW", 0)
    assert moved.options() == ["done", "card:R06"]
    moved.do("card:R06")
    assert moved.player(0)["slots"] == [{"relic": "R06"}, {"relic": "R10"}]
    t.do("card:R06").answer("CLEAR_SLOT", "slot:1", seat=0)
    assert t.player(0)["slots"] == [{"lorium": 2}, {"relic": "R06"}]
    assert t.snapshot()["relics"]["discard"] == ["R07", "R10"]


@pytest.mark.rule("G3.7", "N2.6", "RUL-N2")
def test_moving_stored_lorium_back(engine: str) -> None:
    """Any number at a time; an emptied slot is free for a Relic."""
    t = scenario(engine, {"lorium": 1, "relics": ["R08"], "slots": [{"relic": "R07"}, {"lorium": 3}]})
    assert t.expect("RELIC_WINDOW", 0).options() == ["done", "slot:1", "card:R08"]
    t.do("slot:1").expect("UNSTORE_AMOUNT", 0)
    assert t.options() == ["number:1", "number:2", "number:3"]
    t.do("number:2")
    assert (t.player(0)["lorium"], t.player(0)["slots"][1]) == (3, {"lorium": 1})
    t.answer("RELIC_WINDOW", "slot:1", seat=0)  # the last one: no choice of a number
    assert (t.player(0)["lorium"], t.player(0)["slots"][1]) == (4, None)
    t.answer("RELIC_WINDOW", "card:R08", seat=0)
    assert t.player(0)["slots"] == [{"relic": "R07"}, {"relic": "R08"}]


@pytest.mark.rule("N2.6", "G2.1", "T7.2")
def test_stored_lorium_is_safe_from_the_surplus(engine: str) -> None:
    """At the end of the turn the track is cut to the capacity of 5, the stores are not."""
    t = at_bonus(engine, "two_lorium", {"lorium": 6, "slots": [{"lorium": 3}, {"lorium": 2}]}).end_turn()
    assert t.player(0)["lorium"] == 5
    assert t.player(0)["slots"] == [{"lorium": 3}, {"lorium": 2}]


# ------------------------------------------------------------------ G4
@pytest.mark.rule("G4.1", "K6.5")
def test_captured_units_are_in_the_holding_area(engine: str) -> None:
    """An enemy Unit captured is off the planet, with its captor, and not in its owner's Reserve."""
    t = at_bonus(
        engine,
        "capture_troop",
        {"units": {"tundra-5-2": "soldier"}},
        {"units": {"tundra-5-2": "2 miner, speaker"}},
        combats={"tundra-5-2": 0},
    )
    t.do("bonus:capture_troop", "unit:speaker")
    assert t.captured(0, 1) == counted("speaker")
    assert on_planet(t, 1) == counted("2 miner")
    assert reserve(t, 1) == [10, 4, 4, 2, 2]
    assert t.player(0)["captured"] == [[1, counted("speaker")]]
    assert t.player(1)["captured"] == []


@pytest.mark.rule("G4.2", "N2.4", "B3.2", "G5.4")
def test_units_that_come_back_go_to_the_reserve(engine: str) -> None:
    """Rescued, returned for a Blueprint and traded back: each time the owner may Recruit it again, without
    more."""
    everything = {
        "tundra-5-1": "3 soldier",
        "tundra-5-2": "3 soldier",
        "tundra-5-3": "2 soldier",
    }  # two are captive
    others = {
        "desert-5-1": "3 miner",
        "desert-5-2": "3 miner",
        "desert-5-3": "3 speaker",
        "desert-5-4": "2 speaker",
    }
    jailer = {"captured": {1: "2 soldier"}}

    # returned for a Blueprint
    t = at_bonus(engine, "two_cards", jailer, {"units": everything | others})
    t.do("bonus:gain_blueprint")
    assert (t.captured(0, 1), reserve(t, 1), on_planet(t, 1)[0]) == (
        [0] * 5,
        counted("2 soldier, 2 powermech, 2 harvester"),
        8,
    )
    t.expect("BURN", 1).turn("recruit").expect("RECRUIT_TYPE", 1)
    assert t.options() == ["done", "unit:soldier"]
    # traded back
    t = scenario(engine, jailer, {"units": everything | others, "lorium": 1}).turn("negotiate")
    offer(t, 1, ["captive:1:soldier"] * 2, ["resource:lorium"]).do("yes")
    assert (t.captured(0, 1), reserve(t, 1)[0], t.player(0)["lorium"]) == ([0] * 5, 2, 1)
    assert [e[1:] for e in t.events("RELEASE")] == [(0, 1, 0, 0)] * 2
    assert t.events("BLUEPRINT") == []
    # rescued
    t = at_bonus(engine, "rescue", {"units": everything | others}, {"captured": {0: "2 soldier"}}).do(
        "bonus:rescue"
    )
    assert (t.captured(1, 0), reserve(t, 0)[0]) == (counted("soldier"), 1)


@pytest.mark.rule("G4.3", "N4.4")
def test_a_stolen_captive_changes_its_jail(engine: str) -> None:
    """It is now held by the thief, not free."""
    t = at_bonus(engine, "steal_captive", {}, {"captured": {2: "miner, speaker"}}, {}).do(
        "bonus:steal_captive", "captive:2:miner"
    )
    assert t.captured(0, 2) == counted("miner")
    assert t.captured(1, 2) == counted("speaker")
    assert held(t, 2) == counted("miner, speaker")


# ------------------------------------------------------------------ G5
def trade(engine: str, *seats: dict[str, Any], **more: Any) -> Table:
    """Seat 0 Plays Negotiate; the Table is at its first TRADE_PARTNER."""
    return scenario(engine, *seats, **more).turn("negotiate").skip("TRADE_PARTNER").expect("TRADE_PARTNER", 0)


@pytest.mark.rule("G5.2", "A9.3")
def test_a_trade(engine: str) -> None:
    """Both sides give at least one; an accepted offer takes effect as a whole, a refused one not at all."""
    t = trade(
        engine, {"lorium": 3, "discovery": ["D19"]}, {"captured": {0: "soldier"}, "lorium": 1}, {}, players=3
    )
    assert t.options() == ["done", "player:1"], "seat 2 has nothing"
    t.do("player:1")
    assert t.expect("TRADE_GIVE", 0).options() == ["resource:lorium", "resource:discovery"], (
        "with no piece yet no way to stop"
    )
    t.do("resource:lorium")
    assert t.expect("TRADE_GIVE", 0).options() == ["done", "resource:lorium", "resource:discovery"]
    t.do("resource:lorium", "done").expect("TRADE_TAKE", 0)
    assert t.options() == ["resource:lorium", "captive:0:soldier"]
    t.do("captive:0:soldier")  # the last piece there is
    assert t.expect("TRADE_ANSWER", 1).options() == ["yes", "no"]
    before = [goods(t, seat) for seat in range(3)]
    refused = t.fork().do("no").expect("TRADE_PARTNER", 0)
    assert [goods(refused, seat) for seat in range(3)] == before
    t.do("yes").expect("TRADE_PARTNER", 0)
    assert (t.player(0)["lorium"], t.player(1)["lorium"]) == (1, 3)
    assert t.player(1)["captured"] == []
    assert reserve(t, 0) == [10, 6, 5, 2, 2]
    assert goods(t, 2) == before[2]


@pytest.mark.rule("G5.2", "G1.1")
def test_trading_needs_two_sides(engine: str) -> None:
    """No Resource of one's own, or no opponent with one, or the option off: no trading."""
    for mine, theirs, options in (
        ({}, {"lorium": 1}, {}),
        ({"lorium": 1}, {}, {}),
        ({"lorium": 1}, {"lorium": 1}, {"trading": False}),
    ):
        t = scenario(engine, mine, theirs, options=options).turn("negotiate")
        assert t.kind == "BONUS"
    trade(engine, {"lorium": 1}, {"lorium": 1})


@pytest.mark.rule("G5.3", "RUL-G1")
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_three_offers(engine: str, answer: str) -> None:
    """Three offers in all, accepted or not, to any opponents."""
    t = trade(
        engine, {"lorium": 8}, {"discovery": ["D19", "D22", "D26", "D30"]}, {"discovery": ["D03"]}, players=3
    )
    for partner in (1, 2, 1):
        offer(t, partner, ["resource:lorium"] * 2, ["resource:discovery"]).do(answer)
        while t.kind == "TRADE_CARD":
            t.do(t.options()[0])
    assert t.kind == "BONUS"
    accepted = answer == "yes"
    assert t.player(0)["lorium"] == (2 if accepted else 8)
    assert [len(t.player(seat)["discovery"]) for seat in range(3)] == ([3, 2, 0] if accepted else [0, 4, 1])


@pytest.mark.rule("G5.3", "G5.6", "RUL-G1", "RUL-G8")
def test_what_an_offer_names(engine: str) -> None:
    """Active Relics, captives and Habitats by identity, other cards and Lorium by number; at most three
    pieces."""
    me = {**RICH, "captured": {1: "soldier", 2: "2 miner"}}
    t = trade(engine, me, {"lorium": 4}, {}, players=3, tiles=HABITATS, control=MINE)
    t.do("player:1").expect("TRADE_GIVE", 0)
    camp, settlement = (f"space:{space(where)}" for where in HABITATS)
    everything = [
        "slot:0", "resource:lorium", "resource:discovery", "resource:relic",
        "captive:1:soldier", "captive:2:miner", camp, settlement,
    ]  # fmt: skip
    assert t.options() == everything
    t.do("resource:discovery").expect("TRADE_GIVE", 0)
    assert t.options() == ["done", *everything[2:]], "a second Discovery Card, or what comes after"
    t.do("resource:discovery").expect("TRADE_GIVE", 0)
    assert t.options() == ["done", *everything[3:]], "there is no third"
    t.do("captive:2:miner").expect("TRADE_TAKE", 0)  # the third piece ends the list
    for _ in range(2):  # one is taken without a question: nothing else is there
        assert t.expect("TRADE_TAKE", 0).options() == ["done", "resource:lorium"]
        t.do("resource:lorium")
    t.expect("TRADE_ANSWER", 1)


@pytest.mark.rule("G5.7", "G5.2", "RUL-G8")
def test_hidden_cards_are_picked_after_acceptance(engine: str) -> None:
    """First the active player, then the partner, each out of their own hand as it was; then all changes
    hands."""
    t = trade(
        engine,
        {"discovery": ["D19", "D22"], "relics": ["R06", "R07"]},
        {"discovery": ["D03", "D04", "D26"]},
    )  # fmt: skip
    offer(t, 1, ["resource:discovery", "resource:relic"], ["resource:discovery"] * 2).do("yes")
    assert t.expect("TRADE_CARD", 0).options() == ["card:D19", "card:D22"]
    t.do("card:D22")
    assert t.expect("TRADE_RELIC", 0).options() == ["card:R06", "card:R07"]
    t.do("card:R07")
    assert t.expect("TRADE_CARD", 1).options() == ["card:D03", "card:D04", "card:D26"]
    assert "D22" not in t.player(1)["discovery"]
    t.do("card:D26")
    assert t.expect("TRADE_CARD", 1).options() == ["card:D03", "card:D04"]
    t.do("card:D03")
    assert t.player(0)["discovery"] == ["D03", "D19", "D26"]
    assert t.player(1)["discovery"] == ["D04", "D22"]
    assert (t.player(0)["relics"], t.player(1)["relics"]) == (["R06"], ["R07"])


@pytest.mark.rule("G5.5", "G3.3", "RUL-G4")
def test_traded_relics_arrive_inactive(engine: str) -> None:
    """Active ones as well; each receiver may Activate the new one at once, in whoever's turn, and only that
    one."""
    t = trade(
        engine,
        {"slots": [{"relic": "R06"}, None], "relics": ["R08"]},
        {"slots": [{"relic": "R07"}, None], "relics": ["R09"]},
    )  # fmt: skip
    offer(t, 1, ["slot:0"], ["slot:0"]).do("yes")
    assert t.player(0)["slots"] == t.player(1)["slots"] == [None, None]
    assert (t.player(0)["relics"], t.player(1)["relics"]) == (["R07", "R08"], ["R06", "R09"])
    assert t.expect("RELIC_WINDOW", 0).options() == ["done", "card:R07"]
    t.do("card:R07")
    assert t.expect("RELIC_WINDOW", 1).options() == ["done", "card:R06"]
    idle = t.fork().do("done")
    assert idle.player(1)["slots"] == [None, None]
    t.do("card:R06")
    assert t.player(0)["slots"] == [{"relic": "R07"}, None]
    assert t.player(1)["slots"] == [{"relic": "R06"}, None]
    assert (t.player(0)["relics"], t.player(1)["relics"]) == (["R08"], ["R09"])


@pytest.mark.rule("G5.5", "G3.3", "RUL-G4")
def test_the_order_of_traded_relics(engine: str) -> None:
    """First the active player's new ones, then the partner's: from slots 0 and 1, then the ones picked."""
    t = trade(
        engine,
        {"slots": [{"relic": "R12"}, {"relic": "R08"}], "relics": ["R06"]},
        {"slots": [{"relic": "R10"}, {"relic": "R09"}], "relics": ["R07"]},
    )
    pieces = ["slot:0", "slot:1", "resource:relic"]
    offer(t, 1, pieces, pieces).do("yes")
    asked = []
    while t.kind == "RELIC_WINDOW" and len(asked) < 6:
        asked.append((t.seat, t.options()[1]))
        t.do("done")
    mine, theirs = ["R10", "R09", "R07"], ["R12", "R08", "R06"]
    assert asked == [(0, f"card:{r}") for r in mine] + [(1, f"card:{r}") for r in theirs]
    assert (t.player(0)["relics"], t.player(1)["relics"]) == (sorted(mine), sorted(theirs))
    assert t.player(0)["slots"] == t.player(1)["slots"] == [None, None]


@pytest.mark.rule("G5.1", "I1.1", "I3.2")
def test_traded_habitats_change_influence_at_once(engine: str) -> None:
    """The Flag and its value go over with the trade."""
    t = trade(engine, {"lorium": 1}, tiles=HABITATS, control={"tundra-5-2": 1, "tundra-5-3": 1})
    assert [t.state.influence(seat) for seat in (0, 1)] == [4, 4 + 1 + 3]
    offer(t, 1, ["resource:lorium"], ["tundra-5-3"]).do("yes")
    assert (t.controller("tundra-5-3"), t.controller("tundra-5-2")) == (0, 1)
    assert [t.state.influence(seat) for seat in (0, 1)] == [4 + 3, 4 + 1]


@pytest.mark.rule("G5.4", "G4.1", "RUL-G2")
def test_traded_captives(engine: str) -> None:
    """To a third Faction it stays captured, with the new holder; to its owner it is free, without a
    Blueprint."""
    t = trade(engine, {"captured": {1: "2 soldier", 2: "miner"}}, {"lorium": 2}, {}, players=3)
    blueprints = t.player(0)["blueprints"]
    offer(t, 1, ["captive:1:soldier", "captive:1:soldier", "captive:2:miner"], ["resource:lorium"]).do("yes")
    assert t.player(0)["captured"] == []
    assert t.player(1)["captured"] == [[2, counted("miner")]]
    assert reserve(t, 1) == [10, 6, 5, 2, 2]
    assert reserve(t, 2) == [10, 5, 5, 2, 2]
    assert [e[1:] for e in t.events("CAPTURE")] == [(1, 2, 1, -1)]
    assert [e[1:] for e in t.events("RELEASE")] == [(0, 1, 0, 0)] * 2
    assert t.events("BLUEPRINT") == []
    assert t.player(0)["blueprints"] == blueprints
    assert "fuel_cells" not in blueprints, "the green one would have been gained"


#: Seven Habitats and an eighth.
FLAGS = [f"tundra-6-{k}" for k in range(6)] + ["tundra-5-0"]


@pytest.mark.rule("G5.8", "I3.3", "I3.6", "RUL-I5")
@pytest.mark.parametrize("eighth", ["desert-5-1", "city"])
def test_an_eighth_habitat_by_trade(engine: str, eighth: str) -> None:
    """It arrives, then its receiver gives up one of the other seven; one for one nobody does."""
    tiles = dict.fromkeys(FLAGS, "camp") | {eighth: "colony_city" if eighth == "city" else "camp"}
    control = dict.fromkeys(FLAGS, 0) | {eighth: 1}
    place = space(eighth)
    t = trade(engine, {"lorium": 1}, tiles=tiles, control=control)
    offer(t, 1, ["resource:lorium"], [place]).do("yes").expect("GIVE_UP_FLAG", 0)
    assert t.spaces() == {space(where) for where in FLAGS}
    assert t.controller(eighth) == 0
    t.do(FLAGS[2])
    assert t.controller(FLAGS[2]) is None
    assert len(goods(t, 0)["habitats"]) == 7
    # the partner as receiver
    t = trade(engine, {}, {"lorium": 1}, tiles=tiles, control=dict.fromkeys(FLAGS, 1) | {eighth: 0})
    offer(t, 1, [place], ["resource:lorium"]).do("yes").answer("GIVE_UP_FLAG", FLAGS[6], seat=1)
    assert (t.controller(eighth), t.controller(FLAGS[6])) == (1, None)
    # one against one
    t = trade(engine, {}, tiles=tiles, control=control)
    offer(t, 1, [FLAGS[0]], [place]).do("yes")
    assert t.kind != "GIVE_UP_FLAG"
    assert (t.controller(eighth), t.controller(FLAGS[0])) == (0, 1)
