//! Parts of large files of games, so that several workers can read one file.
//!
//! A file is cut where its reader begins anew, whatever came before: at any line, where every line is a game; in PGN and
//! PDN at a line that begins with `[Event "`, after a game that has ended by then. So the parts have exactly the games of
//! the whole. Where they stand in the whole, numbers of games and lines, is known when all parts have been read.

use crate::book::ReadGames;
use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take};
use std::ops::{ControlFlow, Range};
use tabia_book::input::{self, Source};
use tabia_book::{Error, Result};
use tabia_core::Game;
use tabia_disk::File;

/// How games of PGN and PDN begin. Readers take it for the next game even in a comment that nobody closed.
const GAME_BEGINS: &[u8] = b"[Event \"";
/// Where no game begins in so many bytes, a file is not cut.
const SEARCHED: u64 = 16 << 20;

/// What one worker reads at a stretch: a file, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) source: Source,
    /// The place of the file among all.
    pub(crate) file: u64,
    /// The place of the part in the file.
    pub(crate) number: u64,
    /// Its bytes; `None` for a whole file.
    pub(crate) bytes: Option<Range<u64>>,
}

/// The parts of all files: as many of each as there are workers, but none much smaller than `least` bytes.
pub(crate) fn parts<G: Game>(
    sources: &[Source],
    first_file: u64,
    read: &ReadGames<G>,
    workers: usize,
    least: u64,
) -> Result<Vec<Part>> {
    let mut all = Vec::new();
    for (file, source) in (first_file..).zip(sources) {
        let ends = cuts(source, read, workers as u64, least)?;
        if ends.len() < 2 {
            all.push(Part { source: source.clone(), file, number: 0, bytes: None });
            continue;
        }
        let mut begin = 0;
        for (number, end) in (0..).zip(ends) {
            all.push(Part { source: source.clone(), file, number, bytes: Some(begin..end) });
            begin = end;
        }
    }
    Ok(all)
}

/// Where the parts of a file end.
fn cuts<G: Game>(source: &Source, read: &ReadGames<G>, workers: u64, least: u64) -> Result<Vec<u64>> {
    let lines = matches!(source.kind.as_str(), "jsonl" | "acf");
    let is_known = lines || matches!(source.kind.as_str(), "pgn" | "pdn" | "pdn-white");
    // Compressed files can be read from the beginning only.
    let Some(size) = input::plain_size(&source.path)?.filter(|_| is_known) else { return Ok(Vec::new()) };
    let count = workers.min(size / least.max(1)).max(1);
    let mut cuts = Vec::new();
    for number in 1..count {
        let near = (u128::from(size) * u128::from(number) / u128::from(count)) as u64;
        let cut = if lines { next_line(source, near) } else { next_game(source, near, read) };
        let cut = cut.map_err(|error| Error::Io { path: source.path.clone(), error })?;
        cuts.extend(cut.filter(|cut| *cut < size && cuts.last().is_none_or(|last| last < cut)));
    }
    cuts.push(size);
    Ok(cuts)
}

fn open_at(source: &Source, at: u64, most: u64) -> io::Result<BufReader<Take<File>>> {
    let mut file = File::open(&source.path)?;
    file.seek(SeekFrom::Start(at))?;
    Ok(BufReader::with_capacity(1 << 16, file.take(most)))
}

/// The beginning of a line after a place.
fn next_line(source: &Source, near: u64) -> io::Result<Option<u64>> {
    let skipped = open_at(source, near, SEARCHED)?.skip_until(b'\n')? as u64;
    Ok((skipped < SEARCHED).then_some(near + skipped))
}

/// The beginning of a game after a place, when the one before it is seen to end there.
fn next_game<G: Game>(source: &Source, near: u64, read: &ReadGames<G>) -> io::Result<Option<u64>> {
    let mut input = open_at(source, near, SEARCHED)?;
    let mut at = near + input.skip_until(b'\n')? as u64;
    let (mut line, mut game) = (Vec::new(), Vec::new());
    while input.read_until(b'\n', &mut line)? > 0 {
        if line.starts_with(GAME_BEGINS) {
            if ends_in_time(&game, &source.kind, read)? {
                return Ok(Some(at));
            }
            game.clear();
        }
        at += line.len() as u64;
        if line.starts_with(GAME_BEGINS) || !game.is_empty() {
            game.append(&mut line);
        }
        line.clear();
    }
    Ok(None)
}

/// Whether a reader hands on a game of this text, and none only because the text ends.
fn ends_in_time<G: Game>(text: &[u8], kind: &str, read: &ReadGames<G>) -> io::Result<bool> {
    let (ended, in_time, late) = (Cell::new(false), Cell::new(0), Cell::new(0));
    let mut sink = |_| {
        let count = if ended.get() { &late } else { &in_time };
        count.set(count.get() + 1);
        ControlFlow::Continue(())
    };
    read(kind, &mut Text { rest: text, ended: &ended }, &mut sink)?;
    Ok(in_time.get() > 0 && late.get() == 0)
}

/// A text that notes when somebody has seen its end.
struct Text<'a> {
    rest: &'a [u8],
    ended: &'a Cell<bool>,
}

impl Read for Text<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Text<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.ended.set(self.ended.get() || self.rest.is_empty());
        Ok(self.rest)
    }

    fn consume(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }
}

/// A part being read, with a count of its lines.
pub(crate) struct PartInput {
    input: BufReader<Take<File>>,
    pub(crate) lines: u64,
}

impl PartInput {
    pub(crate) fn open(source: &Source, bytes: &Range<u64>) -> io::Result<Self> {
        Ok(PartInput { input: open_at(source, bytes.start, bytes.end - bytes.start)?, lines: 0 })
    }
}

impl Read for PartInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for PartInput {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        let taken = self.input.buffer().get(..count).unwrap_or_default();
        self.lines += taken.iter().map(|byte| u64::from(*byte == b'\n')).sum::<u64>();
        self.input.consume(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::ReadGames as _;
    use tabia_draughts::Draughts;

    #[test]
    fn a_file_is_cut_between_games_and_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        let read =
            |kind: &str, input: &mut dyn BufRead, sink: &mut tabia_core::files::GameSink<'_, Draughts>| {
                Draughts::default().read_games(kind, input, sink)
            };
        let cut = |text: &str, kind: &str, workers| {
            let path = folder.path().join("games");
            std::fs::write(&path, text).unwrap();
            let source = Source { path, kind: kind.to_owned() };
            let parts = parts(&[source], 0, &read, workers, 1).unwrap();
            let bytes = |part: Part| part.bytes.map(|bytes| (bytes.start as usize, bytes.end as usize));
            parts.into_iter().map(bytes).collect::<Option<Vec<_>>>()
        };
        let game = "[Event \"a\"]\n1. 11-15 1-0\n";
        let (one, six) = (game.len(), game.repeat(6));
        assert_eq!(cut(&six, "pdn", 2), Some(vec![(0, 5 * one), (5 * one, 6 * one)]));
        assert_eq!(cut(&six, "pdn", 1), None);
        // A game that has not ended: its tags would be those of the next.
        let open = "[Event \"a\"]\n".repeat(9);
        assert_eq!(cut(&open, "pdn", 2), None);
        let unclosed = format!("{game}{game}[Event \"b\"]\n{{1. 11-15 1-0\n[Event \"c\"]\n1. 9-13 1-0\n");
        assert_eq!(cut(&unclosed, "pdn", 2), None);
        let lines = "a\nb\nc\nd\n";
        assert_eq!(cut(lines, "acf", 2), Some(vec![(0, 6), (6, 8)]));
        assert_eq!(cut(lines, "another", 2), None);
        assert_eq!(cut("", "acf", 2), None);
    }
}
