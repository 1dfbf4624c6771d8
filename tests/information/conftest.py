"""Hidden information: every test runs on the engines that keep it."""

from __future__ import annotations

import pytest

#: Engines with `view`, `events(player)` and `resample`. The reference engine is to follow.
INFORMED = ["native"]


@pytest.fixture(params=INFORMED)
def engine(request: pytest.FixtureRequest) -> str:
    """Name of the engine under test."""
    return str(request.param)
