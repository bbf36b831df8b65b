"""What is installed beside the module: the command, the page, the files that others read."""

from __future__ import annotations

import csv
import os
import pathlib
import re
import signal
import subprocess
import sys
import urllib.request
from importlib.metadata import version

import pytest

import tabia

COMMAND = pathlib.Path(sys.executable).with_name("tabia.exe" if sys.platform == "win32" else "tabia")


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, timeout=300)


def test_the_version_is_that_of_the_program() -> None:
    assert run("--version").stdout.split()[1] == tabia.__version__ == version("tabia")


def test_the_command_is_installed() -> None:
    assert "7361 nodes" in run("perft", "draughts", "5").stdout
    assert run("show", "chess", "nonsense").returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_the_command_serves_the_page() -> None:
    with subprocess.Popen([COMMAND, "serve", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = ""
            for line in server.stdout:
                if found := re.search(r"http://[0-9.:]+", line):
                    address = found.group()
                    break
            with urllib.request.urlopen(address) as page:
                assert b"<html" in page.read().lower()
            with urllib.request.urlopen(f"{address}/api/v1/games") as games:
                assert b"draughts" in games.read()
        finally:
            server.send_signal(signal.SIGINT)
        server.wait(60)


@pytest.fixture
def book(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "book.redb"
    with tabia.Book(path) as book:
        for game in ("draughts", "five-visible"):
            assert book.selfplay(game, 8, "random", seed=3).games == 8
    return path


@pytest.mark.parametrize("game", ["draughts", "five-visible"])
def test_parquet_files_count_what_the_book_counts(game: str, book: pathlib.Path, tmp_path: pathlib.Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    ours, theirs, lines = tmp_path / "ours.parquet", tmp_path / "theirs.parquet", tmp_path / "rows.csv"
    with tabia.Book(book, readonly=True) as opened:
        rows = opened.to_parquet(ours, game)
        assert opened.export(game, lines) == rows
        query = opened.query(tabia.game(game).position())
    run("book", "export", game, "--book", book, "--format", "parquet", "--out", theirs)
    assert ours.read_bytes() == theirs.read_bytes()
    table = parquet.read_table(ours)
    assert table.num_rows == rows
    with lines.open(newline="") as file:
        plain = list(csv.DictReader(file))
    for name in ("met", "total", "wins0", "wins1", "draws"):
        assert table[name].to_pylist() == [int(row[name]) for row in plain]
    assert table["position"].to_pylist() == [row["position"] for row in plain]
    assert [move or "" for move in table["move"].to_pylist()] == [row["move"] for row in plain]
    codes = [int(row["code"], 16) if row["code"] else None for row in plain]
    assert table["code"].to_pylist() == codes and any(codes) == (game == "five-visible")
    start = tabia.game(game).position().canonical()[0]
    at_start = [row for row in table.to_pylist() if row["packed"] == start.packed]
    assert sum(row["total"] for row in at_start) == query.total == at_start[0]["met"] == 8


def test_a_book_of_nothing_is_an_empty_file(tmp_path: pathlib.Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    with tabia.Book(tmp_path / "book.redb") as book:
        assert book.to_parquet(tmp_path / "none.parquet", "chess") == 0
        with pytest.raises(OSError):
            book.to_parquet(tmp_path / "nowhere" / "none.parquet", "chess")
    assert parquet.read_table(tmp_path / "none.parquet").num_rows == 0
    assert sorted(os.listdir(tmp_path)) == ["book.redb", "none.parquet"]
