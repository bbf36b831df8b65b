//! A folder with one file per slice.

use crate::code;
use crate::error::FileError;
use crate::file::{Layout, Precision, TableFile};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::OnceLock;
use tabia_core::{Index, Probe, ProbeError, Slice, Spot, Value};

/// The name of the file of a slice.
pub fn file_name<G: Index>(game: &G, slice: Slice) -> String {
    format!("{}-{}.tbl", game.id(), game.slice_name(slice))
}

/// Opens the file of a slice; one of another game or slice is refused.
pub fn open_slice<G: Index>(game: &G, slice: Slice, path: &Path) -> Result<TableFile, FileError> {
    let file = TableFile::open(path)?;
    let info = file.info();
    let fits = info.variant == game.variant()
        && info.layout == Layout::Indexed
        && info.slice == game.slice_name(slice)
        && info.positions == game.slice_len(slice);
    if fits {
        return Ok(file);
    }
    let message =
        format!("slice {} of {}, but {} is needed", info.slice, info.variant, game.slice_name(slice));
    Err(FileError::foreign(path, message))
}

/// The slices found in a folder.
pub struct SliceFolder<G: Index> {
    game: G,
    files: FxHashMap<Slice, TableFile>,
    pieces: u32,
    distances: bool,
    /// The first damage that a search has met.
    damage: OnceLock<String>,
}

impl<G: Index> SliceFolder<G> {
    /// Opens the slice files of a folder; other files there are left alone.
    pub fn open(game: G, folder: &Path) -> Result<Self, FileError> {
        let mut files = FxHashMap::default();
        let prefix = format!("{}-", game.id());
        for path in tabia_disk::list(folder).map_err(FileError::io(folder))? {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let slice = name.strip_prefix(&prefix).and_then(|name| name.strip_suffix(".tbl"));
            if let Some(slice) = slice.and_then(|name| game.slice_named(name)) {
                files.insert(slice, open_slice(&game, slice, &path)?);
            }
        }
        if files.is_empty() {
            // No table of this game, which whoever looks for others passes over.
            let message = format!("no tables of {} in this folder", game.variant());
            return Err(FileError::foreign(folder, message));
        }
        let pieces = files.keys().map(|slice| game.slice_pieces(*slice)).max().unwrap_or(0);
        let distances = files.values().all(|file| file.info().precision == Precision::Distance);
        Ok(SliceFolder { game, files, pieces, distances, damage: OnceLock::new() })
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The most pieces of any slice that is there.
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    /// The files in the order of building.
    pub fn files(&self) -> Vec<(Slice, &TableFile)> {
        let order = self.game.slice_groups(self.pieces).concat();
        order.into_iter().filter_map(|slice| Some((slice, self.files.get(&slice)?))).collect()
    }

    /// The code of a place; `None` when its slice is not there.
    pub fn code(&self, spot: Spot) -> Result<Option<u16>, FileError> {
        self.files.get(&spot.slice).map_or(Ok(None), |file| file.get_index(spot.index))
    }

    /// The value of a position; `None` when its slice is not there.
    pub fn get(&self, state: &G::State) -> Result<Option<Value>, FileError> {
        match self.game.locate(state) {
            Some(spot) => Ok(self.code(spot)?.map(code::decode)),
            None => Ok(self.game.settled(state).map(|outcome| outcome.value_for(self.game.side(state)))),
        }
    }
}

impl<G: Index> Probe<G> for SliceFolder<G> {
    fn probe(&self, state: &G::State) -> Option<Value> {
        // A search asks at every node, and knows by itself what is over.
        let spot = self.game.locate(state)?;
        // A damaged block has no answer: whoever searches goes on without it and asks for the fault at the end.
        let code = self.code(spot).unwrap_or_else(|error| {
            self.damage.get_or_init(|| error.to_string());
            None
        });
        code.map(code::decode)
    }

    fn fault(&self) -> Option<String> {
        self.damage.get().cloned()
    }

    fn try_probe(&self, state: &G::State) -> Result<Option<Value>, ProbeError> {
        Ok(self.get(state)?)
    }

    fn has_distances(&self) -> bool {
        self.distances
    }
}
