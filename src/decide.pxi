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
        if (relics and seat.slot_relic[slot] >= 0) or (lorium and seat.slot_lorium[slot]):
            offer_action(mask, A_SLOT + slot)


cdef inline void offer_captives(uint64_t *mask, const Seat *seat, int owners, int types) noexcept nogil:
    """Add CAPTIVE + 5 * owner + type for Captured Units of these owners and types (a bit each)."""
    cdef int owner, type
    for owner in range(MAX_PLAYERS):
        if owners >> owner & 1 and seat.captured[owner]:
            for type in range(5):
                if types >> type & 1 and captive_count(seat.captured[owner], type):
                    offer_action(mask, A_CAPTIVE + 5 * owner + type)


cdef void offer(const State *s, const Tables *t, uint64_t *mask) noexcept nogil:
    """The legal set of the decision (``s.kind``, ``s.player``), whose procedure is the innermost frame."""
    cdef const Frame *f = top_of(s)
    cdef const Seat *seat = &s.seat[s.player]
    cdef int kind = s.kind
    cdef int player = s.player
    memset(mask, 0, 8 * sizeof(uint64_t))
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
        offer_numbers(mask, seat.slot_lorium[f.c])
    elif kind == DK_KEEP_RELIC:
        offer_relics(mask, t, <uint64_t>1 << f.b | <uint64_t>1 << f.c)
    elif kind == DK_RECLAIM:
        offer_action(mask, A_DONE)
        offer_commands(mask, ~seat.commands & ALL_COMMANDS)
    elif kind == DK_RECLAIM_RELIC or kind == DK_DISCARD_RELIC or kind == DK_PAY_RELIC:
        offer_relics(mask, t, seat.relics)
        offer_slots(mask, seat, True, False)
    elif kind == DK_BURN or kind == DK_PLAY:
        offer_commands(mask, seat.commands)
    elif kind == DK_SECTION or kind == DK_FINAL_STRIKE or kind == DK_TRADE_ANSWER or kind == DK_LAUNCH:
        offer_action(mask, A_YES)
        offer_action(mask, A_NO)
    elif kind == DK_MOVE_MODE:
        offer_card_actions(mask, 1 << CA_MOVE | 1 << CA_JUMPJET)
    elif kind == DK_DEPLOY_TYPE:
        offer_units(mask, deploy_types(s, t, f, player))
    elif kind == DK_DEPLOY_SPACE:
        offer_spaces(mask, deploy_spaces(s, t, player, f.b))
    elif kind == DK_PROMOTE_SPACE:
        offer_spaces(mask, promote_spaces(s, t, player, f.a))
    elif kind == DK_PROMOTE_FROM:
        offer_units(mask, promote_types(s, t, player, f.b))
    elif kind == DK_PROMOTE_TO:
        offer_units(mask, reserve_types(s, t, player, t.troops) & ~(1 << f.c))
    elif kind == DK_RECRUIT_TYPE:
        offer_action(mask, A_DONE)
        offer_units(mask, recruit_types(s, t, f, player))
    elif kind == DK_UPGRADE_SPACE:
        if f.a != UPGRADE_ANY:
            offer_action(mask, A_DONE)
        offer_spaces(mask, all_upgrade_spaces(s, t, player, f.a))
    elif kind == DK_UPGRADE_TYPE:
        offer_upgrade_type(s, t, f, player, mask)
    elif kind == DK_CONSTRUCT:
        if f.proc == PR_ROBOTIC:
            offer_action(mask, A_DONE)
        offer_modules(mask, payable_modules(s, t, player, f.proc == PR_CONSTRUCT))
    elif kind == DK_RECALL_SPACE:
        offer_recall_space(s, t, f, player, mask)
    elif kind == DK_RECALL_TYPE:
        offer_units(mask, recall_types(s, t, f, player, f.b))
    elif kind == DK_COMBAT:
        offer_spaces(mask, combats_offered(s, t, f, player))
    elif kind == DK_STRIKE_OR_FLEE:
        if not must_flee(s, t, player, f.a):
            offer_action(mask, A_STRIKE)
        if any128(flee_ends(s, t, player, f.a)):
            offer_action(mask, A_FLEE)
    elif kind == DK_FLEE_TO:
        offer_spaces(mask, flee_ends(s, t, player, f.a))
    elif kind == DK_REROLL_DIE or kind == DK_VALUE_DIE or kind == DK_SHIELD_DIE or kind == DK_MODIFIER_DIE:
        offer_dice(s, f, kind, mask)
    elif kind == DK_MODIFIER_CARD:
        offer_action(mask, A_DONE)
        offer_designs(mask, t, seat.hand)
    elif kind == DK_HITS:
        offer_hits(s, t, f, player, mask)
    elif kind == DK_CYBER_SPACE:
        if f.b:
            offer_action(mask, A_DONE)
        offer_spaces(mask, cyber_spaces(s, t, player))
    elif kind == DK_CYBER_TYPE:
        offer_units(mask, untried_types(s, t, player, f.c))
    elif kind == DK_CYBER_TARGET:
        offer_players(mask, cyber_targets(s, t, player, f.c))
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
        if f.a:
            offer_action(mask, A_DONE)
        offer_players(mask, ransom_players(s, t, player))
    elif kind == DK_RANSOM_UNIT:
        offer_captives(mask, seat, 1 << f.b, ransom_types(s, t, f, player))
    elif kind == DK_BONUS:
        offer_bonus(s, t, f, player, mask)
    elif kind == DK_PLAY_CARD or kind == DK_DISCARD_DISCOVERY or kind == DK_PAY_CARD:
        offer_designs(mask, t, seat.hand)
    elif kind == DK_REWARD:
        mask[0] |= <uint64_t>reward_options(s, t, f, player) << A_OPTION
    elif kind == DK_REWARD_HABITAT:
        offer_spaces(mask, reward_habitats(s, t, f, player))
    elif kind == DK_GIVE_UP_FLAG:
        # `used`: Habitats just received in an exchange, of which none is given up while there is another
        # (G5.8)
        offer_spaces(mask, seat.control & ~s.used if any128(seat.control & ~s.used) else seat.control)
    elif kind == DK_PAY_HABITAT:
        offer_spaces(mask, seat.control)
    elif kind == DK_COMMAND_CARD:
        offer_commands(mask, command_cards(s, t, f.a, player))
    elif kind == DK_COMMAND_ACTION:
        offer_card_actions(mask, possible_card_actions(s, t, player, f.b))
    elif kind == DK_TARGET_SPACE:
        offer_spaces(mask, target_spaces(s, t, player))
    elif kind == DK_TARGET_TYPE:
        offer_units(mask, t.squad_types[squad_of(s, owner_at(s, t, f.b, player), f.b)] & t.troops)
    elif kind == DK_FREE_FLEE:
        offer_spaces(mask, free_flee_spaces(s, t, player))
    elif kind == DK_RESCUE_HOLDER:
        offer_players(mask, rescue_holders(s, t, player))
    elif kind == DK_RESCUE_TYPE:
        offer_units(mask, captive_types(s.seat[f.b].captured[player]) & t.troops)
    elif kind == DK_STORE_SLOT:
        mask[0] |= <uint64_t>store_slots(s, t, player) << A_SLOT
    elif kind == DK_STORE_AMOUNT:
        offer_numbers(mask, min_int(seat.lorium, t.bonus_amount[BA_STORE_LORIUM] - seat.slot_lorium[f.b]))
    elif kind == DK_PAY_KIND:
        mask[0] |= <uint64_t>resource_kinds(s, t, player) << A_RESOURCE
    elif kind == DK_PAY_CAPTIVE or kind == DK_DISCARD_CAPTIVE:
        offer_captives(mask, seat, 63, 31)
    elif kind == DK_STEAL_HOLDER:
        offer_players(mask, steal_holders(s, t, player))
    elif kind == DK_STEAL_CAPTIVE:
        offer_captives(mask, &s.seat[f.b], 63 & ~(1 << player), t.troops)
    elif kind == DK_RELIC_OWNER:
        offer_players(mask, relic_owners(s, t))
    elif kind == DK_RELIC_SLOT:
        offer_slots(mask, &s.seat[f.b], True, False)
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


cdef inline int min_int(int a, int b) noexcept nogil:
    return a if a < b else b
