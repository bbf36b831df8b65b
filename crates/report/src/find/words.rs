//! The words of an expression, as the grammar of CEL has them: names, numbers, texts and signs.

use super::compile::BadExpression;

/// A word and where it begins.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) at: usize,
    pub(super) kind: WordKind,
}

/// What a word is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum WordKind {
    Name(String),
    /// A whole number; its sign is a word of its own.
    Int(u64),
    Double(f64),
    Text(String),
    Sign(&'static str),
    End,
}

/// The longer ones first: `<=` is not `<` and `=`.
const SIGNS: [&str; 24] = [
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "[", "]", "{", "}", "(", ")", ".", ",", "-", "!", "?", ":",
    "+", "*", "/", "%",
];

/// The words of a text, and the end behind them.
pub(super) fn words(text: &str) -> Result<Vec<Word>, BadExpression> {
    let mut all = Vec::new();
    let mut at = 0;
    loop {
        at = skip(text, at);
        let Some(first) = text[at..].chars().next() else { break };
        let (kind, end) = if let Some((prefix, raw)) = quoted(&text[at..]) {
            if text[at..at + prefix].contains(['b', 'B']) {
                return Err(bad(at, "there are texts, but no bytes, in a question"));
            }
            literal(text, at, at + prefix, raw)?
        } else if first.is_ascii_alphabetic() || first == '_' {
            let end = end_of(text, at, |c| c.is_ascii_alphanumeric() || c == '_');
            (WordKind::Name(text[at..end].to_owned()), end)
        } else if first.is_ascii_digit()
            || first == '.' && text[at + 1..].starts_with(|c: char| c.is_ascii_digit())
        {
            number(text, at)?
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| text[at..].starts_with(sign)) {
            (WordKind::Sign(sign), at + sign.len())
        } else {
            return Err(bad(at, "this character has no place in an expression"));
        };
        all.push(Word { at, kind });
        at = end;
    }
    all.push(Word { at: text.len(), kind: WordKind::End });
    Ok(all)
}

pub(super) fn bad(offset: usize, message: &str) -> BadExpression {
    BadExpression { message: message.to_owned(), offset }
}

/// The end of the characters from a place on that are wanted.
fn end_of(text: &str, from: usize, wanted: impl Fn(char) -> bool) -> usize {
    text[from..].find(|c| !wanted(c)).map_or(text.len(), |length| from + length)
}

/// Behind white space and comments.
fn skip(text: &str, mut at: usize) -> usize {
    loop {
        at = end_of(text, at, |c| matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{c}'));
        if !text[at..].starts_with("//") {
            return at;
        }
        at = end_of(text, at, |c| c != '\n');
    }
}

/// The letters before the quotation mark of a text that begins here, and whether they leave its escapes alone.
fn quoted(rest: &str) -> Option<(usize, bool)> {
    let prefix = rest.find(['\'', '"']).filter(|length| *length <= 2)?;
    match rest[..prefix].to_ascii_lowercase().as_str() {
        "" | "b" => Some((prefix, false)),
        "r" | "br" => Some((prefix, true)),
        _ => None,
    }
}

/// A whole number in decimal or hexadecimal digits, or a fraction.
fn number(text: &str, at: usize) -> Result<(WordKind, usize), BadExpression> {
    let digits = |from| end_of(text, from, |c| c.is_ascii_digit());
    let (mut end, mut radix, mut whole) = (digits(at), 10, true);
    if text[at..].starts_with("0x") && text[at + 2..].starts_with(|c: char| c.is_ascii_hexdigit()) {
        (end, radix) = (end_of(text, at + 2, |c| c.is_ascii_hexdigit()), 16);
    } else {
        if text[end..].starts_with('.') && digits(end + 1) > end + 1 {
            (end, whole) = (digits(end + 1), false);
        }
        if let Some(power) = text[end..].strip_prefix(['e', 'E']) {
            let first = text.len() - power.strip_prefix(['+', '-']).unwrap_or(power).len();
            if digits(first) > first {
                (end, whole) = (digits(first), false);
            }
        }
    }
    if !whole {
        let read = text[at..end].parse().map_err(|_| bad(at, "this number cannot be read"))?;
        return Ok((WordKind::Double(read), end));
    }
    if text[end..].starts_with(['u', 'U']) {
        return Err(bad(at, "write whole numbers without a u"));
    }
    let from = if radix == 16 { at + 2 } else { at };
    let read =
        u64::from_str_radix(&text[from..end], radix).map_err(|_| bad(at, "this number is too large"))?;
    Ok((WordKind::Int(read), end))
}

/// A text whose quotation mark is at `quote`, and where it ends.
fn literal(text: &str, at: usize, quote: usize, raw: bool) -> Result<(WordKind, usize), BadExpression> {
    let mark = &text[quote..=quote];
    let close = if text[quote..].starts_with(&mark.repeat(3)) { mark.repeat(3) } else { mark.to_owned() };
    let (mut read, mut place) = (String::new(), quote + close.len());
    loop {
        let rest = &text[place..];
        if rest.starts_with(&close) {
            return Ok((WordKind::Text(read), place + close.len()));
        }
        match rest.chars().next() {
            Some('\\') if !raw => {
                let (c, used) =
                    escape(&rest[1..]).ok_or_else(|| bad(place, "no character is written like this"))?;
                read.push(c);
                place += 1 + used;
            }
            Some(c) if close.len() == 3 || !matches!(c, '\n' | '\r') => {
                read.push(c);
                place += c.len_utf8();
            }
            _ => return Err(bad(at, "this text has no end")),
        }
    }
}

/// The character that is written behind a backslash, and in how many bytes.
fn escape(rest: &str) -> Option<(char, usize)> {
    let coded = |from: usize, digits: usize, radix: u32| {
        let code = rest.get(from..from + digits).filter(|code| code.chars().all(|c| c.is_digit(radix)))?;
        Some((char::from_u32(u32::from_str_radix(code, radix).ok()?)?, from + digits))
    };
    match rest.chars().next()? {
        'a' => Some(('\u{7}', 1)),
        'b' => Some(('\u{8}', 1)),
        'f' => Some(('\u{c}', 1)),
        'n' => Some(('\n', 1)),
        'r' => Some(('\r', 1)),
        't' => Some(('\t', 1)),
        'v' => Some(('\u{b}', 1)),
        c @ ('\\' | '\'' | '"' | '?' | '`') => Some((c, 1)),
        'x' | 'X' => coded(1, 2, 16),
        'u' => coded(1, 4, 16),
        'U' => coded(1, 8, 16),
        '0'..='3' => coded(0, 3, 8),
        _ => None,
    }
}
