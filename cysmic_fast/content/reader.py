"""Reading the parts of programs: words, numbers, selectors, counts, conditions, modifiers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal

from cysmic_fast.content import effect_words as words
from cysmic_fast.content.effect_words import (
    MAX_COUNT,
    MAX_MODS,
    MAX_NEAR,
    MAX_SELECTORS,
    MODS,
    Arg,
    ControlAxis,
    CountKind,
    Metric,
    Mod,
    Register,
    Role,
    Verb,
    Where,
)
from cysmic_fast.content.effects import Condition, Count, Modifier, Near, SpaceSelector, UnitSelector
from cysmic_fast.content.schema import one_of, show, suggest
from cysmic_fast.content.settings import ACTION, Scope
from cysmic_fast.vocabulary import CardAction, Icon, UnitType

Use = Literal["target", "exists", "holds", "near", "count", "over", "swap"]

#: Called with path, found and allowed of a defect.
Tell = Callable[[str, str, str], None]
#: Verbs that may have a Colony Ship among their Units.
SHIPS_ALLOWED: Final = (Verb.MOVE, Verb.ACT)
_MOD_ROLES: Final = {"attacker": Role.ATTACKER, "defender": Role.DEFENDER}


class Reader:
    """Reads values of programs and tells every defect; what it gives back for a defective one is any value.

    Parameters
    ----------
    tell
        Called with dotted path, what was found and what is allowed, for each defect.
    terrains
        The terrains clockwise; programs hold places in it.
    """

    def __init__(self, tell: Tell, terrains: Iterable[str] = words.TERRAIN) -> None:
        self._report = tell
        self._terrains = tuple(terrains)
        self._told = 0  # defects so far: a value read without a new one is complete

    def tell(self, path: str, found: str, allowed: str) -> None:
        """Tell a defect."""
        self._told += 1
        self._report(path, found, allowed)

    # ------------------------------------------------------------ single values
    def _table(self, raw: Any, path: str, keys: Iterable[str]) -> bool:
        """Whether ``raw`` is a table; keys it should not have are told."""
        known = list(keys)
        if not isinstance(raw, Mapping):
            self.tell(path, show(raw), f"a table with {one_of(known)}")
            return False
        for key in raw:
            if key not in known:
                self.tell(f"{path}.{key}", f"unknown key {key!r}", suggest(key, known))
        return True

    def _int(
        self, raw: Any, low: int, high: int, path: str, *, but: tuple[int, ...] = (), also: str = ""
    ) -> int:
        if type(raw) is not int or not low <= raw <= high or raw in but:
            without = f" without {one_of(but)}" if but else ""
            self.tell(path, show(raw), f"an integer from {low} to {high}{without}{also}")
            return low
        return raw

    def _flag(self, raw: Any, path: str) -> bool:
        if type(raw) is not bool:
            self.tell(path, show(raw), "true or false")
        return raw is True

    def _word(self, raw: Any, table: Mapping[str, Any], path: str) -> Any:
        """The member of ``raw``, None if it is none."""
        if type(raw) is not str or raw not in table:
            self.tell(path, show(raw), suggest(raw, table) if type(raw) is str else f"one of {one_of(table)}")
            return None
        return table[raw]

    def _words(self, raw: Any, table: Mapping[str, Any], path: str, *, alone: bool = False) -> list[Any]:
        """The members of a list of different words, not empty; with ``alone`` a single word is a list too."""
        if alone and type(raw) is str:
            raw = [raw]
        if not isinstance(raw, list) or not raw:
            self.tell(path, show(raw), f"a list of {one_of(table)}, not empty")
            return []
        out = [self._word(word, table, path) for word in raw]
        for place, word in enumerate(raw):
            if word in raw[:place]:
                self.tell(path, f"{show(word)} twice", "each word once")
        return [member for member in out if member is not None]

    def _need(self, register: Register, scope: Scope, path: str) -> None:
        """Tell if nothing fills ``register`` before this point."""
        if register not in scope.regs:
            word = words.word_of(words.REGISTER, register)
            self.tell(
                path,
                f"{word}, which nothing has filled",
                "a register that the event or a step before it fills",
            )

    def _types(self, raw: Any, path: str, *, ship: bool = False) -> tuple[UnitType, ...]:
        """Unit types, ascending; a Ship only with ``ship``."""
        chosen = {UnitType(n) for group in self._words(raw, words.UNIT_TYPE, path, alone=True) for n in group}
        if UnitType.SHIP in chosen and not ship:
            self.tell(path, show(raw), "Troops and Vehicles, no Colony Ship here")
        return tuple(sorted(chosen))

    # ------------------------------------------------------------ selectors, counts, conditions
    def _units(
        self,
        raw: Any,
        path: str,
        scope: Scope,
        use: Use,
        *,
        verb: Verb | None = None,
        foreign: bool = False,
        nested: int = 1,
    ) -> UnitSelector:
        if raw == "$unit":
            self._need(Register.UNIT, scope, path)
            return UnitSelector(register=True)
        if not self._deep(nested, path) or not self._table(raw, path, words.UNIT_AXES):
            return UnitSelector()
        fields: dict[str, Any] = {}
        if "owner" in raw:
            fields["owner"] = self._word(raw["owner"], words.OWNER, f"{path}.owner")
            if raw["owner"] == "$player":
                self._need(Register.PLAYER, scope, f"{path}.owner")
            if raw["owner"] == "foreign" and not foreign:
                self.tell(f"{path}.owner", "'foreign'", "'foreign' only in end of move and to of place")
        if "type" in raw:
            ship = use in ("exists", "holds", "near", "count", "over") or verb in SHIPS_ALLOWED
            fields["types"] = self._types(raw["type"], f"{path}.type", ship=ship)
        if "state" in raw:
            fields["state"] = self._word(raw["state"], words.STATE, f"{path}.state")
        if "where" in raw:
            fields["where"] = where = self._word(raw["where"], words.WHERE, f"{path}.where")
            self._check_where(where, raw, use, verb, path)
        if "at" in raw:
            fields["at"] = self._space(raw["at"], f"{path}.at", scope, foreign=foreign, nested=nested + 1)
        if raw.get("health") == "$n":
            self._need(Register.N, scope, f"{path}.health")
            fields["health_n"] = True
        elif "health" in raw:
            fields["health"] = self._int(raw["health"], 1, 99, f"{path}.health", also=", or '$n'")
        fields["confused"] = "state" not in raw and use in ("exists", "holds", "near")
        return UnitSelector(**fields)

    def _check_where(
        self, where: Any, raw: Mapping[str, Any], use: Use, verb: Verb | None, path: str
    ) -> None:
        if where in (None, Where.PLANET):
            return
        word = where.name.lower()
        if use == "target" and not (
            verb == Verb.RECALL or (verb == Verb.CAPTURE and where == Where.HELD_OTHER)
        ):
            self.tell(f"{path}.where", show(word), "'planet' for this verb")
        elif use not in ("target", "exists", "count"):
            self.tell(f"{path}.where", show(word), "'planet' here")
        for axis in ("at", "state", "health"):
            if axis in raw:
                self.tell(f"{path}.{axis}", f"{axis} beside where = {word!r}", "owner and type only")

    def _deep(self, nested: int, path: str) -> bool:
        if nested > MAX_SELECTORS:
            self.tell(path, f"a selector nested {nested} deep", f"at most {MAX_SELECTORS}")
        return nested <= MAX_SELECTORS

    def _space(
        self, raw: Any, path: str, scope: Scope, *, foreign: bool = False, nested: int = 1
    ) -> SpaceSelector:
        if raw in ("$space", "$from"):
            register = words.REGISTER[raw]
            self._need(register, scope, path)
            return SpaceSelector(register=register)
        if not self._deep(nested, path) or not self._table(raw, path, words.SPACE_AXES):
            return SpaceSelector()
        fields: dict[str, Any] = {}
        if "feature" in raw:
            features = self._words(raw["feature"], words.FEATURE, f"{path}.feature", alone=True)
            fields["features"] = tuple(sorted(features))
        if raw.get("terrain") == "$terrain":
            self._need(Register.TERRAIN, scope, f"{path}.terrain")
            fields["terrain_register"] = True
        elif "terrain" in raw:
            places = {terrain: place for place, terrain in enumerate(self._terrains)}
            found = self._words(raw["terrain"], places, f"{path}.terrain", alone=True)
            fields["terrains"] = tuple(sorted(found))
        for axis, high in (("ring", 6), ("value", 99)):
            if axis in raw:
                fields[axis] = self._range(raw[axis], high, f"{path}.{axis}")
        if "near" in raw:
            fields["near"] = self._near(raw["near"], f"{path}.near", scope, foreign, nested)
        if raw.get("holds") == "none":
            fields["empty"] = True
        elif "holds" in raw:
            fields["holds"] = self._units(
                raw["holds"], f"{path}.holds", scope, "holds", foreign=foreign, nested=nested + 1
            )
        if "combat" in raw:
            fields["combat"] = self._word(raw["combat"], words.COMBAT, f"{path}.combat")
        if "control" in raw:
            control = self._words(raw["control"], words.CONTROL, f"{path}.control", alone=True)
            fields["control"] = tuple(sorted(control))
            if ControlAxis.REGISTER in control:
                self._need(Register.PLAYER, scope, f"{path}.control")
        return SpaceSelector(**fields)

    def _range(self, raw: Any, high: int, path: str) -> tuple[int, int]:
        pair = raw if isinstance(raw, list) else [raw, raw]
        if len(pair) != 2 or any(type(n) is not int or not 0 <= n <= high for n in pair) or pair[0] > pair[1]:
            self.tell(path, show(raw), f"a number, or two in order, from 0 to {high}")
            return 0, 0
        return pair[0], pair[1]

    def _near(self, raw: Any, path: str, scope: Scope, foreign: bool, nested: int) -> Near | None:
        if not self._table(raw, path, ("units", "space", "min", "max")):
            return None
        if ("units" in raw) == ("space" in raw):
            self.tell(path, show(raw), "either units or space")
            return None
        low = self._int(raw.get("min", 0), 0, MAX_NEAR, f"{path}.min")
        high = self._int(raw.get("max", max(1, low)), 0, MAX_NEAR, f"{path}.max")
        if low > high:
            self.tell(path, f"min = {low}, max = {high}", "min at most max (1 if absent)")
        if "units" in raw:
            units = self._units(
                raw["units"], f"{path}.units", scope, "near", foreign=foreign, nested=nested + 1
            )
            return Near(units, None, low, high)
        space = self._space(raw["space"], f"{path}.space", scope, foreign=foreign, nested=nested + 1)
        return Near(None, space, low, high)

    def _count(self, raw: Any, path: str, scope: Scope, *, every: bool) -> Count:
        if raw == "$n":
            self._need(Register.N, scope, path)
            return Count(CountKind.REGISTER)
        if raw == "all" and every:
            return Count(CountKind.ALL)
        if type(raw) is int and 1 <= raw <= MAX_COUNT:
            return Count(number=raw)
        if not isinstance(raw, Mapping):
            all_too = "'all', " if every else ""
            self.tell(
                path, show(raw), f"an integer from 1 to {MAX_COUNT}, {all_too}'$n', or {{ count, max }}"
            )
            return Count()
        self._table(raw, path, ("count", "max"))
        most = self._int(raw["max"], 1, MAX_COUNT, f"{path}.max") if "max" in raw else None
        what: Any = raw.get("count")
        if not self._table(what, f"{path}.count", ("units", "space", "metric")):
            return Count()
        if len({"units", "space", "metric"} & set(what)) != 1:
            self.tell(f"{path}.count", show(what), "exactly one of units, space and metric")
            return Count()
        if "units" in what:
            units = self._units(what["units"], f"{path}.count.units", scope, "count")
            return Count(CountKind.UNITS, units=units, most=most)
        if "space" in what:
            space = self._space(what["space"], f"{path}.count.space", scope)
            return Count(CountKind.SPACES, space=space, most=most)
        metric = self._metric(what["metric"], f"{path}.count.metric", scope)
        return Count(CountKind.METRIC, metric=metric, most=most)

    def _metric(self, raw: Any, path: str, scope: Scope) -> Metric | None:
        metric: Metric | None = self._word(raw, words.METRIC, path)
        if metric == Metric.N:
            self._need(Register.N, scope, path)
        return metric

    def _condition(self, raw: Any, path: str, scope: Scope) -> Condition | None:
        if not self._table(raw, path, words.CONDITION_KEYS):
            return None
        if not any(key in raw for key in words.CONDITIONS):
            self.tell(path, show(raw), f"at least one of {one_of(words.CONDITIONS)}")
            return None
        fields: dict[str, Any] = {}
        if "exists" in raw:
            fields["exists"] = self._units(raw["exists"], f"{path}.exists", scope, "exists")
        if "site" in raw:
            fields["site"] = self._space(raw["site"], f"{path}.site", scope)
        if "exists" in raw or "site" in raw:
            low = self._int(raw.get("min", 0 if "max" in raw else 1), 0, 127, f"{path}.min")
            high = self._int(raw["max"], 0, 127, f"{path}.max") if "max" in raw else None
            if high is not None and low > high:
                self.tell(path, f"min = {low}, max = {high}", "min at most max")
            fields |= {"low": low, "high": high}
        else:
            self._only_beside(raw, ("min", "max"), "exists or site", path)
        if "metric" in raw:
            fields["metric"] = self._metric(raw["metric"], f"{path}.metric", scope)
            fields["op"] = self._word(raw.get("op"), words.OP, f"{path}.op")
            fields["value"] = self._int(raw.get("value"), -999, 999, f"{path}.value")
            if "who" in raw:
                fields["who"] = self._word(raw["who"], words.WHO, f"{path}.who")
                if raw["who"] == "$player":
                    self._need(Register.PLAYER, scope, f"{path}.who")
        else:
            self._only_beside(raw, ("op", "value", "who"), "metric", path)
        if "role" in raw:
            fields["role"] = self._word(raw["role"], words.ROLE, f"{path}.role")
            setting = scope.setting
            if not setting.anywhere and not setting.every(lambda row: Register.SPACE in row.sets):
                self.tell(f"{path}.role", f"role {setting.name}", "role on an event with a space")
        if "turn" in raw:
            fields["turn"] = self._word(raw["turn"], words.TURN_OF, f"{path}.turn")
        return Condition(**fields)

    def _only_beside(self, raw: Mapping[str, Any], keys: Iterable[str], other: str, path: str) -> None:
        for key in keys:
            if key in raw:
                self.tell(f"{path}.{key}", f"{key} alone", f"{key} beside {other}")

    # ------------------------------------------------------------ modifiers
    def _mods(self, raw: Any, path: str) -> tuple[Modifier, ...]:
        if not isinstance(raw, list) or not 1 <= len(raw) <= MAX_MODS:
            found = f"{len(raw)} modifiers" if isinstance(raw, list) else show(raw)
            self.tell(path, found, f"a list of 1 to {MAX_MODS} modifiers")
            return ()
        mods = [self._mod(mod, f"{path}.mod {place}") for place, mod in enumerate(raw, 1)]
        return tuple(mod for mod in mods if mod is not None)

    def _mod(self, raw: Any, path: str) -> Modifier | None:
        if not isinstance(raw, Mapping):
            self.tell(path, show(raw), '{ mod = "key", … }')
            return None
        told = self._told
        mod = self._word(raw.get("mod"), words.MOD, f"{path}.mod")
        if mod is None:
            return None
        row = MODS[mod]
        self._table(raw, path, ("mod", *(["role"] if row.role else []), *row.args))
        fields: dict[str, Any] = {"mod": mod}
        if mod == Mod.RECLAIM_WITH:
            fields["n"] = 1
        for name, arg in row.args.items():
            here = f"{path}.{name}"
            if name in raw:
                fields[arg.field] = self._mod_arg(arg, raw[name], here)
            elif arg.required:
                self.tell(here, "nothing", f"{name!r} is required by {mod.name.lower()}")
        if "role" in raw and row.role:
            fields["role"] = self._word(raw["role"], _MOD_ROLES, f"{path}.role")
        if mod == Mod.BONUS_ICONS and ("icons" in raw) == ("source" in raw):
            self.tell(path, show(raw), "either icons or source")
        return Modifier(**fields) if told == self._told else None

    def _mod_arg(self, arg: Arg, raw: Any, path: str) -> Any:
        match arg.type:
            case "int":
                return self._int(raw, arg.low, arg.high, path, but=arg.but)
            case "word":
                return self._word(raw, arg.words, path)
            case "types":
                return self._types(raw, path)
            case "space":  # read whenever it is needed, long after the program: no register can be meant
                return self._space(raw, path, Scope(ACTION, set()))
            case _:
                found = sorted(self._words(raw, arg.words, path))
                if arg.field == "gathers":
                    return tuple(map(CardAction, found))
                return tuple(map(Icon, found)) if arg.field == "icons" else tuple(found)
