"""Tabia: a board-game position as a compact, exact, stable code, and the code as answers."""

from ._tabia import (
    Game,
    MoveError,
    Position,
    PositionError,
    TabiaError,
    UnknownError,
    UnsupportedError,
    game,
    games,
)

__all__ = [
    "Game",
    "MoveError",
    "Position",
    "PositionError",
    "TabiaError",
    "UnknownError",
    "UnsupportedError",
    "game",
    "games",
]
