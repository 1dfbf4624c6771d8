"""The standard pack against docs/rules/facts.md: values, statuses, counts."""

from __future__ import annotations

import copy
import os
import pickle
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from cysmic_fast.content import STATUSES, load_content, pack_names
from cysmic_fast.vocabulary import (
    Bonus,
    CardAction,
    Colour,
    CommandCard,
    Feature,
    Icon,
    UnitType,
)

ROOT = Path(__file__).resolve().parents[2]
FACTS = (ROOT / "docs" / "rules" / "facts.md").read_text(encoding="utf-8")
CONTENT = load_content()
ENTRIES = {entry.path: entry for entry in CONTENT.entries}

#: Changes with every change of an effective value; renew it with the value, never by itself.
GOLDEN_HASH = "cdb1e15c4b4627515f3fa383a8f9538dc0793c777b4b5f98e132e2ca3af3980f"


def facts_table(heading: str) -> list[list[str]]:
    """Rows of the first table under a heading of facts.md, without markup."""
    section = FACTS.split(f"\n## {heading}", 1)[1].split("\n## ", 1)[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip().replace("*", "") for cell in row.strip("|").split("|")] for row in rows]


def facts_row(heading: str, key: str) -> list[str]:
    return next(row for row in facts_table(heading) if row[0] == key)


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


# ---------------------------------------------------------------- identity
def test_golden_hash() -> None:
    assert CONTENT.hash == GOLDEN_HASH
    assert (CONTENT.name, CONTENT.version) == ("standard", "1.0")
    assert pack_names() == ["standard"]


def test_hash_does_not_depend_on_the_process() -> None:
    program = "from cysmic_fast.content import load_content; print(load_content().hash)"
    for seed in ("0", "1"):
        out = subprocess.run(
            [sys.executable, "-P", "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        assert out.stdout.strip() == GOLDEN_HASH


def test_standard_content_is_cached_immutable_and_picklable() -> None:
    assert load_content() is CONTENT
    with pytest.raises(AttributeError):
        CONTENT.name = "other"  # type: ignore[misc]
    with pytest.raises(TypeError):
        CONTENT.habitat_values[Feature.CAMP] = 9
    with pytest.raises(TypeError):
        CONTENT.yields.clear()
    for twin in (pickle.loads(pickle.dumps(CONTENT)), copy.deepcopy(CONTENT)):
        assert twin == CONTENT
        assert hash(twin) == hash(CONTENT)
        for field in ("planet", "units", "dice", "yields", "commands", "limits", "discovery", "entries"):
            assert getattr(twin, field) == getattr(CONTENT, field)
    assert CONTENT != "standard"
    assert "standard" in repr(CONTENT)


def test_import_is_light() -> None:
    program = (
        "import sys, cysmic_fast.content, cysmic_fast.options\n"
        "print([m for m in ('numpy', 'numba', 'rich', 'typer', 'msgspec') if m in sys.modules])"
    )
    out = subprocess.run(
        [sys.executable, "-P", "-c", program],
        capture_output=True,
        text=True,
        check=True,
    )
    assert out.stdout.strip() == "[]"


# ---------------------------------------------------------------- provenance
def test_every_value_has_a_status_and_every_other_than_the_rulebooks_a_basis() -> None:
    assert len(ENTRIES) == len(CONTENT.entries)
    for entry in CONTENT.entries:
        assert entry.status in STATUSES[:4], entry
        assert entry.pack == "standard"
        assert entry.basis or entry.status == "rulebook", entry


def test_what_is_known_in_part_is_inferred() -> None:
    inferred = [entry for entry in CONTENT.entries if entry.status == "inferred"]
    assert {e.path for e in inferred} == {
        e.path for e in CONTENT.entries if e.basis.startswith("known in part: ")
    }
    cards = {e.path.split(": ")[1].split(".")[0] for e in inferred}
    assert cards == {
        *(f"D{n:02}" for n in (1, 2, 4, 7, 8, 9, *range(12, 18))),
        "F01",
        "F02",
        "F03",
        "F04",
        "F05",
        "F07",
    }


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("units.toml: soldier.influence_cost", "rulebook"),
        ("units.toml: powermech.lorium_cost", "stand-in"),
        ("units.toml: miner.health", "stand-in"),
        ("units.toml: speaker.health", "rulebook"),
        ("units.toml: miner.yellow", "stand-in"),
        ("units.toml: harvester.yellow", "rulebook"),
        ("units.toml: ship.movement", "derived"),
        ("planet.toml: tiles.mountain", "rulebook"),
        ("planet.toml: tiles.tunl", "stand-in"),
        ("planet.toml: bottom_layer.abyss", "stand-in"),
        ("dice.toml: humanity.faces", "rulebook"),
        ("dice.toml: combat.red", "stand-in"),
        ("command_cards.toml: cards.harvesters.icons", "rulebook"),
        ("command_cards.toml: cards.recruit.icons", "derived"),
        ("command_cards.toml: cards.soldiers.icons", "stand-in"),
        ("command_cards.toml: cards.miners.sections", "derived"),
        ("command_cards.toml: yields.scavenge.discovery", "stand-in"),
        ("command_cards.toml: actions.tremor", "rulebook"),
        ("bonus.toml: two_cards.icon", "derived"),
        ("bonus.toml: deploy_one.icon", "rulebook"),
        ("influence.toml: storage.steps.11.capacity", "rulebook"),
        ("influence.toml: storage.steps.15.capacity", "stand-in"),
        ("modules.toml: control_systems.colour", "derived"),
        ("modules.toml: warp_drive.colour", "stand-in"),
        ("modules.toml: warp_drive.target", "rulebook"),
        ("limits.toml: caps.rounds", "stand-in"),
        ("limits.toml: player.flags", "rulebook"),
        ("setup.toml: generic.units.soldier", "stand-in"),
        ("rulings.toml: must_flee", "stand-in"),
        ("discovery.toml: D01.name", "rulebook"),
        ("discovery.toml: D01.modifier", "stand-in"),
        ("discovery.toml: D03.ability", "rulebook"),
        ("relics.toml: R04.rules", "rulebook"),
        ("relics.toml: R05.rules", "stand-in"),
        ("factions.toml: F02.ability.Fetch.rules", "inferred"),
        ("discovery.toml: D12.ability", "inferred"),
        ("events.toml: P01.effect", "stand-in"),
    ],
)
def test_statuses(path: str, status: str) -> None:
    assert ENTRIES[path].status == status


# ---------------------------------------------------------------- planet, units, dice
def test_planet() -> None:
    planet = CONTENT.planet
    assert planet.terrains == ("savannah", "forest", "rocky", "tundra", "wetlands", "desert")
    assert planet.tiles == (
        (Feature.CAMP, 3),
        (Feature.OUTPOST, 2),
        (Feature.SETTLEMENT, 1),
        (Feature.MOUNTAIN, 3),
        (Feature.LORIUM, 4),
        (Feature.EXPLORABLE, 4),
        (Feature.TUNL, 2),
        (Feature.LAKE, 2),
    )
    assert sum(number for _, number in planet.tiles) == 21


def test_bottom_layer_follows_the_axial_formula() -> None:
    # F:bottom_layer in axial coordinates: Abyss where (q - r) mod 3 = 0.
    steps = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    places = {0: (0, 0)}
    for ring in range(1, 7):
        for terrain in range(6):
            (q, r), (dq, dr) = steps[terrain], steps[(terrain + 2) % 6]
            for offset in range(ring):
                number = 1 + 3 * ring * (ring - 1) + ring * terrain + offset
                places[number] = (ring * q + offset * dq, ring * r + offset * dr)
    assert len(set(places.values())) == 127
    assert CONTENT.planet.abyss == {n for n, (q, r) in places.items() if (q - r) % 3 == 0}
    assert len(CONTENT.planet.abyss) == 43
    at = {place: n for n, place in places.items()}
    for n in CONTENT.planet.abyss:
        q, r = places[n]
        assert not {at.get((q + dq, r + dr)) for dq, dr in steps} & CONTENT.planet.abyss


@pytest.mark.rule("P-EX2")
def test_arrows() -> None:
    groups = CONTENT.planet.arrows
    assert [len(group) for group in groups] == [6] * 6
    assert sorted(space for group in groups for space in group) == list(range(91, 127))
    assert all((space - group[0]) % 6 == 0 for group in groups for space in group)


def test_units_against_the_facts() -> None:
    heading = "4. Units"
    # The columns of the table; the Ship is the last.
    order = [UnitType[name.upper()] for name in facts_row(heading, "key")[1:7]]
    stock = numbers(",".join(facts_row(heading, "stock")[1:7]))
    movement = numbers(",".join(facts_row(heading, "units.movement")[1:7]))
    health = facts_row(heading, "Health")[1:7]
    for place, kind in enumerate(order):
        unit = CONTENT.units[kind]
        assert unit.type == kind
        assert unit.supply == stock[place]
        assert unit.movement == movement[place]
        assert list(unit.health) == numbers(health[place])
    influence = [numbers(cell) for cell in facts_row(heading, "Cost, Influence")[1:7]]
    lorium = [numbers(cell) for cell in facts_row(heading, "units.cost, Lorium")[1:7]]
    dice = facts_row(heading, "Combat Dice")[1:7]
    abilities = facts_row(heading, "Abilities")[1:7]
    for place, kind in enumerate(order):
        unit = CONTENT.units[kind]
        assert unit.influence_cost == sum(influence[place])
        assert unit.lorium_cost == sum(lorium[place])
        assert unit.red == (sum(numbers(dice[place])) if "red" in dice[place] else 0)
        assert unit.yellow == (sum(numbers(dice[place])) if "yellow" in dice[place] else 0)
        assert unit.engage == ("Engage" in abilities[place])
        assert unit.shield == ("Shield" in abilities[place])
        assert unit.early_warning == ("Early Warning" in abilities[place])
        assert unit.jumpjet == ("Jumpjets" in abilities[place])
    assert [unit.kind for unit in CONTENT.units] == ["troop"] * 3 + ["vehicle"] * 2 + ["ship"]
    assert CONTENT.units[UnitType.POWERMECH].upgrades_from == UnitType.SOLDIER
    assert CONTENT.units[UnitType.HARVESTER].upgrades_from == UnitType.MINER
    assert CONTENT.dropship_lorium == 1


def test_dice_against_the_facts() -> None:
    heading = "5. Dice"
    assert list(CONTENT.dice.red) == numbers(facts_row(heading, "dice.red (D12)")[1])
    assert list(CONTENT.dice.yellow) == numbers(facts_row(heading, "dice.yellow (D12)")[1])
    for key, faces in (
        ("dice.green (Defender D6)", CONTENT.dice.defender_strike),
        ("dice.blue (Attacker D6)", CONTENT.dice.attacker_strike),
    ):
        assert [face.name for face in faces] == facts_row(heading, key)[1].lower().split(", ")
    assert ", ".join(CONTENT.dice.humanity_names) == facts_row(heading, "dice.humanity")[1]
    assert CONTENT.dice.humanity == (0, 1, 2, 3, 4, None)
    assert sum(CONTENT.dice.red) / 12 == 3.5
    plus = CONTENT.dice.attacker_strike[1]
    assert (plus.kind, plus.value, plus.colour) == ("value", 1, "")
    assert CONTENT.dice.attacker_strike[5].colour == "yellow"


# ---------------------------------------------------------------- cards and board
def test_command_cards_against_the_facts() -> None:
    for row in facts_table("9. Command Cards")[2:]:
        spec = CONTENT.commands[CommandCard[row[0].upper().replace(" ", "_")]]
        assert spec.name == row[0]
        assert len(spec.sections) == row[1].count("/") + 1
        assert [icon.name.capitalize() for icon in spec.icons] == row[3].split(", ")
    assert [spec.card for spec in CONTENT.commands] == list(CommandCard)
    assert [spec.unit for spec in CONTENT.commands[4:]] == list(UnitType)
    assert {spec.kind for spec in CONTENT.commands[:4]} == {"tactic"}
    compulsory = [a for spec in CONTENT.commands for s in spec.sections if s.mandatory for a in s.actions]
    assert compulsory == [CardAction.BATTLE, CardAction.STABILIZE]
    harvesters = CONTENT.commands[CommandCard.HARVESTERS]
    assert [s.actions for s in harvesters.sections] == [
        (CardAction.MOVE,),
        (CardAction.HARVEST, CardAction.SCAVENGE),
    ]
    assert sum(len(s.actions) for spec in CONTENT.commands for s in spec.sections) == 27


def test_each_pair_of_icons_occurs_once() -> None:
    pairs = Counter(frozenset(spec.icons) for spec in CONTENT.commands)
    assert len(pairs) == 10
    assert all(len(pair) == 2 and Icon.GREY not in pair for pair in pairs)


def test_bonus_actions_stand_where_their_numbers_say() -> None:
    for spec in CONTENT.bonus:
        assert spec.bonus == CONTENT.bonus.index(spec)
        if spec.bonus < 4:
            assert (spec.column, spec.icon) == (0, Icon.GREY)
        else:
            assert spec.bonus == 4 + 5 * (spec.column - 1) + spec.icon
    amounts = {spec.bonus: spec.amount for spec in CONTENT.bonus if spec.amount != 1}
    assert amounts == {
        Bonus.TWO_CARDS: 2,
        Bonus.TWO_LORIUM: 2,
        Bonus.DEPLOY_TWO: 2,
        Bonus.STORE_LORIUM: 3,
        Bonus.MOVE_THREE: 3,
    }


def test_yields_and_tremors() -> None:
    assert {a: (y.lorium, y.discovery) for a, y in CONTENT.yields.items()} == {
        CardAction.MINE: (1, 0),
        CardAction.EXPLORE: (0, 1),
        CardAction.HARVEST: (3, 0),
        CardAction.SCAVENGE: (1, 2),
    }
    assert CONTENT.tremor_actions == {
        CardAction.HARVEST,
        CardAction.JUMPJET,
        CardAction.STABILIZE,
        CardAction.DROPSHIP_UPGRADE,
    }


@pytest.mark.rule("I1.2", "I1.4", "I2.1", "I-EX1")
def test_influence_and_storage() -> None:
    assert CONTENT.habitat_values == {
        Feature.CAMP: 1,
        Feature.OUTPOST: 2,
        Feature.SETTLEMENT: 3,
        Feature.COLONY_CITY: 5,
    }
    assert CONTENT.lorium_capacity == ((0, 5), (7, 8), (11, 10), (15, 12), (19, 14))
    got = [CONTENT.storage(influence) for influence in (0, 6, 7, 10, 11, 14, 15, 18, 19, 20, 21, 50)]
    assert got == [5, 5, 8, 8, 10, 10, 12, 12, 14, 14, None, None]


def test_modules_against_the_facts() -> None:
    rows = facts_table("8. Modules")[2:]
    assert [module.name for module in CONTENT.modules] == [row[0] for row in rows]
    for module, row in zip(CONTENT.modules, rows, strict=True):
        assert module.target == numbers(row[1])[0]
        assert module.colour == Colour[row[2].split()[0].upper()]
        assert [module.lorium, module.influence] == [int(row[3]), int(row[4])]
    assert {module.colour for module in CONTENT.modules} == set(Colour)


@pytest.mark.rule("Y2.2", "Y2.4", "S3.2")
def test_fracture_tokens() -> None:
    tokens = CONTENT.tokens
    assert len(tokens) == 42
    assert [(t.terrain, t.ring) for t in tokens[:36]] == [(t, r) for t in range(6) for r in range(1, 7)]
    assert tokens[4].name == "savannah-5"
    assert [t.name for t in tokens[36:]] == [
        "false_alarm",
        "false_alarm",
        "devastated",
        "pull_2_more",
        "pull_2_more",
        "colony_city",
    ]
    assert all(t.terrain == t.ring == -1 and t.kind == t.name for t in tokens[36:])


def test_cysmograph_and_limits() -> None:
    assert CONTENT.cysmograph.track == (6, 5, 4, 3, 2, 0, 0)
    assert CONTENT.cysmograph.tokens == 8
    limits = CONTENT.limits
    assert (limits.players_min, limits.players_max, limits.columns) == (2, 6, 5)
    assert (limits.discovery_hand, limits.relics, limits.relic_slots, limits.flags) == (5, 5, 2, 7)
    assert (limits.cells, limits.cell_troops, limits.cell_vehicles) == (6, 2, 1)
    assert (limits.capacity_units, limits.capacity_vehicles, limits.relic_tokens) == (3, 1, 30)
    assert (limits.faction_deal, limits.cyber_attempts) == (3, 3)
    assert (limits.blueprint_troops, limits.blueprint_vehicles) == (2, 1)
    heading = "1. Structure and limits"
    for key in ("rounds", "strikes", "programs", "bonus_actions", "grants", "dice"):
        assert getattr(limits, key) == numbers(facts_row(heading, f"cap.{key}")[1])[0]
    assert [limits.offers, limits.offer_pieces] == numbers(facts_row(heading, "cap.offers")[1])


def test_rulings_are_those_of_the_digest() -> None:
    rulings = CONTENT.rulings
    assert rulings.ship_start == "inner"
    assert rulings.resets == "per_fracture"
    assert rulings.must_flee == "dice_count"
    assert rulings.final_strike_die
    assert rulings.build_it_on_devastated
    assert rulings.end_without_tiles
    assert rulings.reuse_this_turns_card


# ---------------------------------------------------------------- factions and decks
def test_generic_set_up() -> None:
    generic = CONTENT.generic
    assert (generic.influence, generic.lorium, generic.discovery, generic.relics) == (4, 2, 1, 0)
    assert (generic.units, generic.habitats) == ((3, 1, 1), ())


def test_factions() -> None:
    assert len(CONTENT.factions) == 27
    named = {
        "Fractured Mind",
        "Fur-Mageddon",
        "Moving Mao Tons",
        "Rhodes to Ruin",
        "The Ingram Corporation",
        "The Tricksters",
        "Those Behind the Wall",
    }
    stated = {f.name for f in CONTENT.factions if ENTRIES[f"factions.toml: {f.id}.name"].status == "rulebook"}
    assert stated == named
    for f in CONTENT.factions:
        soldiers, miners, speakers = f.units
        band = f.influence + f.lorium + f.discovery + 2 * f.relics + soldiers + 2 * speakers + 3 * miners
        assert 17 <= band + sum(f.habitats) <= 19, f.name
        assert 6 <= sum(f.units) <= 9
        assert len(f.abilities) == 2
        assert all(ability.name and ability.text and ability.rules for ability in f.abilities)
        assert f.rules == f.abilities[0].rules + f.abilities[1].rules
    assert [f.name for f in CONTENT.factions if f.habitats] == ["Brightwater Commune", "Lantern Parish"]
    assert sum(f.espionage for f in CONTENT.factions) == 3
    for players in range(2, 7):
        eligible = CONTENT.eligible_factions(players)
        assert all(CONTENT.factions[n].min_players <= players for n in eligible)
        assert not any(CONTENT.factions[n].espionage for n in eligible)
    assert len(CONTENT.eligible_factions(6, espionage=True)) == 27


@pytest.mark.rule("S-EX4", "S3.3", "S3.4", "S3.5", "S3.8", "RUL-S6")
@pytest.mark.parametrize(
    ("molten_core", "events", "full", "without_espionage"),
    [(True, True, 111, 105), (True, False, 99, 93), (False, True, 83, 77), (False, False, 71, 65)],
)
def test_discovery_deck_sizes(molten_core: bool, events: bool, full: int, without_espionage: int) -> None:
    assert len(CONTENT.discovery_deck(molten_core, events, espionage=True)) == full
    deck = CONTENT.discovery_deck(molten_core, events)
    assert len(deck) == without_espionage
    assert list(deck) == sorted(deck)
    assert Counter(deck) == {n: CONTENT.discovery[n].count for n in set(deck)}
    assert deck[len(deck) - 12 * events :] == CONTENT.event_deck() * events


@pytest.mark.rule("S3.4", "S3.5")
def test_relic_deck_sizes() -> None:
    sizes = {(m, e): len(CONTENT.relic_deck(m, e)) for m in (True, False) for e in (True, False)}
    assert sizes == {(True, True): 54, (True, False): 53, (False, True): 48, (False, False): 47}


def test_discovery_cards() -> None:
    cards = [card for card in CONTENT.discovery if not card.event]
    events = [card for card in CONTENT.discovery if card.event]
    assert CONTENT.discovery == (*cards, *events)
    assert (len(cards), sum(card.count for card in cards)) == (81, 99)
    assert (len(events), sum(card.count for card in events)) == (12, 12)
    assert sum(card.count for card in cards if card.molten_core) == 28
    assert sum(card.count for card in cards if card.espionage) == 6
    assert not any(card.molten_core and card.espionage for card in cards)
    assert all(card.molten_core and card.kind == "event" and card.modifier == 0 for card in events)
    assert {card.modifier for card in cards} == {-3, -2, -1, 1, 2, 3}
    named = {
        kind: [
            card.name
            for card in cards
            if card.kind == kind and ENTRIES[f"discovery.toml: {card.id}.name"].status == "rulebook"
        ]
        for kind in ("action", "reaction")
    }
    assert {kind: len(names) for kind, names in named.items()} == {"action": 8, "reaction": 10}
    assert {"Long Jump", "Override", "Ultimate Sacrifice"} <= set(named["action"])
    assert {"Bonus Bonus", "Colorblind", "Veto Discovery"} <= set(named["reaction"])
    for card in CONTENT.discovery:
        assert card.text
        assert (card.effect is not None) == card.event
        assert (card.ability is None) == card.event
        assert (card.trigger is not None) == (card.kind == "reaction")


def test_every_form_of_rewards_occurs() -> None:
    rewards = [card.rewards for card in CONTENT.discovery if not card.event]
    assert {r.op for r in rewards} == {"single", "and", "or"}
    items = [item for r in rewards for item in r.items]
    assert {item.kind for item in items} == {"bonus", "lorium", "discovery", "relic", "habitat", "units"}
    assert {icon for item in items for icon in item.icons} == set(Icon) - {Icon.GREY}
    for item in items:
        assert (item.kind == "bonus") == bool(item.icons)
        assert (item.kind == "units") == any(item.units)
        assert (item.kind in ("lorium", "discovery", "relic", "habitat")) == bool(item.amount)
    by_id = {card.id: card for card in CONTENT.discovery}
    double = by_id["D15"].rewards
    assert double.op == "or"
    assert double.items[0].icons == (Icon.GREEN,)
    assert double.items[1].units == (2, 0, 0)


def test_relics() -> None:
    assert (len(CONTENT.relics), sum(card.count for card in CONTENT.relics)) == (45, 54)
    assert sum(card.count for card in CONTENT.relics if card.molten_core) == 6
    assert sum(card.count for card in CONTENT.relics if card.espionage) == 1
    assert all(card.text and card.type and len(card.rules) == 1 for card in CONTENT.relics)
    assert [card.name for card in CONTENT.relics[:4]] == [
        "Deeper Exploration",
        "Delayed Feedback",
        "Pre-Strike",
        "Sleight of Hand",
    ]
