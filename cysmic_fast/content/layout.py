"""Which values a pack holds, file by file, and what each may be.

The ranges are what the engines can carry: a value inside them is played as it stands. Conditions on several
values together are in :mod:`cysmic_fast.content.build`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cysmic_fast.content.schema import (
    Cards,
    Computed,
    Data,
    Flag,
    Int,
    Invalid,
    Leaf,
    ListOf,
    OneOf,
    Table,
    Text,
    Word,
    one_of,
    show,
    suggest,
)
from cysmic_fast.names import space_at
from cysmic_fast.vocabulary import (
    MAX_DICE,
    NUM_COLUMNS,
    NUM_SLOTS,
    NUM_SPACES,
    Bonus,
    CardAction,
    Colour,
    CommandCard,
    Icon,
    UnitType,
)

SCHEMA: Final = 1

TERRAINS: Final = ("savannah", "forest", "rocky", "tundra", "wetlands", "desert")
ABILITIES: Final = ("engage", "shield", "early_warning", "jumpjet")
ICONS: Final = tuple(icon.name.lower() for icon in Icon)
COLOURED_ICONS: Final = tuple(icon.name.lower() for icon in Icon if icon != Icon.GREY)
#: Names of space 0.
CENTRE_NAMES: Final = ("colony_city", "centre")
MODULES: Final = (
    "crew_bridge",
    "control_systems",
    "colonist_quarters",
    "power_core",
    "fuel_cells",
    "warp_drive",
)
TROOPS: Final = (UnitType.SOLDIER, UnitType.MINER, UnitType.SPEAKER)
VEHICLES: Final = (UnitType.POWERMECH, UnitType.HARVESTER)
SUPPLY: Final = {  # S1.3; the action vocabulary and the packed state are sized for it
    UnitType.SOLDIER: 10,
    UnitType.MINER: 6,
    UnitType.SPEAKER: 5,
    UnitType.POWERMECH: 2,
    UnitType.HARVESTER: 2,
}
SPECIAL_TOKENS: Final = ("false_alarm", "devastated", "pull_2_more", "colony_city")
GATHERING: Final = (CardAction.MINE, CardAction.EXPLORE, CardAction.HARVEST, CardAction.SCAVENGE)
TREMOR_ACTIONS: Final = (
    CardAction.HARVEST,
    CardAction.JUMPJET,
    CardAction.STABILIZE,
    CardAction.DROPSHIP_UPGRADE,
)

#: Actions that each Command Card can show: what is printed on it, however it is split into Sections.
CARD_ACTIONS: Final[dict[CommandCard, tuple[CardAction, ...]]] = {
    CommandCard.RECRUIT: (CardAction.RECRUIT, CardAction.MOTIVATE),
    CommandCard.UPGRADE: (CardAction.STANDARD_UPGRADE, CardAction.DROPSHIP_UPGRADE, CardAction.STARTUP),
    CommandCard.BATTLE: (CardAction.BATTLE,),
    CommandCard.NEGOTIATE: (
        CardAction.INITIATIVE,
        CardAction.CYBER_ATTACK,
        CardAction.TRADE,
        CardAction.BLUEPRINTS,
    ),
    CommandCard.SOLDIERS: (CardAction.MOVE, CardAction.NEUTRALIZE),
    CommandCard.MINERS: (CardAction.MOVE, CardAction.MINE, CardAction.EXPLORE),
    CommandCard.SPEAKERS: (CardAction.MOVE, CardAction.PERSUADE, CardAction.PROMOTE),
    CommandCard.POWERMECHS: (CardAction.MOVE, CardAction.JUMPJET),
    CommandCard.HARVESTERS: (CardAction.MOVE, CardAction.HARVEST, CardAction.SCAVENGE),
    CommandCard.COLONY_SHIP: (
        CardAction.STABILIZE,
        CardAction.SHIP_MOVE,
        CardAction.ROBOTIC,
        CardAction.EVACUATE,
    ),
}
#: The Unit type of each Unit card.
CARD_UNIT: Final[dict[CommandCard, UnitType]] = {
    CommandCard.SOLDIERS: UnitType.SOLDIER,
    CommandCard.MINERS: UnitType.MINER,
    CommandCard.SPEAKERS: UnitType.SPEAKER,
    CommandCard.POWERMECHS: UnitType.POWERMECH,
    CommandCard.HARVESTERS: UnitType.HARVESTER,
    CommandCard.COLONY_SHIP: UnitType.SHIP,
}
#: Actions that may be compulsory (T4.6).
MANDATORY: Final = {CommandCard.BATTLE: CardAction.BATTLE, CommandCard.COLONY_SHIP: CardAction.STABILIZE}

#: Bonus Actions with a printed number, and the largest one the engines carry.
AMOUNTS: Final[dict[Bonus, int]] = {
    Bonus.GAIN_CARD: 5,
    Bonus.TWO_CARDS: 5,
    Bonus.DEPLOY_ONE: 3,
    Bonus.TWO_LORIUM: 9,
    Bonus.DEPLOY_TWO: 3,
    Bonus.STORE_LORIUM: 9,
    Bonus.MOVE_THREE: 6,
    Bonus.GAIN_RELIC: 3,
}

STRIKE_FACES: Final = ("tremor", "+1", "+2", "+3", "reroll red", "reroll yellow")
CARD_ICONS: Final = ("euro", "solo", "molten_core", "espionage")
REWARD_UNITS: Final = tuple(kind.name.lower() for kind in TROOPS)


def _abyss(value: Any) -> list[int | str]:
    """Abyss spaces: the formula as space numbers, or a list of numbers and names as it is."""
    names = (
        f'"ring_plus_offset_3", or a list of space numbers 0 to {NUM_SPACES - 1} '
        'and names like "savannah-3-0", "colony_city"'
    )
    if value == "ring_plus_offset_3":
        spaces = (
            space_at(t, r, k) for t in range(6) for r in range(1, 7) for k in range(r) if (r + k) % 3 == 0
        )
        return [0, *sorted(spaces)]
    if type(value) is not list:
        raise Invalid(names)
    for space in value:
        if type(space) is str:
            parts = space.split("-")
            known = len(parts) == 3 and parts[0] in TERRAINS and parts[1].isdecimal() and parts[2].isdecimal()
            if space not in CENTRE_NAMES and not (
                known and 1 <= int(parts[1]) <= 6 and int(parts[2]) < int(parts[1])
            ):
                raise Invalid(names, show(space))
        elif type(space) is not int or not 0 <= space < NUM_SPACES:
            raise Invalid(names, show(space))
    return value


def _arrows(value: Any) -> list[list[int]]:
    """Groups of edge spaces that share an arrow (P4.2)."""
    first, edge = space_at(0, 6, 0), 36
    if value == "offset":
        symbols: list[Any] = [place % 6 for place in range(edge)]
    elif value == "antipodal":
        symbols = [place % 18 for place in range(edge)]
    elif type(value) is list and len(value) == edge and all(type(symbol) in (str, int) for symbol in value):
        symbols = value
    else:
        found = f"a list of {len(value)} items" if type(value) is list else show(value)
        raise Invalid('"offset", "antipodal", or a list of 36 symbols', found)
    groups: dict[Any, list[int]] = {}
    for place, symbol in enumerate(symbols):
        groups.setdefault((type(symbol).__name__, symbol), []).append(first + place)
    return sorted(groups.values())


def _rewards(value: Any) -> dict[str, Any]:
    """Rewards of a card: ``{ op, items }``, each item a table with one key."""
    shape = '{ op = "single", "and" or "or", items = [one item for single, else two] }'
    if not isinstance(value, Mapping) or set(value) != {"op", "items"}:
        raise Invalid(shape)
    op, items = value["op"], value["items"]
    if (
        op not in ("single", "and", "or")
        or type(items) is not list
        or len(items) != (1 if op == "single" else 2)
    ):
        raise Invalid(shape)
    kinds: dict[str, Leaf] = {
        "bonus": ListOf(Word(ICONS), 1, 6, distinct=True),
        "lorium": Int(1, 9),
        "discovery": Int(1, 5),
        "relic": Int(1, 5),
        "habitat": Int(0, 9),
        "units": ListOf(Word(REWARD_UNITS), 1, 3),
    }
    out = []
    for item in items:
        if not isinstance(item, Mapping) or len(item) != 1:
            raise Invalid(f"items with exactly one of {one_of(kinds)}", show(item))
        ((kind, amount),) = item.items()
        if kind not in kinds:
            raise Invalid(f"items with {suggest(kind, kinds)}", f"item {kind!r}")
        try:
            out.append({kind: kinds[kind](amount)})
        except Invalid as bad:
            found = bad.args[1] if len(bad.args) > 1 else show(amount)
            raise Invalid(f"{bad.args[0]}, as {kind!r} item of rewards", found) from None
    return {"op": op, "items": out}


def _unit(kind: UnitType) -> Table:
    if kind == UnitType.SHIP:
        return Table(
            {
                "supply": Int(1, 1),
                "movement": Int(1, 1),
                "abilities": ListOf(Word(("early_warning",)), 1, 1),
            }
        )
    keys: dict[str, Leaf | Table | Cards] = {
        "supply": Int(0, SUPPLY[kind]),
        "influence_cost" if kind in TROOPS else "lorium_cost": Int(1, 5) if kind in TROOPS else Int(0, 15),
        "movement": Int(0, 6),
        "health": ListOf(Int(1, 12), 1, 2),
        "red": Int(0, 8),
        "yellow": Int(0, 8),
        "abilities": ListOf(Word(ABILITIES), 0, 4, distinct=True),
    }
    if kind in VEHICLES:
        keys["upgrades_from"] = Word(REWARD_UNITS)
    return Table(keys)


def _command(card: CommandCard) -> Table:
    actions = tuple(action.name.lower() for action in CARD_ACTIONS[card])
    # A Tactic card's Actions are never told apart by a choice, so each is a Section of its own (RUL-T1).
    section = ListOf(Word(actions), 1, len(actions) if card in CARD_UNIT else 1, distinct=True)
    keys: dict[str, Leaf | Table | Cards] = {
        "name": Text(40),
        "icons": ListOf(Word(COLOURED_ICONS), 0, 5, distinct=True),
        "sections": ListOf(section, 1, len(actions)),
    }
    if card in MANDATORY:
        keys["mandatory"] = ListOf(Word((MANDATORY[card].name.lower(),)), 0, 1)
    return Table(keys)


def _bonus(bonus: Bonus) -> Table:
    grey = bonus < 4
    keys: dict[str, Leaf | Table | Cards] = {
        "name": Text(60),
        "column": Int(0, 0) if grey else Int(1, NUM_COLUMNS),
        "icon": Word(("grey",)) if grey else Word(COLOURED_ICONS),
    }
    if bonus in AMOUNTS:
        keys["amount"] = Int(1, AMOUNTS[bonus])
    return Table(keys)


_UNITS = Table({"soldier": Int(0, 10), "miner": Int(0, 6), "speaker": Int(0, 5)})

_SETUP: dict[str, Leaf | Table | Cards] = {
    "name": Text(60),
    "influence": Int(0, 20),
    "lorium": Int(0, 20),
    "discovery": Int(0, 5),
    "relics": Int(0, 3),
    "units": _UNITS,
    "habitats": ListOf(Int(0, 9), 0, 3),
}

_ID = Text(16)

#: Layout of every file.
LAYOUT: Final[dict[str, Table]] = {
    "planet.toml": Table(
        {
            "terrain": Table({"order": ListOf(Word(TERRAINS), 6, 6, distinct=True)}),
            "tiles": Table(
                {
                    name: Int(0, 21)
                    for name in (
                        "camp",
                        "outpost",
                        "settlement",
                        "mountain",
                        "lorium",
                        "explorable",
                        "tunl",
                        "lake",
                    )
                }
            ),
            "bottom_layer": Table({"abyss": Computed(_abyss)}),
            "edge": Table({"arrows": Computed(_arrows)}),
        }
    ),
    "units.toml": Table(
        {
            **{kind.name.lower(): _unit(kind) for kind in UnitType},
            "dropship": Table({"lorium": Int(0, 9)}),
        }
    ),
    "dice.toml": Table(
        {
            "combat": Table({"red": ListOf(Int(1, 9), 12, 12), "yellow": ListOf(Int(1, 9), 12, 12)}),
            "strike": Table(
                {"attacker": ListOf(Word(STRIKE_FACES), 6, 6), "defender": ListOf(Word(STRIKE_FACES), 6, 6)}
            ),
            "humanity": Table({"faces": ListOf(OneOf((Int(0, 30), Word(("any",)))), 6, 6)}),
        }
    ),
    "command_cards.toml": Table(
        {
            "actions": Table(
                {"tremor": ListOf(Word(tuple(a.name.lower() for a in TREMOR_ACTIONS)), 0, 4, distinct=True)}
            ),
            "yields": Table(
                {a.name.lower(): Table({"lorium": Int(0, 9), "discovery": Int(0, 5)}) for a in GATHERING}
            ),
            "cards": Table({card.name.lower(): _command(card) for card in CommandCard}),
        }
    ),
    "bonus.toml": Table({bonus.name.lower(): _bonus(bonus) for bonus in Bonus}),
    "influence.toml": Table(
        {
            "habitats": Table({name: Int(0, 9) for name in ("camp", "outpost", "settlement", "colony_city")}),
            "unlimited": Table({"influence": Int(1, 100)}),
            "storage": Table(
                {
                    "base": Int(0, 60),
                    "steps": Cards("from", Int(1, 99), Table({"capacity": Int(0, 60)})),
                }
            ),
        }
    ),
    "modules.toml": Table(
        {
            name: Table(
                {
                    "name": Text(40),
                    "colour": Word(tuple(colour.name.lower() for colour in Colour)),
                    "target": Int(1, 12),
                    "lorium": Int(0, 15),
                    "influence": Int(0, 15),
                }
            )
            for name in MODULES
        }
    ),
    "cysmograph.toml": Table(
        {
            "track": Table({"positions": ListOf(Int(0, 6, (1,)), 5, 12), "tremor_tokens": Int(6, 13)}),
            "special_tokens": Table({name: Int(0, 7) for name in SPECIAL_TOKENS}),
        }
    ),
    "limits.toml": Table(
        {
            "table": Table(
                {
                    "players_min": Int(2, 6),
                    "players_max": Int(2, 6),
                    "columns": Int(NUM_COLUMNS, NUM_COLUMNS),
                    "faction_deal": Int(1, 3),
                    "relic_tokens": Int(0, 100),
                }
            ),
            "player": Table(
                {
                    "discovery_hand": Int(0, 20),
                    "relics": Int(0, 10),
                    "relic_slots": Int(NUM_SLOTS, NUM_SLOTS),
                    "flags": Int(1, 7),
                    "cells": Int(6, 6),
                    "cell_troops": Int(1, 4),
                    "cell_vehicles": Int(1, 1),
                    "capacity_units": Int(1, 3),
                    "capacity_vehicles": Int(0, 1),
                }
            ),
            "actions": Table(
                {
                    "cyber_attempts": Int(0, 10),
                    "blueprint_troops": Int(1, 4),
                    "blueprint_vehicles": Int(1, 2),
                }
            ),
            "caps": Table(
                {
                    "rounds": Int(1, 1000),
                    "strikes": Int(1, 1000),
                    "offers": Int(1, 8),
                    "offer_pieces": Int(1, 5),
                    "programs": Int(1, 10),
                    "bonus_actions": Int(1, 100),
                    "grants": Int(1, 12),
                    "dice": Int(1, MAX_DICE),
                }
            ),
        }
    ),
    "setup.toml": Table({"generic": Table(_SETUP)}),
    "rulings.toml": Table(
        {
            "ship_start": Word(("inner", "rings_1_3")),
            "resets": Word(("per_fracture", "per_token")),
            "must_flee": Word(("dice_count", "never")),
            "final_strike_die": Flag(),
            "build_it_on_devastated": Flag(),
            "end_without_tiles": Flag(),
            "reuse_this_turns_card": Flag(),
        }
    ),
    "factions.toml": Table(
        {
            "card": Cards(
                "id",
                _ID,
                Table(
                    {
                        **_SETUP,
                        "leader": Text(60),
                        "min_players": Int(2, 6),
                        "difficulty": Int(1, 5),
                        "token": Text(40),
                        "icons": ListOf(Word(("espionage",)), 0, 1),
                        "ability": Cards(
                            "name", Text(60), Table({"text": Text(), "rules": Data(item="rule")})
                        ),
                    },
                    frozenset({"token", "habitats", "leader"}),
                ),
            )
        }
    ),
    "discovery.toml": Table(
        {
            "card": Cards(
                "id",
                _ID,
                Table(
                    {
                        "name": Text(60),
                        "count": Int(0, 20),
                        "kind": Word(("action", "reaction")),
                        "modifier": Int(-3, 3, (0,)),
                        "text": Text(),
                        "ability": Data(),
                        "trigger": OneOf((Data(dict), Word(("none",)))),
                        "rewards": Computed(_rewards),
                        "icons": ListOf(Word(CARD_ICONS), 0, 4, distinct=True),
                    },
                    frozenset({"trigger"}),
                ),
            )
        }
    ),
    "events.toml": Table(
        {
            "card": Cards(
                "id",
                _ID,
                Table(
                    {
                        "name": Text(60),
                        "count": Int(0, 20),
                        "text": Text(),
                        "effect": Data(),
                        "icons": ListOf(Word(("planetary_event", "molten_core")), 0, 2, distinct=True),
                    }
                ),
            )
        }
    ),
    "relics.toml": Table(
        {
            "card": Cards(
                "id",
                _ID,
                Table(
                    {
                        "name": Text(60),
                        "count": Int(0, 20),
                        "type": Word(("artifact", "technology", "weapon", "garment", "beacon")),
                        "text": Text(),
                        "rules": Data(item="rule"),
                        "icons": ListOf(Word(CARD_ICONS), 0, 4, distinct=True),
                    }
                ),
            )
        }
    ),
}

#: Layout of pack.toml; a status there holds for the whole pack.
PACK: Final = Table(
    {"schema": Int(SCHEMA, SCHEMA), "name": Text(40), "version": Text(20)}, frozenset({"name", "version"})
)
