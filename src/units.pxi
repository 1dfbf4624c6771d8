# Units on the planet (chapters U and P3) and the marks they carry during a resolution (RUL-U4).
#
# A *squad* is what one player has in one space, a code of one byte. Without Confused Troops (D7.1) the code packs
# two bits each for the numbers of Soldiers, Miners and Speakers, and two for the Vehicle (0 none, 1 Powermech, 2
# Harvester); that is a *plain* squad. Squads with Confused Troops have the codes that this leaves free. A table
# says what a code amounts to. A *kind* is a type, or CONFUSED + type for a Confused Troop.
#
# A space has one squad, or two in a Combat: that of the lower seat first. All the rest (who is where, Locked,
# full) is kept in sets, changed with the squads.

cdef enum:
    CONFUSED = 6          # kinds from here on: Confused Soldiers, Miners, Speakers
    N_KINDS = 9
    MARK_PART = 1         # takes part in the list being resolved
    MARK_ACTED = 2        # has acted in the Section or list
    MARK_NEW = 4          # placed in this resolution of a Tactic card
    MARK_TRIED = 8        # has attempted a Cyber Attack in this Action
    MARK_ONCE = 16        # taken by an `each` with `once`
    MARK_LIST = 32        # taken by the step at hand
    GONE = 127            # space of a mark whose Unit has left
    MARKS = 26            # entries of `mark`
    TRYING_ALONE = MARKS + 1  # `trying`, while another player's Units carry the marks: the frame of the attack knows

cdef extern from *:
    """
    /* what a code amounts to: two bits for Soldiers, Miners, Speakers, one for Powermech and Harvester (a plain
       code, as it is), then two bits for each type of Confused Troops */
    static uint16_t cysmic_squads[256];
    static uint8_t cysmic_squad_size[256];
    static const uint8_t cysmic_unit_step[5] = {1, 4, 16, 64, 128};
    static const uint8_t cysmic_kind_shift[9] = {0, 2, 4, 6, 7, 0, 8, 10, 12};
    static const uint8_t cysmic_kind_mask[9] = {3, 3, 3, 1, 1, 0, 3, 3, 3};
    CYSMIC_INLINE int squad_count(uint8_t squad, int kind) {
        return (cysmic_squads[squad] >> cysmic_kind_shift[kind]) & cysmic_kind_mask[kind];
    }
    CYSMIC_INLINE uint8_t squad_plain(uint8_t squad) { return (uint8_t)cysmic_squads[squad]; }
    CYSMIC_INLINE int squad_confused(uint8_t squad) { return cysmic_squads[squad] >> 8; }
    CYSMIC_INLINE int squad_vehicle(uint8_t squad) { return cysmic_squads[squad] & 0xC0; }
    static int cysmic_packed_size(int packed) {
        int size = 0;
        for (int kind = 0; kind < 9; kind++) size += (packed >> cysmic_kind_shift[kind]) & cysmic_kind_mask[kind];
        return size;
    }
    static void cysmic_build_squads(void) {
        int free_code = 0, packed, code;
        for (code = 0; code < 256; code++) {
            cysmic_squads[code] = 0;
            if (cysmic_packed_size(code) <= 3 && (code & 0xC0) != 0xC0) cysmic_squads[code] = (uint16_t)code;
        }
        for (packed = 256; packed < 1 << 14; packed++) {
            if (cysmic_packed_size(packed) > 3 || (packed & 0xC0) == 0xC0) continue;
            while (cysmic_packed_size(free_code) <= 3 && (free_code & 0xC0) != 0xC0) free_code++;
            cysmic_squads[free_code++] = (uint16_t)packed;
        }
        for (code = 0; code < 256; code++) cysmic_squad_size[code] = (uint8_t)cysmic_packed_size(cysmic_squads[code]);
    }
    static uint8_t cysmic_code_of(int packed) {
        if (packed < 256) return (uint8_t)packed;
        for (int code = 0; code < 256; code++) if (cysmic_squads[code] == packed) return (uint8_t)code;
        return 0;
    }
    CYSMIC_INLINE uint8_t squad_plus(uint8_t squad, int kind) {
        return cysmic_code_of(cysmic_squads[squad] + (1 << cysmic_kind_shift[kind]));
    }
    CYSMIC_INLINE uint8_t squad_minus(uint8_t squad, int kind) {
        return cysmic_code_of(cysmic_squads[squad] - (1 << cysmic_kind_shift[kind]));
    }
    """
    const uint8_t *unit_step "cysmic_unit_step"
    const uint8_t *squad_size "cysmic_squad_size"
    void build_squad_codes "cysmic_build_squads"() noexcept nogil
    int squad_count(uint8_t squad, int kind) noexcept nogil
    uint8_t squad_plain(uint8_t squad) noexcept nogil
    bint squad_confused(uint8_t squad) noexcept nogil
    bint squad_vehicle(uint8_t squad) noexcept nogil
    uint8_t squad_plus(uint8_t squad, int kind) noexcept nogil
    uint8_t squad_minus(uint8_t squad, int kind) noexcept nogil

build_squad_codes()


cdef inline int kind_type(int kind) noexcept nogil:
    """The type of a Unit of that kind."""
    return kind if kind < CONFUSED else kind - CONFUSED


cdef inline int rank_of(const State *s, int space) noexcept nogil:
    """The place of a Combat among the Combats, by space."""
    return count128(s.combat & below128(space))


cdef inline uint8_t squad_at(const State *s, int slot, int space) noexcept nogil:
    """The first or second squad of a space."""
    if slot == 0:
        return s.squad[space]
    return s.second[rank_of(s, space)] if has128(s.combat, space) else 0


cdef inline void set_squad(State *s, int slot, int space, uint8_t squad) noexcept nogil:
    """Change the first squad of a space, or the second of a Combat."""
    if slot == 0:
        s.squad[space] = squad
    else:
        s.second[rank_of(s, space)] = squad


cdef inline int squad_slot(const State *s, int player, int space) noexcept nogil:
    """Which squad of the space belongs to ``player``, who has Units there or is about to."""
    cdef int seat
    if not has128(s.combat, space):
        return 0
    for seat in range(player):
        if has128(s.seat[seat].occupied, space):
            return 1
    return 0


cdef inline uint8_t squad_of(const State *s, int player, int space) noexcept nogil:
    """What ``player`` has in a space; 0: nothing."""
    if not has128(s.seat[player].occupied, space):
        return 0
    if not has128(s.combat, space):
        return s.squad[space]
    return squad_at(s, squad_slot(s, player, space), space)


cdef inline bint is_there(const State *s, int player, int space) noexcept nogil:
    """Whether ``player`` has a Unit in a space."""
    return has128(s.seat[player].occupied, space) or s.seat[player].ship == space


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
    cdef u128 spaces = s.seat[player].occupied & ~s.combat
    if unlikely(s.confused):
        spaces &= s.has[0] | s.has[1] | s.has[2] | s.has[3] | s.has[4]
    return spaces


cdef inline u128 unlocked_of(const State *s, int player, int type) noexcept nogil:
    """Spaces with an Unlocked Unit of the type."""
    if type == UT_SHIP:
        return bit128(s.seat[player].ship) if s.seat[player].ship >= 0 else <u128>0
    return s.has[type] & s.seat[player].occupied & ~s.combat


cdef u128 owned_of(const State *s, int player, int type) noexcept nogil:
    """Spaces with a Troop or Vehicle of ``player`` of the type, Locked ones too, Confused ones not."""
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
    cdef u128 spaces = lone & s.full
    cdef u128 shared = s.seat[player].occupied & s.combat
    cdef uint8_t squad
    if type >= UT_POWERMECH:
        if t.vehicle_room == 0:
            return ~<u128>0
        spaces |= lone & (s.has[UT_POWERMECH] | s.has[UT_HARVESTER])
    while any128(shared):
        squad = squad_of(s, player, first128(shared))
        if squad_size[squad] >= t.room or (type >= UT_POWERMECH and squad_vehicle(squad)):
            spaces |= bit128(first128(shared))
        shared = rest128(shared)
    return spaces


cdef inline bint has_room(const Tables *t, uint8_t squad, int type) noexcept nogil:
    """Whether a Unit of the type may be added to a squad (P3.1)."""
    if type >= UT_POWERMECH and (squad_vehicle(squad) or t.vehicle_room == 0):
        return False
    return squad_size[squad] < t.room


cdef inline bint squads_fit(const Tables *t, uint8_t a, uint8_t b) noexcept nogil:
    """Whether two squads of one player may be together in a space (P3.1)."""
    return squad_size[a] + squad_size[b] <= t.room and not (squad_vehicle(a) and squad_vehicle(b))


# ---------------------------------------------------------------------------------------------------- marks
cdef inline int mark_space(const State *s, int entry) noexcept nogil:
    """Where the Unit of an entry is, GONE when it has left."""
    return s.mark[entry] & 127


cdef inline int mark_type(const State *s, int entry) noexcept nogil:
    """Its type."""
    return s.mark[entry] >> 7 & 7


cdef inline int marks_of(const State *s, int entry) noexcept nogil:
    """Its marks, a bit each."""
    return s.mark[entry] >> 10


cdef inline void add_marks(State *s, int entry, int marks) noexcept nogil:
    """Give an entry more marks."""
    s.mark[entry] |= <uint16_t>(marks << 10)


cdef inline void place_mark(State *s, int entry, int space) noexcept nogil:
    """The Unit of an entry is somewhere else."""
    s.mark[entry] = <uint16_t>((s.mark[entry] & ~127) | space)


cdef inline void clear_marks(State *s) noexcept nogil:
    s.mark_count = 0
    s.mark_confused = 0
    s.mark_home = 0
    s.trying = 0
    s.actor = -1


cdef inline bint mark_fits(const State *s, int entry, int space, int kind) noexcept nogil:
    """Whether an entry is of a Unit of that kind in the space."""
    return (s.mark[entry] & 1023) == (space | kind_type(kind) << 7) and \
        <bint>(s.mark_confused >> entry & 1) == (kind >= CONFUSED)


cdef int add_mark(State *s, int player, int space, int type, int marks) noexcept nogil:
    """Mark an unmarked Unit; the entry's number. The owner of all marks is the one who resolves something."""
    cdef int entry
    if s.mark_owner != player:
        clear_marks(s)
    entry = s.mark_count
    if entry == MARKS:  # entries of Units that have left are used again
        for entry in range(MARKS):
            if mark_space(s, entry) == GONE and s.trying != entry + 1:
                break
    else:
        s.mark_count += 1
    s.mark_owner = <int8_t>player
    s.mark[entry] = <uint16_t>(space | type << 7 | marks << 10)
    s.mark_confused &= ~(<uint32_t>1 << entry)
    s.mark_home &= ~(<uint32_t>1 << entry)
    return entry


cdef inline int mark_order(const State *s, int entry) noexcept nogil:
    """RUL-U4, C17: the fewest marks first, of equally many the smaller set, then one that is not attacking (C97)."""
    cdef int marks = marks_of(s, entry)
    if s.mark_home >> entry & 1:
        marks |= MARK_LIST
    return popcount64(<uint64_t>marks) << 7 | marks << 1 | <int>(s.trying == entry + 1)


cdef int marked_entry(const State *s, int space, int kind, int wanted, int unwanted) noexcept nogil:
    """The entry with the fewest marks of a Unit there with all marks ``wanted`` and none ``unwanted``; -1:
    none.
    """
    cdef int best = -1
    cdef int entry, marks
    for entry in range(s.mark_count):
        if not mark_fits(s, entry, space, kind):
            continue
        marks = marks_of(s, entry)
        if marks & wanted == wanted and not marks & unwanted:
            if best < 0 or mark_order(s, entry) < mark_order(s, best):
                best = entry
    return best


cdef int marked_units(const State *s, int space, int kind, int wanted) noexcept nogil:
    """How many Units of the kind there have all marks ``wanted``."""
    cdef int entry
    cdef int units = 0
    for entry in range(s.mark_count):
        if mark_fits(s, entry, space, kind) and marks_of(s, entry) & wanted == wanted:
            units += 1
    return units


cdef int pick_marked(const State *s, int player, int space, int kind) noexcept nogil:
    """The entry of the like Unit that is taken first: -1 if one carries no mark, else that with the fewest.
    """
    cdef int entries
    if s.mark_count == 0 or player != s.mark_owner:
        return -1
    entries = marked_units(s, space, kind, 0)
    if entries == 0 or (kind != UT_SHIP and entries < squad_count(squad_of(s, player, space), kind)):
        return -1
    return marked_entry(s, space, kind, 0, 0)


cdef Frame *lone_attack(State *s) noexcept nogil:
    """The frame of a Cyber Attack that is being answered while the marks are another player's; NULL: there is none.
    It keeps where its attacker is, GONE if nowhere, and of which kind.
    """
    cdef Frame *f = top(s)
    if s.trying != TRYING_ALONE:
        return NULL
    while f.proc != PR_CYBER:
        f -= 1 + slots_of(f)
    return f


cdef Frame *attack_of(State *s, int player, int kind, int space) noexcept nogil:
    """That frame, if the attacker is the like Unit that is taken first: the last one (C97)."""
    cdef Frame *f = lone_attack(s)
    if f != NULL and f.p == player and f.c == (space | kind << 7):
        if squad_count(squad_of(s, player, space), kind) == 1:
            return f
    return NULL


cdef inline void lose_attacker(State *s, int player, int kind, int space) noexcept nogil:
    """The Unit that is taken first leaves the planet or is swapped."""
    cdef Frame *attack
    if unlikely(s.trying == TRYING_ALONE):
        attack = attack_of(s, player, kind, space)
        if attack != NULL:
            attack.c = <int16_t>(GONE | kind << 7)


cdef void strip_marks(State *s, int marks) noexcept nogil:
    """Take the given marks from all Units."""
    cdef int entry
    for entry in range(s.mark_count):
        s.mark[entry] &= <uint16_t>~(marks << 10)


# -------------------------------------------------------------------------- squads and what follows from them
cdef inline void refresh_space(State *s, const Tables *t, int space) noexcept nogil:
    """Bring the sets ``full`` and ``has`` up to date after a change of the space's squads."""
    cdef u128 bit = bit128(space)
    cdef int type
    cdef int types = t.squad_types[s.squad[space]]
    if any128(s.combat & bit):
        types |= t.squad_types[squad_at(s, 1, space)]
    for type in range(5):
        s.has[type] = (s.has[type] | bit) if types >> type & 1 else (s.has[type] & ~bit)
    s.full = (s.full | bit) if squad_size[s.squad[space]] >= t.room else (s.full & ~bit)


cdef void begin_combat(State *s, int space, uint8_t first, uint8_t second) noexcept nogil:
    """A space becomes a Combat with these squads."""
    cdef int rank = rank_of(s, space)
    cdef int i
    for i in range(count128(s.combat), rank, -1):
        s.second[i] = s.second[i - 1]
    s.combat |= bit128(space)
    s.squad[space] = first
    s.second[rank] = second


cdef void end_combat(State *s, const Tables *t, Ctx *ctx, int space, int stays, int gone) noexcept nogil:
    """A Combat ends (K8.1), its squads are the caller's; who stays and who is gone are told later, if both are
    seats.
    """
    cdef u128 bit = bit128(space)
    cdef int rank = rank_of(s, space)
    cdef int i
    s.combat &= ~bit
    for i in range(rank, count128(s.combat)):
        s.second[i] = s.second[i + 1]
    s.attacker_high &= ~bit
    s.standing &= ~bit
    if s.fight == space:
        s.fight = -1
    if unlikely(ctx.emptied == 1 + space):
        stays = -1
    emit(ctx, EV_COMBAT_END, stays, space, 0, 0)
    if unlikely(t.watchable >> TRIGGER_COMBAT_END & 1) and stays >= 0 and s.ended_count < 8:
        s.ended_space[s.ended_count] = <uint8_t>space
        s.ended_sides[s.ended_count] = <uint8_t>(stays | gone << 4)
        s.ended_depth[s.ended_count] = s.depth
        s.ended_count += 1


cdef void spare(State *s, int owner, int space, int kind, int becomes, int there) noexcept nogil:
    """A Unit goes, or becomes one of another kind (-1: not), while `defeated` is answered: where all its like, so many
    ``there``, are about to go it is no longer, or goes as what it has become (C19).
    """
    cdef Frame *f = top(s)
    cdef Work *w
    while f > &s.frames[0]:
        if f.proc == PR_EVENT:
            if window_event(f) == TRIGGER_DEFEATED and window_space(f) == space and window_affected(f) == owner:
                f.b = <int16_t>((f.b & 255) | spared(<uint8_t>(f.b >> 8), kind, becomes, there) << 8)
        elif f.proc == PR_UNITS and f.step >= 21 and f.b == space:
            w = work_of(f)
            if w.owner & 7 == owner:
                w.other = spared(w.other, kind, becomes, there)
            elif w.owner >> 3 == owner:
                w.left = spared(w.left, kind, becomes, there)
        f = <Frame *>caller_of(f)


cdef void spare_squad(State *s, int owner, int space, uint8_t squad) noexcept nogil:
    """All Units of an owner leave a space while `defeated` is answered."""
    cdef int kind, i
    for kind in range(N_KINDS):
        for i in range(squad_count(squad, kind)):
            spare(s, owner, space, kind, -1, squad_count(squad, kind) - i)


cdef inline uint8_t spared(uint8_t squad, int kind, int becomes, int there) noexcept nogil:
    """What is left of a squad about to go, out of ``there`` Units of the kind."""
    if squad_count(squad, kind) < there or not squad_count(squad, kind):
        return squad
    squad = squad_minus(squad, kind)
    return squad if becomes < 0 else squad_plus(squad, becomes)


cdef void put_unit(State *s, const Tables *t, Ctx *ctx, int player, int type, int space) noexcept nogil:
    """A Troop or Vehicle comes to a space; a Combat begins if another player alone is there (K1.1)."""
    cdef u128 bit = bit128(space)
    cdef int other, slot
    if not any128(s.seat[player].occupied & bit):
        other = owner_at(s, t, space, -1)
        if other >= 0:
            if player < other:
                begin_combat(s, space, 0, s.squad[space])
                s.attacker_high &= ~bit
            else:
                begin_combat(s, space, s.squad[space], 0)
                s.attacker_high |= bit
            emit(ctx, EV_COMBAT_BEGIN, player, space, other, 0)
        s.seat[player].occupied |= bit
    slot = squad_slot(s, player, space)
    set_squad(s, slot, space, squad_plus(squad_at(s, slot, space), type))
    refresh_space(s, t, space)


cdef void drop_unit(State *s, const Tables *t, Ctx *ctx, int player, int kind, int space) noexcept nogil:
    """A Troop or Vehicle leaves a space; a Combat ends if it was the side's last (K8.1). Marks are the
    caller's.
    """
    cdef u128 bit = bit128(space)
    cdef int slot = squad_slot(s, player, space)
    cdef uint8_t squad = squad_minus(squad_at(s, slot, space), kind)
    if unlikely(s.dooms | s.trying):
        if s.dooms:
            spare(s, player, space, kind, -1, squad_count(squad_at(s, slot, space), kind))
        lose_attacker(s, player, kind, space)
    set_squad(s, slot, space, squad)
    if kind >= CONFUSED:
        s.confused -= 1
    if squad == 0:
        s.seat[player].occupied &= ~bit
        if any128(s.combat & bit):
            if slot == 0:
                s.squad[space] = squad_at(s, 1, space)
            end_combat(s, t, ctx, space, owner_at(s, t, space, -1), player)
    refresh_space(s, t, space)


cdef inline void lose_mark(State *s, int player, int kind, int space) noexcept nogil:
    """The Unit that is taken first leaves the planet or is swapped: its marks are gone."""
    cdef int entry = pick_marked(s, player, space, kind)
    if entry >= 0:
        place_mark(s, entry, GONE)


cdef void destroy_unit(State *s, const Tables *t, Ctx *ctx, int player, int kind, int space,
                       int how) noexcept nogil:
    """A Troop or Vehicle goes from the planet to its owner's Reserve; ``how`` as in the LEAVE event (U1.4).
    """
    lose_mark(s, player, kind, space)
    drop_unit(s, t, ctx, player, kind, space)
    s.seat[player].reserve[kind_type(kind)] += 1
    if how == 0:
        ctx.stats.destroyed += 1
    emit(ctx, EV_LEAVE, player, kind_type(kind), space, how)


cdef void destroy_squads(State *s, const Tables *t, Ctx *ctx, int space) noexcept nogil:
    """Everything in a space is destroyed together: told in seat order, then unit order."""
    cdef u128 bit = bit128(space)
    cdef int seat, kind, type, i
    cdef int slot = 0
    cdef uint8_t squad
    for seat in range(t.players):
        if not any128(s.seat[seat].occupied & bit):
            continue
        squad = squad_at(s, slot, space)
        if unlikely(s.dooms):
            spare_squad(s, seat, space, squad)
        for type in range(5):
            for kind in range(type, N_KINDS, 6):
                for i in range(squad_count(squad, kind)):
                    s.seat[seat].reserve[type] += 1
                    s.confused -= kind >= CONFUSED
                    ctx.stats.destroyed += 1
                    emit(ctx, EV_LEAVE, seat, type, space, 0)
        s.seat[seat].occupied &= ~bit
        slot += 1
    for i in range(s.mark_count):
        if mark_space(s, i) == space and mark_type(s, i) != UT_SHIP:
            place_mark(s, i, GONE)
    if unlikely(s.trying == TRYING_ALONE) and lone_attack(s).c & 127 == space:
        lone_attack(s).c |= GONE
    if any128(s.combat & bit):
        end_combat(s, t, ctx, space, -1, -1)
    s.squad[space] = 0
    refresh_space(s, t, space)


cdef void move_unit(State *s, const Tables *t, Ctx *ctx, int player, int type, int origin, int end,
                    int entry) noexcept nogil:
    """A Troop or Vehicle goes from one space to another with its marks; ``entry`` is its entry, -1: unmarked.
    """
    cdef Frame *attack = NULL
    if origin != end:
        if unlikely(s.trying == TRYING_ALONE):
            attack = attack_of(s, player, type, origin)
        drop_unit(s, t, ctx, player, type, origin)
        put_unit(s, t, ctx, player, type, end)
        if entry >= 0:
            place_mark(s, entry, end)
        if unlikely(attack != NULL):
            attack.c = <int16_t>(end | type << 7)
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
    if unlikely(s.dooms):
        spare(s, player, space, old, -1, squad_count(squad_at(s, slot, space), old))
    lose_mark(s, player, old, space)
    lose_attacker(s, player, old, space)
    set_squad(s, slot, space, squad_plus(squad_minus(squad_at(s, slot, space), old), new))
    refresh_space(s, t, space)
    s.seat[player].reserve[old] += 1
    s.seat[player].reserve[new] -= 1
    emit(ctx, EV_LEAVE, player, old, space, 3)
    emit(ctx, EV_ENTER, player, new, space, 1)


cdef void deploy_unit(State *s, const Tables *t, Ctx *ctx, int player, int type, int space) noexcept nogil:
    """A chosen Unit (taken out of the Reserve already) is placed on the planet."""
    put_unit(s, t, ctx, player, type, space)
    emit(ctx, EV_ENTER, player, type, space, 0)


# --------------------------------------------------------------------------------------------- Confused Troops
cdef void confuse_unit(State *s, const Tables *t, Ctx *ctx, int player, int type, int space) noexcept nogil:
    """An Unlocked Troop becomes Confused (D7.1); its marks stay."""
    cdef int slot = squad_slot(s, player, space)
    cdef int entry = pick_marked(s, player, space, type)
    cdef Frame *attack
    if unlikely(s.dooms):
        spare(s, player, space, type, CONFUSED + type, squad_count(squad_at(s, slot, space), type))
    if entry >= 0:
        s.mark_confused |= <uint32_t>1 << entry
    if unlikely(s.trying == TRYING_ALONE):
        attack = attack_of(s, player, type, space)
        if attack != NULL:
            attack.c += CONFUSED << 7
    set_squad(s, slot, space, squad_plus(squad_minus(squad_at(s, slot, space), type), CONFUSED + type))
    s.confused += 1
    refresh_space(s, t, space)
    emit(ctx, EV_CONFUSE, player, type, space, 1)


cdef u128 confused_of(const State *s, int player, int type) noexcept nogil:
    """Spaces with a Confused Troop of that type."""
    cdef u128 rest = s.seat[player].occupied
    cdef u128 spaces = 0
    if not s.confused:
        return 0
    while any128(rest):
        if squad_count(squad_of(s, player, first128(rest)), CONFUSED + type):
            spaces |= bit128(first128(rest))
        rest = rest128(rest)
    return spaces


cdef void recover(State *s, const Tables *t, Ctx *ctx, int player, int type) noexcept nogil:
    """D7.2: all Confused Troops of a type recover."""
    cdef Frame *attack
    cdef u128 spaces
    cdef int space, slot, i
    cdef uint8_t squad
    if likely(not s.confused) or type > UT_SPEAKER:
        return
    spaces = confused_of(s, player, type)
    while any128(spaces):
        space = first128(spaces)
        spaces = rest128(spaces)
        slot = squad_slot(s, player, space)
        squad = squad_at(s, slot, space)
        for i in range(squad_count(squad, CONFUSED + type)):
            if unlikely(s.dooms):
                spare(s, player, space, CONFUSED + type, type, squad_count(squad, CONFUSED + type))
            squad = squad_plus(squad_minus(squad, CONFUSED + type), type)
            s.confused -= 1
            emit(ctx, EV_CONFUSE, player, type, space, 0)
        set_squad(s, slot, space, squad)
        refresh_space(s, t, space)
    if player == s.mark_owner:
        for i in range(s.mark_count):
            if mark_type(s, i) == type:
                s.mark_confused &= ~(<uint32_t>1 << i)
    attack = lone_attack(s)
    if attack != NULL and attack.p == player and attack.c >> 7 == CONFUSED + type:
        attack.c -= CONFUSED << 7


# --------------------------------------------------------------------------------------------------- captives
cdef extern from *:
    """
    static const uint8_t cysmic_captive_shift[5] = {0, 4, 7, 10, 12};
    static const uint8_t cysmic_captive_mask[5] = {15, 7, 7, 3, 3};
    CYSMIC_INLINE int captive_count(uint16_t packed, int type) {
        return (packed >> cysmic_captive_shift[type]) & cysmic_captive_mask[type];
    }
    /* Captured Units of all owners: fields of four owners are added at a time */
    CYSMIC_INLINE uint64_t cysmic_lanes(uint64_t x, int shift, uint64_t mask) {
        return (x >> shift) & (mask * 0x0001000100010001ULL);
    }
    CYSMIC_INLINE uint64_t cysmic_captives(const uint16_t *captured, uint64_t *more) {
        uint64_t first;
        uint32_t last;
        memcpy(&first, captured, sizeof first);
        memcpy(&last, captured + 4, sizeof last);
        *more = last;
        return first;
    }
    CYSMIC_INLINE int any_captive(const uint16_t *captured) {
        uint64_t more, first = cysmic_captives(captured, &more);
        return (first | more) != 0;
    }
    CYSMIC_INLINE int all_troops_held(const uint16_t *captured) {
        uint64_t more, first = cysmic_captives(captured, &more);
        uint64_t sum = cysmic_lanes(first, 0, 15) + cysmic_lanes(first, 4, 7) + cysmic_lanes(first, 7, 7)
            + cysmic_lanes(more, 0, 15) + cysmic_lanes(more, 4, 7) + cysmic_lanes(more, 7, 7);
        return (int)((sum * 0x0001000100010001ULL) >> 48);
    }
    CYSMIC_INLINE int all_vehicles_held(const uint16_t *captured) {
        uint64_t more, first = cysmic_captives(captured, &more);
        uint64_t sum = cysmic_lanes(first, 10, 3) + cysmic_lanes(first, 12, 3)
            + cysmic_lanes(more, 10, 3) + cysmic_lanes(more, 12, 3);
        return (int)((sum * 0x0001000100010001ULL) >> 48);
    }
    CYSMIC_INLINE uint16_t captive_step(int type) { return (uint16_t)((uint16_t)1 << cysmic_captive_shift[type]); }
    """
    int captive_count(uint16_t packed, int type) noexcept nogil
    uint16_t captive_step(int type) noexcept nogil
    bint any_captive(const uint16_t *captured) noexcept nogil
    int all_troops_held(const uint16_t *captured) noexcept nogil
    int all_vehicles_held(const uint16_t *captured) noexcept nogil


cdef inline int troops_held(uint16_t packed) noexcept nogil:
    """Captured Troops of one owner."""
    return (captive_count(packed, UT_SOLDIER) + captive_count(packed, UT_MINER)
            + captive_count(packed, UT_SPEAKER))


cdef inline int vehicles_held(uint16_t packed) noexcept nogil:
    """Captured Vehicles of one owner."""
    return captive_count(packed, UT_POWERMECH) + captive_count(packed, UT_HARVESTER)


cdef inline int captive_types(uint16_t packed) noexcept nogil:
    """Types among Captured Units of one owner, a bit each."""
    cdef int types = 0
    cdef int type
    for type in range(5):
        if captive_count(packed, type):
            types |= 1 << type
    return types


cdef void capture_unit(State *s, const Tables *t, Ctx *ctx, int captor, int owner, int kind,
                       int space) noexcept nogil:
    """A Unit goes from the planet to the captor's Holding Area (G4.1)."""
    lose_mark(s, owner, kind, space)
    drop_unit(s, t, ctx, owner, kind, space)
    s.seat[captor].captured[owner] += captive_step(kind_type(kind))
    ctx.stats.captures += 1
    emit(ctx, EV_CAPTURE, captor, owner, kind_type(kind), space)


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
