//! Games written in Python, as Python sees them; [`tabia_python_game`] makes them games like the others.

mod class;
mod law;

pub(crate) use class::{PythonGame, rules_of};
pub(crate) use law::check;
