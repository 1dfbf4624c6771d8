"""Chapter T: turn, round, cycle, and what holds throughout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scenario import CARDS, Table, new_game, scenario, space

from cysmic_fast.vocabulary import Bonus, ChanceKind, DecisionKind, EventKind

ICONS = {
    "recruit": ("green", "purple"),
    "upgrade": ("blue", "yellow"),
    "battle": ("yellow", "green"),
    "negotiate": ("blue", "purple"),
    "soldiers": ("red", "yellow"),
    "miners": ("red", "green"),
    "speakers": ("red", "purple"),
    "powermechs": ("blue", "green"),
    "harvesters": ("red", "blue"),
    "colony_ship": ("yellow", "purple"),
}
COLOUR_ORDER = ("red", "blue", "yellow", "green", "purple")
CELLS = {
    1: ("resolve_combat", "hand_action", "two_cards", "deploy_one", "two_lorium"),
    2: ("destroy_troop", "free_flee", "deploy_two", "rescue", "store_lorium"),
    3: ("capture_troop", "played_action", "promote", "move_three", "gain_relic"),
    4: ("cyber_attack", "reactivate_tactic", "colony_city", "steal_captive", "discard_relic"),
    5: ("any_combat", "reactivate_unit", "upgrade_one", "take_marker", "gather_lorium"),
}
GREY = ("play_card", "gain_card", "gain_blueprint", "construct")
SIX = ["crew_bridge", "control_systems", "colonist_quarters", "power_core", "fuel_cells", "warp_drive"]
#: Four Columns filled, harvesters and colony_ship in hand.
FOUR_COLUMNS = [
    ["recruit", "upgrade"], ["battle", "negotiate"], ["soldiers", "miners"], ["speakers", "powermechs"],
]  # fmt: skip


def decline(t: Table) -> str:
    """Declines what is asked, or takes the first option; returns the kind that was asked."""
    kind, options = t.kind, t.options()
    t.do(next((word for word in ("done", "no") if word in options), options[0]))
    return kind


def advance(t: Table, until: str) -> Table:
    """Declines (or takes the first option of) everything until a kind is asked."""
    for _ in range(100):
        if t.kind == until:
            return t
        decline(t)
    raise AssertionError(f"{until} is not asked")


def pass_turn(t: Table) -> list[str]:
    """Plays the least a turn can be; returns the kinds asked in it. Burns the Ship's card first."""
    turns, kinds = len(t.events("TURN")), []
    while t.kind != "NONE" and len(t.events("TURN")) == turns:
        if t.kind == "BURN" and "command:colony_ship" in t.options():
            kinds.append(t.kind)
            t.do("command:colony_ship")
        else:
            kinds.append(decline(t))
    return kinds


def turns(t: Table) -> list[tuple[int, int, int]]:
    """(seat, round, Column) of the turns so far."""
    return [(seat, a, b) for _, seat, a, b, _ in t.events("TURN")]


def actions_done(t: Table) -> list[str]:
    """Actions of Unit cards chosen so far, forced choices included."""
    return [
        t.game.action_name(b).split(":")[1]
        for _, _, a, b, _ in t.events("CHOICE")
        if a == DecisionKind.ACT_ACTION
    ]


# ------------------------------------------------------------------ T1
@pytest.mark.rule("T1.1", "T2.1", "T6.1", "T7.1")
def test_steps_of_a_turn(engine: str) -> None:
    """Reclaim, Burn, Play, the card, Bonus Action, Launch, surplus; then the next player."""
    seat = {
        "modules": SIX, "blueprints": SIX, "relics": ["R05"], "board": [["recruit", "upgrade"]],
        "units": {"tundra-4-1": "miner"}, "discovery": ["D19", "D20", "D21", "D22", "D23", "D24"],
    }  # fmt: skip
    t = scenario(engine, seat, round=2)
    steps = []
    while t.seat == 0:
        steps.append(t.kind)
        t.do("command:miners") if t.kind == "PLAY" else decline(t)
    assert [kind for kind in steps if kind != "RELIC_WINDOW"] == [
        "RECLAIM", "BURN", "PLAY", "ACT_SPACE", "BONUS", "LAUNCH", "DISCARD_DISCOVERY",
    ]  # fmt: skip
    t.expect("BURN", 1)


@pytest.mark.rule("T1.2", "T1.3", "T1.8")
def test_rounds_and_columns(engine: str) -> None:
    """First Player first, then clockwise; Column k in round k of each cycle of five."""
    t = scenario(engine, players=3, first_player=1, current_player=1)
    for _ in range(3 * 11):
        pass_turn(t)
    rounds = [(seat, r, (r - 1) % 5 + 1) for r in range(1, 12) for seat in (1, 2, 0)]
    assert turns(t)[:33] == rounds
    assert [a for _, _, a, _, _ in t.events("RESET")] == [1, 2]
    assert t.kind == "BURN"


@pytest.mark.rule("T1.3")
def test_the_game_starts_in_round_1_of_cycle_1(engine: str) -> None:
    """The first TURN after set-up: round 1, Column 001."""
    t = new_game(engine, 2, script={"first_player": ["green"]})
    while not t.events("TURN"):
        t.state.apply_action(t.state.legal_actions()[0])
    assert turns(t) == [(1, 1, 1)]
    t.turn("battle")
    assert t.player(1)["board"][0] == ["colony_ship", "battle"]


@pytest.mark.rule("T1.4", "RUL-T8")
def test_reset_after_the_fifth_round(engine: str) -> None:
    """All cards come back, also past a gap that a Reclaim has left; before round 5 they stay."""
    gap = [[None, "upgrade"], *FOUR_COLUMNS[1:]]
    t = scenario(engine, {"board": FOUR_COLUMNS}, {"board": gap}, round=5)
    t.turn("harvesters").end_turn().expect("BURN", 1)
    assert t.player(0)["board"][4] == ["colony_ship", "harvesters"]
    assert t.player(0)["hand"] == []
    assert len(t.options()) == 3
    t.turn("harvesters").end_turn()
    for seat in (0, 1):
        assert sorted(t.player(seat)["hand"]) == sorted(CARDS)
        assert t.player(seat)["board"] == [[None, None]] * 5
    t = scenario(engine, {"board": FOUR_COLUMNS[:3]}, {"board": FOUR_COLUMNS[:3]}, round=4)
    pass_turn(t)
    pass_turn(t)
    assert t.events("RESET") == []
    assert len(t.player(0)["hand"]) == 2


@pytest.mark.rule("T1.5")
def test_the_reset_belongs_to_no_turn(engine: str) -> None:
    """It comes between the surplus of the last turn and the next turn, nobody's doing."""
    six = ["D19", "D20", "D21", "D22", "D23", "D24"]
    t = scenario(
        engine,
        {"board": [*FOUR_COLUMNS, ["colony_ship", "harvesters"]]},
        {"board": FOUR_COLUMNS, "discovery": six},
        round=5,
        current_player=1,
    )
    pass_turn(t)
    order = [e for e in t.events() if e[0] in (EventKind.CHOICE, EventKind.RESET, EventKind.TURN)]
    reset = next(i for i, e in enumerate(order) if e[0] == EventKind.RESET)
    assert order[reset][1] == -1
    assert order[reset - 1][:3] == (EventKind.CHOICE, 1, DecisionKind.DISCARD_DISCOVERY)
    assert order[reset + 1][:4] == (EventKind.TURN, 0, 6, 1)


@pytest.mark.rule("T1.6")
def test_the_marker_counts_at_the_start_of_a_cycle(engine: str) -> None:
    """Whoever holds it then is First Player for five rounds, wherever it moves meanwhile."""
    t = scenario(engine, players=3, marker=2)
    for _ in range(3 * 5):
        pass_turn(t)
    assert turns(t)[:3] == [(0, 1, 1), (1, 1, 1), (2, 1, 1)]
    assert turns(t)[-1] == (2, 6, 1)
    assert t.snapshot()["first_player"] == 2
    pass_turn(t)
    t.turn("negotiate").answer("SECTION", "yes", seat=0).end_turn()
    assert (t.snapshot()["marker"], t.snapshot()["first_player"]) == (0, 2)
    for _ in range(13):
        pass_turn(t)
    assert [seat for seat, round_, _ in turns(t) if 6 <= round_ <= 10] == [2, 0, 1] * 5
    assert turns(t)[-1] == (0, 11, 1)


@pytest.mark.rule("T1.7")
def test_the_marker_moves_only_by_an_effect_and_at_once(engine: str) -> None:
    """A whole round leaves it where it is; Initiative takes it before anything else happens."""
    t = scenario(engine, players=3, marker=1)
    for _ in range(3):
        pass_turn(t)
    assert t.snapshot()["marker"] == 1
    assert t.events("MARKER") == []
    t.turn("negotiate").answer("SECTION", "yes", seat=0)
    assert t.seat == 0
    assert t.snapshot()["marker"] == 0
    assert [e[1] for e in t.events("MARKER")] == [0]


@pytest.mark.rule("T1.8")
def test_a_launch_ends_the_cycles(engine: str) -> None:
    """Until then they go on; a Launch ends the game in the middle of a round."""
    t = scenario(engine, {}, {"modules": SIX, "blueprints": SIX}, players=3, round=7)
    pass_turn(t)
    t.turn("battle").skip("LAUNCH").do("yes")
    assert t.kind == "NONE"
    assert t.state.winners() == [1]
    assert t.events("GAME_OVER")[0][2] == 0


@pytest.mark.rule("T1.9", "RUL-T13", "RUL-L10")
@pytest.mark.parametrize("cap", [None, 3])
def test_the_cap_on_rounds(engine: str, cap: int | None) -> None:
    """After the last turn of the last round nobody has won; the round before it is nothing special."""
    last = 60 if cap is None else cap
    t = scenario(engine, options={"max_rounds": cap}, round=last - 1)
    assert last == (cap or t.game.content.limits.rounds)
    for _ in range(3):
        pass_turn(t)
        assert t.kind != "NONE"
    pass_turn(t)
    assert t.kind == "NONE"
    assert t.state.is_terminal()
    assert (t.state.winners(), t.state.end_reason()) == ([], 2)
    assert t.state.returns() == [0.0, 0.0]


NO_TILES: dict[str | int, str] = dict.fromkeys(range(127), "none")
BARE_SHIPS = ({"ship": "savannah-4-1"}, {"ship": "forest-4-1"})


@pytest.mark.rule("T1.10", "RUL-L11")
def test_no_tile_left_ends_the_game(engine: str) -> None:
    """At the next step 6, before any Launch; one tile somewhere keeps it going."""
    ready = {**BARE_SHIPS[0], "modules": SIX, "blueprints": SIX}
    t = scenario(engine, ready, BARE_SHIPS[1], tiles=NO_TILES)
    t.turn("battle").answer("BONUS", "done")
    assert t.kind == "NONE"
    assert (t.state.winners(), t.state.end_reason()) == ([], 1)
    t = scenario(engine, ready, BARE_SHIPS[1], tiles={**NO_TILES, "tundra-6-3": "lake"})
    t.turn("battle").answer("BONUS", "done").expect("BURN", 1)


@pytest.mark.rule("T1.10", "RUL-L4", "RUL-L11")
def test_no_tile_left_where_the_rule_is_not_in_force(engine: str, tmp_path: Path) -> None:
    """Not under If You Build It, which allows bare ground, and not with the ruling switched off."""
    t = scenario(engine, *BARE_SHIPS, tiles=NO_TILES, options={"launch": "build_it"})
    t.turn("battle").answer("BONUS", "done").expect("BURN", 1)
    (tmp_path / "rulings.toml").write_text("end_without_tiles = false\n")
    t = scenario(engine, *BARE_SHIPS, tiles=NO_TILES, options={"packs": [tmp_path]})
    t.turn("battle").answer("BONUS", "done").expect("BURN", 1)


@pytest.mark.rule("T1.10")
def test_no_tile_left_after_a_launch(engine: str) -> None:
    """Those who Launched before win."""
    t = scenario(
        engine,
        BARE_SHIPS[0],
        {"ship": None, "launched": True},
        {"ship": "tundra-4-1"},
        tiles=NO_TILES,
        options={"end_trigger": "simultaneous"},
        current_player=2,
    )
    t.turn("battle").answer("BONUS", "done", seat=2)
    assert t.kind == "NONE"
    assert (t.state.winners(), t.state.end_reason()) == ([1], 1)


# ------------------------------------------------------------------ T2
@pytest.mark.rule("T2.1", "T-EX2", "T-EX3")
@pytest.mark.parametrize("paid", ["card:R05", "slot:1"])
@pytest.mark.parametrize("card", ["recruit", "upgrade", "miners"])
def test_reclaim(engine: str, paid: str, card: str) -> None:
    """Before turn 4: any of the six cards on the board for any Relic Card, once."""
    relics = {"relics": ["R05"], "slots": [None, {"relic": "R06"}]}
    t = scenario(engine, {"board": FOUR_COLUMNS[:3], **relics}, round=4).skip("RECLAIM")
    six = [c for column in FOUR_COLUMNS[:3] for c in column]
    assert set(t.options()) == {"done", *(f"command:{c}" for c in six)}
    assert len(t.player(0)["hand"]) == 4
    t.do(f"command:{card}").expect("RECLAIM_RELIC", 0)
    assert set(t.options()) == {"card:R05", "slot:1"}
    t.do(paid)
    p = t.player(0)
    assert card in p["hand"]
    assert not any(card in column for column in p["board"])
    assert p["relics"] == ([] if paid == "card:R05" else ["R05"])
    assert p["slots"] == ([None, {"relic": "R06"}] if paid == "card:R05" else [None, None])
    assert t.snapshot()["relics"]["discard"] == ["R05" if paid == "card:R05" else "R06"]
    t.expect("BURN", 0)  # a second Relic Card buys nothing more this turn


@pytest.mark.rule("T2.1")
def test_reclaim_needs_a_relic_and_is_optional(engine: str) -> None:
    """Without a Relic Card it is not asked; with one it may be declined."""
    scenario(engine, {"board": FOUR_COLUMNS[:3]}, round=4).expect("BURN", 0)
    t = scenario(engine, {"board": FOUR_COLUMNS[:3], "slots": [{"relic": "R06"}, None]}, round=4)
    t.answer("RECLAIM", "done", seat=0).expect("BURN", 0)
    assert len(t.options()) == 4
    assert t.player(0)["slots"][0] == {"relic": "R06"}


@pytest.mark.rule("T2.2")
def test_reclaim_is_skipped_with_ten_cards_in_hand(engine: str) -> None:
    """There is nothing to take back."""
    scenario(engine, {"slots": [{"relic": "R06"}, None]}).expect("BURN", 0)
    scenario(engine, {"board": [["battle", "recruit"]], "slots": [{"relic": "R06"}, None]}, round=2).expect(
        "RECLAIM", 0
    )


@pytest.mark.rule("T2.3", "RUL-T8")
@pytest.mark.parametrize("use", ["burn", "play"])
def test_a_reclaimed_card_is_in_hand_again(engine: str, use: str) -> None:
    """It may be Burned or Played at once and is not on the board for Reactivation."""
    board = [["recruit", "miners"], ["battle", "soldiers"], ["upgrade", None], ["negotiate", "powermechs"]]
    seat = {"board": board, "slots": [{"relic": "R06"}, None], "units": {"tundra-4-1": "soldier, miner"}}
    t = scenario(engine, seat, round=5).answer("RECLAIM", "command:soldiers", seat=0)
    assert t.player(0)["board"][1] == ["battle", None]
    if use == "burn":
        t.answer("BURN", "command:soldiers").answer("PLAY", "command:harvesters")
    else:
        t.answer("BURN", "command:harvesters").answer("PLAY", "command:soldiers").answer("ACT_SPACE", "done")
        assert t.player(0)["board"][4] == ["harvesters", "soldiers"]
        return
    t.answer("BONUS", "bonus:reactivate_unit").expect("COMMAND_CARD", 0)
    assert set(t.options()) == {"command:miners", "command:powermechs"}


# ------------------------------------------------------------------ T3
@pytest.mark.rule("T3.1", "T3.2", "T3.3")
def test_burn_and_play(engine: str) -> None:
    """Any card of the hand, then any other; both lie in the current Column; neither step can be declined."""
    t = scenario(engine, {"board": [["recruit", "upgrade"]], "units": {"tundra-4-1": "miner"}}, round=2)
    t.expect("BURN", 0)
    eight = [card for card in CARDS if card not in ("recruit", "upgrade")]
    assert set(t.options()) == {f"command:{card}" for card in eight}
    t.do("command:miners").expect("PLAY", 0)  # no Miner acts
    assert t.events("MOVE") == []
    assert t.player(0)["board"][1] == ["miners", None]
    assert set(t.options()) == {f"command:{card}" for card in eight if card != "miners"}
    t.do("command:harvesters")  # there is no Harvester
    assert t.player(0)["board"] == [["recruit", "upgrade"], ["miners", "harvesters"], *[[None, None]] * 3]
    t.expect("BONUS", 0)


@pytest.mark.rule("T3.3")
@pytest.mark.parametrize("card", [card for card in CARDS if card != "recruit"])
def test_every_card_can_be_burned_and_played_without_use(engine: str, card: str) -> None:
    """Not even a card without effect is refused."""
    t = scenario(engine, options={"trading": False})
    assert f"command:{card}" in t.options()
    t.do("command:recruit").expect("PLAY", 0)
    assert f"command:{card}" in t.options()
    t.do(f"command:{card}")
    assert t.kind == ("MOVE_TO" if card == "colony_ship" else "BONUS")


@pytest.mark.rule("T3.4", "T3.5", "T-EX2")
def test_hand_sizes_in_a_cycle(engine: str) -> None:
    """Two cards fewer each turn, and those cannot be chosen again before the Reset."""
    t = scenario(engine)
    gone: set[str] = set()
    for size in (10, 8, 6, 4, 2, 10):
        if size == 10:
            gone = set()
        t.expect("BURN", 0)
        assert set(t.options()) == {f"command:{card}" for card in CARDS if card not in gone}
        assert len(t.options()) == size
        pass_turn(t)
        gone |= {card for column in t.player(0)["board"] for card in column if card}
        pass_turn(t)


@pytest.mark.rule("T3.5", "T3.4")
def test_a_reclaim_leaves_one_card_more(engine: str) -> None:
    """With a Reclaim in turn 4, turn 5 starts with three cards."""
    t = scenario(engine, {"board": FOUR_COLUMNS[:3], "slots": [{"relic": "R06"}, None]}, round=4)
    t.do("command:miners").turn("speakers").end_turn()
    pass_turn(t)
    t.expect("BURN", 0)
    assert len(t.options()) == 3


# ------------------------------------------------------------------ T4
@pytest.mark.rule("T4.1")
def test_sections_from_top_to_bottom(engine: str) -> None:
    """A Speaker Moves, Persuades where it has come to, and then Promotes."""
    t = scenario(engine, {"units": {"tundra-4-1": "speaker, miner"}}, tiles={"tundra-4-2": "camp"})
    t.turn("speakers").answer("ACT_SPACE", "tundra-4-1").answer("MOVE_TO", "tundra-4-2")
    assert actions_done(t) == ["move"]
    t.answer("ACT_SPACE", "tundra-4-2")
    assert actions_done(t) == ["move", "persuade"]
    assert t.controller("tundra-4-2") == 0
    t.answer("ACT_SPACE", "tundra-4-2").expect("PROMOTE_SPACE", 0)
    assert actions_done(t) == ["move", "persuade", "promote"]


@pytest.mark.rule("T4.2", "A4.1")
def test_each_unit_chooses_among_the_actions_of_a_section(engine: str) -> None:
    """Of three Miners one Mines, one Explores, one does neither; one Powermech walks, the other jumps."""
    tiles: dict[str | int, str] = {"tundra-4-1": "lorium", "tundra-4-2": "explorable"}
    t = scenario(engine, {"units": {"tundra-4-1": "2 miner", "tundra-4-2": "miner"}}, tiles=tiles)
    t.turn("miners").answer("ACT_SPACE", "done").answer("ACT_SPACE", "tundra-4-2").answer(
        "ACT_SPACE", "tundra-4-1"
    )
    t.answer("ACT_SPACE", "done").expect("BONUS", 0)
    assert actions_done(t) == ["explore", "mine"]
    assert (t.player(0)["lorium"], len(t.player(0)["discovery"])) == (1, 1)

    t = scenario(engine, {"units": {"tundra-4-1": "powermech", "tundra-4-2": "powermech"}})
    t.turn("powermechs").answer("ACT_SPACE", "tundra-4-2").expect("ACT_ACTION", 0)
    assert t.options() == ["action:move", "action:jumpjet"]
    t.do("action:jumpjet", "tundra-5-2").answer("ACT_SPACE", "tundra-4-1").expect("ACT_ACTION", 0)
    assert t.options() == ["action:move", "action:jumpjet"]
    t.do("action:move", "tundra-5-1").expect("BONUS", 0)
    assert len(t.events("TREMOR")) == 1


@pytest.mark.rule("T4.3", "RUL-U4")
def test_units_act_one_at_a_time_in_any_order(engine: str) -> None:
    """Each once a Section, in the order the player likes; the next Section waits for all of them."""
    a, b = "tundra-4-1", "tundra-4-2"
    tiles: dict[str | int, str] = {a: "lorium", b: "lorium"}
    t = scenario(engine, {"units": {a: "2 miner", b: "miner"}}, tiles=tiles).turn("miners")
    for here, left in ((a, {a, b}), (b, {a}), (a, set())):
        t.expect("ACT_SPACE", 0)
        assert "done" in t.options()
        t.do(here, here)  # staying is a Move, too
        if left:
            assert t.spaces() == {space(s) for s in left}
        assert t.player(0)["lorium"] == 0
    t.expect("ACT_SPACE", 0)  # Section 2
    assert t.spaces() == {space(a), space(b)}
    t.do(b)
    assert t.spaces() == {space(a)}
    t.do(a, a).expect("BONUS", 0)
    assert t.player(0)["lorium"] == 3


@pytest.mark.rule("T4.4", "RUL-T4", "U4.2")
def test_eligible_units_are_fixed_when_the_card_begins(engine: str) -> None:
    """Locked ones are out, one that gets Locked drops out, and a Troop swapped in does not act."""
    home, foe, prison = "tundra-4-1", "tundra-4-2", "tundra-6-3"
    tiles: dict[str | int, str] = {foe: "camp", home: "camp"}
    t = scenario(
        engine,
        {"units": {home: "2 soldier", prison: "soldier"}},
        {"units": {foe: "miner", prison: "miner"}},
        combats={prison: 0},
        tiles=tiles,
        control={foe: 1, home: 1},
    )
    t.turn("soldiers").expect("ACT_SPACE", 0)
    assert t.spaces() == {space(home)}
    t.do(home, foe).do(home, home)
    t.expect("ACT_SPACE", 0)  # Neutralize: only the Soldier that stayed Unlocked
    assert t.spaces() == {space(home)}
    t.do(home).expect("BONUS", 0)
    assert (t.controller(home), t.controller(foe)) == (None, 1)


@pytest.mark.rule("T4.4", "RUL-T4")
def test_later_arrivals_of_the_type_do_not_act(engine: str) -> None:
    """A Speaker promotes a Miner to a second one, which does not promote in turn."""
    t = scenario(engine, {"units": {"tundra-4-1": "speaker, miner"}}).turn("speakers")
    t.answer("ACT_SPACE", "done").answer("ACT_SPACE", "tundra-4-1").answer("PROMOTE_FROM", "unit:miner")
    t.answer("PROMOTE_TO", "unit:speaker")
    assert t.units(0, "tundra-4-1") == [0, 0, 2, 0, 0]
    t.expect("BONUS", 0)


@pytest.mark.rule("T4.5", "RUL-T1")
def test_actions_of_a_tactic_card_each_once_in_order(engine: str) -> None:
    """Negotiate: Initiative, Cyber Attack, Resource Trading, Gain Blueprints."""
    seat = {"units": {"forest-4-1": "soldier"}, "lorium": 1, "captured": {1: "2 soldier"}}
    t = scenario(engine, seat, {"lorium": 1}, marker=1)
    t.turn("negotiate")
    kinds = [t.kind]
    t.do("yes")
    while t.kind != "BONUS":
        kinds.append(decline(t))
    assert kinds == ["SECTION", "CYBER_SPACE", "TRADE_PARTNER", "RANSOM_PLAYER"]


@pytest.mark.rule("T4.5", "RUL-T1")
def test_recruit_then_motivate(engine: str) -> None:
    """The Recruit card first Recruits, then Motivates; Recruiting does not come back."""
    t = scenario(engine).turn("recruit").answer("RECRUIT_TYPE", "unit:soldier", "done", seat=0)
    t.answer("DEPLOY_SPACE", "savannah-4-1").answer("ACT_SPACE", "savannah-4-1").answer(
        "ACT_ACTION", "action:move"
    )
    t.answer("MOVE_TO", "savannah-4-1").expect("BONUS", 0)


@pytest.mark.rule("T4.6", "RUL-T3")
@pytest.mark.parametrize("card", CARDS)
def test_what_can_be_declined(engine: str, card: str) -> None:
    """Every Action but Stabilize and the resolving by Battle."""
    camp, wood, field = "tundra-4-1", "rocky-4-1", "rocky-5-1"
    seat = {
        "units": {
            camp: "soldier, miner, speaker", wood: "powermech", field: "harvester",
            "tundra-6-1": "soldier", "tundra-6-3": "soldier",
        },
        "lorium": 5,
    }  # fmt: skip
    foe = {"units": {"tundra-6-1": "soldier", "tundra-6-3": "soldier"}}
    tiles: dict[str | int, str] = {camp: "camp", field: "lorium"}
    t = scenario(
        engine,
        seat,
        foe,
        combats={"tundra-6-1": 0, "tundra-6-3": 1},
        tiles=tiles,
        control={camp: 1},
        marker=1,
    )
    t.turn(card)
    if card == "colony_ship":
        t.expect("MOVE_TO", 0)
        assert "done" not in t.options()
        assert t.player(0)["ship"] not in t.spaces()
        t.do("savannah-4-1")
    if card == "battle":
        t.expect("COMBAT", 0)
        assert t.options() == [f"space:{space('tundra-6-1')}", f"space:{space('tundra-6-3')}"]
        return
    asked = 0
    while t.kind != "BONUS":
        assert {"done", "no"} & set(t.options()), (t.kind, t.options())
        decline(t)
        asked += 1
    assert asked == {
        "recruit": 1, "upgrade": 1, "negotiate": 2, "soldiers": 2, "miners": 1, "speakers": 3,
        "powermechs": 1, "harvesters": 2, "colony_ship": 2,
    }[card]  # fmt: skip


@pytest.mark.rule("T4.7", "T4.9")
@pytest.mark.parametrize(
    ("card", "unit", "tile", "moves", "tremors"),
    [
        ("harvesters", "harvester", "lorium", ("done", "HERE"), 1),  # Harvest
        ("harvesters", "harvester", "explorable", ("done", "HERE"), 0),  # Scavenge
        ("harvesters", "harvester", "lorium", ("HERE", "HERE", "done"), 0),  # Move, no Harvest
        ("harvesters", "harvester", "plain", ("HERE", "HERE"), 0),  # Harvest is impossible
        ("powermechs", "powermech", "plain", ("HERE", "action:jumpjet", "tundra-4-2"), 1),
        ("powermechs", "powermech", "plain", ("HERE", "action:jumpjet", "HERE"), 1),  # a jump of no distance
        ("powermechs", "powermech", "plain", ("HERE", "action:move", "tundra-4-2"), 0),
        ("powermechs", "powermech", "plain", ("done",), 0),
        ("colony_ship", "soldier", "plain", ("savannah-4-1", "done"), 1),  # Stabilize
        (
            "colony_ship",
            "soldier",
            "plain",
            ("savannah-4-1", "savannah-4-1", "savannah-3-1"),
            1,
        ),  # and a Move
        ("upgrade", "soldier", "plain", ("HERE",), 1),  # Dropship Upgrade
        ("upgrade", "soldier", "plain", ("done",), 0),
        ("upgrade", "soldier", "camp", ("HERE",), 0),  # Standard Upgrade
        ("miners", "miner", "lorium", ("done", "HERE"), 0),
        ("miners", "miner", "explorable", ("done", "HERE"), 0),
        ("speakers", "speaker", "outpost", ("done", "HERE", "done"), 0),
        ("speakers", "speaker", "plain", ("done", "HERE", "unit:soldier"), 0),
        ("soldiers", "soldier", "settlement", ("HERE", "tundra-4-2"), 0),
    ],
)
def test_tremor_icons(
    engine: str, card: str, unit: str, tile: str, moves: tuple[str, ...], tremors: int
) -> None:
    """Harvest, Jumpjet Move, Stabilize and Dropship Upgrade cause a Tremor each time they are performed."""
    here = "tundra-4-1"
    t = scenario(
        engine,
        {"units": {here: unit}, "lorium": 5},
        tiles={here: tile},
        control={here: 0} if tile == "camp" else {},
    )
    t.turn(card).do(*(here if move == "HERE" else move for move in moves)).skip("BONUS")
    assert len(t.events("TREMOR")) == tremors
    assert t.snapshot()["cysmograph"]["stack"] == 4 + tremors


@pytest.mark.rule("T4.7")
def test_one_tremor_for_each_performance(engine: str) -> None:
    """Two Harvesters that Harvest cause two, one after the other."""
    a, b = "tundra-4-1", "tundra-4-2"
    t = scenario(engine, {"units": {a: "harvester", b: "harvester"}}, tiles={a: "lorium", b: "lorium"})
    icons = {action.name.lower() for action in t.game.content.tremor_actions}
    assert icons == {"harvest", "jumpjet", "stabilize", "dropship_upgrade"}
    t.turn("harvesters").do("done", a, b)
    assert [e[2] for e in t.events("TREMOR")] == [5, 6]


@pytest.mark.rule("T4.8", "RUL-T5")
def test_a_tremor_comes_before_the_next_unit(engine: str) -> None:
    """The Fracture of the first Harvest destroys the second Harvester before it can act."""
    a, b = "tundra-4-1", "tundra-5-1"
    t = scenario(
        engine,
        {"units": {a: "harvester", b: "harvester"}},
        tiles={a: "lorium", b: "lorium"},
        cysmograph={"singles": 4, "stack": 6},
        script={"fracture_token": ["tundra-5"]},
    )
    t.turn("harvesters").do("done", a).answer("ESCAPE", "done", seat=0)
    t.expect("BONUS", 0)
    assert t.player(0)["lorium"] == 3
    assert t.units(0, b) == [0] * 5


@pytest.mark.rule("T4.10")
def test_a_card_without_eligible_units_still_has_its_icons(engine: str) -> None:
    """No Section is asked, and the Bonus Action is there."""
    t = scenario(
        engine,
        {"units": {"tundra-4-1": "soldier"}},
        {"units": {"tundra-4-1": "soldier"}},
        combats={"tundra-4-1": 0},
    )
    t.turn("speakers").expect("BONUS", 0)
    assert {"bonus:resolve_combat", "bonus:two_lorium"} <= set(t.options())
    t.do("bonus:two_lorium")
    assert t.player(0)["lorium"] == 2


# ------------------------------------------------------------------ T5
def everything_possible(engine: str, column: int, card: str, **document: Any) -> Table:
    """Seat 0 of three is about to Play ``card`` in ``column``; every Bonus Action could be performed."""
    fight = "tundra-4-1"
    combat = card != "battle"  # the Battle card would resolve it
    unit = "soldiers" if card != "soldiers" else "miners"
    tactic = "recruit" if card != "recruit" else "upgrade"
    board = [[None, unit], [None, tactic], [None, None], [None, None]]
    mine = {"forest-4-1": "soldier", "wetlands-4-1": "miner", "wetlands-4-2": "soldier, speaker"}
    seat = {
        "units": {**mine, **({fight: "soldier"} if combat else {})},
        "lorium": 5,
        "captured": {1: "2 soldier"},
        "slots": [{"relic": "R05"}, None],
        "discovery": ["D20"],
        "board": board[: column - 1],
    }
    t = scenario(
        engine,
        seat,
        {"units": {fight: "soldier"} if combat else {}, "captured": {0: "soldier", 2: "soldier"}},
        {},
        round=column,
        marker=1,
        combats={fight: 0} if combat else {},
        tiles={"wetlands-4-1": "lorium"},
        **document,
    )
    return advance(advance(t, "BURN").turn(card), "BONUS")


@pytest.mark.rule("T5.1", "T5.2", "T5.3")
@pytest.mark.parametrize("column", range(1, 6))
@pytest.mark.parametrize("card", CARDS)
def test_bonus_actions_of_each_card_in_each_column(engine: str, card: str, column: int) -> None:
    """Two coloured ones of the current Column by the icons of the Played card, and the four grey ones."""
    t = everything_possible(engine, column, card)
    coloured = {CELLS[column][COLOUR_ORDER.index(colour)] for colour in ICONS[card]}
    assert len(coloured) == 2
    assert set(t.options()) == {"done", *(f"bonus:{cell}" for cell in coloured | set(GREY))}


@pytest.mark.rule("T5.2", "T5.3")
def test_icons_and_cells(engine: str) -> None:
    """Three icons on every card, one of them Grey; 25 coloured cells and 4 grey options make 29."""
    content = new_game(engine, 2).game.content
    for command in content.commands:
        icons = [icon.name.lower() for icon in command.icons]
        assert tuple(icons) == ICONS[command.card.name.lower()]
        assert len({*icons, "grey"}) == 3
    grid = {(spec.column, spec.icon.name.lower()): spec.bonus.name.lower() for spec in content.bonus}
    assert len({spec.bonus for spec in content.bonus}) == len(Bonus) == 29
    assert sorted(spec.bonus.name.lower() for spec in content.bonus if spec.column == 0) == sorted(GREY)
    for column, cells in CELLS.items():
        assert tuple(grid[column, colour] for colour in COLOUR_ORDER) == cells


@pytest.mark.rule("T-EX1", "T5.1")
def test_harvesters_in_the_third_turn(engine: str) -> None:
    """Red 003, Blue 003 or one of the four Grey options."""
    t = everything_possible(engine, 3, "harvesters")
    assert set(t.options()) == {
        "done", "bonus:capture_troop", "bonus:played_action",
        "bonus:play_card", "bonus:gain_card", "bonus:gain_blueprint", "bonus:construct",
    }  # fmt: skip


@pytest.mark.rule("T5.4", "T5.1")
def test_one_bonus_action_and_the_step_is_over(engine: str) -> None:
    """After it, or after declining, nothing more is asked."""
    t = scenario(engine).turn("speakers").answer("BONUS", "bonus:two_lorium", seat=0)
    assert t.player(0)["lorium"] == 2
    t.expect("BURN", 1)
    t = scenario(engine).turn("speakers").answer("BONUS", "done", seat=0).expect("BURN", 1)
    assert t.player(0)["lorium"] == 0


@pytest.mark.rule("T-EX4")
def test_the_harvesters_card(engine: str) -> None:
    """Move; Harvest with a Tremor or Scavenge; Red, Blue and Grey."""
    a, b = "tundra-4-1", "tundra-4-2"
    t = scenario(engine, {"units": {a: "harvester", b: "harvester"}}, tiles={a: "lorium", b: "explorable"})
    spec = next(c for c in t.game.content.commands if c.card.name == "HARVESTERS")
    assert len(spec.sections) == 2
    actions = [action for section in spec.sections for action in section.actions]
    assert len(actions) == 3
    assert sum(action in t.game.content.tremor_actions for action in actions) == 1
    t.turn("harvesters").do(a, a, b, b).do(a).do(b).expect("BONUS", 0)
    assert actions_done(t) == ["move", "move", "harvest", "scavenge"]
    assert len(t.events("TREMOR")) == 1


# ------------------------------------------------------------------ T6
@pytest.mark.rule("T6.1", "RUL-L2")
def test_one_launch_attempt_before_the_surplus(engine: str) -> None:
    """A failed attempt is not repeated in this turn; the surplus discard follows."""
    six = ["D19", "D20", "D21", "D22", "D23", "D24"]
    seat = {"modules": SIX, "blueprints": SIX, "units": {"tundra-4-1": "soldier"}, "discovery": six}
    t = scenario(engine, seat, script={"humanity_die": ["0"]})
    t.turn("harvesters").answer("BONUS", "done").expect("LAUNCH", 0)
    assert t.options() == ["yes", "no"]
    t.do("yes").answer("DISCARD_DISCOVERY", "card:D20", seat=0).expect("BURN", 1)
    assert [e[1:3] for e in t.events("LAUNCH")] == [(0, 0)]
    assert t.player(0)["launched"] is False
    # without the sixth Module there is no attempt
    t = scenario(engine, {**seat, "modules": SIX[:5]})
    t.turn("harvesters").answer("BONUS", "done").expect("DISCARD_DISCOVERY", 0)


# ------------------------------------------------------------------ T7
@pytest.mark.rule("T7.1", "T7.2")
@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"discovery": ["D19", "D20", "D21", "D22", "D23"]}, None),
        ({"discovery": ["D19", "D20", "D21", "D22", "D23", "D24"]}, "DISCARD_DISCOVERY"),
        ({"relics": ["R05", "R06", "R07", "R08", "R09"]}, None),
        ({"relics": ["R05", "R06", "R07", "R08", "R09", "R10"]}, "DISCARD_RELIC"),
        ({"relics": ["R05", "R06", "R07"], "slots": [{"relic": "R08"}, {"relic": "R09"}]}, None),
        (
            {"relics": ["R05", "R06", "R07", "R10"], "slots": [{"relic": "R08"}, {"relic": "R09"}]},
            "DISCARD_RELIC",
        ),
        ({"captured": {1: "10 soldier, 2 miner"}}, None),
        ({"captured": {1: "10 soldier, 3 miner"}}, "DISCARD_CAPTIVE"),
        ({"captured": {1: "2 powermech, 2 harvester, 4 soldier"}}, None),
        ({"captured": {1: "2 powermech, 2 harvester, 5 soldier"}}, "DISCARD_CAPTIVE"),
    ],
)
@pytest.mark.parametrize("active", [0, 1])
def test_limits_at_the_end_of_every_turn(
    engine: str, changes: dict[str, Any], kind: str | None, active: int
) -> None:
    """Nothing is asked during the turn; at its end whoever exceeds a limit discards."""
    t = scenario(engine, {**changes}, current_player=active, first_player=active)
    t.turn("battle").skip("BONUS")
    assert not any(DecisionKind(e[2]).name.startswith("DISCARD") for e in t.events("CHOICE"))
    before = t.player(0)
    assert {k: before[k] for k in ("discovery", "relics")} == {
        k: changes.get(k, []) for k in ("discovery", "relics")
    }
    t.do("done").skip(kind or "BURN")
    if kind:
        t.expect(kind, 0)
        assert "done" not in t.options()
        t.state.apply_action(t.state.legal_actions()[0])
        assert t.kind != kind
    else:
        assert t.seat == 1 - active


@pytest.mark.rule("T7.1", "T7.2", "I2.4")
@pytest.mark.parametrize("active", [0, 1])
def test_lorium_above_the_capacity_is_lost_at_the_end(engine: str, active: int) -> None:
    """Without a question, not before the end of the turn, and nothing of what is stored in a slot."""
    seat = {"lorium": 9, "slots": [{"lorium": 3}, None]}
    t = scenario(engine, seat, current_player=active, first_player=active)
    t.skip("BURN").turn("battle").skip("BONUS")
    assert t.player(0)["lorium"] == 9
    t.do("done").skip("BURN")
    assert t.seat == 1 - active
    assert t.player(0)["lorium"] == 5
    assert t.player(0)["slots"][0] == {"lorium": 3}


@pytest.mark.rule("T7.1", "G3.4")
def test_slots_bind_at_all_times(engine: str) -> None:
    """A third Active Relic Card needs a slot to be cleared first, in the middle of the turn."""
    t = scenario(engine, {"relics": ["R05"], "slots": [{"relic": "R06"}, {"relic": "R07"}]})
    t.answer("RELIC_WINDOW", "card:R05", seat=0).expect("CLEAR_SLOT", 0)
    assert t.options() == ["slot:0", "slot:1"]
    t.do("slot:1")
    assert t.player(0)["slots"] == [{"relic": "R06"}, {"relic": "R05"}]
    assert t.player(0)["relics"] == []
    assert t.snapshot()["relics"]["discard"] == ["R07"]


@pytest.mark.rule("T7.3", "B2.4", "U1.3")
def test_surplus_captives_go_to_their_owners(engine: str) -> None:
    """Their holder picks; the Unit is in its owner's Reserve again."""
    t = scenario(
        engine, {"captured": {1: "9 soldier", 2: "4 miner"}}, {"units": {"tundra-4-1": "soldier"}}, {}
    )
    t.turn("battle").answer("BONUS", "done").expect("DISCARD_CAPTIVE", 0)
    assert set(t.options()) == {"captive:1:soldier", "captive:2:miner"}
    t.do("captive:1:soldier").expect("BURN", 1)
    assert t.captured(0, 1) == [8, 0, 0, 0, 0]
    assert t.captured(0, 2) == [0, 4, 0, 0, 0]
    assert [e[1:4] for e in t.events("RELEASE")] == [(0, 1, 0)]
    t.turn("recruit").answer("RECRUIT_TYPE", "unit:soldier", seat=1).expect("RECRUIT_TYPE", 1)
    assert "unit:soldier" not in t.options()  # one in Reserve, and that one is chosen


@pytest.mark.rule("T7.4", "T7.3", "RUL-T9", "RUL-T11")
def test_order_of_the_surplus_discards(engine: str) -> None:
    """Active player first, then clockwise; each: Discovery, Relic, Lorium, Captured Units."""
    cards = [f"D{n}" for n in range(19, 37)]
    relics = [
        "R05",
        "R06",
        "R07",
        "R08",
        "R09",
        "R10",
        "R12",
        "R14",
        "R15",
        "R16",
        "R17",
        "R18",
        "R19",
        "R20",
    ]
    relics += ["R21", "R22", "R24", "R25"]
    held = [{1: "7 soldier", 2: "6 miner"}, {2: "7 soldier", 0: "6 miner"}, {0: "7 soldier", 1: "6 miner"}]
    seats = [
        {
            "discovery": cards[6 * s : 6 * s + 6], "relics": relics[6 * s : 6 * s + 6], "lorium": 7,
            "captured": held[s],
        }
        for s in range(3)
    ]  # fmt: skip
    t = scenario(engine, *seats, first_player=1, current_player=1)
    advance(t, "BURN").turn("battle")
    advance(t, "BONUS").do("done")
    advance(t, "DISCARD_DISCOVERY")
    for seat in (1, 2, 0):
        t.expect("DISCARD_DISCOVERY", seat)
        assert set(t.options()) == {f"card:{card}" for card in seats[seat]["discovery"]}
        t.do(t.options()[2]).expect("DISCARD_RELIC", seat)
        assert set(t.options()) == {f"card:{card}" for card in seats[seat]["relics"]}
        assert t.player(seat)["lorium"] == 7
        t.do(t.options()[0]).expect("DISCARD_CAPTIVE", seat)
        assert t.player(seat)["lorium"] == 5
        t.do(t.options()[0])
    assert t.seat == 2
    assert t.kind == "RELIC_WINDOW"


@pytest.mark.rule("T7.5", "RUL-T19", "B5.4")
def test_surplus_goes_one_item_at_a_time(engine: str) -> None:
    """One cell, a Vehicle, three Troops: Troop, Troop, Vehicle is one way, the Vehicle at first another."""
    five = SIX[:5]
    seat = {"modules": five, "blueprints": five, "captured": {1: "3 soldier, powermech"}}
    t = scenario(engine, seat).turn("battle").answer("BONUS", "done")
    for give in ("captive:1:soldier", "captive:1:soldier", "captive:1:powermech"):
        t.expect("DISCARD_CAPTIVE", 0)
        assert set(t.options()) == {"captive:1:soldier", "captive:1:powermech"}
        t.do(give)
    t.expect("BURN", 1)
    assert t.captured(0, 1) == [1, 0, 0, 0, 0]

    t = (
        scenario(engine, seat)
        .turn("battle")
        .answer("BONUS", "done")
        .answer("DISCARD_CAPTIVE", "captive:1:powermech")
    )
    t.expect("BURN", 1)  # forced: one Soldier of three more, without a question
    assert t.captured(0, 1) == [2, 0, 0, 0, 0]

    cards = ["D19", "D20", "D21", "D22", "D23", "D24", "D25", "D26"]
    t = scenario(engine, {"discovery": cards}).turn("battle").answer("BONUS", "done")
    for left in (8, 7, 6):
        t.expect("DISCARD_DISCOVERY", 0)
        assert len(t.options()) == left
        t.do(t.options()[-1])
    assert t.player(0)["discovery"] == cards[:5]
    t.expect("BURN", 1)


# ------------------------------------------------------------------ T8
@pytest.mark.rule("T8.1", "RUL-T17", "A6.2")
@pytest.mark.parametrize("burn", ["speakers", "colony_ship"])
def test_activating_a_unit(engine: str, burn: str) -> None:
    """A Motivated Speaker: one Action of each Section, be its card Burned or in hand."""
    camp = "savannah-4-1"
    t = scenario(engine, {"units": {"tundra-4-1": "miner"}}, tiles={camp: "camp"})
    t.turn("recruit", burn).do("unit:speaker", "unit:speaker")
    t.answer("DEPLOY_SPACE", camp, camp).answer("ACT_SPACE", camp)
    for action in ("move", "persuade", "promote"):
        t.expect("ACT_ACTION", 0)
        assert t.options() == ["done", f"action:{action}"]
        t.do(f"action:{action}")
        if action == "move":
            t.answer("MOVE_TO", camp)
    assert t.controller(camp) == 0
    t.answer("PROMOTE_SPACE", "tundra-4-1").answer("PROMOTE_TO", "unit:soldier")
    t.expect("BONUS", 0)  # the other Recruited Speaker is not Activated


@pytest.mark.rule("T8.1")
def test_one_action_of_a_section_when_activated(engine: str) -> None:
    """A Powermech that was Started up walks or jumps, not both."""
    t = scenario(engine, {"units": {"savannah-4-1": "soldier"}, "lorium": 3}).turn("upgrade")
    t.answer("UPGRADE_SPACE", "savannah-4-1").answer("ACT_SPACE", "savannah-4-1").expect("ACT_ACTION", 0)
    assert t.options() == ["done", "action:move", "action:jumpjet"]
    t.do("action:move").answer("MOVE_TO", "savannah-5-1").expect("BONUS", 0)


@pytest.mark.rule("T8.2", "A6.4")
@pytest.mark.parametrize("harvest", [True, False])
def test_declining_and_tremors_of_an_activated_unit(engine: str, harvest: bool) -> None:
    """Each Section may be declined; Harvesting causes its Tremor."""
    field = "savannah-4-1"
    t = scenario(engine, {"units": {field: "miner"}, "lorium": 1}, tiles={field: "lorium"}).turn("upgrade")
    t.answer("UPGRADE_SPACE", field).answer("ACT_SPACE", field).answer("ACT_ACTION", "done")
    t.expect("ACT_ACTION", 0)
    assert t.options() == ["done", "action:harvest"]
    t.do("action:harvest" if harvest else "done").expect("BONUS", 0)
    assert len(t.events("TREMOR")) == harvest
    assert t.player(0)["lorium"] == 3 * harvest


@pytest.mark.rule("T8.2", "U4.3", "RUL-R9")
def test_a_locked_unit_cannot_be_activated(engine: str) -> None:
    """Of two Deployed Soldiers the one that started a Combat cannot be Motivated."""
    foe, free = "savannah-4-1", "savannah-5-2"
    t = (
        scenario(engine, {}, {"units": {foe: "miner"}})
        .turn("recruit")
        .do("unit:soldier", "unit:soldier", "done")
    )
    t.answer("DEPLOY_SPACE", foe).answer("DEPLOY_SPACE", free).expect("ACT_SPACE", 0)
    assert t.options() == ["done", f"space:{space(free)}"]
    t = scenario(engine, {}, {"units": {foe: "miner"}}).turn("recruit").do("unit:soldier", "done")
    t.answer("DEPLOY_SPACE", foe).expect("BONUS", 0)


@pytest.mark.rule("T8.3", "T8.4", "N5.2")
def test_reactivating_a_unit_card(engine: str) -> None:
    """A face-up card is resolved as a whole again, without Locked Units and without another Bonus Action."""
    field, fight = "tundra-4-1", "tundra-6-1"
    board = [["soldiers", "miners"], ["speakers", "recruit"], ["negotiate", "battle"], [None, None]]
    t = scenario(
        engine,
        {"units": {field: "miner", fight: "miner"}, "board": board},
        {"units": {fight: "soldier"}},
        combats={fight: 1},
        tiles={field: "lorium", fight: "lorium"},
        round=5,
    )
    t.turn("harvesters", "upgrade").answer("BONUS", "bonus:reactivate_unit", seat=0)
    # of the face-up Unit cards, Harvesters is this turn's; Soldiers and Speakers are Burned
    t.expect("ACT_SPACE", 0)
    assert t.spaces() == {space(field)}
    t.do(field, field).answer("ACT_SPACE", field)
    assert t.player(0)["lorium"] == 1
    t.expect("BURN", 1)


@pytest.mark.rule("T8.3", "T8.4", "N4.2")
def test_reactivating_a_tactic_card(engine: str) -> None:
    """In Column 004, Blue: a face-up Tactic card, not a Burned one, not this turn's."""
    board = [["battle", "recruit"], ["soldiers", "miners"], ["speakers", "powermechs"]]
    t = scenario(engine, {"board": board}, round=4, marker=1).turn("negotiate").skip("BONUS")
    t.do("bonus:reactivate_tactic").expect("RECRUIT_TYPE", 0)  # Recruit is the only one
    t.do("unit:soldier", "done").answer("DEPLOY_SPACE", "savannah-4-1").answer("ACT_SPACE", "done").expect(
        "BURN", 1
    )
    assert t.units(0, "savannah-4-1") == [1, 0, 0, 0, 0]
    t = (
        scenario(engine, {"board": [["recruit", "miners"]]}, round=4, marker=1)
        .turn("negotiate")
        .skip("BONUS")
    )
    assert "bonus:reactivate_tactic" not in t.options()


@pytest.mark.rule("T8.5", "T8.3", "RUL-T15")
def test_stabilize_is_compulsory_in_a_reactivated_ship_card(engine: str) -> None:
    """The whole card again, and again the Ship has to go."""
    board = [
        ["battle", "colony_ship"],
        ["soldiers", "recruit"],
        ["miners", "negotiate"],
        ["speakers", "powermechs"],
    ]
    t = (
        scenario(engine, {"board": board}, round=5)
        .turn("harvesters")
        .answer("BONUS", "bonus:reactivate_unit", seat=0)
    )
    t.answer("COMMAND_CARD", "command:colony_ship").expect("MOVE_TO", 0)
    assert "done" not in t.options()
    assert space("savannah-4-2") not in t.spaces()
    t.do("savannah-4-1")
    assert t.tile("savannah-4-2") == "none"
    assert len(t.events("TREMOR")) == 1
    t.answer("ACT_SPACE", "done").expect("BURN", 1)


@pytest.mark.rule("T8.5", "RUL-T15", "RUL-N9")
def test_one_action_of_the_ship_card_does_not_compel(engine: str) -> None:
    """Blue 003 with the Ship's Move: no Stabilize, no Tremor, and even that may be declined."""
    t = scenario(engine, {"board": [["battle", "colony_ship"]]}, round=3).turn("harvesters")
    t.answer("BONUS", "bonus:played_action", seat=0)
    t.expect("COMMAND_ACTION", 0)  # the only face-up card with an Action that is possible
    assert t.options() == ["action:stabilize", "action:ship_move"]
    t.do("action:ship_move").answer("ACT_SPACE", "savannah-4-2").answer("MOVE_TO", "savannah-4-1").expect(
        "BURN", 1
    )
    assert t.tile("savannah-4-2") == "plain"
    assert t.events("TREMOR") == []


# ------------------------------------------------------------------ T9
@pytest.mark.rule("T9.1", "K4.5", "K4.7", "D2.2")
@pytest.mark.parametrize(("die", "targets"), [("2", 4), ("1", 2)])
def test_all_effects_on_a_die_combine(engine: str, die: str, targets: int) -> None:
    """Strike Die +1, Shield -1 and a card +2 on one die: 2 becomes 4 (Soldier or Speaker), 1 becomes 3."""
    here = "tundra-4-1"
    t = scenario(
        engine,
        {"units": {here: "soldier"}, "discovery": ["D23"]},
        {"units": {here: "soldier, speaker"}},
        combats={here: 0},
        script={"attacker_strike_die": ["+1"], "red_die": [die]},
    )
    assert next(card.modifier for card in t.game.content.discovery if card.id == "D23") == 2
    t.turn("battle").answer("STRIKE_OR_FLEE", "strike", seat=0).answer("SHIELD_DIE", "die:0", seat=1)
    t.answer("MODIFIER_CARD", "card:D23", seat=0).expect("HITS", 0)
    # hits:1 the Soldier (Health 4), hits:2 the Speaker (Health 3)
    assert t.options() == (["hits:0", "hits:1", "hits:2"] if targets == 4 else ["hits:0", "hits:2"])


@pytest.mark.rule("T9.2", "T9.3", "RUL-D7")
def test_simultaneous_choices_start_with_the_active_player(engine: str) -> None:
    """In a Collapse that concerns everybody the active player escapes first, then the others clockwise."""
    ships = ["savannah-4-1", "forest-4-1", "rocky-4-1"]
    spots = ["tundra-5-0", "tundra-5-2", "tundra-5-4"]
    t = scenario(
        engine,
        *({"ship": ship, "units": {spot: "miner"}} for ship, spot in zip(ships, spots, strict=True)),
        first_player=1,
        current_player=1,
        cysmograph={"singles": 3, "stack": 6},
        script={"fracture_token": ["tundra-5"]},
    )
    t.turn("colony_ship").answer("MOVE_TO", "forest-4-2")
    for seat in (1, 2, 0):
        t.answer("ESCAPE", "done", seat=seat)
    assert all(t.player(seat)["units"] == [] for seat in range(3))


@pytest.mark.rule("T9.4", "N5.1")
def test_any_means_everybodys(engine: str) -> None:
    """Red 005 offers a Combat of two other players as well as the own one."""
    a, b = "tundra-4-1", "tundra-6-1"
    t = scenario(
        engine,
        {"units": {a: "soldier"}},
        {"units": {a: "soldier", b: "soldier"}},
        {"units": {b: "soldier"}},
        combats={a: 0, b: 2},
        round=5,
    )
    t.turn("soldiers").answer("BONUS", "bonus:any_combat", seat=0).expect("COMBAT", 0)
    assert t.spaces() == {space(a), space(b)}
    t.do(b).expect("STRIKE_OR_FLEE", 2)


@pytest.mark.rule("T9.5", "K4.9")
def test_before_modifiers(engine: str) -> None:
    """All dice are rolled before Shields are asked, and Shields before Discovery Cards."""
    here = "tundra-4-1"
    t = scenario(
        engine,
        {"units": {here: "2 soldier"}, "discovery": ["D23"]},
        {"units": {here: "speaker"}},
        combats={here: 0},
        script={"attacker_strike_die": ["reroll yellow"], "red_die": ["4", "2"]},
    )
    t.turn("battle").answer("STRIKE_OR_FLEE", "strike", seat=0).expect("SHIELD_DIE", 1)
    rolled = [e[2] for e in t.events("CHANCE")]
    assert rolled == [ChanceKind.ATTACKER_STRIKE_DIE, ChanceKind.RED_DIE, ChanceKind.RED_DIE]
    t.do("done").expect("MODIFIER_CARD", 0)


@pytest.mark.rule("T9.6", "N3.3", "U4.4")
def test_a_specific_effect_overrides_a_general_rule(engine: str) -> None:
    """Yellow 003 promotes a Locked Troop, which the Speakers card cannot."""
    here = "tundra-4-1"
    t = scenario(
        engine,
        {"units": {here: "miner", "tundra-6-2": "speaker"}},
        {"units": {here: "soldier"}},
        combats={here: 1},
        round=3,
    )
    t.turn("soldiers").answer("BONUS", "bonus:promote", seat=0).expect("PROMOTE_SPACE", 0)
    assert t.spaces() == {space(here), space("tundra-6-2")}


@pytest.mark.rule("T9.7", "RUL-T6", "RUL-N2", "G3.3")
@pytest.mark.parametrize("holding", [{"relics": ["R05"]}, {"slots": [None, {"lorium": 2}]}])
def test_windows_of_the_own_turn(engine: str, holding: dict[str, Any]) -> None:
    """Before Reclaim, after Playing, before later Sections, before Bonus Action and Launch."""
    t = scenario(engine, {**holding, "units": {"tundra-4-1": "speaker"}})
    kinds = []
    while t.seat == 0:
        if t.kind == "PLAY":
            kinds.append("PLAY")
            t.do("command:speakers")
        else:
            kinds.append(decline(t))
    assert kinds == [
        "RELIC_WINDOW", "BURN", "PLAY",
        "RELIC_WINDOW", "ACT_SPACE",  # Move
        "RELIC_WINDOW",  # Persuade is impossible here
        "RELIC_WINDOW", "ACT_SPACE",  # Field Promote
        "RELIC_WINDOW", "BONUS",
        "RELIC_WINDOW",  # Launch
    ]  # fmt: skip
    t.expect("BURN", 1)


@pytest.mark.rule("T9.7", "RUL-T6")
def test_windows_around_a_tactic_card_and_an_idle_one(engine: str) -> None:
    """One before each Section of Negotiate; only one after Playing a card without effect."""
    for card, windows in (("negotiate", 4), ("harvesters", 1)):
        t = scenario(engine, {"relics": ["R05"]}, marker=1)
        t.answer("RELIC_WINDOW", "done", seat=0).turn(card)
        before = 0
        while t.kind != "BONUS":
            before += decline(t) == "RELIC_WINDOW"
        assert before == windows + 1  # and the one before the Bonus Action


@pytest.mark.rule("T9.7", "G3.3", "G3.1")
def test_a_relic_can_be_activated_when_it_is_gained(engine: str) -> None:
    """At the moment of gaining only the new card is offered; with nothing to do no window is asked."""
    seat = {"relics": ["R05"]}
    t = scenario(engine, seat, round=3, relics={"draw": ["R06", "R07"]})
    t.answer("RELIC_WINDOW", "done").turn("speakers").skip("BONUS").do("bonus:gain_relic")
    t.answer("KEEP_RELIC", "card:R07", seat=0).expect("RELIC_WINDOW", 0)
    assert t.options() == ["done", "card:R07"]
    t.do("card:R07")
    assert t.player(0)["slots"] == [{"relic": "R07"}, None]
