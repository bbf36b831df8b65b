//! Writing a book out.

use super::{BookFailure, Exported, Reader};
use crate::{Adapter, ErrorKind, InputError};
use std::io::Write;
use tabia_book::Book;
use tabia_core::{Notation, Present};

const EXPORTS: &str = "csv, jsonl, codes (the five columns of codes), parquet, polyglot";

/// The format in which a game writes a position with its side to move as one number.
const CODE_FORMAT: &str = "code";

/// What to write out, and how.
#[derive(Clone, Copy, Debug)]
pub struct ExportRequest<'a> {
    /// A position that names the rules, where they are not the usual ones.
    pub pos: Option<&'a str>,
    /// `csv`, `jsonl`, `codes`, `parquet` or `polyglot`.
    pub format: &'a str,
    /// Keep what a format has no use for: moves that only lost, in a Polyglot book.
    pub all: bool,
}

pub(super) fn export<G: Present>(
    adapter: &Adapter<G>,
    reader: &dyn Reader,
    request: ExportRequest<'_>,
    out: &mut dyn Write,
) -> Result<Exported, BookFailure> {
    let ExportRequest { pos, format, all } = request;
    let rules = super::rules_of(adapter, pos)?;
    let book = Book::new(&rules, reader)?;
    let refuse = |kind, message: String| Err(InputError::new(kind, format, message).into());
    match (format, adapter.common.capabilities.polyglot) {
        ("csv", _) => Ok(book.export_csv(out)?),
        ("jsonl", _) => Ok(book.export_jsonl(out)?),
        ("codes", _) if has_codes(&rules) => {
            Ok(book.export_codes(out, &|state| position_code(&rules, state))?)
        }
        ("codes", _) => {
            refuse(ErrorKind::Unsupported, format!("{} has no codes of positions and moves", rules.id()))
        }
        #[cfg(feature = "parquet")]
        ("parquet", _) => Ok(book.export_parquet(out)?),
        #[cfg(not(feature = "parquet"))]
        ("parquet", _) => {
            refuse(ErrorKind::Unsupported, "this program was built without Parquet files".to_owned())
        }
        ("polyglot", Some(entry)) => Ok(book.export_polyglot(out, &entry, all)?),
        ("polyglot", None) => refuse(ErrorKind::Unsupported, format!("{} has no Polyglot books", rules.id())),
        _ => refuse(ErrorKind::Unknown, format!("a book is not exported as {format:?} but as {EXPORTS}")),
    }
}

fn has_codes<G: Notation>(rules: &G) -> bool {
    rules.formats().iter().any(|format| format.id == CODE_FORMAT)
}

fn position_code<G: Notation>(rules: &G, state: &G::State) -> Option<u64> {
    let text = rules.encode(state, CODE_FORMAT).ok()?;
    u64::from_str_radix(text.strip_prefix("0x").unwrap_or(&text), 16).ok()
}
