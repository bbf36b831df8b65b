//! How a position looks, for searches: material and squares, pawns, activity, the safety of the kings.
//!
//! Every term is a pair, one value for the middle game and one for the endgame; the share of each
//! follows from the pieces left. The numbers are our own, in hundredths of a pawn.

mod exchange;
mod pawns;
mod tables;

use crate::types::{BitBoard, Board, Color, File, Move, Piece, Rank, Square};
use crate::{Chess, State, attacks, movegen};
use tabia_core::{Evaluate, Game};
use tables::{Officer, Score, placed};

impl Evaluate for Chess {
    fn move_slots(&self) -> usize {
        64 * 64
    }

    fn evaluate(&self, state: &State) -> i32 {
        evaluate_by(state.board(), |_, score| score)
    }

    fn terms(&self) -> &[&str] {
        &[
            "squares",
            "mobility",
            "bishop-pair",
            "rook-files",
            "shelter",
            "king-danger",
            "structure",
            "passed",
            "turn",
        ]
    }

    fn evaluate_weighed(&self, state: &State, percent: &[i32]) -> i32 {
        evaluate_by(state.board(), |term, score| {
            score.percent(percent.get(term as usize).copied().unwrap_or(100))
        })
    }

    /// Material alone, where places and activity could hardly bring the value back into the window.
    fn evaluate_within(&self, state: &State, low: i32, high: i32) -> i32 {
        let material = material(state.board());
        if material + POSITION_AT_MOST <= low || material - POSITION_AT_MOST >= high {
            return material;
        }
        self.evaluate(state)
    }

    #[inline]
    fn is_noisy(&self, state: &State, mv: Move) -> bool {
        mv.promotion.is_some() || movegen::is_capture(state.board(), mv)
    }

    fn noisy_moves(&self, state: &State, out: &mut Vec<Move>) {
        movegen::noisy(state, out);
    }

    #[inline]
    fn must_resolve(&self, state: &State) -> bool {
        state.in_check()
    }

    /// Captures of much by little first, then promotions, then castling; other quiet moves are left to what
    /// served before.
    #[inline]
    fn move_promise(&self, state: &State, mv: Move) -> i32 {
        let board = state.board();
        if mv.promotion.is_some() || movegen::is_capture(board, mv) {
            return promise_of_noisy(board, mv);
        }
        if movegen::is_castling(board, mv) {
            return 40;
        }
        0
    }

    fn most_gain(&self, state: &State, mv: Move) -> i32 {
        exchange::taken(state.board(), mv) + exchange::promoted(mv)
    }

    fn gains(&self, state: &State, mv: Move, least: i32) -> bool {
        exchange::gains(state.board(), mv, least)
    }

    fn loses(&self, state: &State, mv: Move, more_than: i32) -> bool {
        !movegen::is_castling(state.board(), mv) && !exchange::gains(state.board(), mv, -more_than)
    }

    /// Passing tells something as long as the side to move has a piece: with pawns alone, having to move
    /// is often what loses.
    fn pass(&self, state: &State) -> Option<State> {
        if state.has_piece(self.side(state)) { state.pass() } else { None }
    }

    fn allows_reductions(&self) -> bool {
        true
    }

    fn singles_out(&self) -> bool {
        true
    }

    fn is_steady(&self) -> bool {
        true
    }

    #[inline]
    fn move_slot(&self, _state: &State, mv: Move) -> usize {
        mv.from as usize * 64 + mv.to as usize
    }

    #[inline]
    fn move_kind(&self, state: &State, mv: Move) -> usize {
        state.board().kind_on(mv.from) as usize * 64 + mv.to as usize
    }

    fn move_kinds(&self) -> usize {
        Piece::NUM * 64
    }
}

fn promise_of_noisy(board: &Board, mv: Move) -> i32 {
    let promotion = mv.promotion.map_or(0, |piece| 1_000 * piece as i32);
    if !movegen::is_capture(board, mv) {
        return promotion;
    }
    let (moved, victim) = (board.kind_on(mv.from), board.kind_on(mv.to));
    10_000 + promotion + 100 * victim as i32 - moved as i32
}

const TEMPO: i32 = 12;
/// What all terms but material decide at most, but in few positions.
const POSITION_AT_MOST: i32 = 250;
const BISHOP_PAIR: Score = Score::new(28, 44);
const OPEN_FILE: Score = Score::new(24, 12);
const HALF_OPEN_FILE: Score = Score::new(12, 8);
/// For a pawn in front of the king.
const SHELTER: Score = Score::new(9, 0);

/// The material of the side to move less the other's.
fn material(board: &Board) -> i32 {
    let (ours, theirs) = (board.colors(board.side_to_move()), board.colors(!board.side_to_move()));
    let lead = |&piece: &Piece| {
        let all = board.pieces(piece);
        tables::worth(piece) * ((all & ours).len() as i32 - (all & theirs).len() as i32)
    };
    Piece::ALL[..5].iter().map(lead).sum()
}

/// The terms in the order of [`Evaluate::terms`].
#[derive(Clone, Copy)]
enum Term {
    Squares,
    Mobility,
    BishopPair,
    RookFiles,
    Shelter,
    KingDanger,
    Structure,
    Passed,
    Turn,
}

/// The value for the side to move: the sum of all terms as `weigh` sees them. Nothing is lost where it
/// changes nothing.
#[inline]
fn evaluate_by(board: &Board, weigh: impl Fn(Term, Score) -> Score) -> i32 {
    let attacks = Color::ALL.map(|color| pawns::attacks(board, color));
    let mut phase = 0;
    let mut total = Score::new(0, 0);
    for color in Color::ALL {
        let free = !(board.colors(color) | attacks[!color as usize]);
        let ring = attacks::king(board.king(!color));
        let mut side = Side { board, color, free, ring, danger: 0, weigh: &weigh };
        let score = side.officers(&mut phase) + side.king() + pawns::score(board, color, &weigh);
        let score = score + weigh(Term::KingDanger, Score::new(danger(side.danger), 0));
        total = if color == board.side_to_move() { total + score } else { total - score };
    }
    let value = scaled(board, total.tapered(phase));
    let turn = weigh(Term::Turn, Score::new(TEMPO, TEMPO)).tapered(0);
    (value + turn).clamp(-20_000, 20_000)
}

/// Material and the worth of the square.
#[inline]
fn placed_by(piece: Piece, color: Color, square: Square, weigh: impl Fn(Term, Score) -> Score) -> Score {
    let material = tables::MATERIAL[piece as usize];
    material + weigh(Term::Squares, placed(piece, color, square) - material)
}

/// What attacks on the squares around a king are worth: few are harmless, many are deadly.
const fn danger(units: i32) -> i32 {
    let worth = units * units / 2;
    if worth > 260 { 260 } else { worth }
}

/// A lead of one minor piece without pawns rarely wins.
fn scaled(board: &Board, value: i32) -> i32 {
    let color = if value > 0 { board.side_to_move() } else { !board.side_to_move() };
    let pawnless = board.colored_pieces(color, Piece::Pawn).is_empty();
    if pawnless && force(board, color) - force(board, !color) <= 3 { value / 4 } else { value }
}

/// Pieces counted the old way: 3, 3, 5, 9.
fn force(board: &Board, color: Color) -> i32 {
    let count = |piece| board.colored_pieces(color, piece).len() as i32;
    3 * (count(Piece::Knight) + count(Piece::Bishop)) + 5 * count(Piece::Rook) + 9 * count(Piece::Queen)
}

/// One side's pieces while they are added up.
struct Side<'a, W> {
    board: &'a Board,
    color: Color,
    /// Where it can go without being taken by a pawn.
    free: BitBoard,
    /// The squares around the other side's king.
    ring: BitBoard,
    /// Attacks around the other side's king.
    danger: i32,
    weigh: &'a W,
}

impl<W: Fn(Term, Score) -> Score> Side<'_, W> {
    /// Knights, bishops, rooks and queens, and what a pair of bishops is worth more.
    fn officers(&mut self, phase: &mut i32) -> Score {
        let occupied = self.board.occupied();
        let diagonal = |square| attacks::bishop(square, occupied);
        let straight = |square| attacks::rook(square, occupied);
        let mut score = self.each(&tables::KNIGHT, phase, attacks::knight);
        score = score + self.each(&tables::BISHOP, phase, diagonal);
        score = score + self.each(&tables::ROOK, phase, straight);
        score = score + self.each(&tables::QUEEN, phase, |square| diagonal(square) | straight(square));
        for rook in self.board.colored_pieces(self.color, Piece::Rook) {
            score = score + (self.weigh)(Term::RookFiles, self.on_file(rook.file()));
        }
        if self.board.colored_pieces(self.color, Piece::Bishop).len() >= 2 {
            score + (self.weigh)(Term::BishopPair, BISHOP_PAIR)
        } else {
            score
        }
    }

    /// All pieces of one kind: material, squares, mobility, attacks on the king.
    #[inline]
    fn each(&mut self, kind: &Officer, phase: &mut i32, reach: impl Fn(Square) -> BitBoard) -> Score {
        let mut score = Score::new(0, 0);
        for square in self.board.colored_pieces(self.color, kind.piece) {
            let reach = reach(square);
            *phase += kind.phase;
            score = score + placed_by(kind.piece, self.color, square, self.weigh);
            let mobility = kind.mobility * ((reach & self.free).len() as i32 - kind.usual);
            score = score + (self.weigh)(Term::Mobility, mobility);
            self.danger += if reach.is_disjoint(self.ring) { 0 } else { kind.threat };
        }
        score
    }

    fn on_file(&self, file: File) -> Score {
        let pawns = self.board.pieces(Piece::Pawn) & file.bitboard();
        if pawns.is_empty() {
            OPEN_FILE
        } else if pawns.is_disjoint(self.board.colors(self.color)) {
            HALF_OPEN_FILE
        } else {
            Score::new(0, 0)
        }
    }

    /// The king's square and the pawns before it.
    fn king(&self) -> Score {
        let king = self.board.king(self.color);
        let files = king.file().bitboard() | king.file().adjacent();
        let ahead = files & two_ranks_ahead(king.rank(), self.color);
        let shelter = (ahead & self.board.colored_pieces(self.color, Piece::Pawn)).len() as i32;
        placed_by(Piece::King, self.color, king, self.weigh)
            + (self.weigh)(Term::Shelter, SHELTER * shelter.min(3))
    }
}

/// The two ranks in front of a rank.
const fn two_ranks_ahead(rank: Rank, color: Color) -> BitBoard {
    let own = 0xFF << (8 * rank as u32);
    BitBoard(match color {
        Color::White => own << 8 | own << 16,
        Color::Black => own >> 8 | own >> 16,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Symmetry, fen};
    use proptest::prelude::*;
    use tabia_testkit::strategies;

    fn value(text: &str) -> i32 {
        Chess.evaluate(&fen::parse(text).unwrap())
    }

    #[test]
    fn the_start_is_level_and_material_counts() {
        assert_eq!(Chess.evaluate(&Chess.start()), TEMPO);
        let queen_up = value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert!((800..1200).contains(&queen_up), "{queen_up}");
        assert!(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1") < -800);
    }

    #[test]
    fn captures_that_lose_material_are_seen() {
        let state = fen::parse("4k3/2p5/3p4/8/8/8/1b1Q1P2/4K3 w - - 0 1").unwrap();
        let read = |text| tabia_core::Notation::parse_move(&Chess, &state, text).unwrap();
        assert!(!Chess.gains(&state, read("Qxd6"), 0), "the pawn is defended");
        assert!(Chess.gains(&state, read("Qxb2"), 250), "the bishop is not");
        assert!(Chess.move_promise(&state, read("Qxb2")) > 10_000);
        assert!(Chess.move_promise(&state, read("f4")).abs() < 1_000);
    }

    #[test]
    fn structure_counts() {
        let passed = value("4k3/8/8/3P4/8/8/8/4K3 w - - 0 1");
        assert!(passed > value("4k3/3p4/8/3P4/8/8/3P4/4K3 w - - 0 1"));
        let open = value("r3k3/1ppppppp/8/8/8/8/1PPPPPPP/R3K3 w - - 0 1");
        assert_eq!(open, TEMPO);
        assert!(value("4k3/8/8/8/8/8/8/2B1K1N1 w - - 0 1") > 400);
        assert!(value("4k3/8/8/8/8/8/4r3/2R1KN2 w - - 0 1") < 200, "a piece up without pawns");
    }

    proptest! {
        #[test]
        fn the_value_is_the_same_through_any_symmetry(position in strategies::positions(&Chess, 80)) {
            let value = Chess.evaluate(&position.state);
            prop_assert!(value.abs() <= 20_000);
            let swapped = Chess.map_state(&position.state, Symmetry::SWAP);
            prop_assert_eq!(Chess.evaluate(&swapped), value);
        }

        #[test]
        fn noisy_moves_are_the_noisy_ones(position in strategies::positions(&Chess, 80)) {
            let (mut all, mut noisy) = (Vec::new(), Vec::new());
            Chess.moves(&position.state, &mut all);
            all.retain(|&mv| Chess.is_noisy(&position.state, mv));
            Chess.noisy_moves(&position.state, &mut noisy);
            prop_assert_eq!(noisy, all);
        }

        #[test]
        fn passing_keeps_the_key_right(position in strategies::positions(&Chess, 80)) {
            if let Some(passed) = Chess.pass(&position.state) {
                let rebuilt = fen::parse(&fen::format(&passed)).unwrap();
                prop_assert_eq!(passed.key(), rebuilt.key());
                prop_assert_ne!(Chess.side(&passed), Chess.side(&position.state));
                prop_assert!(!position.state.in_check());
            }
        }
    }
}
