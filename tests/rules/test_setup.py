"""Chapter S: what is on the table when the first turn begins."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from geometry import SIDES
from scenario import COLOURS, TERRAINS, Table, make_game, new_game, scenario, space

from cysmic_fast.errors import ChanceError, OptionError, PositionError
from cysmic_fast.vocabulary import ChanceFamily, ChanceKind, DecisionKind, EventKind, Feature, UnitType

#: The 21 tiles of a terrain, in Feature order (F:tiles).
TILES = (
    ["camp"] * 3 + ["outpost"] * 2 + ["settlement"] + ["mountain"] * 3
    + ["lorium"] * 4 + ["explorable"] * 4 + ["tunl"] * 2 + ["lake"] * 2
)  # fmt: skip
WEDGE = [f"{ring}-{offset}" for ring in range(1, 7) for offset in range(ring)]
INNER = ["3-1", "4-1", "4-2", "5-1", "5-2", "5-3"]
SUPPLY = {"soldier": 10, "miner": 6, "speaker": 5, "powermech": 2, "harvester": 2}


class Words:
    """The documented generator: words of one stream, bounded numbers, shuffles."""

    def __init__(self, seed: int, family: ChanceFamily) -> None:
        self.source = np.random.Philox(key=[seed, 0], counter=[0, int(family), 0, 0])

    def bounded(self, n: int) -> int:
        if n == 1:
            return 0
        while True:
            product = int(self.source.random_raw()) * n
            if product % 2**64 >= 2**64 % n:
                return product >> 64

    def shuffle(self, items: list[Any]) -> list[Any]:
        for i in range(len(items) - 1, 0, -1):
            j = self.bounded(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


def spaces_of(terrain: str) -> list[int]:
    """The 21 spaces of a terrain, ascending."""
    return sorted(space(f"{terrain}-{at}") for at in WEDGE)


def wedge(**tiles: str) -> list[str]:
    """The tiles of a terrain, some named by place (``_4_1="lake"``); other obstacles lie at the edge."""
    by_place = {at.strip("_").replace("_", "-"): tile for at, tile in tiles.items()}
    rest = list((Counter(TILES) - Counter(by_place.values())).elements())
    rest.sort(key=lambda tile: tile in ("lake", "mountain"))
    free = [at for at in INNER + [at for at in WEDGE if at not in INNER] if at not in by_place]
    by_place |= dict(zip(free, rest, strict=True))
    return [by_place[at] for at in WEDGE]


def planet(**terrains: list[str]) -> dict[str, list[Any]]:
    """A scripted planet: the terrains named, the others with passable ground inside."""
    return {"terrain_layout": [terrains.get(terrain, wedge()) for terrain in TERRAINS]}


def play_setup(t: Table) -> Table:
    """Finishes set-up, always with the first option."""
    while not t.events("TURN"):
        t.state.apply_action(t.state.legal_actions()[0])
    return t


def placed(t: Table, seat: int) -> list[int]:
    """All Units of a seat on the planet, by type."""
    return [sum(counts[kind] for _, counts in t.player(seat)["units"]) for kind in range(5)]


def pack(folder: Path, **files: str) -> dict[str, Any]:
    """Options of a game with a content pack of its own."""
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return {"packs": [folder]}


# ------------------------------------------------------------------ S1
@pytest.mark.rule("S1.1")
@pytest.mark.parametrize("players", range(2, 7))
def test_two_to_six_players_of_different_colours(engine: str, players: int) -> None:
    """Every number from 2 to 6 can be played, with any distinct colours."""
    colours = COLOURS[::-1][:players]
    t = new_game(engine, players, colours=colours)
    assert [p["colour"] for p in t.snapshot()["players"]] == list(colours)
    assert t.game.num_players == players


@pytest.mark.rule("S1.1")
def test_other_numbers_and_colours_are_refused(engine: str) -> None:
    """One or seven players, a colour twice and an unknown colour are errors."""
    for players in (0, 1, 7):
        with pytest.raises(OptionError):
            make_game(engine, players)
    for colours in (("blue", "blue"), ("blue", "red"), ("blue", "green", "grey")):
        with pytest.raises(OptionError):
            make_game(engine, 2, colours=colours)


@pytest.mark.rule("S1.2")
def test_only_a_launch_wins(engine: str) -> None:
    """All Modules, Influence and Lorium win nothing when the rounds run out; a Launch does."""
    modules = [m.id for m in make_game(engine).content.modules]
    rich = {
        "modules": modules, "blueprints": modules, "lorium": 5, "units": {"tundra-4-1": "soldier"},
    }  # fmt: skip
    control: dict[str | int, int] = {"city": 0}
    t = scenario(engine, rich, options={"max_rounds": 1}, control=control)
    t.turn("battle").end_turn().turn("battle").end_turn()
    assert t.kind == "NONE"
    assert t.state.winners() == []
    assert t.state.returns() == [0.0, 0.0]
    assert t.events("GAME_OVER")[0][2] == 2

    t = scenario(engine, {}, {"modules": modules, "blueprints": modules}, first_player=1)
    t.turn("battle").skip("LAUNCH").do("yes")
    assert t.kind == "NONE"
    assert t.state.winners() == [1]
    assert t.state.returns() == [0.0, 1.0]


@pytest.mark.rule("S1.3", "U1.3")
@pytest.mark.parametrize("kind", SUPPLY)
def test_the_stock_of_units_is_what_can_enter_play(engine: str, kind: str) -> None:
    """The last piece of a type can come onto the planet; with none left, none is offered."""
    stock = SUPPLY[kind]
    homes = ["tundra-3-0", "tundra-3-1", "tundra-3-2", "wetlands-3-0", "wetlands-3-1"]
    per_space = 1 if kind in ("powermech", "harvester") else 3

    def table(number: int) -> Table:
        places: dict[str, str] = {}
        for home in homes:
            if number > 0:
                here = min(per_space, number)
                places[home], number = f"{here} {kind}", number - here
        camps = {f"{terrain}-1-0": "settlement" for terrain in TERRAINS}
        seat = {"units": places, "lorium": 5}
        if kind in ("powermech", "harvester"):
            places["savannah-4-1"] = "soldier" if kind == "powermech" else "miner"
        return scenario(engine, seat, tiles=camps, control=dict.fromkeys(camps, 0))

    t = table(stock - 1)
    if per_space == 3:
        t.turn("recruit").expect("RECRUIT_TYPE", 0)
        assert f"unit:{kind}" in t.options()
        t.do(f"unit:{kind}")
        if kind == "speaker":  # lists are built in ascending order: nothing comes after Speakers
            assert t.kind.startswith("DEPLOY")
        else:
            assert f"unit:{kind}" not in t.expect("RECRUIT_TYPE", 0).options()
        t = table(stock).turn("recruit").expect("RECRUIT_TYPE", 0)
        assert f"unit:{kind}" not in t.options()
    else:
        t.turn("upgrade").answer("UPGRADE_SPACE", "savannah-4-1")
        assert t.units(0, "savannah-4-1")[list(SUPPLY).index(kind)] == 1
        table(stock).turn("upgrade").expect("BONUS", 0)  # nothing to Upgrade to
    with pytest.raises(PositionError):
        table(stock + 1)


@pytest.mark.rule("S1.3")
def test_one_ship_six_modules_seven_flags(engine: str) -> None:
    """Each player has one Ship and a place for six Modules; an eighth Flag is a defect."""
    t = play_setup(new_game(engine, 6))
    ships = [p["ship"] for p in t.snapshot()["players"]]
    assert len(set(ships)) == 6
    assert len({m.colour for m in t.game.content.modules}) == 6
    tiles = dict.fromkeys(range(1, 9), "camp")
    scenario(engine, tiles=tiles, control=dict.fromkeys(range(1, 8), 0))
    with pytest.raises(PositionError):
        scenario(engine, tiles=tiles, control=dict.fromkeys(range(1, 9), 0))


@pytest.mark.rule("S1.4", "RUL-K17")
def test_lorium_is_unlimited(engine: str) -> None:
    """More Lorium than the 60 printed tokens can be held, and still more gained."""
    tiles = {f"{terrain}-1-0": "settlement" for terrain in TERRAINS}
    control = {**dict.fromkeys(tiles, 0), "city": 0}
    t = scenario(engine, {"lorium": 60}, {"lorium": 5}, tiles=tiles, control=control)
    t.turn("speakers").answer("BONUS", "bonus:two_lorium").expect("BURN", 1)
    assert (t.player(0)["lorium"], t.player(1)["lorium"]) == (62, 5)


@pytest.mark.rule("S1.4", "RUL-K17")
def test_combat_markers_are_unlimited(engine: str) -> None:
    """With 20 Combats on the planet, as many as there are markers, two more may begin."""
    rows: list[str | int] = [
        *(f"tundra-{r}-{k}" for r in range(2, 5) for k in range(r)),
        *(f"wetlands-{r}-{k}" for r in range(2, 5) for k in range(r)),
        "rocky-2-0",
        "rocky-2-1",
    ]
    kinds = ["soldier"] * 8 + ["miner"] * 6 + ["speaker"] * 5 + ["harvester"]
    units = dict(zip(rows, kinds, strict=True))
    a, b = "rocky-4-1", "rocky-5-1"
    t = scenario(
        engine,
        {"units": {**units, a: "2 soldier"}},
        {"units": {**units, b: "soldier", "rocky-3-1": "soldier"}},
        combats=dict.fromkeys(rows, 1),
    )
    t.turn("soldiers").do(a, b).do(a, "rocky-3-1")
    assert len(t.snapshot()["combats"]) == 22
    assert (t.attacker(b), t.attacker("rocky-3-1")) == (0, 0)


@pytest.mark.rule("S1.5", "RUL-S10")
def test_relic_tokens_end_after_thirty(engine: str) -> None:
    """The thirtieth token is placed; after that a space revealed as Devastated stays without one."""
    spots: list[int] = []
    for terrain in ("tundra", "wetlands", "desert"):
        for at in WEDGE:
            ring, offset = map(int, at.split("-"))
            if (ring + offset) % 3 and len(spots) < 30:
                spots.append(space(f"{terrain}-{at}"))
    assert len(spots) == 30
    tiles = dict.fromkeys(spots, "none")
    for tokens, after in ((28, 29), (29, 30), (30, 30)):
        t = scenario(engine, {"ship": "savannah-4-1"}, tiles=tiles, relic_tokens=spots[:tokens])
        t.turn("colony_ship").answer("MOVE_TO", "savannah-4-2").skip("BONUS")
        assert t.tile("savannah-4-1") == "none"
        assert len(t.snapshot()["relic_tokens"]) == after
        assert (space("savannah-4-1") in t.snapshot()["relic_tokens"]) is (tokens < 30)
    more = space("desert-6-5")
    with pytest.raises(PositionError):
        scenario(engine, tiles={**tiles, more: "none"}, relic_tokens=[*spots, more])


@pytest.mark.rule("S1.6")
def test_what_is_agreed_beforehand(engine: str) -> None:
    """Each choice is an option of the game; a position of a game with other choices is refused."""
    agreed = {
        "factions": True, "molten_core": True, "events": True, "launch": "guilty",
        "end_trigger": "equality", "echoes": {0: {"soldier": 2}}, "blueprint_variant": 1,
    }  # fmt: skip
    plain = new_game(engine, 2).state.to_position()
    for name, value in agreed.items():
        t = new_game(engine, 2, **{name: value})
        chosen = t.snapshot()["options"]
        assert chosen[name] != plain["options"][name]
        assert {k: v for k, v in chosen.items() if k != name} == {
            k: v for k, v in plain["options"].items() if k != name
        }
        with pytest.raises(PositionError):
            t.game.state_from_position(plain)
    with pytest.raises(OptionError):
        make_game(engine, 2, espionage=True)  # separate rules, not part of this game


# ------------------------------------------------------------------ S2
@pytest.mark.rule("S2.1", "S2.2", "S2.3", "S2.6", "S2.7", "S2.8", "RUL-P4")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_planet_at_the_start(engine: str, seed: int) -> None:
    """One centre with Colony City, 21 tiles of each terrain, all Habitats neutral, no Relic Token."""
    doc = new_game(engine, 3, seed=seed).snapshot()
    tiles = doc["tiles"]
    assert len(tiles) == 127
    assert tiles[0] == "colony_city"
    for terrain in TERRAINS:
        assert Counter(tiles[n] for n in spaces_of(terrain)) == Counter(TILES)
    whole = Counter(tiles)
    assert (whole["mountain"], whole["camp"], whole["outpost"], whole["settlement"]) == (18, 18, 12, 6)
    assert doc["control"] == []
    assert doc["relic_tokens"] == []


@pytest.mark.rule("S2.4", "S2.9", "Y2.2", "Y2.3", "RUL-P3")
@pytest.mark.parametrize("terrain", TERRAINS)
def test_each_terrain_fills_its_wedge(engine: str, terrain: str) -> None:
    """A terrain has r tiles in ring r; beneath them lies an Abyss where ring + offset is a multiple of 3."""
    place = TERRAINS.index(terrain)
    home, other = TERRAINS[place - 2], TERRAINS[place - 3]
    for ring in range(1, 7):
        t = scenario(
            engine,
            {"ship": f"{home}-4-1", "units": {0: "powermech"}},
            {"ship": f"{other}-4-1"},
            cysmograph={"singles": 7, "stack": 7},
            script={"fracture_token": [f"{terrain}-{ring}"]},
            seed=ring,
        )
        t.turn("powermechs").do(0, "action:jumpjet", 0)
        mine = [space(f"{terrain}-{ring}-{k}") for k in range(ring)]
        assert sorted(a for _, _, a, _, _ in t.events("COLLAPSE")) == mine
        assert [n for n in range(127) if t.tile(n) == "none"] == mine
        devastated = [s for k, s in enumerate(mine) if (ring + k) % 3]
        assert t.snapshot()["relic_tokens"] == devastated


@pytest.mark.rule("S2.9")
def test_beneath_colony_city_is_an_abyss(engine: str) -> None:
    """The centre belongs to the same formula: no Relic Token comes there, and nobody can enter."""
    t = scenario(
        engine,
        {"units": {"tundra-1-0": "soldier", "tundra-4-1": "powermech"}},
        cysmograph={"singles": 7, "stack": 7},
        script={"fracture_token": ["colony_city"]},
    )
    t.turn("powermechs").do("tundra-4-1", "action:jumpjet", "tundra-4-1").end_turn()
    assert t.tile("city") == "none"
    assert t.snapshot()["relic_tokens"] == []
    t.turn("battle").end_turn().turn("soldiers").do("tundra-1-0").expect("MOVE_TO", 0)
    assert 0 not in t.spaces()


@pytest.mark.rule("S2.5")
def test_tiles_are_shuffled_uniformly(engine: str) -> None:
    """The 21 tiles of each wedge are the unbiased shuffle of the documented generator."""
    assert [Feature[tile.upper()] for tile in TILES] == sorted(Feature[tile.upper()] for tile in TILES)
    settlements = set()
    for seed in range(8):
        tiles = new_game(engine, 2, seed=seed).snapshot()["tiles"]
        words = Words(seed, ChanceFamily.SETUP)
        for terrain in TERRAINS:
            assert [tiles[n] for n in spaces_of(terrain)] == words.shuffle(list(TILES))
            settlements |= {i for i, n in enumerate(spaces_of(terrain)) if tiles[n] == "settlement"}
    assert len(settlements) >= 15  # 48 settlements on 21 places


@pytest.mark.rule("S2.5", "S2.4")
def test_any_arrangement_can_be_laid_out(engine: str) -> None:
    """A scripted wedge lies as named, space by space; what is no arrangement of its tiles cannot be."""
    layout = wedge(_1_0="mountain", _6_5="settlement", _4_1="lake")
    t = new_game(engine, 2, script=planet(tundra=layout))
    tiles = t.snapshot()["tiles"]
    assert [tiles[n] for n in spaces_of("tundra")] == layout
    assert tiles[space("tundra-6-5")] == "settlement"
    with pytest.raises(ChanceError):
        new_game(engine, 2, script={"terrain_layout": [["settlement", "settlement"]]})


# ------------------------------------------------------------------ S3
@pytest.mark.rule("S3.1", "S-EX1", "S-EX3", "RUL-S11")
@pytest.mark.parametrize(
    ("players", "singles", "stack"), [(2, 4, 4), (3, 3, 5), (4, 2, 6), (5, 1, 7), (6, 0, 8)]
)
def test_cysmograph_at_the_start(engine: str, players: int, singles: int, stack: int) -> None:
    """One token on each number above P, the others on P: P + 1 Tremors to the first Fracture."""
    t = new_game(engine, players)
    track = t.game.content.cysmograph.track
    at = t.snapshot()["cysmograph"]
    assert track[: at["singles"]] == tuple(range(6, players, -1))
    assert track[at["stack"]] == players
    assert (at["singles"], t.game.content.cysmograph.tokens - at["singles"]) == (singles, stack)
    # played out: the first Fracture comes with Tremor P + 1
    homes = [f"tundra-{r}-0" for r in (2, 3)]
    seat = {"units": dict.fromkeys(homes, "powermech")}
    for before, fractures in ((players - 2, 0), (players - 1, 1)):
        table = scenario(
            engine,
            seat,
            players=players,
            cysmograph={"singles": singles, "stack": at["stack"] + before},
            script={"fracture_token": ["false_alarm"]},
        )
        table.turn("powermechs")
        for home in homes:
            table.do(home, "action:jumpjet", home)
        assert len(table.events("FRACTURE")) == fractures


@pytest.mark.rule("S3.2")
def test_all_fracture_tokens_are_in_the_bag(engine: str) -> None:
    """36 Landscape and 6 Special Tokens."""
    bag = Counter(new_game(engine, 2).snapshot()["bag"])
    special = Counter({"false_alarm": 2, "devastated": 1, "pull_2_more": 2, "colony_city": 1})
    assert bag == Counter(f"{terrain}-{ring}" for terrain in TERRAINS for ring in range(1, 7)) + special
    assert bag.total() == 42


@pytest.mark.rule("S3.3", "S3.4", "S3.5", "S3.8", "S-EX4", "RUL-S6")
@pytest.mark.parametrize(
    ("molten_core", "events", "whole", "dealt", "relics"),
    [
        (True, True, 111, 105, 53),
        (True, False, 99, 93, 53),
        (False, True, 83, 77, 47),
        (False, False, 71, 65, 47),
    ],
)
def test_sizes_of_the_decks(
    engine: str, molten_core: bool, events: bool, whole: int, dealt: int, relics: int
) -> None:
    """What is left out without Molten Core, Events and Espionage, and that it is left out."""
    t = new_game(engine, 2, molten_core=molten_core, events=events)
    content, doc = t.game.content, t.snapshot()
    assert len(content.discovery_deck(molten_core, events, espionage=True)) == whole
    assert len(content.relic_deck(molten_core, espionage=True)) == relics + 1
    found = Counter(doc["discovery"]["draw"])
    for seat in doc["players"]:
        found.update(seat["discovery"])
    assert found.total() == dealt
    assert len(doc["relics"]["draw"]) == relics
    for card in content.discovery:
        out = (
            card.espionage
            or (card.event and not events)
            or (card.molten_core and not card.event and not molten_core)
        )
        assert found[card.id] == (0 if out else card.count), card.id
    for relic in content.relics:
        out = relic.espionage or (relic.molten_core and not molten_core)
        assert doc["relics"]["draw"].count(relic.id) == (0 if out else relic.count), relic.id


@pytest.mark.rule("S3.3")
def test_the_full_decks(engine: str) -> None:
    """99 Discovery Cards and 12 Planetary Events; 54 Relic Cards."""
    content = make_game(engine).content
    assert sum(card.count for card in content.discovery if card.event) == 12
    assert len(content.discovery_deck(True, True, espionage=True)) == 99 + 12
    assert len(content.relic_deck(True, espionage=True)) == 54


@pytest.mark.rule("S3.6", "S4.14", "RUL-S5")
def test_events_come_after_the_starting_resources(engine: str) -> None:
    """The first shuffle knows no Event; the second one may put any on top of the pile."""
    with pytest.raises(ChanceError):
        new_game(engine, 2, events=True, script={"discovery_shuffle": [["P01"]]})
    script = {"discovery_shuffle": [["D20", "D21"], ["P03", "P01", "D22"]], "first_player": ["blue"]}
    t = new_game(engine, 2, events=True, script=script)
    assert [t.player(seat)["discovery"] for seat in (0, 1)] == [["D20"], ["D21"]]
    assert t.snapshot()["discovery"]["draw"][:3] == ["P03", "P01", "D22"]
    # whatever the seed: Starting Resources are never Events
    for seed in range(5):
        doc = new_game(engine, 6, events=True, seed=seed).snapshot()
        assert all(card.startswith("D") for p in doc["players"] for card in p["discovery"])
        assert sum(card.startswith("P") for card in doc["discovery"]["draw"]) == 12


@pytest.mark.rule("S3.7")
def test_decks_are_shuffled_and_discard_piles_empty(engine: str) -> None:
    """Both piles are the documented shuffle, top card last; nothing is discarded yet."""
    for seed in range(3):
        t = new_game(engine, 2, seed=seed)
        content, doc = t.game.content, t.snapshot()
        words = Words(seed, ChanceFamily.DECKS)
        cards = [content.discovery[n].id for n in words.shuffle(list(content.discovery_deck(False, False)))][
            ::-1
        ]
        relics = [content.relics[n].id for n in words.shuffle(list(content.relic_deck(False)))][::-1]
        first = doc["first_player"]
        assert doc["players"][first]["discovery"] == cards[:1]
        assert doc["players"][1 - first]["discovery"] == cards[1:2]
        assert doc["discovery"] == {"draw": cards[2:], "discard": []}
        assert doc["relics"] == {"draw": relics, "discard": []}


# ------------------------------------------------------------------ S4
@pytest.mark.rule("S4.1")
def test_all_ten_command_cards_in_hand(engine: str) -> None:
    """Four Tactic and six Unit cards, all of which can be Burned or Played in the first turn."""
    t = play_setup(new_game(engine, 2, script={"first_player": ["blue"]})).expect("BURN", 0)
    tactic = ["recruit", "upgrade", "battle", "negotiate"]
    unit = ["soldiers", "miners", "speakers", "powermechs", "harvesters", "colony_ship"]
    assert t.options() == [f"command:{card}" for card in tactic + unit]
    assert all(
        p["hand"] == tactic + unit and p["board"] == [[None, None]] * 5 for p in t.snapshot()["players"]
    )
    kinds = {c.card.name.lower(): c.kind for c in t.game.content.commands}
    assert kinds == {**dict.fromkeys(tactic, "tactic"), **dict.fromkeys(unit, "unit")}


@pytest.mark.rule("S4.2", "S-EX2")
@pytest.mark.parametrize(
    "colours",
    [("blue", "grey", "yellow", "purple"), ("green", "orange"), ("yellow", "blue", "grey"), COLOURS],
)
def test_blueprints_at_the_start(engine: str, colours: tuple[str, ...]) -> None:
    """The opponents' colours are Missing, everything else Acquired."""
    t = new_game(engine, len(colours), colours=colours)
    colour_of = {m.id: m.colour.name.lower() for m in t.game.content.modules}
    for p in t.snapshot()["players"]:
        acquired = {colour_of[m] for m in p["blueprints"]}
        assert acquired == set(COLOURS) - (set(colours) - {p["colour"]})
        assert len(p["blueprints"]) == 6 - (len(colours) - 1)


@pytest.mark.rule("S4.3")
def test_no_module_and_six_open_cells(engine: str) -> None:
    """Nothing is constructed, so twelve Captured Troops can be kept and a thirteenth cannot."""
    assert all(p["modules"] == [] for p in new_game(engine, 4).snapshot()["players"])
    for captives, asked in (("6 soldier, 6 miner", False), ("7 soldier, 6 miner", True)):
        t = scenario(engine, {"captured": {1: captives}}).turn("battle").answer("BONUS", "done")
        assert (t.kind == "DISCARD_CAPTIVE") is asked


@pytest.mark.rule("S4.4")
@pytest.mark.parametrize("players", range(2, 7))
def test_factions_for_more_players_or_with_espionage_are_left_out(engine: str, players: int) -> None:
    """Only Factions fit for this number of players are dealt."""
    game = make_game(engine, players, factions=True)
    fitting = [f.id for f in game.content.factions if f.min_players <= players and not f.espionage]
    dealt = set()
    for seed in range(4):
        t = new_game(engine, players, factions=True, seed=seed)
        while t.kind == "CHOOSE_FACTION":
            dealt |= {option.split(":")[1] for option in t.options()}
            t.state.apply_action(t.state.legal_actions()[0])
    assert dealt <= set(fitting)
    special = [f for f in game.content.factions if f.min_players > 2 or f.espionage]
    assert special
    for faction in [*special, game.content.factions[0]]:
        script = {"faction_deal": [[faction.id]]}
        if faction.id in fitting:
            assert f"card:{faction.id}" in new_game(engine, players, factions=True, script=script).options()
        else:
            with pytest.raises(ChanceError):
                new_game(engine, players, factions=True, script=script)


@pytest.mark.rule("S4.5", "RUL-S13")
def test_three_factions_are_dealt_and_one_is_kept(engine: str) -> None:
    """Each seat chooses one of its own three, whatever the others take; two go back."""
    deal = [f"F0{n}" for n in (8, 1, 5, 2, 6, 3)]
    t = new_game(engine, 2, factions=True, script={"faction_deal": [deal]}).expect("CHOOSE_FACTION", 0)
    assert set(t.options()) == {f"card:{f}" for f in deal[:3]}
    t.do("card:F05").expect("CHOOSE_FACTION", 1)
    assert set(t.options()) == {f"card:{f}" for f in deal[3:]}
    t.do("card:F06")
    assert t.kind != "CHOOSE_FACTION"
    assert [p["faction"] for p in t.snapshot()["players"]] == ["F05", "F06"]


@pytest.mark.rule("S4.5")
def test_the_deal_is_a_uniform_shuffle(engine: str) -> None:
    """Factions come in the order of the documented generator, three a seat."""
    for seed in range(3):
        t = new_game(engine, 3, factions=True, seed=seed)
        content = t.game.content
        words = Words(seed, ChanceFamily.SETUP)
        for _ in TERRAINS:
            words.shuffle(list(TILES))
        deal = words.shuffle(list(content.eligible_factions(3)))
        for seat in range(3):
            t.expect("CHOOSE_FACTION", seat)
            ids = {content.factions[n].id for n in deal[3 * seat : 3 * seat + 3]}
            assert {option.split(":")[1] for option in t.options()} == ids
            t.state.apply_action(t.state.legal_actions()[0])


@pytest.mark.rule("S4.6", "S4.13", "RUL-S9", "RUL-S12")
@pytest.mark.parametrize("four", range(7))
def test_a_faction_sets_influence_resources_and_units(engine: str, four: int) -> None:
    """Each Faction's Starting Influence, Lorium, cards and Troops, nothing else of its stock."""
    content = make_game(engine, 4, factions=True).content
    eligible = [content.factions[n] for n in content.eligible_factions(4)]
    mine = [eligible[(4 * four + i) % len(eligible)] for i in range(4)]
    others = [f.id for f in eligible if f not in mine]
    deal = [card for i, f in enumerate(mine) for card in (f.id, others[2 * i], others[2 * i + 1])]
    t = new_game(engine, 4, factions=True, script={"faction_deal": [deal], **planet()})
    for faction in mine:
        t.answer("CHOOSE_FACTION", f"card:{faction.id}")
    play_setup(t)
    control = {seat: [t.tile(s) for s, who in t.snapshot()["control"] if who == seat] for seat in range(4)}
    worth = {feature.name.lower(): value for feature, value in content.habitat_values.items()}
    for seat, faction in enumerate(mine):
        p = t.player(seat)
        assert p["faction"] == faction.id
        assert sorted(worth[h] for h in control[seat]) == sorted(faction.habitats)
        assert t.state.influence(seat) == faction.influence + sum(faction.habitats)
        assert p["lorium"] == faction.lorium
        assert len(p["discovery"]) == faction.discovery
        assert len(p["relics"]) == faction.relics
        assert placed(t, seat) == [*faction.units, 0, 0]
        assert p["captured"] == []


@pytest.mark.rule("S4.6", "S4.13")
def test_the_generic_set_up(engine: str) -> None:
    """Without Factions everybody has 4 Influence, 2 Lorium, a card, 3 Soldiers, a Miner and a Speaker."""
    t = play_setup(new_game(engine, 5, script=planet()))
    for seat in range(5):
        p = t.player(seat)
        assert t.state.influence(seat) == 4
        assert (p["faction"], p["lorium"], len(p["discovery"]), p["relics"]) == (None, 2, 1, [])
        assert placed(t, seat) == [3, 1, 1, 0, 0]
    assert t.snapshot()["control"] == []


@pytest.mark.rule("S4.6", "L5.3", "RUL-L9")
def test_a_starting_unit_without_a_piece_is_not_placed(engine: str) -> None:
    """Eight Soldiers and all Miners are missing from a stock: two Soldiers and a Speaker start."""
    t = play_setup(new_game(engine, 2, script=planet(), echoes={1: {"soldier": 8, "miner": 6}}))
    assert placed(t, 0) == [3, 1, 1, 0, 0]
    assert placed(t, 1) == [2, 0, 1, 0, 0]


@pytest.mark.rule("S4.6", "S4.14")
def test_starting_relics_are_drawn_like_any(engine: str) -> None:
    """A Starting Relic Card is the better of two, Inactive, and cannot be Activated in set-up."""
    script = {"faction_deal": [["F11", "F01", "F02", "F03", "F04", "F05"]], "relic_shuffle": [["R05", "R09"]]}
    t = new_game(engine, 2, factions=True, script={**script, "first_player": ["green"]})
    t.do("card:F11").do("card:F03").expect("KEEP_RELIC", 0)
    assert set(t.options()) == {"card:R05", "card:R09"}
    t.do("card:R09").expect("PLACE_SHIP", 1)
    assert (t.player(0)["relics"], t.player(0)["slots"]) == (["R09"], [None, None])
    assert t.snapshot()["relics"]["discard"] == ["R05"]


@pytest.mark.rule("S4.7", "RUL-S3")
def test_the_first_first_player_is_drawn(engine: str) -> None:
    """Any seat may begin, by the documented generator; it takes the Marker."""
    for seat, colour in enumerate(COLOURS[:3]):
        t = new_game(engine, 3, script={"first_player": [colour]}).expect("PLACE_SHIP", seat)
        assert (t.snapshot()["first_player"], t.snapshot()["marker"]) == (seat, seat)
        assert [e[3] for e in t.events("CHANCE") if e[2] == ChanceKind.FIRST_PLAYER] == [seat]
        play_setup(t).expect("BURN", seat)
    firsts = []
    for seed in range(12):
        words = Words(seed, ChanceFamily.SETUP)
        for _ in TERRAINS:
            words.shuffle(list(TILES))
        firsts.append(new_game(engine, 3, seed=seed).snapshot()["first_player"])
        assert firsts[-1] == words.bounded(3)
    assert set(firsts) == {0, 1, 2}


@pytest.mark.rule("S4.8", "S4.9", "RUL-S1", "RUL-S4")
def test_ships_start_on_inner_spaces_one_per_terrain(engine: str) -> None:
    """From the First Player clockwise; the six spaces of each terrain that border only their own terrain."""
    inner = {}
    for terrain in TERRAINS:
        mine = set(spaces_of(terrain))
        inner[terrain] = {n for n in mine if len(SIDES[n]) == 6 and SIDES[n] <= mine}
        assert inner[terrain] == {space(f"{terrain}-{at}") for at in INNER}
    t = new_game(engine, 6, script={**planet(), "first_player": ["orange"]})
    free = list(TERRAINS)
    for seat in (3, 4, 5, 0, 1, 2):
        t.expect("PLACE_SHIP", seat)
        assert t.spaces() == set().union(*(inner[terrain] for terrain in free))
        taken = free.pop(len(free) // 2)
        t.do(f"{taken}-4-1" if free else f"{taken}-5-2")
    assert t.kind == "DEPLOY_TYPE"
    assert {p["ship"] for p in t.snapshot()["players"]} < set().union(*inner.values())


@pytest.mark.rule("S4.8", "S4.9", "RUL-S1")
def test_ships_on_rings_1_to_3_if_so_ruled(engine: str, tmp_path: Path) -> None:
    """The switched reading: the six spaces nearest to Colony City."""
    options = pack(tmp_path, rulings='ship_start = "rings_1_3"')
    t = new_game(engine, 2, script=planet(), **options).expect("PLACE_SHIP")
    layout = t.snapshot()["tiles"]
    near = {space(f"{terrain}-{at}") for terrain in TERRAINS for at in WEDGE[:6]}
    assert t.spaces() == {n for n in near if layout[n] not in ("lake", "mountain")}


@pytest.mark.rule("S4.10", "RUL-S8", "U5.3")
def test_a_ship_may_start_on_any_feature_but_lake_and_mountain(engine: str) -> None:
    """It erases the feature, a Habitat too; the tile stays."""
    features = {
        "_3_1": "lake",
        "_4_1": "camp",
        "_4_2": "mountain",
        "_5_1": "lorium",
        "_5_2": "tunl",
        "_5_3": "settlement",
    }
    for at in ("4-1", "5-1", "5-2", "5-3"):
        t = new_game(engine, 2, script={**planet(forest=wedge(**features)), "first_player": ["blue"]})
        forest = {n for n in t.spaces() if n in spaces_of("forest")}
        assert forest == {space(f"forest-{ok}") for ok in ("4-1", "5-1", "5-2", "5-3")}
        t.do(f"forest-{at}")
        assert t.tile(f"forest-{at}") == "plain"
        assert t.player(0)["ship"] == space(f"forest-{at}")
        rest = [t.tile(n) for n in spaces_of("forest")]
        assert rest.count("plain") == 1


@pytest.mark.rule("S4.11", "S4.14", "RUL-S2")
def test_starting_units_around_the_ship(engine: str) -> None:
    """After all Ships, from the First Player on, one Troop after the other beside the own Ship."""
    script = {**planet(), "first_player": ["green"]}
    t = new_game(engine, 2, script=script)
    t.answer("PLACE_SHIP", "tundra-5-2", seat=1).answer("PLACE_SHIP", "forest-4-1", seat=0)
    around = {n for n in SIDES[space("tundra-5-2")] if t.tile(n) not in ("lake", "mountain")}
    t.expect("DEPLOY_TYPE", 1)
    assert t.options() == ["unit:soldier", "unit:miner", "unit:speaker"]
    target = "tundra-4-1"
    for _ in range(3):
        t.answer("DEPLOY_TYPE", "unit:soldier", seat=1).expect("DEPLOY_SPACE", 1)
        assert t.spaces() == around
        t.do(target)
    assert t.units(1, target) == [3, 0, 0, 0, 0]
    t.answer("DEPLOY_TYPE", "unit:speaker").expect("DEPLOY_SPACE", 1)
    assert t.spaces() == around - {space(target)}  # full
    t.do("tundra-4-2").answer("DEPLOY_SPACE", "tundra-4-2", seat=1)
    t.expect("DEPLOY_TYPE", 0)
    assert placed(t, 1) == [3, 1, 1, 0, 0]


@pytest.mark.rule("S4.11", "S4.6", "RUL-S2")
def test_starting_units_without_a_place_stay_in_reserve(engine: str) -> None:
    """Three Mountains and two Lakes leave one space beside the Ship: three of five Troops fit."""
    shut = {"_4_1": "lake", "_4_3": "lake", "_3_1": "mountain", "_3_2": "mountain", "_5_2": "mountain"}
    script = {**planet(forest=wedge(**shut)), "first_player": ["blue"]}
    t = new_game(engine, 2, script=script).do("forest-4-2")
    t.answer("PLACE_SHIP", "tundra-4-1", seat=1)
    t.answer("DEPLOY_TYPE", "unit:miner", seat=0).answer("DEPLOY_TYPE", "unit:soldier").answer(
        "DEPLOY_TYPE", "unit:speaker"
    )
    assert t.units(0, "forest-5-3") == [1, 1, 1, 0, 0]
    assert placed(t, 0) == [1, 1, 1, 0, 0]
    t.expect("DEPLOY_TYPE", 1)
    assert play_setup(t).player(1)["captured"] == []
    assert sum(e[1] == 0 and e[2] != UnitType.SHIP for e in t.events("ENTER")) == 3


@pytest.mark.rule("S4.11")
def test_no_starting_unit_among_enemies(engine: str, tmp_path: Path) -> None:
    """Where two Ships share Deploy Locations, Soldiers cannot start onto Troops of the first player."""
    options = pack(tmp_path, rulings='ship_start = "rings_1_3"')
    t = new_game(engine, 2, script={**planet(), "first_player": ["blue"]}, **options)
    t.do("savannah-1-0", "forest-1-0")
    common = SIDES[space("savannah-1-0")] & SIDES[space("forest-1-0")]
    assert 0 in common
    t.answer("DEPLOY_TYPE", "unit:miner", 0, seat=0)
    while t.seat == 0:
        ends = t.spaces() - common if t.kind == "DEPLOY_SPACE" else set()
        t.do(min(ends)) if ends else t.state.apply_action(t.state.legal_actions()[0])
    t.answer("DEPLOY_TYPE", "unit:soldier", seat=1).expect("DEPLOY_SPACE", 1)
    assert 0 not in t.spaces()
    assert t.spaces() & common == {n for n in common if n and t.tile(n) not in ("lake", "mountain")}


@pytest.mark.rule("S4.12", "RUL-T16", "RUL-G8")
def test_hidden_cards_are_known_by_number_only(engine: str) -> None:
    """Whoever trades sees what is open by identity, Discovery and Inactive Relic Cards only as such."""
    t = scenario(
        engine,
        {"lorium": 3},
        {"discovery": ["D20", "D21"], "relics": ["R05", "R06"], "slots": [{"relic": "R07"}, None]},
    )
    t.turn("negotiate").skip("TRADE_PARTNER").do("player:1", "resource:lorium", "done").expect(
        "TRADE_TAKE", 0
    )
    assert set(t.options()) == {"slot:0", "resource:discovery", "resource:relic"}


@pytest.mark.rule("S4.14", "RUL-S15")
def test_order_of_set_up(engine: str) -> None:
    """Planet, decks, Factions, First Player, resources seat by seat, Events, Ships, Habitats, Troops."""
    script = {
        "faction_deal": [["F14", "F01", "F02", "F20", "F03", "F04", "F11", "F05", "F06"]],
        "first_player": ["grey"],
        **planet(),
    }
    t = new_game(engine, 3, factions=True, events=True, script=script)
    t.do("card:F14", "card:F20", "card:F11")
    play_setup(t)
    words: list[Any] = []
    for kind, who, a, *_ in t.events():
        if kind == EventKind.SHUFFLE or kind == EventKind.CHANCE:
            words.append(ChanceKind(a).name)
        elif kind == EventKind.CHOICE:
            words.append((DecisionKind(a).name, who))
        elif kind == EventKind.DRAW:
            words.append(("DRAW", who))
    assert words[:9] == ["TERRAIN_LAYOUT"] * 6 + ["DISCOVERY_SHUFFLE", "RELIC_SHUFFLE", "FACTION_DEAL"]
    assert words[9:13] == [*(("CHOOSE_FACTION", seat) for seat in range(3)), "FIRST_PLAYER"]
    resources = words[13 : words.index("DISCOVERY_SHUFFLE", 13)]
    cards = {f.id: (f.discovery, 2 * f.relics) for f in t.game.content.factions}
    expected: list[Any] = []
    for seat, faction in ((2, "F11"), (0, "F14"), (1, "F20")):
        expected += [("DRAW", seat)] * sum(cards[faction])
        expected += [("KEEP_RELIC", seat)] * (cards[faction][1] // 2)
    assert resources == expected
    rest = words[words.index("DISCOVERY_SHUFFLE", 13) + 1 :]
    assert rest[:3] == [("PLACE_SHIP", 2), ("PLACE_SHIP", 0), ("PLACE_SHIP", 1)]
    assert rest[3:5] == [("STARTING_HABITAT", 0), ("STARTING_HABITAT", 1)]
    troops = [who for word, who in rest[5:] if word.startswith("DEPLOY")]
    order = [2, 0, 1]
    assert troops == sorted(troops, key=order.index)
    assert set(troops) == {0, 1, 2}


HABITATS = """[generic]
habitats = [{values}]
"""


def home_planet(**tiles: str) -> dict[str | int, str]:
    """Tiles of a position just before the Ships are placed, Colony City aside plain unless named."""
    return {at.strip("_").replace("_", "-"): tile for at, tile in tiles.items()}


@pytest.mark.rule("S4.15", "RUL-S15", "I1.1")
def test_a_starting_habitat_is_the_nearest_of_its_value(engine: str, tmp_path: Path) -> None:
    """By side steps in the terrain of the own Ship; ties are the owner's choice; Troops may start there."""
    options = pack(tmp_path, setup=HABITATS.format(values="2, 1"))
    tiles = home_planet(
        _savannah_4_3="outpost",  # two steps from the Ship, in the own terrain
        _savannah_2_0="outpost",  # two steps
        _savannah_6_0="outpost",  # further away
        _forest_3_0="outpost",  # another terrain
        _savannah_6_1="camp",
        _tundra_3_0="camp",
    )
    t = scenario(
        engine,
        {"ship": None},
        {"ship": None},
        phase="setup",
        options=options,
        tiles={**tiles, "forest-6-1": "camp"},
    )
    t.do("savannah-4-1", "forest-4-1")
    t.expect("STARTING_HABITAT", 0)
    assert t.spaces() == {space("savannah-4-3"), space("savannah-2-0")}
    t.do("savannah-2-0")  # the Camp is the only one of its terrain, so it is not asked
    assert t.controller("savannah-2-0") == 0
    assert t.controller("savannah-6-1") == 0
    # seat 1 has one Outpost and one Camp in Forest
    assert t.controller("forest-3-0") == 1
    assert t.controller("forest-6-1") == 1
    assert [t.state.influence(seat) for seat in (0, 1)] == [7, 7]
    t.answer("DEPLOY_TYPE", "unit:soldier", seat=0).expect("DEPLOY_SPACE", 0)
    assert t.spaces() == SIDES[space("savannah-4-1")] | {space("savannah-2-0"), space("savannah-6-1")}


@pytest.mark.rule("S4.15", "RUL-S15")
def test_a_starting_habitat_that_is_gone_is_forfeited(engine: str, tmp_path: Path) -> None:
    """The own Ship on the only Settlement of the terrain: nothing in its place."""
    options = pack(tmp_path, setup=HABITATS.format(values="3"))
    tiles: dict[str | int, str] = {
        "savannah-4-1": "settlement",
        "forest-5-2": "settlement",
        "tundra-2-0": "settlement",
    }
    t = scenario(engine, {"ship": None}, {"ship": None}, phase="setup", options=options, tiles=tiles)
    t.do("savannah-4-1", "forest-4-1").expect("DEPLOY_TYPE", 0)
    assert t.snapshot()["control"] == [[space("forest-5-2"), 1]]
    assert t.state.influence(0) == 4


# ------------------------------------------------------------------ S5
@pytest.mark.rule("S5.1", "S5.2", "RUL-S7")
@pytest.mark.parametrize(("players", "extra", "missing"), [(3, 1, 4), (2, 1, 4), (2, 2, 3)])
def test_variant_blueprints(engine: str, players: int, extra: int, missing: int) -> None:
    """Own colour and one (or two) more, each chosen by its owner among colours not in play."""
    t = new_game(engine, players, blueprint_variant=extra, script={"first_player": ["green"]})
    colour_of = {m.id: m.colour.name.lower() for m in t.game.content.modules}
    free = {m for m, colour in colour_of.items() if colour not in COLOURS[:players]}
    chosen: dict[int, set[str]] = {seat: set() for seat in range(players)}
    for seat in [(1 + i) % players for i in range(players)]:
        for _ in range(extra):
            t.expect("CHOOSE_BLUEPRINT", seat)
            assert {o.split(":")[1] for o in t.options()} == free - chosen[seat]
            pick = t.options()[-1]
            chosen[seat].add(pick.split(":")[1])
            t.do(pick)
    t.expect("PLACE_SHIP", 1)
    for seat, p in enumerate(t.snapshot()["players"]):
        own = {m for m, colour in colour_of.items() if colour == p["colour"]}
        assert set(p["blueprints"]) == own | chosen[seat]
        assert 6 - len(p["blueprints"]) == missing


@pytest.mark.rule("S5.1")
def test_the_variant_is_for_two_or_three_players(engine: str) -> None:
    """Two extra Blueprints with three players, or any with more, are refused."""
    for players, extra in ((3, 2), (4, 1), (6, 1), (2, 3)):
        with pytest.raises(OptionError):
            make_game(engine, players, blueprint_variant=extra)


@pytest.mark.rule("S5.3", "S5.4", "RUL-S7", "B3.2")
def test_variant_exchange(engine: str) -> None:
    """From an opponent come its own colour and those not in play; one exchange, one Blueprint."""
    options = {"blueprint_variant": 1, "colours": ("blue", "grey", "purple")}
    own = ["crew_bridge", "power_core"]  # blue, and yellow chosen in set-up
    t = scenario(
        engine,
        {"blueprints": own, "captured": {1: "4 soldier", 2: "soldier"}},
        players=3,
        options=options,
    )
    t.turn("negotiate").skip("RANSOM_PLAYER")
    assert t.options() == ["done", "player:1"]  # one Soldier of purple is too little
    t.do("player:1")
    t.expect("CHOOSE_BLUEPRINT", 0)
    # grey from grey; orange and green from anybody; purple from purple alone; yellow is Acquired
    assert set(t.options()) == {"module:control_systems", "module:colonist_quarters", "module:fuel_cells"}
    t.do("module:fuel_cells")
    assert t.player(0)["blueprints"] == ["crew_bridge", "power_core", "fuel_cells"]
    assert t.captured(0, 1) == [2, 0, 0, 0, 0]
    t.answer("RANSOM_PLAYER", "player:1").expect("CHOOSE_BLUEPRINT", 0)
    assert set(t.options()) == {"module:control_systems", "module:colonist_quarters"}
    t.do("module:control_systems")
    assert t.captured(0, 1) == [0] * 5
    assert t.kind != "RANSOM_PLAYER"
