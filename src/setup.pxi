# Set-up (chapter S, protocol section 4).

cdef enum:
    SETUP_SHIPS = 6     # the step at which a position of phase "setup" goes on


cdef void clear_state(State *s, const Tables *t) noexcept nogil:
    """An empty table: full Reserves, nothing on the planet, everything else as at the start."""
    cdef int seat, type, column
    memset(s, 0, sizeof(State))
    s.open = ~<u128>0
    s.round = 1
    s.reason = -1
    s.played_card = -1
    s.mark_owner = -1
    s.actor = -1
    s.fight = -1
    s.singles = t.track_start
    s.stack = t.track_start
    s.token_supply = t.relic_tokens
    s.bag = (<uint64_t>1 << t.token_count) - 1 if t.token_count < 64 else ~<uint64_t>0
    for seat in range(t.players):
        s.seat[seat].ship = -1
        s.seat[seat].faction = -1
        s.seat[seat].commands = ALL_COMMANDS
        for type in range(5):
            s.seat[seat].missing += <uint16_t>(t.missing[seat][type] * captive_step(type))
            s.seat[seat].reserve[type] = t.supply[type] - t.missing[seat][type]
        for column in range(NUM_COLUMNS):
            set_board(&s.seat[seat], column, -1, -1)


cdef inline uint8_t start_blueprints(const Tables *t, int seat) noexcept nogil:
    """S4.2: the own colour and those not in play; in the variant the own colour alone (S5.1)."""
    cdef int modules = 1 << t.colour_module[t.colour[seat]]
    cdef int colour
    if not t.variant:
        for colour in range(6):
            if not t.colours_in_play >> colour & 1:
                modules |= 1 << t.colour_module[colour]
    return <uint8_t>modules


cdef inline const SetUp *set_up_of(const State *s, const Tables *t, int p) noexcept nogil:
    """What the Faction, or the generic set-up, gives a player (S4.6)."""
    return &t.faction[s.seat[p].faction if s.seat[p].faction >= 0 else GENERIC]


cdef void offer_factions(const State *s, const Tables *t, const Frame *f, uint64_t *mask) noexcept nogil:
    """CHOOSE_FACTION: the Faction Cards dealt to the player (register a)."""
    cdef int i
    for i in range(t.faction_deal):
        offer_action(mask, A_CARD + (<const uint8_t *>&s.die[0])[f.a * t.faction_deal + i])


cdef u128 ship_starts(const State *s, const Tables *t) noexcept nogil:
    """S4.8 to S4.10."""
    cdef u128 spaces = 0
    cdef int terrain, ring
    for terrain in range(NUM_TERRAINS):
        if any128(t.map.wedge[terrain] & s.ships):
            continue
        if t.start_rings:
            for ring in range(1, 4):
                spaces |= t.map.area[terrain][ring]
        else:
            spaces |= t.map.inner[terrain]
    return spaces & s.open


cdef u128 starting_habitats(const State *s, const Tables *t, int p, int value) noexcept nogil:
    """S4.15: the nearest neutral Habitats of the value in the terrain of the own Ship."""
    cdef int ship = s.seat[p].ship
    cdef u128 wanted = habitats_worth(s, t, value) & t.map.wedge[t.map.terrain_of[ship]]
    cdef u128 frontier = bit128(ship)
    cdef u128 seen = frontier
    wanted &= ~controlled_by_others(s, t, -1)
    if not any128(wanted):
        return 0
    while not any128(frontier & wanted):
        frontier = neighbours_of(t.map.side, frontier) & ~seen
        seen |= frontier
    return frontier & wanted


cdef void lay_planet(State *s, const Tables *t, Ctx *ctx) noexcept nogil:
    """S2: the tiles of each terrain in random order."""
    cdef uint8_t tiles[21]
    cdef int terrain, i
    cdef u128 spaces
    set_feature(s, t, 0, FT_COLONY_CITY)
    for terrain in range(NUM_TERRAINS):
        memcpy(tiles, t.tiles, sizeof(tiles))
        shuffle_items(s, ctx, CK_TERRAIN_LAYOUT, CF_SETUP, tiles, 21, NULL, False, terrain)
        spaces = t.map.wedge[terrain]
        for i in range(21):
            set_feature(s, t, first128(spaces), tiles[i])
            spaces = rest128(spaces)


cdef void stack_decks(State *s, const Tables *t, Ctx *ctx) noexcept nogil:
    """S3.7: both decks, without the Events."""
    cdef int copy
    for copy in range(t.plain_copies):
        s.deck[copy] = <uint8_t>copy
    s.deck_size = t.plain_copies
    shuffle_deck(s, t, ctx)
    for copy in range(t.relic_copies):
        s.relic_deck[copy] = <uint8_t>copy
    s.relic_deck_size = t.relic_copies
    shuffle_relics(s, t, ctx)


cdef void shuffle_events_in(State *s, const Tables *t, Ctx *ctx) noexcept nogil:
    """S3.6: the draw pile and all Events together, even if the packs have none."""
    cdef u128 pile = t.event_copies
    cdef int i
    for i in range(s.deck_size):
        pile |= bit128(s.deck[i])
    s.deck_size = 0
    while any128(pile):
        s.deck[s.deck_size] = <uint8_t>first128(pile)
        s.deck_size += 1
        pile = rest128(pile)
    shuffle_deck(s, t, ctx)
    if unlikely(ctx.knows != NULL):  # I5
        memset(ctx.knows.top[DISCOVERY_PILE], 0, MAX_PLAYERS)
        memset(ctx.knows.bottom[DISCOVERY_PILE], 0, MAX_PLAYERS)


cdef int do_setup(State *s, const Tables *t, Ctx *ctx, Frame *f) noexcept nogil:
    """Set-up in the order of S4.14. a: players done, b: how far with the player at hand."""
    cdef int a, p, i, type, left
    cdef uint8_t dealt[64]
    cdef const SetUp *given
    if f.step == 0:
        lay_planet(s, t, ctx)
        stack_decks(s, t, ctx)
        f.step = 2
        if t.factions:
            memcpy(dealt, t.eligible, t.eligible_count)
            shuffle_items(s, ctx, CK_FACTION_DEAL, CF_SETUP, dealt, t.eligible_count, NULL, False, 0)
            memcpy(s.die, dealt, min_int(MAX_DICE, t.eligible_count))
            f.step = 1
    if f.step == 1:
        while f.a < t.players:
            a = ask(s, t, ctx, DK_CHOOSE_FACTION, f.a)
            if a == PENDING:
                return WAIT
            s.seat[f.a].faction = <int8_t>(a - A_CARD)
            f.a += 1
        f.step = 2
    if f.step == 2:
        a = draw_outcome(s, ctx, CK_FIRST_PLAYER, CF_SETUP, t.players)
        s.first_player = <uint8_t>a
        s.marker = <uint8_t>a
        s.opener = <uint8_t>a
        s.active = <uint8_t>a
        for p in range(t.players):
            s.seat[p].blueprints = start_blueprints(t, p)
        refresh_mods(s, t)
        f.a = 0
        f.b = 0
        f.step = 3
    while f.a < t.players:
        p = seat_after(t, s.first_player, f.a)
        given = set_up_of(s, t, p)
        if f.step == 3:  # S5.2
            while f.b < t.variant:
                a = ask(s, t, ctx, DK_CHOOSE_BLUEPRINT, p)
                if a == PENDING:
                    return WAIT
                if a >= A_MODULE:
                    s.seat[p].blueprints |= <uint8_t>(1 << (a - A_MODULE))
                f.b += 1
        elif f.step == 4:  # Starting Resources
            if f.b == 0:
                f.b = 1
                gain_lorium(s, ctx, p, given.lorium)
                draw_cards(s, t, ctx, p, given.discovery)
                if given.relics:
                    gain_relic(s, p, given.relics)
                    return RUN
        elif f.step == SETUP_SHIPS:
            a = ask(s, t, ctx, DK_PLACE_SHIP, p)
            if a == PENDING:
                return WAIT
            if a >= A_SPACE:
                enter_ship(s, t, ctx, p, a - A_SPACE)
                emit(ctx, EV_ENTER, p, UT_SHIP, a - A_SPACE, 0)
        elif f.step == 7:  # S4.15; register b counts, then holds the value for the options
            while f.c < given.habitat_count:
                f.b = given.habitats[f.c]
                a = NONE
                if s.seat[p].ship >= 0:
                    a = ask(s, t, ctx, DK_STARTING_HABITAT, p)
                    if a == PENDING:
                        return WAIT
                f.c += 1
                if a >= A_SPACE:
                    set_control(s, t, ctx, a - A_SPACE, p)
            f.c = 0
        elif f.step == 8:  # S4.11
            if f.b == 0:
                f.b = 1
                left = 0
                for type in range(3):
                    i = min_int(given.units[type], s.seat[p].reserve[type])
                    left += i * captive_step(type)
                    s.seat[p].reserve[type] -= <uint8_t>i
                start_deploy(s, p, left, 0, 0, -1)
                return RUN
        f.b = 0
        f.a += 1
        if f.a == t.players and f.step < 8:
            f.a = 0
            f.step += 1
            if f.step == 5:
                if t.events:
                    shuffle_events_in(s, t, ctx)
                f.step = SETUP_SHIPS
                s.fresh = 1
    f.proc = PR_TURN
    f.step = 0
    return RUN


cdef int new_game(State *s, const Tables *t, Ctx *ctx, uint64_t seed, uint64_t index) noexcept nogil:
    """Game ``index`` of ``seed``, advanced to its first decision."""
    clear_state(s, t)
    rng_key(&s.rng, seed, index)
    ctx.block.tag = RNG_EMPTY
    ctx.steps = 0
    push(s, PR_SETUP, 0, 0, 0, 0, 0)
    return run(s, t, ctx)
