"""cysmic.h: it compiles everywhere, agrees with the module, and does not change unnoticed."""

from __future__ import annotations

import ctypes
import json
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from embedding import load_module

import cysmic_fast
from cysmic_fast import _native, embed
from cysmic_fast.layout import STATE_DTYPE
from cysmic_fast.vocabulary import NUM_ACTIONS, TERMINAL_PLAYER

HERE = Path(__file__).resolve().parent
HEADER = Path(cysmic_fast.get_include()) / "cysmic.h"
#: What programs compiled for ABI version 1 rely on. Entries may be added; a change needs a new version.
GOLDEN = HERE.parent / "golden" / "cysmic_abi.json"
STRICT = ("-Wall", "-Wextra", "-pedantic", "-Werror")


def compiled_abi(compiler: list[str], standard: str, source: Path, folder: Path) -> dict[str, int]:
    program = folder / f"abi_{standard}"
    command = [*compiler, f"-std={standard}", *STRICT, "-I", cysmic_fast.get_include(), str(source)]
    done = subprocess.run([*command, "-o", str(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, int] = json.loads(subprocess.run([program], capture_output=True, check=True).stdout)
    return found


@pytest.mark.parametrize("standard", ["c99", "c11", "c17"])
def test_constants_and_offsets_in_c(standard: str, cc: list[str], tmp_path: Path) -> None:
    found = compiled_abi(cc, standard, HERE / "abi.c", tmp_path)
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize("standard", ["c++11", "c++17", "c++20"])
def test_constants_and_offsets_in_cpp(standard: str, cxx: list[str], tmp_path: Path) -> None:
    source = tmp_path / "abi.cpp"
    shutil.copyfile(HERE / "abi.c", source)
    found = compiled_abi(cxx, standard, source, tmp_path)
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_the_golden_file_is_complete() -> None:
    """Every constant and every function of the header is in it."""
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    text = HEADER.read_text(encoding="utf-8")
    numbers = set(re.findall(r"^#define CYSMIC_(\w+) +\(?-?\d", text, re.MULTILINE))
    assert numbers == set(embed.CONSTANTS)
    assert numbers <= set(golden)
    table = re.findall(r"\(\*(\w+)\)\(", text)
    assert [name for name in golden if name.startswith("cysmic_api.")][4:] == [
        f"cysmic_api.{n}" for n in table
    ]


def test_constants_of_the_module() -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    for name, value in embed.CONSTANTS.items():
        assert golden[name] == value, name
    assert golden["NUM_ACTIONS"] == NUM_ACTIONS == 64 * golden["MASK_WORDS"]
    assert golden["TERMINAL_PLAYER"] == TERMINAL_PLAYER
    assert golden["sizeof cysmic_state"] == embed.STATE_SIZE >= STATE_DTYPE.itemsize
    assert golden["struct placed.state"] == embed.STATE_ALIGNMENT
    assert embed.STATE_SIZE % embed.STATE_ALIGNMENT == 0
    assert golden["sizeof cysmic_result"] == embed.RESULT_DTYPE.itemsize
    fields = embed.RESULT_DTYPE.fields
    assert fields is not None
    for name, (_, offset) in fields.items():
        assert golden[f"cysmic_result.{name}"] == offset
    failures = [v for n, v in embed.CONSTANTS.items() if v < 0 and n != "TERMINAL_PLAYER"]
    assert len(set(failures)) == len(failures)
    assert TERMINAL_PLAYER not in failures


def test_the_table_in_the_capsule() -> None:
    """Version, sizes and the addresses are at the offsets of the header."""
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = pointer(_native._C_API, b"cysmic_fast._native._C_API")
    size = golden["sizeof cysmic_api"]
    head = np.frombuffer(ctypes.string_at(table, 16), np.uint32)
    assert head.tolist() == [embed.ABI_VERSION, embed.STATE_SIZE, embed.STATE_ALIGNMENT, size]
    words = np.frombuffer(ctypes.string_at(table, size), np.uint64)
    for name, function in embed.functions().items():
        assert words[golden[f"cysmic_api.{name}"] // 8] == function.address, name
    assert (words[2:] != 0).all()
    assert len(words) - 2 == len(embed.functions()) + 3


def test_the_cython_declarations_name_everything() -> None:
    text = (Path(embed.__file__).parent / "embed.pxd").read_text(encoding="utf-8")
    header = HEADER.read_text(encoding="utf-8")
    assert re.findall(r"\(\*(\w+)\)\(", text) == re.findall(r"\(\*(\w+)\)\(", header)
    for name in embed.CONSTANTS:
        assert f"CYSMIC_{name}\n" in text
    assert f"bytes[{embed.STATE_SIZE}]" in text


def test_with_python_h(cc: list[str], cxx: list[str], tmp_path: Path) -> None:
    """The import helper compiles without a warning in both languages."""
    use = "int use(void);\nint use(void) { return cysmic_import() != NULL; }\n"
    code = f"#include <Python.h>\n#include <cysmic.h>\n{use}"
    for compiler, standard, name in ((cc, "c11", "use.c"), (cxx, "c++17", "use.cpp")):
        source = tmp_path / name
        source.write_text(code, encoding="utf-8")
        flags = ["-isystem", sysconfig.get_paths()["include"], "-I", cysmic_fast.get_include(), *STRICT]
        command = [*compiler, f"-std={standard}", *flags, "-c", str(source), "-o", str(tmp_path / "use.o")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


MODULE = """
#include <Python.h>
#include <cysmic.h>
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "NAME", .m_size = -1};
PyMODINIT_FUNC PyInit_NAME(void)
{
    PyObject *module = cysmic_import() ? PyModule_Create(&definition) : NULL;
#ifdef Py_GIL_DISABLED
    if (module) PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED);
#endif
    return module;
}
"""


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("same", "#define CYSMIC_ABI_VERSION 1", "#define CYSMIC_ABI_VERSION 1", None),
        (
            "newer",
            "#define CYSMIC_ABI_VERSION 1",
            "#define CYSMIC_ABI_VERSION 2",
            "has version 1 of the C interface, this program was compiled for version 2: compile it again",
        ),
        (
            "smaller",
            "#define CYSMIC_STATE_SIZE 2304",
            "#define CYSMIC_STATE_SIZE 2048",
            "take 2304 bytes, this program was compiled for 2048: compile it again",
        ),
        (
            "longer",
            "} cysmic_api;",
            "void (*more)(void);\n} cysmic_api;",
            "older than the cysmic.h .* install a newer",
        ),
        ("missing", "_C_API", "_D_API", "_D_API"),
    ],
)
def test_a_program_of_another_version_is_refused(
    name: str, old: str, new: str, message: str | None, compile_extension: Callable[..., Path], tmp_path: Path
) -> None:
    text = HEADER.read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "cysmic.h").write_text(text.replace(old, new), encoding="utf-8")
    source = tmp_path / f"{name}.c"
    source.write_text(MODULE.replace("NAME", name), encoding="utf-8")
    built = compile_extension(source, tmp_path, str(tmp_path))
    if message is None:
        load_module(name, built)
    else:
        with pytest.raises((ImportError, AttributeError), match=message):
            load_module(name, built)


def test_helpers_of_the_header(cc: list[str], tmp_path: Path) -> None:
    """cysmic_is_legal and cysmic_next_legal, against a slow count, for any integer."""
    source = tmp_path / "helpers.c"
    source.write_text(
        """
        #include <cysmic.h>
        int legal(const uint64_t *mask, int32_t action) { return cysmic_is_legal(mask, action); }
        int32_t next(const uint64_t *mask, int32_t after) { return cysmic_next_legal(mask, after); }
        """,
        encoding="utf-8",
    )
    library = tmp_path / "helpers.so"
    command = [*cc, "-std=c99", "-O2", "-fPIC", "-shared", "-I", cysmic_fast.get_include()]
    subprocess.run([*command, str(source), "-o", str(library)], check=True)
    helpers = ctypes.CDLL(str(library))
    rng = np.random.default_rng(1)
    for members in ([], [0], [511], [63, 64], [0, 127, 128, 511], rng.permutation(512)[:200].tolist()):
        mask = np.zeros(8, np.uint64)
        for a in members:
            mask[a >> 6] |= np.uint64(1) << np.uint64(a & 63)
        for action in [-(2**31), -65, -2, -1, *range(513), 600, 2**31 - 1]:
            above = [a for a in sorted(members) if a > action]
            assert helpers.next(ctypes.c_void_p(mask.ctypes.data), ctypes.c_int32(action)) == (
                above[0] if above else -1
            )
            assert helpers.legal(ctypes.c_void_p(mask.ctypes.data), ctypes.c_int32(action)) == (
                action in members
            )
