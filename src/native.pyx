# cython: language_level=3, wraparound=False, cdivision=True, initializedcheck=False
# cython: embedsignature=False
# cython: freethreading_compatible=True
"""The native engine of cysmic_fast: one C unit, one chapter of the game a file."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from operator import index as operator_index
from os import getpid, sysconf
from threading import Thread
from time import perf_counter, sleep

cimport cython
from cpython.buffer cimport PyBuffer_FillInfo
from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from cpython.pycapsule cimport PyCapsule_New
from libc.math cimport NAN
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from cysmic_fast.embed cimport *

import numpy

from cysmic_fast.census import NUM_SUMS as CENSUS_SUMS, check_census
from cysmic_fast.content.effect_words import Duration
from cysmic_fast.content.schema import canonical_json
from cysmic_fast.content.types import Content
from cysmic_fast.content.written import written_modifier
from cysmic_fast.errors import (
    ChanceError, ContentError, CysmicError, GameOverError, IllegalActionError, OptionError, PolicyError,
    PositionError, SaveError,
)
from cysmic_fast.names import action_name, chance_kind, shown
from cysmic_fast.observation import FIELDS as OBSERVATION_FIELDS, check_room, make_spec, token_names
from cysmic_fast.options import GameOptions
from cysmic_fast.policies import allowed_values, check_word, checked_values, policy_error
from cysmic_fast.position_cards import grant_order
from cysmic_fast.saves import load_state, write_save
from cysmic_fast.stats import GAME_STATS
from cysmic_fast.vocabulary import ChanceKind, CommandCard, DecisionKind, Feature

cdef extern from "<stdlib.h>":
    void *aligned_alloc(size_t alignment, size_t size) noexcept nogil

cdef extern from *:
    """
    #ifndef CYSMIC_COMPILER
    #define CYSMIC_COMPILER "unknown"
    #endif
    """
    const char *CYSMIC_COMPILER
    const char *CYSMIC_FLAGS
    bint CYSMIC_DEBUG

include "constants.pxi"

cdef enum:
    RNG_EMPTY = -1
    RELIC_COPIES = 64
    SHARE = 64                # playouts that a thread plays, at most, before it looks for signals
    EVENT_MOST = 1 << 28      # events that a state keeps, more than 5 GB of them

include "bits.pxi"
include "philox.pxi"
include "hexmap.pxi"
include "context.pxi"
include "chance.pxi"
include "agenda.pxi"
include "knowledge.pxi"
include "decide.pxi"
include "units.pxi"
include "planet.pxi"
include "modifiers.pxi"
include "select.pxi"
include "movement.pxi"
include "goods.pxi"
include "pay.pxi"
include "commands.pxi"
include "troops.pxi"
include "construction.pxi"
include "dice.pxi"
include "combat.pxi"
include "cyber.pxi"
include "trade.pxi"
include "bonus.pxi"
include "collapse.pxi"
include "window.pxi"
include "program.pxi"
include "possible.pxi"
include "verbs.pxi"
include "verbs_units.pxi"
include "turn.pxi"
include "setup.pxi"
include "effects.pxi"
include "tables.pxi"
include "census.pxi"
include "simulate.pxi"
include "playout.pxi"
include "integrity.pxi"
include "position.pxi"
include "save.pxi"
include "save_check.pxi"
include "save_knowledge.pxi"
include "observe.pxi"
include "resample.pxi"
include "view.pxi"
include "state_api.pxi"
include "rollout.pxi"
include "layout.pxi"
include "batch.pxi"
include "capi.pxi"
include "kernels_api.pxi"
