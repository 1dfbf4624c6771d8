"""Random cards and packs for hypothesis, and broken ones.

:func:`packs` and :func:`programs` are valid by construction. :func:`broken_packs` spoils values here and
there: such a pack may still be valid by chance, but must do nothing else than load or raise PackError.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from cysmic_fast._crosscheck_cards import (
    CardMaker,
    Pack,
    Raw,
    Source,
    random_content,
    random_pack,
    to_toml,
    write_pack,
)
from cysmic_fast.content.settings import ACTION, Setting

__all__ = [
    "CardMaker",
    "DrawSource",
    "Pack",
    "Source",
    "broken_packs",
    "packs",
    "programs",
    "random_content",
    "random_pack",
    "spoil",
    "to_toml",
    "write_pack",
]


class DrawSource(Source):
    """Choices that hypothesis makes, and shrinks towards the first option."""

    def __init__(self, draw: Callable[[st.SearchStrategy[int]], int]) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        """An integer from ``low`` to ``high``."""
        return self._draw(st.integers(low, high))


@st.composite
def packs(draw: st.DrawFn, /, **sizes: Any) -> Pack:
    """Packs that hypothesis shrinks."""
    return CardMaker(DrawSource(draw)).pack(**sizes)


@st.composite
def programs(draw: st.DrawFn, setting: Setting = ACTION) -> list[Raw]:
    """Programs for one place."""
    return CardMaker(DrawSource(draw)).program(setting)


# ---------------------------------------------------------------- broken packs
_ODD: tuple[Any, ...] = (
    0, -1, 1, 2, 7, 31, 10**30, True, False, 1.5, "", "all", "$n", "$unit", "$space", "$player", "$terrain",
    "none", "self", "nonsense", "move", "combat", [], [[]], {}, ["all"], [1, 2], {"do": "gain"},
    {"count": {}}, [{"do": "cancel"}], [{"do": "tremor", "n": 2}], {"units": {}}, {"space": {}},
)  # fmt: skip


def _places(data: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths of everything inside."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    found = []
    for key, value in inside:
        found.append((*at, key))
        found += _places(value, (*at, key))
    return found


def spoil(pack: Pack, source: Source, times: int) -> Pack:
    """A copy in which some values are replaced, renamed, doubled, nested or gone."""
    pack = copy.deepcopy(pack)
    for _ in range(times):
        name = source.choice(pack)
        places = _places(pack[name])
        if not places:
            continue
        *way, key = source.choice(places)
        holder: Any = pack[name]
        for step in way:
            holder = holder[step]
        how = source.integer(0, 5)
        if how == 0:
            del holder[key]
        elif how == 1 and isinstance(holder, dict):
            holder[source.choice([f"{key}x", "n", "who", "at", "do", "min", "status"])] = holder.pop(key)
        elif how == 2:
            holder[key] = [holder[key]]
        elif how == 3 and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[key]))
        elif how == 4:
            *_, other = source.choice(places)
            holder[key] = str(other)
        else:
            holder[key] = copy.deepcopy(source.choice(_ODD))
    return pack


@st.composite
def broken_packs(draw: st.DrawFn) -> Pack:
    """Small packs with one to four spoilt values."""
    source = DrawSource(draw)
    pack = CardMaker(source).pack(cards=4, relics=3, events=2, abilities=source.chance(20), old=None)
    return spoil(pack, source, source.integer(1, 4))
