//! Uniformly random games: how fast a game can be played, and what shape it has.

use crate::{Game, Outcome, SplitMix64};

/// A random game is cut off here where no rule of the game ends it.
pub const LONGEST: u32 = 100_000;

/// One random game in this many also counts the choices at every ply.
const SAMPLE: u64 = 64;

/// What random games came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Games played.
    pub playouts: u64,
    /// Moves played in all of them.
    pub plies: u64,
    /// Wins of player 0 and of player 1.
    pub wins: [u64; 2],
    /// Draws, those by counting and in dead positions included.
    pub draws: u64,
    /// Plies at which the legal moves were counted.
    pub sampled_plies: u64,
    /// Legal moves counted there.
    pub sampled_moves: u64,
}

impl Report {
    /// Both reports together.
    #[must_use]
    pub fn plus(self, other: &Report) -> Report {
        Report {
            playouts: self.playouts + other.playouts,
            plies: self.plies + other.plies,
            wins: [self.wins[0] + other.wins[0], self.wins[1] + other.wins[1]],
            draws: self.draws + other.draws,
            sampled_plies: self.sampled_plies + other.sampled_plies,
            sampled_moves: self.sampled_moves + other.sampled_moves,
        }
    }

    /// Plies per game.
    pub fn mean_length(&self) -> f64 {
        self.plies as f64 / self.playouts.max(1) as f64
    }

    /// Legal moves per position met.
    pub fn mean_branching(&self) -> f64 {
        self.sampled_moves as f64 / self.sampled_plies.max(1) as f64
    }
}

/// Plays random games from `start` until `stop` says so; it is asked before each game.
///
/// Draws by counting plies are seen, repetitions are not (that would need the history).
pub fn playouts<G: Game>(
    game: &G,
    start: &G::State,
    seed: u64,
    mut stop: impl FnMut(&Report) -> bool,
) -> Report {
    let mut rng = SplitMix64::new(seed);
    let mut buffer = Vec::with_capacity(256);
    let mut report = Report::default();
    while !stop(&report) {
        let sampled = report.playouts.is_multiple_of(SAMPLE);
        let mut on_ply = |state: &G::State| {
            if sampled {
                report.sampled_plies += 1;
                report.sampled_moves += game.count_moves(state);
            }
        };
        let (outcome, plies) = playout(game, start.clone(), &mut rng, &mut buffer, &mut on_ply);
        report.playouts += 1;
        report.plies += u64::from(plies);
        match outcome {
            Outcome::Win(side) => report.wins[side.index()] += 1,
            Outcome::Draw => report.draws += 1,
        }
    }
    report
}

/// Plays one random game to its end. `on_ply` sees every position a move is chosen in.
#[inline]
pub fn playout<G: Game>(
    game: &G,
    mut state: G::State,
    rng: &mut SplitMix64,
    buffer: &mut Vec<G::Move>,
    mut on_ply: impl FnMut(&G::State),
) -> (Outcome, u32) {
    let rules = game.draw_rules();
    let longest = rules.total_plies.unwrap_or(LONGEST);
    let longest_quiet = rules.quiet_plies.unwrap_or(u32::MAX);
    let (mut plies, mut quiet) = (0, game.quiet_before(&state));
    loop {
        if game.is_dead(&state) {
            return (Outcome::Draw, plies);
        }
        let Some(mv) = game.random_move(&state, rng, buffer) else {
            return (game.outcome(&state).unwrap_or(Outcome::Draw), plies);
        };
        if plies >= longest || quiet >= longest_quiet {
            return (Outcome::Draw, plies);
        }
        on_ply(&state);
        if rules.quiet_plies.is_some() {
            quiet = if game.is_progress(&state, mv) { 0 } else { quiet + 1 };
        }
        game.play(&mut state, mv);
        plies += 1;
    }
}
