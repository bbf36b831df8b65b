//! Pieces of work of a report: each depends on its number and the seed alone.
//!
//! This is all of the work that has the type of the game; what puts the pieces together is compiled once for all games.

use super::descent::{self, Descents};
use super::effort::Task;
use super::exact::{self, Solved};
use super::ladder::{self, Match};
use super::mirror::{self, Mirrored};
use super::play::{Terms, play};
use super::players::{Anyone, Play};
use super::positions::{self, Counted};
use super::tally::{Tally, Tension};
use super::{ProfileError, Request, Subject};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tabia_core::rng::mix;
use tabia_core::{GameError, Position, Present, Record, SplitMix64, Work, trust};
use tabia_solve::SolveError;

/// Random games in a piece of work, and how many of them are noted in detail.
const RANDOM_GAMES: u64 = 256;
const DETAILED: u64 = 16;
/// Games of an engine in a piece of work.
const WEAK_GAMES: u64 = 8;
const STRONG_GAMES: u64 = 2;

/// A piece of work that is done.
pub(super) enum Piece {
    Games(Box<Tally>),
    Tree(Descents),
    Opening(i64),
    Mirror(Mirrored),
}

/// What is done for a report of a game.
pub(super) trait Pieces: Sync {
    /// The piece of a task with a number, and the seed that follows from it.
    fn piece(&self, task: Task, number: u64, seed: u64) -> Result<Piece, ProfileError>;
    /// Counts positions.
    fn count(&self, units: u64) -> Result<Option<Counted>, GameError>;
    /// Solves the game.
    fn solve(&self) -> Result<Solved, SolveError>;
    /// Plays pairs of games between two budgets, for as long as there are numbers of pairs left.
    fn pairs(&self, budgets: (u64, u64), seed: u64, next: &AtomicU64) -> Result<Match, ProfileError>;
    /// Fails where the rules have.
    fn check(&self) -> Result<(), GameError>;
}

/// The pieces of a game.
pub(super) struct Workshop<'a, G: Present> {
    pub(super) subject: &'a Subject<'a, G>,
    pub(super) request: &'a Request,
    pub(super) work: &'a Work<'a>,
}

impl<G: Present> Pieces for Workshop<'_, G> {
    fn piece(&self, task: Task, number: u64, seed: u64) -> Result<Piece, ProfileError> {
        let (weak, strong) = (self.request.budgets.weak, self.request.budgets.strong);
        let games = |tally| Piece::Games(Box::new(tally));
        Ok(match task {
            Task::Random => games(self.random_games(seed)),
            Task::Weak => games(self.engine_games(WEAK_GAMES, weak, None, seed)?),
            Task::Strong => games(self.engine_games(STRONG_GAMES, strong, Some(weak), seed)?),
            Task::Openings => Piece::Opening(self.opening(number, seed)?),
            Task::Mirror => Piece::Mirror(self.mirror_games(seed)?),
            // The last two are not done in pieces.
            Task::Tree | Task::Positions | Task::Ladder => Piece::Tree(descent::descend(self.subject, seed)),
        })
    }

    fn count(&self, units: u64) -> Result<Option<Counted>, GameError> {
        positions::count(self.subject, units, self.request.seed, self.work)
    }

    fn solve(&self) -> Result<Solved, SolveError> {
        exact::solve(self.subject, self.work)
    }

    fn pairs(&self, budgets: (u64, u64), seed: u64, next: &AtomicU64) -> Result<Match, ProfileError> {
        let mut players = [self.player()?, self.player()?];
        let mut found = Match::default();
        loop {
            let pair = next.fetch_add(1, Relaxed);
            if pair >= ladder::PAIRS || self.work.is_stopped() {
                return Ok(found);
            }
            found.add(&ladder::pair(self.subject, budgets, &mut players, mix(seed ^ pair)));
        }
    }

    fn check(&self) -> Result<(), GameError> {
        trust::check(&self.subject.rules)
    }
}

impl<G: Present> Workshop<'_, G> {
    fn random_games(&self, seed: u64) -> Tally {
        let (mut tally, mut rng) = (Tally::default(), SplitMix64::new(seed));
        for game in 0..RANDOM_GAMES {
            if self.work.is_stopped() {
                break;
            }
            let terms = Terms { nodes: [1; 2], opening: 0, also: None, detail: game < DETAILED };
            let mut none = Tension::default();
            let (record, values) =
                play(self.subject, [0, 0], &mut [&mut Anyone], &terms, &mut rng, &mut none);
            tally.note(self.subject, &record, &values, &terms);
        }
        tally
    }

    fn player(&self) -> Result<Box<dyn Play<G> + '_>, ProfileError> {
        let players = self.subject.players.ok_or(ProfileError::NoPlayers)?;
        players.player().map_err(ProfileError::Player)
    }

    fn engine_games(
        &self,
        games: u64,
        nodes: u64,
        also: Option<u64>,
        seed: u64,
    ) -> Result<Tally, ProfileError> {
        let (mut tally, mut rng) = (Tally::default(), SplitMix64::new(seed));
        let mut players = [self.player()?, self.player()?];
        for _ in 0..games {
            if self.work.is_stopped() {
                break;
            }
            players.iter_mut().for_each(|player| player.new_game());
            let terms = Terms { nodes: [nodes; 2], opening: 2, also, detail: true };
            let [one, other] = &mut players;
            let mut tension = Tension::default();
            let (record, values) =
                play(self.subject, [0, 0], &mut [&mut **one, &mut **other], &terms, &mut rng, &mut tension);
            tally.note(self.subject, &record, &values, &terms);
            tally.tension.asked += tension.asked;
            tally.tension.agreed += tension.agreed;
        }
        Ok(tally)
    }

    /// What a strong player expects after a first move, for player 0.
    fn opening(&self, number: u64, seed: u64) -> Result<i64, ProfileError> {
        let class = self.subject.first_moves.get(number as usize).ok_or(ProfileError::NoPlayers)?;
        let (rules, state) = (self.subject.rules.clone(), self.subject.start.clone());
        let mut record = Record::new(Position { rules, state });
        class.moves.first().into_iter().for_each(|&mv| record.play_unchecked(mv));
        let mut player = self.player()?;
        player.new_game();
        let mut rng = SplitMix64::new(seed);
        let choice = player.choose(&record, 8 * self.request.budgets.strong, &mut rng);
        let value = choice.and_then(|choice| choice.value).unwrap_or_default();
        let first = record.rules().side(record.state()) == tabia_core::Side::First;
        Ok(((if first { value } else { -value }) * 10_000.0).round() as i64)
    }

    fn mirror_games(&self, seed: u64) -> Result<Mirrored, ProfileError> {
        let mut weak = self.player()?;
        let nodes = self.request.budgets.weak;
        let mut opponents: [(&str, u64, &mut dyn Play<G>); 2] =
            [("random", 1, &mut Anyone), ("weak", nodes, &mut *weak)];
        Ok(mirror::games(self.subject, &mut opponents, seed))
    }
}
