//! `tabia play` as a person types it: standard input of the real program.

use std::io::Write;
use std::process::{Command, Stdio};

struct Game {
    shown: String,
    remarks: String,
    code: Option<i32>,
}

/// A game in which `lines` are typed and then the input ends.
fn game(arguments: &[&str], lines: &[&str]) -> Game {
    typed(arguments, &lines.iter().map(|line| line.as_bytes()).collect::<Vec<_>>())
}

/// The same, whatever is in the lines.
fn typed(arguments: &[&str], lines: &[&[u8]]) -> Game {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabia"))
        .arg("play")
        .args(arguments)
        .args(["--ascii", "--threads", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    for line in lines {
        // The program may have left before the last line.
        let _ = input.write_all(&[*line, b"\n"].concat());
    }
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Game { shown: text(output.stdout), remarks: text(output.stderr), code: output.status.code() }
}

/// How many boards were shown.
fn boards(game: &Game) -> usize {
    game.shown.matches("to move").count()
}

#[test]
fn a_person_moves_and_is_answered() {
    let game = game(&["chess", "--versus", "depth=1"], &["e4", "d4", "quit", "h4"]);
    assert_eq!(game.code, Some(0));
    assert_eq!(game.shown.matches("Black plays").count(), 2, "{}", game.shown);
    // The start, and after every answer.
    assert_eq!(boards(&game), 3, "{}", game.shown);
    assert!(!game.shown.contains("packed"), "codes are shown when they are asked for: {}", game.shown);
    assert!(game.remarks.contains("hint"), "the commands are told at the beginning");
}

#[test]
fn bad_moves_are_explained_and_the_game_goes_on() {
    let game = game(&["draughts", "--versus", "random"], &["11-30", "hello", "", "11-15"]);
    assert_eq!(game.code, Some(0), "the input ended: {}", game.remarks);
    assert_eq!(game.remarks.matches("error").count(), 2, "{}", game.remarks);
    assert!(game.remarks.contains("hello"));
    assert_eq!(game.shown.matches("White plays").count(), 1);
}

#[test]
fn a_line_that_is_not_utf_8_is_no_move() {
    let game = typed(&["chess", "--versus", "depth=1"], &[b"e\xE4", b"e4"]);
    assert_eq!(game.code, Some(0), "{}", game.remarks);
    assert_eq!(game.remarks.matches("error").count(), 1, "{}", game.remarks);
    assert_eq!(game.shown.matches("Black plays").count(), 1, "{}", game.shown);
}

#[test]
fn a_move_is_taken_back_with_its_answer() {
    let game = game(
        &["chess", "--versus", "depth=1"],
        &["undo", "codes", "e4", "undo", "codes", "board", "moves", "quit"],
    );
    assert!(game.remarks.contains("nothing to take back"));
    let start = "position   rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(game.shown.matches(start).count(), 2, "{}", game.shown);
    let board = "2 P  P  P  P  P  P  P  P";
    assert_eq!(game.shown.matches(board).count(), 4, "{}", game.shown);
    let moves = game.shown.lines().find(|line| line.contains("Nf3")).expect("the moves are listed");
    assert_eq!(moves.split(' ').count(), 20);
}

#[test]
fn a_hint_is_a_good_move() {
    let game =
        game(&["chess", "6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1", "--versus", "depth=1"], &["hint", "Re8#"]);
    assert!(game.shown.contains("Re8# (win in 1)"), "{}", game.shown);
    assert!(game.shown.contains("the game is over: win0"), "{}", game.shown);
    assert_eq!(game.code, Some(0));
}

#[test]
fn sides_are_chosen_and_changed() {
    let second = game(&["five", "--versus", "depth=1", "--side", "1"], &["quit"]);
    assert_eq!(second.shown.matches(" plays ").count(), 1, "the engine begins: {}", second.shown);
    let swapped = game(&["five", "--versus", "depth=1"], &["swap", "swap", "quit"]);
    assert_eq!(swapped.shown.matches(" plays ").count(), 2, "{}", swapped.shown);
}

#[test]
fn help_and_every_kind_of_end() {
    let helped = game(&["arx", "--versus", "random"], &["help", "?", "exit"]);
    assert_eq!(helped.shown.matches("take back").count() + helped.shown.matches("undo").count(), 2);
    assert_eq!(game(&["arx", "--versus", "random"], &[]).code, Some(0));
    let over = game(&["chess", "7k/8/8/8/8/8/r7/1r5K w - - 0 1", "--versus", "random"], &[]);
    assert!(over.shown.contains("the game is over"), "{}", over.shown);
    let wrong = game(&["chess", "nowhere", "--versus", "random"], &[]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.remarks.contains("nowhere"), "{}", wrong.remarks);
    assert_eq!(game(&["solitaire", "--versus", "depth=2"], &["swap"]).code, Some(2));
}

#[test]
fn beginnings_are_enough_and_mistakes_name_what_is_like_them() {
    let lines = ["11-1", "11-17", "clock", "codes", "12"];
    let game = game(&["draughts", "--versus", "random", "--clock", "10m"], &lines);
    assert!(game.remarks.contains("11-1 may be 11-15, 11-16"), "{}", game.remarks);
    assert!(game.remarks.contains("legal is 11-1"), "{}", game.remarks);
    assert!(game.shown.contains("Black plays 12-16"), "{}", game.shown);
    assert!(
        game.shown.lines().any(|line| line.starts_with("9:5") || line == "10:00 10:00"),
        "{}",
        game.shown
    );
    assert_eq!(game.shown.matches("canonical").count(), 1, "codes are shown once, as asked: {}", game.shown);
}

#[test]
fn a_puzzle_for_one_has_hints() {
    let game = game(&["solitaire", "triangle5", "--versus", "random"], &["hint", "undo"]);
    assert!(game.shown.contains("(solvable)"), "{}", game.shown);
    assert_eq!(game.code, Some(0), "{}", game.remarks);
}

#[test]
#[cfg(feature = "images")]
fn pictures_are_sent_as_asked() {
    let sent = |how: &str| {
        let out = Command::new(env!("CARGO_BIN_EXE_tabia")).args(["show", "arx", how]).output();
        String::from_utf8(out.expect("an answer").stdout).expect("text")
    };
    assert!(sent("--image=kitty").starts_with("\x1b_Ga=T,f=100,"));
    assert!(sent("--image=iterm").starts_with("\x1b]1337;File=inline=1;"));
    assert!(sent("--image=sixel").starts_with("\x1bP0;1q"));
    // A pipe shows none, and what was asked for is told as text.
    assert!(sent("--image").starts_with('9'), "{}", sent("--image"));
}
