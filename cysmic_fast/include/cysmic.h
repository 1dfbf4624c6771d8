/* cysmic.h - play Cysmic from C, C++ and Cython without the interpreter lock (docs/embedding.md).
 *
 * There is nothing to link against: the functions are in a table that `cysmic_import()` gets from the installed
 * package at run time. Include Python.h first and link or load as a Python extension does:
 *
 *     #include <Python.h>
 *     #include <cysmic.h>
 *
 *     const cysmic_api *api = cysmic_import();           // NULL: a Python exception is set
 *     const cysmic_game *game = api->game_of(object);    // object: a Python game of the native engine
 *
 * Without Python.h everything but cysmic_import() is there. C99 and C++11 or later.
 *
 * Unless said otherwise a function of the table needs no lock, allocates nothing, keeps nothing, and may be called
 * by several threads at a time if no two of them use the same state and one of them writes to it. Games are never
 * changed and may be shared.
 */
#ifndef CYSMIC_H
#define CYSMIC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Goes up when a program compiled before could not go on working. New functions are added at the end of the table,
 * which leaves it as it is. */
#define CYSMIC_ABI_VERSION 1

#define CYSMIC_STATE_SIZE 2304     /* bytes; room for growth included */
#define CYSMIC_STATE_ALIGNMENT 16  /* what malloc() gives on 64-bit systems */
#define CYSMIC_NUM_ACTIONS 512     /* action ids: 0 to 511 */
#define CYSMIC_MASK_WORDS 8        /* action a is bit a & 63 of word a >> 6 */
#define CYSMIC_MAX_PLAYERS 6
#define CYSMIC_TERMINAL_PLAYER (-4)

/* What functions return. Below 0 is an error; CYSMIC_TERMINAL_PLAYER is none. After an error nothing has been
 * written, except by apply_unchecked. */
#define CYSMIC_OK 0
#define CYSMIC_OVER 1              /* done, and the game is over now */
#define CYSMIC_ILLEGAL (-101)      /* the action is not legal in the decision at hand */
#define CYSMIC_GAME_OVER (-102)    /* an action for a game that is over */
#define CYSMIC_ENDLESS (-103)      /* effects of cards that never come to an end (a defect of the content pack) */
#define CYSMIC_BAD_STATE (-104)    /* not a state of this game: never set up, or made by another game */
#define CYSMIC_BAD_ARGUMENT (-105) /* NULL where there must be something, or a badly aligned state */

/* A game: rules, options and content, compiled. It is owned by the Python game it comes from, and is valid as long
 * as that lives. */
typedef struct cysmic_game cysmic_game;

/* A state: at a decision with two or more legal actions, or at the end of the game. Plain data for one process:
 * assign or memcpy() it to clone it, chance to come included; there is nothing to free. What is in it is the engine's
 * business, except that it begins with the struct State of cysmic_fast/_native.pxd, whose fields may be read (they
 * may change with any version). */
#if defined(__cplusplus)
typedef struct alignas(CYSMIC_STATE_ALIGNMENT) cysmic_state {
    unsigned char bytes[CYSMIC_STATE_SIZE];
} cysmic_state;
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
typedef struct cysmic_state {
    _Alignas(CYSMIC_STATE_ALIGNMENT) unsigned char bytes[CYSMIC_STATE_SIZE];
} cysmic_state;
#else
typedef struct cysmic_state {
    unsigned char bytes[CYSMIC_STATE_SIZE];
} __attribute__((aligned(CYSMIC_STATE_ALIGNMENT))) cysmic_state;
#endif

/* A stream of random numbers for choices of your own, apart from the game's. Plain data as well. */
typedef struct cysmic_rng {
    uint64_t word[10];
} cysmic_rng;

/* What a rollout came to. */
typedef struct cysmic_result {
    uint64_t options;    /* sum of the numbers of legal actions at the decisions taken */
    uint32_t decisions;  /* taken in the rollout */
    uint32_t rounds;     /* the round in which the game ended, from the game's first */
    int32_t reason;      /* as end_reason() */
    uint32_t winners;    /* seats that have Launched, a bit each */
} cysmic_result;

struct _object; /* PyObject */

typedef struct cysmic_api {
    uint32_t abi_version;
    uint32_t state_size;
    uint32_t state_alignment;
    uint32_t table_size; /* bytes of this table */

    /* ---- with the interpreter lock */

    /* The game of a Python game of the native engine; NULL with a Python exception for anything else. Keep a
     * reference to the object for as long as you use the game or its states. */
    const cysmic_game *(*game_of)(struct _object *game);
    /* Copy a Python state of the native engine. Its game is that of `state.game`. 0, or -1 with a Python exception:
     * for any other object, and for a state with scripted outcomes left. Recorded events stay behind. */
    int (*state_of)(struct _object *state, cysmic_state *out);
    /* A new Python state of a Python game, a copy of `state`, to look at and go on with. NULL with a Python exception
     * for anything but a sound state of this game. */
    struct _object *(*state_to_python)(struct _object *game, const cysmic_state *state);

    /* ---- without */

    /* Number of players, 2 to 6. */
    int (*num_players)(const cysmic_game *game);
    /* Game `index` of `seed`, at its first decision: the same as game.new_initial_state(seed, index=index).
     * CYSMIC_OK; CYSMIC_OVER for a game that ends without one. */
    int (*new_state)(const cysmic_game *game, uint64_t seed, uint64_t index, cysmic_state *out);
    /* The legal actions, and how many they are: two or more, 0 when the game is over. `mask` may be NULL. */
    int (*legal_mask)(const cysmic_game *game, const cysmic_state *state, uint64_t *mask);
    /* Take the decision at hand and go on to the next one: CYSMIC_OK, or CYSMIC_OVER if that has ended the game.
     * An error leaves the state as it was. */
    int (*apply)(const cysmic_game *game, cysmic_state *state, int32_t action);
    /* The same without looking whether state and action can be: anything but a legal action of a sound, running state
     * is undefined behaviour. After CYSMIC_ENDLESS the state is lost: every function returns CYSMIC_ENDLESS for it. */
    int (*apply_unchecked)(const cysmic_game *game, cysmic_state *state, int32_t action);
    /* 1 if the game is over, else 0. */
    int (*is_terminal)(const cysmic_game *game, const cysmic_state *state);
    /* The seat to decide, CYSMIC_TERMINAL_PLAYER when the game is over. */
    int (*current_player)(const cysmic_game *game, const cysmic_state *state);
    /* What is asked, a number of cysmic_fast.DecisionKind; 0 when the game is over. */
    int (*decision)(const cysmic_game *game, const cysmic_state *state);
    /* Why the game ended, into `reason`: 0 a Launch, 1 no tiles left, 2 round cap; -1 while it runs. */
    int (*end_reason)(const cysmic_game *game, const cysmic_state *state, int32_t *reason);
    /* By seat 1.0 for everybody that has Launched, else 0.0: as many doubles as there are players. */
    int (*returns)(const cysmic_game *game, const cysmic_state *state, double *returns);
    /* Copy a state. The same as `*out = *state`, for callers that have no assignment of structs. */
    int (*clone)(const cysmic_state *state, cysmic_state *out);
    /* Key the chance to come anew: as game `index` of `seed`, all streams from their first word. */
    int (*reseed)(const cysmic_game *game, cysmic_state *state, uint64_t seed, uint64_t index);
    /* Playout `index` of `seed` by uniformly random actions to the end of the game, from a copy of `start` with
     * chance keyed anew, or, with NULL, from the beginning of game `index`. The very playout that
     * cysmic_fast.rollouts(state or game, n, "random", seed=seed) plays with that index. `returns`, as many doubles as
     * there are players, and `result` may be NULL. CYSMIC_OK, or an error. */
    int (*rollout)(const cysmic_game *game, const cysmic_state *start, uint64_t seed, uint64_t index, double *returns,
                   cysmic_result *result);

    /* The stream that playout `index` of `seed` draws its random actions from, at its beginning. */
    void (*rng_init)(cysmic_rng *rng, uint64_t seed, uint64_t index);
    /* Its next word. */
    uint64_t (*rng_word)(cysmic_rng *rng);
    /* An unbiased integer from 0 to n - 1; 0 for n below 2. */
    uint32_t (*rng_below)(cysmic_rng *rng, uint32_t n);
    /* A uniformly random legal action; CYSMIC_GAME_OVER when there is none. */
    int (*random_action)(const cysmic_game *game, const cysmic_state *state, cysmic_rng *rng);
} cysmic_api;

/* Whether an action, any integer, is in a mask. */
static inline int cysmic_is_legal(const uint64_t *mask, int32_t action)
{
    return action >= 0 && action < CYSMIC_NUM_ACTIONS && ((mask[action >> 6] >> (action & 63)) & 1) != 0;
}

/* The lowest action of a mask above `after` (-1: the lowest of all); -1 if there is none. */
static inline int32_t cysmic_next_legal(const uint64_t *mask, int32_t after)
{
    int32_t action;
    if (after >= CYSMIC_NUM_ACTIONS)
        return -1;
    for (action = after < -1 ? 0 : after + 1; action < CYSMIC_NUM_ACTIONS; action++) {
        uint64_t rest = mask[action >> 6] >> (action & 63);
        if (rest & 1)
            return action;
        if (rest == 0)
            action |= 63; /* nothing more in this word */
    }
    return -1;
}

/* In words. */
static inline const char *cysmic_status_text(int status)
{
    switch (status) {
    case CYSMIC_OK: return "done";
    case CYSMIC_OVER: return "done, and the game is over";
    case CYSMIC_ILLEGAL: return "the action is not legal in the decision at hand";
    case CYSMIC_GAME_OVER: return "the game is over";
    case CYSMIC_ENDLESS: return "effects of cards do not come to an end";
    case CYSMIC_BAD_STATE: return "not a state of this game";
    case CYSMIC_BAD_ARGUMENT: return "NULL, or a badly aligned state";
    default: return status < 0 ? "unknown error" : "no error";
    }
}

#ifdef Py_PYTHON_H
#define CYSMIC_CAPSULE "cysmic_fast._native._C_API"

/* The function table of the installed package, valid to the end of the process. Needs the interpreter lock. NULL with
 * ImportError if the package is missing, or was built for another version of this header. */
static inline const cysmic_api *cysmic_import(void)
{
    const cysmic_api *api;
    PyObject *module = PyImport_ImportModule("cysmic_fast._native");
    if (module == NULL)
        return NULL;
    Py_DECREF(module);
    api = (const cysmic_api *)PyCapsule_Import(CYSMIC_CAPSULE, 0);
    if (api == NULL)
        return NULL;
    if (api->abi_version != CYSMIC_ABI_VERSION) {
        PyErr_Format(PyExc_ImportError,
                     "the installed cysmic_fast has version %u of the C interface, this program was compiled for "
                     "version %d: compile it again with the cysmic.h in cysmic_fast.get_include()",
                     (unsigned int)api->abi_version, CYSMIC_ABI_VERSION);
        return NULL;
    }
    if (api->state_size != CYSMIC_STATE_SIZE || api->state_alignment > CYSMIC_STATE_ALIGNMENT) {
        PyErr_Format(PyExc_ImportError,
                     "states of the installed cysmic_fast take %u bytes, this program was compiled for %d: compile it "
                     "again with the cysmic.h in cysmic_fast.get_include()",
                     (unsigned int)api->state_size, CYSMIC_STATE_SIZE);
        return NULL;
    }
    if (api->table_size < sizeof(cysmic_api)) {
        PyErr_Format(PyExc_ImportError,
                     "the installed cysmic_fast is older than the cysmic.h that this program was compiled with: its "
                     "function table has %u bytes, not %u; install a newer one",
                     (unsigned int)api->table_size, (unsigned int)sizeof(cysmic_api));
        return NULL;
    }
    return api;
}
#endif /* Py_PYTHON_H */

#ifdef __cplusplus
}
#endif

#endif /* CYSMIC_H */
