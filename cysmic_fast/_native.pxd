# Data of the native engine: plain structs without pointers, so that a copy is one memcpy.
#
# A set of spaces is one u128, bit i for space i; sets of card copies likewise. A *copy* is one physical card:
# the copies of a deck are numbered by ascending design, so that a set of copies lists designs in order.
# Seats, spaces, types and everything else are the numbers of cysmic_fast/vocabulary.py; -1 is none.
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from *:
    """
    #ifndef CYSMIC_U128
    #define CYSMIC_U128
    typedef unsigned __int128 u128;
    #endif
    """
    ctypedef unsigned long long u128


# ------------------------------------------------------------------------------------------------ one game
cdef struct Rng:
    uint64_t key[2]        # seed, game index
    uint64_t used[3]       # words drawn so far, by chance family; a generator that draws policy words has no others


cdef struct RngBlock:      # the block that holds the last word drawn; belongs to whoever draws, not to the game
    uint64_t word[4]
    uint64_t tag           # which block that is: number << 3 | family


cdef struct Frame:
    int16_t a              # registers; each procedure says what it keeps in them
    int16_t b
    int16_t c
    int8_t d
    uint8_t p              # who performs it
    uint8_t proc           # procedure (PR_...)
    uint8_t step           # where it goes on


cdef struct Regs:          # registers of a program (docs/cards.md, section 2); takes the room of one Frame
    int16_t n              # NO_NUMBER: empty
    uint8_t space          # NOWHERE: empty, AREA: the set in State.zone
    uint8_t origin         # $from
    uint8_t unit_space     # $unit: where,
    uint8_t unit           # what, a plain squad; 0: empty, SHIP_UNIT: the Ship
    uint8_t unit_owner     # whose; | EVENT_UNIT: still those of the event `defeated` that is waiting
    uint8_t player         # NOBODY: empty
    uint8_t terrain        # NO_TERRAIN: empty
    uint8_t card           # $card


cdef struct Work:          # what a verb has done so far; takes the room of one Frame
    uint8_t space          # the last space it worked in, NOWHERE: none
    uint8_t unit           # Units worked on there
    uint8_t owner
    uint8_t origin         # the last space left
    uint8_t done           # how many it has done
    uint8_t left           # how many are left, 255: all
    uint8_t wanted         # how many there are to be, 255: all
    uint8_t other
    uint8_t x
    uint8_t y


cdef struct Seat:
    u128 occupied          # spaces with a Troop or Vehicle of this player
    u128 control           # spaces of Habitats with this player's Flag
    u128 hand              # copies of Discovery Cards in hand
    uint64_t relics        # copies of Inactive Relic Cards
    int32_t lorium         # on the track
    uint16_t commands      # Command Cards in hand, a bit each
    uint16_t captured[6]   # Captured Units by owner, packed (see captive_count)
    uint16_t missing       # pieces left behind in an earlier game (L5), packed like captives
    uint16_t tokens        # the counter of the Faction
    uint16_t once          # rules used up: a bit for each slot, then for each Faction rule
    int8_t ship            # space, -1 when not on the planet
    int8_t faction
    uint8_t reserve[5]
    uint8_t board[5]       # by Column: Burned card | Played card << 4, 15 for none
    uint8_t slot[2]        # 0: empty, below 128: stored Lorium, else 128 + copy of the Active Relic Card
    uint8_t blueprints     # Acquired, a bit for each Module
    uint8_t modules        # constructed


cdef struct State:
    Seat seat[6]
    u128 feature[4]        # bit planes of every space's Feature number
    u128 open              # spaces that are not impassable
    u128 tokens            # Relic Tokens
    u128 has[5]            # spaces with a Unit of the type that is not Confused, whoever owns it
    u128 combat            # Combat Spaces
    u128 attacker_high     # of those: the Attacker is the one with the higher seat
    u128 full              # spaces whose first squad has no room left
    u128 ships             # spaces with a Ship
    u128 area              # Collapse: the spaces concerned
    u128 zone              # the area of programs: spaces of the latest Fracture Token or Collapse (C29)
    u128 standing          # Battle: Combats left standing by this card (K2.5). Gathering: spaces gathered in
    u128 used              # Collapse: spaces dealt with, or chosen. Exchange: Habitats just received
    u128 discard           # copies in the Discovery discard pile
    uint64_t relic_discard
    uint64_t bag           # Fracture Tokens left, a bit each
    Rng rng
    uint64_t watch         # events that somebody's cards and rules can answer, a bit each; above them those that
                           # somebody can answer when others cause them. Events that are not here are not looked at
    uint32_t mods[6]       # keys of modifiers in force for a player, a bit each
    uint32_t mark_confused  # entries of `mark` whose Unit is Confused
    uint32_t mark_home     # entries of `mark` whose Unit has Evacuated in the list at hand
    uint8_t squad[128]     # Units in a space, packed (src/units.pxi); in a Combat those of the lower seat
    uint8_t second[78]     # in a Combat those of the higher seat, by rank of the space among the Combats
    uint8_t deck[128]      # copies face down, the last is on top
    uint8_t relic_deck[64]
    Frame frames[44]       # the agenda: what is being done, innermost last
    uint16_t mark[26]      # marked Units of one player (RUL-U4): space | type | marks
    int16_t die[24]        # the pool: value << 3 | marks. Set-up: the Factions dealt, a byte each
    int16_t grant_step[12]  # grants: the step that gave it,
    uint8_t grant_who[12]  # and giver | receiver << 4
    uint8_t ended_space[8]  # Combats that have ended and are to be told: where,
    uint8_t ended_sides[8]  # who stays | who is gone << 4,
    uint8_t ended_depth[8]  # and the depth of the agenda then
    int16_t answer         # the action chosen, if `answered`
    int16_t round
    int16_t strikes        # in the resolution at hand
    int16_t gathered_lorium  # of the gathering at hand
    int16_t amount         # what the procedure that has just ended has done
    uint8_t gathered_cards
    uint8_t gathered_acts  # actions that have brought their bonus: a bit each, from MINE
    uint8_t deck_size
    uint8_t relic_deck_size
    uint8_t depth          # frames in use
    uint8_t answered
    uint8_t kind           # the decision at hand
    uint8_t player         # and who takes it
    uint8_t launched       # players that have Launched, a bit each
    int8_t reason          # why the game ended, -1 while it runs
    uint8_t phase          # PH_...
    uint8_t fault          # why the engine has stopped, 0 while it runs
    uint8_t fresh          # nothing of the turn has been chosen yet
    uint8_t active
    uint8_t first_player
    uint8_t marker
    uint8_t opener         # the first First Player
    uint8_t singles        # Cysmograph: single tokens, and the stack's position
    uint8_t stack
    uint8_t quake          # a Fracture or Collapse is being resolved
    uint8_t token_supply
    uint8_t final_turns    # seats still to take a final turn (L4.4)
    uint8_t finale         # final turns have been given
    int8_t played_card     # Command Card Played this turn
    uint8_t bonus_count    # Bonus Actions this turn
    uint8_t icons_used     # colours used this turn, | BONUS_TAKEN, | FREE_PLAY_TAKEN
    uint8_t programs       # in progress
    int8_t mark_owner
    uint8_t mark_count
    int8_t actor           # entry of the acting Unit among the marks
    uint8_t dice           # in the pool
    uint8_t group          # packed Units that escape together
    uint8_t confused       # how many Troops are Confused
    int8_t fight           # space of the Combat being resolved, -1: none
    uint8_t fight_captures  # its defeated Units are captured
    uint8_t grant_count
    uint8_t ended_count
    uint8_t verdict        # what the last window did to its event (WD_...)
    uint8_t pending        # and which of its Units are still about to go
    uint8_t complete       # whether the step that has just ended was done in full
    uint8_t dooms          # windows of `defeated` in progress
    uint8_t saboteurs      # seats with modifiers that work against opponents, a bit each
    uint8_t fits           # rules that fit for the first who is asked in a window just opened; 0: to be worked out
    uint8_t trying         # 1 + entry of the Unit whose Cyber Attack is being answered; TRYING_ALONE; 0: none


# ----------------------------------------------------------------------------------------- what never changes
cdef struct HexMap:
    u128 side[127]         # side-neighbours
    u128 near[127]         # neighbours by side or arrow
    u128 area[6][7]        # spaces of a terrain's ring, by terrain and ring
    u128 wedge[6]          # spaces of a terrain
    u128 inner[6]          # spaces where a Ship may start (S4.9)
    int8_t ring_of[127]
    int8_t terrain_of[127]


cdef struct SetUp:
    uint8_t influence
    uint8_t lorium
    uint8_t discovery
    uint8_t relics
    uint8_t units[3]       # Soldiers, Miners, Speakers
    uint8_t habitat_count
    uint8_t habitats[8]    # values


cdef struct Item:
    uint8_t kind           # RW_...
    uint8_t amount
    uint8_t icons          # bonus: a bit for each colour
    uint8_t units[3]


# Compiled effects (cysmic_fast/content/effects.py); enumerations are those of effect_words.py, 255 and -1 none.
cdef struct UnitSel:
    uint8_t owner
    uint8_t types          # a bit each, the Ship's too
    uint8_t state
    uint8_t confused       # Confused Troops fit besides
    uint8_t where
    uint8_t health         # at most this; 0: any, HEALTH_N: $n
    uint8_t is_register    # $unit alone
    int16_t at


cdef struct SpaceSel:
    u128 fixed             # ring and terrain
    uint16_t features
    uint8_t needs_tile     # a terrain is asked for
    uint8_t terrain_register
    uint8_t near           # 0: not given, NEAR_UNITS, NEAR_SPACE
    uint8_t low
    uint8_t high
    uint8_t empty
    uint8_t combat
    uint8_t control        # a bit for each word
    uint8_t value_low      # value_high 255: any
    uint8_t value_high
    uint8_t is_register    # REGISTER_SPACE or REGISTER_FROM alone
    int16_t near_to
    int16_t holds


cdef struct Count:
    uint8_t kind
    uint8_t number
    uint8_t metric
    uint8_t most           # 0: no limit
    int16_t units
    int16_t space


cdef struct Cond:
    int16_t exists
    int16_t site
    int16_t high           # -1: no limit
    int16_t value
    uint8_t low
    uint8_t metric
    uint8_t who
    uint8_t op
    uint8_t role
    uint8_t turn
    uint8_t needs          # registers, a bit each
    uint8_t never          # asks for something reserved


cdef struct Mod:
    int16_t n
    int16_t space          # deploy_at
    uint8_t mod
    uint8_t types
    uint8_t role           # 255: any
    uint8_t mode
    uint8_t colour
    uint8_t per
    uint8_t ability
    uint8_t features       # pass, a bit each
    uint8_t side
    uint8_t part
    uint8_t res
    uint8_t limit
    uint8_t icons          # a bit each
    uint8_t source
    uint8_t rule
    uint8_t tremors        # a bit each
    uint8_t immunities
    uint8_t reaches
    uint16_t gathers       # CardActions, a bit each
    uint32_t denials


cdef struct Step:
    uint8_t verb
    uint8_t who
    uint8_t flags          # SF_...
    uint8_t needs          # registers in its own words, a bit each
    Count n
    int16_t units
    int16_t space          # at, end, to, space, from
    int16_t swap
    int16_t cond
    int16_t lists          # first of its lists in Tables.lists
    int16_t mods
    int16_t value          # a number: steps, budget, value, range, n of int
    int16_t program        # where it belongs
    uint16_t actions       # CardActions or icons, a bit each
    uint8_t list_count
    uint8_t mod_count
    uint8_t what           # res, what, deck, op, kind, to, method, which, over: the word that decides
    uint8_t word           # by, rest, mode, part, dropship, colour, as, column
    uint8_t player         # from, of, to, first, over: a player word
    int8_t extra           # keep, discount, dice, draw, most
    uint8_t types
    uint8_t flag           # engage, final_strike, captures, once
    uint8_t special        # board, to = deploy, budget = influence, all actions
    uint8_t tremor
    uint8_t lorium_only
    uint8_t duration
    uint32_t keys          # of its modifiers


cdef struct Program:
    int16_t first          # step
    int16_t design
    uint8_t kind           # PK_...
    uint8_t rule
    uint8_t gathers        # holds the verb gather


cdef struct Rule:
    uint64_t kinds         # a bit each; 0: any
    uint32_t on            # events, a bit each; 0: modifiers
    uint32_t keys          # of its modifiers
    int16_t mods
    int16_t cond
    int16_t program
    uint8_t mod_count
    uint8_t sabotage       # for each opponent
    uint8_t by
    uint8_t of
    uint8_t role
    uint8_t once
    uint8_t opt


cdef struct Tables:
    HexMap map
    u128 abyss             # bottom layers; all others are Devastated
    # squads, by packed value
    uint8_t squad_red[256]
    uint8_t squad_yellow[256]
    uint8_t squad_shields[256]
    uint8_t squad_types[256]
    # Units, by type
    uint8_t supply[6]
    uint8_t influence_cost[5]
    uint8_t lorium_cost[5]
    uint8_t movement[6]
    uint8_t health[5][2]   # second value 0: one die is enough
    int8_t upgrades_to[5]  # Vehicle a Troop is Upgraded to
    uint8_t engage         # types with the Ability, a bit each
    uint8_t shield
    uint8_t warning
    uint8_t jumpjet
    uint8_t troops
    uint8_t vehicles
    uint8_t dropship
    # dice
    uint8_t faces[5]       # number of faces: red, yellow, attacker, defender, humanity
    int8_t value[2][32]    # red, yellow
    int8_t strike_kind[2][32]   # attacker, defender: ST_...
    int8_t strike_value[2][32]  # value, or colour of the reroll
    int8_t humanity[32]    # -1: any number
    # cards
    int8_t command_unit[10]     # -1: a Tactic card
    uint8_t command_icons[10]
    uint8_t section_count[10]
    uint32_t section[10][8]     # actions, a bit each
    uint8_t section_mandatory[10][8]
    uint32_t tremor_actions
    uint8_t yield_lorium[26]
    uint8_t yield_discovery[26]
    uint8_t bonus_amount[29]
    uint32_t cell[6][6]         # Bonus Actions, a bit each, by Column (0: the Grey ones) and colour
    uint8_t cell_icon[29]
    int8_t habitat_value[11]    # by Feature, 0: no Habitat
    uint8_t capacity[256]       # Lorium storage by Influence, 255 unlimited
    uint8_t unlimited_influence
    uint8_t module_colour[6]
    uint8_t module_target[6]
    uint8_t module_lorium[6]
    uint8_t module_influence[6]
    uint8_t colour_module[6]
    uint8_t token_count
    uint8_t token_kind[64]      # TK_...
    int8_t token_terrain[64]
    int8_t token_ring[64]
    uint8_t track               # positions before the Fracture Zone
    uint8_t track_start         # singles at the start
    # decks
    uint8_t copies              # Discovery copies, Events included
    uint8_t plain_copies        # without Events
    uint8_t design_of[128]
    int16_t first_copy[129]     # by design, and one beyond
    u128 event_copies
    int8_t modifier[128]        # by design
    uint8_t reward_op[128]
    uint8_t reward_count[128]
    Item reward[128][4]
    uint8_t relic_copies
    uint8_t relic_design_of[64]
    SetUp faction[65]           # the last is the generic set-up
    uint8_t faction_count
    uint8_t eligible[64]
    uint8_t eligible_count
    uint8_t tiles[21]           # Features of a wedge's tiles in Feature order
    # limits
    uint8_t room                # Units of a player in a space (P3.1)
    uint8_t vehicle_room        # Vehicles among them, 0 or 1
    uint8_t limit_discovery
    uint8_t limit_relics
    uint8_t limit_flags
    uint8_t cells
    uint8_t cell_troops
    uint8_t cell_vehicles
    uint8_t relic_tokens
    uint8_t faction_deal
    uint8_t cyber_attempts
    uint8_t blueprint_troops
    uint8_t blueprint_vehicles
    uint8_t limit_offers
    uint8_t offer_pieces
    uint8_t limit_programs
    uint8_t limit_bonus
    uint8_t limit_dice
    uint8_t limit_grants
    int16_t limit_strikes
    # rulings
    uint8_t start_rings
    uint8_t reset_per_token
    uint8_t never_must_flee
    uint8_t abilities           # cards are played for their Abilities
    uint8_t final_strike_die
    uint8_t build_it_anywhere
    uint8_t end_without_tiles
    uint8_t reuse_card
    # options
    uint8_t players
    uint8_t colour[6]           # by seat
    uint8_t colours_in_play
    uint8_t factions            # Factions are dealt
    uint8_t events              # Planetary Events are shuffled in
    uint8_t variant             # Blueprints Acquired by choice (S5), 0: no variant
    uint8_t condition           # LC_...
    uint8_t trigger             # LT_...
    uint8_t trading
    uint8_t missing[6][5]       # Echoes of Humanity (L5)
    int16_t max_rounds
    # effects
    uint32_t watchable          # events that anything in the game can answer
    uint32_t sabotage           # keys of the modifiers that work against opponents
    uint8_t limits_lowered      # some effect lowers a limit
    uint32_t reacts[128]        # by Discovery design: events its Reaction answers
    u128 reactions              # copies of Reactions,
    u128 answering[2][42]       # another's and one's own, by the row of the event they answer (`event_row`)
    u128 actions                # copies of Action cards
    Rule reaction[128]
    int16_t ability[128]        # program by Discovery design, -1 for none; of an Event its effect
    Rule relic_rule[128]        # by Relic design
    Rule faction_rule[64][8]
    uint8_t faction_rules[64]
    uint8_t faction_counter[64]  # the Faction has a counter
    uint64_t watch_card[128]    # by design, as State.watch
    uint64_t watch_relic[128]
    uint64_t watch_faction[65]  # by 1 + Faction
    uint32_t faction_keys[2][64]  # of modifiers for oneself, for opponents
    uint32_t relic_keys[2][128]  # by design
    uint8_t faction_answers[2][65][42]  # by 1 + Faction: its rules in the same way, a bit each
    uint32_t reaction_watch     # events that Reactions in the game answer
    uint32_t relic_watch        # events that rules of Relics in the game answer
    uint16_t faction_once[64][4]  # rules by Once, a bit each
    Step *steps
    UnitSel *units
    SpaceSel *spaces
    Cond *conds
    Mod *mods
    Program *programs
    int16_t *lists              # first steps
    int32_t entries[7]          # of these, in this order
    int32_t entry_room[7]       # how many there is room for


# ---------------------------------------------------------------------------------------------- beside a game
cdef struct Event:
    int32_t kind
    int32_t player
    int32_t a
    int32_t b
    int32_t c
    int32_t seen                # seats that see all of it, a bit each


cdef struct Knowledge:          # what the seats know of hidden cards (src/knowledge.pxi); both decks numbered together
    uint8_t fresh[2][6]         # by deck and seat: how many of them may be in the hand
    uint8_t top[2][6]           # by deck and seat: cards known from the top,
    uint8_t bottom[2][6]        # and from the bottom
    uint8_t rebuilt[2]          # the deck has been rebuilt
    uint16_t excluded[6][5]     # by seat and Column: what the Burned card is not
    uint8_t late[192]           # copies that were in the pile when it was last rebuilt
    uint8_t places[6][192]      # by seat and copy; last, and by seat, so that only those in use are copied


cdef struct Stats:              # counters of GAME_STATS (cysmic_fast/stats.py), which saturate when written
    uint64_t options
    uint64_t decisions
    uint64_t forced
    uint64_t launch_clean
    uint64_t launch_die
    uint64_t launch_failed
    uint64_t tremors
    uint64_t fractures
    uint64_t collapsed
    uint64_t captures
    uint64_t destroyed
    uint64_t combats
    uint64_t strikes
    uint64_t blueprints_cyber
    uint64_t blueprints_exchange
    uint64_t modules
    uint64_t relics


cdef struct Tally:            # of a design in a row of the census, summed over games (cysmic_fast/census.py)
    int64_t seen[6]             # by seat
    int64_t won[6]
    int64_t fair                # seats with it x winners
    int64_t square              # of the score: players x wins with it - fair
    int64_t cross               # the score x that of the whole row


cdef struct Sums:
    int64_t games
    Tally count[12][128]      # by row and design
    int64_t row_square[12]      # of the score of the whole row
    int64_t event[128][2][2][3]  # games with it: (Events in the game)^i x (rounds, launched)^j
    int64_t all_events[3][2][3]  # likewise of all games
    int64_t batch[12][128][32]  # the score, by batch of games


cdef struct Census:             # counts what cards do
    u128 seen[12][6]            # designs in the game at hand, by row and seat
    Sums sums


cdef struct Queue:              # scripted outcomes of one chance kind
    int16_t *items
    int32_t head
    int32_t size
    int32_t room


cdef struct Script:
    Queue queue[16]             # by chance kind, with room for more kinds


cdef struct Ctx:
    uint64_t mask[8]            # legal options of the decision at hand
    int32_t count               # how many they are
    Event *events               # NULL: not recorded
    int32_t event_count
    int32_t event_room
    int32_t event_most          # no more than this are kept
    bint event_lost             # there was no room for one
    Script *script              # NULL: nothing is scripted
    Census *census              # NULL: nothing is counted
    Knowledge *knows            # NULL: nobody asks who knows what
    RngBlock block              # of the generator of the game at hand
    int32_t steps               # of programs, since the last decision was asked
    int32_t program             # the one whose step was begun last
    int32_t broken              # 1 + chance kind whose scripted outcome was impossible
    int32_t broken_at           # and its place in the queue
    int32_t emptied             # 1 + space in which both sides of a Combat go at once
    Stats stats


# ----------------------------------------------------------------------------------------------- observations
cdef struct ObsLayout:          # cysmic_fast/observation.py
    int32_t size
    int32_t at[64]              # where fields start (src/observe.pxi)
    int16_t relics              # designs
    int16_t factions
    uint8_t token_place[64]     # by token: which of the different ones


# ------------------------------------------------------------------------------------------- what Python sees
cdef class NativeGame:
    cdef Tables *tables         # shared by all states, never changed
    cdef ObsLayout layout
    cdef readonly tuple observation_shape
    cdef readonly object options
    cdef readonly object content
    cdef bint ready             # made: __init__ has been called
    cdef dict numbers           # chance kind -> outcome name -> number
    cdef dict granted           # step of a `grant` -> its modifiers


cdef class NativeState:
    cdef State *s               # at a cache line
    cdef Ctx ctx
    cdef Script queues
    cdef Knowledge *knows       # behind the state
    cdef NativeGame owner
    cdef list labels            # by chance kind, the outcomes in its queue as given; None: no script

    cdef int attach(self, NativeGame game, bint record) except -1
    cdef NativeState moment(self, bint events)
    cdef void drop_script(self)
    cdef int check_chance(self) except -1
    cdef int perform(self, int action) except -1
    cdef int refuse(self, object action) except -1
    cdef int check_fault(self) except -1
    cdef int append_codes(self, int kind, list codes, list labels) except -1
