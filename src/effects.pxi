# From compiled effects (cysmic_fast/content/effects.py) to flat tables: programs, rules and what they refer to.

cdef enum:
    TABLE_STEPS = 0        # which of the growing tables
    TABLE_UNITS = 1
    TABLE_SPACES = 2
    TABLE_CONDS = 3
    TABLE_MODS = 4
    TABLE_PROGRAMS = 5
    TABLE_LISTS = 6


cdef size_t entry_size(int which):
    """Bytes of an entry of a growing table."""
    if which == TABLE_STEPS:
        return sizeof(Step)
    if which == TABLE_UNITS:
        return sizeof(UnitSel)
    if which == TABLE_SPACES:
        return sizeof(SpaceSel)
    if which == TABLE_CONDS:
        return sizeof(Cond)
    if which == TABLE_MODS:
        return sizeof(Mod)
    return sizeof(Program) if which == TABLE_PROGRAMS else sizeof(int16_t)


cdef void **table_place(Tables *t, int which):
    """Where the pointer to a growing table is."""
    if which == TABLE_STEPS:
        return <void **>&t.steps
    if which == TABLE_UNITS:
        return <void **>&t.units
    if which == TABLE_SPACES:
        return <void **>&t.spaces
    if which == TABLE_CONDS:
        return <void **>&t.conds
    if which == TABLE_MODS:
        return <void **>&t.mods
    return <void **>&t.programs if which == TABLE_PROGRAMS else <void **>&t.lists


cdef void free_effects(Tables *t):
    """Give the growing tables back."""
    cdef int which
    for which in range(7):
        free(table_place(t, which)[0])


cdef int take_entries(Tables *t, int which, int count) except -1:
    """Room for ``count`` more entries in a row, zeroed; the number of the first."""
    cdef void **place = table_place(t, which)
    cdef size_t size = entry_size(which)
    cdef int first = t.entries[which]
    cdef int room = t.entry_room[which]
    cdef void *grown
    fits(first + count, 0, 32000, "parts of effects")
    if first + count > room:
        room = 2 * (first + count)
        grown = realloc(place[0], room * size)
        if grown == NULL:
            raise MemoryError()
        place[0] = grown
        t.entry_room[which] = room
    memset(<char *>place[0] + first * size, 0, count * size)
    t.entries[which] += count
    return first


cdef int bits_of(object members) except -1:
    """A bit for each member."""
    cdef int bits = 0
    for member in members:
        bits |= 1 << <int>member
    return bits


cdef int or_none(object member) except -1:
    """An enumeration member as a byte; UNSET for None."""
    return UNSET if member is None else <int>member


cdef class EffectWriter:
    """Writes the effects of a content pack into the tables of a game."""

    cdef Tables *t
    cdef dict known            # numbers of selectors and conditions written already
    cdef dict granted          # modifiers by the step that grants them

    # ------------------------------------------------------------------------------------------- selectors
    cdef int units(self, sel) except -2:
        """The number of a unit selector; -1 for None."""
        cdef int index, at
        cdef UnitSel *out
        if sel is None:
            return -1
        if sel in self.known:
            return self.known[sel]
        at = self.space(sel.at)
        index = take_entries(self.t, TABLE_UNITS, 1)
        out = &self.t.units[index]
        out.owner = sel.owner
        out.types = bits_of(sel.types)
        out.state = sel.state
        out.confused = sel.confused
        out.where = sel.where
        out.health = HEALTH_N if sel.health_n else 0 if sel.health is None else min(sel.health, HEALTH_N - 1)
        out.is_register = sel.register
        out.at = at
        self.known[sel] = index
        return index

    cdef int space(self, sel) except -2:
        """The number of a space selector; -1 for None."""
        cdef int index, i, near_to = -1, holds
        cdef SpaceSel *out
        cdef u128 spaces
        if sel is None:
            return -1
        if sel in self.known:
            return self.known[sel]
        if sel.near is not None:
            near_to = self.units(sel.near.units) if sel.near.units is not None else self.space(sel.near.space)
        holds = self.units(sel.holds)
        index = take_entries(self.t, TABLE_SPACES, 1)
        out = &self.t.spaces[index]
        spaces = everywhere()
        if sel.terrains:
            spaces = 0
            for i in sel.terrains:
                spaces |= self.t.map.wedge[i]
            out.needs_tile = 1
        if sel.ring is not None:
            for i in range(NUM_SPACES):
                if not sel.ring[0] <= <int>self.t.map.ring_of[i] <= sel.ring[1]:
                    spaces &= ~bit128(i)
        out.fixed = spaces
        out.features = bits_of(sel.features)
        out.terrain_register = sel.terrain_register
        if sel.near is not None:
            out.near = NEAR_UNITS if sel.near.units is not None else NEAR_SPACE
            out.low = fits(sel.near.low, 0, 100, "near")
            out.high = fits(sel.near.high, 0, 100, "near")
        out.near_to = near_to
        out.holds = holds
        out.empty = sel.empty
        out.combat = or_none(sel.combat)
        out.control = bits_of(sel.control)
        out.value_high = UNSET
        if sel.value is not None:
            out.value_low = min(sel.value[0], 254)
            out.value_high = min(sel.value[1], 254)
        out.is_register = sel.register
        self.known[sel] = index
        return index

    cdef int write_count(self, Count *out, count) except -1:
        """A count."""
        out.kind = count.kind
        out.number = fits(count.number, 0, ALL - 1, "n")
        out.metric = or_none(count.metric)
        out.most = 0 if count.most is None else fits(count.most, 1, ALL - 1, "max")
        out.units = self.units(count.units)
        out.space = self.space(count.space)
        return 0

    cdef int cond(self, cond) except -2:
        """The number of a condition; -1 for None."""
        cdef int index, exists, site
        cdef Cond *out
        if cond is None:
            return -1
        if cond in self.known:
            return self.known[cond]
        exists = self.units(cond.exists)
        site = self.space(cond.site)
        index = take_entries(self.t, TABLE_CONDS, 1)
        out = &self.t.conds[index]
        out.exists = exists
        out.site = site
        out.low = min(cond.low, 255)
        out.high = -1 if cond.high is None else min(cond.high, 30000)
        out.metric = or_none(cond.metric)
        out.who = cond.who
        out.op = cond.op
        out.value = max(-30000, min(cond.value, 30000))
        out.role = or_none(cond.role)
        out.turn = or_none(cond.turn)
        out.needs = cond_needs(cond)
        out.never = cond.metric is not None and <int>cond.metric >= METRIC_TURN_LORIUM
        self.known[cond] = index
        return index

    # ------------------------------------------------------------------------------------------- modifiers
    cdef int mods(self, mods, uint32_t *keys) except -1:
        """The number of the first of several modifiers, in a row."""
        cdef int first = take_entries(self.t, TABLE_MODS, len(mods))
        cdef int i = first, space
        cdef Mod *out
        for mod in mods:
            space = self.space(mod.space)
            out = &self.t.mods[i]
            out.mod = mod.mod
            out.n = mod.n
            out.types = bits_of(mod.types)
            out.role = or_none(mod.role)
            out.mode = mod.mode
            out.colour = mod.colour
            out.per = mod.per
            out.ability = or_none(mod.ability)
            out.features = bits_of(mod.features)
            out.side = mod.side
            out.part = or_none(mod.part)
            out.space = space
            out.res = or_none(mod.res)
            out.gathers = bits_of(mod.gathers)
            out.limit = or_none(mod.limit)
            out.icons = bits_of(mod.icons)
            out.source = mod.source
            out.rule = or_none(mod.rule)
            out.tremors = bits_of(mod.tremors)
            out.immunities = bits_of(mod.immunities)
            out.denials = bits_of(mod.denials)
            out.reaches = bits_of(mod.reaches)
            keys[0] |= bit32(mod.mod)
            self.t.limits_lowered |= mod.mod == MOD_LIMIT and mod.n < 0
            i += 1
        return first

    # -------------------------------------------------------------------------------------------- programs
    cdef int program(self, program, int kind, int design, int rule) except -2:
        """The number of a program; -1 for None."""
        cdef int index, first
        if program is None:
            return -1
        index = take_entries(self.t, TABLE_PROGRAMS, 1)
        first = self.steps(program.steps, index)
        self.t.programs[index].first = first
        self.t.programs[index].kind = kind
        self.t.programs[index].design = design
        self.t.programs[index].rule = rule
        self.t.programs[index].gathers = any(step.verb == VERB_GATHER for step in program.walk())
        return index

    cdef int steps(self, steps, int program) except -1:
        """The number of the first step of a list, which lie in a row."""
        cdef int count = len(steps)
        cdef int first = take_entries(self.t, TABLE_STEPS, count)
        cdef int i
        cdef bint head = True
        for i in range(count):
            self.step(first + i, steps[i], program)
            if head:
                self.t.steps[first + i].flags |= SF_HEAD
                head = self.t.steps[first + i].flags & SF_MUST or steps[i].verb == VERB_GRANT
        self.t.steps[first + count - 1].flags |= SF_LAST
        return first

    cdef int step(self, int index, step, int program) except -1:
        """One step; those inside it get places of their own."""
        cdef Step out
        cdef int verb = step.verb
        cdef int first, inner, i
        memset(&out, 0, sizeof(Step))
        out.verb = verb
        out.who = step.who
        out.program = program
        out.flags = step_flags(step)
        out.needs = step_needs(step)
        out.units = -1
        out.space = -1
        out.swap = -1
        out.cond = -1
        out.player = UNSET
        out.n.kind = COUNT_KIND_NUMBER
        out.n.number = 1
        out.n.units = -1
        out.n.space = -1
        if step.lists:
            first = take_entries(self.t, TABLE_LISTS, len(step.lists))
            out.lists = first
            out.list_count = len(step.lists)
            for i in range(out.list_count):
                inner = self.steps(step.lists[i], program)
                self.t.lists[first + i] = inner
        if hasattr(step, "n") and verb not in NUMBERED:
            if isinstance(step.n, int):
                out.n.number = step.n
            else:
                self.write_count(&out.n, step.n)
        if hasattr(step, "units"):
            out.units = self.units(step.units)
        self.arguments(&out, verb, step)
        self.t.steps[index] = out
        if verb == VERB_GRANT:
            self.granted[index] = step.mods
        return 0

    cdef int arguments(self, Step *out, int verb, step) except -1:
        """What a verb's own words are kept in."""
        if verb == VERB_IF:
            out.cond = self.cond(step.cond)
        elif verb == VERB_EACH:
            self.each(out, step)
        elif verb == VERB_PICK:
            out.what = step.what
            out.space = self.space(step.space)
            out.player = or_none(step.player)
        elif verb == VERB_ROLL:
            out.what = step.dice
            out.value = step.n
        elif VERB_PAY <= verb <= VERB_STEAL:
            self.goods(out, verb, step)
        elif verb == VERB_TRADE or verb == VERB_STORE or verb == VERB_TREMOR:
            out.value = step.n
        elif verb == VERB_SCRY:
            out.what = step.deck
            out.value = fits(step.n, 1, MAX_SCRY, "n of scry")
            out.extra = step.keep
            out.word = step.rest
        elif VERB_DEPLOY <= verb <= VERB_PLACE:
            self.moves(out, verb, step)
        elif verb == VERB_ACT:
            out.actions = bits_of(step.actions)
            out.special = step.whole
            out.lorium_only = step.lorium_only
        elif verb == VERB_GATHER:
            out.what = step.kind
            out.tremor = step.tremor
        elif verb == VERB_COMMAND:
            out.actions = step.source | <int>step.kind << 2 | <int>step.part << 3
        elif verb == VERB_RECLAIM:
            out.what = step.source
        elif verb == VERB_BONUS:
            out.actions = bits_of(step.icons)
            out.what = step.icons_from
            out.word = step.column
        elif verb == VERB_PLAY:
            out.what = step.mode
        elif verb == VERB_CONTROL:
            out.space = self.space(step.at)
            out.player = step.to
            out.word = step.means
        elif verb == VERB_FRACTURE:
            out.extra = step.draw
        elif verb == VERB_COLLAPSE:
            out.space = self.space(step.space)
        elif verb == VERB_TOKEN:
            out.what = step.op
            out.space = self.space(step.space)
        elif verb == VERB_COMBAT:
            out.what = step.which
            out.player = step.first
            out.flag = step.captures
        elif verb == VERB_FLEE:
            out.flag = step.final_strike
        elif verb == VERB_DIE:
            out.what = step.op
            out.word = step.colour
            out.value = step.value
        elif verb == VERB_ALTER:
            out.what = step.what
            out.player = or_none(step.to)
        elif verb == VERB_CYBER:
            out.value = step.range
            out.extra = step.dice
        elif verb == VERB_CONSTRUCT:
            out.what = step.method
            out.extra = step.discount
        elif verb == VERB_GRANT:
            out.mod_count = len(step.mods)
            out.mods = self.mods(step.mods, &out.keys)
            out.player = step.to
            out.duration = step.duration
        return 0

    cdef int each(self, Step *out, step) except -1:
        """`each`."""
        over = type(step.over).__name__
        out.extra = 0 if step.most is None else step.most
        out.flag = step.once
        if over == "UnitSelector":
            out.what = EACH_UNITS
            out.units = self.units(step.over)
        elif over == "SpaceSelector":
            out.what = EACH_SPACES
            out.space = self.space(step.over)
        else:
            out.what = EACH_PLAYERS
            out.player = step.over
        return 0

    cdef int goods(self, Step *out, int verb, step) except -1:
        """`pay`, `gain`, `lose`, `steal`."""
        out.what = step.res
        if verb == VERB_PAY:
            out.player = step.to
        elif verb == VERB_GAIN:
            out.player = or_none(step.of)
        elif verb == VERB_LOSE or verb == VERB_STEAL:
            out.word = step.by
        if verb == VERB_STEAL:
            out.player = step.source
        return 0

    cdef int moves(self, Step *out, int verb, step) except -1:
        """`deploy`, `convert`, `move`, `place`."""
        if verb == VERB_DEPLOY:
            out.types = bits_of(step.types)
            out.value = -1 if step.budget is None else step.budget
            out.special = step.influence
            out.space = self.space(step.at)
        elif verb == VERB_CONVERT:
            out.what = step.to
            out.extra = step.discount
            out.word = step.dropship
        elif verb == VERB_MOVE:
            out.value = -1 if step.steps is None else step.steps
            out.word = step.mode
            out.space = self.space(step.end)
            out.flag = step.engage
            out.tremor = step.tremor
            out.special = step.board
        elif verb == VERB_PLACE:
            out.space = self.space(step.to)
            out.special = step.deploy
            out.swap = self.units(step.swap)
            out.flag = step.engage
        return 0

    # ----------------------------------------------------------------------------------------------- rules
    cdef int rule(self, Rule *out, rule, int kind, int design, int number) except -1:
        """A standing rule."""
        out.cond = -1
        out.program = -1
        if rule.trigger is not None:
            self.trigger(out, rule.trigger)
            out.program = self.program(rule.program, kind, design, number)
        else:
            out.mod_count = len(rule.mods)
            out.mods = self.mods(rule.mods, &out.keys)
            out.sabotage = rule.sabotage
        return 0

    cdef int trigger(self, Rule *out, trigger) except -1:
        """When a Reaction or rule fits."""
        for event in trigger.on:
            out.on |= bit32(event)
        out.by = trigger.by
        out.of = or_none(trigger.of)
        for kind in trigger.kinds:
            out.kinds |= <uint64_t>1 << <int>kind
        out.role = or_none(trigger.role)
        out.cond = self.cond(trigger.cond)
        out.once = 0 if trigger.once is None else trigger.once
        out.opt = trigger.opt
        return 0


cdef frozenset NUMBERED = frozenset((VERB_ROLL, VERB_TRADE, VERB_STORE, VERB_SCRY, VERB_TREMOR))
cdef frozenset COUNTING = frozenset((
    VERB_PAY, VERB_ROLL, VERB_GAIN, VERB_LOSE, VERB_STEAL, VERB_DEPLOY, VERB_CONVERT, VERB_MOVE, VERB_PLACE,
    VERB_RECALL, VERB_DESTROY, VERB_CAPTURE, VERB_CONFUSE, VERB_GATHER, VERB_CONTROL, VERB_COLLAPSE, VERB_TOKEN,
    VERB_CYBER, VERB_RANSOM, VERB_CONSTRUCT))
#: The second player word of a verb.
cdef dict SECOND_WORD = {
    VERB_PAY: "to", VERB_STEAL: "source", VERB_GAIN: "of", VERB_CONTROL: "to", VERB_COMBAT: "first",
    VERB_ALTER: "to", VERB_GRANT: "to"}


cdef int step_flags(step) except -1:
    """SF_ flags that follow from the step alone."""
    cdef int verb = step.verb
    cdef int flags = 0
    if step.opt:
        flags |= SF_OPT
    if step.upto:
        flags |= SF_UPTO
    if step.must or verb == VERB_PAY or verb == VERB_PICK:
        flags |= SF_MUST
    if verb in COUNTING:
        flags |= SF_SETS_N
    if verb in SECOND_WORD:
        word = getattr(step, SECOND_WORD[verb])
        if word is not None and chooses_one(word):
            flags |= SF_OTHER
    if reserved(step):
        flags |= SF_NEVER
    return flags


cdef bint reserved(step) except -1:
    """Whether a step asks for something reserved for other modes (C86)."""
    cdef int verb = step.verb
    if VERB_PAY <= verb <= VERB_STEAL and verb != VERB_PICK and verb != VERB_ROLL:
        if step.res == GOOD_ESPIONAGE:
            return True
    if verb == VERB_SCRY and (step.deck == DECK_SUBROUTINE or step.deck == DECK_STRIKE):
        return True
    if verb == VERB_PLAY and step.deck == DECK_SUBROUTINE:
        return True
    if verb == VERB_IF and step.cond.metric is not None and step.cond.metric >= METRIC_TURN_LORIUM:
        return True
    count = getattr(step, "n", None)
    metric = getattr(count, "metric", None)
    return metric is not None and metric >= METRIC_TURN_LORIUM


# -------------------------------------------------------------------- the registers that words need (V2.3, C22)
cdef int unit_needs(sel) except -1:
    """Registers in a unit selector, a bit each."""
    cdef int needs
    if sel is None:
        return 0
    needs = space_needs(sel.at)
    if sel.register:
        needs |= 1 << REGISTER_UNIT
    if sel.owner == OWNER_REGISTER:
        needs |= 1 << REGISTER_PLAYER
    if sel.health_n:
        needs |= 1 << REGISTER_N
    return needs


cdef int space_needs(sel) except -1:
    """Registers in a space selector."""
    cdef int needs
    if sel is None:
        return 0
    needs = unit_needs(sel.holds)
    if sel.register:
        needs |= 1 << <int>sel.register
    if sel.terrain_register:
        needs |= 1 << REGISTER_TERRAIN
    for word in sel.control:
        if word == CONTROL_AXIS_REGISTER:
            needs |= 1 << REGISTER_PLAYER
    if sel.near is not None:
        needs |= unit_needs(sel.near.units) | space_needs(sel.near.space)
    return needs


cdef int word_needs(word) except -1:
    """Registers in a player word."""
    return 1 << REGISTER_PLAYER if word is not None and word == WHO_REGISTER else 0


cdef int count_needs(count) except -1:
    """Registers in a count."""
    cdef int needs
    if not hasattr(count, "kind"):
        return 0
    needs = unit_needs(count.units) | space_needs(count.space)
    if count.kind == COUNT_KIND_REGISTER or (count.metric is not None and count.metric == METRIC_N):
        needs |= 1 << REGISTER_N
    return needs


cdef int cond_needs(cond) except -1:
    """Registers in a condition."""
    cdef int needs = unit_needs(cond.exists) | space_needs(cond.site)
    if cond.metric is not None:
        needs |= word_needs(cond.who)
        if cond.metric == METRIC_N:
            needs |= 1 << REGISTER_N
    return needs


cdef int step_needs(step) except -1:
    """Registers in a step's own words, not in those of its inner lists."""
    cdef int verb = step.verb
    cdef int needs = word_needs(step.who) | count_needs(getattr(step, "n", None))
    for name in ("units", "swap"):
        needs |= unit_needs(getattr(step, name, None))
    for name in ("space", "at", "end"):
        needs |= space_needs(getattr(step, name, None))
    if verb in SECOND_WORD:
        needs |= word_needs(getattr(step, SECOND_WORD[verb]))
    if verb == VERB_PLACE:
        needs |= space_needs(step.to)
    elif verb == VERB_PICK:
        needs |= word_needs(step.player)
    elif verb == VERB_IF:
        needs |= cond_needs(step.cond)
    elif verb == VERB_BONUS and step.icons_from == ICONS_FROM_EVENT:
        needs |= 1 << REGISTER_CARD
    elif verb == VERB_EACH:
        over = type(step.over).__name__
        if over == "UnitSelector":
            needs |= unit_needs(step.over)
        elif over == "SpaceSelector":
            needs |= space_needs(step.over)
        else:
            needs |= word_needs(step.over)
    return needs


# ------------------------------------------------------------------------------------------------------ all of it
cdef dict build_effects(Tables *t, object content):
    """Programs and rules of all designs, and what of them can matter in this game; modifiers by step."""
    cdef int design, i, once, copy, row, own
    cdef uint32_t watchable = 0
    cdef Rule *rule
    cdef EffectWriter writer = EffectWriter()
    writer.t = t
    writer.known = {}
    writer.granted = {}
    for design in range(128):
        t.ability[design] = -1
    for design, card in enumerate(content.discovery):
        program = card.effect if card.event else card.ability
        t.ability[design] = writer.program(program, PK_EVENT if card.event else PK_ABILITY, design, 0)
        t.reaction[design].program = t.ability[design]
        t.reaction[design].cond = -1
        if card.trigger is not None and card.ability is not None:
            writer.trigger(&t.reaction[design], card.trigger)
            t.reacts[design] = t.reaction[design].on
            t.watch_card[design] = watch_word(&t.reaction[design])
    for copy in range(t.copies):
        design = t.design_of[copy]
        if t.reacts[design]:
            t.reactions |= bit128(copy)
            t.reaction_watch |= t.reacts[design]
            for row in range(EVENT_ROWS):
                for own in range(2):
                    if answers_cause(&t.reaction[design], own) and answers_row(t, &t.reaction[design], row):
                        t.answering[own][row] |= bit128(copy)
        elif content.discovery[design].kind == "action":
            t.actions |= bit128(copy)
    for design, relic in enumerate(content.relics):
        fits(len(relic.rules), 0, 1, f"rules of {relic.id}")
        for found in relic.rules:
            writer.rule(&t.relic_rule[design], found, PK_RELIC, design, 0)
    for copy in range(t.relic_copies):
        rule = &t.relic_rule[t.relic_design_of[copy]]
        t.relic_watch |= rule.on
        t.watch_relic[t.relic_design_of[copy]] = watch_word(rule)
        t.relic_keys[rule.sabotage][t.relic_design_of[copy]] |= rule.keys
        if rule.sabotage:
            t.sabotage |= rule.keys
    watchable |= t.relic_watch | t.reaction_watch
    for design, faction in enumerate(content.factions):
        t.faction_rules[design] = fits(len(faction.rules), 0, MAX_FACTION_RULES, f"rules of {faction.id}")
        t.faction_counter[design] = bool(faction.token)
        for i in range(t.faction_rules[design]):
            rule = &t.faction_rule[design][i]
            writer.rule(rule, faction.rules[i], PK_FACTION, design, i)
            t.watch_faction[1 + design] |= watch_word(rule)
            t.faction_keys[rule.sabotage][design] |= rule.keys
            for row in range(EVENT_ROWS):
                for own in range(2):
                    if answers_cause(rule, own) and answers_row(t, rule, row):
                        t.faction_answers[own][1 + design][row] |= <uint8_t>(1 << i)
            if rule.on:
                once = rule.once
                t.faction_once[design][once] |= 1 << i
            if t.factions:
                watchable |= rule.on
                if rule.sabotage:
                    t.sabotage |= rule.keys
    t.watchable = watchable
    return writer.granted
