# Modules, Recall, Blueprints for Captured Units (chapter B, protocol section 12).

cdef enum:
    ALL_MODULES = 63


cdef int payable_modules(const State *s, const Tables *t, int p, bint manual) noexcept nogil:
    """Modules p can construct now (B5.1), a bit each; Manually the Influence cost must be within reach too
    (B4.3).
    """
    cdef const Seat *seat = &s.seat[p]
    cdef int modules = seat.blueprints & ~seat.modules
    cdef int module
    cdef int influence = -1
    cdef int lorium = lorium_of(seat)
    for module in range(6):
        if not modules >> module & 1:
            continue
        if t.module_lorium[module] > lorium:
            modules &= ~(1 << module)
        elif manual:
            if influence < 0:
                influence = troop_influence(s, t, p)
            if t.module_influence[module] > influence:
                modules &= ~(1 << module)
    return modules


cdef int unlocked_units(const State *s, int p, int type) noexcept nogil:
    """Unlocked Troops or Vehicles of a type on the planet."""
    cdef u128 spaces = unlocked_of(s, p, type)
    cdef int units = 0
    while any128(spaces):
        units += squad_count(s.squad[0][first128(spaces)], type)
        spaces = rest128(spaces)
    return units


cdef int troop_influence(const State *s, const Tables *t, int p) noexcept nogil:
    """Total Cost of the Unlocked Troops."""
    cdef int total = 0
    cdef int type
    for type in range(3):
        total += t.influence_cost[type] * unlocked_units(s, p, type)
    return total


cdef inline void build_module(State *s, Ctx *ctx, int p, int module, bint robotic) noexcept nogil:
    """B5.4: the Module is constructed for good and its cell closed."""
    s.seat[p].modules |= <uint8_t>(1 << module)
    ctx.stats.modules += 1
    emit(ctx, EV_MODULE, p, module, robotic, 0)


cdef int do_robotic(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Robotic Construction (B5.3)."""
    cdef int p = s.active
    cdef int a
    while True:
        a = ask(s, t, ctx, DK_CONSTRUCT, p)
        if a == PENDING:
            return WAIT
        if a == A_DONE:
            return pop(s)
        pay_lorium(s, ctx, p, t.module_lorium[a - A_MODULE])
        build_module(s, ctx, p, a - A_MODULE, True)


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
    """Types of which one more can be Recalled so that the total is still met exactly (f.c is missing)."""
    cdef int counts[3]
    cdef int types = 0
    cdef int type, i
    for type in range(3):
        counts[type] = unlocked_units(s, p, type)
    for i in range(s.list_count):
        counts[s.list_b[i]] -= 1
    for type in range(3):
        if counts[type] and t.influence_cost[type] <= f.c:
            counts[type] -= 1
            if exact_total(t, counts, f.c - t.influence_cost[type]):
                types |= 1 << type
            counts[type] += 1
    return types


cdef int recall_types(const State *s, const Tables *t, const Frame *f, int p, int space) noexcept nogil:
    """Those of the fitting types that still stand, unchosen, in the space."""
    cdef int types = recall_choices(s, t, f, p)
    cdef int type, i, units
    for type in range(3):
        units = squad_count(s.squad[0][space], type)
        for i in range(s.list_count):
            units -= s.list_a[i] == space and s.list_b[i] == type
        if units <= 0:
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


cdef int do_construct(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Manually Construct one Module (N0.4, B5.2). a: Module, b: space, c: Cost still to be Recalled."""
    cdef int p = s.active
    cdef int a, i
    if f.step == 0:
        a = ask(s, t, ctx, DK_CONSTRUCT, p)
        if a == PENDING:
            return WAIT
        if a == NONE:
            return pop(s)
        f.a = <int16_t>(a - A_MODULE)
        f.c = <int16_t>least_total(s, t, p, t.module_influence[f.a])
        s.list_count = 0
        f.step = 1
    while f.c > 0:
        if f.step == 1:
            a = ask(s, t, ctx, DK_RECALL_SPACE, p)
            if a == PENDING:
                return WAIT
            f.b = <int16_t>(a - A_SPACE)
            f.step = 2
        a = ask(s, t, ctx, DK_RECALL_TYPE, p)
        if a == PENDING:
            return WAIT
        a -= A_UNIT
        s.list_a[s.list_count] = <uint8_t>f.b
        s.list_b[s.list_count] = <uint8_t>a
        s.list_count += 1
        f.c -= t.influence_cost[a]
        f.step = 1
    for i in range(s.list_count):
        destroy_unit(s, t, ctx, p, s.list_b[i], s.list_a[i], 1)
    s.list_count = 0
    pay_lorium(s, ctx, p, t.module_lorium[f.a])
    build_module(s, ctx, p, f.a, False)
    return pop(s)


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


cdef int ransom_players(const State *s, const Tables *t, int p) noexcept nogil:
    """Opponents, a bit each, with whom an exchange B3.2 can be made."""
    cdef int players = 0
    cdef int owner
    cdef int packed
    for owner in range(t.players):
        packed = s.seat[p].captured[owner]
        if packed and owner != p and obtainable(s, t, p, owner):
            if troops_held(packed) >= t.blueprint_troops or vehicles_held(packed) >= t.blueprint_vehicles:
                players |= 1 << owner
    return players


cdef int ransom_types(const State *s, const Tables *t, const Frame *f, int p) noexcept nogil:
    """Types that can be returned next: of a class of which enough are held, then of the class chosen (f.c).
    """
    cdef int packed = s.seat[p].captured[f.b]
    cdef int types = f.c
    cdef int type, i, units
    if not types:
        if troops_held(packed) >= t.blueprint_troops:
            types |= t.troops
        if vehicles_held(packed) >= t.blueprint_vehicles:
            types |= t.vehicles
    for type in range(5):
        units = captive_count(packed, type)
        for i in range(f.d):
            units -= s.list_b[i] == type
        if units <= 0:
            types &= ~(1 << type)
    return types


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
    else:
        modules = obtainable(s, t, p, f.b)
    offer_modules(mask, modules)


cdef void gain_blueprint(State *s, Ctx *ctx, int p, int module, bint exchange) noexcept nogil:
    """B3.4: the own token flips."""
    s.seat[p].blueprints |= <uint8_t>(1 << module)
    if exchange:
        ctx.stats.blueprints_exchange += 1
    else:
        ctx.stats.blueprints_cyber += 1
    emit(ctx, EV_BLUEPRINT, p, module, exchange, 0)


cdef int do_ransom(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Exchanges B3.2. a: any number (A9.4), else one (N0.3); b: owner, c: types of the class chosen, d: Units
    chosen.
    """
    cdef int p = s.active
    cdef int a, i, needed
    while True:
        if f.step == 0:
            a = ask(s, t, ctx, DK_RANSOM_PLAYER, p)
            if a == PENDING:
                return WAIT
            if a == NONE or a == A_DONE:
                return pop(s)
            f.b = <int16_t>(a - A_PLAYER)
            f.c = 0
            f.d = 0
            f.step = 1
        if f.step == 1:
            while True:
                needed = t.blueprint_vehicles if f.c == t.vehicles else t.blueprint_troops
                if f.c and f.d == needed:
                    break
                a = ask(s, t, ctx, DK_RANSOM_UNIT, p)
                if a == PENDING:
                    return WAIT
                a = (a - A_CAPTIVE) % 5
                f.c = t.troops if t.troops >> a & 1 else t.vehicles
                s.list_b[f.d] = <uint8_t>a
                f.d += 1
            f.step = 2
        if t.variant:
            a = ask(s, t, ctx, DK_CHOOSE_BLUEPRINT, p)
            if a == PENDING:
                return WAIT
            a -= A_MODULE
        else:
            a = t.colour_module[t.colour[f.b]]
        for i in range(f.d):
            release_unit(s, ctx, p, f.b, s.list_b[i])
        gain_blueprint(s, ctx, p, a, True)
        if not f.a:
            return pop(s)
        f.step = 0
