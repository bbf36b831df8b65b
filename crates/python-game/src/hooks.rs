//! The inventor's class: which questions it answers, and what it says about itself.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use tabia_core::{DrawRules, Name};

/// A bound method of the inventor's object.
pub(super) type Hook = Py<PyAny>;

/// The methods.
pub(super) struct Hooks {
    pub(super) start: Hook,
    pub(super) side: Hook,
    pub(super) moves: Hook,
    pub(super) play: Hook,
    pub(super) outcome: Hook,
    pub(super) pack: Hook,
    pub(super) unpack: Option<Hook>,
    pub(super) text: Option<Hook>,
    pub(super) parse: Option<Hook>,
    pub(super) move_text: Option<Hook>,
    pub(super) symmetries: Option<Hook>,
    pub(super) map_state: Option<Hook>,
    pub(super) map_move: Option<Hook>,
    pub(super) swaps: Option<Hook>,
    pub(super) cells: Option<Hook>,
    pub(super) steps: Option<Hook>,
    pub(super) evaluate: Option<Hook>,
}

/// The methods that every game has, with what they take and give.
const NEEDED: &str = "start(), side(position), moves(position), play(position, move), outcome(position) and \
                      pack(position)";

impl Hooks {
    pub(super) fn of(game: &Bound<'_, PyAny>) -> PyResult<Self> {
        let kind = kind(game)?;
        if game.is_instance_of::<PyType>() {
            let name = game.cast::<PyType>()?.name()?;
            return Err(PyTypeError::new_err(format!("{name} is a class: give an object of it, {name}()")));
        }
        let optional = |name: &str| -> PyResult<Option<Hook>> {
            match game.getattr_opt(name)? {
                Some(hook) if hook.is_callable() => Ok(Some(hook.unbind())),
                Some(hook) if hook.is_none() => Ok(None),
                Some(_) => Err(PyTypeError::new_err(format!("{kind}.{name} is not a method"))),
                None => Ok(None),
            }
        };
        let needed = |name: &str| -> PyResult<Hook> {
            let missing =
                || PyTypeError::new_err(format!("{kind} has no method {name}; a game has {NEEDED}"));
            optional(name)?.ok_or_else(missing)
        };
        Ok(Hooks {
            start: needed("start")?,
            side: needed("side")?,
            moves: needed("moves")?,
            play: needed("play")?,
            outcome: needed("outcome")?,
            pack: needed("pack")?,
            unpack: optional("unpack")?,
            text: optional("text")?,
            parse: optional("parse")?,
            move_text: optional("move_text")?,
            symmetries: optional("symmetries")?,
            map_state: optional("map_state")?,
            map_move: optional("map_move")?,
            swaps: optional("swaps")?,
            cells: optional("cells")?,
            steps: optional("steps")?,
            evaluate: optional("evaluate")?,
        })
    }
}

/// What the class says about itself in attributes; everything has a default.
pub(super) struct About {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) rules: String,
    pub(super) sides: Vec<Name>,
    pub(super) players: u8,
    pub(super) draws: DrawRules,
}

impl About {
    pub(super) fn of(game: &Bound<'_, PyAny>) -> PyResult<Self> {
        let name = attribute::<String>(game, "name")?.map_or_else(|| kind(game), Ok)?;
        let id = attribute::<String>(game, "id")?.unwrap_or_else(|| id_of(&name));
        if id.is_empty() || id != id_of(&id) {
            let message = format!("the id of a game is lower-case letters, digits and hyphens, not {id:?}");
            return Err(PyValueError::new_err(message));
        }
        let players = attribute::<u8>(game, "players")?.unwrap_or(2);
        if !(1..=2).contains(&players) {
            return Err(PyValueError::new_err(format!("a game has one player or two, not {players}")));
        }
        let sides: Option<Vec<String>> = attribute(game, "sides")?;
        let sides = sides.unwrap_or_else(|| (0..players).map(|side| format!("player {side}")).collect());
        if sides.len() != usize::from(players) {
            let message = format!("{players} players have {players} names, not {}", sides.len());
            return Err(PyValueError::new_err(message));
        }
        let draws = DrawRules {
            repetitions: attribute(game, "repetitions")?,
            quiet_plies: None,
            total_plies: attribute(game, "longest")?,
        };
        let rules = documentation(game)?;
        Ok(About { id, name, rules, sides: sides.into_iter().map(Name::Owned).collect(), players, draws })
    }
}

/// The name of the class.
fn kind(game: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(game.get_type().name()?.to_string())
}

fn attribute<'py, T>(game: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    let Some(value) = game.getattr_opt(name)?.filter(|value| !value.is_none()) else { return Ok(None) };
    let wrong = || format!("{}.{name} cannot be {}", game.get_type(), value);
    value.extract().map(Some).map_err(|_| PyTypeError::new_err(wrong()))
}

/// The documentation of the class, without its indentation: the rules in words.
fn documentation(game: &Bound<'_, PyAny>) -> PyResult<String> {
    let doc = game.get_type().getattr("__doc__")?;
    if doc.cast::<PyString>().is_err() {
        return Ok(String::new());
    }
    game.py().import("inspect")?.call_method1("cleandoc", (doc,))?.extract()
}

/// Words, or a class name in camel case, as an id: `TicTacToe` is `tic-tac-toe`.
fn id_of(name: &str) -> String {
    let mut id = String::new();
    let mut after_small = false;
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            if c.is_ascii_uppercase() && after_small {
                id.push('-');
            }
            id.push(c.to_ascii_lowercase());
        } else if !id.is_empty() && !id.ends_with('-') {
            id.push('-');
        }
        after_small = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    id.trim_end_matches('-').to_owned()
}
