//! Exceptions that rules raised, kept until everybody who might have been misled by them has heard.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What went wrong in the rules of one game, and who is waiting for their answers.
///
/// Whoever was given a harmless answer instead of a true one must hear of it. Long work says when it begins and
/// ends ([`Faults::enter`]), and a fault is forgotten only when none is under way. A short question is put and answered
/// in one piece: no other thread runs Python between the fault and [`Faults::raise`].
#[derive(Clone, Default)]
pub(crate) struct Faults {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    /// Whether there is a fault, to be asked without the lock.
    set: AtomicBool,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    fault: Option<(PyErr, String)>,
    calls: usize,
}

impl Faults {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.shared.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the rules have failed.
    pub(super) fn is_set(&self) -> bool {
        self.shared.set.load(SeqCst)
    }

    /// The reason, in words.
    pub(super) fn reason(&self) -> Option<String> {
        if !self.is_set() {
            return None;
        }
        self.kept().fault.as_ref().map(|(_, reason)| reason.clone())
    }

    /// Keeps an exception, unless there is one already.
    pub(super) fn keep(&self, py: Python<'_>, error: PyErr) {
        // Words come from Python: not under the lock.
        let reason = in_words(py, &error);
        let late = {
            let mut kept = self.kept();
            self.shared.set.store(true, SeqCst);
            if kept.fault.is_none() { kept.fault.replace((error, reason)) } else { Some((error, reason)) }
        };
        // Dropping an exception can run Python, too.
        drop(late);
    }

    /// The same where there is no interpreter any more.
    pub(super) fn keep_shutdown(&self) {
        let reason = "the Python interpreter is shutting down";
        self.kept().fault.get_or_insert_with(|| (PyRuntimeError::new_err(reason), reason.to_owned()));
        self.shared.set.store(true, SeqCst);
    }

    /// Raises the exception after a short question.
    pub(super) fn raise(&self, py: Python<'_>) -> PyResult<()> {
        if self.is_set() { self.told(py, 0) } else { Ok(()) }
    }

    /// Raises the exception as `ended` pieces of long work end; it is forgotten when that was the last.
    fn told(&self, py: Python<'_>, ended: usize) -> PyResult<()> {
        let (error, forgotten) = {
            let mut kept = self.kept();
            kept.calls -= ended;
            let error = kept.fault.as_ref().map(|(error, _)| error.clone_ref(py));
            let last = kept.calls == 0;
            if last {
                self.shared.set.store(false, SeqCst);
            }
            (error, if last { kept.fault.take() } else { None })
        };
        drop(forgotten);
        error.map_or(Ok(()), Err)
    }

    /// Long work begins.
    pub(crate) fn enter(&self) -> Call {
        self.kept().calls += 1;
        Call { faults: self.clone(), ended: false }
    }
}

/// Long work under way.
pub struct Call {
    faults: Faults,
    ended: bool,
}

impl Call {
    /// Ends the work: an exception of the rules is raised from it.
    pub fn leave(mut self, py: Python<'_>) -> PyResult<()> {
        self.ended = true;
        self.faults.told(py, 1)
    }

    /// Whether the rules have failed meanwhile, so that going on is of no use.
    pub fn has_failed(&self) -> bool {
        self.faults.is_set()
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if !self.ended {
            Python::try_attach(|py| self.faults.told(py, 1).is_ok());
        }
    }
}

/// The kind of exception, what it says, and the line that raised it.
pub(super) fn in_words(py: Python<'_>, error: &PyErr) -> String {
    let kind = error.get_type(py).name().map_or_else(|_| "exception".to_owned(), |name| name.to_string());
    let said = error.value(py).to_string();
    let said = if said.is_empty() { said } else { format!(": {said}") };
    let place = place(py, error).map_or_else(String::new, |place| format!(" ({place})"));
    format!("{kind}{said}{place}")
}

/// The file and line where an exception was raised.
fn place(py: Python<'_>, error: &PyErr) -> Option<String> {
    let mut deepest = error.traceback(py)?.into_any();
    while let Ok(next) = deepest.getattr("tb_next")
        && !next.is_none()
    {
        deepest = next;
    }
    let line: u32 = deepest.getattr("tb_lineno").ok()?.extract().ok()?;
    let code = deepest.getattr("tb_frame").ok()?.getattr("f_code").ok()?;
    let file: String = code.getattr("co_filename").ok()?.extract().ok()?;
    let file = file.rsplit(['/', '\\']).next().unwrap_or(&file);
    Some(format!("{file}, line {line}"))
}
