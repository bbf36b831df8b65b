//! Sets of squares as numbers: combinations, counted colexicographically.

/// `CHOOSE[n][k]`: the ways to choose k of n.
const CHOOSE: [[u64; 13]; 33] = choose_table();

const fn choose_table() -> [[u64; 13]; 33] {
    let mut table = [[0; 13]; 33];
    let mut n = 0;
    while n < 33 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 13 && n > 0 {
            table[n][k] = table[n - 1][k] + table[n - 1][k - 1];
            k += 1;
        }
        n += 1;
    }
    table
}

#[inline(always)]
pub(super) fn choose(n: u32, k: u32) -> u64 {
    CHOOSE[(n & 63).min(32) as usize][(k & 15).min(12) as usize]
}

/// The same by k and then n, with room for any six bits of n: no look has to be checked.
static RANKS: [[u32; 64]; 16] = rank_table();

const fn rank_table() -> [[u32; 64]; 16] {
    let mut table = [[0; 64]; 16];
    let mut n = 0;
    while n < 33 {
        let mut k = 0;
        while k < 13 {
            // Twelve of 32 squares can be chosen in 225,792,840 ways.
            table[k][n] = CHOOSE[n][k] as u32;
            k += 1;
        }
        n += 1;
    }
    table
}

/// The number of a set among the sets of its size chosen from `squares`.
#[inline(always)]
pub(super) fn number(set: u32, squares: u32) -> u32 {
    let (mut rest, mut sum, mut k) = (set, 0, 1);
    while rest != 0 {
        let below = (rest & rest.wrapping_neg()) - 1;
        sum += RANKS[k & 15][(squares & below).count_ones() as usize & 63];
        rest &= rest - 1;
        k += 1;
    }
    sum
}

/// Puts a set of the lowest squares on those of `onto`, in order.
#[inline(always)]
pub(super) fn spread(mut set: u32, onto: u32) -> u32 {
    let mut taken = !onto;
    while taken != 0 {
        let below = (taken & taken.wrapping_neg()) - 1;
        set = set & below | (set & !below) << 1;
        taken &= taken - 1;
    }
    set
}

/// The set of `size` squares of `squares` with a number.
#[inline]
pub(super) fn numbered(mut number: u64, size: u32, squares: u32) -> u32 {
    let mut set = 0;
    let mut n = squares.count_ones();
    let mut rest = squares;
    for k in (1..=size).rev() {
        // The largest n whose combinations all come before: its square, counted from below.
        while n > 0 && choose(n, k) > number {
            n -= 1;
            // Drop the highest square still in `rest`, so that `rest` has the n lowest.
            rest &= !(1u32 << 31 >> rest.leading_zeros());
        }
        number -= choose(n, k);
        set |= lowest_of(squares & !rest);
    }
    set
}

#[inline(always)]
fn lowest_of(set: u32) -> u32 {
    set & set.wrapping_neg()
}
