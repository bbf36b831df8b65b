"""Whatever is typed, the answer is a value or a Python exception: nothing ends the interpreter."""

from __future__ import annotations

from typing import Any

import pytest

hypothesis = pytest.importorskip("hypothesis")
np = pytest.importorskip("numpy")

from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

import tabia  # noqa: E402

ANYTHING: Any = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.binary(),
    st.lists(st.integers(), max_size=4),
    st.sampled_from(["start", "empty", "11-15", "e4", "#0", "0x", "pgn", "random", "depth=1"]),
)
PYTHON = (TypeError, ValueError, OverflowError, IndexError, LookupError, OSError, RuntimeError, MemoryError)
GAMES = [g.id for g in tabia.games()]
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def attempt(call: Any) -> None:
    try:
        call()
    except PYTHON:
        pass


@QUICK
@given(st.sampled_from(GAMES), st.text(max_size=60))
def test_texts(name: str, text: str) -> None:
    game = tabia.game(name)
    try:
        position = game.position(text)
    except tabia.TabiaError as error:
        assert error.reasons and (error.offset is None or 0 <= error.offset <= len(text.encode()))
    else:
        assert game.position(position.text) == position
    attempt(lambda: game.position().play(text))
    attempt(lambda: game.position(text, format="packed"))


@QUICK
@given(st.sampled_from(GAMES), st.binary(max_size=40))
def test_codes(name: str, code: bytes) -> None:
    attempt(lambda: tabia.game(name).position("0x" + code.hex()))


METHODS = ["play", "code", "perft", "divide", "playouts", "choose", "search", "solve", "enumerate"]
SMALL: dict[str, dict[str, Any]] = {
    "playouts": {"time": 0.01},
    "search": {"nodes": 100},
    "solve": {"time": 0.01},
    "enumerate": {"depth": 1},
}


@QUICK
@given(st.sampled_from(GAMES), st.sampled_from(METHODS), ANYTHING)
def test_methods_of_positions(name: str, method: str, argument: Any) -> None:
    if method in ("perft", "divide") and isinstance(argument, int) and argument > 3:
        argument = 10**6
    # So many games are played, however long that takes.
    if method == "playouts" and isinstance(argument, int):
        argument = min(argument, 20)
    position = tabia.game(name).position()
    attempt(lambda: getattr(position, method)(argument))
    options = SMALL.get(method, {})
    for option in ("threads", "method", "goal", "symmetry", "lines", "seed", "hash_mb", "tables"):
        if option == "threads" and isinstance(argument, int) and argument > 4:
            argument = 10**9
        if option == "hash_mb" and isinstance(argument, int):
            argument = min(argument, 2)
        attempt(lambda: getattr(position, method)(**{**options, option: argument}))


@QUICK
@given(ANYTHING, ANYTHING)
def test_constructors(first: Any, second: Any) -> None:
    if isinstance(second, int) and second > 100:
        second = 10**9
    attempt(lambda: tabia.game(first))
    attempt(lambda: tabia.Batch(first, second))
    attempt(lambda: tabia.Batch("arx", second))
    attempt(lambda: tabia.Record(first, second))
    attempt(lambda: tabia.Record("chess", second))
    attempt(lambda: tabia.Tables(first))
    attempt(lambda: tabia.game("chess").read(first, kind=second))


@QUICK
@given(st.sampled_from(GAMES), ANYTHING)
def test_methods_of_batches(name: str, argument: Any) -> None:
    batch = tabia.Batch(name, 3)
    for method in ("step", "mask", "observe", "unpack", "reset", "position", "reseed"):
        attempt(lambda: getattr(batch, method)(argument))
    if not isinstance(argument, int) or argument < 100:
        attempt(lambda: batch.random(argument))
        attempt(lambda: batch.playouts(argument))
    assert len(batch.outcome()) == 3


@QUICK
@given(st.sampled_from(GAMES), st.data())
def test_arrays_of_every_kind(name: str, data: Any) -> None:
    batch = tabia.Batch(name, 3)
    dtype = data.draw(st.sampled_from(["int8", "uint8", "int16", "int32", "int64", "uint64", "float32", "bool", "U3", "O"]))
    shape = data.draw(st.sampled_from([(3,), (0,), (3, 1), (1, 3), (), (4,), (3, batch.actions), (3, *batch.planes)]))
    array = np.zeros(shape, dtype)
    for method in ("step", "mask", "observe", "unpack", "reset"):
        attempt(lambda: getattr(batch, method)(array))
        attempt(lambda: getattr(batch, method)(array[::-1] if array.ndim else array))
    attempt(lambda: batch.unpack(batch.packed()[0], array))
    assert len(batch.outcome()) == 3
