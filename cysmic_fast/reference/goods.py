"""Chapter G: Lorium, Discovery and Relic Cards (paying with Resources: payment.py, trading: trade.py)."""

from __future__ import annotations

from collections.abc import Iterable

from cysmic_fast.content.effect_words import MAX_RELICS_DRAWN, Mod
from cysmic_fast.reference import knowledge
from cysmic_fast.reference.decision import Flow, choose
from cysmic_fast.reference.model import Deck, Game, Unit
from cysmic_fast.reference.modifiers import total
from cysmic_fast.vocabulary import (
    CAPTIVE,
    CARD,
    DONE,
    NUMBER,
    SLOT,
    ChanceKind,
    DecisionKind,
    EventKind,
    Resource,
)

__all__ = [
    "DISCOVERY",
    "RELIC",
    "captive_id",
    "clear_slot",
    "discard",
    "discard_slot",
    "draw",
    "draw_discovery",
    "draw_into_hand",
    "find_captive",
    "gain_lorium",
    "gain_relic",
    "gained_window",
    "give_up_relic",
    "lay",
    "lift",
    "look",
    "lose_lorium",
    "pay_lorium",
    "put_event_away",
    "receive",
    "receive_relic",
    "relic_options",
    "relic_window",
    "resources",
    "shuffle_pile",
    "take_from_slot",
    "take_relic",
]

DISCOVERY, RELIC = 0, 1  # field a of DRAW and DISCARD


# ---------------------------------------------------------------------- Lorium
def gain_lorium(game: Game, seat: int, amount: int) -> None:
    """Lorium from the supply goes to the track (G2.1)."""
    if amount:
        game.players[seat].lorium += amount
        game.emit(EventKind.LORIUM, seat, amount)


def lose_lorium(game: Game, seat: int, amount: int) -> None:
    """Lorium on the track returns to the supply: the surplus (T7.2)."""
    if amount:
        game.players[seat].lorium -= amount
        game.emit(EventKind.LORIUM, seat, -amount)


def pay_lorium(game: Game, seat: int, amount: int) -> None:
    """A payment takes the track first, then the smaller store, then the other (G2.2)."""
    player = game.players[seat]
    assert amount <= player.total_lorium
    left = amount - min(amount, player.lorium)
    player.lorium -= amount - left
    for slot in sorted(player.slots, key=lambda s: s.lorium):  # stable: equal stores by slot
        taken = min(left, slot.lorium)
        slot.lorium -= taken
        left -= taken
    if amount:
        game.emit(EventKind.LORIUM, seat, -amount)


# ---------------------------------------------------------------------- decks
def _pile(game: Game, deck: int) -> Deck:
    return game.discovery if deck == DISCOVERY else game.relics


def discard(game: Game, seat: int, deck: int, design: int) -> None:
    """A card goes to its discard pile."""
    _pile(game, deck).discard.append(design)
    game.emit(EventKind.DISCARD, seat, deck, design)


def lay(game: Game, deck: int, design: int) -> None:
    """A card lies on the table: in no hand and no pile."""
    _pile(game, deck).aside.append(design)


def lift(game: Game, deck: int, design: int) -> int:
    """A card is taken from the table, to go elsewhere."""
    _pile(game, deck).aside.remove(design)
    return design


def receive(game: Game, seat: int, deck: int, designs: Iterable[int]) -> None:
    """Cards come to a player: Discovery Cards into the hand, Relic Cards Inactive."""
    player = game.players[seat]
    for design in designs:
        (player.discovery if deck == DISCOVERY else player.relics).append(design)
        game.emit(EventKind.RECEIVE, seat, deck, design, seen=(seat,))


def shuffle_pile(game: Game, deck: int, cards: Iterable[int]) -> list[int]:
    """Cards in random order as a draw pile, the top last; scripted cards come on top."""
    kind = ChanceKind.DISCOVERY_SHUFFLE if deck == DISCOVERY else ChanceKind.RELIC_SHUFFLE
    ordered = sorted(cards)
    specs = game.content.discovery if deck == DISCOVERY else game.content.relics
    first, rest = game.shuffled(kind, ordered, [specs[n].id for n in ordered])
    return rest + first[::-1]


def draw(game: Game, seat: int, deck: int) -> int | None:
    """The top card, laid on the table; None: nothing to draw.

    An empty pile is rebuilt from its discard pile first (D1.1).
    """
    pile = _pile(game, deck)
    if not pile.draw:
        if not pile.discard:
            return None
        pile.draw, pile.discard = shuffle_pile(game, deck, pile.discard), []
        knowledge.rebuilt(game, deck)
    design = pile.draw.pop()
    lay(game, deck, design)
    game.emit(EventKind.DRAW, seat, deck, design, seen=(seat,))
    return design


def look(game: Game, seat: int, deck: int, count: int) -> list[int]:
    """The top cards, as many as there are, laid on the table for a player to look at (I7)."""
    cards: list[int] = []
    for _ in range(count):
        design = draw(game, seat, deck)
        if design is None:
            break
        knowledge.looked_at(game, seat, deck, design)
        cards.append(design)
    return cards


def draw_discovery(game: Game, seat: int, count: int) -> Flow[int]:
    """One gaining step of ``count`` cards, drawn one by one (D1.1); returns how many were gained."""
    resolved: set[int] = set()
    for gained in range(count):
        if not (yield from draw_into_hand(game, seat, resolved)):
            return gained
    return count


def draw_into_hand(game: Game, seat: int, resolved: set[int]) -> Flow[bool]:
    """One card to the hand; False if there is none.

    A Planetary Event is resolved at once, discarded and replaced by another draw (V1.10, D4.1). One gaining
    step resolves each Event once at most; ``resolved`` are those it has resolved (RUL-D2).
    """
    while True:
        design = draw(game, seat, DISCOVERY)
        if design is None:
            return False
        if not game.content.discovery[design].event:
            knowledge.drawn(game, seat, DISCOVERY, design)
            receive(game, seat, DISCOVERY, [lift(game, DISCOVERY, design)])
            return True
        knowledge.turned_up(game, DISCOVERY, design)
        yield from put_event_away(game, seat, design, resolved)
        if not {*game.discovery.draw, *game.discovery.discard} - resolved:
            return False


def put_event_away(game: Game, seat: int, design: int, resolved: set[int]) -> Flow[None]:
    """Resolve a drawn Event, unless this step has done so already, and discard it."""
    from cysmic_fast.reference.cards import resolve_event

    if design not in resolved:
        resolved.add(design)
        yield from resolve_event(game, seat, design)
    discard(game, seat, DISCOVERY, lift(game, DISCOVERY, design))


# ---------------------------------------------------------------------- Relic Cards
def gain_relic(game: Game, seat: int, *, window: bool = True) -> Flow[int]:
    """Draw two, keep one, discard the others (G3.1, RUL-G6); it may be Activated at once (G3.3)."""
    number = min(max(1, 2 + total(game, seat, Mod.RELIC_DRAW)), MAX_RELICS_DRAWN)
    drawn = look(game, seat, RELIC, number)
    if not drawn:
        return 0
    keep = drawn[0]
    if len(drawn) > 1:
        choice = yield from choose(game, seat, DecisionKind.KEEP_RELIC, [CARD + d for d in drawn])
        keep = choice - CARD
        drawn.remove(keep)
        for design in drawn:
            discard(game, seat, RELIC, lift(game, RELIC, design))
            knowledge.opened(game, seat, RELIC, design, on_table=True)
    knowledge.settled(game, seat, RELIC, kept=1, back=0)
    yield from receive_relic(game, seat, keep, window=window)
    return 1


def receive_relic(game: Game, seat: int, relic: int, *, window: bool = True) -> Flow[None]:
    """A drawn Relic Card is kept: Inactive, but it may be Activated at once (G3.3)."""
    receive(game, seat, RELIC, [lift(game, RELIC, relic)])
    game.stats.relics += 1
    if window:
        yield from gained_window(game, seat, relic)


def relic_window(game: Game, seat: int) -> Flow[None]:
    """A moment to Activate Relic Cards and to move stored Lorium back (G3.3, RUL-T6, RUL-N2)."""
    player = game.players[seat]
    while player.relics or any(s.lorium for s in player.slots):
        if not (yield from _window_step(game, seat, player.relics)):
            break


def gained_window(game: Game, seat: int, relic: int) -> Flow[None]:
    """The moment of gaining a Relic Card: only this one may be Activated (G3.3, G5.5)."""
    player = game.players[seat]
    held = player.relics.count(relic)
    while player.relics.count(relic) == held:
        if not (yield from _window_step(game, seat, [relic])):
            break


def _window_step(game: Game, seat: int, relics: Iterable[int]) -> Flow[bool]:
    """Ask once; False if the player is done."""
    player = game.players[seat]
    stores = [SLOT + i for i, s in enumerate(player.slots) if s.lorium]
    choice = yield from choose(
        game, seat, DecisionKind.RELIC_WINDOW, [DONE, *(CARD + r for r in relics), *stores]
    )
    if choice == DONE:
        return False
    if choice in stores:
        slot = player.slots[choice - SLOT]
        amounts = [NUMBER + n for n in range(1, slot.lorium + 1)]
        amount = (yield from choose(game, seat, DecisionKind.UNSTORE_AMOUNT, amounts)) - NUMBER
        slot.lorium -= amount
        player.lorium += amount
    else:
        knowledge.named(game, seat, RELIC, choice - CARD)
        yield from _activate(game, seat, choice - CARD)
    return True


def _activate(game: Game, seat: int, relic: int) -> Flow[None]:
    """Into the lowest empty slot; with all filled one is cleared first (G3.4, G3.7)."""
    player = game.players[seat]
    if not any(s.empty for s in player.slots):
        options = [SLOT + i for i in range(len(player.slots))]
        cleared = (yield from choose(game, seat, DecisionKind.CLEAR_SLOT, options)) - SLOT
        clear_slot(game, seat, cleared)
    place = next(i for i, s in enumerate(player.slots) if s.empty)
    player.relics.remove(relic)
    player.slots[place].relic = relic
    knowledge.opened(game, seat, RELIC, relic)
    game.emit(EventKind.RELIC, seat, relic, place, 1)


def take_from_slot(game: Game, seat: int, place: int) -> int:
    """An Active Relic Card leaves its slot."""
    slot = game.players[seat].slots[place]
    relic = slot.relic
    assert relic is not None
    slot.relic = None
    game.players[seat].once.discard(("R", place))  # the next card there starts with a free flag (V8.1)
    game.emit(EventKind.RELIC, seat, relic, place, 0)
    return relic


def discard_slot(game: Game, seat: int, place: int) -> None:
    """An Active Relic Card is discarded."""
    discard(game, seat, RELIC, take_from_slot(game, seat, place))


def clear_slot(game: Game, seat: int, place: int) -> None:
    """Empty a slot: discard its Relic Card, or move its Lorium to the track (G3.4, G3.7)."""
    player = game.players[seat]
    if player.slots[place].relic is not None:
        discard_slot(game, seat, place)
    player.lorium += player.slots[place].lorium
    player.slots[place].lorium = 0


def relic_options(game: Game, seat: int) -> list[int]:
    """Action ids of every Relic Card of a player: Inactive ones by design, Active ones by slot."""
    player = game.players[seat]
    return [CARD + r for r in player.relics] + [SLOT + i for i in player.active_relics]


def take_relic(game: Game, seat: int, choice: int) -> int:
    """Remove the Relic Card an option of :func:`relic_options` names; returns its design."""
    if choice >= CARD:
        game.players[seat].relics.remove(choice - CARD)
        return choice - CARD
    return take_from_slot(game, seat, choice - SLOT)


def give_up_relic(game: Game, seat: int, choice: int) -> None:
    """Discard the Relic Card an option of :func:`relic_options` names."""
    relic = take_relic(game, seat, choice)
    discard(game, seat, RELIC, relic)
    if choice >= CARD:
        knowledge.opened(game, seat, RELIC, relic)


# ---------------------------------------------------------------------- Resources
def captive_id(unit: Unit) -> int:
    """Action id of a Captured Unit: its owner and type."""
    return CAPTIVE + 5 * unit.owner + unit.type


def find_captive(game: Game, holder: int, choice: int) -> Unit:
    """A Captured Unit of ``holder`` that an action id names."""
    return next(u for u in game.captives(holder) if captive_id(u) == choice)


def resources(game: Game, seat: int) -> list[Resource]:
    """Kinds of Resource a player has (G1.1)."""
    player = game.players[seat]
    has = {
        Resource.LORIUM: player.total_lorium > 0,
        Resource.DISCOVERY: bool(player.discovery),
        Resource.RELIC: bool(player.relics or player.active_relics),
        Resource.CAPTIVE: bool(game.captives(seat)),
        Resource.HABITAT: bool(game.habitats(seat)),
    }
    return [kind for kind, there in has.items() if there]
