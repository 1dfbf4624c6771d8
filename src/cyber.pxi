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
    cdef int type, units
    for type in range(5):
        units = squad_count(s.squad[space], type)
        if units and p == s.mark_owner:
            units -= marked_units(s, space, type, MARK_TRIED)
        if units > 0:
            types |= 1 << type
    return types


cdef u128 cyber_range(const State *s, const Tables *t, int p, int target, int steps) noexcept nogil:
    """Spaces from which a Ship can be attacked; one step is what is adjacent to it."""
    cdef u128 spaces
    if steps == 1:
        return t.map.near[s.seat[target].ship]
    spaces = widened(t, bit128(s.seat[target].ship), steps, tunl_of(s, t, p))
    return spaces & ~bit128(s.seat[target].ship)


cdef inline int cyber_steps(const State *s, const Tables *t, int p, int step) noexcept nogil:
    """The range of a Cyber Attack: of a step of a program, or (-1) of the game's own."""
    return (t.steps[step].value if step >= 0 else 1) + reach_of(s, t, p, REACH_ACTION_CYBER)


cdef u128 cyber_spaces(const State *s, const Tables *t, int p, int step) noexcept nogil:
    """Spaces with an Unlocked Unit that can attempt a Cyber Attack."""
    cdef int opponents
    cdef u128 near = 0
    cdef u128 rest
    cdef int seat, steps
    if denied(s, t, p, DENIAL_CYBER):
        return 0
    opponents = cyber_opponents(s, t, p)
    if not opponents:
        return 0
    steps = cyber_steps(s, t, p, step)
    for seat in range(t.players):
        if opponents >> seat & 1:
            near |= cyber_range(s, t, p, seat, steps)
    near &= unlocked(s, p)
    rest = near
    while any128(rest):
        if not untried_types(s, t, p, first128(rest)):
            near &= ~bit128(first128(rest))
        rest = rest128(rest)
    return near


cdef int cyber_targets(const State *s, const Tables *t, int p, int space, int step) noexcept nogil:
    """Opponents whose Ship is within range of the space, with a Blueprint at stake."""
    cdef int players = cyber_opponents(s, t, p)
    cdef int seat
    cdef int steps = cyber_steps(s, t, p, step)
    for seat in range(t.players):
        if players >> seat & 1 and not has128(cyber_range(s, t, p, seat, steps), space):
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


cdef void roll_cyber(State *s, const Tables *t, Ctx *ctx, int p, int target, int type, int step) noexcept nogil:
    """The dice of a Cyber Attack (X1.4): the Unit's, with those of the step and of effects in its colour (C82)."""
    cdef int red = t.squad_red[unit_step[type]]
    cdef int yellow = t.squad_yellow[unit_step[type]]
    cdef int more = cyber_bonus(s, t, p, target) + (t.steps[step].extra if step >= 0 else 0)
    if red:
        red += more
        if red < 0:
            red = 0
        if red + yellow == 0:
            red = 1
    else:
        yellow += more
        if yellow < 1:
            yellow = 1
    roll_pool(s, t, ctx, red, yellow)


cdef inline void start_cyber(State *s, int p, int count, int step) noexcept nogil:
    """So many attempts as the next thing; ``step``: of a program, -1: N4.1, -2: of a card, so that they may be
    left.
    """
    push(s, PR_CYBER, p, count | count << 5, step, 0, 0)


cdef int do_cyber(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Attempts by different Units. a: attempts left | all of them << 5 | successes << 10, b: step or -1, c: space |
    type << 7 (while it is answered as `lone_attack` has it), d: target.

    Steps: 0 to 2 Unit and target, 3 the roll is told, 4 modifiers, 5 success or not, 6 it is told.
    """
    cdef int p = f.p
    cdef int a, modules
    cdef int entry = -1
    cdef bint alone, failed
    cdef int space = f.c & 127
    cdef int type = f.c >> 7
    while True:
        if f.step == 0:
            a = NONE
            if f.a & 31:
                a = ask(s, t, ctx, DK_CYBER_SPACE, p)
                if a == PENDING:
                    return WAIT
            if a == NONE or a == A_DONE:
                break
            f.c = <int16_t>(a - A_SPACE)
            space = f.c
            f.step = 1
        if f.step == 1:
            a = ask(s, t, ctx, DK_CYBER_TYPE, p)
            if a == PENDING:
                return WAIT
            f.c = <int16_t>(space | (a - A_UNIT) << 7)
            type = a - A_UNIT
            f.step = 2
        if f.step == 2:
            a = ask(s, t, ctx, DK_CYBER_TARGET, p)
            if a == PENDING:
                return WAIT
            f.a -= 1
            alone = s.mark_count and s.mark_owner != p
            if not alone:
                entry = pick_marked(s, p, space, type)
                if entry < 0:
                    entry = add_mark(s, p, space, type, 0)
                add_marks(s, entry, MARK_TRIED)
            f.d = <int8_t>(a - A_PLAYER)
            f.step = 3
            roll_cyber(s, t, ctx, p, f.d, type, f.b)
            if watched(s, TRIGGER_CYBER_ROLLED):
                f.step = 4
                s.trying = TRYING_ALONE if alone else <uint8_t>(1 + entry)
                if open_event(s, t, TRIGGER_CYBER_ROLLED, p, f.d, NO_KIND, NOWHERE, 0):
                    return RUN
        if f.step == 4:  # C37: an attacker that is gone, Locked or Confused has failed
            f.step = 3
            if s.trying == TRYING_ALONE:
                failed = space == GONE or type >= CONFUSED or has128(s.combat, space)
            else:
                failed = not s.trying or not actor_ready(s, s.trying - 1)
            s.trying = 0
            if failed:
                f.step = 7
        if f.step == 3:
            f.step = 5
            start_batches(s, p, f.d)
            return RUN
        if f.step == 5:
            f.step = 7
            modules = cyber_prizes(s, t, p, f.d)
            if modules:
                a = A_MODULE + ctz64(<uint64_t>modules)
                if modules & (modules - 1):
                    f.step = 5
                    a = ask(s, t, ctx, DK_CHOOSE_BLUEPRINT, p)
                    if a == PENDING:
                        return WAIT
                    f.step = 7
                s.dice = 0
                gain_blueprint(s, ctx, p, a - A_MODULE, 0)
                f.a += 1024
                if tell_gained(s, t, p, KIND_BLUEPRINT, 1):
                    return RUN
        s.dice = 0
        f.step = 0
    strip_marks(s, MARK_TRIED)
    s.amount = f.a >> 10
    s.complete = f.a & 31 == 0
    return pop(s)


cdef void offer_cyber_space(const State *s, const Tables *t, const Frame *f, int p, uint64_t *mask) noexcept nogil:
    """CYBER_SPACE: those of a card, or `upto`, may be left."""
    if f.b == -2 or (f.b >= 0 and t.steps[f.b].flags & SF_UPTO):
        offer_action(mask, A_DONE)
    offer_spaces(mask, cyber_spaces(s, t, p, f.b))
