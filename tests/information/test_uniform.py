"""Worlds are drawn uniformly: small decks, all worlds counted by brute force, chi-square."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from abilities import table
from scenario import Table, new_game, scenario
from worlds import assert_uniform, deck_worlds, small_deck, world_of

SEVEN = ("D19", "D26", "D28", "D33", "D42", "D43", "D56")


def only_native(engine: str) -> None:
    if engine == "reference":
        pytest.skip("the reference engine resamples at the start of a turn only")


def options(*designs: str) -> dict[str, Any]:
    return {"abilities": True, "content": small_deck(*designs), "molten_core": True, "events": False}


def unseen(t: Table, viewer: int) -> list[str]:
    """Discovery Cards hidden from a seat."""
    doc = t.snapshot()
    cards = list(doc["discovery"]["draw"])
    for seat, person in enumerate(doc["players"]):
        if seat != viewer:
            cards += person["discovery"]
    return cards


def check(t: Table, viewer: int, least: int, *, events: tuple[str, ...] = ()) -> list[Any]:
    """Uniform over the worlds that brute force finds, of which there are at least so many."""
    worlds = list(deck_worlds(t.state.view(viewer), unseen(t, viewer), events))
    assert len(worlds) >= least
    assert world_of(t.state, viewer) in worlds, "the truth is one of them"
    assert_uniform(t.state, viewer, worlds, lambda world: world_of(world, viewer), 10 * len(worlds) + 2000)
    return worlds


def test_nothing_known(engine: str) -> None:
    """I20, I21."""
    seats = ({"discovery": ["D19"]}, {"discovery": ["D26", "D28"]}, {"discovery": ["D33"]})
    t = scenario(engine, *seats, options=options(*SEVEN))
    check(t, 0, 60)  # two, one and three of six cards
    check(t, 1, 100)


def test_top_and_bottom_known(engine: str) -> None:
    """I2, I20: cards known by position stay."""
    t = table(
        engine,
        {"active": "R45"},
        {"discovery": ["D28"]},
        options=options(*SEVEN),
        discovery={"draw": ["D19", "D26"]},
    )
    t.turn("harvesters").skip("RULE").do("option:0").do("option:0", "option:1")
    assert t.state.view(0)["discovery"]["draw"]["top"] == ["D19"]
    assert len(check(t, 0, 100)) == math.factorial(5)


def test_cards_with_several_places(engine: str) -> None:
    """I21: each copy in one of its places, all worlds alike."""
    seats = ({"active": "R45"}, {"faction": "F11", "discovery": ["D56"]}, {})
    t = table(engine, *seats, options=options(*SEVEN), discovery={"draw": ["D19", "D26", "D33"]})
    t.turn("harvesters").skip("RULE").do("option:0").do("option:0", "option:0")
    t.expect("RULE", 1).do("option:1").expect("SCRY_PUT", 1).do("option:0")
    t.turn("harvesters").skip("BONUS").do("bonus:gain_card").skip("BURN")
    assert t.state.view(0)["discovery"]["placed"] == [["D19", [1, "draw"]], ["D26", [1, "draw"]]]
    check(t, 0, 500)


def rebuilt(engine: str, *designs: str) -> Table:
    """Seat 0 has drawn one card since the pile was rebuilt."""
    seats = ({"discovery": [designs[0]]}, {"discovery": [designs[1]]}, {"discovery": [designs[2]]})
    t = scenario(engine, *seats, discovery={"discard": list(designs[3:])}, options=options(*designs))
    return t.turn("harvesters").skip("BONUS").do("bonus:gain_card")


def test_late_cards(engine: str) -> None:
    """I5, I21: of the cards in the rebuilt pile at most as many in a hand as were drawn there."""
    t = rebuilt(engine, *SEVEN)
    assert t.state.view(1)["discovery"]["fresh"] == [1, 0, 0]
    worlds = check(t, 1, 40)
    assert all(len(set(world[0]) & set(SEVEN[3:])) <= 1 for world in worlds)
    t.expect("BURN", 1).turn("harvesters").skip("BONUS").do("bonus:gain_card")
    assert t.state.view(2)["discovery"]["fresh"] == [1, 1, 0]
    check(t, 2, 40)
    check(t, 0, 10)


def test_late_cards_and_several_places(engine: str) -> None:
    """I21: both at once."""
    seats = ({"discovery": ["D19", "D26"]}, {"lorium": 3, "discovery": ["D33"]}, {"lorium": 3})
    more = {"discovery": {"discard": ["D28", "D42", "D43", "D56"]}, "options": options(*SEVEN)}
    t = scenario(engine, *seats, **more).turn("negotiate").skip("TRADE_PARTNER")
    give_card(t, 1, "D19")
    t.end_turn().turn("negotiate").skip("TRADE_PARTNER")
    give_card(t, 2, "D33")
    t.do("done").skip("BONUS").do("bonus:gain_card")
    view = t.state.view(0)["discovery"]
    assert view["placed"] == [["D19", [1, 2]]]
    assert view["fresh"] == [0, 1, 0]
    assert len(view["late"]) == 4
    check(t, 0, 20)


def give_card(t: Table, partner: int, card: str) -> None:
    """A card for a Lorium."""
    t.expect("TRADE_PARTNER").do(f"player:{partner}")
    while t.kind in ("TRADE_GIVE", "TRADE_TAKE"):
        side, piece = ("give", "discovery") if t.kind == "TRADE_GIVE" else ("take", "lorium")
        t.do("done" if t.state.view(0)["shown"]["offer"][side] else f"resource:{piece}")
    t.answer("TRADE_ANSWER", "yes", seat=partner)
    if t.kind == "TRADE_CARD":
        t.do(f"card:{card}")


def test_known_cards_in_a_hand(engine: str) -> None:
    """I6, I21: a card known to be in a hand is in it, whatever else is."""
    seats = ({"discovery": ["D19", "D26"]}, {"lorium": 3, "discovery": ["D33"]})
    t = scenario(engine, *seats, options=options(*SEVEN)).turn("negotiate").skip("TRADE_PARTNER")
    give_card(t, 1, "D19")
    worlds = check(t, 0, 100)
    assert all("D19" in world[0] for world in worlds)


def test_events_are_in_the_pile(engine: str) -> None:
    """J06."""
    chosen = (*SEVEN[:5], "P09")
    more = {**options(*chosen), "events": True}
    t = scenario(engine, {}, {"discovery": ["D19", "D26"]}, options=more)
    check(t, 0, 100, events=("P09",))


def test_burned_cards(engine: str) -> None:
    """I22: each way to lay the Burned cards is as likely as any other."""
    seats = ({"relics": ["R01", "R02", "R03"]}, {})
    t = (
        scenario(engine, *seats)
        .turn("harvesters", "battle")
        .end_turn()
        .turn("harvesters", "battle")
        .end_turn()
    )
    t.skip("RECLAIM").do("command:harvesters")
    if t.kind == "RECLAIM_RELIC":
        t.do("card:R01")
    t.answer("BURN", "command:recruit").answer("PLAY", "command:speakers")
    t.end_turn()
    seen = t.state.view(1)["players"][0]
    assert "harvesters" in seen["hand"]
    assert seen["excluded"][0] == ["speakers", "harvesters"]
    assert seen["excluded"][1] == ["speakers"]

    def burned(state: Any) -> tuple[str, str]:
        first, second, *_ = state.snapshot()["players"][0]["board"]
        return first[0], second[0]

    pairs = [p for p in itertools.permutations(seen["hand"], 2) if p[0] != "harvesters"]
    assert len(pairs) == 64
    assert_uniform(t.state, 1, pairs, burned, 6000)


def test_factions(engine: str) -> None:
    """I23: any Faction that a seat has not seen may be the one another has chosen."""
    only_native(engine)
    t = new_game(engine, 3, seed=4, factions=True)
    t.do(t.options()[0]).expect("CHOOSE_FACTION", 1)
    content = t.game.content
    mine = set(t.state.view(1)["players"][1]["dealt"])
    others = [f.id for f in content.factions if not f.espionage and f.min_players <= 3 and f.id not in mine]
    assert_uniform(t.state, 1, others, lambda w: w.snapshot()["players"][0]["faction"], 4000)


def test_what_another_seat_is_asked(engine: str) -> None:
    """I25: another seat has two or more options in every world: who is asked which of two cards holds two."""
    only_native(engine)
    seats = ({"discovery": ["D19", "D26"]}, {"lorium": 3}, {"discovery": ["D28"]})
    t = scenario(engine, *seats, options=options(*SEVEN)).turn("negotiate").skip("TRADE_PARTNER")
    t.do("player:1")
    while t.kind in ("TRADE_GIVE", "TRADE_TAKE"):
        t.do("done" if "done" in t.options() else t.options()[0])
    t.answer("TRADE_ANSWER", "yes", seat=1).expect("TRADE_CARD", 0)
    check(t, 1, 100)


@pytest.mark.parametrize("viewer", [0, 2])
def test_a_reaction_is_held_by_the_one_who_is_asked(engine: str, viewer: int) -> None:
    """I25: who may React holds a card that fits."""
    only_native(engine)
    cards = ("D18", "D19", "D26", "D28", "D42")
    seats = ({"discovery": ["D42"]}, {"discovery": ["D18", "D19"]}, {"discovery": ["D28"]})
    t = (
        scenario(engine, *seats, options=options(*cards))
        .turn("harvesters")
        .skip("BONUS")
        .do("bonus:play_card")
    )
    while t.kind != "REACT":
        t.do("option:0" if t.kind == "PLAY_MODE" else "player:1")
    t.expect("REACT", 1)
    worlds = [
        w for w in deck_worlds(t.state.view(viewer), unseen(t, viewer)) if "D18" in w[0 if viewer == 0 else 1]
    ]
    assert_uniform(t.state, viewer, worlds, lambda world: world_of(world, viewer), 4000)
