//! Opening game files, compressed or not, with a count of the bytes read from the disk.

use crate::{Error, Result};
use std::io::{BufRead, BufReader, Chain, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tabia_disk::File;

/// A file of games, and what kind of file it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file; `-` is standard input.
    pub path: PathBuf,
    /// The word for its kind: `jsonl`, or one of the game's own.
    pub kind: String,
}

impl Source {
    /// Whether the file is there and can be read.
    pub fn check(&self) -> Result<()> {
        if is_stream(&self.path) {
            return Ok(());
        }
        File::open(&self.path).map_err(Error::io(&self.path))?;
        if tabia_disk::is_dir(&self.path) {
            Err(Error::io(&self.path)(std::io::ErrorKind::IsADirectory.into()))
        } else {
            Ok(())
        }
    }
}

/// The ending of a file name that tells its kind: that of a compressed file is under its own.
pub fn kind_extension(path: &Path) -> Option<String> {
    let ending = |path: &Path| path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match ending(path)?.as_str() {
        "gz" | "zst" => ending(Path::new(path.file_stem()?)),
        other => Some(other.to_owned()),
    }
}

/// Whether this is standard input or a pipe, which can be opened once, and read once.
fn is_stream(path: &Path) -> bool {
    is_standard(path) || tabia_disk::exists(path) && !tabia_disk::is_dir(path) && !tabia_disk::is_file(path)
}

fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The size of a file on disk; 0 where nobody knows it before the end.
pub(crate) fn size(path: &Path) -> Result<u64> {
    if is_stream(path) {
        return Ok(0);
    }
    tabia_disk::size(path).map_err(Error::io(path))
}

/// The size of a file whose bytes are its text; `None` where it is compressed.
pub fn plain_size(path: &Path) -> Result<Option<u64>> {
    let mut head = Vec::new();
    let file = File::open(path).map_err(Error::io(path))?;
    file.take(4).read_to_end(&mut head).map_err(Error::io(path))?;
    if is_gzip(&head) || is_zstd(&head) { Ok(None) } else { size(path).map(Some) }
}

fn is_gzip(head: &[u8]) -> bool {
    head.starts_with(&[0x1F, 0x8B])
}

fn is_zstd(head: &[u8]) -> bool {
    head == [0x28, 0xB5, 0x2F, 0xFD]
}

/// Opens a file; gzip and zstd are known by how they begin, whatever the name.
pub fn open(path: &Path, bytes_read: Arc<AtomicU64>) -> Result<Box<dyn BufRead>> {
    let mut file: Box<dyn Read> = if is_standard(path) {
        Box::new(std::io::stdin())
    } else {
        Box::new(File::open(path).map_err(Error::io(path))?)
    };
    let mut head = Vec::new();
    Read::by_ref(&mut file).take(4).read_to_end(&mut head).map_err(Error::io(path))?;
    let (gzip, zstd) = (is_gzip(&head), is_zstd(&head));
    // A pipe cannot be read from its beginning again.
    let bytes = Cursor::new(head).chain(file);
    let counted = BufReader::with_capacity(1 << 16, Counted { bytes, bytes_read });
    if gzip {
        let reader = flate2::bufread::MultiGzDecoder::new(counted);
        Ok(Box::new(BufReader::with_capacity(1 << 16, reader)))
    } else if zstd {
        Ok(Box::new(BufReader::with_capacity(1 << 16, Frames { source: Some(counted), frame: None })))
    } else {
        Ok(Box::new(counted))
    }
}

struct Counted {
    bytes: Chain<Cursor<Vec<u8>>, Box<dyn Read>>,
    bytes_read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.bytes.read(buffer)?;
        self.bytes_read.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

type Zstd = ruzstd::decoding::StreamingDecoder<BufReader<Counted>, ruzstd::decoding::FrameDecoder>;

/// All frames of a zstd file, one after the other: the decoder itself stops after the first.
struct Frames {
    source: Option<BufReader<Counted>>,
    frame: Option<Zstd>,
}

impl Read for Frames {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                let n = frame.read(buffer)?;
                if n > 0 {
                    return Ok(n);
                }
                self.source = self.frame.take().map(ruzstd::decoding::StreamingDecoder::into_inner);
            }
            let Some(mut source) = self.source.take() else { return Ok(0) };
            if source.fill_buf()?.is_empty() {
                return Ok(0);
            }
            let frame = ruzstd::decoding::StreamingDecoder::new(source).map_err(std::io::Error::other)?;
            self.frame = Some(frame);
        }
    }
}
