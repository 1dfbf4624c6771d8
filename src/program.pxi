# Programs of cards: lists of steps performed in order (docs/cards.md, sections 1, 2 and 4.2).
#
# A PR_PROGRAM frame has its registers beneath. The list inside a choose, if or each is a PR_LIST frame of its own that
# knows its program's frame. Both: a: step, b: performer | performers left << 3 | other player << 9 | SB_ flags, d (lists):
# place of the program's frame on the agenda, c (programs): number in Tables.programs.

cdef enum:
    SF_OPT = 1             # flags of a step
    SF_UPTO = 2
    SF_MUST = 4            # `pay` and `pick` too
    SF_LAST = 8            # of its list
    SF_NEVER = 16          # asks for something reserved (C86)
    SF_HEAD = 32           # belongs to the head of its list (V1.2)
    SF_SETS_N = 64
    SF_OTHER = 128         # its second player word is asked before the first performer acts
    SB_FULL = 4096         # some performer has done the step in full
    SB_BEGUN = 8192        # some performer has begun it
    PK_ABILITY = 0         # kinds of programs
    PK_EVENT = 1
    PK_RELIC = 2
    PK_FACTION = 3
    ST_BEGIN = 0           # steps of a program's frame
    ST_PICK_WHO = 1
    ST_PICK_OTHER = 2
    ST_NEXT = 3
    ST_OPTIONAL = 4
    ST_PERFORM = 5
    ST_PERFORMED = 6
    ST_TELL = 7
    ST_END = 8


cdef int slots_of(const Frame *f) noexcept nogil:
    """How many frames a procedure has beneath its own for what it keeps."""
    cdef int proc = f.proc
    if proc == PR_PAY or proc == PR_LOSE or proc == PR_RECALL:
        return f.d
    if proc == PR_STEAL or proc == PR_UNITS:
        return 1 + f.d
    if proc == PR_SCRY:
        return 3
    if (proc == PR_PROGRAM or proc == PR_GAIN_RELIC or proc == PR_FRACTURE
            or proc == PR_DEPLOY or proc == PR_RECRUIT):
        return 1
    if proc == PR_DRAW or proc == PR_FLAGS or proc == PR_EACH or proc == PR_CONTROL:
        return 2
    return TR_FRAMES if proc == PR_TRADE else 0


cdef inline const Frame *caller_of(const Frame *f) noexcept nogil:
    """The frame beneath a procedure and what it keeps."""
    return f - 1 - slots_of(f)


cdef const Frame *base_of(const State *s, const Frame *f) noexcept nogil:
    """The frame of the program that a procedure works for."""
    while f.proc != PR_PROGRAM and f > &s.frames[0]:
        if f.proc == PR_LIST or f.proc == PR_EACH:
            f = &s.frames[f.d]
        else:
            f = caller_of(f)
    return f


cdef inline Regs *regs_of(const Frame *base) noexcept nogil:
    """Its registers."""
    return <Regs *>(base - 1)


cdef const Frame *waiting_window(const State *s, const Frame *base) noexcept nogil:
    """The window of the event that a program answers; NULL: it answers none."""
    cdef const Frame *f = base - 2
    if f.proc == PR_PLAY and f.b == PLAYED_REACTION:
        f -= 1
    return f if f.proc == PR_EVENT else NULL


cdef const Frame *frame_env(const State *s, const Tables *t, const Frame *f, Env *e) noexcept nogil:
    """What selectors see in the program that a procedure works for; returns the frame of that."""
    cdef const Frame *base = base_of(s, f)
    set_env(e, base.p, regs_of(base))
    e.window = waiting_window(s, base)
    return base


cdef void start_program(State *s, const Tables *t, int program, int me, const Regs *regs) noexcept nogil:
    """A program is the next thing; ``regs``: its registers at the start, NULL: all empty."""
    cdef Regs *r = <Regs *>room_for(s)
    if regs != NULL:
        r[0] = regs[0]
    else:
        clear_regs(r)
    push(s, PR_PROGRAM, me, t.programs[program].first, 0, program, 0)
    if t.programs[program].gathers:
        start_gathering(s)


cdef int end_list(State *s, const Tables *t, const Frame *f) noexcept nogil:
    """A list of steps is over."""
    cdef int me = f.p
    cdef bint gathers = f.proc == PR_PROGRAM and t.programs[f.c].gathers
    drop(s, 2 if f.proc == PR_PROGRAM else 1)
    s.complete = 1
    if gathers:
        end_gathering(s, me)
    return RUN


cdef inline int place_of(const State *s, const Frame *f) noexcept nogil:
    """Where a frame is on the agenda."""
    return <int>(f - &s.frames[0])


cdef inline int second_player(const State *s, const Tables *t, const Frame *f, const Step *step,
                              const Env *e) noexcept nogil:
    """The player that the second word of a step names, for the procedure that performs it; NOBODY: none."""
    cdef int players
    if step.flags & SF_OTHER:
        return caller_of(f).b >> 9 & 7
    players = player_mask(s, t, step.player, e)
    return ctz64(<uint64_t>players) if players else NOBODY


cdef int who_candidates(const State *s, const Tables *t, const Step *step, const Env *e) noexcept nogil:
    """PICK_PLAYER for `who`: players for whom the step is possible, a bit each."""
    cdef int players = player_mask(s, t, step.who, e)
    cdef int p
    for p in range(t.players):
        if players >> p & 1 and not possible(s, t, step, e, p, NOBODY, step.flags & SF_MUST):
            players &= ~(1 << p)
    return players


cdef int other_candidates(const State *s, const Tables *t, const Step *step, const Env *e,
                          int performers) noexcept nogil:
    """PICK_PLAYER for the second word: players with whom the step is possible for one of the performers."""
    cdef int players = player_mask(s, t, step.player, e)
    cdef int p, q
    cdef bint found
    for q in range(t.players):
        if players >> q & 1:
            found = False
            for p in range(t.players):
                found = found or (performers >> p & 1 and possible(s, t, step, e, p, q, step.flags & SF_MUST))
            if not found:
                players &= ~(1 << q)
    return players


cdef void offer_pick_player(const State *s, const Tables *t, const Frame *f, uint64_t *mask) noexcept nogil:
    """PICK_PLAYER: for `who`, for the second word, by `pick`, or for `each`."""
    cdef const Step *step = &t.steps[f.a]
    cdef Env e
    frame_env(s, t, f, &e)
    if f.proc == PR_EACH:
        offer_players(mask, each_candidates(s, t, f, &e))
    elif f.step == ST_PICK_WHO:
        offer_players(mask, who_candidates(s, t, step, &e))
    elif f.step == ST_PICK_OTHER:
        offer_players(mask, other_candidates(s, t, step, &e, f.b >> 3 & 63))
    else:
        offer_players(mask, pick_players(s, t, step, &e))


cdef int do_program(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Perform the steps of a program, or of a list inside one, see the head of this file."""
    cdef const Step *step
    cdef int a, p, players
    cdef bint strict, optional
    cdef Env e, start
    cdef const Frame *base = frame_env(s, t, f, &start)
    cdef int me = base.p
    cdef Regs *r = regs_of(base)
    while True:
        step = &t.steps[f.a]
        strict = step.flags & SF_MUST != 0
        optional = step.flags & SF_OPT != 0 and step.verb != VERB_EACH
        e = start
        if f.step == ST_BEGIN:
            ctx.steps += 1
            ctx.program = step.program
            if ctx.steps > MAX_PERFORMED:
                s.fault = FAULT_STEPS
                return RUN
            f.b = NOBODY << 9
            if step.flags & SF_NEVER or lacking(s, r, step.needs):
                if strict and not optional:
                    return end_list(s, t, f)
                f.step = ST_END
                continue
            players = player_mask(s, t, step.who, &e)
            f.step = ST_PICK_OTHER
            if chooses_one(step.who):
                f.step = ST_PICK_WHO
            elif strict and not optional:
                if not any_possible(s, t, step, &e, players):
                    return end_list(s, t, f)
            f.b |= <int16_t>(players << 3)
        if f.step == ST_PICK_WHO:
            a = ask(s, t, ctx, DK_PICK_PLAYER, me)
            if a == PENDING:
                return WAIT
            if a == NONE:
                if strict and not optional:
                    return end_list(s, t, f)
                f.step = ST_END
                continue
            f.b = <int16_t>(NOBODY << 9 | 8 << (a - A_PLAYER))
            f.step = ST_PICK_OTHER
        if f.step == ST_PICK_OTHER:
            if step.flags & SF_OTHER:
                a = ask(s, t, ctx, DK_PICK_PLAYER, me)
                if a == PENDING:
                    return WAIT
                if a == NONE:
                    if strict and not optional:
                        return end_list(s, t, f)
                    f.step = ST_END
                    continue
                f.b = <int16_t>((f.b & 511) | (a - A_PLAYER) << 9)
            f.step = ST_NEXT
        if f.step == ST_NEXT:
            players = f.b >> 3 & 63
            if players == 0:
                if strict and f.b & SB_BEGUN and not f.b & SB_FULL:
                    return end_list(s, t, f)
                f.step = ST_END
                continue
            p = first_player_of(s, t, step.who, me, players)
            f.b = <int16_t>((f.b & ~511) | (players & ~(1 << p)) << 3 | p)
            if (strict or optional) and not possible(s, t, step, &e, p, f.b >> 9 & 7, strict):
                continue
            f.step = ST_OPTIONAL if optional else ST_PERFORM
        p = f.b & 7
        if f.step == ST_OPTIONAL:
            a = ask(s, t, ctx, DK_OPTIONAL_STEP, p)
            if a == PENDING:
                return WAIT
            if a != A_YES:
                f.step = ST_NEXT
                continue
            f.step = ST_PERFORM
        if f.step == ST_PERFORM:
            a = 0
            if step.verb == VERB_CHOOSE:
                a = ask(s, t, ctx, DK_CHOOSE, p)
            elif step.verb == VERB_PICK:
                if step.what == PICK_WHAT_SPACE:
                    a = ask(s, t, ctx, DK_PICK_SPACE, p)
                else:
                    a = ask(s, t, ctx, DK_PICK_PLAYER if step.what == PICK_WHAT_PLAYER else DK_PICK_TERRAIN, p)
            if a == PENDING:
                return WAIT
            f.b |= SB_BEGUN
            f.step = ST_PERFORMED
            s.complete = 1
            s.amount = 0
            if step.verb == VERB_CHOOSE:
                if a >= A_OPTION:
                    push(s, PR_LIST, me, t.lists[step.lists + a - A_OPTION], 0, 0, place_of(s, base))
                    return RUN
                s.complete = 0
            elif step.verb == VERB_PICK:
                if a == NONE:
                    return end_list(s, t, f)
                if step.what == PICK_WHAT_SPACE:
                    r.space = <uint8_t>(a - A_SPACE)
                elif step.what == PICK_WHAT_PLAYER:
                    r.player = <uint8_t>(a - A_PLAYER)
                else:
                    r.terrain = <uint8_t>(a - A_TERRAIN)
            elif start_verb(s, t, ctx, f, base, step, &e, p):
                return RUN
        if f.step == ST_PERFORMED:
            if s.complete:
                f.b |= SB_FULL
            if step.flags & SF_SETS_N:
                r.n = s.amount
            f.step = ST_TELL
        if f.step == ST_TELL:
            if tell_ended(s, t, KIND_WON):
                return RUN
            f.step = ST_NEXT
            continue
        # ST_END
        if step.flags & SF_LAST:
            return end_list(s, t, f)
        f.a += 1
        f.step = ST_BEGIN


# -------------------------------------------------------------------------------------------------------- pick
cdef bint head_after(const State *s, const Tables *t, const Step *step, const Env *e, const Regs *r) noexcept nogil:
    """Whether the rest of the head is possible with these registers (V1.2)."""
    cdef Env mine = e[0]
    if not step.flags & SF_HEAD or step.flags & SF_LAST:
        return True
    mine.r = r
    return startable(s, t, <int>(step - t.steps) + 1, &mine)


cdef u128 pick_spaces(const State *s, const Tables *t, const Step *step, const Env *e, bint any_one) noexcept nogil:
    """PICK_SPACE; with ``any_one`` one of them is enough."""
    cdef u128 board = space_board(s, t, step.space, e)
    cdef u128 rest = board
    cdef Regs r
    if not any128(board) or not step.flags & SF_HEAD or step.flags & SF_LAST:
        return board
    r = e.r[0]
    while any128(rest):
        r.space = <uint8_t>first128(rest)
        if not head_after(s, t, step, e, &r):
            board &= ~bit128(r.space)
        elif any_one:
            return bit128(r.space)
        rest = rest128(rest)
    return board


cdef int pick_players(const State *s, const Tables *t, const Step *step, const Env *e) noexcept nogil:
    """PICK_PLAYER of `pick`."""
    cdef int players = player_mask(s, t, step.player, e) & ~s.launched
    cdef int p
    cdef Regs r = e.r[0]
    for p in range(t.players):
        if players >> p & 1:
            r.player = <uint8_t>p
            if not head_after(s, t, step, e, &r):
                players &= ~(1 << p)
    return players


cdef int pick_terrains(const State *s, const Tables *t, const Step *step, const Env *e) noexcept nogil:
    """PICK_TERRAIN."""
    cdef int terrains = 0
    cdef int i
    cdef Regs r = e.r[0]
    for i in range(NUM_TERRAINS):
        r.terrain = <uint8_t>i
        if head_after(s, t, step, e, &r):
            terrains |= 1 << i
    return terrains


# -------------------------------------------------------------------------------------------------------- each
#
# A PR_EACH frame: a: step, b: performer | taken << 3, c: where in the list (players left; the next space; Units: space
# << 6 | owner << 3 | type), d: place of the program's frame. Beneath: Work (x: item at hand, y: c holds a place, left: Units
# of it still to be visited), under it the registers as they were (C48).

cdef enum:
    EACH_PLAYERS = 0
    EACH_UNITS = 1
    EACH_SPACES = 2


cdef void each_env(const State *s, const Tables *t, const Frame *f, Env *e) noexcept nogil:
    """What the list of an `each` is judged by."""
    frame_env(s, t, f, e)
    e.r = <const Regs *>(f - 2)


cdef int each_units(const State *s, const Tables *t, const Step *step, const Env *e, int owner, int space,
                    int type) noexcept nogil:
    """How many Units of the owner and type in the space an `each` may still visit there."""
    cdef const UnitSel *sel = &t.units[step.units]
    cdef int units
    if not (sel.is_register or owner_mask(t, sel.owner, e) >> owner & 1):
        return 0
    if sel.state == STATE_CONFUSED:
        return squad_count(squad_of(s, owner, space), CONFUSED + type) \
            if confused_at(s, t, sel, e, owner, space) >> type & 1 else 0
    if not types_at(s, t, sel, e, owner, space) >> type & 1:
        return 0
    units = matching_units(s, t, sel, e, owner, space, type)
    if step.flag:  # once: Units that take part in the card being resolved, each once
        if owner != s.mark_owner:
            return 0
        units = min_int(units, marked_units(s, space, type, MARK_PART)
                        - marked_units(s, space, type, MARK_PART | MARK_ONCE))
    return units


cdef int next_units(const State *s, const Tables *t, const Step *step, const Env *e, int place) noexcept nogil:
    """The first place (space << 6 | owner << 3 | type) from ``place`` on with a Unit to visit; -1: none."""
    cdef int space, owner, type
    cdef u128 board = units_board(s, t, step.units, e) & ~below128(place >> 6)
    while any128(board):
        space = first128(board)
        board = rest128(board)
        for owner in range(t.players):
            for type in range(6):
                if (space << 6 | owner << 3 | type) >= place and each_units(s, t, step, e, owner, space, type) > 0:
                    return space << 6 | owner << 3 | type
    return -1


cdef void set_item(const Tables *t, const Step *step, Regs *r, int place) noexcept nogil:
    """Registers for an item of an `each`."""
    if step.what == EACH_PLAYERS:
        r.player = <uint8_t>place
    elif step.what == EACH_SPACES:
        r.space = <uint8_t>place
    else:
        r.space = <uint8_t>(place >> 6)
        r.unit_space = r.space
        r.unit_owner = <uint8_t>(place >> 3 & 7)
        r.player = r.unit_owner
        r.unit = SHIP_UNIT if place & 7 == UT_SHIP else unit_step[place & 7]


cdef bint item_startable(const State *s, const Tables *t, const Step *step, const Env *e, const Regs *now,
                         int place) noexcept nogil:
    """Whether the run of an `each` is startable for an item."""
    cdef Env mine = e[0]
    cdef Regs r = now[0]
    set_item(t, step, &r, place)
    mine.r = &r
    return startable(s, t, t.lists[step.lists], &mine)


cdef int each_candidates(const State *s, const Tables *t, const Frame *f, const Env *e) noexcept nogil:
    """Players over whom an `each` may go, if one is chosen (C72)."""
    cdef const Step *step = &t.steps[f.a]
    cdef int players = each_players(s, t, step, e)
    cdef int p
    for p in range(t.players):
        if players >> p & 1 and not item_startable(s, t, step, e, e.r, p):
            players &= ~(1 << p)
    return players


cdef int each_players(const State *s, const Tables *t, const Step *step, const Env *e) noexcept nogil:
    """Players that an `each` goes over; a Launched one is no item (C15)."""
    return player_mask(s, t, step.player, e) & ~s.launched


cdef bint each_has_item(const State *s, const Tables *t, const Step *step, const Env *e) noexcept nogil:
    """Whether the list of an `each` has an item left (section 4.1)."""
    if step.what == EACH_PLAYERS:
        return each_players(s, t, step, e) != 0
    if step.what == EACH_SPACES:
        return any128(space_board(s, t, step.space, e))
    return next_units(s, t, step, e, 0) >= 0


cdef int do_each(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """The verb `each`, see above. Steps: 0 begin, 1 who, 2 next item, 3 is it taken."""
    cdef const Step *step = &t.steps[f.a]
    cdef const Frame *base = &s.frames[f.d]
    cdef Regs *r = regs_of(base)
    cdef Work *w = <Work *>(f - 1)
    cdef Env e
    cdef int a, place
    cdef u128 board
    cdef bint asks = step.flags & SF_OPT != 0 or step.extra != 0
    each_env(s, t, f, &e)
    if f.step == 0:
        f.step = 2
        f.c = 0
        if step.what == EACH_PLAYERS:
            if chooses_one(step.player):
                f.step = 1
            else:
                f.c = <int16_t>each_players(s, t, step, &e)
    if f.step == 1:
        a = ask(s, t, ctx, DK_PICK_PLAYER, base.p)
        if a == PENDING:
            return WAIT
        f.c = <int16_t>(1 << (a - A_PLAYER)) if a >= A_PLAYER else 0
        f.step = 2
    while True:
        if f.step == 2:
            if step.extra and f.b >> 3 >= step.extra:
                break
            if step.what == EACH_PLAYERS:
                place = first_player_of(s, t, step.player, base.p, f.c)
                if place < 0:
                    break
                f.c &= <int16_t>~(1 << place)
                w.x = <uint8_t>place
            elif step.what == EACH_SPACES:
                board = space_board(s, t, step.space, &e) & ~below128(f.c)
                if f.c >= NUM_SPACES or not any128(board):
                    break
                w.x = <uint8_t>first128(board)
                f.c = w.x + 1
            else:
                if w.left and each_units(s, t, step, &e, f.c >> 3 & 7, f.c >> 6, f.c & 7) <= 0:
                    w.left = 0
                if w.left == 0:
                    place = next_units(s, t, step, &e, f.c + 1 if w.y else 0)
                    if place < 0:
                        break
                    f.c = <int16_t>place
                    w.y = 1
                    w.left = <uint8_t>each_units(s, t, step, &e, place >> 3 & 7, place >> 6, place & 7)
            f.step = 3
        place = f.c if step.what == EACH_UNITS else w.x
        if asks:
            a = A_NO
            if s.answered or item_startable(s, t, step, &e, r, place):
                a = ask(s, t, ctx, DK_EACH_ITEM, f.b & 7)
                if a == PENDING:
                    return WAIT
            f.step = 2
            if step.what == EACH_UNITS:
                w.left -= 1
            if a != A_YES:
                continue
            f.b += 8
        else:
            f.step = 2
            if step.what == EACH_UNITS:
                w.left -= 1
        if step.flag:
            a = marked_entry(s, place >> 6, place & 7, MARK_PART, MARK_ONCE)
            if a >= 0:
                add_marks(s, a, MARK_ONCE)
        set_item(t, step, r, place)
        push(s, PR_LIST, base.p, t.lists[step.lists], 0, 0, f.d)
        return RUN
    if step.what != EACH_SPACES:
        r.player = NOBODY
    if step.what != EACH_PLAYERS:
        r.space = NOWHERE
    if step.what == EACH_UNITS:
        r.unit = 0
    s.complete = 1
    return drop(s, 3)


# -------------------------------------------------------------------------------------------------------- choose
cdef int choose_options(const State *s, const Tables *t, const Step *step, const Env *e) noexcept nogil:
    """CHOOSE: startable options, a bit each."""
    cdef int options = 0
    cdef int i
    for i in range(step.list_count):
        if startable(s, t, t.lists[step.lists + i], e):
            options |= 1 << i
    return options
