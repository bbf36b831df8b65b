//! Opening a game, a position or a file of games.

use super::{Desk, Popup};
use crate::tree::Tree;
use std::path::Path;
use std::sync::Arc;
use tabia_app::{AnyGame, AnyPosition, Found, InputError, Recognised, Registry, recognise};

/// The longest text that is looked at.
const LONGEST: u64 = 64 << 20;

/// What is on the desk first.
pub(crate) struct Start {
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) position: Option<Box<dyn AnyPosition>>,
    pub(crate) found: Option<Recognised>,
}

impl Start {
    /// From what was typed at the shell: the name of a game, and a position or the name of a file; a file alone will do.
    pub(crate) fn new(
        registry: &Registry,
        game: Option<&str>,
        what: Option<&str>,
    ) -> Result<Self, InputError> {
        let named = game.map(|name| registry.find_shared(name));
        let first = || registry.games().next().map_or("", AnyGame::id).to_owned();
        let (game, what) = match (named, what) {
            (None, what) => (registry.find_shared(&first())?, what),
            (Some(Ok(found)), what) => (found, what),
            // `tabia tui games.pgn`
            (Some(Err(_)), None) if game.is_some_and(|name| Path::new(name).is_file()) => {
                let text = read(Path::new(game.unwrap_or_default()))?;
                let found = recognise(registry, &text, None)?;
                let id = found.found.first().map_or_else(first, |found| found.game_id().to_owned());
                return Ok(Start { game: registry.find_shared(&id)?, position: None, found: Some(found) });
            }
            (Some(Err(error)), _) => return Err(error),
        };
        let mut start = Start { game, position: None, found: None };
        match what {
            None => {}
            Some(file) if Path::new(file).is_file() => {
                start.found = Some(recognise(registry, &read(Path::new(file))?, Some(start.game.id()))?);
            }
            Some(text) => start.position = Some(start.game.parse(text)?),
        }
        Ok(start)
    }
}

fn read(path: &Path) -> Result<String, InputError> {
    use std::io::Read;
    let name = path.display().to_string();
    let wrong =
        |reason: String| InputError::new(tabia_app::ErrorKind::Unknown, &name, format!("{name}: {reason}"));
    let file = tabia_app::book::open_games(path).map_err(|error| wrong(error.to_string()))?;
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).map_err(|error| wrong(error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl Desk {
    /// Puts what was asked for at the start on the desk.
    pub(crate) fn begin(&mut self, start: Start) {
        if let Some(position) = start.position {
            self.put(position, Tree::new());
        }
        if let Some(found) = start.found {
            self.offer(found);
        }
    }

    /// Opens the start of another game.
    pub(crate) fn open_game(&mut self, id: &str) {
        match self.registry.find_shared(id) {
            Ok(game) => {
                self.change_game(game);
                self.put(self.game.start(), Tree::new());
            }
            Err(error) => self.message = error.message,
        }
    }

    /// Opens whatever a text is: a game, a position, a code, a link, the name of a file.
    pub(crate) fn open_text(&mut self, text: &str) {
        let path = Path::new(text.trim());
        let read = if path.is_file() { read(path) } else { Ok(text.to_owned()) };
        match read.and_then(|text| recognise(&self.registry, &text, Some(self.game.id()))) {
            Ok(found) => self.offer(found),
            Err(error) => self.message = error.message,
        }
    }

    /// Opens what was recognised, or lets a person choose.
    fn offer(&mut self, recognised: Recognised) {
        let skipped = recognised.skipped.len();
        let mut found = recognised.found;
        match found.len() {
            0 => self.message = "there is nothing in it".to_owned(),
            1 => self.open(&found.remove(0)),
            _ => self.popup = Some(Popup::Found(found, 0)),
        }
        if skipped > 0 {
            self.message = format!("{skipped} could not be read");
        }
    }

    pub(crate) fn open(&mut self, found: &Found) {
        let (id, start, line) = match found {
            Found::Position(found) => (&found.game, &found.position, None),
            Found::Game(found) => (&found.game, &found.start, Some(found)),
        };
        let opened = self.registry.find_shared(id).and_then(|game| Ok((game.parse(start)?, game)));
        match opened {
            Err(error) => self.message = error.message,
            Ok((position, game)) => {
                self.change_game(game);
                self.put(position, line.map_or_else(Tree::new, |found| Tree::of(&found.line)));
                if let Some(found) = line {
                    self.tags.clone_from(&found.tags);
                    self.message.clone_from(&found.summary);
                }
            }
        }
    }

    fn change_game(&mut self, game: Arc<dyn AnyGame>) {
        self.about = game.view();
        self.game = game;
        self.flipped = false;
    }

    fn put(&mut self, position: Box<dyn AnyPosition>, tree: Tree) {
        self.tags.clear();
        self.work.stop(crate::work::Task::Review);
        (self.position, self.tree, self.review, self.trainer) = (position, tree, None, None);
        (self.cursor, self.popup) = (None, None);
        self.message.clear();
        self.trouble.clear();
        self.look();
    }
}
