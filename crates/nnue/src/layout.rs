//! Reading and writing the numbers of our files: little-endian, no further than they go.

use crate::NetError;

/// A reader that never goes beyond the end.
#[derive(Debug)]
pub(crate) struct Input<'a>(pub(crate) &'a [u8]);

impl<'a> Input<'a> {
    /// The next so many bytes.
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], NetError> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or(NetError::Short)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], NetError> {
        self.take(N)?.try_into().map_err(|_| NetError::Short)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, NetError> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, NetError> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, NetError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, NetError> {
        self.array().map(u64::from_le_bytes)
    }

    /// A text after its length in one byte.
    pub(crate) fn text(&mut self) -> Result<String, NetError> {
        let len = self.u8()?;
        let bytes = self.take(usize::from(len))?;
        String::from_utf8(bytes.to_vec()).map_err(|_| NetError::Damaged("a name is not text"))
    }
}

/// Appends a text after its length; texts of more than 255 bytes are cut.
pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    let len = text.len().min(255);
    out.push(len as u8);
    out.extend_from_slice(&text.as_bytes()[..len]);
}

/// Appends the checksum of everything before it.
pub(crate) fn seal(mut out: Vec<u8>) -> Vec<u8> {
    let sum = crc32fast::hash(&out);
    out.extend_from_slice(&sum.to_le_bytes());
    out
}

/// What a checksum at the end seals, if it is right.
pub(crate) fn unsealed(bytes: &[u8]) -> Result<&[u8], NetError> {
    let at = bytes.len().checked_sub(4).ok_or(NetError::Short)?;
    let (body, sum) = bytes.split_at(at);
    if crc32fast::hash(body).to_le_bytes() == sum {
        Ok(body)
    } else {
        Err(NetError::Damaged("its checksum is wrong"))
    }
}
