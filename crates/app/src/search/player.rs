//! Players by name: `random`, `greedy`, `depth=4`, `time=50ms`, `nodes=10000`, `mcts=1000` (or `mcts=50ms`; with `,eval=net` by a network
//! in the place of playouts). Those that search
//! may weigh terms of the evaluation anew, in hundredths: `nodes=10000,mobility=0,turn=150`; `nodes=10000,tables=0` does
//! not look into ending tables; `nodes=10000,eval=classic` judges by the evaluation of that name (docs: `--eval`);
//! `nodes=100,blur=50` cannot tell moves apart that differ by less than half a pawn. `level=4` is one of the ten levels for
//! people, which know no ending tables.

use super::foreign::{self, Foreign, ForeignSpec};
use super::{Evaluation, Means, Strength};
use crate::adapter::Held;
use crate::{ErrorKind, InputError};
use std::str::FromStr;
use std::time::Duration;
use tabia_core::{Evaluate, Outcome, Present, Record, SplitMix64};
use tabia_search::{AlphaBeta, Limits, Mcts, MctsOptions, SearchOptions, Stop};

/// Bytes of the table of a player.
const TABLE: usize = 32 << 20;

/// What is written like a term of an evaluation, and says whether ending tables are looked into.
const TABLES: &str = "tables";

/// Written like a term as well: how blurred the judgement is, in hundredths.
const BLUR: &str = "blur";

/// What stands before the name of an evaluation.
const EVAL: &str = "eval=";

/// Who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerSpec {
    /// Any legal move.
    Random,
    /// A move that wins at once, or the best-looking capture, or any move.
    Greedy,
    /// Alpha-beta within limits, with some terms of the evaluation at so many hundredths, and the evaluation where it is
    /// named.
    Search(Limits, Vec<(String, i32)>, Option<Evaluation>),
    /// One of the levels for people.
    Level(usize),
    /// Monte-Carlo within limits; by playouts, or by the evaluation where it is named.
    Mcts(Limits, Option<Evaluation>),
    /// Another program.
    Foreign(ForeignSpec),
}

impl FromStr for PlayerSpec {
    type Err = InputError;

    /// A player that needs nothing of this machine, whoever asks for it: neither a program nor a file.
    fn from_str(text: &str) -> Result<Self, InputError> {
        let outside = match PlayerSpec::of_this_machine(text)? {
            PlayerSpec::Foreign(_) => "other programs",
            PlayerSpec::Search(_, _, Some(Evaluation::File(_)))
            | PlayerSpec::Mcts(_, Some(Evaluation::File(_))) => "files of networks",
            spec => return Ok(spec),
        };
        let message = format!("{text:?}: {outside} are for those at the machine alone");
        Err(InputError::new(ErrorKind::Unknown, text, message))
    }
}

impl PlayerSpec {
    /// Any player, also one that is a program of this machine or judges by a file of it. Not for what comes over a network.
    pub fn of_this_machine(text: &str) -> Result<Self, InputError> {
        let wrong = || {
            let message = format!(
                "{text:?} is no player; there are random, greedy, level=N (1 to 10, newcomer to champion), depth=N, nodes=N, mcts=N, time=T (50ms, 2s) and uci:PROGRAM"
            );
            InputError::new(ErrorKind::Unknown, text, message)
        };
        if let Some(program) = text.strip_prefix(foreign::PREFIX) {
            return ForeignSpec::parse(program).map(PlayerSpec::Foreign);
        }
        let number = |value: &str| value.parse().ok().filter(|&n: &u64| n > 0).ok_or_else(wrong);
        let (base, terms) = text.split_once(',').unwrap_or((text, ""));
        let limits = match base.split_once('=') {
            None if text == "random" => return Ok(PlayerSpec::Random),
            None if text == "greedy" => return Ok(PlayerSpec::Greedy),
            Some(("level", value)) if terms.is_empty() => {
                return Strength::level_named(value).map(PlayerSpec::Level).ok_or_else(wrong);
            }
            Some(("mcts", value)) => {
                let limits = match value.parse() {
                    Ok(0) => return Err(wrong()),
                    Ok(playouts) => Limits::nodes(playouts),
                    Err(_) => Limits::time(duration(value).ok_or_else(wrong)?),
                };
                let named = (!terms.is_empty()).then(|| terms.strip_prefix(EVAL).ok_or_else(wrong));
                return Ok(PlayerSpec::Mcts(limits, named.transpose()?.and_then(|name| name.parse().ok())));
            }
            Some(("depth", value)) => Limits::depth(number(value)?.min(250) as u32),
            Some(("nodes", value)) => Limits::nodes(number(value)?),
            Some(("time", value)) => Limits::time(duration(value).ok_or_else(wrong)?),
            _ => return Err(wrong()),
        };
        let weight = |part: &str| {
            let (term, percent) = part.split_once('=')?;
            let percent = percent.parse().ok().filter(|percent| (-1000..=1000).contains(percent))?;
            Some((term.to_owned(), percent))
        };
        let named = terms.split_terminator(',').filter_map(|part| part.strip_prefix(EVAL)).next_back();
        let evaluation = named.and_then(|name| name.parse().ok());
        let weights = terms.split_terminator(',').filter(|part| !part.starts_with(EVAL)).map(|part| {
            weight(part).ok_or_else(|| {
                let message = format!("expected TERM=HUNDREDTHS (mobility=0) in {text:?}, not {part:?}");
                InputError::new(ErrorKind::Syntax, part, message)
            })
        });
        Ok(PlayerSpec::Search(limits, weights.collect::<Result<_, _>>()?, evaluation))
    }
}

impl std::fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlayerSpec::Random => f.write_str("random"),
            PlayerSpec::Greedy => f.write_str("greedy"),
            PlayerSpec::Level(level) => write!(f, "level={level}"),
            PlayerSpec::Mcts(limits, evaluation) => {
                match *limits {
                    Limits { nodes: Some(playouts), .. } => write!(f, "mcts={playouts}")?,
                    Limits { time, .. } => write!(f, "mcts={}ms", time.unwrap_or_default().as_millis())?,
                }
                evaluation.iter().try_for_each(|evaluation| write!(f, ",{EVAL}{evaluation}"))
            }
            PlayerSpec::Foreign(spec) => write!(f, "{spec}"),
            PlayerSpec::Search(limits, weights, evaluation) => {
                match *limits {
                    Limits { depth: Some(depth), .. } => write!(f, "depth={depth}")?,
                    Limits { nodes: Some(nodes), .. } => write!(f, "nodes={nodes}")?,
                    Limits { time, .. } => write!(f, "time={}ms", time.unwrap_or_default().as_millis())?,
                }
                weights.iter().try_for_each(|(term, percent)| write!(f, ",{term}={percent}"))?;
                evaluation.iter().try_for_each(|evaluation| write!(f, ",{EVAL}{evaluation}"))
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
    foreign: Option<Foreign>,
    weighed: bool,
    rng: SplitMix64,
}

impl Player {
    /// A player who has not played yet.
    pub fn new(spec: PlayerSpec, seed: u64) -> Result<Self, InputError> {
        let options = SearchOptions { table_bytes: TABLE, ..SearchOptions::default() };
        let no_memory = |error: tabia_table::TableError| {
            InputError::new(ErrorKind::Unsupported, spec.to_string(), error.to_string())
        };
        let engine = match spec {
            PlayerSpec::Search(..) | PlayerSpec::Level(_) => {
                Some(AlphaBeta::new(options).map_err(no_memory)?)
            }
            _ => None,
        };
        let foreign = match &spec {
            PlayerSpec::Foreign(program) => Some(Foreign::start(program)?),
            _ => None,
        };
        Ok(Player { spec, engine, foreign, weighed: false, rng: SplitMix64::new(seed) })
    }

    /// Weighs the terms of a game as the player's name says.
    fn weigh(&mut self, percent: Vec<i32>) {
        if let Some(engine) = self.engine.as_mut().filter(|_| !self.weighed && !percent.is_empty()) {
            engine.weigh(percent);
        }
        self.weighed = true;
    }

    /// Forgets everything, and starts its randomness anew.
    pub(crate) fn new_game(&mut self, seed: u64) -> Result<(), InputError> {
        self.rng = SplitMix64::new(tabia_core::rng::mix(seed));
        if let Some(engine) = &mut self.engine {
            engine.clear();
        }
        self.foreign.as_mut().map_or(Ok(()), Foreign::new_game)
    }

    /// The move the player chooses; `None` when there is none. One who is stopped chooses at once.
    pub(crate) fn choose<G: Present>(
        &mut self,
        record: &Record<G>,
        means: &Means<'_, G>,
    ) -> Result<Option<G::Move>, InputError> {
        if let Some(foreign) = &mut self.foreign {
            return ask(foreign, record, means);
        }
        Ok(self.choose_itself(record, means))
    }

    fn choose_itself<G: Present>(&mut self, record: &Record<G>, means: &Means<'_, G>) -> Option<G::Move> {
        match (&self.spec, means.evaluated, &mut self.engine) {
            (PlayerSpec::Greedy, Some(evaluated), _) => (evaluated.greedy)(record, &mut self.rng),
            (PlayerSpec::Search(limits, terms, _), Some(_), Some(engine)) => {
                let judges = means.judges.clone();
                let alone = Means { tables: None, judges, ..*means };
                let without = terms.iter().any(|(term, percent)| term == TABLES && *percent == 0);
                let means = if without { &alone } else { means };
                let blur = terms.iter().rfind(|(term, _)| term == BLUR).map_or(0, |(_, blur)| *blur);
                let strength = Strength::new(0, blur.max(0) as u32);
                weakly(engine, record, limits, strength, means, &mut self.rng)
            }
            (PlayerSpec::Level(level), Some(_), Some(engine)) => {
                let strength = Strength::of_level(record.rules().id(), *level);
                let means = &Means { tables: None, judges: means.judges.clone(), ..*means };
                weakly(engine, record, &Limits::nodes(strength.nodes()), strength, means, &mut self.rng)
            }
            (PlayerSpec::Level(level), None, _) => {
                let playouts = Strength::of_level(record.rules().id(), *level).playouts();
                let options = MctsOptions { seed: self.rng.next(), ..MctsOptions::default() };
                Mcts::new(options).search(record, &Limits::nodes(playouts), means.stop, |_| ()).best()
            }
            (PlayerSpec::Mcts(limits, _), ..) => {
                let engine = Mcts::new(MctsOptions { seed: self.rng.next(), ..MctsOptions::default() });
                means.monte_carlo(&engine, record, limits, &mut |_| ()).best()
            }
            _ => record.rules().random_move(record.state(), &mut self.rng, &mut Vec::new()),
        }
    }
}

/// The best move within limits, as well as a strength can tell.
fn weakly<G: Present>(
    engine: &mut AlphaBeta,
    record: &Record<G>,
    limits: &Limits,
    strength: Strength,
    means: &Means<'_, G>,
    rng: &mut SplitMix64,
) -> Option<G::Move> {
    engine.set_lines(strength.candidates());
    let report = means.alphabeta(engine, record, limits, &mut |_| ())?;
    report.lines.get(strength.choose(&report, rng))?.moves.first().copied()
}

/// The move that another program plays.
fn ask<G: Present>(
    foreign: &mut Foreign,
    record: &Record<G>,
    means: &Means<'_, G>,
) -> Result<Option<G::Move>, InputError> {
    let Some(written) = means.uci else { return Ok(None) };
    let rules = record.rules();
    let start = rules.format(&record.states()[0]);
    let moves =
        record.states().iter().zip(record.moves()).map(|(state, &mv)| written(state, mv)).collect::<Vec<_>>();
    let text = foreign.choose(&start, &moves)?;
    // It is asked only where there are moves.
    let illegal = |why: String| {
        foreign.wrong(&format!("plays {text:?} in {}, which cannot be: {why}", rules.format(record.state())))
    };
    rules.parse_move(record.state(), &text).map(Some).map_err(|error| illegal(error.to_string()))
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
    /// Fails where a player needs what the game has not; the weights of the terms, where it has its own.
    fn check_player(&self, spec: &PlayerSpec) -> Result<Vec<i32>, InputError> {
        let (terms, weights) = match (spec, self.capabilities.evaluated) {
            (PlayerSpec::Random | PlayerSpec::Mcts(..) | PlayerSpec::Level(_), _)
            | (PlayerSpec::Greedy, Some(_)) => {
                return Ok(Vec::new());
            }
            (PlayerSpec::Foreign(_), _) if self.capabilities.uci.is_some() => return Ok(Vec::new()),
            (PlayerSpec::Foreign(spec), _) => {
                let message = format!("programs that speak UCI do not play {}", self.rules().id());
                return Err(InputError::new(ErrorKind::Unsupported, spec.to_string(), message));
            }
            (PlayerSpec::Greedy | PlayerSpec::Search(..), None) => return Err(self.no_evaluation()),
            (PlayerSpec::Search(_, weights, _), Some(evaluated)) => {
                ((evaluated.terms)(self.rules()), weights)
            }
        };
        let weights: Vec<_> = weights.iter().filter(|(term, _)| term != TABLES && term != BLUR).collect();
        let mut percent = if weights.is_empty() { Vec::new() } else { vec![100; terms.len()] };
        for (term, weight) in weights {
            let at = terms.iter().position(|known| known == term).ok_or_else(|| {
                let message = format!(
                    "the evaluation of {} has no term {term:?}; it has {}",
                    self.rules().id(),
                    terms.join(", ")
                );
                InputError::new(ErrorKind::Unknown, term, message)
            })?;
            percent[at] = *weight;
        }
        Ok(percent)
    }

    /// The evaluation of a player: one that weighs terms anew has the game's own.
    pub(crate) fn means_of<'a>(&self, spec: &PlayerSpec, stop: &'a Stop) -> Result<Means<'a, G>, InputError> {
        match spec {
            PlayerSpec::Search(_, _, Some(evaluation)) | PlayerSpec::Mcts(_, Some(evaluation)) => {
                self.means_by(evaluation, stop)
            }
            PlayerSpec::Mcts(_, None) => Ok(self.means(stop)),
            PlayerSpec::Search(_, weights, None)
                if weights.iter().any(|(term, _)| term != TABLES && term != BLUR) =>
            {
                Ok(self.means(stop))
            }
            _ => self.means_by(&self.settings.evaluation, stop),
        }
    }

    /// A player for this game.
    pub(crate) fn player(&self, spec: &PlayerSpec) -> Result<Player, InputError> {
        let percent = self.check_player(spec)?;
        let mut player = Player::new(spec.clone(), 0)?;
        player.weigh(percent);
        Ok(player)
    }

    /// The move a player chooses here, in the game's notation.
    pub(crate) fn choose_text(&self, player: &mut Player, stop: &Stop) -> Result<Option<String>, InputError> {
        let percent = self.check_player(&player.spec)?;
        player.weigh(percent);
        let mv = player.choose(&self.record, &self.means_of(&player.spec, stop)?)?;
        Ok(mv.map(|mv| self.rules().format_move(self.state(), mv)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_and_written() {
        for text in [
            "random",
            "greedy",
            "depth=4",
            "nodes=1000",
            "mcts=50",
            "mcts=50ms,eval=net",
            "time=50ms",
            "depth=2,a-b=0,c=-150",
            "nodes=5,eval=net",
            "nodes=5,blur=40",
            "level=10",
        ] {
            assert_eq!(text.parse::<PlayerSpec>().unwrap().to_string(), text);
        }
        for text in ["uci:engine?time=100ms", "nodes=5,eval=file.net", "mcts=5,eval=file.net"] {
            assert_eq!(PlayerSpec::of_this_machine(text).unwrap().to_string(), text);
            assert!(text.parse::<PlayerSpec>().is_err(), "{text}");
        }
        assert_eq!("level=casual".parse::<PlayerSpec>().unwrap(), PlayerSpec::Level(4));
        assert_eq!("time=1.5s".parse::<PlayerSpec>().unwrap().to_string(), "time=1500ms");
        for text in [
            "",
            "depth",
            "depth=",
            "depth=0",
            "time=x",
            "time=-1s",
            "time=0s",
            "elo=3",
            "level=0",
            "level=11",
            "level=",
            "level=nobody",
            "level=3,a=1",
            "random,a=1",
            "mcts=5,a=1",
            "mcts=0",
            "mcts=x",
            "depth=2,a",
            "depth=2,a=x",
            "depth=2,a=1001",
        ] {
            assert!(text.parse::<PlayerSpec>().is_err(), "{text}");
        }
    }
}
