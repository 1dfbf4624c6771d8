"""Compile the program ``rollouts`` and the extension module ``player``: ``python build.py [FOLDER]``.

For the Python that runs this, with the C compiler of ``$CC`` (cc). Nothing of cysmic_fast is linked: the
header is all that is needed.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

import cysmic_fast

HERE = Path(__file__).resolve().parent
CC = shlex.split(os.environ.get("CC", "cc"))
FLAGS = [
    *("-std=c11", "-O2", "-Wall", "-Wextra"),
    *("-isystem", sysconfig.get_paths()["include"], "-I", cysmic_fast.get_include()),
]


def variable(name: str) -> str:
    """A variable of the Python build."""
    return str(sysconfig.get_config_var(name) or "")


def python_library() -> list[str]:
    """What links Python into a program."""
    if variable("Py_ENABLE_SHARED") == "1":
        folder = variable("LIBDIR")
        found = ["-L", folder, f"-Wl,-rpath,{folder}", f"-lpython{variable('LDVERSION')}"]
    else:
        archive = Path(variable("LIBPL")) / variable("LIBRARY")
        if not archive.is_file():
            raise SystemExit(f"this Python has no library to embed: {archive} is missing")
        found = ["-Wl,--export-dynamic", str(archive)]
    return [*found, *shlex.split(variable("LIBS") + " " + variable("SYSLIBS"))]


def compile_extension(folder: Path) -> Path:
    """The module ``player``."""
    target = folder / ("player" + variable("EXT_SUFFIX"))
    source = HERE / "player.c"
    subprocess.run([*CC, *FLAGS, "-fPIC", "-shared", str(source), "-o", str(target)], check=True)
    return target


def compile_program(folder: Path) -> Path:
    """The program ``rollouts``."""
    target = folder / "rollouts"
    source = HERE / "rollouts.c"
    python = f'-DPYTHON="{sys.executable}"'
    subprocess.run([*CC, *FLAGS, python, str(source), *python_library(), "-o", str(target)], check=True)
    return target


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else Path.cwd()
    print(compile_extension(place))
    print(compile_program(place))
