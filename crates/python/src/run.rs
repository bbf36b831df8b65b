//! Long work: without the interpreter, on a thread of its own, while the caller looks for Ctrl-C.

use crate::errors;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tabia_app::{AnyGame, Progress, Stop, Watch};
use tabia_core::channel::{RecvTimeoutError, bounded};
use tabia_python_game::{Call, PyRules};

/// How often Ctrl-C is looked for.
pub(crate) const LOOK: Duration = Duration::from_millis(20);

/// A Python function that hears of progress. When it raises, the work is stopped and the exception raised.
pub(crate) struct Listener {
    function: Option<Py<PyAny>>,
    pub(crate) stop: Stop,
    raised: Mutex<Option<PyErr>>,
}

impl Listener {
    pub(crate) fn new(function: Option<Py<PyAny>>) -> Self {
        Listener { function, stop: Stop::new(), raised: Mutex::new(None) }
    }

    /// Calls the function with what `arguments` makes for it.
    pub(crate) fn tell<'a>(
        &self,
        argument: impl for<'py> FnOnce(Python<'py>) -> PyResult<Bound<'py, PyAny>> + 'a,
    ) {
        let Some(function) = &self.function else { return };
        if self.stop.is_stopped() {
            return;
        }
        let called = Python::attach(|py| function.call1(py, (argument(py)?,)).map(drop));
        if let Err(error) = called {
            self.stop.stop();
            self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    fn take(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Progress as Python sees it.
pub(crate) fn shown<'py>(py: Python<'py>, progress: &Progress) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item("stage", progress.stage.as_ref())?;
    fields.set_item("done", progress.done)?;
    fields.set_item("total", progress.total)?;
    fields.set_item("unit", progress.unit)?;
    fields.set_item("lane", progress.lane)?;
    crate::answer::made(py, "Progress", fields)
}

/// Does long work that tells its progress. Ctrl-C is raised as soon as the work has ended; so is what the
/// listener raised, and a fault of the rules.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    game: &dyn AnyGame,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&Watch<'_>) -> T + Send,
) -> PyResult<T> {
    let listener = Listener::new(progress);
    told(py, game, &listener, || {
        let tell = |progress: &Progress| listener.tell(|py| shown(py, progress));
        work(&Watch { stop: &listener.stop, progress: &tell })
    })
}

/// Does long work that tells a listener things of its own.
pub(crate) fn told<T: Send>(
    py: Python<'_>,
    game: &dyn AnyGame,
    listener: &Listener,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    kept(work, |work| {
        let call = tabia_python_game::behind(game).map(PyRules::enter);
        let failed = || call.as_ref().is_some_and(Call::has_failed);
        let ended = until(py, &listener.stop, &failed, work);
        // What the rules raised comes first: it may have led to all else.
        call.map_or_else(|| errors::trusted(game), |call| call.leave(py))?;
        listener.take().map_or(ended, Err)
    })
}

/// Does `work` and hands its answer on; Ctrl-C throws `stop` and is raised when the work has ended.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    kept(work, |work| until(py, stop, &|| false, work))
}

/// Lets `run` do `work`, of whatever type its answer is, and hands that on.
fn kept<T: Send>(
    work: impl FnOnce() -> T + Send,
    run: impl FnOnce(&mut (dyn FnMut() + Send)) -> PyResult<()>,
) -> PyResult<T> {
    let (mut work, mut answer) = (Some(work), None);
    run(&mut || answer = work.take().map(|work| work()))?;
    Ok(answer.expect("`run` has called it"))
}

/// Does `work`, and stops it when something has `failed` or on Ctrl-C, which is raised when it has ended. The one place for
/// that: the code would be there once more for everything that Python can ask.
fn until(
    py: Python<'_>,
    stop: &Stop,
    failed: &(dyn Fn() -> bool + Sync),
    work: &mut (dyn FnMut() + Send),
) -> PyResult<()> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, finished) = bounded::<()>(1);
            let worker = scope.spawn(move || {
                let _done = done;
                // Attached once, so that calls back into Python need no new thread state each.
                Python::attach(|py| py.detach(work));
            });
            let mut signal = None;
            while let Err(RecvTimeoutError::Timeout) = finished.recv_timeout(LOOK) {
                if failed() {
                    stop.stop();
                }
                if signal.is_none()
                    && let Some(error) = Python::attach(|py| py.check_signals().err())
                {
                    stop.stop();
                    signal = Some(error);
                }
            }
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            signal.map_or(Ok(()), Err)
        })
    })
}
