//! Importing and recording games.

use super::{BookFailure, Event, ImportReport, Keep, RecordView, Store};
use crate::views::outcome_name;
use crate::{Adapter, ErrorKind, InputError, RecordSink, Stop};
use std::io::BufRead;
use std::path::{Path, PathBuf};
use tabia_book::import::{ImportOptions, import as import_files, record as record_game};
use tabia_book::input::{Source, kind_extension};
use tabia_book::jsonl;
use tabia_core::files::GameSink;
use tabia_core::{FileError, Present, RecordedGame};

/// The kind of file every game has.
const JSONL: (&str, &[&str]) = ("jsonl", &["jsonl", "ndjson", "json"]);

/// What to import, and how.
#[derive(Clone, Debug, Default)]
pub struct ImportRequest {
    /// The files; `.gz` and `.zst` are unpacked on the way.
    pub files: Vec<PathBuf>,
    /// What kind of files they are, where the name does not tell.
    pub kind: Option<String>,
    /// A position that names the rules, where they are not the usual ones.
    pub pos: Option<String>,
    /// Threads to use.
    pub threads: usize,
    /// A folder for sorted runs, for imports much larger than memory.
    pub runs: Option<PathBuf>,
    /// Count equal games of a file as one.
    pub distinct: bool,
    /// Count each variation, too, as a game that starts where it leaves its line.
    pub variations: bool,
    /// What to keep of each game beside its counts.
    pub keep: Keep,
}

pub(super) fn kinds<G: Present>(adapter: &Adapter<G>) -> Vec<(&'static str, &'static [&'static str])> {
    let own = adapter
        .common
        .capabilities
        .files
        .map_or_else(Default::default, |files| (files.kinds)(&adapter.rules));
    own.iter().map(|file| (file.id, file.extensions)).chain([JSONL]).collect()
}

pub(super) fn kind_of<G: Present>(
    adapter: &Adapter<G>,
    path: &Path,
    named: Option<&str>,
) -> Result<String, InputError> {
    let kinds = kinds(adapter);
    let ids = || kinds.iter().map(|(id, _)| *id).collect::<Vec<_>>().join(", ");
    if let Some(kind) = named {
        let known = kinds.iter().any(|(id, _)| *id == kind);
        let unknown =
            || format!("{} has no game files of kind {kind:?}; it has {}", adapter.rules.id(), ids());
        return if known {
            Ok(kind.to_owned())
        } else {
            Err(InputError::new(ErrorKind::Unknown, kind, unknown()))
        };
    }
    let ending = kind_extension(path).unwrap_or_default();
    let kind = kinds.iter().find(|(_, endings)| endings.contains(&ending.as_str()));
    kind.map(|(id, _)| (*id).to_owned()).ok_or_else(|| {
        let name = path.display().to_string();
        let message = format!("the name of {name} does not tell its kind; the kinds are {}", ids());
        InputError::new(ErrorKind::Unknown, name, message)
    })
}

/// The rules and the files of an import, all of which can be read.
pub(crate) fn sources<G: Present>(
    adapter: &Adapter<G>,
    request: &ImportRequest,
) -> Result<(G, Vec<Source>), BookFailure> {
    let rules = super::rules_of(adapter, request.pos.as_deref())?;
    let source = |path: &PathBuf| {
        let source = Source { path: path.clone(), kind: kind_of(adapter, path, request.kind.as_deref())? };
        source.check()?;
        Ok(source)
    };
    Ok((rules, request.files.iter().map(source).collect::<Result<_, BookFailure>>()?))
}

pub(super) fn import<G: Present>(
    adapter: &Adapter<G>,
    store: &dyn Store,
    request: &ImportRequest,
    events: &(dyn Fn(Event<'_>) + Sync),
    stop: &Stop,
) -> Result<ImportReport, BookFailure> {
    let (rules, sources) = sources(adapter, request)?;
    let (threads, runs, distinct) = (request.threads, request.runs.clone(), request.distinct);
    let keep = request.keep.clone();
    let options = ImportOptions { threads, runs, distinct, keep, ..ImportOptions::default() };
    let read = |kind: &str, input: &mut dyn BufRead, sink: &mut GameSink<'_, G>| {
        read_lines(adapter, &rules, request.variations, kind, input, sink)
    };
    Ok(import_files(&rules, store, &sources, &read, &options, events, stop)?)
}

/// Reads games, and their variations as games where that is asked for.
pub(crate) fn read_lines<G: Present>(
    adapter: &Adapter<G>,
    rules: &G,
    variations: bool,
    kind: &str,
    input: &mut dyn BufRead,
    sink: &mut GameSink<'_, G>,
) -> std::io::Result<()> {
    let mut lines = |game: Result<RecordedGame<G>, FileError>| match game {
        Ok(game) if variations => game.lines().into_iter().try_for_each(|line| sink(Ok(line))),
        game => sink(game),
    };
    match adapter.common.capabilities.files {
        Some(files) if kind != JSONL.0 => (files.read)(rules, kind, input, &mut lines),
        _ => jsonl::read_games(rules, input, &mut lines),
    }
}

/// Reads the games of an open file.
pub(super) fn read_games<G: Present>(
    adapter: &Adapter<G>,
    kind: &str,
    path: &Path,
    input: &mut dyn BufRead,
    sink: &mut RecordSink<'_>,
) -> Result<(), InputError> {
    let mut told =
        |game: Result<RecordedGame<G>, FileError>| sink(game.map(|game| crate::files::told(&game)));
    let read = match adapter.common.capabilities.files {
        Some(files) if kind != JSONL.0 => (files.read)(&adapter.rules, kind, input, &mut told),
        _ => jsonl::read_games(&adapter.rules, input, &mut told),
    };
    let name = path.display().to_string();
    read.map_err(|error| InputError::new(ErrorKind::Invalid, &*name, format!("{name}: {error}")))
}

pub(super) fn record<G: Present>(
    adapter: &Adapter<G>,
    store: &dyn Store,
    json: &str,
) -> Result<RecordView, BookFailure> {
    let invalid = |message: String| InputError::new(ErrorKind::Invalid, json, message);
    let game = jsonl::parse_game(&adapter.rules, json).map_err(invalid)?;
    let Some(outcome) = game.outcome else {
        return Err(invalid("the game is not over: name its winner".to_owned()).into());
    };
    let counted = record_game(store, &game)?;
    let (variant, plies) = (game.start.rules.variant(), game.moves.len());
    Ok(RecordView { variant, plies, outcome: outcome_name(outcome), counted })
}
