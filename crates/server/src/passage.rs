//! The way of an answer out of the program: a panic becomes an answer, pages of another origin are let in, and whoever
//! takes compressed answers gets them.
//!
//! Routes are data of the answering layer, so no router stands here: one function is called after the other, without a
//! pointer or a copy in between.

use crate::answer::{Meant, answer, respond};
use crate::error::ServeError;
use crate::state::Shared;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, header};
use axum::response::Response;
use futures_util::FutureExt;
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use tabia_api::Problem;
use tower::{Layer, Service, service_fn};
use tower_http::compression::Compression;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::cors::CorsLayer;

/// The answer as it is sent.
pub(crate) async fn pass(server: &Shared, meant: &Meant, request: Request) -> Response {
    let answering = service_fn(|request| caught(server, meant, request).map(Ok::<_, Infallible>));
    let mut compressing = Compression::new(answering).compress_when(whole_answers());
    let Ok(response) = match &server.cors {
        Some(cors) => cors.layer(compressing).call(request).await,
        None => compressing.call(request).await,
    };
    response.map(Body::new)
}

async fn caught(server: &Shared, meant: &Meant, request: Request) -> Response {
    let answered = AssertUnwindSafe(answer(server, meant, request)).catch_unwind().await;
    answered.unwrap_or_else(|payload| respond(Problem::broken_off(payload.as_ref())))
}

/// Reports of an analysis must leave at once, so their streams are not compressed.
fn whole_answers() -> impl Predicate {
    DefaultPredicate::new().and(NotForContentType::const_new("application/x-ndjson"))
}

/// What lets the pages of one other origin in.
pub(crate) fn cors(origin: &str) -> Result<CorsLayer, ServeError> {
    let refused = || ServeError::Origin(origin.to_owned());
    if !(origin.starts_with("http://") || origin.starts_with("https://")) {
        return Err(refused());
    }
    let origin: HeaderValue = origin.parse().map_err(|_| refused())?;
    let methods = [Method::GET, Method::POST, Method::PATCH, Method::DELETE];
    Ok(CorsLayer::new()
        .allow_origin(origin)
        .allow_methods(methods)
        .allow_headers([header::CONTENT_TYPE, header::AUTHORIZATION]))
}
