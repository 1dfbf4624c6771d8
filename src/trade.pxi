# Resource Trading (G5, protocol section 11).
#
# list_a holds what the active player gives, list_b what the partner gives: entries 0 to 7 are the pieces of
# the offer (action ids, all below 256), from 8 on the copies picked for the counted pieces: first the
# Discovery Cards, then the Inactive Relic Cards.

cdef enum:
    TR_PICKS = 8


cdef inline int trade_partners(const State *s, const Tables *t, int p) noexcept nogil:
    """Opponents, a bit each, that have not Launched and have a Resource."""
    cdef int players = 0
    cdef int seat
    if not resource_kinds(s, t, p):
        return 0
    for seat in range(t.players):
        if seat != p and not s.seat[seat].launched and resource_kinds(s, t, seat):
            players |= 1 << seat
    return players


cdef inline const uint8_t *trade_list(const State *s, int side) noexcept nogil:
    """What the active player (0) or the partner (1) gives."""
    if side:
        return s.list_b
    return s.list_a


cdef inline int pieces_listed(const State *s, int side, int piece) noexcept nogil:
    """How often a piece is in a side's list."""
    cdef int count = s.list_other if side else s.list_count
    cdef int i
    cdef int found = 0
    for i in range(count):
        found += trade_list(s, side)[i] == piece
    return found


cdef void offer_pieces(const State *s, const Tables *t, const Frame *f, int kind,
                       uint64_t *mask) noexcept nogil:
    """TRADE_GIVE, TRADE_TAKE: pieces their owner still has and that come not before the last one listed
    (G5.6).
    """
    cdef int side = kind == DK_TRADE_TAKE
    cdef int owner = f.b if side else s.active
    cdef const Seat *seat = &s.seat[owner]
    cdef int slot, who, type, piece, held
    cdef u128 control = seat.control
    if (s.list_other if side else s.list_count) > 0:
        offer_action(mask, A_DONE)
    for slot in range(NUM_SLOTS):
        piece = A_SLOT + slot
        if seat.slot_relic[slot] >= 0 and piece >= s.least and not pieces_listed(s, side, piece):
            offer_action(mask, piece)
    piece = A_RESOURCE + RS_LORIUM
    if piece >= s.least and lorium_of(seat) > pieces_listed(s, side, piece):
        offer_action(mask, piece)
    piece = A_RESOURCE + RS_DISCOVERY
    if piece >= s.least and count128(seat.hand) > pieces_listed(s, side, piece):
        offer_action(mask, piece)
    piece = A_RESOURCE + RS_RELIC
    if piece >= s.least and popcount64(seat.relics) > pieces_listed(s, side, piece):
        offer_action(mask, piece)
    for who in range(t.players):
        if seat.captured[who]:
            for type in range(5):
                piece = A_CAPTIVE + 5 * who + type
                held = captive_count(seat.captured[who], type)
                if piece >= s.least and held > pieces_listed(s, side, piece):
                    offer_action(mask, piece)
    while any128(control):
        piece = A_SPACE + first128(control)
        if piece >= s.least and not pieces_listed(s, side, piece):
            offer_action(mask, piece)
        control = rest128(control)


cdef inline u128 picked_cards(const State *s, const Frame *f) noexcept nogil:
    """Discovery copies the player who picks has picked so far (f.c: side, f.d: picks)."""
    cdef int cards = pieces_listed(s, f.c, A_RESOURCE + RS_DISCOVERY)
    cdef u128 copies = 0
    cdef int i
    for i in range(min_int(f.d, cards)):
        copies |= bit128(trade_list(s, f.c)[TR_PICKS + i])
    return copies


cdef inline uint64_t picked_relics(const State *s, const Frame *f) noexcept nogil:
    """Relic copies the player who picks has picked so far."""
    cdef int cards = pieces_listed(s, f.c, A_RESOURCE + RS_DISCOVERY)
    cdef uint64_t copies = 0
    cdef int i
    for i in range(cards, f.d):
        copies |= <uint64_t>1 << trade_list(s, f.c)[TR_PICKS + i]
    return copies


cdef int card_copy(const Tables *t, u128 copies, int design) noexcept nogil:
    """The lowest of the copies with that design."""
    while t.design_of[first128(copies)] != design:
        copies = rest128(copies)
    return first128(copies)


cdef int do_trade(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Offers to other players. a: offers made, b: partner, c: side that picks, then has its windows, d: picks
    made.

    Steps: 0 partner, 1 and 2 the lists, 3 answer, 4 picks, 5 and 6 Flags, 7 windows for Relics received.
    """
    cdef int p = s.active
    cdef int a, cards, relics, i, side
    cdef uint8_t *chosen
    while True:
        if f.step == 0:
            if f.a >= t.limit_offers or not resource_kinds(s, t, p):
                return pop(s)
            a = ask(s, t, ctx, DK_TRADE_PARTNER, p)
            if a == PENDING:
                return WAIT
            if a == A_DONE:
                return pop(s)
            f.a += 1
            f.b = <int16_t>(a - A_PLAYER)
            s.list_count = 0
            s.list_other = 0
            s.least = 0
            f.step = 1
        if f.step == 1:
            while s.list_count < t.offer_pieces:
                a = ask(s, t, ctx, DK_TRADE_GIVE, p)
                if a == PENDING:
                    return WAIT
                if a == NONE or a == A_DONE:
                    break
                s.list_a[s.list_count] = <uint8_t>a
                s.list_count += 1
                s.least = <uint8_t>a
            s.least = 0
            f.step = 2
        if f.step == 2:
            while s.list_other < t.offer_pieces:
                a = ask(s, t, ctx, DK_TRADE_TAKE, p)
                if a == PENDING:
                    return WAIT
                if a == NONE or a == A_DONE:
                    break
                s.list_b[s.list_other] = <uint8_t>a
                s.list_other += 1
                s.least = <uint8_t>a
            f.step = 3
        if f.step == 3:
            a = ask(s, t, ctx, DK_TRADE_ANSWER, f.b)
            if a == PENDING:
                return WAIT
            f.step = 0
            if a == A_NO:
                continue
            f.c = 0
            f.d = 0
            f.step = 4
        while f.step == 4:
            cards = pieces_listed(s, f.c, A_RESOURCE + RS_DISCOVERY)
            relics = pieces_listed(s, f.c, A_RESOURCE + RS_RELIC)
            side = f.b if f.c else p
            if f.d < cards + relics:
                a = ask(s, t, ctx, DK_TRADE_CARD if f.d < cards else DK_TRADE_RELIC, side)
                if a == PENDING:
                    return WAIT
                chosen = &s.list_b[0] if f.c else &s.list_a[0]
                if f.d < cards:
                    a = card_copy(t, s.seat[side].hand & ~picked_cards(s, f), a - A_CARD)
                else:
                    a = relic_copy(t, s.seat[side].relics & ~picked_relics(s, f), a - A_CARD)
                chosen[TR_PICKS + f.d] = <uint8_t>a
                f.d += 1
            elif f.c == 0:
                f.c = 1
                f.d = 0
            else:
                exchange(s, t, ctx, p, f.b)
                f.step = 5
        if f.step == 5:
            f.step = 6
            if count128(s.seat[p].control) > t.limit_flags:
                s.used = habitats_listed(s, 1)
                push(s, PR_GAIN_CONTROL, p, -1, 0, 0)
                return RUN
        if f.step == 6:
            f.step = 7
            f.c = 1
            f.d = 0
            if count128(s.seat[f.b].control) > t.limit_flags:
                s.used = habitats_listed(s, 0)
                push(s, PR_GAIN_CONTROL, f.b, -1, 0, 0)
                return RUN
        # windows: first for the Relics the partner gave (side 1), then for the active player's
        while True:
            if f.d < TR_PICKS and trade_list(s, f.c)[TR_PICKS + f.d] != GONE:
                i = trade_list(s, f.c)[TR_PICKS + f.d]
                f.d += 1
                open_window(s, p if f.c else f.b, i)
                return RUN
            if f.c == 0:
                break
            f.c = 0
            f.d = 0
        f.step = 0


cdef inline u128 habitats_listed(const State *s, int side) noexcept nogil:
    """Spaces of the Habitats in one side's list."""
    cdef int i
    cdef u128 spaces = 0
    for i in range(s.list_other if side else s.list_count):
        if trade_list(s, side)[i] >= A_SPACE:
            spaces |= bit128(trade_list(s, side)[i] - A_SPACE)
    return spaces


cdef void exchange(State *s, const Tables *t, Ctx *ctx, int p, int partner) noexcept nogil:
    """An accepted offer takes effect as a whole; then the lists' picks are replaced by the Relics that
    changed hands, in the order slots, picks, and GONE behind the last."""
    cdef uint8_t relics[2][TR_PICKS + 1]
    cdef int side, i, piece, count, found, pick
    for side in range(2):
        count = s.list_other if side else s.list_count
        found = 0
        pick = TR_PICKS + pieces_listed(s, side, A_RESOURCE + RS_DISCOVERY)
        for i in range(count):
            piece = trade_list(s, side)[i]
            if A_SLOT <= piece < A_SLOT + NUM_SLOTS:
                relics[side][found] = <uint8_t>s.seat[partner if side else p].slot_relic[piece - A_SLOT]
                found += 1
            elif piece == A_RESOURCE + RS_RELIC:
                relics[side][found] = trade_list(s, side)[pick]
                pick += 1
                found += 1
        relics[side][found] = GONE
    count = pieces_listed(s, 0, A_RESOURCE + RS_LORIUM)
    found = pieces_listed(s, 1, A_RESOURCE + RS_LORIUM)
    pay_lorium(s, ctx, p, count)  # both pay before either receives
    pay_lorium(s, ctx, partner, found)
    gain_lorium(s, ctx, partner, count)
    gain_lorium(s, ctx, p, found)
    transfer(s, t, ctx, 0, p, partner)
    transfer(s, t, ctx, 1, partner, p)
    memcpy(s.list_a + TR_PICKS, relics[0], TR_PICKS + 1)
    memcpy(s.list_b + TR_PICKS, relics[1], TR_PICKS + 1)


cdef void transfer(State *s, const Tables *t, Ctx *ctx, int side, int giver, int receiver) noexcept nogil:
    """What one side gives, Lorium aside, changes hands."""
    cdef int count = s.list_other if side else s.list_count
    cdef int pick = TR_PICKS
    cdef int i, piece, copy
    for i in range(count):
        piece = trade_list(s, side)[i]
        if piece == A_RESOURCE + RS_LORIUM:
            continue
        if piece == A_RESOURCE + RS_DISCOVERY:
            copy = trade_list(s, side)[pick]
            pick += 1
            s.seat[giver].hand &= ~bit128(copy)
            s.seat[receiver].hand |= bit128(copy)
        elif piece == A_RESOURCE + RS_RELIC:
            copy = trade_list(s, side)[pick]
            pick += 1
            s.seat[giver].relics &= ~(<uint64_t>1 << copy)
            s.seat[receiver].relics |= <uint64_t>1 << copy
        elif piece < A_RESOURCE:
            copy = empty_slot(s, t, ctx, giver, piece - A_SLOT)
            s.seat[receiver].relics |= <uint64_t>1 << copy
        elif piece < A_SPACE:
            pass_captive(s, ctx, giver, receiver, (piece - A_CAPTIVE) // 5, (piece - A_CAPTIVE) % 5)
        else:
            set_control(s, t, ctx, piece - A_SPACE, receiver)
