//! Game files: what real ones hold, and what is said about the bad ones.

use proptest::prelude::*;
use std::io::{BufReader, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;
use tabia_core::{
    FileError, Game, Notation, Note, Outcome, ReadGames, RecordedGame, Side, SplitMix64, Variation,
};
use tabia_draughts::{Draughts, State};

type Read1 = Result<RecordedGame<Draughts>, FileError>;

fn read(kind: &str, mut bytes: &[u8]) -> Vec<Read1> {
    let mut games = Vec::new();
    let mut sink = |game| {
        games.push(game);
        ControlFlow::Continue(())
    };
    Draughts::default().read_games(kind, &mut bytes, &mut sink).unwrap();
    games
}

fn moves(game: &Read1) -> String {
    let game = game.as_ref().unwrap();
    game.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn errors(games: &[Read1]) -> Vec<String> {
    games.iter().filter_map(|game| game.as_ref().err().map(ToString::to_string)).collect()
}

/// The last position of a game.
fn last(game: &RecordedGame<Draughts>) -> State {
    let mut state = game.start.state;
    game.moves.iter().for_each(|&mv| game.start.rules.play(&mut state, mv));
    state
}

#[test]
fn all_the_ways_of_writing_are_read() {
    let file = include_bytes!("../../../../data/draughts/ways_of_writing.pdn");
    let games = read("pdn", file);
    assert_eq!(errors(&games), Vec::<String>::new());
    let expected = "11-15 22-18 15x22 25x18 8-11";
    for game in &games[..5] {
        assert_eq!(moves(game), expected, "game {}", game.as_ref().unwrap().number);
    }
    let lines: Vec<u64> = games.iter().map(|game| game.as_ref().unwrap().line).collect();
    assert_eq!(lines, [5, 13, 22, 29, 33, 36, 41]);
    assert_eq!(games[0].as_ref().unwrap().tags[0], ("Event".to_owned(), "All \"marks\"".to_owned()));
    assert_eq!(games[0].as_ref().unwrap().outcome, Some(Outcome::Draw));
    assert_eq!(games[4].as_ref().unwrap().outcome, None);
    assert_eq!(moves(&games[5]), "12x19x28");
    assert_eq!(moves(&games[6]), "23-18");
}

#[test]
fn bad_games_are_named_and_the_rest_is_read() {
    let file = include_bytes!("../../../../data/draughts/bad_games.pdn");
    let games = read("pdn", file);
    assert_eq!(
        errors(&games),
        [
            "game 1, line 4: move 2 of Black, \"8-11\": a capture is compulsory: 15x22",
            "game 3, line 11: move 1 of White, \"22x15\": there is no piece of Black to jump on 18",
            "game 4, line 14: the game type \"20,W,10,10,N2,0\" is not English draughts (21)",
            "game 5, line 18: the FEN \"B:W40:B1\": at byte 3: expected a square from 1 to 32, found '4'",
            "game 6, line 22: a comment does not end",
            "game 8, line 29: a variation does not end",
            "game 10, line 35: the tag \"[Event \"no end\" does not end",
            "game 11, line 39: move 1 of Black, \"hello\": at byte 0: expected a square from 1 to 32, found 'h'",
            "game 12, line 41: move 1 of Black: the capture goes on: 12x19x28",
        ]
    );
    let good: Vec<u64> = games.iter().filter_map(|game| game.as_ref().ok().map(|game| game.number)).collect();
    assert_eq!(good, [2, 7, 9, 13]);
}

#[test]
fn results_follow_the_convention_and_the_board_is_asked() {
    let text = b"[Result \"1-0\"] [FEN \"B:W18:B15\"] 15x22 1-0 [FEN \"B:W18:B15\"] 15x22 0-1 [Result \"0-1\"] 11-15 1-0";
    let black = Some(Outcome::Win(Side::First));
    let white = Some(Outcome::Win(Side::Second));
    let outcomes = |kind: &str| {
        let games = read(kind, text);
        games
            .into_iter()
            .map(|game| game.map(|g| (g.outcome, g.warning.is_some())).unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(outcomes("pdn"), [(black, false), (white, true), (black, true)]);
    assert_eq!(outcomes("pdn-white"), [(white, true), (black, false), (white, true)]);
    let games = read("pdn", text);
    let warning = games[1].as_ref().unwrap().warning.clone().unwrap();
    assert_eq!(warning, "the file says that White won, but White has no move: Black won");
}

/// 30x14 takes 25 and 17, or 26 and 18.
const TWO_WAYS: &str = "[FEN \"W:W30:B1,17,18,25,26\"] 1... 30x14";

#[test]
fn later_moves_settle_which_capture_was_meant() {
    let settled = |rest: &str| moves(&read("pdn", format!("{TWO_WAYS} {rest} *").as_bytes())[0]);
    assert_eq!(settled("2. 18-23"), "30x21x14 18-23");
    assert_eq!(settled("2. 17-21"), "30x23x14 17-21");
    assert_eq!(settled("2. 1-5 14-10 3. 26-31"), "30x21x14 1-5 14-10 26-31");
    let refused = |rest: &str| errors(&read("pdn", format!("{TWO_WAYS} {rest} * 11-15 *").as_bytes()));
    let both = "game 1, line 1: move 1 of White, \"30x14\": it can be 30x23x14 or 30x21x14, and no later move settles which";
    assert_eq!(refused("2. 1-5"), [both]);
    assert_eq!(refused(""), [both]);
    let neither = "game 1, line 1: move 2 of Black, \"19-23\": there is no piece on 19";
    assert_eq!(refused("2. 19-23"), [neither]);
    // A variation is settled by its own moves.
    let game = read("pdn", format!("{TWO_WAYS} (30x14 18-23) 2. 17-21 *").as_bytes()).remove(0).unwrap();
    assert_eq!(game.variations[0].moves[0].to_string(), "30x21x14");
    assert_eq!(game.moves[0].to_string(), "30x23x14");
}

#[test]
fn a_star_leaves_the_result_to_the_tag() {
    let result = |text: &str| {
        let game = read("pdn", text.as_bytes()).remove(0).unwrap();
        (game.outcome, game.warning.is_some())
    };
    let black = Some(Outcome::Win(Side::First));
    assert_eq!(result("[Result \"1-0\"] 11-15 *"), (black, false));
    assert_eq!(result("[Result \"2-0\"] 11-15 *"), (black, false));
    assert_eq!(result("[Result \"*\"] 11-15 *"), (None, false));
    assert_eq!(result("[Result \"1-0\"] 11-15 0-1"), (Some(Outcome::Win(Side::Second)), true));
    assert_eq!(result("11-15 *"), (None, false));
}

#[test]
fn games_without_moves_must_say_what_they_are() {
    let text = b"[Event \"Moscow\"]\n[Result \"1-1\"]\n*\n[Event \"b\"] [GameType \"25\"] *\n[GameType \"21\"] 1-1\n[FEN \"W:W30:B1\"] 1-0";
    let games = read("pdn", text);
    let doubt = "a game without moves that is not said to be English draughts (GameType 21)";
    assert_eq!(
        errors(&games),
        [
            format!("game 1, line 1: {doubt}"),
            "game 2, line 4: the game type \"25\" is not English draughts (21)".to_owned(),
            format!("game 4, line 6: {doubt}"),
        ]
    );
    assert_eq!(games[2].as_ref().unwrap().outcome, Some(Outcome::Draw));
}

#[test]
fn comments_marks_and_variations_are_kept() {
    let file = include_bytes!("../../../../data/draughts/ways_of_writing.pdn");
    let game = read("pdn", file).remove(0).unwrap();
    let notes: Vec<_> =
        game.notes.iter().map(|n| (n.after, n.marks.as_slice(), n.comment.as_str())).collect();
    let expected: [(usize, &[u8], &str); 3] = [
        (1, &[1], "quiet {still one comment"),
        (2, &[14, 6], ""),
        (4, &[], "the rest of this line is no move 9-14"),
    ];
    assert_eq!(notes, expected);
    let shape: Vec<_> = game.variations.iter().map(|v| (v.of, v.after, v.moves.len())).collect();
    assert_eq!(shape, [(0, 1, 2), (1, 1, 2)]);
    let warning = game.warning.as_deref().unwrap();
    assert!(warning.contains("a variation is cut short at move 2 of White, \"x\""), "{warning}");
    let mut text = Vec::new();
    Draughts::default().write_game("pdn", &game, &mut text).unwrap();
    let again = read("pdn", &text).remove(0).unwrap();
    assert_eq!((again.notes, again.variations), (game.notes, game.variations));
    let deep = format!("11-15 {} 22-18 *", "(9-14 ".repeat(10_000) + &")".repeat(10_000));
    assert_eq!(read("pdn", deep.as_bytes()).remove(0).unwrap().lines().len(), 10_001);
}

#[test]
fn what_is_written_is_read_back() {
    let text = b"[Event \"a \\\"b\\\" \\\\ c\"][FEN \"W:WK18:B14,15,22,23,7\"] 1... 18x9 0-1";
    let games = read("pdn", text);
    for kind in ["pdn", "pdn-white"] {
        let mut written = Vec::new();
        let game = games[0].as_ref().unwrap();
        Draughts::default().write_game(kind, game, &mut written).unwrap();
        let again = read(kind, &written);
        let again = again[0].as_ref().unwrap();
        assert_eq!((&again.moves, &again.start, again.outcome), (&game.moves, &game.start, game.outcome));
        assert_eq!(again.tags[0], game.tags[0]);
    }
}

/// The real collection, where it is there: every game legal, and the same after a way through PDN.
#[test]
fn the_acf_games_replay_and_survive_conversion() {
    let data = std::env::var_os("TABIA_DATA").map(PathBuf::from);
    let data =
        data.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data"));
    let Ok(bytes) = std::fs::read(data.join("draughts/ACF.txt")) else {
        println!("skipped: ACF games: draughts/ACF.txt is not among the data");
        return;
    };
    let games = read("acf", &bytes);
    assert_eq!(errors(&games), Vec::<String>::new());
    let games: Vec<_> = games.into_iter().map(Result::unwrap).collect();
    assert_eq!(games.len(), 9377);
    assert_eq!(games.iter().map(|game| game.moves.len()).sum::<usize>(), 460_287);
    let (mut pdn, mut acf) = (Vec::new(), Vec::new());
    let rules = Draughts::default();
    for game in &games {
        rules.write_game("pdn", game, &mut pdn).unwrap();
        rules.write_game("acf", game, &mut acf).unwrap();
    }
    let lines = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().replace("\r\n", "\n");
    assert_eq!(lines(&acf), lines(&bytes));
    let again: Vec<_> = read("pdn", &pdn).into_iter().map(Result::unwrap).collect();
    assert_eq!(again.len(), games.len());
    for (one, two) in games.iter().zip(&again) {
        assert_eq!((one.number, &one.moves, one.outcome), (two.number, &two.moves, two.outcome));
        assert_eq!(one.warning, two.warning, "game {}", one.number);
    }
    let contradicted = games.iter().filter(|game| game.warning.is_some()).count();
    let decided = games.iter().filter(|game| rules.outcome(&last(game)).is_some()).count();
    // Players resign or agree: no game of the collection goes to its last move.
    assert_eq!((decided, contradicted), (0, 0));
}

/// A file as long as one likes, made while it is read.
struct Endless {
    left: usize,
    at: usize,
}

const GAME: &[u8] = b"[Event \"x\"]\n1. 11-15 {a comment} 23-19 (23-18 (22-18) 8-11) 2. 8-11 1/2-1/2\n\n";

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = buffer.len().min(self.left);
        for byte in &mut buffer[..count] {
            *byte = GAME[self.at % GAME.len()];
            self.at += 1;
        }
        self.left -= count;
        Ok(count)
    }
}

#[test]
fn a_long_file_is_read_game_by_game() {
    let mut input = BufReader::new(Endless { left: GAME.len() * 50_000, at: 0 });
    let mut count = 0;
    let mut sink = |game: Read1| {
        assert_eq!(game.unwrap().moves.len(), 3);
        count += 1;
        ControlFlow::Continue(())
    };
    Draughts::default().read_games("pdn", &mut input, &mut sink).unwrap();
    assert_eq!(count, 50_000);
}

#[test]
fn reading_stops_when_told() {
    let mut count = 0;
    let mut sink = |_| {
        count += 1;
        ControlFlow::Break(())
    };
    Draughts::default().read_games("pdn", &mut &b"11-15 * 11-15 * 11-15 *"[..], &mut sink).unwrap();
    assert_eq!(count, 1);
}

/// Adds remarks, and to some moves a variation of one move and a variation of that one.
fn annotate(game: &mut RecordedGame<Draughts>, rng: &mut SplitMix64) {
    let mut state = game.start.state;
    for (after, &mv) in game.moves.iter().enumerate() {
        match rng.below(6) {
            0 => Note::add_mark(&mut game.notes, after, rng.below(256) as u8),
            1 => Note::add_comment(
                &mut game.notes,
                after,
                "a comment, (in) [brackets] $5 {and ; more 11-15 1-0",
            ),
            2 => {
                let other = game.start.rules.random_move(&state, rng, &mut Vec::new()).unwrap();
                let moves = vec![other];
                game.variations.push(Variation { of: 0, after, moves: moves.clone(), notes: Vec::new() });
                let (of, mut notes) = (game.variations.len(), Vec::new());
                Note::add_comment(&mut notes, 1, "deep");
                game.variations.push(Variation { of, after: 0, moves, notes });
            }
            _ => {}
        }
        game.start.rules.play(&mut state, mv);
    }
}

proptest! {
    #[test]
    fn readers_never_panic(bytes in any::<Vec<u8>>(), kind in 0usize..3) {
        let kinds = Draughts::default().game_files();
        let _ = read(kinds[kind].id, &bytes);
    }

    #[test]
    fn readers_never_panic_on_almost_pdn(text in "(\\[|\\]|\"|\\{|\\}|\\(|\\)|\n|;|%|\\$| |\\*|1-0|11-15|22x18|[0-9]\\.|Event|FEN|\\\\){0,60}") {
        let games = read("pdn", text.as_bytes());
        for (n, game) in games.iter().enumerate() {
            let number = game.as_ref().map_or_else(|error| error.number, |game| game.number);
            prop_assert_eq!(number, n as u64 + 1);
        }
    }

    /// Random games with captures told in full or in short come back the same.
    #[test]
    fn random_games_survive_every_kind_of_file(at in any::<u64>()) {
        let rules = Draughts::default();
        let mut rng = SplitMix64::new(at);
        let (mut state, mut moves) = (rules.start(), Vec::new());
        while let Some(mv) = rules.random_move(&state, &mut rng, &mut Vec::new()).filter(|_| moves.len() < 150) {
            rules.play(&mut state, mv);
            moves.push(mv);
        }
        let start = rules.starts().remove(0).position;
        let game = RecordedGame::new(start, moves, rules.outcome(&state));
        let mut annotated = game.clone();
        annotate(&mut annotated, &mut rng);
        let mut text = Vec::new();
        rules.write_game("pdn", &annotated, &mut text).unwrap();
        let again = read("pdn", &text).remove(0).unwrap();
        prop_assert_eq!(&again.moves, &annotated.moves);
        prop_assert_eq!(&again.notes, &annotated.notes);
        prop_assert_eq!(&again.variations, &annotated.variations);
        for kind in rules.game_files() {
            let mut written = Vec::new();
            rules.write_game(kind.id, &game, &mut written).unwrap();
            let again = read(kind.id, &written).remove(0).unwrap();
            prop_assert_eq!(&again.moves, &game.moves);
            prop_assert_eq!(again.outcome, game.outcome);
            prop_assert_eq!(again.warning, None);
        }
    }
}
