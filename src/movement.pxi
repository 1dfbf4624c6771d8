# Where Units may go (chapter M, protocol section 7).

cdef inline u128 stops(const State *s, const Tables *t, int player, int type, bint engage) noexcept nogil:
    """Spaces where a Troop or Vehicle of the type may stop (M2), one that comes from elsewhere; without
    ``engage`` it begins no Combat.
    """
    cdef u128 others = others_occupied(s, t, player)
    cdef u128 spaces = ~others | (s.combat & s.seat[player].occupied)
    if engage and engage_types(s, t, player) >> type & 1:
        spaces |= others & ~s.combat
    return spaces & s.open & ~s.ships & ~no_room(s, t, player, type)


cdef inline u128 passable(const State *s, const Tables *t, int player, int type) noexcept nogil:
    """Spaces a Troop or Vehicle may walk through (M2.1 to M2.5); the own Ship's space is one."""
    cdef u128 ships = s.ships
    cdef u128 ground = s.open
    if s.seat[player].ship >= 0:
        ships &= ~bit128(s.seat[player].ship)
    if has_mod(s, player, MOD_PASS):
        ground |= passed_features(s, t, player, type)
    return ground & ~others_occupied(s, t, player) & ~ships


cdef inline u128 walk_ends(const State *s, const Tables *t, int player, int type, int origin,
                           int steps) noexcept nogil:
    """Spaces a walk of so many steps leads to, legal ends or not."""
    return reach(&t.map, origin, steps, passable(s, t, player, type), tunl_of(s, t, player))


cdef inline u128 jump_ends(const Tables *t, int origin, int steps) noexcept nogil:
    """Spaces within so many steps by sides and arrows, over anything (M5.1)."""
    return reach(&t.map, origin, steps, ~<u128>0, 0) & ~bit128(origin)


cdef u128 move_ends(const State *s, const Tables *t, int player, int type, int origin,
                    bint jump) noexcept nogil:
    """Legal ends of a Move or Jumpjet Move of a Troop or Vehicle (M1.1): staying is one."""
    cdef int steps = movement_of(s, t, player, type, jump)
    cdef u128 ends
    if jump:
        ends = jump_ends(t, origin, steps)
    else:
        ends = walk_ends(s, t, player, type, origin, steps)
    return (ends & stops(s, t, player, type, True)) | bit128(origin)


cdef u128 move_tokens(const State *s, const Tables *t, int player, int type, int origin, int end, bint jump,
                      int steps) noexcept nogil:
    """Relic Tokens that a Move of so many steps with this end can collect (M6.2): on some walk to it, for a
    jump where it lands.
    """
    cdef u128 passing, tunl, out, back, candidates
    cdef u128 found = 0
    cdef int left
    if not any128(s.tokens):
        return 0
    if jump:
        if end == origin and steps < 2:
            return 0
        return s.tokens & bit128(end)
    passing = passable(s, t, player, type)
    tunl = tunl_of(s, t, player)
    candidates = s.tokens & (passing | bit128(end))
    if steps <= 3:  # then it lies there or next to an end of the walk: that is soon seen
        candidates &= step_from(&t.map, bit128(origin) | bit128(end), tunl) | bit128(end)
    if not any128(candidates):
        return 0
    candidates &= reach(&t.map, origin, steps, passing, tunl)
    # a token is on a walk if it can be reached in some steps and the end from there in those that are left
    back = bit128(end)
    for left in range(steps):
        if not any128(candidates):
            break
        if left:
            back = reach(&t.map, end, left, passing, tunl) & passing | bit128(end)
        out = candidates & back
        if any128(out) and left:
            out &= reach(&t.map, origin, steps - left, passing, tunl)
        found |= out
        candidates &= ~out
    return found


cdef u128 nearer_the_ship(const State *s, const Tables *t, int player, int origin) noexcept nogil:
    """A7.7, A7.10: spaces strictly nearer to the own Ship than ``origin``; if no path leads there, all that
    have one.
    """
    cdef u128 tunl = tunl_of(s, t, player)
    cdef u128 frontier
    cdef u128 seen = 0
    if s.seat[player].ship < 0:
        return 0
    frontier = bit128(s.seat[player].ship)
    while any128(frontier) and not has128(frontier, origin):
        seen |= frontier
        frontier = step_from(&t.map, frontier, tunl) & s.open & ~seen
    return seen


cdef u128 evacuation_ends(const State *s, const Tables *t, int player, int type, int origin, bint jump,
                          int steps) noexcept nogil:
    """Ends of a Move of so many steps toward the Ship: its space, or a legal stop strictly nearer (A7.6, A7.7).
    """
    cdef u128 ends, legal
    if s.seat[player].ship < 0:
        return 0
    ends = jump_ends(t, origin, steps) if jump else walk_ends(s, t, player, type, origin, steps)
    legal = stops(s, t, player, type, True) | bit128(s.seat[player].ship)
    return ends & legal & nearer_the_ship(s, t, player, origin) & ~bit128(origin)


cdef inline u128 evacuate_to(const State *s, const Tables *t, int player, int type, int origin,
                             bint jump) noexcept nogil:
    """Ends of an Evacuating Unit by walk, or by jump if it has Jumpjets (A7.8)."""
    if jump and not jumpjet_types(s, t, player) >> type & 1:
        return 0
    return evacuation_ends(s, t, player, type, origin, jump, movement_of(s, t, player, type, jump))


cdef inline u128 around(const State *s, const Tables *t, int player, int space) noexcept nogil:
    """Spaces adjacent for a player's Troop or Vehicle: side, arrow, TUNL to TUNL (P4.5); the space itself is
    none.
    """
    return step_from(&t.map, bit128(space), tunl_of(s, t, player)) & ~bit128(space)


cdef u128 flee_ends(const State *s, const Tables *t, int player, int space) noexcept nogil:
    """K7.1 to K7.3: where all Units of ``player`` in the space can go together."""
    cdef uint8_t squad = squad_plain(squad_of(s, player, space))
    cdef u128 ends = around(s, t, player, space) & s.open & ~s.ships & ~others_occupied(s, t, player)
    cdef u128 own = ends & s.seat[player].occupied
    cdef int end
    if squad == 0 or denied(s, t, player, DENIAL_FLEE):  # Confused Troops do not Flee (D7.9)
        return 0
    while any128(own):
        end = first128(own)
        if not squads_fit(t, squad, s.squad[end]):
            ends &= ~bit128(end)
        own = rest128(own)
    return ends


cdef inline u128 printed_locations(const State *s, const Tables *t, int player) noexcept nogil:
    """R2.1 without effects: spaces of Habitats controlled, spaces adjacent to the own Ship."""
    cdef u128 spaces = s.seat[player].control
    if s.seat[player].ship >= 0:
        spaces |= t.map.near[s.seat[player].ship]
    return spaces


cdef inline u128 deploy_locations(const State *s, const Tables *t, int player) noexcept nogil:
    """R2.1, with those that an effect grants."""
    cdef u128 spaces = printed_locations(s, t, player)
    if has_mod(s, player, MOD_DEPLOY_AT):
        spaces |= granted_locations(s, t, player)
    return spaces


cdef inline u128 deploy_stops(const State *s, const Tables *t, int player, int type) noexcept nogil:
    """Where a Unit of the type may stop when it is Deployed; during set-up not among enemy Units (S4.11)."""
    cdef u128 spaces = stops(s, t, player, type, True)
    if s.phase == PH_SETUP:
        spaces &= ~others_occupied(s, t, player)
    return spaces


cdef inline u128 deploy_spaces(const State *s, const Tables *t, int player, int type) noexcept nogil:
    """Where a Unit of the type may be Deployed (R2)."""
    return deploy_locations(s, t, player) & deploy_stops(s, t, player, type)


cdef inline bint can_deploy(const State *s, const Tables *t, int player, int type) noexcept nogil:
    """Whether there is such a space. What effects grant takes longer to find, and is seldom needed."""
    cdef u128 spaces = deploy_stops(s, t, player, type)
    if any128(spaces & printed_locations(s, t, player)):
        return True
    return has_mod(s, player, MOD_DEPLOY_AT) and any128(spaces & granted_locations(s, t, player))


cdef int deployable(const State *s, const Tables *t, int player, int types) noexcept nogil:
    """Those of the types (a bit each) that may be Deployed somewhere."""
    cdef int found = 0
    cdef int type
    for type in range(5):
        if types >> type & 1 and can_deploy(s, t, player, type):
            found |= 1 << type
    return found


cdef u128 steer_ends(const State *s, const Tables *t, const Env *e, const Step *step, int owner, int type,
                     int origin, bint jump) noexcept nogil:
    """Legal ends of the verb `move` for a Unit, by walk or by jump (section 4.4); Ships walk (M4)."""
    cdef Env mine
    cdef u128 ends
    cdef int steps
    cdef bint stay = not step.flags & SF_MUST and not step.special
    if type == UT_SHIP:
        if jump:
            return 0
        ends = ship_ends(s, t, origin, step.flags & SF_MUST)
    else:
        if step.word == MOVE_MODE_WALK and jump:
            return 0
        if step.word == MOVE_MODE_JUMP and not jump:
            return 0
        if jump and denied(s, t, owner, DENIAL_JUMPJET):
            return 0
        if jump and step.word == MOVE_MODE_EITHER and not jumpjet_types(s, t, owner) >> type & 1:
            return 0
        steps = step.value if step.value >= 0 else movement_of(s, t, owner, type, jump)
        if step.special:
            ends = evacuation_ends(s, t, owner, type, origin, jump, steps)
        else:
            ends = jump_ends(t, origin, steps) if jump else walk_ends(s, t, owner, type, origin, steps)
            ends &= stops(s, t, owner, type, step.flag) & ~bit128(origin)
        if not step.flag:
            ends &= ~others_occupied(s, t, owner) | s.combat
    if step.space >= 0 and any128(ends):
        mine = e[0]
        mine.moved = owner
        ends &= space_board(s, t, step.space, &mine)
    return ends | bit128(origin) if stay else ends


cdef u128 place_ends(const State *s, const Tables *t, const Env *e, const Step *step, int owner, int type,
                     int origin) noexcept nogil:
    """Legal spaces of the verb `place` for a Unit: not its own, none that is collapsing now."""
    cdef Env mine
    cdef u128 ends = stops(s, t, owner, type, step.flag) & ~bit128(origin) & ~s.area
    if not any128(ends):
        return 0
    if step.special:
        return ends & deploy_locations(s, t, owner)
    mine = e[0]
    mine.moved = owner
    return ends & space_board(s, t, step.space, &mine)
