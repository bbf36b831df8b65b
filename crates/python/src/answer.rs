//! Answers: the views of the facade as objects of the classes in `tabia.answers`.

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::Serialize;
use serde_json::Value;

/// A view as an object of a class of `tabia.answers`.
pub(crate) fn answer<'py>(
    py: Python<'py>,
    class: &str,
    view: &impl Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    made(py, class, plain(py, view)?.cast_into::<PyDict>()?)
}

/// An object of a class of `tabia.answers`, from its fields.
pub(crate) fn made<'py>(
    py: Python<'py>,
    class: &str,
    fields: Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("tabia.answers")?.getattr(class)?.call_method1("of", (fields,))
}

/// A view as dictionaries, lists, texts and numbers.
pub(crate) fn plain<'py>(py: Python<'py>, view: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let value = serde_json::to_value(view).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    object(py, &value)
}

fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(flag) => flag.into_bound_py_any(py),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into_bound_py_any(py),
            (None, Some(number)) => number.into_bound_py_any(py),
            (None, None) => number.as_f64().into_bound_py_any(py),
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(items) => {
            let items = items.iter().map(|item| object(py, item)).collect::<PyResult<Vec<_>>>()?;
            Ok(PyList::new(py, items)?.into_any())
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (name, field) in fields {
                dict.set_item(name, object(py, field)?)?;
            }
            Ok(dict.into_any())
        }
    }
}
