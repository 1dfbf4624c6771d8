"""Observations (docs/observation.md) from the snapshot of a state: the oracle for the native writer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cysmic_fast.content.effect_words import MOD, DieColour
from cysmic_fast.observation import LOWEST, MOST, check_room, make_spec, token_names
from cysmic_fast.policies import check_word
from cysmic_fast.reference.goods import DISCOVERY
from cysmic_fast.vocabulary import NUM_SLOTS, TERMINAL_PLAYER, CommandCard, DecisionKind, Feature

if TYPE_CHECKING:
    from cysmic_fast.reference.state import ReferenceState

__all__ = ["observe"]


def observe(
    state: ReferenceState, player: object, out: npt.NDArray[np.int8] | None = None
) -> npt.NDArray[np.int8]:
    """What ``player`` sees of a state."""
    observer = check_word(player, "player", 0, state.game.num_players - 1)
    spec = make_spec(state.game.options, state.game.content)
    if out is None:
        out = np.empty(spec.shape, dtype=spec.dtype)
    else:
        check_room(out, spec.shape, spec.dtype)
    out[:] = 0
    _Writer(state, observer, spec.views(out)).write()
    return out


def _number(value: int) -> int:
    return max(LOWEST, min(MOST, value))


class _Writer:
    """Fills the fields of one observation."""

    def __init__(self, state: ReferenceState, observer: int, fields: dict[str, npt.NDArray[np.int8]]) -> None:
        self.state = state
        self.content = state.game.content
        self.doc: dict[str, Any] = state.snapshot()
        self.observer = observer
        self.fields = fields
        self.players = state.game.num_players
        self.discovery = {card.id: i for i, card in enumerate(self.content.discovery)}
        self.relics = {card.id: i for i, card in enumerate(self.content.relics)}

    def seat(self, seat: int) -> int:
        """The seat as the observer counts."""
        return (seat - self.observer) % self.players

    def count(self, name: str, items: Iterable[str], numbers: dict[str, int]) -> None:
        for item in items:
            self.fields[name][numbers[item]] += 1

    def write(self) -> None:
        self.planes()
        self.moment()
        self.goods()
        self.dice()
        for seat, player in enumerate(self.doc["players"]):
            self.player(seat, player)
        self.own(self.doc["players"][self.observer])

    def planes(self) -> None:
        f, doc = self.fields, self.doc
        for space, name in enumerate(doc["tiles"]):
            feature = Feature[name.upper()]
            f["feature"][feature, space] = 1
            bare = feature == Feature.NONE and space in self.content.planet.abyss
            f["impassable"][space] = feature in (Feature.LAKE, Feature.MOUNTAIN) or bare
        f["relic_token"][doc["relic_tokens"]] = 1
        for space, seat in doc["control"]:
            f["control"][self.seat(seat), space] = 1
        for space, seat in doc["combats"]:
            f["combat"][space] = 1
            f["attacker"][self.seat(seat), space] = 1
        table = self.state.table
        if table.resolution is not None and not table.resolution.ended:
            f["resolving"][table.resolution.space] = 1
        f["collapsing"][sorted(table.collapsing)] = 1

    def moment(self) -> None:
        f, doc, state = self.fields, self.doc, self.state
        phase = doc["phase"].removeprefix("mid_")
        f["phase"][("setup", "turn", "over").index(phase)] = 1
        decider = state.current_player()
        if decider != TERMINAL_PLAYER:
            f["decider"][self.seat(decider)] = 1
            if decider == self.observer:
                f["decision"][state.decision()] = 1
        f["active"][self.seat(doc["current_player"])] = 1
        f["first_player"][self.seat(doc["first_player"])] = 1
        f["marker"][self.seat(doc["marker"])] = 1
        f["round"][:] = _number(doc["round"])
        f["column"][(doc["round"] - 1) % len(f["column"])] = 1

    def goods(self) -> None:
        f, doc = self.fields, self.doc
        f["singles"][:] = doc["cysmograph"]["singles"]
        f["stack"][:] = doc["cysmograph"]["stack"]
        self.count("bag", doc["bag"], {name: i for i, name in enumerate(token_names(self.content))})
        for deck, numbers in (("discovery", self.discovery), ("relics", self.relics)):
            name = deck.removesuffix("s")
            f[f"{name}_draw"][:] = _number(len(doc[deck]["draw"]))
            self.count(f"{name}_discard", doc[deck]["discard"], numbers)

    def dice(self) -> None:
        for i, die in enumerate(self.state.table.pool):
            self.fields["dice_red"][i] = die.colour == DieColour.RED
            self.fields["dice_yellow"][i] = die.colour == DieColour.YELLOW
            self.fields["dice_value"][i] = _number(die.value)

    def player(self, seat: int, player: dict[str, Any]) -> None:
        """What everybody knows of a player."""
        f, content = self.fields, self.content
        at = self.seat(seat)
        f["colour"][at, self.state.game.options.colour_ids[seat]] = 1
        secret = self.state.decision() == DecisionKind.CHOOSE_FACTION and seat != self.observer
        if not secret:
            self.faction(seat, player)
        if player["ship"] is not None:
            f["ship"][at, player["ship"]] = 1
        left = np.array([content.units[t].supply for t in range(5)]) - player["missing"]
        for space, counts in player["units"]:
            f["units"][at, :, space] = counts
            left -= counts
        for holder in self.doc["players"]:
            for owner, counts in holder["captured"]:
                left -= np.array(counts) * (owner == seat)
        f["reserve"][at] = left
        f["missing"][at] = player["missing"]
        for owner, counts in player["captured"]:
            f["captured"][at, self.seat(owner)] = counts
        f["lorium"][at] = _number(player["lorium"])
        for i, slot in enumerate(player["slots"]):
            if slot is not None and "relic" in slot:
                f["active_relics"][at, i, self.relics[slot["relic"]]] = 1
            elif slot is not None:
                f["stored"][at, i] = slot["lorium"]
        for i, module in enumerate(content.modules):
            f["blueprints"][at, i] = module.id in player["blueprints"]
            f["modules"][at, i] = module.id in player["modules"]
        for column, (burned, played) in enumerate(player["board"]):
            f["burned"][at, column] = burned is not None
            if played is not None:
                f["played"][at, column, CommandCard[played.upper()]] = 1
        f["discovery_count"][at] = _number(len(player["discovery"]))
        f["relic_count"][at] = _number(len(player["relics"]))
        f["launched"][at] = player["launched"]
        f["final_turn"][at] = seat in self.doc["final_turns"]
        if self.state.game.options.abilities:
            self.abilities(seat, player)

    def faction(self, seat: int, player: dict[str, Any]) -> None:
        """The Faction, and Influence, which starts with it."""
        content, at = self.content, self.seat(seat)
        spec = content.generic
        if player["faction"] is not None:
            number = [faction.id for faction in content.factions].index(player["faction"])
            self.fields["faction"][at, number] = 1
            spec = content.factions[number]
        tiles = self.doc["tiles"]
        held = [Feature[tiles[space].upper()] for space, who in self.doc["control"] if who == seat]
        self.fields["influence"][at] = _number(spec.influence + sum(content.habitat_values[h] for h in held))

    def abilities(self, seat: int, player: dict[str, Any]) -> None:
        f, at = self.fields, self.seat(seat)
        for space, counts in player["confused"]:
            f["confused"][at, :, space] = counts
        f["faction_tokens"][at] = _number(player["tokens"])
        for kind, number in player["once"]:
            f["used_up"][at, number if kind == "R" else NUM_SLOTS + number] = 1
        for grant in self.doc["grants"]:
            if grant["player"] == seat:
                for mod in {MOD[mod["mod"]] for mod in grant["mods"]}:
                    f["grants"][at, mod] += 1

    def own(self, player: dict[str, Any]) -> None:
        """What only the observer knows."""
        f = self.fields
        for card in player["hand"]:
            f["own_commands"][CommandCard[card.upper()]] = 1
        for column, (burned, _) in enumerate(player["board"]):
            if burned is not None:
                f["own_burned"][column, CommandCard[burned.upper()]] = 1
        self.count("own_discovery", player["discovery"], self.discovery)
        self.count("own_relics", player["relics"], self.relics)
        if self.state.decision() == DecisionKind.SCRY_PUT and self.state.current_player() == self.observer:
            deck, card = self.state.table.looked_at
            f["looked_discovery" if deck == DISCOVERY else "looked_relics"][card] = 1
