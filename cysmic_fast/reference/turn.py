"""Chapter T: turns, rounds, cycles."""

from __future__ import annotations

from cysmic_fast.content.effect_words import Denial, LimitOf, Mod, Once, Trigger
from cysmic_fast.reference import grants, knowledge
from cysmic_fast.reference.bonus import bonus_step
from cysmic_fast.reference.commands import resolve_command
from cysmic_fast.reference.construction import fits_cells
from cysmic_fast.reference.decision import CHECKPOINT, Flow, choose
from cysmic_fast.reference.frame import Happening
from cysmic_fast.reference.goods import (
    DISCOVERY,
    captive_id,
    discard,
    find_captive,
    give_up_relic,
    lose_lorium,
    pay_lorium,
    relic_options,
    relic_window,
)
from cysmic_fast.reference.influence import lorium_capacity
from cysmic_fast.reference.launch import LAUNCHED, OUT_OF_ROUNDS, anyone_launched, launch_step
from cysmic_fast.reference.model import Game, Phase
from cysmic_fast.reference.modifiers import denied, limit, mods
from cysmic_fast.reference.payment import Piece, choose_piece, hand_over, pieces_left
from cysmic_fast.reference.setup import place_pieces, prepare
from cysmic_fast.reference.units import free_captive
from cysmic_fast.reference.windows import fire, reset_once
from cysmic_fast.vocabulary import (
    CARD,
    COMMAND,
    DONE,
    RESOURCE,
    CommandCard,
    DecisionKind,
    EventKind,
    Resource,
)

__all__ = ["play"]


def play(game: Game) -> Flow[None]:
    """The game from wherever it stands to its end (T1)."""
    if game.phase == Phase.START:
        yield CHECKPOINT
        yield from prepare(game)
        game.phase = Phase.SHIPS
    if game.phase == Phase.SHIPS:
        game.active = game.first_player
        game.fresh = True
        yield CHECKPOINT
        yield from place_pieces(game)
        game.phase = Phase.TURN
    while not game.over:
        yield CHECKPOINT
        yield from _turn(game, game.active)
        if not game.over:
            _next_turn(game)


# ---------------------------------------------------------------------- one turn
def _turn(game: Game, seat: int) -> Flow[None]:
    """Steps 1 to 7 (T1.1)."""
    game.fresh = True
    game.bonus_actions = 0
    reset_once(game, Once.TURN, game.seats)
    reset_once(game, Once.ROUND, [seat])
    grants.turn_of(game, seat)
    game.emit(EventKind.TURN, seat, game.round, game.column + 1)
    yield from fire(game, Happening(Trigger.TURN_START, seat))
    yield from relic_window(game, seat)
    yield from _reclaim(game, seat)
    card = yield from _burn_and_play(game, seat)
    if card is not None:
        yield from resolve_command(game, seat, card, played=True)
        yield from bonus_step(game, seat)
    yield from fire(game, Happening(Trigger.TURN_END, seat))
    yield from launch_step(game, seat)
    if not game.over:
        yield from _surplus(game)
    grants.end_of_turn(game)


def _reclaim(game: Game, seat: int) -> Flow[None]:
    """Give up a Relic Card, or what ``reclaim_with`` names, to take one Command Card back (T2)."""
    player = game.players[seat]
    prices = _reclaim_prices(game, seat)
    payments = relic_options(game, seat) + [RESOURCE + kind for kind in prices]
    if not player.on_board or not payments or denied(game, seat, Denial.RECLAIM):
        return
    options = [COMMAND + c for c in player.on_board]
    choice = yield from choose(game, seat, DecisionKind.RECLAIM, [DONE, *options])
    if choice == DONE:
        return
    card = CommandCard(choice - COMMAND)
    choice = yield from choose(game, seat, DecisionKind.RECLAIM_RELIC, payments)
    if choice == RESOURCE + Resource.LORIUM:
        pay_lorium(game, seat, prices[Resource.LORIUM])
    elif choice == RESOURCE + Resource.DISCOVERY:
        chosen: list[Piece] = []
        for _ in range(prices[Resource.DISCOVERY]):
            left = pieces_left(game, seat, Resource.DISCOVERY, chosen)
            chosen.append((yield from choose_piece(game, seat, seat, left)))
        yield from hand_over(game, seat, chosen, None)
    else:
        give_up_relic(game, seat, choice)
    game.players[seat].take_back(card)
    knowledge.taken_back(game, seat)


def _reclaim_prices(game: Game, seat: int) -> dict[Resource, int]:
    """Other prices the player can pay for a Reclaim: of several for one kind the lowest."""
    player = game.players[seat]
    have = {Resource.LORIUM: player.total_lorium, Resource.DISCOVERY: len(player.discovery)}
    prices: dict[Resource, int] = {}
    for m in mods(game, seat, Mod.RECLAIM_WITH):
        assert m.res is not None
        kind = Resource(m.res)
        prices[kind] = min(m.n, prices.get(kind, m.n))
    return {kind: n for kind, n in sorted(prices.items()) if n <= have[kind]}


def _burn_and_play(game: Game, seat: int) -> Flow[CommandCard | None]:
    """Burn one card, Play another (T3); None if there is none to Play (T3.6)."""
    player = game.players[seat]
    if len(player.hand) >= 2:
        choice = yield from choose(game, seat, DecisionKind.BURN, [COMMAND + c for c in player.hand])
        burned = CommandCard(choice - COMMAND)
        player.hand.remove(burned)
        player.burned[game.column] = burned
        knowledge.burned(game, seat, game.column)
    if not player.hand:
        return None
    choice = yield from choose(game, seat, DecisionKind.PLAY, [COMMAND + c for c in player.hand])
    played = CommandCard(choice - COMMAND)
    player.hand.remove(played)
    player.played[game.column] = played
    knowledge.shown(game, seat, played)
    return played


def _surplus(game: Game) -> Flow[None]:
    """Step 7: everybody discards down to the limits (T7)."""
    limits = game.content.limits
    for seat in game.clockwise(game.active):
        player = game.players[seat]
        most = max(0, limits.discovery_hand + limit(game, seat, LimitOf.DISCOVERY))
        while len(player.discovery) > most:
            options = [CARD + d for d in player.discovery]
            card = (yield from choose(game, seat, DecisionKind.DISCARD_DISCOVERY, options)) - CARD
            player.discovery.remove(card)
            discard(game, seat, DISCOVERY, card)
            knowledge.opened(game, seat, DISCOVERY, card)
        while len(player.relics) + len(player.active_relics) > limits.relics:
            choice = yield from choose(game, seat, DecisionKind.DISCARD_RELIC, relic_options(game, seat))
            give_up_relic(game, seat, choice)
        capacity = lorium_capacity(game, seat)
        if capacity is not None and player.lorium > capacity:  # stored Lorium does not count (N2.6)
            lose_lorium(game, seat, player.lorium - capacity)
        while not fits_cells(game, seat):
            options = [captive_id(u) for u in game.captives(seat)]
            choice = yield from choose(game, seat, DecisionKind.DISCARD_CAPTIVE, options)
            free_captive(game, find_captive(game, seat, choice))


# ---------------------------------------------------------------------- from turn to turn
def _next_turn(game: Game) -> None:
    """Who is next; the end of a round, a cycle, the game (T1.2 to T1.9, L4)."""
    simultaneous = game.options.end_trigger == "simultaneous" and anyone_launched(game)
    if simultaneous:
        game.final_turns = [s for s in game.final_turns if s != game.active]
        if not game.final_turns:
            game.finish(LAUNCHED)
            return
    if all(p.launched for p in game.players):
        game.finish(LAUNCHED)
        return
    seat = game.active
    while True:
        seat = (seat + 1) % len(game.players)
        if seat == game.first_player:
            _end_round(game, final=simultaneous)
            if game.over:
                return
            seat = game.first_player
        # A Launched player takes no further turn (L4.7).
        if not game.players[seat].launched and (not simultaneous or seat in game.final_turns):
            game.active = seat
            return
        grants.turn_of(game, seat)  # its next turn would start now


def _end_round(game: Game, *, final: bool) -> None:
    """After the last turn of a round (T1.3, T1.4, T1.6, T1.9, L4.5)."""
    if game.options.end_trigger == "equality" and anyone_launched(game):
        game.finish(LAUNCHED)
        return
    if game.round >= game.options.rounds_cap(game.content) and not final:
        game.finish(OUT_OF_ROUNDS)
        return
    columns = game.content.limits.columns
    if game.round % columns == 0:
        game.emit(EventKind.RESET, -1, game.round // columns)
        reset_once(game, Once.CYCLE, game.seats)
        for player in game.players:
            player.hand.update(player.on_board)
            player.burned = [None] * columns
            player.played = [None] * columns
        knowledge.reset(game)
        if not final:  # in final turns a change of First Player is ignored (RUL-L6)
            game.first_player = game.marker
    game.round += 1
