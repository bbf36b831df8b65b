//! How good a position looks: material, mobility, and the safety of the Kings.
//!
//! Everything is computed from the planes when asked, by popcounts and the walk that also counts moves;
//! there is nothing to keep up to date. Hundredths of a Soldier.

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
/// The enemy King can be taken: the side to move wins.
const WON: i32 = 15_000;
/// The own King is attacked and must be looked after.
const CHECKED: i32 = -40;
/// Below this much material a side may well be glad to pass.
const ENOUGH_TO_PASS: i32 = 900;

impl Evaluate for Arx {
    fn evaluate(&self, state: &State) -> i32 {
        let side = state.side();
        if is_attacked(state, side.other()) {
            return WON;
        }
        let checked = if is_attacked(state, side) { CHECKED } else { 0 };
        let score = standing(state, side) - standing(state, side.other()) + checked;
        score.clamp(-WON + 1, WON - 1)
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
        if material(state, state.side()) < ENOUGH_TO_PASS || self.must_resolve(state) {
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

    const MOVE_SLOTS: usize = Square::COUNT * Square::COUNT;
}

/// What the pieces of a pile are worth together.
#[inline]
fn value(pile: Pile) -> i32 {
    pile.kinds().map(|kind| VALUE[kind as usize - 1]).sum()
}

/// Material, mobility and pressure on the enemy King.
fn standing(state: &State, side: Side) -> i32 {
    let zone = squares(state.king(side.other())).fold(0, |_, king| reach::king(king));
    let (moves, siege) = movegen::mobility(state, side, zone);
    material(state, side) + MOBILITY * moves as i32 + SIEGE * siege as i32
}

/// The pieces of a side, Kings left out, and its stacks.
fn material(state: &State, side: Side) -> i32 {
    let layers = Layers::of(state, side);
    let stacks = (layers.own & state.stacks()).count_ones() as i32;
    Kind::ALL[..7].iter().fold(STACK * stacks, |sum, &kind| {
        let [bottom, top] = layers.of_kind(kind);
        sum + VALUE[kind as usize - 1] * (bottom.count_ones() + top.count_ones()) as i32
    })
}

/// Whether the other side could take the King of `side`. False without a King.
fn is_attacked(state: &State, side: Side) -> bool {
    let king = state.king(side);
    if king == 0 {
        return false;
    }
    let square = king.trailing_zeros() as usize;
    let enemy = Layers::of(state, side.other());
    let occupied = state.occupied();
    // Whoever the King would reach by moving like a kind is reached by that kind in turn; forward becomes
    // backward because the King moves for the other side.
    let by_kind = |&kind: &Kind| {
        let [bottom, top] = enemy.of_kind(kind);
        let set = bottom | top;
        set != 0 && reach::reach(kind, side, square, occupied) & set != 0
    };
    reach::king(square) & state.king(side.other()) != 0 || Kind::ALL[..7].iter().any(by_kind)
}

/// The pieces of one side, by level.
struct Layers {
    own: u128,
    low: [u128; 3],
    high: [u128; 3],
    stacks: u128,
}

impl Layers {
    #[inline]
    fn of(state: &State, side: Side) -> Layers {
        let own = if side == Side::First { state.plane(6) } else { !state.plane(6) };
        Layers {
            own,
            low: [state.plane(0), state.plane(1), state.plane(2)],
            high: [state.plane(3), state.plane(4), state.plane(5)],
            // A King has the top bits of a Ballista, but no bottom.
            stacks: state.stacks(),
        }
    }

    /// The squares where a kind stands below (or alone), and on top.
    #[inline]
    fn of_kind(&self, kind: Kind) -> [u128; 2] {
        let pick = |bits: [u128; 3], mut set: u128| {
            for (i, bits) in bits.into_iter().enumerate() {
                set &= if kind as u8 >> i & 1 != 0 { bits } else { !bits };
            }
            set
        };
        [pick(self.low, self.own), pick(self.high, self.own & self.stacks)]
    }
}
