"""What long work answers: plain objects that print, compare, pickle and show themselves in notebooks.

This module is imported when the first answer is made, so that `import tabia` stays quick.
"""

from __future__ import annotations

import dataclasses
import html
from dataclasses import dataclass, field
from typing import Any

from typing import TypeVar

_A = TypeVar("_A", bound="Answer")


def _whole(value: Any) -> int:
    """A count: numbers above 2**53 travel as text."""
    return int(value)


@dataclass(frozen=True)
class Answer:
    """Something that was worked out."""

    @classmethod
    def of(cls: type[_A], fields: dict[str, Any]) -> _A:
        """An answer from the fields that the engine gives; those it does not know are left out."""
        known = {f.name for f in dataclasses.fields(cls)}
        return cls(**{name: value for name, value in fields.items() if name in known})

    def to_dict(self) -> dict[str, Any]:
        """The fields and their values, as JSON and pandas know them."""
        return dataclasses.asdict(self)

    def _repr_html_(self) -> str:
        rows = ((f.name, getattr(self, f.name)) for f in dataclasses.fields(self))
        return _table(["", type(self).__name__], ([name, _shown(value)] for name, value in rows))


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.3f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, (list, tuple)):
        shown = ", ".join(_shown(item) for item in value[:12])
        return shown + (", …" if len(value) > 12 else "")
    return str(value)


def _table(head: list[str], rows: Any) -> str:
    cells = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


@dataclass(frozen=True)
class Progress(Answer):
    """How far a piece of work has come."""

    stage: str
    done: int
    total: int | None
    unit: str
    lane: int = 0


@dataclass(frozen=True)
class Score:
    """What a position is worth for the side to move."""

    kind: str
    """`win`, `loss`, `draw` or `estimate`."""
    plies: int | None = None
    """Plies to the end, of a win or a loss."""
    estimate: int | None = None
    """Hundredths of a man, pawn or brick."""

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Score:
        """A score from the one field that the engine gives."""
        (kind, value), *_ = fields.items()
        if kind == "estimate":
            return cls(kind, estimate=value)
        return cls(kind, plies=None if kind == "draw" else value)

    def __str__(self) -> str:
        if self.estimate is not None:
            return f"{self.estimate / 100:+.2f}"
        return self.kind if self.plies is None else f"{self.kind} in {self.plies}"


@dataclass(frozen=True)
class Line(Answer):
    """One of the best lines."""

    score: Score
    pv: list[str]

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Line:
        return cls(Score.of(fields["score"]), fields["pv"])

    def __str__(self) -> str:
        return f"{self.score}: {' '.join(self.pv)}"


@dataclass(frozen=True)
class SearchReport(Answer):
    """The answer of a search, or its answer so far."""

    position: str
    move: str | None
    score: Score
    exact: bool
    method: str
    depth: int
    nodes: int
    seconds: float
    nodes_per_second: float
    pv: list[str]
    lines: list[Line]
    table: dict[str, int]
    cpu_seconds: float | None = None

    @classmethod
    def of(cls, fields: dict[str, Any]) -> SearchReport:
        score, lines = Score.of(fields["score"]), [Line.of(line) for line in fields["lines"]]
        return super().of({**fields, "score": score, "lines": lines})

    def __str__(self) -> str:
        return f"{self.move} ({self.score}) at depth {self.depth}"


@dataclass(frozen=True)
class SolvedMove(Answer):
    """A legal move and what it leads to, for the side that plays it."""

    move: str
    value: str
    distance: int | None
    best: bool


@dataclass(frozen=True)
class Solution(Answer):
    """The exact answer about a position."""

    position: str
    value: str
    distance: int | None
    distance_exact: bool
    line: list[str]
    line_positions: list[str]
    moves: list[SolvedMove]
    solutions: int | None
    method: str
    reason: str
    positions: int
    seconds: float
    peak_bytes: int | None = None

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Solution:
        solutions = fields["solutions"]
        return super().of(
            {
                **fields,
                "moves": [SolvedMove.of(move) for move in fields["moves"]],
                "positions": _whole(fields["positions"]),
                "solutions": None if solutions is None else _whole(solutions),
            }
        )

    def __str__(self) -> str:
        return self.value if self.distance is None else f"{self.value} in {self.distance}"


@dataclass(frozen=True)
class Level(Answer):
    """The positions first reached after some number of plies."""

    ply: int
    positions: int
    finished: int | None = None
    solvable: int | None = None


@dataclass(frozen=True)
class Enumeration(Answer):
    """Positions that can be reached, ply by ply."""

    levels: list[Level]
    total: int
    complete: bool
    seconds: float
    cpu_seconds: float | None = None
    peak_bytes: int | None = None
    unfinished: dict[str, Any] | None = None

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Enumeration:
        levels = [Level.of(level) for level in fields["levels"]]
        return super().of({**fields, "levels": levels, "total": _whole(fields["total"])})

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The levels, for `pandas.DataFrame`."""
        return [level.to_dict() for level in self.levels]

    def _repr_html_(self) -> str:
        rows = ([level.ply, _shown(level.positions), level.finished, level.solvable] for level in self.levels)
        return _table(["ply", "positions", "finished", "solvable"], rows)


@dataclass(frozen=True)
class Playouts(Answer):
    """What random games came to."""

    playouts: int
    plies: int
    plies_per_second: float
    playouts_per_second: float
    mean_length: float
    mean_branching: float
    wins0: int
    wins1: int
    draws: int
    seconds: float
    cpu_seconds: float | None = None


@dataclass(frozen=True)
class MatchReport(Answer):
    """How a match stands, for its first player."""

    a: str
    b: str
    games: int
    wins: int
    losses: int
    draws: int
    score: float
    elo: float
    elo_error: float
    stopped: bool


@dataclass(frozen=True)
class GameRecord(Answer):
    """A game as a file tells it."""

    number: int
    line: int
    tags: dict[str, str]
    start: str
    moves: list[str]
    outcome: str | None
    warning: str | None

    @classmethod
    def of(cls, fields: dict[str, Any]) -> GameRecord:
        return super().of({**fields, "tags": dict(fields["tags"])})


@dataclass(frozen=True)
class BookMove(Answer):
    """What a book knows about a move; `reached` counts the games that came to the position after it by any road."""

    move: str
    total: int
    wins0: int
    wins1: int
    draws: int
    share: float
    score: float
    win_rate: float
    win_rate_interval: list[float]
    reached: dict[str, int]
    code: str | None = None
    same: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class BookReport(Answer):
    """What a book knows about a position."""

    position: str
    side: int
    total: int
    wins0: int
    wins1: int
    draws: int
    score: float
    moves: list[BookMove]
    hidden: int

    @classmethod
    def of(cls, fields: dict[str, Any]) -> BookReport:
        return super().of({**fields, "moves": [BookMove.of(move) for move in fields["moves"]]})

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The moves, for `pandas.DataFrame`."""
        names = ["move", "total", "wins0", "wins1", "draws", "share", "score", "win_rate"]
        return [{name: getattr(move, name) for name in names} for move in self.moves]

    def _repr_html_(self) -> str:
        rows = self.rows
        head = list(rows[0]) if rows else ["move"]
        return _table(head, ([_shown(row[name]) for name in head] for row in rows))


@dataclass(frozen=True)
class ImportReport(Answer):
    """What an import came to."""

    games: int
    plies: int
    known: int
    equal: int
    unfinished: int
    bad: int
    warnings: int
    stopped: bool
    seconds: float


@dataclass(frozen=True)
class SelfplayReport(Answer):
    """How far self-play is."""

    games: int
    known: int
    plies: int
    wins0: int
    wins1: int
    draws: int
    stopped: bool
    seconds: float


@dataclass(frozen=True)
class TableInfo(Answer):
    """Tables of exact values, in numbers."""

    variant: str
    layout: str
    distances: bool
    positions: int
    wins: int
    draws: int
    losses: int
    longest: int
    bytes: int
    files: int
    kept: int
    seconds: float
    peak_bytes: int | None = None
    cpu_seconds: float | None = None


@dataclass(frozen=True)
class Verification(Answer):
    """What a check of tables came to."""

    right: bool
    proof: bool
    positions: int
    wrong: int
    examples: list[str]
    seconds: float
    cpu_seconds: float | None = None
