//! The two symmetries: nothing, and a half turn of the board with the colours exchanged.

use tabia_core::{MirrorSwap, MirrorSwapNames};

/// A symmetry of draughts: half of the group of mirror and swap, because the board has no mirror image of itself.
pub type HalfTurn = MirrorSwap<Names>;

/// What the symmetries of draughts are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Names;

impl MirrorSwapNames for Names {
    const NAMES: [&'static str; 4] = ["identity", "swap-colors", "mirror", "mirror-swap-colors"];
}

/// The identity, and the turn: square `n` goes to `33 - n`, Black and White change places (and turns).
pub(crate) const ALL: [HalfTurn; 2] = [HalfTurn::ALL[0], HalfTurn::SWAP];
