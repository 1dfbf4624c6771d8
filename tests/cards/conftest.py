"""Tests of cards run on the engines that play Abilities."""

from __future__ import annotations

import pytest

#: The native engine refuses ``abilities=True`` so far (tests/api/test_bad_input.py).
PLAYING_ABILITIES = ["reference", "native"]


@pytest.fixture(params=PLAYING_ABILITIES)
def engine(request: pytest.FixtureRequest) -> str:
    """Name of the engine under test."""
    return str(request.param)
