# The agenda: turn flow as a stack of frames inside the state, so that a state can be copied in the middle of
# anything.
#
# A procedure is a function that is called again and again with its frame until it takes the frame off. `step`
# says where it goes on; a block `if f.step == 3:` is entered by setting the step and falls through to the
# next one. It returns RUN (call the innermost frame next), WAIT (a decision is to be taken) or OVER (the game
# is finished).
#
# Asking: `answer = ask(...)`. The first time the options are worked out: none gives NONE, exactly one is
# applied at once and returned, several give PENDING, upon which the procedure returns WAIT. When the decision
# has been taken the procedure is called again with the same step, does what comes before the question once
# more (so nothing that changes the state may stand there) and `ask` returns the action chosen.

cdef enum:
    RUN = 0
    WAIT = 1
    OVER = 2
    NONE = -1
    PENDING = -2
    MAX_DEPTH = 26

cdef enum:
    PH_SETUP = 0
    PH_TURN = 1
    PH_OVER = 2

cdef enum:
    PR_SETUP = 0
    PR_TURN
    PR_SURPLUS
    PR_WINDOW
    PR_GAIN_RELIC
    PR_CARD
    PR_SECTION
    PR_ACTION
    PR_MOVE
    PR_SHIP
    PR_EVACUATE
    PR_MOVE_SOME
    PR_GATHER
    PR_GAIN_CONTROL
    PR_PROMOTE
    PR_RECRUIT
    PR_DEPLOY
    PR_CHOOSE_NEW
    PR_ACTIVATE
    PR_UPGRADE
    PR_ROBOTIC
    PR_CONSTRUCT
    PR_BATTLE
    PR_COMBAT
    PR_POOL
    PR_BATCHES
    PR_FREE_FLEE
    PR_CYBER
    PR_TRADE
    PR_RANSOM
    PR_BONUS
    PR_REWARDS
    PR_PAY
    PR_FRACTURE
    PR_COLLAPSE

cdef inline Frame *top(State *s) noexcept nogil:
    """The innermost frame."""
    return &s.frames[s.depth - 1]


cdef inline const Frame *top_of(const State *s) noexcept nogil:
    """The innermost frame, for reading."""
    return &s.frames[s.depth - 1]


cdef inline Frame *push(State *s, int proc, int a, int b, int c, int d) noexcept nogil:
    """Put a procedure on the agenda."""
    cdef Frame *frame = &s.frames[s.depth]
    frame.proc = <uint8_t>proc
    frame.step = 0
    frame.a = <int16_t>a
    frame.b = <int16_t>b
    frame.c = <int16_t>c
    frame.d = <int16_t>d
    s.depth += 1
    return frame


cdef inline int pop(State *s) noexcept nogil:
    """Take the innermost procedure off."""
    s.depth -= 1
    return RUN


cdef inline int finish(State *s, Ctx *ctx, int reason) noexcept nogil:
    """The game is over."""
    s.phase = PH_OVER
    s.reason = <int8_t>reason
    s.kind = DK_NONE
    s.answered = 0
    emit(ctx, EV_GAME_OVER, -1, reason, 0, 0)
    return OVER


cdef int ask(State *s, const Tables *t, Ctx *ctx, int kind, int player) noexcept nogil:
    """See the head of this file. DONE alone is nothing to be declined: it is the answer, without an event."""
    cdef uint64_t *mask = ctx.mask
    cdef int action = 0
    cdef int count = 0
    cdef int word
    if s.answered:
        s.answered = 0
        return s.answer
    s.kind = <uint8_t>kind
    s.player = <uint8_t>player
    offer(s, t, mask)
    for word in range(8):
        count += popcount64(mask[word])
    ctx.count = count
    if count > 1:
        return PENDING
    if count == 0:
        return NONE
    if mask[0] & 1:
        return A_DONE
    for word in range(8):
        if mask[word]:
            action = 64 * word + ctz64(mask[word])
    ctx.stats.forced += 1
    s.fresh = 0
    emit(ctx, EV_CHOICE, player, kind, action, 1)
    return action


cdef int run(State *s, const Tables *t, Ctx *ctx) noexcept nogil:
    """Go on until a decision with two or more options (WAIT) or the end of the game (OVER)."""
    cdef int result = RUN
    cdef int proc
    cdef Frame *f
    while result == RUN:
        f = top(s)
        proc = f.proc
        if proc == PR_TURN:
            result = do_turn(s, t, ctx, f)
        elif proc == PR_CARD:
            result = do_card(s, t, ctx, f)
        elif proc == PR_SECTION:
            result = do_section(s, t, ctx, f)
        elif proc == PR_ACTION:
            result = do_action(s, t, ctx, f)
        elif proc == PR_MOVE:
            result = do_move(s, t, ctx, f)
        elif proc == PR_SHIP:
            result = do_ship(s, t, ctx, f)
        elif proc == PR_EVACUATE:
            result = do_evacuate(s, t, ctx, f)
        elif proc == PR_MOVE_SOME:
            result = do_move_some(s, t, ctx, f)
        elif proc == PR_GATHER:
            result = do_gather(s, t, ctx, f)
        elif proc == PR_GAIN_CONTROL:
            result = do_gain_control(s, t, ctx, f)
        elif proc == PR_PROMOTE:
            result = do_promote(s, t, ctx, f)
        elif proc == PR_RECRUIT:
            result = do_recruit(s, t, ctx, f)
        elif proc == PR_DEPLOY:
            result = do_deploy(s, t, ctx, f)
        elif proc == PR_CHOOSE_NEW:
            result = do_choose_new(s, t, ctx, f)
        elif proc == PR_ACTIVATE:
            result = do_activate(s, t, ctx, f)
        elif proc == PR_UPGRADE:
            result = do_upgrade(s, t, ctx, f)
        elif proc == PR_ROBOTIC:
            result = do_robotic(s, t, ctx, f)
        elif proc == PR_CONSTRUCT:
            result = do_construct(s, t, ctx, f)
        elif proc == PR_BATTLE:
            result = do_battle(s, t, ctx, f)
        elif proc == PR_COMBAT:
            result = do_combat(s, t, ctx, f)
        elif proc == PR_POOL:
            result = do_pool(s, t, ctx, f)
        elif proc == PR_BATCHES:
            result = do_batches(s, t, ctx, f)
        elif proc == PR_FREE_FLEE:
            result = do_free_flee(s, t, ctx, f)
        elif proc == PR_CYBER:
            result = do_cyber(s, t, ctx, f)
        elif proc == PR_TRADE:
            result = do_trade(s, t, ctx, f)
        elif proc == PR_RANSOM:
            result = do_ransom(s, t, ctx, f)
        elif proc == PR_BONUS:
            result = do_bonus(s, t, ctx, f)
        elif proc == PR_REWARDS:
            result = do_rewards(s, t, ctx, f)
        elif proc == PR_PAY:
            result = do_pay(s, t, ctx, f)
        elif proc == PR_WINDOW:
            result = do_window(s, t, ctx, f)
        elif proc == PR_GAIN_RELIC:
            result = do_gain_relic(s, t, ctx, f)
        elif proc == PR_FRACTURE:
            result = do_fracture(s, t, ctx, f)
        elif proc == PR_COLLAPSE:
            result = do_collapse(s, t, ctx, f)
        elif proc == PR_SURPLUS:
            result = do_surplus(s, t, ctx, f)
        else:
            result = do_setup(s, t, ctx, f)
    if CYSMIC_DEBUG:
        stop_if_broken(s, t)
    return result


cdef inline int answer_with(State *s, const Tables *t, Ctx *ctx, int action) noexcept nogil:
    """Take the decision at hand with a legal action, then go on."""
    emit(ctx, EV_CHOICE, s.player, s.kind, action, 0)
    s.answer = <int16_t>action
    s.answered = 1
    s.fresh = 0
    return run(s, t, ctx)
