# Tremor, Fracture, Collapse (chapter Y, protocol section 14).

cdef enum:
    TK_LANDSCAPE = 0
    TK_FALSE_ALARM = 1
    TK_DEVASTATED = 2
    TK_PULL = 3
    TK_COLONY_CITY = 4


cdef bint tremor(State *s, const Tables *t, Ctx *ctx, int cause, int drawer, int kind) noexcept nogil:
    """Y1: a Tremor by an effect of ``cause`` (KIND_...); ``drawer`` draws the tokens of a Fracture. Whether a
    procedure was started. None while a Fracture or Collapse is being resolved (Y1.5).
    """
    if s.quake:
        return False
    if watched(s, TRIGGER_TREMOR):
        push(s, PR_TREMOR, drawer, cause, kind, 0, 0)
        return True
    return advance(s, t, ctx, cause, drawer)


cdef int do_tremor(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """A Tremor with its event. p: who draws, a: who causes it, b: kind."""
    cdef int drawer = f.p
    cdef int cause = f.a
    if f.step == 0:
        f.step = 1
        if open_event(s, t, TRIGGER_TREMOR, cause, NOBODY, f.b, NOWHERE, 0):
            return RUN
    pop(s)
    if not s.verdict & WD_CANCELLED:
        advance(s, t, ctx, cause, drawer)
    return RUN


cdef bint advance(State *s, const Tables *t, Ctx *ctx, int cause, int drawer) noexcept nogil:
    """The stack moves; on the Fracture Zone a Fracture is the next thing to be done, and true is returned."""
    ctx.stats.tremors += 1
    if s.stack < t.track:
        s.stack += 1
    emit(ctx, EV_TREMOR, cause, s.stack, 0, 0)
    if s.stack < t.track:
        return False
    start_fracture(s, drawer, cause, 1)
    return True


cdef inline void reset_track(State *s, const Tables *t) noexcept nogil:
    """Y3: one single token to the leftmost empty position, the stack to the next."""
    if s.singles < t.track:
        s.singles += 1
        s.stack = s.singles


cdef inline void start_fracture(State *s, int drawer, int cause, int draw) noexcept nogil:
    """A Fracture is the next thing; ``draw`` tokens to choose the first from."""
    room_for(s)
    push(s, PR_FRACTURE, drawer, cause | draw << 4, 1, 0, -1)
    s.quake = 1


cdef u128 token_area(const State *s, const Tables *t, int token) noexcept nogil:
    """The area of a Fracture Token (C29)."""
    cdef int kind = t.token_kind[token]
    if kind == TK_LANDSCAPE:
        return t.map.area[t.token_terrain[token]][t.token_ring[token]] & tiles_left(s)
    if kind == TK_COLONY_CITY:
        return bit128(0) & tiles_left(s)
    return devastated(s, t) if kind == TK_DEVASTATED else <u128>0


cdef inline bint same_token(const Tables *t, int a, int b) noexcept nogil:
    """Whether two tokens are equal."""
    return (t.token_kind[a] == t.token_kind[b] and t.token_terrain[a] == t.token_terrain[b]
            and t.token_ring[a] == t.token_ring[b])


cdef void draw_tokens(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """The drawer takes as many tokens as effects say, as far as the bag goes (C08); they lie in token order, bytes 1
    on beneath the frame, byte 0 is how many.
    """
    cdef uint8_t *drawn = beneath(f, 1)
    cdef int count = f.a >> 4
    cdef int i, k, token
    if has_mod(s, f.p, MOD_FRACTURE_DRAW):
        count += mod_sum(s, t, f.p, MOD_FRACTURE_DRAW)
        count = 1 if count < 1 else min_int(count, MAX_TOKENS_DRAWN)
    count = min_int(count, popcount64(s.bag))
    f.a &= 15
    f.a |= 1 << 4  # further tokens, of Pull 2 More, are drawn with 1
    drawn[0] = <uint8_t>count
    for i in range(count):
        token = draw_token(s, t, ctx)
        k = i
        while k > 0 and drawn[k] > token:
            drawn[k + 1] = drawn[k]
            k -= 1
        drawn[k + 1] = <uint8_t>token


cdef int tokens_offered(const Tables *t, const Frame *f) noexcept nogil:
    """How many different tokens have been drawn."""
    cdef uint8_t *drawn = beneath(f, 1)
    cdef int i, found = 0
    for i in range(drawn[0]):
        if i == 0 or not same_token(t, drawn[i], drawn[i + 1]):
            found += 1
    return found


cdef int token_offered(const Tables *t, const Frame *f, int option) noexcept nogil:
    """The first of the tokens that an option stands for."""
    cdef uint8_t *drawn = beneath(f, 1)
    cdef int i
    for i in range(drawn[0]):
        if i == 0 or not same_token(t, drawn[i], drawn[i + 1]):
            if option == 0:
                return drawn[i + 1]
            option -= 1
    return drawn[1]


cdef int do_fracture(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Y2. p: who draws, a: who caused it | tokens to choose from << 4, b: tokens to draw, c: tokens drawn, d: token;
    beneath: tokens drawn together.

    Steps: 0 begin, 1 next token, 2 which is kept, 3 `fracture_drawn`, 4 perhaps another, 5 it is done.
    """
    cdef uint8_t *drawn = beneath(f, 1)
    cdef int a, i, kind
    cdef int cause = f.a & 15
    if f.step == 0:
        ctx.stats.fractures += 1
        emit(ctx, EV_FRACTURE, cause, 0, 0, 0)
        f.step = 1
    while True:
        if f.step == 5:
            if t.reset_per_token:
                reset_track(s, t)
            f.step = 1
        if f.step == 1:
            if f.b == 0 or s.bag == 0:
                break
            f.b -= 1
            f.c += 1
            draw_tokens(s, t, ctx, f)
            f.step = 2
        if f.step == 2:
            f.d = <int8_t>drawn[1]
            if drawn[0] > 1:
                a = ask(s, t, ctx, DK_KEEP_TOKEN, f.p)
                if a == PENDING:
                    return WAIT
                f.d = <int8_t>token_offered(t, f, a - A_OPTION)
            for i in range(drawn[0]):
                if drawn[i + 1] != f.d:
                    s.bag |= <uint64_t>1 << drawn[i + 1]
            f.step = 3
        kind = t.token_kind[f.d]
        if f.step == 3:
            s.zone = token_area(s, t, f.d)
            f.step = 4
            s.verdict = 0
            if watched(s, TRIGGER_FRACTURE_DRAWN):
                if open_event(s, t, TRIGGER_FRACTURE_DRAWN, f.p, NOBODY,
                              KIND_LANDSCAPE if kind == TK_LANDSCAPE else KIND_SPECIAL, AREA, 0):
                    return RUN
        if s.verdict & WD_REDRAW:  # C30: the new one is drawn before the old one goes back
            a = draw_token(s, t, ctx)
            s.bag |= <uint64_t>1 << f.d
            f.d = <int8_t>a
            f.step = 3
            continue
        f.step = 5
        if kind == TK_PULL:
            f.b += 2
        elif any128(s.zone & token_area(s, t, f.d)):
            start_collapse(s, f.p, cause, token_area(s, t, f.d), kind == TK_DEVASTATED)
            return RUN
    if not t.reset_per_token or f.c == 0:
        reset_track(s, t)
    s.quake = 0
    s.complete = 1
    return drop(s, 2)


cdef void start_collapse(State *s, int drawer, int cause, u128 spaces, bint bare) noexcept nogil:
    """Y4: a set of spaces Collapses as the next thing; ``bare``: the Devastated token (Y2.6)."""
    s.area = spaces
    s.zone = spaces
    s.used = 0
    push(s, PR_COLLAPSE, drawer, cause, 0, bare | (2 if s.quake else 0), -1).step = 9
    s.quake = 1


# ---------------------------------------------------------------------------------------------------- escapes
cdef inline bint ship_in_danger(const State *s, int p) noexcept nogil:
    """Whether the Ship is in the area and has not been treated yet."""
    return s.seat[p].ship >= 0 and has128(s.area & ~s.used, s.seat[p].ship)


cdef u128 escape_ends(const State *s, const Tables *t, int p, int space) noexcept nogil:
    """Y5.1, Y5.2: where a group with Early Warning can go from the space."""
    cdef uint8_t squad = s.squad[space]
    cdef u128 ends = around(s, t, p, space) & s.open & ~s.area & ~s.ships & ~others_occupied(s, t, p)
    cdef u128 own = ends & s.seat[p].occupied
    cdef int types = t.squad_types[squad] & warning_types(s, t, p)
    cdef int end, type
    cdef bint room
    while any128(own):
        end = first128(own)
        room = False
        for type in range(5):
            room = room or (types >> type & 1 and has_room(t, s.squad[end], type))
        if not room:
            ends &= ~bit128(end)
        own = rest128(own)
    return ends


cdef u128 lone_escapes(const State *s, const Tables *t, int p, int type, int space) noexcept nogil:
    """`escape_move` (C31): where a Unit of the type can escape to by itself: a walk, perhaps through collapsing
    spaces, or a jump.
    """
    cdef u128 legal = s.open & ~s.area & ~s.ships & ~others_occupied(s, t, p) & ~no_room(s, t, p, type)
    cdef u128 ends = walk_ends(s, t, p, type, space, movement_of(s, t, p, type, False))
    if jumpjet_types(s, t, p) >> type & 1:
        ends |= jump_ends(t, space, movement_of(s, t, p, type, True))
    return ends & legal


cdef int lone_escapers(const State *s, const Tables *t, int p, int space) noexcept nogil:
    """Types of Units there that can, a bit each."""
    cdef int types = t.squad_types[s.squad[space]] & warning_types(s, t, p)
    cdef int type
    for type in range(5):
        if types >> type & 1 and not any128(lone_escapes(s, t, p, type, space)):
            types &= ~(1 << type)
    return types


cdef u128 escape_spaces(const State *s, const Tables *t, int p) noexcept nogil:
    """Spaces from which a group of p can escape: an Unlocked Unit with Early Warning, a destination, not used
    yet. With `escape_move` used ones stay open (C31).
    """
    cdef u128 rest = s.area & unlocked(s, p)
    cdef u128 spaces = 0
    cdef int space
    cdef int warning = warning_types(s, t, p)
    cdef bint alone = has_mod(s, p, MOD_ESCAPE_MOVE)
    if not alone:
        rest &= ~s.used
    while any128(rest):
        space = first128(rest)
        if t.squad_types[s.squad[space]] & warning:
            if alone:
                if lone_escapers(s, t, p, space):
                    spaces |= bit128(space)
            elif any128(escape_ends(s, t, p, space)):
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
    elif f.step == 7:
        offer_spaces(mask, lone_escapes(s, t, p, f.b, f.d))
    else:
        offer_spaces(mask, escape_ends(s, t, p, f.d))


cdef void offer_escape_unit(const State *s, const Tables *t, const Frame *f, int p,
                            uint64_t *mask) noexcept nogil:
    """ESCAPE_UNIT: who comes along from the space to register b, an Early Warning Unit first (Y5.3)."""
    cdef uint8_t here = s.squad[f.d]
    cdef uint8_t there = 0
    cdef int type
    cdef int warning = warning_types(s, t, p)
    if has128(s.seat[p].occupied, f.b):
        there = s.squad[f.b]
    if s.group:
        offer_action(mask, A_DONE)
    for type in range(5):
        if squad_count(here, type) <= squad_count(s.group, type):
            continue
        if s.group == 0 and not warning >> type & 1:
            continue
        if has_room(t, s.group, type) and squads_fit(t, there, <uint8_t>(s.group + unit_step[type])):
            offer_action(mask, A_UNIT + type)


cdef int do_collapse(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """A Collapse in its four stages. p: who places tokens, a: who triggered it, b: destination or type; c: 1 bare, 2
    part of a Fracture, then players done << 2; d: space at hand.

    Steps: 9 the event, 0 escape of the next player, 1 where to, 2 who, 3 they rest, 4 destruction and removal, 5 Relic
    Tokens; with `escape_move` 6 who, 7 where to.
    """
    cdef int p, a, space, feature, types
    cdef u128 rest, bare
    if f.step == 9:
        f.step = 0
        if watched(s, TRIGGER_COLLAPSE):
            a = 0 if f.c & 1 else count128(s.area)
            if open_event(s, t, TRIGGER_COLLAPSE, f.a, NOBODY, NO_KIND, AREA, a):
                return RUN
    while f.step != 4 and f.step != 5:
        p = seat_after(t, s.active, f.c >> 2)
        if f.step == 0:
            if f.c >> 2 == t.players:
                f.step = 4
                break
            if f.d >= 0 and f.d == s.seat[p].ship and has128(s.area & s.used, f.d):
                s.area &= ~bit128(f.d)  # it could not leave after all (C88): RUL-Y11
            a = A_DONE
            if s.answered or ship_in_danger(s, p) or any128(s.area & unlocked(s, p)):
                a = ask(s, t, ctx, DK_ESCAPE, p)
            if a == PENDING:
                return WAIT
            if a == A_DONE:
                s.used = 0
                f.c += 4
                continue
            f.d = <int8_t>(a - A_SPACE)
            s.used |= bit128(f.d)
            s.group = 0
            f.step = 1
            if f.d != s.seat[p].ship and has_mod(s, p, MOD_ESCAPE_MOVE):
                f.step = 6
        if f.step == 6:
            types = lone_escapers(s, t, p, f.d)
            a = A_UNIT + ctz64(<uint64_t>types)
            if types & (types - 1):
                a = ask(s, t, ctx, DK_UNIT_TYPE, p)
                if a == PENDING:
                    return WAIT
            f.b = <int16_t>(a - A_UNIT)
            f.step = 7
        if f.step == 7:
            a = ask(s, t, ctx, DK_ESCAPE_TO, p)
            if a == PENDING:
                return WAIT
            a -= A_SPACE
            move_unit(s, t, ctx, p, f.b, f.d, a, pick_marked(s, p, f.d, f.b))
            f.step = 0
            if come_to_rest(s, p, a, unit_step[f.b], p, KIND_ESCAPE, False):
                return RUN
            continue
        if f.step == 1:
            a = ask(s, t, ctx, DK_ESCAPE_TO, p)
            if a == PENDING:
                return WAIT
            if f.d == s.seat[p].ship:
                f.step = 0
                if a == NONE:  # RUL-Y11
                    s.area &= ~bit128(f.d)
                elif sail(s, t, ctx, p, a - A_SPACE, p, KIND_ESCAPE):
                    return RUN
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
            f.step = 0
            if come_to_rest(s, p, f.b, s.group, p, KIND_ESCAPE, False):
                return RUN
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
        a = ask(s, t, ctx, DK_PLACE_TOKEN, f.p)
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
    """A Relic Token from the supply is put on a Devastated space."""
    s.tokens |= bit128(space)
    s.token_supply -= 1
    emit(ctx, EV_RELIC_TOKEN, -1, space, 1, 0)
