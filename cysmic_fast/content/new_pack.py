"""A commented example pack, to begin one's own with."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cysmic_fast.errors import ContentError
from cysmic_fast.files import write_whole

TEMPLATE: Final = Path(__file__).parent / "template"


def write_example_pack(folder: Path) -> list[Path]:
    """Write the example pack to ``folder``, which is created; the files written.

    Raises
    ------
    ContentError
        If the folder holds something already or cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ContentError(f"{str(folder)!r} is not empty; allowed: a new or empty folder")
        written = [folder / file.name for file in sorted(TEMPLATE.glob("*.toml"))]
        for path in written:
            write_whole(path, (TEMPLATE / path.name).read_bytes())
        return written
    except OSError as error:
        raise ContentError(f"{str(folder)!r} cannot be written: {error.strerror}") from None
