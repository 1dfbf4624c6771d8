# Windows: who may answer an event, and in which order (docs/cards.md, section 7).
#
# A site tests `watched`, and only then opens the window as the next thing. Afterwards it finds in `verdict` what was
# done to the event, and in `pending` which Units are still about to go.
#
# The frame of a window: a: event | cause << 5 | affected << 8 | flags << 11, b: space | squad << 8, or card, c: $n, d:
# kind, p: seat at hand, from the active player | passes in a row << 3 | class << 6, step: rules used by that player.

cdef enum:
    WD_CANCELLED = 1       # verdicts: the event does not happen,
    WD_REDRAW = 2          # another token is drawn,
    WD_NO_FINAL = 4        # there is no Final Strike
    WF_RUNNING = 8         # a further flag of a window: the program of a rule goes on
    CLASS_REACTION = 0
    CLASS_RELIC = 1
    CLASS_FACTION = 2
    CLASS_NONE = 3
    SECTION_ROWS = 32      # `section` has a row for each Command Card
    EVENT_ROWS = SECTION_ROWS + N_CC


cdef bint open_event(State *s, const Tables *t, int event, int cause, int affected, int kind, int b,
                     int n) noexcept nogil:
    """The window of an event is the next thing; whether it is. ``kind``: KIND_..., NO_KIND for none; ``b``: space | squad
    << 8, NOWHERE for none, or card.

    Where nothing fits a window would close without a question. None is opened then, and the site goes on with what it
    would leave.
    """
    cdef int seats = answering_seats(s, t, event, event_row(event, b), cause)
    if seats:
        if first_fit(s, t, push(s, PR_EVENT, 0, event | cause << 5 | affected << 8, b, n, kind), seats):
            s.dooms += event == TRIGGER_DEFEATED
            return True
        s.depth -= 1
    s.verdict = 0
    s.pending = <uint8_t>(b >> 8)
    return False


cdef inline bint tell_gained(State *s, const Tables *t, int p, int kind, int n) noexcept nogil:
    """`gained` is the next thing if anybody can answer it."""
    return watched(s, TRIGGER_GAINED) and open_event(s, t, TRIGGER_GAINED, p, NOBODY, kind, NOWHERE, n)


cdef bint tell_ended(State *s, const Tables *t, int kind) noexcept nogil:
    """`combat_end` of the next Combat that ended under the innermost procedure (C34), if anybody can answer it."""
    cdef int i, k, space, sides
    if likely(s.ended_count == 0):
        return False
    i = 0
    while i < s.ended_count:
        if s.ended_depth[i] < s.depth:
            i += 1
            continue
        space = s.ended_space[i]
        sides = s.ended_sides[i]
        s.ended_count -= 1
        for k in range(i, s.ended_count):
            s.ended_space[k] = s.ended_space[k + 1]
            s.ended_sides[k] = s.ended_sides[k + 1]
            s.ended_depth[k] = s.ended_depth[k + 1]
        if watched(s, TRIGGER_COMBAT_END):
            if open_event(s, t, TRIGGER_COMBAT_END, sides & 15, sides >> 4, kind, space, 0):
                return True
    return False


# ------------------------------------------------------------------------------------------------ what the event is
cdef inline int window_event(const Frame *w) noexcept nogil:
    return w.a & 31


cdef inline int window_cause(const Frame *w) noexcept nogil:
    return w.a >> 5 & 7


cdef inline int window_affected(const Frame *w) noexcept nogil:
    return w.a >> 8 & 7


cdef inline int window_flags(const Frame *w) noexcept nogil:
    return w.a >> 11 & 31


cdef inline void flag_window(Frame *w, int flags) noexcept nogil:
    w.a = <int16_t>(w.a | flags << 11)


cdef inline void unflag_window(Frame *w, int flags) noexcept nogil:
    w.a = <int16_t>(w.a & ~(flags << 11))


cdef inline bint names_card(int event) noexcept nogil:
    """Whether the event is about a card or cell, not a space."""
    return (event == TRIGGER_SECTION or event == TRIGGER_BONUS_CHOSEN or event == TRIGGER_BONUS_DONE
            or event == TRIGGER_DISCOVERY_PLAYED)


cdef inline int window_space(const Frame *w) noexcept nogil:
    """The space of the event; NOWHERE if it has none, AREA for a set."""
    return NOWHERE if names_card(window_event(w)) else w.b & 255


cdef inline int event_space(const Env *e) noexcept nogil:
    """The space of the event that a program answers; NOWHERE: it has none, or there is no event."""
    return window_space(e.window) if e.window != NULL else NOWHERE


cdef uint64_t section_kinds(const Tables *t, int card) noexcept nogil:
    """Kinds of `section` of a Command Card, a bit each."""
    cdef uint64_t kinds = <uint64_t>1 << (KIND_RECRUIT + card)
    cdef int unit = t.command_unit[card]
    if unit < 0:
        return kinds | <uint64_t>1 << KIND_TACTIC_CARD
    kinds |= <uint64_t>1 << KIND_UNIT_CARD
    if unit < UT_SHIP:
        kinds |= <uint64_t>1 << (KIND_TROOP_CARD if t.troops >> unit & 1 else KIND_VEHICLE_CARD)
    return kinds


cdef inline uint64_t window_kinds(const Tables *t, const Frame *w) noexcept nogil:
    """Kinds of the event, a bit each; a Section has several."""
    return section_kinds(t, w.b) if window_event(w) == TRIGGER_SECTION else <uint64_t>1 << (w.d & 63)


cdef inline int event_row(int event, int b) noexcept nogil:
    """The row of the tables of what answers an event. `section` is common, and what answers it mostly does so for one
    card or two: it has a row for each of them.
    """
    return SECTION_ROWS + b if event == TRIGGER_SECTION else event


cdef inline int window_row(const Frame *w) noexcept nogil:
    return event_row(window_event(w), w.b)


cdef bint answers_row(const Tables *t, const Rule *rule, int row) noexcept nogil:
    """Whether a Reaction or rule answers events of a row."""
    if row < SECTION_ROWS:
        return rule.on >> row & 1
    if not rule.on >> TRIGGER_SECTION & 1:
        return False
    return rule.kinds == 0 or rule.kinds & section_kinds(t, row - SECTION_ROWS) != 0


cdef void event_regs(const Frame *w, int p, Regs *r) noexcept nogil:
    """The registers with which a program of player p starts in the window (V2.1, V7.1)."""
    cdef int event = window_event(w)
    clear_regs(r)
    r.player = <uint8_t>window_cause(w)
    if r.player == p:
        r.player = <uint8_t>window_affected(w)
    if names_card(event):
        r.card = <uint8_t>w.b
    else:
        r.space = <uint8_t>(w.b & 255)
    if event == TRIGGER_ENTERED or event == TRIGGER_DEFEATED:
        r.unit_space = r.space
        r.unit_owner = <uint8_t>window_affected(w)
        r.unit = <uint8_t>(w.b >> 8)
        if r.unit != SHIP_UNIT:
            r.unit = squad_plain(r.unit)
        if event == TRIGGER_DEFEATED:
            r.unit_owner |= EVENT_UNIT
    if (event == TRIGGER_SECTION or event == TRIGGER_GATHERED or event == TRIGGER_GAINED or event == TRIGGER_ROBBED
            or event == TRIGGER_COLLAPSE):
        r.n = w.c


cdef bint units_left(const State *s, int owner, int space, uint8_t squad) noexcept nogil:
    """Whether one of the Units of a squad is still in the space."""
    cdef uint8_t there = squad_of(s, owner, space)
    cdef int kind
    for kind in range(N_KINDS):
        if squad_count(squad, kind) and squad_count(there, kind):
            return True
    return False


cdef bint any_of_types(const State *s, int owner, int space, uint8_t squad) noexcept nogil:
    """Whether a Unit of one of the types of a squad is in the space, Confused by now or not."""
    cdef uint8_t there = squad_of(s, owner, space)
    cdef int type
    for type in range(5):
        if squad_count(squad, type):
            if squad_count(there, type) or (type < 3 and squad_count(there, CONFUSED + type)):
                return True
    return False


cdef bint window_over(const State *s, const Tables *t, const Frame *w) noexcept nogil:
    """Whether the window ends: its event is cancelled, altered by a new token, or its object is gone (C37)."""
    cdef int event = window_event(w)
    cdef int space = window_space(w)
    cdef int flags = window_flags(w)
    if flags & WD_CANCELLED or (flags & WD_REDRAW and s.bag):
        return True
    if event == TRIGGER_ENTERED:
        if <uint8_t>(w.b >> 8) == SHIP_UNIT:
            return s.seat[window_affected(w)].ship != space
        return not any_of_types(s, window_affected(w), space, <uint8_t>(w.b >> 8))
    if event == TRIGGER_DEFEATED:
        return not units_left(s, window_affected(w), space, <uint8_t>(w.b >> 8))
    if TRIGGER_COMBAT_START <= event <= TRIGGER_STRIKE_FINAL:
        return s.fight != space
    if event == TRIGGER_COMBAT_BEGUN or event == TRIGGER_FLEE_DECLARED:
        return not has128(s.combat, space)
    if event == TRIGGER_HABITAT_LOST:
        return controller_of(s, t, space) != window_affected(w)
    return False


# --------------------------------------------------------------------------------------------------- what fits
cdef inline bint answers_cause(const Rule *rule, bint own) noexcept nogil:
    """Whether a Reaction or rule answers events that its player causes (``own``), or those that others cause."""
    return rule.by != BY_ENEMY if own else rule.by != BY_SELF


cdef bint trigger_fits(const State *s, const Tables *t, const Frame *w, const Rule *rule, int p) noexcept nogil:
    """Whether a Reaction or rule of player p that answers such events, of such a cause, matches, and its program is
    startable (V7.3).
    """
    cdef int affected = window_affected(w)
    cdef Regs r
    cdef Env e
    if rule.of != UNSET:
        if affected == NOBODY or (rule.of == BY_SELF and affected != p) or (rule.of == BY_ENEMY and affected == p):
            return False
    if rule.kinds and not rule.kinds & window_kinds(t, w):
        return False
    if rule.role != UNSET and not has_role(s, t, rule.role, p, window_space(w)):
        return False
    event_regs(w, p, &r)
    set_env(&e, p, &r)
    e.window = w
    if rule.cond >= 0:
        if lacking(s, &r, t.conds[rule.cond].needs) or not cond_holds(s, t, rule.cond, &e):
            return False
    return startable(s, t, t.programs[rule.program].first, &e)


cdef inline u128 answering_cards(const State *s, const Tables *t, const Frame *w, int p) noexcept nogil:
    """Reactions in a hand that answer such events, all copies."""
    return s.seat[p].hand & t.answering[window_cause(w) == p][window_row(w)]


cdef u128 fitting_cards(const State *s, const Tables *t, const Frame *w, int p) noexcept nogil:
    """Those that fit."""
    cdef u128 rest = answering_cards(s, t, w, p)
    cdef u128 cards = 0
    cdef u128 copies
    cdef int design
    if s.launched >> p & 1 or s.programs >= t.limit_programs:
        return 0
    while any128(rest):
        design = t.design_of[first128(rest)]
        copies = copies_of(t, design)
        if trigger_fits(s, t, w, &t.reaction[design], p):
            cards |= copies & rest
        rest &= ~copies
    return cards


cdef inline int window_class(const Frame *w) noexcept nogil:
    return w.p >> 6


cdef inline int window_seat(const State *s, const Tables *t, const Frame *w) noexcept nogil:
    """The player at hand."""
    return seat_after(t, s.active, w.p & 7)


cdef inline const Rule *standing_rule(const State *s, const Tables *t, int p, int cls, int i) noexcept nogil:
    """A player's i-th rule of a class, which is there."""
    return slot_rule(s, t, p, i) if cls == CLASS_RELIC else &t.faction_rule[s.seat[p].faction][i]


cdef inline int once_bit(int cls, int i) noexcept nogil:
    """The flag of a rule in `Seat.once`."""
    return i if cls == CLASS_RELIC else NUM_SLOTS + i


cdef inline int answering_rules(const State *s, const Tables *t, const Frame *w, int p, int cls) noexcept nogil:
    """A player's rules of a class that answer such events and may still be used, a bit each."""
    cdef const Seat *seat = &s.seat[p]
    cdef bint own = window_cause(w) == p
    cdef int event = window_event(w)
    cdef int slot, rules = 0
    cdef const Rule *rule
    if cls == CLASS_FACTION:
        return t.faction_answers[own][1 + seat.faction][window_row(w)] & ~(w.step | seat.once >> NUM_SLOTS)
    if t.relic_watch >> event & 1:
        for slot in range(NUM_SLOTS):
            rule = slot_rule(s, t, p, slot)
            if rule != NULL and rule.on >> event & 1 and answers_cause(rule, own):
                rules |= 1 << slot
    return rules & ~(w.step | seat.once)


cdef int fitting_rules(const State *s, const Tables *t, const Frame *w, int p, int cls) noexcept nogil:
    """Those that fit."""
    cdef int rest = answering_rules(s, t, w, p, cls)
    cdef int i, fitting = 0
    cdef const Rule *rule
    if s.launched >> p & 1 or s.programs >= t.limit_programs:
        return 0
    while rest:
        i = ctz64(<uint64_t>rest)
        rest &= rest - 1
        rule = standing_rule(s, t, p, cls, i)
        if trigger_fits(s, t, w, rule, p):
            fitting |= 1 << i
    return fitting


cdef inline bint may_answer(const State *s, const Tables *t, int event, int row, int p, bint own) noexcept nogil:
    """Whether a player has a card or rule, free if of `once`, that answers such events."""
    cdef const Seat *seat = &s.seat[p]
    cdef int rules = t.faction_answers[own][1 + seat.faction][row] & ~(seat.once >> NUM_SLOTS)
    cdef bint relics = t.relic_watch >> event & 1 and (seat.slot[0] | seat.slot[1]) >= SLOT_RELIC
    return (rules != 0) | any128(seat.hand & t.answering[own][row]) | relics


cdef inline int answering_seats(const State *s, const Tables *t, int event, int row, int cause) noexcept nogil:
    """Players, a bit each, who may answer such an event. Most events find nobody."""
    cdef int p
    cdef int seats = 0
    if cause < t.players:
        seats = may_answer(s, t, event, row, cause, True) << cause
    if s.watch >> (32 + event) & 1:
        for p in range(t.players):
            if p != cause:
                seats |= may_answer(s, t, event, row, p, False) << p
    return seats & ~s.launched


cdef inline bint section_heard(const State *s, const Tables *t, int p, int card) noexcept nogil:
    """Whether anybody may answer `section` of a Command Card: much the most frequent event, answered seldom."""
    return watched(s, TRIGGER_SECTION) and answering_seats(s, t, TRIGGER_SECTION, SECTION_ROWS + card, p) != 0


cdef bint first_fit(State *s, const Tables *t, Frame *w, int seats) noexcept nogil:
    """Whether one of the players has something that fits in a window that has just been opened; it then begins with
    the first who has, as all before would have nothing to choose, and need not look again for what fits.
    """
    cdef int event = window_event(w)
    cdef int turned = (seats >> s.active | seats << (t.players - s.active)) & ((1 << t.players) - 1)
    cdef int rest, k, p
    if t.reaction_watch >> event & 1:
        rest = turned
        while rest:
            k = ctz64(<uint64_t>rest)
            rest &= rest - 1
            p = seat_after(t, s.active, k)
            if any128(answering_cards(s, t, w, p)) and any128(fitting_cards(s, t, w, p)):
                w.p = <uint8_t>(k << 3 | k)
                return True
    if t.relic_watch >> event & 1:
        rest = turned
        while rest:
            k = ctz64(<uint64_t>rest)
            rest &= rest - 1
            s.fits = <uint8_t>fitting_rules(s, t, w, seat_after(t, s.active, k), CLASS_RELIC)
            if s.fits:
                w.p = <uint8_t>(CLASS_RELIC << 6 | k)
                return True
    while turned:
        k = ctz64(<uint64_t>turned)
        turned &= turned - 1
        s.fits = <uint8_t>fitting_rules(s, t, w, seat_after(t, s.active, k), CLASS_FACTION)
        if s.fits:
            w.p = <uint8_t>(CLASS_FACTION << 6 | k)
            return True
    return False


cdef bint all_optional(const State *s, const Tables *t, const Frame *w, int p, int rules) noexcept nogil:
    """Whether all of the rules may be passed over."""
    while rules:
        if not standing_rule(s, t, p, window_class(w), ctz64(<uint64_t>rules)).opt:
            return False
        rules &= rules - 1
    return True


cdef void offer_react(const State *s, const Tables *t, const Frame *w, int p, uint64_t *mask) noexcept nogil:
    """REACT: fitting cards, or pass."""
    offer_action(mask, A_DONE)
    offer_designs(mask, t, fitting_cards(s, t, w, p))


cdef void offer_rule(const State *s, const Tables *t, const Frame *w, int p, uint64_t *mask) noexcept nogil:
    """RULE: fitting rules, and pass if all of them are optional."""
    cdef int rules = s.fits if s.fits else fitting_rules(s, t, w, p, window_class(w))
    mask[0] |= <uint64_t>rules << A_OPTION
    if rules and all_optional(s, t, w, p, rules):
        offer_action(mask, A_DONE)


cdef inline void next_seat(const Tables *t, Frame *w, int passes) noexcept nogil:
    """The next player, in the class at hand."""
    cdef int seat = (w.p & 7) + 1
    if window_class(w) == CLASS_REACTION and seat == t.players:
        seat = 0
    w.p = <uint8_t>((w.p & 192) | passes << 3 | seat)
    w.step = 0


cdef int do_event(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """The window of an event, see the head of this file."""
    cdef int p, a, i, cls, passes
    cdef bint over         # from outside alone: passing changes nothing
    cdef const Rule *rule
    cdef Regs r
    if window_flags(f) & WF_RUNNING:
        unflag_window(f, WF_RUNNING)
        s.programs -= 1
    over = window_over(s, t, f)
    if CYSMIC_DEBUG and s.fits and s.fits != fitting_rules(s, t, f, window_seat(s, t, f), window_class(f)):
        fprintf(stderr, "cysmic_fast: something has changed since the window was opened\n")
        abort()
    while not over:
        cls = window_class(f)
        if cls == CLASS_NONE:
            break
        p = window_seat(s, t, f)
        if cls == CLASS_REACTION:
            passes = f.p >> 3 & 7
            if passes == t.players or not t.reaction_watch >> window_event(f) & 1:
                f.p = CLASS_RELIC << 6
                continue
            a = A_DONE
            if s.answered or any128(answering_cards(s, t, f, p)):
                a = ask(s, t, ctx, DK_REACT, p)
                if a == PENDING:
                    return WAIT
            if a >= A_CARD:
                next_seat(t, f, 0)
                push(s, PR_PLAY, p, card_copy(t, s.seat[p].hand, a - A_CARD), PLAYED_REACTION, 0, 0).step = 2
                return RUN
            next_seat(t, f, passes + 1)
            continue
        if f.p & 7 == t.players or (cls == CLASS_RELIC and not t.relic_watch >> window_event(f) & 1):
            f.p = <uint8_t>((cls + 1) << 6)
            continue
        a = NONE
        if s.answered:
            a = answer_of(s)
        elif s.fits or answering_rules(s, t, f, p, cls):
            a = ask(s, t, ctx, DK_RULE, p)
            s.fits = 0
            if a == PENDING:
                return WAIT
        if a == NONE or a == A_DONE:  # who may pass has optional rules alone
            next_seat(t, f, 0)
            continue
        i = a - A_OPTION
        rule = standing_rule(s, t, p, cls, i)
        f.step |= <uint8_t>(1 << i)
        if rule.once != ONCE_EVENT:
            s.seat[p].once |= <uint16_t>(1 << once_bit(cls, i))
        if cls == CLASS_RELIC:
            emit(ctx, EV_RULE, p, 0, t.relic_design_of[slot_relic(&s.seat[p], i)], 0)
        else:
            emit(ctx, EV_RULE, p, 1, s.seat[p].faction, i)
        s.programs += 1
        flag_window(f, WF_RUNNING)
        event_regs(f, p, &r)
        start_program(s, t, rule.program, p, &r)
        return RUN
    s.fits = 0
    s.verdict = <uint8_t>(window_flags(f) & 7)
    if s.verdict & WD_REDRAW and not s.bag:
        s.verdict &= ~WD_REDRAW
    s.pending = <uint8_t>(f.b >> 8)
    if window_event(f) == TRIGGER_DEFEATED:
        s.dooms -= 1
    return pop(s)
