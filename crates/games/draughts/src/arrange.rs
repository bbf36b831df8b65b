//! Setting up a position: a FEN out of pieces on squares.

use crate::rules::Draughts;
use crate::types::{Color, Kind, Square};
use crate::view::picture_of;
use tabia_core::{Arrange, Arrangement, Piece, RuleError, Side};

impl Arrange for Draughts {
    fn palette(&self) -> Vec<Piece> {
        let kinds = [Color::Black, Color::White]
            .into_iter()
            .flat_map(|color| [(color, Kind::Man), (color, Kind::King)]);
        let nowhere = Square::all().next();
        let piece = |(color, kind)| {
            nowhere.map(|square| Piece { cell: String::new(), ..picture_of(square, color, kind) })
        };
        kinds.filter_map(piece).collect()
    }

    fn arranged(&self, arrangement: &Arrangement) -> Result<String, RuleError> {
        let group = |man: char, king: char| {
            let named = Square::all().flat_map(|square| {
                let pieces = arrangement.on(&square.to_string()).chars().collect::<Vec<_>>();
                pieces.into_iter().filter_map(move |piece| match piece {
                    piece if piece == man => Some(square.to_string()),
                    piece if piece == king => Some(format!("K{square}")),
                    _ => None,
                })
            });
            named.collect::<Vec<_>>().join(",")
        };
        let side = if arrangement.side()? == Side::First { "B" } else { "W" };
        Ok(format!("{side}:W{}:B{}", group('w', 'W'), group('b', 'B')))
    }
}
