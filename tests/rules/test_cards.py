"""Chapter D: the decks, the uses of a Discovery Card, Rewards, Planetary Events."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from geometry import SIDES
from plays import CELL, at_bonus, offered, on_planet, pick, reserve
from scenario import Table, make_game, scenario, space
from scenario import units as counted

from cysmic_fast.content.types import Content, RewardItem, Rewards
from cysmic_fast.vocabulary import DecisionKind, Icon

A, B, C, D, E = "tundra-5-1", "tundra-5-3", "tundra-6-0", "wetlands-5-1", "wetlands-5-3"
AROUND = sorted(SIDES[space("savannah-4-2")])
CUT_OFF = dict.fromkeys(AROUND, "lake")
MOLTEN = {"molten_core": True}


def played(engine: str, card: str, *seats: dict[str, Any], **more: Any) -> Table:
    """Seat 0 plays the only Discovery Card it has by the Grey Bonus Action of Column 001."""
    first = {"discovery": [card], **(seats[0] if seats else {})}
    t = at_bonus(engine, "two_cards", first, *seats[1:], **more)
    return pick(t.do("bonus:play_card"), "PLAY_CARD", f"card:{card}")


def discovery_deck(engine: str, **options: bool) -> list[str]:
    """Ids of the Discovery Deck without Events."""
    content = make_game(engine).content
    return [content.discovery[n].id for n in content.discovery_deck(options.get("molten_core", False), False)]


def pack(folder: Path, card: str, rewards: str, **more: str) -> dict[str, Any]:
    """A content pack in which a card has other Rewards."""
    lines = [
        f'[[card]]\nid = "{card}"\nrewards = {rewards}',
        *(f"{key} = {value}" for key, value in more.items()),
    ]
    (folder / "discovery.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {"packs": [folder]}


#: A Grey Bonus Action Icon; no card of the standard pack has one.
GREY_ICON = RewardItem(kind="bonus", icons=(Icon.GREY,))


def with_rewards(engine: str, card: str, rewards: Rewards, **more: Any) -> Content:
    """The standard content with other Rewards on a card."""
    standard: Content = make_game(engine).content
    designs = (
        dataclasses.replace(d, rewards=rewards, **more) if d.id == card else d for d in standard.discovery
    )
    return dataclasses.replace(standard, discovery=tuple(designs))


# ------------------------------------------------------------------ D1
@pytest.mark.rule("D1.1", "N0.2")
def test_cards_come_from_the_top(engine: str) -> None:
    """One after the other, in the order of the pile, from either deck."""
    t = at_bonus(engine, "two_cards", {}, discovery={"draw": ["D26", "D03", "D19"]}).do("bonus:two_cards")
    content = make_game(engine).content
    assert [content.discovery[e[3]].id for e in t.events("DRAW")] == ["D26", "D03"]
    assert t.snapshot()["discovery"]["draw"][0] == "D19"
    t = at_bonus(engine, "gain_relic", {}, relics={"draw": ["R10", "R06", "R08"]}).do("bonus:gain_relic")
    assert [(e[2], content.relics[e[3]].id) for e in t.events("DRAW")] == [(1, "R10"), (1, "R06")]
    assert t.snapshot()["relics"]["draw"][0] == "R08"


@pytest.mark.rule("D1.1")
def test_an_empty_deck_is_rebuilt_when_a_card_is_needed(engine: str) -> None:
    """From its discard pile, shuffled, in the middle of a gain; not before, and not with cards in hands."""
    deck = discovery_deck(engine)
    for card in ("D26", "D03", "D19"):
        deck.remove(card)
    t = at_bonus(
        engine, "two_cards", {}, {"discovery": deck}, discovery={"draw": ["D26"], "discard": ["D03", "D19"]},
        script={"discovery_shuffle": [["D19", "D03"]]},
    )  # fmt: skip
    one = t.fork().do("bonus:gain_card")
    assert one.player(0)["discovery"] == ["D26"]
    assert one.snapshot()["discovery"] == {"draw": [], "discard": ["D03", "D19"]}, (
        "not rebuilt before the next draw"
    )
    t.do("bonus:two_cards")
    assert t.player(0)["discovery"] == ["D19", "D26"]
    assert t.snapshot()["discovery"] == {"draw": ["D03"], "discard": []}


@pytest.mark.rule("D1.1")
def test_the_rebuilt_deck_is_shuffled(engine: str) -> None:
    """By the seed: any discarded card may come first."""
    deck = discovery_deck(engine)
    pile = ["D03", "D07", "D19", "D22", "D26"]
    for card in pile:
        deck.remove(card)
    first = set()
    for seed in range(40):
        t = at_bonus(
            engine, "two_cards", {}, {"discovery": deck}, discovery={"draw": [], "discard": pile}, seed=seed
        )
        first |= set(t.do("bonus:gain_card").player(0)["discovery"])
    assert first == set(pile)


@pytest.mark.rule("D1.1", "RUL-G5")
def test_nothing_left_to_draw(engine: str) -> None:
    """With deck and discard pile empty, gaining cards gains nothing; with one left it gains one of two."""
    deck = discovery_deck(engine)
    t = at_bonus(engine, "two_cards", {}, {"discovery": deck}, discovery={"draw": [], "discard": []}).do(
        "bonus:two_cards"
    )
    assert t.player(0)["discovery"] == []
    assert t.events("DRAW") == []
    deck.remove("D26")
    t = at_bonus(engine, "two_cards", {}, {"discovery": deck}, discovery={"draw": ["D26"], "discard": []}).do(
        "bonus:two_cards"
    )
    assert t.player(0)["discovery"] == ["D26"]


@pytest.mark.rule("D1.2", "D2.1", "RUL-D9")
def test_a_played_card_is_discarded_when_its_effect_is_done(engine: str) -> None:
    """While its Rewards run it is in no pile: not even its own draw can bring it back."""
    deck = discovery_deck(engine)
    deck.remove("D30")  # two Discovery Cards
    deck.remove("D26")
    t = played(engine, "D30", {}, {"discovery": deck}, discovery={"draw": ["D26"], "discard": []})
    assert t.player(0)["discovery"] == ["D26"]
    assert t.snapshot()["discovery"] == {"draw": [], "discard": ["D30"]}
    t = played(engine, "D19")
    t.expect("REWARD", 0)
    assert t.player(0)["discovery"] == []
    assert "D19" not in t.snapshot()["discovery"]["discard"]
    t.do("option:0")
    assert t.snapshot()["discovery"]["discard"] == ["D19"]


# ------------------------------------------------------------------ D2
STRIKE = {"attacker_strike_die": ["reroll yellow"] * 2, "red_die": ["3"]}
DUEL: tuple[dict[str, Any], dict[str, Any]] = ({"units": {A: "soldier"}}, {"units": {A: "soldier"}})


@pytest.mark.rule("D1.2", "D2.1", "D2.2", "K5.1", "K5.2")
@pytest.mark.parametrize(
    ("card", "modifier"), [("D19", 1), ("D23", 2), ("D11", 3), ("D20", -1), ("D24", -2), ("D18", -3)]
)
def test_a_card_as_modifier(engine: str, card: str, modifier: int) -> None:
    """Action or Reaction: it changes one die by its printed number, has no other effect and is discarded at
    once."""
    content = make_game(engine).content
    assert {spec.id: spec.modifier for spec in content.discovery}[card] == modifier
    me = {**DUEL[0], "discovery": [card]}
    t = scenario(engine, me, DUEL[1], combats={A: 0}, script=STRIKE).turn("battle")
    t.answer("STRIKE_OR_FLEE", "strike", seat=0).expect("MODIFIER_CARD", 0)
    assert t.options() == ["done", f"card:{card}"]
    t.do(f"card:{card}")
    assert t.snapshot()["discovery"]["discard"] == [card]
    assert (t.player(0)["discovery"], t.player(0)["lorium"]) == ([], 0)
    if 3 + modifier >= 4:  # a Soldier's Health
        assert t.expect("HITS", 0).options() == ["hits:0", "hits:1"]
    else:
        assert t.kind != "HITS"
        assert t.seat == 1, "no hit is possible, the other side chooses"


@pytest.mark.rule("D2.1", "D2.2")
def test_one_use_for_each_card(engine: str) -> None:
    """A card gone as modifier is no longer there for its Rewards, and the other way round."""
    script = {**STRIKE, "red_die": ["3"]}
    me = {**DUEL[0], "discovery": ["D51"]}
    t = scenario(engine, me, DUEL[1], combats={A: 0}, script=script).turn("battle")
    t.do("strike", "card:D51").answer("HITS", "hits:1", seat=0).expect("BONUS", 0)
    assert not offered(t, "play_card")
    assert t.player(0)["lorium"] == 0
    t = played(engine, "D51").expect("BURN", 1)
    assert (t.player(0)["lorium"], t.player(0)["discovery"]) == (3, [])


@pytest.mark.rule("D2.2", "X1.5")
def test_a_modifier_in_a_cyber_attack(engine: str) -> None:
    """The printed number moves the die onto the Target Value 5, for either side to prevent."""
    me = {"units": {"forest-4-1": "soldier"}, "discovery": ["D23"]}
    for theirs, success in (([], True), (["D20"], False)):
        t = at_bonus(engine, "cyber_attack", me, {"discovery": theirs}, script={"red_die": ["3"]}).do(
            "bonus:cyber_attack"
        )
        t.answer("MODIFIER_CARD", "card:D23", seat=0)
        if theirs:
            t.answer("MODIFIER_CARD", "card:D20", seat=1)
        t.expect("BURN", 1)
        assert ("fuel_cells" in t.player(0)["blueprints"]) == success


@pytest.mark.rule("D2.3", "D2.5", "T9.7")
@pytest.mark.parametrize("card", ["D26", "D74"])
def test_no_card_outside_its_bonus_action(engine: str, card: str) -> None:
    """In a whole round without Combat nobody is asked about a Discovery Card, Action or Reaction, but by
    Grey."""
    hand = {"discovery": [card, "D19", "D22"], "units": {A: "harvester"}}
    t = scenario(engine, hand, {"discovery": ["D03"]}, tiles={A: "lorium"})
    asked = []
    for seat in (0, 1):
        t.expect("BURN", seat)
        t.do("command:battle", "command:harvesters")
        while t.kind != "NONE" and t.seat == seat:
            asked.append(t.kind)
            if t.kind == "BONUS":
                assert offered(t, "play_card")
            t.do("done" if "done" in t.options() else t.options()[0])
    assert asked == ["ACT_SPACE", "ACT_SPACE", "BONUS", "BONUS"]
    assert len(t.player(0)["discovery"]) == 3


@pytest.mark.rule("D2.5", "N0.1", "D3.3")
@pytest.mark.parametrize("card", ["D26", "D74"])
def test_rewards_of_actions_and_reactions_alike(engine: str, card: str) -> None:
    """Either kind gives its Rewards by the Grey Bonus Action."""
    t = played(engine, card).expect("BURN", 1)
    assert t.player(0)["lorium"] == 3


# ------------------------------------------------------------------ D3
@pytest.mark.rule("D3.1", "D3.3")
def test_and_or_single(engine: str) -> None:
    """Both of AND, one of OR, the only one of a single Reward."""
    t = played(engine, "D22", discovery={"draw": ["D03"]}).expect("BURN", 1)
    assert (t.player(0)["lorium"], t.player(0)["discovery"]) == (1, ["D03"])
    t = played(engine, "D19", discovery={"draw": ["D03", "D04"]}).expect("REWARD", 0)
    assert t.options() == ["option:0", "option:1"]
    lorium = t.fork().do("option:0").expect("BURN", 1)
    assert (lorium.player(0)["lorium"], lorium.player(0)["discovery"]) == (2, [])
    t.do("option:1").expect("BURN", 1)
    assert (t.player(0)["lorium"], t.player(0)["discovery"]) == (0, ["D03", "D04"])
    t = played(engine, "D42", discovery={"draw": ["D03", "D04"]}).expect("BURN", 1)
    assert (t.player(0)["lorium"], t.player(0)["discovery"]) == (0, ["D03", "D04"])


@pytest.mark.rule("D3.1", "D3.7", "RUL-D5")
def test_an_or_side_that_can_do_nothing(engine: str) -> None:
    """It cannot be chosen while the other can do something; with neither the card is spent for nothing."""
    # D37: Red Bonus Action or two Soldiers. Nothing Red is possible without Combats and Cyber Attacks.
    t = played(engine, "D37").expect("DEPLOY_SPACE", 0)
    # A Combat of others: Red of Column 005 is possible, deploying is not.
    others = ({}, {"units": {A: "soldier"}}, {"units": {A: "soldier"}})
    t = played(engine, "D37", *others, tiles=CUT_OFF, combats={A: 1}).expect("STRIKE_OR_FLEE", 1)
    t = played(engine, "D37", *others, combats={A: 1}).expect("REWARD", 0)
    assert t.options() == ["option:0", "option:1"]
    t = played(engine, "D37", tiles=CUT_OFF).expect("BURN", 1)
    assert t.snapshot()["discovery"]["discard"] == ["D37"]


@pytest.mark.rule("D3.7", "N0.1", "RUL-D5")
def test_played_though_nothing_is_possible(engine: str) -> None:
    """A card may be played for Rewards that cannot be taken; it is discarded."""
    for card, more in (("D77", {"tiles": CUT_OFF}), ("D35", {}), ("D36", {})):
        t = at_bonus(engine, "two_cards", {"discovery": [card]}, **more)
        assert offered(t, "play_card")
        before = on_planet(t, 0)
        t.do("bonus:play_card").expect("BURN", 1)
        assert t.snapshot()["discovery"]["discard"] == [card]
        assert on_planet(t, 0) == before


@pytest.mark.rule("D3.1", "D3.7", "RUL-D5")
def test_an_and_half_possible(engine: str, tmp_path: Path) -> None:
    """What is possible is done."""
    options = pack(tmp_path, "D22", '{ op = "and", items = [ { units = ["soldier"] }, { lorium = 2 } ] }')
    t = played(engine, "D22", tiles=CUT_OFF, options=options).expect("BURN", 1)
    assert (t.player(0)["lorium"], on_planet(t, 0)) == (2, [0] * 5)


@pytest.mark.rule("D3.6", "D3.1", "RUL-D5")
def test_and_rewards_in_printed_order(engine: str, tmp_path: Path) -> None:
    """Relic then Lorium, or Lorium then Relic, as the card says."""
    t = played(engine, "D55", options=MOLTEN, relics={"draw": ["R06", "R07"]}).expect("KEEP_RELIC", 0)
    assert t.player(0)["lorium"] == 0
    t.do("card:R06").answer("RELIC_WINDOW", "done", seat=0)
    assert t.player(0)["lorium"] == 1
    options = pack(tmp_path, "D22", '{ op = "and", items = [ { lorium = 2 }, { relic = 1 } ] }')
    t = played(engine, "D22", options=options, relics={"draw": ["R06", "R07"]}).expect("KEEP_RELIC", 0)
    assert t.player(0)["lorium"] == 2


@pytest.mark.rule("D3.2", "N6.2", "RUL-N6")
@pytest.mark.parametrize(
    ("card", "colours"), [("D32", ["blue"]), ("D10", ["yellow", "purple"]), ("D52", ["green"])]
)
def test_an_icon_gives_a_bonus_action_of_any_column(engine: str, card: str, colours: list[str]) -> None:
    """All possible ones of its colours in all five Columns, whatever icons the Played card has; one must be
    taken."""
    me = {
        "lorium": 4,
        "discovery": [card],
        "captured": {1: "miner", 2: "soldier"},
        "slots": [{"relic": "R07"}, None],
        "board": [["battle", "miners"], ["soldiers", "recruit"]],
        "units": {A: "miner", B: "speaker, soldier"},
    }
    other = {"captured": {0: "soldier", 2: "miner"}, "units": {B: "soldier"}}
    t = at_bonus(
        engine,
        "gain_card",
        me,
        other,
        {},
        marker=1,
        combats={B: 0},
        tiles={A: "lorium"},
        round=3,
        card="harvesters",
        burn="speakers",
    )
    pick(t.do("bonus:play_card"), "PLAY_CARD", f"card:{card}").expect("BONUS", 0)
    expected = {cell for cell, (_, colour) in CELL.items() if colour in colours}
    assert {o.split(":")[1] for o in t.options()} == expected
    assert "done" not in t.options()


@pytest.mark.rule("D3.2", "RUL-N6", "N0.1")
def test_a_grey_icon_and_chains(engine: str) -> None:
    """A Grey icon gives a Grey option, another card included: a chain that ends with the hand."""
    options = {"content": with_rewards(engine, "D33", Rewards("single", (GREY_ICON,)))}
    me = {"discovery": ["D26", "D33", "D33"], "captured": {1: "2 soldier"}}
    t = (
        at_bonus(engine, "two_cards", me, options=options)
        .do("bonus:play_card", "card:D33")
        .expect("BONUS", 0)
    )
    assert t.options() == ["bonus:play_card", "bonus:gain_card", "bonus:gain_blueprint"]
    t.do("bonus:play_card").answer("PLAY_CARD", "card:D33", seat=0).expect("BONUS", 0)
    assert t.snapshot()["discovery"]["discard"] == [], "both are still in progress"
    t.do("bonus:play_card").expect("BURN", 1)
    assert t.player(0)["lorium"] == 3
    assert t.snapshot()["discovery"]["discard"] == ["D26", "D33", "D33"]


@pytest.mark.rule("D3.2", "RUL-N6")
@pytest.mark.parametrize(
    ("rewards", "cards"), [(Rewards("single", (GREY_ICON,)), 5), (Rewards("and", (GREY_ICON, GREY_ICON)), 24)]
)
def test_chains_are_bounded(engine: str, rewards: Rewards, cards: int) -> None:
    """Five cards within each other (10 programs, two for each), 24 Bonus Actions in one turn, then nothing
    follows."""
    content = with_rewards(engine, "D33", rewards, count=31)
    t = at_bonus(engine, "two_cards", {"discovery": ["D33"] * 31}, options={"content": content})
    while t.kind == "BONUS":
        t.do("bonus:play_card")
    t.expect("BURN", 1)
    plays = [e for e in t.events("CHOICE") if e[2] == DecisionKind.PLAY_CARD]
    assert len(plays) == cards


@pytest.mark.rule("D3.3", "G3.1")
def test_items(engine: str) -> None:
    """Lorium, Discovery Cards and Relic Cards in the number shown."""
    t = played(engine, "D26").expect("BURN", 1)
    assert t.player(0)["lorium"] == 3
    t = played(engine, "D30", discovery={"draw": ["D03", "D04", "D07"]}).expect("BURN", 1)
    assert t.player(0)["discovery"] == ["D03", "D04"]
    t = played(engine, "D45", relics={"draw": ["R08", "R06"]}).expect("KEEP_RELIC", 0)
    t.do("card:R08").answer("RELIC_WINDOW", "card:R08", seat=0).expect("BURN", 1)
    assert t.player(0)["slots"] == [{"relic": "R08"}, None]


@pytest.mark.rule("D3.4", "I1.2", "I3.2")
@pytest.mark.parametrize(
    ("card", "value", "feature"), [("D35", 1, "camp"), ("D36", 2, "outpost"), ("D58", 3, "settlement")]
)
def test_habitat_reward(engine: str, card: str, value: int, feature: str) -> None:
    """Any neutral or enemy-controlled Habitat of exactly that value, anywhere, occupied or not; no own
    one."""
    others = {
        "camp": ["outpost", "settlement"],
        "outpost": ["camp", "settlement"],
        "settlement": ["camp", "outpost"],
    }[feature]
    tiles = {A: feature, B: feature, C: feature, D: others[0], E: others[1]}
    seats = ({"units": {}}, {"units": {B: "3 soldier"}})
    t = played(engine, card, *seats, tiles=tiles, control={B: 1, C: 0, D: 1}, options=MOLTEN)
    if t.kind == "REWARD":
        t.do("option:0")
    t.expect("REWARD_HABITAT", 0)
    assert t.spaces() == {space(A), space(B)}
    before = [t.state.influence(seat) for seat in (0, 1)]
    t.do(B).expect("BURN", 1)
    assert t.controller(B) == 0
    assert [t.state.influence(seat) for seat in (0, 1)] == [before[0] + value, before[1] - value]


@pytest.mark.rule("D3.4", "I3.3")
def test_habitat_reward_at_seven_flags(engine: str) -> None:
    """One of the seven is given up first."""
    flags = [f"wetlands-6-{k}" for k in range(6)] + ["wetlands-5-0"]
    tiles = dict.fromkeys([*flags, A], "camp")
    t = played(engine, "D35", tiles=tiles, control=dict.fromkeys(flags, 0)).expect("GIVE_UP_FLAG", 0)
    assert t.spaces() == {space(where) for where in flags}
    t.do(flags[0])
    assert (t.controller(A), t.controller(flags[0])) == (0, None)


@pytest.mark.rule("D3.5", "R2.1")
def test_unit_reward(engine: str) -> None:
    """The Units shown are Deployed without cost and one by one, as far as Reserve and places allow."""
    t = played(engine, "D77").expect("DEPLOY_SPACE", 0)
    assert t.spaces() == set(AROUND)
    t.do(AROUND[0]).answer("DEPLOY_SPACE", AROUND[1], seat=0).expect("BURN", 1)
    assert on_planet(t, 0) == counted("2 soldier")
    assert t.player(0)["lorium"] == 0
    # one Soldier left in stock
    nine = {"tundra-5-1": "3 soldier", "tundra-5-2": "3 soldier", "tundra-5-3": "3 soldier"}
    t = played(engine, "D77", {"units": nine}).answer("DEPLOY_SPACE", AROUND[0], seat=0).expect("BURN", 1)
    assert reserve(t, 0)[0] == 0
    # room for one
    t = played(
        engine, "D77", {"units": {AROUND[0]: "2 speaker"}}, tiles=dict.fromkeys(AROUND[1:], "lake")
    ).expect("BURN", 1)
    assert t.units(0, AROUND[0]) == counted("soldier, 2 speaker")


# ------------------------------------------------------------------ D4
EVENTS = {"events": True}


@pytest.mark.rule("D4.1")
@pytest.mark.parametrize("cell", ["gain_card", "two_cards"])
def test_a_drawn_event_is_discarded_and_replaced(engine: str, cell: str) -> None:
    """Events do not come to hand: each is discarded and another card is drawn for it."""
    draw = {"draw": ["P01", "P05", "D26", "P02", "D03", "D19"]}
    t = (
        at_bonus(engine, "two_cards", {}, discovery=draw, options=EVENTS)
        .do(f"bonus:{cell}")
        .expect("BURN", 1)
    )
    two = cell == "two_cards"
    assert t.player(0)["discovery"] == (["D03", "D26"] if two else ["D26"])
    assert t.snapshot()["discovery"]["discard"] == (["P01", "P02", "P05"] if two else ["P01", "P05"])
    content = make_game(engine).content
    drawn = [content.discovery[e[3]].id for e in t.events("DRAW")]
    assert drawn == draw["draw"][: 5 if two else 3]


@pytest.mark.rule("D4.1", "RUL-D2")
@pytest.mark.parametrize("cell", ["gain_card", "two_cards"])
def test_nothing_but_events_left(engine: str, cell: str) -> None:
    """Each Event is resolved once, then the gain ends without a card."""
    hand = discovery_deck(engine)
    content = make_game(engine).content
    events = [content.discovery[n].id for n in content.event_deck()]
    for number in (len(events), 5, 0):  # so many on the pile, the others discarded before
        piles = {"draw": events[:number], "discard": events[number:]}
        t = at_bonus(engine, "two_cards", {}, {"discovery": hand}, options=EVENTS, discovery=piles)
        t.do(f"bonus:{cell}")
        assert t.player(0)["discovery"] == []
        drawn = [content.discovery[e[3]].id for e in t.events("DRAW")]
        assert set(drawn) == set(events)
        piles = t.snapshot()["discovery"]
        assert sorted(piles["draw"] + piles["discard"]) == sorted(events)
        if number != 5:
            assert len(drawn) == len(events)
            assert piles == {"draw": [], "discard": events}


@pytest.mark.rule("D4.1", "S3.8")
def test_no_events_unless_chosen(engine: str) -> None:
    """Without the option none is in the deck."""
    t = at_bonus(engine, "two_cards", {})
    assert not [card for card in t.snapshot()["discovery"]["draw"] if card.startswith("P")]
    t = at_bonus(engine, "two_cards", {}, options=EVENTS)
    assert len([card for card in t.snapshot()["discovery"]["draw"] if card.startswith("P")]) == 12
