//! Ending tables of English draughts on a GPU: who wins every position of up to eight pieces, or how soon.
//!
//! The same algorithm as [`tabia_solve::slices::build_outcomes`], level by level, in kernels that are a second text of
//! the rules: `kernels/draughts.h` and `kernels/solver.h` compile as plain C++ too, and are compared with the rules in
//! Rust. Nothing of CUDA is needed to build this crate; the driver is looked for when a GPU is asked for.
//!
//! | | |
//! |---|---|
//! | [`Device`] | a GPU with the kernels on it |
//! | [`Plan`] | what a build will take of its memory |
//! | [`Endings`] | tables in its memory: built, checked, copied, asked |
//! | [`Folder`] | the same in files |
//! | [`Resident`] | tables that a search or a server asks |

mod device;
mod endings;
mod error;
mod folder;
mod material;
mod plan;
mod resident;
mod shared;
mod workshop;

pub use device::Device;
pub use endings::{Endings, Finished, NoShelf, Shelf, Values, name};
pub use error::GpuError;
pub use folder::Folder;
pub use plan::{MOST_PIECES, Plan};
pub use resident::Resident;
