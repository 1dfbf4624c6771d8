# Turn, round and cycle (chapter T, protocol section 5), Launch and the end of the game (chapter L, section
# 15).

cdef enum:
    ALL_COMMANDS = (1 << 10) - 1
    LC_BASE = 0              # Launch condition (L1, L4.1 to L4.3)
    LC_BUILD_IT = 1
    LC_GUILTY = 2            # 3: Captured Units are ignored, too
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
    return popcount64(seat.relics) + (seat.slot[0] >= SLOT_RELIC) + (seat.slot[1] >= SLOT_RELIC)


cdef inline int burned_card(const Seat *seat, int column) noexcept nogil:
    """The Command Card lying Burned in a Column; -1: none."""
    cdef int card = seat.board[column] & 15
    return card if card != 15 else -1


cdef inline int board_played(const Seat *seat, int column) noexcept nogil:
    """The Command Card lying Played in a Column; -1: none."""
    cdef int card = seat.board[column] >> 4
    return card if card != 15 else -1


cdef inline void set_board(Seat *seat, int column, int burned, int played) noexcept nogil:
    """What lies in a Column; -1: nothing."""
    seat.board[column] = <uint8_t>((burned & 15) | (played & 15) << 4)


cdef void take_back(Seat *seat, int card) noexcept nogil:
    """A Command Card returns from the board to the hand (T2)."""
    cdef int column
    for column in range(NUM_COLUMNS):
        if burned_card(seat, column) == card:
            seat.board[column] |= 15
        if board_played(seat, column) == card:
            seat.board[column] |= 240
    seat.commands |= <uint16_t>(1 << card)


cdef int reclaim_ways(const State *s, const Tables *t, int p) noexcept nogil:
    """How p can pay to Reclaim (T2): 1 a Relic Card, 2 Discovery Cards, 4 Lorium."""
    cdef const Seat *seat = &s.seat[p]
    cdef int ways = 0
    cdef int price
    if denied(s, t, p, DENIAL_RECLAIM):
        return 0
    if relics_held(seat):
        ways = 1
    if has_mod(s, p, MOD_RECLAIM_WITH):
        price = reclaim_price(s, t, p, GOOD_DISCOVERY)
        if price and count128(seat.hand) >= price:
            ways |= 2
        price = reclaim_price(s, t, p, GOOD_LORIUM)
        if price and lorium_of(seat) >= price:
            ways |= 4
    return ways


cdef void start_turn(State *s, const Tables *t, int p) noexcept nogil:
    """V7.9: what is reset when a turn begins."""
    cdef int seat
    s.phase = PH_TURN
    s.fresh = 1
    s.bonus_count = 0
    s.icons_used = 0
    s.programs = 0
    s.ended_count = 0
    s.played_card = -1
    for seat in range(t.players):
        if unlikely(s.seat[seat].once):
            s.seat[seat].once &= <uint16_t>~once_mask(s, t, seat, ONCE_TURN)
            if seat == p:
                s.seat[seat].once &= <uint16_t>~once_mask(s, t, seat, ONCE_ROUND)
    end_grants(s, t, 1 << DURATION_ROUND, p, -1)


cdef int once_mask(const State *s, const Tables *t, int p, int once) noexcept nogil:
    """The flags of a player's rules of a kind (`Seat.once`)."""
    cdef const Rule *rule
    cdef int slot, mask = 0
    for slot in range(NUM_SLOTS):
        rule = slot_rule(s, t, p, slot)
        if rule != NULL and rule.on and rule.once == once:
            mask |= 1 << slot
    if s.seat[p].faction >= 0:
        mask |= t.faction_once[s.seat[p].faction][once] << NUM_SLOTS
    return mask


cdef inline void settle(State *s) noexcept nogil:
    """Nothing is being resolved: what was kept for that is forgotten, so that states alike are equal (docs/saves.md)."""
    s.area = 0
    s.zone = 0
    s.standing = 0
    s.used = 0
    clear_marks(s)
    s.mark_owner = -1
    s.strikes = 0
    s.gathered_lorium = 0
    s.amount = 0
    s.gathered_cards = 0
    s.gathered_acts = 0
    s.dice = 0
    s.group = 0
    s.fight = -1
    s.fight_captures = 0
    s.ended_count = 0
    s.verdict = 0
    s.pending = 0
    s.complete = 0


cdef int do_turn(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Turns, one after another. a: the Command Card to be Reclaimed.

    Steps: 0 begin, 1 window, 2 to 4 Reclaim, 5 Burn, 6 Play, 7 Bonus step, 8 its window, 9 Bonus Actions, 10 turn end,
    11 window, 12 to 14 Launch, 15 surplus.
    """
    cdef int p = s.active
    cdef int column = column_of(s)
    cdef int a
    cdef Seat *seat = &s.seat[p]
    f.p = <uint8_t>p
    settle(s)
    if f.step == 0:
        if s.phase == PH_SETUP:
            s.phase = PH_TURN
            refresh_effects(s, t)
        start_turn(s, t, p)
        emit(ctx, EV_TURN, p, s.round, column + 1, 0)
        f.step = 1
        if watched(s, TRIGGER_TURN_START):
            if open_event(s, t, TRIGGER_TURN_START, p, NOBODY, NO_KIND, NOWHERE, 0):
                return RUN
    if f.step == 1:
        f.step = 2
        if open_window(s, p, -1):
            return RUN
    if f.step == 2:  # T2
        f.step = 5
        if seat.commands != ALL_COMMANDS and reclaim_ways(s, t, p):
            f.step = 2
            a = ask(s, t, ctx, DK_RECLAIM, p)
            if a == PENDING:
                return WAIT
            f.step = 5
            if a != A_DONE:
                f.a = <int16_t>(a - A_COMMAND)
                f.step = 3
    if f.step == 3:
        a = ask(s, t, ctx, DK_RECLAIM_RELIC, p)
        if a == PENDING:
            return WAIT
        f.step = 4
        if a == A_RESOURCE + RS_DISCOVERY:
            start_pay(s, p, -1, GOOD_DISCOVERY, reclaim_price(s, t, p, GOOD_DISCOVERY), TO_SUPPLY)
            return RUN
        elif a == A_RESOURCE + RS_LORIUM:
            pay_lorium(s, ctx, p, reclaim_price(s, t, p, GOOD_LORIUM))
        else:
            lose_relic_by(s, t, ctx, p, a)
    if f.step == 4:
        take_back(seat, f.a)
        know_taken_back(ctx, s, p)
        f.step = 5
    if f.step == 5:  # T3
        if popcount64(seat.commands) >= 2:
            a = answer_of(s) if s.answered else ask_bits(s, ctx, DK_BURN, p, A_COMMAND, seat.commands)
            if a == PENDING:
                return WAIT
            seat.commands &= <uint16_t>~(1 << (a - A_COMMAND))
            set_board(seat, column, a - A_COMMAND, -1)
            know_burned(ctx, s, p, column)
        f.step = 6
    if f.step == 6:
        if seat.commands == 0:
            f.step = 10
        else:
            a = answer_of(s) if s.answered else ask_bits(s, ctx, DK_PLAY, p, A_COMMAND, seat.commands)
            if a == PENDING:
                return WAIT
            s.played_card = <int8_t>(a - A_COMMAND)
            seat.commands &= <uint16_t>~(1 << s.played_card)
            set_board(seat, column, burned_card(seat, column), s.played_card)
            know_shown(ctx, s, p, s.played_card)
            f.step = 7
            push(s, PR_CARD, p, s.played_card, 0, 1, 0)
            return RUN
    if f.step == 7:  # T5
        f.step = 8
        if watched(s, TRIGGER_BONUS_STEP):
            if open_event(s, t, TRIGGER_BONUS_STEP, p, NOBODY, NO_KIND, NOWHERE, 0):
                return RUN
    if f.step == 8:
        f.step = 9
        if open_window(s, p, -1):
            return RUN
    if f.step == 9:  # V9.4: as long as something is left
        a = A_DONE
        if s.answered or not s.icons_used & BONUS_TAKEN or has_mod(s, p, MOD_BONUS_RULE):
            a = ask(s, t, ctx, DK_BONUS, p)
        if a == PENDING:
            return WAIT
        if a >= A_BONUS:
            use_icon(s, t, a - A_BONUS)
            start_bonus(s, p, a - A_BONUS)
            return RUN
        f.step = 10
    if f.step == 10:  # T6
        f.step = 11
        if watched(s, TRIGGER_TURN_END):
            if open_event(s, t, TRIGGER_TURN_END, p, NOBODY, NO_KIND, NOWHERE, 0):
                return RUN
    if f.step == 11:
        if t.end_without_tiles and not any128(tiles_left(s)) and not launch_anywhere(t):
            return finish(s, t, ctx, OVER_NO_TILES)
        f.step = 12
        if open_window(s, p, -1):
            return RUN
    if f.step == 12:
        f.step = 15
        if launch_open(s, t, p):
            if t.condition == LC_BASE:
                f.step = 12
                a = ask(s, t, ctx, DK_LAUNCH, p)
                if a == PENDING:
                    return WAIT
                f.step = 15
                if a == A_YES:
                    f.step = 13
                    if stranded(s, t, p) and watched(s, TRIGGER_LAUNCH):
                        if open_event(s, t, TRIGGER_LAUNCH, p, NOBODY, NO_KIND, NOWHERE, 0):
                            return RUN
            elif launch_by_itself(s, t, p):
                launch(s, t, ctx, p)
                ctx.stats.launch_clean += 1
                if t.trigger == LT_IMMEDIATE:
                    return finish(s, t, ctx, OVER_LAUNCH)
    if f.step == 13:
        f.step = 15
        if attempt_launch(s, t, ctx, p) and t.trigger == LT_IMMEDIATE:
            return finish(s, t, ctx, OVER_LAUNCH)
    if f.step == 15:
        f.step = 16
        if surplus_anywhere(s, t):
            push(s, PR_SURPLUS, p, 0, 0, 0, 0)
            return RUN
    return end_of_turn(s, t, ctx, f)


cdef int end_of_turn(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Whose turn is next, and what a round or a cycle that ends brings (T1, L4)."""
    cdef int everybody = (1 << t.players) - 1
    cdef int gone = s.launched
    cdef int seat = s.active
    end_grants(s, t, 1 << DURATION_STRIKE | 1 << DURATION_COMBAT | 1 << DURATION_TURN, -1, -1)
    s.final_turns &= <uint8_t>~(1 << s.active)
    if gone == everybody or (s.finale and s.final_turns == 0):
        return finish(s, t, ctx, OVER_LAUNCH)
    while True:
        seat = seat + 1 if seat + 1 < t.players else 0
        if seat == s.first_player:
            if gone and t.trigger == LT_EQUALITY:
                return finish(s, t, ctx, OVER_LAUNCH)
            if not gone and s.round >= t.max_rounds:
                return finish(s, t, ctx, OVER_CAP)
            if s.round % NUM_COLUMNS == 0:
                reset_cards(s, t, ctx)
                if not s.finale:
                    s.first_player = s.marker
                    seat = s.first_player
            s.round += 1
        if not gone >> seat & 1:
            break
        end_grants(s, t, 1 << DURATION_ROUND, seat, -1)  # C20: this seat's turn would start
    s.active = <uint8_t>seat
    f.step = 0
    return RUN


cdef void reset_cards(State *s, const Tables *t, Ctx *ctx) noexcept nogil:
    """T1.4: all Command Cards return to hand."""
    cdef int seat, column
    for seat in range(t.players):
        s.seat[seat].commands = ALL_COMMANDS
        for column in range(NUM_COLUMNS):
            set_board(&s.seat[seat], column, -1, -1)
        if unlikely(s.seat[seat].once):
            s.seat[seat].once &= <uint16_t>~once_mask(s, t, seat, ONCE_CYCLE)
    if unlikely(ctx.knows != NULL):
        memset(ctx.knows.excluded, 0, sizeof(ctx.knows.excluded))
    emit(ctx, EV_RESET, -1, s.round // NUM_COLUMNS, 0, 0)


# ----------------------------------------------------------------------------------------------------- Launch
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
        units += t.supply[type] - captive_count(s.seat[p].missing, type) - s.seat[p].reserve[type]
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
    cdef int allowed, face
    if units == 0:
        ctx.stats.launch_clean += 1
    else:
        face = draw_outcome(s, ctx, CK_HUMANITY_DIE, CF_DICE, t.faces[4])
        if has_mod(s, p, MOD_HUMANITY):  # along the row of faces
            face += mod_sum(s, t, p, MOD_HUMANITY)
            face = 0 if face < 0 else min_int(face, t.faces[4] - 1)
        allowed = t.humanity[face]
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
    s.launched |= <uint8_t>(1 << p)
    if t.trigger == LT_IMMEDIATE:
        return
    refresh_watch(s, t)
    emit(ctx, EV_LEAVE, p, UT_SHIP, seat.ship, 4)
    s.ships &= ~bit128(seat.ship)
    seat.ship = -1
    if t.trigger == LT_SIMULTANEOUS and not s.finale:
        s.finale = 1
        s.final_turns = <uint8_t>(((1 << t.players) - 1) & ~(1 << p))


# ---------------------------------------------------------------------------------------------------- surplus
cdef bint cells_overfull(const State *s, const Tables *t, int p) noexcept nogil:
    """B2.3 is not met."""
    cdef const Seat *seat = &s.seat[p]
    cdef int vehicles, troops, needed, cells
    cdef bint altered = has_mod(s, p, MOD_LIMIT)
    if not any_captive(seat.captured):
        return False
    vehicles = all_vehicles_held(seat.captured)
    troops = all_troops_held(seat.captured)
    cells = t.cells - popcount64(seat.modules)
    if vehicles + troops <= cells and not (altered and t.limits_lowered):  # a cell for each
        return False
    needed = (vehicles + t.cell_vehicles - 1) // t.cell_vehicles + (troops + t.cell_troops - 1) // t.cell_troops
    if altered and (needed > cells or t.limits_lowered):
        cells += limit_sum(s, t, p, LIMIT_OF_CELLS)
        if cells < 0:
            cells = 0
    return needed > cells


cdef inline int lorium_capacity(const State *s, const Tables *t, int p) noexcept nogil:
    """Lorium that may stay on the track (I2); large when unlimited."""
    cdef int capacity = t.capacity[min_int(influence_of(s, t, p), 255)]
    if capacity == UNLIMITED:
        return 0x7FFFFFFF
    if has_mod(s, p, MOD_LIMIT):
        capacity += limit_sum(s, t, p, LIMIT_OF_LORIUM)
        if capacity < 0:
            capacity = 0
    return capacity


cdef inline int hand_limit(const State *s, const Tables *t, int p) noexcept nogil:
    """Discovery Cards that may stay in hand (T7.2)."""
    cdef int limit = t.limit_discovery
    if has_mod(s, p, MOD_LIMIT):
        limit += limit_sum(s, t, p, LIMIT_OF_DISCOVERY)
        if limit < 0:
            limit = 0
    return limit


cdef bint surplus_anywhere(const State *s, const Tables *t) noexcept nogil:
    """Whether anybody has more than T7.2 allows. What effects add to a limit matters only beyond the printed one."""
    cdef int p
    cdef bint lowered
    for p in range(t.players):
        lowered = has_mod(s, p, MOD_LIMIT) and t.limits_lowered
        if relics_held(&s.seat[p]) > t.limit_relics:
            return True
        if count128(s.seat[p].hand) > t.limit_discovery or lowered:
            if count128(s.seat[p].hand) > hand_limit(s, t, p):
                return True
        if s.seat[p].lorium > t.capacity[0] or lowered:
            if s.seat[p].lorium > lorium_capacity(s, t, p):
                return True
        if cells_overfull(s, t, p):
            return True
    return False


cdef int do_surplus(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """T7: everybody discards down to the limits. a: players done."""
    cdef int p, a
    cdef Seat *seat
    while f.a < t.players:
        p = seat_after(t, s.active, f.a)
        seat = &s.seat[p]
        if f.step == 0:
            while count128(seat.hand) > hand_limit(s, t, p):
                a = ask(s, t, ctx, DK_DISCARD_DISCOVERY, p)
                if a == PENDING:
                    return WAIT
                a = take_card(s, t, p, a - A_CARD)
                discard_card(s, t, ctx, p, a)
                opened_card(s, t, ctx, p, a)
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
            while cells_overfull(s, t, p):
                a = ask(s, t, ctx, DK_DISCARD_CAPTIVE, p)
                if a == PENDING:
                    return WAIT
                release_unit(s, ctx, p, (a - A_CAPTIVE) // 5, (a - A_CAPTIVE) % 5)
            f.step = 0
        f.a += 1
    return pop(s)
