//! Rows that one thread makes while another writes them.

use crate::{Error, Increments, Result, Row};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use tabia_core::threads;

/// Rows that travel together.
const CHUNK: usize = 2048;
/// Chunks that may be on their way.
const CHUNKS: usize = 4;

#[derive(Default)]
struct Chunk {
    keys: Vec<u8>,
    ends: Vec<usize>,
    /// There may be more than there are keys: rows of before, whose memory is used again.
    rows: Vec<Row>,
}

impl Chunk {
    fn clear(&mut self) {
        self.keys.clear();
        self.ends.clear();
    }

    fn push(&mut self, key: &[u8], row: &Row) {
        let n = self.ends.len();
        self.keys.extend_from_slice(key);
        self.ends.push(self.keys.len());
        match self.rows.get_mut(n) {
            Some(used) => used.clone_from(row),
            None => self.rows.push(row.clone()),
        }
    }
}

/// Does something with rows that another thread makes meanwhile.
pub(super) fn with_rows_ahead<T>(
    mut rows: impl Increments + Send,
    work: impl FnOnce(&mut dyn Increments) -> Result<T>,
) -> Result<T> {
    if !threads::AVAILABLE {
        return work(&mut rows);
    }
    std::thread::scope(|scope| {
        let (to_reader, chunks) = sync_channel::<Result<Chunk>>(CHUNKS);
        let (to_maker, used) = channel::<Chunk>();
        scope.spawn(move || make(&mut rows, &to_reader, &used));
        work(&mut Ahead { chunks, to_maker, chunk: Chunk::default(), next: 0, over: false })
    })
}

fn make(rows: &mut dyn Increments, to_reader: &SyncSender<Result<Chunk>>, used: &Receiver<Chunk>) {
    loop {
        let mut chunk = used.try_recv().unwrap_or_default();
        chunk.clear();
        while chunk.ends.len() < CHUNK {
            match rows.next() {
                Ok(Some((key, row))) => chunk.push(key, row),
                Ok(None) => break,
                Err(error) => {
                    // Nobody listens after a failure, which is told elsewhere.
                    let _ = to_reader.send(Err(error));
                    return;
                }
            }
        }
        // An empty chunk is the last.
        let is_last = chunk.ends.is_empty();
        if to_reader.send(Ok(chunk)).is_err() || is_last {
            return;
        }
    }
}

/// The rows as they come.
struct Ahead {
    chunks: Receiver<Result<Chunk>>,
    to_maker: Sender<Chunk>,
    chunk: Chunk,
    next: usize,
    over: bool,
}

impl Increments for Ahead {
    fn next(&mut self) -> Result<Option<(&[u8], &Row)>> {
        if self.next == self.chunk.ends.len() && !self.over {
            let gone = |_| Error::Game("the thread that merges rows is gone".to_owned());
            let chunk = self.chunks.recv().map_err(gone)??;
            let used = std::mem::replace(&mut self.chunk, chunk);
            // The other thread may have ended.
            let _ = self.to_maker.send(used);
            (self.next, self.over) = (0, self.chunk.ends.is_empty());
        }
        let Some(&end) = self.chunk.ends.get(self.next) else { return Ok(None) };
        let from = self.next.checked_sub(1).map_or(0, |before| self.chunk.ends[before]);
        self.next += 1;
        Ok(Some((&self.chunk.keys[from..end], &self.chunk.rows[self.next - 1])))
    }
}
