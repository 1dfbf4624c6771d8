# Verbs that treat Units one by one (docs/cards.md, sections 4.4, 4.5 and 13.2).
#
# A PR_UNITS frame: a: step, b: the Unit at hand (space | owner << 7 | type << 10), c: see the verbs, d:
# frames of pieces. Beneath: the pieces (Units that `place` with n = all and `convert` with n = all have
# treated), under them Work (x and y: where a visit has come to; other: number of pieces).

cdef inline int unit_at(int space, int owner, int type) noexcept nogil:
    """A Unit in a register."""
    return space | owner << 7 | type << 10


cdef inline int unit_space(const Frame *f) noexcept nogil:
    return f.b & 127


cdef inline int owner_of(const Frame *f) noexcept nogil:
    return f.b >> 7 & 7


cdef inline int unit_type(const Frame *f) noexcept nogil:
    return f.b >> 10 & 7


cdef inline bint keeps_pieces(const Step *step) noexcept nogil:
    """Whether treated Units are remembered one by one (C48, C49)."""
    if step.n.kind != COUNT_KIND_ALL:
        return False
    return step.verb == VERB_PLACE or (step.verb == VERB_CONVERT and step.what == CONVERT_TO_TROOP)


cdef inline bint keeps_list(const Step *step, int n) noexcept nogil:
    """Whether treated Units are marked, so that none is taken twice (V9.2)."""
    return n != 1 and (step.verb == VERB_MOVE or step.verb == VERB_PLACE or step.verb == VERB_ACT
                       or step.verb == VERB_GATHER) and not keeps_pieces(step)


cdef int units_open(const State *s, const Tables *t, const Frame *f, const Step *step, const Env *e, int owner,
                    int space, int type) noexcept nogil:
    """How many Units of a type that `target_types` names are still to be treated."""
    cdef int units = target_units(s, t, step, e, owner, space, type)
    if keeps_pieces(step):
        units -= piece_count(f, work_of(f).other, unit_at(space, owner, type))
    return units


cdef int open_types(const State *s, const Tables *t, const Frame *f, const Step *step, const Env *e, int owner,
                    int space) noexcept nogil:
    """Types of an owner's Units in a space that may be chosen, a bit each."""
    cdef int types = target_types(s, t, step, e, f.p, owner, space)
    cdef int type
    for type in range(6):
        if types >> type & 1 and units_open(s, t, f, step, e, owner, space, type) <= 0:
            types &= ~(1 << type)
    return types


cdef int open_owners(const State *s, const Tables *t, const Frame *f, const Step *step, const Env *e,
                     int space) noexcept nogil:
    """Owners of such Units in a space that has one, a bit each."""
    cdef int owners = target_owners(s, t, step, e, f.p)
    cdef int owner
    for owner in range(t.players):
        if owners >> owner & 1 and not is_there(s, owner, space):
            owners &= ~(1 << owner)
    if owners & (owners - 1) == 0:
        return owners
    for owner in range(t.players):
        if owners >> owner & 1 and not open_types(s, t, f, step, e, owner, space):
            owners &= ~(1 << owner)
    return owners


cdef u128 open_spaces(const State *s, const Tables *t, const Frame *f, const Step *step, const Env *e) noexcept nogil:
    """Spaces with such a Unit."""
    cdef u128 rest = target_board(s, t, step, e)
    cdef u128 board = 0
    cdef int owners = target_owners(s, t, step, e, f.p)
    cdef int space, owner
    while any128(rest):
        space = first128(rest)
        rest = rest128(rest)
        for owner in range(t.players):
            if owners >> owner & 1 and open_types(s, t, f, step, e, owner, space):
                board |= bit128(space)
                break
    return board


cdef const Frame *units_env(const State *s, const Tables *t, const Frame *f, Env *e) noexcept nogil:
    """What the selector of a PR_UNITS frame sees; returns the frame of the program."""
    cdef const Frame *base = frame_env(s, t, f, e)
    e.listed = work_of(f).wanted != 1
    return base


cdef void offer_unit(const State *s, const Tables *t, const Frame *f, int kind, uint64_t *mask) noexcept nogil:
    """UNIT_SPACE, UNIT_OWNER, UNIT_TYPE of the verbs, of hostages and of a lone escape."""
    cdef const Step *step
    cdef Env e
    if f.proc == PR_PAY:
        if kind == DK_UNIT_SPACE:
            offer_spaces(mask, hostage_spaces(s, t, f))
        elif kind == DK_UNIT_OWNER:
            offer_players(mask, 1 << f.p)
        else:
            offer_units(mask, hostage_types(s, t, f, f.c >> 8))
        return
    if f.proc == PR_COLLAPSE:
        offer_units(mask, lone_escapers(s, t, s.player, f.d))
        return
    if f.proc == PR_CAPTIVES:
        offer_players(mask, captive_owners(s, t, f, f.b & 7))
        return
    step = &t.steps[f.a]
    units_env(s, t, f, &e)
    if kind == DK_UNIT_SPACE:
        if step.flags & SF_UPTO:
            offer_action(mask, A_DONE)
        offer_spaces(mask, open_spaces(s, t, f, step, &e))
    elif kind == DK_UNIT_OWNER:
        offer_players(mask, open_owners(s, t, f, step, &e, unit_space(f)))
    else:
        offer_units(mask, open_types(s, t, f, step, &e, owner_of(f), unit_space(f)))


cdef bint begin_units(State *s, const Tables *t, Ctx *ctx, Frame *f, const Frame *base, const Step *step, Env *e,
                      int p, int n) noexcept nogil:
    """One of the verbs from `convert` to `gather`."""
    cdef const UnitSel *sel = &t.units[step.units]
    cdef int index = f.a
    cdef Work *w
    s.complete = n == 0
    if step.verb == VERB_ACT and s.programs >= t.limit_programs:
        return False
    if step.verb == VERB_PLACE and step.swap >= 0:
        push(s, PR_SWAP, p, index, swap_origin(s, e), -1, 0)
        return True
    if sel.where != WHERE_PLANET and not sel.is_register:
        if n == ALL:
            s.amount = <int16_t>recall_captives(s, t, ctx, step, e, p)
            s.complete = s.amount > 0
            return False
        push(s, PR_CAPTIVES, p, index, 0, n, 0)
        return True
    if n == 0:
        return False
    if n == ALL and (step.verb == VERB_RECALL or step.verb == VERB_CONFUSE):
        treat_all(s, t, ctx, base, step, e, p)
        return False
    w = <Work *>room_for(s)
    clear_work(w, p)
    w.left = <uint8_t>n
    w.wanted = <uint8_t>n
    w.other = 0
    push(s, PR_UNITS, p, index, 0, 0, 0).step = 1
    if step.verb == VERB_ACT:
        start_gathering(s)
    if keeps_list(step, n):
        if s.mark_owner != e.me:
            clear_marks(s)
            s.mark_owner = <int8_t>e.me
        strip_marks(s, MARK_LIST)
    if n == ALL and (step.verb == VERB_DESTROY or step.verb == VERB_CAPTURE):
        top(s).step = 20
    elif n == ALL and step.verb == VERB_PLACE:
        top(s).step = 10
    return True


cdef void treat_all(State *s, const Tables *t, Ctx *ctx, const Frame *base, const Step *step, const Env *e,
                    int p) noexcept nogil:
    """`recall` and `confuse` with n = all: at once, nothing is told."""
    cdef Work w
    cdef Regs *r = regs_of(base)
    cdef int owners = target_owners(s, t, step, e, p)
    cdef u128 board = target_board(s, t, step, e)
    cdef int space, owner, type, types, i, units
    clear_work(&w, p)
    while any128(board):
        space = first128(board)
        board = rest128(board)
        ctx.emptied = 1 + space if step.verb == VERB_RECALL and all_treated(s, t, step, e, p, owners, space) else 0
        for owner in range(t.players):
            if not owners >> owner & 1:
                continue
            types = target_types(s, t, step, e, p, owner, space)
            for type in range(5):
                if not types >> type & 1:
                    continue
                units = target_units(s, t, step, e, owner, space, type)
                for i in range(units):
                    if step.verb == VERB_RECALL:
                        take_by_register(s, t, base, step, type, -1)
                        destroy_unit(s, t, ctx, owner, type, space, 1)
                    else:
                        take_by_register(s, t, base, step, type, CONFUSED + type)
                        confuse_unit(s, t, ctx, owner, type, space)
                    worked_on(&w, owner, space, type)
    ctx.emptied = 0
    s.amount = w.done
    s.complete = w.done > 0
    if w.done:
        r.unit = 0
        if step.verb == VERB_CONFUSE:
            r.space = w.space
            r.unit_space = w.space
            r.unit_owner = w.owner
            r.unit = w.unit


cdef bint all_treated(const State *s, const Tables *t, const Step *step, const Env *e, int p, int owners,
                      int space) noexcept nogil:
    """Whether nobody is left in a Combat Space when all that match there have gone."""
    cdef int owner, type, types
    cdef int left = squad_size[squad_at(s, 0, space)] + squad_size[squad_at(s, 1, space)]
    if not has128(s.combat, space):
        return False
    for owner in range(t.players):
        if owners >> owner & 1:
            types = target_types(s, t, step, e, p, owner, space)
            for type in range(5):
                if types >> type & 1:
                    left -= target_units(s, t, step, e, owner, space, type)
    return left == 0


cdef void take_by_register(State *s, const Tables *t, const Frame *base, const Step *step, int type,
                           int becomes) noexcept nogil:
    """C19: a Unit taken by way of the $unit of the waiting `defeated` is no longer about to go, or goes as the kind that it
    becomes (-1: it leaves).
    """
    cdef Frame *w
    cdef uint8_t squad
    if likely(not s.dooms) or not t.units[step.units].is_register or not regs_of(base).unit_owner & EVENT_UNIT:
        return
    w = <Frame *>waiting_window(s, base)
    if w == NULL or window_event(w) != TRIGGER_DEFEATED:
        return
    squad = <uint8_t>(w.b >> 8)
    if squad_count(squad, type):
        squad = squad_minus(squad, type)
        w.b = <int16_t>((w.b & 255) | (squad if becomes < 0 else squad_plus(squad, becomes)) << 8)


cdef int do_units(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Choose Units and treat them, one after the other, see the head of this file.

    Steps: 1 space, 2 owner, 3 type, 4 to 8 its treatment, 9 it has been treated; 10 to 12 `place` with n =
    all; 13 all have been treated; 20 to 22 `destroy` and `capture` with n = all.
    """
    cdef const Step *step = &t.steps[f.a]
    cdef Work *w = work_of(f)
    cdef const Frame *base
    cdef Env e
    cdef int a, p = f.p
    if f.step == 13:
        return end_units(s, t, f)
    base = units_env(s, t, f, &e)
    if f.step >= 20:
        return take_all(s, t, ctx, f)
    while True:
        if f.step == 1:
            a = NONE
            if w.left:
                if s.answered:
                    a = answer_of(s)
                else:
                    a = ask_spaces(s, ctx, DK_UNIT_SPACE, p, step.flags & SF_UPTO != 0, open_spaces(s, t, f, step, &e))
                if a == PENDING:
                    return WAIT
            if a < A_SPACE:
                f.step = 13
                if step.verb == VERB_ACT and end_gathering(s, p):
                    return RUN
                return end_units(s, t, f)
            f.b = <int16_t>unit_at(a - A_SPACE, 0, 0)
            f.step = 2
        if f.step == 2:
            if s.answered:
                a = answer_of(s)
            else:
                a = ask_bits(s, ctx, DK_UNIT_OWNER, p, A_PLAYER, open_owners(s, t, f, step, &e, unit_space(f)))
            if a == PENDING:
                return WAIT
            f.b = <int16_t>unit_at(unit_space(f), a - A_PLAYER, 0)
            f.step = 3
        if f.step == 3:
            if s.answered:
                a = answer_of(s)
            else:
                a = ask_bits(s, ctx, DK_UNIT_TYPE, p, A_UNIT, open_types(s, t, f, step, &e, owner_of(f), unit_space(f)))
            if a == PENDING:
                return WAIT
            f.b = <int16_t>unit_at(unit_space(f), owner_of(f), a - A_UNIT)
            f.step = 4
            f.c = 0
            if w.left < ALL:
                w.left -= 1
        if f.step == 10:
            if not next_visit(s, t, f, step, &e):
                return end_units(s, t, f)
            f.step = 4
        a = treat_unit(s, t, ctx, f, step, base, &e)
        if a != OVER:
            return a
        f = top(s)
        w = work_of(f)
        f.step = 10 if step.verb == VERB_PLACE and step.n.kind == COUNT_KIND_ALL else 1


cdef int end_units(State *s, const Tables *t, Frame *f) noexcept nogil:
    """The step is over."""
    cdef const Step *step = &t.steps[f.a]
    cdef Work *w = work_of(f)
    cdef const Frame *base = base_of(s, f)
    if keeps_list(step, w.wanted):
        strip_marks(s, MARK_LIST)
    if step.verb == VERB_RECALL or step.verb == VERB_DESTROY or step.verb == VERB_CAPTURE:
        s.amount = w.done
        s.complete = w.done >= w.wanted or (w.wanted == ALL and w.done > 0)
        if w.done:
            regs_of(base).unit = 0
            if step.verb != VERB_RECALL:
                regs_of(base).space = w.space
    elif step.verb == VERB_GATHER:
        s.amount = w.done
        s.complete = w.done >= w.wanted or (w.wanted == ALL and w.done > 0)
    else:
        finish_work(s, f, w)
    return drop(s, 2 + f.d)


cdef bint next_visit(State *s, const Tables *t, Frame *f, const Step *step, const Env *e) noexcept nogil:
    """`place` with n = all: the next Unit that has a legal space (section 4.2, C48)."""
    cdef Work *w = work_of(f)
    cdef int place = w.x | w.y << 8
    cdef int owners = target_owners(s, t, step, e, f.p)
    cdef int space, owner, type
    cdef u128 board = target_board(s, t, step, e) & ~below128(place >> 6)
    while any128(board):
        space = first128(board)
        board = rest128(board)
        for owner in range(t.players):
            if not owners >> owner & 1:
                continue
            for type in range(5):
                place = space << 6 | owner << 3 | type
                if place < (w.x | w.y << 8):
                    continue
                if open_types(s, t, f, step, e, owner, space) >> type & 1:
                    if place > (w.x | w.y << 8) or f.c == 0:
                        # arriving there the Units are counted
                        f.c = <int16_t>(1 + units_open(s, t, f, step, e, owner, space, type))
                        w.x = <uint8_t>(place & 255)
                        w.y = <uint8_t>(place >> 8)
                    if f.c > 1:
                        f.c -= 1
                        f.b = <int16_t>unit_at(space, owner, type)
                        return True
    return False


cdef int take_all(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """`destroy` and `capture` with n = all (C80): space by space, `defeated` for each owner, then the
    removal. b: space, c: where to look on; in Work the owners (owner: low | high << 3), what of theirs is
    about to go (other, left), x: windows opened.

    Steps: 20 next space, 21 windows and removal, 22 a window is over.
    """
    cdef const Step *step = &t.steps[f.a]
    cdef const Frame *base = base_of(s, f)
    cdef Work *w = work_of(f)
    cdef Env e
    cdef int p = f.p
    cdef int owners, low, high, space, taken
    cdef u128 board
    cdef uint8_t squad
    cdef bint capture = step.verb == VERB_CAPTURE
    units_env(s, t, f, &e)
    e.listed = False
    while True:
        if f.step == 20:
            owners = target_owners(s, t, step, &e, p)
            board = target_board(s, t, step, &e) & ~below128(f.c)
            while any128(board) and not targets_in(s, t, step, &e, p, owners, first128(board)):
                board = rest128(board)
            if not any128(board):
                return end_units(s, t, f)
            space = first128(board)
            f.b = <int16_t>space
            f.c = <int16_t>(space + 1)
            low = owner_at(s, t, space, -1)
            high = owner_at(s, t, space, low)
            w.owner = <uint8_t>(low | (high if high >= 0 else NOBODY) << 3)
            w.other = targets_of(s, t, step, &e, p, owners, low, space)
            w.left = targets_of(s, t, step, &e, p, owners, high, space) if high >= 0 else 0
            w.x = 0
            f.step = 21
        space = f.b
        low = w.owner & 7
        high = w.owner >> 3
        if f.step == 22:  # a window has ended
            if w.x == 2:
                w.left = s.pending
            else:
                w.other = s.pending
            f.step = 21
        while w.x < 2:
            squad = w.left if w.x else w.other
            w.x += 1
            if squad and watched(s, TRIGGER_DEFEATED):
                f.step = 22
                open_event(s, t, TRIGGER_DEFEATED, e.me, high if w.x == 2 else low,
                           KIND_CAPTURE if capture else KIND_DESTROY, space | squad << 8, 0)
                return RUN
        f.step = 20
        taken = 0
        if w.other and w.left and w.other == squad_of(s, low, space) and w.left == squad_of(s, high, space):
            ctx.emptied = 1 + space
        if w.other:
            taken = take_targets(s, t, ctx, base, step, &e, p, low, space, w.other, capture)
        if w.left:
            taken += take_targets(s, t, ctx, base, step, &e, p, high, space, w.left, capture)
        ctx.emptied = 0
        if taken:
            w.done += <uint8_t>taken
            w.space = <uint8_t>space


cdef int take_targets(State *s, const Tables *t, Ctx *ctx, const Frame *base, const Step *step, const Env *e, int p,
                      int owner, int space, uint8_t squad, bint capture) noexcept nogil:
    """Units of an owner are destroyed or captured by an effect; how many."""
    cdef bint captures = capture and not (s.fight == space and not s.fight_captures)
    cdef int type, i
    for type in range(5):
        for i in range(squad_count(squad, type)):
            take_by_register(s, t, base, step, type, -1)
    return take_squad(s, t, ctx, p, owner, space, squad, captures, False)


cdef uint8_t targets_of(const State *s, const Tables *t, const Step *step, const Env *e, int p, int owners, int owner,
                        int space) noexcept nogil:
    """All Units of an owner in a space that match, Confused ones too (V3.2): a squad."""
    cdef const UnitSel *sel = &t.units[step.units]
    cdef uint8_t squad = 0
    cdef int type, types, i
    if not owners >> owner & 1:
        return 0
    types = types_at(s, t, sel, e, owner, space)
    for type in range(5):
        if types >> type & 1:
            for i in range(matching_units(s, t, sel, e, owner, space, type)):
                squad = squad_plus(squad, type)
    types = confused_at(s, t, sel, e, owner, space)
    for type in range(3):
        if types >> type & 1:
            for i in range(squad_count(squad_of(s, owner, space), CONFUSED + type)):
                squad = squad_plus(squad, CONFUSED + type)
    return squad


cdef bint targets_in(const State *s, const Tables *t, const Step *step, const Env *e, int p, int owners,
                     int space) noexcept nogil:
    """Whether any owner has such Units there."""
    cdef int owner
    for owner in range(t.players):
        if targets_of(s, t, step, e, p, owners, owner, space):
            return True
    return False


cdef int treat_unit(State *s, const Tables *t, Ctx *ctx, Frame *f, const Step *step, const Frame *base,
                    Env *e) noexcept nogil:
    """The treatment of the Unit at hand, from step 4 on; OVER when it is done."""
    cdef Work *w = work_of(f)
    cdef int p = f.p
    cdef int verb = step.verb
    cdef int space = unit_space(f)
    cdef int owner = owner_of(f)
    cdef int type = unit_type(f)
    cdef int a, kind, entry
    cdef bint begun
    if verb == VERB_DESTROY or verb == VERB_CAPTURE:
        kind = type
        if t.units[step.units].state == STATE_CONFUSED and not t.units[step.units].is_register:
            kind = CONFUSED + type
        if f.step == 4:
            f.step = 5
            s.pending = squad_plus(0, kind)
            if watched(s, TRIGGER_DEFEATED):
                if open_event(s, t, TRIGGER_DEFEATED, e.me, owner,
                              KIND_CAPTURE if verb == VERB_CAPTURE else KIND_DESTROY, space | s.pending << 8, 0):
                    return RUN
        a = take_targets(s, t, ctx, base, step, e, p, owner, space, s.pending, verb == VERB_CAPTURE)
        if a:
            w.space = <uint8_t>space
            w.done += 1
        return OVER
    if verb == VERB_CONFUSE:
        take_by_register(s, t, base, step, type, CONFUSED + type)
        confuse_unit(s, t, ctx, owner, type, space)
        worked_on(w, owner, space, type)
        return OVER
    if verb == VERB_RECALL:
        take_by_register(s, t, base, step, type, -1)
        destroy_unit(s, t, ctx, owner, type, space, 1)
        w.done += 1
        return OVER
    if verb == VERB_CONVERT:
        return convert_unit(s, t, ctx, f, step, e)
    if verb == VERB_MOVE:
        if f.step == 4:
            f.step = 5
            entry = pick_marked(s, owner, space, type)
            if keeps_list(step, w.wanted):
                entry = choose_actor(s, owner, type, space)
                add_marks(s, entry, MARK_LIST)
            push(s, PR_STEER, p, f.a, f.b, 0, entry)
            return RUN
        if s.amount >= 0:
            w.origin = <uint8_t>space
            worked_on(w, owner, s.amount, type)
        return OVER
    if verb == VERB_PLACE:
        if f.step == 4:
            a = ask(s, t, ctx, DK_PLACE_TO, p)
            if a == PENDING:
                return WAIT
            a -= A_SPACE
            entry = pick_marked(s, owner, space, type)
            if keeps_list(step, w.wanted):
                entry = choose_actor(s, owner, type, space)
                add_marks(s, entry, MARK_LIST)
            begun = not has128(s.combat, a)
            take_by_register(s, t, base, step, type, -1)
            move_unit(s, t, ctx, owner, type, space, a, entry)
            begun = begun and has128(s.combat, a)
            w.origin = <uint8_t>space
            worked_on(w, owner, a, type)
            f.step = 5
            if keeps_pieces(step):
                f = add_piece(s, f, w.other, unit_at(a, owner, type))
                work_of(f).other += 1
            if come_to_rest(s, owner, a, unit_step[type], e.me, KIND_PLACE, begun):
                return RUN
        return OVER
    if verb == VERB_ACT:
        return act_with_unit(s, t, ctx, f, step)
    return gather_with_unit(s, t, ctx, f, step, e)


cdef int conversions(const State *s, const Tables *t, const Frame *f) noexcept nogil:
    """PROMOTE_TO of the verb `convert`."""
    cdef Env e
    units_env(s, t, f, &e)
    return converts_to(s, t, &t.steps[f.a], &e, owner_of(f), unit_type(f), unit_space(f))


cdef int convert_unit(State *s, const Tables *t, Ctx *ctx, Frame *f, const Step *step, const Env *e) noexcept nogil:
    """One Unit is converted."""
    cdef Work *w = work_of(f)
    cdef int space = unit_space(f)
    cdef int owner = owner_of(f)
    cdef int type = unit_type(f)
    cdef int a, new
    cdef bint dropship = False
    if f.step == 5:
        return OVER
    new = converts_to(s, t, step, e, owner, type, space)
    if new == 0:
        return OVER
    if step.what == CONVERT_TO_TROOP:
        a = ask(s, t, ctx, DK_PROMOTE_TO, f.p)
        if a == PENDING:
            return WAIT
        new = a - A_UNIT
    else:
        new = ctz64(<uint64_t>new)
    take_by_register(s, t, base_of(s, f), step, type, -1)
    if step.what == CONVERT_TO_VEHICLE:
        dropship = upgrade_unit(s, t, ctx, owner, type, space, step.extra)
    else:
        swap_unit(s, t, ctx, owner, type, new, space)
    if w.space == space and w.owner == owner and squad_count(w.unit, type):
        w.unit = squad_minus(w.unit, type)  # the same one again
    worked_on(w, owner, space, new)
    f.step = 5
    if keeps_pieces(step):
        f = add_piece(s, f, w.other, unit_at(space, owner, new))
        work_of(f).other += 1
    if dropship and t.tremor_actions & bit32(CA_DROPSHIP_UPGRADE) and not quiet(s, t, owner, TREMOR_ACTION_DROPSHIP):
        if tremor(s, t, ctx, e.me, f.p, KIND_ACTION):
            return RUN
    return OVER


cdef int act_with_unit(State *s, const Tables *t, Ctx *ctx, Frame *f, const Step *step) noexcept nogil:
    """One Unit acts. c: its entry among the marks."""
    cdef Work *w = work_of(f)
    cdef int space = unit_space(f)
    cdef int type = unit_type(f)
    cdef int a
    if f.step == 4:
        if step.special:
            recover(s, t, ctx, f.p, type)
        f.c = <int16_t>choose_actor(s, f.p, type, space)
        if keeps_list(step, w.wanted):
            add_marks(s, f.c, MARK_LIST)
        f.step = 5
        if step.special:
            f.step = 7
            push(s, PR_ACTIVATE, f.p, 0, card_of_unit(t, type), f.c, 0)
            return RUN
    if f.step == 5:
        a = ask(s, t, ctx, DK_ACT_ACTION, f.p)
        if a == PENDING:
            return WAIT
        f.step = 7
        if a >= A_ACTION and start_action(s, t, ctx, f.p, a - A_ACTION, step.lorium_only):
            f.step = 6
            s.programs += 1
            return RUN
    if f.step == 6:
        s.programs -= 1
    if mark_space(s, f.c) != GONE:
        worked_on(w, f.p, mark_space(s, f.c), mark_type(s, f.c))
        if marks_of(s, f.c) == 0 and not s.mark_confused >> f.c & 1:
            place_mark(s, f.c, GONE)
    else:
        w.done += 1
    return OVER


cdef int gather_with_unit(State *s, const Tables *t, Ctx *ctx, Frame *f, const Step *step,
                          const Env *e) noexcept nogil:
    """One Unit gathers for the performer (C74)."""
    cdef Work *w = work_of(f)
    cdef int space = unit_space(f)
    cdef int owner = owner_of(f)
    cdef int type = unit_type(f)
    cdef int lorium = 0, cards = 0
    if f.step == 4:
        if keeps_list(step, w.wanted):
            add_marks(s, choose_actor(s, owner, type, space), MARK_LIST)
        w.done += 1
        yield_of(s, t, owner, step.what, space, &lorium, &cards)
        gain_lorium(s, ctx, f.p, lorium)
        s.gathered_lorium += <int16_t>lorium
        f.step = 6
        if cards:
            f.step = 5
            if draw_cards(s, t, ctx, f.p, cards):
                return RUN
    if f.step == 5:
        s.gathered_cards += <uint8_t>s.amount
        f.step = 6
    if f.step == 6:
        f.step = 7
        if step.tremor and not quiet(s, t, owner, TREMOR_ACTION_HARVEST):
            if tremor(s, t, ctx, e.me, f.p, KIND_ACTION):
                return RUN
    return OVER


# ---------------------------------------------------------------------------------------------------------- move
cdef void steer_env(const State *s, const Tables *t, const Frame *f, Env *e) noexcept nogil:
    """What the selector `end` of a PR_STEER frame sees."""
    frame_env(s, t, f, e)


cdef void offer_steer(const State *s, const Tables *t, const Frame *f, uint64_t *mask) noexcept nogil:
    """MOVE_TO of the verb `move`."""
    cdef const Step *step = &t.steps[f.a]
    cdef Env e
    steer_env(s, t, f, &e)
    offer_spaces(mask, steer_ends(s, t, &e, step, owner_of(f), unit_type(f), unit_space(f), False)
                 | steer_ends(s, t, &e, step, owner_of(f), unit_type(f), unit_space(f), True))


cdef inline int steer_end(const Frame *f) noexcept nogil:
    return f.c & 127


cdef inline bint steer_jump(const Frame *f) noexcept nogil:
    return f.c >> 7 & 1


cdef u128 steer_tokens(const State *s, const Tables *t, const Frame *f) noexcept nogil:
    """TAKE_TOKEN: on the way, or if somebody else steers only at the end (M7.3)."""
    cdef const Step *step = &t.steps[f.a]
    cdef int steps = step.value
    cdef u128 tokens
    if steps < 0:
        steps = movement_of(s, t, owner_of(f), unit_type(f), steer_jump(f))
    tokens = move_tokens(s, t, owner_of(f), unit_type(f), unit_space(f), steer_end(f), steer_jump(f), steps)
    return tokens if f.p == owner_of(f) else tokens & bit128(steer_end(f))


cdef int do_steer(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """One Unit moves by the verb `move`. p: who steers, a: step, b: the Unit, c: end | jump << 7 | token << 8
    (127 none), d: its entry among the marks, later whether a Combat began.

    Steps: 0 where to, 1 how, 2 token, 3 it rests, 4 its Tremor, 5 over; 6 a Ship.
    """
    cdef const Step *step = &t.steps[f.a]
    cdef int owner = owner_of(f)
    cdef int type = unit_type(f)
    cdef int space = unit_space(f)
    cdef int a, end
    cdef bint walks, jumps
    cdef Env e
    steer_env(s, t, f, &e)
    if f.step == 0:
        a = ask(s, t, ctx, DK_MOVE_TO, f.p)
        if a == PENDING:
            return WAIT
        if a == NONE:
            s.amount = -1
            return pop(s)
        end = a - A_SPACE
        f.c = <int16_t>(end | 127 << 8)
        f.step = 2
        if type == UT_SHIP:
            f.step = 6
            if sail(s, t, ctx, owner, end, e.me, KIND_MOVE):
                return RUN
        elif end == space:
            if step.word == MOVE_MODE_JUMP:
                f.c |= 128
        else:
            walks = has128(steer_ends(s, t, &e, step, owner, type, space, False), end)
            jumps = has128(steer_ends(s, t, &e, step, owner, type, space, True), end)
            if jumps:
                f.c |= 128
                if walks:
                    f.step = 1
    if f.step == 6:
        s.amount = s.seat[owner].ship
        return pop(s)
    if f.step == 1:
        a = ask(s, t, ctx, DK_MOVE_MODE, f.p)
        if a == PENDING:
            return WAIT
        if a == A_ACTION + CA_MOVE:
            f.c &= ~128
        f.step = 2
    end = steer_end(f)
    if f.step == 2:
        if any128(s.tokens):
            a = ask(s, t, ctx, DK_TAKE_TOKEN, owner)
            if a == PENDING:
                return WAIT
            if a >= A_SPACE:
                f.c = <int16_t>((f.c & 255) | (a - A_SPACE) << 8)
        a = f.d
        f.d = 0
        if end != space:
            take_by_register(s, t, base_of(s, f), step, type, -1)
        if step.special and end == s.seat[owner].ship:
            board_ship(s, t, ctx, owner, type, space, a)
        else:
            f.d = not has128(s.combat, end)
            move_unit(s, t, ctx, owner, type, space, end, a)
            f.d = f.d and has128(s.combat, end)
        f.step = 3
        a = f.c >> 8 & 127
        if a != 127:
            remove_token(s, ctx, a, owner)
            gain_relic(s, owner, 1)
            return RUN
    if f.step == 3:
        f.step = 4
        if end != space and end != s.seat[owner].ship:
            if arrive(s, owner, end, unit_step[type], e.me, KIND_JUMPJET if steer_jump(f) else KIND_MOVE, f.d != 0):
                return RUN
    if f.step == 4:
        f.step = 5
        if steer_jump(f) and step.tremor and not quiet(s, t, owner, TREMOR_ACTION_JUMPJET):
            if tremor(s, t, ctx, e.me, f.p, KIND_ACTION):
                return RUN
    s.amount = <int16_t>end
    return pop(s)


# ---------------------------------------------------------------------------------------------------------- swap
cdef void offer_place_to(const State *s, const Tables *t, const Frame *f, uint64_t *mask) noexcept nogil:
    """PLACE_TO."""
    cdef const Step *step = &t.steps[f.a]
    cdef Env e
    if f.proc == PR_SWAP:
        frame_env(s, t, f, &e)
        offer_spaces(mask, swap_spaces(s, t, step, &e))
        return
    units_env(s, t, f, &e)
    offer_spaces(mask, place_ends(s, t, &e, step, owner_of(f), unit_type(f), unit_space(f)))


cdef void trade_places(State *s, const Tables *t, Ctx *ctx, int me, int here, int q, int there) noexcept nogil:
    """All Units of ``me`` here and of ``q`` there change places at once; in a Combat the one who comes takes
    over the side of the one who leaves, in a resolution too.
    """
    cdef uint8_t mine = squad_of(s, me, here)
    cdef uint8_t theirs = squad_of(s, q, there)
    cdef uint8_t third = 0
    cdef int enemy = owner_at(s, t, here, me)
    cdef int attacker, type, i
    cdef Frame *f
    cdef u128 bit = bit128(here)
    if unlikely(s.dooms):
        spare_squad(s, me, here, mine)
        spare_squad(s, q, there, theirs)
    if enemy >= 0:
        attacker = attacker_at(s, t, here)
        if attacker == me:
            attacker = q
        third = squad_of(s, enemy, here)
    s.seat[me].occupied = (s.seat[me].occupied & ~bit) | bit128(there)
    s.seat[q].occupied = (s.seat[q].occupied & ~bit128(there)) | bit
    s.squad[there] = mine
    if enemy < 0:
        s.squad[here] = theirs
    else:
        set_squad(s, 0, here, theirs if q < enemy else third)
        set_squad(s, 1, here, third if q < enemy else theirs)
        s.attacker_high &= ~bit
        if attacker == (enemy if enemy > q else q):
            s.attacker_high |= bit
    refresh_space(s, t, here)
    refresh_space(s, t, there)
    for i in range(s.mark_count):
        if mark_type(s, i) != UT_SHIP:
            if s.mark_owner == me and mark_space(s, i) == here:
                place_mark(s, i, there)
            elif s.mark_owner == q and mark_space(s, i) == there:
                place_mark(s, i, here)
    f = lone_attack(s)
    if f != NULL and f.p == me and f.c & 127 == here:
        f.c = <int16_t>((f.c & ~127) | there)
    elif f != NULL and f.p == q and f.c & 127 == there:
        f.c = <int16_t>((f.c & ~127) | here)
    for type in range(5):
        for i in range(squad_count(mine, type)):
            emit(ctx, EV_MOVE, me, type, here, there)
        for i in range(squad_count(theirs, type)):
            emit(ctx, EV_MOVE, q, type, there, here)
    if s.fight == here:
        f = top(s)
        while f > &s.frames[0]:
            if f.proc == PR_COMBAT:
                if f.b == me:
                    f.b = <int16_t>q
                if f.d >= 0 and f.d & 7 == me:
                    f.d = <int8_t>((f.d & ~7) | q)
            elif f.proc == PR_STRIKE and f.a == here:
                if f.p == me:
                    f.p = <uint8_t>q
                    if f.b >> 4 & 7 == me:
                        f.b = <int16_t>((f.b & 15) | q << 4)
            elif f.proc == PR_FLIGHT and f.a == here and f.p == me:
                f.p = <uint8_t>q
            f = <Frame *>caller_of(f)


cdef int do_swap(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """`place` with swap (C42, C92). a: step, b: own space, c: the other space, d: owner there.

    Steps: 0 where to, 1 and 2 both groups rest, the lower space first.
    """
    cdef const Frame *base = base_of(s, f)
    cdef Regs *r = regs_of(base)
    cdef int me = base.p
    cdef int a, i, space, owner
    if f.step == 0:
        a = ask(s, t, ctx, DK_PLACE_TO, f.p)
        if a == PENDING:
            return WAIT
        if a == NONE:
            s.amount = 0
            s.complete = 0
            return pop(s)
        f.c = <int16_t>(a - A_SPACE)
        f.d = <int8_t>owner_at(s, t, f.c, -1)
        trade_places(s, t, ctx, me, f.b, f.d, f.c)
        r.origin = <uint8_t>f.b
        r.space = <uint8_t>f.c
        r.unit_space = r.space
        r.unit_owner = <uint8_t>me
        r.unit = squad_of(s, me, f.c)
        f.step = 1
    while f.step < 3:
        i = f.step
        f.step += 1
        # first the lower of the two spaces
        space = f.b if (f.b < f.c) == (i == 1) else f.c
        owner = f.d if space == f.b else me
        if come_to_rest(s, owner, space, squad_plain(squad_of(s, owner, space)), me, KIND_PLACE, False):
            return RUN
    s.amount = squad_size[r.unit]
    s.complete = 1
    return pop(s)


# ------------------------------------------------------------------------------------------------------ captives
cdef int recall_captives(State *s, const Tables *t, Ctx *ctx, const Step *step, const Env *e, int p) noexcept nogil:
    """`recall` with n = all out of Holding Areas; how many."""
    cdef int holder, owner, type, types, i, total = 0
    for holder in range(t.players):
        for owner in range(t.players):
            types = captives_of(s, t, step, e, p, holder, owner)
            for type in range(5):
                if types >> type & 1:
                    for i in range(captive_count(s.seat[holder].captured[owner], type)):
                        release_unit(s, ctx, holder, owner, type)
                        total += 1
    return total


cdef int captive_holders(const State *s, const Tables *t, const Frame *f) noexcept nogil:
    """Holders of Units that match, a bit each."""
    cdef int holder, players = 0
    for holder in range(t.players):
        if captive_owners(s, t, f, holder):
            players |= 1 << holder
    return players


cdef int captive_owners(const State *s, const Tables *t, const Frame *f, int holder) noexcept nogil:
    """Owners of matching Units with a holder, a bit each."""
    cdef const Step *step = &t.steps[f.a]
    cdef Env e
    cdef int owner, players = 0
    frame_env(s, t, f, &e)
    for owner in range(t.players):
        if captives_of(s, t, step, &e, f.p, holder, owner):
            players |= 1 << owner
    return players


cdef void offer_captives_of(const State *s, const Tables *t, const Frame *f, int kind, uint64_t *mask) noexcept nogil:
    """RESCUE_HOLDER, RESCUE_TYPE, STEAL_HOLDER, STEAL_CAPTIVE of `recall` and `capture`."""
    cdef const Step *step = &t.steps[f.a]
    cdef Env e
    cdef int owner, types, type
    frame_env(s, t, f, &e)
    if kind == DK_RESCUE_HOLDER or kind == DK_STEAL_HOLDER:
        if step.flags & SF_UPTO:
            offer_action(mask, A_DONE)
        offer_players(mask, captive_holders(s, t, f))
    elif kind == DK_RESCUE_TYPE:
        offer_units(mask, captives_of(s, t, step, &e, f.p, f.b & 7, f.b >> 3 & 7))
    else:
        for owner in range(t.players):
            types = captives_of(s, t, step, &e, f.p, f.b & 7, owner)
            for type in range(5):
                if types >> type & 1:
                    offer_action(mask, A_CAPTIVE + 5 * owner + type)


cdef int do_captives(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """`recall` and `capture` out of Holding Areas, one by one. a: step, b: holder | owner << 3 | type << 6,
    c: how many left | done << 8.

    Steps: 0 holder, 1 owner, 2 type, 3 the window is over.
    """
    cdef const Step *step = &t.steps[f.a]
    cdef Env e
    cdef Regs *r
    cdef int p = f.p
    cdef int a, owners, holder, owner, type
    cdef bint rescue = t.units[step.units].where == WHERE_CAPTIVE
    frame_env(s, t, f, &e)
    while True:
        if f.step == 0:
            a = NONE
            if f.c & 255:
                a = ask(s, t, ctx, DK_RESCUE_HOLDER if rescue else DK_STEAL_HOLDER, p)
                if a == PENDING:
                    return WAIT
            if a < A_PLAYER:
                break
            f.b = <int16_t>(a - A_PLAYER)
            f.step = 1
        if f.step == 1:
            owners = captive_owners(s, t, f, f.b & 7)
            if rescue:
                a = A_PLAYER + ctz64(<uint64_t>owners)
                if owners & (owners - 1):
                    a = ask(s, t, ctx, DK_UNIT_OWNER, p)
                    if a == PENDING:
                        return WAIT
                f.b = <int16_t>((f.b & 7) | (a - A_PLAYER) << 3)
            f.step = 2
        if f.step == 2:
            a = ask(s, t, ctx, DK_RESCUE_TYPE if rescue else DK_STEAL_CAPTIVE, p)
            if a == PENDING:
                return WAIT
            if rescue:
                f.b = <int16_t>((f.b & 63) | (a - A_UNIT) << 6)
            else:
                a -= A_CAPTIVE
                f.b = <int16_t>((f.b & 7) | (a // 5) << 3 | (a % 5) << 6)
            f.c -= 1
            f.step = 3
            s.verdict = 0
            if step.verb == VERB_CAPTURE and f.b & 7 != e.me and watched(s, TRIGGER_ROBBED):
                if open_event(s, t, TRIGGER_ROBBED, e.me, f.b & 7, KIND_CAPTIVE, NOWHERE, 1):
                    return RUN
        f.step = 0
        holder = f.b & 7
        owner = f.b >> 3 & 7
        type = f.b >> 6 & 7
        if s.verdict & WD_CANCELLED or not captive_count(s.seat[holder].captured[owner], type):
            continue
        f.c += 256
        if step.verb == VERB_CAPTURE:
            pass_captive(s, ctx, holder, p, owner, type)
        else:
            release_unit(s, ctx, holder, owner, type)
    r = regs_of(base_of(s, f))
    s.amount = f.c >> 8
    s.complete = f.c & 255 == 0
    if s.amount:
        r.unit = 0
    return pop(s)


# -------------------------------------------------------------------------------------------------------- deploy
cdef bint begin_deploy(State *s, const Tables *t, int index, const Step *step, int p, int n) noexcept nogil:
    """The verb `deploy` (C75)."""
    cdef int budget = step_budget(s, t, step, p)
    cdef Work *w
    if budget == NO_BUDGET and step.value < 0 and not step.special:
        if n == 0:
            return False
        if n == 1:
            start_deploy(s, p, 1, DEPLOY_LONE, step.types, index)
            (<Work *>(top(s) - 1)).wanted = 1
            return True
        start_recruit(s, p, NO_BUDGET, min_int(n, 31), step.types, index)
    else:
        start_recruit(s, p, budget, 0, step.types, index)
        n = 0
    w = <Work *>(top(s) - 1)
    w.wanted = <uint8_t>n
    if step.flags & SF_UPTO:
        top(s).d |= RECRUIT_DONE
    return True
