//! The dataflow that carries buffers between workers.
//!
//! Timely tells all workers of every buffer that was dealt with, if that could matter for how far time has come. Here it
//! must not: the senders say themselves which buffer is their last (see `net`), and a word to everybody about each buffer
//! would be most of the traffic among many workers. So buffers travel at a later time than the one that is held until the
//! end of the work.

use crate::flat::{ByTarget, Flat};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use timely::container::NoopBuilder;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::generic::operator::source;
use timely::scheduling::Activator;
use timely::worker::Worker;

/// The time that is held, and the one at which buffers travel.
const HELD: u64 = 0;
const TRAVEL: u64 = HELD + 1;

/// What a worker sends and gets.
pub(crate) struct Post {
    outgoing: Rc<RefCell<Outgoing>>,
    inbox: Rc<RefCell<VecDeque<Flat>>>,
    sender: Option<Activator>,
}

#[derive(Default)]
struct Outgoing {
    waiting: VecDeque<Flat>,
    /// Memory of buffers that were sent.
    empty: Vec<Vec<u8>>,
    closed: bool,
}

impl Post {
    /// Installs the dataflow, which all workers do first of all.
    pub(crate) fn new(worker: &mut Worker) -> Post {
        let (outgoing, inbox) =
            (Rc::<RefCell<Outgoing>>::default(), Rc::<RefCell<VecDeque<Flat>>>::default());
        let (to_send, arrived) = (Rc::clone(&outgoing), Rc::clone(&inbox));
        let sender = worker.dataflow::<u64, _, _>(|scope| {
            let mut sender = None;
            let stream = source::<_, NoopBuilder<Flat>, _, _>(scope, "send", |capability, info| {
                sender = Some(scope.activator_for(info.address));
                let mut held = Some(capability);
                move |output| {
                    let outgoing = &mut *to_send.borrow_mut();
                    if let Some(travel) = held.as_ref().map(|held| held.delayed(&TRAVEL)) {
                        let mut session = output.session_with_builder(&travel);
                        for mut flat in outgoing.waiting.drain(..) {
                            session.give_container(&mut flat);
                            outgoing.empty.push(flat.into_empty());
                        }
                    }
                    if outgoing.closed {
                        held = None;
                    }
                }
            });
            stream.sink(DistributorPact(|_| ByTarget), "receive", move |(input, _)| {
                let inbox = &mut *arrived.borrow_mut();
                input.for_each(|_, flat| inbox.push_back(std::mem::take(flat)));
            });
            sender
        });
        Post { outgoing, inbox, sender }
    }

    /// Sends a buffer with the worker's next step.
    pub(crate) fn send(&self, flat: Flat) {
        self.outgoing.borrow_mut().waiting.push_back(flat);
        self.wake();
    }

    /// Nothing is sent any more.
    pub(crate) fn close(&self) {
        self.outgoing.borrow_mut().closed = true;
        self.wake();
    }

    fn wake(&self) {
        self.sender.iter().for_each(Activator::activate);
    }

    /// Memory of buffers that were sent.
    pub(crate) fn empty(&self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.outgoing.borrow_mut().empty)
    }

    /// The first buffer of a step that has come.
    pub(crate) fn next(&self, step: u32) -> Option<Flat> {
        let mut inbox = self.inbox.borrow_mut();
        let at = inbox.iter().position(|flat| flat.step == step)?;
        inbox.remove(at)
    }

    /// Keeps only what somebody waits for.
    pub(crate) fn retain(&self, wanted: impl FnMut(&Flat) -> bool) {
        self.inbox.borrow_mut().retain(wanted);
    }
}
