//! Where a piece can go on an otherwise given board: every square it moves to or stops at.
//!
//! What stands on the squares reached is the caller's concern; here pieces only block. All tables are
//! built at compile time and together take 33 KB.

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

/// Every square from which a piece could take on `square` at all, as far as pieces in between allow.
#[inline]
pub(crate) fn sight(square: usize, occupied: u128) -> u128 {
    jester(square, occupied) | commander(square, occupied) | DRAGON[square]
}

/// The kinds (as bits) that take on `square`, where `side` stands, from a square in its [`sight`].
#[inline]
pub(crate) fn attackers(side: Side, square: usize, from: usize) -> u8 {
    ATTACKERS[side.index()][square][from]
}

/// The bit that stands for a kind in a set of kinds.
pub(crate) const fn bit_of(kind: Kind) -> u8 {
    1 << (kind as u8 - 1)
}

static ATTACKERS: [[[u8; Square::COUNT]; Square::COUNT]; 2] = [all_attackers(true), all_attackers(false)];

#[allow(clippy::large_stack_arrays)] // only ever runs at compile time
const fn all_attackers(of_first: bool) -> [[u8; Square::COUNT]; Square::COUNT] {
    let mut table = [[0; Square::COUNT]; Square::COUNT];
    let mut at = 0;
    while at < Square::COUNT * Square::COUNT {
        let (square, from) = (at / Square::COUNT, at % Square::COUNT);
        let down = (from / Square::SIDE) as i8 - (square / Square::SIDE) as i8;
        let right = (from % Square::SIDE) as i8 - (square % Square::SIDE) as i8;
        table[square][from] = kinds_across(if of_first { down } else { -down }, right);
        at += 1;
    }
    table
}

/// The kinds that take a piece of the first side from so many rows below it and columns beside it.
const fn kinds_across(down: i8, right: i8) -> u8 {
    let (rows, columns) = (down.abs(), right.abs());
    let far = if rows > columns { rows } else { columns };
    let mut kinds = 0;
    if far == 0 {
        return 0;
    }
    if rows == 0 || columns == 0 {
        kinds |= bit_of(Kind::Commander);
        kinds |= if far <= 2 { bit_of(Kind::Paladin) } else { 0 };
        // The other side comes from above.
        kinds |= if columns == 0 && down < 0 { bit_of(Kind::Ballista) } else { 0 };
    } else if rows == columns {
        kinds |= bit_of(Kind::Jester);
        kinds |= if far <= 2 { bit_of(Kind::Guard) } else { 0 };
        kinds |= if far == 1 && down < 0 { bit_of(Kind::Soldier) } else { 0 };
    } else if rows + columns == 3 {
        kinds |= bit_of(Kind::Dragon);
    }
    if far == 1 { kinds | bit_of(Kind::King) } else { kinds }
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
