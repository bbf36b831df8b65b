//! What a worker lends to the answering layer: no threads, but work for later; files in memory.

use js_sys::Function;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tabia_api::{Host, Place, TemporaryFile, Work};
use tabia_app::{Instant, Progress};
use wasm_bindgen::JsValue;

/// Where the games of a request stand until they have been read.
const UPLOAD: &str = "/upload";

thread_local! {
    /// Hears how far long work has come. A function of JavaScript belongs to one thread.
    static WATCHER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Lends the function that hears how far long work has come: what it does, how much, of how much, of what.
pub(crate) fn watch(watcher: Option<Function>) {
    WATCHER.set(watcher);
}

/// A worker as a host.
#[derive(Default)]
pub(crate) struct WorkerHost {
    waiting: Mutex<VecDeque<Work>>,
    timed: Mutex<Vec<(Instant, Work)>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WorkerHost {
    /// Whether there is long work to do.
    pub(crate) fn has_work(&self) -> bool {
        !lock(&self.waiting).is_empty()
    }

    /// Does the long work.
    pub(crate) fn work(&self) {
        while let Some(work) = { lock(&self.waiting).pop_front() } {
            work();
        }
    }

    /// Does the short work whose time has come.
    pub(crate) fn tick(&self) {
        let now = Instant::now();
        let due: Vec<_> = lock(&self.timed).extract_if(.., |(when, _)| *when <= now).collect();
        for (_, work) in due {
            work();
        }
    }
}

impl Host for WorkerHost {
    fn spawn(&self, work: Work) {
        lock(&self.waiting).push_back(work);
    }

    fn later(&self, delay: Duration, work: Work) {
        lock(&self.timed).push((Instant::now() + delay, work));
    }

    fn place(&self) -> Option<Place> {
        // JavaScript asks nothing of a worker that works.
        Some(Box::new(()))
    }

    fn file(&self, bytes: &[u8]) -> io::Result<TemporaryFile> {
        struct Guard;
        impl Drop for Guard {
            fn drop(&mut self) {
                let _ = tabia_disk::remove_file(UPLOAD);
            }
        }
        let mut file = tabia_disk::File::create(UPLOAD)?;
        file.write_all(bytes)?;
        Ok(TemporaryFile { path: PathBuf::from(UPLOAD), guard: Box::new(Guard) })
    }

    fn progress(&self, now: &Progress) {
        let total = now.total.map_or(JsValue::NULL, |total| (total as f64).into());
        let told = [now.stage.as_ref().into(), (now.done as f64).into(), total, now.unit.into()];
        WATCHER.with_borrow(|watcher| {
            if let Some(watcher) = watcher {
                // Whoever listens badly must not disturb the work.
                let _ = watcher.apply(&JsValue::NULL, &told.iter().collect());
            }
        });
    }
}
