//! Requests that no honest client would send: never a panic, never a 500.

mod support;

use proptest::prelude::*;
use support::{escaped, site};

const ROUTES: [&str; 4] = ["position", "board.svg", "codes", "stats"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_answered(game: prop::sample::Index, route in 0..ROUTES.len(), pos in "\\PC{0,60}", play in "\\PC{0,20}") {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (path, answer) = runtime.block_on(async {
            let site = site();
            let games = site.games().await;
            let (game, route) = (game.get(&games), ROUTES[route]);
            let path = format!("/api/v1/games/{game}/{route}?pos={}&play={}", escaped(&pos), escaped(&play));
            let answer = site.get(&path).await;
            (path, answer)
        });
        prop_assert!(answer.status.is_success() || answer.status.is_client_error(), "{path}: {}", answer.text());
        if answer.status.is_client_error() {
            let problem = answer.json();
            if let (Some(offset), Some(input)) = (problem["offset"].as_u64(), problem["input"].as_str()) {
                prop_assert!(offset as usize <= input.len(), "{problem}");
            }
        }
    }

    #[test]
    fn any_body_is_answered(body in proptest::collection::vec(any::<u8>(), 0..200), path in 0..4usize) {
        let path = ["/api/v1/analyses", "/api/v1/games/chess/records", "/api/v1/games/chess/selfplay", "/api/5visible/stats"][path];
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let request = axum::http::Request::post(path).header("content-type", "application/json");
        let request = request.body(axum::body::Body::from(body)).unwrap();
        let answer = runtime.block_on(async { site().send(request).await });
        prop_assert!(answer.status.is_success() || answer.status.is_client_error(), "{path}: {}", answer.text());
    }
}
