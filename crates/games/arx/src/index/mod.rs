//! Endings by number: the two Kings with one or two men in all, stacks included.
//!
//! Positions are seen by the side to move as if it were White, and a slice is the men of both (`KCvKS`: a Commander to move
//! against a Soldier). A number puts together the squares:
//!
//! ```text
//! number = (own King * 81 + other King) * placements of the men + placement
//!
//! own King     45 squares, the columns A to E: the others are mirror images
//! placements   81 of one man; 81 * 81 of one of each side; of two of one side 81 * 81, and 81 more for the stacks with the
//!              second man on top; of two alike 81 * 82 / 2
//! ```
//!
//! Some numbers stand for nothing: a man on the square of a King or of the other side's man, the greater of two mirror
//! images. They are gaps ([`Index::is_gap`]). Positions with the Kings alone, or without one, are over and have no number.

mod material;
mod seen;
#[cfg(test)]
mod tests;

use crate::{Arx, Kind, Pile, Square, State};
use material::{MOST, Material};
use seen::{Man, Seen, square_of};
use tabia_core::{Index, Side, Slice, Spot, Successor};

impl Index for Arx {
    /// By men: captures lead to fewer. A slice and the one with the sides exchanged lead to each other.
    fn slice_groups(&self, pieces: u32) -> Vec<Vec<Slice>> {
        let most = (pieces as usize).saturating_sub(2).min(MOST);
        let materials = (1..=most).flat_map(Material::with_men);
        materials.filter(|material| *material <= material.turned()).map(group).collect()
    }

    fn groups_for(&self, slice: Slice) -> Vec<Vec<Slice>> {
        let Some(material) = Material::of(slice) else { return Vec::new() };
        let needed = material.leads_to();
        let mut groups = self.slice_groups(2 + material.men() as u32);
        groups.retain(|group| group.iter().any(|slice| needed.contains(slice)));
        groups
    }

    fn slice_name(&self, slice: Slice) -> String {
        Material::of(slice).map_or_else(String::new, Material::name)
    }

    fn slice_named(&self, name: &str) -> Option<Slice> {
        Material::named(name).map(Material::slice)
    }

    fn slice_pieces(&self, slice: Slice) -> u32 {
        Material::of(slice).map_or(0, |material| 2 + material.men() as u32)
    }

    fn slice_len(&self, slice: Slice) -> u64 {
        Material::of(slice).map_or(0, Material::len)
    }

    fn is_gap(&self, spot: Spot) -> bool {
        spot.index < self.slice_len(spot.slice) && seen_at(spot).is_none()
    }

    fn locate(&self, state: &State) -> Option<Spot> {
        if state.occupied().count_ones() as usize > 2 + MOST {
            return None;
        }
        seen(state)?.spot()
    }

    fn position(&self, spot: Spot) -> Option<State> {
        let seen = seen_at(spot)?;
        let mut piles = [Pile::EMPTY; Square::COUNT];
        let side = |own: bool| if own { Side::First } else { Side::Second };
        for (king, own) in seen.kings.iter().zip([true, false]) {
            piles[usize::from(*king)] = Pile::single(side(own), Kind::King);
        }
        for man in seen.men().iter().filter(|man| !man.under) {
            let below = seen.men().iter().find(|other| other.under);
            let pile = match below {
                Some(below) => Pile::stack(side(man.own), man.kind, below.kind)?,
                None => Pile::single(side(man.own), man.kind),
            };
            piles[usize::from(man.square)] = pile;
        }
        State::from_piles(&piles, Side::First).ok()
    }

    fn successors(&self, spot: Spot, out: &mut Vec<Successor>) {
        let Some(seen) = seen_at(spot) else { return };
        seen.each_move(|successor| out.push(successor));
    }

    fn predecessors(&self, spot: Spot, out: &mut Vec<Spot>) {
        let Some(seen) = seen_at(spot) else { return };
        seen.each_before(|before| out.extend(before.spot()));
    }
}

/// The slices that lead to each other.
fn group(material: Material) -> Vec<Slice> {
    let mut all = vec![material.slice(), material.turned().slice()];
    all.dedup();
    all
}

/// The position at a number; `None` at a gap.
fn seen_at(spot: Spot) -> Option<Seen> {
    let seen = Material::of(spot.slice)?.men_at(spot.index)?;
    (seen.is_position() && (!seen.may_be_mirrored() || seen.spot() == Some(spot))).then_some(seen)
}

/// A position of few men as the side to move sees it; `None` where a King is missing.
fn seen(state: &State) -> Option<Seen> {
    let as_seen = |square: Square| match state.side() {
        Side::First => square.index() as u8,
        Side::Second => ((8 - square.row()) * Square::SIDE + square.column()) as u8,
    };
    let king = |side: Side| {
        let square = square_of(state.king(side).trailing_zeros() as u8)?;
        Some(as_seen(square))
    };
    let mut seen = Seen::of_kings([king(state.side())?, king(state.side().other())?]);
    let mut men = Vec::with_capacity(MOST);
    for square in crate::bits::squares(state.occupied()).filter_map(Square::from_index) {
        let pile = state.pile(square);
        if pile.is_king() {
            continue;
        }
        let own = pile.side() == Some(state.side());
        for (kind, under) in
            [(pile.bottom(), pile.is_stack()), (pile.top().filter(|_| pile.is_stack()), false)]
        {
            let Some(kind) = kind else { continue };
            men.push(Man { own, kind, square: as_seen(square), under });
        }
    }
    men.sort_by_key(|man| (!man.own, man.kind));
    men.iter().for_each(|man| seen.push(*man));
    (men.len() <= MOST).then_some(seen)
}
