//! Statistics of played games per position and move.

mod batch;
mod counts;
mod error;
mod export;
mod fingerprint;
mod frame;
mod id;
pub mod import;
pub mod input;
pub mod jsonl;
mod polyglot;
mod query;
mod row;
pub mod runs;
mod store;
pub mod stores;
mod top;
mod varint;
mod verify;

pub use batch::{Batch, BatchRows, Played};
pub use counts::{Counts, wilson};
pub use error::{Error, Result};
pub use export::ExportRow;
pub use fingerprint::Fingerprint;
pub use id::GameId;
pub use import::enter;
pub use polyglot::PolyglotCode;
pub use query::{Book, MoveStats, PositionStats, QueryOptions, Sort};
pub use row::Row;
pub use store::{Commit, FORMAT, Increments, Ledger, Reader, RowVisitor, Store, StoreInfo, Variant};
pub use top::{TopBy, TopOptions, TopPosition};
pub use verify::{Verified, verify_bytes};
