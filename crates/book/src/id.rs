//! The identity of a game: what makes it count once.

use siphasher::sip128::{Hasher128, SipHasher24};
use std::fmt;
use std::hash::Hasher;
use std::str::FromStr;
use tabia_core::Outcome;

/// 128 bits that stand for one game, for ever: the hash of a given id, or of the game itself.
///
/// SipHash-2-4 with the key zero. Among 10^12 games the chance that any two different ones share an
/// id is about 10^-15.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameId(pub [u8; 16]);

impl GameId {
    /// The id of a game that somebody named.
    pub fn given(variant: &str, id: &str) -> GameId {
        let mut hasher = IdHasher::new(variant, b'n');
        hasher.text(id);
        hasher.finish()
    }

    /// The id of a game that is equal to this one: `place` games before it in its file are, too.
    #[must_use]
    pub fn again(self, place: u32) -> GameId {
        if place == 0 {
            return self;
        }
        let mut hasher = SipHasher24::new();
        hasher.write(&self.0);
        hasher.write(&place.to_le_bytes());
        GameId(u128::from(hasher.finish128()).to_le_bytes())
    }
}

impl FromStr for GameId {
    type Err = ();

    /// Reads what [`fmt::Display`] writes.
    fn from_str(text: &str) -> Result<Self, ()> {
        let number = u128::from_str_radix(text, 16).map_err(drop)?;
        let id = GameId(number.to_be_bytes());
        if id.to_string() == text { Ok(id) } else { Err(()) }
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Builds the id of a game from what happened in it. Every part is written with its length, so that
/// different games never look alike.
pub(crate) struct IdHasher(SipHasher24);

impl IdHasher {
    fn new(variant: &str, kind: u8) -> Self {
        let mut hasher = IdHasher(SipHasher24::new());
        hasher.text(variant);
        hasher.0.write(&[kind]);
        hasher
    }

    /// For a game without a given id.
    pub(crate) fn game(variant: &str, tags: &[(String, String)], outcome: Outcome) -> Self {
        let mut hasher = IdHasher::new(variant, b'g');
        hasher.0.write(&(tags.len() as u32).to_le_bytes());
        for (name, value) in tags {
            hasher.text(name);
            hasher.text(value);
        }
        hasher.0.write(&[outcome.winner().map_or(2, |side| side.index() as u8)]);
        hasher
    }

    /// The next position of the game, packed as it stood on the board.
    #[inline]
    pub(crate) fn position(&mut self, packed: &[u8]) {
        self.0.write(&[packed.len() as u8]);
        self.0.write(packed);
    }

    fn text(&mut self, text: &str) {
        self.0.write(&(text.len() as u32).to_le_bytes());
        self.0.write(text.as_bytes());
    }

    pub(crate) fn finish(self) -> GameId {
        let hash = self.0.finish128();
        GameId(u128::from(hash).to_le_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::Side;

    #[test]
    fn ids_are_pinned() {
        assert_eq!(GameId::given("chess", "abc").to_string(), "23d0720e55777f9a1c6dc351d287c960");
        assert_ne!(GameId::given("chess", "abc"), GameId::given("draughts", "abc"));
        let id = GameId::given("chess", "abc");
        assert_eq!("23d0720e55777f9a1c6dc351d287c960".parse(), Ok(id));
        assert!(
            ["", "+3d0720e55777f9a1c6dc351d287c960", "23D0", "xyz"]
                .iter()
                .all(|no| no.parse::<GameId>().is_err())
        );
        assert_eq!(id.again(0), id, "books of the time before equal games counted know the first of them");
        assert_eq!(id.again(1).to_string(), "4805a128842a9366245dceb93ccc9fd1");
        assert_ne!(id.again(1), id.again(2));
    }

    #[test]
    fn tags_and_results_tell_games_apart() {
        let tag = |value: &str| vec![("Round".to_owned(), value.to_owned())];
        let id = |tags: &[(String, String)], outcome| IdHasher::game("g", tags, outcome).finish();
        assert_ne!(id(&tag("1"), Outcome::Draw), id(&tag("2"), Outcome::Draw));
        assert_ne!(id(&[], Outcome::Draw), id(&[], Outcome::Win(Side::First)));
    }
}
