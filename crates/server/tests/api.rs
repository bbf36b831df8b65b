//! The API as a client sees it.

mod support;

use serde_json::{Value, json};
use support::{escaped, site, site_of, site_with};
use tabia_app::tablebase::BuildRequest;
use tabia_app::{Registry, Settings, Watch};
use tabia_server::{Config, Limits};

#[tokio::test]
async fn every_game_has_a_position_with_moves_and_a_picture() {
    let site = site();
    let games = site.games().await;
    assert!(!games.is_empty());
    for game in games {
        let about = site.get(&format!("/api/v1/games/{game}")).await.json();
        assert!(!about["rules"].as_str().unwrap().is_empty());
        assert!(!about["board"]["geometry"]["cells"].as_array().unwrap().is_empty());
        let position = site.get(&format!("/api/v1/games/{game}/position?board=true")).await.json();
        let moves = position["moves"].as_array().unwrap();
        assert_eq!(moves.len() as u64, position["move_count"].as_u64().unwrap());
        assert!(!position["board"]["picture"]["pieces"].as_array().unwrap().is_empty());
        let first = &moves[0];
        let played =
            format!("/api/v1/games/{game}/position?play={}", escaped(first["move"].as_str().unwrap()));
        let next = site.get(&played).await.json();
        assert_eq!(next["position"], first["position"]);
        assert_eq!(next["last"]["steps"], first["steps"]);
        assert_eq!(next["played"], json!([first["move"]]));
        let svg = site.get(&format!("/api/v1/games/{game}/board.svg")).await;
        assert_eq!(svg.media(), "image/svg+xml");
        assert!(svg.text().starts_with("<svg"));
        let codes = site.get(&format!("/api/v1/games/{game}/codes")).await.json();
        assert!(codes["fields"].as_array().unwrap().iter().any(|field| field["name"] == "key"));
    }
}

#[tokio::test]
async fn every_reversible_code_leads_back_to_its_position() {
    let site = site();
    for game in site.games().await {
        let about = site.get(&format!("/api/v1/games/{game}")).await.json();
        let position = site.get(&format!("/api/v1/games/{game}/position")).await.json();
        for format in
            about["formats"].as_array().unwrap().iter().filter(|format| format["reversible"] == true)
        {
            let id = format["id"].as_str().unwrap();
            let code = escaped(position["codes"][id].as_str().unwrap());
            let path = format!("/api/v1/games/{game}/position?format={id}&pos={code}");
            let back = site.get(&path).await.json();
            assert_eq!(back["canonical"], position["canonical"], "{game} {id}");
        }
    }
}

#[tokio::test]
async fn errors_have_their_status_place_and_reasons() {
    let site = site();
    let cases = [
        ("/api/v1/games/go/position", 404),
        ("/api/v1/games/dra/position", 404),
        ("/api/v1/nothing", 404),
        ("/nothing", 404),
        ("/api/v1/games/draughts/position?pos=B:W18,q:B5", 400),
        ("/api/v1/games/draughts/position?play=11-30", 422),
        ("/api/v1/games/chess/position?pos=8/8/8/8/8/8/8/8%20w%20-%20-%200%201", 422),
        ("/api/v1/games/chess/position?unknown=1", 400),
        ("/api/v1/games/chess/position?pos=0x00&format=key", 501),
        ("/api/v1/games/chess/position?pos=x&format=nothing", 404),
        ("/api/v1/games/chess/position?format=nothing", 404),
        ("/api/v1/games/chess/solve?time=1e9", 400),
        ("/api/v1/analyses/77/events", 404),
        ("/api/v1/jobs/77", 404),
        ("/api/v1/jobs/x", 404),
    ];
    for (path, status) in cases {
        let answer = site.get(path).await;
        assert_eq!(answer.status.as_u16(), status, "{path}: {}", answer.text());
        assert_eq!(answer.media(), "application/problem+json", "{path}");
        let problem = answer.json();
        assert_eq!(problem["status"], status);
        assert!(!problem["reasons"].as_array().unwrap().is_empty(), "{path}");
    }
    let problem = site.get("/api/v1/games/draughts/position?pos=B:W18,q:B5").await.json();
    assert_eq!((&problem["offset"], &problem["input"]), (&json!(6), &json!("B:W18,q:B5")));
}

#[tokio::test]
async fn wrong_methods_media_and_fields_are_refused() {
    let site = site();
    let answer = site.post("/api/v1/games", &json!({})).await;
    assert_eq!((answer.status.as_u16(), answer.media()), (405, "application/problem+json"));
    assert_eq!(answer.headers["allow"], "GET, HEAD");
    let answer = site.post("/api/v1/analyses", &json!({ "game": "chess", "depth": 3 })).await;
    assert_eq!((answer.status.as_u16(), answer.media()), (400, "application/problem+json"));
    assert!(answer.text().contains("unknown field"), "{}", answer.text());
    let request = axum::http::Request::post("/api/v1/analyses").body(axum::body::Body::from("{}")).unwrap();
    let answer = site.send(request).await;
    assert_eq!((answer.status.as_u16(), answer.media()), (415, "application/problem+json"));
}

#[tokio::test]
async fn limits_are_kept() {
    let site = site_with(Limits { body_bytes: 100, position_bytes: 50, moves: 3, ..Limits::default() }, None);
    let long = "x".repeat(51);
    assert_eq!(site.get(&format!("/api/v1/games/chess/position?pos={long}")).await.status, 413);
    assert_eq!(site.get("/api/v1/games/chess/position?play=e4,e5,Nf3,Nc6").await.status, 413);
    assert_eq!(
        site.get(&format!("/api/v1/games/chess/position?pos={}", "x".repeat(33_000))).await.status,
        414
    );
    let body = json!({ "game": "chess", "pos": "x".repeat(200) });
    assert_eq!(site.post("/api/v1/analyses", &body).await.status, 413);
}

#[tokio::test]
async fn long_work_without_a_place_is_refused() {
    let limits = Limits { work: 0, work_wait: std::time::Duration::from_millis(10), ..Limits::default() };
    let site = site_with(limits, None);
    let (solve, play) = ("/api/v1/games/chess/solve", "/api/v1/games/chess/selfplay");
    for (answer, status) in
        [(site.get(solve).await, 503), (site.post(play, &json!({ "games": 1 })).await, 429)]
    {
        assert_eq!((answer.status.as_u16(), answer.media()), (status, "application/problem+json"));
        assert!(answer.headers.contains_key("retry-after"));
    }
    // Short questions need no place.
    assert_eq!(site.get("/api/v1/games/chess/position").await.status, 200);
}

#[tokio::test]
async fn the_page_is_strict_and_other_origins_are_not_let_in() {
    let site = site();
    for path in ["/", "/chess", "/css/base.css", "/js/main.js"] {
        let answer = site.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        let tag = answer.headers["etag"].clone();
        let again = axum::http::Request::get(path).header("if-none-match", tag);
        assert_eq!(site.send(again.body(axum::body::Body::empty()).unwrap()).await.status, 304);
    }
    let asks = || {
        let request = axum::http::Request::get("/api/v1/games").header("origin", "http://other.example");
        request.body(axum::body::Body::empty()).unwrap()
    };
    assert!(site.send(asks()).await.headers.get("access-control-allow-origin").is_none());
    let open = site_with(Limits::default(), Some("http://other.example"));
    assert_eq!(open.send(asks()).await.headers["access-control-allow-origin"], "http://other.example");
}

#[tokio::test]
async fn health_and_metrics() {
    let site = site();
    assert_eq!(site.get("/healthz").await.text(), "ok\n");
    site.get("/api/v1/games").await;
    let text = site.get("/metrics").await.text();
    assert!(text.contains("tabia_request_seconds_count{path=\"/api/v1/games\",status=\"200\"} 1"), "{text}");
    assert!(text.contains("tabia_analyses_running 0"));
}

#[tokio::test]
async fn endings_are_solved() {
    let site = site();
    let path = "/api/v1/games/solitaire/solve?hints=true&pos=--...--/--...--/...o.../...o.../......./--...--/--...--";
    let answer = site.get(path).await.json();
    assert_eq!((&answer["value"], &answer["distance"]), (&json!("solvable"), &json!(1)));
    assert!(answer["moves"].as_array().unwrap().iter().all(|mv| mv["value"] == "solvable"));
    let mate = escaped("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1");
    let answer = site.get(&format!("/api/v1/games/chess/solve?method=proof&time=5&pos={mate}")).await.json();
    assert_eq!((&answer["value"], &answer["line"][0]), (&json!("win"), &json!("Re8#")), "{answer}");
}

/// A table with a bad block is no reason for a wrong or a short answer.
#[tokio::test]
async fn damaged_tables_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { tables: Some(folder.path().to_owned()), ..Settings::default() };
    let registry = Registry::standard().with_settings(settings);
    let request = BuildRequest {
        out: folder.path().to_owned(),
        position: None,
        goal: None,
        pieces: Some(2),
        slice: None,
        distances: true,
        threads: 1,
        memory: 1 << 30,
    };
    registry.find("draughts").unwrap().tables().unwrap().build(&request, &Watch::nobody()).unwrap();
    let site = site_of(Config { registry, ..Config::default() });
    let asked = "/api/v1/games/draughts/solve?pos=W:WK1:BK32";
    assert_eq!(site.get(asked).await.status, 200);
    let path = folder.path().join("draughts-01v01.tbl");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].iter_mut().for_each(|byte| *byte ^= 1);
    std::fs::write(&path, bytes).unwrap();
    let refused = site.get(asked).await;
    assert_eq!(refused.status, 503, "{}", refused.text());
    let detail = refused.json()["detail"].to_string();
    assert!(detail.contains("draughts-01v01.tbl") && detail.contains("damaged"), "{detail}");
}

#[tokio::test]
async fn games_come_into_the_book() {
    let site = site();
    let game = json!({ "moves": ["e4", "e5", "Qh5", "Ke7", "Qxe5#"], "winner": 0 });
    let answer = site.post("/api/v1/games/chess/records", &game).await;
    assert_eq!(answer.status, 202, "{}", answer.text());
    let job = site.get(answer.headers["location"].to_str().unwrap()).await.json();
    assert_eq!((&job["status"], &job["games"]), (&json!("done"), &json!(1)));
    let stats = site.get("/api/v1/games/chess/stats").await.json();
    assert_eq!((&stats["total"], &stats["wins0"]), (&json!(1), &json!(1)));
    assert_eq!(stats["moves"][0]["move"], "e4");
    let wrong = json!({ "moves": ["e4", "e5", "Qh5", "Ke8"], "winner": 0 });
    assert_eq!(site.post("/api/v1/games/chess/records", &wrong).await.status, 422);
    let odd = json!({ "moves": [], "opening": "x" });
    assert_eq!(site.post("/api/v1/games/chess/records", &odd).await.status, 400);
}

#[tokio::test]
async fn many_games_are_a_job() {
    let site = site();
    let pgn = "[Event \"x\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let request = axum::http::Request::post("/api/v1/games/chess/records")
        .header("content-type", "application/x-chess-pgn");
    let answer = site.send(request.body(axum::body::Body::from(pgn)).unwrap()).await;
    assert_eq!(answer.status, 202, "{}", answer.text());
    let job = finished(&site, answer.headers["location"].to_str().unwrap()).await;
    assert_eq!((&job["status"], &job["games"]), (&json!("done"), &json!(1)), "{job}");
    let played = json!({ "games": 5, "seed": 1 });
    let answer = site.post("/api/v1/games/five-visible/selfplay", &played).await;
    assert_eq!(answer.status, 202, "{}", answer.text());
    let job = finished(&site, answer.headers["location"].to_str().unwrap()).await;
    assert_eq!((&job["status"], &job["games"]), (&json!("done"), &json!(5)), "{job}");
    let stats = site.get("/api/v1/games/five-visible/stats").await.json();
    assert_eq!(stats["total"], 5);
}

#[tokio::test]
async fn nobody_starts_programs_or_opens_files_of_the_server() {
    let site = site();
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    for player in [format!("uci:touch {}", trace.display()), format!("nodes=5,eval={}", trace.display())] {
        let asked = json!({ "games": 1, "player": player });
        let answer = site.post("/api/v1/games/chess/selfplay", &asked).await;
        assert!((400..500).contains(&answer.status.as_u16()), "{player}: {}", answer.text());
    }
    assert!(!trace.exists());
}

async fn finished(site: &support::Site, job: &str) -> Value {
    for _ in 0..600 {
        let view = site.get(job).await.json();
        if view["status"] != "running" {
            return view;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{job} does not end");
}
