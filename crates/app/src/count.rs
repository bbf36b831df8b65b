//! Counting move sequences, and playing at random.

use crate::adapter::Held;
use crate::measure::Stopwatch;
use crate::solve::WorkError;
use crate::views::{DivideView, PerftView, PlayoutView};
use crate::watch::Watch;
use crate::{PerftRequest, PlayoutRequest};
use tabia_core::perft::{self, CountError};
use tabia_core::{Present, playout, threads, trust};
use tabia_solve::SolveError;

impl From<CountError> for WorkError {
    fn from(error: CountError) -> Self {
        match error {
            CountError::Game(error) => SolveError::Game(error).into(),
            _ => SolveError::Stopped.into(),
        }
    }
}

impl<G: Present> Held<G> {
    /// Counts move sequences under these rules.
    pub(crate) fn counted(
        &self,
        rules: &G,
        request: &PerftRequest,
        watch: &Watch<'_>,
    ) -> Result<PerftView, WorkError> {
        let entry = size_of::<Option<(G::Packed, u32, u64)>>();
        let options =
            perft::PerftOptions { hash_entries: request.hash_bytes / request.threads.max(1) / entry };
        let work = watch.work(request.threads, request.hash_bytes as u64);
        let (depth, stopwatch) = (request.depth, Stopwatch::start());
        let divide = request.divide.then(|| perft::divide(rules, self.state(), depth, options, &work));
        let divide = divide.transpose()?;
        let nodes = match &divide {
            Some(parts) if depth > 0 => parts.iter().map(|part| part.1).sum(),
            _ => perft::perft(rules, self.state(), depth, options, &work)?,
        };
        let part = |(mv, nodes): (G::Move, u64)| DivideView {
            text: rules.format_move(self.state(), mv),
            nodes: nodes.into(),
        };
        Ok(PerftView {
            depth,
            nodes: nodes.into(),
            cpu_seconds: stopwatch.cpu_seconds(),
            seconds: stopwatch.seconds(),
            nodes_per_second: stopwatch.rate(nodes as f64),
            divide: divide.map(|parts| parts.into_iter().map(part).collect()),
        })
    }

    /// Plays random games until the first limit is reached or somebody stops it.
    pub(crate) fn played_out(
        &self,
        request: &PlayoutRequest,
        watch: &Watch<'_>,
    ) -> Result<PlayoutView, WorkError> {
        let (rules, stopwatch) = (self.rules(), Stopwatch::start());
        // The first threads play what is left after dividing.
        let share = |thread: usize| {
            let threads = request.threads.max(1) as u64;
            request.games.map(|games| games / threads + u64::from((thread as u64) < games % threads))
        };
        let enough = |share: Option<u64>, report: &playout::Report| {
            share.is_some_and(|games| report.playouts >= games)
                || request.time.is_some_and(|time| stopwatch.elapsed() >= time)
                || watch.stop.is_stopped()
                || rules.fault().is_some()
        };
        let reports = threads::run(request.threads, |thread| {
            let (seed, share) = (request.seed.wrapping_add(thread as u64), share(thread));
            playout::playouts(rules, self.state(), seed, |report| enough(share, report))
        });
        trust::check(rules).map_err(SolveError::Game)?;
        let report = reports.iter().fold(playout::Report::default(), playout::Report::plus);
        Ok(PlayoutView {
            playouts: report.playouts,
            plies: report.plies,
            plies_per_second: stopwatch.rate(report.plies as f64),
            playouts_per_second: stopwatch.rate(report.playouts as f64),
            mean_length: report.mean_length(),
            mean_branching: report.mean_branching(),
            wins0: report.wins[0],
            wins1: report.wins[1],
            draws: report.draws,
            cpu_seconds: stopwatch.cpu_seconds(),
            seconds: stopwatch.seconds(),
        })
    }
}
