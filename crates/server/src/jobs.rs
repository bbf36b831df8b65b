//! Work that goes on after the request that asked for it: its progress can be looked up.

use crate::error::Problem;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

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
    pub(crate) stop: Arc<AtomicBool>,
}

impl Job {
    /// Changes what is known of it.
    pub(crate) fn update(&self, change: impl FnOnce(&mut JobView)) {
        change(&mut self.view.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// How far it has come.
    pub(crate) fn view(&self) -> JobView {
        self.view.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// All jobs.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    jobs: Mutex<BTreeMap<u64, Job>>,
}

impl Jobs {
    /// A new job, which somebody else sets to work.
    pub(crate) fn begin(&self, about: impl Into<String>) -> Job {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let id = jobs.last_key_value().map_or(1, |(last, _)| last + 1);
        let (about, messages) = (about.into(), Vec::new());
        let view = JobView { id, about, status: "running", games: 0, positions: 0, messages };
        let job = Job { view: Arc::new(Mutex::new(view)), stop: Arc::default() };
        jobs.insert(id, job.clone());
        let oldest = jobs.iter().find(|(_, job)| job.view().status != "running").map(|(id, _)| *id);
        if let Some(oldest) = oldest.filter(|_| jobs.len() > REMEMBERED) {
            jobs.remove(&oldest);
        }
        job
    }

    /// How far a job has come.
    pub(crate) fn view(&self, id: u64) -> Result<JobView, Problem> {
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.get(&id).map(Job::view).ok_or_else(|| Problem::unknown(format!("there is no job {id}")))
    }

    /// Ends all of them.
    pub(crate) fn stop_all(&self) {
        for job in self.jobs.lock().unwrap_or_else(PoisonError::into_inner).values() {
            job.stop.store(true, Ordering::Relaxed);
        }
    }
}
