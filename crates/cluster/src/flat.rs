//! What timely carries: one flat buffer of records for one worker.
//!
//! ```text
//! on the wire   target u16, from u16, kind u32, step u32, count u32, seen u32, zero u32, words u64 each, length u64,
//!               payload, zeros to a multiple of 8
//! ```
//! Senders sort their records into a buffer for each target, so that the exchange moves whole buffers and never looks
//! at a record.

use std::io::Write;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};

/// Changes when messages do: programs of one version may still be of different days.
pub(crate) const FORMAT: u32 = 3;
/// Numbers that a worker tells all others at the end of a step.
pub(crate) const WORDS: usize = 4;
/// Bytes before the payload.
const HEAD: usize = 32 + 8 * WORDS;

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
    /// The buffers of the step from this sender up to this one.
    pub(crate) count: u32,
    /// The buffers of the step from the target that the sender has dealt with.
    pub(crate) seen: u32,
    /// With the last buffer, what the sender tells everybody.
    pub(crate) words: [u64; WORDS],
    store: Store,
}

impl Flat {
    pub(crate) fn new(from: usize, target: usize, kind: Kind, payload: Vec<u8>) -> Self {
        let store = Store::Own(payload);
        Flat { target: target as u16, from: from as u16, kind, store, ..Flat::default() }
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
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        let (step, count, seen) = (word(8), word(12), word(16));
        let words = std::array::from_fn(|at| long(24 + 8 * at));
        let len = long(HEAD - 8) as usize;
        bytes.extract_to(HEAD);
        Flat { target, from, kind, step, count, seen, words, store: Store::Shared(bytes, len) }
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
        head[16..20].copy_from_slice(&self.seen.to_le_bytes());
        let longs = self.words.into_iter().chain([payload.len() as u64]);
        for (place, long) in head[24..].as_chunks_mut::<8>().0.iter_mut().zip(longs) {
            *place = long.to_le_bytes();
        }
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
