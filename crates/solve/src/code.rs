//! Values as 16-bit codes, in memory while solving and in files.
//!
//! ```text
//! 0       draw, or not decided yet     2n + 1  loss in n plies
//! 0xFFFF  unknown                      2n + 2  win in n plies      (n up to 32,766)
//! ```
//!
//! Zero is the code of a draw because a draw is what is left when nothing more can be decided.

use tabia_core::Value;

/// The code of a draw, and of everything that is not decided yet.
pub const DRAW: u16 = 0;
/// The code of a value nobody knows.
pub const UNKNOWN: u16 = u16::MAX;
/// The longest distance a code can hold.
pub const LONGEST: u16 = 32_766;

/// The code of a win in `plies`.
#[inline]
pub const fn win(plies: u16) -> u16 {
    2 * plies + 2
}

/// The code of a loss in `plies`.
#[inline]
pub const fn loss(plies: u16) -> u16 {
    2 * plies + 1
}

/// Whether a code is a win.
#[inline]
pub const fn is_win(code: u16) -> bool {
    code != DRAW && code != UNKNOWN && code & 1 == 0
}

/// Whether a code is a loss.
#[inline]
pub const fn is_loss(code: u16) -> bool {
    code != UNKNOWN && code & 1 == 1
}

/// The distance in the code of a win or a loss; meaningless for others.
#[inline]
pub const fn distance(code: u16) -> u16 {
    code.wrapping_sub(1) / 2
}

/// The code of a position from which the best move leads to one with this code; `None` when the distance does
/// not fit. `same_mover`: the player who moves there is the one who moved here.
#[inline]
pub const fn one_ply_earlier(code: u16, same_mover: bool) -> Option<u16> {
    if code == DRAW || code == UNKNOWN {
        return Some(code);
    }
    let plies = distance(code) + 1;
    if plies > LONGEST {
        return None;
    }
    Some(if is_loss(code) == same_mover { loss(plies) } else { win(plies) })
}

/// The code of a value. Distances beyond [`LONGEST`] are cut to it.
pub const fn encode(value: Value) -> u16 {
    match value {
        Value::Draw => DRAW,
        Value::Unknown => UNKNOWN,
        Value::Win(n) => win(if n > LONGEST { LONGEST } else { n }),
        Value::Loss(n) => loss(if n > LONGEST { LONGEST } else { n }),
    }
}

/// The value of a code.
pub const fn decode(code: u16) -> Value {
    match code {
        DRAW => Value::Draw,
        UNKNOWN => Value::Unknown,
        _ if is_win(code) => Value::Win(distance(code)),
        _ => Value::Loss(distance(code)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_a_value_and_back() {
        for code in 0..=u16::MAX {
            assert_eq!(encode(decode(code)), code, "{:?}", decode(code));
        }
    }

    #[test]
    fn a_ply_earlier_is_the_same_for_codes_and_values() {
        for (code, same) in (0..=u16::MAX).flat_map(|code| [(code, false), (code, true)]) {
            let value = decode(code).one_ply_earlier_for(same);
            let fits = value.distance().is_none_or(|plies| plies <= LONGEST);
            assert_eq!(one_ply_earlier(code, same), fits.then(|| encode(value)), "{:?}", decode(code));
        }
    }

    #[test]
    fn the_longest_distance_fits_and_longer_ones_are_cut() {
        assert_eq!(decode(encode(Value::Win(LONGEST))), Value::Win(LONGEST));
        assert_eq!(decode(encode(Value::Loss(u16::MAX))), Value::Loss(LONGEST));
    }
}
