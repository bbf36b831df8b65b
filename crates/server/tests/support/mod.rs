//! Requests without a network.

#![allow(dead_code)] // Each test file uses a part.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;
use tabia_server::{Config, Limits, Server, Shared, handle};

/// A server with an empty book, which lives as long as this.
pub(crate) struct Site {
    server: Shared,
    _folder: tempfile::TempDir,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn media(&self) -> &str {
        self.headers.get("content-type").and_then(|media| media.to_str().ok()).unwrap_or_default()
    }
}

pub(crate) fn site() -> Site {
    site_with(Limits::default(), None)
}

pub(crate) fn site_with(limits: Limits, cors: Option<&str>) -> Site {
    site_of(Config { limits, cors: cors.map(str::to_owned), ..Config::default() })
}

pub(crate) fn site_of(config: Config) -> Site {
    let (server, folder) = server_of(config);
    Site { server, _folder: folder }
}

/// A server with an empty book in a folder of its own.
pub(crate) fn server_of(config: Config) -> (Shared, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let book = Some(folder.path().join("book.redb").to_string_lossy().into_owned());
    (Server::new(Config { book, ..config }).expect("a new book"), folder)
}

impl Site {
    /// The ids of all games.
    pub(crate) async fn games(&self) -> Vec<String> {
        let games = self.get("/api/v1/games").await.json();
        let ids = games["games"].as_array().expect("a list of games").iter();
        ids.map(|game| game["id"].as_str().expect("an id").to_owned()).collect()
    }

    pub(crate) async fn send(&self, mut request: Request<Body>) -> Answer {
        request.headers_mut().entry("host").or_insert(HeaderValue::from_static("localhost:7878"));
        let response = handle(Shared::clone(&self.server), request).await;
        let (parts, body) = response.into_parts();
        let body = body.collect().await.expect("a whole body").to_bytes().to_vec();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Request::get(path).body(Body::empty()).expect("a request")).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send_json("POST", path, body).await
    }

    pub(crate) async fn send_json(&self, method: &str, path: &str, body: &Value) -> Answer {
        let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
        self.send(request.body(Body::from(body.to_string())).expect("a request")).await
    }
}

/// The text as it stands in an address.
pub(crate) fn escaped(text: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
    text.bytes()
        .map(|byte| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
