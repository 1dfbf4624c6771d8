"""What tests have done in other processes: a module that those can import."""

from __future__ import annotations

from typing import Any


def follow(state: Any) -> tuple[Any, bytes]:
    """A few actions, then the state back, and its bytes."""
    for _ in range(10):
        state.apply_action(state.legal_actions()[0])
    return state, state.to_bytes()
