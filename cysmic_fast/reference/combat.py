"""Chapter K: resolving Combats."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from cysmic_fast.reference.cysmograph import tremor
from cysmic_fast.reference.decision import Flow, choose, choose_space, choose_yes
from cysmic_fast.reference.dice import Die, DieColour, batches, choose_die, count_dice, roll, roll_units
from cysmic_fast.reference.model import Game, Unit
from cysmic_fast.reference.movement import has_room, offer_token
from cysmic_fast.reference.planet import neighbours
from cysmic_fast.reference.units import capture, destroy, line_up, move_units
from cysmic_fast.vocabulary import FLEE, HITS, STRIKE, ChanceKind, DecisionKind, EventKind

__all__ = ["battle", "defeatable", "flee_spaces", "flee_without_strike", "needs", "resolve"]


def battle(game: Game, seat: int) -> Flow[None]:
    """Resolve every own Combat with First Strike, in any order (A8.1, K2.1, K2.5)."""
    standing: set[int] = set()  # left standing by this card (K8.2)
    while True:
        spaces = [s for s in game.combats(seat) if s not in standing]
        if not spaces:
            break
        space = yield from choose_space(game, seat, DecisionKind.COMBAT, spaces)
        assert space is not None
        yield from resolve(game, space, seat)
        if game.spaces[space].is_combat:
            standing.add(space)


def resolve(game: Game, space: int, first: int, *, captures: bool = True) -> Flow[None]:
    """Resolve one Combat to its end (K2.4, K3); ``captures`` False: defeated Units are destroyed (N5.1)."""
    game.stats.combats += 1
    yield from _Resolution(game, space, captures).run(first)


class _Resolution:
    """One Combat being resolved."""

    def __init__(self, game: Game, space: int, captures: bool) -> None:
        self.game = game
        self.space = space
        self.here = game.spaces[space]
        self.captures = captures
        self.sides = tuple(sorted(self.here.sides))
        assert self.here.attacker is not None
        self.attacker = self.here.attacker

    def other(self, seat: int) -> int:
        return self.sides[1] if seat == self.sides[0] else self.sides[0]

    @property
    def ended(self) -> bool:
        """At most one side is left (K8.1)."""
        return not all(self.here.of(seat) for seat in self.sides)

    def run(self, first: int) -> Flow[None]:
        """Strike or Flee in turns until the Combat ends (K3.1)."""
        chooser, strikes = first, 0
        while not self.ended and strikes < self.game.content.limits.strikes:  # the cap: K8.2, K8.5
            enemy = self.other(chooser)
            must_flee = self._cannot_defeat(chooser)
            destinations = flee_spaces(self.game, self.space, chooser)
            if must_flee and not destinations:
                self._defeat(self.here.of(chooser), enemy)  # (K3.5)
                return
            options = [STRIKE] * (not must_flee) + [FLEE] * bool(destinations)  # (K3.2, K3.4)
            choice = yield from choose(self.game, chooser, DecisionKind.STRIKE_OR_FLEE, options)
            if choice == STRIKE:
                strikes += 1
                yield from self._strike(chooser)
            else:
                yield from self._flee(chooser, must_flee)
            chooser = enemy

    def _cannot_defeat(self, seat: int) -> bool:
        """Fewer Combat Dice than the easiest enemy Unit needs (K3.3)."""
        if self.game.content.rulings.must_flee == "never":  # RUL-K1
            return False
        easiest = min(len(needs(self.game, u)) for u in self.here.of(self.other(seat)))
        return sum(count_dice(self.game, self.here.of(seat))) < easiest

    def _defeat(self, units: Sequence[Unit], victor: int) -> None:
        """Defeated Units leave together: captured, or destroyed where the effect says so (K6.5, N5.1)."""
        if self.captures:
            capture(self.game, units, victor)
        else:
            destroy(self.game, units)

    # ------------------------------------------------------------------ Strike
    def _strike(self, striker: int) -> Flow[None]:
        """One Strike in the order of K4.9; it is dropped as soon as a side is gone (K8.3)."""
        target = self.other(striker)
        dice = yield from self._roll(striker, final=False, strike_die=True)
        if self.ended:
            return
        yield from self._shields(target, dice)
        yield from batches(self.game, striker, target, dice)
        yield from self._hits(striker, dice)

    def _roll(self, striker: int, *, final: bool, strike_die: bool) -> Flow[list[Die]]:
        """Roll Strike Die and Combat Dice together, then apply the Strike Die (K4.1, K4.3)."""
        game = self.game
        units = self.here.of(striker)
        game.stats.strikes += 1
        game.emit(EventKind.STRIKE, striker, self.space, int(final), sum(count_dice(game, units)))
        face = None
        if strike_die:
            attacks = striker == self.attacker
            faces = game.content.dice.attacker_strike if attacks else game.content.dice.defender_strike
            kind = ChanceKind.ATTACKER_STRIKE_DIE if attacks else ChanceKind.DEFENDER_STRIKE_DIE
            face = faces[game.draw_chance(kind, [f.name for f in faces])]
        dice = roll_units(game, units)
        if face is None:
            return dice
        if face.kind == "tremor":  # (K4.6)
            yield from tremor(game, striker)
        elif face.kind == "value":  # compulsory (K4.5)
            die = yield from choose_die(game, striker, DecisionKind.VALUE_DIE, dice, dice)
            if die is not None:
                die.value += face.value
        else:  # may be declined (K4.4, RUL-K5)
            colour = DieColour(face.colour)
            able = [d for d in dice if d.colour == colour]
            die = yield from choose_die(game, striker, DecisionKind.REROLL_DIE, dice, able, done=True)
            if die is not None:
                die.value = roll(game, colour)
        return dice

    def _shields(self, seat: int, dice: list[Die]) -> Flow[None]:
        """Each own Unit with Shield may lower a different die by 1 (K4.7, K4.11)."""
        shields = sum(self.game.content.units[u.type].shield for u in self.here.of(seat))
        bare = list(dice)
        for _ in range(shields):
            die = yield from choose_die(self.game, seat, DecisionKind.SHIELD_DIE, dice, bare, done=True)
            if die is None:
                break
            die.value -= 1
            bare.remove(die)

    def _hits(self, striker: int, dice: list[Die]) -> Flow[None]:
        """The striker names the enemy Units that are defeated (K6)."""
        enemies = line_up(self.here.of(self.other(striker)))
        sets = defeatable(self.game, enemies, [d.value for d in dice])
        hits = (yield from choose(self.game, striker, DecisionKind.HITS, [HITS + m for m in sets])) - HITS
        defeated = [u for i, u in enumerate(enemies) if hits >> i & 1]
        if defeated:
            self._defeat(defeated, striker)

    # ------------------------------------------------------------------ Flee
    def _flee(self, seat: int, must_flee: bool) -> Flow[None]:
        """All Units of a side leave together, after a Final Strike (K7.8)."""
        game, enemy = self.game, self.other(seat)
        end = yield from choose_space(game, seat, DecisionKind.FLEE_TO, flee_spaces(game, self.space, seat))
        if (yield from choose_yes(game, enemy, DecisionKind.FINAL_STRIKE)):
            # No Shields, cards or other modifications (K7.5); the Strike Die is part of the roll (RUL-K2).
            strike_die = game.content.rulings.final_strike_die
            dice = yield from self._roll(enemy, final=True, strike_die=strike_die)
            if self.ended:  # (K7.9)
                return
            yield from self._hits(enemy, dice)
        if self.ended:
            return
        legal = flee_spaces(game, self.space, seat)  # for the survivors (K7.10)
        if end not in legal:
            if not legal:
                if must_flee:
                    self._defeat(self.here.of(seat), enemy)
                return
            end = yield from choose_space(game, seat, DecisionKind.FLEE_TO, legal)
        assert end is not None
        yield from _run_away(game, seat, self.space, end)


def needs(game: Game, unit: Unit) -> tuple[int, ...]:
    """Die values that defeat a Unit together, one die for each (K6.2, K6.3)."""
    return game.content.units[unit.type].health


def defeatable(game: Game, enemies: Sequence[Unit], values: Sequence[int]) -> list[int]:
    """Sets of enemies, as bits, that can be defeated together by different dice (K6.1, K6.6).

    ``enemies`` are in unit order; of like Units only the first ones are ever in a set. The empty set is one.
    """
    found = []
    ranked = sorted(values, reverse=True)
    for size in range(len(enemies) + 1):
        for group in combinations(range(len(enemies)), size):
            skipped = any(
                i > 0 and enemies[i].type == enemies[i - 1].type and i - 1 not in group for i in group
            )
            # The highest dice serve the highest needs: if that fails, nothing works.
            wanted = sorted((n for i in group for n in needs(game, enemies[i])), reverse=True)
            enough = len(wanted) <= len(ranked) and all(v >= n for v, n in zip(ranked, wanted, strict=False))
            if enough and not skipped:
                found.append(sum(1 << i for i in group))
    return sorted(found)


def flee_spaces(game: Game, space: int, seat: int) -> list[int]:
    """Adjacent spaces all of a side's Units can flee to together (K7.1 to K7.3)."""
    units = game.spaces[space].of(seat)
    found = []
    for end in neighbours(game, space, tunl=True):
        there = game.spaces[end]
        if there.impassable or there.ship is not None or there.others(seat):
            continue
        if has_room(game, end, seat, units):
            found.append(end)
    return found


def _run_away(game: Game, seat: int, space: int, end: int) -> Flow[None]:
    """The side moves; one of its Units may take a Relic Token there (K7.6, RUL-K20)."""
    move_units(game, line_up(game.spaces[space].of(seat)), end)
    yield from offer_token(game, seat, end)


def flee_without_strike(game: Game, seat: int) -> Flow[None]:
    """All Units of one own Combat flee without a Final Strike (N2.2, RUL-K16)."""
    spaces = [s for s in game.combats(seat) if flee_spaces(game, s, seat)]
    space = yield from choose_space(game, seat, DecisionKind.FREE_FLEE, spaces)
    assert space is not None
    end = yield from choose_space(game, seat, DecisionKind.FLEE_TO, flee_spaces(game, space, seat))
    assert end is not None
    yield from _run_away(game, seat, space, end)
