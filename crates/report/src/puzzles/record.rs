//! A puzzle as it stands in files.

use serde::{Deserialize, Serialize};

/// How the claim of a puzzle was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verified {
    /// Read off tables of exact values.
    #[serde(rename = "tables")]
    Tables,
    /// By an exact solver.
    #[serde(rename = "solver")]
    Solver,
    /// By a full-width search to the end of the win.
    #[serde(rename = "proof")]
    Proof,
    /// By two searches that share nothing.
    #[serde(rename = "second search")]
    SecondSearch,
}

impl Verified {
    /// Its word in files.
    pub const fn name(self) -> &'static str {
        match self {
            Verified::Tables => "tables",
            Verified::Solver => "solver",
            Verified::Proof => "proof",
            Verified::SecondSearch => "second search",
        }
    }
}

/// A puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzleRecord {
    /// The position.
    pub position: String,
    /// The only right move.
    #[serde(rename = "move")]
    pub mv: String,
    /// How it goes on after it, as far as it was worked out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// What the move brings the side to move: `win`, `draw`, `solvable` or `gain`.
    pub value: String,
    /// How many plies that takes with best play; for a draw, how long the best of the wrong moves holds out.
    pub plies: u32,
    /// How hard it is: about 800 for the easiest, above 2000 for the hardest.
    pub rating: u16,
    /// What it is about, in a few words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub themes: Vec<String>,
    /// How the claim was verified.
    pub verified: Verified,
}

impl PuzzleRecord {
    /// A short name that depends on the position alone.
    pub fn id(&self) -> String {
        id_of(&self.position)
    }
}

/// The name of the puzzle about a position: seven letters and digits of its hash (FNV-1a).
pub fn id_of(position: &str) -> String {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let hash = position.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mut rest = tabia_core::rng::mix(hash);
    let mut id = String::new();
    for _ in 0..7 {
        id.push(char::from(DIGITS[(rest % 36) as usize]));
        rest /= 36;
    }
    id
}
