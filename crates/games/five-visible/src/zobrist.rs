//! The random numbers behind the key: one for each stack on each position, one for each blocked
//! position, one for the player.

use crate::Place;
use tabia_core::{Key, ZobristTable};

/// Seed of the stack keys: "5-Visibl" in ASCII.
const STACK_SEED: u64 = 0x352d_5669_7369_626c;

/// By position and stack; 0 where no brick lies.
static STACKS: [[Key; 32]; 9] = {
    let table: ZobristTable<9, 32> = ZobristTable::from_seed(STACK_SEED);
    let mut keys = [[Key(0); 32]; 9];
    let mut cell = 0;
    while cell < 9 * 32 {
        if cell % 32 != 0 {
            keys[cell / 32][cell % 32] = table.key(cell / 32, cell % 32);
        }
        cell += 1;
    }
    keys
};
/// Index 9 is "nothing blocked"; the last one is the player's.
static OTHERS: ZobristTable<11, 1> = ZobristTable::from_seed(STACK_SEED + 1);

/// The player's key, in the hash while player 1 is to move.
pub(crate) const PLAYER: Key = ZobristTable::<11, 1>::from_seed(STACK_SEED + 1).key(10, 0);

/// The hash of the empty board: empty positions have no key, "nothing blocked" none either.
pub(crate) const EMPTY_BOARD: Key = Key(0);

#[inline]
fn stack(place: Place, code: u8) -> Key {
    STACKS[place.index()][usize::from(code & 31)]
}

/// What changes in the hash when one stack replaces another.
#[inline]
pub(crate) fn stack_change(place: Place, old: u8, new: u8) -> Key {
    stack(place, old) ^ stack(place, new)
}

/// What changes in the hash when another position is blocked (9 for none).
#[inline]
pub(crate) fn block_change(old: u8, new: u8) -> Key {
    let block = |index: u8| if index >= 9 { Key(0) } else { OTHERS.key(usize::from(index), 0) };
    block(old) ^ block(new)
}

/// Every key in use, for tests of their quality.
pub fn all_keys() -> Vec<Key> {
    let codes = || (1..32).filter(|&code| crate::Stack::from_code(code).is_some_and(|s| s.height() > 0));
    let stacks = Place::ALL.into_iter().flat_map(|place| codes().map(move |code| stack(place, code)));
    stacks.chain((0..9).map(|index| block_change(9, index))).chain([PLAYER]).collect()
}
