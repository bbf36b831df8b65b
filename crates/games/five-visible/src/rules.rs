//! The rules as a value: opening, options, and the trait that makes them a game.

use crate::{Move, Place, Relocation, State, movegen, pack, symmetry};
use tabia_core::{Canonical, DrawRules, Game, Key, Outcome, PositionError, RuleError, Side, SplitMix64};

/// Where a game starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Opening {
    /// Two bricks of each player lie on positions 3 to 6.
    #[default]
    Four,
    /// All bricks are in the stashes.
    Empty,
}

/// Rules on which public implementations differ; all off by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RuleOptions {
    /// The top brick of a stack of one or two may be put back, which only blocks the stack.
    pub put_back: bool,
    /// A lone brick may move to an empty position.
    pub lone_wander: bool,
    /// Bricks may be moved while fewer than three stacks stand.
    pub no_three_stacks: bool,
}

impl RuleOptions {
    /// The words for the options in text, in the order they are written.
    pub const NAMES: [&'static str; 3] = ["put-back", "lone-wander", "no-three-stacks"];

    /// Every choice of options, the default first.
    pub fn all() -> [RuleOptions; 8] {
        std::array::from_fn(|bits| RuleOptions {
            put_back: bits & 1 != 0,
            lone_wander: bits & 2 != 0,
            no_three_stacks: bits & 4 != 0,
        })
    }

    fn flags(self) -> [bool; 3] {
        [self.put_back, self.lone_wander, self.no_three_stacks]
    }

    /// Turns on the option with this name; `None` when there is none.
    #[must_use]
    pub fn with(mut self, name: &str) -> Option<RuleOptions> {
        match name {
            "put-back" => self.put_back = true,
            "lone-wander" => self.lone_wander = true,
            "no-three-stacks" => self.no_three_stacks = true,
            _ => return None,
        }
        Some(self)
    }

    /// `+put-back` and so on, nothing for the default.
    pub fn suffix(self) -> String {
        let named = Self::NAMES.iter().zip(self.flags());
        named.filter(|(_, on)| *on).flat_map(|(name, _)| ["+", name]).collect()
    }
}

/// Which moves count as different.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Counting {
    /// Positions are told apart by their location.
    #[default]
    Located,
    /// Of the moves with one move hashcode only the first is listed.
    Canonical,
}

/// The rules of 5-Visible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FiveVisible {
    /// Where the game starts.
    pub opening: Opening,
    /// Variations of the rules.
    pub options: RuleOptions,
    /// Which moves count as different.
    pub counting: Counting,
}

impl Game for FiveVisible {
    type State = State;
    type Move = Move;
    type Symmetry = Relocation;
    type Packed = [u8; 8];

    fn id(&self) -> &str {
        "five-visible"
    }

    fn packs_canonically(&self) -> bool {
        true
    }

    fn start(&self) -> State {
        match self.opening {
            Opening::Empty => State::EMPTY,
            Opening::Four => State::four(),
        }
    }

    #[inline]
    fn side(&self, state: &State) -> Side {
        state.player()
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.winner().map(Outcome::Win)
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        movegen::moves(self, state, out);
    }

    fn moves_up_to_symmetry(&self, state: &State, out: &mut Vec<Move>) {
        movegen::moves_up_to_symmetry(self, state, out);
    }

    fn count_moves(&self, state: &State) -> u64 {
        movegen::count(self, state)
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut SplitMix64, buffer: &mut Vec<Move>) -> Option<Move> {
        movegen::random(self, state, rng, buffer)
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        state.play(mv);
    }

    fn check_move(&self, state: &State, mv: Move) -> Result<(), RuleError> {
        movegen::check(self, state, mv)
    }

    #[inline]
    fn key(&self, state: &State) -> Key {
        state.key()
    }

    #[inline]
    fn pack(&self, state: &State) -> [u8; 8] {
        pack::pack(self, state).to_be_bytes()
    }

    fn unpack(&self, packed: &[u8; 8]) -> Result<State, PositionError> {
        pack::unpack(self, u64::from_be_bytes(*packed))
    }

    fn map_state(&self, state: &State, relocation: Relocation) -> State {
        relocation.apply(state)
    }

    fn map_move(&self, mv: Move, relocation: Relocation) -> Move {
        let map = |place: Place| relocation.target(place);
        Move { from: mv.from.map(map), to: map(mv.to) }
    }

    fn canonicalise(&self, state: &State) -> Canonical<State, Relocation> {
        symmetry::canonicalise(self, state)
    }

    #[inline]
    fn pack_canonical(&self, state: &State) -> [u8; 8] {
        self.pack(state)
    }

    fn draw_rules(&self) -> DrawRules {
        DrawRules { repetitions: Some(3), quiet_plies: None, total_plies: Some(200) }
    }

    /// No brick goes back to the stash.
    #[inline]
    fn is_final(&self, _state: &State, mv: Move) -> bool {
        mv.from.is_none()
    }

    /// The move hashcode: moves that differ only in which of several equal stacks they use are one.
    fn move_number(&self, state: &State, mv: Move) -> Option<u64> {
        Some(crate::hashcode::of_move(self, state, mv).into())
    }

    fn variant(&self) -> String {
        format!("{}{}", self.id(), self.options.suffix())
    }

    fn from_variant(&self, variant: &str) -> Result<Self, PositionError> {
        let mut words = variant.split('+');
        let known = words.next() == Some(self.id());
        let options = words.try_fold(RuleOptions::default(), RuleOptions::with);
        // Only the one way of writing that `variant` itself uses: every variant has one name.
        match options.map(|options| FiveVisible { options, ..FiveVisible::default() }) {
            Some(rules) if known && rules.variant() == variant => Ok(rules),
            _ => Err(self.no_variant(variant)),
        }
    }
}
