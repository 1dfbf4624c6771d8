"""Many games side by side (docs/batch.md): :class:`Batch`, which is part of the native engine."""

from cysmic_fast._native import Batch

__all__ = ["Batch"]
