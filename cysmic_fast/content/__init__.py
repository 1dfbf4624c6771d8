"""Content packs: every printed number, table and card as data (docs/content.md)."""

from __future__ import annotations

from cysmic_fast.content.types import *  # noqa: F403
from cysmic_fast.content.types import __all__ as _types

__all__ = list(_types)
