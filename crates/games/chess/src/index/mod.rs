//! Endings by number: every position of three or four men, and of five without pawns.
//!
//! Positions are seen by the side to move as if it were White, and a slice is the men of both (`KRvKP`: a rook to
//! move against a pawn). A number puts together the pair of kings and the squares of the men:
//!
//! ```text
//! number = (kings * squares of the first sort of men) * squares of the second ...
//!
//! kings     without pawns 462 pairs up to the eight turns of the board, with pawns 1806 up to the mirror of the files
//! squares   64 of a piece, 48 of a pawn, sets of squares for men that are alike
//! ```
//!
//! Some numbers stand for nothing: two men on one square, a king that could be taken, the greater of two mirror images.
//! They are gaps ([`Index::is_gap`]).
//!
//! A pawn that can be captured en passant makes another position; those have slices of their own (`KPvKP-ep`).
//! Positions where somebody may still castle have no number.

mod geometry;
mod material;
mod seen;
#[cfg(test)]
mod tests;

use crate::types::{BoardBuilder, Color, Piece, Square};
use crate::{Chess, State};
use material::{BISHOP, KNIGHT, MOST, Material, PAWN, QUEEN, ROOK};
use seen::{Man, Seen};
use tabia_core::{Index, Slice, Spot, Successor, sort_many_by_key};

/// Most men that any slice has.
const MOST_MEN: u32 = 5;
/// The pieces in the order of slices.
const KINDS: [(Piece, u8); 5] = [
    (Piece::Queen, QUEEN),
    (Piece::Rook, ROOK),
    (Piece::Bishop, BISHOP),
    (Piece::Knight, KNIGHT),
    (Piece::Pawn, PAWN),
];

impl Index for Chess {
    /// By men (captures lead to fewer) and then by pawns (promotions lead to fewer). A slice and the one with the
    /// sides exchanged lead to each other.
    fn slice_groups(&self, pieces: u32) -> Vec<Vec<Slice>> {
        let mut groups = Vec::new();
        for men in 2..=pieces.min(MOST_MEN) {
            let mut all = Material::with_men(men);
            sort_many_by_key(&mut all, |material| (material.pawns(), *material));
            groups.extend(all.into_iter().filter(|m| *m <= m.turned()).map(group));
        }
        groups
    }

    fn groups_for(&self, slice: Slice) -> Vec<Vec<Slice>> {
        let Some(material) = Material::of(slice) else { return Vec::new() };
        let needed = material.leads_to();
        let mut groups = self.slice_groups(material.men());
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
        Material::of(slice).map_or(0, Material::men)
    }

    fn slice_len(&self, slice: Slice) -> u64 {
        Material::of(slice).map_or(0, Material::len)
    }

    fn is_gap(&self, spot: Spot) -> bool {
        spot.index < self.slice_len(spot.slice) && seen_at(spot).is_none()
    }

    #[inline]
    fn locate(&self, state: &State) -> Option<Spot> {
        // Nearly all positions of a search end here.
        if state.board().occupied().len() > MOST_MEN {
            return None;
        }
        let spot = seen(state)?.spot()?;
        Material::of(spot.slice).map(|_| spot)
    }

    fn position(&self, spot: Spot) -> Option<State> {
        let seen = seen_at(spot)?;
        let mut builder = BoardBuilder::empty();
        let mut put = |square: u8, piece: Piece, own: bool| {
            let color = if own { Color::White } else { Color::Black };
            builder.put(Square::wrapped(usize::from(square)), Some((piece, color)));
        };
        put(seen.kings[0], Piece::King, true);
        put(seen.kings[1], Piece::King, false);
        for man in seen.men() {
            let piece = KINDS.iter().find(|(_, kind)| *kind == man.kind)?.0;
            put(man.square, piece, man.own);
        }
        builder.en_passant = seen.stepped.map(|square| Square::wrapped(usize::from(square + 8)));
        State::from_builder(&builder).ok()
    }

    fn successors(&self, spot: Spot, out: &mut Vec<Successor>) {
        let Some(seen) = seen_at(spot) else { return };
        seen.each_move(|next| out.push(next.spot().map_or(Successor::Outside, Successor::At)));
    }

    fn predecessors(&self, spot: Spot, out: &mut Vec<Spot>) {
        let Some(seen) = seen_at(spot) else { return };
        seen.each_before(|before| out.extend(before.spot()));
    }
}

/// The slices that lead to each other.
fn group(material: Material) -> Vec<Slice> {
    let mut all = vec![material.slice()];
    if material != material.turned() {
        all.push(material.turned().slice());
    }
    if material.pawns_of_both() {
        all.extend(
            all.clone().iter().filter_map(|slice| Material::of(*slice)).map(|m| m.with_en_passant().slice()),
        );
    }
    all
}

/// The position at a number; `None` at a gap.
fn seen_at(spot: Spot) -> Option<Seen> {
    let seen = Material::of(spot.slice)?.men_at(spot.index)?;
    (seen.is_position() && (!seen.may_be_mirrored() || seen.spot() == Some(spot))).then_some(seen)
}

/// A position of few men as the side to move sees it; `None` where somebody may castle.
fn seen(state: &State) -> Option<Seen> {
    let board = state.board();
    if state.can_still_castle() || board.occupied().len() as usize > 2 + MOST {
        return None;
    }
    let white = board.side_to_move() == Color::White;
    let as_seen = |square: Square| square as u8 ^ if white { 0 } else { 56 };
    let (own, other) = if white { (Color::White, Color::Black) } else { (Color::Black, Color::White) };
    let mut seen = Seen::of_kings([as_seen(board.king(own)), as_seen(board.king(other))]);
    for (piece, kind) in KINDS {
        for square in board.pieces(piece) {
            let own = board.colors(own).has(square);
            seen.push(Man { own, kind, square: as_seen(square) });
        }
    }
    seen.stepped = state.en_passant().map(|file| 32 + file as u8);
    Some(seen)
}
