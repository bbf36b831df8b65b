//! One position and what is known about it; everything that costs time is worked out when it is first asked for.

use super::datum::Datum;
use super::expression::Fields;
use super::vocabulary::{Field, Vocabulary};
use std::cell::OnceCell;
use std::sync::OnceLock;
use tabia_core::{Present, Probe, Value};

/// Played games, seen by the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
}

impl Played {
    /// All of them.
    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

/// What all rows of a question share.
pub struct Scope<'a, G: Present> {
    /// The rules.
    pub rules: &'a G,
    /// The names of the game.
    pub vocabulary: &'a Vocabulary,
    /// Exact values, where they are known.
    pub values: Option<&'a dyn Probe<G>>,
    /// The first thing that could not be read; answers after it are worth nothing.
    pub(super) fault: OnceLock<String>,
}

impl<'a, G: Present> Scope<'a, G> {
    /// What questions about a game go by.
    pub fn new(rules: &'a G, vocabulary: &'a Vocabulary, values: Option<&'a dyn Probe<G>>) -> Self {
        Scope { rules, vocabulary, values, fault: OnceLock::new() }
    }

    fn fail<T>(&self, fault: impl std::fmt::Display) -> Option<T> {
        let _ = self.fault.set(fault.to_string());
        None
    }
}

/// How a row comes to its position.
pub type Make<'a, G> = &'a dyn Fn() -> Result<<G as tabia_core::Game>::State, String>;

/// What a source knows about a position without looking at it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    /// The exact value.
    pub value: Option<Value>,
    /// Plies from the start.
    pub ply: Option<u32>,
    /// The line of a file.
    pub line: Option<u64>,
    /// Played games.
    pub played: Option<Played>,
}

/// How many moves have each value.
#[derive(Clone, Copy, Debug, Default)]
struct MoveValues {
    wins: i64,
    draws: i64,
    losses: i64,
    best: i64,
}

/// One position.
pub struct Row<'a, G: Present> {
    scope: &'a Scope<'a, G>,
    make: Make<'a, G>,
    known: Known,
    state: OnceCell<Option<G::State>>,
    value: OnceCell<Option<Value>>,
    text: OnceCell<String>,
    moves: OnceCell<Option<MoveValues>>,
}

impl<'a, G: Present> Row<'a, G> {
    /// A row of which nothing is worked out yet.
    #[inline]
    pub fn new(scope: &'a Scope<'a, G>, known: Known, make: Make<'a, G>) -> Self {
        let value = known.value.map_or_else(OnceCell::new, |value| OnceCell::from(Some(value)));
        Row {
            scope,
            make,
            known,
            value,
            state: OnceCell::new(),
            text: OnceCell::new(),
            moves: OnceCell::new(),
        }
    }

    fn state(&self) -> Option<&G::State> {
        self.state
            .get_or_init(|| (self.make)().or_else(|fault| self.scope.fail(fault).ok_or(())).ok())
            .as_ref()
    }

    /// The position as text.
    pub fn text(&self) -> &str {
        self.text
            .get_or_init(|| self.state().map_or_else(String::new, |state| self.scope.rules.format(state)))
    }

    fn value(&self) -> Option<Value> {
        *self.value.get_or_init(|| self.probe(self.state()?))
    }

    fn probe(&self, state: &G::State) -> Option<Value> {
        let rules = self.scope.rules;
        if let Some(outcome) = rules.settled(state) {
            return Some(outcome.value_for(rules.side(state)));
        }
        self.scope.values?.try_probe(state).or_else(|error| self.scope.fail(error).ok_or(())).ok().flatten()
    }

    fn move_values(&self) -> Option<MoveValues> {
        *self.moves.get_or_init(|| self.valued_moves())
    }

    /// `None` when the value of one of the moves is not known.
    fn valued_moves(&self) -> Option<MoveValues> {
        let (rules, state) = (self.scope.rules, self.state()?);
        let mut moves = Vec::with_capacity(32);
        rules.moves(state, &mut moves);
        let (mut found, mut top) = (MoveValues::default(), None);
        for mv in moves {
            let mut after = state.clone();
            rules.play(&mut after, mv);
            let same = rules.side(&after) == rules.side(state);
            let value = self.probe(&after)?.one_ply_earlier_for(same);
            match value {
                Value::Win(_) => found.wins += 1,
                Value::Draw => found.draws += 1,
                Value::Loss(_) => found.losses += 1,
                Value::Unknown => return None,
            }
            let rank = value.rank();
            if top.is_none_or(|top| rank > top) {
                (top, found.best) = (Some(rank), 0);
            }
            found.best += i64::from(top == Some(rank));
        }
        Some(found)
    }

    fn pieces(&self, sort: u8) -> Option<i64> {
        let (vocabulary, state) = (self.scope.vocabulary, self.state()?);
        let sort = vocabulary.sorts.get(usize::from(sort))?;
        if let Some(count) = self.scope.rules.piece_count(state, sort.side, sort.kind.as_deref()) {
            return Some(i64::from(count));
        }
        let picture = self.scope.rules.picture(state);
        let meant = |piece: &&tabia_core::Piece| {
            (sort.side.is_none() || piece.side == sort.side)
                && sort.kind.as_ref().is_none_or(|kind| *kind == piece.name)
                && !vocabulary.trays.contains(&piece.cell)
        };
        Some(picture.pieces.iter().filter(meant).count() as i64)
    }

    fn played(&self, count: impl FnOnce(Played) -> u64) -> Datum<'_> {
        self.known.played.map_or(Datum::Null, |played| Datum::Int(count(played) as i64))
    }

    fn score(&self) -> Datum<'_> {
        let Some(played) = self.known.played.filter(|played| played.games() > 0) else { return Datum::Null };
        Datum::Double((played.wins as f64 + played.draws as f64 / 2.0) / played.games() as f64)
    }

    fn value_name(&self) -> &'static str {
        let value = self.value().unwrap_or(Value::Unknown);
        match value {
            Value::Win(_) if self.scope.rules.players() == 1 => "solvable",
            Value::Loss(_) if self.scope.rules.players() == 1 => "unsolvable",
            _ => value.name(),
        }
    }

    fn distance(&self) -> Option<i64> {
        let exact = self.scope.values.is_none_or(Probe::has_distances);
        self.value().filter(|_| exact)?.distance().map(i64::from)
    }
}

/// A number, or nothing.
fn number<'a>(number: Option<i64>) -> Datum<'a> {
    number.map_or(Datum::Null, Datum::Int)
}

impl<G: Present> Fields<Field> for Row<'_, G> {
    fn field(&self, field: Field) -> Datum<'_> {
        let rules = self.scope.rules;
        match field {
            Field::Position => Datum::Text(self.text()),
            Field::Value => Datum::Text(self.value_name()),
            Field::Distance => number(self.distance()),
            Field::Side => {
                let side = self.state().map_or(0, |state| rules.side(state).index());
                self.scope.vocabulary.sides.get(side).map_or(Datum::Null, |name| Datum::Text(name))
            }
            Field::Moves => number(self.state().map(|state| rules.count_moves(state) as i64)),
            Field::Over => {
                self.state().map_or(Datum::Null, |state| Datum::Bool(rules.settled(state).is_some()))
            }
            Field::WinningMoves => number(self.move_values().map(|found| found.wins)),
            Field::DrawingMoves => number(self.move_values().map(|found| found.draws)),
            Field::LosingMoves => number(self.move_values().map(|found| found.losses)),
            Field::BestMoves => number(self.move_values().map(|found| found.best)),
            Field::Ply => number(self.known.ply.map(i64::from)),
            Field::Line => number(self.known.line.map(|line| line as i64)),
            Field::Games => self.played(Played::games),
            Field::Wins => self.played(|played| played.wins),
            Field::Draws => self.played(|played| played.draws),
            Field::Losses => self.played(|played| played.losses),
            Field::Score => self.score(),
            Field::Pieces(sort) => number(self.pieces(sort)),
        }
    }
}
