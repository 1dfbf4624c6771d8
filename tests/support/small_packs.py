"""Content packs written by tests."""

from __future__ import annotations

from pathlib import Path


def write_pack(folder: Path, files: dict[str, str]) -> Path:
    """A pack of the given files, by name, in a new folder; the folder."""
    folder.mkdir()
    (folder / "pack.toml").write_text("schema = 1\n", encoding="utf-8")
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
