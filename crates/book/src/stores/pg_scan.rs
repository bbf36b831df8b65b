//! All lines of a variant, ascending: page by page from one table, or merged from the shards that Citus made of it.
//!
//! A page of a table that is spread would be asked of every shard, and all but one part of the answers thrown away; and
//! Citus gathers all that a cursor of its own can show before it shows anything. So each shard is read by itself, at the
//! server that has it. Who asks needs the coordinator alone, which passes the question on.

use super::citus::is_distributed;
use super::postgres::PostgresStore;
use crate::hex::hex;
use crate::{Error, Result};
use std::collections::VecDeque;

/// Lines that are asked for at once.
const PAGE: usize = 16_384;
/// The same of a shard: some of each are held at once.
const SHARD_PAGE: usize = 4096;

/// One line of the table.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) key: Vec<u8>,
    pub(super) line: i64,
    pub(super) counts: [i64; 3],
}

/// A part of the table, and where it is.
#[derive(Clone, Debug)]
struct Shard {
    name: String,
    host: String,
    port: i32,
}

/// A part of the table being read.
struct Cursor {
    /// `None` for the whole table.
    shard: Option<Shard>,
    /// What was read last.
    from: (Vec<u8>, i64),
    lines: VecDeque<Entry>,
    over: bool,
}

/// The lines of a variant that are still to come. No connection is held between two of them.
pub(super) struct Lines<'a> {
    store: &'a PostgresStore,
    variant: u8,
    cursors: Vec<Cursor>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(store: &'a PostgresStore, variant: u8) -> Result<Self> {
        let cursor =
            |shard| Cursor { shard, from: (vec![variant], i64::MIN), lines: VecDeque::new(), over: false };
        let cursors = match store.shards()? {
            Some(shards) => shards.into_iter().map(Some).map(cursor).collect(),
            None => vec![cursor(None)],
        };
        Ok(Lines { store, variant, cursors })
    }

    /// The next line.
    pub(super) fn next(&mut self) -> Result<Option<Entry>> {
        for cursor in &mut self.cursors {
            cursor.fill(self.store, self.variant)?;
        }
        let waiting = self.cursors.iter_mut().filter(|cursor| !cursor.lines.is_empty());
        let least = waiting.min_by(|a, b| a.lines.front().cmp(&b.lines.front()));
        Ok(least.and_then(|cursor| cursor.lines.pop_front()))
    }
}

impl Cursor {
    /// Reads on, if there is nothing left.
    fn fill(&mut self, store: &PostgresStore, variant: u8) -> Result<()> {
        if self.over || !self.lines.is_empty() {
            return Ok(());
        }
        let end = vec![variant.saturating_add(1)];
        self.lines = match &self.shard {
            None => store.page(&self.from, &end)?.into(),
            Some(shard) => store.shard_page(shard, &self.from, &end)?.into(),
        };
        match self.lines.back() {
            Some(last) => self.from = (last.key.clone(), last.line),
            None => self.over = true,
        }
        Ok(())
    }
}

impl PostgresStore {
    /// The shards of the table, where it has any.
    fn shards(&self) -> Result<Option<Vec<Shard>>> {
        // One placement of each: copies are alike.
        const SHARDS: &str = "SELECT DISTINCT ON (shardid)
                shard_name(logicalrelid, shardid)::text, nodename::text, nodeport::int
            FROM pg_dist_shard JOIN pg_dist_shard_placement USING (shardid)
            WHERE shardstate = 1 AND logicalrelid = 'tabia_line'::regclass ORDER BY shardid, nodename, nodeport";
        let mut client = self.reading();
        if !is_distributed(&mut client).map_err(|e| self.error(e))? {
            return Ok(None);
        }
        let rows = client.query(SHARDS, &[]).map_err(|e| self.error(e))?;
        let shard = |row: &::postgres::Row| Shard { name: row.get(0), host: row.get(1), port: row.get(2) };
        Ok(Some(rows.iter().map(shard).collect()))
    }

    /// Lines after a (key, line), ascending.
    fn page(&self, from: &(Vec<u8>, i64), end: &Vec<u8>) -> Result<Vec<Entry>> {
        let page = format!(
            "SELECT key, line, wins0, wins1, draws FROM tabia_line
             WHERE (key, line) > ($1, $2) AND key < $3 ORDER BY key, line LIMIT {PAGE}"
        );
        let rows = self.reading().query(&page, &[&from.0, &from.1, end]).map_err(|e| self.error(e))?;
        let line = |row: &::postgres::Row| Entry {
            key: row.get(0),
            line: row.get(1),
            counts: [row.get(2), row.get(3), row.get(4)],
        };
        Ok(rows.iter().map(line).collect())
    }

    /// The same of one shard. What a server is asked for another comes back as one text.
    fn shard_page(&self, shard: &Shard, from: &(Vec<u8>, i64), end: &[u8]) -> Result<Vec<Entry>> {
        const ASK: &str = "SELECT success, result FROM master_run_on_worker(
            ARRAY[$1::text], ARRAY[$2::int], ARRAY[$3::text], false)";
        let Shard { name, host, port } = shard;
        let (key, line, end) = (hex(&from.0), from.1, hex(end));
        let command = format!(
            "SELECT coalesce(string_agg(concat_ws(' ', encode(key, 'hex'), line, wins0, wins1, draws), ','
                ORDER BY key, line), '')
            FROM (SELECT key, line, wins0, wins1, draws FROM {name}
                WHERE (key, line) > (decode('{key}', 'hex'), '{line}'::bigint) AND key < decode('{end}', 'hex')
                ORDER BY key, line LIMIT {SHARD_PAGE}) AS page"
        );
        let answer = self.reading().query_one(ASK, &[host, port, &command]).map_err(|e| self.error(e))?;
        let text = answer.get::<_, Option<String>>(1).unwrap_or_default();
        let failed =
            |reason: &str| Error::database(&self.place, format!("{name} at {host}:{port}: {reason}"));
        if answer.get::<_, Option<bool>>(0) != Some(true) {
            return Err(failed(&text));
        }
        let lines = text.split(',').filter(|line| !line.is_empty());
        lines.map(|line| read_line(line).ok_or_else(|| failed("this is no line of a book"))).collect()
    }
}

/// A line as text: the key in hexadecimal, and four numbers.
fn read_line(text: &str) -> Option<Entry> {
    let mut words = text.split(' ');
    let (pairs, rest) = words.next()?.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let key = pairs.iter().map(byte).collect::<Option<Vec<u8>>>().filter(|_| rest.is_empty())?;
    let numbers: Vec<i64> = words.map(str::parse).collect::<std::result::Result<_, _>>().ok()?;
    let &[line, wins0, wins1, draws] = numbers[..].as_array()?;
    Some(Entry { key, line, counts: [wins0, wins1, draws] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_shard_are_read_and_nothing_else_is() {
        let line = Entry { key: vec![1, 0xAB], line: -16, counts: [1, -2, i64::MAX] };
        assert_eq!(read_line("01ab -16 1 -2 9223372036854775807"), Some(line));
        for wrong in ["", "01ab", "01a 1 2 3 4", "zz 1 2 3 4", "01 1 2 3", "01 1 2 3 4 5", "01 1 2 3 x"] {
            assert_eq!(read_line(wrong), None, "{wrong:?}");
        }
    }
}
