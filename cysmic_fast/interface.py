"""What both engines offer, for type checkers (``docs/protocol.md``, section 18).

:class:`Game` and :class:`State` are protocols: the classes behind them are the engines' own. Annotate with
these names; ask ``game.engine`` for the engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from cysmic_fast.census import Census
    from cysmic_fast.content.types import Content
    from cysmic_fast.options import GameOptions
    from cysmic_fast.rollout import Policy
    from cysmic_fast.vocabulary import DecisionKind

__all__ = ["Document", "Event", "Game", "Script", "State"]

#: ``(kind, player, a, b, c)``, protocol section 17.
Event: TypeAlias = tuple[int, int, int, int, int]
#: A position document, protocol section 16.
Document: TypeAlias = dict[str, Any]
#: Chance kind name -> outcomes to come, protocol section 3.
Script: TypeAlias = Mapping[str, Sequence[Any]]


@runtime_checkable
class State(Protocol):
    """A running or finished game, always at a decision with two or more options or at the end.

    Threads may share a state of the native engine as far as each call is atomic (under the GIL), and no
    further: what was legal when one thread looked need not be when it acts. Clone, or use a lock of your own.
    A state of the reference engine, and a History of either, is for one thread at a time.
    """

    @property
    def game(self) -> Game:
        """The game this is a state of."""

    @property
    def round(self) -> int:
        """Round, from 1."""

    @property
    def active_player(self) -> int:
        """Seat whose turn it is; not always the one who decides."""

    def current_player(self) -> int:
        """Seat to decide, ``vocabulary.TERMINAL_PLAYER`` when the game is over."""

    def decision(self) -> DecisionKind:
        """What is asked, ``DecisionKind.NONE`` when the game is over."""

    def legal_actions(self) -> list[int]:
        """Legal action ids, ascending; [] when the game is over."""

    def legal_actions_mask(self) -> npt.NDArray[np.bool_]:
        """Shape (512,), bool: True at the legal ids."""

    def apply_action(self, action: SupportsIndex) -> None:
        """Performs a legal action and goes on to the next decision.

        Any Python or NumPy integer. Raises IllegalActionError (GameOverError when the game is over) or
        ChanceError (impossible scripted outcome); the state is then unchanged.
        """

    def is_terminal(self) -> bool:
        """Whether the game is over."""

    def returns(self) -> list[float]:
        """By seat: 1.0 for everybody that has Launched, else 0.0."""

    def winners(self) -> list[int]:
        """Seats that have Launched, ascending."""

    def end_reason(self) -> int:
        """0 a Launch, 1 no tiles left, 2 round cap; -1 while running."""

    def clone(self, seed: int | None = None) -> State:
        """An exact, independent copy; with a seed, chance is re-keyed and the script dropped."""

    def to_bytes(self) -> bytes:
        """The state as a save (docs/saves.md): compact, versioned, checksummed; events are not in it."""

    def script(self, outcomes: Script) -> None:
        """Appends outcomes to the queues of chance kinds."""

    def events(self, player: int | None = None) -> list[Event]:
        """Events so far, if the state records them; with a seat as that seat may see them: what is hidden
        from it is -1, and a Reaction that another has declined is left out (docs/information.md, section 3).

        OptionError for a seat that does not exist.
        """

    def clear_events(self) -> None:
        """Forgets the recorded events."""

    def to_position(self) -> Document:
        """Canonical position document, at the start of a turn or of set-up only (PositionError)."""

    def snapshot(self) -> Document:
        """The same document at any decision; not always loadable."""

    def view(self, player: int) -> Document:
        """What a seat sees and knows, a JSON-able document (docs/information.md, section 2).

        OptionError for a seat that does not exist.
        """

    def resample(self, player: int, seed: int) -> State:
        """An independent copy in which what the seat does not know is drawn anew, uniformly among all
        worlds that agree with what it knows; chance goes on with the key (seed, same index), script and
        record are dropped (docs/information.md, section 4).

        An engine gives for the same state, seat and seed the same world anywhere; the two engines draw from
        the same worlds, but not the same one. ``copy.view(player)`` is ``state.view(player)``. OptionError
        for a seat that does not exist or a seed that is none. The reference engine can resample only where
        ``to_position`` is possible, and raises PositionError elsewhere.
        """

    def influence(self, seat: int) -> int:
        """Influence of a player (I1.1)."""

    def observation(self, player: int, out: npt.NDArray[np.int8] | None = None) -> npt.NDArray[np.int8]:
        """What a player sees, as numbers: shape (size,), int8 (docs/observation.md, ``observation_spec``).

        Written into ``out`` if that is given. OptionError for a seat that does not exist, or another array.
        """

    def action_to_string(self, action: int) -> str:
        """Name of an action in the decision at hand."""


@runtime_checkable
class Game(Protocol):
    """Rules data of one kind of game: options, content, engine."""

    @property
    def options(self) -> GameOptions:
        """Options, defaults filled in."""

    @property
    def content(self) -> Content:
        """Content pack."""

    @property
    def engine(self) -> str:
        """``"native"`` or ``"reference"``."""

    @property
    def num_players(self) -> int:
        """Number of players."""

    @property
    def num_actions(self) -> int:
        """Size of the action vocabulary, 512."""

    def new_initial_state(
        self, seed: int = 0, *, index: int = 0, script: Script | None = None, record: bool = False
    ) -> State:
        """Game ``index`` of ``seed``, advanced to its first decision."""

    def state_from_position(
        self,
        doc: object,
        seed: int | None = None,
        *,
        index: int | None = None,
        script: Script | None = None,
        record: bool = False,
    ) -> State:
        """A state at a position document (docs/position.md)."""

    def state_from_bytes(self, data: object, *, record: bool = False) -> State:
        """The state of a save (docs/saves.md) of this game; SaveError for anything else."""

    def simulate(
        self,
        seed: int,
        first: int,
        count: int,
        *,
        threads: int = 1,
        policy: Policy | Sequence[Policy] = "random",
        census: Census | None = None,
    ) -> npt.NDArray[np.void]:
        """Plays games ``first`` ... of ``seed`` with a policy: shape (count,), dtype GAME_STATS.

        A ``census`` counts what was held and played in them.
        """

    def action_name(self, action: int, decision: int | None = None) -> str:
        """Name of an action id."""

    def action_id(self, name: str, decision: int | None = None) -> int:
        """Action id of a name."""
