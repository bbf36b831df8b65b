//! The men of both sides: what a slice is, and how its numbers are put together.

use super::geometry::{FREE_PAIRS, PAWN_PAIRS, TABLES};
use super::seen::{Man, Seen};
use tabia_core::Slice;

/// Most men beside the kings.
pub(super) const MOST: usize = 3;
/// The letters of men in names, the order of slices.
const LETTERS: [u8; 5] = *b"QRBNP";
pub(super) const QUEEN: u8 = 0;
pub(super) const ROOK: u8 = 1;
pub(super) const BISHOP: u8 = 2;
pub(super) const KNIGHT: u8 = 3;
pub(super) const PAWN: u8 = 4;
/// Bits for the number of men of a sort, and of all men of a side.
const COUNT_BITS: u32 = 2;
const SIDE_BITS: u32 = 5 * COUNT_BITS;
const SIDE: u32 = (1 << SIDE_BITS) - 1;
/// Set in slices of positions where a pawn can be captured en passant.
const EN_PASSANT: u32 = 1 << (2 * SIDE_BITS);

/// The men beside the kings, seen by the side to move.
///
/// ```text
/// bit 20        19 ... 10            9 ... 0
/// en passant    men of the other     own men: queens in bits 0-1, then rooks, bishops, knights, pawns
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Material(u32);

/// Men of one sort and side, and how many.
#[derive(Clone, Copy, Debug)]
struct Alike {
    own: bool,
    kind: u8,
    count: u32,
}

impl Material {
    /// The material of a slice that an index covers: up to four men, or five without pawns.
    pub(super) fn of(slice: Slice) -> Option<Material> {
        let material = Material(slice.0);
        let known = slice.0 >> (2 * SIDE_BITS + 1) == 0
            && material.is_covered()
            && (!material.has_en_passant() || material.pawns_of_both());
        known.then_some(material)
    }

    pub(super) fn slice(self) -> Slice {
        Slice(self.0)
    }

    /// Whether there are tables for this: four men, or five without pawns.
    pub(super) fn is_covered(self) -> bool {
        let most = if self.has_pawns() { 4 } else { 5 };
        self.men() <= most
    }

    /// No men but the kings.
    pub(super) const BARE: Material = Material(0);

    fn shift(own: bool, kind: u8) -> u32 {
        u32::from(kind) * COUNT_BITS + if own { 0 } else { SIDE_BITS }
    }

    /// One man more. Sides of more than [`MOST`] men are nobody's.
    pub(super) fn with(self, own: bool, kind: u8) -> Material {
        Material(self.0 + (1 << Self::shift(own, kind)))
    }

    /// The same with a pawn that can be captured en passant.
    pub(super) fn with_en_passant(self) -> Material {
        Material(self.0 | EN_PASSANT)
    }

    pub(super) fn has_en_passant(self) -> bool {
        self.0 & EN_PASSANT != 0
    }

    /// The material that the other side sees.
    pub(super) fn turned(self) -> Material {
        Material(self.0 >> SIDE_BITS & SIDE | (self.0 & SIDE) << SIDE_BITS | self.0 & EN_PASSANT)
    }

    fn count(self, own: bool, kind: u8) -> u32 {
        self.0 >> Self::shift(own, kind) & ((1 << COUNT_BITS) - 1)
    }

    /// Own men first, from queens to pawns.
    fn alike(self) -> impl Iterator<Item = Alike> {
        let sorts = [true, false].into_iter().flat_map(|own| (0..5).map(move |kind| (own, kind)));
        sorts
            .map(move |(own, kind)| Alike { own, kind, count: self.count(own, kind) })
            .filter(|a| a.count > 0)
    }

    /// Men with the kings.
    pub(super) fn men(self) -> u32 {
        2 + self.alike().map(|alike| alike.count).sum::<u32>()
    }

    pub(super) fn pawns(self) -> u32 {
        self.count(true, PAWN) + self.count(false, PAWN)
    }

    pub(super) fn has_pawns(self) -> bool {
        self.pawns() > 0
    }

    /// Whether one pawn may capture another.
    pub(super) fn pawns_of_both(self) -> bool {
        self.count(true, PAWN) > 0 && self.count(false, PAWN) > 0
    }

    /// All materials with so many men that an index covers, without those of en passant.
    pub(super) fn with_men(men: u32) -> Vec<Material> {
        let mut all = vec![Self::BARE];
        for _ in 2..men {
            let more = |m: &Material| {
                let m = *m;
                [true, false].into_iter().flat_map(move |own| (0..5).map(move |kind| m.with(own, kind)))
            };
            all = all.iter().flat_map(more).collect();
            all.sort_unstable();
            all.dedup();
        }
        all.retain(|material| material.is_covered());
        all
    }

    /// Everything that captures and promotions lead to, this included.
    pub(super) fn leads_to(self) -> Vec<Slice> {
        let mut all = vec![Material(self.0 & !EN_PASSANT)];
        let mut at = 0;
        while let Some(&material) = all.get(at) {
            for Alike { own, kind, .. } in material.alike() {
                let fewer = Material(material.0 - (1 << Self::shift(own, kind)));
                let promoted = (QUEEN..=KNIGHT).map(|to| fewer.with(own, to)).filter(|_| kind == PAWN);
                let next: Vec<Material> = std::iter::once(fewer).chain(promoted).collect();
                next.into_iter().for_each(|next| {
                    if !all.contains(&next) {
                        all.push(next);
                    }
                });
            }
            at += 1;
        }
        all.into_iter().map(Material::slice).collect()
    }

    /// `KRvKP`: the men of the side to move, `v`, the others; `-ep` where a pawn can be captured en passant.
    pub(super) fn name(self) -> String {
        let mut name = String::from("K");
        let mut own_side = true;
        for Alike { own, kind, count } in self.alike() {
            if own_side && !own {
                name.push_str("vK");
                own_side = false;
            }
            (0..count).for_each(|_| name.push(char::from(LETTERS[usize::from(kind)])));
        }
        if own_side {
            name.push_str("vK");
        }
        if self.has_en_passant() {
            name.push_str("-ep");
        }
        name
    }

    pub(super) fn named(name: &str) -> Option<Material> {
        let (men, en_passant) = name.strip_suffix("-ep").map_or((name, false), |men| (men, true));
        let (own, other) = men.split_once('v')?;
        let mut material = Self::BARE;
        for (men, own) in [(own, true), (other, false)] {
            let men = men.strip_prefix('K')?;
            if men.len() > MOST {
                return None;
            }
            for letter in men.bytes() {
                material = material.with(own, LETTERS.iter().position(|l| *l == letter)? as u8);
            }
        }
        let material = if en_passant { material.with_en_passant() } else { material };
        // Other orders of the same letters are no names.
        Self::of(material.slice()).filter(|material| material.name() == name)
    }

    /// Numbers of the slice, gaps included.
    pub(super) fn len(self) -> u64 {
        let kings = if self.has_pawns() { PAWN_PAIRS } else { FREE_PAIRS } as u64;
        if self.has_en_passant() {
            return kings * EN_PASSANT_PAIRS;
        }
        self.alike().fold(kings, |len, alike| len * combinations(room(alike.kind), alike.count))
    }

    /// The number of men of this material, the kings' pair first. The men come as [`Material::alike`] lists them,
    /// those alike by square.
    pub(super) fn number(self, kings: u64, men: &[Man]) -> Option<u64> {
        if self.has_en_passant() {
            return Some(kings * EN_PASSANT_PAIRS + en_passant_number(men)?);
        }
        let (mut number, mut at) = (kings, 0);
        while let Some(man) = men.get(at) {
            let mut alike = 0;
            let mut chosen = 0;
            while let Some(next) = men.get(at).filter(|next| next.is_like(*man)) {
                alike += 1;
                at += 1;
                chosen += choose(u64::from(next.square - first(man.kind)), alike);
            }
            number = number * combinations(room(man.kind), alike) + chosen;
        }
        Some(number)
    }

    /// The men at a number; whether they make a position is another question. `None` beyond the last.
    pub(super) fn men_at(self, number: u64) -> Option<Seen> {
        if number >= self.len() {
            return None;
        }
        if self.has_en_passant() {
            let kings = TABLES.kings_of(number / EN_PASSANT_PAIRS, true)?;
            return en_passant_men(kings, number % EN_PASSANT_PAIRS);
        }
        let mut seen = Seen::of_kings([0, 0]);
        let mut rest = number;
        let mut sorts = [Alike { own: true, kind: 0, count: 0 }; MOST];
        let mut len = 0;
        for alike in self.alike().take(MOST) {
            sorts[len] = alike;
            len += 1;
        }
        // The last sort was multiplied in last.
        let mut starts = [0; MOST];
        for at in (0..len).rev() {
            let size = combinations(room(sorts[at].kind), sorts[at].count);
            starts[at] = rest % size;
            rest /= size;
        }
        for at in 0..len {
            let Alike { own, kind, count } = sorts[at];
            let mut chosen = starts[at];
            let mut men = [0; MOST];
            for place in (1..=count).rev() {
                let square = largest(chosen, place);
                chosen -= choose(square, place);
                men[place as usize - 1] = square as u8 + first(kind);
            }
            men[..count as usize].iter().for_each(|&square| seen.push(Man { own, kind, square }));
        }
        seen.kings = TABLES.kings_of(rest, self.has_pawns())?;
        Some(seen)
    }
}

/// The squares where men of a sort may stand.
fn room(kind: u8) -> u64 {
    if kind == PAWN { 48 } else { 64 }
}

/// The first of them.
fn first(kind: u8) -> u8 {
    if kind == PAWN { 8 } else { 0 }
}

/// How many sets of `count` squares there are.
fn combinations(squares: u64, count: u32) -> u64 {
    choose(squares, count)
}

fn choose(n: u64, k: u32) -> u64 {
    match k {
        0 => 1,
        1 => n,
        2 => n * n.saturating_sub(1) / 2,
        _ => n * n.saturating_sub(1) * n.saturating_sub(2) / 6,
    }
}

/// The largest n with `choose(n, k) <= number`.
fn largest(number: u64, k: u32) -> u64 {
    if k == 1 {
        return number;
    }
    let mut n = u64::from(k) - 1;
    while choose(n + 1, k) <= number {
        n += 1;
    }
    n
}

/// The file of the pawn that made the double step, and on which side of it the other stands.
const EN_PASSANT_PAIRS: u64 = 16;

fn en_passant_number(men: &[Man]) -> Option<u64> {
    let [own, other] = men else { return None };
    Some(u64::from(other.square % 8) * 2 + u64::from(own.square > other.square))
}

fn en_passant_men(kings: [u8; 2], number: u64) -> Option<Seen> {
    let (file, right) = ((number / 2) as u8, number % 2 == 1);
    let beside = if right { file + 1 } else { file.checked_sub(1)? };
    if beside > 7 {
        return None;
    }
    let mut seen = Seen::of_kings(kings);
    seen.push(Man { own: true, kind: PAWN, square: 32 + beside });
    seen.push(Man { own: false, kind: PAWN, square: 32 + file });
    seen.stepped = Some(32 + file);
    Some(seen)
}
