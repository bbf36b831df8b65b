//! What happens around every request: it is checked, timed, counted and logged, and the answer gets its headers.

use crate::answer::{Meant, meant, respond};
use crate::passage::pass;
use crate::state::Shared;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use std::time::Instant;
use tabia_api::Problem;

/// Bytes of the longest address that is read.
const LONGEST_ADDRESS: usize = 32 << 10;

/// The page runs its own files and speaks to its own server, nothing else.
const SECURITY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, HeaderValue); 4] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(SECURITY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
];

/// Answers a request, and checks, times, counts and logs it.
pub async fn handle(server: Shared, request: Request) -> Response {
    let started = Instant::now();
    let (parts, body) = request.into_parts();
    let meant = meant(&parts);
    let found = meant.as_ref().ok();
    let path = found.map_or("other", |found| found.route.path);
    let method = parts.method.clone();
    let mut response = match server.guard.check(&parts, found) {
        Ok(()) => answer(&server, &meant, Request::from_parts(parts, body)).await,
        Err(problem) => respond(problem),
    };
    let status = response.status();
    let time = started.elapsed();
    server.metrics.count(path, status.as_u16(), time);
    let micros = time.as_micros() as u64;
    if status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED {
        tracing::warn!(%method, path, status = status.as_u16(), micros, "failed");
    } else {
        tracing::debug!(%method, path, status = status.as_u16(), micros, "answered");
    }
    secure(response.headers_mut());
    response
}

/// The answer, unless the address is too long or the answer takes too long to begin.
async fn answer(server: &Shared, meant: &Meant, request: Request) -> Response {
    if request.uri().path_and_query().map_or(0, |uri| uri.as_str().len()) > LONGEST_ADDRESS {
        let detail = format!("addresses may have {LONGEST_ADDRESS} bytes");
        return respond(Problem::new(414, detail));
    }
    let limit = server.config.limits.request_time;
    tokio::time::timeout(limit, pass(server, meant, request)).await.unwrap_or_else(|_| {
        let detail = format!("there was no answer within {} seconds", limit.as_secs_f64());
        respond(Problem::new(503, detail))
    })
}

fn secure(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(value);
    }
}
