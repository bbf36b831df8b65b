"""Environments for reinforcement learning: `pip install tabia[gym]`.

`AEC(game)` is a PettingZoo environment with the players taking turns; `VectorEnv(game, n)` is a Gymnasium environment
of many games at once, in which whoever is to move acts, and `Env(game)` is one of them alone. They exist for every game
that has batches.

An observation is the board as the side to move sees it: planes of bytes, as `tabia.Batch.observe` gives them.
Actions are the numbers of `tabia.Batch`; the legal ones are 1 in the mask.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from pettingzoo import AECEnv

from . import Batch, Game, game as find_game

__all__ = ["AEC", "Env", "VectorEnv"]

GOING_ON, DRAWN = -1, 2


def _game(game: Game | str) -> Game:
    return find_game(game) if isinstance(game, str) else game


class AEC(AECEnv):  # type: ignore[misc,unused-ignore]
    """A game whose players take turns.

    The winner is rewarded with 1, the loser with -1; a draw is 0. A puzzle has one player, who gets 1 for solving it
    and -1 for being stuck. An illegal action is a `ValueError`.
    """

    def __init__(self, game: Game | str, *, longest: int | None = None) -> None:
        super().__init__()
        self.game = _game(game)
        self.longest = longest
        self.metadata = {
            "name": f"tabia_{self.game.id}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = "ansi"
        self.possible_agents = [f"player_{side}" for side in range(self.game.players)]
        self._batch = Batch(self.game, 1)
        planes, actions = self._batch.planes, self._batch.actions
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, planes, np.uint8),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self._action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Planes and the mask of legal actions."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """All actions of the game."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game. Nothing in it is random, so the seed changes nothing."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.plies = 0
        self._batch.reset()
        self._turn()

    def _turn(self) -> None:
        self.agent_selection = self.possible_agents[int(self._batch.side()[0]) % len(self.possible_agents)]

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """What the side to move sees; nobody else has legal actions."""
        mask = self._batch.mask()[0].astype(np.int8)
        if agent != self.agent_selection:
            mask[:] = 0
        return {"observation": self._batch.observe()[0], "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays an action of the agent whose turn it is."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        mover = self.agent_selection
        self._batch.step(np.array([action], np.int32))
        self.plies += 1
        self._cumulative_rewards[mover] = 0.0
        self._clear_rewards()
        outcome = int(self._batch.outcome()[0])
        if outcome != GOING_ON:
            self.rewards = {agent: _reward(outcome, side, self.game) for side, agent in enumerate(self.agents)}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.longest is not None and self.plies >= self.longest:
            self.truncations = dict.fromkeys(self.agents, True)
        self._turn()
        self._accumulate_rewards()

    def render(self) -> str:
        """The position as text."""
        return self._batch.position(0).picture()

    def close(self) -> None:
        """There is nothing to close."""


def _reward(outcome: int, side: int, game: Game) -> float:
    if outcome == DRAWN:
        return 0.0 if game.players == 2 else -1.0
    return 1.0 if outcome == side else -1.0


class VectorEnv(gymnasium.vector.VectorEnv):  # type: ignore[misc,unused-ignore]
    """Many games at once; in each, the side to move acts, and is rewarded.

    The one who wins by an action gets 1, the one who loses by it -1, everything else is 0. The legal actions are in
    `infos["action_mask"]`, the side to move in `infos["side"]`. An illegal action loses the game. A game that is over
    begins anew with the next step, whatever its action (`AutoresetMode.NEXT_STEP`).
    """

    def __init__(
        self, game: Game | str, num_envs: int = 1, *, longest: int | None = None, threads: int = 1, seed: int = 0
    ) -> None:
        self.game = _game(game)
        self.num_envs = num_envs
        self.longest = longest
        self.metadata = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.render_mode = "ansi"
        self._batch = Batch(self.game, num_envs, seed=seed, threads=threads)
        planes, actions = self._batch.planes, self._batch.actions
        self.single_observation_space = spaces.Box(0, 255, planes, np.uint8)
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._over = np.zeros(num_envs, bool)
        self._plies = np.zeros(num_envs, np.int64)

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._batch.mask().astype(np.int8), "side": self._batch.side()}

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
        """Begins all games. Nothing in them is random, so the seed changes nothing."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        self._batch.reset()
        self._over[:], self._plies[:] = False, 0
        return self._batch.observe(), self._infos()

    def step(self, actions: np.ndarray[Any, Any]) -> tuple[Any, ...]:
        """Plays an action in every game."""
        actions = np.asarray(actions, np.int32)
        anew = self._over.copy()
        movers = self._batch.side()
        legal = self._batch.mask()[np.arange(self.num_envs), actions].astype(bool)
        self._batch.reset(np.flatnonzero(anew))
        self._batch.step(np.where(anew | ~legal, -1, actions).astype(np.int32))
        self._plies = np.where(anew, 0, self._plies + 1)
        lost = ~anew & ~legal
        outcome = self._batch.outcome()
        over = ~anew & (outcome != GOING_ON)
        rewards = np.zeros(self.num_envs)
        if self.game.players == 1:
            rewards[over] = np.where(outcome[over] == 0, 1.0, -1.0)
        else:
            decided = over & (outcome != DRAWN)
            rewards[decided] = np.where(outcome[decided] == movers[decided], 1.0, -1.0)
        rewards[lost] = -1.0
        terminations = over | lost
        longest = np.inf if self.longest is None else self.longest
        truncations = ~anew & ~terminations & (self._plies >= longest)
        self._over = terminations | truncations
        return self._batch.observe(), rewards, terminations, truncations, self._infos()

    def render(self) -> tuple[str, ...]:
        """The positions as text."""
        return tuple(self._batch.position(row).picture() for row in range(self.num_envs))


class Env(gymnasium.Env[Any, Any]):
    """One game, in which the side to move acts: a `VectorEnv` of one, without its new games."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(self, game: Game | str, *, longest: int | None = None, render_mode: str | None = None) -> None:
        self._games = VectorEnv(game, 1, longest=longest)
        self.render_mode = render_mode
        self.observation_space = self._games.single_observation_space
        self.action_space = self._games.single_action_space

    def _first(self, infos: dict[str, Any]) -> dict[str, Any]:
        return {name: values[0] for name, values in infos.items()}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
        """Begins a game."""
        super().reset(seed=seed)
        observations, infos = self._games.reset()
        return observations[0], self._first(infos)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays an action."""
        seen, rewards, terminations, truncations, infos = self._games.step(np.array([action]))
        return seen[0], float(rewards[0]), bool(terminations[0]), bool(truncations[0]), self._first(infos)

    def render(self) -> str:  # type: ignore[override,unused-ignore]
        """The position as text."""
        return self._games.render()[0]
