"""Ours and other libraries side by side: same run, same core, one measurement after the other, medians.

    python benchmarks/peers/run.py [--seconds 0.5] [--repeat 7] [--json FILE] [--python PYTHON]

Random legal play of whole games by each library's own fastest way (README.md beside this file). Each library
runs in a process of its own, pinned to one core; while one is measured the others wait. A library that is not
installed is named, with the command that installs it.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PEERS = ("ours", "fastcatan_peer", "open_spiel_peer", "catanatron_peer")
MODES = ("native", "batch", "python")
sys.path.insert(0, str(HERE))


class Worker:
    """A process that measures one library (measuring.serve)."""

    def __init__(self, module: str, python: str, core: int) -> None:
        self.module = module
        self.peer = import_module(module)
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
        self.process = subprocess.Popen(
            [python, "-P", "-c", f"from measuring import serve; serve({module!r}, {core})"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **threads, "PYTHONPATH": str(HERE)},
        )
        self.hello: dict[str, Any] = self.answer()

    def answer(self) -> Any:
        """The next answer of the process."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.module}: the measuring process has ended (status {self.process.wait()})")
        return json.loads(line)

    def measure(self, case: str, mode: str, seconds: float) -> Any:
        """One measurement."""
        assert self.process.stdin is not None
        print(
            json.dumps({"case": case, "mode": mode, "seconds": seconds}), file=self.process.stdin, flush=True
        )
        return self.answer()

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(60)


def install_line(peer: Any) -> str:
    """The command that installs a library."""
    least = ".".join(map(str, peer.REQUIRES))
    return (
        f"python{least} -m venv build/peers && build/peers/bin/pip install {peer.PACKAGE} numba"
        " (or pip install -e '.[peers]' here)"
    )


def middle(values: list[float]) -> float:
    """The median."""
    return statistics.median(values)


def row_of(found: dict[str, list[Any]]) -> dict[str, Any]:
    """What is reported of a case: medians over the repeats, means over all games."""
    row: dict[str, Any] = {}
    for mode in MODES:
        if runs := found.get(mode):
            row[mode] = {
                "decisions_per_second": middle([run["decisions"] / run["seconds"] for run in runs]),
                "choices_per_second": middle([run["choices"] / run["seconds"] for run in runs]),
                "games_per_second": middle([run["games"] / run["seconds"] for run in runs]),
                "games": sum(run["games"] for run in runs),
                "exact": all(run["exact"] for run in runs),
                "spread": (max(run["choices"] / run["seconds"] for run in runs))
                / min(run["choices"] / run["seconds"] for run in runs),
            }
    # Counts come from where everything is counted: forced decisions of ours only from the native engine.
    whole = [run for mode in ("native", "python") for run in found.get(mode, ()) if run["exact"]]
    if found.get("native") and found["native"][0]["exact"]:
        whole = found["native"]
    games, decisions, choices, options = (
        sum(run[field] for run in whole) for field in ("games", "decisions", "choices", "options")
    )
    row["choices_per_game"] = choices / games
    row["forced_share"] = 1 - choices / decisions
    row["mean_legal_options"] = options / choices
    if found.get("clone"):
        row["clone_seconds"] = middle(found["clone"])
    return row


def best(row: dict[str, Any]) -> float:
    """Real choices a second, native or batched, whichever is more."""
    return max((row[mode]["choices_per_second"] for mode in ("native", "batch") if mode in row), default=0.0)


def print_table(rows: list[dict[str, Any]], skipped: dict[str, str]) -> None:
    """The table, ratios last."""

    def millions(row: dict[str, Any], mode: str, what: str) -> str:
        if mode not in row:
            return "-"
        value = row[mode][what] / 1e6
        return ("" if row[mode]["exact"] else "~") + (f"{value:.3f}" if value < 0.1 else f"{value:.2f}")

    head = [
        "",
        "native",
        "batch",
        "python",
        "native",
        "batch",
        "python",
        "forced",
        "options",
        "choices",
        "games/s",
        "clone",
    ]
    unit = ["", "M decisions/s", "", "", "M choices/s", "", "", "share", "a choice", "a game", "best", "ns"]
    lines = [head, unit]
    for row in rows:
        games = max(row[mode]["games_per_second"] for mode in MODES if mode in row)
        lines.append(
            [
                f"{row['title']} {row['version']}: {row['case']}",
                *(millions(row, mode, "decisions_per_second") for mode in MODES),
                *(millions(row, mode, "choices_per_second") for mode in MODES),
                f"{row['forced_share']:.0%}",
                f"{row['mean_legal_options']:.1f}",
                f"{row['choices_per_game']:,.0f}",
                f"{games:,.0f}",
                f"{row['clone_seconds'] * 1e9:,.0f}" if "clone_seconds" in row else "-",
            ]
        )
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    for line in lines:
        print(
            line[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)),
        )
    print(
        "\nours / theirs in real choices a second (native or batched: the better one); clone: theirs / ours"
    )
    for row in rows[1:]:
        ratios = row["ratios"]
        text = {key: f"{value:,.{2 if value < 2 else 1}f}" if value else "-" for key, value in ratios.items()}
        print(
            f"  {row['title']}: {row['case']}: native or batched {text['native']},"
            f" from Python {text['python']}, clone {text['clone']}"
        )
    for package, line in skipped.items():
        print(f"  skipped: {package} is not installed; {line}")


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=0.5, help="CPU seconds of one measurement")
    parser.add_argument("--repeat", type=int, default=7, help="measurements, of which the median counts")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything measured to a file")
    parser.add_argument("--python", help="interpreter with the peers; default: that of build/peers")
    options = parser.parse_args(arguments)
    theirs = ROOT / "build" / "peers" / "bin" / "python"
    python = options.python or (str(theirs) if theirs.exists() else sys.executable)
    core = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")

    workers, skipped = [], {}
    for module in PEERS:
        worker = Worker(module, sys.executable if module == "ours" else python, core)
        if "missing" in worker.hello:
            skipped[worker.peer.PACKAGE] = install_line(worker.peer)
        else:
            workers.append(worker)
    assert workers
    assert workers[0].module == "ours"
    cases = [(worker, case) for worker in workers for case in worker.hello["cases"]]
    found: dict[tuple[str, str], dict[str, list[Any]]] = {}
    for number in range(options.repeat + 1):  # the first time is for warming up
        for worker, case in cases:
            for mode in worker.hello["cases"][case]["modes"]:
                value = worker.measure(case, mode, options.seconds)
                if number:
                    found.setdefault((worker.module, case), {}).setdefault(mode, []).append(value)
    rows = []
    for worker, case in cases:
        row = {"title": worker.peer.TITLE, "case": case, "version": worker.hello["version"]}
        row |= {"python_version": worker.hello["python"]} | row_of(found[worker.module, case])
        row["notes"] = worker.hello["cases"][case]["notes"]
        rows.append(row)
    ours = rows[0]
    for row in rows:
        row["ratios"] = {
            "native": best(ours) / best(row) if best(row) else None,
            "python": ours["python"]["choices_per_second"] / row["python"]["choices_per_second"],
            "clone": row["clone_seconds"] / ours["clone_seconds"] if "clone_seconds" in row else None,
        }
    for worker in workers:
        worker.close()
    print(
        f"core {core}, {options.repeat} x {options.seconds} CPU seconds each, load before {load:.1f} on"
        f" {os.cpu_count()} cores, Python {ours['python_version']} (ours),"
        f" {rows[-1]['python_version']} (theirs)\n"
    )
    print_table(rows, skipped)
    if options.json:
        document = {
            "rows": rows,
            "skipped": skipped,
            "load": load,
            "seconds": options.seconds,
            "repeat": options.repeat,
        }
        options.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
