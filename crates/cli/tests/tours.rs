//! The tours of the guide and its list of commands: what they show is what the program says.

use std::collections::BTreeMap;
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

/// What a page names in passing is there: `tabia a b --option` in any of them.
#[test]
fn every_command_that_a_page_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages: Vec<_> =
        ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root.join(name)).into();
    for folder in ["docs", "docs/rules", "docs/tours"] {
        let entries = std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        pages.extend(entries.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    let mut helps = BTreeMap::new();
    let (mut named, mut wrong) = (0, Vec::new());
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for command in text.lines().flat_map(commands_in) {
            named += 1;
            wrong.extend(
                missing(&mut helps, &command).map(|what| format!("{}: {command}: {what}", page.display())),
            );
        }
    }
    assert!(named > 200, "{named}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Commands in a line: the whole of it in a block of code, or what stands between back-ticks.
fn commands_in(line: &str) -> Vec<String> {
    let typed = line.strip_prefix("$ ").or_else(|| line.strip_prefix("    "));
    let parts = typed.into_iter().chain(line.split('`').skip(1).step_by(2));
    let is_one = |part: &&str| {
        let word = part.strip_prefix("tabia ").and_then(|rest| rest.split_whitespace().next());
        // Shorter ones, and those with signs in them, are no names of commands.
        word.is_some_and(|word| word.len() > 2 && word.chars().all(|c| c.is_ascii_lowercase()))
    };
    // What comes after it in a pipe or a remark is not ours.
    let own =
        |part: &str| part.split(" | ").next().and_then(|part| part.split(" #").next()).map(str::to_owned);
    parts.filter(is_one).filter_map(own).collect()
}

/// The command or option that is not there.
fn missing(helps: &mut BTreeMap<Vec<String>, String>, command: &str) -> Option<String> {
    let mut help_of = |path: &[String]| helps.entry(path.to_vec()).or_insert_with(|| help(path)).clone();
    let mut path = Vec::new();
    let mut text = help_of(&path);
    for word in command.split_whitespace().skip(1) {
        let known = subcommands(&text);
        if known.is_empty() || word.starts_with('-') {
            break;
        }
        if !known.iter().any(|name| name == word) {
            return Some(format!("there is no command {word}"));
        }
        path.push(word.to_owned());
        text = help_of(&path);
    }
    let options = command.split_whitespace().filter_map(|word| word.split('=').next());
    let plain = |option: &&str| {
        option
            .strip_prefix("--")
            .is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
    };
    options
        .filter(plain)
        .find(|option| !text.contains(option))
        .map(|option| format!("there is no option {option}"))
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
