//! What the reader takes, what it reports, and that written games are read back.

use crate::{Chess, fen, san};
use proptest::prelude::*;
use std::ops::ControlFlow;
use tabia_core::{FileError, Game, Outcome, Position, ReadGames, RecordedGame, Side};
use tabia_testkit::strategies;

type Read = Result<RecordedGame<Chess>, FileError>;

fn read(text: impl AsRef<[u8]>) -> Vec<Read> {
    let mut games = Vec::new();
    // A buffer of 7 bytes, so that every token is cut somewhere.
    let mut input = std::io::BufReader::with_capacity(7, text.as_ref());
    let sink = &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    };
    Chess.read_games("pgn", &mut input, sink).unwrap();
    games
}

fn texts(game: &RecordedGame<Chess>) -> String {
    let mut state = game.start.state.clone();
    let mut words = Vec::new();
    for &mv in &game.moves {
        words.push(san::format(state.board(), mv));
        Chess.play(&mut state, mv);
    }
    words.join(" ")
}

#[test]
fn everything_around_the_moves_is_understood() {
    let text = "\u{feff}% escaped line [not a tag]\r\n\
        [Event \"A \\\"quoted\\\" name\"]\r\n[Result \"1-0\"]\r\n\r\n\
        1.e4! {a comment with ) and ; and [Event} e5 $10 ; the rest ) of the line\r\n\
        2. Nf3 (2. f4 exf4 (2... d5 $2 {nested} 3. exd5) 3. Nf3 *) 2... Nc6 3.Bb5 a6?! 4. Bxc6 dxc6 5. O-O 1-0\r\n\
        \r\n1. d4 d5 1/2-1/2 1. c4 *";
    let games: Vec<_> = read(text).into_iter().map(Result::unwrap).collect();
    assert_eq!(games.len(), 3);
    assert_eq!(texts(&games[0]), "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O");
    assert_eq!(games[0].tags[0], ("Event".to_owned(), "A \"quoted\" name".to_owned()));
    assert_eq!((games[0].number, games[0].line), (1, 2));
    assert_eq!(games[0].outcome, Some(Outcome::Win(Side::First)));
    assert_eq!(games[1].outcome, Some(Outcome::Draw));
    assert_eq!((games[2].number, games[2].outcome), (3, None));
    assert!(games.iter().all(|game| game.warning.is_none()));
}

#[test]
fn latin_1_names_are_read() {
    let games = read(b"[White \"Mat\xe9, Jos\xe9\"]\n[Black \"M\xc3\xbcller\"]\n\n1. e4 *".as_slice());
    let tags = &games[0].as_ref().unwrap().tags;
    assert_eq!(tags[0].1, "Maté, José");
    assert_eq!(tags[1].1, "Müller");
}

#[test]
fn a_bad_game_is_reported_and_the_rest_read() {
    let text = "[Event \"1\"]\n\n1. e4 e5 *\n\n[Event \"2\"]\n\n1. e4 e5\n2. Ke3 Nf6 3. Nc3 1-0\n\n\
        [Event \"3\"]\n\n1. d4 {never closed\n\n[Event \"4\"]\n\n1. d4 (1. c4\n\n[Event \"5\"]\n[FEN \"8/8 w\"]\n\n*\n\
        [Event \"6\"]\n\n1. c4 xyz *\n[Event bad]\n\n1. e4 *\n[Event \"8\"]\n[Variant \"Atomic\"]\n1. e4 *\n\
        [Event \"9\"]\n\n1. Nf3 d5 *";
    let games = read(text);
    let errors: Vec<_> =
        games.iter().filter_map(|game| game.as_ref().err()).map(FileError::to_string).collect();
    assert_eq!(
        errors,
        [
            "game 2, line 8: move 2. Ke3: no king can go to e3",
            "game 3, line 12: a comment is not closed",
            "game 4, line 18: a variation is not closed",
            "game 5, line 21: the FEN tag \"8/8 w\": at byte 3: expected '/' before rank 6 of the pieces, found ' '",
            "game 6, line 24: move 1... xyz: not a move",
            "game 7, line 25: a bad tag: [Event bad]",
            "game 8, line 30: the variant \"Atomic\" is not played here",
        ]
    );
    let good: Vec<_> = games.iter().filter_map(|game| game.as_ref().ok()).map(|game| game.number).collect();
    assert_eq!(good, [1, 9]);
}

#[test]
fn set_up_positions_chess960_and_contradictions() {
    let text = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4p3/7K b - - 0 31\"]\n\n31... e1=Q+ 32. Kh2 *\n\
        [Variant \"Chess960\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n\n9. Nf3 *\n\
        [Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n\
        [Result \"0-1\"]\n\n1. e4 1-0\n\
        [FEN \"8/8/8/8/8/2k5/3p4/3K4 w - - 0 1\"]\n1. Ke2 d1=N 2. Kxd1 Kd3 1/2-1/2";
    let games: Vec<_> = read(text).into_iter().map(Result::unwrap).collect();
    assert_eq!(texts(&games[0]), "e1=Q+ Kh2");
    assert_eq!(texts(&games[1]), "Nf3");
    assert_eq!(games[2].warning.as_deref(), Some("the board says 0-1, the file 1-0"));
    assert_eq!(games[3].warning.as_deref(), Some("the moves end with 1-0, the tag says 0-1"));
    // Nobody can win any more, but the players went on.
    assert_eq!(texts(&games[4]), "Ke2 d1=N Kxd1 Kd3");
    assert_eq!(games[4].warning, None);
}

#[test]
fn the_sink_can_stop_the_reading() {
    let mut seen = 0;
    let sink = &mut |_| {
        seen += 1;
        if seen == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    Chess.read_games("pgn", &mut b"1. e4 * 1. d4 * 1. c4 *".as_slice(), sink).unwrap();
    assert_eq!(seen, 2);
    assert!(Chess.read_games("pdn", &mut b"".as_slice(), &mut |_| ControlFlow::Continue(())).is_err());
}

fn written(game: &RecordedGame<Chess>) -> String {
    let mut text = Vec::new();
    Chess.write_game("pgn", game, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn the_written_form() {
    let game = read("[White \"A \\\\ B\"]\n[ECO \"C20\"]\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0")
        .remove(0)
        .unwrap();
    assert_eq!(
        written(&game),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A \\\\ B\"]\n[Black \"?\"]\n\
         [Result \"1-0\"]\n[ECO \"C20\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n"
    );
}

proptest! {
    #[test]
    fn written_games_are_read_back(start in strategies::positions(&Chess, 30), seed: u64, plies in 0usize..120) {
        let Position { rules, state: start } = start;
        let (mut state, mut moves) = (start.clone(), Vec::new());
        let (mut rng, mut buffer) = (tabia_core::SplitMix64::new(seed), Vec::new());
        while let Some(mv) = rules.random_move(&state, &mut rng, &mut buffer).filter(|_| moves.len() < plies) {
            rules.play(&mut state, mv);
            moves.push(mv);
        }
        let outcome = Some(rules.outcome(&state).unwrap_or(Outcome::Draw));
        let tags = vec![("White".to_owned(), "O'N\"eil \\".to_owned()), ("ECO".to_owned(), "A00".to_owned())];
        let start = Position { rules, state: start };
        let game = RecordedGame { number: 1, line: 1, tags, start, moves, outcome, warning: None };
        let text = written(&game);
        prop_assert!(text.lines().all(|line| line.len() <= 80 || line.starts_with('[')));
        let read = read(&text).remove(0).unwrap();
        prop_assert_eq!(&read.moves, &game.moves);
        prop_assert_eq!(read.outcome, game.outcome);
        prop_assert_eq!(fen::format(&read.start.state), fen::format(&game.start.state));
        prop_assert_eq!(read.tags.iter().find(|(name, _)| name == "White"), Some(&game.tags[0]));
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read(&bytes);
    }

    #[test]
    fn no_near_pgn_makes_the_reader_panic(text in r#"([\[\](){};%$*.\n "]|1-0|e4|Nf3|O-O|\[Event "|[ -~]){0,80}"#) {
        let lines = text.lines().count() as u64 + 1;
        for game in read(&text) {
            let line = game.map_or_else(|error| error.line, |game| game.line);
            prop_assert!((1..=lines).contains(&line));
        }
    }
}
