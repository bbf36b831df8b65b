//! Numbers as people read them.

use super::figures::{Reading, Unit};

/// Above this a logarithm is left as a power of ten.
const WRITTEN_OUT: f64 = 15.0;

impl std::fmt::Display for Reading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&both(self))
    }
}

/// The number.
pub(super) fn value(reading: &Reading) -> String {
    number(reading.value, reading.unit)
}

/// The interval; nothing for a number that is known.
pub(super) fn interval(reading: &Reading) -> Option<String> {
    let (low, high) = (reading.low?, reading.high?);
    Some(format!("{} to {}", number(low, reading.unit), number(high, reading.unit)))
}

/// Both, in one line.
pub(super) fn both(reading: &Reading) -> String {
    interval(reading).map_or_else(|| value(reading), |interval| format!("{} ({interval})", value(reading)))
}

fn number(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Share => format!("{:.1} %", 100.0 * value),
        Unit::Count if value.abs() < 1e15 => grouped(value.round()),
        Unit::Count => power(value.log10()),
        Unit::Log10 if value < WRITTEN_OUT => grouped(10f64.powf(value).round()),
        Unit::Log10 => power(value),
        Unit::Number if value.abs() >= 100.0 => format!("{value:.0}"),
        Unit::Number if value.abs() >= 10.0 => format!("{value:.1}"),
        Unit::Number if value.abs() >= 0.01 || value == 0.0 => format!("{value:.2}"),
        Unit::Number => format!("{value:.5}"),
    }
}

fn power(log: f64) -> String {
    format!("10^{log:.1}")
}

/// 1,234,567.
pub(super) fn grouped(number: f64) -> String {
    let digits = format!("{:.0}", number.abs());
    let mut out = if number < 0.0 { "-".to_owned() } else { String::new() };
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        let cases = [
            (0.5213, Unit::Share, "52.1 %"),
            (1234567.0, Unit::Count, "1,234,567"),
            (255168f64.log10(), Unit::Log10, "255,168"),
            (46.234, Unit::Log10, "10^46.2"),
            (12.345, Unit::Number, "12.3"),
            (0.0, Unit::Number, "0.00"),
            (1e20, Unit::Count, "10^20.0"),
        ];
        for (number, unit, text) in cases {
            assert_eq!(value(&Reading::exact(number, unit)), text);
        }
    }
}
