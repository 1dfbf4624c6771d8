# The generator: Philox4x64-10, keyed by (seed, game index), one stream of words per chance family.
#
# Word w of a family's stream is word w of numpy.random.Philox(key=[seed, index], counter=[0, family, 0, 0]):
# block b (from 0) has counter (b + 1, family, 0, 0). A position is just the number of words used, so a stream
# can be entered anywhere, and a generator is a plain value: copying it copies the future.

cdef extern from *:
    """
    CYSMIC_INLINE void philox_block(const uint64_t key[2], uint64_t block, uint64_t family, uint64_t out[4]) {
        uint64_t k0 = key[0], k1 = key[1];
        uint64_t c0 = block + 1, c1 = family, c2 = 0, c3 = 0;
        for (int round = 0; round < 10; round++) {
            u128 p0 = (u128)0xD2E7470EE14C6C93ULL * c0;
            u128 p1 = (u128)0xCA5A826395121157ULL * c2;
            c0 = (uint64_t)(p1 >> 64) ^ c1 ^ k0;
            c1 = (uint64_t)p1;
            c2 = (uint64_t)(p0 >> 64) ^ c3 ^ k1;
            c3 = (uint64_t)p0;
            k0 += 0x9E3779B97F4A7C15ULL;
            k1 += 0xBB67AE8584CAA73BULL;
        }
        out[0] = c0; out[1] = c1; out[2] = c2; out[3] = c3;
    }
    /* high and low half of a 64 x 64 bit product */
    CYSMIC_INLINE uint64_t mul_wide(uint64_t a, uint64_t b, uint64_t *low) {
        u128 product = (u128)a * b;
        *low = (uint64_t)product;
        return (uint64_t)(product >> 64);
    }
    CYSMIC_INLINE uint64_t negate64(uint64_t x) { return 0 - x; }
    """
    void philox_block(const uint64_t *key, uint64_t block, uint64_t family, uint64_t *out) noexcept nogil
    uint64_t mul_wide(uint64_t a, uint64_t b, uint64_t *low) noexcept nogil
    uint64_t negate64(uint64_t x) noexcept nogil


cdef inline void rng_key(Rng *rng, uint64_t seed, uint64_t index) noexcept nogil:
    """Start every stream of game ``index`` of ``seed`` from its first word."""
    cdef int family
    rng.key[0] = seed
    rng.key[1] = index
    for family in range(3):
        rng.used[family] = 0


cdef inline uint64_t rng_word(Rng *rng, RngBlock *block, int family) noexcept nogil:
    """The next 64-bit word of a family. ``block`` holds the block drawn from last, of this generator."""
    cdef int stream = family if family < CF_POLICY else 0
    cdef uint64_t used = rng.used[stream]
    cdef uint64_t tag = (used >> 2 << 3) | <uint64_t>family
    if block.tag != tag:
        philox_block(rng.key, used >> 2, family, block.word)
        block.tag = tag
    rng.used[stream] = used + 1
    return block.word[used & 3]


cdef inline void rng_ahead(const Rng *rng, RngBlock *block, int family) noexcept nogil:
    """Have the block of the next word at hand, so that working it out overlaps with what comes before that word."""
    cdef int stream = family if family < CF_POLICY else 0
    if rng.used[stream] & 3 == 0:
        philox_block(rng.key, rng.used[stream] >> 2, family, block.word)
        block.tag = (rng.used[stream] >> 2 << 3) | <uint64_t>family


cdef inline uint32_t rng_bounded(Rng *rng, RngBlock *block, int family, uint32_t n) noexcept nogil:
    """An unbiased integer in [0, n) (Lemire): words that would favour some results are drawn again."""
    cdef uint64_t low = 0
    cdef uint64_t threshold
    cdef uint64_t result = mul_wide(rng_word(rng, block, family), n, &low)
    if unlikely(low < n):
        threshold = negate64(n) % n
        while low < threshold:
            result = mul_wide(rng_word(rng, block, family), n, &low)
    return <uint32_t>result


cdef inline void rng_shuffle(Rng *rng, RngBlock *block, int family, uint8_t *items, int n) noexcept nogil:
    """Fisher-Yates from the last item down."""
    cdef int i, j
    cdef uint8_t item
    for i in range(n - 1, 0, -1):
        j = <int>rng_bounded(rng, block, family, <uint32_t>(i + 1))
        item = items[i]
        items[i] = items[j]
        items[j] = item
