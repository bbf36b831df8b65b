//! From an HTTP request to an HTTP response, by way of the answering layer.

use crate::assets;
use crate::state::Shared;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream, StreamExt};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tabia_api::{Answer, Body as Content, Events, Found, Next, Problem, Request};
use tabia_app::search::Stop;
use tokio::sync::Notify;

/// How often a silent stream says that it still lives. A listener that has gone is noticed then.
const KEEP_ALIVE: Duration = Duration::from_secs(2);

/// Which route is meant, found once for everything that happens around a request.
pub(crate) type Meant = Result<Found, Problem>;

/// The route of a request; whoever may ask with GET may ask with HEAD.
pub(crate) fn meant(parts: &Parts) -> Meant {
    let method = if parts.method == Method::HEAD { &Method::GET } else { &parts.method };
    Found::find(method.as_str(), parts.uri.path())
}

/// Answers a request for a route that was found, or was not.
pub(crate) async fn answer(server: &Shared, meant: &Meant, request: axum::extract::Request) -> Response {
    let (parts, body) = request.into_parts();
    match meant {
        Ok(found) => match read(&parts, body, found, server.config.limits.body_bytes).await {
            Ok(request) => respond(ask(server, found, request).await),
            Err(problem) => respond(found.route.refuse(problem)),
        },
        Err(problem) if problem.status == 404 && !parts.uri.path().starts_with("/api/") => {
            assets::serve(&server.api, &parts)
        }
        Err(problem) if problem.status == 405 => {
            respond(Answer::from(problem.clone()).with("allow", Found::methods(parts.uri.path())))
        }
        Err(problem) => respond(problem.clone()),
    }
}

/// Short questions are answered here, long ones on a thread of their own.
async fn ask(server: &Shared, found: &Found, request: Request) -> Answer {
    if !found.is_long(&request) {
        return found.answer(&server.api, &request, &Stop::new());
    }
    let (api, asked) = (Arc::clone(&server.api), found.clone());
    let answered = server.work.run(move |stop| asked.answer(&api, &request, stop)).await;
    answered.unwrap_or_else(|problem| found.route.refuse(problem))
}

async fn read(parts: &Parts, body: Body, found: &Found, most: usize) -> Result<Request, Problem> {
    Ok(Request {
        method: found.route.method.to_owned(),
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        accept: text_of(&parts.headers, header::ACCEPT).to_owned(),
        media: text_of(&parts.headers, header::CONTENT_TYPE).to_owned(),
        body: if found.route.reads_body() { whole(body, most).await? } else { Vec::new() },
    })
}

/// A header as text; empty when it is not there.
pub(crate) fn text_of(headers: &HeaderMap, name: HeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

async fn whole(body: Body, most: usize) -> Result<Vec<u8>, Problem> {
    match Limited::new(body, most).collect().await {
        Ok(body) => Ok(body.to_bytes().into()),
        Err(error) if error.is::<LengthLimitError>() => {
            Err(Problem::new(413, format!("a body may have {most} bytes")))
        }
        Err(error) => Err(Problem::new(400, format!("the body broke off: {error}"))),
    }
}

/// The response with this answer.
pub(crate) fn respond(answer: impl Into<Answer>) -> Response {
    let Answer { status, media, headers, body } = answer.into();
    let mut response = match body {
        Content::Bytes(bytes) => Body::from(bytes).into_response(),
        Content::Events(events) => follow(events, media),
    };
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if !media.is_empty() {
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    }
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    response
}

/// Events as they come: server-sent, or lines of JSON.
fn follow(events: Events, media: &str) -> Response {
    let events = stream_of(events);
    if media == "application/x-ndjson" {
        return Body::from_stream(events.map(|event| Ok::<_, Infallible>(event.line()))).into_response();
    }
    let sent = |event: tabia_api::Event| {
        Ok::<_, Infallible>(axum::response::sse::Event::default().event(event.name).data(event.data))
    };
    Sse::new(events.map(sent)).keep_alive(KeepAlive::default().interval(KEEP_ALIVE)).into_response()
}

fn stream_of(mut events: Events) -> impl Stream<Item = tabia_api::Event> + Send {
    let news = Arc::new(Notify::new());
    let bell = Arc::clone(&news);
    events.on_change(move || bell.notify_one());
    stream::unfold((events, news), |(mut events, news)| async move {
        loop {
            match events.take() {
                Next::Event(event) => return Some((event, (events, news))),
                Next::Nothing => news.notified().await,
                Next::Over => return None,
            }
        }
    })
}
