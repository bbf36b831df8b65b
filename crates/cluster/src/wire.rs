//! The connection that timely works on: it never breaks in timely's hands.
//!
//! Timely answers a broken connection with a panic. Here it is noted who was lost, and the thread is kept until the
//! process ends: the workers see the note and end with a message.

use crate::error::ClusterError;
use crate::life::Life;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use timely::communication::allocator::zero_copy::stream::Stream;

/// The last thing that timely sends: a header of six numbers that are all zero.
const LAST_HEADER: usize = 48;

pub(crate) struct Wire {
    stream: TcpStream,
    /// Zeros at the end of what was read.
    zeros: usize,
    peer: usize,
    life: Arc<Life>,
}

impl Wire {
    pub(crate) fn new(stream: TcpStream, peer: usize, life: Arc<Life>) -> io::Result<Self> {
        stream.set_read_timeout(None)?;
        Ok(Wire { stream, zeros: 0, peer, life })
    }

    fn note_zeros(&mut self, read: &[u8]) {
        let tail = read.iter().rev().take_while(|byte| **byte == 0).take(LAST_HEADER).count();
        self.zeros = if tail == read.len() { self.zeros + tail } else { tail };
    }

    /// Nothing more comes: the other side is done, or it is lost.
    fn ended(&self) -> usize {
        if self.zeros >= LAST_HEADER || self.life.is_closing() { 0 } else { self.broken() }
    }

    fn broken(&self) -> ! {
        // The connection for signs of life knows more: perhaps there was a reason.
        thread::sleep(Duration::from_millis(50));
        self.life.fail(ClusterError::Lost { peer: self.life.name(self.peer) });
        stay()
    }
}

/// Nothing more is done by this thread.
fn stay() -> ! {
    loop {
        thread::park();
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Ok(0) => return Ok(self.ended()),
                Ok(count) => {
                    self.note_zeros(buffer.get(..count).unwrap_or_default());
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
                Err(_) if self.life.is_closing() => return Ok(0),
                Err(_) => self.broken(),
            }
        }
    }
}

impl Write for Wire {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self.stream.write(buffer) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => self.broken(),
            result => result,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Wire {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Wire { stream: self.stream.try_clone()?, zeros: 0, peer: self.peer, life: Arc::clone(&self.life) })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // Somebody who is gone already needs no word that nothing more comes.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
