//! Analyses over HTTP.

mod support;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use support::{site, site_with};
use tabia_server::Limits;

#[tokio::test]
async fn reports_come_as_events_and_as_lines() {
    let site = site();
    let begun = site
        .post("/api/v1/analyses", &json!({ "game": "draughts", "limits": { "depth": 5 }, "lines": 2 }))
        .await;
    assert_eq!(begun.status, 201, "{}", begun.text());
    let events = begun.json()["events"].as_str().unwrap().to_owned();
    let answer = site.get(&events).await;
    assert_eq!(answer.media(), "text/event-stream");
    assert!(
        answer.text().contains("event: report") && answer.text().trim_end().ends_with("data: {}"),
        "{}",
        answer.text()
    );
    let lines = Request::get(&events).header("accept", "application/x-ndjson").body(Body::empty()).unwrap();
    let answer = site.send(lines).await;
    let lines: Vec<Value> = answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let report = &lines[lines.len() - 2];
    assert_eq!((&report["depth"], report["lines"].as_array().unwrap().len()), (&json!(5), 2));
    assert!(report["move"].is_string() && report["score"]["estimate"].is_i64());
    assert_eq!(lines[lines.len() - 1]["event"], "done");
}

#[tokio::test]
async fn there_is_a_limit_and_a_way_to_end() {
    let site = site_with(Limits { analyses: 1, ..Limits::default() }, None);
    let endless = json!({ "game": "chess" });
    let first = site.post("/api/v1/analyses", &endless).await;
    assert_eq!(first.status, 201);
    let second = site.post("/api/v1/analyses", &endless).await;
    assert_eq!((second.status.as_u16(), second.media()), (429, "application/problem+json"));
    assert!(second.headers.contains_key("retry-after"));
    let place = first.headers["location"].to_str().unwrap().to_owned();
    let end = Request::delete(&place).body(Body::empty()).unwrap();
    assert_eq!(site.send(end).await.status, 204);
    // The stream of an ended analysis ends.
    assert!(site.get(&format!("{place}/events")).await.text().contains("event: done"));
    assert_eq!(
        site.post("/api/v1/analyses", &json!({ "game": "chess", "limits": { "depth": 1 } })).await.status,
        201
    );
}

#[tokio::test]
async fn what_cannot_be_analysed_is_refused_at_once() {
    let site = site();
    for (body, status) in [
        (json!({ "game": "solitaire" }), 501),
        (json!({ "game": "chess", "lines": 9 }), 400),
        (json!({ "game": "chess", "limits": { "level": 0 } }), 400),
        (json!({ "game": "chess", "limits": { "level": 11 } }), 400),
        (json!({ "game": "chess", "limits": { "time": -1 } }), 400),
        (json!({ "game": "chess", "method": "guess" }), 404),
        (json!({ "game": "chess", "pos": "nothing" }), 400),
        (json!({ "game": "chess", "play": "e2e5" }), 422),
    ] {
        let answer = site.post("/api/v1/analyses", &body).await;
        assert_eq!(answer.status.as_u16(), status, "{body}: {}", answer.text());
    }
}

#[tokio::test]
async fn a_low_level_errs_and_the_highest_does_not() {
    let site = site();
    let mut found = Vec::new();
    for level in [1, 10] {
        let mut moves = std::collections::BTreeSet::new();
        for seed in 0..12 {
            let body = json!({ "game": "chess", "limits": { "level": level }, "seed": seed });
            let begun = site.post("/api/v1/analyses", &body).await.json();
            let events = begun["events"].as_str().unwrap();
            let lines = Request::get(events).header("accept", "application/x-ndjson");
            let answer = site.send(lines.body(Body::empty()).unwrap()).await.text();
            let report: Value = serde_json::from_str(answer.lines().rev().nth(1).unwrap()).unwrap();
            moves.insert(report["move"].to_string());
        }
        found.push(moves.len());
    }
    assert!(found[0] > 1 && found[1] == 1, "{found:?}");
}
