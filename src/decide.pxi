# The options of a decision: one function of the state for each kind, so that the mask can be worked out at
# any time.

cdef inline void offer_action(uint64_t *mask, int action) noexcept nogil:
    """Add one action id."""
    mask[action >> 6] |= <uint64_t>1 << (action & 63)


cdef inline void offer_spaces(uint64_t *mask, u128 spaces) noexcept nogil:
    """Add SPACE + s for the members (128 to 254: two whole words)."""
    mask[2] |= low64(spaces)
    mask[3] |= high64(spaces)


cdef inline void offer_units(uint64_t *mask, int types) noexcept nogil:
    """Add UNIT + type for each bit."""
    mask[0] |= <uint64_t>types << A_UNIT


cdef inline void offer_players(uint64_t *mask, int seats) noexcept nogil:
    """Add PLAYER + seat for each bit."""
    mask[0] |= <uint64_t>seats << A_PLAYER


cdef inline void offer_modules(uint64_t *mask, int modules) noexcept nogil:
    """Add MODULE + m for each bit (60 to 65: across two words)."""
    mask[0] |= <uint64_t>modules << A_MODULE
    mask[1] |= <uint64_t>modules >> (64 - A_MODULE)


cdef inline void offer_commands(uint64_t *mask, int cards) noexcept nogil:
    """Add COMMAND + card for each bit."""
    mask[1] |= <uint64_t>cards << (A_COMMAND - 64)


cdef inline void offer_card_actions(uint64_t *mask, int actions) noexcept nogil:
    """Add ACTION + CardAction for each bit."""
    mask[1] |= <uint64_t>actions << (A_ACTION - 64)


cdef inline void offer_numbers(uint64_t *mask, int most) noexcept nogil:
    """Add NUMBER + 1 .. most."""
    mask[0] |= ((<uint64_t>1 << most) - 1) << (A_NUMBER + 1)


cdef inline void offer_designs(uint64_t *mask, const Tables *t, u128 copies) noexcept nogil:
    """Add CARD + design of Discovery copies."""
    while any128(copies):
        offer_action(mask, A_CARD + t.design_of[first128(copies)])
        copies = rest128(copies)


cdef inline void offer_relics(uint64_t *mask, const Tables *t, uint64_t copies) noexcept nogil:
    """Add CARD + design of Relic copies."""
    while copies:
        offer_action(mask, A_CARD + t.relic_design_of[ctz64(copies)])
        copies &= copies - 1


cdef inline void offer_slots(uint64_t *mask, const Seat *seat, bint relics, bint lorium) noexcept nogil:
    """Add SLOT + i for slots with an Active Relic, with stored Lorium."""
    cdef int slot
    for slot in range(NUM_SLOTS):
        if (relics and slot_relic(seat, slot) >= 0) or (lorium and slot_lorium(seat, slot)):
            offer_action(mask, A_SLOT + slot)


cdef inline void offer_options(uint64_t *mask, int options) noexcept nogil:
    """Add OPTION + i for each bit."""
    mask[0] |= <uint64_t>options << A_OPTION


cdef inline void offer_yes_no(uint64_t *mask) noexcept nogil:
    """Add YES and NO."""
    offer_action(mask, A_YES)
    offer_action(mask, A_NO)


cdef inline void offer_captives(uint64_t *mask, const Seat *seat, int owners, int types) noexcept nogil:
    """Add CAPTIVE + 5 * owner + type for Captured Units of these owners and types (a bit each)."""
    cdef int owner, type
    for owner in range(MAX_PLAYERS):
        if owners >> owner & 1 and seat.captured[owner]:
            for type in range(5):
                if types >> type & 1 and captive_count(seat.captured[owner], type):
                    offer_action(mask, A_CAPTIVE + 5 * owner + type)


cdef void offer(const State *s, const Tables *t, uint64_t *mask) noexcept nogil:
    """The legal set of the decision (``s.kind``, ``s.player``), whose procedure is the innermost frame.

    Every condition of the chain compares the kind alone with a constant: so it becomes one jump table.
    """
    cdef const Frame *f = top_of(s)
    cdef const Seat *seat = &s.seat[s.player]
    cdef int kind = s.kind
    cdef int player = s.player
    cdef int i
    memset(mask, 0, 8 * sizeof(uint64_t))
    if kind >= DK_REACT:
        offer_effect(s, t, f, mask)
        return
    if kind == DK_MOVE_TO:
        offer_move_to(s, t, f, player, mask)
    elif kind == DK_ACT_SPACE:
        offer_act_space(s, t, f, player, mask)
    elif kind == DK_ACT_TYPE:
        offer_act_type(s, t, f, player, mask)
    elif kind == DK_ACT_ACTION:
        offer_act_action(s, t, f, player, mask)
    elif kind == DK_TAKE_TOKEN:
        offer_take_token(s, t, f, player, mask)
    elif kind == DK_RELIC_WINDOW:
        offer_action(mask, A_DONE)
        offer_relics(mask, t, seat.relics if f.b < 0 else <uint64_t>1 << f.b)
        offer_slots(mask, seat, False, True)
    elif kind == DK_CLEAR_SLOT:
        offer_slots(mask, seat, True, True)
    elif kind == DK_UNSTORE_AMOUNT:
        offer_numbers(mask, slot_lorium(seat, f.c))
    elif kind == DK_KEEP_RELIC:
        for i in range(f.c):
            offer_action(mask, A_CARD + t.relic_design_of[beneath(f, 1)[i]])
    elif kind == DK_RECLAIM:
        if f.proc == PR_TURN:
            offer_action(mask, A_DONE)
            offer_commands(mask, ~seat.commands & ALL_COMMANDS)
        else:
            offer_verb(s, t, f, kind, mask)
    elif kind == DK_RECLAIM_RELIC:
        offer_reclaim(s, t, player, mask)
    elif kind == DK_DISCARD_RELIC:
        offer_relics(mask, t, seat.relics)
        offer_slots(mask, seat, True, False)
    elif kind == DK_PAY_CARD:
        if f.proc == PR_TURN:
            offer_designs(mask, t, seat.hand)
        else:
            offer_pay(s, t, f, kind, mask)
    elif kind == DK_RELIC_SLOT:
        if f.proc == PR_BONUS:
            offer_slots(mask, &s.seat[f.b], True, False)
        else:
            offer_pay(s, t, f, kind, mask)
    elif kind == DK_PAY_KIND or kind == DK_PAY_RELIC or kind == DK_PAY_CAPTIVE or kind == DK_PAY_HABITAT:
        offer_pay(s, t, f, kind, mask)
    elif kind == DK_BURN or kind == DK_PLAY:
        offer_commands(mask, seat.commands)
    elif kind == DK_SECTION or kind == DK_FINAL_STRIKE or kind == DK_TRADE_ANSWER or kind == DK_LAUNCH:
        offer_yes_no(mask)
    elif kind == DK_MOVE_MODE:
        offer_card_actions(mask, 1 << CA_MOVE | 1 << CA_JUMPJET)
    elif kind == DK_DEPLOY_TYPE:
        if f.c & DEPLOY_LONE and f.b >= 0 and t.steps[f.b].flags & SF_UPTO:
            offer_action(mask, A_DONE)
        offer_units(mask, deploy_types(s, t, f, player))
    elif kind == DK_DEPLOY_SPACE:
        offer_spaces(mask, deploy_board(s, t, f, player, f.c & 7))
    elif kind == DK_PROMOTE_SPACE:
        offer_spaces(mask, promote_spaces(s, t, player, f.a))
    elif kind == DK_PROMOTE_FROM:
        offer_units(mask, promote_types(s, t, player, f.b))
    elif kind == DK_PROMOTE_TO:
        if f.proc == PR_PROMOTE:
            offer_units(mask, reserve_types(s, t, player, t.troops) & ~(1 << f.c))
        else:
            offer_units(mask, conversions(s, t, f))
    elif kind == DK_RECRUIT_TYPE:
        if f.d & RECRUIT_DONE:
            offer_action(mask, A_DONE)
        offer_units(mask, recruit_types(s, t, f, player))
    elif kind == DK_UPGRADE_SPACE:
        if f.a != UPGRADE_ANY:
            offer_action(mask, A_DONE)
        offer_spaces(mask, all_upgrade_spaces(s, t, player, f.a))
    elif kind == DK_UPGRADE_TYPE:
        offer_upgrade_type(s, t, f, player, mask)
    elif kind == DK_CONSTRUCT:
        offer_construct(s, t, f, player, mask)
    elif kind == DK_RECALL_SPACE:
        offer_recall_space(s, t, f, player, mask)
    elif kind == DK_RECALL_TYPE:
        offer_units(mask, recall_types(s, t, f, player, f.c))
    elif kind == DK_COMBAT:
        if f.proc == PR_BATTLE and f.b >= 0 and t.steps[f.b].flags & SF_UPTO:
            offer_action(mask, A_DONE)
        offer_spaces(mask, combats_offered(s, t, f, player))
    elif kind == DK_STRIKE_OR_FLEE:
        if not must_flee(s, t, player, f.a):
            offer_action(mask, A_STRIKE)
        if any128(flee_ends(s, t, player, f.a)):
            offer_action(mask, A_FLEE)
    elif kind == DK_FLEE_TO:
        offer_spaces(mask, flee_ends(s, t, player, f.a))
    elif kind == DK_REROLL_DIE or kind == DK_VALUE_DIE or kind == DK_SHIELD_DIE or kind == DK_MODIFIER_DIE:
        offer_dice(s, t, f, kind, mask)
    elif kind == DK_MODIFIER_CARD:
        offer_action(mask, A_DONE)
        offer_designs(mask, t, seat.hand)
    elif kind == DK_HITS:
        offer_hits(s, t, f.a, owner_at(s, t, f.a, f.p), f.b & ST_FINAL, mask)
    elif kind == DK_CYBER_SPACE:
        offer_cyber_space(s, t, f, player, mask)
    elif kind == DK_CYBER_TYPE:
        offer_units(mask, untried_types(s, t, player, f.c & 127))
    elif kind == DK_CYBER_TARGET:
        offer_players(mask, cyber_targets(s, t, player, f.c & 127, f.b))
    elif kind == DK_CHOOSE_BLUEPRINT:
        offer_blueprints(s, t, f, player, mask)
    elif kind == DK_TRADE_PARTNER:
        offer_action(mask, A_DONE)
        offer_players(mask, trade_partners(s, t, player))
    elif kind == DK_TRADE_GIVE or kind == DK_TRADE_TAKE:
        offer_pieces(s, t, f, kind, mask)
    elif kind == DK_TRADE_CARD:
        offer_designs(mask, t, seat.hand & ~picked_cards(s, f))
    elif kind == DK_TRADE_RELIC:
        offer_relics(mask, t, seat.relics & ~picked_relics(s, f))
    elif kind == DK_RANSOM_PLAYER:
        offer_ransom(s, t, f, player, mask)
    elif kind == DK_RANSOM_UNIT:
        offer_captives(mask, seat, 1 << (f.b & 7), ransom_types(s, t, f, player))
    elif kind == DK_BONUS:
        offer_bonus(s, t, f, player, mask)
    elif kind == DK_PLAY_CARD:
        offer_designs(mask, t, cards_to_play(s, t, player, f.c))
    elif kind == DK_DISCARD_DISCOVERY:
        offer_designs(mask, t, seat.hand)
    elif kind == DK_REWARD:
        offer_options(mask, reward_options(s, t, f, player))
    elif kind == DK_REWARD_HABITAT:
        if f.proc == PR_CONTROL:
            offer_verb(s, t, f, kind, mask)
        else:
            offer_spaces(mask, reward_habitats(s, t, f, player))
    elif kind == DK_GIVE_UP_FLAG:
        offer_give_up(s, f, player, mask)
    elif kind == DK_COMMAND_CARD:
        offer_commands(mask, command_cards(s, t, f.a, player))
    elif kind == DK_COMMAND_ACTION:
        if t.command_unit[f.b] >= 0:
            offer_card_actions(mask, possible_card_actions(s, t, player, f.b))
        else:
            offer_options(mask, possible_sections(s, t, player, f.b))
    elif kind == DK_TARGET_SPACE:
        offer_spaces(mask, target_spaces(
            s, t, player, IMMUNITY_DESTROY if f.a == BA_DESTROY_TROOP else IMMUNITY_CAPTURE))
    elif kind == DK_TARGET_TYPE:
        offer_units(mask, t.squad_types[squad_of(s, owner_at(s, t, f.b, player), f.b)] & t.troops)
    elif kind == DK_FREE_FLEE:
        offer_spaces(mask, free_flee_spaces(s, t, player))
    elif kind == DK_RESCUE_HOLDER or kind == DK_RESCUE_TYPE or kind == DK_STEAL_HOLDER or kind == DK_STEAL_CAPTIVE:
        if f.proc == PR_CAPTIVES:
            offer_captives_of(s, t, f, kind, mask)
        else:
            offer_captives_by_bonus(s, t, f, kind, player, mask)
    elif kind == DK_STORE_SLOT:
        mask[0] |= <uint64_t>store_slots(s, player, f.a) << A_SLOT
    elif kind == DK_STORE_AMOUNT:
        offer_numbers(mask, min_int(seat.lorium, f.a - slot_lorium(seat, f.b)))
    elif kind == DK_DISCARD_CAPTIVE:
        offer_captives(mask, seat, 63, 31)
    elif kind == DK_RELIC_OWNER:
        offer_players(mask, relic_owners(s, t, player))
    elif kind == DK_ESCAPE:
        offer_escape(s, t, player, mask)
    elif kind == DK_ESCAPE_TO:
        offer_escape_to(s, t, f, player, mask)
    elif kind == DK_ESCAPE_UNIT:
        offer_escape_unit(s, t, f, player, mask)
    elif kind == DK_PLACE_TOKEN:
        offer_spaces(mask, s.used)
    elif kind == DK_CHOOSE_FACTION:
        offer_factions(s, t, f, mask)
    elif kind == DK_PLACE_SHIP:
        offer_spaces(mask, ship_starts(s, t))
    elif kind == DK_STARTING_HABITAT:
        offer_spaces(mask, starting_habitats(s, t, player, f.b))


cdef void offer_captives_by_bonus(const State *s, const Tables *t, const Frame *f, int kind, int player,
                                  uint64_t *mask) noexcept nogil:
    """RESCUE_HOLDER, RESCUE_TYPE, STEAL_HOLDER, STEAL_CAPTIVE of a Bonus Action (N2.4, N4.4)."""
    if kind == DK_RESCUE_HOLDER:
        offer_players(mask, rescue_holders(s, t, player))
    elif kind == DK_RESCUE_TYPE:
        offer_units(mask, captive_types(s.seat[f.b].captured[player]) & t.troops)
    elif kind == DK_STEAL_HOLDER:
        offer_players(mask, steal_holders(s, t, player))
    else:
        offer_captives(mask, &s.seat[f.b], 63 & ~(1 << player), t.troops)


cdef void offer_effect(const State *s, const Tables *t, const Frame *f, uint64_t *mask) noexcept nogil:
    """The kinds that only effects ask for (docs/cards.md, section 13.2)."""
    cdef int kind = s.kind
    cdef int i
    cdef const Step *step
    cdef Env e
    if kind == DK_REACT:
        offer_react(s, t, f, s.player, mask)
    elif kind == DK_RULE:
        offer_rule(s, t, f, s.player, mask)
    elif kind == DK_OPTIONAL_STEP or kind == DK_EACH_ITEM:
        offer_yes_no(mask)
    elif kind == DK_PICK_PLAYER:
        offer_pick_player(s, t, f, mask)
    elif kind == DK_UNIT_SPACE or kind == DK_UNIT_OWNER or kind == DK_UNIT_TYPE:
        offer_unit(s, t, f, kind, mask)
    elif kind == DK_PLACE_TO:
        offer_place_to(s, t, f, mask)
    elif kind == DK_DIE:
        offer_dice(s, t, f, kind, mask)
    elif kind == DK_PLAY_MODE:
        offer_options(mask, play_modes(s, t, f.p, f.a))
    elif kind == DK_KEEP_TOKEN:
        offer_options(mask, (1 << tokens_offered(t, f)) - 1)
    elif kind == DK_COLLAPSE_SPACE or kind == DK_TOKEN_SPACE:
        offer_verb(s, t, f, kind, mask)
    elif kind == DK_SCRY_PUT:
        offer_options(mask, 3)
    elif kind == DK_SCRY_KEEP:
        for i in range(f.b & 255):
            if not f.c >> i & 1:
                if t.steps[f.a].what == DECK_RELIC:
                    offer_action(mask, A_CARD + t.relic_design_of[scry_cards(f)[i]])
                else:
                    offer_action(mask, A_CARD + t.design_of[scry_cards(f)[i]])
    else:
        step = &t.steps[f.a]
        frame_env(s, t, f, &e)
        if kind == DK_CHOOSE:
            offer_options(mask, choose_options(s, t, step, &e))
        elif kind == DK_PICK_SPACE:
            offer_spaces(mask, pick_spaces(s, t, step, &e, False))
        elif kind == DK_PICK_TERRAIN:
            mask[0] |= <uint64_t>pick_terrains(s, t, step, &e) << A_TERRAIN


cdef void offer_reclaim(const State *s, const Tables *t, int p, uint64_t *mask) noexcept nogil:
    """RECLAIM_RELIC: the ways to pay for a Command Card."""
    cdef int ways = reclaim_ways(s, t, p)
    if ways & 1:
        offer_relics(mask, t, s.seat[p].relics)
        offer_slots(mask, &s.seat[p], True, False)
    if ways & 2:
        offer_action(mask, A_RESOURCE + RS_DISCOVERY)
    if ways & 4:
        offer_action(mask, A_RESOURCE + RS_LORIUM)


cdef inline int min_int(int a, int b) noexcept nogil:
    return a if a < b else b
