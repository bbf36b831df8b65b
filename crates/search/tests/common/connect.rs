//! Boards on which `k` in a row win, with or without gravity; a plain memo solves them.

use std::collections::HashMap;
use tabia_core::{Evaluate, Game, Key, NoSymmetry, Outcome, PositionError, Side, Value, rng::mix};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Connect {
    pub(crate) width: u8,
    pub(crate) height: u8,
    pub(crate) k: u8,
    pub(crate) gravity: bool,
}

/// Stones of either side, one bit per cell, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Board {
    stones: [u64; 2],
}

pub(crate) const TIC_TAC_TOE: Connect = Connect { width: 3, height: 3, k: 3, gravity: false };

impl Connect {
    fn won(&self, stones: u64) -> bool {
        let (w, h, k) = (i32::from(self.width), i32::from(self.height), i32::from(self.k));
        let has =
            |x: i32, y: i32| (0..w).contains(&x) && (0..h).contains(&y) && stones >> (y * w + x) & 1 == 1;
        let line = |x: i32, y: i32| {
            [(1, 0), (0, 1), (1, 1), (1, -1)]
                .iter()
                .any(|&(dx, dy)| (0..k).all(|i| has(x + i * dx, y + i * dy)))
        };
        (0..w * h).any(|cell| line(cell % w, cell / w))
    }

    /// The exact value, by trying everything.
    pub(crate) fn solve(&self, board: Board, memo: &mut HashMap<Board, Value>) -> Value {
        if let Some(outcome) = self.outcome(&board) {
            return outcome.value_for(self.side(&board));
        }
        if let Some(&value) = memo.get(&board) {
            return value;
        }
        let mut moves = Vec::new();
        self.moves(&board, &mut moves);
        let child = |mv: &u8| {
            let mut child = board;
            self.play(&mut child, *mv);
            child
        };
        let values: Vec<Value> =
            moves.iter().map(|mv| self.solve(child(mv), memo).one_ply_earlier()).collect();
        let best = values.into_iter().max_by_key(|value| value.rank()).unwrap_or(Value::Draw);
        memo.insert(board, best);
        best
    }
}

impl Game for Connect {
    type State = Board;
    type Move = u8;
    type Symmetry = NoSymmetry;
    type Packed = [u8; 16];
    fn id(&self) -> &str {
        "connect"
    }

    fn start(&self) -> Board {
        Board::default()
    }
    fn side(&self, board: &Board) -> Side {
        Side::from_index((board.stones[0] | board.stones[1]).count_ones() as usize % 2).unwrap()
    }
    fn outcome(&self, board: &Board) -> Option<Outcome> {
        for side in Side::ALL {
            if self.won(board.stones[side.index()]) {
                return Some(Outcome::Win(side));
            }
        }
        let cells = u32::from(self.width) * u32::from(self.height);
        ((board.stones[0] | board.stones[1]).count_ones() == cells).then_some(Outcome::Draw)
    }
    fn moves(&self, board: &Board, out: &mut Vec<u8>) {
        if self.outcome(board).is_some() {
            return;
        }
        let taken = board.stones[0] | board.stones[1];
        let free = |cell: u8| taken >> cell & 1 == 0;
        let rests = |cell: u8| cell < self.width || !free(cell - self.width);
        out.extend(
            (0..self.width * self.height).filter(|&cell| free(cell) && (!self.gravity || rests(cell))),
        );
    }
    fn play(&self, board: &mut Board, mv: u8) {
        let side = self.side(board).index();
        board.stones[side] |= 1 << mv;
    }
    fn key(&self, board: &Board) -> Key {
        Key(mix(board.stones[0] ^ mix(board.stones[1] + 1)))
    }
    fn pack(&self, board: &Board) -> [u8; 16] {
        (u128::from(board.stones[0]) << 64 | u128::from(board.stones[1])).to_le_bytes()
    }
    fn unpack(&self, packed: &[u8; 16]) -> Result<Board, PositionError> {
        let bits = u128::from_le_bytes(*packed);
        Ok(Board { stones: [(bits >> 64) as u64, bits as u64] })
    }
    fn map_state(&self, board: &Board, _: NoSymmetry) -> Board {
        *board
    }
    fn map_move(&self, mv: u8, _: NoSymmetry) -> u8 {
        mv
    }
}

impl Evaluate for Connect {
    fn move_slots(&self) -> usize {
        64
    }
    fn evaluate(&self, board: &Board) -> i32 {
        (mix(board.stones[0]) % 100) as i32 - 50
    }
    fn move_slot(&self, _: &Board, mv: u8) -> usize {
        usize::from(mv)
    }
}
