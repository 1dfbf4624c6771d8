"""Chapter K: resolving Combats (flights: flight.py)."""

from __future__ import annotations

from collections.abc import Callable

from cysmic_fast.content.effect_words import Kind, Mod, Role, Trigger, UnitAbility
from cysmic_fast.reference import grants
from cysmic_fast.reference.decision import Flow, choose, choose_space
from cysmic_fast.reference.defeat import defeated_in_strike
from cysmic_fast.reference.dice import (
    Die,
    DieColour,
    batches,
    capped,
    choose_die,
    count_dice,
    fitting_dice,
    roll,
    roll_dice,
)
from cysmic_fast.reference.flight import flee_spaces, fly
from cysmic_fast.reference.frame import Happening, Source
from cysmic_fast.reference.hits import choose_hits
from cysmic_fast.reference.model import Game
from cysmic_fast.reference.modifiers import (
    by_colour,
    classed,
    has_ability,
    health_of,
    on_side,
    on_side_total,
    role_in,
)
from cysmic_fast.reference.strike_die import apply_face, draw_face
from cysmic_fast.reference.units import settle_ends
from cysmic_fast.reference.windows import fire
from cysmic_fast.vocabulary import FLEE, STRIKE, DecisionKind, EventKind

__all__ = ["Resolution", "battle", "resolve", "resolve_several"]

OTHER = {Role.ATTACKER: Role.DEFENDER, Role.DEFENDER: Role.ATTACKER}


def battle(game: Game, seat: int) -> Flow[None]:
    """Resolve every own Combat with First Strike, in any order (A8.1, K2.1, K2.5)."""
    yield from resolve_several(game, seat, seat, lambda: game.combats(seat), seat)


def resolve_several(
    game: Game,
    chooser: int,
    cause: int,
    spaces: Callable[[], list[int]],
    first: int | Role,
    *,
    most: int | None = None,
    optional: bool = False,
    claim: Source | None = None,
    captures: bool = True,
) -> Flow[list[int]]:
    """Resolve Combats one after the other; one left standing is not taken again (K2.5, K8.2).

    The other arguments are those of :func:`resolve`. Returns the spaces.
    """
    standing: set[int] = set()
    done: list[int] = []
    while most is None or len(done) < most:
        waiting = [s for s in spaces() if s not in standing]
        if not waiting:
            break
        space = yield from choose_space(game, chooser, DecisionKind.COMBAT, waiting, done=optional)
        if space is None:
            break
        yield from resolve(game, space, cause, first, claim=claim, captures=captures)
        done.append(space)
        if game.spaces[space].is_combat:
            standing.add(space)
    return done


def resolve(
    game: Game,
    space: int,
    cause: int,
    first: int | Role,
    *,
    claim: Source | None = None,
    captures: bool = True,
) -> Flow[None]:
    """Resolve one Combat to its end (K2.4, K3).

    ``cause`` resolves it. ``first``: the preset First Strike, a side or a player; ``claim``: the class by
    which it is claimed, None: it is only preset (V7.7). ``captures`` False: defeated Units are destroyed
    (N5.1).
    """
    game.stats.combats += 1
    outer, game.resolution = game.resolution, Resolution(game, space, captures)
    yield from game.resolution.run(cause, first, claim)
    game.resolution = outer
    grants.end_of_resolution(game)  # (V8.2)


class Resolution:
    """One Combat being resolved. Who a side is may change on the way (``place`` with ``swap``)."""

    def __init__(self, game: Game, space: int, captures: bool) -> None:
        self.game = game
        self.space = space
        self.here = game.spaces[space]
        self.serial = self.here.serial
        self.captures = captures

    @property
    def ended(self) -> bool:
        """At most one side is left (K8.1)."""
        return self.here.serial != self.serial

    def seat(self, role: Role) -> int:
        """Who is on a side now."""
        seat = self.here.attacker if role == Role.ATTACKER else self.here.defender
        assert seat is not None
        return seat

    def _happening(
        self,
        trigger: Trigger,
        cause: int,
        affected: int | None = None,
        *,
        kinds: tuple[Kind, ...] = (),
        dice: list[Die] | None = None,
    ) -> Happening:
        """An event of this Combat; its windows end with the Combat (V7.6)."""
        return Happening(trigger, cause, affected, kinds, self.space, dice=dice, gone=lambda: self.ended)

    def run(self, cause: int, first: int | Role, claim: Source | None) -> Flow[None]:
        """First Strike, then Strike or Flee in turns until the Combat ends (K3.1)."""
        game = self.game
        role = yield from self._first_strike(cause, first, claim)
        strikes = 0
        while not self.ended and strikes < game.content.limits.strikes:  # the cap: K8.2, K8.5
            seat, enemy = self.seat(role), self.seat(OTHER[role])
            must_flee = self._cannot_defeat(role)
            destinations = flee_spaces(game, self.space, seat)
            if must_flee and not destinations:  # (K3.5)
                units = self.here.of(seat)
                yield from settle_ends(game, defeated_in_strike(game, units, enemy, captures=self.captures))
                return
            options = [STRIKE] * (not must_flee) + [FLEE] * bool(destinations)  # (K3.2, K3.4)
            choice = yield from choose(game, seat, DecisionKind.STRIKE_OR_FLEE, options)
            if choice == FLEE and (yield from fly(game, self.space, role, must_flee=must_flee)):
                choice = STRIKE  # the flight was cancelled: a Strike now, whatever it can do
                if self.ended:
                    break
            if choice == STRIKE:
                strikes += 1
                yield from self._strike(role)
            role = OTHER[role]

    # ------------------------------------------------------------------ who begins
    def _first_strike(self, cause: int, first: int | Role, claim: Source | None) -> Flow[Role]:
        """The preset, or the claim of the highest class after the window (K2.3, V7.7)."""
        named = first if isinstance(first, Role) else role_in(self.game, self.space, first)
        preset = Role.ATTACKER if named is None else named  # an outsider leaves it to the Attacker (K2.6)
        event = self._happening(Trigger.COMBAT_START, cause)
        if claim is not None and named is not None:
            event.claims[claim] = named
        yield from fire(self.game, event)
        if self.ended:
            return preset
        for source in (Source.REACTION, Source.ACTION, Source.RELIC, Source.FACTION):
            if source in event.claims:
                return event.claims[source]
            sides = [r for r in OTHER if self._has_first_strike(r, source)]
            if sides:
                return sides[0] if len(sides) == 1 else preset
        return preset

    def _has_first_strike(self, role: Role, source: Source) -> bool:
        return any(
            s == source and on_side(m, role) for s, m in classed(self.game, self.seat(role), Mod.FIRST_STRIKE)
        )

    def _cannot_defeat(self, role: Role) -> bool:
        """Fewer Combat Dice than the easiest enemy Unit needs (K3.3)."""
        game, seat = self.game, self.seat(role)
        if game.content.rulings.must_flee == "never":  # RUL-K1
            return False
        easiest = min(len(health_of(game, u)) for u in self.here.of(self.seat(OTHER[role])))
        return sum(count_dice(game, seat, self.here.of(seat), role)) < easiest

    # ------------------------------------------------------------------ Strike
    def _strike(self, role: Role) -> Flow[None]:
        """One Strike; what was granted for it ends with it."""
        strikers = {self.seat(role)}
        start = self._happening(Trigger.STRIKE_START, self.seat(role), self.seat(OTHER[role]))
        yield from fire(self.game, start)
        if not self.ended:
            yield from self._dice_and_hits(role)
            self.game.pool = []
        if not self.ended:
            strikers.add(self.seat(role))
        for seat in sorted(strikers):
            grants.end_of_strike(self.game, seat)

    def _dice_and_hits(self, role: Role) -> Flow[None]:
        """The order of K4.9; a Strike is dropped as soon as a side is gone (K8.3)."""
        game, target = self.game, OTHER[role]
        striker = self.seat(role)
        red, yellow = capped(game, *count_dice(game, striker, self.here.of(striker), role))
        game.stats.strikes += 1
        game.emit(EventKind.STRIKE, striker, self.space, 0, red + yellow)
        face = draw_face(game, role)
        dice = roll_dice(game, red, yellow)
        yield from self._rolled(role, dice, Kind.REROLL)
        if self.ended:
            return
        yield from self._standing_rerolls(role, dice)
        yield from self._rolled(role, dice, Kind.VALUE)
        if self.ended:
            return
        self._standing_values(role, dice)
        yield from apply_face(game, self.seat(role), face, dice)
        if self.ended:  # (K4.6)
            return
        yield from self._shields(target, dice)
        yield from batches(game, self.seat(role), self.seat(target), dice)
        event = self._happening(Trigger.STRIKE_FINAL, self.seat(role), self.seat(target), dice=dice)
        yield from fire(game, event)
        if self.ended:
            return
        striker, enemies = self.seat(role), self.here.of(self.seat(target))
        assigner = striker if event.assigner is None else event.assigner
        hit = yield from choose_hits(game, assigner, enemies, dice, lambda u: health_of(game, u))
        game.pool = []
        if hit:
            fall = defeated_in_strike(game, hit, striker, captures=self.captures)
            yield from settle_ends(game, fall)

    def _rolled(self, role: Role, dice: list[Die], kind: Kind) -> Flow[None]:
        seat, enemy = self.seat(role), self.seat(OTHER[role])
        event = self._happening(Trigger.STRIKE_ROLLED, seat, enemy, kinds=(kind,), dice=dice)
        yield from fire(self.game, event)

    def _standing_rerolls(self, role: Role, dice: list[Die]) -> Flow[None]:
        """One at a time, the same die again allowed; one of any colour is spent last (K4.2)."""
        game, seat = self.game, self.seat(role)
        left = by_colour(game, seat, Mod.REROLLS, role)
        while True:
            able = [d for d in dice if left[d.colour] > 0 or left[DieColour.ANY] > 0]
            die = yield from choose_die(game, seat, DecisionKind.DIE, dice, able, done=True)
            if die is None:
                break
            left[die.colour if left[die.colour] > 0 else DieColour.ANY] -= 1
            die.value = roll(game, die.colour)

    def _standing_values(self, role: Role, dice: list[Die]) -> None:
        """Pips on each die of a colour (step 4 of K4.9)."""
        for colour, pips in by_colour(self.game, self.seat(role), Mod.DIE_VALUE, role).items():
            for die in fitting_dice(dice, colour):
                die.value += pips

    def _shields(self, role: Role, dice: list[Die]) -> Flow[None]:
        """Each own Unit with Shield may lower a different die by 1 (K4.7, K4.11), and those of effects."""
        game, seat = self.game, self.seat(role)
        shields = sum(has_ability(game, seat, u.type, UnitAbility.SHIELD) for u in self.here.sober(seat))
        bare = list(dice)
        for _ in range(shields + on_side_total(game, seat, Mod.SHIELDS, role)):
            die = yield from choose_die(game, seat, DecisionKind.SHIELD_DIE, dice, bare, done=True)
            if die is None:
                break
            die.value -= 1
            bare.remove(die)
