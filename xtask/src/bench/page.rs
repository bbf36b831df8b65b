//! The page of figures in the guide: what programs write stands between marks, the rest is for people.

use super::replace;
use anyhow::Context;
use std::path::Path;

const PAGE: &str = "docs/performance.md";

/// Puts the tables into the page.
pub(super) fn write(figures: &str, peers: &str, instructions: &str) -> anyhow::Result<()> {
    let mut page = std::fs::read_to_string(PAGE)?;
    for (name, text) in [("figures", figures), ("peers", peers), ("instructions", instructions)] {
        page = filled(&page, name, text)?;
    }
    replace(Path::new(PAGE), &page)
}

/// The page with another text between the marks of a name.
fn filled(page: &str, name: &str, text: &str) -> anyhow::Result<String> {
    let (begin, end) =
        (format!("<!-- {name}: written by cargo xtask bench --write -->"), format!("<!-- end of {name} -->"));
    let (before, rest) =
        page.split_once(&begin).with_context(|| format!("{PAGE} has no place for {name}"))?;
    let (_, after) = rest.split_once(&end).with_context(|| format!("the place for {name} has no end"))?;
    Ok(format!("{before}{begin}\n\n{}\n\n{end}{after}", text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_filled_again_and_again() {
        let page = "before\n<!-- a: written by cargo xtask bench --write -->\n<!-- end of a -->\nafter\n";
        let once = filled(page, "a", "one\n").expect("a place");
        let begin = "before\n<!-- a: written by cargo xtask bench --write -->\n\n";
        assert_eq!(once, format!("{begin}one\n\n<!-- end of a -->\nafter\n"));
        let twice = filled(&once, "a", "two\n").expect("a place");
        assert_eq!(twice, format!("{begin}two\n\n<!-- end of a -->\nafter\n"));
        assert!(filled(page, "b", "").is_err());
        assert!(filled("<!-- a: written by cargo xtask bench --write -->", "a", "").is_err());
    }

    #[test]
    fn the_page_has_all_places() {
        let page = include_str!("../../../docs/performance.md");
        for name in ["figures", "peers", "instructions"] {
            assert!(filled(page, name, "text").is_ok(), "{name}");
        }
    }
}
