//! An evaluation of tic-tac-toe, with bugs.

use super::{Bug, Planted};
use tabia_core::{Evaluate, Game, Notation, Side};
use tabia_tic_tac_toe::TicTacToe;

impl Evaluate for Planted<TicTacToe> {
    /// Lines with marks of one side only count for it: much with two marks, little with one.
    fn evaluate(&self, state: &Self::State) -> i32 {
        let text = self.format(state).replace('/', "");
        let at = |cell: usize| text.as_bytes().get(cell).copied();
        let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
        let of = |mark| {
            let worth = |line: [usize; 3]| match line.map(at) {
                cells if cells.iter().any(|&cell| cell != Some(mark) && cell != Some(b'.')) => 0,
                cells => [0, 10, 100, 0][cells.iter().filter(|&&cell| cell == Some(mark)).count()],
            };
            lines.map(worth).iter().sum::<i32>()
        };
        let side = if self.has(Bug::FirstsView) { Side::First } else { self.side(state) };
        let value = of([b'x', b'o'][side.index()]) - of([b'o', b'x'][side.index()]);
        if self.has(Bug::Lopsided) && at(0) == Some(b'x') { value + 1 } else { value }
    }
    fn pass(&self, state: &Self::State) -> Option<Self::State> {
        self.has(Bug::Pass).then_some(*state)
    }
}
