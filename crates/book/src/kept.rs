//! Games that a book keeps beside their counts: a few tags of each, and which positions it met.
//!
//! Counting alone forgets whose games they were. An import that is asked to keep tags writes, with the counts and in
//! the same commit, a record of each game and a visit for each of its positions:
//!
//! ```text
//! record   id, 16 bytes -> result u8 (0 or 1: that player won, 2: a draw; and 4, where the moves are kept), then the
//!                          moves, then for each tag the length u8 and the bytes of its name and of its value, then
//!                          the crc32 of all of it and the id
//! moves    length of what follows, number of the variant u8, length and bytes of the packed start, and the numbers
//!          of the moves, each in the frame of its position; lengths and numbers are LEB128
//! visit    key of the position, id, number of the move u64 big-endian (all ones: none) -> result in the frame of the key
//! ```
//!
//! A record takes 50 to 100 bytes, and a few more for each move that is kept; a visit 28 bytes and the packed
//! position: on disk the result is the last two bits of a crc32 over the key and itself.

use crate::{Counts, GameId, Row, varint};
use std::ops::ControlFlow;
use tabia_core::{Outcome, Side};

/// Bytes of a name or value that are kept.
const LONGEST: usize = 255;

/// Set in the first byte of a record that has moves.
const WITH_MOVES: u8 = 4;

/// The event of games that an engine played against itself.
pub const SELFPLAY: &str = "self-play";

/// What is to be kept of each game, with the positions it met; nothing: only counts are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// The names of its tags.
    pub tags: Vec<String>,
    /// Its moves, so that it can be shown again.
    pub moves: bool,
}

impl Keep {
    /// Whether nothing is kept but counts.
    pub fn is_nothing(&self) -> bool {
        self.tags.is_empty() && !self.moves
    }
}

/// The moves of a game that were kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptMoves {
    /// The number of its variant in the book.
    pub variant: u8,
    /// The exact code of the position it started from.
    pub start: Vec<u8>,
    /// The numbers of the moves, each in the canonical frame of its position.
    pub numbers: Vec<u64>,
}

/// What is kept of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptGame {
    /// Its id.
    pub id: GameId,
    /// How it ended.
    pub outcome: Outcome,
    /// The tags that were asked for, in the order in which they were.
    pub tags: Vec<(String, String)>,
    /// Its moves, where they were asked for.
    pub moves: Option<KeptMoves>,
}

/// A game that met a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The game.
    pub game: KeptGame,
    /// The number of the move it played there, in the canonical frame; `None` where it ended.
    pub number: Option<u64>,
    /// How it ended, seen in the canonical frame.
    pub outcome: Outcome,
}

/// What one commit keeps: the games, and the keys of their visits with the results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptGames {
    /// The games.
    pub games: Vec<KeptGame>,
    /// The visits.
    pub visits: Vec<(Vec<u8>, u8)>,
}

/// Sees one visit; it answers whether to go on.
pub type VisitVisitor<'a> = dyn FnMut(Visit) -> ControlFlow<()> + 'a;

/// Which kept games count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Only games that ended like this.
    pub outcome: Option<Outcome>,
    /// Only games of a player whose name contains this, in large or small letters.
    pub player: Option<String>,
    /// Only games of this year or later; games without a date are left out.
    pub from: Option<u16>,
    /// Only games of this year or earlier; games without a date are left out.
    pub to: Option<u16>,
    /// Not the games that an engine played against itself.
    pub without_selfplay: bool,
}

impl GameFilter {
    /// Whether a game counts.
    pub fn takes(&self, game: &KeptGame) -> bool {
        let player = self.player.as_ref().map(|player| player.to_lowercase());
        let plays = |wanted: &String| {
            [game.tag("White"), game.tag("Black")]
                .into_iter()
                .flatten()
                .any(|name| name.to_lowercase().contains(wanted))
        };
        let year = game.year();
        self.outcome.is_none_or(|outcome| outcome == game.outcome)
            && !(self.without_selfplay && game.is_selfplay())
            && player.as_ref().is_none_or(plays)
            && self.from.is_none_or(|from| year.is_some_and(|year| year >= from))
            && self.to.is_none_or(|to| year.is_some_and(|year| year <= to))
    }
}

impl KeptGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The year of its date.
    pub fn year(&self) -> Option<u16> {
        self.tag("Date").and_then(|date| date.get(..4)).and_then(|year| year.parse().ok())
    }

    /// Whether an engine played it against itself.
    pub fn is_selfplay(&self) -> bool {
        self.tag("Event") == Some(SELFPLAY)
    }

    /// The bytes of its record.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![result_byte(self.outcome)];
        if let Some(moves) = &self.moves {
            bytes[0] |= WITH_MOVES;
            let written = moves.encode();
            varint::put(&mut bytes, written.len() as u64);
            bytes.extend_from_slice(&written);
        }
        for text in self.tags.iter().flat_map(|(name, value)| [name, value]) {
            let text = &text[..text.floor_char_boundary(LONGEST)];
            bytes.push(text.len() as u8);
            bytes.extend_from_slice(text.as_bytes());
        }
        let sum = checksum(&bytes, self.id);
        bytes.extend_from_slice(&sum);
        bytes
    }

    /// The game of a record; `None` when the bytes are not one.
    pub(crate) fn decode(id: GameId, bytes: &[u8]) -> Option<Self> {
        let (body, sum) = bytes.split_last_chunk::<4>()?;
        if checksum(body, id) != *sum {
            return None;
        }
        let (&result, mut rest) = body.split_first()?;
        let moves = if result & WITH_MOVES == 0 { None } else { Some(KeptMoves::take(&mut rest)?) };
        let mut text = || {
            let (&length, after) = rest.split_first()?;
            let (text, after) = after.split_at_checked(length.into())?;
            rest = after;
            String::from_utf8(text.to_vec()).ok()
        };
        let mut tags = Vec::new();
        while let Some(name) = text() {
            tags.push((name, text()?));
        }
        Some(KeptGame { id, outcome: outcome_of(result & !WITH_MOVES)?, tags, moves })
    }
}

impl KeptMoves {
    fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![self.variant];
        varint::put(&mut bytes, self.start.len() as u64);
        bytes.extend_from_slice(&self.start);
        self.numbers.iter().for_each(|&number| varint::put(&mut bytes, number));
        bytes
    }

    /// Takes the moves off the front of a record.
    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let length = usize::try_from(varint::take(bytes)?).ok()?;
        let (&variant, mut written) = varint::take_slice(bytes, length)?.split_first()?;
        let length = usize::try_from(varint::take(&mut written)?).ok()?;
        let start = varint::take_slice(&mut written, length)?.to_vec();
        let mut numbers = Vec::new();
        while !written.is_empty() {
            numbers.push(varint::take(&mut written)?);
        }
        Some(KeptMoves { variant, start, numbers })
    }
}

fn checksum(bytes: &[u8], id: GameId) -> [u8; 4] {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(bytes);
    hasher.update(&id.0);
    hasher.finalize().to_le_bytes()
}

/// A result as a byte.
pub(crate) fn result_byte(outcome: Outcome) -> u8 {
    outcome.winner().map_or(2, |side| side.index() as u8)
}

/// The result of a byte.
pub(crate) fn outcome_of(byte: u8) -> Option<Outcome> {
    match byte {
        0 => Some(Outcome::Win(Side::First)),
        1 => Some(Outcome::Win(Side::Second)),
        2 => Some(Outcome::Draw),
        _ => None,
    }
}

/// A result with a sum over it and the key of its visit: the sum without its last two bits, which are the result.
pub(crate) fn seal_visit(key: &[u8], result: u8) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(key);
    hasher.update(&[result]);
    hasher.finalize() & !3 | u32::from(result & 3)
}

/// The result of a visit; `None` when the sum does not fit.
pub(crate) fn open_visit(key: &[u8], sealed: u32) -> Option<Outcome> {
    let result = (sealed & 3) as u8;
    if seal_visit(key, result) == sealed { outcome_of(result) } else { None }
}

/// The key of a visit.
pub(crate) fn visit_key(position: &[u8], id: GameId, number: u64) -> Vec<u8> {
    [position, &id.0, &number.to_be_bytes()].concat()
}

/// The game and the move of a visit to a position; `None` for a key of another position.
pub(crate) fn visit_of(key: &[u8], position: &[u8]) -> Option<(GameId, Option<u64>)> {
    let rest = key.strip_prefix(position)?;
    let (id, number) = rest.split_first_chunk::<16>()?;
    let number = u64::from_be_bytes(number.try_into().ok()?);
    Some((GameId(*id), (number != u64::MAX).then_some(number)))
}

/// What a position's visits add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    totals: Counts,
    moves: Vec<(u64, Counts)>,
    /// The game counted last: visits of one game stand together.
    last: Option<GameId>,
}

impl Tally {
    pub(crate) fn add(&mut self, visit: &Visit) {
        let one = Counts::one(visit.outcome);
        if self.last.replace(visit.game.id) != Some(visit.game.id) {
            self.totals += one;
        }
        let Some(number) = visit.number else { return };
        match self.moves.iter_mut().find(|(known, _)| *known == number) {
            Some((_, counts)) => *counts += one,
            None => self.moves.push((number, one)),
        }
    }

    /// The row that they make.
    pub(crate) fn into_row(mut self) -> Row {
        self.moves.sort_unstable_by_key(|(number, _)| *number);
        Row { totals: self.totals, moves: self.moves }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> KeptGame {
        let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let tags = vec![tag("White", "Tinsley"), tag("Black", "Çhinook"), tag("Date", "1994.08.15")];
        KeptGame { id: GameId([7; 16]), outcome: Outcome::Draw, tags, moves: None }
    }

    fn with_moves() -> KeptGame {
        let moves = KeptMoves { variant: 3, start: vec![9; 20], numbers: vec![0, 1, 127, 128, 40_000] };
        KeptGame { moves: Some(moves), ..game() }
    }

    #[test]
    fn a_record_is_read_back_and_any_other_byte_is_refused() {
        for game in [game(), with_moves()] {
            let bytes = game.encode();
            assert_eq!(KeptGame::decode(GameId([7; 16]), &bytes), Some(game));
            assert_eq!(KeptGame::decode(GameId([8; 16]), &bytes), None);
            for at in 0..bytes.len() {
                let mut wrong = bytes.clone();
                wrong[at] ^= 1;
                assert_eq!(KeptGame::decode(GameId([7; 16]), &wrong), None, "{at}");
                assert_eq!(KeptGame::decode(GameId([7; 16]), &bytes[..at]), None, "{at}");
            }
        }
    }

    #[test]
    fn a_visit_with_any_other_bit_is_refused() {
        let key = visit_key(b"position", GameId([7; 16]), 5);
        let sealed = seal_visit(&key, 1);
        assert_eq!(open_visit(&key, sealed), Some(Outcome::Win(Side::Second)));
        assert!((0..32).all(|bit| open_visit(&key, sealed ^ 1 << bit).is_none()));
        assert_eq!(visit_of(&key, b"position"), Some((GameId([7; 16]), Some(5))));
        assert_eq!(visit_of(&key, b"posit"), None);
    }

    #[test]
    fn filters_take_what_they_say() {
        let takes = |filter: GameFilter| filter.takes(&game());
        assert!(takes(GameFilter::default()));
        assert!(takes(GameFilter { player: Some("çhi".to_owned()), ..GameFilter::default() }));
        assert!(!takes(GameFilter { player: Some("Lafferty".to_owned()), ..GameFilter::default() }));
        assert!(takes(GameFilter { from: Some(1994), to: Some(1994), ..GameFilter::default() }));
        assert!(!takes(GameFilter { from: Some(1995), ..GameFilter::default() }));
        assert!(!takes(GameFilter { outcome: Some(Outcome::Win(Side::First)), ..GameFilter::default() }));
        let people = GameFilter { without_selfplay: true, ..GameFilter::default() };
        let played = KeptGame { tags: vec![("Event".to_owned(), SELFPLAY.to_owned())], ..game() };
        assert!(people.takes(&game()) && !people.takes(&played));
    }
}
