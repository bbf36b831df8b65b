//! The positions that can be reached: all of them while there is room, then a part that is picked by chance.
//!
//! Up to some ply every position is kept. Beyond it, only those are kept whose hash falls into one of many equal parts,
//! chosen by the seed; *all* of these are found, by looking at every line that leads on from the last full ply. Their
//! number times the number of parts estimates the whole without bias, and the error is that of picking each position
//! with a fixed chance. What was met at an earlier ply is recognised, because picking depends on the position alone.

use super::Subject;
use super::figures::{Reading, Unit};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use tabia_core::rng::mix;
use tabia_core::{Game, Packed, Present, Work, trust};

/// Positions kept for each unit of effort.
const ROOM: u64 = 100_000;
/// Positions generated beyond the last full ply, for each unit of effort.
const BEYOND: u64 = 2_000_000;
/// Positions of a ply that are picked, about.
const PICKED: u64 = 50_000;

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Counted {
    /// Units of effort.
    pub(super) units: u64,
    /// Positions first met at each ply, up to symmetry.
    pub(super) exact: Vec<u64>,
    /// Whether these are all.
    pub(super) complete: bool,
    /// Positions picked at each ply after these, and one in how many was.
    pub(super) picked: Vec<(u64, u64)>,
    /// All positions without regard to symmetry, where they were few enough.
    pub(super) plain: Option<u64>,
}

impl Counted {
    /// The positions first met at a ply.
    pub(super) fn at(&self, ply: usize) -> Option<Reading> {
        if let Some(&positions) = self.exact.get(ply) {
            return Some(Reading::exact(positions as f64, Unit::Count));
        }
        let &(seen, part) = self.picked.get(ply - self.exact.len())?;
        Some(Reading::sampled(seen, part))
    }
}

/// Counts with so many units of effort; `None` when stopped.
pub(super) fn count<G: Present>(
    subject: &Subject<'_, G>,
    units: u64,
    seed: u64,
    work: &Work<'_>,
) -> Result<Option<Counted>, trust::GameError> {
    let (room, beyond) = (units.saturating_mul(ROOM), units.saturating_mul(BEYOND));
    count_within(subject, room, beyond, None, seed, work)
        .map(|counted| counted.map(|counted| Counted { units, ..counted }))
}

/// The same with all limits given: positions kept, positions generated beyond, and one in how many is picked.
pub(super) fn count_within<G: Present>(
    subject: &Subject<'_, G>,
    room: u64,
    beyond: u64,
    part: Option<u64>,
    seed: u64,
    work: &Work<'_>,
) -> Result<Option<Counted>, trust::GameError> {
    let rules = &subject.rules;
    let canonical = |state: &G::State| rules.pack_canonical(state);
    let Some(mut full) = Full::explore(rules, &subject.start, room, &canonical, work)? else {
        return Ok(None);
    };
    let mut counted = Counted { exact: full.levels.clone(), complete: full.complete, ..Counted::default() };
    if full.complete && !rules.packs_canonically() {
        let all = Full::explore(rules, &subject.start, room.saturating_mul(16), &|s| rules.pack(s), work)?;
        let Some(all) = all else { return Ok(None) };
        counted.plain = all.complete.then(|| all.levels.iter().sum());
    }
    if !full.complete && !full.beyond(rules, &mut counted, beyond, part, seed, work)? {
        return Ok(None);
    }
    Ok(Some(counted))
}

/// Every position up to a ply.
struct Full<P> {
    seen: FxHashSet<P>,
    frontier: Vec<P>,
    levels: Vec<u64>,
    complete: bool,
}

impl<P: Packed> Full<P> {
    /// Explores ply by ply while the next one is likely to fit.
    fn explore<G: Game<Packed = P>>(
        rules: &G,
        start: &G::State,
        room: u64,
        code: &dyn Fn(&G::State) -> P,
        work: &Work<'_>,
    ) -> Result<Option<Self>, trust::GameError> {
        let first = code(start);
        let mut full = Full {
            seen: FxHashSet::from_iter([first]),
            frontier: vec![first],
            levels: vec![1],
            complete: false,
        };
        let mut moves = Vec::new();
        loop {
            let growth = match full.levels.as_slice() {
                [.., before, last] => (*last as f64 / *before as f64).max(1.0),
                _ => 1.0,
            };
            if full.seen.len() as f64 + full.frontier.len() as f64 * growth > room as f64 {
                return Ok(Some(full));
            }
            let mut next = Vec::new();
            for packed in &full.frontier {
                if work.is_stopped() {
                    return Ok(None);
                }
                let state = trust::unpack(rules, packed)?;
                moves.clear();
                rules.moves(&state, &mut moves);
                for &mv in &moves {
                    let mut child = state.clone();
                    rules.play(&mut child, mv);
                    let child = code(&child);
                    if full.seen.insert(child) {
                        next.push(child);
                    }
                }
            }
            if next.is_empty() {
                full.complete = true;
                return Ok(Some(full));
            }
            full.levels.push(next.len() as u64);
            full.frontier = next;
            work.report("positions", full.seen.len() as u64, None);
        }
    }

    /// Counts picked positions of the plies after the last full one, for as long as the limit allows; whether it was
    /// not stopped.
    fn beyond<G: Game<Packed = P>>(
        &mut self,
        rules: &G,
        counted: &mut Counted,
        limit: u64,
        part: Option<u64>,
        seed: u64,
        work: &Work<'_>,
    ) -> Result<bool, trust::GameError> {
        let frontier = std::mem::take(&mut self.frontier);
        let mut choices = 0;
        for packed in &frontier {
            choices += rules.count_moves(&trust::unpack(rules, packed)?);
        }
        let branching = choices as f64 / frontier.len().max(1) as f64;
        let (mut expected, mut lines, mut one_in) = (frontier.len() as f64, frontier.len() as f64, 1);
        let mut picked = FxHashSet::default();
        for depth in 1.. {
            (lines, expected) = (lines * branching, expected * branching);
            if lines > limit as f64 || lines < 1.0 {
                break;
            }
            // Parts lie within each other, so that what was picked before is recognised.
            let wanted = part.unwrap_or_else(|| (expected as u64 / PICKED).max(1).next_power_of_two());
            one_in = wanted.max(one_in);
            let (full, earlier, found) = (&self.seen, &picked, FxHashSet::default());
            let mut walk = Walk { rules, full, earlier, one_in, seed, found };
            for (done, packed) in frontier.iter().enumerate() {
                if work.is_stopped() {
                    return Ok(false);
                }
                if done % 1000 == 0 {
                    work.report(
                        format!("positions {depth} beyond"),
                        done as u64,
                        Some(frontier.len() as u64),
                    );
                }
                walk.on(&trust::unpack(rules, packed)?, depth);
            }
            let found = walk.found;
            if found.is_empty() {
                break;
            }
            counted.picked.push((found.len() as u64, one_in));
            expected = (found.len() as u64 * one_in) as f64;
            picked.extend(found);
        }
        Ok(true)
    }
}

/// All lines of a length from one position after the other.
struct Walk<'a, G: Game> {
    rules: &'a G,
    /// Every position of the full plies.
    full: &'a FxHashSet<G::Packed>,
    /// What was picked at the plies between.
    earlier: &'a FxHashSet<G::Packed>,
    /// One position in so many is picked.
    one_in: u64,
    seed: u64,
    found: FxHashSet<G::Packed>,
}

impl<G: Game> Walk<'_, G> {
    fn on(&mut self, state: &G::State, depth: u32) {
        let mut moves = Vec::new();
        self.rules.moves(state, &mut moves);
        for mv in moves {
            let mut child = state.clone();
            self.rules.play(&mut child, mv);
            let packed = self.rules.pack_canonical(&child);
            // What was met so early leads nowhere that is new at this ply.
            if self.full.contains(&packed) {
                continue;
            }
            if depth > 1 {
                self.on(&child, depth - 1);
            } else if self.is_picked(&packed) && !self.earlier.contains(&packed) {
                self.found.insert(packed);
            }
        }
    }

    fn is_picked(&self, packed: &G::Packed) -> bool {
        let hash = packed.as_bytes().chunks(8).fold(mix(self.seed), |hash, bytes| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            mix(hash ^ u64::from_le_bytes(word))
        });
        hash.is_multiple_of(self.one_in)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::Position;
    use tabia_core::enumerate::{EnumerateOptions, enumerate};

    /// Counts with little room under many seeds, beside all positions; how many intervals hold the true number, of all.
    fn coverage<G: Present>(rules: G, room: u64, beyond: u64, part: u64) -> (u32, u32) {
        let start = Position { state: rules.start(), rules: rules.clone() };
        let subject = Subject::new(start, None);
        let work = Work::unwatched(1);
        let depth = Some(12);
        let options = EnumerateOptions { symmetry: true, depth };
        let all = enumerate(&rules, &rules.start(), options, &work, |_| ()).unwrap().levels;
        let (mut held, mut asked) = (0, 0);
        for seed in 0..25 {
            let counted = count_within(&subject, room, beyond, Some(part), seed, &work).unwrap().unwrap();
            assert!(!counted.complete && !counted.picked.is_empty(), "{counted:?}");
            for (level, &exact) in all.iter().zip(&counted.exact) {
                assert_eq!(level.positions, exact);
            }
            for level in all.iter().skip(counted.exact.len()).take(counted.picked.len()) {
                let reading = counted.at(level.ply as usize).unwrap();
                asked += 1;
                held += u32::from(reading.covers(level.positions as f64));
            }
        }
        (held, asked)
    }

    #[test]
    fn estimates_cover_what_is_known_about_as_often_as_they_say() {
        let counts = [
            coverage(tabia_tic_tac_toe::TicTacToe, 60, 30_000, 4),
            coverage(tabia_five_visible::FiveVisible::default(), 100, 20_000, 4),
            coverage(tabia_solitaire::Solitaire::default(), 60, 20_000, 4),
        ];
        for (held, asked) in counts {
            assert!(asked >= 25 && held * 100 >= asked * 88, "{held} of {asked}: {counts:?}");
        }
    }

    #[test]
    fn with_room_enough_everything_is_counted() {
        let rules = tabia_five_visible::FiveVisible::default();
        let subject = Subject::new(Position { state: rules.start(), rules }, None);
        let counted = count_within(&subject, 1_000_000, 0, None, 0, &Work::unwatched(1)).unwrap().unwrap();
        let all = enumerate(
            &subject.rules,
            &subject.start,
            EnumerateOptions { symmetry: true, depth: None },
            &Work::unwatched(1),
            |_| (),
        );
        let levels: Vec<u64> = all.unwrap().levels.iter().map(|level| level.positions).collect();
        assert!(counted.complete);
        assert_eq!(counted.exact, levels);
    }
}
