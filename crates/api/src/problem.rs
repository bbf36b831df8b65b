//! Errors as clients see them: `application/problem+json` (RFC 9457), with the place and every reason.

use crate::answer::Answer;
use schemars::JsonSchema;
use serde::Serialize;
use tabia_app::solve::WorkError;
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
    pub fn new(status: u16, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Problem {
            r#type: "about:blank",
            title: title(status),
            status,
            reasons: vec![detail.clone()],
            detail,
            input: None,
            offset: None,
        }
    }

    /// Something nobody knows.
    pub fn unknown(detail: impl Into<String>) -> Self {
        Self::new(404, detail)
    }

    /// The server has enough to do.
    pub fn busy(detail: impl Into<String>) -> Self {
        Self::new(429, detail)
    }

    /// Work that ended in a panic; `payload` is what it left.
    pub fn broken_off(payload: &(dyn std::any::Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Self::new(500, format!("the work broke off: {}", text.unwrap_or("nobody knows why")))
    }
}

/// What a status is called.
pub(crate) fn title(status: u16) -> &'static str {
    match status {
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        413 => "Payload Too Large",
        414 => "URI Too Long",
        415 => "Unsupported Media Type",
        421 => "Misdirected Request",
        422 => "Unprocessable Entity",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        503 => "Service Unavailable",
        _ => "Error",
    }
}

impl From<InputError> for Problem {
    fn from(error: InputError) -> Self {
        let status = match error.kind {
            ErrorKind::Syntax => 400,
            ErrorKind::Invalid | ErrorKind::Illegal => 422,
            ErrorKind::Unknown => 404,
            ErrorKind::Unsupported => 501,
            ErrorKind::Damaged => 503,
        };
        let (input, offset, reasons) = (Some(error.input.into()), error.offset, error.reasons);
        Problem { input, offset, reasons, ..Problem::new(status, error.message) }
    }
}

impl From<WorkError> for Problem {
    fn from(error: WorkError) -> Self {
        match error {
            WorkError::Input(error) => error.into(),
            other => Problem::new(503, other.to_string()),
        }
    }
}

impl From<Problem> for Answer {
    fn from(problem: Problem) -> Self {
        let mut answer = Answer::json(problem.status, &problem);
        answer.media = "application/problem+json";
        if matches!(problem.status, 429 | 503) {
            answer = answer.with("retry-after", "1");
        }
        if problem.status == 401 {
            answer = answer.with("www-authenticate", "Bearer");
        }
        answer
    }
}
