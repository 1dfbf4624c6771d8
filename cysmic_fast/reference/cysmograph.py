"""Chapter Y: Tremors, Fractures, Collapses, and the escapes before them."""

from __future__ import annotations

from collections.abc import Iterable

from cysmic_fast.reference.decision import Flow, choose, choose_space
from cysmic_fast.reference.model import Game, Unit
from cysmic_fast.reference.movement import has_room, offer_token, ship_spaces
from cysmic_fast.reference.planet import (
    lose_token,
    nearest,
    neighbours,
    place_token,
    remove_tile,
    token_supply,
)
from cysmic_fast.reference.units import destroy, fewest_marks, move_units, ship_enters
from cysmic_fast.vocabulary import (
    DONE,
    SPACE,
    UNIT,
    CardAction,
    ChanceKind,
    DecisionKind,
    EventKind,
    UnitType,
)

__all__ = ["collapse", "fracture", "icon_tremor", "tremor"]


# ---------------------------------------------------------------------- Tremor and Fracture
def icon_tremor(game: Game, cause: int, action: CardAction) -> Flow[None]:
    """The Tremor of an Action that was performed, if it has the icon (T4.7, T4.8)."""
    if action in game.content.tremor_actions:
        yield from tremor(game, cause)


def tremor(game: Game, cause: int) -> Flow[None]:
    """The stack moves one position right; on the Fracture Zone that is a Fracture (Y1.2, Y1.4, Y3.4)."""
    track = game.cysmograph
    if track.busy:  # without effect inside a Fracture or Collapse (Y1.5)
        return
    track.stack = min(track.stack + 1, track.zone)
    game.stats.tremors += 1
    game.emit(EventKind.TREMOR, cause, track.stack)
    if track.stack == track.zone:
        yield from fracture(game, cause)


def fracture(game: Game, cause: int) -> Flow[None]:
    """Draw and resolve tokens, then reset once (Y2, Y3)."""
    track = game.cysmograph
    track.busy = True
    game.stats.fractures += 1
    game.emit(EventKind.FRACTURE, cause)
    per_token = game.content.rulings.resets == "per_token"  # RUL-Y3
    left, drawn = 1, 0
    while left and game.bag:  # an empty bag draws nothing (Y2.10)
        left, drawn = left - 1, drawn + 1
        names = [game.content.tokens[t].name for t in game.bag]
        number = game.draw_chance(ChanceKind.FRACTURE_TOKEN, names, game.bag)
        game.bag.remove(number)  # it leaves the game (Y2.1)
        token = game.content.tokens[number]
        if token.kind == "pull_2_more":
            left += 2  # (Y2.7)
        elif token.kind == "landscape":
            drawn_spaces = game.wedge(token.terrain, token.ring)
            yield from _collapse(game, [s for s in drawn_spaces if game.spaces[s].has_tile], cause)  # (Y2.3)
        elif token.kind == "colony_city":
            yield from _collapse(game, [s for s in (0,) if game.spaces[s].has_tile], cause)  # (Y2.8)
        elif token.kind == "devastated":
            yield from _devastate(game, cause)  # (Y2.6)
        if per_token:
            _reset(game)
    if not per_token or not drawn:
        _reset(game)
    track.busy = False


def _reset(game: Game) -> None:
    """One token to the leftmost empty position, the stack to the next (Y3.1, Y3.4, Y3.5)."""
    track = game.cysmograph
    if track.singles < track.zone:
        track.singles += 1
        track.stack = track.singles


# ---------------------------------------------------------------------- Collapse
def collapse(game: Game, spaces: Iterable[int], cause: int) -> Flow[None]:
    """A Collapse by an effect: no token, no Tremor (Y4.6)."""
    track = game.cysmograph
    outer, track.busy = track.busy, True
    yield from _collapse(game, [s for s in spaces if game.spaces[s].has_tile], cause)  # (Y4.1)
    track.busy = outer


def _collapse(game: Game, spaces: list[int], cause: int) -> Flow[None]:
    """Escape, destruction, removal, Relic Tokens: each for all spaces together (Y4.2)."""
    doomed = set(spaces)
    yield from _escapes(game, doomed)
    _destruction(game, doomed)
    for space in sorted(doomed):
        remove_tile(game, space, cause)
    yield from _new_tokens(game, doomed, cause)


def _devastate(game: Game, cause: int) -> Flow[None]:
    """The Devastated token: like a Collapse of all Devastated spaces, without tiles (Y2.6, RUL-Y9)."""
    doomed = {s.number for s in game.spaces if s.devastated}
    yield from _escapes(game, doomed)
    _destruction(game, doomed)
    for space in sorted(doomed):
        lose_token(game, space)


def _destruction(game: Game, doomed: set[int]) -> None:
    """Troops and Vehicles left go to their Reserves (Y4.3)."""
    for space in sorted(doomed):
        left = [u for u in game.spaces[space].units if not u.is_ship]
        destroy(game, sorted(left, key=lambda u: (u.owner, u.type)))


def _new_tokens(game: Game, doomed: set[int], cause: int) -> Flow[None]:
    """A Relic Token on every newly revealed Devastated space; if they run short, ``cause`` chooses (Y4.5)."""
    waiting = sorted(s for s in doomed if game.spaces[s].devastated)
    while waiting and token_supply(game):
        space: int | None = waiting[0]
        if token_supply(game) < len(waiting):
            space = yield from choose_space(game, cause, DecisionKind.PLACE_TOKEN, waiting)
        assert space is not None
        waiting.remove(space)
        place_token(game, space)


# ---------------------------------------------------------------------- escapes
def _escapes(game: Game, doomed: set[int]) -> Flow[None]:
    """Escape by Early Warning, player by player (Y5.7). A Ship that cannot leave saves its space (Y5.6)."""
    if not doomed:
        return
    for seat in game.clockwise(game.active):
        used: set[int] = set()
        ship = game.ship(seat)
        ship_waits = ship is not None and ship.place in doomed
        while True:
            options = [
                SPACE + s
                for s in sorted(doomed - used)
                if any(_wakers(game, s, seat)) and _group_destinations(game, s, seat, doomed)
            ]
            if ship is not None and ship_waits:
                options.append(SPACE + ship.place)
            else:
                options.append(DONE)
            choice = yield from choose(game, seat, DecisionKind.ESCAPE, options)
            if choice == DONE:
                break
            space = choice - SPACE
            if ship is not None and ship_waits and space == ship.place:
                ship_waits = False
                yield from _ship_escapes(game, ship, doomed)
            else:
                used.add(space)
                yield from _group_escapes(game, space, seat, doomed)


def _ship_escapes(game: Game, ship: Unit, doomed: set[int]) -> Flow[None]:
    """A Ship always escapes, destroying what is there; with nowhere to go it stays (Y5.5, Y5.6, RUL-Y11)."""
    ends = nearest(game, ship.place, ship_spaces(game, ship, closed=doomed))
    if not ends:
        doomed.remove(ship.place)
        return
    end = yield from choose_space(game, ship.owner, DecisionKind.ESCAPE_TO, ends)
    assert end is not None
    ship_enters(game, ship, end)


def _wakers(game: Game, space: int, seat: int) -> list[Unit]:
    """Unlocked Units with Early Warning that may start an escape (Y5.1)."""
    here = game.spaces[space].of(seat)
    return [u for u in here if game.content.units[u.type].early_warning and not game.is_locked(u)]


def _group_destinations(game: Game, space: int, seat: int, doomed: set[int]) -> list[int]:
    """Adjacent spaces with room for at least one Unit that can start the escape (Y5.1, Y5.2)."""
    found = []
    for end in neighbours(game, space, tunl=True):
        there = game.spaces[end]
        if end in doomed or there.impassable or there.ship is not None or there.others(seat):
            continue
        if any(has_room(game, end, seat, [u]) for u in _wakers(game, space, seat)):
            found.append(end)
    return found


def _group_escapes(game: Game, space: int, seat: int, doomed: set[int]) -> Flow[None]:
    """One destination per space; a Unit with Early Warning and any others of the space (Y5.3, RUL-Y7)."""
    destinations = _group_destinations(game, space, seat, doomed)
    end = yield from choose_space(game, seat, DecisionKind.ESCAPE_TO, destinations)
    assert end is not None
    group: list[Unit] = []
    while True:
        pool = game.spaces[space].of(seat) if group else _wakers(game, space, seat)
        fitting = [u for u in pool if u not in group and has_room(game, end, seat, [*group, u])]
        options = [UNIT + u.type for u in fitting] + [DONE] * bool(group)
        choice = yield from choose(game, seat, DecisionKind.ESCAPE_UNIT, options)
        if choice == DONE:
            break
        group.append(fewest_marks(fitting, UnitType(choice - UNIT)))
    move_units(game, group, end)
    yield from offer_token(game, seat, end)
