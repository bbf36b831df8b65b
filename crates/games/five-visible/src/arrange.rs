//! Setting up a position: its text out of bricks on places.

use crate::{FiveVisible, Place, State};
use std::collections::BTreeMap;
use tabia_core::{Arrange, Arrangement, Extra, RuleError};

/// The place that was touched last.
const BLOCKED: &str = "blocked";

impl Arrange for FiveVisible {
    fn stack(&self) -> usize {
        3
    }

    fn extras(&self) -> Vec<Extra> {
        let places = Place::ALL.into_iter().map(|place| place.to_string());
        vec![Extra::new(BLOCKED, "blocked place", ["-".to_owned()].into_iter().chain(places))]
    }

    fn extras_of(&self, state: &State) -> BTreeMap<String, String> {
        let blocked = state.blocked().map_or("-".to_owned(), |place| place.to_string());
        BTreeMap::from([(BLOCKED.to_owned(), blocked)])
    }

    fn arranged(&self, arrangement: &Arrangement) -> Result<String, RuleError> {
        let stack = |place: Place| match arrangement.on(&place.to_string()) {
            "" => "-".to_owned(),
            bricks => bricks.to_owned(),
        };
        let stacks = Place::ALL.map(stack).join("/");
        let (player, blocked) = (arrangement.side()?, arrangement.extra(BLOCKED, "-"));
        let options = self.options.suffix();
        Ok(format!("{stacks} {player} {blocked} {options}").trim_end().to_owned())
    }
}
