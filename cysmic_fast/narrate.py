"""A game in words: each event of a state that records, as a line people can follow (``cysmic replay``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from cysmic_fast import vocabulary as v
from cysmic_fast.names import action_name, space_name

if TYPE_CHECKING:
    from cysmic_fast.content.types import Content
    from cysmic_fast.interface import Event, Game

__all__ = ["Narrator"]

_UNITS: Final = tuple(kind.name.capitalize() for kind in v.UnitType)
_ENDS: Final = ("a Launch", "no tile is left", "the round cap")
_LEFT: Final = ("is destroyed", "is Recalled", "boards the Ship", "is swapped out", "Launches")


class Narrator:
    """Turns events into lines; ``players`` are names by seat, else their colours."""

    def __init__(self, game: Game, players: Sequence[str] = ()) -> None:
        self.content: Content = game.content
        self.names: list[str] = list(players) or list(game.options.colours)
        self._words: dict[int, Callable[..., str]] = {
            kind: getattr(self, f"_{kind.name.lower()}")
            for kind in v.EventKind
            if hasattr(self, f"_{kind.name.lower()}")
        }

    def line(self, event: Event) -> str:
        """The line of an event; empty for what other lines say already."""
        kind, player, a, b, c = event
        words = self._words.get(kind)
        return words(player, a, b, c) if words else ""

    # ------------------------------------------------------------------ words
    def who(self, seat: int) -> str:
        """A player."""
        return self.names[seat] if 0 <= seat < len(self.names) else "nobody"

    def at(self, space: int) -> str:
        """A space."""
        return space_name(space, self.content) if 0 <= space < v.NUM_SPACES else "a Holding Area"

    def option(self, action: int, kind: v.DecisionKind) -> str:
        """An action in words, cards by name."""
        if v.SPACE <= action < v.SPACE + v.NUM_SPACES:
            return self.at(action - v.SPACE)
        name = action_name(action, self.content, kind)
        if action >= v.CARD:
            deck: Any = self.content.discovery
            from cysmic_fast.names import card_deck

            deck = getattr(self.content, card_deck(kind))
            if action - v.CARD < len(deck):
                return f"{deck[action - v.CARD].name} ({deck[action - v.CARD].id})"
        head, _, rest = name.partition(":")
        if head == "player":
            return self.who(int(rest))
        if head == "captive":
            seat, _, unit = rest.partition(":")
            return f"{unit} of {self.who(int(seat))}"
        words = (rest or head).replace("_", " ")
        return f"{head} {words}" if head in ("slot", "number", "option", "die", "hits") else words

    def outcome(self, kind: int, outcome: int) -> str:
        """An outcome of chance, by name."""
        content, dice = self.content, self.content.dice
        faces: dict[int, Sequence[Any]] = {
            v.ChanceKind.RED_DIE: dice.red,
            v.ChanceKind.YELLOW_DIE: dice.yellow,
            v.ChanceKind.ATTACKER_STRIKE_DIE: [face.name for face in dice.attacker_strike],
            v.ChanceKind.DEFENDER_STRIKE_DIE: [face.name for face in dice.defender_strike],
            v.ChanceKind.HUMANITY_DIE: dice.humanity_names,
            v.ChanceKind.FRACTURE_TOKEN: [token.name for token in content.tokens],
            v.ChanceKind.FIRST_PLAYER: self.names,
        }
        known = faces.get(kind, ())
        return str(known[outcome]) if 0 <= outcome < len(known) else str(outcome)

    def _card(self, deck: int, design: int) -> str:
        cards: Sequence[Any] = self.content.relics if deck else self.content.discovery
        return f"{cards[design].name} ({cards[design].id})" if 0 <= design < len(cards) else "a card"

    # ------------------------------------------------------------------ events
    def _turn(self, player: int, a: int, b: int, c: int) -> str:
        return f"\nRound {a}, Column {b}: {self.who(player)}"

    def _choice(self, player: int, a: int, b: int, c: int) -> str:
        kind = v.DecisionKind(a)
        only = " (the only choice)" if c else ""
        return f"  {self.who(player)}, {kind.name.lower().replace('_', ' ')}: {self.option(b, kind)}{only}"

    def _chance(self, player: int, a: int, b: int, c: int) -> str:
        return f"    chance, {v.ChanceKind(a).name.lower().replace('_', ' ')}: {self.outcome(a, b)}"

    def _shuffle(self, player: int, a: int, b: int, c: int) -> str:
        return f"    chance, {v.ChanceKind(a).name.lower().replace('_', ' ')}: {b} shuffled"

    def _reset(self, player: int, a: int, b: int, c: int) -> str:
        return f"  cycle {a} ends: all Command Cards return to hand"

    def _draw(self, player: int, a: int, b: int, c: int) -> str:
        return f"    {self.who(player)} draws {self._card(a, b)}"

    def _influence_control(self, player: int, a: int, b: int, c: int) -> str:
        lost = f", no longer {self.who(b)}" if b >= 0 else ""
        return f"    the Habitat at {self.at(a)} is controlled by {self.who(player)}{lost}"

    def _leave(self, player: int, a: int, b: int, c: int) -> str:
        return f"    {_UNITS[a]} of {self.who(player)} at {self.at(b)} {_LEFT[c]}" if c != 3 else ""

    def _capture(self, player: int, a: int, b: int, c: int) -> str:
        return f"    {self.who(player)} captures a {_UNITS[b]} of {self.who(a)} from {self.at(c)}"

    def _release(self, player: int, a: int, b: int, c: int) -> str:
        return f"    {self.who(player)} releases a {_UNITS[b]} of {self.who(a)}"

    def _combat_begin(self, player: int, a: int, b: int, c: int) -> str:
        return f"    Combat begins at {self.at(a)}: {self.who(player)} attacks {self.who(b)}"

    def _combat_end(self, player: int, a: int, b: int, c: int) -> str:
        return f"    Combat ends at {self.at(a)}: {self.who(player)} is left"

    def _strike(self, player: int, a: int, b: int, c: int) -> str:
        return f"    {self.who(player)} makes a {'Final ' if b else ''}Strike at {self.at(a)} with {c} dice"

    def _tremor(self, player: int, a: int, b: int, c: int) -> str:
        return f"    Tremor by {self.who(player)}: the stack is at {a}"

    def _fracture(self, player: int, a: int, b: int, c: int) -> str:
        return f"    Fracture by {self.who(player)}"

    def _collapse(self, player: int, a: int, b: int, c: int) -> str:
        return f"    {self.at(a)} collapses"

    def _relic(self, player: int, a: int, b: int, c: int) -> str:
        return f"    {self._card(1, a)} of {self.who(player)} is {'Activated' if c else 'no longer Active'}"

    def _blueprint(self, player: int, a: int, b: int, c: int) -> str:
        return f"    {self.who(player)} acquires the Blueprint of {self.content.modules[a].name}"

    def _module(self, player: int, a: int, b: int, c: int) -> str:
        return f"    {self.who(player)} constructs {self.content.modules[a].name}"

    def _marker(self, player: int, a: int, b: int, c: int) -> str:
        return f"    {self.who(player)} takes the Marker"

    def _launch(self, player: int, a: int, b: int, c: int) -> str:
        left = f", {b} stranded" if b else ""
        return f"    {self.who(player)} {'Launches' if a else 'fails to Launch'}{left}"

    def _game_over(self, player: int, a: int, b: int, c: int) -> str:
        return f"\nThe game is over: {_ENDS[a] if 0 <= a < len(_ENDS) else a}"

    def _play_card(self, player: int, a: int, b: int, c: int) -> str:
        ways = ("for its Ability", "as a Reaction", "for its Rewards", "", "as a modifier")
        if b == 3:
            return f"    Planetary Event: {self._card(0, a)}"
        return f"    {self.who(player)} plays {self._card(0, a)} {ways[b]}"

    def _confuse(self, player: int, a: int, b: int, c: int) -> str:
        return f"    {_UNITS[a]} of {self.who(player)} at {self.at(b)} {'is Confused' if c else 'recovers'}"
