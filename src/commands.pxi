# Command Cards (chapters T4, T8, A): their Sections, the Units that act, and the Actions (protocol 5.1, 6,
# 7).

cdef inline uint32_t bit32(int i) noexcept nogil:
    return <uint32_t>1 << i


cdef int do_card(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Resolve a Command Card of the active player. a: card, b: next Section, c: with relic windows (as
    Played).
    """
    cdef int p = s.active
    cdef int unit = t.command_unit[f.a]
    cdef int section
    if f.step == 0:
        clear_marks(s)
        s.standing = 0
        if unit >= 0:
            mark_all(s, p, unit, MARK_PART)
        f.step = 1
        if f.c and open_window(s, p, -1):
            return RUN
    if f.step == 1:
        if unit >= 0 and s.mark_count == 0:
            return pop(s)
        f.step = 3
    while f.b < t.section_count[f.a]:
        if f.step == 2:  # before each further Section
            f.step = 3
            if f.c and open_window(s, p, -1):
                return RUN
        section = f.b
        f.b += 1
        f.step = 2
        if unit >= 0:
            push(s, PR_SECTION, unit, <int>t.section[f.a][section], t.section_mandatory[f.a][section], 0)
            return RUN
        if start_tactic(s, t, ctx, p, ctz64(t.section[f.a][section])):
            return RUN
    clear_marks(s)
    return pop(s)


cdef void mark_all(State *s, int p, int type, int mark) noexcept nogil:
    """Mark every Unlocked Unit of a type."""
    cdef u128 spaces = unlocked_of(s, p, type)
    cdef int space
    cdef int i
    while any128(spaces):
        space = first128(spaces)
        for i in range(1 if type == UT_SHIP else squad_count(s.squad[0][space], type)):
            add_mark(s, p, space, type, mark)
        spaces = rest128(spaces)


cdef bint start_tactic(State *s, const Tables *t, Ctx *ctx, int p, int action) noexcept nogil:
    """Begin the Action of a Tactic card's Section if it is possible; whether a procedure was started."""
    cdef int mode
    if action == CA_RECRUIT:
        if recruit_possible(s, t, p):
            push(s, PR_RECRUIT, recruit_budget(s, t, p), 0, 0, 0)
            return True
    elif action == CA_MOTIVATE:
        if any128(new_units(s, t, t.troops)):
            push(s, PR_CHOOSE_NEW, t.troops, 0, 0, 0)
            return True
    elif action == CA_STANDARD_UPGRADE or action == CA_DROPSHIP_UPGRADE:
        mode = UPGRADE_STANDARD if action == CA_STANDARD_UPGRADE else UPGRADE_DROPSHIP
        if any128(all_upgrade_spaces(s, t, p, mode)):
            push(s, PR_UPGRADE, mode, 0, 0, 0)
            return True
    elif action == CA_STARTUP:
        if any128(new_units(s, t, t.vehicles)):
            push(s, PR_CHOOSE_NEW, t.vehicles, 0, 0, 0)
            return True
    elif action == CA_BATTLE:
        push(s, PR_BATTLE, 0, 0, 0, 0)
        return True
    elif action == CA_INITIATIVE:
        if s.marker != p:
            push(s, PR_ACTION, CA_INITIATIVE, 0, 0, 0)
            return True
    elif action == CA_CYBER_ATTACK:
        if any128(cyber_spaces(s, t, p)):
            push(s, PR_CYBER, t.cyber_attempts, 1, 0, 0)
            return True
    elif action == CA_TRADE:
        if t.trading and resource_kinds(s, t, p) and trade_partners(s, t, p):
            push(s, PR_TRADE, 0, 0, 0, 0)
            return True
    elif action == CA_BLUEPRINTS:
        if ransom_players(s, t, p):
            push(s, PR_RANSOM, 1, 0, 0, 0)
            return True
    return False


# --------------------------------------------------------------------------------- which Actions are possible
cdef u128 action_spaces(const State *s, const Tables *t, int p, int action) noexcept nogil:
    """Spaces in which a Unit of ``p`` could perform the Action (N6.3)."""
    if action == CA_MINE or action == CA_HARVEST:
        return feature_set(s, FT_LORIUM)
    if action == CA_EXPLORE or action == CA_SCAVENGE:
        return feature_set(s, FT_EXPLORABLE)
    if action == CA_PERSUADE:
        return habitats(s) & ~s.seat[p].control
    if action == CA_NEUTRALIZE:
        return controlled_by_others(s, t, p)
    if action == CA_PROMOTE:
        return ~<u128>0 if any128(promote_spaces(s, t, p, 0)) else <u128>0
    if action == CA_ROBOTIC:
        return ~<u128>0 if payable_modules(s, t, p, 0) else <u128>0
    if action == CA_EVACUATE:
        return ~<u128>0 if ship_complete(s, p) and any128(unlocked(s, p)) else <u128>0
    return ~<u128>0


cdef inline int possible_actions(const State *s, const Tables *t, int p, int actions,
                                 int space) noexcept nogil:
    """Those of a Section's actions (a bit each) that a Unit in the space could perform."""
    cdef int possible = 0
    cdef int rest = actions
    cdef int action
    while rest:
        action = ctz64(<uint64_t>rest)
        rest &= rest - 1
        if has128(action_spaces(s, t, p, action), space):
            possible |= 1 << action
    return possible


cdef int possible_card_actions(const State *s, const Tables *t, int p, int card) noexcept nogil:
    """Actions on a Unit card that some Unlocked Unit of its type could perform (N6.3), a bit each."""
    cdef int unit = t.command_unit[card]
    cdef u128 spaces = unlocked_of(s, p, unit)
    cdef int possible = 0
    cdef int section, action
    cdef uint32_t rest
    if not any128(spaces):
        return 0
    for section in range(t.section_count[card]):
        rest = t.section[card][section]
        while rest:
            action = ctz64(rest)
            rest &= rest - 1
            if any128(action_spaces(s, t, p, action) & spaces):
                possible |= 1 << action
    return possible


# --------------------------------------------------------------------------------------------- Units that act
cdef u128 listed_spaces(const State *s, int wanted, int unwanted, int types) noexcept nogil:
    """Spaces of marked Units that are Unlocked, of these types, with all marks ``wanted`` and none
    ``unwanted``.
    """
    cdef u128 spaces = 0
    cdef int entry, flags
    for entry in range(s.mark_count):
        flags = s.mark_flags[entry]
        if flags & wanted == wanted and not flags & unwanted and types >> (flags & MARK_TYPE) & 1:
            if s.mark_space[entry] != GONE:
                spaces |= bit128(s.mark_space[entry])
    return spaces & ~s.combat


cdef u128 section_spaces(const State *s, const Tables *t, const Frame *f, int p) noexcept nogil:
    """Spaces with a Unit that can act in the Section of the frame."""
    cdef u128 spaces = listed_spaces(s, MARK_PART, MARK_ACTED, 1 << f.a)
    cdef u128 possible = 0
    cdef int rest = f.b
    if not any128(spaces):
        return 0
    while rest:
        possible |= action_spaces(s, t, p, ctz64(<uint64_t>rest))
        rest &= rest - 1
    return spaces & possible


cdef int do_section(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """A Section of a Unit card (T4.2, T4.3). a: type, b: actions, c: mandatory (T8.5)."""
    cdef int p = s.active
    cdef int a
    while True:
        if f.step == 0:
            a = ask(s, t, ctx, DK_ACT_SPACE, p)
            if a == PENDING:
                return WAIT
            if a == NONE or a == A_DONE:
                strip_marks(s, MARK_ACTED)
                return pop(s)
            s.actor = <int8_t>marked_entry(s, a - A_SPACE, f.a, MARK_PART, MARK_ACTED)
            s.mark_flags[s.actor] |= MARK_ACTED
            f.step = 1
        a = ask(s, t, ctx, DK_ACT_ACTION, p)
        if a == PENDING:
            return WAIT
        f.step = 0
        if start_action(s, t, ctx, p, a - A_ACTION, 0):
            return RUN


cdef void offer_act_space(const State *s, const Tables *t, const Frame *f, int p,
                          uint64_t *mask) noexcept nogil:
    """ACT_SPACE: where a Unit that may act stands."""
    if f.proc == PR_SECTION:
        if not f.c:
            offer_action(mask, A_DONE)
        offer_spaces(mask, section_spaces(s, t, f, p))
        return
    offer_action(mask, A_DONE)
    if f.proc == PR_CHOOSE_NEW:
        offer_spaces(mask, new_units(s, t, f.a))
    elif f.proc == PR_GATHER:
        offer_spaces(mask, gather_spaces(s, f.a))
    elif f.proc == PR_EVACUATE:
        offer_spaces(mask, evacuate_spaces(s, t, p))
    else:
        offer_spaces(mask, idle_spaces(s, p))


cdef void offer_act_type(const State *s, const Tables *t, const Frame *f, int p,
                         uint64_t *mask) noexcept nogil:
    """ACT_TYPE: the types that may act in the space chosen (register b)."""
    cdef int type
    cdef int types = 0
    for type in range(6):
        if f.proc == PR_CHOOSE_NEW:
            if f.a >> type & 1 and marked_entry(s, f.b, type, MARK_NEW, 0) >= 0:
                types |= 1 << type
        elif f.proc == PR_GATHER:
            if marked_entry(s, f.b, type, MARK_PART, MARK_ACTED) >= 0 and has128(gather_spaces(s, type), f.b):
                types |= 1 << type
        elif f.proc == PR_EVACUATE:
            if type != UT_SHIP and can_evacuate(s, t, p, type, f.b):
                types |= 1 << type
        elif idle_units(s, p, type, f.b):
            types |= 1 << type
    offer_units(mask, types)


cdef void offer_act_action(const State *s, const Tables *t, const Frame *f, int p,
                           uint64_t *mask) noexcept nogil:
    """ACT_ACTION: what the acting Unit can do in this Section."""
    cdef int space = s.mark_space[s.actor]
    if f.proc == PR_SECTION:
        offer_card_actions(mask, possible_actions(s, t, p, f.b, space))
        return
    if not t.section_mandatory[f.b][f.a]:
        offer_action(mask, A_DONE)
    offer_card_actions(mask, possible_actions(s, t, p, <int>t.section[f.b][f.a], space))


# ---------------------------------------------------------------------------------------------------- Actions
cdef inline bint action_tremor(State *s, const Tables *t, Ctx *ctx, int action, int p) noexcept nogil:
    """T4.7, T4.8: the Tremor of an Action performed; whether a Fracture is to be resolved now."""
    return t.tremor_actions & bit32(action) and tremor(s, t, ctx, p)


cdef bint start_action(State *s, const Tables *t, Ctx *ctx, int p, int action,
                       bint lorium_only) noexcept nogil:
    """The acting Unit performs an Action; whether a procedure was started that goes on with it."""
    cdef int space = s.mark_space[s.actor]
    if action == CA_MOVE or action == CA_JUMPJET:
        push(s, PR_MOVE, action, 0, 0, 0)
        return True
    if CA_MINE <= action <= CA_SCAVENGE:
        gain_lorium(s, ctx, p, t.yield_lorium[action])
        if not lorium_only:
            draw_cards(s, t, ctx, p, t.yield_discovery[action])
        return action_tremor(s, t, ctx, action, p)
    if action == CA_NEUTRALIZE:
        set_control(s, t, ctx, space, -1)
        return action_tremor(s, t, ctx, action, p)
    if action == CA_SHIP_MOVE or action == CA_STABILIZE:
        push(s, PR_SHIP, action, 0, 0, 0)
        return True
    push(s, PR_ACTION, action, 0, 0, 0)
    return True


cdef int do_action(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """An Action that needs other procedures, then its Tremor. a: the Action."""
    cdef int p = s.active
    cdef int action = f.a
    cdef int a
    if f.step == 0:
        f.step = 1
        if action == CA_PERSUADE:  # A1.1
            if gain_control(s, t, ctx, p, s.mark_space[s.actor]):
                return RUN
        elif action == CA_PROMOTE:
            push(s, PR_PROMOTE, 0, 0, 0, 0)
            return RUN
        elif action == CA_ROBOTIC:
            push(s, PR_ROBOTIC, 0, 0, 0, 0)
            return RUN
        elif action == CA_EVACUATE:
            push(s, PR_EVACUATE, 0, 0, 0, 0)
            return RUN
        elif action == CA_INITIATIVE:  # A9.1
            f.step = 2
    if f.step == 2:
        a = ask(s, t, ctx, DK_SECTION, p)
        if a == PENDING:
            return WAIT
        if a == A_YES:
            take_marker(s, ctx, p)
    pop(s)
    action_tremor(s, t, ctx, action, p)
    return RUN


cdef inline void take_marker(State *s, Ctx *ctx, int p) noexcept nogil:
    """T1.7: the Marker changes hands at once."""
    s.marker = <uint8_t>p
    emit(ctx, EV_MARKER, p, 0, 0, 0)


cdef void offer_move_to(const State *s, const Tables *t, const Frame *f, int p,
                        uint64_t *mask) noexcept nogil:
    """MOVE_TO: the ends of the acting Unit's Move."""
    cdef int space = s.mark_space[s.actor]
    cdef int type = s.mark_flags[s.actor] & MARK_TYPE
    if f.proc == PR_MOVE:
        offer_spaces(mask, move_ends(s, t, p, type, space, f.a == CA_JUMPJET))
    elif f.proc == PR_SHIP:
        offer_spaces(mask, ship_ends(s, t, s.seat[p].ship, f.a == CA_STABILIZE)
                     | (<u128>0 if f.a == CA_STABILIZE else bit128(s.seat[p].ship)))
    else:
        offer_spaces(mask, evacuation_ends(s, t, p, type, space, False)
                     | (evacuation_ends(s, t, p, type, space, True) if t.jumpjet >> type & 1 else <u128>0))


cdef void offer_take_token(const State *s, const Tables *t, const Frame *f, int p,
                           uint64_t *mask) noexcept nogil:
    """TAKE_TOKEN: in a Move any token that can be on the way, else the one in the space entered (register d).
    """
    cdef int space, type
    offer_action(mask, A_DONE)
    if f.proc == PR_MOVE or f.proc == PR_EVACUATE:
        space = s.mark_space[s.actor]
        type = s.mark_flags[s.actor] & MARK_TYPE
        offer_spaces(mask, move_tokens(s, t, p, type, space, f.c, f.a == CA_JUMPJET))
    else:
        offer_spaces(mask, s.tokens & bit128(f.d))


cdef int do_move(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """MOVE or JUMPJET of the acting Unit (M1, M5). a: which, c: end, d: token to collect."""
    cdef int p = s.active
    cdef int a
    cdef int action = f.a
    if f.step == 0:
        a = ask(s, t, ctx, DK_MOVE_TO, p)
        if a == PENDING:
            return WAIT
        f.c = <int16_t>(a - A_SPACE)
        f.d = -1
        f.step = 1
    if f.step == 1:
        if any128(s.tokens):
            a = ask(s, t, ctx, DK_TAKE_TOKEN, p)
            if a == PENDING:
                return WAIT
            if a >= A_SPACE:
                f.d = <int16_t>(a - A_SPACE)
        move_unit(s, t, ctx, p, s.mark_flags[s.actor] & MARK_TYPE, s.mark_space[s.actor], f.c, s.actor)
        f.step = 2
        if f.d >= 0:
            remove_token(s, ctx, f.d, p)
            gain_relic(s, p)
            return RUN
    pop(s)
    action_tremor(s, t, ctx, action, p)
    return RUN


cdef int do_ship(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """SHIP_MOVE or STABILIZE (A7.2, A7.3). a: which."""
    cdef int p = s.active
    cdef int a, left
    cdef int action = f.a
    if f.step == 0:
        a = ask(s, t, ctx, DK_MOVE_TO, p)
        if a == PENDING:
            return WAIT
        if a == NONE:  # M4.4: nowhere at all
            return pop(s)
        left = s.seat[p].ship
        move_ship(s, t, ctx, p, a - A_SPACE)
        f.step = 1
        if action == CA_STABILIZE and has128(tiles_left(s), left):
            start_collapse(s, p, bit128(left), False)
            return RUN
    pop(s)
    action_tremor(s, t, ctx, action, p)
    return RUN


# ------------------------------------------------------------------------------------- Evacuate, Move 3 Units
cdef bint can_evacuate(const State *s, const Tables *t, int p, int type, int space) noexcept nogil:
    """Whether an Unlocked Unit of the type there has not Evacuated yet and can come nearer to the Ship
    (A7.7).
    """
    if not idle_units(s, p, type, space):
        return False
    if any128(evacuation_ends(s, t, p, type, space, False)):
        return True
    return t.jumpjet >> type & 1 and any128(evacuation_ends(s, t, p, type, space, True))


cdef bint idle_units(const State *s, int p, int type, int space) noexcept nogil:
    """Whether an Unlocked Unit of the type in the space has not acted in the list at hand."""
    cdef int entry, flags
    cdef int units = 1
    if not has128(unlocked_of(s, p, type), space):
        return False
    if type != UT_SHIP:
        units = squad_count(s.squad[0][space], type)
    for entry in range(s.mark_count):
        flags = s.mark_flags[entry] & (MARK_TYPE | MARK_ACTED)
        if s.mark_space[entry] == space and flags == type | MARK_ACTED:
            units -= 1
    return units > 0


cdef u128 idle_spaces(const State *s, int p) noexcept nogil:
    """Spaces with an Unlocked Unit, Ship included, that has not acted in the list at hand."""
    cdef u128 spaces = unlocked(s, p)
    cdef u128 rest = spaces
    cdef int type
    cdef bint idle
    while any128(rest):
        idle = False
        for type in range(5):
            idle = idle or idle_units(s, p, type, first128(rest))
        if not idle:
            spaces &= ~bit128(first128(rest))
        rest = rest128(rest)
    if s.seat[p].ship >= 0 and idle_units(s, p, UT_SHIP, s.seat[p].ship):
        spaces |= bit128(s.seat[p].ship)
    return spaces


cdef u128 evacuate_spaces(const State *s, const Tables *t, int p) noexcept nogil:
    """Spaces with a Unit that can Evacuate."""
    cdef u128 spaces = 0
    cdef u128 rest = unlocked(s, p)
    cdef int type
    while any128(rest):
        for type in range(5):
            if can_evacuate(s, t, p, type, first128(rest)):
                spaces |= bit128(first128(rest))
                break
        rest = rest128(rest)
    return spaces


cdef int choose_actor(State *s, int p, int type, int space) noexcept nogil:
    """The idle Unit of the type with the fewest marks becomes the acting one, and has acted."""
    cdef int entry = pick_marked(s, p, space, type)
    if entry < 0:
        entry = add_mark(s, p, space, type, 0)
    s.mark_flags[entry] |= MARK_ACTED
    s.actor = <int8_t>entry
    return entry


cdef int do_evacuate(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """EVACUATE (A7.6). a: MOVE or JUMPJET of the Unit at hand, b: its space, c: end, d: token."""
    cdef int p = s.active
    cdef int a, type, entry
    while True:
        if f.step == 0:
            a = ask(s, t, ctx, DK_ACT_SPACE, p)
            if a == PENDING:
                return WAIT
            if a == A_DONE:
                for entry in range(s.mark_count):
                    if s.mark_flags[entry] & MARK_TYPE != UT_SHIP:
                        s.mark_flags[entry] &= <uint8_t>~MARK_ACTED
                return pop(s)
            f.b = <int16_t>(a - A_SPACE)
            f.step = 2
        if f.step == 2:
            a = ask(s, t, ctx, DK_ACT_TYPE, p)
            if a == PENDING:
                return WAIT
            choose_actor(s, p, a - A_UNIT, f.b)
            f.step = 3
        type = s.mark_flags[s.actor] & MARK_TYPE
        if f.step == 3:
            a = ask(s, t, ctx, DK_MOVE_TO, p)
            if a == PENDING:
                return WAIT
            f.c = <int16_t>(a - A_SPACE)
            f.a = CA_MOVE
            f.step = 5
            if t.jumpjet >> type & 1 and has128(evacuation_ends(s, t, p, type, f.b, True), f.c):
                f.a = CA_JUMPJET
                if has128(evacuation_ends(s, t, p, type, f.b, False), f.c):
                    f.step = 4
        if f.step == 4:
            a = ask(s, t, ctx, DK_MOVE_MODE, p)
            if a == PENDING:
                return WAIT
            f.a = <int16_t>(a - A_ACTION)
            f.step = 5
        if f.step == 5:
            f.d = -1
            if any128(s.tokens):
                a = ask(s, t, ctx, DK_TAKE_TOKEN, p)
                if a == PENDING:
                    return WAIT
                if a >= A_SPACE:
                    f.d = <int16_t>(a - A_SPACE)
            if f.c == s.seat[p].ship:
                board_ship(s, t, ctx, p, type, f.b)
            else:
                move_unit(s, t, ctx, p, type, f.b, f.c, s.actor)
            f.step = 6
            if f.d >= 0:
                remove_token(s, ctx, f.d, p)
                gain_relic(s, p)
                return RUN
        if f.step == 6:
            f.step = 0
            if action_tremor(s, t, ctx, f.a, p):
                return RUN


cdef void board_ship(State *s, const Tables *t, Ctx *ctx, int p, int type, int space) noexcept nogil:
    """An Evacuating Unit, the acting one, enters the Ship: it goes to the Reserve (A7.6)."""
    emit(ctx, EV_MOVE, p, type, space, s.seat[p].ship)
    s.mark_space[s.actor] = GONE
    drop_unit(s, t, ctx, p, type, space)
    s.seat[p].reserve[type] += 1
    emit(ctx, EV_LEAVE, p, type, s.seat[p].ship, 2)


cdef int do_move_some(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """MOVE_THREE (N3.4). a: Moves left, b: space."""
    cdef int p = s.active
    cdef int a
    if f.step == 0:
        clear_marks(s)
        f.step = 1
    while f.a > 0:
        if f.step == 1:
            a = ask(s, t, ctx, DK_ACT_SPACE, p)
            if a == PENDING:
                return WAIT
            if a == A_DONE:
                break
            f.b = <int16_t>(a - A_SPACE)
            f.step = 2
        a = ask(s, t, ctx, DK_ACT_TYPE, p)
        if a == PENDING:
            return WAIT
        choose_actor(s, p, a - A_UNIT, f.b)
        f.a -= 1
        f.step = 1
        start_action(s, t, ctx, p, CA_SHIP_MOVE if a - A_UNIT == UT_SHIP else CA_MOVE, 0)
        return RUN
    clear_marks(s)
    return pop(s)


# ---------------------------------------------------------------------------------------------------- N5.5
cdef u128 gather_spaces(const State *s, int type) noexcept nogil:
    """Spaces where a Miner or Harvester (or, with type -1, either) marked and idle can gather."""
    cdef u128 spaces = 0
    cdef u128 lorium = feature_set(s, FT_LORIUM)
    if type != UT_HARVESTER:
        spaces = listed_spaces(s, MARK_PART, MARK_ACTED, 1 << UT_MINER) & lorium
    if type != UT_MINER:
        lorium |= feature_set(s, FT_EXPLORABLE)
        spaces |= listed_spaces(s, MARK_PART, MARK_ACTED, 1 << UT_HARVESTER) & lorium
    return spaces


cdef int do_gather(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """GATHER_LORIUM (N5.5). a: -1, b: space."""
    cdef int p = s.active
    cdef int a, type, action
    if f.step == 0:
        clear_marks(s)
        mark_all(s, p, UT_MINER, MARK_PART)
        mark_all(s, p, UT_HARVESTER, MARK_PART)
        f.step = 1
    while True:
        if f.step == 1:
            a = ask(s, t, ctx, DK_ACT_SPACE, p)
            if a == PENDING:
                return WAIT
            if a == A_DONE:
                clear_marks(s)
                return pop(s)
            f.b = <int16_t>(a - A_SPACE)
            f.step = 2
        a = ask(s, t, ctx, DK_ACT_TYPE, p)
        if a == PENDING:
            return WAIT
        type = a - A_UNIT
        s.actor = <int8_t>marked_entry(s, f.b, type, MARK_PART, MARK_ACTED)
        s.mark_flags[s.actor] |= MARK_ACTED
        action = CA_MINE
        if type == UT_HARVESTER:
            action = CA_HARVEST if feature_at(s, f.b) == FT_LORIUM else CA_SCAVENGE
        f.step = 1
        if start_action(s, t, ctx, p, action, True):
            return RUN
