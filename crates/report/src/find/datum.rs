//! What an expression works with: whole numbers, numbers, texts, truths, and nothing.

use std::cmp::Ordering;

/// What kind of thing a field or a part of an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `true` or `false`.
    Bool,
    /// A whole number of 64 bits.
    Int,
    /// A number with a fraction.
    Double,
    /// A text.
    Text,
    /// `null`.
    Null,
}

impl Type {
    /// Its name in CEL.
    pub const fn name(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Double => "double",
            Type::Text => "string",
            Type::Null => "null",
        }
    }

    /// Whether it is a number.
    pub const fn is_number(self) -> bool {
        matches!(self, Type::Int | Type::Double)
    }

    /// Whether two things of these types can ever be equal.
    pub(crate) fn comparable(self, other: Type) -> bool {
        self == other || (self.is_number() && other.is_number()) || self == Type::Null || other == Type::Null
    }
}

/// A value, borrowed from wherever it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Datum<'a> {
    /// Nothing: a draw has no distance.
    Null,
    /// A truth.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Double(f64),
    /// A text.
    Text(&'a str),
}

impl Datum<'_> {
    /// The same, to be kept.
    pub fn owned(self) -> Owned {
        match self {
            Datum::Null => Owned::Null,
            Datum::Bool(truth) => Owned::Bool(truth),
            Datum::Int(number) => Owned::Int(number),
            Datum::Double(number) => Owned::Double(number),
            Datum::Text(text) => Owned::Text(text.to_owned()),
        }
    }

    /// Equality as CEL has it: 1 is 1.0, and things of different types are not equal.
    pub(crate) fn equals(self, other: Datum<'_>) -> bool {
        match (self, other) {
            (Datum::Null, Datum::Null) => true,
            _ => self.order(other) == Some(Ordering::Equal),
        }
    }

    /// The order of two values; `None` where they have none.
    pub(crate) fn order(self, other: Datum<'_>) -> Option<Ordering> {
        match (self, other) {
            (Datum::Bool(a), Datum::Bool(b)) => Some(a.cmp(&b)),
            (Datum::Int(a), Datum::Int(b)) => Some(a.cmp(&b)),
            (Datum::Text(a), Datum::Text(b)) => Some(a.cmp(b)),
            (Datum::Double(a), Datum::Double(b)) => a.partial_cmp(&b),
            (Datum::Int(a), Datum::Double(b)) => int_to_double(a, b),
            (Datum::Double(a), Datum::Int(b)) => int_to_double(b, a).map(Ordering::reverse),
            _ => None,
        }
    }
}

/// Compares without losing the last bits of a large whole number.
fn int_to_double(int: i64, double: f64) -> Option<Ordering> {
    /// Two to the power of 63, the first number that no `i64` reaches.
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    if double.is_nan() {
        return None;
    }
    if double >= BEYOND {
        return Some(Ordering::Less);
    }
    if double < -BEYOND {
        return Some(Ordering::Greater);
    }
    let whole = double.trunc();
    Some(int.cmp(&(whole as i64)).then_with(|| 0.0_f64.total_cmp(&(double - whole + 0.0))))
}

/// A value that stands by itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Owned {
    /// Nothing.
    Null,
    /// A truth.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Double(f64),
    /// A text.
    Text(String),
}

impl Owned {
    /// The same, borrowed.
    pub fn datum(&self) -> Datum<'_> {
        match self {
            Owned::Null => Datum::Null,
            Owned::Bool(truth) => Datum::Bool(*truth),
            Owned::Int(number) => Datum::Int(*number),
            Owned::Double(number) => Datum::Double(*number),
            Owned::Text(text) => Datum::Text(text),
        }
    }
}

/// As people read it; nothing is a dash.
impl std::fmt::Display for Owned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Owned::Null => f.write_str("-"),
            Owned::Bool(truth) => write!(f, "{truth}"),
            Owned::Int(number) => write!(f, "{number}"),
            Owned::Double(number) => write!(f, "{number:.3}"),
            Owned::Text(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_and_fractions_are_compared_exactly() {
        let large = (1_i64 << 53) + 1;
        for (int, double, order) in [
            (1, 1.0, Ordering::Equal),
            (1, 1.5, Ordering::Less),
            (-1, -1.5, Ordering::Greater),
            (0, -0.0, Ordering::Equal),
            (large, 9_007_199_254_740_992.0, Ordering::Greater),
            (i64::MAX, 9.3e18, Ordering::Less),
            (i64::MIN, -9.3e18, Ordering::Greater),
        ] {
            assert_eq!(Datum::Int(int).order(Datum::Double(double)), Some(order), "{int} and {double}");
            assert_eq!(Datum::Double(double).order(Datum::Int(int)), Some(order.reverse()));
        }
        assert_eq!(Datum::Int(1).order(Datum::Double(f64::NAN)), None);
    }
}
