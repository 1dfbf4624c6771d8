# Bonus Actions (chapter N) and Rewards of Discovery Cards (D3); protocol section 13.

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


cdef inline uint32_t turn_cells(const State *s, const Tables *t) noexcept nogil:
    """T5.1: the cells of the Played card's icons in the current Column."""
    cdef int icons = t.command_icons[s.played_card]
    cdef uint32_t cells = t.cell[0][ICON_GREY]
    while icons:
        cells |= t.cell[1 + column_of(s)][ctz64(<uint64_t>icons)]
        icons &= icons - 1
    return cells


cdef inline uint32_t reward_cells(const Tables *t, int icons) noexcept nogil:
    """D3.2: the cells of these colours in all Columns."""
    cdef uint32_t cells = 0
    cdef int icon, column
    for icon in range(N_ICON):
        if icons >> icon & 1:
            for column in range(NUM_COLUMNS + 1):
                cells |= t.cell[column][icon]
    return cells


cdef inline bint bonus_open(const State *s, const Tables *t) noexcept nogil:
    """The caps on Bonus Actions in a turn and on programs in progress."""
    return s.bonus_count < t.limit_bonus and s.programs <= t.limit_programs - 2


cdef inline bint uses_command_card(int cell) noexcept nogil:
    """Whether the Bonus Action begins with the choice of a Command Card."""
    return (cell == BA_HAND_ACTION or cell == BA_PLAYED_ACTION
            or cell == BA_REACTIVATE_TACTIC or cell == BA_REACTIVATE_UNIT)


cdef int command_cards(const State *s, const Tables *t, int cell, int p) noexcept nogil:
    """COMMAND_CARD: the cards that a Bonus Action of this kind may use, a bit each."""
    cdef const Seat *seat = &s.seat[p]
    cdef int cards = 0
    cdef int column, card
    if cell == BA_HAND_ACTION:
        cards = seat.commands
    else:
        for column in range(NUM_COLUMNS):
            if seat.played[column] >= 0:
                cards |= 1 << seat.played[column]
        if s.played_card >= 0 and (cell != BA_PLAYED_ACTION or not t.reuse_card):
            cards &= ~(1 << s.played_card)
    for card in range(10):
        if not cards >> card & 1:
            continue
        if (t.command_unit[card] >= 0) != (cell != BA_REACTIVATE_TACTIC):
            cards &= ~(1 << card)
        elif cell == BA_HAND_ACTION or cell == BA_PLAYED_ACTION:
            if not possible_card_actions(s, t, p, card):
                cards &= ~(1 << card)
    return cards


cdef inline int captive_types(uint16_t packed) noexcept nogil:
    """Types among Captured Units of one owner, a bit each."""
    cdef int types = 0
    cdef int type
    for type in range(5):
        if captive_count(packed, type):
            types |= 1 << type
    return types


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
                players |= 1 << seat
    return players


cdef int relic_owners(const State *s, const Tables *t) noexcept nogil:
    """N4.5: players with an Active Relic Card."""
    cdef int players = 0
    cdef int seat
    for seat in range(t.players):
        if s.seat[seat].slot_relic[0] >= 0 or s.seat[seat].slot_relic[1] >= 0:
            players |= 1 << seat
    return players


cdef int store_slots(const State *s, const Tables *t, int p) noexcept nogil:
    """N2.5: the lowest empty slot, slots with room on their store; with none empty those of Active Relics
    too.
    """
    cdef const Seat *seat = &s.seat[p]
    cdef int slots = 0
    cdef int slot
    cdef bint empty = False
    for slot in range(NUM_SLOTS):
        if slot_empty(seat, slot):
            if not empty:
                slots |= 1 << slot
            empty = True
        elif seat.slot_lorium[slot] and seat.slot_lorium[slot] < t.bonus_amount[BA_STORE_LORIUM]:
            slots |= 1 << slot
    if not empty:
        for slot in range(NUM_SLOTS):
            if seat.slot_relic[slot] >= 0:
                slots |= 1 << slot
    return slots


cdef bint bonus_possible(const State *s, const Tables *t, int p, int cell) noexcept nogil:
    """N6.2: whether the Bonus Action can be chosen, the caps aside."""
    cdef const Seat *seat = &s.seat[p]
    cdef u128 spaces
    if cell == BA_PLAY_CARD:
        return any128(seat.hand)
    if cell == BA_GAIN_BLUEPRINT:
        return ransom_players(s, t, p) != 0
    if cell == BA_CONSTRUCT:
        return payable_modules(s, t, p, True) != 0
    if cell == BA_RESOLVE_COMBAT:
        return any128(s.combat & seat.occupied)
    if uses_command_card(cell):
        return command_cards(s, t, cell, p) != 0
    if cell == BA_DEPLOY_ONE or cell == BA_DEPLOY_TWO:
        return deployable(s, t, p, seat.reserve) & t.troops != 0
    if cell == BA_DESTROY_TROOP or cell == BA_CAPTURE_TROOP:
        return any128(target_spaces(s, t, p))
    if cell == BA_FREE_FLEE:
        return any128(free_flee_spaces(s, t, p))
    if cell == BA_RESCUE:
        return rescue_holders(s, t, p) != 0
    if cell == BA_STORE_LORIUM:
        return seat.lorium > 0 and store_slots(s, t, p) != 0
    if cell == BA_PROMOTE:
        return any128(promote_spaces(s, t, p, True))
    if cell == BA_CYBER_ATTACK:
        return any128(cyber_spaces(s, t, p))
    if cell == BA_COLONY_CITY:
        if feature_at(s, 0) != FT_COLONY_CITY or has128(seat.control, 0):
            return False
        return resource_kinds(s, t, p) != 0
    if cell == BA_STEAL_CAPTIVE:
        return steal_holders(s, t, p) != 0
    if cell == BA_DISCARD_RELIC:
        return relic_owners(s, t) != 0
    if cell == BA_ANY_COMBAT:
        return any128(s.combat)
    if cell == BA_UPGRADE_ONE:
        return any128(all_upgrade_spaces(s, t, p, UPGRADE_ANY))
    if cell == BA_TAKE_MARKER:
        return s.marker != p and resource_kinds(s, t, p) != 0
    if cell == BA_GATHER_LORIUM:
        spaces = feature_set(s, FT_LORIUM)
        if any128(unlocked_of(s, p, UT_MINER) & spaces):
            return True
        return any128(unlocked_of(s, p, UT_HARVESTER) & (spaces | feature_set(s, FT_EXPLORABLE)))
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
        if bonus_possible(s, t, p, cell):
            possible |= bit32(cell)
    return possible


cdef bint any_bonus(const State *s, const Tables *t, int p, uint32_t cells) noexcept nogil:
    """Whether one of the cells can be chosen."""
    cdef int cell
    if not bonus_open(s, t):
        return False
    while cells:
        cell = ctz64(cells)
        cells &= cells - 1
        if bonus_possible(s, t, p, cell):
            return True
    return False


cdef void offer_bonus(const State *s, const Tables *t, const Frame *f, int p, uint64_t *mask) noexcept nogil:
    """BONUS: in the Bonus step with DONE, as a Reward without."""
    if f.proc == PR_TURN:
        offer_action(mask, A_DONE)
        mask[A_BONUS >> 6] |= possible_cells(s, t, p, turn_cells(s, t))
    else:
        mask[A_BONUS >> 6] |= possible_cells(s, t, p, reward_cells(t, reward_item(s, t, f).icons))


cdef int do_bonus(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Perform one Bonus Action. a: cell, b and c: what has been chosen."""
    cdef int p = s.active
    cdef int cell = f.a
    cdef int a, other
    cdef Seat *seat = &s.seat[p]
    if f.step == 0:
        s.programs += 1
        s.bonus_count += 1
        f.step = 1
        a = t.bonus_amount[cell]
        if cell == BA_GAIN_CARD or cell == BA_TWO_CARDS:
            draw_cards(s, t, ctx, p, a)
            f.step = 9
        elif cell == BA_TWO_LORIUM:
            gain_lorium(s, ctx, p, a)
            f.step = 9
        elif cell == BA_GAIN_RELIC:
            f.c = <int16_t>a
            f.step = 7
        elif cell == BA_GAIN_BLUEPRINT:
            f.step = 9
            push(s, PR_RANSOM, 0, 0, 0, 0)
            return RUN
        elif cell == BA_CONSTRUCT:
            f.step = 9
            push(s, PR_CONSTRUCT, 0, 0, 0, 0)
            return RUN
        elif cell == BA_DEPLOY_ONE:
            f.step = 9
            push(s, PR_DEPLOY, p, 0, DEPLOY_RESERVE + a - 1, -1)
            return RUN
        elif cell == BA_DEPLOY_TWO:
            f.step = 9
            push(s, PR_RECRUIT, NO_BUDGET, a, 0, 0)
            return RUN
        elif cell == BA_FREE_FLEE:
            f.step = 9
            push(s, PR_FREE_FLEE, 0, 0, 0, -1)
            return RUN
        elif cell == BA_PROMOTE:
            f.step = 9
            push(s, PR_PROMOTE, 1, 0, 0, 0)
            return RUN
        elif cell == BA_MOVE_THREE:
            f.step = 9
            push(s, PR_MOVE_SOME, a, 0, 0, 0)
            return RUN
        elif cell == BA_CYBER_ATTACK:
            f.step = 9
            clear_marks(s)
            push(s, PR_CYBER, 1, 0, 0, 0)
            return RUN
        elif cell == BA_UPGRADE_ONE:
            f.step = 9
            clear_marks(s)
            push(s, PR_UPGRADE, UPGRADE_ANY, 0, 0, 0)
            return RUN
        elif cell == BA_GATHER_LORIUM:
            f.step = 9
            push(s, PR_GATHER, -1, 0, 0, 0)
            return RUN
        elif cell == BA_COLONY_CITY or cell == BA_TAKE_MARKER:
            f.step = 8
            push(s, PR_PAY, -1 if cell == BA_COLONY_CITY else s.marker, 0, 0, 0)
            return RUN
    if f.step == 7:
        if f.c > 0:
            f.c -= 1
            gain_relic(s, p)
            return RUN
        f.step = 9
    if f.step == 8:
        f.step = 9
        if cell == BA_TAKE_MARKER:
            take_marker(s, ctx, p)
        elif gain_control(s, t, ctx, p, 0):
            return RUN
    if f.step == 9:
        s.programs -= 1
        return pop(s)
    if cell == BA_PLAY_CARD:
        if f.step == 1:
            a = ask(s, t, ctx, DK_PLAY_CARD, p)
            if a == PENDING:
                return WAIT
            f.b = <int16_t>take_card(s, t, p, a - A_CARD)
            f.step = 2
            push(s, PR_REWARDS, t.design_of[f.b], 0, 0, 0)
            return RUN
        discard_card(s, t, ctx, p, f.b)
    elif cell == BA_RESOLVE_COMBAT or cell == BA_ANY_COMBAT:
        if f.step == 1:
            a = ask(s, t, ctx, DK_COMBAT, p)
            if a == PENDING:
                return WAIT
            f.step = 9
            other = p if cell == BA_RESOLVE_COMBAT else attacker_at(s, t, a - A_SPACE)
            start_combat(s, ctx, a - A_SPACE, other, cell == BA_RESOLVE_COMBAT)
            return RUN
    elif uses_command_card(cell):
        if f.step == 1:
            a = ask(s, t, ctx, DK_COMMAND_CARD, p)
            if a == PENDING:
                return WAIT
            f.b = <int16_t>(a - A_COMMAND)
            f.step = 2
            if cell == BA_REACTIVATE_TACTIC or cell == BA_REACTIVATE_UNIT:
                f.step = 9
                push(s, PR_CARD, f.b, 0, 0, 0)
                return RUN
        if f.step == 2:
            a = ask(s, t, ctx, DK_COMMAND_ACTION, p)
            if a == PENDING:
                return WAIT
            clear_marks(s)
            mark_all(s, p, t.command_unit[f.b], MARK_PART)
            f.step = 3
            push(s, PR_SECTION, t.command_unit[f.b], 1 << (a - A_ACTION), 0, 0)
            return RUN
        clear_marks(s)
    elif cell == BA_DESTROY_TROOP or cell == BA_CAPTURE_TROOP:
        if f.step == 1:
            a = ask(s, t, ctx, DK_TARGET_SPACE, p)
            if a == PENDING:
                return WAIT
            f.b = <int16_t>(a - A_SPACE)
            f.step = 2
        a = ask(s, t, ctx, DK_TARGET_TYPE, p)
        if a == PENDING:
            return WAIT
        other = owner_at(s, t, f.b, p)
        take_squad(s, t, ctx, p, other, f.b, unit_step[a - A_UNIT], cell == BA_CAPTURE_TROOP)
    elif cell == BA_RESCUE:
        if f.step == 1:
            a = ask(s, t, ctx, DK_RESCUE_HOLDER, p)
            if a == PENDING:
                return WAIT
            f.b = <int16_t>(a - A_PLAYER)
            f.step = 2
        a = ask(s, t, ctx, DK_RESCUE_TYPE, p)
        if a == PENDING:
            return WAIT
        release_unit(s, ctx, f.b, p, a - A_UNIT)
    elif cell == BA_STORE_LORIUM:
        if f.step == 1:
            a = ask(s, t, ctx, DK_STORE_SLOT, p)
            if a == PENDING:
                return WAIT
            f.b = <int16_t>(a - A_SLOT)
            f.step = 2
            if seat.slot_relic[f.b] >= 0:
                discard_relic(s, t, ctx, p, empty_slot(s, t, ctx, p, f.b))
        a = ask(s, t, ctx, DK_STORE_AMOUNT, p)
        if a == PENDING:
            return WAIT
        seat.lorium -= a - A_NUMBER
        seat.slot_lorium[f.b] += <uint8_t>(a - A_NUMBER)
    elif cell == BA_STEAL_CAPTIVE:
        if f.step == 1:
            a = ask(s, t, ctx, DK_STEAL_HOLDER, p)
            if a == PENDING:
                return WAIT
            f.b = <int16_t>(a - A_PLAYER)
            f.step = 2
        a = ask(s, t, ctx, DK_STEAL_CAPTIVE, p)
        if a == PENDING:
            return WAIT
        a -= A_CAPTIVE
        pass_captive(s, ctx, f.b, p, a // 5, a % 5)
    elif cell == BA_DISCARD_RELIC:
        if f.step == 1:
            a = ask(s, t, ctx, DK_RELIC_OWNER, p)
            if a == PENDING:
                return WAIT
            f.b = <int16_t>(a - A_PLAYER)
            f.step = 2
        a = ask(s, t, ctx, DK_RELIC_SLOT, p)
        if a == PENDING:
            return WAIT
        lose_relic_by(s, t, ctx, f.b, a)
    s.programs -= 1
    return pop(s)


# ---------------------------------------------------------------------------------------------------- Rewards
cdef inline const Item *reward_item(const State *s, const Tables *t, const Frame *f) noexcept nogil:
    """The item at hand of a PR_REWARDS frame."""
    return &t.reward[f.a][f.b]


cdef u128 reward_habitats(const State *s, const Tables *t, const Frame *f, int p) noexcept nogil:
    """D3.4: Habitats of the shown value that p does not control."""
    return habitats_worth(s, t, reward_item(s, t, f).amount) & ~s.seat[p].control


cdef bint item_possible(const State *s, const Tables *t, int p, const Item *item) noexcept nogil:
    """Whether a Reward item can do something (RUL-D5)."""
    cdef int type
    if item.kind == RW_BONUS:
        return any_bonus(s, t, p, reward_cells(t, item.icons))
    if item.kind == RW_HABITAT:
        return any128(habitats_worth(s, t, item.amount) & ~s.seat[p].control)
    if item.kind == RW_UNITS:
        for type in range(3):
            if item.units[type] and s.seat[p].reserve[type] and any128(deploy_spaces(s, t, p, type)):
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
    cdef int p = s.active
    cdef int a, type
    cdef const Item *item
    if f.step == 0:
        s.programs += 1
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
            if item.kind == RW_LORIUM:
                gain_lorium(s, ctx, p, item.amount)
            elif item.kind == RW_DISCOVERY:
                draw_cards(s, t, ctx, p, item.amount)
            elif item.kind == RW_RELIC:
                while f.d < item.amount:
                    f.d += 1
                    gain_relic(s, p)
                    return RUN
                f.d = 0
            elif item.kind == RW_UNITS:
                for type in range(3):
                    a = min_int(item.units[type], s.seat[p].reserve[type])
                    s.left[type] = <uint8_t>a
                    s.seat[p].reserve[type] -= <uint8_t>a
                f.step = 3
                push(s, PR_DEPLOY, p, 0, 0, -1)
                return RUN
            elif item.kind == RW_HABITAT:
                a = ask(s, t, ctx, DK_REWARD_HABITAT, p)
                if a == PENDING:
                    return WAIT
                f.step = 3
                if a >= A_SPACE and gain_control(s, t, ctx, p, a - A_SPACE):
                    return RUN
            else:
                a = ask(s, t, ctx, DK_BONUS, p)
                if a == PENDING:
                    return WAIT
                f.step = 3
                if a >= A_BONUS:
                    push(s, PR_BONUS, a - A_BONUS, 0, 0, 0)
                    return RUN
        f.b += 1
        f.step = 2
    s.programs -= 1
    return pop(s)
