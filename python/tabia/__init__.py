"""Tabia: a board-game position as a compact, exact, stable code, and the code as answers.

    >>> import tabia
    >>> p = tabia.game("draughts").position()
    >>> p = p.play("11-15")
    >>> p.search(depth=8).move  # doctest: +SKIP
    '22-18'
"""

import atexit as _atexit

from ._tabia import (
    ActionError,
    Batch,
    Book,
    Game,
    GameReader,
    Move,
    MoveError,
    Moves,
    Position,
    PositionError,
    Record,
    Search,
    TabiaError,
    Tables,
    UnknownError,
    UnsupportedError,
    WorkError,
    _end,
    game,
    games,
)

__all__ = [
    "ActionError",
    "Batch",
    "Book",
    "Game",
    "GameReader",
    "Move",
    "MoveError",
    "Moves",
    "Position",
    "PositionError",
    "Record",
    "Search",
    "TabiaError",
    "Tables",
    "UnknownError",
    "UnsupportedError",
    "WorkError",
    "game",
    "games",
]

# No thread may come back to an interpreter that has ended.
_atexit.register(_end)
