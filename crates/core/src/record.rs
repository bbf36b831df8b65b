//! A game as it was played: the moves, and the draws that the board alone does not show.

use crate::{Game, Key, Outcome, Position, RuleError};
use serde::Serialize;

/// When history alone makes a game a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRules {
    /// A position that occurs this many times is a draw.
    pub repetitions: Option<u32>,
    /// This many plies in a row without progress ([`Game::is_progress`]) are a draw.
    pub quiet_plies: Option<u32>,
    /// A game of this many plies is a draw.
    pub total_plies: Option<u32>,
}

impl DrawRules {
    /// History never matters.
    pub const NONE: DrawRules = DrawRules { repetitions: None, quiet_plies: None, total_plies: None };

    /// The draw, if these counts make one.
    pub fn draw(&self, occurrences: u32, quiet_plies: u32, total_plies: u32) -> Option<DrawReason> {
        let reached = |limit: Option<u32>, count| limit.is_some_and(|limit| count >= limit);
        if reached(self.repetitions, occurrences) {
            Some(DrawReason::Repetition)
        } else if reached(self.quiet_plies, quiet_plies) {
            Some(DrawReason::QuietPlies)
        } else if reached(self.total_plies, total_plies) {
            Some(DrawReason::TotalPlies)
        } else {
            None
        }
    }
}

/// Why a recorded game is a draw although the position on the board is not one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawReason {
    /// The position occurred too often.
    Repetition,
    /// Too many plies without progress.
    QuietPlies,
    /// Too many plies in all.
    TotalPlies,
    /// Nobody can win any more ([`Game::is_dead`]).
    DeadPosition,
}

/// A game in progress or finished: a start, moves, and every position in between.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    rules: G,
    states: Vec<G::State>,
    moves: Vec<G::Move>,
    /// Plies without progress before the start, and after each move.
    quiet_before: u32,
    quiet: Vec<u32>,
}

impl<G: Game> Record<G> {
    /// A game that starts here.
    pub fn new(start: Position<G>) -> Self {
        Self::beginning(start.rules, start.state)
    }

    /// The same, put together where it is wanted: whoever makes millions of games should not move each of them twice.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub fn beginning(rules: G, state: G::State) -> Self {
        let quiet_before = rules.quiet_before(&state);
        let (moves, quiet) = (Vec::new(), Vec::new());
        Record { rules, states: vec![state], moves, quiet_before, quiet }
    }

    /// The rules it is played by.
    pub fn rules(&self) -> &G {
        &self.rules
    }

    /// The position now.
    pub fn state(&self) -> &G::State {
        &self.states[self.states.len() - 1]
    }

    /// All positions, the start first.
    pub fn states(&self) -> &[G::State] {
        &self.states
    }

    /// The moves so far.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// Plays a move; a finished game or an illegal move is refused with the reason.
    pub fn play(&mut self, mv: G::Move) -> Result<(), RuleError> {
        self.rules.check_move(self.state(), mv)?;
        self.play_listed(mv)
    }

    /// Plays a move known to be legal; a game that is drawn by its history is over.
    pub fn play_listed(&mut self, mv: G::Move) -> Result<(), RuleError> {
        if let Some(reason) = self.draw_reason() {
            return Err(RuleError::new(format!("the game is over: a draw by {}", reason.name())));
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a move known to be legal, also after a draw (players may go on).
    pub fn play_unchecked(&mut self, mv: G::Move) {
        let mut state = self.state().clone();
        let quiet = if self.rules.is_progress(&state, mv) { 0 } else { self.quiet_plies() + 1 };
        self.rules.play(&mut state, mv);
        self.states.push(state);
        self.moves.push(mv);
        self.quiet.push(quiet);
    }

    /// Takes back the last move; `None` at the start.
    pub fn undo(&mut self) -> Option<G::Move> {
        let mv = self.moves.pop()?;
        self.states.pop();
        self.quiet.pop();
        Some(mv)
    }

    /// Plies since the last progress.
    pub fn quiet_plies(&self) -> u32 {
        self.quiet.last().copied().unwrap_or(self.quiet_before)
    }

    /// How often the position now on the board has occurred, this time included.
    pub fn occurrences(&self) -> u32 {
        let now = self.state();
        let key = self.rules.key(now);
        let possible = &self.states[self.first_repeatable()..];
        possible.iter().filter(|s| self.rules.key(s) == key && *s == now).count() as u32
    }

    /// The draw by history or in a dead position, if there is one.
    pub fn draw_reason(&self) -> Option<DrawReason> {
        if self.rules.is_dead(self.state()) {
            return Some(DrawReason::DeadPosition);
        }
        let occurrences = self.occurrences();
        self.rules.draw_rules().draw(occurrences, self.quiet_plies(), self.moves.len() as u32)
    }

    /// How the game ended: on the board, in a dead position, or by its history.
    pub fn outcome(&self) -> Option<Outcome> {
        self.rules.outcome(self.state()).or_else(|| self.draw_reason().map(|_| Outcome::Draw))
    }

    /// The keys of the positions that could still be repeated, the oldest first, the present one left out.
    pub fn repeatable_keys(&self) -> Vec<Key> {
        let last = self.states.len() - 1;
        self.states[self.first_repeatable()..last].iter().map(|s| self.rules.key(s)).collect()
    }

    /// The index of the first position that could still come back.
    fn first_repeatable(&self) -> usize {
        let quiet = if self.rules.progress_is_final() { self.quiet_plies() as usize } else { usize::MAX };
        (self.states.len() - 1).saturating_sub(quiet)
    }
}

impl DrawReason {
    /// The reason in words.
    pub const fn name(self) -> &'static str {
        match self {
            DrawReason::Repetition => "repetition",
            DrawReason::QuietPlies => "moves without progress",
            DrawReason::TotalPlies => "length",
            DrawReason::DeadPosition => "dead position",
        }
    }
}
