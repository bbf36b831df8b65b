"""Games, positions, moves and records."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
import threading

import pytest

import tabia

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def walk(game: tabia.Game, plies: int, seed: int = 0) -> list[tabia.Position]:
    """The positions of a random game."""
    rng, positions = random.Random(seed), [game.position()]
    while len(positions) <= plies and positions[-1].count and positions[-1].outcome is None:
        positions.append(positions[-1].play(rng.choice(positions[-1].moves())))
    return positions


def test_games_are_found_by_name() -> None:
    assert [g.id for g in tabia.games()] == ["five-visible", "arx", "solitaire", "draughts", "chess"]
    assert tabia.game("dr") == tabia.game("draughts")
    assert hash(tabia.game("chess")) == hash(tabia.game("chess"))
    assert tabia.game("chess") != tabia.game("arx")
    with pytest.raises(tabia.UnknownError, match="draughts"):
        tabia.game("draughs")


def test_all_games_say_what_they_can(game: tabia.Game) -> None:
    assert "batch" in game.capabilities
    assert game.view()["id"] == game.id
    assert len(game.sides) == game.players
    assert game.name and game.starts


def test_positions_are_values(game: tabia.Game) -> None:
    for position in walk(game, 12):
        again = game.position(position.text)
        assert again == position and hash(again) == hash(position) and again is not position
        assert {again} == {position}
        assert copy.copy(position) == copy.deepcopy(position) == position
        assert pickle.loads(pickle.dumps(position)) == position
        assert str(position) == position.text
        assert position.codes["text"] == position.text
        assert position.key == int(position.codes["key"].split(":")[-1], 16)
        assert position.packed.hex() == position.codes["packed"].split("0x")[-1]
        assert position != "a text"


def test_every_named_start_survives_pickling(game: tabia.Game) -> None:
    for name in game.starts:
        start = game.position(name)
        again = pickle.loads(pickle.dumps(start))
        assert again == start and again.variant == start.variant


def test_codes_are_read_back(game: tabia.Game) -> None:
    position = walk(game, 6)[-1]
    again = game.position(position.code("packed"), format="packed")
    assert again.packed == position.packed and again.canonical()[0] == position.canonical()[0]


def test_canonical_forms_agree(game: tabia.Game) -> None:
    for position in walk(game, 8):
        representative, symmetry = position.canonical()
        assert isinstance(symmetry, str)
        assert representative.canonical()[0] == representative


def test_canonical_of_mirrored_positions() -> None:
    chess = tabia.game("chess")
    white = chess.position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    black = chess.position("4k3/4p3/8/8/8/8/8/4K3 b - - 0 1")
    assert white != black
    assert white.canonical()[0] == black.canonical()[0]


def test_moves_are_a_sequence(game: tabia.Game) -> None:
    position = game.position()
    moves = position.moves()
    assert len(moves) == position.count == len(list(moves)) == len(moves.texts)
    assert [m.text for m in moves] == moves.texts == [str(m) for m in moves]
    assert moves[-1] == moves[len(moves) - 1] == list(moves)[-1]
    assert [m.number for m in moves[1::2]] == list(range(len(moves)))[1::2]
    assert moves[0] in moves and moves.texts[0] in moves and "nonsense" not in moves
    assert len({m for m in moves} | {m for m in position.moves()}) == len(moves)
    with pytest.raises(IndexError):
        moves[len(moves)]
    with pytest.raises(IndexError):
        moves[-len(moves) - 1]
    with pytest.raises(TypeError):
        moves["a"]  # type: ignore[call-overload]


def test_a_move_is_played_in_every_way(game: tabia.Game) -> None:
    position = walk(game, 3)[-1]
    for move in position.moves():
        after = move.after()
        assert position.play(move) == after
        assert position.play(move.number) == after
        assert game.position(position.text).play(move) == after
        assert pickle.loads(pickle.dumps(move)) == move
        assert move.steps and all(isinstance(step, str) for step in move.steps)
        assert move.position == position
        # A text may stand for several moves (equal ones), but leads to one position up to symmetry.
        assert position.play(move.text).canonical()[0] == after.canonical()[0]


def test_moves_tell_what_they_take() -> None:
    position = tabia.game("chess").position(KIWIPETE)
    taken = {m.text for m in position.moves() if m.capture}
    assert len(taken) == 8  # the published count of captures of this position
    assert tabia.game("solitaire").position().moves()[0].capture
    assert isinstance(tabia.game("five-visible").position().moves()[0].code, int)


def test_wrong_positions_say_where_and_why() -> None:
    draughts = tabia.game("draughts")
    with pytest.raises(tabia.PositionError) as syntax:
        draughts.position("B:W18,x")
    assert isinstance(syntax.value, ValueError)
    assert syntax.value.offset == 6 and syntax.value.expected and syntax.value.reasons
    with pytest.raises(tabia.PositionError) as rules:
        tabia.game("chess").position("4k3/8/8/8/8/8/8/8 w - - 0 1")
    assert rules.value.expected is None and rules.value.reasons
    with pytest.raises(tabia.MoveError) as illegal:
        draughts.position().play("1-32")
    assert illegal.value.reasons and illegal.value.input == "1-32"
    with pytest.raises(tabia.UnsupportedError):
        tabia.game("solitaire").position().search()
    with pytest.raises(tabia.UnknownError):
        draughts.position().code("morse")


@pytest.mark.parametrize("wrong", [None, 1.5, b"11-15", [], object()])
def test_moves_of_a_wrong_type_are_refused(wrong: object) -> None:
    position = tabia.game("draughts").position()
    with pytest.raises(TypeError):
        position.play(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        position.record().play(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [7, 10**6, -1, 2**64])
def test_moves_of_a_wrong_number_are_refused(number: int) -> None:
    position = tabia.game("draughts").position()
    with pytest.raises(IndexError, match=str(number)):
        position.play(number)
    with pytest.raises((tabia.MoveError, IndexError)):
        position.record().play(number)


def test_records_know_their_history() -> None:
    record = tabia.game("chess").record()
    for _ in range(2):
        for text in ["Nf3", "Nf6", "Ng1", "Ng8"]:
            assert record.outcome is None
            record.play(text)
    assert record.repetition == 3 and record.outcome == "draw" and record.draw_reason == "repetition"
    assert len(record) == 8 and len(record.positions) == 9 and record.history[:2] == ["Nf3", "Nf6"]
    assert record.position.outcome is None and record.position != record.start
    with pytest.raises(tabia.MoveError, match="repetition"):
        record.play("e4")
    assert record.undo() == "Ng8"
    assert record.repetition == 2 and record.outcome is None
    again = pickle.loads(pickle.dumps(record))
    assert again.history == record.history and again.position == record.position
    other = record.copy()
    other.play(other.moves()[0])
    assert len(other) == len(record) + 1
    assert "1. Nf3 Nf6" in record.export("pgn", tags={"Event": "a test"})
    assert tabia.game("chess").record().undo() is None


def test_records_of_all_games_are_played_and_written(game: tabia.Game) -> None:
    rng, record = random.Random(3), game.record()
    while record.outcome is None:
        record.play(rng.choice(record.moves()))
    assert record.outcome in ("win0", "win1", "draw")
    again = tabia.Record(game, record.history)
    assert again.position == record.position and again.outcome == record.outcome
    with pytest.raises(tabia.UnknownError):
        record.export("docx")


def test_pictures() -> None:
    position = tabia.game("chess").position()
    assert position._repr_svg_().startswith("<svg") and position.svg().rstrip().endswith("</svg>")
    assert "R" in position.picture(ascii=True)
    assert position.record()._repr_svg_() == position.svg()


def test_positions_are_used_from_many_threads() -> None:
    position = tabia.game("chess").position(KIWIPETE)
    counts: list[int] = []

    def work() -> None:
        counts.append(sum(position.play(move).count for move in position.moves()))
        counts.append(position.perft(2))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(counts) == {2039}


def test_import_needs_no_numpy() -> None:
    code = "import sys; sys.modules['numpy'] = None; import tabia; print(tabia.game('chess').position().perft(3))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "8902\n"


def test_the_command_is_the_program() -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "tabia", *words], capture_output=True, text=True)

    assert "draughts" in run("games").stdout
    assert run("perft", "chess", "3", "--json").stdout.find("8902") >= 0
    assert run("show", "chess", "nonsense").returncode == 2
    assert run("--version").stdout.startswith("tabia")
