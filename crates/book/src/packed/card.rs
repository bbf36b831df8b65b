//! What is known of a block without looking at it: where in it a key would be, as a few bytes in the cache tell.
//!
//! A block of a large book comes from memory, and comes in two steps: its table first, then the group that the table names. A card says
//! well enough which group that will be, so that both are asked for at once. It is a hint: what is found does not depend on it.
//!
//! ```text
//! card = groups u8  rows u8  before u8  after u8  { knot u8 }
//! groups   how many the block has; 0: nothing is known
//! rows     where in the bytes on the shelf the block begins
//! knot     16 of them, at a seventeenth of the groups, two seventeenths and so on: the first key of that group, as a part of the
//!          way from the last key of the block before to the last key of this one, in 255ths
//! before   how much earlier than at as many seventeenths of the bytes one of these groups begins at most, divided by 8
//! after    how much later
//! ```

use super::read::{Head, Table};
use super::{PER_GROUP, TABLE};
use crate::fences::{Span, head_of};
use std::ops::Range;
use tabia_table::Card;

const KNOTS: usize = 16;
const PARTS: usize = KNOTS + 1;
/// More bytes than that are not asked for: the few that are needed would come no earlier.
const MANY: usize = 1 << 10;

/// The card of a block that begins at an offset of these bytes.
pub(crate) fn card_of(bytes: &[u8], rows: usize, span: Span) -> Card {
    fill(bytes, rows, span).unwrap_or_default()
}

fn fill(bytes: &[u8], rows: usize, span: Span) -> Option<Card> {
    let block = bytes.get(rows..)?;
    let table = Table::of(block)?;
    let groups = table.heads.len();
    let size = block.len() - table.start;
    let mut card = Card::default();
    card[0] = u8::try_from(groups).ok()?;
    card[1] = u8::try_from(rows).ok()?;
    let (mut before, mut after) = (0, 0);
    for n in 1..PARTS {
        let group = table.group(n * groups / PARTS)?;
        let base = Head::of(block, &group)?.base;
        card[3 + n] = span.part(head_of(&block[base]));
        let (begins, guessed) = (group.start - table.start, n * size / PARTS);
        before = before.max(guessed.saturating_sub(begins));
        after = after.max(begins.saturating_sub(guessed));
    }
    card[2] = u8::try_from(before.div_ceil(8)).ok()?;
    card[3] = u8::try_from(after.div_ceil(8)).ok()?;
    Some(card)
}

/// Where the table is.
#[inline]
pub(crate) fn table_of(card: &Card) -> Option<Range<usize>> {
    let [groups, rows] = [card[0], card[1]].map(usize::from);
    (groups > 0).then_some(rows..rows + TABLE + PER_GROUP * groups)
}

/// Where the table is, and where the groups are that a key with this head can be in.
#[inline]
pub(crate) fn guess(card: &Card, length: usize, span: Span, head: u64) -> Option<[Range<usize>; 2]> {
    let table = table_of(card)?;
    let (&[_, _, before, after], knots) = card.split_first_chunk()?;
    let knots: &[u8; KNOTS] = knots.first_chunk()?;
    let part = span.part(head);
    let below = knots.iter().map(|knot| u8::from(*knot < part)).sum::<u8>();
    let up_to = knots.iter().map(|knot| u8::from(*knot <= part)).sum::<u8>();
    let start = table.end;
    let size = length.checked_sub(start)?;
    let at = |knots: u8| start + usize::from(knots) * size / PARTS;
    let from = at(below).saturating_sub(8 * usize::from(before)).max(start);
    let to = (at(up_to + 1) + 8 * usize::from(after)).min(length);
    Some([table, from..to.min(from + MANY)])
}
