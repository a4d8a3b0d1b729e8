//! The links, settings, commands and sections that the documentation and comments name exist.

#[path = "docs/citations.rs"]
mod citations;
#[path = "docs/pages.rs"]
pub mod pages;

use self::citations::cited_sections;
use self::pages::{Page, anchors, folders, pages, sections};
use crate::harness::TempDir;
use crate::proxies::site::FILES;
use doorward::cli::args;
use doorward::settings::{Environment, table};
use house::Repository;
use std::ffi::OsString;
use std::path::Path;

single_run![
    links_resolve,
    named_settings_exist,
    named_commands_exist,
    cited_sections_exist,
    every_page_says_for_whom_it_is,
    every_page_is_in_the_index,
    planted_faults_are_found_in_every_folder,
    generated_secrets_are_kept,
    proxies_are_shown_by_their_tested_files,
];

/// Names that look like settings but are none; the last is the end of a header's name in CGI.
const NO_SETTINGS: [&str; 3] = ["SERVICE", "PORT", "USER_ID"];

const INDEX: &str = "docs/README.md";
const DECISIONS: &str = "docs/concepts/decisions/README.md";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

async fn links_resolve() {
    let broken = broken_links(root(), &pages(root()));
    assert!(broken.is_empty(), "links that lead nowhere: {broken:#?}");
}

fn broken_links(root: &Path, pages: &[Page]) -> Vec<String> {
    let mut broken = Vec::new();
    for page in pages {
        for target in page.links() {
            let (link, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = page.file(root, link);
            let found = !target.is_empty() && anchor.is_empty() && file.exists()
                || std::fs::read_to_string(&file).is_ok_and(|text| anchors(&text).iter().any(|known| known == anchor));
            if !found {
                broken.push(format!("{}: {target}", page.path));
            }
        }
    }
    broken
}

async fn named_settings_exist() {
    let unknown = unknown_settings(&pages(root()));
    assert!(unknown.is_empty(), "there are no such settings: {unknown:#?}");
}

fn unknown_settings(pages: &[Page]) -> Vec<String> {
    let mut unknown = Vec::new();
    for page in pages {
        for rest in page.text.split("SVC_").skip(1) {
            let end = rest.find(|c: char| !c.is_ascii_uppercase() && c != '_').unwrap_or(rest.len());
            let suffix = rest[..end].trim_end_matches('_');
            if !suffix.is_empty() && !NO_SETTINGS.contains(&suffix) && table::find(suffix).is_none() {
                unknown.push(format!("{}: SVC_{suffix}", page.path));
            }
        }
    }
    unknown
}

async fn named_commands_exist() {
    let unknown = unknown_commands(&pages(root()));
    assert!(unknown.is_empty(), "there are no such commands: {unknown:#?}");
}

fn unknown_commands(pages: &[Page]) -> Vec<String> {
    let mut unknown = Vec::new();
    for page in pages {
        for rest in page.text.split(['`', '\n']).filter_map(command) {
            let words =
                rest.split_whitespace().take_while(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
            let words: Vec<&str> = words.take_while(|word| !word.starts_with('-')).take(2).collect();
            if !words.is_empty() && !exists(&words) {
                unknown.push(format!("{}: doorward {}", page.path, words.join(" ")));
            }
        }
    }
    unknown
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

/// Sections keep their numbers, and comments cite them: `docs/reference/webhooks.md 12.3`.
async fn cited_sections_exist() {
    let (pages, repository) = (pages(root()), Repository::read(root()).unwrap());
    let mut found = 0;
    let mut missing = Vec::new();
    for (source, text) in repository.texts().filter(|(path, _)| !path.starts_with("tests/it/docs")) {
        let cited = cited_sections(text);
        found += cited.len();
        missing.extend(missing_sections(&pages, &cited).into_iter().map(|cited| format!("{source}: {cited}")));
    }
    assert!(found >= 100, "too few citations were found: {found}");
    assert!(missing.is_empty(), "there are no such sections: {missing:#?}");
    let gone = cited_sections("// docs/reference/settings.md 99.9");
    assert_eq!(missing_sections(&pages, &gone).len(), 1, "a section that is not there is found");
}

fn missing_sections(pages: &[Page], cited: &[(String, String)]) -> Vec<String> {
    let exists = |page: &str, number: &str| {
        let page = pages.iter().find(|known| known.path == page);
        page.is_some_and(|page| sections(&page.text).contains(&number))
    };
    let missing = cited.iter().filter(|(page, number)| !exists(page, number));
    missing.map(|(page, number)| format!("{page} {number}")).collect()
}

/// A reader knows from the first paragraph whether the page is theirs. Decisions say so once, in their index.
async fn every_page_says_for_whom_it_is() {
    let silent = pages(root()).into_iter().filter(|page| {
        let first = page.text.split("\n\n").skip(1).find(|paragraph| !paragraph.starts_with("<!--"));
        let is_told = first.is_some_and(|paragraph| paragraph.starts_with("For "));
        page.is_documentation() && page.path != INDEX && !is_decision(page) && !is_told
    });
    let silent: Vec<String> = silent.map(|page| page.path).collect();
    assert!(silent.is_empty(), "their first paragraph does not begin with \"For \": {silent:#?}");
}

/// What no index links is found by search only.
async fn every_page_is_in_the_index() {
    let pages = pages(root());
    let documentation = pages.iter().filter(|page| page.is_documentation() && page.path != INDEX);
    let unlisted: Vec<&str> = documentation
        .filter(|page| {
            let index = if is_decision(page) { DECISIONS } else { INDEX };
            let index = pages.iter().find(|page| page.path == index).unwrap();
            !index.links().any(|link| index.file(root(), link.split('#').next().unwrap()) == root().join(&page.path))
        })
        .map(|page| page.path.as_str())
        .collect();
    assert!(unlisted.is_empty(), "no index links these: {unlisted:#?}");
}

fn is_decision(page: &Page) -> bool {
    page.path.starts_with("docs/concepts/decisions/0")
}

/// A check that does not see a folder would pass it.
async fn planted_faults_are_found_in_every_folder() {
    const FAULTS: &str = "# P\n[a](gone.md) [b](planted.md#gone) [c]() SVC_NEVER_HEARD `doorward vanish`\n";
    let all = pages(root());
    let (copy, folders) = (TempDir::new("docs"), folders(&all));
    for page in &all {
        write(copy.path(), &page.path, &page.text);
    }
    for folder in &folders {
        write(copy.path(), &format!("{folder}/planted.md"), FAULTS);
    }
    let planted: Vec<Page> = pages(copy.path()).into_iter().filter(|page| page.path.ends_with("/planted.md")).collect();
    assert_eq!(planted.len(), folders.len());
    for page in &planted {
        let one = std::slice::from_ref(page);
        let path = &page.path;
        assert_eq!(
            broken_links(copy.path(), one),
            ["gone.md", "planted.md#gone", ""].map(|link| format!("{path}: {link}"))
        );
        assert_eq!(unknown_settings(one), [format!("{path}: SVC_NEVER_HEARD")]);
        assert_eq!(unknown_commands(one), [format!("{path}: doorward vanish")]);
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let file = root.join(path);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

/// A secret that is generated on the line that uses it is lost with the process.
async fn generated_secrets_are_kept() {
    let mut lost = Vec::new();
    let mut found = 0;
    for page in pages(root()) {
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
    for page in pages(root()) {
        let own = ["proxy_pass", "auth_request_set", "forward_auth 1"].map(|word| page.text.contains(word));
        assert_eq!(own, [false; 3], "{}", page.path);
    }
}
