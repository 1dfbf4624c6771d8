# Goods (chapter G): Lorium, Discovery and Relic Cards, stored Lorium, Habitats that change hands (protocol
# sections 5 and 11). What lies beneath a frame: bytes of the frames below it.

cdef enum:
    DRAW_ALONE = 0         # what comes after the gaining step of a PR_DRAW: nothing,
    DRAW_THEN_GAIN = 1     # or what PR_GAIN does when the cards are there


cdef inline uint8_t *beneath(const Frame *f, int frames) noexcept nogil:
    """What a procedure keeps in so many frames beneath its own."""
    return <uint8_t *>(f - frames)


cdef inline u128 set_beneath(const Frame *f, int frames) noexcept nogil:
    """A set kept in two frames, ``frames`` beneath."""
    cdef u128 found
    memcpy(&found, f - frames, sizeof(u128))
    return found


cdef inline void put_set(Frame *f, int frames, u128 members) noexcept nogil:
    """Keep a set in two frames, ``frames`` beneath."""
    memcpy(f - frames, &members, sizeof(u128))


cdef inline int lorium_of(const Seat *seat) noexcept nogil:
    """G2.2: on the track and stored."""
    return seat.lorium + slot_lorium(seat, 0) + slot_lorium(seat, 1)


cdef inline void gain_lorium(State *s, Ctx *ctx, int p, int amount) noexcept nogil:
    """Lorium from the supply, to the track."""
    if amount:
        s.seat[p].lorium += amount
        emit(ctx, EV_LORIUM, p, amount, 0, 0)


cdef void pay_lorium(State *s, Ctx *ctx, int p, int amount) noexcept nogil:
    """G2.2: the track first, then the smaller store (equal: slot 0), then the other."""
    cdef Seat *seat = &s.seat[p]
    cdef int part, slot
    if amount == 0:
        return
    emit(ctx, EV_LORIUM, p, -amount, 0, 0)
    part = min_int(amount, seat.lorium)
    seat.lorium -= part
    amount -= part
    while amount > 0:
        slot = 0
        if slot_lorium(seat, 0) == 0 or (slot_lorium(seat, 1) and slot_lorium(seat, 1) < slot_lorium(seat, 0)):
            slot = 1
        part = min_int(amount, slot_lorium(seat, slot))
        if part == 0:
            return
        seat.slot[slot] -= <uint8_t>part
        amount -= part


cdef inline void take_from_track(State *s, Ctx *ctx, int p, int amount) noexcept nogil:
    """Lorium is lost from the track alone."""
    if amount:
        s.seat[p].lorium -= amount
        emit(ctx, EV_LORIUM, p, -amount, 0, 0)


# -------------------------------------------------------------------------------------------- Discovery Cards
cdef int card_copy(const Tables *t, u128 copies, int design) noexcept nogil:
    """The lowest of the copies with that design."""
    while t.design_of[first128(copies)] != design:
        copies = rest128(copies)
    return first128(copies)


cdef inline int take_card(State *s, const Tables *t, int p, int design) noexcept nogil:
    """Take the lowest copy of a design out of a hand."""
    cdef int copy = card_copy(t, s.seat[p].hand, design)
    remove_card(s, t, p, copy)
    return copy


cdef inline void discard_card(State *s, const Tables *t, Ctx *ctx, int p, int copy) noexcept nogil:
    """A Discovery Card goes to the discard pile."""
    s.discard |= bit128(copy)
    emit(ctx, EV_DISCARD, p, 0, t.design_of[copy], 0)


cdef inline void shuffle_deck(State *s, const Tables *t, Ctx *ctx) noexcept nogil:
    """Shuffle the Discovery draw pile, which lies in ascending order."""
    shuffle_items(s, ctx, CK_DISCOVERY_SHUFFLE, CF_DECKS, s.deck, s.deck_size, t.design_of, True, 0)


cdef inline void shuffle_relics(State *s, const Tables *t, Ctx *ctx) noexcept nogil:
    """Shuffle the Relic draw pile, which lies in ascending order."""
    shuffle_items(s, ctx, CK_RELIC_SHUFFLE, CF_DECKS, s.relic_deck, s.relic_deck_size,
                  t.relic_design_of, True, 0)


cdef void rebuild_deck(State *s, const Tables *t, Ctx *ctx) noexcept nogil:
    """D1.1: the discard pile, shuffled, becomes the draw pile."""
    cdef u128 pile = s.discard
    s.deck_size = 0
    while any128(pile):
        s.deck[s.deck_size] = <uint8_t>first128(pile)
        s.deck_size += 1
        pile = rest128(pile)
    s.discard = 0
    shuffle_deck(s, t, ctx)
    if unlikely(ctx.knows != NULL):
        know_rebuilt(ctx, s, t, DISCOVERY_PILE)


cdef int draw_card(State *s, const Tables *t, Ctx *ctx, int p) noexcept nogil:
    """The top Discovery Card (D1.1); -1 if both piles are empty."""
    if s.deck_size == 0:
        if not any128(s.discard):
            return -1
        rebuild_deck(s, t, ctx)
    s.deck_size -= 1
    emit_hidden(ctx, 1 << p, EV_DRAW, p, 0, t.design_of[s.deck[s.deck_size]], 0)
    return s.deck[s.deck_size]


cdef bint only_these(const State *s, u128 copies) noexcept nogil:
    """Whether neither pile holds a Discovery Card besides these (RUL-D2)."""
    cdef u128 pile = s.discard
    cdef int i
    for i in range(s.deck_size):
        pile |= bit128(s.deck[i])
    return not any128(pile & ~copies)


cdef int draw_to_hand(State *s, const Tables *t, Ctx *ctx, int p, int count, int *gained,
                      u128 resolved) noexcept nogil:
    """Go on with a gaining step: draw until ``gained`` is ``count`` or an Event turns up that has not been
    resolved in this step. The copy of that Event, or -1 when the step is over.
    """
    cdef int copy
    while gained[0] < count:
        copy = draw_card(s, t, ctx, p)
        if copy < 0:
            return -1
        if not has128(t.event_copies, copy):
            add_card(s, t, ctx, p, copy)
            gained[0] += 1
            if unlikely(ctx.knows != NULL):
                know_drawn(ctx, s, t, DISCOVERY_PILE, p, copy)
            continue
        if unlikely(ctx.knows != NULL):
            know_turned(ctx, s, t, DISCOVERY_PILE, copy)
        if not has128(resolved, copy):
            return copy
        discard_card(s, t, ctx, p, copy)
        if only_these(s, resolved):
            return -1
    return -1


cdef inline u128 copies_of(const Tables *t, int design) noexcept nogil:
    """All copies of a Discovery design."""
    cdef u128 copies = 0
    cdef int i
    for i in range(t.first_copy[design], t.first_copy[design + 1]):
        copies |= bit128(i)
    return copies


cdef bint draw_cards(State *s, const Tables *t, Ctx *ctx, int p, int count) noexcept nogil:
    """One gaining step (D1.1): draw ``count`` Discovery Cards; `amount` is how many were gained. If a Planetary
    Event turns up, it is the next thing to be resolved, and true is returned.
    """
    cdef int gained = 0
    cdef int copy = draw_to_hand(s, t, ctx, p, count, &gained, 0)
    s.amount = <int16_t>gained
    if copy < 0:
        return False
    start_draw(s, p, count, copy, gained, 0, DRAW_ALONE)
    return True


cdef void start_draw(State *s, int p, int count, int copy, int gained, u128 resolved, int then) noexcept nogil:
    """An Event that has been drawn is the next thing; ``then``: DRAW_..., what comes after the step."""
    cdef Frame *f
    room_for(s)
    room_for(s)
    f = push(s, PR_DRAW, p, count, copy, gained, then)
    put_set(f, 2, resolved)


cdef int do_draw(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """A gaining step from an Event on (V1.10). a: cards to be gained, b: copy of the Event, c: cards gained,
    d: DRAW_...; beneath: copies of the Events met in this step.
    """
    cdef int p = f.p
    cdef int design = t.design_of[f.b]
    cdef int gained
    cdef u128 resolved = set_beneath(f, 2)
    while True:
        if f.step == 0:
            f.step = 2
            if s.programs < t.limit_programs and t.ability[design] >= 0:
                emit(ctx, EV_PLAY_CARD, p, design, 3, 0)
                f.step = 1
                s.programs += 1
                start_program(s, t, t.ability[design], p, NULL)
                return RUN
        if f.step == 1:
            s.programs -= 1
        discard_card(s, t, ctx, p, f.b)
        resolved |= copies_of(t, design)
        put_set(f, 2, resolved)
        f.b = -1
        if not only_these(s, resolved):
            gained = f.c
            f.b = <int16_t>draw_to_hand(s, t, ctx, p, f.a, &gained, resolved)
            f.c = <int16_t>gained
        if f.b < 0:
            s.amount = f.c
            if f.d == DRAW_ALONE:
                return drop(s, 3)
            gained = f.a
            drop(s, 3)
            push(s, PR_GAIN, p, gained, 0, 0, 0).step = 1
            return RUN
        design = t.design_of[f.b]
        f.step = 0


cdef bint gain_cards(State *s, const Tables *t, Ctx *ctx, int p, int count) noexcept nogil:
    """Draw Discovery Cards and tell `gained`; whether a procedure was started."""
    cdef int step = 0
    if likely(not any128(t.event_copies)) and not watched(s, TRIGGER_GAINED):
        draw_cards(s, t, ctx, p, count)
        if likely(not watched(s, TRIGGER_GAINED)):
            return False
        step = 1  # one of these cards answers it
    push(s, PR_GAIN, p, count, 0, 0, 0).step = <uint8_t>step
    return True


cdef int do_gain(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Discovery Cards are gained, or from step 3 the Marker, then `gained`. a: how many, b: how many were."""
    cdef int p, count, gained, copy
    if f.step == 0:
        f.step = 1
        gained = 0
        copy = draw_to_hand(s, t, ctx, f.p, f.a, &gained, 0)
        s.amount = <int16_t>gained
        if copy >= 0:  # the draw takes the place of this frame and puts it back: Events within Events cost room
            p = f.p
            count = f.a
            pop(s)
            start_draw(s, p, count, copy, gained, 0, DRAW_THEN_GAIN)
            return RUN
    if f.step == 1:
        f.b = s.amount
        f.step = 2
        if f.b and tell_gained(s, t, f.p, KIND_DISCOVERY, f.b):
            return RUN
    if f.step == 3:
        f.b = 1
        f.step = 2
        if take_marker(s, t, ctx, f.p):
            return RUN
    s.amount = f.b
    s.complete = f.b >= f.a
    return pop(s)


# ------------------------------------------------------------------------------------------------ Relic Cards
cdef int draw_relic(State *s, const Tables *t, Ctx *ctx, int p) noexcept nogil:
    """The top Relic Card (D1.1); -1 if both piles are empty."""
    cdef uint64_t pile
    if s.relic_deck_size == 0:
        if s.relic_discard == 0:
            return -1
        pile = s.relic_discard
        while pile:
            s.relic_deck[s.relic_deck_size] = <uint8_t>ctz64(pile)
            s.relic_deck_size += 1
            pile &= pile - 1
        s.relic_discard = 0
        shuffle_relics(s, t, ctx)
        if unlikely(ctx.knows != NULL):
            know_rebuilt(ctx, s, t, RELIC_PILE)
    s.relic_deck_size -= 1
    emit_hidden(ctx, 1 << p, EV_DRAW, p, 1, t.relic_design_of[s.relic_deck[s.relic_deck_size]], 0)
    return s.relic_deck[s.relic_deck_size]


cdef inline void discard_relic(State *s, const Tables *t, Ctx *ctx, int p, int copy) noexcept nogil:
    """A Relic Card goes to the discard pile."""
    s.relic_discard |= <uint64_t>1 << copy
    emit(ctx, EV_DISCARD, p, 1, t.relic_design_of[copy], 0)


cdef inline int relic_copy(const Tables *t, uint64_t copies, int design) noexcept nogil:
    """The lowest of the copies with that design."""
    while t.relic_design_of[ctz64(copies)] != design:
        copies &= copies - 1
    return ctz64(copies)


cdef inline int empty_slot(State *s, const Tables *t, Ctx *ctx, int p, int slot) noexcept nogil:
    """An Active Relic leaves its slot and loses its effect; its copy."""
    cdef int copy = slot_relic(&s.seat[p], slot)
    change_slot(s, t, p, slot, 0)
    emit(ctx, EV_RELIC, p, t.relic_design_of[copy], slot, 0)
    return copy


cdef int take_relic_by(State *s, const Tables *t, Ctx *ctx, int p, int action) noexcept nogil:
    """Take the Relic Card that ``action`` (a design of an Inactive one, or a slot) names, openly; its copy."""
    cdef int copy
    if action < A_CARD:
        return empty_slot(s, t, ctx, p, action - A_SLOT)
    copy = relic_copy(t, s.seat[p].relics, action - A_CARD)
    s.seat[p].relics &= ~(<uint64_t>1 << copy)
    opened_relic(s, t, ctx, p, copy)
    return copy


cdef inline void lose_relic_by(State *s, const Tables *t, Ctx *ctx, int p, int action) noexcept nogil:
    """Discard the Relic Card that ``action`` names."""
    discard_relic(s, t, ctx, p, take_relic_by(s, t, ctx, p, action))


cdef inline int slot_with(const Seat *seat, int copy) noexcept nogil:
    """The slot of an Active Relic Card; -1: it is not there."""
    if slot_relic(seat, 0) == copy:
        return 0
    return 1 if slot_relic(seat, 1) == copy else -1


cdef bint take_relic_copy(State *s, const Tables *t, Ctx *ctx, int p, int copy) noexcept nogil:
    """Take a Relic Card, Inactive or Active, if the player still has it."""
    cdef int slot = slot_with(&s.seat[p], copy)
    if slot >= 0:
        empty_slot(s, t, ctx, p, slot)
        return True
    if not s.seat[p].relics >> copy & 1:
        return False
    s.seat[p].relics &= ~(<uint64_t>1 << copy)
    return True


cdef bint lose_relic_copy(State *s, const Tables *t, Ctx *ctx, int p, int copy) noexcept nogil:
    """Discard a Relic Card, Inactive or Active, if the player still has it."""
    cdef bint inactive = s.seat[p].relics >> copy & 1
    if not take_relic_copy(s, t, ctx, p, copy):
        return False
    discard_relic(s, t, ctx, p, copy)
    if inactive:
        opened_relic(s, t, ctx, p, copy)
    return True


cdef inline bint slot_empty(const Seat *seat, int slot) noexcept nogil:
    """G3.6."""
    return seat.slot[slot] == 0


cdef inline bint open_window(State *s, int p, int relic) noexcept nogil:
    """Open a relic window if the player can act in it (RUL-T6); ``relic``: the copy just gained, -1 for all.
    """
    cdef const Seat *seat = &s.seat[p]
    if relic < 0 and seat.relics == 0 and slot_lorium(seat, 0) == 0 and slot_lorium(seat, 1) == 0:
        return False
    push(s, PR_WINDOW, p, 0, relic, 0, 0)
    return True


cdef int do_window(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Activate Relic Cards, move stored Lorium back. b: the only card offered or -1, c: card or slot."""
    cdef int p = f.p
    cdef Seat *seat = &s.seat[p]
    cdef int a, slot
    while True:
        if f.step == 0:
            a = ask(s, t, ctx, DK_RELIC_WINDOW, p)
            if a == PENDING:
                return WAIT
            if a == NONE or a == A_DONE:
                return pop(s)
            if a >= A_CARD:
                f.c = f.b if f.b >= 0 else <int16_t>relic_copy(t, seat.relics, a - A_CARD)
                named_card(s, t, ctx, RELIC_PILE, p, f.c)
                f.step = 1
            else:
                f.c = <int16_t>(a - A_SLOT)
                f.step = 2
        if f.step == 1:
            if not slot_empty(seat, 0) and not slot_empty(seat, 1):
                a = ask(s, t, ctx, DK_CLEAR_SLOT, p)
                if a == PENDING:
                    return WAIT
                slot = a - A_SLOT
                if slot_relic(seat, slot) >= 0:
                    discard_relic(s, t, ctx, p, empty_slot(s, t, ctx, p, slot))
                seat.lorium += slot_lorium(seat, slot)
                seat.slot[slot] = 0
            slot = 0 if slot_empty(seat, 0) else 1
            seat.relics &= ~(<uint64_t>1 << f.c)
            opened_relic(s, t, ctx, p, f.c)
            change_slot(s, t, p, slot, SLOT_RELIC + f.c)
            emit(ctx, EV_RELIC, p, t.relic_design_of[f.c], slot, 1)
            f.step = 0
            if f.b >= 0:
                return pop(s)
        if f.step == 2:
            a = ask(s, t, ctx, DK_UNSTORE_AMOUNT, p)
            if a == PENDING:
                return WAIT
            seat.slot[f.c] -= <uint8_t>(a - A_NUMBER)
            seat.lorium += a - A_NUMBER
            f.step = 0


cdef inline void gain_relic(State *s, int p, int count) noexcept nogil:
    """G3.1, so many times, as the next thing to be done."""
    room_for(s)
    push(s, PR_GAIN_RELIC, p, count, 0, 0, 0)


cdef int relics_drawn(const State *s, const Tables *t, int p) noexcept nogil:
    """How many Relic Cards are drawn for one to be gained (C08)."""
    cdef int count = 2
    if has_mod(s, p, MOD_RELIC_DRAW):
        count += mod_sum(s, t, p, MOD_RELIC_DRAW)
        count = 1 if count < 1 else min_int(count, MAX_RELICS_DRAWN)
    return count


cdef int do_gain_relic(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Draw two Relic Cards, keep one, and a window to Activate it. a: Relics left to gain, b: gained, c: cards
    drawn, d: some could not be; beneath: the copies drawn.
    """
    cdef int p = f.p
    cdef uint8_t *drawn = beneath(f, 1)
    cdef int a, i, copy
    while True:
        if f.step == 0 and f.a > 0:
            f.a -= 1
            f.c = 0
            for i in range(relics_drawn(s, t, p)):
                copy = draw_relic(s, t, ctx, p)
                if copy < 0:
                    break
                drawn[f.c] = <uint8_t>copy
                f.c += 1
                if unlikely(ctx.knows != NULL):
                    know_looked(ctx, s, t, RELIC_PILE, p, copy)
            f.step = 1 if f.c else 0
            if not f.c:
                f.d = 1
                continue
        if f.step == 1:
            copy = drawn[0]
            if f.c > 1:
                a = ask(s, t, ctx, DK_KEEP_RELIC, p)
                if a == PENDING:
                    return WAIT
                for i in range(f.c):
                    if t.relic_design_of[drawn[i]] == a - A_CARD:
                        copy = drawn[i]
                        break
            for i in range(f.c):
                if drawn[i] != copy:
                    discard_relic(s, t, ctx, p, drawn[i])
                    opened_relic(s, t, ctx, ON_TABLE, drawn[i])
            if unlikely(ctx.knows != NULL):
                know_settled(ctx, t, RELIC_PILE, p, 1, 0)
            add_relic(s, t, ctx, p, copy)
            ctx.stats.relics += 1
            f.b += 1
            f.step = 0
            if s.phase == PH_TURN:  # no Relic Card is Activated before the first turn (RUL-S16)
                open_window(s, p, copy)
                return RUN
            continue
        if f.step == 0:
            f.step = 2
            if f.b and tell_gained(s, t, p, KIND_RELIC, f.b):
                return RUN
        s.amount = f.b
        s.complete = f.d == 0
        return drop(s, 2)


# ----------------------------------------------------------------------------------- Habitats and their Flags
cdef bint take_habitat(State *s, const Tables *t, Ctx *ctx, int space, int to, int cause) noexcept nogil:
    """Control of a Habitat goes to player ``to`` (NOBODY: to none) by an effect of ``cause``, `habitat_lost`
    and `gained` told; `amount` is 1 if it did. Whether a procedure was started.
    """
    if not watched(s, TRIGGER_HABITAT_LOST) and not watched(s, TRIGGER_GAINED):
        if to == NOBODY or count128(s.seat[to].control) < t.limit_flags:
            s.amount = controller_of(s, t, space) != (to if to != NOBODY else -1)
            set_control(s, t, ctx, space, to if to != NOBODY else -1)
            return False
    push(s, PR_TAKE, to, space, cause, -1, 0)
    return True


cdef int do_take(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """A Habitat changes control. p: the new controller or NOBODY, a: space, b: who causes it, c: old controller.
    """
    cdef int to = f.p
    cdef int a
    if f.step == 0:
        f.c = <int16_t>controller_of(s, t, f.a)
        f.step = 1
        s.verdict = 0
        if f.c >= 0 and f.c != f.b and watched(s, TRIGGER_HABITAT_LOST):
            if open_event(s, t, TRIGGER_HABITAT_LOST, f.b, f.c, KIND_NEUTRALIZED if to == NOBODY else KIND_TAKEN,
                          f.a, 0):
                return RUN
    if f.step == 1:
        s.amount = 0
        if s.verdict & WD_CANCELLED or controller_of(s, t, f.a) != f.c or not has128(habitats(s), f.a):
            return pop(s)
        f.step = 2
    if f.step == 2:
        while to != NOBODY and count128(s.seat[to].control) >= t.limit_flags:
            a = ask(s, t, ctx, DK_GIVE_UP_FLAG, to)
            if a == PENDING:
                return WAIT
            set_control(s, t, ctx, a - A_SPACE, -1)
        set_control(s, t, ctx, f.a, to if to != NOBODY else -1)
        f.step = 3
        if to != NOBODY and tell_gained(s, t, to, KIND_HABITAT, 1):
            return RUN
    s.amount = 1
    return pop(s)


cdef inline bint check_flags(State *s, const Tables *t, int p, u128 received) noexcept nogil:
    """After an exchange: above the limit of Flags some are given up, of Habitats just received none while there
    is another (G5.8). Whether a procedure was started.
    """
    cdef Frame *f
    if count128(s.seat[p].control) <= t.limit_flags:
        return False
    room_for(s)
    room_for(s)
    f = push(s, PR_FLAGS, p, 0, 0, 0, 0)
    put_set(f, 2, received)
    return True


cdef int do_flags(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Give up Flags down to the limit. Beneath: Habitats just received."""
    cdef int a
    while count128(s.seat[f.p].control) > t.limit_flags:
        a = ask(s, t, ctx, DK_GIVE_UP_FLAG, f.p)
        if a == PENDING:
            return WAIT
        set_control(s, t, ctx, a - A_SPACE, -1)
    return drop(s, 3)


cdef void offer_give_up(const State *s, const Frame *f, int p, uint64_t *mask) noexcept nogil:
    """GIVE_UP_FLAG."""
    cdef u128 control = s.seat[p].control
    cdef u128 others = control
    if f.proc == PR_FLAGS:
        others &= ~set_beneath(f, 2)
    offer_spaces(mask, others if any128(others) else control)


# ------------------------------------------------------------------------------------------------ stored Lorium
cdef int store_slots(const State *s, int p, int most) noexcept nogil:
    """N2.5: the lowest empty slot, slots with room on their store; with none empty those of Active Relics
    too.
    """
    cdef const Seat *seat = &s.seat[p]
    cdef int slots = 0
    cdef int slot
    cdef bint empty = False
    for slot in range(NUM_SLOTS):
        if slot_empty(seat, slot):
            if not empty:
                slots |= 1 << slot
            empty = True
        elif 0 < slot_lorium(seat, slot) < most:
            slots |= 1 << slot
    if not empty:
        for slot in range(NUM_SLOTS):
            if slot_relic(seat, slot) >= 0:
                slots |= 1 << slot
    return slots


cdef int do_store(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """STORE_LORIUM (N2.5) and the verb `store`. a: how much at most, b: slot."""
    cdef int p = f.p
    cdef Seat *seat = &s.seat[p]
    cdef int a
    if f.step == 0:
        s.complete = 0
        if seat.lorium <= 0:
            return pop(s)
        a = ask(s, t, ctx, DK_STORE_SLOT, p)
        if a == PENDING:
            return WAIT
        if a == NONE:
            return pop(s)
        f.b = <int16_t>(a - A_SLOT)
        f.step = 1
        if slot_relic(seat, f.b) >= 0:
            discard_relic(s, t, ctx, p, empty_slot(s, t, ctx, p, f.b))
    a = ask(s, t, ctx, DK_STORE_AMOUNT, p)
    if a == PENDING:
        return WAIT
    seat.lorium -= a - A_NUMBER
    seat.slot[f.b] += <uint8_t>(a - A_NUMBER)
    s.complete = 1
    return pop(s)


# --------------------------------------------------------------------------------------------------- resources
cdef int resource_kinds(const State *s, const Tables *t, int p) noexcept nogil:
    """Kinds of Resource a player has (G1.1), a bit each."""
    cdef const Seat *seat = &s.seat[p]
    cdef int kinds = 0
    if lorium_of(seat):
        kinds |= 1 << RS_LORIUM
    if any128(seat.hand):
        kinds |= 1 << RS_DISCOVERY
    if relics_held(seat):
        kinds |= 1 << RS_RELIC
    if any_captive(seat.captured):
        kinds |= 1 << RS_CAPTIVE
    if any128(seat.control):
        kinds |= 1 << RS_HABITAT
    return kinds
