//! The law suite: what is true of every game in every position, and of every capability.
//!
//! Each `check_...` panics at the first law that fails, with the law and the place; each `..._verdict` answers
//! instead. A game calls [`check_game`], and one more for each capability that it has:
//!
//! | call | for games that are |
//! |---|---|
//! | [`check_game`] | anything: codes, keys, moves, pictures, variants, symmetries |
//! | [`check_variants`] | played by several rules |
//! | [`check_search`] | [`Evaluate`]: evaluation, noisy moves, slots |
//! | [`check_features`] | [`Features`]: what a network sees |
//! | [`check_index`] | [`Index`]: a number for every position, moves forwards and backwards |
//! | [`check_levels`] | [`Levels`]: blocks, and moves inside them or to earlier ones |
//! | [`check_puzzle`] | [`Puzzle`]: every answer against trying everything |
//! | [`check_files`] | [`ReadGames`]: what was written is read |
//! | [`check_arrange`] | [`Arrange`]: every position can be set up piece by piece |
//! | [`check_line`] | solved: a line really reaches its value |

mod actions;
mod arrange;
mod features;
mod files;
mod game;
mod index;
mod keys;
mod levels;
mod line;
mod observe;
mod picture;
mod puzzle;
mod search;
mod symmetry;
mod variant;
mod walk;

pub use actions::{action_verdict, actions_verdict};
pub use arrange::arrange_verdict;
pub use features::features_verdict;
pub use files::files_verdict;
pub use game::game_verdict;
pub use index::index_verdict;
pub use keys::{key_table, key_table_verdict, rank};
pub use levels::levels_verdict;
pub use line::line_verdict;
pub use observe::observe_verdict;
pub use puzzle::puzzle_verdict;
pub use search::search_verdict;
pub use variant::variants_verdict;

use tabia_core::{
    Actions, Arrange, Evaluate, Features, Index, Levels, Notation, Observe, Present, Puzzle, ReadGames,
    SplitMix64, Value,
};

/// How hard to look.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Random games to play from each named start: in turn any moves, captures where there are some, and
    /// captures that do not end the game.
    pub games: u32,
    /// Plies after which a game is left.
    pub plies: u32,
    /// Where the randomness starts.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { games: 12, plies: 120, seed: 0x7ab1a }
    }
}

/// A law that does not hold, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The law.
    pub law: &'static str,
    /// The position and what was seen there.
    pub details: String,
}

/// What a law answers.
pub type Verdict = Result<(), Violation>;

/// Fails with `law` unless `holds`.
pub fn law(law: &'static str, holds: bool, details: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(Violation { law, details: details() }) }
}

fn hold(id: &str, verdict: Verdict) {
    if let Err(violation) = verdict {
        panic!("{id}: the law «{}» fails: {}", violation.law, violation.details);
    }
}

/// Checks the laws of every game.
pub fn check_game<G: Present>(game: &G, effort: Effort) {
    hold(game.id(), game_verdict(game, effort, |_| Vec::new()));
}

/// Checks the laws of every game, for a group too large to list: `elements` draws some of it.
pub fn check_game_drawing<G: Present>(
    game: &G,
    effort: Effort,
    elements: impl Fn(&mut SplitMix64) -> Vec<G::Symmetry>,
) {
    hold(game.id(), game_verdict(game, effort, elements));
}

/// Checks that rules that differ (boards, options) have variants that differ and lead back to them.
pub fn check_variants<G: Present>(rules: &[G]) {
    hold(rules.first().map_or("no rules", |rules| rules.id()), variants_verdict(rules));
}

/// Checks the laws of games that are searched.
pub fn check_search<G: Present + Evaluate>(game: &G, effort: Effort) {
    hold(game.id(), search_verdict(game, effort));
}

/// Checks the laws of games that a network can look at.
pub fn check_features<G: Features>(game: &G, effort: Effort) {
    hold(game.id(), features_verdict(game, effort));
}

/// Checks the laws of games whose positions of at most `pieces` pieces are numbered.
pub fn check_index<G: Present + Index>(game: &G, pieces: u32, effort: Effort) {
    hold(game.id(), index_verdict(game, pieces, effort));
}

/// Checks the laws of games whose endings of at most `pieces` pieces are solved level by level.
pub fn check_levels<G: Present + Levels>(game: &G, pieces: u32, effort: Effort) {
    hold(game.id(), levels_verdict(game, pieces, effort));
}

/// Checks the laws of games for one player with a solver of their own.
pub fn check_puzzle<G: Present + Puzzle>(game: &G, effort: Effort) {
    hold(game.id(), puzzle_verdict(game, effort));
}

/// Checks the laws of readers and writers of game files.
pub fn check_files<G: Present + ReadGames>(game: &G, effort: Effort) {
    hold(game.id(), files_verdict(game, effort));
}

/// Checks the laws of games whose moves are numbered.
pub fn check_actions<G: Actions + Notation>(game: &G, effort: Effort) {
    hold(game.id(), actions_verdict(game, effort));
}

/// Checks the laws of games whose positions can be set up piece by piece.
pub fn check_arrange<G: Arrange>(game: &G, effort: Effort) {
    hold(game.id(), arrange_verdict(game, effort));
}

/// Checks the laws of games whose positions are shown as planes. `elements` draws symmetries where the group
/// is too large to list.
pub fn check_observe<G: Observe + Notation>(
    game: &G,
    effort: Effort,
    elements: impl Fn(&mut SplitMix64) -> Vec<G::Symmetry>,
) {
    hold(game.id(), observe_verdict(game, effort, elements));
}

/// Checks that a line of moves is legal and leads to the end that an exact value promises.
pub fn check_line<G: Present>(game: &G, state: &G::State, line: &[G::Move], value: Value) {
    hold(game.id(), line_verdict(game, state, line, value));
}
