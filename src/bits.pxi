# Sets of spaces: one bit a space, in 128 bits. And the few bit tricks everything else is made of.

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #define CYSMIC_INLINE static inline __attribute__((always_inline))
    CYSMIC_INLINE u128 bit128(int i) {
        uint64_t word = (uint64_t)1 << (i & 63);
        return i & 64 ? (u128)word << 64 : (u128)word;
    }
    CYSMIC_INLINE u128 make128(uint64_t low, uint64_t high) { return ((u128)high << 64) | low; }
    CYSMIC_INLINE uint64_t low64(u128 x) { return (uint64_t)x; }
    CYSMIC_INLINE uint64_t high64(u128 x) { return (uint64_t)(x >> 64); }
    CYSMIC_INLINE int any128(u128 x) { return x != 0; }
    CYSMIC_INLINE int has128(u128 x, int i) {
        uint64_t word = i & 64 ? (uint64_t)(x >> 64) : (uint64_t)x;
        return (int)((word >> (i & 63)) & 1);
    }
    CYSMIC_INLINE int ctz64(uint64_t x) { return __builtin_ctzll(x); }
    CYSMIC_INLINE int popcount64(uint64_t x) { return __builtin_popcountll(x); }
    CYSMIC_INLINE int count128(u128 x) { return popcount64((uint64_t)x) + popcount64((uint64_t)(x >> 64)); }
    /* lowest member; the set must not be empty */
    CYSMIC_INLINE int first128(u128 x) {
        return (uint64_t)x ? ctz64((uint64_t)x) : 64 + ctz64((uint64_t)(x >> 64));
    }
    /* the members below i that a set may have */
    CYSMIC_INLINE u128 below128(int i) { return bit128(i) - 1; }
    CYSMIC_INLINE u128 rest128(u128 x) { return x & (x - 1); }
    /* members of a legal mask, eight words */
    CYSMIC_INLINE int count512(const uint64_t *mask) {
        return popcount64(mask[0]) + popcount64(mask[1]) + popcount64(mask[2]) + popcount64(mask[3])
            + popcount64(mask[4]) + popcount64(mask[5]) + popcount64(mask[6]) + popcount64(mask[7]);
    }
    /* place of the n-th (from 0) set bit of x, which has more than n of them; at a stroke where the machine can do it */
    CYSMIC_INLINE int select64(uint64_t x, int n) {
    #if defined(__x86_64__) && defined(__GNUC__)
        if (__builtin_cpu_supports("bmi2")) {
            uint64_t bit;
            __asm__("pdep %2, %1, %0" : "=r"(bit) : "r"((uint64_t)1 << n), "r"(x));
            return ctz64(bit);
        }
    #endif
        while (n--) x &= x - 1;
        return ctz64(x);
    }
    /* the k-th (from 0) member of a set that has more than k */
    CYSMIC_INLINE int select128(u128 x, int k) {
        int low = popcount64((uint64_t)x);
        return k < low ? select64((uint64_t)x, k) : 64 + select64((uint64_t)(x >> 64), k - low);
    }
    /* The k-th (from 0) member of a legal mask that has more than k. Its word is found without a branch: nobody can
       foretell which one it is, and a wrong guess costs more than all of this. */
    CYSMIC_INLINE int select512(const uint64_t *mask, int k) {
        int word = 0, before = 0, total = 0, passed;
        for (int i = 0; i < 7; i++) {
            total += popcount64(mask[i]);
            passed = total <= k;
            word += passed;
            before = passed ? total : before;
        }
        return 64 * word + select64(mask[word], k - before);
    }
    #define CYSMIC_LIKELY(x) __builtin_expect(!!(x), 1)
    #define CYSMIC_UNLIKELY(x) __builtin_expect(!!(x), 0)
    """
    u128 bit128(int i) noexcept nogil
    u128 make128(uint64_t low, uint64_t high) noexcept nogil
    uint64_t low64(u128 x) noexcept nogil
    uint64_t high64(u128 x) noexcept nogil
    bint any128(u128 x) noexcept nogil
    bint has128(u128 x, int i) noexcept nogil
    int ctz64(uint64_t x) noexcept nogil
    int popcount64(uint64_t x) noexcept nogil
    int count128(u128 x) noexcept nogil
    int first128(u128 x) noexcept nogil
    u128 rest128(u128 x) noexcept nogil
    u128 below128(int i) noexcept nogil
    int select64(uint64_t x, int n) noexcept nogil
    int select128(u128 x, int k) noexcept nogil
    int count512(const uint64_t *mask) noexcept nogil
    int select512(const uint64_t *mask, int k) noexcept nogil
    bint likely "CYSMIC_LIKELY"(bint x) noexcept nogil
    bint unlikely "CYSMIC_UNLIKELY"(bint x) noexcept nogil


cdef object set_to_int(u128 x):
    """The set as a Python int, bit i for member i."""
    return (<object>high64(x) << 64) | low64(x)


cdef u128 int_to_set(object value) except? 0:
    """The inverse of :func:`set_to_int`; raises OverflowError beyond 128 bits."""
    if value < 0 or value >> 128:
        raise OverflowError("a set of spaces has 128 bits")
    return make128(<uint64_t>(value & 0xFFFFFFFFFFFFFFFF), <uint64_t>(value >> 64))


cdef list set_to_list(u128 x):
    """The members in ascending order."""
    cdef list members = []
    while any128(x):
        members.append(first128(x))
        x = rest128(x)
    return members
