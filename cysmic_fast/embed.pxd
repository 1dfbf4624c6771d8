# cysmic.h for Cython (docs/embedding.md): `from cysmic_fast.embed cimport cysmic_api, cysmic_import, ...`.
# cysmic.h explains what is declared here. Compile with cysmic_fast.get_include() among the include directories.
from libc.stdint cimport int32_t, uint32_t, uint64_t

cdef extern from "cysmic.h" nogil:
    enum:
        CYSMIC_ABI_VERSION
        CYSMIC_STATE_SIZE
        CYSMIC_STATE_ALIGNMENT
        CYSMIC_NUM_ACTIONS
        CYSMIC_MASK_WORDS
        CYSMIC_MAX_PLAYERS
        CYSMIC_TERMINAL_PLAYER
        CYSMIC_OK
        CYSMIC_OVER
        CYSMIC_ILLEGAL
        CYSMIC_GAME_OVER
        CYSMIC_ENDLESS
        CYSMIC_BAD_STATE
        CYSMIC_BAD_ARGUMENT

    ctypedef struct cysmic_game:
        pass

    ctypedef struct cysmic_state:
        unsigned char bytes[2304]

    ctypedef struct cysmic_rng:
        uint64_t word[10]

    ctypedef struct cysmic_result:
        uint64_t options
        uint32_t decisions
        uint32_t rounds
        int32_t reason
        uint32_t winners

    ctypedef struct cysmic_api:
        uint32_t abi_version
        uint32_t state_size
        uint32_t state_alignment
        uint32_t table_size
        # with the interpreter lock
        const cysmic_game *(*game_of)(object game) except NULL
        int (*state_of)(object state, cysmic_state *out) except -1
        object (*state_to_python)(object game, const cysmic_state *state)
        # without
        int (*num_players)(const cysmic_game *game) noexcept nogil
        int (*new_state)(const cysmic_game *game, uint64_t seed, uint64_t index,
                         cysmic_state *out) noexcept nogil
        int (*legal_mask)(const cysmic_game *game, const cysmic_state *state, uint64_t *mask) noexcept nogil
        int (*apply)(const cysmic_game *game, cysmic_state *state, int32_t action) noexcept nogil
        int (*apply_unchecked)(const cysmic_game *game, cysmic_state *state, int32_t action) noexcept nogil
        int (*is_terminal)(const cysmic_game *game, const cysmic_state *state) noexcept nogil
        int (*current_player)(const cysmic_game *game, const cysmic_state *state) noexcept nogil
        int (*decision)(const cysmic_game *game, const cysmic_state *state) noexcept nogil
        int (*end_reason)(const cysmic_game *game, const cysmic_state *state, int32_t *reason) noexcept nogil
        int (*returns)(const cysmic_game *game, const cysmic_state *state, double *returns) noexcept nogil
        int (*clone)(const cysmic_state *state, cysmic_state *out) noexcept nogil
        int (*reseed)(const cysmic_game *game, cysmic_state *state, uint64_t seed,
                      uint64_t index) noexcept nogil
        int (*rollout)(const cysmic_game *game, const cysmic_state *start, uint64_t seed, uint64_t index,
                       double *returns, cysmic_result *result) noexcept nogil
        void (*rng_init)(cysmic_rng *rng, uint64_t seed, uint64_t index) noexcept nogil
        uint64_t (*rng_word)(cysmic_rng *rng) noexcept nogil
        uint32_t (*rng_below)(cysmic_rng *rng, uint32_t n) noexcept nogil
        int (*random_action)(const cysmic_game *game, const cysmic_state *state,
                             cysmic_rng *rng) noexcept nogil

    bint cysmic_is_legal(const uint64_t *mask, int32_t action) noexcept
    int32_t cysmic_next_legal(const uint64_t *mask, int32_t after) noexcept
    const char *cysmic_status_text(int status) noexcept

cdef extern from "cysmic.h":
    const cysmic_api *cysmic_import() except NULL
