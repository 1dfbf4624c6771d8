"""Passive modifiers: who has which, and what they add up to (docs/cards.md, section 6).

A modifier is read for the owner of the Unit, die, card or goods in question, whoever performs the step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cysmic_fast.content.effect_words import (
    Denial,
    DieColour,
    Immunity,
    LimitOf,
    Mod,
    MoveMode,
    Part,
    PassFeature,
    Per,
    ReachAction,
    Role,
    Side,
    TremorAction,
    UnitAbility,
)
from cysmic_fast.content.effects import Modifier
from cysmic_fast.reference.frame import Source
from cysmic_fast.reference.model import Game, Unit
from cysmic_fast.vocabulary import CardAction, Feature, UnitType

__all__ = [
    "action_denied",
    "by_colour",
    "classed",
    "cyber_dice",
    "denied",
    "extra_dice",
    "gained_jumpjets",
    "has_ability",
    "health_of",
    "immune",
    "limit",
    "mods",
    "movement",
    "no_capture",
    "no_tremor",
    "on_side",
    "on_side_total",
    "passes",
    "present",
    "price_part",
    "protected",
    "reach",
    "role_in",
    "total",
]


# ---------------------------------------------------------------------- sources
def classed(game: Game, seat: int, key: Mod) -> Iterator[tuple[Source, Modifier]]:
    """Every modifier of a key that a player has, with the class of what gives it.

    Own cards, Sabotages of others, and grants, which count as Action Discovery.
    """
    for player in game.players:
        mine = player.seat == seat
        if not mine and not game.sabotage:
            continue
        for slot in player.slots:
            if slot.relic is not None:
                for rule in game.content.relics[slot.relic].rules:
                    if rule.sabotage != mine:
                        yield from ((Source.RELIC, m) for m in rule.mods if m.mod == key)
        for rule in game.faction(player.seat).rules:
            if rule.sabotage != mine:
                yield from ((Source.FACTION, m) for m in rule.mods if m.mod == key)
    for grant in game.grants:
        if grant.player == seat:
            yield from ((Source.ACTION, m) for m in grant.mods if m.mod == key)


def mods(game: Game, seat: int, key: Mod) -> Iterator[Modifier]:
    """Every modifier of a key that a player has."""
    return (m for _, m in classed(game, seat, key))


def present(game: Game, seat: int, key: Mod) -> bool:
    """One source is enough."""
    return any(True for _ in mods(game, seat, key))


def total(game: Game, seat: int, key: Mod) -> int:
    """All sources added up; the printed value is added, and the result clamped, by the caller."""
    return sum(m.n for m in mods(game, seat, key))


# ---------------------------------------------------------------------- sides of a Combat
def role_in(game: Game, space: int, seat: int) -> Role | None:
    """Attacker or Defender of the Combat in a space (K1.3), None: no side of one."""
    here = game.spaces[space]
    if here.attacker is None:
        return None
    return {here.attacker: Role.ATTACKER, here.defender: Role.DEFENDER}.get(seat)


def on_side(mod: Modifier, role: Role | None) -> bool:
    """A modifier with a role counts only on that side."""
    return mod.role is None or mod.role == role


# ---------------------------------------------------------------------- Units
def has_ability(game: Game, seat: int, kind: UnitType, ability: UnitAbility) -> bool:
    """Unit Abilities and Jumpjets, printed or gained (U3), unless denied."""
    spec = game.content.units[kind]
    printed = {
        UnitAbility.ENGAGE: spec.engage,
        UnitAbility.SHIELD: spec.shield,
        UnitAbility.EARLY_WARNING: spec.early_warning,
        UnitAbility.JUMPJET: spec.jumpjet,
    }[ability]
    if not printed and not _gained(game, seat, kind, ability):
        return False
    denial = {UnitAbility.SHIELD: Denial.SHIELD, UnitAbility.EARLY_WARNING: Denial.EARLY_WARNING}.get(ability)
    return denial is None or not denied(game, seat, denial)


def _gained(game: Game, seat: int, kind: UnitType, ability: UnitAbility) -> bool:
    return any(m.ability == ability and kind in m.types for m in mods(game, seat, Mod.ABILITY))


def gained_jumpjets(game: Game, seat: int, kind: UnitType) -> bool:
    """Jumpjets a Unit has by an effect only (M5.6)."""
    return not game.content.units[kind].jumpjet and _gained(game, seat, kind, UnitAbility.JUMPJET)


def movement(game: Game, unit: Unit, mode: MoveMode) -> int:
    """Spaces of a Move by walk or jump (U2.4)."""
    extra = sum(
        m.n
        for m in mods(game, unit.owner, Mod.MOVE)
        if unit.type in m.types and m.mode in (mode, MoveMode.EITHER)
    )
    return max(0, game.content.units[unit.type].movement + extra)


def passes(game: Game, seat: int, kind: UnitType) -> set[Feature]:
    """Obstacles that a walk may lead through, never ending there."""
    features = {PassFeature.LAKE: Feature.LAKE, PassFeature.MOUNTAIN: Feature.MOUNTAIN}
    return {features[f] for m in mods(game, seat, Mod.PASS) if kind in m.types for f in m.features}


def health_of(game: Game, unit: Unit) -> tuple[int, ...]:
    """Die values that defeat a Unit together, one die for each (K6.2, K6.3)."""
    role = role_in(game, unit.place, unit.owner)
    extra = sum(m.n for m in mods(game, unit.owner, Mod.HEALTH) if unit.type in m.types and on_side(m, role))
    return tuple(max(1, h + extra) for h in game.content.units[unit.type].health)


def no_capture(game: Game, unit: Unit, striker: int) -> bool:
    """A Unit defeated in a Strike or by K3.5 goes to its owner's Reserve."""
    spared = any(unit.type in m.types and m.side == Side.OWN for m in mods(game, unit.owner, Mod.NO_CAPTURE))
    return spared or any(
        unit.type in m.types and m.side == Side.ENEMY for m in mods(game, striker, Mod.NO_CAPTURE)
    )


# ---------------------------------------------------------------------- dice
def extra_dice(game: Game, seat: int, units: Iterable[Unit], role: Role | None) -> dict[DieColour, int]:
    """Combat Dice to be added for the Units that roll, by colour."""
    kinds = [u.type for u in units]
    extra = {DieColour.RED: 0, DieColour.YELLOW: 0}
    for m in mods(game, seat, Mod.DICE):
        if on_side(m, role):
            extra[m.colour] += m.n * (1 if m.per == Per.STRIKE else sum(k in m.types for k in kinds))
    return extra


def by_colour(game: Game, seat: int, key: Mod, role: Role | None) -> dict[DieColour, int]:
    """A modifier of dice added up by the colour it names, ``ANY`` by itself."""
    sums = dict.fromkeys(DieColour, 0)
    for m in mods(game, seat, key):
        if on_side(m, role):
            sums[m.colour] += m.n
    return sums


def on_side_total(game: Game, seat: int, key: Mod, role: Role | None) -> int:
    """All sources that count on a side added up."""
    return sum(m.n for m in mods(game, seat, key) if on_side(m, role))


def cyber_dice(game: Game, seat: int, side: Side) -> int:
    """Dice more in a Cyber Attack by (ATTACK) or on (DEFEND) a player."""
    return sum(m.n for m in mods(game, seat, Mod.CYBER_DICE) if m.side == side)


# ---------------------------------------------------------------------- prices and limits
def price_part(game: Game, seat: int, key: Mod, part: Part, kind: UnitType | None = None) -> int:
    """What is added to one part of the price of a Vehicle (of a type) or Module."""
    return sum(m.n for m in mods(game, seat, key) if m.part == part and (kind is None or kind in m.types))


def limit(game: Game, seat: int, what: LimitOf) -> int:
    """Pieces by which a limit of the surplus discard is raised."""
    return sum(m.n for m in mods(game, seat, Mod.LIMIT) if m.limit == what)


# ---------------------------------------------------------------------- flags and sets
def denied(game: Game, seat: int, word: Denial) -> bool:
    """Something is not possible for a player."""
    return any(word in m.denials for m in mods(game, seat, Mod.DENY))


def immune(game: Game, seat: int, word: Immunity) -> bool:
    """A player is safe from some effects of others (V1.8)."""
    return any(word in m.immunities for m in mods(game, seat, Mod.IMMUNE))


def protected(game: Game, seat: int, word: Immunity, cause: int) -> bool:
    """Immunity stands between ``cause``, to whom the effect belongs, and ``seat`` (V1.8)."""
    return seat != cause and immune(game, seat, word)


def no_tremor(game: Game, seat: int, action: TremorAction) -> bool:
    """An Action of a player's Units skips its Tremor, and the event of it."""
    return any(action in m.tremors for m in mods(game, seat, Mod.NO_TREMOR))


def reach(game: Game, seat: int, action: ReachAction) -> int:
    """Spaces by which an action reaches further: the highest of all sources."""
    return max((m.n for m in mods(game, seat, Mod.REACH) if action in m.reaches), default=0)


#: Denials of Card Actions (docs/cards.md, section 6).
ACTION_DENIALS = {
    CardAction.JUMPJET: Denial.JUMPJET,
    CardAction.MINE: Denial.MINE,
    CardAction.EXPLORE: Denial.EXPLORE,
    CardAction.HARVEST: Denial.HARVEST,
    CardAction.SCAVENGE: Denial.SCAVENGE,
    CardAction.PERSUADE: Denial.PERSUADE,
    CardAction.PROMOTE: Denial.PROMOTE,
    CardAction.NEUTRALIZE: Denial.NEUTRALIZE,
    CardAction.ROBOTIC: Denial.ROBOTIC,
    CardAction.DROPSHIP_UPGRADE: Denial.DROPSHIP,
    CardAction.CYBER_ATTACK: Denial.CYBER,
    CardAction.TRADE: Denial.TRADE,
}


def action_denied(game: Game, seat: int, action: CardAction) -> bool:
    """An action of a Command Card is denied to a player."""
    word = ACTION_DENIALS.get(action)
    return word is not None and denied(game, seat, word)
