"""Hidden information: every test runs on both engines."""

from __future__ import annotations

import pytest


@pytest.fixture(params=["native", "reference"])
def engine(request: pytest.FixtureRequest) -> str:
    """Name of the engine under test."""
    return str(request.param)
