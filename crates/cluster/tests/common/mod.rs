//! Several processes in one: each has its own connections, as if it were alone.

use std::time::Duration;
use tabia_cluster::{Cluster, Hosts};

/// Runs so many processes at once, each with so many workers; their answers in order.
pub(crate) fn on_processes<T: Send>(
    processes: usize,
    workers: usize,
    work: impl Fn(&Cluster) -> T + Sync,
) -> Vec<T> {
    let hosts = Hosts::here(processes).unwrap();
    let work = &work;
    let one = |process: usize| {
        let cluster = Cluster { hosts: hosts.clone(), process, workers, timeout: Duration::from_secs(20) };
        move || work(&cluster)
    };
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..processes).map(|process| scope.spawn(one(process))).collect();
        all.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Whom nobody watches.
pub(crate) fn nobody() -> impl FnMut(&[tabia_cluster::status::Gauges]) {
    |_| ()
}
