# Everything that is kept up to date incrementally, worked out again and compared.

cdef int integrity(const State *s, const Tables *t) noexcept nogil:
    """0 if the state is consistent, else the number of a check in ``INTEGRITY_CHECKS``."""
    cdef int seat, space, type, owner, low, count, i
    cdef int placed[6][5]
    cdef u128 occupied[6]
    cdef u128 bit, cards, ships = 0, flags = 0
    cdef uint64_t relics
    cdef bint closed
    memset(placed, 0, sizeof(placed))
    memset(occupied, 0, sizeof(occupied))
    if s.depth > MAX_DEPTH or s.depth == 0:
        return 1
    for space in range(NUM_SPACES):
        bit = bit128(space)
        count = 0
        low = -1
        for seat in range(t.players):
            if any128(s.seat[seat].occupied & bit):
                if low < 0:
                    low = seat
                if count == 2:
                    return 3
                if s.squad[count][space] == 0 or t.squad_size[s.squad[count][space]] > t.room:
                    return 2
                for type in range(5):
                    placed[seat][type] += squad_count(s.squad[count][space], type)
                count += 1
        for i in range(count, 2):
            if s.squad[i][space]:
                return 4
        if (count == 2) != any128(s.combat & bit):
            return 5
        if any128(s.attacker_high & bit & ~s.combat):
            return 6
        for type in range(5):
            i = squad_count(s.squad[0][space], type) + squad_count(s.squad[1][space], type)
            if any128(s.has[type] & bit) != (i > 0):
                return 7
        for i in range(2):
            if any128(s.full[i] & bit) != (t.squad_size[s.squad[i][space]] >= t.room):
                return 8
        i = feature_at(s, space)
        closed = i == FT_MOUNTAIN or i == FT_LAKE or (i == FT_NONE and any128(t.abyss & bit))
        if any128(s.open & bit) == closed:
            return 9
        if count and (not any128(s.open & bit) or any128(s.ships & bit)):
            return 10
    for seat in range(t.players):
        if s.seat[seat].ship >= 0:
            if any128(ships & bit128(s.seat[seat].ship)) or not has128(s.open, s.seat[seat].ship):
                return 11
            ships |= bit128(s.seat[seat].ship)
        if any128(flags & s.seat[seat].control) or any128(s.seat[seat].control & ~habitats(s)):
            return 12
        flags |= s.seat[seat].control
        if s.seat[seat].captured[seat] or s.seat[seat].lorium < 0:
            return 13
        for owner in range(t.players):
            for type in range(5):
                placed[owner][type] += captive_count(s.seat[seat].captured[owner], type)
        for i in range(NUM_SLOTS):
            if s.seat[seat].slot_relic[i] >= 0 and s.seat[seat].slot_lorium[i]:
                return 14
    if ships != s.ships:
        return 15
    for type in range(5):
        count = 0
        for seat in range(t.players):
            i = placed[seat][type] + s.seat[seat].reserve[type] + s.seat[seat].missing[type]
            if i > t.supply[type]:
                return 16
            count += t.supply[type] - i
        if count != s.left[type]:
            return 17
    if s.token_supply + count128(s.tokens) != t.relic_tokens:
        return 18
    cards = s.discard
    count = count128(s.discard)
    for i in range(s.deck_size):
        cards |= bit128(s.deck[i])
        count += 1
    for seat in range(t.players):
        cards |= s.seat[seat].hand
        count += count128(s.seat[seat].hand)
    if count != count128(cards) or count > t.copies:
        return 19
    relics = s.relic_discard
    count = popcount64(relics)
    for i in range(s.relic_deck_size):
        relics |= <uint64_t>1 << s.relic_deck[i]
        count += 1
    for seat in range(t.players):
        relics |= s.seat[seat].relics
        count += popcount64(s.seat[seat].relics)
        for i in range(NUM_SLOTS):
            if s.seat[seat].slot_relic[i] >= 0:
                relics |= <uint64_t>1 << s.seat[seat].slot_relic[i]
                count += 1
    if count != popcount64(relics) or count > t.relic_copies:
        return 20
    for i in range(s.mark_count):
        if s.mark_space[i] != GONE and s.mark_flags[i] & MARK_TYPE != UT_SHIP:
            if not squad_count(squad_of(s, s.mark_owner, s.mark_space[i]), s.mark_flags[i] & MARK_TYPE):
                return 21
    return 0


INTEGRITY_CHECKS = (
    "consistent", "agenda depth", "squad empty or above capacity", "three players in a space",
    "squad of nobody", "set of Combats", "Attacker without Combat", "set of a type", "set of full spaces",
    "set of passable spaces",
    "Units on impassable ground or with a Ship", "two Ships in a space or one on impassable ground",
    "Flag without Habitat or two on one", "own captive or negative Lorium", "slot used twice", "set of Ships",
    "more pieces than the stock holds", "pieces lost", "Relic Tokens", "Discovery Card in two places",
    "Relic Card in two places", "mark without Unit",
)


cdef void stop_if_broken(const State *s, const Tables *t) noexcept nogil:
    """Debug builds (CYSMIC_DEBUG) check every state that a decision is asked in, and stop at the first bad
    one.
    """
    cdef int check = integrity(s, t)
    if check:
        fprintf(stderr, "cysmic_fast: check %d failed: game %llu of seed %llu, round %d, kind %d\n",
                check, s.rng.key[1], s.rng.key[0], <int>s.round, <int>s.kind)
        abort()
