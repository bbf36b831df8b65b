//! PostgreSQL's binary COPY format, as much of it as the book needs.
//!
//! ```text
//! "PGCOPY\n\xFF\r\n\0"  flags u32  extension u32      once, at the beginning
//! columns u16  { length u32  bytes }                  per row; all big-endian
//! 0xFFFF                                              at the end
//! ```

const HEAD: &[u8; 19] = b"PGCOPY\n\xFF\r\n\0\0\0\0\0\0\0\0\0";

/// A buffer of rows, emptied piece by piece.
pub(crate) struct Copy {
    buffer: Vec<u8>,
    sent: bool,
}

impl Copy {
    pub(crate) fn new() -> Self {
        Copy { buffer: HEAD.to_vec(), sent: false }
    }

    pub(crate) fn len(&self) -> usize {
        self.buffer.len()
    }

    pub(crate) fn row(&mut self, columns: u16) {
        if std::mem::take(&mut self.sent) {
            self.buffer.clear();
        }
        self.buffer.extend_from_slice(&columns.to_be_bytes());
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(&(bytes.len() as u32).to_be_bytes());
        self.buffer.extend_from_slice(bytes);
    }

    pub(crate) fn number(&mut self, number: i64) {
        self.bytes(&number.to_be_bytes());
    }

    /// What has gathered; the next row starts a new piece.
    pub(crate) fn piece(&mut self) -> &[u8] {
        self.sent = true;
        &self.buffer
    }

    /// The last piece.
    pub(crate) fn finish(&mut self) -> &[u8] {
        if std::mem::take(&mut self.sent) {
            self.buffer.clear();
        }
        self.buffer.extend_from_slice(&u16::MAX.to_be_bytes());
        &self.buffer
    }
}
