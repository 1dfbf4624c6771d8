# Passive modifiers (docs/cards.md, section 6): which are in force for a player, and what they come to.
#
# `State.mods` has a bit for each key in force. A site tests its bit and only then looks the sources up: the rules
# of the Faction, Active Relic Cards, what others inflict, grants. The masks change when one of these does.

cdef enum:
    MAX_SOURCES = 64     # modifiers of one key that are looked at
    SLOT_RELIC = 128     # a slot with an Active Relic Card: 128 + copy
    NO_SIDE = 255

ctypedef const Mod *ModRef


cdef inline int slot_relic(const Seat *seat, int slot) noexcept nogil:
    """Copy of the Active Relic Card in a slot; -1: none."""
    return seat.slot[slot] - SLOT_RELIC if seat.slot[slot] >= SLOT_RELIC else -1


cdef inline int slot_lorium(const Seat *seat, int slot) noexcept nogil:
    """Lorium stored in a slot."""
    return seat.slot[slot] if seat.slot[slot] < SLOT_RELIC else 0


cdef inline bint has_mod(const State *s, int p, int mod) noexcept nogil:
    """Whether a modifier of that key is in force for a player."""
    return unlikely(s.mods[p] >> mod & 1)


cdef inline const Rule *slot_rule(const State *s, const Tables *t, int p, int slot) noexcept nogil:
    """The rule of the Active Relic Card in a slot; NULL: none."""
    cdef int copy = slot_relic(&s.seat[p], slot)
    if copy < 0:
        return NULL
    return &t.relic_rule[t.relic_design_of[copy]]


cdef int mods_in(const Tables *t, int first, int count, int mod, ModRef *out, int found) noexcept nogil:
    """Add those of the key among ``count`` modifiers; how many there are now."""
    cdef int i
    for i in range(first, first + count):
        if t.mods[i].mod == mod and found < MAX_SOURCES:
            out[found] = &t.mods[i]
            found += 1
    return found


cdef inline int rules_mods(const State *s, const Tables *t, int p, int mod, bint sabotage, ModRef *out,
                           int found) noexcept nogil:
    """Add what the player's Faction and Relic Cards hold for the player, or with ``sabotage`` for opponents."""
    cdef const Seat *seat = &s.seat[p]
    cdef const Rule *rule
    cdef int i, design
    if seat.faction >= 0 and t.faction_keys[sabotage][seat.faction] >> mod & 1:
        for i in range(t.faction_rules[seat.faction]):
            rule = &t.faction_rule[seat.faction][i]
            if rule.keys >> mod & 1 and rule.sabotage == sabotage:
                found = mods_in(t, rule.mods, rule.mod_count, mod, out, found)
    for i in range(NUM_SLOTS):
        if seat.slot[i] >= SLOT_RELIC:
            design = t.relic_design_of[seat.slot[i] - SLOT_RELIC]
            if t.relic_keys[sabotage][design] >> mod & 1:
                rule = &t.relic_rule[design]
                found = mods_in(t, rule.mods, rule.mod_count, mod, out, found)
    return found


cdef int mods_of(const State *s, const Tables *t, int p, int mod, ModRef *out) noexcept nogil:
    """All modifiers of a key in force for a player (``out`` has room for MAX_SOURCES); how many."""
    cdef const Step *step
    cdef int i
    cdef int found = rules_mods(s, t, p, mod, False, out, 0)
    cdef uint64_t others = s.saboteurs & ~(<uint64_t>1 << p)
    while others:
        found = rules_mods(s, t, ctz64(others), mod, True, out, found)
        others &= others - 1
    for i in range(s.grant_count):
        step = granting(s, t, i)
        if receiver_of(s, i) == p and step.keys >> mod & 1:
            found = mods_in(t, step.mods, step.mod_count, mod, out, found)
    return found


cdef uint32_t rules_keys(const State *s, const Tables *t, int p, bint sabotage) noexcept nogil:
    """Keys of the modifiers in the player's Faction and Relic Cards."""
    cdef uint32_t keys = 0
    cdef int i, copy
    if s.seat[p].faction >= 0:
        keys = t.faction_keys[sabotage][s.seat[p].faction]
    for i in range(NUM_SLOTS):
        copy = slot_relic(&s.seat[p], i)
        if copy >= 0:
            keys |= t.relic_keys[sabotage][t.relic_design_of[copy]]
    return keys


cdef uint32_t mod_keys(const State *s, const Tables *t, int p) noexcept nogil:
    """What `State.mods` is to be for a player."""
    cdef uint32_t keys = rules_keys(s, t, p, False)
    cdef uint64_t others = s.saboteurs & ~(<uint64_t>1 << p)
    cdef int i
    while others:
        keys |= rules_keys(s, t, ctz64(others), True)
        others &= others - 1
    for i in range(s.grant_count):
        if receiver_of(s, i) == p:
            keys |= granting(s, t, i).keys
    return keys


cdef uint8_t saboteurs_of(const State *s, const Tables *t) noexcept nogil:
    """What `State.saboteurs` is to be."""
    cdef int p, seats = 0
    if t.sabotage:
        for p in range(t.players):
            if rules_keys(s, t, p, True):
                seats |= 1 << p
    return <uint8_t>seats


cdef void refresh_mods(State *s, const Tables *t) noexcept nogil:
    """A Relic Card, a Faction or a grant has changed."""
    cdef int p
    s.saboteurs = saboteurs_of(s, t)
    for p in range(t.players):
        s.mods[p] = mod_keys(s, t, p)


# ------------------------------------------------------------------------------------------------ watch masks
cdef inline bint watched(const State *s, int event) noexcept nogil:
    """Whether anybody has something that can answer the event."""
    return s.watch >> event & 1


cdef inline uint64_t watch_word(const Rule *rule) noexcept nogil:
    """The events that a Reaction or rule answers, as `State.watch` has them."""
    return rule.on | (<uint64_t>rule.on << 32 if rule.by != BY_SELF else <uint64_t>0)


cdef uint64_t watch_of(const State *s, const Tables *t, int p) noexcept nogil:
    """Events that a player can answer: a Launched one answers nothing, and nobody before the first turn."""
    cdef const Seat *seat = &s.seat[p]
    cdef uint64_t events = t.watch_faction[1 + seat.faction]
    cdef u128 cards = seat.hand & t.reactions
    cdef int slot
    if s.launched >> p & 1 or s.phase == PH_SETUP:
        return 0
    while any128(cards):
        events |= t.watch_card[t.design_of[first128(cards)]]
        cards = rest128(cards)
    for slot in range(NUM_SLOTS):
        if slot_relic(seat, slot) >= 0:
            events |= t.watch_relic[t.relic_design_of[slot_relic(seat, slot)]]
    return events


cdef void refresh_watch(State *s, const Tables *t) noexcept nogil:
    """A hand or an Active Relic Card has changed."""
    cdef int seat
    s.watch = 0
    for seat in range(t.players):
        s.watch |= watch_of(s, t, seat)


cdef void refresh_effects(State *s, const Tables *t) noexcept nogil:
    """Everything anew: at the first turn and when a position is loaded."""
    refresh_mods(s, t)
    refresh_watch(s, t)


cdef inline void add_card(State *s, const Tables *t, Ctx *ctx, int p, int copy) noexcept nogil:
    """A Discovery Card comes into a hand."""
    s.seat[p].hand |= bit128(copy)
    emit_hidden(ctx, 1 << p, EV_RECEIVE, p, 0, t.design_of[copy], 0)
    if t.reacts[t.design_of[copy]] and s.phase != PH_SETUP:
        s.watch |= t.watch_card[t.design_of[copy]] if not s.launched >> p & 1 else 0


cdef inline void remove_card(State *s, const Tables *t, int p, int copy) noexcept nogil:
    """A Discovery Card leaves a hand."""
    s.seat[p].hand &= ~bit128(copy)
    if t.reacts[t.design_of[copy]]:
        refresh_watch(s, t)


cdef inline void add_relic(State *s, const Tables *t, Ctx *ctx, int p, int copy) noexcept nogil:
    """A player has a Relic Card, Inactive as yet."""
    s.seat[p].relics |= <uint64_t>1 << copy
    emit_hidden(ctx, 1 << p, EV_RECEIVE, p, 1, t.relic_design_of[copy], 0)


cdef void refresh_relic(State *s, const Tables *t, int p, int design) noexcept nogil:
    """A player's card of the design has become Active, or is no longer."""
    if t.relic_keys[True][design]:
        refresh_mods(s, t)
    elif t.relic_keys[False][design]:
        s.mods[p] = mod_keys(s, t, p)
    if t.watch_relic[design]:
        refresh_watch(s, t)


cdef inline void change_slot(State *s, const Tables *t, int p, int slot, int value) noexcept nogil:
    """A slot gets another content; a card that becomes Active starts with a free flag (V8.1)."""
    cdef uint8_t old = s.seat[p].slot[slot]
    s.seat[p].slot[slot] = <uint8_t>value
    s.seat[p].once &= <uint16_t>~(1 << slot)
    if old >= SLOT_RELIC:
        refresh_relic(s, t, p, t.relic_design_of[old - SLOT_RELIC])
    if value >= SLOT_RELIC:
        refresh_relic(s, t, p, t.relic_design_of[value - SLOT_RELIC])


# ------------------------------------------------------------------------------------------------------ grants
cdef inline const Step *granting(const State *s, const Tables *t, int i) noexcept nogil:
    """The step that gave a grant."""
    return &t.steps[s.grant_step[i]]


cdef inline int giver_of(const State *s, int i) noexcept nogil:
    return s.grant_who[i] & 15


cdef inline int receiver_of(const State *s, int i) noexcept nogil:
    return s.grant_who[i] >> 4


cdef void end_grants(State *s, const Tables *t, int durations, int giver, int receiver) noexcept nogil:
    """Take away the grants of these durations (a bit each) given by ``giver``, received by ``receiver`` (-1: any).
    """
    cdef int i, kept = 0
    if likely(s.grant_count == 0):
        return
    for i in range(s.grant_count):
        if (durations >> granting(s, t, i).duration & 1 and (giver < 0 or giver_of(s, i) == giver)
                and (receiver < 0 or receiver_of(s, i) == receiver)):
            continue
        s.grant_step[kept] = s.grant_step[i]
        s.grant_who[kept] = s.grant_who[i]
        kept += 1
    if kept < s.grant_count:
        s.grant_count = <uint8_t>kept
        refresh_mods(s, t)


cdef bint keep_grant(State *s, const Tables *t, int step, int giver, int receiver) noexcept nogil:
    """A grant is written down; beyond the bound it is not."""
    if s.grant_count >= t.limit_grants:
        return False
    s.grant_step[s.grant_count] = <int16_t>step
    s.grant_who[s.grant_count] = <uint8_t>(giver | receiver << 4)
    s.grant_count += 1
    return True


cdef void add_grant(State *s, const Tables *t, int step, int giver, int receiver) noexcept nogil:
    """C07: one step is one grant for each receiver; beyond the bound it has no effect."""
    if keep_grant(s, t, step, giver, receiver):
        s.mods[receiver] |= t.steps[step].keys


# -------------------------------------------------------------------------------------------------------- sums
cdef int mod_sum(const State *s, const Tables *t, int p, int mod) noexcept nogil:
    """The sum of a modifier without conditions."""
    cdef ModRef found[MAX_SOURCES]
    cdef int i, total = 0
    if not has_mod(s, p, mod):
        return 0
    for i in range(mods_of(s, t, p, mod, found)):
        total += found[i].n
    return total


cdef inline bint on_side(ModRef mod, int side) noexcept nogil:
    """Whether a modifier that may carry a role counts on that side."""
    return mod.role == UNSET or mod.role == side


cdef int sided_sum(const State *s, const Tables *t, int p, int mod, int side) noexcept nogil:
    """The sum of a modifier that may carry a role."""
    cdef ModRef found[MAX_SOURCES]
    cdef int i, total = 0
    if not has_mod(s, p, mod):
        return 0
    for i in range(mods_of(s, t, p, mod, found)):
        if on_side(found[i], side):
            total += found[i].n
    return total


cdef int typed_sum(const State *s, const Tables *t, int p, int mod, int type, int side) noexcept nogil:
    """The sum of a modifier for a Unit type."""
    cdef ModRef found[MAX_SOURCES]
    cdef int i, total = 0
    for i in range(mods_of(s, t, p, mod, found)):
        if found[i].types >> type & 1 and on_side(found[i], side):
            total += found[i].n
    return total


cdef int coloured_sum(const State *s, const Tables *t, int p, int mod, int colour, int side) noexcept nogil:
    """The sum of a modifier with exactly that colour (DIE_COLOUR_ANY: those for any)."""
    cdef ModRef found[MAX_SOURCES]
    cdef int i, total = 0
    for i in range(mods_of(s, t, p, mod, found)):
        if found[i].colour == colour and on_side(found[i], side):
            total += found[i].n
    return total


cdef int part_sum(const State *s, const Tables *t, int p, int mod, int part, int type) noexcept nogil:
    """The sum of upgrade_cost (for a Unit type) or module_cost (``type`` -1) in one part."""
    cdef ModRef found[MAX_SOURCES]
    cdef int i, total = 0
    if not has_mod(s, p, mod):
        return 0
    for i in range(mods_of(s, t, p, mod, found)):
        if found[i].part == part and (type < 0 or part != PART_VEHICLE or found[i].types >> type & 1):
            total += found[i].n
    return total


cdef int limit_sum(const State *s, const Tables *t, int p, int what) noexcept nogil:
    """The sum of `limit`."""
    cdef ModRef found[MAX_SOURCES]
    cdef int i, total = 0
    if not has_mod(s, p, MOD_LIMIT):
        return 0
    for i in range(mods_of(s, t, p, MOD_LIMIT, found)):
        if found[i].limit == what:
            total += found[i].n
    return total


cdef int move_bonus(const State *s, const Tables *t, int p, int type, bint jump) noexcept nogil:
    """The sum of `move` for walks or jumps of a Unit type."""
    cdef ModRef found[MAX_SOURCES]
    cdef int i, total = 0
    for i in range(mods_of(s, t, p, MOD_MOVE, found)):
        if found[i].types >> type & 1:
            if found[i].mode == MOVE_MODE_EITHER or found[i].mode == (MOVE_MODE_JUMP if jump else MOVE_MODE_WALK):
                total += found[i].n
    return total


cdef inline int movement_of(const State *s, const Tables *t, int p, int type, bint jump) noexcept nogil:
    """Spaces of a Move (U2.4)."""
    cdef int steps = t.movement[type]
    if has_mod(s, p, MOD_MOVE):
        steps += move_bonus(s, t, p, type, jump)
        if steps < 0:
            steps = 0
    return steps


cdef int ability_types(const State *s, const Tables *t, int p, int ability) noexcept nogil:
    """Types that have a Unit Ability by an effect, a bit each."""
    cdef ModRef found[MAX_SOURCES]
    cdef int i, types = 0
    if not has_mod(s, p, MOD_ABILITY):
        return 0
    for i in range(mods_of(s, t, p, MOD_ABILITY, found)):
        if found[i].ability == ability:
            types |= found[i].types
    return types


cdef uint32_t denials_of(const State *s, const Tables *t, int p) noexcept nogil:
    """What is denied to a player, a bit each."""
    cdef ModRef found[MAX_SOURCES]
    cdef uint32_t denials = 0
    cdef int i
    for i in range(mods_of(s, t, p, MOD_DENY, found)):
        denials |= found[i].denials
    return denials


cdef inline bint denied(const State *s, const Tables *t, int p, int what) noexcept nogil:
    """Whether something is denied to a player (C32)."""
    return has_mod(s, p, MOD_DENY) and denials_of(s, t, p) >> what & 1


cdef bint immune(const State *s, const Tables *t, int p, int what) noexcept nogil:
    """Whether what is a player's is no target of another player's effect (V1.8)."""
    cdef ModRef found[MAX_SOURCES]
    cdef int i
    if not has_mod(s, p, MOD_IMMUNE):
        return False
    for i in range(mods_of(s, t, p, MOD_IMMUNE, found)):
        if found[i].immunities >> what & 1:
            return True
    return False


cdef inline bint shielded(const State *s, const Tables *t, int p, int what, int me) noexcept nogil:
    """Whether ``p`` is immune to an effect of ``me``."""
    return p != me and immune(s, t, p, what)


cdef inline int engage_types(const State *s, const Tables *t, int p) noexcept nogil:
    """Types with Engage (U3.1)."""
    return t.engage | ability_types(s, t, p, UNIT_ABILITY_ENGAGE)


cdef inline int warning_types(const State *s, const Tables *t, int p) noexcept nogil:
    """Types with Early Warning."""
    if denied(s, t, p, DENIAL_EARLY_WARNING):
        return 0
    return t.warning | ability_types(s, t, p, UNIT_ABILITY_EARLY_WARNING)


cdef inline int jumpjet_types(const State *s, const Tables *t, int p) noexcept nogil:
    """Types with Jumpjets."""
    if denied(s, t, p, DENIAL_JUMPJET):
        return 0
    return t.jumpjet | ability_types(s, t, p, UNIT_ABILITY_JUMPJET)


cdef inline u128 tunl_of(const State *s, const Tables *t, int p) noexcept nogil:
    """TUNL tiles, as far as they are adjacent for a player."""
    if denied(s, t, p, DENIAL_TUNL):
        return 0
    return feature_set(s, FT_TUNL)


cdef int shields_of(const State *s, const Tables *t, int p, int space) noexcept nogil:
    """Shields of a side: Units that have it, and what effects add."""
    cdef uint8_t squad = squad_of(s, p, space)
    cdef int types = t.shield
    cdef int shields = 0, type
    if not s.mods[p]:
        return t.squad_shields[squad]
    types |= ability_types(s, t, p, UNIT_ABILITY_SHIELD)
    if denied(s, t, p, DENIAL_SHIELD):
        types = 0
    for type in range(5):
        if types >> type & 1:
            shields += squad_count(squad, type)
    shields += sided_sum(s, t, p, MOD_SHIELDS, side_of(s, t, p, space))
    return shields if shields > 0 else 0


cdef inline int side_of(const State *s, const Tables *t, int p, int space) noexcept nogil:
    """ROLE_ATTACKER or ROLE_DEFENDER of a player in the Combat of a space; NO_SIDE: none there, or not involved."""
    if not has128(s.combat, space) or not has128(s.seat[p].occupied, space):
        return NO_SIDE
    return ROLE_ATTACKER if attacker_at(s, t, space) == p else ROLE_DEFENDER


cdef int health_of(const State *s, const Tables *t, int p, int type, int which, int side) noexcept nogil:
    """One of the Health numbers of a type; 0: there is no such number."""
    cdef int health = t.health[type][which]
    if health and has_mod(s, p, MOD_HEALTH):
        health += typed_sum(s, t, p, MOD_HEALTH, type, side)
        if health < 1:
            health = 1
    return health


cdef void count_dice(const State *s, const Tables *t, int p, int space, int *red, int *yellow) noexcept nogil:
    """Combat Dice of a side in a Strike (K4.1) with what effects add; a side that does not roll has none."""
    cdef ModRef found[MAX_SOURCES]
    cdef uint8_t squad = squad_of(s, p, space)
    cdef int i, type, units, side
    red[0] = t.squad_red[squad]
    yellow[0] = t.squad_yellow[squad]
    if not has_mod(s, p, MOD_DICE) or squad_plain(squad) == 0:
        return
    side = side_of(s, t, p, space)
    for i in range(mods_of(s, t, p, MOD_DICE, found)):
        if not on_side(found[i], side):
            continue
        units = 1
        if found[i].per == PER_UNIT:
            units = 0
            for type in range(5):
                if found[i].types >> type & 1:
                    units += squad_count(squad, type)
        if found[i].colour == DIE_COLOUR_RED:
            red[0] += units * found[i].n
        else:
            yellow[0] += units * found[i].n
    if red[0] < 0:
        red[0] = 0
    if yellow[0] < 0:
        yellow[0] = 0


cdef bint not_captured(const State *s, const Tables *t, int owner, int striker, int type) noexcept nogil:
    """Whether a Unit defeated in a Strike or by K3.5 goes to its Reserve (`no_capture`)."""
    cdef ModRef found[MAX_SOURCES]
    cdef int i
    if has_mod(s, owner, MOD_NO_CAPTURE):
        for i in range(mods_of(s, t, owner, MOD_NO_CAPTURE, found)):
            if found[i].side == SIDE_OWN and found[i].types >> type & 1:
                return True
    if has_mod(s, striker, MOD_NO_CAPTURE):
        for i in range(mods_of(s, t, striker, MOD_NO_CAPTURE, found)):
            if found[i].side == SIDE_ENEMY and found[i].types >> type & 1:
                return True
    return False


cdef u128 passed_features(const State *s, const Tables *t, int p, int type) noexcept nogil:
    """Lakes and Mountains that a Unit of the type may walk through (`pass`)."""
    cdef ModRef found[MAX_SOURCES]
    cdef u128 spaces = 0
    cdef int i
    for i in range(mods_of(s, t, p, MOD_PASS, found)):
        if found[i].types >> type & 1:
            if found[i].features >> PASS_FEATURE_LAKE & 1:
                spaces |= feature_set(s, FT_LAKE)
            if found[i].features >> PASS_FEATURE_MOUNTAIN & 1:
                spaces |= feature_set(s, FT_MOUNTAIN)
    return spaces


cdef u128 granted_locations(const State *s, const Tables *t, int p) noexcept nogil:
    """Deploy Locations that effects give (`deploy_at`)."""
    cdef ModRef found[MAX_SOURCES]
    cdef Env e
    cdef u128 spaces = 0
    cdef int i
    set_env(&e, p, NULL)
    for i in range(mods_of(s, t, p, MOD_DEPLOY_AT, found)):
        spaces |= space_board(s, t, found[i].space, &e)
    return spaces


cdef int reach_of(const State *s, const Tables *t, int p, int action) noexcept nogil:
    """Spaces that an effect adds to Persuade, Neutralize or Cyber Attack."""
    cdef ModRef found[MAX_SOURCES]
    cdef int i, most = 0
    if not has_mod(s, p, MOD_REACH):
        return 0
    for i in range(mods_of(s, t, p, MOD_REACH, found)):
        if found[i].reaches >> action & 1 and found[i].n > most:
            most = found[i].n
    return most


cdef bint quiet(const State *s, const Tables *t, int p, int action) noexcept nogil:
    """Whether an action (TREMOR_ACTION_...) of a player's Unit has no Tremor (`no_tremor`)."""
    cdef ModRef found[MAX_SOURCES]
    cdef int i
    if not has_mod(s, p, MOD_NO_TREMOR):
        return False
    for i in range(mods_of(s, t, p, MOD_NO_TREMOR, found)):
        if found[i].tremors >> action & 1:
            return True
    return False


cdef int cyber_bonus(const State *s, const Tables *t, int attacker, int target) noexcept nogil:
    """Dice that effects add to a Cyber Attack."""
    cdef ModRef found[MAX_SOURCES]
    cdef int i, total = 0
    if has_mod(s, attacker, MOD_CYBER_DICE):
        for i in range(mods_of(s, t, attacker, MOD_CYBER_DICE, found)):
            if found[i].side == SIDE_ATTACK:
                total += found[i].n
    if has_mod(s, target, MOD_CYBER_DICE):
        for i in range(mods_of(s, t, target, MOD_CYBER_DICE, found)):
            if found[i].side == SIDE_DEFEND:
                total += found[i].n
    return total


cdef int turn_icons(const State *s, const Tables *t, int p) noexcept nogil:
    """Icons a player has this turn (T5.1), a bit each: none without a card Played this turn (C38)."""
    cdef ModRef found[MAX_SOURCES]
    cdef int i, card
    cdef int icons = 1 << ICON_GREY
    cdef int column = column_of(s)
    if p != s.active or s.played_card < 0:
        return 0
    icons |= t.command_icons[s.played_card]
    if not has_mod(s, p, MOD_BONUS_ICONS):
        return icons
    for i in range(mods_of(s, t, p, MOD_BONUS_ICONS, found)):
        icons |= found[i].icons
        card = -1
        if found[i].source == ICON_SOURCE_BURNED:
            card = burned_card(&s.seat[p], column)
        elif found[i].source == ICON_SOURCE_PREVIOUS and column > 0:
            card = board_played(&s.seat[p], column - 1)
        if card >= 0:
            icons |= t.command_icons[card]
    return icons


cdef bint bonus_rule(const State *s, const Tables *t, int p, int rule) noexcept nogil:
    """Whether a rule of the Bonus step is in force (BONUS_RULE_...)."""
    cdef ModRef found[MAX_SOURCES]
    cdef int i
    if not has_mod(s, p, MOD_BONUS_RULE):
        return False
    for i in range(mods_of(s, t, p, MOD_BONUS_RULE, found)):
        if found[i].rule == rule:
            return True
    return False


cdef int reclaim_price(const State *s, const Tables *t, int p, int res) noexcept nogil:
    """How many Discovery Cards or Lorium may be paid to Reclaim (`reclaim_with`); 0: none."""
    cdef ModRef found[MAX_SOURCES]
    cdef int i, least = 0
    if not has_mod(s, p, MOD_RECLAIM_WITH):
        return 0
    for i in range(mods_of(s, t, p, MOD_RECLAIM_WITH, found)):
        if found[i].res == res and (least == 0 or found[i].n < least):
            least = found[i].n
    return least


cdef void gather_bonus(const State *s, const Tables *t, int p, int action, bint first_in_space,
                       bint first_of_action, int *lorium, int *cards) noexcept nogil:
    """What effects add to one Unit's yield (C81)."""
    cdef ModRef found[MAX_SOURCES]
    cdef int i
    if not has_mod(s, p, MOD_GATHER_BONUS):
        return
    for i in range(mods_of(s, t, p, MOD_GATHER_BONUS, found)):
        if not found[i].gathers >> action & 1:
            continue
        if found[i].per == PER_SPACE and not first_in_space:
            continue
        if found[i].per == PER_ACTION and not first_of_action:
            continue
        if found[i].res == GOOD_LORIUM:
            lorium[0] += found[i].n
        else:
            cards[0] += found[i].n
    if lorium[0] < 0:
        lorium[0] = 0
    if cards[0] < 0:
        cards[0] = 0
