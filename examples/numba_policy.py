"""A policy of ours, compiled by Numba (pip install cysmic-fast[numba]): it runs inside the native loop."""

import cysmic_fast
from cysmic_fast.compiled import (
    count_bits,
    count_legal,
    has_bit,
    is_legal,
    next_legal,
    nth_legal,
    policy_bounded,
)
from cysmic_fast.vocabulary import BONUS, DONE, Bonus, DecisionKind

BONUS_KIND = int(DecisionKind.BONUS)
MOVE_TO_KIND = int(DecisionKind.MOVE_TO)
CONSTRUCT = BONUS + int(Bonus.CONSTRUCT)


@cysmic_fast.policy
def builder(state, mask, rng):
    """Builds whenever it can, keeps Units on its Habitats, and never stops as long as there is a choice."""
    if state.kind == BONUS_KIND and is_legal(mask, CONSTRUCT):
        return CONSTRUCT
    if state.kind == MOVE_TO_KIND:
        me = state.seat[state.player]
        action = next_legal(mask, 127)  # spaces are actions 128 to 254
        while 0 <= action < 255:
            if has_bit(me.control, action - 128):
                return action
            action = next_legal(mask, action)
    count = count_legal(mask)
    action = nth_legal(mask, policy_bounded(rng, count))
    if action == DONE:
        action = nth_legal(mask, count - 1)
    return action


@cysmic_fast.evaluator
def modules(state, returns):
    """The share of the Modules that each seat has built."""
    for seat in range(6):
        built = 0
        for module in range(6):
            built += state.seat[seat].modules >> module & 1
        returns[seat] = built / 6 + count_bits(state.seat[seat].control) / 1000


game = cysmic_fast.load_game("competitive", players=4, ending="build_it")
print(cysmic_fast.rollouts(game, 200, [builder, "playout", "random", "random"], threads=2, seed=1))
print()
print(cysmic_fast.rollouts(game, 200, builder, cutoff=800, evaluator=modules, seed=1))
