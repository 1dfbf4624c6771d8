/* A C program that plays: it starts Python to load the game, then plays random games in plain C without Python's
 * lock. `python build.py` compiles it.
 *
 *     rollouts [games [seed [players]]]
 */
#include <Python.h>
#include <cysmic.h>
#include <stdio.h>
#include <stdlib.h>

/* What all games came to. */
struct totals {
    uint64_t decisions, options, rounds;
    uint64_t wins[CYSMIC_MAX_PLAYERS];
};

/* Nothing of Python in here. */
static int play(const cysmic_api *api, const cysmic_game *game, uint64_t seed, uint64_t games, struct totals *totals)
{
    cysmic_result result;
    uint64_t index;
    int seat, status;
    for (index = 0; index < games; index++) {
        status = api->rollout(game, NULL, seed, index, NULL, &result);
        if (status != CYSMIC_OK)
            return status;
        totals->decisions += result.decisions;
        totals->options += result.options;
        totals->rounds += result.rounds;
        for (seat = 0; seat < CYSMIC_MAX_PLAYERS; seat++)
            totals->wins[seat] += result.winners >> seat & 1;
    }
    return CYSMIC_OK;
}

/* cysmic_fast.load_game(players=players) */
static PyObject *load_game(int players)
{
    PyObject *game = NULL;
    PyObject *module = PyImport_ImportModule("cysmic_fast");
    PyObject *load = module ? PyObject_GetAttrString(module, "load_game") : NULL;
    PyObject *none = load ? PyTuple_New(0) : NULL;
    PyObject *options = none ? Py_BuildValue("{s:i}", "players", players) : NULL;
    if (options)
        game = PyObject_Call(load, none, options);
    Py_XDECREF(options);
    Py_XDECREF(none);
    Py_XDECREF(load);
    Py_XDECREF(module);
    return game;
}

static int start_python(void)
{
    PyStatus status;
    PyConfig config;
    PyConfig_InitPythonConfig(&config);
    /* The Python whose packages are used: build.py's, so that virtual environments work. */
    status = PyConfig_SetBytesString(&config, &config.program_name, PYTHON);
    if (!PyStatus_Exception(status))
        status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status))
        fprintf(stderr, "Python does not start: %s\n", status.err_msg ? status.err_msg : "?");
    return !PyStatus_Exception(status);
}

int main(int count, char **arguments)
{
    uint64_t games = count > 1 ? strtoull(arguments[1], NULL, 10) : 10000;
    uint64_t seed = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    int players = count > 3 ? atoi(arguments[3]) : 4;
    struct totals totals = {0};
    const cysmic_api *api;
    const cysmic_game *game = NULL;
    PyObject *object;
    PyThreadState *lock;
    int seat, status;

    if (!start_python())
        return 1;
    api = cysmic_import();
    object = api ? load_game(players) : NULL; /* owns the game */
    if (object)
        game = api->game_of(object);
    if (!game) {
        PyErr_Print();
        return 1;
    }

    lock = PyEval_SaveThread();
    status = play(api, game, seed, games, &totals);
    PyEval_RestoreThread(lock);

    if (status == CYSMIC_OK) {
        printf("games %llu\n", (unsigned long long)games);
        printf("decisions %llu\n", (unsigned long long)totals.decisions);
        printf("options %llu\n", (unsigned long long)totals.options);
        printf("rounds %llu\n", (unsigned long long)totals.rounds);
        printf("wins");
        for (seat = 0; seat < players; seat++)
            printf(" %llu", (unsigned long long)totals.wins[seat]);
        printf("\n");
    } else {
        fprintf(stderr, "rollouts: %s\n", cysmic_status_text(status));
    }
    Py_DECREF(object);
    if (Py_FinalizeEx() < 0)
        return 1;
    return status == CYSMIC_OK ? 0 : 1;
}
