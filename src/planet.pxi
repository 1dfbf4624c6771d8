# Tiles, Habitats, Influence (chapters P2 and I) and what happens to a space that a Ship enters (U5).

cdef inline u128 feature_set(const State *s, int feature) noexcept nogil:
    """Spaces whose Feature is the given one; with a constant it is a few operations on the bit planes."""
    return ((s.feature[0] if feature & 1 else ~s.feature[0])
            & (s.feature[1] if feature & 2 else ~s.feature[1])
            & (s.feature[2] if feature & 4 else ~s.feature[2])
            & (s.feature[3] if feature & 8 else ~s.feature[3]))


cdef inline u128 tiles_left(const State *s) noexcept nogil:
    """Spaces that still have a tile."""
    return s.feature[0] | s.feature[1] | s.feature[2] | s.feature[3]


cdef inline int feature_at(const State *s, int space) noexcept nogil:
    """The Feature of one space."""
    return (has128(s.feature[0], space) | has128(s.feature[1], space) << 1
            | has128(s.feature[2], space) << 2 | has128(s.feature[3], space) << 3)


cdef inline void set_feature(State *s, const Tables *t, int space, int feature) noexcept nogil:
    """Change the Feature of a space, and with it whether the space is impassable (P2.2)."""
    cdef u128 bit = bit128(space)
    cdef int plane
    for plane in range(4):
        s.feature[plane] = (s.feature[plane] | bit) if feature >> plane & 1 else (s.feature[plane] & ~bit)
    if feature == FT_MOUNTAIN or feature == FT_LAKE or (feature == FT_NONE and any128(t.abyss & bit)):
        s.open &= ~bit
    else:
        s.open |= bit


cdef inline u128 habitats(const State *s) noexcept nogil:
    """Spaces with a Habitat."""
    return (feature_set(s, FT_CAMP) | feature_set(s, FT_OUTPOST) | feature_set(s, FT_SETTLEMENT)
            | feature_set(s, FT_COLONY_CITY))


cdef u128 habitats_worth(const State *s, const Tables *t, int value) noexcept nogil:
    """Spaces with a Habitat of exactly that value."""
    cdef u128 spaces = 0
    cdef int feature
    for feature in range(N_FT):
        if t.habitat_value[feature] == value:
            spaces |= feature_set(s, feature)
    return spaces & habitats(s)


cdef inline u128 controlled_by_others(const State *s, const Tables *t, int player) noexcept nogil:
    """Spaces of Habitats with another player's Flag."""
    cdef u128 spaces = 0
    cdef int seat
    for seat in range(t.players):
        if seat != player:
            spaces |= s.seat[seat].control
    return spaces


cdef inline u128 devastated(const State *s, const Tables *t) noexcept nogil:
    """Spaces without a tile whose bottom layer is Devastated."""
    return ~(tiles_left(s) | t.abyss) & make128(0xFFFFFFFFFFFFFFFF, 0x7FFFFFFFFFFFFFFF)


cdef inline int influence_of(const State *s, const Tables *t, int player) noexcept nogil:
    """I1.1: Starting Influence and the values of the Habitats controlled."""
    cdef u128 control = s.seat[player].control
    cdef int influence = s.seat[player].influence
    if any128(control):
        influence += t.habitat_value[FT_CAMP] * count128(control & feature_set(s, FT_CAMP))
        influence += t.habitat_value[FT_OUTPOST] * count128(control & feature_set(s, FT_OUTPOST))
        influence += t.habitat_value[FT_SETTLEMENT] * count128(control & feature_set(s, FT_SETTLEMENT))
        influence += t.habitat_value[FT_COLONY_CITY] * count128(control & feature_set(s, FT_COLONY_CITY))
    return influence


cdef int controller_of(const State *s, const Tables *t, int space) noexcept nogil:
    """Who controls the Habitat of a space; -1: nobody."""
    cdef int seat
    for seat in range(t.players):
        if has128(s.seat[seat].control, space):
            return seat
    return -1


cdef void set_control(State *s, const Tables *t, Ctx *ctx, int space, int player) noexcept nogil:
    """The Habitat of a space gets another controller, -1 for none (I3.2)."""
    cdef int old = controller_of(s, t, space)
    if old == player:
        return
    if old >= 0:
        s.seat[old].control &= ~bit128(space)
    if player >= 0:
        s.seat[player].control |= bit128(space)
    emit(ctx, EV_INFLUENCE_CONTROL, player, space, old, 0)


cdef void remove_token(State *s, Ctx *ctx, int space, int collector) noexcept nogil:
    """A Relic Token returns to the supply (RUL-S10)."""
    s.tokens &= ~bit128(space)
    s.token_supply += 1
    emit(ctx, EV_RELIC_TOKEN, collector, space, -1, 0)


cdef void enter_ship(State *s, const Tables *t, Ctx *ctx, int player, int space) noexcept nogil:
    """U5.3: a Ship comes to a space. Units, Habitat, Relic Token and the feature there are destroyed."""
    destroy_squads(s, t, ctx, space)
    set_control(s, t, ctx, space, -1)
    if feature_at(s, space) != FT_NONE:
        set_feature(s, t, space, FT_PLAIN)
    if has128(s.tokens, space):
        remove_token(s, ctx, space, -1)
    s.ships |= bit128(space)
    s.seat[player].ship = <int8_t>space


cdef void move_ship(State *s, const Tables *t, Ctx *ctx, int player, int end) noexcept nogil:
    """A Ship goes to another space (or stays) with its marks."""
    cdef int origin = s.seat[player].ship
    cdef int entry
    if origin != end:
        entry = pick_marked(s, player, origin, UT_SHIP)
        if entry >= 0:
            s.mark_space[entry] = <uint8_t>end
        s.ships &= ~bit128(origin)
        enter_ship(s, t, ctx, player, end)
    emit(ctx, EV_MOVE, player, UT_SHIP, origin, end)


cdef u128 ship_ends(const State *s, const Tables *t, int origin, bint must) noexcept nogil:
    """Adjacent spaces a Ship may enter (M4.1), outside a Collapse at hand; if it must move and there is none,
    the nearest (M4.4).
    """
    cdef u128 legal = s.open & ~s.ships
    cdef u128 seen = bit128(origin)
    cdef u128 frontier = seen
    if s.quake:
        legal &= ~s.area
    while any128(frontier):
        frontier = neighbours_of(t.map.near, frontier) & ~seen
        if any128(frontier & legal) or not must:
            return frontier & legal
        seen |= frontier
    return 0
