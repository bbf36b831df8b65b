//! Players by name: `random`, `greedy`, `depth=4`, `time=50ms`, `nodes=10000`, `mcts=1000`.

use super::Searching;
use crate::adapter::Held;
use crate::{ErrorKind, InputError};
use std::str::FromStr;
use std::time::Duration;
use tabia_core::{Evaluate, Outcome, Present, Record, SplitMix64};
use tabia_search::{AlphaBeta, Limits, Mcts, MctsOptions, Options, Stop};

/// Bytes of the table of a player.
const TABLE: usize = 32 << 20;

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerSpec {
    /// Any legal move.
    Random,
    /// A move that wins at once, or the best-looking capture, or any move.
    Greedy,
    /// Alpha-beta within limits.
    Search(Limits),
    /// Monte-Carlo with so many playouts.
    Mcts(u64),
}

impl FromStr for PlayerSpec {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let wrong = || {
            let message = format!(
                "{text:?} is no player; there are random, greedy, depth=N, nodes=N, mcts=N and time=T (50ms, 2s)"
            );
            InputError::new(ErrorKind::Unknown, text, message)
        };
        let number = |value: &str| value.parse().ok().filter(|&n: &u64| n > 0).ok_or_else(wrong);
        match text.split_once('=') {
            None if text == "random" => Ok(PlayerSpec::Random),
            None if text == "greedy" => Ok(PlayerSpec::Greedy),
            Some(("depth", value)) => Ok(PlayerSpec::Search(Limits::depth(number(value)?.min(250) as u32))),
            Some(("nodes", value)) => Ok(PlayerSpec::Search(Limits::nodes(number(value)?))),
            Some(("mcts", value)) => Ok(PlayerSpec::Mcts(number(value)?)),
            Some(("time", value)) => {
                duration(value).map(|time| PlayerSpec::Search(Limits::time(time))).ok_or_else(wrong)
            }
            _ => Err(wrong()),
        }
    }
}

impl std::fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlayerSpec::Random => f.write_str("random"),
            PlayerSpec::Greedy => f.write_str("greedy"),
            PlayerSpec::Mcts(playouts) => write!(f, "mcts={playouts}"),
            PlayerSpec::Search(Limits { depth: Some(depth), .. }) => write!(f, "depth={depth}"),
            PlayerSpec::Search(Limits { nodes: Some(nodes), .. }) => write!(f, "nodes={nodes}"),
            PlayerSpec::Search(Limits { time, .. }) => {
                write!(f, "time={}ms", time.unwrap_or_default().as_millis())
            }
        }
    }
}

/// A duration as people write it: `50ms`, `1.5s`, `2m`; a plain number is seconds.
pub fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = match text.find(|c: char| c.is_ascii_alphabetic()) {
        Some(at) => text.split_at(at),
        None => (text, "s"),
    };
    let scale = match unit {
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let seconds = number.parse::<f64>().ok()? * scale;
    Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero())
}

/// A player at work: it keeps its table from move to move.
#[derive(Debug)]
pub struct Player {
    spec: PlayerSpec,
    engine: Option<AlphaBeta>,
    rng: SplitMix64,
    stop: Stop,
}

impl Player {
    /// A player who has not played yet.
    pub fn new(spec: PlayerSpec, seed: u64) -> Result<Self, InputError> {
        let options = Options { table_bytes: TABLE, ..Options::default() };
        let no_memory = |error: tabia_table::TableError| {
            InputError::new(ErrorKind::Unsupported, spec.to_string(), error.to_string())
        };
        let engine = match spec {
            PlayerSpec::Search(_) => Some(AlphaBeta::new(options).map_err(no_memory)?),
            _ => None,
        };
        Ok(Player { spec, engine, rng: SplitMix64::new(seed), stop: Stop::new() })
    }

    /// Forgets everything, and starts its randomness anew.
    pub(crate) fn new_game(&mut self, seed: u64) {
        self.rng = SplitMix64::new(tabia_core::rng::mix(seed));
        if let Some(engine) = &mut self.engine {
            engine.clear();
        }
    }

    /// The move the player chooses; `None` when there is none.
    pub(crate) fn choose<G: Present>(
        &mut self,
        record: &Record<G>,
        searching: Option<Searching<G>>,
    ) -> Option<G::Move> {
        match (self.spec, searching, &mut self.engine) {
            (PlayerSpec::Greedy, Some(searching), _) => (searching.greedy)(record, &mut self.rng),
            (PlayerSpec::Search(limits), Some(searching), Some(engine)) => {
                (searching.alphabeta)(engine, record, &limits, &self.stop, &mut |_| ()).best()
            }
            (PlayerSpec::Mcts(playouts), ..) => {
                let options = MctsOptions { seed: self.rng.next(), ..MctsOptions::default() };
                Mcts::new(options).search(record, &Limits::nodes(playouts), &self.stop, |_| ()).best()
            }
            _ => record.rules().random_move(record.state(), &mut self.rng, &mut Vec::new()),
        }
    }
}

/// A move that wins at once, or the capture that promises most, or any move.
pub(super) fn greedy<G: Evaluate>(record: &Record<G>, rng: &mut SplitMix64) -> Option<G::Move> {
    let (game, state) = (record.rules(), record.state());
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let won = Outcome::Win(game.side(state));
    let worth = |mv: G::Move| {
        let mut next = state.clone();
        game.play(&mut next, mv);
        let wins = game.outcome(&next) == Some(won);
        let capture = if game.is_noisy(state, mv) { game.move_promise(state, mv).max(1) } else { 0 };
        (wins, capture)
    };
    let best = moves.iter().map(|&mv| worth(mv)).max()?;
    moves.retain(|&mv| worth(mv) == best);
    moves.get(rng.below(moves.len() as u64) as usize).copied()
}

impl<G: Present> Held<G> {
    /// Fails where a player needs what the game has not.
    pub(crate) fn check_player(&self, spec: PlayerSpec) -> Result<(), InputError> {
        let needs_evaluation = matches!(spec, PlayerSpec::Greedy | PlayerSpec::Search(_));
        if needs_evaluation && self.capabilities.search.is_none() {
            Err(self.no_evaluation())
        } else {
            Ok(())
        }
    }

    /// The move a player chooses here, in the game's notation.
    pub(crate) fn choose_text(&self, player: &mut Player) -> Result<Option<String>, InputError> {
        self.check_player(player.spec)?;
        let mv = player.choose(&self.record, self.capabilities.search);
        Ok(mv.map(|mv| self.rules().format_move(self.state(), mv)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_and_written() {
        for text in ["random", "greedy", "depth=4", "nodes=1000", "mcts=50", "time=50ms"] {
            assert_eq!(text.parse::<PlayerSpec>().unwrap().to_string(), text);
        }
        assert_eq!("time=1.5s".parse::<PlayerSpec>().unwrap().to_string(), "time=1500ms");
        for text in ["", "depth", "depth=", "depth=0", "time=x", "time=-1s", "time=0s", "elo=3"] {
            assert!(text.parse::<PlayerSpec>().is_err(), "{text}");
        }
    }
}
