//! The rules: [`Solitaire`] is a board and a goal.

use crate::catalogue;
use crate::legal::Legal;
use crate::symmetry::{BoardSymmetry, Group};
use crate::{Board, Goal, Hole, Jump, State, pack};
use std::sync::Arc;
use tabia_core::{
    Canonical, Game, Key, LegalMoves, Notation, Outcome, PositionError, RuleError, Side, SplitMix64,
};

/// Peg solitaire on some board, with some goal.
#[derive(Clone, Debug)]
pub struct Solitaire {
    board: Arc<Board>,
    goal: Goal,
    /// The symmetries of the board that keep the goal.
    group: Arc<Group>,
}

impl Solitaire {
    /// The rules on this board, to be solved to one peg anywhere.
    pub fn new(board: Arc<Board>) -> Solitaire {
        let group = Arc::clone(board.group());
        Solitaire { board, goal: Goal::OnePeg, group }
    }

    /// The rules on a named board; `None` for a name nobody knows.
    pub fn named(name: &str) -> Option<Solitaire> {
        catalogue::find(name).map(|known| Solitaire::new(Arc::clone(&known.board)))
    }

    /// The English board.
    pub fn english() -> Solitaire {
        Solitaire::new(Arc::clone(&catalogue::all()[0].board))
    }

    /// The same board with another goal; symmetries that would move the goal are given up.
    #[must_use]
    pub fn with(&self, goal: Goal) -> Solitaire {
        let whole = self.board.group();
        let targets = goal.targets(&self.board);
        let keeps =
            |group: &Group, element| targets.iter().all(|&t| targets.contains(&group.image(t, element)));
        let all_kept = (0..whole.order()).all(|element| keeps(whole, element));
        let group = if all_kept { Arc::clone(whole) } else { Arc::new(whole.restricted(keeps)) };
        Solitaire { board: Arc::clone(&self.board), goal, group }
    }

    /// The board.
    pub fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// What counts as solved.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// The symmetries that keep board and goal.
    pub fn group(&self) -> &Arc<Group> {
        &self.group
    }

    /// All pegs but one.
    pub fn vacant(&self, hole: Hole) -> State {
        State::new(self.board.full() & !hole.bit())
    }

    /// The shape of the board as a word for [`Game::variant`]: its name, or its drawing without pegs.
    fn shape(&self) -> String {
        self.board.name().map_or_else(|| self.board.draw(0), str::to_owned)
    }
}

impl Default for Solitaire {
    fn default() -> Self {
        Solitaire::english()
    }
}

impl PartialEq for Solitaire {
    fn eq(&self, other: &Self) -> bool {
        self.goal == other.goal && self.board.same_shape(&other.board)
    }
}

impl Eq for Solitaire {}

impl Game for Solitaire {
    type State = State;
    type Move = Jump;
    type Symmetry = BoardSymmetry;
    type Packed = [u8; 8];

    fn id(&self) -> &str {
        "solitaire"
    }

    fn players(&self) -> u8 {
        1
    }

    fn start(&self) -> State {
        self.vacant(self.board.vacancy())
    }

    fn side(&self, _: &State) -> Side {
        Side::First
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        if self.board.can_move(state.pegs()) {
            return None;
        }
        Some(Outcome::Win(if self.goal.is_met(state.pegs()) { Side::First } else { Side::Second }))
    }

    fn moves(&self, state: &State, out: &mut Vec<Jump>) {
        let jumps = self.board.jumps();
        self.board.patterns().for_each(state.pegs(), |number| out.extend(jumps.get(number)));
    }

    fn count_moves(&self, state: &State) -> u64 {
        self.board.count_possible(state.pegs())
    }

    /// The jump whose place in the list was drawn, found without the list.
    #[inline]
    fn random_move(&self, state: &State, rng: &mut SplitMix64, _buffer: &mut Vec<Jump>) -> Option<Jump> {
        let mut legal = Legal::default();
        legal.fill(self, state);
        legal.nth(self, state, rng.below(legal.count() as u64) as usize)
    }

    #[inline]
    fn play(&self, state: &mut State, jump: Jump) {
        *state = State::new(state.pegs() ^ jump.holes());
    }

    /// Every jump takes a peg.
    fn stratum(&self, state: &State) -> Option<u32> {
        Some(state.pegs().count_ones())
    }

    fn check_move(&self, state: &State, jump: Jump) -> Result<(), RuleError> {
        let name = |hole| self.board.hole_name(hole);
        let problem = if !self.board.jumps().contains(&jump) {
            format!("{} and {} are not two steps apart in a row of holes", name(jump.from), name(jump.to))
        } else if !state.has(jump.from) {
            format!("there is no peg on {}", name(jump.from))
        } else if !state.has(jump.over) {
            format!("there is no peg on {} to jump over", name(jump.over))
        } else if state.has(jump.to) {
            format!("{} is not empty", name(jump.to))
        } else {
            return Ok(());
        };
        Err(RuleError::new(problem))
    }

    fn key(&self, state: &State) -> Key {
        pack::key(&self.board, *state)
    }

    #[inline]
    fn pack(&self, state: &State) -> [u8; 8] {
        state.pegs().to_le_bytes()
    }

    fn unpack(&self, packed: &[u8; 8]) -> Result<State, PositionError> {
        pack::unpack(&self.board, *packed)
    }

    fn symmetries(&self, _: &State) -> &[BoardSymmetry] {
        self.group.elements()
    }

    fn map_state(&self, state: &State, symmetry: BoardSymmetry) -> State {
        State::new(self.group.image(state.pegs(), self.group.number(symmetry)))
    }

    fn map_move(&self, jump: Jump, symmetry: BoardSymmetry) -> Jump {
        let permutation = self.group.permutation(self.group.number(symmetry));
        let map = |hole: Hole| {
            permutation.get(hole.index()).and_then(|&to| Hole::new(usize::from(to))).unwrap_or(hole)
        };
        Jump { from: map(jump.from), over: map(jump.over), to: map(jump.to) }
    }

    /// The least image, compared as a number.
    fn canonicalise(&self, state: &State) -> Canonical<State, BoardSymmetry> {
        let images = self.group.images(state.pegs());
        let least = images.into_iter().min().unwrap_or(state.pegs());
        let element = images.iter().position(|&image| image == least).unwrap_or(0);
        Canonical { state: State::new(least), symmetry: self.group.elements()[element] }
    }

    #[inline]
    fn pack_canonical(&self, state: &State) -> [u8; 8] {
        self.group.canonical(state.pegs()).to_le_bytes()
    }

    /// `solitaire`, then the board unless it is the English one, then the goal unless it is any one peg.
    fn variant(&self) -> String {
        let mut variant = self.id().to_owned();
        if self.board.name() != Some("english") {
            variant.push('+');
            variant.push_str(&self.shape());
        }
        if self.goal != Goal::OnePeg {
            variant.push_str("+goal=");
            variant.push_str(&crate::notation::goal_text(self, self.goal));
        }
        variant
    }

    fn from_variant(&self, variant: &str) -> Result<Self, PositionError> {
        let refuse = || self.no_variant(variant);
        let words = variant.strip_prefix(self.id()).ok_or_else(refuse)?;
        let (shape, goal) = match words.split_once("+goal=") {
            Some((shape, goal)) => (shape, Some(goal)),
            None => (words, None),
        };
        let board = match shape.strip_prefix('+') {
            None if shape.is_empty() => Solitaire::english(),
            None => return Err(refuse()),
            Some(name) => match Solitaire::named(name) {
                Some(rules) => rules,
                None => Solitaire::english().parse(name).map_err(|_| refuse())?.rules,
            },
        };
        let goal = goal.map_or(Ok(Goal::OnePeg), |goal| crate::notation::parse_goal(&board, goal));
        let rules = board.with(goal.map_err(|_| refuse())?);
        if rules.variant() == variant { Ok(rules) } else { Err(refuse()) }
    }
}
