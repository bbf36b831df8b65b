//! Ending tables: every slice spread over the workers, the files written by process 0.

use crate::codec::{put_number, shorts, take_bytes, take_number};
use crate::enumerate::task_of;
use crate::error::ClusterError;
use crate::group::{Done, Group};
use crate::net::{Net, Outbox, Phase};
use crate::owned::part;
use crate::run::Cluster;
use crate::status::{Figure, Gauges};
use std::path::{Path, PathBuf};
use tabia_core::{Index, Slice, Stop, trust};
use tabia_solve::file::{Info, Layout, Precision, Writer};
use tabia_solve::slices::{BuildReport, file_name, open_slice};
use tabia_solve::{FileError, code};

/// Builds some groups into a folder of process 0, with distances or without. They come in the order of building, and
/// whatever they lead to is among them. Slices that are there already are read, so that a build that was killed goes on.
pub fn build<G: Index>(
    cluster: &Cluster,
    game: &G,
    groups: &[Vec<Slice>],
    precision: Precision,
    out: &Path,
    stop: &Stop,
    watch: &mut dyn FnMut(&[Gauges]),
) -> Result<BuildReport, ClusterError> {
    let names: Vec<String> = groups.iter().flatten().map(|slice| game.slice_name(*slice)).collect();
    let slices = format!("{} to {}", names.len(), names.last().map_or("none", String::as_str));
    let task = task_of("tablebase", game, &[game.start()])
        .with("slices", slices)
        .with("distances", if precision == Precision::Distance { "kept" } else { "left out" });
    let (game, groups, out) = (game.clone(), groups.to_vec(), out.to_owned());
    let all = cluster.run(&task, stop, watch, move |net| {
        let mut files = Files::new(&game, &out, precision);
        let mut done = Done::new();
        for (number, group) in groups.iter().enumerate() {
            net.gauges().set(Figure::Level, number as u64);
            let codes = if files.are_there(net, group)? {
                files.read(net, group)?
            } else {
                solve(net, &game, &done, group, &mut files)?
            };
            for (slice, mut codes) in codes {
                if precision == Precision::Outcome {
                    codes.iter_mut().for_each(|code| *code = without_distance(*code));
                }
                net.gauges().add(Figure::Positions, codes.len() as u64);
                net.gauges().add(Figure::Memory, 2 * codes.len() as u64);
                done.insert(slice, codes);
            }
        }
        files.told_to_all(net)
    })?;
    all.into_iter().next().ok_or(ClusterError::Stopped)
}

/// What a file without distances says: a win or loss in 0 plies stands for all.
fn without_distance(code: u16) -> u16 {
    match code {
        win if code::is_win(win) => code::win(0),
        loss if code::is_loss(loss) => code::loss(0),
        other => other,
    }
}

fn solve<G: Index>(
    net: &mut Net<'_>,
    game: &G,
    done: &Done,
    group: &[Slice],
    files: &mut Files<'_, G>,
) -> Result<Vec<(Slice, Vec<u16>)>, ClusterError> {
    let solved = Group::new(game, done, group, net).solve(net)?;
    trust::check(game)?;
    for (slice, codes) in &solved {
        files.write(net, *slice, codes)?;
    }
    Ok(solved)
}

/// The files of a build, which process 0 has.
pub(crate) struct Files<'a, G> {
    game: &'a G,
    out: &'a Path,
    precision: Precision,
    /// What the writer knows.
    report: BuildReport,
}

impl<'a, G: Index> Files<'a, G> {
    pub(crate) fn new(game: &'a G, out: &'a Path, precision: Precision) -> Self {
        Files { game, out, precision, report: BuildReport::default() }
    }

    fn path(&self, slice: Slice) -> PathBuf {
        self.out.join(file_name(self.game, slice))
    }

    /// Whether all slices of a group are there.
    pub(crate) fn are_there(&self, net: &mut Net<'_>, group: &[Slice]) -> Result<bool, ClusterError> {
        let writes = net.me() == 0;
        let there = writes && group.iter().all(|slice| tabia_disk::exists(&self.path(*slice)));
        let [there] = net.sum([u64::from(there)])?;
        Ok(there > 0)
    }

    /// Brings the parts of a slice to process 0, which writes the file.
    pub(crate) fn write(
        &mut self,
        net: &mut Net<'_>,
        slice: Slice,
        codes: &[u16],
    ) -> Result<(), ClusterError> {
        let mut gather = GatherSlice { codes, all: vec![Vec::new(); net.workers()], at: 0 };
        net.step(&mut gather)?;
        if net.me() == 0 { self.put_together(slice, gather.all, net.workers()) } else { Ok(()) }
    }

    fn put_together(
        &mut self,
        slice: Slice,
        parts: Vec<Vec<u16>>,
        workers: usize,
    ) -> Result<(), ClusterError> {
        let mut codes = vec![0; self.game.slice_len(slice) as usize];
        for (worker, values) in parts.into_iter().enumerate() {
            for (index, code) in part(self.game, slice, worker, workers).zip(values) {
                codes[index as usize] = code;
            }
        }
        let path = self.path(slice);
        tabia_disk::create_dir_all(self.out).map_err(ClusterError::io(self.out))?;
        let name = self.game.slice_name(slice);
        let info =
            Info { precision: self.precision, ..Info::new(self.game.variant(), name, Layout::Indexed) };
        let mut writer = Writer::create(&path, info)?;
        codes.iter().try_for_each(|code| writer.push_code(*code))?;
        let info = writer.finish()?;
        self.count(&info, tabia_disk::size(&path).map_err(ClusterError::io(&path))?);
        self.report.built += 1;
        Ok(())
    }

    /// Reads the files of a group and hands everybody his part.
    pub(crate) fn read(
        &mut self,
        net: &mut Net<'_>,
        group: &[Slice],
    ) -> Result<Vec<(Slice, Vec<u16>)>, ClusterError> {
        let mut all = Vec::new();
        for &slice in group {
            let mut codes = Vec::new();
            if net.me() == 0 {
                let path = self.path(slice);
                let file = open_slice(self.game, slice, &path)?;
                if self.precision == Precision::Distance && file.info().precision != Precision::Distance {
                    let message = "a slice without distances: build into another folder".to_owned();
                    return Err(FileError::Foreign { path, message }.into());
                }
                self.count(file.info(), file.size());
                self.report.kept += 1;
                codes = file.all_codes()?;
            }
            let mut scatter = ScatterSlice { game: self.game, slice, codes, mine: Vec::new() };
            net.step(&mut scatter)?;
            all.push((slice, scatter.mine));
        }
        Ok(all)
    }

    fn count(&mut self, info: &Info, size: u64) {
        let report = &mut self.report;
        report.positions += info.valued();
        report.wins += info.wins;
        report.draws += info.draws;
        report.losses += info.losses;
        report.longest = report.longest.max(info.longest);
        report.bytes += size;
    }

    /// Everybody learns what the writer knows.
    pub(crate) fn told_to_all(&self, net: &mut Net<'_>) -> Result<BuildReport, ClusterError> {
        let BuildReport { positions, wins, draws, losses, longest, built, kept, bytes, .. } = self.report;
        let numbers = [positions, wins, draws, losses, longest.into(), built, kept, bytes];
        let [positions, wins, draws, losses, longest, built, kept, bytes] = net.sum(numbers)?;
        let longest = longest as u16;
        Ok(BuildReport {
            positions,
            wins,
            draws,
            losses,
            longest,
            built,
            kept,
            bytes,
            ..BuildReport::default()
        })
    }
}

/// Brings a slice to the writer.
struct GatherSlice<'a> {
    codes: &'a [u16],
    all: Vec<Vec<u16>>,
    at: usize,
}

impl Phase for GatherSlice<'_> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        let end = self.codes.len().min(self.at + (1 << 14));
        for code in &self.codes[self.at..end] {
            out.record(0, |buffer| buffer.extend_from_slice(&code.to_le_bytes()));
        }
        self.at = end;
        Ok(end < self.codes.len())
    }

    fn consume(&mut self, from: usize, records: &[u8]) -> Result<(), ClusterError> {
        if let Some(theirs) = self.all.get_mut(from) {
            theirs.extend(shorts(records));
        }
        Ok(())
    }
}

/// Hands out a slice that was read.
struct ScatterSlice<'a, G> {
    game: &'a G,
    slice: Slice,
    codes: Vec<u16>,
    mine: Vec<u16>,
}

impl<G: Index> Phase for ScatterSlice<'_, G> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        let workers = out.workers();
        for worker in (0..workers).filter(|_| !self.codes.is_empty()) {
            let codes = part(self.game, self.slice, worker, workers);
            let bytes: Vec<u8> = codes.flat_map(|index| self.codes[index as usize].to_le_bytes()).collect();
            out.record(worker, |buffer| {
                put_number(buffer, bytes.len() as u64);
                buffer.extend_from_slice(&bytes);
            });
        }
        Ok(false)
    }

    fn consume(&mut self, from: usize, mut records: &[u8]) -> Result<(), ClusterError> {
        let bytes = take_number(&mut records).and_then(|len| take_bytes(&mut records, len));
        let message = || "a part of a slice that is cut off".to_owned();
        let bytes = bytes.ok_or_else(|| ClusterError::Garbled { worker: from, message: message() })?;
        self.mine = shorts(bytes);
        Ok(())
    }
}
