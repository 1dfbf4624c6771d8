"""Other worlds for a seat, at the start of a turn (docs/information.md, section 4).

How many ways there are to deal the hidden cards is counted exactly, place by place, and one of them drawn: no
trial fails, however much is known. Cards in the same place are alike for every rule, so that they are
dealt to places first and then, in random order, to the positions there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import comb, perm
from typing import Final, TypeVar

from cysmic_fast.reference.chance import Stream
from cysmic_fast.reference.knowledge import DECKS, DRAW, Insight, Place, hand_of, pile_of
from cysmic_fast.reference.model import Game

__all__ = ["TRIALS", "draw_world"]

TRIALS: Final = 10_000

T = TypeVar("T")


def draw_world(game: Game, viewer: int, stream: Stream, fixed: Collection[int]) -> Game:
    """A twin of a game in which what ``viewer`` does not know is drawn anew.

    The cards of the seats ``fixed`` stay where they are.
    """
    twin = game.copy()
    still = {viewer, *fixed}
    for deck in DECKS:
        _deal(twin, viewer, deck, stream, still)
    for seat in twin.seats:
        if seat not in still:
            _burn(twin, seat, stream)
    return twin


# ---------------------------------------------------------------------- drawing
def _below(stream: Stream, bound: int) -> int:
    """A uniform integer in [0, bound), of any size."""
    bits = (bound - 1).bit_length()
    while True:
        value = 0
        for _ in range(0, bits, 64):
            value = value << 64 | stream.word()
        value >>= -bits % 64
        if value < bound:
            return value


def _weighted(stream: Stream, weights: Sequence[int]) -> int:
    """A place in ``weights``, as likely as its weight says."""
    left = _below(stream, sum(weights))
    for place, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return place
    raise AssertionError


def _shuffle(stream: Stream, items: list[T]) -> None:
    for i in range(len(items) - 1, 0, -1):
        j = stream.bounded(i + 1)
        items[i], items[j] = items[j], items[i]


# ---------------------------------------------------------------------- Command Cards
def _burn(game: Game, seat: int, stream: Stream) -> None:
    """Any of the cards that a seat holds or has Burned lie Burned, but none that is excluded (I22)."""
    player = game.players[seat]
    columns = [column for column, card in enumerate(player.burned) if card is not None]
    excluded = game.knows.excluded[seat]
    cards = sorted({*player.hand, *(card for card in player.burned if card is not None)})
    while True:  # what lies there now is one of the ways
        _shuffle(stream, cards)
        if all(card not in excluded[column] for column, card in zip(columns, cards, strict=False)):
            break
    for column, card in zip(columns, cards, strict=False):
        player.burned[column] = card
    player.hand = set(cards[len(columns) :])


# ---------------------------------------------------------------------- decks
@dataclass(slots=True)
class _Hidden:
    """The hidden cards of a deck, and where they may be."""

    room: dict[Place, int]  #: free positions of every place
    fresh: dict[Place, int]  #: how many late cards each hand can have
    placed: list[tuple[int, frozenset[Place], bool]] = field(default_factory=list)  #: design, places, late
    events: list[int] = field(default_factory=list)  #: in the pile alone (J06)
    late: list[int] = field(default_factory=list)  #: nothing else is known of these
    others: list[int] = field(default_factory=list)


def _deal(game: Game, viewer: int, deck: int, stream: Stream, still: Collection[int]) -> None:
    """Deal the hidden cards of a deck anew (I20, I21)."""
    insight = game.knows.decks[deck].seats[viewer]
    draw = pile_of(game, deck).draw
    hands = [seat for seat in game.seats if seat not in still]
    low, high = insight.bottom, max(insight.bottom, len(draw) - insight.top)
    before: dict[Place, list[int]] = {seat: sorted(hand_of(game, deck, seat)) for seat in hands}
    before[DRAW] = draw[low:high]
    after = _choose(_sort(game, viewer, deck, before), stream)
    if after is None:  # (J14)
        return
    moved = _pair(insight, before, after)
    for seat in still:
        moved += [(seat, -1, design, design) for design in hand_of(game, deck, seat)]
    for seat in hands:
        hand_of(game, deck, seat)[:] = sorted(after[seat])
    draw[low:high] = after[DRAW]
    for seat, other in enumerate(game.knows.decks[deck].seats):
        if seat != viewer:
            _think_anew(other, seat, moved, low, len(draw))


def _sort(game: Game, viewer: int, deck: int, before: dict[Place, list[int]]) -> _Hidden:
    """What is known of each card that is to be dealt."""
    known = game.knows.decks[deck]
    seen = Counter(hand_of(game, deck, viewer))
    seen.update(d for cards in _still(game, deck, viewer, before) for d in cards)
    late = known.late - seen  # the cards seen are late ones first (J03)
    hidden = _Hidden(
        {place: len(cards) for place, cards in before.items()},
        {place: known.fresh[place] for place in before if isinstance(place, int)},
    )
    loose = Counter(d for cards in before.values() for d in cards)
    entries = []
    for design, places in known.seats[viewer].copies:
        where = places & before.keys()
        if where and loose[design]:
            loose[design] -= 1
            entries.append((design, frozenset(where)))
    is_event = [card.event for card in game.content.discovery] if not deck else []
    for design, number in sorted(loose.items()):
        first = min(number, late[design])  # of like copies those of which nothing else is known (J16)
        late[design] -= first
        if is_event and is_event[design]:
            hidden.events += [design] * number
        else:
            hidden.late += [design] * first
            hidden.others += [design] * (number - first)
    for design, places in sorted(entries, key=lambda e: (DRAW not in e[1], -len(e[1]))):
        hidden.placed.append((design, places, late[design] > 0))
        late[design] -= late[design] > 0
    hidden.placed.sort(key=lambda e: (len(e[1]), e[0], e[2]))
    return hidden


def _still(game: Game, deck: int, viewer: int, before: dict[Place, list[int]]) -> list[list[int]]:
    """Cards that stay: the ends of the pile, hands that are not dealt anew."""
    draw = pile_of(game, deck).draw
    ends = Counter(draw) - Counter(before[DRAW])
    hands = [hand_of(game, deck, seat) for seat in game.seats if seat != viewer and seat not in before]
    return [list(ends.elements()), *hands]


def _choose(hidden: _Hidden, stream: Stream) -> dict[Place, list[int]] | None:
    """Cards by place, uniformly among all ways; None if there is none."""
    places = list(hidden.room)
    hands = [i for i, place in enumerate(places) if place != DRAW]
    pile = places.index(DRAW)

    def late_ways(room: tuple[int, ...], fresh: tuple[int, ...], at: int = 0) -> list[int]:
        """By number: ways to choose the positions of late cards in the hands from the ``at``-th on."""
        ways = [1]
        for i in hands[at:]:
            most = min(room[i], fresh[i])
            ways = [
                sum(ways[n - k] * comb(room[i], k) for k in range(min(n, most) + 1) if n - k < len(ways))
                for n in range(len(ways) + most)
            ]
        return ways

    def rest_ways(room: tuple[int, ...], fresh: tuple[int, ...]) -> int:
        """Ways to lay Events, then late cards; the order of late cards and of others is the same factor."""
        free = room[pile] - len(hidden.events)
        if free < 0:
            return 0
        number = len(hidden.late)
        late = sum(n * comb(free, number - k) for k, n in enumerate(late_ways(room, fresh)) if k <= number)
        return perm(room[pile], len(hidden.events)) * late

    def options(at: int, room: tuple[int, ...], fresh: tuple[int, ...]) -> list[int]:
        """Ways by place of the ``at``-th placed card."""
        _, where, late = hidden.placed[at]
        found = []
        for i, place in enumerate(places):
            able = place in where and room[i] > 0 and (i == pile or not late or fresh[i] > 0)
            found.append(room[i] * count(at + 1, *_taken(room, fresh, i, late)) if able else 0)
        return found

    @cache
    def count(at: int, room: tuple[int, ...], fresh: tuple[int, ...]) -> int:
        return rest_ways(room, fresh) if at == len(hidden.placed) else sum(options(at, room, fresh))

    room = tuple(hidden.room[place] for place in places)
    fresh = tuple(hidden.fresh.get(place, 0) for place in places)
    if not count(0, room, fresh):
        return None
    dealt: dict[Place, list[int]] = {place: [] for place in places}
    for at, (design, _, late) in enumerate(hidden.placed):
        i = _weighted(stream, options(at, room, fresh))
        dealt[places[i]].append(design)
        room, fresh = _taken(room, fresh, i, late)
    dealt[DRAW] += hidden.events
    late_cards, others = list(hidden.late), list(hidden.others)
    _shuffle(stream, late_cards)
    _shuffle(stream, others)
    free = room[pile] - len(hidden.events)
    for at, i in enumerate(hands):
        rest = late_ways(room, fresh, at + 1)
        weights = [
            comb(room[i], k)
            * sum(
                n * comb(free, len(late_cards) - k - j)
                for j, n in enumerate(rest)
                if k + j <= len(late_cards)
            )
            for k in range(min(room[i], fresh[i], len(late_cards)) + 1)
        ]
        k = _weighted(stream, weights)
        dealt[places[i]] += [late_cards.pop() for _ in range(k)]
        dealt[places[i]] += [others.pop() for _ in range(room[i] - k)]
    dealt[DRAW] += late_cards + others
    _shuffle(stream, dealt[DRAW])
    return dealt


def _taken(
    room: tuple[int, ...], fresh: tuple[int, ...], i: int, late: bool
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The room and the late cards left after a card has gone to the ``i``-th place."""
    less = tuple(n - (i == j) for j, n in enumerate(room))
    return less, tuple(max(0, n - (late and i == j)) for j, n in enumerate(fresh))


# ---------------------------------------------------------------------- what the others know (J13)
def _pair(
    insight: Insight, before: dict[Place, list[int]], after: dict[Place, list[int]]
) -> list[tuple[Place, int, int, int]]:
    """(place, position, design before, design after); a card known to be in a hand stands for itself."""
    pairs: list[tuple[Place, int, int, int]] = []
    for place, cards in before.items():
        if place == DRAW:
            pairs += [(place, i, a, b) for i, (a, b) in enumerate(zip(cards, after[place], strict=True))]
            continue
        known = Counter(design for design, places in insight.copies if places == {place})
        same = list((Counter(cards) & known).elements())
        rest = [sorted((Counter(side) - Counter(same)).elements()) for side in (cards, after[place])]
        pairs += [(place, -1, design, design) for design in same]
        pairs += [(place, -1, a, b) for a, b in zip(*rest, strict=True)]
    return pairs


def _think_anew(
    insight: Insight,
    seat: int,
    moved: list[tuple[Place, int, int, int]],
    low: int,
    size: int,
) -> None:
    """What a seat knew of a card it knows of the one that lies there now."""

    def able(design: int, places: frozenset[Place], pair: tuple[Place, int, int, int]) -> bool:
        place, position, old, _ = pair
        by_position = place == DRAW and not insight.bottom <= low + position < size - insight.top
        return old == design and place in places and place != seat and not by_position

    chosen: dict[int, int] = {}  # number of a pair: number of the copy it stands for

    def find(copy: int, tried: set[int]) -> bool:
        design, places = insight.copies[copy]
        for number, pair in enumerate(moved):
            if number not in tried and able(design, places, pair):
                tried.add(number)
                if number not in chosen or find(chosen[number], tried):
                    chosen[number] = copy
                    return True
        return False

    for copy in range(len(insight.copies)):
        find(copy, set())
    for number, copy in chosen.items():
        insight.copies[copy] = (moved[number][3], insight.copies[copy][1])
