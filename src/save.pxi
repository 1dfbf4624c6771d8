# Saves (docs/saves.md): a state to bytes and back, field by field. One procedure does both, so that what is written and
# what is read cannot differ: `c.writing` says which way it goes. What is read is checked against its bounds at once;
# whether it belongs together is checked afterwards (save_check.pxi). A field that follows from others is not written.
#
# Numbers are written as unsigned varints of 7 bits, lowest first, in the shortest form, less the least value of
# their range; bytes as they are; sets as run lengths.

cdef enum:
    SAVE_ROOM = 4096       # no state needs as much
    SET_PLAIN = 12         # from so many runs on a set is written bit by bit

cdef struct Coder:
    uint8_t *data
    Py_ssize_t at
    Py_ssize_t size
    bint writing
    int bad                # 0, or what is wrong: CODE_...

cdef enum:
    CODE_SHORT = 1
    CODE_RANGE = 2


cdef inline void spoil(Coder *c, int why) noexcept nogil:
    """The first defect is told."""
    if not c.bad:
        c.bad = why


cdef uint64_t code_word(Coder *c, uint64_t value) noexcept nogil:
    """A varint; the value written or read, 0 after a defect."""
    cdef uint64_t found = 0
    cdef int shift = 0
    cdef uint8_t byte
    if c.writing:
        found = value
        while True:
            if c.at >= c.size:
                spoil(c, CODE_SHORT)
                return value
            c.data[c.at] = <uint8_t>((found & 127) | (128 if found > 127 else 0))
            c.at += 1
            if found <= 127:
                return value
            found >>= 7
    while True:
        if c.at >= c.size:
            spoil(c, CODE_SHORT)
            return 0
        byte = c.data[c.at]
        c.at += 1
        if shift == 63 and byte > 1 or (shift and byte == 0):  # above 64 bits, or not the shortest form
            spoil(c, CODE_RANGE)
            return 0
        found |= <uint64_t>(byte & 127) << shift
        if byte < 128:
            return found
        shift += 7


cdef int code_int(Coder *c, int value, int low, int high) noexcept nogil:
    """A number from ``low`` to ``high``; ``low`` after a defect."""
    cdef uint64_t word
    if c.writing and (value < low or value > high):
        spoil(c, CODE_RANGE)
        return low
    word = code_word(c, <uint64_t>(value - low))
    if high < low or word > <uint64_t>(<int64_t>high - low):  # of nothing there is no number
        spoil(c, CODE_RANGE)
        return low
    return low + <int>word


cdef int code_byte(Coder *c, int value) noexcept nogil:
    """A number from 0 to 255 in one byte."""
    if c.at >= c.size:
        spoil(c, CODE_SHORT)
        return 0
    if c.writing:
        c.data[c.at] = <uint8_t>value
    c.at += 1
    return c.data[c.at - 1]


cdef int code_short(Coder *c, int value) noexcept nogil:
    """A number of 16 bits with its sign: 0, -1, 1, -2 ... as 0, 1, 2, 3 ..."""
    cdef uint64_t word = code_word(c, <uint64_t>(2 * value if value >= 0 else -2 * value - 1))
    if word > 65535:
        spoil(c, CODE_RANGE)
        return 0
    return -<int>(word >> 1) - 1 if word & 1 else <int>(word >> 1)


cdef u128 code_set(Coder *c, u128 members, u128 allowed) noexcept nogil:
    """A set out of ``allowed``: the number of runs, then the gap before each and its length."""
    cdef int runs = 0, i, k, gap, length, at = 0
    cdef uint64_t low, high
    cdef u128 rest, found = 0
    if c.writing:
        if any128(members & ~allowed):
            spoil(c, CODE_RANGE)
            return 0
        rest = members & ~(members << 1)  # where runs begin
        runs = min_int(count128(rest), SET_PLAIN)
    runs = code_int(c, runs, 0, SET_PLAIN)
    if runs == SET_PLAIN:
        for i in range(16):
            k = code_byte(c, <int>(<uint64_t>(members >> (8 * i)) & 255))
            found |= <u128>k << (8 * i)
    else:
        for i in range(runs):
            gap = 0
            length = 1
            if c.writing:
                while not has128(members, at + gap):
                    gap += 1
                while at + gap + length < 128 and has128(members, at + gap + length):
                    length += 1
            gap = code_int(c, gap, 1 if i else 0, 127)
            length = code_int(c, length, 1, 128)
            if at + gap + length > 128:
                spoil(c, CODE_RANGE)
                return 0
            for k in range(length):
                found |= bit128(at + gap + k)
            at += gap + length
    if any128(found & ~allowed):
        spoil(c, CODE_RANGE)
        return 0
    return found


cdef inline u128 first_members(int count) noexcept nogil:
    """The set of 0 ... count - 1."""
    return ~<u128>0 if count >= 128 else bit128(count) - 1


cdef uint16_t code_pieces(Coder *c, const Tables *t, uint16_t packed) noexcept nogil:
    """Numbers of pieces by type, packed like captives."""
    cdef int type
    cdef uint16_t found = <uint16_t>code_int(c, packed, 0, captive_step(UT_HARVESTER) * 4 - 1)
    for type in range(5):
        if captive_count(found, type) > t.supply[type]:
            spoil(c, CODE_RANGE)
            return 0
    return found


cdef void code_seat(Coder *c, State *s, const Tables *t, int p) noexcept nogil:
    """What one player has, Units on the planet aside."""
    cdef Seat *seat = &s.seat[p]
    cdef int i, type, holders = 0
    seat.control = code_set(c, seat.control, everywhere())
    seat.hand = code_set(c, seat.hand, first_members(t.copies))
    seat.relics = low64(code_set(c, <u128>seat.relics, first_members(t.relic_copies)))
    seat.lorium = code_int(c, seat.lorium, 0, 0x7FFFFFFF)
    seat.commands = <uint16_t>code_int(c, seat.commands, 0, ALL_COMMANDS)
    for i in range(NUM_COLUMNS):
        seat.board[i] = <uint8_t>code_byte(c, seat.board[i])
    for i in range(t.players):
        holders |= (1 if seat.captured[i] else 0) << i
    holders = code_int(c, holders, 0, (1 << t.players) - 1)
    for i in range(t.players):
        if holders >> i & 1:
            seat.captured[i] = code_pieces(c, t, seat.captured[i])
    seat.missing = code_pieces(c, t, seat.missing)
    for type in range(5):
        seat.reserve[type] = <uint8_t>code_int(c, seat.reserve[type], 0, t.supply[type])
    seat.tokens = <uint16_t>code_int(c, seat.tokens, 0, 65535)
    seat.once = <uint16_t>code_int(c, seat.once, 0, (1 << (NUM_SLOTS + MAX_FACTION_RULES)) - 1)
    seat.ship = <int8_t>code_int(c, seat.ship, -1, NUM_SPACES - 1)
    seat.faction = <int8_t>code_int(c, seat.faction, -1, t.faction_count - 1)
    for i in range(NUM_SLOTS):
        seat.slot[i] = <uint8_t>code_byte(c, seat.slot[i])
    seat.blueprints = <uint8_t>code_int(c, seat.blueprints, 0, ALL_MODULES)
    seat.modules = <uint8_t>code_int(c, seat.modules, 0, ALL_MODULES)
    seat.occupied = code_set(c, seat.occupied, everywhere())


cdef void code_planet(Coder *c, State *s, const Tables *t) noexcept nogil:
    """Tiles, Relic Tokens and squads; reading, the sets that follow from them are made too."""
    cdef int space, seat, owners, kinds, rank = 0
    cdef u128 combat = 0
    for space in range(0, NUM_SPACES, 2):  # two Features a byte, whatever their values
        kinds = feature_at(s, space) | (feature_at(s, space + 1) << 4 if space + 1 < NUM_SPACES else 0)
        if c.at >= c.size:
            spoil(c, CODE_SHORT)
            return
        if c.writing:
            c.data[c.at] = <uint8_t>kinds
        kinds = c.data[c.at]
        c.at += 1
        if kinds & 15 >= N_FT or kinds >> 4 >= N_FT or (space + 1 == NUM_SPACES and kinds >> 4):
            spoil(c, CODE_RANGE)
            return
        if not c.writing:
            set_feature(s, t, space, kinds & 15)
            if space + 1 < NUM_SPACES:
                set_feature(s, t, space + 1, kinds >> 4)
    s.tokens = code_set(c, s.tokens, everywhere())
    if not c.writing:
        if count128(s.tokens) > t.relic_tokens:
            spoil(c, CODE_RANGE)
            return
        s.token_supply = <uint8_t>(t.relic_tokens - count128(s.tokens))
    for space in range(NUM_SPACES):
        owners = 0
        for seat in range(t.players):
            owners += has128(s.seat[seat].occupied, space)
        if owners > 2:
            spoil(c, CODE_RANGE)
            return
        if owners:
            s.squad[space] = <uint8_t>code_int(c, s.squad[space], 1, 255)
        if owners == 2:
            combat |= bit128(space)
            if rank == 78:
                spoil(c, CODE_RANGE)
                return
            s.second[rank] = <uint8_t>code_int(c, s.second[rank], 1, 255)
            rank += 1
    if not c.writing:
        s.combat = combat
        for space in range(NUM_SPACES):
            refresh_space(s, t, space)
        for seat in range(t.players):
            if s.seat[seat].ship >= 0:
                s.ships |= bit128(s.seat[seat].ship)
            for space in range(NUM_SPACES):
                kinds = squad_of(s, seat, space)
                for owners in range(CONFUSED, N_KINDS):
                    s.confused += <uint8_t>squad_count(<uint8_t>kinds, owners)
    s.attacker_high = code_set(c, s.attacker_high, s.combat)


cdef void code_piles(Coder *c, State *s, const Tables *t) noexcept nogil:
    """Draw piles, discard piles, the bag."""
    cdef int i
    s.deck_size = <uint8_t>code_int(c, s.deck_size, 0, t.copies)
    for i in range(s.deck_size):
        s.deck[i] = <uint8_t>code_int(c, s.deck[i], 0, t.copies - 1)
    s.relic_deck_size = <uint8_t>code_int(c, s.relic_deck_size, 0, t.relic_copies)
    for i in range(s.relic_deck_size):
        s.relic_deck[i] = <uint8_t>code_int(c, s.relic_deck[i], 0, t.relic_copies - 1)
    s.discard = code_set(c, s.discard, first_members(t.copies))
    s.relic_discard = low64(code_set(c, <u128>s.relic_discard, first_members(t.relic_copies)))
    s.bag = low64(code_set(c, <u128>s.bag, first_members(t.token_count)))


cdef void code_moment(Coder *c, State *s, const Tables *t) noexcept nogil:
    """Chance, turn, Cysmograph, and the decision at hand."""
    cdef int last = t.players - 1
    cdef int seats = (1 << t.players) - 1
    cdef int i
    for i in range(2):
        s.rng.key[i] = code_word(c, s.rng.key[i])
    for i in range(3):
        s.rng.used[i] = code_word(c, s.rng.used[i])
    s.phase = <uint8_t>code_int(c, s.phase, PH_SETUP, PH_OVER)
    s.reason = <int8_t>code_int(c, s.reason, -1, OVER_CAP)
    s.kind = <uint8_t>code_int(c, s.kind, 0, N_DK - 1)
    s.player = <uint8_t>code_int(c, s.player, 0, last)
    s.fresh = <uint8_t>code_int(c, s.fresh, 0, 1)
    s.round = <int16_t>code_int(c, s.round, 1, 30000)
    s.active = <uint8_t>code_int(c, s.active, 0, last)
    s.first_player = <uint8_t>code_int(c, s.first_player, 0, last)
    s.marker = <uint8_t>code_int(c, s.marker, 0, last)
    s.opener = <uint8_t>code_int(c, s.opener, 0, last)
    s.launched = <uint8_t>code_int(c, s.launched, 0, seats)
    s.final_turns = <uint8_t>code_int(c, s.final_turns, 0, seats)
    s.finale = <uint8_t>code_int(c, s.finale, 0, 1)
    s.singles = <uint8_t>code_int(c, s.singles, 0, t.track)
    s.stack = <uint8_t>code_int(c, s.stack, 0, t.track)
    s.played_card = <int8_t>code_int(c, s.played_card, -1, N_CC - 1)
    s.bonus_count = <uint8_t>code_byte(c, s.bonus_count)
    s.icons_used = <uint8_t>code_byte(c, s.icons_used)
    s.grant_count = <uint8_t>code_int(c, s.grant_count, 0, t.limit_grants)
    for i in range(s.grant_count):
        s.grant_step[i] = <int16_t>code_int(c, s.grant_step[i], 0, t.entries[TABLE_STEPS] - 1)
        s.grant_who[i] = <uint8_t>code_byte(c, s.grant_who[i])


cdef void code_resolution(Coder *c, State *s, const Tables *t) noexcept nogil:
    """What is kept while something is being resolved."""
    cdef int last = t.players - 1
    cdef int i, mark_bits
    s.strikes = <int16_t>code_int(c, s.strikes, 0, 32767)
    s.dice = <uint8_t>code_int(c, s.dice, 0, MAX_DICE)
    for i in range(s.dice):
        s.die[i] = <int16_t>code_short(c, s.die[i])
    s.area = code_set(c, s.area, everywhere())
    s.zone = code_set(c, s.zone, everywhere())
    s.standing = code_set(c, s.standing, everywhere())
    s.used = code_set(c, s.used, everywhere())
    s.mark_owner = <int8_t>code_int(c, s.mark_owner, -1, last)
    s.mark_count = <uint8_t>code_int(c, s.mark_count, 0, MARKS)
    for i in range(s.mark_count):
        s.mark[i] = <uint16_t>code_int(c, s.mark[i], 0, 65535)
    mark_bits = (1 << s.mark_count) - 1
    s.mark_confused = <uint32_t>code_int(c, s.mark_confused & mark_bits, 0, mark_bits)
    s.mark_home = <uint32_t>code_int(c, s.mark_home & mark_bits, 0, mark_bits)
    s.actor = <int8_t>code_int(c, s.actor, -1, MARKS - 1)
    s.trying = <uint8_t>code_int(c, s.trying, 0, TRYING_ALONE)
    s.amount = <int16_t>code_short(c, s.amount)
    s.gathered_lorium = <int16_t>code_int(c, s.gathered_lorium, 0, 32767)
    s.gathered_cards = <uint8_t>code_byte(c, s.gathered_cards)
    s.gathered_acts = <uint8_t>code_byte(c, s.gathered_acts)
    s.group = <uint8_t>code_byte(c, s.group)
    s.fight = <int8_t>code_int(c, s.fight, -1, NUM_SPACES - 1)
    s.fight_captures = <uint8_t>code_int(c, s.fight_captures, 0, 1)
    s.verdict = <uint8_t>code_byte(c, s.verdict)
    s.pending = <uint8_t>code_byte(c, s.pending)
    s.complete = <uint8_t>code_int(c, s.complete, 0, 1)
    s.quake = <uint8_t>code_int(c, s.quake, 0, 1)
    s.ended_count = <uint8_t>code_int(c, s.ended_count, 0, 8)
    for i in range(s.ended_count):
        s.ended_space[i] = <uint8_t>code_int(c, s.ended_space[i], 0, NUM_SPACES - 1)
        s.ended_sides[i] = <uint8_t>code_byte(c, s.ended_sides[i])
        s.ended_depth[i] = <uint8_t>code_int(c, s.ended_depth[i], 0, MAX_DEPTH)


# ------------------------------------------------------------------------------------------------------ the agenda
cdef void code_regs(Coder *c, const Tables *t, Regs *r) noexcept nogil:
    """The registers of a program; an empty one as its last value."""
    r.n = <int16_t>code_short(c, r.n)
    r.space = <uint8_t>code_byte(c, r.space)
    r.origin = <uint8_t>code_byte(c, r.origin)
    r.unit_space = <uint8_t>code_byte(c, r.unit_space)
    r.unit = <uint8_t>code_byte(c, r.unit)
    r.unit_owner = <uint8_t>code_int(c, r.unit_owner, 0, 15)
    r.player = <uint8_t>code_int(c, r.player, 0, NOBODY)
    r.terrain = <uint8_t>code_int(c, r.terrain, 0, NO_TERRAIN)
    r.card = <uint8_t>code_byte(c, r.card)
    if not c.writing:
        if not (r.space < NUM_SPACES or r.space >= AREA) or not (r.origin < NUM_SPACES or r.origin == NOWHERE):
            spoil(c, CODE_RANGE)
        if r.unit and (r.unit_space >= NUM_SPACES or r.unit_owner & 7 >= t.players):
            spoil(c, CODE_RANGE)
        if (r.player >= t.players and r.player != NOBODY) or r.terrain == NUM_TERRAINS:
            spoil(c, CODE_RANGE)


cdef void code_work(Coder *c, Work *w) noexcept nogil:
    """What a verb has done so far."""
    w.space = <uint8_t>code_byte(c, w.space)
    w.unit = <uint8_t>code_byte(c, w.unit)
    w.owner = <uint8_t>code_byte(c, w.owner)
    w.origin = <uint8_t>code_byte(c, w.origin)
    w.done = <uint8_t>code_byte(c, w.done)
    w.left = <uint8_t>code_byte(c, w.left)
    w.wanted = <uint8_t>code_byte(c, w.wanted)
    w.other = <uint8_t>code_byte(c, w.other)
    w.x = <uint8_t>code_byte(c, w.x)
    w.y = <uint8_t>code_byte(c, w.y)
    if not c.writing and not (w.space < NUM_SPACES or w.space == NOWHERE):
        spoil(c, CODE_RANGE)
    if not c.writing and not (w.origin < NUM_SPACES or w.origin == NOWHERE):
        spoil(c, CODE_RANGE)


cdef void code_bytes(Coder *c, uint8_t *data, int count) noexcept nogil:
    """Small numbers."""
    cdef int i
    for i in range(count):
        data[i] = <uint8_t>code_byte(c, data[i])


cdef void code_beneath(Coder *c, const Tables *t, Frame *f) noexcept nogil:
    """What a procedure keeps in the frames beneath its own, as far as it is in use at its step."""
    cdef int proc = f.proc
    cdef int i, count = 0
    cdef u128 members = 0
    if proc == PR_PROGRAM:
        code_regs(c, t, <Regs *>(f - 1))
    elif proc == PR_EACH:
        code_work(c, <Work *>(f - 1))
        code_regs(c, t, <Regs *>(f - 2))
    elif proc == PR_DEPLOY or proc == PR_RECRUIT:
        code_work(c, <Work *>(f - 1))
        if not c.writing and (<Work *>(f - 1)).owner >= t.players:
            spoil(c, CODE_RANGE)
    elif proc == PR_DRAW or proc == PR_FLAGS or proc == PR_CONTROL:
        members = set_beneath(f, 2) if c.writing else <u128>0
        put_set(f, 2, code_set(c, members, ~<u128>0))
    elif proc == PR_GAIN_RELIC:
        if f.step == 1:
            code_bytes(c, beneath(f, 1), f.c)
    elif proc == PR_FRACTURE:
        if f.step == 2:
            beneath(f, 1)[0] = <uint8_t>code_int(c, beneath(f, 1)[0], 0, MAX_TOKENS_DRAWN)
            code_bytes(c, beneath(f, 1) + 1, beneath(f, 1)[0])
    elif proc == PR_SCRY:
        code_bytes(c, scry_cards(f), f.b & 255)
        if f.step >= 4:
            members = set_beneath(f, 3) if c.writing else <u128>0
            put_set(f, 3, code_set(c, members, ~<u128>0))
    elif proc == PR_TRADE:
        if f.step:
            code_bytes(c, trade_list(f, 0), 2 * TR_LIST)
    elif proc == PR_STEAL or proc == PR_UNITS:
        code_work(c, work_of(f))
        count = chosen_pieces(f) if proc == PR_STEAL else work_of(f).other if f.d else 0
    elif proc == PR_PAY or proc == PR_LOSE or proc == PR_RECALL:
        count = chosen_pieces(f)
    if count < 0 or count > PIECES * f.d and f.d >= 0 and proc != PR_UNITS:
        spoil(c, CODE_RANGE)
        return
    for i in range(min_int(count, PIECES * f.d)):
        pieces_of(f)[i] = <int16_t>code_short(c, pieces_of(f)[i])


cdef void code_agenda(Coder *c, State *s, const Tables *t) noexcept nogil:
    """The frames from the innermost on, each with what lies beneath it."""
    cdef Frame *f
    cdef int place
    s.depth = <uint8_t>code_int(c, s.depth, 1, MAX_DEPTH)
    place = s.depth - 1
    while not c.bad:
        f = &s.frames[place]
        f.proc = <uint8_t>code_int(c, f.proc, 0, PR_CAPTIVES)
        f.step = <uint8_t>code_byte(c, f.step)
        f.p = <uint8_t>code_byte(c, f.p)
        f.a = <int16_t>code_short(c, f.a)
        f.b = <int16_t>code_short(c, f.b)
        f.c = <int16_t>code_short(c, f.c)
        f.d = <int8_t>code_byte(c, <uint8_t>f.d)
        if f.d < 0 and slots_of(f) != 0 or place - slots_of(f) < 0:
            if f.proc != PR_FRACTURE or place < 1:  # whose register d may be negative
                spoil(c, CODE_RANGE)
                return
        if place == 0:
            return
        if not c.writing and not room_beneath(f):
            spoil(c, CODE_RANGE)
            return
        code_beneath(c, t, f)
        place -= 1 + slots_of(f)
        if place < 0:
            spoil(c, CODE_RANGE)


cdef bint room_beneath(const Frame *f) noexcept nogil:
    """Whether the counts of what lies beneath stay within its frames."""
    if f.proc == PR_GAIN_RELIC:
        return 0 <= f.c <= MAX_RELICS_DRAWN
    if f.proc == PR_SCRY:
        return f.b & 255 <= MAX_SCRY
    if f.proc == PR_STEAL or f.proc == PR_UNITS or f.proc == PR_PAY or f.proc == PR_LOSE or f.proc == PR_RECALL:
        return f.d >= 0
    return True


# --------------------------------------------------------------------------------------------------------- all of it
cdef inline bint calm(const State *s) noexcept nogil:
    """Whether nothing is being resolved, so that what is kept for that means nothing."""
    return s.depth == 1


cdef void code_state(Coder *c, State *s, const Tables *t) noexcept nogil:
    """The whole state. Reading, ``s`` is an empty table (`clear_state`)."""
    cdef int p, i
    code_moment(c, s, t)
    for p in range(t.players):
        code_seat(c, s, t, p)
    code_planet(c, s, t)
    code_piles(c, s, t)
    code_agenda(c, s, t)
    if c.bad:
        return
    if s.frames[0].proc == PR_SETUP and s.frames[0].step == 1 and t.factions:
        code_bytes(c, <uint8_t *>&s.die[0], t.players * t.faction_deal)
    elif not calm(s):
        code_resolution(c, s, t)


cdef bytes save_body(NativeState state):
    """The bytes of a state, header and script aside (docs/saves.md, section 3)."""
    cdef uint8_t room[SAVE_ROOM]
    cdef State copy = state.s[0]
    cdef Coder c
    c.data = room
    c.at = 0
    c.size = SAVE_ROOM
    c.writing = True
    c.bad = 0
    with nogil:
        code_state(&c, &copy, state.owner.tables)
    if c.bad:
        raise SaveError("the state cannot be saved: " + str(SAVE_DEFECTS[c.bad]))
    return (<char *>room)[:c.at]


cdef tuple SAVE_DEFECTS = ("", "cut short", "a value outside its range")


cdef NativeState load_body(NativeGame game, bytes body, bint record):
    """The state of :func:`save_body`; SaveError for anything that is no state of this game."""
    cdef const Tables *t = game.tables
    cdef NativeState state = NativeState.__new__(NativeState, MAKING)
    cdef Coder c
    cdef int check
    state.attach(game, record)
    c.data = <uint8_t *><char *>body
    c.at = 0
    c.size = len(body)
    c.writing = False
    c.bad = 0
    with nogil:
        clear_state(state.s, t)
        code_state(&c, state.s, t)
    if c.bad:
        raise SaveError(f"the save is damaged: {SAVE_DEFECTS[c.bad]} at byte {c.at} of the state")
    if c.at != c.size:
        raise SaveError(f"the save is damaged: {c.size - c.at} bytes behind the state")
    state.ctx.block.tag = RNG_EMPTY
    check = check_save(state.s, t, &state.ctx)
    if check:
        raise SaveError(f"the save is damaged: {save_defect(check)}")
    return state


cdef object remaining_script(NativeState state):
    """Outcomes to come by the names of chance kinds; None if there are none."""
    cdef int kind
    cdef Py_ssize_t place
    cdef dict left = {}
    if state.ctx.script == NULL:
        return None
    for kind in range(N_CK):
        labels = state.labels[kind]
        place = state.queues.queue[kind].head
        outcomes = []
        while place < len(labels):
            outcomes.append(list(labels[place]) if kind in LIST_KINDS else labels[place])
            place += 1 + (len(labels[place]) if kind in LIST_KINDS else 0)
        if outcomes:
            left[KIND_NAMES[kind]] = outcomes
    return left or None
