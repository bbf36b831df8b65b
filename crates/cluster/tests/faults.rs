//! Processes that are killed, that hang, and that do other work.

mod common;

use common::{nobody, on_processes};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tabia_cluster::enumerate::{EnumerateOptions, enumerate};
use tabia_cluster::solve::{SolveOptions, solve};
use tabia_cluster::{Cluster, Hosts};
use tabia_core::{Game, SplitMix64, Stop, Work};
use tabia_draughts::Draughts;
use tabia_five_visible::FiveVisible;
use tabia_solve::{keyed, strong};

/// What a process of these tests is told: its number, its folder, the list of hosts.
const PROCESS: &str = "TABIA_TEST_PROCESS";
const FOLDER: &str = "TABIA_TEST_FOLDER";
const HOSTS: &str = "TABIA_TEST_HOSTS";

/// Not a test: a process that the tests start. It solves 5-Visible.
#[test]
fn a_process_that_tests_start() {
    let Ok(process) = std::env::var(PROCESS) else { return };
    let folder = std::path::PathBuf::from(std::env::var(FOLDER).unwrap());
    let hosts = Hosts::parse(&std::env::var(HOSTS).unwrap()).unwrap();
    let process = process.parse().unwrap();
    let cluster = Cluster { hosts, process, workers: 1, timeout: Duration::from_secs(3) };
    let game = FiveVisible::default();
    let options = SolveOptions {
        out: Some(folder.join("out.tbl")),
        about: "everything".to_owned(),
        folder: Some(folder.join("work")),
        keep_every: Duration::ZERO,
        memory: None,
    };
    match solve(&cluster, &game, &[game.start()], &options, &Stop::new(), &mut nobody()) {
        Ok(solved) => println!("resumed {:?}", solved.resumed),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    }
}

/// Starts so many processes.
fn start(hosts: &Hosts, folder: &Path) -> Vec<Child> {
    let one = |process: usize| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_process_that_tests_start", "--nocapture"])
            .env(PROCESS, process.to_string())
            .env(FOLDER, folder)
            .env(HOSTS, hosts.to_text())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    (0..hosts.len()).map(one).collect()
}

/// Waits for a process: its exit code, and what it said.
fn end(mut child: Child) -> (Option<i32>, String) {
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    (child.wait().unwrap().code(), said)
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

/// Waits until so many lines are in the manifest, or the work is over.
fn wait_for_lines(folder: &Path, lines: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        let text = std::fs::read_to_string(folder.join("work/manifest")).unwrap_or_default();
        if text.lines().count() >= lines || folder.join("out.tbl").exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("nothing happens");
}

fn local(path: &Path) -> Vec<u8> {
    let game = FiveVisible::default();
    let options = strong::StrongOptions::default();
    let solution = strong::solve(&game, &[game.start()], &options, &Work::unwatched(2)).unwrap();
    keyed::write(&solution, "everything", path).unwrap();
    std::fs::read(path).unwrap()
}

/// Kills a process when so many lines are in the manifest; the others must end and name it.
fn kill_one(processes: usize, victim: usize, folder: &Path, lines: usize) {
    let hosts = Hosts::here(processes).unwrap();
    let mut children = start(&hosts, folder);
    wait_for_lines(folder, lines);
    signal(&children[victim], "-KILL");
    let (killed, name) = (Instant::now(), hosts.name(victim));
    end(children.remove(victim));
    for child in children {
        let (code, said) = end(child);
        if code == Some(0) {
            // It had said farewell already.
            continue;
        }
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(&name), "{said:?} does not name {name}");
    }
    assert!(killed.elapsed() < Duration::from_secs(5));
}

/// Lets so many processes go on to the end.
fn finish(processes: usize, folder: &Path) -> String {
    let children = start(&Hosts::here(processes).unwrap(), folder);
    let mut all = String::new();
    for child in children {
        let (code, said) = end(child);
        assert_eq!(code, Some(0), "{said}");
        all.push_str(&said);
    }
    all
}

#[test]
fn a_killed_process_ends_all_and_the_work_goes_on_with_another_number() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = local(&folder.path().join("local.tbl"));
    kill_one(2, 1, folder.path(), 8);
    let said = finish(3, folder.path());
    assert!(said.contains("resumed Some("), "{said}");
    assert!(std::fs::read(folder.path().join("out.tbl")).unwrap() == wanted);
    let left = std::fs::read_dir(folder.path().join("work")).unwrap().count();
    assert!(left <= 2, "{left} files are left");
}

#[test]
#[ignore = "long: twenty kills"]
fn twenty_kills_at_any_moment_do_no_harm() {
    let mut rng = SplitMix64::new(22);
    let local_folder = tempfile::tempdir().unwrap();
    let wanted = local(&local_folder.path().join("local.tbl"));
    let mut kills = 0;
    while kills < 20 {
        let folder = tempfile::tempdir().unwrap();
        for lines in [2, 9, 16, 22] {
            let processes = 2 + rng.below(3) as usize;
            kill_one(
                processes,
                rng.below(processes as u64) as usize,
                folder.path(),
                lines + rng.below(6) as usize,
            );
            kills += 1;
        }
        finish(1 + rng.below(4) as usize, folder.path());
        assert!(std::fs::read(folder.path().join("out.tbl")).unwrap() == wanted);
    }
}

#[test]
fn a_process_that_hangs_is_named_after_the_time_out() {
    let folder = tempfile::tempdir().unwrap();
    let hosts = Hosts::here(2).unwrap();
    let mut children = start(&hosts, folder.path());
    wait_for_lines(folder.path(), 4);
    let hanging = children.pop().unwrap();
    signal(&hanging, "-STOP");
    let (code, said) = end(children.pop().unwrap());
    signal(&hanging, "-KILL");
    end(hanging);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains(&format!("heard nothing from {} for 3 s", hosts.name(1))), "{said}");
}

#[test]
fn other_work_is_refused_on_both_sides() {
    let five = FiveVisible::default();
    let draughts = Draughts::default();
    let count = |cluster: &Cluster, depth| {
        let options = EnumerateOptions { depth: Some(depth), ..EnumerateOptions::default() };
        enumerate(cluster, &draughts, &draughts.start(), &options, &Stop::new(), &mut nobody())
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    let errors = on_processes(2, 1, |cluster| match cluster.process {
        0 => count(cluster, 3),
        _ => solve(cluster, &five, &[five.start()], &SolveOptions::default(), &Stop::new(), &mut nobody())
            .unwrap_err()
            .to_string(),
    });
    assert!(errors[0].contains("process 1 (") && errors[0].contains("job is enumerate here and solve there"));
    assert!(errors[1].contains("process 0 (") && errors[1].contains("job is enumerate here and solve there"));
    let errors = on_processes(2, 1, |cluster| count(cluster, 3 + cluster.process as u32));
    assert!(errors.iter().all(|error| error.contains("depth is 3 here and 4 there")), "{errors:?}");
}

#[test]
fn somebody_else_who_connects_is_not_heard() {
    let game = Draughts::default();
    let options = EnumerateOptions { depth: Some(5), ..EnumerateOptions::default() };
    let counts = on_processes(2, 1, |cluster| {
        if cluster.process == 1 {
            // A stranger comes before the process that is waited for.
            let address = cluster.hosts.to_text().lines().next().unwrap().to_owned();
            let stranger = (0..200).find_map(|_| {
                std::thread::sleep(Duration::from_millis(5));
                TcpStream::connect(&address).ok()
            });
            stranger.unwrap().write_all(b"GET / HTTP/1.1\r\nHost: somebody\r\n\r\n").unwrap();
        }
        enumerate(cluster, &game, &game.start(), &options, &Stop::new(), &mut nobody()).unwrap().levels.len()
    });
    assert_eq!(counts, [6, 6]);
}

#[test]
fn an_absent_process_is_named() {
    let hosts = Hosts::here(2).unwrap();
    let cluster = Cluster { hosts: hosts.clone(), process: 0, workers: 1, timeout: Duration::from_secs(1) };
    let game = Draughts::default();
    let options = EnumerateOptions::default();
    let error = enumerate(&cluster, &game, &game.start(), &options, &Stop::new(), &mut nobody()).unwrap_err();
    assert_eq!(error.to_string(), format!("{} did not connect within 1 s", hosts.name(1)));
}
