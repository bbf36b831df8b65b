//! What the server lends to the answering layer: threads, time, files, counters.

use crate::metrics::{MEDIA, Metrics};
use crate::work::Work;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;
use tabia_api::{Host, Place, TemporaryFile};
use tokio::runtime::Handle;

/// The server as a host.
#[derive(Clone, Debug)]
pub(crate) struct ServerHost {
    pub(crate) work: Work,
    pub(crate) metrics: Arc<Metrics>,
}

impl Host for ServerHost {
    fn spawn(&self, work: tabia_api::Work) {
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn_blocking(work);
        }
    }

    fn later(&self, delay: Duration, work: tabia_api::Work) {
        // Without a runtime the server is ending, and everything with it.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                tokio::time::sleep(delay).await;
                work();
            });
        }
    }

    fn place(&self) -> Option<Place> {
        self.work.place().map(|place| Box::new(place) as Place)
    }

    fn file(&self, bytes: &[u8]) -> io::Result<TemporaryFile> {
        let mut file = tempfile::NamedTempFile::new()?;
        file.write_all(bytes)?;
        Ok(TemporaryFile { path: file.path().to_path_buf(), guard: Box::new(file) })
    }

    fn metrics(&self, analyses: usize) -> Option<(&'static str, String)> {
        Some((MEDIA, self.metrics.text(analyses, self.work.taken())))
    }
}
