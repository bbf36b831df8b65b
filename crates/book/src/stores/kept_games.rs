//! What a book kept as runs knows of whose games they were: a file beside each run.
//!
//! ```text
//! "TABIAGMS", version u16
//! games    number, then of each its id (16 bytes), the length of its record and the record (`kept.rs`)
//! visits   number, then of each the length of its key, the key and its sealed result u32
//! crc32 of all of it
//! ```
//!
//! Numbers and lengths are LEB128, the rest is little-endian. The number of a variant is another one in every book that
//! the files are read into: keys are without it, and moves have a zero in its place.

use crate::kept::{open_visit, result_byte, seal_visit};
use crate::{Error, GameId, KeptGame, KeptGames, Result, varint};
use std::io::Write as _;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"TABIAGMS";
const VERSION: u16 = 1;

/// The file beside a run.
pub(super) fn beside(run: &Path) -> PathBuf {
    run.with_extension("games")
}

/// Writes what a commit keeps; nothing, where it keeps nothing.
pub(super) fn write(run: &Path, kept: &KeptGames) -> Result<()> {
    if kept.games.is_empty() && kept.visits.is_empty() {
        return Ok(());
    }
    let path = beside(run);
    let temporary = path.with_extension("games-part");
    let mut file = tabia_disk::File::create(&temporary).map_err(Error::io(&temporary))?;
    file.write_all(&encode(kept)).and_then(|()| file.sync_all()).map_err(Error::io(&temporary))?;
    tabia_disk::rename(&temporary, &path).map_err(Error::io(&path))
}

/// Reads what is kept beside a run, for a book in which its variant has this number.
pub(super) fn read(run: &Path, variant: u8) -> Result<KeptGames> {
    let path = beside(run);
    if !tabia_disk::exists(&path) {
        return Ok(KeptGames::default());
    }
    let bytes = tabia_disk::read(&path).map_err(Error::io(&path))?;
    decode(&bytes, variant).ok_or_else(|| Error::damaged(path.display(), "its games cannot be read"))
}

fn encode(kept: &KeptGames) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    varint::put(&mut bytes, kept.games.len() as u64);
    for game in &kept.games {
        let record = numbered(game.clone(), 0).encode();
        bytes.extend_from_slice(&game.id.0);
        varint::put(&mut bytes, record.len() as u64);
        bytes.extend_from_slice(&record);
    }
    varint::put(&mut bytes, kept.visits.len() as u64);
    for (key, result) in &kept.visits {
        let key = key.get(1..).unwrap_or_default();
        varint::put(&mut bytes, key.len() as u64);
        bytes.extend_from_slice(key);
        bytes.extend_from_slice(&seal_visit(key, *result).to_le_bytes());
    }
    let sum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

fn decode(bytes: &[u8], variant: u8) -> Option<KeptGames> {
    let (body, sum) = bytes.split_last_chunk::<4>()?;
    let rest = body.strip_prefix(MAGIC)?.strip_prefix(&VERSION.to_le_bytes())?;
    if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
        return None;
    }
    let (mut rest, mut kept) = (rest, KeptGames::default());
    for _ in 0..varint::take(&mut rest)? {
        let id = GameId(varint::take_slice(&mut rest, 16)?.try_into().ok()?);
        let game = KeptGame::decode(id, varint::take_sized(&mut rest)?)?;
        kept.games.push(numbered(game, variant));
    }
    for _ in 0..varint::take(&mut rest)? {
        let key = varint::take_sized(&mut rest)?;
        let sealed = varint::take_slice(&mut rest, 4)?.try_into().ok()?;
        let result = result_byte(open_visit(key, u32::from_le_bytes(sealed))?);
        kept.visits.push(([&[variant], key].concat(), result));
    }
    rest.is_empty().then_some(kept)
}

/// A game whose variant has this number.
fn numbered(mut game: KeptGame, variant: u8) -> KeptGame {
    if let Some(moves) = &mut game.moves {
        moves.variant = variant;
    }
    game
}
