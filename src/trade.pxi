# Resource Trading (G5, protocol section 11).
#
# Two lists lie beneath the frame, TR_LIST bytes each: what the player who makes the offer gives (side 0), what the
# partner gives (side 1). Bytes 0 to 7 are the pieces of the offer (action ids, all below 256), from 8 on come the
# copies picked for the counted pieces: first the Discovery Cards, then the Inactive Relic Cards; then the
# number of pieces, and the lowest one still offered.

cdef enum:
    TR_PICKS = 8
    TR_COUNT = 17
    TR_LEAST = 18
    TR_LIST = 20
    TR_FRAMES = 4
    TR_END = 255


cdef inline int trade_partners(const State *s, const Tables *t, int p) noexcept nogil:
    """Opponents, a bit each, that have not Launched and have a Resource."""
    cdef int players = 0
    cdef int seat
    if denied(s, t, p, DENIAL_TRADE) or not resource_kinds(s, t, p):
        return 0
    for seat in range(t.players):
        if seat != p and not s.launched >> seat & 1 and resource_kinds(s, t, seat):
            if not denied(s, t, seat, DENIAL_TRADE):
                players |= 1 << seat
    return players


cdef inline uint8_t *trade_list(const Frame *f, int side) noexcept nogil:
    """What the player who makes the offer (0) or the partner (1) gives."""
    return <uint8_t *>(f - TR_FRAMES) + TR_LIST * side


cdef inline int pieces_listed(const Frame *f, int side, int piece) noexcept nogil:
    """How often a piece is in a side's list."""
    cdef uint8_t *pieces = trade_list(f, side)
    cdef int i
    cdef int found = 0
    for i in range(pieces[TR_COUNT]):
        found += pieces[i] == piece
    return found


cdef void offer_pieces(const State *s, const Tables *t, const Frame *f, int kind,
                       uint64_t *mask) noexcept nogil:
    """TRADE_GIVE, TRADE_TAKE: pieces their owner still has and that come not before the last one listed
    (G5.6).
    """
    cdef int side = kind == DK_TRADE_TAKE
    cdef int owner = f.b if side else f.p
    cdef int least = trade_list(f, side)[TR_LEAST]
    cdef const Seat *seat = &s.seat[owner]
    cdef int slot, who, type, piece, held
    cdef u128 control = seat.control
    if trade_list(f, side)[TR_COUNT] > 0:
        offer_action(mask, A_DONE)
    for slot in range(NUM_SLOTS):
        piece = A_SLOT + slot
        if slot_relic(seat, slot) >= 0 and piece >= least and not pieces_listed(f, side, piece):
            offer_action(mask, piece)
    piece = A_RESOURCE + RS_LORIUM
    if piece >= least and lorium_of(seat) > pieces_listed(f, side, piece):
        offer_action(mask, piece)
    piece = A_RESOURCE + RS_DISCOVERY
    if piece >= least and count128(seat.hand) > pieces_listed(f, side, piece):
        offer_action(mask, piece)
    piece = A_RESOURCE + RS_RELIC
    if piece >= least and popcount64(seat.relics) > pieces_listed(f, side, piece):
        offer_action(mask, piece)
    for who in range(t.players):
        if seat.captured[who]:
            for type in range(5):
                piece = A_CAPTIVE + 5 * who + type
                held = captive_count(seat.captured[who], type)
                if piece >= least and held > pieces_listed(f, side, piece):
                    offer_action(mask, piece)
    while any128(control):
        piece = A_SPACE + first128(control)
        if piece >= least and not pieces_listed(f, side, piece):
            offer_action(mask, piece)
        control = rest128(control)


cdef inline u128 picked_cards(const State *s, const Frame *f) noexcept nogil:
    """Discovery copies the player who picks has picked so far (f.c: side, f.d: picks)."""
    cdef int cards = pieces_listed(f, f.c, A_RESOURCE + RS_DISCOVERY)
    cdef u128 copies = 0
    cdef int i
    for i in range(min_int(f.d, cards)):
        copies |= bit128(trade_list(f, f.c)[TR_PICKS + i])
    return copies


cdef inline uint64_t picked_relics(const State *s, const Frame *f) noexcept nogil:
    """Relic copies the player who picks has picked so far."""
    cdef int cards = pieces_listed(f, f.c, A_RESOURCE + RS_DISCOVERY)
    cdef uint64_t copies = 0
    cdef int i
    for i in range(cards, f.d):
        copies |= <uint64_t>1 << trade_list(f, f.c)[TR_PICKS + i]
    return copies


cdef inline void start_trade(State *s, int p, int offers) noexcept nogil:
    """Resource Trading of player p with at most so many offers, as the next thing."""
    cdef int i
    for i in range(TR_FRAMES):
        room_for(s)
    push(s, PR_TRADE, p, offers, 0, 0, 0)


cdef int list_pieces(State *s, const Tables *t, Ctx *ctx, Frame *f, int kind) noexcept nogil:
    """TRADE_GIVE or TRADE_TAKE until the list is complete; PENDING while it is not."""
    cdef uint8_t *pieces = trade_list(f, kind == DK_TRADE_TAKE)
    cdef int a
    while pieces[TR_COUNT] < t.offer_pieces:
        a = ask(s, t, ctx, kind, f.p)
        if a == PENDING:
            return PENDING
        if a == NONE or a == A_DONE:
            break
        pieces[pieces[TR_COUNT]] = <uint8_t>a
        pieces[TR_COUNT] += 1
        pieces[TR_LEAST] = <uint8_t>a
    return NONE


cdef int do_trade(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Offers to other players. a: offers left, b: partner, c: side that picks, then has its windows, d: picks made.

    Steps: 0 partner, 1 and 2 the lists, 3 answer, 4 picks, 5 and 6 Flags, 7 windows for Relics received.
    """
    cdef int p = f.p
    cdef int a, cards, relics, i, side
    while True:
        if f.step == 0:
            if f.a == 0 or not resource_kinds(s, t, p):
                return drop(s, 1 + TR_FRAMES)
            a = ask(s, t, ctx, DK_TRADE_PARTNER, p)
            if a == PENDING:
                return WAIT
            if a == A_DONE or a == NONE:
                return drop(s, 1 + TR_FRAMES)
            f.a -= 1
            f.b = <int16_t>(a - A_PLAYER)
            memset(trade_list(f, 0), 0, 2 * TR_LIST)
            f.step = 1
        if f.step == 1:
            if list_pieces(s, t, ctx, f, DK_TRADE_GIVE) == PENDING:
                return WAIT
            f.step = 2
        if f.step == 2:
            if list_pieces(s, t, ctx, f, DK_TRADE_TAKE) == PENDING:
                return WAIT
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
            cards = pieces_listed(f, f.c, A_RESOURCE + RS_DISCOVERY)
            relics = pieces_listed(f, f.c, A_RESOURCE + RS_RELIC)
            side = f.b if f.c else p
            if f.d < cards + relics:
                a = ask(s, t, ctx, DK_TRADE_CARD if f.d < cards else DK_TRADE_RELIC, side)
                if a == PENDING:
                    return WAIT
                if f.d < cards:
                    a = card_copy(t, s.seat[side].hand & ~picked_cards(s, f), a - A_CARD)
                else:
                    a = relic_copy(t, s.seat[side].relics & ~picked_relics(s, f), a - A_CARD)
                trade_list(f, f.c)[TR_PICKS + f.d] = <uint8_t>a
                f.d += 1
            elif f.c == 0:
                f.c = 1
                f.d = 0
            else:
                exchange(s, t, ctx, f, p, f.b)
                f.step = 5
        if f.step == 5:
            f.step = 6
            if check_flags(s, t, p, habitats_listed(f, 1)):
                return RUN
        if f.step == 6:
            f.step = 7
            f.c = 1
            f.d = 0
            if check_flags(s, t, f.b, habitats_listed(f, 0)):
                return RUN
        # windows: first for the Relics the partner gave (side 1), then for those of the player who made the offer
        while True:
            i = trade_list(f, f.c)[TR_PICKS + f.d]
            if f.d < TR_PICKS and i != TR_END:
                f.d += 1
                open_window(s, p if f.c else f.b, i)
                return RUN
            if f.c == 0:
                break
            f.c = 0
            f.d = 0
        f.step = 0


cdef inline u128 habitats_listed(const Frame *f, int side) noexcept nogil:
    """Spaces of the Habitats in one side's list."""
    cdef uint8_t *pieces = trade_list(f, side)
    cdef int i
    cdef u128 spaces = 0
    for i in range(pieces[TR_COUNT]):
        if pieces[i] >= A_SPACE:
            spaces |= bit128(pieces[i] - A_SPACE)
    return spaces


cdef void exchange(State *s, const Tables *t, Ctx *ctx, const Frame *f, int p, int partner) noexcept nogil:
    """An accepted offer takes effect as a whole; then the lists' picks are replaced by the Relics that
    changed hands, in the order slots, picks, and TR_END behind the last."""
    cdef uint8_t relics[2][TR_PICKS + 1]
    cdef uint8_t *pieces
    cdef int side, i, piece, count, found, pick
    memset(relics, 0, sizeof(relics))  # all of it goes into the state
    for side in range(2):
        pieces = trade_list(f, side)
        found = 0
        pick = TR_PICKS + pieces_listed(f, side, A_RESOURCE + RS_DISCOVERY)
        for i in range(pieces[TR_COUNT]):
            piece = pieces[i]
            if A_SLOT <= piece < A_SLOT + NUM_SLOTS:
                relics[side][found] = <uint8_t>slot_relic(&s.seat[partner if side else p], piece - A_SLOT)
                found += 1
            elif piece == A_RESOURCE + RS_RELIC:
                relics[side][found] = pieces[pick]
                pick += 1
                found += 1
        relics[side][found] = TR_END
    count = pieces_listed(f, 0, A_RESOURCE + RS_LORIUM)
    found = pieces_listed(f, 1, A_RESOURCE + RS_LORIUM)
    pay_lorium(s, ctx, p, count)  # both pay before either receives
    pay_lorium(s, ctx, partner, found)
    gain_lorium(s, ctx, partner, count)
    gain_lorium(s, ctx, p, found)
    transfer(s, t, ctx, trade_list(f, 0), p, partner)
    transfer(s, t, ctx, trade_list(f, 1), partner, p)
    memcpy(trade_list(f, 0) + TR_PICKS, relics[0], TR_PICKS + 1)
    memcpy(trade_list(f, 1) + TR_PICKS, relics[1], TR_PICKS + 1)


cdef void transfer(State *s, const Tables *t, Ctx *ctx, const uint8_t *pieces, int giver,
                   int receiver) noexcept nogil:
    """What one side gives, Lorium aside, changes hands."""
    cdef int pick = TR_PICKS
    cdef int i, piece, copy
    for i in range(pieces[TR_COUNT]):
        piece = pieces[i]
        if piece == A_RESOURCE + RS_LORIUM:
            continue
        if piece == A_RESOURCE + RS_DISCOVERY:
            copy = pieces[pick]
            pick += 1
            remove_card(s, t, giver, copy)
            add_card(s, t, ctx, receiver, copy)
            moved_card(s, t, ctx, giver, receiver, copy)
        elif piece == A_RESOURCE + RS_RELIC:
            copy = pieces[pick]
            pick += 1
            s.seat[giver].relics &= ~(<uint64_t>1 << copy)
            add_relic(s, t, ctx, receiver, copy)
            moved_relic(s, t, ctx, giver, receiver, copy, False)
        elif piece < A_RESOURCE:
            copy = empty_slot(s, t, ctx, giver, piece - A_SLOT)
            add_relic(s, t, ctx, receiver, copy)
            moved_relic(s, t, ctx, giver, receiver, copy, True)
        elif piece < A_SPACE:
            pass_captive(s, ctx, giver, receiver, (piece - A_CAPTIVE) // 5, (piece - A_CAPTIVE) % 5)
        else:
            set_control(s, t, ctx, piece - A_SPACE, receiver)
