//! Rules about the source text that no compiler keeps: who may name what, and how long a file may be.

use std::path::{Path, PathBuf};

once![
    only_the_store_names_database_drivers,
    only_the_crypto_names_primitives,
    only_http_names_the_web_framework,
    only_http_and_the_outbox_speak_http,
    time_and_randomness_have_one_source,
    files_are_short,
    no_file_names_a_machine,
    only_the_command_line_prints,
    sessions_are_opened_in_one_place,
];

/// The hard limit of lines; the habit is about 120.
const LONGEST: usize = 500;

struct Source {
    /// From the repository's root, with `/`.
    path: String,
    text: String,
}

impl Source {
    fn is_under(&self, places: &[&str]) -> bool {
        places.iter().any(|place| self.path.starts_with(place))
    }

    /// Lines of code that hold one of the words, as whole words; comments may name anything.
    fn lines_naming<'a>(&'a self, words: &'a [&'a str]) -> impl Iterator<Item = String> + 'a {
        let code = self.text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
        let naming = code.filter(|(_, line)| words.iter().any(|word| names(line, word)));
        naming.map(|(index, line)| format!("{}:{}: {}", self.path, index + 1, line.trim()))
    }
}

fn names(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .any(|(start, _)| !line[..start].ends_with(is_part) && !line[start + word.len()..].starts_with(is_part))
}

/// The files that the repository holds, as far as they are text of one's own.
fn sources(folders: &[&str]) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in folders {
        collect(&root.join(folder), &mut files);
    }
    assert!(!files.is_empty(), "no file in {folders:?}");
    let read = |file: PathBuf| {
        let path = file.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        Some(Source { path, text: std::fs::read_to_string(file).ok()? })
    };
    files.into_iter().filter_map(read).collect()
}

fn collect(place: &Path, files: &mut Vec<PathBuf>) {
    if place.is_file() {
        files.push(place.to_owned());
    }
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        collect(&entry.path(), files);
    }
}

/// Fails with every line of `src` outside `allowed` that names one of the words.
#[track_caller]
fn only(allowed: &[&str], words: &[&str]) {
    let sources = sources(&["src"]);
    let elsewhere = sources.iter().filter(|source| !source.is_under(allowed));
    let lines: Vec<String> = elsewhere.flat_map(|source| source.lines_naming(words)).collect();
    assert!(lines.is_empty(), "only {allowed:?} may name {words:?}:\n{}", lines.join("\n"));
}

async fn only_the_store_names_database_drivers() {
    only(&["src/store/"], &["sqlx", "rusqlite", "libsqlite3_sys"]);
}

async fn only_the_crypto_names_primitives() {
    only(&["src/crypto/"], &["webauthn_rs_core", "totp_rs"]);
}

async fn only_http_names_the_web_framework() {
    only(&["src/http/"], &["axum", "tower_http", "tower_service"]);
    only(&["src/http/", "src/mail/"], &["askama"]);
}

async fn only_http_and_the_outbox_speak_http() {
    // The settings parse an address with hyper's type.
    only(&["src/http/", "src/outbox/", "src/settings/"], &["hyper", "hyper_util", "hyper_rustls", "http_body_util"]);
}

async fn time_and_randomness_have_one_source() {
    only(&["src/clock.rs"], &["Timestamp::now", "Zoned::now", "SystemTime", "std::time::Instant"]);
    only(&["src/random.rs"], &["rand::fill", "new_v4", "now_v7", "getrandom", "SystemRandom"]);
}

/// Whatever opens a session elsewhere would pass by the second factor.
async fn sessions_are_opened_in_one_place() {
    only(&["src/domain/accounts/enter.rs"], &["sessions::open"]);
    only(&["src/domain/sessions/", "src/store/"], &["session_create"]);
    let opens = |source: &&Source| source.lines_naming(&["enter::open"]).next().is_some();
    let openers: Vec<String> = sources(&["src"]).iter().filter(opens).map(|source| source.path.clone()).collect();
    assert_eq!(openers, ["src/domain/accounts/mod.rs", "src/domain/accounts/sign_up.rs"]);
    only(&["src/domain/accounts/mod.rs", "src/domain/mailed/sign_up.rs"], &["open_first"]);
}

async fn only_the_command_line_prints() {
    only(&["src/cli/", "src/main.rs"], &["println!", "print!", "eprintln!", "eprint!"]);
}

async fn files_are_short() {
    let sources = sources(&["src", "tests", "bench", "scripts", "templates", "migrations"]);
    let long = sources.iter().map(|source| (source.text.lines().count(), &source.path));
    let long: Vec<_> = long.filter(|(lines, _)| *lines > LONGEST).collect();
    assert!(long.is_empty(), "longer than {LONGEST} lines: {long:?}");
}

async fn no_file_names_a_machine() {
    // Written so that this file does not hold what it looks for.
    let homes = ["work", "root", "home", "Users"].map(|folder| format!("/{folder}/"));
    let places = ["src", "tests", "bench", "scripts", "docs", "templates", "assets", "migrations", ".ci"];
    let files = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Cargo.toml", "clippy.toml"];
    let mut lines = Vec::new();
    for source in sources(&[places.as_slice(), files.as_slice()].concat()) {
        for (index, line) in source.text.lines().enumerate() {
            let names_one = homes.iter().any(|home| {
                line.match_indices(home)
                    .any(|(start, _)| !line[..start].ends_with(|c: char| c.is_alphanumeric() || ".}])".contains(c)))
            });
            if names_one {
                lines.push(format!("{}:{}: {}", source.path, index + 1, line.trim()));
            }
        }
    }
    assert!(lines.is_empty(), "paths of somebody's machine:\n{}", lines.join("\n"));
}
