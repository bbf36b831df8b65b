//! Any game, with one bug.

mod draughts;
mod solitaire;
mod tic_tac_toe;

use tabia_core::{
    Arrange, Arrangement, Canonical, DrawRules, Game, Geometry, Info, Key, MoveError, NamedStart, Notation,
    Outcome, Picture, Position, PositionError, Present, RuleError, Side, SplitMix64,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[rustfmt::skip]
pub(crate) enum Bug {
    None,
    // Of every game.
    OneNumber, SomeNumbers, RandomMoveAfterTheEnd, AnyVariant,
    // Of evaluations.
    Unbounded, Moody, Weights, Window, WholeWindow, NoisyForgets, QuietCaptures, FirstsView, Lopsided, Pass,
    // Of features.
    WordLeft, TwoAsOne, BoardNotTurned, NoSuchFrame, FoldsMixed, StartMirrored,
    // Of an index.
    Gap, TooLong, TooShort, OneSide, OneName, SuccessorForgotten, PredecessorForgotten, PredecessorTwice, GroupsReversed,
    GapClaimed,
    // Of levels.
    LayersReversed, LevelsReversed, BlockForgotten, MoveUncounted, TellsTwice, TellsNobody,
    // Of puzzles.
    AnyGoal, AlwaysSolvable, LineTooShort, NotTheFewest, CountedTwice, HintForgotten, HintsTurned, LevelsForget,
    ListForgets, ListTwice,
    // Of game files.
    AnyKind, GameForgotten, MoveForgotten, ResultTurned, TagForgotten, NumbersFromZero, ReadsOn,
    // Of setting up.
    OneLetter, PieceNotOffered, SideNotAsked, PieceLost,
}

/// A game and what is wrong with it.
#[derive(Clone, Debug)]
pub(crate) struct Planted<G> {
    pub(crate) game: G,
    pub(crate) bug: Bug,
}

impl<G: Game> Planted<G> {
    fn has(&self, bug: Bug) -> bool {
        self.bug == bug
    }
    fn again(&self, game: G) -> Self {
        Planted { game, bug: self.bug }
    }
    fn position(&self, Position { rules, state }: Position<G>) -> Position<Self> {
        Position { rules: self.again(rules), state }
    }
}

impl<G: Game> Game for Planted<G> {
    type State = G::State;
    type Move = G::Move;
    type Symmetry = G::Symmetry;
    type Packed = G::Packed;

    fn id(&self) -> &str {
        self.game.id()
    }
    fn players(&self) -> u8 {
        self.game.players()
    }
    fn start(&self) -> G::State {
        self.game.start()
    }
    fn side(&self, state: &G::State) -> Side {
        self.game.side(state)
    }
    fn outcome(&self, state: &G::State) -> Option<Outcome> {
        self.game.outcome(state)
    }
    fn moves(&self, state: &G::State, out: &mut Vec<G::Move>) {
        self.game.moves(state, out);
    }
    fn random_move(
        &self,
        state: &G::State,
        rng: &mut SplitMix64,
        buffer: &mut Vec<G::Move>,
    ) -> Option<G::Move> {
        let found = self.game.random_move(state, rng, buffer);
        let stale = || self.game.random_move(&self.game.start(), rng, buffer);
        if self.has(Bug::RandomMoveAfterTheEnd) { found.or_else(stale) } else { found }
    }
    fn play(&self, state: &mut G::State, mv: G::Move) {
        self.game.play(state, mv);
    }
    fn check_move(&self, state: &G::State, mv: G::Move) -> Result<(), RuleError> {
        self.game.check_move(state, mv)
    }
    fn move_number(&self, state: &G::State, mv: G::Move) -> Option<u64> {
        match self.bug {
            Bug::OneNumber => Some(1),
            Bug::SomeNumbers => {
                let mut moves = Vec::new();
                self.game.moves(state, &mut moves);
                moves.iter().position(|&other| other == mv).filter(|&at| at > 0).map(|at| at as u64)
            }
            _ => self.game.move_number(state, mv),
        }
    }
    fn key(&self, state: &G::State) -> Key {
        self.game.key(state)
    }
    fn pack(&self, state: &G::State) -> G::Packed {
        self.game.pack(state)
    }
    fn unpack(&self, packed: &G::Packed) -> Result<G::State, PositionError> {
        self.game.unpack(packed)
    }
    fn symmetries(&self, state: &G::State) -> &[G::Symmetry] {
        self.game.symmetries(state)
    }
    fn map_state(&self, state: &G::State, symmetry: G::Symmetry) -> G::State {
        self.game.map_state(state, symmetry)
    }
    fn map_move(&self, mv: G::Move, symmetry: G::Symmetry) -> G::Move {
        self.game.map_move(mv, symmetry)
    }
    fn canonicalise(&self, state: &G::State) -> Canonical<G::State, G::Symmetry> {
        self.game.canonicalise(state)
    }
    fn draw_rules(&self) -> DrawRules {
        self.game.draw_rules()
    }
    fn is_progress(&self, state: &G::State, mv: G::Move) -> bool {
        self.game.is_progress(state, mv)
    }
    fn variant(&self) -> String {
        self.game.variant()
    }
    fn from_variant(&self, variant: &str) -> Result<Self, PositionError> {
        if self.has(Bug::AnyVariant) {
            return Ok(self.clone());
        }
        self.game.from_variant(variant).map(|game| self.again(game))
    }
}

impl<G: Notation> Notation for Planted<G> {
    fn parse(&self, text: &str) -> Result<Position<Self>, PositionError> {
        self.game.parse(text).map(|position| self.position(position))
    }
    fn format(&self, state: &G::State) -> String {
        self.game.format(state)
    }
    fn parse_move(&self, state: &G::State, text: &str) -> Result<G::Move, MoveError> {
        self.game.parse_move(state, text)
    }
    fn format_move(&self, state: &G::State, mv: G::Move) -> String {
        self.game.format_move(state, mv)
    }
    fn starts(&self) -> Vec<NamedStart<Self>> {
        let first = self.game.starts().into_iter().take(1);
        first
            .map(|NamedStart { id, about, position }| NamedStart {
                id,
                about,
                position: self.position(position),
            })
            .collect()
    }
}

impl<G: Present> Present for Planted<G> {
    fn info(&self) -> Info {
        self.game.info()
    }
    fn geometry(&self) -> Geometry {
        self.game.geometry()
    }
    fn picture(&self, state: &G::State) -> Picture {
        self.game.picture(state)
    }
    fn steps(&self, state: &G::State, mv: G::Move) -> Vec<String> {
        self.game.steps(state, mv)
    }
}

impl<G: Arrange> Arrange for Planted<G> {
    fn palette(&self) -> Vec<tabia_core::Piece> {
        let mut palette = self.game.palette();
        if self.has(Bug::OneLetter) {
            palette.extend(palette.first().cloned());
        }
        if self.has(Bug::PieceNotOffered) {
            palette.remove(0);
        }
        palette
    }
    fn arranged(&self, arrangement: &Arrangement) -> Result<String, RuleError> {
        let mut arrangement = arrangement.clone();
        if self.has(Bug::SideNotAsked) {
            arrangement.side = 0;
        }
        if self.has(Bug::PieceLost) {
            arrangement.cells.pop_first();
        }
        self.game.arranged(&arrangement)
    }
}
