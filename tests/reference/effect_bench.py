"""A bench for the interpreter: a table from a position, and programs performed on it step by step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from reference_play import make_game
from scenario import SHIPS, space, units

from cysmic_fast.content.compiler import Compiler
from cysmic_fast.content.effects import Modifier, Program
from cysmic_fast.content.settings import ACTION, ANYWHERE, Setting
from cysmic_fast.names import action_name
from cysmic_fast.reference.decision import Decision, Flow
from cysmic_fast.reference.effects import perform_program, startable
from cysmic_fast.reference.frame import Frame, Happening, Registers, Source
from cysmic_fast.reference.model import Game, Unit
from cysmic_fast.reference.state import ReferenceState
from cysmic_fast.vocabulary import DecisionKind

Asked = tuple[str, int, list[str]]


def compiled(raw: list[Any], setting: Setting = ACTION) -> Program:
    """A program; it must be valid."""
    defects: list[Any] = []
    program = Compiler(lambda *defect: defects.append(defect)).program(raw, setting, "program")
    assert not defects, defects
    assert program is not None
    return program


def modifiers(*raw: dict[str, Any]) -> tuple[Modifier, ...]:
    """Compiled modifiers."""
    defects: list[Any] = []
    mods = Compiler(lambda *defect: defects.append(defect))._mods(list(raw), "mods")
    assert not defects, defects
    return mods


class Bench:
    """A game of some players, seat 0 to move, whose programs are performed out of turn."""

    def __init__(self, *players: dict[str, Any], script: Any = None, **document: Any) -> None:
        docs = []
        for seat, given in enumerate(players):
            doc = {"ship": space(SHIPS[seat]), **given}
            if "units" in doc:
                doc["units"] = sorted([space(s), units(words)] for s, words in doc["units"].items())
            if "captured" in doc:
                doc["captured"] = sorted([owner, units(words)] for owner, words in doc["captured"].items())
            docs.append(doc)
        factions = any("faction" in doc for doc in docs)
        options = {"abilities": True, "factions": factions, "molten_core": True, "events": True}
        self.game = make_game(players=len(docs), **options)
        if "tiles" in document:
            document["tiles"] = {space(s): tile for s, tile in document["tiles"].items()}
        for key in ("combats", "control"):
            if key in document:
                document[key] = sorted([space(s), seat] for s, seat in document[key].items())
        if "relic_tokens" in document:
            document["relic_tokens"] = [space(s) for s in document["relic_tokens"]]
        document = {"version": 1, "players": docs, **document}
        self.state: ReferenceState = self.game.state_from_position(document, 5, script=script, record=True)
        self.table: Game = self.state.table
        self.asked: list[Asked] = []
        self.frame: Frame
        self.left: list[str] = []

    # ------------------------------------------------------------ performing
    def frame_of(
        self, seat: int = 0, event: Happening | None = None, source: Source = Source.ACTION
    ) -> Frame:
        """A fresh frame of a player."""
        regs = Registers() if event is None else event.registers(seat)
        return Frame(seat, source, "test", regs, event)

    def run(
        self,
        raw: list[Any],
        *choices: str,
        seat: int = 0,
        event: Happening | None = None,
        frame: Frame | None = None,
        setting: Setting | None = None,
    ) -> Bench:
        """Perform a program; every asked decision takes the next choice, an action by name."""
        program = compiled(raw, setting or (ACTION if event is None and frame is None else ANYWHERE))
        self.frame = frame or self.frame_of(seat, event)
        self.drive(perform_program(self.table, self.frame, program), choices)
        return self

    def drive(self, flow: Flow[Any], choices: Iterable[str]) -> Any:
        """Answer the decisions of a flow; returns what it returns."""
        self.left = list(choices)
        self.asked = []
        try:
            item = next(flow)
            while True:
                assert isinstance(item, Decision)
                names = {self.name(a, item.kind): a for a in item.options}
                self.asked.append((item.kind.name, item.player, list(names)))
                assert self.left, f"unexpected {item.kind.name}[{item.player}]: {list(names)}"
                choice = self.left.pop(0)
                if choice.startswith("space:") and not choice[6:].isdigit():
                    choice = f"space:{space(choice[6:])}"
                assert choice in names, f"{choice} not in {item.kind.name}: {list(names)}"
                item = flow.send(names[choice])
        except StopIteration as end:
            assert not self.left, f"not asked for: {self.left}"
            return end.value

    def startable(self, raw: list[Any], seat: int = 0, event: Happening | None = None) -> bool:
        """Whether a program could be started now."""
        setting = ACTION if event is None else ANYWHERE
        return startable(self.table, self.frame_of(seat, event), compiled(raw, setting).steps)

    def name(self, action: int, kind: DecisionKind) -> str:
        """Name of an action."""
        return action_name(action, self.game.content, int(kind))

    # ------------------------------------------------------------ looking
    @property
    def kinds(self) -> list[str]:
        """What was asked in the last run."""
        return [kind for kind, _, _ in self.asked]

    def units(self, seat: int, where: str) -> list[str]:
        """Types of a player's Units in a space, a Confused one with a question mark."""
        found = self.table.spaces[space(where)].of(seat)
        return sorted(u.type.name.lower() + "?" * u.confused for u in found)

    def unit(self, seat: int, where: str, kind: str) -> Unit:
        """One of a player's Units in a space."""
        return next(u for u in self.table.spaces[space(where)].of(seat) if u.type.name.lower() == kind)

    def hold(self, seat: int, cards: Sequence[str]) -> None:
        """The Discovery Cards of a hand; they are taken out of the draw pile."""
        ids = [d.id for d in self.game.content.discovery]
        for card in cards:
            self.table.discovery.draw.remove(ids.index(card))
            self.table.players[seat].discovery.append(ids.index(card))
