//! What is seen of a cluster: a line for each worker, `/metrics`, and a table at the end.

use super::places::{Here, Places};
use crate::args::Common;
use crate::output;
use anyhow::Context;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tabia_app::cluster::{Figure, Gauges, metrics};

/// Who looks at the workers.
pub(super) struct Seen {
    bars: MultiProgress,
    lines: Vec<ProgressBar>,
    began: Instant,
    last: (Instant, Vec<u64>),
    quiet: bool,
    /// This process's workers, by number.
    own: std::ops::Range<usize>,
    page: Arc<Mutex<String>>,
    /// The last figures of all workers.
    figures: Vec<[u64; Figure::ALL.len()]>,
}

impl Seen {
    pub(super) fn new(common: &Common, here: &Here, places: &Places) -> anyhow::Result<Self> {
        let hidden = common.quiet || here.cluster.process != 0;
        let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let (workers, process) = (here.cluster.workers, here.cluster.process);
        let page = Arc::new(Mutex::new(String::new()));
        if let Some(address) = &places.metrics {
            serve(address, Arc::clone(&page))?;
        }
        Ok(Seen {
            bars: MultiProgress::with_draw_target(target),
            lines: Vec::new(),
            began: Instant::now(),
            last: (Instant::now(), Vec::new()),
            quiet: hidden,
            own: process * workers..(process + 1) * workers,
            page,
            figures: Vec::new(),
        })
    }

    /// Takes the figures of all workers.
    pub(super) fn look(&mut self, gauges: &[Gauges]) {
        let all = |worker: &Gauges| Figure::ALL.map(|(figure, ..)| worker.get(figure));
        self.figures = gauges.iter().map(all).collect();
        let own: Vec<(usize, &Gauges)> =
            gauges.iter().enumerate().filter(|(worker, _)| self.own.contains(worker)).collect();
        *self.page.lock().unwrap_or_else(PoisonError::into_inner) = metrics(&own);
        self.draw();
    }

    fn draw(&mut self) {
        if self.bars.is_hidden() || self.last.0.elapsed() < Duration::from_millis(500) {
            return;
        }
        let style =
            ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_spinner());
        while self.lines.len() < self.figures.len() {
            self.lines.push(self.bars.add(ProgressBar::no_length().with_style(style.clone())));
        }
        let passed = self.last.0.elapsed().as_secs_f64();
        let positions: Vec<u64> =
            self.figures.iter().map(|figures| figures[Figure::Positions as usize]).collect();
        for (worker, (line, figures)) in self.lines.iter().zip(&self.figures).enumerate() {
            let before = self.last.1.get(worker).copied().unwrap_or(0);
            let rate = positions[worker].saturating_sub(before) as f64 / passed;
            let get = |figure: Figure| figures[figure as usize];
            line.set_message(format!(
                "worker {worker:>3}  level {:>4}  {:>15} positions  {:>9}/s  {:>6} MB  sent {:>8} MB",
                get(Figure::Level),
                output::grouped(get(Figure::Positions)),
                output::rate(rate),
                get(Figure::Memory) / 1_000_000,
                output::grouped(get(Figure::WireBytes) / 1_000_000),
            ));
        }
        self.last = (Instant::now(), positions);
    }

    /// Wipes the lines.
    pub(super) fn end(&mut self) {
        self.lines.clear();
        let _ = self.bars.clear();
    }

    /// Says where time and bytes went.
    pub(super) fn table(&self) {
        if !self.quiet && self.figures.len() > 1 {
            output::message(self.text().trim_end());
        }
    }

    fn text(&self) -> String {
        let mut out = format!(
            "{:>6} {:>15} {:>8} {:>8} {:>8} {:>8} {:>8} {:>13} {:>10} {:>10}\n",
            "worker",
            "positions",
            "find s",
            "take s",
            "sort s",
            "wait s",
            "CPU s",
            "records",
            "sent MB",
            "disk MB"
        );
        let mut sums = [0; Figure::ALL.len()];
        for (worker, figures) in self.figures.iter().enumerate() {
            sums.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure);
            line(&mut out, &worker.to_string(), figures);
        }
        line(&mut out, "all", &sums);
        let get = |figure: Figure| sums[figure as usize] as f64;
        let busy = get(Figure::Produce) + get(Figure::Consume) + get(Figure::Between);
        let share = busy / (busy + get(Figure::Wait)).max(1.0);
        let record = get(Figure::RecordBytes) / get(Figure::Records).max(1.0);
        let workers = self.figures.len() as f64;
        let _ = writeln!(
            out,
            "{:.2} s on the clock; {record:.2} bytes a record; {:.0} % of the time was work: {workers} workers did as \
             much as {:.1} without waiting",
            self.began.elapsed().as_secs_f64(),
            100.0 * share,
            workers * share
        );
        out
    }
}

fn line(out: &mut String, name: &str, figures: &[u64; Figure::ALL.len()]) {
    let get = |figure: Figure| figures[figure as usize];
    let seconds = |figure| get(figure) as f64 / 1e9;
    let _ = writeln!(
        out,
        "{name:>6} {:>15} {:>8.2} {:>8.2} {:>8.2} {:>8.2} {:>8.2} {:>13} {:>10.1} {:>10.1}",
        output::grouped(get(Figure::Positions)),
        seconds(Figure::Produce),
        seconds(Figure::Consume),
        seconds(Figure::Between),
        seconds(Figure::Wait),
        seconds(Figure::Cpu),
        output::grouped(get(Figure::Records)),
        get(Figure::WireBytes) as f64 / 1e6,
        get(Figure::Disk) as f64 / 1e6,
    );
}

/// Answers `GET /metrics`, in a thread that ends with the process.
fn serve(address: &str, page: Arc<Mutex<String>>) -> anyhow::Result<()> {
    let listener = TcpListener::bind(address).with_context(|| format!("--metrics {address}"))?;
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut asked = [0; 1024];
            let _ = stream.set_read_timeout(Some(Duration::from_secs(2)));
            let count = stream.read(&mut asked).unwrap_or(0);
            let found = asked[..count].starts_with(b"GET /metrics ");
            let body = if found {
                page.lock().unwrap_or_else(PoisonError::into_inner).clone()
            } else {
                String::new()
            };
            let status = if found { "200 OK" } else { "404 Not Found" };
            // Whoever went away needs no answer.
            let _ = write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {}\r\n\
                 Connection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    Ok(())
}
