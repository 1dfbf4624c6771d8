"""The interpreter of programs on small tables (docs/cards.md, sections 1 to 4)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from effect_bench import Bench, modifiers
from scenario import space

from cysmic_fast.content.effect_words import Duration, Kind, Trigger
from cysmic_fast.reference.frame import Happening, group_of
from cysmic_fast.reference.grants import give
from cysmic_fast.reference.model import Doom
from cysmic_fast.vocabulary import CommandCard, UnitType

A, B, C, D = "tundra-5-1", "tundra-5-2", "tundra-5-3", "rocky-5-1"

LORIUM = {"do": "gain", "res": "lorium", "n": 1}
CARD = {"do": "gain", "res": "discovery", "n": 1}
OWN = {"owner": "self", "type": "troop", "state": "unlocked"}
FOE = {"owner": "enemy", "type": "troop", "state": "unlocked"}


def lorium(bench: Bench) -> list[int]:
    return [p.lorium for p in bench.table.players]


# ---------------------------------------------------------------------- programs
def test_as_often_as_it_can() -> None:
    """V1.1: without ``upto`` n times or as often as possible; the program goes on."""
    bench = Bench({}, {"units": {A: "2 soldier"}}).run(
        [{"do": "destroy", "units": FOE, "n": 5}, {**LORIUM, "n": "$n"}],
    )
    assert bench.units(1, A) == []
    assert lorium(bench) == [2, 0]


def test_a_must_ends_the_list() -> None:
    """V1.1: a ``must`` step that cannot be done in full ends it, nothing of the step is done."""
    bench = Bench({}, {"units": {A: "2 soldier"}})
    bench.run([LORIUM, {"do": "destroy", "units": FOE, "n": 3, "must": True}, LORIUM])
    assert bench.units(1, A) == ["soldier", "soldier"]
    assert lorium(bench) == [1, 0]


def test_the_end_of_a_list_is_not_the_end_of_the_program() -> None:
    """An item whose list ends early does not stop the others, nor what comes after ``each``."""
    each = {
        "do": "each",
        "over": "all",
        "run": [
            {"do": "pay", "who": "$player", "res": "lorium", "n": 2},
            {"do": "gain", "who": "$player", "res": "lorium", "n": 5},
        ],
    }
    bench = Bench({"lorium": 1}, {"lorium": 2}, {"lorium": 0}).run([each, LORIUM])
    assert lorium(bench) == [2, 5, 0]


def test_opt_is_asked_once_and_only_if_possible() -> None:
    """An ``opt`` step that is not possible is passed over without asking; the program goes on."""
    step = {"do": "pay", "res": "lorium", "n": 3, "opt": True}
    bench = Bench({"lorium": 2}, {}).run([step, LORIUM])
    assert bench.kinds == []
    assert lorium(bench) == [3, 0]
    bench.run([step, LORIUM], "no")
    assert bench.asked == [("OPTIONAL_STEP", 0, ["yes", "no"])]
    assert lorium(bench) == [4, 0]


def test_startable_is_the_head() -> None:
    """V1.2: up to the first step that is not pay, pick, grant or must; nothing later is tested."""
    bench = Bench({"lorium": 2}, {"units": {A: "soldier"}})
    pay = {"do": "pay", "res": "lorium", "n": 2}
    destroy = {"do": "destroy", "units": {**FOE, "at": {"feature": "camp"}}, "n": 1}
    assert bench.startable([pay, LORIUM, destroy])
    assert not bench.startable([pay, destroy, LORIUM])
    assert not bench.startable([{"do": "pay", "res": "lorium", "n": 3}, LORIUM])
    assert not bench.startable([{**LORIUM, "must": True}, {"do": "reclaim", "from": "any"}])
    assert bench.startable([LORIUM, {"do": "reclaim", "from": "any"}])


def test_each_step_of_the_head_is_tested_by_itself() -> None:
    """V1.2: two payments that are possible one by one start a program that fizzles."""
    bench = Bench({"lorium": 2}, {})
    pay = {"do": "pay", "res": "lorium", "n": 2}
    assert bench.startable([pay, pay, CARD])
    bench.run([pay, pay, CARD])
    assert lorium(bench) == [0, 0]
    assert not bench.table.players[0].discovery


def test_pick_offers_what_leaves_the_head_possible() -> None:
    """V1.2: spaces from which the next step can be done."""
    pick = {"do": "pick", "what": "space", "from": {"holds": {"owner": "any", "type": "unit"}}}
    destroy = {"do": "destroy", "units": {"owner": "any", "type": "miner", "at": "$space"}, "n": 1}
    bench = Bench({"units": {A: "miner", B: "soldier"}}, {"units": {D: "miner"}})
    bench.run([pick, destroy], f"space:{A}")
    assert bench.asked == [("PICK_SPACE", 0, [f"space:{s}" for s in sorted((space(A), space(D)))])]
    assert not Bench({"units": {B: "soldier"}}, {}).startable([pick, destroy])


def test_a_register_filled_by_the_head_counts_as_possible() -> None:
    """V1.2: what only an earlier step will tell is not looked into; what ``pick`` fills is tried."""
    gain = {"do": "lose", "who": "each_opponent", "res": "lorium", "n": "$n"}
    bench = Bench({"lorium": 1}, {})
    assert bench.startable([{"do": "pay", "res": "lorium", "n": 1}, gain])
    assert not bench.startable([{"do": "pay", "res": "lorium", "n": 1}, {**gain, "n": 1}])


def test_several_performers_in_order() -> None:
    """V1.5, V3.1: each_opponent clockwise after self, all clockwise from the active player."""
    lose = {"do": "lose", "res": "discovery", "n": 1, "by": "owner"}
    bench = Bench({}, {}, {}, current_player=1, first_player=1)
    for seat in range(3):
        bench.hold(seat, ["D01", "D02"] if seat == 0 else ["D02", "D03"] if seat == 1 else ["D04", "D05"])
    bench.run([{**lose, "who": "each_opponent"}], "card:D02", "card:D04", seat=0)
    assert [seat for _, seat, _ in bench.asked] == [1, 2]
    plain = [d for d in bench.table.discovery.draw if not bench.game.content.discovery[d].event]
    bench.table.discovery.draw = plain
    bench.run([{**CARD, "who": "all"}], seat=2)
    draws = [e[1] for e, _ in bench.table.events if e[0] == 5]
    assert draws == [1, 2, 0]


def test_one_player_is_chosen_before_the_step() -> None:
    """13.2: PICK_PLAYER of self among those for whom the step is possible, before OPTIONAL_STEP."""
    step = {"do": "steal", "res": "lorium", "n": 2, "from": "opponent", "opt": True}
    bench = Bench({}, {"lorium": 3}, {}, {"lorium": 1}).run([step], "player:3", "yes")
    assert bench.asked[0] == ("PICK_PLAYER", 0, ["player:1", "player:3"])
    assert lorium(bench) == [1, 3, 0, 0]
    assert bench.frame.regs.player == 3
    assert bench.frame.regs.n == 1


def test_nobody_for_a_word() -> None:
    """Without anybody possible nothing is asked and nothing is done."""
    bench = Bench({}, {}, {}).run([{"do": "steal", "res": "lorium", "n": 2, "from": "opponent"}, LORIUM])
    assert bench.asked == []
    assert lorium(bench) == [1, 0, 0]


# ---------------------------------------------------------------------- flow
def test_choose_offers_startable_options() -> None:
    """V1.3: an option needs a startable program; one option is no choice (V1.9)."""
    options = [[{"do": "pay", "res": "lorium", "n": 9}, CARD], [LORIUM], [{"do": "reclaim", "from": "any"}]]
    bench = Bench({}, {}).run([{"do": "choose", "options": options}])
    assert bench.asked == []
    assert lorium(bench) == [1, 0]
    bench.run([{"do": "choose", "options": [[LORIUM], [CARD], options[0]]}], "option:1")
    assert bench.asked == [("CHOOSE", 0, ["option:0", "option:1"])]


def test_if_and_metrics() -> None:
    """Section 3: all keys given hold."""
    rich: dict[str, Any] = {"metric": "lorium", "op": ">=", "value": 2}
    program = [{"do": "if", "cond": rich, "then": [CARD], "else": [LORIUM]}]
    bench = Bench({"lorium": 0}, {}).run(program)
    assert lorium(bench) == [1, 0]
    bench.run(program).run(program)
    assert len(bench.table.players[0].discovery) == 1
    empty = {"exists": {"owner": "enemy", "type": "unit"}, "max": 0}
    bench.run([{"do": "if", "cond": {**rich, **empty}, "then": [LORIUM]}])
    assert lorium(bench) == [3, 0]


def test_each_over_units() -> None:
    """4.2: by space, owner, type; as many as match on arrival, while one is still there."""
    run = [{"do": "destroy", "units": "$unit", "n": 1}, {"do": "gain", "res": "lorium", "n": 1}]
    over = {"units": {"owner": "any", "type": "troop", "at": {"ring": [5, 5]}}}
    bench = Bench({"units": {A: "2 soldier, miner"}}, {"units": {D: "speaker"}})
    bench.run([{"do": "each", "over": over, "run": run}])
    assert lorium(bench) == [4, 0]
    assert bench.units(0, A) == bench.units(1, D) == []
    assert bench.frame.regs.unit is None
    assert bench.frame.regs.space is None


def test_each_asks_for_each_item() -> None:
    """With ``n`` each item is asked for until n were taken."""
    over = {"units": {"owner": "self", "type": "troop"}}
    step = {"do": "each", "over": over, "n": 1, "run": [{"do": "confuse", "units": "$unit", "n": 1}]}
    bench = Bench({"units": {A: "2 soldier", B: "miner"}}, {}).run([step], "no", "yes")
    assert bench.kinds == ["EACH_ITEM", "EACH_ITEM"]
    assert bench.units(0, A) == ["soldier", "soldier?"]


def test_each_over_spaces_keeps_its_list() -> None:
    """The list is judged with the registers as they were when ``each`` began."""
    pick = {"do": "pick", "what": "space", "from": {"holds": {"owner": "self", "type": "unit"}}}
    near = {"near": {"space": "$space", "min": 1, "max": 1}, "holds": {"owner": "enemy", "type": "unit"}}
    run = [{"do": "destroy", "units": {"owner": "enemy", "type": "troop", "at": "$space"}, "n": 1}]
    bench = Bench({"units": {B: "soldier"}}, {"units": {A: "miner", C: "miner"}})
    bench.run([pick, {"do": "each", "over": {"space": near}, "run": run}])
    assert bench.units(1, A) == bench.units(1, C) == []


def test_an_empty_register_skips_a_step() -> None:
    """V2.3: skipped without changing a register; a ``pay`` ends the list."""
    event = Happening(Trigger.COMBAT_START, 0, space=space(A))  # self is the cause, nobody is affected
    bench = Bench({"lorium": 5}, {"lorium": 5})
    bench.run([{"do": "steal", "res": "lorium", "n": 1, "from": "$player"}, LORIUM], event=event)
    assert lorium(bench) == [6, 5]
    bench.run([{"do": "pay", "res": "lorium", "n": 1, "to": "$player"}, LORIUM], event=event)
    assert lorium(bench) == [6, 5]


def test_roll_is_the_highest() -> None:
    """4.2: no modifier applies."""
    bench = Bench({}, {}, script={"red_die": ["2", "5", "3"]})
    give(bench.table, 0, 0, modifiers({"mod": "die_value", "n": 3}), Duration.TURN)
    bench.run([{"do": "roll", "dice": "red", "n": 3}])
    assert bench.frame.regs.n == 5


# ---------------------------------------------------------------------- goods
def test_pay_any_mixes_resources() -> None:
    """4.2: piece by piece; pieces chosen are not offered again; all change hands at once."""
    bench = Bench({"lorium": 1, "captured": {1: "soldier"}}, {}, {})
    bench.hold(0, ["D01"])
    step = {"do": "pay", "res": "any", "n": 3, "to": "$player"}
    bench.run(
        [{"do": "pick", "what": "player", "from": "opponent"}, step],
        "player:2",
        "resource:discovery",
        "resource:captive",
    )
    third = bench.table.players[2]
    assert (third.lorium, len(third.discovery), len(bench.table.captives(2))) == (1, 1, 1)
    assert bench.frame.regs.n == 3


def test_pay_needs_it_all() -> None:
    """4.2: all or nothing."""
    bench = Bench({"lorium": 1}, {})
    assert not bench.startable([{"do": "pay", "res": "any", "n": 2}, CARD])
    bench.hold(0, ["D01"])
    assert bench.startable([{"do": "pay", "res": "any", "n": 2}, CARD])


def test_hostages_go_to_each_payee() -> None:
    """4.2: n Unlocked own Troops to each; no Confused, no Locked ones."""
    bench = Bench({"units": {A: "2 soldier", B: "miner"}}, {"units": {B: "soldier"}}, {}, combats={B: 0})
    step = {"do": "pay", "res": "hostage", "n": 1, "to": "each_opponent"}
    assert bench.startable([step])
    bench.unit(0, A, "soldier").confused = True
    assert not bench.startable([step])
    bench.unit(0, A, "soldier").confused = False
    bench.run([step])
    assert [len(bench.table.captives(s)) for s in range(3)] == [0, 1, 1]


def test_lose_takes_from_the_track_only() -> None:
    """4.3: stored Lorium is safe; $n is what was lost."""
    bench = Bench({}, {"lorium": 1, "slots": [{"lorium": 3}, None]})
    bench.run([{"do": "lose", "who": "each_opponent", "res": "lorium", "n": 3}])
    assert bench.table.players[1].total_lorium == 3
    assert bench.frame.regs.n == 1


def test_immunity_stands_against_others_only() -> None:
    """V1.8: the owner's own effects are not kept off; "all" passes over immune players."""
    bench = Bench({"lorium": 2}, {"lorium": 2}, {"lorium": 2})
    for seat in (0, 1):
        give(bench.table, seat, seat, modifiers({"mod": "immune", "from": ["lose", "steal"]}), Duration.TURN)
    bench.run([{"do": "lose", "who": "all", "res": "lorium", "n": 1}])
    assert lorium(bench) == [1, 2, 1]
    bench.run([{"do": "steal", "res": "lorium", "n": 1, "from": "each_opponent"}])
    assert lorium(bench) == [2, 2, 0]


def test_random_cards_are_drawn_by_chance() -> None:
    """13.3: RANDOM_CARD in design order, scripted by id."""
    bench = Bench({}, {}, script={"random_card": ["D05"]})
    bench.hold(1, ["D01", "D05", "D09"])
    bench.run([{"do": "steal", "res": "discovery", "n": 1, "from": "opponent"}])
    ids = [bench.game.content.discovery[d].id for d in bench.table.players[0].discovery]
    assert ids == ["D05"]


@pytest.mark.parametrize(
    ("rest", "choices", "top", "bottom"),
    [
        ("bottom", [], [], [1, 2]),
        ("any", ["option:1", "option:0"], [2], [1]),
        ("any", ["option:0", "option:0"], [1, 2], []),
        ("sift", ["option:0", "option:1"], [1], []),
        ("discard", [], [], []),
    ],
)
def test_scry(rest: str, choices: list[str], top: list[int], bottom: list[int]) -> None:
    """4.3: where the cards that are not kept go, and in which order."""
    bench = Bench({}, {})
    pile = bench.table.discovery
    pile.draw = [d for d in pile.draw if not bench.game.content.discovery[d].event]
    seen = pile.draw[-1:-4:-1]
    names = [bench.game.content.discovery[d].id for d in seen]
    assert len(set(names)) == 3
    below = pile.draw[:-3]
    step = {"do": "scry", "deck": "discovery", "n": 3, "keep": 1, "rest": rest}
    bench.run([step], f"card:{names[0]}", *choices)
    assert bench.table.players[0].discovery == [seen[0]]
    assert pile.draw == [seen[i] for i in reversed(bottom)] + below + [seen[i] for i in reversed(top)]
    assert len(pile.discard) == 2 - len(top) - len(bottom)
    assert not pile.aside


# ---------------------------------------------------------------------- Units
def test_confused_troops_are_reached_by_few_words() -> None:
    """V3.2: state = confused, destroy with n = all, holds / exists / near without a state."""
    bench = Bench({}, {"units": {A: "soldier"}})
    bench.unit(1, A, "soldier").confused = True
    pick = {"do": "pick", "what": "space", "from": {"holds": {"owner": "enemy", "type": "unit"}}}
    one = {"do": "destroy", "units": {"owner": "enemy", "type": "troop", "at": "$space"}, "n": 1}
    bench.run([pick, {**one, "must": True}, LORIUM])
    assert lorium(bench) == [0, 0]
    assert bench.units(1, A) == ["soldier?"]
    bench.run([pick, {**one, "n": "all"}, LORIUM])
    assert bench.units(1, A) == []
    assert lorium(bench) == [1, 0]


def test_convert_the_same_unit_again() -> None:
    """4.4: one after the other, the same one again if it still matches; PROMOTE_TO of the performer."""
    step = {"do": "convert", "units": OWN, "n": 2, "to": "troop"}
    bench = Bench({"units": {A: "soldier"}}, {}).run([step], "unit:miner", "unit:speaker")
    assert bench.kinds == ["PROMOTE_TO", "PROMOTE_TO"]
    assert bench.units(0, A) == ["speaker"]
    assert bench.frame.regs.n == 2


def test_deploy_within_a_budget() -> None:
    """4.4: DONE only by ``upto``; what still fits is offered, types ascending."""
    step = {"do": "deploy", "types": ["troop"], "budget": 2}
    ground = {"tiles": {"tundra-4-1": "camp"}, "control": {"tundra-4-1": 0}}
    bench = Bench({}, {}, **ground)
    bench.table.players[0]  # the Ship of seat 0 has neighbours to Deploy to
    bench.run([step], "unit:speaker", "space:tundra-4-1")
    assert bench.kinds == ["RECRUIT_TYPE", "DEPLOY_SPACE"]
    assert bench.asked[0][2] == ["unit:soldier", "unit:speaker"]
    assert bench.units(0, "tundra-4-1") == ["speaker"]


def test_a_steered_move_ends_where_it_must() -> None:
    """4.4, M7: the performer steers, the owner attacks; without an end the Unit is no target."""
    step = {
        "do": "move",
        "units": {"owner": "enemy", "type": "soldier", "state": "unlocked"},
        "n": 1,
        "end": {"holds": {"owner": "foreign", "type": "unit"}},
        "must": True,
    }
    bench = Bench({}, {"units": {A: "soldier"}}, {"units": {C: "miner"}})
    bench.run([step])
    here = bench.table.spaces[space(C)]
    assert (here.attacker, here.defender) == (1, 2)
    assert bench.frame.regs.origin == space(A)
    assert not Bench({}, {"units": {A: "soldier"}}, {"units": {"desert-2-0": "miner"}}).startable([step])


def test_a_jump_needs_no_jumpjets_if_the_mode_says_so() -> None:
    """4.4: mode jump over everything; steps are a number that no modifier changes."""
    step = {"do": "move", "units": OWN, "n": 1, "steps": 2, "mode": "jump", "engage": False, "must": True}
    tiles = dict.fromkeys(("tundra-4-1", "tundra-4-0", "tundra-5-0", B, "tundra-6-1", "tundra-6-2"), "lake")
    bench = Bench({"units": {A: "soldier"}}, {}, tiles=tiles)
    give(bench.table, 0, 0, modifiers({"mod": "move", "n": 3, "types": ["soldier"]}), Duration.TURN)
    bench.run([step], f"space:{C}")
    assert bench.units(0, C) == ["soldier"]
    give(bench.table, 0, 1, modifiers({"mod": "deny", "actions": ["jumpjet"]}), Duration.TURN)
    assert not bench.startable([step])


def test_place_swap_takes_over_the_side() -> None:
    """4.4: the arriving Faction takes the role; nobody may stay behind Confused."""
    pick = {"do": "pick", "what": "space", "from": {"combat": "mine"}}
    swap = {
        "owner": "enemy",
        "type": "unit",
        "state": "unlocked",
        "at": {"near": {"space": "$space", "min": 1}},
    }
    place = {
        "do": "place",
        "units": {"owner": "self", "type": "unit", "at": "$space"},
        "n": "all",
        "swap": swap,
    }
    players = ({"units": {A: "soldier"}}, {"units": {A: "soldier"}}, {"units": {B: "miner, speaker"}})
    bench = Bench(*players, combats={A: 0}).run([pick, place])
    here = bench.table.spaces[space(A)]
    assert (here.attacker, here.defender) == (2, 1)
    assert bench.units(0, B) == ["soldier"]
    assert bench.units(2, A) == ["miner", "speaker"]
    again = Bench(*players, combats={A: 0})
    again.unit(2, B, "miner").confused = True
    assert not again.startable([pick, place])


def test_a_verb_tells_what_it_worked_on() -> None:
    """V2.4: $unit, $space, $from of the last space worked in."""
    bench = Bench({"units": {A: "soldier"}}, {})
    move = {"do": "move", "units": OWN, "n": 1, "must": True}
    bench.run([move, {"do": "convert", "units": "$unit", "n": 1, "to": "speaker"}], f"space:{C}")
    assert bench.units(0, C) == ["speaker"]
    regs = bench.frame.regs
    assert (regs.origin, regs.space) == (space(A), space(C))
    assert regs.unit is not None
    assert [u.type.name for u in regs.unit.units(bench.table)] == ["SPEAKER"]


def test_recall_of_the_doomed_saves_them() -> None:
    """4.4: inside ``defeated`` what is taken by $unit is saved; like Units beside them are not meant."""
    bench = Bench({"units": {A: "2 soldier"}}, {})
    doom = Doom(0, space(A), Counter({(UnitType.SOLDIER, False): 1}))
    bench.table.dooms = [doom]
    event = Happening(Trigger.DEFEATED, 1, 0, (Kind.DESTROY,), space(A), doom=doom)
    bench.run([{"do": "recall", "units": "$unit", "n": 1}], event=event)
    assert doom.counts.total() == 0
    assert bench.units(0, A) == ["soldier"]
    assert group_of([]) is None


# ---------------------------------------------------------------------- commands
def test_reclaim_of_earlier_turns() -> None:
    """4.5: cards Burned or Played this turn are not meant."""
    board = [["soldiers", "miners"], ["recruit", "battle"]]
    bench = Bench({"board": board}, {"board": board[:1]}, round=3)
    bench.table.players[0].burned[2] = CommandCard.UPGRADE
    bench.table.players[0].hand.discard(CommandCard.UPGRADE)
    bench.run([{"do": "reclaim", "from": "burned", "n": 2}], "command:recruit")
    assert bench.asked[0][2] == ["command:recruit", "command:soldiers"]
    assert CommandCard.SOLDIERS in bench.table.players[0].hand
    assert bench.table.players[0].burned == [None, None, CommandCard.UPGRADE, None, None]


def test_act_offers_the_own_card_only() -> None:
    """4.5: one listed action of the Unit's own card; with ["all"] one of each Section."""
    step = {"do": "act", "units": OWN, "n": 1, "actions": ["move", "mine", "persuade"]}
    bench = Bench({"units": {A: "miner"}}, {}, tiles={A: "lorium"})
    bench.run([step], "action:mine")
    assert bench.asked == [("ACT_ACTION", 0, ["action:move", "action:mine"])]
    assert lorium(bench) == [1, 0]


def test_gathering_bonuses() -> None:
    """4.5: per Unit always, per space for its first Unit, per action for the first Unit of it."""
    step = {"do": "gather", "kind": "mine", "units": {**OWN, "type": "miner"}, "n": 3}
    bench = Bench({"units": {A: "2 miner", C: "miner"}}, {}, tiles={A: "lorium", C: "lorium"})
    for per, n in (("unit", 1), ("space", 10), ("action", 20)):
        mod = {"mod": "gather_bonus", "res": "lorium", "n": n, "per": per, "actions": ["mine"]}
        give(bench.table, 0, 0, modifiers(mod), Duration.TURN)
    bench.run([step], f"space:{A}", f"space:{A}")
    assert lorium(bench) == [3 * 2 + 2 * 10 + 20, 0]


# ---------------------------------------------------------------------- planet
def test_no_quake_in_a_quake() -> None:
    """V1.11: tremor (back as well), fracture and collapse do nothing, and ask nothing."""
    bench = Bench({}, {}, cysmograph={"singles": 4, "stack": 5})
    bench.table.cysmograph.busy = True
    tiles = {"do": "collapse", "space": {"feature": "tile"}, "n": 1}
    bench.run([{"do": "tremor", "n": 1}, {"do": "tremor", "n": -1}, {"do": "fracture"}, tiles])
    assert bench.asked == []
    assert bench.table.cysmograph.stack == 5
    assert len(bench.table.bag) == 42


def test_the_stack_goes_back_to_the_last_reset() -> None:
    """4.6: at most to where the last reset or the set-up put it."""
    bench = Bench({}, {}, cysmograph={"singles": 4, "stack": 6}).run([{"do": "tremor", "n": -9}])
    assert bench.table.cysmograph.stack == 4


def test_the_area_is_what_collapsed() -> None:
    """Section 2: after ``collapse`` $space is a set."""
    tiles = {"do": "collapse", "space": {"ring": [1, 1]}, "n": 2}
    tokens = {"do": "token", "op": "remove", "space": {"near": {"space": "$space", "max": 0}}, "n": "all"}
    one, two = "savannah-1-0", "forest-1-0"
    bench = Bench({}, {}).run([tiles, tokens], f"space:{one}", f"space:{two}")
    assert bench.table.area == tuple(sorted((space(one), space(two))))
    gone = [s.number for s in bench.table.spaces if not s.has_tile]
    assert gone == list(bench.table.area)
    assert not any(s.token for s in bench.table.spaces)


def test_control_cancelled_or_changed() -> None:
    """4.6: legal are Habitats that do not have the wanted controller; $player is the former one."""
    step = {"do": "control", "at": {"feature": "habitat"}, "n": 1, "to": "self"}
    tiles, control = {A: "camp", B: "outpost", C: "camp"}, {A: 0, B: 1}
    bench = Bench({}, {}, tiles=tiles, control=control).run([step], f"space:{B}")
    assert bench.asked[0][2] == [f"space:{s}" for s in sorted((0, space(B), space(C)))]
    assert bench.frame.regs.player == 1
    assert bench.table.spaces[space(B)].control == 0


# ---------------------------------------------------------------------- bounds
def test_bounds() -> None:
    """V1.13: no further grant, no Reaction, no act beyond them."""
    bench = Bench({"units": {A: "soldier"}}, {})
    mods = modifiers({"mod": "move", "n": 1})
    for _ in range(20):
        give(bench.table, 0, 0, mods, Duration.TURN)
    assert len(bench.table.grants) == bench.game.content.limits.grants
    bench.table.programs = bench.game.content.limits.programs
    assert not bench.startable([{"do": "act", "units": OWN, "n": 1, "actions": ["all"]}])
    assert not bench.startable([{"do": "bonus", "icons": ["red"], "column": "any"}])
    assert bench.startable([LORIUM])
