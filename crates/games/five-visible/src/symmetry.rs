//! Relocation of stacks: all 9! ways to rearrange the positions leave the game the same.

use crate::{FiveVisible, Place, State, hashcode, movegen};
use tabia_core::{Canonical, Symmetry};

/// A rearrangement of the nine positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Relocation([Place; 9]);

impl Relocation {
    /// The rearrangement that moves `place` to `target(place)`; `None` unless every position is hit once.
    pub fn new(targets: [Place; 9]) -> Option<Relocation> {
        let hit = targets.iter().fold(0u16, |hit, place| hit | 1 << place.index());
        (hit == 0x1FF).then_some(Relocation(targets))
    }

    fn from_fn(target: impl Fn(Place) -> Place) -> Relocation {
        Relocation(Place::ALL.map(target))
    }

    /// Where a position goes.
    #[inline]
    pub fn target(self, place: Place) -> Place {
        self.0[place.index()]
    }

    pub(crate) fn apply(self, state: &State) -> State {
        let mut stacks = state.stacks();
        for place in Place::ALL {
            stacks[self.target(place).index()] = state.stack(place);
        }
        let blocked = state.blocked().map(|place| self.target(place));
        // A rearranged valid position is valid.
        State::new(stacks, state.player(), blocked).unwrap_or(*state)
    }
}

impl Symmetry for Relocation {
    const IDENTITY: Self = Relocation(Place::ALL);

    fn then(self, next: Self) -> Self {
        Relocation::from_fn(|place| next.target(self.target(place)))
    }

    fn inverse(self) -> Self {
        let source = |to: Place| Place::ALL.into_iter().find(|&from| self.target(from) == to);
        Relocation::from_fn(|to| source(to).unwrap_or(to))
    }

    fn name(self) -> String {
        Place::ALL.iter().map(|&place| self.target(place).to_string()).collect()
    }
}

/// Standing stacks on positions 1, 2, ... with ascending hashcodes, as decoding a board hashcode
/// lays them out. A block that no rule can see any more is dropped.
pub(crate) fn canonicalise(rules: &FiveVisible, state: &State) -> Canonical<State, Relocation> {
    let mut order = Place::ALL;
    order.sort_by_key(|&place| match hashcode::of_stack(rules, state, place) {
        0 => u8::MAX,
        code => code,
    });
    let mut targets = Place::ALL;
    for (target, source) in Place::ALL.into_iter().zip(order) {
        targets[source.index()] = target;
    }
    let symmetry = Relocation(targets);
    let image = symmetry.apply(state);
    let can_draw = movegen::drawable(rules, state) != 0 || state.standing().count_ones() >= 3;
    let blocked = image.blocked().filter(|_| can_draw || rules.options.no_three_stacks);
    let state = State::new(image.stacks(), image.player(), blocked).unwrap_or(image);
    Canonical { state, symmetry }
}
