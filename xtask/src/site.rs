//! The page as a static site: `target/site/`, for any host that serves files, under any path.

use crate::test::built;
use crate::wasm::{self, Build};
use anyhow::{Context, bail, ensure};
use serde_json::{Map, Value};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a visitor is sent should be no more than this in all, compressed.
const MOST_BYTES: u64 = 1_300_000;
/// What is read when it is needed, and not by every visitor.
const NETWORKS: &str = "networks";
/// What the page asks first, beside the start of every game: its answers are in the page.
const GAMES: &str = "/api/v1/games";
/// What only a page without a server has.
const HEAD: &str = r#"    <meta name="tabia-answers" content="worker" />
    <link rel="manifest" href="manifest.webmanifest" />
    <link rel="stylesheet" href="local/local.css" />
    <script type="module" src="local/mark.js"></script>
"#;

/// Builds the site, and says how large it is.
pub(crate) fn build(kind: Build) -> anyhow::Result<()> {
    let site = kind.folder("site")?;
    let _ = std::fs::remove_dir_all(&site);
    let web = Path::new("web");
    for part in ["css", "js", "lang", "local"] {
        copy(&web.join(part), &site.join(part))?;
    }
    std::fs::copy(web.join("icon.svg"), site.join("icon.svg"))?;
    std::fs::remove_file(site.join("local/mark.html"))?;
    std::fs::rename(site.join("local/manifest.webmanifest"), site.join("manifest.webmanifest"))?;
    let api = site.join("api/v1");
    std::fs::create_dir_all(&api)?;
    let description: Value = serde_json::from_slice(&std::fs::read("docs/openapi.json")?)?;
    std::fs::write(api.join("openapi.json"), description.to_string())?;
    // English is the language of the sources: nobody asks for it.
    std::fs::remove_file(site.join("lang/en.json"))?;
    for part in ["css", "js", "local"] {
        without_comments(&site.join(part))?;
    }
    wasm::build(kind, &site.join("wasm"))?;
    networks(&site)?;
    std::fs::write(site.join("index.html"), page()?)?;
    service_worker(&site)?;
    if kind == Build::Shipped { weigh(&site) } else { Ok(()) }
}

/// Puts the networks beside the program: it reads one when the engine of its game is asked first.
pub(crate) fn networks(beside: &Path) -> anyhow::Result<()> {
    let folder = beside.join(NETWORKS);
    copy(Path::new("crates/app/nets"), &folder)?;
    let worker = std::fs::read_to_string(beside.join("local/worker.js"))?;
    for file in files(&folder)? {
        let game = file.trim_end_matches(".net");
        ensure!(
            worker.contains(&format!("\"{game}\"")),
            "local/worker.js does not know the network of {game}"
        );
    }
    Ok(())
}

/// The page with what only the static site has: answers that are prepared, and who makes the others.
fn page() -> anyhow::Result<String> {
    let page = std::fs::read_to_string("web/index.html")?;
    let mut prepared = Map::new();
    let games: Value =
        serde_json::from_str(answers(&[format!("GET {GAMES}")])?[0]["text"].as_str().unwrap_or(""))?;
    let ids = games["games"].as_array().into_iter().flatten().filter_map(|game| game["id"].as_str());
    let starts = ids.map(|id| format!("GET {GAMES}/{id}/position?board=true"));
    let first: Vec<String> = std::iter::once(format!("GET {GAMES}")).chain(starts).collect();
    for answer in answers(&first)? {
        let address = answer["address"].as_str().unwrap_or_default().to_owned();
        let text = answer["text"].as_str().unwrap_or_default();
        prepared.insert(address, serde_json::from_str(text).context("an answer is not JSON")?);
    }
    // Inside a script nothing may look like its end.
    let prepared = Value::Object(prepared).to_string().replace("</", "<\\/");
    let script = format!("    <script type=\"application/json\" id=\"prepared\">{prepared}</script>\n");
    let mark = std::fs::read_to_string("web/local/mark.html")?;
    let (head, rest) = page.split_once("  </head>").context("the page has no head")?;
    let (body, end) = rest.split_once("  </body>").context("the page has no body")?;
    Ok(format!("{head}{HEAD}{script}  </head>{body}{mark}  </body>{end}"))
}

/// What the answering layer says to requests, as JSON values.
pub(crate) fn answers(requests: &[String]) -> anyhow::Result<Vec<Value>> {
    let mut program = answerer(&[])?;
    let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().context("no input")?;
    let lines = requests.join("\n");
    // Both ends at once: neither side waits for the other.
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output()?;
    let _ = writer.join();
    let text = String::from_utf8(output.stdout)?;
    let answers: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    if answers.len() != requests.len() {
        bail!("{} answers to {} requests", answers.len(), requests.len());
    }
    Ok(answers)
}

/// The program that answers without a server.
pub(crate) fn answerer(words: &[&str]) -> anyhow::Result<Command> {
    let mut command = Command::new(built("examples/answer")?);
    command.args(words);
    Ok(command)
}

/// Writes the list of files and a version that changes with any of them.
fn service_worker(site: &Path) -> anyhow::Result<()> {
    let script = std::fs::read_to_string(site.join("local/sw.js"))?;
    std::fs::remove_file(site.join("local/sw.js"))?;
    let mut files = files(site)?;
    files.sort();
    let mut hash = 0xcbf29ce484222325_u64;
    for file in &files {
        for byte in file.bytes().chain(std::fs::read(site.join(file))?) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100000001b3);
        }
    }
    let (later, mut listed): (Vec<&str>, Vec<&str>) =
        files.iter().map(String::as_str).partition(|file| file.starts_with(NETWORKS));
    listed.iter_mut().filter(|file| **file == "index.html").for_each(|page| *page = "./");
    let (list, later) = (serde_json::to_string(&listed)?, serde_json::to_string(&later)?);
    let script = script
        .replacen("const LATER = [];", &format!("const LATER = {later};"), 1)
        .replacen("const VERSION = \"\";", &format!("const VERSION = \"{hash:016x}\";"), 1)
        .replacen("const FILES = [];", &format!("const FILES = {list};"), 1);
    Ok(std::fs::write(site.join("sw.js"), script)?)
}

/// The files below a folder, with their paths from there.
fn files(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(files(&path)?.into_iter().map(|below| format!("{name}/{below}")));
        } else if !name.ends_with(".d.ts") {
            found.push(name);
        }
    }
    Ok(found)
}

pub(crate) fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let (path, name) = { entry.map(|entry| (entry.path(), entry.file_name()))? };
        if path.is_dir() {
            copy(&path, &to.join(name))?;
        } else {
            std::fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

/// Takes whole lines of comments out of the sources below a folder: whoever reads them does so elsewhere.
fn without_comments(folder: &Path) -> anyhow::Result<()> {
    for file in files(folder)? {
        let text = std::fs::read_to_string(folder.join(&file))?;
        let is_comment = |line: &&str| {
            let line = line.trim();
            line.starts_with("//") || line.starts_with("/*") && line.ends_with("*/")
        };
        let kept: Vec<&str> = text.lines().filter(|line| !is_comment(line)).collect();
        std::fs::write(folder.join(&file), kept.join("\n"))?;
    }
    Ok(())
}

/// Says how large the site is, compressed as hosts do.
fn weigh(site: &Path) -> anyhow::Result<()> {
    let (mut all, mut program, mut networks) = (0, 0, 0);
    for file in files(site)? {
        let output = Command::new("gzip").args(["-9", "--stdout"]).arg(site.join(&file)).output()?;
        let size = output.stdout.len() as u64;
        if file.starts_with(NETWORKS) {
            networks += size;
            continue;
        }
        all += size;
        if Path::new(&file).extension().is_some_and(|ending| ending == "wasm") {
            program = size;
        }
    }
    println!("{}: {all} bytes compressed, the program {program} of them", site.display());
    println!("networks, sent when an engine is asked: {networks} bytes");
    if all > MOST_BYTES {
        println!("that is more than the {MOST_BYTES} it should have");
    }
    Ok(())
}
