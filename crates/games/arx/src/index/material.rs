//! The men of both sides: what a slice is, and how its numbers are put together.

use super::seen::{Man, Seen};
use crate::{Kind, Square};
use tabia_core::Slice;

/// Most men beside the Kings.
pub(super) const MOST: usize = 2;
const SQUARES: u64 = Square::COUNT as u64;
/// The squares of the own King: the columns A to E, the others are mirror images.
pub(super) const KING_SQUARES: u64 = 45;
/// Bits for a kind, and for the kinds of a side.
const KIND_BITS: u32 = 3;
const SIDE_BITS: u32 = 2 * KIND_BITS;

/// The kinds of the men of a side, in the order of their codes: none, one or two.
type Kinds = [Option<Kind>; MOST];

/// The men beside the Kings, seen by the side to move.
///
/// ```text
/// bits 6-11           bits 0-5
/// men of the other    own men: the first in bits 0-2, the second in bits 3-5
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Material(u32);

impl Material {
    /// The material of a slice: one or two men in all, written in one way.
    pub(super) fn of(slice: Slice) -> Option<Material> {
        let material = Material(slice.0);
        let known = slice.0 >> (2 * SIDE_BITS) == 0
            && (1..=MOST).contains(&material.men())
            && Self::new(material.kinds(true), material.kinds(false)) == material;
        known.then_some(material)
    }

    /// The material of two sides.
    pub(super) fn new(own: Kinds, other: Kinds) -> Material {
        let side = |mut kinds: Kinds| {
            // A man without a second comes first; two come in the order of their codes.
            kinds.sort_by_key(|kind| kind.map_or(u8::MAX, |kind| kind as u8));
            kinds.iter().rev().fold(0, |bits, kind| bits << KIND_BITS | kind.map_or(0, |kind| kind as u32))
        };
        Material(side(own) | side(other) << SIDE_BITS)
    }

    /// The material of some men: own ones first, those of one side in the order of their kinds.
    #[inline]
    pub(super) fn of_men(men: &[Man]) -> Material {
        let mut filled = [0; 2];
        let bits = men.iter().map(|man| {
            let place = &mut filled[usize::from(!man.own)];
            let shift = if man.own { 0 } else { SIDE_BITS } + *place;
            *place += KIND_BITS;
            (man.kind as u32) << shift
        });
        Material(bits.sum())
    }

    pub(super) fn slice(self) -> Slice {
        Slice(self.0)
    }

    fn kinds(self, own: bool) -> Kinds {
        let bits = self.0 >> if own { 0 } else { SIDE_BITS };
        [Kind::from_bits((bits & 7) as u8), Kind::from_bits((bits >> KIND_BITS & 7) as u8)]
    }

    /// The sides and kinds of all men, own ones first.
    pub(super) fn all(self) -> impl Iterator<Item = (bool, Kind)> {
        [true, false]
            .into_iter()
            .flat_map(move |own| self.kinds(own).into_iter().flatten().map(move |kind| (own, kind)))
    }

    /// The material that the other side sees.
    pub(super) fn turned(self) -> Material {
        Material::new(self.kinds(false), self.kinds(true))
    }

    /// Men beside the Kings.
    pub(super) fn men(self) -> usize {
        self.all().count()
    }

    /// All materials with so many men beside the Kings.
    pub(super) fn with_men(men: usize) -> Vec<Material> {
        let kinds = || (0..=7).map(Kind::from_bits);
        let sides: Vec<Kinds> = kinds().flat_map(|a| kinds().map(move |b| [a, b])).collect();
        let mut all: Vec<Material> =
            sides.iter().flat_map(|own| sides.iter().map(|other| Material::new(*own, *other))).collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|material| material.men() == men);
        all
    }

    /// `KCvKS`: the men of the side to move, `v`, the others.
    pub(super) fn name(self) -> String {
        let side = |own: bool| -> String {
            std::iter::once('K').chain(self.kinds(own).into_iter().flatten().map(Kind::letter)).collect()
        };
        format!("{}v{}", side(true), side(false))
    }

    pub(super) fn named(name: &str) -> Option<Material> {
        let (own, other) = name.split_once('v')?;
        let side = |text: &str| -> Option<Kinds> {
            let kinds: Vec<Kind> = text.strip_prefix('K')?.chars().map(man).collect::<Option<_>>()?;
            (kinds.len() <= MOST).then(|| [kinds.first().copied(), kinds.get(1).copied()])
        };
        let material = Material::new(side(own)?, side(other)?);
        Self::of(material.slice()).filter(|material| material.name() == name)
    }

    /// The ways to place the men.
    fn placements(self) -> u64 {
        self.sorts().placements()
    }

    fn sorts(self) -> Sorts {
        match (self.kinds(true), self.kinds(false)) {
            ([Some(a), Some(b)], _) | (_, [Some(a), Some(b)]) => {
                if a == b {
                    Sorts::Alike
                } else {
                    Sorts::Different
                }
            }
            ([Some(_), None], [Some(_), None]) => Sorts::OfBoth,
            _ => Sorts::One,
        }
    }

    /// Numbers of the slice, gaps included.
    pub(super) fn len(self) -> u64 {
        KING_SQUARES * SQUARES * self.placements()
    }

    /// The men at a number; whether they make a position is another question. `None` beyond the last.
    pub(super) fn men_at(self, number: u64) -> Option<Seen> {
        let placements = self.placements();
        let (kings, placement) = (number / placements, number % placements);
        let (own, other) = (kings / SQUARES, kings % SQUARES);
        if own >= KING_SQUARES {
            return None;
        }
        let mut seen = Seen::of_kings([(own / 5 * 9 + own % 5) as u8, other as u8]);
        let (a, b) = match self.sorts() {
            Sorts::One => (placement, 0),
            Sorts::Different if placement >= SQUARES * SQUARES => {
                (placement - SQUARES * SQUARES, placement - SQUARES * SQUARES)
            }
            Sorts::OfBoth | Sorts::Different => (placement / SQUARES, placement % SQUARES),
            Sorts::Alike => {
                // The largest number whose triangle is not beyond.
                let mut high = ((2.0 * placement as f64).sqrt() as u64).saturating_sub(1);
                while (high + 1) * (high + 2) / 2 <= placement {
                    high += 1;
                }
                (placement - high * (high + 1) / 2, high)
            }
        };
        let second_on_top = placement >= SQUARES * SQUARES;
        for (at, ((own, kind), square)) in self.all().zip([a, b]).enumerate() {
            let stacked = a == b && self.kinds(own)[1].is_some();
            let under = stacked && (at == 0) == second_on_top;
            seen.push(Man { own, kind, square: square as u8, under });
        }
        Some(seen)
    }

    /// Everything that captures lead to, this included.
    pub(super) fn leads_to(self) -> Vec<Slice> {
        let alone = self.all().map(|(own, kind)| {
            let kinds = [Some(kind), None];
            if own { Material::new(kinds, [None; 2]) } else { Material::new([None; 2], kinds) }
        });
        alone.chain([self]).map(Material::slice).collect()
    }
}

/// How men are numbered.
#[derive(Clone, Copy)]
enum Sorts {
    /// A single man.
    One,
    /// One man of each side.
    OfBoth,
    /// Two different men of one side.
    Different,
    /// Two men of one side and kind.
    Alike,
}

impl Sorts {
    #[inline]
    fn of(men: &[Man]) -> Option<Sorts> {
        match men {
            [_] => Some(Sorts::One),
            [a, b] if a.own != b.own => Some(Sorts::OfBoth),
            [a, b] if a.kind != b.kind => Some(Sorts::Different),
            [_, _] => Some(Sorts::Alike),
            _ => None,
        }
    }

    const fn placements(self) -> u64 {
        match self {
            Sorts::One => SQUARES,
            Sorts::OfBoth => SQUARES * SQUARES,
            // Two on one square are a stack, with either on top.
            Sorts::Different => SQUARES * SQUARES + SQUARES,
            Sorts::Alike => SQUARES * (SQUARES + 1) / 2,
        }
    }
}

/// The number of Kings and men in their slice, with the own King on one of the columns A to E and the men in order.
#[inline]
pub(super) fn number(kings: [u8; 2], men: &[Man]) -> Option<u64> {
    let sorts = Sorts::of(men)?;
    let at = |man: &Man| u64::from(man.square);
    let placement = match (sorts, men) {
        (Sorts::Different, [a, b]) if a.under => SQUARES * SQUARES + at(b),
        (Sorts::Alike, [a, b]) => {
            let (low, high) = (at(a).min(at(b)), at(a).max(at(b)));
            high * (high + 1) / 2 + low
        }
        (_, [a, b]) => at(a) * SQUARES + at(b),
        (_, men) => at(men.first()?),
    };
    let (row, column) = (u64::from(kings[0]) / 9, u64::from(kings[0]) % 9);
    Some(((row * 5 + column) * SQUARES + u64::from(kings[1])) * sorts.placements() + placement)
}

fn man(letter: char) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| *kind != Kind::King && kind.letter() == letter)
}
