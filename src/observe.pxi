# Observations: what one player may know (RUL-T16), as numbers (docs/observation.md).
#
# The fields and where they start come from cysmic_fast/observation.py when a game is made; here is what is
# written into them.

cdef enum:            # places in ObsLayout.at; OBSERVED has the names
    OF_FEATURE
    OF_IMPASSABLE
    OF_RELIC_TOKEN
    OF_COMBAT
    OF_RESOLVING
    OF_COLLAPSING
    OF_ATTACKER
    OF_CONTROL
    OF_SHIP
    OF_UNITS
    OF_CONFUSED
    OF_PHASE
    OF_DECISION
    OF_DECIDER
    OF_ACTIVE
    OF_FIRST_PLAYER
    OF_MARKER
    OF_ROUND
    OF_COLUMN
    OF_SINGLES
    OF_STACK
    OF_BAG
    OF_DISCOVERY_DRAW
    OF_RELIC_DRAW
    OF_DISCOVERY_DISCARD
    OF_RELIC_DISCARD
    OF_DICE_RED
    OF_DICE_YELLOW
    OF_DICE_VALUE
    OF_COLOUR
    OF_FACTION
    OF_INFLUENCE
    OF_LORIUM
    OF_STORED
    OF_ACTIVE_RELICS
    OF_RESERVE
    OF_MISSING
    OF_CAPTURED
    OF_BLUEPRINTS
    OF_MODULES
    OF_PLAYED
    OF_BURNED
    OF_DISCOVERY_COUNT
    OF_RELIC_COUNT
    OF_FACTION_TOKENS
    OF_USED_UP
    OF_LAUNCHED
    OF_FINAL_TURN
    OF_GRANTS
    OF_OWN_COMMANDS
    OF_OWN_BURNED
    OF_OWN_DISCOVERY
    OF_OWN_RELICS
    OF_LOOKED_DISCOVERY
    OF_LOOKED_RELICS
    N_OF

cdef enum:
    USED_UP = NUM_SLOTS + MAX_FACTION_RULES    # flags of standing rules: of the slots, of the Faction

cdef tuple OBSERVED = (
    "feature", "impassable", "relic_token", "combat", "resolving", "collapsing", "attacker", "control",
    "ship", "units", "confused", "phase", "decision", "decider", "active", "first_player", "marker",
    "round", "column", "singles", "stack", "bag", "discovery_draw", "relic_draw", "discovery_discard",
    "relic_discard", "dice_red", "dice_yellow", "dice_value", "colour", "faction", "influence", "lorium",
    "stored", "active_relics", "reserve", "missing", "captured", "blueprints", "modules", "played",
    "burned", "discovery_count", "relic_count", "faction_tokens", "used_up", "launched", "final_turn",
    "grants", "own_commands", "own_burned", "own_discovery", "own_relics", "looked_discovery",
    "looked_relics",
)

if OBSERVED != tuple(field[0] for field in OBSERVATION_FIELDS) or len(OBSERVED) != N_OF or N_OF > 64:
    raise ImportError("the fields of observations and their native writer differ")


cdef int build_layout(ObsLayout *layout, object spec, object content) except -1:
    """Where a game's fields start; ``spec`` is its ObservationSpec."""
    cdef int i
    layout.size = spec.size
    layout.relics = <int16_t>len(content.relics)
    layout.factions = <int16_t>len(content.factions)
    for i in range(N_OF):
        layout.at[i] = spec.fields[OBSERVED[i]].start
    names = token_names(content)
    for i, token in enumerate(content.tokens):
        layout.token_place[i] = names.index(token.name)
    return 0


cdef inline int8_t as_int8(int value) noexcept nogil:
    """A number as an observation can hold it."""
    if value > 127:
        return 127
    return <int8_t>(value if value > -128 else -128)


cdef inline void write_bits(int8_t *out, uint64_t bits) noexcept nogil:
    """1 for each member of a set."""
    while bits:
        out[ctz64(bits)] = 1
        bits &= bits - 1


cdef inline void write_set(int8_t *plane, u128 spaces) noexcept nogil:
    """1 in each space of a set."""
    write_bits(plane, low64(spaces))
    write_bits(plane + 64, high64(spaces))


cdef inline void count_designs(int8_t *out, const Tables *t, u128 copies) noexcept nogil:
    """Discovery Cards by design."""
    while any128(copies):
        out[t.design_of[first128(copies)]] += 1
        copies = rest128(copies)


cdef inline void count_relics(int8_t *out, const Tables *t, uint64_t copies) noexcept nogil:
    """Relic Cards by design."""
    while copies:
        out[t.relic_design_of[ctz64(copies)]] += 1
        copies &= copies - 1


cdef inline void observe_squad(int8_t *units, int8_t *confused, int *left, uint8_t squad) noexcept nogil:
    """One player's Units in a space; ``units`` and ``confused`` are that space in the first type's plane."""
    cdef int type, count
    for type in range(5):
        count = squad_count(squad, type)
        units[type * NUM_SPACES] = <int8_t>count
        left[type] -= count
    if unlikely(squad_confused(squad)):
        for type in range(3):
            count = squad_count(squad, CONFUSED + type)
            confused[type * NUM_SPACES] = <int8_t>count
            units[type * NUM_SPACES] += <int8_t>count
            left[type] -= count


cdef inline int seen_seat(const Tables *t, int me, int seat) noexcept nogil:
    """A seat as the observer counts: clockwise from 0."""
    return seat - me if seat >= me else seat - me + t.players


cdef void observe_planet(const State *s, const Tables *t, const ObsLayout *l, int8_t *out) noexcept nogil:
    """The planes that belong to nobody."""
    cdef int feature
    for feature in range(N_FT):
        write_set(out + l.at[OF_FEATURE] + feature * NUM_SPACES, feature_set(s, feature) & everywhere())
    write_set(out + l.at[OF_IMPASSABLE], ~s.open & everywhere())
    write_set(out + l.at[OF_RELIC_TOKEN], s.tokens)
    write_set(out + l.at[OF_COMBAT], s.combat)
    if s.kind != DK_PLACE_TOKEN:  # those have collapsed
        write_set(out + l.at[OF_COLLAPSING], s.area)
    if s.fight >= 0:
        out[l.at[OF_RESOLVING] + s.fight] = 1


cdef void observe_moment(const State *s, const Tables *t, const ObsLayout *l, int me,
                         int8_t *out) noexcept nogil:
    """Whose turn and decision it is, the Cysmograph, piles and dice."""
    cdef uint64_t bag = s.bag
    cdef int i
    out[l.at[OF_PHASE] + s.phase] = 1
    if s.phase != PH_OVER:
        out[l.at[OF_DECIDER] + seen_seat(t, me, s.player)] = 1
        if s.player == me:
            out[l.at[OF_DECISION] + s.kind] = 1
    out[l.at[OF_ACTIVE] + seen_seat(t, me, s.active)] = 1
    out[l.at[OF_FIRST_PLAYER] + seen_seat(t, me, s.first_player)] = 1
    out[l.at[OF_MARKER] + seen_seat(t, me, s.marker)] = 1
    out[l.at[OF_ROUND]] = as_int8(s.round)
    out[l.at[OF_COLUMN] + (s.round - 1) % NUM_COLUMNS] = 1
    out[l.at[OF_SINGLES]] = <int8_t>s.singles
    out[l.at[OF_STACK]] = <int8_t>s.stack
    while bag:
        out[l.at[OF_BAG] + l.token_place[ctz64(bag)]] += 1
        bag &= bag - 1
    out[l.at[OF_DISCOVERY_DRAW]] = as_int8(s.deck_size)
    out[l.at[OF_RELIC_DRAW]] = as_int8(s.relic_deck_size)
    count_designs(out + l.at[OF_DISCOVERY_DISCARD], t, s.discard)
    count_relics(out + l.at[OF_RELIC_DISCARD], t, s.relic_discard)
    for i in range(s.dice):
        out[l.at[OF_DICE_YELLOW if s.die[i] & DIE_YELLOW else OF_DICE_RED] + i] = 1
        out[l.at[OF_DICE_VALUE] + i] = as_int8(die_value(s, i))


cdef void observe_units(const State *s, const Tables *t, const ObsLayout *l, int p, int me,
                        int8_t *out) noexcept nogil:
    """Units of a player on the planet and elsewhere."""
    cdef const Seat *seat = &s.seat[p]
    cdef int at = seen_seat(t, me, p)
    cdef int8_t *units = out + l.at[OF_UNITS] + at * 5 * NUM_SPACES
    cdef int8_t *confused = out + l.at[OF_CONFUSED] + at * 3 * NUM_SPACES
    cdef int8_t *captured = out + l.at[OF_CAPTURED] + at * t.players * 5
    cdef u128 alone = seat.occupied & ~s.combat
    cdef u128 fighting = seat.occupied & s.combat
    cdef int left[5]
    cdef int type, space, holder, count
    for type in range(5):
        count = captive_count(seat.missing, type)
        out[l.at[OF_MISSING] + at * 5 + type] = <int8_t>count
        left[type] = <int>t.supply[type] - count
    while any128(alone):
        space = first128(alone)
        observe_squad(units + space, confused + space, left, s.squad[space])
        alone = rest128(alone)
    while any128(fighting):
        space = first128(fighting)
        observe_squad(units + space, confused + space, left, squad_of(s, p, space))
        out[l.at[OF_ATTACKER] + at * NUM_SPACES + space] = attacker_at(s, t, space) == p
        fighting = rest128(fighting)
    for holder in range(t.players):
        if s.seat[holder].captured[p]:
            for type in range(5):
                left[type] -= captive_count(s.seat[holder].captured[p], type)
        if seat.captured[holder]:
            count = seen_seat(t, me, holder) * 5
            for type in range(5):
                captured[count + type] = <int8_t>captive_count(seat.captured[holder], type)
    for type in range(5):
        out[l.at[OF_RESERVE] + at * 5 + type] = <int8_t>left[type]


cdef void observe_player(const State *s, const Tables *t, const ObsLayout *l, int p, int me,
                         int8_t *out) noexcept nogil:
    """What everybody knows of a player."""
    cdef const Seat *seat = &s.seat[p]
    cdef int at = seen_seat(t, me, p)
    cdef int i, card
    observe_units(s, t, l, p, me, out)
    write_set(out + l.at[OF_CONTROL] + at * NUM_SPACES, seat.control)
    if seat.ship >= 0:
        out[l.at[OF_SHIP] + at * NUM_SPACES + seat.ship] = 1
    out[l.at[OF_COLOUR] + at * 6 + t.colour[p]] = 1
    if p == me or s.kind != DK_CHOOSE_FACTION:
        if seat.faction >= 0:
            out[l.at[OF_FACTION] + at * l.factions + seat.faction] = 1
        out[l.at[OF_INFLUENCE] + at] = as_int8(influence_of(s, t, p))
    out[l.at[OF_LORIUM] + at] = as_int8(seat.lorium)
    for i in range(NUM_SLOTS):
        card = slot_relic(seat, i)
        if card >= 0:
            out[l.at[OF_ACTIVE_RELICS] + (at * NUM_SLOTS + i) * l.relics + t.relic_design_of[card]] = 1
        else:
            out[l.at[OF_STORED] + at * NUM_SLOTS + i] = <int8_t>slot_lorium(seat, i)
    write_bits(out + l.at[OF_BLUEPRINTS] + at * 6, seat.blueprints)
    write_bits(out + l.at[OF_MODULES] + at * 6, seat.modules)
    for i in range(NUM_COLUMNS):
        out[l.at[OF_BURNED] + at * NUM_COLUMNS + i] = burned_card(seat, i) >= 0
        card = board_played(seat, i)
        if card >= 0:
            out[l.at[OF_PLAYED] + (at * NUM_COLUMNS + i) * N_CC + card] = 1
    out[l.at[OF_DISCOVERY_COUNT] + at] = as_int8(count128(seat.hand))
    out[l.at[OF_RELIC_COUNT] + at] = <int8_t>popcount64(seat.relics)
    out[l.at[OF_FACTION_TOKENS] + at] = as_int8(seat.tokens)
    write_bits(out + l.at[OF_USED_UP] + at * USED_UP, seat.once)
    out[l.at[OF_LAUNCHED] + at] = s.launched >> p & 1
    out[l.at[OF_FINAL_TURN] + at] = s.final_turns >> p & 1


cdef void observe_grants(const State *s, const Tables *t, const ObsLayout *l, int me,
                         int8_t *out) noexcept nogil:
    """Temporary modifiers."""
    cdef int8_t *grants
    cdef uint32_t keys
    cdef int i
    for i in range(s.grant_count):
        grants = out + l.at[OF_GRANTS] + seen_seat(t, me, receiver_of(s, i)) * N_MOD
        keys = granting(s, t, i).keys
        while keys:
            grants[ctz64(keys)] += 1
            keys &= keys - 1


cdef void observe_own(const State *s, const Tables *t, const ObsLayout *l, int me,
                      int8_t *out) noexcept nogil:
    """What only the observer knows."""
    cdef const Seat *seat = &s.seat[me]
    cdef int i, card
    write_bits(out + l.at[OF_OWN_COMMANDS], seat.commands)
    for i in range(NUM_COLUMNS):
        card = burned_card(seat, i)
        if card >= 0:
            out[l.at[OF_OWN_BURNED] + i * N_CC + card] = 1
    count_designs(out + l.at[OF_OWN_DISCOVERY], t, seat.hand)
    count_relics(out + l.at[OF_OWN_RELICS], t, seat.relics)
    if s.kind == DK_SCRY_PUT and s.player == me:
        card = scry_cards(top_of(s))[top_of(s).b >> 8]
        if t.steps[top_of(s).a].what == DECK_RELIC:
            out[l.at[OF_LOOKED_RELICS] + t.relic_design_of[card]] = 1
        else:
            out[l.at[OF_LOOKED_DISCOVERY] + t.design_of[card]] = 1


cdef void observe(const State *s, const Tables *t, const ObsLayout *l, int me, int8_t *out) noexcept nogil:
    """The observation of player ``me``: ``l.size`` numbers."""
    cdef int p
    memset(out, 0, l.size)
    observe_planet(s, t, l, out)
    observe_moment(s, t, l, me, out)
    for p in range(t.players):
        observe_player(s, t, l, p, me, out)
    observe_grants(s, t, l, me, out)
    observe_own(s, t, l, me, out)


cdef int8_t *observation_room(object out, tuple shape) except NULL:
    """Where to write into an array that was checked to be one of ours."""
    cdef int8_t[::1] room
    check_room(out, shape, INT8)
    room = out.reshape(-1)
    return &room[0]


cdef object INT8 = numpy.dtype(numpy.int8)
