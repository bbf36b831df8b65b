//! Pasted texts, whole games and board editors over HTTP.

mod support;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use support::{Site, escaped, site};

#[tokio::test]
async fn what_is_pasted_is_recognised_or_refused_at_its_place() {
    let site = site();
    let pgn = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {good} e5 (1... c5) 2. Nf3 1-0\n";
    let answer = site.post("/api/v1/recognise", &json!({ "text": pgn, "game": "draughts" })).await;
    let found = &answer.json()["found"][0];
    assert_eq!(
        (&found["kind"], &found["game"], &found["plies"]),
        (&json!("game"), &json!("chess"), &json!(3))
    );
    assert_eq!(found["summary"], "a chess game, 3 plies, A - B, 1-0");
    assert_eq!(found["line"]["moves"][1]["variations"][0]["moves"][0]["move"], "c5");
    let answer = site.post("/api/v1/recognise", &json!({ "text": "B:W18,24,K30:B5,12" })).await.json();
    assert_eq!(answer["found"][0]["summary"], "an English draughts position, Black to move");
    let refused = site.post("/api/v1/recognise", &json!({ "text": "1. e4 e5 2. Ke8" })).await;
    assert_eq!((refused.status.as_u16(), refused.media()), (400, "application/problem+json"));
    assert_eq!(
        (&refused.json()["offset"], &refused.json()["input"]),
        (&json!(12), &json!("1. e4 e5 2. Ke8"))
    );
}

/// Everything that is said about a game, the last report last.
async fn annotated(site: &Site, game: &str, body: &Value) -> Value {
    told(site, &format!("/api/v1/games/{game}/annotations"), body).await
}

/// The last report of work that is listened to.
async fn told(site: &Site, path: &str, body: &Value) -> Value {
    let begun = site.post(path, body).await;
    assert_eq!(begun.status, 202, "{}", begun.text());
    let events = begun.json()["events"].as_str().unwrap().to_owned();
    let lines = Request::get(&events).header("accept", "application/x-ndjson").body(Body::empty()).unwrap();
    let text = site.send(lines).await.text();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.pop().unwrap()["event"], "done");
    lines.pop().unwrap()
}

#[tokio::test]
async fn a_game_is_looked_at_and_written_with_what_was_found() {
    let site = site();
    let moves = json!(["f3", "e5", "g4", "Qh4#"]);
    let found = annotated(&site, "chess", &json!({ "moves": moves, "nodes": 2000 })).await;
    assert_eq!((&found["done"], &found["total"]), (&json!(5), &json!(5)));
    let plies = found["plies"].as_array().unwrap();
    assert_eq!((&plies[2]["mark"], &plies[2]["played"]), (&json!("??"), &json!("g4")));
    assert_eq!((&plies[4]["score"], &plies[4]["text"]), (&json!(-1.0), &json!("Black wins")));
    assert_eq!((&plies[3]["value"], &plies[3]["text"]), (&json!({ "win": 1 }), &json!("Black wins in 1")));
    assert!(found["players"][0]["accuracy"].as_f64() < found["players"][1]["accuracy"].as_f64());
    assert_eq!(found["players"][0]["mistakes"]["??"], 1);
    let line: Vec<Value> = moves.as_array().unwrap().iter().map(|mv| json!({ "move": mv })).collect();
    let body = json!({
        "line": { "moves": line }, "tags": { "White": "A" }, "result": "0-1", "format": "pgn", "annotation": found,
    });
    let written = site.post("/api/v1/games/chess/write", &body).await.json();
    assert_eq!(written["name"], "game.pgn");
    let text = written["text"].as_str().unwrap();
    assert!(text.contains("[White \"A\"]") && text.contains("g4 $4 {[%eval #-1]}"), "{text}");
    let again = site.post("/api/v1/recognise", &json!({ "text": text })).await.json();
    assert_eq!(again["found"][0]["line"]["moves"][2]["glyphs"], json!(["??"]));
}

#[tokio::test]
async fn every_game_is_looked_at() {
    let site = site();
    for game in site.games().await {
        let mut moves: Vec<String> = Vec::new();
        for _ in 0..3 {
            let path = format!("/api/v1/games/{game}/position?play={}", escaped(&moves.join(",")));
            let position = site.get(&path).await.json();
            moves.push(position["moves"][0]["move"].as_str().unwrap().to_owned());
        }
        let found = annotated(&site, &game, &json!({ "moves": moves, "nodes": 500 })).await;
        assert_eq!(found["done"], 4, "{game}");
        for ply in found["plies"].as_array().unwrap() {
            assert!(ply["score"].as_f64().unwrap().abs() <= 1.0 && ply["text"].is_string(), "{game}: {ply}");
        }
    }
}

#[tokio::test]
async fn a_report_comes_as_figures_and_as_a_page() {
    let site = site();
    let body = json!({ "variant": "triangle5", "effort": "random=1,positions=1", "seed": 4 });
    let found = told(&site, "/api/v1/games/solitaire/reports", &body).await;
    let profile = &found["profile"];
    assert_eq!((&profile["variant"], &profile["seed"]), (&json!("solitaire+triangle5"), &json!(4)));
    assert!(found["html"].as_str().unwrap().starts_with("<!doctype html>"));
    for (body, status) in [
        (json!({ "effort": "random" }), 400),
        (json!({ "time": -1 }), 400),
        (json!({ "variant": "nowhere" }), 400),
    ] {
        let answer = site.post("/api/v1/games/solitaire/reports", &body).await;
        assert_eq!(answer.status.as_u16(), status, "{body}: {}", answer.text());
    }
}

#[tokio::test]
async fn bad_games_are_refused_before_work_begins() {
    let site = site();
    for (path, body, status) in [
        ("/api/v1/games/chess/annotations", json!({ "moves": ["e5"] }), 422),
        ("/api/v1/games/chess/annotations", json!({ "moves": [], "nodes": 0 }), 400),
        ("/api/v1/games/chess/annotations", json!({ "moves": vec!["e4"; 100_000] }), 413),
        ("/api/v1/games/chess/write", json!({ "line": { "moves": [] }, "format": "pdn" }), 404),
        ("/api/v1/games/chess/write", json!({ "line": { "moves": [{ "move": "e5" }] } }), 422),
        ("/api/v1/games/chess/arrange", json!({ "cells": { "z9": "P" } }), 422),
        ("/api/v1/games/chess/arrange", json!({ "cells": { "e4": "X" } }), 422),
        ("/api/v1/games/chess/arrange", json!({ "cells": {}, "side": 2 }), 422),
    ] {
        let answer = site.post(path, &body).await;
        assert_eq!(answer.status.as_u16(), status, "{path}: {}", answer.text());
    }
}

#[tokio::test]
async fn every_start_can_be_set_up_again_and_an_empty_board_says_what_is_wrong() {
    let site = site();
    for game in site.games().await {
        let palette = site.get(&format!("/api/v1/games/{game}/palette")).await.json();
        assert!(palette["pieces"].as_array().unwrap().iter().all(|piece| {
            piece["svg"].as_str().unwrap().starts_with("<svg") && !piece["name"].as_str().unwrap().is_empty()
        }));
        let position = site.get(&format!("/api/v1/games/{game}/position")).await.json();
        let answer = site.post(&format!("/api/v1/games/{game}/arrange"), &palette["setup"]).await.json();
        assert_eq!(
            (&answer["text"], &answer["codes"]),
            (&position["position"], &position["codes"]),
            "{game}"
        );
        assert_eq!(answer["violations"], json!([]));
    }
    let empty = site.post("/api/v1/games/chess/arrange", &json!({ "cells": {} })).await.json();
    assert_eq!(empty["codes"], Value::Null);
    assert!(empty["violations"].as_array().unwrap().len() >= 2, "both kings are missing: {empty}");
}

#[tokio::test]
async fn clicks_that_are_no_move_are_told_why() {
    let site = site();
    for (address, reason) in [
        ("draughts/refusal?play=11-15,22-18&steps=8,11", "a capture is compulsory"),
        ("chess/refusal?steps=e2,e5", "cannot go to e5"),
        ("five-visible/refusal?pos=empty&play=s5,s1,s2&steps=2,3", "is blocked"),
        ("arx/refusal?steps=a5,a6", "is empty"),
        ("solitaire/refusal?steps=d4,d6", "there is no peg on d4"),
    ] {
        let answer = site.get(&format!("/api/v1/games/{address}")).await.json();
        assert!(answer["reason"].as_str().is_some_and(|said| said.contains(reason)), "{address}: {answer}");
    }
    let legal = site.get("/api/v1/games/chess/refusal?steps=e2,e4").await.json();
    assert_eq!(legal["reason"], Value::Null);
    let promotion =
        site.get("/api/v1/games/chess/position?pos=8/P6k/8/8/8/8/8/K7%20w%20-%20-%200%201").await.json();
    let offered = promotion["moves"].as_array().unwrap().iter().filter(|mv| mv["steps"][1] == "a8");
    let offered: Vec<_> = offered.map(|mv| mv["move"].as_str().unwrap().to_owned()).collect();
    assert_eq!(offered, ["a8=Q", "a8=R", "a8=B", "a8=N"]);
}

#[tokio::test]
async fn games_that_are_sent_are_listed_and_filtered() {
    let site = site();
    let game = |white: &str, year: u16, mv: &str, result: &str| {
        format!("[White \"{white}\"]\n[Black \"B\"]\n[Date \"{year}.01.01\"]\n\n1. {mv} {result}\n\n")
    };
    let pgn = [
        game("Anna", 1990, "e4", "1-0"),
        game("Bert", 2001, "d4", "0-1"),
        game("Anna", 2010, "d4", "1/2-1/2"),
    ];
    let request =
        Request::post("/api/v1/games/chess/records").header("content-type", "application/x-chess-pgn");
    let sent = site.send(request.body(Body::from(pgn.concat())).unwrap()).await;
    assert_eq!(sent.status, 202, "{}", sent.text());
    let job = sent.headers["location"].to_str().unwrap().to_owned();
    while site.get(&job).await.json()["status"] == "running" {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    for (query, total, moves, samples) in [
        ("", 3, 2, 3),
        ("samples=1", 3, 2, 1),
        ("player=anna", 2, 2, 2),
        ("result=0-1", 1, 1, 1),
        ("from=1995&to=2005", 1, 1, 1),
        ("selfplay=no", 3, 2, 3),
        ("player=nobody", 0, 0, 0),
    ] {
        let stats = site.get(&format!("/api/v1/games/chess/stats?{query}")).await.json();
        assert_eq!(
            (&stats["total"], stats["moves"].as_array().unwrap().len()),
            (&json!(total), moves),
            "{query}"
        );
        assert_eq!(stats["games"].as_array().unwrap().len(), samples, "{query}");
        assert_eq!(stats["filtered"], !(query.is_empty() || query.starts_with("samples")), "{query}");
    }
    let first = &site.get("/api/v1/games/chess/stats?result=1-0").await.json()["games"][0];
    assert_eq!(
        (&first["white"], &first["date"], &first["result"]),
        (&json!("Anna"), &json!("1990.01.01"), &json!("1-0"))
    );
    for wrong in ["result=2-0", "selfplay=maybe", "samples=101", "from=x"] {
        assert_eq!(site.get(&format!("/api/v1/games/chess/stats?{wrong}")).await.status, 400, "{wrong}");
    }
}
