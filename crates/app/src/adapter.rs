//! One generic wrapper makes any game of the core's traits an [`AnyGame`].

use crate::any::{AnyGame, AnyPosition, EnumerateRequest, PerftRequest, PlayoutRequest};
use crate::book::{BookFailure, BookGame, BookView, QueryOptions, Reader};
use crate::capabilities::{Capabilities, PolyglotFn};
use crate::enumerate::{self, LevelWatcher};
use crate::film::Frame;
use crate::measure::{Stopwatch, per_second};
use crate::search::{MatchRequest, MatchView, Player, SearchRequest, SearchView, Searching, Stop};
use crate::solve::{self, SolveRequest, SolveView, Watcher, WorkError};
use crate::tablebase::{self, AnyTable, BuildRequest, TableView, Tables};
use crate::views::{
    BoardView, DivideView, EnumerateView, FormatView, GameView, MoveView, PerftView, PlayoutView,
    PositionView, StartView, hex_code, outcome_name,
};
use crate::{ErrorKind, InputError};
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use tabia_core::packed::{from_hex, to_hex};
use tabia_core::symmetry::Symmetry;
use tabia_core::{Evaluate, Format, Packed, Position, Present, ReadGames, Record, perft, playout};

/// The codes every game has.
static COMMON_FORMATS: [Format; 3] = [
    Format::exact("text", "the game's own text form"),
    Format::exact("packed", "the exact packed bytes in hexadecimal"),
    Format::one_way("key", "the 64-bit hash of the position"),
];

/// A game with everything it can be asked.
#[derive(Clone, Debug)]
pub struct Adapter<G: Present> {
    pub(crate) rules: G,
    pub(crate) capabilities: Capabilities<G>,
}

impl<G: Present> Adapter<G> {
    /// A game that can be played, drawn and counted.
    pub fn new(rules: G) -> Self {
        Adapter { rules, capabilities: Capabilities::default() }
    }

    /// The game also has files of recorded games.
    #[must_use]
    pub fn with_files(mut self) -> Self
    where
        G: ReadGames,
    {
        self.capabilities.files = Some(G::game_files);
        self.capabilities.read = Some(G::read_games);
        self.capabilities.write = Some(G::write_game);
        self
    }

    /// The game also has an evaluation, and can be searched with it.
    #[must_use]
    pub fn with_search(mut self) -> Self
    where
        G: Evaluate,
    {
        self.capabilities.search = Some(Searching::new());
        self
    }

    /// The game also has Polyglot books: the key of a position and the code of a move in them.
    #[must_use]
    pub fn with_polyglot(mut self, code: PolyglotFn<G>) -> Self {
        self.capabilities.polyglot = Some(code);
        self
    }

    /// The game is solved whole, in a table kept in the user's cache.
    #[must_use]
    pub fn with_small_table(mut self) -> Self {
        self.capabilities.solve = Some(solve::solve_small::<G>);
        self
    }

    /// The game's endings are numbered, and have tables by material; a search looks into them.
    #[must_use]
    pub fn with_endings(mut self) -> Self
    where
        G: tabia_core::Index + Evaluate,
    {
        self.capabilities.search = Some(Searching::knowing_endings());
        self.capabilities.solve = Some(solve::solve_ending::<G>);
        self.capabilities.ending = Some(solve::known_ending::<G>);
        self.capabilities.tables =
            Tables { build: tablebase::build_slices::<G>, open: tablebase::open_slices::<G> };
        self
    }

    /// The game is a puzzle with a solver of its own.
    #[must_use]
    pub fn with_puzzle(mut self) -> Self
    where
        G: tabia_core::Puzzle,
    {
        self.capabilities.solve = Some(solve::solve_puzzle::<G>);
        self.capabilities.levels = Some(enumerate::puzzle_levels::<G>);
        self.capabilities.tables =
            Tables { build: tablebase::build_puzzle::<G>, open: tablebase::open_puzzle::<G> };
        self
    }

    /// The entry of the registry.
    pub fn boxed(self) -> Box<dyn AnyGame> {
        Box::new(self)
    }

    fn hold(&self, position: Position<G>) -> Box<dyn AnyPosition> {
        Box::new(Held { record: Record::new(position), capabilities: self.capabilities })
    }
}

fn formats<G: Present>(rules: &G) -> impl Iterator<Item = &Format> {
    COMMON_FORMATS.iter().chain(rules.formats())
}

fn known_format<G: Present>(rules: &G, format: &str) -> Result<(), InputError> {
    if formats(rules).any(|known| known.id == format) {
        return Ok(());
    }
    let known: Vec<_> = formats(rules).map(|format| &*format.id).collect();
    let message = format!("{} has no format {format:?}; it has {}", rules.id(), known.join(", "));
    Err(InputError::new(ErrorKind::Unknown, format, message))
}

impl<G: Present> AnyGame for Adapter<G> {
    fn book(&self) -> &dyn BookGame {
        self
    }

    fn id(&self) -> &str {
        self.rules.id()
    }

    fn view(&self) -> GameView {
        let info = self.rules.info();
        let files = self.capabilities.files.map_or_else(Default::default, |files| files(&self.rules));
        let start = |start: tabia_core::NamedStart<G>| StartView {
            id: start.id,
            about: start.about,
            position: start.position.rules.format(&start.position.state),
        };
        let format = |format: &Format| FormatView {
            id: format.id.clone(),
            about: format.about.clone(),
            reversible: format.reversible,
        };
        GameView {
            id: self.rules.id().to_owned().into(),
            name: info.name,
            short_name: self.rules.short_name(),
            move_words: self.rules.move_words(),
            players: self.rules.players(),
            sides: info.sides,
            start: self.rules.format(&self.rules.start()),
            starts: self.rules.starts().into_iter().map(start).collect(),
            formats: formats(&self.rules).map(format).collect(),
            count_modes: self.rules.count_modes().iter().map(|mode| (*mode).to_owned().into()).collect(),
            capabilities: self.capabilities.names().into_iter().map(Into::into).collect(),
            files: files.iter().map(|file| file.id.into()).collect(),
            rules: info.rules,
            notation: info.notation,
        }
    }

    fn start(&self) -> Box<dyn AnyPosition> {
        self.hold(Position { rules: self.rules.clone(), state: self.rules.start() })
    }

    fn parse(&self, text: &str) -> Result<Box<dyn AnyPosition>, InputError> {
        Ok(self.hold(position_of(&self.rules, text)?))
    }

    fn decode(&self, code: &str, format: &str) -> Result<Box<dyn AnyPosition>, InputError> {
        known_format(&self.rules, format)?;
        let position = match format {
            "text" => return self.parse(code),
            "packed" => unpack(&self.rules, code)?,
            "key" => {
                let message = "a key is a hash: the position cannot be read back from it";
                return Err(InputError::new(ErrorKind::Unsupported, code, message));
            }
            _ => self.rules.decode(code, format).map_err(|error| InputError::position(code, &error))?,
        };
        Ok(self.hold(position))
    }

    fn build_table(&self, request: &BuildRequest, watcher: &mut Watcher<'_>) -> Result<TableView, WorkError> {
        (self.capabilities.tables.build)(&self.rules, request, watcher)
    }

    fn open_table(&self, path: &std::path::Path) -> Result<Box<dyn AnyTable>, WorkError> {
        (self.capabilities.tables.open)(&self.rules, path)
    }

    fn encode_text(&self, text: &str, format: &str) -> Result<String, InputError> {
        known_format(&self.rules, format)?;
        match self.rules.encode_text(text, format) {
            Some(code) => code.map_err(|error| InputError::position(text, &error)),
            None => self.parse(text)?.encode(format),
        }
    }
}

/// The position a text describes or names: an opening, a board.
pub(crate) fn position_of<G: Present>(rules: &G, text: &str) -> Result<Position<G>, InputError> {
    match rules.starts().into_iter().find(|start| start.id == text.trim()) {
        Some(named) => Ok(named.position),
        None => rules.parse(text).map_err(|error| InputError::position(text, &error)),
    }
}

fn unpack<G: Present>(rules: &G, code: &str) -> Result<Position<G>, InputError> {
    let digits = code.trim().strip_prefix("0x").unwrap_or(code.trim());
    let shift = code.len() - code.trim_start().len() + usize::from(code.trim().starts_with("0x")) * 2;
    let bytes = from_hex(digits).map_err(|error| InputError::position(code, &error.shifted(shift).into()))?;
    let packed = G::Packed::from_bytes(&bytes).ok_or_else(|| {
        let length = rules.pack(&rules.start()).as_bytes().len();
        let message =
            format!("{} bytes are not a packed position (the start position has {length})", bytes.len());
        InputError::new(ErrorKind::Syntax, code, message)
    })?;
    let state = rules.unpack(&packed).map_err(|error| InputError::position(code, &error))?;
    Ok(Position { rules: rules.clone(), state })
}

/// A position of a known game, with the moves that led to it and what can be asked of it.
#[derive(Clone, Debug)]
pub(crate) struct Held<G: Present> {
    pub(crate) record: Record<G>,
    pub(crate) capabilities: Capabilities<G>,
}

impl<G: Present> Held<G> {
    pub(crate) fn rules(&self) -> &G {
        self.record.rules()
    }

    pub(crate) fn state(&self) -> &G::State {
        self.record.state()
    }

    fn encoded(&self, format: &str) -> Result<String, String> {
        let (rules, state) = (self.rules(), self.state());
        match format {
            "text" => Ok(rules.format(state)),
            "packed" => Ok(format!("0x{}", to_hex(rules.pack(state).as_bytes()))),
            "key" => Ok(rules.key(state).to_string()),
            _ => rules.encode(state, format).map_err(|error| error.message),
        }
    }

    fn counting(&self, count: Option<&str>) -> Result<G, InputError> {
        let Some(mode) = count else { return Ok(self.rules().clone()) };
        self.rules().with_count_mode(mode).ok_or_else(|| {
            let modes = self.rules().count_modes().join(", ");
            let known = if modes.is_empty() {
                "has only one way of counting".to_owned()
            } else {
                format!("counts {modes}")
            };
            InputError::new(ErrorKind::Unknown, mode, format!("{} {known}, not {mode:?}", self.rules().id()))
        })
    }
}

impl<G: Present> AnyPosition for Held<G> {
    fn view(&self) -> PositionView {
        let (rules, state) = (self.rules(), self.state());
        let canonical = rules.canonicalise(state);
        let side = rules.side(state);
        let outcome = self.record.outcome();
        let codes: BTreeMap<_, _> = formats(rules)
            .filter_map(|format| Some((format.id.clone(), self.encoded(&format.id).ok()?)))
            .collect();
        PositionView {
            game: rules.id().to_owned().into(),
            variant: rules.variant(),
            position: rules.format(state),
            side: side.index(),
            side_name: rules.info().sides.get(side.index()).cloned().unwrap_or_default(),
            status: if outcome.is_some() { "finished" } else { "playing" }.into(),
            outcome: outcome.map(|outcome| outcome_name(outcome).into()),
            key: rules.key(state).to_string(),
            canonical_key: rules.key(&canonical.state).to_string(),
            packed: format!("0x{}", to_hex(rules.pack(state).as_bytes())),
            canonical: rules.format(&canonical.state),
            symmetry: canonical.symmetry.name(),
            move_count: rules.count_moves(state),
            codes,
        }
    }

    fn moves(&self) -> Vec<MoveView> {
        let (rules, state) = (self.rules(), self.state());
        let mut moves = Vec::new();
        rules.moves(state, &mut moves);
        let view = |&mv: &G::Move| {
            let mut next = state.clone();
            rules.play(&mut next, mv);
            MoveView {
                text: rules.format_move(state, mv),
                code: rules.move_code(state, mv).map(|code| hex_code(code, 2)),
                position: rules.format(&next),
                steps: rules.steps(state, mv),
            }
        };
        moves.iter().map(view).collect()
    }

    fn board(&self) -> BoardView {
        self.pictured(self.state())
    }

    fn film(&self, line: &[String]) -> Result<Vec<Frame>, InputError> {
        self.filmed(line)
    }

    fn code_fields(&self) -> Vec<tabia_core::CodeField> {
        self.rules().code_fields(self.state())
    }

    fn play(&mut self, text: &str) -> Result<(), InputError> {
        let moves =
            self.rules().parse_moves(self.state(), text).map_err(|error| InputError::mv(text, &error))?;
        for mv in moves {
            self.record.play(mv).map_err(|error| InputError::mv(text, &error.into()))?;
        }
        Ok(())
    }

    fn undo(&mut self) -> bool {
        self.record.undo().is_some()
    }

    fn played(&self) -> Vec<String> {
        let moves = self.record.states().iter().zip(self.record.moves());
        moves.map(|(state, &mv)| self.rules().format_move(state, mv)).collect()
    }

    fn encode(&self, format: &str) -> Result<String, InputError> {
        known_format(self.rules(), format)?;
        let text = || self.rules().format(self.state());
        self.encoded(format).map_err(|message| InputError::new(ErrorKind::Invalid, text(), message))
    }

    fn perft(&self, request: &PerftRequest) -> Result<PerftView, InputError> {
        let rules = self.counting(request.count.as_deref())?;
        let entry = size_of::<Option<(G::Packed, u32, u64)>>();
        let hash_entries = request.hash_bytes / request.threads.max(1) / entry;
        let options = perft::Options { threads: request.threads, hash_entries };
        let watch = Stopwatch::start();
        let divide = request.divide.then(|| perft::divide(&rules, self.state(), request.depth, options));
        let nodes = match &divide {
            Some(parts) if request.depth > 0 => parts.iter().map(|part| part.1).sum(),
            _ => perft::perft(&rules, self.state(), request.depth, options),
        };
        let cpu_seconds = watch.cpu_seconds();
        let part = |(mv, nodes): (G::Move, u64)| DivideView {
            text: rules.format_move(self.state(), mv),
            nodes: nodes.into(),
        };
        Ok(PerftView {
            depth: request.depth,
            nodes: nodes.into(),
            divide: divide.map(|parts| parts.into_iter().map(part).collect()),
            cpu_seconds,
            seconds: watch.seconds(),
            nodes_per_second: per_second(nodes as f64, cpu_seconds),
        })
    }

    fn enumerate(
        &self,
        request: &EnumerateRequest,
        on_level: &mut LevelWatcher<'_>,
    ) -> Result<EnumerateView, InputError> {
        self.enumerated(request, on_level)
    }

    fn playouts(&self, request: &PlayoutRequest) -> PlayoutView {
        let watch = Stopwatch::start();
        let run = |thread: u64| {
            let stop = |report: &playout::Report| {
                let games = request.games.is_some_and(|games| report.playouts >= games);
                games || request.time.is_some_and(|time| watch.elapsed() >= time)
            };
            playout::playouts(self.rules(), self.state(), request.seed.wrapping_add(thread), stop)
        };
        let reports: Vec<playout::Report> = std::thread::scope(|scope| {
            let others: Vec<_> =
                (1..request.threads.max(1) as u64).map(|n| scope.spawn(move || run(n))).collect();
            let first = run(0);
            std::iter::once(first).chain(others.into_iter().filter_map(|other| other.join().ok())).collect()
        });
        let report = reports.iter().fold(playout::Report::default(), playout::Report::plus);
        let cpu_seconds = watch.cpu_seconds();
        PlayoutView {
            playouts: report.playouts,
            plies: report.plies,
            plies_per_second: per_second(report.plies as f64, cpu_seconds),
            playouts_per_second: per_second(report.playouts as f64, cpu_seconds),
            mean_length: report.mean_length(),
            mean_branching: report.mean_branching(),
            wins0: report.wins[0],
            wins1: report.wins[1],
            draws: report.draws,
            cpu_seconds,
            seconds: watch.seconds(),
        }
    }

    fn search(
        &self,
        request: &SearchRequest,
        stop: &Stop,
        progress: &mut dyn FnMut(&SearchView),
    ) -> Result<SearchView, InputError> {
        let known = self.capabilities.ending.filter(|_| request.method.is_none());
        match known.and_then(|known| known(self)) {
            Some(solved) => Ok(solved.into_search()),
            None => self.search_view(request, stop, progress),
        }
    }

    fn choose(&self, player: &mut Player) -> Result<Option<String>, InputError> {
        self.choose_text(player)
    }

    fn play_match(
        &self,
        request: &MatchRequest,
        output: &mut (dyn Write + Send),
        on_pair: &mut (dyn FnMut(&MatchView) -> ControlFlow<()> + Send),
    ) -> Result<MatchView, InputError> {
        self.match_view(request, output, on_pair)
    }

    fn book(&self, reader: &dyn Reader, options: QueryOptions) -> Result<BookView, BookFailure> {
        self.book_view(reader, options)
    }

    fn solve(&self, request: &SolveRequest, watcher: &mut Watcher<'_>) -> Result<SolveView, WorkError> {
        let mut view = self.solved(request, watcher)?;
        view.line_positions = self.positions_along(&view.line)?;
        Ok(view)
    }

    fn parse_here(&self, text: &str) -> Result<Box<dyn AnyPosition>, InputError> {
        let position = self.rules().parse(text).map_err(|error| InputError::position(text, &error))?;
        Ok(Box::new(Held { record: Record::new(position), capabilities: self.capabilities }))
    }

    fn boxed_clone(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }
}
