# Command Cards (chapters T4, T8, A): their Sections, the Units that act, and the Actions (protocol 5.1, 6, 7).

cdef enum:
    GAINED_JUMPJETS = 1 << 13   # beside the actions of a Section: a Move may be a Jumpjet Move (M5.6)


cdef inline uint32_t bit32(int i) noexcept nogil:
    return <uint32_t>1 << i


cdef int do_card(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Resolve a Command Card. a: card, b: next Section, c: 1 as Played, with windows, 2 nobody takes part.

    Steps: 0 begin, 1 and 2 after `section`, 3 before a Section, 4 a Section is over.
    """
    cdef int p = f.p
    cdef int unit = t.command_unit[f.a]
    cdef int section
    if f.step == 0:
        clear_marks(s)
        s.standing = 0
        if unit >= 0:
            recover(s, t, ctx, p, unit)
            mark_all(s, p, unit, MARK_PART)
            if s.mark_count == 0:
                f.c |= 2
        f.step = 1
        if f.c & 1 and section_heard(s, t, p, f.a):
            if open_event(s, t, TRIGGER_SECTION, p, NOBODY, KIND_RECRUIT + f.a, f.a, 0):
                return RUN
    if f.step == 1:
        f.step = 2
        if f.c & 1 and open_window(s, p, -1):
            return RUN
    if f.step == 2:
        if f.c & 2:  # T4.10
            return pop(s)
        f.step = 3
    while True:
        if f.step == 4:
            s.programs -= f.d
            f.d = 0
            f.step = 5
            if f.c & 1 and section_heard(s, t, p, f.a):
                if open_event(s, t, TRIGGER_SECTION, p, NOBODY, KIND_RECRUIT + f.a, f.a, f.b):
                    return RUN
        if f.b == t.section_count[f.a]:
            break
        if f.step == 5:  # before each further Section
            f.step = 3
            if f.c & 1 and open_window(s, p, -1):
                return RUN
        section = f.b
        f.b += 1
        f.step = 4
        if unit >= 0:
            start_section(s, p, unit, <int>t.section[f.a][section] | GAINED_JUMPJETS,
                          t.section_mandatory[f.a][section])
            return RUN
        if start_tactic(s, t, ctx, p, ctz64(t.section[f.a][section])):
            f.d = 1
            s.programs += 1
            return RUN
    clear_marks(s)
    return pop(s)


cdef void mark_all(State *s, int p, int type, int mark) noexcept nogil:
    """Mark every Unlocked Unit of a type."""
    cdef u128 spaces = unlocked_of(s, p, type)
    cdef int space
    cdef int i
    while any128(spaces):
        space = first128(spaces)
        for i in range(1 if type == UT_SHIP else squad_count(s.squad[space], type)):
            add_mark(s, p, space, type, mark)
        spaces = rest128(spaces)


cdef bint tactic_possible(const State *s, const Tables *t, int p, int action) noexcept nogil:
    """Whether the Action of a Tactic card's Section would begin (protocol section 6)."""
    if action == CA_RECRUIT:
        return recruit_possible(s, t, p)
    if action == CA_MOTIVATE:
        return any128(new_units(s, t, t.troops))
    if action == CA_STARTUP:
        return any128(new_units(s, t, t.vehicles))
    if action == CA_STANDARD_UPGRADE:
        return any128(all_upgrade_spaces(s, t, p, UPGRADE_STANDARD))
    if action == CA_DROPSHIP_UPGRADE:
        return any128(all_upgrade_spaces(s, t, p, UPGRADE_DROPSHIP))
    if action == CA_INITIATIVE:
        return s.marker != p
    if action == CA_CYBER_ATTACK:
        return any128(cyber_spaces(s, t, p, -2))
    if action == CA_TRADE:
        return t.trading and trade_partners(s, t, p) != 0
    if action == CA_BLUEPRINTS:
        return ransom_players(s, t, p) != 0
    return action == CA_BATTLE


cdef bint start_tactic(State *s, const Tables *t, Ctx *ctx, int p, int action) noexcept nogil:
    """Begin the Action of a Tactic card's Section if it is possible; whether a procedure was started."""
    if not tactic_possible(s, t, p, action):
        return False
    if action == CA_RECRUIT:
        start_recruit(s, p, recruit_budget(s, t, p), 0, t.troops | RECRUIT_DONE | RECRUIT_NEW, -1)
    elif action == CA_MOTIVATE:
        push(s, PR_CHOOSE_NEW, p, t.troops, 0, 0, 0)
    elif action == CA_STANDARD_UPGRADE or action == CA_DROPSHIP_UPGRADE:
        push(s, PR_UPGRADE, p, UPGRADE_STANDARD if action == CA_STANDARD_UPGRADE else UPGRADE_DROPSHIP, 0, 0, 0)
    elif action == CA_STARTUP:
        push(s, PR_CHOOSE_NEW, p, t.vehicles, 0, 0, 0)
    elif action == CA_BATTLE:
        push(s, PR_BATTLE, p, 0, -1, ALL, 0)
    elif action == CA_INITIATIVE:
        push(s, PR_ACTION, p, CA_INITIATIVE, 0, 0, 0)
    elif action == CA_CYBER_ATTACK:
        start_cyber(s, p, t.cyber_attempts, -2)
    elif action == CA_TRADE:
        start_trade(s, p, t.limit_offers)
    else:
        start_ransom(s, p, ALL, -1)
    return True


# --------------------------------------------------------------------------------- which Actions are possible
cdef inline int denial_of(int action) noexcept nogil:
    """What denies an action of a Unit; -1: nothing."""
    if action == CA_JUMPJET:
        return DENIAL_JUMPJET
    if action == CA_ROBOTIC:
        return DENIAL_ROBOTIC
    if CA_MINE <= action <= CA_NEUTRALIZE:
        return DENIAL_MINE + action - CA_MINE
    return -1


cdef u128 takeable(const State *s, const Tables *t, int p) noexcept nogil:
    """Habitats that an effect of p may take from whoever has them, besides p's own."""
    cdef u128 spaces = habitats(s) & ~s.seat[p].control
    cdef int seat
    for seat in range(t.players):
        if shielded(s, t, seat, IMMUNITY_CONTROL, p):
            spaces &= ~s.seat[seat].control
    return spaces


cdef u128 persuadable(const State *s, const Tables *t, int p, int action) noexcept nogil:
    """Habitats that a Unit of p may Persuade or Neutralize, from the right place."""
    cdef u128 spaces = takeable(s, t, p)
    if action == CA_NEUTRALIZE:
        spaces &= controlled_by_others(s, t, p)
    return spaces


cdef inline int action_reach(const State *s, const Tables *t, int p, int action) noexcept nogil:
    """How far away such a Habitat may be."""
    return reach_of(s, t, p, REACH_ACTION_PERSUADE if action == CA_PERSUADE else REACH_ACTION_NEUTRALIZE)


cdef u128 action_spaces(const State *s, const Tables *t, int p, int action) noexcept nogil:
    """Spaces in which a Unit of ``p`` could perform the Action (N6.3)."""
    cdef u128 spaces
    if has_mod(s, p, MOD_DENY) and denial_of(action) >= 0 and denied(s, t, p, denial_of(action)):
        return 0
    if action == CA_MINE or action == CA_HARVEST:
        return feature_set(s, FT_LORIUM)
    if action == CA_EXPLORE or action == CA_SCAVENGE:
        return feature_set(s, FT_EXPLORABLE)
    if action == CA_PERSUADE or action == CA_NEUTRALIZE:
        spaces = persuadable(s, t, p, action)
        if has_mod(s, p, MOD_REACH):
            spaces = widened(t, spaces, action_reach(s, t, p, action), tunl_of(s, t, p))
        return spaces
    if action == CA_PROMOTE:
        return ~<u128>0 if any128(promote_spaces(s, t, p, 0)) else <u128>0
    if action == CA_ROBOTIC:
        return ~<u128>0 if payable_modules(s, t, p, METHOD_ROBOTIC, 0) else <u128>0
    if action == CA_EVACUATE:
        return ~<u128>0 if ship_complete(s, p) and any128(unlocked(s, p)) else <u128>0
    return ~<u128>0


cdef inline int section_actions(const State *s, const Tables *t, int p, int type, int actions) noexcept nogil:
    """The actions of a Section, JUMPJET among them if the type has gained Jumpjets (M5.6)."""
    if actions & GAINED_JUMPJETS and has_mod(s, p, MOD_ABILITY) and actions & 1 << CA_MOVE:
        if jumpjet_types(s, t, p) & ~t.jumpjet & 1 << type:
            actions |= 1 << CA_JUMPJET
    return actions & ~GAINED_JUMPJETS


cdef inline int possible_actions(const State *s, const Tables *t, int p, int actions,
                                 int space) noexcept nogil:
    """Those of a Section's actions (a bit each) that a Unit in the space could perform."""
    cdef int possible = 0
    cdef int rest = actions
    cdef int action
    while rest:
        action = ctz64(<uint64_t>rest)
        rest &= rest - 1
        if has128(action_spaces(s, t, p, action), space):
            possible |= 1 << action
    return possible


cdef int card_actions(const State *s, const Tables *t, int p, int card) noexcept nogil:
    """All actions of a Unit card for that player's Units."""
    cdef int actions = 0
    cdef int section
    for section in range(t.section_count[card]):
        actions |= section_actions(s, t, p, t.command_unit[card], <int>t.section[card][section] | GAINED_JUMPJETS)
    return actions


cdef int possible_card_actions(const State *s, const Tables *t, int p, int card) noexcept nogil:
    """Actions on a Unit card that some Unlocked Unit of its type could perform (N6.3), a bit each."""
    cdef u128 spaces = unlocked_of(s, p, t.command_unit[card])
    cdef int possible = 0
    cdef int action, rest
    if not any128(spaces):
        return 0
    rest = card_actions(s, t, p, card)
    while rest:
        action = ctz64(<uint64_t>rest)
        rest &= rest - 1
        if any128(action_spaces(s, t, p, action) & spaces):
            possible |= 1 << action
    return possible


cdef int possible_sections(const State *s, const Tables *t, int p, int card) noexcept nogil:
    """Sections of a Tactic card whose action could be performed by itself (C43), a bit each."""
    cdef int sections = 0
    cdef int i, action
    for i in range(min_int(t.section_count[card], 8)):
        action = ctz64(t.section[card][i])
        if action == CA_MOTIVATE or action == CA_STARTUP:
            continue
        if action == CA_BATTLE and not any128(s.combat & s.seat[p].occupied):
            continue
        if action == CA_TRADE:
            if not denied(s, t, p, DENIAL_TRADE):
                sections |= 1 << i
        elif tactic_possible(s, t, p, action):
            sections |= 1 << i
    return sections


# --------------------------------------------------------------------------------------------- Units that act
cdef u128 listed_spaces(const State *s, int wanted, int unwanted, int types) noexcept nogil:
    """Spaces of marked Units that are Unlocked, of these types, with all marks ``wanted`` and none
    ``unwanted``.
    """
    cdef u128 spaces = 0
    cdef int entry, marks
    for entry in range(s.mark_count):
        marks = marks_of(s, entry)
        if marks & wanted == wanted and not marks & unwanted and types >> mark_type(s, entry) & 1:
            if mark_space(s, entry) != GONE and not s.mark_confused >> entry & 1:
                spaces |= bit128(mark_space(s, entry))
    return spaces & ~s.combat


cdef inline bint actor_ready(const State *s, int entry) noexcept nogil:
    """Whether the Unit of an entry can go on acting (V1.6)."""
    if mark_space(s, entry) == GONE or s.mark_confused >> entry & 1:
        return False
    return not has128(s.combat, mark_space(s, entry))


cdef u128 section_spaces(const State *s, const Tables *t, const Frame *f, int p) noexcept nogil:
    """Spaces with a Unit that can act in the Section of the frame."""
    cdef u128 spaces = listed_spaces(s, MARK_PART, MARK_ACTED, 1 << f.a)
    cdef u128 possible = 0
    cdef int rest
    if not any128(spaces):
        return 0
    rest = section_actions(s, t, p, f.a, f.b)
    while rest:
        possible |= action_spaces(s, t, p, ctz64(<uint64_t>rest))
        rest &= rest - 1
    return spaces & possible


cdef inline void start_section(State *s, int p, int type, int actions, bint mandatory) noexcept nogil:
    """A Section of a Unit card is the next thing, and a gathering of its own."""
    start_gathering(s)
    push(s, PR_SECTION, p, type, actions, mandatory, 0)


cdef int do_section(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """A Section of a Unit card (T4.2, T4.3). a: type, b: actions, c: mandatory (T8.5)."""
    cdef int p = f.p
    cdef int a
    if f.step == 2:
        s.programs -= 1
        f.step = 0
    while True:
        if f.step == 0:
            if s.answered:
                a = answer_of(s)
            else:
                a = ask_spaces(s, ctx, DK_ACT_SPACE, p, not f.c, section_spaces(s, t, f, p))
            if a == PENDING:
                return WAIT
            if a == NONE or a == A_DONE:
                strip_marks(s, MARK_ACTED)
                pop(s)
                end_gathering(s, p)
                return RUN
            s.actor = <int8_t>marked_entry(s, a - A_SPACE, f.a, MARK_PART, MARK_ACTED)
            add_marks(s, s.actor, MARK_ACTED)
            f.step = 1
        if s.answered:
            a = answer_of(s)
        else:
            a = ask_bits(s, ctx, DK_ACT_ACTION, p, A_ACTION, possible_actions(
                s, t, p, section_actions(s, t, p, f.a, f.b), mark_space(s, s.actor)))
        if a == PENDING:
            return WAIT
        f.step = 0
        if start_action(s, t, ctx, p, a - A_ACTION, 0):
            s.programs += 1
            f.step = 2
            return RUN


cdef void offer_act_space(const State *s, const Tables *t, const Frame *f, int p,
                          uint64_t *mask) noexcept nogil:
    """ACT_SPACE: where a Unit that may act stands."""
    if f.proc == PR_SECTION:
        if not f.c:
            offer_action(mask, A_DONE)
        offer_spaces(mask, section_spaces(s, t, f, p))
        return
    offer_action(mask, A_DONE)
    if f.proc == PR_CHOOSE_NEW:
        offer_spaces(mask, new_units(s, t, f.a))
    elif f.proc == PR_GATHER:
        offer_spaces(mask, gather_spaces(s, t, p, f.a))
    elif f.proc == PR_EVACUATE:
        offer_spaces(mask, evacuate_spaces(s, t, p))
    else:
        offer_spaces(mask, idle_spaces(s, p))


cdef void offer_act_type(const State *s, const Tables *t, const Frame *f, int p,
                         uint64_t *mask) noexcept nogil:
    """ACT_TYPE: the types that may act in the space chosen (register b)."""
    cdef int type
    cdef int types = 0
    for type in range(6):
        if f.proc == PR_CHOOSE_NEW:
            if f.a >> type & 1 and new_entry(s, f.b, type) >= 0:
                types |= 1 << type
        elif f.proc == PR_GATHER:
            if marked_entry(s, f.b, type, MARK_PART, MARK_ACTED) >= 0:
                if has128(gather_spaces(s, t, p, type), f.b):
                    types |= 1 << type
        elif f.proc == PR_EVACUATE:
            if type != UT_SHIP and can_evacuate(s, t, p, type, f.b):
                types |= 1 << type
        elif idle_units(s, p, type, f.b):
            types |= 1 << type
    offer_units(mask, types)


cdef void offer_act_action(const State *s, const Tables *t, const Frame *f, int p,
                           uint64_t *mask) noexcept nogil:
    """ACT_ACTION: what the acting Unit can do in this Section."""
    cdef int space = mark_space(s, s.actor)
    cdef int type = mark_type(s, s.actor)
    if f.proc == PR_SECTION:
        offer_card_actions(mask, possible_actions(s, t, p, section_actions(s, t, p, type, f.b), space))
        return
    if f.proc == PR_UNITS:
        offer_card_actions(mask, act_actions(s, t, &t.steps[f.a], p, type, space))
        return
    if not t.section_mandatory[f.b][f.a]:
        offer_action(mask, A_DONE)
    offer_card_actions(mask, possible_actions(
        s, t, p, section_actions(s, t, p, type, <int>t.section[f.b][f.a] | GAINED_JUMPJETS), space))


# --------------------------------------------------------------------------------------------------- gathering
cdef inline void start_gathering(State *s) noexcept nogil:
    """A gathering begins (section 4.5); there is one at a time."""
    s.gathered_lorium = 0
    s.gathered_cards = 0
    s.gathered_acts = 0
    s.standing = 0


cdef inline bint end_gathering(State *s, int p) noexcept nogil:
    """It is over: `gathered` is told, if anybody listens. Whether a procedure was started."""
    if watched(s, TRIGGER_GATHERED) and (s.gathered_lorium > 0 or s.gathered_cards):
        push(s, PR_GATHERED, p, s.gathered_lorium, s.gathered_cards, 0, 0)
        return True
    return False


cdef int do_gathered(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """`gathered`: first Lorium, then Discovery Cards. a and b: how many."""
    if f.step == 0:
        f.step = 1
        if f.a > 0 and watched(s, TRIGGER_GATHERED):
            if open_event(s, t, TRIGGER_GATHERED, f.p, NOBODY, KIND_LORIUM, NOWHERE, f.a):
                return RUN
    if f.step == 1:
        f.step = 2
        if f.b > 0 and watched(s, TRIGGER_GATHERED):
            if open_event(s, t, TRIGGER_GATHERED, f.p, NOBODY, KIND_DISCOVERY, NOWHERE, f.b):
                return RUN
    return pop(s)


cdef void yield_of(State *s, const Tables *t, int owner, int action, int space, int *lorium,
                   int *cards) noexcept nogil:
    """What a Unit of ``owner`` gathers in a space, effects included; it counts in the gathering."""
    cdef bint first_in_space = not has128(s.standing, space)
    cdef bint first_of_action = not s.gathered_acts >> (action - CA_MINE) & 1
    lorium[0] = t.yield_lorium[action]
    cards[0] = t.yield_discovery[action]
    gather_bonus(s, t, owner, action, first_in_space, first_of_action, lorium, cards)
    s.standing |= bit128(space)
    s.gathered_acts |= <uint8_t>(1 << (action - CA_MINE))


# ---------------------------------------------------------------------------------------------------- Actions
cdef inline bint action_tremor(State *s, const Tables *t, Ctx *ctx, int action, int p) noexcept nogil:
    """T4.7, T4.8: the Tremor of an Action performed; whether a procedure was started."""
    cdef int which
    if not t.tremor_actions & bit32(action):
        return False
    if has_mod(s, p, MOD_NO_TREMOR):
        which = -1
        if action == CA_JUMPJET:
            which = TREMOR_ACTION_JUMPJET
        elif action == CA_HARVEST:
            which = TREMOR_ACTION_HARVEST
        elif action == CA_DROPSHIP_UPGRADE:
            which = TREMOR_ACTION_DROPSHIP
        if which >= 0 and quiet(s, t, p, which):
            return False
    return tremor(s, t, ctx, p, p, KIND_ACTION)


cdef bint start_action(State *s, const Tables *t, Ctx *ctx, int p, int action,
                       bint lorium_only) noexcept nogil:
    """The acting Unit performs an Action; whether a procedure was started that goes on with it."""
    cdef int space = mark_space(s, s.actor)
    cdef int lorium = 0, cards = 0
    if action == CA_MOVE or action == CA_JUMPJET:
        push(s, PR_MOVE, p, action, 0, 0, -1)
        return True
    if CA_MINE <= action <= CA_SCAVENGE:
        yield_of(s, t, p, action, space, &lorium, &cards)
        gain_lorium(s, ctx, p, lorium)
        s.gathered_lorium += <int16_t>lorium
        if cards and not lorium_only:
            if draw_cards(s, t, ctx, p, cards):
                # the Tremor waits for the Event
                insert_beneath(s, 3, PR_ACTION, p, action)
                return True
            s.gathered_cards += <uint8_t>s.amount
        return action_tremor(s, t, ctx, action, p)
    if action == CA_NEUTRALIZE and not has_mod(s, p, MOD_REACH):
        if not watched(s, TRIGGER_HABITAT_LOST):
            set_control(s, t, ctx, space, -1)
            return action_tremor(s, t, ctx, action, p)
    if action == CA_SHIP_MOVE or action == CA_STABILIZE:
        push(s, PR_SHIP, p, action, 0, 0, 0)
        return True
    push(s, PR_ACTION, p, action, 0, 0, 0)
    return True


cdef void insert_beneath(State *s, int frames, int proc, int p, int a) noexcept nogil:
    """Put a frame that is at step 9 beneath the innermost ``frames``."""
    cdef Frame *f
    cdef int i
    room_for(s)
    f = top(s)
    for i in range(frames):
        f[0] = (f - 1)[0]
        f -= 1
    f.proc = <uint8_t>proc
    f.step = 9
    f.p = <uint8_t>p
    f.a = <int16_t>a
    f.b = 0
    f.c = 0
    f.d = 0


cdef int do_action(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """An Action that needs other procedures, then its Tremor. a: the Action."""
    cdef int p = f.p
    cdef int action = f.a
    cdef int a, space
    if f.step == 0:
        f.step = 1
        if action == CA_PERSUADE or action == CA_NEUTRALIZE:
            space = mark_space(s, s.actor)
            if has_mod(s, p, MOD_REACH) and action_reach(s, t, p, action):
                f.step = 3
            elif take_habitat(s, t, ctx, space, p if action == CA_PERSUADE else NOBODY, p):  # A1.1
                return RUN
        elif action == CA_PROMOTE:
            push(s, PR_PROMOTE, p, 0, 0, 0, 0)
            return RUN
        elif action == CA_ROBOTIC:
            start_construct(s, p, METHOD_ROBOTIC, ALL, -1)
            return RUN
        elif action == CA_EVACUATE:
            push(s, PR_EVACUATE, p, 0, 0, 0, 0)
            return RUN
        elif action == CA_INITIATIVE:  # A9.1
            f.step = 2
    if f.step == 3:
        a = ask(s, t, ctx, DK_REWARD_HABITAT, p)
        if a == PENDING:
            return WAIT
        f.step = 1
        if a >= A_SPACE and take_habitat(s, t, ctx, a - A_SPACE, p if action == CA_PERSUADE else NOBODY, p):
            return RUN
    if f.step == 2:
        a = ask(s, t, ctx, DK_SECTION, p)
        if a == PENDING:
            return WAIT
        f.step = 1
        if a == A_YES and take_marker(s, t, ctx, p):
            return RUN
    if f.step == 9:  # Discovery Cards gathered, with an Event on the way
        s.gathered_cards += <uint8_t>s.amount
    pop(s)
    action_tremor(s, t, ctx, action, p)
    return RUN


cdef inline bint take_marker(State *s, const Tables *t, Ctx *ctx, int p) noexcept nogil:
    """T1.7: the Marker changes hands at once, and it is told; whether a procedure was started."""
    s.marker = <uint8_t>p
    emit(ctx, EV_MARKER, p, 0, 0, 0)
    return tell_gained(s, t, p, KIND_MARKER, 1)


cdef void offer_move_to(const State *s, const Tables *t, const Frame *f, int p,
                        uint64_t *mask) noexcept nogil:
    """MOVE_TO: the ends of a Unit's Move."""
    cdef int space, type
    if f.proc == PR_STEER:
        offer_steer(s, t, f, mask)
        return
    if f.proc == PR_SHIP:
        space = s.seat[p].ship
        offer_spaces(mask, ship_ends(s, t, space, f.a == CA_STABILIZE)
                     | (<u128>0 if f.a == CA_STABILIZE else bit128(space)))
        return
    space = mark_space(s, s.actor)
    type = mark_type(s, s.actor)
    if f.proc == PR_MOVE:
        offer_spaces(mask, move_ends(s, t, p, type, space, f.a == CA_JUMPJET))
    else:
        offer_spaces(mask, evacuate_to(s, t, p, type, space, False) | evacuate_to(s, t, p, type, space, True))


cdef inline u128 tokens_on_the_way(const State *s, const Tables *t, int p, bint jump, int end) noexcept nogil:
    """Relic Tokens that the acting Unit can come by in a Move to that space."""
    cdef int type = mark_type(s, s.actor)
    return move_tokens(s, t, p, type, mark_space(s, s.actor), end, jump, movement_of(s, t, p, type, jump))


cdef void offer_take_token(const State *s, const Tables *t, const Frame *f, int p,
                           uint64_t *mask) noexcept nogil:
    """TAKE_TOKEN: in a Move any token that can be on the way, else the one in the space entered."""
    offer_action(mask, A_DONE)
    if f.proc == PR_MOVE or f.proc == PR_EVACUATE:
        offer_spaces(mask, tokens_on_the_way(s, t, p, f.a == CA_JUMPJET, f.c))
    elif f.proc == PR_STEER:
        offer_spaces(mask, steer_tokens(s, t, f))
    else:
        offer_spaces(mask, s.tokens & bit128(f.a))


cdef int do_move(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """MOVE or JUMPJET of the acting Unit (M1, M5). a: which, b: where it came from | type << 7 | a Combat began << 10,
    c: end, d: token to collect.
    """
    cdef int p = f.p
    cdef int a, type, origin
    cdef int action = f.a
    if f.step == 0:
        if s.answered:
            a = answer_of(s)
        else:
            type = mark_type(s, s.actor)
            a = ask_spaces(s, ctx, DK_MOVE_TO, p, False,
                           move_ends(s, t, p, type, mark_space(s, s.actor), action == CA_JUMPJET))
        if a == PENDING:
            return WAIT
        f.c = <int16_t>(a - A_SPACE)
        f.step = 1
    if f.step == 1:
        type = mark_type(s, s.actor)
        if any128(s.tokens):
            if s.answered:
                a = answer_of(s)
            else:
                a = ask_spaces(s, ctx, DK_TAKE_TOKEN, p, True, tokens_on_the_way(s, t, p, action == CA_JUMPJET, f.c))
            if a == PENDING:
                return WAIT
            if a >= A_SPACE:
                f.d = <int8_t>(a - A_SPACE)
        origin = mark_space(s, s.actor)
        f.b = <int16_t>(origin | type << 7)
        if not has128(s.combat, f.c):
            f.b |= 1024
        move_unit(s, t, ctx, p, type, origin, f.c, s.actor)
        if not has128(s.combat, f.c):
            f.b &= ~1024
        f.step = 2
        if f.d >= 0:
            remove_token(s, ctx, f.d, p)
            gain_relic(s, p, 1)
            return RUN
    if f.step == 2:
        f.step = 3
        if f.b & 127 != f.c and arrive(s, p, f.c, unit_step[f.b >> 7 & 7], p,
                                       KIND_JUMPJET if action == CA_JUMPJET else KIND_MOVE, f.b & 1024 != 0):
            return RUN
    pop(s)
    action_tremor(s, t, ctx, action, p)
    return RUN


cdef int do_ship(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """SHIP_MOVE or STABILIZE (A7.2, A7.3). a: which, b: the space left."""
    cdef int p = f.p
    cdef int a
    cdef int action = f.a
    if f.step == 0:
        a = ask(s, t, ctx, DK_MOVE_TO, p)
        if a == PENDING:
            return WAIT
        if a == NONE:  # M4.4: nowhere at all
            return pop(s)
        f.b = s.seat[p].ship
        f.step = 1
        if sail(s, t, ctx, p, a - A_SPACE, p, KIND_MOVE):
            return RUN
    if f.step == 1:
        f.step = 2
        if action == CA_STABILIZE:
            if not s.complete:  # C88
                return pop(s)
            if has128(tiles_left(s), f.b):
                if not s.quake:
                    start_collapse(s, p, p, bit128(f.b), False)
                    return RUN
    pop(s)
    action_tremor(s, t, ctx, action, p)
    return RUN


# --------------------------------------------------------------------------------------------- coming to rest
cdef bint arrive(State *s, int owner, int space, int squad, int cause, int kind, bint begun) noexcept nogil:
    """`entered` and `combat_begun` (V7.8) for Units that are in their space, tokens considered. Whether a procedure
    was started.
    """
    if not watched(s, TRIGGER_ENTERED) and not (begun and watched(s, TRIGGER_COMBAT_BEGUN)):
        return False
    push(s, PR_ARRIVE, owner, space, squad | kind << 8, cause | begun << 3, 0).step = 2
    return True


cdef bint come_to_rest(State *s, int owner, int space, int squad, int cause, int kind,
                       bint begun) noexcept nogil:
    """Units have entered a space outside a Move: first a Relic Token may be taken. Whether a procedure was started.
    """
    if not has128(s.tokens, space):
        return arrive(s, owner, space, squad, cause, kind, begun)
    push(s, PR_ARRIVE, owner, space, squad | kind << 8, cause | begun << 3, 0)
    return True


cdef int do_arrive(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """V7.8. p: owner, a: space, b: squad | kind << 8, c: cause | a Combat began << 3, d: Units told so far.

    Steps: 0 token, 1 its Relic, 2 `entered` Unit by Unit, 3 `combat_begun`, 4 over.
    """
    cdef int p = f.p
    cdef int a, type, i, number
    cdef uint8_t squad = <uint8_t>(f.b & 255)
    if f.step == 0:
        a = ask(s, t, ctx, DK_TAKE_TOKEN, p)
        if a == PENDING:
            return WAIT
        f.step = 2
        if a >= A_SPACE:
            remove_token(s, ctx, f.a, p)
            gain_relic(s, p, 1)
            return RUN
    if f.step == 2:
        if not watched(s, TRIGGER_ENTERED):
            f.step = 3
        elif squad == SHIP_UNIT:
            f.step = 3
            if open_event(s, t, TRIGGER_ENTERED, f.c & 7, p, f.b >> 8, f.a | SHIP_UNIT << 8, 0):
                return RUN
    if f.step == 2:
        number = 0
        for type in range(5):
            for i in range(squad_count(squad, type)):
                if number == f.d and f.step == 2:
                    f.d += 1
                    if open_event(s, t, TRIGGER_ENTERED, f.c & 7, p, f.b >> 8, f.a | unit_step[type] << 8, 0):
                        return RUN
                number += 1
        f.step = 3
    if f.step == 3:
        f.step = 4
        if f.c & 8 and has128(s.combat, f.a) and watched(s, TRIGGER_COMBAT_BEGUN):
            a = attacker_at(s, t, f.a)
            if open_event(s, t, TRIGGER_COMBAT_BEGUN, a, owner_at(s, t, f.a, a), NO_KIND, f.a, 0):
                return RUN
    return pop(s)


cdef bint sail(State *s, const Tables *t, Ctx *ctx, int p, int end, int cause, int kind) noexcept nogil:
    """A Ship goes to a space, crushing what is there. Whether a procedure was started; `complete`: it has arrived."""
    if watched(s, TRIGGER_ENTERED) or (watched(s, TRIGGER_DEFEATED) and has128(all_occupied(s, t), end)):
        if end != s.seat[p].ship:
            push(s, PR_SAIL, p, end, cause | kind << 3, s.seat[p].ship, 0)
            return True
    move_ship(s, t, ctx, p, end)
    s.complete = 1
    return False


cdef int do_sail(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """A Ship moves with its events. p: owner, a: end, b: cause | kind << 3, c: where it comes from, d: next seat."""
    cdef int seat
    cdef uint8_t squad
    if f.step == 0:
        while f.d < t.players:
            seat = f.d
            f.d += 1
            squad = squad_of(s, seat, f.a)
            if squad and watched(s, TRIGGER_DEFEATED):
                if open_event(s, t, TRIGGER_DEFEATED, f.b & 7, seat, KIND_DESTROY, f.a | squad << 8, 0):
                    return RUN
        f.step = 2
        if s.seat[f.p].ship == f.c and has128(s.open & ~s.ships & ~s.area, f.a):
            move_ship(s, t, ctx, f.p, f.a)
            f.step = 1
            if watched(s, TRIGGER_ENTERED):
                if open_event(s, t, TRIGGER_ENTERED, f.b & 7, f.p, f.b >> 3, f.a | SHIP_UNIT << 8, 0):
                    return RUN
    s.complete = f.step == 1
    return pop(s)


# ------------------------------------------------------------------------------------- Evacuate, Move 3 Units
cdef bint can_evacuate(const State *s, const Tables *t, int p, int type, int space) noexcept nogil:
    """Whether an Unlocked Unit of the type there has not Evacuated yet and can come nearer to the Ship
    (A7.7).
    """
    cdef int units, entry
    if not has128(unlocked_of(s, p, type), space):
        return False
    units = squad_count(s.squad[space], type)
    if p == s.mark_owner:
        for entry in range(s.mark_count):
            if s.mark_home >> entry & 1 and mark_fits(s, entry, space, type):
                units -= 1
    if units <= 0:
        return False
    return any128(evacuate_to(s, t, p, type, space, False)) or any128(evacuate_to(s, t, p, type, space, True))


cdef bint idle_units(const State *s, int p, int type, int space) noexcept nogil:
    """Whether an Unlocked Unit of the type in the space has not been taken in the list at hand."""
    cdef int units = 1
    if not has128(unlocked_of(s, p, type), space):
        return False
    if type != UT_SHIP:
        units = squad_count(s.squad[space], type)
    if p == s.mark_owner:
        units -= marked_units(s, space, type, MARK_LIST)
    return units > 0


cdef u128 idle_spaces(const State *s, int p) noexcept nogil:
    """Spaces with an Unlocked Unit, Ship included, that has not been taken in the list at hand."""
    cdef u128 spaces = unlocked(s, p)
    cdef u128 rest = spaces
    cdef int type
    cdef bint idle
    while any128(rest):
        idle = False
        for type in range(5):
            idle = idle or idle_units(s, p, type, first128(rest))
        if not idle:
            spaces &= ~bit128(first128(rest))
        rest = rest128(rest)
    if s.seat[p].ship >= 0 and idle_units(s, p, UT_SHIP, s.seat[p].ship):
        spaces |= bit128(s.seat[p].ship)
    return spaces


cdef u128 evacuate_spaces(const State *s, const Tables *t, int p) noexcept nogil:
    """Spaces with a Unit that can Evacuate."""
    cdef u128 spaces = 0
    cdef u128 rest = unlocked(s, p)
    cdef int type
    while any128(rest):
        for type in range(5):
            if can_evacuate(s, t, p, type, first128(rest)):
                spaces |= bit128(first128(rest))
                break
        rest = rest128(rest)
    return spaces


cdef int choose_actor(State *s, int p, int type, int space) noexcept nogil:
    """The Unit of the type with the fewest marks becomes the acting one; its entry."""
    cdef int entry
    if s.mark_owner != p:
        clear_marks(s)
    entry = pick_marked(s, p, space, type)
    if entry < 0:
        entry = add_mark(s, p, space, type, 0)
    s.actor = <int8_t>entry
    return entry


cdef int do_evacuate(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """EVACUATE (A7.6). a: MOVE or JUMPJET of the Unit at hand, b: its space | type << 7 | a Combat began << 10, c: end,
    d: token.
    """
    cdef int p = f.p
    cdef int a, type, space
    while True:
        if f.step == 0:
            a = ask(s, t, ctx, DK_ACT_SPACE, p)
            if a == PENDING:
                return WAIT
            if a == A_DONE or a == NONE:
                s.mark_home = 0
                return pop(s)
            f.b = <int16_t>(a - A_SPACE)
            f.step = 2
        if f.step == 2:
            a = ask(s, t, ctx, DK_ACT_TYPE, p)
            if a == PENDING:
                return WAIT
            s.mark_home |= <uint32_t>1 << evacuating(s, p, a - A_UNIT, f.b)
            f.step = 3
        if f.step < 6:
            type = mark_type(s, s.actor)
            space = f.b & 127
        if f.step == 3:
            a = ask(s, t, ctx, DK_MOVE_TO, p)
            if a == PENDING:
                return WAIT
            f.c = <int16_t>(a - A_SPACE)
            f.a = CA_MOVE
            f.step = 5
            if has128(evacuate_to(s, t, p, type, space, True), f.c):
                f.a = CA_JUMPJET
                if has128(evacuate_to(s, t, p, type, space, False), f.c):
                    f.step = 4
        if f.step == 4:
            a = ask(s, t, ctx, DK_MOVE_MODE, p)
            if a == PENDING:
                return WAIT
            f.a = <int16_t>(a - A_ACTION)
            f.step = 5
        if f.step == 5:
            f.d = -1
            if any128(s.tokens):
                a = ask(s, t, ctx, DK_TAKE_TOKEN, p)
                if a == PENDING:
                    return WAIT
                if a >= A_SPACE:
                    f.d = <int8_t>(a - A_SPACE)
            f.b |= <int16_t>(type << 7)
            if f.c == s.seat[p].ship:
                board_ship(s, t, ctx, p, type, space, s.actor)
            else:
                if not has128(s.combat, f.c):
                    f.b |= 1024
                move_unit(s, t, ctx, p, type, space, f.c, s.actor)
                if not has128(s.combat, f.c):
                    f.b &= ~1024
            f.step = 6
            if f.d >= 0:
                remove_token(s, ctx, f.d, p)
                gain_relic(s, p, 1)
                return RUN
        if f.step == 6:
            f.step = 7
            if f.c != s.seat[p].ship and arrive(s, p, f.c, unit_step[f.b >> 7 & 7], p,
                                                KIND_JUMPJET if f.a == CA_JUMPJET else KIND_MOVE, f.b & 1024 != 0):
                return RUN
        if f.step == 7:
            f.step = 0
            if action_tremor(s, t, ctx, f.a, p):
                return RUN


cdef int evacuating(State *s, int p, int type, int space) noexcept nogil:
    """The Unit that Evacuates: one that has not in this list, with the fewest marks; its entry, the actor's."""
    cdef int entry, best = -1
    cdef int units = squad_count(s.squad[space], type)
    if s.mark_owner != p:
        clear_marks(s)
    for entry in range(s.mark_count):
        if mark_fits(s, entry, space, type):
            units -= 1
            if not s.mark_home >> entry & 1 and (best < 0 or mark_order(s, entry) < mark_order(s, best)):
                best = entry
    if units > 0 or best < 0:
        best = add_mark(s, p, space, type, 0)
    s.actor = <int8_t>best
    return best


cdef void board_ship(State *s, const Tables *t, Ctx *ctx, int p, int type, int space, int entry) noexcept nogil:
    """A Unit enters the Ship: it goes to the Reserve (A7.6). ``entry``: its marks, -1: none."""
    emit(ctx, EV_MOVE, p, type, space, s.seat[p].ship)
    if entry >= 0:
        place_mark(s, entry, GONE)
    drop_unit(s, t, ctx, p, type, space)
    s.seat[p].reserve[type] += 1
    emit(ctx, EV_LEAVE, p, type, s.seat[p].ship, 2)


cdef int do_move_some(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """MOVE_THREE (N3.4). a: Moves left, b: space."""
    cdef int p = f.p
    cdef int a
    if f.step == 0:
        clear_marks(s)
        f.step = 1
    while f.a > 0:
        if f.step == 1:
            a = ask(s, t, ctx, DK_ACT_SPACE, p)
            if a == PENDING:
                return WAIT
            if a == A_DONE or a == NONE:
                break
            f.b = <int16_t>(a - A_SPACE)
            f.step = 2
        a = ask(s, t, ctx, DK_ACT_TYPE, p)
        if a == PENDING:
            return WAIT
        add_marks(s, choose_actor(s, p, a - A_UNIT, f.b), MARK_LIST)
        f.a -= 1
        f.step = 1
        start_action(s, t, ctx, p, CA_SHIP_MOVE if a - A_UNIT == UT_SHIP else CA_MOVE, 0)
        return RUN
    clear_marks(s)
    return pop(s)


# ---------------------------------------------------------------------------------------------------- N5.5
cdef u128 gather_spaces(const State *s, const Tables *t, int p, int type) noexcept nogil:
    """Spaces where a Miner or Harvester (or, with type -1, either) marked and idle can gather."""
    cdef u128 spaces = 0
    if type != UT_HARVESTER:
        spaces = listed_spaces(s, MARK_PART, MARK_ACTED, 1 << UT_MINER) & action_spaces(s, t, p, CA_MINE)
    if type != UT_MINER:
        spaces |= (listed_spaces(s, MARK_PART, MARK_ACTED, 1 << UT_HARVESTER)
                   & (action_spaces(s, t, p, CA_HARVEST) | action_spaces(s, t, p, CA_SCAVENGE)))
    return spaces


cdef int do_gather(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """GATHER_LORIUM (N5.5). a: -1, b: space."""
    cdef int p = f.p
    cdef int a, type, action
    if f.step == 0:
        clear_marks(s)
        mark_all(s, p, UT_MINER, MARK_PART)
        mark_all(s, p, UT_HARVESTER, MARK_PART)
        start_gathering(s)
        f.step = 1
    if f.step == 3:
        s.programs -= 1
        f.step = 1
    while True:
        if f.step == 1:
            a = ask(s, t, ctx, DK_ACT_SPACE, p)
            if a == PENDING:
                return WAIT
            if a == A_DONE or a == NONE:
                clear_marks(s)
                pop(s)
                end_gathering(s, p)
                return RUN
            f.b = <int16_t>(a - A_SPACE)
            f.step = 2
        a = ask(s, t, ctx, DK_ACT_TYPE, p)
        if a == PENDING:
            return WAIT
        type = a - A_UNIT
        s.actor = <int8_t>marked_entry(s, f.b, type, MARK_PART, MARK_ACTED)
        add_marks(s, s.actor, MARK_ACTED)
        action = CA_MINE
        if type == UT_HARVESTER:
            action = CA_HARVEST if feature_at(s, f.b) == FT_LORIUM else CA_SCAVENGE
        f.step = 1
        if start_action(s, t, ctx, p, action, True):
            s.programs += 1
            f.step = 3
            return RUN
