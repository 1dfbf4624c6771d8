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


def assert_uniform(
    state: Any, viewer: int, worlds: Sequence[Hashable], seen: Callable[[Any], Hashable], draws: int
) -> None:
    """``draws`` worlds of a state are distributed evenly over exactly ``worlds`` (chi-square, level 1e-4)."""
    assert len(set(worlds)) == len(worlds) >= 2
    assert draws >= 8 * len(worlds), "too few for the test"
    found = Counter(seen(state.resample(viewer, seed)) for seed in range(draws))
    assert set(found) == set(worlds)
    assert chisquare([found[world] for world in worlds]).pvalue > 1e-4


__all__ = ["PILE", "assert_uniform", "deck_worlds", "small_deck", "world_of"]
