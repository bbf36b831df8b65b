//! Positions that were written: read back without asking a game that cannot read.

use super::state::{Code, PyState};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// Positions by what was written for them.
pub(super) struct Memory<K>(Mutex<HashMap<K, PyState>>);

/// By bytes, for games without `unpack`.
pub(super) type Codes = Memory<Code>;
/// By text, for games without `parse`.
pub(super) type Texts = Memory<String>;

impl<K: Eq + Hash> Memory<K> {
    pub(super) fn new() -> Self {
        Memory(Mutex::default())
    }

    /// The first position that was written so: this one, unless another was before.
    pub(super) fn first(&self, written: K, state: &PyState) -> PyState {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(written).or_insert_with(|| state.clone()).clone()
    }

    /// The position that was written so.
    pub(super) fn get<Q: Eq + Hash + ?Sized>(&self, written: &Q) -> Option<PyState>
    where
        K: std::borrow::Borrow<Q>,
    {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(written).cloned()
    }
}
