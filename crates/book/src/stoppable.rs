//! A book whose scans end when they are told to.

use crate::store::{FoundVisitor, RowVisitor};
use crate::{Error, GameId, KeptGame, Reader, Result, Row, StoreInfo, Variant, VisitVisitor};
use std::ops::ControlFlow;
use tabia_core::Stop;

/// A reader that gives up a scan with [`Error::Stopped`] once a switch is thrown.
pub struct Stoppable<'a> {
    /// The book.
    pub reader: &'a dyn Reader,
    /// The switch.
    pub stop: &'a Stop,
}

impl Reader for Stoppable<'_> {
    fn info(&self) -> Result<StoreInfo> {
        self.reader.info()
    }

    fn variants(&self) -> Result<Vec<Variant>> {
        self.reader.variants()
    }

    fn rows(&self, keys: &[Vec<u8>]) -> Result<Vec<Option<Row>>> {
        self.reader.rows(keys)
    }

    fn visit_rows(&self, keys: &[&[u8]], visit: &mut FoundVisitor<'_>) -> Result<()> {
        self.reader.visit_rows(keys, visit)
    }

    fn scan(&self, variant: u8, visit: &mut RowVisitor<'_>) -> Result<()> {
        self.reader.scan(variant, &mut |key, row| {
            if self.stop.is_stopped() { ControlFlow::Break(()) } else { visit(key, row) }
        })?;
        if self.stop.is_stopped() { Err(Error::Stopped) } else { Ok(()) }
    }

    fn known(&self, ids: &[GameId]) -> Result<Vec<bool>> {
        self.reader.known(ids)
    }

    fn visits(&self, key: &[u8], visit: &mut VisitVisitor<'_>) -> Result<()> {
        self.reader.visits(key, &mut |met| {
            if self.stop.is_stopped() { ControlFlow::Break(()) } else { visit(met) }
        })?;
        if self.stop.is_stopped() { Err(Error::Stopped) } else { Ok(()) }
    }

    fn kept(&self, id: GameId) -> Result<Option<KeptGame>> {
        self.reader.kept(id)
    }

    fn at_one_moment(&self, work: &mut dyn FnMut() -> Result<()>) -> Result<()> {
        self.reader.at_one_moment(work)
    }

    fn has_moments(&self) -> Result<bool> {
        self.reader.has_moments()
    }
}
