# Position documents (protocol section 16): state to document and back. Documents come canonical and checked.

cdef list squad_list(uint8_t squad):
    """Numbers of Units by type, Confused ones too."""
    return [squad_count(squad, type) + (squad_count(squad, CONFUSED + type) if type < 3 else 0) for type in range(5)]


cdef list confused_list(uint8_t squad):
    """Numbers of Confused Troops by type."""
    return [squad_count(squad, CONFUSED + type) for type in range(3)]


cdef object command_name(int card):
    """Name of a Command Card on the board; None for an empty place."""
    return COMMAND_NAMES[card] if card >= 0 else None


cdef list commands_list(int cards):
    """Names of Command Cards, a bit each."""
    return [COMMAND_NAMES[i] for i in range(N_CC) if cards >> i & 1]


cdef list designs_in(const Tables *t, object specs, u128 copies):
    """Ids of Discovery copies in design order."""
    return [specs[t.design_of[copy]].id for copy in set_to_list(copies)]


cdef list relics_in(const Tables *t, object specs, uint64_t copies):
    """Ids of Relic copies in design order."""
    return [specs[t.relic_design_of[copy]].id for copy in set_to_list(<u128>copies)]


cdef dict player_document(NativeState state, const State *s, int p):
    """One player's part of a document."""
    cdef const Tables *t = state.owner.tables
    cdef const Seat *seat = &s.seat[p]
    cdef int i, once
    content = state.owner.content
    slots = []
    for i in range(NUM_SLOTS):
        if slot_relic(seat, i) >= 0:
            slots.append({"relic": content.relics[t.relic_design_of[slot_relic(seat, i)]].id})
        elif slot_lorium(seat, i):
            slots.append({"lorium": slot_lorium(seat, i)})
        else:
            slots.append(None)
    doc = {
        "colour": state.owner.options.colours[p],
        "faction": content.factions[seat.faction].id if seat.faction >= 0 else None,
        "ship": seat.ship if seat.ship >= 0 else None,
        "units": [[space, squad_list(squad_of(s, p, space))] for space in set_to_list(seat.occupied)],
        "missing": [captive_count(seat.missing, i) for i in range(5)],
        "captured": [[i, [captive_count(seat.captured[i], type) for type in range(5)]]
                     for i in range(t.players) if seat.captured[i]],
        "lorium": seat.lorium,
        "slots": slots,
        "blueprints": [content.modules[i].id for i in range(6) if seat.blueprints >> i & 1],
        "modules": [content.modules[i].id for i in range(6) if seat.modules >> i & 1],
        "hand": commands_list(seat.commands),
        "board": [[command_name(burned_card(seat, i)), command_name(board_played(seat, i))]
                  for i in range(NUM_COLUMNS)],
        "discovery": designs_in(t, content.discovery, seat.hand),
        "relics": relics_in(t, content.relics, seat.relics),
        "launched": bool(s.launched >> p & 1),
    }
    if state.owner.options.abilities:
        once = seat.once
        doc["confused"] = [[space, confused_list(squad_of(s, p, space))] for space in set_to_list(seat.occupied)
                           if squad_confused(squad_of(s, p, space))]
        doc["tokens"] = seat.tokens
        doc["once"] = ([["F", i] for i in range(MAX_FACTION_RULES) if once >> (NUM_SLOTS + i) & 1]
                       + [["R", i] for i in range(NUM_SLOTS) if once >> i & 1])
    return doc


cdef list grant_documents(NativeState state, const State *s):
    """Grants, in the order of the document."""
    cdef const Tables *t = state.owner.tables
    cdef int i
    terrains = state.owner.content.planet.terrains
    found = []
    for i in range(s.grant_count):
        found.append({"player": receiver_of(s, i), "by": giver_of(s, i),
                      "mods": [written_modifier(mod, terrains) for mod in state.owner.granted[s.grant_step[i]]],
                      "for": DURATION_NAMES[granting(s, t, i).duration]})
    return sorted(found, key=grant_order)


cdef dict position_of(NativeState state, str phase):
    """The whole document, of one moment even where another thread goes on with the state meanwhile."""
    cdef State taken = state.s[0]
    cdef const State *s = &taken
    cdef const Tables *t = state.owner.tables
    cdef int i, space
    content = state.owner.content
    control = []
    for space in range(NUM_SPACES):
        i = controller_of(s, t, space)
        if i >= 0:
            control.append([space, i])
    doc = {
        "version": POSITION_VERSION,
        "mode": "competitive",
        "phase": phase,
        "options": state.owner.options.to_dict(),
        "content_hash": content.hash,
        "round": s.round,
        "first_player": s.first_player,
        "marker": s.marker,
        "current_player": s.active,
        "tiles": [FEATURE_NAMES[feature_at(s, space)] for space in range(NUM_SPACES)],
        "relic_tokens": set_to_list(s.tokens),
        "control": control,
        "combats": [[space, attacker_at(s, t, space)] for space in set_to_list(s.combat)],
        "cysmograph": {"singles": s.singles, "stack": s.stack},
        "bag": [content.tokens[i].name for i in range(t.token_count) if s.bag >> i & 1],
        "discovery": {
            "draw": [content.discovery[t.design_of[s.deck[i]]].id for i in reversed(range(s.deck_size))],
            "discard": designs_in(t, content.discovery, s.discard),
        },
        "relics": {
            "draw": [content.relics[t.relic_design_of[s.relic_deck[i]]].id
                     for i in reversed(range(s.relic_deck_size))],
            "discard": relics_in(t, content.relics, s.relic_discard),
        },
        "players": [player_document(state, s, i) for i in range(t.players)],
    }
    if state.owner.options.abilities:
        doc["grants"] = grant_documents(state, s)
    doc["final_turns"] = [i for i in range(t.players) if s.final_turns >> i & 1]
    doc["chance"] = {"seed": s.rng.key[0], "index": s.rng.key[1],
                     "words": [s.rng.used[CF_SETUP], s.rng.used[CF_DECKS], s.rng.used[CF_DICE]]}
    return doc


cdef class CopyBook:
    """Hands out the copies of designs, each once."""

    cdef dict free
    cdef str deck

    def __init__(self, deck, ids):
        self.deck = deck
        self.free = {}
        for copy, name in enumerate(ids):
            self.free.setdefault(name, []).append(copy)

    def take(self, name):
        """The lowest copy not yet taken."""
        copies = self.free.get(name)
        if not copies:
            raise PositionError("the position cannot be loaded",
                                [(self.deck, name, "no more copies of a card than the deck holds")])
        return copies.pop(0)

    def rest(self):
        """All others, ascending."""
        return sorted(copy for copies in self.free.values() for copy in copies)


cdef int refuse_position(str path, object found, str allowed) except -1:
    """Raise PositionError for a document that was not canonical after all."""
    raise PositionError("the position cannot be loaded", [(path, shown(found), allowed)])


cdef int ranged(object value, int least, int most, str path) except? -1:
    """An integer of a document, used as an index or kept in few bits; PositionError outside its range."""
    if not isinstance(value, int) or not least <= value <= most:
        refuse_position(path, value, f"an integer from {least} to {most}")
    return value


cdef bint crowded(const State *s, const Tables *t, int p, int space) noexcept nogil:
    """Whether two other players are in the space."""
    cdef int other = owner_at(s, t, space, p)
    cdef int seat
    for seat in range(other + 1, t.players if other >= 0 else 0):
        if seat != p and has128(s.seat[seat].occupied, space):
            return True
    return False


cdef int check_ships(const State *s, const Tables *t, bint setup) except -1:
    """The player to move has a Ship, and so has everybody who has not Launched; in set-up nobody."""
    cdef int seat
    for seat in range(t.players):
        if (s.seat[seat].ship < 0) != (setup or s.launched >> seat & 1):
            refuse_position(f"players[{seat}].ship", s.seat[seat].ship, "a Ship unless Launched or in set-up")
    if s.launched >> s.active & 1:
        refuse_position("current_player", s.active, "a player who has not Launched")
    return 0


cdef int load_player(NativeState state, int p, dict doc, object discovery, object relics) except -1:
    """One player's part of a document."""
    cdef State *s = state.s
    cdef Tables *t = state.owner.tables
    cdef Seat *seat = &s.seat[p]
    cdef int i, type, count, spot, holder
    cdef str path = f"players[{p}]"
    content = state.owner.content
    factions = {faction.id: i for i, faction in enumerate(content.factions)}
    modules = {module.id: i for i, module in enumerate(content.modules)}
    seat.faction = factions[doc["faction"]] if doc["faction"] is not None else -1
    seat.missing = 0
    for type in range(5):
        count = ranged(doc["missing"][type], 0, t.supply[type], path + ".missing")
        seat.missing += <uint16_t>(count * captive_step(type))
        seat.reserve[type] = ranged(<int>seat.reserve[type] + t.missing[p][type] - count, 0,
                                    t.supply[type], path + ".missing")
    if doc["ship"] is not None:
        seat.ship = ranged(doc["ship"], 0, NUM_SPACES - 1, path + ".ship")
        s.ships |= bit128(seat.ship)
    for space, counts in doc["units"]:
        spot = ranged(space, 0, NUM_SPACES - 1, path + ".units")
        for type in range(5):
            for i in range(ranged(counts[type], 0, t.room, path + ".units")):
                if not has_room(t, squad_of(s, p, spot), type) or crowded(s, t, p, spot):
                    refuse_position(path + ".units", [space, counts], "what a space has room for")
                if seat.reserve[type] == 0:
                    refuse_position(path + ".units", [space, counts], "no more Units than there are pieces")
                seat.reserve[type] -= 1
                put_unit(s, t, &state.ctx, p, type, spot)
    for owner, counts in doc["captured"]:
        holder = ranged(owner, 0, t.players - 1, path + ".captured")
        if holder == p:
            refuse_position(path + ".captured", owner, "the seats of other players")
        for type in range(5):
            count = ranged(counts[type], 0, s.seat[holder].reserve[type], path + ".captured")
            seat.captured[holder] += <uint16_t>(count * captive_step(type))
            s.seat[holder].reserve[type] -= <uint8_t>count
    seat.lorium = ranged(doc["lorium"], 0, 10**9, path + ".lorium")
    for i in range(NUM_SLOTS):
        slot = doc["slots"][i]
        if slot is not None and "relic" in slot:
            seat.slot[i] = SLOT_RELIC + <int>relics.take(slot["relic"])
        elif slot is not None:
            seat.slot[i] = ranged(slot["lorium"], 1, 15, path + ".slots")
    seat.blueprints = 0
    for name in doc["blueprints"]:
        seat.blueprints |= 1 << <int>modules[name]
    for name in doc["modules"]:
        seat.modules |= 1 << <int>modules[name]
    seat.commands = 0
    for name in doc["hand"]:
        seat.commands |= 1 << <int>COMMAND_NAMES.index(name)
    for i in range(NUM_COLUMNS):
        burned, played = doc["board"][i]
        set_board(seat, i, COMMAND_NAMES.index(burned) if burned is not None else -1,
                  COMMAND_NAMES.index(played) if played is not None else -1)
    for name in doc["discovery"]:
        seat.hand |= bit128(discovery.take(name))
    for name in doc["relics"]:
        seat.relics |= <uint64_t>1 << <int>relics.take(name)
    if doc["launched"]:
        s.launched |= 1 << p
    if not state.owner.options.abilities:
        return 0
    for space, counts in doc["confused"]:
        spot = ranged(space, 0, NUM_SPACES - 1, path + ".confused")
        for type in range(3):
            for i in range(ranged(counts[type], 0, squad_count(squad_of(s, p, spot), type), path + ".confused")):
                confuse_unit(s, t, &state.ctx, p, type, spot)
    seat.tokens = ranged(doc["tokens"], 0, 65535, path + ".tokens")
    if seat.tokens and (seat.faction < 0 or not t.faction_counter[seat.faction]):
        refuse_position(path + ".tokens", seat.tokens, "0 without a Faction that has a counter")
    for word, number in doc["once"]:
        if word == "R":
            seat.once |= 1 << ranged(number, 0, NUM_SLOTS - 1, path + ".once")
        else:
            seat.once |= 1 << (NUM_SLOTS + ranged(number, 0, MAX_FACTION_RULES - 1, path + ".once"))
    return 0


cdef int load_grants(NativeState state, list grants) except -1:
    """Grants for a round. Of several steps with the same modifiers the first stands for all."""
    cdef State *s = state.s
    cdef int step, last = state.owner.tables.players - 1
    terrains = state.owner.content.planet.terrains
    steps = {}
    for step, mods in state.owner.granted.items():
        if state.owner.tables.steps[step].duration == DURATION_ROUND:
            steps.setdefault(canonical_json([written_modifier(mod, terrains) for mod in mods]), step)
    for item in grants:
        step = steps.get(canonical_json(item["mods"]), -1)
        if step < 0 or not keep_grant(s, state.owner.tables, step, ranged(item["by"], 0, last, "grants"),
                                      ranged(item["player"], 0, last, "grants")):
            refuse_position("grants", item, "grants for a round of cards in this pack")
    return 0


cdef int load_position(NativeState state, dict doc, uint64_t seed, uint64_t index) except -1:
    """Put a canonical document on the table; ``run`` goes on from there."""
    cdef State *s = state.s
    cdef Tables *t = state.owner.tables
    cdef int i, space, other, spot, seat, last = t.players - 1
    cdef Event *events = state.ctx.events
    cdef bint setup = doc["phase"] == "setup"
    content = state.owner.content
    discovery = CopyBook("discovery", [content.discovery[t.design_of[i]].id for i in range(t.copies)])
    relics = CopyBook("relics", [content.relics[t.relic_design_of[i]].id for i in range(t.relic_copies)])
    clear_state(s, t)
    rng_key(&s.rng, seed, index)
    state.ctx.block.tag = RNG_EMPTY
    words = doc["chance"]["words"]
    s.rng.used[CF_SETUP] = ranged(words[0], 0, 0x7FFFFFFF, "chance.words")
    s.rng.used[CF_DECKS] = ranged(words[1], 0, 0x7FFFFFFF, "chance.words")
    s.rng.used[CF_DICE] = ranged(words[2], 0, 0x7FFFFFFF, "chance.words")
    s.round = ranged(doc["round"], 1, 30000, "round")
    s.first_player = ranged(doc["first_player"], 0, last, "first_player")
    s.opener = s.first_player
    s.marker = ranged(doc["marker"], 0, last, "marker")
    s.active = ranged(doc["current_player"], 0, last, "current_player")
    for space in range(NUM_SPACES):
        set_feature(s, t, space, FEATURE_NAMES.index(doc["tiles"][space]))
    for place in doc["relic_tokens"]:
        if s.token_supply == 0:
            refuse_position("relic_tokens", doc["relic_tokens"], "no more than there are Relic Tokens")
        s.tokens |= bit128(ranged(place, 0, NUM_SPACES - 1, "relic_tokens"))
        s.token_supply -= 1
    for place, player in doc["control"]:
        seat = ranged(player, 0, last, "control")
        s.seat[seat].control |= bit128(ranged(place, 0, NUM_SPACES - 1, "control"))
    # setting up is no event; recording starts with the draw piles
    state.ctx.events = NULL
    try:
        for i in range(t.players):
            load_player(state, i, doc["players"][i], discovery, relics)
    finally:
        state.ctx.events = events
    for place, player in doc["combats"]:
        spot = ranged(place, 0, NUM_SPACES - 1, "combats")
        seat = ranged(player, 0, last, "combats")
        other = owner_at(s, t, spot, seat)
        if not has128(s.combat & s.seat[seat].occupied, spot):
            refuse_position("combats", [place, player], "a space with Units of this player and another")
        s.attacker_high &= ~bit128(spot)
        if seat > other:
            s.attacker_high |= bit128(spot)
    s.singles = ranged(doc["cysmograph"]["singles"], 0, t.track, "cysmograph.singles")
    s.stack = ranged(doc["cysmograph"]["stack"], 0, t.track, "cysmograph.stack")
    s.bag = 0
    for name in doc["bag"]:
        for i in range(t.token_count):
            if content.tokens[i].name == name and not s.bag >> i & 1:
                s.bag |= <uint64_t>1 << i
                break
    for name in doc["discovery"]["discard"]:
        s.discard |= bit128(discovery.take(name))
    for name in doc["relics"]["discard"]:
        s.relic_discard |= <uint64_t>1 << <int>relics.take(name)
    listed = [discovery.take(name) for name in doc["discovery"]["draw"]]
    for copy in discovery.rest():
        s.deck[s.deck_size] = copy
        s.deck_size += 1
    if s.deck_size:
        shuffle_deck(s, t, &state.ctx)
    for copy in reversed(listed):
        s.deck[s.deck_size] = copy
        s.deck_size += 1
    listed = [relics.take(name) for name in doc["relics"]["draw"]]
    for copy in relics.rest():
        s.relic_deck[s.relic_deck_size] = copy
        s.relic_deck_size += 1
    if s.relic_deck_size:
        shuffle_relics(s, t, &state.ctx)
    for copy in reversed(listed):
        s.relic_deck[s.relic_deck_size] = copy
        s.relic_deck_size += 1
    for player in doc["final_turns"]:
        s.final_turns |= 1 << ranged(player, 0, last, "final_turns")
    s.finale = t.trigger == LT_SIMULTANEOUS and s.launched != 0
    check_ships(s, t, setup)
    if state.owner.options.abilities:
        load_grants(state, doc["grants"])
    if setup:
        s.fresh = 1
        refresh_mods(s, t)
        push(s, PR_SETUP, 0, 0, 0, 0, 0).step = SETUP_SHIPS
    else:
        push(s, PR_TURN, 0, 0, 0, 0, 0)
    i = integrity(s, t)
    if i:
        raise PositionError("the position cannot be loaded: " + INTEGRITY_CHECKS[i])
    return 0
