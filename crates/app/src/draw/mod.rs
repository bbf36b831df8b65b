//! Pictures of any game, made from its view: text for terminals, SVG for everything else.

mod board;
mod movie;
mod sheet;
mod strip;
mod svg;
mod text;

pub use board::{BoardStyle, Canvas, Colour, Colours, Lights, Paint, Place, Size, Spot, board};
pub use movie::movie;
pub use sheet::sheet;
pub use strip::strip;
pub use svg::{piece, svg};
pub use tabia_core::{Cell, Shape};
pub use text::{TextStyle, text};
