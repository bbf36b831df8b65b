//! Moves as numbers of one fixed list: what somebody who learns to choose moves chooses from.

use crate::Game;
use std::fmt::Debug;

/// Games whose moves have numbers from one fixed list, the same in every position.
///
/// As in [`crate::Observe`] the side to move sees the board its own way, so that a position and its image with
/// the sides exchanged have the same numbers. In one position different legal moves have different
/// numbers; a whole move (all jumps of a capture) is one action. The laws are functions of the
/// `tabia-testkit` crate.
///
/// These numbers are not those of [`Game::move_number`], by which databases know moves.
pub trait Actions: Game {
    /// The legal moves of one position, in the form in which this game finds, draws and marks them quickly. A list,
    /// `Vec<Self::Move>`, will do.
    type Legal: LegalMoves<Self>;

    /// The number of actions, which depends on nothing but the rules.
    fn action_count(&self) -> usize;

    /// The number of a legal move, below [`Actions::action_count`] (some number for any other move).
    fn action_of(&self, state: &Self::State, mv: Self::Move) -> usize;

    /// The legal move with this number; `None` when there is none.
    fn move_of(&self, state: &Self::State, action: usize) -> Option<Self::Move> {
        legal_moves(self, state).find(self, state, action)
    }
}

/// The legal moves of a position, in the form of its game.
pub fn legal_moves<G: Actions>(rules: &G, state: &G::State) -> G::Legal {
    let mut legal = G::Legal::default();
    legal.fill(rules, state);
    legal
}

/// The legal moves of one position, worked out once and asked several times: how many there are, which is drawn by lot,
/// which has a number, what the mask is.
///
/// All but [`LegalMoves::fill`] are asked with the rules and the position it was filled with.
pub trait LegalMoves<G: Actions>: Clone + Debug + Default + Send + Sync {
    /// Takes the legal moves of a position, in place of those before.
    fn fill(&mut self, rules: &G, state: &G::State);

    /// How many there are.
    fn count(&self) -> usize;

    /// One of them for every number below [`LegalMoves::count`].
    fn nth(&self, rules: &G, state: &G::State, n: usize) -> Option<G::Move>;

    /// Visits all of them, in the order of [`Game::moves`].
    fn each(&self, rules: &G, state: &G::State, visit: impl FnMut(G::Move));

    /// The one with this action number.
    #[inline]
    fn find(&self, rules: &G, state: &G::State, action: usize) -> Option<G::Move> {
        let mut found = None;
        self.each(rules, state, |mv| {
            if rules.action_of(state, mv) == action {
                found = Some(mv);
            }
        });
        found
    }

    /// Sets the bit of every legal move and clears all others, in [`mask_bytes`] bytes: action `a` is bit
    /// `a % 8` (the lowest is 0) of byte `a / 8`.
    #[inline]
    fn mask(&self, rules: &G, state: &G::State, bits: &mut [u8]) {
        bits.fill(0);
        self.each(rules, state, |mv| mark(bits, rules.action_of(state, mv)));
    }
}

/// The plain list.
impl<G: Actions> LegalMoves<G> for Vec<G::Move> {
    #[inline]
    fn fill(&mut self, rules: &G, state: &G::State) {
        self.clear();
        rules.moves(state, self);
    }

    #[inline]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn nth(&self, _rules: &G, _state: &G::State, n: usize) -> Option<G::Move> {
        self.get(n).copied()
    }

    #[inline]
    fn each(&self, _rules: &G, _state: &G::State, visit: impl FnMut(G::Move)) {
        self.iter().copied().for_each(visit);
    }
}

/// Sets the bit of an action; nothing where the mask has none.
#[inline]
pub fn mark(bits: &mut [u8], action: usize) {
    if let Some(byte) = bits.get_mut(action / 8) {
        *byte |= 1 << (action % 8);
    }
}

/// Sets the bits of the actions from `first` on that are set in `set`, which has none above the 56th.
#[inline]
pub fn mark_row(bits: &mut [u8], first: usize, set: u64) {
    let at = first / 8;
    let shifted = set << (first % 8);
    if let Some(bytes) = bits.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<8>) {
        *bytes = (u64::from_le_bytes(*bytes) | shifted).to_le_bytes();
    } else if let Some(bytes) = bits.get_mut(at..) {
        // Near the end of the mask.
        bytes.iter_mut().zip(shifted.to_le_bytes()).for_each(|(byte, set)| *byte |= set);
    }
}

/// The bytes of a mask with one bit for each of `actions` actions.
pub const fn mask_bytes(actions: usize) -> usize {
    actions.div_ceil(8)
}
