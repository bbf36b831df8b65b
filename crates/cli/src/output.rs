//! How answers and errors are printed.

use serde::Serialize;
use std::borrow::Cow;
use std::io::Write;
use tabia_app::{ErrorKind, InputError};

/// A negative answer: exit code 1, and a remark on standard error.
#[derive(Debug)]
pub(crate) struct Negative {
    /// The remark; nothing when the answer itself was printed.
    pub(crate) message: String,
}

impl std::fmt::Display for Negative {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Negative {}

/// Ended by Ctrl-C, with its work in order.
#[derive(Debug)]
pub(crate) struct Interrupted {
    /// What was done, and how to go on.
    pub(crate) message: String,
}

impl Interrupted {
    /// The exit code that shells expect: 128 and the number of the signal.
    pub(crate) const CODE: u8 = 130;
}

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Interrupted {}

/// Prints data.
pub(crate) fn data(text: &str) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
}

/// Prints a picture as it is: whether it has colours was decided when it was drawn.
pub(crate) fn picture(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints one JSON object on a line of its own.
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    data(&serde_json::to_string(value)?)
}

/// Prints `value` as JSON or what `text` makes of it.
pub(crate) fn answer<T: Serialize>(
    as_json: bool,
    value: &T,
    text: impl FnOnce(&T) -> String,
) -> anyhow::Result<()> {
    if as_json { json(value) } else { data(&text(value)) }
}

/// Prints a remark on standard error.
pub(crate) fn message(text: &str) {
    let _ = writeln!(anstream::stderr(), "{}", harmless(text));
}

/// A text with everything visible that would be obeyed by a terminal: it may quote a file that somebody else wrote.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let obeyed = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    for c in text.chars() {
        if obeyed(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Columns of the terminal; a common width where there is none.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0))
}

/// The option that an input looks like. Positions may begin with `-`, so that a mistyped option is first taken
/// for one; what is no position either is told as an option.
fn mistyped_option(input: &str) -> Option<&str> {
    let option = input.split('=').next()?;
    let word = option.strip_prefix("--").or_else(|| option.strip_prefix('-'))?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    (word.starts_with(|c: char| c.is_ascii_lowercase()) && word.chars().all(plain)).then_some(option)
}

/// Says that an option is not known.
pub(crate) fn no_option(option: &str) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    let option = harmless(option);
    let _ = writeln!(
        anstream::stderr(),
        "{style}error{style:#}: there is no option {option} here; --help lists them"
    );
}

/// Prints an error; where the input is known, with a caret under the offending character.
pub(crate) fn error(error: &anyhow::Error) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    let mut out = anstream::stderr();
    let input = error.downcast_ref::<InputError>();
    if let Some(option) = input.and_then(|error| mistyped_option(&error.input)) {
        no_option(option);
        return;
    }
    let _ = writeln!(out, "{style}error{style:#}: {}", harmless(&format!("{error:#}")));
    if let Some(input) = input {
        let _ = out.write_all(pointed(input).as_bytes());
    }
}

/// So much of a long input is shown on each side of the caret.
const AROUND: usize = 100;

/// The input with a caret, and every reason when there are several.
fn pointed(error: &InputError) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    if let Some(offset) = error.offset {
        // A caret is useless under a line that the terminal will break or a control character moves.
        let before = error.input.get(..offset).map_or(offset, |before| before.chars().count());
        let from = before.saturating_sub(AROUND);
        let mut input = error.input.chars().map(|c| if c.is_control() { ' ' } else { c }).skip(from);
        let shown: String = input.by_ref().take(before - from + AROUND).collect();
        let (left, right) =
            (if from > 0 { "..." } else { "" }, if input.next().is_some() { "..." } else { "" });
        let caret = " ".repeat(left.len() + before - from);
        text = format!("  {left}{shown}{right}\n  {caret}^\n");
    }
    if error.reasons.len() > 1 {
        for reason in &error.reasons {
            let _ = writeln!(text, "  - {reason}");
        }
    }
    text
}

/// 1 for a negative answer and an illegal move, 2 for everything else.
pub(crate) fn exit_code(error: &anyhow::Error) -> u8 {
    if error.is::<Negative>() {
        return 1;
    }
    match error.downcast_ref::<InputError>() {
        Some(input) if input.kind == ErrorKind::Illegal => 1,
        _ => 2,
    }
}

/// A number with a thin grouping for people: 1,234,567.
pub(crate) fn grouped(number: impl std::fmt::Display) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// CPU seconds for people, where they are known.
pub(crate) fn cpu(seconds: Option<f64>, digits: usize) -> String {
    seconds.map_or_else(|| "CPU time unknown".to_owned(), |seconds| format!("{seconds:.digits$} CPU s"))
}

/// A rate for people: `12.3 M`.
pub(crate) fn rate(per_second: f64) -> String {
    match per_second {
        r if r >= 1e9 => format!("{:.2} G", r / 1e9),
        r if r >= 1e6 => format!("{:.2} M", r / 1e6),
        r if r >= 1e3 => format!("{:.1} k", r / 1e3),
        r => format!("{r:.1} "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_obeys_nothing_that_is_quoted() {
        assert_eq!(harmless("two\nlines\tof Jörg"), "two\nlines\tof Jörg");
        assert_eq!(harmless("\u{1b}[31m\u{9b}2J\r\u{7}"), r"\u{1b}[31m\u{9b}2J\r\u{7}");
    }

    #[test]
    fn a_caret_stands_under_its_character() {
        let at = |input: &str, offset| {
            let error =
                InputError { offset: Some(offset), ..InputError::new(ErrorKind::Syntax, input, "wrong") };
            let text = pointed(&error);
            let (line, caret) = text.trim_end().split_once('\n').unwrap();
            (line.to_owned(), line.chars().nth(caret.chars().count() - 1))
        };
        assert_eq!(at("abc!", 3), ("  abc!".to_owned(), Some('!')));
        assert_eq!(at("", 0).0, "  ");
        assert_eq!(at("äö!", 4).1, Some('!'));
        let long = format!("{}!{}", "a".repeat(100_000), "b".repeat(100_000));
        let (line, under) = at(&long, 100_000);
        assert_eq!((line.chars().count(), under), (2 + 3 + 200 + 3, Some('!')));
    }
}
