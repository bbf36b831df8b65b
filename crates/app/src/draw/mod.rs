//! Pictures of any game, made from its view: text for terminals, SVG for everything else.

mod svg;
mod text;

pub use svg::svg;
pub use text::{TextStyle, text};
