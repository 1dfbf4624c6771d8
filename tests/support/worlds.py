"""Worlds that agree with a view, counted by brute force, and how often a resampled state is in each."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache
from typing import Any

from abilities import everything
from scipy.stats import chisquare

from cysmic_fast.content.types import Content
from cysmic_fast.errors import PositionError
from cysmic_fast.reference import ReferenceState
from cysmic_fast.reference.chance import Stream
from cysmic_fast.reference.resample import draw_world
from cysmic_fast.vocabulary import ChanceFamily

PILE = "draw"


@cache
def small_deck(*designs: str) -> Content:
    """All the Relics and Factions, but of the Discovery Deck only these designs, with a copy each."""
    full = everything()
    cards = {card.id: card for card in full.discovery}
    return dataclasses.replace(
        full,
        hash=hashlib.sha256("/".join(designs).encode()).hexdigest(),
        discovery=tuple(dataclasses.replace(cards[name], count=1) for name in sorted(designs)),
    )


def world_of(state: Any, viewer: int) -> tuple[Any, ...]:
    """Discovery hands of the others, and the pile, top first."""
    doc = state.snapshot()
    hands = tuple(tuple(p["discovery"]) for seat, p in enumerate(doc["players"]) if seat != viewer)
    return (*hands, tuple(doc["discovery"]["draw"]))


def deck_worlds(
    view: dict[str, Any], cards: Sequence[str], events: Sequence[str] = ()
) -> Iterator[tuple[Any, ...]]:
    """Every world (see :func:`world_of`) of these hidden cards, all different, that agrees with a view."""
    me = view["viewer"]
    deck = view["discovery"]
    others = [seat for seat in range(len(view["players"])) if seat != me]
    sizes = {seat: view["players"][seat]["discovery"]["count"] for seat in others}
    places: dict[str, set[int | str]] = {name: set(where) for name, where in deck["placed"]}
    for seat in others:
        for name in view["players"][seat]["discovery"]["known"]:
            places[name] = {seat}
    for order in itertools.permutations(cards):
        world = []
        rest = list(order)
        fits = True
        for seat in others:
            hand, rest = rest[: sizes[seat]], rest[sizes[seat] :]
            fits = fits and hand == sorted(hand) and not set(hand) & set(events)
            fits = fits and all(seat in places.get(name, {seat}) for name in hand)
            fits = fits and len(set(hand) & set(deck["late"])) <= deck["fresh"][seat]
            world.append(tuple(hand))
        top, bottom = deck["draw"]["top"], deck["draw"]["bottom"]
        fits = fits and rest[: len(top)] == top and rest[len(rest) - len(bottom) :] == bottom
        known = set(top) | set(bottom)
        fits = fits and all(PILE in places.get(name, {PILE}) for name in rest if name not in known)
        if fits:
            yield (*world, tuple(rest))


def assert_sound(state: Any) -> None:
    """Data that the native engine keeps up to date agree with the state; knowledge is true."""
    if isinstance(state, ReferenceState):
        assert_true_knowledge(state)
    else:
        assert state.check_integrity() is None


def assert_true_knowledge(state: ReferenceState) -> None:
    """What a seat knows of a copy is true of one, each of another (I2)."""
    game = state.table
    for number, deck in enumerate(game.knows.decks):
        pile = game.relics if number else game.discovery
        hands = [p.relics if number else p.discovery for p in game.players]
        looking = game.knows.looking
        table = looking.hidden if looking is not None and looking.deck == number else []
        for seat, insight in enumerate(deck.seats):
            assert insight.top + insight.bottom <= 2 * len(pile.draw)
            spots: list[tuple[int, int | str]] = []
            spots += [(d, q) for q, hand in enumerate(hands) for d in hand if q != seat]
            spots += [(d, PILE) for d in pile.draw] + [(d, "table") for d in table]
            for design in {d for d, _ in insight.copies}:
                copies = [places for d, places in insight.copies if d == design]
                there = [place for d, place in spots if d == design]
                assert any(
                    all(place in places for place, places in zip(order, copies, strict=True))
                    for order in itertools.permutations(there, len(copies))
                )
        assert all(n <= len(hand) for n, hand in zip(deck.fresh, hands, strict=True))


def sampled(state: Any, viewer: int, seeds: Sequence[int]) -> list[Any]:
    """Worlds for a seat; none where the reference engine cannot resample."""
    try:
        return [state.resample(viewer, seed) for seed in seeds]
    except PositionError:
        assert isinstance(state, ReferenceState)
        return []


class Dealt:
    """Cards dealt anew in the middle of a turn of the reference engine, to look at."""

    def __init__(self, state: ReferenceState, viewer: int, stream: Stream) -> None:
        self.table = draw_world(state.table, viewer, stream, ())

    def snapshot(self) -> dict[str, Any]:
        """As much of a snapshot as these tests look at."""
        names = [card.id for card in self.table.content.discovery]
        return {
            "discovery": {"draw": [names[d] for d in reversed(self.table.discovery.draw)]},
            "players": [
                {
                    "discovery": [names[d] for d in sorted(p.discovery)],
                    "board": [
                        [None if c is None else c.name.lower() for c in cs]
                        for cs in zip(p.burned, p.played, strict=True)
                    ],
                }
                for p in self.table.players
            ],
        }


def _dealt(state: Any, viewer: int, draws: int) -> Iterator[Any]:
    if isinstance(state, ReferenceState):
        stream = Stream(1, 0, ChanceFamily.RESAMPLE)
        yield from (Dealt(state, viewer, stream) for _ in range(draws))
    else:
        yield from (state.resample(viewer, seed) for seed in range(draws))


def assert_uniform(
    state: Any, viewer: int, worlds: Sequence[Hashable], seen: Callable[[Any], Hashable], draws: int
) -> None:
    """``draws`` worlds of a state are distributed evenly over exactly ``worlds`` (chi-square, level 1e-4).

    The reference engine is slow: fewer draws; where there are many worlds, each drawn is one of them.
    """
    if isinstance(state, ReferenceState) and len(worlds) > 200:
        assert {seen(world) for world in _dealt(state, viewer, 300)} <= set(worlds)
        return
    if isinstance(state, ReferenceState):
        draws = 12 * len(worlds)
    assert len(set(worlds)) == len(worlds) >= 2
    assert draws >= 8 * len(worlds), "too few for the test"
    found = Counter(seen(world) for world in _dealt(state, viewer, draws))
    assert set(found) == set(worlds)
    assert chisquare([found[world] for world in worlds]).pvalue > 1e-4


__all__ = ["PILE", "assert_sound", "assert_uniform", "deck_worlds", "sampled", "small_deck", "world_of"]
