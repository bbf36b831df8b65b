//! The examples run to their end.

#[path = "../examples/book.rs"]
mod book;
#[path = "../examples/codes.rs"]
mod codes;
#[path = "../examples/files.rs"]
mod files;
#[path = "../examples/rules.rs"]
mod rules;
#[path = "../examples/search.rs"]
mod search;
#[path = "../examples/solve.rs"]
mod solve;

#[test]
fn every_example_runs() {
    rules::main();
    codes::main();
    search::main();
    solve::main();
    book::main();
    files::main();
}
