"""The environments, by the tests of the projects they are for."""

import pytest
import tabia

np = pytest.importorskip("numpy")
gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test
from tabia.gym import AEC, Env, VectorEnv

GAMES = [game.id for game in tabia.games() if "batch" in game.capabilities]


def test_every_game_has_environments():
    assert GAMES == [game.id for game in tabia.games()]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pettingzoo_accepts_the_environment(game):
    api_test(AEC(game, longest=150), num_cycles=200)


@pytest.mark.parametrize("game", GAMES)
def test_seeds_decide_everything(game):
    seed_test(lambda: AEC(game, longest=60), num_cycles=60)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.filterwarnings("ignore")
def test_gymnasium_accepts_the_environment(game):
    check_env(Env(game, render_mode="ansi"), skip_render_check=True)


def playing(env, rng):
    """A legal action for every game."""
    _, infos = env.reset(seed=3)
    while True:
        mask = infos["action_mask"].astype(float)
        mask[mask.sum(1) == 0] = 1
        actions = np.array([rng.choice(len(row), p=row / row.sum()) for row in mask])
        answer = env.step(actions)
        infos = answer[-1]
        yield actions, answer


@pytest.mark.parametrize("game", GAMES)
def test_many_games_at_once_keep_their_promises(game):
    env = VectorEnv(game, 8, longest=300)
    before, finished = np.zeros(8, bool), 0
    for step, (_, (seen, rewards, ended, cut, infos)) in enumerate(playing(env, np.random.default_rng(1))):
        assert seen in env.observation_space
        over = ended | cut
        assert not (over & before).any(), "a new game is not over"
        assert not rewards[~ended].any(), "only ends are rewarded"
        assert set(np.unique(rewards)) <= {-1.0, 0.0, 1.0}
        going = ~ended
        assert infos["action_mask"][going].any(1).all()
        before, finished = over, finished + int(over.sum())
        if step >= 350:
            break
    assert finished
    assert len(env.render()) == 8


def test_whoever_wins_is_rewarded():
    env = AEC("five-visible")
    rng = np.random.default_rng(5)
    decided = 0
    for _ in range(20):
        env.reset()
        while not any(env.terminations.values()):
            legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
            env.step(int(rng.choice(legal)))
        outcome = int(env._batch.outcome()[0])
        expected = {0: (1, -1), 1: (-1, 1), 2: (0, 0)}[outcome]
        assert (env.rewards["player_0"], env.rewards["player_1"]) == expected
        decided += outcome != 2
    assert decided


def test_illegal_actions_lose_or_are_refused():
    env = VectorEnv("chess", 2)
    _, infos = env.reset()
    illegal = int(np.flatnonzero(infos["action_mask"][0] == 0)[0])
    legal = int(np.flatnonzero(infos["action_mask"][1])[0])
    _, rewards, ended, _, _ = env.step(np.array([illegal, legal]))
    assert list(rewards) == [-1.0, 0.0] and list(ended) == [True, False]
    _, rewards, ended, _, infos = env.step(np.array([0, int(np.flatnonzero(env._infos()["action_mask"][1])[0])]))
    assert not ended.any() and infos["action_mask"][0].any()
    alone = AEC("chess")
    alone.reset()
    with pytest.raises(ValueError):
        alone.step(illegal)
