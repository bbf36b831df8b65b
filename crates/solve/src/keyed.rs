//! Tables of positions found by their exact keys: any game, any set of positions.

use crate::code;
use crate::error::FileError;
use crate::file::{Absent, Info, Layout, TableFile, Writer};
use crate::strong::Solution;
use std::path::Path;
use tabia_core::{Game, Packed, Probe, ProbeError, Value};

/// Writes a solved game to a file.
pub fn write<G: Game>(solution: &Solution<G>, about: &str, path: &Path) -> Result<Info, FileError> {
    let info = Info::new(solution.game().variant(), about, Layout::Keyed);
    let mut writer = Writer::create(path, info)?;
    for (key, code) in solution.entries() {
        writer.push(key.as_bytes(), code)?;
    }
    writer.finish()
}

/// Writes the positions of a puzzle that can be solved, with the number of moves that takes. Any other
/// position of the family is thereby known to be lost. Keys may come in any order, each once.
pub fn write_solvable<G: Game>(
    game: &G,
    about: &str,
    positions: impl IntoIterator<Item = (G::Packed, u16)>,
    path: &Path,
) -> Result<Info, FileError> {
    let mut all: Vec<(G::Packed, u16)> = positions.into_iter().collect();
    sort_by_bytes(&mut all);
    let info = Info { absent: Absent::Lost, ..Info::new(game.variant(), about, Layout::Keyed) };
    let mut writer = Writer::create(path, info)?;
    for (key, moves) in all {
        writer.push(key.as_bytes(), code::encode(Value::Win(moves)))?;
    }
    writer.finish()
}

/// Puts keys with their values into the order of files.
pub fn sort_by_bytes<K: Packed>(all: &mut [(K, u16)]) {
    all.sort_unstable_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
}

/// A keyed file together with the rules of its game.
pub struct KeyedTable<G: Game> {
    game: G,
    file: TableFile,
}

impl<G: Game> KeyedTable<G> {
    /// Opens a file; one of another game or of other options is refused.
    pub fn open(game: G, path: &Path) -> Result<Self, FileError> {
        let table = Self::new(game, TableFile::open(path)?)?;
        Ok(table)
    }

    /// Takes an open file; one of another game or of other options is refused.
    pub fn new(game: G, file: TableFile) -> Result<Self, FileError> {
        let info = file.info();
        if info.variant != game.variant() || info.layout != Layout::Keyed {
            let message = format!("a table of {}, but one of {} is needed", info.variant, game.variant());
            return Err(FileError::foreign(file.path(), message));
        }
        Ok(KeyedTable { game, file })
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The file.
    pub fn file(&self) -> &TableFile {
        &self.file
    }

    /// The value of a position; `None` when the table does not have it.
    pub fn get(&self, state: &G::State) -> Result<Option<Value>, FileError> {
        let key = self.game.pack_canonical(state);
        let code = self.file.get(key.as_bytes())?;
        Ok(code.map(code::decode).or((self.file.info().absent == Absent::Lost).then_some(Value::Loss(0))))
    }
}

impl<G: Game> Probe<G> for KeyedTable<G> {
    fn probe(&self, state: &G::State) -> Option<Value> {
        // A damaged block has no answer: `try_probe` says so.
        self.get(state).ok().flatten()
    }

    fn try_probe(&self, state: &G::State) -> Result<Option<Value>, ProbeError> {
        Ok(self.get(state)?)
    }

    fn has_distances(&self) -> bool {
        self.file.info().precision == crate::file::Precision::Distance
    }
}
