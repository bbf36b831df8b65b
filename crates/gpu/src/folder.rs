//! Tables of a GPU in the files of all tables: written slice by slice, read back, checked.

use crate::endings::{Finished, Shelf, Values, name};
use crate::error::GpuError;
use std::path::{Path, PathBuf};
use tabia_core::{Index, Slice, Value};
use tabia_draughts::Draughts;
use tabia_solve::code;
use tabia_solve::file::{Info, Layout, Precision, Writer, write_outcomes};
use tabia_solve::slices::{file_name, open_slice};
use tabia_solve::{FileError, slices};

/// A folder with one file per slice.
pub struct Folder {
    path: PathBuf,
    rules: Draughts,
    precision: Precision,
    threads: usize,
    /// Whether a slice that is not there is an error.
    complete: bool,
    /// Slices that were there already.
    pub kept: u64,
    /// Bytes of all files.
    pub bytes: u64,
}

impl Folder {
    /// A folder to build into; what is there already is kept.
    pub fn create(
        path: &Path,
        rules: Draughts,
        precision: Precision,
        threads: usize,
    ) -> Result<Folder, GpuError> {
        tabia_disk::create_dir_all(path).map_err(FileError::io(path))?;
        let path = path.to_owned();
        Ok(Folder { path, rules, precision, threads, complete: false, kept: 0, bytes: 0 })
    }

    /// A folder that has every slice.
    pub fn complete(path: &Path, rules: Draughts, precision: Precision) -> Folder {
        Folder { path: path.to_owned(), rules, precision, threads: 1, complete: true, kept: 0, bytes: 0 }
    }

    fn file(&self, slice: Slice) -> PathBuf {
        self.path.join(file_name(&self.rules, slice))
    }

    fn write(&self, slice: Slice, values: &Values) -> Result<(), FileError> {
        let info = Info::new(tabia_core::Game::variant(&self.rules), name(slice), Layout::Indexed);
        let (path, positions) = (self.file(slice), self.rules.slice_len(slice));
        if self.precision == Precision::Outcome {
            write_outcomes(&path, info, &values.verdicts, positions, self.threads)?;
            return Ok(());
        }
        let mut writer = Writer::create(&path, info)?;
        for (at, half) in values.plies.iter().enumerate() {
            let plies = 2 * u16::from(*half);
            writer.push_code(code::encode(match values.verdicts[at / 4] >> (2 * (at % 4)) & 3 {
                0 => Value::Draw,
                1 => Value::Loss(plies),
                _ => Value::Win(plies + 1),
            }))?;
        }
        writer.finish()?;
        Ok(())
    }
}

impl Shelf for Folder {
    fn load(&mut self, slice: Slice) -> Result<Option<Values>, GpuError> {
        let path = self.file(slice);
        if !self.complete && !tabia_disk::exists(&path) {
            return Ok(None);
        }
        let file = open_slice(&self.rules, slice, &path)?;
        if self.precision == Precision::Distance && file.info().precision == Precision::Outcome {
            return Ok(None);
        }
        let codes = file.all_codes()?;
        let plies = match self.precision {
            Precision::Outcome => Vec::new(),
            Precision::Distance => codes.iter().map(|code| half_plies(*code)).collect(),
        };
        let slices::Codes::Outcome(verdicts) = slices::Codes::new(codes, Precision::Outcome) else {
            return Ok(None);
        };
        self.kept += 1;
        self.bytes += file.size();
        Ok(Some(Values { verdicts, plies }))
    }

    fn store(
        &mut self,
        finished: &Finished,
        values: &dyn Fn() -> Result<Values, GpuError>,
    ) -> Result<(), GpuError> {
        let path = self.file(finished.slice);
        self.write(finished.slice, &values()?)?;
        self.bytes += tabia_disk::size(&path).map_err(FileError::io(&path))?;
        Ok(())
    }
}

fn half_plies(code: u16) -> u8 {
    match code::decode(code) {
        Value::Win(plies) | Value::Loss(plies) => (plies / 2) as u8,
        _ => 0,
    }
}
