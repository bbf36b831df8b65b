//! Setting up a position: the drawing of a board out of pegs in holes.

use crate::Solitaire;
use tabia_core::{Arrange, Arrangement, RuleError};

impl Arrange for Solitaire {
    fn arranged(&self, arrangement: &Arrangement) -> Result<String, RuleError> {
        arrangement.side()?;
        let mut pegs = 0;
        for (hole, pieces) in &arrangement.cells {
            let known = self
                .board()
                .hole(hole)
                .ok_or_else(|| RuleError::new(format!("there is no hole {hole:?}")))?;
            if pieces.len() > 1 {
                return Err(RuleError::new(format!("there is room for one peg in {hole}")));
            }
            pegs |= if pieces.is_empty() { 0 } else { known.bit() };
        }
        Ok(self.board().draw(pegs))
    }
}
