//! The names of openings: positions that a game's table names by the moves that lead to them.

use crate::adapter::Held;
use std::collections::HashMap;
use tabia_core::{Packed, Present};

/// The named positions of a game under its usual rules.
#[derive(Debug, Default)]
pub(crate) struct Openings {
    /// The names by the exact code of the position.
    names: HashMap<Vec<u8>, &'static str>,
    /// The plies of the longest line.
    longest: usize,
}

impl Openings {
    /// Plays all lines of the game's table. A line that cannot be played names nothing: a test reads all of them.
    pub(crate) fn of<G: Present>(rules: &G) -> Self {
        let mut openings = Openings::default();
        for (moves, name) in rules.openings().lines().filter_map(|line| line.split_once('\t')) {
            let mut state = rules.start();
            let legal = moves.split(' ').all(|text| {
                let mv = rules.parse_move(&state, text);
                mv.map(|mv| rules.play(&mut state, mv)).is_ok()
            });
            if legal {
                openings.names.insert(rules.pack(&state).as_bytes().to_vec(), name);
                openings.longest = openings.longest.max(moves.split(' ').count());
            }
        }
        openings
    }

    /// How many positions have a name.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }
}

impl<G: Present> Held<G> {
    /// The name of the last position on the way here that has one.
    pub(crate) fn last_opening(&self) -> Option<&'static str> {
        let rules = self.rules();
        if rules.openings().is_empty() || rules.variant() != rules.id() {
            return None;
        }
        let openings = self.openings.get_or_init(|| Openings::of(rules));
        let states = self.record.states();
        let far = states.len().min(openings.longest + 1);
        let name = |state: &G::State| openings.names.get(rules.pack(state).as_bytes()).copied();
        name(self.state()).or_else(|| states[..far].iter().rev().find_map(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_line_of_the_tables_can_be_played_to_a_position_of_its_own() {
        fn check<G: Present>(rules: &G) {
            let lines = rules.openings().lines();
            let moves: HashSet<&str> =
                lines.clone().filter_map(|line| Some(line.split_once('\t')?.0)).collect();
            assert_eq!(moves.len(), lines.count(), "{}: a line stands twice, or has no name", rules.id());
            assert_eq!(Openings::of(rules).len(), moves.len(), "{}: a line is illegal", rules.id());
        }
        check(&tabia_chess::Chess);
        check(&tabia_draughts::Draughts::default());
    }
}
