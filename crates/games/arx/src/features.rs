//! Which piece stands on which square, at the bottom or on top, seen by either side: own pieces first, the rows from the
//! own side, and mirrored so that the own King stands in the columns A to E.
//!
//! ```text
//!     set     layer 0..8    White's Soldiers ... Ballistas, King: single or at the bottom      2 words each,
//!                   8..15   White's Soldiers ... Ballistas on top of a stack                   81 bits of them
//!                  15..30   Black's
//!     inputs  30 * 81: the own ones, the opponent's
//! ```

use crate::{Arx, Kind, Square, State};
use tabia_core::{Features, Side};

/// Layers of a side.
const LAYERS: usize = 2 * Kind::COUNT - 1;
const TOPS: usize = Kind::COUNT;

impl Features for Arx {
    fn feature_words(&self) -> usize {
        4 * LAYERS
    }

    #[inline]
    fn feature_set(&self, state: &State, out: &mut [u64]) {
        let planes: [u128; 8] = std::array::from_fn(|i| state.plane(i));
        let kings = state.kings();
        // The squares whose three planes from `first` on are this number.
        let coded = |first: usize, code: usize| {
            let plane = |i: usize| if code >> i & 1 == 1 { planes[first + i] } else { !planes[first + i] };
            plane(0) & plane(1) & plane(2) & planes[7]
        };
        let (white, black) = (planes[6], !planes[6]);
        let mut put = |layer: usize, set: u128| {
            for (layer, own) in [(layer, set & white), (LAYERS + layer, set & black)] {
                if let Some([low, high]) = out.get_mut(2 * layer..2 * layer + 2) {
                    (*low, *high) = (own as u64, (own >> 64) as u64);
                }
            }
        };
        for kind in 1..Kind::COUNT {
            put(kind - 1, coded(0, kind));
            put(TOPS + kind - 1, coded(3, kind) & !kings);
        }
        put(Kind::COUNT - 1, kings);
    }

    fn inputs(&self) -> usize {
        2 * LAYERS * Square::COUNT
    }

    fn frames(&self) -> usize {
        2
    }

    #[inline]
    fn frame(&self, state: &State, viewer: Side) -> usize {
        let king = state.king(viewer);
        let column = king.trailing_zeros() as usize % Square::SIDE;
        usize::from(king != 0 && column > Square::SIDE / 2)
    }

    fn input(&self, viewer: Side, frame: usize, feature: usize) -> Option<usize> {
        let (layer, square) = (feature / 128, Square::from_index(feature % 128)?);
        let last = Square::SIDE - 1;
        let row = if viewer == Side::First { square.row() } else { last - square.row() };
        let column = if frame == 0 { square.column() } else { last - square.column() };
        let layer = (layer + viewer.index() * LAYERS) % (2 * LAYERS);
        (feature < 2 * LAYERS * 128).then_some(layer * Square::COUNT + row * Square::SIDE + column)
    }
}
