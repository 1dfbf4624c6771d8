"""From checked values to :class:`Content`, and the conditions that tie several values together."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from cysmic_fast.content.cards import Compiled
from cysmic_fast.content.effects import Rule
from cysmic_fast.content.layout import (
    AMOUNTS,
    CARD_ACTIONS,
    CARD_UNIT,
    CENTRE_NAMES,
    GATHERING,
    MODULES,
    SPECIAL_TOKENS,
    TROOPS,
)
from cysmic_fast.content.schema import Report, canonical_json
from cysmic_fast.content.types import (
    AbilitySpec,
    BonusSpec,
    CommandSpec,
    Content,
    Cysmograph,
    Dice,
    DiscoverySpec,
    Entry,
    FactionSpec,
    FrozenDict,
    Limits,
    ModuleSpec,
    Planet,
    RelicSpec,
    RewardItem,
    Rewards,
    Rulings,
    Section,
    StrikeFace,
    TokenSpec,
    UnitSpec,
    Yield,
)
from cysmic_fast.content.writers import Place, Writers
from cysmic_fast.names import space_at
from cysmic_fast.vocabulary import (
    MAX_DESIGNS,
    Bonus,
    CardAction,
    Colour,
    CommandCard,
    Feature,
    Icon,
    UnitType,
)

TILES_PER_TERRAIN: Final = 21  # a wedge has 1 + 2 + … + 6 spaces (S2.4)
MAX_DISCOVERY: Final = 128  # cards of the deck, Events included
MAX_RELICS: Final = 64  # cards and designs
MAX_FACTIONS: Final = 64

_FEATURES: Final = (
    Feature.CAMP,
    Feature.OUTPOST,
    Feature.SETTLEMENT,
    Feature.MOUNTAIN,
    Feature.LORIUM,
    Feature.EXPLORABLE,
    Feature.TUNL,
    Feature.LAKE,
)

Values = Mapping[str, Any]  # effective values of all files: file name -> tables


def content_hash(values: Values) -> str:
    """SHA-256 of the effective values; provenance, file layout and pack names do not enter it."""
    return hashlib.sha256(canonical_json(values).encode("ascii")).hexdigest()


def build(values: Values, cards: Compiled, name: str, version: str, entries: tuple[Entry, ...]) -> Content:
    """The :class:`Content` of complete values."""
    planet, influence, actions = values["planet.toml"], values["influence.toml"], values["command_cards.toml"]
    terrains = tuple(planet["terrain"]["order"])
    limits = values["limits.toml"]
    storage = influence["storage"]
    steps = sorted((int(step["from"]), step["capacity"]) for step in storage.get("steps", ()))
    return Content(
        hash=content_hash(values),
        name=name,
        version=version,
        planet=Planet(
            terrains=terrains,
            tiles=tuple((feature, planet["tiles"][feature.name.lower()]) for feature in _FEATURES),
            abyss=frozenset(_space(space, terrains) for space in planet["bottom_layer"]["abyss"]),
            arrows=tuple(tuple(group) for group in planet["edge"]["arrows"]),
        ),
        units=tuple(_unit(kind, values["units.toml"][kind.name.lower()]) for kind in UnitType),
        dropship_lorium=values["units.toml"]["dropship"]["lorium"],
        dice=_dice(values["dice.toml"]),
        yields=FrozenDict({a: Yield(**actions["yields"][a.name.lower()]) for a in GATHERING}),
        tremor_actions=frozenset(CardAction[a.upper()] for a in actions["actions"]["tremor"]),
        commands=tuple(_command(card, actions["cards"][card.name.lower()]) for card in CommandCard),
        bonus=tuple(_bonus(bonus, values["bonus.toml"][bonus.name.lower()]) for bonus in Bonus),
        habitat_values=FrozenDict({Feature[k.upper()]: v for k, v in influence["habitats"].items()}),
        unlimited_influence=influence["unlimited"]["influence"],
        lorium_capacity=((0, storage["base"]), *steps),
        modules=tuple(_module(key, values["modules.toml"][key]) for key in MODULES),
        cysmograph=Cysmograph(
            track=tuple(values["cysmograph.toml"]["track"]["positions"]),
            tokens=values["cysmograph.toml"]["track"]["tremor_tokens"],
        ),
        tokens=_tokens(terrains, values["cysmograph.toml"]["special_tokens"]),
        limits=Limits(**{key: value for table in limits.values() for key, value in table.items()}),
        rulings=Rulings(**values["rulings.toml"]),
        generic=_faction({"id": "generic", **values["setup.toml"]["generic"]}),
        factions=tuple(
            _faction(card, cards.factions[card["id"]]) for card in values["factions.toml"]["card"]
        ),
        discovery=tuple(
            [_discovery(card, cards) for card in values["discovery.toml"]["card"]]
            + [_event(card, cards) for card in values["events.toml"]["card"]]
        ),
        relics=tuple(_relic(card, cards) for card in values["relics.toml"]["card"]),
        entries=entries,
    )


def _space(space: int | str, terrains: tuple[str, ...]) -> int:
    if isinstance(space, int):
        return space
    if space in CENTRE_NAMES:
        return 0
    terrain, ring, offset = space.split("-")
    return space_at(terrains.index(terrain), int(ring), int(offset))


def _unit(kind: UnitType, raw: Mapping[str, Any]) -> UnitSpec:
    abilities = raw["abilities"]
    source = raw.get("upgrades_from")
    return UnitSpec(
        type=kind,
        kind="ship" if kind == UnitType.SHIP else "troop" if kind in TROOPS else "vehicle",
        supply=raw["supply"],
        influence_cost=raw.get("influence_cost", 0),
        lorium_cost=raw.get("lorium_cost", 0),
        movement=raw["movement"],
        health=tuple(raw.get("health", ())),
        red=raw.get("red", 0),
        yellow=raw.get("yellow", 0),
        engage="engage" in abilities,
        shield="shield" in abilities,
        early_warning="early_warning" in abilities,
        jumpjet="jumpjet" in abilities,
        upgrades_from=None if source is None else UnitType[source.upper()],
    )


def _strike_face(name: str) -> StrikeFace:
    if name == "tremor":
        return StrikeFace("tremor")
    if name == "reroll red":
        return StrikeFace("reroll", colour="red")
    if name == "reroll yellow":
        return StrikeFace("reroll", colour="yellow")
    return StrikeFace("value", int(name))


def _dice(raw: Mapping[str, Any]) -> Dice:
    return Dice(
        red=tuple(raw["combat"]["red"]),
        yellow=tuple(raw["combat"]["yellow"]),
        attacker_strike=tuple(map(_strike_face, raw["strike"]["attacker"])),
        defender_strike=tuple(map(_strike_face, raw["strike"]["defender"])),
        humanity=tuple(None if face == "any" else face for face in raw["humanity"]["faces"]),
    )


def _command(card: CommandCard, raw: Mapping[str, Any]) -> CommandSpec:
    mandatory = raw.get("mandatory", ())
    return CommandSpec(
        card=card,
        kind="unit" if card in CARD_UNIT else "tactic",
        unit=CARD_UNIT.get(card),
        icons=tuple(Icon[icon.upper()] for icon in raw["icons"]),
        sections=tuple(
            Section(
                mandatory=any(action in mandatory for action in section),
                actions=tuple(CardAction[action.upper()] for action in section),
            )
            for section in raw["sections"]
        ),
        name=raw["name"],
    )


def _bonus(bonus: Bonus, raw: Mapping[str, Any]) -> BonusSpec:
    return BonusSpec(bonus, raw["column"], Icon[raw["icon"].upper()], raw["name"], raw.get("amount", 1))


def _module(key: str, raw: Mapping[str, Any]) -> ModuleSpec:
    return ModuleSpec(
        id=key,
        name=raw["name"],
        colour=Colour[raw["colour"].upper()],
        target=raw["target"],
        lorium=raw["lorium"],
        influence=raw["influence"],
    )


def _tokens(terrains: tuple[str, ...], special: Mapping[str, int]) -> tuple[TokenSpec, ...]:
    tokens = [
        TokenSpec(f"{name}-{ring}", "landscape", terrain, ring)
        for terrain, name in enumerate(terrains)
        for ring in range(1, 7)
    ]
    for kind in SPECIAL_TOKENS:
        tokens += [TokenSpec(kind, kind, -1, -1) for _ in range(special[kind])]
    return tuple(tokens)


def _three(units: Mapping[str, int]) -> tuple[int, int, int]:
    return units["soldier"], units["miner"], units["speaker"]


def _faction(raw: Mapping[str, Any], rules: Sequence[tuple[Rule, ...]] = ()) -> FactionSpec:
    abilities = tuple(
        AbilitySpec(ability["name"], ability["text"], own)
        for ability, own in zip(raw.get("ability", ()), rules, strict=True)
    )
    return FactionSpec(
        id=raw["id"],
        name=raw["name"],
        min_players=raw.get("min_players", 2),
        espionage="espionage" in raw.get("icons", ()),
        influence=raw["influence"],
        lorium=raw["lorium"],
        discovery=raw["discovery"],
        relics=raw["relics"],
        units=_three(raw["units"]),
        habitats=tuple(raw.get("habitats", ())),
        difficulty=raw.get("difficulty", 1),
        leader=raw.get("leader", ""),
        token=raw.get("token", ""),
        abilities=abilities,
        rules=tuple(rule for ability in abilities for rule in ability.rules),
    )


def _reward_item(raw: Mapping[str, Any]) -> RewardItem:
    kind: Any
    ((kind, value),) = raw.items()
    if kind == "bonus":
        return RewardItem("bonus", icons=tuple(Icon[icon.upper()] for icon in value))
    if kind == "units":
        return RewardItem(
            "units", units=(value.count("soldier"), value.count("miner"), value.count("speaker"))
        )
    return RewardItem(kind, amount=value)


def _discovery(raw: Mapping[str, Any], cards: Compiled) -> DiscoverySpec:
    return DiscoverySpec(
        id=raw["id"],
        name=raw["name"],
        count=raw["count"],
        kind=raw["kind"],
        modifier=raw["modifier"],
        rewards=Rewards(raw["rewards"]["op"], tuple(map(_reward_item, raw["rewards"]["items"]))),
        molten_core="molten_core" in raw["icons"],
        espionage="espionage" in raw["icons"],
        event=False,
        icons=tuple(raw["icons"]),
        text=raw["text"],
        ability=cards.abilities[raw["id"]],
        trigger=cards.triggers.get(raw["id"]),
    )


def _event(raw: Mapping[str, Any], cards: Compiled) -> DiscoverySpec:
    return DiscoverySpec(
        id=raw["id"],
        name=raw["name"],
        count=raw["count"],
        kind="event",
        modifier=0,
        rewards=Rewards("none"),
        molten_core="molten_core" in raw["icons"],
        espionage=False,
        event=True,
        icons=tuple(raw["icons"]),
        text=raw["text"],
        effect=cards.effects[raw["id"]],
    )


def _relic(raw: Mapping[str, Any], cards: Compiled) -> RelicSpec:
    return RelicSpec(
        id=raw["id"],
        name=raw["name"],
        count=raw["count"],
        molten_core="molten_core" in raw["icons"],
        espionage="espionage" in raw["icons"],
        icons=tuple(raw["icons"]),
        type=raw["type"],
        text=raw["text"],
        rules=cards.relics[raw["id"]],
    )


class _Checker:
    """Reports conditions on several values, unless one of them is already reported.

    ``path`` is where the condition is reported, ``also`` the other values that it is about: paths of the same
    file or places in others. A pack that changed one of these and not the first one is told there.
    """

    def __init__(self, writers: Writers, report: Report) -> None:
        self.writers, self.report = writers, report

    def __call__(
        self, holds: bool, file: str, path: str, found: str, allowed: str, *also: str | Place
    ) -> None:
        if holds:
            return
        places = [Place(file, path), *(Place(file, p) if isinstance(p, str) else p for p in also)]
        if not any(self.report.touches(place.file, _shown(place)) for place in places):
            pack, place = self.writers.blame(*places)
            self.report.add(pack, place.file, _shown(place), found, allowed)


def _shown(place: Place) -> str:
    return "" if place.path.startswith("*") else place.path


def cross_check(c: Content, writers: Writers, report: Report) -> None:
    """Report every condition on several values that ``c`` breaks."""
    check = _Checker(writers, report)
    _check_planet(c, check)
    _check_combat(c, check)
    _check_commands(c, check)
    _check_board(c, check)
    _check_decks(c, check)
    _check_factions(c, check)


def _check_planet(c: Content, check: _Checker) -> None:
    tiles = dict(c.planet.tiles)
    total = sum(tiles.values())
    check(
        total == TILES_PER_TERRAIN,
        "planet.toml",
        "tiles",
        f"{total} tiles",
        f"a sum of {TILES_PER_TERRAIN} for each terrain",
    )
    blocked = tiles[Feature.MOUNTAIN] + tiles[Feature.LAKE]
    check(
        blocked <= 5,
        "planet.toml",
        "tiles",
        f"{blocked} Mountains and Lakes",
        "at most 5, so that a Ship finds one of 6 starting spaces (S4.9)",
    )
    track, tokens = c.cysmograph.track, c.cysmograph.tokens
    numbers = [number for number in track if number]
    check(
        numbers == [6, 5, 4, 3, 2] and not any(track[5:]),
        "cysmograph.toml",
        "track.positions",
        str(list(track)),
        "6, 5, 4, 3, 2, then only 0",
    )
    check(
        tokens == len(track) + 1,
        "cysmograph.toml",
        "track.tremor_tokens",
        str(tokens),
        f"one more than there are positions: {len(track) + 1}",
        "track.positions",
    )


def _check_combat(c: Content, check: _Checker) -> None:
    dice = [unit.red + unit.yellow for unit in c.units]
    troop = max(dice[kind] for kind in TROOPS)
    vehicle = max(dice[UnitType.POWERMECH], dice[UnitType.HARVESTER], troop)
    most = c.limits.capacity_units * troop
    if c.limits.capacity_vehicles:
        most = vehicle + (c.limits.capacity_units - 1) * troop
    check(
        most <= c.limits.dice,
        "units.toml",
        "*.red",
        f"{most} Combat Dice in a full space",
        f"at most caps.dice = {c.limits.dice}",
        "*.yellow",
        Place("limits.toml", "caps.dice"),
        Place("limits.toml", "player.capacity_units"),
        Place("limits.toml", "player.capacity_vehicles"),
    )
    source = c.units[UnitType.POWERMECH].upgrades_from
    assert source is not None
    check(
        source != c.units[UnitType.HARVESTER].upgrades_from,
        "units.toml",
        "harvester.upgrades_from",
        f"{source.name.lower()!r}, from which Powermechs are Upgraded",
        "a Troop of its own for each Vehicle",
        "powermech.upgrades_from",
    )


def _check_commands(c: Content, check: _Checker) -> None:
    for spec in c.commands:
        key = spec.card.name.lower()
        seen = [action for section in spec.sections for action in section.actions]
        twice = sorted({action.name.lower() for action in seen if seen.count(action) > 1})
        check(
            not twice,
            "command_cards.toml",
            f"cards.{key}.sections",
            f"{', '.join(twice)} more than once",
            "each Action once on a card",
        )
        for section in spec.sections:
            check(
                not section.mandatory or len(section.actions) == 1,
                "command_cards.toml",
                f"cards.{key}.mandatory",
                f"a compulsory Action in a Section with {len(section.actions)} Actions",
                "a compulsory Action alone in its Section",
                f"cards.{key}.sections",
            )
    assert all(
        set(CARD_ACTIONS[spec.card]) >= {a for s in spec.sections for a in s.actions} for spec in c.commands
    )


def _check_board(c: Content, check: _Checker) -> None:
    cells: dict[tuple[int, Icon], str] = {}
    for spec in c.bonus:
        key = spec.bonus.name.lower()
        if spec.column:
            cell = (spec.column, spec.icon)
            check(
                cell not in cells,
                "bonus.toml",
                key,
                f"the {spec.icon.name.lower()} cell of column {spec.column}, taken by {cells.get(cell)}",
                "each cell of the board once",
                cells.get(cell, key),
            )
            cells.setdefault(cell, key)
    assert set(AMOUNTS) <= {spec.bonus for spec in c.bonus}

    colours: dict[Colour, str] = {}
    for module in c.modules:
        check(
            module.colour not in colours,
            "modules.toml",
            f"{module.id}.colour",
            f"{module.colour.name.lower()!r}, taken by {colours.get(module.colour)}",
            "each colour once",
            f"{colours.get(module.colour, module.id)}.colour",
        )
        colours.setdefault(module.colour, module.id)

    previous = c.lorium_capacity[0][1]
    for start, capacity in c.lorium_capacity[1:]:
        path = f"storage.steps.{start}"
        check(
            capacity >= previous,
            "influence.toml",
            f"{path}.capacity",
            f"{capacity} from Influence {start} on",
            f"at least the capacity below it, {previous}",
            "storage.base",
            "storage.steps",
        )
        check(
            start < c.unlimited_influence,
            "influence.toml",
            path,
            f"a step at Influence {start}",
            f"steps below unlimited.influence = {c.unlimited_influence}",
            "unlimited.influence",
        )
        previous = capacity
    check(
        c.limits.players_min <= c.limits.players_max,
        "limits.toml",
        "table.players_min",
        str(c.limits.players_min),
        f"at most players_max = {c.limits.players_max}",
        "table.players_max",
    )


def _check_decks(c: Content, check: _Checker) -> None:
    for file, cards in (
        ("discovery.toml", [card for card in c.discovery if not card.event]),
        ("events.toml", [card for card in c.discovery if card.event]),
        ("relics.toml", list(c.relics)),
        ("factions.toml", list(c.factions)),
    ):
        names: dict[str, str] = {}
        for card in cards:
            check(
                card.name not in names,
                file,
                f"{card.id}.name",
                f"{card.name!r}, the name of {names.get(card.name)} and {card.id}",
                "each name once",
                f"{names.get(card.name)}.name",
            )
            names.setdefault(card.name, card.id)
    ids: dict[str, str] = {}
    for discovery in c.discovery:
        file = "events.toml" if discovery.event else "discovery.toml"
        check(
            discovery.id not in ids,
            file,
            discovery.id,
            f"id {discovery.id!r}, a card of {ids.get(discovery.id)} and of {file}",
            "each id once in the Discovery Deck",
            Place(ids.get(discovery.id, file), discovery.id),
        )
        ids.setdefault(discovery.id, file)
        for item in discovery.rewards.items:
            check(
                item.kind != "habitat" or item.amount in c.habitat_values.values(),
                file,
                f"{discovery.id}.rewards",
                f"a Habitat of value {item.amount} on {discovery.id}",
                f"a value of {sorted(set(c.habitat_values.values()))}",
                Place("influence.toml", "habitats"),
            )
    own = [sum(card.count for card in c.discovery if card.event == event) for event in (False, True)]
    designs = [sum(card.event == event for card in c.discovery) for event in (False, True)]
    total = sum(card.count for card in c.discovery)
    check(
        len(c.discovery) <= MAX_DESIGNS,
        "discovery.toml",
        "*.name",
        f"{len(c.discovery)} designs: {designs[0]} of discovery.toml, {designs[1]} of events.toml",
        f"at most {MAX_DESIGNS}",
        Place("events.toml", "*.name"),
    )
    check(
        total <= MAX_DISCOVERY,
        "discovery.toml",
        "*.count",
        f"{total} cards: {own[0]} of discovery.toml, {own[1]} of events.toml",
        f"at most {MAX_DISCOVERY}",
        Place("events.toml", "*.count"),
    )
    drawn: list[DiscoverySpec | RelicSpec] = [*c.discovery, *c.relics]  # an Event cannot bear Espionage
    for either in drawn:
        check(
            not (either.molten_core and either.espionage),
            "relics.toml" if isinstance(either, RelicSpec) else "discovery.toml",
            f"{either.id}.icons",
            "'molten_core' and 'espionage' on one card",
            "at most one of the two (RUL-S6)",
        )
    check(
        bool(c.discovery_deck(False, False)),
        "discovery.toml",
        "",
        "no card without Molten Core and Espionage",
        "at least 1",
        Place("events.toml"),
    )
    check(
        len(c.relics) <= MAX_RELICS and sum(card.count for card in c.relics) <= MAX_RELICS,
        "relics.toml",
        "",
        f"{sum(card.count for card in c.relics)} cards of {len(c.relics)} designs",
        f"at most {MAX_RELICS} of either",
    )
    check(
        bool(c.relic_deck(False)),
        "relics.toml",
        "",
        "no card without Molten Core and Espionage",
        "at least 1",
    )


def _check_factions(c: Content, check: _Checker) -> None:
    check(
        len(c.factions) <= MAX_FACTIONS,
        "factions.toml",
        "",
        f"{len(c.factions)} Factions",
        f"at most {MAX_FACTIONS}",
    )
    for players in range(c.limits.players_min, c.limits.players_max + 1):
        needed, there = c.limits.faction_deal * players, len(c.eligible_factions(players))
        check(
            there >= needed,
            "factions.toml",
            "",
            f"{there} Factions without Espionage for {players} players",
            f"at least {needed}, {c.limits.faction_deal} for each player (S4.5)",
            Place("limits.toml", "table"),
        )
    values = {c.habitat_values[f] for f in (Feature.CAMP, Feature.OUTPOST, Feature.SETTLEMENT)}
    for faction in (c.generic, *c.factions):
        file, key = ("setup.toml", "generic") if faction is c.generic else ("factions.toml", faction.id)
        check(
            set(faction.habitats) <= values,
            file,
            f"{key}.habitats",
            f"values {list(faction.habitats)} of {key}",
            f"values of Camp, Outpost and Settlement: {sorted(values)}",
            Place("influence.toml", "habitats"),
        )
        check(
            len(faction.habitats) <= c.limits.flags,
            file,
            f"{key}.habitats",
            f"{len(faction.habitats)} Habitats of {key}",
            f"at most {c.limits.flags}, a Flag for each",
            Place("limits.toml", "player.flags"),
        )
        for kind, number in zip(TROOPS, faction.units, strict=True):
            check(
                number <= c.units[kind].supply,
                file,
                f"{key}.units.{kind.name.lower()}",
                f"{number} {kind.name.lower()}s of {key}",
                f"at most the supply, {c.units[kind].supply}",
                Place("units.toml", f"{kind.name.lower()}.supply"),
            )
