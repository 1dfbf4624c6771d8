# Dice (chapter U2.8, K4): rolling, the pool of a Strike or Cyber Attack, and which enemy Units it can defeat.
#
# The pool: `dice` of them, values in `die`, marks in list_b. No value leaves 16 bits: in one Strike a die is
# changed by few Shields and by each card of the deck once.

cdef enum:
    DIE_YELLOW = 1      # marks of a die: its colour,
    DIE_SHIELDED = 2    # lowered by a Shield in this Strike,
    DIE_MODIFIED = 4    # modified by the player at hand in this batch
    ST_TREMOR = 0       # faces of a Strike Die
    ST_VALUE = 1
    ST_REROLL = 2


cdef inline int die_value(const State *s, int die) noexcept nogil:
    return s.die[die]


cdef inline void change_die(State *s, int die, int amount) noexcept nogil:
    """K4.8: no floor, no ceiling."""
    s.die[die] += <int16_t>amount


cdef inline void roll_die(State *s, const Tables *t, Ctx *ctx, int die) noexcept nogil:
    """Roll one Combat Die of the pool (again, K4.10)."""
    cdef int colour = s.list_b[die] & DIE_YELLOW
    cdef int face = draw_outcome(s, ctx, CK_YELLOW_DIE if colour else CK_RED_DIE, CF_DICE, t.faces[colour])
    s.die[die] = t.value[colour][face]


cdef void roll_pool(State *s, const Tables *t, Ctx *ctx, int red, int yellow) noexcept nogil:
    """Roll red, then yellow dice; beyond the cap they are not rolled (cap.dice)."""
    cdef int die
    red = min_int(red, t.limit_dice)
    yellow = min_int(yellow, t.limit_dice - red)
    s.dice = <uint8_t>(red + yellow)
    for die in range(red + yellow):
        s.list_b[die] = DIE_YELLOW if die >= red else 0
        roll_die(s, t, ctx, die)


cdef void offer_dice(const State *s, const Frame *f, int kind, uint64_t *mask) noexcept nogil:
    """The dice a decision is about; of dice equal in colour and value only the first (protocol section 2)."""
    cdef int die, other, unwanted = 0, colour = -1
    cdef bint first
    if kind == DK_REROLL_DIE:
        offer_action(mask, A_DONE)
        colour = f.d
    elif kind == DK_SHIELD_DIE:
        offer_action(mask, A_DONE)
        unwanted = DIE_SHIELDED
    elif kind == DK_MODIFIER_DIE:
        unwanted = DIE_MODIFIED
    for die in range(s.dice):
        if s.list_b[die] & unwanted or (colour >= 0 and s.list_b[die] & DIE_YELLOW != colour):
            continue
        first = True
        for other in range(die):
            if s.die[other] == s.die[die] and not (s.list_b[other] ^ s.list_b[die]) & DIE_YELLOW:
                if not s.list_b[other] & unwanted:
                    first = False
                    break
        if first:
            offer_action(mask, A_DIE + die)


cdef int defeated_units(uint8_t squad, int hits) noexcept nogil:
    """The Units of a squad, numbered in unit order, that are in the set ``hits``: packed."""
    cdef int type, i, number = 0
    cdef int packed = 0
    for type in range(5):
        for i in range(squad_count(squad, type)):
            if hits >> number & 1:
                packed += unit_step[type]
            number += 1
    return packed


cdef void offer_hits(const State *s, const Tables *t, const Frame *f, int p, uint64_t *mask) noexcept nogil:
    """HITS (K6): sets of enemy Units that can be defeated together, of like Units the first ones.

    A Troop needs one die of at least its Health, a Vehicle two, one for each value. Sorted from the top, the
    needs can be met exactly when each is at most the die of the same rank.
    """
    cdef uint8_t squad = squad_of(s, owner_at(s, t, f.a, p), f.a)
    cdef int best[6]
    cdef int need[6]
    cdef int types[3]
    cdef int count = 0, needs, type, i, k, die, hits, value
    cdef bint possible
    for type in range(5):
        for i in range(squad_count(squad, type)):
            types[count] = type
            count += 1
    for i in range(6):
        best[i] = -32768
    for die in range(s.dice):
        value = die_value(s, die)
        i = 5
        if value <= best[5]:
            continue
        while i > 0 and best[i - 1] < value:
            best[i] = best[i - 1]
            i -= 1
        best[i] = value
    for hits in range(1 << count):
        needs = 0
        possible = True
        for i in range(count):
            if not hits >> i & 1:
                continue
            if i > 0 and types[i - 1] == types[i] and not hits >> (i - 1) & 1:
                possible = False
                break
            for k in range(2):
                value = t.health[types[i]][k]
                if value == 0:
                    break
                die = needs
                while die > 0 and need[die - 1] < value:
                    need[die] = need[die - 1]
                    die -= 1
                need[die] = value
                needs += 1
        if not possible:
            continue
        for i in range(needs):
            if i >= s.dice or best[i] < need[i]:
                possible = False
                break
        if possible:
            offer_action(mask, A_HITS + hits)
