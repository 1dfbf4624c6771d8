# Recruit, Deploy, Field Promote, Upgrade, Motivate and Startup (chapters R and A6; protocol sections 6 and
# 8).

cdef enum:
    UPGRADE_STANDARD = 0   # in Deploy Locations
    UPGRADE_DROPSHIP = 1   # elsewhere
    UPGRADE_ANY = 2        # N5.3: one, Locked Troops too, price and Tremor by place
    NO_BUDGET = 9999
    DEPLOY_RESERVE = 2     # register c of PR_DEPLOY: one Troop out of the Reserve, 3 two, and so on


cdef inline int reserve_types(const State *s, const Tables *t, int p, int types) noexcept nogil:
    """Those of the types (a bit each) that p has in Reserve."""
    cdef int found = 0
    cdef int type
    for type in range(5):
        if s.seat[p].reserve[type]:
            found |= 1 << type
    return found & types


# ---------------------------------------------------------------------------------------------------- Recruit
cdef inline int recruit_budget(const State *s, const Tables *t, int p) noexcept nogil:
    """R1.1, R1.2."""
    cdef int influence = influence_of(s, t, p)
    return NO_BUDGET if influence >= t.unlimited_influence else influence


cdef bint recruit_possible(const State *s, const Tables *t, int p) noexcept nogil:
    """Whether a Troop in Reserve is within Influence and has a legal Deploy space (protocol section 6)."""
    cdef int budget = recruit_budget(s, t, p)
    cdef int type
    for type in range(3):
        if s.seat[p].reserve[type] and t.influence_cost[type] <= budget:
            if any128(deploy_spaces(s, t, p, type)):
                return True
    return False


cdef int recruit_types(const State *s, const Tables *t, const Frame *f, int p) noexcept nogil:
    """Types that may be added to the Troops Recruited: in Reserve, within the budget, lists ascending."""
    cdef int types = reserve_types(s, t, p, t.troops)
    cdef int type
    for type in range(3):
        if t.influence_cost[type] > f.a or A_UNIT + type < s.least:
            types &= ~(1 << type)
    return types


cdef int do_recruit(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Choose Troops, then Deploy them (R1.4). a: budget, b: how many at most (0: no limit), c: chosen."""
    cdef int p = s.active
    cdef int a, type
    if f.step == 0:
        memset(s.left, 0, sizeof(s.left))
        s.least = 0
        f.step = 1
    if f.step == 1:
        while f.b == 0 or f.c < f.b:
            a = ask(s, t, ctx, DK_RECRUIT_TYPE, p)
            if a == PENDING:
                return WAIT
            if a == NONE or a == A_DONE:
                break
            type = a - A_UNIT
            s.seat[p].reserve[type] -= 1
            s.left[type] += 1
            s.least = <uint8_t>a
            f.c += 1
            if f.a != NO_BUDGET:
                f.a -= t.influence_cost[type]
    # the Troops of a Recruit card may be Motivated (A6.2); those of a Bonus Action (f.b) are not marked
    a = f.b == 0
    pop(s)
    push(s, PR_DEPLOY, p, 0, a, -1)
    return RUN


# ----------------------------------------------------------------------------------------------------- Deploy
cdef int deploy_types(const State *s, const Tables *t, const Frame *f, int p) noexcept nogil:
    """Types left to be placed, or from DEPLOY_RESERVE in register c on Troops in Reserve, that have a
    legal space.
    """
    if f.c >= DEPLOY_RESERVE:
        return deployable(s, t, p, s.seat[p].reserve) & t.troops
    return deployable(s, t, p, s.left)


cdef int do_deploy(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """The deploy loop over ``left``. a: player, b: type, c: 1 mark them new, from DEPLOY_RESERVE on that many
    Troops out of the Reserve one by one, d: space.
    """
    cdef int p = f.a
    cdef int a, type
    while True:
        if f.step == 0:
            a = ask(s, t, ctx, DK_DEPLOY_TYPE, p)
            if a == PENDING:
                return WAIT
            if a == NONE:
                break
            f.b = <int16_t>(a - A_UNIT)
            f.step = 1
        if f.step == 1:
            a = ask(s, t, ctx, DK_DEPLOY_SPACE, p)
            if a == PENDING:
                return WAIT
            f.d = <int16_t>(a - A_SPACE)
            if f.c >= DEPLOY_RESERVE:
                s.seat[p].reserve[f.b] -= 1
            else:
                s.left[f.b] -= 1
            deploy_unit(s, t, ctx, p, f.b, f.d)
            if f.c == 1:
                add_mark(s, p, f.d, f.b, MARK_NEW)
            f.step = 2
        if f.step == 2:
            f.step = 3
            if has128(s.tokens, f.d):
                f.step = 2
                a = ask(s, t, ctx, DK_TAKE_TOKEN, p)
                if a == PENDING:
                    return WAIT
                f.step = 3
                if a >= A_SPACE:
                    remove_token(s, ctx, f.d, p)
                    gain_relic(s, p)
                    return RUN
        if f.c == DEPLOY_RESERVE:
            return pop(s)
        if f.c > DEPLOY_RESERVE:
            f.c -= 1
        f.step = 0
    if f.c < DEPLOY_RESERVE:
        for type in range(5):
            s.seat[p].reserve[type] += s.left[type]
            s.left[type] = 0
    return pop(s)


# ---------------------------------------------------------------------------------------------- Field Promote
cdef u128 promote_spaces(const State *s, const Tables *t, int p, bint locked) noexcept nogil:
    """R3.1: spaces of own Troops for which another type is in Reserve; with ``locked`` those in Combats too
    (N3.3).
    """
    cdef int reserve = reserve_types(s, t, p, t.troops)
    cdef u128 spaces = 0
    cdef int type
    for type in range(3):
        if reserve & ~(1 << type):
            spaces |= owned_of(s, p, type) if locked else unlocked_of(s, p, type)
    return spaces


cdef int promote_types(const State *s, const Tables *t, int p, int space) noexcept nogil:
    """Types of own Troops in the space that can be swapped."""
    cdef int reserve = reserve_types(s, t, p, t.troops)
    cdef int types = t.squad_types[squad_of(s, p, space)] & t.troops
    cdef int type
    for type in range(3):
        if not reserve & ~(1 << type):
            types &= ~(1 << type)
    return types


cdef int do_promote(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Field Promote one Troop (R3). a: Locked ones too, b: space, c: its type."""
    cdef int p = s.active
    cdef int a
    if f.step == 0:
        a = ask(s, t, ctx, DK_PROMOTE_SPACE, p)
        if a == PENDING:
            return WAIT
        if a == NONE:
            return pop(s)
        f.b = <int16_t>(a - A_SPACE)
        f.step = 1
    if f.step == 1:
        a = ask(s, t, ctx, DK_PROMOTE_FROM, p)
        if a == PENDING:
            return WAIT
        f.c = <int16_t>(a - A_UNIT)
        f.step = 2
    a = ask(s, t, ctx, DK_PROMOTE_TO, p)
    if a == PENDING:
        return WAIT
    swap_unit(s, t, ctx, p, f.c, a - A_UNIT, f.b)
    return pop(s)


# ---------------------------------------------------------------------------------------------------- Upgrade
cdef u128 upgrade_spaces(const State *s, const Tables *t, int p, int mode, int type) noexcept nogil:
    """R4: spaces where a Troop of the type can be Upgraded."""
    cdef int vehicle = t.upgrades_to[type]
    cdef u128 spaces = 0, locations, own
    cdef int lorium
    if vehicle < 0 or s.seat[p].reserve[vehicle] == 0 or t.vehicle_room == 0:
        return 0
    lorium = lorium_of(&s.seat[p])
    if lorium < t.lorium_cost[vehicle]:
        return 0
    own = owned_of(s, p, type) if mode == UPGRADE_ANY else unlocked_of(s, p, type)
    if mode == UPGRADE_ANY:
        own &= ~(owned_of(s, p, UT_POWERMECH) | owned_of(s, p, UT_HARVESTER))
    else:
        own &= ~(s.has[UT_POWERMECH] | s.has[UT_HARVESTER])
    locations = deploy_locations(s, t, p)
    if mode != UPGRADE_DROPSHIP:
        spaces = own & locations
    if mode != UPGRADE_STANDARD and lorium >= t.lorium_cost[vehicle] + t.dropship:
        spaces |= own & ~locations
    return spaces


cdef inline u128 all_upgrade_spaces(const State *s, const Tables *t, int p, int mode) noexcept nogil:
    """Spaces where some Troop can be Upgraded."""
    return (upgrade_spaces(s, t, p, mode, UT_SOLDIER) | upgrade_spaces(s, t, p, mode, UT_MINER)
            | upgrade_spaces(s, t, p, mode, UT_SPEAKER))


cdef void offer_upgrade_type(const State *s, const Tables *t, const Frame *f, int p,
                             uint64_t *mask) noexcept nogil:
    """UPGRADE_TYPE: the types that fit in the space."""
    cdef int type
    for type in range(3):
        if has128(upgrade_spaces(s, t, p, f.a, type), f.b):
            offer_action(mask, A_UNIT + type)


cdef int do_upgrade(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Standard or Dropship Upgrade, one Troop at a time (A6.5). a: UPGRADE_..., b: space."""
    cdef int p = s.active
    cdef int a, vehicle
    cdef bint dropship
    while True:
        if f.step == 0:
            a = ask(s, t, ctx, DK_UPGRADE_SPACE, p)
            if a == PENDING:
                return WAIT
            if a == NONE or a == A_DONE:
                return pop(s)
            f.b = <int16_t>(a - A_SPACE)
            f.step = 1
        a = ask(s, t, ctx, DK_UPGRADE_TYPE, p)
        if a == PENDING:
            return WAIT
        f.step = 0
        vehicle = t.upgrades_to[a - A_UNIT]
        dropship = not has128(deploy_locations(s, t, p), f.b)
        pay_lorium(s, ctx, p, t.lorium_cost[vehicle] + (t.dropship if dropship else 0))
        swap_unit(s, t, ctx, p, a - A_UNIT, vehicle, f.b)
        if f.a == UPGRADE_ANY:
            pop(s)
        else:
            add_mark(s, p, f.b, vehicle, MARK_NEW)
        if action_tremor(s, t, ctx, CA_DROPSHIP_UPGRADE if dropship else CA_STANDARD_UPGRADE, p):
            return RUN
        if f.a == UPGRADE_ANY:
            return RUN


# ------------------------------------------------------------------------------------------ Motivate, Startup
cdef inline u128 new_units(const State *s, const Tables *t, int types) noexcept nogil:
    """Spaces of Unlocked Units of these types placed in this resolution (A6.2, A6.4)."""
    return listed_spaces(s, MARK_NEW, 0, types)


cdef int do_choose_new(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Choose one of the new Units and Activate it. a: types, b: space."""
    cdef int p = s.active
    cdef int a
    cdef int types = f.a
    if f.step == 0:
        a = ask(s, t, ctx, DK_ACT_SPACE, p)
        if a == PENDING:
            return WAIT
        if a == NONE or a == A_DONE:
            return pop(s)
        f.b = <int16_t>(a - A_SPACE)
        f.step = 1
    a = ask(s, t, ctx, DK_ACT_TYPE, p)
    if a == PENDING:
        return WAIT
    s.actor = <int8_t>marked_entry(s, f.b, a - A_UNIT, MARK_NEW, 0)
    s.mark_flags[s.actor] |= MARK_ACTED
    pop(s)
    push(s, PR_ACTIVATE, 0, card_of_unit(t, a - A_UNIT), s.actor, 0)
    return RUN


cdef inline int card_of_unit(const Tables *t, int type) noexcept nogil:
    """The Unit card of a type."""
    cdef int card
    for card in range(10):
        if t.command_unit[card] == type:
            return card
    return -1


cdef int do_activate(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Activate one Unit (T8.1). a: next Section, b: its card, c: its entry among the marks."""
    cdef int p = s.active
    cdef int a
    while f.a < t.section_count[f.b]:
        if s.mark_space[f.c] == GONE or has128(s.combat, s.mark_space[f.c]):
            break
        s.actor = <int8_t>f.c
        a = ask(s, t, ctx, DK_ACT_ACTION, p)
        if a == PENDING:
            return WAIT
        f.a += 1
        if a >= A_ACTION and start_action(s, t, ctx, p, a - A_ACTION, False):
            return RUN
    return pop(s)
