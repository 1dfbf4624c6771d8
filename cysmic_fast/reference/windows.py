"""Events and the windows they open: who may react, in which order (docs/cards.md, section 7).

:func:`fire` is called where section 13.5 says; it asks nobody unless a hand, an Active Relic or a Faction has
something that fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cysmic_fast.content.effect_words import By, Kind, Once, Trigger
from cysmic_fast.content.effects import Program, Rule, TriggerSpec
from cysmic_fast.reference.conditions import holds, plays_role
from cysmic_fast.reference.decision import Flow, choose
from cysmic_fast.reference.frame import Frame, Happening, Source
from cysmic_fast.reference.model import Flag, Game
from cysmic_fast.vocabulary import CARD, DONE, OPTION, DecisionKind, EventKind

__all__ = ["fire", "gained", "reset_once"]

RELIC_RULE, FACTION_RULE = 0, 1  # field a of RULE


# ---------------------------------------------------------------------- firing
def fire(game: Game, event: Happening) -> Flow[Happening]:
    """Run the windows of an event, one class of cards after the other (V7.2); returns it as altered."""
    if _watched(game, event.trigger):
        for window in (_reactions, _relics, _factions):
            yield from window(game, event)
            if event.over:
                break
    return event


def gained(game: Game, seat: int, kind: Kind, n: int = 1) -> Flow[None]:
    """A step or procedure has gained something."""
    if n > 0:
        yield from fire(game, Happening(Trigger.GAINED, seat, kinds=(kind,), n=n))


def _watched(game: Game, trigger: Trigger) -> bool:
    """Somebody who has not Launched has a card or rule that waits for such an event."""
    reactions = game.reactions[trigger]
    for player in game.players:
        if player.launched:
            continue
        if not reactions.isdisjoint(player.discovery):
            return True
        if any(trigger in rule.trigger.on for _, rule in _rules(game, player.seat) if rule.trigger):
            return True
    return False


# ---------------------------------------------------------------------- fitting
def _matches(game: Game, frame: Frame, spec: TriggerSpec, event: Happening) -> bool:
    """The filters of a trigger (section 7.1)."""
    return (
        event.trigger in spec.on
        and _by(spec.by, event.cause, frame.seat)
        and (spec.of is None or (event.affected is not None and _by(spec.of, event.affected, frame.seat)))
        and (not spec.kinds or not set(spec.kinds).isdisjoint(event.kinds))
        and (spec.role is None or plays_role(game, frame, spec.role))
        and (spec.cond is None or holds(game, frame, spec.cond))
    )


def _by(filter_: By, who: int, seat: int) -> bool:
    return filter_ == By.ANY or (who == seat) == (filter_ == By.SELF)


def _frame(game: Game, event: Happening, seat: int, source: Source, name: str) -> Frame:
    return Frame(seat, source, name, event.registers(seat), event)


def _startable(game: Game, frame: Frame, program: Program) -> bool:
    from cysmic_fast.reference.effects import startable

    return game.programs < game.content.limits.programs and startable(game, frame, program.steps)


# ---------------------------------------------------------------------- Reactions
def _reactions(game: Game, event: Happening) -> Flow[None]:
    """Round and round, one card or pass, until everybody has passed in a row (V7.2, V7.3, RUL-T12)."""
    from cysmic_fast.reference.cards import play_reaction

    order = game.clockwise(game.active)
    turn = passed = 0
    while passed < len(order):
        seat = order[turn % len(order)]
        turn += 1
        options = [DONE, *(CARD + d for d in _fitting_cards(game, event, seat))]
        choice = yield from choose(game, seat, DecisionKind.REACT, options)
        if choice == DONE:
            passed += 1
            continue
        passed = 0
        design = choice - CARD
        frame = _frame(game, event, seat, Source.REACTION, game.content.discovery[design].id)
        yield from play_reaction(game, frame, design)
        event.redrawn = event.redraw
        if event.over:
            return


def _fitting_cards(game: Game, event: Happening, seat: int) -> Iterator[int]:
    """Reactions in a hand that may be played on an event (V7.3)."""
    player = game.players[seat]
    if player.launched:  # (L4.10)
        return
    for design in sorted(game.reactions[event.trigger] & set(player.discovery)):
        card = game.content.discovery[design]
        assert card.trigger is not None
        assert card.ability is not None
        frame = _frame(game, event, seat, Source.REACTION, card.id)
        if _matches(game, frame, card.trigger, event) and _startable(game, frame, card.ability):
            yield design


# ---------------------------------------------------------------------- standing rules
def _rules(game: Game, seat: int, source: Source | None = None) -> Iterator[tuple[Flag, Rule]]:
    """A player's standing rules by flag: of Active Relics by slot, of the Faction by number."""
    if source != Source.FACTION:
        for number, slot in enumerate(game.players[seat].slots):
            if slot.relic is not None:
                for rule in game.content.relics[slot.relic].rules:
                    yield ("R", number), rule
    if source != Source.RELIC:
        for number, rule in enumerate(game.faction(seat).rules):
            yield ("F", number), rule


def _relics(game: Game, event: Happening) -> Flow[None]:
    yield from _standing(game, event, Source.RELIC)


def _factions(game: Game, event: Happening) -> Flow[None]:
    yield from _standing(game, event, Source.FACTION)


def _standing(game: Game, event: Happening, source: Source) -> Flow[None]:
    """Every player performs the own fitting rules of a class, or passes over the optional ones (V7.2)."""
    for seat in game.seated(game.active):
        used: set[Flag] = set()
        while True:
            fitting = {
                flag: rule
                for flag, rule in _rules(game, seat, source)
                if flag not in used and _rule_fits(game, event, seat, source, flag, rule)
            }
            if not fitting:
                break
            options = [OPTION + number for _, number in fitting]
            if all(rule.trigger is not None and rule.trigger.opt for rule in fitting.values()):
                options.append(DONE)
            choice = yield from choose(game, seat, DecisionKind.RULE, options)
            if choice == DONE:
                break
            flag = ("R" if source == Source.RELIC else "F", choice - OPTION)
            used.add(flag)
            yield from _perform_rule(game, event, seat, source, flag, fitting[flag])
            if event.over:
                return


def _rule_fits(game: Game, event: Happening, seat: int, source: Source, flag: Flag, rule: Rule) -> bool:
    """Its trigger matches, its ``once`` is free, its program is startable (V7.3)."""
    if rule.trigger is None or rule.program is None or flag in game.players[seat].once:
        return False
    if event.trigger not in rule.trigger.on:
        return False
    frame = _frame(game, event, seat, source, _rule_name(game, seat, flag))
    return _matches(game, frame, rule.trigger, event) and _startable(game, frame, rule.program)


def _rule_name(game: Game, seat: int, flag: Flag) -> str:
    kind, number = flag
    if kind == "F":
        return game.faction(seat).id
    relic = game.players[seat].slots[number].relic
    assert relic is not None
    return game.content.relics[relic].id


def _perform_rule(
    game: Game, event: Happening, seat: int, source: Source, flag: Flag, rule: Rule
) -> Flow[None]:
    """A ``once`` is used up when the rule begins (V7.4)."""
    from cysmic_fast.reference.effects import perform_program

    assert rule.trigger is not None
    assert rule.program is not None
    player = game.players[seat]
    if rule.trigger.once != Once.EVENT:
        player.once.add(flag)
    if source == Source.RELIC:
        design = player.slots[flag[1]].relic
        assert design is not None
        game.emit(EventKind.RULE, seat, RELIC_RULE, design, 0)
    else:
        assert player.faction is not None
        game.emit(EventKind.RULE, seat, FACTION_RULE, player.faction, flag[1])
    game.programs += 1
    frame = _frame(game, event, seat, source, _rule_name(game, seat, flag))
    yield from perform_program(game, frame, rule.program)
    game.programs -= 1
    event.redrawn = event.redraw


def reset_once(game: Game, once: Once, seats: Iterable[int]) -> None:
    """Flags of a kind are free again for some players (section 8)."""
    for seat in seats:
        spent = {
            flag
            for flag, rule in _rules(game, seat)
            if rule.trigger is not None and rule.trigger.once == once
        }
        game.players[seat].once -= spent
