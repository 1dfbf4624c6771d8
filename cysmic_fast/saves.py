"""States as bytes (docs/saves.md): header and checksum, shared by both engines, and who reads the rest.

A save is ``CYSM``, the format version, then a sequence of sections ``(tag, length, content)`` and a checksum.
Sections from :data:`OPTIONAL` on may be skipped by who does not know them; an unknown one below is refused.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from cysmic_fast.errors import ChanceError, OptionError, SaveError

if TYPE_CHECKING:
    from cysmic_fast.content.types import Content
    from cysmic_fast.interface import Game, State
    from cysmic_fast.options import GameOptions

__all__ = ["FORMAT", "SaveInfo", "load_state", "read_save", "save_info", "state_from_bytes", "write_save"]

MAGIC: Final = b"CYSM"
FORMAT: Final = 1
_DIGEST: Final = 8
_HASH: Final = 32
#: No save is larger; more is an accident.
MAX_BYTES: Final = 1_000_000

#: Tags of sections. Never used again for something else.
GAME: Final = 1  # engine, rules version, content, options
STATE: Final = 2  # the native engine's: the state field by field
START: Final = 3  # the reference engine's: start and what was done since
SCRIPT: Final = 4  # outcomes to come
KNOWLEDGE: Final = 5  # the native engine's: what each seat knows (docs/information.md), if anything
OPTIONAL: Final = 128

#: Values of options that are left out; frozen with the format, whatever the defaults of a later version are.
_USUAL: Final[dict[str, Any]] = {
    "mode": "competitive",
    "players": 4,
    "factions": False,
    "molten_core": False,
    "events": False,
    "espionage": False,
    "blueprint_variant": 0,
    "launch": "base",
    "end_trigger": "immediate",
    "trading": True,
    "abilities": True,
    "max_rounds": None,
}
_COLOURS: Final = ("blue", "green", "grey", "orange", "purple", "yellow")


class _Head(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, array_like=True):
    """The section GAME: a JSON array behind the 32 bytes of the content hash."""

    engine: str
    rules: str
    pack: str
    options: dict[str, Any] = {}


class SaveInfo(NamedTuple):
    """What a save says about itself."""

    format: int
    engine: str
    rules_version: str
    content_hash: str
    pack: str
    options: dict[str, Any]


class Save(NamedTuple):
    """A save taken apart; nothing of it but the checksum has been tested against a game."""

    info: SaveInfo
    sections: dict[int, bytes]


# ------------------------------------------------------------------ bytes
def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST).digest()


def _pack(sections: Mapping[int, bytes]) -> bytes:
    out = [MAGIC, bytes([FORMAT])]
    for tag, content in sorted(sections.items()):
        out += [bytes([tag]), _varint(len(content)), content]
    data = b"".join(out)
    return data + _digest(data)


def _unpack(data: bytes) -> dict[int, bytes]:
    """The sections of a save whose checksum holds."""
    end = len(data) - _DIGEST
    if data[: len(MAGIC)] != MAGIC:
        raise SaveError(f"no save: it begins with {data[:4]!r}; allowed: {MAGIC!r}")
    if end <= len(MAGIC):
        raise SaveError(f"the save is cut short: {len(data)} bytes")
    if data[len(MAGIC)] != FORMAT:
        raise SaveError(
            f"a save of format {data[len(MAGIC)]}; this version reads format {FORMAT}. Was it written by a "
            "later version of cysmic_fast?"
        )
    if _digest(data[:end]) != data[end:]:
        raise SaveError("the save is damaged or cut short: its checksum does not fit")
    sections: dict[int, bytes] = {}
    at = len(MAGIC) + 1
    while at < end:
        tag, at, length, shift = data[at], at + 1, 0, 0
        while at < end and shift < 28:
            byte, at = data[at], at + 1
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        else:
            raise SaveError("the save is damaged: the length of a section")
        if tag in sections or length > end - at:
            raise SaveError(f"the save is damaged: section {tag} is there twice or too long")
        sections[tag], at = data[at : at + length], at + length
    return sections


# ------------------------------------------------------------------ writing
@functools.lru_cache(maxsize=256)
def _head(engine: str, options: GameOptions, content_hash: str, pack: str) -> bytes:
    from cysmic_fast.vocabulary import RULES_VERSION

    given = options.to_dict()
    left = {name: value for name, value in given.items() if name not in _USUAL or value != _USUAL[name]}
    if tuple(left["colours"]) == _COLOURS[: options.players]:
        del left["colours"]
    if not any(left["echoes"]):
        del left["echoes"]
    return bytes.fromhex(content_hash) + msgspec.json.encode(
        _Head(engine, RULES_VERSION, pack, left), order="sorted"
    )


def write_save(state: Any) -> bytes:
    """The save of a state of either engine."""
    game = state.game
    body, script, knowledge = state._save_parts()
    sections = {
        GAME: _head(game.engine, game.options, game.content.hash, game.content.name),
        STATE if game.engine == "native" else START: body,
    }
    if script:
        sections[SCRIPT] = msgspec.json.encode(script, order="sorted")
    if knowledge:
        sections[KNOWLEDGE] = knowledge
    return _pack(sections)


# ------------------------------------------------------------------ reading
def read_save(data: object) -> Save:
    """Take a save apart; SaveError for anything that is none."""
    try:
        raw = bytes(memoryview(data))  # type: ignore[arg-type]
    except (TypeError, BufferError):
        raise SaveError(f"a save is bytes, not {type(data).__name__}") from None
    if len(raw) > MAX_BYTES:
        raise SaveError(f"{len(raw)} bytes; a save has at most {MAX_BYTES}")
    sections = _unpack(raw)
    known = (GAME, STATE, START, SCRIPT, KNOWLEDGE)
    unknown = [tag for tag in sections if tag not in known and tag < OPTIONAL]
    if unknown:
        raise SaveError(f"the save has sections that this version does not know: {unknown}")
    if GAME not in sections:
        raise SaveError("the save is damaged: it does not say which game it is of")
    try:
        head = msgspec.json.decode(sections[GAME][_HASH:], type=_Head)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise SaveError(f"the save is damaged: {error}") from None
    content_hash = sections[GAME][:_HASH].hex()
    return Save(SaveInfo(FORMAT, head.engine, head.rules, content_hash, head.pack, head.options), sections)


def save_info(data: object) -> SaveInfo:
    """What a save says about itself, without a game: engine, rules version, content and options."""
    return read_save(data).info


@functools.lru_cache(maxsize=64)
def _options(section: bytes) -> GameOptions:
    """The options in a section GAME."""
    from cysmic_fast.options import GameOptions

    info = msgspec.json.decode(section[_HASH:], type=_Head)
    try:
        players = info.options.get("players", _USUAL["players"])
        usual = {**_USUAL, "colours": list(_COLOURS[:players]), "echoes": [{}] * players}
        return GameOptions.from_dict({**usual, **info.options})
    except (OptionError, TypeError, OverflowError, MemoryError) as error:
        raise SaveError(f"the save is damaged: {error}") from None


def _check_rules(info: SaveInfo) -> None:
    from cysmic_fast.vocabulary import RULES_VERSION

    if info.rules_version != RULES_VERSION:
        raise SaveError(
            f"a save of rules version {info.rules_version!r}; this version plays {RULES_VERSION!r}"
        )


def load_state(game: Any, data: object, record: bool = False) -> Any:
    """The state of a save, of exactly this game; SaveError for a save of another game or engine."""
    save = read_save(data)
    info = save.info
    if info.engine != game.engine:
        raise SaveError(f"a save of the {info.engine!r} engine; this game is on the {game.engine!r} engine")
    _check_rules(info)
    if info.content_hash != game.content.hash:
        raise SaveError(_other_content(info, game.content))
    options = _options(save.sections[GAME])
    if options != game.options:
        given, wanted = options.to_dict(), game.options.to_dict()
        differ = ", ".join(f"{k} {given[k]!r} (here {wanted[k]!r})" for k in given if given[k] != wanted[k])
        raise SaveError(f"a save of a game with other options: {differ}")
    part = STATE if game.engine == "native" else START
    if part not in save.sections:
        raise SaveError("the save is damaged: it holds no state")
    script = None
    if SCRIPT in save.sections:
        try:
            script = msgspec.json.decode(save.sections[SCRIPT], type=dict[str, list[str | list[str]]])
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise SaveError(f"the save is damaged: {error}") from None
    try:
        knowledge = save.sections.get(KNOWLEDGE, b"")
        return game._state_from_parts(save.sections[part], script, bool(record), knowledge)
    except ChanceError as error:
        raise SaveError(f"the save is damaged: {error}") from None


def _other_content(info: SaveInfo, content: Content) -> str:
    return (
        f"a save of content pack {info.pack!r}, hash {info.content_hash}; given is {content.name!r}, hash "
        f"{content.hash}. Give the packs the game was played with"
    )


def state_from_bytes(
    data: object,
    *,
    game: Game | None = None,
    packs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    content: Content | None = None,
    record: bool = False,
) -> State:
    """The state of a save written by ``State.to_bytes()``.

    Parameters
    ----------
    data
        Anything with bytes.
    game
        The game it is of. Without one the game is made from what the save says.
    packs, content
        The content pack, as for :func:`~cysmic_fast.load_game`, if it is not the standard one.
    record
        Whether events are recorded from here on; those of the past are not in a save.

    Raises
    ------
    SaveError
        For what is no save, a damaged one, another version's, another game's, another content pack's (naming
        both hashes and packs).
    ContentError
        For packs with defects.
    """
    from cysmic_fast.game import ENGINES, content_of, pack_folders

    if game is not None:
        if pack_folders(packs) or content is not None:
            raise OptionError("options 'game' and 'packs' or 'content' given; allowed: one or the other")
        state: State = load_state(game, data, record)
        return state
    save = read_save(data)
    info = save.info
    if info.engine not in ENGINES:
        raise SaveError(f"the save is damaged: engine {info.engine[:60]!r}; allowed: {', '.join(ENGINES)}")
    _check_rules(info)
    options = _options(save.sections[GAME])
    pack = content_of(packs, content)
    if pack.hash != info.content_hash:
        raise SaveError(_other_content(info, pack))
    loaded: State = load_state(shared_game(info.engine, options, pack), data, record)
    return loaded


@functools.lru_cache(maxsize=8)
def shared_game(engine: str, options: GameOptions, content: Content) -> Game:
    """The game of a save or pickle; games never change, so the next one of it gets the same."""
    from cysmic_fast.game import make_game

    try:
        return make_game(options, content, engine)
    except OptionError as error:
        raise SaveError(f"the save is damaged: {error}") from None
