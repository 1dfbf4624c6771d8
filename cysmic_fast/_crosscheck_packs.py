"""Random content packs for the lock-step comparison: every number of the layout moves within its range.

A pack is drawn from a ``random.Random`` that the caller seeds, written as TOML over the standard one, and
always valid: conditions on several values together are met by construction.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from cysmic_fast import vocabulary as v

if TYPE_CHECKING:
    from cysmic_fast.content.schema import Leaf
    from cysmic_fast.content.types import Content

__all__ = ["random_pack"]

_TROOPS: Final = ("soldier", "miner", "speaker")
_HABITATS: Final = ("camp", "outpost", "settlement", "colony_city")
#: Games of these packs are cut off early: long ones show nothing that short ones do not.
_ROUNDS: Final = (5, 25)


def random_pack(rng: random.Random) -> dict[str, str]:
    """Files of a pack: name -> TOML."""
    from cysmic_fast.content import load_content

    files = _Draw(rng, load_content()).files()
    return {file: "\n".join(_toml(table)) + "\n" for file, table in files.items() if table}


def _toml(table: Mapping[str, Any]) -> list[str]:
    """Lines of a file whose values are numbers, texts, flags, lists and tables."""
    lines = []
    for key, value in table.items():
        if isinstance(value, list) and value and isinstance(value[0], dict) and key in ("card", "steps"):
            lines += [f"{key} = [", *(f"  {_value(card)}," for card in value), "]"]
        else:
            lines.append(f"{key} = {_value(value)}")
    return lines


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


class _Draw:
    """Draws one pack; ``heat`` is the share of the values that are drawn, the others stay standard."""

    def __init__(self, rng: random.Random, content: Content) -> None:
        self.rng, self.content = rng, content
        self.heat = rng.choice((0.15, 0.5, 0.9))

    def hot(self) -> bool:
        return self.rng.random() < self.heat

    def number(self, low: int, high: int) -> int:
        """From ``low`` to ``high``, the ends and small numbers more often."""
        kind = self.rng.random()
        if kind < 0.15:
            return low
        if kind < 0.25:
            return high
        return self.rng.randint(low, high if kind < 0.6 else min(high, low + 3))

    def leaf(self, leaf: Leaf) -> Any:
        """A value of a leaf of the layout, None for those without a rule of their own here."""
        from cysmic_fast.content.schema import Flag, Int, ListOf, OneOf, Word

        match leaf:
            case Int():
                n = self.number(leaf.low, leaf.high)
                return leaf.high if n in leaf.but else n
            case Flag():
                return self.rng.random() < 0.5
            case Word():
                return self.rng.choice(leaf.words)
            case OneOf():
                return self.leaf(self.rng.choice(leaf.choices))
            case ListOf():
                length = self.rng.randint(leaf.low, leaf.high)
                if leaf.distinct:
                    assert isinstance(leaf.item, Word)
                    return self.rng.sample(leaf.item.words, min(length, len(leaf.item.words)))
                return [self.leaf(leaf.item) for _ in range(length)]
            case _:
                return None

    def table(self, table: Any) -> dict[str, Any]:
        """Some keys of a table of the layout; texts, lists of cards and programs stay as they are."""
        from cysmic_fast.content.schema import Cards, Table

        drawn: dict[str, Any] = {}
        for key, kind in table.keys.items():
            if isinstance(kind, Table):
                if below := self.table(kind):
                    drawn[key] = below
            elif not isinstance(kind, Cards) and self.hot():
                value = self.leaf(kind)
                if value is not None:
                    drawn[key] = value
        return drawn

    def files(self) -> dict[str, dict[str, Any]]:
        from cysmic_fast.content.layout import LAYOUT

        files = {file: self.table(layout) for file, layout in LAYOUT.items()}
        self.planet(files["planet.toml"])
        self.cysmograph(files["cysmograph.toml"])
        self.limits(files["limits.toml"])
        self.units(files["units.toml"], files["limits.toml"])
        files["command_cards.toml"]["cards"] = self.commands()
        self.board(files["bonus.toml"])
        self.influence(files["influence.toml"])
        self.modules(files["modules.toml"])
        self.set_ups(files)
        self.decks(files)
        return files

    # -------------------------------------------------------------- what hangs together
    def planet(self, planet: dict[str, Any]) -> None:
        rng = self.rng
        tiles = {feature.name.lower(): count for feature, count in self.content.planet.tiles}
        for _ in range(rng.randrange(12)):
            source, target = rng.choice([name for name in tiles if tiles[name]]), rng.choice(list(tiles))
            tiles[source] -= 1
            tiles[target] += 1
            if tiles["mountain"] + tiles["lake"] > 5:
                tiles[source] += 1
                tiles[target] -= 1
        planet["tiles"] = tiles
        if self.hot():
            planet["edge"] = {"arrows": [rng.randrange(rng.choice((1, 6, 36))) for _ in range(36)]}
        if self.hot():
            share = rng.random()
            planet["bottom_layer"] = {"abyss": [s for s in range(v.NUM_SPACES) if rng.random() < share]}

    def cysmograph(self, cysmograph: dict[str, Any]) -> None:
        empty = self.rng.randrange(8)
        cysmograph["track"] = {"positions": [6, 5, 4, 3, 2] + [0] * empty, "tremor_tokens": 6 + empty}

    def limits(self, limits: dict[str, Any]) -> None:
        for key in ("players_min", "players_max"):
            limits.get("table", {}).pop(key, None)
        limits.setdefault("caps", {}).update(rounds=self.rng.randint(*_ROUNDS), dice=v.MAX_DICE)
        limits.setdefault("player", {}).setdefault("flags", self.content.limits.flags)

    def units(self, units: dict[str, Any], limits: dict[str, Any]) -> None:
        """Supplies cover the set-ups drawn later; the dice of a full space fit into the pool."""
        rng, player = self.rng, limits["player"]
        sources = rng.sample(_TROOPS, 2)
        specs = {
            kind.name.lower(): self.content.units[kind] for kind in v.UnitType if kind != v.UnitType.SHIP
        }
        units["powermech"] = units.get("powermech", {}) | {"upgrades_from": sources[0]}
        units["harvester"] = units.get("harvester", {}) | {"upgrades_from": sources[1]}
        dice = {
            name: {c: units.get(name, {}).get(c, getattr(spec, c)) for c in ("red", "yellow")}
            for name, spec in specs.items()
        }
        size = player.get("capacity_units", self.content.limits.capacity_units)
        while True:
            troop = max(sum(dice[name].values()) for name in _TROOPS)
            any_unit = max(sum(pair.values()) for pair in dice.values())
            if any_unit + (size - 1) * troop <= v.MAX_DICE:
                break
            name = rng.choice([name for name, pair in dice.items() if sum(pair.values())])
            colour = rng.choice([c for c, n in dice[name].items() if n])
            dice[name][colour] -= 1
        for name, pair in dice.items():
            units[name] = units.get(name, {}) | pair

    def commands(self) -> dict[str, Any]:
        """Sections in any order; of Unit cards also joined and split, and with Actions left out."""
        from cysmic_fast.content.layout import CARD_ACTIONS, CARD_UNIT, COLOURED_ICONS, MANDATORY

        rng, cards = self.rng, {}
        for card in v.CommandCard:
            if not self.hot():
                continue
            actions = [action.name.lower() for action in CARD_ACTIONS[card]]
            rng.shuffle(actions)
            if rng.random() < 0.2:
                del actions[rng.randint(1, len(actions)) :]
            sections: list[list[str]] = []
            for action in actions:
                if card in CARD_UNIT and sections and rng.random() < 0.5:
                    sections[-1].append(action)
                else:
                    sections.append([action])
            spec: dict[str, Any] = {"sections": sections}
            if card in MANDATORY:
                must = MANDATORY[card].name.lower()
                spec["mandatory"] = [must] if [must] in sections and rng.random() < 0.7 else []
            if self.hot():
                spec["icons"] = rng.sample(COLOURED_ICONS, rng.randrange(6))
            cards[card.name.lower()] = spec
        return cards

    def board(self, bonus: dict[str, Any]) -> None:
        """The coloured cells change places."""
        specs = [spec for spec in self.content.bonus if spec.column]
        cells = [(spec.column, spec.icon.name.lower()) for spec in specs]
        if self.hot():
            self.rng.shuffle(cells)
        for spec, (column, icon) in zip(specs, cells, strict=True):
            key = spec.bonus.name.lower()
            bonus[key] = bonus.get(key, {}) | {"column": column, "icon": icon}

    def influence(self, influence: dict[str, Any]) -> None:
        rng, content = self.rng, self.content
        steps = content.lorium_capacity[1:]
        last = steps[-1][0] if steps else 0
        influence["unlimited"] = {"influence": rng.choice((last + 1, rng.randint(last + 1, 100)))}
        capacities = sorted(self.number(0, 60) for _ in range(len(steps) + 1))
        influence["storage"] = {
            "base": capacities[0],
            "steps": [
                {"from": start, "capacity": n} for (start, _), n in zip(steps, capacities[1:], strict=True)
            ],
        }
        values = {name: content.habitat_values[v.Feature[name.upper()]] for name in _HABITATS}
        for name in _HABITATS:
            if self.hot():
                values[name] = rng.choice((0, self.number(0, 9)))
        influence["habitats"] = values

    def modules(self, modules: dict[str, Any]) -> None:
        colours = [module.colour.name.lower() for module in self.content.modules]
        self.rng.shuffle(colours)
        for module, colour in zip(self.content.modules, colours, strict=True):
            modules[module.id] = modules.get(module.id, {}) | {"colour": colour}

    def set_ups(self, files: dict[str, dict[str, Any]]) -> None:
        """Set-ups within supplies and Flags, with Habitats of values there are."""
        from cysmic_fast.content.layout import LAYOUT

        rng, content = self.rng, self.content
        values = [files["influence.toml"]["habitats"][name] for name in _HABITATS[:3]]
        flags = files["limits.toml"]["player"]["flags"]
        supply = [
            files["units.toml"].get(name, {}).get("supply", spec.supply)
            for name, spec in zip(_TROOPS, content.units, strict=False)
        ]

        def fit(spec: Any, drawn: dict[str, Any]) -> dict[str, Any]:
            counts = [
                self.number(0, most) if self.hot() else n for n, most in zip(spec.units, supply, strict=True)
            ]
            counts = [min(n, most) for n, most in zip(counts, supply, strict=True)]
            habitats = [rng.choice(values) for _ in range(rng.randint(0, min(3, flags)))]
            return drawn | {"units": dict(zip(_TROOPS, counts, strict=True)), "habitats": habitats}

        files["setup.toml"] = {"generic": fit(content.generic, files["setup.toml"].get("generic", {}))}
        generic: Any = LAYOUT["setup.toml"].keys["generic"]
        cards = []
        for faction in content.factions:
            cards.append({"id": faction.id} | fit(faction, self.table(generic)))
            cards[-1].pop("name", None)
        files["factions.toml"] = {"card": cards}

    def rewards(self, values: list[int]) -> dict[str, Any]:
        """Rewards of a card, of any form (D3)."""
        from cysmic_fast.content.layout import ICONS

        rng = self.rng
        items: list[dict[str, Any]] = [
            rng.choice(
                [
                    {"bonus": rng.sample(ICONS, rng.randint(1, len(ICONS)))},
                    {"bonus": ["grey"]},
                    {"lorium": self.number(1, 9)},
                    {"discovery": self.number(1, 5)},
                    {"relic": self.number(1, 5)},
                    {"habitat": rng.choice(values)},
                    {"units": [rng.choice(_TROOPS) for _ in range(rng.randint(1, 3))]},
                ]
            )
            for _ in range(2)
        ]
        op = rng.choice(("single", "and", "or"))
        return {"op": op, "items": items[:1] if op == "single" else items}

    def decks(self, files: dict[str, dict[str, Any]]) -> None:
        """Numbers of cards, modifiers and Rewards. A deck keeps a card that is in it with any options."""
        content = self.content
        values = list(files["influence.toml"]["habitats"].values())
        plenty = self.rng.random() < 0.5
        decks: tuple[tuple[str, list[Any], int], ...] = (
            ("discovery.toml", [card for card in content.discovery if not card.event], 100),
            ("events.toml", [card for card in content.discovery if card.event], 28),
            ("relics.toml", list(content.relics), 64),
        )
        for file, specs, most in decks:
            left, cards = most, []
            for place, card in enumerate(specs):
                changed: dict[str, Any] = {"id": card.id}
                count = card.count if plenty or not self.hot() else self.number(0, 20)
                always = not card.molten_core and not card.espionage and place < 5
                # Room is left for one of each of the cards to come.
                count = min(count, max(0, left - (len(specs) - place - 1) if plenty else left))
                changed["count"] = max(count, int(always and left > 0))
                left -= changed["count"]
                if file == "discovery.toml":
                    if self.hot():
                        changed["modifier"] = self.rng.choice((-3, -2, -1, 1, 2, 3))
                    if self.hot() or any(item.kind == "habitat" for item in card.rewards.items):
                        changed["rewards"] = self.rewards(values)
                cards.append(changed)
            files[file] = {"card": cards}
