# Random outcomes by kind (protocol, section 3): scripted ones first, else the generator.

cdef int draw_outcome(State *s, Ctx *ctx, int kind, int family, int outcomes) noexcept nogil:
    """One of ``outcomes`` equally likely results, recorded as CHANCE."""
    cdef int result = -1
    if scripted(ctx, kind):
        result = next_scripted(ctx, kind)
        if result < 0 or result >= outcomes:
            refuse_scripted(ctx, kind)
            result = -1
    if result < 0:
        result = <int>rng_bounded(&s.rng, &ctx.block, family, <uint32_t>outcomes) if outcomes > 1 else 0
    emit(ctx, EV_CHANCE, -1, kind, result, 0)
    return result


cdef int draw_token(State *s, const Tables *t, Ctx *ctx) noexcept nogil:
    """Draw a Fracture Token from the bag, which is not empty (Y2.1); it leaves the game."""
    cdef int token = -1
    cdef int wanted, i
    if scripted(ctx, CK_FRACTURE_TOKEN):
        wanted = next_scripted(ctx, CK_FRACTURE_TOKEN)
        for i in range(t.token_count):
            if token < 0 <= wanted and s.bag >> i & 1 and t.token_kind[i] == t.token_kind[wanted]:
                if t.token_terrain[i] == t.token_terrain[wanted] and t.token_ring[i] == t.token_ring[wanted]:
                    token = i
        if token < 0:
            refuse_scripted(ctx, CK_FRACTURE_TOKEN)
    if token < 0:
        i = popcount64(s.bag)
        token = select64(s.bag, <int>rng_bounded(&s.rng, &ctx.block, CF_DECKS, <uint32_t>i) if i > 1 else 0)
    s.bag &= ~(<uint64_t>1 << token)
    emit(ctx, EV_CHANCE, -1, CK_FRACTURE_TOKEN, token, 0)
    return token


cdef void shuffle_items(State *s, Ctx *ctx, int kind, int family, uint8_t *items, int count,
                        const uint8_t *names, bint top_is_last, int detail) noexcept nogil:
    """Shuffle ``items``, whose start order is ascending; recorded as SHUFFLE.

    A scripted list names the first items by ``names[item]`` (NULL: the items themselves). They come first, or
    last in reverse where the last item is the top of a pile; the rest is shuffled.
    """
    cdef uint8_t rest[128]
    cdef uint8_t listed[128]
    cdef int named = 0, left = count, wanted, i, k, place
    memcpy(rest, items, count)
    if scripted(ctx, kind):
        k = next_scripted(ctx, kind)
        for i in range(k):
            wanted = next_scripted(ctx, kind)
            place = 0
            while place < left and (names[rest[place]] if names != NULL else rest[place]) != wanted:
                place += 1
            if place == left:
                refuse_scripted(ctx, kind)
                continue
            listed[named] = rest[place]
            named += 1
            left -= 1
            for place in range(place, left):
                rest[place] = rest[place + 1]
    rng_shuffle(&s.rng, &ctx.block, family, rest, left)
    if top_is_last:
        memcpy(items, rest, left)
        for i in range(named):
            items[count - 1 - i] = listed[i]
    else:
        memcpy(items, listed, named)
        memcpy(items + named, rest, left)
    emit(ctx, EV_SHUFFLE, -1, kind, count, detail)
