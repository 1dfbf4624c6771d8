# Dice (chapter U2.8, K4): rolling, the pool of a Strike or Cyber Attack, and which enemy Units it can defeat.

cdef enum:
    DIE_YELLOW = 1      # marks of a die: its colour,
    DIE_MODIFIED = 2    # modified by the player at hand in this batch,
    DIE_TAKEN = 4       # lowered by a Shield in this Strike, or taken by the step at hand
    DIE_MARKS = 7
    ST_TREMOR = 0       # faces of a Strike Die
    ST_VALUE = 1
    ST_REROLL = 2


cdef inline int die_value(const State *s, int die) noexcept nogil:
    """What a die shows by now."""
    return s.die[die] >> 3


cdef inline void set_die(State *s, int die, int value, int marks) noexcept nogil:
    """A die with this value and these marks. No value leaves 13 bits: cards and effects are few."""
    s.die[die] = <int16_t>(value * 8 | marks)


cdef inline void unmark_dice(State *s, int marks) noexcept nogil:
    """Take marks from all dice."""
    cdef int die
    for die in range(s.dice):
        s.die[die] &= <int16_t>~marks


cdef inline void change_die(State *s, int die, int amount) noexcept nogil:
    """K4.8: no floor, no ceiling."""
    s.die[die] += <int16_t>(8 * amount)


cdef inline void roll_die(State *s, const Tables *t, Ctx *ctx, int die) noexcept nogil:
    """Roll one Combat Die of the pool (again, K4.10)."""
    cdef int colour = s.die[die] & DIE_YELLOW
    cdef int face = draw_outcome(s, ctx, CK_YELLOW_DIE if colour else CK_RED_DIE, CF_DICE, t.faces[colour])
    set_die(s, die, t.value[colour][face], s.die[die] & DIE_MARKS)


cdef void roll_pool(State *s, const Tables *t, Ctx *ctx, int red, int yellow) noexcept nogil:
    """Roll red, then yellow dice; beyond the cap they are not rolled (cap.dice)."""
    cdef int die
    red = min_int(red, t.limit_dice)
    yellow = min_int(yellow, t.limit_dice - red)
    s.dice = <uint8_t>(red + yellow)
    for die in range(red + yellow):
        s.die[die] = DIE_YELLOW if die >= red else 0
        roll_die(s, t, ctx, die)


cdef void remove_die(State *s, int die) noexcept nogil:
    """A die leaves the table; those after it close up (C33)."""
    cdef int i
    s.dice -= 1
    for i in range(die, s.dice):
        s.die[i] = s.die[i + 1]


cdef inline bint colour_fits(int mark, int colour) noexcept nogil:
    """Whether a die is of a colour (DIE_COLOUR_...)."""
    return colour == DIE_COLOUR_ANY or <bint>(mark & DIE_YELLOW) == (colour == DIE_COLOUR_YELLOW)


cdef int dice_of(const State *s, int colour, int unwanted) noexcept nogil:
    """How many dice of a colour without any of the marks lie on the table."""
    cdef int die, found = 0
    for die in range(s.dice):
        found += not s.die[die] & unwanted and colour_fits(s.die[die], colour)
    return found


cdef void offer_pool(const State *s, int colours, int unwanted, uint64_t *mask) noexcept nogil:
    """Dice of these colours (1 red, 2 yellow) without any of the marks; of dice equal in colour and value only the
    first (protocol section 2).
    """
    cdef int die, other
    cdef bint first
    for die in range(s.dice):
        if s.die[die] & unwanted or not colours >> (s.die[die] & DIE_YELLOW) & 1:
            continue
        first = True
        for other in range(die):
            if die_value(s, other) == die_value(s, die) and not s.die[other] & unwanted:
                if not (s.die[other] ^ s.die[die]) & DIE_YELLOW:
                    first = False
                    break
        if first:
            offer_action(mask, A_DIE + die)


cdef void offer_dice(const State *s, const Tables *t, const Frame *f, int kind, uint64_t *mask) noexcept nogil:
    """The dice a decision is about."""
    cdef const Step *step
    if kind == DK_REROLL_DIE:
        offer_action(mask, A_DONE)
        offer_pool(s, 2 if t.strike_value[f.d >> 5][f.d & 31] else 1, 0, mask)
    elif kind == DK_SHIELD_DIE:
        offer_action(mask, A_DONE)
        offer_pool(s, 3, DIE_TAKEN, mask)
    elif kind == DK_VALUE_DIE:
        offer_pool(s, 3, 0, mask)
    elif kind == DK_MODIFIER_DIE:
        offer_pool(s, 3, DIE_MODIFIED, mask)
    elif f.proc == PR_STRIKE:  # rerolls by effects
        offer_action(mask, A_DONE)
        offer_pool(s, reroll_colours(f.c), 0, mask)
    else:
        step = &t.steps[f.a]
        if step.flags & SF_UPTO:
            offer_action(mask, A_DONE)
        offer_pool(s, 3 if step.word == DIE_COLOUR_ANY else 1 << step.word, DIE_TAKEN, mask)


cdef uint8_t defeated_units(uint8_t squad, int hits) noexcept nogil:
    """The Units of a squad, numbered in unit order, of one type those not Confused first (C18), that are in the
    set ``hits``: a squad.
    """
    cdef int type, kind, i, number = 0
    cdef uint8_t found = 0
    for type in range(5):
        for kind in range(type, N_KINDS, 6):
            for i in range(squad_count(squad, kind)):
                if hits >> number & 1:
                    found = squad_plus(found, kind)
                number += 1
    return found


cdef void offer_hits(const State *s, const Tables *t, int space, int victim, bint printed,
                     uint64_t *mask) noexcept nogil:
    """HITS (K6): sets of the victim's Units that can be defeated together, of like Units the first ones; by the
    ``printed`` Health in a Final Strike (K7.5).

    A Troop needs one die of at least its Health, a Vehicle two, one for each value. Sorted from the top, the
    needs can be met exactly when each is at most the die of the same rank.
    """
    cdef uint8_t squad = squad_of(s, victim, space)
    cdef int best[6]
    cdef int need[6]
    cdef int kinds[3]
    cdef int health[3][2]
    cdef int count = 0, needs, type, kind, i, k, die, hits, value
    cdef int side = side_of(s, t, victim, space)
    cdef bint possible
    for type in range(5):
        for kind in range(type, N_KINDS, 6):
            for i in range(squad_count(squad, kind)):
                kinds[count] = kind
                for k in range(2):
                    health[count][k] = t.health[type][k] if printed else health_of(s, t, victim, type, k, side)
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
            if i > 0 and kinds[i - 1] == kinds[i] and not hits >> (i - 1) & 1:
                possible = False
                break
            for k in range(2):
                value = health[i][k]
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
