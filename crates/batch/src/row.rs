//! One game of a batch, without its position: the history that may end it, its moves, its randomness.

use crate::history::History;
use tabia_core::playout::LONGEST;
use tabia_core::rng::mix;
use tabia_core::{Actions, DrawRules, Game, LegalMoves, Outcome, SplitMix64, Stop};

/// The rules, and when history ends a game.
#[derive(Clone, Debug)]
pub(crate) struct Referee<G> {
    pub(crate) rules: G,
    draws: DrawRules,
}

impl<G: Game> Referee<G> {
    pub(crate) fn new(rules: G) -> Self {
        let mut draws = rules.draw_rules();
        draws.total_plies.get_or_insert(LONGEST);
        Referee { draws, rules }
    }
}

/// What is known about the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Unknown,
    Open,
    Over(Outcome),
}

/// One game of a batch, without its position.
#[derive(Clone, Debug)]
pub(crate) struct Row<G: Actions> {
    /// The legal moves where `listed`; none when the game is over.
    legal: G::Legal,
    listed: bool,
    fate: Fate,
    quiet: u32,
    plies: u32,
    history: History,
    rng: SplitMix64,
    /// The move that is about to be played.
    chosen: Option<G::Move>,
}

impl<G: Actions> Row<G> {
    /// A row with its own generator; [`Row::begin`] must follow.
    pub(crate) fn new(seed: u64, number: usize) -> Self {
        Row {
            legal: G::Legal::default(),
            listed: false,
            fate: Fate::Unknown,
            quiet: 0,
            plies: 0,
            history: History::default(),
            rng: generator(seed, number),
            chosen: None,
        }
    }

    /// Starts the randomness anew.
    pub(crate) fn reseed(&mut self, seed: u64, number: usize) {
        self.rng = generator(seed, number);
    }

    /// Begins a game in a position.
    #[inline]
    pub(crate) fn begin(&mut self, referee: &Referee<G>, state: &G::State) {
        (self.quiet, self.plies) = (referee.rules.quiet_before(state), 0);
        self.listed = false;
        self.fate = if referee.rules.is_dead(state) { over(&referee.rules, state) } else { Fate::Unknown };
        if let Some(enough) = referee.draws.repetitions {
            self.history.clear();
            self.history.add(referee.rules.key(state), enough);
        }
    }

    /// The legal moves; `None` when the game is over.
    #[inline]
    pub(crate) fn legal(&mut self, referee: &Referee<G>, state: &G::State) -> Option<&G::Legal> {
        if !self.listed {
            self.list(referee, state);
        }
        matches!(self.fate, Fate::Open).then_some(&self.legal)
    }

    #[inline]
    fn list(&mut self, referee: &Referee<G>, state: &G::State) {
        self.listed = true;
        if let Fate::Over(_) = self.fate {
            return;
        }
        self.legal.fill(&referee.rules, state);
        self.fate = if self.legal.count() == 0 { over(&referee.rules, state) } else { Fate::Open };
    }

    /// How the game ended, if it did.
    #[inline]
    pub(crate) fn outcome(&mut self, referee: &Referee<G>, state: &G::State) -> Option<Outcome> {
        if self.fate == Fate::Unknown {
            self.list(referee, state);
        }
        if let Fate::Over(outcome) = self.fate { Some(outcome) } else { None }
    }

    /// Writes the mask of the legal moves.
    #[inline]
    pub(crate) fn mask(&mut self, referee: &Referee<G>, state: &G::State, bits: &mut [u8]) {
        match self.legal(referee, state) {
            Some(legal) => legal.mask(&referee.rules, state, bits),
            None => bits.fill(0),
        }
    }

    /// Plies without progress.
    #[inline]
    pub(crate) fn quiet(&self) -> u32 {
        self.quiet
    }

    /// Chooses the move to be played.
    pub(crate) fn choose(&mut self, mv: Option<G::Move>) {
        self.chosen = mv;
    }

    /// Plays the move that was chosen, if one was.
    pub(crate) fn play_chosen(&mut self, referee: &Referee<G>, state: &mut G::State) {
        if let Some(mv) = self.chosen.take() {
            self.play(referee, state, mv);
        }
    }

    /// Plays a move drawn by lot; nothing when the game is over.
    #[inline]
    pub(crate) fn play_any(&mut self, referee: &Referee<G>, state: &mut G::State) {
        let Some(count) = self.legal(referee, state).map(LegalMoves::count) else { return };
        let chosen = self.rng.below(count as u64) as usize;
        if let Some(mv) = self.legal.nth(&referee.rules, state, chosen) {
            self.play(referee, state, mv);
        }
    }

    #[inline]
    fn play(&mut self, referee: &Referee<G>, state: &mut G::State, mv: G::Move) {
        let Referee { rules, draws } = referee;
        let is_final = draws.repetitions.is_some() && rules.is_final(state, mv);
        self.quiet = if rules.is_progress(state, mv) { 0 } else { self.quiet + 1 };
        self.plies += 1;
        rules.play(state, mv);
        let mut occurrences = 1;
        if let Some(enough) = draws.repetitions {
            if is_final {
                self.history.clear();
            }
            occurrences = self.history.add(rules.key(state), enough);
        }
        let drawn = draws.draw(occurrences, self.quiet, self.plies).is_some() || rules.is_dead(state);
        (self.listed, self.fate) = (false, if drawn { over(rules, state) } else { Fate::Unknown });
    }

    /// Plays random games to the end from here: wins of player 0, wins of player 1, draws.
    pub(crate) fn playouts(
        &mut self,
        referee: &Referee<G>,
        state: &G::State,
        games: u32,
        stop: &Stop,
    ) -> [u32; 3] {
        let mut counts = [0; 3];
        let known = self.outcome(referee, state);
        let mut buffer = Vec::new();
        for _ in 0..games {
            if stop.is_stopped() {
                break;
            }
            match known.unwrap_or_else(|| self.playout(referee, state.clone(), &mut buffer)) {
                Outcome::Win(side) => counts[side.index()] += 1,
                Outcome::Draw => counts[2] += 1,
            }
        }
        counts
    }

    fn playout(&mut self, referee: &Referee<G>, mut state: G::State, buffer: &mut Vec<G::Move>) -> Outcome {
        let Referee { rules, draws, .. } = referee;
        let (mut quiet, mut plies) = (self.quiet, self.plies);
        loop {
            let Some(mv) = rules.random_move(&state, &mut self.rng, buffer) else {
                return rules.outcome(&state).unwrap_or(Outcome::Draw);
            };
            if draws.draw(1, quiet, plies).is_some() || rules.is_dead(&state) {
                return Outcome::Draw;
            }
            quiet = if rules.is_progress(&state, mv) { 0 } else { quiet + 1 };
            plies += 1;
            rules.play(&mut state, mv);
        }
    }
}

/// The end of a game that has no move, or is drawn unless it is decided on the board.
#[inline]
fn over<G: Game>(rules: &G, state: &G::State) -> Fate {
    Fate::Over(rules.outcome(state).unwrap_or(Outcome::Draw))
}

fn generator(seed: u64, number: usize) -> SplitMix64 {
    SplitMix64::new(mix(seed ^ mix(number as u64 + 1)))
}
