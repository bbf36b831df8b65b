//! Statistics of played games per position and move.
