//! What people paste: every text of ours is recognised, what is none is refused at its place, and nothing panics.

use proptest::prelude::*;
use std::sync::LazyLock;
use tabia_app::{AnyGame, Found, FoundGame, LineText, Recognised, Registry, recognise};

static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

fn read(text: &str) -> Recognised {
    recognise(&REGISTRY, text, None).unwrap_or_else(|error| panic!("{text}: {error}: {:?}", error.reasons))
}

fn the_game(text: &str, hint: Option<&str>) -> FoundGame {
    let read = recognise(&REGISTRY, text, hint).unwrap_or_else(|error| panic!("{text}: {error}"));
    match read.found.into_iter().next() {
        Some(Found::Game(game)) => game,
        other => panic!("{text}: {other:?}"),
    }
}

fn texts(line: &LineText) -> Vec<&str> {
    line.moves.iter().map(|mv| mv.text.as_str()).collect()
}

/// Moves of a game that is decided by a number, from a named start.
fn some_moves(game: &dyn AnyGame, start: &str, mut choice: usize, most: usize) -> Vec<String> {
    let mut position = game.parse(start).expect("a named start");
    for _ in 0..most {
        let moves = position.move_texts();
        if moves.is_empty() {
            break;
        }
        choice = (choice * 31 + 11) % 1009;
        if position.play(&moves[choice % moves.len()]).is_err() {
            break;
        }
    }
    position.played()
}

#[test]
fn every_start_of_every_game_is_recognised_as_that_game() {
    for game in REGISTRY.games() {
        for start in game.view().starts {
            let Recognised { found, .. } = read(&start.position);
            let Some(Found::Position(first)) = found.first() else { panic!("{}: {found:?}", start.position) };
            assert_eq!((first.game.as_str(), &first.position), (game.id(), &start.position));
        }
    }
}

#[test]
fn every_code_of_a_game_is_recognised_when_that_game_is_open() {
    for game in REGISTRY.games() {
        let view = game.start().view();
        for format in game.view().formats.iter().filter(|format| format.reversible) {
            let code = &view.codes[&format.id];
            let found = recognise(&REGISTRY, code, Some(game.id())).expect("a code").found;
            let Some(Found::Position(first)) = found.first() else { panic!("{code}: {found:?}") };
            let back = game.parse(&first.position).expect("a position").view();
            assert_eq!((first.game.as_str(), back.canonical), (game.id(), view.canonical.clone()), "{code}");
            // Without a game that is open, it is one of the readings.
            assert!(read(code).found.iter().any(|found| found.game_id() == game.id()), "{code}");
        }
    }
}

#[test]
fn lists_of_moves_with_and_without_numbers() {
    for (text, game, moves) in [
        ("1. e4 e5 2. Nf3", "chess", vec!["e4", "e5", "Nf3"]),
        ("e4 e5 Nf3", "chess", vec!["e4", "e5", "Nf3"]),
        ("1.e4 e5 2.Nf3!? Nc6 1/2-1/2", "chess", vec!["e4", "e5", "Nf3", "Nc6"]),
        ("e2e4 e7e5", "chess", vec!["e4", "e5"]),
        ("11-15 23-19", "draughts", vec!["11-15", "23-19"]),
        ("1. 11-15 23-19 2. 8-11", "draughts", vec!["11-15", "23-19", "8-11"]),
        ("d2-d4", "solitaire", vec!["d2-d4"]),
    ] {
        let read = the_game(text, None);
        assert_eq!((read.game.as_str(), texts(&read.line)), (game, moves), "{text}");
    }
    assert_eq!(the_game("1.e4 e5 2.Nf3!? Nc6 1/2-1/2", None).line.moves[2].glyphs, ["!?"]);
}

#[test]
fn a_pgn_keeps_its_players_comments_marks_and_variations() {
    let text = "[White \"Morphy\"]\n[Black \"Duke Karl\"]\n[Result \"1-0\"]\n\n\
                1. e4 {best by test} e5 $1 (1... c5 2. Nf3 (2. c3 {quiet}) 2... d6) 2. Nf3 1-0\n";
    let game = the_game(text, None);
    assert_eq!(game.summary, "a chess game, 3 plies, Morphy - Duke Karl, 1-0");
    assert_eq!((game.plies, game.result.as_deref()), (3, Some("1-0")));
    let [first, second, _] = &game.line.moves[..] else { panic!("{game:?}") };
    assert_eq!((first.comment.as_str(), &second.glyphs[..]), ("best by test", &["!".to_owned()][..]));
    let [variation] = &second.variations[..] else { panic!("{second:?}") };
    assert_eq!(texts(variation), ["c5", "Nf3", "d6"]);
    assert_eq!(texts(&variation.moves[1].variations[0]), ["c3"]);
    assert_eq!(variation.moves[1].variations[0].moves[0].comment, "quiet");
}

#[test]
fn several_games_are_a_list_and_bad_ones_are_named() {
    let text = "1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n1. e4 Ke4 *\n\n1. c4 *\n";
    let read = read(text);
    assert_eq!((read.found.len(), read.more, read.skipped.len()), (3, 0, 1));
    assert_eq!((read.skipped[0].number, read.skipped[0].line), (3, 5));
    let many = "1. e4 e5 1-0\n\n".repeat(250);
    assert_eq!((self::read(&many).found.len(), self::read(&many).more), (200, 50));
}

#[test]
fn a_pdn_is_draughts_and_a_pgn_is_chess_whatever_is_open() {
    let pdn = "[Event \"?\"]\n[GameType \"21\"]\n\n1. 11-15 23-19 2. 8-11 {known} 22-17 1/2-1/2\n";
    for hint in [None, Some("chess"), Some("draughts"), Some("arx"), Some("nonsense")] {
        assert_eq!(the_game(pdn, hint).game, "draughts");
        assert_eq!(the_game("[Event \"x\"]\n\n1. e4 e5 *", hint).game, "chess");
    }
    assert_eq!(the_game(pdn, None).line.moves[2].comment, "known");
}

#[test]
fn links_of_ours_lead_where_they_say() {
    let game = the_game("https://example.org:8080/chess?play=e4%2Ce5&tab=engine", Some("draughts"));
    assert_eq!((game.game.as_str(), texts(&game.line)), ("chess", vec!["e4", "e5"]));
    for link in [
        "http://localhost/five-visible?pos=empty",
        "/five-visible?pos=empty",
        "https://x.org/#/five-visible?pos=empty",
    ] {
        let Some(Found::Position(found)) = read(link).found.into_iter().next() else { panic!("{link}") };
        assert_eq!((found.game.as_str(), found.position.as_str()), ("five-visible", "-/-/-/-/-/-/-/-/- 0 -"));
    }
    let tree = the_game("/chess#play=e4%2Ce5%2CNf3&also=1.c5%2CNf3~2.c3~0.d4&at=1", None);
    assert_eq!(texts(&tree.line), ["e4", "e5", "Nf3"]);
    let [reply] = &tree.line.moves[1].variations[..] else { panic!("{tree:?}") };
    assert_eq!((texts(reply), texts(&reply.moves[1].variations[0])), (vec!["c5", "Nf3"], vec!["c3"]));
    assert_eq!(texts(&tree.line.moves[0].variations[0]), ["d4"]);
    let error = recognise(&REGISTRY, "/chess?play=e5", None).expect_err("Black's move");
    assert_eq!(error.input, "e5");
}

#[test]
fn what_cannot_be_read_is_refused_at_its_place() {
    for (text, offset, game) in [
        ("1. e4 e5 2. Nf3 Qxh7", 16, "chess"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1", 42, "chess"),
        ("11-15 23-19 1-2", 12, "English draughts"),
        ("B:W18,q:B5", 6, "English draughts"),
        ("[Event \"x\"]\n\n1. e4 e5 2. Nf3 Qxh7 *", 29, "chess"),
    ] {
        let error = recognise(&REGISTRY, text, None).expect_err(text);
        assert_eq!((error.offset, error.input.as_str()), (Some(offset), text), "{error}");
        assert!(error.reasons[0].starts_with(&format!("as {game}: ")), "{text}: {:?}", error.reasons);
        assert_eq!(error.reasons.len(), REGISTRY.games().count());
    }
    // A move that is none is nearer than one that has another form.
    let error = recognise(&REGISTRY, "e3-e4", Some("arx")).expect_err("no soldier moves so");
    assert!(error.reasons[0].starts_with("as Arx: e3-e4: "), "{:?}", error.reasons);
    let error = recognise(&REGISTRY, "hello world", None).expect_err("no game");
    assert_eq!(error.offset, Some(0), "{error}");
    assert!(recognise(&REGISTRY, " \n", None).is_err());
}

#[test]
fn the_moves_of_random_games_are_read_back_and_written_in_every_kind() {
    for game in REGISTRY.games() {
        for (number, start) in game.view().starts.iter().enumerate() {
            let moves = some_moves(game, &start.id, number + 5, 40);
            let told = game.whole_games().of_moves(Some(&start.id), &moves).expect("legal moves");
            assert_eq!(texts(&told.line), moves, "{}", game.id());
            for kind in game.whole_games().text_kinds().iter().filter(|kind| **kind != "acf") {
                let text = game.whole_games().write_text(kind, &told).expect(kind);
                let read = game.whole_games().read_text(kind, &text, 1).expect(kind);
                assert_eq!(read.games.len(), 1, "{text}: {:?}", read.skipped);
                assert_eq!((&read.games[0].line, &read.games[0].start), (&told.line, &told.start), "{text}");
            }
            if number == 0 {
                let read = the_game(&moves.join(" "), Some(game.id()));
                assert_eq!(
                    (read.game.as_str(), texts(&read.line)),
                    (game.id(), moves.iter().map(|mv| &**mv).collect())
                );
            }
        }
    }
}

#[test]
fn a_game_with_everything_survives_the_way_to_text_and_back() {
    let text = "[Event \"x\"]\n\n{before} 1. e4 $1 {a} e5 (1... c5 {b} 2. Nf3 (2. c3 $146) 2... d6) (1... e6) 2. Nf3 *";
    let chess = REGISTRY.find("chess").expect("chess");
    let whole = chess.whole_games();
    let told = whole.read_text("pgn", text, 1).expect("PGN").games.remove(0);
    assert_eq!((told.line.comment.as_str(), told.line.moves[1].variations.len()), ("before", 2));
    let json = serde_json::to_string(&told).expect("JSON");
    let back: tabia_app::GameText = serde_json::from_str(&json).expect("the same JSON");
    for kind in ["pgn", "jsonl"] {
        let written = whole.write_text(kind, &back).expect(kind);
        let mut again = whole.read_text(kind, &written, 1).expect(kind).games.remove(0);
        again.tags.retain(|name, _| told.tags.contains_key(name));
        assert_eq!(again, told, "{written}");
    }
    let bad = |change: &dyn Fn(&mut tabia_app::GameText)| {
        let mut game = told.clone();
        change(&mut game);
        whole.write_text("pgn", &game).expect_err("refused").input
    };
    assert_eq!(bad(&|game| game.result = Some("2-1".to_owned())), "2-1");
    assert_eq!(bad(&|game| game.line.moves[0].glyphs = vec!["x".to_owned()]), "x");
    assert_eq!(bad(&|game| game.line.moves[0].text = "e5".to_owned()), "e5");
}

/// Variations inside variations, deeper than any reader could follow, are cut and nothing else happens.
#[test]
fn deep_nesting_is_cut() {
    let text = format!("1. e4 {} *", "(1. d4 ".repeat(5000) + &")".repeat(5000));
    let game = the_game(&text, None);
    let json = serde_json::to_string(&game.line).expect("JSON");
    assert!(serde_json::from_str::<LineText>(&json).is_ok());
}

#[test]
fn endless_games_are_refused() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(3000);
    let error = recognise(&REGISTRY, &shuffle, None).expect_err("too long");
    assert!(error.message.contains("not longer than"), "{error}");
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,80}", hint in 0..6usize) {
        let games: Vec<_> = REGISTRY.games().map(AnyGame::id).collect();
        if let Err(error) = recognise(&REGISTRY, &text, games.get(hint).copied()) {
            prop_assert!(error.offset.is_none_or(|at| at <= text.len()), "{error:?}");
        }
    }

    #[test]
    fn nothing_made_of_familiar_parts_panics(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "1. ", "e4 ", "11-15 ", "{", "}", "(", ")", "[", "]", "\"", "$5 ", "!", "\n", "1-0 ", "B:W18:B5", "/", "?", "#",
                "chess", "play=", "pos=", "s5 ", "4-7 ", "0x", "8/8/8", "[Event \"é\"]", "é", ";", "%", ",", "+", "{\"moves\":[",
            ]),
            0..30,
        )
    ) {
        let text = parts.concat();
        if let Err(error) = recognise(&REGISTRY, &text, Some("chess")) {
            prop_assert!(error.offset.is_none_or(|at| at <= error.input.len()), "{error:?}");
        }
    }
}
