"""Loading a game: ``load_game`` chooses the engine and adds what the game classes of both share."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from cysmic_fast.errors import OptionError
from cysmic_fast.names import shown, suggest

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from cysmic_fast.census import Census
    from cysmic_fast.content.types import Content
    from cysmic_fast.interface import Game, Script, State
    from cysmic_fast.options import GameOptions
    from cysmic_fast.rollout import Policy

__all__ = [
    "ENGINES",
    "BaseGame",
    "check_engine",
    "content_of",
    "is_state",
    "load_game",
    "make_game",
    "pack_folders",
]

ENGINES: Final = ("native", "reference")
#: More packs are a mistake, and an iterator may have no end.
MAX_PACKS: Final = 100


class BaseGame:
    """What the game classes of both engines share; mixed into each engine's own class by :func:`make_game`.

    States are the engine's own objects: nothing wraps their methods.
    """

    if TYPE_CHECKING:
        options: GameOptions
        content: Content
        engine: str
        num_players: int
        num_actions: int

        def _from_canonical(self, doc: dict[str, Any], seed: int = 0, **kwargs: Any) -> State:
            """Given by the engine."""

    def new_initial_state(
        self, seed: int = 0, *, index: int = 0, script: Script | None = None, record: bool = False
    ) -> State:
        """Game ``index`` of ``seed``, advanced to its first decision.

        Parameters
        ----------
        seed, index
            Integers from 0 to 2**64 - 1.
        script
            Outcomes to come, by chance kind.
        record
            Whether events are recorded.

        Raises
        ------
        OptionError
            For a seed or index that is none, and a ``record`` that is no bool.
        ChanceError
            For a script that cannot be.
        """
        if record is not False and record is not True:
            from cysmic_fast.policies import check_flag

            record = check_flag(record, "record")
        engine: Any = super()
        state: State = engine.new_initial_state(seed, index=index, script=script, record=record)
        return state

    def state_from_position(
        self,
        doc: object,
        seed: int | None = None,
        *,
        index: int | None = None,
        script: Script | None = None,
        record: bool = False,
    ) -> State:
        """A state at a position document (docs/position.md), advanced to its first decision.

        Parameters
        ----------
        doc
            The document: as people write it, or canonical as from ``State.to_position()``. Not changed.
        seed, index
            Integers from 0 to 2**64 - 1. By default chance goes on as ``doc["chance"]`` says, if it says
            nothing with 0 and 0. With either of the two, its streams start anew; what is not given stays.
        script
            Outcomes to come, by chance kind.
        record
            Whether events are recorded.

        Raises
        ------
        PositionError
            With all defects of the document.
        OptionError
            For a seed or index that is none, and a ``record`` that is no bool.
        ChanceError
            For a script that cannot be.
        """
        from cysmic_fast.policies import check_flag, check_word
        from cysmic_fast.position import normalise_position

        record = check_flag(record, "record")
        canonical = normalise_position(doc, self.content, self.options)
        chance = canonical["chance"]
        if seed is not None or index is not None:
            chance["seed"] = chance["seed"] if seed is None else check_word(seed, "seed")
            chance["index"] = chance["index"] if index is None else check_word(index, "index")
            chance["words"] = [0, 0, 0]
        return self._from_canonical(
            canonical, chance["seed"], index=chance["index"], script=script, record=record
        )

    def state_from_bytes(self, data: object, *, record: bool = False) -> State:
        """The state of a save written by ``State.to_bytes()`` (docs/saves.md), which must be of this game.

        ``record``: whether events are recorded from here on. SaveError for what is no save, a damaged one,
        one of another game, content pack, engine or version; OptionError for a ``record`` that is no bool.
        """
        from cysmic_fast.policies import check_flag
        from cysmic_fast.saves import load_state

        state: State = load_state(self, data, check_flag(record, "record"))
        return state

    def simulate(
        self,
        seed: int,
        first: int,
        count: int,
        *,
        threads: int = 1,
        policy: Policy | Sequence[Policy] = "random",
        census: Census | None = None,
    ) -> npt.NDArray[np.void]:
        """Plays games ``first`` ... ``first + count - 1`` of ``seed`` with a policy.

        Returns an array of shape (count,), dtype GAME_STATS, the same for any ``threads``. ``count`` is at
        most 10**9, ``threads`` at least 1; OptionError otherwise. ``policy`` is as in :func:`rollouts`.
        A ``census`` for as many players (:mod:`cysmic_fast.census`) counts the games; if an error ends the
        playing it is unchanged.
        """
        from cysmic_fast.census import check_census
        from cysmic_fast.policies import check_word

        seed, first = check_word(seed, "seed"), check_word(first, "first")
        count, threads = check_word(count, "count", most=10**9), check_word(threads, "threads", 1, 1024)
        if count:
            check_word(first + count - 1, "first + count - 1")
        if census is not None:
            check_census(census, self.num_players)
        if not isinstance(policy, str) or policy != "random":
            from cysmic_fast.rollout import play_records

            this: Any = self
            return play_records(this, seed, first, count, threads, policy, census)
        engine: Any = super()
        records: npt.NDArray[np.void] = engine.simulate(seed, first, count, threads=threads, census=census)
        return records

    def action_name(self, action: int, decision: int | None = None) -> str:
        """Name of an action id; cards by id when ``decision`` says which deck is meant."""
        from cysmic_fast.names import action_name

        return action_name(action, self.content, decision)

    def action_id(self, name: str, decision: int | None = None) -> int:
        """Action id of a name, such as ``"space:savannah-5-4"``."""
        from cysmic_fast.names import action_id

        return action_id(name, self.content, decision)

    def __repr__(self) -> str:
        from dataclasses import fields

        defaults = type(self.options)(players=self.options.players)
        changed = "".join(
            f", {spec.name}={getattr(self.options, spec.name)!r}"
            for spec in fields(self.options)
            if getattr(self.options, spec.name) != getattr(defaults, spec.name)
        )
        pack = "" if self.content.name == "standard" else f", content={self.content!r}"
        return f"<{self.engine} game: {self.options.mode}, players={self.options.players}{changed}{pack}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BaseGame):
            return NotImplemented
        return (self.engine, self.options, self.content) == (other.engine, other.options, other.content)

    def __hash__(self) -> int:
        return hash((self.engine, self.options, self.content))

    def __reduce__(self) -> tuple[Any, ...]:
        from cysmic_fast.saves import shared_game

        return (shared_game, (self.engine, self.options, self.content))


@cache
def _game_class(engine: str) -> type[Any]:
    """The engine's game class with :class:`BaseGame`; imports the engine."""
    module, game_class = {
        "native": ("cysmic_fast._native", "NativeGame"),
        "reference": ("cysmic_fast.reference", "ReferenceGame"),
    }[engine]
    try:
        base: type[Any] = getattr(import_module(module), game_class)
    except ModuleNotFoundError as error:
        if error.name != "cysmic_fast._native":
            raise
        raise ImportError(
            "the native engine is not built here: this is the source tree, not an installed package. Install"
            " it (pip install .) and run from another folder or with python -P, or install it editable"
            " (CONTRIBUTING.md)"
        ) from error
    name = base.__name__
    return type(name, (BaseGame, base), {"__module__": __name__, "__slots__": (), "__doc__": base.__doc__})


def is_state(value: object) -> bool:
    """Whether it is a state, of either engine."""
    try:
        game: Any = getattr(value, "game", None)
    except Exception:  # of an attribute that is worked out
        return False
    if not isinstance(game, BaseGame):
        return False
    if game.engine == "native":
        from cysmic_fast._native import NativeState

        return isinstance(value, NativeState)
    from cysmic_fast.reference import ReferenceState

    return isinstance(value, ReferenceState)


def check_engine(engine: object) -> None:
    """OptionError unless it is the name of an engine."""
    if not isinstance(engine, str) or engine not in ENGINES:
        hint = suggest(engine, ENGINES) if isinstance(engine, str) else ""
        raise OptionError(f"option 'engine': {shown(engine)} given; allowed: {', '.join(ENGINES)}{hint}")


def make_game(options: GameOptions, content: Content, engine: str = "native") -> Game:
    """A game of validated options and content on an engine."""
    check_engine(engine)
    options.check(content)
    if not options.abilities:
        content = content.without_abilities()
    game: Game = _game_class(engine)(options, content)
    return game


def load_game(
    mode: str = "competitive",
    *,
    players: int = 4,
    engine: str = "native",
    packs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    content: Content | None = None,
    **options: Any,
) -> Game:
    """A game: rules data from which states are made.

    Parameters
    ----------
    mode
        ``"competitive"``.
    players
        2 to 6.
    engine
        ``"native"`` (fast) or ``"reference"`` (readable, pure Python): same games for the same seed.
    packs
        Folders of content packs that override the standard one, later ones winning (docs/content.md).
    content
        A loaded content pack instead of ``packs``.
    **options
        Other fields of :class:`~cysmic_fast.options.GameOptions` and ``ending``, the short form of
        ``launch`` and ``end_trigger``: ``load_game(players=3, factions=True, ending="guilty+equality")``.

    Raises
    ------
    OptionError
        For an unknown option or value, naming what is allowed.
    ContentError
        For packs with defects, naming all of them.
    """
    from cysmic_fast.options import make_options

    made = make_options(mode, players=players, **options)
    return make_game(made, content_of(packs, content), engine)


def pack_folders(
    packs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
) -> tuple[str | os.PathLike[str], ...]:
    """The folders that the option ``packs`` names; OptionError."""
    if isinstance(packs, (str, os.PathLike)):
        return (packs,)
    if not isinstance(packs, (bytes, bytearray, Mapping)):
        with suppress(Exception):  # whatever an iterator may raise: a closed file, an array without a length
            folders = tuple(islice(packs, MAX_PACKS + 1))
            if len(folders) <= MAX_PACKS:
                return folders
    raise OptionError(
        f"option 'packs': {shown(packs)} given; allowed: folders of content packs, at most {MAX_PACKS}"
    )


def content_of(
    packs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (), content: Content | None = None
) -> Content:
    """The content pack that the options ``packs`` and ``content`` name; OptionError, ContentError."""
    folders = pack_folders(packs)
    if content is None:
        from cysmic_fast.content.loader import load_content

        return load_content(*folders)
    from cysmic_fast.content.types import Content

    if not isinstance(content, Content):
        raise OptionError(f"option 'content': {shown(content)} given; allowed: a Content (load_content)")
    if folders:
        raise OptionError("options 'packs' and 'content' given; allowed: one or the other")
    return content
