//! The page: an HTTP server on threads of its own.

use crate::game::{Game, registry};
use crate::pygame::rules_of;
use crate::run::LOOK;
use crate::stream::{ends_with_interpreter, same_process};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tabia_app::{Registry, Stop};
use tabia_core::channel::{Receiver, RecvTimeoutError, bounded};
use tabia_python_game::{Call, behind, registered};
use tabia_server::{Config, ServeError};

/// The page and the HTTP interface of all games, served from this process until it is stopped.
#[pyclass(frozen, module = "tabia")]
pub(crate) struct Server {
    address: SocketAddr,
    path: String,
    stop: Stop,
    /// How the server ended.
    end: Mutex<Receiver<Result<(), ServeError>>>,
    /// The answers of a game written in Python go to others as long as the server runs.
    call: Mutex<Option<Call>>,
    process: u32,
}

/// The games to serve, which of them to show, and the work that begins where it is written in Python.
fn games(game: Option<&Bound<'_, PyAny>>) -> PyResult<(Registry, String, Option<Call>)> {
    let Some(game) = game else { return Ok((registry().clone(), String::new(), None)) };
    if let Ok(known) = game.cast::<Game>()
        && behind(&*known.get().inner).is_none()
    {
        return Ok((registry().clone(), known.get().inner.id().to_owned(), None));
    }
    let rules = rules_of(game)?;
    let (call, id) = (rules.enter(), tabia_core::Game::id(&rules).to_owned());
    Ok((registered(registry().clone(), rules), id, Some(call)))
}

#[pymethods]
impl Server {
    #[new]
    #[pyo3(signature = (game=None, *, port=None))]
    fn new(py: Python<'_>, game: Option<&Bound<'_, PyAny>>, port: Option<u16>) -> PyResult<Self> {
        let (registry, path, call) = games(game)?;
        let listen = port.map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
        let config = Config { registry, listen, ..Config::default() };
        let (stop, (tell, told), (over, end)) = (Stop::new(), bounded(1), bounded(1));
        let switch = stop.clone();
        let thread = std::thread::Builder::new().name("tabia-serve".to_owned()).spawn(move || {
            let ended = tabia_server::run_until(config, &switch, |address| {
                let _ = tell.send(address);
            });
            let _ = over.send(ended);
        })?;
        ends_with_interpreter(stop.clone(), thread);
        match py.detach(move || told.recv()) {
            Ok(address) => {
                let process = std::process::id();
                Ok(Server { address, path, stop, end: Mutex::new(end), call: Mutex::new(call), process })
            }
            Err(_) => Err(how(py.detach(move || end.recv()).ok()).err().unwrap_or_else(broke_off)),
        }
    }

    /// The address of the page.
    #[getter]
    fn url(&self) -> String {
        format!("http://{}/{}", self.address, self.path)
    }

    /// Waits until the server ends; Ctrl-C is raised.
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        same_process(self.process)?;
        loop {
            match py.detach(|| self.end().recv_timeout(LOOK)) {
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Ok(ended) => return how(Some(ended)),
            }
        }
    }

    /// Stops the server. An exception that a game written in Python raised while it was served is raised now.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        same_process(self.process)?;
        self.stop.stop();
        // Without the interpreter, which requests under way may need.
        let ended = py.detach(|| self.end().recv());
        let call = self.call.lock().unwrap_or_else(PoisonError::into_inner).take();
        call.map_or(Ok(()), |call| call.leave(py))?;
        how(ended.ok())
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        self.stop(py)
    }

    fn __repr__(&self) -> String {
        format!("<tabia.Server at {}>", self.url())
    }
}

impl Server {
    fn end(&self) -> MutexGuard<'_, Receiver<Result<(), ServeError>>> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Nobody waits: the threads end by themselves.
        self.stop.stop();
    }
}

/// How a server ended; `None` when that was told before.
fn how(ended: Option<Result<(), ServeError>>) -> PyResult<()> {
    ended.unwrap_or(Ok(())).map_err(|error| PyOSError::new_err(error.to_string()))
}

fn broke_off() -> PyErr {
    PyRuntimeError::new_err("the server broke off")
}
