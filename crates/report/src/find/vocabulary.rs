//! The fields of a row, and the names by which a game's questions know them.

use super::compile::Names;
use super::datum::Type;
use tabia_core::{Present, Shape, Side};

/// A field of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The position as text.
    Position,
    /// Who is to move.
    Side,
    /// How many legal moves there are.
    Moves,
    /// Whether the game is over.
    Over,
    /// Who wins.
    Value,
    /// How soon.
    Distance,
    /// Moves that win.
    WinningMoves,
    /// Moves that draw.
    DrawingMoves,
    /// Moves that lose.
    LosingMoves,
    /// Moves that no other beats.
    BestMoves,
    /// Plies from the start.
    Ply,
    /// The line of the file.
    Line,
    /// Played games.
    Games,
    /// Of them, won by the side to move.
    Wins,
    /// Of them, drawn.
    Draws,
    /// Of them, lost.
    Losses,
    /// Points for each game.
    Score,
    /// Pieces of the sort with this number ([`Vocabulary::sorts`]).
    Pieces(u8),
}

/// Where positions come from, which decides what is known about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Tables of exact values.
    Tables,
    /// A book of played games.
    Book,
    /// Everything that can be reached.
    Enumerate,
    /// A file with a position on each line.
    File,
}

impl Origin {
    /// All of them.
    pub const ALL: [Origin; 4] = [Origin::Tables, Origin::Book, Origin::Enumerate, Origin::File];

    /// Its word on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Origin::Tables => "tables",
            Origin::Book => "book",
            Origin::Enumerate => "enumerate",
            Origin::File => "FILE",
        }
    }
}

/// What is said about a field.
#[derive(Clone, Copy, Debug)]
pub struct FieldInfo {
    /// The field.
    pub field: Field,
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: Type,
    /// What it means.
    pub about: &'static str,
    /// Whether it comes from exact values.
    pub exact: bool,
    /// The only origin that has it; `None` for all.
    pub only: Option<Origin>,
}

const fn plain(field: Field, name: &'static str, kind: Type, about: &'static str) -> FieldInfo {
    FieldInfo { field, name, kind, about, exact: false, only: None }
}

const fn exact(field: Field, name: &'static str, kind: Type, about: &'static str) -> FieldInfo {
    FieldInfo { exact: true, ..plain(field, name, kind, about) }
}

const fn only(
    origin: Origin,
    field: Field,
    name: &'static str,
    kind: Type,
    about: &'static str,
) -> FieldInfo {
    FieldInfo { only: Some(origin), ..plain(field, name, kind, about) }
}

/// All fields but the pieces.
pub const FIELDS: [FieldInfo; 17] = [
    plain(Field::Position, "position", Type::Text, "the position as text"),
    plain(Field::Side, "side", Type::Text, "who is to move, in small letters"),
    plain(Field::Moves, "moves", Type::Int, "how many legal moves there are"),
    plain(Field::Over, "over", Type::Bool, "whether the game is over"),
    exact(
        Field::Value,
        "value",
        Type::Text,
        "win, draw or loss for the side to move (solvable or unsolvable in a game for one); unknown",
    ),
    exact(Field::Distance, "distance", Type::Int, "plies to the end with best play; null for a draw"),
    exact(Field::WinningMoves, "winning_moves", Type::Int, "moves that win (that stay solvable)"),
    exact(Field::DrawingMoves, "drawing_moves", Type::Int, "moves that draw"),
    exact(Field::LosingMoves, "losing_moves", Type::Int, "moves that lose (that spoil the solution)"),
    exact(Field::BestMoves, "best_moves", Type::Int, "moves that no other beats, distances counted"),
    only(Origin::Enumerate, Field::Ply, "ply", Type::Int, "the fewest plies from the start"),
    only(Origin::File, Field::Line, "line", Type::Int, "the line of the file, from 1"),
    only(Origin::Book, Field::Games, "games", Type::Int, "played games that met the position"),
    only(Origin::Book, Field::Wins, "wins", Type::Int, "of them, won by the side to move"),
    only(Origin::Book, Field::Draws, "draws", Type::Int, "of them, drawn"),
    only(Origin::Book, Field::Losses, "losses", Type::Int, "of them, lost by the side to move"),
    only(
        Origin::Book,
        Field::Score,
        "score",
        Type::Double,
        "points for each game: 1 for a win of the side to move, 0.5 for a draw",
    ),
];

/// A sort of pieces: whose, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sort {
    /// What it is called: `white king`, `king`, `white`.
    pub name: String,
    /// Whose; `None` for anybody's.
    pub side: Option<Side>,
    /// What; `None` for every kind.
    pub kind: Option<String>,
}

/// The names that questions about one game may use.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    /// Where the positions come from.
    pub origin: Origin,
    /// Whether exact values are known.
    pub exact: bool,
    /// The players' names in small letters.
    pub sides: Vec<String>,
    /// The sorts of pieces.
    pub sorts: Vec<Sort>,
    /// The cells beside the board: what waits there is not on it.
    pub trays: Vec<String>,
}

impl Vocabulary {
    /// The names of a game.
    pub fn of<G: Present>(rules: &G, origin: Origin, exact: bool) -> Self {
        let sides: Vec<String> = rules.info().sides.iter().map(|name| name.to_lowercase()).collect();
        let tray = |cell: &tabia_core::Cell| cell.shape == Shape::Tray;
        let trays = rules.geometry().cells.into_iter().filter(tray).map(|cell| cell.id).collect();
        Vocabulary { origin, exact, sorts: sorts(rules, &sides), sides, trays }
    }

    fn unknown_pieces(&self, name: &str) -> String {
        let known: Vec<String> = self.sorts.iter().map(|sort| format!("{:?}", sort.name)).collect();
        format!("no pieces are called {name:?}; there are {}", known.join(", "))
    }
}

/// Every sort of piece that the game names, and both sides' of each.
fn sorts<G: Present>(rules: &G, sides: &[String]) -> Vec<Sort> {
    let mut kinds: Vec<String> = rules.piece_words().iter().map(|(name, _)| (*name).to_owned()).collect();
    let pieces = rules.picture(&rules.start()).pieces;
    for piece in &pieces {
        if !kinds.iter().any(|kind| *kind == piece.name) {
            kinds.push(piece.name.to_string());
        }
    }
    let owned = pieces.iter().any(|piece| piece.side.is_some());
    let owners: Vec<Option<usize>> =
        std::iter::once(None).chain((0..sides.len()).filter(|_| owned).map(Some)).collect();
    let mut sorts = Vec::new();
    for owner in owners {
        let side = owner.and_then(|index| Side::ALL.get(index).copied());
        let word = owner.and_then(|index| sides.get(index));
        for kind in std::iter::once(None).chain(kinds.iter().map(Some)) {
            let name: Vec<&str> = [word, kind].into_iter().flatten().map(String::as_str).collect();
            if !name.is_empty() {
                sorts.push(Sort { name: name.join(" ").to_lowercase(), side, kind: kind.cloned() });
            }
        }
    }
    sorts
}

impl Names<Field> for Vocabulary {
    fn field(&self, name: &str) -> Result<(Field, Type), String> {
        let Some(info) = FIELDS.iter().find(|info| info.name == name) else {
            let known: Vec<&str> = FIELDS.iter().map(|info| info.name).collect();
            return Err(match name {
                "pieces" => "pieces takes the name of a piece: pieces(\"king\")".to_owned(),
                _ => format!("no field is called {name}; there are {} and pieces(\"...\")", known.join(", ")),
            });
        };
        match info.only {
            Some(origin) if origin != self.origin => {
                Err(format!("{name} is only known with --in {}", origin.name()))
            }
            _ if info.exact && !self.exact => {
                Err(format!("{name} needs exact values, which only tables or a solved game have"))
            }
            _ => Ok((info.field, info.kind)),
        }
    }

    fn call(&self, function: &str, argument: Option<&str>) -> Option<Result<(Field, Type), String>> {
        if function != "pieces" {
            return None;
        }
        let Some(argument) = argument else {
            return Some(Err("pieces takes the name of a piece: pieces(\"king\")".to_owned()));
        };
        let wanted = argument.to_lowercase();
        let place = self.sorts.iter().position(|sort| sort.name == wanted);
        let place = place.and_then(|place| u8::try_from(place).ok());
        Some(place.map_or_else(
            || Err(self.unknown_pieces(argument)),
            |place| Ok((Field::Pieces(place), Type::Int)),
        ))
    }
}

impl Vocabulary {
    /// The name of a field, as it stands in answers.
    pub fn name_of(&self, field: Field) -> String {
        if let Field::Pieces(place) = field {
            let name = self.sorts.get(usize::from(place)).map_or("", |sort| &sort.name);
            return format!("pieces({name:?})");
        }
        FIELDS.iter().find(|info| info.field == field).map_or_else(String::new, |info| info.name.to_owned())
    }
}
