//! Games and positions without their types: what the front ends hold.

use crate::InputError;
use crate::book::{BookFailure, BookGame, BookView, QueryOptions, Reader};
use crate::enumerate::LevelWatcher;
use crate::film::Frame;
use crate::search::{MatchRequest, MatchView, Player, SearchRequest, SearchView, Stop};
use crate::solve::{SolveRequest, SolveView, Watcher, WorkError};
use crate::tablebase::{AnyTable, BuildRequest, TableView};
use crate::views::{BoardView, EnumerateView, GameView, MoveView, PerftView, PlayoutView, PositionView};
use std::io::Write;
use std::time::Duration;
use tabia_core::CodeField;

/// A game of the registry.
pub trait AnyGame: Send + Sync {
    /// The name in the registry.
    fn id(&self) -> &str;
    /// The introduction.
    fn view(&self) -> GameView;
    /// The default position.
    fn start(&self) -> Box<dyn AnyPosition>;
    /// A position from any text the game knows, or from the name of an opening or board.
    fn parse(&self, text: &str) -> Result<Box<dyn AnyPosition>, InputError>;
    /// A position from a code.
    fn decode(&self, code: &str, format: &str) -> Result<Box<dyn AnyPosition>, InputError>;
    /// A code straight from text, for codes that are defined for more than legal positions.
    fn encode_text(&self, text: &str, format: &str) -> Result<String, InputError>;
    /// Builds a table of exact values.
    fn build_table(&self, request: &BuildRequest, watcher: &mut Watcher<'_>) -> Result<TableView, WorkError>;
    /// Opens a table of this game.
    fn open_table(&self, path: &std::path::Path) -> Result<Box<dyn AnyTable>, WorkError>;
    /// What can be done with the game's book.
    fn book(&self) -> &dyn BookGame;
}

/// A position, with the moves that led to it.
pub trait AnyPosition: Send + Sync {
    /// The position and its codes.
    fn view(&self) -> PositionView;
    /// The legal moves.
    fn moves(&self) -> Vec<MoveView>;
    /// What to draw.
    fn board(&self) -> BoardView;
    /// The pictures of a line of moves: this position, then the position after each of them.
    fn film(&self, line: &[String]) -> Result<Vec<Frame>, InputError>;
    /// The codes taken apart, bit by bit.
    fn code_fields(&self) -> Vec<CodeField>;
    /// Plays a move (or several in a row, where the game writes them as one).
    fn play(&mut self, text: &str) -> Result<(), InputError>;
    /// Takes back the last move; `false` at the start.
    fn undo(&mut self) -> bool;
    /// The moves so far.
    fn played(&self) -> Vec<String>;
    /// The position in one of the formats.
    fn encode(&self, format: &str) -> Result<String, InputError>;
    /// Counts move sequences.
    fn perft(&self, request: &PerftRequest) -> Result<PerftView, InputError>;
    /// Counts reachable positions; `on_level` hears of each ply and may stop the work.
    fn enumerate(
        &self,
        request: &EnumerateRequest,
        on_level: &mut LevelWatcher<'_>,
    ) -> Result<EnumerateView, InputError>;
    /// Plays random games.
    fn playouts(&self, request: &PlayoutRequest) -> PlayoutView;
    /// Searches for the best move; `progress` hears of answers on the way.
    fn search(
        &self,
        request: &SearchRequest,
        stop: &Stop,
        progress: &mut dyn FnMut(&SearchView),
    ) -> Result<SearchView, InputError>;
    /// The move a player chooses here; `None` when there is none. One who is stopped chooses at once.
    fn choose(&self, player: &mut Player, stop: &Stop) -> Result<Option<String>, InputError>;
    /// Plays a match from here. Games are written to `output` when the request says how; `on_pair` hears
    /// how the match stands. One that is stopped gives the table so far.
    fn play_match(
        &self,
        request: &MatchRequest,
        output: &mut (dyn Write + Send),
        stop: &Stop,
        on_pair: &mut (dyn FnMut(&MatchView) + Send),
    ) -> Result<MatchView, InputError>;
    /// What a book of played games knows about the position.
    fn book(&self, reader: &dyn Reader, options: QueryOptions) -> Result<BookView, BookFailure>;
    /// The exact value, as far as it can be worked out.
    fn solve(&self, request: &SolveRequest, watcher: &mut Watcher<'_>) -> Result<SolveView, WorkError>;
    /// Another position under the rules (options, board) of this one.
    fn parse_here(&self, text: &str) -> Result<Box<dyn AnyPosition>, InputError>;
    /// The same position again.
    fn boxed_clone(&self) -> Box<dyn AnyPosition>;
}

/// How to count move sequences.
#[derive(Clone, Debug, Default)]
pub struct PerftRequest {
    /// The length of the sequences.
    pub depth: u32,
    /// Also count below each move.
    pub divide: bool,
    /// One of the game's ways of counting.
    pub count: Option<String>,
    /// Threads to use.
    pub threads: usize,
    /// Bytes for a table of exact positions, over all threads; 0 for none.
    pub hash_bytes: usize,
}

/// How to count reachable positions.
#[derive(Clone, Debug)]
pub struct EnumerateRequest {
    /// Count images under symmetry once.
    pub symmetry: bool,
    /// Stop after this many plies.
    pub depth: Option<u32>,
    /// Puzzles: also count positions without a move (other games always do).
    pub dead_ends: bool,
    /// Puzzles: also count positions from which the goal can be reached.
    pub solvable: bool,
    /// Puzzles: the goal.
    pub goal: Option<String>,
    /// Threads to use.
    pub threads: usize,
    /// Bytes that a game's own way of counting may use.
    pub memory: u64,
}

/// How to play random games: until the first limit is reached.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutRequest {
    /// Time on the clock.
    pub time: Option<Duration>,
    /// Number of games (per thread).
    pub games: Option<u64>,
    /// Threads to use.
    pub threads: usize,
    /// Where the randomness starts.
    pub seed: u64,
}
