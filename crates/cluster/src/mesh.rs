//! Every process connected to every other, before the work begins.
//!
//! Each process listens at its own address and connects to those with smaller numbers: one connection for signs of
//! life, one for the work. Nobody who is not in the list is heard; nobody who does other work is let in.

use crate::error::ClusterError;
use crate::hello::{Hello, Kind, Task, read_frame, write_frame};
use crate::hosts::Hosts;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// The longest between two looks at who has called: all wait for each other in turn, so it is short.
const MOMENT: Duration = Duration::from_millis(1);
/// The longest wait between two calls to somebody who does not answer.
const LONGEST: Duration = Duration::from_millis(20);
/// The longest that somebody who connects may take to say hello.
const HELLO: Duration = Duration::from_secs(2);

/// The connections to all other processes, by their numbers.
pub(crate) struct Mesh {
    pub(crate) control: Vec<Option<TcpStream>>,
    pub(crate) data: Vec<Option<TcpStream>>,
}

/// Connects to all, and waits for all.
pub(crate) fn connect(
    hosts: &Hosts,
    process: usize,
    task: &Task,
    patience: Duration,
) -> Result<Mesh, ClusterError> {
    let none = || (0..hosts.len()).map(|_| None).collect();
    let mut meeting = Meeting {
        hosts,
        process,
        task,
        deadline: Instant::now() + patience,
        patience,
        mesh: Mesh { control: none(), data: none() },
    };
    if hosts.len() > 1 {
        // The place to listen at is there before anybody is waited for.
        let listener = meeting.listen()?;
        for peer in 0..process {
            meeting.call(peer, Kind::Control)?;
            meeting.call(peer, Kind::Data)?;
        }
        meeting.answer_all(&listener)?;
    }
    Ok(meeting.mesh)
}

/// Waits that become longer and longer: most of what is waited for comes soon.
pub(crate) struct Moments {
    next: Duration,
    longest: Duration,
}

impl Moments {
    pub(crate) fn up_to(longest: Duration) -> Self {
        Moments { next: Duration::from_micros(50), longest }
    }

    pub(crate) fn wait(&mut self) {
        std::thread::sleep(self.next);
        self.next = self.longest.min(2 * self.next);
    }
}

struct Meeting<'a> {
    hosts: &'a Hosts,
    process: usize,
    task: &'a Task,
    deadline: Instant,
    patience: Duration,
    mesh: Mesh,
}

impl Meeting<'_> {
    fn listen(&self) -> Result<TcpListener, ClusterError> {
        let bind = || {
            let address = self.hosts.resolve(self.process)?.into_iter().next();
            let address = address.ok_or(io::ErrorKind::AddrNotAvailable)?;
            // A rented machine often does not know the address that others have for it.
            let everywhere = SocketAddr::from((Ipv4Addr::UNSPECIFIED, address.port()));
            let listener = TcpListener::bind(if address.ip().is_loopback() { address } else { everywhere })?;
            listener.set_nonblocking(true)?;
            Ok(listener)
        };
        let address = self.hosts.address(self.process).to_owned();
        bind().map_err(|error| ClusterError::Listen { address, error })
    }

    fn absent(&self, peer: usize) -> ClusterError {
        ClusterError::Absent { peer: self.hosts.name(peer), seconds: self.patience.as_secs() }
    }

    fn refused(&self, peer: usize, message: String) -> ClusterError {
        ClusterError::Refused { peer: self.hosts.name(peer), message }
    }

    /// Connects to a process that listens already, or soon will.
    fn call(&mut self, peer: usize, kind: Kind) -> Result<(), ClusterError> {
        let mut moments = Moments::up_to(LONGEST);
        loop {
            if Instant::now() > self.deadline {
                return Err(self.absent(peer));
            }
            let addresses = self.hosts.resolve(peer).unwrap_or_default();
            let connected =
                addresses.iter().find_map(|address| TcpStream::connect_timeout(address, HELLO).ok());
            let Some(mut stream) = connected else {
                moments.wait();
                continue;
            };
            let left = self.deadline.saturating_duration_since(Instant::now()) + LONGEST;
            let mut ask = || {
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(left))?;
                Hello::new(kind, self.process, self.task).write(&mut stream)?;
                read_frame(&mut stream)
            };
            match ask() {
                Ok(reason) if reason.is_empty() => {
                    self.keep(peer, kind, stream);
                    return Ok(());
                }
                Ok(reason) => return Err(self.refused(peer, String::from_utf8_lossy(&reason).into_owned())),
                // It went away while we spoke: perhaps it is started again.
                Err(_) => moments.wait(),
            }
        }
    }

    /// Waits for all processes with greater numbers.
    fn answer_all(&mut self, listener: &TcpListener) -> Result<(), ClusterError> {
        let mut moments = Moments::up_to(MOMENT);
        loop {
            let missing =
                |peer: &usize| self.mesh.control[*peer].is_none() || self.mesh.data[*peer].is_none();
            let Some(peer) = (self.process + 1..self.hosts.len()).find(missing) else { return Ok(()) };
            if Instant::now() > self.deadline {
                return Err(self.absent(peer));
            }
            match listener.accept() {
                Ok((stream, from)) if self.hosts.allows(from.ip()) => {
                    self.answer(stream)?;
                    // Who has called once calls again at once.
                    moments = Moments::up_to(MOMENT);
                }
                // Not in the list: not a word to it.
                Ok(_) => (),
                Err(_) => moments.wait(),
            }
        }
    }

    fn answer(&mut self, mut stream: TcpStream) -> Result<(), ClusterError> {
        let mut listen = || {
            stream.set_nonblocking(false)?;
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(HELLO))?;
            Hello::read(&mut stream)
        };
        // Whoever says nothing sensible is nobody of ours.
        let Ok(hello) = listen() else { return Ok(()) };
        let (peer, kind) = (hello.process, hello.kind);
        if peer <= self.process || peer >= self.hosts.len() {
            let _ =
                write_frame(&mut stream, format!("there is no room for a process {peer} here").as_bytes());
            return Ok(());
        }
        if let Some(reason) = hello.differs_from(self.task) {
            // There it is read the other way round; both numbers are in the words.
            let _ =
                write_frame(&mut stream, format!("as process {} sees it, {reason}", self.process).as_bytes());
            return Err(self.refused(peer, reason));
        }
        if write_frame(&mut stream, &[]).is_ok() {
            self.keep(peer, kind, stream);
        }
        Ok(())
    }

    fn keep(&mut self, peer: usize, kind: Kind, stream: TcpStream) {
        let list = match kind {
            Kind::Control => &mut self.mesh.control,
            Kind::Data => &mut self.mesh.data,
        };
        if let Some(place) = list.get_mut(peer) {
            *place = Some(stream);
        }
    }
}
