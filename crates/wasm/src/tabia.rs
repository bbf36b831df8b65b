//! Everything that answers, as JavaScript sees it.

use crate::host::{self, WorkerHost};
use js_sys::Function;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tabia_api::{Api, Body, Book, Events, Limits, Next, Request, Settings};
use tabia_app::book::KeptStore;
use tabia_app::{PerftRequest, Registry, Stop, Watch};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

/// Where tables are kept that can be built again.
const CACHE: &str = "/cache";
/// Where the book is kept.
const BOOK: &str = "/book";
/// The longest anything may take; JavaScript ends workers that nobody waits for.
const LONG: Duration = Duration::from_hours(24);
const LIMITS: Limits = Limits {
    position_bytes: 4096,
    moves: 2000,
    answer_time: LONG,
    answer_memory: 512 << 20,
    analyses: 1,
    analysis_memory: 64 << 20,
    analysis_time: LONG,
    unheard: LONG,
};

thread_local! {
    /// The analysis that is listened to, and who listens.
    static FOLLOWED: RefCell<Option<(Events, Function)>> = const { RefCell::new(None) };
}

/// Answers the requests of the HTTP API.
#[wasm_bindgen]
pub struct Tabia {
    api: Api,
    host: Arc<WorkerHost>,
}

/// An answer.
#[wasm_bindgen]
pub struct Answered {
    status: u16,
    media: &'static str,
    body: Vec<u8>,
}

#[wasm_bindgen]
impl Answered {
    /// The status, by the numbers of HTTP.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The media type; empty when there is no body.
    #[wasm_bindgen(getter)]
    pub fn media(&self) -> String {
        self.media.to_owned()
    }

    /// What was asked for.
    #[wasm_bindgen(getter)]
    pub fn body(&self) -> Vec<u8> {
        self.body.clone()
    }
}

#[wasm_bindgen]
impl Tabia {
    /// The five games, with the files that were put in their places before.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Tabia {
        #[cfg(target_family = "wasm")]
        tell_panics();
        let cache = Some(PathBuf::from(CACHE));
        let registry = Registry::standard()
            .with_settings(tabia_app::Settings { cache, ..tabia_app::Settings::default() });
        let book = match KeptStore::open(Path::new(BOOK)) {
            Ok(store) => Book::writable(Box::new(store)),
            Err(error) => Book::missing(error.to_string()),
        };
        let host = Arc::new(WorkerHost::default());
        let api = Api::new(Settings { registry, book, limits: LIMITS }, Arc::clone(&host) as _);
        Tabia { api, host }
    }

    /// The answer to a request: method, path with its query, media type of the body, body.
    pub fn answer(&self, method: &str, address: &str, media: &str, body: Vec<u8>) -> Answered {
        self.host.tick();
        let request =
            Request { method: method.to_owned(), media: media.to_owned(), body, ..Request::get(address) };
        let answer = self.api.answer(&request, &Stop::new());
        let body = match answer.body {
            Body::Bytes(bytes) => bytes.into_owned(),
            // Whoever wants events follows them.
            Body::Events(_) => Vec::new(),
        };
        Answered { status: answer.status, media: answer.media, body }
    }

    /// Lends the function that hears how far long work has come: stage, done, total or null, unit.
    pub fn watch(&self, watcher: Option<Function>) {
        host::watch(watcher);
    }

    /// Has a function hear everything an analysis says: the name of the event, and its data as JSON.
    pub fn follow(&self, analysis: u32, listener: Function) -> Result<(), JsError> {
        let request = Request::get(&format!("/api/v1/analyses/{analysis}/events"));
        let Body::Events(mut events) = self.api.answer(&request, &Stop::new()).body else {
            return Err(JsError::new(&format!("there is no analysis {analysis}")));
        };
        events.on_change(hear);
        FOLLOWED.set(Some((events, listener)));
        hear();
        Ok(())
    }

    /// Whether a request has left long work to do.
    #[wasm_bindgen(js_name = hasWork)]
    pub fn has_work(&self) -> bool {
        self.host.has_work()
    }

    /// Does the long work; it ends when it is done, or with the worker.
    pub fn work(&self) {
        self.host.work();
    }

    /// The number of move sequences of a length.
    pub fn perft(&self, game: &str, position: &str, depth: u32) -> Result<u64, JsError> {
        let registry = Registry::standard();
        let game = registry.find(game)?;
        let position = if position.is_empty() { game.start() } else { game.parse(position)? };
        let request = PerftRequest { depth, threads: 1, ..PerftRequest::default() };
        Ok(position.counting().perft(&request, &Watch::nobody())?.nodes.0 as u64)
    }
}

impl Default for Tabia {
    fn default() -> Self {
        Tabia::new()
    }
}

/// A panic ends the program with a trap. Its words are left where JavaScript finds them (`tabiaPanicked`); a trap
/// without words is memory that was not there.
#[cfg(target_family = "wasm")]
fn tell_panics() {
    std::panic::set_hook(Box::new(|info| {
        let words = JsValue::from_str(&info.to_string());
        let _ = js_sys::Reflect::set(&js_sys::global(), &"tabiaPanicked".into(), &words);
    }));
}

/// Passes on what the analysis has said.
fn hear() {
    FOLLOWED.with_borrow_mut(|followed| {
        let Some((events, listener)) = followed else { return };
        while let Next::Event(event) = events.take() {
            let (name, data) = (JsValue::from_str(event.name), JsValue::from_str(&event.data));
            // Whoever listens badly must not disturb the work.
            let _ = listener.call2(&JsValue::NULL, &name, &data);
        }
    });
}
