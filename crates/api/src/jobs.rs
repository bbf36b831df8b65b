//! Work that goes on after the request that asked for it: its progress can be looked up.

use crate::host::Host;
use crate::problem::Problem;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tabia_app::Stop;

/// Finished jobs that are remembered.
const REMEMBERED: usize = 100;

/// How far a job has come.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct JobView {
    /// Its number.
    pub(crate) id: u64,
    /// What it does.
    pub(crate) about: String,
    /// `running`, `done` or `failed`.
    pub(crate) status: &'static str,
    /// Games written to the book so far.
    pub(crate) games: u64,
    /// Positions written to the book so far.
    pub(crate) positions: u64,
    /// Why it failed, or remarks about games that were left out.
    pub(crate) messages: Vec<String>,
}

/// A job at work.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    view: Arc<Mutex<JobView>>,
    /// Thrown to end it.
    pub(crate) stop: Stop,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Job {
    /// Changes what is known of it.
    pub(crate) fn update(&self, change: impl FnOnce(&mut JobView)) {
        change(&mut lock(&self.view));
    }

    /// How far it has come.
    pub(crate) fn view(&self) -> JobView {
        lock(&self.view).clone()
    }

    /// Notes how it ended.
    pub(crate) fn end(&self, ended: Result<(), Problem>) {
        self.update(|view| match ended {
            Ok(()) => view.status = "done",
            Err(problem) => {
                view.status = "failed";
                view.messages.push(problem.detail);
            }
        });
    }
}

/// All jobs.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    jobs: Mutex<BTreeMap<u64, Job>>,
}

impl Jobs {
    /// A new job, which somebody else sets to work.
    pub(crate) fn new_job(&self, about: impl Into<String>) -> Job {
        let mut jobs = lock(&self.jobs);
        let id = jobs.last_key_value().map_or(1, |(last, _)| last + 1);
        let (about, messages) = (about.into(), Vec::new());
        let view = JobView { id, about, status: "running", games: 0, positions: 0, messages };
        let job = Job { view: Arc::new(Mutex::new(view)), stop: Stop::new() };
        jobs.insert(id, job.clone());
        let oldest = jobs.iter().find(|(_, job)| job.view().status != "running").map(|(id, _)| *id);
        if let Some(oldest) = oldest.filter(|_| jobs.len() > REMEMBERED) {
            jobs.remove(&oldest);
        }
        job
    }

    /// Sets a job going beside the request, and notes how it ended: a panic is a failure, too.
    pub(crate) fn begin(
        &self,
        host: &dyn Host,
        about: String,
        work: impl FnOnce(&Job) -> Result<(), Problem> + Send + 'static,
    ) -> Result<Job, Problem> {
        let full = || Problem::busy("as much long work as this server allows is under way already");
        let place = host.place().ok_or_else(full)?;
        let job = self.new_job(about);
        let mine = job.clone();
        host.spawn(Box::new(move || {
            let _place = place;
            let ended = catch_unwind(AssertUnwindSafe(|| work(&mine)));
            mine.end(ended.unwrap_or_else(|payload| Err(Problem::broken_off(payload.as_ref()))));
        }));
        Ok(job)
    }

    /// How far a job has come.
    pub(crate) fn view(&self, id: u64) -> Result<JobView, Problem> {
        let jobs = lock(&self.jobs);
        jobs.get(&id).map(Job::view).ok_or_else(|| Problem::unknown(format!("there is no job {id}")))
    }

    /// Ends all of them.
    pub(crate) fn stop_all(&self) {
        for job in lock(&self.jobs).values() {
            job.stop.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::tests::Threads;

    #[test]
    fn a_job_that_panics_has_failed_and_says_why() {
        let (jobs, host) = (Jobs::default(), Threads::default());
        let job = jobs.begin(&host, "a trap".to_owned(), |_| panic!("square 99 is not on the board"));
        let id = job.expect("a free place").view().id;
        host.wait();
        let view = jobs.view(id).expect("known");
        assert_eq!(view.status, "failed");
        assert_eq!(view.messages, ["the work broke off: square 99 is not on the board"]);
        assert!(host.place().is_some(), "its place is free again");
    }

    #[test]
    fn a_job_that_works_is_done() {
        let (jobs, host) = (Jobs::default(), Threads::default());
        let job = jobs.begin(&host, "a count".to_owned(), |job| {
            job.update(|view| view.games = 3);
            Ok(())
        });
        host.wait();
        let view = job.expect("a free place").view();
        assert_eq!((view.status, view.games), ("done", 3));
    }
}
