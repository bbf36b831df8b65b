//! Games with their scores as a file: what a network learns from.
//!
//! ```text
//!   magic "TABIAGMS", version u16, variant (length u8, text)
//!   blocks:   length u32, checksum u32, games
//!   game:     result u8 (0 lost, 1 drawn, 2 won by the first player), plies u16, plies, asides u16, asides
//!   ply:      move, score i16
//!   aside:    ply of the game u16, moves u8, moves, score i16
//!   move:     its number in the game's list (1 byte below 255, else 255 and u16)
//! ```
//!
//! Every game begins at the start of its variant, so that the moves give back every position: about three bytes each. An aside is
//! a position that was not played but looked at, so many moves from one of the game. Files of version 1 have none.
//! The score is for the side to move; [`NO_SCORE`] where a position is not to be learnt from. A block that was cut off
//! at the end, by a full disk say, is passed over when the file is read and replaced when it is continued.

use crate::layout::{Input, put_text};
use crate::net::{NetError, read_file};
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tabia_core::{Game, Outcome, Side};

const MAGIC: &[u8; 8] = b"TABIAGMS";
const VERSION: u16 = 2;

/// The score of a position that is not to be learnt from.
pub const NO_SCORE: i16 = i16::MIN;

/// A game from the start to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// How it ended.
    pub outcome: Outcome,
    /// For each ply the number of the move in the game's list, and the score of the position before it.
    pub plies: Vec<(u16, i16)>,
    /// Positions that were not played, in the order of the plies.
    pub asides: Vec<Aside>,
}

/// A position that a search looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// The ply of the game that it was seen from.
    pub from: u16,
    /// The numbers of the moves that lead there, 255 at most.
    pub moves: Vec<u16>,
    /// Its own score.
    pub score: i16,
}

impl PlayedGame {
    /// Half points of the first player.
    fn result(&self) -> u8 {
        match self.outcome.winner() {
            None => 1,
            Some(Side::First) => 2,
            Some(Side::Second) => 0,
        }
    }

    fn write(&self, version: u16, out: &mut Vec<u8>) {
        let plies = &self.plies[..self.plies.len().min(usize::from(u16::MAX))];
        out.push(self.result());
        out.extend_from_slice(&(plies.len() as u16).to_le_bytes());
        for &(number, score) in plies {
            write_move(number, out);
            out.extend_from_slice(&score.to_le_bytes());
        }
        if version == 1 {
            return;
        }
        let asides = &self.asides[..self.asides.len().min(usize::from(u16::MAX))];
        out.extend_from_slice(&(asides.len() as u16).to_le_bytes());
        for Aside { from, moves, score } in asides {
            let moves = &moves[..moves.len().min(usize::from(u8::MAX))];
            out.extend_from_slice(&from.to_le_bytes());
            out.push(moves.len() as u8);
            moves.iter().for_each(|&number| write_move(number, out));
            out.extend_from_slice(&score.to_le_bytes());
        }
    }

    fn read(input: &mut Input<'_>, version: u16) -> Result<Self, NetError> {
        let outcome = match input.u8()? {
            0 => Outcome::Win(Side::Second),
            1 => Outcome::Draw,
            2 => Outcome::Win(Side::First),
            _ => return Err(NetError::Damaged("a game has no such result")),
        };
        let plies = input.u16()?;
        let ply = |input: &mut Input<'_>| Ok((read_move(input)?, input.u16()? as i16));
        let plies = (0..plies).map(|_| ply(input)).collect::<Result<_, NetError>>()?;
        let asides = if version == 1 { 0 } else { input.u16()? };
        let aside = |input: &mut Input<'_>| {
            let (from, moves) = (input.u16()?, input.u8()?);
            let moves = (0..moves).map(|_| read_move(input)).collect::<Result<_, NetError>>()?;
            Ok(Aside { from, moves, score: input.u16()? as i16 })
        };
        let asides = (0..asides).map(|_| aside(input)).collect::<Result<_, NetError>>()?;
        Ok(PlayedGame { outcome, plies, asides })
    }
}

fn write_move(number: u16, out: &mut Vec<u8>) {
    match u8::try_from(number) {
        Ok(number) if number < 255 => out.push(number),
        _ => {
            out.push(255);
            out.extend_from_slice(&number.to_le_bytes());
        }
    }
}

fn read_move(input: &mut Input<'_>) -> Result<u16, NetError> {
    match input.u8()? {
        255 => input.u16(),
        number => Ok(u16::from(number)),
    }
}

/// Writes games to a file, which may have some already.
#[derive(Debug)]
pub struct GamesWriter {
    path: PathBuf,
    file: File,
    version: u16,
    block: Vec<u8>,
    games: u64,
}

/// Bytes that are written at once.
const BLOCK: usize = 1 << 16;

impl GamesWriter {
    /// Opens a file to continue it, or makes a new one.
    pub fn open<G: Game>(path: &Path, game: &G) -> Result<Self, NetError> {
        let wrap = |source| NetError::File { path: path.display().to_string(), source };
        let (mut games, mut end, mut version) = (0, 0, VERSION);
        if path.exists() {
            let reader = GamesReader::open(path, game)?;
            (games, end, version) = (reader.games.len() as u64, reader.end, reader.version);
        }
        let mut file =
            OpenOptions::new().create(true).write(true).truncate(false).open(path).map_err(wrap)?;
        file.set_len(end).map_err(wrap)?;
        file.seek(SeekFrom::Start(end)).map_err(wrap)?;
        if end == 0 {
            let mut head = MAGIC.to_vec();
            head.extend_from_slice(&VERSION.to_le_bytes());
            put_text(&mut head, &game.variant());
            file.write_all(&head).map_err(wrap)?;
        }
        Ok(GamesWriter { path: path.to_owned(), file, version, block: Vec::new(), games })
    }

    /// Games in the file, those not yet written out included.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds a game. One with asides is refused where the file was begun before there were any.
    pub fn add(&mut self, game: &PlayedGame) -> Result<(), NetError> {
        if self.version == 1 && !game.asides.is_empty() {
            return Err(NetError::Nothing(
                "a file of games of version 1 has no room for asides: use another folder",
            ));
        }
        game.write(self.version, &mut self.block);
        self.games += 1;
        if self.block.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    /// Writes out what was added.
    pub fn flush(&mut self) -> Result<(), NetError> {
        if self.block.is_empty() {
            return Ok(());
        }
        let mut out = (self.block.len() as u32).to_le_bytes().to_vec();
        out.extend_from_slice(&crc32fast::hash(&self.block).to_le_bytes());
        out.append(&mut self.block);
        let wrap = |source| NetError::File { path: self.path.display().to_string(), source };
        self.file.write_all(&out).map_err(wrap)
    }
}

/// The games of a file.
#[derive(Debug)]
pub struct GamesReader {
    /// In the order in which they were written.
    pub games: Vec<PlayedGame>,
    /// Where the last whole block ends.
    end: u64,
    version: u16,
}

impl GamesReader {
    /// Reads a file of games of this variant.
    pub fn open<G: Game>(path: &Path, game: &G) -> Result<Self, NetError> {
        let bytes = read_file(path)?;
        let mut input = Input(&bytes);
        if input.take(MAGIC.len()).ok() != Some(MAGIC) {
            return Err(NetError::Foreign("file of games"));
        }
        let version = input.u16()?;
        if !(1..=VERSION).contains(&version) {
            return Err(NetError::Version(version));
        }
        let found = input.text()?;
        if found != game.variant() {
            return Err(NetError::Game { found, wanted: game.variant() });
        }
        let (mut games, mut end) = (Vec::new(), bytes.len() - input.0.len());
        // What was cut off at the end has never been finished.
        while let Ok(block) = whole_block(&mut input) {
            let (len, sum) = block;
            let body = input.take(len)?;
            if crc32fast::hash(body) != sum {
                return Err(NetError::Damaged("the checksum of a block of games is wrong"));
            }
            let mut block = Input(body);
            while !block.0.is_empty() {
                games.push(PlayedGame::read(&mut block, version)?);
            }
            end = bytes.len() - input.0.len();
        }
        Ok(GamesReader { games, end: end as u64, version })
    }
}

/// Length and checksum of the next block, if all of it is there.
fn whole_block(input: &mut Input<'_>) -> Result<(usize, u32), NetError> {
    let (len, sum) = (input.u32()? as usize, input.u32()?);
    if input.0.len() < len { Err(NetError::Short) } else { Ok((len, sum)) }
}
