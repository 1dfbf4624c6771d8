"""What must hold at every decision of every game, read off the reference engine's model."""

from __future__ import annotations

from collections import Counter

from cysmic_fast.content.effect_words import Duration, LimitOf, Once
from cysmic_fast.reference.construction import fits_cells
from cysmic_fast.reference.influence import influence, lorium_capacity
from cysmic_fast.reference.model import Game, Where
from cysmic_fast.reference.modifiers import limit
from cysmic_fast.reference.planet import token_supply
from cysmic_fast.reference.state import ReferenceState
from cysmic_fast.vocabulary import ACTION_RANGES, CommandCard, DecisionKind, UnitType

#: Decisions in which cards of a deck are looked at.
LOOKING = {DecisionKind.SCRY_KEEP, DecisionKind.SCRY_PUT}
#: Decisions inside a Fracture or Collapse.
COLLAPSING = {
    DecisionKind.ESCAPE,
    DecisionKind.ESCAPE_TO,
    DecisionKind.ESCAPE_UNIT,
    DecisionKind.PLACE_TOKEN,
}


def check_state(state: ReferenceState, *, settled: bool = True) -> None:
    """Everything below, for a state that waits or is over.

    ``settled`` False: a loaded position may still be above the limits of T7.2.
    """
    table, kind = state.table, state.decision()
    if not state.is_terminal():
        check_options(state)
    check_units(table)
    check_spaces(table)
    check_cards(table, kind)
    check_players(table, kind)
    check_effects(table)
    check_cysmograph(table, kind)
    if table.fresh or table.over:
        check_rest(table, settled=settled and not table.over)


def check_options(state: ReferenceState) -> None:
    """At least two options, ascending, all in the vocabulary; mask and list agree."""
    legal = state.legal_actions()
    assert len(legal) >= 2
    assert legal == sorted(set(legal))
    ranges = list(ACTION_RANGES.values())
    assert all(any(first <= a < first + n for first, n in ranges) for a in legal)
    assert state.legal_actions_mask().nonzero()[0].tolist() == legal
    assert 0 <= state.current_player() < state.game.num_players


def check_units(table: Game) -> None:
    """S1.3, U1.3: every piece is in exactly one place, and the spaces agree with the pieces."""
    for seat in table.seats:
        stock = Counter(u.type for u in table.army(seat))
        assert stock == {spec.type: spec.supply for spec in table.content.units}
    standing = Counter(id(u) for s in table.spaces for u in s.units)
    for unit in table.units:
        if unit.where == Where.PLANET:
            assert standing[id(unit)] == 1
            assert unit in table.spaces[unit.place].units
        else:
            assert not standing[id(unit)]
            assert not unit.marks, "marks are lost with the planet (RUL-U4)"
        if unit.where == Where.CAPTIVE:
            assert unit.place != unit.owner
            assert not unit.is_ship, "U5.1"


def check_spaces(table: Game) -> None:
    """P2.2, P3, U5.2, K1.4, I3.1, Y4.5."""
    limits = table.content.limits
    for space in table.spaces:
        if space.units:
            assert not space.impassable, f"P2.2 in {space.number}"
        sides = space.sides
        if space.ship is not None:
            assert len(space.units) == 1, f"U5.2 in {space.number}"
            assert not space.token
            assert not table.habitat_value(space.number)
        assert len(sides) <= 2, f"K1.4 in {space.number}"
        assert (space.attacker in sides) if len(sides) == 2 else (space.attacker is None)
        for seat in sides:
            units = space.of(seat)
            assert len(units) <= limits.capacity_units, f"P3.1 in {space.number}"
            assert sum(u.is_vehicle for u in units) <= limits.capacity_vehicles, f"P3.1 in {space.number}"
        if space.control is not None:
            assert table.habitat_value(space.number) > 0
        if space.token:
            assert space.devastated
    assert token_supply(table) >= 0


def check_cards(table: Game, kind: DecisionKind) -> None:
    """Every card is in exactly one place: in a pile, a hand, a slot, or on the table while it is treated."""
    options, content = table.options, table.content
    there = Counter([*table.discovery.draw, *table.discovery.discard, *table.discovery.aside])
    there.update(d for p in table.players for d in p.discovery)
    whole = Counter(content.discovery_deck(options.molten_core, options.events))
    if there:  # the Events are shuffled in at the end of set-up (S3.6)
        assert there == whole or (table.phase.name == "START" and not there - whole)
    if table.phase.name != "START":
        assert there == whole
    playing = [d for d in table.discovery.aside if kind not in LOOKING]
    assert len(playing) <= table.programs + (kind == DecisionKind.MODIFIER_DIE)
    relics = Counter([*table.relics.draw, *table.relics.discard, *table.relics.aside])
    relics.update(r for p in table.players for r in p.relics)
    relics.update(s.relic for p in table.players for s in p.slots if s.relic is not None)
    assert relics == Counter(content.relic_deck(options.molten_core)) or not relics
    if kind == DecisionKind.KEEP_RELIC:
        assert len(table.relics.aside) >= 2
    for player in table.players:
        assert not any(content.discovery[d].event for d in player.discovery), "V1.10"


def check_effects(table: Game) -> None:
    """V1.13, U4.5, V8.1: bounds, Confused Troops, grants and flags."""
    limits = table.content.limits
    assert 0 <= table.programs <= limits.programs + 2  # actions of Command Cards begin at the bound, too
    assert table.bonus_actions <= limits.bonus_actions
    assert len(table.grants) <= limits.grants
    for unit in table.units:
        assert not unit.confused or (unit.is_troop and unit.where == Where.PLANET)
        assert not (unit.confused and table.is_locked(unit))
    for doom in table.dooms:
        here = Counter((u.type, u.confused) for u in table.spaces[doom.space].of(doom.owner))
        assert all(0 <= n <= here[like] for like, n in doom.counts.items()), "C19"
    for grant in table.grants:
        assert grant.mods
        assert grant.player in table.seats
        if grant.duration == Duration.STRIKE:
            assert table.active in table.seats
    for player in table.players:
        assert player.tokens >= 0
        assert not player.tokens or table.faction(player.seat).token
        for word, number in player.once:
            if word == "R":
                relic = player.slots[number].relic
                assert relic is not None, "a flag of an empty slot"
                rules = table.content.relics[relic].rules
            else:
                rules = table.faction(player.seat).rules[number : number + 1]
            assert any(r.trigger is not None and r.trigger.once != Once.EVENT for r in rules)
    assert set(table.area) <= set(range(127))
    assert not table.collapsing or table.cysmograph.busy


def check_players(table: Game, kind: DecisionKind) -> None:
    """S4.1, I1.1, I3.3, G3.6, B5.1, L4.10."""
    for player in table.players:
        cards = Counter([*player.hand, *player.on_board])
        assert cards == dict.fromkeys(CommandCard, 1)
        flags = len(table.habitats(player.seat))
        assert flags <= table.content.limits.flags or kind == DecisionKind.GIVE_UP_FLAG
        assert influence(table, player.seat) >= table.faction(player.seat).influence
        assert player.lorium >= 0
        for slot in player.slots:
            assert slot.relic is None or slot.lorium == 0
            assert slot.lorium >= 0
        assert player.modules <= player.acquired
        ship = next(u for u in table.army(player.seat) if u.type == UnitType.SHIP)
        if player.launched and table.options.end_trigger != "immediate":
            assert ship.where == Where.GONE
        elif table.phase.name == "TURN":
            assert ship.where == Where.PLANET


def check_cysmograph(table: Game, kind: DecisionKind) -> None:
    """Y1.1, Y3.4, Y3.5."""
    track = table.cysmograph
    start = table.content.cysmograph.track.index(len(table.players))
    assert start <= track.singles <= track.stack <= track.zone
    if kind in COLLAPSING:
        assert track.busy
    if not track.busy and track.singles < track.zone:
        assert track.stack < track.zone, "a Fracture is resolved at once"
    assert len(set(table.bag)) == len(table.bag)


def check_rest(table: Game, *, settled: bool) -> None:
    """Nothing is left open between two turns."""
    assert table.programs == 0
    assert table.resolution is None
    assert not table.ended
    assert not table.collapsing
    assert not table.dooms
    assert not any(u.attacking or u.reached for u in table.units)
    assert not table.cysmograph.busy
    assert all(u.where != Where.CHOSEN and not u.marks for u in table.units)
    if not settled or table.phase.name != "TURN":
        return
    limits = table.content.limits
    for player in table.players:
        hand = limits.discovery_hand + limit(table, player.seat, LimitOf.DISCOVERY)
        assert len(player.discovery) <= hand
        assert len(player.relics) + len(player.active_relics) <= limits.relics
        capacity = lorium_capacity(table, player.seat)
        assert capacity is None or player.lorium <= capacity
        assert fits_cells(table, player.seat)
