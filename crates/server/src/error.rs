//! Errors as clients see them: `application/problem+json` (RFC 9457), with the place and every reason.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use tabia_app::{ErrorKind, InputError};

/// What went wrong with a request.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Problem {
    /// Always `about:blank`: the status says what kind of problem it is.
    pub r#type: &'static str,
    /// The status in words.
    pub title: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong, in a sentence.
    pub detail: String,
    /// What was sent, where the trouble is in a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Box<str>>,
    /// Byte offset of the trouble in `input`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<usize>,
    /// Every single reason.
    pub reasons: Vec<String>,
}

impl Problem {
    /// A problem with one reason and no place.
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Problem {
            r#type: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            reasons: vec![detail.clone()],
            detail,
            input: None,
            offset: None,
        }
    }

    /// Something nobody knows.
    pub fn unknown(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, detail)
    }

    /// The server has enough to do.
    pub fn busy(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, detail)
    }
}

impl From<InputError> for Problem {
    fn from(error: InputError) -> Self {
        let status = match error.kind {
            ErrorKind::Syntax => StatusCode::BAD_REQUEST,
            ErrorKind::Invalid | ErrorKind::Illegal => StatusCode::UNPROCESSABLE_ENTITY,
            ErrorKind::Unknown => StatusCode::NOT_FOUND,
            ErrorKind::Unsupported => StatusCode::NOT_IMPLEMENTED,
        };
        let (input, offset, reasons) = (Some(error.input.into()), error.offset, error.reasons);
        Problem { input, offset, reasons, ..Problem::new(status, error.message) }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response =
            (status, [(header::CONTENT_TYPE, "application/problem+json")], body).into_response();
        if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
        }
        response
    }
}

/// Why the server could not start or had to stop.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Nobody can listen there.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Where.
        address: std::net::SocketAddr,
        /// Why not.
        source: std::io::Error,
    },
    /// The origin cannot stand in a header.
    #[error("{0:?} is not an origin such as http://localhost:3000")]
    Origin(String),
    /// The book cannot be opened.
    #[error("{0}")]
    Book(String),
    /// The operating system refuses.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}
