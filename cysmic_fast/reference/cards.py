"""Chapter D: playing Discovery Cards for their Rewards (D2, D3)."""

from __future__ import annotations

from cysmic_fast.content.types import RewardItem
from cysmic_fast.reference import bonus
from cysmic_fast.reference.decision import Flow, choose, choose_space
from cysmic_fast.reference.goods import DISCOVERY, discard, draw_discovery, gain_lorium, gain_relic
from cysmic_fast.reference.influence import gain_control
from cysmic_fast.reference.model import TROOPS, Game, Unit
from cysmic_fast.reference.recruit import can_deploy_troop, deploy
from cysmic_fast.vocabulary import CARD, OPTION, DecisionKind

__all__ = ["play_card"]


def play_card(game: Game, seat: int) -> Flow[None]:
    """Play a Discovery Card for its Rewards; it is discarded when its effect is done (N0.1, D1.2)."""
    hand = game.players[seat].discovery
    card = (yield from choose(game, seat, DecisionKind.PLAY_CARD, [CARD + d for d in hand])) - CARD
    hand.remove(card)
    game.programs += 1
    yield from _rewards(game, seat, card)
    game.programs -= 1
    discard(game, seat, DISCOVERY, card)


def _rewards(game: Game, seat: int, card: int) -> Flow[None]:
    """Both in printed order, one of two, or the only one (D3.1, D3.6, RUL-D5)."""
    rewards = game.content.discovery[card].rewards
    items = list(rewards.items)
    if rewards.op == "or":
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
            return can_deploy_troop(game, seat, [k for k, n in zip(TROOPS, item.units, strict=True) if n])
        case _:
            return True


def _habitats(game: Game, seat: int, value: int) -> list[int]:
    """Habitats of exactly a value that the player does not control (D3.4)."""
    return [
        s.number
        for s in game.spaces
        if game.is_habitat(s.number) and game.habitat_value(s.number) == value and s.control != seat
    ]


def _reward(game: Game, seat: int, item: RewardItem) -> Flow[None]:
    match item.kind:
        case "lorium":
            gain_lorium(game, seat, item.amount)
        case "discovery":
            draw_discovery(game, seat, item.amount)
        case "relic":
            for _ in range(item.amount):
                yield from gain_relic(game, seat)
        case "bonus":  # one Bonus Action of that colour in any Column (D3.2)
            cells = bonus.possible_cells(game, seat, item.icons, column=None)
            yield from bonus.choose_bonus(game, seat, cells, optional=False)
        case "habitat":
            space = yield from choose_space(
                game, seat, DecisionKind.REWARD_HABITAT, _habitats(game, seat, item.amount)
            )
            assert space is not None
            yield from gain_control(game, space, seat)
        case "units":  # from the Reserve without Cost (D3.5)
            chosen: list[Unit] = []
            for kind, count in zip(TROOPS, item.units, strict=True):
                chosen += game.reserve(seat, kind)[:count]
            yield from deploy(game, seat, chosen)
