//! How good a position looks: material, mobility, and the safety of the Kings.
//!
//! Material is kept up to date by the one function that changes squares; the rest comes from the walk that
//! also counts moves, once for each side. Hundredths of a Soldier.

use crate::bits::squares;
use crate::{Arx, Kind, Move, Pile, Square, State, movegen, reach};
use tabia_core::{Evaluate, Game, Side};

/// What a piece is worth; the King is beyond everything a side can own together.
const VALUE: [i32; Kind::COUNT] = [100, 380, 560, 340, 320, 360, 220, 10_000];
/// What a side loses in flexibility by a stack: two pieces that one capture takes.
const STACK: i32 = -15;
/// A move more.
const MOBILITY: i32 = 4;
/// A move onto a square beside the enemy King.
const SIEGE: i32 = 12;
/// What activity decides at most, but in one position of thousands.
const ACTIVITY_AT_MOST: i32 = 250;
/// The enemy King can be taken: the side to move wins.
const WON: i32 = 15_000;
/// With fewer officers a side may well be glad to pass.
const OFFICERS_TO_PASS: u32 = 3;

/// What each square code adds to White's material.
static MATERIAL: [i16; 128] = all_material();

const fn all_material() -> [i16; 128] {
    let mut table = [0; 128];
    let mut code = 1;
    while code < 128 {
        if let Some(pile) = Pile::from_code(code) {
            let value = match (pile.top(), pile.bottom()) {
                (Some(top), Some(bottom)) => VALUE[top as usize - 1] + VALUE[bottom as usize - 1] + STACK,
                (_, Some(Kind::King) | None) => 0,
                (_, Some(kind)) => VALUE[kind as usize - 1],
            };
            table[code as usize] =
                if matches!(pile.side(), Some(Side::First)) { value } else { -value } as i16;
        }
        code += 1;
    }
    table
}

/// What a pile is worth in White's material.
#[inline]
pub(crate) fn material(pile: Pile) -> i32 {
    i32::from(MATERIAL[usize::from(pile.code() & 127)])
}

impl Evaluate for Arx {
    fn evaluate(&self, state: &State) -> i32 {
        evaluate_by(state, |_, value| value)
    }

    fn terms(&self) -> &[&str] {
        &["mobility", "siege"]
    }

    fn evaluate_weighed(&self, state: &State, percent: &[i32]) -> i32 {
        evaluate_by(state, |term, value| value * percent.get(term as usize).unwrap_or(&100) / 100)
    }

    /// Material alone, where all activity in the world could not bring the value back into the window.
    fn evaluate_within(&self, state: &State, low: i32, high: i32) -> i32 {
        let material = if state.side() == Side::First { state.material() } else { -state.material() };
        if material + ACTIVITY_AT_MOST <= low || material - ACTIVITY_AT_MOST >= high {
            return material;
        }
        self.evaluate(state)
    }

    fn noisy_moves(&self, state: &State, out: &mut Vec<Move>) {
        movegen::list_captures(state, out);
    }

    #[inline]
    fn is_noisy(&self, state: &State, mv: Move) -> bool {
        state.is_capture(mv)
    }

    /// An attacked King cannot wait.
    fn must_resolve(&self, state: &State) -> bool {
        is_attacked(state, state.side())
    }

    /// The victim first, the cheaper attacker among equals.
    #[inline]
    fn move_promise(&self, state: &State, mv: Move) -> i32 {
        if !state.is_capture(mv) {
            return 0;
        }
        let here = state.pile(mv.from());
        let attacker = if mv.unstack() { here.split().1 } else { here };
        16 * value(state.pile(mv.to())) - value(attacker).min(1_000)
    }

    fn pass(&self, state: &State) -> Option<State> {
        if officers(state, state.side()) < OFFICERS_TO_PASS || self.must_resolve(state) {
            return None;
        }
        let mut passed = *state;
        passed.pass();
        self.outcome(&passed).is_none().then_some(passed)
    }

    fn allows_reductions(&self) -> bool {
        true
    }

    #[inline]
    fn move_slot(&self, _state: &State, mv: Move) -> usize {
        mv.from().index() * Square::COUNT + mv.to().index()
    }

    fn move_slots(&self) -> usize {
        Square::COUNT * Square::COUNT
    }

    /// The piece on top goes along in any case.
    #[inline]
    fn move_kind(&self, state: &State, mv: Move) -> usize {
        let here = state.pile(mv.from());
        let top = here.top().or(here.bottom()).map_or(0, |kind| kind as usize - 1);
        let whole = usize::from(here.is_stack() && !mv.unstack());
        (whole * Kind::COUNT + top) * Square::COUNT + mv.to().index()
    }

    fn move_kinds(&self) -> usize {
        2 * Kind::COUNT * Square::COUNT
    }
}

/// What the pieces of a pile are worth together.
#[inline]
fn value(pile: Pile) -> i32 {
    pile.kinds().map(|kind| VALUE[kind as usize - 1]).sum()
}

/// The terms in the order of [`Evaluate::terms`].
#[derive(Clone, Copy)]
enum Term {
    Mobility,
    Siege,
}

/// The sum of all terms as `weigh` sees them; nothing is lost where it changes nothing.
#[inline]
fn evaluate_by(state: &State, weigh: impl Fn(Term, i32) -> i32) -> i32 {
    let side = state.side();
    let (own, wins) = activity(state, side, &weigh);
    if wins {
        return WON;
    }
    let (other, _) = activity(state, side.other(), &weigh);
    let material = if side == Side::First { state.material() } else { -state.material() };
    (material + own - other).clamp(-WON + 1, WON - 1)
}

/// Mobility of a side and its pressure on the enemy King, and whether it could take that King.
#[inline]
fn activity(state: &State, side: Side, weigh: impl Fn(Term, i32) -> i32) -> (i32, bool) {
    let enemy = state.king(side.other());
    let zone = squares(enemy).fold(0, |_, king| reach::king(king));
    let (moves, siege, takes) = movegen::mobility(state, side, zone, enemy);
    let active = weigh(Term::Mobility, MOBILITY * moves as i32) + weigh(Term::Siege, SIEGE * siege as i32);
    (active, takes)
}

/// The number of a side's pieces other than Soldiers and King.
fn officers(state: &State, side: Side) -> u32 {
    let own = if side == Side::First { state.plane(6) } else { !state.plane(6) };
    // A Soldier is the code 1; a King has the top bits of a Ballista, but no bottom.
    let level = |i: usize| state.plane(i + 1) | state.plane(i + 2);
    (own & level(0)).count_ones() + (own & level(3) & state.stacks()).count_ones()
}

/// Whether the other side could take the King of `side`. False without a King.
fn is_attacked(state: &State, side: Side) -> bool {
    let king = state.king(side);
    if king == 0 {
        return false;
    }
    let square = king.trailing_zeros() as usize;
    let enemies = if side == Side::First { !state.plane(6) } else { state.plane(6) };
    // Whoever stands in sight of the King attacks it, if one of its pieces goes that way that far.
    let seen = reach::sight(square, state.occupied()) & state.occupied() & enemies;
    squares(seen).any(|from| {
        let pile = state.pile(Square::from_bits(from as u8));
        reach::attackers(side, square, from) & KINDS[usize::from(pile.code() & 127)] != 0
    })
}

/// The kinds in each square code, as [`reach::bit_of`] numbers them.
static KINDS: [u8; 128] = {
    let mut table = [0; 128];
    let mut code = 1;
    while code < 128 {
        if let Some(pile) = Pile::from_code(code) {
            if let Some(bottom) = pile.bottom() {
                table[code as usize] |= reach::bit_of(bottom);
            }
            if let Some(top) = pile.top() {
                table[code as usize] |= reach::bit_of(top);
            }
        }
        code += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ArxSymmetry;
    use crate::oracle::{Mailbox, positions};
    use tabia_core::SplitMix64;

    fn boards() -> impl Iterator<Item = State> {
        let mut rng = SplitMix64::new(6);
        (0..400).map(move |n| {
            if n % 2 == 0 {
                positions::played(&mut rng, n / 2)
            } else {
                positions::scattered(&mut rng, 2 + n % 9)
            }
        })
    }

    #[test]
    fn symmetric_positions_are_worth_the_same() {
        for state in boards() {
            for symmetry in ArxSymmetry::ALL {
                let image = Arx.map_state(&state, symmetry);
                assert_eq!(Arx.evaluate(&image), Arx.evaluate(&state), "{state:?} {symmetry:?}");
            }
        }
        assert_eq!(Arx.evaluate(&Arx.start()), 0);
    }

    #[test]
    fn attacks_on_the_king_are_the_captures_of_the_mailbox() {
        for state in boards().filter(|state| Arx.outcome(state).is_none()) {
            let mut mailbox = Mailbox::of(&state);
            let takes_king = |mailbox: &Mailbox| {
                mailbox.moves().iter().any(|mv| {
                    let target = mailbox.piles[mv.to().index()];
                    target.is_king() && target.side() != Some(mailbox.side)
                })
            };
            assert_eq!(Arx.evaluate(&state) == WON, takes_king(&mailbox), "{state:?}");
            mailbox.side = mailbox.side.other();
            assert_eq!(Arx.must_resolve(&state), takes_king(&mailbox), "{state:?}");
        }
    }

    #[test]
    fn taking_the_king_is_tried_first() {
        for state in boards() {
            let mut moves = Vec::new();
            Arx.moves(&state, &mut moves);
            let best = moves.iter().copied().max_by_key(|&mv| Arx.move_promise(&state, mv));
            let king = moves.iter().find(|mv| state.pile(mv.to()).is_king());
            if let (Some(best), Some(_)) = (best, king) {
                assert!(state.pile(best.to()).is_king(), "{state:?}");
            }
            for mv in moves {
                assert_eq!(Arx.is_noisy(&state, mv), !state.pile(mv.to()).is_empty() && state.is_capture(mv));
                assert!(Arx.move_slot(&state, mv) < Arx.move_slots());
            }
        }
    }
}
