"""Chapter N: the 29 Bonus Actions."""

from __future__ import annotations

from collections.abc import Iterable

from cysmic_fast.reference import cards
from cysmic_fast.reference.combat import flee_spaces, flee_without_strike, resolve
from cysmic_fast.reference.commands import (
    gather_lorium,
    gathering,
    one_action,
    resolve_command,
    take_marker,
    type_actions,
)
from cysmic_fast.reference.construction import can_ransom, construct_manually, payable, ransom
from cysmic_fast.reference.cyber import can_attack, cyber_attacks
from cysmic_fast.reference.decision import Flow, choose, choose_space, choose_type
from cysmic_fast.reference.goods import (
    captive_id,
    discard_slot,
    draw_discovery,
    find_captive,
    gain_lorium,
    gain_relic,
    pay_resource,
    resources,
)
from cysmic_fast.reference.hexmap import CENTRE
from cysmic_fast.reference.influence import gain_control
from cysmic_fast.reference.model import Game, Mark, Unit
from cysmic_fast.reference.movement import move_several
from cysmic_fast.reference.recruit import (
    can_deploy_troop,
    can_promote,
    can_upgrade,
    choose_troops,
    deploy,
    deploy_one,
    promote,
    upgrade,
)
from cysmic_fast.reference.units import capture, destroy, fewest_marks, free_captive, take_captive
from cysmic_fast.vocabulary import (
    ACTION,
    BONUS,
    COMMAND,
    DONE,
    NUMBER,
    PLAYER,
    SLOT,
    Bonus,
    CardAction,
    CommandCard,
    DecisionKind,
    Feature,
    Icon,
)

__all__ = ["bonus_possible", "bonus_step", "choose_bonus", "possible_cells"]


# ---------------------------------------------------------------------- choosing
def bonus_step(game: Game, seat: int, card: CommandCard) -> Flow[None]:
    """One Bonus Action of the current Column: an icon of the Played card, Grey included (T5.1 to T5.3)."""
    icons = (*game.content.commands[card].icons, Icon.GREY)
    cells = possible_cells(game, seat, icons, column=game.column + 1)
    yield from choose_bonus(game, seat, cells, optional=True)


def possible_cells(game: Game, seat: int, icons: Iterable[Icon], column: int | None) -> list[Bonus]:
    """Cells of some colours that can be chosen, in one Column or (None) in all; Grey is in every Column."""
    wanted = set(icons)
    return [
        spec.bonus
        for spec in game.content.bonus
        if spec.icon in wanted
        and (column is None or spec.icon == Icon.GREY or spec.column == column)
        and bonus_possible(game, seat, spec.bonus)
    ]


def choose_bonus(game: Game, seat: int, cells: list[Bonus], *, optional: bool) -> Flow[None]:
    """Choose a cell and perform it."""
    if not cells:
        return
    options = [BONUS + c for c in cells] + [DONE] * optional
    choice = yield from choose(game, seat, DecisionKind.BONUS, options)
    if choice == DONE:
        return
    game.bonus_actions += 1
    game.programs += 1
    yield from _perform(game, seat, Bonus(choice - BONUS))
    game.programs -= 1


# ---------------------------------------------------------------------- possible (N6.2)
def bonus_possible(game: Game, seat: int, cell: Bonus) -> bool:
    """The table of N6.2, and the caps on Bonus Actions in a turn and in progress."""
    limits = game.content.limits
    if game.bonus_actions >= limits.bonus_actions or game.programs > limits.programs - 2:
        return False
    player = game.players[seat]
    match cell:
        case Bonus.PLAY_CARD:
            return bool(player.discovery)
        case Bonus.GAIN_BLUEPRINT:
            return can_ransom(game, seat)
        case Bonus.CONSTRUCT:
            return bool(payable(game, seat, manual=True))
        case Bonus.RESOLVE_COMBAT:
            return bool(game.combats(seat))
        case Bonus.HAND_ACTION | Bonus.PLAYED_ACTION:
            return bool(_action_cards(game, seat, cell))
        case Bonus.DEPLOY_ONE | Bonus.DEPLOY_TWO:
            return can_deploy_troop(game, seat)
        case Bonus.DESTROY_TROOP | Bonus.CAPTURE_TROOP:
            return bool(_enemy_troops(game, seat))
        case Bonus.FREE_FLEE:
            return any(flee_spaces(game, s, seat) for s in game.combats(seat))
        case Bonus.RESCUE:
            return bool(_own_troops_held(game, seat))
        case Bonus.STORE_LORIUM:
            return player.lorium > 0 and bool(_store_slots(game, seat))
        case Bonus.PROMOTE:
            return can_promote(game, seat, locked=True)
        case Bonus.CYBER_ATTACK:
            return can_attack(game, seat)
        case Bonus.REACTIVATE_TACTIC | Bonus.REACTIVATE_UNIT:
            return bool(_earlier_cards(game, seat, cell))
        case Bonus.COLONY_CITY:
            city = game.spaces[CENTRE]
            there = city.feature == Feature.COLONY_CITY and city.control != seat
            return there and bool(resources(game, seat))
        case Bonus.STEAL_CAPTIVE:
            return bool(_third_party_troops(game, seat))
        case Bonus.DISCARD_RELIC:
            return any(p.active_relics for p in game.players)
        case Bonus.ANY_COMBAT:
            return bool(game.combats())
        case Bonus.UPGRADE_ONE:
            return can_upgrade(game, seat, locked=True)
        case Bonus.TAKE_MARKER:
            return game.marker != seat and bool(resources(game, seat))
        case Bonus.GATHER_LORIUM:
            return any(gathering(game, u) for u in game.unlocked(seat))
        case _:
            return True


def _action_cards(game: Game, seat: int, cell: Bonus) -> list[CommandCard]:
    """Unit cards in hand (N1.2) or face up (N3.2) with a possible Action."""
    player = game.players[seat]
    if cell == Bonus.HAND_ACTION:
        cards_ = sorted(player.hand)
    else:
        cards_ = [c for c in player.played if c is not None]
        if not game.content.rulings.reuse_this_turns_card:  # RUL-N1
            cards_ = [c for c in cards_ if c != player.played[game.column]]
    return [c for c in cards_ if type_actions(game, seat, c)]


def _earlier_cards(game: Game, seat: int, cell: Bonus) -> list[CommandCard]:
    """Face-up Tactic (N4.2) or Unit cards (N5.2) other than the one Played this turn."""
    kind = "tactic" if cell == Bonus.REACTIVATE_TACTIC else "unit"
    player = game.players[seat]
    face_up = [c for c in player.played if c is not None and c != player.played[game.column]]
    return [c for c in face_up if game.content.commands[c].kind == kind]


def _enemy_troops(game: Game, seat: int) -> list[Unit]:
    """Enemy Troops in Combats of the player (N2.1, N3.1)."""
    return [u for s in game.combats(seat) for u in game.spaces[s].others(seat) if u.is_troop]


def _own_troops_held(game: Game, seat: int) -> list[Unit]:
    """The player's Troops in opponents' Holding Areas (N2.4)."""
    return [u for s in game.seats for u in game.captives(s) if u.owner == seat and u.is_troop]


def _third_party_troops(game: Game, seat: int) -> list[Unit]:
    """Troops of a third player in opponents' Holding Areas (N4.4)."""
    return [u for s in game.seats if s != seat for u in game.captives(s) if u.owner != seat and u.is_troop]


def _store_slots(game: Game, seat: int) -> list[int]:
    """Slots that stored Lorium can go to (N2.5, RUL-N2)."""
    slots = game.players[seat].slots
    most = game.content.bonus[Bonus.STORE_LORIUM].amount
    empty = [i for i, s in enumerate(slots) if s.empty][:1]
    partly = [i for i, s in enumerate(slots) if 1 <= s.lorium < most]
    return empty + partly + ([] if empty else game.players[seat].active_relics)


# ---------------------------------------------------------------------- performing
def _perform(game: Game, seat: int, cell: Bonus) -> Flow[None]:
    """Every part that is not "up to" or "may" must be done (N6.5)."""
    amount = game.content.bonus[cell].amount
    match cell:
        case Bonus.PLAY_CARD:
            yield from cards.play_card(game, seat)
        case Bonus.GAIN_CARD | Bonus.TWO_CARDS:
            draw_discovery(game, seat, amount)
        case Bonus.GAIN_BLUEPRINT:
            yield from ransom(game, seat, optional=False)
        case Bonus.CONSTRUCT:
            yield from construct_manually(game, seat)
        case Bonus.RESOLVE_COMBAT:
            space = yield from choose_space(game, seat, DecisionKind.COMBAT, game.combats(seat))
            assert space is not None
            yield from resolve(game, space, seat)
        case Bonus.ANY_COMBAT:
            space = yield from choose_space(game, seat, DecisionKind.COMBAT, game.combats())
            assert space is not None
            attacker = game.spaces[space].attacker
            assert attacker is not None
            yield from resolve(game, space, attacker, captures=False)
        case Bonus.HAND_ACTION | Bonus.PLAYED_ACTION:
            yield from _one_action(game, seat, cell)
        case Bonus.DEPLOY_ONE:
            for _ in range(amount):
                yield from deploy_one(game, seat)
        case Bonus.TWO_LORIUM:
            gain_lorium(game, seat, amount)
        case Bonus.DESTROY_TROOP:
            destroy(game, [(yield from _target(game, seat))])
        case Bonus.CAPTURE_TROOP:
            capture(game, [(yield from _target(game, seat))], seat)
        case Bonus.FREE_FLEE:
            yield from flee_without_strike(game, seat)
        case Bonus.DEPLOY_TWO:
            chosen = yield from choose_troops(game, seat, None, amount)
            yield from deploy(game, seat, chosen)
        case Bonus.RESCUE:
            yield from _rescue(game, seat)
        case Bonus.STORE_LORIUM:
            yield from _store(game, seat, amount)
        case Bonus.PROMOTE:
            yield from promote(game, seat, locked=True)
        case Bonus.MOVE_THREE:
            yield from move_several(game, seat, amount)
        case Bonus.GAIN_RELIC:
            for _ in range(amount):
                yield from gain_relic(game, seat)
        case Bonus.CYBER_ATTACK:
            yield from cyber_attacks(game, seat, amount, optional=False)
        case Bonus.REACTIVATE_TACTIC | Bonus.REACTIVATE_UNIT:
            options = [COMMAND + c for c in _earlier_cards(game, seat, cell)]
            card = (yield from choose(game, seat, DecisionKind.COMMAND_CARD, options)) - COMMAND
            yield from resolve_command(game, seat, CommandCard(card), windows=False)  # (T8.3, T8.4)
        case Bonus.COLONY_CITY:
            yield from pay_resource(game, seat, None)
            yield from gain_control(game, CENTRE, seat)
        case Bonus.STEAL_CAPTIVE:
            yield from _steal(game, seat)
        case Bonus.DISCARD_RELIC:
            owners = [PLAYER + p.seat for p in game.players if p.active_relics]
            owner = (yield from choose(game, seat, DecisionKind.RELIC_OWNER, owners)) - PLAYER
            slots = [SLOT + i for i in game.players[owner].active_relics]
            slot = (yield from choose(game, seat, DecisionKind.RELIC_SLOT, slots)) - SLOT
            discard_slot(game, owner, slot)
        case Bonus.UPGRADE_ONE:
            yield from upgrade(game, seat, locked=True, optional=False)
            game.unmark(Mark.NEW)
        case Bonus.TAKE_MARKER:
            yield from pay_resource(game, seat, game.marker)
            take_marker(game, seat)
        case Bonus.GATHER_LORIUM:
            yield from gather_lorium(game, seat)


def _one_action(game: Game, seat: int, cell: Bonus) -> Flow[None]:
    """One Action of a Unit card in hand or face up, for all Unlocked Units of its type (N1.2, N3.2)."""
    options = [COMMAND + c for c in _action_cards(game, seat, cell)]
    card = CommandCard((yield from choose(game, seat, DecisionKind.COMMAND_CARD, options)) - COMMAND)
    options = [ACTION + a for a in type_actions(game, seat, card)]
    action = CardAction((yield from choose(game, seat, DecisionKind.COMMAND_ACTION, options)) - ACTION)
    yield from one_action(game, seat, card, action)


def _target(game: Game, seat: int) -> Flow[Unit]:
    """One enemy Troop in a Combat of the player (N2.1, N3.1)."""
    troops = _enemy_troops(game, seat)
    space = yield from choose_space(game, seat, DecisionKind.TARGET_SPACE, {u.place for u in troops})
    here = [u for u in troops if u.place == space]
    kind = yield from choose_type(game, seat, DecisionKind.TARGET_TYPE, {u.type for u in here})
    assert kind is not None
    return fewest_marks(here, kind)


def _rescue(game: Game, seat: int) -> Flow[None]:
    """One of the player's captured Troops returns to the Reserve (N2.4)."""
    held = _own_troops_held(game, seat)
    holders = [PLAYER + u.place for u in held]
    holder = (yield from choose(game, seat, DecisionKind.RESCUE_HOLDER, holders)) - PLAYER
    there = [u for u in held if u.place == holder]
    kind = yield from choose_type(game, seat, DecisionKind.RESCUE_TYPE, {u.type for u in there})
    free_captive(game, next(u for u in there if u.type == kind))


def _steal(game: Game, seat: int) -> Flow[None]:
    """A Captured Troop of a third player changes Holding Areas (N4.4)."""
    troops = _third_party_troops(game, seat)
    holders = [PLAYER + u.place for u in troops]
    holder = (yield from choose(game, seat, DecisionKind.STEAL_HOLDER, holders)) - PLAYER
    options = [captive_id(u) for u in troops if u.place == holder]
    choice = yield from choose(game, seat, DecisionKind.STEAL_CAPTIVE, options)
    take_captive(game, find_captive(game, holder, choice), seat)


def _store(game: Game, seat: int, most: int) -> Flow[None]:
    """Lorium from the track into one slot (N2.5, RUL-N2)."""
    player = game.players[seat]
    options = [SLOT + i for i in _store_slots(game, seat)]
    place = (yield from choose(game, seat, DecisionKind.STORE_SLOT, options)) - SLOT
    slot = player.slots[place]
    if slot.relic is not None:
        discard_slot(game, seat, place)
    amounts = [NUMBER + n for n in range(1, min(player.lorium, most - slot.lorium) + 1)]
    amount = (yield from choose(game, seat, DecisionKind.STORE_AMOUNT, amounts)) - NUMBER
    player.lorium -= amount
    slot.lorium += amount
