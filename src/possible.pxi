# When a step is possible and a program startable (docs/cards.md, V1.2, section 4.1), and what a verb can treat.

cdef bint startable(const State *s, const Tables *t, int first, const Env *e) noexcept nogil:
    """V1.2: whether each step of the head of a list is possible, tested by itself."""
    cdef const Step *step
    cdef int filled = 0    # registers that an earlier step of the head fills (C91)
    cdef int i = first
    while True:
        step = &t.steps[i]
        if step.flags & SF_NEVER:
            return False
        if step.needs & filled:
            pass
        elif e.r == NULL or lacking(s, e.r, step.needs):
            return False
        elif step.verb == VERB_PICK:  # offers only what leaves the rest of the head possible
            if step.what == PICK_WHAT_SPACE:
                return any128(pick_spaces(s, t, step, e, True))
            if step.what == PICK_WHAT_PLAYER:
                return pick_players(s, t, step, e) != 0
            return pick_terrains(s, t, step, e) != 0
        elif not any_possible(s, t, step, e, player_mask(s, t, step.who, e)):
            return False
        if step.flags & SF_LAST or not (step.flags & SF_MUST or step.verb == VERB_GRANT):
            return True
        filled |= step_sets(step)
        i += 1


cdef inline int step_sets(const Step *step) noexcept nogil:
    """Registers that a step of a head fills, `pick` aside, a bit each."""
    if step.verb == VERB_GRANT or step.verb == VERB_PICK:
        return 0
    if step.verb == VERB_PAY or step.verb == VERB_GAIN or step.verb == VERB_LOSE:
        return 1 << REGISTER_N
    if step.verb == VERB_STEAL:
        return 1 << REGISTER_N | 1 << REGISTER_PLAYER
    if step.verb == VERB_CONTROL:
        return 1 << REGISTER_N | 1 << REGISTER_PLAYER | 1 << REGISTER_SPACE
    if (VERB_DEPLOY <= step.verb <= VERB_GATHER) or step.verb == VERB_FLEE:
        return 1 << REGISTER_N | 1 << REGISTER_UNIT | 1 << REGISTER_SPACE | 1 << REGISTER_FROM
    if step.verb == VERB_COLLAPSE or step.verb == VERB_TOKEN or step.verb == VERB_COMBAT:
        return 1 << REGISTER_N | 1 << REGISTER_SPACE
    return 1 << REGISTER_N if step.flags & SF_SETS_N else 0


cdef bint any_possible(const State *s, const Tables *t, const Step *step, const Env *e, int players) noexcept nogil:
    """Whether a step is possible for one of the performers; in full if it is `must`."""
    cdef int p
    for p in range(t.players):
        if players >> p & 1 and possible(s, t, step, e, p, NOBODY, step.flags & SF_MUST != 0):
            return True
    return False


cdef int payees(const State *s, const Tables *t, const Step *step, const Env *e, int p, int other) noexcept nogil:
    """Who may be paid by p, a bit each; all of them are, unless one is chosen."""
    if other != NOBODY:
        return 1 << other & ~(1 << p)
    return player_mask(s, t, step.player, e) & ~(1 << p)


cdef bint payable(const State *s, const Tables *t, const Step *step, const Env *e, int p, int other) noexcept nogil:
    """Whether p can pay in full (C49, C73)."""
    cdef int n = count_value(s, t, &step.n, e)
    cdef int players = 1
    if step.player != WHO_SUPPLY:
        players = payees(s, t, step, e, p, other)
        if players == 0:
            return False
    if step.what == GOOD_LORIUM:
        return lorium_of(&s.seat[p]) >= n
    if step.what == GOOD_TOKEN:
        return s.seat[p].tokens >= n
    if step.what == GOOD_INFLUENCE:
        return troop_influence(s, t, p) >= n
    if step.what == GOOD_HOSTAGE:
        if not chooses_one(step.player):
            n *= popcount64(<uint64_t>players)
        return unlocked_units(s, p, 0) + unlocked_units(s, p, 1) + unlocked_units(s, p, 2) >= n
    if step.what == GOOD_RELIC:
        return relics_held(&s.seat[p]) >= n
    if step.what == GOOD_ANY:
        return losable(s, t, p, GOOD_ANY) - s.seat[p].lorium + lorium_of(&s.seat[p]) >= n
    return losable(s, t, p, step.what) >= n


cdef inline bint enough(int found, int n, bint full) noexcept nogil:
    """Once, or with ``full`` n times (ALL: once)."""
    if not full or n == ALL:
        return found > 0
    return found >= n


cdef bint possible(const State *s, const Tables *t, const Step *step, const Env *e, int p, int other,
                   bint full) noexcept nogil:
    """Section 4.1 for performer p, and with ``other`` in place of the second word; ``full``: as often as n says."""
    cdef int verb = step.verb
    cdef int n = 1
    cdef int q, players, found
    if full and verb >= VERB_GAIN:
        n = count_value(s, t, &step.n, e)
        if n == 0:  # C13
            return True
    if verb == VERB_CHOOSE:
        return choose_options(s, t, step, e) != 0
    if verb == VERB_IF:
        if cond_holds(s, t, step.cond, e):
            return startable(s, t, t.lists[step.lists], e)
        return step.list_count > 1 and startable(s, t, t.lists[step.lists + 1], e)
    if verb == VERB_EACH:
        return each_has_item(s, t, step, e)
    if verb == VERB_PAY:
        return payable(s, t, step, e, p, other)
    if verb == VERB_PICK:
        if step.what == PICK_WHAT_SPACE:
            return any128(pick_spaces(s, t, step, e, True))
        return (pick_players(s, t, step, e) if step.what == PICK_WHAT_PLAYER else pick_terrains(s, t, step, e)) != 0
    if verb == VERB_GAIN:
        if step.what == GOOD_MARKER:
            return s.marker != p
        if step.what == GOOD_TOKEN:
            return s.seat[p].faction >= 0 and t.faction_counter[s.seat[p].faction]
        if step.what == GOOD_BLUEPRINT:
            players = 1 << other if other != NOBODY else player_mask(s, t, step.player, e)
            for q in range(t.players):
                if players >> q & 1 and q != p and enough(popcount64(<uint64_t>obtainable(s, t, p, q)), n, full):
                    return True
            return False
        return True
    if verb == VERB_LOSE:
        return not shielded(s, t, p, IMMUNITY_LOSE, e.me) and enough(losable(s, t, p, step.what), n, full)
    if verb == VERB_STEAL:
        players = 1 << other if other != NOBODY else player_mask(s, t, step.player, e)
        players &= ~(1 << p)
        found = 0
        for q in range(t.players):
            if players >> q & 1 and not shielded(s, t, q, IMMUNITY_STEAL, e.me):
                if enough(losable(s, t, q, step.what), n, full):
                    found |= 1 << q
        if full and n != ALL and (step.player == WHO_EACH_OPPONENT or step.player == WHO_ALL):
            return found != 0 and found == players
        return found != 0
    if verb == VERB_TRADE:
        return not denied(s, t, p, DENIAL_TRADE)
    if verb == VERB_STORE:
        return s.seat[p].lorium > 0 and store_slots(s, p, step.value) != 0
    if verb == VERB_DEPLOY:
        return deploy_possible(s, t, step, e, p, n, full)
    if VERB_CONVERT <= verb <= VERB_GATHER:
        if t.units[step.units].where != WHERE_PLANET and not t.units[step.units].is_register:
            return enough(captives_matching(s, t, step, e, p), n, full)
        if verb == VERB_PLACE and step.swap >= 0:
            return any128(swap_spaces(s, t, step, e))
        if (verb == VERB_ACT) and s.programs >= t.limit_programs:
            return False
        return enough(count_targets(s, t, step, e, p, n if full and n != ALL else 1), n, full)
    if verb == VERB_COMMAND:
        return s.programs < t.limit_programs and command_cards(s, t, step.actions, p) != 0
    if verb == VERB_RECLAIM:
        return enough(popcount64(<uint64_t>reclaimable(s, t, step, p)), n, full)
    if verb == VERB_BONUS:
        return any_bonus(s, t, p, step_cells(s, t, step, e, p), e.playing)
    if verb == VERB_PLAY:
        if s.programs >= t.limit_programs:
            return False
        if step.what == PLAY_AS_REWARD:
            return any128(s.seat[p].hand) and not denied(s, t, p, DENIAL_REWARD)
        return any128(playable_cards(s, t, p, e.playing))
    if verb == VERB_CONTROL:
        if step.player != WHO_NONE and other == NOBODY and chooses_one(step.player):
            players = player_mask(s, t, step.player, e)
            for q in range(t.players):
                if players >> q & 1 and enough(count128(control_board(s, t, step, e, p, q)), n, full):
                    return True
            return False
        q = other
        if step.player == WHO_NONE:
            q = NOBODY
        elif other == NOBODY:
            players = player_mask(s, t, step.player, e)
            if not players:
                return False
            q = ctz64(<uint64_t>players)
        return enough(count128(control_board(s, t, step, e, p, q)), n, full)
    if verb == VERB_COLLAPSE:
        return enough(count128(space_board(s, t, step.space, e) & tiles_left(s)), n, full)
    if verb == VERB_TOKEN:
        found = count128(token_spaces(s, t, step, e))
        return enough(found, n, full)
    if verb == VERB_COMBAT:
        found = count128(s.combat if step.what == COMBAT_AXIS_ANY else s.combat & s.seat[p].occupied)
        return enough(found, n, full)
    if verb == VERB_FLEE:
        return any128(free_flee_spaces(s, t, p))
    if verb == VERB_DIE:
        return enough(dice_of(s, step.word, 0), n, full)
    if verb == VERB_CYBER:
        return enough(cyber_units(s, t, p, <int>(step - t.steps)), n, full)
    if verb == VERB_RANSOM:
        return enough(popcount64(<uint64_t>ransom_players(s, t, p)), n, full)
    if verb == VERB_CONSTRUCT:
        return enough(popcount64(<uint64_t>payable_modules(s, t, p, step.what, step.extra)), n, full)
    return True


# ------------------------------------------------------------------------------------------- what a verb can treat
cdef u128 deploy_step_spaces(const State *s, const Tables *t, const Step *step, const Env *e, int p,
                             int type) noexcept nogil:
    """Where the verb `deploy` may put a Unit of the type."""
    if step.space < 0:
        return deploy_spaces(s, t, p, type)
    return space_board(s, t, step.space, e) & stops(s, t, p, type, True)


cdef int step_budget(const State *s, const Tables *t, const Step *step, int p) noexcept nogil:
    """The budget of a `deploy`; NO_BUDGET if it has none."""
    if step.special:
        return recruit_budget(s, t, p)
    return step.value if step.value >= 0 else NO_BUDGET


cdef bint deploy_possible(const State *s, const Tables *t, const Step *step, const Env *e, int p, int n,
                          bint full) noexcept nogil:
    """`deploy`: a listed type in Reserve, within the budget, with a legal space."""
    cdef int budget = step_budget(s, t, step, p)
    cdef int type, units = 0
    for type in range(5):
        if step.types >> type & 1 and s.seat[p].reserve[type]:
            if (budget == NO_BUDGET or t.influence_cost[type] <= budget) and \
                    any128(deploy_step_spaces(s, t, step, e, p, type)):
                units += s.seat[p].reserve[type]
    return enough(units, n, full and budget == NO_BUDGET)


cdef int converts_to(const State *s, const Tables *t, const Step *step, const Env *e, int owner, int type,
                     int space) noexcept nogil:
    """Types that the verb `convert` can turn a Unit into, a bit each."""
    cdef int reserve = reserve_types(s, t, owner, 31)
    cdef int base, mode
    cdef uint8_t squad
    if step.what == CONVERT_TO_TROOP:
        return reserve & t.troops & ~(1 << type) if type < 3 else 0
    if step.what <= CONVERT_TO_SPEAKER:
        return reserve & 1 << step.what if type < 3 and type != step.what else 0
    squad = squad_of(s, owner, space)
    if step.what == CONVERT_TO_BASE:
        for base in range(3):
            if t.upgrades_to[base] == type:
                return reserve & 1 << base
        return 0
    if type > 2 or squad_vehicle(squad):
        return 0
    mode = UPGRADE_ANY
    if step.word == DROPSHIP_NEVER:
        mode = UPGRADE_STANDARD
    elif step.word == DROPSHIP_ONLY:
        mode = UPGRADE_DROPSHIP
    if not has128(upgrade_places(s, t, owner, mode, t.upgrades_to[type], step.extra), space):
        return 0
    return 1 << t.upgrades_to[type]


cdef int act_actions(const State *s, const Tables *t, const Step *step, int p, int type, int space) noexcept nogil:
    """Actions that the verb `act` offers a Unit, a bit each (C05, C46)."""
    cdef int card = card_of_unit(t, type)
    cdef int actions
    if card < 0:
        return 0
    actions = card_actions(s, t, p, card)
    if not step.special:
        actions &= step.actions
    return possible_actions(s, t, p, actions, space)


cdef inline int immunity_of(int verb) noexcept nogil:
    """What protects Units from a verb; -1: nothing."""
    if verb == VERB_DESTROY:
        return IMMUNITY_DESTROY
    if verb == VERB_CAPTURE:
        return IMMUNITY_CAPTURE
    if verb == VERB_CONFUSE:
        return IMMUNITY_CONFUSE
    if verb == VERB_CONVERT:
        return IMMUNITY_CONVERT
    if verb == VERB_MOVE or verb == VERB_PLACE:
        return IMMUNITY_DRIVE
    return -1


cdef int target_owners(const State *s, const Tables *t, const Step *step, const Env *e, int p) noexcept nogil:
    """Owners whose Units a verb may treat, a bit each."""
    cdef const UnitSel *sel = &t.units[step.units]
    cdef int owners
    cdef int protects = immunity_of(step.verb)
    cdef int owner
    if sel.is_register:
        owners = 1 << unit_owner(e.r) if e.r != NULL and e.r.unit else 0
    else:
        owners = owner_mask(t, sel.owner, e)
    if step.verb == VERB_CAPTURE:
        owners &= ~(1 << p)
    elif step.verb == VERB_ACT:
        owners &= 1 << p
    elif step.verb == VERB_CONVERT and step.what == CONVERT_TO_VEHICLE:
        owners &= 1 << p
    if protects >= 0:
        for owner in range(t.players):
            if owners >> owner & 1 and shielded(s, t, owner, protects, e.me):
                owners &= ~(1 << owner)
    return owners


cdef bint treatable(const State *s, const Tables *t, const Step *step, const Env *e, int p, int owner, int space,
                    int type) noexcept nogil:
    """Whether a verb's own demands are met by a Unit that matches."""
    cdef int verb = step.verb
    if verb == VERB_DESTROY or verb == VERB_CAPTURE or verb == VERB_RECALL:
        return type != UT_SHIP
    if verb == VERB_CONFUSE:
        return type <= UT_SPEAKER and not has128(s.combat, space)
    if verb == VERB_CONVERT:
        return converts_to(s, t, step, e, owner, type, space) != 0
    if verb == VERB_MOVE:
        return any128(steer_ends(s, t, e, step, owner, type, space, False)) or \
            any128(steer_ends(s, t, e, step, owner, type, space, True))
    if verb == VERB_PLACE:
        return type != UT_SHIP and any128(place_ends(s, t, e, step, owner, type, space))
    if verb == VERB_ACT:
        return not has128(s.combat, space) and act_actions(s, t, step, p, type, space) != 0
    # gather
    return type != UT_SHIP and has128(action_spaces(s, t, owner, step.what), space)


cdef int target_types(const State *s, const Tables *t, const Step *step, const Env *e, int p, int owner,
                      int space) noexcept nogil:
    """Types of an owner's Units in a space that a verb can treat, a bit each; Confused Troops if the selector asks for
    those. The axes owner and at are the caller's.
    """
    cdef const UnitSel *sel = &t.units[step.units]
    cdef int types, type
    if not is_there(s, owner, space) and not sel.is_register:
        return 0
    types = types_at(s, t, sel, e, owner, space)
    if not sel.is_register and sel.state == STATE_CONFUSED:
        types = 0
        if step.verb == VERB_DESTROY or step.verb == VERB_CAPTURE:
            types = confused_at(s, t, sel, e, owner, space)
    elif step.verb == VERB_DESTROY:
        types |= confused_at(s, t, sel, e, owner, space)
    elif step.verb == VERB_ACT and step.special and s.confused and not sel.is_register:
        types |= confused_actors(s, t, sel, e, owner, space)
    for type in range(6):
        if types >> type & 1 and not treatable(s, t, step, e, p, owner, space, type):
            types &= ~(1 << type)
    return types


cdef int confused_actors(const State *s, const Tables *t, const UnitSel *sel, const Env *e, int owner,
                         int space) noexcept nogil:
    """Confused Troops that `act` with all may choose, in a space without enemies (section 4.4)."""
    cdef uint8_t squad
    cdef int type
    cdef int types = 0
    if sel.state == STATE_LOCKED or has128(s.combat, space):
        return 0
    squad = squad_of(s, owner, space)
    for type in range(3):
        if squad_count(squad, CONFUSED + type):
            types |= 1 << type
    return types & fitting_types(s, t, sel, e, owner, space)


cdef u128 target_board(const State *s, const Tables *t, const Step *step, const Env *e) noexcept nogil:
    """Spaces in which Units may match."""
    cdef const UnitSel *sel = &t.units[step.units]
    cdef u128 board = units_board(s, t, step.units, e)
    cdef int owner, type
    if step.verb == VERB_ACT and step.special and s.confused and not sel.is_register:
        for owner in range(t.players):
            if owner_mask(t, sel.owner, e) >> owner & 1:
                for type in range(3):
                    board |= confused_of(s, owner, type)
        if sel.at >= 0:
            board &= space_board(s, t, sel.at, e)
    return board


cdef int target_units(const State *s, const Tables *t, const Step *step, const Env *e, int owner, int space,
                      int type) noexcept nogil:
    """How many Units of a type that `target_types` has named there are."""
    cdef const UnitSel *sel = &t.units[step.units]
    cdef int units
    if not sel.is_register and sel.state == STATE_CONFUSED:
        return squad_count(squad_of(s, owner, space), CONFUSED + type)
    units = matching_units(s, t, sel, e, owner, space, type)
    if step.verb == VERB_DESTROY and sel.confused and type <= UT_SPEAKER and s.confused:
        units += squad_count(squad_of(s, owner, space), CONFUSED + type)
    if step.verb == VERB_ACT and step.special and type <= UT_SPEAKER and s.confused and not has128(s.combat, space):
        units += squad_count(squad_of(s, owner, space), CONFUSED + type)
    if e.listed and owner == s.mark_owner:
        units -= marked_units(s, space, type, MARK_LIST)
    return units


cdef int count_targets(const State *s, const Tables *t, const Step *step, const Env *e, int p,
                       int most) noexcept nogil:
    """How many Units a verb can treat, counted up to ``most``."""
    cdef int owners = target_owners(s, t, step, e, p)
    cdef u128 board
    cdef int owner, space, types, type, found = 0
    if not owners:
        return 0
    board = target_board(s, t, step, e)
    while any128(board):
        space = first128(board)
        board = rest128(board)
        for owner in range(t.players):
            if not owners >> owner & 1:
                continue
            types = target_types(s, t, step, e, p, owner, space)
            for type in range(6):
                if types >> type & 1:
                    found += target_units(s, t, step, e, owner, space, type)
            if found >= most:
                return found
    return found


cdef int captives_matching(const State *s, const Tables *t, const Step *step, const Env *e, int p) noexcept nogil:
    """How many Captured Units `recall` or `capture` can take out of Holding Areas."""
    cdef int holder, owner, type, types, total = 0
    for holder in range(t.players):
        for owner in range(t.players):
            types = captives_of(s, t, step, e, p, holder, owner)
            for type in range(5):
                if types >> type & 1:
                    total += captive_count(s.seat[holder].captured[owner], type)
    return total


cdef int captives_of(const State *s, const Tables *t, const Step *step, const Env *e, int p, int holder,
                     int owner) noexcept nogil:
    """Types of Captured Units of an owner with a holder that a verb can take, a bit each."""
    if step.verb == VERB_CAPTURE:
        if holder == p or owner == p or shielded(s, t, holder, IMMUNITY_STEAL, e.me):
            return 0
    return units_held(s, t, &t.units[step.units], e, holder, owner)


cdef int swap_origin(const State *s, const Env *e) noexcept nogil:
    """The space whose own Units `place` with swap moves: of $space, which may be several, the first with any (C42)."""
    cdef u128 spaces
    if e.r == NULL or e.r.space == NOWHERE:
        return NOWHERE
    spaces = register_spaces(s, e.r) & s.seat[e.me].occupied
    return first128(spaces) if any128(spaces) else NOWHERE


cdef u128 swap_spaces(const State *s, const Tables *t, const Step *step, const Env *e) noexcept nogil:
    """PLACE_TO of `place` with swap: spaces whose Units the own ones at $space may change places with (C42)."""
    cdef const UnitSel *sel = &t.units[step.swap]
    cdef int origin = swap_origin(s, e)
    cdef int owners, space, q
    cdef u128 rest, board = 0
    cdef uint8_t mine, theirs
    if origin == NOWHERE:
        return 0
    mine = squad_of(s, e.me, origin)
    if mine == 0 or squad_confused(mine) or shielded(s, t, e.me, IMMUNITY_DRIVE, e.me):
        return 0
    rest = units_board(s, t, step.swap, e) & ~s.combat & ~bit128(origin)
    owners = owner_mask(t, sel.owner, e) & ~(1 << e.me)
    while any128(rest):
        space = first128(rest)
        rest = rest128(rest)
        q = owner_at(s, t, space, -1)
        if q < 0 or not owners >> q & 1 or has128(s.seat[q].occupied, origin):
            continue
        theirs = s.squad[space]
        if squad_confused(theirs) or shielded(s, t, q, IMMUNITY_DRIVE, e.me):
            continue
        board |= bit128(space)
    return board


cdef int reclaimable(const State *s, const Tables *t, const Step *step, int p) noexcept nogil:
    """Command Cards that `reclaim` may take back (C38), a bit each."""
    cdef int cards = 0
    cdef int column
    if denied(s, t, p, DENIAL_RECLAIM):
        return 0
    for column in range(NUM_COLUMNS):
        if p == s.active and column == column_of(s):
            continue
        if burned_card(&s.seat[p], column) >= 0:
            cards |= 1 << burned_card(&s.seat[p], column)
        if step.what == RECLAIM_FROM_ANY and board_played(&s.seat[p], column) >= 0:
            cards |= 1 << board_played(&s.seat[p], column)
    return cards


cdef uint32_t step_cells(const State *s, const Tables *t, const Step *step, const Env *e, int p) noexcept nogil:
    """The cells that the verb `bonus` offers."""
    cdef int icons = step.actions
    if step.what == ICONS_FROM_EVENT:
        return bit32(e.r.card) if e.r != NULL and e.r.card < N_BA else 0
    if step.what == ICONS_FROM_PLAYED:
        icons = turn_icons(s, t, p)
    if step.word == BONUS_COLUMN_ANY:
        return reward_cells(t, icons)
    return column_cells(t, icons, column_of(s))


cdef u128 control_board(const State *s, const Tables *t, const Step *step, const Env *e, int p, int to) noexcept nogil:
    """Habitats that `control` may give to player ``to`` (NOBODY: to none)."""
    cdef u128 spaces
    cdef int seat, action
    cdef int reach = 0
    if step.word != CONTROL_AS_EFFECT:
        action = CA_PERSUADE if step.word == CONTROL_AS_PERSUADE else CA_NEUTRALIZE
        if denied(s, t, p, denial_of(action)):
            return 0
        reach = action_reach(s, t, p, action)
    spaces = space_board_reaching(s, t, step.space, e, reach) & habitats(s)
    for seat in range(t.players):
        if seat == to or shielded(s, t, seat, IMMUNITY_CONTROL, e.me):
            spaces &= ~s.seat[seat].control
    if to == NOBODY:
        spaces &= controlled_by_others(s, t, -1)
    return spaces


cdef u128 token_spaces(const State *s, const Tables *t, const Step *step, const Env *e) noexcept nogil:
    """TOKEN_SPACE."""
    cdef u128 spaces = space_board(s, t, step.space, e)
    if step.what == TOKEN_OP_ADD:
        if s.token_supply == 0:
            return 0
        return spaces & devastated(s, t) & ~s.tokens & ~s.ships
    return spaces & s.tokens


cdef int cyber_units(const State *s, const Tables *t, int p, int step) noexcept nogil:
    """How many Units can attempt a Cyber Attack of a step."""
    cdef u128 spaces = cyber_spaces(s, t, p, step)
    cdef int units = 0
    cdef int type
    while any128(spaces):
        for type in range(5):
            units += squad_count(s.squad[first128(spaces)], type)
        spaces = rest128(spaces)
    return units
