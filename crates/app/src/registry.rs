//! The games Tabia knows, as a value that others can extend.

use crate::{Adapter, AnyGame, ErrorKind, InputError, Settings, nets};
use std::sync::Arc;
use tabia_core::Present;

/// The list of games.
#[derive(Clone)]
pub struct Registry {
    games: Vec<Arc<dyn AnyGame>>,
    settings: Arc<Settings>,
}

impl Registry {
    /// No games yet.
    pub fn empty() -> Self {
        Registry { games: Vec::new(), settings: Arc::default() }
    }

    /// The five games that come with Tabia. A new one is one line here, or a call of [`Registry::with`] in
    /// a program of one's own.
    pub fn standard() -> Self {
        Registry::empty()
            .with(
                Adapter::new(tabia_five_visible::FiveVisible::default())
                    .with_arrange()
                    .with_quick_batches()
                    .with_quick_search()
                    .with_net(nets::FIVE_VISIBLE)
                    .with_small_table()
                    .with_puzzles(include_str!("../puzzles/five-visible.jsonl")),
            )
            .with(
                Adapter::new(tabia_arx::Arx)
                    .with_arrange()
                    .with_quick_batches()
                    .with_quick_search()
                    .with_net(nets::ARX)
                    .with_endings_but_in_browsers()
                    .with_puzzles(include_str!("../puzzles/arx.jsonl")),
            )
            .with(
                Adapter::new(tabia_solitaire::Solitaire::default())
                    .with_arrange()
                    .with_quick_batches()
                    .with_puzzle()
                    .with_puzzles(include_str!("../puzzles/solitaire.jsonl")),
            )
            .with(
                Adapter::new(tabia_draughts::Draughts::default())
                    .with_arrange()
                    .with_quick_batches()
                    .with_files()
                    .with_quick_search()
                    .with_net(nets::DRAUGHTS)
                    .with_levels()
                    .with_ending_puzzles()
                    .with_device()
                    .with_puzzles(include_str!("../puzzles/draughts.jsonl")),
            )
            .with(
                Adapter::new(tabia_chess::Chess)
                    .with_arrange()
                    .with_quick_batches()
                    .with_files()
                    .with_polyglot(tabia_chess::polyglot::entry)
                    .with_uci(|state, mv| tabia_chess::uci::format(state.board(), mv))
                    .with_quick_search()
                    .with_net(nets::CHESS)
                    .with_endings_but_in_browsers()
                    .with_puzzles(include_str!("../puzzles/chess.jsonl")),
            )
    }

    /// These games and one more; it takes the place of a game with the same id.
    #[must_use]
    pub fn with<G: Present>(mut self, game: Adapter<G>) -> Self {
        let game = game.with_settings(&self.settings);
        match self.games.iter_mut().find(|known| known.id() == game.id()) {
            Some(known) => *known = game,
            None => self.games.push(game),
        }
        self
    }

    /// The same games with other folders.
    #[must_use]
    pub fn with_settings(self, settings: Settings) -> Self {
        let settings = Arc::new(settings);
        Registry { games: self.games.iter().map(|game| game.with_settings(&settings)).collect(), settings }
    }

    /// The folders.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) fn shared_mut(&mut self) -> impl Iterator<Item = &mut Arc<dyn AnyGame>> {
        self.games.iter_mut()
    }

    /// The games in the order of the registry.
    pub fn games(&self) -> impl Iterator<Item = &dyn AnyGame> {
        self.games.iter().map(AsRef::as_ref)
    }

    /// The game that a variant ("five-visible+put-back") is one of.
    pub fn of_variant(&self, variant: &str) -> Option<&dyn AnyGame> {
        self.games().find(|game| {
            let rest = variant.strip_prefix(game.id());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('+'))
        })
    }

    /// Why the rules of a game have failed, if they have, naming the game.
    pub fn fault(&self) -> Option<String> {
        self.games().find_map(|game| Some(format!("the rules of {} failed: {}", game.id(), game.fault()?)))
    }

    /// The game with this name, or the only one whose name begins so; capital letters do not matter.
    pub fn find(&self, name: &str) -> Result<&dyn AnyGame, InputError> {
        let name = &*name.to_lowercase();
        if let Some(game) = self.games().find(|game| game.id() == name) {
            return Ok(game);
        }
        let mut fitting = self.games().filter(|game| !name.is_empty() && game.id().starts_with(name));
        match (fitting.next(), fitting.next()) {
            (Some(game), None) => Ok(game),
            (Some(a), Some(b)) => {
                let message = format!("{name:?} is ambiguous: {} or {}", a.id(), b.id());
                Err(InputError::new(ErrorKind::Unknown, name, message))
            }
            _ => Err(self.unknown(name)),
        }
    }

    /// The same as [`Registry::find`], to be kept.
    pub fn find_shared(&self, name: &str) -> Result<Arc<dyn AnyGame>, InputError> {
        let id = self.find(name)?.id().to_owned();
        self.games.iter().find(|game| game.id() == id).map(Arc::clone).ok_or_else(|| self.unknown(name))
    }

    fn unknown(&self, name: &str) -> InputError {
        let ids: Vec<_> = self.games().map(AnyGame::id).collect();
        let nearest =
            ids.iter().max_by(|a, b| strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name)));
        let nearest = nearest.filter(|id| strsim::jaro_winkler(id, name) > 0.6);
        let hint = nearest.map_or(String::new(), |id| format!("did you mean {id}? "));
        let message = format!("no game is called {name:?}; {hint}the games are {}", ids.join(", "));
        InputError::new(ErrorKind::Unknown, name, message)
    }
}

impl Default for Registry {
    fn default() -> Self {
        Registry::standard()
    }
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.games().map(AnyGame::id)).finish()
    }
}
