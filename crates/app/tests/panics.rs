//! Rules with a bug, behind the facade: whatever asks them says so, with one thread and with four.

use std::panic::{AssertUnwindSafe, catch_unwind};
use tabia_app::book::{MemoryStore, SelfplayRequest};
use tabia_app::search::{MatchRequest, MatchView, Method, Player, SearchRequest, Stop};
use tabia_app::{Adapter, AnyGame, PlayoutRequest, Watch};
use tabia_core::{
    Evaluate, Game, Geometry, Info, Key, MoveError, NoSymmetry, Notation, Outcome, Picture, Position,
    PositionError, Present, RuleError, Side, rng::mix,
};

/// Take one, two or three from a pile; who takes the last wins. The moves of a pile of five are a bug.
#[derive(Clone, Copy, Debug)]
struct Pile;

/// What is left, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State(u8, Side);

impl Game for Pile {
    type State = State;
    type Move = u8;
    type Symmetry = NoSymmetry;
    type Packed = [u8; 2];

    fn id(&self) -> &str {
        "pile"
    }
    fn start(&self) -> State {
        State(30, Side::First)
    }
    fn side(&self, state: &State) -> Side {
        state.1
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.0 == 0).then_some(Outcome::Win(state.1.other()))
    }
    fn moves(&self, state: &State, out: &mut Vec<u8>) {
        assert_ne!(state.0, 5, "planted: a pile of five");
        out.extend(1..=state.0.min(3));
    }
    fn play(&self, state: &mut State, mv: u8) {
        *state = State(state.0 - mv, state.1.other());
    }
    fn key(&self, state: &State) -> Key {
        Key(mix(u64::from(state.0) << 1 | state.1.index() as u64))
    }
    fn pack(&self, state: &State) -> [u8; 2] {
        [state.0, state.1.index() as u8]
    }
    fn unpack(&self, &[left, side]: &[u8; 2]) -> Result<State, PositionError> {
        let side = Side::from_index(side.into()).ok_or_else(|| PositionError::rule("no such side"))?;
        Ok(State(left, side))
    }
    fn map_state(&self, state: &State, _: NoSymmetry) -> State {
        *state
    }
    fn map_move(&self, mv: u8, _: NoSymmetry) -> u8 {
        mv
    }
}

impl Evaluate for Pile {
    fn evaluate(&self, state: &State) -> i32 {
        i32::from(state.0 % 7)
    }
}

impl Notation for Pile {
    fn parse(&self, text: &str) -> Result<Position<Self>, PositionError> {
        let left = text.parse().map_err(|_| PositionError::rule("not a number"))?;
        Ok(Position { rules: *self, state: State(left, Side::First) })
    }
    fn format(&self, state: &State) -> String {
        state.0.to_string()
    }
    fn parse_move(&self, _: &State, text: &str) -> Result<u8, MoveError> {
        text.parse().map_err(|_| RuleError::new("not a number").into())
    }
    fn format_move(&self, _: &State, mv: u8) -> String {
        mv.to_string()
    }
}

impl Present for Pile {
    fn info(&self) -> Info {
        let sides = vec!["one".into(), "two".into()];
        Info { name: "Pile".into(), rules: "".into(), notation: "".into(), sides }
    }
    fn geometry(&self) -> Geometry {
        Geometry { width: 0.0, height: 0.0, cells: Vec::new(), labels: Vec::new() }
    }
    fn picture(&self, _: &State) -> Picture {
        Picture::default()
    }
    fn steps(&self, _: &State, _: u8) -> Vec<String> {
        Vec::new()
    }
}

fn pile() -> std::sync::Arc<dyn AnyGame> {
    Adapter::new(Pile).with_search().into()
}

/// Fails unless the work panics with the planted words.
fn assert_reported(what: &str, work: impl FnOnce()) {
    let panic = catch_unwind(AssertUnwindSafe(work)).expect_err(what);
    let text = panic.downcast_ref::<String>().expect("a message");
    assert!(text.contains("planted"), "{what}: {text}");
}

fn request(threads: usize) -> MatchRequest {
    MatchRequest {
        a: "random".parse().expect("a player"),
        b: "depth=2".parse().expect("a player"),
        games: 1000,
        opening_plies: 2,
        threads,
        seed: 1,
        sprt: None,
        record: None,
    }
}

#[test]
fn a_bug_of_the_rules_reaches_whoever_asked() {
    for threads in [1, 4] {
        for method in [Method::AlphaBeta, Method::Mcts, Method::Proof] {
            assert_reported("search", || {
                let request = SearchRequest { method: Some(method), threads, ..SearchRequest::default() };
                let _ = pile().start().search().expect("search").search(&request, &Stop::new(), &mut |_| ());
            });
        }
        assert_reported("match", || {
            let output = &mut std::io::sink();
            let _ = pile().start().search().expect("search").play_match(
                &request(threads),
                output,
                &Stop::new(),
                &mut |_| (),
            );
        });
        assert_reported("playouts", || {
            let games = Some(1000);
            let request = PlayoutRequest { time: None, games, threads, seed: 1 };
            let _ = pile().start().counting().playouts(&request, &Watch::nobody());
        });
    }
    assert_reported("self-play", || {
        let (pos, player) = (Some("9".to_owned()), "random".parse().expect("a player"));
        let request =
            SelfplayRequest { pos, games: 1000, player, opening_plies: 0, seed: 1, threads: 4, keep: false };
        let _ = pile().book().expect("a book").selfplay(&MemoryStore::new(), &request, &Watch::nobody());
    });
    assert_reported("a player's choice", || {
        let mut player = Player::new("depth=9".parse().expect("a player"), 1).expect("a player");
        let _ =
            pile().parse("9").expect("a pile").search().expect("search").choose(&mut player, &Stop::new());
    });
}

/// Two players of a sound game who would play for hours.
fn endless(threads: usize) -> MatchRequest {
    let player = || "depth=2".parse().expect("a player");
    MatchRequest { a: player(), b: player(), games: 1 << 40, ..request(threads) }
}

#[test]
fn a_match_that_is_stopped_gives_the_table_so_far() {
    let registry = tabia_app::Registry::standard();
    let game = registry.find("five-visible").expect("a game");
    for threads in [1, 3] {
        let stop = Stop::new();
        let mut told = 0;
        let mut on_pair = |view: &MatchView| {
            told = view.games;
            if view.games >= 6 {
                stop.stop();
            }
        };
        let output = &mut std::io::sink();
        let view = game
            .start()
            .search()
            .expect("search")
            .play_match(&endless(threads), output, &stop, &mut on_pair)
            .expect("a table");
        assert!(view.stopped && view.games >= 6 && view.games == told, "{view:?}");
        assert_eq!(view.games, view.wins + view.losses + view.draws);
    }
    let stop = Stop::new();
    stop.stop();
    let view = game
        .start()
        .search()
        .expect("search")
        .play_match(&endless(1), &mut std::io::sink(), &stop, &mut |_| ())
        .expect("a table");
    assert_eq!((view.games, view.stopped), (0, true));
}
