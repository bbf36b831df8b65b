//! [`AnyGame`] for every adapter.

use super::Adapter;
use super::read::{formats, known_format};
use crate::annotate::AnnotateGame;
use crate::batches::BatchGame;
use crate::book::BookGame;
use crate::device::DeviceGame;
use crate::files::FilesGame;
use crate::puzzles::PuzzlesGame;
use crate::tablebase::TablesGame;
use crate::views::{ExampleView, FormatView, GameView, PieceWords, StartView};
use crate::whole::WholeGames;
use crate::{AnyGame, AnyPosition, InputError, Settings};
use std::sync::Arc;
use tabia_core::{Format, NamedStart, Position, Present};

impl<G: Present> AnyGame for Adapter<G> {
    fn id(&self) -> &str {
        self.rules.id()
    }

    fn view(&self) -> GameView {
        let info = self.rules.info();
        let start = |start: NamedStart<G>| StartView {
            id: start.id,
            about: start.about,
            position: start.position.rules.format(&start.position.state),
        };
        let format = |format: &Format| FormatView {
            id: format.id.clone(),
            about: format.about.clone(),
            reversible: format.reversible,
        };
        let example = |&(about, position): &(&'static str, &'static str)| ExampleView {
            about: about.into(),
            position: position.into(),
        };
        let piece = |&(name, about): &(&'static str, &'static str)| PieceWords {
            name: name.into(),
            about: about.into(),
        };
        let files = self.as_files().map_or_else(Vec::new, FilesGame::kinds);
        let game: &dyn AnyGame = self;
        GameView {
            id: self.rules.id().to_owned().into(),
            name: info.name,
            short_name: self.rules.short_name(),
            common_name: self.rules.common_name(),
            invitation: self.rules.invitation(),
            move_words: self.rules.move_words(),
            players: self.rules.players(),
            sides: info.sides,
            start: self.rules.format(&self.rules.start()),
            starts: self.rules.starts().into_iter().map(start).collect(),
            formats: formats(&self.rules).map(format).collect(),
            count_modes: self.rules.count_modes().iter().map(|mode| (*mode).to_owned().into()).collect(),
            capabilities: game.capabilities().into_iter().map(Into::into).collect(),
            files: files.into_iter().map(|file| file.id.into()).collect(),
            rules: info.rules,
            notation: info.notation,
            examples: self.rules.examples().iter().map(example).collect(),
            piece_words: self.rules.piece_words().iter().map(piece).collect(),
        }
    }

    fn start(&self) -> Box<dyn AnyPosition> {
        let position = Position { rules: self.rules.clone(), state: self.rules.start() };
        Box::new(self.hold(position))
    }

    fn parse(&self, text: &str) -> Result<Box<dyn AnyPosition>, InputError> {
        Ok(Box::new(self.hold(self.read(text)?)))
    }

    fn decode(&self, code: &str, format: &str) -> Result<Box<dyn AnyPosition>, InputError> {
        known_format(&self.rules, format)?;
        let position = if format == "text" {
            super::position_of(&self.rules, code)?
        } else {
            self.read_code(code, format)?
        };
        Ok(Box::new(self.hold(position)))
    }

    fn encode_text(&self, text: &str, format: &str) -> Result<String, InputError> {
        known_format(&self.rules, format)?;
        match self.rules.encode_text(text, format) {
            Some(code) => code.map_err(|error| InputError::position(text, &error)),
            None => self.parse(text)?.encode(format),
        }
    }

    fn fault(&self) -> Option<String> {
        self.rules.fault()
    }

    fn with_settings(&self, settings: &Arc<Settings>) -> Arc<dyn AnyGame> {
        let mut other = self.clone();
        other.common_mut().settings = Arc::clone(settings);
        Arc::new(other)
    }

    fn whole_games(&self) -> &dyn WholeGames {
        self
    }

    #[cfg(not(target_family = "wasm"))]
    fn finding(&self) -> &dyn crate::find::FindGame {
        self
    }

    #[cfg(feature = "cluster")]
    fn as_cluster(&self) -> Option<&dyn crate::cluster::ClusterGame> {
        self.common.capabilities.cluster.map(|cluster| cluster(self))
    }

    fn puzzles(&self) -> &dyn PuzzlesGame {
        self
    }

    fn as_files(&self) -> Option<&dyn FilesGame> {
        self.common.capabilities.files.is_some().then_some(self)
    }

    fn as_annotate(&self) -> Option<&dyn AnnotateGame> {
        self.can_annotate().then_some(self)
    }

    fn as_tables(&self) -> Option<&dyn TablesGame> {
        self.common.capabilities.tables.is_some().then_some(self)
    }

    fn as_device(&self) -> Option<&dyn DeviceGame> {
        self.common.capabilities.device.is_some().then_some(self)
    }

    fn as_book(&self) -> Option<&dyn BookGame> {
        Some(self)
    }

    fn as_batches(&self) -> Option<&dyn BatchGame> {
        self.common.capabilities.batches.is_some().then_some(self)
    }
}
