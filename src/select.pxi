# Selectors, counts and conditions (docs/cards.md, section 3) as operations on sets of spaces.

cdef enum:
    NOWHERE = 255          # of the registers: empty,
    AREA = 254             # $space is State.zone,
    NOBODY = 7
    NO_TERRAIN = 7
    NO_NUMBER = -32768
    SHIP_UNIT = 255        # $unit is the Ship
    EVENT_UNIT = 8         # it is that of the waiting `defeated`
    HEALTH_N = 255
    UNSET = 255            # what a pack leaves open
    NO_KIND = 63           # of an event without kinds
    NEAR_UNITS = 1
    NEAR_SPACE = 2
    ALL = 255              # a count

cdef struct Env:           # what selectors see: whose program it is, and its registers
    int me
    int moved              # owner of the Unit being moved (`foreign`), -1: none
    bint listed            # Units taken by the step at hand are left out
    bint playing           # asked by a Discovery Card that would be played (C47)
    const Frame *window    # of the event that is answered (`role`), NULL: none
    const Regs *r          # NULL: all empty


cdef inline void set_env(Env *e, int me, const Regs *r) noexcept nogil:
    e.me = me
    e.moved = -1
    e.listed = False
    e.playing = False
    e.window = NULL
    e.r = r


cdef inline u128 everywhere() noexcept nogil:
    """All spaces."""
    return make128(0xFFFFFFFFFFFFFFFF, 0x7FFFFFFFFFFFFFFF)


cdef inline void clear_regs(Regs *r) noexcept nogil:
    """All registers empty."""
    r.n = NO_NUMBER
    r.space = NOWHERE
    r.origin = NOWHERE
    r.unit_space = NOWHERE
    r.unit = 0
    r.unit_owner = NOBODY
    r.player = NOBODY
    r.terrain = NO_TERRAIN
    r.card = NOWHERE


# -------------------------------------------------------------------------------------------------- registers
cdef inline int unit_owner(const Regs *r) noexcept nogil:
    """Whose Units $unit holds."""
    return r.unit_owner & 7


cdef int unit_here(const State *s, const Regs *r, int type) noexcept nogil:
    """How many Units of a type $unit holds that are still there, Confused ones left out (V2.4, C77)."""
    cdef int held, there
    if r.unit == 0:
        return 0
    if r.unit == SHIP_UNIT:
        return type == UT_SHIP and s.seat[unit_owner(r)].ship == r.unit_space
    if type == UT_SHIP:
        return 0
    held = squad_count(r.unit, type)
    there = squad_count(squad_of(s, unit_owner(r), r.unit_space), type)
    return held if held < there else there


cdef int unit_types_here(const State *s, const Regs *r) noexcept nogil:
    """Types of which $unit holds a Unit that is still there, a bit each."""
    cdef int type
    cdef int types = 0
    for type in range(6):
        if unit_here(s, r, type):
            types |= 1 << type
    return types


cdef inline u128 register_spaces(const State *s, const Regs *r) noexcept nogil:
    """$space as a set."""
    if r.space == NOWHERE:
        return 0
    return s.zone if r.space == AREA else bit128(r.space)


cdef int lacking_some(const State *s, const Regs *r, int needs) noexcept nogil:
    """Those of the registers needed that are empty, a bit each (C22)."""
    cdef int empty = 0
    if r.player == NOBODY:
        empty |= 1 << REGISTER_PLAYER
    if needs >> REGISTER_UNIT & 1 and unit_types_here(s, r) == 0:
        empty |= 1 << REGISTER_UNIT
    if needs >> REGISTER_SPACE & 1 and not any128(register_spaces(s, r)):
        empty |= 1 << REGISTER_SPACE
    if r.origin == NOWHERE:
        empty |= 1 << REGISTER_FROM
    if r.terrain == NO_TERRAIN:
        empty |= 1 << REGISTER_TERRAIN
    if r.n == NO_NUMBER:
        empty |= 1 << REGISTER_N
    if r.card == NOWHERE:
        empty |= 1 << REGISTER_CARD
    return empty & needs


cdef inline int lacking(const State *s, const Regs *r, int needs) noexcept nogil:
    """Those of the registers needed that are empty, a bit each; few steps need any."""
    return lacking_some(s, r, needs) if needs else 0


# ----------------------------------------------------------------------------------------------------- players
cdef int owner_mask(const Tables *t, int owner, const Env *e) noexcept nogil:
    """Owners that fit an axis `owner`, a bit each; Launched players too."""
    cdef int everybody = (1 << t.players) - 1
    if owner == OWNER_SELF:
        return 1 << e.me
    if owner == OWNER_ENEMY:
        return everybody & ~(1 << e.me)
    if owner == OWNER_FOREIGN:
        return everybody & ~(1 << e.moved) if e.moved >= 0 else everybody
    if owner == OWNER_REGISTER:
        return 0 if e.r == NULL or e.r.player == NOBODY else 1 << e.r.player
    return everybody


cdef int player_mask(const State *s, const Tables *t, int who, const Env *e) noexcept nogil:
    """The players a word stands for, a bit each; Launched ones only where they are named (C15)."""
    cdef int everybody = (1 << t.players) - 1
    if who == WHO_SELF:
        return 1 << e.me
    if who == WHO_HOLDER:
        return 1 << s.marker
    if who == WHO_REGISTER:
        return 0 if e.r == NULL or e.r.player == NOBODY else 1 << e.r.player
    everybody &= ~s.launched
    if who == WHO_OPPONENT or who == WHO_EACH_OPPONENT:
        return everybody & ~(1 << e.me)
    if who == WHO_ANY_PLAYER or who == WHO_ALL:
        return everybody
    return 0


cdef inline bint chooses_one(int who) noexcept nogil:
    """Whether one of the players the word stands for is chosen."""
    return who == WHO_OPPONENT or who == WHO_ANY_PLAYER


cdef inline int seat_after(const Tables *t, int p, int k) noexcept nogil:
    """The k-th seat (at most once round) after that of ``p``, which may be one too high. Divisions are slow."""
    cdef int seat = p + k
    return seat - t.players if seat >= t.players else seat


cdef inline int first_player_of(const State *s, const Tables *t, int who, int me, int players) noexcept nogil:
    """The next of several players (V3.1): opponents clockwise after self, others from the active player."""
    cdef int start = me + 1 if who == WHO_EACH_OPPONENT else s.active
    cdef int i, p
    for i in range(t.players):
        p = seat_after(t, start, i)
        if players >> p & 1:
            return p
    return -1


# ------------------------------------------------------------------------------------------------------- Units
cdef int weak_types(const State *s, const Tables *t, const UnitSel *sel, const Env *e, int owner,
                    int space) noexcept nogil:
    """The types of one owner that have no more than the Health asked for (in a space, NOWHERE: outside Combat)."""
    cdef int types = sel.types & t.troops
    cdef int limit = sel.health
    cdef int type, side
    if limit == HEALTH_N:
        if e.r == NULL or e.r.n == NO_NUMBER:
            return 0
        limit = e.r.n
    side = side_of(s, t, owner, space) if space != NOWHERE else NO_SIDE
    for type in range(3):
        if types >> type & 1 and health_of(s, t, owner, type, 0, side) > limit:
            types &= ~(1 << type)
    return types


cdef inline int fitting_types(const State *s, const Tables *t, const UnitSel *sel, const Env *e, int owner,
                              int space) noexcept nogil:
    """The types a selector admits of one owner, in a space or (NOWHERE) outside Combat."""
    return sel.types if likely(not sel.health) else weak_types(s, t, sel, e, owner, space)


cdef int types_at(const State *s, const Tables *t, const UnitSel *sel, const Env *e, int owner,
                  int space) noexcept nogil:
    """Types of the owner's Units in the space that match (Ship too, Confused ones not), a bit each. The axes
    owner and at are the caller's.
    """
    cdef int types
    cdef bint locked = has128(s.combat, space)
    if sel.is_register:
        if e.r == NULL or owner != unit_owner(e.r) or space != e.r.unit_space:
            return 0
        return unit_types_here(s, e.r)
    if sel.state == STATE_CONFUSED:
        return 0
    types = fitting_types(s, t, sel, e, owner, space)
    if types & 1 << UT_SHIP:
        if s.seat[owner].ship == space and sel.state != STATE_LOCKED:
            return 1 << UT_SHIP
        types &= ~(1 << UT_SHIP)
    if (sel.state == STATE_UNLOCKED and locked) or (sel.state == STATE_LOCKED and not locked):
        return 0
    return types & t.squad_types[squad_of(s, owner, space)]


cdef int confused_at(const State *s, const Tables *t, const UnitSel *sel, const Env *e, int owner,
                     int space) noexcept nogil:
    """Types of Confused Troops of the owner there that match (V3.2), a bit each."""
    cdef uint8_t squad
    cdef int type
    cdef int types = 0
    if likely(not s.confused) or sel.is_register or not (sel.confused or sel.state == STATE_CONFUSED):
        return 0
    squad = squad_of(s, owner, space)
    for type in range(3):
        if squad_count(squad, CONFUSED + type):
            types |= 1 << type
    return types & fitting_types(s, t, sel, e, owner, space)


cdef inline int matching_units(const State *s, const Tables *t, const UnitSel *sel, const Env *e, int owner,
                               int space, int type) noexcept nogil:
    """How many Units of a type that `types_at` has named there are."""
    if sel.is_register:
        return unit_here(s, e.r, type)
    return 1 if type == UT_SHIP else squad_count(squad_of(s, owner, space), type)


cdef u128 owner_board(const State *s, const Tables *t, const UnitSel *sel, const Env *e,
                      int owner) noexcept nogil:
    """Spaces with a matching Unit of one owner; the axis at is the caller's."""
    cdef u128 occupied = s.seat[owner].occupied
    cdef u128 board = 0
    cdef u128 rest = 0
    cdef int types, type
    if sel.is_register:
        if e.r != NULL and owner == unit_owner(e.r) and unit_types_here(s, e.r):
            return bit128(e.r.unit_space)
        return 0
    if sel.state == STATE_UNLOCKED or sel.state == STATE_ANY:
        types = fitting_types(s, t, sel, e, owner, NOWHERE)
        for type in range(5):
            if types >> type & 1:
                board |= s.has[type]
        board &= occupied & ~s.combat
        if types & 1 << UT_SHIP and s.seat[owner].ship >= 0:
            board |= bit128(s.seat[owner].ship)
    if sel.state == STATE_LOCKED or sel.state == STATE_ANY:
        rest = occupied & s.combat
    if unlikely(s.confused) and (sel.confused or sel.state == STATE_CONFUSED):
        rest |= occupied & ~board
    while any128(rest):
        if (types_at(s, t, sel, e, owner, first128(rest)) & ~(1 << UT_SHIP)
                or confused_at(s, t, sel, e, owner, first128(rest))):
            board |= bit128(first128(rest))
        rest = rest128(rest)
    return board


cdef u128 plain_board(const State *s, const Tables *t, const UnitSel *sel, int owners) noexcept nogil:
    """`owner_board` of several owners at once, where neither Health nor Confusion matters."""
    cdef u128 occupied = 0
    cdef u128 ships = 0
    cdef u128 board = 0
    cdef u128 rest
    cdef int owner, space, type
    if sel.state == STATE_CONFUSED:
        return 0
    for owner in range(t.players):
        if owners >> owner & 1:
            occupied |= s.seat[owner].occupied
            if sel.types & 1 << UT_SHIP and s.seat[owner].ship >= 0:
                ships |= bit128(s.seat[owner].ship)
    if sel.state != STATE_LOCKED:
        for type in range(5):
            if sel.types >> type & 1:
                board |= s.has[type]
        board = (board & occupied & ~s.combat) | ships
    if sel.state != STATE_UNLOCKED:
        rest = occupied & s.combat
        while any128(rest):
            space = first128(rest)
            rest = rest128(rest)
            for owner in range(t.players):
                if owners >> owner & 1 and t.squad_types[squad_of(s, owner, space)] & sel.types:
                    board |= bit128(space)
                    break
    return board


cdef u128 units_board(const State *s, const Tables *t, int index, const Env *e) noexcept nogil:
    """Spaces with a Unit that matches."""
    cdef const UnitSel *sel = &t.units[index]
    cdef u128 board = 0
    cdef int owners, owner
    if sel.is_register:
        return owner_board(s, t, sel, e, unit_owner(e.r)) if e.r != NULL and e.r.unit else <u128>0
    owners = owner_mask(t, sel.owner, e)
    if likely(not sel.health and not s.confused):
        board = plain_board(s, t, sel, owners)
    else:
        for owner in range(t.players):
            if owners >> owner & 1:
                board |= owner_board(s, t, sel, e, owner)
    if sel.at >= 0:
        board &= space_board(s, t, sel.at, e)
    return board


cdef int units_held(const State *s, const Tables *t, const UnitSel *sel, const Env *e, int holder,
                    int owner) noexcept nogil:
    """Types of Captured Units of the owner with that holder that match, a bit each."""
    if holder == owner or not owner_mask(t, sel.owner, e) >> owner & 1:
        return 0
    if sel.where == WHERE_HELD_OTHER and (holder == e.me or owner == e.me):
        return 0
    return captive_types(s.seat[holder].captured[owner]) & sel.types


cdef int count_units(const State *s, const Tables *t, int index, const Env *e) noexcept nogil:
    """How many Units match."""
    cdef const UnitSel *sel = &t.units[index]
    cdef u128 board
    cdef int owner, holder, type, types, space
    cdef int owners = owner_mask(t, sel.owner, e)
    cdef int total = 0
    if sel.is_register:
        if e.r == NULL:
            return 0
        for type in range(6):
            total += unit_here(s, e.r, type)
        return total
    if sel.where != WHERE_PLANET:
        for holder in range(t.players):
            for owner in range(t.players):
                types = units_held(s, t, sel, e, holder, owner)
                for type in range(5):
                    if types >> type & 1:
                        total += captive_count(s.seat[holder].captured[owner], type)
        return total
    board = units_board(s, t, index, e)
    while any128(board):
        space = first128(board)
        board = rest128(board)
        for owner in range(t.players):
            if not owners >> owner & 1:
                continue
            types = types_at(s, t, sel, e, owner, space)
            for type in range(6):
                if types >> type & 1:
                    total += matching_units(s, t, sel, e, owner, space, type)
            types = confused_at(s, t, sel, e, owner, space)
            for type in range(3):
                if types >> type & 1:
                    total += squad_count(squad_of(s, owner, space), CONFUSED + type)
    return total


# ------------------------------------------------------------------------------------------------------ spaces
cdef u128 space_feature(const State *s, const Tables *t, int feature) noexcept nogil:
    """Spaces with one of the features of axis `feature`."""
    if feature == SPACE_FEATURE_CAMP:
        return feature_set(s, FT_CAMP)
    if feature == SPACE_FEATURE_OUTPOST:
        return feature_set(s, FT_OUTPOST)
    if feature == SPACE_FEATURE_SETTLEMENT:
        return feature_set(s, FT_SETTLEMENT)
    if feature == SPACE_FEATURE_CITY:
        return feature_set(s, FT_COLONY_CITY)
    if feature == SPACE_FEATURE_HABITAT:
        return habitats(s)
    if feature == SPACE_FEATURE_EXPLORABLE:
        return feature_set(s, FT_EXPLORABLE)
    if feature == SPACE_FEATURE_LORIUM:
        return feature_set(s, FT_LORIUM)
    if feature == SPACE_FEATURE_TUNL:
        return feature_set(s, FT_TUNL)
    if feature == SPACE_FEATURE_LAKE:
        return feature_set(s, FT_LAKE)
    if feature == SPACE_FEATURE_MOUNTAIN:
        return feature_set(s, FT_MOUNTAIN)
    if feature == SPACE_FEATURE_TILE:
        return tiles_left(s)
    if feature == SPACE_FEATURE_DEVASTATED:
        return devastated(s, t)
    if feature == SPACE_FEATURE_ABYSS:
        return t.abyss & ~tiles_left(s)
    return s.tokens


cdef u128 widened(const Tables *t, u128 spaces, int steps, u128 tunl) noexcept nogil:
    """Spaces within so many adjacency steps (P4.5); obstacles are ignored."""
    while steps > 0:
        spaces |= step_from(&t.map, spaces, tunl)
        steps -= 1
    return spaces


cdef u128 space_board_reaching(const State *s, const Tables *t, int index, const Env *e,
                               int reach) noexcept nogil:
    """Spaces that match, with ``reach`` added to the maximum of `near`."""
    cdef const SpaceSel *sel = &t.spaces[index]
    cdef u128 board, found
    cdef u128 tunl
    cdef int i
    if sel.is_register:
        if e.r == NULL:
            return 0
        if sel.is_register == REGISTER_SPACE:
            return register_spaces(s, e.r)
        return bit128(e.r.origin) if e.r.origin != NOWHERE else <u128>0
    board = sel.fixed
    if sel.features:
        found = 0
        for i in range(N_SPACE_FEATURE):
            if sel.features >> i & 1:
                found |= space_feature(s, t, i)
        board &= found
    if sel.needs_tile:
        board &= tiles_left(s)
    if sel.terrain_register:
        if e.r == NULL or e.r.terrain == NO_TERRAIN:
            return 0
        board &= t.map.wedge[e.r.terrain] & tiles_left(s)
    if sel.value_high != UNSET:
        found = 0
        for i in range(sel.value_low, sel.value_high + 1):
            found |= habitats_worth(s, t, i)
        board &= found
    if sel.control:
        found = 0
        if sel.control >> CONTROL_AXIS_SELF & 1:
            found |= s.seat[e.me].control
        if sel.control >> CONTROL_AXIS_ENEMY & 1:
            found |= controlled_by_others(s, t, e.me)
        if sel.control >> CONTROL_AXIS_NONE & 1:
            found |= habitats(s) & ~controlled_by_others(s, t, -1)
        if sel.control >> CONTROL_AXIS_REGISTER & 1 and e.r != NULL and e.r.player != NOBODY:
            found |= s.seat[e.r.player].control
        board &= found
    if sel.combat == COMBAT_AXIS_MINE:
        board &= s.combat & s.seat[e.me].occupied
    elif sel.combat == COMBAT_AXIS_ANY:
        board &= s.combat
    elif sel.combat == COMBAT_AXIS_NONE:
        board &= ~s.combat
    if sel.empty:
        board &= ~(all_occupied(s, t) | s.ships)
    if not any128(board):
        return 0
    if sel.holds >= 0:
        board &= units_board(s, t, sel.holds, e)
    if sel.near and any128(board):
        if sel.near == NEAR_UNITS:
            found = units_board(s, t, sel.near_to, e)
        else:
            found = space_board(s, t, sel.near_to, e)
        tunl = tunl_of(s, t, e.me)
        board &= widened(t, found, sel.high + reach, tunl)
        if sel.low:
            board &= ~widened(t, found, sel.low - 1, tunl)
    return board


cdef inline u128 space_board(const State *s, const Tables *t, int index, const Env *e) noexcept nogil:
    """Spaces that match."""
    return space_board_reaching(s, t, index, e, 0)


# ---------------------------------------------------------------------------------------- metrics, counts, conditions
cdef int metric_of(const State *s, const Tables *t, int metric, int p, const Env *e) noexcept nogil:
    """One of the numbers of section 3 for a player."""
    cdef const Seat *seat = &s.seat[p]
    cdef u128 rest
    cdef int i, total = 0
    if metric == METRIC_INFLUENCE:
        return influence_of(s, t, p)
    if metric == METRIC_LORIUM:
        return seat.lorium
    if metric == METRIC_DISCOVERY:
        return count128(seat.hand)
    if metric == METRIC_RELICS:
        return relics_held(seat)
    if metric == METRIC_ACTIVE_RELICS:
        return relics_held(seat) - popcount64(seat.relics)
    if metric == METRIC_CAPTIVES:
        return all_troops_held(seat.captured) + all_vehicles_held(seat.captured)
    if metric == METRIC_OWN_CAPTIVES:
        for i in range(t.players):
            total += troops_held(s.seat[i].captured[p]) + vehicles_held(s.seat[i].captured[p])
        return total
    if metric == METRIC_HABITATS:
        return count128(seat.control)
    if metric == METRIC_BLUEPRINTS:
        return popcount64(seat.blueprints)
    if metric == METRIC_MODULES:
        return popcount64(seat.modules)
    if metric == METRIC_TOKENS:
        return seat.tokens
    if metric == METRIC_UNITS_PLANET:
        rest = seat.occupied
        while any128(rest):
            total += squad_size[squad_of(s, p, first128(rest))]
            rest = rest128(rest)
        return total
    if metric == METRIC_TERRAINS_OCCUPIED:
        rest = seat.occupied & tiles_left(s)
        for i in range(NUM_TERRAINS):
            total += any128(rest & t.map.wedge[i])
        return total
    if metric == METRIC_N and e.r != NULL and e.r.n != NO_NUMBER:
        return e.r.n
    return 0


cdef int count_value(const State *s, const Tables *t, const Count *n, const Env *e) noexcept nogil:
    """What `n` comes to now; ALL for all."""
    cdef int value
    if n.kind == COUNT_KIND_NUMBER:
        return n.number
    if n.kind == COUNT_KIND_ALL:
        return ALL
    if n.kind == COUNT_KIND_REGISTER:
        value = e.r.n if e.r != NULL and e.r.n != NO_NUMBER else 0
    elif n.kind == COUNT_KIND_UNITS:
        value = count_units(s, t, n.units, e)
    elif n.kind == COUNT_KIND_SPACES:
        value = count128(space_board(s, t, n.space, e))
    else:
        value = metric_of(s, t, n.metric, e.me, e)
    if n.most and value > n.most:
        value = n.most
    if value < 0:
        return 0
    return value if value < ALL else ALL - 1


cdef inline bint compares(int op, int a, int b) noexcept nogil:
    """A comparison of OP_..."""
    if op == OP_LT:
        return a < b
    if op == OP_LE:
        return a <= b
    if op == OP_EQ:
        return a == b
    if op == OP_GE:
        return a >= b
    return a > b


cdef bint has_role(const State *s, const Tables *t, int role, int p, int space) noexcept nogil:
    """Whether a player has the part in the Combat of a space; all false without one."""
    cdef int side
    if space >= NUM_SPACES or not has128(s.combat, space):
        return False
    side = side_of(s, t, p, space)
    if role == ROLE_INVOLVED:
        return side != NO_SIDE
    if role == ROLE_BYSTANDER:
        return side == NO_SIDE
    return side == role


cdef bint cond_holds(const State *s, const Tables *t, int index, const Env *e) noexcept nogil:
    """Whether all parts of a condition hold."""
    cdef const Cond *cond = &t.conds[index]
    cdef int found, players, p
    cdef bint holds, one
    if cond.never:
        return False
    if cond.exists >= 0:
        found = count_units(s, t, cond.exists, e)
        if found < cond.low or (cond.high >= 0 and found > cond.high):
            return False
    if cond.site >= 0:
        found = count128(space_board(s, t, cond.site, e))
        if found < cond.low or (cond.high >= 0 and found > cond.high):
            return False
    if cond.metric != UNSET:  # C01
        players = player_mask(s, t, cond.who, e)
        one = chooses_one(cond.who)
        holds = not one
        for p in range(t.players):
            if players >> p & 1 and compares(cond.op, metric_of(s, t, cond.metric, p, e), cond.value) == one:
                holds = one
                break
        if not holds:
            return False
    if cond.role != UNSET and not has_role(s, t, cond.role, e.me, event_space(e)):
        return False
    if cond.turn != UNSET and (e.me == s.active) != (cond.turn == TURN_OWN):
        return False
    return True
