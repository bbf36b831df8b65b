//! Console sessions in `tests/cmd/`: what is typed and what must come back.
//! `TRYCMD=overwrite cargo test -p tabia-cli` writes them anew after a deliberate change.

#[test]
fn console_sessions() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
