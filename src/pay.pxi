# Payments, losses and theft (G1.4, N4.3, N5.4; verbs pay, lose, steal), Recall (B4).
#
# Pieces are chosen one by one and handed over together. They lie beneath the frame, register d says in how many
# frames: a list of numbers of 16 bits, each a class (PC_...) and what it is.

cdef enum:
    PIECES = 5             # in one frame
    PC_LORIUM = 0x0000
    PC_CARD = 0x1000       # + copy
    PC_RELIC = 0x2000      # + copy, Inactive or Active
    PC_CAPTIVE = 0x3000    # + 5 * owner + type
    PC_HABITAT = 0x4000    # + space
    PC_TROOP = 0x5000      # + space | type << 7
    PC_GONE = 0x6000
    PC_CLASS = 0x7000
    PC_WHAT = 0x0FFF
    TO_SUPPLY = 7          # payees
    TO_SEVERAL = 6


cdef inline int16_t *pieces_of(const Frame *f) noexcept nogil:
    """The pieces beneath a frame."""
    return <int16_t *>(f - f.d)


cdef inline Frame *add_piece(State *s, Frame *f, int count, int piece) noexcept nogil:
    """Add a piece to the ``count`` there are; the frame may be somewhere else afterwards."""
    cdef Frame kept
    if count == PIECES * f.d:
        kept = f[0]
        room_for(s)
        f += 1
        f[0] = kept
        f.d += 1
    pieces_of(f)[count] = <int16_t>piece
    return f


cdef int piece_count(const Frame *f, int count, int piece) noexcept nogil:
    """How often a piece is among the first ``count``."""
    cdef int i, found = 0
    for i in range(count):
        found += pieces_of(f)[i] == piece
    return found


cdef inline int chosen_pieces(const Frame *f) noexcept nogil:
    """How many pieces a PR_PAY, PR_LOSE, PR_STEAL or PR_RECALL frame has."""
    return f.b >> 8


cdef u128 cards_left(const State *s, const Frame *f, int p) noexcept nogil:
    """Discovery Cards of a hand that are not among the pieces."""
    cdef u128 cards = s.seat[p].hand
    cdef int i
    for i in range(chosen_pieces(f)):
        if pieces_of(f)[i] & PC_CLASS == PC_CARD:
            cards &= ~bit128(pieces_of(f)[i] & PC_WHAT)
    return cards


cdef uint64_t relics_left(const State *s, const Frame *f, int p) noexcept nogil:
    """Inactive Relic Cards that are not among the pieces."""
    cdef uint64_t cards = s.seat[p].relics
    cdef int i
    for i in range(chosen_pieces(f)):
        if pieces_of(f)[i] & PC_CLASS == PC_RELIC:
            cards &= ~(<uint64_t>1 << (pieces_of(f)[i] & PC_WHAT))
    return cards


cdef int slots_left(const State *s, const Frame *f, int p) noexcept nogil:
    """Slots with an Active Relic Card that is not among the pieces, a bit each."""
    cdef int slots = 0
    cdef int slot, copy
    for slot in range(NUM_SLOTS):
        copy = slot_relic(&s.seat[p], slot)
        if copy >= 0 and not piece_count(f, chosen_pieces(f), PC_RELIC | copy):
            slots |= 1 << slot
    return slots


cdef u128 habitats_left(const State *s, const Frame *f, int p) noexcept nogil:
    """Habitats of a player that are not among the pieces."""
    cdef u128 spaces = s.seat[p].control
    cdef int i
    for i in range(chosen_pieces(f)):
        if pieces_of(f)[i] & PC_CLASS == PC_HABITAT:
            spaces &= ~bit128(pieces_of(f)[i] & PC_WHAT)
    return spaces


cdef int captives_left(const State *s, const Frame *f, int p, int owner, int type) noexcept nogil:
    """Captured Units of an owner and type that are not among the pieces."""
    return (captive_count(s.seat[p].captured[owner], type)
            - piece_count(f, chosen_pieces(f), PC_CAPTIVE | (5 * owner + type)))


cdef bint any_captive_left(const State *s, const Tables *t, const Frame *f, int p) noexcept nogil:
    """Whether a Captured Unit is not among the pieces."""
    cdef int owner, type
    for owner in range(t.players):
        for type in range(5):
            if captives_left(s, f, p, owner, type) > 0:
                return True
    return False


cdef int kinds_left(const State *s, const Tables *t, const Frame *f, int p) noexcept nogil:
    """Kinds of Resource of which a player has a piece that is not chosen yet, a bit each. What is lost or
    stolen comes from the track.
    """
    cdef int kinds = 0
    cdef int lorium = lorium_of(&s.seat[p]) if f.proc == PR_PAY else s.seat[p].lorium
    if lorium > piece_count(f, chosen_pieces(f), PC_LORIUM):
        kinds |= 1 << RS_LORIUM
    if any128(cards_left(s, f, p)):
        kinds |= 1 << RS_DISCOVERY
    if relics_left(s, f, p) or slots_left(s, f, p):
        kinds |= 1 << RS_RELIC
    if any_captive_left(s, t, f, p):
        kinds |= 1 << RS_CAPTIVE
    if any128(habitats_left(s, f, p)):
        kinds |= 1 << RS_HABITAT
    return kinds


cdef void offer_pay(const State *s, const Tables *t, const Frame *f, int kind, uint64_t *mask) noexcept nogil:
    """PAY_KIND, PAY_CARD, PAY_RELIC, PAY_CAPTIVE, PAY_HABITAT and RELIC_SLOT of PR_PAY, PR_LOSE and PR_STEAL."""
    cdef int p = stolen_from(f) if f.proc == PR_STEAL else f.p
    cdef int owner, type
    if kind == DK_PAY_KIND:
        mask[0] |= <uint64_t>kinds_left(s, t, f, p) << A_RESOURCE
    elif kind == DK_PAY_CARD:
        offer_designs(mask, t, cards_left(s, f, p))
    elif kind == DK_PAY_RELIC:
        offer_relics(mask, t, relics_left(s, f, p))
        if f.proc != PR_STEAL and f.c & 15 != GOOD_RELIC or f.proc == PR_PAY:
            mask[0] |= <uint64_t>slots_left(s, f, p) << A_SLOT
    elif kind == DK_RELIC_SLOT:
        mask[0] |= <uint64_t>slots_left(s, f, p) << A_SLOT
    elif kind == DK_PAY_CAPTIVE:
        for owner in range(t.players):
            for type in range(5):
                if captives_left(s, f, p, owner, type) > 0:
                    offer_action(mask, A_CAPTIVE + 5 * owner + type)
    else:
        offer_spaces(mask, habitats_left(s, f, p))


cdef int piece_chosen(const State *s, const Tables *t, const Frame *f, int p, int kind, int action) noexcept nogil:
    """The piece that an answer to one of these names."""
    if kind == RS_DISCOVERY:
        return PC_CARD | card_copy(t, cards_left(s, f, p), action - A_CARD)
    if kind == RS_RELIC:
        if action < A_CARD:
            return PC_RELIC | slot_relic(&s.seat[p], action - A_SLOT)
        return PC_RELIC | relic_copy(t, relics_left(s, f, p), action - A_CARD)
    if kind == RS_CAPTIVE:
        return PC_CAPTIVE | (action - A_CAPTIVE)
    return PC_HABITAT | (action - A_SPACE)


cdef inline int piece_question(int kind) noexcept nogil:
    """The decision that asks for a piece of a kind of Resource."""
    if kind == RS_DISCOVERY:
        return DK_PAY_CARD
    if kind == RS_RELIC:
        return DK_PAY_RELIC
    return DK_PAY_CAPTIVE if kind == RS_CAPTIVE else DK_PAY_HABITAT


# --------------------------------------------------------------------------------------------------------- pay
cdef int payees_of(const State *s, const Tables *t, const Frame *f) noexcept nogil:
    """The players that a PR_PAY frame pays hostages to, a bit each."""
    cdef Env e
    if f.c >> 4 & 7 != TO_SEVERAL:
        return 1 << (f.c >> 4 & 7)
    frame_env(s, t, f, &e)
    return player_mask(s, t, t.steps[f.a].player, &e) & ~(1 << f.p)


cdef int payee_of(const State *s, const Tables *t, const Frame *f, int piece) noexcept nogil:
    """Who gets the hostage with that place in the list."""
    cdef Env e
    cdef int players, i
    if f.c >> 4 & 7 != TO_SEVERAL:
        return f.c >> 4 & 7
    frame_env(s, t, f, &e)
    players = payees_of(s, t, f)
    i = piece // ((f.b & 255) // popcount64(<uint64_t>players))
    while True:
        piece = first_player_of(s, t, t.steps[f.a].player, e.me, players)
        if i == 0:
            return piece
        players &= ~(1 << piece)
        i -= 1


cdef int hostage_types(const State *s, const Tables *t, const Frame *f, int space) noexcept nogil:
    """Types of Unlocked Troops of the payer in a space that are not among the pieces."""
    cdef int types = 0
    cdef int type
    if has128(s.combat, space) or not has128(s.seat[f.p].occupied, space):
        return 0
    for type in range(3):
        if squad_count(s.squad[space], type) > piece_count(f, chosen_pieces(f), PC_TROOP | space | type << 7):
            types |= 1 << type
    return types


cdef u128 hostage_spaces(const State *s, const Tables *t, const Frame *f) noexcept nogil:
    """Spaces with such a Troop."""
    cdef u128 rest = unlocked(s, f.p)
    cdef u128 spaces = 0
    while any128(rest):
        if hostage_types(s, t, f, first128(rest)):
            spaces |= bit128(first128(rest))
        rest = rest128(rest)
    return spaces


cdef void start_pay(State *s, int p, int step, int res, int wanted, int to) noexcept nogil:
    """Pay so much as the next thing; it can be paid."""
    push(s, PR_PAY, p, step, wanted, res | to << 4, 0)


cdef void hand_over(State *s, const Tables *t, Ctx *ctx, int p, int to, int piece) noexcept nogil:
    """A piece changes hands, or goes where paid Resources go (G1.4)."""
    cdef int what = piece & PC_WHAT
    cdef int kind = piece & PC_CLASS
    cdef bint active
    if kind == PC_LORIUM:
        pay_lorium(s, ctx, p, 1)
        if to != TO_SUPPLY:
            gain_lorium(s, ctx, to, 1)
    elif kind == PC_CARD:
        remove_card(s, t, p, what)
        if to != TO_SUPPLY:
            add_card(s, t, ctx, to, what)
            moved_card(s, t, ctx, p, to, what)
        else:
            discard_card(s, t, ctx, p, what)
            opened_card(s, t, ctx, p, what)
    elif kind == PC_RELIC:
        active = slot_with(&s.seat[p], what) >= 0
        take_relic_copy(s, t, ctx, p, what)
        if to != TO_SUPPLY:
            add_relic(s, t, ctx, to, what)
            moved_relic(s, t, ctx, p, to, what, active)
        else:
            discard_relic(s, t, ctx, p, what)
            if not active:
                opened_relic(s, t, ctx, p, what)
    elif kind == PC_CAPTIVE:
        if to != TO_SUPPLY:
            pass_captive(s, ctx, p, to, what // 5, what % 5)
        else:
            release_unit(s, ctx, p, what // 5, what % 5)
    elif kind == PC_HABITAT:
        set_control(s, t, ctx, what, to if to != TO_SUPPLY else -1)
    elif kind == PC_TROOP:
        capture_unit(s, t, ctx, to, p, what >> 7, what & 127)


cdef int do_pay(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Pay Resources (G1.4, N4.3, N5.4, verb `pay`), all of them. a: step or -1, b: how many | chosen << 8, c: what
    | to whom << 4 | kind, space or place in the list << 8.

    Steps: 0 begin, 1 next piece, 2 which, 3 to 5 a hostage, 6 pieces change hands, 7 windows of Relics, 8 Recall.
    """
    cdef int p = f.p
    cdef int res = f.c & 15
    cdef int to = f.c >> 4 & 7
    cdef int wanted = f.b & 255
    cdef int a, i, piece, kind
    cdef u128 received
    if f.step == 0:
        f.step = 1
        if res == GOOD_INFLUENCE:
            f.step = 8
            start_recall(s, t, p, wanted)
            return RUN
        if res == GOOD_LORIUM:
            pay_lorium(s, ctx, p, wanted)
            if to != TO_SUPPLY:
                gain_lorium(s, ctx, to, wanted)
            f.step = 8
        elif res == GOOD_TOKEN:
            s.seat[p].tokens -= <uint16_t>wanted
            f.step = 8
    while f.step < 6:
        if f.step == 1:
            if chosen_pieces(f) >= wanted:
                f.step = 6
                break
            kind = res
            if res == GOOD_ANY:
                a = ask(s, t, ctx, DK_PAY_KIND, p)
                if a == PENDING:
                    return WAIT
                kind = a - A_RESOURCE
                if kind == RS_LORIUM:
                    f = add_piece(s, f, chosen_pieces(f), PC_LORIUM)
                    f.b += 256
                    continue
            f.c = <int16_t>((f.c & 127) | kind << 8)
            f.step = 3 if res == GOOD_HOSTAGE else 2
        if f.step == 2:
            kind = f.c >> 8
            a = ask(s, t, ctx, piece_question(kind), p)
            if a == PENDING:
                return WAIT
            piece = piece_chosen(s, t, f, p, kind, a)
            f = add_piece(s, f, chosen_pieces(f), piece)
            f.b += 256
            f.step = 1
            continue
        if f.step == 3:
            a = ask(s, t, ctx, DK_UNIT_SPACE, p)
            if a == PENDING:
                return WAIT
            f.c = <int16_t>((f.c & 127) | (a - A_SPACE) << 8)
            ask(s, t, ctx, DK_UNIT_OWNER, p)  # the payer alone
            f.step = 5
        a = ask(s, t, ctx, DK_UNIT_TYPE, p)
        if a == PENDING:
            return WAIT
        f = add_piece(s, f, chosen_pieces(f), PC_TROOP | f.c >> 8 | (a - A_UNIT) << 7)
        f.b += 256
        f.step = 1
    if f.step == 6:
        received = 0
        for i in range(wanted):
            piece = pieces_of(f)[i]
            if piece & PC_CLASS == PC_HABITAT:
                received |= bit128(piece & PC_WHAT)
        for i in range(wanted):
            hand_over(s, t, ctx, p, payee_of(s, t, f, i) if res == GOOD_HOSTAGE else to, pieces_of(f)[i])
        f.c &= 127
        f.step = 7
        if to < TO_SEVERAL and any128(received) and check_flags(s, t, to, received):
            return RUN
    while f.step == 7:
        i = f.c >> 8
        if i == wanted or to >= TO_SEVERAL:
            break
        f.c += 256
        piece = pieces_of(f)[i]
        if piece & PC_CLASS == PC_RELIC:
            open_window(s, to, piece & PC_WHAT)
            return RUN
    s.amount = <int16_t>wanted
    s.complete = 1
    return drop(s, 1 + f.d)


# ------------------------------------------------------------------------------------------------------- Recall
cdef void start_recall(State *s, const Tables *t, int p, int cost) noexcept nogil:
    """Recall Unlocked Troops worth at least ``cost``, no more than needed (B4), as the next thing."""
    push(s, PR_RECALL, p, least_total(s, t, p, cost), 0, 0, 0)


cdef int do_recall(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """B4: Troops are chosen, then all return to Reserve. a: Cost still to be Recalled, b: chosen << 8, c: space."""
    cdef int p = f.p
    cdef int a, i, piece
    while f.a > 0:
        if f.step == 0:
            a = ask(s, t, ctx, DK_RECALL_SPACE, p)
            if a == PENDING:
                return WAIT
            f.c = <int16_t>(a - A_SPACE)
            f.step = 1
        if s.answered:
            a = answer_of(s)
        else:
            a = ask_bits(s, ctx, DK_RECALL_TYPE, p, A_UNIT, recall_types(s, t, f, p, f.c))
        if a == PENDING:
            return WAIT
        a -= A_UNIT
        f = add_piece(s, f, chosen_pieces(f), PC_TROOP | f.c | a << 7)
        f.b += 256
        f.a -= t.influence_cost[a]
        f.step = 0
    for i in range(chosen_pieces(f)):
        piece = pieces_of(f)[i] & PC_WHAT
        destroy_unit(s, t, ctx, p, piece >> 7, piece & 127, 1)
    return drop(s, 1 + f.d)


# -------------------------------------------------------------------------------------------------- lose, steal
cdef inline int class_of(int kind) noexcept nogil:
    """The class of the pieces of a Resource."""
    if kind == RS_LORIUM:
        return PC_LORIUM
    if kind == RS_DISCOVERY:
        return PC_CARD
    if kind == RS_RELIC:
        return PC_RELIC
    return PC_CAPTIVE if kind == RS_CAPTIVE else PC_HABITAT


cdef inline int robbed_kind(int kind) noexcept nogil:
    """Kind of the event `robbed` for a Resource."""
    if kind == RS_LORIUM:
        return KIND_LORIUM
    if kind == RS_DISCOVERY:
        return KIND_DISCOVERY
    return KIND_RELIC if kind == RS_RELIC else KIND_CAPTIVE


cdef int pieces_in_class(const Frame *f, int which) noexcept nogil:
    """How many pieces of a class there are."""
    cdef int i, found = 0
    for i in range(chosen_pieces(f)):
        found += pieces_of(f)[i] & PC_CLASS == which
    return found


cdef void cancel_pieces(Frame *f, int which, int what) noexcept nogil:
    """Pieces of a class (with ``what`` not negative that one only) stay where they are."""
    cdef int i
    for i in range(chosen_pieces(f)):
        if pieces_of(f)[i] & PC_CLASS == which and (what < 0 or pieces_of(f)[i] & PC_WHAT == what):
            pieces_of(f)[i] = PC_GONE


cdef int next_habitat(const Frame *f, int after) noexcept nogil:
    """The lowest space of a Habitat among the pieces above ``after``; -1: none."""
    cdef int i, what, best = -1
    for i in range(chosen_pieces(f)):
        what = pieces_of(f)[i] & PC_WHAT
        if pieces_of(f)[i] & PC_CLASS == PC_HABITAT and what > after and (best < 0 or what < best):
            best = what
    return best


cdef inline bint has_random(const State *s, int p, int res) noexcept nogil:
    """Whether there is a card that chance can take."""
    return s.seat[p].relics != 0 if res == GOOD_RELIC else any128(s.seat[p].hand)


cdef int random_card(State *s, const Tables *t, Ctx *ctx, int p, bint relic, int seen) noexcept nogil:
    """RANDOM_CARD: one of a hand, in design order; its copy. ``seen``: seats that see which, a bit each."""
    cdef u128 cards = <u128>s.seat[p].relics if relic else s.seat[p].hand
    cdef int wanted, copy = -1, k
    if scripted(ctx, CK_RANDOM_CARD):
        wanted = next_scripted(ctx, CK_RANDOM_CARD) - (MAX_DESIGNS if relic else 0)
        for k in range(t.relic_copies if relic else t.copies):
            if copy < 0 and has128(cards, k) and wanted == (t.relic_design_of[k] if relic else t.design_of[k]):
                copy = k
        if copy < 0:
            refuse_scripted(ctx, CK_RANDOM_CARD)
    if copy < 0:
        k = count128(cards)
        copy = select128(cards, <int>rng_bounded(&s.rng, &ctx.block, CF_DECKS, <uint32_t>k) if k > 1 else 0)
    emit_hidden(ctx, seen, EV_CHANCE, -1, CK_RANDOM_CARD,
                t.relic_design_of[copy] if relic else t.design_of[copy], 0)
    return copy


cdef int losable(const State *s, const Tables *t, int p, int res) noexcept nogil:
    """How many pieces of a good a player has to lose."""
    cdef const Seat *seat = &s.seat[p]
    cdef int total = 0
    if res == GOOD_LORIUM or res == GOOD_ANY:
        total += seat.lorium
    if res == GOOD_DISCOVERY or res == GOOD_ANY:
        total += count128(seat.hand)
    if res == GOOD_RELIC or res == GOOD_ANY:
        total += popcount64(seat.relics)
    if res == GOOD_RELIC_ACTIVE or res == GOOD_ANY:
        total += relics_held(seat) - popcount64(seat.relics)
    if res == GOOD_CAPTIVE or res == GOOD_ANY:
        total += all_troops_held(seat.captured) + all_vehicles_held(seat.captured)
    if res == GOOD_HABITAT or res == GOOD_ANY:
        total += count128(seat.control)
    return total


cdef int do_lose(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """The verb `lose`: pieces are chosen, `robbed` and `habitat_lost` told, then what was not cancelled is lost.
    p: the loser, a: step, b: how many | chosen << 8, c: what | random << 4 | kind at hand or last Habitat << 8.

    Steps: 0 begin, 1 next piece, 2 which, 3 windows by kind, 4 of Habitats, 5 the loss; 6 and 7 verdicts.
    """
    cdef const Step *step = &t.steps[f.a]
    cdef int p = f.p
    cdef int res = step.what
    cdef Env e
    cdef int a, i, kind, wanted, piece, chooser, lost
    cdef bint random = step.word == CHOOSER_RANDOM
    frame_env(s, t, f, &e)
    chooser = e.me if step.word == CHOOSER_SELF else p
    if f.step == 0:
        wanted = count_value(s, t, &step.n, &e)
        f.c = step.what
        a = losable(s, t, p, step.what)
        if shielded(s, t, p, IMMUNITY_LOSE, e.me):
            a = 0
        f.d = 0
        f.b = <int16_t>min_int(wanted, a)
        s.complete = wanted <= a or (wanted == ALL and a > 0)
        f.c |= <int16_t>(s.complete << 4)
        f.step = 1
        if res == GOOD_LORIUM or random:
            f.step = 3
            f.c |= RS_LORIUM << 8
    wanted = f.b & 255
    while f.step < 3:
        if f.step == 1:
            if chosen_pieces(f) >= wanted:
                f.step = 3
                f.c &= 31
                break
            kind = res
            if res == GOOD_RELIC_ACTIVE:
                kind = RS_RELIC
            if res == GOOD_ANY:
                a = ask(s, t, ctx, DK_PAY_KIND, chooser)
                if a == PENDING:
                    return WAIT
                kind = a - A_RESOURCE
                if kind == RS_LORIUM:
                    f = add_piece(s, f, chosen_pieces(f), PC_LORIUM)
                    f.b += 256
                    continue
            f.c = <int16_t>((f.c & 31) | kind << 8)
            f.step = 2
        kind = f.c >> 8
        seen_hand(s, t, ctx, DK_RELIC_SLOT if res == GOOD_RELIC_ACTIVE else piece_question(kind), chooser, p)
        a = ask(s, t, ctx, DK_RELIC_SLOT if res == GOOD_RELIC_ACTIVE else piece_question(kind), chooser)
        if a == PENDING:
            return WAIT
        piece = piece_chosen(s, t, f, p, kind, a)
        f = add_piece(s, f, chosen_pieces(f), piece)
        f.b += 256
        f.step = 1
    if f.step == 6:
        f.step = 3
        kind = (f.c >> 8) - 1
        if s.verdict & WD_CANCELLED:
            if random or res == GOOD_LORIUM:
                f.b = 0
                wanted = 0
            else:
                cancel_pieces(f, class_of(kind), -1)
    while f.step == 3:
        kind = f.c >> 8
        if kind > RS_CAPTIVE:
            f.step = 4
            f.c &= 31
            break
        f.c += 256
        a = pieces_in_class(f, class_of(kind))
        if random or res == GOOD_LORIUM:
            a = wanted if kind == res else 0
        if a and p != e.me and watched(s, TRIGGER_ROBBED):
            f.step = 6
            open_event(s, t, TRIGGER_ROBBED, e.me, p, robbed_kind(kind), NOWHERE, a)
            return RUN
    if f.step == 7:
        f.step = 4
        if s.verdict & WD_CANCELLED:
            cancel_pieces(f, PC_HABITAT, (f.c >> 8) - 1)
    while f.step == 4:
        a = next_habitat(f, (f.c >> 8) - 1)
        if a < 0:
            f.step = 5
            break
        f.c = <int16_t>((f.c & 31) | (a + 1) << 8)
        if p != e.me and watched(s, TRIGGER_HABITAT_LOST) and has128(s.seat[p].control, a):
            f.step = 7
            open_event(s, t, TRIGGER_HABITAT_LOST, e.me, p, KIND_NEUTRALIZED, a, 0)
            return RUN
    lost = 0
    if res == GOOD_LORIUM:
        lost = min_int(wanted, s.seat[p].lorium)
        take_from_track(s, ctx, p, lost)
    elif random:
        while lost < wanted and has_random(s, p, res):
            a = random_card(s, t, ctx, p, res == GOOD_RELIC, ALL_SEATS)
            if res == GOOD_RELIC:
                take_relic_copy(s, t, ctx, p, a)
                discard_relic(s, t, ctx, p, a)
                opened_relic(s, t, ctx, p, a)
            else:
                remove_card(s, t, p, a)
                discard_card(s, t, ctx, p, a)
                opened_card(s, t, ctx, p, a)
            lost += 1
    else:
        lost = lose_pieces(s, t, ctx, f)
    s.amount = <int16_t>lost
    s.complete = f.c >> 4 & 1 and lost == (f.b & 255)
    return drop(s, 1 + f.d)


cdef int lose_pieces(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """The pieces that are still there are lost; how many."""
    cdef int p = f.p
    cdef int i, what, piece, lost = 0
    cdef int lorium = 0
    for i in range(chosen_pieces(f)):
        piece = pieces_of(f)[i] & PC_CLASS
        what = pieces_of(f)[i] & PC_WHAT
        if piece == PC_LORIUM and lorium < s.seat[p].lorium:
            lorium += 1
            lost += 1
        elif piece == PC_CARD and has128(s.seat[p].hand, what):
            remove_card(s, t, p, what)
            discard_card(s, t, ctx, p, what)
            opened_card(s, t, ctx, p, what)
            lost += 1
        elif piece == PC_RELIC and lose_relic_copy(s, t, ctx, p, what):
            lost += 1
        elif piece == PC_CAPTIVE and captive_count(s.seat[p].captured[what // 5], what % 5):
            release_unit(s, ctx, p, what // 5, what % 5)
            lost += 1
        elif piece == PC_HABITAT and has128(s.seat[p].control, what):
            set_control(s, t, ctx, what, -1)
            lost += 1
    take_from_track(s, ctx, p, lorium)
    return lost


cdef inline int stolen_from(const Frame *f) noexcept nogil:
    """The victim of a PR_STEAL frame at hand."""
    return f.c >> 4 & 7


cdef int do_steal(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """The verb `steal`. p: the thief, a: step, b: how many from the victim | chosen << 8, c: what | victim << 4 |
    victims left << 7 | window at hand << 13; beneath the pieces: Work (done: in all, x: 1 a victim, 2 not in
    full, other: the last victim).

    Steps: 0 begin, 1 next victim, 2 choices, 3 verdict, 4 windows of Relics.
    """
    cdef const Step *step = &t.steps[f.a]
    cdef Work *w = work_of(f)
    cdef int p = f.p
    cdef int res = step.what
    cdef int a, i, q, players, wanted
    cdef Env e
    frame_env(s, t, f, &e)
    while True:
        q = stolen_from(f)
        if f.step == 1:
            players = f.c >> 7 & 63
            q = first_player_of(s, t, step.player, e.me, players)
            if q < 0:
                s.amount = w.done
                s.complete = w.x == 1
                if w.other != NOBODY:
                    regs_of(base_of(s, f)).player = w.other
                return drop(s, 2 + f.d)
            wanted = count_value(s, t, &step.n, &e)
            a = losable(s, t, q, res)
            if q == p or shielded(s, t, q, IMMUNITY_STEAL, e.me):
                a = 0
            if a:
                w.x |= 1 if a >= wanted or wanted == ALL else 3
                w.other = <uint8_t>q
            f.c = <int16_t>(res | q << 4 | (players & ~(1 << q)) << 7)
            f.b = <int16_t>min_int(wanted, a)
            f.step = 2
        wanted = f.b & 255
        if f.step == 2:
            if res != GOOD_LORIUM and step.word != CHOOSER_RANDOM:
                while chosen_pieces(f) < wanted:
                    if step.word == CHOOSER_SELF:
                        seen_hand(s, t, ctx, piece_question(res), p, q)
                    a = ask(s, t, ctx, piece_question(res), p if step.word == CHOOSER_SELF else q)
                    if a == PENDING:
                        return WAIT
                    f = add_piece(s, f, chosen_pieces(f), piece_chosen(s, t, f, q, res, a))
                    w = work_of(f)
                    f.b += 256
            f.step = 3
            s.verdict = 0
            if wanted and q != e.me and watched(s, TRIGGER_ROBBED):
                if open_event(s, t, TRIGGER_ROBBED, e.me, q, robbed_kind(res), NOWHERE, wanted):
                    return RUN
        if f.step == 3:
            if s.verdict & WD_CANCELLED:
                f.b = 0
                if step.n.kind != COUNT_KIND_ALL:
                    w.x |= 2
            f = take_goods(s, t, ctx, f, q)
            w = work_of(f)
            f.step = 4
        while f.step == 4:  # b counts the windows that have been
            i = f.b & 255
            if i >= chosen_pieces(f) or res != GOOD_RELIC:
                f.b = 0
                f.step = 1
                break
            f.b += 1
            open_window(s, p, pieces_of(f)[i] & PC_WHAT)
            return RUN


cdef Frame *take_goods(State *s, const Tables *t, Ctx *ctx, Frame *f, int q) noexcept nogil:
    """What is stolen from ``q`` changes hands. Afterwards the pieces are the Relic Cards taken, register b their
    number << 8.
    """
    cdef int p = f.p
    cdef int res = f.c & 15
    cdef int wanted = f.b & 255
    cdef int chosen = chosen_pieces(f)
    cdef int i, copy, taken = 0
    cdef bint random = t.steps[f.a].word == CHOOSER_RANDOM
    if res == GOOD_LORIUM:
        taken = min_int(wanted, s.seat[q].lorium)
        take_from_track(s, ctx, q, taken)
        gain_lorium(s, ctx, p, taken)
    else:
        for i in range(wanted):
            if random:
                if not has_random(s, q, res):
                    break
                copy = random_card(s, t, ctx, q, res == GOOD_RELIC, 1 << p | 1 << q)
            else:
                copy = pieces_of(f)[i] & PC_WHAT
            if res == GOOD_RELIC:
                if not s.seat[q].relics >> copy & 1:
                    continue
                s.seat[q].relics &= ~(<uint64_t>1 << copy)
                add_relic(s, t, ctx, p, copy)
                moved_relic(s, t, ctx, q, p, copy, False)
                if random:
                    f = add_piece(s, f, taken, PC_RELIC | copy)
                else:
                    pieces_of(f)[taken] = <int16_t>(PC_RELIC | copy)
            else:
                if not has128(s.seat[q].hand, copy):
                    continue
                remove_card(s, t, q, copy)
                add_card(s, t, ctx, p, copy)
                moved_card(s, t, ctx, q, p, copy)
            taken += 1
    f.b = <int16_t>(taken << 8)
    work_of(f).done += <uint8_t>taken
    if taken < wanted and t.steps[f.a].n.kind != COUNT_KIND_ALL:
        work_of(f).x |= 2
    return f
