//! What timely carries: one flat buffer of records for one worker.
//!
//! ```text
//! on the wire   target u16, from u16, kind u32, step u32, count u32, length u64, payload, zeros to a multiple of 8
//! ```
//! Senders sort their records into a buffer for each target, so that the exchange moves whole buffers and never looks
//! at a record.

use std::io::Write;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};

/// Bytes before the payload.
const HEAD: usize = 24;

/// What a buffer holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Records of a step.
    #[default]
    Records,
    /// The last records of a step from this sender; perhaps none.
    Last,
    /// The word that buffers of records were dealt with.
    Receipt,
}

impl Kind {
    fn of(number: u16) -> Kind {
        match number {
            0 => Kind::Records,
            1 => Kind::Last,
            _ => Kind::Receipt,
        }
    }
}

#[derive(Clone)]
enum Store {
    Own(Vec<u8>),
    /// A part of what was read from a connection.
    Shared(Bytes, usize),
}

impl Default for Store {
    fn default() -> Self {
        Store::Own(Vec::new())
    }
}

/// A buffer on its way.
#[derive(Clone, Default)]
pub(crate) struct Flat {
    pub(crate) target: u16,
    pub(crate) from: u16,
    pub(crate) kind: Kind,
    /// The step it belongs to.
    pub(crate) step: u32,
    /// The buffers of the step from this sender up to this one; with a receipt, those that were dealt with.
    pub(crate) count: u32,
    store: Store,
}

impl Flat {
    pub(crate) fn new(from: usize, target: usize, kind: Kind, payload: Vec<u8>) -> Self {
        let store = Store::Own(payload);
        Flat { target: target as u16, from: from as u16, kind, step: 0, count: 0, store }
    }

    pub(crate) fn payload(&self) -> &[u8] {
        match &self.store {
            Store::Own(bytes) => bytes,
            Store::Shared(bytes, len) => bytes.get(..*len).unwrap_or_default(),
        }
    }

    /// The memory of the buffer, to be filled again.
    pub(crate) fn into_empty(self) -> Vec<u8> {
        match self.store {
            Store::Own(mut bytes) => {
                bytes.clear();
                bytes
            }
            Store::Shared(..) => Vec::new(),
        }
    }
}

impl timely::Accountable for Flat {
    fn record_count(&self) -> i64 {
        1
    }
}

impl ContainerBytes for Flat {
    fn from_bytes(mut bytes: Bytes) -> Self {
        // The processes have greeted each other: this is what `into_bytes` wrote.
        let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let word = |at: usize| u32::from(half(at)) | u32::from(half(at + 2)) << 16;
        let (target, from, kind) = (half(0), half(2), Kind::of(half(4)));
        let (step, count) = (word(8), word(12));
        let len = (u64::from(word(16)) | u64::from(word(20)) << 32) as usize;
        bytes.extract_to(HEAD);
        Flat { target, from, kind, step, count, store: Store::Shared(bytes, len) }
    }

    fn length_in_bytes(&self) -> usize {
        HEAD + self.payload().len().next_multiple_of(8)
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let payload = self.payload();
        let mut head = [0; HEAD];
        head[..2].copy_from_slice(&self.target.to_le_bytes());
        head[2..4].copy_from_slice(&self.from.to_le_bytes());
        head[4] = self.kind as u8;
        head[8..12].copy_from_slice(&self.step.to_le_bytes());
        head[12..16].copy_from_slice(&self.count.to_le_bytes());
        head[16..].copy_from_slice(&(payload.len() as u64).to_le_bytes());
        let zeros = payload.len().next_multiple_of(8) - payload.len();
        for part in [&head, payload, &[0; 8][..zeros]] {
            writer.write_all(part).expect("timely writes into memory that it has asked the length of");
        }
    }
}

/// Hands every buffer to the worker it was filled for.
pub(crate) struct ByTarget;

impl Distributor<Flat> for ByTarget {
    fn partition<T: Clone, P: Push<Message<T, Flat>>>(
        &mut self,
        flat: &mut Flat,
        time: &T,
        pushers: &mut [P],
    ) {
        if let Some(pusher) = pushers.get_mut(usize::from(flat.target)) {
            Message::push_at(flat, time.clone(), pusher);
        }
    }

    fn flush<T: Clone, P: Push<Message<T, Flat>>>(&mut self, _: &T, _: &mut [P]) {}
}
