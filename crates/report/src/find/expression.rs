//! A compiled expression, and its value for one row.
//!
//! The language is CEL and so are the rules: a part that has no value (a draw's distance compared with a number, a
//! division by zero) leaves the whole without one, unless `&&`, `||` or `?:` do not need it.

use super::datum::{Datum, Type};
use std::cmp::Ordering;

/// Whoever knows the fields of a row.
pub trait Fields<F> {
    /// The value of a field.
    fn field(&self, field: F) -> Datum<'_>;
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// What is done with two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// What is asked of two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Within {
    Contains,
    StartsWith,
    EndsWith,
}

/// A part of an expression; `F` names the fields.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node<F> {
    Null,
    Bool(bool),
    Int(i64),
    Double(f64),
    Text(String),
    Field(F),
    Not(Box<Node<F>>),
    Negate(Box<Node<F>>),
    And(Box<[Node<F>; 2]>),
    Or(Box<[Node<F>; 2]>),
    If(Box<[Node<F>; 3]>),
    Compare(Compare, Box<[Node<F>; 2]>),
    Arithmetic(Arithmetic, Box<[Node<F>; 2]>),
    In(Box<Node<F>>, Vec<Node<F>>),
    Size(Box<Node<F>>),
    Within(Within, Box<[Node<F>; 2]>),
    ToInt(Box<Node<F>>),
    ToDouble(Box<Node<F>>),
}

/// An expression ready to be asked of many rows.
#[derive(Clone, Debug)]
pub struct Expression<F> {
    pub(crate) node: Node<F>,
    /// The type of its value.
    pub kind: Type,
    /// The fields that it uses, each once, in the order of their first use.
    pub fields: Vec<F>,
}

impl<F: Copy> Expression<F> {
    /// Its value for a row; `None` where it has none.
    #[inline]
    pub fn value<'a>(&'a self, row: &'a impl Fields<F>) -> Option<Datum<'a>> {
        self.node.value(row)
    }

    /// Whether it is true of a row; `None` where that cannot be said.
    #[inline]
    pub fn is_true(&self, row: &impl Fields<F>) -> Option<bool> {
        self.node.truth(row)
    }
}

impl<F: Copy> Node<F> {
    fn truth(&self, row: &impl Fields<F>) -> Option<bool> {
        match self {
            Node::Bool(truth) => Some(*truth),
            Node::Not(inner) => inner.truth(row).map(|truth| !truth),
            Node::And(sides) => both(sides, row, false),
            Node::Or(sides) => both(sides, row, true),
            Node::Compare(how, sides) => compare(*how, sides[0].value(row)?, sides[1].value(row)?),
            Node::In(inner, list) => {
                let sought = inner.value(row)?;
                let mut found = false;
                for element in list {
                    found |= element.value(row)?.equals(sought);
                }
                Some(found)
            }
            Node::Within(how, sides) => within(*how, sides[0].value(row)?, sides[1].value(row)?),
            Node::If(parts) => parts[if parts[0].truth(row)? { 1 } else { 2 }].truth(row),
            Node::Field(field) => match row.field(*field) {
                Datum::Bool(truth) => Some(truth),
                _ => None,
            },
            _ => None,
        }
    }

    fn value<'a>(&'a self, row: &'a impl Fields<F>) -> Option<Datum<'a>> {
        match self {
            Node::Null => Some(Datum::Null),
            Node::Int(number) => Some(Datum::Int(*number)),
            Node::Double(number) => Some(Datum::Double(*number)),
            Node::Text(text) => Some(Datum::Text(text)),
            Node::Field(field) => Some(row.field(*field)),
            Node::Negate(inner) => match inner.value(row)? {
                Datum::Int(number) => number.checked_neg().map(Datum::Int),
                Datum::Double(number) => Some(Datum::Double(-number)),
                _ => None,
            },
            Node::If(parts) => parts[if parts[0].truth(row)? { 1 } else { 2 }].value(row),
            Node::Arithmetic(how, sides) => arithmetic(*how, sides[0].value(row)?, sides[1].value(row)?),
            Node::Size(inner) => match inner.value(row)? {
                Datum::Text(text) => Some(Datum::Int(text.chars().count() as i64)),
                _ => None,
            },
            Node::ToInt(inner) => match inner.value(row)? {
                Datum::Int(number) => Some(Datum::Int(number)),
                // CEL cuts the fraction off, and has no value where the whole part does not fit.
                Datum::Double(number) if number.abs() < i64::MAX as f64 => Some(Datum::Int(number as i64)),
                _ => None,
            },
            Node::ToDouble(inner) => match inner.value(row)? {
                Datum::Int(number) => Some(Datum::Double(number as f64)),
                Datum::Double(number) => Some(Datum::Double(number)),
                _ => None,
            },
            _ => self.truth(row).map(Datum::Bool),
        }
    }
}

/// `&&` and `||`: one side that decides is enough, whatever the other is.
fn both<F: Copy>(sides: &[Node<F>; 2], row: &impl Fields<F>, decides: bool) -> Option<bool> {
    let first = sides[0].truth(row);
    if first == Some(decides) {
        return first;
    }
    let second = sides[1].truth(row);
    if second == Some(decides) { second } else { first.and(second) }
}

fn compare(how: Compare, a: Datum<'_>, b: Datum<'_>) -> Option<bool> {
    match how {
        Compare::Equal => return Some(a.equals(b)),
        Compare::Unequal => return Some(!a.equals(b)),
        _ => {}
    }
    let order = a.order(b)?;
    Some(match how {
        Compare::Less => order == Ordering::Less,
        Compare::LessOrEqual => order != Ordering::Greater,
        Compare::Greater => order == Ordering::Greater,
        _ => order != Ordering::Less,
    })
}

fn arithmetic<'a>(how: Arithmetic, a: Datum<'a>, b: Datum<'a>) -> Option<Datum<'a>> {
    match (a, b) {
        (Datum::Int(a), Datum::Int(b)) => Some(Datum::Int(match how {
            Arithmetic::Add => a.checked_add(b)?,
            Arithmetic::Subtract => a.checked_sub(b)?,
            Arithmetic::Multiply => a.checked_mul(b)?,
            Arithmetic::Divide => a.checked_div(b)?,
            Arithmetic::Remainder => a.checked_rem(b)?,
        })),
        (Datum::Double(a), Datum::Double(b)) => Some(Datum::Double(match how {
            Arithmetic::Add => a + b,
            Arithmetic::Subtract => a - b,
            Arithmetic::Multiply => a * b,
            Arithmetic::Divide => a / b,
            Arithmetic::Remainder => return None,
        })),
        _ => None,
    }
}

fn within(how: Within, text: Datum<'_>, part: Datum<'_>) -> Option<bool> {
    let (Datum::Text(text), Datum::Text(part)) = (text, part) else { return None };
    Some(match how {
        Within::Contains => text.contains(part),
        Within::StartsWith => text.starts_with(part),
        Within::EndsWith => text.ends_with(part),
    })
}
