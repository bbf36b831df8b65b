//! Pictures of any game, made from its view: text for terminals, SVG for everything else.

mod movie;
mod sheet;
mod strip;
mod svg;
mod text;

pub use movie::movie;
pub use sheet::sheet;
pub use strip::strip;
pub use svg::{piece, svg};
pub use text::{TextStyle, text};
