"""Programs, rules and rewards in plain English, made from their compiled form: what a card really does.

"You" is the player to whom the card belongs. Steps that end the program when they cannot be done say so:
"(if there is none, stop)" after a pick, else "(if this cannot be done, stop)"; nobody has a choice there.
:mod:`cysmic_fast.content.show` puts whole cards together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from cysmic_fast.content import effects as fx
from cysmic_fast.content.effect_words import (
    VERBS,
    Alteration,
    BonusColumn,
    BonusRule,
    Chooser,
    CombatAxis,
    CommandFrom,
    CommandKind,
    CommandPart,
    ControlAs,
    ConvertTo,
    CountKind,
    Deck,
    DieOp,
    Dropship,
    Duration,
    Good,
    IconsFrom,
    IconSource,
    Immunity,
    LimitOf,
    Method,
    MoveMode,
    Owner,
    Part,
    PassFeature,
    Per,
    PickWhat,
    PlayAs,
    ReclaimFrom,
    Register,
    Role,
    ScryRest,
    Side,
    TokenOp,
    Verb,
    Where,
    Who,
)
from cysmic_fast.content.phrases import (
    WHO,
    YOU,
    Phrases,
    Subject,
    article,
    capital,
    dice_text,
    good,
    icons_text,
    join,
    many,
    number,
    plural,
    spoken,
    types_text,
)
from cysmic_fast.content.types import RewardItem, Rewards
from cysmic_fast.vocabulary import CardAction

INDENT: Final = "   "


class English(Phrases):
    """Sentences for effects, as lists of lines; see :class:`Phrases` for its parameter."""

    # ------------------------------------------------------------ programs
    def program(self, program: fx.Program) -> list[str]:
        """The steps, numbered if there are several."""
        self.area, self.number = False, "that number"
        return self._list(program.steps)

    def _list(self, steps: fx.Steps) -> list[str]:
        if len(steps) == 1:
            return self.step(steps[0])
        lines = []
        for place, step in enumerate(steps, 1):
            first, *more = self.step(step)
            lines += [f"{place}. {first}", *(INDENT + line for line in more)]
        return lines

    def _inside(self, steps: fx.Steps) -> list[str]:
        return [INDENT + line for line in self._list(steps)]

    def step(self, step: fx.Step) -> list[str]:
        """One step and the lists inside it."""
        who = WHO[step.who]
        match step:
            case fx.Choose():
                lines = [self._sentence(step, who, "choose one of these", ":")]
                for option in step.options:
                    first, *more = self._list(option)
                    lines += [f"{INDENT}- {first}", *(f"{INDENT}  {line}" for line in more)]
                return lines
            case fx.If():
                lines = [f"If {self.condition(step.cond)}:", *self._inside(step.then)]
                return [*lines, "Otherwise:", *self._inside(step.otherwise)] if step.otherwise else lines
            case fx.Each():
                return [self._each(step, who), *self._inside(step.run)]
        verb: str = getattr(self, f"_{step.verb.name.lower()}")(step, who)
        if Register.SPACE in VERBS[step.verb].sets or step.verb == Verb.PICK:
            self.area = step.verb == Verb.COLLAPSE
        if Register.N in VERBS[step.verb].sets:
            self.number = "that number"
        return [self._sentence(step, who, verb)]

    def _sentence(self, step: fx.Step, who: Subject, verb: str, end: str = ".") -> str:
        """``You may pay 2 Lorium (if this cannot be done, stop).``"""
        text = f"{who.name} may {verb}" if step.opt else verb if who.you else who.do(verb)
        stop = ""
        if isinstance(step, fx.Pick):
            stop = " (if there is none, stop)"
        elif step.must or isinstance(step, fx.Pay):
            stop = " (if this cannot be done, stop)"
        return f"{capital(text)}{stop}{end}"

    def _each(self, step: fx.Each, who: Subject) -> str:
        if isinstance(step.over, Who):
            name = WHO[step.over].name
            over = name if name.startswith("each") else f"one player, {name}"
        elif isinstance(step.over, fx.UnitSelector):
            over = self.units(step.over, "each", 1)
        else:
            over = f"each {'of ' if step.over.register else ''}{self.space(step.over)}"
            self.area = False
        once = " (only those that take part in the card, each once)" if step.once else ""
        if not step.asks:
            return f"For {over}{once}:"
        most = "" if step.most is None else f", for at most {number(step.most)}"
        may = "you may" if who.you else f"{who.name} may"
        return f"For {over}{once} {may}{most}:"

    # ------------------------------------------------------------ flow and goods
    def _pay(self, step: fx.Pay, who: Subject) -> str:
        if step.res == Good.INFLUENCE:
            return f"Recall Troops worth {self.some(step.n, 'Influence')}"
        to = WHO[step.to]
        if step.res == Good.HOSTAGE:
            units = f"{self.amount(step.n)[0]} of {who.their} Unlocked Troops"
            return f"hand {units} over to {to.name} as {'a captive' if step.n == fx.ONE else 'captives'}"
        if step.res == Good.TOKEN:
            return f"lower {who.their} counter by {self.figure(step.n)}"
        return f"pay {self.some(step.n, good(step.res))} to {to.name}"

    def _pick(self, step: fx.Pick, who: Subject) -> str:
        if step.what == PickWhat.TERRAIN:
            return "choose a terrain"
        if step.space is not None:
            return f"choose {self.a_space(step.space)}"
        assert step.player is not None
        return f"choose {WHO[step.player].name.removesuffix(' of your choice')}"

    def _roll(self, step: fx.Roll, who: Subject) -> str:
        highest = "; the highest is the number" if step.n > 1 else ""
        return f"roll {number(step.n)} {dice_text(step.dice, step.n)}{highest}"

    def _gain(self, step: fx.Gain, who: Subject) -> str:
        if step.res == Good.MARKER:
            return "take the First Player Marker"
        if step.res == Good.TOKEN:
            return f"raise {who.their} counter by {self.figure(step.n)}"
        of = "" if step.of is None else f" of {WHO[step.of].name}"
        return f"gain {self.some(step.n, good(step.res))}{of}"

    def _lose(self, step: fx.Lose, who: Subject) -> str:
        by = ""
        if step.res != Good.LORIUM:
            by = {
                Chooser.OWNER: f" of {'your' if who.you else 'their own'} choice",
                Chooser.SELF: " of your choice",
                Chooser.RANDOM: " at random",
            }[step.by]
        return f"lose {self.some(step.n, good(step.res))}{by}"

    def _steal(self, step: fx.Steal, who: Subject) -> str:
        source = WHO[step.source].name
        how = ""
        if step.res != Good.LORIUM:
            victim = "the victim" if step.source != Who.SELF else "you"
            how = {
                Chooser.OWNER: f", chosen by {victim}",
                Chooser.SELF: f", chosen by {'you' if who.you else 'the thief'}, who may look",
                Chooser.RANDOM: ", at random",
            }[step.by].replace("you, who may look", "you, looking at all of them")
        return f"steal {self.some(step.n, good(step.res))} from {source}{how}"

    def _trade(self, step: fx.Trade, who: Subject) -> str:
        return f"make up to {number(step.n)} offers of Resource Trading"

    def _store(self, step: fx.Store, who: Subject) -> str:
        return f"store up to {step.n} Lorium in a Relic Slot"

    def _scry(self, step: fx.Scry, who: Subject) -> str:
        keep = "" if not step.keep else f", keep {number(step.keep)}"
        one = step.n - step.keep == 1
        rest = {
            ScryRest.BOTTOM: f"put the {'other' if one else 'others'} under the deck",
            ScryRest.DISCARD: f"discard the {'other' if one else 'others'}",
            ScryRest.ANY: f"put {'it' if step.n == 1 else 'each of the others' if step.keep else 'each'}"
            " on the top or under the deck",
            ScryRest.SIFT: f"put {'it' if step.n == 1 else 'each of the others' if step.keep else 'each'}"
            " back on the top or discard it",
        }[step.rest]
        if step.n == step.keep:
            rest = ""
        top = "top card" if step.n == 1 else f"top {number(step.n)} cards"
        rest = f" and {rest}" if rest else ""
        return f"look at the {top} of the {spoken(step.deck).capitalize()} Deck{keep}{rest}"

    # ------------------------------------------------------------ Units
    def _deploy(self, step: fx.Deploy, who: Subject) -> str:
        at = "" if step.at is None else f" {self.located(step.at)}"
        if step.budget is not None or step.influence:
            limit = f"of {step.budget}" if step.budget is not None else f"of {who.their} Influence"
            return f"Deploy {types_text(step.types, None)} with a total cost {limit} at most{at}"
        word, n = self.amount(step.n, step.upto)
        return f"Deploy {word} {types_text(step.types, n)}{at}"

    def _their(self, step: fx.Step, units: fx.UnitSelector) -> bool:
        """Whether the Units are the performer's, who is not the card's player."""
        return step.who == Who.REGISTER and units.owner == Owner.REGISTER

    def _some_units(self, step: fx.Step, units: fx.UnitSelector, count: fx.Count) -> str:
        word, n = self.amount(count, step.upto)
        text = self.units(units, word, n, their=self._their(step, units))
        return f"{text}, Confused ones too" if isinstance(step, fx.Destroy) and units.confused else text

    def _convert(self, step: fx.Convert, who: Subject) -> str:
        units = self._some_units(step, step.units, step.n)
        if step.to == ConvertTo.VEHICLE:
            less = f" for {step.discount} Lorium less" if step.discount else ""
            drop = {
                Dropship.NORMAL: "",
                Dropship.NEVER: ", only in Deploy Locations",
                Dropship.ONLY: ", only by Dropship",
            }[step.dropship]
            return f"Upgrade {units}{less}{drop}"
        if step.to == ConvertTo.BASE:
            it = "the Troop it was" if step.n == fx.ONE else "the Troops they were"
            return f"turn {units} back into {it} Upgraded from"
        one = 1 if step.n == fx.ONE else None
        into = "other Troops" if one is None else "another Troop"
        if step.to != ConvertTo.TROOP:
            into = article(spoken(step.to).capitalize()) if one else plural(spoken(step.to).capitalize())
        return f"replace {units} by {into}"

    def _move(self, step: fx.Move, who: Subject) -> str:
        units = self._some_units(step, step.units, step.n)
        far = "" if step.steps is None else f" up to {number(step.steps)} {plural('space', step.steps)}"
        if step.mode == MoveMode.JUMP:
            how = f"let {units} jump{far} over everything"
        else:
            how = f"move {units}{far}"
            if step.mode == MoveMode.EITHER:
                how += ", walking or with Jumpjets"
        if step.end is not None:
            how += f", ending in {self.a_space(step.end)}"
        if step.must:
            how += ", to another space"
        if not step.engage:
            how += ", beginning no Combat"
        if step.tremor:
            how += "; a jump causes a Tremor"
        if step.board:
            how += "; they may board the Colony Ship (Evacuate)"
        return how

    def _place(self, step: fx.Place, who: Subject) -> str:
        if step.swap is not None:
            other = self.units(replace(step.swap, at=None), "all")
            at = "" if step.swap.at is None else f" {self.located(step.swap.at)}"
            return f"let {self.units(step.units, 'all')} trade places with {other} of one space{at}"
        units = self._some_units(step, step.units, step.n)
        where = "on Deploy Locations" if step.to is None else self.located(step.to)
        may = ", even where this begins a Combat" if step.engage else ""
        return f"place {units} {where}{may}"

    def _recall(self, step: fx.Recall, who: Subject) -> str:
        one = step.n == fx.ONE and not step.upto
        home = "its owner's Reserve" if one else "their owners' Reserves"
        if step.units.where == Where.PLANET:
            return f"return {self._some_units(step, step.units, step.n)} to {home}"
        if step.units.where == Where.CAPTIVE:
            return f"rescue {self._some_units(step, step.units, step.n)}"
        return f"release {self._some_units(step, step.units, step.n)} to {home}"

    def _destroy(self, step: fx.Destroy, who: Subject) -> str:
        return f"destroy {self._some_units(step, step.units, step.n)}"

    def _capture(self, step: fx.Capture, who: Subject) -> str:
        verb = "capture" if step.units.where == Where.PLANET else "take"
        return f"{verb} {self._some_units(step, step.units, step.n)}"

    def _confuse(self, step: fx.Confuse, who: Subject) -> str:
        return f"confuse {self._some_units(step, step.units, step.n)}"

    # ------------------------------------------------------------ commands
    def _act(self, step: fx.Act, who: Subject) -> str:
        units = self._some_units(step, step.units, step.n)
        if step.whole:
            return f"Activate {units}"
        only = ", for Lorium only" if step.lorium_only else ""
        return f"let {units} perform one of these actions: {_actions(step.actions)}{only}"

    def _gather(self, step: fx.Gather, who: Subject) -> str:
        units = self._some_units(step, step.units, step.n)
        tremor = ""
        if step.kind == CardAction.HARVEST:
            tremor = "; each causes a Tremor" if step.tremor else " without a Tremor"
        return f"{spoken(step.kind).capitalize()} with {units}{tremor}"

    def _command(self, step: fx.Command, who: Subject) -> str:
        kind = "Unit" if step.kind == CommandKind.UNIT else "Tactic"
        source = {
            CommandFrom.HAND: f"in {who.their} hand",
            CommandFrom.PLAYED: "lying face up",
            CommandFrom.EARLIER: "Played on an earlier turn",
        }[step.source]
        part = "perform one action" if step.part == CommandPart.ACTION else "Reactivate all"
        return f"{part} of {article(kind + ' card')} {source}"

    def _reclaim(self, step: fx.Reclaim, who: Subject) -> str:
        cards = "Burned" if step.source == ReclaimFrom.BURNED else "Burned or Played"
        amount = f"up to {number(step.n)}" if step.upto else number(step.n)
        return f"take back {amount} {plural('Command Card', step.n)} {cards} on an earlier turn of this cycle"

    def _bonus(self, step: fx.Bonus, who: Subject) -> str:
        if step.icons_from == IconsFrom.EVENT:
            return "perform the same Bonus Action"
        column = " of the current column" if step.column == BonusColumn.CURRENT else " of any column"
        if step.icons_from == IconsFrom.PLAYED:
            return f"perform a Bonus Action with one of {who.their} icons{column}"
        return f"perform {article(icons_text(step.icons) + ' Bonus Action')}{column}"

    def _play(self, step: fx.Play, who: Subject) -> str:
        if step.deck == Deck.SUBROUTINE:
            return "draw a Subroutine Card and perform the first of its programs that can be done in full"
        if step.mode == PlayAs.REWARD:
            return "play a Discovery Card for its Rewards"
        return "play a Discovery Card, an Action for its ability or any for its Rewards"

    # ------------------------------------------------------------ planet
    def _control(self, step: fx.Control, who: Subject) -> str:
        word, n = self.amount(step.n, step.upto)
        one = step.n.kind == CountKind.NUMBER and step.n.number == 1 and not step.upto
        what = self.a_space(step.at) if one else f"{word} {self.space(step.at, n)}"
        means = "" if step.means == ControlAs.EFFECT else f", as {spoken(step.means)}"
        if step.to == Who.NONE:
            return f"remove the flag from {what}{means}"
        if step.to == step.who or (step.to == Who.SELF and who.you):
            return f"take control of {what}{means}"
        return f"give control of {what} to {WHO[step.to].name}{means}"

    def _tremor(self, step: fx.Tremor, who: Subject) -> str:
        if step.n < 0:
            return f"move the Tremor stack {number(-step.n)} {plural('position', -step.n)} back"
        return f"cause {number(step.n)} {plural('Tremor', step.n)}"

    def _fracture(self, step: fx.Fracture, who: Subject) -> str:
        choice = "" if step.draw == 1 else f", choosing one of {number(step.draw)} Fracture Tokens"
        return f"cause a Fracture{choice}"

    def _collapse(self, step: fx.Collapse, who: Subject) -> str:
        word, n = self.amount(step.n, step.upto)
        where = self.space(step.space, n)
        return f"Collapse {where if step.space.register else f'{word} {where}'}"

    def _token(self, step: fx.Token, who: Subject) -> str:
        word, n = self.amount(step.n, step.upto)
        where = self.space(step.space, n)
        where = where if step.space.register else f"{word} {where}"
        return {
            TokenOp.ADD: f"put a Relic Token on {where}",
            TokenOp.REMOVE: f"remove the Relic Tokens of {where}",
            TokenOp.COLLECT: f"collect the Relic Tokens of {where}",
        }[step.op]

    # ------------------------------------------------------------ combat and Ship
    def _combat(self, step: fx.Combat, who: Subject) -> str:
        word, n = self.amount(step.n, step.upto)
        which = f"{plural('Combat', n)} of any players"
        if step.which == CombatAxis.MINE:
            which = f"{'' if word == 'all' else 'of '}{who.their} Combats"
        first = {Who.SELF: "you strike first"}.get(step.first, WHO[step.first].do("strike first"))
        no_captures = "" if step.captures else "; what would be captured is destroyed"
        return f"resolve {word} {which}; {first}{no_captures}"

    def _flee(self, step: fx.Flee, who: Subject) -> str:
        strike = "" if step.final_strike else " without a Final Strike"
        return f"Flee one of {who.their} Combats{strike}"

    def _die(self, step: fx.Die, who: Subject) -> str:
        word, n = self.amount(step.n, step.upto)
        dice = f"{word} {dice_text(step.colour, n)}"
        return {
            DieOp.ADD: f"change {dice} by {step.value:+d}",
            DieOp.SET: f"set {dice} to {step.value}",
            DieOp.REROLL: f"reroll {dice}",
            DieOp.DROP: f"take away {dice}",
        }[step.op]

    def _alter(self, step: fx.Alter, who: Subject) -> str:
        if step.what == Alteration.FINAL_STRIKE:
            return "leave out the Final Strike"
        if step.what == Alteration.REDRAW:
            return "let another Fracture Token be drawn instead"
        assert step.to is not None
        to = WHO[step.to].name
        if step.what == Alteration.FIRST_STRIKE:
            return f"give First Strike to {to}" if step.to != step.who else "take First Strike"
        return f"let {to} assign the hits" if step.to != step.who else "assign the hits"

    def _cancel(self, step: fx.Cancel, who: Subject) -> str:
        return "cancel it"

    def _cyber(self, step: fx.Cyber, who: Subject) -> str:
        attacks = f"{'up to ' if step.upto else ''}{number(step.n)} {plural('Cyber Attack', step.n)}"
        more = "die" if step.dice == 1 else "dice"
        dice = f" with {number(step.dice)} more {more}{'' if step.n == 1 else ' each'}" if step.dice else ""
        return f"make {attacks}{dice} from at most {many(step.range, 'space')} away"

    def _ransom(self, step: fx.Ransom, who: Subject) -> str:
        word, n = self.amount(step.n, step.upto)
        return f"return captives for {word} {plural('Blueprint', n)}"

    def _construct(self, step: fx.Construct, who: Subject) -> str:
        word, n = self.amount(step.n, step.upto)
        methods = {Method.MANUAL: "manually", Method.ROBOTIC: "robotically", Method.FREE: "at no cost"}
        how = methods[step.method]
        less = f" for {step.discount} Lorium less" if step.discount else ""
        return f"construct {word} {plural('Module', n)} {how}{less}"

    def _grant(self, step: fx.Grant, who: Subject) -> str:
        to = WHO[step.to]
        spans = {
            Duration.STRIKE: f"for {to.own} present or next Strike in this Combat",
            Duration.COMBAT: "until the present or next resolution of a Combat ends",
            Duration.TURN: "until the turn ends",
            Duration.ROUND: "until your next turn starts",
        }
        mods = "; ".join(self.mod(mod, to) for mod in step.mods)
        return f"grant {spans[step.duration]}: {mods}"

    # ------------------------------------------------------------ modifiers
    def mod(self, mod: fx.Modifier, who: Subject = YOU) -> str:
        """A modifier for one player or several, without full stop."""
        text: str = getattr(self, f"_mod_{mod.mod.name.lower()}")(mod, who)
        sides = {Role.ATTACKER: "the Attacker", Role.DEFENDER: "the Defender"}
        return f"{text} as {sides[mod.role]}" if mod.role is not None else text

    def _mod_move(self, mod: fx.Modifier, who: Subject) -> str:
        mode = {MoveMode.WALK: " when walking", MoveMode.JUMP: " when jumping", MoveMode.EITHER: ""}[mod.mode]
        far = f"{number(abs(mod.n))} {plural('space', mod.n)} {'further' if mod.n > 0 else 'less'}"
        return f"{_types(mod, who)} move {far}{mode}"

    def _mod_health(self, mod: fx.Modifier, who: Subject) -> str:
        return f"{_types(mod, who)} have {mod.n:+d} on each Health number"

    def _mod_dice(self, mod: fx.Modifier, who: Subject) -> str:
        dice = f"{number(abs(mod.n))} {dice_text(mod.colour, abs(mod.n))} {'more' if mod.n > 0 else 'less'}"
        if mod.per == Per.STRIKE:
            return f"{dice} in each of {who.own} Strikes"
        return f"{dice} for each of {_types(mod, who)} in a Strike"

    def _mod_die_value(self, mod: fx.Modifier, who: Subject) -> str:
        return f"{who.own} {dice_text(mod.colour, None)} count {mod.n:+d} in Strikes"

    def _mod_rerolls(self, mod: fx.Modifier, who: Subject) -> str:
        more = f"{number(abs(mod.n))} {plural('reroll', mod.n)} {'more' if mod.n > 0 else 'less'}"
        return f"{more} of {article(dice_text(mod.colour, 1))} in each of {who.own} Strikes"

    def _mod_shields(self, mod: fx.Modifier, who: Subject) -> str:
        more = f"{number(abs(mod.n))} {plural('Shield', mod.n)} {'more' if mod.n > 0 else 'less'}"
        return f"{more} in each of {who.own} Combats"

    def _mod_first_strike(self, mod: fx.Modifier, who: Subject) -> str:
        return f"{who.do('have')} First Strike"

    def _mod_ability(self, mod: fx.Modifier, who: Subject) -> str:
        assert mod.ability is not None
        return f"{_types(mod, who)} have {spoken(mod.ability).title().replace('Jumpjet', 'Jumpjets')}"

    def _mod_pass(self, mod: fx.Modifier, who: Subject) -> str:
        names = {PassFeature.LAKE: "Lakes", PassFeature.MOUNTAIN: "Mountains"}
        return f"{_types(mod, who)} may move through {join((names[f] for f in mod.features), 'and')}"

    def _mod_escape_move(self, mod: fx.Modifier, who: Subject) -> str:
        return f"each of {who.own} escaping Units makes a whole Move to a space of its own"

    def _mod_no_capture(self, mod: fx.Modifier, who: Subject) -> str:
        units = types_text(mod.types, None)
        whose = f"{who.own} {units}" if mod.side == Side.OWN else f"enemy {units} defeated by {who.name}"
        return f"{whose} return to the Reserve instead of being captured in a Strike"

    def _mod_recruit_budget(self, mod: fx.Modifier, who: Subject) -> str:
        return f"{who.do('Recruit')} with {mod.n:+d} Influence"

    def _mod_upgrade_cost(self, mod: fx.Modifier, who: Subject) -> str:
        if mod.part == Part.DROPSHIP:
            return f"{who.own} Dropships cost {mod.n:+d} Lorium"
        types = tuple(kind for kind in mod.types if kind in fx.UNITS[3:])
        return f"{who.own} {types_text(types, None)} cost {mod.n:+d} Lorium"

    def _mod_module_cost(self, mod: fx.Modifier, who: Subject) -> str:
        part = "Lorium" if mod.part == Part.LORIUM else "Influence in Troops"
        return f"{who.own} Modules cost {mod.n:+d} {part}"

    def _mod_deploy_at(self, mod: fx.Modifier, who: Subject) -> str:
        assert mod.space is not None
        return f"{self.a_space(mod.space)} is a Deploy Location for {who.name}"

    def _mod_gather_bonus(self, mod: fx.Modifier, who: Subject) -> str:
        assert mod.res is not None
        per = {
            Per.UNIT: "for each Unit",
            Per.SPACE: "for each space",
            Per.ACTION: "once for all Units together",
            Per.STRIKE: "",
        }[mod.per]
        return f"{mod.n:+d} {plural(good(mod.res), mod.n)} {per} when {who.own} Units {_actions(mod.gathers)}"

    def _mod_limit(self, mod: fx.Modifier, who: Subject) -> str:
        limits = {
            LimitOf.LORIUM: "limit of stored Lorium",
            LimitOf.DISCOVERY: "limit of Discovery Cards",
            LimitOf.CELLS: "number of Holding Cells",
        }
        assert mod.limit is not None
        return f"{who.own} {limits[mod.limit]} is {mod.n:+d}"

    def _mod_relic_draw(self, mod: fx.Modifier, who: Subject) -> str:
        more = "more" if mod.n > 0 else "less"
        return f"{who.do('draw')} {many(abs(mod.n), 'Relic Card')} {more} to choose from"

    def _mod_card_modifier(self, mod: fx.Modifier, who: Subject) -> str:
        return f"{who.own} Discovery Cards count {mod.n:+d}, away from 0, as die modifiers"

    def _mod_play_both(self, mod: fx.Modifier, who: Subject) -> str:
        return f"a Discovery Card that {who.do('play')} gives both ability and Rewards"

    def _mod_bonus_icons(self, mod: fx.Modifier, who: Subject) -> str:
        if mod.source == IconSource.BURNED:
            return f"the icons of the card {who.name} Burned this turn count too"
        if mod.source == IconSource.PREVIOUS:
            return f"the icons of the card {who.name} Played last turn of this cycle count too"
        icons = join((icon.name.lower() for icon in mod.icons), "and")
        return f"{who.do('have')} {icons} as a Bonus Action Icon in every turn"

    def _mod_bonus_rule(self, mod: fx.Modifier, who: Subject) -> str:
        if mod.rule == BonusRule.PER_ICON:
            return f"{who.name} may perform one Bonus Action for each icon"
        return f"{who.name} may play one Discovery Card besides the Bonus Action"

    def _mod_reclaim_with(self, mod: fx.Modifier, who: Subject) -> str:
        assert mod.res is not None
        return f"{who.name} may Reclaim by paying {many(mod.n, good(mod.res))} instead of a Relic Card"

    def _mod_no_tremor(self, mod: fx.Modifier, who: Subject) -> str:
        names = {"jumpjet": "jumps", "harvest": "Harvests", "dropship": "Dropship Upgrades"}
        return f"{who.own} {join((names[spoken(a)] for a in mod.tremors), 'and')} cause no Tremor"

    def _mod_fracture_draw(self, mod: fx.Modifier, who: Subject) -> str:
        more = "more" if mod.n > 0 else "less"
        return f"{who.do('draw')} {many(abs(mod.n), 'Fracture Token')} {more} to choose from"

    def _mod_immune(self, mod: fx.Modifier, who: Subject) -> str:
        acts = {
            Immunity.STEAL: f"steal from {who.name}",
            Immunity.LOSE: f"make {who.name} lose anything",
            Immunity.DESTROY: f"destroy {who.own} Units",
            Immunity.CAPTURE: f"capture {who.own} Units",
            Immunity.CONFUSE: f"confuse {who.own} Troops",
            Immunity.CONVERT: f"convert {who.own} Units",
            Immunity.DRIVE: f"move or place {who.own} Units",
            Immunity.CONTROL: f"change the control of {who.own} Habitats",
        }
        return f"effects of other players cannot {join(acts[i] for i in mod.immunities)}"

    def _mod_deny(self, mod: fx.Modifier, who: Subject) -> str:
        denied = (_DENIED.get(spoken(denial), spoken(denial).title()) for denial in mod.denials)
        return f"denied to {who.name}: {join(denied, 'and')}"

    def _mod_cyber_dice(self, mod: fx.Modifier, who: Subject) -> str:
        dice = f"{mod.n:+d} {'die' if mod.n in (1, -1) else 'dice'}"
        return f"{dice} in Cyber Attacks {'by' if mod.side == Side.ATTACK else 'on'} {who.name}"

    def _mod_reach(self, mod: fx.Modifier, who: Subject) -> str:
        acts = {"persuade": "Persuade", "neutralize": "Neutralize", "cyber": "Cyber Attack"}
        return (
            f"{who.own} Units {join((acts[spoken(a)] for a in mod.reaches), 'and')}"
            f" {many(mod.n, 'space')} further away"
        )

    def _mod_ransom_rate(self, mod: fx.Modifier, who: Subject) -> str:
        return f"a Blueprint costs {who.name} {mod.n:+d} captured {plural('Troop', mod.n)}"

    def _mod_humanity(self, mod: fx.Modifier, who: Subject) -> str:
        return f"{who.own} Humanity Die counts {mod.n:+d} places"

    # ------------------------------------------------------------ rules and rewards
    def rule(self, rule: fx.Rule) -> list[str]:
        """A standing rule."""
        if rule.trigger is None or rule.program is None:
            who = WHO[Who.EACH_OPPONENT] if rule.sabotage else YOU
            return [f"{capital(self.mod(mod, who))}." for mod in rule.mods]
        may = ", you may" if rule.trigger.opt else ""
        return [f"{self.trigger(rule.trigger)}{may}:", *self._inside(rule.program.steps)]

    def reaction(self, trigger: fx.TriggerSpec, program: fx.Program) -> list[str]:
        """The trigger and ability of a Reaction."""
        return [f"{self.trigger(trigger)}:", *self._inside(program.steps)]

    def rewards(self, rewards: Rewards) -> str:
        """``a red Bonus Action, or 2 Lorium``."""
        return join(map(_reward, rewards.items), "and" if rewards.op == "and" else "or")


_DENIED: Final = {
    "jumpjet": "Jumpjet Moves",
    "robotic": "Robotic Construction",
    "dropship": "Dropship Upgrades",
    "cyber": "Cyber Attacks",
    "trade": "Resource Trading",
    "promote": "Field Promote",
    "flee": "Fleeing",
    "reward": "playing Discovery Cards for Rewards",
    "reclaim": "Reclaiming",
    "tunl": "TUNL adjacency",
    "red": "red Bonus Actions",
    "blue": "blue Bonus Actions",
    "yellow": "yellow Bonus Actions",
    "green": "green Bonus Actions",
    "purple": "purple Bonus Actions",
}


def _types(mod: fx.Modifier, who: Subject) -> str:
    """``your Troops``."""
    return f"{who.own} {types_text(mod.types, None, 'and')}"


def _actions(actions: Iterable[CardAction]) -> str:
    names = {CardAction.PROMOTE: "Field Promote", CardAction.JUMPJET: "Jumpjet Move"}
    return join(names.get(action, spoken(action).title()) for action in actions)


def _reward(item: RewardItem) -> str:
    match item.kind:
        case "bonus":
            return f"{article(icons_text(item.icons) + ' Bonus Action')} of any column"
        case "habitat":
            return f"control of a Habitat worth {item.amount}"
        case "units":
            names = ("Soldier", "Miner", "Speaker")
            units = [many(n, name) for n, name in zip(item.units, names, strict=True) if n]
            return f"{join(units, 'and')} to Deploy"
        case "lorium":
            return many(item.amount, "Lorium")
        case "discovery":
            return many(item.amount, "Discovery Card")
        case "relic":
            return many(item.amount, "Relic Card")
