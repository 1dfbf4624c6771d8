"""Conditions on several arguments of one step, and on the place where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from cysmic_fast.content.effect_words import (
    VERBS,
    Alteration,
    By,
    Chooser,
    ConvertTo,
    CountKind,
    DieOp,
    Duration,
    Good,
    Owner,
    PickWhat,
    Register,
    State,
    Trigger,
    Verb,
    Who,
)
from cysmic_fast.content.effects import UNITS, Count, UnitSelector
from cysmic_fast.content.reader import Tell
from cysmic_fast.content.schema import show
from cysmic_fast.content.settings import Setting, events_where
from cysmic_fast.vocabulary import CardAction

TROOPS: Final = UNITS[:3]
VEHICLES: Final = UNITS[3:]

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


def check_place(tell: Tell, verb: Verb, raw: Mapping[str, Any], setting: Setting, path: str) -> None:
    """V1.12, and what the event of a triggered program allows."""
    name, here = verb.name.lower(), setting.name
    flow_places = f"only in an Action or on {events_where(lambda row: row.flow)} (V1.12)"
    if setting.planetary and verb in NEVER_IN_EVENTS:
        tell(path, name, f"no {name} in a Planetary Event (V1.12)")
    elif VERBS[verb].flow and not setting.flow:
        tell(path, f"{name} {here}", f"{name} {flow_places}")
    elif VERBS[verb].flow and Trigger.SECTION in setting.events:
        if verb != Verb.ACT:
            tell(path, f"{name} {here}", "of combat, act, command, bonus and play only act (V1.12)")
        elif setting.by != By.SELF:
            tell(path, f"act {here}, by = {setting.by.name.lower()!r}", "by = 'self' (V1.12)")
    elif verb in (Verb.GATHER, Verb.CYBER) and not setting.flow:
        tell(path, f"{name} {here}", f"{name} {flow_places}")
    elif verb == Verb.FLEE and raw.get("final_strike") is not False and not setting.flow:
        tell(path, f"flee {here}", f"flee with a Final Strike {flow_places}")
    elif verb == Verb.DIE and not setting.every(lambda row: row.dice):
        tell(path, f"die {here}", f"die only on {events_where(lambda row: row.dice)}")
    elif verb == Verb.CANCEL and not setting.every(lambda row: row.cancel):
        tell(path, f"cancel {here}", f"cancel only on {events_where(lambda row: row.cancel)}")


class StepCheck:
    """Conditions on several arguments of one step."""

    def __init__(
        self,
        tell: Tell,
        verb: Verb,
        raw: Mapping[str, Any],
        fields: dict[str, Any],
        setting: Setting,
        path: str,
    ) -> None:
        self._tell, self.verb, self.raw, self.fields = tell, verb, raw, fields
        self.setting, self.path = setting, path

    def tell(self, key: str, found: str, allowed: str) -> None:
        """A defect at ``key`` of the step."""
        self._tell(f"{self.path}.{key}" if key else self.path, found, allowed)

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
        """What holds for every verb."""
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
        """What can be paid to whom ."""
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
                f"only on {events_where(lambda row: what in row.alter)}",
            )

    def check_grant(self) -> None:
        """A Strike needs a Combat."""
        if self.fields["duration"] == Duration.STRIKE and not self.setting.anywhere:
            self.need(
                self.setting.every(lambda row: row.combat),
                "for",
                f"'strike' {self.setting.name}",
                f"'strike' only on {events_where(lambda row: row.combat)}",
            )
