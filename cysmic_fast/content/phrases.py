"""Phrases of plain English for the parts of effects: players, Units, spaces, numbers, conditions, events.

"You" is the player to whom the card belongs. :mod:`cysmic_fast.content.english` makes sentences of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from cysmic_fast.content import effect_words as words
from cysmic_fast.content import effects as fx
from cysmic_fast.content.effect_words import (
    By,
    CombatAxis,
    ControlAxis,
    CountKind,
    DieColour,
    Metric,
    Once,
    Op,
    Owner,
    Register,
    Role,
    SpaceFeature,
    State,
    Trigger,
    Turn,
    Where,
    Who,
)
from cysmic_fast.vocabulary import Icon, UnitType

TROOPS: Final = fx.UNITS[:3]
VEHICLES: Final = fx.UNITS[3:]
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_UNCOUNTED: Final = ("Lorium", "Influence")


# ---------------------------------------------------------------- words
def number(n: int) -> str:
    """``three``, ``14``."""
    return _NUMBERS[n] if 0 <= n < len(_NUMBERS) else str(n)


def join(parts: Iterable[str], last: str = "or") -> str:
    """``a, b or c``."""
    listed = list(parts)
    return f"{', '.join(listed[:-1])} {last} {listed[-1]}" if len(listed) > 1 else "".join(listed)


def plural(noun: str, n: int | None = None) -> str:
    """The noun for ``n`` of it; None for several. Of a phrase with "of" or "with" the first noun changes."""
    if n in (1, -1) or noun in _UNCOUNTED:
        return noun
    for joint in (" with ", " of ", " in "):
        head, found, tail = noun.partition(joint)
        if found:
            return f"{plural(head)}{joint}{tail}"
    if noun.endswith(("ss", "x", "ch")) and not noun.endswith("mech"):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"


def many(n: int, noun: str) -> str:
    """``2 Lorium``, ``1 Relic Card``."""
    return f"{n} {plural(noun, n)}"


def article(noun: str) -> str:
    """``a tile``, ``an Outpost``."""
    return f"an {noun}" if noun[0] in "aeioAEIO" else f"a {noun}"


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def spoken(member: IntEnum) -> str:
    """``first strike`` for FIRST_STRIKE."""
    return member.name.lower().replace("_", " ")


@dataclass(frozen=True, slots=True)
class Subject:
    """A player, or players one after the other, in a sentence."""

    name: str  # "you", "each opponent"
    own: str  # "your", "each opponent's"

    @property
    def you(self) -> bool:
        """Whether this is the reader."""
        return self.name == "you"

    @property
    def their(self) -> str:
        """The possessive pronoun."""
        return "your" if self.you else "their"

    def do(self, verb: str) -> str:
        """``you pay``, ``each opponent pays``."""
        return f"{self.name} {verb if self.you else _third(verb)}"


def _third(verb: str) -> str:
    """Third person: the first word changes."""
    first, space, rest = verb.partition(" ")
    irregular = {"have": "has", "are": "is", "may": "may"}
    if first in irregular:
        first = irregular[first]
    elif first.endswith(("s", "sh", "ch", "x", "o")):
        first += "es"
    elif first.endswith("y") and first[-2] not in "aeiou":
        first = f"{first[:-1]}ies"
    else:
        first += "s"
    return first + space + rest


WHO: Final = {
    Who.SELF: Subject("you", "your"),
    Who.OPPONENT: Subject("an opponent of your choice", "that opponent's"),
    Who.ANY_PLAYER: Subject("a player of your choice", "that player's"),
    Who.EACH_OPPONENT: Subject("each opponent", "each opponent's"),
    Who.ALL: Subject("each player", "each player's"),
    Who.HOLDER: Subject("the owner of the First Player Marker", "the First Player's"),
    Who.REGISTER: Subject("that player", "that player's"),
    Who.SUPPLY: Subject("the supply", "the supply's"),
    Who.NONE: Subject("nobody", "nobody's"),
    Who.ATTACKER: Subject("the Attacker", "the Attacker's"),
    Who.DEFENDER: Subject("the Defender", "the Defender's"),
}
YOU: Final = WHO[Who.SELF]
_BY: Final = {
    By.SELF: Subject("you", "your"),
    By.ENEMY: Subject("an opponent", "an opponent's"),
    By.ANY: Subject("any player", "any player's"),
}
_COMBATS: Final = {
    CombatAxis.MINE: "in a Combat of yours",
    CombatAxis.ANY: "in any Combat",
    CombatAxis.NONE: "outside Combat",
}
_THAT: Final = "that number"
#: What ``$n`` is when an event begins.
_EVENT_NUMBERS: Final = {
    Trigger.SECTION: "the number of its Sections that are over",
    Trigger.COLLAPSE: "the number of tiles",
    Trigger.GATHERED: "the amount",
    Trigger.GAINED: "the amount",
    Trigger.ROBBED: "the amount",
}
_METRICS: Final = {
    Metric.INFLUENCE: "Influence",
    Metric.LORIUM: "Lorium on the track",
    Metric.DISCOVERY: "number of Discovery Cards",
    Metric.RELICS: "number of Relic Cards",
    Metric.ACTIVE_RELICS: "number of Active Relics",
    Metric.CAPTIVES: "number of captives",
    Metric.OWN_CAPTIVES: "number of Units held captive by others",
    Metric.HABITATS: "number of Habitats",
    Metric.BLUEPRINTS: "number of acquired Blueprints",
    Metric.MODULES: "number of Modules",
    Metric.TOKENS: "counter",
    Metric.UNITS_PLANET: "number of Units on the planet",
    Metric.TERRAINS_OCCUPIED: "number of terrains with Units",
}
_TURN_METRICS: Final = {
    Metric.TURN_LORIUM: "Lorium gained",
    Metric.TURN_DISCOVERY: "Discovery Cards gained",
    Metric.TURN_RELICS: "Relic Cards gained",
    Metric.TURN_HABITATS: "Habitats gained",
    Metric.TURN_HABITAT_VALUE: "Habitats gained, added up by value,",
    Metric.TURN_HABITAT_BEST: "the most valuable Habitat gained",
    Metric.TURN_DEPLOYED: "Units Deployed",
    Metric.TURN_UPGRADED: "Troops Upgraded",
    Metric.TURN_PROMOTED: "Troops Field Promoted",
    Metric.TURN_HARVESTS: "Harvests",
    Metric.TURN_MINER_ACTIONS: "Mine and Explore actions",
    Metric.TURN_MOVED: "Moves that ended elsewhere",
    Metric.TURN_TUNL: "Moves that needed TUNLs",
    Metric.TURN_ARROWS: "Moves that needed arrows of the edge",
    Metric.TURN_SHIP_MOVES: "spaces moved by the Colony Ship",
    Metric.TURN_TREMORS: "Tremors caused",
    Metric.TURN_FRACTURES: "Fractures caused",
    Metric.TURN_MODULES: "Modules constructed",
    Metric.TURN_REACTIVATED: "cards Reactivated",
    Metric.TURN_MARKER: "First Player Markers taken",
    Metric.TURN_DEFEATED: "enemy Units defeated",
}
_SPACES: Final = {
    SpaceFeature.CITY: "Colony City",
    SpaceFeature.TUNL: "TUNL",
    SpaceFeature.TILE: "tile",
    SpaceFeature.EXPLORABLE: "explorable space",
    SpaceFeature.LORIUM: "Lorium space",
    SpaceFeature.DEVASTATED: "Devastated space",
    SpaceFeature.ABYSS: "Abyss space",
    SpaceFeature.RELIC_TOKEN: "space with a Relic Token",
}
_CONTROLLERS: Final = {
    ControlAxis.SELF: "you",
    ControlAxis.ENEMY: "an opponent",
    ControlAxis.NONE: "nobody",
    ControlAxis.REGISTER: "that player",
}
_DISTANCES: Final = {
    (0, 0): "in",
    (0, 1): "in or next to",
    (1, 1): "next to",
    (0, 2): "within 2 spaces of",
    (1, 2): "1 or 2 spaces from",
    (2, 2): "exactly 2 spaces from",
}
_OPS: Final = {
    Op.LT: "less than",
    Op.LE: "at most",
    Op.EQ: "exactly",
    Op.GE: "at least",
    Op.GT: "more than",
}
_ROLES: Final = {
    Role.ATTACKER: "you are the Attacker",
    Role.DEFENDER: "you are the Defender",
    Role.INVOLVED: "a Combat of yours",
    Role.BYSTANDER: "a Combat of others",
}
_ONCE: Final = {
    None: "When",
    Once.EVENT: "Each time",
    Once.TURN: "Once per turn when",
    Once.ROUND: "Once per round when",
    Once.CYCLE: "Once per cycle when",
}


_GOODS: Final = {
    words.Good.LORIUM: "Lorium",
    words.Good.DISCOVERY: "Discovery Card",
    words.Good.RELIC: "Relic Card",
    words.Good.CAPTIVE: "captive",
    words.Good.HABITAT: "Habitat",
    words.Good.ANY: "Resource of any kind",
    words.Good.RELIC_ACTIVE: "Active Relic",
    words.Good.ESPIONAGE: "Espionage Card",
    words.Good.MARKER: "First Player Marker",
    words.Good.BLUEPRINT: "Blueprint",
    words.Good.TOKEN: "counter",
}


def good(res: words.Good) -> str:
    """``Discovery Card``."""
    return _GOODS[res]


def _good_of(kind: words.Kind) -> str:
    """What an event of this kind is about."""
    name = (
        _GOODS[words.Good[kind.name]] if kind.name in words.Good.__members__ else capital(kind.name.lower())
    )
    if name in ("Lorium", "First Player Marker"):
        return name.replace("First", "the First")
    return article(name)


def types_text(types: Sequence[UnitType], n: int | None = 1, last: str = "or") -> str:
    """``Troop``, ``Soldiers or Powermechs``; for ``n`` of them, None for several."""
    groups = {TROOPS: ["Troop"], VEHICLES: ["Vehicle"], fx.UNITS: ["Unit"]}
    units = tuple(kind for kind in types if kind != UnitType.SHIP)
    nouns = groups.get(units)
    if nouns is None and set(VEHICLES) <= set(units):
        nouns = [kind.name.capitalize() for kind in units if kind not in VEHICLES] + ["Vehicle"]
    if nouns is None:
        nouns = [kind.name.capitalize() for kind in units]
    ship = ["Colony Ship"] if UnitType.SHIP in types else []
    return join((plural(noun, n) for noun in [*nouns, *ship]), last)


def _span(low: int, high: int) -> str:
    """``2``, ``1 or 2``, ``2 to 4``."""
    return str(low) if low == high else f"{low} {'or' if high == low + 1 else 'to'} {high}"


def icons_text(icons: Iterable[Icon]) -> str:
    """``red or blue``."""
    return join(icon.name.lower() for icon in icons)


def dice_text(colour: DieColour, n: int | None) -> str:
    """``red dice``, ``Combat Die``."""
    kind = {DieColour.RED: "red ", DieColour.YELLOW: "yellow ", DieColour.ANY: "Combat "}[colour]
    noun = "die" if n == 1 else "dice"
    return kind + (noun.capitalize() if colour == DieColour.ANY else noun)


class Phrases:
    """Phrases with the terrains of one planet.

    Parameters
    ----------
    terrains
        Names of the terrains clockwise.
    """

    def __init__(self, terrains: Sequence[str] = words.TERRAIN) -> None:
        self.terrains = tuple(terrains)
        self.area = False  #: ``$space`` is the area of a Fracture or Collapse
        self.number = _THAT  #: what ``$n`` is

    # ------------------------------------------------------------ selectors
    def units(
        self, sel: fx.UnitSelector, amount: str = "", n: int | None = None, *, their: bool = False
    ) -> str:
        """Units: ``up to two of your Unlocked Troops in that space``.

        ``amount`` is a word for the number ``n`` (None: several); ``their``: the owner is the performer.
        """
        if sel.register:
            return f"{amount} of those Units" if amount not in ("", "all") else "those Units"
        state = {State.CONFUSED: "Confused ", State.ANY: ""}.get(sel.state, capital(spoken(sel.state)) + " ")
        if sel.where == Where.CAPTIVE:
            state = "captured "
        owner = "their" if their else {Owner.SELF: "your", Owner.REGISTER: "that player's"}.get(sel.owner)
        if owner is not None and sel.types == (UnitType.SHIP,):
            text = f"{owner} Colony Ship"
        elif owner is not None:
            amount = {"a": "one", "no": "none"}.get(amount, amount)
            text = f"{owner} {state}{types_text(sel.types, None)}"
            text = f"{amount} {'' if amount == 'all' else 'of '}{text}" if amount else text
        else:
            enemy = "enemy " if sel.owner == Owner.ENEMY else ""
            text = f"{state}{enemy}{types_text(sel.types, n)}"
            text = article(text) if amount == "a" else f"{amount} {text}".strip()
            if sel.owner == Owner.FOREIGN:
                text += " of another Faction"
            elif sel.owner == Owner.ANY and amount != "no":
                text += " of any player"
        if sel.where == Where.HELD_OTHER:
            text += " in another player's Holding Area"
        if sel.at is not None:
            text += f" {self.located(sel.at)}"
        if sel.health_n or sel.health is not None:
            text += f" with Health of at most {self.number if sel.health_n else sel.health}"
        return text

    def one_unit(self, sel: fx.UnitSelector) -> str:
        """``a Unit of yours``, for places and conditions."""
        return self.units(sel, "a", 1)

    def space(self, sel: fx.SpaceSelector, n: int | None = 1) -> str:
        """``Habitat worth 1 to 3 controlled by an opponent``, without article; None for several."""
        if sel.register:
            here = "the area" if self.area else "that space"
            return here if sel.register == Register.SPACE else "the space just left"
        nouns = [_SPACES.get(f, capital(spoken(f))) for f in sel.features] or ["space"]
        text = join(noun if noun == "Colony City" else plural(noun, n) for noun in nouns)
        if sel.terrain_register:
            text += " on that terrain"
        if sel.terrains:
            text += f" on {join(self.terrains[t] for t in sel.terrains)}"
        if sel.ring is not None:
            low, high = sel.ring
            text += f" in ring{'' if low == high else 's'} {_span(low, high)}"
        if sel.value is not None:
            low, high = sel.value
            text += f" worth {_span(low, high)}"
        if sel.control:
            text += f" controlled by {join(_CONTROLLERS[c] for c in sel.control)}"
        if sel.holds is not None:
            text += f" with {self.one_unit(sel.holds)}"
        if sel.empty:
            text += " without any Unit"
        if sel.combat is not None:
            text += f" {_COMBATS[sel.combat]}"
        if sel.near is not None:
            text += f" {self.near(sel.near)}"
        return text

    def a_space(self, sel: fx.SpaceSelector) -> str:
        """A space with its article."""
        text = self.space(sel)
        return text if sel.register or sel.features == (SpaceFeature.CITY,) else article(text)

    def located(self, sel: fx.SpaceSelector) -> str:
        """Where: ``in that space``, ``next to one of your Miners``, ``in a Combat of yours``."""
        if sel.near is not None and sel == fx.SpaceSelector(near=sel.near):
            return self.near(sel.near)
        if sel.combat is not None and sel == fx.SpaceSelector(combat=sel.combat):
            return _COMBATS[sel.combat]
        if sel == fx.SpaceSelector(terrain_register=True):
            return "on that terrain"
        return f"in {self.a_space(sel)}"

    def near(self, near: fx.Near) -> str:
        """The distance and what it is measured from."""
        distance = _DISTANCES[near.low, near.high]
        if near.units is not None:
            of = "the space of " if near.low == 0 and near.high < 2 else ""
            return f"{distance} {of}{self.one_unit(near.units)}"
        assert near.space is not None
        return f"{distance} {self.a_space(near.space)}"

    # ------------------------------------------------------------ numbers
    def amount(self, count: fx.Count, upto: bool = False) -> tuple[str, int | None]:
        """A word for the number of a step, and the number if it is known."""
        upto_word = "up to " if upto else ""
        if count.kind == CountKind.NUMBER:
            return upto_word + number(count.number), count.number
        if count.kind == CountKind.ALL:
            return "any number" if upto else "all", None
        most = "" if count.most is None else f", at most {count.most},"
        if count.kind == CountKind.REGISTER:
            return f"{upto_word}that many{most}", None
        return f"{upto_word}a number ({self.tally(count)}{most.rstrip(',')})", None

    def some(self, count: fx.Count, noun: str) -> str:
        """``2 Lorium``, ``that many Discovery Cards``."""
        if count.kind == CountKind.NUMBER:
            return many(count.number, noun)
        if count.kind == CountKind.ALL:
            return f"all {plural(noun)}"
        most = "" if count.most is None else f", at most {count.most}"
        if count.kind == CountKind.REGISTER:
            return f"that many {plural(noun)}{most}"
        return f"as many {plural(noun)} as {self.tally(count)}{most}"

    def figure(self, count: fx.Count) -> str:
        """A bare number: ``2``, ``the number of tiles, at most 3``."""
        most = "" if count.most is None else f", at most {count.most}"
        if count.kind == CountKind.NUMBER:
            return str(count.number)
        return (self.number if count.kind == CountKind.REGISTER else self.tally(count)) + most

    def tally(self, count: fx.Count) -> str:
        """What is counted."""
        if count.units is not None:
            return f"the number of {self.units(count.units)}"
        if count.space is not None:
            return f"the number of {self.space(count.space, None)}"
        assert count.metric is not None
        return self.metric(count.metric, YOU)

    def metric(self, metric: Metric, who: Subject) -> str:
        """``your Influence``, ``that number``."""
        if metric == Metric.N:
            return self.number
        return f"{who.own} {_METRICS.get(metric) or f'number of {_TURN_METRICS[metric]} this turn'}"

    # ------------------------------------------------------------ conditions and triggers
    def condition(self, cond: fx.Condition) -> str:
        """``there is one of your Troops in that space and it is your turn``."""
        parts = []
        if cond.exists is not None:
            parts.append(self._there(cond, lambda amount, n: self.units(cond.exists, amount, n)))  # type: ignore[arg-type]
        if cond.site is not None:
            parts.append(self._there(cond, lambda amount, n: f"{amount} {self.space(cond.site, n)}"))  # type: ignore[arg-type]
        if cond.metric is not None:
            what = self.metric(cond.metric, WHO[cond.who])
            parts.append(f"{what} is {_OPS[cond.op]} {cond.value}")
        if cond.role is not None:
            role = {Role.ATTACKER: "the Attacker in it", Role.DEFENDER: "the Defender in it"}
            other = {Role.INVOLVED: "in that Combat", Role.BYSTANDER: "not in that Combat"}
            parts.append(f"you are {(role | other)[cond.role]}")
        if cond.turn is not None:
            parts.append("it is your turn" if cond.turn == Turn.OWN else "it is another player's turn")
        return join(parts, "and")

    def _there(self, cond: fx.Condition, what: Callable[[str, int | None], str]) -> str:
        low, high = cond.low, cond.high
        if high == 0:
            return f"there are {what('no', None)}"
        if high is None:
            return f"there {'is' if low == 1 else 'are'} {what(f'at least {number(low)}', low)}"
        amount = f"at most {number(high)}" if low == 0 else f"{number(low)} to {number(high)}"
        return f"there are {what(amount, high)}"

    def trigger(self, spec: fx.TriggerSpec) -> str:
        """``When an opponent has rolled a Strike in a Combat of yours, if …``."""
        self.area = set(spec.on) <= {Trigger.COLLAPSE, Trigger.FRACTURE_DRAWN}
        self.number = _EVENT_NUMBERS.get(spec.on[0], _THAT) if len(spec.on) == 1 else _THAT
        text = f"{_ONCE[spec.once]} {join(self._event(event, spec) for event in spec.on)}"
        if spec.role is not None:
            text += f" ({_ROLES[spec.role]})"
        if spec.cond is not None:
            text += f", if {self.condition(spec.cond)}"
        return text

    def _event(self, event: Trigger, spec: fx.TriggerSpec) -> str:
        by = _BY[spec.by]
        of = None if spec.of is None else _BY[spec.of]
        against = "" if of is None else of.name
        kinds = join(spoken(kind) for kind in spec.kinds)
        in_kinds = f" ({kinds})" if kinds else ""
        t = Trigger
        match event:
            case t.TURN_START:
                return f"{by.own} turn starts"
            case t.SECTION:
                names = (spoken(kind).removesuffix(" card").title() for kind in spec.kinds)
                cards = join(f"{name} card" for name in names) or "Command Card"
                return (
                    f"{by.do('are between the Sections')} of {by.their} Played {cards}"
                    " (before the first and after the last too)"
                )
            case t.TREMOR:
                return f"{by.do('are about to cause a Tremor')}{in_kinds}"
            case t.BONUS_STEP:
                return f"{by.own} Bonus Action step begins"
            case t.BONUS_CHOSEN:
                return f"{by.do('choose')} {article(f'{kinds} Bonus Action'.strip())}"
            case t.BONUS_DONE:
                return f"{by.do('have performed')} {article(f'{kinds} Bonus Action'.strip())}"
            case t.TURN_END:
                return f"{by.own} turn ends"
            case t.ENTERED:
                whose = "a Unit" if of is None or spec.of == By.ANY else f"{of.own} Unit"
                cause = "" if spec.by == By.ANY else f", brought by {by.name}"
                return f"{whose} comes to rest in a space{in_kinds}{cause}"
            case t.COMBAT_BEGUN:
                return f"{by.do('have begun a Combat')}{f' with {against}' if against else ''}"
            case t.COMBAT_START:
                return f"{by.do('are about to resolve a Combat')}"
            case t.STRIKE_START:
                return f"{by.do('are about to roll a Strike')}{f' against {against}' if against else ''}"
            case t.STRIKE_ROLLED:
                when = {words.Kind.REROLL: "before rerolls", words.Kind.VALUE: "before modifiers"}
                step = f" ({join(when[kind] for kind in spec.kinds)})" if spec.kinds else ""
                return f"{by.do('have rolled a Strike')}{f' against {against}' if against else ''}{step}"
            case t.STRIKE_FINAL:
                return f"the dice of {by.own} Strike{f' against {against}' if against else ''} are final"
            case t.DEFEATED:
                return f"{by.do('are about to defeat')} {f'{of.own} ' if of else ''}Units{in_kinds}"
            case t.FLEE_DECLARED:
                return f"{by.do('declare to Flee')}{f' from {against}' if against else ''}"
            case t.COMBAT_END:
                rest = f", {against} being gone" if against else ""
                return f"a Combat has ended{in_kinds} and {by.do('stay')}{rest}"
            case t.CYBER_ROLLED:
                return f"{by.do('have rolled a Cyber Attack')}{f' on {against}' if against else ''}"
            case t.GATHERED:
                goods = {words.Kind.LORIUM: "Lorium", words.Kind.DISCOVERY: "Discovery Cards"}
                what = join(goods[kind] for kind in spec.kinds) or "Lorium or Discovery Cards"
                return f"{by.own} Units have produced {what}"
            case t.GAINED:
                return f"{by.do('have gained')} {join(map(_good_of, spec.kinds)) or 'anything but Lorium'}"
            case t.DISCOVERY_PLAYED:
                return f"{by.do('play a Discovery Card')}{f' as {kinds}' if kinds else ''}"
            case t.HABITAT_LOST:
                how = {words.Kind.TAKEN: "take", words.Kind.NEUTRALIZED: "neutralize"}
                act = join(how[kind] for kind in spec.kinds) or "take or neutralize"
                return f"{by.do(f'are about to {act}')} {f'{of.own} ' if of else 'a '}Habitat"
            case t.ROBBED:
                goods_of = join(map(_good_of, spec.kinds)) or "goods"
                return f"{by.do('are about to take or discard')} {f'{of.own} ' if of else ''}{goods_of}"
            case t.FRACTURE_DRAWN:
                return f"{by.do('have drawn a Fracture Token')}{in_kinds}"
            case t.COLLAPSE:
                cause = "" if spec.by == By.ANY else f" because of {by.name}"
                return f"spaces are about to Collapse{cause}"
            case t.LAUNCH:
                return by.do("declare a Launch that leaves Units behind")
        raise AssertionError(event)
