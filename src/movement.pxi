# Where Units may go (chapter M, protocol section 7).

cdef inline u128 stops(const State *s, const Tables *t, int player, int type) noexcept nogil:
    """Spaces where a Troop or Vehicle of the type may stop (M2), one that comes from elsewhere."""
    cdef u128 others = others_occupied(s, t, player)
    cdef u128 spaces = ~others | (s.combat & s.seat[player].occupied)
    if t.engage >> type & 1:
        spaces |= others & ~s.combat
    return spaces & s.open & ~s.ships & ~no_room(s, t, player, type)


cdef inline u128 passable(const State *s, const Tables *t, int player) noexcept nogil:
    """Spaces a Troop or Vehicle may walk through (M2.1 to M2.5); the own Ship's space is one."""
    cdef u128 ships = s.ships
    if s.seat[player].ship >= 0:
        ships &= ~bit128(s.seat[player].ship)
    return s.open & ~others_occupied(s, t, player) & ~ships


cdef inline u128 walk_ends(const State *s, const Tables *t, int player, int type, int origin) noexcept nogil:
    """Spaces a walk within the type's Movement leads to, legal ends or not."""
    return reach(&t.map, origin, t.movement[type], passable(s, t, player), feature_set(s, FT_TUNL))


cdef inline u128 jump_ends(const Tables *t, int type, int origin) noexcept nogil:
    """Spaces within the type's Movement by sides and arrows, over anything (M5.1)."""
    return reach(&t.map, origin, t.movement[type], ~<u128>0, 0) & ~bit128(origin)


cdef u128 move_ends(const State *s, const Tables *t, int player, int type, int origin,
                    bint jump) noexcept nogil:
    """Legal ends of a Move or Jumpjet Move of a Troop or Vehicle (M1.1): staying is one."""
    cdef u128 ends = jump_ends(t, type, origin) if jump else walk_ends(s, t, player, type, origin)
    return (ends & stops(s, t, player, type)) | bit128(origin)


cdef u128 move_tokens(const State *s, const Tables *t, int player, int type, int origin, int end,
                      bint jump) noexcept nogil:
    """Relic Tokens that a Move with this end can collect (M6.2): on some walk to it, for a jump where it
    lands.
    """
    cdef u128 passing, tunl, out, back, candidates
    cdef u128 found = 0
    cdef int steps = t.movement[type]
    cdef int left
    if not any128(s.tokens):
        return 0
    if jump:
        if end == origin and steps < 2:
            return 0
        return s.tokens & bit128(end)
    passing = passable(s, t, player)
    tunl = feature_set(s, FT_TUNL)
    candidates = s.tokens & (passing | bit128(end)) & reach(&t.map, origin, steps, passing, tunl)
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
    cdef u128 tunl = feature_set(s, FT_TUNL)
    cdef u128 frontier = bit128(s.seat[player].ship)
    cdef u128 seen = 0
    while any128(frontier) and not has128(frontier, origin):
        seen |= frontier
        frontier = step_from(&t.map, frontier, tunl) & s.open & ~seen
    return seen


cdef u128 evacuation_ends(const State *s, const Tables *t, int player, int type, int origin,
                          bint jump) noexcept nogil:
    """Ends of a Move toward the Ship: its space, or a legal stop strictly nearer (A7.6, A7.7)."""
    cdef u128 ends = jump_ends(t, type, origin) if jump else walk_ends(s, t, player, type, origin)
    cdef u128 legal = stops(s, t, player, type) | bit128(s.seat[player].ship)
    return ends & legal & nearer_the_ship(s, t, player, origin) & ~bit128(origin)


cdef inline u128 around(const State *s, const Tables *t, int space) noexcept nogil:
    """Spaces adjacent for a Troop or Vehicle: side, arrow, TUNL to TUNL (P4.5); the space itself is none."""
    return step_from(&t.map, bit128(space), feature_set(s, FT_TUNL)) & ~bit128(space)


cdef u128 flee_ends(const State *s, const Tables *t, int player, int space) noexcept nogil:
    """K7.1 to K7.3: where all Units of ``player`` in the space can go together."""
    cdef uint8_t squad = squad_of(s, player, space)
    cdef u128 ends = around(s, t, space) & s.open & ~s.ships & ~others_occupied(s, t, player)
    cdef u128 own = ends & s.seat[player].occupied
    cdef int end
    while any128(own):
        end = first128(own)
        if not squads_fit(t, squad, s.squad[0][end]):
            ends &= ~bit128(end)
        own = rest128(own)
    return ends


cdef inline u128 deploy_locations(const State *s, const Tables *t, int player) noexcept nogil:
    """R2.1: spaces of Habitats controlled and spaces adjacent to the own Ship."""
    cdef u128 spaces = s.seat[player].control
    if s.seat[player].ship >= 0:
        spaces |= t.map.near[s.seat[player].ship]
    return spaces


cdef inline u128 deploy_spaces(const State *s, const Tables *t, int player, int type) noexcept nogil:
    """Where a Unit of the type may be Deployed (R2); during set-up not among enemy Units (S4.11)."""
    cdef u128 spaces = deploy_locations(s, t, player) & stops(s, t, player, type)
    if s.phase == PH_SETUP:
        spaces &= ~others_occupied(s, t, player)
    return spaces


cdef int deployable(const State *s, const Tables *t, int player, const uint8_t *counts) noexcept nogil:
    """Types, a bit each, of which ``counts`` has one and that may be Deployed somewhere."""
    cdef int types = 0
    cdef int type
    for type in range(5):
        if counts[type] and any128(deploy_spaces(s, t, player, type)):
            types |= 1 << type
    return types
