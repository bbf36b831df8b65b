//! The index at the end of a run.
//!
//! ```text
//! foot   = rows games wins0 wins1 draws met played  { block }  { ids }      counts first: varints
//! block  = offset, length of the first key, first key                       preceded by their number
//! ids    = offset, then the first id                                        preceded by their number
//! ```

use crate::fences::Fences;
use crate::{Counts, GameId, Ledger, varint};

/// What a run contains and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Foot {
    pub(crate) rows: u64,
    pub(crate) games: u64,
    pub(crate) ledger: Ledger,
    /// The offset of each block of rows.
    pub(crate) blocks: Vec<u64>,
    /// The first key of each block of rows.
    pub(crate) firsts: Fences,
    /// Offset and first id of each block of ids.
    pub(crate) ids: Vec<(u64, GameId)>,
}

impl Foot {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let Ledger { games, met, played } = self.ledger;
        for n in [self.rows, self.games, games.wins0, games.wins1, games.draws, met, played] {
            varint::put(&mut out, n);
        }
        varint::put(&mut out, self.blocks.len() as u64);
        for (n, offset) in self.blocks.iter().enumerate() {
            let key = self.firsts.key(n);
            varint::put(&mut out, *offset);
            varint::put(&mut out, key.len() as u64);
            out.extend_from_slice(key);
        }
        varint::put(&mut out, self.ids.len() as u64);
        for (offset, id) in &self.ids {
            varint::put(&mut out, *offset);
            out.extend_from_slice(&id.0);
        }
        out
    }

    pub(crate) fn decode(mut bytes: &[u8]) -> Option<Foot> {
        let bytes = &mut bytes;
        let mut foot = Foot { rows: varint::take(bytes)?, games: varint::take(bytes)?, ..Foot::default() };
        let (wins0, wins1, draws) = (varint::take(bytes)?, varint::take(bytes)?, varint::take(bytes)?);
        let (met, played) = (varint::take(bytes)?, varint::take(bytes)?);
        foot.ledger = Ledger { games: Counts { wins0, wins1, draws }, met, played };
        for _ in 0..varint::take(bytes)? {
            let offset = varint::take(bytes)?;
            foot.blocks.push(offset);
            foot.firsts.push(varint::take_sized(bytes)?);
        }
        for _ in 0..varint::take(bytes)? {
            let offset = varint::take(bytes)?;
            foot.ids.push((offset, GameId(varint::take_slice(bytes, 16)?.try_into().ok()?)));
        }
        bytes.is_empty().then_some(foot)
    }
}
