"""A table on which a rule is played out: short positions, scripted chance, decisions by name.

``scenario(engine, ...)`` builds a position document from a few words and loads it into one engine; the
:class:`Table` it returns is driven by action names and checks kind and player of every decision on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import cysmic_fast
from cysmic_fast import names, vocabulary
from cysmic_fast.game import make_game as game_of
from cysmic_fast.options import make_options
from cysmic_fast.vocabulary import DecisionKind, EventKind, UnitType

COLOURS = ("blue", "green", "grey", "orange", "purple", "yellow")
TERRAINS = ("savannah", "forest", "rocky", "tundra", "wetlands", "desert")
UNIT_NAMES = ("soldier", "miner", "speaker", "powermech", "harvester")
CARDS = (
    "recruit", "upgrade", "battle", "negotiate", "soldiers",
    "miners", "speakers", "powermechs", "harvesters", "colony_ship",
)  # fmt: skip
#: Where Ships stand when a test does not care: an inner space of each terrain, far from each other.
SHIPS = tuple(f"{terrain}-4-2" for terrain in TERRAINS)


def space(name: str | int) -> int:
    """Number of a space: 0 ... 126, "city", or "terrain-ring-offset" (P1.7)."""
    if isinstance(name, int):
        return name
    if name in ("city", "colony_city"):
        return 0
    terrain, ring, offset = name.split("-")
    r = int(ring)
    assert 1 <= r <= 6, name
    assert 0 <= int(offset) < r, name
    return 1 + 3 * r * (r - 1) + r * TERRAINS.index(terrain) + int(offset)


def units(words: str) -> list[int]:
    """``"2 soldier, powermech"`` -> [2, 0, 0, 1, 0]."""
    counts = [0] * 5
    for part in words.replace("+", ",").split(","):
        number, _, kind = part.strip().rpartition(" ")
        counts[UNIT_NAMES.index(kind)] += int(number or 1)
    return counts


def player(colour: str, ship: str | int | None, **changes: Any) -> dict[str, Any]:
    """A player of a position document. ``units`` and ``captured`` may be given in words."""
    result: dict[str, Any] = {"colour": colour, "ship": None if ship is None else space(ship)}
    placed = changes.pop("units", None)
    if placed is not None:
        result["units"] = sorted([space(where), units(what)] for where, what in placed.items())
    captured = changes.pop("captured", None)
    if captured is not None:
        result["captured"] = sorted([owner, units(what)] for owner, what in captured.items())
    result.update(changes)
    return result


class Table:
    """One game in one engine, driven by names."""

    def __init__(self, state: Any, game: Any) -> None:
        self.state = state
        self.game = game
        self._seen = 0

    # ------------------------------------------------------------ looking
    @property
    def kind(self) -> str:
        """Name of the decision at hand, "NONE" when the game is over."""
        return DecisionKind(self.state.decision()).name

    @property
    def seat(self) -> int:
        return int(self.state.current_player())

    def options(self) -> list[str]:
        """Names of the legal actions, ascending by id."""
        return [self.state.action_to_string(a) for a in self.state.legal_actions()]

    def spaces(self) -> set[int]:
        """Numbers of the spaces among the legal actions."""
        first, count = vocabulary.ACTION_RANGES["space"]
        return {a - first for a in self.state.legal_actions() if first <= a < first + count}

    def snapshot(self) -> dict[str, Any]:
        doc = self.state.snapshot()
        assert isinstance(doc, dict)
        return doc

    def units(self, seat: int, where: str | int) -> list[int]:
        """[soldiers, miners, speakers, powermechs, harvesters] of a seat in a space."""
        at = space(where)
        for number, counts in self.snapshot()["players"][seat]["units"]:
            if number == at:
                return list(counts)
        return [0] * 5

    def captured(self, seat: int, owner: int) -> list[int]:
        for who, counts in self.snapshot()["players"][seat]["captured"]:
            if who == owner:
                return list(counts)
        return [0] * 5

    def player(self, seat: int) -> dict[str, Any]:
        found = self.snapshot()["players"][seat]
        assert isinstance(found, dict)
        return found

    def controller(self, where: str | int) -> int | None:
        """Seat that controls the Habitat of a space, None if neutral or gone."""
        return dict(self.snapshot()["control"]).get(space(where))

    def tile(self, where: str | int) -> str:
        return str(self.snapshot()["tiles"][space(where)])

    def attacker(self, where: str | int) -> int | None:
        return dict(self.snapshot()["combats"]).get(space(where))

    def events(self, kind: str | None = None) -> list[tuple[int, ...]]:
        """Events since the game was loaded: (kind, player, a, b, c), of one kind if named."""
        found = [tuple(e) for e in self.state.events()]
        return found if kind is None else [e for e in found if e[0] == EventKind[kind]]

    # ------------------------------------------------------------ doing
    def fork(self) -> Table:
        """A copy to try a line of play on."""
        return Table(self.state.clone(), self.game)

    def expect(self, kind: str, seat: int | None = None) -> Table:
        assert self.kind == kind, f"expected {kind}, asked {self.kind}[{self.seat}] {self.options()}"
        if seat is not None:
            assert self.seat == seat, f"{kind}: expected seat {seat}, asked {self.seat}"
        return self

    def do(self, *actions: str | int) -> Table:
        """Applies actions by name; a bare space name or number means that space."""
        for action in actions:
            self.state.apply_action(self.action(action))
        return self

    def action(self, action: str | int) -> int:
        if isinstance(action, int):
            return vocabulary.SPACE + action
        if action.split("-")[0] in TERRAINS:
            return vocabulary.SPACE + space(action)
        legal = {self.state.action_to_string(a): a for a in self.state.legal_actions()}
        if action in legal:
            return int(legal[action])
        return int(names.action_id(action, self.game.content))

    def answer(self, kind: str, *actions: str | int, seat: int | None = None) -> Table:
        """Checks that ``kind`` is asked, then does the first action, and any further ones."""
        self.expect(kind, seat)
        return self.do(*actions)

    def skip(self, until: str | Iterable[str], *, limit: int = 200) -> Table:
        """Declines (DONE, else NO) whatever is asked until one of the kinds is."""
        wanted = {until} if isinstance(until, str) else set(until)
        for _ in range(limit):
            if self.kind in wanted:
                return self
            legal = self.state.legal_actions()
            for decline in (vocabulary.DONE, vocabulary.NO):
                if decline in legal:
                    self.state.apply_action(decline)
                    break
            else:
                raise AssertionError(f"{self.kind}[{self.seat}] cannot be declined: {self.options()}")
        raise AssertionError(f"{wanted} was not asked in {limit} decisions")

    def turn(self, play: str, burn: str | None = None) -> Table:
        """Burns and Plays: from a window, RECLAIM or BURN to whatever the Played card asks first."""
        self.skip("BURN")
        hand = [o.split(":")[1] for o in self.options()]
        spare = burn or next(card for card in reversed(hand) if card != play)
        self.answer("BURN", f"command:{spare}")
        if self.kind == "PLAY":  # with one card left it is Played without asking
            self.do(f"command:{play}")
        return self

    def end_turn(self) -> Table:
        """Declines everything up to the next player's turn (its window, RECLAIM or BURN) or the end."""
        turns = len(self.events("TURN"))
        for _ in range(300):
            if self.kind == "NONE" or len(self.events("TURN")) > turns:
                return self
            legal = self.state.legal_actions()
            decline = next((a for a in (vocabulary.DONE, vocabulary.NO) if a in legal), None)
            assert decline is not None, f"{self.kind}[{self.seat}] cannot be declined: {self.options()}"
            self.state.apply_action(decline)
        raise AssertionError("the turn does not end")


def make_game(engine: str, players: int = 2, **options: Any) -> Any:
    """A game without Abilities unless they are asked for: what the numbered core rules are about."""
    options.setdefault("abilities", False)
    content = options.pop("content", None)
    if content is not None:  # instead of the standard pack
        return game_of(make_options("competitive", players=players, **options), content, engine)
    return cysmic_fast.load_game("competitive", players=players, engine=engine, **options)


def scenario(
    engine: str,
    *seats: Mapping[str, Any],
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    script: Mapping[str, Sequence[Any]] | None = None,
    tiles: Mapping[str | int, str] | None = None,
    control: Mapping[str | int, int] | None = None,
    combats: Mapping[str | int, int] | None = None,
    relic_tokens: Iterable[str | int] = (),
    seed: int = 1,
    **document: Any,
) -> Table:
    """A position in an engine.

    ``seats`` are the changes to each player (keys of the position document; ``units`` {space: words},
    ``captured`` {owner seat: words}, ``ship``); players beyond them stand at :data:`SHIPS` with nothing.
    Tiles not named are plain. ``document`` goes into the position as it is. Events are recorded from the
    start.
    """
    count = players or max(2, len(seats))
    options = dict(options or {})
    colours = options.get("colours", COLOURS[:count])
    people = []
    for seat in range(count):
        changes = dict(seats[seat]) if seat < len(seats) else {}
        people.append(player(colours[seat], changes.pop("ship", SHIPS[seat]), **changes))
    doc: dict[str, Any] = {
        "version": 1,
        "players": people,
        "tiles": {space(where): feature for where, feature in (tiles or {}).items()},
        "control": sorted([space(where), seat] for where, seat in (control or {}).items()),
        "combats": sorted([space(where), seat] for where, seat in (combats or {}).items()),
        "relic_tokens": sorted(space(where) for where in relic_tokens),
        **document,
    }
    game = make_game(engine, count, **options)
    state = game.state_from_position(doc, seed=seed, script=script, record=True)
    return Table(state, game)


def new_game(
    engine: str, players: int = 2, *, seed: int = 1, script: Mapping[str, Any] | None = None, **options: Any
) -> Table:
    """A game from the start of set-up, events recorded."""
    game = make_game(engine, players, **options)
    return Table(game.new_initial_state(seed, script=script, record=True), game)


__all__ = [
    "CARDS",
    "COLOURS",
    "SHIPS",
    "TERRAINS",
    "UNIT_NAMES",
    "Table",
    "UnitType",
    "make_game",
    "new_game",
    "player",
    "scenario",
    "space",
    "units",
]
