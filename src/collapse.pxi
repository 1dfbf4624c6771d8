# Tremor, Fracture, Collapse (chapter Y, protocol section 14).

cdef enum:
    TK_LANDSCAPE = 0
    TK_FALSE_ALARM = 1
    TK_DEVASTATED = 2
    TK_PULL = 3
    TK_COLONY_CITY = 4


cdef bint tremor(State *s, const Tables *t, Ctx *ctx, int player) noexcept nogil:
    """Y1: the stack moves; on the Fracture Zone a Fracture is the next thing to be done, and true is
    returned.
    """
    if s.quake:
        return False
    ctx.stats.tremors += 1
    if s.stack < t.track:
        s.stack += 1
    emit(ctx, EV_TREMOR, player, s.stack, 0, 0)
    if s.stack < t.track:
        return False
    push(s, PR_FRACTURE, player, 1, 0, 0)
    return True


cdef inline void reset_track(State *s, const Tables *t) noexcept nogil:
    """Y3: one single token to the leftmost empty position, the stack to the next."""
    if s.singles < t.track:
        s.singles += 1
        s.stack = s.singles


cdef int do_fracture(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Y2. a: who triggered it, b: tokens to draw, c: tokens drawn."""
    cdef int token, kind
    cdef u128 spaces
    if f.step == 0:
        ctx.stats.fractures += 1
        s.quake = 1
        emit(ctx, EV_FRACTURE, f.a, 0, 0, 0)
        f.step = 1
    while True:
        if f.step == 2:  # a token is done
            if t.reset_per_token:
                reset_track(s, t)
            f.step = 1
        if f.b == 0 or s.bag == 0:
            break
        f.b -= 1
        f.c += 1
        f.step = 2
        token = draw_token(s, t, ctx)
        kind = t.token_kind[token]
        if kind == TK_PULL:
            f.b += 2
        elif kind == TK_DEVASTATED:
            spaces = devastated(s, t)
            if any128(spaces):
                start_collapse(s, f.a, spaces, True)
                return RUN
        elif kind != TK_FALSE_ALARM:
            spaces = bit128(0)
            if kind == TK_LANDSCAPE:
                spaces = t.map.area[t.token_terrain[token]][t.token_ring[token]]
            spaces &= tiles_left(s)
            if any128(spaces):
                start_collapse(s, f.a, spaces, False)
                return RUN
    if not t.reset_per_token or f.c == 0:
        reset_track(s, t)
    s.quake = 0
    return pop(s)


cdef void start_collapse(State *s, int player, u128 spaces, bint bare) noexcept nogil:
    """Y4: a set of spaces Collapses as the next thing; ``bare``: the Devastated token (Y2.6)."""
    s.area = spaces
    s.used = 0
    push(s, PR_COLLAPSE, player, 0, bare | (2 if s.quake else 0), -1)
    s.quake = 1


# ---------------------------------------------------------------------------------------------------- escapes
cdef inline bint ship_in_danger(const State *s, int p) noexcept nogil:
    """Whether the Ship is in the area and has not been treated yet."""
    return s.seat[p].ship >= 0 and has128(s.area & ~s.used, s.seat[p].ship)


cdef u128 escape_ends(const State *s, const Tables *t, int p, int space) noexcept nogil:
    """Y5.1, Y5.2: where a group with Early Warning can go from the space."""
    cdef uint8_t squad = s.squad[0][space]
    cdef u128 ends = around(s, t, space) & s.open & ~s.area & ~s.ships & ~others_occupied(s, t, p)
    cdef u128 own = ends & s.seat[p].occupied
    cdef int types = t.squad_types[squad] & t.warning
    cdef int end, type
    cdef bint room
    while any128(own):
        end = first128(own)
        room = False
        for type in range(5):
            room = room or (types >> type & 1 and has_room(t, s.squad[0][end], type))
        if not room:
            ends &= ~bit128(end)
        own = rest128(own)
    return ends


cdef u128 escape_spaces(const State *s, const Tables *t, int p) noexcept nogil:
    """Spaces from which a group of p can escape: an Unlocked Unit with Early Warning, a destination, not used
    yet.
    """
    cdef u128 rest = s.area & ~s.used & unlocked(s, p)
    cdef u128 spaces = 0
    cdef int space
    while any128(rest):
        space = first128(rest)
        if t.squad_types[s.squad[0][space]] & t.warning and any128(escape_ends(s, t, p, space)):
            spaces |= bit128(space)
        rest = rest128(rest)
    return spaces


cdef void offer_escape(const State *s, const Tables *t, int p, uint64_t *mask) noexcept nogil:
    """ESCAPE: the Ship must be treated, groups may escape."""
    if ship_in_danger(s, p):
        offer_action(mask, A_SPACE + s.seat[p].ship)
    else:
        offer_action(mask, A_DONE)
    offer_spaces(mask, escape_spaces(s, t, p))


cdef void offer_escape_to(const State *s, const Tables *t, const Frame *f, int p,
                          uint64_t *mask) noexcept nogil:
    """ESCAPE_TO of the space at hand (register d)."""
    if f.d == s.seat[p].ship:
        offer_spaces(mask, ship_ends(s, t, f.d, True))
    else:
        offer_spaces(mask, escape_ends(s, t, p, f.d))


cdef void offer_escape_unit(const State *s, const Tables *t, const Frame *f, int p,
                            uint64_t *mask) noexcept nogil:
    """ESCAPE_UNIT: who comes along from the space to register b, an Early Warning Unit first (Y5.3)."""
    cdef uint8_t here = s.squad[0][f.d]
    cdef uint8_t there = 0
    cdef int type
    if has128(s.seat[p].occupied, f.b):
        there = s.squad[0][f.b]
    if s.group:
        offer_action(mask, A_DONE)
    for type in range(5):
        if squad_count(here, type) <= squad_count(s.group, type):
            continue
        if s.group == 0 and not t.warning >> type & 1:
            continue
        if has_room(t, s.group, type) and squads_fit(t, there, <uint8_t>(s.group + unit_step[type])):
            offer_action(mask, A_UNIT + type)


cdef int do_collapse(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """A Collapse in its four stages. a: who triggered it, b: player at hand, later destination; c: 1 bare, 2
    part of a Fracture, then players done << 2; d: space at hand.

    Steps: 0 escape of the next player, 1 where to, 2 who, 3 token, 4 destruction and removal, 5 Relic Tokens.
    """
    cdef int p, a, space, feature
    cdef u128 rest, bare
    while f.step < 4:
        p = (s.active + (f.c >> 2)) % t.players
        if f.step == 0:
            if f.c >> 2 == t.players:
                f.step = 4
                break
            a = ask(s, t, ctx, DK_ESCAPE, p)
            if a == PENDING:
                return WAIT
            if a == A_DONE:
                s.used = 0
                f.c += 4
                continue
            f.d = <int16_t>(a - A_SPACE)
            s.used |= bit128(f.d)
            s.group = 0
            f.step = 1
        if f.step == 1:
            a = ask(s, t, ctx, DK_ESCAPE_TO, p)
            if a == PENDING:
                return WAIT
            if f.d == s.seat[p].ship:
                if a == NONE:  # RUL-Y11
                    s.area &= ~bit128(f.d)
                else:
                    move_ship(s, t, ctx, p, a - A_SPACE)
                f.step = 0
                continue
            f.b = <int16_t>(a - A_SPACE)
            f.step = 2
        if f.step == 2:
            while True:
                a = ask(s, t, ctx, DK_ESCAPE_UNIT, p)
                if a == PENDING:
                    return WAIT
                if a == NONE or a == A_DONE:
                    break
                s.group += unit_step[a - A_UNIT]
            move_squad(s, t, ctx, p, s.group, f.d, f.b)
            f.d = f.b
            f.step = 3
        if has128(s.tokens, f.d):
            a = ask(s, t, ctx, DK_TAKE_TOKEN, p)
            if a == PENDING:
                return WAIT
            f.step = 0
            if a >= A_SPACE:
                remove_token(s, ctx, f.d, p)
                gain_relic(s, p)
                return RUN
        f.step = 0
    if f.step == 4:
        rest = s.area & all_occupied(s, t)
        while any128(rest):
            destroy_squads(s, t, ctx, first128(rest))
            rest = rest128(rest)
        rest = s.area
        s.used = 0
        if f.c & 1:
            rest &= s.tokens
            while any128(rest):
                remove_token(s, ctx, first128(rest), -1)
                rest = rest128(rest)
        else:
            ctx.stats.collapsed += count128(rest)
            bare = 0
            while any128(rest):
                space = first128(rest)
                feature = feature_at(s, space)
                set_control(s, t, ctx, space, -1)
                set_feature(s, t, space, FT_NONE)
                emit(ctx, EV_COLLAPSE, f.a, space, feature, 0)
                if not has128(t.abyss, space):
                    bare |= bit128(space)
                rest = rest128(rest)
            if count128(bare) <= s.token_supply:
                while any128(bare):
                    place_token(s, ctx, first128(bare))
                    bare = rest128(bare)
            s.used = bare
        f.step = 5
    while any128(s.used) and s.token_supply:  # Y4.5: too few for all
        a = ask(s, t, ctx, DK_PLACE_TOKEN, f.a)
        if a == PENDING:
            return WAIT
        s.used &= ~bit128(a - A_SPACE)
        place_token(s, ctx, a - A_SPACE)
    if not f.c & 2:
        s.quake = 0
    s.area = 0
    s.used = 0
    return pop(s)


cdef inline void place_token(State *s, Ctx *ctx, int space) noexcept nogil:
    """A Relic Token from the supply is put on a newly Devastated space."""
    s.tokens |= bit128(space)
    s.token_supply -= 1
    emit(ctx, EV_RELIC_TOKEN, -1, space, 1, 0)
