//! The page: its files are part of the binary. Builds with debug assertions read them from the tree, so
//! that a change shows at the next reload.

use crate::answer::{respond, text_of};
use axum::http::{HeaderValue, StatusCode, header, request::Parts};
use axum::response::{Html, IntoResponse, Response};
use std::borrow::Cow;
use tabia_api::{Answer, Api, Problem};

struct Asset {
    path: &'static str,
    media: &'static str,
    embedded: &'static [u8],
}

const PAGE: &str = "index.html";

const NOTHING: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Nothing here - Tabia</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/css/theme.css">
<link rel="stylesheet" href="/css/base.css">
<link rel="stylesheet" href="/css/layout.css">
</head>
<body>
<main><section class="card nothing"><h1>There is nothing at this address.</h1><p><a href="/">To the boards</a></p></section></main>
</body>
</html>
"#;

/// The list that the build script makes of everything under `web/`.
static ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Answers everything that is not the API: a file of the page, the page itself for `/` and each game.
pub(crate) fn serve(api: &Api, request: &Parts) -> Response {
    let path = request.uri.path().trim_start_matches('/');
    let path = if path.is_empty() || api.has_game(path) { PAGE } else { path };
    let Some(asset) = ASSETS.iter().find(|asset| asset.path == path) else {
        return nothing(path, request);
    };
    if !matches!(request.method.as_str(), "GET" | "HEAD") {
        let problem = Problem::new(405, "the page can only be read");
        return respond(Answer::from(problem).with("allow", "GET, HEAD"));
    }
    let bytes = asset.bytes();
    let tag = format!("\"{:016x}\"", fingerprint(&bytes));
    let known =
        request.headers.get(header::IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes());
    let body = if known { Cow::Borrowed(&[] as &[u8]) } else { bytes };
    let status = if known { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
    let mut response =
        (status, [(header::CONTENT_TYPE, asset.media), (header::CACHE_CONTROL, "no-cache")], body)
            .into_response();
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// A page for people, a problem for programs.
fn nothing(path: &str, request: &Parts) -> Response {
    if text_of(&request.headers, header::ACCEPT).contains("text/html") {
        return (StatusCode::NOT_FOUND, Html(NOTHING)).into_response();
    }
    respond(Problem::unknown(format!("there is nothing at /{path}")))
}

impl Asset {
    fn bytes(&self) -> Cow<'static, [u8]> {
        if cfg!(debug_assertions) {
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/").to_owned() + self.path;
            if let Ok(bytes) = std::fs::read(file) {
                return bytes.into();
            }
        }
        self.embedded.into()
    }
}

/// FNV-1a: enough to see that a file has changed.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf29ce484222325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100000001b3))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    fn files(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder of the tree") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                files(&path, found);
            } else {
                found.push(path.to_string_lossy().into_owned());
            }
        }
    }

    fn scripts() -> Vec<String> {
        let mut found = Vec::new();
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/js"), &mut found);
        found
    }

    #[test]
    fn no_word_of_one_game_is_in_the_page() {
        let mut words: Vec<String> = ["jump", "jumps", "stash", "crown"].map(str::to_owned).into();
        for game in tabia_app::Registry::standard().games() {
            words.extend([game.id().to_owned(), game.view().short_name.to_lowercase()]);
            words
                .extend(game.start().board().picture.pieces.into_iter().map(|piece| piece.name.into_owned()));
        }
        for file in scripts() {
            let text = std::fs::read_to_string(&file).expect("a script").to_lowercase();
            let used = text.split(|c: char| !c.is_alphanumeric() && c != '-');
            let foreign: Vec<_> = used.filter(|word| words.iter().any(|known| known == word)).collect();
            assert!(foreign.is_empty(), "{file}: {foreign:?}");
        }
    }
}
