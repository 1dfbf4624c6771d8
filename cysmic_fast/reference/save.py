"""What the reference engine saves (docs/saves.md): where the last checkpoint stood, what was done since."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from cysmic_fast.content.effect_words import Once
from cysmic_fast.errors import CysmicError, SaveError
from cysmic_fast.names import kind_name
from cysmic_fast.policies import check_word
from cysmic_fast.reference import grants, position, save_knowledge
from cysmic_fast.reference.model import Phase
from cysmic_fast.reference.windows import reset_once

if TYPE_CHECKING:
    from cysmic_fast.reference.model import Game
    from cysmic_fast.reference.state import ReferenceGame, ReferenceState

__all__ = ["load", "save", "written"]

#: No body is larger when it is unpacked.
_MAX_BYTES = 4_000_000


class _Body(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """``position`` is None for a game from its set-up on. The log: actions, scripts added, new keys.

    ``knows``: what the seats knew at the position.
    """

    seed: int
    index: int
    position: dict[str, Any] | None = None
    knows: save_knowledge.KnowledgePart | None = None
    script: dict[str, list[str | list[str]]] = {}
    log: list[tuple[Literal["action", "script", "rekey"], Any]] = []


def written(script: Mapping[Any, Any]) -> dict[str, list[Any]]:
    """Queues of outcomes as a script: by names of chance kinds, none empty."""
    return {kind_name(kind): list(outcomes) for kind, outcomes in script.items() if outcomes}


def save(checkpoint: Game, log: list[tuple[str, Any]]) -> bytes:
    """The body of a save."""
    document = known = None
    if checkpoint.phase != Phase.START:
        if checkpoint.phase == Phase.TURN:  # what the turn about to start forgets is no part of its position
            checkpoint = checkpoint.copy()
            reset_once(checkpoint, Once.TURN, checkpoint.seats)
            reset_once(checkpoint, Once.ROUND, [checkpoint.active])
            grants.turn_of(checkpoint, checkpoint.active)
        document = position.emit(checkpoint, "setup" if checkpoint.phase == Phase.SHIPS else "turn")
        known = save_knowledge.write(checkpoint)
        # options and content stand in the header
        del document["options"], document["content_hash"]
    steps: list[Any] = [(what, written(value) if what == "script" else value) for what, value in log]
    chance = checkpoint.chance
    body = _Body(chance.seed, chance.index, document, known, written(chance.script), steps)
    return zlib.compress(msgspec.json.encode(body, order="sorted"), 9)


def load(game: ReferenceGame, data: bytes, record: bool) -> ReferenceState:
    """The state of a body; SaveError for what is none of this game."""
    unpack = zlib.decompressobj()
    try:
        text = unpack.decompress(data, _MAX_BYTES)
        if not unpack.eof or unpack.unused_data:
            raise SaveError("the save is damaged: cut short, too long or with something behind it")
        body = msgspec.json.decode(text, type=_Body)
        state: Any
        maker: Any = game
        if body.position is None:
            state = game.new_initial_state(body.seed, index=body.index, script=body.script or None)
        else:
            document = {**body.position, "options": game.options.to_dict(), "content_hash": game.content.hash}
            state = maker.state_from_position(document, script=body.script or None)
            if body.knows is not None:
                state.let_know(body.knows)
        for what, value in body.log:
            if what == "action":
                state.apply_action(value)
            elif what == "script":
                state.script(value)
            else:
                seed, number = value
                state._rekey((check_word(seed, "seed"), check_word(number, "index")))
    except SaveError:
        raise
    except (CysmicError, ValueError, TypeError, RecursionError, zlib.error) as error:
        raise SaveError(f"the save is damaged: {error}") from None
    loaded: ReferenceState = state
    loaded.set_recording(record)
    return loaded
