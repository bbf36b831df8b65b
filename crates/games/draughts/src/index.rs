//! The perfect index of endings: every position with given material has a number, without gaps.
//!
//! Positions are seen by the side to move as if it were Black (the half turn of the board makes it so),
//! and a slice is the material of both: men and kings of the side to move, men and kings of the other.
//!
//! ```text
//!       own men  -----------.   other men
//!     1  2  3  4   only own men stand here        index = ((((top * C + middle) * C' + other men)
//!     5 .. 28      both sorts                                  * C'' + own kings) * C''' + other kings
//!    29 .. 32      only other men stand here
//! ```
//!
//! How many squares the other men have depends on how many own men stand on 1-4, so the positions come
//! in parts by that number. Inside a part the sets are chosen one after the other, each from the
//! squares that are left, and numbered as combinations (colexicographically).

use crate::bits::{step_a, step_b};
use crate::capture::{self, Captures};
use crate::movegen::Sides;
use crate::rules::{Counting, Draughts};
use crate::state::State;
use crate::types::Color;
use tabia_core::{Index, Slice, Spot, Successor, Value};

/// The squares 1-28, where men of the side to move may stand.
const OWN_MEN: u32 = 0x0FFFFFFF;
/// The squares 5-32, where the other men may stand.
const OTHER_MEN: u32 = 0xFFFFFFF0;
/// The squares 1-4.
const TOP: u32 = 0x0000000F;
/// Most pieces the names of slices allow, and more than anyone can build.
const MOST_PIECES: u32 = 12;

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
fn choose(n: u32, k: u32) -> u64 {
    CHOOSE[(n & 63).min(32) as usize][(k & 15).min(12) as usize]
}

/// A position seen by the side to move, which plays down the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    own: u32,
    other: u32,
    kings: u32,
}

impl Seen {
    #[inline]
    fn of(state: &State) -> Seen {
        let (black, white, kings) = (state.black(), state.white(), state.kings());
        match state.turn() {
            Color::Black => Seen { own: black, other: white, kings },
            Color::White => Seen { own: black, other: white, kings }.turned(),
        }
    }

    /// The same board seen by the other side.
    #[inline(always)]
    fn turned(self) -> Seen {
        let Seen { own, other, kings } = self;
        Seen { own: other.reverse_bits(), other: own.reverse_bits(), kings: kings.reverse_bits() }
    }

    #[inline]
    fn material(self) -> Material {
        let count = |set: u32| set.count_ones();
        Material {
            own_men: count(self.own & !self.kings),
            own_kings: count(self.own & self.kings),
            other_men: count(self.other & !self.kings),
            other_kings: count(self.other & self.kings),
        }
    }

    /// Where this position stands; `None` when a side has no piece or there are too many.
    #[inline]
    fn spot(self) -> Option<Spot> {
        let material = self.material();
        let slice = material.slice()?;
        let (own_men, other_men) = (self.own & !self.kings, self.other & !self.kings);
        let top = (own_men & TOP).count_ones();
        let part = material.part(top);
        let left = !(own_men | other_men);
        let own_kings = self.own & self.kings;
        let numbers = [
            (number(own_men & TOP, TOP), part.top),
            (number(own_men >> 4, OWN_MEN >> 4), part.middle),
            (number(other_men, OTHER_MEN & !own_men), part.other_men),
            (number(own_kings, left), part.own_kings),
            (number(self.other & self.kings, left & !own_kings), part.other_kings),
        ];
        let within = numbers.iter().fold(0, |index, (number, ways)| index * ways + number);
        let before: u64 = (0..top).map(|top| material.part(top).len()).sum();
        Some(Spot { slice, index: before + within })
    }

    /// Calls back with each square stepped to and from by pieces of the side to move (or, backwards in
    /// time and with `down` turned, by those of the other).
    #[inline(always)]
    fn each_step(men: u32, kings: u32, empty: u32, down: bool, mut each: impl FnMut(u32, u32)) {
        for (pieces, down) in [(men | kings, down), (kings, !down)] {
            for step in [step_a, step_b] {
                let mut to = step(down, pieces) & empty;
                while to != 0 {
                    let bit = to & to.wrapping_neg();
                    each(step(!down, bit) & pieces, bit);
                    to ^= bit;
                }
            }
        }
    }

    /// The position after a move of the side to move, seen by the other.
    #[inline(always)]
    fn after(self, from: u32, to: u32, captured: u32) -> Seen {
        let is_king = self.kings & from != 0 || to & !OWN_MEN != 0;
        let kings = self.kings & !from & !captured | if is_king { to } else { 0 };
        Seen { own: self.own & !from | to, other: self.other & !captured, kings }.turned()
    }

    fn sides(self) -> Sides {
        Sides {
            own: self.own,
            opponent: self.other,
            kings: self.own & self.kings,
            empty: !(self.own | self.other),
        }
    }
}

/// The number of a set among the sets of its size chosen from `squares`.
#[inline(always)]
fn number(set: u32, squares: u32) -> u64 {
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
fn numbered(mut number: u64, size: u32, squares: u32) -> u32 {
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

/// What stands on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Material {
    own_men: u32,
    own_kings: u32,
    other_men: u32,
    other_kings: u32,
}

/// The ways to choose each set, for the positions with some number of own men on 1-4.
struct Part {
    top: u64,
    middle: u64,
    other_men: u64,
    own_kings: u64,
    other_kings: u64,
}

impl Part {
    #[inline(always)]
    fn len(&self) -> u64 {
        self.top * self.middle * self.other_men * self.own_kings * self.other_kings
    }
}

impl Material {
    /// The four counts as hexadecimal digits: own men, own kings, other men, other kings.
    #[inline]
    fn slice(self) -> Option<Slice> {
        let own = self.own_men + self.own_kings;
        let other = self.other_men + self.other_kings;
        let possible = own > 0 && other > 0 && own + other <= MOST_PIECES;
        let digits = self.own_men << 12 | self.own_kings << 8 | self.other_men << 4 | self.other_kings;
        possible.then_some(Slice(digits))
    }

    fn of(slice: Slice) -> Option<Material> {
        let digit = |shift: u32| slice.0 >> shift & 15;
        let material =
            Material { own_men: digit(12), own_kings: digit(8), other_men: digit(4), other_kings: digit(0) };
        material.slice().filter(|known| *known == slice).map(|_| material)
    }

    fn pieces(self) -> u32 {
        self.own_men + self.own_kings + self.other_men + self.other_kings
    }

    const fn turned(self) -> Material {
        let Material { own_men, own_kings, other_men, other_kings } = self;
        Material { own_men: other_men, own_kings: other_kings, other_men: own_men, other_kings: own_kings }
    }

    /// The positions with `top` own men on 1-4.
    #[inline(always)]
    fn part(self, top: u32) -> Part {
        let Some(middle) = self.own_men.checked_sub(top) else {
            return Part { top: 0, middle: 0, other_men: 0, own_kings: 0, other_kings: 0 };
        };
        let left = 32 - self.own_men - self.other_men;
        Part {
            top: choose(4, top),
            middle: choose(24, middle),
            other_men: choose(28 - middle, self.other_men),
            own_kings: choose(left, self.own_kings),
            other_kings: choose(left - self.own_kings, self.other_kings),
        }
    }

    fn len(self) -> u64 {
        (0..=4).map(|top| self.part(top).len()).sum()
    }

    /// The position with a number.
    fn position(self, mut index: u64) -> Option<Seen> {
        let (top, part) = (0..=4).map(|top| (top, self.part(top))).find(|(_, part)| {
            let here = index < part.len();
            if !here {
                index -= part.len();
            }
            here
        })?;
        let mut next = |ways: u64| {
            let number = index % ways;
            index /= ways;
            number
        };
        let (other_kings, own_kings) = (next(part.other_kings), next(part.own_kings));
        let (other_men, middle, top_number) = (next(part.other_men), next(part.middle), next(part.top));
        let own_men = numbered(top_number, top, TOP) | numbered(middle, self.own_men - top, OWN_MEN & !TOP);
        let other_men = numbered(other_men, self.other_men, OTHER_MEN & !own_men);
        let own_kings = numbered(own_kings, self.own_kings, !(own_men | other_men));
        let other_kings = numbered(other_kings, self.other_kings, !(own_men | other_men | own_kings));
        let (own, other) = (own_men | own_kings, other_men | other_kings);
        Some(Seen { own, other, kings: own_kings | other_kings })
    }
}

/// All materials of `pieces` pieces with both sides present.
fn materials(pieces: u32) -> impl Iterator<Item = Material> {
    let digits = move || 0..=pieces;
    let all = digits().flat_map(move |own_men| {
        digits().flat_map(move |own_kings| {
            digits().map(move |other_men| {
                let other_kings = pieces.wrapping_sub(own_men + own_kings + other_men);
                Material { own_men, own_kings, other_men, other_kings }
            })
        })
    });
    all.filter(move |m| m.own_men + m.own_kings + m.other_men <= pieces && m.slice().is_some())
}

impl Index for Draughts {
    /// By pieces (captures lead to fewer) and then by men (crowning leads to fewer men). A slice and
    /// the one with the sides exchanged lead to each other.
    fn slice_groups(&self, pieces: u32) -> Vec<Vec<Slice>> {
        let mut groups = Vec::new();
        for pieces in 2..=pieces.min(MOST_PIECES) {
            let mut all: Vec<Material> = materials(pieces).collect();
            all.sort_by_key(|m| (m.own_men + m.other_men, m.slice()));
            for material in all {
                let (Some(own), Some(turned)) = (material.slice(), material.turned().slice()) else {
                    continue;
                };
                if own == turned {
                    groups.push(vec![own]);
                } else if own < turned {
                    groups.push(vec![own, turned]);
                }
            }
        }
        groups
    }

    /// `10v02`: men and kings of the side to move, `v`, men and kings of the other (hexadecimal digits).
    fn slice_name(&self, slice: Slice) -> String {
        format!("{:02x}v{:02x}", slice.0 >> 8, slice.0 & 0xFF)
    }

    fn slice_named(&self, name: &str) -> Option<Slice> {
        let (own, other) = name.split_once('v')?;
        let digits = |text: &str| u32::from_str_radix(text, 16).ok().filter(|_| text.len() == 2);
        let slice = Slice(digits(own)? << 8 | digits(other)?);
        Material::of(slice).map(|_| slice)
    }

    fn slice_pieces(&self, slice: Slice) -> u32 {
        Material::of(slice).map_or(0, Material::pieces)
    }

    fn slice_len(&self, slice: Slice) -> u64 {
        Material::of(slice).map_or(0, Material::len)
    }

    #[inline]
    fn locate(&self, state: &State) -> Option<Spot> {
        Seen::of(state).spot()
    }

    fn position(&self, spot: Spot) -> Option<State> {
        let seen = Material::of(spot.slice)?.position(spot.index)?;
        State::new(seen.own, seen.other, seen.kings, Color::Black)
    }

    fn successors(&self, spot: Spot, out: &mut Vec<Successor>) {
        let Some(seen) = Material::of(spot.slice).and_then(|material| material.position(spot.index)) else {
            return;
        };
        let sides = seen.sides();
        let over = Successor::Over(Value::Loss(0));
        let to_successor = |next: Seen| next.spot().map_or(over, Successor::At);
        if Captures::of::<true>(sides).any() {
            let mut moves = Vec::with_capacity(8);
            capture::list::<true>(sides, Counting::Unique, &mut moves);
            out.extend(
                moves.iter().map(|mv| {
                    to_successor(seen.after(1 << mv.from_index(), 1 << mv.to_index(), mv.captured()))
                }),
            );
            return;
        }
        let (men, kings) = (seen.own & !seen.kings, sides.kings);
        Seen::each_step(men, kings, sides.empty, true, |from, to| {
            out.push(to_successor(seen.after(from, to, 0)));
        });
    }

    /// Steps taken back: captures and crownings come from other groups.
    fn predecessors(&self, spot: Spot, out: &mut Vec<Spot>) {
        let Some(seen) = Material::of(spot.slice).and_then(|material| material.position(spot.index)) else {
            return;
        };
        let empty = !(seen.own | seen.other);
        let (men, kings) = (seen.other & !seen.kings, seen.other & seen.kings);
        // The other side plays up, so its steps are taken back down.
        Seen::each_step(men, kings, empty, true, |to, from| {
            let king = if seen.kings & to == 0 { 0 } else { from };
            let before =
                Seen { own: seen.own, other: seen.other & !to | from, kings: seen.kings & !to | king }
                    .turned();
            if !Captures::of::<true>(before.sides()).any() {
                out.extend(before.spot());
            }
        });
    }
}

#[cfg(test)]
mod tests;
