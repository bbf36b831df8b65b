"""How fast the Python package is, beside its peers: one thread, CPU time, all in one run.

    python crates/python/benches/compare.py [--seconds 1] [--rounds 3] [--peers] [--install] [--json FILE]

`--peers` measures OpenSpiel, Pgx and python-chess where they are installed; `--install` installs them first; what cannot be
is named. Rates are the best of the rounds: plies of uniformly random play per second of CPU time of the whole process.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

# Before anything that starts threads is imported.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

N = 1024
PEERS = {"open_spiel": "pyspiel", "pgx": "pgx", "chess": "chess"}
GAMES = ["draughts", "chess", "arx", "five-visible", "solitaire"]
# What is asked for, in millions a second.
WANTED = {
    "batch, bit masks": [14, 3, 2.5, 8, 7],
    "batch, bit masks and planes": [11, 2.8, 2, 6, 6],
    "batch, packed": [500, 20, None, None, None],
    "batch, unpack": [50, 10, None, None, None],
    "objects, moves listed": [0.8, 0.5, None, None, None],
    "objects, by number": [2.5, 1.3, None, None, None],
}

clock = time.process_time


class Bench:
    """Measures, and keeps what was measured."""

    def __init__(self, seconds: float, rounds: int) -> None:
        self.seconds, self.rounds = seconds, rounds
        self.rates: dict[str, dict[str, float]] = {}

    def rate(self, what: str, which: str, work: Callable[[], int]) -> float:
        """The best rate of `work`, which returns how much it has done."""
        best = 0.0
        for _ in range(self.rounds):
            done, began = 0, clock()
            while (spent := clock() - began) < self.seconds:
                done += work()
            best = max(best, done / spent)
        self.rates.setdefault(what, {})[which] = best
        print(f"{what:34} {which:22} {best / 1e6:10.3f} M/s", flush=True)
        return best


def loop(new: Callable[[], Any], ply: Callable[[Any], Any]) -> Callable[[], int]:
    """Plays on in one game after the other; `ply` returns the game after a ply, or None at its end."""
    state = [new()]

    def work() -> int:
        at, plies = state[0], 0
        for _ in range(256):
            after = ply(at)
            if after is None:
                at = new()
            else:
                at, plies = after, plies + 1
        state[0] = at
        return plies

    return work


def objects(bench: Bench) -> None:
    import tabia

    choice, number = random.choice, random.random

    def listed(position: Any) -> Any:
        moves = position.moves()
        return position.play(choice(moves)) if len(moves) else None

    def all_listed(position: Any) -> Any:
        moves = list(position.moves())
        return position.play(choice(moves)) if moves else None

    def numbered(new: Callable[[], Any]) -> Callable[[], int]:
        state = [new()]

        def work() -> int:
            at, plies = state[0], 0
            for _ in range(256):
                if count := at.count:
                    at, plies = at.play(int(number() * count)), plies + 1
                else:
                    at = new()
            state[0] = at
            return plies

        return work

    def recorded(record: Any) -> Any:
        if record.outcome is not None:
            return None
        record.play(choice(record.moves()))
        return record

    for name in GAMES:
        game = tabia.game(name)
        bench.rate("objects, moves listed", name, loop(game.position, listed))
        bench.rate("objects, every move an object", name, loop(game.position, all_listed))
        bench.rate("objects, by number", name, numbered(game.position))
        bench.rate("records, until the game is over", name, loop(game.record, recorded))


def batches(bench: Bench) -> None:
    import numpy as np

    import tabia

    for name in GAMES:
        batch = tabia.Batch(name, N, seed=1)
        bits = np.zeros((N, (batch.actions + 7) // 8), np.uint8)
        planes = np.zeros((N, *batch.planes), np.uint8)

        def plain() -> int:
            batch.random()
            return N - batch.reset_finished()

        def masked() -> int:
            batch.mask(bits, bits=True)
            return plain()

        def seen() -> int:
            batch.observe(planes)
            return masked()

        def stepped() -> int:
            offsets, actions = batch.legal()
            counts = np.diff(offsets)
            batch.step(actions[offsets[:-1] + (rng.random(N) * counts).astype(np.int64)])
            return N - batch.reset_finished()

        rng = np.random.default_rng(1)
        batch.random(20), batch.reset_finished()
        bench.rate("batch, random", name, plain)
        bench.rate("batch, bit masks", name, masked)
        bench.rate("batch, bit masks and planes", name, seen)
        bench.rate("batch, legal and step by numpy", name, stepped)
        packed, lengths = batch.packed()
        # Several at a time: one takes little longer than a look at the clock.
        bench.rate("batch, packed", name, lambda: sum(len(batch.packed()[1]) for _ in range(16)))

        def unpack() -> int:
            batch.unpack(packed, lengths)
            return N

        bench.rate("batch, unpack", name, unpack)


def open_spiel(bench: Bench) -> None:
    import pyspiel

    def ply(state: Any) -> Any:
        if state.is_terminal():
            return None
        state.apply_action(random.choice(state.legal_actions()))
        return state

    for ours, theirs in [("draughts", "checkers"), ("chess", "chess")]:
        game = pyspiel.load_game(theirs)
        bench.rate("OpenSpiel, a Python loop", ours, loop(game.new_initial_state, ply))


def python_chess(bench: Bench) -> None:
    import chess

    def ply(board: Any) -> Any:
        moves = list(board.legal_moves)
        if not moves or board.halfmove_clock >= 100:
            return None
        board.push(random.choice(moves))
        return board

    bench.rate("python-chess, a Python loop", "chess", loop(chess.Board, ply))


def pgx(bench: Bench) -> None:
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make("chess")
    began = time.monotonic()

    @jax.jit
    def ply(state: Any, key: Any) -> Any:
        keys = jax.random.split(key, N + 1)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        actions = jax.random.categorical(keys[0], logits, axis=-1)
        return jax.vmap(pgx_step)(state, actions, keys[1:])

    def pgx_step(state: Any, action: Any, key: Any) -> Any:
        after = env.step(state, action)
        fresh = env.init(key)
        return jax.tree_util.tree_map(lambda a, b: jnp.where(after.terminated | after.truncated, b, a), after, fresh)

    state = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), N))
    held = [ply(state, jax.random.PRNGKey(1)), 2]
    held[0].observation.block_until_ready()
    print(f"Pgx: {time.monotonic() - began:.0f} s of compilation", flush=True)

    def work() -> int:
        held[0] = ply(held[0], jax.random.PRNGKey(held[1]))
        held[0].observation.block_until_ready()
        held[1] += 1
        return N

    bench.rate("Pgx, a batch", "chess", work)


def install(package: str) -> None:
    """Installs a peer, or says why it cannot be."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]
    done = subprocess.run(pip, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{package} cannot be installed: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}", flush=True)


def peers(bench: Bench) -> None:
    """Measures the peers that are there, and names those that are not."""
    for package, peer in zip(PEERS, (open_spiel, pgx, python_chess)):
        if importlib.util.find_spec(PEERS[package]) is None:
            print(f"{package} is not installed", flush=True)
            continue
        try:
            peer(bench)
        except Exception as error:
            print(f"{package} failed: {error!r}", flush=True)


def import_time() -> float:
    """Milliseconds that the first `import tabia` takes, the least of ten."""
    code = "import time; t = time.perf_counter(); import tabia; print(time.perf_counter() - t)"
    runs = (subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(10))
    return min(float(run.stdout) for run in runs) * 1000


def summary(bench: Bench) -> None:
    print("\nwhat was asked for, M/s:")
    for what, wanted in WANTED.items():
        for name, least in zip(GAMES, wanted):
            if least is not None and (rate := bench.rates.get(what, {}).get(name)):
                print(f"  {what:34} {name:14} {rate / 1e6:8.2f} of {least:6.2f}: {rate / 1e6 / least:.2f}")
    ours = bench.rates.get("objects, moves listed", {})
    fast = bench.rates.get("batch, bit masks", {})
    for what, rates in bench.rates.items():
        if not what.startswith(("OpenSpiel", "Pgx", "python-chess")):
            continue
        for name, rate in rates.items():
            print(f"  against {what} of {name}: objects {ours[name] / rate:.1f} times, batches {fast[name] / rate:.0f} times")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--json")
    options = parser.parse_args()
    if options.install:
        for package in PEERS:
            install(package)
    print(f"import tabia: {import_time():.1f} ms", flush=True)
    bench = Bench(options.seconds, options.rounds)
    batches(bench)
    objects(bench)
    if options.peers or options.install:
        peers(bench)
    summary(bench)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(bench.rates, file, indent=1)


if __name__ == "__main__":
    main()
