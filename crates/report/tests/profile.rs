//! Reports of small games: what is known about them, the same again from the seed, and gone on with after a stop.

use serde_json::Value;
use std::path::Path;
use tabia_core::{Position, Present, Progress, Record, SplitMix64, Stop, Work};
use tabia_report::Worth;
use tabia_report::judging::expected;
use tabia_report::profile::{
    Budgets, Choice, Comparison, Play, Players, Profile, ProfileError, Request, Subject, compared_html, html,
    profile,
};
use tabia_search::{Limits, Mcts, MctsOptions};
use tabia_tic_tac_toe::TicTacToe;

/// Somebody who plays any game, by playouts.
struct Somebody;

impl<G: Present> Play<G> for Somebody {
    fn new_game(&mut self) {}

    fn choose(&mut self, record: &Record<G>, nodes: u64, rng: &mut SplitMix64) -> Option<Choice<G::Move>> {
        let options = MctsOptions { seed: rng.next(), memory: 1 << 20, ..MctsOptions::default() };
        let report = Mcts::new(options).search(record, &Limits::nodes(nodes), &Stop::new(), |_| ());
        Some(Choice { mv: report.best()?, value: Some(expected(Worth::from(report.score))) })
    }
}

impl<G: Present> Players<G> for Somebody {
    fn player(&self) -> Result<Box<dyn Play<G> + '_>, String> {
        Ok(Box::new(Somebody))
    }
}

const EFFORT: &str = "random=12,tree=6,positions=1,weak=3,strong=3,openings=9,ladder=2,mirror=1";

fn request(seed: u64) -> Request {
    let budgets = Budgets { weak: 4, strong: 40 };
    Request { seed, effort: EFFORT.parse().unwrap(), budgets, ..Request::default() }
}

fn subject() -> Subject<'static, TicTacToe> {
    Subject::new(Position { rules: TicTacToe, state: tabia_core::Game::start(&TicTacToe) }, Some(&Somebody))
}

fn made(request: &Request, threads: usize) -> Profile {
    profile(&subject(), request, &Work::unwatched(threads)).unwrap()
}

fn value(profile: &Profile, name: &str) -> f64 {
    profile.figure(name).unwrap_or_else(|| panic!("no figure {name}")).reading.value
}

#[test]
fn tic_tac_toe_is_as_everybody_knows() {
    let found = made(&request(1), 2);
    assert_eq!(found.fact("exact.value"), Some("draw"));
    for (name, known) in [
        ("exact.positions", 765.0),
        ("positions.counted", 765.0),
        ("positions.plain", 5478.0),
        ("exact.first-moves", 9.0),
        ("exact.first-moves-holding", 9.0),
    ] {
        assert!((value(&found, name) - known).abs() < 1e-9, "{name} is {}", value(&found, name));
    }
    // 255,168 games; random players win with chances 737/1260 and 121/420, and draw with 8/63.
    for (name, known) in [
        ("tree.games", 255_168f64.log10()),
        ("outcome.random-first", 737.0 / 1260.0 + 4.0 / 63.0),
        ("outcome.random-draws", 8.0 / 63.0),
    ] {
        let reading = found.figure(name).unwrap().reading;
        assert!(reading.covers(known) && reading.n >= 3000, "{name}: {reading:?}");
    }
    assert!(value(&found, "length.random-mean") > 7.0);
    assert!(found.fact("used.never").is_some());
}

#[test]
fn a_game_for_one_gets_what_makes_sense() {
    let rules = tabia_solitaire::Solitaire::default();
    let state = tabia_core::Game::start(&rules);
    let subject = Subject::new(Position { rules, state }, None);
    let request =
        Request { effort: "random=1,tree=1,positions=1,ladder=3".parse().unwrap(), ..Request::default() };
    let found = profile(&subject, &request, &Work::unwatched(2)).unwrap();
    let ids: Vec<&str> = found.sections.iter().map(|section| section.id.as_str()).collect();
    assert!(ids.contains(&"outcome") && ids.contains(&"positions") && !ids.contains(&"ladder"), "{ids:?}");
    assert!(found.figure("outcome.solved").is_some());
    assert!(html(&found).contains("data-figure=\"outcome.solved\""));
}

/// A report without what the clock measured.
fn repeatable(profile: &Profile) -> Profile {
    Profile { measured: Vec::new(), ..profile.clone() }
}

#[test]
fn the_seed_decides_and_the_threads_do_not() {
    let one = made(&request(7), 1);
    assert_eq!(repeatable(&one), repeatable(&made(&request(7), 3)));
    assert_ne!(repeatable(&one), repeatable(&made(&request(8), 1)));
}

#[test]
fn a_budget_of_time_tells_the_effort_that_repeats_it() {
    let timed = Request { time: Some(std::time::Duration::from_millis(300)), ..request(3) };
    let found = made(&timed, 2);
    let again = Request { effort: found.effort.parse().unwrap(), ..request(3) };
    assert_eq!(repeatable(&found), repeatable(&made(&again, 1)));
}

/// Makes a report that is stopped when it comes to a section.
fn stopped_at(section: &'static str, request: &Request) {
    let stop = Stop::new();
    let tell = |now: &Progress| {
        if now.stage == section {
            stop.stop();
        }
    };
    let work = Work { threads: 2, memory: u64::MAX, stop: &stop, progress: &tell };
    let ended = profile(&subject(), request, &work);
    assert!(matches!(ended, Err(ProfileError::Stopped)), "{ended:?}");
}

#[test]
fn what_was_stopped_goes_on_to_the_same_report() {
    let folder = tempfile::tempdir().unwrap();
    let partial = folder.path().join("report.unfinished");
    let request = Request { partial: Some(partial.clone()), ..request(5) };
    stopped_at("random", &request);
    assert!(partial.exists());
    stopped_at("weak", &request);
    stopped_at("ladder", &request);
    let resumed = made(&request, 2);
    assert_eq!(repeatable(&resumed), repeatable(&made(&Request { partial: None, ..request }, 2)));
}

#[test]
fn unfinished_work_of_others_or_damaged_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let partial = folder.path().join("report.unfinished");
    let with = |seed| Request { partial: Some(partial.clone()), ..request(seed) };
    stopped_at("random", &with(1));
    let refused = |request: &Request, why: &str| {
        let error = profile(&subject(), request, &Work::unwatched(1)).unwrap_err().to_string();
        assert!(error.contains(why) && error.contains("report.unfinished"), "{error}");
    };
    refused(&with(2), "another report");
    let whole = std::fs::read(&partial).unwrap();
    let broken = |bytes: &[u8], why: &str| {
        write(&partial, bytes);
        refused(&with(1), why);
    };
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 1;
    broken(&flipped, "damaged");
    broken(&whole[..10], "cut off");
    broken(&[&b"NOTHING!"[..], &whole[8..]].concat(), "no report");
}

fn write(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn page_and_json_say_the_same() {
    let found = made(&request(2), 2);
    let (page, json) = (html(&found), serde_json::to_value(&found).unwrap());
    let mut figures = 0;
    for section in json["sections"].as_array().unwrap() {
        for figure in section["figures"].as_array().into_iter().flatten() {
            let (section, id) = (section["id"].as_str().unwrap(), figure["id"].as_str().unwrap());
            let row = format!("data-figure=\"{section}.{id}\" data-value=\"{}\"", number(&figure["value"]));
            assert!(page.contains(&row), "{row}");
            assert!(figure["n"].is_u64() && (figure["low"].is_null() == figure["high"].is_null()));
            figures += 1;
        }
        let method = section["method"].as_str().unwrap();
        assert!(method.len() > 40, "every method is explained");
    }
    assert!(figures > 30, "{figures}");
    assert!(
        page.len() < 1_000_000
            && page.contains("prefers-color-scheme: dark")
            && page.contains("@media print")
    );
    for foreign in ["<script", "<link", "src=", "url(", "@import"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    let back: Profile = serde_json::from_value(json).unwrap();
    assert_eq!(html(&back), page);
}

fn number(value: &Value) -> String {
    value.as_f64().unwrap().to_string()
}

#[test]
fn variants_stand_side_by_side() {
    let (one, other) = (made(&request(2), 2), made(&request(3), 2));
    let page = compared_html(&Comparison { compared: vec![one, other] });
    assert!(page.contains("variants compared") && page.len() < 1_000_000);
}

#[test]
fn a_finished_game_has_no_report() {
    let over = tabia_core::Notation::parse(&TicTacToe, "xxx/oo./...").unwrap();
    let ended = profile(&Subject::new(over, None), &request(1), &Work::unwatched(1));
    assert!(matches!(ended, Err(ProfileError::Over)));
}
