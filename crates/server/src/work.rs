//! Long work: on threads made for it, never more at the same time than the limit says.

use crate::error::Problem;
use axum::http::StatusCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The places at the workbench.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    places: Arc<Semaphore>,
    all: usize,
    patience: Duration,
}

/// Throws the switch of a piece of work when whoever waited for it is gone.
#[derive(Debug, Default)]
pub(crate) struct StopOnDrop(Arc<AtomicBool>);

impl StopOnDrop {
    /// The switch, for the work.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Work {
    pub(crate) fn new(places: usize, patience: Duration) -> Self {
        Work { places: Arc::new(Semaphore::new(places)), all: places, patience }
    }

    /// A place, kept until it is dropped; refused when all are taken.
    pub(crate) fn place(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let refused = |_| Problem::busy(format!("{} pieces of long work are under way already", self.all));
        Arc::clone(&self.places).try_acquire_owned().map_err(refused)
    }

    /// How many places are taken.
    pub(crate) fn taken(&self) -> usize {
        self.all.saturating_sub(self.places.available_permits())
    }

    /// Does `work` on a thread of its own. Waits a moment for a place; the switch it is handed is thrown
    /// when the client goes away.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let waiting = Arc::clone(&self.places).acquire_owned();
        let Ok(Ok(place)) = tokio::time::timeout(self.patience, waiting).await else {
            let detail = format!("all {} places for long work are taken", self.all);
            return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail));
        };
        let stop = StopOnDrop::default();
        let flag = stop.flag();
        let task = tokio::task::spawn_blocking(move || {
            let _place = place;
            work(&flag)
        });
        let done = task.await;
        drop(stop);
        done.map_err(|_| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "the work broke off"))
    }
}
