//! Numbers as people read them.

/// Three digits that count, and no more than that: 0.00712, 0.447, 29.7, 230, 23500.
pub(crate) fn number(value: f64) -> String {
    let scientific = format!("{value:.2e}");
    let exponent = scientific.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    match (scientific.parse::<f64>(), exponent) {
        (Ok(rounded), Some(exponent)) if rounded != 0.0 => {
            format!("{rounded:.*}", (2 - exponent).max(0) as usize)
        }
        _ => value.to_string(),
    }
}
