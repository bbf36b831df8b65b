//! Which man or king stands on which square, seen by either side as if it moved down the page.
//!
//! ```text
//!     set     word 0: Black's men, White's men << 32        word 1: the kings in the same way
//!     inputs  own men, the opponent's men, own kings, the opponent's kings: 32 each
//! ```

use crate::rules::Draughts;
use crate::state::State;
use tabia_core::{Features, Side};

/// A bit for every man and every king.
const INPUTS: usize = 128;

impl Features for Draughts {
    fn feature_words(&self) -> usize {
        INPUTS / 64
    }

    #[inline]
    fn feature_set(&self, state: &State, out: &mut [u64]) {
        let [men, kings] = out else { return };
        let all = u64::from(state.black()) | u64::from(state.white()) << 32;
        let crowned = u64::from(state.kings()) | u64::from(state.kings()) << 32;
        (*men, *kings) = (all & !crowned, all & crowned);
    }

    fn inputs(&self) -> usize {
        INPUTS
    }

    fn input(&self, viewer: Side, _frame: usize, feature: usize) -> Option<usize> {
        // For White the board is turned: square 1 is 32, and the halves of a word change places.
        let input = if viewer == Side::First { feature } else { feature ^ 63 };
        (feature < INPUTS).then_some(input)
    }
}
