//! Rules about the source text that no compiler keeps: which module may import which, who may name what, how long a
//! file may be. `scripts/house` prints the same facts with their places.

use crate::gallery::mails::variants;
use house::{Crate, Import, Repository};
use std::path::{Path, PathBuf};

single_run![
    modules_import_only_modules_before_them,
    planted_upward_import_is_found,
    map_of_contributing_is_the_order,
    files_do_not_import_each_other_in_a_circle,
    public_type_names_have_one_definition,
    comments_cite_only_documents_of_the_repository,
    private_words_are_not_used,
    glossary_names_what_is_in_the_code,
    tests_do_not_sleep_for_a_fixed_time,
    only_store_names_database_drivers,
    only_crypto_names_primitives,
    only_http_names_web_framework,
    only_outbound_connects,
    only_clients_and_servers_name_hyper,
    time_and_randomness_have_one_source,
    sessions_are_opened_in_one_place,
    passwords_are_judged_where_it_is_recorded,
    every_mail_has_a_sender,
    only_cli_prints,
    only_output_of_commands_writes,
    files_are_short,
    no_file_names_a_machine,
];

/// The modules of `src` from the ground up, and in place of `domain` those in it: each may import those before it. The map
/// of CONTRIBUTING has the same ones.
const ORDER: &[&str] = &[
    "model",
    "clock",
    "random",
    "messages",
    "brand",
    "breached",
    "settings",
    "outbound",
    "metrics",
    "traces",
    "crypto",
    "store",
    "error",
    "rate_limit",
    "context",
    "mail",
    "domain/doctor_nonce",
    "domain/other_processes",
    "domain/idempotency",
    "domain/ending",
    "domain/api_key",
    "domain/identity",
    "domain/directory",
    "domain/session",
    "domain/mfa",
    "domain/keys",
    "domain/lost_key",
    "domain/organization",
    "domain/restored",
    "domain/login",
    "domain/ownership",
    "domain/mailed_token",
    "domain/registration",
    "domain/verification",
    "domain/account",
    "domain/dev_session",
    "delivery",
    "http",
    "boot",
    "background",
    "service",
    "doctor",
    "cli",
    "main",
];

/// The folders of the packages whose files must not import each other in a circle; the first is the service.
const PACKAGES: [&str; 3] = ["", "bench", "tools/house"];

/// Public type names that are defined more than once, each with its reason: none.
const HOMONYMS: &[&str] = &[];

/// Tests that sleep for a fixed time, as slowness is what they simulate.
const SLEEPS: &[&str] = &["tests/it/faults_load.rs", "tests/it/faults_receivers.rs"];

/// The hard limit of lines; the habit is about 120.
const MAX_LINES: usize = 500;

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

fn repository() -> Repository {
    Repository::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn imports(repository: &Repository) -> (Crate, Vec<Import>) {
    let krate = Crate::parse(repository).unwrap();
    let imports = house::imports(&krate);
    (krate, imports)
}

/// Every line of the list, or nothing.
fn lines<T: ToString>(places: impl IntoIterator<Item = T>) -> String {
    places.into_iter().map(|place| place.to_string()).collect::<Vec<_>>().join("\n")
}

/// The imports of a module that stands later in [`ORDER`], as lines.
fn upward_imports(repository: &Repository) -> String {
    let (krate, imports) = imports(repository);
    let order = house::order(&krate, &imports, ORDER);
    assert_eq!((order.unlisted, order.absent), (vec![], vec![]), "modules without a place, places without a module");
    lines(order.upward.iter().map(|import| format!("{} imports {} of {}", import.at, import.symbol, import.target)))
}

async fn modules_import_only_modules_before_them() {
    assert_eq!(upward_imports(&repository()), "");
    // This file has no place in the order: what it exported could be imported from anywhere.
    let domain = &sources(&["src/domain/mod.rs"])[0].text;
    let is_module = |line: &&str| line.is_empty() || line.starts_with("//!") || line.starts_with("pub mod ");
    assert_eq!(lines(domain.lines().filter(|line| !is_module(line))), "");
}

async fn planted_upward_import_is_found() {
    // From a top module, and within `domain` in each way in which a path is written.
    let planted = [
        (
            "src/domain/identity/identifiers.rs",
            "use crate::domain::account::export;",
            "export of src/domain/account/export.rs",
        ),
        (
            "src/domain/login/error.rs",
            "use super::super::verification::email_undo as undo;",
            "email_undo of src/domain/verification/email_undo.rs",
        ),
        (
            "src/domain/session/active.rs",
            "const PLANTED: Duration = crate::domain::mailed_token::token::CODE_TTL;",
            "CODE_TTL of src/domain/mailed_token/token.rs",
        ),
        ("src/model/ids.rs", "use crate::domain::keys;", "keys of src/domain/keys.rs"),
    ];
    let repository = repository();
    let last_line = |path| repository.text(path).unwrap().lines().count();
    let texts = repository.texts().map(|(path, text)| match planted.iter().find(|(file, ..)| *file == path) {
        Some((_, code, _)) => (path, format!("{text}\n{code}\n")),
        None => (path, text.to_owned()),
    });
    let texts: Vec<(&str, String)> = texts.collect();
    let found = upward_imports(&Repository::from_texts(texts.iter().map(|(path, text)| (*path, text.as_str()))));
    let expected = planted.iter().map(|(file, _, target)| format!("{file}:{} imports {target}", last_line(file) + 2));
    assert_eq!(found, lines(expected));
}

/// The first table of CONTRIBUTING has the modules of [`ORDER`], in this order and with no other between them.
async fn map_of_contributing_is_the_order() {
    let contributing = &sources(&["CONTRIBUTING.md"])[0].text;
    let (_, map) = contributing.split_once("| Module | What is in it |").unwrap();
    let rows = map.lines().skip(1).take_while(|line| line.starts_with('|'));
    let names = rows.filter_map(|row| row.split('|').nth(1)).flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let modules: Vec<&str> = names.map(|name| name.trim_end_matches('/').trim_end_matches(".rs")).collect();
    assert_eq!(modules, ORDER);
}

async fn files_do_not_import_each_other_in_a_circle() {
    for package in PACKAGES {
        let krate = Crate::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(package)).unwrap();
        let imports = house::imports(&krate);
        assert!(!imports.is_empty(), "no import in {package}");
        assert_eq!(house::circles(&imports), Vec::<Vec<String>>::new(), "in {package}");
    }
}

async fn public_type_names_have_one_definition() {
    let homonyms = house::public_homonyms(&Crate::parse(&repository()).unwrap());
    let names: Vec<&str> = homonyms.iter().map(|homonym| homonym.name.as_str()).collect();
    assert_eq!(names, HOMONYMS);
}

async fn comments_cite_only_documents_of_the_repository() {
    let citations = house::citations(&repository());
    assert_eq!(lines(citations.iter().map(|citation| format!("{} cites {}", citation.at, citation.cited))), "");
}

async fn private_words_are_not_used() {
    let words = house::private_words(&repository());
    let line =
        |found: &house::WordUse| format!("{}: say {}\n{}", found.word.word, found.word.say, lines(&found.places));
    assert_eq!(lines(words.iter().map(line)), "", "docs/glossary.md has the words");
}

/// The last column of the glossary's tables names types, functions and files.
async fn glossary_names_what_is_in_the_code() {
    let (glossary, sources) = (sources(&["docs/glossary.md"]), sources(&["src"]));
    let rows = glossary[0].text.lines().filter_map(|line| line.strip_suffix(" |")?.rsplit_once("| "));
    let quoted = rows.flat_map(|(_, names)| names.split('`').skip(1).step_by(2));
    let is_there = |name: &&str| {
        let path = name.trim_end_matches("*.rs").trim_end_matches(".rs").trim_end_matches('/');
        let item = name.rsplit("::").next().unwrap().trim_end_matches('!');
        sources.iter().any(|source| {
            let is_path = name.contains('/') && source.path.contains(path);
            is_path || source.lines_naming(&[item]).next().is_some()
        })
    };
    let (found, missing): (Vec<&str>, Vec<&str>) = quoted.partition(is_there);
    assert!(missing.is_empty() && found.len() > 30, "not in src: {missing:?}; found {}", found.len());
}

async fn tests_do_not_sleep_for_a_fixed_time() {
    let repository = repository();
    let sleeps = house::fixed_sleeps(&repository, &Crate::parse(&repository).unwrap()).unwrap();
    let files: Vec<&str> = sleeps.iter().map(|place| place.file.as_str()).collect();
    assert_eq!(files, SLEEPS);
}

async fn only_store_names_database_drivers() {
    only(&["src/store/"], &["sqlx", "rusqlite", "libsqlite3_sys"]);
}

async fn only_crypto_names_primitives() {
    only(&["src/crypto/"], &["argon2", "jsonwebtoken", "webauthn_rs_core", "totp_rs"]);
    // Elsewhere: the source of randomness, and digests of public files.
    only(&["src/crypto/", "src/random.rs", "src/brand/asset.rs", "src/breached/"], &["aws_lc_rs"]);
}

async fn only_http_names_web_framework() {
    only(&["src/http/"], &["axum", "tower_http"]);
    // The trait of what connects, too.
    only(&["src/http/", "src/outbound/"], &["tower_service"]);
    only(&["src/http/", "src/mail/"], &["askama"]);
}

/// A client that is made elsewhere would have other limits, and could follow a redirect to an inner address.
async fn only_outbound_connects() {
    only(&["src/outbound/"], &["hyper_rustls", "hyper::client", "hyper_util::client"]);
    // Emails go over SMTP, and a test of the server connects to it.
    only(
        &["src/outbound/", "src/mail/smtp/", "src/http/write_timeout_tests.rs"],
        &["TcpStream::connect", "lookup_host"],
    );
}

async fn only_clients_and_servers_name_hyper() {
    // The settings parse addresses and header names with hyper's types.
    let places = [
        "src/http/",
        "src/delivery/",
        "src/outbound/",
        "src/settings/",
        "src/doctor/",
        "src/traces/",
        "src/cli/dev_echo.rs",
        "src/cli/doctor_args.rs",
        "src/cli/healthcheck.rs",
        "src/cli/local_server.rs",
        "src/cli/url.rs",
        "src/cli/webhooks/forward.rs",
        "src/cli/webhooks/receiver.rs",
    ];
    only(&places, &["hyper", "hyper_util", "hyper_rustls", "http_body_util"]);
}

async fn time_and_randomness_have_one_source() {
    only(&["src/clock.rs"], &["Timestamp::now", "Zoned::now", "SystemTime", "std::time::Instant"]);
    only(&["src/random.rs"], &["rand::fill", "new_v4", "now_v7", "getrandom", "SystemRandom"]);
}

/// A session that is opened anywhere else would bypass the second factor.
async fn sessions_are_opened_in_one_place() {
    only(&["src/domain/login/complete.rs"], &["lifecycle::open"]);
    only(&["src/domain/session/", "src/store/"], &["session_create"]);
    only(&["src/domain/login/complete.rs", "src/domain/dev_session.rs"], &["open_for_developer"]);
    // A signup has nothing but a password set in its own transaction.
    only(&["src/domain/registration/sign_up.rs", "src/domain/registration/pending.rs"], &["complete::open"]);
}

async fn passwords_are_judged_where_it_is_recorded() {
    only(&["src/domain/login/password.rs", "src/domain/login/prompt.rs"], &["passwords.verify"]);
}

/// One that is only described would leave people uninformed.
async fn every_mail_has_a_sender() {
    let senders = sources(&["src/domain", "src/cli"]);
    let variants = |file, name: &'static str| variants(file, name).into_iter().map(move |variant| (name, variant));
    let all = variants("message.rs", "Mail").chain(variants("notice.rs", "Notice"));
    let all: Vec<String> = all.map(|(name, variant)| format!("{name}::{variant}")).collect();
    let is_sent = |mail: &&String| senders.iter().any(|source| source.lines_naming(&[mail.as_str()]).next().is_some());
    let unsent: Vec<&String> = all.iter().filter(|mail| !is_sent(mail)).collect();
    // Only `mail::notify` makes one of these.
    assert_eq!(unsent, ["Mail::Notice"], "of {all:?}");
}

async fn only_cli_prints() {
    only(&["src/cli/", "src/main.rs"], &["println!", "print!", "eprintln!", "eprint!"]);
}

/// Stored and typed text must not control the terminal: one file of the command line writes, and it escapes.
async fn only_output_of_commands_writes() {
    let words = [
        "println!",
        "print!",
        "eprintln!",
        "eprint!",
        "writeln!",
        "write!",
        "write_all",
        "to_writer",
        "stdout",
        "stderr",
    ];
    // A `Display`, a string, and the log of `serve`; `main.rs` passes the streams on.
    let harmless = ["write!(f, ", "write!(printable, ", "with_writer(std::io::stderr)", "stderr().is_terminal()"];
    let files = sources(&["src/cli", "src/main.rs"]);
    let others =
        files.iter().filter(|source| !source.is_under(&["src/cli/output.rs"]) && !source.path.ends_with("_tests.rs"));
    let lines = others.flat_map(|source| {
        let streams = if source.is_under(&["src/main.rs"]) { &words[..8] } else { &words[..] };
        source.lines_naming(streams).collect::<Vec<_>>()
    });
    let lines: Vec<String> = lines.filter(|line| !harmless.iter().any(|harmless| line.contains(harmless))).collect();
    assert!(lines.is_empty(), "only src/cli/output.rs writes to the terminal:\n{}", lines.join("\n"));
}

async fn files_are_short() {
    let sources = sources(&["src", "tests", "bench/src", "tools", "scripts", "templates", "migrations"]);
    // Fixtures are data that programs wrote, and snapshots are as long as what they hold.
    let data = ["tests/fixtures/", "tests/it/snapshots/"];
    let read = sources.iter().filter(|source| !source.is_under(&data));
    let long = read.map(|source| (source.text.lines().count(), &source.path));
    let long: Vec<_> = long.filter(|(lines, _)| *lines > MAX_LINES).collect();
    assert!(long.is_empty(), "longer than {MAX_LINES} lines: {long:?}");
}

async fn no_file_names_a_machine() {
    // Written so that this file does not hold what it looks for.
    let homes = ["work", "root", "home", "Users"].map(|folder| format!("/{folder}/"));
    let places = ["src", "tests", "bench", "tools", "scripts", "docs", "templates", "assets", "migrations", ".ci"];
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
    assert!(lines.is_empty(), "paths of a machine:\n{}", lines.join("\n"));
}
