"""The canonical position document (docs/protocol.md, section 16): loading and emitting."""

from __future__ import annotations

from collections import Counter
from typing import Any

from cysmic_fast.content.effect_words import Duration
from cysmic_fast.content.written import read_modifiers, written_modifier
from cysmic_fast.position_cards import grant_order
from cysmic_fast.reference.chance import Chance
from cysmic_fast.reference.decision import Decision
from cysmic_fast.reference.goods import DISCOVERY, RELIC, shuffle_pile
from cysmic_fast.reference.model import (
    TROOPS,
    Cysmograph,
    Deck,
    Game,
    Grant,
    Phase,
    Slot,
    Unit,
    Where,
    count_types,
)
from cysmic_fast.reference.setup import remove_missing
from cysmic_fast.reference.units import begin_combat
from cysmic_fast.vocabulary import POSITION_VERSION, CommandCard, DecisionKind, Feature, UnitType

__all__ = ["emit", "is_loadable", "load", "phase_name"]

#: What may be asked before anything of a turn has happened.
FIRST_ASKED = (
    DecisionKind.REACT,
    DecisionKind.RULE,
    DecisionKind.RELIC_WINDOW,
    DecisionKind.RECLAIM,
    DecisionKind.BURN,
)
#: Types in the order of the five counts.
COUNTED = tuple(t for t in UnitType if t != UnitType.SHIP)


# ---------------------------------------------------------------------- loading
def load(doc: dict[str, Any], game: Game) -> None:
    """Fill a new game from a canonical document; cards it does not list are shuffled beneath."""
    chance = doc.get("chance")
    if chance is not None:
        script = game.chance.script
        game.chance = Chance(chance["seed"], chance["index"], chance["words"])
        game.chance.script = script
    game.phase = Phase.SHIPS if doc["phase"] == "setup" else Phase.TURN
    game.round = doc["round"]
    game.first_player = doc["first_player"]
    game.stats.first_player = game.first_player
    game.marker = doc["marker"]
    game.active = doc["current_player"]
    game.final_turns = list(doc["final_turns"])
    for space, name in zip(game.spaces, doc["tiles"], strict=True):
        space.feature = Feature[name.upper()]
    for number in doc["relic_tokens"]:
        game.spaces[number].token = True
    for number, seat in doc["control"]:
        game.spaces[number].control = seat
    track = doc["cysmograph"]
    game.cysmograph = Cysmograph(game.cysmograph.zone, track["singles"], track["stack"])
    _load_bag(doc["bag"], game)
    remove_missing(game, tuple(tuple(p["missing"]) for p in doc["players"]))
    for seat, player in enumerate(doc["players"]):
        _load_player(player, game, seat)
    for number, seat in doc["combats"]:
        (defender,) = game.spaces[number].sides - {seat}
        begin_combat(game, game.spaces[number], seat, defender)
    if game.options.abilities:
        game.grants = [_load_grant(g, game) for g in doc["grants"]]
    _load_deck(doc, game, DISCOVERY)
    _load_deck(doc, game, RELIC)


def _load_bag(names: list[str], game: Game) -> None:
    """Token numbers in the bag; of like tokens the first ones."""
    left = Counter(names)
    game.bag = []
    for number, token in enumerate(game.content.tokens):
        if left[token.name]:
            left[token.name] -= 1
            game.bag.append(number)


def _take(game: Game, seat: int, kind: UnitType) -> Unit:
    return game.reserve(seat, kind)[0]


def _set_down(game: Game, unit: Unit, space: int) -> None:
    unit.where, unit.place = Where.PLANET, space
    game.spaces[space].units.append(unit)


def _load_player(doc: dict[str, Any], game: Game, seat: int) -> None:
    player, content = game.players[seat], game.content
    modules = {m.id: i for i, m in enumerate(content.modules)}
    relics = {r.id: i for i, r in enumerate(content.relics)}
    discovery = {d.id: i for i, d in enumerate(content.discovery)}
    factions = {f.id: i for i, f in enumerate(content.factions)}
    player.faction = None if doc["faction"] is None else factions[doc["faction"]]
    ship = _take(game, seat, UnitType.SHIP)
    if doc["ship"] is not None:
        _set_down(game, ship, doc["ship"])
    elif doc["launched"]:
        ship.where = Where.GONE
    for space, counts in doc["units"]:
        for kind, count in zip(COUNTED, counts, strict=True):
            for _ in range(count):
                _set_down(game, _take(game, seat, kind), space)
    for owner, counts in doc["captured"]:
        for kind, count in zip(COUNTED, counts, strict=True):
            for _ in range(count):
                unit = _take(game, owner, kind)
                unit.where, unit.place = Where.CAPTIVE, seat
    player.lorium = doc["lorium"]
    player.slots = [_load_slot(s, relics) for s in doc["slots"]]
    player.acquired = {modules[m] for m in doc["blueprints"]}
    player.modules = {modules[m] for m in doc["modules"]}
    player.hand = {CommandCard[c.upper()] for c in doc["hand"]}
    player.burned = [None if b is None else CommandCard[b.upper()] for b, _ in doc["board"]]
    player.played = [None if p is None else CommandCard[p.upper()] for _, p in doc["board"]]
    player.discovery = [discovery[d] for d in doc["discovery"]]
    player.relics = [relics[r] for r in doc["relics"]]
    player.launched = doc["launched"]
    if game.options.abilities:
        _load_abilities(doc, game, seat)


def _load_abilities(doc: dict[str, Any], game: Game, seat: int) -> None:
    """What effects of cards have left behind."""
    player = game.players[seat]
    player.tokens = doc["tokens"]
    player.once = {(kind, number) for kind, number in doc["once"]}
    for space, counts in doc["confused"]:
        for troop, count in zip(TROOPS, counts, strict=True):
            for unit in [u for u in game.spaces[space].of(seat) if u.type == troop][:count]:
                unit.confused = True


def _load_grant(doc: dict[str, Any], game: Game) -> Grant:
    mods = read_modifiers(doc["mods"], _no_defect, game.content.planet.terrains)
    return Grant(doc["player"], doc["by"], mods, Duration[doc["for"].upper()])


def _no_defect(path: str, found: str, allowed: str) -> None:
    raise AssertionError(f"not canonical: {path}: found {found}; allowed: {allowed}")


def _load_slot(doc: dict[str, Any] | None, relics: dict[str, int]) -> Slot:
    if doc is None:
        return Slot()
    return Slot(relic=relics[doc["relic"]]) if "relic" in doc else Slot(lorium=doc["lorium"])


def _load_deck(doc: dict[str, Any], game: Game, deck: int) -> None:
    """Listed cards on top, the discard pile, and all others that are nowhere else shuffled beneath."""
    options, content = game.options, game.content
    everything: tuple[int, ...]
    if deck == DISCOVERY:
        key, ids = "discovery", {d.id: i for i, d in enumerate(content.discovery)}
        everything = content.discovery_deck(options.molten_core, options.events)
        held = [card for p in game.players for card in p.discovery]
    else:
        key, ids = "relics", {r.id: i for i, r in enumerate(content.relics)}
        everything = content.relic_deck(options.molten_core)
        held = [card for p in game.players for card in p.relics]
        held += [s.relic for p in game.players for s in p.slots if s.relic is not None]
    listed = [ids[name] for name in doc[key]["draw"]]
    thrown = [ids[name] for name in doc[key]["discard"]]
    rest = list((Counter(everything) - Counter(listed) - Counter(thrown) - Counter(held)).elements())
    beneath = shuffle_pile(game, deck, rest) if rest else []
    pile = Deck(beneath + listed[::-1], thrown)
    if deck == DISCOVERY:
        game.discovery = pile
    else:
        game.relics = pile


# ---------------------------------------------------------------------- emitting
def is_loadable(game: Game, decision: Decision | None) -> bool:
    """Nothing of this turn, or of the placing of Ships, has happened before the decision at hand."""
    if game.over or decision is None or not game.fresh:
        return False
    if game.phase == Phase.SHIPS:
        return decision.kind == DecisionKind.PLACE_SHIP
    return decision.kind in FIRST_ASKED


def phase_name(game: Game, decision: Decision | None) -> str:
    """Phase of the document of a game that waits for a decision."""
    if game.over:
        return "over"
    name = "turn" if game.phase == Phase.TURN else "setup"
    return name if is_loadable(game, decision) else f"mid_{name}"


def emit(game: Game, phase: str) -> dict[str, Any]:
    """The document of the game as it stands."""
    content = game.content
    doc = {
        "version": POSITION_VERSION,
        "mode": "competitive",
        "phase": phase,
        "options": game.options.to_dict(),
        "content_hash": content.hash,
        "round": game.round,
        "first_player": game.first_player,
        "marker": game.marker,
        "current_player": game.active,
        "tiles": [s.feature.name.lower() for s in game.spaces],
        "relic_tokens": [s.number for s in game.spaces if s.token],
        "control": [[s.number, s.control] for s in game.spaces if s.control is not None],
        "combats": [[s.number, s.attacker] for s in game.spaces if s.attacker is not None],
        "cysmograph": {"singles": game.cysmograph.singles, "stack": game.cysmograph.stack},
        "bag": [content.tokens[t].name for t in game.bag],
        "discovery": {
            "draw": [content.discovery[d].id for d in reversed(game.discovery.draw)],
            "discard": [content.discovery[d].id for d in sorted(game.discovery.discard)],
        },
        "relics": {
            "draw": [content.relics[r].id for r in reversed(game.relics.draw)],
            "discard": [content.relics[r].id for r in sorted(game.relics.discard)],
        },
        "players": [_emit_player(game, seat) for seat in game.seats],
    }
    if game.options.abilities:
        doc["grants"] = sorted((_emit_grant(game, g) for g in game.grants), key=grant_order)
    doc["final_turns"] = sorted(game.final_turns)
    doc["chance"] = {"seed": game.chance.seed, "index": game.chance.index, "words": game.chance.words()}
    return doc


def _counts(units: list[Unit]) -> list[int]:
    by_type = count_types(units)
    return [by_type[t] for t in COUNTED]


def _emit_player(game: Game, seat: int) -> dict[str, Any]:
    player, content = game.players[seat], game.content
    ship = game.ship(seat)
    captives = game.captives(seat)
    gone = [u for u in game.army(seat) if u.where == Where.GONE]
    faction = player.faction
    doc = {
        "colour": player.colour.name.lower(),
        "faction": None if faction is None else content.factions[faction].id,
        "ship": None if ship is None else ship.place,
        "units": [[s.number, _counts(s.of(seat))] for s in game.spaces if s.of(seat)],
        "missing": _counts(gone),
        "captured": [
            [owner, _counts([u for u in captives if u.owner == owner])]
            for owner in sorted({u.owner for u in captives})
        ],
        "lorium": player.lorium,
        "slots": [_emit_slot(game, s) for s in player.slots],
        "blueprints": [m.id for i, m in enumerate(content.modules) if i in player.acquired],
        "modules": [m.id for i, m in enumerate(content.modules) if i in player.modules],
        "hand": [c.name.lower() for c in sorted(player.hand)],
        "board": [
            [None if b is None else b.name.lower(), None if p is None else p.name.lower()]
            for b, p in zip(player.burned, player.played, strict=True)
        ],
        "discovery": [content.discovery[d].id for d in sorted(player.discovery)],
        "relics": [content.relics[r].id for r in sorted(player.relics)],
        "launched": player.launched,
    }
    return doc | _emit_abilities(game, seat) if game.options.abilities else doc


def _emit_abilities(game: Game, seat: int) -> dict[str, Any]:
    """What effects of cards have left behind."""
    player = game.players[seat]
    return {
        "confused": [[s.number, _confused(s.of(seat))] for s in game.spaces if any(_confused(s.of(seat)))],
        "tokens": player.tokens,
        "once": [list(flag) for flag in sorted(player.once)],
    }


def _confused(units: list[Unit]) -> list[int]:
    by_type = count_types([u for u in units if u.confused])
    return [by_type[t] for t in TROOPS]


def _emit_grant(game: Game, grant: Grant) -> dict[str, Any]:
    return {
        "player": grant.player,
        "by": grant.by,
        "mods": [written_modifier(m, game.content.planet.terrains) for m in grant.mods],
        "for": grant.duration.name.lower(),
    }


def _emit_slot(game: Game, slot: Slot) -> dict[str, Any] | None:
    if slot.relic is not None:
        return {"relic": game.content.relics[slot.relic].id}
    return {"lorium": slot.lorium} if slot.lorium else None
