//! A quick judgement of a position, for search: material first, then small things.
//!
//! Everything is a count of bits, worth a few hundredths of a man each, for Black minus for White,
//! turned to the side to move. White's squares are the turned squares of Black's.

use crate::bits::{BOTTOM_ROW, TOP_ROW, step_a, step_b};
use crate::movegen;
use crate::moves::Move;
use crate::rules::Draughts;
use crate::state::State;
use crate::types::Color;
use tabia_core::{Evaluate, Game};

const MAN: i32 = 100;
const KING: i32 = 145;
/// A man on its own back row keeps the opponent from crowning there.
const BACK_ROW: i32 = 8;
/// The two men that guard a whole back row between them (1 and 3, or 30 and 32).
const BRIDGE: i32 = 8;
/// A king on one of the middle squares, where it goes everywhere.
const KING_CENTER: i32 = 8;
/// Each step that can be made.
const MOBILITY: i32 = 4;
/// What the side ahead gains by each piece its opponent lacks of twelve: it should exchange.
const EXCHANGE: i32 = 4;
/// What everything but material decides at most, but in few positions.
const SMALL_AT_MOST: i32 = 85;

/// Squares 10, 11, 14, 15, 18, 19, 22 and 23.
const MIDDLE: u32 = 0x00666600;
/// The row before Black's last one.
const BEFORE_BOTTOM: u32 = 0x0F000000;
/// Squares 1 and 3.
const BLACK_BRIDGE: u32 = 0b0101;

impl Evaluate for Draughts {
    #[inline]
    fn evaluate(&self, state: &State) -> i32 {
        evaluate_by(state, |_, value| value)
    }

    fn terms(&self) -> &[&str] {
        &["kings", "back-rank", "bridge", "king-centre", "mobility", "exchange"]
    }

    fn evaluate_weighed(&self, state: &State, percent: &[i32]) -> i32 {
        evaluate_by(state, |term, value| value * percent.get(term as usize).unwrap_or(&100) / 100)
    }

    /// Material alone, where the small things could hardly bring the value back into the window.
    #[inline]
    fn evaluate_within(&self, state: &State, low: i32, high: i32) -> i32 {
        let lead = lead(state, |_, value| value);
        let value = if state.turn() == Color::Black { lead } else { -lead };
        if value + SMALL_AT_MOST <= low || value - SMALL_AT_MOST >= high {
            return value;
        }
        self.evaluate(state)
    }

    #[inline]
    fn is_noisy(&self, state: &State, mv: Move) -> bool {
        mv.is_capture() || crowns(state, mv)
    }

    /// Captures where there are any; otherwise only a man one row before the last can do something.
    #[inline]
    fn noisy_moves(&self, state: &State, out: &mut Vec<Move>) {
        let ready = match state.turn() {
            Color::Black => state.black() & BEFORE_BOTTOM,
            Color::White => state.white() & BEFORE_BOTTOM.reverse_bits(),
        };
        if ready & !state.kings() == 0 && !movegen::must_capture(state) {
            return;
        }
        let first = out.len();
        self.moves(state, out);
        let mut kept = first;
        for at in first..out.len() {
            if self.is_noisy(state, out[at]) {
                out[kept] = out[at];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// Captures are compulsory.
    #[inline]
    fn must_resolve(&self, state: &State) -> bool {
        movegen::must_capture(state)
    }

    /// Large captures, then crowning, then steps into the middle.
    #[inline]
    fn move_promise(&self, state: &State, mv: Move) -> i32 {
        let crown = if crowns(state, mv) { KING - MAN } else { 0 };
        let quiet = crown + (MIDDLE >> mv.to_index() & 1) as i32;
        if mv.is_capture() { quiet + material(mv.captured(), state.kings()) } else { quiet }
    }

    fn allows_reductions(&self) -> bool {
        true
    }

    #[inline]
    fn move_slot(&self, _state: &State, mv: Move) -> usize {
        (mv.from_index() << 5 | mv.to_index()) as usize
    }

    fn move_slots(&self) -> usize {
        1024
    }
}

/// Whether a man is crowned by this move.
#[inline]
fn crowns(state: &State, mv: Move) -> bool {
    let last_rows = TOP_ROW | BOTTOM_ROW;
    state.kings() >> mv.from_index() & 1 == 0 && last_rows >> mv.to_index() & 1 != 0
}

#[inline]
fn ones(set: u32) -> i32 {
    set.count_ones() as i32
}

/// The terms in the order of [`Evaluate::terms`].
#[derive(Clone, Copy)]
enum Term {
    Kings,
    BackRank,
    Bridge,
    KingCentre,
    Mobility,
    Exchange,
}

/// The sum of all terms as `weigh` sees them; nothing is lost where it changes nothing.
#[inline]
fn evaluate_by(state: &State, weigh: impl Fn(Term, i32) -> i32) -> i32 {
    let (black, white, kings, empty) = (state.black(), state.white(), state.kings(), state.empty());
    // White is judged as if it were Black on a turned board.
    let score = side(black, kings, empty, &weigh)
        - side(white.reverse_bits(), kings.reverse_bits(), empty.reverse_bits(), &weigh);
    let score = score + lead(state, &weigh);
    if state.turn() == Color::Black { score } else { -score }
}

/// What pieces are worth.
#[inline]
fn material(set: u32, kings: u32) -> i32 {
    MAN * ones(set) + (KING - MAN) * ones(set & kings)
}

/// Black's material less White's.
#[inline]
fn lead(state: &State, weigh: impl Fn(Term, i32) -> i32) -> i32 {
    let (black, white, kings) = (state.black(), state.white(), state.kings());
    let material = |set: u32| MAN * ones(set) + weigh(Term::Kings, (KING - MAN) * ones(set & kings));
    let ahead = material(black) - material(white);
    // The fewer pieces are left, the more a lead is worth.
    let missing = 24 - ones(black | white).min(24);
    ahead + weigh(Term::Exchange, ahead.signum() * EXCHANGE * missing)
}

/// The small things, for pieces that move down the page.
#[inline]
fn side(own: u32, kings: u32, empty: u32, weigh: impl Fn(Term, i32) -> i32) -> i32 {
    let (men, kings) = (own & !kings, own & kings);
    let steps = ones(step_a(true, own) & empty)
        + ones(step_b(true, own) & empty)
        + ones(step_a(false, kings) & empty)
        + ones(step_b(false, kings) & empty);
    let bridge = i32::from(men & BLACK_BRIDGE == BLACK_BRIDGE);
    weigh(Term::BackRank, BACK_ROW * ones(men & TOP_ROW))
        + weigh(Term::Bridge, BRIDGE * bridge)
        + weigh(Term::KingCentre, KING_CENTER * ones(kings & MIDDLE))
        + weigh(Term::Mobility, MOBILITY * steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::{Game, Notation, SplitMix64};

    fn value(fen: &str) -> i32 {
        let rules = Draughts::default();
        rules.evaluate(&rules.parse(fen).unwrap().state)
    }

    #[test]
    fn the_start_is_even_and_a_piece_counts() {
        assert_eq!(value("B:W21-32:B1-12"), 0);
        assert!(value("B:W21-31:B1-12") > 80);
        assert!(value("W:W21-31:B1-12") < -80);
        assert!(value("B:W30,K18:B3,10") < 0);
    }

    #[test]
    fn turning_the_board_changes_nothing() {
        let rules = Draughts::default();
        let mut rng = SplitMix64::new(5);
        for _ in 0..2000 {
            let pieces = std::array::from_fn(|_| rng.below(8) as u32);
            let Some(state) = crate::random::placement(None, pieces, &mut rng) else { continue };
            let state = State::try_from(state).unwrap();
            let turned = rules.map_state(&state, crate::HalfTurn::SWAP);
            assert_eq!(rules.evaluate(&state), rules.evaluate(&turned), "{state:?}");
            assert!(rules.evaluate(&state).abs() < 20_000);
        }
    }
}
