"""The reference engine: the rules in readable Python, chapter by chapter.

Every file holds one chapter of ``docs/rules/competitive.md`` and cites its rules. The flow of the game is
written as generators: they yield a :class:`~cysmic_fast.reference.decision.Decision` where a player chooses.
"""

from __future__ import annotations

from cysmic_fast.reference.state import ReferenceGame, ReferenceState

__all__ = ["ReferenceGame", "ReferenceState"]
