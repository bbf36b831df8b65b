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
    LawError,
    Move,
    MoveError,
    Moves,
    Position,
    PositionError,
    PythonGame,
    Record,
    Search,
    Server,
    TabiaError,
    Tables,
    UnknownError,
    UnsupportedError,
    WorkError,
    __version__,
    _end,
    check,
    game,
    games,
)

__all__ = [
    "ActionError",
    "Batch",
    "Book",
    "Game",
    "GameReader",
    "LawError",
    "Move",
    "MoveError",
    "Moves",
    "Position",
    "PositionError",
    "PythonGame",
    "Record",
    "Search",
    "Server",
    "TabiaError",
    "Tables",
    "UnknownError",
    "UnsupportedError",
    "WorkError",
    "__version__",
    "check",
    "game",
    "games",
    "serve",
]


def serve(game: object = None, *, port: int | None = None, block: bool = True) -> Server | None:
    """Serves the page of all games, and of one more written in Python, until Ctrl-C.

    With `block=False` it returns at once: the server runs until `stop()` is called on it.
    """
    server = Server(game, port=port)
    print(server.url, flush=True)
    if not block:
        return server
    try:
        server.wait()
    except KeyboardInterrupt:
        pass
    finally:
        server.stop()
    return None


# No thread may come back to an interpreter that has ended.
_atexit.register(_end)
