"""Every Reaction of the Discovery Deck: when it may be played, by whom, and what it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from geometry import NEAR, ball, is_abyss, landscape
from plays import CELL, MODULES, PLAIN_CARD, at_bonus
from scenario import SHIPS, Table, make_game, scenario, space
from scenario import units as counted

from cysmic_fast.content import Content, load_content
from cysmic_fast.vocabulary import ChanceKind

FIELD = space("wetlands-4-1")
BESIDE = sorted(NEAR[FIELD])
TWO_OFF = sorted(ball(FIELD, 2) - ball(FIELD, 1))
CLOSED = dict.fromkeys(BESIDE, "lake")
ONE_EXIT = dict.fromkeys(BESIDE[:-1], "lake")
SHIP, THEIR_SHIP = space(SHIPS[0]), space(SHIPS[1])
SOLDIER, MINER, SPEAKER, POWERMECH, HARVESTER = range(5)
RED, YELLOW = ChanceKind.RED_DIE, ChanceKind.YELLOW_DIE
#: All designs of Reactions.
REACTIONS = [
    f"D{n:02}" for n in (*range(9, 19), *range(66, 82))
]  # fmt: skip
Windows = list[tuple[int, set[str]]]


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Content:
    """The standard content, but the cards for Espionage belong to every game."""
    folder = tmp_path_factory.mktemp("secrets")
    cards = "".join(f'[[card]]\nid = "{card}"\nicons = []\n' for card in ("D65", "D81"))
    (folder / "discovery.toml").write_text(cards, encoding="utf-8")
    return load_content(folder)


def rows(
    red: Sequence[int] = (),
    yellow: Sequence[int] = (),
    blue: Sequence[str] = (),
    green: Sequence[str] = (),
    **more: Sequence[str],
) -> dict[str, list[str]]:
    """A script of dice; blue is the Attacker's Strike Die. A reroll of a colour not rolled does nothing."""
    return {
        "red_die": [str(v) for v in red],
        "yellow_die": [str(v) for v in yellow],
        "attacker_strike_die": list(blue),
        "defender_strike_die": list(green),
        **{kind: list(outcomes) for kind, outcomes in more.items()},
    }


def people(
    *seats: Mapping[str, Any], hold: Mapping[int, Sequence[str]] | None = None
) -> list[dict[str, Any]]:
    """Players, some of whom hold cards."""
    result = [dict(seat) for seat in seats]
    for seat, cards in (hold or {}).items():
        result[seat]["discovery"] = sorted([*result[seat].get("discovery", []), *cards])
    return result


def options(more: dict[str, Any]) -> dict[str, Any]:
    return {"abilities": True, "molten_core": True, "trading": False, **more.pop("options", {})}


def fight(
    engine: str,
    ours: str,
    theirs: str,
    *,
    hold: Mapping[int, Sequence[str]] | None = None,
    attacker: int = 0,
    seats: Sequence[Mapping[str, Any]] = ({}, {}, {}),
    tiles: Mapping[str | int, str] = ONE_EXIT,
    at: int = FIELD,
    **more: Any,
) -> Table:
    """Three players; seat 0 Plays Battle with a Combat against seat 1; one space is free to flee to."""
    everyone = people(*seats, hold=hold)
    for person, units in zip(everyone, (ours, theirs), strict=False):
        person["units"] = {**person.get("units", {}), at: units}
    more["options"] = options(more)
    t = scenario(engine, *everyone, tiles=tiles, combats={at: attacker, **more.pop("combats", {})}, **more)
    return t.turn("battle")


def dice(t: Table) -> list[int]:
    """Kinds of the Combat Dice rolled."""
    return [e[2] for e in t.events("CHANCE") if e[2] in (RED, YELLOW)]


def strikes(t: Table) -> list[tuple[int, ...]]:
    """(striker, Final or not, dice)."""
    return [(e[1], e[3], e[4]) for e in t.events("STRIKE")]


def played(t: Table, how: int = 1) -> list[tuple[int, str]]:
    """(player, card) of the Reactions played, or of another use."""
    return [(e[1], t.game.content.discovery[e[2]].id) for e in t.events("PLAY_CARD") if e[3] == how]


def walk(t: Table, *, until: str = "", plan: Sequence[str | int] = (), limit: int = 300) -> Windows:
    """Declines what can be declined, strikes, hits, and notes who is asked to react, and with what,
    up to the next turn or a kind of decision. ``plan`` are actions taken as soon as each is possible."""
    seen: Windows = []
    turns, todo = len(t.events("TURN")), list(plan)
    for _ in range(limit):
        if t.kind in ("NONE", until) or len(t.events("TURN")) > turns:
            assert not todo, f"not done: {todo}"
            return seen
        if t.kind == "REACT":
            names = t.options()
            assert names[0] == "done"
            seen.append((t.seat, {name.split(":")[1] for name in names[1:]}))
            t.do("done")
            continue
        legal = list(t.state.legal_actions())
        if todo and t.action(todo[0]) in legal:
            t.do(todo.pop(0))
            continue
        names = t.options()
        for word in ("done", "no", "strike"):
            if word in names:
                t.do(word)
                break
        else:
            t.state.apply_action(legal[-1])
    raise AssertionError("the turn does not end")


# ------------------------------------------------------------------ who is asked when
class Situation:
    """A turn of seat 0 among three players, and who may react with which of the Reactions to it, in order.

    ``expected[seat]`` are the windows in which that seat is asked when it alone holds every Reaction.
    """

    def __init__(
        self,
        play: str,
        seats: Sequence[Mapping[str, Any]],
        expected: Mapping[int, Sequence[str]],
        *,
        plan: Sequence[str | int] = (),
        **more: Any,
    ) -> None:
        self.play, self.seats, self.plan, self.more = play, seats, plan, more
        self.expected = {seat: [set(w.split()) for w in windows] for seat, windows in expected.items()}


MISS_AND_HIT = rows(red=[1, 4], blue=["reroll yellow"] * 3, green=["reroll yellow"] * 3)
ONES = {"red_die": ["1"] * 6, "yellow_die": ["1"] * 6}
HOLE = next(n for n in BESIDE if not is_abyss(n))
CAMP = BESIDE[3]
NEXT_TO_THEM = sorted(NEAR[THEIR_SHIP])[0]
START = "D12 D13 D16 D68"
#: A space beside the Ship of seat 0, and one next to it that is two steps from the Ship.
BY_SHIP = min(NEAR[SHIP])
TWO_FROM_SHIP = min(NEAR[BY_SHIP] - ball(SHIP, 1))

SITUATIONS = {
    "nothing": Situation("speakers", [{}, {}, {}], {0: ["D11"], 1: [], 2: []}),
    # Battle: seat 0 misses, seat 1 hits. Attacker and Defender do not matter.
    "combat": Situation(
        "battle",
        [
            {"units": {FIELD: "soldier"}, "lorium": 1},
            {"units": {FIELD: "soldier"}, "lorium": 1},
            {"lorium": 1},
        ],
        {
            0: [START, "D66", "D09", "D17", "D09 D67", "D17", "D71", "D11"],
            1: [START, "D09 D67", "D17", "D66", "D09", "D17"],
            2: ["D16", "D09", "D17", "D09", "D17"],
        },
        combats={FIELD: 0},
        tiles=CLOSED,
        script=MISS_AND_HIT,
    ),
    # the same with a Powermech of seat 1 and without Lorium of seat 0
    "powermech": Situation(
        "battle",
        [{"units": {FIELD: "soldier"}}, {"units": {FIELD: "soldier, powermech"}, "lorium": 1}, {}],
        {
            0: [START, "D66", "D09", "D17", "D09 D67", "D17", "D11"],
            1: [f"{START} D14", "D09 D67", "D17", "D66", "D09", "D17"],
            2: ["D16", "D09", "D17", "D09", "D17"],
        },
        combats={FIELD: 1},
        tiles=CLOSED,
        script=rows(red=[1, 4, 1, 1, 1, 1], blue=["reroll yellow"] * 2, green=["reroll yellow"] * 2),
    ),
    # a Flee in a resolution, Final Strike included
    "flee": Situation(
        "battle",
        [
            {"units": {FIELD: "2 soldier"}, "lorium": 1},
            {"units": {FIELD: "2 soldier"}, "lorium": 1},
            {"lorium": 1},
        ],
        {0: [START, "D70", "D11"], 1: [START, "D69"], 2: ["D16"]},
        plan=["flee", BESIDE[0], "yes", "hits:1"],
        combats={FIELD: 0},
        script=rows(red=[4, 1], blue=["reroll yellow"], green=["reroll yellow"]),
    ),
    # a Flee by a Bonus Action: no resolution, no Final Strike
    "free flee": Situation(
        "harvesters",
        [{"units": {FIELD: "soldier"}}, {"units": {FIELD: "soldier"}}, {}],
        {0: ["D11", "D70", "D10"], 1: ["D80", "D69"], 2: ["D80"]},
        plan=["bonus:free_flee", BESIDE[0]],
        combats={FIELD: 0},
        round=2,
    ),
    # Bonus Actions that everybody could perform; one that only its player could
    "bonus": Situation(
        "upgrade",
        [{}, {}, {}],
        {0: ["D11", "D10"], 1: ["D80", "D75"], 2: ["D80", "D75"]},
        plan=["bonus:two_cards"],
        discovery={"draw": ["D01", "D02"]},
    ),
    "own bonus": Situation(
        "upgrade",
        [{"captured": {1: "2 soldier"}}, {}, {}],
        {0: ["D11", "D10"], 1: ["D80"], 2: ["D80"]},
        plan=["bonus:gain_blueprint"],
    ),
    # gathering
    "lorium": Situation(
        "miners",
        [{"units": {FIELD: "miner"}}, {}, {}],
        {0: ["D11"], 1: ["D74"], 2: ["D74"]},
        plan=["done", FIELD],
        tiles={FIELD: "lorium"},
    ),
    "cards": Situation(
        "miners",
        [{"units": {FIELD: "miner"}}, {}, {}],
        {0: ["D11"], 1: [], 2: []},
        plan=["done", FIELD],
        tiles={FIELD: "explorable"},
        discovery={"draw": ["D01"]},
    ),
    # a Harvest brings a Fracture upon Units of seat 0 (at the site) and 1
    "fracture": Situation(
        "harvesters",
        [
            {"units": {FIELD: "harvester", "wetlands-5-1": "soldier"}},
            {"units": {"wetlands-5-3": "powermech"}},
            {},
        ],
        {0: ["D73", "D15", "D11"], 1: ["D73", "D15", "D74"], 2: ["D73", "D74"]},
        plan=["done", FIELD],
        tiles={FIELD: "lorium"},
        cysmograph={"singles": 3, "stack": 6},
        script={"fracture_token": ["wetlands-5"]},
    ),
    "tremor": Situation(
        "harvesters",
        [{"units": {FIELD: "harvester"}}, {}, {}],
        {0: ["D11"], 1: ["D74"], 2: ["D74"]},
        plan=["done", FIELD],
        tiles={FIELD: "lorium"},
        cysmograph={"singles": 3, "stack": 3},
    ),
    # Cyber Attack on seat 1
    "cyber": Situation(
        "negotiate",
        [{"units": {NEXT_TO_THEM: "harvester"}}, {}, {}],
        {0: ["D11"], 1: ["D72"], 2: []},
        plan=[NEXT_TO_THEM],
        script={"yellow_die": ["1", "1", "1"]},
    ),
    # Habitats
    "persuade": Situation(
        "speakers",
        [{"units": {CAMP: "speaker"}}, {}, {}],
        {0: ["D11"], 1: ["D76"], 2: []},
        plan=["done", CAMP],
        tiles={CAMP: "camp"},
        control={CAMP: 1},
    ),
    "neutralize": Situation(
        "soldiers",
        [{"units": {CAMP: "soldier"}}, {}, {}],
        {0: ["D11"], 1: [], 2: ["D76"]},
        plan=["done", CAMP],
        tiles={CAMP: "camp"},
        control={CAMP: 2},
    ),
    "neutral habitat": Situation(
        "speakers",
        [{"units": {CAMP: "speaker"}}, {}, {}],
        {0: ["D11"], 1: [], 2: []},
        plan=["done", CAMP],
        tiles={CAMP: "camp"},
    ),
    # a Combat begins beside a Miner of seat 2
    "combat begun": Situation(
        "soldiers",
        [
            {"units": {BESIDE[0]: "soldier", BESIDE[5]: "miner"}},
            {"units": {FIELD: "miner"}},
            {"units": {BESIDE[3]: "miner"}},
        ],
        {0: ["D77", "D11"], 1: ["D77"], 2: ["D78"]},
        plan=[BESIDE[0], FIELD],
    ),
    # a Unit comes to rest beside a Locked Miner and two steps from an Unlocked one of seat 1
    "move": Situation(
        "soldiers",
        [
            {"units": {TWO_OFF[0]: "soldier", BESIDE[3]: "soldier"}},
            {"units": {BESIDE[3]: "miner", TWO_OFF[6]: "miner"}},
            {"units": {BESIDE[4]: "miner"}},
        ],
        {0: ["D11"], 1: [], 2: ["D78"]},
        plan=[TWO_OFF[0], FIELD],
        combats={BESIDE[3]: 0},
    ),
    # a Vehicle has nothing to destroy beside it
    "vehicle": Situation(
        "powermechs",
        [{"units": {TWO_OFF[0]: "powermech"}}, {"units": {BESIDE[4]: "miner"}}, {}],
        {0: ["D11"], 1: [], 2: []},
        plan=[TWO_OFF[0], "action:move", FIELD],
    ),
    "deploy": Situation(
        "recruit",
        [{}, {"units": {BESIDE[4]: "miner"}}, {}],
        {0: ["D11"], 1: ["D78"], 2: []},
        plan=["unit:soldier", FIELD],
        tiles={FIELD: "camp"},
        control={FIELD: 0},
    ),
    # Launch with somebody stranded, and without
    "launch": Situation(
        "speakers",
        [{"units": {FIELD: "soldier"}, "blueprints": list(MODULES), "modules": list(MODULES)}, {}, {}],
        {0: ["D11"], 1: ["D79"], 2: ["D79"]},
        plan=["yes"],
        script={"humanity_die": ["0"]},
    ),
    "clean launch": Situation(
        "speakers",
        [{"blueprints": list(MODULES), "modules": list(MODULES)}, {}, {}],
        {0: ["D11"], 1: [], 2: []},
        plan=["yes"],
    ),
    # a Discovery Card played for its Rewards, for its Ability, as a modifier
    "rewards": Situation(
        "upgrade",
        [{"discovery": ["D56"]}, {}, {}],
        {1: ["D80", "D18", "D75"], 2: ["D80", "D18", "D75"]},
        plan=["bonus:play_card", "option:1", "option:0"],
    ),
    "ability": Situation(
        "upgrade",
        [{"discovery": ["D56"]}, {}, {}],
        {1: ["D80", "D18", "D75"], 2: ["D80", "D18", "D75"]},
        plan=["bonus:play_card", "option:0"],
    ),
    "modifier": Situation(
        "battle",
        [{"units": {FIELD: "soldier"}, "discovery": ["D56"]}, {"units": {FIELD: "soldier"}}, {}],
        {1: [START, "D09 D67", "D17"], 2: ["D16", "D09", "D17"]},
        plan=["card:D56", "hits:1"],
        combats={FIELD: 0},
        tiles=CLOSED,
        script=rows(red=[3], blue=["reroll yellow"]),
    ),
    # Bonus Actions that destroy and capture
    "destroy": Situation(
        "soldiers",
        [{"units": {FIELD: "soldier"}}, {"units": {FIELD: "soldier, powermech"}, "lorium": 1}, {}],
        {0: ["D11", "D10"], 1: ["D80", "D75"], 2: ["D80"]},
        plan=["bonus:destroy_troop"],
        combats={FIELD: 0},
        round=2,
    ),
    "capture": Situation(
        "soldiers",
        [{"units": {FIELD: "soldier"}}, {"units": {FIELD: "soldier, powermech"}, "lorium": 1}, {}],
        {0: ["D11", "D10"], 1: ["D80", "D71", "D75"], 2: ["D80"]},
        plan=["bonus:capture_troop"],
        combats={FIELD: 0},
        round=3,
    ),
    # goods taken: of the cards of seat 1, D81 is robbed itself
    "captive taken": Situation(
        "powermechs",
        [{}, {"captured": {2: "soldier"}}, {}],
        {0: ["D11", "D10"], 1: ["D80", "D81", "D75"], 2: ["D80"]},
        plan=["bonus:steal_captive"],
        round=4,
    ),
    "relic taken": Situation(
        "speakers",
        [{}, {"slots": [{"relic": "R24"}, None]}, {}],
        {0: ["D11", "D10"], 1: ["D80", "D81"], 2: ["D80"]},
        plan=["bonus:discard_relic"],
        round=4,
    ),
    # a Combat begun by Deploying; the Defender has no room for more
    "deploy into combat": Situation(
        "recruit",
        [{}, {"units": {FIELD: "3 miner"}}, {"units": {BESIDE[4]: "miner"}}],
        {0: ["D77", "D11"], 1: [], 2: ["D78"]},
        plan=["unit:soldier", FIELD],
        tiles={FIELD: "camp"},
        control={FIELD: 0},
    ),
    # a Powermech jumps to a Soldier of its own
    "jump": Situation(
        "powermechs",
        [{"units": {TWO_OFF[0]: "powermech", FIELD: "soldier"}}, {"units": {BESIDE[4]: "miner"}}, {}],
        {0: ["D11"], 1: ["D78"], 2: []},
        plan=[TWO_OFF[0], "action:jumpjet", FIELD],
    ),
    # Shuttle Run places a Soldier beside its Ship
    "place": Situation(
        "upgrade",
        [{"discovery": ["D52"], "units": {FIELD: "soldier"}}, {"units": {TWO_FROM_SHIP: "miner"}}, {}],
        {1: ["D80", "D18", "D78", "D75"], 2: ["D80", "D18", "D75"]},
        plan=["bonus:play_card", "option:0", FIELD, BY_SHIP],
    ),
    "stay": Situation(
        "soldiers",
        [{"units": {FIELD: "soldier"}}, {"units": {BESIDE[4]: "miner"}}, {}],
        {0: ["D11"], 1: [], 2: []},
        plan=[FIELD, FIELD],
    ),
    # Units flee and escape next to a Miner of seat 2
    "flee to a miner": Situation(
        "harvesters",
        [{"units": {FIELD: "soldier"}}, {"units": {FIELD: "soldier"}}, {"units": {BESIDE[1]: "miner"}}],
        {2: ["D80", "D78"]},
        plan=["bonus:free_flee", BESIDE[0]],
        combats={FIELD: 0},
        round=2,
    ),
    "escape to a miner": Situation(
        "harvesters",
        [
            {"units": {"tundra-5-1": "harvester"}},
            {"units": {"wetlands-5-1": "miner"}},
            {"units": {"wetlands-4-0": "miner"}},
        ],
        {0: ["D73", "D11"], 1: ["D73", "D15", "D74"], 2: ["D73", "D78", "D74"]},
        plan=["done", "tundra-5-1", "wetlands-5-1", FIELD],
        tiles={"tundra-5-1": "lorium"},
        cysmograph={"singles": 3, "stack": 6},
        script={"fracture_token": ["wetlands-5"]},
    ),
    # nothing but a Ship stands where it Collapses
    "ship alone": Situation(
        "harvesters",
        [{"units": {FIELD: "harvester"}, "ship": "wetlands-5-2"}, {}, {}],
        {0: ["D73", "D11"]},
        plan=["done", FIELD],
        tiles={FIELD: "lorium"},
        cysmograph={"singles": 3, "stack": 6},
        script={"fracture_token": ["wetlands-5"]},
    ),
    # a side that must Flee and cannot is captured
    "no way out": Situation(
        "battle",
        [{"units": {FIELD: "miner"}, "lorium": 1}, {"units": {FIELD: "powermech"}}, {}],
        {0: ["D12 D13 D68", "D71", "D11"], 1: ["D12 D13 D14 D16 D68"], 2: ["D16"]},
        combats={FIELD: 1},
        tiles=CLOSED,
    ),
}
#: Every player of a situation whose hand does not matter to it.
WATCHERS = [(name, seat) for name, s in SITUATIONS.items() for seat in s.expected]


@pytest.mark.card(*REACTIONS)
@pytest.mark.rule("D2.4", "V7.1", "V7.2", "V7.3", "RUL-T12")
@pytest.mark.parametrize(("name", "seat"), WATCHERS)
def test_windows(engine: str, name: str, seat: int, secrets: Content) -> None:
    """A player with every Reaction in hand is asked in the windows it names, with the cards that fit, and in
    no others."""
    s = SITUATIONS[name]
    more = dict(s.more)
    more["options"] = {**options(more), "content": secrets}
    first = people(*s.seats, hold={seat: REACTIONS})
    t = scenario(engine, *first, **more).turn(s.play)
    seen = walk(t, plan=s.plan)
    assert seen == [(seat, cards) for cards in s.expected[seat]]


def test_every_reaction_is_watched() -> None:
    """The situations above ask for every Reaction but Veto of another Reaction at least once."""
    content = make_game("reference").content
    assert sorted(d.id for d in content.discovery if d.kind == "reaction") == REACTIONS
    asked = {
        card for s in SITUATIONS.values() for windows in s.expected.values() for w in windows for card in w
    }
    assert asked == set(REACTIONS)


# ------------------------------------------------------------------ effects: dice
def asked(t: Table, kind: str, *options: str | int, seat: int) -> Table:
    """Exactly these options are offered to this player."""
    t.expect(kind, seat)
    assert list(t.state.legal_actions()) == sorted(t.action(o) for o in options), t.options()
    return t


def react(t: Table, seat: int, card: str, *others: str) -> Table:
    """A player is asked, with exactly these cards, and plays the first."""
    asked(t, "REACT", "done", *(f"card:{c}" for c in (card, *others)), seat=seat)
    return t.do(f"card:{card}")


def strike(t: Table, seat: int) -> Table:
    """One Strike; nobody reacts or modifies."""
    t.answer("STRIKE_OR_FLEE", "strike", seat=seat)
    return t.skip(("STRIKE_OR_FLEE", "HITS"))


def discarded(t: Table, *cards: str) -> bool:
    pile = list(t.snapshot()["discovery"]["discard"])
    hands = [card for p in t.snapshot()["players"] for card in p["discovery"]]
    return all(card in pile for card in cards) and not set(cards) & set(hands)


NO_DIE = {"blue": ["reroll yellow"] * 4, "green": ["reroll yellow"] * 4}


@pytest.mark.card("D09")
@pytest.mark.rule("D5.8", "K5.4")
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_aiming(engine: str, seat: int) -> None:
    """Anybody sets one Combat Die of a Strike to 6."""
    t = fight(engine, "2 soldier", "powermech", hold={seat: ["D09"]}, script=rows([1, 4], **NO_DIE))
    t.answer("STRIKE_OR_FLEE", "strike", seat=0)
    left = t.fork().answer("REACT", "done", seat=seat)
    left.skip("STRIKE_OR_FLEE")
    assert left.units(1, FIELD) == counted("powermech")
    react(t, seat, "D09")
    asked(t, "DIE", "die:0", "die:1", seat=seat)
    t.do("die:0")
    asked(t, "HITS", "hits:0", "hits:1", seat=0)
    t.do("hits:1")
    assert t.captured(0, 1) == counted("powermech")
    assert played(t) == [(seat, "D09")]
    assert discarded(t, "D09")


@pytest.mark.card("D09")
@pytest.mark.rule("D5.8", "T9.5")
def test_aiming_comes_before_modifiers(engine: str) -> None:
    """The 6 may still be lowered: with 1 less it does not defeat a Powermech."""
    t = fight(engine, "2 soldier", "powermech", hold={2: ["D09"], 1: ["D04"]}, script=rows([1, 4], **NO_DIE))
    t.answer("STRIKE_OR_FLEE", "strike", seat=0)
    react(t, 2, "D09").answer("DIE", "die:0", seat=2)
    t.answer("MODIFIER_CARD", "card:D04", seat=1).answer("MODIFIER_DIE", "die:0", seat=1)
    t.expect("STRIKE_OR_FLEE", 1)
    assert t.units(1, FIELD) == counted("powermech")


@pytest.mark.card("D09")
@pytest.mark.rule("V7.5", "D2.4", "RUL-D4")
def test_two_copies_in_one_window(engine: str) -> None:
    """While the window is open further copies may be played on the same dice."""
    t = fight(engine, "2 soldier", "2 soldier", hold={2: ["D09", "D09"]}, script=rows([1, 2], **NO_DIE))
    t.answer("STRIKE_OR_FLEE", "strike", seat=0)
    react(t, 2, "D09").answer("DIE", "die:0", seat=2)
    react(t, 2, "D09")
    asked(t, "DIE", "die:0", "die:1", seat=2)
    t.do("die:1")
    asked(t, "HITS", "hits:0", "hits:1", "hits:3", seat=0)
    assert t.snapshot()["discovery"]["discard"] == ["D09", "D09"]


@pytest.mark.card("D66")
@pytest.mark.rule("K4.9", "V1.1")
def test_steady_hands(engine: str) -> None:
    """Up to two different dice of one's own Strike are rolled again, before the Strike Die counts."""
    t = fight(
        engine, "3 soldier", "2 soldier", hold={0: ["D66"]},
        script=rows([1, 2, 3, 6, 4], blue=["+1"], green=["reroll yellow"]),
    )  # fmt: skip
    t.answer("STRIKE_OR_FLEE", "strike", seat=0)
    react(t, 0, "D66")
    asked(t, "DIE", "done", "die:0", "die:1", "die:2", seat=0)
    t.do("die:0")
    assert len(dice(t)) == 4
    asked(t, "DIE", "done", "die:1", "die:2", seat=0)
    one = t.fork().do("done").expect("VALUE_DIE", 0)
    assert len(dice(one)) == 4
    t.do("die:1")
    assert dice(t) == [RED] * 5
    t.expect("VALUE_DIE", 0)
    t.do("die:2")  # 6, 4 and 3 + 1
    asked(t, "HITS", "hits:0", "hits:1", "hits:3", seat=0)
    assert discarded(t, "D66")


@pytest.mark.card("D67")
@pytest.mark.rule("T9.5", "V1.1")
def test_deflector(engine: str) -> None:
    """Up to two dice of a Strike against oneself count 2 less."""
    t = fight(engine, "3 soldier", "3 soldier", hold={1: ["D67"]}, script=rows([6, 5, 4], **NO_DIE))
    t.answer("STRIKE_OR_FLEE", "strike", seat=0)
    react(t, 1, "D67")
    asked(t, "DIE", "done", "die:0", "die:1", "die:2", seat=1)
    t.do("die:0")  # 6 - 2 still hits
    asked(t, "DIE", "done", "die:1", "die:2", seat=1)
    t.do("die:1")
    asked(t, "HITS", "hits:0", "hits:1", "hits:3", seat=0)


@pytest.mark.card("D12")
@pytest.mark.rule("D5.11")
@pytest.mark.parametrize("seat", [0, 1])
def test_dual_wield(engine: str, seat: int) -> None:
    """One more red die for each Soldier in the first Strike that this player makes, first or second."""
    t = fight(
        engine, "2 soldier, miner", "2 soldier, powermech", hold={seat: ["D12"]},
        script=rows([1] * 30, [1] * 9, **NO_DIE),
    )  # fmt: skip
    react(t, seat, "D12")
    for who in (0, 1, 0, 1):
        strike(t, who)
    usual, more = {0: 3, 1: 6}, {0: 5, 1: 8}
    assert strikes(t) == [
        (who, 0, (more if who == seat and i < 2 else usual)[who]) for i, who in enumerate((0, 1, 0, 1))
    ]
    assert dice(t).count(YELLOW) == 2


@pytest.mark.card("D12", "D13")
@pytest.mark.rule("D5.11", "V7.2")
@pytest.mark.parametrize("card", ["D12", "D13"])
def test_first_strike_cards_do_not_count_in_a_final_strike(engine: str, card: str) -> None:
    """The Final Strike is none of the Strikes it works on (K7.5)."""
    t = fight(engine, "2 soldier", "2 soldier", hold={1: [card]}, tiles={}, script=rows([1] * 4, **NO_DIE))
    react(t, 1, card)
    t.answer("STRIKE_OR_FLEE", "flee", seat=0).answer("FLEE_TO", BESIDE[0]).answer(
        "FINAL_STRIKE", "yes", seat=1
    )
    assert strikes(t) == [(1, 1, 2)]


@pytest.mark.card("D13")
@pytest.mark.rule("D5.11")
@pytest.mark.parametrize(
    ("ours", "red", "yellow"),
    [("soldier, miner, speaker", 2, 4), ("soldier, powermech", 7, 0), ("2 speaker, harvester", 0, 8)],
)
def test_fire_everything(engine: str, ours: str, red: int, yellow: int) -> None:
    """One more die of its own colour for each Unit in one's first Strike only."""
    t = fight(
        engine,
        ours,
        "soldier, miner",
        hold={0: ["D13"]},
        attacker=1,
        script=rows([1] * 30, [1] * 30, **NO_DIE),
    )
    react(t, 0, "D13")
    for who in (0, 1, 0):
        strike(t, who)
    number = sum(counted(ours))
    assert strikes(t) == [(0, 0, red + yellow), (1, 0, 2), (0, 0, red + yellow - number)]
    assert dice(t)[: red + yellow] == [RED] * red + [YELLOW] * yellow


@pytest.mark.card("D14")
@pytest.mark.rule("D5.12")
def test_heavy_metal(engine: str) -> None:
    """Two more red dice in every Strike of the Combat, also when the Powermech is gone."""
    t = fight(
        engine, "2 soldier, powermech", "2 soldier", hold={0: ["D14"]},
        script=rows([1] * 8 + [6, 4] + [1] * 9, **NO_DIE),
    )  # fmt: skip
    react(t, 0, "D14")
    strike(t, 0)
    strike(t, 1).answer("HITS", "hits:4", seat=1)
    assert t.captured(1, 0) == counted("powermech")
    strike(t, 0)
    assert strikes(t) == [(0, 0, 8), (1, 0, 2), (0, 0, 4)]


@pytest.mark.card("D14")
@pytest.mark.rule("D5.12", "V7.3")
def test_heavy_metal_needs_a_powermech_there(engine: str) -> None:
    """One of the opponent's, or elsewhere, is not enough."""
    seats = ({"units": {"tundra-5-1": "powermech"}}, {}, {})
    fight(engine, "2 soldier", "soldier, powermech", hold={0: ["D14"]}, seats=seats).expect(
        "STRIKE_OR_FLEE", 0
    )


# ------------------------------------------------------------------ effects: Combat
@pytest.mark.card("D16")
@pytest.mark.rule("D5.8", "K5.4", "V7.6")
def test_sniper(engine: str) -> None:
    """A bystander destroys one Troop of either side; with the last Unit of a side the Combat is over."""
    t = fight(engine, "soldier, powermech", "miner, harvester", hold={2: ["D16"]})
    one = react(t.fork(), 2, "D16")
    asked(one, "UNIT_OWNER", "player:0", "player:1", seat=2)
    one.do("player:1")
    assert one.units(1, FIELD) == counted("harvester")
    assert [e[1:5] for e in one.events("LEAVE")] == [(1, MINER, FIELD, 0)]
    assert one.captured(2, 1) == [0] * 5
    one.expect("STRIKE_OR_FLEE", 0)
    t = fight(engine, "soldier", "miner", hold={2: ["D16"]}).do("card:D16").answer("UNIT_OWNER", "player:1")
    assert [e[1:3] for e in t.events("COMBAT_END")] == [(0, FIELD)]
    assert t.events("STRIKE") == []
    t.expect("BONUS", 0)


@pytest.mark.card("D16")
@pytest.mark.rule("D5.8", "V1.8")
@pytest.mark.parametrize("seat", [0, 1])
def test_sniper_of_a_side(engine: str, seat: int) -> None:
    """Somebody in the Combat may only aim at the other side, and only at Troops."""
    t = fight(engine, "2 soldier, miner", "soldier, speaker, powermech", hold={seat: ["D16"]})
    react(t, seat, "D16")
    types = ["unit:soldier", "unit:miner"] if seat else ["unit:soldier", "unit:speaker"]
    asked(t, "UNIT_TYPE", *types, seat=seat)
    t.do("unit:soldier")
    assert t.units(1 - seat, FIELD)[SOLDIER] == (1 if seat else 0)


@pytest.mark.card("D17")
@pytest.mark.rule("D5.8", "K5.4")
@pytest.mark.parametrize("seat", [1, 2])
def test_targeting(engine: str, seat: int) -> None:
    """Who plays it assigns the hits, none if preferred; what is hit is the striker's captive."""
    t = fight(engine, "2 soldier", "soldier, miner", hold={seat: ["D17"]}, script=rows([4, 3], **NO_DIE))
    t.answer("STRIKE_OR_FLEE", "strike", seat=0).skip("REACT")
    react(t, seat, "D17")
    asked(t, "HITS", "hits:0", "hits:1", "hits:2", "hits:3", seat=seat)
    t.do("hits:2")
    assert t.captured(0, 1) == counted("miner")
    t.expect("STRIKE_OR_FLEE", 1)


@pytest.mark.card("D17")
@pytest.mark.rule("D5.8", "V7.3")
def test_targeting_twice(engine: str) -> None:
    """The next Strike is assigned by its striker again."""
    t = fight(engine, "2 soldier", "2 soldier", hold={2: ["D17"]}, script=rows([4, 1, 4, 1], **NO_DIE))
    t.answer("STRIKE_OR_FLEE", "strike", seat=0)
    react(t, 2, "D17").answer("HITS", "hits:0", seat=2)
    t.answer("STRIKE_OR_FLEE", "strike", seat=1).expect("HITS", 1)


@pytest.mark.card("D68")
@pytest.mark.rule("V7.7", "K2.3")
@pytest.mark.parametrize("attacker", [0, 1])
def test_quick_draw(engine: str, attacker: int) -> None:
    """The side that plays it strikes first, whoever resolves and attacks; the later card counts."""
    t = fight(engine, "soldier", "soldier", hold={0: ["D68"], 1: ["D68"]}, attacker=attacker)
    t.fork().answer("REACT", "done", seat=0).answer("REACT", "done", seat=1).expect("STRIKE_OR_FLEE", 0)
    t.answer("REACT", "done", seat=0)
    react(t, 1, "D68")
    t.expect("REACT", 0)
    t.fork().do("done").expect("STRIKE_OR_FLEE", 1)
    t.do("card:D68").expect("STRIKE_OR_FLEE", 0)
    assert played(t) == [(1, "D68"), (0, "D68")]


@pytest.mark.card("D69")
@pytest.mark.rule("V1.4")
def test_no_way_out(engine: str) -> None:
    """A Flee in a resolution becomes a Strike; at the next choice there is Flee again."""
    t = fight(engine, "2 soldier", "2 soldier", hold={1: ["D69"]}, tiles={}, script=rows([1] * 4, **NO_DIE))
    t.answer("STRIKE_OR_FLEE", "flee", seat=0).answer("FLEE_TO", BESIDE[0], seat=0)
    react(t, 1, "D69")
    assert strikes(t) == [(0, 0, 2)]
    assert t.units(0, FIELD) == counted("2 soldier")
    strike(t, 1).expect("STRIKE_OR_FLEE", 0)
    assert t.options() == ["strike", "flee"]
    assert discarded(t, "D69")


@pytest.mark.card("D69")
@pytest.mark.rule("V1.4")
def test_no_way_out_for_who_must_flee(engine: str) -> None:
    """It strikes even if it cannot defeat anyone."""
    t = fight(engine, "miner", "powermech", hold={1: ["D69"]}, tiles={}, script=rows([1] * 4, [4], **NO_DIE))
    if t.kind == "STRIKE_OR_FLEE":
        t.do("flee")
    t.answer("FLEE_TO", BESIDE[0], seat=0)
    react(t, 1, "D69")
    assert strikes(t)[0] == (0, 0, 1)
    assert t.units(0, FIELD) == counted("miner")


@pytest.mark.card("D69")
@pytest.mark.rule("V1.4")
def test_no_way_out_of_a_free_flee(engine: str) -> None:
    """Outside a resolution nothing more happens; the Bonus Action is spent."""
    t = bonus(
        engine,
        "free_flee",
        {"units": {FIELD: "soldier"}},
        {"units": {FIELD: "soldier"}},
        hold={1: ["D69"]},
        combats={FIELD: 0},
    )
    t.do("bonus:free_flee").answer("FLEE_TO", BESIDE[0])
    react(t, 1, "D69")
    assert t.units(0, FIELD) == counted("soldier")
    assert t.events("STRIKE") == []
    t.expect("BURN", 1)


@pytest.mark.card("D70")
@pytest.mark.rule("K7.4")
def test_covering_smoke(engine: str) -> None:
    """No Final Strike is offered."""
    t = fight(engine, "2 soldier", "2 soldier", hold={0: ["D70"]}, tiles={})
    t.answer("STRIKE_OR_FLEE", "flee", seat=0).answer("FLEE_TO", BESIDE[0], seat=0)
    t.fork().answer("REACT", "done", seat=0).expect("FINAL_STRIKE", 1)
    react(t, 0, "D70")
    assert t.units(0, BESIDE[0]) == counted("2 soldier")
    assert t.events("STRIKE") == []
    t.expect("BONUS", 0)


@pytest.mark.card("D71")
@pytest.mark.rule("V1.6", "V1.2")
def test_bribed_guards(engine: str) -> None:
    """1 Lorium to the captor, and one of the Units goes home instead; the others are captured."""
    t = fight(
        engine,
        "2 soldier",
        "soldier, miner",
        hold={1: ["D71"]},
        seats=({}, {"lorium": 2}, {}),
        script=rows([4, 3], **NO_DIE),
    )
    strike(t, 0).answer("HITS", "hits:3", seat=0)
    react(t, 1, "D71")
    asked(t, "UNIT_TYPE", "unit:soldier", "unit:miner", seat=1)
    t.do("unit:miner")
    assert (t.player(0)["lorium"], t.player(1)["lorium"]) == (1, 1)
    assert t.captured(0, 1) == counted("soldier")
    assert t.units(1, FIELD) == [0] * 5
    assert [e[1:5] for e in t.events("LEAVE")] == [(1, MINER, FIELD, 1)]
    assert [e[1:3] for e in t.events("COMBAT_END")] == [(0, FIELD)]


@pytest.mark.card("D71")
@pytest.mark.rule("V1.6")
def test_bribed_guards_against_an_effect(engine: str) -> None:
    """Capture a Troop (N3.1) leaves its captor with 1 Lorium."""
    t = bonus(
        engine,
        "capture_troop",
        {"units": {FIELD: "soldier"}},
        {"units": {FIELD: "soldier, powermech"}, "lorium": 1},
        hold={1: ["D71"]},
        combats={FIELD: 0},
        play="soldiers",
    )
    t.do("bonus:capture_troop")
    react(t, 1, "D71")
    assert (t.player(0)["lorium"], t.player(1)["lorium"]) == (1, 0)
    assert t.captured(0, 1) == [0] * 5
    assert t.units(1, FIELD) == counted("powermech")


@pytest.mark.card("D77")
@pytest.mark.rule("V7.8", "R2.1")
@pytest.mark.parametrize("seat", [0, 1])
def test_reinforcements(engine: str, seat: int) -> None:
    """Attacker or Defender Deploys any Troop into the space where the Combat has begun."""
    seats = people({"units": {BESIDE[0]: "soldier"}}, {"units": {FIELD: "miner"}}, hold={seat: ["D77"]})
    t = scenario(engine, *seats, options=options({})).turn("soldiers")
    t.answer("ACT_SPACE", BESIDE[0]).answer("MOVE_TO", FIELD)
    react(t, seat, "D77")
    asked(t, "DEPLOY_TYPE", "unit:soldier", "unit:miner", "unit:speaker", seat=seat)
    t.do("unit:speaker")
    assert t.units(seat, FIELD) == counted("speaker, miner" if seat else "soldier, speaker")
    assert t.attacker(FIELD) == 0


@pytest.mark.card("D78")
@pytest.mark.rule("V7.8", "V1.8")
def test_tripwire(engine: str) -> None:
    """An enemy Troop in the space where one has come to rest is destroyed."""
    seats = people(
        {"units": {TWO_OFF[0]: "soldier", FIELD: "miner, harvester"}},
        {"units": {BESIDE[4]: "miner"}},
        {},
        hold={1: ["D78"]},
    )
    t = scenario(engine, *seats, options=options({})).turn("soldiers")
    t.answer("ACT_SPACE", TWO_OFF[0]).answer("MOVE_TO", FIELD)
    react(t, 1, "D78")
    asked(t, "UNIT_TYPE", "unit:soldier", "unit:miner", seat=1)
    t.do("unit:miner")
    assert t.units(0, FIELD) == counted("soldier, harvester")
    assert [e[1:5] for e in t.events("LEAVE")] == [(0, MINER, FIELD, 0)]


@pytest.mark.card("D78")
@pytest.mark.rule("V7.8", "V1.8")
def test_tripwire_spares_your_own(engine: str) -> None:
    """Where the enemy has met Troops of one's own only the enemy's can be destroyed."""
    seats = people(
        {"units": {BESIDE[0]: "soldier"}},
        {"units": {FIELD: "soldier", BESIDE[4]: "miner"}},
        {},
        hold={1: ["D78"]},
    )
    t = scenario(engine, *seats, options=options({})).turn("soldiers")
    t.answer("ACT_SPACE", BESIDE[0]).answer("MOVE_TO", FIELD)
    react(t, 1, "D78")
    assert t.units(0, FIELD) == [0] * 5
    assert t.units(1, FIELD) == counted("soldier")


@pytest.mark.card("D78", "D05")
@pytest.mark.rule("V7.1", "V1.8")
def test_tripwire_for_a_unit_steered_by_its_holder(engine: str) -> None:
    """Whoever has moved it: an enemy Soldier that Manipulated leads beside one's own Miner."""
    seats = people(
        {"units": {BESIDE[4]: "miner"}}, {"units": {TWO_OFF[0]: "soldier"}}, {"units": {FIELD: "harvester"}},
        hold={0: ["D05", "D78"]},
    )  # fmt: skip
    t = (
        at_bonus(engine, "two_cards", *seats, options=options({}))
        .do("bonus:play_card")
        .do("card:D05", "option:0")
    )
    t.answer("MOVE_TO", FIELD, seat=0)
    react(t, 0, "D78")
    assert t.units(1, FIELD) == [0] * 5
    assert t.units(2, FIELD) == counted("harvester")


@pytest.mark.card("D78", "D77")
@pytest.mark.rule("V7.8", "V7.6")
def test_tripwire_before_the_combat_is_reinforced(engine: str) -> None:
    """Coming to rest comes first: with the Soldier destroyed no Combat is left to be reinforced."""
    seats = people(
        {"units": {BESIDE[0]: "soldier"}}, {"units": {FIELD: "miner"}}, {"units": {BESIDE[3]: "miner"}},
        hold={2: ["D78"], 1: ["D77"]},
    )  # fmt: skip
    t = scenario(engine, *seats, options=options({})).turn("soldiers")
    t.answer("ACT_SPACE", BESIDE[0]).answer("MOVE_TO", FIELD)
    t.fork().answer("REACT", "done", seat=2).expect("REACT", 1)
    react(t, 2, "D78")
    asked(t, "UNIT_OWNER", "player:0", "player:1", seat=2)
    spared = t.fork().do("player:1")
    assert spared.units(1, FIELD) == [0] * 5
    assert spared.attacker(FIELD) is None
    t.do("player:0")
    assert t.units(0, FIELD) == [0] * 5
    assert [e[1:3] for e in t.events("COMBAT_END")] == [(1, FIELD)]
    t.expect("BONUS", 0)


# ------------------------------------------------------------------ effects: Bonus Actions
def bonus(
    engine: str,
    cell: str,
    *seats: Mapping[str, Any],
    hold: Mapping[int, Sequence[str]],
    play: str | None = None,
    **more: Any,
) -> Table:
    """Seat 0 at its Bonus decision, in the Column of a cell, among three players. If it holds cards that are
    asked for before that, it is at that question."""
    everyone = people(*seats, *({} for _ in range(3 - len(seats))), hold=hold)
    more["options"] = options(more)
    column, colour = CELL.get(cell, (1, "green"))
    more.setdefault("round", column)
    t = scenario(engine, *everyone, **more).turn(
        play or PLAIN_CARD[colour], "recruit" if play == "battle" else "battle"
    )
    return t.skip(("BONUS", "REACT"))


@pytest.mark.card("D10")
@pytest.mark.rule("D5.9", "V7.5")
def test_bonus_bonus(engine: str) -> None:
    """One more Bonus Action of the same icons and Column, the same one too; a second copy yet another."""
    t = bonus(
        engine, "two_cards", hold={0: ["D10", "D10"]}, discovery={"draw": ["D01"] + ["D02"] * 2 + ["D03"] * 2}
    )
    offered = t.expect("BONUS", 0).options()
    t.do("bonus:two_cards")
    t.fork().answer("REACT", "done", seat=0).skip("BURN").expect("BURN", 1)
    react(t, 0, "D10").expect("BONUS", 0)
    assert t.options() == offered[1:]  # all but DONE; nothing has changed
    assert {"bonus:two_cards", "bonus:gain_card", "bonus:play_card"} < set(t.options())
    t.do("bonus:two_cards")
    assert t.player(0)["discovery"] == ["D01", "D02", "D02", "D03", "D10"]
    react(t, 0, "D10").answer("BONUS", "bonus:gain_card", seat=0)
    assert played(t) == [(0, "D10")] * 2
    assert len(t.events("DRAW")) == 5


@pytest.mark.card("D11")
@pytest.mark.rule("D5.10", "V9.4")
def test_colorblind(engine: str) -> None:
    """One Bonus Action for each icon, Grey included and one by a Relic, each once; it may stop earlier."""
    t = bonus(
        engine,
        "two_cards",
        {"slots": [{"relic": "R31"}, None]},
        hold={0: ["D11"]},
        discovery={"draw": ["D01", "D02", "D03"]},
    )
    plain = t.fork().answer("REACT", "done", seat=0).answer("BONUS", "bonus:two_cards", seat=0)
    plain.skip("BURN").expect("BURN", 1)
    react(t, 0, "D11").expect("BONUS", 0)
    yellow, blue, purple, grey = "two_cards", "hand_action", "two_lorium", "gain_card"
    assert {f"bonus:{c}" for c in (yellow, blue, purple, grey)} <= set(t.options())
    assert "bonus:deploy_one" not in t.options()  # no green icon
    t.do("bonus:two_lorium")
    assert "bonus:two_lorium" not in t.expect("BONUS", 0).options()
    t.fork().do("done").expect("BURN", 1)
    t.do("bonus:gain_card")
    assert not {"bonus:two_lorium", "bonus:gain_card", "bonus:play_card"} & set(
        t.expect("BONUS", 0).options()
    )
    t.do("bonus:two_cards").expect("BONUS", 0)
    assert t.options() == ["done", "bonus:hand_action"]
    t.do("done")
    assert t.player(0)["lorium"] == 2
    assert t.player(0)["discovery"] == ["D01", "D02", "D03"]


@pytest.mark.card("D75")
@pytest.mark.rule("V1.3")
@pytest.mark.parametrize(("cell", "number"), [("two_cards", 2), ("gain_card", 1)])
def test_me_too(engine: str, cell: str, number: int) -> None:
    """The same Bonus Action, coloured or Grey, for oneself."""
    t = bonus(
        engine, cell, hold={1: ["D75"]}, play="upgrade", discovery={"draw": ["D01", "D02", "D03", "D04"]}
    )
    t.do(f"bonus:{cell}")
    react(t, 1, "D75")
    assert [e[1] for e in t.events("DRAW")] == [0] * number + [1] * number
    assert len(t.player(1)["discovery"]) == number
    t.expect("BURN", 1)


@pytest.mark.card("D75", "D10")
@pytest.mark.rule("V7.3", "V7.5")
def test_no_icons_without_a_played_card(engine: str) -> None:
    """Bonus Bonus cannot follow a Bonus Action of Me Too: its player has Played nothing this turn."""
    t = bonus(
        engine,
        "two_cards",
        hold={1: ["D75", "D10"]},
        play="upgrade",
        discovery={"draw": ["D01", "D02", "D02", "D04"]},
    )
    t.do("bonus:two_cards")
    react(t, 1, "D75")
    assert len(t.player(1)["discovery"]) == 3
    t.expect("BURN", 1)


@pytest.mark.card("D10", "D75")
@pytest.mark.rule("V7.3")
def test_bonus_bonus_follows_only_its_own_players(engine: str) -> None:
    """When somebody else performs the same one by Me Too it is not asked about that."""
    t = bonus(
        engine, "two_cards", hold={0: ["D10"], 1: ["D75"]}, discovery={"draw": ["D01", "D02", "D02", "D04"]}
    )
    t.do("bonus:two_cards").answer("REACT", "done", seat=0)
    react(t, 1, "D75")
    t.answer("REACT", "done", seat=0)  # once more about its own, since somebody has played
    t.expect("BURN", 1)


@pytest.mark.card("D80")
@pytest.mark.rule("V1.5", "V1.9")
def test_red_tape(engine: str) -> None:
    """Two Lorium to who plays it, or the Bonus Action has no effect and is spent."""
    t = bonus(engine, "two_cards", {"lorium": 3}, hold={2: ["D80"]}, discovery={"draw": ["D01", "D02"]})
    t.do("bonus:two_cards")
    react(t, 2, "D80")
    asked(t, "CHOOSE", "option:0", "option:1", seat=0)
    paid = t.fork().do("option:0")
    assert (paid.player(0)["lorium"], paid.player(2)["lorium"]) == (1, 2)
    assert paid.player(0)["discovery"] == ["D01", "D02"]
    paid.expect("BURN", 1)
    t.do("option:1")
    assert (t.player(0)["lorium"], t.player(2)["lorium"]) == (3, 0)
    assert t.player(0)["discovery"] == []
    t.expect("BURN", 1)


@pytest.mark.card("D80", "D75", "D10")
@pytest.mark.rule("V1.9", "V7.6")
def test_red_tape_for_who_cannot_pay(engine: str) -> None:
    """With 1 Lorium nothing is asked: it has no effect, its card stays in hand, and nothing is `done`."""
    t = bonus(
        engine, "play_card", {"lorium": 1}, hold={0: ["D56", "D10"], 1: ["D75"], 2: ["D80"]}, play="upgrade"
    )
    t.do("bonus:play_card")
    react(t, 2, "D80")
    assert t.player(0)["discovery"] == ["D10", "D56"]
    assert t.player(0)["lorium"] == 1
    assert played(t, 0) == []
    t.expect("BURN", 1)


# ------------------------------------------------------------------ Vetoes
def first_card(engine: str, card: str, hold: Mapping[int, Sequence[str]], *mode: str, **more: Any) -> Table:
    """Seat 0 plays a card by its Bonus Action, with the options named."""
    t = bonus(engine, "two_cards", hold={**hold, 0: [card, *hold.get(0, ())]}, **more).do("bonus:play_card")
    if t.kind == "PLAY_CARD":
        t.do(f"card:{card}")
    return t.answer("PLAY_MODE", *mode)


@pytest.mark.card("D18")
@pytest.mark.rule("D5.14", "D1.2")
@pytest.mark.parametrize("mode", ["option:0", "option:1"], ids=["ability", "rewards"])
def test_veto(engine: str, mode: str) -> None:
    """Neither Ability nor Rewards; both cards are discarded, the Bonus Action is spent."""
    t = first_card(engine, "D56", {1: ["D18"]}, mode, cysmograph={"singles": 3, "stack": 5})
    assert t.snapshot()["discovery"]["discard"] == []
    react(t, 1, "D18")
    assert t.snapshot()["cysmograph"] == {"singles": 3, "stack": 5}
    assert t.player(0)["lorium"] == 0
    assert t.snapshot()["discovery"]["discard"] == ["D18", "D56"]
    t.expect("BURN", 1)


@pytest.mark.card("D18")
@pytest.mark.rule("D5.14", "RUL-D3", "V7.5", "V7.6")
@pytest.mark.parametrize("seat", [0, 2])
def test_veto_of_a_veto(engine: str, seat: int) -> None:
    """The last played counts first: the vetoed Veto has no effect, so the card has."""
    t = first_card(
        engine, "D56", {1: ["D18"], seat: ["D18"]}, "option:0", cysmograph={"singles": 3, "stack": 5}
    )
    react(t, 1, "D18")
    react(t, seat, "D18")
    assert t.snapshot()["cysmograph"] == {"singles": 3, "stack": 4}
    assert t.player(0)["lorium"] == 2
    assert t.snapshot()["discovery"]["discard"] == ["D18", "D18", "D56"]
    assert played(t) == [(1, "D18"), (seat, "D18")]


@pytest.mark.card("D18")
@pytest.mark.rule("D5.14", "V7.3")
def test_a_veto_passed_over_stays_in_hand(engine: str) -> None:
    """Two holders are asked in turn; nobody may veto the own card."""
    t = first_card(engine, "D56", {1: ["D18"], 2: ["D18"]}, "option:0", cysmograph={"singles": 3, "stack": 5})
    t.answer("REACT", "done", seat=1).answer("REACT", "done", seat=2)
    assert t.player(0)["lorium"] == 2
    assert t.player(1)["discovery"] == t.player(2)["discovery"] == ["D18"]
    t = first_card(engine, "D56", {0: ["D18"]}, "option:0")
    assert t.player(0)["lorium"] == 2
    assert t.player(0)["discovery"] == ["D18"]


@pytest.mark.card("D18", "D16")
@pytest.mark.rule("D5.14", "V7.5")
def test_veto_of_a_reaction(engine: str) -> None:
    """A Reaction that is vetoed is discarded and its window goes on."""
    t = fight(engine, "2 soldier", "2 soldier", hold={0: ["D68"], 1: ["D18"], 2: ["D16"]})
    t.answer("REACT", "done", seat=0)
    react(t, 2, "D16")
    react(t, 1, "D18")
    assert t.units(0, FIELD) == t.units(1, FIELD) == counted("2 soldier")
    assert discarded(t, "D16", "D18")
    asked(t, "REACT", "done", "card:D68", seat=0)
    t.do("done").expect("STRIKE_OR_FLEE", 0)


@pytest.mark.card("D18")
@pytest.mark.rule("D5.14", "D2.2")
def test_no_veto_of_a_modifier(engine: str) -> None:
    """A card on a die is not played in that sense."""
    t = fight(engine, "soldier", "soldier", hold={0: ["D56"], 1: ["D18"]}, script=rows([3], **NO_DIE))
    t.answer("STRIKE_OR_FLEE", "strike", seat=0).answer("MODIFIER_CARD", "card:D56", seat=0)
    t.skip("HITS").expect("HITS", 0)
    assert t.options() == ["hits:0", "hits:1"]
    assert t.player(1)["discovery"] == ["D18"]


# ------------------------------------------------------------------ effects: the planet
@pytest.mark.card("D15")
@pytest.mark.rule("D5.13", "V1.7", "Y4.2")
def test_life_flight(engine: str) -> None:
    """All one's Troops and Vehicles on collapsing spaces, one by one, to Deploy Locations that stay; the Ship
    has to see for itself."""
    ship, two, combat, camp = (space(f"wetlands-5-{n}") for n in (2, 0, 4, 3))
    area = set(landscape(4, 5))
    seats = people(
        {"ship": ship, "units": {two: "soldier, miner", combat: "harvester", "tundra-5-1": "harvester"}},
        {"units": {combat: "soldier"}}, {}, hold={0: ["D15"]},
    )  # fmt: skip
    t = scenario(
        engine, *seats, options=options({}), tiles={"tundra-5-1": "lorium", camp: "camp", FIELD: "camp"},
        control={camp: 0, FIELD: 0}, combats={combat: 0},
        cysmograph={"singles": 3, "stack": 6}, script={"fracture_token": ["wetlands-5"]},
    ).turn("harvesters")  # fmt: skip
    t.answer("ACT_SPACE", "done").answer("ACT_SPACE", "tundra-5-1")
    react(t, 0, "D15")
    homes = (NEAR[ship] | {FIELD}) - area
    for _ in range(3):
        asked(t, "PLACE_TO", *sorted(homes), seat=0)
        t.do(FIELD if t.units(0, FIELD) == [0] * 5 else max(homes))
    assert t.units(0, FIELD) == counted("soldier")
    assert t.units(0, max(homes)) == counted("miner, harvester")
    assert [e[1:3] for e in t.events("COMBAT_END")] == [(1, combat)]
    t.skip("ESCAPE_TO").expect("ESCAPE_TO", 0)
    assert t.player(0)["ship"] == ship
    t.do(min(t.spaces() - {FIELD, max(homes)})).skip("BURN")
    assert [e[1:4] for e in t.events("LEAVE")] == [(1, SOLDIER, combat)]
    assert discarded(t, "D15")


@pytest.mark.card("D15")
@pytest.mark.rule("D5.13", "V7.3")
def test_life_flight_without_a_place(engine: str) -> None:
    """With no Deploy Location left it cannot be played."""
    seats = people(
        {"units": {"tundra-5-1": "harvester", "wetlands-5-1": "soldier"}}, {}, {}, hold={0: ["D15"]}
    )
    t = scenario(
        engine,
        *seats,
        options=options({}),
        tiles={"tundra-5-1": "lorium", **dict.fromkeys(NEAR[SHIP], "lake")},
        cysmograph={"singles": 3, "stack": 6},
        script={"fracture_token": ["wetlands-5"]},
    ).turn("harvesters")
    t.answer("ACT_SPACE", "done").answer("ACT_SPACE", "tundra-5-1")
    assert walk(t) == []
    assert [e[1:4] for e in t.events("LEAVE")] == [(0, SOLDIER, space("wetlands-5-1"))]


@pytest.mark.card("D73")
@pytest.mark.rule("V7.6", "Y3.2")
def test_seismic_forecast(engine: str) -> None:
    """Another token is drawn and the first returned; a second copy may meet the new one."""
    seats = people({"units": {FIELD: "harvester"}}, {}, {}, hold={1: ["D73"], 2: ["D73"]})
    t = scenario(
        engine, *seats, options=options({}), tiles={FIELD: "lorium"}, cysmograph={"singles": 3, "stack": 6},
        script={"fracture_token": ["wetlands-5", "tundra-5", "false_alarm"]},
    ).turn("harvesters")  # fmt: skip
    t.answer("ACT_SPACE", "done").answer("ACT_SPACE", FIELD)
    t.answer("REACT", "done", seat=1)
    react(t, 2, "D73")
    kept = t.fork().answer("REACT", "done", seat=1)
    assert {e[2] for e in kept.events("COLLAPSE")} == set(landscape(3, 5))
    assert "wetlands-5" in kept.snapshot()["bag"]
    assert "tundra-5" not in kept.snapshot()["bag"]
    react(t, 1, "D73")
    assert t.events("COLLAPSE") == []
    assert {"wetlands-5", "tundra-5"} <= set(t.snapshot()["bag"])
    assert t.snapshot()["bag"].count("false_alarm") == 1
    assert len(t.events("FRACTURE")) == 1


# ------------------------------------------------------------------ effects: goods, Habitats, Launch
@pytest.mark.card("D72")
@pytest.mark.rule("V1.1")
@pytest.mark.parametrize(
    ("unit", "rolled", "drops"),
    [
        ("harvester", [5, 5, 1], [("die:0", "die:2"), ("die:0", "die:1")]),
        ("powermech", [1, 5, 2, 5], [("die:1", "die:0", "die:2"), ("die:2", "die:0", "die:1")]),
    ],
)
def test_firewall(engine: str, unit: str, rolled: list[int], drops: list[tuple[str, ...]]) -> None:
    """Two dice of a Cyber Attack on oneself are taken away before anything counts."""
    script = rows(rolled if unit == "powermech" else [], rolled if unit == "harvester" else [])
    seats = people({"units": {NEXT_TO_THEM: unit}}, {}, {}, hold={1: ["D72"]})
    t = scenario(engine, *seats, options=options({}), script=script).turn("negotiate").skip("CYBER_SPACE")
    t.do(NEXT_TO_THEM)
    assert len(t.fork().answer("REACT", "done", seat=1).skip("BONUS").events("BLUEPRINT")) == 1
    react(t, 1, "D72")
    for offered in drops:
        asked(t, "DIE", *offered, seat=1)
        t.do(offered[0])
    t.expect("BONUS", 0)
    assert t.events("BLUEPRINT") == []


@pytest.mark.card("D72")
@pytest.mark.rule("V1.1", "V7.6")
def test_firewall_against_one_die(engine: str) -> None:
    """As many as there are: none is left, and the attack fails."""
    seats = people({"units": {NEXT_TO_THEM: "soldier"}}, {}, {}, hold={1: ["D72"]})
    t = scenario(engine, *seats, options=options({}), script=rows([5])).turn("negotiate").skip("CYBER_SPACE")
    react(t.do(NEXT_TO_THEM), 1, "D72")
    assert t.events("BLUEPRINT") == []
    assert dice(t) == [RED]


@pytest.mark.card("D74")
@pytest.mark.rule("V7.3")
def test_war_profiteer(engine: str) -> None:
    """2 Lorium from the supply, once for the whole gathering."""
    seats = people({"units": {FIELD: "2 miner"}}, {}, {"lorium": 1}, hold={2: ["D74"]})
    t = scenario(engine, *seats, options=options({}), tiles={FIELD: "lorium"}).turn("miners")
    t.answer("ACT_SPACE", "done").answer("ACT_SPACE", FIELD).answer("ACT_SPACE", FIELD)
    react(t, 2, "D74")
    assert (t.player(0)["lorium"], t.player(2)["lorium"]) == (2, 3)


@pytest.mark.card("D76")
@pytest.mark.rule("V1.4")
@pytest.mark.parametrize(("card", "unit"), [("speakers", "speaker"), ("soldiers", "soldier")])
def test_loyal_crowd(engine: str, card: str, unit: str) -> None:
    """Neither Persuade nor Neutralize changes anything there."""
    seats = people({"units": {CAMP: unit}}, {}, {}, hold={1: ["D76"]})
    t = scenario(engine, *seats, options=options({}), tiles={CAMP: "camp"}, control={CAMP: 1}).turn(card)
    t.answer("ACT_SPACE", "done").answer("ACT_SPACE", CAMP)
    assert t.fork().answer("REACT", "done", seat=1).controller(CAMP) != 1
    react(t, 1, "D76")
    assert t.controller(CAMP) == 1
    assert t.events("INFLUENCE_CONTROL") == []


@pytest.mark.card("D76")
@pytest.mark.rule("N4.3")
def test_loyal_crowd_of_colony_city(engine: str) -> None:
    """The Resource paid for the Bonus Action stays spent."""
    t = bonus(engine, "colony_city", {"lorium": 1}, hold={1: ["D76"]}, control={0: 1})
    react(t.do("bonus:colony_city"), 1, "D76")
    assert t.controller(0) == 1
    assert t.player(0)["lorium"] == 0
    t.expect("BURN", 1)


@pytest.mark.card("D79")
@pytest.mark.rule("L2.3")
@pytest.mark.parametrize(
    ("face", "stranded", "success"),
    [("4", 2, True), ("4", 3, False), ("any", 3, True), ("any", 4, False), ("1", 1, False)],
)
def test_pang_of_guilt(engine: str, face: str, stranded: int, success: bool) -> None:
    """The Humanity Die counts two places less."""
    units = {FIELD: f"{min(stranded, 3)} soldier", **({BESIDE[0]: "soldier"} if stranded > 3 else {})}
    me = {"units": units, "blueprints": list(MODULES), "modules": list(MODULES), "ship": "savannah-4-1"}
    t = bonus(engine, "two_cards", me, hold={2: ["D79"]}, script={"humanity_die": [face]}).do("done")
    t.answer("LAUNCH", "yes", seat=0)
    react(t, 2, "D79")
    assert [e[1:4] for e in t.events("LAUNCH")] == [(0, int(success), stranded)]
    assert (t.kind == "NONE") is success


@pytest.mark.card("D81")
@pytest.mark.rule("V1.4", "V7.6")
@pytest.mark.parametrize(
    ("card", "victim", "choice"),
    [
        ("D43", {"lorium": 2}, []),
        ("D42", {}, []),
        ("D44", {"lorium": 2}, ["resource:lorium"]),
        ("D65", {}, ["card:D03"]),
    ],
    ids=["Lorium stolen", "card stolen", "Lorium lost", "card seen and stolen"],
)
def test_safe_house(
    engine: str, card: str, victim: dict[str, Any], choice: list[str], secrets: Content
) -> None:
    """What another player's effect would take stays where it is."""
    everyone = people({}, victim, hold={0: [card], 1: ["D03", "D81"]})
    more = {"options": {**options({}), "content": secrets}}
    t = at_bonus(engine, "two_cards", *everyone, **more).do("bonus:play_card").answer("PLAY_MODE", "option:0")
    for action in choice:
        t.do(action)
    react(t, 1, "D81")
    assert t.player(1)["lorium"] == victim.get("lorium", 0)
    assert t.player(1)["discovery"] == ["D03"]
    assert t.player(0)["lorium"] == 0
    assert t.player(0)["discovery"] == []
    assert discarded(t, "D81", card)


@pytest.mark.card("D81")
@pytest.mark.rule("V1.4")
@pytest.mark.parametrize("cell", ["steal_captive", "discard_relic"])
def test_safe_house_of_captives_and_relics(engine: str, cell: str, secrets: Content) -> None:
    victim = {"captured": {2: "soldier"}, "slots": [{"relic": "R24"}, None]}
    t = bonus(engine, cell, {}, victim, hold={1: ["D81"]}, options={"content": secrets}).do(f"bonus:{cell}")
    react(t, 1, "D81")
    assert t.captured(1, 2) == counted("soldier")
    assert t.player(1)["slots"] == [{"relic": "R24"}, None]
    assert t.captured(0, 2) == [0] * 5


# ------------------------------------------------------------------ several Reactions in one window
@pytest.mark.card("D12", "D13", "D16", "D68")
@pytest.mark.rule("D2.4", "RUL-D4", "T9.3", "V7.3", "V7.5")
def test_round_and_round(engine: str) -> None:
    """From the active player clockwise, one card at a time, until everybody in a row has passed; who passed
    may play after all once somebody else has."""
    seats = people(
        {"units": {FIELD: "2 soldier"}}, {"units": {FIELD: "3 soldier"}}, {},
        hold={0: ["D13", "D68"], 1: ["D12", "D68"], 2: ["D16"]},
    )  # fmt: skip
    t = scenario(
        engine,
        *seats,
        options=options({}),
        tiles=ONE_EXIT,
        combats={FIELD: 0},
        current_player=1,
        script=rows([1] * 9, **NO_DIE),
    ).turn("battle")
    asked(t, "REACT", "done", "card:D12", "card:D68", seat=1)
    t.do("done")
    react(t, 2, "D16").answer("UNIT_OWNER", "player:1")
    asked(t, "REACT", "done", "card:D13", "card:D68", seat=0)
    t.do("card:D68")
    react(t, 1, "D68", "D12")
    # seat 2 has nothing left
    asked(t, "REACT", "done", "card:D13", seat=0)
    t.do("done")
    react(t, 1, "D12")
    asked(t, "REACT", "done", "card:D13", seat=0)
    t.do("done")
    assert played(t) == [(2, "D16"), (0, "D68"), (1, "D68"), (1, "D12")]
    strike(t, 1)
    assert strikes(t) == [(1, 0, 4)]


@pytest.mark.card("D09", "D67")
@pytest.mark.rule("T9.3", "V7.3")
@pytest.mark.parametrize("active", [0, 1, 2])
def test_order_of_seats(engine: str, active: int) -> None:
    """Clockwise from the active player, whoever strikes."""
    units = [
        {"units": {FIELD: "2 soldier"}},
        {"units": {FIELD: "2 soldier"}},
        {"units": {"tundra-5-1": "soldier"}},
    ]
    attack = [("tundra-5-1", 2)] if active == 2 else []
    if attack:
        units = [
            {"units": {"tundra-5-1": "soldier"}},
            {"units": {FIELD: "soldier"}},
            {"units": {"tundra-5-1": "soldier"}},
        ]
    # D09 has two copies: the player left of the active one and the active one itself
    holders = (active, (active + 1) % 3)
    seats = people(*units, hold={seat: ["D09"] for seat in holders})
    at = space("tundra-5-1") if attack else FIELD
    t = scenario(
        engine,
        *seats,
        options=options({}),
        combats={at: active},
        current_player=active,
        script=rows([1] * 8, **NO_DIE),
        tiles=dict.fromkeys(sorted(NEAR[at])[:-1], "lake"),
    ).turn("battle")
    t.answer("STRIKE_OR_FLEE", "strike", seat=active)
    assert [seat for seat, _ in walk(t.fork(), until="STRIKE_OR_FLEE")] == list(holders)
