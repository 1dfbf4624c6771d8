"""Types of the compiled engine. Public users reach it through ``cysmic_fast.load_game``.

The classes offer the interface of ``docs/protocol.md``, section 18 (:mod:`cysmic_fast.interface`), the same
as the reference engine. Functions named ``kernel_...`` and :class:`KernelMap` are hooks for the tests of the
kernels.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn, SupportsIndex, TypedDict

import numpy as np
import numpy.typing as npt

from cysmic_fast.content.types import Content
from cysmic_fast.interface import Document, Event
from cysmic_fast.options import GameOptions
from cysmic_fast.vocabulary import DecisionKind

class BuildInfo(TypedDict):
    """What the compiled module says about itself."""

    compiler: str
    build_flags: str
    debug: bool
    state_bytes: int
    tables_bytes: int

def build_info() -> BuildInfo:
    """Compiler, flags and sizes of the compiled engine, for bug reports."""

class NativeGame:
    """A game on the native engine: options and content, compiled into tables that all its states share.

    Immutable. Threads may share a state: each call is atomic under the GIL, but only each call by itself.
    """

    options: GameOptions
    content: Content

    def __init__(self, options: GameOptions, content: Content) -> None:
        """Compile the tables.

        Raises OptionError if the options ask for more than the content holds, ContentError for values the
        native engine has no room for (more than 128 Discovery Cards, a Space Capacity above 3 ...), TypeError
        when called again.
        """

    @property
    def engine(self) -> str:
        """``"native"``."""

    @property
    def num_players(self) -> int:
        """Number of players."""

    @property
    def num_actions(self) -> int:
        """Size of the action vocabulary, 512."""

    def new_initial_state(
        self,
        seed: int = 0,
        *,
        index: int = 0,
        script: Mapping[str, Sequence[Any]] | None = None,
        record: bool = False,
    ) -> NativeState:
        """Game ``index`` of ``seed``, advanced to its first decision.

        ``seed`` and ``index`` are integers from 0 to 2**64 - 1 (OptionError); ``script`` maps chance kinds to
        outcomes to come (ChanceError for what cannot be); ``record`` keeps the events.
        """

    def _from_canonical(
        self,
        doc: Document,
        seed: int = 0,
        *,
        index: int = 0,
        script: Mapping[str, Sequence[Any]] | None = None,
        record: bool = False,
    ) -> NativeState:
        """A state at a canonical position document, advanced to its first decision.

        For ``state_from_position``, which checks documents. Of a document that is not canonical the state may
        be strange; what could not be held, or is not consistent, is a PositionError.
        """

    def _state_from_parts(
        self, body: bytes, script: Mapping[str, Sequence[Any]] | None, record: bool
    ) -> NativeState:
        """The state of ``NativeState._save_parts``; SaveError for bytes that are no state of this game."""

    def simulate(self, seed: int, first: int, count: int, *, threads: int = 1) -> npt.NDArray[np.void]:
        """Play games ``first`` ... ``first + count - 1`` of ``seed`` with the random policy.

        Returns records of ``cysmic_fast.stats.GAME_STATS``, shape (count,), the same for any number of
        threads. The GIL is released while games are played. Ctrl-C ends it within a few games.
        """

class NativeState:
    """A running or finished game; at a decision with two or more options, or at the end. A clone is one
    memcpy.
    """

    def __init__(self) -> NoReturn:
        """States come from ``new_initial_state``, ``state_from_position`` or ``clone``: TypeError."""

    @property
    def game(self) -> NativeGame:
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
        """What is asked."""

    def legal_actions(self) -> list[int]:
        """Legal action ids, ascending; [] when the game is over."""

    def legal_actions_mask(self) -> npt.NDArray[np.bool_]:
        """Shape (512,), bool: true at the legal ids."""

    def apply_action(self, action: SupportsIndex) -> None:
        """Perform a legal action and go on to the next decision.

        Any Python or NumPy integer. IllegalActionError (GameOverError when the game is over) or ChanceError
        (an impossible scripted outcome) leave the state unchanged, as does MemoryError (no room for events).
        """

    def is_terminal(self) -> bool:
        """Whether the game is over."""

    def returns(self) -> list[float]:
        """By seat: 1.0 for everybody that has Launched, else 0.0."""

    def winners(self) -> list[int]:
        """Seats that have Launched, ascending."""

    def end_reason(self) -> int:
        """0 a Launch, 1 no tiles left, 2 round cap; -1 while running."""

    def clone(self, seed: int | None = None) -> NativeState:
        """An exact, independent copy, remaining script and recorded events included.

        With ``seed`` chance is keyed anew with (seed, same index), all streams start at their first word, and
        the script is dropped.
        """

    def to_bytes(self) -> bytes:
        """The state as a save (docs/saves.md), the script included, recorded events not. Equal states have equal
        bytes.
        """

    def _save_parts(self) -> tuple[bytes, dict[str, list[Any]] | None]:
        """The parts of a save that are this engine's: the state, and what is left of the script."""

    def __copy__(self) -> NativeState: ...
    def __deepcopy__(self, memo: object) -> NativeState: ...
    def script(self, outcomes: Mapping[str, Sequence[Any]]) -> None:
        """Append outcomes to the queues of chance kinds; ChanceError for unknown kinds and malformed
        outcomes.
        """

    def events(self) -> list[Event]:
        """Events recorded so far: (kind, player, a, b, c), protocol section 17."""

    def clear_events(self) -> None:
        """Forget the recorded events."""

    def to_position(self) -> Document:
        """The canonical position document at the start of a turn or of placing the Ships; PositionError
        elsewhere.
        """

    def snapshot(self) -> Document:
        """The same document at any decision; its phase says whether it can be loaded."""

    def influence(self, seat: int) -> int:
        """Influence of a player (I1.1); OptionError for a seat that does not exist."""

    def action_to_string(self, action: int) -> str:
        """Name of an action in the decision at hand."""

    def check_integrity(self) -> str | None:
        """Work out again what is kept incrementally, the legal mask included.

        None, or the name of the check that failed. For tests; a build with CYSMIC_DEBUG does it at every
        decision.
        """

class Simulation:
    """What the threads of :meth:`NativeGame.simulate` share; not made by hand (TypeError)."""

    def __init__(self) -> NoReturn: ...
    def work(self) -> None:
        """Play shares of the games until none is left."""

# -------------------------------------------------------------------------------------------- hooks for tests
# All of them raise OptionError for arguments out of range, OverflowError for what no C integer holds.
def kernel_words(seed: int, index: int, family: int, count: int, skip: int = 0) -> npt.NDArray[np.uint64]:
    """``count`` words of a family's stream, after ``skip`` words."""

def kernel_bounded(seed: int, index: int, family: int, n: int, count: int) -> npt.NDArray[np.uint32]:
    """``count`` unbiased integers below ``n``."""

def kernel_shuffle(seed: int, index: int, family: int, n: int, times: int = 1) -> npt.NDArray[np.uint8]:
    """``times`` successive shuffles of 0 ... n - 1, shape (times, n)."""

def kernel_hits(game: NativeGame, squad: Sequence[int], dice: Sequence[int]) -> list[int]:
    """Sets of Units (bits in unit order) of a squad, numbers by type, that these dice can defeat together
    (K6).
    """

def kernel_frames(state: NativeState) -> list[tuple[int, int, int, int, int, int, int]]:
    """The agenda, innermost first: (procedure, step, player, a, b, c, d) each."""

def kernel_event_limit(state: NativeState, most: int) -> None:
    """From now on the state has room for ``most`` events only."""

def kernel_record(values: int) -> npt.NDArray[np.void]:
    """The record, shape (1,), dtype GAME_STATS, of a game in which every counter came to ``values``."""

def kernel_clone(state: NativeState, times: int) -> tuple[float, bool]:
    """Copies the state ``times`` times in native code: seconds taken, whether the last copy is the state."""

def kernel_select(mask: Sequence[int], k: int) -> int:
    """The k-th legal id, ascending, of a mask of eight 64-bit words."""

class KernelMap:
    """A planet's shape with the given arrow groups; sets of spaces are ints, bit i for space i."""

    def __init__(self, arrow_groups: Iterable[Iterable[int]] = ()) -> None: ...
    def number(self, terrain: int, ring: int, offset: int) -> int:
        """The number of a space (P1.7)."""

    def place(self, space: int) -> tuple[int, int]:
        """``(terrain, ring)`` of a space; terrain -1 for the centre."""

    def side(self, space: int) -> list[int]:
        """Side-neighbours, ascending."""

    def near(self, space: int) -> list[int]:
        """Neighbours by side or arrow, ascending."""

    def inner(self, terrain: int) -> list[int]:
        """Inner spaces of a terrain (S4.9), ascending."""

    def area(self, terrain: int, ring: int) -> list[int]:
        """Spaces of one ring of a terrain, ascending."""

    def reach(self, start: int, steps: int, passing: int, tunl: int = 0) -> int:
        """Ends of paths of 1 ... ``steps`` steps with all spaces before the end in ``passing``."""

    def distance(self, start: int, targets: int, passing: int, tunl: int = 0) -> int:
        """Fewest steps to a target, -1 without a path."""
