//! 5-Visible as a client of its public design sees it.

mod support;

use serde_json::{Value, json};
use support::{escaped, site};

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

/// A client that knows nothing but the public design: it keeps stacks by its own ids, works out every
/// hashcode by itself, and sends no field that the design does not name.
struct Client {
    site: support::Site,
    board: Value,
    plays: Vec<Value>,
}

impl Client {
    fn stack(&self, id: i64) -> u64 {
        let stacks = self.board["stacks"].as_array().unwrap();
        stacks.iter().find(|stack| stack["id"] == id).map_or(0, |stack| stack["hashcode"].as_u64().unwrap())
    }

    /// Stack hashcodes from lowest to highest, most significant first.
    fn hashcode(&self) -> u64 {
        let stacks = self.board["stacks"].as_array().unwrap();
        let mut codes: Vec<u64> = stacks.iter().map(|stack| stack["hashcode"].as_u64().unwrap()).collect();
        codes.sort_unstable();
        codes.into_iter().fold(0, |code, stack| code << 8 | stack)
    }

    /// Tries a move; `false` when the server refuses it.
    async fn play(&mut self, from: i64, to: i64) -> bool {
        let stacks = self.board["stacks"].as_array().unwrap().iter();
        let stacks: Vec<Value> =
            stacks.map(|stack| json!({ "id": stack["id"], "hashcode": stack["hashcode"] })).collect();
        let hashcode = self.hashcode();
        let board =
            json!({ "hashcode": hashcode, "next-player": self.board["next-player"], "stacks": stacks });
        let path = format!("/api/5visible/games?from-stack={from}&to-stack={to}&api-version=1.0");
        let answer = self.site.send_json("PATCH", &path, &board).await;
        if answer.status == 400 {
            return false;
        }
        assert_eq!(answer.status, 200, "{}", answer.text());
        let drawn = if from == 9 { 0xFF } else { self.stack(from) };
        self.plays.push(json!({ "board-hashcode": hashcode, "move-hashcode": drawn << 8 | self.stack(to) }));
        self.board = answer.json();
        true
    }
}

#[tokio::test]
async fn a_client_of_the_public_design_plays_a_whole_match_and_records_it() {
    let site = site();
    let board = site.get("/api/5visible/games?first-turn=0").await.json();
    let mut client = Client { site, board, plays: Vec::new() };
    let (mut seed, mut drawn, mut refused) = (7u64, 0, 0);
    while client.board["winner"] == 2 && client.plays.len() < 190 {
        assert_eq!(client.board["hashcode"].as_u64().unwrap(), client.hashcode());
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let (from, to) = ((seed >> 33) as i64 % 10, (seed >> 43) as i64 % 9);
        let played = client.play(from, to).await;
        drawn += usize::from(played && from != 9);
        refused += usize::from(!played);
    }
    assert!(drawn > 0 && refused > 0, "{drawn} bricks drawn from stacks, {refused} moves refused");
    let winner = &client.board["winner"];
    assert!(*winner == 0 || *winner == 1, "the match has a winner");
    let stats = json!({ "winner": winner, "plays": client.plays });
    let answer = client.site.post("/api/5visible/stats?api-version=1.0", &stats).await;
    assert_eq!(answer.status, 204, "{}", answer.text());
    // Every play is in the book, on its board and under its move.
    for (ply, play) in client.plays.iter().enumerate() {
        let pos = escaped(&format!("#{:x}:{}", play["board-hashcode"].as_u64().unwrap(), ply % 2));
        let stats = client.site.get(&format!("/api/v1/games/five-visible/stats?pos={pos}")).await.json();
        let code = format!("{:#06x}", play["move-hashcode"].as_u64().unwrap());
        let moves = stats["moves"].as_array().unwrap();
        assert!(moves.iter().any(|mv| mv["code"] == code.as_str() && mv["total"] != 0), "{code} in {stats}");
    }
}
