# Recruit, Deploy, Field Promote, Upgrade, Motivate and Startup (chapters R and A6; protocol sections 6 and 8).

cdef enum:
    UPGRADE_STANDARD = 0   # in Deploy Locations
    UPGRADE_DROPSHIP = 1   # elsewhere
    UPGRADE_ANY = 2        # N5.3: one, Locked Troops too, price and Tremor by place
    NO_BUDGET = 9999
    RECRUIT_DONE = 32      # of a PR_RECRUIT frame: it may be left at any time,
    RECRUIT_NEW = 64       # what is Deployed is marked (A6.2)
    DEPLOY_NEW = 1024      # of a PR_DEPLOY frame
    DEPLOY_LONE = 2048     # Units one by one straight out of the Reserve


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
    if influence >= t.unlimited_influence:
        return NO_BUDGET
    if has_mod(s, p, MOD_RECRUIT_BUDGET):
        influence += mod_sum(s, t, p, MOD_RECRUIT_BUDGET)
        if influence < 0:
            influence = 0
    return influence


cdef bint recruit_possible(const State *s, const Tables *t, int p) noexcept nogil:
    """Whether a Troop in Reserve is within Influence and has a legal Deploy space (protocol section 6)."""
    cdef int budget = recruit_budget(s, t, p)
    cdef int type
    for type in range(3):
        if s.seat[p].reserve[type] and t.influence_cost[type] <= budget:
            if can_deploy(s, t, p, type):
                return True
    return False


cdef int recruit_types(const State *s, const Tables *t, const Frame *f, int p) noexcept nogil:
    """Types that may be added to those chosen: in Reserve, within the budget, lists ascending."""
    cdef int types = reserve_types(s, t, p, f.d & 31)
    cdef int type
    for type in range(5):
        if type < f.b >> 10 or (f.a != NO_BUDGET and t.influence_cost[type] > f.a):
            types &= ~(1 << type)
    return types


cdef int do_recruit(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Choose Units, then Deploy them (R1.4). a: budget, b: how many at most (0: no limit) | chosen << 5 | lowest type
    << 10, c: chosen, packed like captives, d: types | RECRUIT_ flags; beneath: Work, x and y
    the step or -1.
    """
    cdef int p = f.p
    cdef Work *w = <Work *>(f - 1)
    cdef int a, type
    while f.b & 31 == 0 or f.b >> 5 & 31 < f.b & 31:
        a = ask(s, t, ctx, DK_RECRUIT_TYPE, p)
        if a == PENDING:
            return WAIT
        if a == NONE or a == A_DONE:
            break
        type = a - A_UNIT
        s.seat[p].reserve[type] -= 1
        f.c += <int16_t>captive_step(type)
        f.b = <int16_t>((f.b & 31) | (min_int((f.b >> 5 & 31) + 1, 31)) << 5 | type << 10)
        if f.a != NO_BUDGET:
            f.a -= t.influence_cost[type]
    # the Deploy loop goes on in the same place
    f.proc = PR_DEPLOY
    f.step = 0
    f.a = f.c
    f.b = <int16_t>(w.x | w.y << 8)
    f.c = DEPLOY_NEW if f.d & RECRUIT_NEW else 0
    f.d = 0
    return RUN


# ----------------------------------------------------------------------------------------------------- Deploy
cdef u128 deploy_board(const State *s, const Tables *t, const Frame *f, int p, int type) noexcept nogil:
    """Where a Unit of the type may be Deployed: in Deploy Locations, or where the step at hand says."""
    cdef Env e
    if f.b < 0 or t.steps[f.b].space < 0:
        return deploy_spaces(s, t, p, type)
    frame_env(s, t, f, &e)
    return space_board(s, t, t.steps[f.b].space, &e) & stops(s, t, p, type, True)


cdef int deploy_types(const State *s, const Tables *t, const Frame *f, int p) noexcept nogil:
    """Types left to be placed, or to be taken out of the Reserve, that have a legal space."""
    cdef int types, type
    cdef bint printed = f.b < 0 or t.steps[f.b].space < 0
    if f.c & DEPLOY_LONE:
        types = reserve_types(s, t, p, f.d)
    else:
        types = captive_types(<uint16_t>f.a)
    for type in range(5):
        if types >> type & 1:
            if not (can_deploy(s, t, p, type) if printed else any128(deploy_board(s, t, f, p, type))):
                types &= ~(1 << type)
    return types


cdef inline void start_deploy(State *s, int p, int left, int flags, int types, int step) noexcept nogil:
    """The Deploy loop over ``left`` (packed like captives, taken out of the Reserve), or with DEPLOY_LONE over so many
    Units of ``types``. ``step``: of a program, -1: none.
    """
    clear_work(<Work *>room_for(s), p)
    push(s, PR_DEPLOY, p, left, step, flags, types)


cdef inline void start_recruit(State *s, int p, int budget, int most, int flags, int step) noexcept nogil:
    """Choose Units of some types (bits of ``flags``) in Reserve and Deploy them."""
    cdef Work *w = <Work *>room_for(s)
    clear_work(w, p)
    w.x = <uint8_t>(step & 255)
    w.y = <uint8_t>(step >> 8 & 255)
    push(s, PR_RECRUIT, p, budget, most, 0, flags)


cdef int do_deploy(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """The Deploy loop. a: Units left, packed like captives (DEPLOY_LONE: how many), b: step or -1, c: type |
    space << 3 | DEPLOY_ flags, d: types (DEPLOY_LONE); beneath: Work.
    """
    cdef int p = f.p
    cdef Work *w = <Work *>(f - 1)
    cdef int a, type, space, cause
    cdef bint begun
    cdef Env e
    while True:
        if f.step == 0:
            if s.answered:
                a = answer_of(s)
            elif f.c & DEPLOY_LONE:
                a = ask(s, t, ctx, DK_DEPLOY_TYPE, p)
            else:
                a = ask_bits(s, ctx, DK_DEPLOY_TYPE, p, A_UNIT, deploy_types(s, t, f, p))
            if a == PENDING:
                return WAIT
            if a == NONE or a == A_DONE:
                break
            f.c = <int16_t>((f.c & (DEPLOY_NEW | DEPLOY_LONE)) | (a - A_UNIT))
            f.step = 1
        if f.step == 1:
            if s.answered:
                a = answer_of(s)
            else:
                a = ask_spaces(s, ctx, DK_DEPLOY_SPACE, p, False, deploy_board(s, t, f, p, f.c & 7))
            if a == PENDING:
                return WAIT
            space = a - A_SPACE
            type = f.c & 7
            if f.c & DEPLOY_LONE:
                s.seat[p].reserve[type] -= 1
                f.a -= 1
            else:
                f.a -= <int16_t>captive_step(type)
            begun = not has128(s.combat, space)
            deploy_unit(s, t, ctx, p, type, space)
            begun = begun and has128(s.combat, space)
            if f.c & DEPLOY_NEW:
                add_mark(s, p, space, type, MARK_NEW)
            worked_on(w, p, space, type)
            f.step = 2
            cause = p
            if f.b >= 0:
                frame_env(s, t, f, &e)
                cause = e.me
            if come_to_rest(s, p, space, unit_step[type], cause, KIND_DEPLOY, begun):
                return RUN
        f.step = 0
        if f.c & DEPLOY_LONE and f.a <= 0:
            break
    if not f.c & DEPLOY_LONE:
        for type in range(5):
            s.seat[p].reserve[type] += <uint8_t>captive_count(<uint16_t>f.a, type)
    if f.b >= 0:
        finish_work(s, f, w)
    return drop(s, 2)


# ---------------------------------------------------------------------------------------------- Field Promote
cdef u128 promote_spaces(const State *s, const Tables *t, int p, bint locked) noexcept nogil:
    """R3.1: spaces of own Troops for which another type is in Reserve; with ``locked`` those in Combats too
    (N3.3).
    """
    cdef int reserve = reserve_types(s, t, p, t.troops)
    cdef u128 spaces = 0
    cdef int type
    if denied(s, t, p, DENIAL_PROMOTE):
        return 0
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
    cdef int p = f.p
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
        if s.answered:
            a = answer_of(s)
        else:
            a = ask_bits(s, ctx, DK_PROMOTE_FROM, p, A_UNIT, promote_types(s, t, p, f.b))
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
cdef int vehicle_price(const State *s, const Tables *t, int p, int vehicle, int discount) noexcept nogil:
    """Lorium that a Vehicle costs (R4.2), what effects take off considered."""
    cdef int price = t.lorium_cost[vehicle] - discount
    if has_mod(s, p, MOD_UPGRADE_COST):
        price += part_sum(s, t, p, MOD_UPGRADE_COST, PART_VEHICLE, vehicle)
    return price if price > 0 else 0


cdef int dropship_price(const State *s, const Tables *t, int p) noexcept nogil:
    """Lorium that a Dropship costs besides (R4.3)."""
    cdef int price = t.dropship
    if has_mod(s, p, MOD_UPGRADE_COST):
        price += part_sum(s, t, p, MOD_UPGRADE_COST, PART_DROPSHIP, -1)
    return price if price > 0 else 0


cdef u128 upgrade_places(const State *s, const Tables *t, int p, int mode, int vehicle, int discount) noexcept nogil:
    """R4: spaces in which an Upgrade to that Vehicle can be paid and is of the right form; other demands are the
    caller's.
    """
    cdef u128 spaces = 0
    cdef u128 locations
    cdef int lorium, price
    if vehicle < 0 or s.seat[p].reserve[vehicle] == 0 or t.vehicle_room == 0:
        return 0
    lorium = lorium_of(&s.seat[p])
    price = vehicle_price(s, t, p, vehicle, discount)
    if lorium < price:
        return 0
    locations = deploy_locations(s, t, p)
    if mode != UPGRADE_DROPSHIP:
        spaces = locations
    if mode != UPGRADE_STANDARD and lorium >= price + dropship_price(s, t, p):
        if not denied(s, t, p, DENIAL_DROPSHIP):
            spaces |= ~locations
    return spaces


cdef u128 upgrade_spaces(const State *s, const Tables *t, int p, int mode, int type) noexcept nogil:
    """Spaces where a Troop of the type can be Upgraded by the game's own means."""
    cdef u128 spaces = upgrade_places(s, t, p, mode, t.upgrades_to[type], 0)
    if not any128(spaces):
        return 0
    if mode == UPGRADE_ANY:
        return spaces & owned_of(s, p, type) & ~(owned_of(s, p, UT_POWERMECH) | owned_of(s, p, UT_HARVESTER))
    return spaces & unlocked_of(s, p, type) & ~(s.has[UT_POWERMECH] | s.has[UT_HARVESTER])


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


cdef bint upgrade_unit(State *s, const Tables *t, Ctx *ctx, int p, int type, int space, int discount) noexcept nogil:
    """One Troop of p is Upgraded and paid for; whether it was by Dropship."""
    cdef int vehicle = t.upgrades_to[type]
    cdef bint dropship = not has128(deploy_locations(s, t, p), space)
    pay_lorium(s, ctx, p, vehicle_price(s, t, p, vehicle, discount) + (dropship_price(s, t, p) if dropship else 0))
    swap_unit(s, t, ctx, p, type, vehicle, space)
    return dropship


cdef int do_upgrade(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Standard or Dropship Upgrade, one Troop at a time (A6.5). a: UPGRADE_..., b: space."""
    cdef int p = f.p
    cdef int a
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
        dropship = upgrade_unit(s, t, ctx, p, a - A_UNIT, f.b, 0)
        if f.a == UPGRADE_ANY:
            pop(s)
        else:
            add_mark(s, p, f.b, t.upgrades_to[a - A_UNIT], MARK_NEW)
        if action_tremor(s, t, ctx, CA_DROPSHIP_UPGRADE if dropship else CA_STANDARD_UPGRADE, p):
            return RUN
        if f.a == UPGRADE_ANY:
            return RUN


# ------------------------------------------------------------------------------------------ Motivate, Startup
cdef int new_entry(const State *s, int space, int type) noexcept nogil:
    """The entry of a new Unit of the type there, Confused ones (C39) if there is no other; -1: none."""
    cdef int entry = marked_entry(s, space, type, MARK_NEW, 0)
    if entry < 0 and s.mark_confused and type <= UT_SPEAKER:
        entry = marked_entry(s, space, CONFUSED + type, MARK_NEW, 0)
    return entry


cdef u128 new_units(const State *s, const Tables *t, int types) noexcept nogil:
    """Spaces of Unlocked Units of these types placed in this resolution (A6.2, A6.4)."""
    cdef u128 spaces = listed_spaces(s, MARK_NEW, 0, types)
    cdef int entry
    if s.mark_confused:
        for entry in range(s.mark_count):
            if s.mark_confused >> entry & 1 and marks_of(s, entry) & MARK_NEW and types >> mark_type(s, entry) & 1:
                if mark_space(s, entry) != GONE:
                    spaces |= bit128(mark_space(s, entry)) & ~s.combat
    return spaces


cdef int do_choose_new(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Choose one of the new Units and Activate it. a: types, b: space."""
    cdef int p = f.p
    cdef int a
    if f.step == 0:
        a = ask(s, t, ctx, DK_ACT_SPACE, p)
        if a == PENDING:
            return WAIT
        if a == NONE or a == A_DONE:
            return pop(s)
        f.b = <int16_t>(a - A_SPACE)
        f.step = 1
    if f.step == 1:
        a = ask(s, t, ctx, DK_ACT_TYPE, p)
        if a == PENDING:
            return WAIT
        recover(s, t, ctx, p, a - A_UNIT)
        s.actor = <int8_t>marked_entry(s, f.b, a - A_UNIT, MARK_NEW, 0)
        add_marks(s, s.actor, MARK_ACTED)
        f.step = 2
        start_gathering(s)
        push(s, PR_ACTIVATE, p, 0, card_of_unit(t, a - A_UNIT), s.actor, 0)
        return RUN
    pop(s)
    end_gathering(s, p)
    return RUN


cdef inline int card_of_unit(const Tables *t, int type) noexcept nogil:
    """The Unit card of a type."""
    cdef int card
    for card in range(N_CC):
        if t.command_unit[card] == type:
            return card
    return -1


cdef int do_activate(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Activate one Unit (T8.1). a: next Section, b: its card, c: its entry among the marks, d: an action goes on."""
    cdef int p = f.p
    cdef int a
    s.programs -= f.d
    f.d = 0
    while f.b >= 0 and f.a < t.section_count[f.b]:
        if not actor_ready(s, f.c):
            break
        s.actor = <int8_t>f.c
        a = ask(s, t, ctx, DK_ACT_ACTION, p)
        if a == PENDING:
            return WAIT
        f.a += 1
        if a >= A_ACTION and start_action(s, t, ctx, p, a - A_ACTION, False):
            f.d = 1
            s.programs += 1
            return RUN
    return pop(s)
