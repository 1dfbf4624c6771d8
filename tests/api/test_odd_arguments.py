"""Odd arguments to every public callable, in every place: an error of our family or a result, and no hang."""

from __future__ import annotations

import inspect
import io
import itertools
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cysmic_fast
from cysmic_fast.errors import CysmicError, OptionError
from cysmic_fast.interface import Game, State
from cysmic_fast.playout import playout_weights
from cysmic_fast.replay import Replay, state_hash


class Unprintable:
    """An object without a text."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")

    __str__ = __repr__


def nested() -> list[Any]:
    """A list in a list in a list, deeper than ``repr`` goes."""
    outer: list[Any] = []
    for _ in range(10_000):
        outer = [outer]
    return outer


def closed() -> io.BytesIO:
    file = io.BytesIO(b"pack")
    file.close()
    return file


ODD: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "nan": lambda: float("nan"),
    "negative": lambda: -1,
    "large": lambda: 2**70,
    "huge": lambda: 10**5000,
    "bytes": lambda: b"",
    "long text": lambda: "x" * 10_000,
    "surrogate": lambda: "\ud800",
    "zero byte": lambda: "a\0b",
    "scalar array": lambda: np.array(2),
    "array": lambda: np.array([1, 2]),
    "texts": lambda: np.array(["a", "b"]),
    "object": object,
    "unprintable": Unprintable,
    "list": lambda: [[[]]],
    "nested": nested,
    "closed": closed,
    "endless": itertools.count,
    "float": lambda: 1.0,
    "bool": lambda: True,
    "dict": dict,
    "class": lambda: cysmic_fast.History,
}


def public(protocol: type) -> list[str]:
    """Names of what an engine offers."""
    return [name for name in dir(protocol) if not name.startswith("_")]


@cache
def functions(engine: str) -> dict[str, Any]:
    """Everything that can be called, with a call that gives it afresh."""
    game: Any = cysmic_fast.load_game(players=2, engine=engine, max_rounds=1)

    def history() -> Any:
        made = cysmic_fast.History(game, seed=1)
        made.apply_action(made.state.legal_actions()[0])
        return made

    makers: dict[str, tuple[Callable[[], Any], list[str] | None]] = {
        "Game": (lambda: game, public(Game)),
        "State": (lambda: game.new_initial_state(1), public(State)),
        "History": (history, None),
        "Replay": (lambda: history().to_replay(), None),
        "RandomPolicy": (cysmic_fast.RandomPolicy, None),
        "PlayoutPolicy": (cysmic_fast.PlayoutPolicy, None),
        "GameOptions": (cysmic_fast.GameOptions, None),
        "RolloutResult": (lambda: cysmic_fast.rollouts(game, 2), None),
        "ObservationSpec": (lambda: cysmic_fast.observation_spec(game), None),
    }
    found: dict[str, Any] = {"state_hash": lambda: state_hash, "playout_weights": lambda: playout_weights}
    for name in cysmic_fast.__all__:
        value = getattr(cysmic_fast, name)
        # enumerations are Python's; protocols and results are made by the package alone
        made_by_us = name in ("Game", "State", "RolloutResult", "ObservationSpec", "Replay", "Batch")
        error = inspect.isclass(value) and issubclass(value, (Exception, int))
        if callable(value) and not made_by_us and not error:
            found[name] = lambda value=value: value
    for kind, (make, names) in makers.items():
        thing = make()
        for name in names or [name for name in dir(thing) if not name.startswith("_")]:
            if callable(getattr(thing, name)):
                found[f"{kind}.{name}"] = lambda make=make, name=name: getattr(make(), name)
        if callable(thing):
            found[f"{kind}()"] = make
    return found


@cache
def good(engine: str) -> dict[str, Any]:
    """Arguments that are accepted, by name."""
    game: Any = cysmic_fast.load_game(players=2, engine=engine, max_rounds=1)
    state = game.new_initial_state(1)
    return {
        "state_or_game": state,
        "game": game,
        "start": game,
        "state": state,
        "n": 1,
        "action": state.legal_actions()[0],
        "actions": [],
        "seed": 0,
        "first": 0,
        "count": 1,
        "player": 0,
        "path": "file",
        "data": b"",
        "legal": [1, 2],
        "doc": state.to_position(),
        "options": {},
    }


def calls(function: Callable[..., Any], known: dict[str, Any], odd: Any) -> Iterator[tuple[str, Any, Any]]:
    """Arguments with the odd one in each place in turn: (place, positional, by name)."""
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
    for place in parameters:
        positional: list[Any] = []
        named: dict[str, Any] = {}
        for p in parameters:
            if p is place:
                value = odd
            elif p.default is not p.empty or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
                continue
            else:
                value = known.get(p.name)
            if p.kind in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL):
                positional.append(value)
            elif p.kind is p.VAR_KEYWORD:
                named["odd"] = value
            else:
                named[p.name] = value
        yield place.name, positional, named


@pytest.mark.parametrize("odd", ODD)
def test_odd_arguments(engine: str, odd: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is given in whatever place: a result, or one error of ours that can be printed."""
    monkeypatch.chdir(tmp_path)
    known, wrong = good(engine), []
    for name, make in functions(engine).items():
        for place, positional, named in calls(make(), known, ODD[odd]()):
            if (odd, place) == ("class", "policy"):
                continue  # callable: what it raises passes unchanged
            try:
                result = make()(*positional, **named)
                if isinstance(result, Iterator):
                    list(itertools.islice(result, 3))
            except CysmicError as error:
                message = str(error)
                message.encode()  # raises for half a surrogate pair
                if len(message) > 2000 and not getattr(error, "defects", ()):
                    wrong.append(f"{name}({place}): {len(message)} characters")
            except Exception as error:
                wrong.append(f"{name}({place}): {type(error).__name__}")
    assert wrong == []


@pytest.mark.parametrize("flag", ["no", 0, 1, None, np.array([1, 2]), np.array(True), [], 1.0])
def test_flags_are_bools(engine: str, flag: Any) -> None:
    """``"no"`` is not taken for true, nor an array for anything."""
    game: Any = cysmic_fast.load_game(players=2, engine=engine, max_rounds=1)
    state = game.new_initial_state(1)
    for call in (
        lambda: game.new_initial_state(1, record=flag),
        lambda: game.state_from_position(state.to_position(), record=flag),
        lambda: game.state_from_bytes(state.to_bytes(), record=flag),
        lambda: cysmic_fast.play_random_game(game, record=flag),
        lambda: cysmic_fast.History(game, record=flag),
        lambda: list(cysmic_fast.History(game).to_replay().states(record=flag)),
        lambda: cysmic_fast.rollouts(game, 1, per_game=flag),
    ):
        with pytest.raises(OptionError, match="allowed: True or False"):
            call()
    assert game.new_initial_state(1, record=np.True_).events()


def test_what_was_found(engine: str, tmp_path: Path) -> None:
    """Single calls that once gave errors of others, or none."""
    game: Any = cysmic_fast.load_game(players=2, engine=engine, max_rounds=1)
    history = cysmic_fast.History(game)
    bad: Any = None
    for call in (
        lambda: state_hash(bad),
        lambda: cysmic_fast.play_random_game(bad),
        lambda: cysmic_fast.History(cysmic_fast.History),  # type: ignore[arg-type]
        lambda: cysmic_fast.History(history),  # type: ignore[arg-type]
        lambda: history.to_replay(players=bad),
        lambda: Replay.read(bad),
        lambda: cysmic_fast.PlayoutPolicy()(bad),
        lambda: cysmic_fast.load_content(10**5000),  # type: ignore[arg-type]
        lambda: cysmic_fast.load_content(nested()),  # type: ignore[arg-type]
        lambda: cysmic_fast.load_content(name=10**5000),  # type: ignore[arg-type]
        lambda: cysmic_fast.load_game(packs=[nested()]),
        lambda: cysmic_fast.load_game(packs=closed()),
        lambda: cysmic_fast.load_game(packs=itertools.count()),  # type: ignore[arg-type]
        lambda: cysmic_fast.load_game(packs=np.array(2)),
        lambda: cysmic_fast.load_game(colours=itertools.repeat("red")),
        lambda: game.simulate(0, 0, 1, policy=np.array(["random", "random"])),
        lambda: cysmic_fast.rollouts(game, 1, np.array(["random", "random"])),  # type: ignore[arg-type]
    ):
        with pytest.raises(CysmicError):
            call()


@pytest.mark.parametrize("text", ["\ud800", "\x1b[31mred", "\u202eturned", "x" * 10_000])
def test_messages_can_be_printed(text: str) -> None:
    """Messages hold printable characters only, and no more than can be read."""
    for call in (
        lambda: cysmic_fast.load_game(text),
        lambda: cysmic_fast.load_game(engine=text),
        lambda: cysmic_fast.load_content(text),
        lambda: Replay.read(text),
        lambda: cysmic_fast.rollouts(cysmic_fast.load_game(), 1, text),
    ):
        with pytest.raises(CysmicError) as caught:
            call()
        message = str(caught.value)
        assert message.isprintable(), re.sub(r"[^ -~]", "?", message)
        assert len(message) < 600


def test_packs_do_not_steer_the_terminal(tmp_path: Path) -> None:
    """Neither texts of a pack, which are refused, nor its keys and file names, which are escaped."""
    (tmp_path / "units.toml").write_text('"\\u001b[31m" = 1\n', encoding="utf-8")
    (tmp_path / "pack.toml").write_text(
        'schema = 1\nname = "red"\nversion = "\\u001b[31m"\n', encoding="utf-8"
    )
    (tmp_path / "\x1b[31m.toml").write_text("", encoding="utf-8")
    with pytest.raises(CysmicError, match="printable characters"):
        cysmic_fast.load_content(tmp_path)
    for arguments in (["content", "validate"], ["content", "report", "--pack"], ["replay"]):
        done = subprocess.run(
            [
                sys.executable,
                "-P",
                "-c",
                "from cysmic_fast.cli import main; main()",
                *arguments,
                str(tmp_path),
            ],
            capture_output=True,
            check=False,
        )
        assert done.returncode == 1
        assert b"\x1b" not in done.stdout + done.stderr
