//! Numbers of moves and planes: the laws under all options.

use tabia_core::{Actions, Observe, SplitMix64};
use tabia_five_visible::{Counting, FiveVisible, Opening, Place, Relocation, RuleOptions};
use tabia_testkit::laws::{self, Effort};

/// One random relocation: the whole group has 362,880.
fn relocation(rng: &mut SplitMix64) -> Vec<Relocation> {
    let mut places = Place::ALL;
    for i in (1..places.len()).rev() {
        places.swap(i, rng.below(i as u64 + 1) as usize);
    }
    Relocation::new(places).into_iter().collect()
}

#[test]
fn numbers_and_planes_keep_the_laws_under_all_options() {
    for options in RuleOptions::all() {
        for (opening, counting) in [(Opening::Four, Counting::Located), (Opening::Empty, Counting::Canonical)]
        {
            let rules = FiveVisible { opening, options, counting };
            let games = Effort { games: 4, ..Effort::default() };
            laws::check_actions(&rules, games);
            laws::check_observe(&rules, games, relocation);
            assert_eq!((rules.action_count(), rules.planes().bytes()), (90, 5 * 27));
        }
    }
}
