"""Packs of a user: what they override, what is said about their defects."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cysmic_fast.content import Content, PackError, load_content, schema
from cysmic_fast.errors import ContentError, CysmicError
from cysmic_fast.vocabulary import Bonus, CardAction, CommandCard, Icon, UnitType

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a pack: ``write(units="…", relics="…")`` gives the folder; each call a new one."""
    count = itertools.count(1)

    def write_pack(**files: str) -> Path:
        folder = tmp_path / f"pack{next(count)}"
        folder.mkdir()
        for name, text in files.items():
            (folder / f"{name}.toml").write_text(text, encoding="utf-8")
        return folder

    return write_pack


def defects(*packs: Path) -> list[str]:
    with pytest.raises(PackError) as caught:
        load_content(*packs)
    assert isinstance(caught.value, ContentError)
    assert isinstance(caught.value, ValueError)
    assert all(str(defect) in str(caught.value) for defect in caught.value.defects)
    return [str(defect).split("/", 1)[-1] for defect in caught.value.defects]


def entry(content: Content, path: str) -> tuple[object, str, str, str]:
    (found,) = (e for e in content.entries if e.path == path)
    return found.value, found.status, found.basis, found.pack


# ---------------------------------------------------------------- overriding
def test_one_key_is_overridden_and_all_others_stay(write: Write) -> None:
    standard = load_content()
    content = load_content(write(units="[soldier]\nmovement = 4"))
    assert content.units[UnitType.SOLDIER].movement == 4
    assert content.units[UnitType.SOLDIER].health == (4,)
    assert content.units[1:] == standard.units[1:]
    assert content.hash != standard.hash
    assert content.name == "standard+pack1"
    assert entry(content, "units.toml: soldier.movement") == (4, "custom", "", "pack1")
    assert entry(content, "units.toml: miner.movement")[3] == "standard"
    assert content.discovery == standard.discovery


def test_a_pack_that_repeats_values_has_the_hash_of_the_standard_pack(write: Write) -> None:
    pack = write(
        units='[soldier]\nmovement = { value = 3, status = "rulebook", basis = "from the box" }',
        planet="[bottom_layer]\nabyss = [0"
        + "".join(f", {n}" for n in sorted(load_content().planet.abyss - {0}))
        + "]",
    )
    content = load_content(pack)
    assert content == load_content()
    assert content is not load_content()
    assert entry(content, "units.toml: soldier.movement") == (3, "rulebook", "from the box", "pack1")


def test_later_packs_win(write: Write) -> None:
    first = write(units="[soldier]\nmovement = 4\nhealth = [5]")
    second = write(units="[soldier]\nmovement = 5")
    content = load_content(first, second)
    assert (content.units[0].movement, content.units[0].health) == (5, (5,))
    assert load_content(str(second), os.fspath(first)).units[0].movement == 4
    assert content.hash != load_content(second, first).hash


def test_name_version_and_status_of_pack_toml(write: Write) -> None:
    head = 'schema = 1\nname = "mine"\nversion = "7"\nstatus = "rulebook"\nbasis = "read from my copy"'
    content = load_content(write(pack=head, modules="[fuel_cells]\nlorium = 6"))
    assert (content.name, content.version) == ("standard+mine", "1.0+7")
    assert entry(content, "modules.toml: fuel_cells.lorium") == (6, "rulebook", "", "mine")


def test_status_is_inherited_and_a_new_status_forgets_the_basis(write: Write) -> None:
    text = """
    status = "derived"
    basis = "file"
    [soldier]
    movement = 4
    red = { value = 2, basis = "value" }
    [miner]
    status = "stand-in"
    movement = 4
    """
    content = load_content(write(units=text))
    assert entry(content, "units.toml: soldier.movement")[1:3] == ("derived", "file")
    assert entry(content, "units.toml: soldier.red")[1:3] == ("derived", "value")
    assert entry(content, "units.toml: miner.movement")[1:3] == ("stand-in", "")


NEW_CARD = """
[[card]]
id = "X1"
name = "Own Card"
count = 3
kind = "action"
modifier = -2
text = "Something new."
ability = [ { do = "gain", res = "lorium", n = 1 } ]
rewards = { op = "and", items = [ { units = ["soldier", "miner"] }, { bonus = ["red", "blue"] } ] }
icons = ["molten_core"]
"""


def test_cards_are_overridden_added_removed_and_counted_anew(write: Write) -> None:
    standard = load_content()
    text = NEW_CARD + '[[card]]\nid = "D02"\ncount = 0\n[[card]]\nid = "D04"\nremove = true\n'
    content = load_content(write(discovery=text))
    ids = [card.id for card in content.discovery]
    assert len(ids) == len(standard.discovery)
    assert "D04" not in ids
    assert ids.index("X1") == ids.index("P01") - 1
    assert content.discovery[1].count == 0
    assert content.discovery[1].name == "Fierce Winds"
    assert 1 not in content.discovery_deck(True, False)
    new = content.discovery[ids.index("X1")]
    assert new.molten_core
    assert new.rewards.op == "and"
    assert new.rewards.items[0].units == (1, 1, 0)
    assert new.rewards.items[1].icons == (Icon.RED, Icon.BLUE)
    assert len(content.discovery_deck(True, False)) == len(standard.discovery_deck(True, False)) + 3 - 2 - 2


def test_an_ability_of_a_faction_is_overridden_by_name(write: Write) -> None:
    text = """
    [[card]]
    id = "F02"
    influence = 5
    [[card.ability]]
    name = "Pack Hunters"
    remove = true
    [[card.ability]]
    name = "Howl"
    text = "New."
    rules = [ { mods = [ { mod = "move", n = 2, types = ["soldier"] } ] } ]
    """
    faction = load_content(write(factions=text)).factions[1]
    assert faction.influence == 5
    assert [ability.name for ability in faction.abilities] == ["Fetch", "Howl"]
    assert faction.rules == faction.abilities[0].rules + faction.abilities[1].rules
    assert faction.rules[-1].mods[0].n == 2


def test_storage_steps_are_known_by_their_influence(write: Write) -> None:
    text = "[storage]\nsteps = [ { from = 15, remove = true }, { from = 9, capacity = 9 } ]"
    content = load_content(write(influence=text))
    assert content.lorium_capacity == ((0, 5), (7, 8), (9, 9), (11, 10), (19, 14))


def test_arrows(write: Write) -> None:
    pairs = load_content(write(planet='[edge]\narrows = "antipodal"')).planet.arrows
    assert [len(pair) for pair in pairs] == [2] * 18
    assert all(b - a == 18 for a, b in pairs)
    symbols = ", ".join(repr(letter) for letter in "ABC" * 12)
    groups = load_content(write(planet=f"[edge]\narrows = [{symbols}]")).planet.arrows
    assert [len(group) for group in groups] == [12] * 3
    assert groups[1][:3] == (92, 95, 98)
    alone = load_content(write(planet=f"[edge]\narrows = {list(range(36))}")).planet.arrows
    assert alone == tuple((space,) for space in range(91, 127))


def test_abyss_by_name_follows_the_order_of_the_terrains(write: Write) -> None:
    named = '[bottom_layer]\nabyss = ["colony_city", "forest-2-1", 126]'
    assert load_content(write(planet=named)).planet.abyss == {0, 10, 126}
    order = '[terrain]\norder = ["forest", "savannah", "rocky", "tundra", "wetlands", "desert"]\n'
    content = load_content(write(planet=order + named))
    assert content.planet.abyss == {0, 8, 126}
    assert content.tokens[0].name == "forest-1"


def test_sections_and_rulings_can_be_regrouped(write: Write) -> None:
    text = '[cards.speakers]\nsections = [["move"], ["persuade", "promote"]]'
    text += "\n[cards.colony_ship]\nmandatory = []"
    content = load_content(write(command_cards=text, rulings='must_flee = "never"\nfinal_strike_die = false'))
    assert content.commands[CommandCard.SPEAKERS].sections[1].actions == (
        CardAction.PERSUADE,
        CardAction.PROMOTE,
    )
    assert not any(s.mandatory for s in content.commands[CommandCard.COLONY_SHIP].sections)
    assert content.rulings.must_flee == "never"
    assert not content.rulings.final_strike_die


def test_cells_of_the_board_can_be_exchanged(write: Write) -> None:
    text = '[two_cards]\nicon = "purple"\n[two_lorium]\nicon = "yellow"\namount = 3'
    content = load_content(write(bonus=text))
    assert content.bonus[Bonus.TWO_CARDS].icon == Icon.PURPLE
    assert content.bonus[Bonus.TWO_LORIUM].amount == 3


def test_other_files_of_a_folder_do_not_matter(write: Write) -> None:
    pack = write(dice="[combat]\nred = [1, 1, 1, 1, 1, 1, 6, 6, 6, 6, 6, 6]")
    (pack / "README.md").write_text("mine")
    (pack / "notes").mkdir()
    assert load_content(pack).dice.red.count(6) == 6


# ---------------------------------------------------------------- defects
SINGLE = [
    # wrong types
    (
        "units",
        "[soldier]\nmovement = 'far'",
        "units.toml: soldier.movement: found 'far'; allowed: an integer from 0 to 6",
    ),
    (
        "units",
        "[soldier]\nmovement = 3.0",
        "units.toml: soldier.movement: found 3.0; allowed: an integer from 0 to 6",
    ),
    ("units", "[soldier]\nmovement = true", "units.toml: soldier.movement: found True"),
    ("units", "[soldier]\nmovement = { value = [] }", "units.toml: soldier.movement: found []"),
    ("units", "soldier = 3", "units.toml: soldier: found 3; allowed: a table with 'supply'"),
    (
        "units",
        "[soldier]\nhealth = 4",
        "units.toml: soldier.health: found 4; allowed: a list of 1 to 2 items",
    ),
    ("rulings", "final_strike_die = 1", "rulings.toml: final_strike_die: found 1; allowed: true or false"),
    ("discovery", "card = 3", "discovery.toml: card: found 3; allowed: a list of tables, each with 'id'"),
    ("discovery", "[card]\nid = 'D01'", "allowed: a list of tables, each with 'id'"),
    (
        "discovery",
        "[[card]]\nid = 'D01'\nability = []",
        "discovery.toml: D01.ability: found []; allowed: a list that is",
    ),
    (
        "discovery",
        "[[card]]\nid = 'D01'\nability = [1.5]",
        "discovery.toml: D01.ability: found 1.5; allowed: texts, integers",
    ),
    (
        "discovery",
        "[[card]]\nid = 'D01'\nname = ''",
        "D01.name: found ''; allowed: a text of 1 to 60 characters",
    ),
    # out of range
    ("units", "[soldier]\nmovement = 7", "found 7; allowed: an integer from 0 to 6"),
    ("units", "[soldier]\nmovement = -1", "found -1"),
    ("units", f"[soldier]\nmovement = 0x{'f' * 9000}", "found an integer of thousands of digits"),
    ("units", "[soldier]\nsupply = 11", "found 11; allowed: an integer from 0 to 10"),
    ("units", "[ship]\nmovement = 2", "units.toml: ship.movement: found 2; allowed: 1"),
    (
        "units",
        "[powermech]\nhealth = [1, 2, 3]",
        "powermech.health: found 3 items; allowed: a list of 1 to 2 items",
    ),
    (
        "units",
        "[powermech]\nhealth = [6, 99]",
        "powermech.health: found 99 as item 2; allowed: an integer from 1 to 12",
    ),
    (
        "dice",
        "[combat]\nred = [1, 2]",
        "dice.toml: combat.red: found 2 items; allowed: a list of exactly 12 items",
    ),
    ("dice", "[humanity]\nfaces = [0, 1, 2, 3, 4, 'all']", "humanity.faces: found 'all' as item 6"),
    (
        "discovery",
        "[[card]]\nid = 'D01'\nmodifier = 0",
        "D01.modifier: found 0; allowed: an integer from -3 to 3 without 0",
    ),
    ("limits", "[caps]\ndice = 25", "limits.toml: caps.dice: found 25; allowed: an integer from 1 to 24"),
    ("limits", "[player]\nrelic_slots = 3", "player.relic_slots: found 3; allowed: 2"),
    # unknown words and keys
    ("units", "[soldier]\nmovment = 3", "soldier.movment: found unknown key 'movment'"),
    ("units", "[soldier]\nmovment = 3", "(did you mean 'movement'?)"),
    (
        "units",
        "[soldier]\nmovement = { value = 3, statsu = 'custom' }",
        "soldier.movement.statsu: found unknown key",
    ),
    (
        "units",
        "[tank]\nmovement = 3",
        "units.toml: tank: found unknown key 'tank'; allowed: one of 'soldier'",
    ),
    ("units", "[soldier]\ninfluence_cost = 1\nlorium_cost = 1", "soldier.lorium_cost: found unknown key"),
    (
        "units",
        "[soldier]\nabilities = ['fly']",
        "soldier.abilities: found 'fly' as item 1; allowed: one of 'engage'",
    ),
    ("units", "[soldier]\nabilities = ['engage', 'engage']", "soldier.abilities: found 'engage' twice"),
    (
        "units",
        "status = 'guess'\n[soldier]\nsupply = 9",
        "units.toml: status: found 'guess'; allowed: one of 'rulebook'",
    ),
    ("units", "[soldier]\nstatus = 3\nsupply = 9", "soldier.status: found 3"),
    ("units", "[soldier]\nbasis = 3\nsupply = 9", "soldier.basis: found 3; allowed: a text"),
    (
        "dice",
        "[strike]\nattacker = ['+1', '+1', '+1', '+1', '+1', 'reroll green']",
        "found 'reroll green' as item 6",
    ),
    (
        "planet",
        "[terrain]\norder = ['forest', 'forest', 'rocky', 'tundra', 'wetlands', 'desert']",
        "'forest' twice",
    ),
    (
        "planet",
        "[edge]\narrows = 'none'",
        'planet.toml: edge.arrows: found \'none\'; allowed: "offset", "antipodal"',
    ),
    ("planet", "[edge]\narrows = [1, 2]", "edge.arrows: found a list of 2 items"),
    ("planet", "[bottom_layer]\nabyss = [127]", "bottom_layer.abyss: found 127"),
    ("planet", "[bottom_layer]\nabyss = ['forest-2-2']", "bottom_layer.abyss: found 'forest-2-2'"),
    ("planet", "[bottom_layer]\nabyss = 'all'", "bottom_layer.abyss: found 'all'"),
    (
        "command_cards",
        "[cards.miners]\nsections = [['move'], ['persuade']]",
        "cards.miners.sections: found 'persuade'",
    ),
    (
        "command_cards",
        "[cards.upgrade]\nsections = [['startup', 'standard_upgrade']]",
        "cards.upgrade.sections: found 2 items",
    ),
    ("command_cards", "[cards.miners]\nmandatory = ['move']", "cards.miners.mandatory: found unknown key"),
    ("bonus", "[play_card]\ncolumn = 2", "bonus.toml: play_card.column: found 2; allowed: 0"),
    ("bonus", "[rescue]\namount = 2", "bonus.toml: rescue.amount: found unknown key"),
    (
        "relics",
        "[[card]]\nid = 'R01'\ntype = 'hat'",
        "relics.toml: R01.type: found 'hat'; allowed: one of 'artifact'",
    ),
    # rewards
    ("discovery", "[[card]]\nid = 'D01'\nrewards = 3", "D01.rewards: found 3; allowed: { op ="),
    (
        "discovery",
        "[[card]]\nid = 'D01'\nrewards = { op = 'or', items = [ { lorium = 1 } ] }",
        "D01.rewards: found",
    ),
    (
        "discovery",
        "[[card]]\nid = 'D01'\nrewards = { op = 'single', items = [ { gold = 1 } ] }",
        "found item 'gold'",
    ),
    (
        "discovery",
        "[[card]]\nid = 'D01'\nrewards = { op = 'single', items = [ { lorium = 99 } ] }",
        "found 99",
    ),
    (
        "discovery",
        "[[card]]\nid = 'D01'\nrewards = { op = 'single', items = [ { bonus = ['gray'] } ] }",
        "found 'gray'",
    ),
    (
        "discovery",
        "[[card]]\nid = 'D01'\nrewards = { op = 'single', items = [ { habitat = 4 } ] }",
        "found a Habitat of value 4",
    ),
    (
        "discovery",
        "[[card]]\nid = 'D01'\nrewards = { op = 'single', items = [ { units = ['ship'] } ] }",
        "found 'ship'",
    ),
    # cards
    ("discovery", "[[card]]\ncount = 1", "discovery.toml: card.number 1.id: found nothing"),
    ("discovery", "[[card]]\nid = 7", "discovery.toml: card.number 1.id: found 7"),
    ("discovery", "[[card]]\nid = 'D01'\n[[card]]\nid = 'D01'", "discovery.toml: D01: found id 'D01' twice"),
    (
        "discovery",
        "[[card]]\nid = 'D1'\nremove = true",
        "discovery.toml: D1: found remove of unknown id 'D1'",
    ),
    ("discovery", "[[card]]\nid = 'D01'\nremove = 'yes'", "D01.remove: found 'yes'; allowed: true or false"),
    (
        "discovery",
        "[[card]]\nid = 'D01'\nremove = true\ncount = 2",
        "D01.remove: found true beside other keys",
    ),
    (
        "discovery",
        "[[card]]\nid = 'D01'\nname = 'Override'",
        "discovery.toml: D01.name: found 'Override', the name of D01 and D06",
    ),
    (
        "discovery",
        NEW_CARD.replace("X1", "P01"),
        "discovery.toml: P01: found id 'P01', a card of discovery.toml and of events.toml",
    ),
    (
        "relics",
        "[[card]]\nid = 'X1'\nname = 'New'",
        "relics.toml: X1.rules: found nothing; allowed: 'rules' is required",
    ),
    # conditions on several values
    ("planet", "[tiles]\ncamp = 4", "planet.toml: tiles: found 22 tiles; allowed: a sum of 21"),
    (
        "planet",
        "[tiles]\nlake = 3\ntunl = 1",
        "planet.toml: tiles: found 6 Mountains and Lakes; allowed: at most 5",
    ),
    (
        "cysmograph",
        "[track]\npositions = [6, 5, 4, 2, 3, 0, 0]",
        "cysmograph.toml: track.positions: found [6, 5, 4, 2, 3",
    ),
    ("cysmograph", "[track]\ntremor_tokens = 9", "track.tremor_tokens: found 9; allowed: one more than"),
    ("units", "[powermech]\nred = 8\n[soldier]\nred = 8\n[miner]\nyellow = 8\n[harvester]\nred = 5", None),
    ("units", "[powermech]\nred = 8\nyellow = 8\n[soldier]\nred = 8", "found 32 Combat Dice in a full space"),
    (
        "limits",
        "[caps]\ndice = 5",
        "limits.toml: caps.dice: found 6 Combat Dice in a full space; allowed: at most caps.dice = 5",
    ),
    (
        "units",
        "[harvester]\nupgrades_from = 'soldier'",
        "harvester.upgrades_from: found 'soldier', from which Powermechs",
    ),
    (
        "command_cards",
        "[cards.miners]\nsections = [['move'], ['move', 'mine']]",
        "cards.miners.sections: found move more than",
    ),
    (
        "command_cards",
        "[cards.colony_ship]\nsections = [['stabilize', 'ship_move']]",
        "cards.colony_ship.sections: found a compulsory Action in a Section with 2 Actions",
    ),
    (
        "bonus",
        "[two_cards]\nicon = 'red'",
        "bonus.toml: two_cards: found the red cell of column 1, taken by resolve_combat",
    ),
    (
        "modules",
        "[fuel_cells]\ncolour = 'blue'",
        "modules.toml: fuel_cells.colour: found 'blue', taken by crew_bridge",
    ),
    (
        "influence",
        "[storage]\nbase = 9",
        "influence.toml: storage.base: found 8 from Influence 7 on; allowed: at least",
    ),
    (
        "influence",
        "[unlimited]\ninfluence = 18",
        "unlimited.influence: found a step at Influence 19; allowed: steps below",
    ),
    (
        "limits",
        "[table]\nplayers_min = 6\nplayers_max = 5",
        "table.players_min: found 6; allowed: at most players_max = 5",
    ),
    (
        "relics",
        "[[card]]\nid = 'R05'\ncount = 20",
        "relics.toml: found 72 cards of 45 designs; allowed: at most 64",
    ),
    (
        "discovery",
        "[[card]]\nid = 'D03'\ncount = 20",
        "discovery.toml: found 129 cards: 117 of discovery.toml, 12 of events.toml; allowed: at most 128",
    ),
    (
        "factions",
        "".join(f"[[card]]\nid = 'F{n:02}'\nmin_players = 6\n" for n in range(1, 25)),
        "Factions without Espionage",
    ),
    ("factions", "[[card]]\nid = 'F01'\nhabitats = [5]", "factions.toml: F01.habitats: found values [5]"),
    ("setup", "[generic]\nhabitats = [4]", "setup.toml: generic.habitats: found values [4]"),
    (
        "units",
        "[soldier]\nsupply = 6",
        "units.toml: soldier.supply: found 7 soldiers of F02; allowed: at most the supply, 6",
    ),
]


@pytest.mark.parametrize(("file", "text", "message"), SINGLE)
def test_a_defect_is_named(write: Write, file: str, text: str, message: str | None) -> None:
    pack = write(**{file: text})
    if message is None:  # just within
        load_content(pack)
    else:
        assert message in "\n".join(defects(pack))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "a = = 3",
            "units.toml: found broken TOML: Invalid value (at line 1, column 5); allowed: a valid TOML file",
        ),
        ("[soldier]\nmovement = 3\nmovement = 4", "units.toml: found broken TOML"),
        ("a = " + "[" * 3000 + "]" * 3000, "units.toml: found tables nested too deeply"),
        ("a = " + "9" * 5000, "units.toml: found broken TOML"),
        ("#" * 4_000_001, "units.toml: found 4000001 bytes; allowed: at most 4000000"),
    ],
    ids=["syntax", "duplicate key", "deep", "long integer", "large"],
)
def test_broken_files(write: Write, text: str, message: str) -> None:
    assert message in "\n".join(defects(write(units=text)))


def test_files_that_are_no_text(write: Write) -> None:
    pack = write()
    (pack / "units.toml").write_bytes(b"[soldier]\n# \xff")
    (pack / "dice.toml").mkdir()
    found = defects(pack)
    assert found[0].startswith("dice.toml: found a file that cannot be read")
    assert found[1] == "units.toml: found a byte that is not UTF-8 at position 12; allowed: a UTF-8 text file"


def test_unknown_and_missing_files(write: Write) -> None:
    assert "found unknown file 'unit.toml'" in defects(write(unit="a = 1"))[0]
    assert "did you mean 'units.toml'?" in defects(write(unit="a = 1"))[0]
    assert "found no content file" in defects(write())[0]
    assert "found no content file" in defects(write(pack="schema = 1"))[0]


def test_schema_of_pack_toml(write: Write) -> None:
    units = "[soldier]\nmovement = 4"
    assert "pack.toml: schema: found 2; allowed: 1" in defects(write(pack="schema = 2", units=units))[0]
    assert "pack.toml: schema: found nothing" in defects(write(pack='name = "x"', units=units))[0]
    assert "pack.toml: status: found 'no'" in defects(write(pack='schema = 1\nstatus = "no"', units=units))[0]


def test_all_defects_are_reported_together_and_only_their_own(write: Write) -> None:
    pack = write(
        dice="a = = 3",
        units="[soldier]\nmovment = 3\nred = 30\nhealth = [4, 'x']",
        planet="[tiles]\ncamp = 'many'\noutpost = 0",
        modules="[fuel_cells]\ncolour = 'blue'\n[warp_drive]\ncolour = 'pink'",
        relics="[[card]]\nid = 'R99'\nname = 'New'\ncount = 1\ntext = 'x'\nrules = 3\nicons = []",
    )
    found = [line.split(": found")[0] for line in defects(pack)]
    # Nothing is said about the sum of tiles, as one of them is unknown.
    assert found == [
        "dice.toml",
        "modules.toml: warp_drive.colour",
        "modules.toml: fuel_cells.colour",
        "planet.toml: tiles.camp",
        "relics.toml: R99.rules",
        "relics.toml: R99.type",
        "units.toml: soldier.movment",
        "units.toml: soldier.red",
        "units.toml: soldier.health",
    ]


REACTION = "[[card]]\nid = 'D01'\nkind = 'reaction'\ntrigger = { on = 'turn_end', by = 'self' }"
#: Values that do not go together: what the packs write, and where the defect is told.
CONFLICTS = [
    # A value of the pack beside one of the standard pack: the pack, in the file it wrote.
    ([{"discovery": "[[card]]\nid = 'D74'\nkind = 'action'"}], "pack1/discovery.toml: D74.kind: found"),
    (
        [{"events": "".join(f"[[card]]\nid = 'P{n:02}'\ncount = 20\n" for n in range(1, 13))}],
        "pack1/events.toml: found 339 cards: 99 of discovery.toml, 240 of events.toml",
    ),
    # Two packs: the uppermost of those that wrote one of the values.
    (
        [
            {"discovery": REACTION},
            {"discovery": "[[card]]\nid = 'D01'\ntrigger = 'none'"},
            {"units": "[miner]\nmovement = 3"},
        ],
        "pack2/discovery.toml: D01.trigger: found 'none'; allowed: a trigger, on a Reaction",
    ),
    (
        [
            {"discovery": REACTION},
            {"discovery": "[[card]]\nid = 'D01'\nkind = 'action'"},
        ],
        "pack2/discovery.toml: D01.kind: found beside it a trigger of pack1 (D01.trigger)",
    ),
    (
        [{"limits": "[caps]\ndice = 7"}, {"units": "[soldier]\nred = 4"}, {"units": "[ship]\nsupply = 1"}],
        "pack2/units.toml: found",
    ),
    (
        [{"units": "[soldier]\nsupply = 6"}, {"discovery": "[[card]]\nid = 'D01'\ncount = 1"}],
        "pack1/units.toml: soldier.supply: found 7 soldiers of F02",
    ),
    # A program that is wrong by itself is not the fault of a pack that changes the card's trigger above it.
    (
        [
            {"discovery": "[[card]]\nid = 'D10'\nability = [ { do = 'bonus', icons = ['pink'] } ]"},
            {"discovery": "[[card]]\nid = 'D10'\ntrigger = { on = 'turn_end', by = 'any' }"},
        ],
        "pack1/discovery.toml: D10.ability.step 1.icons: found 'pink'",
    ),
]


@pytest.mark.parametrize(("packs", "message"), CONFLICTS)
def test_a_conflict_is_told_to_the_pack_that_wrote_last(
    write: Write, packs: list[dict[str, str]], message: str
) -> None:
    with pytest.raises(PackError) as caught:
        load_content(*(write(**files) for files in packs))
    (defect,) = caught.value.defects
    assert str(defect).startswith(message)


ODD = [
    ("ability = [ { do = 'gain', res = 'lorium', n = 1.0 } ]", "D01.ability.step 1.n: found 1.0"),
    (
        "ability = [ { do = 'trade' }, { do = 'if', cond = { turn = nan }, then = [ { do = 'trade' } ] } ]",
        "D01.ability.step 2.cond.turn: found nan",
    ),
    (
        "ability = [ { do = 'choose', options = [ [ { do = 'trade' } ], [ { n = 2026-12-01 } ] ] } ]",
        "D01.ability.step 1.options.option 2.step 1.n: found datetime.date(2026, 12, 1)",
    ),
    (
        "ability = [ { do = 'grant', for = 'turn', mods = [ { mod = 'play_both' }, { n = 2.5 } ] } ]",
        "D01.ability.step 1.mods.mod 2.n: found 2.5",
    ),
    ("kind = 'reaction'\ntrigger = { on = 'turn_end', by = 1.5 }", "D01.trigger.by: found 1.5"),
]


@pytest.mark.parametrize(("text", "message"), ODD)
def test_a_value_of_no_program_is_told_where_it_stands(write: Write, text: str, message: str) -> None:
    (line,) = defects(write(discovery=f"[[card]]\nid = 'D01'\n{text}"))
    assert line.startswith(f"discovery.toml: {message}; allowed: texts, integers")
    both = "[ { do = 'gain', res = 'lorium', n = 1.0 }, { do = 'tremor', n = 0.5 } ]"
    lines = defects(write(relics=f"[[card]]\nid = 'R05'\nrules = [ {{ effect = {both} }} ]"))
    assert [text.partition(":")[2].partition(";")[0] for text in lines] == [
        " R05.rules.rule 1.effect.step 1.n: found 1.0",
        " R05.rules.rule 1.effect.step 2.n: found 0.5",
    ]


@pytest.mark.parametrize(("file", "card"), [("discovery", "D20"), ("relics", "R05")])
def test_no_card_bears_molten_core_and_espionage(write: Write, file: str, card: str) -> None:
    (line,) = defects(write(**{file: f"[[card]]\nid = '{card}'\nicons = ['molten_core', 'espionage']"}))
    assert line.startswith(f"{file}.toml: {card}.icons: found 'molten_core' and 'espionage' on one card")
    assert "RUL-S6" in line


def test_defects_name_their_pack(write: Write) -> None:
    good, bad = write(units="[soldier]\nmovement = 4"), write(units="[soldier]\nred = 30")
    with pytest.raises(
        PackError, match=r"'standard\+pack1\+pack2' has 1 defect:\n  pack2/units.toml: soldier.red"
    ):
        load_content(good, bad)


@pytest.mark.parametrize("path", ["/no/such/folder", "", "\0", 7, None, b"x"])
def test_paths_that_are_no_folders(path: object) -> None:
    with pytest.raises(CysmicError, match=r"is not a folder|has 1 defect"):
        load_content(path)  # type: ignore[arg-type]


def test_a_file_is_no_pack(write: Write) -> None:
    with pytest.raises(ContentError, match="is not a folder"):
        load_content(write(units="[soldier]\nred = 2") / "units.toml")


@pytest.mark.parametrize("name", ["standrad", "", "../standard", 3, None])
def test_unknown_base_pack(name: object) -> None:
    with pytest.raises(ContentError, match="unknown content pack"):
        load_content(name=name)  # type: ignore[arg-type]


def test_a_folder_that_cannot_be_read(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(units="[soldier]\nmovement = 4")
    listed = Path.iterdir

    def refuse(path: Path) -> object:
        if path == folder:
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert defects(folder) == [
        "pack1: found a folder that cannot be read: Permission denied; allowed: a readable folder"
    ]


def test_grey_icon_rewards(write: Write) -> None:
    """RUL-N6: a Grey icon gives one of the four Grey options."""
    text = "[[card]]\nid = 'D01'\nrewards = { op = 'single', items = [ { bonus = ['grey'] } ] }"
    content = load_content(write(discovery=text))
    (card,) = (c for c in content.discovery if c.id == "D01")
    assert card.rewards.items[0].icons == (Icon.GREY,)


def test_a_kind_of_value_says_what_it_takes() -> None:
    """A leaf of a layout that does not is refused when it is made, not when a pack is read."""

    class Forgotten(schema.Leaf):
        pass

    with pytest.raises(TypeError, match="abstract"):
        Forgotten()  # type: ignore[abstract]
