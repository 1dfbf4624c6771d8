/* A C extension that plays with the engine, decision by decision: module `player`. `python build.py` compiles it.
 *
 *     player.play(game, seed, first, count)  -> (decisions, options, wins by seat) of whole random games
 *     player.playouts(state, seed, count)    -> the same of playouts from a state
 *     player.walk(game, seed, index, steps)  -> the state after so many random decisions
 */
#include <Python.h>
#include <cysmic.h>

static const cysmic_api *api;

struct totals {
    uint64_t decisions, options;
    uint64_t wins[CYSMIC_MAX_PLAYERS];
};

/* From a state to the end of the game or for so many decisions at most. Here it is random; look at the mask to do
 * better. */
static int advance(const cysmic_game *game, cysmic_state *state, cysmic_rng *rng, uint64_t most, struct totals *totals)
{
    uint64_t mask[CYSMIC_MASK_WORDS];
    int status = api->is_terminal(game, state); /* 1: over, the same as CYSMIC_OVER */
    while (status == CYSMIC_OK && most-- > 0) {
        int32_t action = -1;
        int count = api->legal_mask(game, state, mask);
        uint32_t k = api->rng_below(rng, (uint32_t)count);
        do
            action = cysmic_next_legal(mask, action);
        while (k-- > 0);
        totals->decisions += 1;
        totals->options += (uint64_t)count;
        status = api->apply(game, state, action);
    }
    return status;
}

/* Whole games, one after another. */
static int play_games(const cysmic_game *game, uint64_t seed, uint64_t first, uint64_t count, struct totals *totals)
{
    cysmic_state state;
    cysmic_rng rng;
    double returns[CYSMIC_MAX_PLAYERS];
    uint64_t i;
    int seat, status = CYSMIC_OK;
    for (i = 0; i < count && status >= 0; i++) {
        api->rng_init(&rng, seed, first + i);
        status = api->new_state(game, seed, first + i, &state);
        if (status == CYSMIC_OK)
            status = advance(game, &state, &rng, UINT64_MAX, totals);
        if (status >= 0)
            status = api->returns(game, &state, returns);
        for (seat = 0; seat < api->num_players(game) && status >= 0; seat++)
            totals->wins[seat] += returns[seat] > 0;
    }
    return status;
}

/* Playouts from a state. */
static int play_on(const cysmic_game *game, const cysmic_state *start, uint64_t seed, uint64_t count,
                   struct totals *totals)
{
    cysmic_state state;
    cysmic_rng rng;
    double returns[CYSMIC_MAX_PLAYERS];
    uint64_t i;
    int seat, status = CYSMIC_OK;
    for (i = 0; i < count && status >= 0; i++) {
        state = *start;
        api->rng_init(&rng, seed, i);
        status = api->reseed(game, &state, seed, i);
        if (status == CYSMIC_OK)
            status = advance(game, &state, &rng, UINT64_MAX, totals);
        if (status >= 0)
            status = api->returns(game, &state, returns);
        for (seat = 0; seat < api->num_players(game) && status >= 0; seat++)
            totals->wins[seat] += returns[seat] > 0;
    }
    return status;
}

static PyObject *failed(int status)
{
    return PyErr_Format(PyExc_RuntimeError, "cysmic: %s", cysmic_status_text(status));
}

static PyObject *report(const struct totals *totals, int players)
{
    PyObject *wins = PyList_New(players);
    int seat;
    for (seat = 0; wins && seat < players; seat++) {
        PyObject *number = PyLong_FromUnsignedLongLong(totals->wins[seat]);
        if (!number) {
            Py_CLEAR(wins);
            break;
        }
        PyList_SET_ITEM(wins, seat, number);
    }
    if (!wins)
        return NULL;
    return Py_BuildValue("KKN", (unsigned long long)totals->decisions, (unsigned long long)totals->options, wins);
}

static PyObject *play(PyObject *self, PyObject *arguments)
{
    PyObject *object; /* the caller keeps it alive */
    unsigned long long seed, first, count;
    const cysmic_game *game;
    struct totals totals = {0};
    int status;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OKKK", &object, &seed, &first, &count))
        return NULL;
    game = api->game_of(object);
    if (!game)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = play_games(game, seed, first, count, &totals);
    Py_END_ALLOW_THREADS
    return status < 0 ? failed(status) : report(&totals, api->num_players(game));
}

static PyObject *playouts(PyObject *self, PyObject *arguments)
{
    PyObject *object, *owner;
    unsigned long long seed, count;
    const cysmic_game *game;
    cysmic_state start;
    struct totals totals = {0};
    PyObject *result = NULL;
    int status;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OKK", &object, &seed, &count))
        return NULL;
    if (api->state_of(object, &start) < 0)
        return NULL;
    owner = PyObject_GetAttrString(object, "game"); /* keeps the game alive */
    game = owner ? api->game_of(owner) : NULL;
    if (game) {
        Py_BEGIN_ALLOW_THREADS
        status = play_on(game, &start, seed, count, &totals);
        Py_END_ALLOW_THREADS
        result = status < 0 ? failed(status) : report(&totals, api->num_players(game));
    }
    Py_XDECREF(owner);
    return result;
}

static PyObject *walk(PyObject *self, PyObject *arguments)
{
    PyObject *object;
    unsigned long long seed, index, steps;
    const cysmic_game *game;
    cysmic_state state;
    cysmic_rng rng;
    struct totals totals = {0};
    int status;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OKKK", &object, &seed, &index, &steps))
        return NULL;
    game = api->game_of(object);
    if (!game)
        return NULL;
    api->rng_init(&rng, seed, index);
    status = api->new_state(game, seed, index, &state);
    if (status == CYSMIC_OK)
        status = advance(game, &state, &rng, steps, &totals);
    return status < 0 ? failed(status) : api->state_to_python(object, &state);
}

static PyMethodDef methods[] = {
    {"play", play, METH_VARARGS, "play(game, seed, first, count): (decisions, options, wins) of random games."},
    {"playouts", playouts, METH_VARARGS, "playouts(state, seed, count): the same of playouts from a state."},
    {"walk", walk, METH_VARARGS, "walk(game, seed, index, steps): the state after so many random decisions."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "player", "Plays with the engine of cysmic_fast.", -1, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit_player(void)
{
    api = cysmic_import();
    if (!api) return NULL;
    PyObject *module = PyModule_Create(&definition);
#ifdef Py_GIL_DISABLED
    if (module) PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED); /* api never changes again */
#endif
    return module;
}
