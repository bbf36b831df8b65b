//! Games on their way into a book: one entry per (position, move) of each, sorted and summed.

use crate::frame::{Frame, Numberer};
use crate::heap::Heap;
use crate::id::IdHasher;
use crate::kept::visit_key;
use crate::{
    Counts, Error, GameId, Increments, Keep, KeptGame, KeptGames, KeptMoves, Ledger, Result, Row, Store,
};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use tabia_core::{Game, Outcome, Packed, Position, Side, trust};

/// The number of an entry that counts the position alone: the game ended there.
const NO_MOVE: u64 = u64::MAX;

/// The largest move number: PostgreSQL keeps sixteen times that in signed columns.
const MAX_NUMBER: u64 = i64::MAX as u64 / 16;

/// One game as it is counted.
pub struct Played<'a, G: Game> {
    /// The id it was given; without one it is known by its moves, result and tags.
    pub id: Option<&'a str>,
    /// Tag pairs.
    pub tags: &'a [(String, String)],
    /// Where it started.
    pub start: &'a Position<G>,
    /// The moves, known to be legal.
    pub moves: &'a [G::Move],
    /// How it ended.
    pub outcome: Outcome,
}

/// What a game did in a position, in the position's canonical frame.
#[derive(Clone, Copy)]
struct Entry<P> {
    packed: P,
    number: u64,
    /// The place of the game in its batch.
    game: u32,
    /// 0 or 1: that player won; 2: a draw.
    result: u8,
    /// Set for the game's first visit to the position.
    first: bool,
}

struct Counted {
    id: GameId,
    /// The tags that are kept.
    tags: Vec<(String, String)>,
    /// The start and the numbers of the moves, where they are kept.
    moves: Option<(Vec<u8>, Vec<u64>)>,
    outcome: Outcome,
    met: u32,
    played: u32,
}

/// Games that will be committed together. All are of one variant.
pub struct Batch<G: Game> {
    games: Vec<Counted>,
    entries: Vec<Entry<G::Packed>>,
    seen: FxHashSet<G::Packed>,
    sorted: bool,
    /// No packed position may be longer.
    longest: usize,
    /// What is kept of each game.
    keep: Keep,
    /// The numbers of the moves of the game that is added now.
    numbers: Vec<u64>,
}

impl<G: Game> Default for Batch<G> {
    fn default() -> Self {
        Batch {
            games: Vec::new(),
            entries: Vec::new(),
            seen: FxHashSet::default(),
            sorted: true,
            longest: usize::MAX,
            keep: Keep::default(),
            numbers: Vec::new(),
        }
    }
}

impl<G: Game> Batch<G> {
    /// No games yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// No games yet, and none that this store could not keep.
    pub fn for_store(store: &dyn Store) -> Self {
        // The first byte of a key is the variant.
        Batch { longest: store.longest_key().saturating_sub(1), ..Self::default() }
    }

    /// The same, with this of each game kept.
    #[must_use]
    pub fn keeping(mut self, keep: &Keep) -> Self {
        self.keep = keep.clone();
        self
    }

    /// What is kept of the games beside their counts; keys begin with `prefix`.
    pub fn kept(&self, prefix: &[u8]) -> KeptGames {
        if self.keep.is_nothing() {
            return KeptGames::default();
        }
        let variant = prefix.first().copied().unwrap_or_default();
        let moves = |(start, numbers): (Vec<u8>, Vec<u64>)| KeptMoves { variant, start, numbers };
        let game = |game: &Counted| KeptGame {
            id: game.id,
            outcome: game.outcome,
            tags: game.tags.clone(),
            moves: game.moves.clone().map(moves),
        };
        let visit = |entry: &Entry<G::Packed>| {
            let game = self.games.get(entry.game as usize)?;
            let position = [prefix, entry.packed.as_bytes()].concat();
            Some((visit_key(&position, game.id, entry.number), entry.result))
        };
        let mut visits: Vec<_> = self.entries.iter().filter_map(visit).collect();
        visits.sort_unstable();
        KeptGames { games: self.games.iter().map(game).collect(), visits }
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The number of (position, move) entries.
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// Bytes of memory one entry takes.
    pub const fn entry_bytes() -> usize {
        size_of::<Entry<G::Packed>>()
    }

    /// The ids, in the order the games were added.
    pub fn ids(&self) -> Vec<GameId> {
        self.games.iter().map(|game| game.id).collect()
    }

    /// What a commit of these games counts.
    pub fn ledger(&self) -> Ledger {
        let mut ledger = Ledger::default();
        for game in &self.games {
            let (met, played) = (u64::from(game.met), u64::from(game.played));
            ledger.add(Ledger { games: Counts::one(game.outcome), met, played });
        }
        ledger
    }

    /// Adds a game. A position or move met again in it counts once.
    pub fn add(&mut self, game: &Played<'_, G>) -> Result<GameId> {
        let before = self.entries.len();
        match self.replay(game) {
            Ok(id) => {
                let added = &self.entries[before..];
                let met = added.iter().filter(|e| e.first).count() as u32;
                let played = added.iter().filter(|e| e.number != NO_MOVE).count() as u32;
                let named = |name: &String| game.tags.iter().find(|(tag, _)| tag == name).cloned();
                let tags = self.keep.tags.iter().filter_map(named).collect();
                let start = || game.start.rules.pack(&game.start.state).as_bytes().to_vec();
                let moves = self.keep.moves.then(|| (start(), std::mem::take(&mut self.numbers)));
                self.games.push(Counted { id, tags, moves, outcome: game.outcome, met, played });
                self.sorted = false;
                Ok(id)
            }
            Err(error) => {
                self.entries.truncate(before);
                Err(error)
            }
        }
    }

    /// Gives the game added last another id.
    pub fn rename_last(&mut self, id: GameId) {
        if let Some(game) = self.games.last_mut() {
            game.id = id;
        }
    }

    /// Forgets the game added last.
    pub fn pop(&mut self) {
        if self.games.pop().is_some() {
            let last = self.games.len() as u32;
            // Entries of the last game are at the end until the batch is sorted.
            if self.sorted {
                self.entries.retain(|e| e.game != last);
            } else {
                while self.entries.last().is_some_and(|e| e.game == last) {
                    self.entries.pop();
                }
            }
        }
    }

    fn replay(&mut self, game: &Played<'_, G>) -> Result<GameId> {
        let rules = &game.start.rules;
        let variant = rules.variant();
        let (mut hasher, given) = (
            IdHasher::game(&variant, game.tags, game.outcome),
            game.id.map(|id| GameId::given(&variant, id)),
        );
        let mut numberer = Numberer::new(rules);
        let mut state = game.start.state.clone();
        self.seen.clear();
        self.numbers.clear();
        let first_entry = self.entries.len();
        for &mv in game.moves {
            let frame = Frame::of(rules, &state);
            let number = numberer.number(&frame, mv).filter(|&number| number <= MAX_NUMBER);
            let Some(number) = number else {
                return Err(Error::Game(format!("{mv:?} is not a legal move of {state:?}")));
            };
            self.push(first_entry, &frame, number, game.outcome)?;
            if self.keep.moves {
                self.numbers.push(number);
            }
            rules.play(&mut state, mv);
            if given.is_none() {
                hasher.position(rules.pack(&state).as_bytes());
            }
        }
        let frame = Frame::of(rules, &state);
        if !self.seen.contains(&frame.packed) {
            self.push(first_entry, &frame, NO_MOVE, game.outcome)?;
        }
        if given.is_none() {
            hasher.position(rules.pack(&game.start.state).as_bytes());
        }
        trust::check(rules)?;
        Ok(given.unwrap_or_else(|| hasher.finish()))
    }

    #[inline]
    fn push(&mut self, first_entry: usize, frame: &Frame<G>, number: u64, outcome: Outcome) -> Result<()> {
        let packed = frame.packed;
        let size = packed.as_bytes().len();
        if size > self.longest {
            let (state, most) = (&frame.state, self.longest);
            let reason =
                format!("{state:?} takes {size} bytes, and this book keeps positions of up to {most}");
            return Err(Error::Game(reason));
        }
        let first = self.seen.insert(packed);
        let again = |e: &Entry<G::Packed>| e.number == number && e.packed == packed;
        if !first && self.entries[first_entry..].iter().any(again) {
            return Ok(());
        }
        let result = match outcome.swapped(frame.swaps()) {
            Outcome::Win(side) => side.index() as u8,
            Outcome::Draw => 2,
        };
        self.entries.push(Entry { packed, number, game: self.games.len() as u32, result, first });
        Ok(())
    }

    /// Takes out games, because they were counted before.
    pub fn remove(&mut self, drop: impl Fn(&GameId) -> bool) {
        self.rename(|_, id| (!drop(&id)).then_some(id));
    }

    /// Gives every game another id, or takes it out. `id` is told the place of the game in the batch, and its id so far.
    pub fn rename(&mut self, mut id: impl FnMut(usize, GameId) -> Option<GameId>) {
        let ids: Vec<Option<GameId>> =
            self.games.iter().enumerate().map(|(place, game)| id(place, game.id)).collect();
        for (game, id) in self.games.iter_mut().zip(&ids) {
            game.id = id.unwrap_or(game.id);
        }
        if ids.iter().all(Option::is_some) {
            return;
        }
        let mut kept = 0;
        let mut place = Vec::with_capacity(ids.len());
        for id in &ids {
            place.push(id.map(|_| kept));
            kept += u32::from(id.is_some());
        }
        self.entries.retain_mut(|e| match place.get(e.game as usize) {
            Some(Some(game)) => {
                e.game = *game;
                true
            }
            _ => false,
        });
        let mut ids = ids.into_iter();
        self.games.retain(|_| ids.next().flatten().is_some());
    }

    /// Puts the entries in the order of their keys.
    pub fn sort(&mut self) {
        if !self.sorted {
            self.entries.sort_unstable_by(|a, b| {
                compare(a.packed.as_bytes(), b.packed.as_bytes()).then(a.number.cmp(&b.number))
            });
            self.sorted = true;
        }
    }

    /// The sums, sorted; keys begin with `prefix`.
    pub fn increments(&mut self, prefix: &[u8]) -> BatchRows<'_, G> {
        BatchRows::new(std::slice::from_mut(self), prefix)
    }
}

/// The rows of sorted batches, added up.
pub struct BatchRows<'a, G: Game> {
    /// What is left of each batch.
    sources: Vec<&'a [Entry<G::Packed>]>,
    /// The batches that have entries left: the one with the least key is on top.
    heap: Heap,
    prefix: usize,
    key: Vec<u8>,
    row: Row,
}

impl<'a, G: Game> BatchRows<'a, G> {
    /// The sums of all batches together.
    pub(crate) fn new(batches: &'a mut [Batch<G>], prefix: &[u8]) -> Self {
        batches.iter_mut().for_each(Batch::sort);
        let sources: Vec<&[Entry<G::Packed>]> = batches.iter().map(|batch| &batch.entries[..]).collect();
        let full = (0..sources.len()).filter(|&n| !sources[n].is_empty());
        let heap = Heap::new(full, |a, b| is_less(&sources, a, b));
        let (key, row) = (prefix.to_vec(), Row::default());
        BatchRows { sources, heap, prefix: prefix.len(), key, row }
    }

    /// Adds what a batch says about the position of its first entry, and takes that from the batch.
    fn take(&mut self, source: usize, packed: G::Packed) {
        let mut taken = 0;
        for entry in self.sources[source].iter().take_while(|e| e.packed == packed) {
            taken += 1;
            let counts = Counts::one(match entry.result {
                0 => Outcome::Win(Side::First),
                1 => Outcome::Win(Side::Second),
                _ => Outcome::Draw,
            });
            if entry.first {
                self.row.totals += counts;
            }
            if entry.number != NO_MOVE {
                self.row.add_move(entry.number, counts);
            }
        }
        let sources = &mut self.sources;
        sources[source] = &sources[source][taken..];
        if sources[source].is_empty() {
            self.heap.pop(|a, b| is_less(sources, a, b));
        } else {
            self.heap.settle(|a, b| is_less(sources, a, b));
        }
    }
}

/// The order of two codes: the first eight bytes, as a number, nearly always tell.
#[inline]
fn compare(a: &[u8], b: &[u8]) -> Ordering {
    match (a.split_first_chunk::<8>(), b.split_first_chunk::<8>()) {
        (Some((a, rest_of_a)), Some((b, rest_of_b))) => {
            u64::from_be_bytes(*a).cmp(&u64::from_be_bytes(*b)).then_with(|| rest_of_a.cmp(rest_of_b))
        }
        _ => a.cmp(b),
    }
}

/// Whether the first position of one batch is below that of another.
#[inline]
fn is_less<P: Packed>(sources: &[&[Entry<P>]], a: usize, b: usize) -> bool {
    match (sources[a].first(), sources[b].first()) {
        (Some(a), Some(b)) => compare(a.packed.as_bytes(), b.packed.as_bytes()).is_lt(),
        _ => false,
    }
}

impl<G: Game> Increments for BatchRows<'_, G> {
    fn next(&mut self) -> Result<Option<(&[u8], &Row)>> {
        let Some(packed) = self.heap.top().and_then(|n| self.sources[n].first()).map(|entry| entry.packed)
        else {
            return Ok(None);
        };
        self.row.clear();
        while let Some(n) =
            self.heap.top().filter(|&n| self.sources[n].first().is_some_and(|e| e.packed == packed))
        {
            self.take(n, packed);
        }
        self.key.truncate(self.prefix);
        self.key.extend_from_slice(packed.as_bytes());
        Ok(Some((&self.key, &self.row)))
    }
}
