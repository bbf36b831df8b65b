//! Console sessions in `tests/cmd/`: what is typed and what must come back.
//! `TRYCMD=overwrite cargo test -p tabia-cli` writes them anew after a deliberate change.

#[test]
fn console_sessions() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}

/// The examples of a page are console sessions that are run: each block stands in the file of sessions, word for word.
#[test]
fn examples_of_the_documentation_are_run() {
    let page = include_str!("../../../docs/find.md");
    let sessions = include_str!("cmd/find.trycmd");
    let blocks: Vec<&str> =
        page.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 7);
    for block in blocks {
        assert!(sessions.contains(block.trim_end()), "not among the sessions:\n{block}");
    }
}
