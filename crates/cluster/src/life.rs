//! Signs of life between processes, and the end of all when one is lost.
//!
//! Timely stops when a connection breaks, but does not say which, and waits for ever for a machine that hangs. So each
//! pair of processes has a second connection: a beat twice a second with the figures of the workers, a farewell at the
//! end, or the reason of a failure.

use crate::error::ClusterError;
use crate::hello::{read_frame, write_frame};
use crate::hosts::Hosts;
use crate::mesh::Moments;
use crate::status::Gauges;
use std::io::ErrorKind;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

const BEAT: u8 = 0;
const FAILED: u8 = 1;
const BYE: u8 = 2;
/// Between two beats.
const PULSE: Duration = Duration::from_millis(500);

/// What a process knows of the others, and they of it.
pub(crate) struct Life {
    hosts: Hosts,
    process: usize,
    /// The figures of all workers of all processes.
    pub(crate) gauges: Vec<Gauges>,
    workers: usize,
    peers: Vec<Option<Mutex<TcpStream>>>,
    failure: Mutex<Option<ClusterError>>,
    failed: AtomicBool,
    /// Everybody has said farewell: connections may end.
    closing: AtomicBool,
    /// Who has said farewell.
    farewells: Vec<AtomicBool>,
}

impl Life {
    /// Begins to listen and to speak.
    pub(crate) fn begin(
        hosts: &Hosts,
        process: usize,
        workers: usize,
        control: Vec<Option<TcpStream>>,
        timeout: Duration,
    ) -> std::io::Result<Arc<Life>> {
        let mut readers = Vec::new();
        for (peer, stream) in control.iter().enumerate() {
            let Some(stream) = stream else { continue };
            stream.set_read_timeout(Some(timeout))?;
            stream.set_write_timeout(Some(Duration::from_secs(1)))?;
            readers.push((peer, stream.try_clone()?));
        }
        let life = Arc::new(Life {
            hosts: hosts.clone(),
            process,
            gauges: std::iter::repeat_with(Gauges::default).take(hosts.len() * workers).collect(),
            workers,
            peers: control.into_iter().map(|stream| stream.map(Mutex::new)).collect(),
            failure: Mutex::new(None),
            failed: AtomicBool::new(false),
            closing: AtomicBool::new(false),
            farewells: std::iter::repeat_with(AtomicBool::default).take(hosts.len()).collect(),
        });
        for (peer, stream) in readers {
            let life = Arc::clone(&life);
            thread::Builder::new()
                .name(format!("hear-{peer}"))
                .spawn(move || life.hear(peer, stream, timeout))?;
        }
        if hosts.len() > 1 {
            let life = Arc::clone(&life);
            thread::Builder::new().name("beat".to_owned()).spawn(move || life.beat())?;
        }
        Ok(life)
    }

    /// The name of another process.
    pub(crate) fn name(&self, process: usize) -> String {
        self.hosts.name(process)
    }

    pub(crate) fn own_workers(&self) -> std::ops::Range<usize> {
        self.process * self.workers..(self.process + 1) * self.workers
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.failed.load(SeqCst)
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.closing.load(SeqCst)
    }

    /// Ends the work; the first reason counts.
    pub(crate) fn fail(&self, error: ClusterError) {
        if self.is_closing() {
            return;
        }
        locked(&self.failure).get_or_insert(error);
        self.failed.store(true, SeqCst);
    }

    /// Why the work ended.
    pub(crate) fn take_failure(&self) -> Option<ClusterError> {
        locked(&self.failure).take()
    }

    fn say(&self, kind: u8, payload: &[u8]) {
        let mut message = vec![kind];
        message.extend_from_slice(payload);
        for peer in self.peers.iter().flatten() {
            // Whoever does not hear this is noticed by his silence.
            let _ = write_frame(&mut *locked(peer), &message);
        }
    }

    /// Tells everybody why this process ends.
    pub(crate) fn tell_failure(&self, error: &ClusterError) {
        self.say(FAILED, error.to_string().as_bytes());
    }

    fn beat(&self) {
        while !self.has_failed() && !self.is_closing() {
            let own = self.gauges.get(self.own_workers()).unwrap_or_default();
            let figures: Vec<u8> = own.iter().flat_map(Gauges::to_bytes).collect();
            self.say(BEAT, &figures);
            thread::sleep(PULSE);
        }
    }

    fn hear(&self, peer: usize, mut stream: TcpStream, timeout: Duration) {
        loop {
            let message = match read_frame(&mut stream) {
                Ok(message) => message,
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    let seconds = timeout.as_secs();
                    return self.fail(ClusterError::Silent { peer: self.name(peer), seconds });
                }
                Err(_) => return self.fail(ClusterError::Lost { peer: self.name(peer) }),
            };
            match message.split_first() {
                Some((&BEAT, figures)) => self.note(peer, figures),
                Some((&FAILED, reason)) => {
                    let message = String::from_utf8_lossy(reason).into_owned();
                    return self.fail(ClusterError::Failed { peer: self.name(peer), message });
                }
                Some((&BYE, _)) => {
                    if let Some(said) = self.farewells.get(peer) {
                        said.store(true, SeqCst);
                    }
                    return;
                }
                _ => return self.fail(ClusterError::Lost { peer: self.name(peer) }),
            }
        }
    }

    fn note(&self, peer: usize, figures: &[u8]) {
        let each = Gauges::default().to_bytes().len();
        let theirs = self.gauges.iter().skip(peer * self.workers).take(self.workers);
        for (gauges, bytes) in theirs.zip(figures.chunks(each)) {
            gauges.copy_from(bytes);
        }
    }

    /// Somebody who has not said farewell yet.
    fn waited_for(&self) -> Option<usize> {
        let mut others = self.peers.iter().zip(&self.farewells);
        others.position(|(stream, said)| stream.is_some() && !said.load(SeqCst))
    }

    /// Says farewell, and waits until everybody has. Whoever is left behind hears why.
    pub(crate) fn farewell(&self, timeout: Duration) -> Result<(), ClusterError> {
        self.say(BYE, &[]);
        let began = Instant::now();
        let mut moments = Moments::up_to(Duration::from_millis(1));
        while let Some(peer) = self.waited_for() {
            if let Some(error) = self.take_failure() {
                return Err(error);
            }
            if began.elapsed() > timeout {
                return Err(ClusterError::Silent { peer: self.name(peer), seconds: timeout.as_secs() });
            }
            moments.wait();
        }
        self.closing.store(true, SeqCst);
        Ok(())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn whoever_does_not_say_farewell_is_named() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let connect = || {
            let theirs = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            (theirs, listener.accept().unwrap().0)
        };
        let ((mut polite, first), (_silent, second)) = (connect(), connect());
        let hosts = Hosts::parse("10.0.0.1:7000\n10.0.0.2:7000\n10.0.0.3:7000").unwrap();
        let control = vec![None, Some(first), Some(second)];
        let life = Life::begin(&hosts, 0, 1, control, Duration::from_secs(60)).unwrap();
        write_frame(&mut polite, &[BYE]).unwrap();
        let error = life.farewell(Duration::from_secs(1)).unwrap_err();
        assert_eq!(error.to_string(), "heard nothing from process 2 (10.0.0.3:7000) for 1 s");
    }
}
