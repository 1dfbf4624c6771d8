"""Files are written whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import cysmic_fast
from cysmic_fast.errors import ReplayError
from cysmic_fast.files import write_whole
from cysmic_fast.replay import MAX_LINE, Replay

#: Writes the same long file again and again.
WRITER = """
import sys
from cysmic_fast.files import write_whole
data = b"x" * 20_000_000
while True:
    write_whole(sys.argv[1], data)
"""


def test_killed_in_the_middle(tmp_path: Path) -> None:
    """Whatever ends the process, a file has what it had or all that it was to have."""
    path = tmp_path / "file"
    for place in range(4):
        path.write_bytes(b"before")
        process = subprocess.Popen([sys.executable, "-P", "-c", WRITER, str(path)])
        try:
            deadline = time.monotonic() + 30
            while not list(tmp_path.glob(".cysmic-*.part")) and time.monotonic() < deadline:
                time.sleep(0.001)
            time.sleep(0.003 * place)
            process.send_signal(signal.SIGKILL)
        finally:
            process.kill()
            process.wait()
        assert path.stat().st_size in (6, 20_000_000)


def test_an_error_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"before")

    def full(*_arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, b"after")
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["file"]


def test_modes_links_and_pipes(tmp_path: Path) -> None:
    """A file written over keeps its mode, a link stays one, a pipe is written to."""
    path, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    path.write_bytes(b"before")
    path.chmod(0o640)
    link.symlink_to(path)
    write_whole(link, b"after")
    assert link.is_symlink()
    assert path.read_bytes() == b"after"
    assert path.stat().st_mode & 0o777 == 0o640
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, b"through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert sorted(os.listdir(tmp_path)) == ["file", "link", "pipe"]


def test_replays_that_could_not_be_read_are_not_written(tmp_path: Path) -> None:
    """What a replay writes it reads again; longer lines are refused, what was there stays."""
    path = tmp_path / "game.jsonl"
    history = cysmic_fast.History(cysmic_fast.load_game(players=2, max_rounds=1))
    history.to_replay(players=["a", "b"]).write(path)
    before = path.read_bytes()
    with pytest.raises(ReplayError, match=rf"line 1 would have \d+ bytes; allowed: {MAX_LINE}"):
        history.to_replay(players=["x" * MAX_LINE, "b"]).write(path)
    assert path.read_bytes() == before
    longest = history.to_replay(players=["x" * (MAX_LINE - 2000), "b"])
    longest.write(path)
    assert Replay.read(path) == longest
