//! Sets of squares as numbers: combinations, counted colexicographically.

/// `CHOOSE[n][k]`: the ways to choose k of n.
static CHOOSE: [[u64; 13]; 33] = choose_table();

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

/// The number of a set among the sets of its size chosen from `squares`.
#[inline(always)]
pub(super) fn number(set: u32, squares: u32) -> u64 {
    let (mut rest, mut sum, mut k) = (set, 0, 1);
    while rest != 0 {
        let below = (rest & rest.wrapping_neg()) - 1;
        sum += choose((squares & below).count_ones(), k);
        rest &= rest - 1;
        k += 1;
    }
    sum
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
