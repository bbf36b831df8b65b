//! The folder of a piece of work: what is complete there, and how it is taken up again.

use crate::error::ClusterError;
use crate::level::{self, Section};
use crate::manifest::{LevelLine, Manifest};
use crate::net::{Net, Outbox, Phase};
use crate::shard::owner;
use crate::status::Figure;
use std::path::{Path, PathBuf};

/// Where work is kept, and which work it is.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    task: u32,
    pub(crate) manifest: Manifest,
    /// Whether no more than a part of a level may be in memory.
    small_files: bool,
}

impl Folder {
    /// Opens a folder, or makes it. What is complete there on any machine counts for all.
    pub(crate) fn open(
        net: &mut Net<'_>,
        path: &Path,
        task: u32,
        small_files: bool,
    ) -> Result<Folder, ClusterError> {
        let own = tabia_disk::create_dir_all(path).map_err(ClusterError::io(path));
        let own = own.and_then(|()| Manifest::read(path, task))?;
        let mut manifest = own.clone();
        for text in net.gather(own.to_text(task).as_bytes())? {
            let other = Manifest::parse(&String::from_utf8_lossy(&text), task)
                .map_err(|fault| ClusterError::damaged(path, fault))?;
            let further = |m: &Manifest| (m.levels.len(), m.round.map_or(0, |(plies, _)| plies + 1));
            if further(&other) > further(&manifest) {
                manifest = other;
            }
        }
        Ok(Folder { path: path.to_owned(), task, manifest, small_files })
    }

    pub(crate) fn file(&self, kind: &str, level: u32, worker: usize, workers: usize) -> PathBuf {
        level::path(&self.path, kind, level, worker, workers)
    }

    /// How many files each worker makes of a level.
    pub(crate) fn files_each(&self) -> usize {
        if self.small_files { 16 } else { 1 }
    }

    /// Keeps one of this worker's parts of a level or a round.
    pub(crate) fn keep(
        &self,
        net: &Net<'_>,
        kind: &str,
        level: u32,
        part: usize,
        sections: &[Section],
    ) -> Result<(), ClusterError> {
        let (parts, each) = (net.workers() * self.files_each(), self.files_each());
        let path = self.file(kind, level, net.me() * each + part, parts);
        let bytes = level::write(&path, self.task, sections)?;
        net.gauges().add(Figure::Disk, bytes);
        Ok(())
    }

    /// Notes that a level is complete: all workers have kept their parts of it.
    pub(crate) fn complete(&mut self, level: LevelLine) -> Result<(), ClusterError> {
        self.manifest.levels.push(level);
        self.manifest.write(&self.path, self.task)
    }

    /// Notes that a round of values is complete.
    pub(crate) fn complete_round(&mut self, plies: u32, parts: usize) -> Result<(), ClusterError> {
        self.manifest.round = Some((plies, parts));
        self.manifest.write(&self.path, self.task)
    }

    /// Hands the parts of a level to the owners of their shards, whoever has the files.
    pub(crate) fn load(
        &self,
        net: &mut Net<'_>,
        kind: &str,
        level: u32,
        parts: usize,
        each: &mut dyn FnMut(&Section) -> Result<(), ClusterError>,
    ) -> Result<(), ClusterError> {
        let own: Vec<u8> = (0..parts)
            .map(|part| u8::from(tabia_disk::exists(&self.file(kind, level, part, parts))))
            .collect();
        let all = net.gather(&own)?;
        let has = |worker: usize, part: usize| all.get(worker).and_then(|own| own.get(part)) == Some(&1);
        let mut paths = Vec::new();
        for part in 0..parts {
            // Several workers may look into the same folder: they take turns.
            let readers: Vec<usize> = (0..net.workers()).filter(|&worker| has(worker, part)).collect();
            let path = self.file(kind, level, part, parts);
            let Some(reader) = readers.get(part % readers.len().max(1)) else {
                let message = "it is on none of the machines, but the work cannot go on without it";
                return Err(ClusterError::damaged(&path, message));
            };
            if *reader == net.me() {
                paths.push(path);
            }
        }
        net.step(&mut Load { paths, task: self.task, workers: net.workers(), each })
    }

    /// Removes this worker's parts, and the manifest: the work is done.
    pub(crate) fn clear(&self) -> Result<(), ClusterError> {
        for path in tabia_disk::list(&self.path).map_err(ClusterError::io(&self.path))? {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if name == "manifest" || name.starts_with("level-") || name.starts_with("round-") {
                // Another worker with the same folder may have been quicker.
                let _ = tabia_disk::remove_file(&path);
            }
        }
        Ok(())
    }
}

struct Load<'a> {
    paths: Vec<PathBuf>,
    task: u32,
    workers: usize,
    each: &'a mut dyn FnMut(&Section) -> Result<(), ClusterError>,
}

impl Phase for Load<'_> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        let Some(path) = self.paths.pop() else { return Ok(false) };
        for section in level::read(&path, self.task)? {
            out.record(owner(section.shard, self.workers), |buffer| section.put(buffer));
        }
        Ok(!self.paths.is_empty())
    }

    fn consume(&mut self, from: usize, mut records: &[u8]) -> Result<(), ClusterError> {
        while !records.is_empty() {
            let section = Section::take(&mut records).ok_or_else(|| {
                let message = "a part of a level that does not belong here".to_owned();
                ClusterError::Garbled { worker: from, message }
            })?;
            (self.each)(&section)?;
        }
        Ok(())
    }
}
