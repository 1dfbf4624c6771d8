"""The golden signature: what the engine plays, in one number.

A fixed set of games for each of a fixed set of configurations, hashed: two builds of the package with the
same signature play the same games, whatever the machine, the compiler, the number of threads and how
processes are started. A change that is not meant to alter games leaves it alone; one that is meant to shows
in it::

    python -m cysmic_fast.signature                 # the signature of this build
    python -m cysmic_fast.signature --check FILE    # compare with a file, name what differs, exit status 1
    python -m cysmic_fast.signature --write FILE    # make the file (tests/golden/signature.json)

For each configuration two hashes: ``played`` of the first game as a caller plays it (its actions and the
final snapshot), ``records`` of the statistics of the first games that ``simulate`` plays.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cysmic_fast import vocabulary as v
from cysmic_fast._crosscheck_data import CONFIGS, load_one
from cysmic_fast.content.schema import canonical_json
from cysmic_fast.files import write_whole
from cysmic_fast.policies import RandomPolicy

if TYPE_CHECKING:
    from cysmic_fast.interface import Game

__all__ = ["GAMES", "NAMES", "SEED", "differences", "main", "played", "records", "signature", "sum_up"]

#: Seed of all games, and the number of them that ``records`` covers.
SEED: Final = 2026
GAMES: Final = 12

_VARIANTS: Final = (
    "core+plain",
    "plain",
    "core+everything",
    "everything",
    "no_trading",
    "short",
    "blueprints1",
    *(
        f"quick+{launch}+{trigger}"
        for launch in ("base", "build_it", "guilty", "guilty_ignore_captives")
        for trigger in ("immediate", "simultaneous", "equality")
    ),
    "tight",  # content packs
    "wide",
    "regrouped",
    "random0",
    "cards0",  # packs of random cards
    "cards1",
    "cards2",
)

#: The configurations, names of :data:`cysmic_fast.crosscheck.CONFIGS`.
NAMES: Final[tuple[str, ...]] = tuple(
    name for players in range(2, 7) for variant in _VARIANTS if (name := f"{players}p:{variant}") in CONFIGS
)


def _hash(value: Any) -> str:
    """16 hexadecimal digits over the canonical JSON of a value."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()[:16]


@cache
def _game(name: str, engine: str) -> Game:
    return load_one(CONFIGS[name], engine)


def played(name: str, engine: str = "native") -> str:
    """Hash of game 0 of a configuration: content, actions, the final snapshot. The same on both engines."""
    game = _game(name, engine)
    state, policy, actions = game.new_initial_state(SEED), RandomPolicy(SEED), []
    while not state.is_terminal():
        actions.append(int(policy.choose(state.legal_actions())))
        state.apply_action(actions[-1])
    return _hash([game.content.hash, actions, state.snapshot()])


def records(name: str, engine: str = "native", threads: int = 1) -> str:
    """Hash of the statistics of the first :data:`GAMES` games of a configuration, field by field."""
    game = _game(name, engine)
    found = game.simulate(SEED, 0, GAMES, threads=threads)
    return _hash({field: found[field].tolist() for field in found.dtype.names or ()})


def signature(name: str, engine: str = "native", threads: int = 1) -> dict[str, str]:
    """Both hashes of a configuration."""
    return {"played": played(name, engine), "records": records(name, engine, threads)}


def sum_up(hashes: Mapping[str, Mapping[str, str]]) -> str:
    """One hash over those of all configurations."""
    return _hash({name: dict(both) for name, both in hashes.items()})


def document(threads: int = 1) -> dict[str, Any]:
    """What the golden file holds."""
    hashes = {name: signature(name, threads=threads) for name in NAMES}
    return {
        "signature": sum_up(hashes),
        "rules_version": v.RULES_VERSION,
        "action_vocabulary_version": v.ACTION_VOCABULARY_VERSION,
        "seed": SEED,
        "games": GAMES,
        "configurations": hashes,
    }


def differences(golden: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """What differs between two documents of :func:`document`, a line each."""
    head = [key for key in {**golden, **found} if key not in ("signature", "configurations")]
    lines = [
        f"{key}: {golden.get(key)} / {found.get(key)}" for key in head if golden.get(key) != found.get(key)
    ]
    old, new = golden["configurations"], found["configurations"]
    for name in dict.fromkeys([*old, *new]):
        both = old.get(name), new.get(name)
        if None in both:
            lines.append(f"{name}: only {'now' if both[0] is None else 'before'}")
        else:
            lines += [f"{name}: other {part}" for part in both[0] if both[0][part] != both[1][part]]
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m cysmic_fast.signature",
        description="Hash of what this build plays: a fixed set of games of every kind.",
    )
    parser.add_argument("--check", metavar="FILE", type=Path, help="compare with a golden file")
    parser.add_argument("--write", metavar="FILE", type=Path, help="write the golden file")
    parser.add_argument("--threads", type=int, default=1, help="threads of simulate; it must not matter")
    options = parser.parse_args(arguments)
    found = document(threads=options.threads)
    print(f"{found['signature']}  {len(found['configurations'])} configurations, rules {v.RULES_VERSION}")
    if options.check:
        lines = differences(json.loads(options.check.read_text(encoding="utf-8")), found)
        print(*(lines or [f"as in {options.check}"]), sep="\n")
        if lines:
            return 1
    if options.write:
        write_whole(options.write, (json.dumps(found, indent=1) + "\n").encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
