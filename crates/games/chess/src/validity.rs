//! The one definition of a valid position, as a list of everything that is wrong.

use crate::attacks;
use crate::types::{
    BitBoard, Board, BoardBuilder, CastleRights, Color, File, LAST_RANKS, Piece, Rank, Square, color_name,
};

use tabia_core::{PositionError, RuleError};

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

/// Whether a position violates no rule, `board` being what its builder describes: [`violations`] in short.
#[inline]
pub(crate) fn is_valid(builder: &BoardBuilder, board: &Board) -> bool {
    is_valid_castling_aside(builder, board)
        && (board.castling.is_empty()
            || none(|found| Color::ALL.iter().for_each(|&c| castling(builder, c, found))))
}

/// The same for a position whose castling rights are known to be those of a king and rooks at home.
#[inline]
pub(crate) fn is_valid_castling_aside(builder: &BoardBuilder, board: &Board) -> bool {
    let [white, black] = Color::ALL.map(|color| few_men(builder, color));
    let waiting = !builder.side_to_move;
    white
        && black
        && board.checkers().len() <= 2
        && attackers(builder, board.king(waiting), builder.side_to_move).is_empty()
        && (builder.en_passant.is_none() || none(|found| en_passant(builder, found)))
        && builder.fullmove_number > 0
}

/// Whether a search for violations finds none.
fn none(search: impl FnOnce(&mut Vec<Violation>)) -> bool {
    let mut found = Vec::new();
    search(&mut found);
    found.is_empty()
}

#[inline]
fn few_men(board: &BoardBuilder, color: Color) -> bool {
    let (kings, pawns) = (board.of(color, Piece::King), board.of(color, Piece::Pawn));
    kings.len() == 1 && pawns.len() <= 8 && board.colors(color).len() <= 16 && pawns.is_disjoint(LAST_RANKS)
}

/// All rules that a position violates, as an error.
#[cold]
pub(crate) fn error(builder: &BoardBuilder) -> PositionError {
    let violated = violations(builder).into_iter();
    PositionError::Rules(violated.map(|violation| RuleError::new(violation.message)).collect())
}

/// All rules that a position violates; none when it is valid.
pub fn violations(builder: &BoardBuilder) -> Vec<Violation> {
    let mut found = Vec::new();
    for color in Color::ALL {
        men(builder, color, &mut found);
        castling(builder, color, &mut found);
    }
    // Who attacks whom means little unless each side has one king.
    if let [Some(white), Some(black)] = Color::ALL.map(|color| king(builder, color)) {
        checks(builder, [white, black], &mut found);
    }
    en_passant(builder, &mut found);
    if builder.fullmove_number == 0 {
        found.push(Violation::new(Place::MoveNumber, "moves are numbered from 1"));
    }
    found
}

/// The king, if there is exactly one.
fn king(board: &BoardBuilder, color: Color) -> Option<Square> {
    let kings = board.of(color, Piece::King);
    if kings.has_several() { None } else { kings.next_square() }
}

/// The pieces of `by` that attack a square of the other side.
#[inline]
fn attackers(board: &BoardBuilder, square: Square, by: Color) -> BitBoard {
    let occupied = board.occupied();
    let queens = board.of(by, Piece::Queen);
    (attacks::pawn(square, !by) & board.of(by, Piece::Pawn))
        | (attacks::knight(square) & board.of(by, Piece::Knight))
        | (attacks::bishop(square, occupied) & (board.of(by, Piece::Bishop) | queens))
        | (attacks::rook(square, occupied) & (board.of(by, Piece::Rook) | queens))
        | (attacks::king(square) & board.of(by, Piece::King))
}

fn men(board: &BoardBuilder, color: Color, found: &mut Vec<Violation>) {
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
    let all = board.colors(color).len();
    if all > 16 {
        report(Place::Board, format!("{name} has {all} pieces"));
    }
    for square in pawns & LAST_RANKS {
        report(Place::Square(square), format!("{name} has a pawn on {square}"));
    }
}

fn checks(board: &BoardBuilder, kings: [Square; 2], found: &mut Vec<Violation>) {
    let side = board.side_to_move;
    let waiting = kings[!side as usize];
    let checking = attackers(board, waiting, side);
    if !checking.is_empty() {
        let (who, by) = (color_name(!side), squares(checking));
        let message = format!("{who} is in check from {by} although {} is to move", color_name(side));
        found.push(Violation::new(Place::Square(waiting), message));
    }
    let checkers = attackers(board, kings[side as usize], !side) & !board.pieces(Piece::King);
    if checkers.len() > 2 {
        let message =
            format!("{} is in check from {} pieces: {}", color_name(side), checkers.len(), squares(checkers));
        found.push(Violation::new(Place::Square(kings[side as usize]), message));
    }
}

fn castling(board: &BoardBuilder, color: Color, found: &mut Vec<Violation>) {
    let rights = board.castle_rights(color);
    if rights == CastleRights::EMPTY {
        return;
    }
    let back = Rank::First.relative_to(color);
    let name = color_name(color);
    let home = king(board, color).filter(|king| king.rank() == back).map(Square::file);
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

fn en_passant(board: &BoardBuilder, found: &mut Vec<Violation>) {
    let Some(target) = board.en_passant else { return };
    let pusher = !board.side_to_move;
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
    let [Some(king), Some(_)] = [board.side_to_move, pusher].map(|color| king(board, color)) else { return };
    // The double step must itself give every check, by the pawn or by opening a line through its start.
    let checkers = attackers(board, king, pusher) & !board.pieces(Piece::King);
    for checker in checkers.iter().filter(|&c| c != pawn && !attacks::between(c, king).has(from)) {
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
                    builder.put(square, Some(piece));
                }
                builder.put(white, Some((Piece::King, Color::White)));
                builder.put(black, Some((Piece::King, Color::Black)));
                builder.side_to_move = if turn { Color::White } else { Color::Black };
                let [a, b, c, d] = rights;
                (builder.castle_rights[0].short, builder.castle_rights[0].long) = (a, b);
                (builder.castle_rights[1].short, builder.castle_rights[1].long) = (c, d);
                if let Some(file) = en_passant {
                    let pusher = !builder.side_to_move;
                    let pawn = Square::new(file, Rank::Fourth.relative_to(pusher));
                    builder.put(pawn, Some((Piece::Pawn, pusher)));
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
            prop_assert_eq!(State::from_builder(&builder).is_ok(), wrong.is_empty(), "{:?}", wrong);
        }
    }
}
