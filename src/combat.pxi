# Combat (chapter K, protocol section 9; docs/cards.md 4.7, 7.2, 13.5).

cdef enum:
    ST_FINAL = 1           # flags of a Strike: Final,
    ST_CAPTURES = 2        # what it defeats is captured
    FL_FINAL = 1           # of a flight: a Final Strike may be made,
    FL_CAPTURES = 2
    FL_MUST = 4            # the side had to,
    FL_RESOLUTION = 8      # the Combat is being resolved,
    FL_VERB = 16           # it fills the registers of a program
    FLIGHT_OVER = 0        # what became of it
    FLIGHT_CANCELLED = 1
    FLIGHT_STAYED = 2
    CLAIM_FACTION = 0      # classes of claims to First Strike (V7.7), the highest holds
    CLAIM_RELIC = 1
    CLAIM_ACTION = 2
    CLAIM_REACTION = 3


cdef bint must_flee(const State *s, const Tables *t, int p, int space) noexcept nogil:
    """K3.3: fewer Combat Dice than the easiest enemy Unit needs, one for each of its Health values."""
    cdef uint8_t enemy = squad_of(s, owner_at(s, t, space, p), space)
    cdef int red = 0, yellow = 0, kind
    if t.never_must_flee:
        return False
    count_dice(s, t, p, space, &red, &yellow)
    if red + yellow >= 2:
        return False
    for kind in range(N_KINDS):
        if squad_count(enemy, kind) and red + yellow >= (2 if t.health[kind_type(kind)][1] else 1):
            return False
    return True


cdef u128 combats_offered(const State *s, const Tables *t, const Frame *f, int p) noexcept nogil:
    """COMBAT: own Combats not left standing by this card (K2.5), or any (N5.1)."""
    if f.proc == PR_BATTLE:
        if f.b >= 0 and t.steps[f.b].what == COMBAT_AXIS_ANY:
            return s.combat & ~s.standing
        return s.combat & s.seat[p].occupied & ~s.standing
    if f.a == BA_ANY_COMBAT:
        return s.combat
    return s.combat & s.seat[p].occupied


cdef int do_battle(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Resolve own Combats (A8) or those of the verb `combat`. a: the space at hand, b: step or -1, c: how many left,
    d: how many were.
    """
    cdef const Step *step
    cdef Env e
    cdef int p = f.p
    cdef int a, first, claim = -1
    cdef bint captures = True
    if f.step == 1:
        if has128(s.combat, f.a):
            s.standing |= bit128(f.a)
        f.step = 0
        f.d += 1
        if f.c < ALL:
            f.c -= 1
    a = NONE
    if f.c > 0 and (s.answered or any128(s.combat)):
        a = ask(s, t, ctx, DK_COMBAT, p)
        if a == PENDING:
            return WAIT
    if a < A_SPACE:
        s.complete = f.c == 0 or (f.c == ALL and f.d > 0)
        if f.b >= 0 and f.d:
            set_space(s, f, f.a)
        return pop(s)
    f.a = <int16_t>(a - A_SPACE)
    f.step = 1
    first = p
    if f.b >= 0:
        step = &t.steps[f.b]
        captures = step.flag
        frame_env(s, t, f, &e)
        if step.player == WHO_ATTACKER:
            first = attacker_at(s, t, f.a)
        elif step.player == WHO_DEFENDER:
            first = owner_at(s, t, f.a, attacker_at(s, t, f.a))
        else:
            first = second_player(s, t, f, step, &e)
        if t.programs[step.program].kind == PK_ABILITY and not t.reacts[t.programs[step.program].design]:
            claim = CLAIM_ACTION
    start_combat(s, t, ctx, p, f.a, first, captures, claim)
    return RUN


cdef void start_combat(State *s, const Tables *t, Ctx *ctx, int p, int space, int first, bint captures,
                       int claim) noexcept nogil:
    """Player p resolves a Combat as the next thing (K2). ``first`` has First Strike, or is preset; a player who is
    no side of it is not considered (C21).
    """
    cdef bint side = first >= 0 and has128(s.seat[first].occupied, space)
    s.strikes = 0
    s.fight = <int8_t>space
    s.fight_captures = captures
    ctx.stats.combats += 1
    push(s, PR_COMBAT, p, space, first if side else attacker_at(s, t, space), captures,
         claim << 3 | first if side and claim >= 0 else -1)


cdef int take_squad(State *s, const Tables *t, Ctx *ctx, int winner, int loser, int space, uint8_t squad,
                    bint captures, bint struck) noexcept nogil:
    """Defeated Units that are still there are captured, or destroyed where an effect says so (K6.5), in unit
    order; ``struck``: in a Strike or by K3.5. How many.
    """
    cdef uint8_t there = squad_of(s, loser, space)
    cdef int type, kind, i, taken = 0
    for type in range(5):
        for kind in range(type, N_KINDS, 6):
            for i in range(min_int(squad_count(squad, kind), squad_count(there, kind))):
                if captures and not (struck and not_captured(s, t, loser, winner, type)):
                    capture_unit(s, t, ctx, winner, loser, kind, space)
                else:
                    destroy_unit(s, t, ctx, loser, kind, space, 0)
                taken += 1
    return taken


cdef bint claims_first(const State *s, const Tables *t, int p, int claim, int space) noexcept nogil:
    """Whether a modifier `first_strike` of that class is in force for a side."""
    cdef ModRef found[MAX_SOURCES]
    cdef const Step *step
    cdef const Rule *rule
    cdef int side = side_of(s, t, p, space)
    cdef int seat, i, k, count = 0
    if claim == CLAIM_ACTION:
        for i in range(s.grant_count):
            step = granting(s, t, i)
            if receiver_of(s, i) == p:
                count = mods_in(t, step.mods, step.mod_count, MOD_FIRST_STRIKE, found, count)
    else:
        for seat in range(t.players):
            if claim == CLAIM_FACTION and s.seat[seat].faction >= 0:
                for i in range(t.faction_rules[s.seat[seat].faction]):
                    rule = &t.faction_rule[s.seat[seat].faction][i]
                    if rule.sabotage == (seat != p):
                        count = mods_in(t, rule.mods, rule.mod_count, MOD_FIRST_STRIKE, found, count)
            elif claim == CLAIM_RELIC:
                for k in range(NUM_SLOTS):
                    rule = slot_rule(s, t, seat, k)
                    if rule != NULL and rule.sabotage == (seat != p):
                        count = mods_in(t, rule.mods, rule.mod_count, MOD_FIRST_STRIKE, found, count)
    for i in range(count):
        if on_side(found[i], side):
            return True
    return False


cdef int settled_first(const State *s, const Tables *t, const Frame *f) noexcept nogil:
    """V7.7: who has First Strike after `combat_start`."""
    cdef int claim, a, b
    cdef bint first, second
    a = attacker_at(s, t, f.a)
    b = owner_at(s, t, f.a, a)
    if f.d < 0 and not has_mod(s, a, MOD_FIRST_STRIKE) and not has_mod(s, b, MOD_FIRST_STRIKE):
        return f.b if f.b == a or f.b == b else a
    for claim in range(CLAIM_REACTION, -1, -1):
        if f.d >= 0 and f.d >> 3 == claim and (f.d & 7 == a or f.d & 7 == b):
            return f.d & 7
        if claim == CLAIM_REACTION:
            continue
        first = claims_first(s, t, a, claim, f.a)
        second = claims_first(s, t, b, claim, f.a)
        if first != second:
            return a if first else b
        if first:
            break
    return f.b if f.b == a or f.b == b else a


cdef inline int end_resolution(State *s, const Tables *t) noexcept nogil:
    """The resolution of a Combat is over, and with it what was granted for it (V8.2)."""
    s.fight = -1
    end_grants(s, t, 1 << DURATION_STRIKE | 1 << DURATION_COMBAT, -1, -1)
    return pop(s)


cdef int do_combat(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Resolve one Combat. p: who resolves it, a: space, b: preset, then who chooses, c: what is defeated is captured,
    d: claim to First Strike (class << 3 | player, -1).

    Steps: 0 begin, 1 First Strike, 2 Strike or Flee, 3 a Strike is over, 4 a flight, 5 and 6 K3.5, 7 told.
    """
    cdef int space = f.a
    cdef int c, other, a
    if f.step == 0:
        f.step = 1
        if watched(s, TRIGGER_COMBAT_START):
            if open_event(s, t, TRIGGER_COMBAT_START, f.p, NOBODY, NO_KIND, space, 0):
                return RUN
    while True:
        if f.step == 7:
            if tell_ended(s, t, KIND_WON):
                return RUN
            f.step = 3
        if s.fight != space:
            return end_resolution(s, t)
        if f.step == 1:
            f.b = <int16_t>settled_first(s, t, f)
            f.step = 2
        c = f.b
        other = owner_at(s, t, space, c)
        if f.step == 3:
            f.b = <int16_t>other
            f.step = 2
            continue
        if f.step == 4:
            f.step = 3
            if s.verdict == FLIGHT_CANCELLED:
                s.strikes += 1
                start_strike(s, t, c, space, ST_CAPTURES if f.c else 0)
                return RUN
            continue
        if f.step == 2:
            if s.strikes >= t.limit_strikes:
                return end_resolution(s, t)
            a = ask(s, t, ctx, DK_STRIKE_OR_FLEE, c)
            if a == PENDING:
                return WAIT
            if a == A_STRIKE:
                f.step = 3
                s.strikes += 1
                start_strike(s, t, c, space, ST_CAPTURES if f.c else 0)
                return RUN
            if a == A_FLEE:
                f.step = 4
                a = FL_FINAL | FL_RESOLUTION | (FL_CAPTURES if f.c else 0)
                if must_flee(s, t, c, space):
                    a |= FL_MUST
                push(s, PR_FLIGHT, c, space, -1, a, 0)
                return RUN
            f.step = 5
        if f.step == 5:  # K3.5
            f.step = 6
            s.pending = squad_of(s, c, space)
            if watched(s, TRIGGER_DEFEATED):
                if open_event(s, t, TRIGGER_DEFEATED, other, c, KIND_STRIKE, space | s.pending << 8, 0):
                    return RUN
        if f.step == 6:
            take_squad(s, t, ctx, other, c, space, s.pending, f.c, True)
            f.step = 7


# ------------------------------------------------------------------------------------------------------- Strikes
cdef inline void start_strike(State *s, const Tables *t, int striker, int space, int flags) noexcept nogil:
    """A Strike, or a Final Strike, up to the removal of what it defeats is the next thing."""
    push(s, PR_STRIKE, striker, space, flags | striker << 4, 0, -1)


cdef inline int reroll_colours(int rerolls) noexcept nogil:
    """Colours (1 red, 2 yellow) that the rerolls left allow; they are packed: red, yellow, any, five bits each."""
    if rerolls >> 10 & 31:
        return 3
    return (1 if rerolls & 31 else 0) | (2 if rerolls >> 5 & 31 else 0)


cdef int standing_rerolls(const State *s, const Tables *t, int p, int space) noexcept nogil:
    """Rerolls that effects give, packed as above."""
    cdef int side = side_of(s, t, p, space)
    cdef int red, yellow, any_colour
    if not has_mod(s, p, MOD_REROLLS):
        return 0
    red = coloured_sum(s, t, p, MOD_REROLLS, DIE_COLOUR_RED, side)
    yellow = coloured_sum(s, t, p, MOD_REROLLS, DIE_COLOUR_YELLOW, side)
    any_colour = coloured_sum(s, t, p, MOD_REROLLS, DIE_COLOUR_ANY, side)
    red = 0 if red < 0 else min_int(red, 31)
    yellow = 0 if yellow < 0 else min_int(yellow, 31)
    any_colour = 0 if any_colour < 0 else min_int(any_colour, 31)
    return red | yellow << 5 | any_colour << 10


cdef void roll_strike(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Strike Die and Combat Dice (K4.1, K7.4); in a Final Strike the printed ones (K7.5)."""
    cdef uint8_t squad = squad_of(s, f.p, f.a)
    cdef int red = t.squad_red[squad]
    cdef int yellow = t.squad_yellow[squad]
    cdef bint final = f.b & ST_FINAL
    if not final:
        count_dice(s, t, f.p, f.a, &red, &yellow)
    ctx.stats.strikes += 1
    emit(ctx, EV_STRIKE, f.p, f.a, final, min_int(red + yellow, t.limit_dice))
    f.d = -1
    if not final or t.final_strike_die:
        if attacker_at(s, t, f.a) == f.p:
            f.d = <int8_t>draw_outcome(s, ctx, CK_ATTACKER_STRIKE_DIE, CF_DICE, t.faces[2])
        else:
            f.d = <int8_t>(32 + draw_outcome(s, ctx, CK_DEFENDER_STRIKE_DIE, CF_DICE, t.faces[3]))
    roll_pool(s, t, ctx, red, yellow)


cdef void change_values(State *s, const Tables *t, int p, int space) noexcept nogil:
    """Standing changes of die values (`die_value`)."""
    cdef int side, red, yellow, all_dice, die
    if not has_mod(s, p, MOD_DIE_VALUE):
        return
    side = side_of(s, t, p, space)
    red = coloured_sum(s, t, p, MOD_DIE_VALUE, DIE_COLOUR_RED, side)
    yellow = coloured_sum(s, t, p, MOD_DIE_VALUE, DIE_COLOUR_YELLOW, side)
    all_dice = coloured_sum(s, t, p, MOD_DIE_VALUE, DIE_COLOUR_ANY, side)
    for die in range(s.dice):
        change_die(s, die, all_dice + (yellow if s.die[die] & DIE_YELLOW else red))


cdef int do_strike(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """A Strike (K4 to K6) or Final Strike (K7). p: striker, a: space, b: ST_ flags | who assigns the hits << 4, c: see
    the steps, d: face of the Strike Die (attacker's 0 to 31, defender's 32 to 63, -1 none).

    Steps: 0 `strike_start`, 1 the roll, 2 `strike_rolled` (reroll), 3 rerolls (c: those left), 4 `strike_rolled`
    (value), 5 standing changes, 6 Strike Die, 7 Shields (c: those left), 8 modifiers, 9 `strike_final`, 10 hits, 11
    `defeated`, 12 removal, 13 told.
    """
    cdef int striker = f.p
    cdef int space = f.a
    cdef bint final = f.b & ST_FINAL
    cdef int a, kind, side
    cdef int other = owner_at(s, t, space, striker)
    while f.step < 13:
        if not has128(s.combat, space) or (not final and s.fight != space):  # K8.3
            f.step = 13
            break
        if f.step == 0:
            f.step = 1
            if not final and watched(s, TRIGGER_STRIKE_START):
                if open_event(s, t, TRIGGER_STRIKE_START, striker, other, NO_KIND, space, 0):
                    return RUN
        elif f.step == 1:
            roll_strike(s, t, ctx, f)
            f.step = 6 if final else 2
        elif f.step == 2:
            f.step = 3
            f.c = <int16_t>standing_rerolls(s, t, striker, space)
            if watched(s, TRIGGER_STRIKE_ROLLED):
                f.c = -1
                if open_event(s, t, TRIGGER_STRIKE_ROLLED, striker, other, KIND_REROLL, space, 0):
                    return RUN
        elif f.step == 3:
            if f.c < 0:
                f.c = <int16_t>standing_rerolls(s, t, striker, space)
            a = A_DONE
            if f.c:
                a = ask(s, t, ctx, DK_DIE, striker)
                if a == PENDING:
                    return WAIT
            if a >= A_DIE:
                a -= A_DIE
                side = 5 if s.die[a] & DIE_YELLOW else 0
                if not f.c >> side & 31:  # one of any colour only when no coloured one fits
                    side = 10
                f.c -= <int16_t>(1 << side)
                roll_die(s, t, ctx, a)
                continue
            f.step = 4
        elif f.step == 4:
            f.step = 5
            if watched(s, TRIGGER_STRIKE_ROLLED):
                if open_event(s, t, TRIGGER_STRIKE_ROLLED, striker, other, KIND_VALUE, space, 0):
                    return RUN
        elif f.step == 5:
            change_values(s, t, striker, space)
            f.step = 6
        elif f.step == 6:
            kind = t.strike_kind[f.d >> 5][f.d & 31] if f.d >= 0 else -1
            if kind == ST_VALUE:
                a = ask(s, t, ctx, DK_VALUE_DIE, striker)
                if a == PENDING:
                    return WAIT
                if a >= A_DIE:
                    change_die(s, a - A_DIE, t.strike_value[f.d >> 5][f.d & 31])
            elif kind == ST_REROLL:
                a = ask(s, t, ctx, DK_REROLL_DIE, striker)
                if a == PENDING:
                    return WAIT
                if a >= A_DIE:
                    roll_die(s, t, ctx, a - A_DIE)
            f.step = 10 if final else 7
            f.c = -1
            if kind == ST_TREMOR and tremor(s, t, ctx, striker, striker, KIND_STRIKE):
                return RUN
        elif f.step == 7:
            if f.c < 0:
                f.c = <int16_t>shields_of(s, t, other, space)
                unmark_dice(s, DIE_TAKEN)
            a = A_DONE
            if f.c:
                a = ask(s, t, ctx, DK_SHIELD_DIE, other)
                if a == PENDING:
                    return WAIT
            if a >= A_DIE:
                s.die[a - A_DIE] |= DIE_TAKEN
                change_die(s, a - A_DIE, -1)
                f.c -= 1
                continue
            f.step = 8
        elif f.step == 8:
            f.step = 9
            start_batches(s, striker, other)
            return RUN
        elif f.step == 9:
            f.step = 10
            if watched(s, TRIGGER_STRIKE_FINAL):
                if open_event(s, t, TRIGGER_STRIKE_FINAL, striker, other, NO_KIND, space, 0):
                    return RUN
        elif f.step == 10:
            a = ask(s, t, ctx, DK_HITS, f.b >> 4 & 7)
            if a == PENDING:
                return WAIT
            s.pending = defeated_units(squad_of(s, other, space), a - A_HITS)
            s.dice = 0
            f.c = s.pending
            f.step = 12
            if s.pending and not final and watched(s, TRIGGER_DEFEATED):
                if open_event(s, t, TRIGGER_DEFEATED, striker, other, KIND_STRIKE, space | s.pending << 8, 0):
                    return RUN
        else:
            take_squad(s, t, ctx, striker, other, space, s.pending, f.b & ST_CAPTURES, not final)
            f.step = 13
    s.dice = 0
    if tell_ended(s, t, KIND_WON):
        return RUN
    if not final:
        end_grants(s, t, 1 << DURATION_STRIKE, -1, striker)
    return pop(s)


# ---------------------------------------------------------------------------------------------------- modifiers
cdef inline void start_batches(State *s, int a, int b) noexcept nogil:
    """Discovery Cards as modifiers (K5) are the next thing, ``a`` first."""
    push(s, PR_BATCHES, a, 0, b, 0, 0)
    unmark_dice(s, DIE_MODIFIED)


cdef inline bint dice_left(const State *s) noexcept nogil:
    """Whether a die is left that the player at hand has not modified in this batch (K5.1)."""
    cdef int die
    for die in range(s.dice):
        if not s.die[die] & DIE_MODIFIED:
            return True
    return False


cdef int card_value(const State *s, const Tables *t, int p, int design) noexcept nogil:
    """What a Discovery Card changes a die by, as a modifier of that player's."""
    cdef int value = t.modifier[design]
    if has_mod(s, p, MOD_CARD_MODIFIER):
        if value > 0:
            value += mod_sum(s, t, p, MOD_CARD_MODIFIER)
        elif value < 0:
            value -= mod_sum(s, t, p, MOD_CARD_MODIFIER)
    return value


cdef int do_batches(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Discovery Cards as modifiers (K5). p, b: the players, a: card of the batch + 1, c: whose batch it is (0, 1).

    a is 0 before the first card of a batch.
    """
    cdef int x, a
    while True:
        x = f.b if f.c else f.p
        if f.step == 0:
            a = A_DONE
            if dice_left(s):
                a = ask(s, t, ctx, DK_MODIFIER_CARD, x)
                if a == PENDING:
                    return WAIT
            if a == A_DONE:
                if f.c and f.a == 0:
                    return pop(s)
                f.c = <int16_t>(1 - f.c)
                f.a = 0
                unmark_dice(s, DIE_MODIFIED)
                continue
            f.a = <int16_t>(1 + take_card(s, t, x, a - A_CARD))
            opened_card(s, t, ctx, x, f.a - 1)
            f.step = 1
        a = ask(s, t, ctx, DK_MODIFIER_DIE, x)
        if a == PENDING:
            return WAIT
        change_die(s, a - A_DIE, card_value(s, t, x, t.design_of[f.a - 1]))
        s.die[a - A_DIE] |= DIE_MODIFIED
        if t.abilities:
            emit(ctx, EV_PLAY_CARD, x, t.design_of[f.a - 1], 4, 0)
        discard_card(s, t, ctx, x, f.a - 1)
        f.step = 0


# ------------------------------------------------------------------------------------------------------- flights
cdef u128 free_flee_spaces(const State *s, const Tables *t, int p) noexcept nogil:
    """Own Combats out of which all Units can flee."""
    cdef u128 spaces = s.combat & s.seat[p].occupied
    cdef u128 rest = spaces
    while any128(rest):
        if not any128(flee_ends(s, t, p, first128(rest))):
            spaces &= ~bit128(first128(rest))
        rest = rest128(rest)
    return spaces


cdef uint8_t confused_squad(uint8_t squad) noexcept nogil:
    """The Confused Troops of a squad."""
    cdef uint8_t found = 0
    cdef int kind, i
    for kind in range(CONFUSED, N_KINDS):
        for i in range(squad_count(squad, kind)):
            found = squad_plus(found, kind)
    return found


cdef int do_flight(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """A side flees: from a Combat being resolved (K7), or by N2.2 or the verb `flee`. p: who, a: space or -1, b:
    destination, c: FL_ flags; what became of it is left in `verdict`.

    Steps: 0 which Combat, 1 where to, 2 Final Strike or not, 3 it is over, 4 the flight, 5 Confused Troops stay, 6 they
    are captured, 7 told; 8 and 9 K3.5.
    """
    cdef int p = f.p
    cdef int space = f.a
    cdef int a, other
    cdef u128 ends
    cdef uint8_t squad
    if f.step == 0:
        if f.a < 0:
            a = ask(s, t, ctx, DK_FREE_FLEE, p)
            if a == PENDING:
                return WAIT
            if a == NONE:
                s.verdict = FLIGHT_OVER
                s.complete = 0
                return pop(s)
            f.a = <int16_t>(a - A_SPACE)
            space = f.a
            if s.fight == space:
                f.c |= FL_RESOLUTION | (FL_CAPTURES if s.fight_captures else 0)
        f.step = 1
    if f.step == 1:
        a = ask(s, t, ctx, DK_FLEE_TO, p)
        if a == PENDING:
            return WAIT
        f.b = <int16_t>(a - A_SPACE)
        f.step = 2
        s.verdict = 0
        if watched(s, TRIGGER_FLEE_DECLARED):
            if open_event(s, t, TRIGGER_FLEE_DECLARED, p, owner_at(s, t, space, p), NO_KIND, space, 0):
                return RUN
    if f.step == 2:
        if s.verdict & WD_NO_FINAL:
            f.c &= ~FL_FINAL
        if not s.answered and s.verdict & WD_CANCELLED:
            s.verdict = FLIGHT_CANCELLED
            s.complete = 0
            return pop(s)
        f.step = 4
        if side_of(s, t, p, space) == NO_SIDE or (f.c & FL_RESOLUTION and s.fight != space):
            f.step = 7
        elif f.c & FL_FINAL:
            f.step = 2
            s.verdict = 0
            other = owner_at(s, t, space, p)
            a = ask(s, t, ctx, DK_FINAL_STRIKE, other)
            if a == PENDING:
                return WAIT
            f.step = 4
            if a == A_YES:
                f.step = 3
                start_strike(s, t, other, space, ST_FINAL | (ST_CAPTURES if f.c & FL_CAPTURES or
                                                             not f.c & FL_RESOLUTION else 0))
                return RUN
    if f.step == 3:
        f.step = 4
        if side_of(s, t, p, space) == NO_SIDE:
            f.step = 7
    if f.step == 4:
        squad = squad_plain(squad_of(s, p, space))
        f.step = 5
        ends = flee_ends(s, t, p, space)
        if not has128(ends, f.b):  # K7.10; of Confused Troops alone nobody flees (C93)
            f.step = 4
            if not any128(ends):
                if not f.c & FL_MUST:
                    s.verdict = FLIGHT_STAYED
                    s.complete = 0
                    return pop(s)
                f.step = 8
            else:
                a = ask(s, t, ctx, DK_FLEE_TO, p)
                if a == PENDING:
                    return WAIT
                f.b = <int16_t>(a - A_SPACE)
                f.step = 5
        if f.step == 5:
            move_squad(s, t, ctx, p, squad, space, f.b)
            if f.c & FL_VERB:
                set_flight(s, f, p, squad)
            if come_to_rest(s, p, f.b, squad, p, KIND_FLEE, False):
                return RUN
    other = owner_at(s, t, space, p)
    if f.step == 5:
        f.step = 7
        s.pending = confused_squad(squad_of(s, p, space))
        if f.c & FL_RESOLUTION and s.fight == space and s.pending:
            f.step = 6
            if watched(s, TRIGGER_DEFEATED):
                if open_event(s, t, TRIGGER_DEFEATED, other, p, KIND_STRIKE, space | s.pending << 8, 0):
                    return RUN
    if f.step == 8:
        f.step = 6
        s.pending = squad_of(s, p, space)
        if watched(s, TRIGGER_DEFEATED):
            if open_event(s, t, TRIGGER_DEFEATED, other, p, KIND_STRIKE, space | s.pending << 8, 0):
                return RUN
    if f.step == 6:
        if side_of(s, t, p, space) != NO_SIDE:
            take_squad(s, t, ctx, other, p, space, s.pending, f.c & FL_CAPTURES, True)
        f.step = 7
    if tell_ended(s, t, KIND_FLED):
        return RUN
    s.verdict = FLIGHT_OVER
    s.complete = 1
    return pop(s)


# ------------------------------------------------------------------------------------------------- N2.1, N3.1
cdef u128 target_spaces(const State *s, const Tables *t, int p, int immunity) noexcept nogil:
    """Own Combats with an enemy Troop that is no Confused one, whose owner is not immune to p."""
    cdef u128 spaces = s.combat & s.seat[p].occupied
    cdef u128 rest = spaces
    cdef int space, other
    while any128(rest):
        space = first128(rest)
        other = owner_at(s, t, space, p)
        if not t.squad_types[squad_of(s, other, space)] & t.troops or shielded(s, t, other, immunity, p):
            spaces &= ~bit128(space)
        rest = rest128(rest)
    return spaces
