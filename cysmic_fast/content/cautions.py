"""What is allowed in a pack and yet worth a word: games that only the players' restraint ends (V1.14)."""

from __future__ import annotations

from collections.abc import Iterator

from cysmic_fast.content.effect_words import MAX_COUNT, CountKind, Deck, Good
from cysmic_fast.content.effects import Choose, Each, Gain, If, Scry, Steps
from cysmic_fast.content.types import Content


def cautions(content: Content) -> Iterator[str]:
    """One line for each Reaction in the deck that can draw more Discovery Cards than the one it costs.

    While the deck and the discard pile last, whoever holds such cards can answer one event for ever.
    A circle that needs several cards, or luck, is not found.
    """
    for card in content.discovery:
        if card.count and card.trigger is not None and card.ability is not None:
            drawn = _drawn(card.ability.steps)
            if drawn > 1:
                number = f"up to {drawn}" if drawn < MAX_COUNT else "many"
                yield (
                    f"discovery.toml: {card.id}: a Reaction that draws {number} cards can be played again and"
                    " again in one window; only passing ends it (docs/cards.md, V1.14)"
                )


def _drawn(steps: Steps) -> int:
    """Most Discovery Cards that these steps draw for anybody; 30 stands for all that are more."""
    most = 0
    for step in steps:
        match step:
            case Gain(res=Good.DISCOVERY):
                most += step.n.number if step.n.kind == CountKind.NUMBER else step.n.most or MAX_COUNT
            case Scry(deck=Deck.DISCOVERY):
                most += step.keep
            case Choose():
                most += max(map(_drawn, step.options))
            case If():
                most += max(_drawn(step.then), _drawn(step.otherwise or ()))
            case Each():
                most += _drawn(step.run) * (step.most or MAX_COUNT)
    return min(most, MAX_COUNT)
