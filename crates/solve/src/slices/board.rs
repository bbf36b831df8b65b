//! What is to be done next while a layer is solved: the blocks of a level, the phases of blocks that several threads
//! share, and the files of slices that are finished.
//!
//! A board does nothing itself: threads take jobs from it and say when they are done. The next level is begun when no
//! job of the one before is under way any more; files are written beside.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU8;
use tabia_core::{Slice, sort_many_by_key};

/// A block with so many positions in a half may be shared by threads, in pieces of so many.
const LARGE: usize = 1 << 16;
const PIECE: usize = 1 << 13;
/// Positions of the blocks that a thread takes at once, at least and at most.
const CHUNK: Range<usize> = 1 << 10..1 << 15;

/// The blocks of a group, level by level.
pub(super) type Lists = Arc<Vec<Vec<u32>>>;

/// What a thread does next.
pub(super) enum Job {
    /// Lists the blocks of a group.
    List(usize),
    /// Solves some blocks of the level.
    Blocks { group: usize, lists: Lists, level: usize, range: Range<usize> },
    /// Does a piece of a block that threads share.
    Piece { slot: usize, block: Arc<Shared>, phase: Phase, piece: Piece },
    /// Compresses a part of a slice.
    Press { slice: Slice, part: usize },
    /// Writes the file of a slice.
    File(Slice),
}

/// The phases of a shared block, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Look,
    Spread,
    Write,
}

/// The positions of a piece: some side by side, or those of a list, which are to tell others.
pub(super) enum Piece {
    Range(Range<usize>),
    Told(Vec<u32>),
}

/// A block that threads share.
pub(super) struct Shared {
    pub(super) group: usize,
    pub(super) number: u32,
    pub(super) states: Vec<AtomicU8>,
}

/// How far a shared block is.
struct Open {
    block: Arc<Shared>,
    phase: Phase,
    next: usize,
    lists: Vec<Vec<u32>>,
    under_way: usize,
}

/// Blocks of one size in the level.
struct Segment {
    group: usize,
    /// Positions of a block.
    size: usize,
    left: Range<usize>,
}

/// A slice whose file is to be written.
struct Finished {
    slice: Slice,
    next: usize,
    parts: usize,
    done: usize,
}

/// A group of the layer as the board sees it.
pub(super) struct Group {
    /// Positions of a block at most; known when it is listed.
    size: usize,
    /// Its slices, with the number of parts in which each is compressed.
    slices: Vec<(Slice, usize)>,
}

impl Group {
    pub(super) fn new(slices: Vec<(Slice, usize)>) -> Group {
        Group { size: 0, slices }
    }
}

/// See the module.
pub(super) struct Board {
    threads: usize,
    groups: Vec<Group>,
    /// Groups to be listed, and the lists that there are.
    unlisted: Vec<usize>,
    lists: Vec<Lists>,
    listed: usize,
    level: usize,
    segments: Vec<Segment>,
    shared: Vec<Open>,
    /// Positions of the segments that nobody has taken.
    left: usize,
    /// Jobs of the level that somebody has taken.
    under_way: usize,
    files: VecDeque<Finished>,
    writing: usize,
}

impl Board {
    /// A board for threads that have nothing to do.
    pub(super) fn new(threads: usize) -> Board {
        Board {
            threads: threads.max(1),
            groups: Vec::new(),
            unlisted: Vec::new(),
            lists: Vec::new(),
            listed: 0,
            level: 0,
            segments: Vec::new(),
            shared: Vec::new(),
            left: 0,
            under_way: 0,
            files: VecDeque::new(),
            writing: 0,
        }
    }

    /// Begins a layer. Whoever is late with a file of the one before goes on with it.
    pub(super) fn begin(&mut self, groups: Vec<Group>) {
        // The last have the most men, and the longest lists: they are taken first.
        self.unlisted = (0..groups.len()).collect();
        self.lists = vec![Lists::default(); groups.len()];
        (self.listed, self.level, self.groups) = (0, 0, groups);
    }

    /// Whether all of the layer is solved.
    pub(super) fn is_solved(&self) -> bool {
        self.groups.is_empty()
    }

    /// Whether all files are written.
    pub(super) fn is_written(&self) -> bool {
        self.files.is_empty() && self.writing == 0
    }

    /// The next job for a thread; `None` when it has to wait for others, or all is done.
    pub(super) fn take(&mut self, thread: usize) -> Option<Job> {
        if let Some(group) = self.unlisted.pop() {
            return Some(Job::List(group));
        }
        // A block that is shared holds everybody up: first. Each thread has its favourite among them.
        let count = self.shared.len();
        if let Some(job) = (0..count).find_map(|place| self.piece((thread + place) % count)) {
            return Some(job);
        }
        if let Some(job) = self.file() {
            return Some(job);
        }
        self.blocks()
    }

    fn piece(&mut self, slot: usize) -> Option<Job> {
        let open = self.shared.get_mut(slot)?;
        let len = open.block.states.len();
        let piece = if let Some(list) = open.lists.pop() {
            Piece::Told(list)
        } else if open.next < len {
            let from = open.next;
            open.next = len.min(from + PIECE);
            Piece::Range(from..open.next)
        } else {
            return None;
        };
        open.under_way += 1;
        Some(Job::Piece { slot, block: Arc::clone(&open.block), phase: open.phase, piece })
    }

    fn file(&mut self) -> Option<Job> {
        if let Some(at) = self.files.iter().position(|file| file.done == file.parts) {
            self.writing += 1;
            return self.files.remove(at).map(|file| Job::File(file.slice));
        }
        let file = self.files.iter_mut().find(|file| file.next < file.parts)?;
        file.next += 1;
        Some(Job::Press { slice: file.slice, part: file.next - 1 })
    }

    fn blocks(&mut self) -> Option<Job> {
        let segment = self.segments.last_mut()?;
        // Less and less at once, so that all end at about the same time.
        let wanted = (self.left / (3 * self.threads)).clamp(CHUNK.start, CHUNK.end);
        let count = (wanted / segment.size.max(1)).clamp(1, segment.left.len());
        let range = segment.left.start..segment.left.start + count;
        segment.left.start = range.end;
        self.left -= count * segment.size;
        self.under_way += 1;
        let group = segment.group;
        if segment.left.is_empty() {
            self.segments.pop();
        }
        Some(Job::Blocks { group, lists: Arc::clone(&self.lists[group]), level: self.level, range })
    }

    /// A group is listed; its blocks have so many positions at most.
    pub(super) fn listed(&mut self, group: usize, lists: Vec<Vec<u32>>, size: usize) {
        (self.lists[group], self.groups[group].size) = (Arc::new(lists), size);
        self.listed += 1;
        if self.listed == self.groups.len() {
            self.open_level();
        }
    }

    /// Blocks are solved.
    pub(super) fn solved(&mut self) {
        self.under_way -= 1;
        self.close_level();
    }

    /// Some of a list goes to whoever is free.
    pub(super) fn give(&mut self, slot: usize, list: Vec<u32>) {
        if let Some(open) = self.shared.get_mut(slot) {
            open.lists.push(list);
        }
    }

    /// A piece of a shared block is done.
    pub(super) fn pieced(&mut self, slot: usize) {
        let Some(open) = self.shared.get_mut(slot) else { return };
        open.under_way -= 1;
        if open.under_way > 0 || open.next < open.block.states.len() || !open.lists.is_empty() {
            return;
        }
        open.next = 0;
        open.phase = match open.phase {
            Phase::Look => Phase::Spread,
            Phase::Spread => Phase::Write,
            Phase::Write => {
                // Its place stays, so that the numbers of the others do.
                open.block = Arc::new(Shared { group: 0, number: 0, states: Vec::new() });
                return self.close_level();
            }
        };
    }

    /// A part of a slice is compressed.
    pub(super) fn pressed(&mut self, slice: Slice) {
        self.files.iter_mut().filter(|file| file.slice == slice).for_each(|file| file.done += 1);
    }

    /// A file is written.
    pub(super) fn written(&mut self) {
        self.writing -= 1;
    }

    /// Goes on to the next level when this one is done.
    fn close_level(&mut self) {
        let shared = self.shared.iter().any(|open| !open.block.states.is_empty());
        if self.under_way > 0 || !self.segments.is_empty() || shared {
            return;
        }
        self.level += 1;
        let ended = self.groups.iter().zip(&self.lists).filter(|(_, lists)| lists.len() == self.level);
        for (slice, parts) in ended.flat_map(|(group, _)| group.slices.iter().copied()) {
            self.files.push_back(Finished { slice, next: 0, parts, done: 0 });
        }
        self.open_level();
    }

    fn open_level(&mut self) {
        self.shared.clear();
        if self.lists.iter().all(|lists| lists.len() <= self.level) {
            self.groups.clear();
            return;
        }
        for (group, (lists, Group { size, .. })) in self.lists.iter().zip(&self.groups).enumerate() {
            let count = lists.get(self.level).map_or(0, Vec::len);
            if count > 0 {
                self.segments.push(Segment { group, size: *size, left: 0..count });
            }
        }
        // The largest last, from where they are taken first: nobody is left with one at the end.
        sort_many_by_key(&mut self.segments, |segment| segment.size);
        self.left = self.segments.iter().map(|segment| segment.size * segment.left.len()).sum();
        self.share_large();
        if self.segments.is_empty() && self.shared.is_empty() {
            self.close_level();
        }
    }

    /// A block that is more than a thread's part of the level is shared by several.
    fn share_large(&mut self) {
        let part = (self.left / self.threads).max(2 * LARGE);
        while self.threads > 1
            && let Some(segment) = self.segments.pop_if(|segment| segment.size >= part)
        {
            self.left -= segment.size * segment.left.len();
            let numbers = self.lists[segment.group].get(self.level).map_or(&[][..], Vec::as_slice);
            for number in numbers {
                let states = std::iter::repeat_with(AtomicU8::default).take(segment.size).collect();
                let block = Arc::new(Shared { group: segment.group, number: *number, states });
                self.shared.push(Open {
                    block,
                    phase: Phase::Look,
                    next: 0,
                    lists: Vec::new(),
                    under_way: 0,
                });
            }
        }
    }
}
