//! Which games of an import are new: every id is claimed once, and equal games of a file are told apart by
//! their place among each other.

use crate::GameId;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The file of games that are in the book's runs already.
const NO_FILE: u32 = u32::MAX;

/// The games of an import so far.
#[derive(Default)]
pub(super) struct Claims {
    /// Every id with the file that claimed it.
    claimed: FxHashMap<GameId, u32>,
    /// How many games of a file have an id. Only ids that come up again are here, which are few.
    met: FxHashMap<(u32, GameId), u32>,
}

/// What became of a game.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// The id under which it counts; `None` when it is a game that counts already.
    pub(super) id: Option<GameId>,
    /// Whether its file has had an equal game.
    pub(super) again: bool,
}

impl Claims {
    /// With games that were claimed by an earlier import.
    pub(super) fn with(ids: impl Iterator<Item = GameId>) -> Self {
        Claims { claimed: ids.map(|id| (id, NO_FILE)).collect(), ..Claims::default() }
    }

    /// Claims a game of a file. Where equal games count, the second and later ones of a file have ids of
    /// their own; another file with as many of them says nothing new.
    ///
    /// The order in which equal games come does not matter, so threads may work on one file together.
    pub(super) fn claim(&mut self, file: u32, id: GameId, equal_ones_count: bool) -> Claim {
        let first = match self.claimed.entry(id) {
            Entry::Vacant(entry) => {
                entry.insert(file);
                return Claim { id: Some(id), again: false };
            }
            Entry::Occupied(entry) => *entry.get(),
        };
        let met = self.met.entry((file, id)).or_insert(u32::from(first == file));
        let place = *met;
        *met += 1;
        let again = place > 0;
        if !again || !equal_ones_count {
            return Claim { id: None, again };
        }
        let id = id.again(place);
        let fresh = self.claimed.insert(id, file).is_none();
        Claim { id: fresh.then_some(id), again }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: GameId = GameId([1; 16]);

    /// How many of these games, given by their files, are new.
    fn new(claims: &mut Claims, files: &[u32]) -> usize {
        files.iter().filter(|&&file| claims.claim(file, A, true).id.is_some()).count()
    }

    #[test]
    fn a_file_adds_what_it_has_more() {
        let mut claims = Claims::default();
        assert_eq!(new(&mut claims, &[0, 0, 0]), 3);
        assert_eq!(new(&mut claims, &[1, 1]), 0);
        assert_eq!(new(&mut claims, &[2, 2, 2, 2, 2]), 2);
    }

    #[test]
    fn files_that_are_read_together_give_the_same() {
        assert_eq!(new(&mut Claims::default(), &[0, 1, 1, 0, 2, 1, 2, 2, 2, 2]), 5);
    }

    #[test]
    fn games_of_an_import_that_was_killed_are_not_new() {
        let mut claims = Claims::with([A, A.again(1)].into_iter());
        assert_eq!(new(&mut claims, &[0, 0, 0]), 1);
    }

    #[test]
    fn the_same_game_counts_once_where_equal_ones_do_not_count() {
        let mut claims = Claims::default();
        assert_eq!(claims.claim(0, A, false), Claim { id: Some(A), again: false });
        assert_eq!(claims.claim(0, A, false), Claim { id: None, again: true });
        assert_eq!(claims.claim(1, A, false), Claim { id: None, again: false });
    }
}
