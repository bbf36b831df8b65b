//! Long work: without the interpreter, on a thread of its own, while this one looks for Ctrl-C.

use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use tabia_app::Stop;

/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(20);

/// Does `work` and hands its answer on; Ctrl-C throws `stop` and is raised when the work has ended.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, finished) = channel::<()>();
            let worker = scope.spawn(move || {
                let _done = done;
                // Attached once, so that calls back into Python need no new thread state each.
                Python::attach(|py| py.detach(work))
            });
            let mut signal = None;
            while let Err(RecvTimeoutError::Timeout) = finished.recv_timeout(LOOK) {
                if signal.is_none()
                    && let Err(error) = Python::attach(|py| py.check_signals())
                {
                    stop.stop();
                    signal = Some(error);
                }
            }
            let answer = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            signal.map_or(Ok(answer), Err)
        })
    })
}
