//! The first words on a connection: both sides must be doing the same work.
//!
//! ```text
//! hello   magic "TABIACLU", kind u8 (0 control, 1 data), process u16, then the task as text
//!         in frames: length u32, bytes
//! answer  empty text for welcome, else why not
//! ```

use std::io::{self, Read, Write};

const MAGIC: &[u8; 8] = b"TABIACLU";
/// More than any task or reason takes.
const LONGEST: u32 = 1 << 16;

/// What must be the same in all processes, each with a name: version, game, options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task(Vec<(String, String)>);

impl Task {
    /// A task of this version of Tabia, to which the particulars are added.
    pub fn new(job: &str) -> Self {
        Task(Vec::new()).with("version", env!("CARGO_PKG_VERSION")).with("job", job)
    }

    /// The same with one more particular.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl ToString) -> Self {
        // Tabs and line ends hold the text together.
        let clean = |text: String| text.replace(['\t', '\n', '\r'], " ");
        self.0.push((clean(name.to_owned()), clean(value.to_string())));
        self
    }

    /// One number for all of it; files carry it.
    pub fn fingerprint(&self) -> u32 {
        crc32fast::hash(self.to_text().as_bytes())
    }

    fn to_text(&self) -> String {
        self.0.iter().flat_map(|(name, value)| [name, "\t", value, "\n"]).collect()
    }

    fn parse(text: &str) -> Task {
        let pair = |line: &str| line.split_once('\t').map(|(n, v)| (n.to_owned(), v.to_owned()));
        Task(text.lines().filter_map(pair).collect())
    }

    /// The first particular in which two tasks differ, in words.
    fn difference(&self, theirs: &Task) -> Option<String> {
        let value = |task: &Task, name: &str| {
            task.0.iter().find(|(known, _)| known == name).map_or("nothing".to_owned(), |(_, v)| v.clone())
        };
        let names = self.0.iter().chain(&theirs.0).map(|(name, _)| name);
        names.map(|name| (name, value(self, name), value(theirs, name))).find_map(|(name, ours, theirs)| {
            (ours != theirs).then(|| format!("{name} is {ours} here and {theirs} there"))
        })
    }
}

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Signs of life, failures, what is seen.
    Control = 0,
    /// The work itself.
    Data = 1,
}

/// What somebody who connects says.
pub(crate) struct Hello {
    pub(crate) kind: Kind,
    pub(crate) process: usize,
    task: Task,
}

impl Hello {
    pub(crate) fn new(kind: Kind, process: usize, task: &Task) -> Self {
        Hello { kind, process, task: task.clone() }
    }

    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(self.kind as u8);
        bytes.extend_from_slice(&(self.process as u16).to_le_bytes());
        out.write_all(&bytes)?;
        write_frame(out, self.task.to_text().as_bytes())
    }

    /// Reads a hello; anything else is an error, and its sender nobody of ours.
    pub(crate) fn read(input: &mut impl Read) -> io::Result<Hello> {
        let mut head = [0; 11];
        input.read_exact(&mut head)?;
        let foreign = || io::Error::new(io::ErrorKind::InvalidData, "not a process of a cluster");
        let (magic, rest) = head.split_at(8);
        let kind = match rest.first() {
            Some(0) => Kind::Control,
            Some(1) => Kind::Data,
            _ => return Err(foreign()),
        };
        if magic != MAGIC {
            return Err(foreign());
        }
        let process = usize::from(u16::from_le_bytes([head[9], head[10]]));
        let task = Task::parse(&String::from_utf8_lossy(&read_frame(input)?));
        Ok(Hello { kind, process, task })
    }

    /// Why the other side cannot take part, if it cannot.
    pub(crate) fn differs_from(&self, task: &Task) -> Option<String> {
        task.difference(&self.task)
    }
}

pub(crate) fn write_frame(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let mut frame = (bytes.len() as u32).to_le_bytes().to_vec();
    frame.extend_from_slice(bytes);
    out.write_all(&frame)
}

pub(crate) fn read_frame(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut len = [0; 4];
    input.read_exact(&mut len)?;
    let len = u32::from_le_bytes(len);
    if len > LONGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a frame is too long"));
    }
    let mut bytes = vec![0; len as usize];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hello_is_read_back_and_what_differs_is_named() {
        let task = Task::new("enumerate").with("game", "draughts").with("depth", 9);
        let mut bytes = Vec::new();
        Hello::new(Kind::Data, 3, &task).write(&mut bytes).unwrap();
        let hello = Hello::read(&mut &bytes[..]).unwrap();
        assert_eq!((hello.kind, hello.process), (Kind::Data, 3));
        assert_eq!(hello.differs_from(&task), None);
        let other = Task::new("enumerate").with("game", "chess").with("depth", 9);
        assert_eq!(hello.differs_from(&other).unwrap(), "game is chess here and draughts there");
        assert_ne!(task.fingerprint(), other.fingerprint());
        let more = task.clone().with("goal", "e4");
        assert_eq!(hello.differs_from(&more).unwrap(), "goal is e4 here and nothing there");
    }

    #[test]
    fn strangers_are_not_understood() {
        for bytes in
            [&b"GET / HTTP/1.1\r\n\r\n"[..], b"TABIACLU\x07\0\0\0\0\0\0", b"TABIACLU\0\0\0\xff\xff\xff\xff"]
        {
            assert!(Hello::read(&mut &bytes[..]).is_err());
        }
    }
}
