"""The playout policy: a rule of thumb that is after a Launch, fast and random enough for playouts.

The policy is the table below. A row belongs to a kind of decision (of MOVE_TO there is one for each Unit
type) and lists rules: an action or a :class:`~cysmic_fast.playout_groups.Group` of actions, and a weight.
Every legal action has the sum of the weights of the rules that name it, and is chosen in proportion. Where
no rule names a legal action, and in kinds without a row, all legal actions are equally likely.

Both engines read this table and work out the groups by themselves, so that the policy plays the same games
on both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from cysmic_fast.errors import OptionError
from cysmic_fast.game import is_state
from cysmic_fast.names import shown
from cysmic_fast.playout_groups import Group
from cysmic_fast.policies import RandomPolicy, check_word
from cysmic_fast.vocabulary import (
    ACTION,
    BONUS,
    COMMAND,
    DONE,
    FLEE,
    HITS,
    NO,
    STRIKE,
    UNIT,
    YES,
    Bonus,
    CardAction,
    CommandCard,
    UnitType,
)
from cysmic_fast.vocabulary import (
    DecisionKind as Kind,
)

if TYPE_CHECKING:
    from cysmic_fast.interface import State

__all__ = ["MOVE_RULES", "RULES", "PlayoutPolicy", "playout_rows", "playout_weights"]

#: (action id or Group, weight of each such action)
Rule = tuple[int, int]

_LIKELY: Final = 30
_CERTAIN: Final = 1000

#: Actions of a Unit, wherever they are chosen.
_UNIT_ACTIONS: Final[tuple[Rule, ...]] = (
    (ACTION + CardAction.ROBOTIC, 100),
    (ACTION + CardAction.EVACUATE, 200),
    (ACTION + CardAction.HARVEST, 40),
    (ACTION + CardAction.MINE, 40),
    (ACTION + CardAction.PERSUADE, 40),
    (ACTION + CardAction.SCAVENGE, 20),
    (ACTION + CardAction.EXPLORE, 10),
    (ACTION + CardAction.MOVE, 10),
    (Group.ALL, 1),
)

RULES: Final[Mapping[Kind, tuple[Rule, ...]]] = {
    # set-up: near Lorium, and not far from the others
    Kind.DEPLOY_SPACE: ((Group.TO_RAID, 10), (Group.LORIUM, 10), (Group.HABITATS, 5), (Group.ALL, 1)),
    # the turn: a card that can do something; cards that cannot are Burned
    Kind.PLAY: (
        (Group.SHIP_CARD, 40),
        (Group.DEAL_CARD, 100),
        (Group.BATTLE_CARD, 30),
        (Group.UNIT_CARD, 20),
        (COMMAND + CommandCard.RECRUIT, 20),
        (COMMAND + CommandCard.UPGRADE, 5),
        (Group.ALL, 1),
    ),
    Kind.BURN: (
        (Group.IDLE_CARD, 100),
        (COMMAND + CommandCard.UPGRADE, 20),
        (COMMAND + CommandCard.RECRUIT, 3),
        (Group.UNIT_CARD, 5),
        (Group.ALL, 1),
    ),
    Kind.RECLAIM: ((DONE, 8), (Group.SHIP_CARD, 8), (Group.DEAL_CARD, 8)),
    Kind.LAUNCH: ((YES, 1),),
    # Units
    Kind.ACT_SPACE: ((DONE, 1), (Group.ALL, _LIKELY)),
    Kind.ACT_ACTION: _UNIT_ACTIONS,
    Kind.COMMAND_ACTION: _UNIT_ACTIONS,
    Kind.COMMAND_CARD: ((Group.SHIP_CARD, 50), (Group.ALL, 1)),
    Kind.TAKE_TOKEN: ((DONE, 1), (Group.ALL, _LIKELY)),
    Kind.RECRUIT_TYPE: (
        (Group.ENOUGH, _CERTAIN),
        (UNIT + UnitType.SOLDIER, 24),
        (UNIT + UnitType.MINER, 14),
        (UNIT + UnitType.SPEAKER, 9),
        (DONE, 1),
    ),
    Kind.UPGRADE_SPACE: ((Group.ENOUGH, _CERTAIN), (DONE, 3), (Group.ALL, 1)),
    # Modules and Blueprints
    Kind.CONSTRUCT: ((Group.ALL, _LIKELY), (DONE, 1)),
    Kind.RANSOM_PLAYER: ((Group.ALL, _LIKELY), (DONE, 1)),
    Kind.CYBER_SPACE: ((Group.ALL, _LIKELY), (DONE, 1)),
    # Combat
    Kind.STRIKE_OR_FLEE: ((STRIKE, 5), (FLEE, 1)),
    Kind.HITS: (
        (HITS + 7, 900),
        (HITS + 3, 100),
        (HITS + 5, 100),
        (HITS + 6, 100),
        (HITS + 1, 10),
        (HITS + 2, 10),
        (HITS + 4, 10),
        (HITS, 1),
    ),
    Kind.FINAL_STRIKE: ((YES, 9), (NO, 1)),
    # trade: seldom
    Kind.TRADE_PARTNER: ((DONE, 20), (Group.ALL, 1)),
    Kind.TRADE_ANSWER: ((NO, 3), (YES, 1)),
    # Bonus Actions
    Kind.BONUS: (
        (BONUS + Bonus.CONSTRUCT, 300),
        (BONUS + Bonus.GAIN_BLUEPRINT, 300),
        (BONUS + Bonus.CYBER_ATTACK, 200),
        (BONUS + Bonus.CAPTURE_TROOP, 100),
        (BONUS + Bonus.STORE_LORIUM, 40),
        (BONUS + Bonus.GATHER_LORIUM, 40),
        (BONUS + Bonus.TWO_LORIUM, 30),
        (BONUS + Bonus.DEPLOY_TWO, 30),
        (BONUS + Bonus.HAND_ACTION, 20),
        (BONUS + Bonus.PLAY_CARD, 15),
        (BONUS + Bonus.GAIN_RELIC, 20),
        (BONUS + Bonus.DEPLOY_ONE, 20),
        (Group.ALL, 5),
    ),
}

#: MOVE_TO, by the type of the Unit.
MOVE_RULES: Final[Mapping[UnitType, tuple[Rule, ...]]] = {
    UnitType.SOLDIER: ((Group.HOME, _CERTAIN), (Group.TO_RAID, 60), (Group.TO_PREY, 30), (Group.ALL, 1)),
    UnitType.MINER: ((Group.HOME, _CERTAIN), (Group.TO_LORIUM, 60), (Group.ALL, 1)),
    UnitType.SPEAKER: ((Group.HOME, _CERTAIN), (Group.TO_HABITAT, 60), (Group.ALL, 1)),
    UnitType.POWERMECH: ((Group.HOME, _CERTAIN), (Group.TO_RAID, 60), (Group.TO_PREY, 60), (Group.ALL, 1)),
    UnitType.HARVESTER: ((Group.HOME, _CERTAIN), (Group.TO_LORIUM, 60), (Group.ALL, 1)),
    UnitType.SHIP: ((Group.TILES, 10), (Group.OWN_SHIP, 10), (Group.ALL, 1)),
}


@cache
def playout_rows() -> tuple[tuple[Rule, ...], ...]:
    """The table as the engines read it: a row for each decision kind, then MOVE_TO for each Unit type."""
    kinds = [RULES.get(kind, ()) for kind in Kind]
    return (*kinds, *(MOVE_RULES[unit] for unit in UnitType))


def playout_weights(state: State) -> list[tuple[int, list[int]]]:
    """What the policy weighs at a decision: (weight, legal actions ascending) for each rule that applies.

    OptionError for what is no state.
    """
    if not is_state(state):
        raise OptionError(f"{shown(state)} given; allowed: a state")
    if state.game.engine == "native":
        from cysmic_fast._native import playout_weights as of_native

        return of_native(state, playout_rows())  # type: ignore[arg-type]
    from cysmic_fast.reference.playout import playout_weights as of_reference

    return of_reference(state, playout_rows())  # type: ignore[arg-type]


class PlayoutPolicy(RandomPolicy):
    """The playout policy, drawing from the POLICY stream of (seed, index).

    Used with the states of a playout of the same (seed, index), it plays exactly what ``rollouts`` with
    ``policy="playout"`` plays. Called with a state that is not over (GameOverError), it gives an action.
    """

    def __call__(self, state: State) -> int:
        """The action for a state that is not over; OptionError for what is no state."""
        layers = playout_weights(state)
        if not layers:
            return self.choose(state.legal_actions())
        return self._draw(layers)

    def draw(self, layers: Sequence[tuple[int, Sequence[int]]]) -> int:
        """One action, in proportion to the weights, as from :func:`playout_weights`.

        OptionError for what is no such list.
        """
        usable = isinstance(layers, (list, tuple)) and all(
            isinstance(layer, tuple) and len(layer) == 2 and isinstance(layer[1], (list, tuple))
            for layer in layers
        )
        if not usable:
            raise OptionError(f"{shown(layers)} given; allowed: a list of (weight, list of actions)")
        return self._draw([(check_word(weight, "weight", 1, 2**32), actions) for weight, actions in layers])

    def _draw(self, layers: Sequence[tuple[int, Sequence[int]]]) -> int:
        """One action, in proportion to the weights; one draw, none if there is no choice."""
        rest = self.bounded(sum(weight * len(actions) for weight, actions in layers))
        for weight, actions in layers:
            if rest < weight * len(actions):
                return actions[rest // weight]
            rest -= weight * len(actions)
        raise AssertionError("a draw beyond the weights")
