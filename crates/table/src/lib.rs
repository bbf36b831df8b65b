//! A fixed-size hash table that many threads read and write at once, without locks.
//!
//! A [`Table`] remembers 48 bits for a position's [`Key`](tabia_core::Key): a bound and a move for
//! alpha-beta, two proof numbers for proof-number search. It forgets when it is full: what is least
//! worth keeping (old and shallow) makes room. Nothing here knows what the bits mean.
//!
//! ```
//! use tabia_core::Key;
//! use tabia_table::Table;
//!
//! let table = Table::new(1 << 20)?;
//! table.store(Key(42), 7, 0xBEEF);
//! let entry = table.probe(Key(42)).expect("just stored, and nothing pushed it out");
//! assert_eq!((entry.payload, entry.worth), (0xBEEF, 7));
//! assert_eq!(table.probe(Key(43)), None);
//! # Ok::<(), tabia_table::TableError>(())
//! ```
//!
//! # Why a torn entry is never a hit
//!
//! An entry is two 64-bit words, each read and written at once, but not both together. One of them, the
//! check, is the key XOR the other. When a reader gets halves of two different writes, the XOR gives
//! back a key that is neither's (unless the other words were equal, and then nothing was torn), so
//! the entry is not recognised. The stress test would see one that is.
//!
//! All `unsafe` code of this crate is in the modules `find`, `mapped`, `memory` and `shelf`.

mod entry;
mod find;
mod mapped;
mod memory;
mod shelf;
mod table;

pub use entry::{Entry, PAYLOAD_BITS};
pub use mapped::MappedFile;
pub use shelf::{Card, Kept, Shelf};
pub use table::{Table, TableError};
