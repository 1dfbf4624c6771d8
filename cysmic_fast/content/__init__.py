"""Content packs: every printed number, table and card as data (docs/content.md)."""

from __future__ import annotations

from cysmic_fast.content.loader import PackError, load_content, pack_names
from cysmic_fast.content.schema import STATUSES, Defect
from cysmic_fast.content.types import (
    BonusSpec,
    CommandSpec,
    Content,
    Cysmograph,
    Dice,
    DiscoverySpec,
    Entry,
    FactionSpec,
    FrozenDict,
    Limits,
    ModuleSpec,
    Planet,
    RelicSpec,
    RewardItem,
    Rewards,
    Rulings,
    Section,
    StrikeFace,
    TokenSpec,
    UnitSpec,
    Yield,
)

__all__ = [
    "STATUSES",
    "BonusSpec",
    "CommandSpec",
    "Content",
    "Cysmograph",
    "Defect",
    "Dice",
    "DiscoverySpec",
    "Entry",
    "FactionSpec",
    "FrozenDict",
    "Limits",
    "ModuleSpec",
    "PackError",
    "Planet",
    "RelicSpec",
    "RewardItem",
    "Rewards",
    "Rulings",
    "Section",
    "StrikeFace",
    "TokenSpec",
    "UnitSpec",
    "Yield",
    "load_content",
    "pack_names",
]
