# Whole games by the random policy (protocol section 19): no Python object, no lock, one record a game.

cdef packed struct Record:          # cysmic_fast/stats.py: GAME_STATS
    uint8_t winners
    int8_t reason
    uint16_t rounds
    uint32_t decisions
    uint64_t options
    uint32_t forced
    uint8_t launch_clean
    uint8_t launch_die
    uint16_t launch_failed
    uint16_t tremors
    uint16_t fractures
    uint16_t collapsed
    uint16_t captures
    uint16_t destroyed
    uint16_t combats
    uint16_t strikes
    uint8_t blueprints_cyber
    uint8_t blueprints_exchange
    uint8_t modules
    uint16_t relics
    uint8_t first_player


cdef int play_out(State *s, const Tables *t, Ctx *ctx, Rng *policy, int result) noexcept nogil:
    """Random legal play from a decision to the end of the game, or until the engine stops (FAULT)."""
    cdef RngBlock block
    cdef int k
    block.tag = RNG_EMPTY
    while result == WAIT:
        ctx.stats.decisions += 1
        ctx.stats.options += <uint64_t>ctx.count
        k = <int>rng_bounded(policy, &block, CF_POLICY, <uint32_t>ctx.count)
        rng_ahead(policy, &block, CF_POLICY)
        result = answer_with(s, t, ctx, select512(ctx.mask, k))
    return result


cdef inline uint64_t at_most(uint64_t value, uint64_t most) noexcept nogil:
    """A counter as its field can hold it: fields stop at their maximum."""
    return value if value < most else most


cdef void write_record(const State *s, const Tables *t, const Stats *stats, Record *out) noexcept nogil:
    """What is reported of a finished game."""
    out.winners = <uint8_t>s.launched
    out.reason = s.reason
    out.rounds = <uint16_t>s.round
    out.decisions = <uint32_t>at_most(stats.decisions, 0xFFFFFFFF)
    out.options = stats.options
    out.forced = <uint32_t>at_most(stats.forced, 0xFFFFFFFF)
    out.launch_clean = <uint8_t>at_most(stats.launch_clean, 0xFF)
    out.launch_die = <uint8_t>at_most(stats.launch_die, 0xFF)
    out.launch_failed = <uint16_t>at_most(stats.launch_failed, 0xFFFF)
    out.tremors = <uint16_t>at_most(stats.tremors, 0xFFFF)
    out.fractures = <uint16_t>at_most(stats.fractures, 0xFFFF)
    out.collapsed = <uint16_t>at_most(stats.collapsed, 0xFFFF)
    out.captures = <uint16_t>at_most(stats.captures, 0xFFFF)
    out.destroyed = <uint16_t>at_most(stats.destroyed, 0xFFFF)
    out.combats = <uint16_t>at_most(stats.combats, 0xFFFF)
    out.strikes = <uint16_t>at_most(stats.strikes, 0xFFFF)
    out.blueprints_cyber = <uint8_t>at_most(stats.blueprints_cyber, 0xFF)
    out.blueprints_exchange = <uint8_t>at_most(stats.blueprints_exchange, 0xFF)
    out.modules = <uint8_t>at_most(stats.modules, 0xFF)
    out.relics = <uint16_t>at_most(stats.relics, 0xFFFF)
    out.first_player = s.opener
