//! Two planes as large as the board's drawing: the pegs, and the empty holes. Where there is no hole both are 0.
//!
//! Row 0 is at the top. The rows of a triangle begin at the left and grow to the right.

use crate::types::holes_of;
use crate::{BoardSymmetry, Solitaire, State};
use tabia_core::{Observe, Planes};

impl Observe for Solitaire {
    fn planes(&self) -> Planes {
        Planes { channels: 2, height: self.board().height(), width: self.board().width() }
    }

    #[inline]
    fn observe(&self, state: &State, _quiet: u32, out: &mut [u8]) {
        let board = self.board();
        out.fill(0);
        let (pegs, empty) = out.split_at_mut(out.len() / 2);
        for hole in board.holes() {
            let (x, y) = board.cell(hole);
            let at = y * board.width() + x;
            // Both are written whatever they are, so that nothing depends on whether there is a peg.
            if let (Some(peg), Some(no_peg)) = (pegs.get_mut(at), empty.get_mut(at)) {
                *peg = u8::from(state.has(hole));
                *no_peg = 1 - *peg;
            }
        }
    }

    /// Holes go where the symmetry sends them; cells without a hole stay.
    fn map_cell(&self, cell: usize, symmetry: BoardSymmetry) -> usize {
        let board = self.board();
        let Some(hole) = board.at(cell % board.width(), cell / board.width()) else { return cell };
        let image = self.group().image(hole.bit(), self.group().number(symmetry));
        let Some(target) = holes_of(image).next() else { return cell };
        let (x, y) = board.cell(target);
        y * board.width() + x
    }
}
