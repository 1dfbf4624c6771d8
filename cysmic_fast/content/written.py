"""Compiled modifiers back in the words of a pack, all arguments written out, for position documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cysmic_fast.content import effect_words as words
from cysmic_fast.content.compiler import Compiler
from cysmic_fast.content.effect_words import MODS, Arg, CombatAxis, IconSource, Mod, Register, Where
from cysmic_fast.content.effects import Modifier, Near, SpaceSelector, UnitSelector
from cysmic_fast.content.reader import Tell

__all__ = ["read_modifiers", "written_modifier"]

#: Words of single Unit types, by number.
_TYPES = ("soldier", "miner", "speaker", "powermech", "harvester", "ship")


def read_modifiers(raw: Any, tell: Tell, terrains: Sequence[str], path: str = "mods") -> tuple[Modifier, ...]:
    """Modifiers as packs write them; defects are told as (path, found, allowed)."""
    return Compiler(tell, terrains)._mods(raw, path)


def written_modifier(mod: Modifier, terrains: Sequence[str]) -> dict[str, Any]:
    """A modifier as a pack may write it: ``{"mod": "move", "n": -1, "types": […], "mode": "either"}``.

    All arguments of the modifier are there, in the order of ``effect_words.MODS``; ``role`` only if there is
    one; of ``icons`` and ``source`` the one that is used. :func:`read_modifiers` gives the same modifier.
    """
    row = MODS[mod.mod]
    out: dict[str, Any] = {"mod": words.word_of(words.MOD, mod.mod)}
    for name, arg in row.args.items():
        if mod.mod == Mod.BONUS_ICONS and (name == "icons") != (mod.source == IconSource.LIST):
            continue
        out[name] = _argument(arg, getattr(mod, arg.field), terrains)
    if mod.role is not None:
        out["role"] = words.word_of(words.ROLE, mod.role)
    return out


def _argument(arg: Arg, value: Any, terrains: Sequence[str]) -> Any:
    match arg.type:
        case "int":
            return int(value)
        case "word":
            return words.word_of(arg.words, int(value))
        case "types":
            return _type_words(value)
        case "space":
            return _space(value, terrains)
        case "colours":
            return [words.word_of(words.COLOUR, int(icon)) for icon in value]
        case _:
            return [words.word_of(arg.words, int(item)) for item in value]


def _type_words(types: Iterable[int]) -> list[str]:
    return [_TYPES[kind] for kind in types]


def _units(sel: UnitSelector, terrains: Sequence[str]) -> dict[str, Any]:
    """A Unit selector without registers; no ``state`` if Confused Troops fit too (V3.2)."""
    out: dict[str, Any] = {
        "owner": words.word_of(words.OWNER, sel.owner),
        "type": _type_words(sel.types),
    }
    if not sel.confused:
        out["state"] = words.word_of(words.STATE, sel.state)
    if sel.where != Where.PLANET:
        out["where"] = words.word_of(words.WHERE, sel.where)
        del out["state"]
    if sel.at is not None:
        out["at"] = _space(sel.at, terrains)
    if sel.health is not None:
        out["health"] = sel.health
    return out


def _space(sel: SpaceSelector, terrains: Sequence[str]) -> dict[str, Any]:
    """A space selector without registers: only the axes that are used."""
    assert sel.register == Register.NONE
    out: dict[str, Any] = {}
    if sel.features:
        out["feature"] = [words.word_of(words.FEATURE, feature) for feature in sel.features]
    if sel.terrains:
        out["terrain"] = [terrains[place] for place in sel.terrains]
    if sel.ring is not None:
        out["ring"] = list(sel.ring)
    if sel.near is not None:
        out["near"] = _near(sel.near, terrains)
    if sel.empty:
        out["holds"] = "none"
    elif sel.holds is not None:
        out["holds"] = _units(sel.holds, terrains)
    if sel.combat is not None:
        out["combat"] = words.word_of(words.COMBAT, CombatAxis(sel.combat))
    if sel.control:
        out["control"] = [words.word_of(words.CONTROL, axis) for axis in sel.control]
    if sel.value is not None:
        out["value"] = list(sel.value)
    return out


def _near(near: Near, terrains: Sequence[str]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if near.units is not None:
        out["units"] = _units(near.units, terrains)
    elif near.space is not None:
        out["space"] = _space(near.space, terrains)
    return {**out, "min": near.low, "max": near.high}
