"""The exceptions of the package: one family, so that ``except CysmicError`` catches everything of ours."""

from __future__ import annotations

__all__ = [
    "ChanceError",
    "ContentError",
    "CysmicError",
    "GameOverError",
    "IllegalActionError",
    "OptionError",
    "PolicyError",
    "PositionError",
    "ReplayError",
    "SaveError",
]


class CysmicError(Exception):
    """Base class of every error this package raises on purpose."""


class IllegalActionError(CysmicError, ValueError):
    """An action that is not legal in the decision at hand; the state is unchanged."""


class GameOverError(IllegalActionError):
    """An action applied to a finished game; the state is unchanged."""


class OptionError(CysmicError, ValueError):
    """A game option that does not exist, has a wrong type or an impossible value."""


class ContentError(CysmicError, ValueError):
    """A content pack that cannot be read or does not validate; names file, card and key.

    Also a game whose cards do not come to an end (V1.13, V1.15); names the card.
    """

    #: Of the game or playout that was not played to its end, where many are played in one call.
    index: int | None = None

    def at(self, index: int, what: str) -> ContentError:
        """The same of a game or playout among many."""
        error = ContentError(f"{what}: {self}")
        error.index = index
        return error


class PolicyError(CysmicError, ValueError):
    """A policy or evaluator of a playout that gives what cannot be used: no legal action, no numbers."""


class PositionError(CysmicError, ValueError):
    """A position document with defects; all of them are listed in :attr:`defects`.

    Each defect is ``(path, found, allowed)``, three strings.
    """

    def __init__(self, message: str, defects: list[tuple[str, str, str]] | None = None) -> None:
        self.defects: list[tuple[str, str, str]] = list(defects or [])
        lines = [f"  {path}: found {found}; allowed: {allowed}" for path, found, allowed in self.defects]
        super().__init__("\n".join([message, *lines]))


class ChanceError(CysmicError, ValueError):
    """A scripted outcome that is impossible at the moment it is drawn; the state is unchanged."""


class SaveError(CysmicError, ValueError):
    """Bytes that are no save, a damaged one, or one of another content, version or game."""


class ReplayError(CysmicError, ValueError):
    """A replay that cannot be read, or a game that does not follow it.

    :attr:`ply` is the first action (from 1) that differs, for a hash that does not fit the first one in
    question; None where there is no such thing.
    """

    def __init__(self, message: str, ply: int | None = None) -> None:
        self.ply: int | None = ply
        super().__init__(message)
