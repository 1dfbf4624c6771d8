# Data of the native engine: plain structs without pointers, so that a copy is one memcpy.
from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

cdef extern from *:
    """
    #ifndef CYSMIC_U128
    #define CYSMIC_U128
    typedef unsigned __int128 u128;
    #endif
    """
    ctypedef unsigned long long u128

cdef struct Rng:
    uint64_t key[2]    # seed, game index
    uint64_t block[4]  # the block that holds the last word drawn
    uint64_t tag       # which block that is: number << 3 | family
    uint32_t used[5]   # words drawn so far, by chance family

cdef struct HexMap:
    u128 side[127]     # side-neighbours
    u128 near[127]     # neighbours by side or arrow
    u128 area[6][7]    # spaces of a terrain's ring, by terrain and ring
    u128 wedge[6]      # spaces of a terrain
    u128 inner[6]      # spaces where a Ship may start (S4.9)
    int8_t ring_of[127]
    int8_t terrain_of[127]
