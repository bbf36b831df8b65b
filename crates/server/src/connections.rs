//! Connections: so many at a time, and none is held by a client that does not speak or does not listen.
//!
//! | a client that ... | is given up after |
//! |---|---|
//! | connects and sends nothing, or its request drop by drop | [`Limits::header_time`] |
//! | sends its body drop by drop | [`Limits::request_time`], as any request without an answer |
//! | does not read its answer | [`Limits::write_time`] |
//!
//! A client that has closed its sending half may be waiting for its answer, or gone; both look alike until
//! something is sent. It gets an interim response, which every client skips: whoever is gone refuses that.

use crate::observe::handle;
use crate::serve::Ending;
use crate::state::Shared;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Sleep;

/// How long open answers may take to end after the server was asked to stop.
const FAREWELL: Duration = Duration::from_secs(5);
/// The pause after the system refused a connection, for want of descriptors say.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers until `stop` comes, then lets open answers end.
pub(crate) async fn serve(listener: TcpListener, server: &Shared, mut stop: Ending<'_>) {
    let limits = server.config.limits;
    let places = Arc::new(Semaphore::new(limits.connections));
    let open = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.header_time).half_close(true);
    loop {
        let (stream, place) = tokio::select! {
            arrived = next(&listener, &places) => arrived,
            () = &mut stop => break,
        };
        let stream = TokioIo::new(Patient::new(stream, limits.write_time));
        let server = Shared::clone(server);
        let answering = service_fn(move |request: Request<Incoming>| {
            let answer = handle(Shared::clone(&server), request.map(Body::new));
            async { Ok::<_, Infallible>(answer.await) }
        });
        let connection = http.serve_connection(stream, answering);
        let connection = open.watch(connection);
        tokio::spawn(async move {
            let _place = place;
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
    drop(listener);
    if tokio::time::timeout(FAREWELL, open.shutdown()).await.is_err() {
        tracing::warn!("some answers were cut off");
    }
}

/// The next client, when there is a place for it; others wait at the door.
async fn next(listener: &TcpListener, places: &Arc<Semaphore>) -> (TcpStream, Option<OwnedSemaphorePermit>) {
    let place = Arc::clone(places).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Reports of an analysis are small, and must not wait for more.
                let _ = stream.set_nodelay(true);
                return (stream, place);
            }
            Err(error) => {
                tracing::debug!(%error, "no connection");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// What finds out whether a client that sends no more still listens.
const INTERIM: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";
/// How often a connection whose client sends no more is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// A stream that fails when nothing could be written for some time, or when the client is gone.
struct Patient {
    stream: TcpStream,
    patience: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
    /// Whether an answer is awaited by a client that knows interim responses.
    awaited: bool,
    /// The next look at a client that sends no more.
    look: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn new(stream: TcpStream, patience: Duration) -> Self {
        Patient { stream, patience, stalled: None, awaited: false, look: None }
    }

    /// Notes that a request has come.
    fn heard(&mut self, bytes: &[u8]) {
        let first_line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        self.awaited |= first_line.ends_with(b" HTTP/1.1\r");
    }

    /// Notices when the client sends no more: nobody reads from it while its answer is worked on.
    fn listen(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        let mut byte = [0];
        if self.look.is_none() && self.stream.poll_peek(cx, &mut ReadBuf::new(&mut byte))? == Poll::Ready(0) {
            if self.awaited {
                // Whether it could be sent shows at the next look.
                let _ = self.stream.try_write(INTERIM);
            }
            self.look = Some(Box::pin(tokio::time::sleep(LOOK)));
        }
        Ok(())
    }

    /// Fails when a client that sends no more has refused what was sent to it.
    fn check(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        self.listen(cx)?;
        while let Some(look) = &mut self.look {
            if look.as_mut().poll(cx).is_pending() {
                break;
            }
            if let Some(error) = self.stream.take_error()? {
                return Err(error);
            }
            self.look = Some(Box::pin(tokio::time::sleep(LOOK)));
        }
        Ok(())
    }

    fn watch<T>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            (self.stalled, self.awaited) = (None, false);
            return written;
        }
        let patience = self.patience;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        ready!(stalled.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        self.heard(buffer.filled().get(before..).unwrap_or_default());
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Patient {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watch(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.watch(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check(cx)?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
