//! 5-Visible as a client of its public design sees it.

mod support;

use serde_json::json;
use support::site;

#[tokio::test]
async fn a_match_from_the_first_brick_to_the_statistics() {
    let site = site();
    let mut board = site.get("/api/5visible/games?first-turn=0&api-version=1").await.json();
    assert_eq!((&board["hashcode"], &board["next-player"]), (&json!(0x21212525), &json!(0)));
    let mut plays = Vec::new();
    for to in [0, 4, 1, 5, 6] {
        let answer =
            site.send_json("PATCH", &format!("/api/5visible/games?from-stack=9&to-stack={to}"), &board).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let next = answer.json();
        plays.push(
            json!({ "board-hashcode": board["hashcode"], "move-hashcode": next["last-move-hashcode"] }),
        );
        board = next;
    }
    assert_eq!(board["winner"], 0);
    let answer = site.post("/api/5visible/stats", &json!({ "winner": 0, "plays": plays })).await;
    assert_eq!(answer.status, 204, "{}", answer.text());
    let stats = site.get("/api/v1/games/five-visible/stats").await.json();
    assert_eq!((&stats["total"], &stats["wins0"]), (&json!(1), &json!(1)));
    assert_eq!(stats["moves"][0]["code"], "0xff00");
}

#[tokio::test]
async fn mistakes_are_answered_in_the_shape_of_the_design() {
    let site = site();
    let board = site.get("/api/5visible/games?first-turn=1").await.json();
    for (path, body) in [
        ("/api/5visible/games?from-stack=9&to-stack=9", &board),
        ("/api/5visible/games?from-stack=42&to-stack=1", &board),
        ("/api/5visible/games?from-stack=9", &board),
        (
            "/api/5visible/games?from-stack=9&to-stack=1",
            &json!({ "hashcode": 1, "next-player": 0, "stacks": [] }),
        ),
        ("/api/5visible/games?from-stack=9&to-stack=1", &json!({})),
    ] {
        let answer = site.send_json("PATCH", path, body).await;
        assert_eq!(answer.status, 400, "{path}");
        assert!(answer.json()["message"].is_string(), "{path}");
    }
    assert_eq!(site.get("/api/5visible/games?first-turn=2").await.status, 400);
    assert_eq!(site.post("/api/5visible/stats", &json!({ "winner": 0, "plays": [] })).await.status, 400);
}
