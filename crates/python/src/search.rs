//! A search that runs beside Python and hands its reports over one by one.

use crate::answer::answer;
use crate::errors;
use crate::stream::Stream;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;
use tabia_app::search::{SearchRequest, SearchView};
use tabia_app::{AnyGame, AnyPosition, InputError};
use tabia_python_game::{Call, PyRules};

/// More reports than a search has iterations.
const REPORTS: usize = 1024;

/// A search in progress.
#[pyclass(frozen, module = "tabia")]
pub(crate) struct Search {
    game: Arc<dyn AnyGame>,
    /// Rules written in Python are asked until the search is over.
    _call: Option<Call>,
    reports: Stream<Result<SearchView, InputError>>,
}

impl Search {
    pub(crate) fn start(
        game: Arc<dyn AnyGame>,
        position: Box<dyn AnyPosition>,
        request: SearchRequest,
    ) -> PyResult<Self> {
        let call = tabia_python_game::behind(&*game).map(PyRules::enter);
        let reports = Stream::start(REPORTS, move |stop, send| {
            let mut tell = |view: &SearchView| {
                if let ControlFlow::Break(()) = send(Ok(view.clone())) {
                    stop.stop();
                }
            };
            let found = position.search().and_then(|position| position.search(&request, stop, &mut tell));
            let _ = send(found);
        })?;
        Ok(Search { game, _call: call, reports })
    }
}

#[pymethods]
impl Search {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let report = self.reports.next(py)?;
        errors::trusted(&*self.game)?;
        report.map(|report| answer(py, "SearchReport", &report.map_err(errors::input)?)).transpose()
    }

    /// Ends the search; the next report is its last.
    fn stop(&self) {
        self.reports.stop();
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.reports.end(py);
    }
}
