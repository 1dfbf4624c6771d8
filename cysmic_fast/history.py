"""A game with its past: undo, redo, and export as a replay."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, SupportsIndex

from cysmic_fast.errors import ChanceError, IllegalActionError, OptionError, ReplayError
from cysmic_fast.game import BaseGame, is_state
from cysmic_fast.names import action_name, shown
from cysmic_fast.policies import check_flag, check_word
from cysmic_fast.vocabulary import DecisionKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cysmic_fast.interface import Game, Script, State
    from cysmic_fast.replay import Replay

__all__ = ["History", "Move"]

#: A copy of the state is kept after so many actions. A native copy is 2 KB and takes below a microsecond, as
#: an action does: with 16 a game of 2,000 actions costs 0.3 MB and an undo at most 15 actions.
EVERY: Final = 16


class Move(NamedTuple):
    """One action of a game."""

    ply: int  #: from 1
    player: int
    decision: DecisionKind
    action: int
    name: str


class History:
    """A state and how it came about.

    Parameters
    ----------
    start
        A game, of which a new one begins, or a state, from which it goes on. The state is copied.
    seed, index, script, record
        As for ``Game.new_initial_state``; for a game only.

    :attr:`state` is the game as it stands: look at it, clone it, and act with :meth:`apply_action`, so that
    the history knows. Who acts on it directly is told by a ReplayError, at the latest when a replay is made.
    Chance is part of the state, so what is undone and done again brings the same dice and cards; for others
    use ``history.state.clone(seed=...)``. A history is for one thread at a time: nothing guards it.
    """

    def __init__(
        self,
        start: Game | State,
        *,
        seed: int = 0,
        index: int = 0,
        script: Script | None = None,
        record: bool = False,
    ) -> None:
        given: Any = start
        record = check_flag(record, "record")
        state: State
        if isinstance(given, BaseGame):
            state = given.new_initial_state(seed, index=index, script=script, record=record)
        elif is_state(given):
            other = script is not None and (not isinstance(script, Mapping) or len(script) > 0)
            if check_word(seed, "seed") or check_word(index, "index") or other or record:
                raise OptionError(
                    "seed, index, script or record given with a state; allowed: with a game only"
                )
            state = given.clone()
        else:
            raise OptionError(f"start: {shown(start)} given; allowed: a game or a state")
        self._copies: dict[int, State] = {0: state.clone()}
        self._state = state
        self._actions = array("h")
        self._players = array("b")
        self._kinds = array("h")
        self._ply = 0

    # ------------------------------------------------------------------ looking
    @property
    def game(self) -> Game:
        """The game."""
        return self._state.game

    @property
    def state(self) -> State:
        """The game as it stands; another object after an undo."""
        return self._state

    @property
    def start(self) -> State:
        """A copy of the state before the first action."""
        return self._copies[0].clone()

    @property
    def actions(self) -> list[int]:
        """Actions taken, without those undone."""
        return list(self._actions[: self._ply])

    @property
    def moves(self) -> list[Move]:
        """The same with who decided what, in names."""
        content = self.game.content
        return [
            Move(
                i + 1,
                self._players[i],
                DecisionKind(self._kinds[i]),
                self._actions[i],
                action_name(self._actions[i], content, self._kinds[i]),
            )
            for i in range(self._ply)
        ]

    @property
    def undone(self) -> int:
        """How many actions :meth:`redo` can do again."""
        return len(self._actions) - self._ply

    def __len__(self) -> int:
        return self._ply

    def __repr__(self) -> str:
        return f"<history: {self._ply} actions, {self.undone} undone, at {self._state!r}>"

    # ------------------------------------------------------------------ acting
    def apply_action(self, action: SupportsIndex) -> None:
        """As ``State.apply_action``; what had been undone is forgotten. On an error nothing has changed."""
        player, kind = self._state.current_player(), int(self._state.decision())
        self._state.apply_action(action)
        del self._actions[self._ply :], self._players[self._ply :], self._kinds[self._ply :]
        for ply in [ply for ply in self._copies if ply > self._ply]:
            del self._copies[ply]
        self._actions.append(int(action.__index__()))
        self._players.append(player)
        self._kinds.append(kind)
        self._step()

    def undo(self, n: int = 1) -> State:
        """Take the last ``n`` actions back; OptionError if there are fewer. Returns :attr:`state`."""
        self._go_to(self._ply - check_word(n, "n", 0, self._ply))
        return self._state

    def redo(self, n: int = 1) -> State:
        """Do ``n`` actions that were undone again; OptionError if there are fewer. Returns :attr:`state`."""
        self._go_to(self._ply + check_word(n, "n", 0, self.undone))
        return self._state

    def _step(self) -> None:
        self._ply += 1
        if self._ply % EVERY == 0 and self._ply not in self._copies:
            self._copies[self._ply] = self._state.clone()

    def _go_to(self, ply: int) -> None:
        if ply < self._ply:
            self._ply = max(kept for kept in self._copies if kept <= ply)
            self._state = self._copies[self._ply].clone()
        while self._ply < ply:
            try:
                self._state.apply_action(self._actions[self._ply])
            except (IllegalActionError, ChanceError) as error:
                raise self._strayed(self._ply + 1, str(error)) from None
            self._step()

    @staticmethod
    def _strayed(ply: int, what: str) -> ReplayError:
        """The error of a game that does not follow its history."""
        return ReplayError(f"ply {ply}: {what}; was history.state changed by other than the history?", ply)

    # ------------------------------------------------------------------ export
    def to_replay(self, *, players: Sequence[str] = ()) -> Replay:
        """The game so far as a replay (docs/replays.md); ``players``: names by seat.

        ReplayError for names that cannot be, and, with the ply, if :attr:`state` was acted on directly.
        """
        from cysmic_fast.replay import Replay

        given = 0

        def counted() -> Iterator[int]:
            nonlocal given
            for action in self.actions:
                given += 1
                yield action

        try:
            replay, end = Replay.played(self.start, counted(), players=players)
        except (IllegalActionError, ChanceError) as error:
            raise self._strayed(given, str(error)) from None
        for act, player, kind in zip(replay.acts, self._players, self._kinds, strict=False):  # or undone
            if (act.player, act.decision) != (player, DecisionKind(kind).name):
                asked = f"{DecisionKind(kind).name} of seat {player} was asked, here it is {act.decision} of"
                raise self._strayed(act.ply, f"{asked} seat {act.player}")
        if end != self._state:
            raise self._strayed(len(replay) + 1, "the state is not what the actions lead to")
        return replay
