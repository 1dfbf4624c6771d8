"""Add golden saves: ``python tests/golden/saves/add.py``.

Writes a save for each situation of :data:`WANTED` that has none yet, with what must be true of it when it is
loaded. What is there is never touched: saves of a released format must load for ever (docs/saves.md).
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cysmic_fast
from cysmic_fast.replay import state_hash
from cysmic_fast.saves import FORMAT

HERE = Path(__file__).parent
FOLDER = HERE / f"v{FORMAT}"
STORM = HERE.parents[2] / "examples" / "pack_storm_season"

Test = Callable[[Any], bool]


def asks(*kinds: str) -> Test:
    """A state that asks one of these."""
    return lambda state: state.decision().name in kinds


#: Name -> (options of load_game, what the state must be).
WANTED: dict[str, tuple[dict[str, Any], Test]] = {
    "factions": ({"players": 3, "factions": True}, asks("CHOOSE_FACTION")),
    "ships_2_players": ({"players": 2}, asks("PLACE_SHIP")),
    "deploy_6_players": ({"players": 6, "factions": True}, asks("DEPLOY_SPACE")),
    "turn_4_players": ({"players": 4}, lambda s: s.round == 4 and s.decision().name == "BURN"),
    "combat_3_players": ({"players": 3}, asks("STRIKE_OR_FLEE")),
    "dice_5_players": ({"players": 5, "factions": True}, asks("MODIFIER_DIE")),
    "hits": ({"players": 4, "molten_core": True}, asks("HITS")),
    "scry": ({"players": 4, "factions": True}, asks("SCRY_KEEP", "SCRY_PUT")),
    "trade": ({"players": 4}, asks("TRADE_ANSWER")),
    "reaction": ({"players": 3, "factions": True, "events": True}, asks("REACT")),
    "effect": (
        {"players": 4, "factions": True, "events": True},
        asks("UNIT_SPACE", "PICK_SPACE", "PLACE_TO"),
    ),
    "escape": ({"players": 4}, asks("ESCAPE", "ESCAPE_UNIT")),
    "launch": ({"players": 2, "blueprint_variant": 2, "complete": True}, asks("LAUNCH")),
    "finished": ({"players": 2, "max_rounds": 3}, lambda s: s.is_terminal()),
    "endings": ({"players": 4, "ending": "guilty+simultaneous", "abilities": False}, lambda s: s.round == 3),
    "echoes": ({"players": 2, "echoes": {0: {"miner": 2}}}, lambda s: s.round == 2),
    "storm_season": ({"players": 4, "packs": STORM, "events": True}, lambda s: s.round == 5),
    "reference": ({"players": 3, "engine": "reference", "factions": True}, asks("MOVE_TO")),
}


def find(options: dict[str, Any], test: Test) -> Any:
    """A state of a random game that passes the test."""
    complete = options.pop("complete", False)
    game = cysmic_fast.load_game(**options)
    for index in range(2_000):
        state: Any = game.new_initial_state(2026, index=index)
        if complete:  # Modules for everybody: random players build none
            while state.decision().name != "BURN":
                state.apply_action(state.legal_actions()[-1])
            document = state.to_position()
            for player in document["players"]:
                player["blueprints"] = player["modules"] = [module.id for module in game.content.modules]
            state = game.state_from_position(document)
        rng = random.Random(index)
        while True:
            if test(state):
                return state
            if state.is_terminal():
                break
            state.apply_action(rng.choice(state.legal_actions()))
    raise SystemExit("no such state was found")


def main() -> int:
    """Entry point; returns the exit status."""
    FOLDER.mkdir(exist_ok=True)
    for name, (options, test) in WANTED.items():
        path = FOLDER / f"{name}.bin"
        if path.exists():
            continue
        state = find(options, test)
        told = {
            "written_by": cysmic_fast.__version__,
            "pack": "pack_storm_season" if "packs" in options else None,
            "snapshot": state_hash(state),
            "decision": state.decision().name,
            "player": state.current_player(),
            "actions": state.legal_actions(),
        }
        with path.open("xb") as file:
            file.write(state.to_bytes())
        path.with_suffix(".json").write_text(json.dumps(told, sort_keys=True) + "\n", encoding="utf-8")
        print(f"{path.name}: {path.stat().st_size} bytes, {told['decision']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
