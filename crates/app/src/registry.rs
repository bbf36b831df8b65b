//! The games Tabia knows. A new one is one line here.

use crate::{Adapter, AnyGame, ErrorKind, InputError};
use std::sync::LazyLock;

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry {
    games: vec![
        Adapter::new(tabia_five_visible::FiveVisible::default()).with_search().with_small_table().boxed(),
        Adapter::new(tabia_arx::Arx).with_search().boxed(),
        Adapter::new(tabia_solitaire::Solitaire::default()).with_puzzle().boxed(),
        Adapter::new(tabia_draughts::Draughts::default()).with_files().with_search().with_endings().boxed(),
        Adapter::new(tabia_chess::Chess)
            .with_files()
            .with_polyglot(tabia_chess::polyglot::entry)
            .with_search()
            .boxed(),
    ],
});

/// All games.
pub fn registry() -> &'static Registry {
    &REGISTRY
}

/// The list of games.
pub struct Registry {
    games: Vec<Box<dyn AnyGame>>,
}

impl Registry {
    /// The games in the order of the registry.
    pub fn games(&self) -> impl Iterator<Item = &dyn AnyGame> {
        self.games.iter().map(AsRef::as_ref)
    }

    /// The game with this name, or the only one whose name begins so.
    pub fn find(&self, name: &str) -> Result<&dyn AnyGame, InputError> {
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
