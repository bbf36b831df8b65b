//! Asking a book about positions of one game.

use crate::frame::{Frame, Numberer};
use crate::hex::hex;
use crate::kept::Tally;
use crate::store::Variant;
use crate::{Counts, Error, GameFilter, KeptGame, Reader, Result, Row};
use std::ops::ControlFlow;
use tabia_core::{Game, Packed, Side, sort_few};

/// Visits that are looked through for games of people, where an engine's games would fill the list.
const LONGEST_SEARCH: usize = 10_000;

/// The order in which moves are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Most games first.
    #[default]
    Games,
    /// Most points per game for the side to move first.
    Score,
    /// Most games won by this player first.
    Wins(Side),
}

/// What to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryOptions {
    /// The order of the moves.
    pub sort: Sort,
    /// Moves played in fewer games are left out, and their number is told.
    pub min_games: u64,
}

impl Default for QueryOptions {
    fn default() -> Self {
        QueryOptions { sort: Sort::Games, min_games: 1 }
    }
}

/// What a book knows about a move, and about the moves that are the same by symmetry.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveStats<M> {
    /// The first of them in the order of the game's list.
    pub mv: M,
    /// The others.
    pub same: Vec<M>,
    /// Games that played one of them here.
    pub played: Counts,
    /// Games that reached the resulting position, by any road.
    pub reached: Counts,
    /// The share of the games that met the position which played it.
    pub share: f64,
}

/// What a book knows about a position.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionStats<M> {
    /// The side to move, whose score and win rate are meant.
    pub side: Side,
    /// Games that met the position.
    pub totals: Counts,
    /// The moves, each class once.
    pub moves: Vec<MoveStats<M>>,
    /// Moves with games that were left out because of `min_games`.
    pub hidden: u64,
}

/// A book as the book of one game.
pub struct Book<'a, G: Game> {
    rules: &'a G,
    reader: &'a dyn Reader,
    variant: Option<Variant>,
}

impl<'a, G: Game> Book<'a, G> {
    /// The rows of this game with these options. A book without any answers that it knows nothing.
    pub fn new(rules: &'a G, reader: &'a dyn Reader) -> Result<Self> {
        let name = rules.variant();
        let variant = reader.variants()?.into_iter().find(|v| v.name == name);
        if variant.as_ref().is_some_and(|v| !v.fingerprint.fits(rules)) {
            return Err(Error::Encoding { place: reader.info()?.place, variant: name });
        }
        Ok(Book { rules, reader, variant })
    }

    /// The rules it was opened with.
    pub fn rules(&self) -> &'a G {
        self.rules
    }

    /// The store behind it.
    pub fn reader(&self) -> &'a dyn Reader {
        self.reader
    }

    /// What was counted for this game; `None` when nothing was.
    pub fn variant(&self) -> Option<&Variant> {
        self.variant.as_ref()
    }

    fn number(&self) -> u8 {
        self.variant.as_ref().map_or(0, |v| v.number)
    }

    fn key(&self, packed: &G::Packed) -> Vec<u8> {
        [&[self.number()], packed.as_bytes()].concat()
    }

    /// What the book knows about a position.
    pub fn query(&self, state: &G::State, options: QueryOptions) -> Result<PositionStats<G::Move>> {
        self.query_among(state, options, None)
    }

    /// The games of a position that the book kept and a filter takes: some of them, those of people before those of an
    /// engine with itself, each in the order of their ids.
    pub fn games(&self, state: &G::State, filter: &GameFilter, most: usize) -> Result<Vec<KeptGame>> {
        let (mut people, mut selfplay): (Vec<KeptGame>, Vec<KeptGame>) = (Vec::new(), Vec::new());
        if self.variant.is_none() || most == 0 {
            return Ok(people);
        }
        let key = self.key(&Frame::of(self.rules, state).packed);
        let mut seen = 0;
        self.reader.visits(&key, &mut |visit| {
            seen += 1;
            let games = if visit.game.is_selfplay() { &mut selfplay } else { &mut people };
            let again = games.last().is_some_and(|last| last.id == visit.game.id);
            if !again && games.len() < most && filter.takes(&visit.game) {
                games.push(visit.game);
            }
            let enough = people.len() == most || selfplay.len() == most && seen >= LONGEST_SEARCH;
            if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        people.extend(selfplay);
        people.truncate(most);
        Ok(people)
    }

    /// The start and the moves of a kept game; `None` where its moves were not kept. Moves that are the same by
    /// symmetry are told as the first of them.
    pub fn replay(&self, game: &KeptGame) -> Result<Option<(G::State, Vec<G::Move>)>> {
        let Some(kept) = &game.moves else { return Ok(None) };
        let start = G::Packed::from_bytes(&kept.start).and_then(|packed| self.rules.unpack(&packed).ok());
        let replayed = start.and_then(|start| {
            let (mut state, mut numberer) = (start.clone(), Numberer::new(self.rules));
            let (mut legal, mut moves) = (Vec::new(), Vec::new());
            for &number in &kept.numbers {
                legal.clear();
                self.rules.moves(&state, &mut legal);
                let numbers = numberer.numbers(&Frame::of(self.rules, &state), &legal);
                let mv = legal[numbers.iter().position(|known| *known == Some(number))?];
                self.rules.play(&mut state, mv);
                moves.push(mv);
            }
            Some((start, moves))
        });
        let damaged = || format!("the moves of game {} are not legal", game.id);
        match replayed {
            Some(replayed) => Ok(Some(replayed)),
            None => Err(Error::damaged(self.reader.info()?.place, damaged())),
        }
    }

    /// The row of a position as the kept games that a filter takes make it.
    fn kept_row(&self, key: &[u8], filter: &GameFilter) -> Result<Row> {
        let mut tally = Tally::default();
        self.reader.visits(key, &mut |visit| {
            if filter.takes(&visit.game) {
                tally.add(&visit);
            }
            ControlFlow::Continue(())
        })?;
        Ok(tally.into_row())
    }

    /// The same among all games, or among the kept games that a filter takes. How often the resulting positions were
    /// reached is always told of all games.
    pub fn query_among(
        &self,
        state: &G::State,
        options: QueryOptions,
        filter: Option<&GameFilter>,
    ) -> Result<PositionStats<G::Move>> {
        let frame = Frame::of(self.rules, state);
        let mut classes = self.classes(state, &frame);
        // All keys in one buffer: that of the position, and those of the positions that its moves lead to.
        let (number, size) = (1 + classes.len(), 1 + frame.packed.as_bytes().len());
        let (mut keys, mut ends) = (Vec::with_capacity(number * size), Vec::with_capacity(number));
        let mut push = |packed: &G::Packed| {
            keys.push(self.number());
            keys.extend_from_slice(packed.as_bytes());
            ends.push(keys.len());
        };
        push(&frame.packed);
        for class in &mut classes {
            let child = self.child(state, class.mv);
            push(&child.packed);
            class.swaps = child.swaps();
        }
        let mut from = 0;
        let keys: Vec<&[u8]> = ends.iter().map(|&to| &keys[std::mem::replace(&mut from, to)..to]).collect();
        let mut row = Row::default();
        if self.variant.is_some() {
            self.reader.visit_rows(&keys, &mut |n, found| match n.checked_sub(1) {
                None => row.clone_from(found),
                Some(n) => classes[n].reached = found.totals.swapped(classes[n].swaps),
            })?;
            if let Some(filter) = filter {
                row = self.kept_row(keys[0], filter)?;
            }
        }
        self.check_numbers(&row, &classes, keys[0])?;
        let totals = row.totals.swapped(frame.swaps());
        let stats = classes.into_iter().map(|Class { number, mv, same, reached, .. }| {
            let played = counts_of(&row, number).swapped(frame.swaps());
            let share = if totals.total() == 0 { 0.0 } else { played.total() as f64 / totals.total() as f64 };
            MoveStats { mv, same, played, reached, share }
        });
        Ok(select(self.rules.side(state), totals, stats.collect(), options))
    }

    /// The legal moves of a position in the order of the game's list, those that are the same by symmetry together.
    fn classes(&self, state: &G::State, frame: &Frame<G>) -> Vec<Class<G::Move>> {
        let mut moves = Vec::new();
        self.rules.moves(state, &mut moves);
        let numbers = Numberer::new(self.rules).numbers(frame, &moves);
        let mut classes: Vec<Class<G::Move>> = Vec::with_capacity(moves.len());
        for (number, mv) in numbers.into_iter().zip(moves).filter_map(|(n, mv)| Some((n?, mv))) {
            match classes.iter_mut().find(|class| class.number == number) {
                Some(class) => class.same.push(mv),
                None => classes.push(Class {
                    number,
                    mv,
                    same: Vec::new(),
                    swaps: false,
                    reached: Counts::default(),
                }),
            }
        }
        classes
    }

    fn child(&self, state: &G::State, mv: G::Move) -> Frame<G> {
        let mut next = state.clone();
        self.rules.play(&mut next, mv);
        Frame::of(self.rules, &next)
    }

    /// A number that no legal move has would be games that are silently not shown.
    fn check_numbers(&self, row: &Row, classes: &[Class<G::Move>], key: &[u8]) -> Result<()> {
        let unknown = row.moves.iter().find(|(n, _)| !classes.iter().any(|class| class.number == *n));
        match unknown {
            None => Ok(()),
            Some((number, _)) => {
                let place = self.reader.info()?.place;
                let reason = format!("key {} has a move {number} that is not legal", hex(key));
                Err(Error::damaged(place, reason))
            }
        }
    }
}

/// Moves that are the same by symmetry.
struct Class<M> {
    number: u64,
    /// The first of them in the order of the game's list, and the others.
    mv: M,
    same: Vec<M>,
    /// Whether the players change places in the frame of the resulting position.
    swaps: bool,
    /// Games that reached that position.
    reached: Counts,
}

fn counts_of(row: &Row, number: u64) -> Counts {
    let at = row.moves.binary_search_by_key(&number, |&(n, _)| n);
    at.map_or_else(|_| Counts::default(), |at| row.moves[at].1)
}

fn select<M>(
    side: Side,
    totals: Counts,
    mut moves: Vec<MoveStats<M>>,
    options: QueryOptions,
) -> PositionStats<M> {
    let all = moves.iter().filter(|m| m.played.total() > 0).count();
    moves.retain(|m| m.played.total() >= options.min_games);
    let shown = moves.iter().filter(|m| m.played.total() > 0).count();
    // What is equal stays in the order of the game's list.
    sort_few(&mut moves, |a, b| {
        let games = || b.played.total().cmp(&a.played.total());
        match options.sort {
            Sort::Games => games(),
            Sort::Score => b.played.score(side).total_cmp(&a.played.score(side)).then_with(games),
            Sort::Wins(side) => b.played.wins(side).cmp(&a.played.wins(side)).then_with(games),
        }
    });
    PositionStats { side, totals, moves, hidden: (all - shown) as u64 }
}
