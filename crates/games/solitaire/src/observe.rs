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
        let cells = board.width() * board.height();
        out.fill(0);
        for hole in holes_of(board.full()) {
            let (x, y) = board.cell(hole);
            let plane = if state.has(hole) { 0 } else { cells };
            if let Some(cell) = out.get_mut(plane + y * board.width() + x) {
                *cell = 1;
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
