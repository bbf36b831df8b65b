//! Rows gathered into groups, and groups into blocks.

use super::{ANY, MASKED, PER_GROUP, TABLE, Value, differing_from, head_of, mask_bytes};
use crate::block::common;
use crate::varint;
use tabia_core::bits::ones;

/// Rows of a group.
const GROUP: usize = 16;
/// A group with so many bytes of keys and values is closed early.
const LARGE_GROUP: usize = 1 << 10;

/// Rows that will be a group.
#[derive(Default)]
struct Group {
    keys: Vec<u8>,
    key_ends: Vec<usize>,
    kinds: Vec<u8>,
    values: Vec<u8>,
    value_ends: Vec<usize>,
}

fn part<'a>(bytes: &'a [u8], ends: &[usize], n: usize) -> &'a [u8] {
    let from = n.checked_sub(1).map_or(0, |before| ends[before]);
    &bytes[from..ends[n]]
}

impl Group {
    fn len(&self) -> usize {
        self.kinds.len()
    }

    fn key(&self, n: usize) -> &[u8] {
        part(&self.keys, &self.key_ends, n)
    }

    fn last(&self) -> &[u8] {
        self.len().checked_sub(1).map_or(&[], |last| self.key(last))
    }

    /// Whether a row has to go into another group.
    fn is_full_for(&self, key: &[u8]) -> bool {
        let fits = |other: usize| other.abs_diff(key.len()) <= usize::from(u8::MAX) / 2;
        self.len() == GROUP
            || self.keys.len() + self.values.len() >= LARGE_GROUP
            || (self.len() > 0 && !fits(self.key_ends[0]))
    }

    fn push(&mut self, key: &[u8], value: Value<'_>) {
        self.keys.extend_from_slice(key);
        self.key_ends.push(self.keys.len());
        match value {
            Value::One { number, result } => {
                self.kinds.push(result);
                varint::put(&mut self.values, number);
            }
            Value::Row(bytes) => {
                self.kinds.push(ANY);
                varint::put(&mut self.values, bytes.len() as u64);
                self.values.extend_from_slice(bytes);
            }
        }
        self.value_ends.push(self.values.len());
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.key_ends.clear();
        self.kinds.clear();
        self.values.clear();
        self.value_ends.clear();
    }

    /// Appends the bytes.
    fn encode(&self, out: &mut Vec<u8>) {
        let first = self.key(0);
        let longest = (0..self.len()).map(|n| self.key(n).len()).max().unwrap_or(0);
        let same = common(first, self.last());
        varint::put(out, same as u64);
        varint::put(out, (longest - same) as u64);
        let base_at = out.len();
        out.extend_from_slice(first);
        out.resize(base_at + longest, 0);
        let base_short = (longest - first.len()) as u8;
        out.push(base_short);
        let columns = longest - same + 1;
        let mask_bytes = mask_bytes(columns);
        let mut base = [0; MASKED];
        let masked = (columns - 1).min(MASKED - 1);
        base[..masked].copy_from_slice(&out[base_at + same..base_at + same + masked]);
        let base = &base[..masked];
        for n in 0..self.len() {
            let key = self.key(n);
            let short = (longest - key.len()) as u8;
            let rest = &key[same..];
            let differing = differing_from(base, rest);
            let mask = u64::from(self.kinds[n]) | u64::from(short != base_short) << 2 | differing << 3;
            out.extend_from_slice(&mask.to_le_bytes()[..mask_bytes]);
            if short != base_short {
                out.push(short);
            }
            out.extend(ones(differing).map(|at| rest.get(at).copied().unwrap_or(0)));
            if columns > MASKED {
                let long = rest.get(masked..).unwrap_or_default();
                out.extend_from_slice(long);
                out.resize(out.len() + columns - 1 - masked - long.len(), 0);
            }
            out.extend_from_slice(part(&self.values, &self.value_ends, n));
        }
    }
}

/// A block that is complete.
#[cfg_attr(not(feature = "redb"), allow(dead_code))] // Runs do not ask for the last key.
pub(crate) struct Closed<'a> {
    /// Its bytes.
    pub(crate) bytes: &'a [u8],
    /// Its first key.
    pub(crate) first: &'a [u8],
    /// Its last key.
    pub(crate) last: &'a [u8],
    /// Whether no block comes after it.
    pub(crate) is_last: bool,
}

/// Gathers rows and makes blocks of them.
pub(crate) struct Packer {
    limit: usize,
    group: Group,
    encoded: Vec<u8>,
    /// The groups of the block.
    groups: Vec<u8>,
    ends: Vec<usize>,
    last: Vec<u8>,
    /// The first keys of the groups, one after the other.
    firsts: Vec<u8>,
    first_ends: Vec<usize>,
    block: Vec<u8>,
}

/// Takes the blocks as they are closed.
pub(crate) type Close<'a, E> = dyn FnMut(Closed<'_>) -> Result<(), E> + 'a;

impl Packer {
    /// Makes blocks of up to so many bytes, together with their last keys and those of the blocks before them.
    /// A block of one group may be larger.
    pub(crate) fn new(limit: usize) -> Self {
        Packer {
            limit: limit.min(usize::from(u16::MAX)),
            group: Group::default(),
            encoded: Vec::new(),
            groups: Vec::new(),
            ends: Vec::new(),
            last: Vec::new(),
            firsts: Vec::new(),
            first_ends: Vec::new(),
            block: Vec::new(),
        }
    }

    /// Adds a row; its key is above all keys before it.
    pub(crate) fn push<E>(
        &mut self,
        key: &[u8],
        value: Value<'_>,
        close: &mut Close<'_, E>,
    ) -> Result<(), E> {
        if self.group.is_full_for(key) {
            self.end_group(close)?;
        }
        self.group.push(key, value);
        Ok(())
    }

    /// Closes the last block, if there were any rows.
    pub(crate) fn finish<E>(&mut self, close: &mut Close<'_, E>) -> Result<(), E> {
        if self.group.len() > 0 {
            self.end_group(close)?;
        }
        if self.ends.is_empty() { Ok(()) } else { self.close_block(true, close) }
    }

    fn end_group<E>(&mut self, close: &mut Close<'_, E>) -> Result<(), E> {
        self.encoded.clear();
        self.group.encode(&mut self.encoded);
        let size = TABLE + PER_GROUP * (self.ends.len() + 1) + self.groups.len() + self.encoded.len();
        if !self.ends.is_empty() && size + 2 * self.group.last().len() > self.limit {
            self.close_block(false, close)?;
        }
        self.groups.extend_from_slice(&self.encoded);
        self.ends.push(self.groups.len());
        self.firsts.extend_from_slice(self.group.key(0));
        self.first_ends.push(self.firsts.len());
        self.last.clear();
        self.last.extend_from_slice(self.group.last());
        self.group.clear();
        Ok(())
    }

    fn close_block<E>(&mut self, is_last: bool, close: &mut Close<'_, E>) -> Result<(), E> {
        let first = part(&self.firsts, &self.first_ends, 0);
        let skip = common(first, &self.last).min(usize::from(u16::MAX));
        self.block.clear();
        self.block.extend_from_slice(&(self.ends.len() as u16).to_le_bytes());
        self.block.extend_from_slice(&(skip as u16).to_le_bytes());
        for n in 0..self.ends.len() {
            let head = head_of(part(&self.firsts, &self.first_ends, n), skip);
            self.block.extend_from_slice(&head.to_le_bytes());
        }
        for &end in &self.ends {
            // The end of a group that is too large for it is the end of the block.
            let end = u16::try_from(end).unwrap_or(u16::MAX);
            self.block.extend_from_slice(&end.to_le_bytes());
        }
        self.block.extend_from_slice(&self.groups);
        let closed = close(Closed { bytes: &self.block, first, last: &self.last, is_last });
        self.groups.clear();
        self.ends.clear();
        self.firsts.clear();
        self.first_ends.clear();
        closed
    }
}
