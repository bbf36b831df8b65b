//! Moves as numbers of one fixed list: what somebody who learns to choose moves chooses from.

use crate::Game;

/// Games whose moves have numbers from one fixed list, the same in every position.
///
/// As in [`crate::Observe`] the side to move sees the board its own way, so that a position and its image with
/// the sides exchanged have the same numbers. In one position different legal moves have different
/// numbers; a whole move (all jumps of a capture) is one action. The laws are functions of the
/// `tabia-testkit` crate.
///
/// These numbers are not those of [`Game::move_number`], by which databases know moves.
pub trait Actions: Game {
    /// The number of actions, which depends on nothing but the rules.
    fn action_count(&self) -> usize;

    /// The number of a legal move, below [`Actions::action_count`] (some number for any other move).
    fn action_of(&self, state: &Self::State, mv: Self::Move) -> usize;

    /// The legal move with this number; `None` when there is none. `buffer` is scratch space.
    fn move_of(
        &self,
        state: &Self::State,
        action: usize,
        buffer: &mut Vec<Self::Move>,
    ) -> Option<Self::Move> {
        buffer.clear();
        self.moves(state, buffer);
        self.find_action(state, action, buffer)
    }

    /// The same among moves that are listed already.
    #[inline]
    fn find_action(&self, state: &Self::State, action: usize, moves: &[Self::Move]) -> Option<Self::Move> {
        moves.iter().copied().find(|&mv| self.action_of(state, mv) == action)
    }

    /// Sets the bit of every legal move and clears all others, in [`mask_bytes`] bytes: action `a` is bit
    /// `a % 8` (the lowest is 0) of byte `a / 8`. `buffer` is scratch space.
    fn mask(&self, state: &Self::State, bits: &mut [u8], buffer: &mut Vec<Self::Move>) {
        buffer.clear();
        self.moves(state, buffer);
        self.mask_of(state, buffer, bits);
    }

    /// Whether [`Actions::mask`] and [`Game::random_move`] do without a list of moves here and are faster for it. Whoever
    /// needs both for one position makes the list once where they do not.
    #[inline]
    fn needs_no_list(&self) -> bool {
        false
    }

    /// The same as [`Actions::mask`] for moves that are listed already.
    #[inline]
    fn mask_of(&self, state: &Self::State, moves: &[Self::Move], bits: &mut [u8]) {
        bits.fill(0);
        for &mv in moves {
            mark(bits, self.action_of(state, mv));
        }
    }
}

/// Sets the bit of an action; nothing where the mask has none.
#[inline]
pub fn mark(bits: &mut [u8], action: usize) {
    if let Some(byte) = bits.get_mut(action / 8) {
        *byte |= 1 << (action % 8);
    }
}

/// The bytes of a mask with one bit for each of `actions` actions.
pub const fn mask_bytes(actions: usize) -> usize {
    actions.div_ceil(8)
}
