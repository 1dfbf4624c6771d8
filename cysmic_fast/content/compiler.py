"""From programs as packs write them to :mod:`cysmic_fast.content.effects`, checking everything on the way.

The checks are those of ``docs/cards.md``: declared words and arguments, types and ranges, registers filled
before they are used, verbs only where their event allows them, the places of V1.12, the sizes of V1.15, rules
that would bring about their own event (V1.14). All defects of a program are told, none stops the check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, Final, Literal

from cysmic_fast.content import effect_words as words
from cysmic_fast.content.effect_words import (
    MAX_COUNT,
    MAX_MODS,
    MAX_NEAR,
    MAX_NESTING,
    MAX_OPTIONS,
    MAX_SELECTORS,
    MAX_STEPS,
    MODS,
    TRIGGERS,
    VERBS,
    Alteration,
    Arg,
    By,
    Chooser,
    ControlAxis,
    ConvertTo,
    CountKind,
    Deck,
    DieOp,
    Duration,
    Good,
    IconsFrom,
    Kind,
    Metric,
    Mod,
    Once,
    Owner,
    PickWhat,
    Register,
    Role,
    State,
    TokenOp,
    Trigger,
    TriggerRow,
    Verb,
    Where,
    Who,
)
from cysmic_fast.content.effects import (
    STEPS,
    UNITS,
    Alter,
    Condition,
    Count,
    Gain,
    Modifier,
    Near,
    Program,
    Rule,
    Scry,
    SpaceSelector,
    Step,
    Steps,
    Token,
    Tremor,
    TriggerSpec,
    UnitSelector,
)
from cysmic_fast.content.schema import one_of, show, suggest
from cysmic_fast.errors import ContentError
from cysmic_fast.vocabulary import CardAction, Icon, UnitType

#: Called with path, found and allowed of a defect.
Tell = Callable[[str, str, str], None]

TROOPS: Final = UNITS[:3]
VEHICLES: Final = UNITS[3:]

#: Verbs with ``units``, and whether a Colony Ship may be among them (decided by the rules of each verb).
SHIPS_ALLOWED: Final = (Verb.MOVE, Verb.ACT)
#: Verbs whose ``n = "all"`` asks nothing, so that ``upto`` contradicts it.
ALL_AT_ONCE: Final = (Verb.DESTROY, Verb.CAPTURE, Verb.CONFUSE, Verb.RECALL, Verb.TOKEN, Verb.PLACE)
#: Verbs with a count that cannot be "all".
NEVER_ALL: Final = (Verb.GAIN, Verb.PAY, Verb.DEPLOY, Verb.COLLAPSE)
#: Verbs that Planetary Events never hold (V1.12).
NEVER_IN_EVENTS: Final = frozenset(verb for verb, row in VERBS.items() if row.flow) | {
    Verb.MOVE,
    Verb.GATHER,
    Verb.PLACE,
}

Use = Literal["target", "exists", "holds", "near", "count", "over", "swap"]


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a program stands: the events it answers, if any, and whose; or a Planetary Event."""

    events: tuple[Trigger, ...] = ()
    by: By = By.SELF
    planetary: bool = False
    anywhere: bool = False  #: nothing is known: every register may be filled, every verb may stand

    @property
    def flow(self) -> bool:
        """Whether this is one of the places of V1.12."""
        return not self.planetary and all(TRIGGERS[event].flow for event in self.events)

    @property
    def name(self) -> str:
        """For messages: "in an Action", "on tremor"."""
        if self.planetary:
            return "in a Planetary Event"
        return f"on {_names(self.events)}" if self.events else "in an Action"

    def every(self, test: Callable[[TriggerRow], bool]) -> bool:
        """Whether there are events and ``test`` holds for each."""
        return bool(self.events) and all(test(TRIGGERS[event]) for event in self.events)

    @property
    def registers(self) -> set[Register]:
        """Registers that are filled at the start (V2.1)."""
        if self.anywhere:
            return set(Register)
        return (
            set.intersection(*(set(TRIGGERS[event].sets) for event in self.events)) if self.events else set()
        )


#: The ability of an Action card.
ACTION: Final = Setting()
#: A Planetary Event.
PLANETARY: Final = Setting(planetary=True)
#: Behind a trigger that has a defect itself.
ANYWHERE: Final = Setting(anywhere=True)


def _names(members: Iterable[IntEnum]) -> str:
    """``tremor, collapse``."""
    return ", ".join(member.name.lower() for member in sorted(members))


def _events(test: Callable[[TriggerRow], bool]) -> str:
    """Names of the events whose row passes ``test``."""
    return _names(event for event, row in TRIGGERS.items() if test(row))


class _Scope:
    """What is known at one point of a program."""

    __slots__ = ("depth", "regs", "setting")

    def __init__(self, setting: Setting, regs: set[Register], depth: int = 1) -> None:
        self.setting, self.regs, self.depth = setting, regs, depth

    def inner(self, *more: Register) -> _Scope:
        """A list inside this one, with the same registers filled and ``more``."""
        return _Scope(self.setting, self.regs | set(more), self.depth + 1)


class Compiler:
    """Compiles programs, triggers and rules; tells every defect.

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
        self._steps = 0
        self._verbs: dict[Verb, str] = {}

    def _tell(self, path: str, found: str, allowed: str) -> None:
        self._told += 1
        self._report(path, found, allowed)

    # ------------------------------------------------------------ programs, triggers, rules
    def program(self, raw: Any, setting: Setting, path: str) -> Program | None:
        """The program, or None if it has a defect."""
        told, self._steps, self._verbs = self._told, 0, {}
        steps = self._list(raw, _Scope(setting, setting.registers), path)
        if self._steps > MAX_STEPS:
            self._tell(path, f"{self._steps} steps", f"at most {MAX_STEPS}, nested ones included (V1.15)")
        flow = [verb for verb in self._verbs if VERBS[verb].flow]
        if flow and Verb.GATHER in self._verbs and not setting.anywhere:
            self._tell(
                self._verbs[Verb.GATHER],
                f"gather beside {flow[0].name.lower()}",
                "one gathering at a time: no act, combat, command, bonus or play in the same program (V1.12)",
            )
        return Program(steps) if told == self._told else None

    def trigger(self, raw: Any, path: str, *, standing: bool) -> TriggerSpec | None:
        """The trigger of a Reaction, or of a standing rule, which says how often it works."""
        told = self._told
        keys = words.FILTERS if standing else tuple(k for k in words.FILTERS if k not in ("once", "opt"))
        if not self._table(raw, path, keys):
            return None
        events = tuple(sorted(self._words(raw.get("on"), words.TRIGGER, f"{path}.on", alone=True)))
        kinds: tuple[Kind, ...] = ()
        by = self._word(raw.get("by"), words.BY, f"{path}.by")
        of = self._word(raw["of"], words.BY, f"{path}.of") if "of" in raw else None
        role = self._word(raw["role"], words.ROLE, f"{path}.role") if "role" in raw else None
        if "kind" in raw:
            kinds = tuple(sorted(self._words(raw["kind"], words.KIND, f"{path}.kind", alone=True)))
        for event in events:
            name, row = event.name.lower(), TRIGGERS[event]
            if of is not None and not row.affected:
                self._tell(f"{path}.of", f"of on {name}", "an event that affects a player")
            if role is not None and not row.combat:
                self._tell(f"{path}.role", f"role on {name}", "an event of a Combat")
            for kind in kinds:
                if kind not in row.kinds:
                    known = one_of(own.name.lower() for own in row.kinds) if row.kinds else "no kind"
                    self._tell(f"{path}.kind", show(kind.name.lower()), f"{known}, on {name}")
        setting = Setting(events) if events else ANYWHERE
        scope = _Scope(setting, setting.registers)
        cond = self._condition(raw["if"], f"{path}.if", scope) if "if" in raw else None
        once, opt = None, False
        if standing:
            once = self._word(raw.get("once"), words.ONCE, f"{path}.once")
            opt = self._flag(raw.get("opt", False), f"{path}.opt")
        if told != self._told:
            return None
        return TriggerSpec(on=events, by=by, of=of, kinds=kinds, role=role, cond=cond, once=once, opt=opt)

    def rules(self, raw: Any, path: str) -> tuple[Rule, ...]:
        """The rules of a Relic or of one Ability; those with a defect are left out."""
        if not isinstance(raw, list) or not raw:
            self._tell(path, show(raw), "a list of rules, not empty")
            return ()
        found = [self._rule(rule, f"{path}.rule {place}") for place, rule in enumerate(raw, 1)]
        return tuple(rule for rule in found if rule is not None)

    def _rule(self, raw: Any, path: str) -> Rule | None:
        if not isinstance(raw, Mapping) or ("mods" in raw) == ("trigger" in raw or "effect" in raw):
            self._tell(path, show(raw), "{ mods, to } or { trigger, effect }")
            return None
        told = self._told
        if "mods" in raw:
            self._table(raw, path, ("mods", "to"))
            to = self._word(raw.get("to", "self"), _RULE_TO, f"{path}.to")
            mods = self._mods(raw["mods"], f"{path}.mods")
            return Rule(mods=mods, sabotage=to == Who.EACH_OPPONENT) if told == self._told else None
        self._table(raw, path, ("trigger", "effect"))
        trigger = self.trigger(raw.get("trigger"), f"{path}.trigger", standing=True)
        setting = Setting(trigger.on, trigger.by) if trigger else ANYWHERE
        program = self.program(raw.get("effect"), setting, f"{path}.effect")
        if trigger is None or program is None or told != self._told:
            return None
        own = causes(program) & set(trigger.on)
        if trigger.once == Once.EVENT and own:
            self._tell(
                path,
                f"once = 'event' and an effect that can bring about {_names(own)} itself",
                "once = 'turn', 'round' or 'cycle' there (V1.14)",
            )
            return None
        return Rule(trigger=trigger, program=program)

    # ------------------------------------------------------------ steps
    def _list(self, raw: Any, scope: _Scope, path: str) -> Steps:
        """Steps in order; the registers of ``scope`` grow by those they fill."""
        if not isinstance(raw, list) or not raw:
            self._tell(path, show(raw), "a list of steps, not empty")
            return ()
        if scope.depth > MAX_NESTING:
            self._tell(
                path, f"a list nested {scope.depth} deep", f"at most {MAX_NESTING}, the program included"
            )
            return ()
        steps = [self._step(step, scope, f"{path}.step {place}") for place, step in enumerate(raw, 1)]
        return tuple(step for step in steps if step is not None)

    def _step(self, raw: Any, scope: _Scope, path: str) -> Step | None:
        self._steps += 1
        if not isinstance(raw, Mapping):
            self._tell(path, show(raw), '{ do = "verb", … }')
            return None
        told = self._told
        verb = self._word(raw.get("do"), words.VERB, f"{path}.do")
        if verb is None:
            return None
        self._verbs.setdefault(verb, path)
        row = VERBS[verb]
        self._table(raw, path, ("do", *words.COMMON, *row.args))
        if not scope.setting.anywhere:
            self._check_place(verb, raw, scope.setting, path)
        fields: dict[str, Any] = {}
        for name, arg in {**words.COMMON, **row.args}.items():
            if name in raw:
                if arg.type not in ("program", "programs"):
                    fields |= self._arg(verb, name, arg, raw, scope, f"{path}.{name}")
            elif arg.required:
                self._tell(f"{path}.{name}", "nothing", f"{name!r} is required by {verb.name.lower()}")
        fields |= self._inner(verb, raw, scope, path)
        self._fill(verb, fields, scope)
        if told == self._told:
            _Together(self, verb, raw, fields, scope.setting, path).check()
        return STEPS[verb](**fields) if told == self._told else None

    def _inner(self, verb: Verb, raw: Mapping[str, Any], scope: _Scope, path: str) -> dict[str, Any]:
        """The lists inside choose, if and each; what they leave in the registers (V2.1, V2.2)."""
        fields: dict[str, Any] = {}
        if verb == Verb.CHOOSE and "options" in raw:
            options = raw["options"]
            if not isinstance(options, list) or not 1 <= len(options) <= MAX_OPTIONS:
                found = f"{len(options)} options" if isinstance(options, list) else show(options)
                self._tell(f"{path}.options", found, f"a list of 1 to {MAX_OPTIONS} lists of steps")
                return fields
            ends = [scope.inner() for _ in options]
            fields["options"] = tuple(
                self._list(option, end, f"{path}.options.option {place}")
                for place, (option, end) in enumerate(zip(options, ends, strict=True), 1)
            )
            scope.regs |= set.intersection(*(end.regs for end in ends))
        elif verb == Verb.IF:
            then, otherwise = scope.inner(), scope.inner()
            if "then" in raw:
                fields["then"] = self._list(raw["then"], then, f"{path}.then")
            if "else" in raw:
                fields["otherwise"] = self._list(raw["else"], otherwise, f"{path}.else")
            scope.regs |= then.regs & otherwise.regs
        elif verb == Verb.EACH:
            over = raw.get("over")
            sets = {Register.PLAYER}
            if isinstance(over, Mapping):
                sets = {Register.SPACE}
                if "units" in over:
                    sets = {Register.UNIT, Register.SPACE, Register.PLAYER}
            if "run" in raw:
                fields["run"] = self._list(raw["run"], scope.inner(*sets), f"{path}.run")
            scope.regs -= sets
        return fields

    def _fill(self, verb: Verb, fields: Mapping[str, Any], scope: _Scope) -> None:
        """Registers that are filled after a step of ``verb``."""
        scope.regs.update(VERBS[verb].sets)
        if verb == Verb.PICK and fields.get("what") is not None:
            picked = {
                PickWhat.SPACE: Register.SPACE,
                PickWhat.PLAYER: Register.PLAYER,
                PickWhat.TERRAIN: Register.TERRAIN,
            }
            scope.regs.add(picked[fields["what"]])

    def _check_place(self, verb: Verb, raw: Mapping[str, Any], setting: Setting, path: str) -> None:
        """V1.12, and what the event of a triggered program allows."""
        name, here = verb.name.lower(), setting.name
        flow_places = f"only in an Action or on {_events(lambda row: row.flow)} (V1.12)"
        if setting.planetary and verb in NEVER_IN_EVENTS:
            self._tell(path, name, f"no {name} in a Planetary Event (V1.12)")
        elif VERBS[verb].flow and not setting.flow:
            self._tell(path, f"{name} {here}", f"{name} {flow_places}")
        elif VERBS[verb].flow and Trigger.SECTION in setting.events:
            if verb != Verb.ACT:
                self._tell(path, f"{name} {here}", "of combat, act, command, bonus and play only act (V1.12)")
            elif setting.by != By.SELF:
                self._tell(path, f"act {here}, by = {setting.by.name.lower()!r}", "by = 'self' (V1.12)")
        elif verb in (Verb.GATHER, Verb.CYBER) and not setting.flow:
            self._tell(path, f"{name} {here}", f"{name} {flow_places}")
        elif verb == Verb.FLEE and raw.get("final_strike") is not False and not setting.flow:
            self._tell(path, f"flee {here}", f"flee with a Final Strike {flow_places}")
        elif verb == Verb.DIE and not setting.every(lambda row: row.dice):
            self._tell(path, f"die {here}", f"die only on {_events(lambda row: row.dice)}")
        elif verb == Verb.CANCEL and not setting.every(lambda row: row.cancel):
            self._tell(path, f"cancel {here}", f"cancel only on {_events(lambda row: row.cancel)}")

    # ------------------------------------------------------------ arguments
    def _arg(
        self, verb: Verb, name: str, arg: Arg, step: Mapping[str, Any], scope: _Scope, path: str
    ) -> dict[str, Any]:
        """Fields of the compiled step that one argument gives; anything if it has a defect."""
        raw: Any = step[name]
        value: Any
        match arg.type:
            case "int":
                value = self._int(raw, arg.low, arg.high, path, but=arg.but)
            case "bool":
                value = self._flag(raw, path)
            case "word" | "player":
                value = self._word(raw, arg.words, path)
                if raw == "$player":
                    self._need(Register.PLAYER, scope, path)
            case "count":
                value = self._count(raw, path, scope, every=verb not in NEVER_ALL)
            case "units":
                use: Use = "swap" if name == "swap" else "target"
                value = self._units(raw, path, scope, use, verb=verb)
            case "space" | "place":
                if arg.type == "place" and raw == "deploy":
                    return {"deploy": True}
                value = self._space(raw, path, scope, foreign=verb in (Verb.MOVE, Verb.PLACE))
            case "over":
                value = self._over(raw, path, scope)
            case "pick":
                return self._pick(raw, step.get("what"), path, scope)
            case "cond":
                value = self._condition(raw, path, scope)
            case "mods":
                value = self._mods(raw, path)
            case "types":
                value = self._types(raw, path)
            case "icons":
                return self._icons(raw, path, scope.setting)
            case "actions":
                if raw == ["all"]:
                    return {"whole": True}
                value = tuple(CardAction(a) for a in sorted(self._words(raw, words.ACTION, path)))
            case "budget":
                if raw == "influence":
                    return {"influence": True}
                value = self._int(raw, arg.low, arg.high, path, also=", or 'influence'")
            case "steps":
                value = None if raw == "attr" else self._int(raw, arg.low, arg.high, path, also=", or 'attr'")
            case _:
                assert arg.type == "alter", arg.type
                return self._alter_to(raw, step.get("what"), arg, path, scope)
        return {arg.field: value}

    def _table(self, raw: Any, path: str, keys: Iterable[str]) -> bool:
        """Whether ``raw`` is a table; keys it should not have are told."""
        known = list(keys)
        if not isinstance(raw, Mapping):
            found = "nothing" if raw is None else show(raw)
            self._tell(path, found, f"a table with {one_of(known)}")
            return False
        for key in raw:
            if key not in known:
                self._tell(f"{path}.{key}", f"unknown key {key!r}", suggest(key, known))
        return True

    def _int(
        self, raw: Any, low: int, high: int, path: str, *, but: tuple[int, ...] = (), also: str = ""
    ) -> int:
        if type(raw) is not int or not low <= raw <= high or raw in but:
            without = f" without {one_of(but)}" if but else ""
            self._tell(path, show(raw), f"an integer from {low} to {high}{without}{also}")
            return low
        return raw

    def _flag(self, raw: Any, path: str) -> bool:
        if type(raw) is not bool:
            self._tell(path, show(raw), "true or false")
        return raw is True

    def _word(self, raw: Any, table: Mapping[str, Any], path: str) -> Any:
        """The member of ``raw``, None if it is none."""
        if type(raw) is not str or raw not in table:
            found = "nothing" if raw is None else show(raw)
            self._tell(path, found, suggest(raw, table) if type(raw) is str else f"one of {one_of(table)}")
            return None
        return table[raw]

    def _words(self, raw: Any, table: Mapping[str, Any], path: str, *, alone: bool = False) -> list[Any]:
        """The members of a list of different words, not empty; with ``alone`` a single word is a list too."""
        if alone and type(raw) is str:
            raw = [raw]
        if not isinstance(raw, list) or not raw:
            found = "nothing" if raw is None else show(raw)
            self._tell(path, found, f"a list of {one_of(table)}, not empty")
            return []
        out = [self._word(word, table, path) for word in raw]
        for place, word in enumerate(raw):
            if word in raw[:place]:
                self._tell(path, f"{show(word)} twice", "each word once")
        return [member for member in out if member is not None]

    def _need(self, register: Register, scope: _Scope, path: str) -> None:
        """Tell if nothing fills ``register`` before this point."""
        if register not in scope.regs:
            word = words.word_of(words.REGISTER, register)
            self._tell(
                path,
                f"{word}, which nothing has filled",
                "a register that the event or a step before it fills",
            )

    def _types(self, raw: Any, path: str, *, ship: bool = False) -> tuple[UnitType, ...]:
        """Unit types, ascending; a Ship only with ``ship``."""
        chosen = {UnitType(n) for group in self._words(raw, words.UNIT_TYPE, path, alone=True) for n in group}
        if UnitType.SHIP in chosen and not ship:
            self._tell(path, show(raw), "Troops and Vehicles, no Colony Ship here")
        return tuple(sorted(chosen))

    # ------------------------------------------------------------ selectors, counts, conditions
    def _units(
        self,
        raw: Any,
        path: str,
        scope: _Scope,
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
                self._tell(f"{path}.owner", "'foreign'", "'foreign' only in end of move and to of place")
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
            self._tell(f"{path}.where", show(word), "'planet' for this verb")
        elif use not in ("target", "exists", "count"):
            self._tell(f"{path}.where", show(word), "'planet' here")
        for axis in ("at", "state", "health"):
            if axis in raw:
                self._tell(f"{path}.{axis}", f"{axis} beside where = {word!r}", "owner and type only")

    def _deep(self, nested: int, path: str) -> bool:
        if nested > MAX_SELECTORS:
            self._tell(path, f"a selector nested {nested} deep", f"at most {MAX_SELECTORS}")
        return nested <= MAX_SELECTORS

    def _space(
        self, raw: Any, path: str, scope: _Scope, *, foreign: bool = False, nested: int = 1
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
            self._tell(path, show(raw), f"a number, or two in order, from 0 to {high}")
            return 0, 0
        return pair[0], pair[1]

    def _near(self, raw: Any, path: str, scope: _Scope, foreign: bool, nested: int) -> Near | None:
        if not self._table(raw, path, ("units", "space", "min", "max")):
            return None
        if ("units" in raw) == ("space" in raw):
            self._tell(path, show(raw), "either units or space")
            return None
        low = self._int(raw.get("min", 0), 0, MAX_NEAR, f"{path}.min")
        high = self._int(raw.get("max", max(1, low)), 0, MAX_NEAR, f"{path}.max")
        if low > high:
            self._tell(path, f"min = {low}, max = {high}", "min at most max (1 if absent)")
        if "units" in raw:
            units = self._units(
                raw["units"], f"{path}.units", scope, "near", foreign=foreign, nested=nested + 1
            )
            return Near(units, None, low, high)
        space = self._space(raw["space"], f"{path}.space", scope, foreign=foreign, nested=nested + 1)
        return Near(None, space, low, high)

    def _count(self, raw: Any, path: str, scope: _Scope, *, every: bool) -> Count:
        if raw == "$n":
            self._need(Register.N, scope, path)
            return Count(CountKind.REGISTER)
        if raw == "all" and every:
            return Count(CountKind.ALL)
        if type(raw) is int and 1 <= raw <= MAX_COUNT:
            return Count(number=raw)
        if not isinstance(raw, Mapping):
            all_too = "'all', " if every else ""
            self._tell(
                path, show(raw), f"an integer from 1 to {MAX_COUNT}, {all_too}'$n', or {{ count, max }}"
            )
            return Count()
        self._table(raw, path, ("count", "max"))
        most = self._int(raw["max"], 1, MAX_COUNT, f"{path}.max") if "max" in raw else None
        what: Any = raw.get("count")
        if not self._table(what, f"{path}.count", ("units", "space", "metric")):
            return Count()
        if len(what) != 1:
            self._tell(f"{path}.count", show(what), "exactly one of units, space and metric")
            return Count()
        if "units" in what:
            units = self._units(what["units"], f"{path}.count.units", scope, "count")
            return Count(CountKind.UNITS, units=units, most=most)
        if "space" in what:
            space = self._space(what["space"], f"{path}.count.space", scope)
            return Count(CountKind.SPACES, space=space, most=most)
        metric = self._metric(what["metric"], f"{path}.count.metric", scope)
        return Count(CountKind.METRIC, metric=metric, most=most)

    def _metric(self, raw: Any, path: str, scope: _Scope) -> Metric | None:
        metric: Metric | None = self._word(raw, words.METRIC, path)
        if metric == Metric.N:
            self._need(Register.N, scope, path)
        return metric

    def _condition(self, raw: Any, path: str, scope: _Scope) -> Condition | None:
        if not self._table(raw, path, words.CONDITION_KEYS):
            return None
        if not any(key in raw for key in words.CONDITIONS):
            self._tell(path, show(raw), f"at least one of {one_of(words.CONDITIONS)}")
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
                self._tell(path, f"min = {low}, max = {high}", "min at most max")
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
                self._tell(f"{path}.role", f"role {setting.name}", "role on an event with a space")
        if "turn" in raw:
            fields["turn"] = self._word(raw["turn"], words.TURN_OF, f"{path}.turn")
        return Condition(**fields)

    def _only_beside(self, raw: Mapping[str, Any], keys: Iterable[str], other: str, path: str) -> None:
        for key in keys:
            if key in raw:
                self._tell(f"{path}.{key}", f"{key} alone", f"{key} beside {other}")

    # ------------------------------------------------------------ arguments of single verbs
    def _over(self, raw: Any, path: str, scope: _Scope) -> Who | UnitSelector | SpaceSelector | None:
        if isinstance(raw, Mapping):
            if set(raw) == {"units"}:
                return self._units(raw["units"], f"{path}.units", scope, "over")
            if set(raw) == {"space"}:
                return self._space(raw["space"], f"{path}.space", scope)
            self._tell(path, show(raw), "{ units = … } or { space = … }, or a player word")
            return None
        who: Who | None = self._word(raw, words.WHO, path)
        if who == Who.REGISTER:
            self._need(Register.PLAYER, scope, path)
        return who

    def _pick(self, raw: Any, what: Any, path: str, scope: _Scope) -> dict[str, Any]:
        if what == "space":
            return {"space": self._space(raw, path, scope)}
        if what == "player":
            player = self._word(raw, words.WHO, path)
            if player == Who.REGISTER:
                self._need(Register.PLAYER, scope, path)
            return {"player": player}
        if what == "terrain":
            self._tell(path, show(raw), "nothing beside what = 'terrain'")
        return {}

    def _icons(self, raw: Any, path: str, setting: Setting) -> dict[str, Any]:
        if raw == "played":
            return {"icons_from": IconsFrom.PLAYED}
        if raw == "event":
            if not setting.anywhere and not setting.every(lambda row: Kind.GREY in row.kinds):
                where = _events(lambda row: Kind.GREY in row.kinds)
                self._tell(path, f"'event' {setting.name}", f"'event' only on {where}")
            return {"icons_from": IconsFrom.EVENT}
        if isinstance(raw, list):
            return {"icons": tuple(Icon(n) for n in sorted(self._words(raw, words.COLOUR, path)))}
        self._tell(path, show(raw), "'played', 'event', or a list of colours")
        return {}

    def _alter_to(self, raw: Any, what: Any, arg: Arg, path: str, scope: _Scope) -> dict[str, Any]:
        if what in ("first_strike", "assigner"):
            who = self._word(raw, arg.words, path)
            if who == Who.REGISTER:
                self._need(Register.PLAYER, scope, path)
            return {"to": who}
        if what == "final_strike" and raw is not False:
            self._tell(path, show(raw), "false")
        if what == "redraw":
            self._tell(path, show(raw), "nothing beside what = 'redraw'")
        return {}

    # ------------------------------------------------------------ modifiers
    def _mods(self, raw: Any, path: str) -> tuple[Modifier, ...]:
        if not isinstance(raw, list) or not 1 <= len(raw) <= MAX_MODS:
            found = f"{len(raw)} modifiers" if isinstance(raw, list) else show(raw)
            self._tell(path, found, f"a list of 1 to {MAX_MODS} modifiers")
            return ()
        mods = [self._mod(mod, f"{path}.mod {place}") for place, mod in enumerate(raw, 1)]
        return tuple(mod for mod in mods if mod is not None)

    def _mod(self, raw: Any, path: str) -> Modifier | None:
        if not isinstance(raw, Mapping):
            self._tell(path, show(raw), '{ mod = "key", … }')
            return None
        told = self._told
        mod = self._word(raw.get("mod"), words.MOD, f"{path}.mod")
        if mod is None:
            return None
        row = MODS[mod]
        self._table(raw, path, ("mod", *(["role"] if row.role else []), *row.args))
        fields: dict[str, Any] = {"mod": mod}
        for name, arg in row.args.items():
            here = f"{path}.{name}"
            if name in raw:
                fields[arg.field] = self._mod_arg(arg, raw[name], here)
            elif arg.required:
                self._tell(here, "nothing", f"{name!r} is required by {mod.name.lower()}")
        if "role" in raw and row.role:
            fields["role"] = self._word(raw["role"], _MOD_ROLES, f"{path}.role")
        if mod == Mod.BONUS_ICONS and ("icons" in raw) == ("source" in raw):
            self._tell(path, show(raw), "either icons or source")
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
                return self._space(raw, path, _Scope(ACTION, set()))
            case _:
                found = sorted(self._words(raw, arg.words, path))
                if arg.field == "gathers":
                    return tuple(map(CardAction, found))
                return tuple(map(Icon, found)) if arg.field == "icons" else tuple(found)


_RULE_TO: Final = {"self": Who.SELF, "each_opponent": Who.EACH_OPPONENT}
_MOD_ROLES: Final = {"attacker": Role.ATTACKER, "defender": Role.DEFENDER}


class _Together:
    """Conditions on several arguments of one step."""

    def __init__(
        self,
        compiler: Compiler,
        verb: Verb,
        raw: Mapping[str, Any],
        fields: dict[str, Any],
        setting: Setting,
        path: str,
    ) -> None:
        self.compiler, self.verb, self.raw, self.fields = compiler, verb, raw, fields
        self.setting, self.path = setting, path

    def tell(self, key: str, found: str, allowed: str) -> None:
        """A defect at ``key`` of the step."""
        self.compiler._tell(f"{self.path}.{key}" if key else self.path, found, allowed)

    def need(self, holds: bool, key: str, found: str, allowed: str) -> None:
        """A defect unless ``holds``."""
        if not holds:
            self.tell(key, found, allowed)

    def check(self) -> None:
        """All conditions."""
        self.common()
        own = getattr(self, f"check_{self.verb.name.lower()}", None)
        if own is not None:
            own()

    def common(self) -> None:
        verb, name = self.verb, self.verb.name.lower()
        count = self.fields.get("n")
        every = isinstance(count, Count) and count.kind == CountKind.ALL
        if self.fields.get("upto"):
            self.need(VERBS[verb].upto, "upto", f"upto with {name}", "a verb that asks for each of n")
            self.need(not self.fields.get("must"), "upto", "upto beside must", "one of them")
            self.need(not (every and verb in ALL_AT_ONCE), "upto", "upto beside n = 'all'", "one of them")
        if not self.setting.anywhere and verb in (Verb.MOVE, Verb.ACT, Verb.GATHER, Verb.PLACE, Verb.CYBER):
            self.several(count, every)

    def several(self, count: Count | int | None, every: bool) -> None:
        """V1.12: more than one Unit only in its places, outside ``section``, and only own ones."""
        verb = self.verb
        single = count in (None, 1) or (
            isinstance(count, Count)
            and (count.most == 1 or (count.kind == CountKind.NUMBER and count.number == 1))
        )
        if single or (verb == Verb.PLACE and (every or "swap" in self.raw)):
            return
        here = Trigger.SECTION in self.setting.events
        if not self.setting.flow or here:
            self.tell("n", f"{show(self.raw['n'])} {self.setting.name}", "n = 1 there (V1.12)")
        elif verb != Verb.CYBER:
            units: UnitSelector = self.fields["units"]
            self.need(
                not units.register and units.owner == Owner.SELF,
                "n",
                f"{show(self.raw['n'])} Units that may be another player's",
                "n above 1 only with owner = 'self' (V1.12)",
            )

    def one_of_two(self, first: str, second: str) -> None:
        """Exactly one of two arguments."""
        both = first in self.raw and second in self.raw
        if both or not (first in self.raw or second in self.raw):
            self.tell("", "both" if both else "neither", f"either {first} or {second}")

    def check_each(self) -> None:
        """``once`` belongs to the Units of the card that is resolved."""
        if self.fields.get("once") and not self.setting.anywhere:
            fits = isinstance(self.fields["over"], UnitSelector) and self.setting.events == (Trigger.SECTION,)
            self.need(fits, "once", f"once {self.setting.name}", "once over Units, on section")

    def check_pay(self) -> None:
        """What can be paid to whom (C: one payee, hostages apart)."""
        res, to = self.fields["res"], self.fields.get("to", Who.SUPPLY)
        if res in (Good.INFLUENCE, Good.TOKEN):
            self.need(
                to == Who.SUPPLY, "to", show(self.raw.get("to")), f"'supply' with res = {self.raw['res']!r}"
            )
        elif res == Good.HOSTAGE:
            self.need(
                to != Who.SUPPLY, "to", show(self.raw.get("to", "supply")), "a player who gets the hostages"
            )
        else:
            several = to in (Who.EACH_OPPONENT, Who.ALL)
            self.need(not several, "to", show(self.raw.get("to")), "the supply or one player")

    def check_pick(self) -> None:
        """``from`` is needed but for a terrain."""
        if self.fields["what"] != PickWhat.TERRAIN:
            self.need("from" in self.raw, "from", "nothing", "'from' is required beside space and player")

    def check_gain(self) -> None:
        """A Blueprint comes from somebody; there is one First Player Marker."""
        res = self.fields["res"]
        blueprint = res == Good.BLUEPRINT
        self.need(
            blueprint == ("of" in self.raw), "of", show(self.raw.get("of")), "of with a blueprint, only there"
        )
        if res == Good.MARKER:
            self.need(self.fields.get("n", Count()) == Count(), "n", show(self.raw.get("n")), "1")

    def check_lose(self) -> None:
        """Only cards are drawn at random."""
        cards = self.fields["res"] in (Good.DISCOVERY, Good.RELIC)
        random = self.fields.get("by") == Chooser.RANDOM
        self.need(cards or not random, "by", "'random'", "'random' only for discovery and relic")

    def check_steal(self) -> None:
        """Nobody steals from himself."""
        same = self.fields["source"] == self.fields.get("who", Who.SELF)
        self.need(
            not same or self.fields["source"] not in (Who.SELF, Who.REGISTER, Who.HOLDER),
            "from",
            show(self.raw["from"]),
            "another player than who",
        )

    def check_scry(self) -> None:
        """No more cards are kept than drawn."""
        keep, n = self.fields.get("keep", 0), self.fields["n"]
        self.need(keep <= n, "keep", str(keep), f"at most n = {n}")

    def check_deploy(self) -> None:
        """A number or a budget; Vehicles have no Influence cost."""
        if "budget" in self.raw:
            self.need("n" not in self.raw, "n", "n beside budget", "one of them")
            troops = set(self.fields["types"]) <= set(TROOPS)
            self.need(troops, "types", show(self.raw["types"]), "Troops, with a budget")

    def check_convert(self) -> None:
        """Something can be converted; prices are of Upgrades."""
        units: UnitSelector = self.fields["units"]
        to = self.fields["to"]
        vehicle = to == ConvertTo.VEHICLE
        source = VEHICLES if to == ConvertTo.BASE else TROOPS
        if not units.register:
            what = "Vehicles" if to == ConvertTo.BASE else "Troops"
            self.need(
                bool(set(units.types) & set(source)),
                "units",
                show(self.raw["units"]),
                f"{what}, to be converted",
            )
        for key in ("discount", "dropship"):
            self.need(
                vehicle or key not in self.raw,
                key,
                f"{key} with to = {self.raw['to']!r}",
                "with to = 'vehicle'",
            )
        if vehicle and not units.register:
            who = self.fields.get("who", Who.SELF)
            same = {Who.SELF: Owner.SELF, Who.REGISTER: Owner.REGISTER}.get(who)
            self.need(
                units.owner == same,
                "units",
                "Units that may be another player's",
                "Units of who, who pays for the Upgrade",
            )

    def check_place(self) -> None:
        """One destination; an exchange takes all Units of a space."""
        self.one_of_two("to", "swap")
        if "swap" in self.raw and "to" not in self.raw:
            units: UnitSelector = self.fields["units"]
            swap: UnitSelector = self.fields["swap"]
            count = self.fields.get("n", Count())
            self.need(count.kind == CountKind.ALL, "n", show(self.raw.get("n", 1)), "'all', with swap")
            own = not units.register and units.owner == Owner.SELF and units.types == UNITS
            at = units.at is not None and units.at.register == Register.SPACE
            free = units.state == State.ANY and units.health is None and not units.health_n
            self.need(
                own and at and free,
                "units",
                show(self.raw["units"]),
                "{ owner = 'self', type = 'unit', at = '$space' }, with swap",
            )
            self.need(
                not swap.register and swap.owner in (Owner.ENEMY, Owner.REGISTER),
                "swap",
                show(self.raw["swap"]),
                "Units of another player: owner = 'enemy' or '$player'",
            )
            self.need("engage" not in self.raw, "engage", "engage beside swap", "one of them")

    def all_at_space(self) -> None:
        """``n = "all"`` takes what is in one space."""
        if self.fields.get("n", Count()).kind == CountKind.ALL:
            units: UnitSelector = self.fields["units"]
            at = units.at is not None and units.at.register == Register.SPACE
            self.need(units.register or at, "units", show(self.raw["units"]), "at = '$space', with n = 'all'")

    check_capture = all_at_space

    def check_destroy(self) -> None:
        """``n = "all"`` takes Confused Troops too, unless Locked or Unlocked ones are meant (V3.2)."""
        self.all_at_space()
        units: UnitSelector = self.fields["units"]
        if self.fields.get("n", Count()).kind == CountKind.ALL and units.state == State.ANY:
            self.fields["units"] = replace(units, confused=not units.register)

    def check_confuse(self) -> None:
        """Only Unlocked Troops become Confused."""
        units: UnitSelector = self.fields["units"]
        if not units.register:
            self.need(bool(set(units.types) & set(TROOPS)), "units", show(self.raw["units"]), "Troops")
            self.need(
                units.state in (State.UNLOCKED, State.ANY),
                "units",
                show(self.raw["units"]),
                "state = 'unlocked'",
            )

    def check_gather(self) -> None:
        """Only a Harvest has a Tremor."""
        harvest = self.fields["kind"] == CardAction.HARVEST
        self.need(harvest or not self.fields.get("tremor"), "tremor", "true", "with kind = 'harvest'")

    def check_act(self) -> None:
        """Activating leaves nothing to be cut short."""
        if self.fields.get("whole") and self.fields.get("lorium_only"):
            self.tell("lorium_only", "lorium_only with 'all'", "with listed actions")

    def check_die(self) -> None:
        """A value where the die gets one."""
        op = self.fields["op"]
        valued = op in (DieOp.ADD, DieOp.SET)
        self.need(
            valued == ("value" in self.raw),
            "value",
            show(self.raw.get("value")),
            "with add and set, only there",
        )
        if op == DieOp.SET and "value" in self.raw:
            self.need(self.fields["value"] > 0, "value", str(self.fields["value"]), "above 0, with set")

    def check_alter(self) -> None:
        """What the event lets be altered."""
        what = self.fields["what"]
        if what != Alteration.REDRAW:
            self.need("to" in self.raw, "to", "nothing", f"'to' is required by {self.raw['what']}")
        if not self.setting.anywhere:
            self.need(
                self.setting.every(lambda row: what in row.alter),
                "what",
                f"{self.raw['what']!r} {self.setting.name}",
                f"only on {_events(lambda row: what in row.alter)}",
            )

    def check_grant(self) -> None:
        """A Strike needs a Combat."""
        if self.fields["duration"] == Duration.STRIKE and not self.setting.anywhere:
            self.need(
                self.setting.every(lambda row: row.combat),
                "for",
                f"'strike' {self.setting.name}",
                f"'strike' only on {_events(lambda row: row.combat)}",
            )


# ---------------------------------------------------------------- what a program can bring about (V1.14)
_T = Trigger
_ENTER: Final = frozenset({_T.ENTERED, _T.COMBAT_BEGUN, _T.COMBAT_END, _T.GAINED, _T.DEFEATED})
_QUAKE: Final = frozenset(
    {_T.TREMOR, _T.FRACTURE_DRAWN, _T.COLLAPSE, _T.ENTERED, _T.GAINED, _T.DEFEATED, _T.COMBAT_END}
)
#: Drawing Discovery Cards: Planetary Events are resolved on the way (V1.10).
_DRAW: Final = _ENTER | _QUAKE | {_T.HABITAT_LOST, _T.ROBBED, _T.FLEE_DECLARED}
#: What happens only in the course of a turn, never by a program.
_COURSE: Final = frozenset({_T.TURN_START, _T.SECTION, _T.BONUS_STEP, _T.TURN_END, _T.LAUNCH})
_ANYTHING: Final = frozenset(_T) - _COURSE
_COMBAT: Final = _DRAW | {_T.COMBAT_START, _T.STRIKE_START, _T.STRIKE_ROLLED, _T.STRIKE_FINAL}
_NONE: Final[frozenset[Trigger]] = frozenset()

#: Events that a verb can bring about by itself; those that depend on the good are in :func:`_brings`.
CAUSES: Final[dict[Verb, frozenset[Trigger]]] = {
    Verb.LOSE: frozenset({_T.ROBBED, _T.HABITAT_LOST}),
    Verb.STEAL: frozenset({_T.ROBBED}),
    Verb.DEPLOY: _ENTER,
    Verb.CONVERT: _QUAKE,
    Verb.MOVE: _ENTER | _QUAKE,
    Verb.PLACE: _ENTER,
    Verb.RECALL: frozenset({_T.COMBAT_END}),
    Verb.DESTROY: frozenset({_T.DEFEATED, _T.COMBAT_END}),
    Verb.CAPTURE: frozenset({_T.DEFEATED, _T.COMBAT_END, _T.ROBBED}),
    Verb.CONTROL: frozenset({_T.HABITAT_LOST, _T.GAINED}),
    Verb.FRACTURE: _QUAKE,
    Verb.COLLAPSE: _QUAKE,
    Verb.FLEE: _ENTER | _QUAKE | {_T.FLEE_DECLARED},
    Verb.CYBER: frozenset({_T.CYBER_ROLLED, _T.GAINED}),
    Verb.RANSOM: frozenset({_T.GAINED}),
    Verb.CONSTRUCT: frozenset({_T.GAINED}),
    Verb.GATHER: _DRAW | {_T.GATHERED},
    Verb.ACT: _DRAW | {_T.GATHERED},
    Verb.COMBAT: _COMBAT,
    Verb.COMMAND: _ANYTHING,
    Verb.BONUS: _ANYTHING,
    Verb.PLAY: _ANYTHING,
}


def _brings(step: Step) -> frozenset[Trigger]:
    """Events that one step can bring about, without the lists inside it."""
    match step:
        case Gain(res=Good.DISCOVERY):
            return _DRAW | {_T.GAINED}
        case Gain(res=Good.ESPIONAGE):
            return _DRAW | {_T.GAINED, _T.CYBER_ROLLED}
        case Gain(res=Good.LORIUM | Good.TOKEN):
            return _NONE
        case Gain():
            return frozenset({_T.GAINED})
        case Scry(keep=0):
            return _NONE
        case Scry(deck=Deck.DISCOVERY):
            return _DRAW
        case Scry():
            return frozenset({_T.GAINED})
        case Tremor():
            return _QUAKE if step.n > 0 else _NONE
        case Token():
            return frozenset({_T.GAINED}) if step.op == TokenOp.COLLECT else _NONE
        case Alter(what=Alteration.REDRAW):
            return frozenset({_T.FRACTURE_DRAWN})
    return CAUSES.get(step.verb, _NONE)


def causes(program: Program) -> set[Trigger]:
    """Events that a program can bring about by itself."""
    return set().union(*map(_brings, program.walk()))


# ---------------------------------------------------------------- in code
def _collect(read: Callable[[Compiler], Any], where: str) -> Any:
    defects: list[str] = []
    value = read(
        Compiler(lambda path, found, allowed: defects.append(f"{path}: found {found}; allowed: {allowed}"))
    )
    if defects:
        raise ContentError("\n".join([f"{where} has {len(defects)} defects:", *(f"  {d}" for d in defects)]))
    return value


def compile_program(raw: Any, where: str = "program", setting: Setting = ACTION) -> Program:
    """A program, by default the ability of an Action card; terrains as ``effect_words.TERRAIN`` orders them.

    Raises
    ------
    ContentError
        With every defect.
    """
    program: Program = _collect(lambda compiler: compiler.program(raw, setting, where), where)
    return program


def compile_trigger(raw: Any, where: str = "trigger", *, standing: bool = False) -> TriggerSpec:
    """A trigger of a Reaction, or with ``standing`` of a rule. Raises ContentError with every defect."""
    spec: TriggerSpec = _collect(lambda compiler: compiler.trigger(raw, where, standing=standing), where)
    return spec


def compile_rules(raw: Any, where: str = "rules") -> tuple[Rule, ...]:
    """The rules of a Relic or Ability. Raises ContentError with every defect."""
    rules: tuple[Rule, ...] = _collect(lambda compiler: compiler.rules(raw, where), where)
    return rules
