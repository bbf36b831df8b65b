//! Setting up a position: its text out of pieces on squares.

use crate::{Arx, Square};
use tabia_core::{Arrange, Arrangement, RuleError, Side};

impl Arrange for Arx {
    fn stack(&self) -> usize {
        2
    }

    fn arranged(&self, arrangement: &Arrangement) -> Result<String, RuleError> {
        let (mut text, mut gap) = (String::new(), 0);
        for square in Square::all() {
            let name = square.to_string();
            let pieces = arrangement.on(&name);
            let ends = square.column() + 1 == Square::SIDE;
            gap += u8::from(pieces.is_empty());
            if gap > 0 && (ends || !pieces.is_empty()) {
                text.push_str(&gap.to_string());
                gap = 0;
            }
            // In the text the top of a stack comes first.
            let stack: String = pieces.chars().rev().collect();
            text.push_str(&if stack.len() > 1 { format!("[{stack}]") } else { stack });
            if ends && square.row() + 1 < Square::SIDE {
                text.push('/');
            }
        }
        let side = if arrangement.side()? == Side::First { "w" } else { "b" };
        Ok(format!("{text} {side}"))
    }
}
