//! Building slice after slice, in memory or into a folder.

use super::crew::Crew;
use super::folder::{file_name, open_slice};
use super::memory::{Codes, Memory};
use super::solve::Group;
use super::verdicts::Verdicts;
use crate::error::{FileError, SolveError};
use crate::file::{Info, Layout, Precision, Writer};
use crate::stage::Stage;
use serde::Serialize;
use std::path::Path;
use tabia_core::clock::Instant;
use tabia_core::{Index, Levels, Slice, Work, trust};

/// What a build will take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// Numbers of all slices: positions up to symmetry, and gaps where the game's numbers have some.
    pub positions: u64,
    /// Slices.
    pub slices: u64,
    /// Positions in the largest group of slices that are solved together.
    pub largest_group: u64,
    /// Bytes of memory at the worst moment.
    pub peak_bytes: u64,
}

impl Plan {
    /// The plan for all slices of up to `pieces` pieces.
    pub fn new<G: Index>(game: &G, pieces: u32, precision: Precision) -> Plan {
        Plan::of_groups(game, &game.slice_groups(pieces), precision)
    }

    /// The plan for some groups.
    pub fn of_groups<G: Index>(game: &G, groups: &[Vec<Slice>], precision: Precision) -> Plan {
        let lens = groups.iter().map(|group| group.iter().map(|slice| game.slice_len(*slice)).sum::<u64>());
        let largest_group = lens.clone().max().unwrap_or(0);
        let positions: u64 = lens.sum();
        // Finished slices are kept; a group has a value and a counter for each position, and is
        // copied once when it is done.
        let kept = match precision {
            Precision::Distance => 2 * positions,
            Precision::Outcome => positions.div_ceil(4),
        };
        let slices = groups.iter().map(|group| group.len() as u64).sum();
        Plan { positions, slices, largest_group, peak_bytes: kept + 5 * largest_group }
    }

    /// The plan for who wins, level by level: two bits for every position, a byte for each of the block that a
    /// thread is at, and one slice more while it is written.
    pub fn by_levels<G: Levels>(game: &G, pieces: u32, threads: usize) -> Plan {
        let plan = Plan::new(game, pieces, Precision::Outcome);
        if pieces > game.most_pieces() {
            return plan;
        }
        let groups = game.slice_groups(pieces);
        let first_block = |group: &Vec<Slice>| {
            let halves = game.halves(&game.block(group, 0));
            (halves.count * halves.len) as u64
        };
        let block = groups.iter().map(first_block).max().unwrap_or(0);
        let slice = groups.iter().flatten().map(|slice| game.slice_len(*slice)).max().unwrap_or(0);
        // A block is told about through a list that is short but for the largest.
        let peak_bytes = plan.positions.div_ceil(4) + 2 * block * threads.max(1) as u64 + slice.div_ceil(2);
        Plan { peak_bytes, ..plan }
    }

    fn check(self, memory: u64) -> Result<(), SolveError> {
        if self.peak_bytes > memory {
            let (positions, needed) = (self.positions, self.peak_bytes);
            return Err(SolveError::TooLarge { positions, needed, limit: memory });
        }
        Ok(())
    }
}

/// How to build.
#[derive(Clone, Copy, Debug)]
pub struct BuildOptions {
    /// The most pieces.
    pub pieces: u32,
    /// Win, draw and loss alone, or with distances.
    pub precision: Precision,
}

/// What a build came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BuildReport {
    /// Positions in all slices, gaps left out.
    pub positions: u64,
    /// Those that the side to move wins.
    pub wins: u64,
    /// Those that are drawn.
    pub draws: u64,
    /// Those that the side to move loses.
    pub losses: u64,
    /// Plies of the longest win, 0 without distances.
    pub longest: u16,
    /// Slices built now.
    pub built: u64,
    /// Slices that were there already.
    pub kept: u64,
    /// Bytes of all files.
    pub bytes: u64,
    /// Bytes of memory that the tables took at the worst moment.
    pub peak_bytes: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// Slices in memory, each group built from those before it.
pub struct Builder<'a, G: Index> {
    game: &'a G,
    precision: Precision,
    known: Memory,
}

impl<'a, G: Index> Builder<'a, G> {
    /// Nothing yet.
    pub fn new(game: &'a G, precision: Precision) -> Self {
        Builder { game, precision, known: Memory::default() }
    }

    /// Solves a group whose successors are all known; the codes of its slices in order. They are not
    /// kept: see [`Builder::keep`].
    pub fn solve(&self, group: &[Slice], work: &Work<'_>) -> Result<Vec<Vec<u16>>, SolveError> {
        let names: Vec<String> = group.iter().map(|slice| self.game.slice_name(*slice)).collect();
        let codes = Group::new(self.game, &self.known, group).solve(&names.join(" "), work)?;
        trust::check(self.game)?;
        Ok(codes)
    }

    /// Remembers the codes of a slice for the groups after it.
    pub fn keep(&mut self, slice: Slice, codes: Vec<u16>) {
        self.known.insert(slice, Codes::new(codes, self.precision));
    }
}

/// Builds all slices of up to `options.pieces` pieces into a folder. Slices that are there already are
/// read, not built again, so a build that was killed goes on where it was.
pub fn build<G: Index>(
    game: &G,
    folder: &Path,
    options: BuildOptions,
    work: &Work<'_>,
) -> Result<BuildReport, SolveError> {
    build_groups(game, folder, &game.slice_groups(options.pieces), options.precision, work)
}

/// Builds some groups into a folder, as [`build`] does all. They come in the order of building, and whatever they lead to
/// is among them.
pub fn build_groups<G: Index>(
    game: &G,
    folder: &Path,
    groups: &[Vec<Slice>],
    precision: Precision,
    work: &Work<'_>,
) -> Result<BuildReport, SolveError> {
    let began = Instant::now();
    let plan = Plan::of_groups(game, groups, precision);
    plan.check(work.memory)?;
    tabia_disk::create_dir_all(folder).map_err(FileError::io(folder))?;
    let stage = Stage::new(work, "all slices", Some(plan.positions));
    let mut builder = Builder::new(game, precision);
    let mut report = BuildReport { peak_bytes: plan.peak_bytes, ..BuildReport::default() };
    let mut done = 0;
    for group in groups {
        stage.tell(done);
        for (slice, codes) in read_or_solve(&builder, folder, group, work, &mut report)? {
            done += codes.len() as u64;
            builder.keep(slice, codes);
        }
    }
    report.seconds = began.elapsed().as_secs_f64();
    Ok(report)
}

fn read_or_solve<G: Index>(
    builder: &Builder<'_, G>,
    folder: &Path,
    group: &[Slice],
    work: &Work<'_>,
    report: &mut BuildReport,
) -> Result<Vec<(Slice, Vec<u16>)>, SolveError> {
    let (game, precision) = (builder.game, builder.precision);
    let path = |slice: &Slice| folder.join(file_name(game, *slice));
    let enough = |info: &Info| precision == Precision::Outcome || info.precision == Precision::Distance;
    if group.iter().all(|slice| tabia_disk::exists(&path(slice))) {
        let files = group
            .iter()
            .map(|slice| open_slice(game, *slice, &path(slice)))
            .collect::<Result<Vec<_>, _>>()?;
        if files.iter().all(|file| enough(file.info())) {
            report.kept += group.len() as u64;
            let mut all = Vec::new();
            for (slice, file) in group.iter().zip(files) {
                report.count(file.info(), file.size());
                all.push((*slice, file.all_codes()?));
            }
            return Ok(all);
        }
    }
    let solved = builder.solve(group, work)?;
    for (slice, codes) in group.iter().zip(&solved) {
        let info = write_slice(game, *slice, codes, precision, &path(slice))?;
        let size = tabia_disk::size(&path(slice)).map_err(FileError::io(&path(slice)))?;
        report.count(&info, size);
    }
    report.built += group.len() as u64;
    Ok(group.iter().copied().zip(solved).collect())
}

/// Builds who wins in all slices of up to `pieces` pieces into a folder, level by level, or group by group where the
/// game has no levels for so many. What is there already is read, as in [`build`].
pub fn build_outcomes<G: Levels<Block: Send + Sync>>(
    game: &G,
    folder: &Path,
    pieces: u32,
    work: &Work<'_>,
) -> Result<BuildReport, SolveError> {
    if pieces > game.most_pieces() {
        return build(game, folder, BuildOptions { pieces, precision: Precision::Outcome }, work);
    }
    let began = Instant::now();
    let plan = Plan::by_levels(game, pieces, work.threads);
    plan.check(work.memory)?;
    tabia_disk::create_dir_all(folder).map_err(FileError::io(folder))?;
    let stage = Stage::new(work, "all slices", Some(plan.positions));
    let mut verdicts = Verdicts::default();
    let mut report = BuildReport { peak_bytes: plan.peak_bytes, ..BuildReport::default() };
    let mut missing = game.layers(pieces);
    for layer in &mut missing {
        let mut groups = Vec::new();
        for group in std::mem::take(layer) {
            stage.tell(report.positions);
            if !read_outcomes(game, folder, &group, &mut verdicts, &mut report)? {
                groups.push(group);
            }
        }
        *layer = groups;
    }
    let slices: Vec<(Slice, u64)> =
        missing.iter().flatten().flatten().map(|slice| (*slice, game.slice_len(*slice))).collect();
    verdicts.begin(&slices, work.threads);
    let built = Crew::new(game, folder, &verdicts, missing, work)
        .build(|built| stage.tell(report.positions + built.positions))?;
    report.add(&built);
    report.seconds = began.elapsed().as_secs_f64();
    Ok(report)
}

/// Keeps what the files of a group say, if all are there.
fn read_outcomes<G: Levels>(
    game: &G,
    folder: &Path,
    group: &[Slice],
    verdicts: &mut Verdicts,
    report: &mut BuildReport,
) -> Result<bool, SolveError> {
    if !group.iter().all(|slice| folder.join(file_name(game, *slice)).exists()) {
        return Ok(false);
    }
    for slice in group {
        let file = open_slice(game, *slice, &folder.join(file_name(game, *slice)))?;
        report.count(file.info(), file.size());
        if let Codes::Outcome(bytes) = Codes::new(file.all_codes()?, Precision::Outcome) {
            verdicts.keep(*slice, bytes);
        }
    }
    report.kept += group.len() as u64;
    Ok(true)
}

impl BuildReport {
    fn add(&mut self, other: &BuildReport) {
        self.positions += other.positions;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.built += other.built;
        self.bytes += other.bytes;
    }

    pub(super) fn count(&mut self, info: &Info, size: u64) {
        self.positions += info.valued();
        self.wins += info.wins;
        self.draws += info.draws;
        self.losses += info.losses;
        self.longest = self.longest.max(info.longest);
        self.bytes += size;
    }
}

fn write_slice<G: Index>(
    game: &G,
    slice: Slice,
    codes: &[u16],
    precision: Precision,
    path: &Path,
) -> Result<Info, FileError> {
    let info = Info { precision, ..Info::new(game.variant(), game.slice_name(slice), Layout::Indexed) };
    let mut writer = Writer::create(path, info)?;
    for &code in codes {
        writer.push_code(code)?;
    }
    writer.finish()
}
