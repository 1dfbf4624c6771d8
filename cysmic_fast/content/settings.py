"""Where a program stands, and what is known at each point of it while it is compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from cysmic_fast.content.effect_words import TRIGGERS, By, Register, Trigger, TriggerRow


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a program stands: the events it answers, if any, and whose; or a Planetary Event."""

    events: tuple[Trigger, ...] = ()
    by: By = By.SELF
    planetary: bool = False
    anywhere: bool = False  #: nothing is known: every register may be filled, every verb may stand

    @property
    def flow(self) -> bool:
        """Whether this is one of the places of V1.12."""
        return not self.planetary and all(TRIGGERS[event].flow for event in self.events)

    @property
    def name(self) -> str:
        """For messages: "in an Action", "on tremor"."""
        if self.planetary:
            return "in a Planetary Event"
        return f"on {names(self.events)}" if self.events else "in an Action"

    def every(self, test: Callable[[TriggerRow], bool]) -> bool:
        """Whether there are events and ``test`` holds for each."""
        return bool(self.events) and all(test(TRIGGERS[event]) for event in self.events)

    @property
    def registers(self) -> set[Register]:
        """Registers that are filled at the start (V2.1)."""
        if self.anywhere:
            return set(Register)
        return (
            set.intersection(*(set(TRIGGERS[event].sets) for event in self.events)) if self.events else set()
        )


#: The ability of an Action card.
ACTION: Final = Setting()
#: A Planetary Event.
PLANETARY: Final = Setting(planetary=True)
#: Behind a trigger that has a defect itself.
ANYWHERE: Final = Setting(anywhere=True)


def names(members: Iterable[IntEnum]) -> str:
    """``tremor, collapse``."""
    return ", ".join(member.name.lower() for member in sorted(members))


def events_where(test: Callable[[TriggerRow], bool]) -> str:
    """Names of the events whose row passes ``test``."""
    return names(event for event, row in TRIGGERS.items() if test(row))


class Scope:
    """What is known at one point of a program."""

    __slots__ = ("depth", "regs", "setting")

    def __init__(self, setting: Setting, regs: set[Register], depth: int = 1) -> None:
        self.setting, self.regs, self.depth = setting, regs, depth

    def inner(self, *more: Register) -> Scope:
        """A list inside this one, with the same registers filled and ``more``."""
        return Scope(self.setting, self.regs | set(more), self.depth + 1)
