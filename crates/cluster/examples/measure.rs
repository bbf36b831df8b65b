//! What the work of many processes costs beside that of one machine: CPU seconds, time on the clock, bytes a record.
//!
//! ```text
//! measure [WORK ..] [PROCESSES ..]      measure draughts-11 solitaire five-visible endings-4 1 2
//! ```
//! The works: `draughts-N` (counted to ply N), `solitaire` (all classes of English solitaire counted), `five-visible`
//! (solved), `solve-solitaire` (solved, 64 MB a worker with `--memory`), `endings-N` and `outcomes-N` (draughts, up to N
//! pieces, with distances and without). Each is
//! done first by one thread without processes, then by each number of processes, one worker each. The program starts its
//! processes itself and needs no other file.

use cpu_time::ProcessTime;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tabia_cluster::enumerate::{EnumerateOptions, enumerate};
use tabia_cluster::outcomes::build_outcomes;
use tabia_cluster::solve::{SolveOptions, solve};
use tabia_cluster::status::{Figure, Gauges};
use tabia_cluster::{Cluster, ClusterError, Hosts, tablebase};
use tabia_core::{Game, Index, Stop, Work};
use tabia_draughts::Draughts;
use tabia_five_visible::FiveVisible;
use tabia_solitaire::Solitaire;
use tabia_solve::file::Precision;
use tabia_solve::slices::{self, BuildOptions};
use tabia_solve::strong;

type Failure = Box<dyn std::error::Error>;

/// What was measured: positions, records, their bytes, bytes on disk.
#[derive(Default)]
struct Cost {
    positions: u64,
    records: u64,
    bytes: u64,
    disk: u64,
}

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, work, process, hosts, memory] = &words[..]
        && first == "--process"
    {
        return child(work, process.parse()?, hosts, memory.parse()?);
    }
    let numbers: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let memory = if words.iter().any(|word| word == "--memory") { 64 } else { 0 };
    let works = words.iter().filter(|word| word.parse::<usize>().is_err() && *word != "--memory");
    for work in works {
        measure(work, if numbers.is_empty() { &[1, 2] } else { &numbers }, memory)?;
    }
    Ok(())
}

fn measure(work: &str, numbers: &[usize], memory: u64) -> Result<(), Failure> {
    let (began, cpu) = (Instant::now(), ProcessTime::now());
    let positions = if memory == 0 { local(work)? } else { 0 };
    let (wall, alone) = (began.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    println!("{work}: {positions} positions, one thread {wall:.2} s, {alone:.2} CPU s");
    let mut first = None;
    for &processes in numbers {
        let hosts = Hosts::here(processes)?.to_text().trim().replace('\n', ",");
        let began = Instant::now();
        let start = |process: usize| {
            let (process, memory) = (process.to_string(), memory.to_string());
            Command::new(std::env::current_exe()?)
                .args(["--process", work, &process, &hosts, &memory])
                .stdout(Stdio::piped())
                .spawn()
        };
        let children = (0..processes).map(start).collect::<Result<Vec<_>, _>>()?;
        let mut sums = [0.0; 6];
        for child in children {
            let said = String::from_utf8(child.wait_with_output()?.stdout)?;
            let numbers = said.split_whitespace().map(str::parse::<f64>).collect::<Result<Vec<_>, _>>()?;
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        }
        let wall = began.elapsed().as_secs_f64();
        let [cpu, positions, records, bytes, disk, peak] = sums;
        let one = *first.get_or_insert(wall);
        println!(
            "  {processes:>2} processes {wall:>7.2} s, {cpu:>7.2} CPU s ({:.2} times one thread), {:.2} times as fast as \
             {}, {positions} positions, {:.2} bytes a record, {:.0} MB written, {:.0} MB of memory at most in all",
            cpu / alone.max(1e-9),
            one / wall,
            numbers[0],
            bytes / records.max(1.0),
            disk / 1e6,
            peak / 1e6,
        );
    }
    Ok(())
}

fn number_in(work: &str) -> u32 {
    work.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or(9)
}

/// The same by the usual means, with one thread.
fn local(work: &str) -> Result<u64, Failure> {
    let unwatched = Work::unwatched(1);
    let count = |levels: Vec<tabia_core::enumerate::Level>| levels.iter().map(|level| level.positions).sum();
    let options = |depth| tabia_core::enumerate::EnumerateOptions { symmetry: true, depth };
    let (draughts, five) = (Draughts::default(), FiveVisible::default());
    let english = || Solitaire::named("english").ok_or("no such board");
    let strong = strong::StrongOptions::default();
    Ok(match work {
        "five-visible" => strong::solve(&five, &[five.start()], &strong, &unwatched)?.len() as u64,
        "solitaire" => {
            let game = english()?;
            let found =
                tabia_core::enumerate::enumerate(&game, &game.start(), options(None), &unwatched, |_| ())?;
            count(found.levels)
        }
        "solve-solitaire" => {
            let game = english()?;
            strong::solve(&game, &[game.start()], &strong, &unwatched)?.len() as u64
        }
        _ if work.starts_with("outcomes") => {
            let folder = tempfile::tempdir()?;
            slices::build_outcomes(&draughts, folder.path(), number_in(work), &unwatched)?.positions
        }
        _ if work.starts_with("endings") => {
            let folder = tempfile::tempdir()?;
            let options = BuildOptions { pieces: number_in(work), precision: Precision::Distance };
            slices::build(&draughts, folder.path(), options, &unwatched)?.positions
        }
        _ => {
            let options = options(Some(number_in(work)));
            let start = draughts.start();
            count(tabia_core::enumerate::enumerate(&draughts, &start, options, &unwatched, |_| ())?.levels)
        }
    })
}

/// One process of several: prints its figures.
fn child(work: &str, process: usize, hosts: &str, memory: u64) -> Result<(), Failure> {
    let cpu = ProcessTime::now();
    let hosts = Hosts::parse(&hosts.replace(',', "\n"))?;
    let cluster = Cluster { hosts, process, workers: 1, timeout: Duration::from_secs(60) };
    let (mut cost, mut peak) = (Cost::default(), 0);
    let mut watch = |gauges: &[Gauges]| {
        let own = |figure| gauges.get(process).map_or(0, |worker| worker.get(figure));
        peak = own(Figure::Memory).max(peak);
        cost = Cost {
            positions: own(Figure::Positions),
            records: own(Figure::Records),
            bytes: own(Figure::RecordBytes),
            disk: own(Figure::Disk) + own(Figure::Spilled),
        };
    };
    together(&cluster, work, memory, &mut watch)?;
    let Cost { positions, records, bytes, disk } = cost;
    println!("{} {positions} {records} {bytes} {disk} {peak}", cpu.elapsed().as_secs_f64());
    Ok(())
}

fn together(
    cluster: &Cluster,
    work: &str,
    memory: u64,
    watch: &mut dyn FnMut(&[Gauges]),
) -> Result<(), Failure> {
    let (stop, folder) = (Stop::new(), tempfile::tempdir()?);
    let (draughts, five) = (Draughts::default(), FiveVisible::default());
    let english = || Solitaire::named("english").ok_or("no such board");
    let memory = (memory > 0).then_some(memory << 20);
    let work_folder = memory.map(|_| folder.path().to_owned());
    let solving = SolveOptions { memory, folder: work_folder.clone(), ..SolveOptions::default() };
    let counting = EnumerateOptions { memory, folder: work_folder, ..EnumerateOptions::default() };
    let done: Result<(), ClusterError> = match work {
        "five-visible" => solve(cluster, &five, &[five.start()], &solving, &stop, watch).map(drop),
        "solitaire" => {
            let game = english()?;
            enumerate(cluster, &game, &game.start(), &counting, &stop, watch).map(drop)
        }
        "solve-solitaire" => {
            let game = english()?;
            solve(cluster, &game, &[game.start()], &solving, &stop, watch).map(drop)
        }
        _ if work.starts_with("outcomes") => {
            build_outcomes(cluster, &draughts, number_in(work), folder.path(), &stop, watch).map(drop)
        }
        _ if work.starts_with("endings") => {
            let groups = draughts.slice_groups(number_in(work));
            tablebase::build(cluster, &draughts, &groups, Precision::Distance, folder.path(), &stop, watch)
                .map(drop)
        }
        _ => {
            let options = EnumerateOptions { depth: Some(number_in(work)), ..counting };
            enumerate(cluster, &draughts, &draughts.start(), &options, &stop, watch).map(drop)
        }
    };
    Ok(done?)
}
