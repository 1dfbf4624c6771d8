"""Whole cards as text: what is printed on them, what their programs do, and where both come from."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Final, Literal

from cysmic_fast.content.english import English
from cysmic_fast.content.phrases import many
from cysmic_fast.content.schema import suggest, within
from cysmic_fast.content.types import Content, DiscoverySpec, FactionSpec, RelicSpec
from cysmic_fast.errors import ContentError

CardKind = Literal["discovery", "event", "relic", "faction"]
CARD_KINDS: Final[tuple[CardKind, ...]] = ("discovery", "event", "relic", "faction")
FILES: Final[dict[CardKind, str]] = {
    "discovery": "discovery.toml",
    "event": "events.toml",
    "relic": "relics.toml",
    "faction": "factions.toml",
}
WIDTH: Final = 100
_MARGIN: Final = 11

Card = DiscoverySpec | RelicSpec | FactionSpec


def cards_of(content: Content, kind: CardKind) -> tuple[Card, ...]:
    """All cards of a kind, in order."""
    if kind == "relic":
        return content.relics
    if kind == "faction":
        return content.factions
    return tuple(card for card in content.discovery if card.event == (kind == "event"))


def find_card(content: Content, kind: CardKind, name: str) -> Card:
    """The card with this id or name; letter case does not matter.

    Raises
    ------
    ContentError
        If there is none.
    """
    cards = cards_of(content, kind)
    for card in cards:
        if name.casefold() in (card.id.casefold(), card.name.casefold()):
            return card
    known = [card.id for card in cards] + [card.name for card in cards]
    raise ContentError(f"unknown {kind} card {name!r}; allowed: {suggest(name, known)}")


def card_text(content: Content, kind: CardKind, card: Card) -> str:
    """One card: text, what its programs do, rewards, icons, provenance; lines of at most 100 characters."""
    english = English(content.planet.terrains)
    lines = [f"{card.id} {card.name}", *_wrap(_head(card), 2)]
    if isinstance(card, FactionSpec):
        lines += _part("Set-up", [_set_up(card)])
        for ability in card.abilities:
            lines += _part("Ability", [ability.name])
            lines += _part("  text", [ability.text])
            lines += _part("  does", [line for rule in ability.rules for line in english.rule(rule)])
    else:
        lines += _part("Text", [card.text])
        lines += _part("Does", _does(english, card))
    if isinstance(card, DiscoverySpec) and not card.event:
        lines += _part("Rewards", [english.rewards(card.rewards)])
    lines += _part("Source", list(_sources(content, FILES[kind], card.id)))
    return "\n".join(lines)


def _head(card: Card) -> str:
    match card:
        case FactionSpec():
            leader = [f"led by {card.leader}"] if card.leader else []
            token = [f"counter: {card.token}"] if card.token else []
            espionage = ["icons: espionage"] if card.espionage else []
            facts = [f"{card.min_players} or more players", f"difficulty {card.difficulty}"]
            return ", ".join(["Faction", *leader, *facts, *token, *espionage])
        case RelicSpec():
            facts = [f"Relic, {card.type}", many(card.count, "copy")]
        case DiscoverySpec(event=True):
            facts = ["Planetary Event", many(card.count, "copy")]
        case DiscoverySpec():
            facts = [card.kind.capitalize(), many(card.count, "copy"), f"die modifier {card.modifier:+d}"]
    return ", ".join([*facts, *([f"icons: {' '.join(card.icons)}"] if card.icons else [])])


def _does(english: English, card: DiscoverySpec | RelicSpec) -> list[str]:
    if isinstance(card, RelicSpec):
        return [line for rule in card.rules for line in english.rule(rule)]
    if card.effect is not None:
        return english.program(card.effect)
    assert card.ability is not None
    if card.trigger is not None:
        return english.reaction(card.trigger, card.ability)
    return english.program(card.ability)


def _set_up(card: FactionSpec) -> str:
    soldiers, miners, speakers = card.units
    units = [(soldiers, "Soldier"), (miners, "Miner"), (speakers, "Speaker")]
    goods = [(card.lorium, "Lorium"), (card.discovery, "Discovery Card"), (card.relics, "Relic Card")]
    habitats = [f"a Habitat worth {value}" for value in card.habitats]
    return ", ".join(
        [f"Influence {card.influence}", *(many(n, noun) for n, noun in goods + units if n), *habitats]
    )


def _sources(content: Content, file: str, name: str) -> Iterator[str]:
    """Status and basis of the card's values, those that share both together."""
    start = f"{file}: "
    groups: dict[tuple[str, str, str], list[str]] = {}
    for entry in content.entries:
        path = entry.path.removeprefix(start)
        if entry.path.startswith(start) and within(path, name):
            key = (entry.status, entry.basis, entry.pack)
            groups.setdefault(key, []).append(path.removeprefix(name + "."))
    one_pack = len({pack for _, _, pack in groups}) == 1
    for (status, basis, pack), keys in groups.items():
        where = "" if one_pack else f", {pack}"
        yield f"{status}{f' ({basis})' if basis else ''}{where}: {', '.join(keys)}"


def _part(title: str, lines: Iterable[str]) -> list[str]:
    """Lines behind a title in the margin."""
    out = [wrapped for line in lines for wrapped in _wrap(line, _MARGIN)]
    return [f"  {title:<{_MARGIN - 2}}{out[0][_MARGIN:]}", *out[1:]] if out else []


def _wrap(line: str, margin: int) -> list[str]:
    """A line behind a margin; what does not fit goes on a little further in."""
    depth = margin + len(line) - len(line.lstrip())
    return textwrap.wrap(line.strip(), WIDTH, initial_indent=" " * depth, subsequent_indent=" " * (depth + 2))
