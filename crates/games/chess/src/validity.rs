//! The one definition of a valid position, as a list of everything that is wrong.
//!
//! cozy-chess says only *whether* a board is valid; this says *what* is not. Both agree, which a
//! property test checks: a position has no violation exactly when it can be built.

use crate::types::{BitBoard, Board, BoardBuilder, Color, File, Piece, Rank, Square, color_name};
use cozy_chess::{
    get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};

/// What a violated rule is about, so that a text can be pointed into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The pieces as a whole.
    Board,
    /// The piece on a square.
    Square(Square),
    /// The castling rights.
    Castling,
    /// The en-passant square.
    EnPassant,
    /// The number of the move.
    MoveNumber,
}

/// A violated rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What it is about.
    pub place: Place,
    /// What is wrong.
    pub message: String,
}

impl Violation {
    pub(crate) fn new(place: Place, message: impl Into<String>) -> Self {
        Violation { place, message: message.into() }
    }
}

/// The board that a builder describes, if it is valid.
#[inline]
pub(crate) fn board(builder: &BoardBuilder) -> Option<Board> {
    let board = if builder.halfmove_clock <= 100 {
        builder.build()
    } else {
        BoardBuilder { halfmove_clock: 100, ..builder.clone() }.build()
    };
    let board = board.ok()?;
    // Two things that cozy-chess lets pass and no game can reach.
    let kings_touch = get_king_moves(board.king(Color::White)).has(board.king(Color::Black));
    (!kings_touch && board.checkers().len() <= 2).then_some(board)
}

/// All rules that a position violates; none when it is valid.
pub fn violations(builder: &BoardBuilder) -> Vec<Violation> {
    let board = Placement::new(builder);
    let mut found = Vec::new();
    for color in Color::ALL {
        men(&board, color, &mut found);
        castling(&board, builder, color, &mut found);
    }
    // Who attacks whom means little unless each side has one king.
    if let [Some(white), Some(black)] = Color::ALL.map(|color| board.king(color)) {
        checks(&board, builder.side_to_move, [white, black], &mut found);
    }
    en_passant(&board, builder, &mut found);
    if builder.fullmove_number == 0 {
        found.push(Violation::new(Place::MoveNumber, "moves are numbered from 1"));
    }
    found
}

/// The pieces as bitboards.
struct Placement {
    pieces: [BitBoard; Piece::NUM],
    colors: [BitBoard; Color::NUM],
}

impl Placement {
    fn new(builder: &BoardBuilder) -> Self {
        let mut board =
            Placement { pieces: [BitBoard::EMPTY; Piece::NUM], colors: [BitBoard::EMPTY; Color::NUM] };
        for square in Square::ALL {
            if let Some((piece, color)) = builder.square(square) {
                board.pieces[piece as usize] |= square.bitboard();
                board.colors[color as usize] |= square.bitboard();
            }
        }
        board
    }

    fn of(&self, color: Color, piece: Piece) -> BitBoard {
        self.colors[color as usize] & self.pieces[piece as usize]
    }

    fn occupied(&self) -> BitBoard {
        self.colors[0] | self.colors[1]
    }

    /// The king, if there is exactly one.
    fn king(&self, color: Color) -> Option<Square> {
        let kings = self.of(color, Piece::King);
        (kings.len() == 1).then(|| kings.next_square()).flatten()
    }

    /// The pieces of `by` that attack a square of the other side.
    fn attackers(&self, square: Square, by: Color) -> BitBoard {
        let occupied = self.occupied();
        let queens = self.of(by, Piece::Queen);
        (get_pawn_attacks(square, !by) & self.of(by, Piece::Pawn))
            | (get_knight_moves(square) & self.of(by, Piece::Knight))
            | (get_bishop_moves(square, occupied) & (self.of(by, Piece::Bishop) | queens))
            | (get_rook_moves(square, occupied) & (self.of(by, Piece::Rook) | queens))
            | (get_king_moves(square) & self.of(by, Piece::King))
    }
}

fn men(board: &Placement, color: Color, found: &mut Vec<Violation>) {
    let name = color_name(color);
    let mut report = |place, message: String| found.push(Violation::new(place, message));
    match board.of(color, Piece::King).len() {
        1 => {}
        0 => report(Place::Board, format!("{name} has no king")),
        n => report(Place::Board, format!("{name} has {n} kings")),
    }
    let pawns = board.of(color, Piece::Pawn);
    if pawns.len() > 8 {
        report(Place::Board, format!("{name} has {} pawns", pawns.len()));
    }
    let all = board.colors[color as usize].len();
    if all > 16 {
        report(Place::Board, format!("{name} has {all} pieces"));
    }
    for square in pawns & (Rank::First.bitboard() | Rank::Eighth.bitboard()) {
        report(Place::Square(square), format!("{name} has a pawn on {square}"));
    }
}

fn checks(board: &Placement, side: Color, kings: [Square; 2], found: &mut Vec<Violation>) {
    let waiting = kings[!side as usize];
    let attackers = board.attackers(waiting, side);
    if !attackers.is_empty() {
        let (who, by) = (color_name(!side), squares(attackers));
        let message = format!("{who} is in check from {by} although {} is to move", color_name(side));
        found.push(Violation::new(Place::Square(waiting), message));
    }
    let checkers = board.attackers(kings[side as usize], !side) & !board.pieces[Piece::King as usize];
    if checkers.len() > 2 {
        let message =
            format!("{} is in check from {} pieces: {}", color_name(side), checkers.len(), squares(checkers));
        found.push(Violation::new(Place::Square(kings[side as usize]), message));
    }
}

fn castling(board: &Placement, builder: &BoardBuilder, color: Color, found: &mut Vec<Violation>) {
    let rights = builder.castle_rights(color);
    let back = Rank::First.relative_to(color);
    let name = color_name(color);
    let home = board.king(color).filter(|king| king.rank() == back).map(Square::file);
    let mut check = |rook: File, word: &str, right_side: fn(File, File) -> bool| {
        let square = Square::new(rook, back);
        let problem = match home {
            None => format!("{name} cannot castle {word}: the king is not on rank {back}"),
            Some(_) if !board.of(color, Piece::Rook).has(square) => {
                format!("{name} cannot castle {word}: no rook on {square}")
            }
            Some(king) if !right_side(rook, king) => {
                format!("{name} cannot castle {word}: the rook on {square} is on the other side of the king")
            }
            Some(_) => return,
        };
        found.push(Violation::new(Place::Castling, problem));
    };
    if let Some(rook) = rights.short {
        check(rook, "short", |rook, king| rook > king);
    }
    if let Some(rook) = rights.long {
        check(rook, "long", |rook, king| rook < king);
    }
}

fn en_passant(board: &Placement, builder: &BoardBuilder, found: &mut Vec<Violation>) {
    let Some(target) = builder.en_passant else { return };
    let pusher = !builder.side_to_move;
    let mut report = |message: String| found.push(Violation::new(Place::EnPassant, message));
    if target.rank() != Rank::Third.relative_to(pusher) {
        return report(format!("{} cannot have stepped over {target}", color_name(pusher)));
    }
    let from = Square::new(target.file(), Rank::Second.relative_to(pusher));
    let pawn = Square::new(target.file(), Rank::Fourth.relative_to(pusher));
    if !board.of(pusher, Piece::Pawn).has(pawn) {
        report(format!("no pawn on {pawn} that stepped over {target}"));
    }
    for square in [from, target].into_iter().filter(|&square| board.occupied().has(square)) {
        report(format!("a pawn cannot have come to {pawn} over {target}: {square} is occupied"));
    }
    let [Some(king), Some(_)] = [board.king(builder.side_to_move), board.king(pusher)] else { return };
    // The double step must itself give every check, by the pawn or by opening a line through its start.
    let checkers = board.attackers(king, pusher) & !board.pieces[Piece::King as usize];
    for checker in checkers.iter().filter(|&c| c != pawn && !get_between_rays(c, king).has(from)) {
        report(format!("the step to {pawn} cannot have left the check from {checker}"));
    }
}

fn squares(set: BitBoard) -> String {
    set.iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::State;
    use proptest::prelude::*;
    use proptest::sample::select;

    fn squares() -> impl Strategy<Value = Square> {
        select(Square::ALL.to_vec())
    }

    /// A few pieces, rights and an en-passant square that often go together, and often do not.
    fn setups() -> impl Strategy<Value = BoardBuilder> {
        let piece = (select(Piece::ALL.to_vec()), select(Color::ALL.to_vec()));
        let pieces = prop::collection::vec((squares(), piece), 0..14);
        let file = || prop::option::weighted(0.2, select(File::ALL.to_vec()));
        let en_passant = prop::option::weighted(0.5, select(File::ALL.to_vec()));
        let others = (prop::array::uniform4(file()), en_passant, any::<bool>(), 0..3u16);
        (squares(), squares(), pieces, others).prop_map(
            |(white, black, pieces, (rights, en_passant, turn, number))| {
                let mut builder = BoardBuilder::empty();
                for (square, piece) in pieces {
                    *builder.square_mut(square) = Some(piece);
                }
                *builder.square_mut(white) = Some((Piece::King, Color::White));
                *builder.square_mut(black) = Some((Piece::King, Color::Black));
                builder.side_to_move = if turn { Color::White } else { Color::Black };
                let [a, b, c, d] = rights;
                (builder.castle_rights[0].short, builder.castle_rights[0].long) = (a, b);
                (builder.castle_rights[1].short, builder.castle_rights[1].long) = (c, d);
                if let Some(file) = en_passant {
                    let pusher = !builder.side_to_move;
                    *builder.square_mut(Square::new(file, Rank::Fourth.relative_to(pusher))) =
                        Some((Piece::Pawn, pusher));
                    builder.en_passant = Some(Square::new(file, Rank::Third.relative_to(pusher)));
                }
                builder.fullmove_number = number;
                builder
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn a_position_can_be_built_exactly_when_nothing_is_wrong(builder in setups()) {
            let wrong = violations(&builder);
            prop_assert_eq!(State::build(&builder).is_some(), wrong.is_empty(), "{:?}", wrong);
        }
    }
}
