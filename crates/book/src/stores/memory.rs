//! A book in memory: for a browser, for tests, and for statistics that nobody keeps.

use crate::kept::{outcome_of, visit_of};
use crate::store::{Commit, FORMAT, FoundVisitor, Reader, RowVisitor, Store, StoreInfo, Variant, fitting};
use crate::{Error, Fingerprint, GameId, KeptGame, Ledger, Result, Row, Visit, VisitVisitor};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock};

const PLACE: &str = "memory";

/// A book that is gone with the last of its clones, which are all the same book.
#[derive(Clone, Default)]
pub struct MemoryStore(Arc<RwLock<Arc<Content>>>);

#[derive(Clone, Default)]
struct Content {
    variants: Vec<Variant>,
    games: BTreeSet<GameId>,
    rows: BTreeMap<Vec<u8>, Row>,
    kept: BTreeMap<GameId, KeptGame>,
    visits: BTreeMap<Vec<u8>, u8>,
}

impl MemoryStore {
    /// A book without games.
    pub fn new() -> Self {
        Self::default()
    }

    /// What is in it now. A scan keeps this, and nobody waits for it.
    fn content(&self) -> Arc<Content> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change<T>(&self, work: impl FnOnce(&mut Content) -> Result<T>) -> Result<T> {
        work(Arc::make_mut(&mut self.0.write().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Reader for MemoryStore {
    fn info(&self) -> Result<StoreInfo> {
        let content = self.content();
        let (games, rows) = (content.games.len() as u64, content.rows.len() as u64);
        Ok(StoreInfo { kind: "memory", place: PLACE.to_owned(), format: FORMAT, games, rows, bytes: 0 })
    }

    fn variants(&self) -> Result<Vec<Variant>> {
        Ok(self.content().variants.clone())
    }

    fn rows(&self, keys: &[Vec<u8>]) -> Result<Vec<Option<Row>>> {
        let content = self.content();
        Ok(keys.iter().map(|key| content.rows.get(key).cloned()).collect())
    }

    fn visit_rows(&self, keys: &[&[u8]], visit: &mut FoundVisitor<'_>) -> Result<()> {
        let content = self.content();
        for (n, key) in keys.iter().enumerate() {
            content.rows.get(*key).into_iter().for_each(|row| visit(n, row));
        }
        Ok(())
    }

    fn scan(&self, variant: u8, visit: &mut RowVisitor<'_>) -> Result<()> {
        let content = self.content();
        let rows = content.rows.range(vec![variant]..).take_while(|(key, _)| key.first() == Some(&variant));
        for (key, row) in rows {
            if visit(key, row).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn known(&self, ids: &[GameId]) -> Result<Vec<bool>> {
        let content = self.content();
        Ok(ids.iter().map(|id| content.games.contains(id)).collect())
    }

    fn visits(&self, key: &[u8], visit: &mut VisitVisitor<'_>) -> Result<()> {
        let missing = || Error::damaged(PLACE, "a game that was kept is missing");
        self.content().visits(key, visit).ok_or_else(missing)
    }

    fn kept(&self, id: GameId) -> Result<Option<KeptGame>> {
        Ok(self.content().kept.get(&id).cloned())
    }
}

impl Content {
    fn visits(&self, position: &[u8], visit: &mut VisitVisitor<'_>) -> Option<()> {
        for (key, &result) in
            self.visits.range(position.to_vec()..).take_while(|(key, _)| key.starts_with(position))
        {
            let Some((id, number)) = visit_of(key, position) else { continue };
            let (game, outcome) = (self.kept.get(&id)?.clone(), outcome_of(result)?);
            if visit(Visit { game, number, outcome }).is_break() {
                break;
            }
        }
        Some(())
    }
}

impl Store for MemoryStore {
    fn enter(&self, name: &str, ours: &Fingerprint, fits: &dyn Fn(&Fingerprint) -> bool) -> Result<Variant> {
        self.change(|content| {
            if let Some(variant) = content.variants.iter().find(|variant| variant.name == name) {
                return fitting(variant.clone(), fits, PLACE.to_owned());
            }
            let number = u8::try_from(content.variants.len() + 1);
            let number = number.map_err(|_| Error::database(PLACE, "too many variants"))?;
            let (name, fingerprint) = (name.to_owned(), ours.clone());
            let variant = Variant { number, name, fingerprint, ledger: Ledger::default() };
            content.variants.push(variant.clone());
            Ok(variant)
        })
    }

    fn commit(&self, commit: Commit<'_>) -> Result<()> {
        // All that can fail comes first.
        let mut more = Vec::new();
        while let Some((key, row)) = commit.rows.next()? {
            more.push((key.to_vec(), row.clone()));
        }
        self.change(|content| {
            let known: Vec<GameId> =
                commit.ids.iter().filter(|id| content.games.contains(id)).copied().collect();
            if !known.is_empty() {
                return Err(Error::AlreadyCounted(known));
            }
            let variant = content.variants.iter_mut().find(|variant| variant.number == commit.variant);
            let missing = || Error::database(PLACE, format!("no variant {}", commit.variant));
            variant.ok_or_else(missing)?.ledger.add(commit.ledger);
            content.games.extend(commit.ids);
            content.kept.extend(commit.kept.games.iter().map(|game| (game.id, game.clone())));
            content.visits.extend(commit.kept.visits.iter().cloned());
            for (key, row) in more {
                content.rows.entry(key).or_default().add(&row);
            }
            Ok(())
        })
    }

    fn keeps_games(&self) -> bool {
        true
    }

    fn longest_key(&self) -> usize {
        usize::MAX
    }

    fn as_reader(&self) -> &dyn Reader {
        self
    }
}
