//! The header of a tablebase file.

use crate::code;
use serde::Serialize;

/// The first bytes of every tablebase file.
pub(super) const MAGIC: &[u8; 8] = b"TABIATBL";
/// The version written, and the only one read.
pub(super) const VERSION: u16 = 1;
/// Bytes before the two texts.
pub(super) const FIXED: usize = 88;

/// How entries are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// By exact key.
    Keyed,
    /// By number.
    Indexed,
}

/// How much is said of each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// Win, draw, loss or unknown: two bits.
    Outcome,
    /// The same with the exact distance in plies: two bytes.
    Distance,
}

/// What it means that a keyed file does not have a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Absent {
    /// Nothing is known of it.
    Unknown,
    /// It is lost: the file has all positions of its family that are not (solvable positions of a puzzle).
    Lost,
}

/// What a file says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Info {
    /// The game with its options ([`tabia_core::Game::variant`]).
    pub variant: String,
    /// The slice, in indexed files; in keyed ones a word on what the positions are.
    pub slice: String,
    /// How entries are found.
    pub layout: Layout,
    /// How much is said of each position.
    pub precision: Precision,
    /// What it means that a position is not there.
    pub absent: Absent,
    /// Entries per block; the last block may have fewer.
    pub block_len: u32,
    /// Entries, gaps included.
    pub positions: u64,
    /// Those that the side to move wins.
    pub wins: u64,
    /// Those that are drawn.
    pub draws: u64,
    /// Those that the side to move loses.
    pub losses: u64,
    /// Plies of the longest win.
    pub longest: u16,
}

/// Entries per block of an indexed file.
const INDEXED_BLOCK: u32 = 8192;

impl Info {
    /// Bytes of a whole block of an indexed file of outcomes.
    pub(crate) const OUTCOME_BYTES: usize = INDEXED_BLOCK as usize / 4;

    /// An empty table of a variant, with distances.
    pub fn new(variant: impl Into<String>, slice: impl Into<String>, layout: Layout) -> Self {
        Info {
            variant: variant.into(),
            slice: slice.into(),
            layout,
            precision: Precision::Distance,
            absent: Absent::Unknown,
            block_len: if layout == Layout::Keyed { 512 } else { INDEXED_BLOCK },
            positions: 0,
            wins: 0,
            draws: 0,
            losses: 0,
            longest: 0,
        }
    }

    /// Entries with a value. The others of an indexed file are gaps: numbers that stand for no position.
    pub fn valued(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Counts one more entry.
    pub(super) fn count(&mut self, code: u16) {
        self.positions += 1;
        if code == code::DRAW {
            self.draws += 1;
        } else if code != code::UNKNOWN {
            if code::is_win(code) {
                self.wins += 1;
                self.longest = self.longest.max(code::distance(code));
            } else {
                self.losses += 1;
            }
        }
    }

    pub(super) fn header_len(&self) -> usize {
        FIXED + self.variant.len() + self.slice.len() + 4
    }

    /// The header; `blocks` and `index_at` say how many blocks there are and where their index stands.
    pub(super) fn to_bytes(&self, blocks: u64, index_at: u64) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.header_len());
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.push(u8::from(self.layout == Layout::Indexed));
        out.push(u8::from(self.precision == Precision::Distance));
        out.push(u8::from(self.absent == Absent::Lost));
        out.push(0);
        out.extend_from_slice(&self.longest.to_le_bytes());
        for number in [self.positions, self.wins, self.draws, self.losses, blocks, index_at] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&self.block_len.to_le_bytes());
        out.extend_from_slice(&(self.variant.len() as u16).to_le_bytes());
        out.extend_from_slice(&(self.slice.len() as u16).to_le_bytes());
        out.resize(FIXED, 0);
        out.extend_from_slice(self.variant.as_bytes());
        out.extend_from_slice(self.slice.as_bytes());
        out.extend_from_slice(&crc32fast::hash(&out).to_le_bytes());
        out
    }

    /// Reads a header: what it says, the number of blocks, and where their index stands.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<(Info, u64, u64), String> {
        let fixed = bytes.get(..FIXED).ok_or("cut short in the header")?;
        if fixed[..8] != *MAGIC {
            return Err("not a tablebase: it does not begin with TABIATBL".to_owned());
        }
        let (u16_at, u64_at) = (
            |at: usize| u16::from_le_bytes([fixed[at], fixed[at + 1]]),
            |at: usize| u64::from_le_bytes(std::array::from_fn(|i| fixed[at + i])),
        );
        if u16_at(8) != VERSION {
            return Err(format!("version {} of the format, but only {VERSION} can be read", u16_at(8)));
        }
        let (variant_len, slice_len) = (usize::from(u16_at(68)), usize::from(u16_at(70)));
        let end = FIXED + variant_len + slice_len;
        let crc = bytes.get(end..end + 4).ok_or("cut short in the header")?;
        if crc != crc32fast::hash(&bytes[..end]).to_le_bytes() {
            return Err("the checksum of the header does not fit".to_owned());
        }
        let text = |range: std::ops::Range<usize>| {
            String::from_utf8(bytes[range].to_vec()).map_err(|e| e.to_string())
        };
        let info = Info {
            variant: text(FIXED..FIXED + variant_len)?,
            slice: text(FIXED + variant_len..end)?,
            layout: if fixed[10] == 0 { Layout::Keyed } else { Layout::Indexed },
            precision: if fixed[11] == 0 { Precision::Outcome } else { Precision::Distance },
            absent: if fixed[12] == 0 { Absent::Unknown } else { Absent::Lost },
            longest: u16_at(14),
            positions: u64_at(16),
            wins: u64_at(24),
            draws: u64_at(32),
            losses: u64_at(40),
            block_len: u32::from_le_bytes(std::array::from_fn(|i| fixed[64 + i])),
        };
        if info.block_len == 0 || info.positions.div_ceil(u64::from(info.block_len)) != u64_at(48) {
            return Err("the numbers of positions and blocks contradict each other".to_owned());
        }
        Ok((info, u64_at(48), u64_at(56)))
    }
}
