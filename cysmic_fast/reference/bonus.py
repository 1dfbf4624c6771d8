"""Chapter N: the 29 Bonus Actions, and the step in which they are chosen (T5, V9.4)."""

from __future__ import annotations

from collections.abc import Iterable

from cysmic_fast.content.effect_words import (
    BonusRule,
    Denial,
    IconSource,
    Immunity,
    Kind,
    Method,
    Mod,
    Role,
    Trigger,
)
from cysmic_fast.reference import cards, knowledge
from cysmic_fast.reference.combat import resolve
from cysmic_fast.reference.commands import (
    gather_lorium,
    gathering,
    one_action,
    resolve_command,
    take_marker,
    type_actions,
)
from cysmic_fast.reference.construction import can_ransom, construct, payable, ransom
from cysmic_fast.reference.cyber import can_attack, cyber_attacks
from cysmic_fast.reference.decision import Flow, choose, choose_space, choose_type
from cysmic_fast.reference.defeat import effect_captures, effect_destroys, safe_from
from cysmic_fast.reference.flight import flee_by_effect, places_to_flee
from cysmic_fast.reference.frame import Happening
from cysmic_fast.reference.goods import (
    captive_id,
    discard_slot,
    draw_discovery,
    find_captive,
    gain_lorium,
    gain_relic,
    relic_window,
    resources,
)
from cysmic_fast.reference.hexmap import CENTRE
from cysmic_fast.reference.influence import take_habitat
from cysmic_fast.reference.model import Game, Mark, Unit
from cysmic_fast.reference.modifiers import denied, mods, protected
from cysmic_fast.reference.movement import move_several
from cysmic_fast.reference.payment import pay_resource
from cysmic_fast.reference.recruit import (
    can_deploy,
    can_promote,
    can_upgrade,
    choose_troops,
    deploy,
    deploy_one,
    promote,
    upgrade,
)
from cysmic_fast.reference.robbery import rob
from cysmic_fast.reference.units import fewest_marks, free_captive, settle_ends, take_captive
from cysmic_fast.reference.windows import fire, gained
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

__all__ = [
    "bonus_possible",
    "bonus_step",
    "choose_bonus",
    "icons_of_turn",
    "played_this_turn",
    "possible_cells",
    "store",
    "store_slots",
]


# ---------------------------------------------------------------------- choosing
def bonus_step(game: Game, seat: int) -> Flow[None]:
    """Bonus Actions of the current Column as long as something is left (T5.1 to T5.4, V9.4)."""
    yield from fire(game, Happening(Trigger.BONUS_STEP, seat))
    yield from relic_window(game, seat)
    used: set[Icon] = set()
    free_used = False
    while True:
        free = not free_used and _has_rule(game, seat, BonusRule.FREE_PLAY)
        icons = icons_of_turn(game, seat)
        if _has_rule(game, seat, BonusRule.PER_ICON):
            icons -= used  # one for each icon (D5.10)
        elif used:
            icons = set()
        cells = set(possible_cells(game, seat, icons, column=game.column + 1))
        if free and bonus_possible(game, seat, Bonus.PLAY_CARD):  # a grey one of its own (D6.4)
            cells.add(Bonus.PLAY_CARD)
        cell = yield from _ask_bonus(game, seat, cells, optional=True)
        if cell is None:
            break
        if cell == Bonus.PLAY_CARD and free:
            free_used = True
        else:
            used.add(game.content.bonus[cell].icon)
        yield from _carry_out(game, seat, cell)


def _has_rule(game: Game, seat: int, rule: BonusRule) -> bool:
    return any(m.rule == rule for m in mods(game, seat, Mod.BONUS_RULE))


def played_this_turn(game: Game, seat: int) -> CommandCard | None:
    """The card the player has Played in the present turn; None for everybody but the active player."""
    return game.players[seat].played[game.column] if seat == game.active else None


def icons_of_turn(game: Game, seat: int) -> set[Icon]:
    """All icons a player has this turn, Grey included, used or not; none without a card Played (T5.2, D3)."""
    card = played_this_turn(game, seat)
    if card is None:
        return set()
    player = game.players[seat]
    icons = {*game.content.commands[card].icons, Icon.GREY}
    for m in mods(game, seat, Mod.BONUS_ICONS):
        source: CommandCard | None = None
        if m.source == IconSource.BURNED:  # (D7.7)
            source = player.burned[game.column]
        elif m.source == IconSource.PREVIOUS and game.column:  # none on the first turn of a cycle (D6.2)
            source = player.played[game.column - 1]
        icons |= set(m.icons)
        if source is not None:
            icons |= set(game.content.commands[source].icons)
    return icons


COLOUR_DENIALS = {
    Icon.RED: Denial.RED,
    Icon.BLUE: Denial.BLUE,
    Icon.YELLOW: Denial.YELLOW,
    Icon.GREEN: Denial.GREEN,
    Icon.PURPLE: Denial.PURPLE,
}


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


def choose_bonus(game: Game, seat: int, cells: Iterable[Bonus]) -> Flow[bool]:
    """Choose one of some cells and perform it; False if there is none."""
    cell = yield from _ask_bonus(game, seat, cells, optional=False)
    if cell is None:
        return False
    yield from _carry_out(game, seat, cell)
    return True


def _ask_bonus(game: Game, seat: int, cells: Iterable[Bonus], *, optional: bool) -> Flow[Bonus | None]:
    options = [BONUS + c for c in cells]
    if not options:
        return None
    choice = yield from choose(game, seat, DecisionKind.BONUS, options + [DONE] * optional)
    return None if choice == DONE else Bonus(choice - BONUS)


def _carry_out(game: Game, seat: int, cell: Bonus) -> Flow[None]:
    """Counted, ``bonus_chosen``, costs and effect, ``bonus_done``; a cancelled one counts as performed."""
    kinds = (Kind[game.content.bonus[cell].icon.name],)
    game.bonus_actions += 1
    game.programs += 1
    event = yield from fire(game, Happening(Trigger.BONUS_CHOSEN, seat, kinds=kinds, card=cell))
    if not event.cancelled and _feasible(game, seat, cell):  # a Reaction may have spoilt it
        yield from _perform(game, seat, cell)
    game.programs -= 1
    if not event.cancelled:
        yield from fire(game, Happening(Trigger.BONUS_DONE, seat, kinds=kinds, card=cell))


# ---------------------------------------------------------------------- possible (N6.2)
def bonus_possible(game: Game, seat: int, cell: Bonus) -> bool:
    """The table of N6.2, the caps on Bonus Actions in a turn and in progress, and what is denied."""
    limits = game.content.limits
    if game.bonus_actions >= limits.bonus_actions or game.programs > limits.programs - 2:
        return False
    colour = COLOUR_DENIALS.get(game.content.bonus[cell].icon)
    if colour is not None and denied(game, seat, colour):
        return False
    return _feasible(game, seat, cell)


def _feasible(game: Game, seat: int, cell: Bonus) -> bool:
    """The table of N6.2."""
    player = game.players[seat]
    match cell:
        case Bonus.PLAY_CARD:
            return cards.can_play(game, seat)
        case Bonus.GAIN_BLUEPRINT:
            return can_ransom(game, seat)
        case Bonus.CONSTRUCT:
            return bool(payable(game, seat, Method.MANUAL))
        case Bonus.RESOLVE_COMBAT:
            return bool(game.combats(seat))
        case Bonus.HAND_ACTION | Bonus.PLAYED_ACTION:
            return bool(_action_cards(game, seat, cell))
        case Bonus.DEPLOY_ONE | Bonus.DEPLOY_TWO:
            return can_deploy(game, seat)
        case Bonus.DESTROY_TROOP | Bonus.CAPTURE_TROOP:
            return bool(_enemy_troops(game, seat, cell))
        case Bonus.FREE_FLEE:
            return bool(places_to_flee(game, seat))
        case Bonus.RESCUE:
            return bool(_own_troops_held(game, seat))
        case Bonus.STORE_LORIUM:
            return player.lorium > 0 and bool(store_slots(game, seat, game.content.bonus[cell].amount))
        case Bonus.PROMOTE:
            return can_promote(game, seat, locked=True)
        case Bonus.CYBER_ATTACK:
            return can_attack(game, seat)
        case Bonus.REACTIVATE_TACTIC | Bonus.REACTIVATE_UNIT:
            return bool(_earlier_cards(game, seat, cell))
        case Bonus.COLONY_CITY:
            city = game.spaces[CENTRE]
            there = city.feature == Feature.COLONY_CITY and city.control != seat
            safe = city.control is not None and protected(game, city.control, Immunity.CONTROL, seat)
            return there and not safe and bool(resources(game, seat))
        case Bonus.STEAL_CAPTIVE:
            return bool(_third_party_troops(game, seat))
        case Bonus.DISCARD_RELIC:
            return bool(_relic_owners(game, seat))
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
            cards_ = [c for c in cards_ if c != played_this_turn(game, seat)]
    return [c for c in cards_ if type_actions(game, seat, c)]


def _earlier_cards(game: Game, seat: int, cell: Bonus) -> list[CommandCard]:
    """Face-up Tactic (N4.2) or Unit cards (N5.2) other than the one Played this turn."""
    kind = "tactic" if cell == Bonus.REACTIVATE_TACTIC else "unit"
    face_up = [c for c in game.players[seat].played if c is not None and c != played_this_turn(game, seat)]
    return [c for c in face_up if game.content.commands[c].kind == kind]


def _enemy_troops(game: Game, seat: int, cell: Bonus) -> list[Unit]:
    """Enemy Troops, not Confused, in Combats of the player (N2.1, N3.1), that are not immune."""
    word = Immunity.DESTROY if cell == Bonus.DESTROY_TROOP else Immunity.CAPTURE
    return [
        u
        for s in game.combats(seat)
        for u in game.spaces[s].others(seat)
        if u.is_troop and not u.confused and not safe_from(game, u, word, seat)
    ]


def _own_troops_held(game: Game, seat: int) -> list[Unit]:
    """The player's Troops in opponents' Holding Areas (N2.4)."""
    return [u for s in game.seats for u in game.captives(s) if u.owner == seat and u.is_troop]


def _third_party_troops(game: Game, seat: int) -> list[Unit]:
    """Troops of a third player in opponents' Holding Areas (N4.4), if these are not immune."""
    holders = [s for s in game.seats if s != seat and not protected(game, s, Immunity.STEAL, seat)]
    return [u for s in holders for u in game.captives(s) if u.owner != seat and u.is_troop]


def _relic_owners(game: Game, seat: int) -> list[int]:
    """Players with an Active Relic Card who are not immune to losing it (N4.5)."""
    return [
        p.seat for p in game.players if p.active_relics and not protected(game, p.seat, Immunity.LOSE, seat)
    ]


def store_slots(game: Game, seat: int, most: int) -> list[int]:
    """Slots that stored Lorium can go to, up to ``most`` in one (N2.5, RUL-N2)."""
    slots = game.players[seat].slots
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
            yield from gained(game, seat, Kind.DISCOVERY, (yield from draw_discovery(game, seat, amount)))
        case Bonus.GAIN_BLUEPRINT:
            yield from ransom(game, seat, optional=False)
        case Bonus.CONSTRUCT:
            yield from construct(game, seat, Method.MANUAL)
        case Bonus.RESOLVE_COMBAT | Bonus.ANY_COMBAT:
            yield from _combat(game, seat, own=cell == Bonus.RESOLVE_COMBAT)
        case Bonus.HAND_ACTION | Bonus.PLAYED_ACTION:
            yield from _one_action(game, seat, cell)
        case Bonus.DEPLOY_ONE:
            for _ in range(amount):
                yield from deploy_one(game, seat)
        case Bonus.TWO_LORIUM:
            gain_lorium(game, seat, amount)
        case Bonus.DESTROY_TROOP:
            target = yield from _target(game, seat, cell)
            yield from settle_ends(game, effect_destroys(game, [target], seat))
        case Bonus.CAPTURE_TROOP:
            target = yield from _target(game, seat, cell)
            yield from settle_ends(game, effect_captures(game, [target], seat, seat))
        case Bonus.FREE_FLEE:
            yield from flee_by_effect(game, seat, final_strike=False)
        case Bonus.DEPLOY_TWO:
            chosen = yield from choose_troops(game, seat, None, amount)
            yield from deploy(game, seat, chosen)
        case Bonus.RESCUE:
            yield from _rescue(game, seat)
        case Bonus.STORE_LORIUM:
            yield from store(game, seat, amount)
        case Bonus.PROMOTE:
            yield from promote(game, seat, locked=True)
        case Bonus.MOVE_THREE:
            yield from move_several(game, seat, amount)
        case Bonus.GAIN_RELIC:
            number = 0
            for _ in range(amount):
                number += yield from gain_relic(game, seat)
            yield from gained(game, seat, Kind.RELIC, number)
        case Bonus.CYBER_ATTACK:
            yield from cyber_attacks(game, seat, amount, optional=False)
        case Bonus.REACTIVATE_TACTIC | Bonus.REACTIVATE_UNIT:
            options = [COMMAND + c for c in _earlier_cards(game, seat, cell)]
            card = (yield from choose(game, seat, DecisionKind.COMMAND_CARD, options)) - COMMAND
            yield from resolve_command(game, seat, CommandCard(card), played=False)  # (T8.3, T8.4)
        case Bonus.COLONY_CITY:
            yield from pay_resource(game, seat, None)
            yield from take_habitat(game, CENTRE, seat)
        case Bonus.STEAL_CAPTIVE:
            yield from _steal(game, seat)
        case Bonus.DISCARD_RELIC:
            yield from _discard_relic(game, seat)
        case Bonus.UPGRADE_ONE:
            yield from upgrade(game, seat, locked=True, optional=False)
            game.unmark(Mark.NEW)
        case Bonus.TAKE_MARKER:
            yield from pay_resource(game, seat, game.marker)
            yield from take_marker(game, seat)
        case Bonus.GATHER_LORIUM:
            yield from gather_lorium(game, seat)


def _combat(game: Game, seat: int, *, own: bool) -> Flow[None]:
    """One of the own Combats with First Strike (N1.1), or any without captures, the Attacker first (N5.1)."""
    spaces = game.combats(seat) if own else game.combats()
    space = yield from choose_space(game, seat, DecisionKind.COMBAT, spaces)
    assert space is not None
    yield from resolve(game, space, seat, seat if own else Role.ATTACKER, captures=own)


def _discard_relic(game: Game, seat: int) -> Flow[None]:
    """The owner of an Active Relic Card discards it (N4.5)."""
    owners = [PLAYER + s for s in _relic_owners(game, seat)]
    owner = (yield from choose(game, seat, DecisionKind.RELIC_OWNER, owners)) - PLAYER
    slots = [SLOT + i for i in game.players[owner].active_relics]
    slot = (yield from choose(game, seat, DecisionKind.RELIC_SLOT, slots)) - SLOT
    relic = game.players[owner].slots[slot].relic
    taken = yield from rob(game, seat, owner, Kind.RELIC, 1)
    if taken and game.players[owner].slots[slot].relic == relic:
        discard_slot(game, owner, slot)


def _one_action(game: Game, seat: int, cell: Bonus) -> Flow[None]:
    """One Action of a Unit card in hand or face up, for all Unlocked Units of its type (N1.2, N3.2)."""
    options = [COMMAND + c for c in _action_cards(game, seat, cell)]
    card = CommandCard((yield from choose(game, seat, DecisionKind.COMMAND_CARD, options)) - COMMAND)
    if cell == Bonus.HAND_ACTION:
        knowledge.shown(game, seat, card)
    options = [ACTION + a for a in type_actions(game, seat, card)]
    action = CardAction((yield from choose(game, seat, DecisionKind.COMMAND_ACTION, options)) - ACTION)
    yield from one_action(game, seat, card, action)


def _target(game: Game, seat: int, cell: Bonus) -> Flow[Unit]:
    """One enemy Troop in a Combat of the player (N2.1, N3.1)."""
    troops = _enemy_troops(game, seat, cell)
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
    unit = find_captive(game, holder, choice)
    if (yield from rob(game, seat, holder, Kind.CAPTIVE, 1)) and unit.place == holder:
        take_captive(game, unit, seat)


def store(game: Game, seat: int, most: int) -> Flow[None]:
    """Lorium from the track into one slot (N2.5, RUL-N2)."""
    player = game.players[seat]
    options = [SLOT + i for i in store_slots(game, seat, most)]
    place = (yield from choose(game, seat, DecisionKind.STORE_SLOT, options)) - SLOT
    slot = player.slots[place]
    if slot.relic is not None:
        discard_slot(game, seat, place)
    amounts = [NUMBER + n for n in range(1, min(player.lorium, most - slot.lorium) + 1)]
    amount = (yield from choose(game, seat, DecisionKind.STORE_AMOUNT, amounts)) - NUMBER
    player.lorium -= amount
    slot.lorium += amount
