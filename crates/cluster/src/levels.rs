//! The exploration from the first level to the last, with its folder.

use crate::error::ClusterError;
use crate::explore::{Expanded, Exploration};
use crate::folder::Folder;
use crate::manifest::LevelLine;
use crate::net::Net;
use crate::status::Figure;
use tabia_core::enumerate::Level;

/// What was explored.
pub(crate) struct Explored {
    pub(crate) levels: Vec<Level>,
    /// Whether there is nothing beyond the last level.
    pub(crate) complete: bool,
    /// The level that an earlier run had come to.
    pub(crate) resumed: Option<u32>,
}

/// Explores everything, or so many plies; what is in the folder is not done again.
pub(crate) fn explore(
    net: &mut Net<'_>,
    explorer: &mut dyn Exploration,
    depth: Option<u32>,
    mut folder: Option<&mut Folder>,
) -> Result<Explored, ClusterError> {
    let mut known: Vec<LevelLine> = Vec::new();
    if let Some(folder) = folder.as_deref_mut() {
        known = take_up(net, explorer, folder)?;
    }
    let resumed = known.len().checked_sub(1).map(|ply| ply as u32);
    if known.is_empty() {
        explorer.begin()?;
        let [positions] = net.sum([explorer.frontier()])?;
        let line = LevelLine { parts: parts(net, folder.as_deref()), positions, ..LevelLine::default() };
        keep(net, explorer, folder.as_deref_mut(), 0, line)?;
        known.push(line);
    }
    let mut levels: Vec<Level> = known
        .windows(2)
        .zip(0..)
        .map(|(pair, ply)| Level { ply, positions: pair[0].positions, finished: pair[1].finished_before })
        .collect();
    loop {
        let ply = levels.len() as u32;
        let last = depth.is_some_and(|depth| ply >= depth);
        tell(net, explorer, ply);
        explorer.expand(last);
        net.step(explorer)?;
        // Now most is in memory.
        net.gauges().set(Figure::Memory, explorer.bytes());
        let Expanded { positions, finished, lowest, highest } = Expanded::of_all(net.said());
        if positions == 0 {
            return Ok(Explored { levels, complete: true, resumed });
        }
        levels.push(Level { ply, positions, finished });
        explorer.close(lowest, highest)?;
        if last {
            return Ok(Explored { levels, complete: finished == positions, resumed });
        }
        // Whoever keeps no levels learns how large the next one is when it has been expanded, and waits for nobody now.
        if let Some(folder) = folder.as_deref_mut() {
            let [positions] = net.sum([explorer.frontier()])?;
            let parts = parts(net, Some(folder));
            let strata_before = (lowest, highest);
            let line = LevelLine { parts, positions, finished_before: finished, strata_before };
            if positions > 0 {
                keep(net, explorer, Some(folder), ply + 1, line)?;
            }
        }
    }
}

/// How many files a level is in.
fn parts(net: &Net<'_>, folder: Option<&Folder>) -> usize {
    net.workers() * folder.map_or(1, Folder::files_each)
}

fn tell(net: &Net<'_>, explorer: &dyn Exploration, ply: u32) {
    net.gauges().set(Figure::Level, u64::from(ply));
    net.gauges().set(Figure::Positions, explorer.positions());
    net.gauges().set(Figure::Memory, explorer.bytes());
    net.gauges().set(Figure::Spilled, explorer.spilled());
}

fn keep(
    net: &mut Net<'_>,
    explorer: &dyn Exploration,
    folder: Option<&mut Folder>,
    ply: u32,
    line: LevelLine,
) -> Result<(), ClusterError> {
    let Some(folder) = folder else { return Ok(()) };
    for part in 0..folder.files_each() {
        folder.keep(net, "level", ply, part, &explorer.sections(part, folder.files_each())?)?;
    }
    // Everybody's part is safe before anybody says so.
    net.sum([0])?;
    folder.complete(line)
}

/// Takes up what an earlier run has left, with any number of workers.
fn take_up(
    net: &mut Net<'_>,
    explorer: &mut dyn Exploration,
    folder: &Folder,
) -> Result<Vec<LevelLine>, ClusterError> {
    for (ply, line) in (0..).zip(&folder.manifest.levels) {
        let lowest = line.strata_before.0;
        folder.load(net, "level", ply, line.parts, &mut |section| explorer.load(section, lowest))?;
    }
    Ok(folder.manifest.levels.clone())
}
