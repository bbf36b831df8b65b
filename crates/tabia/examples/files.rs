//! Files: games read one by one, without a book.

use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;
use tabia::prelude::*;

const GAMES: &str = "[White \"Morphy\"]\n[Black \"Duke Karl / Count Isouard\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 \
    10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 \
    17. Rd8# 1-0\n";

pub(crate) fn main() {
    let registry = Registry::standard();
    let chess = registry.find("chess").expect("chess");
    let mut input = BufReader::new(GAMES.as_bytes());
    let mut replay = |game: Result<tabia::GameRecord, _>| {
        let game = game.unwrap_or_else(|error| panic!("{error}"));
        let mut position = chess.parse(&game.start).expect("a start");
        for mv in &game.moves {
            position.play(mv).expect("files give legal moves");
        }
        println!("{} plies, {:?}: {}", game.moves.len(), game.outcome, position.text());
        ControlFlow::Continue(())
    };
    chess
        .files()
        .and_then(|files| files.read(None, Path::new("opera.pgn"), &mut input, &mut replay))
        .expect("PGN");
}
