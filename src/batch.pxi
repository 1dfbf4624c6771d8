# Many games side by side, for learners (docs/batch.md): one array of states, stepped without the lock of the
# interpreter.
#
# What Python reads (masks, players, rewards ...) lies in arrays beside the states, written by the step.
# Python cannot write to them: what is legal is looked up there.

cdef enum:
    ROWS = 64               # rows are shared out among threads in multiples of this
    AHEAD = 2               # how many rows before its turn a state is fetched
    SHOWN_ROWS = 5          # wrong rows that an error names
    JOB_START = 0
    JOB_STEP = 1
    JOB_CHOOSE = 2
    JOB_OBSERVE = 3
    JOB_EXPAND = 4

cdef extern from *:
    """
    /* eight bytes, 0 or 1, for eight bits */
    CYSMIC_INLINE uint64_t spread_bits(uint64_t byte) {
        uint64_t x = (byte * 0x0101010101010101ULL) & 0x8040201008040201ULL;
        return ((x + 0x7F7F7F7F7F7F7F7FULL) >> 7) & 0x0101010101010101ULL;
    }
    #include <pthread.h>
    /* which process this is: 1, in one that was forked from it 2 ... */
    static int cysmic_process = 1;
    static void cysmic_forked(void) { cysmic_process++; }
    CYSMIC_INLINE int watch_forks(void) { return pthread_atfork(NULL, NULL, cysmic_forked); }
    /* whether the flag was free: now it is taken */
    CYSMIC_INLINE int claim(int *flag) { return !__atomic_exchange_n(flag, 1, __ATOMIC_ACQ_REL); }
    /* whether the flag was free, or held in a process that this one was forked from: now it is this one's. A thread
       that held it there does not exist here; `left` tells of it */
    CYSMIC_INLINE int claim_here(int *flag, int *left) {
        int holder = 0;
        while (!__atomic_compare_exchange_n(flag, &holder, cysmic_process, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            if (holder == cysmic_process) return 0;
            *left = 1;
        }
        return 1;
    }
    /* flags that tell another thread of what was written before */
    CYSMIC_INLINE void set_flag(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELEASE); }
    CYSMIC_INLINE void clear_flag(int *flag) { __atomic_store_n(flag, 0, __ATOMIC_RELEASE); }
    CYSMIC_INLINE int is_set(int *flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE); }
    /* have memory brought near. Only inline: a function that does nothing else is taken for one without
       effect, and calls of it for superfluous */
    CYSMIC_INLINE void prefetch_lines(const void *place, int lines) {
        for (int i = 0; i < lines; i++) __builtin_prefetch((const char *)place + 64 * i, 1);
    }
    """
    uint64_t spread_bits(uint64_t byte) noexcept nogil
    bint claim(int *flag) noexcept nogil
    bint claim_here(int *flag, int *left) noexcept nogil
    int watch_forks() noexcept nogil
    void set_flag(int *flag) noexcept nogil
    void clear_flag(int *flag) noexcept nogil
    bint is_set(int *flag) noexcept nogil
    void prefetch_lines(const void *place, int lines) noexcept nogil


if watch_forks():
    raise MemoryError("no room to watch for forks")


cdef struct Row:            # what a game in a batch needs besides its state and what Python reads
    Rng policy              # its stream of random actions,
    RngBlock block          # and the block drawn from last
    uint64_t games          # games begun so far
    int32_t count           # legal actions
    int32_t program         # where the engine has stopped,
    uint8_t fault           # and why; 0: it has not


cdef struct Columns:        # the arrays that Python reads, one entry a row
    uint64_t *mask          # 8 words
    int8_t *player
    uint8_t *kind
    float *rewards          # one for each player
    uint8_t *terminated
    uint8_t *ended
    int8_t *reason
    int32_t *lengths
    int32_t *final_lengths
    int8_t *actor           # who took the latest decision
    uint64_t *index
    int8_t *final           # observations, NULL: not asked for


cdef class Room:
    """Zeroed memory at a cache line that Python may read; it lives as long as anybody looks at it."""

    cdef void *place
    cdef Py_ssize_t size

    def __cinit__(self, key, Py_ssize_t size):
        if key is not MAKING:
            raise TypeError("rooms are made by batches")
        self.size = size
        self.place = aligned_room(max(size, 1))

    def __dealloc__(self):
        free(self.place)

    def __getbuffer__(self, Py_buffer *view, int flags):
        PyBuffer_FillInfo(view, self, self.place, self.size, True, flags)

    def __releasebuffer__(self, Py_buffer *view):
        pass


cdef class Batch


cdef class BatchShare:
    """A share of a job, done by whoever claims it first: a thread of the pool, or who waits for it."""

    cdef Batch batch
    cdef int job
    cdef int64_t low
    cdef int64_t high
    cdef int taken
    cdef int finished

    def __cinit__(self, key=None, batch=None, int job=0, int64_t low=0, int64_t high=0):
        if key is not MAKING:
            raise TypeError("shares are made by batches")
        self.batch = batch
        self.job = job
        self.low = low
        self.high = high

    def __call__(self):
        if claim(&self.taken):
            with nogil:
                self.batch.work(self.job, self.low, self.high)
            set_flag(&self.finished)


cdef class Batch:
    """``n`` games of one kind, played side by side in one array of states (docs/batch.md).

    Row i begins with game ``first + i`` of ``seed``; its k-th game, from 0, is game ``first + i + k * n``
    (modulo 2**64). The properties are views that each step updates in place; they cannot be written to.
    """

    cdef readonly NativeGame game
    cdef readonly int64_t num_rows
    cdef readonly int threads
    cdef readonly bint autoreset
    cdef uint64_t key
    cdef uint64_t base
    cdef State *states
    cdef Knowledge *known        # of each row; NULL: not kept
    cdef Row *rows
    cdef int16_t *actions        # those of the step at hand, checked
    cdef Columns columns
    cdef dict arrays             # what Python reads, by name
    cdef list rooms
    cdef object pool             # of threads, made when first needed
    cdef object pool_owner       # process that made it
    cdef int busy                # 0, or the process in which a call is in progress
    cdef bint changing           # it changes rows
    cdef bint torn               # the process was forked while one did: rows are in the middle of something
    # the job at hand
    cdef int8_t *seen            # observations
    cdef uint8_t *spread         # mask bytes
    cdef int16_t *chosen         # random actions
    cdef const uint8_t *wanted   # rows to reset, NULL: all
    cdef int observer            # -1: who decides
    cdef int stopped             # in some row the engine has

    def __cinit__(self, game, n, seed=0, *, first=0, threads=1, autoreset=True, final_observation=False,
                  knowledge=False, _key=None):
        cdef int64_t rows
        if not isinstance(game, NativeGame):
            raise OptionError(f"game: {shown(game)} given; allowed: a game of the native engine (load_game)")
        for name, value in (("autoreset", autoreset), ("final_observation", final_observation),
                            ("knowledge", knowledge)):
            if not isinstance(value, bool):
                raise OptionError(f"{name}: {shown(value)} given; allowed: True, False")
        self.game = game
        rows = check_word(n, "n", 1, 2**31 - 1)
        self.num_rows = rows
        self.key = word_of(seed, "seed")
        self.base = word_of(first, "first")
        check_word(<object>self.base + rows - 1, "first + n - 1")
        self.threads = check_word(threads, "threads", 1, 1024)
        self.autoreset = autoreset
        self.arrays = {}
        self.rooms = []
        needed = self.bytes_of(final_observation, knowledge)
        try:
            # a system that promises more memory than it has would end the process later
            if needed > sysconf("SC_PAGE_SIZE") * sysconf("SC_PHYS_PAGES"):
                raise MemoryError()
            self.make_room(final_observation, knowledge)
        except MemoryError:
            raise OptionError(f"n: {rows} given, which needs {needed:,} bytes, more than there are; allowed: fewer "
                              "rows") from None
        if _key is not MAKING:  # otherwise the maker fills the rows
            self.perform(JOB_START)

    # ------------------------------------------------------------------------------------------------- inside
    cdef object bytes_of(self, bint final_observation, bint knowledge):
        """How much memory the rows need."""
        cdef size_t row = sizeof(State) + sizeof(Row) + sizeof(int16_t) + 8 * sizeof(uint64_t)
        row += self.game.tables.players * sizeof(float) + 5 * sizeof(uint8_t) + 2 * sizeof(int32_t) + sizeof(uint64_t)
        row += (sizeof(Knowledge) if knowledge else 0) + (self.game.layout.size if final_observation else 0)
        return <object>row * self.num_rows

    cdef int make_room(self, bint final_observation, bint knowledge) except -1:
        """All the memory of the rows."""
        cdef int64_t rows = self.num_rows
        cdef int players = self.game.tables.players
        self.states = <State *>self.room(rows * sizeof(State))
        self.rows = <Row *>self.room(rows * sizeof(Row))
        self.actions = <int16_t *>self.room(rows * sizeof(int16_t))
        self.columns.mask = <uint64_t *>self.column("legal_mask", (rows, 8), numpy.uint64)
        self.columns.player = <int8_t *>self.column("current_player", (rows,), numpy.int8)
        self.columns.kind = <uint8_t *>self.column("decision", (rows,), numpy.uint8)
        self.columns.rewards = <float *>self.column("rewards", (rows, players), numpy.float32)
        self.columns.terminated = <uint8_t *>self.column("terminated", (rows,), numpy.bool_)
        self.columns.ended = <uint8_t *>self.column("episode_ended", (rows,), numpy.bool_)
        self.columns.reason = <int8_t *>self.column("reason", (rows,), numpy.int8)
        self.columns.lengths = <int32_t *>self.column("lengths", (rows,), numpy.int32)
        self.columns.final_lengths = <int32_t *>self.column("final_lengths", (rows,), numpy.int32)
        self.columns.actor = <int8_t *>self.column("last_player", (rows,), numpy.int8)
        self.columns.index = <uint64_t *>self.column("game_index", (rows,), numpy.uint64)
        if final_observation:
            self.columns.final = <int8_t *>self.column(
                "final_observation", (rows, self.game.layout.size), numpy.int8)
        if knowledge:
            self.known = <Knowledge *>self.room(rows * sizeof(Knowledge))
        return 0

    cdef void *room(self, Py_ssize_t size) except NULL:
        """Zeroed memory that lives as long as the batch."""
        cdef Room room = Room.__new__(Room, MAKING, size)
        self.rooms.append(room)
        return room.place

    cdef void *column(self, str name, tuple shape, object dtype) except NULL:
        """The same, as an array for Python."""
        kind = numpy.dtype(dtype)
        cdef Py_ssize_t size = kind.itemsize
        for length in shape:
            size *= length
        cdef void *place = self.room(size)
        self.arrays[name] = numpy.frombuffer(self.rooms[len(self.rooms) - 1], kind).reshape(shape)
        return place

    cdef int enter(self, bint changing=False, bint anew=False) except -1:
        """One call at a time: the lock of the interpreter is released while games are played.

        ``changing``: the call changes rows; ``anew``: all of them, whatever they hold.
        """
        cdef int left = 0
        if not claim_here(&self.busy, &left):
            raise CysmicError("the batch is in use by another call; allowed: one at a time")
        if left and self.changing:
            self.torn = True
        self.changing = changing
        if anew:
            self.torn = False
        if self.torn:
            clear_flag(&self.busy)
            raise CysmicError("this process was forked while another thread was changing the batch: its games are in "
                              "the middle of something; allowed: reset() of all rows, or another batch")
        return 0

    cdef int perform(self, int job) except -1:
        """Do a job for all rows, shared out among the threads, and raise what it left behind.

        It is done in full in any case: an interruption is raised afterwards.
        """
        cdef int64_t low, share = (self.num_rows + self.threads - 1) // self.threads
        cdef BatchShare other
        cdef int i
        share = (share + ROWS - 1) // ROWS * ROWS
        interruption = None
        shares = [BatchShare.__new__(BatchShare, MAKING, self, job, low, min(low + share, self.num_rows))
                  for low in range(share, self.num_rows, share)]
        futures = []
        clear_flag(&self.stopped)
        if shares:
            try:
                if self.pool_owner != getpid():  # threads do not survive a fork
                    self.pool = ThreadPoolExecutor(self.threads - 1, "cysmic_batch")
                    self.pool_owner = getpid()
                for other in shares:
                    futures.append(self.pool.submit(other))
            except RuntimeError:  # no thread can be had: the rest is done here
                pass
            except BaseException as error:
                interruption = error
        with nogil:
            self.work(job, 0, min(share, self.num_rows))
        for other in shares:
            other()
        for i, other in enumerate(shares):
            while not is_set(&other.finished):
                try:
                    if i < len(futures):
                        futures[i].result()
                    else:
                        sleep(0.001)
                except BaseException as error:
                    interruption = error
        if interruption is not None:
            raise interruption
        if is_set(&self.stopped):
            self.raise_stop()
        return 0

    cdef int raise_stop(self) except -1:
        """ContentError for the first row in which the engine has stopped, as a single state has it."""
        cdef NativeState state = NativeState.__new__(NativeState, MAKING)
        cdef int64_t i, row = -1
        state.attach(self.game, False)
        for i in reversed(range(self.num_rows)):
            if self.rows[i].fault:
                row = i
                state.ctx.program = self.rows[i].program
                state.s.fault = self.rows[i].fault
                self.rows[i].fault = 0
        try:
            state.check_fault()
        except ContentError as error:
            raise ContentError(f"row {row}: {error}; the game of the row is over") from None
        return 0

    cdef void work(self, int job, int64_t low, int64_t high) noexcept nogil:
        """A job for some rows; which thread does it does not matter."""
        cdef Ctx ctx
        cdef int64_t i
        memset(&ctx, 0, sizeof(Ctx))
        if job == JOB_STEP:
            for i in range(low, high):
                self.step_row(&ctx, i)
        elif job == JOB_START:
            for i in range(low, high):
                if self.wanted == NULL or self.wanted[i]:
                    self.clear_result(i)
                    self.columns.terminated[i] = 0
                    self.columns.reason[i] = -1
                    self.columns.actor[i] = -1
                    self.rows[i].fault = 0
                    self.start_row(&ctx, i)
        elif job == JOB_CHOOSE:
            for i in range(low, high):
                self.chosen[i] = self.choose_row(i)
        elif job == JOB_OBSERVE:
            for i in range(low, high):
                if i + AHEAD < self.num_rows:
                    prefetch_lines(&self.states[i + AHEAD], sizeof(State) // 64)
                observe(&self.states[i], self.game.tables, &self.game.layout,
                        self.observer if self.observer >= 0 else self.viewer_of(i),
                        self.seen + i * self.game.layout.size)
        else:
            for i in range(low, high):
                self.expand_row(i)

    cdef void clear_result(self, int64_t i) noexcept nogil:
        """Forget the game that ended in the step before."""
        cdef int players = self.game.tables.players
        cdef int seat
        if self.columns.ended[i]:
            self.columns.ended[i] = 0
            self.columns.final_lengths[i] = 0
        for seat in range(players):
            self.columns.rewards[i * players + seat] = 0

    cdef void start_row(self, Ctx *ctx, int64_t i) noexcept nogil:
        """The next game of a row: row i's k-th is game first + i + k * n."""
        cdef Row *row = &self.rows[i]
        cdef uint64_t index = self.base + <uint64_t>i + row.games * <uint64_t>self.num_rows
        cdef int result
        row.games += 1
        rng_key(&row.policy, self.key, index)
        row.block.tag = RNG_EMPTY
        self.columns.index[i] = index
        self.columns.lengths[i] = 0
        if self.known != NULL:
            memset(&self.known[i], 0, sizeof(Knowledge))
            ctx.knows = &self.known[i]
        result = new_game(&self.states[i], self.game.tables, ctx, self.key, index)
        self.publish(ctx, i, result)

    cdef void publish(self, Ctx *ctx, int64_t i, int result) noexcept nogil:
        """Write down what a row asks now."""
        cdef State *s = &self.states[i]
        cdef uint64_t *mask = self.columns.mask + 8 * i
        if result == FAULT:
            self.rows[i].fault = s.fault
            self.rows[i].program = ctx.program
            set_flag(&self.stopped)
            s.fault = 0
            s.phase = PH_OVER
            s.kind = DK_NONE
            result = OVER
        self.columns.kind[i] = s.kind
        if result == OVER:
            self.columns.player[i] = TERMINAL_PLAYER
            self.rows[i].count = 0
            memset(mask, 0, sizeof(ctx.mask))
        else:
            self.columns.player[i] = <int8_t>s.player
            self.rows[i].count = ctx.count
            memcpy(mask, ctx.mask, sizeof(ctx.mask))

    cdef void step_row(self, Ctx *ctx, int64_t i) noexcept nogil:
        """Apply the action of a row and restart it if that ends its game."""
        cdef State *s = &self.states[i]
        cdef const Tables *t = self.game.tables
        cdef int result
        if i + AHEAD < self.num_rows:
            prefetch_lines(&self.states[i + AHEAD], sizeof(State) // 64)
        self.clear_result(i)
        if s.phase == PH_OVER:
            if self.autoreset:
                self.columns.terminated[i] = 0
                self.columns.reason[i] = -1
                self.columns.actor[i] = -1
                if s.reason >= 0:  # nobody has been told: put in by set_state, or over before any decision
                    self.finish_row(ctx, i)
                else:  # stopped by an error
                    self.start_row(ctx, i)
            return
        if self.autoreset:
            self.columns.terminated[i] = 0
            self.columns.reason[i] = -1
        ctx.block.tag = RNG_EMPTY
        if self.known != NULL:
            ctx.knows = &self.known[i]
        self.columns.actor[i] = <int8_t>s.player
        self.columns.lengths[i] += 1
        result = answer_with(s, t, ctx, self.actions[i])
        self.publish(ctx, i, result)
        if s.phase == PH_OVER:
            self.finish_row(ctx, i)

    cdef void finish_row(self, Ctx *ctx, int64_t i) noexcept nogil:
        """Tell of the end of a row's game and restart the row."""
        cdef State *s = &self.states[i]
        cdef const Tables *t = self.game.tables
        cdef int seat
        self.columns.terminated[i] = 1
        self.columns.ended[i] = 1
        self.columns.reason[i] = s.reason
        self.columns.final_lengths[i] = self.columns.lengths[i]
        for seat in range(t.players):
            self.columns.rewards[i * t.players + seat] = s.launched >> seat & 1
        if self.columns.final != NULL:
            observe(s, t, &self.game.layout, self.columns.actor[i] if self.columns.actor[i] >= 0 else 0,
                    self.columns.final + i * self.game.layout.size)
        if self.autoreset:
            self.start_row(ctx, i)

    cdef int16_t choose_row(self, int64_t i) noexcept nogil:
        """A random legal action, -1 for a game that is over."""
        cdef Row *row = &self.rows[i]
        if row.count == 0:
            return -1
        return <int16_t>select512(self.columns.mask + 8 * i, <int>rng_bounded(
            &row.policy, &row.block, CF_POLICY, <uint32_t>row.count))

    cdef int viewer_of(self, int64_t i) noexcept nogil:
        """Who looks at a row: who decides, or when it is over who decided last."""
        if self.columns.player[i] >= 0:
            return self.columns.player[i]
        return self.columns.actor[i] if self.columns.actor[i] >= 0 else 0

    cdef void expand_row(self, int64_t i) noexcept nogil:
        """The mask of a row as bytes."""
        cdef const uint64_t *mask = self.columns.mask + 8 * i
        cdef uint64_t *out = <uint64_t *>(self.spread + NUM_ACTIONS * i)
        cdef int place
        for place in range(64):
            out[place] = spread_bits(mask[place >> 3] >> (8 * (place & 7)) & 0xFF)

    cdef int64_t take_actions(self, const void *given, int width) noexcept nogil:
        """Copy the actions, so that nobody changes them any more; how many are illegal."""
        cdef int64_t i, action, wrong = 0
        for i in range(self.num_rows):
            if width == 2:
                action = (<const int16_t *>given)[i]
            elif width == 4:
                action = (<const int32_t *>given)[i]
            else:
                action = (<const int64_t *>given)[i]
            if self.columns.player[i] < 0:
                continue
            if 0 <= action < NUM_ACTIONS and self.columns.mask[8 * i + (action >> 6)] >> (action & 63) & 1:
                self.actions[i] = <int16_t>action
            else:
                wrong += 1
                self.actions[i] = -1
        return wrong

    cdef int refuse(self, object actions, int64_t wrong) except -1:
        """IllegalActionError: which rows are wrong, and what is allowed there."""
        cdef int64_t i
        rows = [i for i in range(self.num_rows) if self.columns.player[i] >= 0 and self.actions[i] < 0]
        texts = []
        for i in rows[:SHOWN_ROWS]:
            state = self.copy_of(i)
            legal = state.legal_actions()
            names = ", ".join(f"{a} ({state.action_to_string(a)})" for a in legal[:6])
            names += f", ... ({len(legal)} in all)" if len(legal) > 6 else ""
            texts.append(f"\n  row {i}: action {shown(int(actions[i]))} given in {state.decision().name} "
                         f"of seat {state.current_player()}; allowed: {names}")
        more = f"\n  ... and {wrong - SHOWN_ROWS} more rows" if wrong > SHOWN_ROWS else ""
        raise IllegalActionError(f"{wrong} of {self.num_rows} actions are illegal; nothing is stepped"
                                 + "".join(texts) + more)

    # ------------------------------------------------------------------------------------------------ reading
    @property
    def num_players(self):
        """Number of players."""
        return self.game.tables.players

    @property
    def seed(self):
        """The seed."""
        return self.key

    @property
    def first(self):
        """Index of the first game of row 0."""
        return self.base

    @property
    def knowledge(self):
        """Whether rows keep what their seats have seen."""
        return self.known != NULL

    @property
    def current_player(self):
        """Shape (n,), int8: who decides, TERMINAL_PLAYER where the game is over."""
        return self.arrays["current_player"]

    @property
    def decision(self):
        """Shape (n,), uint8: the DecisionKind at hand, 0 where the game is over."""
        return self.arrays["decision"]

    @property
    def legal_mask(self):
        """Shape (n, 8), uint64: bit a & 63 of word a >> 6 is set where action a is legal."""
        return self.arrays["legal_mask"]

    @property
    def rewards(self):
        """Shape (n, players), float32: the returns of games that ended in the latest step, elsewhere 0."""
        return self.arrays["rewards"]

    @property
    def terminated(self):
        """Shape (n,), bool: the row's game is over; with autoreset: it ended in the latest step."""
        return self.arrays["terminated"]

    @property
    def episode_ended(self):
        """Shape (n,), bool: a game of the row ended in the latest step."""
        return self.arrays["episode_ended"]

    @property
    def reason(self):
        """Shape (n,), int8: where `terminated`, why (``State.end_reason``), elsewhere -1."""
        return self.arrays["reason"]

    @property
    def lengths(self):
        """Shape (n,), int32: decisions taken in the game at hand."""
        return self.arrays["lengths"]

    @property
    def final_lengths(self):
        """Shape (n,), int32: where `episode_ended`, the decisions of the game that ended, elsewhere 0."""
        return self.arrays["final_lengths"]

    @property
    def last_player(self):
        """Shape (n,), int8: who took the latest decision of the row, -1: nobody yet."""
        return self.arrays["last_player"]

    @property
    def game_index(self):
        """Shape (n,), uint64: the index of the game at hand."""
        return self.arrays["game_index"]

    @property
    def final_observation(self):
        """Shape (n, size), int8: where `episode_ended`, the last observation of the game that ended."""
        if "final_observation" not in self.arrays:
            raise OptionError("final observations are not kept; allowed: Batch(..., final_observation=True)")
        return self.arrays["final_observation"]

    def __len__(self):
        return self.num_rows

    def __repr__(self):
        return f"<batch of {self.num_rows}: {self.game!r}, seed={self.key}, first={self.base}>"

    def legal_mask_bool(self, out=None):
        """The legal actions as bools, shape (n, 512), written into ``out`` if given."""
        out = self.array_for(out, (self.num_rows, NUM_ACTIONS), numpy.bool_)
        cdef uint8_t[::1] room = out.reshape(-1).view(numpy.uint8)
        self.enter()
        try:
            self.spread = &room[0]
            self.perform(JOB_EXPAND)
        finally:
            clear_flag(&self.busy)
        return out

    cdef object array_for(self, object out, tuple shape, object dtype):
        """An array to write into: the given one, checked, or a new one."""
        if out is None:
            return numpy.empty(shape, dtype)
        check_room(out, shape, numpy.dtype(dtype))
        return out

    def observe(self, out=None, player=None):
        """Observations, shape (n, size), int8, written into ``out`` if given.

        Each of the player who decides, who decided last where the game is over; with ``player`` all of that
        seat.
        """
        cdef int observer = -1
        if player is not None:
            observer = check_word(player, "player", 0, self.game.tables.players - 1)
        out = self.array_for(out, (self.num_rows, self.game.layout.size), numpy.int8)
        cdef int8_t[::1] room = out.reshape(-1)
        self.enter()
        try:
            self.observer = observer
            self.seen = &room[0]
            self.perform(JOB_OBSERVE)
        finally:
            clear_flag(&self.busy)
        return out

    def random_actions(self, out=None):
        """A uniformly random legal action for each row, shape (n,), int16; -1 where the game is over.

        From the POLICY stream of each row's game: a batch that plays them plays the games of
        ``game.simulate(seed, first, n)``. Each call draws anew.
        """
        out = self.array_for(out, (self.num_rows,), numpy.int16)
        cdef int16_t[::1] room = out
        self.enter()
        try:
            self.chosen = &room[0]
            self.perform(JOB_CHOOSE)
        finally:
            clear_flag(&self.busy)
        return out

    def state(self, i):
        """An independent copy of the game of row ``i``; with ``knowledge`` it knows what its seats have seen."""
        cdef int64_t row = check_word(i, "row", 0, self.num_rows - 1)
        self.enter()
        try:
            return self.copy_of(row)
        finally:
            clear_flag(&self.busy)

    cdef NativeState copy_of(self, int64_t row):
        """The game of a row."""
        cdef NativeState state = NativeState.__new__(NativeState, MAKING)
        state.attach(self.game, False)
        memcpy(state.s, &self.states[row], sizeof(State))
        if self.known != NULL:
            memcpy(state.knows, &self.known[row], knowledge_size(self.game.tables))
        memcpy(state.ctx.mask, self.columns.mask + 8 * row, sizeof(state.ctx.mask))
        state.ctx.count = self.rows[row].count
        state.ctx.block.tag = RNG_EMPTY
        return state

    # ----------------------------------------------------------------------------------------------- changing
    def step(self, actions):
        """Apply one action in every row whose game is not over.

        ``actions``: C-contiguous, shape (n,), int16, int32 or int64; entries of finished rows do not matter.
        If any other is illegal, IllegalActionError tells which, and nothing is stepped.
        """
        cdef const uint8_t[::1] room
        cdef int64_t wrong
        cdef int width
        if not isinstance(actions, numpy.ndarray):
            found = shown(actions)
        elif type(actions) is not numpy.ndarray and isinstance(actions, numpy.ma.MaskedArray):
            found = "a masked array"  # what is masked would be played all the same
        elif actions.dtype not in ACTION_TYPES:
            found = f"dtype {actions.dtype}"
        elif actions.shape != (self.num_rows,):
            found = f"shape {actions.shape}"
        elif not actions.flags.c_contiguous:
            found = "an array not in C order"
        else:
            found = None
        if found is not None:
            raise OptionError(f"actions: {found} given; allowed: a C-contiguous array of shape "
                              f"({self.num_rows},) and dtype int16, int32 or int64")
        room = actions.view(numpy.uint8)
        width = actions.dtype.itemsize
        self.enter(True)
        try:
            with nogil:
                wrong = self.take_actions(&room[0], width)
            if wrong:
                self.refuse(actions, wrong)
            self.perform(JOB_STEP)
        finally:
            clear_flag(&self.busy)

    def reset(self, mask=None):
        """Start the next game in every row, or where ``mask`` (shape (n,), bool) is true."""
        cdef const uint8_t[::1] room
        if mask is not None:
            shape = (self.num_rows,)
            if isinstance(mask, numpy.ma.MaskedArray):
                raise OptionError(f"mask: a masked array given; allowed: a bool array of shape {shape}")
            if not isinstance(mask, numpy.ndarray) or mask.dtype != numpy.bool_ or mask.shape != shape:
                raise OptionError(f"mask: {shown(mask)} given; allowed: a bool array of shape {shape}")
            mask = mask.copy()
            room = mask.view(numpy.uint8)
        self.enter(True, mask is None)
        try:
            self.wanted = NULL if mask is None else &room[0]
            self.perform(JOB_START)
        finally:
            self.wanted = NULL
            clear_flag(&self.busy)

    def set_state(self, i, state):
        """Put a copy of a state into row ``i``, its chance included; recorded events stay behind, and what its
        seats have seen unless the batch was made with ``knowledge``.

        The state is one of an equal game, without scripted outcomes left. The stream of random actions and
        the number of the row's next game stay. A game that is over is `terminated` at once; with autoreset the
        next step reports its end like any other and begins the row's next game.
        """
        cdef int64_t row = check_word(i, "row", 0, self.num_rows - 1)
        cdef NativeState given
        cdef Ctx ctx
        cdef int kind
        if not isinstance(state, NativeState):
            raise OptionError(f"state: {shown(state)} given; allowed: a state of the native engine")
        given = (<NativeState>state).moment(False)
        if given.owner is not self.game and given.owner != self.game:
            raise OptionError(f"state: one of {given.owner!r} given; allowed: states of {self.game!r}")
        if given.ctx.script != NULL:
            for kind in range(N_CK):
                if given.queues.queue[kind].head < given.queues.queue[kind].size:
                    raise OptionError(
                        "state: one with scripted outcomes given; allowed: states without a script")
        self.enter(True)
        try:
            memcpy(&self.states[row], given.s, sizeof(State))
            if self.known != NULL:
                memcpy(&self.known[row], given.knows, knowledge_size(self.game.tables))
            memset(&ctx, 0, sizeof(Ctx))
            memcpy(ctx.mask, given.ctx.mask, sizeof(ctx.mask))
            ctx.count = given.ctx.count
            self.clear_result(row)
            self.columns.terminated[row] = given.s.phase == PH_OVER
            self.columns.reason[row] = given.s.reason
            self.columns.lengths[row] = 0
            self.columns.actor[row] = -1
            self.columns.index[row] = given.s.rng.key[1]
            self.publish(&ctx, row, OVER if given.s.phase == PH_OVER else WAIT)
        finally:
            clear_flag(&self.busy)

    def clone(self):
        """An exact, independent copy: games, streams of random actions and results."""
        cdef Batch twin
        cdef Room mine, its
        self.enter()
        try:
            twin = Batch.__new__(
                type(self), self.game, self.num_rows, self.key, first=self.base, threads=self.threads,
                autoreset=self.autoreset, final_observation=self.columns.final != NULL,
                knowledge=self.known != NULL, _key=MAKING)
            for mine, its in zip(self.rooms, twin.rooms):
                memcpy(its.place, mine.place, mine.size)
        finally:
            clear_flag(&self.busy)
        return twin

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        return self.clone()

    def __reduce__(self):
        raise CysmicError(f"a batch cannot be pickled; pickle [batch.state(i) for i in range({self.num_rows})] and "
                          "put the states into a new batch with set_state(i, state)")


cdef tuple ACTION_TYPES = (numpy.dtype(numpy.int16), numpy.dtype(numpy.int32), numpy.dtype(numpy.int64))
