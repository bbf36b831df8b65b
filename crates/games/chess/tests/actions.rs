//! Numbers of moves and planes: the laws, promotions, castling, and what planes show.

use std::collections::HashSet;
use tabia_chess::Chess;
use tabia_core::{Actions, Game, Notation, Observe, SplitMix64};
use tabia_testkit::laws::{self, Effort};

#[test]
fn numbers_and_planes_keep_the_laws() {
    let options = Effort { games: 6, ..Effort::default() };
    laws::check_actions(&Chess, options);
    laws::check_observe(&Chess, options, |_| Vec::new());
    assert_eq!((Chess.action_count(), Chess.planes().bytes()), (1858, 16 * 64));
}

#[test]
fn all_88_promotions_are_different_actions() {
    let mut numbers = HashSet::new();
    // Pawns on every second file, something to take on the others, and the same the other way round.
    for fen in ["1n1n1n1n/P1P1P1P1/8/8/8/7k/8/K7 w - - 0 1", "n1n1n1n1/1P1P1P1P/8/8/8/k7/8/7K w - - 0 1"] {
        let state = Chess.parse(fen).unwrap().state;
        laws::action_verdict(&Chess, &state, &mut SplitMix64::new(1)).unwrap();
        let mut moves = Vec::new();
        Chess.moves(&state, &mut moves);
        moves.retain(|mv| mv.promotion.is_some());
        numbers.extend(moves.into_iter().map(|mv| Chess.action_of(&state, mv)));
    }
    assert_eq!(numbers.len(), 4 * 22);
    assert_eq!(numbers.iter().filter(|&&number| number >= 1792).count(), 66);
}

#[test]
fn castling_takes_the_rook_and_shows_it() {
    for fen in ["r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 4 20", "1r1k2r1/8/8/8/8/8/8/1R1K2R1 w GBgb - 0 1"] {
        let state = Chess.parse(fen).unwrap().state;
        laws::action_verdict(&Chess, &state, &mut SplitMix64::new(1)).unwrap();
        let mut planes = vec![9; 1024];
        Chess.observe(&state, 300, &mut planes);
        for plane in [12, 13] {
            let rooks: u32 = planes[plane * 64..][..64].iter().map(|&cell| u32::from(cell)).sum();
            assert_eq!(rooks, 2, "{fen}");
        }
        assert!(planes[15 * 64..].iter().all(|&cell| cell == 255));
    }
}

#[test]
fn only_a_legal_capture_en_passant_is_shown() {
    let shown = |fen: &str| {
        let state = Chess.parse(fen).unwrap().state;
        let mut planes = vec![9; 1024];
        Chess.observe(&state, 0, &mut planes);
        (0..64).find(|cell| planes[14 * 64 + cell] == 1)
    };
    // Black to take on d3: the sixth rank, as Black sees it, and file d.
    assert_eq!(shown("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1"), Some(5 * 8 + 3));
    assert_eq!(shown("4k3/8/8/8/3P4/8/8/4K3 b - d3 0 1"), None);
}
