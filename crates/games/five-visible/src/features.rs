//! How many stacks there are of every kind, and which kind is blocked: where they stand does not matter.
//!
//! ```text
//!     bit  9 * code + n     more than n stacks have this code (32 codes, of which 15 are stacks)
//!          288 + code       the blocked stack has this code
//! ```
//!
//! To the second player every brick has the other colour.

use crate::{FiveVisible, Place, Stack, State};
use tabia_core::{Features, Side};

const CODES: usize = 32;
const BLOCKED: usize = CODES * Place::COUNT;
const INPUTS: usize = BLOCKED + CODES;

impl Features for FiveVisible {
    fn feature_words(&self) -> usize {
        INPUTS / 64
    }

    fn feature_set(&self, state: &State, out: &mut [u64]) {
        out.fill(0);
        let mut set = |bit: usize| {
            if let Some(word) = out.get_mut(bit / 64) {
                *word |= 1 << (bit % 64);
            }
        };
        let mut counts = [0; CODES];
        for place in Place::ALL {
            let code = usize::from(state.stack(place).code()) % CODES;
            set(Place::COUNT * code + counts[code]);
            counts[code] += 1;
        }
        if let Some(place) = state.blocked() {
            set(BLOCKED + usize::from(state.stack(place).code()));
        }
    }

    fn inputs(&self) -> usize {
        INPUTS
    }

    fn input(&self, viewer: Side, _frame: usize, feature: usize) -> Option<usize> {
        let code = if feature < BLOCKED { feature / Place::COUNT } else { feature - BLOCKED };
        let stack = Stack::from_code(u8::try_from(code).ok()?)?;
        // The colours of the bricks that are there.
        let bricks = ((1 << stack.height()) - 1) << 2;
        let code = code ^ if viewer == Side::First { 0 } else { bricks };
        Some(if feature < BLOCKED { Place::COUNT * code + feature % Place::COUNT } else { BLOCKED + code })
    }
}
