//! The links, settings, commands and sections that the documentation and comments name exist.

#[path = "docs/citations.rs"]
mod citations;
#[path = "docs/llms.rs"]
mod llms;
#[path = "docs/pages.rs"]
pub mod pages;

use self::citations::cited;
use self::pages::{Page, anchors, pages, root, sections};
use crate::harness::product;
use crate::proxies::site::FILES;
use doorward::cli::args;
use doorward::settings::{Environment, table};
use std::ffi::OsString;

single_run![
    links_resolve,
    named_settings_exist,
    named_commands_exist,
    cited_pages_and_sections_exist,
    every_page_is_in_the_index,
    llms_txt_is_the_index,
    generated_secrets_are_kept,
    proxies_are_shown_by_their_tested_files,
];

/// Names that look like settings but are none; the last is the end of a header's name in CGI.
const NO_SETTINGS: [&str; 3] = ["SERVICE", "PORT", "USER_ID"];

/// What may name a page of the documentation.
const CITING: [&str; 14] = [
    "src",
    "crates/core/src",
    "crates/core/messages",
    "templates",
    "assets",
    "tests/it",
    "bench",
    "fuzz/src",
    "deploy",
    "scripts",
    "docs",
    "README.md",
    "CONTRIBUTING.md",
    "Cargo.toml",
];

const INDEX: &str = "docs/README.md";
const DECISIONS: &str = "docs/concepts/decisions/README.md";

async fn links_resolve() {
    let mut broken = Vec::new();
    for page in pages() {
        for target in page.links() {
            let (link, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = page.file(link);
            let found = !target.is_empty() && anchor.is_empty() && file.exists()
                || std::fs::read_to_string(&file).is_ok_and(|text| anchors(&text).iter().any(|known| known == anchor));
            if !found {
                broken.push(format!("{}: {target}", page.path));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere: {broken:#?}");
}

async fn named_settings_exist() {
    let mut unknown = Vec::new();
    for page in pages() {
        for rest in page.text.split("SVC_").skip(1) {
            let end = rest.find(|c: char| !c.is_ascii_uppercase() && c != '_').unwrap_or(rest.len());
            let suffix = rest[..end].trim_end_matches('_');
            if !suffix.is_empty() && !NO_SETTINGS.contains(&suffix) && table::find(suffix).is_none() {
                unknown.push(format!("{}: SVC_{suffix}", page.path));
            }
        }
    }
    assert!(unknown.is_empty(), "there are no such settings: {unknown:#?}");
}

async fn named_commands_exist() {
    let mut unknown = Vec::new();
    for page in pages() {
        for rest in page.text.split(['`', '\n']).filter_map(command) {
            let words =
                rest.split_whitespace().take_while(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
            let words: Vec<&str> = words.take_while(|word| !word.starts_with('-')).take(2).collect();
            if !words.is_empty() && !exists(&words) {
                unknown.push(format!("{}: doorward {}", page.path, words.join(" ")));
            }
        }
    }
    assert!(unknown.is_empty(), "there are no such commands: {unknown:#?}");
}

/// The text after `doorward` in a span or line of code, with or without variables before it.
fn command(code: &str) -> Option<&str> {
    if let Some((_, rest)) = code.split_once("cargo run --release -- ") {
        return Some(rest);
    }
    let (before, rest) = code.split_once("doorward ")?;
    before.split_whitespace().all(|word| word.contains('=')).then_some(rest)
}

/// Whether the command exists: `--help` succeeds only for existing commands.
fn exists(words: &[&str]) -> bool {
    let arguments = std::iter::once("doorward").chain(words.iter().copied()).chain(["--help"]).map(OsString::from);
    args::parse(arguments, &Environment::default()).is_err_and(|stop| stop.exit_code() == 0)
}

/// What commands print and comments say names pages and sections, which keep their numbers:
/// `docs/reference/webhooks.md 12.3`.
async fn cited_pages_and_sections_exist() {
    let (pages, mut found, mut missing) = (pages(), 0, Vec::new());
    for (source, text) in product::texts(&CITING).iter().filter(|(path, _)| !path.starts_with("tests/it/docs")) {
        for (path, numbers) in cited(text) {
            let page = pages.iter().find(|page| page.path == path);
            found += numbers.len();
            let is_missing =
                |number: &&String| page.is_some_and(|page| !sections(&page.text).contains(&number.as_str()));
            missing.extend(numbers.iter().filter(is_missing).map(|number| format!("{source}: {path} {number}")));
            missing.extend(page.is_none().then(|| format!("{source}: {path}")));
        }
    }
    assert!(found >= 100, "too few citations were found: {found}");
    assert!(missing.is_empty(), "there are no such pages or sections: {missing:#?}");
}

/// What no index links is found by search only.
async fn every_page_is_in_the_index() {
    let pages = pages();
    let documentation = pages.iter().filter(|page| page.is_documentation() && page.path != INDEX);
    let unlisted: Vec<&str> = documentation
        .filter(|page| {
            let index = if is_decision(page) { DECISIONS } else { INDEX };
            let index = pages.iter().find(|page| page.path == index).unwrap();
            !index.links().any(|link| index.file(link.split('#').next().unwrap()) == root().join(&page.path))
        })
        .map(|page| page.path.as_str())
        .collect();
    assert!(unlisted.is_empty(), "no index links these: {unlisted:#?}");
}

async fn llms_txt_is_the_index() {
    llms::check(&pages());
}

fn is_decision(page: &Page) -> bool {
    page.path.starts_with("docs/concepts/decisions/0")
}

/// A secret that is generated on the line that uses it is lost with the process.
async fn generated_secrets_are_kept() {
    let mut lost = Vec::new();
    let mut found = 0;
    for page in pages() {
        // Every second part is a block of code.
        let code = page.text.split("```").skip(1).step_by(2).flat_map(str::lines);
        for line in code.filter(|line| line.contains("openssl rand")) {
            found += 1;
            // A folder of its own, which only its owner opens, does as well.
            let is_private = line.contains("(umask 077; ") || line.contains(" > secrets/");
            let is_kept = is_private && [" > ", " >> "].iter().any(|into| line.contains(into));
            let is_of_webhooks = line.to_lowercase().contains("webhook");
            let is_any_receivers = !is_of_webhooks || line.contains("whsec_$(openssl rand -base64 32)\"");
            if !is_kept || !is_any_receivers {
                lost.push(format!("{}: {line}", page.path));
            }
        }
    }
    assert!(found >= 3, "too few were found");
    assert!(lost.is_empty(), "these must go to a file that only its owner reads: {lost:#?}");
}

/// Pages name the files of `deploy/proxies/` and have no configuration of their own, which nothing would try.
async fn proxies_are_shown_by_their_tested_files() {
    let guide = std::fs::read_to_string(root().join("docs/guides/proxies.md")).unwrap();
    for file in std::fs::read_dir(root().join("deploy/proxies")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let row = guide.lines().find(|line| line.contains(&format!("(../../deploy/proxies/{name})"))).expect("its row");
        let is_tried = FILES.iter().any(|(file, _)| *file == name);
        assert_eq!(is_tried, row.contains("by the tests"), "{row}");
    }
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let commands =
        ["nginx", "caddy", "haproxy", "traefik", "envoy"].map(|proxy| format!("doorward proxy-config {proxy} --host "));
    assert!(commands.iter().all(|command| guide.contains(command)), "the guide prints each file");
    assert!(readme.contains(&commands[0]), "the README prints the tested file");
    for page in pages() {
        let own = ["proxy_pass", "auth_request_set", "forward_auth 1"].map(|word| page.text.contains(word));
        assert_eq!(own, [false; 3], "{}", page.path);
    }
}
