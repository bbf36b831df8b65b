//! Positions of Python games: a Python value, its exact bytes, and what it was asked.

use super::moves::PyMove;
use pyo3::prelude::*;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};
use tabia_core::packed::to_hex;
use tabia_core::{Bytes, Key, Outcome, Packed, Side, rng};

/// The bytes of a position: who is to move, and what the game's `pack` gives.
pub type Code = Bytes<MOST_BYTES>;

/// The most bytes of an encoding.
pub(super) const MOST_BYTES: usize = 128;

/// A position: shared, never changed.
#[derive(Clone)]
pub struct PyState(Arc<Node>);

/// What is kept of a position.
pub struct Node {
    pub(super) object: Py<PyAny>,
    pub(super) side: Side,
    pub(super) code: Code,
    pub(super) key: Key,
    /// Filled when first asked for. Two threads may both work it out; nobody waits for another while attached.
    pub(super) answers: OnceLock<Answers>,
}

/// What the rules say of a position.
pub(crate) struct Answers {
    pub(super) outcome: Option<Outcome>,
    pub(super) moves: Vec<PyMove>,
}

impl PyState {
    pub(super) fn new(object: Py<PyAny>, side: Side, code: Code) -> Self {
        let mix = |hash: u64, &byte: &u8| rng::mix(hash ^ u64::from(byte)).wrapping_add(0x9E37_79B9);
        let key = Key(code.as_bytes().iter().fold(code.as_bytes().len() as u64, mix));
        PyState(Arc::new(Node { object, side, code, key, answers: OnceLock::new() }))
    }
}

impl std::ops::Deref for PyState {
    type Target = Node;

    fn deref(&self) -> &Node {
        &self.0
    }
}

/// Equal bytes and equal values: a `pack` that forgets something makes different positions of one code.
impl PartialEq for PyState {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || self.code == other.code
                && Python::try_attach(|py| self.object.bind(py).eq(other.object.bind(py)).unwrap_or(false))
                    .unwrap_or(false)
    }
}

impl Eq for PyState {}

impl Hash for PyState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.code.hash(hasher);
    }
}

impl std::fmt::Debug for PyState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = Python::try_attach(|py| self.object.bind(py).repr().map(|repr| repr.to_string()));
        match value {
            Some(Ok(value)) => f.write_str(&value),
            _ => f.write_str(&to_hex(self.code.as_bytes())),
        }
    }
}
