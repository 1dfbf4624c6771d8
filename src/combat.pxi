# Combat (chapter K, protocol section 9).

cdef enum:
    CB_CAPTURES = 1      # flags of a resolution: defeated Units are captured,
    CB_MUST_FLEE = 2     # the side that flees had to,
    CB_FINAL = 4         # the pool being rolled is a Final Strike's


cdef inline bint must_flee(const State *s, const Tables *t, int p, int space) noexcept nogil:
    """K3.3: fewer Combat Dice than the easiest enemy Unit needs, one for each of its Health values."""
    cdef uint8_t own = squad_of(s, p, space)
    cdef uint8_t enemy = squad_of(s, owner_at(s, t, space, p), space)
    cdef int dice = t.squad_red[own] + t.squad_yellow[own]
    cdef int type
    if t.never_must_flee or dice >= 2:
        return False
    for type in range(5):
        if squad_count(enemy, type) and dice >= (2 if t.health[type][1] else 1):
            return False
    return True


cdef u128 combats_offered(const State *s, const Tables *t, const Frame *f, int p) noexcept nogil:
    """COMBAT: own Combats not left standing by this card (K2.5), or any (N5.1)."""
    if f.proc == PR_BATTLE:
        return s.combat & s.seat[p].occupied & ~s.standing
    if f.a == BA_ANY_COMBAT:
        return s.combat
    return s.combat & s.seat[p].occupied


cdef int do_battle(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Resolve all own Combats (A8). a: the space at hand."""
    cdef int p = s.active
    cdef int a
    if f.step == 1:
        if has128(s.combat, f.a):
            s.standing |= bit128(f.a)
        f.step = 0
    a = ask(s, t, ctx, DK_COMBAT, p)
    if a == PENDING:
        return WAIT
    if a == NONE:
        return pop(s)
    f.a = <int16_t>(a - A_SPACE)
    f.step = 1
    start_combat(s, ctx, f.a, p, True)
    return RUN


cdef void start_combat(State *s, Ctx *ctx, int space, int first, bint captures) noexcept nogil:
    """Resolve a Combat as the next thing (K2)."""
    s.strikes = 0
    ctx.stats.combats += 1
    push(s, PR_COMBAT, space, first, CB_CAPTURES if captures else 0, -1)


cdef void take_squad(State *s, const Tables *t, Ctx *ctx, int winner, int loser, int space, int packed,
                     bint captures) noexcept nogil:
    """Defeated Units are captured, or destroyed where the effect says so (K6.5), in unit order."""
    cdef int type, i
    for type in range(5):
        for i in range(squad_count(<uint8_t>packed, type)):
            if captures:
                capture_unit(s, t, ctx, winner, loser, type, space)
            else:
                destroy_unit(s, t, ctx, loser, type, space, 0)


cdef int do_combat(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Resolve one Combat. a: space, b: who chooses, c: CB_ flags, d: where the fleeing side goes.

    Steps: 0 Strike or Flee, 1 hits of a Strike, 2 destination, 3 Final Strike or not, 4 its hits, 5 the
    flight, 6 token.
    """
    cdef int space = f.a
    cdef int c, other, a
    cdef u128 ends
    while True:
        if f.step != 6 and not has128(s.combat, space):
            return pop(s)
        c = f.b
        other = owner_at(s, t, space, c)
        if f.step == 0:
            if s.strikes >= t.limit_strikes:
                return pop(s)
            f.c &= ~CB_MUST_FLEE
            if must_flee(s, t, c, space):
                f.c |= CB_MUST_FLEE
            a = ask(s, t, ctx, DK_STRIKE_OR_FLEE, c)
            if a == PENDING:
                return WAIT
            if a == NONE:  # K3.5
                take_squad(s, t, ctx, other, c, space, squad_of(s, c, space), f.c & CB_CAPTURES)
                return pop(s)
            if a == A_STRIKE:
                s.strikes += 1
                f.step = 1
                start_pool(s, t, ctx, c, space, False)
                return RUN
            f.step = 2
        if f.step == 1:
            a = ask(s, t, ctx, DK_HITS, c)
            if a == PENDING:
                return WAIT
            a = defeated_units(squad_of(s, other, space), a - A_HITS)
            take_squad(s, t, ctx, c, other, space, a, f.c & CB_CAPTURES)
            f.b = <int16_t>other
            f.step = 0
            continue
        if f.step == 2:
            a = ask(s, t, ctx, DK_FLEE_TO, c)
            if a == PENDING:
                return WAIT
            f.d = <int16_t>(a - A_SPACE)
            f.step = 3
        if f.step == 3:
            a = ask(s, t, ctx, DK_FINAL_STRIKE, other)
            if a == PENDING:
                return WAIT
            f.step = 5
            if a == A_YES:
                f.step = 4
                start_pool(s, t, ctx, other, space, True)
                return RUN
        if f.step == 4:
            a = ask(s, t, ctx, DK_HITS, other)
            if a == PENDING:
                return WAIT
            f.step = 5
            a = defeated_units(squad_of(s, c, space), a - A_HITS)
            take_squad(s, t, ctx, other, c, space, a, f.c & CB_CAPTURES)
            if not has128(s.combat, space):
                return pop(s)
        if f.step == 5:
            ends = flee_ends(s, t, c, space)
            if not has128(ends, f.d):  # K7.10
                if not any128(ends):
                    if f.c & CB_MUST_FLEE:
                        take_squad(s, t, ctx, other, c, space, squad_of(s, c, space), f.c & CB_CAPTURES)
                        return pop(s)
                    f.b = <int16_t>other
                    f.step = 0
                    continue
                a = ask(s, t, ctx, DK_FLEE_TO, c)
                if a == PENDING:
                    return WAIT
                f.d = <int16_t>(a - A_SPACE)
            move_squad(s, t, ctx, c, squad_of(s, c, space), space, f.d)
            f.step = 6
        if has128(s.tokens, f.d):
            a = ask(s, t, ctx, DK_TAKE_TOKEN, c)
            if a == PENDING:
                return WAIT
            if a >= A_SPACE:
                pop(s)
                remove_token(s, ctx, f.d, c)
                gain_relic(s, c)
                return RUN
        return pop(s)


# --------------------------------------------------------------------------------------- the dice of a Strike
cdef void start_pool(State *s, const Tables *t, Ctx *ctx, int striker, int space, bint final) noexcept nogil:
    """Roll Strike Die and Combat Dice (K4.1, K7.4); what follows up to the hits is the next thing."""
    cdef uint8_t squad = squad_of(s, striker, space)
    cdef bint attacker = attacker_at(s, t, space) == striker
    cdef int face = -1
    cdef int dice = min_int(t.squad_red[squad] + t.squad_yellow[squad], t.limit_dice)
    ctx.stats.strikes += 1
    emit(ctx, EV_STRIKE, striker, space, final, dice)
    if not final or t.final_strike_die:
        if attacker:
            face = draw_outcome(s, ctx, CK_ATTACKER_STRIKE_DIE, CF_DICE, t.faces[2])
        else:
            face = draw_outcome(s, ctx, CK_DEFENDER_STRIKE_DIE, CF_DICE, t.faces[3])
            face += 32
    roll_pool(s, t, ctx, t.squad_red[squad], t.squad_yellow[squad])
    # register c: the face, attacker's die 0 to 31, defender's 32 to 63; d: colour of a reroll, then Shields
    # left
    push(s, PR_POOL, space, striker | (CB_FINAL << 8 if final else 0), face, 0)


cdef int do_pool(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Strike Die result, Shields and modifiers (K4.3 to K4.7, K5). a: space, b: striker | CB_FINAL << 8, c:
    face.
    """
    cdef int striker = f.b & 255
    cdef bint final = f.b >> 8 & CB_FINAL
    cdef int space = f.a
    cdef int a, kind, side
    cdef int other = owner_at(s, t, space, striker)
    if f.step == 0:
        f.step = 3
        if f.c >= 0:
            side = f.c >> 5
            kind = t.strike_kind[side][f.c & 31]
            f.step = 2
            if kind == ST_VALUE:
                f.step = 1
            elif kind == ST_REROLL:
                f.d = t.strike_value[side][f.c & 31]
            else:
                f.step = 3
                if tremor(s, t, ctx, striker):
                    return RUN
    if f.step == 1:
        a = ask(s, t, ctx, DK_VALUE_DIE, striker)
        if a == PENDING:
            return WAIT
        if a >= A_DIE:
            change_die(s, a - A_DIE, t.strike_value[f.c >> 5][f.c & 31])
        f.step = 3
    if f.step == 2:
        a = ask(s, t, ctx, DK_REROLL_DIE, striker)
        if a == PENDING:
            return WAIT
        if a >= A_DIE:
            roll_die(s, t, ctx, a - A_DIE)
        f.step = 3
    if f.step == 3:
        if final or not has128(s.combat, space):
            return pop(s)
        f.d = t.squad_shields[squad_of(s, other, space)]
        f.step = 4
    if f.step == 4:
        while f.d > 0:
            a = ask(s, t, ctx, DK_SHIELD_DIE, other)
            if a == PENDING:
                return WAIT
            if a == A_DONE:
                break
            s.list_b[a - A_DIE] |= DIE_SHIELDED
            change_die(s, a - A_DIE, -1)
            f.d -= 1
    pop(s)
    push(s, PR_BATCHES, striker, other, 0, 0)
    clear_batch(s)
    return RUN


cdef inline void clear_batch(State *s) noexcept nogil:
    cdef int die
    for die in range(s.dice):
        s.list_b[die] &= <uint8_t>~DIE_MODIFIED


cdef inline bint dice_left(const State *s) noexcept nogil:
    """Whether a die is left that the player at hand has not modified in this batch (K5.1)."""
    cdef int die
    for die in range(s.dice):
        if not s.list_b[die] & DIE_MODIFIED:
            return True
    return False


cdef int do_batches(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Discovery Cards as modifiers (K5). a, b: the players, c: whose batch it is (0, 1), d: card of the
    batch, + 1.

    d is 0 before the first card of a batch.
    """
    cdef int x, a
    while True:
        x = f.b if f.c else f.a
        if f.step == 0:
            a = A_DONE
            if dice_left(s):
                a = ask(s, t, ctx, DK_MODIFIER_CARD, x)
                if a == PENDING:
                    return WAIT
            if a == A_DONE:
                if f.c and f.d == 0:
                    return pop(s)
                f.c = <int16_t>(1 - f.c)
                f.d = 0
                clear_batch(s)
                continue
            f.d = <int16_t>(1 + take_card(s, t, x, a - A_CARD))
            f.step = 1
        a = ask(s, t, ctx, DK_MODIFIER_DIE, x)
        if a == PENDING:
            return WAIT
        change_die(s, a - A_DIE, t.modifier[t.design_of[f.d - 1]])
        s.list_b[a - A_DIE] |= DIE_MODIFIED
        discard_card(s, t, ctx, x, f.d - 1)
        f.step = 0


# ---------------------------------------------------------------------------------------------------- N2.2
cdef u128 free_flee_spaces(const State *s, const Tables *t, int p) noexcept nogil:
    """Own Combats out of which all Units can flee."""
    cdef u128 spaces = s.combat & s.seat[p].occupied
    cdef u128 rest = spaces
    while any128(rest):
        if not any128(flee_ends(s, t, p, first128(rest))):
            spaces &= ~bit128(first128(rest))
        rest = rest128(rest)
    return spaces


cdef int do_free_flee(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Flee without Final Strike and without a resolution (N2.2). a: space, d: destination."""
    cdef int p = s.active
    cdef int a
    if f.step == 0:
        a = ask(s, t, ctx, DK_FREE_FLEE, p)
        if a == PENDING:
            return WAIT
        f.a = <int16_t>(a - A_SPACE)
        f.step = 1
    if f.step == 1:
        a = ask(s, t, ctx, DK_FLEE_TO, p)
        if a == PENDING:
            return WAIT
        f.d = <int16_t>(a - A_SPACE)
        move_squad(s, t, ctx, p, squad_of(s, p, f.a), f.a, f.d)
        f.step = 2
    if has128(s.tokens, f.d):
        a = ask(s, t, ctx, DK_TAKE_TOKEN, p)
        if a == PENDING:
            return WAIT
        if a >= A_SPACE:
            pop(s)
            remove_token(s, ctx, f.d, p)
            gain_relic(s, p)
            return RUN
    return pop(s)


# ------------------------------------------------------------------------------------------------- N2.1, N3.1
cdef u128 target_spaces(const State *s, const Tables *t, int p) noexcept nogil:
    """Own Combats with an enemy Troop."""
    cdef u128 spaces = s.combat & s.seat[p].occupied
    cdef u128 rest = spaces
    cdef int space
    while any128(rest):
        space = first128(rest)
        if not t.squad_types[squad_of(s, owner_at(s, t, space, p), space)] & t.troops:
            spaces &= ~bit128(space)
        rest = rest128(rest)
    return spaces
