//! The threads that solve layer after layer from one board, and write the files of what is finished.

use super::block::Solving;
use super::board::{Board, Group, Job, Phase, Piece, Shared};
use super::build::BuildReport;
use super::folder::file_name;
use super::verdicts::Verdicts;
use crate::error::{FileError, SolveError};
use crate::file::{Info, Layout, Pressed, write_pressed};
use crate::stage::Stage;
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tabia_core::threads::{self, OnPanic};
use tabia_core::{Levels, Slice, Spot, Verdict, Work, sort_many_by_key, trust};

/// Beside the lane of the whole build.
const LEVEL_LANE: usize = 1;
/// Blocks of a file that are compressed at once.
const PART: usize = 64;
/// A list of so many positions is long enough to be shared with whoever is free.
const WORTH_GIVING: usize = 64;
/// Whoever waits looks this often whether the work was stopped.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Groups that are solved side by side, and what is told about them.
pub(super) struct Layer<'a> {
    groups: Vec<Vec<Slice>>,
    stage: Stage<'a>,
    done: AtomicU64,
}

/// All threads of a build.
pub(super) struct Crew<'a, G> {
    game: &'a G,
    folder: &'a Path,
    verdicts: &'a Verdicts,
    work: &'a Work<'a>,
    layers: Vec<Layer<'a>>,
    desk: Mutex<Desk>,
    news: Condvar,
    waiting: AtomicUsize,
    over: AtomicBool,
}

/// What the threads share under one lock.
struct Desk {
    board: Board,
    /// Layers that were begun.
    begun: usize,
    pressed: FxHashMap<Slice, Vec<(usize, Vec<Pressed>)>>,
    report: BuildReport,
}

/// What a thread works in, used again and again.
#[derive(Default)]
struct Scratch {
    states: Vec<AtomicU8>,
    queue: Vec<u32>,
    bytes: Vec<u8>,
}

impl<'a, G: Levels> Crew<'a, G> {
    /// A crew for layers of groups that are not built yet; there is room for their slices.
    pub(super) fn new(
        game: &'a G,
        folder: &'a Path,
        verdicts: &'a Verdicts,
        layers: Vec<Vec<Vec<Slice>>>,
        work: &'a Work<'a>,
    ) -> Self {
        let layer = |groups: Vec<Vec<Slice>>| {
            let slices = || groups.iter().flatten();
            let pieces = slices().map(|slice| game.slice_pieces(*slice)).max().unwrap_or(0);
            let name = format!("{pieces} pieces, {} slices", slices().count());
            let total = slices().map(|slice| game.slice_len(*slice)).sum();
            let stage = Stage::new(work, name, Some(total)).in_lane(LEVEL_LANE);
            Layer { groups, stage, done: AtomicU64::new(0) }
        };
        let layers = layers.into_iter().map(layer).collect();
        let board = Board::new(work.threads);
        let desk = Desk { board, begun: 0, pressed: FxHashMap::default(), report: BuildReport::default() };
        Crew {
            game,
            folder,
            verdicts,
            work,
            layers,
            desk: Mutex::new(desk),
            news: Condvar::new(),
            waiting: AtomicUsize::new(0),
            over: AtomicBool::new(false),
        }
    }

    /// Solves and writes everything: what came to be built. `tell` is called with a report of that now and then.
    pub(super) fn build(self, tell: impl Fn(&BuildReport) + Sync) -> Result<BuildReport, SolveError> {
        let ends = threads::run(self.work.threads.max(1), |me| {
            let _alarm = OnPanic(&self.over);
            let mut scratch = Scratch::default();
            while let Some((layer, job)) = self.next(me)? {
                let done = self.run(layer, job, &mut scratch, &tell);
                done.inspect_err(|_| self.over.store(true, Relaxed))?;
            }
            Ok(())
        });
        ends.into_iter().collect::<Result<Vec<()>, SolveError>>()?;
        Ok(self.desk.into_inner().unwrap_or_else(PoisonError::into_inner).report)
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next job of a thread and its layer, waited for; `None` when there is none any more.
    fn next(&self, me: usize) -> Result<Option<(usize, Job)>, SolveError> {
        let mut desk = self.desk();
        loop {
            if self.over.load(Relaxed) {
                return Ok(None);
            }
            if self.work.is_stopped() {
                return Err(SolveError::Stopped);
            }
            self.begin_layer(&mut desk);
            if let Some(job) = desk.board.take(me) {
                return Ok(Some((desk.begun.saturating_sub(1), job)));
            }
            if desk.board.is_solved() && desk.board.is_written() {
                return Ok(None);
            }
            self.waiting.fetch_add(1, Relaxed);
            let waited = self.news.wait_timeout(desk, LOOK_UP);
            desk = waited.unwrap_or_else(PoisonError::into_inner).0;
            self.waiting.fetch_sub(1, Relaxed);
        }
    }

    fn begin_layer(&self, desk: &mut Desk) {
        while desk.board.is_solved()
            && let Some(layer) = self.layers.get(desk.begun)
        {
            let parts = |slice: &Slice| self.verdicts.len(*slice).div_ceil(PART * Info::OUTCOME_BYTES);
            let group = |group: &Vec<Slice>| Group::new(group.iter().map(|s| (*s, parts(s))).collect());
            desk.begun += 1;
            desk.board.begin(layer.groups.iter().map(group).collect());
        }
    }

    /// Says what is done to the board, and to whoever waits for it.
    fn report<T>(&self, done: impl FnOnce(&mut Desk) -> T) -> T {
        let mut desk = self.desk();
        let result = done(&mut desk);
        self.begin_layer(&mut desk);
        drop(desk);
        if self.waiting.load(Relaxed) > 0 {
            self.news.notify_all();
        }
        result
    }

    fn run(
        &self,
        layer: usize,
        job: Job,
        scratch: &mut Scratch,
        tell: &impl Fn(&BuildReport),
    ) -> Result<(), SolveError> {
        let Some(Layer { groups, stage, done }) = self.layers.get(layer) else { return Ok(()) };
        let count = |positions: usize| {
            stage.tell(done.fetch_add(positions as u64, Relaxed) + positions as u64);
        };
        match job {
            Job::List(group) => self.list(group, &groups[group]),
            Job::Blocks { group, lists, level, range } => {
                let numbers = lists.get(level).and_then(|numbers| numbers.get(range)).unwrap_or_default();
                count(self.solve(&groups[group], numbers, scratch)?);
                self.report(|desk| desk.board.solved());
            }
            Job::Piece { slot, block, phase, piece } => {
                count(self.piece(slot, &groups[block.group], &block, phase, piece, scratch)?);
                self.report(|desk| desk.board.pieced(slot));
            }
            Job::Press { slice, part } => self.press(slice, part, scratch),
            Job::File(slice) => tell(&self.file(slice)?),
        }
        Ok(trust::check(self.game)?)
    }

    fn list(&self, number: usize, group: &[Slice]) {
        let lists = self.game.levels(group);
        let halves = self.game.halves(&self.game.block(group, 0));
        let alone = lists.iter().map(Vec::len).sum::<usize>() == 1;
        let size = halves.len * if alone { halves.count } else { 2 };
        self.report(|desk| desk.board.listed(number, lists, size));
    }

    fn begin(&self, group: &[Slice], number: u32) -> Solving<'_, G, impl Fn(Spot) -> Option<Verdict>> {
        Solving::new(self.game, group, number, |spot| self.verdicts.get(spot))
    }

    /// Solves blocks by itself: how many positions they have.
    fn solve(&self, group: &[Slice], numbers: &[u32], scratch: &mut Scratch) -> Result<usize, SolveError> {
        let mut positions = 0;
        for number in numbers {
            let solving = self.begin(group, *number);
            solving.solve(&mut scratch.states, &mut scratch.queue)?;
            self.write(&solving, &scratch.states, 0..solving.len());
            positions += solving.len();
        }
        Ok(positions)
    }

    fn write<V: Fn(Spot) -> Option<Verdict>>(
        &self,
        solving: &Solving<'_, G, V>,
        states: &[AtomicU8],
        range: std::ops::Range<usize>,
    ) {
        for (half, first, range) in solving.parts(range) {
            let begin = solving.halves.first[half];
            let spot = Spot { index: begin.index + first as u64, ..begin };
            self.verdicts.write(spot, &states[range]);
        }
    }

    /// Does a piece of a shared block: how many positions are finished with it.
    fn piece(
        &self,
        slot: usize,
        group: &[Slice],
        block: &Shared,
        phase: Phase,
        piece: Piece,
        scratch: &mut Scratch,
    ) -> Result<usize, SolveError> {
        let solving = self.begin(group, block.number);
        let mut give = |queue: &mut Vec<u32>| {
            if queue.len() >= WORTH_GIVING && self.waiting.load(Relaxed) > 0 {
                let given = queue.drain(..queue.len() / 2).collect();
                self.report(|desk| desk.board.give(slot, given));
            }
        };
        let queue = &mut scratch.queue;
        match (phase, piece) {
            (Phase::Look, Piece::Range(range)) => solving.look(&block.states, range)?,
            (Phase::Spread, Piece::Range(range)) => {
                solving.spread::<true>(&block.states, queue, range, give);
            }
            (Phase::Write, Piece::Range(range)) => {
                let positions = solving.parts(range.clone()).map(|(.., part)| part.len()).sum();
                self.write(&solving, &block.states, range);
                return Ok(positions);
            }
            (_, Piece::Told(mut list)) => solving.tell::<true>(&block.states, &mut list, &mut give),
        }
        Ok(0)
    }

    fn press(&self, slice: Slice, part: usize, scratch: &mut Scratch) {
        let (bytes, all) = (PART * Info::OUTCOME_BYTES, self.verdicts.len(slice));
        scratch.bytes.clear();
        self.verdicts.copy(slice, part * bytes..all.min((part + 1) * bytes), &mut scratch.bytes);
        let blocks = scratch.bytes.chunks(Info::OUTCOME_BYTES).map(Pressed::outcomes).collect();
        self.report(|desk| {
            desk.pressed.entry(slice).or_default().push((part, blocks));
            desk.board.pressed(slice);
        });
    }

    /// Writes the file of a slice: all that was built so far.
    fn file(&self, slice: Slice) -> Result<BuildReport, SolveError> {
        let mut parts = self.desk().pressed.remove(&slice).unwrap_or_default();
        sort_many_by_key(&mut parts, |(part, _)| *part);
        let path = self.folder.join(file_name(self.game, slice));
        let info = Info::new(self.game.variant(), self.game.slice_name(slice), Layout::Indexed);
        let blocks = parts.iter().flat_map(|(_, blocks)| blocks);
        let info = write_pressed(&path, info, blocks, self.game.slice_len(slice))?;
        let size = tabia_disk::size(&path).map_err(FileError::io(&path))?;
        Ok(self.report(|desk| {
            desk.report.count(&info, size);
            desk.report.built += 1;
            desk.board.written();
            desk.report.clone()
        }))
    }
}
