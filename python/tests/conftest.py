"""What all tests share."""

from __future__ import annotations

import pytest

import tabia

GAMES = ["five-visible", "arx", "solitaire", "draughts", "chess"]


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> tabia.Game:
    """Every game that comes with the package."""
    return tabia.game(request.param)
