"""Reading packs from disk and layering them."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePath
from typing import Any, Final

from cysmic_fast.content.build import build, cross_check
from cysmic_fast.content.cards import compile_cards
from cysmic_fast.content.layout import LAYOUT, PACK
from cysmic_fast.content.schema import (
    Defect,
    Report,
    Source,
    Tree,
    annotate,
    finish,
    is_complete,
    merge,
    one_of,
    suggest,
)
from cysmic_fast.content.types import Content, Entry
from cysmic_fast.content.writers import Writers
from cysmic_fast.errors import ContentError
from cysmic_fast.names import shown

PACKS: Final = Path(__file__).parent / "packs"
BASE: Final = "standard"

#: Larger files are not packs but accidents.
MAX_FILE_BYTES: Final = 4_000_000


class PackError(ContentError):
    """Content packs with defects; all of them are in :attr:`defects`."""

    def __init__(self, title: str, defects: list[Defect]) -> None:
        self.defects: tuple[Defect, ...] = tuple(sorted(defects, key=lambda defect: defect[:2]))
        number = f"{len(defects)} defect{'s' if len(defects) > 1 else ''}"
        super().__init__("\n".join([f"{title} has {number}:", *(f"  {defect}" for defect in self.defects)]))


def pack_names() -> list[str]:
    """Names of the packs that come with the package."""
    return sorted(path.name for path in PACKS.iterdir() if (path / "pack.toml").is_file())


def load_content(*packs: str | os.PathLike[str], name: str = BASE) -> Content:
    """Load a pack of the package, overridden key by key by the given packs.

    Parameters
    ----------
    *packs
        Folders of user packs; a later one wins over an earlier one (docs/content.md gives the format).
    name
        The pack of the package that lies below them.

    Returns
    -------
    Content
        Validated and immutable. Without user packs, the same object at each call.

    Raises
    ------
    ContentError
        With every defect of all packs: pack, file, card and key, what was found and what is allowed.
    """
    if not isinstance(name, str) or name not in pack_names():
        allowed = suggest(name, pack_names()) if isinstance(name, str) else ", ".join(pack_names())
        raise ContentError(f"unknown content pack {shown(name)}; allowed: {allowed}")
    folders = []
    for pack in packs:
        try:
            folder = Path(pack)
            is_folder = folder.is_dir()
        except Exception:  # of any __fspath__ too
            folder, is_folder = None, False
        if folder is None or not is_folder:
            given = shown(str(pack) if isinstance(pack, PurePath) else pack, 200)
            raise ContentError(f"content pack {given} is not a folder; allowed: folders with .toml files")
        folders.append(folder)
    return _load_layers(PACKS / name, *folders) if folders else _load_cached(name)


def packed_content(name: str, content_hash: str, abilities: bool = True) -> Content:
    """A pack of the package by name and hash, as pickles name it; ContentError if it is another one here."""
    content = load_content(name=name)
    if content.hash != content_hash:
        raise ContentError(
            f"content pack {name!r} with hash {content_hash} is needed; here it has hash {content.hash}"
        )
    return content if abilities else content.without_abilities()


@cache
def _load_cached(name: str) -> Content:
    return _load_layers(PACKS / name)


def _load_layers(base: Path, *packs: Path) -> Content:
    report = Report()
    merged: dict[str, Tree] = {file: {} for file in LAYOUT}
    names, versions = [], []
    for place, folder in enumerate((base, *packs)):
        name, version, layers = _read_pack(folder, report, base=place == 0)
        names.append(name)
        versions.append(version)
        for file, tree in layers.items():
            merged[file] = merge(LAYOUT[file], merged[file], tree, Source(name, file, report))

    title = f"content pack {'+'.join(names)!r}"
    entries: list[Entry] = []
    values = {
        file: finish(layout, merged[file], Source(names[0], file, report), entries)
        for file, layout in LAYOUT.items()
    }
    writers = Writers(entries, names)
    cards = compile_cards(values, writers, report)
    if all(is_complete(layout, values[file]) for file, layout in LAYOUT.items()):
        content = build(values, cards, "+".join(names), "+".join(filter(None, versions)), tuple(entries))
        cross_check(content, writers, report)
    if report.defects:
        raise PackError(title, report.defects)
    return content


def _read_pack(folder: Path, report: Report, *, base: bool) -> tuple[str, str, dict[str, Tree]]:
    """Name, version and checked files of one pack."""
    name, version, status = folder.resolve().name, "", "" if base else "custom"
    try:
        paths, has_head = sorted(folder.iterdir()), (folder / "pack.toml").is_file()
    except OSError as error:
        report.add(name, "", "", f"a folder that cannot be read: {error.strerror}", "a readable folder")
        return name, version, {}
    if has_head:
        raw = _read_toml(folder, "pack.toml", name, report)
        tree = annotate(PACK, raw, source := Source(name, "pack.toml", report))
        head = finish(PACK, tree, source, [])
        name, version = head.get("name", name), head.get("version", "")
        status = source.inherit(raw).status or status
    elif base:
        report.add(name, "pack.toml", "", "no such file", "a file with schema, name and version")
    files: dict[str, Tree] = {}
    for path in paths:
        if path.suffix != ".toml" or path.name == "pack.toml":
            continue
        if not path.is_file():  # a pipe would wait for ever
            report.add(name, path.name, "", "a file that cannot be read: not a regular one", "TOML")
            continue
        if path.name not in LAYOUT:
            report.add(
                name, path.name, "", f"unknown file {path.name!r}", suggest(path.name, ["pack.toml", *LAYOUT])
            )
            continue
        raw = _read_toml(folder, path.name, name, report)
        files[path.name] = annotate(LAYOUT[path.name], raw, Source(name, path.name, report, status=status))
    if not files and not report.defects:
        report.add(name, "", "", "no content file", f"at least one of {one_of(LAYOUT)}")
    return name, version, files


def _read_toml(folder: Path, file: str, pack: str, report: Report) -> Mapping[str, Any]:
    path = folder / file
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            report.add(pack, file, "", f"{path.stat().st_size} bytes", f"at most {MAX_FILE_BYTES}")
            return {}
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        report.add(pack, file, "", f"broken TOML: {error}", "a valid TOML file")
    except UnicodeDecodeError as error:
        report.add(pack, file, "", f"a byte that is not UTF-8 at position {error.start}", "a UTF-8 text file")
    except ValueError as error:  # an integer too long to convert
        report.add(pack, file, "", f"broken TOML: {error}", "a valid TOML file")
    except RecursionError:
        report.add(pack, file, "", "tables nested too deeply", "a valid TOML file")
    except OSError as error:
        report.add(pack, file, "", f"a file that cannot be read: {error.strerror}", "a readable file")
    return {}
