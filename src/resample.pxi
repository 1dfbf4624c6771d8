# A world that agrees with what a seat knows, drawn uniformly (docs/information.md, section 4): who holds
# which hidden card, in which order the piles lie, which Command Card is Burned, which Faction Cards have been
# dealt.
#
# A deck is dealt into slots: the cards of the hands, of the unknown part of the pile, and those another seat
# is looking at. All bijections of copies and slots that agree with the knowledge are equally likely.

cdef enum:
    MAX_WORLDS = 10000     # I25
    MAX_DEALS = 10000      # J14
    MAX_TRIALS = 256
    PLACES = 8

cdef struct Source:        # words of family RESAMPLE
    Rng rng
    RngBlock block


cdef struct Deal:
    uint8_t count          # slots, and copies
    uint8_t table          # which of them are on the table: from here on
    uint8_t was[192]       # by slot: the copy in it,
    uint8_t now[192]       # and the one dealt
    uint8_t at[192]        # its place in the pile or on the table
    uint8_t free[8][192]   # slots by place,
    uint8_t size[8]        # how many there are
    uint8_t cap[8]         # late cards a hand may hold
    uint8_t order[192]     # copies: bound to one place, Events with two, bound to several, late, all others
    uint8_t mask[192]      # their places
    uint8_t late[192]      # whether they are late
    uint8_t ones           # where these parts of `order` end
    uint8_t events
    uint8_t several
    uint8_t lates


cdef extern from *:
    """
    /* n choose k, exact below 2^127 */
    CYSMIC_INLINE u128 choose128(int n, int k) {
        u128 result = 1;
        if (k < 0 || k > n) return 0;
        if (k > n - k) k = n - k;
        for (int i = 0; i < k; i++) {
            uint64_t over = (uint64_t)(n - i), under = (uint64_t)(i + 1);
            result = result / under * over + result % under * over / under;
        }
        return result;
    }
    CYSMIC_INLINE u128 times128(u128 a, u128 b) { return a * b; }
    CYSMIC_INLINE int less128(u128 a, u128 b) { return a < b; }
    """
    u128 choose128(int n, int k) noexcept nogil
    u128 times128(u128 a, u128 b) noexcept nogil
    bint less128(u128 a, u128 b) noexcept nogil


cdef inline int pick_below(Source *source, int n) noexcept nogil:
    """A number below n."""
    return <int>rng_bounded(&source.rng, &source.block, CF_RESAMPLE, <uint32_t>n) if n > 1 else 0


cdef u128 pick_wide(Source *source, u128 n) noexcept nogil:
    """A number below n, which may be large: as many bits as n - 1 has, again until it is below."""
    cdef u128 mask = n - 1
    cdef u128 found
    cdef uint64_t low
    cdef int shift = 1
    while shift < 128:
        mask |= mask >> shift
        shift *= 2
    while True:
        low = rng_word(&source.rng, &source.block, CF_RESAMPLE)
        found = make128(low, 0)
        if high64(mask):
            found = make128(low, rng_word(&source.rng, &source.block, CF_RESAMPLE))
        found &= mask
        if less128(found, n):
            return found


cdef void shuffle_copies(Source *source, uint8_t *items, int n) noexcept nogil:
    """Fisher-Yates."""
    cdef int i, j
    cdef uint8_t item
    for i in range(n - 1, 0, -1):
        j = pick_below(source, i + 1)
        item = items[i]
        items[i] = items[j]
        items[j] = item


# ---------------------------------------------------------------------------------------------- what is dealt
cdef int looked_at(const State *s, const Tables *t, int k, uint8_t *at) noexcept nogil:
    """Cards of a deck on the table: their places in the bytes beneath the innermost frame; how many."""
    cdef const Frame *f = top_of(s)
    cdef int i, found = 0
    if s.phase == PH_OVER:
        return 0
    if f.proc == PR_GAIN_RELIC and f.step == 1 and k == RELIC_PILE:
        for i in range(f.c):
            at[found] = <uint8_t>i
            found += 1
    elif f.proc == PR_SCRY and f.step < 3 and (t.steps[f.a].what == DECK_RELIC) == k:
        for i in range(f.b & 255):
            if i < f.b >> 8 and not (f.c | f.c >> 8) >> i & 1 and not goes_under(&t.steps[f.a]):
                continue  # discarded
            at[found] = <uint8_t>i
            found += 1
    return found


cdef inline void add_slot(Deal *d, int place, int copy, int at) noexcept nogil:
    """One more slot."""
    d.was[d.count] = <uint8_t>copy
    d.at[d.count] = <uint8_t>at
    d.free[place][d.size[place]] = d.count
    d.size[place] += 1
    d.count += 1


cdef void prepare_deal(const State *s, const Tables *t, const Knowledge *knows, int k, int v, int kept,
                       Deal *d) noexcept nogil:
    """What is hidden from v of a deck, the hand of ``kept`` aside, and what v knows of it."""
    cdef uint8_t at[128]
    cdef uint8_t part[192]
    cdef int q, i, c, size, present, known, own, part_of, surplus, filled = 0
    cdef u128 rest, like
    cdef u128 hidden = 0
    memset(d, 0, sizeof(Deal))
    for q in range(t.players):
        if q != v and q != kept:
            rest = hand_of(s, k, q)
            while any128(rest):
                add_slot(d, q, first128(rest), 0)
                rest = rest128(rest)
            d.cap[q] = knows.fresh[k][q]
    size = pile_size(s, k)
    for i in range(size):
        if i >= knows.bottom[k][v] and i < size - knows.top[k][v]:
            add_slot(d, IN_PILE, pile_of(s, k)[i], i)
    d.table = d.count
    if top_of(s).p != v:
        for i in range(looked_at(s, t, k, at)):
            add_slot(d, ON_TABLE, beneath(top_of(s), 1)[at[i]], at[i])
    present = 0
    for q in range(PLACES):
        present |= (d.size[q] != 0) << q
    for i in range(d.count):
        hidden |= bit128(d.was[i])
    # late copies: of like ones v takes its own for late (J03)
    for c in range(copy_count(t, k)):
        d.late[c] = knows.late[RELIC_BASE * k + c] if knows.rebuilt[k] else 0
    own = 0
    for c in range(copy_count(t, k) if knows.rebuilt[k] else 0):
        if has128(hand_of(s, k, v), c) and not d.late[c]:
            own = beyond_like(t, k, c)
            surplus = 1
            for i in range(own - 1, first_like(t, k, c) - 1, -1):
                if surplus and d.late[i] and not has128(hand_of(s, k, v), i):
                    d.late[i] = 0
                    d.late[c] = 1
                    surplus = 0
    # by how much is known: parts of `order`
    for part_of in range(5):
        for c in range(copy_count(t, k)):
            if not has128(hidden, c):
                continue
            if part_of == 0:
                known = knows.places[v][RELIC_BASE * k + c]
                d.mask[c] = <uint8_t>((known if known else 255) & present)
                if not k and has128(t.event_copies, c):
                    d.mask[c] &= PLACE_PILE | PLACE_TABLE
                    known = PLACE_PILE
                if d.late[c]:
                    for q in range(t.players):
                        if d.cap[q] == 0:
                            d.mask[c] &= <uint8_t>~(1 << q)
                part[c] = 4
                if popcount64(d.mask[c]) <= 1:
                    part[c] = 0
                elif known:
                    part[c] = 1 if not k and has128(t.event_copies, c) and not knows.places[v][c] else 2
                elif d.late[c]:
                    part[c] = 3
            if part[c] == part_of:
                d.order[filled] = <uint8_t>c
                filled += 1
        if part_of == 0:
            d.ones = <uint8_t>filled
        elif part_of == 1:
            d.events = <uint8_t>filled
        elif part_of == 2:
            d.several = <uint8_t>filled
        elif part_of == 3:
            d.lates = <uint8_t>filled


# ------------------------------------------------------------------------------------------------ the dealing
cdef inline void fill_slot(Deal *d, int place, int i, int copy) noexcept nogil:
    """The i-th free slot of a place gets a copy."""
    cdef int slot = d.free[place][i]
    d.size[place] -= 1
    d.free[place][i] = d.free[place][d.size[place]]
    d.now[slot] = <uint8_t>copy


cdef int late_ways(const Deal *d, int late, u128 ways[8][130]) noexcept nogil:
    """``ways[q + 1][n]``: in how many ways n late cards can lie in the hands of seats 0 .. q; the most n."""
    cdef int q, n, m, most, total = 0
    memset(&ways[0][0], 0, 130 * sizeof(u128))
    ways[0][0] = 1
    for q in range(MAX_PLAYERS):
        most = min_int(d.cap[q], d.size[q])
        memset(&ways[q + 1][0], 0, 130 * sizeof(u128))
        for n in range(total + 1):
            for m in range(min_int(most, late - n) + 1):
                ways[q + 1][n + m] += times128(ways[q][n], choose128(d.size[q], m))
        total = min_int(late, total + most)
    return total


cdef u128 all_ways(const Deal *d, int late, u128 ways[8][130]) noexcept nogil:
    """In how many ways the slots of the late cards can be chosen."""
    cdef int n
    cdef u128 total = 0
    for n in range(late_ways(d, late, ways) + 1):
        total += times128(ways[MAX_PLAYERS][n], choose128(d.size[IN_PILE] + d.size[ON_TABLE], late - n))
    return total


cdef void deal_late(Deal *d, Source *source, int late, u128 ways[8][130], u128 total) noexcept nogil:
    """Late cards, ``total`` ways in all: first how many come into which hand, then the slots."""
    cdef u128 left = pick_wide(source, total)
    cdef u128 weight
    cdef uint8_t copies[192]
    cdef int q, n, m, i, dealt = 0
    memcpy(copies, &d.order[d.several], late)
    shuffle_copies(source, copies, late)
    n = 0
    while True:
        weight = times128(ways[MAX_PLAYERS][n], choose128(d.size[IN_PILE] + d.size[ON_TABLE], late - n))
        if less128(left, weight):
            break
        left -= weight
        n += 1
    for i in range(late - n):
        m = pick_below(source, d.size[IN_PILE] + d.size[ON_TABLE])
        if m < d.size[IN_PILE]:
            fill_slot(d, IN_PILE, m, copies[dealt])
        else:
            fill_slot(d, ON_TABLE, m - d.size[IN_PILE], copies[dealt])
        dealt += 1
    for q in range(MAX_PLAYERS - 1, -1, -1):
        left = pick_wide(source, ways[q + 1][n])
        m = 0
        while True:
            weight = 0
            if m <= n and m <= d.cap[q]:
                weight = times128(ways[q][n - m], choose128(d.size[q], m))
            if less128(left, weight):
                break
            left -= weight
            m += 1
        n -= m
        for i in range(m):
            fill_slot(d, q, pick_below(source, d.size[q]), copies[dealt])
            dealt += 1


cdef bint deal_bound(Deal *d, Source *source) noexcept nogil:
    """Copies of which something is known; false where two come into one slot, or a hand has too many late.

    Each takes any slot of its places with the same chance, taken already or not, so that all ways
    without a collision are equally likely; Events, which all have the same places, take one of those left.
    """
    cdef uint8_t sizes[8]
    cdef int i, c, place, k, rest, slot
    for i in range(d.several):
        if i == d.ones:
            memcpy(sizes, d.size, PLACES)
        c = d.order[i]
        rest = 0
        for place in range(PLACES):
            if d.mask[c] >> place & 1:
                rest += d.size[place] if i < d.events else sizes[place]
        if rest == 0:
            return False
        k = pick_below(source, rest)
        for place in range(PLACES):
            if d.mask[c] >> place & 1:
                rest = d.size[place] if i < d.events else sizes[place]
                if k < rest:
                    break
                k -= rest
        if k >= d.size[place]:
            return False
        if i < d.ones and place < IN_PILE:  # a card known to be in a hand keeps its slot there
            for slot in range(d.size[place]):
                if d.was[d.free[place][slot]] == c:
                    k = slot
        if d.late[c] and place < IN_PILE:
            if d.cap[place] == 0:
                return False
            d.cap[place] -= 1
        fill_slot(d, place, k, c)
    return True


cdef void deal_deck(const Deal *prepared, Source *source, Deal *d) noexcept nogil:
    """Deal a deck anew. Where no deal is found everything stays (J14)."""
    cdef u128 ways[8][130]
    cdef u128 total, most = 0
    cdef uint8_t copies[192]
    cdef int i, place, tries
    cdef int late = prepared.lates - prepared.several
    cdef bint bound = prepared.several > prepared.ones
    for tries in range(MAX_DEALS):
        memcpy(d, prepared, sizeof(Deal))
        if not deal_bound(d, source):
            if not bound:
                break
            continue
        if late:
            total = all_ways(d, late, ways)
            if not any128(total):
                if not bound:
                    break
                continue
            if bound:  # as likely as there are ways to go on
                if not any128(most):
                    most = most_ways(prepared, late)
                if not less128(pick_wide(source, most), total):
                    continue
            deal_late(d, source, late, ways, total)
        memcpy(copies, &d.order[d.lates], d.count - d.lates)
        shuffle_copies(source, copies, d.count - d.lates)
        i = 0
        for place in range(PLACES):
            while d.size[place]:
                fill_slot(d, place, d.size[place] - 1, copies[i])
                i += 1
        return
    memcpy(d, prepared, sizeof(Deal))
    memcpy(d.now, d.was, d.count)


cdef u128 most_ways(const Deal *prepared, int late) noexcept nogil:
    """At most so many ways to go on there are, wherever copies bound to several places come: found by trying
    if these are few, else a bound.
    """
    cdef u128 ways[8][130]
    cdef u128 most, other
    cdef Deal d
    cdef int i, c, place, slots = 0, trials = 1
    memcpy(&d, prepared, sizeof(Deal))
    for i in range(d.several):
        c = d.order[i]
        if i >= d.ones:
            place = popcount64(d.mask[c] & ~PLACE_TABLE)
            place += d.mask[c] & (PLACE_PILE | PLACE_TABLE) == PLACE_TABLE
            trials = min_int(MAX_TRIALS + 1, trials * place)
        elif d.mask[c]:
            place = ctz64(d.mask[c])
            d.size[place] -= d.size[place] > 0
            if d.late[c] and d.cap[place]:
                d.cap[place] -= 1
    if trials <= MAX_TRIALS:
        return best_ways(&d, d.ones, late, ways)
    for place in range(PLACES):
        slots += d.size[place]
    most = all_ways(&d, late, ways)
    other = choose128(slots - (d.several - d.ones), late)
    return other if less128(other, most) else most


cdef u128 best_ways(Deal *d, int i, int late, u128 ways[8][130]) noexcept nogil:
    """The most ways to go on, from the i-th copy on; the pile and the table are alike here."""
    cdef u128 found, best = 0
    cdef int place, c
    cdef bint pile = False
    cdef bint counts
    if i == d.several:
        return all_ways(d, late, ways)
    c = d.order[i]
    for place in range(PLACES):
        counts = place < IN_PILE and d.late[c] != 0
        if not d.mask[c] >> place & 1 or d.size[place] == 0 or (place >= IN_PILE and pile):
            continue
        if counts and d.cap[place] == 0:
            continue
        pile = place >= IN_PILE
        d.size[place] -= 1
        d.cap[place] -= counts
        found = best_ways(d, i + 1, late, ways)
        d.size[place] += 1
        d.cap[place] += counts
        if less128(best, found):
            best = found
    return best


# ---------------------------------------------------------------------------------------------- Command Cards
cdef int burned_ways(const int *columns, int count, int allowed) noexcept nogil:
    """In how many ways Columns get different ones of the allowed cards, none that ``columns`` excludes."""
    cdef int cards, card, i, ways = 0
    cdef bint free = True
    for i in range(count):
        free = free and not columns[i] & allowed
    if free:
        ways = 1
        for i in range(count):
            ways *= popcount64(<uint64_t>allowed) - i
        return ways
    cards = allowed & ~columns[0]
    while cards:
        card = cards & -cards
        cards ^= card
        ways += burned_ways(columns + 1, count - 1, allowed & ~card)
    return ways


cdef void deal_commands(State *w, const Knowledge *knows, Source *source, int q) noexcept nogil:
    """I22: which of the cards that q has in hand or Burned are Burned."""
    cdef Seat *seat = &w.seat[q]
    cdef Frame *turn = &w.frames[0]
    cdef int columns[5]
    cdef int excluded[5]
    cdef int cards = seat.commands
    cdef int count = 0, i, card, left, ways, reclaimed = -1
    cdef bint reclaiming = (turn.proc == PR_TURN and w.active == q and w.phase == PH_TURN
                            and (turn.step == 3 or turn.step == 4))
    for i in range(NUM_COLUMNS):
        card = burned_card(seat, i)
        if card >= 0:
            cards |= 1 << card
            columns[count] = i
            excluded[count] = knows.excluded[q][i]
            if reclaiming and turn.a == card:
                reclaimed = i
            count += 1
    if count == 0 or burned_ways(excluded, count, cards) == 0:
        return
    for i in range(count):
        left = pick_below(source, burned_ways(&excluded[i], count - i, cards))
        card = 0
        while True:
            if cards >> card & 1 and not excluded[i] >> card & 1:
                ways = burned_ways(&excluded[i + 1], count - i - 1, cards & ~(1 << card))
                if left < ways:
                    break
                left -= ways
            card += 1
        cards &= ~(1 << card)
        set_board(seat, columns[i], card, board_played(seat, columns[i]))
        if columns[i] == reclaimed:
            turn.a = <int16_t>card
    seat.commands = <uint16_t>cards


# --------------------------------------------------------------------------------------------------- Factions
cdef void deal_factions(State *w, const Tables *t, Source *source, int v, int kept) noexcept nogil:
    """I23: Faction Cards dealt to others, and those chosen of them."""
    cdef uint8_t unseen[64]
    cdef uint8_t *dealt = <uint8_t *>&w.die[0]
    cdef int deal = t.faction_deal
    cdef int i, q, faction, count = 0
    cdef bint seen
    for i in range(t.eligible_count):
        faction = t.eligible[i]
        seen = False
        for q in range(deal * t.players):
            if q // deal == v or q // deal == kept:
                seen = seen or dealt[q] == faction
        if not seen:
            unseen[count] = <uint8_t>faction
            count += 1
    shuffle_copies(source, unseen, count)
    count = 0
    for q in range(t.players):
        if q == v or q == kept:
            continue
        memcpy(dealt + q * deal, unseen + count, deal)
        count += deal
        if w.seat[q].faction >= 0:
            w.seat[q].faction = <int8_t>dealt[q * deal + pick_below(source, deal)]


# --------------------------------------------------------------------------------- the new cards are in place
cdef void place_deal(State *w, const Deal *d, int k, int v, int kept, int players,
                     uint8_t *becomes) noexcept nogil:
    """Put the cards of a deal where their slots are; ``becomes``: by copy, the one now in its slot."""
    cdef int i, q, last, slot = 0
    cdef u128 cards
    for i in range(RELIC_BASE):
        becomes[i] = <uint8_t>i
    for i in range(d.count):
        becomes[d.was[i]] = d.now[i]
    for q in range(players):
        if q != v and q != kept:
            last = slot + count128(hand_of(w, k, q))
            cards = 0
            while slot < last:
                cards |= bit128(d.now[slot])
                slot += 1
            if k:
                w.seat[q].relics = low64(cards)
            else:
                w.seat[q].hand = cards
    for i in range(slot, d.table):
        if k:
            w.relic_deck[d.at[i]] = d.now[i]
        else:
            w.deck[d.at[i]] = d.now[i]
    for i in range(d.table, d.count):
        beneath(top(w), 1)[d.at[i]] = d.now[i]


cdef void rename_pieces(Frame *f, uint8_t becomes[2][128]) noexcept nogil:
    """The cards among the pieces of a payment, loss or theft."""
    cdef int i
    cdef int16_t *piece
    for i in range(chosen_pieces(f)):
        piece = &pieces_of(f)[i]
        if piece[0] & PC_CLASS == PC_CARD:
            piece[0] = PC_CARD | becomes[0][piece[0] & 127]
        elif piece[0] & PC_CLASS == PC_RELIC:
            piece[0] = PC_RELIC | becomes[1][piece[0] & 127]


cdef int pick_anew(const State *s, Source *source, int k, int owner, int copy, u128 *left) noexcept nogil:
    """J11: instead of a copy picked among the hidden cards of a hand one of those it holds now (``left``)."""
    if not has128(hand_of(s, k, owner), copy):
        return copy
    copy = select128(left[k], pick_below(source, count128(left[k])))
    left[k] &= ~bit128(copy)
    return copy


cdef void pick_pieces(const State *s, State *w, Source *source, Frame *f, int owner) noexcept nogil:
    """Pieces of a payment, loss or theft that have not changed hands."""
    cdef u128 left[2]
    cdef int i, kind, k, piece
    for k in range(2):
        left[k] = hand_of(w, k, owner)
    for i in range(chosen_pieces(f)):
        kind = pieces_of(f)[i] & PC_CLASS
        if kind == PC_CARD or kind == PC_RELIC:
            k = kind == PC_RELIC
            piece = pick_anew(s, source, k, owner, pieces_of(f)[i] & PC_WHAT, left)
            pieces_of(f)[i] = <int16_t>(kind | piece)


cdef void rename_payment(const State *s, State *w, const Tables *t, Source *source, Frame *f, int v, int kept,
                         uint8_t becomes[2][128]) noexcept nogil:
    """PR_PAY, PR_LOSE, PR_STEAL: what others than v have picked is picked anew, what is taken is renamed."""
    cdef int owner = f.p
    cdef int chooser = f.p
    cdef bint picked = f.step < 6 if f.proc == PR_PAY else True
    cdef Env e
    if f.proc == PR_STEAL:
        owner = stolen_from(f)
        picked = f.step <= 3
    if f.proc != PR_PAY:
        if t.steps[f.a].word != CHOOSER_SELF:
            chooser = owner
        elif f.proc == PR_LOSE:
            frame_env(w, t, f, &e)
            chooser = e.me
    if not picked:
        rename_pieces(f, becomes)
    elif chooser != v and owner != kept:
        pick_pieces(s, w, source, f, owner)


cdef void rename_trade(const State *s, State *w, Source *source, Frame *f, int v, int kept,
                       uint8_t becomes[2][128]) noexcept nogil:
    """The cards picked in a trade; afterwards the Relic Cards that have changed hands."""
    cdef int side, i, cards, made, owner
    cdef uint8_t *picks
    cdef u128 left[2]
    for side in range(2):
        picks = trade_list(f, side) + TR_PICKS
        owner = f.b if side else f.p
        if f.step == 4 and owner != v and owner != kept:
            left[0] = hand_of(w, 0, owner)
            left[1] = hand_of(w, 1, owner)
            cards = pieces_listed(f, side, A_RESOURCE + RS_DISCOVERY)
            made = f.d if side == f.c else 0
            if side < f.c:
                made = cards + pieces_listed(f, side, A_RESOURCE + RS_RELIC)
            for i in range(made):
                picks[i] = <uint8_t>pick_anew(s, source, i >= cards, owner, picks[i], left)
        elif f.step > 4:
            for i in range(TR_PICKS):
                if picks[i] == TR_END:
                    break
                picks[i] = becomes[1][picks[i] & 127]


cdef void rename_agenda(const State *s, State *w, const Tables *t, Source *source, int v, int kept,
                        uint8_t becomes[2][128]) noexcept nogil:
    """I24: copies that procedures on the agenda keep."""
    cdef Frame *f = top(w)
    cdef int i, k
    while True:
        if f.proc == PR_PAY or f.proc == PR_LOSE or f.proc == PR_STEAL:
            rename_payment(s, w, t, source, f, v, kept, becomes)
        elif f.proc == PR_TRADE:
            rename_trade(s, w, source, f, v, kept, becomes)
        elif f.proc == PR_WINDOW:
            if f.b >= 0:
                f.b = becomes[1][f.b]
            if f.step == 1:
                f.c = becomes[1][f.c]
        elif f.proc == PR_PLAY and f.step == 1:
            f.a = becomes[0][f.a]
        elif f.proc == PR_SCRY and f.step >= 3:  # those still looked at have slots of their own
            k = t.steps[f.a].what == DECK_RELIC
            for i in range(f.b & 255):
                scry_cards(f)[i] = becomes[k][scry_cards(f)[i]]
        i = place_of(w, f)
        if i - 1 - slots_of(f) < 0:
            return
        f = <Frame *>caller_of(f)


cdef void rename_knowledge(const State *w, const Knowledge *knows, const Tables *t, const Deal *prepared,
                           int v, uint8_t becomes[2][128], Knowledge *out) noexcept nogil:
    """J13: what other seats know follows the cards to what lies there now."""
    cdef int u, k, c, late
    for k in range(2):
        late = 0
        for c in range(copy_count(t, k) if knows.rebuilt[k] else 0):
            out.late[RELIC_BASE * k + c] = prepared[k].late[c]
            late += prepared[k].late[c] if has128(hand_of(w, k, v), c) else 0
        if out.fresh[k][v] < late:  # v takes its own cards for late ones first (J03)
            out.fresh[k][v] = <uint8_t>late
    for u in range(t.players):
        if u != v:
            for k in range(2):
                for c in range(copy_count(t, k)):
                    out.places[u][RELIC_BASE * k + becomes[k][c]] = knows.places[u][RELIC_BASE * k + c]


cdef void draw_world(const State *s, const Tables *t, const Knowledge *knows, const Deal *prepared,
                     Source *source, int v, int kept, State *w, uint8_t becomes[2][128]) noexcept nogil:
    """One world."""
    cdef Deal d
    cdef int q, k
    memcpy(w, s, sizeof(State))
    for k in range(2):
        deal_deck(&prepared[k], source, &d)
        place_deal(w, &d, k, v, kept, t.players, becomes[k])
    for q in range(t.players):
        if q != v and q != kept:
            deal_commands(w, knows, source, q)
    if s.kind == DK_CHOOSE_FACTION and s.phase == PH_SETUP:
        deal_factions(w, t, source, v, kept)
    rename_agenda(s, w, t, source, v, kept, becomes)
    refresh_watch(w, t)


cdef void draw_agreeing(const State *s, const Tables *t, const Knowledge *knows, const uint64_t *asked, int v,
                        uint64_t seed, State *w, Knowledge *out, uint64_t *mask) noexcept nogil:
    """A world for seat v in which the decision at hand, with the options ``asked``, is as v sees it (I25)."""
    cdef Deal prepared[2]
    cdef uint8_t becomes[2][128]
    cdef Source source
    cdef int k, kept = -1, tries = 0
    cdef bint fits = False
    rng_key(&source.rng, seed, s.rng.key[1])
    source.block.tag = RNG_EMPTY
    memcpy(out, knows, knowledge_size(t))
    while not fits:
        if tries == 0 or tries == MAX_WORLDS:
            if tries and s.player != v:
                kept = s.player
            for k in range(2):
                prepare_deal(s, t, knows, k, v, kept, &prepared[k])
        if tries > MAX_WORLDS:
            memcpy(w, s, sizeof(State))
            memcpy(mask, asked, 8 * sizeof(uint64_t))
            break
        draw_world(s, t, knows, prepared, &source, v, kept, w, becomes)
        tries += 1
        fits = s.phase == PH_OVER
        if fits:
            memset(mask, 0, 8 * sizeof(uint64_t))
        else:
            offer(w, t, mask)
            if s.player == v:
                fits = memcmp(mask, asked, 8 * sizeof(uint64_t)) == 0
            else:
                fits = count512(mask) > 1
    if fits:
        rename_knowledge(w, knows, t, prepared, v, becomes, out)
    rng_key(&w.rng, seed, s.rng.key[1])


# -------------------------------------------------------------------------------------------------- for tests
cdef int place_now(const State *s, const Tables *t, int k, int c) noexcept nogil:
    """Where a copy is, as in `places`; 0 if it is open."""
    cdef uint8_t at[128]
    cdef int i
    for i in range(t.players):
        if has128(hand_of(s, k, i), c):
            return 1 << i
    for i in range(pile_size(s, k)):
        if pile_of(s, k)[i] == c:
            return PLACE_PILE
    for i in range(looked_at(s, t, k, at)):
        if beneath(top_of(s), 1)[at[i]] == c:
            return PLACE_TABLE
    return 0


cdef const char *untrue_knowledge(const State *s, const Tables *t, const Knowledge *knows) noexcept nogil:
    """What is untrue of what the seats know; NULL: nothing."""
    cdef int late[6]
    cdef uint8_t at[128]
    cdef int k, v, c, i, place, size
    cdef bint looking
    for k in range(2):
        memset(late, 0, sizeof(late))
        size = pile_size(s, k)
        looking = looked_at(s, t, k, at) > 0
        for v in range(t.players):
            if knows.top[k][v] > size or knows.bottom[k][v] > size:
                return "knowledge of the pile"
            if knows.fresh[k][v] and not knows.rebuilt[k]:
                return "late cards in a hand before any"
            for i in range(size):
                if i < knows.bottom[k][v] or i >= size - knows.top[k][v]:
                    if knows.places[v][RELIC_BASE * k + pile_of(s, k)[i]]:
                        return "places of a card whose position is known"
        for c in range(copy_count(t, k)):
            place = place_now(s, t, k, c)
            if knows.late[RELIC_BASE * k + c] and not knows.rebuilt[k]:
                return "late card before any"
            for v in range(t.players):
                if knows.places[v][RELIC_BASE * k + c] & PLACE_TABLE and not looking:
                    return "knowledge of an empty table"
                if knows.places[v][RELIC_BASE * k + c] and not knows.places[v][RELIC_BASE * k + c] & place:
                    return "knowledge of a card"
                if knows.places[v][RELIC_BASE * k + c] and place == 1 << v:
                    return "knowledge of an own card"
                late[v] += knows.late[RELIC_BASE * k + c] if place == 1 << v else 0
            if knows.late[RELIC_BASE * k + c] and not place:
                return "late card that is open"
        for v in range(t.players):
            if late[v] > knows.fresh[k][v]:
                return "late cards in a hand"
    for v in range(t.players):
        for k in range(NUM_COLUMNS):
            c = burned_card(&s.seat[v], k)
            if (knows.excluded[v][k] if c < 0 else knows.excluded[v][k] >> c & 1):
                return "knowledge of a Burned card"
    return NULL
