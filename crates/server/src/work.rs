//! Long work: on threads made for it, never more at the same time than the limit says.

use std::sync::Arc;
use std::time::Duration;
use tabia_api::Problem;
use tabia_app::search::Stop;
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
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Work {
    pub(crate) fn new(places: usize, patience: Duration) -> Self {
        Work { places: Arc::new(Semaphore::new(places)), all: places, patience }
    }

    /// A place, kept until it is dropped; `None` when all are taken.
    pub(crate) fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    /// How many places are taken.
    pub(crate) fn taken(&self) -> usize {
        self.all.saturating_sub(self.places.available_permits())
    }

    /// Does `work` on a thread of its own. Waits a moment for a place; the switch it is handed is thrown
    /// when the client goes away.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let waiting = Arc::clone(&self.places).acquire_owned();
        let Ok(Ok(place)) = tokio::time::timeout(self.patience, waiting).await else {
            return Err(Problem::new(503, format!("all {} places for long work are taken", self.all)));
        };
        let waiter = StopOnDrop::default();
        let stop = waiter.0.clone();
        let task = tokio::task::spawn_blocking(move || {
            let _place = place;
            work(&stop)
        });
        task.await.map_err(|error| match error.try_into_panic() {
            Ok(payload) => Problem::broken_off(payload.as_ref()),
            Err(_) => Problem::new(503, "the server is ending"),
        })
    }
}
