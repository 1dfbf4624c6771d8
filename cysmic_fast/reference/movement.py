"""Chapter M: where Units may go, and the Move actions."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from cysmic_fast.content.effect_words import Denial, Kind, MoveMode, TremorAction, UnitAbility
from cysmic_fast.reference.decision import Flow, choose, choose_space, choose_type
from cysmic_fast.reference.model import Game, Mark, Unit
from cysmic_fast.reference.modifiers import denied, has_ability, movement, no_tremor, passes
from cysmic_fast.reference.planet import nearest, neighbours
from cysmic_fast.reference.rest import ask_token, collect, ship_enters, unit_rests
from cysmic_fast.reference.units import board_ship, fewest_marks, move_units
from cysmic_fast.vocabulary import ACTION, CardAction, DecisionKind, Feature, UnitType

__all__ = [
    "adjacent_to",
    "can_jump",
    "choose_unit",
    "has_room",
    "jump",
    "jump_ends",
    "jump_tremor",
    "may_stop",
    "move",
    "move_several",
    "perform_evacuate",
    "ship_move",
    "ship_spaces",
    "stabilize_move",
    "steer",
    "walk_ends",
    "ways_home",
]


# ---------------------------------------------------------------------- legality
def adjacent_to(game: Game, space: int, seat: int) -> list[int]:
    """Spaces adjacent for a player's Troops and Vehicles, TUNLs included unless denied (P4.5)."""
    return neighbours(game, space, tunl=not denied(game, seat, Denial.TUNL))


def can_jump(game: Game, unit: Unit) -> bool:
    """The Unit has Jumpjets, its own or gained, and its owner may jump (M5.6)."""
    jumpjets = has_ability(game, unit.owner, unit.type, UnitAbility.JUMPJET)
    return jumpjets and not denied(game, unit.owner, Denial.JUMPJET)


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
    return len(enemies) == 1 and has_ability(game, seat, kind, UnitAbility.ENGAGE)


def _may_pass(game: Game, space: int, seat: int, through: Collection[Feature] = ()) -> bool:
    """A walk of the player's Troops and Vehicles may lead through here (M2.1 to M2.5, M2.9).

    ``through``: obstacles that the modifier ``pass`` opens.
    """
    here = game.spaces[space]
    ship = here.ship
    barred = here.impassable and here.feature not in through
    return not barred and (ship is None or ship.owner == seat) and not here.others(seat)


def _walks(game: Game, start: int, seat: int, most: int, through: Collection[Feature] = ()) -> dict[int, int]:
    """Fewest steps of a walk from ``start`` to every space within ``most``, passable in between (M1, M2).

    Steps lead to adjacent spaces, TUNLs included (P4.5). The start itself has 0.
    """
    tunl = not denied(game, seat, Denial.TUNL)
    steps = {start: 0}
    edge = [start]
    for length in range(1, most + 1):
        edge = sorted({n for s in edge for n in neighbours(game, s, tunl=tunl)} - steps.keys())
        steps.update(dict.fromkeys(edge, length))
        edge = [s for s in edge if _may_pass(game, s, seat, through)]
    return steps


def _jumps(game: Game, start: int, most: int) -> dict[int, int]:
    """Fewest steps by side and arrow over anything (M5.1, M5.3); no TUNL (M3.2)."""
    steps = {start: 0}
    edge = [start]
    for length in range(1, most + 1):
        edge = sorted({n for s in edge for n in game.map.adjacent[s]} - steps.keys())
        steps.update(dict.fromkeys(edge, length))
    return steps


def _walking(game: Game, unit: Unit) -> int:
    return movement(game, unit, MoveMode.WALK)


def _jumping(game: Game, unit: Unit) -> int:
    return movement(game, unit, MoveMode.JUMP)


def walk_ends(game: Game, unit: Unit, most: int | None = None) -> list[int]:
    """Legal ends of a walk of at most ``most`` spaces (None: its Movement), the own space included (M1.1)."""
    most = _walking(game, unit) if most is None else most
    reached = _walks(game, unit.place, unit.owner, most, passes(game, unit.owner, unit.type))
    return [s for s in sorted(reached) if s == unit.place or may_stop(game, s, unit.owner, unit.type)]


def jump_ends(game: Game, unit: Unit, most: int | None = None) -> list[int]:
    """Legal ends of a jump, the own space included (M5.1, M5.2)."""
    reached = _jumps(game, unit.place, _jumping(game, unit) if most is None else most)
    return [s for s in sorted(reached) if s == unit.place or may_stop(game, s, unit.owner, unit.type)]


def walk_tokens(game: Game, unit: Unit, end: int, most: int | None = None) -> list[int]:
    """Spaces of the Relic Tokens that some walk to ``end`` can collect (M6.2, M6.6, RUL-M2, RUL-M13)."""
    most = _walking(game, unit) if most is None else most
    start, seat = unit.place, unit.owner
    through = passes(game, seat, unit.type)
    found = []
    to_there = _walks(game, start, seat, most, through)
    for space in (s.number for s in game.spaces if s.token):
        if space != end and space != start and not _may_pass(game, space, seat, through):
            continue
        if space == start:
            # Out to a passable space and back.
            out = any(_may_pass(game, n, seat, through) for n in adjacent_to(game, start, seat))
            there = 2 if out else most + 1
        else:
            there = to_there.get(space, most + 1)
        if there > most:
            continue
        onward = 0 if space == end else _walks(game, space, seat, most, through).get(end, most + 1)
        if there + onward <= most:
            found.append(space)
    return found


def jump_tokens(game: Game, unit: Unit, end: int, most: int | None = None) -> list[int]:
    """A jump collects only where it lands (M5.4); landing where it started takes two steps (M6.6)."""
    if not game.spaces[end].token:
        return []
    if end == unit.place and (_jumping(game, unit) if most is None else most) < 2:
        return []
    return [end]


# ---------------------------------------------------------------------- Troops and Vehicles
def move(game: Game, unit: Unit) -> Flow[None]:
    """A Move of a Troop or Vehicle (A0.1)."""
    end = yield from choose_space(
        game, unit.owner, DecisionKind.MOVE_TO, walk_ends(game, unit), unit=unit.type
    )
    assert end is not None
    yield from arrive(game, unit, end, walk_tokens(game, unit, end), Kind.MOVE, unit.owner)


def jump(game: Game, unit: Unit) -> Flow[None]:
    """A Jumpjet Move (A0.2); its Tremor is for whoever performs it (M5.5)."""
    end = yield from choose_space(
        game, unit.owner, DecisionKind.MOVE_TO, jump_ends(game, unit), unit=unit.type
    )
    assert end is not None
    yield from arrive(game, unit, end, jump_tokens(game, unit, end), Kind.JUMPJET, unit.owner)


def steer(
    game: Game,
    unit: Unit,
    performer: int,
    cause: int,
    walks: Collection[int],
    jumps: Collection[int],
    *,
    most: int | None = None,
    ship_space: int | None = None,
) -> Flow[tuple[int, bool]]:
    """Choose end and mode of a Move and perform it; the end, and whether it was a jump.

    ``most``: spaces of the Move, None: the Movement. A Move steered by another player collects only a token
    on its last space, and the Unit's owner decides (M7.3, RUL-M14).
    """
    end = yield from choose_space(game, performer, DecisionKind.MOVE_TO, {*walks, *jumps}, unit=unit.type)
    assert end is not None
    jumped = end not in walks
    if end in walks and end in jumps and end != unit.place:
        modes = [ACTION + CardAction.MOVE, ACTION + CardAction.JUMPJET]
        mode = yield from choose(game, performer, DecisionKind.MOVE_MODE, modes)
        jumped = mode == ACTION + CardAction.JUMPJET
    tokens = jump_tokens(game, unit, end, most) if jumped else walk_tokens(game, unit, end, most)
    if performer != unit.owner:
        tokens = [t for t in tokens if t == end]
    kind = Kind.JUMPJET if jumped else Kind.MOVE
    yield from arrive(game, unit, end, tokens, kind, cause, ship_space=ship_space)
    return end, jumped


def arrive(
    game: Game,
    unit: Unit,
    end: int,
    tokens: list[int],
    kind: Kind,
    cause: int,
    *,
    ship_space: int | None = None,
) -> Flow[None]:
    """The Unit is put where its Move ends; a token's Relic Card is gained; then it rests (RUL-M2, V7.8)."""
    token = yield from ask_token(game, unit.owner, tokens)
    start, began = unit.place, False
    if end == ship_space:
        board_ship(game, unit, end)
    else:
        quiet = game.spaces[end].attacker is None
        move_units(game, [unit], end)
        began = quiet and game.spaces[end].attacker is not None
    if token is not None:
        yield from collect(game, unit.owner, token)
    if end not in (start, ship_space):
        yield from unit_rests(game, unit, end, kind, cause, began=began)


def jump_tremor(game: Game, unit: Unit, cause: int, *, drawer: int | None = None) -> Flow[None]:
    """The Tremor after a jump (M5.5), unless the owner's Units jump without."""
    from cysmic_fast.reference.cysmograph import icon_tremor

    if not no_tremor(game, unit.owner, TremorAction.JUMPJET):
        yield from icon_tremor(game, cause, CardAction.JUMPJET, drawer=drawer)


# ---------------------------------------------------------------------- Ships
def ship_spaces(game: Game, ship: Unit, closed: Iterable[int] = ()) -> list[int]:
    """Spaces a Ship may move to at all (M4.1, M4.2): not ``closed``, not collapsing now (C79)."""
    shut = game.collapsing.union(closed)
    return [s.number for s in game.spaces if not s.impassable and s.ship is None and s.number not in shut]


def ship_ends(game: Game, ship: Unit) -> list[int]:
    """Adjacent spaces a Ship may move to (M4.3)."""
    legal = set(ship_spaces(game, ship))
    return [s for s in game.map.adjacent[ship.place] if s in legal]


def ship_move(game: Game, ship: Unit) -> Flow[None]:
    """The Ship's Move: one adjacent space, or none (M4.3, A7.3)."""
    yield from steer_ship(game, ship, ship.owner, ship.owner, [ship.place, *ship_ends(game, ship)])


def steer_ship(game: Game, ship: Unit, performer: int, cause: int, ends: Iterable[int]) -> Flow[bool]:
    """Choose where a Ship goes; staying is no entering. False if it could not go there any more."""
    end = yield from choose_space(game, performer, DecisionKind.MOVE_TO, ends, unit=ship.type)
    assert end is not None
    if end == ship.place:
        move_units(game, [ship], end)
        return True
    return (yield from ship_enters(game, ship, end, Kind.MOVE, cause))


def stabilize_move(game: Game, ship: Unit) -> Flow[int | None]:
    """The move of Stabilize, to an adjacent or else a nearest legal space (A7.2, M4.4); the space left."""
    ends = nearest(game, ship.place, ship_spaces(game, ship))
    if not ends:
        return None
    left = ship.place
    moved = yield from steer_ship(game, ship, ship.owner, ship.owner, ends)
    return left if moved else None


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
    while True:
        able = [u for u in game.unlocked(seat) if Mark.LISTED not in u.marks and any(ways_home(game, u))]
        unit = yield from choose_unit(game, seat, able)
        if unit is None:
            break
        unit.marks.add(Mark.LISTED)
        ship = game.ship(seat)
        assert ship is not None
        walks, jumps = ways_home(game, unit)
        _, jumped = yield from steer(game, unit, seat, seat, walks, jumps, ship_space=ship.place)
        if jumped:
            yield from jump_tremor(game, unit, seat)
    game.unmark(Mark.LISTED)


def ways_home(game: Game, unit: Unit, most: int | None = None) -> tuple[list[int], list[int]]:
    """Ends of an evacuating Move by walk and by jump: the own Ship, or strictly nearer to it (A7.7)."""
    ship = game.ship(unit.owner)
    if ship is None:
        return [], []
    distance = _distances(game, ship.place, unit.owner)
    here = distance.get(unit.place)

    def good(end: int) -> bool:
        if end == ship.place:
            return True
        if end == unit.place or end not in distance or not may_stop(game, end, unit.owner, unit.type):
            return False
        return here is None or distance[end] < here

    spaces = _walking(game, unit) if most is None else most
    through = passes(game, unit.owner, unit.type)
    walks = [s for s in _walks(game, unit.place, unit.owner, spaces, through) if good(s)]
    jumps: list[int] = []
    if can_jump(game, unit):
        spaces = _jumping(game, unit) if most is None else most
        jumps = [s for s in _jumps(game, unit.place, spaces) if good(s)]
    return walks, jumps


def _distances(game: Game, goal: int, seat: int) -> dict[int, int]:
    """Fewest steps to ``goal`` over spaces that are not impassable, Units and Ships ignored (A7.10)."""
    steps = {goal: 0}
    edge = [goal]
    while edge:
        length = steps[edge[0]] + 1
        edge = sorted({n for s in edge for n in adjacent_to(game, s, seat)} - steps.keys())
        edge = [s for s in edge if not game.spaces[s].impassable]
        steps.update(dict.fromkeys(edge, length))
    return steps
