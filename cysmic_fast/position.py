"""The position document: any position at the start of a turn or of set-up, as JSON (``docs/position.md``).

:func:`normalise_position` turns a document as people write it (short forms, names, defaults) into the
canonical form of ``docs/protocol.md``, section 16, which is all that the engines ever see. Every defect of a
document is reported, together with all others, in one :class:`~cysmic_fast.errors.PositionError`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cysmic_fast import vocabulary as v
from cysmic_fast.errors import PositionError
from cysmic_fast.names import parse_space, shown, space_at, suggest
from cysmic_fast.position_cards import CardsReader, most_stored

if TYPE_CHECKING:
    from cysmic_fast.content.types import Content
    from cysmic_fast.options import GameOptions

__all__ = ["MAX_LORIUM", "MAX_WORDS", "PHASES", "normalise_position"]

#: Phases of documents that can be loaded.
PHASES: Final = ("turn", "setup")
#: Bounds of what a state can count; far above what play can reach.
MAX_LORIUM: Final = 1_000_000
MAX_WORDS: Final = 2**31 - 1

_KEYS: Final = (
    "version",
    "mode",
    "phase",
    "options",
    "content_hash",
    "round",
    "first_player",
    "marker",
    "current_player",
    "tiles",
    "relic_tokens",
    "control",
    "combats",
    "cysmograph",
    "bag",
    "discovery",
    "relics",
    "players",
    "grants",
    "final_turns",
    "chance",
)
_PLAYER_KEYS: Final = (
    "colour",
    "faction",
    "ship",
    "units",
    "missing",
    "captured",
    "lorium",
    "slots",
    "blueprints",
    "modules",
    "hand",
    "board",
    "discovery",
    "relics",
    "launched",
    "confused",
    "tokens",
    "once",
)
#: Keys that documents have only with the option ``abilities``.
_ABILITY_KEYS: Final = frozenset({"grants", "confused", "tokens", "once"})
_UNIT_NAMES: Final = tuple(v.UnitType(t).name.lower() for t in range(5))
_COMMANDS: Final = tuple(card.name.lower() for card in v.CommandCard)
_FEATURES: Final = tuple(feature.name.lower() for feature in v.Feature)
_IMPASSABLE: Final = ("lake", "mountain")

T = TypeVar("T")
Pair = tuple[str, Any, Any]  #: path, key, value


def normalise_position(doc: object, content: Content, options: GameOptions) -> dict[str, Any]:
    """The canonical form of a position document: all keys, plain ``int`` / ``str`` / ``bool`` / ``list``.

    ``doc`` is never changed. ``draw`` lists of the result hold what the document lists; the engine puts all
    other cards of the deck that are not elsewhere beneath, shuffled. Raises
    :class:`~cysmic_fast.errors.PositionError` with all defects, each ``(path, found, allowed)``.
    """
    return _Reader(content, options).read(doc)


class _Reader(CardsReader):
    """Reads one document. A part that cannot be read is reported and replaced by something harmless."""

    def __init__(self, content: Content, options: GameOptions) -> None:
        self.content = content
        self.options = options
        self.defects: list[tuple[str, str, str]] = []
        self.count = options.players
        self.keys, self.player_keys = (
            tuple(key for key in keys if options.abilities or key not in _ABILITY_KEYS)
            for keys in (_KEYS, _PLAYER_KEYS)
        )
        self.colours: tuple[str, ...] = tuple(options.colours)
        self.habitats = {feature.name.lower() for feature in content.habitat_values}
        self.module_ids = [module.id for module in content.modules]
        self.decks = {
            "discovery": Counter(
                content.discovery[n].id for n in content.discovery_deck(options.molten_core, options.events)
            ),
            "relics": Counter(content.relics[n].id for n in content.relic_deck(options.molten_core)),
        }
        self.order = {
            "discovery": {card.id: number for number, card in enumerate(content.discovery)},
            "relics": {card.id: number for number, card in enumerate(content.relics)},
        }
        self.used: dict[str, Counter[str]] = {"discovery": Counter(), "relics": Counter()}

    # -------------------------------------------------------------- pieces
    def bad(self, path: str, found: object, allowed: str) -> None:
        """Notes a defect; ``found`` is shown as it is if it is text of ours, else by ``repr``."""
        text = str(found) if isinstance(found, _Text) else shown(found)
        self.defects.append((path, text, allowed))

    def integer(self, value: object, path: str, low: int, high: int, default: T) -> int | T:
        """An integer in [low, high]; bools are not integers, NumPy integers are."""
        if not isinstance(value, Integral) or isinstance(value, bool):
            self.bad(path, value, f"an integer from {low} to {high}")
            return default
        number = int(value)
        if not low <= number <= high:
            self.bad(path, value, f"{low} to {high}")
            return default
        return number

    def seat(self, value: object, path: str) -> int | None:
        return self.integer(value, path, 0, self.count - 1, None)

    def space(self, value: object, path: str) -> int | None:
        found = parse_space(value, self.content)
        if found is None:
            self.bad(
                path, value, f"a space: 0 to {v.NUM_SPACES - 1}, 'colony_city' or '<terrain>-<ring>-<offset>'"
            )
        return found

    def word(self, value: object, path: str, words: Sequence[str]) -> str | None:
        """One of some words, in lower case as written there."""
        if isinstance(value, str) and value in words:
            return str(value)
        listed = ", ".join(words) if len(words) <= 12 else f"{', '.join(words[:3])}, ... {words[-1]}"
        self.bad(path, value, listed + (suggest(value, words) if isinstance(value, str) else ""))
        return None

    def flag(self, value: object, path: str) -> bool:
        if isinstance(value, bool):
            return value
        self.bad(path, value, "true or false")
        return False

    def table(self, value: object, path: str, keys: Sequence[str]) -> Mapping[str, Any]:
        """An object with some of ``keys``."""
        if not isinstance(value, Mapping):
            self.bad(path or "document", value, "an object")
            return {}
        known = {}
        for key in value:
            if isinstance(key, str) and key in keys:
                known[key] = value[key]
            else:
                hint = suggest(key, keys) if isinstance(key, str) else ""
                self.bad(path or "document", _Text(f"unknown key {shown(key)}"), ", ".join(keys) + hint)
        return known

    def items(self, value: object, path: str, most: int = 1000, exact: int | None = None) -> list[Any]:
        """A list (or tuple)."""
        if not isinstance(value, (list, tuple)):
            self.bad(path, value, "a list")
            return []
        if exact is not None and len(value) != exact:
            self.bad(path, _Text(f"{len(value)} items"), f"exactly {exact} items")
            return []
        if len(value) > most:
            self.bad(path, _Text(f"{len(value)} items"), f"at most {most} items")
            return []
        return list(value)

    def pairs(self, value: object, path: str, what: str) -> list[Pair]:
        """``[[key, value], ...]`` or ``{key: value}`` as (path, key, value)."""
        if isinstance(value, Mapping):
            return [(f"{path}[{shown(key, 30)}]", key, value[key]) for key in value]
        found = []
        for i, item in enumerate(self.items(value, path)):
            if isinstance(item, (list, tuple)) and len(item) == 2:
                found.append((f"{path}[{i}]", item[0], item[1]))
            else:
                self.bad(f"{path}[{i}]", item, f"[{what}]")
        return found

    def by_key(
        self, value: object, path: str, what: str, key_of: Callable[[object, str], int | None]
    ) -> dict[int, tuple[str, Any]]:
        """Pairs with distinct keys: key -> (path, value)."""
        found: dict[int, tuple[str, Any]] = {}
        for at, key, item in self.pairs(value, path, what):
            number = key_of(self.digits(key), at)
            if number is None:
                continue
            if number in found:
                self.bad(at, key, "each only once")
            else:
                found[number] = (at, item)
        return found

    @staticmethod
    def digits(key: object) -> object:
        """Keys of JSON objects are strings: ``"3"`` means 3."""
        if isinstance(key, str) and key.isascii() and key.isdigit() and len(key) <= 4:
            return int(key)
        return key

    def units(self, value: object, path: str) -> list[int]:
        """Five counts in the order of UnitType, or an object by type."""
        supply = [self.content.units[t].supply for t in range(5)]
        if isinstance(value, Mapping):
            known = self.table(value, path, _UNIT_NAMES)
            return [
                self.integer(known[name], f"{path}.{name}", 0, supply[t], 0) if name in known else 0
                for t, name in enumerate(_UNIT_NAMES)
            ]
        if not isinstance(value, (list, tuple)) or len(value) != 5:
            self.bad(path, value, "[soldiers, miners, speakers, powermechs, harvesters]")
            return [0] * 5
        return [self.integer(n, f"{path}[{t}]", 0, supply[t], 0) for t, n in enumerate(value)]

    def cards(self, value: object, path: str, deck: str, events: bool = False) -> list[str]:
        """Card ids in the order given, each no more often in the whole document than the deck holds it."""
        found = []
        for i, item in enumerate(self.items(value, path)):
            name = self.card(item, f"{path}[{i}]", deck, events)
            if name is not None:
                found.append(name)
        return found

    def card(self, item: object, path: str, deck: str, events: bool = False) -> str | None:
        order, held, used = self.order[deck], self.decks[deck], self.used[deck]
        what = "Discovery" if deck == "discovery" else "Relic"
        if not isinstance(item, str) or item not in order:
            hint = suggest(item, order) if isinstance(item, str) else ""
            self.bad(path, item, f"the id of a {what} Card{hint}")
            return None
        if item not in held:
            self.bad(path, item, f"a card of the {what} Deck with these options (molten_core, events)")
            return None
        if deck == "discovery" and not events and self.content.discovery[order[item]].event:
            self.bad(path, item, "no Planetary Event: players do not keep them (RUL-D2)")
            return None
        used[item] += 1
        if used[item] > held[item]:
            self.bad(path, item, f"{held[item]} in the whole document: the deck holds no more")
            return None
        return str(item)

    def sorted_cards(self, names: Iterable[str], deck: str) -> list[str]:
        return sorted(names, key=self.order[deck].__getitem__)

    # -------------------------------------------------------------- the document
    def read(self, doc: object) -> dict[str, Any]:
        if not isinstance(doc, Mapping):
            raise PositionError("the position cannot be read", [("document", shown(doc), "an object")])
        d = self.table(doc, "", self.keys)
        c: dict[str, Any] = {"version": v.POSITION_VERSION, "mode": "competitive"}
        if "version" not in d:
            self.bad("version", _Text("nothing"), str(v.POSITION_VERSION))
        else:
            self.integer(d["version"], "version", v.POSITION_VERSION, v.POSITION_VERSION, None)
        if "mode" in d:
            self.word(d["mode"], "mode", ("competitive",))
        phase = d.get("phase", "turn")
        if isinstance(phase, str) and phase in ("mid_turn", "mid_setup", "over"):
            self.bad("phase", phase, "turn, setup; snapshots of other moments cannot be played on from")
            phase = "turn"
        c["phase"] = setup = self.word(phase, "phase", PHASES) or "turn"
        self.check_options(d)
        c["options"] = self.options.to_dict()
        c["content_hash"] = self.content.hash
        self.setup = setup == "setup"

        self.cap = cap = self.options.rounds_cap(self.content)
        # Final turns of simultaneous endings run past the cap, by one round at most.
        c["round"] = self.integer(d["round"], "round", 1, cap + 1, 1) if "round" in d else 1
        first = self.seat(d["first_player"], "first_player") if "first_player" in d else 0
        c["first_player"] = 0 if first is None else first
        for key in ("marker", "current_player"):
            seat = self.seat(d[key], key) if key in d else None
            c[key] = c["first_player"] if seat is None else seat

        c["tiles"] = self.tiles(d.get("tiles", {}))
        c["players"] = self.players(d)
        c["relic_tokens"] = self.relic_tokens(d.get("relic_tokens", []), c)
        self.check_planet(c)
        c["control"] = self.control(d.get("control", []), c)
        c["combats"] = self.combats(d.get("combats", []), c)
        c["cysmograph"] = self.cysmograph(d.get("cysmograph", {}))
        c["bag"] = self.bag(d["bag"]) if "bag" in d else [token.name for token in self.content.tokens]
        for deck in ("discovery", "relics"):
            c[deck] = self.piles(d.get(deck, {}), deck)
        self.check_supply(c)
        self.check_round(c)
        if self.options.abilities:
            self.read_once(c)
            c["grants"] = self.grants(d.get("grants", []), c["current_player"])
        c["final_turns"] = self.final_turns(d, c)
        c["chance"] = self.chance(d.get("chance", {}))
        if self.setup:
            self.check_setup(c)
        if self.defects:
            n = len(self.defects)
            raise PositionError(f"the position has {n} defect{'s' if n > 1 else ''}", self.defects)
        return {key: c[key] for key in self.keys}

    def check_options(self, d: Mapping[str, Any]) -> None:
        """Options and content hash are those of the game, if given."""
        mine = self.options.to_dict()
        if "options" in d:
            for key, value in self.table(d["options"], "options", list(mine)).items():
                if not _same(value, mine[key]):
                    self.bad(f"options.{key}", value, f"{shown(mine[key])}, as in this game")
        if "content_hash" in d and not _same(d["content_hash"], self.content.hash):
            self.bad("content_hash", d["content_hash"], f"{self.content.hash}, the content of this game")

    def tiles(self, value: object) -> list[str]:
        found = ["colony_city"] + ["plain"] * (v.NUM_SPACES - 1)
        named: list[tuple[str, int, Any]]
        if isinstance(value, Mapping):
            named = [
                (at, s, item)
                for s, (at, item) in self.by_key(value, "tiles", "space, feature", self.space).items()
            ]
        else:
            named = [
                (f"tiles[{s}]", s, item)
                for s, item in enumerate(self.items(value, "tiles", exact=v.NUM_SPACES))
            ]
        for at, s, item in named:
            name = self.word(item, at, _FEATURES)
            if name is None:
                continue
            if s == 0 and name not in ("colony_city", "plain", "none"):
                self.bad(at, name, "colony_city, plain, none in the centre (S2.2)")
            elif s != 0 and name == "colony_city":
                self.bad(at, name, "colony_city only in the centre (S2.2)")
            else:
                found[s] = name
        return found

    def impassable(self, space: int, tiles: list[str]) -> bool:
        return tiles[space] in _IMPASSABLE or (tiles[space] == "none" and space in self.content.planet.abyss)

    def devastated(self, space: int, tiles: list[str]) -> bool:
        return tiles[space] == "none" and space not in self.content.planet.abyss

    # -------------------------------------------------------------- players
    def players(self, d: Mapping[str, Any]) -> list[dict[str, Any]]:
        if "players" not in d:
            self.bad("players", _Text("nothing"), f"a list of {self.count} players")
            given: list[Any] = []
        else:
            given = self.items(d["players"], "players", exact=self.count)
        found = [self.player(item, seat) for seat, item in enumerate(given)]
        # Unreadable players are replaced by idle ones, so that the rest of the document is still checked.
        while len(found) < self.count:
            found.append(self.player({"faction": None, "ship": None}, len(found), quiet=True))
        chosen: dict[str, int] = {}
        for seat, player in enumerate(found):
            if player["faction"] is not None and chosen.setdefault(player["faction"], seat) != seat:
                self.bad(
                    f"players[{seat}].faction", player["faction"], "a Faction of its own for each player"
                )
        return found

    def player(self, value: object, seat: int, quiet: bool = False) -> dict[str, Any]:
        path = f"players[{seat}]"
        before = len(self.defects)
        d = self.table(value, path, self.player_keys)
        p: dict[str, Any] = {"colour": self.colours[seat]}
        if "colour" in d and not _same(d["colour"], self.colours[seat]):
            self.bad(
                f"{path}.colour",
                d["colour"],
                f"{self.colours[seat]!r}, the colour of seat {seat} in this game",
            )
        p["faction"] = self.faction(d.get("faction"), f"{path}.faction")
        launched = self.flag(d["launched"], f"{path}.launched") if "launched" in d else False
        p["ship"] = self.space(d["ship"], f"{path}.ship") if d.get("ship") is not None else None
        if d.get("ship") is None and isinstance(value, Mapping):
            if not self.setup and not launched:
                self.bad(f"{path}.ship", _Text("nothing"), "a space: only a Launched player has no Ship")
        elif launched:
            self.bad(
                f"{path}.ship",
                d["ship"] if "ship" in d else _Text("nothing"),
                "null: a Launched player's Ship has left (L4.10)",
            )
        units = self.by_key(d.get("units", []), f"{path}.units", "space, counts", self.space)
        p["units"] = []
        for s in sorted(units):
            at, item = units[s]
            mark = len(self.defects)
            counts = self.units(item, at)
            if sum(counts) == 0 and len(self.defects) == mark:
                self.bad(at, item, "at least one Unit")
            elif sum(counts):
                self.check_capacity(counts, at)
                p["units"].append([s, counts])
        p["missing"] = self.missing(d, path, seat)
        captured = self.by_key(d.get("captured", []), f"{path}.captured", "owner's seat, counts", self.seat)
        p["captured"] = []
        for owner in sorted(captured):
            at, item = captured[owner]
            mark = len(self.defects)
            counts = self.units(item, at)
            if owner == seat:
                self.bad(at, _Text(f"own Units of seat {seat}"), "Units of other players (G4.1)")
            elif sum(counts) == 0 and len(self.defects) == mark:
                self.bad(at, item, "at least one Unit")
            elif sum(counts):
                p["captured"].append([owner, counts])
        p["lorium"] = self.integer(d["lorium"], f"{path}.lorium", 0, MAX_LORIUM, 0) if "lorium" in d else 0
        p["slots"] = self.slots(d.get("slots", [None] * v.NUM_SLOTS), f"{path}.slots")
        p["blueprints"] = self.blueprints(d, path, seat)
        p["modules"] = self.modules(d.get("modules", []), f"{path}.modules")
        for i, module in enumerate(p["modules"]):
            if module not in p["blueprints"]:
                self.bad(f"{path}.modules[{i}]", module, "Modules with an Acquired Blueprint (B5.1)")
        p["board"], p["hand"] = self.command_cards(d, path)
        p["discovery"] = self.sorted_cards(
            self.cards(d.get("discovery", []), f"{path}.discovery", "discovery"), "discovery"
        )
        p["relics"] = self.sorted_cards(self.cards(d.get("relics", []), f"{path}.relics", "relics"), "relics")
        p["launched"] = launched
        if self.options.abilities:
            p["confused"] = self.confused(d.get("confused", []), f"{path}.confused", p["units"])
            p["tokens"] = self.tokens(d["tokens"], f"{path}.tokens", p["faction"]) if "tokens" in d else 0
            p["once"] = d.get("once", [])  # read once it is known whose turn starts
        if quiet:
            del self.defects[before:]
        return {key: p[key] for key in self.player_keys}

    def read_once(self, c: dict[str, Any]) -> None:
        """The ``once`` flags of all players."""
        for seat, p in enumerate(c["players"]):
            moving = seat == c["current_player"]
            path = f"players[{seat}].once"
            p["once"] = self.once(p["once"], path, p["faction"], p["slots"], moving=moving)

    def faction(self, value: object, path: str) -> str | None:
        if not self.options.factions:
            if value is not None:
                self.bad(path, value, "null: this game is played without Factions")
            return None
        eligible = [self.content.factions[n].id for n in self.content.eligible_factions(self.count)]
        if value is None:
            self.bad(path, _Text("nothing"), "the id of a Faction: this game is played with Factions")
            return None
        if isinstance(value, str) and value in eligible:
            return str(value)
        hint = suggest(value, eligible) if isinstance(value, str) else ""
        self.bad(path, value, f"the id of a Faction for {self.count} players{hint}")
        return None

    def check_capacity(self, counts: list[int], path: str) -> None:
        """P3.1."""
        limits = self.content.limits
        vehicles = sum(n for t, n in enumerate(counts) if self.content.units[t].kind == "vehicle")
        if sum(counts) > limits.capacity_units:
            self.bad(
                path, _Text(f"{sum(counts)} Units"), f"at most {limits.capacity_units} in one space (P3.1)"
            )
        if vehicles > limits.capacity_vehicles:
            self.bad(
                path, _Text(f"{vehicles} Vehicles"), f"at most {limits.capacity_vehicles} in one space (P3.1)"
            )

    def missing(self, d: Mapping[str, Any], path: str, seat: int) -> list[int]:
        """Units missing from the stock by Echoes of Humanity (L5): those of the options."""
        if "missing" not in d:
            return list(self.options.echoes[seat])
        return self.units(d["missing"], f"{path}.missing")

    def slots(self, value: object, path: str) -> list[Any]:
        stored = self.content.bonus[v.Bonus.STORE_LORIUM].amount
        if self.options.abilities:
            stored = max(stored, most_stored(self.content))
        found: list[Any] = []
        for i, item in enumerate(self.items(value, path, exact=v.NUM_SLOTS) or [None] * v.NUM_SLOTS):
            at = f"{path}[{i}]"
            result: dict[str, Any] | None = None
            if item is None:
                pass
            elif not isinstance(item, Mapping) or len(item) != 1:
                self.bad(at, item, 'null, {"relic": id} or {"lorium": n}')
            else:
                known = self.table(item, at, ("relic", "lorium"))
                if "relic" in known:
                    card = self.card(known["relic"], f"{at}.relic", "relics")
                    result = None if card is None else {"relic": card}
                elif "lorium" in known:
                    n = self.integer(known["lorium"], f"{at}.lorium", 1, stored, None)
                    result = None if n is None else {"lorium": n}
            found.append(result)
        return found

    def blueprints(self, d: Mapping[str, Any], path: str, seat: int) -> list[str]:
        if "blueprints" in d:
            return self.modules(d["blueprints"], f"{path}.blueprints")
        # S4.2; in the variant only the own colour is certain (S5).
        in_play = set(self.colours)
        free = not self.options.blueprint_variant
        acquired = []
        for module in self.content.modules:
            colour = module.colour.name.lower()
            if colour == self.colours[seat] or (free and colour not in in_play):
                acquired.append(module.id)
        return acquired

    def modules(self, value: object, path: str) -> list[str]:
        found: set[str] = set()
        for i, item in enumerate(self.items(value, path)):
            name = self.word(item, f"{path}[{i}]", self.module_ids)
            if name is not None and name in found:
                self.bad(f"{path}[{i}]", item, "each only once")
            elif name is not None:
                found.add(name)
        return [name for name in self.module_ids if name in found]

    def command_cards(self, d: Mapping[str, Any], path: str) -> tuple[list[list[str | None]], list[str]]:
        """Board and hand: together each of the ten cards exactly once (S4.1)."""
        seen: set[str] = set()

        def take(item: object, at: str) -> str | None:
            name = self.word(item, at, _COMMANDS)
            if name is not None and name in seen:
                self.bad(at, item, "each Command Card exactly once in hand and on the board (S4.1)")
                return None
            if name is not None:
                seen.add(name)
            return name

        board: list[list[str | None]] = []
        columns = self.items(d.get("board", []), f"{path}.board", most=v.NUM_COLUMNS)
        for i, column in enumerate(columns):
            at = f"{path}.board[{i}]"
            if column is None:
                board.append([None, None])
            elif isinstance(column, (list, tuple)) and len(column) == 2:
                board.append([None if x is None else take(x, f"{at}[{j}]") for j, x in enumerate(column)])
            else:
                self.bad(at, column, "[burned or null, played or null]")
                board.append([None, None])
        board += [[None, None] for _ in range(v.NUM_COLUMNS - len(board))]
        if "hand" not in d:
            return board, [name for name in _COMMANDS if name not in seen]
        mark = len(self.defects)
        hand = [
            take(item, f"{path}.hand[{i}]") for i, item in enumerate(self.items(d["hand"], f"{path}.hand"))
        ]
        lost = [name for name in _COMMANDS if name not in seen]
        if lost and len(self.defects) == mark:
            self.bad(
                f"{path}.hand",
                _Text(f"no {', '.join(lost)}"),
                "every Command Card in hand or on the board (S4.1)",
            )
        return board, [name for name in _COMMANDS if name in hand]

    # -------------------------------------------------------------- planet
    def relic_tokens(self, value: object, c: dict[str, Any]) -> list[int]:
        found: set[int] = set()
        ships = {p["ship"] for p in c["players"]}
        for i, item in enumerate(self.items(value, "relic_tokens")):
            at = f"relic_tokens[{i}]"
            s = self.space(item, at)
            if s is None:
                continue
            if s in found:
                self.bad(at, item, "each only once")
            elif not self.devastated(s, c["tiles"]):
                self.bad(at, item, "a Devastated space: no tile, bottom layer not Abyss (Y4.5)")
            elif s in ships:
                self.bad(at, item, "a space without a Ship (M6.4)")
            found.add(s)
        supply = self.content.limits.relic_tokens
        if len(found) > supply:
            self.bad("relic_tokens", _Text(f"{len(found)} tokens"), f"at most {supply} (S1.5)")
        return sorted(found)

    def check_planet(self, c: dict[str, Any]) -> None:
        """Ships and Units stand where they may (P2.2, U5.2, U5.3, P3.2)."""
        tiles = c["tiles"]
        ships: dict[int, int] = {}
        for seat, p in enumerate(c["players"]):
            s = p["ship"]
            if s is None:
                continue
            path = f"players[{seat}].ship"
            if s in ships:
                self.bad(path, s, f"a space of its own: the Ship of seat {ships[s]} is there (U5.2)")
            elif self.impassable(s, tiles):
                self.bad(path, s, "no Lake, Mountain or Abyss (M4.1)")
            elif tiles[s] not in ("plain", "none"):
                self.bad(
                    path,
                    _Text(f"{s} with the tile {tiles[s]!r}"),
                    "a 'plain' tile or none: a Ship erases the feature (U5.3)",
                )
            ships.setdefault(s, seat)
        crowd: dict[int, list[int]] = {}
        for seat, p in enumerate(c["players"]):
            for s, _ in p["units"]:
                path = f"players[{seat}].units"
                if self.impassable(s, tiles):
                    self.bad(path, _Text(f"Units in space {s}"), "no Units on Lake, Mountain or Abyss (P2.2)")
                if s in ships:
                    self.bad(
                        path,
                        _Text(f"Units in space {s}"),
                        f"no Units where the Ship of seat {ships[s]} is (U5.2)",
                    )
                crowd.setdefault(s, []).append(seat)
                if len(crowd[s]) == 3:
                    self.bad(
                        path, _Text(f"a third player in space {s}"), "at most two players in one space (P3.2)"
                    )
        self.shared = {s: seats for s, seats in crowd.items() if len(seats) > 1}

    def control(self, value: object, c: dict[str, Any]) -> list[list[int]]:
        found = []
        flags: Counter[int] = Counter()
        given = self.by_key(value, "control", "space, seat", self.space)
        for s in sorted(given):
            at, item = given[s]
            seat = self.seat(item, at)
            if c["tiles"][s] not in self.habitats:
                self.bad(
                    at,
                    _Text(f"space {s} with the tile {c['tiles'][s]!r}"),
                    f"a Habitat: {', '.join(sorted(self.habitats))}",
                )
            elif seat is not None:
                flags[seat] += 1
                found.append([s, seat])
                if flags[seat] == self.content.limits.flags + 1:
                    self.bad(
                        at,
                        _Text(f"{flags[seat]} Habitats of seat {seat}"),
                        f"at most {self.content.limits.flags} (I3.3)",
                    )
        return found

    def combats(self, value: object, c: dict[str, Any]) -> list[list[int]]:
        """Exactly the spaces where two players have Troops or Vehicles (K1.4)."""
        found = []
        given = self.by_key(value, "combats", "space, attacker's seat", self.space)
        for s in sorted(given):
            at, item = given[s]
            seat = self.seat(item, at)
            if s not in self.shared:
                self.bad(at, _Text(f"space {s}"), "a space where two players have Units")
            elif seat is not None and seat not in self.shared[s]:
                self.bad(at, seat, f"one of the two players there: {self.shared[s]}")
            elif seat is not None:
                found.append([s, seat])
        for s in sorted(set(self.shared) - set(given)):
            self.bad(
                "combats",
                _Text(f"nothing for space {s}"),
                f"[{s}, attacker]: seats {self.shared[s]} share it (K1.4)",
            )
        return found

    def check_supply(self, c: dict[str, Any]) -> None:
        """Each stock is on the planet, captured, missing or in Reserve (S1.3, L5)."""
        for seat, p in enumerate(c["players"]):
            for t in range(5):
                placed = sum(counts[t] for _, counts in p["units"])
                held = sum(
                    counts[t] for q in c["players"] for owner, counts in q["captured"] if owner == seat
                )
                total = placed + held + p["missing"][t]
                supply = self.content.units[t].supply
                if total > supply:
                    parts = f"{placed} on the planet, {held} captured, {p['missing'][t]} missing"
                    found = _Text(f"{total} of type {_UNIT_NAMES[t]}: {parts}")
                    self.bad(f"players[{seat}].units", found, f"at most {supply} (S1.3)")

    # -------------------------------------------------------------- the rest
    def cysmograph(self, value: object) -> dict[str, int]:
        """Y1.1, Y3.5: singles fill the places from the left, the stack is on a later one."""
        track = self.content.cysmograph.track
        zone = len(track)
        start = next((i for i, number in enumerate(track) if number == self.count), 0)
        d = self.table(value, "cysmograph", ("singles", "stack"))
        singles = (
            self.integer(d["singles"], "cysmograph.singles", start, zone, start) if "singles" in d else start
        )
        # On the Fracture Zone the stack only stays once every place is filled (Y3.4).
        low, high = singles, zone if singles == zone else zone - 1
        stack = self.integer(d["stack"], "cysmograph.stack", low, high, low) if "stack" in d else low
        return {"singles": singles, "stack": stack}

    def bag(self, value: object) -> list[str]:
        names = [token.name for token in self.content.tokens]
        left = Counter(names)
        found: Counter[str] = Counter()
        for i, item in enumerate(self.items(value, "bag")):
            name = self.word(item, f"bag[{i}]", list(dict.fromkeys(names)))
            if name is None:
                continue
            found[name] += 1
            if found[name] == left[name] + 1:
                self.bad(f"bag[{i}]", item, f"at most {left[name]} of it (Y2)")
        result = []
        for name in names:
            if found[name]:
                found[name] -= 1
                result.append(name)
        return result

    def piles(self, value: object, deck: str) -> dict[str, list[str]]:
        d = self.table(value, deck, ("draw", "discard"))
        draw = self.cards(d.get("draw", []), f"{deck}.draw", deck, events=True)
        discard = self.cards(d.get("discard", []), f"{deck}.discard", deck, events=True)
        return {"draw": draw, "discard": self.sorted_cards(discard, deck)}

    def check_round(self, c: dict[str, Any]) -> None:
        """Whose turn it is: no card lies in a Column whose turn is still to come (T1.3, T3), and so on."""
        first, current = c["first_player"], c["current_player"]
        column = (c["round"] - 1) % self.content.limits.columns
        for seat, p in enumerate(c["players"]):
            done = (seat - first) % self.count < (current - first) % self.count
            allowed = column + 1 if done else column
            for i, pair in enumerate(p["board"]):
                if i >= allowed and pair != [None, None] and not self.setup:
                    where = f"round {c['round']}, seat {current} to move, First Player {first}"
                    self.bad(
                        f"players[{seat}].board[{i}]", pair, f"empty: this Column's turn is to come ({where})"
                    )
        if self.setup:
            return
        launched = [seat for seat, p in enumerate(c["players"]) if p["launched"]]
        if len(launched) == self.count:
            self.bad("players", _Text("all Launched"), "at least one player left to play (L4.7)")
        elif c["players"][current]["launched"]:
            self.bad("current_player", current, "a player who has not Launched (L4.7)")
        if not launched:
            if c["round"] > self.cap:
                self.bad("round", c["round"], f"1 to {self.cap}, where this game is cut off (T1.9)")
            return
        trigger = self.options.end_trigger
        if trigger == "immediate":
            self.bad(
                f"players[{launched[0]}].launched", True, "false: the first Launch ends this game (L1.5)"
            )
        if trigger == "equality":
            # The round of the first Launch is the last one, so Launched players had their turn in it (L4.5).
            for seat in launched:
                if (seat - first) % self.count >= (current - first) % self.count and seat != current:
                    self.bad(
                        f"players[{seat}].launched",
                        True,
                        f"false for players after seat {current} in this round (L4.5)",
                    )

    def final_turns(self, d: Mapping[str, Any], c: dict[str, Any]) -> list[int]:
        """L4.4: from the current player clockwise everybody before the first Launched one has a turn left."""
        launched = [p["launched"] for p in c["players"]]
        expected: list[int] = []
        if self.options.end_trigger == "simultaneous" and any(launched) and not self.setup:
            seat = c["current_player"]
            while not launched[seat]:
                expected.append(seat)
                seat = (seat + 1) % self.count
        expected.sort()
        if "final_turns" not in d:
            return expected
        found = []
        for i, item in enumerate(self.items(d["final_turns"], "final_turns")):
            given = self.seat(item, f"final_turns[{i}]")
            if given is not None:
                found.append(given)
        if sorted(found) != expected:
            why = (
                "the seats from current_player up to the first Launched one"
                if expected
                else "nobody has Launched"
            )
            self.bad("final_turns", found, f"{expected} ({why}, L4.4)")
        return expected

    def chance(self, value: object) -> dict[str, Any]:
        d = self.table(value, "chance", ("seed", "index", "words"))
        most = 2**64 - 1
        seed = self.integer(d["seed"], "chance.seed", 0, most, 0) if "seed" in d else 0
        index = self.integer(d["index"], "chance.index", 0, most, 0) if "index" in d else 0
        words = [0, 0, 0]
        if "words" in d:
            given = self.items(d["words"], "chance.words", exact=3) or words
            words = [self.integer(n, f"chance.words[{i}]", 0, MAX_WORDS, 0) for i, n in enumerate(given)]
        return {"seed": seed, "index": index, "words": words}

    def check_setup(self, c: dict[str, Any]) -> None:
        """Just before the first Ship is placed (S4.14): nothing is on the planet yet."""
        first = c["first_player"]
        if c["round"] != 1:
            self.bad("round", c["round"], "1 in set-up")
        if c["current_player"] != first:
            self.bad("current_player", c["current_player"], f"{first}, the First Player, in set-up (S4.8)")
        for key in ("control", "combats", "relic_tokens"):
            if c[key]:
                self.bad(key, c[key], "[] in set-up")
        gone = [s for s, tile in enumerate(c["tiles"]) if tile == "none"]
        if gone:
            self.bad("tiles", _Text(f"no tile in spaces {shown(gone)}"), "all tiles in set-up")
        for seat, p in enumerate(c["players"]):
            for key, empty in (
                ("ship", None),
                ("units", []),
                ("captured", []),
                ("modules", []),
                ("slots", [None] * v.NUM_SLOTS),
                ("board", [[None, None]] * v.NUM_COLUMNS),
                ("launched", False),
            ):
                if p[key] != empty:
                    self.bad(f"players[{seat}].{key}", p[key], f"{empty} in set-up")
        free = self.ship_terrains(c["tiles"])
        if free < self.count:
            self.bad(
                "tiles",
                _Text(f"{free} terrains with a place for a Ship"),
                f"at least {self.count} (S4.8 to S4.10)",
            )

    def ship_terrains(self, tiles: list[str]) -> int:
        """Number of terrains in which a Ship can start (S4.9, S4.10, RUL-S1)."""
        count = 0
        for terrain in range(v.NUM_TERRAINS):
            rings = (
                {1: (0,), 2: (0, 1), 3: (0, 1, 2)}
                if self.content.rulings.ship_start == "rings_1_3"
                else {
                    3: (1,),
                    4: (1, 2),
                    5: (1, 2, 3),
                }
            )
            spaces = [space_at(terrain, r, k) for r, offsets in rings.items() for k in offsets]
            count += any(not self.impassable(s, tiles) for s in spaces)
        return count


class _Text(str):
    """Text of ours in a defect, shown as it is instead of by ``repr``."""


def _same(a: object, b: object) -> bool:
    """Equality of option values, a tuple being a list."""
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    try:
        return bool(a == b)
    except Exception:  # arrays and other things without a truth value
        return False
