//! What the reader takes, what it reports, and that written games are read back.

use crate::{Chess, Move, State, fen, san};
use proptest::prelude::*;
use std::ops::ControlFlow;
use tabia_core::{
    FileError, Game, Notation, Note, Outcome, Position, ReadGames, RecordedGame, Side, SplitMix64, Variation,
};
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
    let mut state = game.start.state;
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

#[test]
fn null_moves_refuse_their_game_and_no_other() {
    for null in ["--", "Z0", "null", "@@@@", "0000"] {
        let games = read(format!("1. e4 {null} 2. d4 d5 1-0\n1. e4 e5 *"));
        let error = games[0].as_ref().unwrap_err().to_string();
        let reason = "a null move is no move of chess, so the game cannot be replayed";
        assert_eq!(error, format!("game 1, line 1: move 1... {null}: {reason}"));
        assert_eq!(texts(games[1].as_ref().unwrap()), "e4 e5");
    }
    // A threat shown in a variation is cut off there.
    let game = read("1. e4 (1. d4 d5 -- 2. c4 (2. Nf3) dxc4 {threat}) 1... e5 *").remove(0).unwrap();
    assert_eq!(texts(&game), "e4 e5");
    assert_eq!(game.variations.len(), 1);
    assert_eq!(game.variations[0].moves.len(), 2);
    assert!(game.warning.is_some_and(|warning| warning.contains("a variation is cut short at move 2. --")));
}

#[test]
fn signs_after_moves_are_marks() {
    let text = "1. e4+- e5= 2. Nf3-+ Nc6?! 3. Bb5\u{b1} a6$5 4. Bxc6!!+/- dxc6\u{2213} 5. O-O+= N 5... f6!? $14 $10 6. d4 \
        exd4 += 7. Nxd4 c5 D 8. Nb3 Qxd1= 1/2-1/2";
    let game = read(text).remove(0).unwrap();
    assert_eq!(texts(&game), "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O f6 d4 exd4 Nxd4 c5 Nb3 Qxd1");
    let marks: Vec<_> = game.notes.iter().map(|note| (note.after, note.marks.as_slice())).collect();
    let expected: [(usize, &[u8]); 12] = [
        (1, &[18]),
        (2, &[10]),
        (3, &[19]),
        (4, &[6]),
        (5, &[16]),
        (6, &[5]),
        (7, &[3, 16]),
        (8, &[17]),
        (9, &[14, 146]),
        (10, &[5, 14, 10]),
        (12, &[14]),
        (14, &[220]),
    ];
    assert_eq!(marks[..12], expected);
    let en_passant = "[FEN \"4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1\"] 1... d5 2. exd6";
    for suffix in ["e.p.", " e.p.", "ep", "e.p.!", "!e.p.", "+-", "e.p.+-", ""] {
        let game = read(format!("{en_passant}{suffix} *")).remove(0).unwrap();
        assert_eq!(game.moves.len(), 2, "{suffix}");
    }
    for bad in ["O-O-", "e4,", "e4--", "e4x"] {
        assert!(read(format!("1. {bad} *"))[0].is_err(), "{bad}");
    }
    // Latin-1.
    let game = read(b"1. e4\xb1 {\xe9} *").remove(0).unwrap();
    assert_eq!((game.notes[0].marks[0], game.notes[0].comment.as_str()), (16, "\u{e9}"));
}

#[test]
fn comments_and_variations_are_kept() {
    let text = "[Event \"x\"] {before}\n1. e4 {one\n two} (1. d4 d5 (1... Nf6 $1 2. c4) 2. c4 {deep}) (1. c4) e5 ; rest\n\
        2. Nf3 {a} {b} $3 *";
    let game = read(text).remove(0).unwrap();
    let note = |after, marks: &[u8], comment: &str| Note {
        after,
        marks: marks.to_vec(),
        comment: comment.to_owned(),
    };
    let (before, one, rest) = (note(0, &[], "before"), note(1, &[], "one two"), note(2, &[], "rest"));
    assert_eq!(game.notes, [before, one, rest, note(3, &[], "a"), note(3, &[], "b"), note(3, &[3], "")]);
    let shape: Vec<_> =
        game.variations.iter().map(|v| (v.of, v.after, v.moves.len(), v.notes.len())).collect();
    assert_eq!(shape, [(0, 0, 3, 1), (1, 1, 2, 1), (0, 0, 1, 0)]);
    let text = "{before} 1. e4 {one two} (1. d4 d5 (1... Nf6 $1 2. c4) 2. c4 {deep}) (1. c4)\n\
        1... e5 {rest} 2. Nf3 {a} {b} $3 *";
    assert!(written(&game).ends_with(&format!("\n\n{text}\n\n")), "{}", written(&game));
    let lines: Vec<_> = game.lines().iter().map(texts).collect();
    assert_eq!(lines, ["e4 e5 Nf3", "d4 d5 c4", "Nf6 c4", "c4"]);
}

/// Found by random input (`cargo xtask fuzz`): closing a variation that could not be read took away the one around it.
#[test]
fn a_variation_that_cannot_be_read_leaves_the_one_around_it() {
    let game = read("1. e4 ((zz) (1. d4) 1. c4 d5) e5 *").remove(0).unwrap();
    let shape: Vec<_> = game.variations.iter().map(|v| (v.of, v.after, v.moves.len())).collect();
    assert_eq!(shape, [(0, 0, 2), (1, 0, 1)]);
    assert_eq!(game.moves.len(), 2);
    assert!(read("1. e4 (((zz)())(((zz)()))) e5 *").remove(0).unwrap().variations.is_empty());
}

#[test]
fn variations_as_games_have_their_own_start_result_and_id() {
    let text = "[GameId \"g\"] 1. f3 (1. e4 e5) e5 2. g4 (2. e4) 2... d5 (2... Qh4#) 1/2-1/2";
    let lines = read(text).remove(0).unwrap().lines();
    let ids: Vec<_> = lines.iter().map(|line| line.tags[0].1.as_str()).collect();
    assert_eq!(ids, ["g", "g/1", "g/2", "g/3"]);
    assert_eq!(lines[3].outcome, Some(Outcome::Win(Side::Second)));
    assert_eq!(lines[2].outcome, Some(Outcome::Draw));
    assert_eq!(
        fen::format(&lines[2].start.state),
        "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq e6 0 2"
    );
}

#[test]
fn ten_thousand_parentheses_need_no_deep_stack() {
    let deep = format!("1. e4 {} e5 *", "(1. d4 ".repeat(10_000) + &")".repeat(10_000));
    let game = read(&deep).remove(0).unwrap();
    assert_eq!(game.variations.len(), 10_000);
    assert_eq!(game.lines().len(), 10_001);
    let again = read(written(&game)).remove(0).unwrap();
    assert_eq!(again.variations, game.variations);
    assert!(read("(".repeat(10_000))[0].is_err());
    assert!(read("1. e4 () (1... e5) (()) 1... e5 \u{bd}-\u{bd}").remove(0).unwrap().variations.is_empty());
    assert!(read(")".repeat(10_000))[0].is_err());
    let long = format!("1. e4 {{{}}} e5 *", "word ".repeat(100_000));
    let game = read(&long).remove(0).unwrap();
    assert_eq!(game.moves.len(), 2);
    assert!(game.warning.is_some_and(|warning| warning.contains("very long comment")));
}

#[test]
fn chess960_is_named() {
    let variant = |start: &str| {
        let start = Chess.parse(start).unwrap();
        let text = written(&RecordedGame::new(start, Vec::new(), None));
        assert!(read(&text)[0].is_ok(), "{text}");
        text.contains("[Variant \"Chess960\"]")
    };
    assert!(variant("chess960:0"));
    // King and rooks stand as usual, other pieces do not.
    assert!(variant("rbnqknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKNBR w KQkq - 0 1"));
    assert!(variant("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1"));
    assert!(!variant("chess960:518"));
    assert!(!variant("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"));
    assert!(!variant("4k3/8/8/8/8/8/8/R4K1R w - - 0 1"));
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

/// Some random moves from a position, with remarks; and the positions before each of them.
fn random_line(
    rng: &mut SplitMix64,
    start: &State,
    plies: usize,
    words: &[String],
) -> (Vec<Move>, Vec<Note>, Vec<State>) {
    let (mut state, mut buffer) = (*start, Vec::new());
    let (mut moves, mut notes, mut states) = (Vec::new(), Vec::new(), Vec::new());
    for after in 0..=plies {
        for _ in 0..rng.below(3) {
            let length = rng.below(words.len() as u64) as usize + 1;
            match rng.below(4) {
                0 => Note::add_mark(&mut notes, after, rng.below(256) as u8),
                1 => Note::add_comment(&mut notes, after, &words[..length].join(" ")),
                _ => {}
            }
        }
        let Some(mv) = Chess.random_move(&state, rng, &mut buffer).filter(|_| after < plies) else { break };
        states.push(state);
        Chess.play(&mut state, mv);
        moves.push(mv);
    }
    (moves, notes, states)
}

/// A random game with variations, in the order in which a file tells them.
fn annotated(rng: &mut SplitMix64, plies: usize, words: &[String]) -> RecordedGame<Chess> {
    let start = Position { rules: Chess, state: Chess.start() };
    let (moves, notes, states) = random_line(rng, &start.state, plies, words);
    let mut game = RecordedGame { notes, ..RecordedGame::new(start, moves, None) };
    branch(rng, &mut game.variations, 0, &states, words, 3);
    game
}

fn branch(
    rng: &mut SplitMix64,
    variations: &mut Vec<Variation<Move>>,
    of: usize,
    states: &[State],
    words: &[String],
    deep: u32,
) {
    for (after, state) in states.iter().enumerate().filter(|_| deep > 0) {
        for _ in 0..(rng.below(12) / 9) {
            let plies = rng.below(6) as usize + 1;
            let (moves, notes, inner) = random_line(rng, state, plies, words);
            variations.push(Variation { of, after, moves, notes });
            let number = variations.len();
            branch(rng, variations, number, &inner, words, deep - 1);
        }
    }
}

proptest! {
    #[test]
    fn written_games_are_read_back(start in strategies::positions(&Chess, 30), seed: u64, plies in 0usize..120) {
        let Position { rules, state: start } = start;
        let (mut state, mut moves) = (start, Vec::new());
        let (mut rng, mut buffer) = (SplitMix64::new(seed), Vec::new());
        while let Some(mv) = rules.random_move(&state, &mut rng, &mut buffer).filter(|_| moves.len() < plies) {
            rules.play(&mut state, mv);
            moves.push(mv);
        }
        let outcome = Some(rules.outcome(&state).unwrap_or(Outcome::Draw));
        let tags = vec![("White".to_owned(), "O'N\"eil \\".to_owned()), ("ECO".to_owned(), "A00".to_owned())];
        let start = Position { rules, state: start };
        let game = RecordedGame { tags, ..RecordedGame::new(start, moves, outcome) };
        let text = written(&game);
        prop_assert!(text.lines().all(|line| line.len() <= 80 || line.starts_with('[')));
        let read = read(&text).remove(0).unwrap();
        prop_assert_eq!(&read.moves, &game.moves);
        prop_assert_eq!(read.outcome, game.outcome);
        prop_assert_eq!(fen::format(&read.start.state), fen::format(&game.start.state));
        prop_assert_eq!(read.tags.iter().find(|(name, _)| name == "White"), Some(&game.tags[0]));
    }

    /// Moves, marks, comments, and variations of variations come back as they were.
    #[test]
    fn annotated_games_are_read_back(
        seed: u64,
        plies in 0usize..30,
        words in prop::collection::vec("[^}\\s\\p{Cc}]{1,12}", 1..40),
    ) {
        let mut rng = SplitMix64::new(seed);
        let game = annotated(&mut rng, plies, &words);
        let read = read(written(&game)).remove(0).unwrap();
        prop_assert_eq!(&read.moves, &game.moves);
        prop_assert_eq!(&read.notes, &game.notes);
        prop_assert_eq!(&read.variations, &game.variations);
        prop_assert_eq!(&read.warning, &None);
        prop_assert_eq!(read.lines().len(), 1 + game.variations.len());
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
