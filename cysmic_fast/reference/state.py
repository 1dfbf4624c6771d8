"""The engine interface (docs/protocol.md, section 18) on top of the generators."""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any, SupportsIndex, cast

import numpy as np
import numpy.typing as npt

from cysmic_fast import saves
from cysmic_fast.census import Census, GameNotes
from cysmic_fast.errors import (
    ChanceError,
    ContentError,
    CysmicError,
    GameOverError,
    IllegalActionError,
    PositionError,
)
from cysmic_fast.names import ParsedScript, action_name, parse_script, shown
from cysmic_fast.policies import check_word
from cysmic_fast.reference import position, resample, save, save_knowledge
from cysmic_fast.reference.chance import Chance, Stream
from cysmic_fast.reference.decision import Checkpoint, Decision, Flow
from cysmic_fast.reference.hexmap import HexMap
from cysmic_fast.reference.influence import influence
from cysmic_fast.reference.model import Event, Game, Recorded, Stats
from cysmic_fast.reference.observation import observe
from cysmic_fast.reference.turn import play
from cysmic_fast.reference.view import events_seen, view
from cysmic_fast.render import render
from cysmic_fast.stats import GAME_STATS
from cysmic_fast.vocabulary import NUM_ACTIONS, TERMINAL_PLAYER, ChanceFamily, DecisionKind, UnitType

if TYPE_CHECKING:
    from cysmic_fast.content.types import Content
    from cysmic_fast.interface import State
    from cysmic_fast.options import GameOptions

__all__ = ["ReferenceGame", "ReferenceState"]


class ReferenceGame:
    """One configuration of the game: options and content; makes states."""

    engine = "reference"
    num_actions = NUM_ACTIONS

    def __init__(self, options: GameOptions, content: Content) -> None:
        options.check(content)
        self.options = options
        self.content = content
        self.num_players = options.players
        self._map = HexMap(content.planet.arrows)

    def _empty(self, seed: object, index: object, script: Mapping[str, Iterable[object]] | None) -> Game:
        chance = Chance(check_word(seed, "seed"), check_word(index, "index"))
        chance.extend(parse_script(script))
        return Game(self.options, self.content, self._map, chance)

    def new_initial_state(
        self,
        seed: int = 0,
        *,
        index: int = 0,
        script: Mapping[str, Iterable[object]] | None = None,
        record: bool = False,
    ) -> ReferenceState:
        """Game ``index`` of ``seed``, advanced to its first asked decision."""
        return ReferenceState(self, self._empty(seed, index, script), record)

    def _from_canonical(
        self,
        doc: dict[str, Any],
        seed: int = 0,
        *,
        index: int = 0,
        script: Mapping[str, Iterable[object]] | None = None,
        record: bool = False,
    ) -> ReferenceState:
        """The position of a canonical document; ``seed`` and ``index`` serve where it has no ``chance``."""
        game = self._empty(seed, index, script)
        game.recording = record
        position.load(doc, game)
        return ReferenceState(self, game, record)

    def _state_from_parts(
        self, body: bytes, script: object, record: bool, knowledge: bytes = b""
    ) -> ReferenceState:
        """The state of :meth:`ReferenceState._save_parts`."""
        del script, knowledge  # in the body
        return save.load(self, body, record)

    def simulate(
        self, seed: int, first: int, count: int, *, threads: int = 1, census: Census | None = None
    ) -> npt.NDArray[np.void]:
        """Play ``count`` games with the random policy: shape (count,), dtype GAME_STATS (section 19).

        A ``census`` counts them by their events.
        """
        del threads  # one at a time
        records = np.zeros(count, dtype=GAME_STATS)
        counted = None if census is None else Census(self.num_players)
        for i in range(count):
            try:
                records[i] = self._random_game(seed, first + i, counted)
            except ContentError as error:
                raise error.at(first + i, f"game {first + i} of seed {seed}") from None
        if census is not None and counted is not None:
            census.add(counted.data)
        return records

    def _random_game(self, seed: int, index: int, counted: Census | None) -> tuple[int, ...]:
        """The record of one game by the random policy."""
        state = self.new_initial_state(seed, index=index, record=counted is not None)
        policy = Stream(seed, index, ChanceFamily.POLICY)
        notes = GameNotes()
        while not state.is_terminal():
            notes.hear(state.events())
            state.clear_events()
            legal = state.legal_actions()
            state.apply_action(legal[policy.bounded(len(legal))])
        notes.hear(state.events())
        if counted is not None:
            counted.add_game(notes, index, state.winners(), state.round)
        return state.stats_record()


class ReferenceState:
    """A game waiting for a decision of two or more options, or over.

    A generator cannot be copied. A state therefore keeps the game as it was at the last checkpoint (the start
    of the turn) and what was done since; a copy repeats that.

    A state is for one thread at a time. While it acts, another that acts on it, or copies or saves it, is
    told so by a CysmicError, and nothing happens to the state.
    """

    def __init__(self, game: ReferenceGame, table: Game, record: bool) -> None:
        self.game = game
        self._acting = threading.Lock()
        self._table = table
        self._record = record
        self._checkpoint = table  # replaced by a copy at once, when the flow begins
        self._log: list[tuple[str, Any]] = []
        self._flow: Flow[None]
        self._decision: Decision | None = None
        self._begin(table)

    @classmethod
    def _bare(cls, game: ReferenceGame, record: bool) -> ReferenceState:
        """A state to be filled by :meth:`_restore` or :meth:`_begin`."""
        twin = cls.__new__(cls)
        twin.game, twin._record, twin._log, twin._acting = game, record, [], threading.Lock()
        return twin

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """While no other thread is in the middle of something."""
        if not self._acting.acquire(blocking=False):
            raise CysmicError("another thread acts on the state; give each a clone")
        try:
            yield
        finally:
            self._acting.release()

    # ------------------------------------------------------------------ the flow
    def _begin(self, table: Game) -> None:
        table.recording = self._record
        self._table = table
        self._flow = play(table)
        self._advance(None)

    def _advance(self, action: int | None) -> None:
        """Run to the next asked decision, keeping a copy at every checkpoint passed."""
        try:
            item = next(self._flow) if action is None else self._flow.send(action)
            while isinstance(item, Checkpoint):
                self._checkpoint = self._table.copy()
                self._log = []
                item = next(self._flow)
            self._decision = item
        except StopIteration:
            self._decision = None

    def _apply(self, action: int) -> None:
        self._log.append(("action", action))
        self._advance(action)

    def _script(self, script: ParsedScript) -> None:
        self._log.append(("script", script))
        self._table.chance.extend(script)

    def _rekey(self, key: tuple[int, int]) -> None:
        self._log.append(("rekey", key))
        self._table.chance = Chance(*key)

    def _restore(self, checkpoint: Game, log: list[tuple[str, Any]], events: list[Recorded]) -> None:
        """Go (back) to a checkpoint and repeat a log; ``events`` is the record up to then."""
        record, self._record = self._record, False
        steps: dict[str, Callable[[Any], None]] = {
            "action": self._apply,
            "script": self._script,
            "rekey": self._rekey,
        }
        self._begin(checkpoint.copy())
        for what, value in log:
            steps[what](value)
        self._record = self._table.recording = record
        self._table.events = list(events)

    # ------------------------------------------------------------------ looking
    def current_player(self) -> int:
        """Seat of the player to choose, ``TERMINAL_PLAYER`` when the game is over."""
        return TERMINAL_PLAYER if self._decision is None else self._decision.player

    def decision(self) -> DecisionKind:
        """What is being asked."""
        return DecisionKind.NONE if self._decision is None else self._decision.kind

    def legal_actions(self) -> list[int]:
        """Legal action ids, ascending; empty when the game is over."""
        return [] if self._decision is None else list(self._decision.options)

    def legal_actions_mask(self) -> npt.NDArray[np.bool_]:
        """The legal action ids as a bool array of shape (512,)."""
        mask = np.zeros(NUM_ACTIONS, dtype=np.bool_)
        mask[self.legal_actions()] = True
        return mask

    def is_terminal(self) -> bool:
        """The game is over."""
        return self._decision is None

    def winners(self) -> list[int]:
        """Seats that have Launched, ascending (S1.2, L4)."""
        return [p.seat for p in self._table.players if p.launched]

    def returns(self) -> list[float]:
        """1.0 for every player that has Launched, else 0.0."""
        return [float(p.launched) for p in self._table.players]

    def end_reason(self) -> int:
        """0 a Launch, 1 no tile left, 2 the cap; -1 while running."""
        return self._table.reason

    @property
    def round(self) -> int:
        """Round, from 1."""
        return self._table.round

    @property
    def active_player(self) -> int:
        """Seat whose turn it is."""
        return self._table.active

    @property
    def asked(self) -> object:
        """Something that is another thing after every action."""
        return self._decision

    @property
    def decision_unit(self) -> UnitType | None:
        """At MOVE_TO the type of the Unit that moves."""
        return None if self._decision is None else self._decision.unit

    @property
    def table(self) -> Game:
        """The model behind the state: to look at, not to touch."""
        return self._table

    def influence(self, seat: int) -> int:
        """Influence of a player (I1.1)."""
        return influence(self._table, check_word(seat, "seat", 0, self.game.num_players - 1))

    def observation(self, player: int, out: npt.NDArray[np.int8] | None = None) -> npt.NDArray[np.int8]:
        """What a player sees (docs/observation.md); written into ``out`` if that is given."""
        return observe(self, player, out)

    def action_to_string(self, action: int) -> str:
        """Name of an action in the decision at hand (section 2)."""
        return action_name(action, self.game.content, int(self.decision()))

    def __str__(self) -> str:
        """The whole state, whatever is hidden included; ``cysmic_fast.view_text`` is what a seat sees."""
        return render(cast("State", self))

    def __repr__(self) -> str:
        if self._decision is None:
            return f"<reference state: over, reason {self._table.reason}, winners {self.winners()}>"
        player, kind = self._decision.player, self._decision.kind.name  # the options tell of hidden cards
        return f"<reference state: round {self.round}, seat {player} decides {kind}>"

    # ------------------------------------------------------------------ acting
    def apply_action(self, action: SupportsIndex) -> None:
        """Choose a legal action (any Python or NumPy integer); on an error the state is unchanged."""
        decision = self._decision
        if decision is None:
            raise GameOverError(f"the game is over; action {shown(action)} cannot be applied")
        try:
            number = operator.index(action)
        except Exception:  # no integer, or an __index__ that fails
            number = -1
        if isinstance(action, (bool, np.bool_)) or number not in decision.options:
            allowed = ", ".join(f"{a} ({self.action_to_string(a)})" for a in decision.options)
            raise IllegalActionError(
                f"action {shown(action)} is not legal in {decision.kind.name} "
                f"of seat {decision.player}; allowed: {allowed}"
            )
        with self._alone():
            if decision is not self._decision:
                raise CysmicError("another thread has acted on the state; give each a clone")
            checkpoint, log, events = self._checkpoint, list(self._log), list(self._table.events)
            try:
                self._apply(number)
            except (ChanceError, ContentError):
                self._restore(checkpoint, log, events)
                raise

    def script(self, outcomes: Mapping[str, Iterable[object]]) -> None:
        """Append scripted outcomes by chance kind; raises ChanceError for malformed ones."""
        script = parse_script(outcomes)
        with self._alone():
            self._script(script)

    def clone(self, seed: int | None = None) -> ReferenceState:
        """An exact, independent copy; with a seed, chance is re-keyed and the script dropped."""
        fresh = None if seed is None else check_word(seed, "seed")
        twin = self._bare(self.game, self._record)
        with self._alone():
            twin._restore(self._checkpoint, self._log, self._table.events)
        if fresh is not None:
            twin._rekey((fresh, twin._table.chance.index))
        return twin

    def replica(self, game: ReferenceGame, seed: int, index: int) -> ReferenceState:
        """A copy for a playout of ``game``, which may have an earlier round cap: chance keyed with (seed,
        index), no script, no record of events, all counters at 0.
        """
        twin = self._bare(game, record=False)
        with self._alone():
            twin._restore(self._checkpoint, self._log, [])
        twin._rekey((seed, index))
        table = twin._table
        table.options = twin._checkpoint.options = game.options
        table.stats = Stats(first_player=table.stats.first_player)
        return twin

    def __copy__(self) -> ReferenceState:
        return self.clone()

    def __deepcopy__(self, memo: object) -> ReferenceState:
        return self.clone()

    # ------------------------------------------------------------------ as a value
    def _save_parts(self) -> tuple[bytes, None, bytes]:
        """The part of a save that is this engine's (docs/saves.md); the script is in it."""
        with self._alone():
            return save.save(self._checkpoint, self._log), None, b""

    def let_know(self, part: save_knowledge.KnowledgePart) -> None:
        """What the seats know where the turn began; SaveError for what cannot be. Only of a state from a
        position.
        """
        checkpoint = self._checkpoint.copy()
        save_knowledge.read(checkpoint, part)
        self._restore(checkpoint, [], [])

    def _script_left(self) -> dict[str, list[Any]]:
        """Outcomes to come, as :meth:`script` takes them."""
        return save.written(self._table.chance.script)

    def to_bytes(self) -> bytes:
        """The state as a save (docs/saves.md), the script included, recorded events not."""
        return saves.write_save(self)

    def set_recording(self, record: bool) -> None:
        """Record events from here on, or do not; those recorded so far are forgotten."""
        self._record = self._table.recording = record
        self._table.events = []

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ReferenceState):
            return NotImplemented
        return self.game == other.game and self._save_parts() == other._save_parts()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return saves.load_state, (self.game, self.to_bytes(), self._record)

    # ------------------------------------------------------------------ hidden information
    def view(self, player: int) -> dict[str, Any]:
        """What a seat sees and knows, as a document (docs/information.md, section 2)."""
        return view(self._table, self._decision, check_word(player, "player", 0, self.game.num_players - 1))

    def resample(self, player: int, seed: int) -> ReferenceState:
        """A copy in which what a seat does not know is drawn anew (docs/information.md, section 4).

        Only where :meth:`to_position` is possible; PositionError elsewhere: a generator cannot be given other
        cards in the middle of things.
        """
        viewer = check_word(player, "player", 0, self.game.num_players - 1)
        key = check_word(seed, "seed")
        if not position.is_loadable(self._table, self._decision):
            raise PositionError(
                f"the reference engine cannot resample at {self.decision().name}: only at the "
                "start of a turn and at the first PLACE_SHIP; the native engine can at any"
            )
        stream = Stream(key, self._table.chance.index, ChanceFamily.RESAMPLE)
        fixed: set[int] = set()
        for number in count(1):
            twin = self._with_table(resample.draw_world(self._checkpoint, viewer, stream, fixed), key)
            if self._asks_alike(twin, viewer):
                return twin
            if number == resample.TRIALS:  # (I25, J14)
                fixed = {self.current_player()}
            elif number > resample.TRIALS:
                fixed = set(self._table.seats)
        raise AssertionError

    def _with_table(self, table: Game, key: int) -> ReferenceState:
        """A state that goes on from a table with chance of its own (I26)."""
        table.chance = Chance(key, self._table.chance.index)
        twin = self._bare(self.game, record=False)
        twin._begin(table)
        return twin

    def _asks_alike(self, twin: ReferenceState, viewer: int) -> bool:
        """The same question is asked, and the viewer has the same options (I25, J14)."""
        mine, other = self._decision, twin._decision
        assert mine is not None
        if other is None or not twin._table.fresh or (mine.player, mine.kind) != (other.player, other.kind):
            return False
        return mine.player != viewer or mine.options == other.options

    # ------------------------------------------------------------------ records
    def events(self, player: int | None = None) -> list[Event]:
        """What happened so far, if the state records (section 17); with ``player`` as it may see that."""
        if player is None:
            return [event for event, _ in self._table.events]
        return events_seen(self._table, check_word(player, "player", 0, self.game.num_players - 1))

    def clear_events(self) -> None:
        """Forget the events recorded so far."""
        self._table.events = []

    def to_position(self) -> dict[str, Any]:
        """The canonical position document, where nothing of the turn or of set-up has happened yet."""
        if not position.is_loadable(self._table, self._decision):
            raise PositionError(
                f"no position can be given at this decision ({self.decision().name}): only at the start of a "
                "turn and at the first PLACE_SHIP; use snapshot()"
            )
        return self.snapshot()

    def snapshot(self) -> dict[str, Any]:
        """The position document at any decision."""
        return position.emit(self._table, position.phase_name(self._table, self._decision))

    def stats_record(self) -> tuple[int, ...]:
        """The fields of GAME_STATS of a game that is over; each stops at the largest number it can hold."""
        table, stats = self._table, self._table.stats
        known = {
            "winners": sum(1 << s for s in self.winners()),
            "reason": table.reason,
            "rounds": table.round,
        }
        names = GAME_STATS.names
        assert names is not None
        values = [known[n] if n in known else int(getattr(stats, n)) for n in names]
        return tuple(
            min(value, int(np.iinfo(GAME_STATS[name]).max)) for name, value in zip(names, values, strict=True)
        )
