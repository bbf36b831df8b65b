//! Matches: pairs of games from random openings, each side once for either player.

use super::elo::{Pairs, Sprt, SprtVerdict};
use super::player::{Player, PlayerSpec};
use super::{Means, Stop};
use crate::adapter::Held;
use crate::views::outcome_name;
use crate::{ErrorKind, InputError};
use serde::Serialize;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use tabia_core::{
    Name, Outcome, Position, Present, Record, RecordedGame, Side, SplitMix64, rng::mix, threads,
};

/// Where no rule ends a game, it is a draw after this many plies.
const LONGEST: usize = 1000;

/// A match to be played.
#[derive(Clone, Debug)]
pub struct MatchRequest {
    /// The first player, whose wins are counted.
    pub a: PlayerSpec,
    /// The other player.
    pub b: PlayerSpec,
    /// Games to play; an odd number is made even.
    pub games: u64,
    /// Random plies before the players take over.
    pub opening_plies: u32,
    /// Games at a time.
    pub threads: usize,
    /// Where the randomness of openings and players starts.
    pub seed: u64,
    /// Stop when this test is decided.
    pub sprt: Option<Sprt>,
    /// How to write the games: `jsonl`, or a kind of the game's own files.
    pub record: Option<String>,
}

/// How a match stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchView {
    /// The first player.
    pub a: String,
    /// The other player.
    pub b: String,
    /// Games finished.
    pub games: u64,
    /// Won by the first player.
    pub wins: u64,
    /// Lost by the first player.
    pub losses: u64,
    /// Drawn.
    pub draws: u64,
    /// The share of the points, 0 to 1.
    pub score: f64,
    /// The difference in strength.
    pub elo: f64,
    /// Half of its 95 % interval.
    pub elo_error: f64,
    /// The logarithm of the likelihood ratio of the sequential test.
    pub llr: Option<f64>,
    /// What the sequential test says.
    pub sprt: Option<SprtVerdict>,
    /// Whether it was stopped before its end; games that were going on are not counted.
    pub stopped: bool,
}

/// A finished game, as a line of JSON.
#[derive(Debug, Serialize)]
struct GameLine<'a> {
    number: u64,
    players: [&'a str; 2],
    start: String,
    moves: Vec<String>,
    opening_plies: u32,
    outcome: &'static str,
    reason: &'static str,
}

/// Ends the match for all threads when one of them panics: the games of the others are in vain.
struct EndOnPanic<'a>(&'a AtomicBool);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Relaxed);
        }
    }
}

/// The running count, and where games are written.
struct Tally<'a> {
    pairs: Pairs,
    view: MatchView,
    output: &'a mut (dyn Write + Send),
    trouble: Option<std::io::Error>,
}

impl<G: Present> Held<G> {
    /// Plays a match from this position. Games are written to `output` when the request says how; `on_pair`
    /// hears how the match stands. One that is stopped gives the table so far.
    pub(crate) fn match_view(
        &self,
        request: &MatchRequest,
        output: &mut (dyn Write + Send),
        stop: &Stop,
        on_pair: &mut (dyn FnMut(&MatchView) + Send),
    ) -> Result<MatchView, InputError> {
        self.check_match(request)?;
        let (a, b) = (request.a.to_string(), request.b.to_string());
        let view = MatchView { a, b, ..MatchView::default() };
        let shared = Mutex::new((Tally { pairs: Pairs::default(), view, output, trouble: None }, on_pair));
        let (next, over) = (AtomicU64::new(0), AtomicBool::new(false));
        let means = [self.means_of(&request.a, stop)?, self.means_of(&request.b, stop)?];
        let work = || -> Result<(), InputError> {
            let _all = EndOnPanic(&over);
            let mut players = [self.player(&request.a)?, self.player(&request.b)?];
            while !over.load(Relaxed) {
                let pair = next.fetch_add(1, Relaxed);
                if pair >= request.games.div_ceil(2) {
                    break;
                }
                let games = self
                    .play_pair(request, pair, &mut players, &means)
                    .inspect_err(|_| over.store(true, Relaxed))?;
                let Some(games) = games else { break };
                let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let (tally, on_pair) = &mut *shared;
                let decided = self.count(tally, request, pair, &games);
                on_pair(&tally.view);
                if decided || tally.trouble.is_some() {
                    over.store(true, Relaxed);
                }
            }
            Ok(())
        };
        threads::run(request.threads.max(1), |_| work()).into_iter().collect::<Result<(), _>>()?;
        let (mut tally, _) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = tally.trouble {
            let message = format!("the games cannot be written: {error}");
            return Err(InputError::new(
                ErrorKind::Unsupported,
                request.record.clone().unwrap_or_default(),
                message,
            ));
        }
        tally.view.stopped = stop.is_stopped();
        Ok(tally.view)
    }

    fn check_match(&self, request: &MatchRequest) -> Result<(), InputError> {
        let text = || self.rules().format(self.state());
        if self.rules().players() < 2 {
            return Err(InputError::new(
                ErrorKind::Unsupported,
                text(),
                format!("{} is for one player", self.rules().id()),
            ));
        }
        if self.record.outcome().is_some() {
            return Err(InputError::new(ErrorKind::Invalid, text(), "the game is over in this position"));
        }
        let Some(kind) = &request.record else { return Ok(()) };
        let known =
            self.capabilities.files.map_or_else(Default::default, |files| (files.kinds)(self.rules()));
        if kind == "jsonl" || known.iter().any(|file| file.id == kind) {
            return Ok(());
        }
        let known: Vec<_> = std::iter::once("jsonl").chain(known.iter().map(|file| file.id)).collect();
        let message =
            format!("games of {} are written as {}, not as {kind:?}", self.rules().id(), known.join(" or "));
        Err(InputError::new(ErrorKind::Unknown, kind.clone(), message))
    }

    /// A random opening in which the game is not over.
    fn opening(&self, request: &MatchRequest, pair: u64) -> Record<G> {
        let mut rng = SplitMix64::new(mix(request.seed ^ mix(pair)));
        for _ in 0..100 {
            let mut record = self.record.clone();
            for _ in 0..request.opening_plies {
                let Some(mv) = self.rules().random_move(record.state(), &mut rng, &mut Vec::new()) else {
                    break;
                };
                record.play_unchecked(mv);
            }
            if record.outcome().is_none() {
                return record;
            }
        }
        self.record.clone()
    }

    /// Two games from one opening: the first player moves first, then second. `None` when stopped.
    fn play_pair(
        &self,
        request: &MatchRequest,
        pair: u64,
        players: &mut [Player; 2],
        means: &[Means<'_, G>; 2],
    ) -> Result<Option<[Record<G>; 2]>, InputError> {
        let opening = self.opening(request, pair);
        let mut game = |swapped: usize| -> Result<Option<Record<G>>, InputError> {
            for (seed, player) in players.iter_mut().enumerate() {
                player
                    .new_game(mix(request.seed.wrapping_add(pair * 4 + 2 * swapped as u64 + seed as u64)))?;
            }
            let mut record = opening.clone();
            while record.outcome().is_none() && record.moves().len() < LONGEST {
                let side = record.rules().side(record.state()).index();
                let mv = players[side ^ swapped].choose(&record, &means[side ^ swapped])?;
                // A move chosen in a hurry would count as played.
                if means[0].stop.is_stopped() {
                    return Ok(None);
                }
                let Some(mv) = mv else { break };
                record.play_unchecked(mv);
            }
            Ok(Some(record))
        };
        let (first, second) = (game(0)?, game(1)?);
        Ok(first.zip(second).map(|(first, second)| [first, second]))
    }

    /// Adds a pair of games; whether the sequential test is decided.
    fn count(
        &self,
        tally: &mut Tally<'_>,
        request: &MatchRequest,
        pair: u64,
        games: &[Record<G>; 2],
    ) -> bool {
        let mut half_points = 0;
        let names = [request.a.to_string(), request.b.to_string()];
        for (swapped, record) in games.iter().enumerate() {
            let outcome = record.outcome().unwrap_or(Outcome::Draw);
            let a = if swapped == 0 { Side::First } else { Side::Second };
            let (points, counter) = match outcome.winner() {
                None => (1, &mut tally.view.draws),
                Some(winner) if winner == a => (2, &mut tally.view.wins),
                Some(_) => (0, &mut tally.view.losses),
            };
            *counter += 1;
            half_points += points;
            let players = [&names[swapped], &names[1 - swapped]].map(String::as_str);
            let number = pair * 2 + swapped as u64 + 1;
            if let Err(error) = self.write(tally.output, request, number, players, record) {
                tally.trouble = Some(error);
            }
        }
        tally.pairs.add(half_points);
        let view = &mut tally.view;
        view.games = view.wins + view.losses + view.draws;
        view.score = (view.wins as f64 + view.draws as f64 / 2.0) / view.games as f64;
        (view.elo, view.elo_error) = tally.pairs.elo();
        view.llr = request.sprt.map(|sprt| sprt.log_likelihood(&tally.pairs));
        view.sprt = request.sprt.map(|sprt| sprt.verdict(&tally.pairs));
        view.sprt.is_some_and(|verdict| verdict != SprtVerdict::Open)
    }

    fn write(
        &self,
        output: &mut dyn Write,
        request: &MatchRequest,
        number: u64,
        players: [&str; 2],
        record: &Record<G>,
    ) -> std::io::Result<()> {
        let outcome = record.outcome();
        let start = Position { rules: record.rules().clone(), state: record.states()[0].clone() };
        match (request.record.as_deref(), self.capabilities.files) {
            (None, _) => Ok(()),
            (Some("jsonl"), _) | (_, None) => {
                let moves = record.states().iter().zip(record.moves());
                let line = GameLine {
                    number,
                    players,
                    start: start.rules.format(&start.state),
                    moves: moves.map(|(state, &mv)| record.rules().format_move(state, mv)).collect(),
                    opening_plies: request.opening_plies,
                    outcome: outcome.map_or("draw", outcome_name),
                    reason: record.draw_reason().map_or("", tabia_core::DrawReason::name),
                };
                serde_json::to_writer(&mut *output, &line)?;
                output.write_all(b"\n")
            }
            (Some(kind), Some(files)) => {
                let sides = record.rules().info().sides;
                let tag = |(side, player): (&Name, &str)| (side.to_string(), player.to_owned());
                let event = ("Event".to_owned(), "tabia match".to_owned());
                let tags = std::iter::once(event).chain(sides.iter().zip(players).map(tag)).collect();
                let (moves, outcome) = (record.moves().to_vec(), Some(outcome.unwrap_or(Outcome::Draw)));
                let game = RecordedGame { number, line: 0, tags, ..RecordedGame::new(start, moves, outcome) };
                (files.write)(record.rules(), kind, &game, output)
            }
        }
    }
}
