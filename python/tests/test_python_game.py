"""Games written in Python: known values, an oracle in plain Python, and planted bugs."""

import copy
import functools
import itertools
import os
import pickle
import signal
import threading
import urllib.error
import urllib.request

import pytest
import tabia
from python_games import Boxes, Hex, Nim, TicTacToe


def exact(rules, position=None):
    """The value for the side to move, and the plies to the end: minimax without any of Tabia."""

    @functools.cache
    def value(position):
        outcome = rules.outcome(position)
        side = rules.side(position)
        if outcome is not None:
            return ("draw", None) if outcome == "draw" else ("win" if outcome == side else "loss", 0)
        best = []
        for move in rules.moves(position):
            after = rules.play(position, move)
            word, plies = value(after)
            if rules.side(after) != side:
                word = {"win": "loss", "loss": "win", "draw": "draw"}[word]
            best.append((word, None if plies is None else plies + 1))
        wins = [plies for word, plies in best if word == "win"]
        losses = [plies for word, plies in best if word == "loss"]
        if wins:
            return "win", min(wins)
        return ("loss", max(losses)) if len(losses) == len(best) else ("draw", None)

    return value(rules.start() if position is None else position)


def reachable(rules):
    """Every position that can be reached."""
    met, waiting = {rules.start()}, [rules.start()]
    while waiting:
        position = waiting.pop()
        if rules.outcome(position) is None:
            for move in rules.moves(position):
                after = rules.play(position, move)
                if after not in met:
                    met.add(after)
                    waiting.append(after)
    return met


ALL = [TicTacToe(), Nim(1, 2, 3), Nim(3, 4, 5), Hex(2), Hex(3), Boxes(1, 1), Boxes(2, 1)]


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: type(rules).__name__)
def test_sound_games_pass_the_law_suite(rules):
    tabia.check(rules, games=6, plies=30)


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: type(rules).__name__)
def test_counts_and_values_agree_with_plain_python(rules):
    start = tabia.PythonGame(rules).position()
    assert start.enumerate().total == len(reachable(rules))
    solution = start.solve(method="strong")
    assert (solution.value, solution.distance) == exact(rules)


def test_tic_tac_toe_has_the_published_figures():
    game = tabia.PythonGame(TicTacToe())
    start = game.position()
    assert game.enumerate().total == 5478
    assert game.enumerate(symmetry=True).total == 765
    assert [start.perft(depth) for depth in range(1, 7)] == [9, 72, 504, 3024, 15120, 54720]
    solution = start.solve()
    assert (solution.value, solution.distance) == ("draw", None)


def test_nim_is_decided_by_the_sum_without_carry():
    for heaps in itertools.product(range(4), repeat=3):
        if any(heaps):
            first, second, third = heaps
            wins = (first ^ second ^ third) != 0
            solution = tabia.PythonGame(Nim(*heaps)).position().solve(method="strong")
            assert solution.value == ("win" if wins else "loss"), heaps


def test_searches_find_the_winning_move():
    position = tabia.PythonGame(Nim(3, 4, 5)).position()
    winning = {"1-1"}
    assert position.search(method="mcts", nodes=4000, seed=1).move in winning
    assert position.search(method="proof", nodes=100_000).move in winning
    corner = tabia.PythonGame(TicTacToe()).position("xx./oo./...")
    assert corner.search(method="mcts", nodes=2000).move == "2"


class Counted(TicTacToe):
    """Tic-tac-toe with an evaluation: open lines of either side."""

    id = "counted-tic-tac-toe"

    def evaluate(self, board):
        own, other = "xo" if self.side(board) == 0 else "ox"
        free = [sum(all(board[cell] != mark for cell in line) for line in self.lines) for mark in (other, own)]
        return 10 * (free[0] - free[1])


def test_an_evaluation_is_searched_with():
    game = tabia.PythonGame(Counted())
    assert "search" in game.capabilities
    report = game.position("xx./oo./...").search(depth=3)
    assert report.move == "2"
    tabia.check(Counted(), games=6)


def test_pictures_texts_and_codes():
    game = tabia.PythonGame(TicTacToe())
    position = game.position("xo./.../...")
    assert (position.side, str(position)) == (0, "xo./.../...")
    assert position._repr_svg_().startswith("<svg")
    assert "x" in position.picture(ascii=True)
    assert [move.text for move in position.moves()] == [str(cell) for cell in range(2, 9)]
    assert position.moves()[0].steps == ["c1"]
    assert game.position(position.code("packed")) == position
    assert position.play("4").text == "xo./.x./..."
    canonical, symmetry = position.canonical()
    assert canonical.canonical()[0] == canonical
    assert "Three in a row" in game.view()["rules"]


def test_positions_can_be_copied_and_pickled():
    game = tabia.PythonGame(TicTacToe())
    position = game.position("xo./.../...")
    assert copy.copy(position) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert pickle.loads(pickle.dumps(game)).position().text == ".../.../..."


def test_input_that_is_no_position_or_move_is_refused():
    game = tabia.PythonGame(TicTacToe())
    for text in ("", "xo", "xo./.../..?", "0x00ff"):
        with pytest.raises(tabia.PositionError):
            game.position(text)
    with pytest.raises(tabia.MoveError):
        game.position().play("nine")
    with pytest.raises(tabia.MoveError):
        game.position("xo./.../...").play("0")


def test_the_page_is_served():
    with tabia.Server(TicTacToe(), port=0) as server:
        page = urllib.request.urlopen(server.url).read()
        assert b"<html" in page.lower()
        base = server.url.rsplit("/", 1)[0]
        games = urllib.request.urlopen(f"{base}/api/v1/games").read()
        assert b"python-tic-tac-toe" in games and b"chess" in games


def test_an_exception_on_the_page_is_an_error_there_and_raised_when_the_server_stops():
    server = tabia.Server(broken(moves=raises_late), port=0)
    base = server.url.rsplit("/", 1)[0]
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"{base}/api/v1/games/broken/position?pos=xo./xo./...")
    assert caught.value.code == 500
    assert "in the fourth move" in caught.value.read().decode()
    with pytest.raises(ZeroDivisionError, match="fourth move"):
        server.stop()
    server.stop()


@pytest.mark.skipif(os.name != "posix", reason="signals to oneself")
@pytest.mark.parametrize(
    "work",
    [
        lambda: tabia.check(TicTacToe(), games=1_000_000),
        lambda: tabia.PythonGame(Hex(6)).position().enumerate(),
        lambda: tabia.PythonGame(Hex(6)).position().search(method="mcts", time=600),
    ],
)
def test_control_c_ends_the_work(work):
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()
    timer.join()
    tabia.check(Nim(1, 2), games=1)


def broken(**methods):
    """Tic-tac-toe with some methods replaced."""
    return type("Broken", (TicTacToe,), {"id": "broken", **methods})()


def raises_late(self, board):
    if board.count(".") == 5:
        raise ZeroDivisionError("in the fourth move")
    return TicTacToe.moves(self, board)


QUESTIONS = {
    "perft": lambda start: start.perft(6),
    "enumerate": lambda start: start.enumerate(),
    "solve": lambda start: start.solve(),
    "playouts": lambda start: start.playouts(100),
    "search": lambda start: start.search(method="mcts", time=30),
    "threads": lambda start: start.perft(6, threads=3),
    "choose": lambda start: start.choose("mcts=1000"),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_exceptions_are_raised_from_the_call(question):
    start = tabia.PythonGame(broken(moves=raises_late)).position()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError, match="fourth move"):
            QUESTIONS[question](start)
    # What can be answered without the failing part is answered.
    assert start.perft(3) == 504


def test_nothing_that_failing_rules_say_comes_into_a_book(tmp_path):
    game = tabia.PythonGame(broken(moves=raises_late))
    with tabia.Book(tmp_path / "book.redb") as book:
        with pytest.raises(ZeroDivisionError):
            book.selfplay(game, 20, "random")
        assert book.query(tabia.PythonGame(TicTacToe()).position()).total == 0
        assert book.selfplay(tabia.PythonGame(TicTacToe()), 20, "random").games == 20
        assert book.query(tabia.PythonGame(TicTacToe()).position()).total == 20


def test_exceptions_of_short_questions_are_raised():
    game = tabia.PythonGame(broken(play=lambda self, board, cell: None))
    with pytest.raises(TypeError, match="play gave None"):
        game.position().play("0")
    game = tabia.PythonGame(broken(outcome=lambda self, board: "x"))
    with pytest.raises(ValueError, match="outcome gives"):
        list(game.position().moves())


def test_one_game_may_be_asked_from_several_threads():
    start = tabia.PythonGame(TicTacToe()).position()
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(start.perft(6))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [54720] * 4


class Mutable:
    """A board that changes under the feet of whoever holds it."""

    def __init__(self, cells):
        self.cells = cells

    def __eq__(self, other):
        return self.cells == other.cells

    def __hash__(self):
        return 0


class Changing(TicTacToe):
    id = "changing"

    def start(self):
        return Mutable("." * 9)

    def play(self, board, cell):
        board.cells = TicTacToe.play(self, board.cells, cell)
        return board

    side = lambda self, board: TicTacToe.side(self, board if isinstance(board, str) else board.cells)
    moves = lambda self, board: TicTacToe.moves(self, board.cells)
    outcome = lambda self, board: TicTacToe.outcome(self, board.cells)
    pack = lambda self, board: board.cells.encode()
    text = parse = unpack = cells = None
    symmetries = None


def is_odd(self, places):
    """Whether a permutation is made of an odd number of exchanges, as the mirror is."""
    return sum(a > b for a, b in itertools.combinations(places, 2)) % 2 == 1


def only_a_row_wins(self, board):
    return 0 if board[:3] == "xxx" else None if "." in board else "draw"


BUGS = {
    "playing leaves the position as it was": Changing(),
    "unpacking gives the position": broken(
        pack=lambda self, board: board[2:].encode(), unpack=None, text=None, parse=None, symmetries=None
    ),
    "a packed position can be unpacked": broken(
        unpack=lambda self, code: "." * 9, parse=lambda self, text: text.replace("/", "")
    ),
    "text gives the same position back": broken(text=lambda self, board: board[1:], parse=None),
    "the key follows every move": broken(parse=lambda self, text: "." * 9),
    "a game is over exactly when there is no move": broken(outcome=lambda self, board: None),
    "every move is listed once": broken(moves=lambda self, board: TicTacToe.moves(self, board) * 2),
    "a written move can be read": broken(move_text=lambda self, board, move: "x"),
    "legal moves map to legal moves": broken(map_move=lambda self, cell, places: places[cell] + 9),
    "mapping and playing commute": broken(map_move=lambda self, cell, places: 8 - cell),
    "symmetries act one after the other": broken(
        map_state=lambda self, board, places: "".join(board[place] for place in places),
        map_move=lambda self, cell, places: places.index(cell),
    ),
    "the outcome is mapped": broken(outcome=only_a_row_wins),
    "the listed symmetries are closed": broken(swaps=lambda self, places: places[0] == 2),
    "the side to move is mapped": broken(swaps=is_odd),
    "moves are clicked on cells": broken(steps=lambda self, board, move: ["z9"]),
    "every move changes the picture": broken(cells=lambda self, board: ["...", "...", "..."]),
    "symmetric positions evaluate equally": broken(evaluate=lambda self, board: board.find("x")),
}


@pytest.mark.parametrize("law", BUGS)
def test_planted_bugs_are_named(law):
    with pytest.raises(tabia.LawError) as caught:
        tabia.check(BUGS[law])
    assert caught.value.law == law
    assert caught.value.details


def test_a_check_raises_what_the_game_raises():
    with pytest.raises(ZeroDivisionError):
        tabia.check(broken(moves=raises_late))


def test_what_is_no_game_is_refused_at_once():
    with pytest.raises(TypeError, match="has no method"):
        tabia.PythonGame(object())
    with pytest.raises(TypeError, match="is a class"):
        tabia.PythonGame(TicTacToe)
    with pytest.raises(TypeError, match="hashed"):
        tabia.PythonGame(broken(start=lambda self: ["."] * 9))
    with pytest.raises(ValueError, match="at most"):
        tabia.PythonGame(broken(pack=lambda self, board: bytes(1000)))
    with pytest.raises(ValueError, match="permutation"):
        tabia.PythonGame(broken(symmetries=lambda self: [(0, 0, 1)]))
    with pytest.raises(ValueError, match="id of a game"):
        tabia.PythonGame(broken(id="No Id"))
