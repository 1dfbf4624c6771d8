"""Random cards and packs that are valid by construction, for the lock-step comparison.

Everything is drawn from the declared vocabulary (``effect_words``): every verb, selector axis, modifier and
event turns up. :class:`CardMaker` takes its choices from a :class:`Source`, which is a seeded generator
(:func:`random_pack`) or, in the tests, hypothesis, which shrinks. A pack is ``{file name: data}``;
:func:`write_pack` writes it, :func:`to_toml` gives the text of a file.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from cysmic_fast.content import Content, FactionSpec, load_content
from cysmic_fast.content import effect_words as words
from cysmic_fast.content.causes import causes
from cysmic_fast.content.compiler import Compiler
from cysmic_fast.content.effect_words import MODS, TRIGGERS, VERBS, Mod, Register, Trigger, Verb
from cysmic_fast.content.settings import ACTION, PLANETARY, Setting
from cysmic_fast.content.step_checks import NEVER_IN_EVENTS

__all__ = ["CardMaker", "Pack", "Raw", "Source", "random_content", "random_pack", "to_toml", "write_pack"]

T = TypeVar("T")
#: Verbs that stand in triggered programs only.
_ON_EVENTS = (Verb.DIE, Verb.CANCEL, Verb.ALTER)

Raw = dict[str, Any]
Pack = dict[str, Raw]

TROOP_WORDS = ("soldier", "miner", "speaker", "troop")
UNIT_WORDS = (*TROOP_WORDS, "powermech", "harvester", "vehicle", "combat", "resource", "unit")


# ---------------------------------------------------------------- where choices come from
class Source:
    """Choices from a seeded generator."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def integer(self, low: int, high: int) -> int:
        """An integer from ``low`` to ``high``."""
        return self._random.randint(low, high)

    def choice(self, options: Iterable[T]) -> T:
        """One of the options."""
        listed = list(options)
        return listed[self.integer(0, len(listed) - 1)]

    def chance(self, percent: int) -> bool:
        """True in so many of a hundred cases."""
        return self.integer(0, 99) >= 100 - percent

    def some(self, options: Iterable[T], least: int, most: int) -> list[T]:
        """Different options, in their order."""
        listed = list(options)
        number = self.integer(least, min(most, len(listed)))
        left = list(range(len(listed)))
        chosen = sorted(left.pop(self.integer(0, len(left) - 1)) for _ in range(number))
        return [listed[place] for place in chosen]


class Scope:
    """Registers filled so far, and where the program stands."""

    def __init__(self, setting: Setting, regs: Iterable[Register] | None = None, depth: int = 1) -> None:
        self.setting, self.depth = setting, depth
        self.regs = set(setting.registers if regs is None else regs)

    def inner(self, *more: Register) -> Scope:
        """A list inside this one."""
        return Scope(self.setting, self.regs | set(more), self.depth + 1)

    @property
    def many(self) -> bool:
        """Whether several own Units may move, act or gather (V1.12)."""
        return self.setting.flow and Trigger.SECTION not in self.setting.events


class CardMaker:
    """Makes cards out of the choices of a source."""

    def __init__(self, source: Source) -> None:
        self.src = source
        self._verbs: set[Verb] = set()

    # ------------------------------------------------------------ selectors
    def who(self, scope: Scope, *, of: Sequence[str] = tuple(words.WHO)) -> str:
        """A player word, ``$player`` only if it is filled."""
        return self.src.choice(w for w in of if w != "$player" or Register.PLAYER in scope.regs)

    def owner(self, scope: Scope) -> str:
        """An owner word."""
        options = ["self", "enemy", "enemy", "any"]
        return self.src.choice([*options, "$player"] if Register.PLAYER in scope.regs else options)

    def units(
        self,
        scope: Scope,
        *,
        types: Sequence[str] = UNIT_WORDS,
        owner: str | None = None,
        states: Sequence[str] = ("unlocked", "unlocked", "locked", "any", "confused"),
        nested: int = 2,
        register: bool = True,
    ) -> Any:
        """A unit selector on the planet."""
        if register and owner is None and Register.UNIT in scope.regs and self.src.chance(25):
            return "$unit"
        raw: Raw = {"owner": self.owner(scope) if owner is None else owner}
        if self.src.chance(80):
            raw["type"] = self.src.choice(types)
        elif self.src.chance(40):
            raw["type"] = self.src.some(types, 1, 2)
        elif tuple(types) != UNIT_WORDS:
            raw["type"] = types[-1]
        if self.src.chance(40):
            raw["state"] = self.src.choice(states)
        if nested and self.src.chance(35):
            raw["at"] = self.space(scope, nested=nested - 1)
        if self.src.chance(8):
            raw["health"] = "$n" if Register.N in scope.regs else self.src.integer(1, 6)
        return raw

    def space(self, scope: Scope, *, nested: int = 2, register: bool = True) -> Any:
        """A space selector."""
        if register and self.src.chance(30):
            filled = [w for w, r in (("$space", Register.SPACE), ("$from", Register.FROM)) if r in scope.regs]
            if filled:
                return self.src.choice(filled)
        raw: Raw = {}
        axes = self.src.some(words.SPACE_AXES, 1, 2)
        if "feature" in axes:
            raw["feature"] = self.src.choice(words.FEATURE)
            if self.src.chance(20):
                raw["feature"] = self.src.some(words.FEATURE, 1, 3)
        if "terrain" in axes:
            raw["terrain"] = self.src.some(words.TERRAIN, 1, 3)
            if Register.TERRAIN in scope.regs and self.src.chance(70):
                raw["terrain"] = "$terrain"
        if "ring" in axes:
            low = self.src.integer(0, 6)
            raw["ring"] = self.src.choice([low, [low, self.src.integer(low, 6)]])
        if "value" in axes:
            low = self.src.integer(1, 5)
            raw["value"] = self.src.choice([low, [low, self.src.integer(low, 5)]])
        if "combat" in axes:
            raw["combat"] = self.src.choice(words.COMBAT)
        if "control" in axes:
            known = [w for w in words.CONTROL if w != "$player" or Register.PLAYER in scope.regs]
            raw["control"] = self.src.choice([self.src.choice(known), self.src.some(known, 1, 2)])
        if "holds" in axes:
            raw["holds"] = "none" if self.src.chance(25) or not nested else self._anyone(scope, nested)
        if "near" in axes and nested:
            near: Raw = {}
            low = self.src.integer(0, 2)
            if self.src.chance(70):
                near |= {"min": low, "max": self.src.integer(low, 2)}
            if self.src.chance(60):
                near["units"] = self._anyone(scope, nested)
            else:
                near["space"] = self.space(scope, nested=nested - 1, register=register)
            raw["near"] = near
        return raw or {"feature": "tile"}

    def _anyone(self, scope: Scope, nested: int) -> Any:
        return self.units(scope, types=(*UNIT_WORDS, "ship", "any"), nested=nested - 1)

    def captives(self, scope: Scope, where: str) -> Raw:
        """A selector of captured Units."""
        raw: Raw = {"owner": self.owner(scope), "where": where}
        if self.src.chance(60):
            raw["type"] = self.src.choice(UNIT_WORDS)
        return raw

    # ------------------------------------------------------------ numbers and conditions
    def count(self, scope: Scope, most: int = 3, *, every: bool = True) -> Any:
        """``n`` of a step."""
        form = self.src.integer(0, 99)
        if form < 70:
            return self.src.integer(1, most)
        if form < 80 and every:
            return "all"
        if form < 88 and Register.N in scope.regs:
            return "$n"
        what = self.src.choice(["units", "space", "metric"])
        of: Any
        if what == "units":
            of = self.captives(scope, "captive") if self.src.chance(20) else self.units(scope, nested=1)
        elif what == "space":
            of = self.space(scope, nested=1)
        else:
            of = self.metric(scope)
        raw: Raw = {"count": {what: of}}
        if self.src.chance(70):
            raw["max"] = self.src.integer(1, most)
        return raw

    def metric(self, scope: Scope) -> str:
        """A metric that is filled."""
        return self.src.choice(m for m in words.METRIC if m != "$n" or Register.N in scope.regs)

    def condition(self, scope: Scope) -> Raw:
        """A condition."""
        raw: Raw = {}
        for part in self.src.some(words.CONDITIONS, 1, 2):
            if part == "exists":
                raw[part] = self._anyone(scope, 2)
            elif part == "site":
                raw[part] = self.space(scope)
            elif part == "metric":
                raw |= {"metric": self.metric(scope), "op": self.src.choice(words.OP)}
                raw["value"] = self.src.integer(0, 5)
                if self.src.chance(40):
                    raw["who"] = self.who(scope)
            elif part == "role":
                if scope.setting.every(lambda row: Register.SPACE in row.sets):
                    raw[part] = self.src.choice(words.ROLE)
            else:
                raw[part] = self.src.choice(words.TURN_OF)
        if not raw:
            raw["turn"] = self.src.choice(words.TURN_OF)
        if ("exists" in raw or "site" in raw) and self.src.chance(40):
            low = self.src.integer(0, 2)
            raw |= self.src.choice([{"min": low}, {"max": low}, {"min": low, "max": low + 1}])
        return raw

    # ------------------------------------------------------------ programs
    def program(self, setting: Setting, verb: Verb | None = None) -> list[Raw]:
        """A program of one to three steps, ``verb`` among them if it may stand there."""
        while True:
            self._verbs = set()
            scope = Scope(setting)
            steps = self._list(scope, self.src.choice([1, 1, 1, 2, 2, 3]), verb)
            flow = any(VERBS[used].flow for used in self._verbs)
            if not (flow and Verb.GATHER in self._verbs):
                return steps

    def _list(self, scope: Scope, number: int, verb: Verb | None = None) -> list[Raw]:
        chosen = [self._verb(scope) for _ in range(number)]
        if verb is not None and verb in self.verbs_for(scope):
            chosen[-1] = verb
        return [self.step(scope, use) for use in chosen]

    def verbs_for(self, scope: Scope) -> list[Verb]:
        """Verbs that may stand here."""
        setting = scope.setting
        out = []
        for verb, row in VERBS.items():
            fits = True
            if setting.planetary:
                fits = verb not in NEVER_IN_EVENTS
            elif row.flow:
                fits = setting.flow and (
                    Trigger.SECTION not in setting.events
                    or (verb == Verb.ACT and setting.by == words.By.SELF)
                )
            if verb in (Verb.GATHER, Verb.CYBER):
                fits = setting.flow
            elif verb == Verb.DIE:
                fits = setting.every(lambda row: row.dice)
            elif verb == Verb.CANCEL:
                fits = setting.every(lambda row: row.cancel)
            elif verb == Verb.ALTER:
                fits = bool(self._alterations(setting))
            elif verb in (Verb.CHOOSE, Verb.IF, Verb.EACH):
                fits = scope.depth < words.MAX_NESTING
            if fits:
                out.append(verb)
        return out

    def _verb(self, scope: Scope) -> Verb:
        return self.src.choice(self.verbs_for(scope))

    def _alterations(self, setting: Setting) -> list[str]:
        return [
            word
            for word, what in VERBS[Verb.ALTER].args["what"].words.items()
            if setting.every(lambda row, what=what: what in row.alter)  # type: ignore[misc]
        ]

    def step(self, scope: Scope, verb: Verb) -> Raw:
        """One step; the scope then knows what it fills."""
        self._verbs.add(verb)
        raw: Raw = {"do": verb.name.lower()}
        if self.src.chance(15) and verb not in (Verb.CONVERT, Verb.STEAL):
            raw["who"] = self.who(scope)
        maker = getattr(self, f"_{verb.name.lower()}", None)
        if maker is not None:
            raw |= maker(scope)
        if self.src.chance(20):
            raw["opt"] = True
        every = raw.get("n") == "all"
        at_once = {Verb.DESTROY, Verb.CAPTURE, Verb.CONFUSE, Verb.RECALL, Verb.TOKEN, Verb.PLACE}
        if VERBS[verb].upto and not (every and verb in at_once) and self.src.chance(35):
            raw["upto"] = True
        elif self.src.chance(12):
            raw["must"] = True
        if verb not in (Verb.CHOOSE, Verb.IF, Verb.EACH):
            scope.regs |= set(VERBS[verb].sets)
        return raw

    # ------------------------------------------------------------ flow
    def _choose(self, scope: Scope) -> Raw:
        ends = [scope.inner() for _ in range(self.src.integer(1, 3))]
        options = [self._list(end, 1) for end in ends]
        scope.regs |= set.intersection(*(end.regs for end in ends))
        return {"options": options}

    def _if(self, scope: Scope) -> Raw:
        then, otherwise = scope.inner(), scope.inner()
        raw: Raw = {"cond": self.condition(scope), "then": self._list(then, self.src.integer(1, 2))}
        if self.src.chance(50):
            raw["else"] = self._list(otherwise, 1)
        scope.regs |= then.regs & otherwise.regs
        return raw

    def _each(self, scope: Scope) -> Raw:
        what = self.src.choice(["player", "units", "space"])
        sets = {Register.PLAYER}
        over: Any = self.src.choice(["all", "each_opponent", self.who(scope)])
        if what == "units":
            over, sets = {"units": self._anyone(scope, 1)}, {Register.UNIT, Register.SPACE, Register.PLAYER}
        elif what == "space":
            over, sets = {"space": self.space(scope, nested=1)}, {Register.SPACE}
        raw: Raw = {"over": over, "run": self._list(scope.inner(*sets), 1)}
        scope.regs -= sets
        if self.src.chance(35):
            raw["n"] = self.src.integer(1, 3)
        if what == "units" and scope.setting.events == (Trigger.SECTION,) and self.src.chance(60):
            raw["once"] = True
        return raw

    def _pay(self, scope: Scope) -> Raw:
        res = self.src.choice(VERBS[Verb.PAY].args["res"].words)
        raw: Raw = {"res": res, "n": self.count(scope, 2, every=False)}
        if res == "hostage":
            raw["to"] = self.who(scope)
        elif res not in ("influence", "token") and self.src.chance(40):
            raw["to"] = self.src.choice(["supply", self.who(scope, of=words.ONE_PLAYER)])
        return raw

    def _pick(self, scope: Scope) -> Raw:
        what = self.src.choice(["space", "player", "terrain"])
        if what == "terrain":
            scope.regs.add(Register.TERRAIN)
            return {"what": what}
        source: Any = self.space(scope) if what == "space" else self.who(scope)
        scope.regs.add(Register.SPACE if what == "space" else Register.PLAYER)
        return {"what": what, "from": source}

    def _roll(self, scope: Scope) -> Raw:
        return {"dice": self.src.choice(["red", "yellow"]), "n": self.src.integer(1, 2)}

    # ------------------------------------------------------------ goods
    def _gain(self, scope: Scope) -> Raw:
        res = self.src.choice(VERBS[Verb.GAIN].args["res"].words)
        raw: Raw = {"res": res}
        if res == "blueprint":
            raw["of"] = self.who(scope, of=words.ONE_PLAYER)
        elif res != "marker":
            raw["n"] = self.count(scope, 2, every=False)
        return raw

    def _lose(self, scope: Scope) -> Raw:
        res = self.src.choice(VERBS[Verb.LOSE].args["res"].words)
        by = ["owner", "self", *(["random"] if res in ("discovery", "relic") else [])]
        who = self.src.choice(["each_opponent", "opponent", self.who(scope)])
        return {"res": res, "n": self.count(scope, 2), "by": self.src.choice(by), "who": who}

    def _steal(self, scope: Scope) -> Raw:
        raw: Raw = {
            "res": self.src.choice(["lorium", "discovery", "relic"]),
            "n": self.count(scope, 2),
            "from": self.who(scope, of=[w for w in words.WHO if w != "self"]),
        }
        if self.src.chance(60):
            raw["by"] = self.src.choice(["owner", "self", "random"])
        return raw

    def _trade(self, scope: Scope) -> Raw:
        return {"n": self.src.integer(1, 2)}

    def _store(self, scope: Scope) -> Raw:
        return {"n": self.src.integer(1, 5)}

    def _scry(self, scope: Scope) -> Raw:
        n = self.src.integer(1, 4)
        deck = self.src.choice(["discovery", "discovery", "relic", "relic", "relic", "subroutine", "strike"])
        rest = self.src.choice(["bottom", "discard", "any", "sift"])
        return {"deck": deck, "n": n, "keep": self.src.integer(0, min(n, 2)), "rest": rest}

    # ------------------------------------------------------------ Units
    def _deploy(self, scope: Scope) -> Raw:
        raw: Raw = {"types": [self.src.choice(TROOP_WORDS)]}
        if self.src.chance(40):
            raw["budget"] = self.src.choice(["influence", self.src.integer(1, 5)])
        else:
            raw["n"] = self.count(scope, 2, every=False)
            if self.src.chance(15):
                raw["types"] = [self.src.choice(UNIT_WORDS)]
        if self.src.chance(35):
            raw["at"] = self.space(scope)
        return raw

    def _convert(self, scope: Scope) -> Raw:
        to = self.src.choice(VERBS[Verb.CONVERT].args["to"].words)
        if to == "vehicle":
            raw: Raw = {
                "units": self.units(scope, owner="self", types=("soldier", "miner", "troop")),
                "dropship": self.src.choice(["normal", "never", "only"]),
                "discount": self.src.integer(0, 2),
            }
        elif to == "base":
            raw = {"units": self.units(scope, types=("powermech", "harvester", "vehicle"))}
        else:
            raw = {"units": self.units(scope, types=TROOP_WORDS)}
        return {**raw, "n": self.count(scope, 2), "to": to}

    def _several(self, scope: Scope, types: Sequence[str] = UNIT_WORDS) -> Raw:
        """``units`` and ``n`` of move, act and gather (V1.12)."""
        if scope.many and self.src.chance(50):
            return {"units": self.units(scope, owner="self", types=types), "n": self.count(scope, 3)}
        return {"units": self.units(scope, types=types), "n": 1}

    def _move(self, scope: Scope) -> Raw:
        raw = self._several(scope, (*UNIT_WORDS, "any"))
        if self.src.chance(30):
            raw["steps"] = self.src.choice(["attr", self.src.integer(1, 6)])
        if self.src.chance(60):
            raw["mode"] = self.src.choice(["walk", "jump", "either"])
        if self.src.chance(30):
            raw["end"] = self.space(scope)
            if self.src.chance(40):
                raw["end"] = {"holds": {"owner": "foreign", "type": self.src.choice(UNIT_WORDS)}}
        for flag, percent in (("engage", 40), ("tremor", 40), ("board", 8)):
            if self.src.chance(percent):
                raw[flag] = self.src.chance(50)
        return raw

    def _place(self, scope: Scope) -> Raw:
        if Register.SPACE in scope.regs and self.src.chance(30):
            swap = self.units(scope, owner="enemy")
            return {"units": {"owner": "self", "type": "unit", "at": "$space"}, "n": "all", "swap": swap}
        raw = self._several(scope)
        if self.src.chance(25):
            raw["n"] = "all"
        raw["to"] = "deploy" if self.src.chance(30) else self.space(scope)
        if self.src.chance(30):
            raw["engage"] = True
        return raw

    def _recall(self, scope: Scope) -> Raw:
        where = self.src.choice(["planet", "captive", "captive", "held_other"])
        units = self.units(scope) if where == "planet" else self.captives(scope, where)
        return {"units": units, "n": self.count(scope, 2)}

    def _destroy(self, scope: Scope) -> Raw:
        if Register.SPACE in scope.regs and self.src.chance(40):
            units = {"owner": self.owner(scope), "type": self.src.choice(UNIT_WORDS), "at": "$space"}
            return {"units": units, "n": self.src.choice(["all", 1, 2])}
        return {"units": self.units(scope), "n": self.count(scope, 2, every=False)}

    def _capture(self, scope: Scope) -> Raw:
        if self.src.chance(25):
            return {"units": self.captives(scope, "held_other"), "n": self.count(scope, 2, every=False)}
        return self._destroy(scope)

    def _confuse(self, scope: Scope) -> Raw:
        units = self.units(scope, types=TROOP_WORDS, states=("unlocked", "any"))
        return {"units": units, "n": self.count(scope, 2)}

    # ------------------------------------------------------------ commands
    def _act(self, scope: Scope) -> Raw:
        raw = self._several(scope, (*UNIT_WORDS, "ship", "any"))
        raw["actions"] = ["all"]
        if self.src.chance(60):
            raw["actions"] = self.src.some(words.ACTION, 1, 4)
            if self.src.chance(25):
                raw["lorium_only"] = True
        return raw

    def _gather(self, scope: Scope) -> Raw:
        raw = self._several(scope)
        raw["kind"] = self.src.choice(words.GATHERING)
        if raw["kind"] == "harvest":
            raw["tremor"] = self.src.chance(50)
        return raw

    def _command(self, scope: Scope) -> Raw:
        row = VERBS[Verb.COMMAND].args
        return {name: self.src.choice(row[name].words) for name in ("from", "kind", "part")}

    def _reclaim(self, scope: Scope) -> Raw:
        return {"from": self.src.choice(["burned", "any"]), "n": self.src.integer(1, 2)}

    def _bonus(self, scope: Scope) -> Raw:
        icons: list[Any] = ["played", self.src.some(words.COLOUR, 1, 3)]
        if scope.setting.events in ((Trigger.BONUS_DONE,), (Trigger.BONUS_CHOSEN,)):
            icons.append("event")
        return {"icons": self.src.choice(icons), "column": self.src.choice(["current", "any"])}

    def _play(self, scope: Scope) -> Raw:
        raw: Raw = {"as": self.src.choice(["reward", "any"])}
        if self.src.chance(10):
            raw["deck"] = self.src.choice(["hand", "subroutine"])
        return raw

    # ------------------------------------------------------------ planet
    def _control(self, scope: Scope) -> Raw:
        at = self.space(scope, nested=1)
        if isinstance(at, dict):
            at |= self.src.choice([{"feature": "habitat"}, {"feature": "city"}, {}])
        return {
            "at": at,
            "n": self.count(scope, 2),
            "to": self.src.choice(["none", "self", self.who(scope, of=words.ONE_PLAYER)]),
            "as": self.src.choice(VERBS[Verb.CONTROL].args["as"].words),
        }

    def _tremor(self, scope: Scope) -> Raw:
        return {"n": self.src.choice([1, 1, 2, -1, -2])}

    def _fracture(self, scope: Scope) -> Raw:
        return {"draw": self.src.integer(1, 3)}

    def _collapse(self, scope: Scope) -> Raw:
        return {"space": self.space(scope, nested=1), "n": self.count(scope, 2, every=False)}

    def _token(self, scope: Scope) -> Raw:
        op = self.src.choice(["add", "remove", "collect"])
        space: Any = {"feature": "devastated" if op == "add" else "relic_token"}
        if self.src.chance(30):
            space = self.space(scope, nested=1)
        return {"op": op, "space": space, "n": self.count(scope, 2)}

    # ------------------------------------------------------------ combat and Ship
    def _combat(self, scope: Scope) -> Raw:
        first = ["attacker", "defender", "self", self.who(scope, of=words.ONE_PLAYER)]
        return {
            "which": self.src.choice(["mine", "any"]),
            "n": self.count(scope, 2),
            "first": self.src.choice(first),
            "captures": self.src.chance(70),
        }

    def _flee(self, scope: Scope) -> Raw:
        return {"final_strike": scope.setting.flow and self.src.chance(50)}

    def _die(self, scope: Scope) -> Raw:
        op = self.src.choice(["add", "set", "reroll", "drop"])
        raw: Raw = {"op": op, "n": self.count(scope, 2), "colour": self.src.choice(["any", "red", "yellow"])}
        if op == "add":
            raw["value"] = self.src.choice([-2, -1, 1, 2])
        elif op == "set":
            raw["value"] = self.src.integer(1, 6)
        return raw

    def _alter(self, scope: Scope) -> Raw:
        what = self.src.choice(self._alterations(scope.setting))
        if what == "redraw":
            return {"what": what}
        if what == "final_strike":
            return {"what": what, "to": False}
        return {"what": what, "to": self.who(scope, of=words.ONE_PLAYER)}

    def _cyber(self, scope: Scope) -> Raw:
        n = self.src.integer(1, 3) if scope.many else 1
        return {"n": n, "range": self.src.integer(1, 4), "dice": self.src.integer(0, 2)}

    def _ransom(self, scope: Scope) -> Raw:
        return {"n": self.count(scope, 2)}

    def _construct(self, scope: Scope) -> Raw:
        method = self.src.choice(["manual", "robotic", "free"])
        return {"method": method, "n": self.count(scope, 2), "discount": self.src.integer(0, 2)}

    def _grant(self, scope: Scope) -> Raw:
        spans = [
            span for span in words.DURATION if span != "strike" or scope.setting.every(lambda row: row.combat)
        ]
        raw: Raw = {"mods": self.mods(), "for": self.src.choice(spans)}
        if self.src.chance(50):
            raw["to"] = self.who(scope)
        return raw

    # ------------------------------------------------------------ modifiers, triggers, rules
    def mods(self, mod: Mod | None = None) -> list[Raw]:
        """One or two modifiers, ``mod`` among them."""
        chosen = [self.src.choice(Mod) for _ in range(self.src.choice([1, 1, 2]))]
        if mod is not None:
            chosen[-1] = mod
        return [self.mod(m) for m in chosen]

    def mod(self, mod: Mod) -> Raw:
        """One modifier."""
        raw: Raw = {"mod": mod.name.lower()}
        row = MODS[mod]
        for name, arg in row.args.items():
            if not arg.required and self.src.chance(50):
                continue
            if arg.type == "int":
                raw[name] = self.src.choice(n for n in (1, 1, 2, -1, -2) if arg.low <= n <= arg.high)
            elif arg.type == "word":
                raw[name] = self.src.choice(arg.words)
            elif arg.type == "types":
                raw[name] = [self.src.choice(UNIT_WORDS)]
            elif arg.type == "space":
                raw[name] = self.space(Scope(ACTION), nested=1)
            else:
                raw[name] = self.src.some(arg.words, 1, 3)
        if mod == Mod.BONUS_ICONS:
            raw.pop("source", None)
            if raw.pop("icons", None) is None or self.src.chance(40):
                raw["source"] = self.src.choice(["burned", "previous"])
            else:
                raw["icons"] = self.src.some(row.args["icons"].words, 1, 2)
        if row.role and self.src.chance(30):
            raw["role"] = self.src.choice(["attacker", "defender"])
        return raw

    def trigger(self, event: Trigger, *, standing: bool) -> Raw:
        """A trigger on one event, sometimes on a second one."""
        events = [event]
        if self.src.chance(10):
            events = sorted({event, self.src.choice(Trigger)})
        names = [e.name.lower() for e in events]
        raw: Raw = {"on": names if len(names) > 1 or self.src.chance(10) else names[0]}
        raw["by"] = self.src.choice(["self", "enemy", "any", "any"])
        setting = Setting(tuple(events))
        if setting.every(lambda row: row.affected) and self.src.chance(30):
            raw["of"] = self.src.choice(words.BY)
        kinds = set.intersection(*(set(TRIGGERS[e].kinds) for e in events))
        if kinds and self.src.chance(30):
            raw["kind"] = [kind.name.lower() for kind in self.src.some(sorted(kinds), 1, 3)]
        if setting.every(lambda row: row.combat) and self.src.chance(30):
            raw["role"] = self.src.choice(words.ROLE)
        if self.src.chance(20):
            raw["if"] = self.condition(Scope(setting))
        if standing:
            raw["once"] = self.src.choice(words.ONCE)
            if self.src.chance(50):
                raw["opt"] = True
        return raw

    def triggered(self, event: Trigger, *, standing: bool, verb: Verb | None = None) -> tuple[Raw, list[Raw]]:
        """A trigger and its program; ``once = "event"`` only where that comes to an end."""
        trigger = self.trigger(event, standing=standing)
        on = [trigger["on"]] if isinstance(trigger["on"], str) else trigger["on"]
        setting = Setting(tuple(sorted(words.TRIGGER[name] for name in on)), words.BY[trigger["by"]])
        program = self.program(setting, verb)
        if standing and trigger["once"] == "event":
            compiled = Compiler(_no_defect).program(program, setting, "program")
            assert compiled is not None
            # Rules that only bring about events of higher bits never go round in a circle (V1.14).
            if any(cause <= max(setting.events) for cause in causes(compiled)):
                trigger["once"] = "turn"
        return trigger, program

    def rule(self, *, mod: Mod | None = None, event: Trigger | None = None) -> Raw:
        """A standing rule: modifiers, or a trigger with a program."""
        if mod is not None or (event is None and self.src.chance(50)):
            raw: Raw = {"mods": self.mods(mod)}
            if self.src.chance(10):
                raw["to"] = self.src.choice(["self", "each_opponent"])
            return raw
        trigger, effect = self.triggered(event or self.src.choice(Trigger), standing=True)
        return {"trigger": trigger, "effect": effect}

    def event_for(self, verb: Verb, event: Trigger) -> Trigger:
        """``event``, or another one on which ``verb`` may stand."""
        if verb in self.verbs_for(Scope(Setting((event,)))):
            return event
        return self.src.choice(e for e in Trigger if verb in self.verbs_for(Scope(Setting((e,)))))

    # ------------------------------------------------------------ cards
    def discovery(self, name: str, *, verb: Verb | None = None, event: Trigger | None = None) -> Raw:
        """A Discovery Card; a Reaction if ``event`` is given."""
        raw: Raw = {
            "id": name,
            "name": f"Card {name}",
            "count": self.src.integer(1, 3),
            "kind": "action" if event is None else "reaction",
            "modifier": self.src.choice([1, -1, 2, -2, 3, -3]),
            "text": f"Made for {verb.name.lower() if verb is not None else 'any verb'}.",
            "rewards": self.rewards(),
            "icons": ["molten_core"] if self.src.chance(15) else [],
        }
        if event is None:
            raw["ability"] = self.program(ACTION, verb)
        else:
            raw["trigger"], raw["ability"] = self.triggered(event, standing=False, verb=verb)
        return raw

    def rewards(self) -> Raw:
        """Rewards of a card."""
        op = self.src.choice(["single", "and", "or"])
        return {"op": op, "items": [self._reward() for _ in range(1 if op == "single" else 2)]}

    def _reward(self) -> Raw:
        kind = self.src.choice(["bonus", "bonus", "lorium", "discovery", "relic", "habitat", "units"])
        colours = [c for c in words.COLOUR if c != "grey"]
        match kind:
            case "bonus":
                return {kind: self.src.some(colours, 1, 2)}
            case "habitat":
                return {kind: self.src.choice([1, 2, 3, 5])}
            case "units":
                return {kind: [self.src.choice(["soldier", "miner", "speaker"])]}
            case _:
                return {kind: self.src.integer(1, 2)}

    def event(self, name: str, *, verb: Verb | None = None) -> Raw:
        """A Planetary Event."""
        return {
            "id": name,
            "name": f"Event {name}",
            "count": 1,
            "text": "Made.",
            "effect": self.program(PLANETARY, verb),
            "icons": ["planetary_event", "molten_core"],
        }

    def relic(self, name: str, *, mod: Mod | None = None, event: Trigger | None = None) -> Raw:
        """A Relic."""
        return {
            "id": name,
            "name": f"Relic {name}",
            "count": self.src.integer(1, 2),
            "type": self.src.choice(["artifact", "technology", "weapon", "garment", "beacon"]),
            "text": "Made.",
            "rules": [self.rule(mod=mod, event=event)],
            "icons": [],
        }

    def pack(
        self,
        *,
        cards: int = 24,
        relics: int = 12,
        events: int = 6,
        abilities: bool = True,
        old: int | None = 20,
    ) -> Pack:
        """A pack over the standard one, in which the cards made here are the most.

        Of standard Discovery Cards and Relics one copy is left in ``old`` of a hundred, of Planetary Events
        none (None: all as they are); with ``abilities`` every Faction gets new ones.
        """
        standard = load_content()
        start = self.src.integer(0, 99)  # so that a few packs go through all words
        pack: Pack = {
            "discovery.toml": {
                "card": [
                    *self._old(
                        [card.id for card in standard.discovery if not card.event],
                        old,
                        128 - 3 * cards - events,
                    ),
                    *(self._discovery_number(start + n, f"G{n:02}") for n in range(cards)),
                ]
            },
            "relics.toml": {
                "card": [
                    *self._old(
                        [card.id for card in standard.relics if not card.espionage], old, 63 - 2 * relics
                    ),
                    *(self._relic_number(start + n, f"H{n:02}") for n in range(relics)),
                ]
            },
        }
        if events:
            made = [self.event(f"E{n:02}", verb=self.src.choice(Verb)) for n in range(events)]
            none = [{"id": card.id, "count": 0} for card in standard.discovery if card.event]
            pack["events.toml"] = {"card": made if old is None else [*none, *made]}
        if abilities:
            pack["factions.toml"] = {"card": [self._faction(faction) for faction in standard.factions]}
        return pack

    def _old(self, ids: Sequence[str], percent: int | None, most: int) -> list[Raw]:
        """Cards of the standard pack counted anew: at most ``most`` copies, the first one for certain."""
        if percent is None:
            return []
        kept = [int(place == 0 or self.src.chance(percent)) for place in range(len(ids))]
        return [
            {"id": name, "count": n * (sum(kept[:place]) < most)}
            for place, (name, n) in enumerate(zip(ids, kept, strict=True))
        ]

    def _discovery_number(self, n: int, name: str) -> Raw:
        verbs, events = list(Verb), list(Trigger)
        verb = verbs[n % len(verbs)]
        reaction = n % 2 == 1 or verb in _ON_EVENTS
        event = self.event_for(verb, events[n % len(events)]) if reaction else None
        return self.discovery(name, verb=verb, event=event)

    def _relic_number(self, n: int, name: str) -> Raw:
        mods, events = list(Mod), list(Trigger)
        if n % 2:
            return self.relic(name, mod=mods[n % len(mods)])
        return self.relic(name, event=events[n % len(events)])

    def _faction(self, faction: FactionSpec) -> Raw:
        old = [{"name": ability.name, "remove": True} for ability in faction.abilities]
        new = [
            {
                "name": f"Made {place}",
                "text": "Made.",
                "rules": [self.rule() for _ in range(self.src.integer(1, 2))],
            }
            for place in range(self.src.integer(1, 2))
        ]
        return {"id": faction.id, "token": "tally", "ability": [*old, *new]}


def _no_defect(path: str, found: str, allowed: str) -> None:
    raise AssertionError(f"{path}: found {found}; allowed: {allowed}")


# ---------------------------------------------------------------- packs
def random_pack(seed: int, **sizes: Any) -> Pack:
    """The pack of a seed; ``sizes`` as of :meth:`CardMaker.pack`."""
    return CardMaker(Source(seed)).pack(**sizes)


def random_content(seed: int, **sizes: Any) -> Content:
    """The content of the pack of a seed, over the standard pack."""
    with tempfile.TemporaryDirectory() as folder:
        return load_content(write_pack(Path(folder) / f"random {seed}", random_pack(seed, **sizes)))


def write_pack(folder: Path, pack: Mapping[str, Raw]) -> Path:
    """Write the files of a pack to a new folder; the folder."""
    folder.mkdir(parents=True)
    for name, data in pack.items():
        (folder / name).write_text(to_toml(data), encoding="utf-8")
    return folder


def to_toml(data: Mapping[str, Any]) -> str:
    """A file with everything in inline form."""
    lines = []
    for key, value in data.items():
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            for item in value:
                lines.append(f"[[{_key(key)}]]")
                lines += [f"{_key(k)} = {_value(v)}" for k, v in item.items()]
        else:
            lines.insert(0, f"{_key(key)} = {_value(value)}")
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    plain = key and all(c.isascii() and (c.isalnum() or c in "_-") for c in key)
    return key if plain else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        escaped = "".join(c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08x}" for c in value)
        return f'"{escaped}"'
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return f"{{ {', '.join(f'{_key(k)} = {_value(v)}' for k, v in value.items())} }}"
