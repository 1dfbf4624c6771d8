"""Chapter L: Launching and endings."""

from __future__ import annotations

from cysmic_fast.content.effect_words import Mod, Trigger
from cysmic_fast.reference.construction import completed
from cysmic_fast.reference.decision import Flow, choose_yes
from cysmic_fast.reference.frame import Happening
from cysmic_fast.reference.goods import relic_window
from cysmic_fast.reference.model import Game, Where
from cysmic_fast.reference.modifiers import total
from cysmic_fast.reference.units import ship_departs
from cysmic_fast.reference.windows import fire
from cysmic_fast.vocabulary import ChanceKind, DecisionKind, EventKind

__all__ = ["LAUNCHED", "OUT_OF_ROUNDS", "OUT_OF_TILES", "anyone_launched", "launch_step", "stranded"]

LAUNCHED, OUT_OF_TILES, OUT_OF_ROUNDS = 0, 1, 2  # why a game is over


def anyone_launched(game: Game) -> bool:
    """Somebody has Launched already."""
    return any(p.launched for p in game.players)


def stranded(game: Game, seat: int) -> int:
    """Own Troops and Vehicles on the planet or captured (L2.1)."""
    places = (Where.PLANET, Where.CAPTIVE)
    return sum(u.where in places and not u.is_ship for u in game.army(seat))


def launch_step(game: Game, seat: int) -> Flow[None]:
    """Step 6: the end without tiles, a window, the attempt (T1.10, T6.1, L1)."""
    build_it = game.options.launch == "build_it"
    anywhere = build_it and game.content.rulings.build_it_on_devastated  # RUL-L4
    no_tiles = not any(s.has_tile for s in game.spaces)
    if no_tiles and not anywhere and game.content.rulings.end_without_tiles:
        game.finish(OUT_OF_TILES)
        return
    yield from relic_window(game, seat)
    ship = game.ship(seat)
    if ship is None or not completed(game, seat):  # (L1.2)
        return
    if game.spaces[ship.place].devastated and not anywhere:  # (L1.3)
        return
    if game.options.launch == "base":
        if (yield from choose_yes(game, seat, DecisionKind.LAUNCH)):  # (L1.6)
            yield from _attempt(game, seat)
    elif _free_to_go(game, seat):
        game.stats.launch_clean += 1
        _succeed(game, seat)


def _free_to_go(game: Game, seat: int) -> bool:
    """The condition under which an alternate ending Launches by itself (L4.1 to L4.3)."""
    if game.options.launch == "build_it":
        return True
    if game.options.launch == "guilty_ignore_captives":
        return not game.on_planet(seat)
    return stranded(game, seat) == 0


def _attempt(game: Game, seat: int) -> Flow[None]:
    """With Units stranded the Humanity Die decides (L1.4, L2); effects move its place in the row of faces."""
    if stranded(game, seat):
        yield from fire(game, Happening(Trigger.LAUNCH, seat))
    left_behind = stranded(game, seat)
    if left_behind == 0:
        game.stats.launch_clean += 1
        _succeed(game, seat)
        return
    faces = game.content.dice.humanity
    place = game.draw_chance(ChanceKind.HUMANITY_DIE, list(game.content.dice.humanity_names))
    allowed = faces[min(max(0, place + total(game, seat, Mod.HUMANITY)), len(faces) - 1)]
    if allowed is None or allowed >= left_behind:  # (L2.3)
        game.stats.launch_die += 1
        _succeed(game, seat)
    else:
        game.stats.launch_failed += 1
        game.emit(EventKind.LAUNCH, seat, 0, left_behind)


def _succeed(game: Game, seat: int) -> None:
    """A Launch ends the game at once, or begins the end (L1.5, L4.4, L4.5, L4.10)."""
    first = not anyone_launched(game)
    game.players[seat].launched = True
    game.emit(EventKind.LAUNCH, seat, 1, stranded(game, seat))
    if game.options.end_trigger == "immediate":
        game.finish(LAUNCHED)
        return
    ship = game.ship(seat)
    assert ship is not None
    ship_departs(game, ship)
    if game.options.end_trigger == "simultaneous" and first:
        # Exactly one more turn for every other player (L4.4, L4.9).
        game.final_turns = [s for s in game.clockwise(seat) if s != seat]
