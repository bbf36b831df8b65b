//! What the answering layer borrows from whoever carries the requests: threads, time, files, counters.

use std::any::Any;
use std::io;
use std::path::PathBuf;
use std::time::Duration;
use tabia_app::Progress;

/// A piece of work.
pub type Work = Box<dyn FnOnce() + Send>;

/// A place for long work, free again when this is dropped.
pub type Place = Box<dyn Any + Send>;

/// A file that is gone when this is dropped.
pub struct TemporaryFile {
    /// Where it is.
    pub path: PathBuf,
    /// Removes the file by being dropped.
    pub guard: Box<dyn Any + Send>,
}

impl std::fmt::Debug for TemporaryFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("TemporaryFile").field(&self.path).finish()
    }
}

/// Whoever carries the requests.
pub trait Host: Send + Sync {
    /// Does long work beside the request that asked for it.
    fn spawn(&self, work: Work);

    /// Does a short piece of work after a while.
    fn later(&self, delay: Duration, work: Work);

    /// A place for long work; `None` when all are taken.
    fn place(&self) -> Option<Place>;

    /// Puts bytes into a file, for those who read files.
    fn file(&self, bytes: &[u8]) -> io::Result<TemporaryFile>;

    /// Hears how far long work has come, ten times a second. Most hosts have nobody to tell.
    fn progress(&self, _now: &Progress) {}

    /// The counters of the host, with the number of analyses at work: media type and text. `None` when it
    /// does not count.
    fn metrics(&self, _analyses: usize) -> Option<(&'static str, String)> {
        None
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};
    use std::thread::{JoinHandle, spawn};

    /// A host of plain threads with one place.
    #[derive(Default)]
    pub(crate) struct Threads {
        at_work: Mutex<Vec<JoinHandle<()>>>,
        place: Arc<()>,
    }

    impl Threads {
        /// Waits for everything that was set going.
        pub(crate) fn wait(&self) {
            while let Some(thread) = { self.at_work.lock().unwrap().pop() } {
                thread.join().unwrap();
            }
        }
    }

    impl Host for Threads {
        fn spawn(&self, work: Work) {
            self.at_work.lock().unwrap().push(spawn(work));
        }

        fn later(&self, delay: Duration, work: Work) {
            spawn(move || {
                std::thread::sleep(delay);
                work();
            });
        }

        fn place(&self) -> Option<Place> {
            let free = Arc::strong_count(&self.place) == 1;
            free.then(|| Box::new(Arc::clone(&self.place)) as Place)
        }

        fn file(&self, _: &[u8]) -> io::Result<TemporaryFile> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }
}
