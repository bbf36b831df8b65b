//! What a picture of the game needs: the board, the pieces, the squares to click.

use crate::moves::Move;
use crate::rules::{Counting, Draughts};
use crate::state::State;
use crate::types::{Color, Kind, Square};
use crate::{bits, fen, legality};
use tabia_core::view::{Geometry, Info, Invitation, Picture, Piece, Present, Shade, Shape, grid};
use tabia_core::{CodeField, Game, Name, Side};

/// The ways of counting moves, the default first.
const COUNT_MODES: [&str; 2] = ["routes", "unique"];

/// A crown on a disc.
const KING_ART: &str = "M50 6A44 44 0 1 0 50 94A44 44 0 1 0 50 6ZM26 68L22 36L38 50L50 28L62 50L78 36L74 68Z";

/// Positions that show the rules.
const EXAMPLES: [(&str, &str); 2] = [
    ("Captures are compulsory and go on: Black must take both pieces with one move.", "B:W15,23,24:B1,11"),
    ("A man that reaches the last row becomes a king, which may go backwards, too.", "W:W6:B20,K27"),
];

/// How the pieces move.
const PIECE_WORDS: [(&str, &str); 2] = [
    ("man", "one step diagonally forward; captures by jumping forward"),
    ("king", "one step diagonally in any direction; captures by jumping in any direction"),
];

impl Present for Draughts {
    fn info(&self) -> Info {
        Info::new(
            "English draughts",
            "Men step diagonally forward, kings one step in any diagonal direction. An opponent's piece is \
                    captured by jumping over it; captures are compulsory and go on as long as they can. A man that \
                    reaches the last row becomes a king. Who cannot move has lost. Black moves first.",
            "Positions are FEN (B:W18,24,K30:B5,12: Black to move, White on 18, 24 and a king on 30) or a \
                       dump of 64 digits. Moves are 11-15, or 15x22 for a capture; where several captures join the \
                       same squares, the whole path is written: 15x22x31.",
            &["Black", "White"],
        )
    }

    fn openings(&self) -> &'static str {
        include_str!("openings.txt")
    }

    fn invitation(&self) -> Invitation {
        Invitation::new(
            "Every capture is forced: set the trap three moves ahead.",
            "11-16 23-19 16x23 26x19 10-15 19x10 7x14 24-19 9-13 28-24 8-11 22-18 14x23 27x18",
        )
    }

    fn examples(&self) -> &[(&'static str, &'static str)] {
        &EXAMPLES
    }

    fn piece_words(&self) -> &[(&'static str, &'static str)] {
        &PIECE_WORDS
    }

    fn geometry(&self) -> Geometry {
        // Light squares need names of their own, and are never clicked.
        let name = |column: usize, row: usize| match Square::at(row, column) {
            Some(square) => Some((square.to_string(), Shade::Dark)),
            None => Some((format!("light-{}-{}", row + 1, column + 1), Shade::Faint)),
        };
        let mut board = grid(8, 8, Shape::Square, name, |_| String::new(), |_| String::new());
        for cell in board.cells.iter_mut().filter(|cell| cell.shade == Shade::Faint) {
            cell.name = Some("light square".into());
        }
        board
    }

    fn short_name(&self) -> Name {
        "Draughts".into()
    }

    fn picture(&self, state: &State) -> Picture {
        let piece = |square: Square| state.piece(square).map(|(color, kind)| picture_of(square, color, kind));
        let pieces = bits::squares(!state.empty()).filter_map(piece).collect();
        Picture { pieces, marks: Vec::new() }
    }

    fn piece_count(&self, state: &State, side: Option<Side>, kind: Option<&str>) -> Option<u32> {
        let whose = match side {
            None => !0,
            Some(side) if side == Color::Black.side() => state.black(),
            Some(_) => state.white(),
        };
        let which = match kind {
            None => !0,
            Some("king") => state.kings(),
            Some("man") => !state.kings(),
            Some(_) => return None,
        };
        Some((!state.empty() & whose & which).count_ones())
    }

    /// Every square the piece touches.
    fn steps(&self, _state: &State, mv: Move) -> Vec<String> {
        let name = |square: Square| {
            let mut name = String::with_capacity(2);
            fen::push_number(&mut name, square.number());
            name
        };
        mv.squares().map(name).collect()
    }

    fn stuck(&self, state: &State, cell: &str) -> Option<String> {
        let square = cell.parse().ok().and_then(Square::new)?;
        legality::stuck(state, square)
    }

    fn count_modes(&self) -> &[&str] {
        &COUNT_MODES
    }

    fn with_count_mode(&self, mode: &str) -> Option<Self> {
        match mode {
            "routes" => Some(Draughts { counting: Counting::Routes }),
            "unique" => Some(Draughts { counting: Counting::Unique }),
            _ => None,
        }
    }

    /// Black moves first.
    fn dark_side(&self) -> Side {
        Side::First
    }

    fn code_fields(&self, state: &State) -> Vec<CodeField> {
        let squares: Vec<String> = Square::all().map(|square| square.to_string()).collect();
        let set = |name, bits: u32, says| CodeField::set(name, bits.into(), &squares, says);
        vec![
            set("black pieces", state.black(), "a black piece"),
            set("white pieces", state.white(), "a white piece"),
            set("kings", state.kings(), "a king"),
            CodeField::hash("key", self.key(state).0),
        ]
    }
}

pub(crate) fn picture_of(square: Square, color: Color, kind: Kind) -> Piece {
    let (name, ascii, unicode, art) = match (color, kind) {
        (Color::Black, Kind::Man) => ("man", "b", "⛂", None),
        (Color::Black, Kind::King) => ("king", "B", "⛃", Some(KING_ART)),
        (Color::White, Kind::Man) => ("man", "w", "⛀", None),
        (Color::White, Kind::King) => ("king", "W", "⛁", Some(KING_ART)),
    };
    Piece {
        cell: square.to_string(),
        side: Some(color.side()),
        name: name.into(),
        ascii: ascii.to_owned(),
        unicode: unicode.to_owned(),
        level: 0,
        art: art.map(Into::into),
    }
}
