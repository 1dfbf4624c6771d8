"""Chapter D: playing Discovery Cards for Ability or Rewards, as Reactions; Planetary Events (D2 to D4)."""

from __future__ import annotations

from cysmic_fast.content.effect_words import Denial, Immunity, Kind, Mod, Trigger
from cysmic_fast.content.types import DiscoverySpec, RewardItem
from cysmic_fast.reference import bonus, knowledge
from cysmic_fast.reference.decision import Flow, choose, choose_space
from cysmic_fast.reference.effects import perform_program, startable
from cysmic_fast.reference.frame import Frame, Happening, Registers, Source
from cysmic_fast.reference.goods import (
    DISCOVERY,
    discard,
    draw_discovery,
    gain_lorium,
    gain_relic,
    lay,
    lift,
)
from cysmic_fast.reference.influence import take_habitat
from cysmic_fast.reference.model import TROOPS, Game, Unit
from cysmic_fast.reference.modifiers import denied, present, protected
from cysmic_fast.reference.recruit import can_deploy, deploy
from cysmic_fast.reference.windows import fire, gained
from cysmic_fast.vocabulary import CARD, OPTION, DecisionKind, EventKind

__all__ = ["can_play", "play_card", "play_reaction", "playable", "resolve_event"]

#: Field b of PLAY_CARD.
ACTION, REACTION, REWARD, PLANETARY = range(4)
ABILITY, REWARDS = 0, 1  # options of PLAY_MODE


# ---------------------------------------------------------------------- from the hand
def can_play(game: Game, seat: int, *, rewards_only: bool = False) -> bool:
    """A card in hand, or with Rewards denied an Action with a startable Ability (4.1).

    What such an Ability would play in its turn is not looked into.
    """
    if not denied(game, seat, Denial.REWARD):
        return bool(game.players[seat].discovery)
    if game.testing_play:
        return False
    game.testing_play = True
    able = bool(playable(game, seat, rewards_only=rewards_only))
    game.testing_play = False
    return able


def playable(game: Game, seat: int, *, rewards_only: bool = False) -> list[int]:
    """Designs in hand that can be played: as an Action, or for Rewards (D2.3, D2.5)."""
    hand = sorted(set(game.players[seat].discovery))
    return [d for d in hand if _modes(game, seat, d, rewards_only=rewards_only)]


def _modes(game: Game, seat: int, design: int, *, rewards_only: bool) -> list[int]:
    """What a card can be played for: its Ability if it is an Action that is startable, its Rewards."""
    card = game.content.discovery[design]
    modes = [] if denied(game, seat, Denial.REWARD) else [REWARDS]
    if rewards_only or card.kind != "action" or card.ability is None:
        return modes
    return [ABILITY, *modes] if startable(game, _action_frame(seat, card), card.ability.steps) else modes


def _action_frame(seat: int, card: DiscoverySpec) -> Frame:
    return Frame(seat, Source.ACTION, card.id, Registers())


def play_card(game: Game, seat: int, *, rewards_only: bool = False) -> Flow[None]:
    """Play a card of the hand; it is discarded when its effect is done (N0.1, D1.2)."""
    options = [CARD + d for d in playable(game, seat, rewards_only=rewards_only)]
    design = (yield from choose(game, seat, DecisionKind.PLAY_CARD, options)) - CARD
    knowledge.named(game, seat, DISCOVERY, design)
    card = game.content.discovery[design]
    modes = _modes(game, seat, design, rewards_only=rewards_only)
    both = len(modes) == 2 and present(game, seat, Mod.PLAY_BOTH)
    if card.ability is not None and not rewards_only and not both:
        choice = yield from choose(game, seat, DecisionKind.PLAY_MODE, [OPTION + m for m in modes])
        modes = [choice - OPTION]
    as_action = ABILITY in modes
    event = Happening(
        Trigger.DISCOVERY_PLAYED, seat, kinds=(Kind.ACTION if as_action else Kind.REWARD,), card=design
    )
    yield from _lay_down(game, event, ACTION if as_action else REWARD)
    if not event.cancelled:
        if as_action:
            assert card.ability is not None
            yield from perform_program(game, _action_frame(seat, card), card.ability)
        if REWARDS in modes:
            yield from _rewards(game, seat, card)
    _put_away(game, seat, design)


def play_reaction(game: Game, frame: Frame, design: int) -> Flow[None]:
    """A Reaction leaves the hand, can be met by others, acts, and is discarded (V7.5)."""
    ability = game.content.discovery[design].ability
    assert ability is not None
    event = Happening(Trigger.DISCOVERY_PLAYED, frame.seat, kinds=(Kind.REACTION,), card=design)
    yield from _lay_down(game, event, REACTION)
    if not event.cancelled:
        yield from perform_program(game, frame, ability)
    _put_away(game, frame.seat, design)


def _lay_down(game: Game, event: Happening, how: int) -> Flow[None]:
    """A card is played: out of the hand, in no pile until it is done; others may react to it."""
    assert event.card is not None
    game.players[event.cause].discovery.remove(event.card)
    lay(game, DISCOVERY, event.card)
    knowledge.opened(game, event.cause, DISCOVERY, event.card)
    if game.options.abilities:
        game.emit(EventKind.PLAY_CARD, event.cause, event.card, how)
    game.programs += 1
    yield from fire(game, event)


def _put_away(game: Game, seat: int, design: int) -> None:
    game.programs -= 1
    discard(game, seat, DISCOVERY, lift(game, DISCOVERY, design))


# ---------------------------------------------------------------------- Planetary Events
def resolve_event(game: Game, seat: int, design: int) -> Flow[None]:
    """A drawn Event takes effect, its drawer making the choices (D4.1); not beyond the bound of V1.13."""
    card = game.content.discovery[design]
    if card.effect is None or game.programs >= game.content.limits.programs:
        return
    game.emit(EventKind.PLAY_CARD, seat, design, PLANETARY)
    game.programs += 1
    yield from perform_program(game, Frame(seat, Source.EVENT, card.id, Registers()), card.effect)
    game.programs -= 1


# ---------------------------------------------------------------------- Rewards
def _rewards(game: Game, seat: int, card: DiscoverySpec) -> Flow[None]:
    """Both in printed order, one of two, or the only one (D3.1, D3.6, RUL-D5)."""
    items = list(card.rewards.items)
    if card.rewards.op == "or":
        able = [i for i, item in enumerate(items) if _can_do(game, seat, item)]
        if not able:
            return
        choice = yield from choose(game, seat, DecisionKind.REWARD, [OPTION + i for i in able])
        items = [items[choice - OPTION]]
    for item in items:
        if _can_do(game, seat, item):
            yield from _reward(game, seat, item)


def _can_do(game: Game, seat: int, item: RewardItem) -> bool:
    """Something of a Reward is possible now."""
    match item.kind:
        case "bonus":
            return bool(bonus.possible_cells(game, seat, item.icons, column=None))
        case "habitat":
            return bool(_habitats(game, seat, item.amount))
        case "units":
            return can_deploy(game, seat, [k for k, n in zip(TROOPS, item.units, strict=True) if n])
        case _:
            return True


def _habitats(game: Game, seat: int, value: int) -> list[int]:
    """Habitats of exactly a value that the player does not control (D3.4)."""
    return [
        s.number
        for s in game.spaces
        if game.is_habitat(s.number)
        and game.habitat_value(s.number) == value
        and s.control != seat
        and not (s.control is not None and protected(game, s.control, Immunity.CONTROL, seat))
    ]


def _reward(game: Game, seat: int, item: RewardItem) -> Flow[None]:
    match item.kind:
        case "lorium":
            gain_lorium(game, seat, item.amount)
        case "discovery":
            yield from gained(
                game, seat, Kind.DISCOVERY, (yield from draw_discovery(game, seat, item.amount))
            )
        case "relic":
            number = 0
            for _ in range(item.amount):
                number += yield from gain_relic(game, seat)
            yield from gained(game, seat, Kind.RELIC, number)
        case "bonus":  # one Bonus Action of that colour in any Column (D3.2)
            cells = bonus.possible_cells(game, seat, item.icons, column=None)
            yield from bonus.choose_bonus(game, seat, cells)
        case "habitat":
            space = yield from choose_space(
                game, seat, DecisionKind.REWARD_HABITAT, _habitats(game, seat, item.amount)
            )
            assert space is not None
            yield from take_habitat(game, space, seat)
        case "units":  # from the Reserve without Cost (D3.5)
            chosen: list[Unit] = []
            for kind, count in zip(TROOPS, item.units, strict=True):
                chosen += game.reserve(seat, kind)[:count]
            yield from deploy(game, seat, chosen)
