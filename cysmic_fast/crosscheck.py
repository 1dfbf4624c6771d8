"""Lock-step comparison of the two engines: same seed, same actions, everything compared on the way.

As a library: :func:`check_game` plays one game on both engines and raises :class:`Divergence` at the first
difference. As a command, a soak over a matrix of configurations::

    python -m cysmic_fast.crosscheck --seconds 60 --seed 20
    python -m cysmic_fast.crosscheck --config 3p:factions --seed 20 --first 17 --games 1 --every 1

What is compared after every action: player, decision kind, legal ids, events since the last decision (CHOICE,
CHANCE, SHUFFLE, TURN, RESET, DRAW and GAME_OVER in order, all others as a multiset), also as every seat sees
them, and every k-th decision the whole snapshot and what every seat sees and knows (docs/information.md); at
the end returns, winners and reason, and the statistics of ``simulate``. On the way:
clones go their own ways, illegal actions are refused, positions are emitted, changed, loaded and played on,
chance is scripted. How game ``index`` of ``seed`` is played depends on these two numbers and the
configuration alone.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from cysmic_fast import vocabulary as v
from cysmic_fast._crosscheck_data import CONFIGS, Config, load_pair, random_script, select, vary
from cysmic_fast.errors import (
    ChanceError,
    ContentError,
    CysmicError,
    GameOverError,
    IllegalActionError,
    PositionError,
)
from cysmic_fast.policies import RandomPolicy

if TYPE_CHECKING:
    from cysmic_fast.content.types import Content
    from cysmic_fast.interface import Document, Event, Game, State

__all__ = [
    "CONFIGS",
    "Config",
    "Divergence",
    "Report",
    "check_game",
    "check_position",
    "differences",
    "event_text",
    "load_pair",
    "main",
    "soak",
]

#: Kinds that are emitted in exactly the order they happen (protocol, section 17).
ORDERED: Final = frozenset(
    {
        v.EventKind.CHOICE,
        v.EventKind.CHANCE,
        v.EventKind.SHUFFLE,
        v.EventKind.TURN,
        v.EventKind.RESET,
        v.EventKind.DRAW,
        v.EventKind.GAME_OVER,
    }
)
#: A game longer than this many decisions hangs.
MAX_DECISIONS: Final = 2_000_000
#: What the native engine says when effects within effects have no room.
TOO_DEEP: Final = "effects within effects too deep"


# ------------------------------------------------------------------ what a difference looks like
class Divergence(AssertionError):
    """The engines disagree. ``str`` says where, what, and how to see it again."""

    def __init__(
        self,
        what: str,
        details: Sequence[str],
        *,
        config: Config | None = None,
        seed: int = 0,
        index: int = 0,
        decision: int = 0,
        trail: Sequence[str] = (),
        document: Document | None = None,
    ) -> None:
        self.what = what
        self.details = list(details)
        self.config = config
        self.seed = seed
        self.index = index
        self.decision = decision
        self.trail = list(trail)
        self.document = document
        name = config.name if config else "?"
        again = f"--seed {seed} --first {index} --games 1 --every 1"
        lines = [
            f"{what} ({name}, seed {seed}, index {index}, decision {decision})",
            *(f"    {line}" for line in self.details),
            "  last events (both engines agree on them):",
            *(f"    {line}" for line in self.trail),
            f"  again: python -m cysmic_fast.crosscheck --config {name} {again}",
        ]
        super().__init__("\n".join(lines))

    @property
    def signature(self) -> str:
        """What kind of difference it is, to tell one bug from another: numbers and places do not matter."""
        first = self.details[0] if self.details else ""
        return f"{self.what}: {re.sub('[0-9]+|[(].*[)]', '#', first)}"[:200]


def differences(a: object, b: object, path: str = "") -> list[str]:
    """Where two JSON-able values differ: ``path: reference ... / native ...``."""
    if isinstance(a, dict) and isinstance(b, dict):
        lines = []
        for key in dict.fromkeys([*a, *b]):
            at = f"{path}.{key}" if path else str(key)
            if key not in a or key not in b:
                lines.append(f"{at}: only in the {'native' if key not in a else 'reference'} engine's")
            else:
                lines += differences(a[key], b[key], at)
        return lines
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and len(a) > 2:
        return [
            line
            for i, (x, y) in enumerate(zip(a, b, strict=True))
            for line in differences(x, y, f"{path}[{i}]")
        ]
    if type(a) is type(b) and a == b:
        return []
    return [f"{path}: reference {a!r} / native {b!r}"]


def event_text(event: Event, content: Content) -> str:
    """An event in words, as far as it needs no context."""
    from cysmic_fast.names import action_name, space_name

    kind, player, a, b, c = event
    name = v.EventKind(kind).name
    if kind == v.EventKind.CHOICE:
        forced = " (forced)" if c else ""
        return f"CHOICE[{player}] {v.DecisionKind(a).name} -> {action_name(b, content, a)}{forced}"
    if kind in (v.EventKind.CHANCE, v.EventKind.SHUFFLE):
        return f"{name} {v.ChanceKind(a).name} {b} {c}"
    places = {
        v.EventKind.INFLUENCE_CONTROL: (a,),
        v.EventKind.MOVE: (b, c),
        v.EventKind.ENTER: (b,),
        v.EventKind.LEAVE: (b,),
        v.EventKind.COMBAT_BEGIN: (a,),
        v.EventKind.COMBAT_END: (a,),
        v.EventKind.STRIKE: (a,),
        v.EventKind.COLLAPSE: (a,),
        v.EventKind.RELIC_TOKEN: (a,),
    }.get(v.EventKind(kind), ())
    where = ", ".join(space_name(s, content) for s in places if 0 <= s < v.NUM_SPACES)
    return f"{name}[{player}] {a} {b} {c}{f'  ({where})' if where else ''}"


# ------------------------------------------------------------------ lock-step
class _TooDeepError(Exception):
    """Cards of a random pack nest deeper than the native engine has room for (V1.13): the game is left."""


def _too_deep(config: Config, error: object) -> bool:
    """Whether the native engine stopped at its bound of depth, which random packs may reach."""
    return (config.drawn or config.cards >= 0) and isinstance(error, ContentError) and TOO_DEEP in str(error)


def _take_events(state: State) -> list[Event]:
    """The events since the last call."""
    events = _typed(state.events())
    state.clear_events()
    return events


def _typed(events: Sequence[Event]) -> list[Event]:
    return [(int(k), int(p), int(a), int(b), int(c)) for k, p, a, b, c in events]


def _record(game: Game, seed: int, index: int) -> dict[str, int]:
    """The GAME_STATS record of one game by field."""
    record = game.simulate(seed, index, 1)[0]
    return {name: int(record[name]) for name in record.dtype.names or ()}


@dataclass
class _Run:
    """One state on each engine, and what is known about how they got there."""

    config: Config
    games: tuple[Game, Game]
    seed: int
    index: int
    every: int
    states: tuple[State, State] = field(init=False)
    asked: int = 0
    options: int = 0
    trail: list[Event] = field(default_factory=list)
    document: Document | None = None
    seen: Counter[str] = field(default_factory=Counter)

    def fail(self, what: str, *details: str) -> Divergence:
        content = self.games[0].content
        trail = [event_text(event, content) for event in self.trail[-30:]]
        return Divergence(
            what,
            details,
            config=self.config,
            seed=self.seed,
            index=self.index,
            decision=self.asked,
            trail=trail,
            document=self.document,
        )

    def both(self, what: str, call: Callable[[State], Any]) -> Any:
        """The same call on both states: equal results, or errors of the same class (which is returned)."""
        results: list[Any] = []
        for state in self.states:
            try:
                results.append(call(state))
            except CysmicError as error:
                results.append(error)
        a, b = results
        if isinstance(a, CysmicError) or isinstance(b, CysmicError):
            if type(a) is not type(b):
                if _too_deep(self.config, b):
                    raise _TooDeepError from b
                raise self.fail(f"{what}: not both refuse", f"reference {a!r}"[:500], f"native {b!r}"[:500])
            return a
        if a != b:
            raise self.fail(what, *(differences(a, b, what) or [f"reference {a!r} / native {b!r}"])[:40])
        return a

    def start(self, make: Callable[[Game], State], what: str) -> CysmicError | None:
        """Makes both states; an error that both raise is returned."""
        made: list[Any] = []
        for game in self.games:
            try:
                made.append(make(game))
            except CysmicError as error:
                made.append(error)
        a, b = made
        if isinstance(a, CysmicError) or isinstance(b, CysmicError):
            if type(a) is not type(b):
                if _too_deep(self.config, b):
                    raise _TooDeepError from b
                raise self.fail(f"{what}: not both refuse", f"reference {a!r}"[:1500], f"native {b!r}"[:1500])
            assert isinstance(a, CysmicError)
            return a
        self.states = (a, b)
        return None

    def compare(self, full: bool) -> list[int]:
        """Compares everything at this decision and returns the legal actions."""
        self.compare_events()
        over = self.both("is_terminal", lambda s: bool(s.is_terminal()))
        self.both("current_player", lambda s: int(s.current_player()))
        kind = self.both("decision", lambda s: v.DecisionKind(s.decision()).name)
        legal: list[int] = self.both("legal_actions", lambda s: list(map(int, s.legal_actions())))
        self.seen[kind] += 1
        if not over and len(legal) < 2:
            raise self.fail("a decision with fewer than two options", f"{kind} {legal}")
        if legal != sorted(set(legal)):
            raise self.fail("legal actions are not ascending", f"{kind} {legal}")
        self.check_integrity()
        if full:
            self.compare_snapshot()
            self.both("legal_actions_mask", lambda s: s.legal_actions_mask().nonzero()[0].tolist())
            for state in self.states:
                if state.legal_actions_mask().nonzero()[0].tolist() != legal:
                    raise self.fail("mask and list of legal actions differ", f"{kind} {state.game.engine}")
            self.both("action_to_string", lambda s: [s.action_to_string(a) for a in legal])
        return legal

    def check_integrity(self) -> None:
        """Everything is in one place and all incremental data are right, at every decision."""
        check = getattr(self.states[1], "check_integrity", None)
        if check is not None and (wrong := check()) is not None:
            raise self.fail("the native engine's incremental data are wrong", str(wrong))

    def compare_snapshot(self) -> None:
        self.both("round", lambda s: int(s.round))
        self.both("active_player", lambda s: int(s.active_player))
        self.both("influence", lambda s: [int(s.influence(seat)) for seat in range(self.config.players)])
        self.both("snapshot", lambda s: s.snapshot())
        seat = self.asked % self.config.players  # one after the other: a view takes as long as a snapshot
        self.both(f"view of seat {seat}", partial(_view, seat))

    def compare_events(self) -> None:
        seat = self.asked % self.config.players
        mine, other = (_typed(state.events(seat)) for state in self.states)
        events, b = (_take_events(state) for state in self.states)
        self.compare_records(events, b)
        self.compare_records(mine, other, f" as seat {seat} sees them")
        self.trail = (self.trail + events)[-60:]

    def compare_records(self, a: list[Event], b: list[Event], whose: str = "") -> None:
        if a == b:
            return
        ordered = [[e for e in events_ if e[0] in ORDERED] for events_ in (a, b)]
        content = self.games[0].content
        if ordered[0] != ordered[1]:
            at = next(
                (i for i, (x, y) in enumerate(zip(*ordered, strict=False)) if x != y), min(map(len, ordered))
            )
            texts = [event_text(o[at], content) if at < len(o) else "nothing" for o in ordered]
            shown = [[event_text(e, content) for e in o[max(0, at - 12) : at + 12]] for o in (a, b)]
            raise self.fail(
                f"events in order{whose}",
                f"reference {texts[0]} / native {texts[1]}",
                *(f"reference: {line}" for line in shown[0]),
                *(f"native:    {line}" for line in shown[1]),
            )
        rest = [Counter(e for e in events_ if e[0] not in ORDERED) for events_ in (a, b)]
        if rest[0] != rest[1]:
            lines = [f"only reference: {event_text(e, content)}" for e in (rest[0] - rest[1]).elements()]
            lines += [f"only native: {event_text(e, content)}" for e in (rest[1] - rest[0]).elements()]
            self.trail += a
            raise self.fail(f"events{whose}", *lines[:30])

    def apply(self, action: int) -> CysmicError | None:
        """The same action on both; an error that both raise is returned."""
        if self.asked > MAX_DECISIONS:
            raise self.fail("the game does not end")
        legal = self.states[0].legal_actions()
        try:
            result = self.both("apply_action", lambda s: s.apply_action(action))
        except _TooDeepError:
            native = self.states[1]  # as before the action
            check = getattr(native, "check_integrity", None)
            if native.legal_actions() != legal or (check is not None and check() is not None):
                raise self.fail("an action taken back leaves its traces", str(action)) from None
            raise
        if isinstance(result, CysmicError):
            return result
        self.asked += 1
        self.options += len(legal)
        return None

    def finish(self) -> None:
        self.both("returns", lambda s: list(map(float, s.returns())))
        self.both("winners", lambda s: list(map(int, s.winners())))
        reason = self.both("end_reason", lambda s: int(s.end_reason()))
        self.seen[f"end {reason}"] += 1
        self.compare_snapshot()
        refused = self.both("apply_action after the end", lambda s: s.apply_action(v.DONE))
        if not isinstance(refused, GameOverError):
            raise self.fail("a finished game takes an action", repr(refused))

    # -------------------------------------------------------------- side trips
    def check_refusals(self, rng: random.Random, legal: Sequence[int]) -> None:
        """Illegal actions are refused by both and change nothing."""
        before = self.both("snapshot", lambda s: s.snapshot())
        wrong = rng.randrange(v.NUM_ACTIONS)
        tries: list[Any] = [-1, v.NUM_ACTIONS, 2**63, None, True, 1.0]
        tries = [rng.choice(tries)] + ([wrong] if wrong not in legal else [])
        for action in tries:
            error = self.both(f"apply_action({action!r})", partial(_apply, action))
            if not isinstance(error, IllegalActionError):
                raise self.fail(f"apply_action({action!r}) is not refused", repr(error))
        if self.both("snapshot", lambda s: s.snapshot()) != before:
            raise self.fail("a refused action changed the state")

    def check_clones(self, rng: random.Random) -> None:
        """Clones are exact and independent; a new seed gives both engines the same other future."""
        before = self.both("snapshot", lambda s: s.snapshot())
        seed = rng.choice([None, rng.getrandbits(64)])
        side = _Run(self.config, self.games, self.seed, self.index, self.every, seen=self.seen)
        side.states = (self.states[0].clone(seed), self.states[1].clone(seed))
        side.trail, side.asked = list(self.trail), self.asked
        if rng.random() < 0.4:
            script = random_script(self.games[0].content, self.config, rng)
            side.both("script", lambda s: s.script(script))
        for _ in range(rng.randrange(1, 40)):
            legal = side.compare(full=False)
            if not legal:
                break
            if side.apply(rng.choice(legal)) is not None:
                break
        side.compare_snapshot()
        if self.both("snapshot", lambda s: s.snapshot()) != before:
            raise self.fail("playing on a clone changed the original")

    def check_position(self, rng: random.Random) -> Document | None:
        """Emits, loads and emits again; returns the document if there is one here."""
        doc = self.both("to_position", lambda s: s.to_position())
        if isinstance(doc, PositionError):
            return None
        assert isinstance(doc, dict)
        for game, state in zip(self.games, self.states, strict=True):
            again = game.state_from_position(doc)
            if again.to_position() != doc:
                lines = differences(doc, again.to_position())
                raise self.fail("a position does not come back as it was", game.engine, *lines[:20])
            if (again.legal_actions(), again.decision()) != (state.legal_actions(), state.decision()):
                raise self.fail("a loaded position asks something else", game.engine)
        if doc["phase"] == "turn" and rng.random() < 0.5:
            # Both go on from the loaded states: the same chance, the same future.
            self.start(lambda g: g.state_from_position(doc, record=True), "state_from_position")
            for state in self.states:
                state.clear_events()
        return doc


def _view(seat: int, state: State) -> Document:
    return state.view(seat)


def _apply(action: Any, state: State) -> None:
    state.apply_action(action)


def _policy(rng: random.Random, seed: int, index: int) -> Callable[[State, Sequence[int]], int]:
    """The policy of a game: mostly the contract's random policy, sometimes one that declines less."""
    uniform = RandomPolicy(seed, index)
    eager = rng.choice([0.0, 0.0, 0.7, 0.95])
    decline = (v.DONE, v.NO)

    def pick(_state: State, legal: Sequence[int]) -> int:
        if eager and rng.random() < eager:
            wanted = [a for a in legal if a not in decline]
            return rng.choice(wanted or list(legal))
        return uniform.choose(legal)

    return pick


def _play(
    run: _Run, rng: random.Random, limit: int, sides: float, policy: Callable[..., int]
) -> Document | None:
    """Plays to the end or for ``limit`` decisions; returns one of the positions met, if any."""
    found: Document | None = None
    while True:
        full = run.asked % run.every == 0 or run.asked < 20  # set-up is short
        legal = run.compare(full)
        if not legal:
            run.finish()
            return found
        if limit <= 0:
            run.compare_snapshot()
            return found
        limit -= 1
        if sides and rng.random() < sides:
            run.check_refusals(rng, legal)
            run.check_clones(rng)
        if sides and (rng.random() < 0.2 or (found is None and rng.random() < 0.5)):
            kind = run.states[0].decision()
            starts = (
                v.DecisionKind.RELIC_WINDOW,
                v.DecisionKind.RECLAIM,
                v.DecisionKind.BURN,
                v.DecisionKind.PLACE_SHIP,
            )
            if kind in starts or rng.random() < 0.02:
                doc = run.check_position(rng)
                if doc is not None and (found is None or rng.random() < 0.3):
                    found = doc
        error = run.apply(policy(run.states[0], legal))
        if error is not None:
            if not isinstance(error, ChanceError):
                raise run.fail("a legal action is refused", repr(error))
            run.compare_snapshot()  # an impossible scripted outcome: as before the action
            return found


def check_game(
    config: Config,
    seed: int,
    index: int,
    *,
    every: int = 7,
    limit: int = MAX_DECISIONS,
    sides: float = 0.004,
    seen: Counter[str] | None = None,
) -> int:
    """Plays game ``index`` of ``seed`` on both engines in lock-step; returns the number of decisions.

    ``every``: snapshots are compared at every k-th decision. ``limit``: decisions after which it is left.
    ``sides``: how often clones, illegal actions and positions are tried on the way; 0 for never.
    ``seen``: counts decision kinds. Raises :class:`Divergence` at the first difference, looked for again with
    ``every`` = 1. A game of a random pack that is too deep for the native engine (V1.13) counts for nothing.
    """
    seen = Counter() if seen is None else seen
    try:
        return _check_game(config, seed, index, every, limit, sides, seen)
    except _TooDeepError:
        seen["too deep"] += 1
        return 0
    except Divergence:
        if every > 1:
            with suppress(_TooDeepError):
                _check_game(config, seed, index, 1, limit, sides, Counter())
        raise


def _check_game(
    config: Config, seed: int, index: int, every: int, limit: int, sides: float, seen: Counter[str]
) -> int:
    games = load_pair(config)
    rng = random.Random(f"{config.origin} {seed} {index}")
    policy = _policy(rng, seed, index)
    # The first quarter of the games: plain lock-step, compared with ``simulate``.
    plain = index % 4 == 0
    script = None if plain or rng.random() < 0.5 else random_script(games[0].content, config, rng)
    run = _Run(config, games, seed, index, every, seen=seen)
    made = run.start(
        lambda g: g.new_initial_state(seed, index=index, script=script, record=True), "new_initial_state"
    )
    if made is not None:
        if script is None or not isinstance(made, ChanceError):
            raise run.fail("new_initial_state refuses", repr(made))
        return 0
    if plain:
        uniform = RandomPolicy(seed, index)
        _play(run, rng, limit, 0.0, lambda _state, legal: uniform.choose(legal))
        if run.states[0].is_terminal():
            check_statistics(run)
        return run.asked
    doc = _play(run, rng, limit, sides, policy)
    asked = run.asked
    if doc is not None and sides:
        for _ in range(2):
            asked += check_position(
                config, seed, index, vary(doc, games[0], rng), rng, every=every, seen=seen
            )
    return asked


def check_position(
    config: Config,
    seed: int,
    index: int,
    doc: Document,
    rng: random.Random,
    *,
    every: int = 7,
    limit: int = 150,
    seen: Counter[str] | None = None,
) -> int:
    """Loads a document into both engines with a new seed and plays on in lock-step."""
    games = load_pair(config)
    seen = Counter() if seen is None else seen
    run = _Run(config, games, seed, index, every, document=doc, seen=seen)
    new_seed = rng.getrandbits(64)
    made = run.start(lambda g: g.state_from_position(doc, new_seed, record=True), "state_from_position")
    seen["positions refused" if made is not None else "positions"] += 1
    if made is not None:
        return 0  # both refuse it: a varied document may be contradictory
    _play(run, rng, limit, 0.0, _policy(rng, new_seed, 0))
    return run.asked


def check_statistics(run: _Run) -> None:
    """``simulate`` of both engines gives the same record, which is that of the game just played."""
    a, b = (_record(game, run.seed, run.index) for game in run.games)
    if a != b:
        raise run.fail("simulate", *differences(a, b))
    state = run.states[0]
    winners = sum(1 << seat for seat in state.winners())
    mine = {"winners": winners, "reason": state.end_reason(), "decisions": run.asked, "options": run.options}
    if mine != {key: a[key] for key in mine}:
        raise run.fail("simulate plays another game", *differences(mine, {key: a[key] for key in mine}))


# ------------------------------------------------------------------ soak
@dataclass
class Report:
    """What a soak did."""

    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    configs: Counter[str] = field(default_factory=Counter)
    divergences: list[Divergence] = field(default_factory=list)
    #: Decision kinds compared, and positions loaded.
    seen: Counter[str] = field(default_factory=Counter)

    def missing(self) -> list[str]:
        """Decision kinds that were never asked."""
        return [kind.name for kind in v.DecisionKind if not self.seen[kind.name]]

    def summary(self) -> str:
        """One line."""
        rate = self.decisions / self.seconds if self.seconds else 0.0
        return (
            f"{self.games} games in {len(self.configs)} configurations, {self.decisions} decisions in step, "
            f"{self.seconds:.1f} s ({rate:.0f} decisions/s): {len(self.divergences)} divergences"
        )


def soak(
    configs: Sequence[Config],
    *,
    seed: int = 0,
    first: int = 0,
    games: int | None = None,
    seconds: float | None = None,
    every: int = 7,
    limit: int = MAX_DECISIONS,
    keep_going: bool = False,
    progress: Callable[[Report, Config, int], None] | None = None,
) -> Report:
    """Games ``first`` ... in turn over the configurations, until ``games`` or ``seconds`` have passed.

    Stops at the first divergence, or with ``keep_going`` collects one of each kind.
    """
    report = Report()
    start = time.perf_counter()
    for index in _count(first, games):
        config = configs[index % len(configs)]
        try:
            report.decisions += check_game(config, seed, index, every=every, limit=limit, seen=report.seen)
        except Divergence as divergence:
            if divergence.signature not in {d.signature for d in report.divergences}:
                report.divergences.append(divergence)
            if not keep_going:
                report.games += 1
                break
        report.games += 1
        report.configs[config.name] += 1
        report.seconds = time.perf_counter() - start
        if progress is not None:
            progress(report, config, index)
        if seconds is not None and report.seconds > seconds:
            break
    report.seconds = time.perf_counter() - start
    return report


def _count(first: int, games: int | None) -> Iterator[int]:
    index = first
    while games is None or index < first + games:
        yield index
        index += 1


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; returns 1 if the engines diverge."""
    parser = argparse.ArgumentParser(
        prog="python -m cysmic_fast.crosscheck", description="Lock-step comparison of the two engines."
    )
    parser.add_argument("--games", type=int, help="number of games (default: until --seconds)")
    parser.add_argument("--seconds", type=float, help="stop after this time (default: 60 without --games)")
    parser.add_argument("--seed", type=int, default=0, help="seed of all games")
    parser.add_argument("--first", type=int, default=0, help="index of the first game")
    parser.add_argument("--players", default="all", help="all, or numbers like 2,3")
    parser.add_argument(
        "--config", action="append", help="name of a configuration, or a part of names; repeatable"
    )
    parser.add_argument("--every", type=int, default=7, help="compare snapshots at every k-th decision")
    parser.add_argument(
        "--limit", type=int, default=MAX_DECISIONS, help="leave a game after this many decisions"
    )
    parser.add_argument("--keep-going", action="store_true", help="collect one divergence of each kind")
    parser.add_argument("--list", action="store_true", help="list the configurations and stop")
    args = parser.parse_args(argv)
    players = None if args.players == "all" else [int(n) for n in args.players.split(",")]
    configs = select(players, args.config)
    if args.list:
        for config in sorted(configs, key=lambda c: c.name):
            print(config.name, dict(config.options))
        return 0
    if not configs:
        parser.error("no such configuration; see --list")
    seconds = args.seconds if args.seconds is not None or args.games is not None else 60.0
    live = sys.stderr.isatty()

    def progress(report: Report, config: Config, index: int) -> None:
        if live:
            print(f"\r{report.summary()}  [{index} {config.name}]\033[K", end="", file=sys.stderr, flush=True)

    report = soak(
        configs,
        seed=args.seed,
        first=args.first,
        games=args.games,
        seconds=seconds,
        every=max(1, args.every),
        limit=args.limit,
        keep_going=args.keep_going,
        progress=progress,
    )
    if live:
        print(file=sys.stderr)
    for divergence in report.divergences:
        print(f"DIVERGENCE {divergence}\n")
    print(report.summary())
    seen = report.seen
    print(
        f"ended by Launch {seen['end 0']}, without tiles {seen['end 1']}, by cap {seen['end 2']}; "
        f"{seen['positions']} changed positions, {seen['positions refused']} refused; "
        f"{seen['too deep']} left as too deep; "
        f"decisions never asked: {' '.join(report.missing()) or 'none'}"
    )
    return 1 if report.divergences else 0


if __name__ == "__main__":
    sys.exit(main())
