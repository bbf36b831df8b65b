//! What every game must pass, generic over the traits of `tabia-core`.
//!
//! - [`laws`]: the law suite over random play; [`laws::key_table`] for the quality of Zobrist keys.
//! - [`perft_file`]: files of published counts.
//! - [`golden`]: playthroughs that pin keys and bytes for ever.
//! - [`parsers`] and [`strategies`]: property tests of everything that reads text.

pub mod golden;
pub mod laws;
pub mod parsers;
pub mod perft_file;
pub mod strategies;
