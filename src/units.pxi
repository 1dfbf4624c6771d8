# Units on the planet (chapters U and P3) and the marks they carry during a resolution (RUL-U4).
#
# A *squad* is what one player has in one space, packed in a byte: two bits each for the numbers of Soldiers,
# Miners and Speakers, and two for the Vehicle (0 none, 1 Powermech, 2 Harvester). A space has one squad, or
# two in a Combat: that of the lower seat first. All the rest (who is where, Locked, full) is kept in sets,
# changed with the squads.

cdef enum:
    SQUAD_VEHICLE = 0xC0
    MARK_TYPE = 7        # of mark_flags: the type, then one bit for each mark
    MARK_PART = 8        # takes part in the list being resolved
    MARK_ACTED = 16      # has acted in the Section or list
    MARK_NEW = 32        # placed in this resolution of a Tactic card
    MARK_TRIED = 64      # has attempted a Cyber Attack in this Action
    GONE = 255
    MARKS = 26           # entries of mark_space

cdef extern from *:
    """
    static const uint8_t cysmic_unit_step[5] = {1, 4, 16, 64, 128};
    CYSMIC_INLINE int squad_count(uint8_t squad, int type) {
        return type < 3 ? (squad >> (2 * type)) & 3 : (squad >> 6) == type - 2;
    }
    """
    const uint8_t *unit_step "cysmic_unit_step"
    int squad_count(uint8_t squad, int type) noexcept nogil


cdef inline int squad_slot(const State *s, int player, int space) noexcept nogil:
    """Which squad of the space belongs to ``player``, who has Units there or is about to."""
    cdef int seat
    for seat in range(player):
        if has128(s.seat[seat].occupied, space):
            return 1
    return 0


cdef inline uint8_t squad_of(const State *s, int player, int space) noexcept nogil:
    """What ``player`` has in a space; 0: nothing."""
    if not has128(s.seat[player].occupied, space):
        return 0
    if not has128(s.combat, space):
        return s.squad[0][space]
    return s.squad[squad_slot(s, player, space)][space]


cdef inline int owner_at(const State *s, const Tables *t, int space, int other_than) noexcept nogil:
    """The lowest seat but ``other_than`` with a Troop or Vehicle in the space; -1: none."""
    cdef int seat
    for seat in range(t.players):
        if seat != other_than and has128(s.seat[seat].occupied, space):
            return seat
    return -1


cdef inline int attacker_at(const State *s, const Tables *t, int space) noexcept nogil:
    """The Attacker of a Combat (K1.2)."""
    cdef int low = owner_at(s, t, space, -1)
    return owner_at(s, t, space, low) if has128(s.attacker_high, space) else low


cdef inline u128 all_occupied(const State *s, const Tables *t) noexcept nogil:
    """Spaces with any Troop or Vehicle."""
    cdef u128 spaces = 0
    cdef int seat
    for seat in range(t.players):
        spaces |= s.seat[seat].occupied
    return spaces


cdef inline u128 others_occupied(const State *s, const Tables *t, int player) noexcept nogil:
    """Spaces with a Troop or Vehicle of another player."""
    cdef u128 spaces = 0
    cdef int seat
    for seat in range(t.players):
        if seat != player:
            spaces |= s.seat[seat].occupied
    return spaces


cdef inline u128 unlocked(const State *s, int player) noexcept nogil:
    """Spaces with Unlocked Troops or Vehicles of ``player`` (U4.1)."""
    return s.seat[player].occupied & ~s.combat


cdef inline u128 unlocked_of(const State *s, int player, int type) noexcept nogil:
    """Spaces with an Unlocked Unit of the type."""
    if type == UT_SHIP:
        return bit128(s.seat[player].ship) if s.seat[player].ship >= 0 else <u128>0
    return s.has[type] & s.seat[player].occupied & ~s.combat


cdef u128 owned_of(const State *s, int player, int type) noexcept nogil:
    """Spaces with a Troop or Vehicle of ``player`` of the type, Locked ones too."""
    cdef u128 spaces = s.has[type] & s.seat[player].occupied
    cdef u128 shared = spaces & s.combat
    while any128(shared):
        if not squad_count(squad_of(s, player, first128(shared)), type):
            spaces &= ~bit128(first128(shared))
        shared = rest128(shared)
    return spaces


cdef u128 no_room(const State *s, const Tables *t, int player, int type) noexcept nogil:
    """Spaces with so many Units of ``player`` that one of the type cannot stop there (P3.1)."""
    cdef u128 lone = s.seat[player].occupied & ~s.combat
    cdef u128 spaces = lone & s.full[0]
    cdef u128 shared = s.seat[player].occupied & s.combat
    cdef uint8_t squad
    if type >= UT_POWERMECH:
        if t.vehicle_room == 0:
            return ~<u128>0
        spaces |= lone & (s.has[UT_POWERMECH] | s.has[UT_HARVESTER])
    while any128(shared):
        squad = squad_of(s, player, first128(shared))
        if t.squad_size[squad] >= t.room or (type >= UT_POWERMECH and squad & SQUAD_VEHICLE):
            spaces |= bit128(first128(shared))
        shared = rest128(shared)
    return spaces


cdef inline bint has_room(const Tables *t, uint8_t squad, int type) noexcept nogil:
    """Whether a Unit of the type may be added to a squad (P3.1)."""
    if type >= UT_POWERMECH and (squad & SQUAD_VEHICLE or t.vehicle_room == 0):
        return False
    return t.squad_size[squad] < t.room


cdef inline bint squads_fit(const Tables *t, uint8_t a, uint8_t b) noexcept nogil:
    """Whether two squads of one player may be together in a space (P3.1)."""
    return t.squad_size[a] + t.squad_size[b] <= t.room and not (a & SQUAD_VEHICLE and b & SQUAD_VEHICLE)


# ---------------------------------------------------------------------------------------------------- marks
cdef inline void clear_marks(State *s) noexcept nogil:
    s.mark_count = 0
    s.actor = -1


cdef inline int add_mark(State *s, int player, int space, int type, int marks) noexcept nogil:
    """Mark an unmarked Unit; the entry's number. The owner of all marks is the one who resolves something."""
    cdef int entry = s.mark_count
    s.mark_owner = <int8_t>player
    s.mark_space[entry] = <uint8_t>space
    s.mark_flags[entry] = <uint8_t>(type | marks)
    s.mark_count += 1
    return entry


cdef inline int marks_on(int flags) noexcept nogil:
    """How many marks an entry has."""
    return popcount64(<uint64_t>(flags & ~MARK_TYPE))


cdef int marked_entry(const State *s, int space, int type, int wanted, int unwanted) noexcept nogil:
    """The entry with the fewest marks of a Unit there with all marks ``wanted`` and none ``unwanted``; -1:
    none.
    """
    cdef int best = -1
    cdef int entry
    cdef int flags
    for entry in range(s.mark_count):
        flags = s.mark_flags[entry]
        if s.mark_space[entry] != space or flags & MARK_TYPE != type:
            continue
        if flags & wanted == wanted and not flags & unwanted:
            if best < 0 or marks_on(flags) < marks_on(s.mark_flags[best]):
                best = entry
    return best


cdef int pick_marked(const State *s, int player, int space, int type) noexcept nogil:
    """The entry of the like Unit that is taken first: -1 if one carries no mark, else that with the fewest.
    """
    cdef int entries = 0
    cdef int entry
    if s.mark_count == 0 or player != s.mark_owner:
        return -1
    for entry in range(s.mark_count):
        if s.mark_space[entry] == space and s.mark_flags[entry] & MARK_TYPE == type:
            entries += 1
    if entries == 0 or (type != UT_SHIP and entries < squad_count(squad_of(s, player, space), type)):
        return -1
    return marked_entry(s, space, type, 0, 0)


cdef void strip_marks(State *s, int marks) noexcept nogil:
    """Take the given marks from all Units."""
    cdef int entry
    for entry in range(s.mark_count):
        s.mark_flags[entry] &= <uint8_t>~marks


# -------------------------------------------------------------------------- squads and what follows from them
cdef inline void refresh_space(State *s, const Tables *t, int space) noexcept nogil:
    """Bring the sets ``full`` and ``has`` up to date after a change of the space's squads."""
    cdef u128 bit = bit128(space)
    cdef int type
    cdef int types = t.squad_types[s.squad[0][space]] | t.squad_types[s.squad[1][space]]
    for type in range(5):
        s.has[type] = (s.has[type] | bit) if types >> type & 1 else (s.has[type] & ~bit)
    s.full[0] = (s.full[0] | bit) if t.squad_size[s.squad[0][space]] >= t.room else (s.full[0] & ~bit)
    s.full[1] = (s.full[1] | bit) if t.squad_size[s.squad[1][space]] >= t.room else (s.full[1] & ~bit)


cdef void put_unit(State *s, const Tables *t, Ctx *ctx, int player, int type, int space) noexcept nogil:
    """A Troop or Vehicle comes to a space; a Combat begins if another player alone is there (K1.1)."""
    cdef u128 bit = bit128(space)
    cdef int other, slot
    if not any128(s.seat[player].occupied & bit):
        other = owner_at(s, t, space, -1)
        if other >= 0:
            s.combat |= bit
            if player < other:
                s.squad[1][space] = s.squad[0][space]
                s.squad[0][space] = 0
                s.attacker_high &= ~bit
            else:
                s.attacker_high |= bit
            emit(ctx, EV_COMBAT_BEGIN, player, space, other, 0)
        s.seat[player].occupied |= bit
    slot = squad_slot(s, player, space)
    s.squad[slot][space] += unit_step[type]
    refresh_space(s, t, space)


cdef void drop_unit(State *s, const Tables *t, Ctx *ctx, int player, int type, int space) noexcept nogil:
    """A Troop or Vehicle leaves a space; a Combat ends if it was the side's last (K8.1). Marks are the
    caller's.
    """
    cdef u128 bit = bit128(space)
    cdef int slot = squad_slot(s, player, space)
    s.squad[slot][space] -= unit_step[type]
    if s.squad[slot][space] == 0:
        s.seat[player].occupied &= ~bit
        if any128(s.combat & bit):
            if slot == 0:
                s.squad[0][space] = s.squad[1][space]
            s.squad[1][space] = 0
            s.combat &= ~bit
            s.attacker_high &= ~bit
            s.standing &= ~bit
            emit(ctx, EV_COMBAT_END, owner_at(s, t, space, -1), space, 0, 0)
    refresh_space(s, t, space)


cdef inline void lose_mark(State *s, int player, int type, int space) noexcept nogil:
    """The Unit that is taken first leaves the planet or is swapped: its marks are gone."""
    cdef int entry = pick_marked(s, player, space, type)
    if entry >= 0:
        s.mark_space[entry] = GONE


cdef void destroy_unit(State *s, const Tables *t, Ctx *ctx, int player, int type, int space,
                       int how) noexcept nogil:
    """A Troop or Vehicle goes from the planet to its owner's Reserve; ``how`` as in the LEAVE event (U1.4).
    """
    lose_mark(s, player, type, space)
    drop_unit(s, t, ctx, player, type, space)
    s.seat[player].reserve[type] += 1
    if how == 0:
        ctx.stats.destroyed += 1
    emit(ctx, EV_LEAVE, player, type, space, how)


cdef void destroy_squads(State *s, const Tables *t, Ctx *ctx, int space) noexcept nogil:
    """Everything in a space is destroyed together: told in seat order, then unit order."""
    cdef u128 bit = bit128(space)
    cdef int seat, type, i
    cdef int slot = 0
    for seat in range(t.players):
        if not any128(s.seat[seat].occupied & bit):
            continue
        for type in range(5):
            for i in range(squad_count(s.squad[slot][space], type)):
                s.seat[seat].reserve[type] += 1
                ctx.stats.destroyed += 1
                emit(ctx, EV_LEAVE, seat, type, space, 0)
        s.seat[seat].occupied &= ~bit
        slot += 1
    for i in range(s.mark_count):
        if s.mark_space[i] == space and s.mark_flags[i] & MARK_TYPE != UT_SHIP:
            s.mark_space[i] = GONE
    s.squad[0][space] = 0
    s.squad[1][space] = 0
    if any128(s.combat & bit):
        s.combat &= ~bit
        s.attacker_high &= ~bit
        s.standing &= ~bit
        emit(ctx, EV_COMBAT_END, -1, space, 0, 0)
    refresh_space(s, t, space)


cdef void move_unit(State *s, const Tables *t, Ctx *ctx, int player, int type, int origin, int end,
                    int entry) noexcept nogil:
    """A Troop or Vehicle goes from one space to another with its marks; ``entry`` is its entry, -1: unmarked.
    """
    if origin != end:
        drop_unit(s, t, ctx, player, type, origin)
        put_unit(s, t, ctx, player, type, end)
        if entry >= 0:
            s.mark_space[entry] = <uint8_t>end
    emit(ctx, EV_MOVE, player, type, origin, end)


cdef void move_squad(State *s, const Tables *t, Ctx *ctx, int player, uint8_t squad, int origin,
                     int end) noexcept nogil:
    """Several Units go together, those with the fewest marks where like Units stay behind."""
    cdef int type
    cdef int count
    for type in range(5):
        for count in range(squad_count(squad, type)):
            move_unit(s, t, ctx, player, type, origin, end, pick_marked(s, player, origin, type))


cdef void swap_unit(State *s, const Tables *t, Ctx *ctx, int player, int old, int new,
                    int space) noexcept nogil:
    """Field Promote or Upgrade (R3, R4): not entering, so side, Lock and Combat stay (R3.5, R4.5)."""
    cdef int slot = squad_slot(s, player, space)
    lose_mark(s, player, old, space)
    s.squad[slot][space] += unit_step[new] - unit_step[old]
    refresh_space(s, t, space)
    s.seat[player].reserve[old] += 1
    s.seat[player].reserve[new] -= 1
    emit(ctx, EV_LEAVE, player, old, space, 3)
    emit(ctx, EV_ENTER, player, new, space, 1)


cdef void deploy_unit(State *s, const Tables *t, Ctx *ctx, int player, int type, int space) noexcept nogil:
    """A chosen Unit (taken out of the Reserve already) is placed on the planet."""
    put_unit(s, t, ctx, player, type, space)
    emit(ctx, EV_ENTER, player, type, space, 0)


# --------------------------------------------------------------------------------------------------- captives
cdef extern from *:
    """
    static const uint8_t cysmic_captive_shift[5] = {0, 4, 7, 10, 12};
    static const uint8_t cysmic_captive_mask[5] = {15, 7, 7, 3, 3};
    CYSMIC_INLINE int captive_count(uint16_t packed, int type) {
        return (packed >> cysmic_captive_shift[type]) & cysmic_captive_mask[type];
    }
    CYSMIC_INLINE uint16_t captive_step(int type) { return (uint16_t)1 << cysmic_captive_shift[type]; }
    """
    int captive_count(uint16_t packed, int type) noexcept nogil
    uint16_t captive_step(int type) noexcept nogil


cdef inline int troops_held(uint16_t packed) noexcept nogil:
    """Captured Troops of one owner."""
    return (captive_count(packed, UT_SOLDIER) + captive_count(packed, UT_MINER)
            + captive_count(packed, UT_SPEAKER))


cdef inline int vehicles_held(uint16_t packed) noexcept nogil:
    """Captured Vehicles of one owner."""
    return captive_count(packed, UT_POWERMECH) + captive_count(packed, UT_HARVESTER)


cdef void capture_unit(State *s, const Tables *t, Ctx *ctx, int captor, int owner, int type,
                       int space) noexcept nogil:
    """A Unit goes from the planet to the captor's Holding Area (G4.1)."""
    lose_mark(s, owner, type, space)
    drop_unit(s, t, ctx, owner, type, space)
    s.seat[captor].captured[owner] += captive_step(type)
    ctx.stats.captures += 1
    emit(ctx, EV_CAPTURE, captor, owner, type, space)


cdef void release_unit(State *s, Ctx *ctx, int holder, int owner, int type) noexcept nogil:
    """A Captured Unit returns to its owner's Reserve (G4.2)."""
    s.seat[holder].captured[owner] -= captive_step(type)
    s.seat[owner].reserve[type] += 1
    emit(ctx, EV_RELEASE, holder, owner, type, 0)


cdef void pass_captive(State *s, Ctx *ctx, int giver, int receiver, int owner, int type) noexcept nogil:
    """A Captured Unit changes hands; its owner puts it in Reserve (G5.4)."""
    if receiver == owner:
        release_unit(s, ctx, giver, owner, type)
        return
    s.seat[giver].captured[owner] -= captive_step(type)
    s.seat[receiver].captured[owner] += captive_step(type)
    emit(ctx, EV_CAPTURE, receiver, owner, type, -1)
