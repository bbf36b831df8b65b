//! Everything that the screen shows, without the screen: a game, the position in it, and what is known about it.
//!
//! Keys, clicks and pasted texts come in by [`Desk::event`], answers by [`Desk::tick`]; `screen` draws what is here.

mod answers;
mod keys;
mod mouse;
mod open;
mod trainer;

pub(crate) use answers::absolute;
pub(crate) use keys::HELP;
pub(crate) use open::Start;
pub(crate) use trainer::{Trainer, Trial};

use crate::touch::{self, Touch};
use crate::tree::{NodeId, Tree};
use crate::work::{Task, Work};
use ratatui::layout::Rect;
use std::collections::BTreeMap;
use std::sync::Arc;
use tabia_app::annotate::AnnotationView;
use tabia_app::book::{BookView, Reader};
use tabia_app::draw::{Canvas, Colours, Lights, Size};
use tabia_app::search::SearchView;
use tabia_app::solve::SolveView;
use tabia_app::views::{BoardView, CodeField, GameView, MoveView, PositionView};
use tabia_app::{AnyGame, AnyPosition, Found, InputError, Registry};

/// How Tabia is shown.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The colours of the terminal; none where it shall show none.
    pub colours: Option<Colours>,
    /// How large the board is drawn; as large as there is room when left out.
    pub size: Option<Size>,
    /// The book that the explorer asks.
    pub book: Option<String>,
    /// Threads for engine and solver.
    pub threads: usize,
    /// How many plies the engine looks ahead; as far as it comes when left out.
    pub depth: Option<u32>,
}

/// The tabs of the page, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Panel {
    Explorer,
    Solver,
    Engine,
    Codes,
    Rules,
    Puzzles,
}

impl Panel {
    pub(crate) const ALL: [Panel; 6] =
        [Panel::Explorer, Panel::Solver, Panel::Engine, Panel::Codes, Panel::Rules, Panel::Puzzles];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Panel::Explorer => "Explorer",
            Panel::Solver => "Solver",
            Panel::Engine => "Engine",
            Panel::Codes => "Codes",
            Panel::Rules => "Rules",
            Panel::Puzzles => "Puzzles",
        }
    }
}

/// What lies over everything else.
#[derive(Clone, Debug)]
pub(crate) enum Popup {
    Help,
    /// Moves with the same steps: what sets them apart, and their texts.
    Choose(Vec<(String, String)>, usize),
    /// What a text was recognised as.
    Found(Vec<Found>, usize),
    /// The games that there are.
    Games(usize),
    /// A move is being typed.
    TypeMove(String),
    /// A position, game, or the name of a file is being typed.
    TypeText(String),
}

/// What can be seen of the position.
pub(crate) struct Seen {
    pub(crate) view: PositionView,
    pub(crate) moves: Vec<MoveView>,
    pub(crate) board: BoardView,
    pub(crate) fields: Vec<CodeField>,
    /// The last move.
    pub(crate) last: Lights,
}

/// Where things were drawn, for the mouse.
#[derive(Clone, Debug, Default)]
pub(crate) struct Areas {
    /// The board, and its drawing.
    pub(crate) board: (Rect, Canvas),
    pub(crate) tabs: Vec<(Rect, Panel)>,
    pub(crate) moves: Vec<(Rect, NodeId)>,
    /// The rows (or bits) of the panel, by their numbers.
    pub(crate) items: Vec<(Rect, usize)>,
    pub(crate) panel: Rect,
}

/// The state of everything.
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Desk {
    pub(crate) registry: Registry,
    pub(crate) options: Options,
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) about: GameView,
    /// What is known about the game that was opened.
    pub(crate) tags: BTreeMap<String, String>,
    pub(crate) tree: Tree,
    pub(crate) position: Box<dyn AnyPosition>,
    pub(crate) seen: Seen,
    pub(crate) panel: Panel,
    /// The row of the panel that is chosen, or the first that is seen.
    pub(crate) selected: usize,
    pub(crate) flipped: bool,
    /// Whether the board shows what moves are worth.
    pub(crate) values: bool,
    pub(crate) engine_on: bool,
    pub(crate) lines: usize,
    pub(crate) search: Option<SearchView>,
    pub(crate) solved: Option<SolveView>,
    pub(crate) review: Option<AnnotationView>,
    /// The nodes of the game that is analysed, from the start.
    pub(crate) reviewed: Vec<NodeId>,
    /// What solver, engine or review had to say instead of an answer.
    pub(crate) trouble: String,
    book: Option<Box<dyn Reader>>,
    pub(crate) stats: Option<BookView>,
    pub(crate) touched: Vec<String>,
    /// The cell that the arrow keys walk from, while they walk over the board.
    pub(crate) cursor: Option<String>,
    pub(crate) popup: Option<Popup>,
    pub(crate) message: String,
    pub(crate) trainer: Option<Trainer>,
    pub(crate) areas: Areas,
    pub(crate) work: Work,
    /// Whether the engine's next answer is to be played.
    awaited: bool,
    /// Whether it is over.
    pub(crate) left: bool,
}

impl Desk {
    /// A desk with the start of a game on it.
    pub(crate) fn new(registry: &Registry, game: Arc<dyn AnyGame>, options: Options) -> Self {
        let position = game.start();
        let (about, seen) = (game.view(), Seen::of(position.as_ref()));
        let (book, trouble) = open_book(registry, &options);
        let mut desk = Desk {
            registry: registry.clone(),
            work: Work::new(options.threads.max(1), options.depth),
            options,
            game,
            about,
            tags: BTreeMap::new(),
            tree: Tree::new(),
            position,
            seen,
            panel: Panel::Explorer,
            selected: 0,
            flipped: false,
            values: false,
            engine_on: false,
            lines: 3,
            search: None,
            solved: None,
            review: None,
            reviewed: Vec::new(),
            trouble: String::new(),
            book,
            stats: None,
            touched: Vec::new(),
            cursor: None,
            popup: None,
            message: String::new(),
            trainer: None,
            areas: Areas::default(),
            awaited: false,
            left: false,
        };
        desk.look();
        desk.message = trouble;
        desk
    }

    /// Looks at the position anew: everything that was known about another one is forgotten.
    fn look(&mut self) {
        self.seen = Seen::of(self.position.as_ref());
        self.touched.clear();
        self.message.clear();
        self.selected = 0;
        (self.search, self.solved, self.awaited) = (None, None, false);
        self.work.stop(Task::Engine);
        self.work.stop(Task::Solver);
        self.stats = self.ask_book();
        self.ask();
    }

    /// Asks what the panel and the engine want to know.
    fn ask(&mut self) {
        let over = self.seen.view.outcome.is_some();
        if self.engine_on && !over && self.search.is_none() && !self.work.is_busy(Task::Engine) {
            self.work.search(self.position.history().alone(), self.lines, None);
        }
        let wanted = self.panel == Panel::Solver || self.values;
        if wanted && self.solved.is_none() && !self.is_secret() && !self.work.is_busy(Task::Solver) {
            self.ask_solver();
        }
    }

    /// Asks for the exact value; in puzzles, also which moves keep them solvable.
    fn ask_solver(&mut self) {
        self.work.solve(self.position.history().alone(), self.about.players == 1);
    }

    fn ask_book(&self) -> Option<BookView> {
        let (reader, book) = (self.book.as_deref()?, self.position.as_book()?);
        book.query(reader, tabia_app::book::QueryOptions::default())
            .ok()
            .filter(|view| view.counts.total.0 > 0)
    }

    /// Whether there is a book at all.
    pub(crate) fn has_book(&self) -> bool {
        self.book.is_some()
    }

    /// Whether answers would give a puzzle away.
    pub(crate) fn is_secret(&self) -> bool {
        self.trainer.as_ref().is_some_and(trainer::Trainer::is_open) && self.tree.current == 0
    }

    /// Goes to a position of the tree.
    pub(crate) fn go(&mut self, id: NodeId) {
        let (from, to) = (self.tree.path(self.tree.current), self.tree.path(id));
        let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        for _ in common..from.len() {
            self.position.undo();
        }
        for node in to.iter().skip(common) {
            let text = self.tree.node(*node).text.clone();
            if let Err(error) = self.position.play(&text) {
                // Moves of the tree were all played or checked before.
                self.message = error.message;
                return;
            }
        }
        self.tree.current = id;
        self.look();
    }

    /// Plays a move, or says why not.
    pub(crate) fn play(&mut self, text: &str) {
        let before = self.position.played().len();
        if let Err(error) = self.position.play(text) {
            self.refuse(&error);
            return;
        }
        for mv in self.position.played().into_iter().skip(before) {
            self.tree.current = self.tree.add(self.tree.current, &mv);
        }
        self.look();
        self.judge_trial();
    }

    fn refuse(&mut self, error: &InputError) {
        self.message.clone_from(&error.message);
        self.touched.clear();
    }

    /// Touches a cell of the board.
    pub(crate) fn touch(&mut self, cell: &str) {
        let offered = self.position.offered();
        let waits = |id: &str| {
            let cells = &self.seen.board.geometry.cells;
            cells.iter().any(|cell| cell.id == id && cell.shape == tabia_app::draw::Shape::Tray)
        };
        match touch::touch(&offered, &self.touched, cell, waits) {
            Touch::On(cells) => self.touched = cells,
            Touch::Play(text) => self.play(&text),
            Touch::Choose(moves) => self.popup = Some(Popup::Choose(moves, 0)),
            Touch::Refused(cells) => {
                self.touched.clear();
                let over = self.seen.view.outcome.is_some();
                let reason = if over { None } else { self.position.refusal(&cells) };
                self.message = reason.unwrap_or_else(|| "the game is over".to_owned());
            }
        }
    }

    /// What the board points at.
    pub(crate) fn lights(&self) -> Lights {
        let targets = if self.touched.is_empty() {
            Vec::new()
        } else {
            touch::targets(&self.seen.moves, &self.touched)
        };
        let (mut chosen, cursor) = (self.touched.clone(), self.cursor.clone());
        if self.panel == Panel::Codes {
            let run = self.seen.fields.iter().flat_map(|field| &field.runs).nth(self.selected);
            chosen.extend(run.and_then(|run| run.cell.clone()));
        }
        Lights { chosen, targets, cursor, notes: self.notes(), ..self.seen.last.clone() }
    }

    /// Shows another tab.
    pub(crate) fn show(&mut self, panel: Panel) {
        self.panel = panel;
        self.selected = 0;
        self.ask();
    }

    /// The moves that the rows of the panel stand for.
    pub(crate) fn items(&self) -> Vec<String> {
        match self.panel {
            _ if self.is_secret() => Vec::new(),
            Panel::Explorer => match &self.stats {
                Some(stats) => stats.moves.iter().map(|mv| mv.text.clone()).collect(),
                None => self.seen.moves.iter().map(|mv| mv.text.clone()).collect(),
            },
            Panel::Solver => {
                self.solved.iter().flat_map(|solved| &solved.moves).map(|mv| mv.text.clone()).collect()
            }
            Panel::Engine => {
                let lines = self.search.iter().flat_map(|search| &search.lines);
                lines.filter_map(|line| line.pv.first().cloned()).collect()
            }
            Panel::Codes | Panel::Rules | Panel::Puzzles => Vec::new(),
        }
    }
}

impl Seen {
    fn of(position: &dyn AnyPosition) -> Self {
        Seen {
            view: position.view(),
            moves: position.moves(),
            board: position.board(),
            fields: position.code_fields(),
            last: last(position).unwrap_or_default(),
        }
    }
}

/// The last move, as it is shown on the board.
fn last(position: &dyn AnyPosition) -> Option<Lights> {
    let mut before = position.boxed_clone();
    let mv = position.played().pop()?;
    if !before.undo() {
        return None;
    }
    let frames = before.film(&[mv]).ok()?;
    let [shown, after] = &frames[..] else { return None };
    Some(Lights::of_move(&shown.board, &after.board, &after.path, before.side()))
}

/// The book that was named, or the usual one where there is one; and what is wrong with a book that was named.
fn open_book(registry: &Registry, options: &Options) -> (Option<Box<dyn Reader>>, String) {
    let usual = || {
        registry.settings().book.as_ref().filter(|path| path.exists()).map(|path| path.display().to_string())
    };
    let Some(address) = options.book.clone().or_else(usual) else { return (None, String::new()) };
    match tabia_app::book::open_reader(&address) {
        Ok(reader) => (Some(reader), String::new()),
        Err(error) => (None, error.to_string()),
    }
}
