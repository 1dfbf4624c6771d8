"""A Combat set up as a position and played out with scripted dice."""

import cysmic_fast
from cysmic_fast.names import space_number

game = cysmic_fast.load_game("competitive", players=2)


def space(name: str) -> int:
    """Number of a space by terrain, ring and offset (docs/position.md)."""
    return space_number(name, game.content)


battlefield = space("savannah-3-1")
position = {
    "version": 1,
    "round": 2,
    "tiles": {},  # plain ground everywhere
    "players": [
        {"colour": "blue", "ship": space("forest-4-2"), "units": [[battlefield, [2, 0, 0, 0, 0]]]},
        {"colour": "green", "ship": space("rocky-4-2"), "units": [[battlefield, [0, 0, 0, 0, 1]]]},
    ],
    "combats": [[battlefield, 0]],  # blue is the Attacker
}
dice = {"attacker_strike_die": ["+1"], "red_die": ["5", "2"]}

state = game.state_from_position(position, seed=1, script=dice)
for name in ["command:miners", "command:battle", "strike"]:  # burn, play, the choice in the Combat
    state.apply_action(game.action_id(name))
while state.snapshot()["combats"]:
    print(state.decision().name, [state.action_to_string(a) for a in state.legal_actions()])
    state.apply_action(state.legal_actions()[-1])
print("captured by blue:", state.snapshot()["players"][0]["captured"])
