# Test hooks: the kernels, callable from Python. Not public; the tests hold them to independent oracles.

cdef uint64_t as_word(object value, str name) except? 1:
    if not 0 <= value < 1 << 64:
        raise OptionError(f"{name} must be in 0 .. 2**64 - 1, not {value!r}")
    return <uint64_t>value


cdef int within(object value, object least, object most, str name) except? -1:
    """An argument of a hook: an integer in a range (OptionError)."""
    return <int>check_word(value, name, least, most)


def kernel_words(seed, index, int family, int count, skip=0):
    """``count`` words of a family's stream as a uint64 array, after ``skip`` words."""
    cdef Rng rng
    cdef RngBlock block
    cdef int i
    within(family, 0, N_CF - 1, "family")
    within(count, 0, 10**8, "count")
    block.tag = RNG_EMPTY
    rng_key(&rng, as_word(seed, "seed"), as_word(index, "index"))
    rng.used[family if family < CF_POLICY else 0] = <uint64_t>check_word(skip, "skip", 0, 2**62)
    words = numpy.empty(count, dtype=numpy.uint64)
    cdef uint64_t[::1] view = words
    for i in range(count):
        view[i] = rng_word(&rng, &block, family)
    return words


def kernel_bounded(seed, index, int family, uint32_t n, int count):
    """``count`` unbiased integers below ``n`` as a uint32 array."""
    cdef Rng rng
    cdef RngBlock block
    cdef int i
    within(family, 0, N_CF - 1, "family")
    within(count, 0, 10**8, "count")
    check_word(n, "n", 1)
    block.tag = RNG_EMPTY
    rng_key(&rng, as_word(seed, "seed"), as_word(index, "index"))
    numbers = numpy.empty(count, dtype=numpy.uint32)
    cdef uint32_t[::1] view = numbers
    for i in range(count):
        view[i] = rng_bounded(&rng, &block, family, n)
    return numbers


def kernel_shuffle(seed, index, int family, int n, int times=1):
    """``times`` successive shuffles of 0 .. n - 1, an array of shape (times, n)."""
    cdef Rng rng
    cdef RngBlock block
    cdef int i, k
    within(family, 0, N_CF - 1, "family")
    within(n, 1, 256, "n")
    within(times, 0, 10**7, "times")
    block.tag = RNG_EMPTY
    rng_key(&rng, as_word(seed, "seed"), as_word(index, "index"))
    orders = numpy.empty((times, n), dtype=numpy.uint8)
    cdef uint8_t[:, ::1] view = orders
    for i in range(times):
        for k in range(n):
            view[i, k] = <uint8_t>k
        rng_shuffle(&rng, &block, family, &view[i, 0], n)
    return orders


def kernel_hits(NativeGame game not None, squad, dice):
    """Sets of Units (bits in unit order) of a squad, numbers by type, that these dice can defeat together
    (K6).
    """
    cdef uint64_t mask[8]
    cdef int type, i
    counts = [within(number, 0, 3, "squad") for number in squad]
    values = [within(value, -1000, 1000, "dice") for value in dice]
    within(len(counts), 5, 5, "length of squad")
    within(len(values), 0, MAX_DICE, "number of dice")
    within(sum(counts), 1, 3, "squad")
    within(counts[3] + counts[4], 0, 1, "Vehicles of squad")
    cdef State *s = <State *>aligned_room(sizeof(State))
    memset(mask, 0, sizeof(mask))
    clear_state(s, game.tables)
    s.seat[1].occupied = 1
    for type in range(5):
        s.squad[0] += <uint8_t>(<int>counts[type] * unit_step[type])
    s.dice = <uint8_t>len(values)
    for i in range(s.dice):
        set_die(s, i, <int>values[i], 0)
    offer_hits(s, game.tables, 0, 1, False, mask)
    free(s)
    return [i for i in range(8) if mask[A_HITS >> 6] >> (A_HITS & 63) >> i & 1]


def kernel_event_limit(NativeState state not None, most):
    """From now on the state has room for so many events only: how it is when memory runs out."""
    cdef int limit = within(most, 0, EVENT_MOST, "most")
    if state.ctx.events == NULL:
        raise OptionError("most is given for a state that does not record its events")
    state.ctx.event_most = limit
    if state.ctx.event_room > limit:
        state.ctx.event_room = max(limit, state.ctx.event_count)


def kernel_record(values):
    """The record (one element, GAME_STATS) of a game in which every counter came to one value."""
    cdef State *s = <State *>aligned_room(sizeof(State))
    cdef Tables *t
    cdef Stats stats
    cdef Record record
    cdef uint64_t value = as_word(values, "values")
    cdef int i
    try:
        t = <Tables *>aligned_room(sizeof(Tables))
    except MemoryError:
        free(s)
        raise
    for i in range(<int>(sizeof(Stats) // sizeof(uint64_t))):
        (<uint64_t *>&stats)[i] = value
    s.round = 1
    write_record(s, t, &stats, &record)
    free(s)
    free(t)
    return numpy.frombuffer((<char *>&record)[:sizeof(Record)], dtype=GAME_STATS)


def kernel_clone(NativeState state not None, int64_t times):
    """Copies the state ``times`` times between two buffers; ``(seconds, equal)``: how long that took, and
    whether the last copy, with the count that was added to it on the way taken back, is the state."""
    check_word(times, "times", 0, 10**12)
    cdef State *one = <State *>aligned_room(sizeof(State))
    cdef State *two
    cdef int64_t i
    try:
        two = <State *>aligned_room(sizeof(State))
    except MemoryError:
        free(one)
        raise
    memcpy(one, state.s, sizeof(State))
    start = perf_counter()
    with nogil:
        # each copy is changed and becomes the source of the next: none can be left out
        for i in range(times):
            memcpy(two, one, sizeof(State))
            two.rng.key[1] += 1
            one, two = two, one
    seconds = perf_counter() - start
    one.rng.key[1] -= <uint64_t>times
    equal = memcmp(one, state.s, sizeof(State)) == 0
    free(one)
    free(two)
    return seconds, equal


def kernel_select(mask, int k):
    """The k-th legal id, ascending, of a mask of eight 64-bit words."""
    cdef uint64_t words[8]
    cdef int i
    within(len(mask), 8, 8, "length of mask")
    for i in range(8):
        words[i] = as_word(mask[i], "word")
    within(k, 0, count512(words) - 1, "k")
    return select512(words, k)


cdef u128 spaces_of(object value) except? 0:
    """A set of spaces given as an int; OptionError for anything else."""
    if not isinstance(value, int) or value < 0 or value >> NUM_SPACES:
        raise OptionError(f"set of spaces {shown(value)} given; allowed: 0 to 2**{NUM_SPACES} - 1")
    return int_to_set(value)


cdef class KernelMap:
    """A planet's shape with the given arrow groups (lists of edge spaces), for tests of the kernels."""

    cdef HexMap hexmap

    def __init__(self, arrow_groups=()):
        cdef int8_t arrow[NUM_SPACES]
        cdef int group
        memset(arrow, 0xFF, sizeof(arrow))
        for group, spaces in enumerate(arrow_groups):
            within(group, 0, 127, "number of groups")
            for space in spaces:
                arrow[within(space, 0, NUM_SPACES - 1, "space")] = <int8_t>group
        hexmap_build(&self.hexmap, arrow)

    def number(self, int terrain, int ring, int offset):
        """The number of a space (P1.7)."""
        within(terrain, 0, NUM_TERRAINS - 1, "terrain")
        within(ring, 0, NUM_RINGS, "ring")
        within(offset, 0, max(0, ring - 1), "offset")
        return space_number(terrain, ring, offset)

    def place(self, int space):
        """``(terrain, ring)`` of a space; terrain -1 for the centre."""
        within(space, 0, NUM_SPACES - 1, "space")
        return self.hexmap.terrain_of[space], self.hexmap.ring_of[space]

    def side(self, int space):
        """Side-neighbours in ascending order."""
        return set_to_list(self.hexmap.side[within(space, 0, NUM_SPACES - 1, "space")])

    def near(self, int space):
        """Neighbours by side or arrow in ascending order."""
        return set_to_list(self.hexmap.near[within(space, 0, NUM_SPACES - 1, "space")])

    def inner(self, int terrain):
        """Inner spaces of a terrain (S4.9) in ascending order."""
        return set_to_list(self.hexmap.inner[within(terrain, 0, NUM_TERRAINS - 1, "terrain")])

    def area(self, int terrain, int ring):
        """Spaces of one ring of a terrain in ascending order."""
        within(terrain, 0, NUM_TERRAINS - 1, "terrain")
        return set_to_list(self.hexmap.area[terrain][within(ring, 0, NUM_RINGS, "ring")])

    def reach(self, int start, int steps, passing, tunl=0):
        """See ``reach`` in hexmap.pxi; sets are ints, bit i for space i."""
        within(start, 0, NUM_SPACES - 1, "start")
        return set_to_int(reach(&self.hexmap, start, steps, spaces_of(passing), spaces_of(tunl)))

    def distance(self, int start, targets, passing, tunl=0):
        """See ``distance_between`` in hexmap.pxi; sets are ints."""
        within(start, 0, NUM_SPACES - 1, "start")
        return distance_between(&self.hexmap, start, spaces_of(targets), spaces_of(passing), spaces_of(tunl))


def kernel_frames(NativeState state):
    """The agenda, innermost first: (procedure, step, player, a, b, c, d) each."""
    cdef int place = state.s.depth - 1
    cdef Frame *f
    cdef list out = []
    while place >= 0:
        f = &state.s.frames[place]
        out.append((f.proc, f.step, f.p, f.a, f.b, f.c, f.d))
        place -= 1 + slots_of(f)
    return out
