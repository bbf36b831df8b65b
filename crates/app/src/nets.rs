//! The networks that come with the program, trained from games of its own: docs/learning.md says how.
//!
//! In a browser they are files of their own, which are not part of the program: JavaScript puts one in its place when it is needed.

use std::borrow::Cow;

macro_rules! net {
    ($file:literal) => {
        if cfg!(target_family = "wasm") { &[] } else { include_bytes!(concat!("../nets/", $file)) }
    };
}

pub(crate) const ARX: &[u8] = net!("arx.net");
pub(crate) const CHESS: &[u8] = net!("chess.net");
pub(crate) const DRAUGHTS: &[u8] = net!("draughts.net");
pub(crate) const FIVE_VISIBLE: &[u8] = net!("five-visible.net");

/// The bytes of a game's network. What is not in the program was put in its place by JavaScript, or is not there.
pub(crate) fn bytes(game: &str, part: &'static [u8]) -> Cow<'static, [u8]> {
    if part.is_empty() {
        Cow::Owned(tabia_disk::read(format!("/networks/{game}.net")).unwrap_or_default())
    } else {
        Cow::Borrowed(part)
    }
}
