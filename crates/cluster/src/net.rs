//! Steps: everybody sends, everybody receives, and nobody goes on before all has arrived.
//!
//! Timely carries the buffers (see `post`). Every worker says to every other which buffer
//! is its last of a step and how many there were; when all of them are there, the step is over. That is all the
//! coordination there is. With its last buffer a worker can tell everybody some numbers, so that most steps need no other
//! step for what all must know. Records of the next step may come before this one is over: they wait. A sender that is far
//! ahead of a receiver waits for receipts, so that little is in flight. Buffers that go the other way carry them; only
//! where there are none, a receipt travels alone.

use crate::error::ClusterError;
use crate::flat::{Flat, Kind, WORDS};
use crate::life::Life;
use crate::post::Post;
use crate::status::{Figure, Gauges};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};
use timely::worker::Worker;

/// Bytes after which a buffer is dealt with by the worker itself: it is still in the cache.
const OWN_FULL: usize = 1 << 16;
/// Bytes after which a buffer is sent, at least and at most, and what those for all workers may take. A small one wakes
/// as many threads as a large one.
const LEAST_FULL: usize = 1 << 16;
const MOST_FULL: usize = 1 << 18;
const FULL_OF_ALL: usize = 1 << 22;
/// Buffers that one worker may have on the way to another in a step, and how many of them a receipt of its own is for.
const IN_FLIGHT: u32 = 8;
const RECEIPT_EVERY: u32 = 4;
/// How long a worker sleeps that has nothing to do; whatever arrives wakes it.
const NAP: Duration = Duration::from_millis(20);

/// What a worker does in a step.
pub trait Phase {
    /// A piece of work that fills buffers; `false` when nothing is left to do.
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError>;
    /// Deals with a buffer of records from a worker.
    fn consume(&mut self, from: usize, records: &[u8]) -> Result<(), ClusterError>;
    /// Something that must be done after the step, and can be done while others are waited for; `false` when there is
    /// nothing of the kind.
    fn prepare(&mut self) -> bool {
        false
    }
    /// What everybody is told when nothing is left to do; see [`Net::said`].
    fn words(&self) -> Words {
        Words::default()
    }
}

/// Numbers that every worker tells every other at the end of a step.
pub type Words = [u64; WORDS];

/// The buffers of a worker, one for each worker there is.
pub struct Outbox {
    me: usize,
    buffers: Vec<Vec<u8>>,
    /// Bytes after which a buffer for a worker is full.
    full: Vec<usize>,
    /// Full ones, and the last ones of a step.
    ready: Vec<(usize, Kind, Vec<u8>)>,
    spare: Vec<Vec<u8>>,
    /// Buffers sent to each worker in this step, and how many it has dealt with as far as is known.
    sent: Vec<u32>,
    received: Vec<u32>,
    records: u64,
}

impl Outbox {
    fn new(me: usize, workers: usize) -> Self {
        let full = (FULL_OF_ALL / workers).clamp(LEAST_FULL, MOST_FULL);
        Outbox {
            me,
            buffers: vec![Vec::new(); workers],
            full: (0..workers).map(|target| if target == me { OWN_FULL } else { full }).collect(),
            ready: Vec::new(),
            spare: Vec::new(),
            sent: vec![0; workers],
            received: vec![0; workers],
            records: 0,
        }
    }

    /// How many workers there are.
    pub fn workers(&self) -> usize {
        self.buffers.len()
    }

    /// Appends a record for a worker. `write` gets the buffer, which is empty when a new one is begun.
    #[inline]
    pub fn record(&mut self, target: usize, write: impl FnOnce(&mut Vec<u8>)) {
        let buffer = &mut self.buffers[target];
        write(buffer);
        self.records += 1;
        if buffer.len() >= self.full[target] {
            let mut fresh = self.spare.pop().unwrap_or_default();
            fresh.reserve(self.full[target] + 256);
            let full = std::mem::replace(&mut self.buffers[target], fresh);
            self.ready.push((target, Kind::Records, full));
        }
    }

    /// Everybody gets what is left, or the word that nothing is.
    fn close_all(&mut self) {
        for (target, buffer) in self.buffers.iter_mut().enumerate() {
            let fresh = self.spare.pop().unwrap_or_default();
            self.ready.push((target, Kind::Last, std::mem::replace(buffer, fresh)));
        }
    }

    fn may_send(&self) -> bool {
        self.sent.iter().zip(&self.received).all(|(sent, received)| sent - received < IN_FLIGHT)
    }
}

/// What has come from a worker in this step.
#[derive(Clone, Copy, Default)]
struct Came {
    buffers: u32,
    /// How many of them the sender knows to be dealt with.
    told: u32,
    /// How many there are in all, once that is known.
    all: Option<u32>,
}

/// A worker among others.
pub struct Net<'a> {
    worker: &'a mut Worker,
    post: Post,
    out: Outbox,
    /// Records to itself.
    own: VecDeque<Vec<u8>>,
    came: Vec<Came>,
    /// What every worker said at the end of the step.
    said: Vec<Words>,
    /// The number of the step.
    time: u32,
    life: Arc<Life>,
    since: Instant,
}

impl<'a> Net<'a> {
    pub(crate) fn new(worker: &'a mut Worker, life: Arc<Life>) -> Self {
        let post = Post::new(worker);
        let workers = worker.peers();
        let out = Outbox::new(worker.index(), workers);
        let (own, came) = (VecDeque::new(), vec![Came::default(); workers]);
        let said = vec![Words::default(); workers];
        Net { worker, post, out, own, came, said, time: 0, life, since: Instant::now() }
    }

    /// The number of this worker.
    pub fn me(&self) -> usize {
        self.out.me
    }

    /// How many workers there are.
    pub fn workers(&self) -> usize {
        self.out.workers()
    }

    /// The figures of this worker.
    pub fn gauges(&self) -> &Gauges {
        // Every worker has some: `Life` makes them.
        &self.life.gauges[self.out.me]
    }

    /// What each worker said at the end of the last step.
    pub fn said(&self) -> &[Words] {
        &self.said
    }

    fn check(&self) -> Result<(), ClusterError> {
        // Whoever fails keeps the reason; a worker only learns that there is one.
        if self.life.has_failed() { Err(ClusterError::Stopped) } else { Ok(()) }
    }

    /// One step: until this worker has produced everything, and has consumed all that anybody produced for it.
    pub fn step(&mut self, phase: &mut dyn Phase) -> Result<(), ClusterError> {
        self.gauges().spend(Figure::Between, self.since.elapsed());
        let mut more = true;
        loop {
            let busy = self.deliver(phase)?;
            if more && self.out.may_send() {
                let began = Instant::now();
                more = phase.produce(&mut self.out)?;
                self.gauges().spend(Figure::Produce, began.elapsed());
                if !more {
                    self.said[self.out.me] = phase.words();
                    self.out.close_all();
                }
                self.ship();
                self.worker.step();
            } else if busy {
                self.worker.step();
            } else if !more && self.is_over() {
                break;
            } else if !more && self.prepare(phase) {
                self.worker.step();
            } else {
                let began = Instant::now();
                self.worker.step_or_park(Some(NAP));
                self.gauges().spend(Figure::Wait, began.elapsed());
            }
            self.check()?;
        }
        self.turn();
        let cpu = tabia_core::threads::cpu_time().unwrap_or_default();
        self.gauges().set(Figure::Cpu, cpu.as_nanos() as u64);
        self.since = Instant::now();
        Ok(())
    }

    fn prepare(&self, phase: &mut dyn Phase) -> bool {
        let began = Instant::now();
        let done = phase.prepare();
        self.gauges().spend(Figure::Between, began.elapsed());
        done
    }

    /// Whether all is here that anybody has sent, and nothing is left in the own post.
    fn is_over(&self) -> bool {
        let complete = |(from, came): (usize, &Came)| from == self.out.me || came.all == Some(came.buffers);
        self.own.is_empty() && self.came.iter().enumerate().all(complete)
    }

    /// Goes on to the next step. What this worker has sent may still be on its way to somebody who is not as far.
    fn turn(&mut self) {
        self.time = self.time.wrapping_add(1);
        self.came.fill(Came::default());
        self.out.sent.fill(0);
        self.out.received.fill(0);
    }

    /// Sends the full buffers.
    fn ship(&mut self) {
        self.life.gauges[self.out.me].set(Figure::Records, self.out.records);
        for (target, kind, buffer) in std::mem::take(&mut self.out.ready) {
            self.gauges().add(Figure::RecordBytes, buffer.len() as u64);
            if target == self.out.me {
                self.own.extend(Some(buffer).filter(|buffer| !buffer.is_empty()));
                continue;
            }
            if !self.life.own_workers().contains(&target) {
                self.gauges().add(Figure::WireBytes, buffer.len() as u64);
            }
            self.out.sent[target] += 1;
            self.send(target, kind, buffer);
        }
    }

    fn send(&mut self, target: usize, kind: Kind, payload: Vec<u8>) {
        let me = self.out.me;
        let mut flat = Flat::new(me, target, kind, payload);
        (flat.step, flat.count) = (self.time, self.out.sent[target]);
        let came = &mut self.came[target];
        came.told = came.buffers;
        flat.seen = came.told;
        if kind == Kind::Last {
            flat.words = self.said[me];
        }
        self.post.send(flat);
    }

    fn keep(&mut self, buffer: Vec<u8>) {
        // As many as are begun again after a step, and some that are full.
        if buffer.capacity() >= OWN_FULL && self.out.spare.len() < self.out.workers() + 4 {
            self.out.spare.push(buffer);
        }
    }

    /// Deals with what has come for this step; whether there was anything.
    fn deliver(&mut self, phase: &mut dyn Phase) -> Result<bool, ClusterError> {
        let began = Instant::now();
        self.drop_late();
        self.post.empty().into_iter().for_each(|buffer| self.keep(buffer));
        let mut busy = false;
        while let Some(mut buffer) = self.own.pop_front() {
            busy = true;
            phase.consume(self.out.me, &buffer)?;
            buffer.clear();
            self.keep(buffer);
        }
        while let Some(flat) = self.post.next(self.time) {
            let from = usize::from(flat.from);
            self.out.received[from] = flat.seen.max(self.out.received[from]);
            if flat.kind == Kind::Receipt {
                continue;
            }
            busy = true;
            if !flat.payload().is_empty() {
                phase.consume(from, flat.payload())?;
            }
            self.note(from, &flat);
        }
        if busy {
            self.gauges().spend(Figure::Consume, began.elapsed());
        }
        Ok(busy)
    }

    /// Counts what has come, and tells the sender where nothing else does.
    fn note(&mut self, from: usize, flat: &Flat) {
        let came = &mut self.came[from];
        came.buffers += 1;
        if flat.kind == Kind::Last {
            came.all = Some(flat.count);
            self.said[from] = flat.words;
        } else if came.buffers - came.told >= RECEIPT_EVERY {
            self.send(from, Kind::Receipt, Vec::new());
        }
    }

    /// Drops what nobody waits for: receipts that come after their step.
    fn drop_late(&mut self) {
        let (time, workers) = (self.time, self.out.workers());
        self.post.retain(|flat| {
            let late = flat.kind == Kind::Receipt && flat.step != time;
            !late && usize::from(flat.from) < workers
        });
    }

    /// Everybody's bytes, by worker.
    pub fn gather(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, ClusterError> {
        let mut all = Gather { mine: bytes, all: vec![Vec::new(); self.workers()] };
        self.step(&mut all)?;
        Ok(all.all)
    }

    /// Numbers added up over all workers.
    pub fn sum<const N: usize>(&mut self, numbers: [u64; N]) -> Result<[u64; N], ClusterError> {
        self.fold(numbers, u64::wrapping_add)
    }

    /// The greatest of the numbers of all workers.
    pub fn max<const N: usize>(&mut self, numbers: [u64; N]) -> Result<[u64; N], ClusterError> {
        self.fold(numbers, u64::max)
    }

    fn fold<const N: usize>(
        &mut self,
        numbers: [u64; N],
        add: impl Fn(u64, u64) -> u64,
    ) -> Result<[u64; N], ClusterError> {
        let mut result = numbers;
        for (worker, theirs) in self.gather_numbers(numbers)?.into_iter().enumerate() {
            if worker != self.me() {
                result.iter_mut().zip(theirs).for_each(|(sum, number)| *sum = add(*sum, number));
            }
        }
        Ok(result)
    }

    /// Everybody's numbers, by worker.
    pub fn gather_numbers<const N: usize>(
        &mut self,
        numbers: [u64; N],
    ) -> Result<Vec<[u64; N]>, ClusterError> {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let number = |bytes: &[u8], at: usize| bytes.as_chunks::<8>().0.get(at).copied().unwrap_or_default();
        let numbers = |bytes: Vec<u8>| std::array::from_fn(|at| u64::from_le_bytes(number(&bytes, at)));
        Ok(self.gather(&bytes)?.into_iter().map(numbers).collect())
    }

    /// Everybody learns the last figures of all.
    pub(crate) fn exchange_figures(&mut self) -> Result<(), ClusterError> {
        for (worker, figures) in self.gather(&self.gauges().to_bytes())?.iter().enumerate() {
            if let Some(gauges) = self.life.gauges.get(worker).filter(|_| worker != self.me()) {
                gauges.copy_from(figures);
            }
        }
        Ok(())
    }

    /// Ends in order: nothing is on its way any more.
    pub(crate) fn finish(self) {
        self.post.close();
        while self.worker.has_dataflows() && !self.life.has_failed() {
            self.worker.step_or_park(Some(NAP));
        }
        drop_all(self.worker);
    }

    /// Ends where it is.
    pub(crate) fn abandon(self) {
        drop_all(self.worker);
    }
}

fn drop_all(worker: &mut Worker) {
    for dataflow in worker.installed_dataflows() {
        worker.drop_dataflow(dataflow);
    }
}

struct Gather<'a> {
    mine: &'a [u8],
    all: Vec<Vec<u8>>,
}

impl Phase for Gather<'_> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        for target in 0..out.workers() {
            out.record(target, |buffer| buffer.extend_from_slice(self.mine));
        }
        Ok(false)
    }

    fn consume(&mut self, from: usize, records: &[u8]) -> Result<(), ClusterError> {
        if let Some(theirs) = self.all.get_mut(from) {
            theirs.extend_from_slice(records);
        }
        Ok(())
    }
}
