//! Where a piece can go on an otherwise given board: every square it moves to or stops at.
//!
//! What stands on the squares reached is the caller's concern; here pieces only block. All tables are
//! built at compile time and together take 67 KB.

use crate::bits::{NOWHERE, bit};
use crate::{Kind, Square};
use tabia_core::Side;

/// A row for every square, and an empty one for [`NOWHERE`].
type Table = [u128; NOWHERE + 1];
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

static RANKS: Line = Line::along((0, 1));
static FILES: Line = Line::along((1, 0));
static FALLING: Line = Line::along((1, 1));
static RISING: Line = Line::along((1, -1));

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

/// The squares a piece with this three-bit code reaches on an empty board. Whatever the kind, what it reaches on another
/// board is that much of the [`sight`] from its square.
#[inline]
pub(crate) fn on_empty_board(code: u8, side: Side, from: usize) -> u128 {
    EMPTY_BOARD[side.index()][usize::from(code & 7)][from]
}

static EMPTY_BOARD: [[Table; 8]; 2] = [all_reached(true), all_reached(false)];

const fn all_reached(by_first: bool) -> [Table; 8] {
    let mut tables = [[0; NOWHERE + 1]; 8];
    let mut at = 0;
    while at < Square::COUNT * Square::COUNT {
        let (from, to) = (at / Square::COUNT, at % Square::COUNT);
        let down = (from / Square::SIDE) as i8 - (to / Square::SIDE) as i8;
        let right = (from % Square::SIDE) as i8 - (to % Square::SIDE) as i8;
        let kinds = kinds_across(if by_first { -down } else { down }, right);
        let mut code = 1;
        while code < 8 {
            if kinds >> (code - 1) & 1 != 0 {
                tables[code][from] |= bit(to);
            }
            code += 1;
        }
        at += 1;
    }
    tables
}

/// The way back from a square to another in sight of it, one step at a time: what to add to its index. Leaps are one step.
#[inline]
pub(crate) fn step_back(from: usize, to: usize) -> isize {
    isize::from(STEPS_BACK[from][to])
}

static STEPS_BACK: [[i8; Square::COUNT]; Square::COUNT] = {
    let mut table = [[0; Square::COUNT]; Square::COUNT];
    let mut at = 0;
    while at < Square::COUNT * Square::COUNT {
        let (from, to) = (at / Square::COUNT, at % Square::COUNT);
        let down = (from / Square::SIDE) as i8 - (to / Square::SIDE) as i8;
        let right = (from % Square::SIDE) as i8 - (to % Square::SIDE) as i8;
        let straight = down == 0 || right == 0 || down.abs() == right.abs();
        let (down, right) = if straight { (down.signum(), right.signum()) } else { (down, right) };
        table[from][to] = down * Square::SIDE as i8 + right;
        at += 1;
    }
    table
};

/// The squares that are not reached from a square in one step or leap.
#[inline]
pub(crate) fn far(from: usize) -> u128 {
    !(king(from) | dragon(from))
}

/// Every square from which a piece could take on `square` at all, as far as pieces in between allow.
#[inline]
pub(crate) fn sight(square: usize, occupied: u128) -> u128 {
    jester(square, occupied) | commander(square, occupied) | DRAGON[square]
}

/// The [`sight`] from a square as far as the pieces of a pile with this code need it.
#[inline]
pub(crate) fn sight_of(code: u8, square: usize, occupied: u128) -> u128 {
    let kinds = 1 << (code & 7) | 1 << (code >> 3 & 7);
    let mut sight = king(square) | DRAGON[square];
    if kinds & (1 << Kind::Jester as u8 | 1 << Kind::Guard as u8) != 0 {
        sight |= jester(square, occupied);
    }
    if kinds & (1 << Kind::Commander as u8 | 1 << Kind::Paladin as u8 | 1 << Kind::Ballista as u8) != 0 {
        sight |= commander(square, occupied);
    }
    sight
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
    let mut table = [0; NOWHERE + 1];
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

/// Lines in one direction and back: for each square the squares beyond it with smaller indices, and those with larger ones.
struct Line {
    /// By the index plus one, so that row 0 is empty.
    down: [u128; 128],
    up: [u128; 128],
}

impl Line {
    /// The lines along a step that increases the index.
    const fn along((down, right): Step) -> Line {
        let mut line = Line { down: [0; 128], up: [0; 128] };
        let mut from = 0;
        while from < Square::COUNT {
            line.down[from + 1] = ray(from, -down, -right);
            line.up[from] = ray(from, down, right);
            from += 1;
        }
        line
    }

    /// Both ways, up to the nearest blockers.
    #[inline]
    fn reach(&self, from: usize, occupied: u128) -> u128 {
        self.reach_down(from, occupied) | self.reach_up(from, occupied)
    }

    /// All squares beyond, less those beyond the nearest blocker; row 0 is for none.
    #[inline]
    fn reach_down(&self, from: usize, occupied: u128) -> u128 {
        let ray = self.down[(from + 1) % 128];
        ray ^ self.down[(128 - (ray & occupied).leading_zeros() as usize) % 128]
    }

    /// The same upwards; the row of [`NOWHERE`] is for none.
    #[inline]
    fn reach_up(&self, from: usize, occupied: u128) -> u128 {
        let ray = self.up[from % 128];
        ray ^ self.up[(ray & occupied | bit(NOWHERE)).trailing_zeros() as usize % 128]
    }
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
