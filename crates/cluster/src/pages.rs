//! Files of a shard for what does not fit into memory. They are nobody's after the work: what is worth keeping is in
//! level files.

use crate::error::ClusterError;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The files of a worker; removed when nobody uses them any more.
#[derive(Debug)]
pub(crate) struct Scratch {
    folder: PathBuf,
    written: AtomicU64,
}

impl Scratch {
    pub(crate) fn new(folder: &Path, worker: usize) -> Result<Arc<Self>, ClusterError> {
        let folder = folder.join(format!("scratch-{worker:03}"));
        // What a killed run has left is of no use.
        let _ = std::fs::remove_dir_all(&folder);
        tabia_disk::create_dir_all(&folder).map_err(ClusterError::io(&folder))?;
        Ok(Arc::new(Scratch { folder, written: AtomicU64::new(0) }))
    }

    /// Bytes written so far.
    pub(crate) fn written(&self) -> u64 {
        self.written.load(Relaxed)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The files of one shard.
#[derive(Clone, Debug)]
pub(crate) struct Pages {
    scratch: Arc<Scratch>,
    shard: usize,
}

impl Pages {
    pub(crate) fn new(scratch: &Arc<Scratch>, shard: usize) -> Self {
        Pages { scratch: Arc::clone(scratch), shard }
    }

    fn path(&self, kind: &str) -> PathBuf {
        self.scratch.folder.join(format!("{kind}-{:03}", self.shard))
    }

    /// Adds to a file.
    pub(crate) fn append(&self, kind: &str, bytes: &[u8]) -> Result<(), ClusterError> {
        if bytes.is_empty() {
            return Ok(());
        }
        let path = self.path(kind);
        self.scratch.written.fetch_add(bytes.len() as u64, Relaxed);
        let file = OpenOptions::new().create(true).append(true).open(&path);
        file.and_then(|mut file| file.write_all(bytes)).map_err(ClusterError::io(&path))
    }

    /// Writes a file anew.
    pub(crate) fn write(&self, kind: &str, bytes: &[u8]) -> Result<(), ClusterError> {
        self.remove(kind)?;
        self.append(kind, bytes)
    }

    /// All of a file; nothing where there is none.
    pub(crate) fn read(&self, kind: &str) -> Result<Vec<u8>, ClusterError> {
        self.tail(kind, u64::MAX)
    }

    /// The last bytes of a file.
    pub(crate) fn tail(&self, kind: &str, most: u64) -> Result<Vec<u8>, ClusterError> {
        let path = self.path(kind);
        let read = || {
            let mut file = File::open(&path)?;
            let len = file.metadata()?.len();
            file.seek(SeekFrom::Start(len.saturating_sub(most)))?;
            let mut bytes = Vec::with_capacity(len.min(most) as usize);
            file.read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        match read() {
            Err(error) if std::io::Error::kind(&error) == ErrorKind::NotFound => Ok(Vec::new()),
            other => other.map_err(ClusterError::io(&path)),
        }
    }

    pub(crate) fn remove(&self, kind: &str) -> Result<(), ClusterError> {
        let path = self.path(kind);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(ClusterError::io(&path)(error)),
            _ => Ok(()),
        }
    }

    pub(crate) fn damaged(&self, kind: &str) -> ClusterError {
        ClusterError::damaged(&self.path(kind), "it is not what was written")
    }
}
