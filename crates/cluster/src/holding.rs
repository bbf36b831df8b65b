//! A shard that a worker owns: what it knows, what has come, what is to be expanded; in memory, or in files where that
//! is too small.

use crate::codec::{keys, put_key, put_number, shorts, take_bytes, take_key, take_number};
use crate::edges::{self, Edges, Source};
use crate::error::ClusterError;
use crate::level::Section;
use crate::pages::Pages;
use crate::runs::{Known, Pending, Run, ranks};
use tabia_core::{Packed, sort_many};

/// What is remembered of each child and of each position: nothing where positions are counted, where they came from and
/// their numbers where they are solved.
pub(crate) trait Memory: Send + 'static {
    /// What comes with a child.
    type Trace: Copy + Send;
    /// What is known of a position.
    type Number: Copy + Send;
    /// Whether there is anything.
    const SOLVING: bool;
    fn trace(source: Source) -> Self::Trace;
    fn source(trace: Self::Trace) -> [u8; 6];
    fn number(number: u32) -> Self::Number;
    fn get(number: Self::Number) -> u32;
}

/// Positions are counted.
pub(crate) struct Counting;

impl Memory for Counting {
    type Trace = ();
    type Number = ();
    const SOLVING: bool = false;
    fn trace(_: Source) {}
    fn source((): ()) -> [u8; 6] {
        [0; 6]
    }
    fn number(_: u32) {}
    fn get((): ()) -> u32 {
        0
    }
}

/// Positions are solved.
pub(crate) struct Solving;

impl Memory for Solving {
    type Trace = [u8; 6];
    type Number = u32;
    const SOLVING: bool = true;
    fn trace(source: Source) -> [u8; 6] {
        source.to_bytes()
    }
    fn source(trace: [u8; 6]) -> [u8; 6] {
        trace
    }
    fn number(number: u32) -> u32 {
        number
    }
    fn get(number: u32) -> u32 {
        number
    }
}

/// The number of a position that has none yet.
const NEW: u32 = u32::MAX;

/// A shard that this worker owns.
pub(crate) struct Shard<P, M: Memory> {
    pub(crate) number: usize,
    known: Known<P, M::Number>,
    pending: Pending<P, M::Trace>,
    /// The level to expand, in the order of the numbers; empty while it is in a file.
    frontier: Vec<P>,
    /// Positions of that level.
    waiting: usize,
    /// Positions before it.
    before: u32,
    /// What solving needs of all levels.
    kept: Kept,
    /// Bytes of the edges that the last level found.
    last_edges: usize,
}

/// What solving needs of a shard. Its keys are bytes here: the way back, which has no
/// use for them, is the same for all games.
pub(crate) struct Kept {
    pub(crate) number: usize,
    /// The keys of each level, unless they are in files.
    pub(crate) levels: Vec<Vec<u8>>,
    /// How many each level has.
    pub(crate) lens: Vec<usize>,
    /// The edges that each level found, unless they are in files.
    pub(crate) edges: Vec<Vec<u8>>,
    /// The values of what was expanded, known where the game is over; those that are not in files yet.
    pub(crate) codes: Vec<u16>,
    /// The children of each that was expanded; those that are not in files yet.
    pub(crate) degrees: Vec<u16>,
    /// The files, once there are some.
    pub(crate) pages: Option<Pages>,
}

impl Kept {
    /// The keys of all levels, from wherever they are.
    pub(crate) fn all_levels<P: Packed>(&self) -> Result<Vec<Vec<P>>, ClusterError> {
        let Some(pages) = &self.pages else {
            return self.levels.iter().map(|level| keys(level).ok_or_else(broken)).collect();
        };
        let bytes = pages.read("levels")?;
        let mut rest = &bytes[..];
        let mut level = |len: &usize| (0..*len).map(|_| take_key(&mut rest)).collect::<Option<Vec<P>>>();
        let levels = self.lens.iter().map(&mut level).collect::<Option<Vec<_>>>();
        levels.ok_or_else(|| pages.damaged("levels"))
    }

    /// Brings all values into memory.
    pub(crate) fn bring_values(&mut self) -> Result<(), ClusterError> {
        if let Some(pages) = &self.pages {
            (self.codes, self.degrees) = (shorts(&pages.read("codes")?), shorts(&pages.read("degrees")?));
        }
        Ok(())
    }

    /// Values that were brought are not needed any more; those that have changed go back to their files.
    pub(crate) fn put_values_back(&mut self, changed: bool) -> Result<(), ClusterError> {
        let Some(pages) = self.pages.as_ref() else { return Ok(()) };
        if changed {
            pages.write("codes", &bytes_of_shorts(&self.codes))?;
            pages.write("degrees", &bytes_of_shorts(&self.degrees))?;
        }
        (self.codes, self.degrees) = (Vec::new(), Vec::new());
        Ok(())
    }

    /// Values that are new go to their files.
    fn put_values_away(&mut self) -> Result<(), ClusterError> {
        let Some(pages) = self.pages.as_ref() else { return Ok(()) };
        pages.append("codes", &bytes_of_shorts(&std::mem::take(&mut self.codes)))?;
        pages.append("degrees", &bytes_of_shorts(&std::mem::take(&mut self.degrees)))
    }

    /// The values of the last so many that were expanded, as they stand in files.
    fn last_values(&self, count: usize) -> Result<[Vec<u8>; 2], ClusterError> {
        if let Some(pages) = self.pages.as_ref().filter(|_| count > 0) {
            return Ok([pages.tail("codes", 2 * count as u64)?, pages.tail("degrees", 2 * count as u64)?]);
        }
        let tail = |list: &[u16]| bytes_of_shorts(&list[list.len().saturating_sub(count)..]);
        Ok([tail(&self.codes), tail(&self.degrees)])
    }

    /// The edges of all levels together, from wherever they are.
    pub(crate) fn all_edges(&self) -> Result<Edges, ClusterError> {
        let positions = self.lens.iter().sum();
        let Some(pages) = &self.pages else {
            return Edges::join(positions, self.edges.iter().map(Vec::as_slice)).ok_or_else(broken);
        };
        let bytes = pages.read("edges")?;
        let (mut rest, mut levels) = (&bytes[..], Vec::new());
        while !rest.is_empty() {
            let edges = take_number(&mut rest).and_then(|len| take_bytes(&mut rest, len));
            levels.push(edges.ok_or_else(|| pages.damaged("edges"))?);
        }
        Edges::join(positions, levels.into_iter()).ok_or_else(|| pages.damaged("edges"))
    }
}

impl<P: Packed, M: Memory> Shard<P, M> {
    pub(crate) fn new(number: usize) -> Self {
        Shard {
            number,
            known: Known::new(),
            pending: Pending::new(),
            frontier: Vec::new(),
            waiting: 0,
            before: 0,
            kept: Kept {
                number,
                levels: Vec::new(),
                lens: Vec::new(),
                edges: Vec::new(),
                codes: Vec::new(),
                degrees: Vec::new(),
                pages: None,
            },
            last_edges: 0,
        }
    }

    /// What solving needs; everything else is dropped.
    pub(crate) fn into_kept(self) -> Kept {
        self.kept
    }

    /// Positions of the level to be expanded.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    /// A position of the level to be expanded, with its number.
    pub(crate) fn at(&self, at: usize) -> Option<(&P, u32)> {
        Some((self.frontier.get(at)?, self.before + at as u32))
    }

    /// All positions so far.
    pub(crate) fn positions(&self) -> u64 {
        u64::from(self.before) + self.waiting as u64
    }

    #[inline]
    pub(crate) fn push(&mut self, key: P, trace: M::Trace) {
        self.pending.push(key, trace);
    }

    /// Puts what has come in order before it is time; whether there was anything to do.
    pub(crate) fn sort_some(&mut self) -> bool {
        self.pending.sort_some()
    }

    /// Notes what the expansion of a position has found.
    pub(crate) fn expanded(&mut self, code: u16, degree: u16) {
        self.kept.codes.push(code);
        self.kept.degrees.push(degree);
    }

    /// What has come is the first level.
    pub(crate) fn begin(&mut self) -> Result<(), ClusterError> {
        let mut keys: Vec<P> = self.pending.take().into_iter().map(|(key, _)| key).collect();
        sort_many(&mut keys, Ord::cmp);
        keys.dedup();
        self.settle(keys, Vec::new())
    }

    /// Takes over a level from a file.
    pub(crate) fn load(&mut self, section: &Section, lowest: u32) -> Result<(), ClusterError> {
        let damaged = || ClusterError::Unsupported("a level file has keys of another game".to_owned());
        let keys = keys(&section.keys).ok_or_else(damaged)?;
        self.bring()?;
        self.leave(lowest)?;
        self.kept.codes.extend(shorts(&section.codes));
        self.kept.degrees.extend(shorts(&section.degrees));
        self.settle(keys, section.edges.clone())?;
        self.put_away()
    }

    /// The level was expanded, and what has come is the next.
    pub(crate) fn turn(&mut self, lowest: u32, highest: u32) -> Result<(), ClusterError> {
        self.bring()?;
        // First, so that nothing is merged with what is forgotten.
        self.known.forget_above(highest);
        self.leave(lowest)?;
        self.close()?;
        self.put_away()
    }

    /// From now on what is not needed at the moment is in files. The level stays where it is being expanded.
    pub(crate) fn go_to_disk(&mut self, pages: Pages, expanding: bool) -> Result<(), ClusterError> {
        for level in std::mem::take(&mut self.kept.levels) {
            pages.append("levels", &level)?;
        }
        for edges in std::mem::take(&mut self.kept.edges) {
            append_edges(&pages, &edges)?;
        }
        self.kept.pages = Some(pages);
        self.pending.careful = true;
        let frontier = std::mem::take(&mut self.frontier);
        if let Some(pages) = &self.kept.pages {
            pages.write("frontier", &bytes_of(&frontier))?;
        }
        self.put_away()?;
        if expanding {
            self.frontier = frontier;
        }
        Ok(())
    }

    /// Puts what has come so far into a file.
    pub(crate) fn spill(&mut self) -> Result<(), ClusterError> {
        let Some(pages) = &self.kept.pages else { return Ok(()) };
        let mut bytes = Vec::new();
        for (key, trace) in self.pending.take() {
            put_key(&mut bytes, &key);
            if M::SOLVING {
                bytes.extend_from_slice(&M::source(trace));
            }
        }
        pages.append("pending", &bytes)
    }

    /// Everything that has come; where positions are counted, in order and each once.
    fn arrived(&mut self) -> Result<Vec<(P, M::Trace)>, ClusterError> {
        if let Some(pages) = &self.kept.pages {
            let bytes = pages.read("pending")?;
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                let record = take_key(&mut rest).and_then(|key: P| {
                    let trace = if M::SOLVING { take_bytes(&mut rest, 6)?.try_into().ok()? } else { [0; 6] };
                    Some((key, M::trace(Source::from_bytes(trace))))
                });
                let (key, trace) = record.ok_or_else(|| pages.damaged("pending"))?;
                self.pending.push(key, trace);
            }
            pages.remove("pending")?;
        }
        Ok(self.pending.take())
    }

    /// Brings the level into memory, if it is not there.
    pub(crate) fn bring_frontier(&mut self) -> Result<(), ClusterError> {
        if let Some(pages) = self.kept.pages.as_ref().filter(|_| self.frontier.len() < self.waiting) {
            self.frontier = keys(&pages.read("frontier")?).ok_or_else(|| pages.damaged("frontier"))?;
        }
        Ok(())
    }

    /// The level is not needed for a while, nor what its expansion has found.
    pub(crate) fn put_frontier_away(&mut self) -> Result<(), ClusterError> {
        if self.kept.pages.is_some() {
            self.frontier = Vec::new();
        }
        self.kept.put_values_away()
    }

    fn bring(&mut self) -> Result<(), ClusterError> {
        self.bring_frontier()?;
        let Some(pages) = &self.kept.pages else { return Ok(()) };
        let bytes = pages.read("known")?;
        let known = Known::take(&bytes, |rest| {
            let number =
                if M::SOLVING { u32::from_le_bytes(take_bytes(rest, 4)?.try_into().ok()?) } else { 0 };
            Some(M::number(number))
        });
        self.known = known.ok_or_else(|| pages.damaged("known"))?;
        Ok(())
    }

    fn put_away(&mut self) -> Result<(), ClusterError> {
        let Some(pages) = &self.kept.pages else { return Ok(()) };
        let known = std::mem::replace(&mut self.known, Known::new());
        let mut bytes = Vec::new();
        known.put(&mut bytes, |number, out| {
            if M::SOLVING {
                out.extend_from_slice(&M::get(number).to_le_bytes());
            }
        });
        pages.write("known", &bytes)?;
        self.put_frontier_away()
    }

    /// The level was expanded: it is only known now.
    fn leave(&mut self, lowest: u32) -> Result<(), ClusterError> {
        let keys = std::mem::take(&mut self.frontier);
        let first = self.before;
        (self.before, self.waiting) = (first + keys.len() as u32, 0);
        if M::SOLVING && !(keys.is_empty() && self.before == 0) {
            self.kept.lens.push(keys.len());
            match &self.kept.pages {
                Some(pages) => pages.append("levels", &bytes_of(&keys))?,
                None => self.kept.levels.push(bytes_of(&keys)),
            }
        }
        let values = (first..self.before).map(M::number).collect();
        self.known.add(Run { keys, values, lowest });
        Ok(())
    }

    /// Makes a level of what is pending, and edges where they are wanted.
    fn close(&mut self) -> Result<(), ClusterError> {
        let records = self.arrived()?;
        let (keys, places) = if M::SOLVING {
            ranks(&records)
        } else {
            (records.iter().map(|(key, _)| *key).collect(), Vec::new())
        };
        let mut numbers = vec![NEW; keys.len()];
        self.known.find(&keys, |at, number| numbers[at] = M::get(number));
        let mut fresh = Vec::with_capacity(numbers.iter().filter(|number| **number == NEW).count());
        fresh.extend(keys.iter().zip(&numbers).filter(|(_, number)| **number == NEW).map(|(key, _)| *key));
        if u64::from(self.before) + fresh.len() as u64 >= u64::from(NEW) {
            return Err(tabia_solve::SolveError::TooMany(u64::from(NEW) * crate::shard::SHARDS as u64).into());
        }
        let edges = if M::SOLVING { self.edges(&records, &places, numbers)? } else { Vec::new() };
        self.settle(fresh, edges)
    }

    /// The edges that have come; `numbers` are those of the different children, `places` say which child a record is of.
    fn edges(
        &self,
        records: &[(P, M::Trace)],
        places: &[u32],
        mut numbers: Vec<u32>,
    ) -> Result<Vec<u8>, ClusterError> {
        for (next, number) in (self.before..).zip(numbers.iter_mut().filter(|number| **number == NEW)) {
            *number = next;
        }
        let edges = places.iter().zip(records).map(|(place, (_, trace))| (*place, M::source(*trace)));
        edges::pack(&numbers, edges).ok_or_else(broken)
    }

    fn settle(&mut self, keys: Vec<P>, edges: Vec<u8>) -> Result<(), ClusterError> {
        self.waiting = keys.len();
        self.frontier = keys;
        if let Some(pages) = &self.kept.pages {
            pages.write("frontier", &bytes_of(&self.frontier))?;
        }
        if M::SOLVING {
            self.last_edges = edges.len();
            match &self.kept.pages {
                Some(pages) => append_edges(pages, &edges)?,
                None => self.kept.edges.push(edges),
            }
        }
        Ok(())
    }

    /// What a level file has of the shard.
    pub(crate) fn section(&self) -> Result<Section, ClusterError> {
        let mut section = Section { shard: self.number, ..Section::default() };
        if let Some(pages) = &self.kept.pages {
            section.keys = pages.read("frontier")?;
            if self.last_edges > 0 {
                section.edges = pages.tail("edges", self.last_edges as u64)?;
            }
        } else {
            section.keys = bytes_of(&self.frontier);
            section.edges = self.kept.edges.last().cloned().unwrap_or_default();
        }
        let before = self.kept.lens.last().copied().unwrap_or(0);
        [section.codes, section.degrees] = self.kept.last_values(before)?;
        Ok(section)
    }

    pub(crate) fn bytes(&self) -> usize {
        let kept = &self.kept;
        let keys = kept.levels.iter().map(Vec::capacity).sum::<usize>();
        let edges = kept.edges.iter().map(Vec::capacity).sum::<usize>();
        let codes = 2 * (kept.codes.capacity() + kept.degrees.capacity());
        let frontier = self.frontier.capacity() * size_of::<P>();
        self.known.bytes() + self.pending.bytes() + frontier + keys + edges + codes
    }
}

pub(crate) fn broken() -> ClusterError {
    ClusterError::Unsupported("what is in memory is not what was put there".to_owned())
}

fn bytes_of<P: Packed>(keys: &[P]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(keys.len() * P::MOST_BYTES);
    keys.iter().for_each(|key| put_key(&mut bytes, key));
    bytes.shrink_to_fit();
    bytes
}

pub(crate) fn bytes_of_shorts(list: &[u16]) -> Vec<u8> {
    list.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn append_edges(pages: &Pages, edges: &[u8]) -> Result<(), ClusterError> {
    let mut bytes = Vec::with_capacity(edges.len() + 5);
    put_number(&mut bytes, edges.len() as u64);
    bytes.extend_from_slice(edges);
    pages.append("edges", &bytes)
}
