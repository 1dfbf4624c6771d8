"""Types of the compiled engine. Public users reach it through ``cysmic_fast.load_game``.

The classes offer the interface of ``docs/protocol.md``, section 18 (:mod:`cysmic_fast.interface`), the same
as the reference engine. Functions named ``kernel_...`` and :class:`KernelMap` are hooks for the tests of the
kernels.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn, SupportsIndex, TypedDict

import numpy as np
import numpy.typing as npt

from cysmic_fast.census import Census
from cysmic_fast.content.types import Content
from cysmic_fast.interface import Document, Event, Game
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
    observation_shape: tuple[int]

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
        self, body: bytes, script: Mapping[str, Sequence[Any]] | None, record: bool, knowledge: bytes = b""
    ) -> NativeState:
        """The state of ``NativeState._save_parts``; SaveError for bytes that are no state of this game."""

    def simulate(
        self, seed: int, first: int, count: int, *, threads: int = 1, census: Census | None = None
    ) -> npt.NDArray[np.void]:
        """Play games ``first`` ... ``first + count - 1`` of ``seed`` with the random policy.

        Returns records of ``cysmic_fast.stats.GAME_STATS``, shape (count,), the same for any number of
        threads. The GIL is released while games are played. Ctrl-C ends it within a few games. A ``census``
        for this number of players counts the games (OptionError for anything else), unless an error or
        Ctrl-C ends the playing.
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
        """The state as a save (docs/saves.md), the script included, recorded events not.

        Equal states have equal bytes.
        """

    def _save_parts(self) -> tuple[bytes, dict[str, list[Any]] | None, bytes]:
        """The parts of a save: the state, what is left of the script, what the seats know."""

    def _script_left(self) -> dict[str, list[Any]]:
        """Outcomes to come, as ``script`` takes them."""

    def __copy__(self) -> NativeState: ...
    def __deepcopy__(self, memo: object) -> NativeState: ...
    def script(self, outcomes: Mapping[str, Sequence[Any]]) -> None:
        """Append outcomes to the queues of chance kinds; ChanceError for unknown kinds and malformed
        outcomes.
        """

    def events(self, player: int | None = None) -> list[Event]:
        """Events recorded so far: (kind, player, a, b, c), protocol section 17; with a seat as that seat may
        see them (docs/information.md, section 3). OptionError for a seat that does not exist.
        """

    def clear_events(self) -> None:
        """Forget the recorded events."""

    def to_position(self) -> Document:
        """The canonical position document at the start of a turn or of placing the Ships; PositionError
        elsewhere.
        """

    def snapshot(self) -> Document:
        """The same document at any decision; its phase says whether it can be loaded."""

    def view(self, player: int) -> Document:
        """What a seat sees and knows (docs/information.md, section 2), a JSON-able document.

        OptionError for a seat that does not exist.
        """

    def resample(self, player: int, seed: int) -> NativeState:
        """An independent copy in which what the seat does not know is drawn anew, uniformly among all worlds
        that agree with what it knows (docs/information.md, section 4).

        Chance goes on with the key (seed, same index), all words at 0; the script and the record are dropped.
        The same state, seat and seed give the same world on any machine. A few microseconds. OptionError for
        a seat that does not exist or a seed outside 0 ... 2**64 - 1.
        """

    def influence(self, seat: int) -> int:
        """Influence of a player (I1.1); OptionError for a seat that does not exist."""

    def observation(self, player: int, out: npt.NDArray[np.int8] | None = None) -> npt.NDArray[np.int8]:
        """What a player sees, as numbers: shape (size,), int8 (``cysmic_fast.observation_spec``).

        Written into ``out`` if that is given. OptionError for a seat that does not exist, or another array.
        """

    def action_to_string(self, action: int) -> str:
        """Name of an action in the decision at hand."""

    def check_integrity(self) -> str | None:
        """Work out again what is kept incrementally, the legal mask included, and compare what the seats know
        with the truth.

        None, or the name of the check that failed. For tests; a build with CYSMIC_DEBUG does it at every
        decision.
        """

class Playouts:
    """What the threads of ``simulate`` and ``rollouts`` share; not made by hand (TypeError)."""

    def __init__(self) -> NoReturn: ...
    def work(self) -> None:
        """Play shares of the playouts until none is left."""

    def work_apart(self) -> None:
        """The same in a thread of its own."""

def run_playouts(
    game: NativeGame,
    start: NativeState | None,
    seed: int,
    first: int,
    records: npt.NDArray[np.void],
    returns: npt.NDArray[np.float64] | None,
    policies: list[Any],
    codes: list[tuple[int, int]],
    rules: Sequence[Sequence[tuple[int, int]]],
    cutoff: int,
    evaluator: Any,
    evaluator_code: int,
    threads: int,
    apart: bool,
    census: Census | None = None,
) -> None:
    """The playouts of :func:`cysmic_fast.rollouts`, which checks the arguments and explains them.

    Fills ``records``, shape (count,), dtype GAME_STATS, and ``returns``, shape (count, players). ``codes``,
    by seat: how the policy is called, and its address if it is compiled.
    """

def playout_weights(
    state: NativeState, rules: Sequence[Sequence[tuple[int, int]]]
) -> list[tuple[int, list[int]]]:
    """What the playout policy weighs at a decision: (weight, legal actions) for each rule that applies."""

def state_bytes(state: NativeState) -> bytes:
    """The struct ``State`` of a state (``cysmic_fast.layout``)."""

def struct_layout() -> dict[str, tuple[int, dict[str, tuple[int, int]]]]:
    """By struct: its size, and by field (offset, size), as the C compiler has them."""

def policy_functions() -> dict[str, int]:
    """Addresses of the C functions that compiled policies call: ``word(rng)`` and ``bounded(rng, n)``."""

def embed_constants() -> dict[str, int]:
    """Numbers of ``cysmic.h`` as the module was compiled with them."""

def embed_functions() -> dict[str, int]:
    """Addresses of the functions of the C table that need no lock (``cysmic_fast.embed.functions``)."""

def embed_handle(game: object) -> int:
    """See ``cysmic_fast.embed.handle``."""

def embed_copy(state: object, out: npt.NDArray[np.uint8]) -> None:
    """See ``cysmic_fast.embed.copy_state``."""

_C_API: object  # capsule with the table of functions, struct cysmic_api of cysmic.h

class Batch:
    """``n`` games of one kind, played side by side in one array of states (docs/batch.md).

    Row i begins with game ``first + i`` of ``seed``; its k-th game, from 0, is game ``first + i + k * n``
    (modulo 2**64). The properties are views that each step updates in place; they cannot be written to.

    One call at a time: while the interpreter lock is released, other calls are refused with CysmicError.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        seed: int = 0,
        *,
        first: int = 0,
        threads: int = 1,
        autoreset: bool = True,
        final_observation: bool = False,
        knowledge: bool = False,
    ) -> None:
        """Start ``n`` games.

        Parameters
        ----------
        game
            A game of the native engine.
        n
            Rows, at least 1. A row takes about 2.3 KiB.
        seed, first
            Integers from 0 to 2**64 - 1, ``first + n - 1`` as well.
        threads
            1 to 1024; results do not depend on it.
        autoreset
            A row whose game ends in a step is restarted at once; otherwise it stays as it is, and steps pass
            it over, until ``reset``.
        final_observation
            Keep the last observation of games that end.
        knowledge
            Keep what the seats have seen (docs/information.md), so that ``state(i)`` has it; 1.4 KiB a row.

        Raises
        ------
        OptionError
            For arguments that cannot be.
        MemoryError
            If there is no room.
        """

    game: Game
    num_rows: int
    threads: int
    autoreset: bool

    @property
    def num_players(self) -> int:
        """Number of players."""

    @property
    def seed(self) -> int:
        """The seed."""

    @property
    def first(self) -> int:
        """Index of the first game of row 0."""

    @property
    def knowledge(self) -> bool:
        """Whether rows keep what their seats have seen."""

    @property
    def current_player(self) -> npt.NDArray[np.int8]:
        """Shape (n,): who decides, TERMINAL_PLAYER where the game is over."""

    @property
    def decision(self) -> npt.NDArray[np.uint8]:
        """Shape (n,): the DecisionKind at hand, 0 where the game is over."""

    @property
    def legal_mask(self) -> npt.NDArray[np.uint64]:
        """Shape (n, 8): bit ``a & 63`` of word ``a >> 6`` is set where action a is legal; none when over."""

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """Shape (n, players): the returns of games that ended in the latest step, elsewhere 0."""

    @property
    def terminated(self) -> npt.NDArray[np.bool_]:
        """Shape (n,): the row's game is over; with autoreset: it ended in the latest step."""

    @property
    def episode_ended(self) -> npt.NDArray[np.bool_]:
        """Shape (n,): a game of the row ended in the latest step."""

    @property
    def reason(self) -> npt.NDArray[np.int8]:
        """Shape (n,): where ``terminated``, why (``State.end_reason``), elsewhere -1."""

    @property
    def lengths(self) -> npt.NDArray[np.int32]:
        """Shape (n,): decisions taken in the game at hand."""

    @property
    def final_lengths(self) -> npt.NDArray[np.int32]:
        """Shape (n,): where ``episode_ended``, the decisions of the game that ended, elsewhere 0."""

    @property
    def last_player(self) -> npt.NDArray[np.int8]:
        """Shape (n,): who took the latest decision of the row, in a game that ended too; -1: nobody yet."""

    @property
    def game_index(self) -> npt.NDArray[np.uint64]:
        """Shape (n,): the index of the game at hand."""

    @property
    def final_observation(self) -> npt.NDArray[np.int8]:
        """Shape (n, size): where ``episode_ended``, the last observation of the game that ended.

        As seen by who took the last decision. OptionError unless asked for when the batch was made.
        """

    def __len__(self) -> int: ...
    def __copy__(self) -> Batch: ...
    def __deepcopy__(self, memo: object) -> Batch: ...
    def legal_mask_bool(self, out: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.bool_]:
        """The legal actions as bools, shape (n, 512), written into ``out`` if given."""

    def observe(
        self, out: npt.NDArray[np.int8] | None = None, player: int | None = None
    ) -> npt.NDArray[np.int8]:
        """Observations, shape (n, size), written into ``out`` if given.

        Each of who decides in the row (where the game is over, of who decided last, seat 0 if nobody has);
        with ``player`` all of that seat.
        """

    def random_actions(self, out: npt.NDArray[np.int16] | None = None) -> npt.NDArray[np.int16]:
        """A uniformly random legal action for each row, shape (n,); -1 where the game is over.

        From the POLICY stream of the row's game: a batch that plays them plays the games of
        ``game.simulate(seed, first, n)``. Each call draws anew.
        """

    def state(self, i: int) -> NativeState:
        """An independent copy of the game of row ``i``."""

    def step(self, actions: npt.NDArray[np.int16] | npt.NDArray[np.int32] | npt.NDArray[np.int64]) -> None:
        """Apply one action in every row whose game is not over.

        Shape (n,), C-contiguous; entries of rows whose game is over do not matter.

        Raises
        ------
        IllegalActionError
            If any action is illegal: how many are, which rows (the first ones), what is allowed there.
            Nothing is stepped.
        OptionError
            For anything but such an array.
        ContentError
            For a row in which effects of cards do not come to an end; all others are stepped, that row's
            game is over, with reason -1.
        """

    def reset(self, mask: npt.NDArray[np.bool_] | None = None) -> None:
        """Start the next game of every row, or of those where ``mask``, shape (n,), is true."""

    def set_state(self, i: int, state: NativeState) -> None:
        """Put a copy of a state into row ``i``, its chance included; recorded events stay behind.

        The state is one of an equal game without scripted outcomes left (OptionError). The row's stream of
        random actions and the number of its next game stay as they are. With autoreset a row with a finished
        game is restarted by the next step.
        """

    def clone(self) -> Batch:
        """An exact, independent copy: games, streams of random actions and results."""

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
