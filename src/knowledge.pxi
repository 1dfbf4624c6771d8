# What every seat knows of the hidden cards (docs/information.md): beside the game, reached through Ctx.knows,
# NULL where nobody asks.
#
# Both decks are numbered together: Discovery copies from 0, Relic copies from RELIC_BASE. `places[v][c]` are
# the places, one of which copy c is in as far as seat v knows, a bit for each seat's hand, PLACE_PILE,
# PLACE_TABLE; 0: v knows nothing of it, holds it, or knows its position (`top`, `bottom`). Copies of a design
# are alike: what is known of one never depends on which of them it is (J02, J03).

cdef enum:
    RELIC_BASE = 128
    PLACE_PILE = 64        # the draw pile
    PLACE_TABLE = 128      # among the cards somebody is looking at
    ON_TABLE = 7           # as a place to come from, like the seats
    IN_PILE = 6
    DISCOVERY_PILE = 0     # the decks
    RELIC_PILE = 1


cdef inline size_t knowledge_size(const Tables *t) noexcept nogil:
    """How much of a Knowledge is in use."""
    return sizeof(Knowledge) - <size_t>(MAX_PLAYERS - t.players) * (RELIC_BASE + RELIC_COPIES)


cdef inline int copy_count(const Tables *t, int k) noexcept nogil:
    """How many copies a deck has."""
    return t.relic_copies if k else t.copies


cdef inline int copy_design(const Tables *t, int k, int c) noexcept nogil:
    """The design of a copy of a deck."""
    return t.relic_design_of[c] if k else t.design_of[c]


cdef inline int first_like(const Tables *t, int k, int c) noexcept nogil:
    """The lowest copy of the same design."""
    while c > 0 and copy_design(t, k, c - 1) == copy_design(t, k, c):
        c -= 1
    return c


cdef inline int beyond_like(const Tables *t, int k, int c) noexcept nogil:
    """One beyond the highest copy of the same design."""
    cdef int count = copy_count(t, k)
    cdef int design = copy_design(t, k, c)
    while c < count and copy_design(t, k, c) == design:
        c += 1
    return c


cdef inline int pile_size(const State *s, int k) noexcept nogil:
    return s.relic_deck_size if k else s.deck_size


cdef inline const uint8_t *pile_of(const State *s, int k) noexcept nogil:
    """The draw pile of a deck, its top last."""
    if k:
        return s.relic_deck
    return s.deck


cdef inline u128 hand_of(const State *s, int k, int p) noexcept nogil:
    """The copies of a deck hidden in a seat's hand."""
    return <u128>s.seat[p].relics if k else s.seat[p].hand


cdef inline uint8_t *places_of(Knowledge *knows, int k, int v) noexcept nogil:
    """What a seat knows of the copies of a deck."""
    return &knows.places[v][RELIC_BASE * k]


cdef void see_leave(Knowledge *knows, const Tables *t, int k, int v, int c, int place) noexcept nogil:
    """J02: a card like copy ``c``, which is the one, is seen by ``v`` to leave a place (a bit of `places`); v
    knows nothing of the copy now. Of the like copies that may have been there v forgets the one it knew most
    of; the others may just as well be where that one may be.
    """
    cdef uint8_t *places = places_of(knows, k, v)
    cdef int first = first_like(t, k, c)
    cdef int last = beyond_like(t, k, c)
    cdef int i, best = -1
    cdef uint8_t known
    if last - first > 1:
        for i in range(first, last):
            if places[i] >> place & 1:
                if best < 0 or knows_more(places[i], places[best]):
                    best = i
        if best >= 0:
            known = places[best]
            for i in range(first, last):
                if places[i] >> place & 1:
                    places[i] |= known
            places[best] = places[c] if places[c] >> place & 1 else 0
    places[c] = 0


cdef inline bint knows_more(int a, int b) noexcept nogil:
    """Whether places ``a`` say more than ``b``: fewer; of as many the lower number."""
    cdef int more = popcount64(<uint64_t>b) - popcount64(<uint64_t>a)
    return more > 0 or (more == 0 and a < b)


cdef inline void widen(Knowledge *knows, const Tables *t, int k, int v, int place, int added) noexcept nogil:
    """A card that v has not seen has left a place: each copy that may have been there may be at ``added``."""
    cdef uint8_t *places = places_of(knows, k, v)
    cdef int c
    for c in range(copy_count(t, k)):
        places[c] |= <uint8_t>(-(places[c] >> place & 1) & added)


cdef void forget_late(Knowledge *knows, const State *s, const Tables *t, int k, int c, int p) noexcept nogil:
    """J03: a card like copy ``c`` becomes open, out of the hand of ``p`` (-1: of no hand)."""
    cdef int first, last, i, late = 0, hidden = 0
    cdef u128 like = 0
    if not knows.rebuilt[k] or (p >= 0 and knows.fresh[k][p] == 0):
        return
    first = first_like(t, k, c)
    last = beyond_like(t, k, c)
    for i in range(first, last):
        late += knows.late[RELIC_BASE * k + i]
        like |= bit128(i)
    if late == 0:
        return
    if p >= 0:
        like &= ~bit128(c)
        hidden = 1
        for i in range(t.players):
            hidden += count128(hand_of(s, k, i) & like)
        for i in range(pile_size(s, k)):
            hidden += has128(like, pile_of(s, k)[i])
        if hidden == late:
            knows.fresh[k][p] -= 1
    for i in range(first, last):
        if knows.late[RELIC_BASE * k + i] and (i == c or not knows.late[RELIC_BASE * k + c]):
            knows.late[RELIC_BASE * k + i] = 0
            return


cdef inline void cap_fresh(Knowledge *knows, const State *s, int k, int p) noexcept nogil:
    """A hand holds at most its size of late cards."""
    cdef int size = count128(hand_of(s, k, p))
    if knows.fresh[k][p] > size:
        knows.fresh[k][p] = <uint8_t>size


cdef void know_opened(Ctx *ctx, const State *s, const Tables *t, int k, int c, int place) noexcept nogil:
    """I3: a hidden copy has left a hand, the pile or the table and is open."""
    cdef int v
    for v in range(t.players):
        see_leave(ctx.knows, t, k, v, c, place)
    forget_late(ctx.knows, s, t, k, c, place if place < IN_PILE else -1)
    if place < IN_PILE:
        cap_fresh(ctx.knows, s, k, place)


cdef inline void opened_card(State *s, const Tables *t, Ctx *ctx, int p, int copy) noexcept nogil:
    """A Discovery Card has left a hand and is open."""
    if unlikely(ctx.knows != NULL):
        know_opened(ctx, s, t, DISCOVERY_PILE, copy, p)


cdef inline void opened_relic(State *s, const Tables *t, Ctx *ctx, int p, int copy) noexcept nogil:
    """An Inactive Relic Card has left a hand and is open."""
    if unlikely(ctx.knows != NULL):
        know_opened(ctx, s, t, RELIC_PILE, copy, p)


cdef bint leave_top(Knowledge *knows, const State *s, int k, int v) noexcept nogil:
    """The top card has been taken; whether v knew it by its position."""
    cdef int size = pile_size(s, k)
    cdef bint knew = knows.top[k][v] > 0 or knows.bottom[k][v] > size
    if knows.top[k][v]:
        knows.top[k][v] -= 1
    if knows.bottom[k][v] > size:
        knows.bottom[k][v] = <uint8_t>size
    return knew


cdef void know_drawn(Ctx *ctx, const State *s, const Tables *t, int k, int q, int c) noexcept nogil:
    """I4: the top card has come into the hand of ``q``, unseen by others."""
    cdef Knowledge *knows = ctx.knows
    cdef int v
    cdef bint knew
    for v in range(t.players):
        knew = leave_top(knows, s, k, v)
        if v == q:
            if not knew:
                see_leave(knows, t, k, v, c, IN_PILE)
        elif knew:
            places_of(knows, k, v)[c] = <uint8_t>(1 << q)
        else:
            widen(knows, t, k, v, IN_PILE, 1 << q)
    if knows.rebuilt[k] and knows.fresh[k][q] < 255:
        knows.fresh[k][q] += 1


cdef void know_turned(Ctx *ctx, const State *s, const Tables *t, int k, int c) noexcept nogil:
    """The top card is an Event and open at once (J06)."""
    cdef int v
    for v in range(t.players):
        if not leave_top(ctx.knows, s, k, v):
            see_leave(ctx.knows, t, k, v, c, IN_PILE)
    forget_late(ctx.knows, s, t, k, c, -1)


cdef void know_looked(Ctx *ctx, const State *s, const Tables *t, int k, int w, int c) noexcept nogil:
    """I7, I8: ``w`` has taken the top card to look at it: it lies on the table (J05)."""
    cdef Knowledge *knows = ctx.knows
    cdef int v
    cdef bint knew
    for v in range(t.players):
        knew = leave_top(knows, s, k, v)
        if v == w:
            if not knew:
                see_leave(knows, t, k, v, c, IN_PILE)
        elif knew:
            places_of(knows, k, v)[c] = PLACE_TABLE
        else:
            widen(knows, t, k, v, IN_PILE, PLACE_TABLE)


cdef void know_settled(Ctx *ctx, const Tables *t, int k, int w, int kept, int back) noexcept nogil:
    """The look of ``w`` is over: so many cards were kept, so many went back into the pile."""
    cdef Knowledge *knows = ctx.knows
    cdef uint8_t *places
    cdef int v, c
    cdef uint8_t now = <uint8_t>((1 << w if kept else 0) | (PLACE_PILE if back else 0))
    for v in range(t.players):
        if v != w:
            places = places_of(knows, k, v)
            for c in range(copy_count(t, k)):
                if places[c] & PLACE_TABLE:
                    places[c] = (places[c] & ~PLACE_TABLE) | now
    if knows.rebuilt[k] and kept:
        knows.fresh[k][w] = <uint8_t>min_int(255, knows.fresh[k][w] + kept)


cdef void forget_top(Knowledge *knows, const State *s, int k, int v) noexcept nogil:
    """What v knew of the top of a pile says only that the cards are in it."""
    cdef int size = pile_size(s, k)
    cdef int i
    for i in range(size - min_int(size, knows.top[k][v]), size):
        if i >= knows.bottom[k][v]:
            places_of(knows, k, v)[pile_of(s, k)[i]] = PLACE_PILE
    knows.top[k][v] = 0


cdef void forget_bottom(Knowledge *knows, const State *s, int k, int v) noexcept nogil:
    """What v knew of the bottom of a pile says only that the cards are in it."""
    cdef int size = pile_size(s, k)
    cdef int i
    for i in range(min_int(size, knows.bottom[k][v])):
        if i < size - knows.top[k][v]:
            places_of(knows, k, v)[pile_of(s, k)[i]] = PLACE_PILE
    knows.bottom[k][v] = 0


cdef void know_scry(Ctx *ctx, const State *s, const Tables *t, int k, int w, bint under) noexcept nogil:
    """I7: for others than ``w`` the top (``under``: the bottom) of the pile is no longer what they knew."""
    cdef int v
    for v in range(t.players):
        if v != w:
            if under:
                forget_bottom(ctx.knows, s, k, v)
            else:
                forget_top(ctx.knows, s, k, v)


cdef void know_moved(Ctx *ctx, const State *s, const Tables *t, int k, int q, int r, int c) noexcept nogil:
    """I6: a hidden card has gone from the hand of q to that of r."""
    cdef Knowledge *knows = ctx.knows
    cdef int v
    for v in range(t.players):
        if v == q:
            places_of(knows, k, v)[c] = <uint8_t>(1 << r)
        elif v == r:
            see_leave(knows, t, k, v, c, q)
        else:
            widen(knows, t, k, v, q, 1 << r)
    if knows.fresh[k][q] and knows.fresh[k][r] < 255:
        knows.fresh[k][r] += 1
    cap_fresh(knows, s, k, q)


cdef inline void moved_card(State *s, const Tables *t, Ctx *ctx, int q, int r, int copy) noexcept nogil:
    """A Discovery Card has gone from hand to hand."""
    if unlikely(ctx.knows != NULL):
        know_moved(ctx, s, t, DISCOVERY_PILE, q, r, copy)


cdef void moved_relic(State *s, const Tables *t, Ctx *ctx, int q, int r, int copy,
                      bint active) noexcept nogil:
    """A Relic Card has gone from q into the hand of r; an Active one in sight of all (J07)."""
    cdef int v
    if likely(ctx.knows == NULL):
        return
    if not active:
        know_moved(ctx, s, t, RELIC_PILE, q, r, copy)
        return
    for v in range(t.players):
        if v != r:
            places_of(ctx.knows, RELIC_PILE, v)[copy] = <uint8_t>(1 << r)


cdef inline void named_card(State *s, const Tables *t, Ctx *ctx, int k, int p, int copy) noexcept nogil:
    """An open answer has named a card that is still in the hand of p (J04)."""
    cdef int v
    if unlikely(ctx.knows != NULL):
        for v in range(t.players):
            if v != p:
                see_leave(ctx.knows, t, k, v, copy, p)
                places_of(ctx.knows, k, v)[copy] = <uint8_t>(1 << p)


cdef void know_hand(Ctx *ctx, const State *s, const Tables *t, int k, int v, int q) noexcept nogil:
    """I6: v has seen the whole hand of q."""
    cdef u128 rest
    if v == q:
        return
    rest = hand_of(s, k, q)
    while any128(rest):
        see_leave(ctx.knows, t, k, v, first128(rest), q)
        rest = rest128(rest)
    rest = hand_of(s, k, q)
    while any128(rest):
        places_of(ctx.knows, k, v)[first128(rest)] = <uint8_t>(1 << q)
        rest = rest128(rest)


cdef inline void seen_hand(State *s, const Tables *t, Ctx *ctx, int question, int v, int q) noexcept nogil:
    """v is asked which card of the hand of q it is to be."""
    if unlikely(ctx.knows != NULL):
        if question == DK_PAY_CARD:
            know_hand(ctx, s, t, DISCOVERY_PILE, v, q)
        elif question == DK_PAY_RELIC:
            know_hand(ctx, s, t, RELIC_PILE, v, q)


cdef void know_rebuilt(Ctx *ctx, const State *s, const Tables *t, int k) noexcept nogil:
    """I5: the draw pile has been rebuilt from the discard pile."""
    cdef Knowledge *knows = ctx.knows
    cdef uint8_t *places
    cdef int v, c
    memset(&knows.late[RELIC_BASE * k], 0, RELIC_BASE if not k else RELIC_COPIES)
    for c in range(pile_size(s, k)):
        knows.late[RELIC_BASE * k + pile_of(s, k)[c]] = 1
    knows.rebuilt[k] = 1
    for v in range(t.players):
        knows.fresh[k][v] = 0
        knows.top[k][v] = 0
        knows.bottom[k][v] = 0
        places = places_of(knows, k, v)
        for c in range(copy_count(t, k)):
            places[c] &= <uint8_t>~PLACE_PILE


# ---------------------------------------------------------------------------------------------- Command Cards
cdef inline void know_burned(Ctx *ctx, const State *s, int p, int column) noexcept nogil:
    """I9: a card has been Burned; it is none of those that lie Played."""
    if unlikely(ctx.knows != NULL):
        ctx.knows.excluded[p][column] = <uint16_t>face_up(s, p)


cdef void know_shown(Ctx *ctx, const State *s, int p, int card) noexcept nogil:
    """I9: a card that has been Played or shown is none of the Burned ones."""
    cdef int column
    if likely(ctx.knows == NULL):
        return
    for column in range(NUM_COLUMNS):
        if burned_card(&s.seat[p], column) >= 0:
            ctx.knows.excluded[p][column] |= <uint16_t>(1 << card)


cdef void know_taken_back(Ctx *ctx, const State *s, int p) noexcept nogil:
    """A Command Card has come back from the board: where no card lies Burned, there is nothing to know."""
    cdef int column
    if likely(ctx.knows == NULL):
        return
    for column in range(NUM_COLUMNS):
        if burned_card(&s.seat[p], column) < 0:
            ctx.knows.excluded[p][column] = 0


# ------------------------------------------------------------------------------------------- the event record
cdef int choice_seen(const State *s, int player, int kind, int action) noexcept nogil:
    """I11: who sees what was answered, a bit each."""
    cdef int column
    if kind == DK_BURN or kind == DK_KEEP_RELIC or kind == DK_SCRY_KEEP or kind == DK_SCRY_PUT:
        return 1 << player
    if kind == DK_TRADE_CARD or kind == DK_TRADE_RELIC or kind == DK_CHOOSE_FACTION:
        return 1 << player
    if kind == DK_REACT and action == A_DONE:
        return 1 << player
    if (kind == DK_PAY_CARD or kind == DK_PAY_RELIC) and action >= A_CARD:
        return 1 << player
    if kind == DK_RECLAIM and action >= A_COMMAND:
        for column in range(NUM_COLUMNS):
            if burned_card(&s.seat[player], column) == action - A_COMMAND:
                return 1 << player
    return ALL_SEATS


cdef inline void emit_choice(const State *s, Ctx *ctx, int player, int kind, int action,
                             int forced) noexcept nogil:
    """Record an answer."""
    if unlikely((<size_t>ctx.events | <size_t>ctx.census) != 0):
        record(ctx, EV_CHOICE, player, kind, action, forced, choice_seen(s, player, kind, action))


cdef inline void emit_hidden(Ctx *ctx, int seen, int kind, int player, int a, int b, int c) noexcept nogil:
    """Record an event of which only some seats (a bit each) see all."""
    if unlikely((<size_t>ctx.events | <size_t>ctx.census) != 0):
        record(ctx, kind, player, a, b, c, seen)
