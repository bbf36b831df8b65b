//! Who may ask and who may write: names that are not ours, pages of other origins, servers others can reach.

mod support;

use axum::body::Body;
use axum::http::Request;
use support::{Answer, Site, site, site_of};
use tabia_server::{Config, Token};

const PGN: &str = "[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

/// Sends a game the way a form or a script of any page can: without asking first.
async fn record(site: &Site, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::post("/api/v1/games/chess/records").header("content-type", "text/plain");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    site.send(request.body(Body::from(PGN)).unwrap()).await
}

async fn ask(site: &Site, host: &str) -> u16 {
    let request = Request::get("/api/v1/games").header("host", host).body(Body::empty()).unwrap();
    site.send(request).await.status.as_u16()
}

fn listening(address: &str) -> Config {
    Config { listen: Some(address.parse().unwrap()), ..Config::default() }
}

#[tokio::test]
async fn only_names_of_this_server_are_answered() {
    let site = site();
    for own in ["localhost", "LOCALHOST:1", "127.0.0.1:7878", "127.1.2.3", "[::1]:7878"] {
        assert_eq!(ask(&site, own).await, 200, "{own}");
    }
    for other in ["rebound.example", "localhost.example:7878", "10.0.0.1", "[::2]", "127.0.0.1.example"] {
        assert_eq!(ask(&site, other).await, 421, "{other}");
    }
    assert_eq!(ask(&site, "").await, 400);
    let twice = Request::get("/api/v1/games").header("host", "localhost").header("host", "rebound.example");
    assert_eq!(site.send(twice.body(Body::empty()).unwrap()).await.status, 400);
}

#[tokio::test]
async fn the_address_in_the_request_line_is_looked_at_too() {
    let request = Request::get("http://rebound.example/api/v1/games").body(Body::empty()).unwrap();
    assert_eq!(site().send(request).await.status, 421);
}

#[tokio::test]
async fn names_and_addresses_are_given_at_the_start() {
    let named = site_of(Config { hosts: vec!["Board.example".to_owned()], ..Config::default() });
    assert_eq!(ask(&named, "board.example:7878").await, 200);
    assert_eq!(ask(&named, "other.example").await, 421);
    let fixed = site_of(listening("192.0.2.7:80"));
    assert_eq!((ask(&fixed, "192.0.2.7").await, ask(&fixed, "192.0.2.8").await), (200, 421));
    let everywhere = site_of(listening("0.0.0.0:80"));
    assert_eq!(
        (ask(&everywhere, "192.0.2.8:80").await, ask(&everywhere, "rebound.example").await),
        (200, 421)
    );
}

#[tokio::test]
async fn pages_of_other_origins_change_nothing() {
    let site = site();
    for foreign in [
        ("origin", "http://other.example"),
        ("origin", "http://localhost:7879"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        let answer = record(&site, &[foreign]).await;
        assert_eq!(
            (answer.status.as_u16(), answer.media()),
            (403, "application/problem+json"),
            "{foreign:?}"
        );
    }
    for (method, path) in
        [("POST", "/api/v1/analyses"), ("DELETE", "/api/v1/analyses/1"), ("PATCH", "/api/5visible/games")]
    {
        let request = Request::builder().method(method).uri(path).header("origin", "http://other.example");
        assert_eq!(site.send(request.body(Body::empty()).unwrap()).await.status, 403, "{method} {path}");
    }
    assert_eq!(site.get("/api/v1/games/chess/stats").await.json()["total"], 0);
    for own in
        [("origin", "http://localhost:7878"), ("sec-fetch-site", "same-origin"), ("sec-fetch-site", "none")]
    {
        assert_eq!(record(&site, &[own]).await.status, 202, "{own:?}");
    }
}

#[tokio::test]
async fn the_one_other_origin_that_was_let_in_may_write() {
    let site = site_of(Config { cors: Some("http://other.example".to_owned()), ..Config::default() });
    let friend = [("origin", "http://other.example"), ("sec-fetch-site", "cross-site")];
    assert_eq!(record(&site, &friend).await.status, 202);
    assert_eq!(record(&site, &[("origin", "http://third.example")]).await.status, 403);
}

#[tokio::test]
async fn a_server_that_others_can_reach_takes_games_only_when_told_so() {
    let closed = site_of(listening("0.0.0.0:80"));
    let answer = record(&closed, &[]).await;
    assert_eq!(answer.status, 403);
    assert!(answer.text().contains("--allow-writes"), "{}", answer.text());
    let selfplay = serde_json::json!({ "games": 1 });
    assert_eq!(closed.post("/api/v1/games/chess/selfplay", &selfplay).await.status, 403);
    assert_eq!(closed.post("/api/5visible/stats", &serde_json::json!({})).await.status, 403);
    // Questions, long ones too, are answered.
    let analysis = serde_json::json!({ "game": "chess", "limits": { "depth": 1 } });
    assert_eq!(closed.post("/api/v1/analyses", &analysis).await.status, 201);
    let open = site_of(Config { allow_writes: true, ..listening("0.0.0.0:80") });
    assert_eq!(record(&open, &[]).await.status, 202);
}

#[tokio::test]
async fn a_token_lets_its_holders_write() {
    for address in ["0.0.0.0:80", "127.0.0.1:80"] {
        let site = site_of(Config { token: Token::new("secret\n"), ..listening(address) });
        for wrong in [
            &[] as &[(&str, &str)],
            &[("authorization", "Bearer wrong")],
            &[("authorization", "Basic secret")],
        ] {
            let answer = record(&site, wrong).await;
            assert_eq!(answer.status, 401, "{wrong:?}");
            assert_eq!(answer.headers["www-authenticate"], "Bearer");
        }
        assert_eq!(record(&site, &[("authorization", "Bearer secret")]).await.status, 202);
    }
}

#[tokio::test]
async fn browsers_get_a_page_where_there_is_nothing() {
    let site = site();
    let browser = Request::get("/foo").header("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    let answer = site.send(browser.body(Body::empty()).unwrap()).await;
    assert_eq!((answer.status.as_u16(), answer.media()), (404, "text/html; charset=utf-8"));
    assert!(answer.text().contains("href=\"/\""));
    let answer = site.get("/foo").await;
    assert_eq!((answer.status.as_u16(), answer.media()), (404, "application/problem+json"));
}
