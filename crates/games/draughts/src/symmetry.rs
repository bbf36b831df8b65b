//! The two symmetries: nothing, and a half turn of the board with the colours exchanged.

use tabia_core::Symmetry;

/// An element of the group of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HalfTurn {
    /// Nothing changes.
    Identity,
    /// Square `n` goes to `33 - n`, and Black and White change places (and turns).
    SwapColors,
}

impl HalfTurn {
    /// Both, the identity first.
    pub const ALL: [HalfTurn; 2] = [HalfTurn::Identity, HalfTurn::SwapColors];
}

impl Symmetry for HalfTurn {
    const IDENTITY: Self = HalfTurn::Identity;

    fn then(self, next: Self) -> Self {
        if self == next { HalfTurn::Identity } else { HalfTurn::SwapColors }
    }

    fn inverse(self) -> Self {
        self
    }

    fn swaps_sides(self) -> bool {
        self == HalfTurn::SwapColors
    }

    fn name(self) -> String {
        match self {
            HalfTurn::Identity => "identity".to_owned(),
            HalfTurn::SwapColors => "swap-colors".to_owned(),
        }
    }
}
