//! Files: those of the system, or in memory where there is no system.
//!
//! Tables and books are written and read as files everywhere. A browser has none, so that there this crate
//! keeps them in memory under the same names, and whoever carries Tabia there moves them to a place that
//! lasts (`memory::put`, `memory::changes`).

#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
pub mod memory;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use memory::{
    File, create_dir_all, exists, is_dir, is_file, list, read, remove_dir, remove_file, rename, size,
    temporary,
};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use system::{
    File, create_dir_all, exists, is_dir, is_file, list, read, remove_dir, remove_file, rename, size,
    temporary,
};
