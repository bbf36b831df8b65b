//! The compact encoding: short for everything a game can reach, exact for everything else.

use proptest::prelude::*;
use tabia_arx::pack::Packed;
use tabia_arx::{Arx, Kind, Pile, State};
use tabia_core::{Game, Notation, Packed as _, Side, SplitMix64};

/// The pieces of a side but the King, with repetition.
const ARMY: [Kind; 19] = {
    use Kind::{
        Ballista as B, Commander as C, Dragon as D, Guard as G, Jester as J, Paladin as P, Soldier as S,
    };
    [S, S, S, S, S, S, S, S, S, J, C, P, P, G, G, D, D, B, B]
};

/// The initial pieces anywhere: some captured, some stacked, the Kings too.
fn scattered(rng: &mut SplitMix64, captured: u64, stacked: u64) -> State {
    let mut piles = [Pile::EMPTY; 81];
    let mut place = |rng: &mut SplitMix64, pile: Pile| loop {
        let square = rng.below(81) as usize;
        if piles[square].is_empty() {
            piles[square] = pile;
            break;
        }
    };
    for side in Side::ALL {
        let mut army = ARMY.to_vec();
        for i in (1..army.len()).rev() {
            army.swap(i, rng.below(i as u64 + 1) as usize);
        }
        army.retain(|_| rng.below(100) >= captured);
        while let Some(kind) = army.pop() {
            let top = if rng.below(100) < stacked { army.pop() } else { None };
            let pile = top.and_then(|top| Pile::stack(side, top, kind)).unwrap_or(Pile::single(side, kind));
            place(rng, pile);
        }
        if rng.below(100) >= captured / 4 {
            place(rng, Pile::single(side, Kind::King));
        }
    }
    State::from_piles(&piles, Side::ALL[rng.below(2) as usize]).expect("one King a side")
}

#[test]
fn positions_of_a_game_take_at_most_32_bytes() {
    let mut rng = SplitMix64::new(3);
    let mut longest = 0;
    for captured in [0, 0, 5, 20, 50, 90, 100] {
        for stacked in [0, 10, 30, 60, 100] {
            for _ in 0..100 {
                let state = scattered(&mut rng, captured, stacked);
                let packed = Arx.pack(&state);
                longest = longest.max(packed.as_bytes().len());
                assert_eq!(packed.as_bytes()[0], 1, "{state:?}");
                assert_eq!(Arx.unpack(&packed), Ok(state));
            }
        }
    }
    assert_eq!(longest, 32, "the bound is met by 40 pieces apart");
}

#[test]
fn too_many_of_a_kind_take_the_long_form() {
    for text in [
        "jj7/9/9/9/9/9/9/9/k7K w",
        "SSSSSSSSS/S8/9/9/9/9/9/9/k7K b",
        "[PP]P7/9/9/9/9/9/9/9/k7K w",
        "[JJ]8/9/9/9/9/9/9/9/k7K w",
        "[SS][SS][SS][SS][SS][SS][SS][SS][SS]/9/[ss][ss][ss][ss][ss][ss][ss][ss][ss]/9/9/9/9/9/k7K w",
    ] {
        let state = Arx.parse(text).expect(text).state;
        let packed = Arx.pack(&state);
        assert_eq!((packed.as_bytes()[0], packed.as_bytes().len()), (2, 73), "{text}");
        assert_eq!(Arx.unpack(&packed), Ok(state));
    }
}

#[test]
fn other_writings_are_refused() {
    let short = Arx.pack(&Arx.start());
    let refused = |bytes: &[u8]| {
        let packed = Packed::from_bytes(bytes).expect("short enough");
        assert!(Arx.unpack(&packed).is_err(), "{bytes:02x?}");
    };
    let bytes = short.as_bytes();
    refused(&[]);
    refused(&[0]);
    refused(&bytes[..bytes.len() - 1]);
    refused(&[bytes, &[0]].concat());
    refused(&[&[3], &bytes[1..]].concat());
    // The start in the long form.
    let words = tabia_arx::codes::to_words(&Arx.start());
    let long: Vec<u8> = std::iter::once(2).chain(words.into_iter().flat_map(u64::to_le_bytes)).collect();
    refused(&long);
}

proptest! {
    #[test]
    fn any_bytes_are_refused_or_the_only_writing(mut bytes in prop::collection::vec(any::<u8>(), 0..74), tag in 1u8..3) {
        if let Some(first) = bytes.first_mut() {
            *first = tag;
        }
        let packed = Packed::from_bytes(&bytes).expect("at most 73");
        if let Ok(state) = Arx.unpack(&packed) {
            prop_assert_eq!(Arx.pack(&state), packed);
        }
    }

    #[test]
    fn damaged_codes_are_refused_or_the_only_writing(seed: u64, at in 0usize..32, flip in 1u8..) {
        let packed = Arx.pack(&scattered(&mut SplitMix64::new(seed), 20, 20));
        let mut bytes = packed.as_bytes().to_vec();
        let at = at % bytes.len();
        bytes[at] ^= flip;
        let damaged = Packed::from_bytes(&bytes).expect("same length");
        if let Ok(state) = Arx.unpack(&damaged) {
            prop_assert_eq!(Arx.pack(&state), damaged);
        }
    }
}
