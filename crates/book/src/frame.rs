//! The canonical frame: the representative of a position under the game's symmetries, and the
//! numbers by which its moves are stored.
//!
//! A move is stored as [`Game::move_number`] of its image in the canonical position (by default its
//! place in the list of legal moves there). Where the canonical position is symmetric in itself,
//! moves that are images of each other are one class, stored under the least number among them; the
//! same happens where the game itself gives several moves one number. So the counts of a position's
//! classes add up, whatever way round each game was played.
//!
//! A symmetry that exchanges the players exchanges their wins too.

use tabia_core::{Game, Symmetry};

/// A position in its canonical frame.
pub(crate) struct Frame<G: Game> {
    /// The representative.
    pub(crate) state: G::State,
    /// The exact code of the representative.
    pub(crate) packed: G::Packed,
    /// The way from the position to the representative.
    pub(crate) symmetry: G::Symmetry,
}

impl<G: Game> Frame<G> {
    /// The frame of a position.
    pub(crate) fn of(game: &G, state: &G::State) -> Self {
        let canonical = game.canonicalise(state);
        let packed = game.pack(&canonical.state);
        Frame { state: canonical.state, packed, symmetry: canonical.symmetry }
    }

    /// Whether the players change places on the way into the frame.
    pub(crate) fn swaps(&self) -> bool {
        self.symmetry.swaps_sides()
    }
}

/// Numbers moves; keeps its buffers from position to position.
pub(crate) struct Numberer<'a, G: Game> {
    game: &'a G,
    legal: Vec<G::Move>,
    stabiliser: Vec<G::Symmetry>,
}

impl<'a, G: Game> Numberer<'a, G> {
    pub(crate) fn new(game: &'a G) -> Self {
        Numberer { game, legal: Vec::new(), stabiliser: Vec::new() }
    }

    /// The number of the class of `mv`, a legal move of the position that `frame` was made of;
    /// `None` when it is not legal there.
    pub(crate) fn number(&mut self, frame: &Frame<G>, mv: G::Move) -> Option<u64> {
        self.enter(frame);
        self.class(frame, mv)
    }

    /// The classes of all `moves` of the position that `frame` was made of.
    pub(crate) fn numbers(&mut self, frame: &Frame<G>, moves: &[G::Move]) -> Vec<Option<u64>> {
        self.enter(frame);
        moves.iter().map(|&mv| self.class(frame, mv)).collect()
    }

    /// The legal moves of the representative with their classes.
    pub(crate) fn classes(&mut self, frame: &Frame<G>) -> Vec<(G::Move, u64)> {
        self.enter(frame);
        let mut moves = Vec::new();
        self.game.moves(&frame.state, &mut moves);
        moves.iter().filter_map(|&mv| Some((mv, self.class_of_image(frame, mv)?))).collect()
    }

    /// Finds the symmetries that change nothing in this frame.
    fn enter(&mut self, frame: &Frame<G>) {
        self.legal.clear();
        self.stabiliser.clear();
        for &symmetry in self.game.symmetries(&frame.state) {
            // A position knows who is to move: exchanging the players always changes it.
            let candidate = symmetry != G::Symmetry::IDENTITY && !symmetry.swaps_sides();
            if candidate && self.game.map_state(&frame.state, symmetry) == frame.state {
                self.stabiliser.push(symmetry);
            }
        }
    }

    fn class(&mut self, frame: &Frame<G>, mv: G::Move) -> Option<u64> {
        self.class_of_image(frame, self.game.map_move(mv, frame.symmetry))
    }

    fn class_of_image(&mut self, frame: &Frame<G>, mv: G::Move) -> Option<u64> {
        let mut least = self.plain_number(frame, mv)?;
        for i in 0..self.stabiliser.len() {
            let image = self.game.map_move(mv, self.stabiliser[i]);
            least = least.min(self.plain_number(frame, image)?);
        }
        Some(least)
    }

    fn plain_number(&mut self, frame: &Frame<G>, mv: G::Move) -> Option<u64> {
        if let Some(number) = self.game.move_number(&frame.state, mv) {
            return Some(number);
        }
        if self.legal.is_empty() {
            self.game.moves(&frame.state, &mut self.legal);
        }
        self.legal.iter().position(|&legal| legal == mv).map(|at| at as u64)
    }
}
