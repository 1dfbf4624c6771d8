# cython: language_level=3
# cython: freethreading_compatible=True
"""Flat Monte Carlo in Cython, by the function table of cysmic_fast, without the interpreter lock.

``python build.py`` compiles it.
"""

from cysmic_fast.embed cimport (
    CYSMIC_MASK_WORDS, CYSMIC_MAX_PLAYERS, CYSMIC_OK, CYSMIC_OVER, cysmic_api, cysmic_game, cysmic_import,
    cysmic_next_legal, cysmic_result, cysmic_rng, cysmic_state, cysmic_status_text,
)
from libc.stdint cimport int32_t, uint32_t, uint64_t

cdef const cysmic_api *api = cysmic_import()


cdef int check(int status) except -1:
    """Raise what a status below 0 means."""
    if status < 0:
        raise RuntimeError(cysmic_status_text(status).decode())
    return status


cdef int play_game(const cysmic_game *game, uint64_t seed, uint64_t index,
                   uint64_t *decisions) noexcept nogil:
    """A whole random game, decision by decision; a status."""
    cdef cysmic_state state
    cdef cysmic_rng rng
    cdef uint64_t mask[CYSMIC_MASK_WORDS]
    cdef int32_t action
    cdef uint32_t k
    cdef int status = api.new_state(game, seed, index, &state)
    api.rng_init(&rng, seed, index)
    while status == CYSMIC_OK:
        k = api.rng_below(&rng, <uint32_t>api.legal_mask(game, &state, mask))
        action = cysmic_next_legal(mask, -1)
        while k:
            action = cysmic_next_legal(mask, action)
            k -= 1
        decisions[0] += 1
        status = api.apply(game, &state, action)
    return status


def play(game, uint64_t seed, uint64_t count):
    """Decisions of games 0 .. count - 1 of ``seed``, played at random."""
    cdef const cysmic_game *handle = api.game_of(game)
    cdef uint64_t decisions = 0
    cdef uint64_t i
    cdef int status = CYSMIC_OVER
    with nogil:
        for i in range(count):
            status = play_game(handle, seed, i, &decisions)
            if status < 0:
                break
    check(status)
    return decisions


def playouts(state, uint64_t seed, uint64_t count):
    """Wins by seat and decisions of random playouts from a state."""
    cdef cysmic_state start
    cdef cysmic_result result
    cdef uint64_t wins[CYSMIC_MAX_PLAYERS]
    cdef uint64_t decisions = 0
    cdef uint64_t i
    cdef int seat
    cdef int status = CYSMIC_OK
    api.state_of(state, &start)
    owner = state.game  # keeps the game alive
    cdef const cysmic_game *handle = api.game_of(owner)
    for seat in range(CYSMIC_MAX_PLAYERS):
        wins[seat] = 0
    with nogil:
        for i in range(count):
            status = api.rollout(handle, &start, seed, i, NULL, &result)
            if status < 0:
                break
            decisions += result.decisions
            for seat in range(CYSMIC_MAX_PLAYERS):
                wins[seat] += result.winners >> seat & 1
    check(status)
    return [wins[seat] for seat in range(api.num_players(handle))], decisions


def action_values(state, uint64_t seed, uint64_t count):
    """For each legal action: what ``count`` playouts after it return, on average, to who decides."""
    cdef cysmic_state start
    cdef cysmic_state after
    cdef uint64_t mask[CYSMIC_MASK_WORDS]
    cdef double returns[CYSMIC_MAX_PLAYERS]
    cdef double total
    cdef uint64_t i
    cdef int32_t action = -1
    cdef int player
    cdef int status = CYSMIC_OK
    api.state_of(state, &start)
    owner = state.game
    cdef const cysmic_game *handle = api.game_of(owner)
    player = api.current_player(handle, &start)
    check(api.legal_mask(handle, &start, mask))
    values = {}
    while (action := cysmic_next_legal(mask, action)) >= 0:
        total = 0
        with nogil:
            after = start
            status = api.apply(handle, &after, action)
            for i in range(count):
                if status < 0:
                    break
                status = api.rollout(handle, &after, seed, i, returns, NULL)
                total += returns[player]
        check(status)
        values[action] = total / count
    return values
