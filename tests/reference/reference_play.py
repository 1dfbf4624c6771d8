"""Ways to drive the reference engine far: an eager policy, and positions where much is going on."""

from __future__ import annotations

import random
from typing import Any

from cysmic_fast.content.loader import load_content
from cysmic_fast.game import make_game as build
from cysmic_fast.options import make_options
from cysmic_fast.reference import ReferenceState
from cysmic_fast.vocabulary import DONE, NO, Feature

CONTENT = load_content()
COMMANDS = [
    "recruit", "upgrade", "battle", "negotiate", "soldiers",
    "miners", "speakers", "powermechs", "harvesters", "colony_ship",
]  # fmt: skip


def make_game(**options: Any) -> Any:
    """A game of the standard pack on the reference engine."""
    return build(make_options(**options), CONTENT, "reference")


def eager(state: ReferenceState, rng: random.Random) -> int:
    """A random action that rarely declines."""
    legal = state.legal_actions()
    if rng.random() < 0.85:
        legal = [a for a in legal if a not in (DONE, NO)] or legal
    return rng.choice(legal)


def lively(game: Any, rng: random.Random) -> dict[str, Any]:
    """A position document in the middle of a game: Units everywhere, Combats, prisoners, Modules, cards."""
    content, players = game.content, game.num_players
    state = game.new_initial_state(rng.getrandbits(32))
    tiles = state.snapshot()["tiles"]
    ruin = rng.random() * rng.random()
    tiles = ["none" if rng.random() < ruin else t for t in tiles]
    abyss = content.planet.abyss
    open_ = [
        s
        for s in range(127)
        if tiles[s] not in ("lake", "mountain") and not (tiles[s] == "none" and s in abyss)
    ]
    rng.shuffle(open_)
    ships = [open_.pop() for _ in range(players)]
    for s in ships:
        if tiles[s] != "none":
            tiles[s] = "plain"
    supply = [spec.supply for spec in content.units[:5]]
    left = [[n - gone for n, gone in zip(supply, echo, strict=True)] for echo in game.options.echoes]
    units: list[dict[int, list[int]]] = [{} for _ in range(players)]
    combats = []
    near = [open_[rng.randrange(len(open_))] for _ in range(12)]
    for s in dict.fromkeys(near + open_[: rng.randrange(40)]):
        sides = rng.sample(range(players), 2 if rng.random() < 0.4 else 1)
        placed = [seat for seat in sides if _crew(units[seat], left[seat], s, rng)]
        if len(placed) == 2:
            combats.append([s, rng.choice(placed)])
    habitats = [s for s in range(127) if content.habitat_values.get(Feature[tiles[s].upper()])]
    control, flags = [], [0] * players
    for s in sorted(habitats):
        seat = rng.randrange(players)
        if rng.random() < 0.5 and flags[seat] < 7:
            flags[seat] += 1
            control.append([s, seat])
    modules = [m.id for m in content.modules]
    deck = [content.relics[n].id for n in content.relic_deck(game.options.molten_core)]
    cards = [content.discovery[n].id for n in content.discovery_deck(game.options.molten_core, False)]
    rng.shuffle(deck)
    rng.shuffle(cards)
    round_ = rng.randrange(1, 12)
    docs = []
    for seat in range(players):
        captured = []
        for owner in range(players):
            held = [rng.randrange(0, min(n, 2) + 1) if rng.random() < 0.4 else 0 for n in left[owner]]
            if owner != seat and any(held):
                left[owner] = [a - b for a, b in zip(left[owner], held, strict=True)]
                captured.append([owner, held])
        acquired = [m for m in modules if rng.random() < 0.8]
        built = [m for m in acquired if rng.random() < 0.75]
        if rng.random() < 0.25:
            acquired = built = modules
        slots: list[Any] = [
            rng.choice([None, {"relic": deck.pop()}, {"lorium": rng.randint(1, 3)}]) for _ in "ab"
        ]
        hand = COMMANDS[:]
        rng.shuffle(hand)
        board = [[hand.pop(), hand.pop()] for _ in range((round_ - 1) % 5)]
        doc = {
            "ship": ships[seat],
            "units": sorted([s, counts] for s, counts in units[seat].items()),
            "captured": captured,
            "lorium": rng.randrange(0, 12),
            "slots": slots,
            "blueprints": acquired,
            "modules": built,
            "board": board,
            "discovery": [cards.pop() for _ in range(rng.randrange(5))],
            "relics": [deck.pop() for _ in range(rng.randrange(3))],
        }
        if game.options.factions:
            doc["faction"] = content.factions[content.eligible_factions(players)[seat]].id
        docs.append(doc)
    first = rng.randrange(players)
    singles = rng.randrange(6 - players, 8)
    landscape = [t.name for t in content.tokens if rng.random() < 0.7]
    devastated = [s for s in range(127) if tiles[s] == "none" and s not in abyss and s not in ships]
    return {
        "version": 1,
        "round": round_,
        "first_player": first,
        "current_player": first,
        "marker": rng.randrange(players),
        "tiles": tiles,
        "relic_tokens": sorted(s for s in devastated[:30] if rng.random() < 0.6),
        "control": control,
        "combats": sorted(combats),
        "cysmograph": {"singles": singles, "stack": 7 if singles == 7 else rng.randrange(singles, 7)},
        "bag": landscape,
        "players": docs,
    }


def _crew(units: dict[int, list[int]], left: list[int], space: int, rng: random.Random) -> bool:
    """Put 1 to 3 Units into a space, at most one Vehicle; False if the stock is empty."""
    counts = [0] * 5
    for _ in range(rng.randint(1, 3)):
        able = [t for t in range(5) if left[t] and (t < 3 or not counts[3] + counts[4])]
        if able:
            kind = rng.choice(able)
            counts[kind] += 1
            left[kind] -= 1
    if any(counts):
        units[space] = counts
    return any(counts)
