# The agenda: turn flow as a stack of frames inside the state, so that a state can be copied in the middle of
# anything.
#
# A procedure is a function that is called again and again with its frame until it takes the frame off. `step`
# says where it goes on; a block `if f.step == 3:` is entered by setting the step and falls through to the
# next one. It returns RUN (call the innermost frame next), WAIT (a decision is to be taken) or OVER (the game
# is finished). FAULT comes from `run` itself: the engine has stopped (State.fault).
#
# Some procedures keep more than a frame holds: lists and registers lie in frames beneath their own (`beneath`).
#
# Asking: `answer = ask(...)`. The first time the options are worked out: none gives NONE, exactly one is
# applied at once and returned, several give PENDING, upon which the procedure returns WAIT. When the decision
# has been taken the procedure is called again with the same step, does what comes before the question once
# more (so nothing that changes the state may stand there) and `ask` returns the action chosen.
#
# Every third question has less than two options. Where that is easily seen nothing is asked, and where the options
# are at hand (`ask_spaces`, `ask_bits`) they are not worked out once more; `offer` gives the same.

cdef enum:
    RUN = 0
    WAIT = 1
    OVER = 2
    FAULT = 3
    NONE = -1
    PENDING = -2
    MAX_DEPTH = 42         # one more frame, at least, is kept so that a push beyond does no harm

cdef enum:
    FAULT_DEPTH = 1        # effects within effects, deeper than there is room for
    FAULT_STEPS = 2        # V1.15: more steps than MAX_PERFORMED between two decisions

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
    PR_SAIL
    PR_EVACUATE
    PR_MOVE_SOME
    PR_GATHER
    PR_GATHERED
    PR_ARRIVE
    PR_TAKE
    PR_FLAGS
    PR_PROMOTE
    PR_RECRUIT
    PR_DEPLOY
    PR_CHOOSE_NEW
    PR_ACTIVATE
    PR_UPGRADE
    PR_CONSTRUCT
    PR_RECALL
    PR_BATTLE
    PR_COMBAT
    PR_STRIKE
    PR_FLIGHT
    PR_BATCHES
    PR_CYBER
    PR_TRADE
    PR_RANSOM
    PR_BONUS
    PR_REWARDS
    PR_PLAY
    PR_COMMAND
    PR_PAY
    PR_DRAW
    PR_GAIN
    PR_TREMOR
    PR_FRACTURE
    PR_COLLAPSE
    PR_EVENT               # the window of an event (docs/cards.md, section 7.2)
    PR_PROGRAM             # a program: its registers lie beneath
    PR_LIST                # a list of steps inside a program
    PR_EACH
    PR_UNITS               # verbs that take Units one by one
    PR_STEER
    PR_SWAP
    PR_LOSE
    PR_STEAL
    PR_SCRY
    PR_STORE
    PR_VERB
    PR_CONTROL
    PR_CAPTIVES


cdef inline Frame *top(State *s) noexcept nogil:
    """The innermost frame."""
    return &s.frames[s.depth - 1]


cdef inline const Frame *top_of(const State *s) noexcept nogil:
    """The innermost frame, for reading."""
    return &s.frames[s.depth - 1]


cdef inline Frame *room_for(State *s) noexcept nogil:
    """Room on top of the agenda for a frame, or for what lies beneath one; when it is full the engine stops."""
    if unlikely(s.depth >= MAX_DEPTH):
        s.fault = FAULT_DEPTH
        s.depth = MAX_DEPTH
    s.depth += 1
    return &s.frames[s.depth - 1]


cdef inline Frame *push(State *s, int proc, int p, int a, int b, int c, int d) noexcept nogil:
    """Put a procedure on the agenda, performed by player ``p``."""
    cdef Frame *frame = room_for(s)
    frame.proc = <uint8_t>proc
    frame.step = 0
    frame.p = <uint8_t>p
    frame.a = <int16_t>a
    frame.b = <int16_t>b
    frame.c = <int16_t>c
    frame.d = <int8_t>d
    return frame


cdef inline int pop(State *s) noexcept nogil:
    """Take the innermost procedure off."""
    s.depth -= 1
    return RUN


cdef inline int drop(State *s, int frames) noexcept nogil:
    """Take the innermost procedure off with what lies beneath it."""
    s.depth -= <uint8_t>frames
    return RUN


cdef inline int finish(State *s, const Tables *t, Ctx *ctx, int reason) noexcept nogil:
    """The game is over, and with it the turn."""
    end_grants(s, t, 1 << DURATION_STRIKE | 1 << DURATION_COMBAT | 1 << DURATION_TURN, -1, -1)
    s.phase = PH_OVER
    s.reason = <int8_t>reason
    s.kind = DK_NONE
    s.answered = 0
    emit(ctx, EV_GAME_OVER, -1, reason, 0, 0)
    return OVER


cdef inline int ask(State *s, const Tables *t, Ctx *ctx, int kind, int player) noexcept nogil:
    """See the head of this file."""
    if s.answered:
        return answer_of(s)
    return ask_anew(s, t, ctx, kind, player)


cdef inline int ask_spaces(State *s, Ctx *ctx, int kind, int player, bint done, u128 spaces) noexcept nogil:
    """`ask`, not yet answered, whose options are these spaces and, with ``done``, DONE."""
    if not any128(spaces):
        return A_DONE if done else NONE
    return ask_of(s, ctx, kind, player, done, spaces)


cdef int ask_of(State *s, Ctx *ctx, int kind, int player, bint done, u128 spaces) noexcept nogil:
    """The options are at least one space."""
    s.kind = <uint8_t>kind
    s.player = <uint8_t>player
    memset(ctx.mask, 0, sizeof(ctx.mask))
    ctx.mask[0] = done
    offer_spaces(ctx.mask, spaces)
    ctx.count = done + count128(spaces)
    return PENDING if likely(ctx.count > 1) else ask_nobody(s, ctx)


cdef int ask_bits(State *s, Ctx *ctx, int kind, int player, int first, int options) noexcept nogil:
    """`ask`, not yet answered, whose options are ``first`` + i for each bit (below 64, or from 64 to 127)."""
    if options & (options - 1) == 0:
        return choose_only(s, ctx, kind, player, first + ctz64(<uint64_t>options)) if options else NONE
    s.kind = <uint8_t>kind
    s.player = <uint8_t>player
    memset(ctx.mask, 0, sizeof(ctx.mask))
    ctx.mask[first >> 6] = <uint64_t>options << (first & 63)
    ctx.count = popcount64(<uint64_t>options)
    return PENDING


cdef int choose_only(State *s, Ctx *ctx, int kind, int player, int action) noexcept nogil:
    """`ask` with one option, which is not DONE."""
    ctx.stats.forced += 1
    s.fresh = 0
    emit_choice(s, ctx, player, kind, action, 1)
    return action


cdef inline int answer_of(State *s) noexcept nogil:
    """The action chosen, where the question has been answered."""
    s.answered = 0
    return s.answer


cdef int ask_anew(State *s, const Tables *t, Ctx *ctx, int kind, int player) noexcept nogil:
    """Work the options out; PENDING if somebody has to choose."""
    s.kind = <uint8_t>kind
    s.player = <uint8_t>player
    offer(s, t, ctx.mask)
    ctx.count = count512(ctx.mask)
    return PENDING if likely(ctx.count > 1) else ask_nobody(s, ctx)


cdef int ask_nobody(State *s, Ctx *ctx) noexcept nogil:
    """Less than two options. DONE alone is nothing to be declined: it is the answer, without an event."""
    cdef int action
    if ctx.count == 0:
        return NONE
    if ctx.mask[0] & 1:
        return A_DONE
    action = select512(ctx.mask, 0)
    ctx.stats.forced += 1
    s.fresh = 0
    emit_choice(s, ctx, s.player, s.kind, action, 1)
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
        elif proc == PR_SAIL:
            result = do_sail(s, t, ctx, f)
        elif proc == PR_EVACUATE:
            result = do_evacuate(s, t, ctx, f)
        elif proc == PR_MOVE_SOME:
            result = do_move_some(s, t, ctx, f)
        elif proc == PR_GATHER:
            result = do_gather(s, t, ctx, f)
        elif proc == PR_GATHERED:
            result = do_gathered(s, t, ctx, f)
        elif proc == PR_ARRIVE:
            result = do_arrive(s, t, ctx, f)
        elif proc == PR_TAKE:
            result = do_take(s, t, ctx, f)
        elif proc == PR_FLAGS:
            result = do_flags(s, t, ctx, f)
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
        elif proc == PR_CONSTRUCT:
            result = do_construct(s, t, ctx, f)
        elif proc == PR_RECALL:
            result = do_recall(s, t, ctx, f)
        elif proc == PR_BATTLE:
            result = do_battle(s, t, ctx, f)
        elif proc == PR_COMBAT:
            result = do_combat(s, t, ctx, f)
        elif proc == PR_STRIKE:
            result = do_strike(s, t, ctx, f)
        elif proc == PR_FLIGHT:
            result = do_flight(s, t, ctx, f)
        elif proc == PR_BATCHES:
            result = do_batches(s, t, ctx, f)
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
        elif proc == PR_PLAY:
            result = do_play(s, t, ctx, f)
        elif proc == PR_COMMAND:
            result = do_command(s, t, ctx, f)
        elif proc == PR_PAY:
            result = do_pay(s, t, ctx, f)
        elif proc == PR_WINDOW:
            result = do_window(s, t, ctx, f)
        elif proc == PR_GAIN_RELIC:
            result = do_gain_relic(s, t, ctx, f)
        elif proc == PR_DRAW:
            result = do_draw(s, t, ctx, f)
        elif proc == PR_GAIN:
            result = do_gain(s, t, ctx, f)
        elif proc == PR_TREMOR:
            result = do_tremor(s, t, ctx, f)
        elif proc == PR_FRACTURE:
            result = do_fracture(s, t, ctx, f)
        elif proc == PR_COLLAPSE:
            result = do_collapse(s, t, ctx, f)
        elif proc == PR_SURPLUS:
            result = do_surplus(s, t, ctx, f)
        elif proc == PR_EVENT:
            result = do_event(s, t, ctx, f)
        elif proc == PR_PROGRAM:
            result = do_program(s, t, ctx, f)
        elif proc == PR_LIST:
            result = do_program(s, t, ctx, f)
        elif proc == PR_EACH:
            result = do_each(s, t, ctx, f)
        elif proc == PR_UNITS:
            result = do_units(s, t, ctx, f)
        elif proc == PR_STEER:
            result = do_steer(s, t, ctx, f)
        elif proc == PR_SWAP:
            result = do_swap(s, t, ctx, f)
        elif proc == PR_LOSE:
            result = do_lose(s, t, ctx, f)
        elif proc == PR_STEAL:
            result = do_steal(s, t, ctx, f)
        elif proc == PR_SCRY:
            result = do_scry(s, t, ctx, f)
        elif proc == PR_STORE:
            result = do_store(s, t, ctx, f)
        elif proc == PR_VERB or proc == PR_CONTROL:
            result = do_verb(s, t, ctx, f)
        elif proc == PR_CAPTIVES:
            result = do_captives(s, t, ctx, f)
        else:
            result = do_setup(s, t, ctx, f)
        if unlikely(s.fault):
            return FAULT
    if CYSMIC_DEBUG:
        stop_if_broken(s, t)
    return result


cdef inline int answer_with(State *s, const Tables *t, Ctx *ctx, int action) noexcept nogil:
    """Take the decision at hand with a legal action, then go on."""
    emit_choice(s, ctx, s.player, s.kind, action, 0)
    s.answer = <int16_t>action
    s.answered = 1
    s.fresh = 0
    ctx.steps = 0
    return run(s, t, ctx)
