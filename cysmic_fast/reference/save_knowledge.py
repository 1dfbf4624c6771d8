"""What the seats know of hidden cards, in a save: to a document and back (docs/saves.md)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from cysmic_fast.errors import SaveError
from cysmic_fast.reference.knowledge import DECKS, DRAW, DeckKnowledge, Insight, Knowledge, hand_of, pile_of
from cysmic_fast.vocabulary import CommandCard

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cysmic_fast.reference.knowledge import Place
    from cysmic_fast.reference.model import Game

__all__ = ["DeckPart", "KnowledgePart", "read", "write"]


class InsightPart(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """What one seat knows of one deck. Copies: design, then places, seats before the pile."""

    copies: list[tuple[int, list[int | str]]]
    top: int
    bottom: int


class DeckPart(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """One deck. ``late``: design, number; ascending."""

    seats: list[InsightPart]
    fresh: list[int]
    late: list[tuple[int, int]]
    rebuilt: bool


class KnowledgePart(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """All of it. ``excluded``: Command Cards by seat and column, ascending."""

    decks: list[DeckPart]
    excluded: list[list[list[int]]]


def _order(place: Place) -> tuple[bool, int]:
    return isinstance(place, str), place if isinstance(place, int) else 0


def _part(knows: Knowledge) -> KnowledgePart:
    return KnowledgePart(
        [
            DeckPart(
                [
                    InsightPart([(d, sorted(where, key=_order)) for d, where in i.copies], i.top, i.bottom)
                    for i in deck.seats
                ],
                list(deck.fresh),
                sorted((design, number) for design, number in deck.late.items() if number),
                deck.rebuilt,
            )
            for deck in knows.decks
        ],
        [[sorted(map(int, cards)) for cards in columns] for columns in knows.excluded],
    )


def write(game: Game) -> KnowledgePart | None:
    """What is known between two turns; None if nobody knows anything."""
    part = _part(game.knows)
    blank = _part(Knowledge(len(game.players), len(game.knows.excluded[0])))
    return None if part == blank else part


def read(game: Game, part: KnowledgePart) -> None:
    """Let the seats of a game between two turns know it; SaveError for what cannot be or is untrue."""
    knows = Knowledge(len(game.players), len(game.knows.excluded[0]))
    if len(part.decks) != len(DECKS) or len(part.excluded) != len(game.players):
        raise SaveError("the save is damaged: knowledge of other decks or seats")
    knows.decks = tuple(_deck(game, deck, part.decks[deck]) for deck in DECKS)
    for seat, columns in enumerate(part.excluded):
        burned = game.players[seat].burned
        if len(columns) != len(burned):
            raise SaveError("the save is damaged: knowledge of other columns")
        for column, cards in enumerate(columns):
            allowed = set() if burned[column] is None else set(CommandCard) - {burned[column]}
            if not allowed.issuperset(cards):
                raise SaveError("the save is damaged: knowledge of a Burned card")
            knows.excluded[seat][column] = {CommandCard(card) for card in cards}
    knows.dealt = game.knows.dealt
    game.knows = knows


def _deck(game: Game, deck: int, part: DeckPart) -> DeckKnowledge:
    draw = pile_of(game, deck).draw
    hands = [hand_of(game, deck, seat) for seat in game.seats]
    places: dict[Place, Counter[int]] = {DRAW: Counter(draw)}
    places.update({seat: Counter(hand) for seat, hand in enumerate(hands)})
    hidden = sum(places.values(), Counter[int]())
    if len(part.seats) != len(hands) or len(part.fresh) != len(hands):
        raise SaveError("the save is damaged: knowledge of other seats")
    if not all(0 <= fresh <= len(hand) for fresh, hand in zip(part.fresh, hands, strict=True)):
        raise SaveError("the save is damaged: late cards in a hand")
    late = Counter(dict(part.late))
    if len(late) != len(part.late) or not all(0 < n <= hidden[design] for design, n in late.items()):
        raise SaveError("the save is damaged: late cards that are open")
    if not part.rebuilt and (late or any(part.fresh)):
        raise SaveError("the save is damaged: late cards of a pile that has never been rebuilt")
    if not _late_ones_fit(late, places, part.fresh):
        raise SaveError("the save is damaged: more late cards in hands than there can be")
    insights = []
    for seat, seen in enumerate(part.seats):
        if not (0 <= seen.top <= len(draw) and 0 <= seen.bottom <= len(draw)):
            raise SaveError("the save is damaged: knowledge of a pile")
        copies = [(design, frozenset(where)) for design, where in seen.copies]
        if not all(where <= places.keys() for _, where in copies):
            raise SaveError("the save is damaged: knowledge of a card")
        # the top lies last; of a card known by its position, or held, no places are known (I2, I3)
        unseen = Counter(draw[seen.bottom : max(seen.bottom, len(draw) - seen.top)])
        if not _copies_fit(copies, {**places, DRAW: unseen, seat: Counter()}):
            raise SaveError("the save is damaged: knowledge of cards that are elsewhere")
        insights.append(Insight(copies, seen.top, seen.bottom))
    return DeckKnowledge(insights, list(part.fresh), late, part.rebuilt)


# Below cards are matched to places by augmenting paths: who comes later may send another elsewhere.
def _copies_fit(copies: Sequence[tuple[int, frozenset[Place]]], places: Mapping[Place, Counter[int]]) -> bool:
    """Whether the copies known of can be different cards, each in one of the places it is said to be in."""
    taken: dict[tuple[int, Place, int], int] = {}

    def put(number: int, tried: set[tuple[int, Place, int]]) -> bool:
        design, where = copies[number]
        for card in [(design, place, i) for place in where for i in range(places[place][design])]:
            if card not in tried:
                tried.add(card)
                if card not in taken or put(taken[card], tried):
                    taken[card] = number
                    return True
        return False

    return all(put(number, set()) for number in range(len(copies)))


def _late_ones_fit(late: Counter[int], places: Mapping[Place, Counter[int]], fresh: Sequence[int]) -> bool:
    """Whether the late cards can be where cards are: in the pile, or in hands with room for them (I21)."""
    held: list[list[int]] = [[] for _ in fresh]

    def put(design: int, tried: set[int]) -> bool:
        for seat, most in enumerate(fresh):
            if seat in tried or held[seat].count(design) == places[seat][design]:
                continue
            tried.add(seat)
            if len(held[seat]) < most:
                held[seat].append(design)
                return True
            for other in set(held[seat]):
                if put(other, tried):
                    held[seat].remove(other)
                    held[seat].append(design)
                    return True
        return False

    beyond = late - places[DRAW]  # even if all in the pile are
    return all(put(design, set()) for design in beyond.elements())
