//! One group of slices that lead to each other, backwards from what is known.
//!
//! A first sweep looks at every position: what its moves to other groups are worth is known already.
//! Then, ply by ply, the positions decided in `n` plies tell their predecessors inside the group. A win
//! found through another group is provisional until the plies have come that far: a quicker one may turn
//! up inside.

use super::memory::Memory;
use crate::code;
use crate::error::SolveError;
use crate::stage::Stage;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};
use tabia_core::{Index, Slice, Spot, Successor, Work, trust};

const CHUNK: usize = 8192;
/// Beside the lane of the whole build.
const GROUP_LANE: usize = 1;
/// A position that cannot be lost: it has a win or a draw elsewhere.
const SAFE: u8 = u8::MAX;

/// A group being solved; its slices lie one after the other.
pub(super) struct Group<'a, G> {
    game: &'a G,
    known: &'a Memory,
    /// Each slice, and where it begins.
    slices: Vec<(Slice, usize)>,
    values: Vec<AtomicU16>,
    /// Moves inside the group not yet known to lose.
    open: Vec<AtomicU8>,
    /// The largest distance set in each chunk: later plies can skip it.
    deepest: Vec<AtomicU16>,
}

/// What the moves of a position to other groups are worth.
#[derive(Default)]
struct Elsewhere {
    inside: u32,
    win: Option<u16>,
    draw: bool,
    /// The longest resistance among moves that lose, in plies from here.
    loss: Option<u16>,
}

/// One thread's buffers.
#[derive(Default)]
struct Scratch {
    successors: Vec<Successor>,
    predecessors: Vec<Spot>,
}

impl<'a, G: Index> Group<'a, G> {
    pub(super) fn new(game: &'a G, known: &'a Memory, slices: &[Slice]) -> Self {
        let mut len = 0;
        let mut place = |slice: &Slice| {
            let start = len;
            len += game.slice_len(*slice) as usize;
            (*slice, start)
        };
        let slices = slices.iter().map(&mut place).collect();
        let zeros = |n| std::iter::repeat_with(AtomicU16::default).take(n).collect();
        let open = std::iter::repeat_with(AtomicU8::default).take(len).collect();
        Group { game, known, slices, values: zeros(len), open, deepest: zeros(len.div_ceil(CHUNK)) }
    }

    /// Solves the group, told about in a lane of its own; the codes of its slices in order.
    pub(super) fn solve(self, name: &str, work: &Work<'_>) -> Result<Vec<Vec<u16>>, SolveError> {
        let stage = |name, len| Stage::new(work, name, Some(len as u64)).in_lane(GROUP_LANE);
        stage(name.to_owned(), self.values.len()).share(
            self.values.len(),
            CHUNK,
            Scratch::default,
            |scratch, mut range| {
                range.try_for_each(|position| self.look(scratch, position))?;
                Ok(trust::check(self.game)?)
            },
        )?;
        for plies in 0..=code::LONGEST {
            let live: Vec<usize> =
                (0..self.deepest.len()).filter(|&c| self.deepest[c].load(Relaxed) >= plies).collect();
            if live.is_empty() {
                break;
            }
            self.sweep_chunks(plies, &live, &stage(format!("{name}, plies {plies}"), live.len()))?;
        }
        let mut codes: Vec<u16> = self.values.into_iter().map(AtomicU16::into_inner).collect();
        let mut parts: Vec<Vec<u16>> =
            self.slices.iter().rev().map(|(_, start)| codes.split_off(*start)).collect();
        parts.reverse();
        Ok(parts)
    }

    /// Visits the positions decided in `plies`, in the chunks where there may be any.
    fn sweep_chunks(&self, plies: u16, live: &[usize], stage: &Stage<'_>) -> Result<(), SolveError> {
        let (win, loss) = (code::win(plies), code::loss(plies));
        stage.share(live.len(), 1, Scratch::default, |scratch, range| {
            for chunk in &live[range] {
                let end = self.values.len().min((chunk + 1) * CHUNK);
                for position in chunk * CHUNK..end {
                    let code = self.values[position].load(Relaxed);
                    if code == win || code == loss {
                        self.tell(scratch, position, code)?;
                    }
                }
            }
            Ok(trust::check(self.game)?)
        })?;
        Ok(())
    }

    fn spot(&self, position: usize) -> Spot {
        let at = self.slices.partition_point(|(_, start)| *start <= position) - 1;
        let (slice, start) = self.slices[at];
        Spot { slice, index: (position - start) as u64 }
    }

    #[inline]
    fn place(&self, spot: Spot) -> Option<usize> {
        let (_, start) = self.slices.iter().find(|(slice, _)| *slice == spot.slice)?;
        Some(start + spot.index as usize)
    }

    fn set(&self, position: usize, code: u16) {
        self.values[position].store(code, Relaxed);
        self.deepest[position / CHUNK].fetch_max(code::distance(code), Relaxed);
    }

    /// The first look at a position.
    fn look(&self, scratch: &mut Scratch, position: usize) -> Result<(), SolveError> {
        let spot = self.spot(position);
        scratch.successors.clear();
        self.game.successors(spot, &mut scratch.successors);
        if scratch.successors.is_empty() {
            self.open[position].store(SAFE, Relaxed);
            if self.game.is_gap(spot) {
                self.values[position].store(code::UNKNOWN, Relaxed);
                return Ok(());
            }
            let code = self.finished(spot)?;
            if code != code::DRAW {
                self.set(position, code);
            }
            return Ok(());
        }
        let elsewhere = self.elsewhere(spot, &scratch.successors)?;
        let mut open = SAFE;
        if let Some(plies) = elsewhere.win {
            self.set(position, code::win(plies));
        } else if elsewhere.inside == 0 && !elsewhere.draw {
            self.set(position, code::loss(elsewhere.loss.unwrap_or(0)));
        } else if !elsewhere.draw {
            open = u8::try_from(elsewhere.inside).ok().filter(|n| *n < SAFE).ok_or_else(|| {
                let moves = elsewhere.inside;
                self.contradiction(format!("{} has {moves} moves, too many for the tables", self.name(spot)))
            })?;
        }
        self.open[position].store(open, Relaxed);
        Ok(())
    }

    fn finished(&self, spot: Spot) -> Result<u16, SolveError> {
        let wrong = |what: &str| self.contradiction(format!("{} {what}", self.name(spot)));
        let state = self.game.position(spot).ok_or_else(|| wrong("is no position"))?;
        let outcome = self.game.outcome(&state).ok_or_else(|| wrong("has no moves but is not over"))?;
        Ok(code::encode(outcome.value_for(self.game.side(&state))))
    }

    fn contradiction(&self, what: String) -> SolveError {
        trust::contradiction(self.game, what).into()
    }

    /// A place in words.
    fn name(&self, spot: Spot) -> String {
        format!("number {} of {}", spot.index, self.game.slice_name(spot.slice))
    }

    fn elsewhere(&self, spot: Spot, successors: &[Successor]) -> Result<Elsewhere, SolveError> {
        let mut sum = Elsewhere::default();
        for successor in successors {
            let code = match *successor {
                Successor::At(next) if self.place(next).is_some() => {
                    sum.inside += 1;
                    continue;
                }
                Successor::At(next) => self.known.get(next),
                Successor::Over(value) => Some(code::encode(value)),
                Successor::Outside => None,
            };
            let code = code.ok_or_else(|| {
                let what = format!("{} leads to {successor:?}, which is not built yet", self.name(spot));
                self.contradiction(what)
            })?;
            let here = code::one_ply_earlier(code, false).ok_or(SolveError::TooLong)?;
            let plies = code::distance(here);
            if here == code::DRAW {
                sum.draw = true;
            } else if code::is_win(here) {
                sum.win = Some(sum.win.map_or(plies, |known| known.min(plies)));
            } else {
                sum.loss = Some(sum.loss.map_or(plies, |known| known.max(plies)));
            }
        }
        Ok(sum)
    }

    /// Tells the predecessors of a position that it is decided.
    fn tell(&self, scratch: &mut Scratch, position: usize, code: u16) -> Result<(), SolveError> {
        let decided = code::one_ply_earlier(code, false).ok_or(SolveError::TooLong)?;
        let Scratch { successors, predecessors } = scratch;
        predecessors.clear();
        self.game.predecessors(self.spot(position), predecessors);
        for before in predecessors.iter() {
            let Some(place) = self.place(*before) else { continue };
            if code::is_win(decided) {
                let known = self.values[place].load(Relaxed);
                if known == code::DRAW || code::is_win(known) && known > decided {
                    self.set(place, decided);
                }
            } else if self.count_off(place, *before)? {
                // The last hope inside is gone; a move elsewhere may hold out longer.
                successors.clear();
                self.game.successors(*before, successors);
                let elsewhere = self.elsewhere(*before, successors)?;
                self.set(place, decided.max(code::loss(elsewhere.loss.unwrap_or(0))));
            }
        }
        Ok(())
    }

    /// One more move of a position is known to lose; whether it was the last inside the group.
    fn count_off(&self, place: usize, spot: Spot) -> Result<bool, SolveError> {
        if self.open[place].load(Relaxed) == SAFE {
            return Ok(false);
        }
        match self.open[place].fetch_sub(1, Relaxed) {
            0 => {
                let what = format!("{} is a predecessor more often than it has moves", self.name(spot));
                Err(self.contradiction(what))
            }
            open => Ok(open == 1),
        }
    }
}
