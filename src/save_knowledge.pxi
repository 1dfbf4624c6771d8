# What the seats know of hidden cards (knowledge.pxi), to bytes and back: the section KNOWLEDGE of a save.

cdef void code_sparse(Coder *c, uint8_t *data, int count) noexcept nogil:
    """Bytes that are mostly 0: how many are not, then before each the gap."""
    cdef int used = 0, i, k, at = 0, gap
    if c.writing:
        for i in range(count):
            used += data[i] != 0
    used = code_int(c, used, 0, count)
    for k in range(used):
        gap = 0
        if c.writing:
            while not data[at + gap]:
                gap += 1
        gap = code_int(c, gap, 0, count)
        if at + gap >= count:
            spoil(c, CODE_RANGE)
        if c.bad:
            return
        at += gap
        data[at] = <uint8_t>code_byte(c, data[at])
        if not data[at]:
            spoil(c, CODE_RANGE)
        at += 1


cdef void code_knowledge(Coder *c, Knowledge *knows, const Tables *t) noexcept nogil:
    """All of it. Reading, ``knows`` is empty."""
    cdef int k, p, i
    for k in range(2):
        knows.rebuilt[k] = <uint8_t>code_int(c, knows.rebuilt[k], 0, 1)
        for p in range(t.players):
            knows.fresh[k][p] = <uint8_t>code_int(c, knows.fresh[k][p], 0, 255)
            knows.top[k][p] = <uint8_t>code_int(c, knows.top[k][p], 0, 255)
            knows.bottom[k][p] = <uint8_t>code_int(c, knows.bottom[k][p], 0, 255)
    for p in range(t.players):
        for i in range(NUM_COLUMNS):
            knows.excluded[p][i] = <uint16_t>code_int(c, knows.excluded[p][i], 0, ALL_COMMANDS)
    code_sparse(c, knows.late, RELIC_BASE + RELIC_COPIES)
    for p in range(t.players):
        code_sparse(c, knows.places[p], RELIC_BASE + RELIC_COPIES)


cdef bint knowledge_fits(const State *s, const Tables *t, const Knowledge *knows) noexcept nogil:
    """Whether what has been read belongs to the state: places that exist, numbers that can be, all of it true."""
    cdef int allowed = ((1 << t.players) - 1) | PLACE_PILE | PLACE_TABLE
    cdef int k, v, c
    for k in range(2):
        for v in range(t.players):
            if knows.fresh[k][v] > (popcount64(s.seat[v].relics) if k else count128(s.seat[v].hand)):
                return False
        for c in range(RELIC_COPIES if k else RELIC_BASE):
            if knows.late[RELIC_BASE * k + c] > 1:
                return False
            for v in range(t.players):
                if knows.places[v][RELIC_BASE * k + c] & ~allowed:
                    return False
                if knows.places[v][RELIC_BASE * k + c] and c >= copy_count(t, k):
                    return False
            if knows.late[RELIC_BASE * k + c] and c >= copy_count(t, k):
                return False
    return untrue_knowledge(s, t, knows) == NULL


cdef bytes save_knowledge(NativeState state):
    """The bytes of what the seats know; empty where nobody knows anything."""
    cdef uint8_t room[SAVE_ROOM]
    cdef Knowledge copy
    cdef Coder c
    memset(&copy, 0, sizeof(Knowledge))
    memcpy(&copy, state.knows, knowledge_size(state.owner.tables))
    c.data = room
    c.at = 0
    c.size = SAVE_ROOM
    c.writing = True
    c.bad = 0
    with nogil:
        code_knowledge(&c, &copy, state.owner.tables)
    if c.bad:
        raise SaveError("the state cannot be saved: " + str(SAVE_DEFECTS[c.bad]))
    data = (<char *>room)[:c.at]
    return data if any(data) else b""


cdef int load_knowledge(NativeState state, bytes data) except -1:
    """Read :func:`save_knowledge` into a state that has been read; SaveError for what does not belong to it."""
    cdef Knowledge read
    cdef Coder c
    memset(&read, 0, sizeof(Knowledge))
    c.data = <uint8_t *><char *>data
    c.at = 0
    c.size = len(data)
    c.writing = False
    c.bad = 0
    with nogil:
        code_knowledge(&c, &read, state.owner.tables)
    if not c.bad and (c.at != c.size or not any(data)):  # who knows nothing has no such section
        c.bad = CODE_RANGE
    if c.bad or not knowledge_fits(state.s, state.owner.tables, &read):
        raise SaveError("the save is damaged: what the seats know does not belong to the state")
    memcpy(state.knows, &read, knowledge_size(state.owner.tables))
    return 0
