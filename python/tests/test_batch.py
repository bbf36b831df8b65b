"""Many games at once, against the objects and against itself."""

from __future__ import annotations

import random
from typing import Any

import pytest

np = pytest.importorskip("numpy")

import tabia  # noqa: E402

N = 16


def test_shapes_and_types(game: tabia.Game) -> None:
    b = tabia.Batch(game, N, seed=1)
    assert len(b) == N and b.game == game
    assert b.planes[0] > 0 and b.actions > 0
    mask = b.mask()
    assert mask.shape == (N, b.actions) and mask.dtype == np.bool_
    bits = b.mask(bits=True)
    assert bits.dtype == np.uint8 and bits.shape == (N, (b.actions + 7) // 8)
    assert (np.unpackbits(bits, axis=1, bitorder="little")[:, : b.actions] == mask).all()
    offsets, actions = b.legal()
    assert offsets.dtype == np.int64 and actions.dtype == np.int32 and offsets[-1] == len(actions)
    for row in range(N):
        assert sorted(actions[offsets[row] : offsets[row + 1]]) == list(np.flatnonzero(mask[row]))
    planes = b.observe()
    assert planes.shape == (N, *b.planes) and planes.dtype == np.uint8
    assert b.outcome().dtype == np.int8 and b.side().dtype == np.uint8 and b.keys().dtype == np.uint64


def test_batches_agree_with_objects(game: tabia.Game) -> None:
    b, rng = tabia.Batch(game, 4, seed=2), random.Random(5)
    positions = [game.position()] * 4
    for _ in range(12):
        offsets, actions = b.legal()
        assert list(b.keys()) == [p.key for p in positions]
        assert list(b.side()) == [p.side for p in positions]
        assert list(np.diff(offsets)) == [p.count if b.outcome()[i] < 0 else 0 for i, p in enumerate(positions)]
        chosen = np.full(4, -1, np.int64)
        for row, position in enumerate(positions):
            moves = int(offsets[row + 1] - offsets[row])
            if moves:
                number = rng.randrange(moves)
                chosen[row] = actions[offsets[row] + number]
                positions[row] = position.play(number)
        b.step(chosen)
    assert [b.position(row).key for row in range(4)] == [p.key for p in positions]


def test_randomness_depends_on_the_seed_alone(game: tabia.Game) -> None:
    one, other = tabia.Batch(game, N, seed=7), tabia.Batch(game, N, seed=7, threads=3)
    for batch in (one, other):
        batch.random(10)
    assert (one.keys() == other.keys()).all()
    assert (one.playouts(3) == other.playouts(3)).all()
    one.reseed(8)
    for batch in (one, other):
        batch.reset()
        batch.random(4)
    assert (one.keys() != other.keys()).any()


def test_encodings_go_there_and_back(game: tabia.Game) -> None:
    b = tabia.Batch(game, N, seed=3)
    b.random(8)
    keys, (packed, lengths) = b.keys(), b.packed()
    canonical, _ = b.canonical()
    other = tabia.Batch(game, N, seed=9)
    other.unpack(packed, lengths)
    assert (other.packed()[0] == packed).all() and (other.canonical()[0] == canonical).all()
    if game.id != "five-visible":  # its encoding is canonical: stacks may change places
        assert (other.keys() == keys).all()
    broken = packed.copy()
    broken[3] = 255
    with pytest.raises(ValueError, match="row 3"):
        other.unpack(broken, lengths)
    assert (other.packed()[0] == packed).all()


def test_illegal_actions_are_refused_by_row() -> None:
    b = tabia.Batch("draughts", 4)
    before, (offsets, actions) = b.keys(), b.legal()
    chosen = actions[offsets[:-1]].copy()
    chosen[1], chosen[3] = b.actions, np.setdiff1d(np.arange(b.actions), actions)[0]
    with pytest.raises(tabia.ActionError) as refused:
        b.step(chosen)
    assert refused.value.rows == [1, 3] and refused.value.reasons
    assert (b.keys() == before).all()
    b.step([-1, -1, -1, -1])
    assert (b.keys() == before).all()
    b.step(list(actions[offsets[:-1]]))
    assert (b.keys() != before).all()


@pytest.mark.parametrize(
    "wrong",
    [None, "a", [0.5] * 4, np.zeros(4), [True] * 4, [0] * 3, [[0] * 4], 7, np.zeros((4, 1), int), [2**70] * 4, object()],
    ids=repr,
)
def test_wrong_actions_are_refused(wrong: Any) -> None:
    b = tabia.Batch("draughts", 4)
    with pytest.raises((TypeError, ValueError, OverflowError)):
        b.step(wrong)


@pytest.mark.parametrize("number", [2**31, 2**40, 2**63 - 1, 10**6])
def test_numbers_too_large_are_no_actions(number: int) -> None:
    b = tabia.Batch("draughts", 2)
    with pytest.raises(tabia.ActionError):
        b.step([number, number])
    with pytest.raises(tabia.ActionError):
        b.step(np.array([2**64 - 1, 2**63], np.uint64))


def test_buffers_of_the_caller() -> None:
    b = tabia.Batch("chess", N)
    planes, bits = np.ones((N, *b.planes), np.uint8), np.ones((N, (b.actions + 7) // 8), np.uint8)
    mask = np.ones((N, b.actions), np.bool_)
    assert b.observe(planes) is planes and (planes == b.observe()).all()
    assert b.mask(bits, bits=True) is bits and (bits == b.mask(bits=True)).all()
    assert b.mask(mask) is mask and (mask == b.mask()).all()
    frozen = planes.copy()
    frozen.flags.writeable = False
    bad: list[Any] = [planes[:-1], planes.astype(np.int16), planes[..., ::-1], planes.transpose(), frozen, [1]]
    for out in bad:
        with pytest.raises((ValueError, TypeError, AttributeError)):
            b.observe(out)
    with pytest.raises(ValueError):
        b.mask(mask, bits=True)  # type: ignore[call-overload]
    with pytest.raises(ValueError):
        b.mask(bits)  # type: ignore[arg-type,call-overload,unused-ignore]


def test_rows_begin_anew() -> None:
    b = tabia.Batch("five-visible", 6, seed=4)
    start = b.keys()
    b.random(3)
    b.reset([1, 4])
    assert list(b.keys() == start) == [False, True, False, False, True, False]
    b.reset(np.array([True, False, False, False, False, False]))
    assert b.keys()[0] == start[0]
    for wrong in ([6], [-1], [2**40]):
        with pytest.raises(IndexError):
            b.reset(wrong)
    with pytest.raises(ValueError):
        b.reset(np.array([True]))
    b.random(10_000)
    assert (b.outcome() >= 0).all() and b.reset_finished() == 6
    assert (b.keys() == start).all()


def test_outcomes_of_puzzles() -> None:
    b = tabia.Batch("solitaire", 8, seed=1)
    b.random(100)
    assert set(b.outcome()) <= {0, 2}
    with pytest.raises(tabia.UnsupportedError):
        b.evaluate()


def test_evaluations_and_playouts() -> None:
    b = tabia.Batch("draughts", 5, seed=1)
    assert b.evaluate().dtype == np.int32 and len(set(b.evaluate())) == 1
    counts = b.playouts(20)
    assert counts.shape == (5, 3) and (counts.sum(axis=1) == 20).all()


def test_a_batch_starts_where_it_is_told() -> None:
    start = tabia.game("draughts").position("B:W18,24,K30:B5,12")
    b = tabia.Batch(start, 3)
    assert set(b.keys()) == {start.key}
    b.random(2)
    b.reset()
    assert set(b.keys()) == {start.key}
    board = next(name for name in tabia.game("solitaire").starts if name.startswith("triangle"))
    triangle = tabia.game("solitaire").position(board)
    assert tabia.Batch(triangle, 2).position(1) == triangle


@pytest.mark.parametrize("n", [-1, 2**40, 2**64, 1.5, "1", None])
def test_wrong_sizes_are_refused(n: Any) -> None:
    with pytest.raises((TypeError, ValueError, OverflowError)):
        tabia.Batch("chess", n)


def test_wrong_games_and_options_are_refused() -> None:
    for wrong in (None, 1, b"chess", object()):
        with pytest.raises(TypeError):
            tabia.Batch(wrong, 1)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        tabia.Batch("chess", 1, threads=0)
    with pytest.raises(tabia.UnknownError):
        tabia.Batch("chess960", 1)
    assert len(tabia.Batch("chess", 0).keys()) == 0


def test_one_batch_in_two_threads_is_an_exception_not_a_crash() -> None:
    import threading

    b, trouble = tabia.Batch("chess", 256), []

    def work() -> None:
        try:
            for _ in range(50):
                b.random(3)
        except RuntimeError as error:
            trouble.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("borrowed" in message for message in trouble)
