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

mod combination;
mod levels;
mod material;
mod seen;
#[cfg(test)]
mod tests;

use crate::capture::{self, Captures};
use crate::rules::{Counting, Draughts};
use crate::state::State;
use crate::types::Color;
use material::{Material, materials};
use seen::Seen;
use tabia_core::{Index, Slice, Spot, Successor, Value, sort_many_by_key};

/// The squares 1-28, where men of the side to move may stand.
const OWN_MEN: u32 = 0x0FFFFFFF;
/// The squares 5-32, where the other men may stand.
const OTHER_MEN: u32 = 0xFFFFFFF0;
/// The squares 1-4.
const TOP: u32 = 0x0000000F;
/// Most pieces the names of slices allow, and more than anyone can build.
const MOST_PIECES: u32 = 12;

impl Index for Draughts {
    /// By pieces (captures lead to fewer) and then by men (crowning leads to fewer men). A slice and
    /// the one with the sides exchanged lead to each other.
    fn slice_groups(&self, pieces: u32) -> Vec<Vec<Slice>> {
        let mut groups = Vec::new();
        for pieces in 2..=pieces.min(MOST_PIECES) {
            let mut all: Vec<Material> = materials(pieces).collect();
            sort_many_by_key(&mut all, |m| (m.own_men + m.other_men, m.slice()));
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
