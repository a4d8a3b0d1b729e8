//! Rules about the source text that neither the compiler nor clippy keeps: which module may import which, and who may
//! name what.

#[path = "architecture/circles.rs"]
mod circles;
#[path = "architecture/order.rs"]
mod order;

use self::order::{ORDER, level, module, upward_imports};
use crate::gallery::mails::variants;
use crate::harness::product;

single_run![
    modules_import_only_modules_before_them,
    files_import_in_no_ring,
    map_of_contributing_is_the_order,
    glossary_names_what_is_in_the_code,
    only_store_names_database_drivers,
    only_crypto_names_primitives,
    only_http_names_web_framework,
    only_outbound_connects,
    only_one_place_knows_names_of_this_machine,
    log_lines_have_one_root,
    accounts_are_claimed_and_addresses_released_in_two_places,
    sessions_are_opened_in_one_place,
    only_commands_act_as_operator,
    passwords_are_judged_where_it_is_recorded,
    every_mail_has_a_sender,
    only_output_of_commands_writes,
    no_file_names_a_machine,
];

struct Source {
    /// From the repository's root, with `/`.
    path: String,
    text: String,
}

impl Source {
    /// The path below the `src` of its package, such as `store/users.rs`: a rule need not know the package.
    fn place(&self) -> &str {
        let package = self.path.strip_prefix("crates/").and_then(|path| path.split_once('/'));
        let path = package.map_or(self.path.as_str(), |(_, path)| path);
        path.strip_prefix("src/").unwrap_or(&self.path)
    }

    fn is_under(&self, places: &[&str]) -> bool {
        places.iter().any(|place| self.place().starts_with(place))
    }

    fn is_test(&self) -> bool {
        let is_of_tests =
            |part: &str| ["tests", "testing"].contains(&part) || part.starts_with("test_") || part.ends_with("_tests");
        self.place().trim_end_matches(".rs").split('/').any(is_of_tests)
    }

    /// Lines of code, with their numbers; comments may name anything.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        lines.filter(|(_, line)| !line.starts_with("//"))
    }

    /// Lines of code that hold one of the words, as whole words.
    fn lines_naming<'a>(&'a self, words: &'a [&'a str]) -> impl Iterator<Item = String> + 'a {
        let naming = self.code().filter(|(_, line)| words.iter().any(|word| names(line, word)));
        naming.map(|(number, line)| format!("{}:{number}: {line}", self.path))
    }
}

fn names(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .any(|(start, _)| !line[..start].ends_with(is_part) && !line[start + word.len()..].starts_with(is_part))
}

fn sources(places: &[&str]) -> Vec<Source> {
    product::texts(places).into_iter().map(|(path, text)| Source { path, text }).collect()
}

/// The sources of the service, of all its packages, without tests.
fn service() -> Vec<Source> {
    let folders = product::folders();
    let mut sources = sources(&folders.iter().map(String::as_str).collect::<Vec<_>>());
    sources.retain(|source| !source.is_test());
    sources
}

/// Fails with every line of the service outside `allowed` that names one of the words.
#[track_caller]
fn only(allowed: &[&str], words: &[&str]) {
    let sources = service();
    let elsewhere = sources.iter().filter(|source| !source.is_under(allowed));
    let lines: Vec<String> = elsewhere.flat_map(|source| source.lines_naming(words)).collect();
    assert!(lines.is_empty(), "only {allowed:?} may name {words:?}:\n{}", lines.join("\n"));
}

/// Every line of the list, or nothing.
fn lines<T: ToString>(places: impl IntoIterator<Item = T>) -> String {
    places.into_iter().map(|place| place.to_string()).collect::<Vec<_>>().join("\n")
}

async fn modules_import_only_modules_before_them() {
    let sources = service();
    assert_eq!(upward_imports(&sources), "");
    let modules = sources.iter().map(|source| module(source.place()));
    let unlisted: Vec<&str> = modules.filter(|module| level(module).is_none()).collect();
    assert!(unlisted.iter().all(|module| ["lib", "domain"].contains(module)), "without a place: {unlisted:?}");
    let is_absent = |listed: &&&str| !sources.iter().any(|source| level(module(source.place())) == level(listed));
    assert_eq!(lines(ORDER.iter().filter(is_absent)), "", "places without a module");
    // This file has no place in the order: what it exported could be imported from anywhere.
    let domain = sources.iter().find(|source| source.place() == "domain/mod.rs").unwrap();
    let is_module = |line: &&str| line.is_empty() || line.starts_with("//!") || line.starts_with("pub mod ");
    assert_eq!(lines(domain.text.lines().filter(|line| !is_module(line))), "");
}

async fn files_import_in_no_ring() {
    assert_eq!(lines(circles::rings(&service())), "");
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

/// The last column of the glossary's tables names types, functions and files.
async fn glossary_names_what_is_in_the_code() {
    let (glossary, sources) = (sources(&["docs/reference/glossary.md"]), service());
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

async fn only_store_names_database_drivers() {
    only(&["store/"], &["sqlx", "rusqlite", "libsqlite3_sys"]);
}

async fn only_crypto_names_primitives() {
    only(&["crypto/"], &["argon2", "jsonwebtoken", "webauthn_rs_core", "totp_rs"]);
    // Elsewhere: the source of randomness, and digests of public files.
    only(&["crypto/", "random.rs", "brand/asset.rs", "breached/"], &["aws_lc_rs"]);
    // `clippy.toml` refuses the other ways to draw bytes, and to read the time.
    only(&["random.rs"], &["SystemRandom"]);
}

async fn only_http_names_web_framework() {
    only(&["http/"], &["axum", "tower_http"]);
    // The trait of what connects, too.
    only(&["http/", "outbound/"], &["tower_service"]);
    only(&["http/", "mail/", "html.rs"], &["askama"]);
}

/// A client that is made elsewhere would have other limits, and could follow a redirect to an inner address.
async fn only_outbound_connects() {
    only(&["outbound/"], &["hyper_rustls", "hyper::client", "hyper_util::client"]);
    only(&["outbound/"], &["TcpStream::connect", "lookup_host"]);
}

/// Several places would differ in which names count, as they once did: ask `is_localhost` or `is_this_machine`.
async fn only_one_place_knows_names_of_this_machine() {
    only(&["model/this_machine.rs", "outbound/resolver.rs"], &["\"localhost\""]);
}

/// Filters of operators name `doorward::store`, whatever package has the module.
async fn log_lines_have_one_root() {
    let calls = ["error", "warn", "info", "debug", "trace"].map(|level| format!("tracing::{level}!("));
    let mut lines = Vec::new();
    for source in service().iter().filter(|source| source.path.starts_with("crates/")) {
        let target = format!("target: \"doorward::{}\"", module(source.place()).replace('/', "::"));
        for call in calls.iter().flat_map(|call| source.text.split(call.as_str()).skip(1)) {
            if !call.trim_start().starts_with(&target) {
                lines.push(format!("{}: {}", source.path, call.lines().next().unwrap_or_default()));
            }
        }
    }
    assert!(lines.is_empty(), "without a target of their own:\n{}", lines.join("\n"));
}

/// A session that is opened anywhere else would bypass the second factor.
async fn sessions_are_opened_in_one_place() {
    only(&["domain/login/complete.rs"], &["lifecycle::open"]);
    only(&["domain/session/", "store/"], &["session_create"]);
    only(&["domain/login/complete.rs", "domain/dev_session.rs"], &["open_for_developer"]);
    // A new account has nothing but a password or an account at a provider set in its own transaction, and one that is
    // kept by the owner of its address has lost every earlier way in.
    only(&["domain/registration/sign_up.rs", "domain/registration/verified.rs"], &["complete::open"]);
}

/// A signup and a reset act on whose account it is that holds an address (decision 7), whatever has shown the address.
async fn accounts_are_claimed_and_addresses_released_in_two_places() {
    let places = ["domain/ownership/", "domain/registration/verified.rs", "domain/verification/password_reset.rs"];
    only(&places, &["claim_unverified_account", "release_address"]);
}

/// No request is served as the operator, who may do everything.
async fn only_commands_act_as_operator() {
    only(&["cli/", "doctor/", "model/principal/"], &["Principal::operator"]);
}

async fn passwords_are_judged_where_it_is_recorded() {
    // A signup that waits is no account: two forms of one browser are compared.
    let places = ["domain/login/password.rs", "domain/login/prompt.rs", "domain/registration/again.rs"];
    only(&places, &["passwords.verify"]);
}

/// One that is only described would leave people uninformed.
async fn every_mail_has_a_sender() {
    let service = service();
    let senders = || service.iter().filter(|source| source.is_under(&["domain/", "cli/"]));
    let variants = |file, name: &'static str| variants(file, name).into_iter().map(move |variant| (name, variant));
    let all = variants("message.rs", "Mail").chain(variants("notice.rs", "Notice"));
    let all: Vec<String> = all.map(|(name, variant)| format!("{name}::{variant}")).collect();
    let is_sent = |mail: &&String| senders().any(|source| source.lines_naming(&[mail.as_str()]).next().is_some());
    let unsent: Vec<&String> = all.iter().filter(|mail| !is_sent(mail)).collect();
    // Only `mail::notify` and `mail::notify_administrator` make these.
    assert_eq!(unsent, ["Mail::Notice", "Mail::AdminNotice"], "of {all:?}");
}

/// Stored and typed text must not control the terminal: one file of the command line writes, and it escapes. `println!`
/// and the like are clippy's.
async fn only_output_of_commands_writes() {
    let words = ["writeln!", "write!", "write_all", "to_writer", "stdout", "stderr"];
    // A `Display`, and a string; `main.rs` passes the streams on, and the lines of a log are escaped.
    let harmless = ["write!(f, ", "write!(printable, ", "stderr().is_terminal()"];
    let files = service();
    let commands = files.iter().filter(|source| source.is_under(&["cli/", "main.rs"]));
    let others = commands.filter(|source| !source.is_under(&["cli/output.rs", "cli/log_writer.rs"]));
    let lines = others.flat_map(|source| {
        let streams = if source.is_under(&["main.rs"]) { &words[..4] } else { &words[..] };
        source.lines_naming(streams).collect::<Vec<_>>()
    });
    let lines: Vec<String> = lines.filter(|line| !harmless.iter().any(|harmless| line.contains(harmless))).collect();
    assert!(lines.is_empty(), "only src/cli/output.rs writes to the terminal:\n{}", lines.join("\n"));
}

async fn no_file_names_a_machine() {
    // Written so that this file does not hold what it looks for.
    let homes = ["work", "root", "home", "Users"].map(|folder| format!("/{folder}/"));
    let places = ["src", "crates", "tests", "bench", "tools", "scripts", "docs", ".ci"];
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
