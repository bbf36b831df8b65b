//! Transposition tables.
