//! Channels between threads: those of the standard library, compiled once for whatever goes through them.
//!
//! A channel of its own for every type that is sent would take ten kilobytes of code each, once more for every game.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::mpsc;
pub use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};
use std::time::Duration;

/// What goes through: anything.
type Parcel = Box<dyn Any + Send>;

/// The end of a channel that things are sent into, from as many threads as there are clones.
#[derive(Debug)]
pub struct Sender<T> {
    parcels: mpsc::SyncSender<Parcel>,
    things: PhantomData<fn(T)>,
}

/// The end of a channel that things come out of, in the order in which they were sent.
#[derive(Debug)]
pub struct Receiver<T> {
    parcels: mpsc::Receiver<Parcel>,
    things: PhantomData<fn() -> T>,
}

/// A channel that holds so many things; whoever sends more waits.
pub fn bounded<T: Send + 'static>(room: usize) -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = mpsc::sync_channel(room);
    (Sender { parcels: sender, things: PhantomData }, Receiver { parcels: receiver, things: PhantomData })
}

impl<T: Send + 'static> Sender<T> {
    /// Sends a thing; it comes back where nobody can receive it any more.
    pub fn send(&self, thing: T) -> Result<(), SendError<T>> {
        self.parcels.send(Box::new(thing)).map_err(|SendError(parcel)| SendError(opened(parcel)))
    }

    /// The same for whoever does not wait for room: without any the thing comes back, too.
    pub fn try_send(&self, thing: T) -> Result<(), TrySendError<T>> {
        self.parcels.try_send(Box::new(thing)).map_err(|error| match error {
            TrySendError::Full(parcel) => TrySendError::Full(opened(parcel)),
            TrySendError::Disconnected(parcel) => TrySendError::Disconnected(opened(parcel)),
        })
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        Sender { parcels: self.parcels.clone(), things: PhantomData }
    }
}

impl<T: 'static> Receiver<T> {
    /// The next thing; an error when none is left and nobody can send another.
    pub fn recv(&self) -> Result<T, RecvError> {
        self.parcels.recv().map(opened)
    }

    /// The same for whoever does not wait longer than this.
    pub fn recv_timeout(&self, time: Duration) -> Result<T, RecvTimeoutError> {
        self.parcels.recv_timeout(time).map(opened)
    }

    /// The same for whoever does not wait.
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        self.parcels.try_recv().map(opened)
    }

    /// Everything that is sent, until nobody can send any more.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        std::iter::from_fn(|| self.recv().ok())
    }
}

fn opened<T: 'static>(parcel: Parcel) -> T {
    *parcel.downcast().expect("the other end sends nothing else")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_arrive_in_order_until_nobody_sends() {
        let (sender, receiver) = bounded(2);
        let other = sender.clone();
        std::thread::scope(|scope| {
            scope.spawn(move || (0..100).for_each(|n| sender.send(n).unwrap()));
            let got: Vec<i32> = receiver.iter().take(100).collect();
            assert_eq!(got, (0..100).collect::<Vec<_>>());
        });
        assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
        assert_eq!(receiver.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Timeout));
        drop(other);
        assert_eq!(receiver.recv(), Err(RecvError));
    }

    #[test]
    fn what_nobody_receives_comes_back() {
        let (sender, receiver) = bounded(1);
        assert_eq!(sender.try_send("first"), Ok(()));
        assert_eq!(sender.try_send("no room"), Err(TrySendError::Full("no room")));
        drop(receiver);
        assert_eq!(sender.send("back"), Err(SendError("back")));
        assert_eq!(sender.try_send("back"), Err(TrySendError::Disconnected("back")));
    }
}
