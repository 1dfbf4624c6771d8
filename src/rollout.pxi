# Playouts: games, or continuations of a state, played by policies without the lock (docs/rollouts.md). One
# loop serves `simulate` and `rollouts`; what needs Python (a callable, an error) leaves the loop and comes
# back to it.

cdef enum:
    CUT = 4                    # beside WAIT, OVER and FAULT: as many decisions as allowed have been taken
    CALL = 5                   # a Python callable is to choose
    REFUSED = 6                # a compiled policy or evaluator has given nothing usable
    BY_RANDOM = 0              # who chooses for a seat (cysmic_fast/rollout.py)
    BY_RULES = 1
    BY_CODE = 2
    BY_PYTHON = 3
    NO_CUTOFF = -1

cdef double MAX_VALUE = 1e100      # of an evaluator (cysmic_fast/policies.py)
cdef double SHARE_SECONDS = 0.02   # that a share of the playouts should take: then signals are looked for


cdef struct Draws:             # the policy stream of a playout
    Rng rng
    RngBlock block

# A compiled policy: state, mask and stream; 1 + the action chosen, 0 for an exception. A compiled evaluator:
# state and room for a number a seat; 0 for an exception.
ctypedef int64_t (*PolicyCode)(const State *, const uint64_t *, Draws *) noexcept nogil
ctypedef int64_t (*EvaluatorCode)(const State *, double *) noexcept nogil


cdef struct Plan:              # what all playouts of a job share
    const Tables *tables
    const State *start         # NULL: new games
    const Knowledge *known     # what is known there, where a callable will ask; NULL: none will
    uint64_t mask[8]           # of the decision there
    int32_t count
    uint64_t seed
    uint64_t first
    int64_t cutoff             # asked decisions, or NO_CUTOFF
    uint8_t by[6]              # BY_..., by seat
    bint plain                 # random to the end: the short loop will do
    bint ask_python            # for the value of a playout that was cut off
    PolicyCode code[6]
    EvaluatorCode evaluator    # NULL: none
    Rules *rules
    Record *records
    double *returns            # by playout and seat; NULL: not wanted
    int64_t limit              # playouts from here on are not needed any more: stop, or an error below


cdef struct Lane:              # of one thread
    State s
    State shown                # what compiled code sees: a copy, so that it can break nothing
    uint64_t shown_mask[8]
    double value[6]
    Ctx ctx
    Draws draws
    Draws before               # as it was when the compiled policy was called
    int64_t given              # what that, or the compiled evaluator, has returned
    int64_t place              # the playout at hand
    int64_t end                # of the share
    bint running               # it is under way
    int result


cdef extern from *:
    """
    CYSMIC_INLINE int64_t read_place(const int64_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
    CYSMIC_INLINE void write_place(int64_t *p, int64_t n) { __atomic_store_n(p, n, __ATOMIC_RELAXED); }
    """
    int64_t read_place(const int64_t *place) noexcept nogil
    void write_place(int64_t *place, int64_t value) noexcept nogil


# The two functions that compiled policies call (cysmic_fast/compiled.py), by address.
cdef uint64_t policy_word(Draws *draws) noexcept nogil:
    """The next word of the policy stream."""
    return rng_word(&draws.rng, &draws.block, CF_POLICY)


cdef uint64_t policy_bounded(Draws *draws, uint64_t n) noexcept nogil:
    """An unbiased integer below n, which counts as 1 if it is 0 and is at most 2^32 - 1."""
    if n < 2:
        return 0
    return rng_bounded(&draws.rng, &draws.block, CF_POLICY, <uint32_t>at_most(n, 0xFFFFFFFF))


cdef int64_t code_action(const Plan *plan, Lane *lane) noexcept nogil:
    """What the compiled policy of the seat gives: 1 + an action; 0 is an exception, below is nonsense."""
    memcpy(&lane.shown, &lane.s, sizeof(State))
    memcpy(lane.shown_mask, lane.ctx.mask, sizeof(lane.shown_mask))
    lane.before = lane.draws
    lane.given = plan.code[lane.s.player](&lane.shown, lane.shown_mask, &lane.draws)
    return lane.given


cdef int play_by_plan(const Plan *plan, Lane *lane) noexcept nogil:
    """Go on with the playout of a lane by the policies of the seats: until it is over, or something is to
    be done elsewhere.
    """
    cdef State *s = &lane.s
    cdef Ctx *ctx = &lane.ctx
    cdef const Tables *t = plan.tables
    cdef int64_t given
    cdef int by, action
    cdef int result = lane.result
    while result == WAIT:
        if <int64_t>ctx.stats.decisions == plan.cutoff:
            return CUT
        by = plan.by[s.player]
        if by == BY_RANDOM:
            action = <int>rng_bounded(&lane.draws.rng, &lane.draws.block, CF_POLICY, <uint32_t>ctx.count)
            action = select512(ctx.mask, action)
        elif by == BY_RULES:
            action = playout_action(s, t, ctx, plan.rules, &lane.draws.rng, &lane.draws.block)
        elif by == BY_PYTHON:
            return CALL
        else:
            if read_place(&plan.limit) <= lane.place:
                return CUT  # nobody needs it
            given = code_action(plan, lane)
            if given <= 0 or given > NUM_ACTIONS:
                return REFUSED
            given -= 1
            if not ctx.mask[given >> 6] >> (given & 63) & 1:
                return REFUSED
            action = <int>given
        ctx.stats.decisions += 1
        ctx.stats.options += <uint64_t>ctx.count
        result = answer_with(s, t, ctx, action)
    return result


cdef void begin_playout(const Plan *plan, Lane *lane) noexcept nogil:
    """Set up the playout at the lane's place."""
    cdef uint64_t index = plan.first + <uint64_t>lane.place
    memset(&lane.ctx.stats, 0, sizeof(Stats))
    rng_key(&lane.draws.rng, plan.seed, index)
    lane.draws.block.tag = RNG_EMPTY
    lane.ctx.steps = 0
    if lane.ctx.census != NULL:
        census_begin(lane.ctx.census)
    if lane.ctx.knows != NULL:
        memcpy(lane.ctx.knows, plan.known, knowledge_size(plan.tables))
    if plan.start == NULL:
        lane.result = new_game(&lane.s, plan.tables, &lane.ctx, plan.seed, index)
    else:
        memcpy(&lane.s, plan.start, sizeof(State))
        memcpy(lane.ctx.mask, plan.mask, sizeof(plan.mask))
        lane.ctx.count = plan.count
        rng_key(&lane.s.rng, plan.seed, index)
        lane.ctx.block.tag = RNG_EMPTY
        lane.result = OVER if lane.s.phase == PH_OVER else WAIT
    lane.running = True


cdef bint value_cut(const Plan *plan, Lane *lane) noexcept nogil:
    """Have the compiled evaluator give the numbers of a playout that was cut off; whether they can be used.
    """
    cdef int seat
    for seat in range(6):
        lane.value[seat] = NAN
    if plan.evaluator == NULL:
        return True
    memcpy(&lane.shown, &lane.s, sizeof(State))
    lane.given = plan.evaluator(&lane.shown, lane.value)
    if lane.given == 0:
        return False
    for seat in range(plan.tables.players):
        if not -MAX_VALUE <= lane.value[seat] <= MAX_VALUE:  # or not a number
            return False
    return True


cdef void end_playout(const Plan *plan, Lane *lane) noexcept nogil:
    """Report the playout of a lane."""
    cdef int players = plan.tables.players
    cdef int seat
    write_record(&lane.s, plan.tables, &lane.ctx.stats, &plan.records[lane.place])
    if lane.ctx.census != NULL:
        census_end(lane.ctx.census, &lane.s, plan.tables, plan.first + <uint64_t>lane.place)
    if plan.returns != NULL:
        for seat in range(players):
            plan.returns[lane.place * players + seat] = (
                lane.value[seat] if lane.result == CUT else <double>(lane.s.launched >> seat & 1))
    lane.running = False
    lane.place += 1


cdef int play_share(const Plan *plan, Lane *lane) noexcept nogil:
    """Play the lane's share to its end (OVER), or until something is to be done with the lock."""
    while lane.place < lane.end:
        if read_place(&plan.limit) <= lane.place:
            return OVER
        if not lane.running:
            begin_playout(plan, lane)
        if plan.plain:
            lane.result = play_out(&lane.s, plan.tables, &lane.ctx, &lane.draws.rng, lane.result)
        elif lane.result == WAIT:
            lane.result = play_by_plan(plan, lane)
        if lane.result == CALL or lane.result == FAULT or lane.result == REFUSED:
            return lane.result
        if lane.result == CUT:
            if read_place(&plan.limit) <= lane.place:
                return OVER
            if plan.ask_python:
                return CUT
            if not value_cut(plan, lane):
                return REFUSED
        end_playout(plan, lane)
    return OVER


cdef class Playouts:
    """A job of playouts being played by one or more threads, which all call :meth:`work`. Keeps alive what
    they read and write.
    """

    cdef NativeGame game
    cdef State *start           # what playouts of a state begin with, a copy
    cdef Knowledge known        # and what is known then; of new games nothing
    cdef Plan plan
    cdef Rules rules
    cdef object keep            # arrays, policies
    cdef list policies          # by seat: a callable, a compiled policy, or None
    cdef object evaluator
    cdef int64_t count
    cdef int64_t next           # the first playout nobody has taken yet; changed under the lock
    cdef object error           # of the lowest playout with one
    cdef object census          # counts the playouts; None: nothing does
    cdef int64_t[::1] sums      # what is to be added to it; changed under the lock

    def __cinit__(self, key=None):
        if key is not MAKING:
            raise TypeError("playouts are made by simulate and rollouts")

    def __dealloc__(self):
        free(self.start)

    cdef int count_games(self, object census) except -1:
        """Have a census count the playouts, once all have been played without an error."""
        self.census = census
        if census is not None:
            self.sums = census_room(census, self.plan.tables.players)
        return 0

    cdef int play(self, int threads, bint apart) except -1:
        """Play all of it with so many threads; ``apart``: the calling thread looks for signals only."""
        if threads == 1 and not apart:
            self.work()
        else:
            # no pool: its idle threads wait for work, for ever if a signal comes while one is being started
            helpers = []
            try:
                for _ in range(min(threads, self.count)):
                    helpers.append(Thread(target=self.work_apart))
                    helpers[-1].start()
                for helper in helpers:
                    while helper.is_alive():
                        helper.join(0.1)  # with a timeout, so that the main thread sees signals
            finally:
                write_place(&self.plan.limit, 0)
                for helper in helpers:
                    if helper.is_alive():
                        helper.join()
        if self.error is not None:
            raise self.error
        if self.census is not None:
            self.census.add(numpy.asarray(self.sums))
        return 0

    def work_apart(self):
        """:meth:`work` in a thread of its own; whatever ends it is told by :meth:`play`."""
        try:
            self.work()
        except BaseException as error:
            with cython.critical_section(self):
                write_place(&self.plan.limit, 0)
                self.error = error

    def work(self):
        """Play shares until none is left; which thread plays a playout does not matter to it."""
        cdef Lane *lane = <Lane *>aligned_room(sizeof(Lane))
        cdef int64_t share = 1
        cdef int result
        try:
            if self.census is not None:
                lane.ctx.census = <Census *>aligned_room(sizeof(Census))
            if self.plan.known != NULL:
                lane.ctx.knows = <Knowledge *>aligned_room(sizeof(Knowledge))
            while True:
                with cython.critical_section(self):
                    lane.place = self.next
                    lane.end = min(self.count, lane.place + share)
                    self.next = max(self.next, lane.end)
                if lane.place >= min(self.count, read_place(&self.plan.limit)):
                    break
                lane.running = False
                start = perf_counter()
                while True:
                    with nogil:
                        result = play_share(&self.plan, lane)
                    if result == OVER:
                        break
                    try:
                        self.attend(lane, result)
                    except Exception as error:
                        # the lowest playout with an error tells it, however many threads there are
                        with cython.critical_section(self):
                            if lane.place < self.plan.limit:
                                write_place(&self.plan.limit, lane.place)
                                self.error = error
                        break
                PyErr_CheckSignals()
                if perf_counter() - start < SHARE_SECONDS and share < SHARE:
                    share *= 2
            if lane.ctx.census != NULL:
                with cython.critical_section(self):
                    census_add(&self.sums[0], &lane.ctx.census.sums)
        finally:
            free(lane.ctx.census)
            free(lane.ctx.knows)
            free(lane)

    cdef int attend(self, Lane *lane, int result) except -1:
        """Do what needs the lock, so that the playout can go on; or raise what is wrong with it."""
        cdef int action, seat
        cdef NativeState state = self.state_of(lane)
        cdef uint64_t index = self.plan.first + <uint64_t>lane.place
        if result == FAULT:
            try:
                state.check_fault()
            except ContentError as error:
                what = f"playout {index}" if self.plan.start != NULL else f"game {index} of seed {self.plan.seed}"
                raise error.at(index, what) from None
        elif result == REFUSED:
            self.explain(lane, state)
        elif result == CALL:
            action = self.checked_action(lane, self.policies[lane.s.player](state))
            lane.ctx.stats.decisions += 1
            lane.ctx.stats.options += <uint64_t>lane.ctx.count
            lane.result = answer_with(&lane.s, self.plan.tables, &lane.ctx, action)
        else:
            values = checked_values(self.evaluator(state), self.plan.tables.players,
                                    f"the evaluator, in playout {index}")
            for seat in range(self.plan.tables.players):
                lane.value[seat] = values[seat]
            end_playout(&self.plan, lane)
        return 0

    cdef NativeState state_of(self, Lane *lane):
        """A state of its own, as the playout of a lane stands."""
        cdef NativeState state = NativeState.__new__(NativeState, MAKING)
        state.attach(self.game, False)
        memcpy(state.s, &lane.s, sizeof(State))
        if lane.ctx.knows != NULL:
            memcpy(state.knows, lane.ctx.knows, knowledge_size(self.plan.tables))
        memcpy(state.ctx.mask, lane.ctx.mask, sizeof(lane.ctx.mask))
        state.ctx.count = lane.ctx.count
        state.ctx.block.tag = RNG_EMPTY
        state.ctx.stats = lane.ctx.stats
        state.ctx.program = lane.ctx.program
        return state

    cdef int checked_action(self, Lane *lane, object given) except -1:
        """What a policy returned, as a legal action; PolicyError if it is none."""
        cdef int64_t action = action_of(given)
        if action >= 0 and lane.ctx.mask[action >> 6] >> (action & 63) & 1:
            return <int>action
        index = self.plan.first + <uint64_t>lane.place
        raise policy_error(self.policies[lane.s.player], self.state_of(lane), index, lane.ctx.stats.decisions,
                           f"returned {shown(given)}")

    cdef int explain(self, Lane *lane, NativeState state) except -1:
        """Raise the PolicyError of compiled code; called again from Python, the code tells its exception."""
        cdef uint64_t index = self.plan.first + <uint64_t>lane.place
        shown_state = PyBytes_FromStringAndSize(<char *>&lane.s, sizeof(State))
        if lane.result == CUT:
            what = "raised an exception"
            if lane.given:
                players = self.plan.tables.players
                what = (f"returned {[lane.value[seat] for seat in range(players)]}; "
                        f"allowed: {allowed_values(players)}")
            error = PolicyError(f"the evaluator, in playout {index}: it {what}")
            cause = None if lane.given else self.evaluator.repeat(shown_state)
        else:
            policy = self.policies[lane.s.player]
            what = "raised an exception"
            if lane.given:
                what = f"returned {policy.told(lane.given)}"
            error = policy_error(policy, state, index, lane.ctx.stats.decisions, what)
            mask = PyBytes_FromStringAndSize(<char *>lane.ctx.mask, sizeof(lane.ctx.mask))
            cause = None if lane.given else policy.repeat(shown_state, mask, <size_t>&lane.before)
        raise error from cause


cdef int64_t action_of(object given) except -2:
    """An action id of any integer type, -1 for what is none."""
    if hasattr(type(given), "__index__") and not isinstance(given, (bool, numpy.bool_)):
        try:
            number = operator_index(given)
        except TypeError:  # an array
            return -1
        if 0 <= number < NUM_ACTIONS:
            return number
    return -1


cdef Playouts make_playouts(NativeGame game, NativeState start, uint64_t seed, uint64_t first, object records,
                            object returns):
    """A job of as many playouts as there are records, by the random policy to the end."""
    cdef Playouts job = Playouts.__new__(Playouts, MAKING)
    cdef Plan *plan = &job.plan
    cdef uint8_t[::1] room
    cdef double[:, ::1] values
    if records.dtype.itemsize != sizeof(Record):
        raise SystemError("GAME_STATS and the native record differ")
    job.game = game
    job.count = len(records)
    plan.tables = game.tables
    plan.seed = seed
    plan.first = first
    plan.limit = job.count
    plan.cutoff = NO_CUTOFF
    plan.plain = True
    plan.rules = &job.rules
    if job.count:
        room = records.view(numpy.uint8)
        plan.records = <Record *>&room[0]
        if returns is not None:
            values = returns
            if (values.shape[0], values.shape[1]) != (job.count, game.tables.players):
                raise ValueError("returns: allowed: shape (playouts, players)")
            plan.returns = &values[0, 0]
    job.keep = (records, returns)
    if start is not None:
        job.start = <State *>aligned_room(sizeof(State))
        plan.start = job.start
        with cython.critical_section(start):
            memcpy(job.start, start.s, sizeof(State))
            memcpy(&job.known, start.knows, knowledge_size(game.tables))
            memcpy(plan.mask, start.ctx.mask, sizeof(plan.mask))
            plan.count = start.ctx.count
    return job


def run_playouts(NativeGame game not None, NativeState start, uint64_t seed, uint64_t first, records, returns,
                 list policies, list codes, rules, int64_t cutoff, evaluator, size_t evaluator_code,
                 int threads, bint apart, census=None):
    """The playouts of :func:`cysmic_fast.rollouts`, which has checked the arguments.

    ``start``: a state, copied for each; None: new games. ``policies`` and ``codes``, by seat: what chooses,
    and how it is called, (BY_..., address). ``rules``: table of the playout policy. ``cutoff``: -1: none.
    ``apart``: in threads of their own, so that signals are seen during a playout. ``census``: counts them.
    """
    cdef Playouts job = make_playouts(game, start, seed, first, records, returns)
    cdef Plan *plan = &job.plan
    cdef int seat
    cdef bint ruled = False
    cdef bint asked = False
    job.policies = policies
    job.evaluator = evaluator
    plan.cutoff = cutoff
    plan.plain = cutoff == NO_CUTOFF
    for seat in range(game.tables.players):
        plan.by[seat] = codes[seat][0]
        plan.code[seat] = <PolicyCode><size_t>codes[seat][1]
        plan.plain = plan.plain and plan.by[seat] == BY_RANDOM
        ruled = ruled or plan.by[seat] == BY_RULES
        asked = asked or plan.by[seat] == BY_PYTHON
    plan.evaluator = <EvaluatorCode>evaluator_code
    plan.ask_python = evaluator is not None and evaluator_code == 0
    if plan.ask_python or asked:
        plan.known = &job.known
    if ruled:
        load_rules(&job.rules, rules)
    job.count_games(census)
    if job.count:
        job.play(threads, apart)


cdef int load_rules(Rules *rules, object rows) except -1:
    """The table of the playout policy: by row, pairs of (action or Group, weight); OptionError for others.
    """
    cdef int row, i
    if len(rows) != N_ROWS or max(map(len, rows)) > MAX_PLAYOUT_RULES:
        raise OptionError(f"playout rules: allowed: {N_ROWS} rows of at most {MAX_PLAYOUT_RULES} rules")
    for row in range(N_ROWS):
        for what, weight in rows[row]:
            if not (0 <= what < FIRST_GROUP + N_GROUP and 0 <= weight <= 10000):
                raise OptionError(f"playout rules: {shown((what, weight))} given; allowed: action or Group, "
                                  "then 0 to 10000")
        rules.count[row] = <uint8_t>len(rows[row])
        for i in range(rules.count[row]):
            rules.what[row][i] = rows[row][i][0]
            rules.weight[row][i] = rows[row][i][1]
    return 0


def playout_weights(NativeState state not None, rules):
    """What the playout policy weighs at a decision: a list of (weight, actions ascending), one for each
    rule that applies.
    """
    cdef Rules table
    cdef Layer layers[MAX_PLAYOUT_RULES]
    cdef uint32_t total
    cdef int made, i
    load_rules(&table, rules)
    found = []
    state = state.moment(False)
    if state.s.phase == PH_OVER:
        return found
    made = playout_layers(state.s, state.owner.tables, state.ctx.mask, state.ctx.count, &table, layers,
                          &total)
    for i in range(made):
        if layers[i].base == BASE_ALL:
            actions = state.legal_actions()
        elif layers[i].base == BASE_ONE:
            actions = [<int>low64(layers[i].actions)]
        else:
            actions = [128 * layers[i].base + k for k in set_to_list(layers[i].actions)]
        found.append((layers[i].weight, actions))
    return found


def state_bytes(NativeState state not None):
    """The struct State of a state (cysmic_fast/layout.py)."""
    state = state.moment(False)
    return PyBytes_FromStringAndSize(<char *>state.s, sizeof(State))


def policy_functions():
    """Addresses of the functions that compiled policies call: ``word(rng)`` and ``bounded(rng, n)``."""
    return {"word": <size_t>&policy_word, "bounded": <size_t>&policy_bounded}
