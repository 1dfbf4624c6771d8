"""Chapter Y: Tremors, Fractures, Collapses (the escapes before them: escapes.py)."""

from __future__ import annotations

from collections.abc import Iterable

from cysmic_fast.content.effect_words import MAX_TOKENS_DRAWN, Kind, Mod, Trigger
from cysmic_fast.reference.decision import Flow, choose, choose_space
from cysmic_fast.reference.escapes import escapes
from cysmic_fast.reference.frame import Happening
from cysmic_fast.reference.model import Game
from cysmic_fast.reference.modifiers import total
from cysmic_fast.reference.planet import lose_token, place_token, remove_tile, token_supply
from cysmic_fast.reference.units import destroy, settle_ends
from cysmic_fast.reference.windows import fire
from cysmic_fast.vocabulary import OPTION, CardAction, ChanceKind, DecisionKind, EventKind

__all__ = ["collapse", "fracture", "icon_tremor", "tremor", "tremor_back"]


# ---------------------------------------------------------------------- Tremor and Fracture
def icon_tremor(game: Game, cause: int, action: CardAction, *, drawer: int | None = None) -> Flow[None]:
    """The Tremor of an Action that was performed, if it has the icon (T4.7, T4.8)."""
    if action in game.content.tremor_actions:
        yield from tremor(game, cause, Kind.ACTION, drawer=drawer)


def tremor(game: Game, cause: int, kind: Kind, *, drawer: int | None = None) -> Flow[None]:
    """The stack moves one position right; on the Fracture Zone that is a Fracture (Y1.2, Y1.4, Y3.4).

    ``drawer`` draws its tokens, None: ``cause``.
    """
    track = game.cysmograph
    if track.busy:  # without effect, and without event, inside a Fracture or Collapse (Y1.5, V1.11)
        return
    event = yield from fire(game, Happening(Trigger.TREMOR, cause, kinds=(kind,)))
    if event.cancelled:
        return
    track.stack = min(track.stack + 1, track.zone)
    game.stats.tremors += 1
    game.emit(EventKind.TREMOR, cause, track.stack)
    if track.stack == track.zone:
        yield from fracture(game, cause, drawer=drawer)


def tremor_back(game: Game, positions: int) -> None:
    """The stack goes back, at most to where the last reset or the set-up put it."""
    track = game.cysmograph
    if not track.busy:
        track.stack = max(track.singles, track.stack - positions)


def fracture(game: Game, cause: int, draw: int = 1, *, drawer: int | None = None) -> Flow[None]:
    """Draw and resolve tokens, then reset once (Y2, Y3).

    ``draw``: tokens to choose the first one from. ``drawer`` draws and keeps them and places Relic Tokens.
    """
    track = game.cysmograph
    hand = cause if drawer is None else drawer
    if track.busy:  # (V1.11)
        return
    track.busy = True
    game.stats.fractures += 1
    game.emit(EventKind.FRACTURE, cause)
    per_token = game.content.rulings.resets == "per_token"  # RUL-Y3
    left, drawn = 1, 0
    while left and game.bag:  # an empty bag draws nothing (Y2.10)
        left, drawn = left - 1, drawn + 1
        number = yield from _draw_token(game, hand, draw if drawn == 1 else 1)
        token = game.content.tokens[number]
        if token.kind == "pull_2_more":
            left += 2  # (Y2.7)
        elif token.kind == "devastated":
            yield from _devastate(game, cause)  # (Y2.6)
        else:  # a landscape, Colony City, or none for a False Alarm (Y2.3, Y2.5, Y2.8)
            yield from _collapse(game, _token_spaces(game, number), cause, hand)
        if per_token:
            _reset(game)
    if not per_token or not drawn:
        _reset(game)
    track.busy = False


def _draw_token(game: Game, cause: int, draw: int) -> Flow[int]:
    """Draw some tokens, keep one (it leaves the game, Y2.1), return the others; Reactions may redraw it."""
    number = min(max(1, draw + total(game, cause, Mod.FRACTURE_DRAW)), MAX_TOKENS_DRAWN, len(game.bag))
    tokens = sorted(_pull(game) for _ in range(number))
    kept = tokens[0]
    if len(tokens) > 1:
        kept = yield from _keep_token(game, cause, tokens)
    _put_back(game, [t for t in tokens if t != kept])
    while True:
        game.area = tuple(_token_spaces(game, kept))
        landscape = game.content.tokens[kept].kind == "landscape"
        kinds = (Kind.LANDSCAPE if landscape else Kind.SPECIAL,)
        event = yield from fire(game, Happening(Trigger.FRACTURE_DRAWN, cause, kinds=kinds, area=True))
        if not event.redraw:
            return kept
        other = _pull(game)  # one other token first, then the old one goes back
        _put_back(game, [kept])
        kept = other


def _pull(game: Game) -> int:
    """A token out of the bag by chance."""
    names = [game.content.tokens[t].name for t in game.bag]
    number = game.draw_chance(ChanceKind.FRACTURE_TOKEN, names, game.bag)
    game.bag.remove(number)
    return number


def _put_back(game: Game, tokens: Iterable[int]) -> None:
    game.bag = sorted([*game.bag, *tokens])


def _keep_token(game: Game, cause: int, tokens: list[int]) -> Flow[int]:
    """One of several tokens, in token order; of equal ones the first is offered."""
    names = [game.content.tokens[t].name for t in tokens]
    different = [t for i, t in enumerate(tokens) if names[i] not in names[:i]]
    options = [OPTION + i for i in range(len(different))]
    return different[(yield from choose(game, cause, DecisionKind.KEEP_TOKEN, options)) - OPTION]


def _token_spaces(game: Game, number: int) -> list[int]:
    """The spaces a token is about: with tiles, for the Devastated token without."""
    token = game.content.tokens[number]
    match token.kind:
        case "landscape":
            return [s for s in game.wedge(token.terrain, token.ring) if game.spaces[s].has_tile]
        case "colony_city":
            return [s for s in (0,) if game.spaces[s].has_tile]
        case "devastated":
            return [s.number for s in game.spaces if s.devastated]
        case _:
            return []


def _reset(game: Game) -> None:
    """One token to the leftmost empty position, the stack to the next (Y3.1, Y3.4, Y3.5)."""
    track = game.cysmograph
    if track.singles < track.zone:
        track.singles += 1
        track.stack = track.singles


# ---------------------------------------------------------------------- Collapse
def collapse(game: Game, spaces: Iterable[int], cause: int, *, placer: int | None = None) -> Flow[None]:
    """A Collapse by an effect: no token, no Tremor (Y4.6); ``placer`` (None: ``cause``) places tokens."""
    track = game.cysmograph
    hand = cause if placer is None else placer
    outer, track.busy = track.busy, True
    yield from _collapse(game, [s for s in spaces if game.spaces[s].has_tile], cause, hand)  # (Y4.1)
    track.busy = outer


def _collapse(game: Game, spaces: list[int], cause: int, placer: int) -> Flow[None]:
    """Escape, destruction, removal, Relic Tokens: each for all spaces together (Y4.2)."""
    doomed = yield from _prepare(game, spaces, cause)
    for space in sorted(doomed):
        remove_tile(game, space, cause)
    game.collapsing = frozenset()
    yield from _new_tokens(game, doomed, placer)


def _devastate(game: Game, cause: int) -> Flow[None]:
    """The Devastated token: like a Collapse of all Devastated spaces, without tiles (Y2.6, RUL-Y9)."""
    doomed = yield from _prepare(game, [s.number for s in game.spaces if s.devastated], cause)
    for space in sorted(doomed):
        lose_token(game, space)
    game.collapsing = frozenset()


def _prepare(game: Game, spaces: list[int], cause: int) -> Flow[set[int]]:
    """The event, then escapes and destruction; returns the spaces that do collapse."""
    if not spaces:
        return set()
    game.area = tuple(sorted(spaces))
    game.collapsing = frozenset(spaces)
    tiles = sum(game.spaces[s].has_tile for s in spaces)
    yield from fire(game, Happening(Trigger.COLLAPSE, cause, area=True, n=tiles))
    doomed = set(spaces)
    yield from settle_ends(game, escapes(game, doomed))
    yield from settle_ends(game, _destruction(game, doomed))
    return doomed


def _destruction(game: Game, doomed: set[int]) -> Flow[None]:
    """Troops and Vehicles left go to their Reserves (Y4.3)."""
    for space in sorted(doomed):
        left = [u for u in game.spaces[space].units if not u.is_ship]
        destroy(game, sorted(left, key=lambda u: (u.owner, u.type)))
    yield from ()


def _new_tokens(game: Game, doomed: set[int], placer: int) -> Flow[None]:
    """A Relic Token on every newly revealed Devastated space; if too few, ``placer`` chooses (Y4.5)."""
    waiting = sorted(s for s in doomed if game.spaces[s].devastated)
    while waiting and token_supply(game):
        space: int | None = waiting[0]
        if token_supply(game) < len(waiting):
            space = yield from choose_space(game, placer, DecisionKind.PLACE_TOKEN, waiting)
        assert space is not None
        waiting.remove(space)
        place_token(game, space)
