//! The manifest of a folder: which levels are complete everywhere, as text.
//!
//! ```text
//! tabia-cluster 1 TASK
//! level PLY PARTS POSITIONS FINISHED LOWEST HIGHEST     a line for each complete level
//! round PLIES PARTS                                     values found going backwards, if any
//! crc CRC                                               of everything before it
//! ```
//! It is written after all parts of a level are safe on all machines. So any manifest that names a level vouches for the
//! parts on the other machines, too.

use crate::error::ClusterError;
use crate::level::replace;
use std::path::{Path, PathBuf};

/// One complete level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LevelLine {
    /// How many files it is in.
    pub(crate) parts: usize,
    /// Positions of all workers.
    pub(crate) positions: u64,
    /// Those of the level before without a move: they are known once it was expanded.
    pub(crate) finished_before: u64,
    /// The lowest and the highest stratum of the level before.
    pub(crate) strata_before: (u32, u32),
}

/// What is complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) levels: Vec<LevelLine>,
    /// The last round of values going backwards, and how many files it is in.
    pub(crate) round: Option<(u32, usize)>,
}

fn path(folder: &Path) -> PathBuf {
    folder.join("manifest")
}

impl Manifest {
    pub(crate) fn write(&self, folder: &Path, task: u32) -> Result<(), ClusterError> {
        let text = self.to_text(task);
        replace(&path(folder), |out| out.write_all(text.as_bytes()))
    }

    /// The manifest of a folder; an empty one where there is none.
    pub(crate) fn read(folder: &Path, task: u32) -> Result<Manifest, ClusterError> {
        let path = path(folder);
        if !tabia_disk::exists(&path) {
            return Ok(Manifest::default());
        }
        let bytes = tabia_disk::read(&path).map_err(ClusterError::io(&path))?;
        Self::parse(&String::from_utf8_lossy(&bytes), task)
            .map_err(|fault| ClusterError::damaged(&path, fault))
    }

    pub(crate) fn to_text(&self, task: u32) -> String {
        let mut text = format!("tabia-cluster 1 {task:08x}\n");
        for (ply, level) in self.levels.iter().enumerate() {
            let LevelLine { parts, positions, finished_before, strata_before: (low, high) } = level;
            text.push_str(&format!("level {ply} {parts} {positions} {finished_before} {low} {high}\n"));
        }
        if let Some((plies, parts)) = self.round {
            text.push_str(&format!("round {plies} {parts}\n"));
        }
        let crc = crc32fast::hash(text.as_bytes());
        text.push_str(&format!("crc {crc:08x}\n"));
        text
    }

    pub(crate) fn parse(text: &str, task: u32) -> Result<Manifest, String> {
        let (body, crc) = text.split_at(text.rfind("crc ").ok_or("it has no checksum")?);
        if crc.trim_end() != format!("crc {:08x}", crc32fast::hash(body.as_bytes())) {
            return Err("its checksum is wrong".to_owned());
        }
        let mut lines = body.lines();
        if lines.next() != Some(&format!("tabia-cluster 1 {task:08x}")) {
            return Err(
                "it belongs to other work: give that work its own folder, or remove this one".to_owned()
            );
        }
        let mut manifest = Manifest::default();
        for line in lines {
            manifest.line(line).ok_or_else(|| format!("it has a line that means nothing: {line:?}"))?;
        }
        Ok(manifest)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let mut words = line.split(' ');
        let kind = words.next()?;
        let numbers: Vec<u64> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
        match (kind, numbers[..].as_array()) {
            ("level", Some(&[ply, parts, positions, finished_before, low, high])) => {
                let strata_before = (low as u32, high as u32);
                let level = LevelLine { parts: parts as usize, positions, finished_before, strata_before };
                (ply == self.levels.len() as u64).then(|| self.levels.push(level))
            }
            ("round", None) => {
                let &[plies, parts] = numbers[..].as_array()?;
                self.round = Some((plies as u32, parts as usize));
                Some(())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_is_read_back_and_damage_is_refused() {
        let level = LevelLine { parts: 3, positions: 1 << 40, finished_before: 5, strata_before: (1, 2) };
        let manifest = Manifest { levels: vec![level; 3], round: Some((9, 2)) };
        let text = manifest.to_text(0xABCD);
        assert_eq!(Manifest::parse(&text, 0xABCD), Ok(manifest));
        assert!(Manifest::parse(&text, 1).unwrap_err().contains("other work"));
        assert!(
            Manifest::parse(&text.replace("level 1", "level 2"), 0xABCD).unwrap_err().contains("checksum")
        );
        assert!(Manifest::parse(&text[..text.len() / 2], 0xABCD).is_err());
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Manifest::read(folder.path(), 1).unwrap(), Manifest::default());
    }
}
