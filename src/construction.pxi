# Modules, Recall, Blueprints for Captured Units (chapter B, protocol section 12).

cdef enum:
    ALL_MODULES = 63


cdef int module_price(const State *s, const Tables *t, int p, int module, int discount) noexcept nogil:
    """Lorium that a Module costs (B1.2), what effects take off considered."""
    cdef int price = t.module_lorium[module] - discount
    if has_mod(s, p, MOD_MODULE_COST):
        price += part_sum(s, t, p, MOD_MODULE_COST, PART_LORIUM, -1)
    return price if price > 0 else 0


cdef int module_influence(const State *s, const Tables *t, int p, int module) noexcept nogil:
    """Influence that a Module costs, Manually constructed."""
    cdef int price = t.module_influence[module]
    if has_mod(s, p, MOD_MODULE_COST):
        price += part_sum(s, t, p, MOD_MODULE_COST, PART_INFLUENCE, -1)
    return price if price > 0 else 0


cdef int payable_modules(const State *s, const Tables *t, int p, int method, int discount) noexcept nogil:
    """Modules p can construct now (B5.1), a bit each; Manually the Influence cost must be within reach too
    (B4.3).
    """
    cdef const Seat *seat = &s.seat[p]
    cdef int modules = seat.blueprints & ~seat.modules
    cdef int module, rest
    cdef int influence = -1
    cdef int lorium
    if method == METHOD_FREE or modules == 0:
        return modules
    lorium = lorium_of(seat)
    if method == METHOD_ROBOTIC and denied(s, t, p, DENIAL_ROBOTIC):
        return 0
    rest = modules
    while rest:
        module = ctz64(<uint64_t>rest)
        rest &= rest - 1
        if module_price(s, t, p, module, discount) > lorium:
            modules &= ~(1 << module)
        elif method == METHOD_MANUAL:
            if influence < 0:
                influence = troop_influence(s, t, p)
            if module_influence(s, t, p, module) > influence:
                modules &= ~(1 << module)
    return modules


cdef int unlocked_units(const State *s, int p, int type) noexcept nogil:
    """Unlocked Troops or Vehicles of a type on the planet."""
    cdef u128 spaces = unlocked_of(s, p, type)
    cdef int units = 0
    while any128(spaces):
        units += squad_count(s.squad[first128(spaces)], type)
        spaces = rest128(spaces)
    return units


cdef int troop_influence(const State *s, const Tables *t, int p) noexcept nogil:
    """Total Cost of the Unlocked Troops."""
    cdef int total = 0
    cdef int type
    for type in range(3):
        total += t.influence_cost[type] * unlocked_units(s, p, type)
    return total


cdef inline void build_module(State *s, Ctx *ctx, int p, int module, int method) noexcept nogil:
    """B5.4: the Module is constructed for good and its cell closed."""
    s.seat[p].modules |= <uint8_t>(1 << module)
    ctx.stats.modules += 1
    emit(ctx, EV_MODULE, p, module, method, 0)


cdef inline void start_construct(State *s, int p, int method, int count, int step) noexcept nogil:
    """Construct so many Modules (ALL: any number) as the next thing; ``step``: of a program, -1: none."""
    push(s, PR_CONSTRUCT, p, step, method | count << 4, 0, 0)


cdef int do_construct(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Construct Modules: robotically (B5.3), Manually with Recall (N0.4, B5.2), or free. a: step or -1, b: method |
    how many left << 4, c: Module, d: built.
    """
    cdef int p = f.p
    cdef int method = f.b & 15
    cdef int discount = t.steps[f.a].extra if f.a >= 0 else 0
    cdef int a
    while True:
        if f.step == 0:
            if f.b >> 4 == 0:
                break
            a = ask(s, t, ctx, DK_CONSTRUCT, p)
            if a == PENDING:
                return WAIT
            if a == NONE or a == A_DONE:
                break
            f.c = <int16_t>(a - A_MODULE)
            f.step = 1
            if method == METHOD_MANUAL:
                a = module_influence(s, t, p, f.c)
                if a:
                    start_recall(s, t, p, a)
                    return RUN
        if f.step == 1:
            if method != METHOD_FREE:
                pay_lorium(s, ctx, p, module_price(s, t, p, f.c, discount))
            build_module(s, ctx, p, f.c, method)
            f.d += 1
            if f.b >> 4 < ALL:
                f.b -= 16
            f.step = 2
            if tell_gained(s, t, p, KIND_MODULE, 1):
                return RUN
        f.step = 0
    s.amount = f.d
    s.complete = f.b >> 4 == 0 or (f.b >> 4 == ALL and f.d > 0)
    return pop(s)


cdef void offer_construct(const State *s, const Tables *t, const Frame *f, int p, uint64_t *mask) noexcept nogil:
    """CONSTRUCT: payable Modules; any number of them, or `upto`, may be left."""
    if (f.a < 0 and f.b & 15 == METHOD_ROBOTIC) or (f.a >= 0 and t.steps[f.a].flags & SF_UPTO):
        offer_action(mask, A_DONE)
    offer_modules(mask, payable_modules(s, t, p, f.b & 15, t.steps[f.a].extra if f.a >= 0 else 0))


# ----------------------------------------------------------------------------------------------------- Recall
cdef bint exact_total(const Tables *t, const int *counts, int total) noexcept nogil:
    """Whether some of these Troops (numbers by type) have exactly that total Cost."""
    cdef int i, k, rest
    if total == 0:
        return True
    for i in range(counts[0] + 1):
        for k in range(counts[1] + 1):
            rest = total - i * t.influence_cost[0] - k * t.influence_cost[1]
            if rest == 0:
                return True
            if rest > 0 and t.influence_cost[2] and rest % t.influence_cost[2] == 0:
                if rest // t.influence_cost[2] <= counts[2]:
                    return True
    return False


cdef int least_total(const State *s, const Tables *t, int p, int cost) noexcept nogil:
    """B4.2: the smallest attainable total Cost of Unlocked Troops that is at least ``cost``."""
    cdef int counts[3]
    cdef int type
    cdef int total = cost
    for type in range(3):
        counts[type] = unlocked_units(s, p, type)
    while not exact_total(t, counts, total):
        total += 1
    return total


cdef int recall_choices(const State *s, const Tables *t, const Frame *f, int p) noexcept nogil:
    """Types of which one more can be Recalled so that the total is still met exactly (f.a is missing)."""
    cdef int counts[3]
    cdef int types = 0
    cdef int type, i
    for type in range(3):
        counts[type] = unlocked_units(s, p, type)
    for i in range(chosen_pieces(f)):
        counts[(pieces_of(f)[i] & PC_WHAT) >> 7] -= 1
    for type in range(3):
        if counts[type] and t.influence_cost[type] <= f.a:
            counts[type] -= 1
            if exact_total(t, counts, f.a - t.influence_cost[type]):
                types |= 1 << type
            counts[type] += 1
    return types


cdef int recall_types(const State *s, const Tables *t, const Frame *f, int p, int space) noexcept nogil:
    """Those of the fitting types that still stand, unchosen, in the space."""
    cdef int types = recall_choices(s, t, f, p)
    cdef int type
    for type in range(3):
        if squad_count(s.squad[space], type) <= piece_count(f, chosen_pieces(f), PC_TROOP | space | type << 7):
            types &= ~(1 << type)
    return types


cdef void offer_recall_space(const State *s, const Tables *t, const Frame *f, int p,
                             uint64_t *mask) noexcept nogil:
    """RECALL_SPACE: spaces of Unlocked Troops that fit."""
    cdef u128 spaces = unlocked(s, p)
    while any128(spaces):
        if recall_types(s, t, f, p, first128(spaces)):
            offer_action(mask, A_SPACE + first128(spaces))
        spaces = rest128(spaces)


# ------------------------------------------------------------------------------------------------- Blueprints
cdef inline int obtainable(const State *s, const Tables *t, int p, int opponent) noexcept nogil:
    """Missing Blueprints that may come from the opponent (B3.2, S5.3), a Module's bit each."""
    cdef int modules = 1 << t.colour_module[t.colour[opponent]]
    cdef int colour
    if t.variant:
        for colour in range(6):
            if not t.colours_in_play >> colour & 1:
                modules |= 1 << t.colour_module[colour]
    return modules & ~s.seat[p].blueprints


cdef int ransom_rate(const State *s, const Tables *t, int p) noexcept nogil:
    """Captured Troops that an exchange costs."""
    cdef int rate = t.blueprint_troops
    if has_mod(s, p, MOD_RANSOM_RATE):
        rate += mod_sum(s, t, p, MOD_RANSOM_RATE)
        if rate < 1:
            rate = 1
    return rate


cdef int ransom_players(const State *s, const Tables *t, int p) noexcept nogil:
    """Opponents, a bit each, with whom an exchange B3.2 can be made."""
    cdef int players = 0
    cdef int owner
    cdef int packed
    for owner in range(t.players):
        packed = s.seat[p].captured[owner]
        if packed and owner != p and obtainable(s, t, p, owner):
            if vehicles_held(packed) >= t.blueprint_vehicles or troops_held(packed) >= ransom_rate(s, t, p):
                players |= 1 << owner
    return players


cdef int ransom_types(const State *s, const Tables *t, const Frame *f, int p) noexcept nogil:
    """Types that can be returned next: of a class of which enough are held, then of the class chosen (f.c are
    the Units chosen, packed).
    """
    cdef int packed = s.seat[p].captured[f.b & 7]
    cdef int types = 0
    cdef int type
    if f.c:
        types = t.troops if troops_held(<uint16_t>f.c) else t.vehicles
    else:
        if troops_held(packed) >= ransom_rate(s, t, p):
            types |= t.troops
        if vehicles_held(packed) >= t.blueprint_vehicles:
            types |= t.vehicles
    return types & captive_types(<uint16_t>(packed - f.c))


cdef void offer_blueprints(const State *s, const Tables *t, const Frame *f, int p,
                           uint64_t *mask) noexcept nogil:
    """CHOOSE_BLUEPRINT: in set-up the colours not in play (S5.2), after an exchange or attack what it can
    bring.
    """
    cdef int modules
    cdef int colour
    if f.proc == PR_SETUP:
        modules = 0
        for colour in range(6):
            if not t.colours_in_play >> colour & 1:
                modules |= 1 << t.colour_module[colour]
        modules &= ~s.seat[p].blueprints
    elif f.proc == PR_CYBER:
        modules = cyber_prizes(s, t, p, f.d)
    elif f.proc == PR_RANSOM:
        modules = obtainable(s, t, p, f.b & 7)
    else:  # the verb `gain`
        modules = obtainable(s, t, p, f.b)
    offer_modules(mask, modules)


cdef void gain_blueprint(State *s, Ctx *ctx, int p, int module, int how) noexcept nogil:
    """B3.4: the own token flips; ``how`` as in the BLUEPRINT event."""
    s.seat[p].blueprints |= <uint8_t>(1 << module)
    if how == 0:
        ctx.stats.blueprints_cyber += 1
    elif how == 1:
        ctx.stats.blueprints_exchange += 1
    emit(ctx, EV_BLUEPRINT, p, module, how, 0)


cdef inline void start_ransom(State *s, int p, int count, int step) noexcept nogil:
    """So many exchanges B3.2 (ALL: any number) as the next thing; ``step``: of a program, -1: none."""
    push(s, PR_RANSOM, p, step, count << 3, 0, 0)


cdef int do_ransom(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Exchanges B3.2. a: step or -1, b: owner | how many left << 3, c: Units chosen, packed, d: exchanges made."""
    cdef int p = f.p
    cdef int a, i, type, needed
    if f.step >= 4:
        return gain_blueprints(s, t, ctx, f)
    while True:
        if f.step == 0:
            if f.b >> 3 == 0:
                break
            a = ask(s, t, ctx, DK_RANSOM_PLAYER, p)
            if a == PENDING:
                return WAIT
            if a == NONE or a == A_DONE:
                break
            f.b = <int16_t>((f.b & ~7) | (a - A_PLAYER))
            f.c = 0
            f.step = 1
        if f.step == 1:
            while True:
                needed = t.blueprint_vehicles if vehicles_held(<uint16_t>f.c) else ransom_rate(s, t, p)
                if f.c and troops_held(<uint16_t>f.c) + vehicles_held(<uint16_t>f.c) == needed:
                    break
                a = ask(s, t, ctx, DK_RANSOM_UNIT, p)
                if a == PENDING:
                    return WAIT
                f.c += <int16_t>captive_step((a - A_CAPTIVE) % 5)
            f.step = 2
        if f.step == 2:
            if t.variant:
                a = ask(s, t, ctx, DK_CHOOSE_BLUEPRINT, p)
                if a == PENDING:
                    return WAIT
                a -= A_MODULE
            else:
                a = t.colour_module[t.colour[f.b & 7]]
            for type in range(5):
                for i in range(captive_count(<uint16_t>f.c, type)):
                    release_unit(s, ctx, p, f.b & 7, type)
            gain_blueprint(s, ctx, p, a, 1)
            f.d += 1
            if f.b >> 3 < ALL:
                f.b -= 8
            f.step = 3
            if tell_gained(s, t, p, KIND_BLUEPRINT, 1):
                return RUN
        f.step = 0
    s.amount = f.d
    s.complete = f.b >> 3 == 0 or (f.b >> 3 == ALL and f.d > 0)
    return pop(s)


cdef int gain_blueprints(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """The verb `gain` for Blueprints, at step 4 of PR_RANSOM. b: from whom, c: how many left, d: how many were gained."""
    cdef int p = f.p
    cdef int modules, a
    while f.step == 4:
        modules = obtainable(s, t, p, f.b)
        if f.c == 0 or modules == 0:
            f.step = 5
            if f.d and tell_gained(s, t, p, KIND_BLUEPRINT, f.d):
                return RUN
            break
        a = A_MODULE + ctz64(<uint64_t>modules)
        if modules & (modules - 1):
            a = ask(s, t, ctx, DK_CHOOSE_BLUEPRINT, p)
            if a == PENDING:
                return WAIT
        gain_blueprint(s, ctx, p, a - A_MODULE, 2)
        f.c -= 1
        f.d += 1
    s.amount = f.d
    s.complete = f.c == 0
    return pop(s)


cdef void offer_ransom(const State *s, const Tables *t, const Frame *f, int p, uint64_t *mask) noexcept nogil:
    """RANSOM_PLAYER: any number of exchanges, or `upto`, may be left."""
    if (f.a < 0 and f.b >> 3 == ALL) or (f.a >= 0 and t.steps[f.a].flags & SF_UPTO):
        offer_action(mask, A_DONE)
    offer_players(mask, ransom_players(s, t, p))
