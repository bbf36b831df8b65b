//! A position as a set of small facts: what a learned evaluation looks at.
//!
//! A *feature* is a bit of a set: this piece stands on that cell. The set itself is seen by nobody in particular; each
//! side has *inputs* of its own, numbered so that a position and its image with the sides exchanged have the same ones.
//! What a move changes is what two sets differ in, so that no game has to say it twice.

use crate::{Game, Key, Present, Side};

/// Games whose positions a network can look at.
///
/// Who says no more than the names of the pieces ([`Features::kinds`]) has a feature for every kind on every cell and
/// level, made from the pictures of the game: right for everything that can be drawn, and slow. Games that are searched
/// in earnest write the other functions too. The laws are functions of the `tabia-testkit` crate.
pub trait Features: Present {
    /// The kinds of pieces: what pictures call each as the first player's, and as the second player's.
    fn kinds(&self) -> &[[&str; 2]] {
        &[]
    }

    /// How many pieces may stand on one cell.
    fn storeys(&self) -> usize {
        1
    }

    /// Words of 64 bits in a set.
    fn feature_words(&self) -> usize {
        self.inputs().div_ceil(64)
    }

    /// Writes the set of a position, every word of it.
    fn feature_set(&self, state: &Self::State, out: &mut [u64]) {
        draw(self, state, out);
    }

    /// How many inputs a side sees at most.
    fn inputs(&self) -> usize {
        2 * self.kinds().len() * self.storeys() * self.geometry().cells.len()
    }

    /// How many times over the same facts are inputs: each time for other frames, by where the king stands, say. Inputs that
    /// lie `inputs() / folds()` apart are the same fact, so that what they have in common can be learnt from all positions.
    fn folds(&self) -> usize {
        1
    }

    /// How many ways of seeing the board (mirrored or not, say) a side has.
    fn frames(&self) -> usize {
        1
    }

    /// The way in which a side sees this position.
    #[inline]
    fn frame(&self, _state: &Self::State, _viewer: Side) -> usize {
        0
    }

    /// The input that a feature is to a side which sees the board in this way; `None` for bits that are never set.
    fn input(&self, viewer: Side, _frame: usize, feature: usize) -> Option<usize> {
        // Own pieces come first: of two neighbouring bits one is of either side.
        (feature < self.inputs()).then_some(feature ^ viewer.index())
    }
}

/// The set made from a picture: bit `2 * ((level * kinds + kind) * cells + cell) + side`.
fn draw<G: Features>(game: &G, state: &G::State, out: &mut [u64]) {
    out.fill(0);
    let (kinds, cells) = (game.kinds(), game.geometry().cells);
    for piece in game.picture(state).pieces {
        let side = piece.side.map_or(0, Side::index);
        let kind = kinds.iter().position(|names| names[side] == piece.name);
        let cell = cells.iter().position(|cell| cell.id == piece.cell);
        let (Some(kind), Some(cell), level) = (kind, cell, usize::from(piece.level)) else { continue };
        let bit = 2 * ((level * kinds.len() + kind) * cells.len() + cell) + side;
        if let Some(word) = out.get_mut(bit / 64).filter(|_| level < game.storeys()) {
            *word |= 1 << (bit % 64);
        }
    }
}

/// A judgement of positions that remembers those it has seen, to judge the next one quickly.
pub trait Judge<G: Game>: Send {
    /// How good a position looks for the side to move, in hundredths, within ±20,000. `ply` and the key of the position
    /// before it say where in a search it was met; they are hints and change no answer.
    fn judge(&mut self, state: &G::State, ply: usize, before: Option<Key>) -> i32;

    /// How much it prefers each of the legal moves of a position, as logarithms of odds; `None` where it cannot tell without
    /// looking at what comes of them.
    fn prefer(&mut self, _state: &G::State, _moves: &[G::Move]) -> Option<Vec<f32>> {
        None
    }
}

/// An evaluation that is not the game's own: a judge for every thread that searches.
pub trait Judges<G: Game>: Send + Sync {
    /// A judge who has seen nothing yet.
    fn judge(&self) -> Box<dyn Judge<G> + '_>;
}
