# Cyber Attack (chapter X, protocol section 10).

cdef inline int cyber_opponents(const State *s, const Tables *t, int p) noexcept nogil:
    """Opponents, a bit each, with a Ship on the planet and a Blueprint at stake (X1.2, X1.10)."""
    cdef int players = 0
    cdef int seat
    for seat in range(t.players):
        if seat != p and s.seat[seat].ship >= 0 and obtainable(s, t, p, seat):
            players |= 1 << seat
    return players


cdef int untried_types(const State *s, const Tables *t, int p, int space) noexcept nogil:
    """Types of p's Units in a space, where they are Unlocked, of which one has not attempted a Cyber Attack.
    """
    cdef int types = 0
    cdef int type, entry, units, flags
    for type in range(5):
        units = squad_count(s.squad[0][space], type)
        if units == 0:
            continue
        for entry in range(s.mark_count):
            flags = s.mark_flags[entry] & (MARK_TYPE | MARK_TRIED)
            if s.mark_space[entry] == space and flags == type | MARK_TRIED:
                units -= 1
        if units > 0:
            types |= 1 << type
    return types


cdef u128 cyber_spaces(const State *s, const Tables *t, int p) noexcept nogil:
    """Spaces with an Unlocked Unit that can attempt a Cyber Attack."""
    cdef int opponents = cyber_opponents(s, t, p)
    cdef u128 near = 0
    cdef u128 rest
    cdef int seat
    for seat in range(t.players):
        if opponents >> seat & 1:
            near |= t.map.near[s.seat[seat].ship]
    near &= unlocked(s, p)
    rest = near
    while any128(rest):
        if not untried_types(s, t, p, first128(rest)):
            near &= ~bit128(first128(rest))
        rest = rest128(rest)
    return near


cdef int cyber_targets(const State *s, const Tables *t, int p, int space) noexcept nogil:
    """Opponents whose Ship is adjacent to the space, with a Blueprint at stake."""
    cdef int players = cyber_opponents(s, t, p)
    cdef int seat
    for seat in range(t.players):
        if players >> seat & 1 and not has128(t.map.near[s.seat[seat].ship], space):
            players &= ~(1 << seat)
    return players


cdef int cyber_prizes(const State *s, const Tables *t, int p, int target) noexcept nogil:
    """Blueprints at stake whose Target Value a die shows exactly (X1.6, X1.9)."""
    cdef int modules = obtainable(s, t, p, target)
    cdef int module, die
    cdef bint shown
    for module in range(6):
        shown = False
        for die in range(s.dice):
            shown = shown or die_value(s, die) == t.module_target[module]
        if not shown:
            modules &= ~(1 << module)
    return modules


cdef int do_cyber(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Attempts by different Units. a: attempts left, b: DONE is offered, c: space, d: type, then target."""
    cdef int p = s.active
    cdef int a, modules, entry, type
    while True:
        if f.step == 0:
            if f.a == 0:
                break
            a = ask(s, t, ctx, DK_CYBER_SPACE, p)
            if a == PENDING:
                return WAIT
            if a == NONE or a == A_DONE:
                break
            f.c = <int16_t>(a - A_SPACE)
            f.step = 1
        if f.step == 1:
            a = ask(s, t, ctx, DK_CYBER_TYPE, p)
            if a == PENDING:
                return WAIT
            f.d = <int16_t>(a - A_UNIT)
            f.step = 2
        if f.step == 2:
            a = ask(s, t, ctx, DK_CYBER_TARGET, p)
            if a == PENDING:
                return WAIT
            f.a -= 1
            entry = pick_marked(s, p, f.c, f.d)
            if entry < 0:
                entry = add_mark(s, p, f.c, f.d, 0)
            s.mark_flags[entry] |= MARK_TRIED
            type = f.d
            f.d = <int16_t>(a - A_PLAYER)
            f.step = 3
            roll_pool(s, t, ctx, t.squad_red[unit_step[type]], t.squad_yellow[unit_step[type]])
            push(s, PR_BATCHES, p, f.d, 0, 0)
            return RUN
        modules = cyber_prizes(s, t, p, f.d)
        if modules:
            a = A_MODULE + ctz64(<uint64_t>modules)
            if modules & (modules - 1):
                a = ask(s, t, ctx, DK_CHOOSE_BLUEPRINT, p)
                if a == PENDING:
                    return WAIT
            gain_blueprint(s, ctx, p, a - A_MODULE, False)
        f.step = 0
    strip_marks(s, MARK_TRIED)
    return pop(s)
