# The classes that Python sees (protocol section 18). Every check is here; beneath nothing can fail.

if N_CK > 16:  # Queues in _native.pxd
    raise ImportError("more chance kinds than script queues: rebuild with larger ones")

cdef tuple DECISIONS = tuple(DecisionKind(kind) for kind in range(len(DecisionKind)))
cdef tuple KIND_NAMES = tuple(kind.name.lower() for kind in ChanceKind)
cdef tuple DURATION_NAMES = tuple(duration.name.lower() for duration in Duration)
cdef tuple FEATURE_NAMES = tuple(feature.name.lower() for feature in Feature)
cdef tuple COMMAND_NAMES = tuple(card.name.lower() for card in CommandCard)
cdef tuple FACE_KINDS = (ChanceKind.RED_DIE, ChanceKind.YELLOW_DIE, ChanceKind.ATTACKER_STRIKE_DIE,
                         ChanceKind.DEFENDER_STRIKE_DIE, ChanceKind.HUMANITY_DIE)
cdef tuple LIST_KINDS = (ChanceKind.TERRAIN_LAYOUT, ChanceKind.FACTION_DEAL, ChanceKind.DISCOVERY_SHUFFLE,
                         ChanceKind.RELIC_SHUFFLE)


cdef tuple TURN_STARTS = (DK_RELIC_WINDOW, DK_RECLAIM, DK_BURN, DK_REACT, DK_RULE)

cdef object MAKING = object()  # what the makers of states and runs hand to __cinit__; nobody else has it


cdef void *aligned_room(size_t size) except NULL:
    """Zeroed memory at a cache line."""
    cdef void *room = aligned_alloc(64, (size + 63) // 64 * 64)
    if room == NULL:
        raise MemoryError(f"no room for {size:,} bytes")
    memset(room, 0, size)
    return room


cdef uint64_t word_of(object value, str what) except? 1:
    """A seed or game index: an integer from 0 to 2**64 - 1 (OptionError)."""
    if type(value) is int and 0 <= value <= 0xFFFFFFFFFFFFFFFF:
        return <uint64_t>value
    return <uint64_t>check_word(value, what)


cdef class NativeGame:
    """A game on the native engine: options and content, compiled into tables that all its states share.

    Use :func:`cysmic_fast.load_game`.
    """

    def __cinit__(self, options, content):
        self.tables = <Tables *>aligned_room(sizeof(Tables))
        if not isinstance(options, GameOptions):
            raise OptionError(f"options: {shown(options)} given; allowed: GameOptions")
        if not isinstance(content, Content):
            raise OptionError(f"content: {shown(content)} given; allowed: a Content")
        self.options = options
        self.content = content
        options.check(content)
        self.granted = build_tables(self.tables, content, options)
        spec = make_spec(options, content)
        self.observation_shape = spec.shape
        build_layout(&self.layout, spec, content)
        dice = content.dice
        numbers = {
            ChanceKind.TERRAIN_LAYOUT: {name: i for i, name in enumerate(FEATURE_NAMES)},
            ChanceKind.FACTION_DEAL: {faction.id: i for i, faction in enumerate(content.factions)},
            ChanceKind.FIRST_PLAYER: {colour: i for i, colour in enumerate(options.colours)},
            ChanceKind.DISCOVERY_SHUFFLE: {card.id: i for i, card in enumerate(content.discovery)},
            ChanceKind.RELIC_SHUFFLE: {card.id: i for i, card in enumerate(content.relics)},
            ChanceKind.FRACTURE_TOKEN: {token.name: i for i, token in enumerate(content.tokens)},
            # Relic Cards come after the Discovery Cards
            ChanceKind.RANDOM_CARD: {card.id: MAX_DESIGNS + i for i, card in enumerate(content.relics)}
            | {card.id: i for i, card in enumerate(content.discovery)},
        }
        faces = (dice.red, dice.yellow, [face.name for face in dice.attacker_strike],
                 [face.name for face in dice.defender_strike], dice.humanity_names)
        for kind, names in zip(FACE_KINDS, faces):
            # the first face of a name wins
            numbers[kind] = {str(names[i]): i for i in reversed(range(len(names)))}
        self.numbers = numbers

    def __init__(self, options, content):
        # states point into the tables, so that they never change
        if self.ready:
            raise TypeError("a game is made only once")
        self.ready = True

    def __dealloc__(self):
        if self.tables != NULL:
            free_effects(self.tables)
        free(self.tables)

    @property
    def engine(self):
        """``"native"``."""
        return "native"

    @property
    def num_players(self):
        """Number of players."""
        return self.tables.players

    @property
    def num_actions(self):
        """Size of the action vocabulary."""
        return NUM_ACTIONS

    def new_initial_state(self, seed=0, *, index=0, script=None, record=False):
        """Game ``index`` of ``seed``, advanced to its first decision.

        ``seed`` and ``index`` are integers from 0 to 2**64 - 1 (OptionError otherwise), ``script`` maps
        chance kinds to outcomes, ``record`` keeps the events.
        """
        cdef uint64_t key = word_of(seed, "seed")
        cdef uint64_t number = word_of(index, "index")
        cdef NativeState state = NativeState.__new__(NativeState, MAKING)
        state.attach(self, record)
        if script is not None:
            state.script(script)
        with nogil:
            new_game(state.s, self.tables, &state.ctx, key, number)
        state.check_chance()
        state.check_fault()
        return state

    def state_from_canonical(self, doc, seed=0, *, index=0, script=None, record=False):
        """See :meth:`_from_canonical`."""
        return self._from_canonical(doc, seed, index=index, script=script, record=record)

    def _from_canonical(self, doc, seed=0, *, index=0, script=None, record=False):
        """A state at a canonical position document (``cysmic_fast.position``), advanced to its first
        decision. Of any other, PositionError or a strange position.
        """
        cdef uint64_t key = word_of(seed, "seed")
        cdef uint64_t number = word_of(index, "index")
        cdef NativeState state = NativeState.__new__(NativeState, MAKING)
        state.attach(self, record)
        if script is not None:
            state.script(script)
        try:
            load_position(state, doc, key, number)
        except PositionError:
            raise
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise PositionError(f"the position cannot be loaded: {error!r}") from error
        with nogil:
            run(state.s, self.tables, &state.ctx)
        state.check_chance()
        state.check_fault()
        return state

    def _state_from_parts(self, body, script, record, knowledge=b""):
        """The state of :meth:`NativeState._save_parts`; SaveError for what is none of this game."""
        cdef NativeState state = load_body(self, body, record)
        if knowledge:
            load_knowledge(state, knowledge)
        if script is not None:
            state.script(script)
        return state

    def simulate(self, seed, first, count, *, threads=1, census=None):
        """Play games ``first`` .. ``first + count - 1`` of ``seed`` with the random policy.

        Returns records of GAME_STATS, shape (count,), the same for any number of threads. A ``census``
        (cysmic_fast.census.Census) counts the games; if an error ends the playing it is unchanged.
        """
        cdef uint64_t key = word_of(seed, "seed")
        cdef uint64_t start = word_of(first, "first")
        cdef int64_t games = check_word(count, "count", 0, 10**9)
        cdef int workers = check_word(threads, "threads", 1, 1024)
        records = numpy.zeros(games, dtype=GAME_STATS)
        cdef Playouts job = make_playouts(self, None, key, start, records, None)
        job.count_games(census)
        if games:
            job.play(workers, False)
        return records


cdef class NativeState:
    """A running or finished game on the native engine; at a decision with two or more options, or at the end.
    """

    def __cinit__(self, key=None):
        if key is not MAKING:
            raise TypeError("states come from new_initial_state, state_from_position or clone")
        # not zeroed: whoever makes a state fills it
        self.s = <State *>aligned_alloc(64, (sizeof(State) + sizeof(Knowledge) + 63) // 64 * 64)
        if self.s == NULL:
            raise MemoryError()
        self.knows = <Knowledge *>(self.s + 1)
        self.ctx.knows = self.knows

    def __init__(self):
        raise TypeError("states come from new_initial_state, state_from_position or clone")

    def __dealloc__(self):
        cdef int kind
        free(self.s)
        free(self.ctx.events)
        for kind in range(N_CK):
            free(self.queues.queue[kind].items)

    cdef int attach(self, NativeGame game, bint record) except -1:
        self.owner = game
        self.ctx.event_most = EVENT_MOST
        memset(self.s, 0, sizeof(State))
        memset(self.knows, 0, sizeof(Knowledge))
        if record:
            self.ctx.event_room = 256
            self.ctx.events = <Event *>malloc(self.ctx.event_room * sizeof(Event))
            if self.ctx.events == NULL:
                raise MemoryError()
        return 0

    cdef int check_chance(self) except -1:
        """Raise what a scripted outcome that cannot be, or an event without room, left behind."""
        if self.ctx.event_lost:
            self.ctx.event_lost = False
            self.ctx.broken = 0
            raise MemoryError("no room for the events of a game")
        if self.ctx.broken:
            kind = self.ctx.broken - 1
            self.ctx.broken = 0
            outcome = self.labels[kind][self.ctx.broken_at]
            allowed = possible_outcomes(self, kind)
            raise ChanceError(
                f"scripted outcome {shown(outcome)} of {KIND_NAMES[kind]} given; allowed: {allowed}")
        return 0

    cdef int check_fault(self) except -1:
        """Raise it if the engine has stopped because effects do not come to an end (V1.13, V1.15)."""
        cdef const Tables *t = self.owner.tables
        cdef const Program *program
        if not self.s.fault:
            return 0
        deep = self.s.fault == FAULT_DEPTH
        self.s.fault = 0  # told once; and no other thread finds it in a state that has been put back
        program = &t.programs[self.ctx.program]
        content = self.owner.content
        cards = content.discovery
        if program.kind == PK_RELIC:
            cards = content.relics
        elif program.kind == PK_FACTION:
            cards = content.factions
        card = cards[program.design]
        reason = "effects within effects too deep" if deep else f"more than {MAX_PERFORMED} steps without a decision"
        raise ContentError(f"{card.id} {card.name}: {reason}")

    # ------------------------------------------------------------------------------------------------ reading
    @property
    def game(self):
        """The game this is a state of."""
        return self.owner

    @property
    @cython.critical_section
    def round(self):
        """Round, from 1."""
        return self.s.round

    @property
    @cython.critical_section
    def active_player(self):
        """Seat whose turn it is."""
        return self.s.active

    @cython.critical_section
    def current_player(self):
        """Seat to decide, TERMINAL_PLAYER when the game is over."""
        return TERMINAL_PLAYER if self.s.phase == PH_OVER else self.s.player

    @cython.critical_section
    def decision(self):
        """What is asked, a DecisionKind."""
        return DECISIONS[self.s.kind]

    @cython.critical_section
    def legal_actions(self):
        """Legal action ids, ascending."""
        cdef list actions = []
        cdef int word
        cdef uint64_t rest
        if self.s.phase != PH_OVER:
            for word in range(8):
                rest = self.ctx.mask[word]
                while rest:
                    actions.append(64 * word + ctz64(rest))
                    rest &= rest - 1
        return actions

    @cython.critical_section
    def legal_actions_mask(self):
        """Shape (512,), bool: true at the legal ids."""
        cdef bytearray room = bytearray(NUM_ACTIONS)
        cdef char *bits = PyByteArray_AS_STRING(room)
        cdef int word
        cdef uint64_t rest
        if self.s.phase != PH_OVER:
            for word in range(8):
                rest = self.ctx.mask[word]
                while rest:
                    bits[64 * word + ctz64(rest)] = 1
                    rest &= rest - 1
        return numpy.frombuffer(room, dtype=numpy.bool_)

    @cython.critical_section
    def is_terminal(self):
        """Whether the game is over."""
        return self.s.phase == PH_OVER

    @cython.critical_section
    def winners(self):
        """Seats that have Launched, ascending."""
        cdef int launched = self.s.launched
        return [seat for seat in range(self.owner.tables.players) if launched >> seat & 1]

    @cython.critical_section
    def returns(self):
        """By seat: 1.0 for everybody that has Launched, else 0.0."""
        cdef int launched = self.s.launched
        return [float(launched >> seat & 1) for seat in range(self.owner.tables.players)]

    @cython.critical_section
    def end_reason(self):
        """0 a Launch, 1 no tiles left, 2 round cap; -1 while running."""
        return self.s.reason

    @cython.critical_section
    def influence(self, seat):
        """Influence of a player (I1.1)."""
        cdef int p = check_word(seat, "seat", 0, self.owner.tables.players - 1)
        return influence_of(self.s, self.owner.tables, p)

    @cython.critical_section
    def observation(self, player, out=None):
        """What a player sees, an int8 array of shape (size,) as ``observation_spec`` describes it.

        It is written into ``out`` if that is given: a writeable C-contiguous int8 array of this shape.
        """
        cdef int p = check_word(player, "player", 0, self.owner.tables.players - 1)
        if out is None:
            out = numpy.empty(self.owner.observation_shape, INT8)
        observe(self.s, self.owner.tables, &self.owner.layout, p,
                observation_room(out, self.owner.observation_shape))
        return out

    def events(self, player=None):
        """Events recorded so far: tuples (kind, player, a, b, c); with ``player`` as that seat may see them."""
        cdef int i, seat = -1
        if player is not None:
            seat = check_word(player, "player", 0, self.owner.tables.players - 1)
        cdef NativeState now = self.moment(True)
        if seat >= 0:
            return events_seen(now, seat)
        cdef Event *event
        cdef list found = []
        for i in range(now.ctx.event_count):
            event = &now.ctx.events[i]
            found.append((event.kind, event.player, event.a, event.b, event.c))
        return found

    @cython.critical_section
    def clear_events(self):
        """Forget the recorded events."""
        self.ctx.event_count = 0

    @cython.critical_section
    def action_to_string(self, action):
        """Name of an action in the decision at hand."""
        return action_name(action, self.owner.content, DECISIONS[self.s.kind])

    def __str__(self):
        """The whole state, whatever is hidden included; ``cysmic_fast.view_text`` is what a seat sees."""
        from cysmic_fast.render import render
        return render(self.moment(False))

    def __repr__(self):
        cdef NativeState now = self.moment(False)
        if now.s.phase == PH_OVER:
            return f"<native state: over, winners {now.winners()}>"
        return (f"<native state: round {now.s.round}, seat {now.s.player} decides "
                f"{DECISIONS[now.s.kind].name}>")  # how many options tells of hidden cards

    @cython.critical_section
    def check_integrity(self):
        """What is wrong with the incrementally kept data: None, or the name of the check that failed (for
        tests).
        """
        cdef uint64_t mask[8]
        cdef const char *untrue
        cdef int result = integrity(self.s, self.owner.tables)
        if result:
            return INTEGRITY_CHECKS[result]
        if self.s.phase != PH_OVER:
            offer(self.s, self.owner.tables, mask)
            if memcmp(mask, self.ctx.mask, sizeof(mask)) != 0:
                return "legal mask"
        untrue = untrue_knowledge(self.s, self.owner.tables, self.knows)
        return None if untrue == NULL else untrue.decode()

    def view(self, player):
        """What a seat sees and knows, as a document (docs/information.md)."""
        cdef int seat = check_word(player, "player", 0, self.owner.tables.players - 1)
        return view_of(self.moment(False), seat)

    @cython.critical_section
    def resample(self, player, seed):
        """An independent copy in which what a seat does not know is drawn anew (docs/information.md)."""
        cdef int seat = check_word(player, "player", 0, self.owner.tables.players - 1)
        cdef uint64_t key = word_of(seed, "seed")
        cdef NativeState copy = NativeState.__new__(NativeState, MAKING)
        copy.attach(self.owner, False)
        draw_agreeing(self.s, self.owner.tables, self.knows, self.ctx.mask, seat, key, copy.s, copy.knows,
                      copy.ctx.mask)
        copy.ctx.count = count_options(copy.ctx.mask)
        copy.ctx.block.tag = RNG_EMPTY
        copy.ctx.stats = self.ctx.stats
        return copy

    def to_position(self):
        """The canonical position document; PositionError unless nothing of the turn, or of placing Ships, has
        happened.
        """
        cdef NativeState now = self.moment(False)
        cdef bint start = now.s.fresh and now.s.phase != PH_OVER
        if start and now.s.phase == PH_SETUP:
            start = now.s.kind == DK_PLACE_SHIP
        elif start:
            start = now.s.kind in TURN_STARTS
        if not start:
            raise PositionError("no position document can be made here", [
                ("phase", f"{DECISIONS[now.s.kind].name} in round {now.s.round}",
                 "the first decision of a turn or the first Ship to be placed; snapshot() works anywhere")])
        return position_of(now, "turn" if now.s.phase == PH_TURN else "setup")

    def snapshot(self):
        """The same document at any decision, with phase mid_turn, mid_setup or over where it is not loadable.
        """
        cdef NativeState now = self.moment(False)
        if now.s.phase == PH_OVER:
            return position_of(now, "over")
        if now.s.phase == PH_SETUP:
            fresh = now.s.fresh and now.s.kind == DK_PLACE_SHIP
            return position_of(now, "setup" if fresh else "mid_setup")
        fresh = now.s.fresh and now.s.kind in TURN_STARTS
        return position_of(now, "turn" if fresh else "mid_turn")

    # ----------------------------------------------------------------------------------------------- changing
    cdef int perform(self, int action) except -1:
        """Apply a legal action. It can fail where there are a script, events or effects; then everything is put
        back.

        The GIL is kept, or without one the state's own lock: a step takes about a microsecond, and so threads
        may share a state.
        """
        cdef State before
        cdef Ctx context
        cdef Knowledge knew
        cdef int32_t heads[N_CK]
        cdef int kind
        if self.ctx.script == NULL and self.ctx.events == NULL and not self.owner.tables.entries[TABLE_PROGRAMS]:
            answer_with(self.s, self.owner.tables, &self.ctx, action)
            return 0
        memcpy(&before, self.s, sizeof(State))
        context = self.ctx
        memcpy(&knew, self.knows, knowledge_size(self.owner.tables))
        for kind in range(N_CK):
            heads[kind] = self.queues.queue[kind].head
        answer_with(self.s, self.owner.tables, &self.ctx, action)
        fault = self.s.fault
        if self.ctx.broken or self.ctx.event_lost or fault:
            memcpy(self.s, &before, sizeof(State))
            memcpy(self.knows, &knew, knowledge_size(self.owner.tables))
            memcpy(self.ctx.mask, context.mask, sizeof(context.mask))
            self.ctx.count = context.count
            self.ctx.stats = context.stats
            self.ctx.event_count = context.event_count
            for kind in range(N_CK):
                self.queues.queue[kind].head = heads[kind]
            self.check_chance()
            self.s.fault = fault
            self.check_fault()
        return 0

    @cython.critical_section
    def apply_action(self, action):
        """Perform a legal action and go on to the next decision.

        Any Python or NumPy integer. IllegalActionError (GameOverError when the game is over) or ChanceError
        leave the state unchanged.
        """
        cdef int number = -1
        if isinstance(action, int) and not isinstance(action, bool):
            if 0 <= action < NUM_ACTIONS:
                number = action
        elif hasattr(type(action), "__index__") and not isinstance(action, bool):
            try:
                value = operator_index(action)
            except Exception:
                value = -1
            if 0 <= value < NUM_ACTIONS:
                number = value
        if self.s.phase == PH_OVER:
            raise GameOverError(f"action {shown(action)} given, but the game is over; allowed: nothing")
        if number < 0 or not self.ctx.mask[number >> 6] >> (number & 63) & 1:
            self.refuse(action)
        self.perform(number)

    cdef int refuse(self, object action) except -1:
        """Raise IllegalActionError: what was given, what is allowed, in which decision."""
        cdef NativeState now = self.moment(False)
        legal = now.legal_actions()
        names = ", ".join(f"{a} ({now.action_to_string(a)})" for a in legal[:12])
        if len(legal) > 12:
            names += f", ... ({len(legal)} in all)"
        kind = DECISIONS[now.s.kind].name
        raise IllegalActionError(
            f"action {shown(action)} given in {kind} of seat {now.s.player}; allowed: {names}")

    cdef NativeState moment(self, bint events):
        """A copy of one moment: state, knowledge, what is left of the script and, if asked for, the events.

        Whoever puts more than one Python object together reads from it: another thread may go on with the
        state meanwhile. While it is copied nothing of Python runs.
        """
        cdef NativeState copy = NativeState.__new__(NativeState, MAKING)
        cdef int heads[N_CK]
        cdef int kind
        copy.owner = self.owner
        if not copy_moment(self, copy, events, heads):
            raise MemoryError("no room for a copy of a state")
        if copy.ctx.script != NULL:  # labels only grow
            copy.labels = [self.labels[kind][heads[kind]:heads[kind] + copy.queues.queue[kind].size]
                           for kind in range(N_CK)]
        return copy

    def clone(self, seed=None):
        """An exact, independent copy, remaining script and recorded events included.

        With ``seed`` chance is keyed anew with (seed, same index), all streams start at their first word and
        the script is dropped.
        """
        cdef uint64_t key = 0
        cdef NativeState copy
        if seed is not None:
            key = word_of(seed, "seed")
        copy = self.moment(True)
        if seed is not None:
            rng_key(&copy.s.rng, key, copy.s.rng.key[1])
            copy.drop_script()
        return copy

    cdef void drop_script(self):
        """Forget the outcomes to come."""
        cdef int kind
        self.ctx.script = NULL
        self.labels = None
        for kind in range(N_CK):
            free(self.queues.queue[kind].items)
            memset(&self.queues.queue[kind], 0, sizeof(Queue))

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        return self.clone()

    # ----------------------------------------------------------------------------------------------- as a value
    def _save_parts(self):
        """The parts of a save (docs/saves.md): the state, what is left of the script if there is one, and what
        the seats know.
        """
        cdef NativeState now = self.moment(False)
        return save_body(now), remaining_script(now), save_knowledge(now)

    def _script_left(self):
        """Outcomes to come, as :meth:`script` takes them."""
        return remaining_script(self.moment(False)) or {}

    def to_bytes(self):
        """The state as a save (docs/saves.md), the script included, recorded events not."""
        return write_save(self)

    def __eq__(self, other):
        """Whether the games are equal and the states too: position, what is going on, chance, script."""
        if not isinstance(other, NativeState):
            return NotImplemented
        if self is other:  # two looks at it could differ
            return True
        return self.game == other.game and self._save_parts() == other._save_parts()

    def __hash__(self):
        """Of this moment: a state changes."""
        return hash(self.to_bytes())

    def __reduce__(self):
        return load_state, (self.owner, self.to_bytes(), self.ctx.events != NULL)

    @cython.critical_section
    def script(self, outcomes):
        """Append outcomes to the queues of chance kinds: a mapping of kind names to lists of outcome names.
        """
        cdef dict added = {}
        if not isinstance(outcomes, Mapping):
            raise ChanceError(
                f"script: {shown(outcomes)} given; allowed: chance kinds mapped to lists of outcomes")
        for name, items in outcomes.items():
            kind = chance_kind(name)
            if name != KIND_NAMES[kind]:
                raise ChanceError(f"script: {shown(name)} given; allowed: {KIND_NAMES[kind]}, exactly so")
            if not isinstance(items, (list, tuple)):
                refuse_outcome(kind, items, "a list of outcomes")
            numbers = self.owner.numbers[kind]
            codes, labels = added.setdefault(int(kind), ([], []))
            for item in items:
                if kind in LIST_KINDS:
                    if not isinstance(item, (list, tuple)) or not all(isinstance(x, str) for x in item):
                        refuse_outcome(kind, item, "a list of names")
                    codes.append(min(len(item), 32767))
                    codes.extend(numbers.get(x, -1) for x in item)
                    labels.append(item)
                    labels.extend(item)
                elif isinstance(item, str):
                    codes.append(numbers.get(item, -1))
                    labels.append(item)
                else:
                    refuse_outcome(kind, item, f"a name such as {next(iter(numbers))!r}")
        for kind, (codes, labels) in added.items():
            self.append_codes(kind, codes, labels)

    cdef int append_codes(self, int kind, list codes, list labels) except -1:
        """Put numbers at the end of a queue."""
        cdef Queue *queue = &self.queues.queue[kind]
        cdef int32_t room
        cdef int16_t *grown
        if codes and self.labels is None:
            self.labels = [[] for _ in range(N_CK)]
        if queue.size + len(codes) > queue.room:
            room = <int32_t>(queue.size + len(codes) + 16)
            grown = <int16_t *>realloc(queue.items, room * sizeof(int16_t))
            if grown == NULL:
                raise MemoryError()
            queue.items = grown
            queue.room = room
        if codes:
            self.labels[kind].extend(labels)  # first: no thread may find a number without its label
            for code in codes:
                queue.items[queue.size] = code
                queue.size += 1
            self.ctx.script = &self.queues
        return 0


@cython.critical_section
cdef bint copy_moment(NativeState state, NativeState copy, bint events, int *heads) noexcept:
    """All of a state but its labels; ``heads``: where they go on. False: there is no room."""
    cdef int kind
    cdef Queue *mine
    cdef Queue *its
    memcpy(copy.s, state.s, sizeof(State) + knowledge_size(state.owner.tables))
    memcpy(copy.ctx.mask, state.ctx.mask, sizeof(state.ctx.mask))
    copy.ctx.count = state.ctx.count
    copy.ctx.block.tag = RNG_EMPTY
    copy.ctx.stats = state.ctx.stats
    if events and state.ctx.events != NULL:
        copy.ctx.events = <Event *>malloc(state.ctx.event_room * sizeof(Event))
        if copy.ctx.events == NULL:
            return False
        copy.ctx.event_room = state.ctx.event_room
        copy.ctx.event_most = state.ctx.event_most
        copy.ctx.event_count = state.ctx.event_count
        memcpy(copy.ctx.events, state.ctx.events, state.ctx.event_count * sizeof(Event))
    if state.ctx.script != NULL:
        for kind in range(N_CK):
            mine = &state.queues.queue[kind]
            its = &copy.queues.queue[kind]
            heads[kind] = mine.head
            if mine.head < mine.size:
                its.items = <int16_t *>malloc((mine.size - mine.head) * sizeof(int16_t))
                if its.items == NULL:
                    return False
                its.size = mine.size - mine.head
                its.room = its.size
                memcpy(its.items, mine.items + mine.head, its.size * sizeof(int16_t))
        copy.ctx.script = &copy.queues
    return True


cdef inline int count_options(const uint64_t *mask) noexcept nogil:
    """How many actions a mask has."""
    cdef int word, count = 0
    for word in range(8):
        count += popcount64(mask[word])
    return count


cdef str possible_outcomes(NativeState state, int kind):
    """What may be scripted for a chance kind now, for a message."""
    cdef int i
    content = state.owner.content
    if kind == CK_FRACTURE_TOKEN:
        left = range(state.owner.tables.token_count)
        names = [content.tokens[i].name for i in left if state.s.bag >> i & 1]
        return "a token in the bag: " + (", ".join(dict.fromkeys(names)) or "none is left")
    if kind in LIST_KINDS:
        return "names of what is being shuffled, each as often as it is there"
    return ", ".join(state.owner.numbers[kind])


cdef int refuse_outcome(object kind, object given, str allowed) except -1:
    """Raise ChanceError for a malformed outcome."""
    raise ChanceError(f"script of {KIND_NAMES[kind]}: {shown(given)} given; allowed: {allowed}")


def build_info():
    """Compiler, flags and sizes of the compiled engine, for bug reports."""
    return {
        "compiler": CYSMIC_COMPILER.decode(),
        "build_flags": CYSMIC_FLAGS.decode(),
        "debug": bool(CYSMIC_DEBUG),
        "state_bytes": sizeof(State),
        "tables_bytes": sizeof(Tables),
    }
