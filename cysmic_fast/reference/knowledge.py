"""What each seat knows of hidden cards (docs/information.md, section 1 and the readings J01 to J09).

Cards are designs here, *places* are seats (their hands) and piles. What a seat knows of a copy is one
entry of ``Insight.copies``; a copy of which it knows nothing has none.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from cysmic_fast.vocabulary import CARD, COMMAND, DONE, CommandCard, DecisionKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cysmic_fast.reference.model import Deck, Game

__all__ = [
    "DECKS",
    "DRAW",
    "TABLE",
    "DeckKnowledge",
    "Insight",
    "Knowledge",
    "Looking",
    "Offer",
    "Place",
    "all_looked_at",
    "burned",
    "choice_seen",
    "drawn",
    "hand_of",
    "hand_seen",
    "looked_at",
    "moved",
    "moved_openly",
    "named",
    "opened",
    "pile_of",
    "put_back",
    "rebuilt",
    "reset",
    "settled",
    "shown",
    "shuffled_whole",
    "taken_back",
    "turned_up",
]

#: A seat, for its hand; or one of the next two.
Place: TypeAlias = int | str
DRAW: Final = "draw"
TABLE: Final = "table"
#: Weight of a place where sets of as many places are compared (J02).
_WEIGHT: Final = {DRAW: 64, TABLE: 128}

DECKS: Final = (0, 1)  # Discovery, Relics


@dataclass(slots=True)
class Insight:
    """What one seat knows of one deck (I2)."""

    copies: list[tuple[int, frozenset[Place]]] = field(default_factory=list)  #: design and places
    top: int = 0  #: so many cards on top of the pile are known
    bottom: int = 0  #: so many at its bottom


@dataclass(slots=True)
class DeckKnowledge:
    """What is known of one deck: by each seat, and by all (I2)."""

    seats: list[Insight]
    fresh: list[int]  #: how many cards of each hand can be late ones
    late: Counter[int] = field(default_factory=Counter)  #: late copies of each design (J03)
    rebuilt: bool = False

    def others(self, *seats: int) -> list[Insight]:
        """What all seats but these know."""
        return [insight for seat, insight in enumerate(self.seats) if seat not in seats]


@dataclass(slots=True)
class Looking:
    """Cards that somebody looks at (J05)."""

    deck: int
    seat: int
    cards: list[int]  #: to be shown: the drawn ones not yet kept or put away
    hidden: list[int]  #: those on the table that are not open


@dataclass(slots=True)
class Offer:
    """A trade as far as it has been listed, and what was picked for it (J12)."""

    seat: int
    partner: int
    give: list[int] = field(default_factory=list)
    take: list[int] = field(default_factory=list)
    picked: dict[int, list[str]] = field(default_factory=dict)  #: ids by seat


class Knowledge:
    """Who knows what."""

    def __init__(self, players: int, columns: int) -> None:
        self.decks = tuple(DeckKnowledge([Insight() for _ in range(players)], [0] * players) for _ in DECKS)
        #: cards that a Burned card is not, by seat and column (I9)
        self.excluded: list[list[set[CommandCard]]] = [
            [set() for _ in range(columns)] for _ in range(players)
        ]
        self.dealt: list[list[int]] = []  #: Factions, by seat (I10)
        self.looking: Looking | None = None
        self.offer: Offer | None = None

    def copy(self) -> Knowledge:
        """An independent twin; nothing is in the middle of being looked at or traded."""
        twin = Knowledge(len(self.excluded), len(self.excluded[0]))
        twin.decks = tuple(
            DeckKnowledge(
                [Insight(list(i.copies), i.top, i.bottom) for i in deck.seats],
                list(deck.fresh),
                Counter(deck.late),
                deck.rebuilt,
            )
            for deck in self.decks
        )
        twin.excluded = [[set(cards) for cards in columns] for columns in self.excluded]
        twin.dealt = [list(cards) for cards in self.dealt]
        return twin


# ---------------------------------------------------------------------- what lies where
def pile_of(game: Game, deck: int) -> Deck:
    """The piles of a deck."""
    return game.relics if deck else game.discovery


def hand_of(game: Game, deck: int, seat: int) -> list[int]:
    """The hidden cards of a seat: Discovery Cards in hand, Inactive Relic Cards."""
    player = game.players[seat]
    return player.relics if deck else player.discovery


def _hidden(game: Game, deck: int, design: int) -> int:
    """Copies of a design that are not open (I1)."""
    looking = game.knows.looking
    table = looking.hidden if looking is not None and looking.deck == deck else []
    hands = [hand_of(game, deck, seat) for seat in game.seats]
    return sum(cards.count(design) for cards in (pile_of(game, deck).draw, table, *hands))


# ---------------------------------------------------------------------- one seat's knowledge
def _rank(places: frozenset[Place]) -> tuple[int, int]:
    return len(places), sum(1 << p if isinstance(p, int) else _WEIGHT[p] for p in places)


def _forget(insight: Insight, design: int, place: Place) -> None:
    """A card of a design is seen to leave a place; which of like copies it was nobody can say (J02)."""
    able = [where for d, where in insight.copies if d == design and place in where]
    if not able:
        return
    gone = min(able, key=_rank)
    insight.copies.remove((design, gone))
    insight.copies = [
        (d, where | gone) if d == design and place in where else (d, where) for d, where in insight.copies
    ]


def _spread(insight: Insight, place: Place, other: Place) -> None:
    """Some card has gone unseen from a place to another."""
    insight.copies = [(d, where | {other}) if place in where else (d, where) for d, where in insight.copies]


def _add(insight: Insight, design: int, place: Place) -> None:
    insight.copies.append((design, frozenset({place})))


def _strike(insight: Insight, place: Place, instead: frozenset[Place] = frozenset()) -> None:
    """A place is out of the question, or stands for others."""
    changed = [(d, where - {place} | instead if place in where else where) for d, where in insight.copies]
    insight.copies = [(d, where) for d, where in changed if where]


def _knew_top(insight: Insight, left: int) -> bool:
    """Whether a seat knew, by its position, the card just taken from a pile that has ``left`` cards left."""
    known = insight.top > 0 or insight.bottom > left
    insight.top = max(0, insight.top - 1)
    insight.bottom = min(insight.bottom, left)
    return known


def _blur_top(insight: Insight, draw: list[int]) -> None:
    """Only that the cards known on top are in the pile is known from now on; the top is the last element."""
    for position in range(max(len(draw) - insight.top, insight.bottom), len(draw)):
        _add(insight, draw[position], DRAW)
    insight.top = 0


def _blur_bottom(insight: Insight, draw: list[int]) -> None:
    """The same of the cards known at the bottom."""
    for position in range(min(insight.bottom, len(draw) - insight.top)):
        _add(insight, draw[position], DRAW)
    insight.bottom = 0


# ---------------------------------------------------------------------- piles
def drawn(game: Game, seat: int, deck: int, design: int) -> None:
    """A card has been taken from the pile into a hand, unseen by others (I4)."""
    _taken(game, seat, deck, design, seat)
    known = game.knows.decks[deck]
    known.fresh[seat] += known.rebuilt


def _taken(game: Game, seat: int, deck: int, design: int, place: Place) -> None:
    """The top card of a pile, seen by ``seat`` alone, has gone to a place (I4, J05)."""
    left = len(pile_of(game, deck).draw)
    for viewer, insight in enumerate(game.knows.decks[deck].seats):
        knew = _knew_top(insight, left)
        if viewer == seat:
            if not knew:
                _forget(insight, design, DRAW)
        elif knew:
            _add(insight, design, place)
        else:
            _spread(insight, DRAW, place)


def turned_up(game: Game, deck: int, design: int) -> None:
    """A card has been taken from the pile in sight of all: an Event (J06)."""
    known = game.knows.decks[deck]
    for insight in known.seats:
        if not _knew_top(insight, len(pile_of(game, deck).draw)):
            _forget(insight, design, DRAW)
    known.late[design] -= known.late[design] > 0


def rebuilt(game: Game, deck: int) -> None:
    """The draw pile is made anew of the discard pile (I5)."""
    known = game.knows.decks[deck]
    for insight in known.seats:
        _strike(insight, DRAW)
        insight.top = insight.bottom = 0
    known.late = Counter(pile_of(game, deck).draw)
    known.fresh = [0] * len(known.fresh)
    known.rebuilt = True


def shuffled_whole(game: Game, deck: int) -> None:
    """A pile is shuffled with all that is in it (I5)."""
    for insight in game.knows.decks[deck].seats:
        insight.copies = [(d, where) for d, where in insight.copies if where != {DRAW}]
        insight.top = insight.bottom = 0


# ---------------------------------------------------------------------- looking at cards
def looked_at(game: Game, seat: int, deck: int, design: int) -> None:
    """A card has been taken from the pile onto the table, to be looked at (I7, I8, J05)."""
    _taken(game, seat, deck, design, TABLE)
    looking = game.knows.looking
    if looking is None:
        looking = game.knows.looking = Looking(deck, seat, [], [])
    looking.cards.append(design)
    looking.hidden.append(design)


def all_looked_at(game: Game, seat: int, deck: int) -> None:
    """The cards of a scry have been taken: nobody else knows what lies on top of the pile (I7, J05)."""
    for insight in game.knows.decks[deck].others(seat):
        _blur_top(insight, pile_of(game, deck).draw)


def settled(game: Game, seat: int, deck: int, *, kept: int, back: int, under: int = 0) -> None:
    """The looking is over, the cards that go back not yet on the pile (J05).

    ``kept``: cards for the hand; ``back``: cards for the pile, ``under`` of them at its bottom.
    """
    known = game.knows.decks[deck]
    instead: set[Place] = set()
    if kept:
        instead.add(seat)
    if back:
        instead.add(DRAW)
    for insight in known.others(seat):
        _strike(insight, TABLE, frozenset(instead))
        if under:
            _blur_bottom(insight, pile_of(game, deck).draw)
    known.fresh[seat] += kept if known.rebuilt else 0
    game.knows.looking = None


def put_back(game: Game, seat: int, deck: int, top: int, under: int) -> None:
    """Who looked knows what it has put on the pile and under it (I7)."""
    insight = game.knows.decks[deck].seats[seat]
    insight.top += top
    insight.bottom += under


# ---------------------------------------------------------------------- hands
def moved(game: Game, giver: int, receiver: int, deck: int, design: int, *, left: int) -> None:
    """A hidden card goes from hand to hand (I6); ``left``: cards that the giver still has."""
    known = game.knows.decks[deck]
    _add(known.seats[giver], design, receiver)
    _forget(known.seats[receiver], design, giver)
    for insight in known.others(giver, receiver):
        _spread(insight, giver, receiver)
    known.fresh[receiver] += min(1, known.fresh[giver])
    known.fresh[giver] = min(known.fresh[giver], left)


def moved_openly(game: Game, receiver: int, deck: int, design: int) -> None:
    """An Active Relic Card comes into a hand (J07)."""
    for insight in game.knows.decks[deck].others(receiver):
        _add(insight, design, receiver)


def hand_seen(game: Game, viewer: int, seat: int, deck: int) -> None:
    """Somebody chooses among the hidden cards of another (I6, J09)."""
    insight = game.knows.decks[deck].seats[viewer]
    hand = sorted(hand_of(game, deck, seat))
    for design in hand:
        _forget(insight, design, seat)
    for design in hand:
        _add(insight, design, seat)


def named(game: Game, seat: int, deck: int, design: int) -> None:
    """An open answer names a card that is still in hand (J04)."""
    for insight in game.knows.decks[deck].others(seat):
        _forget(insight, design, seat)
        _add(insight, design, seat)


def opened(game: Game, seat: int, deck: int, design: int, *, on_table: bool = False) -> None:
    """A card has left the hand of a seat, or the table where the seat looked at it, and is open (I3, J03)."""
    known = game.knows.decks[deck]
    place: Place = seat
    if on_table:
        place = TABLE
        assert game.knows.looking is not None
        game.knows.looking.hidden.remove(design)
    for insight in known.others(seat):
        _forget(insight, design, place)
    if known.late[design] and (on_table or known.fresh[seat]):
        if not on_table and _hidden(game, deck, design) < known.late[design]:
            known.fresh[seat] -= 1
        known.late[design] -= 1
    if not on_table:
        known.fresh[seat] = min(known.fresh[seat], len(hand_of(game, deck, seat)))


# ---------------------------------------------------------------------- Command Cards
def burned(game: Game, seat: int, column: int) -> None:
    """A card has been Burned: it is none of those that lie Played (I9)."""
    game.knows.excluded[seat][column] = {card for card in game.players[seat].played if card is not None}


def shown(game: Game, seat: int, card: CommandCard) -> None:
    """A card has been Played or shown: no Burned card is this one (I9)."""
    for column, lying in enumerate(game.players[seat].burned):
        if lying is not None:
            game.knows.excluded[seat][column].add(card)


def taken_back(game: Game, seat: int) -> None:
    """A card has come back from the board (I9)."""
    for column, lying in enumerate(game.players[seat].burned):
        if lying is None:
            game.knows.excluded[seat][column].clear()


def reset(game: Game) -> None:
    """The Reset clears everything (I9)."""
    for seat in game.seats:
        taken_back(game, seat)


# ---------------------------------------------------------------------- the record
_OWN_ANSWERS = frozenset(
    {
        DecisionKind.BURN,
        DecisionKind.KEEP_RELIC,
        DecisionKind.SCRY_KEEP,
        DecisionKind.SCRY_PUT,
        DecisionKind.TRADE_CARD,
        DecisionKind.TRADE_RELIC,
        DecisionKind.CHOOSE_FACTION,
    }
)


def choice_seen(game: Game, player: int, kind: DecisionKind, choice: int) -> Iterable[int] | None:
    """Who sees an answer (I11, J10); None: everybody."""
    of_a_hand = kind in (DecisionKind.PAY_CARD, DecisionKind.PAY_RELIC) and choice >= CARD
    declined = kind == DecisionKind.REACT and choice == DONE
    hidden = kind == DecisionKind.RECLAIM and choice - COMMAND in game.players[player].burned
    return (player,) if kind in _OWN_ANSWERS or of_a_hand or declined or hidden else None
