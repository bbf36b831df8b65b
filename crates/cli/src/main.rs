//! `tabia`: positions of board games, their codes, and answers about them.

use std::process::ExitCode;

// A server must give memory back: the allocator of the C library keeps up to 64 MB in each of its arenas for ever.
#[cfg(feature = "allocator")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    tabia_cli::run(tabia_app::Registry::standard())
}
