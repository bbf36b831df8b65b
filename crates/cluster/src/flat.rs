//! What timely carries: one flat buffer of records for one worker.
//!
//! ```text
//! on the wire   target u16, from u16, kind u32, length u64, payload, zeros to a multiple of 8
//! ```
//! Senders sort their records into a buffer for each target, so that the exchange moves whole buffers and never looks
//! at a record.

use std::io::Write;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};

/// Bytes before the payload.
const HEAD: usize = 16;

/// What a buffer holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Records of a step.
    #[default]
    Records,
    /// The word that a buffer of records was dealt with.
    Receipt,
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
    store: Store,
}

impl Flat {
    pub(crate) fn new(from: usize, target: usize, kind: Kind, payload: Vec<u8>) -> Self {
        Flat { target: target as u16, from: from as u16, kind, store: Store::Own(payload) }
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
        let (target, from) = (half(0), half(2));
        let kind = if half(4) == 0 { Kind::Records } else { Kind::Receipt };
        let mut len = [0; 8];
        len.copy_from_slice(&bytes[8..HEAD]);
        let len = u64::from_le_bytes(len) as usize;
        bytes.extract_to(HEAD);
        Flat { target, from, kind, store: Store::Shared(bytes, len) }
    }

    fn length_in_bytes(&self) -> usize {
        HEAD + self.payload().len().next_multiple_of(8)
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let payload = self.payload();
        let mut head = [0; HEAD];
        head[..2].copy_from_slice(&self.target.to_le_bytes());
        head[2..4].copy_from_slice(&self.from.to_le_bytes());
        head[4] = u8::from(self.kind == Kind::Receipt);
        head[8..].copy_from_slice(&(payload.len() as u64).to_le_bytes());
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
