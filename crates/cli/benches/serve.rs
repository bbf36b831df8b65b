//! Figures of `tabia serve`: `cargo bench -p tabia-cli`. Words choose parts: `-- load start`.
//!
//! Client and server share the machine, and all times are those of the clock: others that work there show. The client is
//! one thread with 64 connections, each of which asks again as soon as it has read its answer.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tabia_figures::{Figure, Figures, Unit};

const CONNECTIONS: usize = 64;
/// How long each game is asked for in a round, and how many rounds there are.
const ROUND: Duration = Duration::from_secs(2);
const ROUNDS: usize = 3;
/// How often the program is started.
const STARTS: usize = 20;

/// The games, with the thousands of requests a second that are to be reached, and the milliseconds for 99 of 100.
const GAMES: [(&str, f64, Option<f64>); 3] =
    [("draughts", 60.0, Some(2.0)), ("chess", 25.0, None), ("arx", 25.0, None)];

fn main() {
    let mut figures = Figures::new("tabia-cli");
    let folder = tempfile::tempdir().expect("a temporary folder");
    if figures.wanted("load") {
        let server = Server::start(&folder.path().join("load.redb"));
        for (game, rate, slowest) in GAMES {
            load(&mut figures, &server, game, rate, slowest);
        }
    }
    if figures.wanted("start") {
        let first_answer = |number| {
            let begin = Instant::now();
            // A new book each time: the program is killed in the end, and would look through one that it left open.
            let server = Server::start(&folder.path().join(format!("start{number}.redb")));
            Client::new(&server, "draughts").answer();
            begin.elapsed().as_secs_f64() * 1e3
        };
        let times: Vec<f64> = (0..figures.rounds(STARTS)).map(first_answer).collect();
        let figure =
            Figure::new("start", "from the start of `serve` to its first answer", Unit::Milliseconds);
        figures.tell(figure.goal(30.0), &times);
    }
}

/// Asks for the start of a game with its moves, over and over.
fn load(figures: &mut Figures, server: &Server, game: &str, rate: f64, slowest: Option<f64>) {
    let mut clients: Vec<Client> = (0..CONNECTIONS).map(|_| Client::new(server, game)).collect();
    let (mut rates, mut slow, mut costs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..figures.rounds(ROUNDS) {
        let (begin, cpu, mut times) = (Instant::now(), server.cpu_seconds(), Vec::new());
        while begin.elapsed() < ROUND {
            times.extend(clients.iter_mut().map(Client::answer));
        }
        let (seconds, answers) = (begin.elapsed().as_secs_f64(), times.len() as f64);
        times.sort_unstable();
        rates.push(answers / seconds / 1e3);
        slow.push(times[times.len() * 99 / 100].as_secs_f64() * 1e3);
        costs.extend(cpu.zip(server.cpu_seconds()).map(|(from, to)| (to - from) * 1e9 / answers));
    }
    let figure = |name: &str, unit| Figure::new("load", format!("{game} positions over HTTP, {name}"), unit);
    figures.tell(figure("client on the same two cores", Unit::Thousands("answers")).goal(rate), &rates);
    let within = figure("99 of 100 answers on 64 connections within", Unit::Milliseconds);
    figures.tell(slowest.map_or(within.clone(), |slowest| within.goal(slowest)), &slow);
    figures.tell(figure("CPU time of the server for one", Unit::Nanoseconds), &costs);
}

/// The program at work.
struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    fn start(book: &Path) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_tabia"))
            .args(["serve", "--quiet", "--threads", "2", "--listen", "127.0.0.1:0", "--book"])
            .arg(book)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let told = process.stdout.take().expect("its output is piped");
        BufReader::new(told).read_line(&mut line).expect("it says its address");
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/');
        Server { process, address: address.parse().expect("an address") }
    }

    /// Its CPU time, where the system tells.
    fn cpu_seconds(&self) -> Option<f64> {
        let told = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).ok()?;
        let ticks: Vec<f64> =
            told.rsplit(')').next()?.split(' ').skip(12).take(2).filter_map(|n| n.parse().ok()).collect();
        // A hundred a second, whatever the clock of the kernel.
        Some(ticks.iter().sum::<f64>() / 100.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A connection that has asked, and when.
struct Client {
    stream: TcpStream,
    request: Vec<u8>,
    asked: Instant,
    answer: Vec<u8>,
}

impl Client {
    fn new(server: &Server, game: &str) -> Client {
        let stream = TcpStream::connect(server.address).expect("a connection");
        stream.set_nodelay(true).expect("an option of the connection");
        let request =
            format!("GET /api/v1/games/{game}/position HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
        let (request, answer) = (request.into_bytes(), Vec::new());
        let mut client = Client { stream, request, asked: Instant::now(), answer };
        client.ask();
        let length = client.length();
        client.answer.resize(length, 0);
        client.ask();
        client
    }

    fn ask(&mut self) {
        self.asked = Instant::now();
        self.stream.write_all(&self.request).expect("a request");
    }

    /// Reads the first answer: all others are as long as it.
    fn length(&mut self) -> usize {
        let (mut head, mut byte) = (Vec::new(), [0]);
        while !head.ends_with(b"\r\n\r\n") {
            self.stream.read_exact(&mut byte).expect("the head of an answer");
            head.extend(byte);
        }
        let text = String::from_utf8_lossy(&head);
        let length = text.lines().find_map(|line| line.strip_prefix("content-length: ")).expect("a length");
        let mut body = vec![0; length.parse().expect("a number")];
        self.stream.read_exact(&mut body).expect("the body of an answer");
        head.len() + body.len()
    }

    /// Reads the answer, asks again, and tells how long the answer took.
    fn answer(&mut self) -> Duration {
        self.stream.read_exact(&mut self.answer).expect("an answer");
        let took = self.asked.elapsed();
        assert!(self.answer.starts_with(b"HTTP/1.1 200"), "another answer");
        self.ask();
        took
    }
}
