"""From programs as packs write them to :mod:`cysmic_fast.content.effects`, checking everything on the way.

The checks are those of ``docs/cards.md``: declared words and arguments, types and ranges, registers filled
before they are used, verbs only where their event allows them, the places of V1.12, the sizes of V1.15, rules
that would bring about their own event (V1.14). All defects of a program are told, none stops the check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from cysmic_fast.content import effect_words as words
from cysmic_fast.content.causes import causes
from cysmic_fast.content.effect_words import (
    MAX_NESTING,
    MAX_OPTIONS,
    MAX_STEPS,
    TRIGGERS,
    VERBS,
    Arg,
    IconsFrom,
    Kind,
    Once,
    PickWhat,
    Register,
    Verb,
    Who,
)
from cysmic_fast.content.effects import (
    STEPS,
    Program,
    Rule,
    SpaceSelector,
    Step,
    Steps,
    TriggerSpec,
    UnitSelector,
)
from cysmic_fast.content.reader import Reader, Tell, Use
from cysmic_fast.content.schema import one_of, show
from cysmic_fast.content.settings import ACTION, ANYWHERE, Scope, Setting, events_where, names
from cysmic_fast.content.step_checks import NEVER_ALL, StepCheck, check_place
from cysmic_fast.errors import ContentError
from cysmic_fast.vocabulary import CardAction, Icon


class Compiler(Reader):
    """Compiles programs, triggers and rules; see :class:`Reader` for its parameters."""

    def __init__(self, tell: Tell, terrains: Iterable[str] = words.TERRAIN) -> None:
        super().__init__(tell, terrains)
        self._steps = 0
        self._verbs: dict[Verb, str] = {}

    # ------------------------------------------------------------ programs, triggers, rules
    def program(self, raw: Any, setting: Setting, path: str) -> Program | None:
        """The program, or None if it has a defect."""
        told, self._steps, self._verbs = self._told, 0, {}
        steps = self._list(raw, Scope(setting, setting.registers), path)
        if self._steps > MAX_STEPS:
            self.tell(path, f"{self._steps} steps", f"at most {MAX_STEPS}, nested ones included (V1.15)")
        flow = [verb for verb in self._verbs if VERBS[verb].flow]
        if flow and Verb.GATHER in self._verbs and not setting.anywhere:
            self.tell(
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
                self.tell(f"{path}.of", f"of on {name}", "an event that affects a player")
            if role is not None and not row.combat:
                self.tell(f"{path}.role", f"role on {name}", "an event of a Combat")
            for kind in kinds:
                if kind not in row.kinds:
                    known = one_of(own.name.lower() for own in row.kinds) if row.kinds else "no kind"
                    self.tell(f"{path}.kind", show(kind.name.lower()), f"{known}, on {name}")
        setting = Setting(events) if events else ANYWHERE
        scope = Scope(setting, setting.registers)
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
            self.tell(path, show(raw), "a list of rules, not empty")
            return ()
        found = [self._rule(rule, f"{path}.rule {place}") for place, rule in enumerate(raw, 1)]
        return tuple(rule for rule in found if rule is not None)

    def _rule(self, raw: Any, path: str) -> Rule | None:
        if not isinstance(raw, Mapping) or ("mods" in raw) == ("trigger" in raw or "effect" in raw):
            self.tell(path, show(raw), "{ mods, to } or { trigger, effect }")
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
            self.tell(
                path,
                f"once = 'event' and an effect that can bring about {names(own)} itself",
                "once = 'turn', 'round' or 'cycle' there (V1.14)",
            )
            return None
        return Rule(trigger=trigger, program=program)

    # ------------------------------------------------------------ steps
    def _list(self, raw: Any, scope: Scope, path: str) -> Steps:
        """Steps in order; the registers of ``scope`` grow by those they fill."""
        if not isinstance(raw, list) or not raw:
            self.tell(path, show(raw), "a list of steps, not empty")
            return ()
        if scope.depth > MAX_NESTING:
            self.tell(
                path, f"a list nested {scope.depth} deep", f"at most {MAX_NESTING}, the program included"
            )
            return ()
        steps = [self._step(step, scope, f"{path}.step {place}") for place, step in enumerate(raw, 1)]
        return tuple(step for step in steps if step is not None)

    def _step(self, raw: Any, scope: Scope, path: str) -> Step | None:
        self._steps += 1
        if not isinstance(raw, Mapping):
            self.tell(path, show(raw), '{ do = "verb", … }')
            return None
        told = self._told
        verb = self._word(raw.get("do"), words.VERB, f"{path}.do")
        if verb is None:
            return None
        self._verbs.setdefault(verb, path)
        row = VERBS[verb]
        self._table(raw, path, ("do", *words.COMMON, *row.args))
        if not scope.setting.anywhere:
            check_place(self.tell, verb, raw, scope.setting, path)
        fields: dict[str, Any] = {}
        for name, arg in {**words.COMMON, **row.args}.items():
            if name in raw:
                if arg.type not in ("program", "programs"):
                    fields |= self._arg(verb, name, arg, raw, scope, f"{path}.{name}")
            elif arg.required:
                self.tell(f"{path}.{name}", "nothing", f"{name!r} is required by {verb.name.lower()}")
        fields |= self._inner(verb, raw, scope, path)
        self._fill(verb, fields, scope)
        if told == self._told:
            StepCheck(self.tell, verb, raw, fields, scope.setting, path).check()
        return STEPS[verb](**fields) if told == self._told else None

    def _inner(self, verb: Verb, raw: Mapping[str, Any], scope: Scope, path: str) -> dict[str, Any]:
        """The lists inside choose, if and each; what they leave in the registers (V2.1, V2.2)."""
        fields: dict[str, Any] = {}
        if verb == Verb.CHOOSE and "options" in raw:
            options = raw["options"]
            if not isinstance(options, list) or not 1 <= len(options) <= MAX_OPTIONS:
                found = f"{len(options)} options" if isinstance(options, list) else show(options)
                self.tell(f"{path}.options", found, f"a list of 1 to {MAX_OPTIONS} lists of steps")
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

    def _fill(self, verb: Verb, fields: Mapping[str, Any], scope: Scope) -> None:
        """Registers that are filled after a step of ``verb``."""
        scope.regs.update(VERBS[verb].sets)
        if verb == Verb.PICK and fields.get("what") is not None:
            picked = {
                PickWhat.SPACE: Register.SPACE,
                PickWhat.PLAYER: Register.PLAYER,
                PickWhat.TERRAIN: Register.TERRAIN,
            }
            scope.regs.add(picked[fields["what"]])

    # ------------------------------------------------------------ arguments
    def _arg(
        self, verb: Verb, name: str, arg: Arg, step: Mapping[str, Any], scope: Scope, path: str
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
                if verb == Verb.GATHER and name == "kind" and value is not None:
                    value = CardAction(value)
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

    # ------------------------------------------------------------ arguments of single verbs
    def _over(self, raw: Any, path: str, scope: Scope) -> Who | UnitSelector | SpaceSelector | None:
        if isinstance(raw, Mapping):
            if set(raw) == {"units"}:
                return self._units(raw["units"], f"{path}.units", scope, "over")
            if set(raw) == {"space"}:
                return self._space(raw["space"], f"{path}.space", scope)
            self.tell(path, show(raw), "{ units = … } or { space = … }, or a player word")
            return None
        who: Who | None = self._word(raw, words.WHO, path)
        if who == Who.REGISTER:
            self._need(Register.PLAYER, scope, path)
        return who

    def _pick(self, raw: Any, what: Any, path: str, scope: Scope) -> dict[str, Any]:
        if what == "space":
            return {"space": self._space(raw, path, scope)}
        if what == "player":
            player = self._word(raw, words.WHO, path)
            if player == Who.REGISTER:
                self._need(Register.PLAYER, scope, path)
            return {"player": player}
        if what == "terrain":
            self.tell(path, show(raw), "nothing beside what = 'terrain'")
        return {}

    def _icons(self, raw: Any, path: str, setting: Setting) -> dict[str, Any]:
        if raw == "played":
            return {"icons_from": IconsFrom.PLAYED}
        if raw == "event":
            if not setting.anywhere and not setting.every(lambda row: Kind.GREY in row.kinds):
                where = events_where(lambda row: Kind.GREY in row.kinds)
                self.tell(path, f"'event' {setting.name}", f"'event' only on {where}")
            return {"icons_from": IconsFrom.EVENT}
        if isinstance(raw, list):
            return {"icons": tuple(Icon(n) for n in sorted(self._words(raw, words.COLOUR, path)))}
        self.tell(path, show(raw), "'played', 'event', or a list of colours")
        return {}

    def _alter_to(self, raw: Any, what: Any, arg: Arg, path: str, scope: Scope) -> dict[str, Any]:
        if what in ("first_strike", "assigner"):
            who = self._word(raw, arg.words, path)
            if who == Who.REGISTER:
                self._need(Register.PLAYER, scope, path)
            return {"to": who}
        if what == "final_strike" and raw is not False:
            self.tell(path, show(raw), "false")
        if what == "redraw":
            self.tell(path, show(raw), "nothing beside what = 'redraw'")
        return {}


_RULE_TO: Final = {"self": Who.SELF, "each_opponent": Who.EACH_OPPONENT}


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
