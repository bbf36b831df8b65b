//! A book served from run files: one run, or a folder of them. It can only be read.

use crate::runs::{EXTENSION, Merge, Run};
use crate::store::{FORMAT, FoundVisitor, Increments, Ledger, Reader, RowVisitor, StoreInfo, Variant};
use crate::{Error, GameId, Result, Row};
use std::path::{Path, PathBuf};

/// A book in run files.
pub struct RunsStore {
    path: PathBuf,
    /// The runs of each variant, whose number is its place plus 1.
    variants: Vec<Vec<Run>>,
}

impl RunsStore {
    /// Opens a run, or all runs of a folder.
    pub fn open(path: &Path) -> Result<Self> {
        let files = if tabia_disk::is_dir(path) { run_files(path)? } else { vec![path.to_owned()] };
        if files.is_empty() {
            return Err(Error::Missing(path.display().to_string()));
        }
        let mut variants: Vec<Vec<Run>> = Vec::new();
        for file in files {
            let run = Run::open(&file)?;
            match variants.iter_mut().find(|runs| runs[0].variant() == run.variant()) {
                Some(runs) if runs[0].fingerprint() == run.fingerprint() => runs.push(run),
                Some(_) => {
                    let place = file.display().to_string();
                    return Err(Error::Encoding { place, variant: run.variant().to_owned() });
                }
                None => variants.push(vec![run]),
            }
        }
        Ok(RunsStore { path: path.to_owned(), variants })
    }

    fn runs(&self, variant: u8) -> &[Run] {
        let at = usize::from(variant).checked_sub(1);
        at.and_then(|at| self.variants.get(at)).map_or(&[], Vec::as_slice)
    }

    /// Adds up the rows of all runs; `false` when there is none.
    fn read_row(&self, key: &[u8], sum: &mut Row) -> Result<bool> {
        let Some((&variant, packed)) = key.split_first() else { return Ok(false) };
        let (mut found, mut other) = (false, Row::default());
        for run in self.runs(variant) {
            if !found {
                found = run.read_row(packed, sum)?;
            } else if run.read_row(packed, &mut other)? {
                sum.add(&other);
            }
        }
        Ok(found)
    }

    fn is_known(&self, id: &GameId) -> Result<bool> {
        for run in self.variants.iter().flatten() {
            if run.knows(id)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The runs of a folder, in the order of their names.
pub(crate) fn run_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = tabia_disk::list(folder).map_err(Error::io(folder))?;
    files.retain(|path| path.extension().is_some_and(|e| e == EXTENSION));
    files.sort();
    Ok(files)
}

impl Reader for RunsStore {
    fn info(&self) -> Result<StoreInfo> {
        let runs = || self.variants.iter().flatten();
        Ok(StoreInfo {
            kind: "runs",
            place: self.path.display().to_string(),
            format: FORMAT,
            games: runs().map(Run::games).sum(),
            rows: runs().map(Run::rows).sum(),
            bytes: runs().map(Run::bytes).sum(),
        })
    }

    fn variants(&self) -> Result<Vec<Variant>> {
        let variant = |(number, runs): (u8, &Vec<Run>)| {
            let mut ledger = Ledger::default();
            for run in runs {
                ledger.add(run.ledger());
            }
            Variant {
                number,
                name: runs[0].variant().to_owned(),
                fingerprint: runs[0].fingerprint().clone(),
                ledger,
            }
        };
        Ok((1u8..).zip(&self.variants).map(variant).collect())
    }

    fn rows(&self, keys: &[Vec<u8>]) -> Result<Vec<Option<Row>>> {
        let row = |key: &Vec<u8>| {
            let mut row = Row::default();
            Ok(self.read_row(key, &mut row)?.then_some(row))
        };
        keys.iter().map(row).collect()
    }

    fn visit_rows(&self, keys: &[&[u8]], visit: &mut FoundVisitor<'_>) -> Result<()> {
        let mut row = Row::default();
        for (n, key) in keys.iter().enumerate() {
            if self.read_row(key, &mut row)? {
                visit(n, &row);
            }
        }
        Ok(())
    }

    fn scan(&self, variant: u8, visit: &mut RowVisitor<'_>) -> Result<()> {
        let mut rows = Merge::new(self.runs(variant), &[variant])?;
        while let Some((key, row)) = rows.next()? {
            if visit(key, row).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn known(&self, ids: &[GameId]) -> Result<Vec<bool>> {
        ids.iter().map(|id| self.is_known(id)).collect()
    }
}
