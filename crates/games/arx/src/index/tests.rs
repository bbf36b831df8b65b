//! The numbers of endings against the rules.

use super::*;
use tabia_core::{Game, Notation};

#[test]
fn slices_are_all_materials() {
    // Seven kinds alone; 28 pairs of one side, and 28 of one man each.
    assert_eq!([2, 3, 4, 9].map(|pieces| Arx.slice_groups(pieces).len()), [0, 7, 63, 63]);
    for name in ["KSvK", "KvKB", "KJCvK", "KSSvK", "KDvKD"] {
        assert_eq!(Arx.slice_name(Arx.slice_named(name).expect(name)), name);
    }
    for name in ["", "KvK", "KCJvK", "KJvKC-x", "KKvK", "KSSSvK", "KSSvKS", "kjvk"] {
        assert_eq!(Arx.slice_named(name), None, "{name}");
    }
    let names = |name: &str| -> Vec<String> {
        let groups = Arx.groups_for(Arx.slice_named(name).expect(name));
        groups.concat().iter().map(|slice| Arx.slice_name(*slice)).collect()
    };
    assert_eq!(names("KDvKD"), ["KDvK", "KvKD", "KDvKD"]);
}

#[test]
fn a_stack_has_two_numbers_by_who_is_on_top() {
    let spot = |text: &str| Arx.locate(&Arx.parse(text).expect(text).state).expect(text);
    let (jester, commander) = (spot("9/9/9/9/2[JC]6/9/9/9/K7k w"), spot("9/9/9/9/2[CJ]6/9/9/9/K7k w"));
    assert_eq!(jester.slice, commander.slice);
    assert_ne!(jester.index, commander.index);
    // Seen from the other side, and in a mirror, it is the same.
    assert_eq!(spot("k7K/9/9/9/2[jc]6/9/9/9/9 b"), jester);
    assert_eq!(spot("K7k/9/9/9/6[jc]2/9/9/9/9 b"), jester);
}

#[test]
fn what_is_over_has_no_number() {
    for text in ["9/9/9/9/9/9/9/9/K7k w", "9/9/9/9/4S4/9/9/9/K8 b"] {
        let state = Arx.parse(text).expect(text).state;
        assert!(Arx.outcome(&state).is_some() && Arx.locate(&state).is_none(), "{text}");
    }
}
