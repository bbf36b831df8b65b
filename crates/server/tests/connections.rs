//! Clients on a real socket that are slow, silent or gone: none of them holds anything.

mod support;

use std::net::SocketAddr;
use std::time::Duration;
use support::server_of;
use tabia_server::{Config, Limits, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Long after everything should have happened.
const NEVER: Duration = Duration::from_secs(60);
const SOON: Duration = Duration::from_millis(100);
const ASK: &[u8] = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";

struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
    _folder: tempfile::TempDir,
}

async fn running(limits: Limits) -> Running {
    let (server, folder) = server_of(Config { limits, ..Config::default() });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let stopped = async {
        let _ = stopped.await;
    };
    let task = tokio::spawn(async move { serve(&server, listener, stopped).await.unwrap() });
    Running { address, stop, task, _folder: folder }
}

impl Running {
    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// Sends something and reads until the server closes.
    async fn ask(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect().await;
        stream.write_all(bytes).await.unwrap();
        rest(&mut stream).await
    }
}

async fn rest(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    // A server that gives a client up may reset the connection.
    let _ = tokio::time::timeout(NEVER, stream.read_to_end(&mut text)).await.expect("the server closes");
    String::from_utf8_lossy(&text).into_owned()
}

async fn eventually<F: Future<Output = bool>>(what: &str, mut holds: impl FnMut() -> F) {
    for _ in 0..1200 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never: {what}");
}

#[tokio::test]
async fn whoever_does_not_finish_a_request_is_given_up() {
    let server = running(Limits { header_time: SOON, ..Limits::default() }).await;
    for beginning in ["", "GET /heal", "GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-slow:"] {
        let answer = server.ask(beginning.as_bytes()).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{beginning:?}: {answer}");
    }
    assert!(server.ask(ASK).await.ends_with("ok\n"));
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let server = running(Limits { request_time: SOON, ..Limits::default() }).await;
    let head = "POST /api/v1/analyses HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{";
    let answer = server.ask(head.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("application/problem+json"), "{answer}");
}

#[tokio::test]
async fn there_are_only_so_many_connections_and_a_freed_place_is_taken() {
    let server = running(Limits { connections: 1, header_time: NEVER, ..Limits::default() }).await;
    let silent = server.connect().await;
    tokio::time::sleep(SOON).await;
    let mut waiting = server.connect().await;
    waiting.write_all(ASK).await.unwrap();
    let mut byte = [0];
    assert!(tokio::time::timeout(SOON, waiting.read(&mut byte)).await.is_err(), "there is no place yet");
    drop(silent);
    assert!(rest(&mut waiting).await.ends_with("ok\n"));
}

#[tokio::test]
async fn whoever_does_not_read_is_given_up() {
    let limits = Limits { connections: 1, header_time: NEVER, write_time: SOON, ..Limits::default() };
    let server = running(limits).await;
    let mut deaf = server.connect().await;
    let many = b"GET /api/v1/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(2000);
    let written = tokio::time::timeout(Duration::from_secs(1), deaf.write_all(&many)).await;
    drop(written);
    // The only place is free again, though the deaf client still holds its end.
    assert!(server.ask(ASK).await.ends_with("ok\n"));
    drop(deaf);
}

#[tokio::test]
async fn an_analysis_ends_with_the_connection_of_its_last_listener() {
    let limits = Limits { unheard: Duration::from_millis(20), ..Limits::default() };
    let server = running(limits).await;
    let mut listener = listening(&server).await;
    let mut some = [0; 64];
    assert!(listener.read(&mut some).await.unwrap() > 0);
    drop(listener);
    eventually("no analysis runs", || async {
        let metrics = "GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        server.ask(metrics.as_bytes()).await.contains("tabia_analyses_running 0\n")
    })
    .await;
}

const LONG_QUESTION: &[u8] =
    b"GET /api/v1/games/chess/solve?method=proof&time=20 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";

async fn is_at_work(server: &Running) -> bool {
    let metrics = "GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    !server.ask(metrics.as_bytes()).await.contains("tabia_work_running 0\n")
}

#[tokio::test]
async fn whoever_closes_the_sending_half_still_gets_an_answer() {
    let server = running(Limits::default()).await;
    let question = String::from_utf8_lossy(LONG_QUESTION).replace("time=20", "time=1");
    for ask in [ASK, question.as_bytes()] {
        let mut stream = server.connect().await;
        stream.write_all(ask).await.unwrap();
        stream.shutdown().await.unwrap();
        let answer = rest(&mut stream).await;
        assert!(answer.contains("HTTP/1.1 200 OK\r\n"), "{answer}");
    }
}

#[tokio::test]
async fn a_solver_stops_when_its_client_has_gone() {
    let server = running(Limits::default()).await;
    let mut client = server.connect().await;
    client.write_all(LONG_QUESTION).await.unwrap();
    eventually("the solver works", || is_at_work(&server)).await;
    drop(client);
    // It would work for twenty seconds.
    for _ in 0..200 {
        if !is_at_work(&server).await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the solver works for nobody");
}

#[tokio::test]
async fn stopping_ends_analyses_and_lets_their_listeners_hear_it() {
    let server = running(Limits::default()).await;
    let mut listener = listening(&server).await;
    let mut some = [0; 64];
    assert!(listener.read(&mut some).await.unwrap() > 0);
    server.stop.send(()).unwrap();
    assert!(rest(&mut listener).await.contains("event: done"));
    tokio::time::timeout(NEVER, server.task).await.expect("the server ends").unwrap();
}

/// A connection on which the events of an endless analysis arrive.
async fn listening(server: &Running) -> TcpStream {
    let body = r#"{"game":"chess"}"#;
    let begin = format!(
        "POST /api/v1/analyses HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let begun = server.ask(begin.as_bytes()).await;
    let place = begun.split("\"events\":\"").nth(1).and_then(|rest| rest.split('"').next()).expect(&begun);
    let mut listener = server.connect().await;
    listener.write_all(format!("GET {place} HTTP/1.1\r\nhost: localhost\r\n\r\n").as_bytes()).await.unwrap();
    listener
}
