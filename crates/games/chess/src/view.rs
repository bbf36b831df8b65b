//! What a picture of a chess board needs: 64 cells, six silhouettes, the cells to click for a move.

use crate::movegen::is_castling;
use crate::types::{
    Color, File, Move, Piece, Rank, Square, file_letter, piece_letter, piece_name, rank_digit, side_of,
    square_name,
};
use crate::{Chess, State, legality, uci};
use tabia_core::view::grid;
use tabia_core::{CodeField, Geometry, Info, Invitation, Mark, Name, Picture, Present, Shade, Shape};

/// Outlines in a box of 100 by 100, in the order of [`Piece::ALL`]. All share one foot.
const ART: [&str; Piece::NUM] = [
    // Pawn: a ball on a collar and a skirt.
    "M50 18A14 14 0 0 1 58 43.5L66 49H57C58 61 62 69 70 75V79H78V88H22V79H30V75C38 69 42 61 43 49H34L42 43.5A14 14 0 0 1 50 18Z",
    // Knight: ears, brow, muzzle, then the long curve of mane and back.
    "M40 10L47 21C66 22 78 36 78 58C78 66 76 72 73 79H80V88H22V79H30C30 64 44 58 47 45C40 51 33 51 28 57L19 52C18 43 26 34 32 27C33 23 36 20 38 19Z",
    // Bishop: a mitre with its cut, a collar, a narrow waist.
    "M50 8A5.5 5.5 0 0 1 54 17C58 20 61 24 63 28L51 41L55 45L66 33C70 46 65 53 59 57H67V64H59C60 70 63 74 69 79H77V88H23V79H31C37 74 40 70 41 64H33V57H41C31 50 31 32 46 17A5.5 5.5 0 0 1 50 8Z",
    // Rook: three battlements, a straight tower.
    "M25 15H36V23H44V15H56V23H64V15H75V36L66 42V68L72 75V79H79V88H21V79H28V75L34 68V42L25 36Z",
    // Queen: five points with balls, a belt.
    "M50 9A5.5 5.5 0 0 1 53.5 19L60 43L70 23A5.5 5.5 0 1 1 77 25L72 47L84 35A5.5 5.5 0 1 1 88 41L74 66L71 73L74 79H80V88H20V79H26L29 73L26 66L12 41A5.5 5.5 0 1 1 16 35L28 47L23 25A5.5 5.5 0 1 1 30 23L40 43L46.5 19A5.5 5.5 0 0 1 50 9Z",
    // King: a cross above two lobes.
    "M46 6H54V13H61V21H54V30C57 33 58 36 58 39C68 31 86 33 87 48C88 58 78 64 73 70V75L76 79H81V88H19V79H24L27 75V70C22 64 12 58 13 48C14 33 32 31 42 39C42 36 43 33 46 30V21H39V13H46Z",
];

const WHITE: [&str; Piece::NUM] = ["♙", "♘", "♗", "♖", "♕", "♔"];
const BLACK: [&str; Piece::NUM] = ["♟", "♞", "♝", "♜", "♛", "♚"];

/// Positions that show the rules.
const EXAMPLES: [(&str, &str); 4] = [
    (
        "A pawn that reaches the last row becomes a queen, rook, bishop or knight.",
        "8/P7/8/8/8/8/k7/2K5 w - - 0 1",
    ),
    (
        "Castling: the king goes two squares towards a rook, which leaps over it.",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    ),
    (
        "En passant: a pawn that has just passed another by a double step can be taken, this once.",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    ),
    ("Mate: the king is attacked, and nothing helps.", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"),
];

/// How the pieces move.
const PIECE_WORDS: [(&str, &str); 6] = [
    ("pawn", "one step ahead, two from where it starts; takes one step diagonally ahead"),
    ("knight", "two squares straight and one to the side, over everything"),
    ("bishop", "any distance diagonally"),
    ("rook", "any distance straight"),
    ("queen", "any distance straight or diagonally"),
    ("king", "one step in any direction"),
];

impl Present for Chess {
    fn info(&self) -> Info {
        Info::new(
            "Chess",
            "Each side moves one piece a turn. A king that is attacked must be rescued at once; if it cannot, \
                    that is mate and loses. No legal move without check is stalemate, a draw, as are too little \
                    material to mate, the third occurrence of a position and 50 moves without capture or pawn move. \
                    Chess960 starts are played too.",
            "Positions are FEN, such as rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1. Moves are \
                       written as e4, Nf3, exd5, O-O, e8=Q (SAN); e2e4, e1g1, e7e8q (UCI) are read too.",
            &["White", "Black"],
        )
    }

    fn common_name(&self) -> Name {
        "chess".into()
    }

    fn openings(&self) -> &'static str {
        include_str!("openings.txt")
    }

    fn invitation(&self) -> Invitation {
        // Paul Morphy against the Duke of Brunswick and Count Isouard, Paris 1858.
        Invitation::new(
            "Paste a game, and see the move that lost it.",
            "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 \
             O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#",
        )
    }

    fn examples(&self) -> &[(&'static str, &'static str)] {
        &EXAMPLES
    }

    fn piece_words(&self) -> &[(&'static str, &'static str)] {
        &PIECE_WORDS
    }

    fn choice(&self, _state: &State, mv: Move) -> Option<String> {
        mv.promotion.map(|piece| piece_name(piece).to_owned())
    }

    fn geometry(&self) -> Geometry {
        let name = |column: usize, row: usize| {
            let square = Square::new(File::try_index(column)?, Rank::try_index(7 - row)?);
            let shade = if (column + row).is_multiple_of(2) { Shade::Light } else { Shade::Dark };
            Some((square.to_string(), shade))
        };
        let file =
            |column: usize| File::try_index(column).map_or_else(String::new, |f| file_letter(f).to_string());
        let rank =
            |row: usize| Rank::try_index(7 - row).map_or_else(String::new, |r| rank_digit(r).to_string());
        grid(8, 8, Shape::Square, name, file, rank)
    }

    fn picture(&self, state: &State) -> Picture {
        let piece = |square: Square| {
            let (piece, color) = state.piece_on(square)?;
            let symbols = if color == Color::White { WHITE } else { BLACK };
            Some(tabia_core::Piece {
                cell: square.to_string(),
                side: Some(side_of(color)),
                name: piece_name(piece).into(),
                ascii: piece_letter(piece, color).to_string(),
                unicode: symbols[piece as usize].to_owned(),
                level: 0,
                art: Some(ART[piece as usize].into()),
            })
        };
        let king = state.in_check().then(|| state.board().king(state.board().side_to_move()));
        let marks = king.map(|king| Mark { cell: king.to_string(), name: "check".into() });
        Picture {
            pieces: Square::ALL.into_iter().filter_map(piece).collect(),
            marks: marks.into_iter().collect(),
        }
    }

    /// From and to. Castling is clicked as the king's move where that goes two files or more, and on the
    /// rook otherwise, where it could be mistaken for a step of the king (in Chess960).
    fn steps(&self, state: &State, mv: Move) -> Vec<String> {
        let target = if is_castling(state.board(), mv) { castling_click(state, mv) } else { mv.to };
        [mv.from, target].map(square_name).into()
    }

    fn text_of_steps(&self, steps: &[String]) -> String {
        steps.concat()
    }

    fn stuck(&self, state: &State, cell: &str) -> Option<String> {
        legality::stuck(state, cell.parse().ok()?)
    }

    /// The queen first, the knight last.
    fn choice_rank(&self, mv: Move) -> u8 {
        mv.promotion.map_or(0, |piece| Piece::Queen as u8 - piece as u8)
    }

    fn code_fields(&self, state: &State) -> Vec<CodeField> {
        let squares: Vec<String> = Square::ALL.into_iter().map(|square| square.to_string()).collect();
        let board = state.board();
        let set = |name, bits: u64, says| CodeField::set(name, bits, &squares, says);
        vec![
            set("white pieces", board.colors(Color::White).0, "a white piece"),
            set("black pieces", board.colors(Color::Black).0, "a black piece"),
            set("pawns", board.pieces(Piece::Pawn).0, "a pawn"),
            CodeField::hash("key", state.key().0),
        ]
    }
}

fn castling_click(state: &State, mv: Move) -> Square {
    let target = uci::castling_target(state.board(), mv);
    let distance = (target.file() as i8 - mv.from.file() as i8).abs();
    if distance >= 2 { target } else { mv.to }
}
