//! scratch
use std::io::Write;
use std::ops::ControlFlow;
use tabia_core::ReadGames;
fn main() {
    let mut input = std::io::BufReader::new(std::io::stdin());
    let mut out = std::io::BufWriter::new(std::io::stdout());
    tabia_chess::Chess
        .read_games("pgn", &mut input, &mut |game| {
            match game {
                Ok(game) => {
                    if let Some(w) = &game.warning {
                        eprintln!("warning game {}: {w}", game.number);
                    }
                    tabia_chess::Chess.write_game("pgn", &game, &mut out).unwrap();
                }
                Err(error) => eprintln!("{error}"),
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    out.flush().unwrap();
}
