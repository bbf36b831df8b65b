//! Where a piece can go on an otherwise given board: every square it moves to or stops at.
//!
//! What stands on the squares reached is the caller's concern; here pieces only block. All tables are
//! built at compile time and together take 20 KB.

use crate::bits::bit;
use crate::{Kind, Square};
use tabia_core::Side;

type Table = [u128; Square::COUNT];
type Step = (i8, i8);

/// Steps as (rows down, columns right).
const ORTHOGONAL: [Step; 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];
const DIAGONAL: [Step; 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
const LEAPS: [Step; 8] = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];

static SOLDIER: [Table; 2] = [leaps(&[(-1, -1), (-1, 1)], 1), leaps(&[(1, -1), (1, 1)], 1)];
static NEAR_ORTHOGONAL: Table = leaps(&ORTHOGONAL, 1);
static FAR_ORTHOGONAL: Table = leaps(&ORTHOGONAL, 2);
static NEAR_DIAGONAL: Table = leaps(&DIAGONAL, 1);
static FAR_DIAGONAL: Table = leaps(&DIAGONAL, 2);
static DRAGON: Table = leaps(&LEAPS, 1);

static RANKS: Lines = Lines::along((0, 1));
static FILES: Lines = Lines::along((1, 0));
static FALLING: Lines = Lines::along((1, 1));
static RISING: Lines = Lines::along((1, -1));

/// The squares a piece of `side` on `from` reaches when `occupied` squares block.
#[inline]
pub(crate) fn reach(kind: Kind, side: Side, from: usize, occupied: u128) -> u128 {
    match kind {
        Kind::Soldier => soldier(side, from),
        Kind::Jester => jester(from, occupied),
        Kind::Commander => commander(from, occupied),
        Kind::Paladin => paladin(from, occupied),
        Kind::Guard => guard(from, occupied),
        Kind::Dragon => dragon(from),
        Kind::Ballista => ballista(side, from, occupied),
        Kind::King => king(from),
    }
}

#[inline]
pub(crate) fn soldier(side: Side, from: usize) -> u128 {
    SOLDIER[side.index()][from]
}

#[inline]
pub(crate) fn jester(from: usize, occupied: u128) -> u128 {
    FALLING.reach(from, occupied) | RISING.reach(from, occupied)
}

#[inline]
pub(crate) fn commander(from: usize, occupied: u128) -> u128 {
    RANKS.reach(from, occupied) | FILES.reach(from, occupied)
}

#[inline]
pub(crate) fn paladin(from: usize, occupied: u128) -> u128 {
    let near = NEAR_ORTHOGONAL[from];
    near | FAR_ORTHOGONAL[from] & spread::<1, 9>(near & !occupied)
}

#[inline]
pub(crate) fn guard(from: usize, occupied: u128) -> u128 {
    let near = NEAR_DIAGONAL[from];
    near | FAR_DIAGONAL[from] & spread::<8, 10>(near & !occupied)
}

#[inline]
pub(crate) fn dragon(from: usize) -> u128 {
    DRAGON[from]
}

#[inline]
pub(crate) fn ballista(side: Side, from: usize, occupied: u128) -> u128 {
    match side {
        Side::First => FILES.reach_down(from, occupied),
        Side::Second => FILES.reach_up(from, occupied),
    }
}

#[inline]
pub(crate) fn king(from: usize) -> u128 {
    NEAR_ORTHOGONAL[from] | NEAR_DIAGONAL[from]
}

/// One more step in the directions ±`A` and ±`B` from all squares of a set.
///
/// From the four near squares this also gives squares beside the far ones, and wraps around edges; the
/// caller's mask of far squares keeps exactly those two steps away in a straight line.
#[inline]
const fn spread<const A: u32, const B: u32>(set: u128) -> u128 {
    set << A | set >> A | set << B | set >> B
}

/// The squares `distance` times each step away.
const fn leaps<const N: usize>(steps: &[Step; N], distance: i8) -> Table {
    let mut table = [0; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut i = 0;
        while i < N {
            let (down, right) = steps[i];
            if let Some(to) = offset(from, down * distance, right * distance) {
                table[from] |= bit(to);
            }
            i += 1;
        }
        from += 1;
    }
    table
}

const fn offset(from: usize, down: i8, right: i8) -> Option<usize> {
    let row = (from / Square::SIDE) as i8 + down;
    let column = (from % Square::SIDE) as i8 + right;
    let on_board = row >= 0 && row < Square::SIDE as i8 && column >= 0 && column < Square::SIDE as i8;
    if on_board { Some(row as usize * Square::SIDE + column as usize) } else { None }
}

/// For each square the two halves of the line through it: squares with smaller and with larger indices.
struct Lines([[u128; 2]; Square::COUNT]);

impl Lines {
    /// The lines along a step that increases the index.
    const fn along((down, right): Step) -> Lines {
        let mut lines = [[0; 2]; Square::COUNT];
        let mut from = 0;
        while from < Square::COUNT {
            lines[from] = [ray(from, -down, -right), ray(from, down, right)];
            from += 1;
        }
        Lines(lines)
    }

    /// Both directions at once: all bits from the nearest blocker below to the nearest above come out
    /// of one subtraction (the "obstruction difference" of the chess-programming literature).
    #[inline]
    fn reach(&self, from: usize, occupied: u128) -> u128 {
        let [below, above] = self.0[from];
        let blocker_above = lowest(above & occupied);
        let from_blocker_below = from_highest(below & occupied);
        (below | above) & blocker_above.wrapping_mul(2).wrapping_add(from_blocker_below)
    }

    #[inline]
    fn reach_down(&self, from: usize, occupied: u128) -> u128 {
        let below = self.0[from][0];
        below & from_highest(below & occupied)
    }

    #[inline]
    fn reach_up(&self, from: usize, occupied: u128) -> u128 {
        let above = self.0[from][1];
        let blockers = above & occupied;
        above & (blockers ^ blockers.wrapping_sub(1))
    }
}

#[inline]
const fn lowest(set: u128) -> u128 {
    set & set.wrapping_neg()
}

/// All bits from the highest of the set upwards; all bits for the empty set.
#[inline]
const fn from_highest(set: u128) -> u128 {
    u128::MAX << (set | 1).ilog2()
}

const fn ray(from: usize, down: i8, right: i8) -> u128 {
    let mut set = 0;
    let mut at = from;
    while let Some(next) = offset(at, down, right) {
        set |= bit(next);
        at = next;
    }
    set
}
