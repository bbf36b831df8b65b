//! Answers, as plain data.

use crate::analyses::Events;
use serde::Serialize;
use std::borrow::Cow;

/// Room for most answers, so that they need not move while they are written.
const ROOM: usize = 4096;

/// What comes back.
#[derive(Debug)]
pub struct Answer {
    /// The status, by the numbers of HTTP.
    pub status: u16,
    /// The media type of the body; empty when there is none.
    pub media: &'static str,
    /// What else there is to say, by the names of HTTP: where something new is, when to ask again.
    pub headers: Vec<(&'static str, String)>,
    /// What was asked for.
    pub body: Body,
}

/// The body of an answer.
#[derive(Debug)]
pub enum Body {
    /// All of it.
    Bytes(Cow<'static, [u8]>),
    /// What there is so far, and what will come.
    Events(Events),
}

/// Something an analysis has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// `report`, `done` or `failed`.
    pub name: &'static str,
    /// JSON.
    pub data: String,
}

impl Event {
    /// A line of JSON: the report itself, or an object that says how it ended.
    pub fn line(&self) -> String {
        match self.name {
            "report" => format!("{}\n", self.data),
            name => format!("{{\"event\":\"{name}\",\"data\":{}}}\n", self.data),
        }
    }
}

impl Answer {
    /// Bytes of some kind.
    pub fn bytes(media: &'static str, bytes: impl Into<Cow<'static, [u8]>>) -> Self {
        Answer { status: 200, media, headers: Vec::new(), body: Body::Bytes(bytes.into()) }
    }

    /// Text of some kind.
    pub fn text(media: &'static str, text: impl Into<String>) -> Self {
        Self::bytes(media, text.into().into_bytes())
    }

    /// A value as JSON.
    pub fn json(status: u16, value: &impl Serialize) -> Self {
        let mut bytes = Vec::with_capacity(ROOM);
        if serde_json::to_writer(&mut bytes, value).is_err() {
            bytes.clear();
        }
        Answer { status, ..Self::bytes("application/json", bytes) }
    }

    /// Nothing but a status.
    pub fn empty(status: u16) -> Self {
        Answer { status, ..Self::bytes("", &[] as &[u8]) }
    }

    /// The same, with something else to say.
    #[must_use]
    pub fn with(mut self, header: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((header, value.into()));
        self
    }
}
