//! What a search is asked.

use tabia_core::{Game, Judges, Probe};

/// What a search is asked beyond its position and its limits; by default, for the best move.
#[derive(Clone, Copy)]
pub struct Question<'a, G: Game> {
    /// A source of exact values, which is looked into at every position of the tree.
    pub known: Option<&'a dyn Probe<G>>,
    /// An evaluation in place of the game's own. What the table knows must come from the same one.
    pub judges: Option<&'a dyn Judges<G>>,
    /// The only moves to consider in the position itself; none: all. Scores are then those of the best of
    /// them.
    pub among: &'a [G::Move],
    /// Look for nothing but a win of the side to move, full-width: one within the depth limit is sure to be
    /// found. Where there is none, the answer is a move and no claim.
    pub only_wins: bool,
}

impl<G: Game> Default for Question<'_, G> {
    fn default() -> Self {
        Question { known: None, judges: None, among: &[], only_wins: false }
    }
}

impl<G: Game> std::fmt::Debug for Question<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Question")
            .field("known", &self.known.is_some())
            .field("judges", &self.judges.is_some())
            .field("among", &self.among)
            .field("only_wins", &self.only_wins)
            .finish()
    }
}
