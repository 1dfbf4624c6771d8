"""What the lock-step comparison plays: configurations, content packs, scripts, changed positions.

Everything drawn here comes from a ``random.Random`` that the caller seeds: nothing is global.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cysmic_fast import vocabulary as v

if TYPE_CHECKING:
    from cysmic_fast.content.types import Content
    from cysmic_fast.interface import Document, Game

__all__ = [
    "CONFIGS",
    "PACKS",
    "RANDOM_PACKS",
    "Config",
    "load_one",
    "load_pair",
    "random_script",
    "select",
    "vary",
]


# ------------------------------------------------------------------ configurations
@dataclass(frozen=True)
class Config:
    """One kind of game in the matrix."""

    name: str  #: "<players>p:<variant>"
    players: int
    options: tuple[tuple[str, Any], ...] = ()
    pack: tuple[tuple[str, str], ...] = ()  #: files of a content pack over the standard one
    drawn: bool = False  #: the pack is drawn at random from the name
    cards: int = -1  #: seed of a pack of random cards

    @property
    def origin(self) -> str:
        """What random choices start from: a game without Abilities makes the same ones."""
        return self.name.replace("core+", "")

    def files(self) -> dict[str, str]:
        """Files of the content pack, empty for the standard one."""
        if self.drawn:
            from cysmic_fast._crosscheck_packs import random_pack

            return random_pack(random.Random(self.origin))
        if self.cards >= 0:
            from cysmic_fast._crosscheck_cards import random_pack as random_cards
            from cysmic_fast._crosscheck_cards import to_toml

            return {file: to_toml(data) for file, data in random_cards(self.cards).items()}
        return dict(self.pack)


#: Content packs that move numbers and rulings, so that nothing printed can be a literal in an engine.
PACKS: Final[dict[str, dict[str, str]]] = {
    "rings": {"rulings.toml": 'ship_start = "rings_1_3"'},
    "per_token": {
        "rulings.toml": 'resets = "per_token"',
        "cysmograph.toml": "[special_tokens]\npull_2_more = 7\ndevastated = 4",
    },
    "never_flee": {"rulings.toml": 'must_flee = "never"', "limits.toml": "[caps]\nstrikes = 5"},
    "no_final_die": {"rulings.toml": "final_strike_die = false"},
    "grounded": {"rulings.toml": "build_it_on_devastated = false\nend_without_tiles = false"},
    "no_reuse": {"rulings.toml": "reuse_this_turns_card = false"},
    # Sections of Unit cards joined, split and turned round: which of like Units is swapped and acts again.
    "regrouped": {
        "command_cards.toml": "\n".join(
            f"[cards.{card}]\nsections = {sections}"
            for card, sections in {
                "soldiers": [["neutralize", "move"]],
                "miners": [["explore", "mine"], ["move"]],
                "speakers": [["promote"], ["move"], ["persuade"]],
                "powermechs": [["jumpjet"], ["move"]],
                "harvesters": [["scavenge", "move", "harvest"]],
                "colony_ship": [["evacuate", "robotic", "ship_move"], ["stabilize"]],
            }.items()
        ),
        "setup.toml": "[generic]\nunits = { soldier = 3, miner = 3, speaker = 3 }\nhabitats = [1, 2, 3]",
        "units.toml": "[speaker]\ninfluence_cost = 1",
    },
    # Habitats of value 0, given away at the start and as Rewards.
    "worthless": {
        "influence.toml": "[habitats]\nsettlement = 0",
        "setup.toml": "[generic]\nhabitats = [0, 0, 2]",
        "discovery.toml": '[[card]]\nid = "D58"\ncount = 12\n'
        'rewards = { op = "or", items = [ { habitat = 0 }, { bonus = ["grey"] } ] }',
    },
    # Everything is cheap and close: games that end in Launches.
    "quick": {
        "modules.toml": "\n".join(
            f"[{name}]\nlorium = {lorium}\ninfluence = {influence}"
            for name, lorium, influence in (
                ("crew_bridge", 0, 0),
                ("control_systems", 1, 0),
                ("colonist_quarters", 0, 1),
                ("power_core", 1, 1),
                ("fuel_cells", 0, 2),
                ("warp_drive", 1, 3),
            )
        ),
        "setup.toml": "[generic]\nlorium = 20\ndiscovery = 4\nrelics = 2\nhabitats = [1, 2]\n"
        "units = { soldier = 6, miner = 4, speaker = 3 }",
        "dice.toml": '[humanity]\nfaces = [0, 0, 5, "any", 9, 1]',
        "limits.toml": "[player]\ncell_troops = 1\n[actions]\nblueprint_troops = 1",
    },
    # Small limits: every cap and surplus is reached.
    "tight": {
        "limits.toml": "[player]\nflags = 2\ndiscovery_hand = 2\nrelics = 2\ncapacity_units = 2\n"
        "[table]\nrelic_tokens = 3\n[actions]\ncyber_attempts = 1\n"
        "[caps]\nstrikes = 3\noffers = 1\noffer_pieces = 1\nbonus_actions = 2\nprograms = 3\nrounds = 25\n",
        "units.toml": "[soldier]\nsupply = 7\nmovement = 1\n[miner]\nsupply = 3\n[speaker]\nsupply = 3\n"
        "[powermech]\nsupply = 1\nlorium_cost = 1\n[harvester]\nlorium_cost = 0\n[dropship]\nlorium = 0",
        "influence.toml": "[storage]\nbase = 2\n[unlimited]\ninfluence = 20",
    },
    # Large numbers: long walks, many dice, rich yields, a short track, another planet.
    "wide": {
        "units.toml": '[soldier]\nmovement = 6\nred = 3\nhealth = [6]\nabilities = ["engage", "shield"]\n'
        '[miner]\nmovement = 5\nabilities = ["early_warning", "engage", "jumpjet"]\n'
        '[speaker]\nmovement = 0\nabilities = ["early_warning", "shield"]\nyellow = 2\n'
        "[powermech]\nhealth = [5, 5]\nlorium_cost = 0\n[harvester]\nhealth = [3, 1]",
        "command_cards.toml": '[actions]\ntremor = ["harvest", "stabilize"]\n[yields.mine]\nlorium = 3\n'
        "discovery = 1\n[yields.explore]\ndiscovery = 2\n[yields.harvest]\nlorium = 4\n",
        "cysmograph.toml": "[track]\npositions = [6, 5, 4, 3, 2]\ntremor_tokens = 6\n",
        "planet.toml": '[edge]\narrows = "antipodal"\n'
        "[tiles]\nlorium = 2\nexplorable = 2\ntunl = 7\nlake = 1\n"
        '[bottom_layer]\nabyss = ["colony_city", "savannah-1-0", "forest-6-3", 77, 78]',
        "bonus.toml": "[gain_card]\namount = 3\n[deploy_one]\namount = 3\n[two_cards]\namount = 4\n"
        "[deploy_two]\namount = 3\n"
        "[store_lorium]\namount = 5\n[move_three]\namount = 5\n[two_lorium]\namount = 6\n"
        "[gain_relic]\namount = 2\n",
        "setup.toml": "[generic]\nlorium = 9\nunits = { soldier = 6, miner = 4, speaker = 4 }\n"
        "habitats = [3]",
    },
}

#: Configurations with a random pack, and with a pack of random cards, for each number of players.
RANDOM_PACKS: Final = 10
RANDOM_CARDS: Final = 12

_LAUNCHES: Final = ("base", "build_it", "guilty", "guilty_ignore_captives")
_TRIGGERS: Final = ("immediate", "simultaneous", "equality")


def _configs() -> dict[str, Config]:
    found: dict[str, Config] = {}

    def add(players: int, variant: str, pack: str = "", **options: Any) -> None:
        name = f"{players}p:{variant}"
        found[name] = Config(
            name, players, tuple(options.items()), tuple(PACKS[pack].items()) if pack else ()
        )

    colours = tuple(colour.name.lower() for colour in v.Colour)
    none, echo = (0, 0, 0, 0, 0), (3, 5, 4, 1, 2)
    for n in range(2, 7):
        add(n, "plain")
        add(n, "factions", factions=True)
        add(n, "molten_core", molten_core=True)
        add(n, "events", events=True)
        add(n, "everything", factions=True, molten_core=True, events=True, echoes=(none,) * (n - 1) + (echo,))
        add(n, "no_trading", trading=False, colours=colours[::-1][:n])
        add(n, "short", max_rounds=6)
        for extra in range(1, 3 if n == 2 else 2 if n == 3 else 1):
            add(n, f"blueprints{extra}", blueprint_variant=extra)
            add(n, f"quick+blueprints{extra}", "quick", blueprint_variant=extra, end_trigger="equality")
        for launch in _LAUNCHES:
            for trigger in _TRIGGERS:
                add(n, f"quick+{launch}+{trigger}", "quick", launch=launch, end_trigger=trigger)
        add(n, "quick+cap", "quick", launch="build_it", end_trigger="simultaneous", max_rounds=4)
        for pack in PACKS:
            if pack != "quick":
                add(n, pack, pack, launch="build_it" if pack == "grounded" else "base")
        for k in range(RANDOM_PACKS):
            rng = random.Random(f"{n} {k}")
            name = f"{n}p:random{k}"
            options: dict[str, Any] = {
                "launch": rng.choice(_LAUNCHES),
                "end_trigger": rng.choice(_TRIGGERS),
                "factions": rng.random() < 0.5,
                "molten_core": rng.random() < 0.5,
                "events": rng.random() < 0.5,
                "blueprint_variant": rng.randint(0, max(0, min(2, 4 - n))),
            }
            found[name] = Config(name, n, tuple(options.items()), drawn=True)
    for config in list(found.values()):  # the same without Abilities
        name = config.name.replace(":", ":core+")
        found[name] = replace(config, name=name, options=(*config.options, ("abilities", False)))
    for n in range(2, 7):
        for k in range(RANDOM_CARDS):
            options = {
                "launch": _LAUNCHES[k % 4],
                "end_trigger": _TRIGGERS[k % 3],
                "factions": k % 5 > 0,
                "molten_core": k % 2 == 0,
                "events": k % 3 < 2,
                "max_rounds": 25,
            }
            name = f"{n}p:cards{k}"
            found[name] = Config(name, n, tuple(options.items()), cards=100 * n + k)
    return found


#: The matrix by name, the kinds of game mixed: neighbours differ in as much as possible.
CONFIGS: Final[dict[str, Config]] = _configs()


@cache
def _content(files: tuple[tuple[str, str], ...]) -> Content:
    """The content of the standard pack with these files over it."""
    from cysmic_fast.content.loader import load_content

    if not files:
        return load_content()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crosscheck"
        path.mkdir()
        for file, text in files:
            (path / file).write_text(text + "\n", encoding="utf-8")
        return load_content(path)


def _load(config: Config, *engines: str) -> tuple[Game, ...]:
    """The same game on several engines."""
    from cysmic_fast.game import make_game
    from cysmic_fast.options import make_options

    options = make_options(players=config.players, **dict(config.options))
    content = _content(tuple(config.files().items()))
    return tuple(make_game(options, content, engine) for engine in engines)


def load_one(config: Config, engine: str) -> Game:
    """The game of a configuration on one engine."""
    return _load(config, engine)[0]


@cache
def load_pair(config: Config) -> tuple[Game, Game]:
    """The same game on the reference and on the native engine."""
    reference, native = _load(config, "reference", "native")
    return reference, native


def select(players: Iterable[int] | None = None, names: Iterable[str] | None = None) -> list[Config]:
    """Configurations by number of players and (part of a) name, mixed so that neighbours differ a lot."""
    wanted = list(names or [])
    found = [
        c
        for c in CONFIGS.values()
        if (players is None or c.players in set(players))
        and (not wanted or any(c.name == w or (":" not in w and w in c.name) for w in wanted))
    ]
    random.Random(0).shuffle(found)
    return found


# ------------------------------------------------------------------ scripts and changed positions
def random_script(content: Content, config: Config, rng: random.Random) -> dict[str, list[Any]]:
    """Some outcomes for some chance kinds; tokens may be impossible when their turn comes."""
    dice, script = content.dice, {}
    faces: dict[str, Sequence[Any]] = {
        "red_die": [str(face) for face in dice.red],
        "yellow_die": [str(face) for face in dice.yellow],
        "attacker_strike_die": [face.name for face in dice.attacker_strike],
        "defender_strike_die": [face.name for face in dice.defender_strike],
        "humanity_die": dice.humanity_names,
        "fracture_token": [token.name for token in content.tokens],
    }
    for kind, names in faces.items():
        if rng.random() < 0.6:
            script[kind] = [rng.choice(names) for _ in range(rng.randrange(1, 30))]
    if rng.random() < 0.5:
        colours = dict(config.options).get("colours") or [c.name.lower() for c in v.Colour]
        script["first_player"] = [rng.choice(list(colours)[: config.players])]
    if rng.random() < 0.4:
        tiles = [feature.name.lower() for feature, count in content.planet.tiles for _ in range(count)]
        script["terrain_layout"] = [
            rng.sample(tiles, rng.randrange(len(tiles) + 1)) for _ in range(rng.randrange(7))
        ]
    options = dict(config.options)
    molten = bool(options.get("molten_core", False))
    if rng.random() < 0.4:
        deck = [content.discovery[n].id for n in content.discovery_deck(molten, False)]
        script["discovery_shuffle"] = [rng.sample(deck, rng.randrange(20))]
    if rng.random() < 0.4:
        deck = [content.relics[n].id for n in content.relic_deck(molten)]
        script["relic_shuffle"] = [rng.sample(deck, rng.randrange(20))]
    return script


def vary(doc: Document, game: Game, rng: random.Random) -> Document:
    """The document further on: richer players, hurt planet, hidden decks. Mostly still a position."""
    d = deepcopy(doc)
    content, players = game.content, d["players"]
    d.pop("chance", None)
    if rng.random() < 0.3:
        d["discovery"]["draw"], d["relics"]["draw"] = [], []
    for seat, p in enumerate(players):
        if d["phase"] == "setup" or p["launched"]:
            continue
        if rng.random() < 0.5:
            p["lorium"] = rng.randrange(25)
        if rng.random() < 0.5:
            p["blueprints"] = [module.id for module in content.modules]
            p["modules"] = sorted(
                rng.sample(p["blueprints"], rng.randrange(7)), key=[m.id for m in content.modules].index
            )
        for deck in ("discovery", "relics"):
            draw = d[deck]["draw"]
            while draw and rng.random() < 0.6 and len(p[deck]) < 7:
                card = draw.pop(rng.randrange(len(draw)))
                number = next(n for n, spec in enumerate(getattr(content, deck)) if spec.id == card)
                if deck == "discovery" and content.discovery[number].event:
                    draw.insert(0, card)
                    break
                p[deck].append(card)
        for slot in range(v.NUM_SLOTS):
            if p["slots"][slot] is None and rng.random() < 0.3:
                if p["relics"] and rng.random() < 0.6:
                    p["slots"][slot] = {"relic": p["relics"].pop()}
                else:
                    p["slots"][slot] = {
                        "lorium": rng.randrange(1, content.bonus[v.Bonus.STORE_LORIUM].amount + 1)
                    }
        _vary_units(d, seat, content, rng)
    if d["phase"] == "turn":
        _vary_planet(d, content, rng)
        if rng.random() < 0.3:
            names = [token.name for token in content.tokens]
            d["bag"] = sorted(rng.sample(d["bag"], rng.randrange(len(d["bag"]) + 1)), key=names.index)
        if rng.random() < 0.3:
            zone = len(content.cysmograph.track)
            singles = rng.randrange(d["cysmograph"]["singles"], zone + 1)
            d["cysmograph"] = {
                "singles": singles,
                "stack": min(zone, max(singles, zone - 1 if singles < zone else zone)),
            }
        _vary_launched(d, game, rng)
    return d


def _vary_units(d: Document, seat: int, content: Content, rng: random.Random) -> None:
    """Units from the Reserve become captives, or join own Units and enemies next door."""
    p = d["players"][seat]
    if d["phase"] != "turn":
        return
    for t in range(5):
        used = sum(c[t] for _, c in p["units"]) + p["missing"][t]
        used += sum(c[t] for q in d["players"] for owner, c in q["captured"] if owner == seat)
        left = content.units[t].supply - used
        while left > 0 and rng.random() < 0.45:
            left -= 1
            if rng.random() < 0.4:
                holder = d["players"][rng.choice([s for s in range(len(d["players"])) if s != seat])]
                held = dict(map(tuple, holder["captured"]))
                held.setdefault(seat, [0] * 5)[t] += 1
                holder["captured"] = [[owner, held[owner]] for owner in sorted(held)]
                continue
            ships = {q["ship"] for q in d["players"]}
            crowd = [s for q in d["players"] for s, _ in q["units"]]
            space = rng.choice(crowd) if crowd and rng.random() < 0.6 else rng.randrange(v.NUM_SPACES)
            here = [s for s, q in enumerate(d["players"]) if any(u == space for u, _ in q["units"])]
            tile = d["tiles"][space]
            if (
                space in ships
                or tile in ("lake", "mountain")
                or (tile == "none" and space in content.planet.abyss)
            ):
                continue
            if len(set(here) | {seat}) > 2:
                continue
            mine = dict(map(tuple, p["units"]))
            counts = list(mine.get(space, [0] * 5))
            counts[t] += 1
            vehicles = counts[v.UnitType.POWERMECH] + counts[v.UnitType.HARVESTER]
            limits = content.limits
            if sum(counts) > limits.capacity_units or vehicles > limits.capacity_vehicles:
                continue
            mine[space] = counts
            p["units"] = [[s, mine[s]] for s in sorted(mine)]
            if len(set(here) | {seat}) == 2:
                combats = dict(map(tuple, d["combats"]))
                combats.setdefault(space, rng.choice(sorted(set(here) | {seat})))
                d["combats"] = [[s, combats[s]] for s in sorted(combats)]


def _vary_planet(d: Document, content: Content, rng: random.Random) -> None:
    """Some tiles are gone, with their Habitats; some Devastated spaces hold Relic Tokens."""
    share = rng.choice([0.0, 0.0, 0.1, 0.5, 0.97])
    busy = {s for p in d["players"] for s, _ in p["units"]} | {p["ship"] for p in d["players"]}
    for space in range(v.NUM_SPACES):
        if d["tiles"][space] == "none" or rng.random() >= share:
            continue
        if space in content.planet.abyss and space in busy:
            continue
        d["tiles"][space] = "none"
        bare = space not in content.planet.abyss and space not in {p["ship"] for p in d["players"]}
        if bare and len(d["relic_tokens"]) < content.limits.relic_tokens and rng.random() < 0.5:
            d["relic_tokens"] = sorted({*d["relic_tokens"], space})
    d["control"] = [pair for pair in d["control"] if d["tiles"][pair[0]] != "none"]
    habitats = {feature.name.lower() for feature in content.habitat_values}
    for space in range(v.NUM_SPACES):
        if d["tiles"][space] in habitats and rng.random() < 0.1:
            control = dict(map(tuple, d["control"]))
            flags = Counter(control.values())
            seat = rng.randrange(len(d["players"]))
            if flags[seat] < content.limits.flags:
                control.setdefault(space, seat)
                d["control"] = [[s, control[s]] for s in sorted(control)]


def _vary_launched(d: Document, game: Game, rng: random.Random) -> None:
    """Where several may win, some have Launched already."""
    trigger = game.options.end_trigger
    if trigger == "immediate" or any(p["launched"] for p in d["players"]) or rng.random() < 0.6:
        return
    count, first, current = len(d["players"]), d["first_player"], d["current_player"]
    before = [s for s in range(count) if (s - first) % count < (current - first) % count]
    others = before if trigger == "equality" else [s for s in range(count) if s != current]
    if not others:
        return
    seat = rng.choice(others)
    d["players"][seat]["launched"], d["players"][seat]["ship"] = True, None
    d["players"][seat]["blueprints"] = [module.id for module in game.content.modules]
    d["players"][seat]["modules"] = list(d["players"][seat]["blueprints"])
    d.pop("final_turns", None)
