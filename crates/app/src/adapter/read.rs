//! The one reader of positions, and codes that carry their rules.
//!
//! A code that leaves the process begins with the variant it belongs to, unless that is the game's default:
//! `triangle4:0x0002000000000000`, `put-back:#1a:0`. Reading one takes the rules from there; bytes are never
//! read under other rules than those they were written under.

use super::Adapter;
use crate::{ErrorKind, InputError};
use tabia_core::packed::{from_hex, to_hex};
use tabia_core::{Format, Game, Packed, Position, PositionError, Present};

/// The codes every game has.
static COMMON_FORMATS: [Format; 3] = [
    Format::exact("text", "the game's own text form"),
    Format::exact("packed", "the exact packed bytes in hexadecimal"),
    Format::one_way("key", "the 64-bit hash of the position"),
];

/// All codes of a game.
pub(super) fn formats<G: Present>(rules: &G) -> impl Iterator<Item = &Format> {
    COMMON_FORMATS.iter().chain(rules.formats())
}

/// Fails for a format that the game does not have.
pub(super) fn known_format<'a, G: Present>(rules: &'a G, format: &str) -> Result<&'a Format, InputError> {
    formats(rules).find(|known| known.id == format).ok_or_else(|| {
        let known: Vec<_> = formats(rules).map(|format| &*format.id).collect();
        let message = format!("{} has no format {format:?}; it has {}", rules.id(), known.join(", "));
        InputError::new(ErrorKind::Unknown, format, message)
    })
}

/// What a code of these rules begins with: nothing for the default variant.
fn prefix<G: Game>(rules: &G) -> String {
    let variant = rules.variant();
    match variant.strip_prefix(rules.id()).and_then(|rest| rest.strip_prefix('+')) {
        Some(options) => format!("{options}:"),
        None => String::new(),
    }
}

/// A position as one of its codes; the reason when it has none of this format.
pub(super) fn encoded<G: Present>(rules: &G, state: &G::State, format: &str) -> Result<String, String> {
    let code = match format {
        // A text names its rules itself.
        "text" => return Ok(rules.format(state)),
        "packed" => format!("0x{}", to_hex(rules.pack(state).as_bytes())),
        "key" => rules.key(state).to_string(),
        _ => rules.encode(state, format).map_err(|error| error.message)?,
    };
    Ok(prefix(rules) + &code)
}

/// No variant has a longer name; without an end, a text of nothing but colons would be read once for each of them.
const MOST_VARIANT: usize = 4096;

/// A code without its prefix, and the rules that the prefix names: the default variant without one.
fn split<'a, G: Present>(usual: &G, code: &'a str) -> Result<(G, &'a str), PositionError> {
    let usual_variant = usual.from_variant(usual.id())?;
    for (at, _) in code.match_indices(':').take_while(|(at, _)| *at <= MOST_VARIANT) {
        let variant = format!("{}+{}", usual.id(), &code[..at].trim_start());
        if let Ok(rules) = usual.from_variant(&variant) {
            return Ok((rules, &code[at + 1..]));
        }
    }
    Ok((usual_variant, code))
}

impl<G: Present> Adapter<G> {
    /// A position from anything the game knows, in the order told at [`crate::AnyGame::parse`].
    pub(crate) fn read(&self, text: &str) -> Result<Position<G>, InputError> {
        let named_or_text = match position_of(&self.rules, text) {
            Ok(position) => return Ok(position),
            Err(error) => error,
        };
        let codes = formats(&self.rules).filter(|format| format.reversible && format.id != "text");
        let (mut found, mut failures) = (None::<(&str, Position<G>)>, Vec::new());
        for format in codes {
            match (self.read_code(text, &format.id), &found) {
                (Ok(position), None) => found = Some((&format.id, position)),
                (Ok(position), Some((other, first))) if !same(first, &position) => {
                    return Err(ambiguous(text, other, &format.id));
                }
                (Ok(_), Some(_)) => {}
                (Err(_), _) if format.id == "packed" && is_no_packed::<G>(text) => {}
                (Err(error), _) => failures.push((&*format.id, error)),
            }
        }
        found.map(|(_, position)| position).ok_or_else(|| nearest(text, named_or_text, failures))
    }

    /// A position from a code of one format.
    pub(crate) fn read_code(&self, code: &str, format: &str) -> Result<Position<G>, InputError> {
        let at = |error: &PositionError, part: &str| {
            let shift = code.len() - part.len();
            let mut error = InputError::position(part, error);
            error.offset = error.offset.map(|offset| offset + shift);
            code.clone_into(&mut error.input);
            error
        };
        let (rules, part) = split(&self.rules, code).map_err(|error| at(&error, code))?;
        match format {
            "packed" => unpack(rules, part).map_err(|error| at(&error, part)),
            "key" => {
                let message = "a key is a hash: the position cannot be read back from it";
                Err(InputError::new(ErrorKind::Unsupported, code, message))
            }
            _ => rules.decode(part, format).map_err(|error| at(&error, part)),
        }
    }
}

fn same<G: Present>(a: &Position<G>, b: &Position<G>) -> bool {
    a.rules.variant() == b.rules.variant() && a.state == b.state
}

/// The refusal of a code that stands for different positions in two formats.
fn ambiguous(input: &str, one: &str, other: &str) -> InputError {
    let message =
        format!("this is a {one} code of one position and a {other} code of another: name the format");
    InputError::new(ErrorKind::Syntax, input, message)
}

/// Of all the ways to read an input that failed, the one it looked most like.
fn nearest(input: &str, text: InputError, codes: Vec<(&str, InputError)>) -> InputError {
    let far = |error: &InputError| (error.kind != ErrorKind::Syntax, error.offset.unwrap_or(0));
    let best = codes.into_iter().max_by_key(|(_, error)| far(error));
    match best {
        Some((format, error)) if far(&error) > far(&text) && looks_like_code(input) => {
            let message = format!("as a {format} code: {}", error.message);
            InputError { message, ..error }
        }
        _ => text,
    }
}

/// Digits of a number, after a variant perhaps.
fn looks_like_code(input: &str) -> bool {
    let code = input.rsplit(':').next().unwrap_or(input).trim();
    code.starts_with("0x") || (code.len() >= 8 && code.chars().all(|c| c.is_ascii_hexdigit()))
}

/// Whether bare digits are too many for any packed form: they are meant as something else, and their error is
/// told as that. (A digit too many is still a packed form that is wrong.)
fn is_no_packed<G: Game>(text: &str) -> bool {
    let digits = text.trim();
    !digits.starts_with("0x") && !digits.contains(':') && digits.len() > 2 * G::Packed::MOST_BYTES + 1
}

/// The position a text describes or names: an opening, a board.
pub(crate) fn position_of<G: Present>(rules: &G, text: &str) -> Result<Position<G>, InputError> {
    match rules.starts().into_iter().find(|start| start.id == text.trim()) {
        Some(named) => Ok(named.position),
        None => rules.parse(text).map_err(|error| InputError::position(text, &error)),
    }
}

/// The position of packed bytes in hexadecimal, under these rules.
fn unpack<G: Present>(rules: G, code: &str) -> Result<Position<G>, PositionError> {
    let digits = code.trim().strip_prefix("0x").unwrap_or(code.trim());
    let shift = code.len() - code.trim_start().len() + usize::from(code.trim().starts_with("0x")) * 2;
    let bytes = from_hex(digits).map_err(|error| error.shifted(shift))?;
    let packed = G::Packed::from_bytes(&bytes).ok_or_else(|| {
        let length = rules.pack(&rules.start()).as_bytes().len();
        let message =
            format!("{} bytes are not a packed position (the start position has {length})", bytes.len());
        PositionError::rule(message)
    })?;
    let state = rules.unpack(&packed)?;
    Ok(Position { rules, state })
}
