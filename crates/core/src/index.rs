//! Numbering positions, and asking for exact values: the vocabulary of tablebases.
//!
//! A *slice* is a family of positions that belong together (the same material, say). An index gives
//! each position of a slice, up to the game's symmetries, a number from 0 with no or few gaps, so that a
//! table needs no keys: a value stands at its number.

use crate::{Game, Value};
use std::ops::Range;

/// A family of positions; what the number means is the game's own affair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slice(pub u32);

/// A place in a tablebase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    /// The family.
    pub slice: Slice,
    /// The number in the family.
    pub index: u64,
}

/// Where a move leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Successor {
    /// To a position with a place in the tables.
    At(Spot),
    /// To the end of the game, with this value for the side that would be to move.
    Over(Value),
    /// Out of everything the index covers.
    Outside,
}

/// Games some of whose positions can be numbered.
///
/// The two players must move in turn. Every position of a slice has one number, symmetric positions
/// have the same, and every number below [`Index::slice_len`] stands for a position, or is said to be a gap.
pub trait Index: Game {
    /// All slices with at most `pieces` pieces in the order of building. The slices of one group can
    /// lead to each other; apart from that they lead only to earlier groups or to the end of the game.
    fn slice_groups(&self, pieces: u32) -> Vec<Vec<Slice>>;

    /// The groups that the values of a slice follow from, its own included, in the order of building. By default all with
    /// as many pieces.
    fn groups_for(&self, slice: Slice) -> Vec<Vec<Slice>> {
        self.slice_groups(self.slice_pieces(slice))
    }

    /// The name of a slice in files and on the command line: stable, unique, fit for a file name.
    fn slice_name(&self, slice: Slice) -> String;

    /// The slice with a name.
    fn slice_named(&self, name: &str) -> Option<Slice>;

    /// The number of pieces in the positions of a slice.
    fn slice_pieces(&self, slice: Slice) -> u32;

    /// How many numbers a slice has: its positions, and its gaps if there are any.
    fn slice_len(&self, slice: Slice) -> u64;

    /// Whether a number below [`Index::slice_len`] stands for no position. A numbering without gaps, as it is by
    /// default, makes smaller tables; one with gaps can be much simpler.
    fn is_gap(&self, _spot: Spot) -> bool {
        false
    }

    /// The place of a position; `None` when no slice has it.
    fn locate(&self, state: &Self::State) -> Option<Spot>;

    /// The position at a place; `None` when there is no such place.
    fn position(&self, spot: Spot) -> Option<Self::State>;

    /// Appends where each legal move leads, from a place. Nothing is appended where the game is over.
    ///
    /// By default through [`Index::position`]; a game overrides it to be faster.
    fn successors(&self, spot: Spot, out: &mut Vec<Successor>) {
        let Some(state) = self.position(spot) else { return };
        let mut moves = Vec::new();
        self.moves(&state, &mut moves);
        for mv in moves {
            let mut next = state.clone();
            self.play(&mut next, mv);
            out.push(match (self.locate(&next), self.settled(&next)) {
                (Some(spot), _) => Successor::At(spot),
                (None, Some(outcome)) => Successor::Over(outcome.value_for(self.side(&next))),
                (None, None) => Successor::Outside,
            });
        }
    }

    /// Appends each place of the same group from which one legal move leads to `spot`, once for every
    /// such move.
    fn predecessors(&self, spot: Spot, out: &mut Vec<Spot>);
}

/// Why a source of values could not be read.
pub type ProbeError = Box<dyn std::error::Error + Send + Sync>;

/// A source of exact values: a table in memory, a file, a folder of files.
pub trait Probe<G: Game>: Send + Sync {
    /// The exact value for the side to move; `None` when the source does not have the position.
    ///
    /// A source that knows who wins but not how soon answers `Win(0)` or `Loss(0)` for positions
    /// that are not over, and says so in [`Probe::has_distances`].
    fn probe(&self, state: &G::State) -> Option<Value>;

    /// The same for whoever passes the answer on: a source that cannot be read (a damaged file) says so, where
    /// [`Probe::probe`] has no answer.
    fn try_probe(&self, state: &G::State) -> Result<Option<Value>, ProbeError> {
        Ok(self.probe(state))
    }

    /// What is wrong with the source, once [`Probe::probe`] has met a part that cannot be read.
    fn fault(&self) -> Option<String> {
        None
    }

    /// Whether the distances in the answers are exact.
    fn has_distances(&self) -> bool {
        true
    }
}

/// Who wins, without how soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Verdict {
    /// Nobody.
    Draw = 0,
    /// Not the side to move.
    Loss = 1,
    /// The side to move.
    Win = 2,
}

/// What the first look at a position tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Its moves out of the block decide it.
    Decided(Verdict),
    /// It has so many moves inside the block, and none out of it wins.
    Open {
        /// How many.
        inside: u8,
        /// Whether a move out of the block draws.
        safe: bool,
    },
}

/// The two halves of a block: the same pieces with either side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halves {
    /// Where each half begins.
    pub first: [Spot; 2],
    /// How many there are: one where both would be the same positions.
    pub count: usize,
    /// The positions of a half.
    pub len: usize,
}

/// Games whose endings can be solved level by level.
///
/// Some moves can be taken back (a king's), some cannot (a man's). Positions that lead to each other by moves
/// of the first sort are a *block*, and each of its halves lies in one piece of a slice. Moves of the second
/// sort lead to a block of an earlier *level* in a group of the same layer, to an earlier layer, or to the end of the
/// game: so all blocks of a level, in whichever group of the layer, are independent of each other, and each is
/// solved with everything around it known.
pub trait Levels: Index {
    /// A block, with what is worked out once for all its positions.
    type Block;

    /// The most pieces that a game can do this for.
    fn most_pieces(&self) -> u32;

    /// The groups of [`Index::slice_groups`] for up to [`Levels::most_pieces`] in their order, those of one layer solved
    /// side by side.
    fn layers(&self, pieces: u32) -> Vec<Vec<Vec<Slice>>>;

    /// The blocks of a group as the game numbers them, level by level in the order of solving. The levels of all groups
    /// of a layer are counted alike, so some of a group may be empty.
    fn levels(&self, group: &[Slice]) -> Vec<Vec<u32>>;

    /// A block of a group.
    fn block(&self, group: &[Slice], number: u32) -> Self::Block;

    /// Where the positions of a block are.
    fn halves(&self, block: &Self::Block) -> Halves;

    /// Looks at some positions of a half in order. `value` answers for places outside the block, from the view of
    /// the side that moves there.
    fn look(
        &self,
        block: &Self::Block,
        half: usize,
        places: Range<usize>,
        value: impl FnMut(Spot) -> Verdict,
        each: impl FnMut(Look),
    );

    /// The positions of the other half (of the only one) from which a move inside the block leads to a position:
    /// their numbers in their half, once for each move. Positions that [`Levels::look`] has decided may be among
    /// them.
    fn tell(&self, block: &Self::Block, half: usize, at: usize, each: impl FnMut(usize));
}
