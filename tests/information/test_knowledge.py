"""What a seat knows, rule by rule (docs/information.md, sections 1 to 3), in played positions."""

from __future__ import annotations

import json
from typing import Any

import pytest
from abilities import table
from scenario import Table, new_game, scenario
from worlds import assert_sound, sampled, small_deck

from cysmic_fast.vocabulary import DecisionKind, EventKind


def view(t: Table, seat: int) -> dict[str, Any]:
    found = t.state.view(seat)
    assert_sound(t.state)
    assert json.loads(json.dumps(found)) == found
    assert found["viewer"] == seat
    return dict(found)


def hand(t: Table, viewer: int, seat: int, deck: str = "discovery") -> Any:
    return view(t, viewer)["players"][seat][deck]


def known(t: Table, viewer: int, seat: int, deck: str = "discovery") -> list[str]:
    return list(hand(t, viewer, seat, deck)["known"])


def deck(t: Table, viewer: int, name: str = "discovery") -> dict[str, Any]:
    return dict(view(t, viewer)[name])


def trade_cards(t: Table, partner: int, *, give: str, take: str = "resource:lorium") -> Table:
    """The seat at TRADE_PARTNER trades one Discovery Card for a Lorium."""
    t.expect("TRADE_PARTNER").do(f"player:{partner}")
    while t.kind in ("TRADE_GIVE", "TRADE_TAKE"):
        side, wanted = ("give", "resource:discovery") if t.kind == "TRADE_GIVE" else ("take", take)
        t.do("done" if view(t, 0)["shown"]["offer"][side] else wanted)
    t.answer("TRADE_ANSWER", "yes", seat=partner)
    if t.kind == "TRADE_CARD":
        t.do(f"card:{give}")
    return t


def negotiate(engine: str, *seats: dict[str, Any], **more: Any) -> Table:
    options = {"abilities": True, **more.pop("options", {})}
    return scenario(engine, *seats, options=options, **more).turn("negotiate").skip("TRADE_PARTNER")


# ------------------------------------------------------------------------------------------- I1, J01, I11
def test_hidden_and_open_places(engine: str) -> None:
    """I1, J01: hands and piles are counted, discard piles, slots and the board's Played cards are seen."""
    mine = {"discovery": ["D19"], "relics": ["R01"], "lorium": 2}
    other = {"discovery": ["D26", "D33"], "relics": ["R02", "R03"], "slots": [{"relic": "R05"}, None]}
    t = scenario(engine, mine, other, discovery={"discard": ["D42"]}, options={"abilities": True})
    doc = view(t, 0)
    assert doc["players"][0]["discovery"] == ["D19"]
    assert doc["players"][0]["relics"] == ["R01"]
    assert doc["players"][1]["discovery"] == {"count": 2, "known": []}
    assert doc["players"][1]["relics"] == {"count": 2, "known": []}
    assert doc["players"][1]["slots"] == [{"relic": "R05"}, None]
    assert doc["discovery"]["discard"] == ["D42"]
    full = t.snapshot()
    assert doc["discovery"]["draw"] == {"count": len(full["discovery"]["draw"]), "top": [], "bottom": []}
    assert doc["discovery"]["placed"] == doc["discovery"]["late"] == []
    assert "chance" not in doc
    assert doc["decision"] == {"player": 0, "kind": "RELIC_WINDOW", "actions": t.state.legal_actions()}
    assert view(t, 1)["decision"] == {"player": 0, "kind": "RELIC_WINDOW", "actions": None}


# ---------------------------------------------------------------------------------------------- I6, I3, J02
def test_traded_cards_are_known_until_discarded(engine: str) -> None:
    """I6, I3: both traders know the card that changed hands, others do not; played it is forgotten."""
    t = negotiate(engine, {"discovery": ["D19", "D26"]}, {"lorium": 3}, {"lorium": 1})
    trade_cards(t, 1, give="D19")
    assert t.player(1)["discovery"] == ["D19"]
    assert known(t, 0, 1) == ["D19"]
    assert hand(t, 2, 1) == {"count": 1, "known": []}
    assert view(t, 1)["players"][1]["discovery"] == ["D19"]
    t.end_turn().turn("harvesters").skip("BONUS").answer("BONUS", "bonus:play_card", seat=1)
    if t.kind == "PLAY_MODE":  # named already (J04)
        assert known(t, 2, 1) == ["D19"]
        t.do("option:1")
    assert known(t, 0, 1) == []
    assert known(t, 2, 1) == []


def test_a_third_seat_knows_two_places(engine: str) -> None:
    """I6: whoever gave a card to q does not know whether it is the one that q gave on."""
    t = negotiate(engine, {"discovery": ["D19", "D26"]}, {"lorium": 3, "discovery": ["D33"]}, {"lorium": 3})
    trade_cards(t, 1, give="D19")
    t.end_turn().turn("negotiate").skip("TRADE_PARTNER")
    trade_cards(t, 2, give="D33")
    assert deck(t, 0)["placed"] == [["D19", [1, 2]]]
    assert known(t, 1, 2) == ["D33"]
    assert t.player(1)["discovery"] == ["D19"]


def test_like_cards_are_not_told_apart(engine: str) -> None:
    """J02: of two like cards one of which is known nobody can say which was played: the knowledge is gone."""
    like = "D03"
    t = negotiate(engine, {"discovery": [like, "D26"]}, {"lorium": 3, "discovery": [like]}, {"lorium": 1})
    trade_cards(t, 1, give=like)
    assert t.player(1)["discovery"] == [like, like]
    assert known(t, 0, 1) == [like]
    t.end_turn().turn("harvesters").skip("BONUS").do("bonus:play_card")
    if t.kind == "PLAY_MODE":
        t.do("option:1")
    assert t.player(1)["discovery"] == [like]
    assert known(t, 0, 1) == []


def test_a_chooser_sees_the_whole_hand(engine: str) -> None:
    """I6, J09: who steals by choice has seen the whole hand; the victim knows which card went."""
    t = table(engine, {"discovery": ["D65"]}, {"discovery": ["D19", "D26", "D33"]}, {"discovery": ["D42"]})
    t.turn("harvesters").skip("BONUS").do("bonus:play_card")
    while t.kind != "PAY_CARD":
        t.do("option:0" if t.kind == "PLAY_MODE" else "player:1" if t.kind == "PICK_PLAYER" else "done")
    assert known(t, 0, 1) == ["D19", "D26", "D33"]
    assert known(t, 2, 1) == []
    for world in sampled(t.state, 0, range(20)):  # J11: the victim does not know what goes; the thief does
        assert world.snapshot()["players"][1] == t.player(1)
    t.answer("PAY_CARD", "card:D26", seat=0)
    assert known(t, 0, 1) == ["D19", "D33"]
    assert known(t, 1, 0) == ["D26"]
    assert known(t, 2, 0) == known(t, 2, 1) == []


# -------------------------------------------------------------------------------------------- I2, I4, I7, J05
def compass(engine: str, *more: dict[str, Any]) -> Table:
    """Seat 0 looks at the top two cards, D19 and D26, at the end of its turn (R45)."""
    seats = ({"active": "R45"}, *more) if more else ({"active": "R45"}, {}, {})
    t = table(engine, *seats, discovery={"draw": ["D19", "D26", "D33", "D42"]})
    return t.turn("harvesters").skip("RULE").do("option:0").expect("SCRY_PUT", 0)


def test_cards_looked_at(engine: str) -> None:
    """I7, I2: only who looks is shown the cards; what goes back on top and under is known by position."""
    t = compass(engine)
    assert view(t, 0)["shown"] == {"cards": ["D19", "D26"]}
    assert view(t, 1)["shown"] == {}
    count = deck(t, 1)["draw"]["count"]
    t.do("option:0").expect("SCRY_PUT", 0)
    assert view(t, 0)["shown"] == {"cards": ["D26"]}
    t.do("option:1")
    assert deck(t, 0)["draw"] == {"count": count + 2, "top": ["D19"], "bottom": ["D26"]}
    assert deck(t, 1)["draw"] == {"count": count + 2, "top": [], "bottom": []}
    for world in sampled(t.state, 0, range(20)):
        pile = world.snapshot()["discovery"]["draw"]
        assert (pile[0], pile[-1]) == ("D19", "D26")


def test_a_known_card_that_is_drawn(engine: str) -> None:
    """I4: who knew the top card knows who has it; the others know nothing."""
    t = compass(engine).do("option:0", "option:1")
    t.turn("harvesters").skip("BONUS").answer("BONUS", "bonus:gain_card", seat=1)
    assert t.player(1)["discovery"] == ["D19"]
    assert known(t, 0, 1) == ["D19"]
    assert known(t, 2, 1) == []
    assert deck(t, 0)["draw"]["top"] == []
    assert deck(t, 0)["draw"]["bottom"] == ["D26"]


def test_a_second_look_blurs_the_first(engine: str) -> None:
    """I7, J05: what a seat knew of the top is, after another has looked, in the pile or with the other."""
    t = compass(engine, {"discovery": ["D30"]}, {})
    t.do("option:0", "option:0")
    assert deck(t, 0)["draw"]["top"] == ["D19", "D26"]
    t.turn("harvesters").skip("BONUS").do("bonus:play_card")
    t.answer("PLAY_MODE", "option:0", seat=1)
    t.expect("SCRY_KEEP", 1)  # four cards, D19 and D26 among them
    assert view(t, 1)["shown"] == {"cards": ["D19", "D26", "D33", "D42"]}
    assert deck(t, 0)["placed"] == [["D19", ["table"]], ["D26", ["table"]]]
    assert deck(t, 0)["draw"]["top"] == []
    worlds = sampled(t.state, 0, range(40))
    assert all({"card:D19", "card:D26"} <= set(names(w)) for w in worlds)
    assert not worlds or len({tuple(names(w)) for w in worlds}) > 20, "the other two are unknown to seat 0"
    t.do("card:D19", "card:D33")  # the rest is discarded
    assert known(t, 0, 1) == ["D19"], "seen among four, and D26 is open now"
    assert {"D26", "D42"} < set(deck(t, 0)["discard"])
    assert known(t, 2, 1) == []


def names(state: Any) -> list[str]:
    return [state.action_to_string(a) for a in state.legal_actions()]


def test_a_draw_from_a_pile_with_a_known_card_somewhere(engine: str) -> None:
    """I4, I7: a card known to be in the pile may be drawn by anybody, unseen."""
    pile = ["D19", "D26", "D33", "D42"]
    t = table(engine, {"active": "R45"}, {"faction": "F11"}, {}, discovery={"draw": pile})
    t.turn("harvesters").skip("RULE").do("option:0").do("option:0", "option:0")
    assert deck(t, 0)["draw"]["top"] == ["D19", "D26"]
    t.expect("RULE", 1).do("option:1").expect("SCRY_PUT", 1).do("option:0")  # looks at D19 and leaves it
    assert deck(t, 1)["draw"]["top"] == ["D19"]
    assert deck(t, 0)["draw"]["top"] == []
    assert deck(t, 0)["placed"] == [["D19", ["draw"]], ["D26", ["draw"]]]
    t.turn("harvesters").skip("BONUS").do("bonus:gain_card")
    assert deck(t, 0)["placed"] == [["D19", [1, "draw"]], ["D26", [1, "draw"]]]
    assert deck(t, 2)["placed"] == []


# ----------------------------------------------------------------------------------------------------- I5
def test_a_rebuilt_pile(engine: str) -> None:
    """I5, J03: after a rebuild the pile holds exactly what was discarded; who draws may have late cards."""
    content = small_deck("D19", "D26", "D28", "D33", "D42", "D43")
    t = scenario(
        engine, {"discovery": ["D19"]}, {"discovery": ["D26"]}, {},
        discovery={"discard": ["D28", "D33", "D42", "D43"]},
        options={"abilities": True, "content": content, "molten_core": True, "events": False},
    )  # fmt: skip
    assert deck(t, 0)["late"] == []
    t.turn("harvesters").skip("BONUS").do("bonus:gain_card")
    drawn = t.player(0)["discovery"]
    assert len(drawn) == 2
    late = ["D28", "D33", "D42", "D43"]
    assert deck(t, 1)["late"] == late
    assert deck(t, 1)["fresh"] == [1, 0, 0]
    assert deck(t, 0)["late"] == [name for name in late if name not in drawn]
    assert deck(t, 0)["fresh"] == [0, 0, 0]
    worlds = [w.snapshot() for w in sampled(t.state, 1, range(60))]
    assert all(w["players"][0]["discovery"].count("D19") == 1 for w in worlds), "it was in no pile"
    found = {tuple(w["players"][0]["discovery"]) for w in worlds}
    assert not worlds or found == {tuple(sorted(["D19", name])) for name in late}
    worlds = [w.snapshot() for w in sampled(t.state, 0, range(60))]
    assert all(w["players"][1]["discovery"] == ["D26"] for w in worlds), "all others are in the pile"


# ----------------------------------------------------------------------------------------------------- I8
def test_gaining_a_relic(engine: str) -> None:
    """I8: of two Relics drawn the drawer alone sees both; the one discarded is open, the other hidden."""
    t = scenario(engine, {}, {}, round=3, relics={"draw": ["R01", "R02", "R03"]}, options={"abilities": True})
    t.turn("speakers", "battle").skip("BONUS").do("bonus:gain_relic").expect("KEEP_RELIC", 0)
    assert view(t, 0)["shown"] == {"cards": ["R01", "R02"]}
    assert view(t, 1)["shown"] == {}
    worlds = sampled(t.state, 1, range(30))
    assert not worlds or len({tuple(names(world)) for world in worlds}) > 10
    assert all(names(world) == ["card:R01", "card:R02"] for world in sampled(t.state, 0, range(10)))
    t.do("card:R02")
    assert deck(t, 1, "relics")["discard"] == ["R01"]
    assert hand(t, 1, 0, "relics") == {"count": 1, "known": []}
    asked = [e for e in t.state.events(1) if e[:3] == (EventKind.CHOICE, 0, DecisionKind.KEEP_RELIC)]
    assert [e[3:] for e in asked] == [(-1, 0)]


def test_an_active_relic_in_a_trade(engine: str) -> None:
    """J07: it goes into a hand in sight of all."""
    t = negotiate(engine, {"slots": [{"relic": "R05"}, None]}, {"lorium": 1}, {})
    t.do("player:1")
    while t.kind in ("TRADE_GIVE", "TRADE_TAKE"):
        t.do("done" if "done" in t.options() else t.options()[0])
    t.answer("TRADE_ANSWER", "yes", seat=1)
    assert t.player(1)["relics"] == ["R05"]
    assert known(t, 2, 1, "relics") == known(t, 0, 1, "relics") == ["R05"]


# ----------------------------------------------------------------------------------------------------- I9
def test_burned_cards(engine: str) -> None:
    """I9, J12: a Burned card is hidden among those in hand; it is none that lay or is Played."""
    t = scenario(engine, {}, {}).turn("harvesters", "battle").end_turn()
    seen = view(t, 1)["players"][0]
    assert seen["board"][0] == ["hidden", "harvesters"]
    assert len(seen["hand"]) == 9
    assert "battle" in seen["hand"]
    assert seen["excluded"] == [["harvesters"], [], [], [], []]
    assert view(t, 0)["players"][0]["board"][0] == ["battle", "harvesters"]
    t.turn("harvesters", "battle").end_turn().turn("speakers", "recruit").end_turn()
    seen = view(t, 1)["players"][0]
    assert seen["excluded"] == [["speakers", "harvesters"], ["speakers", "harvesters"], [], [], []]
    worlds = [world.snapshot()["players"][0] for world in sampled(t.state, 1, range(200))]
    burned = {tuple(c[0] for c in person["board"][:2]) for person in worlds}
    assert not {card for pair in burned for card in pair} & {"speakers", "harvesters"}
    assert len(burned) > 40
    record = [e for e in t.state.events(1) if e[:3] == (EventKind.CHOICE, 0, DecisionKind.BURN)]
    assert [e[3] for e in record] == [-1, -1]
    mine = [e for e in t.state.events(0) if e[:3] == (EventKind.CHOICE, 0, DecisionKind.BURN)]
    assert all(e[3] > 0 for e in mine)


def test_a_shown_card_is_not_burned(engine: str) -> None:
    """I9, N1.7: a card shown for the Bonus Action is in hand, so that it is not the Burned one."""
    t = scenario(engine, {"units": {"savannah-4-1": "miner"}}, {}, tiles={"savannah-4-1": "lorium"})
    t.turn("harvesters", "battle").skip("BONUS").do("bonus:hand_action")
    if t.kind == "COMMAND_CARD":
        t.do("command:miners")
    shown = set(view(t, 1)["players"][0]["excluded"][0]) - {"harvesters"}
    assert len(shown) == 1
    card = shown.pop()
    assert card in t.player(0)["hand"]
    assert all(card in w.snapshot()["players"][0]["hand"] for w in sampled(t.state, 1, range(50)))


def test_the_reset_clears_everything(engine: str) -> None:
    """I9: after the Reset nothing is Burned and nothing excluded."""
    t = scenario(engine, {}, {}, round=5)
    t.turn("harvesters", "battle").end_turn().turn("harvesters", "battle").end_turn()
    assert t.events("RESET")
    seen = view(t, 1)["players"][0]
    assert seen["excluded"] == [[], [], [], [], []]
    assert len(seen["hand"]) == 10


def test_a_reclaimed_burned_card_is_hidden(engine: str) -> None:
    """I9, I11, J10: which Burned card comes back nobody else sees; a Played one is open."""
    mine = {"board": [["battle", "recruit"], *[[None, None]] * 4], "relics": ["R01", "R02"]}
    t = scenario(engine, mine, {}, round=2).skip("RECLAIM")
    open_card = t.fork().do("command:recruit")
    assert open_card.state.events(1)[-1][3] > 0
    t.do("command:battle").expect("RECLAIM_RELIC", 0)
    assert t.state.events(1)[-1][:4] == (EventKind.CHOICE, 0, DecisionKind.RECLAIM, -1)
    assert view(t, 1)["players"][0]["board"][0] == ["hidden", "recruit"]
    for world in sampled(t.state, 1, range(20)):  # J11: whatever lies there comes back
        burned = world.snapshot()["players"][0]["board"][0][0]
        world.apply_action(world.legal_actions()[0])
        after = world.snapshot()["players"][0]
        assert burned in after["hand"]
        assert after["board"][0] == [None, "recruit"]
    t.do("card:R01")
    assert view(t, 1)["players"][0]["excluded"][0] == []


# ------------------------------------------------------------------------------------------------ I10, I23
def test_factions_are_hidden_until_all_have_chosen(engine: str) -> None:
    """I10, I23: a seat sees its own three cards and its choice; in other worlds the others have others."""
    t = new_game(engine, 3, seed=4, factions=True, abilities=True).expect("CHOOSE_FACTION", 0)
    t.do(t.options()[0]).expect("CHOOSE_FACTION", 1)
    full = t.snapshot()["players"]
    assert view(t, 0)["players"][0]["faction"] == full[0]["faction"]
    dealt = view(t, 0)["players"][0]["dealt"]
    assert len(dealt) == 3
    assert full[0]["faction"] in dealt
    assert view(t, 1)["players"][0]["faction"] is None
    assert "dealt" not in view(t, 1)["players"][0]
    assert t.state.events(1)[-1][:4] == (EventKind.CHOICE, 0, DecisionKind.CHOOSE_FACTION, -1)
    mine = set(view(t, 1)["players"][1]["dealt"])
    worlds = sampled(t.state, 1, range(80))
    chosen = {w.snapshot()["players"][0]["faction"] for w in worlds}
    assert not worlds or len(chosen) > 10
    assert not chosen & mine
    for w in worlds:
        assert w.view(1) == t.state.view(1)
        assert w.view(0)["players"][0]["faction"] in w.view(0)["players"][0]["dealt"]
    while t.kind == "CHOOSE_FACTION":
        t.do(t.options()[0])
    assert [p["faction"] for p in view(t, 1)["players"]] == [p["faction"] for p in t.snapshot()["players"]]


# ------------------------------------------------------------------------------------------------- I11, J10
def test_picks_of_a_trade_are_hidden(engine: str) -> None:
    """I11, I24, J11: neither trader sees the other's pick before both have picked; third parties never do."""
    t = negotiate(engine, {"discovery": ["D19", "D26"]}, {"discovery": ["D33", "D42"]}, {"lorium": 1})
    t.do("player:1")
    while t.kind in ("TRADE_GIVE", "TRADE_TAKE"):
        t.do("done" if "done" in t.options() else "resource:discovery")
    t.answer("TRADE_ANSWER", "yes", seat=1)
    assert view(t, 2)["shown"]["offer"] == {"from": 0, "to": 1, "give": [9], "take": [9]}
    t.answer("TRADE_CARD", "card:D26", seat=0).expect("TRADE_CARD", 1)
    assert view(t, 0)["shown"]["picked"] == ["D26"]
    assert view(t, 1)["shown"]["picked"] == []
    hidden = (EventKind.CHOICE, 0, DecisionKind.TRADE_CARD, -1, 0)
    assert hidden in t.state.events(1)
    assert hidden in t.state.events(2)
    assert hidden not in t.state.events(0)
    given = set()
    for world in sampled(t.state, 1, range(40)):
        world.apply_action(world.legal_actions()[0])
        given.add(tuple(set(world.snapshot()["players"][1]["discovery"]) - {"D33", "D42"}))
    assert not given or len(given) > 10, "what the other has picked is drawn anew"
    t.do("card:D33")
    assert known(t, 0, 1) == ["D26"]
    assert known(t, 1, 0) == ["D33"]
    assert known(t, 2, 0) == known(t, 2, 1) == []


def test_a_declined_reaction_leaves_no_trace(engine: str) -> None:
    """I11: who passes over a Reaction shows nothing; who plays one shows the card."""
    game = new_game(engine, 3, seed=2, abilities=True)
    from cysmic_fast.policies import RandomPolicy

    policy = RandomPolicy(2)
    state = game.state
    declined = 0
    for _ in range(4000):
        if state.is_terminal() or declined >= 3:
            break
        action = policy(state)
        seat = state.current_player()
        if state.decision() == DecisionKind.REACT:
            action = 0
            before = {v: state.events(v) for v in range(3)}
            state.apply_action(0)
            declined += 1
            choice = (EventKind.CHOICE, seat, DecisionKind.REACT, 0, 0)
            for v in range(3):
                new = state.events(v)[len(before[v]) :]
                assert (choice in new) == (v == seat)
                assert v == seat or not any(e[:3] == choice[:3] for e in new)
            continue
        state.apply_action(action)
    assert declined >= 3


def test_draws_are_recorded_for_the_drawer(engine: str) -> None:
    """I11: others see that a card was drawn, not which."""
    t = scenario(engine, {}, {}, discovery={"draw": ["D19"]}, options={"abilities": True})
    t.turn("harvesters").skip("BONUS").do("bonus:gain_card")
    drawn = t.events("DRAW")[-1]
    assert drawn in t.state.events(0)
    assert drawn not in t.state.events(1)
    assert (EventKind.DRAW, 0, 0, -1, 0) in t.state.events(1)
    assert len(t.state.events(1)) == len(t.state.events())


def test_a_stolen_card_by_chance(engine: str) -> None:
    """J09, J10: thief and victim see what chance has taken, a third seat does not."""
    t = table(engine, {"discovery": ["D42"]}, {"discovery": ["D19", "D26"]}, {"discovery": ["D33"]})
    t.turn("harvesters").skip("BONUS").do("bonus:play_card")
    while t.kind in ("PLAY_MODE", "PICK_PLAYER"):
        t.do("option:0" if t.kind == "PLAY_MODE" else "player:1")
    (stolen,) = t.player(0)["discovery"]
    assert known(t, 1, 0) == [stolen]
    assert known(t, 2, 0) == []
    (chance,) = (e for e in t.events("CHANCE") if e[3] >= 0 and e[2] == 11)
    assert chance in t.state.events(0)
    assert chance in t.state.events(1)
    assert chance not in t.state.events(2)
    assert (*chance[:3], -1, 0) in t.state.events(2)


def test_an_exchange_goes_piece_by_piece(engine: str) -> None:
    """J08: a third seat that knew a card at either trader thinks of both afterwards."""
    t = negotiate(engine, {"discovery": ["D19", "D26"]}, {"lorium": 3, "discovery": ["D33", "D42"]}, {})
    trade_cards(t, 1, give="D19")
    t.end_turn().turn("negotiate").skip("TRADE_PARTNER")
    trade_cards(t, 0, give="D33", take="resource:discovery")
    assert t.player(0)["discovery"] == ["D33"]
    assert deck(t, 0)["placed"] == []
    assert known(t, 0, 1) == ["D19", "D26"]
    assert known(t, 1, 0) == ["D33"]
    assert known(t, 2, 0) == known(t, 2, 1) == []


# ----------------------------------------------------------------------------------------------------- I12
def test_nothing_is_inferred_from_play(engine: str) -> None:
    """I12: after a Reaction could have been played and was not, worlds in which it is held still come up."""
    t = negotiate(engine, {"discovery": ["D19", "D26"]}, {"lorium": 3}, {"lorium": 1})
    before = view(t, 1)["players"][0]
    t.do("done").end_turn()
    after = view(t, 1)["players"][0]
    assert before["discovery"] == after["discovery"] == {"count": 2, "known": []}


# ------------------------------------------------------------------------------------------------ the end
def test_a_finished_game_is_seen_like_any_other(engine: str) -> None:
    """J12, J15."""
    t = scenario(engine, {}, {"discovery": ["D19"]}, options={"max_rounds": 1})
    while t.kind != "NONE":
        t.turn("harvesters").end_turn()
    doc = view(t, 0)
    assert doc["phase"] == "over"
    assert doc["decision"] is None
    assert doc["shown"] == {}
    worlds = sampled(t.state, 0, range(9))
    for world in worlds:
        assert world.is_terminal()
        assert world.legal_actions() == []
        assert world.view(0) == doc
    hands = [world.snapshot()["players"][1]["discovery"] for world in worlds]
    assert not worlds or any(cards != ["D19"] for cards in hands)


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_dice_are_shown_to_all(engine: str, seats: int) -> None:
    """J12: the pool of a Strike lies on the table."""
    from abilities import FIELD, dice

    people: list[dict[str, Any]] = [{} for _ in range(seats)]
    people[0] = {"units": {FIELD: "soldier"}, "discovery": ["D19"]}
    people[1] = {"units": {FIELD: "soldier"}, "discovery": ["D26"]}
    t = table(engine, *people, combats={FIELD: 0}, script=dice([1, 2] * 9))
    t.turn("battle")
    t.skip("STRIKE_OR_FLEE").do("strike").expect("MODIFIER_CARD")
    assert t.kind == "MODIFIER_CARD"
    pools = {json.dumps(view(t, v)["shown"]["dice"]) for v in range(seats)}
    assert len(pools) == 1
    assert json.loads(pools.pop())[0][0] == "red"
