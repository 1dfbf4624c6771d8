"""Chapter S: set-up."""

from __future__ import annotations

from cysmic_fast.reference import knowledge
from cysmic_fast.reference.decision import Flow, choose, choose_space
from cysmic_fast.reference.goods import (
    DISCOVERY,
    RELIC,
    draw_discovery,
    gain_lorium,
    gain_relic,
    shuffle_pile,
)
from cysmic_fast.reference.hexmap import SIDES, is_inner, locate
from cysmic_fast.reference.influence import control
from cysmic_fast.reference.model import TROOPS, Game, Unit, Where
from cysmic_fast.reference.recruit import deploy
from cysmic_fast.reference.units import ship_lands
from cysmic_fast.vocabulary import CARD, MODULE, ChanceKind, DecisionKind, Feature

__all__ = ["place_pieces", "prepare", "remove_missing"]


def prepare(game: Game) -> Flow[None]:
    """Everything up to the first Ship, in the order of S4.14."""
    _lay_planet(game)
    _shuffle_decks(game)
    remove_missing(game, game.options.echoes)
    yield from _choose_factions(game)
    _choose_first_player(game)
    yield from _hand_out_blueprints(game)
    for seat in game.clockwise(game.first_player):
        yield from _starting_resources(game, seat)
    if game.options.events:  # (S3.6)
        cards = [*game.discovery.draw, *game.content.event_deck()]
        game.discovery.draw = shuffle_pile(game, DISCOVERY, cards)
        knowledge.shuffled_whole(game, DISCOVERY)


def place_pieces(game: Game) -> Flow[None]:
    """Ships, Starting Habitats, Starting Units (S4.8 to S4.15)."""
    order = game.clockwise(game.first_player)
    for seat in order:
        yield from _place_ship(game, seat)
    for seat in order:
        yield from _starting_habitats(game, seat)
    for seat in order:
        yield from _starting_units(game, seat)


# ---------------------------------------------------------------------- table
def _lay_planet(game: Game) -> None:
    """The tiles of each terrain at random within its wedge (S2.4 to S2.6)."""
    tiles = [int(feature) for feature, count in game.content.planet.tiles for _ in range(count)]
    names = [Feature(t).name.lower() for t in tiles]
    for terrain in range(len(game.content.planet.terrains)):
        first, rest = game.shuffled(ChanceKind.TERRAIN_LAYOUT, tiles, names, terrain)
        for space, tile in zip(game.wedge(terrain), first + rest, strict=True):
            game.spaces[space].feature = Feature(tile)


def _shuffle_decks(game: Game) -> None:
    """Both decks, still without Planetary Events (S3.3 to S3.8)."""
    options, content = game.options, game.content
    game.discovery.draw = shuffle_pile(game, DISCOVERY, content.discovery_deck(options.molten_core, False))
    game.relics.draw = shuffle_pile(game, RELIC, content.relic_deck(options.molten_core))


def remove_missing(game: Game, missing: tuple[tuple[int, ...], ...]) -> None:
    """Echoes of Humanity: these pieces, by seat and type, are outside the game (L5, RUL-L9)."""
    for seat, counts in enumerate(missing):
        for kind, count in enumerate(counts):
            pieces: list[Unit] = [u for u in game.army(seat) if u.type == kind and u.where == Where.RESERVE]
            for unit in pieces[:count]:
                unit.where = Where.GONE


# ---------------------------------------------------------------------- players
def _choose_factions(game: Game) -> Flow[None]:
    """Deal Factions, every player keeps one without knowing the others' choices (S4.4, S4.5, RUL-S13)."""
    if not game.options.factions:
        return
    eligible = list(game.content.eligible_factions(len(game.players)))
    names = [game.content.factions[n].id for n in eligible]
    first, rest = game.shuffled(ChanceKind.FACTION_DEAL, eligible, names)
    dealt = first + rest
    each = game.content.limits.faction_deal
    game.knows.dealt = [dealt[each * seat : each * (seat + 1)] for seat in game.seats]
    for seat, cards in enumerate(game.knows.dealt):
        choice = yield from choose(game, seat, DecisionKind.CHOOSE_FACTION, [CARD + n for n in cards])
        game.players[seat].faction = choice - CARD


def _choose_first_player(game: Game) -> None:
    """The first First Player, at random, takes the Marker (S4.7)."""
    names = [p.colour.name.lower() for p in game.players]
    game.first_player = game.marker = game.active = game.draw_chance(ChanceKind.FIRST_PLAYER, names)
    game.stats.first_player = game.first_player


def _hand_out_blueprints(game: Game) -> Flow[None]:
    """Own colour and colours not in play start Acquired (S4.2); variant: own colour and chosen ones (S5)."""
    modules = game.content.modules
    in_play = {p.colour for p in game.players}
    spare = {i for i, m in enumerate(modules) if m.colour not in in_play}
    extra = game.options.blueprint_variant
    for player in game.players:
        player.acquired = {i for i, m in enumerate(modules) if m.colour == player.colour}
        if not extra:
            player.acquired |= spare
    for seat in game.clockwise(game.first_player):
        acquired = game.players[seat].acquired
        for _ in range(extra):
            options = [MODULE + m for m in spare - acquired]
            choice = yield from choose(game, seat, DecisionKind.CHOOSE_BLUEPRINT, options)
            acquired.add(choice - MODULE)


def _starting_resources(game: Game, seat: int) -> Flow[None]:
    """Lorium, Discovery Cards, Relic Cards of the Faction (S4.6); no Relic is Activated yet (RUL-S16)."""
    faction = game.faction(seat)
    gain_lorium(game, seat, faction.lorium)
    yield from draw_discovery(game, seat, faction.discovery)
    for _ in range(faction.relics):
        yield from gain_relic(game, seat, window=False)


# ---------------------------------------------------------------------- pieces
def _is_ship_start(game: Game, space: int) -> bool:
    """Inner spaces of a terrain, or by another ruling those of rings 1 to 3 (S4.8, S4.9, RUL-S1)."""
    spot = locate(space)
    if spot is None:
        return False
    if game.content.rulings.ship_start == "rings_1_3":
        return spot.ring <= 3
    return is_inner(space)


def _terrain(space: int) -> int:
    spot = locate(space)
    assert spot is not None
    return spot.terrain


def _place_ship(game: Game, seat: int) -> Flow[None]:
    """A terrain without a Ship, not Lake or Mountain (S4.8 to S4.10)."""
    ships = [game.ship(s) for s in game.seats]
    taken = {_terrain(ship.place) for ship in ships if ship is not None}
    spaces = [
        s.number
        for s in game.spaces
        if _is_ship_start(game, s.number) and not s.impassable and _terrain(s.number) not in taken
    ]
    space = yield from choose_space(game, seat, DecisionKind.PLACE_SHIP, spaces)
    assert space is not None
    ship = next(u for u in game.army(seat) if u.is_ship)
    ship_lands(game, ship, space)


def _starting_habitats(game: Game, seat: int) -> Flow[None]:
    """Of each listed value a nearest one in the terrain of the Ship; none left: forfeited (S4.15)."""
    ship = game.ship(seat)
    assert ship is not None
    steps = _side_steps(ship.place)
    home = game.wedge(_terrain(ship.place))
    for value in game.faction(seat).habitats:
        fitting = [
            s
            for s in home
            if game.is_habitat(s) and game.habitat_value(s) == value and game.spaces[s].control is None
        ]
        if not fitting:
            continue
        least = min(steps[s] for s in fitting)
        spaces = [s for s in fitting if steps[s] == least]
        space = yield from choose_space(game, seat, DecisionKind.STARTING_HABITAT, spaces)
        assert space is not None
        control(game, space, seat)  # (never more than there are Flags: the pack's validation sees to it)


def _side_steps(start: int) -> dict[int, int]:
    """Side-adjacent steps from a space to every other one."""
    steps = {start: 0}
    edge = [start]
    while edge:
        length = steps[edge[0]] + 1
        edge = sorted({n for s in edge for n in SIDES[s]} - steps.keys())
        steps.update(dict.fromkeys(edge, length))
    return steps


def _starting_units(game: Game, seat: int) -> Flow[None]:
    """In own Deploy Locations without enemy Units; what has no piece or place stays away (S4.11, L5.3)."""
    chosen: list[Unit] = []
    for kind, count in zip(TROOPS, game.faction(seat).units, strict=True):
        chosen += game.reserve(seat, kind)[:count]
    yield from deploy(game, seat, chosen, peaceful=True, quiet=True)
