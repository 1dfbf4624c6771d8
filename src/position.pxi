# Position documents (protocol section 16): state to document and back. Documents come canonical and checked.

cdef list squad_list(uint8_t squad):
    """Numbers of Units by type."""
    return [squad_count(squad, type) for type in range(5)]


cdef object command_name(int card):
    """Name of a Command Card on the board; None for an empty place."""
    return COMMAND_NAMES[card] if card >= 0 else None


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
    cdef int i
    content = state.owner.content
    slots = []
    for i in range(NUM_SLOTS):
        if seat.slot_relic[i] >= 0:
            slots.append({"relic": content.relics[t.relic_design_of[seat.slot_relic[i]]].id})
        elif seat.slot_lorium[i]:
            slots.append({"lorium": seat.slot_lorium[i]})
        else:
            slots.append(None)
    return {
        "colour": state.owner.options.colours[p],
        "faction": content.factions[seat.faction].id if seat.faction >= 0 else None,
        "ship": seat.ship if seat.ship >= 0 else None,
        "units": [[space, squad_list(squad_of(s, p, space))] for space in set_to_list(seat.occupied)],
        "missing": [seat.missing[i] for i in range(5)],
        "captured": [[i, [captive_count(seat.captured[i], type) for type in range(5)]]
                     for i in range(t.players) if seat.captured[i]],
        "lorium": seat.lorium,
        "slots": slots,
        "blueprints": [content.modules[i].id for i in range(6) if seat.blueprints >> i & 1],
        "modules": [content.modules[i].id for i in range(6) if seat.modules >> i & 1],
        "hand": [COMMAND_NAMES[i] for i in range(10) if seat.commands >> i & 1],
        "board": [[command_name(seat.burned[i]), command_name(seat.played[i])] for i in range(NUM_COLUMNS)],
        "discovery": designs_in(t, content.discovery, seat.hand),
        "relics": relics_in(t, content.relics, seat.relics),
        "launched": bool(seat.launched),
    }


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
    return {
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
        "final_turns": [i for i in range(t.players) if s.final_turns >> i & 1],
        "chance": {"seed": s.rng.key[0], "index": s.rng.key[1],
                   "words": [s.rng.used[CF_SETUP], s.rng.used[CF_DECKS], s.rng.used[CF_DICE]]},
    }


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


cdef int load_player(NativeState state, int p, dict doc, object discovery, object relics) except -1:
    """One player's part of a document."""
    cdef State *s = state.s
    cdef Tables *t = state.owner.tables
    cdef Seat *seat = &s.seat[p]
    cdef int i, type, count
    content = state.owner.content
    factions = {faction.id: i for i, faction in enumerate(content.factions)}
    modules = {module.id: i for i, module in enumerate(content.modules)}
    seat.faction = factions[doc["faction"]] if doc["faction"] is not None else -1
    seat.influence = set_up_of(s, t, p).influence
    for type in range(5):
        seat.missing[type] = doc["missing"][type]
        seat.reserve[type] += t.missing[p][type] - seat.missing[type]
    if doc["ship"] is not None:
        seat.ship = doc["ship"]
        s.ships |= bit128(seat.ship)
    for space, counts in doc["units"]:
        for type in range(5):
            for i in range(counts[type]):
                seat.reserve[type] -= 1
                put_unit(s, t, &state.ctx, p, type, space)
    for owner, counts in doc["captured"]:
        for type in range(5):
            count = counts[type]
            seat.captured[<int>owner] += <uint16_t>(count * captive_step(type))
            s.seat[<int>owner].reserve[type] -= <uint8_t>count
    seat.lorium = doc["lorium"]
    for i in range(NUM_SLOTS):
        slot = doc["slots"][i]
        if slot is not None and "relic" in slot:
            seat.slot_relic[i] = relics.take(slot["relic"])
        elif slot is not None:
            seat.slot_lorium[i] = slot["lorium"]
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
        seat.burned[i] = COMMAND_NAMES.index(burned) if burned is not None else -1
        seat.played[i] = COMMAND_NAMES.index(played) if played is not None else -1
    for name in doc["discovery"]:
        seat.hand |= bit128(discovery.take(name))
    for name in doc["relics"]:
        seat.relics |= <uint64_t>1 << <int>relics.take(name)
    seat.launched = doc["launched"]
    return 0


cdef int load_position(NativeState state, dict doc, uint64_t seed, uint64_t index) except -1:
    """Put a canonical document on the table; ``run`` goes on from there."""
    cdef State *s = state.s
    cdef Tables *t = state.owner.tables
    cdef int i, space, other
    cdef Event *events = state.ctx.events
    content = state.owner.content
    discovery = CopyBook("discovery", [content.discovery[t.design_of[i]].id for i in range(t.copies)])
    relics = CopyBook("relics", [content.relics[t.relic_design_of[i]].id for i in range(t.relic_copies)])
    clear_state(s, t)
    rng_key(&s.rng, seed, index)
    words = doc["chance"]["words"]
    s.rng.used[CF_SETUP] = words[0]
    s.rng.used[CF_DECKS] = words[1]
    s.rng.used[CF_DICE] = words[2]
    s.round = doc["round"]
    s.first_player = doc["first_player"]
    s.opener = s.first_player
    s.marker = doc["marker"]
    s.active = doc["current_player"]
    for space in range(NUM_SPACES):
        set_feature(s, t, space, FEATURE_NAMES.index(doc["tiles"][space]))
    for space in doc["relic_tokens"]:
        s.tokens |= bit128(space)
        s.token_supply -= 1
    for space, seat in doc["control"]:
        s.seat[<int>seat].control |= bit128(space)
    # setting up is no event; recording starts with the draw piles
    state.ctx.events = NULL
    for i in range(t.players):
        load_player(state, i, doc["players"][i], discovery, relics)
    state.ctx.events = events
    for space, seat in doc["combats"]:
        other = owner_at(s, t, space, seat)
        s.attacker_high &= ~bit128(space)
        if <int>seat > other:
            s.attacker_high |= bit128(space)
    s.singles = doc["cysmograph"]["singles"]
    s.stack = doc["cysmograph"]["stack"]
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
    for seat in doc["final_turns"]:
        s.final_turns |= 1 << <int>seat
    s.finale = t.trigger == LT_SIMULTANEOUS and launched_seats(s, t) != 0
    if doc["phase"] == "setup":
        s.fresh = 1
        push(s, PR_SETUP, 0, 0, 0, 0).step = SETUP_SHIPS
    else:
        push(s, PR_TURN, 0, 0, 0, 0)
    return 0
