# The document of what a seat sees (docs/information.md, section 2).

cdef tuple DICE_KINDS = (DK_REROLL_DIE, DK_VALUE_DIE, DK_SHIELD_DIE, DK_MODIFIER_CARD, DK_MODIFIER_DIE,
                         DK_HITS, DK_DIE)
cdef tuple PILE_NAMES = ("draw", "table")
cdef tuple OFFER_KINDS = (DK_TRADE_GIVE, DK_TRADE_TAKE, DK_TRADE_ANSWER, DK_TRADE_CARD, DK_TRADE_RELIC)


cdef list places_list(int places):
    """Places as a document names them."""
    found = [seat for seat in range(MAX_PLAYERS) if places >> seat & 1]
    if places & PLACE_PILE:
        found.append("draw")
    if places & PLACE_TABLE:
        found.append("table")
    return found


cdef dict deck_view(NativeState state, int k, int v, object specs):
    """What a seat sees of the draw pile of a deck, and knows of its cards."""
    cdef const State *s = state.s
    cdef const Tables *t = state.owner.tables
    cdef const Knowledge *knows = state.knows
    cdef int size = pile_size(s, k)
    cdef int i, c, own, late, places, design, count = copy_count(t, k)
    cdef const uint8_t *pile = pile_of(s, k)
    placed = []
    belated = []
    late = 0
    own = 0
    for c in range(count):
        design = copy_design(t, k, c)
        places = knows.places[v][RELIC_BASE * k + c]
        if places & (places - 1) or places & (PLACE_PILE | PLACE_TABLE):
            placed.append((design, places_list(places)))
        own += has128(hand_of(s, k, v), c)
        late += knows.late[RELIC_BASE * k + c]
        if c + 1 == count or copy_design(t, k, c + 1) != design:
            belated.extend([specs[design].id] * max(0, late - own))
            own = 0
            late = 0
    placed.sort(key=place_order)
    return {
        "draw": {
            "count": size,
            "top": [specs[copy_design(t, k, pile[size - 1 - i])].id for i in range(knows.top[k][v])],
            "bottom": [specs[copy_design(t, k, pile[i])].id for i in reversed(range(knows.bottom[k][v]))],
        },
        "placed": [[specs[number].id, where] for number, where in placed],
        "late": sorted(belated),
        "fresh": [0 if i == v else knows.fresh[k][i] for i in range(t.players)],
    }


def place_order(item):
    """Order of `placed`: by design, then by places, the draw pile after the seats, the table last."""
    number, where = item
    return number, [PILE_NAMES.index(x) + MAX_PLAYERS if isinstance(x, str) else x for x in where]


cdef dict hand_view(NativeState state, int k, int v, int q, object specs):
    """What v sees of a hand of q."""
    cdef const Tables *t = state.owner.tables
    cdef int c
    return {
        "count": count128(hand_of(state.s, k, q)),
        "known": [specs[copy_design(t, k, c)].id for c in range(copy_count(t, k))
                  if state.knows.places[v][RELIC_BASE * k + c] == 1 << q],
    }


cdef dict shown_view(NativeState state, int v):
    """What v has been shown in the step at hand."""
    cdef const State *s = state.s
    cdef const Tables *t = state.owner.tables
    cdef const Frame *f = top_of(s)
    cdef int i, side, cards, made
    content = state.owner.content
    shown = {}
    if s.phase == PH_OVER:
        return shown
    if s.kind in DICE_KINDS:
        shown["dice"] = [["yellow" if s.die[i] & DIE_YELLOW else "red", die_value(s, i)]
                         for i in range(s.dice)]
    if s.kind == DK_KEEP_RELIC and s.player == v:
        shown["cards"] = [content.relics[t.relic_design_of[beneath(f, 1)[i]]].id for i in range(f.c)]
    if (s.kind == DK_SCRY_KEEP or s.kind == DK_SCRY_PUT) and s.player == v:
        made = f.b >> 8 if s.kind == DK_SCRY_PUT else 0
        kept = [i for i in range(made, f.b & 255) if not f.c >> i & 1]
        if t.steps[f.a].what == DECK_RELIC:
            shown["cards"] = [content.relics[t.relic_design_of[scry_cards(f)[i]]].id for i in kept]
        else:
            shown["cards"] = [content.discovery[t.design_of[scry_cards(f)[i]]].id for i in kept]
    if s.kind in OFFER_KINDS:
        shown["offer"] = {"from": f.p, "to": f.b}
        for side in range(2):
            shown["offer"]["take" if side else "give"] = [
                trade_list(f, side)[i] for i in range(trade_list(f, side)[TR_COUNT])]
    if s.kind == DK_TRADE_CARD or s.kind == DK_TRADE_RELIC:
        picked = []
        if v == f.p or v == f.b:
            side = v == f.b
            cards = pieces_listed(f, side, A_RESOURCE + RS_DISCOVERY)
            made = f.d if side == f.c else 0
            if side < f.c:
                made = cards + pieces_listed(f, side, A_RESOURCE + RS_RELIC)
            for i in range(made):
                if i < cards:
                    picked.append(content.discovery[t.design_of[trade_list(f, side)[TR_PICKS + i]]].id)
                else:
                    picked.append(content.relics[t.relic_design_of[trade_list(f, side)[TR_PICKS + i]]].id)
        shown["picked"] = picked
    return shown


cdef dict view_of(NativeState state, int v):
    """The whole document."""
    cdef const State *s = state.s
    cdef const Tables *t = state.owner.tables
    cdef bint choosing = s.phase == PH_SETUP and s.kind == DK_CHOOSE_FACTION
    cdef int q, i, hidden
    content = state.owner.content
    phase = "over" if s.phase == PH_OVER else "setup" if s.phase == PH_SETUP else "turn"
    doc = position_of(state, phase)
    del doc["chance"]
    doc["viewer"] = v
    for q in range(t.players):
        player = doc["players"][q]
        if q == v:
            if choosing:
                player["dealt"] = [content.factions[(<const uint8_t *>&s.die[0])[q * t.faction_deal + i]].id
                                   for i in range(t.faction_deal)]
            continue
        hidden = s.seat[q].commands
        excluded = []
        for i in range(NUM_COLUMNS):
            if burned_card(&s.seat[q], i) >= 0:
                hidden |= 1 << burned_card(&s.seat[q], i)
                player["board"][i][0] = "hidden"
            excluded.append(commands_list(state.knows.excluded[q][i]))
        player["hand"] = commands_list(hidden)
        player["excluded"] = excluded
        player["discovery"] = hand_view(state, DISCOVERY_PILE, v, q, content.discovery)
        player["relics"] = hand_view(state, RELIC_PILE, v, q, content.relics)
        if choosing:
            player["faction"] = None
    doc["discovery"].update(deck_view(state, DISCOVERY_PILE, v, content.discovery))
    doc["relics"].update(deck_view(state, RELIC_PILE, v, content.relics))
    doc["decision"] = None
    if s.phase != PH_OVER:
        doc["decision"] = {"player": s.player, "kind": DECISIONS[s.kind].name,
                           "actions": state.legal_actions() if s.player == v else None}
    doc["shown"] = shown_view(state, v)
    return doc


cdef list events_seen(NativeState state, int v):
    """Section 3: the recorded events as a seat may see them."""
    cdef Event *event
    cdef int i
    found = []
    for i in range(state.ctx.event_count):
        event = &state.ctx.events[i]
        if event.seen >> v & 1:
            found.append((event.kind, event.player, event.a, event.b, event.c))
        elif event.kind == EV_CHOICE:
            if event.a != DK_REACT:
                found.append((event.kind, event.player, event.a, -1, 0))
        else:
            found.append((event.kind, event.player, event.a, -1, event.c))
    return found
