//! Steps: everybody sends, everybody receives, and nobody goes on before all has arrived.
//!
//! A step is one time of a timely dataflow with a single exchange in it. Timely knows when nothing of a step can be on
//! its way any more; that is all the coordination there is. Records of the next step may come before this one is seen to
//! be over: they wait. A sender that is far ahead of a receiver waits for receipts, so that little is in flight.

use crate::error::ClusterError;
use crate::flat::{ByTarget, Flat, Kind};
use crate::life::Life;
use crate::status::{Figure, Gauges};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use timely::container::NoopBuilder;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::Input;
use timely::dataflow::operators::generic::Operator;
use timely::worker::Worker;

/// Bytes after which a buffer is sent.
const FULL: usize = 1 << 16;
/// Buffers that one worker may have on the way to another.
const IN_FLIGHT: u32 = 16;
/// How long a worker sleeps that has nothing to do; whatever arrives wakes it.
const NAP: Duration = Duration::from_millis(20);

/// What a worker does in a step.
pub trait Phase {
    /// A piece of work that fills buffers; `false` when nothing is left to do.
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError>;
    /// Deals with a buffer of records from a worker.
    fn consume(&mut self, from: usize, records: &[u8]) -> Result<(), ClusterError>;
}

/// The buffers of a worker, one for each worker there is.
pub struct Outbox {
    me: usize,
    buffers: Vec<Vec<u8>>,
    /// Full ones.
    ready: Vec<(usize, Vec<u8>)>,
    spare: Vec<Vec<u8>>,
    /// Buffers on their way to each worker.
    in_flight: Vec<u32>,
    records: u64,
}

impl Outbox {
    fn new(me: usize, workers: usize) -> Self {
        let buffers = vec![Vec::new(); workers];
        Outbox { me, buffers, ready: Vec::new(), spare: Vec::new(), in_flight: vec![0; workers], records: 0 }
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
        if buffer.len() >= FULL {
            self.close(target);
        }
    }

    fn close(&mut self, target: usize) {
        let mut fresh = self.spare.pop().unwrap_or_default();
        fresh.reserve(FULL + 256);
        self.ready.push((target, std::mem::replace(&mut self.buffers[target], fresh)));
    }

    fn close_all(&mut self) {
        for target in 0..self.buffers.len() {
            if !self.buffers[target].is_empty() {
                self.close(target);
            }
        }
    }

    fn may_send(&self) -> bool {
        self.in_flight.iter().all(|&count| count < IN_FLIGHT)
    }
}

/// What has come, and how far time has.
#[derive(Default)]
struct Inbox {
    waiting: VecDeque<(u64, Flat)>,
    receipts: Vec<usize>,
    /// No records of earlier steps can come any more; `None` when none of any step can.
    frontier: Option<u64>,
}

/// A worker among others.
pub struct Net<'a> {
    worker: &'a mut Worker,
    input: InputHandle<u64, NoopBuilder<Flat>>,
    inbox: Rc<RefCell<Inbox>>,
    out: Outbox,
    /// Records to itself.
    own: VecDeque<Vec<u8>>,
    time: u64,
    life: Arc<Life>,
    since: Instant,
}

impl<'a> Net<'a> {
    pub(crate) fn new(worker: &'a mut Worker, life: Arc<Life>) -> Self {
        let inbox = Rc::new(RefCell::new(Inbox { frontier: Some(0), ..Inbox::default() }));
        let shared = Rc::clone(&inbox);
        let input = worker.dataflow::<u64, _, _>(|scope| {
            let mut input = InputHandle::new_with_builder();
            let stream = scope.input_from(&mut input);
            stream.sink(DistributorPact(|_| ByTarget), "receive", move |(input, frontier)| {
                let inbox = &mut *shared.borrow_mut();
                input.for_each(|time, flat| match flat.kind {
                    Kind::Receipt => inbox.receipts.push(usize::from(flat.from)),
                    Kind::Records => inbox.waiting.push_back((*time.time(), std::mem::take(flat))),
                });
                inbox.frontier = frontier.frontier().first().copied();
            });
            input
        });
        let out = Outbox::new(worker.index(), worker.peers());
        Net { worker, input, inbox, out, own: VecDeque::new(), time: 0, life, since: Instant::now() }
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

    fn check(&self) -> Result<(), ClusterError> {
        // Whoever fails keeps the reason; a worker only learns that there is one.
        if self.life.has_failed() { Err(ClusterError::Stopped) } else { Ok(()) }
    }

    /// One step: until this worker has produced everything, and has consumed all that anybody produced for it.
    pub fn step(&mut self, phase: &mut impl Phase) -> Result<(), ClusterError> {
        self.gauges().spend(Figure::Between, self.since.elapsed());
        let (mut more, mut open) = (true, true);
        loop {
            let busy = self.deliver(phase)?;
            if more && self.out.may_send() {
                let began = Instant::now();
                more = phase.produce(&mut self.out)?;
                self.gauges().spend(Figure::Produce, began.elapsed());
                if !more {
                    self.out.close_all();
                }
                self.ship();
                self.worker.step();
            } else if !more && open {
                open = false;
                self.input.advance_to(self.time + 1);
                self.worker.step();
            } else if busy {
                self.worker.step();
            } else if !open && self.is_over() {
                break;
            } else {
                let began = Instant::now();
                self.worker.step_or_park(Some(NAP));
                self.gauges().spend(Figure::Wait, began.elapsed());
            }
            self.check()?;
        }
        self.time += 1;
        let cpu = tabia_core::threads::cpu_time().unwrap_or_default();
        self.gauges().set(Figure::Cpu, cpu.as_nanos() as u64);
        self.since = Instant::now();
        Ok(())
    }

    fn is_over(&self) -> bool {
        let inbox = self.inbox.borrow();
        let nothing_comes = inbox.frontier.is_none_or(|frontier| frontier > self.time);
        nothing_comes && self.own.is_empty() && inbox.waiting.iter().all(|(time, _)| *time > self.time)
    }

    /// Sends the full buffers.
    fn ship(&mut self) {
        self.life.gauges[self.out.me].set(Figure::Records, self.out.records);
        while let Some((target, buffer)) = self.out.ready.pop() {
            self.gauges().add(Figure::RecordBytes, buffer.len() as u64);
            if target == self.out.me {
                self.own.push_back(buffer);
                continue;
            }
            if !self.life.own_workers().contains(&target) {
                self.gauges().add(Figure::WireBytes, buffer.len() as u64);
            }
            self.out.in_flight[target] += 1;
            self.send(target, Kind::Records, buffer);
        }
    }

    fn send(&mut self, target: usize, kind: Kind, payload: Vec<u8>) {
        let mut flat = Flat::new(self.out.me, target, kind, payload);
        self.input.send_batch(&mut flat);
        self.keep(flat.into_empty());
    }

    fn keep(&mut self, buffer: Vec<u8>) {
        if buffer.capacity() >= FULL && self.out.spare.len() < 4 {
            self.out.spare.push(buffer);
        }
    }

    /// Deals with what has come for this step; whether there was anything.
    fn deliver(&mut self, phase: &mut impl Phase) -> Result<bool, ClusterError> {
        let began = Instant::now();
        for from in std::mem::take(&mut self.inbox.borrow_mut().receipts) {
            if let Some(count) = self.out.in_flight.get_mut(from) {
                *count = count.saturating_sub(1);
            }
        }
        let mut busy = false;
        while let Some(mut buffer) = self.own.pop_front() {
            busy = true;
            phase.consume(self.out.me, &buffer)?;
            buffer.clear();
            self.keep(buffer);
        }
        while let Some(flat) = self.next() {
            busy = true;
            let from = usize::from(flat.from);
            phase.consume(from, flat.payload())?;
            self.send(from, Kind::Receipt, Vec::new());
        }
        if busy {
            self.gauges().spend(Figure::Consume, began.elapsed());
        }
        Ok(busy)
    }

    /// The next buffer of this step.
    fn next(&mut self) -> Option<Flat> {
        let mut inbox = self.inbox.borrow_mut();
        let at = inbox.waiting.iter().position(|(time, _)| *time <= self.time)?;
        inbox.waiting.remove(at).map(|(_, flat)| flat)
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
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let mut result = numbers;
        for (worker, theirs) in self.gather(&bytes)?.into_iter().enumerate() {
            if worker != self.me() {
                for (sum, number) in result.iter_mut().zip(theirs.as_chunks::<8>().0) {
                    *sum = add(*sum, u64::from_le_bytes(*number));
                }
            }
        }
        Ok(result)
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
        self.input.close();
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
