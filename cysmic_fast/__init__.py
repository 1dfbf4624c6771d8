"""A fast engine for the board game Cysmic.

>>> import cysmic_fast
>>> game = cysmic_fast.load_game("competitive", players=4)
>>> state = game.new_initial_state(seed=7)
>>> state.apply_action(state.legal_actions()[0])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cysmic_fast.errors import (
    ChanceError,
    ContentError,
    CysmicError,
    GameOverError,
    IllegalActionError,
    OptionError,
    PolicyError,
    PositionError,
    ReplayError,
    SaveError,
)
from cysmic_fast.game import load_game

if TYPE_CHECKING:
    from cysmic_fast.batch import Batch
    from cysmic_fast.content.loader import load_content
    from cysmic_fast.embed import get_include
    from cysmic_fast.history import History
    from cysmic_fast.interface import Game, State
    from cysmic_fast.observation import ObservationSpec, observation_spec
    from cysmic_fast.options import GameOptions
    from cysmic_fast.playout import PlayoutPolicy
    from cysmic_fast.policies import RandomPolicy, evaluator, play_random_game, policy, random_policy
    from cysmic_fast.render import view_text
    from cysmic_fast.replay import Replay
    from cysmic_fast.rollout import RolloutResult, rollouts
    from cysmic_fast.saves import save_info, state_from_bytes
    from cysmic_fast.stats import GAME_STATS
    from cysmic_fast.vocabulary import (
        NUM_ACTIONS,
        TERMINAL_PLAYER,
        Bonus,
        CardAction,
        ChanceKind,
        Colour,
        CommandCard,
        DecisionKind,
        EventKind,
        Feature,
        Icon,
        Resource,
        UnitType,
    )

__version__ = "0.1.0"

__all__ = [
    "GAME_STATS",
    "NUM_ACTIONS",
    "TERMINAL_PLAYER",
    "Batch",
    "Bonus",
    "CardAction",
    "ChanceError",
    "ChanceKind",
    "Colour",
    "CommandCard",
    "ContentError",
    "CysmicError",
    "DecisionKind",
    "EventKind",
    "Feature",
    "Game",
    "GameOptions",
    "GameOverError",
    "History",
    "Icon",
    "IllegalActionError",
    "ObservationSpec",
    "OptionError",
    "PlayoutPolicy",
    "PolicyError",
    "PositionError",
    "RandomPolicy",
    "Replay",
    "ReplayError",
    "Resource",
    "RolloutResult",
    "SaveError",
    "State",
    "UnitType",
    "evaluator",
    "get_include",
    "load_content",
    "load_game",
    "observation_spec",
    "play_random_game",
    "policy",
    "random_policy",
    "rollouts",
    "save_info",
    "state_from_bytes",
    "view_text",
]

#: Names that are imported when they are first used, by module.
_LAZY = {
    "batch": ("Batch",),
    "content.loader": ("load_content",),
    "embed": ("get_include",),
    "history": ("History",),
    "interface": ("Game", "State"),
    "observation": ("ObservationSpec", "observation_spec"),
    "options": ("GameOptions",),
    "playout": ("PlayoutPolicy",),
    "policies": ("RandomPolicy", "evaluator", "play_random_game", "policy", "random_policy"),
    "render": ("view_text",),
    "replay": ("Replay",),
    "rollout": ("RolloutResult", "rollouts"),
    "saves": ("save_info", "state_from_bytes"),
    "stats": ("GAME_STATS",),
    "vocabulary": (
        "NUM_ACTIONS",
        "TERMINAL_PLAYER",
        "Bonus",
        "CardAction",
        "ChanceKind",
        "Colour",
        "CommandCard",
        "DecisionKind",
        "EventKind",
        "Feature",
        "Icon",
        "Resource",
        "UnitType",
    ),
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    for module, names in _LAZY.items():
        if name in names:
            value = getattr(import_module(f"{__name__}.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
