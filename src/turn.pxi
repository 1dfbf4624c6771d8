# Turn, round and cycle (chapter T, protocol section 5), Launch and the end of the game (chapter L, section
# 15).

cdef enum:
    ALL_COMMANDS = (1 << 10) - 1
    LC_BASE = 0              # Launch condition (L1, L4.1 to L4.3)
    LC_BUILD_IT = 1
    LC_GUILTY = 2
    LC_GUILTY_PLANET = 3     # Captured Units are ignored
    LT_IMMEDIATE = 0         # end trigger (L1.5, L4.4, L4.5)
    LT_SIMULTANEOUS = 1
    LT_EQUALITY = 2
    OVER_LAUNCH = 0          # reasons of the GAME_OVER event
    OVER_NO_TILES = 1
    OVER_CAP = 2
    UNLIMITED = 255


cdef inline int column_of(const State *s) noexcept nogil:
    """The current Column, from 0 (T1.3)."""
    return (s.round - 1) % NUM_COLUMNS


cdef inline int relics_held(const Seat *seat) noexcept nogil:
    """Relic Cards, Inactive and Active."""
    return popcount64(seat.relics) + (seat.slot_relic[0] >= 0) + (seat.slot_relic[1] >= 0)


cdef int do_turn(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Turns, one after another. a: the Command Card to be Reclaimed."""
    cdef int p = s.active
    cdef int column = column_of(s)
    cdef int a, i
    cdef Seat *seat = &s.seat[p]
    if f.step == 0:
        s.phase = PH_TURN
        s.fresh = 1
        s.bonus_count = 0
        s.programs = 0
        s.played_card = -1
        emit(ctx, EV_TURN, p, s.round, column + 1, 0)
        f.step = 1
        if open_window(s, p, -1):
            return RUN
    if f.step == 1:  # T2
        if seat.commands == ALL_COMMANDS or relics_held(seat) == 0:
            f.step = 3
        else:
            a = ask(s, t, ctx, DK_RECLAIM, p)
            if a == PENDING:
                return WAIT
            f.step = 3
            if a != A_DONE:
                f.a = <int16_t>(a - A_COMMAND)
                f.step = 2
    if f.step == 2:
        a = ask(s, t, ctx, DK_RECLAIM_RELIC, p)
        if a == PENDING:
            return WAIT
        lose_relic_by(s, t, ctx, p, a)
        for i in range(NUM_COLUMNS):
            if seat.burned[i] == f.a:
                seat.burned[i] = -1
            if seat.played[i] == f.a:
                seat.played[i] = -1
        seat.commands |= <uint16_t>(1 << f.a)
        f.step = 3
    if f.step == 3:  # T3
        if popcount64(seat.commands) >= 2:
            a = ask(s, t, ctx, DK_BURN, p)
            if a == PENDING:
                return WAIT
            seat.commands &= <uint16_t>~(1 << (a - A_COMMAND))
            seat.burned[column] = <int8_t>(a - A_COMMAND)
        f.step = 4
    if f.step == 4:
        if seat.commands == 0:
            f.step = 7
        else:
            a = ask(s, t, ctx, DK_PLAY, p)
            if a == PENDING:
                return WAIT
            s.played_card = <int8_t>(a - A_COMMAND)
            seat.commands &= <uint16_t>~(1 << s.played_card)
            seat.played[column] = s.played_card
            f.step = 5
            push(s, PR_CARD, s.played_card, 0, 1, 0)
            return RUN
    if f.step == 5:  # T5
        f.step = 6
        if open_window(s, p, -1):
            return RUN
    if f.step == 6:
        a = ask(s, t, ctx, DK_BONUS, p)
        if a == PENDING:
            return WAIT
        f.step = 7
        if a >= A_BONUS:
            push(s, PR_BONUS, a - A_BONUS, 0, 0, 0)
            return RUN
    if f.step == 7:  # T6
        if t.end_without_tiles and not any128(tiles_left(s)) and not launch_anywhere(t):
            return finish(s, ctx, OVER_NO_TILES)
        f.step = 8
        if open_window(s, p, -1):
            return RUN
    if f.step == 8:
        if launch_open(s, t, p):
            if t.condition == LC_BASE:
                a = ask(s, t, ctx, DK_LAUNCH, p)
                if a == PENDING:
                    return WAIT
                if a == A_YES and attempt_launch(s, t, ctx, p):
                    if t.trigger == LT_IMMEDIATE:
                        return finish(s, ctx, OVER_LAUNCH)
            elif launch_by_itself(s, t, p):
                launch(s, t, ctx, p)
                ctx.stats.launch_clean += 1
                if t.trigger == LT_IMMEDIATE:
                    return finish(s, ctx, OVER_LAUNCH)
        f.step = 9
        if surplus_anywhere(s, t):
            push(s, PR_SURPLUS, 0, 0, 0, 0)
            return RUN
    return end_of_turn(s, t, ctx, f)


cdef int end_of_turn(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Whose turn is next, and what a round or a cycle that ends brings (T1, L4)."""
    cdef int everybody = (1 << t.players) - 1
    cdef int gone = launched_seats(s, t)
    cdef int seat = s.active
    s.final_turns &= <uint8_t>~(1 << s.active)
    if gone == everybody or (s.finale and s.final_turns == 0):
        return finish(s, ctx, OVER_LAUNCH)
    while True:
        seat = seat + 1 if seat + 1 < t.players else 0
        if seat == s.first_player:
            if gone and t.trigger == LT_EQUALITY:
                return finish(s, ctx, OVER_LAUNCH)
            if not gone and s.round >= t.max_rounds:
                return finish(s, ctx, OVER_CAP)
            if s.round % NUM_COLUMNS == 0:
                reset_cards(s, t, ctx)
                if not s.finale:
                    s.first_player = s.marker
                    seat = s.first_player
            s.round += 1
        if not gone >> seat & 1:
            break
    s.active = <uint8_t>seat
    f.step = 0
    return RUN


cdef void reset_cards(State *s, const Tables *t, Ctx *ctx) noexcept nogil:
    """T1.4: all Command Cards return to hand."""
    cdef int seat, column
    for seat in range(t.players):
        s.seat[seat].commands = ALL_COMMANDS
        for column in range(NUM_COLUMNS):
            s.seat[seat].burned[column] = -1
            s.seat[seat].played[column] = -1
    emit(ctx, EV_RESET, -1, s.round // NUM_COLUMNS, 0, 0)


# ----------------------------------------------------------------------------------------------------- Launch
cdef inline int launched_seats(const State *s, const Tables *t) noexcept nogil:
    """Players that have Launched, a bit each."""
    cdef int seats = 0
    cdef int seat
    for seat in range(t.players):
        seats |= s.seat[seat].launched << seat
    return seats


cdef inline bint launch_anywhere(const Tables *t) noexcept nogil:
    """Whether L1.3 is lifted (RUL-L4)."""
    return t.condition == LC_BUILD_IT and t.build_it_anywhere


cdef inline bint ship_complete(const State *s, int p) noexcept nogil:
    """B5.5."""
    return s.seat[p].modules == ALL_MODULES and s.seat[p].ship >= 0


cdef inline bint launch_open(const State *s, const Tables *t, int p) noexcept nogil:
    """L1.2, L1.3."""
    if not ship_complete(s, p):
        return False
    return launch_anywhere(t) or not has128(devastated(s, t), s.seat[p].ship)


cdef int stranded(const State *s, const Tables *t, int p) noexcept nogil:
    """L2.1: Troops and Vehicles neither in Reserve nor left behind in an earlier game (L5.2)."""
    cdef int units = 0
    cdef int type
    for type in range(5):
        units += t.supply[type] - s.seat[p].missing[type] - s.seat[p].reserve[type]
    return units


cdef bint launch_by_itself(const State *s, const Tables *t, int p) noexcept nogil:
    """L1.6: whether the condition of L4.1 to L4.3 holds, the Ship being completed."""
    if t.condition == LC_BUILD_IT:
        return True
    if t.condition == LC_GUILTY:
        return stranded(s, t, p) == 0
    return not any128(s.seat[p].occupied)


cdef bint attempt_launch(State *s, const Tables *t, Ctx *ctx, int p) noexcept nogil:
    """L1.4, L2: roll the Humanity Die if anybody is stranded; whether the Launch succeeds."""
    cdef int units = stranded(s, t, p)
    cdef int allowed
    if units == 0:
        ctx.stats.launch_clean += 1
    else:
        allowed = t.humanity[draw_outcome(s, ctx, CK_HUMANITY_DIE, CF_DICE, t.faces[4])]
        if 0 <= allowed < units:
            ctx.stats.launch_failed += 1
            emit(ctx, EV_LAUNCH, p, 0, units, 0)
            return False
        ctx.stats.launch_die += 1
    launch(s, t, ctx, p)
    return True


cdef void launch(State *s, const Tables *t, Ctx *ctx, int p) noexcept nogil:
    """A successful Launch. Unless it ends the game the Ship leaves and final turns may begin (L4.4, L4.10).
    """
    cdef Seat *seat = &s.seat[p]
    emit(ctx, EV_LAUNCH, p, 1, stranded(s, t, p), 0)
    seat.launched = 1
    if t.trigger == LT_IMMEDIATE:
        return
    emit(ctx, EV_LEAVE, p, UT_SHIP, seat.ship, 4)
    s.ships &= ~bit128(seat.ship)
    seat.ship = -1
    if t.trigger == LT_SIMULTANEOUS and not s.finale:
        s.finale = 1
        s.final_turns = <uint8_t>(((1 << t.players) - 1) & ~(1 << p))


# ---------------------------------------------------------------------------------------------------- surplus
cdef inline bint cells_overfull(const Seat *seat, const Tables *t) noexcept nogil:
    """B2.3 is not met."""
    cdef int troops = 0, vehicles = 0
    cdef int owner
    for owner in range(t.players):
        if seat.captured[owner]:
            troops += troops_held(seat.captured[owner])
            vehicles += vehicles_held(seat.captured[owner])
    cdef int needed = (vehicles + t.cell_vehicles - 1) // t.cell_vehicles
    needed += (troops + t.cell_troops - 1) // t.cell_troops
    return needed > t.cells - popcount64(seat.modules)


cdef inline int lorium_capacity(const State *s, const Tables *t, int p) noexcept nogil:
    """Lorium that may stay on the track (I2); large when unlimited."""
    cdef int capacity = t.capacity[min_int(influence_of(s, t, p), 255)]
    return 0x7FFFFFFF if capacity == UNLIMITED else capacity


cdef bint surplus_anywhere(const State *s, const Tables *t) noexcept nogil:
    """Whether anybody has more than T7.2 allows."""
    cdef int seat
    for seat in range(t.players):
        if count128(s.seat[seat].hand) > t.limit_discovery or relics_held(&s.seat[seat]) > t.limit_relics:
            return True
        if s.seat[seat].lorium > t.capacity[0] and s.seat[seat].lorium > lorium_capacity(s, t, seat):
            return True
        if cells_overfull(&s.seat[seat], t):
            return True
    return False


cdef int do_surplus(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """T7: everybody discards down to the limits. a: players done."""
    cdef int p, a
    cdef Seat *seat
    while f.a < t.players:
        p = (s.active + f.a) % t.players
        seat = &s.seat[p]
        if f.step == 0:
            while count128(seat.hand) > t.limit_discovery:
                a = ask(s, t, ctx, DK_DISCARD_DISCOVERY, p)
                if a == PENDING:
                    return WAIT
                discard_card(s, t, ctx, p, take_card(s, t, p, a - A_CARD))
            f.step = 1
        if f.step == 1:
            while relics_held(seat) > t.limit_relics:
                a = ask(s, t, ctx, DK_DISCARD_RELIC, p)
                if a == PENDING:
                    return WAIT
                lose_relic_by(s, t, ctx, p, a)
            a = lorium_capacity(s, t, p)
            if seat.lorium > a:
                emit(ctx, EV_LORIUM, p, a - seat.lorium, 0, 0)
                seat.lorium = a
            f.step = 2
        if f.step == 2:
            while cells_overfull(seat, t):
                a = ask(s, t, ctx, DK_DISCARD_CAPTIVE, p)
                if a == PENDING:
                    return WAIT
                release_unit(s, ctx, p, (a - A_CAPTIVE) // 5, (a - A_CAPTIVE) % 5)
            f.step = 0
        f.a += 1
    return pop(s)
