# Goods (chapter G): Lorium, Discovery and Relic Cards, stored Lorium, payments (protocol sections 5 and 11).

cdef inline int lorium_of(const Seat *seat) noexcept nogil:
    """G2.2: on the track and stored."""
    return seat.lorium + seat.slot_lorium[0] + seat.slot_lorium[1]


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
        if seat.slot_lorium[0] == 0 or (seat.slot_lorium[1] and seat.slot_lorium[1] < seat.slot_lorium[0]):
            slot = 1
        part = min_int(amount, seat.slot_lorium[slot])
        if part == 0:
            return
        seat.slot_lorium[slot] -= <uint8_t>part
        amount -= part


# -------------------------------------------------------------------------------------------- Discovery Cards
cdef inline int take_card(State *s, const Tables *t, int p, int design) noexcept nogil:
    """Take the lowest copy of a design out of a hand."""
    cdef u128 copies = s.seat[p].hand
    cdef int copy
    while t.design_of[first128(copies)] != design:
        copies = rest128(copies)
    copy = first128(copies)
    s.seat[p].hand &= ~bit128(copy)
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


cdef void draw_cards(State *s, const Tables *t, Ctx *ctx, int p, int count) noexcept nogil:
    """One gaining step: draw up to ``count`` Discovery Cards (D1.1). Planetary Events are discarded and
    replaced; once each Event in the piles has turned up and nothing else is left, the step ends (RUL-D2)."""
    cdef u128 resolved = 0  # copies of Event designs met in this step
    cdef u128 left
    cdef int copy, i, design
    while count > 0:
        if s.deck_size == 0:
            if not any128(s.discard):
                return
            rebuild_deck(s, t, ctx)
        s.deck_size -= 1
        copy = s.deck[s.deck_size]
        design = t.design_of[copy]
        emit(ctx, EV_DRAW, p, 0, design, 0)
        if has128(t.event_copies, copy):
            discard_card(s, t, ctx, p, copy)
            for i in range(t.first_copy[design], t.first_copy[design + 1]):
                resolved |= bit128(i)
            left = s.discard
            for i in range(s.deck_size):
                left |= bit128(s.deck[i])
            if not any128(left & ~resolved):
                return
            continue
        s.seat[p].hand |= bit128(copy)
        count -= 1


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
    s.relic_deck_size -= 1
    emit(ctx, EV_DRAW, p, 1, t.relic_design_of[s.relic_deck[s.relic_deck_size]], 0)
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
    cdef int copy = s.seat[p].slot_relic[slot]
    s.seat[p].slot_relic[slot] = -1
    emit(ctx, EV_RELIC, p, t.relic_design_of[copy], slot, 0)
    return copy


cdef int take_relic_by(State *s, const Tables *t, Ctx *ctx, int p, int action) noexcept nogil:
    """Take the Relic Card that ``action`` (a design of an Inactive one, or a slot) names; its copy."""
    cdef int copy
    if action < A_CARD:
        return empty_slot(s, t, ctx, p, action - A_SLOT)
    copy = relic_copy(t, s.seat[p].relics, action - A_CARD)
    s.seat[p].relics &= ~(<uint64_t>1 << copy)
    return copy


cdef inline void lose_relic_by(State *s, const Tables *t, Ctx *ctx, int p, int action) noexcept nogil:
    """Discard the Relic Card that ``action`` names."""
    discard_relic(s, t, ctx, p, take_relic_by(s, t, ctx, p, action))


cdef inline bint slot_empty(const Seat *seat, int slot) noexcept nogil:
    """G3.6."""
    return seat.slot_relic[slot] < 0 and seat.slot_lorium[slot] == 0


cdef inline bint open_window(State *s, int p, int relic) noexcept nogil:
    """Open a relic window if the player can act in it (RUL-T6); ``relic``: the copy just gained, -1 for all.
    """
    cdef const Seat *seat = &s.seat[p]
    if relic < 0 and seat.relics == 0 and seat.slot_lorium[0] == 0 and seat.slot_lorium[1] == 0:
        return False
    push(s, PR_WINDOW, p, relic, 0, 0)
    return True


cdef int do_window(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Activate Relic Cards, move stored Lorium back. a: player, b: the only card offered or -1, c: card or
    slot.
    """
    cdef int p = f.a
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
                if seat.slot_relic[slot] >= 0:
                    discard_relic(s, t, ctx, p, empty_slot(s, t, ctx, p, slot))
                seat.lorium += seat.slot_lorium[slot]
                seat.slot_lorium[slot] = 0
            slot = 0 if slot_empty(seat, 0) else 1
            seat.relics &= ~(<uint64_t>1 << f.c)
            seat.slot_relic[slot] = <int8_t>f.c
            emit(ctx, EV_RELIC, p, t.relic_design_of[f.c], slot, 1)
            f.step = 0
            if f.b >= 0:
                return pop(s)
        if f.step == 2:
            a = ask(s, t, ctx, DK_UNSTORE_AMOUNT, p)
            if a == PENDING:
                return WAIT
            seat.slot_lorium[f.c] -= <uint8_t>(a - A_NUMBER)
            seat.lorium += a - A_NUMBER
            f.step = 0


cdef inline void gain_relic(State *s, int p) noexcept nogil:
    """G3.1, as the next thing to be done."""
    push(s, PR_GAIN_RELIC, p, -1, -1, 0)


cdef int do_gain_relic(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Draw two Relic Cards, keep one, and a window to Activate it. a: player, b and c: the cards drawn."""
    cdef int p = f.a
    cdef int a, kept
    if f.step == 0:
        f.b = <int16_t>draw_relic(s, t, ctx, p)
        if f.b < 0:
            return pop(s)
        f.c = <int16_t>draw_relic(s, t, ctx, p)
        f.step = 1
    kept = f.b
    if f.c >= 0:
        a = ask(s, t, ctx, DK_KEEP_RELIC, p)
        if a == PENDING:
            return WAIT
        if t.relic_design_of[kept] != a - A_CARD:
            kept = f.c
        discard_relic(s, t, ctx, p, f.b + f.c - kept)
    s.seat[p].relics |= <uint64_t>1 << kept
    ctx.stats.relics += 1
    pop(s)
    if s.phase != PH_SETUP:
        open_window(s, p, kept)
    return RUN


# ----------------------------------------------------------------------------------- Habitats and their Flags
cdef inline bint gain_control(State *s, const Tables *t, Ctx *ctx, int p, int space) noexcept nogil:
    """p gains a Habitat; at the limit of Flags one is given up first (I3.3), and true is returned: call
    ``run``.
    """
    if count128(s.seat[p].control) < t.limit_flags or has128(s.seat[p].control, space):
        set_control(s, t, ctx, space, p)
        return False
    push(s, PR_GAIN_CONTROL, p, space, 0, 0)
    return True


cdef int do_gain_control(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """a: player, b: the Habitat to gain, or -1: give up Flags down to the limit."""
    cdef int a
    while count128(s.seat[f.a].control) + (f.b >= 0) > t.limit_flags:
        a = ask(s, t, ctx, DK_GIVE_UP_FLAG, f.a)
        if a == PENDING:
            return WAIT
        set_control(s, t, ctx, a - A_SPACE, -1)
    if f.b >= 0:
        set_control(s, t, ctx, f.b, f.a)
    s.used = 0
    return pop(s)


# --------------------------------------------------------------------------------------------------- payments
cdef int resource_kinds(const State *s, const Tables *t, int p) noexcept nogil:
    """Kinds of Resource a player has (G1.1), a bit each."""
    cdef const Seat *seat = &s.seat[p]
    cdef int kinds = 0
    cdef int owner
    if lorium_of(seat):
        kinds |= 1 << RS_LORIUM
    if any128(seat.hand):
        kinds |= 1 << RS_DISCOVERY
    if relics_held(seat):
        kinds |= 1 << RS_RELIC
    for owner in range(t.players):
        if seat.captured[owner]:
            kinds |= 1 << RS_CAPTIVE
    if any128(seat.control):
        kinds |= 1 << RS_HABITAT
    return kinds


cdef int do_pay(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """The active player pays one Resource (G1.4, N5.4). a: to whom, -1: nobody."""
    cdef int p = s.active
    cdef int to = f.a
    cdef int a, copy
    if f.step == 0:
        a = ask(s, t, ctx, DK_PAY_KIND, p)
        if a == PENDING:
            return WAIT
        f.step = <uint8_t>(1 + a - A_RESOURCE)
    if f.step == 1 + RS_LORIUM:
        pay_lorium(s, ctx, p, 1)
        if to >= 0:
            gain_lorium(s, ctx, to, 1)
        return pop(s)
    if f.step == 1 + RS_DISCOVERY:
        a = ask(s, t, ctx, DK_PAY_CARD, p)
        if a == PENDING:
            return WAIT
        copy = take_card(s, t, p, a - A_CARD)
        if to >= 0:
            s.seat[to].hand |= bit128(copy)
        else:
            discard_card(s, t, ctx, p, copy)
        return pop(s)
    if f.step == 1 + RS_RELIC:
        a = ask(s, t, ctx, DK_PAY_RELIC, p)
        if a == PENDING:
            return WAIT
        copy = take_relic_by(s, t, ctx, p, a)
        pop(s)
        if to >= 0:
            s.seat[to].relics |= <uint64_t>1 << copy
            open_window(s, to, copy)
        else:
            discard_relic(s, t, ctx, p, copy)
        return RUN
    if f.step == 1 + RS_CAPTIVE:
        a = ask(s, t, ctx, DK_PAY_CAPTIVE, p)
        if a == PENDING:
            return WAIT
        a -= A_CAPTIVE
        if to >= 0:
            pass_captive(s, ctx, p, to, a // 5, a % 5)
        else:
            release_unit(s, ctx, p, a // 5, a % 5)
        return pop(s)
    a = ask(s, t, ctx, DK_PAY_HABITAT, p)
    if a == PENDING:
        return WAIT
    set_control(s, t, ctx, a - A_SPACE, to)
    pop(s)
    if to >= 0 and count128(s.seat[to].control) > t.limit_flags:
        s.used = bit128(a - A_SPACE)
        push(s, PR_GAIN_CONTROL, to, -1, 0, 0)
    return RUN
