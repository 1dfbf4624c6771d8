"""Replays: a whole game as JSON lines, to be read by people, checked by either engine (docs/replays.md)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final

import msgspec

from cysmic_fast.errors import (
    ChanceError,
    CysmicError,
    GameOverError,
    IllegalActionError,
    OptionError,
    PositionError,
    ReplayError,
    SaveError,
)
from cysmic_fast.files import write_whole
from cysmic_fast.names import action_name, plain, shown

if TYPE_CHECKING:
    from cysmic_fast.content.types import Content
    from cysmic_fast.interface import Game, State

__all__ = ["Replay", "state_hash"]

FORMAT: Final = "cysmic-replay"
VERSION: Final = 1
#: A hash of the state stands after so many actions.
EVERY: Final = 32
#: Larger files, longer lines and longer games are no replays.
MAX_BYTES: Final = 64_000_000
MAX_LINE: Final = 1_000_000
MAX_PLIES: Final = 1_000_000


class Pack(msgspec.Struct, forbid_unknown_fields=True):
    """The content pack of a game."""

    name: str
    hash: str


class Start(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Where the game begins: game ``index`` of ``seed``, a position document, or a save (base64)."""

    seed: int | None = None
    index: int | None = None
    position: dict[str, Any] | None = None
    save: str | None = None
    script: dict[str, list[str | list[str]]] = {}


class Header(msgspec.Struct, tag="header", forbid_unknown_fields=True, omit_defaults=True):
    """The first line."""

    format: str
    version: int
    package: str
    rules: str
    engine: str
    options: dict[str, Any]
    content: Pack
    start: Start
    players: list[str] = []


class Act(msgspec.Struct, tag="action", forbid_unknown_fields=True):
    """A line for each action."""

    ply: int
    player: int
    decision: str
    action: int
    name: str


class Check(msgspec.Struct, tag="hash", forbid_unknown_fields=True):
    """The state after so many actions."""

    ply: int
    hash: str


class End(msgspec.Struct, tag="end", forbid_unknown_fields=True):
    """The last line: how the game stands after all actions."""

    plies: int
    hash: str
    over: bool
    winners: list[int]
    reason: int


_LINE: Final = msgspec.json.Decoder(Header | Act | Check | End)
_ENCODER: Final = msgspec.json.Encoder(order="deterministic")


def state_hash(state: State) -> str:
    """Hash of a state for replays: BLAKE2b of its snapshot as JSON with sorted keys, 32 hex digits.

    The same on both engines, on every platform, and in every process. OptionError for what is no state.
    """
    from cysmic_fast.game import is_state

    if not is_state(state):
        raise OptionError(f"state: {shown(state)} given; allowed: a state")
    text = msgspec.json.encode(state.snapshot(), order="sorted")
    return hashlib.blake2b(text, digest_size=16).hexdigest()


class Replay:
    """A game: where it began, every action, hashes of states on the way.

    Made by ``History.to_replay()``, :meth:`of` or :meth:`read`. What is read is well-formed; whether the game
    can be played so says :meth:`verify`.
    """

    def __init__(self, header: Header, acts: Sequence[Act], checks: Sequence[Check], end: End) -> None:
        self.header: Header = header
        self.acts: list[Act] = list(acts)
        self.checks: list[Check] = list(checks)
        self.end: End = end

    def __len__(self) -> int:
        return len(self.acts)

    def __repr__(self) -> str:
        return f"<replay: {len(self.acts)} actions, {'over' if self.end.over else 'unfinished'}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Replay):
            return NotImplemented
        return self.lines() == other.lines()

    __hash__ = None  # type: ignore[assignment]

    @property
    def actions(self) -> list[int]:
        """The actions."""
        return [act.action for act in self.acts]

    # ------------------------------------------------------------------ making
    @classmethod
    def of(cls, start: State, actions: Iterable[int], *, players: Sequence[str] = ()) -> Replay:
        """The replay of a game that begins at ``start`` (not changed) with these actions.

        IllegalActionError and ChanceError as from ``State.apply_action``; ReplayError for what is no state or
        no list of actions, and for names that are not one text a seat.
        """
        return cls.played(start, actions, players=players)[0]

    @classmethod
    def played(
        cls, start: State, actions: Iterable[int], *, players: Sequence[str] = ()
    ) -> tuple[Replay, State]:
        """As :meth:`of`, and the state that the actions lead to."""
        from cysmic_fast import __version__
        from cysmic_fast.game import is_state
        from cysmic_fast.vocabulary import RULES_VERSION

        if not is_state(start):
            raise ReplayError(f"start: {shown(start)} given; allowed: a state")
        if not isinstance(actions, Iterable):
            raise ReplayError(f"actions: {shown(actions)} given; allowed: action ids")
        state, game = start.clone(), start.game
        content = game.content
        names = _names(players, game.num_players)
        header = Header(
            format=FORMAT,
            version=VERSION,
            package=__version__,
            rules=RULES_VERSION,
            engine=game.engine,
            options=game.options.to_dict(),
            content=Pack(content.name, content.hash),
            start=_start_of(start),
            players=names,
        )
        acts: list[Act] = []
        checks: list[Check] = []
        for action in actions:
            kind, player = state.decision(), state.current_player()
            state.apply_action(action)
            acts.append(
                Act(len(acts) + 1, player, kind.name, int(action), action_name(int(action), content, kind))
            )
            if len(acts) % EVERY == 0:
                checks.append(Check(len(acts), state_hash(state)))
        end = End(len(acts), state_hash(state), state.is_terminal(), state.winners(), state.end_reason())
        return cls(header, acts, checks, end), state

    # ------------------------------------------------------------------ files
    def lines(self) -> list[bytes]:
        """The lines of the file, without line ends."""
        lines: list[Any] = [self.header]
        checks = {check.ply: check for check in self.checks}
        for act in self.acts:
            lines.append(act)
            if act.ply in checks:
                lines.append(checks[act.ply])
        return [_ENCODER.encode(line) for line in [*lines, self.end]]

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a file, or over one, whole or not at all.

        ReplayError if that cannot be, or if it is longer than what :meth:`read` reads.
        """
        name = _shown_path(path)
        try:
            lines = self.lines()
            for number, line in enumerate(lines, 1):
                if len(line) > MAX_LINE:
                    raise ReplayError(
                        f"{name}: cannot be written: line {number} would have {len(line)} bytes; "
                        f"allowed: {MAX_LINE}"
                    )
            data = b"\n".join(lines) + b"\n"
            if len(data) > MAX_BYTES or len(self.acts) > MAX_PLIES:
                raise ReplayError(
                    f"{name}: cannot be written: {len(data)} bytes and {len(self.acts)} actions; "
                    f"allowed: {MAX_BYTES} and {MAX_PLIES}"
                )
            write_whole(Path(path), data)
        except ReplayError:
            raise
        except (OSError, TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
            raise ReplayError(f"{name}: cannot be written: {_reason(error)}") from None

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Replay:
        """Read a file, or a pipe to its end; ReplayError, with the line, for anything that is no replay."""
        name = _shown_path(path)
        try:
            with Path(path).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except (OSError, TypeError, ValueError) as error:
            raise ReplayError(f"{name}: cannot be read: {_reason(error)}") from None
        if len(data) > MAX_BYTES:
            raise ReplayError(f"{name}: larger than a replay can be ({MAX_BYTES} bytes)")
        return cls.parse(data, name)

    @classmethod
    def parse(cls, data: bytes, name: str = "replay") -> Replay:
        """The replay of a file's bytes; ``name`` is for messages."""
        name = _shown_path(name)
        if not isinstance(data, (bytes, bytearray)):
            raise ReplayError(f"{name}: {shown(data)} given; allowed: bytes")
        header: Header | None = None
        end: End | None = None
        acts: list[Act] = []
        checks: list[Check] = []
        for number, text in enumerate(data.split(b"\n"), 1):
            where = f"{name}, line {number}"
            if not text.strip():
                continue
            if end is not None:
                raise ReplayError(f"{where}: something behind the last line")
            if len(text) > MAX_LINE:
                raise ReplayError(f"{where}: {len(text)} bytes; allowed: {MAX_LINE}")
            try:
                line = _LINE.decode(text)
            except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                raise ReplayError(f"{where}: no line of a replay: {error}") from None
            if header is None:
                if not isinstance(line, Header):
                    raise ReplayError(f"{where}: the header is missing")
                if line.format != FORMAT or line.version != VERSION:
                    raise ReplayError(
                        f"{where}: {shown(line.format)} version {line.version}; "
                        f"allowed: {FORMAT!r} version {VERSION}"
                    )
                header = line
            elif isinstance(line, Act):
                if line.ply != len(acts) + 1 or line.ply > MAX_PLIES:
                    raise ReplayError(f"{where}: ply {line.ply} where ply {len(acts) + 1} comes")
                acts.append(line)
            elif isinstance(line, Check):
                if line.ply != len(acts) or (checks and checks[-1].ply == line.ply):
                    raise ReplayError(f"{where}: a hash after ply {line.ply}, here after ply {len(acts)}")
                checks.append(line)
            elif isinstance(line, End):
                if line.plies != len(acts):
                    raise ReplayError(f"{where}: {line.plies} plies; {len(acts)} are there")
                end = line
            else:
                raise ReplayError(f"{where}: a second header")
        if header is None:
            raise ReplayError(f"{name}: empty")
        if end is None:
            raise ReplayError(f"{name}: cut short: the line of the end is missing after ply {len(acts)}")
        return cls(header, acts, checks, end)

    # ------------------------------------------------------------------ playing
    def game(
        self,
        *,
        engine: str | None = None,
        packs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
        content: Content | None = None,
    ) -> Game:
        """The game, on the engine given or the one it was played on.

        ReplayError for another content pack or rules and a header that cannot be; OptionError for an engine
        or packs that cannot be.
        """
        from cysmic_fast.game import check_engine, content_of, make_game
        from cysmic_fast.options import GameOptions
        from cysmic_fast.vocabulary import RULES_VERSION

        header = self.header
        if engine is None:
            engine = header.engine
        else:
            check_engine(engine)
        if header.rules != RULES_VERSION:
            raise ReplayError(f"rules version {shown(header.rules)}; this version plays {RULES_VERSION!r}")
        pack = content_of(packs, content)
        if pack.hash != header.content.hash:
            raise ReplayError(
                f"a game with content pack {header.content.name!r}, hash {header.content.hash}; given is "
                f"{pack.name!r}, hash {pack.hash}"
            )
        try:
            return make_game(GameOptions.from_dict(header.options), pack, engine)
        except CysmicError as error:
            raise ReplayError(f"the header is damaged: {error}") from None

    def _first(self, game: Game, record: bool) -> State:
        start = self.header.start
        given = [
            start.seed is not None and start.index is not None,
            start.position is not None,
            start.save is not None,
        ]
        if sum(given) != 1:
            raise ReplayError(
                "the header is damaged: the start is seed and index, position or save, one of them"
            )
        from cysmic_fast.game import ENGINES
        from cysmic_fast.saves import save_info

        script = start.script or None
        try:
            if start.position is not None:
                return game.state_from_position(start.position, script=script, record=record)
            if start.save is not None:
                data = base64.b64decode(start.save, validate=True)
                wrote = save_info(data).engine
                if wrote in ENGINES and wrote != game.engine:
                    raise ReplayError(
                        f"the replay begins with a save of the {wrote} engine, which the {game.engine} "
                        f"engine cannot read: it can be verified by the {wrote} engine only (docs/replays.md)"
                    )
                return game.state_from_bytes(data, record=record)
            assert start.seed is not None
            assert start.index is not None
            return game.new_initial_state(start.seed, index=start.index, script=script, record=record)
        except ReplayError:
            raise
        except (SaveError, binascii.Error) as error:
            raise ReplayError(f"the start of the game cannot be read: {error}") from None
        except CysmicError as error:
            raise ReplayError(f"the start of the game cannot be: {error}") from None

    def states(self, game: Game | None = None, *, record: bool = False) -> Iterator[State]:
        """The game as it goes: before the first action, then after each; always the same object.

        ReplayError at the first action that does not fit, with its ply; OptionError for what is no game, and
        a ``record`` that is no bool.
        """
        from cysmic_fast.game import BaseGame
        from cysmic_fast.policies import check_flag

        record = check_flag(record, "record")
        game = self.game() if game is None else game
        if not isinstance(game, BaseGame):
            raise OptionError(f"game: {shown(game)} given; allowed: a game")
        state = self._first(game, record)
        yield state
        checks = {check.ply: check.hash for check in self.checks}
        sure = 0
        for act in self.acts:
            self._test(act, state)
            try:
                state.apply_action(act.action)
            except CysmicError as error:
                raise ReplayError(f"ply {act.ply}: {error}", act.ply) from None
            if act.ply in checks:
                self._compare(state, checks[act.ply], sure, act.ply)
                sure = act.ply
            yield state
        self._compare(state, self.end.hash, sure, len(self.acts))
        end = self.end
        if (end.over, end.winners, end.reason) != (state.is_terminal(), state.winners(), state.end_reason()):
            raise ReplayError(
                f"the end differs: over {end.over}, winners {end.winners}, reason {end.reason} here; "
                f"{state.is_terminal()}, {state.winners()}, {state.end_reason()} when it is played",
                len(self.acts) or None,
            )

    @staticmethod
    def _test(act: Act, state: State) -> None:
        """ReplayError unless an action is what the state asks for."""
        try:
            if state.is_terminal():
                raise GameOverError("the game is over")
            kind, player = state.decision(), state.current_player()
            asked = f"{kind.name} of seat {player}"
            if (act.decision, act.player) != (kind.name, player):
                raise IllegalActionError(f"{shown(act.decision)} of seat {act.player}; asked is {asked}")
            if act.action not in state.legal_actions():
                names = ", ".join(state.action_to_string(a) for a in state.legal_actions()[:12])
                raise IllegalActionError(
                    f"action {act.action} ({shown(act.name)}) in {asked}; allowed: {names}"
                )
            if act.name != state.action_to_string(act.action):
                raise IllegalActionError(
                    f"action {act.action} is called {shown(act.name)}; "
                    f"its name is {state.action_to_string(act.action)}"
                )
        except IllegalActionError as error:
            raise ReplayError(f"ply {act.ply}: {error}", act.ply) from None

    @staticmethod
    def _compare(state: State, wanted: str, sure: int, ply: int) -> None:
        found = state_hash(state)
        if found != wanted:
            since = f"plies {sure + 1} to {ply}" if ply > sure else "the start"
            raise ReplayError(
                f"the state after ply {ply} differs: hash {shown(wanted)} in the replay, {found} when it is "
                f"played; the hash after ply {sure} fits, so look at {since}",
                sure + 1 if ply > sure else None,
            )

    def verify(
        self,
        *,
        engine: str | None = None,
        packs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
        content: Content | None = None,
    ) -> State:
        """Play the game on an engine and compare everything; the state at its end.

        Raises
        ------
        ReplayError
            At the first action that differs (:attr:`ReplayError.ply`), for a hash that does not fit with the
            plies in question, for another content pack, rules or format.
        OptionError
            For an engine or packs that cannot be.
        """
        state: State | None = None
        for played in self.states(self.game(engine=engine, packs=packs, content=content)):
            state = played
        assert state is not None
        return state


def _names(players: object, seats: int) -> list[str]:
    """Names by seat, or none."""
    if not isinstance(players, Sequence) or isinstance(players, (str, bytes)):
        raise ReplayError(f"players: {shown(players)} given; allowed: a list of names")
    if players and len(players) != seats:
        raise ReplayError(f"{len(players)} names of players given; allowed: {seats} or none")
    for name in players:
        # half a surrogate pair is in no file
        if not isinstance(name, str) or name != name.encode(errors="replace").decode():
            raise ReplayError(f"players: {shown(name)} given; allowed: names, as text")
    return list(players)


def _shown_path(path: object) -> str:
    """A path as it is, at most so long, in printable characters."""
    if not isinstance(path, (str, PurePath)):
        return shown(path)
    text = str(path)
    return plain(text) if len(text) <= 300 else plain(f"{text[:100]}...{text[-150:]}")


def _reason(error: Exception) -> str:
    """Why a file could not be used."""
    reason = error.strerror if isinstance(error, OSError) else None
    return reason.lower() if reason else plain(str(error)[:300])


def _start_of(state: State) -> Start:
    """How a game begins that begins with a state: the first of seed, position and save that says it exactly.

    Position and seed are what either engine understands. A position says it if from there nobody can tell the
    two apart: which of like cards is which (docs/saves.md) does not count, what the seats know does.
    """
    this: Any = state
    game, script = this.game, this._script_left()
    try:
        document = this.to_position()
    except PositionError:
        document = None

    def said(made: Any) -> bool:
        return made == this or (document is not None and _told(made) == _told(this))

    chance = this.snapshot()["chance"]
    with suppress(ChanceError):  # outcomes to come that cannot come in set-up
        if said(game.new_initial_state(chance["seed"], index=chance["index"], script=script)):
            return Start(seed=chance["seed"], index=chance["index"], script=script)
    if document is not None and said(game.state_from_position(document, script=script)):
        return Start(position=document, script=script)
    return Start(save=base64.b64encode(this.to_bytes()).decode())


def _told(state: Any) -> tuple[Any, ...]:
    """Everything that can be told of a state where a position document can be made, knowledge included."""
    views = [state.view(seat) for seat in range(state.game.num_players)]
    return state.snapshot(), state._script_left(), views
