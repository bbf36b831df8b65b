"""Long work: right answers, progress, and Ctrl-C."""

from __future__ import annotations

import io
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import textwrap
import time

import pytest

import tabia
from tabia.answers import MatchReport, Progress, SearchReport, Solution


def test_perft_of_chess() -> None:
    position = tabia.game("chess").position()
    assert position.perft(4) == position.perft(4, threads=2, hash_mb=1) == 197281
    divided = position.divide(3)
    assert sum(divided.values()) == 8902 and divided["e4"] == 600
    assert position.perft(0) == 1
    for wrong in (251, -1, 2**40):
        with pytest.raises((ValueError, OverflowError)):
            position.perft(wrong)
    with pytest.raises(ValueError):
        position.perft(3, threads=0)


def test_enumeration() -> None:
    report = tabia.game("chess").enumerate(depth=2)
    assert [level.positions for level in report.levels] == [1, 20, 400] and report.levels[2].ply == 2
    assert not report.complete and report.total == sum(level.positions for level in report.levels)
    assert report.rows[0]["positions"] == 1 and "<table" in report._repr_html_()
    board = next(name for name in tabia.game("solitaire").starts if name.startswith("triangle"))
    small = tabia.game("solitaire").position(board).enumerate()
    assert small.complete


def test_search_and_its_reports() -> None:
    position = tabia.game("chess").position("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
    heard: list[SearchReport] = []
    report = position.search(depth=4, progress=heard.append)
    assert report.move == "Ra8#" and str(report.score) == "win in 1" and report.score.plies == 1
    assert heard and all(isinstance(r, SearchReport) for r in heard)
    assert position.play(report.move).outcome == "win0"
    assert "<table" in report._repr_html_() and json.dumps(report.to_dict())
    lines = tabia.game("draughts").position().search(depth=4, lines=3).lines
    assert len(lines) == 3 and lines[0].score.estimate is not None


def test_a_search_is_an_iterator() -> None:
    position = tabia.game("draughts").position()
    reports = list(position.searching(depth=6))
    assert [r.depth for r in reports] == sorted(r.depth for r in reports) and reports[-1].depth == 6
    assert reports[-1].move == position.search(depth=6).move
    endless = position.searching(time=3600)
    next(endless)
    endless.stop()
    began = time.monotonic()
    assert list(endless)
    assert time.monotonic() - began < 60
    with position.searching(time=3600) as search:
        next(search)
    assert list(search) == []


def test_a_search_dropped_in_the_middle_ends_with_the_program() -> None:
    code = """
        import tabia
        search = tabia.game("chess").position().searching(time=3600)
        print(next(search).depth)
    """
    done = subprocess.run([sys.executable, "-X", "dev", "-c", textwrap.dedent(code)], timeout=120)
    assert done.returncode == 0


def test_players_choose_and_play_matches() -> None:
    position = tabia.game("draughts").position()
    assert position.choose("depth=3") in position.moves()
    assert position.choose("random", seed=1) == position.choose("random", seed=1)
    heard: list[MatchReport] = []
    report = tabia.game("draughts").match("depth=3", "random", games=4, progress=heard.append)
    assert report.games == 4 and report.wins + report.losses + report.draws == 4 and len(heard) == 2
    with pytest.raises(tabia.UnknownError):
        position.choose("grandmaster")


def test_solutions() -> None:
    solved = tabia.game("draughts").position("B:W18:BK9,K10").solve()
    assert isinstance(solved, Solution) and solved.value == "win" and solved.distance
    assert len(solved.line) == len(solved.line_positions)
    assert solved.moves and any(move.best for move in solved.moves)
    board = next(name for name in tabia.game("solitaire").starts if name.startswith("triangle"))
    puzzle = tabia.game("solitaire").position(board).solve(count=True)
    assert puzzle.value in ("solvable", "unsolvable")


def test_tables(tmp_path: pathlib.Path) -> None:
    heard: list[Progress] = []
    built = tabia.game("draughts").build_tables(tmp_path, pieces=2, progress=heard.append)
    assert built.positions > 0 and heard and heard[0].stage
    tables = tabia.Tables(tmp_path)
    assert tables.info.positions == built.positions
    position = tabia.game("draughts").position("B:WK32:BK1")
    known = tables.probe(position)
    assert known is not None and known.value == "draw"
    assert tables.probe(tabia.game("draughts").position()) is None
    assert tables.verify().right and tables.stats()["positions"] == built.positions
    with pytest.raises((tabia.WorkError, ValueError, OSError)):
        tabia.Tables(tmp_path / "nowhere")
    for file in tmp_path.glob("*.tbl"):
        file.write_bytes(b"TABIA" + file.read_bytes()[5:-9])
    with pytest.raises((tabia.WorkError, ValueError)):
        tabia.Tables(tmp_path)


def test_what_a_listener_raises_is_raised() -> None:
    class Enough(Exception):
        pass

    def listener(_: object) -> None:
        raise Enough

    position = tabia.game("draughts").position()
    with pytest.raises(Enough):
        position.search(depth=60, progress=listener)
    with pytest.raises(Enough):
        position.perft(30, progress=listener)
    with pytest.raises(TypeError):
        position.perft(4, progress=3)  # type: ignore[arg-type]


WORK = {
    "perft": "p.perft(40)",
    "enumerate": "p.enumerate()",
    "playouts": "p.playouts(time=3600)",
    "search": "p.search(time=3600)",
    "searching": "list(p.searching(time=3600))",
    "large table": "p.search(time=3600, hash_mb=256)",
    "mcts": "p.search(time=3600, method='mcts')",
    "proof": "p.search(time=3600, method='proof')",
    "solve": "p.solve(time=3600)",
    "choose": "p.choose('time=3600s')",
    "match": "p.game.match('time=3600s', 'random')",
    "selfplay": "tabia.Book(folder + '/book.redb').selfplay('draughts', 10, 'time=3600s')",
    "top": "while True: book.top('draughts', 10, by='one-sided')",
    "export": "while True: book.export('draughts', folder + '/rows.csv')",
    "parquet": "while True: book.to_parquet(folder + '/rows.parquet', 'draughts')",
    "import": "tabia.Book(folder + '/book.redb').import_files('draughts', folder + '/games.jsonl')",
    "batch": "tabia.Batch('draughts', 64).playouts(10**9)",
    "random": "tabia.Batch('draughts', 64).random(10**9)",
    "tables": "p.game.build_tables(folder + '/tables', pieces=5)",
    "rules in Python: perft": "own.perft(40)",
    "rules in Python: enumerate": "own.enumerate()",
    "rules in Python: solve": "own.solve(time=3600)",
    "rules in Python: search": "own.search(time=3600)",
    "rules in Python: playouts": "own.playouts(time=3600)",
}
# A game far too large to be finished, and a book that takes a while to be read.
GIVEN = {
    "rules in Python": """
        class Own:
            def start(self): return (0,) + (20,) * 12
            def side(self, p): return p[0]
            def moves(self, p): return [(h, left) for h in range(1, len(p)) for left in range(p[h])]
            def play(self, p, move): return (1 - p[0], *p[1:move[0]], move[1], *p[move[0] + 1:])
            def outcome(self, p): return None if any(p[1:]) else 1 - p[0]
            def pack(self, p): return bytes(p)
        own = tabia.PythonGame(Own()).position()
    """,
    "book": """
        book = tabia.Book(folder + '/book.redb')
        book.selfplay('draughts', 1500, 'random', seed=1)
    """,
}


def long_game(name: str) -> str:
    """A random game to its end, as a line of JSON."""
    record, rng = tabia.game(name).record(), random.Random(4)
    while record.outcome is None:
        record.play(rng.choice(record.moves()))
    return record.export()


@pytest.mark.skipif(not hasattr(signal, "SIGINT") or sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("name", WORK)
def test_ctrl_c_stops_work(name: str, tmp_path: pathlib.Path) -> None:
    if name in ("batch", "random"):
        pytest.importorskip("numpy")
    if name == "import":
        (tmp_path / "games.jsonl").write_text(long_game("draughts") * 20_000)
    given = GIVEN.get("book" if name in ("top", "export", "parquet") else name.split(":")[0], "")
    code = f"""
        import os, signal, threading, time, tabia
        {"import numpy" if name in ("batch", "random") else ""}
        folder, p = {str(tmp_path)!r}, tabia.game("draughts").position()
        {given}
        pressed = []
        def press():
            time.sleep(0.5)
            pressed.extend((time.monotonic(), time.process_time()))
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=press).start()
        try:
            {WORK[name]}
        except KeyboardInterrupt:
            print(time.monotonic() - pressed[0], time.process_time() - pressed[1])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=300
    )
    assert done.stdout, done.stderr
    wall, cpu = map(float, done.stdout.split())
    print(f"{name}: {wall:.3f} s, of them {cpu:.3f} s of computing", file=sys.stderr)
    # Nothing half-written is left under its own name, or under any other.
    left = {path.name for path in tmp_path.iterdir() if path.is_file()}
    assert left <= {"book.redb", "games.jsonl", "rows.csv", "rows.parquet"}, left


GAMES_PGN = """[Event "one"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[Event "two"]
[Result "1/2-1/2"]

1. d4 d5 1/2-1/2
"""


def test_files_are_read_as_a_stream(tmp_path: pathlib.Path) -> None:
    import gzip

    chess = tabia.game("chess")
    plain, packed = tmp_path / "games.pgn", tmp_path / "games.pgn.gz"
    plain.write_text(GAMES_PGN)
    packed.write_bytes(gzip.compress(GAMES_PGN.encode()))
    for file in (plain, str(plain), packed):
        games = list(chess.read(file))
        assert [g.tags["Event"] for g in games] == ["one", "two"] and games[0].outcome == "win0"
        assert games[0].moves[-1] == "Qxf7#"
    with plain.open() as text, plain.open("rb") as binary:
        assert len(list(chess.read(text))) == len(list(chess.read(binary))) == 2
    assert len(list(chess.read(io.StringIO(GAMES_PGN), kind="pgn"))) == 2
    lines = "".join(chess.record().export() for _ in range(3))
    assert len(list(chess.read(io.BytesIO(lines.encode()), kind="jsonl"))) == 3


def test_bad_games_and_files(tmp_path: pathlib.Path) -> None:
    chess = tabia.game("chess")
    bad = GAMES_PGN.replace("2. Bc4", "2. Bc5")
    with pytest.raises(ValueError, match="Bc5"):
        list(chess.read(io.StringIO(bad), kind="pgn"))
    reader = chess.read(io.StringIO(bad), kind="pgn", skip=True)
    assert len(list(reader)) == 1 and "Bc5" in reader.errors[0]
    closed = io.StringIO(GAMES_PGN)
    closed.close()
    with pytest.raises(ValueError, match="closed"):
        list(chess.read(closed, kind="pgn"))
    with pytest.raises(OSError):
        chess.read(tmp_path / "none.pgn")
    with pytest.raises(tabia.UnknownError):
        chess.read(tmp_path / "games.docx")
    with pytest.raises(TypeError):
        chess.read(7)  # type: ignore[arg-type]
    with chess.read(io.StringIO(GAMES_PGN), kind="pgn") as games:
        next(games)
    assert list(games) == []


def test_books(tmp_path: pathlib.Path) -> None:
    (tmp_path / "games.pgn").write_text(GAMES_PGN)
    chess, path = tabia.game("chess"), tmp_path / "book.redb"
    with tabia.Book(path) as book:
        report = book.import_files("chess", tmp_path / "games.pgn")
        assert report.games == 2 and book.import_files(chess, tmp_path / "games.pgn").games == 0
        record = tabia.Record(chess, ["f3", "e5", "g4", "Qh4#"])
        assert book.record(record, id="mate") and not book.record(record, id="mate")
        answer = book.query(chess.position())
        assert answer.total == 3 and {row["move"] for row in answer.rows} == {"e4", "d4", "f3"}
        assert "<table" in answer._repr_html_()
        assert book.query(chess.position(), sort="score").moves[0].move == "e4"
        top = book.top("chess", 2)
        assert len(top) == 2 and top[0]["total"] == 3
        played = book.selfplay("draughts", 4, "depth=2", seed=1)
        assert played.games == 4
        assert book.export("chess", tmp_path / "rows.csv") > 0 and (tmp_path / "rows.csv").exists()
        assert {v["name"] for v in book.variants} == {"chess", "draughts"}
        assert book.info["games"] == 7
    with pytest.raises(ValueError, match="closed"):
        book.query(chess.position())
    with tabia.Book(path, readonly=True) as book:
        assert book.query(chess.position()).total == 3
        with pytest.raises(ValueError, match="read"):
            book.record(record)
    path.write_bytes(b"no book")
    with pytest.raises((tabia.WorkError, ValueError, OSError)):
        tabia.Book(path)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_forked_processes_get_exceptions(tmp_path: pathlib.Path) -> None:
    code = f"""
        import os, sys, tabia
        book = tabia.Book({str(tmp_path / "b.redb")!r})
        book.selfplay("draughts", 1, "random")
        search = tabia.game("chess").position().searching(time=3600)
        next(search)
        server = tabia.Server(port=0)
        child = os.fork()
        if child == 0:
            good = tabia.game("draughts").position().perft(4) == 1469
            for use in (lambda: book.info, lambda: next(search), server.stop):
                try:
                    use()
                    good = False
                except RuntimeError:
                    pass
            sys.exit(0 if good else 1)
        book.selfplay("draughts", 3, "random", seed=1)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        book.close()
        server.stop()
        sys.exit(code)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], timeout=300)
    assert done.returncode == 0
    # The child's end has not touched what the parent has written.
    with tabia.Book(tmp_path / "b.redb") as book:
        assert book.query(tabia.game("draughts").position()).total == 4
