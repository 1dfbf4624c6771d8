# The playout policy: legal actions drawn in proportion to weights (cysmic_fast/playout.py has the table and
# says what it means; cysmic_fast/reference/playout.py is the twin). Everything it looks at lies open on the
# table.

cdef enum:
    N_ROWS = N_DK + 6           # a row for each decision kind, then MOVE_TO again for each Unit type
    BASE_ALL = -1               # what a rule is about: every legal action,
    BASE_ONE = -2               # one action, or else two words of the mask from 2 * base on


cdef struct Rules:
    int16_t what[N_ROWS][MAX_PLAYOUT_RULES]     # action id, or Group
    int16_t weight[N_ROWS][MAX_PLAYOUT_RULES]
    uint8_t count[N_ROWS]


cdef inline int row_of(const State *s) noexcept nogil:
    """The row of the decision at hand: of MOVE_TO that of the Unit's type."""
    cdef const Frame *f = top_of(s)
    if s.kind != DK_MOVE_TO:
        return s.kind
    if f.proc == PR_STEER:
        return N_DK + unit_type(f)
    return N_DK + (UT_SHIP if f.proc == PR_SHIP else mark_type(s, s.actor))


cdef inline int wanted_from(const State *s, const Tables *t, int p) noexcept nogil:
    """Opponents, a bit each, whose Blueprint p misses."""
    cdef int seat
    cdef int players = 0
    for seat in range(t.players):
        if seat != p and not s.seat[p].blueprints >> t.colour_module[t.colour[seat]] & 1:
            players |= 1 << seat
    return players


cdef u128 raid_spaces(const State *s, const Tables *t, int p) noexcept nogil:
    """RAID: where a Cyber Attack could be made from."""
    cdef int players = wanted_from(s, t, p)
    cdef int seat
    cdef u128 spaces = 0
    for seat in range(t.players):
        if players >> seat & 1 and s.seat[seat].ship >= 0:
            spaces |= t.map.near[s.seat[seat].ship]
    return spaces


cdef u128 prey_spaces(const State *s, const Tables *t, int p) noexcept nogil:
    """PREY: Units that could be captured for a Blueprint."""
    cdef int players = wanted_from(s, t, p)
    cdef int seat
    cdef u128 spaces = 0
    for seat in range(t.players):
        if players >> seat & 1:
            spaces |= s.seat[seat].occupied
    return spaces


cdef u128 nearest_of(const State *s, const Tables *t, u128 goals, u128 offered) noexcept nogil:
    """Those of the spaces offered that are the fewest steps from a goal, over what is not impassable."""
    cdef u128 frontier = goals
    cdef u128 seen = goals
    while any128(frontier) and not any128(frontier & offered):
        frontier = step_from(&t.map, frontier, 0) & s.open & ~seen
        seen |= frontier
    return frontier & offered


cdef bint ship_useful(const State *s, const Tables *t, int p) noexcept nogil:
    """SHIP_CARD: a Module can be built, or Units brought home."""
    cdef const Seat *seat = &s.seat[p]
    cdef int modules = seat.blueprints & ~seat.modules
    cdef int lorium = lorium_of(seat)
    cdef int module
    if seat.modules == ALL_MODULES:
        return any128(seat.occupied)
    for module in range(6):
        if modules >> module & 1 and t.module_lorium[module] <= lorium:
            return True
    return False


cdef bint deal_useful(const State *s, const Tables *t, int p) noexcept nogil:
    """DEAL_CARD: a Cyber Attack can be made, or captives exchanged."""
    cdef int players = wanted_from(s, t, p)
    cdef int seat
    cdef uint16_t packed
    if any128(s.seat[p].occupied & ~s.combat & raid_spaces(s, t, p)):
        return True
    for seat in range(t.players):
        packed = s.seat[p].captured[seat]
        if packed and players >> seat & 1:
            if vehicles_held(packed) >= t.blueprint_vehicles or troops_held(packed) >= t.blueprint_troops:
                return True
    return False


cdef int card_group(const State *s, const Tables *t, int p, int group) noexcept nogil:
    """Command Cards of a group, a bit each."""
    cdef int cards = 0
    cdef int card, type
    if group == GROUP_SHIP_CARD:
        return 1 << CC_COLONY_SHIP if ship_useful(s, t, p) else 0
    if group == GROUP_DEAL_CARD:
        return 1 << CC_NEGOTIATE if deal_useful(s, t, p) else 0
    if group == GROUP_BATTLE_CARD:
        return 1 << CC_BATTLE if any128(s.combat & s.seat[p].occupied) else 0
    if group == GROUP_UNIT_CARD:
        for card in range(N_CC):
            type = t.command_unit[card]
            if 0 <= type < UT_SHIP and any128(s.has[type] & s.seat[p].occupied & ~s.combat):
                cards |= 1 << card
        return cards
    for card in range(GROUP_SHIP_CARD, GROUP_IDLE_CARD):
        cards |= card_group(s, t, p, card)
    return ALL_COMMANDS & ~(cards | 1 << CC_RECRUIT | 1 << CC_UPGRADE)


cdef u128 group_actions(const State *s, const Tables *t, int p, int group, u128 offered,
                        int *base) noexcept nogil:
    """The actions of a group in two words of the mask, at 2 * ``base``; ``offered``: legal spaces."""
    base[0] = A_SPACE >> 7
    if group == GROUP_OWN_SHIP:
        return bit128(s.seat[p].ship) if s.seat[p].ship >= 0 else <u128>0
    if group == GROUP_TILES:
        return tiles_left(s)
    if group == GROUP_LORIUM:
        return feature_set(s, FT_LORIUM)
    if group == GROUP_EXPLORABLE:
        return feature_set(s, FT_EXPLORABLE)
    if group == GROUP_HABITATS:
        return habitats(s) & ~s.seat[p].control
    if group == GROUP_RAID:
        return raid_spaces(s, t, p)
    if group == GROUP_PREY:
        return prey_spaces(s, t, p)
    if group == GROUP_TO_RAID:
        return nearest_of(s, t, raid_spaces(s, t, p), offered)
    if group == GROUP_TO_LORIUM:
        return nearest_of(s, t, feature_set(s, FT_LORIUM), offered)
    if group == GROUP_TO_HABITAT:
        return nearest_of(s, t, habitats(s) & ~s.seat[p].control, offered)
    if group == GROUP_TO_PREY:
        return nearest_of(s, t, prey_spaces(s, t, p), offered)
    if group == GROUP_HOME:
        return nearest_of(s, t, bit128(s.seat[p].ship), offered) if ship_complete(s, p) else <u128>0
    base[0] = 0
    if group == GROUP_ENOUGH:
        return bit128(A_DONE) if s.seat[p].modules == ALL_MODULES else <u128>0
    return make128(0, <uint64_t>card_group(s, t, p, group) << (A_COMMAND - 64))


cdef struct Layer:             # a rule at work
    u128 actions               # its legal ones: a set in two words,
    int base                   # and which, or BASE_...
    int count                  # how many they are
    int weight                 # of each


cdef int playout_layers(const State *s, const Tables *t, const uint64_t *mask, int count, const Rules *rules,
                        Layer *layers, uint32_t *total) noexcept nogil:
    """The rules that apply to the decision at hand, in order; how many. ``total``: the sum of all weights."""
    cdef int row = row_of(s)
    cdef u128 offered = make128(mask[2], mask[3])
    cdef Layer *layer
    cdef int i, what
    cdef int made = 0
    total[0] = 0
    for i in range(rules.count[row]):
        layer = &layers[made]
        layer.weight = rules.weight[row][i]
        what = rules.what[row][i]
        if what < FIRST_GROUP:
            layer.base = BASE_ONE
            layer.actions = <u128>what
            layer.count = <int>(mask[what >> 6] >> (what & 63) & 1)
        elif what == GROUP_ALL:
            layer.base = BASE_ALL
            layer.count = count
        else:
            layer.actions = group_actions(s, t, s.player, what, offered, &layer.base)
            layer.actions &= make128(mask[2 * layer.base], mask[2 * layer.base + 1])
            layer.count = count128(layer.actions)
        if layer.count and layer.weight:
            total[0] += <uint32_t>(layer.count * layer.weight)
            made += 1
    return made


cdef int playout_action(const State *s, const Tables *t, const Ctx *ctx, const Rules *rules, Rng *policy,
                        RngBlock *block) noexcept nogil:
    """A legal action drawn by the weights of its row; uniformly where no rule applies."""
    cdef Layer layers[MAX_PLAYOUT_RULES]
    cdef uint32_t total = 0
    cdef uint32_t r
    cdef int i, k
    cdef int made = playout_layers(s, t, ctx.mask, ctx.count, rules, layers, &total)
    if made == 0:
        return select512(ctx.mask, <int>rng_bounded(policy, block, CF_POLICY, <uint32_t>ctx.count))
    r = rng_bounded(policy, block, CF_POLICY, total) if total > 1 else 0
    i = 0
    while r >= <uint32_t>(layers[i].count * layers[i].weight):
        r -= <uint32_t>(layers[i].count * layers[i].weight)
        i += 1
    k = <int>r // layers[i].weight
    if layers[i].base == BASE_ONE:
        return <int>low64(layers[i].actions)
    if layers[i].base == BASE_ALL:
        return select512(ctx.mask, k)
    return 128 * layers[i].base + select128(layers[i].actions, k)
