//! The trait every game implements.

use crate::{
    Canonical, DrawRules, Key, Outcome, Packed, PositionError, RuleError, Side, SplitMix64, Symmetry,
};
use std::fmt::Debug;
use std::hash::Hash;

/// The rules of a game, as a value.
///
/// Zero-sized where nothing varies, carrying options or a board where something does. A position
/// never points back to its rules. The laws that every implementation keeps are functions of the
/// `tabia-testkit` crate.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// A position: small, compared by value, copied to be changed.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// A move: a compact value, complete together with the position it is played in.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// The group of symmetries.
    type Symmetry: Symmetry;
    /// The exact compact encoding.
    type Packed: Packed;

    /// The name in the registry, in files and on the command line: lower case, stable for ever.
    fn id(&self) -> &str;

    /// One or two.
    fn players(&self) -> u8 {
        2
    }

    /// Whether [`Game::pack`] already maps symmetric positions to the same bytes, so that unpacking gives the
    /// position up to symmetry.
    fn packs_canonically(&self) -> bool {
        false
    }

    /// Whether no position can come back after a move that counts as progress ([`Game::is_progress`]). Where
    /// one can, repetitions are looked for in the whole game.
    fn progress_is_final(&self) -> bool {
        true
    }

    /// The position a game starts from.
    fn start(&self) -> Self::State;

    /// Who is to move (or would be, if the game were not over).
    fn side(&self, state: &Self::State) -> Side;

    /// How the game ended on the board; `None` while there are moves. Draws by repetition or counting
    /// and dead positions are not seen here but by [`crate::Record`].
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// Appends all legal moves, each once, in a fixed order; none exactly when the game is over.
    ///
    /// The buffer is kept by the caller, so that nothing is allocated per position.
    fn moves(&self, state: &Self::State, out: &mut Vec<Self::Move>);

    /// Appends enough legal moves for whoever looks at positions up to symmetry: what any legal move leads to, one of
    /// these leads to too, or to an image of it. By default all moves.
    fn moves_up_to_symmetry(&self, state: &Self::State, out: &mut Vec<Self::Move>) {
        self.moves(state, out);
    }

    /// The number of legal moves, cheaper than listing them where the game knows how.
    fn count_moves(&self, state: &Self::State) -> u64 {
        let mut moves = Vec::with_capacity(64);
        self.moves(state, &mut moves);
        moves.len() as u64
    }

    /// The number of sequences of two legal moves. `buffer` is scratch space. A game that knows the number of replies
    /// without playing the moves says it here: perft spends most of its time on the last two plies.
    #[inline]
    fn count_pairs(&self, state: &Self::State, buffer: &mut Vec<Self::Move>) -> u64 {
        buffer.clear();
        self.moves(state, buffer);
        crate::perft::replies(self, state, buffer)
    }

    /// The number of sequences of `depth` legal moves, with a buffer for every ply; too few when `ended` says so on the
    /// way. Perft spends its time here: a game that repeats this line has it compiled among its own code, for speed
    /// even where everything around it is compiled for size.
    fn count_below(
        &self,
        state: &Self::State,
        depth: u32,
        buffers: &mut [Vec<Self::Move>],
        ended: &dyn Fn() -> bool,
    ) -> u64 {
        crate::perft::below(self, state, depth, buffers, ended)
    }

    /// A legal move chosen uniformly, or `None` when the game is over. `buffer` is scratch space.
    fn random_move(
        &self,
        state: &Self::State,
        rng: &mut SplitMix64,
        buffer: &mut Vec<Self::Move>,
    ) -> Option<Self::Move> {
        buffer.clear();
        self.moves(state, buffer);
        buffer.get(rng.below(buffer.len() as u64) as usize).copied()
    }

    /// Plays a move that is known to be legal (anything else leaves an unspecified position).
    fn play(&self, state: &mut Self::State, mv: Self::Move);

    /// Why a move is not legal here. Games override this to give the particular reason.
    fn check_move(&self, state: &Self::State, mv: Self::Move) -> Result<(), RuleError> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        if moves.contains(&mv) {
            return Ok(());
        }
        Err(RuleError::new(if moves.is_empty() { "the game is over" } else { "this move is not legal here" }))
    }

    /// The number by which databases know a move in this position. Moves with one number are one
    /// move to them (in 5-Visible: the same bricks on another of several equal stacks).
    ///
    /// `None`, the default: its place in [`Game::moves`]. Either way the numbers are part of the
    /// formats; books carry a fingerprint of them and refuse to open when they changed.
    fn move_number(&self, _state: &Self::State, _mv: Self::Move) -> Option<u64> {
        None
    }

    /// The hash of the position. Kept up to date by [`Game::play`], so that asking is free.
    fn key(&self, state: &Self::State) -> Key;

    /// The exact encoding of a position.
    fn pack(&self, state: &Self::State) -> Self::Packed;

    /// The position an encoding stands for; any bytes that [`Game::pack`] does not write are refused.
    fn unpack(&self, packed: &Self::Packed) -> Result<Self::State, PositionError>;

    /// The symmetries that may be applied to this position, the identity first. Empty when the group
    /// is too large to list; such a game overrides [`Game::canonicalise`].
    fn symmetries(&self, _state: &Self::State) -> &[Self::Symmetry] {
        &[]
    }

    /// The position seen through a symmetry.
    fn map_state(&self, state: &Self::State, symmetry: Self::Symmetry) -> Self::State;

    /// The move seen through a symmetry.
    fn map_move(&self, mv: Self::Move, symmetry: Self::Symmetry) -> Self::Move;

    /// The representative of the position's class, with the symmetry that leads to it. What no
    /// rule can see any more (a clock, say) is reset.
    ///
    /// By default the image with the least encoding, first in the order of [`Game::symmetries`].
    fn canonicalise(&self, state: &Self::State) -> Canonical<Self::State, Self::Symmetry> {
        let mut best = Canonical { state: state.clone(), symmetry: Self::Symmetry::IDENTITY };
        let mut least = self.pack(state);
        for &symmetry in self.symmetries(state) {
            if symmetry == Self::Symmetry::IDENTITY {
                continue;
            }
            let image = self.map_state(state, symmetry);
            let packed = self.pack(&image);
            if packed < least {
                least = packed;
                best = Canonical { state: image, symmetry };
            }
        }
        best
    }

    /// The encoding of the representative: one value for a whole class of positions.
    fn pack_canonical(&self, state: &Self::State) -> Self::Packed {
        self.pack(&self.canonicalise(state).state)
    }

    /// Whether play from here can only end in a draw, whatever the moves (in chess: too little material).
    ///
    /// Such a position still has its moves, and [`Game::outcome`] knows nothing of it; a [`crate::Record`]
    /// ends there. What follows a dead position is dead.
    fn is_dead(&self, _state: &Self::State) -> bool {
        false
    }

    /// How a game that comes to this position is decided: on the board, or as a draw that nobody can avoid.
    #[inline]
    fn settled(&self, state: &Self::State) -> Option<Outcome> {
        if self.is_dead(state) { Some(Outcome::Draw) } else { self.outcome(state) }
    }

    /// When a game in progress is drawn by its history.
    fn draw_rules(&self) -> DrawRules {
        DrawRules::NONE
    }

    /// Whether a move starts the count of quiet plies anew (a capture, say).
    fn is_progress(&self, _state: &Self::State, _mv: Self::Move) -> bool {
        false
    }

    /// Whether no earlier position can come back after a legal move: repetitions need not be looked for before it. Saying
    /// so of fewer moves than it is true of is right too.
    #[inline]
    fn is_final(&self, state: &Self::State, mv: Self::Move) -> bool {
        self.progress_is_final() && self.is_progress(state, mv)
    }

    /// A number that no move makes larger: pegs or pieces left, say. Positions with a larger one can not come again, so
    /// that whoever lists all positions may forget them. `None`, the default, where there is no such number.
    fn stratum(&self, _state: &Self::State) -> Option<u32> {
        None
    }

    /// Plies without progress before this position, where its text tells (a FEN's clock).
    fn quiet_before(&self, _state: &Self::State) -> u32 {
        0
    }

    /// The game with its options that are not default, as in files and databases: `five-visible+put-back`.
    fn variant(&self) -> String {
        self.id().to_owned()
    }

    /// The rules that a [`Game::variant`] names, whatever the options of `self` are. Names that no rules of
    /// this game have are refused.
    #[allow(clippy::wrong_self_convention)]
    fn from_variant(&self, variant: &str) -> Result<Self, PositionError> {
        if variant == self.variant() { Ok(self.clone()) } else { Err(self.no_variant(variant)) }
    }

    /// The refusal of a variant that this game does not have.
    fn no_variant(&self, variant: &str) -> PositionError {
        PositionError::Unsupported(format!("{} has no variant called {variant:?}", self.id()))
    }

    /// Why the rules themselves can no longer be trusted, where they can fail (a foreign language behind
    /// them, say). Such rules answer something harmless after a failure and keep the reason; whoever asked
    /// looks here before passing an answer on.
    fn fault(&self) -> Option<String> {
        None
    }
}
