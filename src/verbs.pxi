# Verbs (docs/cards.md, sections 4.3 to 4.9): how each begins, and those that take no Units.

cdef inline Work *work_of(const Frame *f) noexcept nogil:
    """The Work of a PR_STEAL or PR_UNITS frame, beneath its pieces."""
    return <Work *>(f - 1 - f.d)


cdef inline void clear_work(Work *w, int owner) noexcept nogil:
    """Nothing done yet."""
    memset(w, 0, sizeof(Work))
    w.space = NOWHERE
    w.origin = NOWHERE
    w.owner = <uint8_t>owner
    w.other = NOBODY


cdef void worked_on(Work *w, int owner, int space, int type) noexcept nogil:
    """A Unit has been treated; it is now in that space (C77)."""
    if w.space != space or w.owner != owner or w.unit == SHIP_UNIT or type == UT_SHIP:
        w.unit = 0
    w.space = <uint8_t>space
    w.owner = <uint8_t>owner
    if type == UT_SHIP:
        w.unit = SHIP_UNIT
    elif squad_size[squad_plain(w.unit)] < 3:
        w.unit = squad_plus(w.unit, type)
    w.done += 1


cdef void finish_work(State *s, const Frame *f, const Work *w) noexcept nogil:
    """A verb that treats Units is over: registers, amount, whether in full (C24). ``f``: its frame."""
    cdef const Frame *base = base_of(s, f)
    cdef Regs *r = regs_of(base)
    s.amount = w.done
    s.complete = w.done >= w.wanted or (w.wanted == ALL and w.done > 0)
    if w.done == 0 or w.space == NOWHERE:
        return
    r.space = w.space
    r.unit_space = w.space
    r.unit_owner = w.owner
    r.unit = w.unit
    if w.origin != NOWHERE:
        r.origin = w.origin
    if r.unit:
        clamp_unit(s, r)


cdef void clamp_unit(const State *s, Regs *r) noexcept nogil:
    """$unit holds those that are still there."""
    cdef uint8_t unit = 0
    cdef int type, i
    if r.unit == SHIP_UNIT:
        if not unit_here(s, r, UT_SHIP):
            r.unit = 0
        return
    for type in range(5):
        for i in range(unit_here(s, r, type)):
            unit = squad_plus(unit, type)
    r.unit = unit


cdef inline void set_space(State *s, const Frame *f, int space) noexcept nogil:
    """$space of the program that a verb's frame works for."""
    regs_of(base_of(s, f)).space = <uint8_t>space


cdef void set_flight(State *s, const Frame *f, int p, int squad) noexcept nogil:
    """Registers after the verb `flee`."""
    cdef Regs *r = regs_of(base_of(s, f))
    r.origin = <uint8_t>f.a
    r.space = <uint8_t>f.b
    r.unit_space = r.space
    r.unit_owner = <uint8_t>p
    r.unit = <uint8_t>squad


cdef bint start_verb(State *s, const Tables *t, Ctx *ctx, Frame *f, const Frame *base, const Step *step, Env *e,
                     int p) noexcept nogil:
    """A performer begins a step. Whether a procedure was started; else it is done, `amount` and `complete` are set."""
    cdef int verb = step.verb
    cdef int index = f.a
    cdef int me = base.p
    cdef int n = 1
    cdef int i, a, q, players
    cdef Regs *r = regs_of(base)
    if verb >= VERB_GAIN:
        n = count_value(s, t, &step.n, e)
    if verb == VERB_IF:
        if cond_holds(s, t, step.cond, e):
            push(s, PR_LIST, me, t.lists[step.lists], 0, 0, place_of(s, base))
            return True
        if step.list_count > 1:
            push(s, PR_LIST, me, t.lists[step.lists + 1], 0, 0, place_of(s, base))
            return True
        return False
    if verb == VERB_EACH:
        a = place_of(s, base)
        memcpy(room_for(s), r, sizeof(Regs))
        clear_work(<Work *>room_for(s), me)
        push(s, PR_EACH, me, index, p, 0, a)
        return True
    if verb == VERB_PAY:
        n = count_value(s, t, &step.n, e)
        return begin_payment(s, t, f, step, e, p, n)
    if verb == VERB_ROLL:
        a = -128
        for i in range(step.value):
            q = draw_outcome(s, ctx, CK_YELLOW_DIE if step.what else CK_RED_DIE, CF_DICE, t.faces[step.what])
            if t.value[step.what][q] > a:
                a = t.value[step.what][q]
        s.amount = <int16_t>a
        return False
    if verb == VERB_GAIN:
        return begin_gain(s, t, ctx, f, step, e, p, n)
    if verb == VERB_LOSE:
        push(s, PR_LOSE, p, index, 0, 0, 0)
        return True
    if verb == VERB_STEAL:
        if step.flags & SF_OTHER:
            players = 1 << (f.b >> 9 & 7)
        else:
            players = player_mask(s, t, step.player, e)
        players &= ~(1 << p)
        if n == 0:
            return False
        clear_work(<Work *>room_for(s), p)
        push(s, PR_STEAL, p, index, 0, step.what | players << 7, 0).step = 1
        return True
    if verb == VERB_TRADE:
        if denied(s, t, p, DENIAL_TRADE):
            s.complete = 0
            return False
        if t.trading:
            start_trade(s, p, step.value)
        return t.trading
    if verb == VERB_STORE:
        push(s, PR_STORE, p, step.value, 0, 0, 0)
        return True
    if verb == VERB_SCRY:
        for i in range(3):
            room_for(s)
        push(s, PR_SCRY, p, index, 0, 0, 0)
        return True
    if verb == VERB_DEPLOY:
        return begin_deploy(s, t, index, step, p, n)
    if VERB_CONVERT <= verb <= VERB_GATHER:
        return begin_units(s, t, ctx, f, base, step, e, p, n)
    if verb == VERB_COMMAND:
        s.complete = 0
        if s.programs >= t.limit_programs:
            return False
        push(s, PR_COMMAND, p, step.actions, 0, 0, 0)
        return True
    if verb == VERB_RECLAIM:
        push(s, PR_VERB, p, index, n, 0, 0)
        return True
    if verb == VERB_BONUS:
        s.complete = 0
        if not bonus_open(s, t):
            return False
        push(s, PR_VERB, p, index, 1, 0, 0)
        return True
    if verb == VERB_PLAY:
        s.complete = 0
        if s.programs >= t.limit_programs:
            return False
        start_play(s, p, step.what)
        return True
    if verb == VERB_CONTROL:
        room_for(s)
        room_for(s)
        put_set(push(s, PR_CONTROL, p, index, n, 0, 0), 2, 0)
        return True
    if verb == VERB_TREMOR:
        if step.value < 0:
            if not s.quake:  # at most to where the last reset put the stack
                a = s.stack + step.value
                s.stack = <uint8_t>(a if a > s.singles else s.singles)
            return False
        push(s, PR_VERB, p, index, step.value, 0, 0)
        return True
    if verb == VERB_FRACTURE:
        if s.quake:
            return False
        start_fracture(s, p, me, step.extra)
        return True
    if verb == VERB_COLLAPSE:
        if s.quake:
            s.complete = 0
            return False
        s.used = 0
        push(s, PR_VERB, p, index, n, 0, 0)
        return True
    if verb == VERB_TOKEN:
        push(s, PR_VERB, p, index, n, 0, 0)
        return True
    if verb == VERB_COMBAT:
        s.standing = 0
        push(s, PR_BATTLE, p, 0, index, n, 0)
        return True
    if verb == VERB_FLEE:
        push(s, PR_FLIGHT, p, -1, -1, FL_VERB | (FL_FINAL if step.flag else 0), 0)
        return True
    if verb == VERB_DIE:
        unmark_dice(s, DIE_TAKEN)
        push(s, PR_VERB, p, index, n, 0, 0)
        return True
    if verb == VERB_ALTER or verb == VERB_CANCEL:
        alter_event(s, t, base, step, e, f)
        return False
    if verb == VERB_CYBER:
        if n > 1 and s.mark_owner != p:
            clear_marks(s)
        start_cyber(s, p, min_int(n, 25), index)
        return True
    if verb == VERB_RANSOM:
        start_ransom(s, p, n, index)
        return True
    if verb == VERB_CONSTRUCT:
        start_construct(s, p, step.what, n, index)
        return True
    # grant
    if step.flags & SF_OTHER:
        add_grant(s, t, index, me, f.b >> 9 & 7)
        return False
    players = player_mask(s, t, step.player, e)
    while players:
        q = first_player_of(s, t, step.player, me, players)
        players &= ~(1 << q)
        add_grant(s, t, index, me, q)
    return False


# --------------------------------------------------------------------------------------------------------- goods
cdef bint begin_payment(State *s, const Tables *t, const Frame *f, const Step *step, const Env *e, int p,
                        int n) noexcept nogil:
    """The verb `pay`; it has been tested that all can be paid."""
    cdef int to = TO_SUPPLY
    cdef int index = f.a
    cdef int players
    if step.player != WHO_SUPPLY:
        if step.flags & SF_OTHER:
            to = f.b >> 9 & 7
        else:
            players = player_mask(s, t, step.player, e) & ~(1 << p)
            if players == 0:
                s.complete = 0
                return False
            to = ctz64(<uint64_t>players)
            if step.what == GOOD_HOSTAGE and (step.player == WHO_EACH_OPPONENT or step.player == WHO_ALL):
                n *= popcount64(<uint64_t>players)
                to = TO_SEVERAL
    if n == 0:
        s.amount = 0
        return False
    start_pay(s, p, index, step.what, n, to)
    return True


cdef bint begin_gain(State *s, const Tables *t, Ctx *ctx, Frame *f, const Step *step, const Env *e, int p,
                     int n) noexcept nogil:
    """The verb `gain`."""
    cdef int q
    if step.what == GOOD_LORIUM:
        gain_lorium(s, ctx, p, n)
        s.amount = <int16_t>n
        return False
    if step.what == GOOD_TOKEN:
        s.complete = s.seat[p].faction >= 0 and t.faction_counter[s.seat[p].faction]
        s.amount = <int16_t>(n if s.complete else 0)
        s.seat[p].tokens += <uint16_t>s.amount
        return False
    if step.what == GOOD_DISCOVERY:
        if n > 0 and gain_cards(s, t, ctx, p, n):
            return True
        s.complete = s.amount >= n
        return False
    if step.what == GOOD_RELIC:
        if n:
            gain_relic(s, p, n)
        return n > 0
    if step.what == GOOD_MARKER:
        s.complete = 0
        if s.marker == p:
            return False
        push(s, PR_GAIN, p, 1, 0, 0, 0).step = 3
        return True
    if step.what == GOOD_BLUEPRINT:
        q = f.b >> 9 & 7
        if not step.flags & SF_OTHER:
            q = player_mask(s, t, step.player, e)
            q = ctz64(<uint64_t>q) if q else NOBODY
        s.complete = 0
        if q == NOBODY or q == p or n == 0:
            return False
        push(s, PR_RANSOM, p, -2, q, 0, 0).step = 4
        top(s).c = <int16_t>n
        return True
    s.complete = 0
    return False


# -------------------------------------------------------------------------------------------------------- scry
cdef inline uint8_t *scry_cards(const Frame *f) noexcept nogil:
    """The cards looked at, first drawn first; 255: it has been treated."""
    return <uint8_t *>(f - 1)


cdef inline bint goes_under(const Step *step) noexcept nogil:
    """Whether cards that are neither kept nor put back on top go under the deck."""
    return step.word == SCRY_REST_ANY or step.word == SCRY_REST_BOTTOM


cdef int do_scry(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """The verb `scry`. a: step, b: how many cards | place at hand << 8, c: kept, a bit each | back on top << 8, d: how many
    were gained; beneath: the cards, under them copies of the Events met.

    Steps: 0 draw, 1 keep, 2 the others, 3 the kept come into the hand, 4 Relics may be Activated, Events are resolved, 5
    one is, 6 it is told.
    """
    cdef const Step *step = &t.steps[f.a]
    cdef uint8_t *cards = scry_cards(f)
    cdef int p = f.p
    cdef bint relic = step.what == DECK_RELIC
    cdef int a, i, count, kept, found
    if f.step == 0:
        count = 0
        while count < step.value:
            a = draw_relic(s, t, ctx, p) if relic else draw_card(s, t, ctx, p)
            if a < 0:
                break
            cards[count] = <uint8_t>a
            count += 1
            if unlikely(ctx.knows != NULL):
                know_looked(ctx, s, t, relic, p, a)
        if unlikely(ctx.knows != NULL):
            know_scry(ctx, s, t, relic, p, False)
        f.b = <int16_t>count
        f.step = 1
    count = f.b & 255
    while f.step == 1:
        kept = popcount64(<uint64_t>(f.c & 255))
        if kept >= step.extra or kept >= count:
            f.step = 2
            break
        a = ask(s, t, ctx, DK_SCRY_KEEP, p)
        if a == PENDING:
            return WAIT
        i = kept  # those kept come first, in the order chosen
        while (t.relic_design_of[cards[i]] if relic else t.design_of[cards[i]]) != a - A_CARD:
            i += 1
        found = cards[i]
        while i > kept:
            cards[i] = cards[i - 1]
            i -= 1
        cards[kept] = <uint8_t>found
        f.c |= <int16_t>(1 << kept)
    while f.step == 2:  # cards go to the discard pile at once, back to the deck all together at the end
        i = f.b >> 8
        if i == count:
            if unlikely(ctx.knows != NULL):
                scry_settled(s, t, ctx, f, count)
            for i in range(count):
                if not (f.c | f.c >> 8) >> i & 1 and goes_under(step):
                    put_back(s, cards[i], relic, False)
            for i in range(count - 1, -1, -1):
                if f.c >> (8 + i) & 1:
                    put_back(s, cards[i], relic, True)
            f.step = 3
            break
        if not f.c >> i & 1:
            a = A_OPTION + 1
            if step.word == SCRY_REST_ANY or step.word == SCRY_REST_SIFT:
                a = ask(s, t, ctx, DK_SCRY_PUT, p)
                if a == PENDING:
                    return WAIT
            if a == A_OPTION:
                f.c |= <int16_t>(256 << i)
            elif goes_under(step):
                pass
            elif relic:
                discard_relic(s, t, ctx, p, cards[i])
                opened_relic(s, t, ctx, ON_TABLE, cards[i])
            else:
                discard_card(s, t, ctx, p, cards[i])
                opened_card(s, t, ctx, ON_TABLE, cards[i])
        f.b += 256
    if f.step == 3:
        f.step = 4
        f.b = <int16_t>count
        f.d = 0
        put_set(f, 3, 0)
        for i in range(count):
            if not f.c >> i & 1:
                continue
            if relic:
                add_relic(s, t, ctx, p, cards[i])
                ctx.stats.relics += 1
                f.d += 1
            elif not has128(t.event_copies, cards[i]):
                add_card(s, t, ctx, p, cards[i])
                f.d += 1
    if f.step == 5:  # an Event has been resolved and replaced
        f.d += <int8_t>s.amount
        put_set(f, 3, set_beneath(&s.frames[s.depth], 0))
        f.step = 4
    while f.step == 4:
        i = f.b >> 8
        if i == count:
            f.step = 6
            break
        f.b += 256
        if not f.c >> i & 1:
            continue
        if relic:
            open_window(s, p, cards[i])
            return RUN
        if has128(t.event_copies, cards[i]) and resolve_kept(s, t, ctx, f, cards[i]):
            f.step = 5
            return RUN
    if f.step == 6:
        f.step = 7
        if f.d > 0 and tell_gained(s, t, p, KIND_RELIC if relic else KIND_DISCOVERY, f.d):
            return RUN
    s.complete = 1
    return drop(s, 4)


cdef void scry_settled(State *s, const Tables *t, Ctx *ctx, const Frame *f, int count) noexcept nogil:
    """What the seats know when a scry is over, before cards go back into the pile (I7)."""
    cdef Knowledge *knows = ctx.knows
    cdef const Step *step = &t.steps[f.a]
    cdef int k = step.what == DECK_RELIC
    cdef int i, kept = 0, above = 0, under = 0
    for i in range(count):
        if f.c >> i & 1:
            if k or not has128(t.event_copies, scry_cards(f)[i]):
                kept += 1
            else:  # J06: an Event that is kept is open
                know_opened(ctx, s, t, k, scry_cards(f)[i], ON_TABLE)
        elif f.c >> (8 + i) & 1:
            above += 1
        elif goes_under(step):
            under += 1
    know_settled(ctx, t, k, f.p, kept, above + under)
    if under:
        know_scry(ctx, s, t, k, f.p, True)
    knows.top[k][f.p] += <uint8_t>above
    knows.bottom[k][f.p] += <uint8_t>under


cdef bint resolve_kept(State *s, const Tables *t, Ctx *ctx, Frame *f, int copy) noexcept nogil:
    """An Event kept by `scry` is resolved and replaced by a normal draw (C76); whether a procedure was started."""
    cdef u128 resolved = set_beneath(f, 3)
    cdef int gained = 0
    if not has128(resolved, copy):
        start_draw(s, f.p, 1, copy, 0, resolved, DRAW_ALONE)
        return True
    discard_card(s, t, ctx, f.p, copy)
    if only_these(s, resolved):
        return False
    copy = draw_to_hand(s, t, ctx, f.p, 1, &gained, resolved)
    f.d += <int8_t>gained
    if copy < 0:
        return False
    start_draw(s, f.p, 1, copy, 0, resolved, DRAW_ALONE)
    return True


cdef void put_back(State *s, int copy, bint relic, bint on_top) noexcept nogil:
    """A card goes back on the top or under a deck."""
    cdef uint8_t *deck = &s.deck[0]
    cdef int size = s.deck_size
    cdef int i
    if relic:
        deck = &s.relic_deck[0]
        size = s.relic_deck_size
    if on_top:
        deck[size] = <uint8_t>copy
    else:
        for i in range(size, 0, -1):
            deck[i] = deck[i - 1]
        deck[0] = <uint8_t>copy
    if relic:
        s.relic_deck_size += 1
    else:
        s.deck_size += 1


# --------------------------------------------------------------------------------------- planet, dice, Command Cards
cdef void alter_event(State *s, const Tables *t, const Frame *base, const Step *step, const Env *e,
                      const Frame *f) noexcept nogil:
    """`alter` and `cancel` on the waiting event."""
    cdef Frame *w = <Frame *>waiting_window(s, base)
    cdef Frame *under
    cdef int to, claim, kind
    if w == NULL:
        return
    under = w - 1
    if step.verb == VERB_CANCEL:
        flag_window(w, WD_CANCELLED)
        return
    if step.what == ALTERATION_FINAL_STRIKE:
        flag_window(w, WD_NO_FINAL)
    elif step.what == ALTERATION_REDRAW:
        flag_window(w, WD_REDRAW)
    else:
        to = f.b >> 9 & 7
        if not step.flags & SF_OTHER:
            to = player_mask(s, t, step.player, e)
            to = ctz64(<uint64_t>to) if to else NOBODY
        if to == NOBODY:
            return
        if step.what == ALTERATION_ASSIGNER:
            under.b = <int16_t>((under.b & 15) | to << 4)
        elif side_of(s, t, to, under.a) != NO_SIDE:
            kind = t.programs[step.program].kind
            claim = CLAIM_REACTION
            if kind == PK_RELIC or kind == PK_FACTION:
                claim = CLAIM_RELIC if kind == PK_RELIC else CLAIM_FACTION
            if under.d < 0 or claim >= under.d >> 3:
                under.d = <int8_t>(claim << 3 | to)


cdef u128 control_spaces(const State *s, const Tables *t, const Frame *f) noexcept nogil:
    """REWARD_HABITAT of the verb `control`: each Habitat once, whether it was changed or kept (C83)."""
    cdef const Step *step = &t.steps[f.a]
    cdef Env e
    frame_env(s, t, f, &e)
    return ~set_beneath(f, 2) & control_board(
        s, t, step, &e, f.p, second_player(s, t, f, step, &e) if step.player != WHO_NONE else NOBODY)


cdef void offer_verb(const State *s, const Tables *t, const Frame *f, int kind, uint64_t *mask) noexcept nogil:
    """REWARD_HABITAT, COLLAPSE_SPACE, TOKEN_SPACE and RECLAIM of the verbs here."""
    cdef const Step *step = &t.steps[f.a]
    cdef Env e
    if step.flags & SF_UPTO:
        offer_action(mask, A_DONE)
    frame_env(s, t, f, &e)
    if kind == DK_REWARD_HABITAT:
        offer_spaces(mask, control_spaces(s, t, f))
    elif kind == DK_COLLAPSE_SPACE:
        offer_spaces(mask, space_board(s, t, step.space, &e) & tiles_left(s) & ~s.used)
    elif kind == DK_TOKEN_SPACE:
        offer_spaces(mask, token_spaces(s, t, step, &e))
    else:
        offer_commands(mask, reclaimable(s, t, step, f.p))


cdef inline int end_verb(State *s, const Frame *f, bint whole) noexcept nogil:
    """One of the verbs here is over: how many it did."""
    s.amount = f.c
    s.complete = whole or f.b == 0 or (f.b == ALL and f.c > 0)
    return pop(s)


cdef int do_verb(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Verbs that ask for one thing after another. a: step, b: how many left, c: how many done, d: the last space."""
    cdef const Step *step = &t.steps[f.a]
    cdef const Frame *base
    cdef Env e
    cdef Regs *r
    cdef int p = f.p
    cdef int verb = step.verb
    cdef int a, to
    cdef u128 spaces
    base = frame_env(s, t, f, &e)
    r = regs_of(base)
    if verb == VERB_BONUS:
        a = ask(s, t, ctx, DK_BONUS, p)
        if a == PENDING:
            return WAIT
        s.complete = 0
        pop(s)
        if a >= A_BONUS:
            start_bonus(s, p, a - A_BONUS)
        return RUN
    if verb == VERB_TREMOR:
        while f.b > 0:
            f.b -= 1
            if tremor(s, t, ctx, e.me, p, KIND_EFFECT):
                return RUN
        s.complete = 1
        return pop(s)
    if verb == VERB_DIE:
        while f.b > 0:
            a = ask(s, t, ctx, DK_DIE, p)
            if a == PENDING:
                return WAIT
            if a < A_DIE:
                break
            a -= A_DIE
            f.b -= f.b < ALL
            f.c += 1
            s.die[a] |= DIE_TAKEN
            if step.what == DIE_OP_ADD:
                change_die(s, a, step.value)
            elif step.what == DIE_OP_SET:
                set_die(s, a, step.value, s.die[a] & DIE_MARKS)
            elif step.what == DIE_OP_REROLL:
                roll_die(s, t, ctx, a)
            else:
                remove_die(s, a)
        return end_verb(s, f, False)
    if verb == VERB_RECLAIM:
        while f.b > 0:
            a = ask(s, t, ctx, DK_RECLAIM, p)
            if a == PENDING:
                return WAIT
            if a < A_COMMAND:
                break
            f.b -= f.b < ALL
            f.c += 1
            take_back(&s.seat[p], a - A_COMMAND)
            know_taken_back(ctx, s, p)
        return end_verb(s, f, False)
    if verb == VERB_COLLAPSE:
        if f.step == 1:
            return end_verb(s, f, False)
        while f.b > 0:
            a = ask(s, t, ctx, DK_COLLAPSE_SPACE, p)
            if a == PENDING:
                return WAIT
            if a < A_SPACE:
                break
            f.b -= f.b < ALL
            f.c += 1
            s.used |= bit128(a - A_SPACE)
        spaces = s.used
        s.used = 0
        f.step = 1
        if any128(spaces):
            r.space = AREA
            start_collapse(s, p, e.me, spaces, False)
            return RUN
        return end_verb(s, f, False)
    if verb == VERB_TOKEN:
        while f.b > 0:
            if step.n.kind == COUNT_KIND_ALL:
                spaces = token_spaces(s, t, step, &e)
                if f.step == 0:
                    f.step = 1
                    f.d = 0
                spaces &= ~below128(f.d)
                a = A_SPACE + first128(spaces) if any128(spaces) else NONE
            else:
                a = ask(s, t, ctx, DK_TOKEN_SPACE, p)
                if a == PENDING:
                    return WAIT
            if a < A_SPACE:
                break
            f.b -= f.b < ALL
            f.c += 1
            f.d = <int8_t>(a - A_SPACE)
            if step.what == TOKEN_OP_ADD:
                place_token(s, ctx, f.d)
            else:
                remove_token(s, ctx, f.d, p if step.what == TOKEN_OP_COLLECT else -1)
                if step.what == TOKEN_OP_COLLECT:
                    gain_relic(s, p, 1)
                    return RUN
        if f.c:
            r.space = <uint8_t>f.d
        return end_verb(s, f, False)
    # control: in the high bytes of b and c the last space changed + 1 and its former controller
    if f.step == 1:
        count_control(s, f)
    while f.b & 255:
        a = ask(s, t, ctx, DK_REWARD_HABITAT, p)
        if a == PENDING:
            return WAIT
        if a < A_SPACE:
            break
        if f.b & 255 < ALL:
            f.b -= 1
        to = second_player(s, t, f, step, &e) if step.player != WHO_NONE else NOBODY
        f.d = <int8_t>(a - A_SPACE)
        a = controller_of(s, t, f.d)
        f.c = <int16_t>((f.c & 0x70FF) | (a if a >= 0 else NOBODY) << 8)
        f.step = 1
        if take_habitat(s, t, ctx, f.d, to, e.me):
            return RUN
        count_control(s, f)
    a = f.c & 255
    if a:
        r.space = <uint8_t>((f.b >> 8) - 1)
        r.player = <uint8_t>(f.c >> 12 & 7)
    s.amount = <int16_t>a
    s.complete = (f.b & 255 == 0 and a == count128(set_beneath(f, 2))) or (f.b & 255 == ALL and a > 0)
    return drop(s, 3)


cdef void count_control(State *s, Frame *f) noexcept nogil:
    """A Habitat has changed control, or it was cancelled."""
    f.step = 0
    if s.amount:
        f.b = <int16_t>((f.b & 255) | (f.d + 1) << 8)
        f.c = <int16_t>(((f.c & 0x0FFF) | (f.c >> 8 & 7) << 12) + 1)
    put_set(f, 2, set_beneath(f, 2) | bit128(f.d))
