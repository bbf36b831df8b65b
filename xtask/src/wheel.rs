//! The wheel that users get: small enough, and made smaller.

use crate::python::{build, environment};
use crate::test::target;
use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// For the linker that comes with Rust on this system: equal functions are one, and what is alike lies side by side, which
/// compresses better.
const SORTED: [&str; 3] = ["--", "-Clink-arg=-Wl,--icf=all", "-Clink-arg=-Wl,--bp-compression-sort=both"];

/// The level of compression that takes more time than any other program would, and less than its own usual one: more gains
/// a thousandth.
const ZOPFLI: i64 = 20;

/// Bytes that are compressed at a time, from the same window: each has its own codes, and as many as there are sorts of bytes.
const AT_A_TIME: usize = 1 << 17;

/// What the list of everything a wheel is made of (SBOM) says of each part beside its name, version, origin and licence:
/// anybody finds it by these, and which part asks for which other one, too.
const TOLD_ELSEWHERE: [&str; 5] = ["author", "bom-ref", "description", "externalReferences", "hashes"];

/// Bytes that no wheel may have.
const LARGEST_WHEEL: u64 = 6_000_000;

/// Builds the wheel that users get, with the profile of `pyproject.toml`, and weighs it.
pub(crate) fn wheel(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    let folder = target()?.join("python");
    let python = match environment(&folder, skipped) {
        Ok(python) => python,
        Err(error) => {
            skipped.push(format!("the wheel ({error:#})"));
            return Ok(());
        }
    };
    let options: &[&str] = if cfg!(all(target_os = "linux", target_arch = "x86_64")) { &SORTED } else { &[] };
    let wheel = build(&folder.join("release"), &python, options)?;
    compress(&wheel)?;
    let bytes = std::fs::metadata(&wheel)?.len();
    println!("{}: {:.2} MB", wheel.display(), bytes as f64 / 1e6);
    anyhow::ensure!(bytes < LARGEST_WHEEL, "the wheel has {bytes} bytes, not less than {LARGEST_WHEEL}");
    Ok(())
}

/// Compresses what is in a wheel as well as the format allows, which takes a minute or two.
fn compress(wheel: &Path) -> anyhow::Result<()> {
    let better = wheel.with_extension("better");
    let mut old = ZipArchive::new(File::open(wheel)?)?;
    let mut new = ZipWriter::new(File::create(&better)?);
    let mut changed = Vec::new();
    // The list of all files with their sums is the last of them.
    for number in 0..old.len() {
        let mut file = old.by_index(number)?;
        let (name, mut bytes) = (file.name().to_owned(), Vec::new());
        file.read_to_end(&mut bytes)?;
        let is_changed = if has_extension(&name, "json") && name.contains("/sboms/") {
            bytes = shortened(&bytes)?;
            true
        } else {
            has_extension(&name, "so") && leave_search_table_out(&mut bytes)
        };
        if is_changed {
            changed.push((name.clone(), listed(&name, &bytes)));
        }
        if name.ends_with(".dist-info/RECORD") {
            bytes = recorded(&String::from_utf8(bytes)?, &changed)?.into_bytes();
        }
        let options = file.options().compression_method(CompressionMethod::Deflated);
        new.start_file(name, options.compression_level(Some(ZOPFLI)))?;
        bytes.chunks(AT_A_TIME).try_for_each(|piece| new.write_all(piece))?;
    }
    new.finish()?;
    std::fs::rename(better, wheel).context("the wheel could not be replaced")
}

/// The list of everything a wheel is made of, without what is told elsewhere.
fn shortened(list: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut list: serde_json::Value = serde_json::from_slice(list)?;
    let parts = list["components"].as_array_mut().context("a list of parts without parts")?;
    for part in parts.iter_mut().filter_map(serde_json::Value::as_object_mut) {
        TOLD_ELSEWHERE.iter().for_each(|field| drop(part.remove(*field)));
    }
    list.as_object_mut().map(|list| list.remove("dependencies"));
    Ok(serde_json::to_vec(&list)?)
}

fn has_extension(name: &str, extension: &str) -> bool {
    Path::new(name).extension().is_some_and(|own| own == extension)
}

/// The line of a file in the list of all files.
fn listed(name: &str, bytes: &[u8]) -> String {
    format!("{name},sha256={},{}", URL_SAFE_NO_PAD.encode(Sha256::digest(bytes)), bytes.len())
}

/// The list with other lines for the files that were changed.
fn recorded(list: &str, changed: &[(String, String)]) -> anyhow::Result<String> {
    let mut lines: Vec<&str> = list.lines().collect();
    for (name, line) in changed {
        let old = lines.iter_mut().find(|old| old.starts_with(&format!("{name},")));
        *old.with_context(|| format!("{name} is not in the list of files"))? = line;
    }
    Ok(lines.join("\n") + "\n")
}

/// Empties the table in which whoever unwinds a panic looks up functions by their address (`.eh_frame_hdr`), and says so in
/// its head. Without it the entries themselves are gone through one by one, as the format provides for: a panic, which is
/// rare, then takes milliseconds, and the wheel is a fiftieth smaller. Whether there was such a table.
fn leave_search_table_out(object: &mut [u8]) -> bool {
    let Some(table) = search_table(object) else { return false };
    // Version, how the address of the entries is written, how their number, how the table: absent is 255.
    let [1, _, 3, 0x3b, _, _, _, _, rest @ ..] = table else { return false };
    rest.fill(0);
    table[2..4].fill(0xff);
    true
}

/// The segment with that table, in a 64-bit ELF file of this byte order.
fn search_table(object: &mut [u8]) -> Option<&mut [u8]> {
    const EH_FRAME: u64 = 0x6474_e550;
    if !object.starts_with(&[0x7f, b'E', b'L', b'F', 2, 1]) {
        return None;
    }
    let number = |at: usize, bytes: usize| {
        let mut word = [0; 8];
        word[..bytes].copy_from_slice(object.get(at..at + bytes)?);
        Some(u64::from_le_bytes(word))
    };
    let (first, size, count) = (number(32, 8)? as usize, number(54, 2)? as usize, number(56, 2)? as usize);
    let head = (0..count).map(|at| first + at * size).find(|&head| number(head, 4) == Some(EH_FRAME))?;
    let (start, len) = (number(head + 8, 8)? as usize, number(head + 32, 8)? as usize);
    object.get_mut(start..start + len)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An ELF file with one segment, which begins behind its head.
    fn object(segment: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; 120];
        bytes[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1]);
        bytes[32] = 64;
        (bytes[54], bytes[56]) = (56, 1);
        bytes[64..68].copy_from_slice(&0x6474_e550_u32.to_le_bytes());
        bytes[72] = 120;
        bytes[96] = segment.len() as u8;
        bytes.extend_from_slice(segment);
        bytes.extend_from_slice(b"behind it");
        bytes
    }

    #[test]
    fn a_search_table_is_emptied_and_said_to_be_absent() {
        let mut bytes = object(&[1, 0x1b, 3, 0x3b, 9, 9, 9, 9, 1, 0, 0, 0, 7, 7, 7, 7, 8, 8, 8, 8]);
        assert!(leave_search_table_out(&mut bytes));
        assert_eq!(bytes[120..132], [1, 0x1b, 0xff, 0xff, 9, 9, 9, 9, 0, 0, 0, 0]);
        assert!(bytes[132..140].iter().all(|byte| *byte == 0) && bytes.ends_with(b"behind it"));
        assert!(!leave_search_table_out(&mut bytes), "there is none now");
    }

    #[test]
    fn what_is_no_such_file_stays_as_it_is() {
        for bytes in [&b"MZ"[..], b"\x7fELF\x02\x01", &object(&[2, 0x1b, 3, 0x3b, 0, 0, 0, 0]), &object(&[1])]
        {
            let mut same = bytes.to_vec();
            assert!(!leave_search_table_out(&mut same));
            assert_eq!(same, bytes);
        }
    }

    #[test]
    fn the_parts_of_a_wheel_keep_their_names_versions_origins_and_licences() {
        let list = br#"{"components": [{"name": "a", "version": "1", "purl": "p", "licenses": [],
            "bom-ref": "r", "description": "d", "hashes": []}], "dependencies": []}"#;
        let short = String::from_utf8(shortened(list).unwrap()).unwrap();
        let parts = r#"{"components":[{"licenses":[],"name":"a","purl":"p","version":"1"}]}"#;
        assert_eq!(short, parts);
        assert!(shortened(b"{}").is_err() && shortened(b"").is_err());
    }

    #[test]
    fn the_list_has_the_sums_of_what_was_changed() {
        let line = listed("a.so", b"");
        assert_eq!(line, "a.so,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0");
        let list = "b.py,sha256=x,1\na.so,sha256=y,2\nRECORD,,\n";
        let changed = [("a.so".to_owned(), line.clone())];
        assert_eq!(recorded(list, &changed).unwrap(), format!("b.py,sha256=x,1\n{line}\nRECORD,,\n"));
        assert!(recorded("b.py,,\n", &changed).is_err());
    }
}
