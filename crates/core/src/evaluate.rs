//! What a search may ask of a game that can be searched.

use crate::Game;

/// A heuristic value and hints for a search. Exact results never depend on them.
pub trait Evaluate: Game {
    /// How good the position looks for the side to move, in hundredths (of a man, pawn or brick).
    /// Only asked of positions that are not over; stays within ±20,000.
    fn evaluate(&self, state: &Self::State) -> i32;

    /// The same, by a quicker way where that is sure to be at or below `low`, or at or above `high`: a
    /// search only asks on which side of its window the value lies.
    #[inline]
    fn evaluate_within(&self, state: &Self::State, _low: i32, _high: i32) -> i32 {
        self.evaluate(state)
    }

    /// The terms of the evaluation that can be weighed anew, to measure what each is good for.
    fn terms(&self) -> &[&str] {
        &[]
    }

    /// [`Evaluate::evaluate`] with each of the [`Evaluate::terms`] at so many hundredths of its weight.
    fn evaluate_weighed(&self, state: &Self::State, _percent: &[i32]) -> i32 {
        self.evaluate(state)
    }

    /// Whether a move changes so much that the position should not be judged before it is answered
    /// (captures, mostly).
    fn is_noisy(&self, _state: &Self::State, _mv: Self::Move) -> bool {
        false
    }

    /// Appends the noisy moves among the legal ones in the order of [`Game::moves`], cheaper than listing
    /// all where the game knows how.
    fn noisy_moves(&self, state: &Self::State, out: &mut Vec<Self::Move>) {
        let first = out.len();
        self.moves(state, out);
        let mut kept = first;
        for i in first..out.len() {
            if self.is_noisy(state, out[i]) {
                out[kept] = out[i];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// Whether the side to move must not stand pat in a quiescence search (a compulsory capture,
    /// a check): all moves are then searched.
    fn must_resolve(&self, _state: &Self::State) -> bool {
        false
    }

    /// A guess at how promising a move is, before anything was searched: larger is tried earlier.
    fn move_promise(&self, _state: &Self::State, _mv: Self::Move) -> i32 {
        0
    }

    /// The most that a noisy move can gain at once, in hundredths; more than anything where that cannot be told.
    #[inline]
    fn most_gain(&self, _state: &Self::State, _mv: Self::Move) -> i32 {
        i32::MAX
    }

    /// Whether a noisy move gains at least so much, in hundredths, when everything is taken back that can be. By default as
    /// [`Evaluate::move_promise`] says.
    #[inline]
    fn gains(&self, state: &Self::State, mv: Self::Move, least: i32) -> bool {
        self.move_promise(state, mv) >= least
    }

    /// Whether a quiet move loses more than so much, in hundredths, when the piece that moves is taken and everything is taken
    /// back that can be. By default it does not.
    #[inline]
    fn loses(&self, _state: &Self::State, _mv: Self::Move, _more_than: i32) -> bool {
        false
    }

    /// The position after passing the turn, where passing is a sound test of strength ("null
    /// move"); `None` where it is not (zugzwang, check, or a game with none of it).
    fn pass(&self, _state: &Self::State) -> Option<Self::State> {
        None
    }

    /// Whether late quiet moves may be searched less deeply at first.
    fn allows_reductions(&self) -> bool {
        false
    }

    /// Whether a move that is better than all others by far is worth a deeper look, and the time that finding it out takes.
    /// Asked only where reductions are allowed.
    fn singles_out(&self) -> bool {
        false
    }

    /// Whether what a quiet move changes of the static value says how good the move was. Then moves are credited by it, and a side
    /// that does no better than at its last turn gives late moves up sooner. Asked only where reductions are allowed.
    fn is_steady(&self) -> bool {
        false
    }

    /// A small number below [`Evaluate::move_slots`] that stands for a kind of move (from and to
    /// squares, say), for the history heuristic.
    fn move_slot(&self, _state: &Self::State, _mv: Self::Move) -> usize {
        0
    }

    /// The number of [`Evaluate::move_slot`] values.
    fn move_slots(&self) -> usize {
        1
    }

    /// A small number below [`Evaluate::move_kinds`] that stands for a piece and where it goes, whoever moves: what
    /// served after a move of one kind is remembered for each kind.
    #[inline]
    fn move_kind(&self, state: &Self::State, mv: Self::Move) -> usize {
        self.move_slot(state, mv)
    }

    /// The number of [`Evaluate::move_kind`] values; from 2,048 on they are not used.
    fn move_kinds(&self) -> usize {
        self.move_slots()
    }
}
