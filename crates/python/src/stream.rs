//! Things that a thread makes while Python takes them one by one.

use crate::run::LOOK;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tabia_app::Stop;
use tabia_core::channel::{Receiver, RecvTimeoutError, Sender, TrySendError, bounded};

/// Hands a thing over; it answers whether anybody wants more.
pub(crate) type Send<'a, T> = dyn Fn(T) -> ControlFlow<()> + 'a;

/// The threads that run: they end before the interpreter does, as no thread may come back to it then.
static RUNNING: Mutex<Vec<Running>> = Mutex::new(Vec::new());

struct Running {
    stop: Stop,
    thread: JoinHandle<()>,
    process: u32,
}

/// Refuses what was started in another process: a fork takes it along, but not its threads.
pub(crate) fn same_process(process: u32) -> PyResult<()> {
    if process == std::process::id() {
        return Ok(());
    }
    Err(PyRuntimeError::new_err("this was started in another process, before a fork"))
}

/// A thread that makes things, and the things it has made.
pub(crate) struct Stream<T> {
    things: Mutex<Option<Receiver<T>>>,
    stop: Stop,
    process: u32,
}

impl<T: std::marker::Send + 'static> Stream<T> {
    /// Starts a thread that does `work`; it waits when `ahead` things are not taken yet.
    pub(crate) fn start(
        ahead: usize,
        work: impl FnOnce(&Stop, &Send<'_, T>) + std::marker::Send + 'static,
    ) -> PyResult<Self> {
        let (sender, things) = bounded(ahead);
        let stop = Stop::new();
        let switch = stop.clone();
        let thread = std::thread::Builder::new().name("tabia".to_owned()).spawn(move || {
            let send = |thing| hand_over(&sender, thing, &switch);
            Python::attach(|py| py.detach(|| work(&switch, &send)));
        })?;
        ends_with_interpreter(stop.clone(), thread);
        Ok(Stream { things: Mutex::new(Some(things)), stop, process: std::process::id() })
    }

    /// The next thing; `None` after the last. Ctrl-C ends the stream.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<T>> {
        same_process(self.process)?;
        loop {
            let thing = py.detach(|| {
                let things = self.things.lock().unwrap_or_else(PoisonError::into_inner);
                things
                    .as_ref()
                    .map_or(Err(RecvTimeoutError::Disconnected), |things| things.recv_timeout(LOOK))
            });
            match thing {
                Ok(thing) => return Ok(Some(thing)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| self.end(py))?,
            }
        }
    }

    /// Asks the thread to end; what it has made can still be taken.
    pub(crate) fn stop(&self) {
        self.stop.stop();
    }

    /// Ends the thread and forgets what it has made.
    pub(crate) fn end(&self, py: Python<'_>) {
        self.stop.stop();
        py.detach(|| self.things.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

impl<T> Drop for Stream<T> {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

/// A thread that is stopped and waited for before the interpreter ends.
pub(crate) fn ends_with_interpreter(stop: Stop, thread: JoinHandle<()>) {
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    running.retain(|running| !running.thread.is_finished());
    running.push(Running { stop, thread, process: std::process::id() });
}

/// Waits for room, unless nobody wants the thing.
fn hand_over<T: std::marker::Send + 'static>(
    sender: &Sender<T>,
    mut thing: T,
    stop: &Stop,
) -> ControlFlow<()> {
    loop {
        match sender.try_send(thing) {
            Ok(()) => return ControlFlow::Continue(()),
            Err(TrySendError::Full(back)) if !stop.is_stopped() => thing = back,
            Err(_) => return ControlFlow::Break(()),
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Ends all streams: called before the interpreter ends.
#[pyfunction]
pub(crate) fn _end(py: Python<'_>) {
    py.detach(|| {
        let mut running = std::mem::take(&mut *RUNNING.lock().unwrap_or_else(PoisonError::into_inner));
        // Threads of the process before a fork are not here to be waited for.
        running.retain(|running| running.process == std::process::id());
        running.iter().for_each(|running| running.stop.stop());
        running.into_iter().for_each(|running| drop(running.thread.join()));
    });
}
