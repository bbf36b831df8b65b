//! The tours of the guide and its list of commands: what they show is what the program says.

use std::path::Path;
use std::process::Command;

/// Every console block of a tour is run. `TRYCMD=overwrite` writes the answers anew.
#[test]
fn tours_are_run() {
    trycmd::TestCases::new().case("../../docs/tours/*.md");
}

/// `docs/commands.md` is the help of every command. `TABIA_BLESS=1` writes it anew.
#[test]
fn every_command_is_described() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands.md");
    let mut page = "# Every command\n\nAfter this page you can say what each command does and which options it has.\n\n\
        The program wrote this page itself: `TABIA_BLESS=1 cargo test -p tabia-cli --test tours` does it again.\n"
        .to_owned();
    describe(&mut page, &mut Vec::new());
    if std::env::var_os("TABIA_BLESS").is_some() {
        std::fs::write(&file, &page).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(committed == page, "docs/commands.md is not what the program says: TABIA_BLESS=1 writes it anew");
}

/// The help of a command and of the commands in it.
fn describe(page: &mut String, path: &mut Vec<String>) {
    let help = help(path);
    let depth = "#".repeat(path.len() + 2);
    *page += &format!(
        "\n{depth} `{}`\n\n```text\n{}\n```\n",
        ["tabia".to_owned()].iter().chain(path.iter()).cloned().collect::<Vec<_>>().join(" "),
        help.trim_end()
    );
    for name in subcommands(&help) {
        path.push(name);
        describe(page, path);
        path.pop();
    }
}

fn help(path: &[String]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tabia")).args(path).arg("--help").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n")
}

/// The first words of the list of commands, without the continued lines.
fn subcommands(help: &str) -> Vec<String> {
    let lines =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let named = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    named
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}
