# Everything that is kept up to date incrementally, worked out again and compared.

cdef int check_planet(const State *s, const Tables *t, int placed[6][5]) noexcept nogil:
    """Squads, the sets that follow from them, and the ground; ``placed`` gets the Units found."""
    cdef int seat, space, type, kind, low, count, i, types
    cdef int confused = 0
    cdef u128 bit
    cdef uint8_t squad
    cdef bint closed
    for space in range(NUM_SPACES):
        bit = bit128(space)
        count = 0
        types = 0
        for seat in range(t.players):
            if any128(s.seat[seat].occupied & bit):
                if count == 2:
                    return 3
                squad = squad_at(s, count, space)
                if squad == 0 or squad_size[squad] > t.room or (squad_vehicle(squad) and t.vehicle_room == 0):
                    return 2
                for kind in range(N_KINDS):
                    if kind != UT_SHIP:
                        placed[seat][kind_type(kind)] += squad_count(squad, kind)
                        confused += squad_count(squad, kind) if kind >= CONFUSED else 0
                types |= t.squad_types[squad]
                count += 1
        if count == 0 and s.squad[space]:
            return 4
        if (count == 2) != any128(s.combat & bit):
            return 5
        if any128(s.attacker_high & bit & ~s.combat):
            return 6
        for type in range(5):
            if any128(s.has[type] & bit) != <bint>(types >> type & 1):
                return 7
        if any128(s.full & bit) != (squad_size[s.squad[space]] >= t.room):
            return 8
        i = feature_at(s, space)
        closed = i == FT_MOUNTAIN or i == FT_LAKE or (i == FT_NONE and any128(t.abyss & bit))
        if any128(s.open & bit) == closed:
            return 9
        if count and (not any128(s.open & bit) or any128(s.ships & bit)):
            return 10
    return 22 if confused != s.confused else 0


cdef int check_agenda(const State *s, const Tables *t, int placed[6][5], u128 *cards, int *card_count,
                      uint64_t *relics, int *relic_count) noexcept nogil:
    """The frames, and the Units and cards that are in none of the usual places."""
    cdef const Frame *f = top_of(s)
    cdef int type, i, count
    while True:
        if f.proc == PR_DEPLOY and not f.c & DEPLOY_LONE:
            for type in range(5):
                placed[f.p][type] += captive_count(<uint16_t>f.a, type)
        elif f.proc == PR_RECRUIT:
            for type in range(5):
                placed[f.p][type] += captive_count(<uint16_t>f.c, type)
        elif (f.proc == PR_PLAY and f.step >= 3) or (f.proc == PR_DRAW and f.b >= 0):
            i = f.a if f.proc == PR_PLAY else f.b
            cards[0] |= bit128(i)
            card_count[0] += 1
        elif f.proc == PR_BATCHES and f.step == 1:
            cards[0] |= bit128(f.a - 1)
            card_count[0] += 1
        elif f.proc == PR_GAIN_RELIC and f.step == 1:
            for i in range(f.c):
                relics[0] |= <uint64_t>1 << beneath(f, 1)[i]
                relic_count[0] += 1
        elif f.proc == PR_SCRY:
            for i in range(f.b & 255):
                if f.step < 3:  # all that have not been discarded
                    if i < f.b >> 8 and not (f.c | f.c >> 8) >> i & 1 and not goes_under(&t.steps[f.a]):
                        continue
                elif i < f.b >> 8 or not f.c >> i & 1:
                    continue
                elif t.steps[f.a].what == DECK_RELIC or not has128(t.event_copies, scry_cards(f)[i]):
                    continue
                if t.steps[f.a].what == DECK_RELIC:
                    relics[0] |= <uint64_t>1 << scry_cards(f)[i]
                    relic_count[0] += 1
                else:
                    cards[0] |= bit128(scry_cards(f)[i])
                    card_count[0] += 1
        count = place_of(s, f)
        if count == 0:
            break
        if count - 1 - slots_of(f) < 0:
            return 1
        f = caller_of(f)
    return 0 if f.proc == PR_TURN or f.proc == PR_SETUP else 1


cdef int check_effects(const State *s, const Tables *t) noexcept nogil:
    """What is kept of effects: masks, flags, counters, grants."""
    cdef int seat, allowed
    cdef uint64_t watching = 0
    if s.phase != PH_TURN:
        return 0
    for seat in range(t.players):
        watching |= watch_of(s, t, seat)
        if s.mods[seat] != mod_keys(s, t, seat):
            return 24
        allowed = once_mask(s, t, seat, ONCE_TURN) | once_mask(s, t, seat, ONCE_ROUND)
        allowed |= once_mask(s, t, seat, ONCE_CYCLE)
        if s.seat[seat].once & ~allowed:
            return 25
        if s.seat[seat].tokens and (s.seat[seat].faction < 0 or not t.faction_counter[s.seat[seat].faction]):
            return 26
    if s.saboteurs != saboteurs_of(s, t):
        return 24
    if s.watch != watching:
        return 23
    if s.grant_count > t.limit_grants or s.programs > t.limit_programs + 2:
        return 27
    return 0


cdef int integrity(const State *s, const Tables *t) noexcept nogil:
    """0 if the state is consistent, else the number of a check in ``INTEGRITY_CHECKS``."""
    cdef int seat, type, owner, count, relic_count, i, result
    cdef int placed[6][5]
    cdef u128 cards, ships = 0, flags = 0
    cdef uint64_t relics
    memset(placed, 0, sizeof(placed))
    if s.depth > MAX_DEPTH or s.depth == 0 or s.fault or s.fits:
        return 1
    result = check_planet(s, t, placed)
    if result:
        return result
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
            if s.seat[seat].slot[i] < SLOT_RELIC and s.seat[seat].slot[i] > 15:
                return 14
    if ships != s.ships:
        return 15
    cards = s.discard
    count = count128(s.discard)
    relics = s.relic_discard
    relic_count = popcount64(relics)
    result = check_agenda(s, t, placed, &cards, &count, &relics, &relic_count)
    if result:
        return result
    for seat in range(t.players):
        for type in range(5):
            i = placed[seat][type] + s.seat[seat].reserve[type] + captive_count(s.seat[seat].missing, type)
            if i > t.supply[type]:
                return 16
            if i < t.supply[type]:
                return 17
    if s.token_supply + count128(s.tokens) != t.relic_tokens:
        return 18
    for i in range(s.deck_size):
        cards |= bit128(s.deck[i])
        count += 1
    for i in range(s.relic_deck_size):
        relics |= <uint64_t>1 << s.relic_deck[i]
        relic_count += 1
    for seat in range(t.players):
        cards |= s.seat[seat].hand
        count += count128(s.seat[seat].hand)
        relics |= s.seat[seat].relics
        relic_count += popcount64(s.seat[seat].relics)
        for i in range(NUM_SLOTS):
            if slot_relic(&s.seat[seat], i) >= 0:
                relics |= <uint64_t>1 << slot_relic(&s.seat[seat], i)
                relic_count += 1
    if count != count128(cards) or count > t.copies or (s.phase == PH_TURN and count != t.copies):
        return 19
    if relic_count != popcount64(relics) or relic_count != t.relic_copies:
        return 20
    for i in range(s.mark_count):
        if mark_space(s, i) == GONE:
            continue
        type = mark_type(s, i)
        if type == UT_SHIP:
            if s.seat[s.mark_owner].ship != mark_space(s, i):
                return 21
        elif not squad_count(squad_of(s, s.mark_owner, mark_space(s, i)),
                             CONFUSED + type if s.mark_confused >> i & 1 else type):
            return 21
    return check_effects(s, t)


INTEGRITY_CHECKS = (
    "consistent", "agenda depth", "squad empty or above capacity", "three players in a space",
    "squad of nobody", "set of Combats", "Attacker without Combat", "set of a type", "set of full spaces",
    "set of passable spaces",
    "Units on impassable ground or with a Ship", "two Ships in a space or one on impassable ground",
    "Flag without Habitat or two on one", "own captive or negative Lorium", "slot used twice", "set of Ships",
    "more pieces than the stock holds", "pieces lost", "Relic Tokens", "Discovery Card in two places",
    "Relic Card in two places", "mark without Unit", "number of Confused Troops", "watch mask", "modifier mask",
    "once flag of no rule", "counter without Faction", "grants or programs above their bound",
)


cdef void stop_if_broken(const State *s, const Tables *t) noexcept nogil:
    """Debug builds (CYSMIC_DEBUG) check every state that a decision is asked in, and stop at the first bad
    one.
    """
    cdef int check = integrity(s, t)
    if check:
        fprintf(stderr, "cysmic_fast: check %d failed: game %llu of seed %llu, round %d, kind %d\n",
                check, <unsigned long long>s.rng.key[1], <unsigned long long>s.rng.key[0], <int>s.round, <int>s.kind)
        abort()
