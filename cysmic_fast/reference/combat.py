"""Chapter K: resolving Combats."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from cysmic_fast.content.effect_words import Denial, Kind, Mod, Role, Trigger, UnitAbility
from cysmic_fast.reference import grants
from cysmic_fast.reference.cysmograph import tremor
from cysmic_fast.reference.decision import Flow, choose, choose_space, choose_yes
from cysmic_fast.reference.defeat import defeated_in_strike
from cysmic_fast.reference.dice import (
    Die,
    DieColour,
    batches,
    capped,
    choose_die,
    count_dice,
    fitting_dice,
    printed_dice,
    roll,
    roll_dice,
)
from cysmic_fast.reference.frame import Happening, Source
from cysmic_fast.reference.model import Game, Unit
from cysmic_fast.reference.modifiers import (
    by_colour,
    denied,
    has_ability,
    health_of,
    mods,
    on_side,
    on_side_total,
    role_in,
)
from cysmic_fast.reference.movement import adjacent_to, has_room
from cysmic_fast.reference.rest import group_rests
from cysmic_fast.reference.units import capture, destroy, line_up, move_units, settle_ends
from cysmic_fast.reference.windows import fire
from cysmic_fast.vocabulary import FLEE, HITS, SPACE, STRIKE, ChanceKind, DecisionKind, EventKind

__all__ = [
    "Resolution",
    "battle",
    "can_flee",
    "defeatable",
    "flee_by_effect",
    "flee_spaces",
    "flight_spaces",
    "needs",
    "resolve",
]


def battle(game: Game, seat: int) -> Flow[None]:
    """Resolve every own Combat with First Strike, in any order (A8.1, K2.1, K2.5)."""
    yield from resolve_all(game, seat, lambda: game.combats(seat), seat)


def resolve_all(
    game: Game,
    chooser: int,
    spaces: Callable[[], list[int]],
    first: int | Role,
    *,
    most: int | None = None,
    optional: bool = False,
    claim: Source | None = None,
    captures: bool = True,
) -> Flow[list[int]]:
    """Resolve Combats one after the other; one left standing is not taken again (K2.5, K8.2).

    ``first``: the preset First Strike, a player or a side. Returns the spaces.
    """
    standing: set[int] = set()
    done: list[int] = []
    while most is None or len(done) < most:
        open_ = [s for s in spaces() if s not in standing]
        if not open_:
            break
        space = yield from choose_space(game, chooser, DecisionKind.COMBAT, open_, done=optional)
        if space is None:
            break
        yield from resolve(game, space, first, claim=claim, captures=captures)
        done.append(space)
        if game.spaces[space].is_combat:
            standing.add(space)
    return done


def resolve(
    game: Game, space: int, first: int | Role, *, claim: Source | None = None, captures: bool = True
) -> Flow[None]:
    """Resolve one Combat to its end (K2.4, K3); ``captures`` False: defeated Units are destroyed (N5.1).

    ``claim``: the class by which ``first`` claims First Strike, None: it is only preset (V7.7).
    """
    game.stats.combats += 1
    outer, game.resolution = game.resolution, Resolution(game, space, captures)
    yield from game.resolution.run(first, claim)
    game.resolution = outer
    grants.end_of_resolution(game)  # (V8.2)


class Resolution:
    """One Combat being resolved. Its sides are those of the space, which `place` with swap may change."""

    def __init__(self, game: Game, space: int, captures: bool) -> None:
        self.game = game
        self.space = space
        self.here = game.spaces[space]
        self.captures = captures
        self.chooser = 0
        self.combat = (self.here.attacker, self.here.defender)
        self.over = False

    def other(self, seat: int) -> int:
        """The other side."""
        assert self.here.attacker is not None
        assert self.here.defender is not None
        return self.here.defender if seat == self.here.attacker else self.here.attacker

    def swapped(self, leaving: int, arriving: int, first_strike: Happening | None = None) -> None:
        """A Faction has taken over the side of another (`place` with swap)."""
        if self.chooser == leaving:
            self.chooser = arriving

    @property
    def ended(self) -> bool:
        """At most one side is left (K8.1)."""
        return self.here.attacker is None

    def run(self, first: int | Role, claim: Source | None) -> Flow[None]:
        """First Strike, then Strike or Flee in turns until the Combat ends (K3.1)."""
        game = self.game
        yield from self._first_strike(first, claim)
        strikes = 0
        while not self.ended and strikes < game.content.limits.strikes:  # the cap: K8.2, K8.5
            seat = self.chooser
            must_flee = self._cannot_defeat(seat)
            destinations = flee_spaces(game, self.space, seat)
            if must_flee and not destinations:
                yield from self._fall(self.here.of(seat), self.other(seat))  # (K3.5)
                return
            options = [STRIKE] * (not must_flee) + [FLEE] * bool(destinations)  # (K3.2, K3.4)
            choice = yield from choose(game, seat, DecisionKind.STRIKE_OR_FLEE, options)
            if choice == FLEE and not (yield from self._flee(must_flee)):
                choice = STRIKE  # the flight was cancelled: Strike now, whatever it can do
            if choice == STRIKE and not self.ended:
                strikes += 1
                yield from self._strike()
            if not self.ended:
                self.chooser = self.other(self.chooser)
