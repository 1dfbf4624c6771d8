# Bonus Actions (chapter N), Discovery Cards that are played, their Rewards (D3); protocol section 13.

cdef enum:
    RW_BONUS = 0       # kinds of Reward items
    RW_LORIUM = 1
    RW_DISCOVERY = 2
    RW_RELIC = 3
    RW_HABITAT = 4
    RW_UNITS = 5
    RO_SINGLE = 0      # how the items go together
    RO_AND = 1
    RO_OR = 2
    RO_NONE = 3
    BONUS_TAKEN = 128  # of State.icons_used: the Bonus Action of the turn,
    FREE_PLAY_TAKEN = 64
    PLAYED_ABILITY = 0  # how a card is played, as in the PLAY_CARD event
    PLAYED_REACTION = 1
    PLAYED_REWARD = 2
    PLAYED_BOTH = 3
    CM_REUSE = 16      # of a PR_COMMAND frame: this turn's card is left out (ruling)


cdef inline uint32_t column_cells(const Tables *t, int icons, int column) noexcept nogil:
    """The cells of these colours in a Column (from 0), Grey ones of none too."""
    cdef uint32_t cells = 0
    cdef int icon
    while icons:
        icon = ctz64(<uint64_t>icons)
        cells |= t.cell[1 + column][icon] | t.cell[0][icon]
        icons &= icons - 1
    return cells


cdef inline uint32_t reward_cells(const Tables *t, int icons) noexcept nogil:
    """D3.2: the cells of these colours in all Columns."""
    cdef uint32_t cells = 0
    cdef int column
    for column in range(NUM_COLUMNS):
        cells |= column_cells(t, icons, column)
    return cells


cdef uint32_t turn_cells(const State *s, const Tables *t) noexcept nogil:
    """T5.1, V9.4: the cells of the icons that the active player can still use in the Bonus step."""
    cdef int p = s.active
    cdef int icons = turn_icons(s, t, p)
    cdef uint32_t cells = 0
    if has_mod(s, p, MOD_BONUS_RULE) and bonus_rule(s, t, p, BONUS_RULE_PER_ICON):
        cells = column_cells(t, icons & ~s.icons_used, column_of(s))
    elif not s.icons_used & BONUS_TAKEN:
        cells = column_cells(t, icons, column_of(s))
    if free_play_left(s, t, p):
        cells |= bit32(BA_PLAY_CARD)
    return cells


cdef inline bint free_play_left(const State *s, const Tables *t, int p) noexcept nogil:
    """Whether the free Play a Discovery Card has not been used this turn."""
    return (has_mod(s, p, MOD_BONUS_RULE) and not s.icons_used & FREE_PLAY_TAKEN
            and bonus_rule(s, t, p, BONUS_RULE_FREE_PLAY))


cdef void use_icon(State *s, const Tables *t, int cell) noexcept nogil:
    """A cell has been chosen in the Bonus step: what it uses up."""
    if cell == BA_PLAY_CARD and free_play_left(s, t, s.active):
        s.icons_used |= FREE_PLAY_TAKEN
    else:
        s.icons_used |= <uint8_t>(BONUS_TAKEN | 1 << t.cell_icon[cell])


cdef inline bint bonus_open(const State *s, const Tables *t) noexcept nogil:
    """The caps on Bonus Actions in a turn and on programs in progress."""
    return s.bonus_count < t.limit_bonus and s.programs <= t.limit_programs - 2


cdef inline bint uses_command_card(int cell) noexcept nogil:
    """Whether the Bonus Action begins with the choice of a Command Card."""
    return (cell == BA_HAND_ACTION or cell == BA_PLAYED_ACTION
            or cell == BA_REACTIVATE_TACTIC or cell == BA_REACTIVATE_UNIT)


# -------------------------------------------------------------------------------------------------- Command Cards
cdef int face_up(const State *s, int p) noexcept nogil:
    """Cards lying Played, a bit each."""
    cdef int cards = 0
    cdef int column, card
    for column in range(NUM_COLUMNS):
        card = board_played(&s.seat[p], column)
        if card >= 0:
            cards |= 1 << card
    return cards


cdef inline int this_turns_card(const State *s, int p) noexcept nogil:
    """The card Played this turn, a bit (C38); 0: none."""
    return 1 << s.played_card if p == s.active and s.played_card >= 0 else 0


cdef int command_cards(const State *s, const Tables *t, int how, int p) noexcept nogil:
    """COMMAND_CARD: the cards that may be used, a bit each; ``how``: where from | kind << 2 | part << 3 | CM_REUSE."""
    cdef int source = how & 3
    cdef int tactic = how >> 2 & 1
    cdef int cards, card
    if source == COMMAND_FROM_HAND:
        cards = s.seat[p].commands
    else:
        cards = face_up(s, p)
        if source == COMMAND_FROM_EARLIER or how & CM_REUSE:
            cards &= ~this_turns_card(s, p)
    for card in range(N_CC):
        if not cards >> card & 1:
            continue
        if (t.command_unit[card] < 0) != tactic:
            cards &= ~(1 << card)
        elif how >> 3 & 1 == COMMAND_PART_ACTION:
            if tactic:
                if not possible_sections(s, t, p, card):
                    cards &= ~(1 << card)
            elif not possible_card_actions(s, t, p, card):
                cards &= ~(1 << card)
    return cards


cdef inline int command_of_cell(const Tables *t, int cell) noexcept nogil:
    """N1.2, N3.2, N4.2, N5.2 as `command_cards` reads them."""
    if cell == BA_HAND_ACTION:
        return COMMAND_FROM_HAND
    if cell == BA_PLAYED_ACTION:
        return COMMAND_FROM_PLAYED | (0 if t.reuse_card else CM_REUSE)
    if cell == BA_REACTIVATE_TACTIC:
        return COMMAND_FROM_EARLIER | COMMAND_KIND_TACTIC << 2 | COMMAND_PART_ALL << 3
    return COMMAND_FROM_EARLIER | COMMAND_PART_ALL << 3


cdef int do_command(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """One action of a Command Card, or all of it. a: as `command_cards` reads it, b: card, d: an action goes on."""
    cdef int p = f.p
    cdef int a
    if f.step == 0:
        if s.answered:
            a = answer_of(s)
        else:
            a = ask_bits(s, ctx, DK_COMMAND_CARD, p, A_COMMAND, command_cards(s, t, f.a, p))
        if a == PENDING:
            return WAIT
        if a == NONE:
            s.complete = 0
            return pop(s)
        f.b = <int16_t>(a - A_COMMAND)
        if f.a & 3 == COMMAND_FROM_HAND:  # N1.7
            know_shown(ctx, s, p, f.b)
        f.step = 1
        if f.a >> 3 & 1 == COMMAND_PART_ALL:
            f.step = 2
            push(s, PR_CARD, p, f.b, 0, 0, 0)
            return RUN
    if f.step == 1:
        a = ask(s, t, ctx, DK_COMMAND_ACTION, p)
        if a == PENDING:
            return WAIT
        clear_marks(s)
        f.step = 2
        if t.command_unit[f.b] >= 0:
            mark_all(s, p, t.command_unit[f.b], MARK_PART)
            start_section(s, p, t.command_unit[f.b], 1 << (a - A_ACTION), False)
            return RUN
        s.standing = 0
        if start_tactic(s, t, ctx, p, ctz64(t.section[f.b][a - A_OPTION])):
            f.d = 1
            s.programs += 1
            return RUN
    s.programs -= f.d
    clear_marks(s)
    s.complete = 1
    return pop(s)


# ------------------------------------------------------------------------------------------------- captives, Relics
cdef int rescue_holders(const State *s, const Tables *t, int p) noexcept nogil:
    """N2.4: players who hold Troops of p."""
    cdef int players = 0
    cdef int seat
    for seat in range(t.players):
        if troops_held(s.seat[seat].captured[p]):
            players |= 1 << seat
    return players


cdef int steal_holders(const State *s, const Tables *t, int p) noexcept nogil:
    """N4.4: opponents who hold a Troop of a third player."""
    cdef int players = 0
    cdef int seat, owner
    for seat in range(t.players):
        for owner in range(t.players):
            if seat != p and owner != p and troops_held(s.seat[seat].captured[owner]):
                if not shielded(s, t, seat, IMMUNITY_STEAL, p):
                    players |= 1 << seat
    return players


cdef int relic_owners(const State *s, const Tables *t, int p) noexcept nogil:
    """N4.5: players with an Active Relic Card."""
    cdef int players = 0
    cdef int seat
    for seat in range(t.players):
        if relics_held(&s.seat[seat]) > popcount64(s.seat[seat].relics):
            if not shielded(s, t, seat, IMMUNITY_LOSE, p):
                players |= 1 << seat
    return players


# ----------------------------------------------------------------------------------------------- which are possible
cdef inline bint bonus_possible(const State *s, const Tables *t, int p, int cell, bint playing) noexcept nogil:
    """Whether the Bonus Action can be chosen, the caps aside."""
    if has_mod(s, p, MOD_DENY) and t.cell_icon[cell] != ICON_GREY:
        if denied(s, t, p, DENIAL_RED + t.cell_icon[cell]):
            return False
    return cell_possible(s, t, p, cell, playing)


cdef bint cell_possible(const State *s, const Tables *t, int p, int cell, bint playing) noexcept nogil:
    """The table of N6.2; ``playing``: asked by a card that would be played (C47)."""
    cdef const Seat *seat = &s.seat[p]
    cdef u128 spaces
    if cell == BA_PLAY_CARD:
        return any128(playable_cards(s, t, p, playing))
    if cell == BA_GAIN_BLUEPRINT:
        return ransom_players(s, t, p) != 0
    if cell == BA_CONSTRUCT:
        return payable_modules(s, t, p, METHOD_MANUAL, 0) != 0
    if cell == BA_RESOLVE_COMBAT:
        return any128(s.combat & seat.occupied)
    if uses_command_card(cell):
        return command_cards(s, t, command_of_cell(t, cell), p) != 0
    if cell == BA_DEPLOY_ONE or cell == BA_DEPLOY_TWO:
        return deployable(s, t, p, reserve_types(s, t, p, t.troops)) != 0
    if cell == BA_DESTROY_TROOP or cell == BA_CAPTURE_TROOP:
        return any128(target_spaces(s, t, p, IMMUNITY_DESTROY if cell == BA_DESTROY_TROOP else IMMUNITY_CAPTURE))
    if cell == BA_FREE_FLEE:
        return any128(free_flee_spaces(s, t, p))
    if cell == BA_RESCUE:
        return rescue_holders(s, t, p) != 0
    if cell == BA_STORE_LORIUM:
        return seat.lorium > 0 and store_slots(s, p, t.bonus_amount[BA_STORE_LORIUM]) != 0
    if cell == BA_PROMOTE:
        return any128(promote_spaces(s, t, p, True))
    if cell == BA_CYBER_ATTACK:
        return any128(cyber_spaces(s, t, p, -1))
    if cell == BA_COLONY_CITY:
        if feature_at(s, 0) != FT_COLONY_CITY or not has128(takeable(s, t, p), 0):
            return False
        return resource_kinds(s, t, p) != 0
    if cell == BA_STEAL_CAPTIVE:
        return steal_holders(s, t, p) != 0
    if cell == BA_DISCARD_RELIC:
        return relic_owners(s, t, p) != 0
    if cell == BA_ANY_COMBAT:
        return any128(s.combat)
    if cell == BA_UPGRADE_ONE:
        return any128(all_upgrade_spaces(s, t, p, UPGRADE_ANY))
    if cell == BA_TAKE_MARKER:
        return s.marker != p and resource_kinds(s, t, p) != 0
    if cell == BA_GATHER_LORIUM:
        if any128(unlocked_of(s, p, UT_MINER) & action_spaces(s, t, p, CA_MINE)):
            return True
        spaces = action_spaces(s, t, p, CA_HARVEST) | action_spaces(s, t, p, CA_SCAVENGE)
        return any128(unlocked_of(s, p, UT_HARVESTER) & spaces)
    return True


cdef uint32_t possible_cells(const State *s, const Tables *t, int p, uint32_t cells) noexcept nogil:
    """Those of the cells that can be chosen."""
    cdef uint32_t possible = 0
    cdef int cell
    if not bonus_open(s, t):
        return 0
    while cells:
        cell = ctz64(cells)
        cells &= cells - 1
        if bonus_possible(s, t, p, cell, False):
            possible |= bit32(cell)
    return possible


cdef bint any_bonus(const State *s, const Tables *t, int p, uint32_t cells, bint playing) noexcept nogil:
    """Whether one of the cells can be chosen."""
    cdef int cell
    if not bonus_open(s, t):
        return False
    while cells:
        cell = ctz64(cells)
        cells &= cells - 1
        if bonus_possible(s, t, p, cell, playing):
            return True
    return False


cdef void offer_bonus(const State *s, const Tables *t, const Frame *f, int p, uint64_t *mask) noexcept nogil:
    """BONUS: in the Bonus step with DONE, as a Reward or by the verb `bonus` without."""
    cdef Env e
    if f.proc == PR_TURN:
        offer_action(mask, A_DONE)
        mask[A_BONUS >> 6] |= possible_cells(s, t, p, turn_cells(s, t))
    elif f.proc == PR_REWARDS:
        mask[A_BONUS >> 6] |= possible_cells(s, t, p, reward_cells(t, reward_item(s, t, f).icons))
    else:
        frame_env(s, t, f, &e)
        mask[A_BONUS >> 6] |= possible_cells(s, t, p, step_cells(s, t, &t.steps[f.a], &e, p))


cdef inline void start_bonus(State *s, int p, int cell) noexcept nogil:
    """A Bonus Action that has been chosen is the next thing."""
    push(s, PR_BONUS, p, cell, 0, 0, 0)


cdef int do_bonus(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Perform one Bonus Action. a: cell, b and c: what has been chosen.

    Steps: 0 `bonus_chosen`, 11 its window is over, 1 it begins, 2 to 7 its parts, 9 it is done. `bonus_done` is told in its
    place, so that one Bonus Action after another does not fill the agenda.
    """
    cdef int p = f.p
    cdef int cell = f.a
    cdef int a, other
    if f.step == 0:
        s.programs += 1
        s.bonus_count += 1
        f.step = 1
        s.verdict = 0
        if watched(s, TRIGGER_BONUS_CHOSEN):
            f.step = 11
            if open_event(s, t, TRIGGER_BONUS_CHOSEN, p, NOBODY, KIND_RED + t.cell_icon[cell], cell, 0):
                return RUN
    if f.step == 11:
        if s.verdict & WD_CANCELLED:
            s.programs -= 1
            s.complete = 1
            return pop(s)
        f.step = 1 if cell_possible(s, t, p, cell, False) else 9  # C52
    if f.step == 1:
        f.step = 2
        if begin_bonus(s, t, ctx, f):
            return RUN
    if f.step < 9:
        a = go_on_bonus(s, t, ctx, f)
        if a != OVER:
            return a
    s.programs -= 1
    s.complete = 1
    pop(s)
    if watched(s, TRIGGER_BONUS_DONE):
        open_event(s, t, TRIGGER_BONUS_DONE, p, NOBODY, KIND_RED + t.cell_icon[cell], cell, 0)
    return RUN


cdef bint begin_bonus(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """What can be done at once; step 9 if it is all there is. Whether a procedure was started."""
    cdef int p = f.p
    cdef int cell = f.a
    cdef int amount = t.bonus_amount[cell]
    f.step = 9
    if cell == BA_GAIN_CARD or cell == BA_TWO_CARDS:
        return gain_cards(s, t, ctx, p, amount)
    if cell == BA_TWO_LORIUM:
        gain_lorium(s, ctx, p, amount)
        return False
    if cell == BA_GAIN_RELIC:
        gain_relic(s, p, amount)
    elif cell == BA_PLAY_CARD:
        start_play(s, p, PLAY_AS_ANY)
    elif cell == BA_GAIN_BLUEPRINT:
        start_ransom(s, p, 1, -1)
    elif cell == BA_CONSTRUCT:
        start_construct(s, p, METHOD_MANUAL, 1, -1)
    elif cell == BA_DEPLOY_ONE:
        start_deploy(s, p, amount, DEPLOY_LONE, t.troops, -1)
    elif cell == BA_DEPLOY_TWO:
        start_recruit(s, p, NO_BUDGET, amount, t.troops | RECRUIT_DONE, -1)
    elif cell == BA_FREE_FLEE:
        push(s, PR_FLIGHT, p, -1, -1, 0, 0)
    elif cell == BA_PROMOTE:
        push(s, PR_PROMOTE, p, 1, 0, 0, 0)
    elif cell == BA_MOVE_THREE:
        push(s, PR_MOVE_SOME, p, amount, 0, 0, 0)
    elif cell == BA_CYBER_ATTACK:
        clear_marks(s)
        start_cyber(s, p, 1, -1)
    elif cell == BA_UPGRADE_ONE:
        clear_marks(s)
        push(s, PR_UPGRADE, p, UPGRADE_ANY, 0, 0, 0)
    elif cell == BA_GATHER_LORIUM:
        push(s, PR_GATHER, p, -1, 0, 0, 0)
    elif cell == BA_STORE_LORIUM:
        push(s, PR_STORE, p, amount, 0, 0, 0)
    elif uses_command_card(cell):
        push(s, PR_COMMAND, p, command_of_cell(t, cell), 0, 0, 0)
    elif cell == BA_COLONY_CITY or cell == BA_TAKE_MARKER:
        f.step = 8
        start_pay(s, p, -1, GOOD_ANY, 1, TO_SUPPLY if cell == BA_COLONY_CITY else s.marker)
    else:
        f.step = 2
        return False
    return True


cdef int go_on_bonus(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """The parts of a Bonus Action that asks for something itself; OVER when it is done.

    Steps: 2 and 3 choices, 4 after the window, 5 Combats that ended are told, 8 paid.
    """
    cdef int p = f.p
    cdef int cell = f.a
    cdef int a, other
    if f.step == 8:
        f.step = 9
        if cell == BA_TAKE_MARKER:
            if take_marker(s, t, ctx, p):
                return RUN
        elif take_habitat(s, t, ctx, 0, p, p):
            return RUN
        return OVER
    if cell == BA_RESOLVE_COMBAT or cell == BA_ANY_COMBAT:
        a = ask(s, t, ctx, DK_COMBAT, p)
        if a == PENDING:
            return WAIT
        f.step = 9
        if a == NONE:
            return OVER
        other = p if cell == BA_RESOLVE_COMBAT else attacker_at(s, t, a - A_SPACE)
        start_combat(s, t, ctx, p, a - A_SPACE, other, cell == BA_RESOLVE_COMBAT, -1)
        return RUN
    if cell == BA_DESTROY_TROOP or cell == BA_CAPTURE_TROOP:
        if f.step == 2:
            a = ask(s, t, ctx, DK_TARGET_SPACE, p)
            if a == PENDING:
                return WAIT
            if a == NONE:
                return OVER
            f.b = <int16_t>(a - A_SPACE)
            f.step = 3
        if f.step == 3:
            a = ask(s, t, ctx, DK_TARGET_TYPE, p)
            if a == PENDING:
                return WAIT
            f.c = <int16_t>owner_at(s, t, f.b, p)
            f.step = 4
            s.pending = unit_step[a - A_UNIT]
            if watched(s, TRIGGER_DEFEATED):
                if open_event(s, t, TRIGGER_DEFEATED, p, f.c,
                              KIND_DESTROY if cell == BA_DESTROY_TROOP else KIND_CAPTURE, f.b | s.pending << 8, 0):
                    return RUN
        if f.step == 4:
            take_squad(s, t, ctx, p, f.c, f.b, s.pending, cell == BA_CAPTURE_TROOP, False)
            f.step = 5
        return RUN if tell_ended(s, t, KIND_WON) else OVER
    if cell == BA_RESCUE:
        if f.step == 2:
            a = ask(s, t, ctx, DK_RESCUE_HOLDER, p)
            if a == PENDING:
                return WAIT
            if a == NONE:
                return OVER
            f.b = <int16_t>(a - A_PLAYER)
            f.step = 3
        a = ask(s, t, ctx, DK_RESCUE_TYPE, p)
        if a == PENDING:
            return WAIT
        release_unit(s, ctx, f.b, p, a - A_UNIT)
        return OVER
    if cell == BA_STEAL_CAPTIVE:
        if f.step == 2:
            a = ask(s, t, ctx, DK_STEAL_HOLDER, p)
            if a == PENDING:
                return WAIT
            if a == NONE:
                return OVER
            f.b = <int16_t>(a - A_PLAYER)
            f.step = 3
        if f.step == 3:
            a = ask(s, t, ctx, DK_STEAL_CAPTIVE, p)
            if a == PENDING:
                return WAIT
            f.c = <int16_t>(a - A_CAPTIVE)
            f.step = 4
            s.verdict = 0
            if watched(s, TRIGGER_ROBBED):
                if open_event(s, t, TRIGGER_ROBBED, p, f.b, KIND_CAPTIVE, NOWHERE, 1):
                    return RUN
        if not s.verdict & WD_CANCELLED and captive_count(s.seat[f.b].captured[f.c // 5], f.c % 5):
            pass_captive(s, ctx, f.b, p, f.c // 5, f.c % 5)
        return OVER
    # DISCARD_RELIC
    if f.step == 2:
        a = ask(s, t, ctx, DK_RELIC_OWNER, p)
        if a == PENDING:
            return WAIT
        if a == NONE:
            return OVER
        f.b = <int16_t>(a - A_PLAYER)
        f.step = 3
    if f.step == 3:
        a = ask(s, t, ctx, DK_RELIC_SLOT, p)
        if a == PENDING:
            return WAIT
        f.c = <int16_t>slot_relic(&s.seat[f.b], a - A_SLOT)
        f.step = 4
        s.verdict = 0
        if f.b != p and watched(s, TRIGGER_ROBBED):
            if open_event(s, t, TRIGGER_ROBBED, p, f.b, KIND_RELIC, NOWHERE, 1):
                return RUN
    if not s.verdict & WD_CANCELLED:
        lose_relic_copy(s, t, ctx, f.b, f.c)
    return OVER


# ----------------------------------------------------------------------------------------- Discovery Cards played
cdef inline bint is_action(const Tables *t, int copy) noexcept nogil:
    """Whether a Discovery Card is an Action (D2.3)."""
    return has128(t.actions, copy)


cdef bint ability_startable(const State *s, const Tables *t, int p, int copy) noexcept nogil:
    """Whether the Ability of an Action card can be played now."""
    cdef Regs r
    cdef Env e
    cdef int program = t.ability[t.design_of[copy]]
    if not is_action(t, copy) or program < 0:
        return False
    clear_regs(&r)
    set_env(&e, p, &r)
    e.playing = True
    return startable(s, t, t.programs[program].first, &e)


cdef u128 playable_cards(const State *s, const Tables *t, int p, bint playing) noexcept nogil:
    """Cards that N0.1 may play: any in hand; with Rewards denied Actions with a startable Ability."""
    cdef u128 cards = s.seat[p].hand
    cdef u128 rest
    if not denied(s, t, p, DENIAL_REWARD):
        return cards
    if playing:
        return 0
    rest = cards
    while any128(rest):
        if not ability_startable(s, t, p, first128(rest)):
            cards &= ~bit128(first128(rest))
        rest = rest128(rest)
    return cards


cdef inline u128 cards_to_play(const State *s, const Tables *t, int p, int how) noexcept nogil:
    """PLAY_CARD for PLAY_AS_..."""
    if how == PLAY_AS_ANY:
        return playable_cards(s, t, p, False)
    return 0 if denied(s, t, p, DENIAL_REWARD) else s.seat[p].hand


cdef inline void start_play(State *s, int p, int how) noexcept nogil:
    """A Discovery Card is played for a Reward or any way (PLAY_AS_...), as the next thing."""
    push(s, PR_PLAY, p, -1, 0, how, 0)


cdef int play_modes(const State *s, const Tables *t, int p, int copy) noexcept nogil:
    """PLAY_MODE: 1 Ability, 2 Rewards."""
    cdef int modes = 0
    if ability_startable(s, t, p, copy):
        modes = 1
    if not denied(s, t, p, DENIAL_REWARD):
        modes |= 2
    return modes


cdef int do_play(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """A Discovery Card is played (D2). a: copy, b: how (PLAYED_...), c: PLAY_AS_...

    Steps: 0 which, 1 how, 2 it leaves the hand, 3 Ability, 4 Rewards, 5 it is done.
    """
    cdef int p = f.p
    cdef int a
    cdef const Regs *regs = NULL
    cdef Regs mine
    if f.step == 0:
        a = ask(s, t, ctx, DK_PLAY_CARD, p)
        if a == PENDING:
            return WAIT
        if a == NONE:
            s.complete = 0
            return pop(s)
        f.a = <int16_t>card_copy(t, s.seat[p].hand, a - A_CARD)
        named_card(s, t, ctx, DISCOVERY_PILE, p, f.a)
        f.step = 1
        f.b = PLAYED_REWARD
        if f.c == PLAY_AS_REWARD or t.ability[t.design_of[f.a]] < 0:
            f.step = 2
        elif has_mod(s, p, MOD_PLAY_BOTH) and play_modes(s, t, p, f.a) == 3:
            f.b = PLAYED_BOTH
            f.step = 2
    if f.step == 1:
        a = answer_of(s) if s.answered else ask_bits(s, ctx, DK_PLAY_MODE, p, A_OPTION, play_modes(s, t, p, f.a))
        if a == PENDING:
            return WAIT
        f.b = PLAYED_ABILITY if a == A_OPTION else PLAYED_REWARD
        f.step = 2
    if f.step == 2:
        remove_card(s, t, p, f.a)
        opened_card(s, t, ctx, p, f.a)
        if t.abilities:
            emit(ctx, EV_PLAY_CARD, p, t.design_of[f.a], 0 if f.b == PLAYED_BOTH else f.b, 0)
        s.programs += 1
        f.step = 3
        s.verdict = 0
        if watched(s, TRIGGER_DISCOVERY_PLAYED):
            a = KIND_ACTION
            if f.b == PLAYED_REACTION:
                a = KIND_REACTION
            elif f.b == PLAYED_REWARD:
                a = KIND_REWARD
            if open_event(s, t, TRIGGER_DISCOVERY_PLAYED, p, NOBODY, a, t.design_of[f.a], 0):
                return RUN
    if f.step == 3:
        f.step = 4
        if s.verdict & WD_CANCELLED:
            f.step = 5
        elif f.b != PLAYED_REWARD:
            if f.b == PLAYED_REACTION:
                event_regs(f - 1, p, &mine)
                regs = &mine
            start_program(s, t, t.ability[t.design_of[f.a]], p, regs)
            return RUN
    if f.step == 4:
        f.step = 5
        if f.b == PLAYED_REWARD or f.b == PLAYED_BOTH:
            push(s, PR_REWARDS, p, t.design_of[f.a], 0, 0, 0)
            return RUN
    s.programs -= 1
    discard_card(s, t, ctx, p, f.a)
    s.complete = 1
    return pop(s)


# ---------------------------------------------------------------------------------------------------- Rewards
cdef inline const Item *reward_item(const State *s, const Tables *t, const Frame *f) noexcept nogil:
    """The item at hand of a PR_REWARDS frame."""
    return &t.reward[f.a][f.b]


cdef u128 reward_habitats(const State *s, const Tables *t, const Frame *f, int p) noexcept nogil:
    """REWARD_HABITAT: Habitats of the shown value that p does not control (D3.4), or those within reach of the acting Unit.
    """
    cdef u128 here
    if f.proc == PR_REWARDS:
        return habitats_worth(s, t, reward_item(s, t, f).amount) & takeable(s, t, p)
    here = widened(t, bit128(mark_space(s, s.actor)), action_reach(s, t, p, f.a), tunl_of(s, t, p))
    return here & persuadable(s, t, p, f.a)


cdef bint item_possible(const State *s, const Tables *t, int p, const Item *item) noexcept nogil:
    """Whether a Reward item can do something (RUL-D5)."""
    cdef int type
    if item.kind == RW_BONUS:
        return any_bonus(s, t, p, reward_cells(t, item.icons), False)
    if item.kind == RW_HABITAT:
        return any128(habitats_worth(s, t, item.amount) & takeable(s, t, p))
    if item.kind == RW_UNITS:
        for type in range(3):
            if item.units[type] and s.seat[p].reserve[type] and can_deploy(s, t, p, type):
                return True
        return False
    return True


cdef int reward_options(const State *s, const Tables *t, const Frame *f, int p) noexcept nogil:
    """REWARD: sides of an OR that can do something, a bit each."""
    cdef int options = 0
    cdef int i
    for i in range(t.reward_count[f.a]):
        if item_possible(s, t, p, &t.reward[f.a][i]):
            options |= 1 << i
    return options


cdef int do_rewards(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """The Rewards of a Discovery Card (D3). a: design, b: item at hand, c: item after the last.

    Steps: 0 begin, 1 choose a side, 2 an item, 3 the item is done.
    """
    cdef int p = f.p
    cdef int a, type, left
    cdef const Item *item
    if f.step == 0:
        f.c = t.reward_count[f.a]
        f.step = 2
        if t.reward_op[f.a] == RO_OR:
            f.step = 1
    if f.step == 1:
        a = ask(s, t, ctx, DK_REWARD, p)
        if a == PENDING:
            return WAIT
        f.b = f.c
        if a >= A_OPTION:
            f.b = <int16_t>(a - A_OPTION)
            f.c = f.b + 1
        f.step = 2
    while f.b < f.c:
        item = reward_item(s, t, f)
        if f.step == 2:
            if item.kind == RW_HABITAT:
                a = ask(s, t, ctx, DK_REWARD_HABITAT, p)
                if a == PENDING:
                    return WAIT
                f.step = 3
                if a >= A_SPACE and take_habitat(s, t, ctx, a - A_SPACE, p, p):
                    return RUN
            elif item.kind == RW_BONUS:
                a = ask(s, t, ctx, DK_BONUS, p)
                if a == PENDING:
                    return WAIT
                f.step = 3
                if a >= A_BONUS:
                    start_bonus(s, p, a - A_BONUS)
                    return RUN
            elif item.kind == RW_LORIUM:
                gain_lorium(s, ctx, p, item.amount)
            elif item.kind == RW_DISCOVERY:
                f.step = 3
                if gain_cards(s, t, ctx, p, item.amount):
                    return RUN
            elif item.kind == RW_RELIC:
                f.step = 3
                gain_relic(s, p, item.amount)
                return RUN
            else:
                left = 0
                for type in range(3):
                    a = min_int(item.units[type], s.seat[p].reserve[type])
                    left += a * captive_step(type)
                    s.seat[p].reserve[type] -= <uint8_t>a
                f.step = 3
                start_deploy(s, p, left, 0, 0, -1)
                return RUN
        f.b += 1
        f.step = 2
    return pop(s)
