//! Tablebases by perfect index: slice after slice, each from the slices it leads to.
//!
//! | | |
//! |---|---|
//! | [`Plan`] | what a build will take: positions, memory |
//! | [`build()`] | builds all slices into a folder, one file each; what is there already is kept |
//! | [`build_groups()`] | the same for some of the slices |
//! | [`build_outcomes()`] | the same without distances, level by level: much faster |
//! | [`outside()`], [`solve_block()`] | one block of a level by itself, for who shares them out among machines |
//! | [`Builder`] | the same in memory, group after group |
//! | [`SliceFolder`] | probes the folder |
//! | [`digests()`] | a number for each slice, to compare tables by |
//! | [`verify()`] | checks it with the game's own move generator |

mod block;
mod board;
mod build;
mod crew;
mod digest;
mod folder;
mod memory;
mod solve;
mod verdicts;
mod verify;

pub use block::{outside, solve_block};
pub use build::{BuildOptions, BuildReport, Builder, Plan, build, build_groups, build_outcomes};
pub use digest::{Digest, digests};
pub use folder::{SliceFolder, file_name, open_slice};
pub use memory::Codes;
pub use verify::verify;
