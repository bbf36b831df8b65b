//! The runs of a book on this machine, and how those of an import become a part of it.
//!
//! ```text
//! import-0007.003-0001.new   a run of import 7, written by worker 3, not yet a part of the book
//! import-0007.commit         on the machine of process 0: all runs of import 7 are safe everywhere
//! import-0007.003-0001.run   a part of the book
//! ```
//! An import that was killed before its mark was made leaves nothing; one killed after it is completed by the next.

use crate::error::ClusterError;
use crate::level::replace;
use crate::net::Net;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tabia_book::runs::{EXTENSION, Run, RunWriter};
use tabia_book::{Fingerprint, GameId, Ledger, Row};

/// The runs of a machine.
pub(crate) struct RunsFolder {
    path: PathBuf,
    variant: String,
    fingerprint: Fingerprint,
    /// The number of the import.
    number: u64,
    written: Vec<PathBuf>,
    /// Whether this worker looks after the folder: the first of its process does.
    first: bool,
    /// Whether this worker makes the mark.
    marks: bool,
}

/// The number in the name of a file of an import.
fn number_of(path: &Path) -> Option<u64> {
    path.file_name()?.to_str()?.strip_prefix("import-")?.split('.').next()?.parse().ok()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|known| known == extension)
}

impl RunsFolder {
    /// Opens a folder, or makes it; an import that was killed is completed, or forgotten.
    pub(crate) fn open(
        net: &mut Net<'_>,
        path: &Path,
        variant: &str,
        fingerprint: &Fingerprint,
        workers_of_process: usize,
    ) -> Result<RunsFolder, ClusterError> {
        tabia_disk::create_dir_all(path).map_err(ClusterError::io(path))?;
        let mut folder = RunsFolder {
            path: path.to_owned(),
            variant: variant.to_owned(),
            fingerprint: fingerprint.clone(),
            number: 0,
            written: Vec::new(),
            first: net.me().is_multiple_of(workers_of_process),
            marks: net.me() == 0,
        };
        folder.sort_out(net)?;
        let numbers = folder.files()?;
        let last = numbers.iter().filter_map(|path| number_of(path)).max();
        let [next] = net.max([last.map_or(0, |last| last + 1)])?;
        folder.number = next;
        Ok(folder)
    }

    fn files(&self) -> Result<Vec<PathBuf>, ClusterError> {
        tabia_disk::list(&self.path).map_err(ClusterError::io(&self.path))
    }

    /// Completes imports that have their mark, and removes what others have left.
    fn sort_out(&self, net: &mut Net<'_>) -> Result<(), ClusterError> {
        let files = self.files()?;
        let marks =
            files.iter().filter(|path| has_extension(path, "commit")).filter_map(|path| number_of(path));
        let bytes: Vec<u8> = marks.flat_map(u64::to_le_bytes).collect();
        let mut complete = BTreeSet::new();
        for theirs in net.gather(&bytes)? {
            complete.extend(theirs.as_chunks::<8>().0.iter().map(|number| u64::from_le_bytes(*number)));
        }
        if self.first {
            for path in files.iter().filter(|path| has_extension(path, "new") || has_extension(path, "part"))
            {
                let whole =
                    has_extension(path, "new") && number_of(path).is_some_and(|n| complete.contains(&n));
                let done = if whole {
                    tabia_disk::rename(path, path.with_extension(EXTENSION))
                } else {
                    tabia_disk::remove_file(path)
                };
                // Another process may look into the same folder.
                if let Err(error) = done.or_else(gone) {
                    return Err(ClusterError::io(path)(error));
                }
            }
        }
        net.sum([0])?;
        if self.first {
            for path in files.iter().filter(|path| has_extension(path, "commit")) {
                tabia_disk::remove_file(path).or_else(gone).map_err(ClusterError::io(path))?;
            }
        }
        net.sum([0])?;
        Ok(())
    }

    /// The games of all runs in the folder; one worker of a process tells them.
    pub(crate) fn ids(&self) -> Result<Vec<GameId>, ClusterError> {
        let mut ids = Vec::new();
        for path in self.files()?.iter().filter(|path| self.first && has_extension(path, EXTENSION)) {
            let run = Run::open(path)?;
            if run.variant() == self.variant && *run.fingerprint() != self.fingerprint {
                let (place, variant) = (path.display().to_string(), self.variant.clone());
                return Err(tabia_book::Error::Encoding { place, variant }.into());
            }
            for id in run.ids() {
                ids.push(id?);
            }
        }
        Ok(ids)
    }

    /// Writes a run, which is not a part of the book yet; its bytes.
    pub(crate) fn write(
        &mut self,
        worker: usize,
        rows: &BTreeMap<Vec<u8>, Row>,
        mut ids: Vec<GameId>,
        ledger: Ledger,
    ) -> Result<u64, ClusterError> {
        let name = format!("import-{:04}.{worker:03}-{:04}.new", self.number, self.written.len());
        let path = self.path.join(name);
        let mut writer = RunWriter::create(&path, &self.variant, &self.fingerprint)?;
        for (key, row) in rows {
            writer.row(key, row)?;
        }
        ids.sort_unstable();
        writer.finish(ids.into_iter().map(Ok), ledger)?;
        let bytes = tabia_disk::size(&path).map_err(ClusterError::io(&path))?;
        self.written.push(path);
        Ok(bytes)
    }

    /// Makes the runs of all workers a part of the book.
    pub(crate) fn commit(&mut self, net: &mut Net<'_>) -> Result<(), ClusterError> {
        let [written] = net.sum([self.written.len() as u64])?;
        if written == 0 {
            return Ok(());
        }
        let mark = self.path.join(format!("import-{:04}.commit", self.number));
        if self.marks {
            replace(&mark, |out| out.write_all(b"all runs of this import are safe\n"))?;
        }
        net.sum([0])?;
        for path in self.written.drain(..) {
            tabia_disk::rename(&path, path.with_extension(EXTENSION)).map_err(ClusterError::io(&path))?;
        }
        net.sum([0])?;
        if self.marks {
            tabia_disk::remove_file(&mark).map_err(ClusterError::io(&mark))?;
        }
        Ok(())
    }
}

/// What is not there any more needs no work.
fn gone(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}
