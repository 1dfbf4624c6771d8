# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: embedsignature=False, freethreading_compatible=True
"""The native engine of cysmic_fast: one C unit, one chapter of the game a file."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

import numpy

from cysmic_fast.errors import OptionError

include "constants.pxi"

cdef enum:
    RNG_EMPTY = -1

include "bits.pxi"
include "philox.pxi"
include "hexmap.pxi"
include "kernels_api.pxi"
