//! Options of long work, checked before it begins.

use crate::errors;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::time::Duration;
use tabia_app::search::{Method, SearchRequest};

/// More threads than any machine has use for.
const MOST_THREADS: usize = 1024;
/// Longer sequences of moves are not counted in anybody's lifetime.
const MOST_PLIES: u32 = 250;

/// A number of threads.
pub(crate) fn threads(threads: usize) -> PyResult<usize> {
    if (1..=MOST_THREADS).contains(&threads) {
        Ok(threads)
    } else {
        Err(PyValueError::new_err(format!("threads is {threads}, not 1 to {MOST_THREADS}")))
    }
}

/// A number of plies to look ahead or to count.
pub(crate) fn depth(depth: u32) -> PyResult<u32> {
    if depth <= MOST_PLIES {
        Ok(depth)
    } else {
        Err(PyValueError::new_err(format!("depth is {depth}, not 0 to {MOST_PLIES}")))
    }
}

/// A time in seconds.
pub(crate) fn time(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|error| PyValueError::new_err(format!("time is {seconds}: {error}")))
}

/// Bytes from binary megabytes.
pub(crate) fn bytes(megabytes: u32) -> u64 {
    u64::from(megabytes) << 20
}

/// A search; one without any limit takes a second.
pub(crate) fn search(
    seconds: Option<f64>,
    plies: Option<u32>,
    nodes: Option<u64>,
    lines: usize,
    method: Option<&str>,
    threads_used: usize,
    hash_mb: u32,
    seed: u64,
) -> PyResult<SearchRequest> {
    let limited = plies.is_some() || nodes.is_some();
    let time = match seconds {
        None if !limited => Some(Duration::from_secs(1)),
        seconds => seconds.map(time).transpose()?,
    };
    if !(1..=256).contains(&lines) {
        return Err(PyValueError::new_err(format!("lines is {lines}, not 1 to 256")));
    }
    Ok(SearchRequest {
        method: method.map(str::parse::<Method>).transpose().map_err(errors::input)?,
        time,
        depth: plies.map(depth).transpose()?,
        nodes,
        hash_bytes: bytes(hash_mb) as usize,
        threads: threads(threads_used)?,
        lines,
        seed,
        ..SearchRequest::default()
    })
}
