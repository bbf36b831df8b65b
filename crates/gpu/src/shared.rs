//! The structures that kernels and host share, as `kernels/draughts.h` and `kernels/solver.h` have them. Addresses are
//! those of the GPU's memory. A test compares sizes and offsets with what a C++ compiler makes of the headers.

use cudarc::driver::DeviceRepr;

/// The most pieces that one set of squares has here.
pub(crate) const MOST_CHOSEN: usize = 8;
/// Rows of the table of choices: up to 32 squares.
pub(crate) const CHOOSE_ROW: usize = 33;
/// The most levels of a group.
pub(crate) const LEVELS: usize = 64;
/// Slices by the four counts, three bits each.
pub(crate) const SLICES: usize = 1 << 12;
/// Threads of a block, and blocks that should fit into a multiprocessor.
pub(crate) const THREADS: u32 = 256;
pub(crate) const FITTING: u32 = 5;
/// Plies are counted up to this.
pub(crate) const PLIES: usize = 512;

/// Where a slice's values are, and what its numbers are made of.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slice {
    pub(crate) verdicts: u64,
    pub(crate) plies: u64,
    pub(crate) before: [u32; 5],
    pub(crate) king_ways: u32,
    pub(crate) other_ways: u32,
    pub(crate) unused: u32,
}

/// The tables that every kernel reads.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tables {
    pub(crate) choose: u64,
    pub(crate) slices: u64,
}

/// Lists of sets by number, for each size.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sets {
    pub(crate) by_size: [u64; MOST_CHOSEN + 1],
}

/// The pieces as the side to move sees them.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Half {
    pub(crate) sets: u64,
    pub(crate) other_sets: u64,
    pub(crate) men: u32,
    pub(crate) kings: u32,
    pub(crate) other_men: u32,
    pub(crate) other_kings: u32,
    pub(crate) other_ways: u32,
    pub(crate) slice: u32,
}

/// Some blocks of a level.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Batch {
    pub(crate) placements: u64,
    pub(crate) states: u64,
    pub(crate) plies: u64,
    pub(crate) queue: u64,
    pub(crate) tail: u64,
    pub(crate) waiting: u64,
    pub(crate) starts: u64,
    pub(crate) half: [Half; 2],
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) king_ways: u32,
    pub(crate) positions: u32,
    pub(crate) same: u32,
    pub(crate) unused: u32,
}

/// The men of a group, to be listed by levels.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Listing {
    pub(crate) sets: Sets,
    pub(crate) out: u64,
    pub(crate) before: [[u32; 5]; 2],
    pub(crate) men: u32,
    pub(crate) other_men: u32,
    pub(crate) placements: u32,
    pub(crate) same: u32,
}

/// A slice to be checked.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Check {
    pub(crate) sets: Sets,
    pub(crate) positions: u64,
    pub(crate) men: u32,
    pub(crate) kings: u32,
    pub(crate) other_men: u32,
    pub(crate) other_kings: u32,
    pub(crate) slice: u32,
    pub(crate) unused: u32,
}

/// What a finished slice has.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    pub(crate) wins: u64,
    pub(crate) losses: u64,
    pub(crate) digest: u64,
    pub(crate) longest: u64,
}

macro_rules! shared {
    ($($name:ident { $($field:ident),* }),* $(,)?) => {
        $(
            // SAFETY: plain numbers in the order and of the sizes that the kernels have; the tests compare them.
            unsafe impl DeviceRepr for $name {}
        )*
        /// Sizes and offsets, as the program for the tests writes them.
        #[cfg(test)]
        fn layout() -> Vec<String> {
            let mut lines = Vec::new();
            $(
                lines.push(format!("{} {}", stringify!($name), size_of::<$name>()));
                $(lines.push(format!(
                    "{}.{} {}", stringify!($name), stringify!($field), std::mem::offset_of!($name, $field)
                ));)*
            )*
            lines
        }
    };
}

shared!(
    Slice { plies, before, king_ways, other_ways },
    Tables { slices },
    Sets {},
    Half { other_sets, men, other_ways, slice },
    Batch { states, plies, queue, tail, waiting, starts, half, first, count, king_ways, positions, same },
    Listing { out, before, men, placements, same },
    Check { positions, men, slice },
    Sums { losses, digest, longest },
);
// SAFETY: all bits zero are zeros.
unsafe impl cudarc::driver::ValidAsZeroBits for Sums {}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Command;

    #[test]
    fn structures_are_those_of_the_kernels() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels");
        let made = tempfile::tempdir().unwrap();
        let program = made.path().join("host");
        let compile = |name: &&str| {
            let mut command = Command::new(name);
            command.args(["-std=c++17", "-o"]).arg(&program).arg(folder.join("host.cpp"));
            command.status().is_ok_and(|status| status.success())
        };
        if !["c++", "g++", "clang++"].iter().any(compile) {
            println!("skipped: structures_are_those_of_the_kernels: no C++ compiler");
            return;
        }
        let said = Command::new(program).arg("sizes").output().unwrap().stdout;
        let said: Vec<String> = String::from_utf8(said).unwrap().lines().map(str::to_owned).collect();
        assert_eq!(said, super::layout());
    }
}
