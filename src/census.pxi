# The census: what was held and played in each game, and who won (cysmic_fast/census.py says what and why).
#
# It stands beside a game like the record of events and hears the same events; a game that nobody counts has
# none. Sums are integers, so that neither the order of the games nor the number of threads matters.

cdef enum:
    BATCHES = 32           # of games: the game's index modulo this
    N_SUMS = 1 + 12 * 128 * 15 + 12 + 128 * 12 + 18 + 12 * 128 * BATCHES  # numbers in Sums

if sizeof(Sums) != N_SUMS * sizeof(int64_t) or N_SUMS != <int>CENSUS_SUMS or N_CR != 12 or MAX_PLAYERS != 6:
    raise ImportError("cysmic_fast/census.py and the native census differ: rebuild")


cdef inline void census_begin(Census *c) noexcept nogil:
    """A game begins."""
    memset(c.seen, 0, sizeof(c.seen))


cdef void census_hear(Census *c, int kind, int player, int a, int b, int what) noexcept nogil:
    """Note an event of the game at hand."""
    if kind == EV_RECEIVE:
        c.seen[CR_RELIC_HELD if a else CR_DISCOVERY_HELD][player] |= bit128(b)
    elif kind == EV_PLAY_CARD:
        c.seen[CR_DISCOVERY_ACTION + b][player] |= bit128(a)
    elif kind == EV_RELIC and what == 1:
        c.seen[CR_RELIC_ACTIVATED][player] |= bit128(a)


cdef void census_end(Census *c, const State *s, const Tables *t, uint64_t index) noexcept nogil:
    """The game of that index is over: add what it shows to the sums."""
    cdef int players = t.players
    cdef int winners = popcount64(s.launched)
    cdef int row, seat, design
    cdef int64_t held, won, score, total
    cdef u128 rest
    cdef Tally *tally
    for seat in range(players):
        c.seen[CR_SEAT][seat] = bit128(seat)
        c.seen[CR_PLACE][seat] = bit128((seat - s.opener + players) % players)
        if s.seat[seat].faction >= 0:
            c.seen[CR_FACTION][seat] = bit128(s.seat[seat].faction)
        c.seen[CR_DISCOVERY_PLAYED][seat] = c.seen[CR_DISCOVERY_ACTION][seat]
        c.seen[CR_DISCOVERY_PLAYED][seat] |= c.seen[CR_DISCOVERY_REACTION][seat]
        c.seen[CR_DISCOVERY_PLAYED][seat] |= c.seen[CR_DISCOVERY_REWARD][seat]
    c.sums.games += 1
    for row in range(N_CR):
        total = 0
        rest = 0
        for seat in range(players):
            rest |= c.seen[row][seat]
            total += (players * (s.launched >> seat & 1) - winners) * <int64_t>count128(c.seen[row][seat])
        if row == CR_EVENT_DRAWN:
            census_events(&c.sums, rest, s.round, winners > 0)
        c.sums.row_square[row] += total * total
        while any128(rest):
            design = first128(rest)
            tally = &c.sums.count[row][design]
            held = 0
            won = 0
            for seat in range(players):
                if has128(c.seen[row][seat], design):
                    tally.seen[seat] += 1
                    held += 1
                    if s.launched >> seat & 1:
                        tally.won[seat] += 1
                        won += 1
            score = players * won - winners * held
            tally.fair += winners * held
            tally.square += score * score
            tally.cross += score * total
            c.sums.batch[row][design][index % BATCHES] += score
            rest = rest128(rest)


cdef void census_events(Sums *sums, u128 events, int64_t rounds, int64_t launched) noexcept nogil:
    """Planetary Events of a game: how long it was, and whether anybody Launched."""
    cdef int64_t count = count128(events)
    cdef int64_t[2] outcome
    cdef int64_t power, weight
    cdef int i, j, k, design
    outcome[0] = rounds
    outcome[1] = launched
    for k in range(2):
        power = 1
        for j in range(3):
            weight = power
            for i in range(3):
                sums.all_events[i][k][j] += weight
                weight *= count
            power *= outcome[k]
    while any128(events):
        design = first128(events)
        for k in range(2):
            power = 1
            for j in range(3):
                sums.event[design][0][k][j] += power
                sums.event[design][1][k][j] += power * count
                power *= outcome[k]
        events = rest128(events)


cdef void census_add(int64_t *to, const Sums *sums) noexcept nogil:
    """Add the sums of a thread to those of all."""
    cdef const int64_t *numbers = <const int64_t *>sums
    cdef int i
    for i in range(N_SUMS):
        to[i] += numbers[i]


cdef object census_room(object census, int players):
    """Room for the sums that a census is to get; OptionError if it is none for this number of players."""
    check_census(census, players)
    return numpy.zeros(N_SUMS, dtype=numpy.int64)
