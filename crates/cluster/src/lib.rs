//! Work that outgrows one machine: the same answers as on one, from many.
//!
//! | module | what |
//! |---|---|
//! | [`Hosts`], [`Cluster`] | who takes part; connections, signs of life, the end of all when one is lost |
//! | [`net`] | steps: everybody sends, everybody receives, nobody goes on before all has arrived |
//! | [`mod@enumerate`] | all positions, level by level |
//! | [`mod@solve`] | the value of every position, backwards along stored edges |
//! | [`tablebase`] | ending tables, slice by slice |
//! | [`outcomes`] | the same without distances, level by level |
//! | [`book`] | files of games into sorted runs |
//! | [`status`] | what each worker is doing |
//!
//! Messages travel by [timely dataflow](https://docs.rs/timely), which is used here and nowhere else. It has no
//! recovery, no limit to what is in flight and no storage: level files, receipts and shards are ours.

mod backward;
pub mod book;
mod codec;
mod edges;
pub mod enumerate;
mod error;
mod explore;
mod flat;
mod folder;
mod games;
mod group;
mod hello;
mod holding;
mod hosts;
mod level;
mod levels;
mod life;
mod manifest;
mod mesh;
pub mod net;
pub mod outcomes;
mod owned;
mod pages;
mod parts;
mod post;
mod run;
mod runs;
mod runs_folder;
mod shard;
pub mod solve;
pub mod status;
pub mod tablebase;
mod wire;

pub use error::ClusterError;
pub use hello::Task;
pub use hosts::Hosts;
pub use run::{Cluster, MOST_WORKERS};
