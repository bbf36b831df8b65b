//! Tablebases by perfect index: slice after slice, each from the slices it leads to.
//!
//! | | |
//! |---|---|
//! | [`Plan`] | what a build will take: positions, memory |
//! | [`build()`] | builds all slices into a folder, one file each; what is there already is kept |
//! | [`Builder`] | the same in memory, group after group |
//! | [`SliceFolder`] | probes the folder |
//! | [`verify()`] | checks it with the game's own move generator |

mod build;
mod folder;
mod memory;
mod solve;
mod verify;

pub use build::{BuildOptions, BuildReport, Builder, Plan, build};
pub use folder::{SliceFolder, file_name};
pub use memory::Codes;
pub use verify::verify;
