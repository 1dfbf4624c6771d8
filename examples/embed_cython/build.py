"""Compile the extension module ``searcher``: ``python build.py [FOLDER]``. Needs Cython and a C compiler."""

from __future__ import annotations

import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext

import cysmic_fast

HERE = Path(__file__).resolve().parent


def compile_extension(folder: Path) -> Path:
    """The module ``searcher``, with everything that is made on the way in ``folder``."""
    extension = Extension("searcher", [str(HERE / "searcher.pyx")], include_dirs=[cysmic_fast.get_include()])
    # An editable install of cysmic_fast is on no path, so Cython is told where its .pxd files are.
    packages = str(Path(cysmic_fast.__file__).parent.parent)
    modules = cythonize([extension], build_dir=str(folder), include_path=[packages], quiet=True)
    command = build_ext(Distribution({"name": "searcher", "ext_modules": modules}))
    command.build_lib = str(folder)
    command.build_temp = str(folder / "objects")
    command.ensure_finalized()
    command.run()
    return Path(command.get_ext_fullpath("searcher"))


if __name__ == "__main__":
    print(compile_extension(Path(sys.argv[1]) if len(sys.argv) > 1 else Path.cwd()))
