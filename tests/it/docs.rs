//! The links, settings and commands in the documentation exist.

use doorward::cli::args;
use doorward::settings::{Environment, table};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

single_run![
    links_resolve,
    named_settings_exist,
    named_commands_exist,
    generated_secrets_are_kept,
    proxies_are_shown_by_their_tested_files,
];

/// Names that look like settings but are none.
const NO_SETTINGS: [&str; 2] = ["SERVICE", "PORT"];

struct Page {
    path: PathBuf,
    text: String,
}

fn pages() -> Vec<Page> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [root.to_owned(), root.join("docs"), root.join("docs/decisions")];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let pages = files.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let pages: Vec<Page> = pages.map(|path| Page { text: std::fs::read_to_string(&path).unwrap(), path }).collect();
    assert!(pages.len() > 10, "too few pages were found");
    pages
}

/// The anchors of a page's headings, as code hosts generate them.
fn anchors(text: &str) -> Vec<String> {
    let headings =
        text.lines().filter_map(|line| line.strip_prefix('#')).map(|line| line.trim_start_matches('#').trim());
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    headings.map(|heading| heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")).collect()
}

async fn links_resolve() {
    let mut broken = Vec::new();
    for page in pages() {
        let targets = page.text.split("](").skip(1).filter_map(|rest| rest.split([')', '\n']).next());
        for target in targets.filter(|target| !target.contains("://")) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() { page.path.clone() } else { page.path.with_file_name(file) };
            let found = anchor.is_empty() && path.exists()
                || std::fs::read_to_string(&path).is_ok_and(|text| anchors(&text).iter().any(|known| known == anchor));
            if !found {
                broken.push(format!("{}: {target}", page.path.display()));
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
                unknown.push(format!("{}: SVC_{suffix}", page.path.display()));
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
                unknown.push(format!("{}: doorward {}", page.path.display(), words.join(" ")));
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
                lost.push(format!("{}: {line}", page.path.display()));
            }
        }
    }
    assert!(found >= 3, "too few were found");
    assert!(lost.is_empty(), "these must go to a file that only its owner reads: {lost:#?}");
}

/// Pages name the files of `deploy/proxies/` and have no configuration of their own, which nothing would try.
async fn proxies_are_shown_by_their_tested_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = std::fs::read_to_string(root.join("docs/proxies.md")).unwrap();
    let tests = std::fs::read_to_string(root.join("tests/it/proxies/site.rs")).unwrap();
    for file in std::fs::read_dir(root.join("deploy/proxies")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let row = guide.lines().find(|line| line.contains(&format!("(../deploy/proxies/{name})"))).expect("its row");
        let is_tried = tests.contains(&format!("include_str!(\"../../../deploy/proxies/{name}\")"));
        assert_eq!(is_tried, row.contains("by the tests"), "{row}");
    }
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    assert!(readme.contains("cp deploy/proxies/nginx.conf /etc/nginx/conf.d/"), "the README installs the tested file");
    for page in pages() {
        let own = ["proxy_pass", "auth_request_set", "forward_auth 1"].map(|word| page.text.contains(word));
        assert_eq!(own, [false; 3], "{}", page.path.display());
    }
}
