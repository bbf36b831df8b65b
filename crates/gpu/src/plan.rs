//! What a build will take of the GPU's memory, worked out before it begins.

use crate::error::GpuError;
use crate::material::{Material, choose};
use tabia_core::{Index, Slice};
use tabia_draughts::Draughts;

/// The most pieces that the kernels can number.
pub const MOST_PIECES: u32 = 8;
/// The positions of a batch; a block with more is a batch of its own.
const BATCH: u64 = 1 << 26;

/// What is kept, and how much room that takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The most pieces.
    pub pieces: u32,
    /// The most pieces of one side.
    pub side: u32,
    /// Whether distances are worked out.
    pub distances: bool,
    /// Whether all slices stay; else those of the most pieces go once nothing leads to them any more.
    pub keep: bool,
    /// Whether every value is worked out again once its group is done.
    pub check: bool,
    /// Positions in all slices.
    pub positions: u64,
    /// Bytes of the GPU's memory at the worst moment.
    pub bytes: u64,
}

impl Plan {
    /// The plan for all slices of up to `pieces` pieces, at most `side` of one side.
    pub fn new(pieces: u32, side: u32, distances: bool, keep: bool) -> Result<Plan, GpuError> {
        if !(2..=MOST_PIECES).contains(&pieces) {
            return Err(GpuError::Pieces(pieces));
        }
        let plan = Plan { pieces, side, distances, keep, check: false, positions: 0, bytes: 0 };
        let materials: Vec<Material> = plan.groups().flatten().map(Material::of).collect();
        let all = || materials.iter();
        let of = |wanted: &dyn Fn(&Material) -> bool| -> u64 {
            all().filter(|material| wanted(material)).map(|material| bytes_of(*material, distances)).sum()
        };
        let below = of(&|material| material.pieces() < pieces);
        let pair = |men: u32| of(&|m| m.pieces() == pieces && (m.all_men() == men || m.all_men() + 1 == men));
        let top =
            if keep { of(&|m| m.pieces() == pieces) } else { (0..=pieces).map(pair).max().unwrap_or(0) };
        let placements = all().map(|material| material.placements()).max().unwrap_or(0);
        let sets: u64 = (0..pieces).map(|size| choose(32, size)).sum();
        let batch = plan.batch_len() * if distances { 10 } else { 5 };
        Ok(Plan {
            positions: all().map(|material| material.positions()).sum(),
            // A little more than is counted: the driver rounds up.
            bytes: below + top + 16 * placements + 4 * sets + batch + (64 << 20),
            ..plan
        })
    }

    /// The groups of slices in the order of building.
    pub(crate) fn groups(&self) -> impl Iterator<Item = Vec<Slice>> + use<> {
        let side = self.side;
        let fits = move |slice: &Slice| {
            let material = Material::of(*slice);
            material.men + material.kings <= side && material.other_men + material.other_kings <= side
        };
        Draughts::default().slice_groups(self.pieces).into_iter().filter(move |group| group.iter().all(fits))
    }

    /// The most positions that a batch can have.
    pub(crate) fn batch_len(&self) -> u64 {
        let blocks = self.groups().flatten().map(|slice| 2 * Material::of(slice).king_ways());
        BATCH.max(blocks.max().unwrap_or(0)).next_multiple_of(16)
    }

    /// Refuses what does not fit, and says how many pieces would.
    pub(crate) fn check(&self, free: u64) -> Result<(), GpuError> {
        if self.bytes <= free {
            return Ok(());
        }
        let fits = |pieces: &u32| {
            Plan::new(*pieces, self.side, self.distances, self.keep).is_ok_and(|plan| plan.bytes <= free)
        };
        let fitting = (2..self.pieces).rev().find(fits).unwrap_or(0);
        Err(GpuError::Memory { pieces: self.pieces, needed: self.bytes, free, fitting })
    }
}

/// Words of sixteen positions, and one byte a position with distances.
pub(crate) fn bytes_of(material: Material, distances: bool) -> u64 {
    let positions = material.positions().next_multiple_of(16);
    positions / 4 + if distances { positions } else { 0 }
}

/// How many blocks a batch has.
pub(crate) fn blocks_in_batch(king_ways: u64) -> u32 {
    (BATCH / 2 / king_ways.max(1)).max(1) as u32
}
