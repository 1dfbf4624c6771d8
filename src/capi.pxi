# The C interface (docs/embedding.md; cysmic_fast/include/cysmic.h explains every function): a table of
# functions without Python in them, behind a capsule. A caller's buffer holds the game's state, the options of
# the decision at hand, and what tells a sound buffer from any other.

cdef enum:
    HELD_MAGIC = 0x43594D31

cdef struct Held:              # what a cysmic_state holds
    State s
    uint64_t mask[8]
    int32_t count
    uint32_t magic
    const Tables *game         # it belongs to this one: an address, good in this process

if sizeof(Held) > CYSMIC_STATE_SIZE or sizeof(Draws) != sizeof(cysmic_rng):
    raise ImportError("cysmic.h: states or streams have outgrown their room: a new CYSMIC_ABI_VERSION")


cdef inline int held_status(const cysmic_game *game, const cysmic_state *state) noexcept nogil:
    """Whether this can be a state of the game."""
    cdef const Held *held = <const Held *>state
    if game == NULL or state == NULL or <size_t>state % CYSMIC_STATE_ALIGNMENT:
        return CYSMIC_BAD_ARGUMENT
    if held.magic != HELD_MAGIC or held.game != <const Tables *>game:
        return CYSMIC_BAD_STATE
    return CYSMIC_ENDLESS if held.s.fault else CYSMIC_OK


cdef inline void begin_context(Ctx *ctx) noexcept nogil:
    """Nobody listens, nothing is scripted, and the generator's block is worked out when it is needed."""
    memset(ctx, 0, sizeof(Ctx))
    ctx.block.tag = RNG_EMPTY


cdef inline int hold(Held *held, const Ctx *ctx, int result) noexcept nogil:
    """Keep the options of the decision that has been come to; what to return."""
    if result == WAIT:
        memcpy(held.mask, ctx.mask, sizeof(held.mask))
        held.count = ctx.count
        return CYSMIC_OK
    memset(held.mask, 0, sizeof(held.mask))
    held.count = 0
    return CYSMIC_OVER if result == OVER else CYSMIC_ENDLESS


cdef int capi_num_players(const cysmic_game *game) noexcept nogil:
    if game == NULL:
        return CYSMIC_BAD_ARGUMENT
    return (<const Tables *>game).players


cdef int capi_new_state(const cysmic_game *game, uint64_t seed, uint64_t index,
                        cysmic_state *out) noexcept nogil:
    cdef Held made
    cdef Ctx ctx
    cdef int status
    if game == NULL or out == NULL or <size_t>out % CYSMIC_STATE_ALIGNMENT:
        return CYSMIC_BAD_ARGUMENT
    memset(&made, 0, sizeof(Held))  # what lies between fields included: equal states are equal bytes
    begin_context(&ctx)
    status = hold(&made, &ctx, new_game(&made.s, <const Tables *>game, &ctx, seed, index))
    if status >= 0:
        made.magic = HELD_MAGIC
        made.game = <const Tables *>game
        memset(out, 0, CYSMIC_STATE_SIZE)
        memcpy(out, &made, sizeof(Held))
    return status


cdef int capi_legal_mask(const cysmic_game *game, const cysmic_state *state, uint64_t *mask) noexcept nogil:
    cdef int status = held_status(game, state)
    if status < 0:
        return status
    if mask != NULL:
        memcpy(mask, (<const Held *>state).mask, 8 * sizeof(uint64_t))
    return (<const Held *>state).count


cdef int capi_apply_unchecked(const cysmic_game *game, cysmic_state *state, int32_t action) noexcept nogil:
    cdef Held *held = <Held *>state
    cdef Ctx ctx
    begin_context(&ctx)
    return hold(held, &ctx, answer_with(&held.s, <const Tables *>game, &ctx, action))


cdef int capi_apply(const cysmic_game *game, cysmic_state *state, int32_t action) noexcept nogil:
    cdef Held *held = <Held *>state
    cdef Held before
    cdef int status = held_status(game, state)
    if status < 0:
        return status
    if held.s.phase == PH_OVER:
        return CYSMIC_GAME_OVER
    if action < 0 or action >= NUM_ACTIONS or not held.mask[action >> 6] >> (action & 63) & 1:
        return CYSMIC_ILLEGAL
    if not (<const Tables *>game).entries[TABLE_PROGRAMS]:  # then nothing can go wrong
        return capi_apply_unchecked(game, state, action)
    memcpy(&before, held, sizeof(Held))
    status = capi_apply_unchecked(game, state, action)
    if status < 0:
        memcpy(held, &before, sizeof(Held))
    return status


cdef int capi_is_terminal(const cysmic_game *game, const cysmic_state *state) noexcept nogil:
    cdef int status = held_status(game, state)
    return status if status < 0 else (<const Held *>state).s.phase == PH_OVER


cdef int capi_current_player(const cysmic_game *game, const cysmic_state *state) noexcept nogil:
    cdef const Held *held = <const Held *>state
    cdef int status = held_status(game, state)
    if status < 0:
        return status
    if held.s.phase == PH_OVER:
        return CYSMIC_TERMINAL_PLAYER
    return held.s.player


cdef int capi_decision(const cysmic_game *game, const cysmic_state *state) noexcept nogil:
    cdef int status = held_status(game, state)
    return status if status < 0 else (<const Held *>state).s.kind


cdef int capi_end_reason(const cysmic_game *game, const cysmic_state *state, int32_t *reason) noexcept nogil:
    cdef int status = held_status(game, state)
    if status < 0:
        return status
    if reason == NULL:
        return CYSMIC_BAD_ARGUMENT
    reason[0] = (<const Held *>state).s.reason
    return CYSMIC_OK


cdef inline void write_returns(const State *s, const Tables *t, double *returns) noexcept nogil:
    cdef int seat
    for seat in range(t.players):
        returns[seat] = <double>(s.launched >> seat & 1)


cdef int capi_returns(const cysmic_game *game, const cysmic_state *state, double *returns) noexcept nogil:
    cdef int status = held_status(game, state)
    if status < 0:
        return status
    if returns == NULL:
        return CYSMIC_BAD_ARGUMENT
    write_returns(&(<const Held *>state).s, <const Tables *>game, returns)
    return CYSMIC_OK


cdef int capi_clone(const cysmic_state *state, cysmic_state *out) noexcept nogil:
    if state == NULL or out == NULL:
        return CYSMIC_BAD_ARGUMENT
    if state != out:
        memcpy(out, state, CYSMIC_STATE_SIZE)
    return CYSMIC_OK


cdef int capi_reseed(const cysmic_game *game, cysmic_state *state, uint64_t seed,
                     uint64_t index) noexcept nogil:
    cdef int status = held_status(game, state)
    if status == CYSMIC_OK:
        rng_key(&(<Held *>state).s.rng, seed, index)
    return status


cdef int capi_rollout(const cysmic_game *game, const cysmic_state *start, uint64_t seed, uint64_t index,
                      double *returns, cysmic_result *result) noexcept nogil:
    # the twin of begin_playout (rollout.pxi), for one playout
    cdef const Tables *t = <const Tables *>game
    cdef const Held *held = <const Held *>start
    cdef State s
    cdef Ctx ctx
    cdef Rng policy
    cdef int status
    if game == NULL:
        return CYSMIC_BAD_ARGUMENT
    begin_context(&ctx)
    if start == NULL:
        status = new_game(&s, t, &ctx, seed, index)
    else:
        status = held_status(game, start)
        if status < 0:
            return status
        memcpy(&s, &held.s, sizeof(State))
        memcpy(ctx.mask, held.mask, sizeof(ctx.mask))
        ctx.count = held.count
        rng_key(&s.rng, seed, index)
        status = OVER if s.phase == PH_OVER else WAIT
    rng_key(&policy, seed, index)
    if play_out(&s, t, &ctx, &policy, status) == FAULT:
        return CYSMIC_ENDLESS
    if returns != NULL:
        write_returns(&s, t, returns)
    if result != NULL:
        result.options = ctx.stats.options
        result.decisions = <uint32_t>at_most(ctx.stats.decisions, 0xFFFFFFFF)
        result.rounds = <uint32_t>s.round
        result.reason = s.reason
        result.winners = s.launched
    return CYSMIC_OK


cdef void capi_rng_init(cysmic_rng *rng, uint64_t seed, uint64_t index) noexcept nogil:
    cdef Draws *draws = <Draws *>rng
    memset(draws, 0, sizeof(Draws))
    rng_key(&draws.rng, seed, index)
    draws.block.tag = RNG_EMPTY


cdef uint64_t capi_rng_word(cysmic_rng *rng) noexcept nogil:
    return policy_word(<Draws *>rng)


cdef uint32_t capi_rng_below(cysmic_rng *rng, uint32_t n) noexcept nogil:
    return <uint32_t>policy_bounded(<Draws *>rng, n)


cdef int capi_random_action(const cysmic_game *game, const cysmic_state *state,
                            cysmic_rng *rng) noexcept nogil:
    cdef const Held *held = <const Held *>state
    cdef int status = held_status(game, state)
    if status < 0:
        return status
    if rng == NULL:
        return CYSMIC_BAD_ARGUMENT
    if held.s.phase == PH_OVER:
        return CYSMIC_GAME_OVER
    return select512(held.mask, <int>policy_bounded(<Draws *>rng, <uint64_t>held.count))


# ---------------------------------------------------------------------------------------------- with the lock
cdef NativeGame game_given(object game):
    """A game of the native engine; OptionError for anything else."""
    if not isinstance(game, NativeGame):
        raise OptionError(f"{shown(game)} given; allowed: a game of the native engine (load_game)")
    return <NativeGame>game


cdef const cysmic_game *capi_game_of(object game) except NULL:
    return <const cysmic_game *>game_given(game).tables


cdef int capi_state_of(object state, cysmic_state *out) except -1:
    if not isinstance(state, NativeState):
        raise OptionError(f"{shown(state)} given; allowed: a state of the native engine")
    if out == NULL or <size_t>out % CYSMIC_STATE_ALIGNMENT:
        raise OptionError(f"room for a state: allowed: {CYSMIC_STATE_SIZE} bytes at a multiple of "
                          f"{CYSMIC_STATE_ALIGNMENT}")
    return copy_held(<NativeState>state, out)


@cython.critical_section
cdef int copy_held(NativeState state, cysmic_state *out) except -1:
    """The state as a cysmic_state."""
    cdef Held *held = <Held *>out
    cdef int kind
    for kind in range(N_CK):
        if state.queues.queue[kind].head < state.queues.queue[kind].size:
            raise OptionError(f"the state has scripted outcomes of {KIND_NAMES[kind]} left; allowed: none")
    memset(out, 0, CYSMIC_STATE_SIZE)
    memcpy(&held.s, state.s, sizeof(State))
    if state.s.phase != PH_OVER:
        memcpy(held.mask, state.ctx.mask, sizeof(held.mask))
        held.count = state.ctx.count
    held.magic = HELD_MAGIC
    held.game = state.owner.tables
    return 0


cdef object capi_state_to_python(object game, const cysmic_state *state):
    cdef NativeGame owner = game_given(game)
    cdef const Held *held = <const Held *>state
    cdef int status = held_status(<const cysmic_game *>owner.tables, state)
    if status < 0:
        raise OptionError(f"state given: {cysmic_status_text(status).decode()}")
    cdef NativeState made = NativeState.__new__(NativeState, MAKING)
    made.attach(owner, False)
    memcpy(made.s, &held.s, sizeof(State))
    memcpy(made.ctx.mask, held.mask, sizeof(held.mask))
    made.ctx.count = held.count
    made.ctx.block.tag = RNG_EMPTY
    defect = made.check_integrity()
    if defect is not None:
        raise OptionError(f"state given: {defect} is wrong")
    return made


cdef cysmic_api capi_table     # written here, once, and never again

capi_table.abi_version = CYSMIC_ABI_VERSION
capi_table.state_size = CYSMIC_STATE_SIZE
capi_table.state_alignment = CYSMIC_STATE_ALIGNMENT
capi_table.table_size = sizeof(cysmic_api)
capi_table.game_of = capi_game_of
capi_table.state_of = capi_state_of
capi_table.state_to_python = capi_state_to_python
capi_table.num_players = capi_num_players
capi_table.new_state = capi_new_state
capi_table.legal_mask = capi_legal_mask
capi_table.apply = capi_apply
capi_table.apply_unchecked = capi_apply_unchecked
capi_table.is_terminal = capi_is_terminal
capi_table.current_player = capi_current_player
capi_table.decision = capi_decision
capi_table.end_reason = capi_end_reason
capi_table.returns = capi_returns
capi_table.clone = capi_clone
capi_table.reseed = capi_reseed
capi_table.rollout = capi_rollout
capi_table.rng_init = capi_rng_init
capi_table.rng_word = capi_rng_word
capi_table.rng_below = capi_rng_below
capi_table.random_action = capi_random_action

_C_API = PyCapsule_New(&capi_table, "cysmic_fast._native._C_API", NULL)


def embed_constants():
    """Numbers of cysmic.h as this module was compiled with them."""
    return {
        "ABI_VERSION": CYSMIC_ABI_VERSION,
        "STATE_SIZE": CYSMIC_STATE_SIZE,
        "STATE_ALIGNMENT": CYSMIC_STATE_ALIGNMENT,
        "NUM_ACTIONS": CYSMIC_NUM_ACTIONS,
        "MASK_WORDS": CYSMIC_MASK_WORDS,
        "MAX_PLAYERS": CYSMIC_MAX_PLAYERS,
        "TERMINAL_PLAYER": CYSMIC_TERMINAL_PLAYER,
        "OK": CYSMIC_OK,
        "OVER": CYSMIC_OVER,
        "ILLEGAL": CYSMIC_ILLEGAL,
        "GAME_OVER": CYSMIC_GAME_OVER,
        "ENDLESS": CYSMIC_ENDLESS,
        "BAD_STATE": CYSMIC_BAD_STATE,
        "BAD_ARGUMENT": CYSMIC_BAD_ARGUMENT,
    }


def embed_functions():
    """Addresses of the functions of the table that need no lock."""
    return {
        "num_players": <size_t>capi_table.num_players,
        "new_state": <size_t>capi_table.new_state,
        "legal_mask": <size_t>capi_table.legal_mask,
        "apply": <size_t>capi_table.apply,
        "apply_unchecked": <size_t>capi_table.apply_unchecked,
        "is_terminal": <size_t>capi_table.is_terminal,
        "current_player": <size_t>capi_table.current_player,
        "decision": <size_t>capi_table.decision,
        "end_reason": <size_t>capi_table.end_reason,
        "returns": <size_t>capi_table.returns,
        "clone": <size_t>capi_table.clone,
        "reseed": <size_t>capi_table.reseed,
        "rollout": <size_t>capi_table.rollout,
        "rng_init": <size_t>capi_table.rng_init,
        "rng_word": <size_t>capi_table.rng_word,
        "rng_below": <size_t>capi_table.rng_below,
        "random_action": <size_t>capi_table.random_action,
    }


def embed_handle(game):
    """Address of the tables of a game, which is what a ``cysmic_game *`` points to."""
    return <size_t>game_given(game).tables


def embed_copy(state, uint8_t[::1] out not None):
    """Copy a state into a buffer as a cysmic_state."""
    if out.shape[0] != CYSMIC_STATE_SIZE:
        raise OptionError(f"room for a state: {out.shape[0]} bytes given; allowed: {CYSMIC_STATE_SIZE}")
    capi_state_of(state, <cysmic_state *>&out[0])
