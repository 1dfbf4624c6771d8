# Whether a state that was read belongs together: what the engine takes for granted is tested here once, so that no bytes,
# whoever wrote them, make it read or write outside its tables, run for ever or come to a state no game can come to by
# itself. The bounds of single fields have been tested before (save.pxi).
#
# A frame is tested for its step (is it one at which the procedure asks this, or waits for another procedure), for the
# ranges of its registers, for what lies beneath it, and for the procedure that it works for.

cdef enum:
    SD_AGENDA = 100        # defects, above the numbers of INTEGRITY_CHECKS
    SD_FRAME = 101
    SD_SEAT = 102
    SD_RESOLUTION = 103
    SD_DECISION = 104
    SD_OPTIONS = 105
    SD_OVER = 106


cdef str save_defect(int check):
    """A defect in words."""
    if check < SD_AGENDA:
        return "not consistent: " + str(INTEGRITY_CHECKS[check])
    return ("the agenda does not hang together", "a step of the agenda that cannot be",
            "what a player has cannot be", "what is being resolved cannot be", "a decision that is not asked here",
            "a decision without a choice", "a finished game that is not over")[check - SD_AGENDA]


cdef inline bint is_seat(const Tables *t, int p) noexcept nogil:
    return 0 <= p < t.players


cdef inline bint is_space(int space) noexcept nogil:
    return 0 <= space < NUM_SPACES


cdef inline bint is_step(const Tables *t, int step) noexcept nogil:
    return 0 <= step < t.entries[TABLE_STEPS]


cdef inline bint within_bits(int value, int bits) noexcept nogil:
    """Whether a register has no other bits than these."""
    return value & ~bits == 0


cdef int check_seats(const State *s, const Tables *t) noexcept nogil:
    """Cards in slots and on the board, each once; Ships and Factions where they must be; grants."""
    cdef int p, i, card, seen
    cdef const Seat *seat
    for p in range(t.players):
        seat = &s.seat[p]
        for i in range(NUM_SLOTS):
            if 15 < seat.slot[i] < SLOT_RELIC or seat.slot[i] >= SLOT_RELIC + t.relic_copies:
                return SD_SEAT
        seen = seat.commands
        for i in range(2 * NUM_COLUMNS):
            card = seat.board[i >> 1] >> 4 if i & 1 else seat.board[i >> 1] & 15
            if card == 15:
                continue
            if card > 9 or seen >> card & 1:
                return SD_SEAT
            seen |= 1 << card
        if s.phase == PH_TURN and (seat.ship < 0) != <bint>(s.launched >> p & 1):
            if t.trigger != LT_IMMEDIATE:
                return SD_SEAT
        if s.phase == PH_SETUP and (seat.once or seat.tokens or s.launched or s.grant_count):
            return SD_SEAT
        if (t.factions and s.phase == PH_TURN and seat.faction < 0) or (not t.factions and seat.faction >= 0):
            return SD_SEAT
    for i in range(s.grant_count):
        if t.steps[s.grant_step[i]].verb != VERB_GRANT:
            return SD_RESOLUTION
        if not is_seat(t, giver_of(s, i)) or not is_seat(t, receiver_of(s, i)):
            return SD_RESOLUTION
    if any128(s.tokens & (tiles_left(s) | t.abyss | s.ships)):
        return SD_SEAT
    return SD_SEAT if s.round > t.max_rounds or s.finale and not s.launched else 0


cdef bint same_units(const State *s, int a, int b) noexcept nogil:
    """Whether two entries are of like Units in one space."""
    return (s.mark[a] & 1023) == (s.mark[b] & 1023) and (s.mark_confused >> a & 1) == (s.mark_confused >> b & 1)


cdef int check_marks(const State *s, const Tables *t) noexcept nogil:
    """Marks, of like Units no more than there are; the Combat at hand; Combats that have ended."""
    cdef int i, k, units, marked
    if s.mark_count and s.mark_owner < 0:
        return SD_RESOLUTION
    for i in range(s.mark_count):
        if mark_type(s, i) > UT_SHIP or (s.mark_confused >> i & 1 and mark_type(s, i) > UT_SPEAKER):
            return SD_RESOLUTION
        if mark_space(s, i) == GONE:
            continue
        units = 1
        if mark_type(s, i) != UT_SHIP:
            units = squad_count(squad_of(s, s.mark_owner, mark_space(s, i)),
                                mark_type(s, i) + (CONFUSED if s.mark_confused >> i & 1 else 0))
        marked = 0
        for k in range(s.mark_count):
            marked += same_units(s, i, k)
        if marked > units:
            return SD_RESOLUTION
    if (s.actor >= 0 and s.actor >= s.mark_count) or (s.trying > s.mark_count and s.trying != TRYING_ALONE):
        return SD_RESOLUTION
    if (s.fight >= 0 and not has128(s.combat, s.fight)) or s.dice > t.limit_dice:
        return SD_RESOLUTION
    for i in range(s.ended_count):
        if not is_seat(t, s.ended_sides[i] & 15) or not is_seat(t, s.ended_sides[i] >> 4):
            return SD_RESOLUTION
    return 0


# ----------------------------------------------------------------------------------------------- what a step asks
cdef int decider(const State *s, const Tables *t, const Frame *f) noexcept nogil:
    """Who is asked `State.kind` by the innermost procedure at its step; -1: it does not ask that there."""
    cdef int proc = f.proc
    cdef int step = f.step
    cdef int kind = s.kind
    cdef int p = f.p
    cdef int verb
    if proc == PR_SETUP:
        if step == 1 and kind == DK_CHOOSE_FACTION:
            return f.a
        p = (s.first_player + f.a) % t.players if f.a >= 0 else -1
        if (step == 3 and kind == DK_CHOOSE_BLUEPRINT) or (step == SETUP_SHIPS and kind == DK_PLACE_SHIP):
            return p
        return p if step == 7 and kind == DK_STARTING_HABITAT else -1
    if proc == PR_TURN:
        if (step == 2 and kind == DK_RECLAIM) or (step == 3 and kind == DK_RECLAIM_RELIC):
            return p
        if (step == 5 and kind == DK_BURN) or (step == 6 and kind == DK_PLAY):
            return p
        return p if (step == 9 and kind == DK_BONUS) or (step == 12 and kind == DK_LAUNCH) else -1
    if proc == PR_SURPLUS:
        p = (s.active + f.a) % t.players if f.a >= 0 else -1
        if (step == 0 and kind == DK_DISCARD_DISCOVERY) or (step == 1 and kind == DK_DISCARD_RELIC):
            return p
        return p if step == 2 and kind == DK_DISCARD_CAPTIVE else -1
    if proc == PR_WINDOW:
        if (step == 0 and kind == DK_RELIC_WINDOW) or (step == 1 and kind == DK_CLEAR_SLOT):
            return p
        return p if step == 2 and kind == DK_UNSTORE_AMOUNT else -1
    if proc == PR_GAIN_RELIC:
        return p if step == 1 and kind == DK_KEEP_RELIC else -1
    if proc == PR_SECTION:
        return p if (step == 0 and kind == DK_ACT_SPACE) or (step == 1 and kind == DK_ACT_ACTION) else -1
    if proc == PR_ACTION:
        return p if (step == 3 and kind == DK_REWARD_HABITAT) or (step == 2 and kind == DK_SECTION) else -1
    if proc == PR_MOVE:
        return p if (step == 0 and kind == DK_MOVE_TO) or (step == 1 and kind == DK_TAKE_TOKEN) else -1
    if proc == PR_SHIP:
        return p if step == 0 and kind == DK_MOVE_TO else -1
    if proc == PR_EVACUATE:
        if (step == 0 and kind == DK_ACT_SPACE) or (step == 2 and kind == DK_ACT_TYPE):
            return p
        if (step == 3 and kind == DK_MOVE_TO) or (step == 4 and kind == DK_MOVE_MODE):
            return p
        return p if step == 5 and kind == DK_TAKE_TOKEN else -1
    if proc == PR_MOVE_SOME or proc == PR_GATHER:
        return p if (step == 1 and kind == DK_ACT_SPACE) or (step == 2 and kind == DK_ACT_TYPE) else -1
    if proc == PR_CHOOSE_NEW:
        return p if (step == 0 and kind == DK_ACT_SPACE) or (step == 1 and kind == DK_ACT_TYPE) else -1
    if proc == PR_ARRIVE:
        return p if step == 0 and kind == DK_TAKE_TOKEN else -1
    if proc == PR_TAKE:
        return p if step == 2 and kind == DK_GIVE_UP_FLAG else -1
    if proc == PR_FLAGS:
        return p if step == 0 and kind == DK_GIVE_UP_FLAG else -1
    if proc == PR_PROMOTE:
        if (step == 0 and kind == DK_PROMOTE_SPACE) or (step == 1 and kind == DK_PROMOTE_FROM):
            return p
        return p if step == 2 and kind == DK_PROMOTE_TO else -1
    if proc == PR_RECRUIT:
        return p if step == 0 and kind == DK_RECRUIT_TYPE else -1
    if proc == PR_DEPLOY:
        return p if (step == 0 and kind == DK_DEPLOY_TYPE) or (step == 1 and kind == DK_DEPLOY_SPACE) else -1
    if proc == PR_ACTIVATE:
        return p if step == 0 and kind == DK_ACT_ACTION else -1
    if proc == PR_UPGRADE:
        return p if (step == 0 and kind == DK_UPGRADE_SPACE) or (step == 1 and kind == DK_UPGRADE_TYPE) else -1
    if proc == PR_CONSTRUCT:
        return p if step == 0 and kind == DK_CONSTRUCT else -1
    if proc == PR_RECALL:
        return p if (step == 0 and kind == DK_RECALL_SPACE) or (step == 1 and kind == DK_RECALL_TYPE) else -1
    if proc == PR_BATTLE:
        return p if step == 0 and kind == DK_COMBAT else -1
    if proc == PR_COMBAT:
        return f.b if step == 2 and kind == DK_STRIKE_OR_FLEE else -1
    if proc == PR_STRIKE:
        if step == 3 and kind == DK_DIE or (step == 6 and (kind == DK_VALUE_DIE or kind == DK_REROLL_DIE)):
            return p
        if step == 7 and kind == DK_SHIELD_DIE:
            return owner_at(s, t, f.a, p)
        return f.b >> 4 & 7 if step == 10 and kind == DK_HITS else -1
    if proc == PR_FLIGHT:
        if step == 2 and kind == DK_FINAL_STRIKE:
            return owner_at(s, t, f.a, p)
        if step == 0 and kind == DK_FREE_FLEE:
            return p
        return p if (step == 1 or step == 4) and kind == DK_FLEE_TO else -1
    if proc == PR_BATCHES:
        p = f.b if f.c else p
        return p if (step == 0 and kind == DK_MODIFIER_CARD) or (step == 1 and kind == DK_MODIFIER_DIE) else -1
    if proc == PR_CYBER:
        if (step == 0 and kind == DK_CYBER_SPACE) or (step == 1 and kind == DK_CYBER_TYPE):
            return p
        return p if (step == 2 and kind == DK_CYBER_TARGET) or (step == 5 and kind == DK_CHOOSE_BLUEPRINT) else -1
    if proc == PR_TRADE:
        if step == 3 and kind == DK_TRADE_ANSWER:
            return f.b
        if (step == 0 and kind == DK_TRADE_PARTNER) or (step == 1 and kind == DK_TRADE_GIVE):
            return p
        if step == 4 and (kind == DK_TRADE_CARD or kind == DK_TRADE_RELIC):
            return f.b if f.c else p
        return p if step == 2 and kind == DK_TRADE_TAKE else -1
    if proc == PR_RANSOM:
        if (step == 0 and kind == DK_RANSOM_PLAYER) or (step == 1 and kind == DK_RANSOM_UNIT):
            return p
        return p if (step == 2 or step == 4) and kind == DK_CHOOSE_BLUEPRINT else -1
    if proc == PR_BONUS:
        return p if asked_by_cell(f.a, step, kind) else -1
    if proc == PR_REWARDS:
        if step == 1:
            return p if kind == DK_REWARD else -1
        return p if step == 2 and (kind == DK_BONUS or kind == DK_REWARD_HABITAT) else -1
    if proc == PR_PLAY:
        return p if (step == 0 and kind == DK_PLAY_CARD) or (step == 1 and kind == DK_PLAY_MODE) else -1
    if proc == PR_COMMAND:
        return p if (step == 0 and kind == DK_COMMAND_CARD) or (step == 1 and kind == DK_COMMAND_ACTION) else -1
    if proc == PR_PAY:
        if step == 1:
            return p if kind == DK_PAY_KIND else -1
        if step == 2:
            return p if kind == piece_question(f.c >> 8) else -1
        return p if (step == 3 and kind == DK_UNIT_SPACE) or (step == 5 and kind == DK_UNIT_TYPE) else -1
    if proc == PR_FRACTURE:
        return p if step == 2 and kind == DK_KEEP_TOKEN else -1
    if proc == PR_COLLAPSE:
        if step == 5:
            return p if kind == DK_PLACE_TOKEN else -1
        p = (s.active + (f.c >> 2)) % t.players if f.c >= 0 else -1
        if (step == 0 and kind == DK_ESCAPE) or (step == 2 and kind == DK_ESCAPE_UNIT):
            return p
        if step == 6 and kind == DK_UNIT_TYPE:
            return p
        return p if (step == 1 or step == 7) and kind == DK_ESCAPE_TO else -1
    if proc == PR_EVENT:
        if kind == DK_REACT:
            return window_seat(s, t, f) if window_class(f) == CLASS_REACTION else -1
        if kind == DK_RULE and (window_class(f) == CLASS_RELIC or window_class(f) == CLASS_FACTION):
            return window_seat(s, t, f)
        return -1
    if proc == PR_STORE:
        return p if (step == 0 and kind == DK_STORE_SLOT) or (step == 1 and kind == DK_STORE_AMOUNT) else -1
    # those of a step of a program; who asks nothing has other numbers there
    verb = t.steps[f.a].verb if is_step(t, f.a) else -1
    if proc == PR_PROGRAM or proc == PR_LIST:
        if step == ST_PICK_WHO or step == ST_PICK_OTHER:
            return p if kind == DK_PICK_PLAYER else -1
        if step == ST_OPTIONAL:
            return f.b & 7 if kind == DK_OPTIONAL_STEP else -1
        if step != ST_PERFORM:
            return -1
        if verb == VERB_CHOOSE:
            return f.b & 7 if kind == DK_CHOOSE else -1
        if verb != VERB_PICK:
            return -1
        if t.steps[f.a].what == PICK_WHAT_SPACE:
            return f.b & 7 if kind == DK_PICK_SPACE else -1
        return f.b & 7 if kind == (DK_PICK_PLAYER if t.steps[f.a].what == PICK_WHAT_PLAYER else DK_PICK_TERRAIN) else -1
    if proc == PR_EACH:
        if step == 1 and kind == DK_PICK_PLAYER:
            return base_of(s, f).p
        return f.b & 7 if step == 3 and kind == DK_EACH_ITEM else -1
    if proc == PR_UNITS:
        if (step == 1 and kind == DK_UNIT_SPACE) or (step == 2 and kind == DK_UNIT_OWNER):
            return p
        if (step == 3 and kind == DK_UNIT_TYPE) or (step == 5 and verb == VERB_ACT and kind == DK_ACT_ACTION):
            return p
        if step == 4 and verb == VERB_PLACE and kind == DK_PLACE_TO:
            return p
        return p if step == 4 and verb == VERB_CONVERT and kind == DK_PROMOTE_TO else -1
    if proc == PR_STEER:
        if (step == 0 and kind == DK_MOVE_TO) or (step == 1 and kind == DK_MOVE_MODE):
            return p
        return owner_of(f) if step == 2 and kind == DK_TAKE_TOKEN else -1
    if proc == PR_SWAP:
        return p if step == 0 and kind == DK_PLACE_TO else -1
    if proc == PR_LOSE:
        if t.steps[f.a].word == CHOOSER_SELF:
            p = base_of(s, f).p
        if step == 1:
            return p if kind == DK_PAY_KIND else -1
        if step != 2:
            return -1
        if t.steps[f.a].what == GOOD_RELIC_ACTIVE:
            return p if kind == DK_RELIC_SLOT else -1
        return p if kind == piece_question(f.c >> 8) else -1
    if proc == PR_STEAL:
        if step != 2 or kind != piece_question(t.steps[f.a].what):
            return -1
        return p if t.steps[f.a].word == CHOOSER_SELF else stolen_from(f)
    if proc == PR_SCRY:
        return p if (step == 1 and kind == DK_SCRY_KEEP) or (step == 2 and kind == DK_SCRY_PUT) else -1
    if proc == PR_CAPTIVES:
        if step == 0:
            return p if kind == captives_question(t, f, DK_RESCUE_HOLDER, DK_STEAL_HOLDER) else -1
        if step == 1:
            return p if kind == captives_question(t, f, DK_UNIT_OWNER, DK_NONE) else -1
        return p if step == 2 and kind == captives_question(t, f, DK_RESCUE_TYPE, DK_STEAL_CAPTIVE) else -1
    if proc == PR_CONTROL:
        return p if step == 0 and kind == DK_REWARD_HABITAT else -1
    if proc == PR_VERB:
        if step == 0 or (step == 1 and verb == VERB_TOKEN):
            return p if kind == verb_question(verb) else -1
    return -1


cdef inline int captives_question(const Tables *t, const Frame *f, int rescue, int steal) noexcept nogil:
    """Which of two questions PR_CAPTIVES asks; DK_NONE, which is never asked, for none."""
    return rescue if t.units[t.steps[f.a].units].where == WHERE_CAPTIVE else steal


cdef int verb_question(int verb) noexcept nogil:
    """What PR_VERB asks for a verb."""
    if verb == VERB_BONUS:
        return DK_BONUS
    if verb == VERB_DIE:
        return DK_DIE
    if verb == VERB_RECLAIM:
        return DK_RECLAIM
    if verb == VERB_COLLAPSE:
        return DK_COLLAPSE_SPACE
    return DK_TOKEN_SPACE if verb == VERB_TOKEN else DK_NONE


cdef bint asked_by_cell(int cell, int step, int kind) noexcept nogil:
    """Whether a Bonus Action asks that itself at its step."""
    if step == 2:
        if cell == BA_RESOLVE_COMBAT or cell == BA_ANY_COMBAT:
            return kind == DK_COMBAT
        if cell == BA_DESTROY_TROOP or cell == BA_CAPTURE_TROOP:
            return kind == DK_TARGET_SPACE
        if cell == BA_RESCUE:
            return kind == DK_RESCUE_HOLDER
        if cell == BA_STEAL_CAPTIVE:
            return kind == DK_STEAL_HOLDER
        return cell == BA_DISCARD_RELIC and kind == DK_RELIC_OWNER
    if step != 3:
        return False
    if cell == BA_DESTROY_TROOP or cell == BA_CAPTURE_TROOP:
        return kind == DK_TARGET_TYPE
    if cell == BA_RESCUE:
        return kind == DK_RESCUE_TYPE
    if cell == BA_STEAL_CAPTIVE:
        return kind == DK_STEAL_CAPTIVE
    return cell == BA_DISCARD_RELIC and kind == DK_RELIC_SLOT


# ------------------------------------------------------------------------------------------ which procedure waits where
cdef bint waits_at(int proc, int step) noexcept nogil:
    """Whether a procedure at that step has put another one above itself."""
    cdef uint32_t steps = 0
    if proc == PR_EVENT:  # its step is a set of rules
        return True
    if step > 31:
        return False
    if proc == PR_TURN:
        steps = 1 << 1 | 1 << 2 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 11 | 1 << 12 | 1 << 13 | 1 << 16
    elif proc == PR_SETUP:
        steps = 1 << 4 | 1 << 8
    elif proc == PR_GAIN_RELIC:
        steps = 1 << 0 | 1 << 2
    elif proc == PR_CARD:
        steps = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5
    elif proc == PR_SECTION:
        steps = 1 << 2
    elif proc == PR_ACTION:
        steps = 1 << 1 | 1 << 9
    elif proc == PR_MOVE:
        steps = 1 << 2 | 1 << 3
    elif proc == PR_SHIP:
        steps = 1 << 1 | 1 << 2
    elif proc == PR_SAIL:
        steps = 1 << 0 | 1 << 1
    elif proc == PR_EVACUATE:
        steps = 1 << 0 | 1 << 6 | 1 << 7
    elif proc == PR_MOVE_SOME:
        steps = 1 << 1
    elif proc == PR_GATHER:
        steps = 1 << 3
    elif proc == PR_GATHERED or proc == PR_GAIN or proc == PR_SWAP:
        steps = 1 << 1 | 1 << 2 | (1 << 3 if proc == PR_SWAP else 0)
    elif proc == PR_ARRIVE:
        steps = 1 << 2 | 1 << 3 | 1 << 4
    elif proc == PR_TAKE:
        steps = 1 << 1 | 1 << 3
    elif proc == PR_DEPLOY or proc == PR_CHOOSE_NEW or proc == PR_COMMAND:
        steps = 1 << 2
    elif proc == PR_ACTIVATE or proc == PR_UPGRADE:
        steps = 1 << 0
    elif proc == PR_CONSTRUCT:
        steps = 1 << 1 | 1 << 2
    elif proc == PR_BATTLE or proc == PR_DRAW or proc == PR_TREMOR:
        steps = 1 << 1
    elif proc == PR_COMBAT:
        steps = 1 << 1 | 1 << 3 | 1 << 4 | 1 << 6 | 1 << 7
    elif proc == PR_STRIKE:
        steps = 1 << 1 | 1 << 3 | 1 << 5 | 1 << 7 | 1 << 9 | 1 << 10 | 1 << 12 | 1 << 13
    elif proc == PR_FLIGHT:
        steps = 1 << 2 | 1 << 3 | 1 << 5 | 1 << 6 | 1 << 7
    elif proc == PR_CYBER:
        steps = 1 << 4 | 1 << 5 | 1 << 7
    elif proc == PR_TRADE:
        steps = 1 << 6 | 1 << 7
    elif proc == PR_RANSOM:
        steps = 1 << 3 | 1 << 5
    elif proc == PR_BONUS:
        steps = 1 << 4 | 1 << 5 | 1 << 8 | 1 << 9 | 1 << 11
    elif proc == PR_REWARDS or proc == PR_CAPTIVES:
        steps = 1 << 3
    elif proc == PR_PLAY:
        steps = 1 << 3 | 1 << 4 | 1 << 5
    elif proc == PR_PAY:
        steps = 1 << 7 | 1 << 8
    elif proc == PR_FRACTURE:
        steps = 1 << 4 | 1 << 5
    elif proc == PR_COLLAPSE:
        steps = 1 << 0
    elif proc == PR_PROGRAM or proc == PR_LIST:
        steps = 1 << ST_PERFORMED | 1 << ST_TELL
    elif proc == PR_EACH:
        steps = 1 << 2
    elif proc == PR_UNITS:
        steps = 1 << 5 | 1 << 6 | 1 << 7 | 1 << 13 | 1 << 22
    elif proc == PR_STEER:
        steps = 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6
    elif proc == PR_LOSE:
        steps = 1 << 6 | 1 << 7
    elif proc == PR_STEAL:
        steps = 1 << 3 | 1 << 4
    elif proc == PR_SCRY:
        steps = 1 << 4 | 1 << 5 | 1 << 7
    elif proc == PR_VERB:
        steps = 1 << 0 | 1 << 1
    elif proc == PR_CONTROL:
        steps = 1 << 1
    return steps >> step & 1


cdef bint tells(int event, int proc) noexcept nogil:
    """Whether a procedure opens the window of an event."""
    if event == TRIGGER_TURN_START or event == TRIGGER_BONUS_STEP or event == TRIGGER_TURN_END:
        return proc == PR_TURN
    if event == TRIGGER_LAUNCH:
        return proc == PR_TURN
    if event == TRIGGER_SECTION:
        return proc == PR_CARD
    if event == TRIGGER_TREMOR:
        return proc == PR_TREMOR
    if event == TRIGGER_BONUS_CHOSEN:
        return proc == PR_BONUS
    if event == TRIGGER_BONUS_DONE:  # the Bonus Action itself has gone
        return proc == PR_TURN or proc == PR_REWARDS or proc == PR_PROGRAM or proc == PR_LIST
    if event == TRIGGER_ENTERED:
        return proc == PR_ARRIVE or proc == PR_SAIL
    if event == TRIGGER_COMBAT_BEGUN:
        return proc == PR_ARRIVE
    if event == TRIGGER_COMBAT_START:
        return proc == PR_COMBAT
    if event == TRIGGER_STRIKE_START or event == TRIGGER_STRIKE_ROLLED or event == TRIGGER_STRIKE_FINAL:
        return proc == PR_STRIKE
    if event == TRIGGER_DEFEATED:
        return (proc == PR_SAIL or proc == PR_COMBAT or proc == PR_STRIKE or proc == PR_FLIGHT or proc == PR_BONUS
                or proc == PR_UNITS)
    if event == TRIGGER_FLEE_DECLARED:
        return proc == PR_FLIGHT
    if event == TRIGGER_COMBAT_END:
        return (proc == PR_COMBAT or proc == PR_STRIKE or proc == PR_FLIGHT or proc == PR_BONUS
                or proc == PR_PROGRAM or proc == PR_LIST)
    if event == TRIGGER_CYBER_ROLLED:
        return proc == PR_CYBER
    if event == TRIGGER_GATHERED:
        return proc == PR_GATHERED
    if event == TRIGGER_DISCOVERY_PLAYED:
        return proc == PR_PLAY
    if event == TRIGGER_HABITAT_LOST:
        return proc == PR_TAKE or proc == PR_LOSE
    if event == TRIGGER_ROBBED:
        return proc == PR_LOSE or proc == PR_STEAL or proc == PR_CAPTIVES or proc == PR_BONUS
    if event == TRIGGER_FRACTURE_DRAWN:
        return proc == PR_FRACTURE
    if event == TRIGGER_COLLAPSE:
        return proc == PR_COLLAPSE
    return event == TRIGGER_GAINED and proc != PR_EVENT


# -------------------------------------------------------------------------------------------- registers of each procedure
cdef bint pieces_fit(const Frame *f, const Tables *t, int count) noexcept nogil:
    """Whether each piece names something."""
    cdef int i, what, kind
    for i in range(count):
        what = pieces_of(f)[i] & PC_WHAT
        kind = pieces_of(f)[i] & ~PC_WHAT
        if kind == PC_CARD:
            if what >= t.copies:
                return False
        elif kind == PC_RELIC:
            if what >= t.relic_copies:
                return False
        elif kind == PC_CAPTIVE:
            if what >= 5 * t.players:
                return False
        elif kind == PC_HABITAT:
            if what >= NUM_SPACES:
                return False
        elif kind == PC_TROOP:
            if what & 127 >= NUM_SPACES or what >> 7 > UT_SPEAKER:
                return False
        elif (kind != PC_LORIUM and kind != PC_GONE) or (kind == PC_LORIUM and what):
            return False
    return True


cdef bint pieces_there(const State *s, const Tables *t, const Frame *f, int p) noexcept nogil:
    """Whether a player has all pieces chosen, each of them once."""
    cdef int i, k, piece, what, kind, times
    for i in range(chosen_pieces(f)):
        piece = pieces_of(f)[i]
        what = piece & PC_WHAT
        kind = piece & PC_CLASS
        times = 0
        for k in range(chosen_pieces(f)):
            times += pieces_of(f)[k] == piece
        if kind == PC_LORIUM:
            if times > lorium_of(&s.seat[p]):
                return False
        elif kind == PC_CARD:
            if times > 1 or not has128(s.seat[p].hand, what):
                return False
        elif kind == PC_RELIC:
            if times > 1 or not (s.seat[p].relics >> what & 1 or slot_with(&s.seat[p], what) >= 0):
                return False
        elif kind == PC_CAPTIVE:
            if times > captive_count(s.seat[p].captured[what // 5], what % 5):
                return False
        elif kind == PC_HABITAT:
            if times > 1 or not has128(s.seat[p].control, what):
                return False
        elif kind == PC_TROOP:
            if has128(s.combat, what & 127) or times > squad_count(squad_of(s, p, what & 127), what >> 7):
                return False
        else:
            return False
    return True


cdef int pieces_more(const State *s, const Tables *t, const Frame *f, int p, int res) noexcept nogil:
    """How many further pieces of a good a player can be asked for."""
    cdef int owner, type, space, total = 0
    cdef u128 spaces
    if res == GOOD_ANY:
        total += lorium_of(&s.seat[p]) if f.proc == PR_PAY else s.seat[p].lorium
        total -= piece_count(f, chosen_pieces(f), PC_LORIUM)
    if res == GOOD_DISCOVERY or res == GOOD_ANY:
        total += count128(cards_left(s, f, p))
    if res == GOOD_RELIC or res == GOOD_ANY:
        total += popcount64(relics_left(s, f, p))
    if res == GOOD_ANY or res == GOOD_RELIC_ACTIVE or (res == GOOD_RELIC and f.proc == PR_PAY):
        total += popcount64(<uint64_t>slots_left(s, f, p))
    if res == GOOD_CAPTIVE or res == GOOD_ANY:
        for owner in range(t.players):
            for type in range(5):
                total += captives_left(s, f, p, owner, type)
    if res == GOOD_HABITAT or res == GOOD_ANY:
        total += count128(habitats_left(s, f, p))
    if res == GOOD_HOSTAGE:
        spaces = unlocked(s, p)
        while any128(spaces):
            space = first128(spaces)
            spaces = rest128(spaces)
            for type in range(3):
                total += squad_count(s.squad[space], type)
        total -= chosen_pieces(f)
    return total


cdef bint relics_follow(const State *s, const Frame *f, int first, int p) noexcept nogil:
    """Whether a player still has the Relic Cards among the pieces from ``first`` on, for their windows."""
    cdef int i
    for i in range(first, chosen_pieces(f)):
        if pieces_of(f)[i] & PC_CLASS == PC_RELIC and not s.seat[p].relics >> (pieces_of(f)[i] & PC_WHAT) & 1:
            return False
    return True


cdef bint program_fits(const State *s, const Tables *t, const Frame *f, int step, int first, int last) noexcept nogil:
    """Whether a procedure works for a step, with a verb from ``first`` to ``last``, that its caller is performing."""
    cdef const Frame *caller = caller_of(f)
    if not is_step(t, step) or not first <= t.steps[step].verb <= last:
        return False
    if caller.proc != PR_PROGRAM and caller.proc != PR_LIST:
        return False
    return caller.a == step and caller.step == ST_PERFORMED


cdef bint list_fits(const State *s, const Tables *t, const Frame *f, int place) noexcept nogil:
    """What a PR_PROGRAM, PR_LIST or PR_EACH frame has in common: its step belongs to the program at ``place``."""
    cdef const Frame *base = f
    cdef const Frame *caller = f
    if place > place_of(s, f):
        return False
    base = &s.frames[place]
    if not is_step(t, f.a) or base.proc != PR_PROGRAM or not 0 <= base.c < t.entries[TABLE_PROGRAMS]:
        return False
    while caller > base:
        if place_of(s, caller) - slots_of(caller) < 1:
            return False
        caller = caller_of(caller)
    return caller == base and t.steps[f.a].program == base.c and is_seat(t, f.p) and f.p == base.p


cdef bint window_of_trade(const Frame *trade, const Frame *f) noexcept nogil:
    """Whether a window for a Relic Card is the one that the exchange has come to."""
    if trade.step != 7 or not within_bits(trade.c, 1) or not 0 < trade.d <= TR_PICKS:
        return False
    return trade_list(trade, trade.c)[TR_PICKS + trade.d - 1] == f.b and f.p == (trade.p if trade.c else trade.b)


cdef bint trade_fits(const State *s, const Tables *t, const Frame *f) noexcept nogil:
    """The two lists of an offer: what is listed is there, what has been picked is; of an exchange that has been made the
    Relic Cards whose windows are to come.
    """
    cdef int side, i, k, piece, owner, count, cards, relics, picks
    cdef const uint8_t *pieces
    cdef uint64_t windows = 0  # Relic Cards that have their window now or have it still to come
    if f.step == 7 and 0 < f.d <= TR_PICKS and within_bits(f.c, 1):
        windows = <uint64_t>1 << (trade_list(f, f.c)[TR_PICKS + f.d - 1] & 63)
    for side in range(2):
        pieces = trade_list(f, side)
        count = pieces[TR_COUNT]
        owner = f.b if side else f.p
        if count > t.offer_pieces or count > TR_PICKS:
            return False
        for i in range(count):
            piece = pieces[i]
            if i and piece < pieces[i - 1]:
                return False
            if not (A_SLOT <= piece < A_SLOT + NUM_SLOTS or A_RESOURCE <= piece <= A_RESOURCE + RS_RELIC
                    or A_CAPTIVE <= piece < A_CAPTIVE + 5 * t.players or A_SPACE <= piece < A_SPACE + NUM_SPACES):
                return False
            if f.step > 4:
                continue
            k = pieces_listed(f, side, piece)
            if piece < A_RESOURCE:
                if k > 1 or slot_relic(&s.seat[owner], piece - A_SLOT) < 0:
                    return False
            elif piece == A_RESOURCE + RS_LORIUM:
                if k > lorium_of(&s.seat[owner]):
                    return False
            elif piece == A_RESOURCE + RS_DISCOVERY:
                if k > count128(s.seat[owner].hand):
                    return False
            elif piece == A_RESOURCE + RS_RELIC:
                if k > popcount64(s.seat[owner].relics):
                    return False
            elif piece < A_SPACE:
                if k > captive_count(s.seat[owner].captured[(piece - A_CAPTIVE) // 5], (piece - A_CAPTIVE) % 5):
                    return False
            elif k > 1 or not has128(s.seat[owner].control, piece - A_SPACE):
                return False
        if f.step < 4:
            continue
        if f.step > 4:  # the windows that are still to come, for who received
            owner = f.p if side else f.b
            for i in range(f.d if side == f.c and f.step == 7 else 0, TR_PICKS):
                piece = pieces[TR_PICKS + i]
                if piece == TR_END:
                    break
                if piece >= t.relic_copies:
                    return False
                if side > f.c and f.step == 7:
                    continue
                if (s.seat[owner].relics & ~windows) >> piece & 1 == 0:
                    return False
                windows |= <uint64_t>1 << piece
            continue
        cards = pieces_listed(f, side, A_RESOURCE + RS_DISCOVERY)
        relics = pieces_listed(f, side, A_RESOURCE + RS_RELIC)
        picks = f.d if side == f.c else 0 if side > f.c else cards + relics
        if picks > cards + relics:
            return False
        for i in range(picks):
            piece = pieces[TR_PICKS + i]
            for k in range(i):
                if (k < cards) == (i < cards) and pieces[TR_PICKS + k] == piece:
                    return False
            if i < cards:
                if piece >= t.copies or not has128(s.seat[owner].hand, piece):
                    return False
            elif piece >= t.relic_copies or not s.seat[owner].relics >> piece & 1:
                return False
    return True


cdef bint setup_cards(const State *s, const Tables *t, int step) noexcept nogil:
    """Whether all Discovery Cards are there; the Events come after step 4."""
    cdef u128 cards = s.discard
    cdef int i
    for i in range(s.deck_size):
        cards |= bit128(s.deck[i])
    for i in range(t.players):
        cards |= s.seat[i].hand
    return cards == (first_members(t.copies) & ~t.event_copies if step <= 4 else first_members(t.copies))


cdef bint same_player(const Frame *f) noexcept nogil:
    """A part of somebody's card or Action is performed by the same player."""
    cdef const Frame *caller = caller_of(f)
    if f.proc == PR_EVENT or f.proc == PR_TAKE:
        return True
    if (caller.proc == PR_CARD or caller.proc == PR_SECTION or caller.proc == PR_ACTION or caller.proc == PR_MOVE
            or caller.proc == PR_CHOOSE_NEW or caller.proc == PR_ACTIVATE or caller.proc == PR_COMMAND):
        return f.p == caller.p
    if caller.proc == PR_TURN or caller.proc == PR_BONUS or caller.proc == PR_REWARDS or caller.proc == PR_PLAY:
        if f.proc == PR_BONUS or f.proc == PR_REWARDS or f.proc == PR_PLAY or f.proc == PR_COMMAND or f.proc == PR_CARD:
            return f.p == caller.p
    return True


cdef bint section_fits(const Tables *t, const Frame *f) noexcept nogil:
    """Whether type and actions are those of a Section of the card at hand, or one action of a Section of another card."""
    cdef const Frame *caller = caller_of(f)
    cdef int card = caller.a if caller.proc == PR_CARD else caller.b
    cdef int section, actions = 0
    if caller.proc != PR_CARD and caller.proc != PR_COMMAND or not 0 <= card < N_CC or f.a != t.command_unit[card]:
        return False
    if caller.proc == PR_CARD:
        section = caller.b - 1
        return 0 <= section < t.section_count[card] and f.b == (<int>t.section[card][section] | GAINED_JUMPJETS)
    for section in range(t.section_count[card]):
        actions |= <int>t.section[card][section]
    if actions & 1 << CA_MOVE:
        actions |= 1 << CA_JUMPJET
    return f.b > 0 and f.b & (f.b - 1) == 0 and f.b & ~actions == 0


cdef bint actor_of(const State *s, const Tables *t, int p, bint ship) noexcept nogil:
    """Whether the acting Unit is an Unlocked one of p, with ``ship`` perhaps the Ship."""
    if s.actor < 0 or s.mark_owner != p or mark_type(s, s.actor) > (UT_SHIP if ship else UT_HARVESTER):
        return False
    return actor_ready(s, s.actor)


cdef bint unit_there(const State *s, const Tables *t, int owner, int space, int type) noexcept nogil:
    """Whether an owner has a Unit of the type, not Confused, in a space."""
    if not is_seat(t, owner) or not is_space(space) or not 0 <= type <= UT_SHIP:
        return False
    if type == UT_SHIP:
        return s.seat[owner].ship == space
    return squad_count(squad_of(s, owner, space), type) > 0


cdef bint unmarked_there(const State *s, int owner, int space, int type) noexcept nogil:
    """Whether a Unit of the owner of the marks carries none."""
    cdef int i
    cdef int units = squad_count(squad_of(s, owner, space), type)
    for i in range(s.mark_count):
        units -= mark_space(s, i) == space and mark_type(s, i) == type and not s.mark_confused >> i & 1
    return units > 0


cdef bint lone_attacker_fits(const State *s, const Frame *f) noexcept nogil:
    """Whether the attacker that a frame keeps is nowhere or there (`lone_attack`)."""
    cdef int kind = f.c >> 7
    if kind >= N_KINDS or kind == UT_SHIP:
        return False
    return f.c & 127 == GONE or squad_count(squad_of(s, f.p, f.c & 127), kind) > 0


cdef bint frame_fits(const State *s, const Tables *t, const Frame *f, bint top) noexcept nogil:
    """Whether the registers of a frame, and what lies beneath it, can be at its step; ``top``: it asks."""
    cdef int proc = f.proc
    cdef int step = f.step
    cdef int p = f.p
    cdef int i, kind, res, verb
    cdef const Work *w
    cdef const Frame *caller
    cdef Env e
    if proc == PR_SETUP:
        if s.phase != PH_SETUP or not 0 <= f.a < t.players or not 0 <= f.b <= 255 or not 0 <= f.c <= 8:
            return False
        if not setup_cards(s, t, step):
            return False
        for i in range(f.a if step == SETUP_SHIPS else 0, t.players if step <= SETUP_SHIPS else 0):
            if s.seat[(s.first_player + i) % t.players].ship >= 0:
                return False
        if step == 1:
            for i in range(t.players * t.faction_deal):
                if (<const uint8_t *>&s.die[0])[i] >= t.faction_count:
                    return False
            return t.factions
        if step == 7:
            i = (s.first_player + f.a) % t.players
            return (f.c < set_up_of(s, t, i).habitat_count and s.seat[i].ship >= 0
                    and f.b == set_up_of(s, t, i).habitats[f.c])
        return step != 3 or f.b < t.variant
    if proc == PR_TURN:
        if s.phase == PH_SETUP or p != s.active:
            return False
        if (step == 3 or step == 4) and not (0 <= f.a <= 9 and not s.seat[p].commands >> f.a & 1):
            return False
        if top and step == 2:
            return reclaim_ways(s, t, p) != 0
        if top and step == 12:
            return launch_open(s, t, p) and t.condition == LC_BASE
        return True
    if proc == PR_EVENT:
        return window_fits(s, t, f, top)
    if proc == PR_TAKE:
        if not (is_seat(t, p) or (p == NOBODY and not top)) or not is_space(f.a) or not is_seat(t, f.b):
            return False
        if top and (not has128(habitats(s), f.a) or count128(s.seat[p].control) < t.limit_flags):
            return False
        return -1 <= f.c < t.players
    if not is_seat(t, p):
        return False
    if proc == PR_SURPLUS:
        if not 0 <= f.a < t.players:
            return False
        i = (s.active + f.a) % t.players
        if step == 0:
            return count128(s.seat[i].hand) > hand_limit(s, t, i)
        return relics_held(&s.seat[i]) > t.limit_relics if step == 1 else cells_overfull(s, t, i)
    if proc == PR_WINDOW:
        if f.b >= 0 and (f.b >= t.relic_copies or not s.seat[p].relics >> f.b & 1):
            return False
        if caller_of(f).proc == PR_TRADE and not window_of_trade(caller_of(f), f):
            return False
        if step == 1:
            return 0 <= f.c < t.relic_copies and s.seat[p].relics >> f.c & 1 and (f.b < 0 or f.b == f.c)
        return step != 2 or (0 <= f.c < NUM_SLOTS and slot_lorium(&s.seat[p], f.c) > 0)
    if proc == PR_GAIN_RELIC:
        if not 0 <= f.a <= 255 or f.b < 0 or not within_bits(f.d, 1):
            return False
        if step == 1:
            for i in range(f.c):
                if beneath(f, 1)[i] >= t.relic_copies:
                    return False
            return 2 <= f.c <= MAX_RELICS_DRAWN
        return True
    if proc == PR_CARD:
        return 0 <= f.a <= 9 and 0 <= f.b <= t.section_count[f.a] and within_bits(f.c, 3) and within_bits(f.d, 1)
    if proc == PR_SECTION:
        if not section_fits(t, f) or not within_bits(f.c, 1):
            return False
        return not top or step == 0 or actor_of(s, t, p, True) and mark_type(s, s.actor) == f.a
    if proc == PR_ACTION:
        if not 0 <= f.a <= 25:
            return False
        if top and step == 3:
            return (f.a == CA_PERSUADE or f.a == CA_NEUTRALIZE) and actor_of(s, t, p, True)
        return True
    if proc == PR_MOVE:
        if (f.a != CA_MOVE and f.a != CA_JUMPJET) or not -1 <= f.d < NUM_SPACES:
            return False
        if top:
            if not actor_of(s, t, p, False) or f.d != -1:
                return False
            return step == 0 or (is_space(f.c) and has128(move_ends(
                s, t, p, mark_type(s, s.actor), mark_space(s, s.actor), f.a == CA_JUMPJET), f.c))
        return is_space(f.c) and is_space(f.b & 127) and f.b >> 7 & 7 <= UT_HARVESTER
    if proc == PR_SHIP:
        if f.a != CA_SHIP_MOVE and f.a != CA_STABILIZE:
            return False
        return s.seat[p].ship >= 0 if top else is_space(f.b)
    if proc == PR_SAIL:
        if not is_space(f.a) or not 0 <= f.b < N_KIND << 3 or not is_seat(t, f.b & 7):
            return False
        return -1 <= f.c < NUM_SPACES and 0 <= f.d <= t.players
    if proc == PR_EVACUATE:
        if (f.a != CA_MOVE and f.a != CA_JUMPJET) or not -1 <= f.d < NUM_SPACES:
            return False
        if not top or step == 0:
            return step == 0 or (is_space(f.c) and is_space(f.b & 127) and f.b >> 7 & 7 <= UT_HARVESTER)
        if not is_space(f.b & 127) or s.seat[p].ship < 0:
            return False
        if step == 2:
            return f.b < 128
        if not actor_of(s, t, p, False) or mark_space(s, s.actor) != f.b & 127 or f.b >> 7:
            return False
        if step > 3:
            if not is_space(f.c):
                return False
            i = mark_type(s, s.actor)
            kind = has128(evacuate_to(s, t, p, i, f.b, False), f.c)
            kind |= has128(evacuate_to(s, t, p, i, f.b, True), f.c) << 1
            return kind == 3 if step == 4 else kind != 0
        return True
    if proc == PR_MOVE_SOME:
        return 0 <= f.a <= 255 and (step != 2 or is_space(f.b)) and (not top or f.a > 0)
    if proc == PR_GATHER:
        return f.a == -1 and (step != 2 or is_space(f.b))
    if proc == PR_GATHERED:
        return f.a >= 0 and f.b >= 0
    if proc == PR_ARRIVE:
        if not is_space(f.a) or not 0 <= f.b < N_KIND << 8 or not 0 <= f.c <= 15 or not is_seat(t, f.c & 7):
            return False
        return 0 <= f.d <= 3
    if proc == PR_FLAGS:
        return count128(s.seat[p].control) > t.limit_flags
    if proc == PR_PROMOTE:
        if not within_bits(f.a, 1):
            return False
        if step and not (is_space(f.b) and has128(promote_spaces(s, t, p, f.a), f.b)):
            return False
        return step != 2 or (0 <= f.c <= UT_SPEAKER and unit_there(s, t, p, f.b, f.c))
    if proc == PR_RECRUIT:
        w = <const Work *>(f - 1)
        i = <int16_t>(w.x | w.y << 8)
        if not 0 <= f.a <= NO_BUDGET or not 0 <= f.b < 6 << 10 or f.d < 0 or f.c < 0:
            return False
        if f.b & 31 and f.b >> 5 & 31 >= f.b & 31:
            return False
        return i == -1 or program_fits(s, t, f, i, VERB_DEPLOY, VERB_DEPLOY)
    if proc == PR_DEPLOY:
        if not within_bits(f.c, 7 | DEPLOY_NEW | DEPLOY_LONE) or f.c & 7 > UT_HARVESTER or not within_bits(f.d, 31):
            return False
        if f.b != -1 and not program_fits(s, t, f, f.b, VERB_DEPLOY, VERB_DEPLOY):
            return False
        if f.c & DEPLOY_LONE and not (0 if step == 2 else 1) <= f.a <= 255:
            return False
        if top and step == 1:
            if f.c & DEPLOY_LONE:
                return s.seat[p].reserve[f.c & 7] > 0 and f.d >> (f.c & 7) & 1
            return captive_count(<uint16_t>f.a, f.c & 7) > 0
        return True
    if proc == PR_CHOOSE_NEW:
        return within_bits(f.a, 63) and (step != 1 or is_space(f.b))
    if proc == PR_ACTIVATE:
        if not -1 <= f.b <= 9 or not 0 <= f.c < MARKS or not within_bits(f.d, 1):
            return False
        if f.b < 0:
            return not top
        if t.command_unit[f.b] < 0 or not 0 <= f.a <= t.section_count[f.b]:
            return False
        return not top or (f.a < t.section_count[f.b] and s.actor == f.c and actor_of(s, t, p, True)
                           and mark_type(s, f.c) == t.command_unit[f.b])
    if proc == PR_UPGRADE:
        return UPGRADE_STANDARD <= f.a <= UPGRADE_ANY and (step != 1 or is_space(f.b))
    if proc == PR_CONSTRUCT:
        if f.a != -1 and not program_fits(s, t, f, f.a, VERB_CONSTRUCT, VERB_CONSTRUCT):
            return False
        if f.b < 0 or f.b & 15 > METHOD_FREE or f.b >> 4 > ALL:
            return False
        return 0 <= f.c < 6 and f.d >= 0 and (not top or f.b >> 4 > 0)
    if proc == PR_RECALL:
        if f.a <= 0 or f.b & 255 or f.b < 0 or not (step == 0 or is_space(f.c)):
            return False
        i = chosen_pieces(f)
        if f.d != (i + PIECES - 1) // PIECES or not pieces_fit(f, t, i) or not pieces_there(s, t, f, p):
            return False
        return piece_classes(f, i) & ~(1 << (PC_TROOP >> 12)) == 0
    if proc == PR_BATTLE:
        if f.b != -1 and not program_fits(s, t, f, f.b, VERB_COMBAT, VERB_COMBAT):
            return False
        return 0 <= f.a < NUM_SPACES and 0 <= f.c <= ALL and (not top or f.c > 0)
    if proc == PR_COMBAT:
        if not is_space(f.a) or not is_seat(t, f.b) or not within_bits(f.c, 1):
            return False
        if f.d != -1 and (not is_seat(t, f.d & 7) or f.d >> 3 > CLAIM_REACTION or f.d < 0):
            return False
        return not top or (s.fight == f.a and has128(s.seat[f.b].occupied, f.a) and s.strikes < t.limit_strikes)
    if proc == PR_STRIKE:
        if not is_space(f.a) or not within_bits(f.b, 127) or f.b & 12 or not is_seat(t, f.b >> 4):
            return False
        if f.d >= 0:
            if f.d > 63 or f.d & 31 >= t.faces[2 + (f.d >> 5)]:
                return False
        elif f.d != -1:
            return False
        if not top:
            return True
        if not has128(s.combat & s.seat[p].occupied, f.a) or not (f.b & ST_FINAL or s.fight == f.a):
            return False
        if step == 6:
            if f.d < 0:
                return False
            kind = t.strike_kind[f.d >> 5][f.d & 31]
            return kind == (ST_VALUE if s.kind == DK_VALUE_DIE else ST_REROLL)
        return step == 10 or f.c > 0
    if proc == PR_FLIGHT:
        if not within_bits(f.c, 31) or (f.a != -1 if top and step == 0 else not is_space(f.a)):
            return False
        if not (is_space(f.b) or (f.b == -1 and step <= 1)):
            return False
        if f.c & FL_VERB:
            caller = caller_of(f)
            if caller.proc != PR_PROGRAM and caller.proc != PR_LIST:
                return False
            if not is_step(t, caller.a) or t.steps[caller.a].verb != VERB_FLEE:
                return False
        if not top or step == 0:
            return True
        if side_of(s, t, p, f.a) == NO_SIDE:
            return False
        if step == 2:
            return f.c & FL_FINAL and not s.verdict & WD_NO_FINAL and (not f.c & FL_RESOLUTION or s.fight == f.a)
        if step == 4:
            return squad_plain(squad_of(s, p, f.a)) != 0 and not has128(flee_ends(s, t, p, f.a), f.b)
        return True
    if proc == PR_BATCHES:
        if not is_seat(t, f.b) or not within_bits(f.c, 1) or not 0 <= f.a <= t.copies:
            return False
        return dice_left(s) if step == 0 else f.a > 0
    if proc == PR_CYBER:
        if not 0 <= f.a or (f.b != -1 and f.b != -2 and not program_fits(s, t, f, f.b, VERB_CYBER, VERB_CYBER)):
            return False
        if not is_seat(t, f.d) or f.c < 0:
            return False
        if step == 4 and s.trying == TRYING_ALONE:
            return lone_attacker_fits(s, f)
        if not is_space(f.c & 127) or f.c >> 7 > UT_HARVESTER:
            return False
        if not top or step == 5:
            return f.d != p
        if f.a & 31 == 0:
            return False
        if step and not has128(cyber_spaces(s, t, p, f.b), f.c & 127):
            return False
        return step != 2 or unit_there(s, t, p, f.c & 127, f.c >> 7)
    if proc == PR_TRADE:
        if f.a < 0:
            return False
        if step == 0:
            return f.a > 0
        if not is_seat(t, f.b) or f.b == p or not within_bits(f.c, 1) or not 0 <= f.d <= TR_PICKS:
            return False
        if (step == 1 or step == 2) and trade_list(f, step - 1)[TR_COUNT] >= t.offer_pieces:
            return False
        if not trade_fits(s, t, f):
            return False
        if step == 4:
            i = pieces_listed(f, f.c, A_RESOURCE + RS_DISCOVERY)
            if s.kind == DK_TRADE_CARD:
                return f.d < i
            return i <= f.d < i + pieces_listed(f, f.c, A_RESOURCE + RS_RELIC)
        return True
    if proc == PR_RANSOM:
        if f.a != -1 and not is_step(t, f.a) and f.a != -2:
            return False
        if step >= 4:
            return is_seat(t, f.b) and 0 <= f.c <= ALL and 0 <= f.d and (not top or (f.b != p and f.c > 0))
        if f.a != -1 and not program_fits(s, t, f, f.a, VERB_RANSOM, VERB_RANSOM):
            return False
        if f.b < 0 or f.b >> 3 > ALL or not (is_seat(t, f.b & 7) or step == 0) or f.d < 0:
            return False
        if not top or step == 0:
            return not top or f.b >> 3 > 0
        if f.b & 7 == p or f.b >> 3 == 0 or not obtainable(s, t, p, f.b & 7):
            return False
        for i in range(5):
            if captive_count(<uint16_t>f.c, i) > captive_count(s.seat[p].captured[f.b & 7], i):
                return False
        i = vehicles_held(<uint16_t>f.c)
        kind = troops_held(<uint16_t>f.c)
        if i and kind or f.c < 0:
            return False
        res = t.blueprint_vehicles if i else ransom_rate(s, t, p)
        if step == 1:
            if f.c == 0:
                return True
            return i + kind < res <= (vehicles_held(s.seat[p].captured[f.b & 7]) if i
                                      else troops_held(s.seat[p].captured[f.b & 7]))
        return t.variant and f.c != 0 and i + kind == res
    if proc == PR_BONUS:
        if not 0 <= f.a < N_BA:
            return False
        if f.a == BA_DESTROY_TROOP or f.a == BA_CAPTURE_TROOP:
            if step == 3 or step == 4:
                if not is_space(f.b) or (step == 4 and not is_seat(t, f.c)):
                    return False
                return step == 4 or (has128(s.combat & s.seat[p].occupied, f.b))
            return step != 8
        if step == 3 or step == 4:
            if not is_seat(t, f.b):
                return False
            if step == 4:
                if f.a == BA_STEAL_CAPTIVE:
                    return 0 <= f.c < 5 * t.players
                return f.a == BA_DISCARD_RELIC and 0 <= f.c < t.relic_copies
            return f.a == BA_RESCUE or f.a == BA_STEAL_CAPTIVE or f.a == BA_DISCARD_RELIC
        if step == 8:
            return f.a == BA_TAKE_MARKER or f.a == BA_COLONY_CITY
        return step != 5
    if proc == PR_REWARDS:
        if not 0 <= f.a < MAX_DESIGNS or not 0 <= f.b <= 4 or not 0 <= f.c <= t.reward_count[f.a]:
            return False
        if step == 1:
            return t.reward_op[f.a] == RO_OR and f.c == t.reward_count[f.a]
        if f.b >= f.c:
            return False
        if top:
            return t.reward[f.a][f.b].kind == (RW_BONUS if s.kind == DK_BONUS else RW_HABITAT)
        return True
    if proc == PR_PLAY:
        if not PLAYED_ABILITY <= f.b <= PLAYED_BOTH or not PLAY_AS_REWARD <= f.c <= PLAY_AS_ANY:
            return False
        if step == 0:
            return f.a == -1
        if not 0 <= f.a < t.copies or (step == 1 and not has128(s.seat[p].hand, f.a)):
            return False
        if (step == 1 or f.b != PLAYED_REWARD) and t.ability[t.design_of[f.a]] < 0:
            return False
        return f.b != PLAYED_REACTION or caller_of(f).proc == PR_EVENT
    if proc == PR_COMMAND:
        if not within_bits(f.a, 31) or f.a & 3 == 3 or not within_bits(f.d, 1):
            return False
        return step == 0 or 0 <= f.b <= 9
    if proc == PR_PAY:
        return pay_fits(s, t, f, top)
    if proc == PR_DRAW:
        return (0 <= f.a <= 255 and 0 <= f.b < t.copies and f.c >= 0 and has128(t.event_copies, f.b)
                and within_bits(f.d, DRAW_THEN_GAIN))
    if proc == PR_GAIN:
        return f.a >= 0 and f.b >= 0
    if proc == PR_TREMOR:
        return is_seat(t, f.a) and 0 <= f.b < N_KIND
    if proc == PR_FRACTURE:
        if f.a < 0 or not is_seat(t, f.a & 15) or f.a >> 4 > MAX_TOKENS_DRAWN or not 0 <= f.b <= 255 or f.c < 0:
            return False
        if not top:
            return 0 <= f.d < t.token_count
        for i in range(beneath(f, 1)[0]):
            if beneath(f, 1)[i + 1] >= t.token_count or s.bag >> beneath(f, 1)[i + 1] & 1:
                return False
            if i and beneath(f, 1)[i] >= beneath(f, 1)[i + 1]:
                return False
        return beneath(f, 1)[0] > 1
    if proc == PR_COLLAPSE:
        return collapse_fits(s, t, f, top)
    if proc == PR_STORE:
        if not 0 < f.a <= 15:
            return False
        if step == 0:
            return s.seat[p].lorium > 0
        return 0 <= f.b < NUM_SLOTS and s.seat[p].slot[f.b] < f.a and s.seat[p].lorium > 0
    if proc == PR_PROGRAM:
        if f.d or not list_fits(s, t, f, place_of(s, f)):
            return False
        caller = caller_of(f)
        if caller.proc == PR_EVENT:
            if not window_flags(caller) & WF_RUNNING:
                return False
        elif caller.proc == PR_PLAY:
            if caller.step != 4 or caller.b == PLAYED_REWARD:
                return False
        elif caller.proc != PR_DRAW:
            return False
        return performer_fits(s, t, f, top)
    if proc == PR_LIST:
        if f.d < 0 or not list_fits(s, t, f, f.d):
            return False
        caller = caller_of(f)
        if caller.proc == PR_EACH:
            return performer_fits(s, t, f, top)
        if (caller.proc != PR_PROGRAM and caller.proc != PR_LIST) or caller.step != ST_PERFORMED:
            return False
        verb = t.steps[caller.a].verb if is_step(t, caller.a) else -1
        return (verb == VERB_CHOOSE or verb == VERB_IF) and performer_fits(s, t, f, top)
    if proc == PR_EACH:
        if f.d < 0 or not list_fits(s, t, f, f.d) or not program_fits(s, t, f, f.a, VERB_EACH, VERB_EACH):
            return False
        w = <const Work *>(f - 1)
        kind = t.steps[f.a].what
        if top and step == 3 and not (t.steps[f.a].flags & SF_OPT or t.steps[f.a].extra):
            return False
        if f.b < 0 or not is_seat(t, f.b & 7) or f.c < 0:
            return False
        if kind == EACH_PLAYERS:
            return within_bits(f.c, (1 << t.players) - 1) and (step < 2 or w.x < t.players or w.x == 0)
        if kind == EACH_SPACES:
            return step != 1 and f.c <= NUM_SPACES and w.x < NUM_SPACES
        if step == 1 or f.c >> 6 >= NUM_SPACES or not is_seat(t, f.c >> 3 & 7) or f.c & 7 > UT_SHIP:
            return False
        return step != 3 or w.left > 0
    if proc == PR_UNITS:
        return units_fit(s, t, f, top)
    if proc == PR_STEER:
        caller = caller_of(f)
        if caller.proc != PR_UNITS or caller.a != f.a or t.steps[f.a].verb != VERB_MOVE or caller.b != f.b:
            return False
        if f.b < 0 or not is_space(unit_space(f)) or not is_seat(t, owner_of(f)) or unit_type(f) > UT_SHIP:
            return False
        if not -1 <= f.d < MARKS or f.c < 0 or (f.c >> 8 > 126 and f.c >> 8 != 127):
            return False
        if not top:
            return is_space(steer_end(f)) and (step != 6) == (unit_type(f) != UT_SHIP)
        if not unit_there(s, t, owner_of(f), unit_space(f), unit_type(f)):
            return False
        if f.d >= 0 and (f.d >= s.mark_count or s.mark_owner != owner_of(f)
                         or not mark_fits(s, f.d, unit_space(f), unit_type(f))):
            return False
        if step == 0:
            return True
        if not is_space(steer_end(f)) or unit_type(f) == UT_SHIP or f.c >> 8 != 127:
            return False
        if f.d < 0 and s.mark_owner == owner_of(f) and not unmarked_there(s, owner_of(f), unit_space(f), unit_type(f)):
            return False
        frame_env(s, t, f, &e)
        return has128(steer_ends(s, t, &e, &t.steps[f.a], owner_of(f), unit_type(f), unit_space(f), False)
                      | steer_ends(s, t, &e, &t.steps[f.a], owner_of(f), unit_type(f), unit_space(f), True),
                      steer_end(f))
    if proc == PR_SWAP:
        if not program_fits(s, t, f, f.a, VERB_PLACE, VERB_PLACE) or t.steps[f.a].swap < 0:
            return False
        if top:
            frame_env(s, t, f, &e)
            return is_space(f.b) and swap_origin(s, &e) == f.b
        return is_space(f.b) and is_space(f.c) and is_seat(t, f.d)
    if proc == PR_LOSE:
        if not program_fits(s, t, f, f.a, VERB_LOSE, VERB_LOSE) or f.b < 0 or f.c < 0 or f.c >> 8 > 127:
            return False
        res = t.steps[f.a].what
        if not pieces_fit(f, t, chosen_pieces(f)) or f.d != (chosen_pieces(f) + PIECES - 1) // PIECES:
            return False
        if f.c & 15 != res & 15:
            return False
        if not top:
            return step != 6 or 1 <= f.c >> 8 <= RS_CAPTIVE + 1
        if res == GOOD_LORIUM or t.steps[f.a].word == CHOOSER_RANDOM or not pieces_there(s, t, f, p):
            return False
        if step == 2 and f.c >> 8 != (RS_RELIC if res == GOOD_RELIC_ACTIVE else f.c >> 8 if res == GOOD_ANY else res):
            return False
        if step == 2 and not RS_DISCOVERY <= f.c >> 8 <= RS_HABITAT:
            return False
        return 0 < (f.b & 255) - chosen_pieces(f) <= pieces_more(s, t, f, p, res)
    if proc == PR_STEAL:
        if not program_fits(s, t, f, f.a, VERB_STEAL, VERB_STEAL) or f.b < 0 or f.c < 0:
            return False
        res = t.steps[f.a].what
        if f.c & 15 != res or not is_seat(t, stolen_from(f)) or f.c >> 7 >= 1 << t.players:
            return False
        i = chosen_pieces(f)
        if not pieces_fit(f, t, i) or PIECES * f.d < i or work_of(f).other > NOBODY:
            return False
        if work_of(f).other != NOBODY and not is_seat(t, work_of(f).other):
            return False
        if step == 4:
            return res == GOOD_RELIC and relics_follow(s, f, f.b & 255, p)
        if res == GOOD_LORIUM or t.steps[f.a].word == CHOOSER_RANDOM:
            return not top and i == 0
        if piece_classes(f, i) & ~(1 << (class_of(res) >> 12)):
            return False
        if not top:
            return i == f.b & 255
        return (pieces_there(s, t, f, stolen_from(f)) and stolen_from(f) != p
                and 0 < (f.b & 255) - i <= pieces_more(s, t, f, stolen_from(f), res))
    if proc == PR_SCRY:
        if not program_fits(s, t, f, f.a, VERB_SCRY, VERB_SCRY) or f.b < 0 or f.b & 255 > MAX_SCRY or f.d < 0:
            return False
        if f.b >> 8 > f.b & 255 or (top and step == 2 and f.b >> 8 == f.b & 255):
            return False
        kind = t.relic_copies if t.steps[f.a].what == DECK_RELIC else t.copies
        for i in range(f.b & 255):
            if scry_cards(f)[i] >= kind:
                return False
            if step == 4 and i >= f.b >> 8 and f.c >> i & 1 and t.steps[f.a].what == DECK_RELIC:
                if not s.seat[p].relics >> scry_cards(f)[i] & 1:
                    return False
        if (f.c & 255) >> (f.b & 255) or (f.c >> 8 & 255) >> (f.b & 255) or f.c & f.c >> 8 & 255:
            return False
        if step < 3 and f.c & 255 & (f.c & 255) + 1:  # the kept come first
            return False
        if top and step == 1:
            return popcount64(<uint64_t>(f.c & 255)) < min_int(t.steps[f.a].extra, f.b & 255)
        if top and step == 2 and t.steps[f.a].word != SCRY_REST_ANY and t.steps[f.a].word != SCRY_REST_SIFT:
            return False
        return not (top and step == 2 and (f.c | f.c >> 8) >> (f.b >> 8) & 1)
    if proc == PR_CONTROL:
        if not program_fits(s, t, f, f.a, VERB_CONTROL, VERB_CONTROL) or f.b < 0 or f.c < 0 or f.d < 0:
            return False
        if f.b >> 8 > NUM_SPACES or (f.c >> 12 & 7 != NOBODY and not is_seat(t, f.c >> 12 & 7)):
            return False
        if any128(set_beneath(f, 2) & ~everywhere()):
            return False
        return (not top or f.b & 255 > 0) and (f.c & 255 == 0 or f.b >> 8 > 0)
    if proc == PR_VERB:
        if not is_step(t, f.a):
            return False
        verb = t.steps[f.a].verb
        if not program_fits(s, t, f, f.a, VERB_RECLAIM, VERB_DIE) or f.b < 0 or f.c < 0:
            return False
        if verb == VERB_TOKEN and (f.d < 0 or (top and t.steps[f.a].n.kind == COUNT_KIND_ALL)):
            return False
        if verb == VERB_TREMOR:
            return not top and step == 0 and f.b <= ALL
        if top and f.b == 0 or f.b > ALL:
            return False
        return verb_question(verb) != DK_NONE and (top or verb != VERB_DIE and verb != VERB_RECLAIM)
    if proc == PR_CAPTIVES:
        if not program_fits(s, t, f, f.a, VERB_CONVERT, VERB_GATHER) or f.c < 0 or f.b < 0:
            return False
        if t.units[t.steps[f.a].units].where == WHERE_PLANET or t.steps[f.a].units < 0:
            return False
        if t.steps[f.a].verb != VERB_RECALL and t.steps[f.a].verb != VERB_CAPTURE:
            return False
        if not is_seat(t, f.b & 7) or not is_seat(t, f.b >> 3 & 7) or f.b >> 6 > UT_HARVESTER:
            return False
        return not top or f.c & 255 > 0
    return False


cdef int programs_in(const Frame *f) noexcept nogil:
    """How many programs a frame counts in `State.programs` until it is over."""
    cdef int proc = f.proc
    if proc == PR_EVENT:
        return window_flags(f) & WF_RUNNING != 0
    if proc == PR_CARD or proc == PR_ACTIVATE or proc == PR_COMMAND:
        return f.d
    if proc == PR_PLAY:
        return f.step >= 3
    if proc == PR_BONUS or proc == PR_DRAW:
        return 1
    if proc == PR_SECTION:
        return f.step == 2
    if proc == PR_GATHER:
        return f.step == 3
    return proc == PR_UNITS and f.step == 6


cdef bint marks_owned(const State *s) noexcept nogil:
    """Whether Units that take part in a card, or were placed by it, are those of who resolves the innermost one."""
    cdef const Frame *f
    cdef int i, place = s.depth - 1
    cdef int marks = 0
    for i in range(s.mark_count):
        marks |= marks_of(s, i)
    if not marks & (MARK_PART | MARK_NEW):
        return True
    while place > 0:
        f = &s.frames[place]
        if (f.proc == PR_CARD or f.proc == PR_SECTION or f.proc == PR_GATHER or f.proc == PR_COMMAND
                or f.proc == PR_CHOOSE_NEW):
            return f.p == s.mark_owner
        place -= 1 + slots_of(f)
    return False


cdef int piece_classes(const Frame *f, int count) noexcept nogil:
    """Classes among the pieces, a bit each."""
    cdef int i, classes = 0
    for i in range(count):
        classes |= 1 << (pieces_of(f)[i] >> 12 & 7)
    return classes


cdef bint performer_fits(const State *s, const Tables *t, const Frame *f, bint top) noexcept nogil:
    """Register b of a list of steps."""
    cdef int other = f.b >> 9 & 7
    if f.b < 0 or f.b >> 14 or f.b >> 3 & 63 >= 1 << t.players:
        return False
    if f.step >= ST_OPTIONAL and not is_seat(t, f.b & 7):
        return False
    if other != NOBODY and not is_seat(t, other):
        return False
    if t.steps[f.a].flags & SF_OTHER and f.step >= ST_NEXT and other == NOBODY:
        return False
    if top and f.step == ST_PICK_WHO:
        return chooses_one(t.steps[f.a].who)
    if top and f.step == ST_PICK_OTHER:
        return t.steps[f.a].flags & SF_OTHER != 0
    return not (top and f.step == ST_OPTIONAL) or t.steps[f.a].flags & SF_OPT != 0


cdef bint window_fits(const State *s, const Tables *t, const Frame *f, bint top) noexcept nogil:
    """The window of an event; one that asks is not over."""
    return event_fits(s, t, f, top) and not (top and window_over(s, t, f))


cdef bint event_fits(const State *s, const Tables *t, const Frame *f, bint top) noexcept nogil:
    """What the event is about, and who is asked."""
    cdef int event = window_event(f)
    cdef int cause = window_cause(f)
    cdef int affected = window_affected(f)
    cdef int space = f.b & 255
    cdef int squad = f.b >> 8 & 255
    if event >= N_TRIGGER or not is_seat(t, cause) or (affected != NOBODY and not is_seat(t, affected)):
        return False
    if not tells(event, caller_of(f).proc) or not (0 <= f.d < N_KIND or f.d == NO_KIND):
        return False
    if f.p & 7 > t.players or f.p >> 3 & 7 > t.players or (window_class(f) == CLASS_NONE and top):
        return False
    if (top or window_class(f) == CLASS_REACTION) and f.p & 7 >= t.players:
        return False
    if top and f.p >> 3 & 7 >= t.players:
        return False
    if event == TRIGGER_SECTION:
        return 0 <= f.b <= 9
    if event == TRIGGER_BONUS_CHOSEN or event == TRIGGER_BONUS_DONE:
        return 0 <= f.b < N_BA
    if event == TRIGGER_DISCOVERY_PLAYED:
        return 0 <= f.b < MAX_DESIGNS
    if event == TRIGGER_ENTERED or event == TRIGGER_DEFEATED:
        if squad == 0 and (top or event == TRIGGER_ENTERED):  # nobody is about to go any more
            return False
        return is_space(space) and affected != NOBODY
    if (TRIGGER_COMBAT_BEGUN <= event <= TRIGGER_STRIKE_FINAL or event == TRIGGER_FLEE_DECLARED
            or event == TRIGGER_COMBAT_END or event == TRIGGER_HABITAT_LOST):
        return is_space(space) and squad == 0
    return squad == 0 and (is_space(space) or space >= AREA)


cdef bint pay_fits(const State *s, const Tables *t, const Frame *f, bint top) noexcept nogil:
    """A payment."""
    cdef int res = f.c & 15
    cdef int to = f.c >> 4 & 7
    cdef int wanted = f.b & 255
    cdef int chosen = chosen_pieces(f)
    cdef int players
    if f.b < 0 or f.c < 0 or f.d != (chosen + PIECES - 1) // PIECES or not pieces_fit(f, t, chosen):
        return False
    if f.a == -1:
        if caller_of(f).proc == PR_TURN:
            if to != TO_SUPPLY or res != GOOD_DISCOVERY or caller_of(f).step != 4:
                return False
        elif caller_of(f).proc != PR_BONUS or to == TO_SEVERAL or res != GOOD_ANY:
            return False
    elif not program_fits(s, t, f, f.a, VERB_PAY, VERB_PAY) or t.steps[f.a].what != res:
        return False
    if to != TO_SUPPLY and to != TO_SEVERAL and (not is_seat(t, to) or to == f.p):
        return False
    if f.step == 8:
        return res == GOOD_INFLUENCE and chosen == 0
    if res == GOOD_LORIUM or res == GOOD_TOKEN or res == GOOD_INFLUENCE:
        return False
    if res == GOOD_HOSTAGE:
        if piece_classes(f, chosen) & ~(1 << (PC_TROOP >> 12)) or to == TO_SUPPLY:
            return False
    elif to == TO_SEVERAL or piece_classes(f, chosen) & 1 << (PC_TROOP >> 12):
        return False
    if f.step == 7:
        return chosen == wanted and f.c >> 8 <= wanted and (to >= TO_SEVERAL or relics_follow(s, f, f.c >> 8, to))
    if to == TO_SEVERAL:
        players = popcount64(<uint64_t>payees_of(s, t, f))
        if players == 0 or wanted % players:
            return False
    if f.step == 5:
        if not is_space(f.c >> 8) or res != GOOD_HOSTAGE:
            return False
    elif f.step == 3 and res != GOOD_HOSTAGE:
        return False
    elif f.step == 2:
        if not RS_DISCOVERY <= f.c >> 8 <= RS_HABITAT or (res != GOOD_ANY and f.c >> 8 != res):
            return False
    elif f.step == 1 and res != GOOD_ANY:
        return False
    return pieces_there(s, t, f, f.p) and 0 < wanted - chosen <= pieces_more(s, t, f, f.p, res)


cdef bint collapse_fits(const State *s, const Tables *t, const Frame *f, bint top) noexcept nogil:
    """A Collapse."""
    cdef int step = f.step
    cdef int i, p, type
    if not is_seat(t, f.a) or f.c < 0 or f.c >> 2 > t.players or not -1 <= f.d < NUM_SPACES:
        return False
    if step != 5 and any128(s.area & ~(devastated(s, t) if f.c & 1 else tiles_left(s) & ~s.tokens)):
        return False
    if step != 5:  # who has had the chance to escape has no Ship there any more, or is leaving
        for i in range(min_int((f.c >> 2) + 1, t.players)):
            p = seat_after(t, s.active, i)
            if s.seat[p].ship < 0 or not has128(s.area, s.seat[p].ship):
                continue
            if i < f.c >> 2 or (has128(s.used, s.seat[p].ship) and f.d != s.seat[p].ship):
                return False
    if not top:
        return f.c >> 2 < t.players
    if step == 5:
        return any128(s.used) and s.token_supply > 0 and not any128(s.used & (s.tokens | tiles_left(s) | t.abyss))
    if f.c >> 2 >= t.players:
        return False
    p = (s.active + (f.c >> 2)) % t.players
    if step == 0:
        return True
    if (step != 2 and s.group) or f.d < 0 or not has128(s.area, f.d):
        return False
    if f.d == s.seat[p].ship:
        return step == 1
    if not has128(s.seat[p].occupied & ~s.combat, f.d):
        return False
    if step == 2:
        if not is_space(f.b) or not has128(escape_ends(s, t, p, f.d), f.b) or s.group != squad_plain(s.group):
            return False
        if squad_confused(s.group):
            return False
        for type in range(5):
            if squad_count(s.group, type) > squad_count(s.squad[f.d], type):
                return False
        return not has128(s.seat[p].occupied, f.b) or squads_fit(t, s.squad[f.b], s.group)
    if step == 7:
        return 0 <= f.b <= UT_HARVESTER and lone_escapers(s, t, p, f.d) >> f.b & 1
    if step == 6:
        return lone_escapers(s, t, p, f.d) != 0
    return True


cdef bint units_fit(const State *s, const Tables *t, const Frame *f, bint top) noexcept nogil:
    """A verb that treats Units one by one."""
    cdef const Step *step
    cdef const Work *w = work_of(f)
    cdef int verb
    if not program_fits(s, t, f, f.a, VERB_CONVERT, VERB_GATHER):
        return False
    step = &t.steps[f.a]
    verb = step.verb
    if step.units < 0 or f.b < 0:
        return False
    if f.d != ((w.other + PIECES - 1) // PIECES if keeps_pieces(step) else 0):
        return False
    if f.step == 13:
        return verb == VERB_ACT and not top and is_seat(t, w.owner)
    if f.step == 22:
        if verb != VERB_DESTROY and verb != VERB_CAPTURE:
            return False
        if not is_space(f.b) or not 0 <= f.c <= NUM_SPACES or w.x < 1 or w.x > 2 or not is_seat(t, w.owner & 7):
            return False
        return is_seat(t, w.owner >> 3) or w.owner >> 3 == NOBODY and w.left == 0 and w.x == 1
    if w.owner >= t.players:
        return False
    if f.step == 1:
        return w.left > 0
    if not is_space(unit_space(f)):
        return False
    if f.step == 2:
        return True
    if not is_seat(t, owner_of(f)) or unit_type(f) > UT_SHIP:
        return False
    if f.step == 3:
        return True
    if unit_type(f) == UT_SHIP and verb != VERB_MOVE and verb != VERB_ACT:
        return False
    if verb == VERB_ACT and f.step >= 5:
        if not 0 <= f.c < s.mark_count:
            return False
        if top:
            return (f.c == s.actor and actor_of(s, t, f.p, True) and mark_space(s, f.c) == unit_space(f)
                    and mark_type(s, f.c) == unit_type(f))
        return True
    if not top:
        return verb != VERB_RECALL and verb != VERB_CONFUSE and f.step <= 7
    if verb == VERB_CONVERT and step.what != CONVERT_TO_TROOP:
        return False
    return unit_there(s, t, owner_of(f), unit_space(f), unit_type(f))


# --------------------------------------------------------------------------------------------------------- all of it
cdef int check_save(State *s, const Tables *t, Ctx *ctx) noexcept nogil:
    """0 if the state can be played on, else the defect (`save_defect`); works out what is not saved, the mask too."""
    cdef Frame *f
    cdef int i, place, quakes = 0, programs = 0
    cdef bint top = True
    cdef bint attacked = False
    i = check_seats(s, t)
    if not i:
        i = check_marks(s, t)
    if i:
        return i
    if (s.frames[0].proc == PR_SETUP) != (s.phase == PH_SETUP) or (s.phase != PH_SETUP and s.frames[0].proc != PR_TURN):
        return SD_AGENDA
    if (s.phase == PH_OVER) != (s.reason >= 0) or (s.kind == DK_NONE) != (s.phase == PH_OVER):
        return SD_OVER
    if s.phase == PH_OVER:
        if s.depth != 1 or s.answered:
            return SD_OVER
        refresh_effects(s, t)
        return integrity(s, t)
    s.dooms = 0
    place = s.depth - 1
    while place >= 0:
        f = &s.frames[place]
        if place and (f.proc == PR_SETUP or f.proc == PR_TURN):
            return SD_AGENDA
        if not top and not waits_at(f.proc, f.step):
            return SD_AGENDA
        if f.proc == PR_EVENT and window_event(f) == TRIGGER_DEFEATED:
            s.dooms += 1
        if f.proc == PR_CYBER and f.step == 4:
            attacked = True
            if not s.trying:  # a save from before TRYING_ALONE
                s.trying = TRYING_ALONE
                if not unit_there(s, t, f.p, f.c & 127, f.c >> 7):
                    f.c |= GONE
        if f.proc == PR_UNITS and not is_step(t, f.a):
            return SD_FRAME
        if f.proc != PR_UNITS or t.steps[f.a].verb == VERB_ACT:
            programs += programs_in(f)
        quakes += f.proc == PR_FRACTURE or f.proc == PR_COLLAPSE
        top = False
        place -= 1 + slots_of(f)
    if s.trying == TRYING_ALONE and not attacked:
        return SD_AGENDA
    if place != -1 or (quakes > 0) != <bint>s.quake or programs > t.limit_programs + 2:
        return SD_AGENDA
    s.programs = <uint8_t>programs
    refresh_effects(s, t)
    if not marks_owned(s):
        return SD_RESOLUTION
    # programs first: selectors that others look at need their frames
    for i in range(2):
        place = s.depth - 1
        top = True
        while place >= 0:
            f = &s.frames[place]
            if (f.proc == PR_PROGRAM or f.proc == PR_LIST or f.proc == PR_EACH) == (i == 0):
                if not frame_fits(s, t, f, top) or (place and not same_player(f)):
                    return SD_FRAME
            top = False
            place -= 1 + slots_of(f)
    i = integrity(s, t)
    if i:
        return i
    if decider(s, t, top_of(s)) != s.player or not is_seat(t, s.player):
        return SD_DECISION
    offer(s, t, ctx.mask)
    ctx.count = 0
    for i in range(8):
        ctx.count += popcount64(ctx.mask[i])
    return 0 if ctx.count > 1 else SD_OPTIONS
