//! Symmetries of games made at run time: permutations of numbered places.
//!
//! A symmetry of the core is a small value that can be composed without asking the rules. Here it is the number of
//! a permutation in a table of the whole process: permutations of any number of places form one group (places
//! beyond the last that moves stay where they are), so composing is right for elements of whatever game.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};
use tabia_core::Symmetry;

/// A permutation of places; it may also exchange the players.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Places {
    number: u32,
    swaps: bool,
}

/// Every permutation met so far, without the places at the end that do not move.
struct Table {
    list: Vec<Arc<[u16]>>,
    numbers: HashMap<Arc<[u16]>, u32>,
}

static TABLE: LazyLock<RwLock<Table>> = LazyLock::new(|| {
    let identity: Arc<[u16]> = Arc::from([]);
    let numbers = HashMap::from([(Arc::clone(&identity), 0)]);
    RwLock::new(Table { list: vec![identity], numbers })
});

fn number_of(mut places: Vec<u16>) -> u32 {
    while places.last().is_some_and(|&last| usize::from(last) + 1 == places.len()) {
        places.pop();
    }
    let known = TABLE.read().unwrap_or_else(PoisonError::into_inner).numbers.get(places.as_slice()).copied();
    known.unwrap_or_else(|| {
        let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
        let places: Arc<[u16]> = places.into();
        let next = table.list.len() as u32;
        let number = *table.numbers.entry(Arc::clone(&places)).or_insert(next);
        if number == next {
            table.list.push(places);
        }
        number
    })
}

impl Places {
    /// The permutation that takes place `i` to `places[i]`; `None` when two go to one place or one goes nowhere.
    pub(super) fn new(places: &[usize], swaps: bool) -> Option<Self> {
        let mut taken = vec![false; places.len()];
        for &place in places {
            let slot = taken.get_mut(place)?;
            if std::mem::replace(slot, true) {
                return None;
            }
        }
        let places = places.iter().map(|&place| u16::try_from(place).ok()).collect::<Option<_>>()?;
        Some(Places { number: number_of(places), swaps })
    }

    /// The same permutation, exchanging the players or not.
    pub(super) fn with_swap(self, swaps: bool) -> Self {
        Places { swaps, ..self }
    }

    fn moved(self) -> Arc<[u16]> {
        let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
        table.list.get(self.number as usize).map_or_else(|| Arc::from([]), Arc::clone)
    }

    /// Where each of the first `count` places goes.
    pub(super) fn images(self, count: usize) -> Vec<usize> {
        let moved = self.moved();
        (0..count).map(|place| image(&moved, place)).collect()
    }

    fn of(count: usize, image: impl Fn(usize) -> usize, swaps: bool) -> Self {
        let places = (0..count).map(|place| image(place) as u16).collect();
        Places { number: number_of(places), swaps }
    }
}

fn image(moved: &[u16], place: usize) -> usize {
    moved.get(place).map_or(place, |&to| to.into())
}

impl Symmetry for Places {
    const IDENTITY: Self = Places { number: 0, swaps: false };

    fn then(self, next: Self) -> Self {
        let (first, second) = (self.moved(), next.moved());
        let count = first.len().max(second.len());
        Places::of(count, |place| image(&second, image(&first, place)), self.swaps != next.swaps)
    }

    fn inverse(self) -> Self {
        let moved = self.moved();
        let mut back: Vec<usize> = (0..moved.len()).collect();
        for (place, &to) in moved.iter().enumerate() {
            if let Some(slot) = back.get_mut(usize::from(to)) {
                *slot = place;
            }
        }
        Places::of(moved.len(), |place| back.get(place).copied().unwrap_or(place), self.swaps)
    }

    fn swaps_sides(self) -> bool {
        self.swaps
    }

    /// The cycles: `(0 2)(3 5)`.
    fn name(self) -> String {
        let moved = self.moved();
        let mut seen = vec![false; moved.len()];
        let mut name = String::new();
        for first in 0..moved.len() {
            let mut cycle = Vec::new();
            let mut place = first;
            while seen.get_mut(place).is_some_and(|seen| !std::mem::replace(seen, true)) {
                cycle.push(place.to_string());
                place = image(&moved, place);
            }
            if cycle.len() > 1 {
                name.push('(');
                name.push_str(&cycle.join(" "));
                name.push(')');
            }
        }
        match (name.is_empty(), self.swaps) {
            (true, false) => "identity".to_owned(),
            (true, true) => "swap".to_owned(),
            (false, false) => name,
            (false, true) => name + " swap",
        }
    }
}

impl std::fmt::Debug for Places {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name())
    }
}

/// The largest group whose elements are listed.
const LARGEST: usize = 400;

/// All products of some permutations, the identity first; `None` when there are too many.
pub(super) fn group(generators: &[Places]) -> Option<Vec<Places>> {
    let mut all = vec![Places::IDENTITY];
    let mut next = 0;
    while let Some(&element) = all.get(next) {
        for &generator in generators {
            let product = element.then(generator);
            if !all.contains(&product) {
                all.push(product);
            }
        }
        if all.len() > LARGEST {
            return None;
        }
        next += 1;
    }
    Some(all)
}
