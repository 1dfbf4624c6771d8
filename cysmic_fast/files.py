"""Files written whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

__all__ = ["write_whole"]


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file, or over one, so that whoever looks sees what was there or all of it.

    It is written under another name in the same folder and then renamed: whatever ends the process leaves no
    half of a file under the name asked for. A link is followed; the mode of a file written over stays. What
    is no regular file (a pipe, a device), and a file in a folder where none can be made, is written in place.
    Errors are those of ``open``.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    mode = target.stat().st_mode & 0o7777 if target.exists() else None
    if mode is not None and not os.access(target, os.W_OK):
        target.write_bytes(data)  # raises: renaming would go past the mode of the file
        return
    part = target.with_name(f".cysmic-{secrets.token_hex(8)}.part")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    except PermissionError:
        if mode is None:
            raise
        target.write_bytes(data)
        return
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        if mode is not None:
            part.chmod(mode)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
