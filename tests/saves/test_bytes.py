"""``to_bytes`` and back: exact at every decision, on both engines, in every configuration."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

import cysmic_fast
from cysmic_fast import saves
from cysmic_fast._crosscheck_packs import random_pack
from cysmic_fast.errors import ContentError, OptionError, SaveError

ROOT = Path(__file__).parents[2]
GAMES: list[dict[str, Any]] = [
    {"players": 4},
    {"players": 2, "blueprint_variant": 2, "trading": False},
    {"players": 3, "factions": True, "events": True, "ending": "guilty+simultaneous"},
    {"players": 5, "factions": True, "molten_core": True, "events": True, "ending": "build_it+equality"},
    {"players": 6, "abilities": False, "events": True, "factions": True},
    {
        "players": 4,
        "factions": True,
        "packs": ROOT / "examples" / "pack_storm_season",
        "echoes": {1: {"miner": 3}},
    },
]


def play(state: Any, rng: random.Random, moves: int) -> Any:
    for _ in range(moves):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("options", GAMES, ids=str)
def test_native_at_every_decision(options: dict[str, Any]) -> None:
    """Each state of a game comes back the same, and goes on the same: compared 37 actions later."""
    game: Any = cysmic_fast.load_game(**options)
    state = game.new_initial_state(3, record=True)
    rng = random.Random(str(options))
    twin: Any = None
    for number in range(2500):
        data = state.to_bytes()
        back = game.state_from_bytes(data, record=True)
        assert back.check_integrity() is None
        assert (back.decision(), back.current_player()) == (state.decision(), state.current_player())
        assert back.legal_actions() == state.legal_actions()
        assert back.to_bytes() == data
        assert len(data) < 1200
        if number % 37 == 0:  # from here on a loaded state goes along
            if twin is not None:
                assert twin.events() == state.events()
                assert twin.snapshot() == state.snapshot() == back.snapshot()
                assert twin == state
            state.clear_events()
            twin = back
        if state.is_terminal():
            break
        action = rng.choice(state.legal_actions())
        state.apply_action(action)
        twin.apply_action(action)


@pytest.mark.parametrize("seed", range(4))
def test_random_packs(seed: int, tmp_path: Path) -> None:
    """Cards that use every verb: each state of a game is accepted."""
    rng = random.Random(seed)
    for name, text in random_pack(rng).items():
        (tmp_path / name).write_text(text, "utf-8")
    game: Any = cysmic_fast.load_game(players=2 + seed, packs=tmp_path, factions=True, events=True)
    state = game.new_initial_state(seed)
    while not state.is_terminal():
        assert game.state_from_bytes(state.to_bytes()).legal_actions() == state.legal_actions()
        state.apply_action(rng.choice(state.legal_actions()))


def test_both_engines(engine: str) -> None:
    game: Any = cysmic_fast.load_game(players=3, engine=engine, factions=True, events=True)
    state, rng = game.new_initial_state(8, index=3), random.Random(5)
    for _ in range(12):
        back = cysmic_fast.state_from_bytes(state.to_bytes())
        assert back.game == game
        assert back == state
        assert back.snapshot() == state.snapshot()
        assert (
            play(back, random.Random(1), 15).snapshot()
            == play(state.clone(), random.Random(1), 15).snapshot()
        )
        play(state, rng, 9)


def test_scripts_are_saved(engine: str) -> None:
    game: Any = cysmic_fast.load_game(players=2, engine=engine)
    a, b, c = [card.id for card in game.content.discovery if not card.molten_core and not card.event][:3]
    state = game.new_initial_state(1, script={"red_die": ["1", "2"], "discovery_shuffle": [[a], [b, c]]})
    back = game.state_from_bytes(state.to_bytes())
    assert back == state
    assert back != game.new_initial_state(1, script={"discovery_shuffle": [[a]]})
    other = state.clone()
    other.script({"red_die": ["3"]})
    assert other != state
    assert game.state_from_bytes(other.to_bytes()) == other


def test_new_chance_is_saved(engine: str) -> None:
    game: Any = cysmic_fast.load_game(players=2, engine=engine)
    state = play(game.new_initial_state(1), random.Random(1), 40).clone(seed=77)
    assert game.state_from_bytes(state.to_bytes()) == state


def test_events_are_not_saved(engine: str) -> None:
    game: Any = cysmic_fast.load_game(players=2, engine=engine)
    state = play(game.new_initial_state(1, record=True), random.Random(1), 10)
    assert state.events()
    assert game.state_from_bytes(state.to_bytes()).events() == []
    back = game.state_from_bytes(state.to_bytes(), record=True)
    back.apply_action(back.legal_actions()[0])
    assert back.events()


# ------------------------------------------------------------------ equality
def test_equal_by_content() -> None:
    game: Any = cysmic_fast.load_game(players=3)
    state = play(game.new_initial_state(5), random.Random(2), 60)
    same = cysmic_fast.load_game(players=3).state_from_bytes(state.to_bytes())
    assert same == state
    assert hash(same) == hash(state)
    assert len({same, state}) == 1
    same.apply_action(same.legal_actions()[0])
    assert same != state
    assert state != game.new_initial_state(6)
    assert state != "state"
    assert state != cysmic_fast.load_game(players=3, trading=False).new_initial_state(5)


def test_every_field_of_the_state_is_saved_or_follows() -> None:
    """A field that somebody adds to the structs has to be thought of in src/save.pxi."""
    pxd = (ROOT / "cysmic_fast" / "_native.pxd").read_text("utf-8")
    text = (ROOT / "src" / "save.pxi").read_text("utf-8") + (ROOT / "src" / "save_check.pxi").read_text(
        "utf-8"
    )
    follows = "has full open feature watch mods saboteurs fits answer answered fault frames seat rng".split()  # noqa: SIM905
    for struct in ("State", "Seat", "Frame", "Regs", "Work", "Rng"):
        body = re.search(rf"cdef struct {struct}:.*?\n((?:    .*\n)+)", pxd)
        assert body is not None
        fields = re.findall(r"^    \w+ (\w+)(?:\[\d+\])*", body[1], re.MULTILINE)
        assert len(fields) > 1
        for field in fields:
            assert field in follows or re.search(rf"\.{field}\b", text), f"{struct}.{field} is not saved"


def test_procedures_keep_their_numbers() -> None:
    """Saves name procedures of the agenda by number: new ones go to the end."""
    agenda = (ROOT / "src" / "agenda.pxi").read_text("utf-8")
    names = re.findall(r"^    PR_(\w+)", agenda[: agenda.index("cdef inline Frame *top")], re.MULTILINE)
    frozen = """
        SETUP TURN SURPLUS WINDOW GAIN_RELIC CARD SECTION ACTION MOVE SHIP SAIL EVACUATE MOVE_SOME GATHER
        GATHERED ARRIVE TAKE FLAGS PROMOTE RECRUIT DEPLOY CHOOSE_NEW ACTIVATE UPGRADE CONSTRUCT RECALL
        BATTLE COMBAT STRIKE FLIGHT BATCHES CYBER TRADE RANSOM BONUS REWARDS PLAY COMMAND PAY DRAW GAIN
        TREMOR FRACTURE COLLAPSE EVENT PROGRAM LIST EACH UNITS STEER SWAP LOSE STEAL SCRY STORE VERB
        CONTROL CAPTIVES
    """
    numbers = frozen.split()
    assert names[: len(numbers)] == numbers


# ------------------------------------------------------------------ refusals
@pytest.fixture(scope="module")
def save() -> bytes:
    game: Any = cysmic_fast.load_game(players=3)
    return bytes(play(game.new_initial_state(5), random.Random(2), 60).to_bytes())


def test_cut_and_flipped_bytes(save: bytes) -> None:
    for end in range(len(save)):
        with pytest.raises(SaveError):
            cysmic_fast.state_from_bytes(save[:end])
    rng = random.Random(1)
    for _ in range(1000):
        broken = bytearray(save)
        broken[rng.randrange(len(save))] ^= 1 << rng.randrange(8)
        with pytest.raises(SaveError):
            cysmic_fast.state_from_bytes(broken)
    with pytest.raises(SaveError):
        cysmic_fast.state_from_bytes(save + b"x")


@pytest.mark.parametrize(
    "thing", [None, 3, "CYSM", b"", b"CYSM", [1], bytes(2_000_000)], ids=lambda x: str(x)[:9]
)
def test_no_save(thing: object) -> None:
    with pytest.raises(SaveError):
        cysmic_fast.state_from_bytes(thing)


def test_anything_with_bytes(save: bytes) -> None:
    wanted = cysmic_fast.state_from_bytes(save)
    assert cysmic_fast.state_from_bytes(bytearray(save)) == wanted
    assert cysmic_fast.state_from_bytes(memoryview(save)) == wanted


def test_another_version(save: bytes) -> None:
    later = save[:4] + bytes([9]) + save[5:]
    with pytest.raises(SaveError, match="format 9; this version reads format 1"):
        cysmic_fast.state_from_bytes(later)
    sections = saves.read_save(save).sections
    ruled = dict(sections)
    ruled[saves.GAME] = sections[saves.GAME].replace(b'"1.0"', b'"9.9"')
    with pytest.raises(SaveError, match=r"rules version '9\.9'"):
        cysmic_fast.state_from_bytes(saves._pack(ruled))
    with pytest.raises(SaveError, match=r"does not know: \[77\]"):
        cysmic_fast.state_from_bytes(saves._pack({**sections, 77: b"new"}))
    assert cysmic_fast.state_from_bytes(
        saves._pack({**sections, 200: b"new"})
    ) == cysmic_fast.state_from_bytes(save)
    for part in sections.keys() - {saves.SCRIPT, saves.KNOWLEDGE}:
        with pytest.raises(SaveError):
            cysmic_fast.state_from_bytes(saves._pack({k: v for k, v in sections.items() if k != part}))


def test_other_content() -> None:
    storm = ROOT / "examples" / "pack_storm_season"
    game: Any = cysmic_fast.load_game(players=3, packs=storm)
    data = game.new_initial_state(1).to_bytes()
    plain: Any = cysmic_fast.load_game(players=3)
    for load in (cysmic_fast.state_from_bytes, plain.state_from_bytes):
        with pytest.raises(SaveError) as caught:
            load(data)
        for word in (game.content.hash, plain.content.hash, game.content.name, "'standard'"):
            assert word in str(caught.value)
    assert cysmic_fast.state_from_bytes(data, packs=storm) == game.new_initial_state(1)
    assert cysmic_fast.state_from_bytes(data, content=game.content) == game.new_initial_state(1)
    assert cysmic_fast.state_from_bytes(data, game=game) == game.new_initial_state(1)
    with pytest.raises(OptionError):
        cysmic_fast.state_from_bytes(data, game=game, packs=storm)
    with pytest.raises(ContentError):
        cysmic_fast.state_from_bytes(data, packs="nowhere")


def test_other_game(save: bytes) -> None:
    with pytest.raises(SaveError, match=r"players 3 \(here 4\)"):
        cysmic_fast.load_game(players=4).state_from_bytes(save)
    with pytest.raises(SaveError, match=r"'native' engine; this game is on the 'reference'"):
        cysmic_fast.load_game(players=3, engine="reference").state_from_bytes(save)


def test_damaged_reference_saves() -> None:
    """Bytes with a checksum that fits, in what the reference engine saves."""
    import zlib

    game: Any = cysmic_fast.load_game(players=2, engine="reference")
    body, *_ = play(game.new_initial_state(1), random.Random(1), 40)._save_parts()
    text = zlib.decompress(body)
    rng = random.Random(2)
    for _ in range(300):
        broken = bytearray(text)
        broken[rng.randrange(len(text))] = rng.choice(b'0129{}[]",x')
        try:
            state = game._state_from_parts(zlib.compress(bytes(broken)), None, False)
        except SaveError:
            continue
        play(state, rng, 3)
    with pytest.raises(SaveError):
        game._state_from_parts(body[:-3], None, False)
    with pytest.raises(SaveError):
        game._state_from_parts(zlib.compress(b" " * 5_000_000), None, False)
