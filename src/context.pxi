# What stands beside a game while it runs: the mask of the decision at hand, counters, and, only when somebody
# asked for them, an event record, a census (census.pxi) and scripted outcomes. A hot loop has none; it
# pays one predictable branch for the first two together and one for the script.

cdef enum:
    ALL_SEATS = 63


cdef void record(Ctx *ctx, int kind, int player, int a, int b, int c, int seen) noexcept nogil:
    """Tell an event to the census, append it to the record. Where there is no room ``event_lost`` is set, and
    ``perform`` takes the action back.
    """
    cdef Event *grown
    cdef int32_t room
    if ctx.census != NULL:
        census_hear(ctx.census, kind, player, a, b, c)
    if ctx.events == NULL:
        return
    if ctx.event_count == ctx.event_room:
        room = min_int(ctx.event_most, 2 * ctx.event_room)
        if room <= ctx.event_count:
            ctx.event_lost = True
            return
        grown = <Event *>realloc(ctx.events, room * sizeof(Event))
        if grown == NULL:
            ctx.event_lost = True
            return
        ctx.events = grown
        ctx.event_room = room
    cdef Event *event = &ctx.events[ctx.event_count]
    event.kind = kind
    event.player = player
    event.a = a
    event.b = b
    event.c = c
    event.seen = seen
    ctx.event_count += 1


cdef inline void emit(Ctx *ctx, int kind, int player, int a, int b, int c) noexcept nogil:
    """Record an event if somebody listens."""
    if unlikely((<size_t>ctx.events | <size_t>ctx.census) != 0):
        record(ctx, kind, player, a, b, c, ALL_SEATS)


cdef inline bint scripted(Ctx *ctx, int kind) noexcept nogil:
    """Whether an outcome is waiting in the script of this kind."""
    return unlikely(ctx.script != NULL) and ctx.script.queue[kind].head < ctx.script.queue[kind].size


cdef inline void refuse_scripted(Ctx *ctx, int kind) noexcept nogil:
    """The outcome taken last is impossible: the first one of these is told."""
    if not ctx.broken:
        ctx.broken = 1 + kind
        ctx.broken_at = ctx.script.queue[kind].head - 1


cdef inline int next_scripted(Ctx *ctx, int kind) noexcept nogil:
    """Take the next number of the queue; -1 when it has run out."""
    cdef Queue *queue = &ctx.script.queue[kind]
    if queue.head >= queue.size:
        return -1
    queue.head += 1
    return queue.items[queue.head - 1]
