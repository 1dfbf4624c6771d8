"""Chapter M: where Units may go, and the Move actions."""

from __future__ import annotations

from collections.abc import Iterable

from cysmic_fast.reference.decision import Flow, choose, choose_space, choose_type
from cysmic_fast.reference.goods import gain_relic
from cysmic_fast.reference.model import Game, Mark, Unit
from cysmic_fast.reference.planet import nearest, neighbours, take_token
from cysmic_fast.reference.units import board_ship, fewest_marks, move_units, ship_enters
from cysmic_fast.vocabulary import ACTION, CardAction, DecisionKind, UnitType

__all__ = [
    "choose_unit",
    "has_room",
    "jump",
    "may_stop",
    "move",
    "move_several",
    "offer_token",
    "perform_evacuate",
    "ship_move",
    "ship_spaces",
    "stabilize_move",
]


# ---------------------------------------------------------------------- legality
def has_room(game: Game, space: int, seat: int, newcomers: Iterable[Unit | UnitType]) -> bool:
    """Space Capacity holds if ``newcomers`` join the player's Units there (P3.1)."""
    kinds = [n.type if isinstance(n, Unit) else n for n in newcomers]
    kinds += [u.type for u in game.spaces[space].of(seat)]
    vehicles = sum(game.content.units[k].kind == "vehicle" for k in kinds)
    limits = game.content.limits
    return len(kinds) <= limits.capacity_units and vehicles <= limits.capacity_vehicles


def may_stop(game: Game, space: int, seat: int, kind: UnitType) -> bool:
    """A Unit of a type that comes from elsewhere may end a Move or be Deployed here (M2, R2)."""
    here = game.spaces[space]
    if here.impassable or here.ship is not None:  # M2.1, M2.4, M2.5, R2.2
        return False
    if not has_room(game, space, seat, [kind]):  # M2.2, R2.3
        return False
    enemies = {u.owner for u in here.others(seat)}
    if not enemies or here.of(seat):  # alone, or joining a Combat of the own Faction (M2.8, R2.6)
        return True
    # Onto enemies only with Engage (M2.6, M2.7), never into a Combat of two others (M2.9).
    return len(enemies) == 1 and game.content.units[kind].engage


def _may_pass(game: Game, space: int, seat: int) -> bool:
    """A walk of the player's Troops and Vehicles may lead through here (M2.1 to M2.5, M2.9)."""
    here = game.spaces[space]
    ship = here.ship
    return not here.impassable and (ship is None or ship.owner == seat) and not here.others(seat)


def _walks(game: Game, start: int, seat: int, most: int) -> dict[int, int]:
    """Fewest steps of a walk from ``start`` to every space within ``most``, passable in between (M1, M2).

    Steps lead to adjacent spaces, TUNLs included (P4.5). The start itself has 0.
    """
    steps = {start: 0}
    edge = [start]
    for length in range(1, most + 1):
        edge = sorted({n for s in edge for n in neighbours(game, s, tunl=True)} - steps.keys())
        steps.update(dict.fromkeys(edge, length))
        edge = [s for s in edge if _may_pass(game, s, seat)]
    return steps


def _jumps(game: Game, start: int, most: int) -> dict[int, int]:
    """Fewest steps by side and arrow over anything (M5.1, M5.3); no TUNL (M3.2)."""
    steps = {start: 0}
    edge = [start]
    for length in range(1, most + 1):
        edge = sorted({n for s in edge for n in game.map.adjacent[s]} - steps.keys())
        steps.update(dict.fromkeys(edge, length))
    return steps


def _walk_ends(game: Game, unit: Unit) -> list[int]:
    """Legal ends of a Move, the own space included (M1.1)."""
    most = game.content.units[unit.type].movement
    reached = _walks(game, unit.place, unit.owner, most)
    return [s for s in sorted(reached) if s == unit.place or may_stop(game, s, unit.owner, unit.type)]


def _jump_ends(game: Game, unit: Unit) -> list[int]:
    """Legal ends of a Jumpjet Move, the own space included (M5.1, M5.2)."""
    most = game.content.units[unit.type].movement
    reached = _jumps(game, unit.place, most)
    return [s for s in sorted(reached) if s == unit.place or may_stop(game, s, unit.owner, unit.type)]


def _walk_tokens(game: Game, unit: Unit, end: int) -> list[int]:
    """Spaces of the Relic Tokens that some walk to ``end`` can collect (M6.2, M6.6, RUL-M2, RUL-M13)."""
    most = game.content.units[unit.type].movement
    start, seat = unit.place, unit.owner
    found = []
    to_there = _walks(game, start, seat, most)
    for space in (s.number for s in game.spaces if s.token):
        if space != end and space != start and not _may_pass(game, space, seat):
            continue
        if space == start:
            # Out to a passable space and back.
            out = any(_may_pass(game, n, seat) for n in neighbours(game, start, tunl=True))
            there = 2 if out else most + 1
        else:
            there = to_there.get(space, most + 1)
        if there > most:
            continue
        onward = 0 if space == end else _walks(game, space, seat, most).get(end, most + 1)
        if there + onward <= most:
            found.append(space)
    return found


def _jump_tokens(game: Game, unit: Unit, end: int) -> list[int]:
    """A jump collects only where it lands (M5.4); landing where it started takes two steps (M6.6)."""
    if not game.spaces[end].token:
        return []
    if end == unit.place and game.content.units[unit.type].movement < 2:
        return []
    return [end]


# ---------------------------------------------------------------------- Troops and Vehicles
def move(game: Game, unit: Unit) -> Flow[None]:
    """A Move of a Troop or Vehicle (A0.1)."""
    ends = _walk_ends(game, unit)
    end = yield from choose_space(game, unit.owner, DecisionKind.MOVE_TO, ends)
    assert end is not None
    yield from _arrive(game, unit, end, _walk_tokens(game, unit, end))


def jump(game: Game, unit: Unit) -> Flow[None]:
    """A Jumpjet Move (A0.2); its Tremor is for whoever performs it (M5.5)."""
    ends = _jump_ends(game, unit)
    end = yield from choose_space(game, unit.owner, DecisionKind.MOVE_TO, ends)
    assert end is not None
    yield from _arrive(game, unit, end, _jump_tokens(game, unit, end))


def _arrive(
    game: Game, unit: Unit, end: int, tokens: list[int], *, ship_space: int | None = None
) -> Flow[None]:
    """The Unit is put where its Move ends; then the Relic Card of a collected token is gained (RUL-M2)."""
    token = yield from _ask_token(game, unit.owner, tokens)
    if end == ship_space:
        board_ship(game, unit, end)
    else:
        move_units(game, [unit], end)
    if token is not None:
        take_token(game, token, unit.owner)
        yield from gain_relic(game, unit.owner)


def _ask_token(game: Game, seat: int, tokens: list[int]) -> Flow[int | None]:
    """Picking up is never compulsory (M6.1, RUL-M1)."""
    if not tokens:
        return None
    return (yield from choose_space(game, seat, DecisionKind.TAKE_TOKEN, tokens, done=True))


def offer_token(game: Game, seat: int, space: int) -> Flow[None]:
    """Units that entered a space outside a Move may pick up its token; the card is gained at once (M6.7)."""
    if game.spaces[space].token:
        token = yield from _ask_token(game, seat, [space])
        if token is not None:
            take_token(game, token, seat)
            yield from gain_relic(game, seat)


# ---------------------------------------------------------------------- Ships
def ship_spaces(game: Game, ship: Unit, closed: Iterable[int] = ()) -> list[int]:
    """Spaces a Ship may move to at all (M4.1, M4.2), except those ``closed``."""
    shut = set(closed)
    return [s.number for s in game.spaces if not s.impassable and s.ship is None and s.number not in shut]


def ship_move(game: Game, ship: Unit) -> Flow[None]:
    """The Ship's Move: one adjacent space, or none (M4.3, A7.3)."""
    ends = [s for s in game.map.adjacent[ship.place] if s in ship_spaces(game, ship)]
    end = yield from choose_space(game, ship.owner, DecisionKind.MOVE_TO, [ship.place, *ends])
    assert end is not None
    if end == ship.place:
        move_units(game, [ship], end)
    else:
        ship_enters(game, ship, end)


def stabilize_move(game: Game, ship: Unit) -> Flow[int | None]:
    """The move of Stabilize, to an adjacent or else a nearest legal space (A7.2, M4.4); the space left."""
    ends = nearest(game, ship.place, ship_spaces(game, ship))
    if not ends:
        return None
    left = ship.place
    end = yield from choose_space(game, ship.owner, DecisionKind.MOVE_TO, ends)
    assert end is not None
    ship_enters(game, ship, end)
    return left


# ---------------------------------------------------------------------- Move 3 Units
def move_several(game: Game, seat: int, most: int) -> Flow[None]:
    """Up to ``most`` different Unlocked Units perform one Move each; the Ship may be one (N3.4)."""
    for _ in range(most):
        ship = game.ship(seat)
        able = [u for u in game.unlocked(seat) + ([ship] if ship else []) if Mark.ACTED not in u.marks]
        unit = yield from choose_unit(game, seat, able)
        if unit is None:
            break
        unit.marks.add(Mark.ACTED)
        yield from ship_move(game, unit) if unit.is_ship else move(game, unit)
    game.unmark(Mark.ACTED)


def choose_unit(game: Game, seat: int, able: list[Unit]) -> Flow[Unit | None]:
    """ACT_SPACE (or DONE), then ACT_TYPE, among Units that are all able to act."""
    if not able:
        return None
    space = yield from choose_space(game, seat, DecisionKind.ACT_SPACE, {u.place for u in able}, done=True)
    if space is None:
        return None
    here = [u for u in able if u.place == space]
    kind = yield from choose_type(game, seat, DecisionKind.ACT_TYPE, {u.type for u in here})
    assert kind is not None
    return fewest_marks(here, kind)


# ---------------------------------------------------------------------- Evacuate
def perform_evacuate(game: Game, seat: int) -> Flow[None]:
    """Every Unlocked Troop and Vehicle, one at a time, may Move toward the own Ship (A7.6 to A7.12)."""
    from cysmic_fast.reference.cysmograph import icon_tremor

    while True:
        able = [u for u in game.unlocked(seat) if Mark.EVACUATED not in u.marks and any(_ways_home(game, u))]
        unit = yield from choose_unit(game, seat, able)
        if unit is None:
            break
        unit.marks.add(Mark.EVACUATED)
        ship = game.ship(seat)
        assert ship is not None
        walks, jumps = _ways_home(game, unit)
        end = yield from choose_space(game, seat, DecisionKind.MOVE_TO, {*walks, *jumps})
        assert end is not None
        by_jump = end in jumps
        if end in walks and by_jump:
            modes = [ACTION + CardAction.MOVE, ACTION + CardAction.JUMPJET]
            mode = yield from choose(game, seat, DecisionKind.MOVE_MODE, modes)
            by_jump = mode == ACTION + CardAction.JUMPJET
        tokens = _jump_tokens(game, unit, end) if by_jump else _walk_tokens(game, unit, end)
        yield from _arrive(game, unit, end, tokens, ship_space=ship.place)
        if by_jump:
            yield from icon_tremor(game, seat, CardAction.JUMPJET)
    game.unmark(Mark.EVACUATED)


def _ways_home(game: Game, unit: Unit) -> tuple[list[int], list[int]]:
    """Ends of an evacuating Move by walk and by jump: the own Ship, or strictly nearer to it (A7.7)."""
    ship = game.ship(unit.owner)
    if ship is None:
        return [], []
    most = game.content.units[unit.type].movement
    distance = _distances(game, ship.place)
    here = distance.get(unit.place)

    def good(end: int) -> bool:
        if end == ship.place:
            return True
        if end == unit.place or end not in distance or not may_stop(game, end, unit.owner, unit.type):
            return False
        return here is None or distance[end] < here

    walks = [s for s in _walks(game, unit.place, unit.owner, most) if good(s)]
    jumps: list[int] = []
    if game.content.units[unit.type].jumpjet:
        jumps = [s for s in _jumps(game, unit.place, most) if good(s)]
    return walks, jumps


def _distances(game: Game, goal: int) -> dict[int, int]:
    """Fewest steps to ``goal`` over spaces that are not impassable, Units and Ships ignored (A7.10)."""
    steps = {goal: 0}
    edge = [goal]
    while edge:
        length = steps[edge[0]] + 1
        edge = sorted({n for s in edge for n in neighbours(game, s, tunl=True)} - steps.keys())
        edge = [s for s in edge if not game.spaces[s].impassable]
        steps.update(dict.fromkeys(edge, length))
    return steps
