//! What each command prints, as text and as JSON. `tests/it/commands` has the lines that are run, in the order in which
//! one would type them; `tests/it/snapshots/commands` has them with what they print.
//!
//! A line may begin with `name = `, which gives `$name` the id that the command prints first, then with variables as in a
//! shell; after ` < ` it has what is typed. `$folder` is a folder of its own.
//!
//! Lines run in the process of the test; the first of each command, as text on SQLite, as a process, which must print the
//! same.

pub mod lines;

use crate::harness::{
    Engine, ScriptedProvider, TempDir, TestApp, UNTIL_STOPPED, begin, contents, folder_of_snapshots, part, snapshot,
};
use crate::snapshots::files;
use doorward::cli::args::{described, parse};
use doorward::domain::account::operator;
use doorward::model::ids::IdentityId;
use doorward::model::principal::Principal;
use doorward::model::provider::ProviderName;
use doorward::settings::{Environment, ServiceName};
use doorward::store::NewIdentity;
use lines::{Way, all_commands, first_lines, lines_of, run};
use regex::Regex;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use uuid::Uuid;

both_engines![
    accounts,
    sessions_of_developers,
    organizations,
    invitations,
    keys_of_backends,
    providers_of_logins,
    providers_that_answer,
    identities_of_accounts,
    secret_and_signing_keys,
    first_administrator,
    words_passwords_and_webhooks,
    steps_of_the_schema,
    backups,
];
single_run![
    wrong_settings,
    files_of_proxies,
    every_command_has_help,
    every_command_has_snapshots,
    every_command_runs_as_a_process,
];

async fn accounts(engine: Engine) {
    compare(engine, "user").await;
}

async fn sessions_of_developers(engine: Engine) {
    compare(engine, "sessions").await;
}

async fn organizations(engine: Engine) {
    compare(engine, "org").await;
}

async fn invitations(engine: Engine) {
    compare(engine, "invitation").await;
}

async fn keys_of_backends(engine: Engine) {
    compare(engine, "api_key").await;
}

async fn providers_of_logins(engine: Engine) {
    compare(engine, "provider").await;
}

async fn providers_that_answer(engine: Engine) {
    compare(engine, "provider_check").await;
}

async fn identities_of_accounts(engine: Engine) {
    compare(engine, "identities").await;
}

async fn secret_and_signing_keys(engine: Engine) {
    compare(engine, "keys").await;
}

async fn first_administrator(engine: Engine) {
    compare(engine, "setup_link").await;
}

async fn words_passwords_and_webhooks(engine: Engine) {
    compare(engine, "tools").await;
}

async fn steps_of_the_schema(engine: Engine) {
    compare(engine, "migrate").await;
}

async fn backups(engine: Engine) {
    compare(engine, if engine == Engine::Sqlite { "backup_sqlite" } else { "backup_postgres" }).await;
}

async fn wrong_settings() {
    compare(Engine::Sqlite, "config").await;
}

async fn files_of_proxies() {
    compare(Engine::Sqlite, "proxy_config").await;
}

/// Runs the lines of a file beside a service, as text and as JSON, each with a service of its own.
async fn compare(engine: Engine, name: &str) {
    let (text, json) =
        tokio::join!(Box::pin(transcript(engine, name, Way::Text)), Box::pin(transcript(engine, name, Way::Json)));
    snapshot(&format!("commands/{name}"), &text);
    snapshot(&format!("commands/{name}_json"), &json);
}

async fn transcript(engine: Engine, file: &str, way: Way) -> String {
    let lines = lines_of(file);
    let (app, folder) = (engine.app().await, TempDir::new("commands"));
    // The base URL is noted before the first answer.
    app.anonymous().get("/auth/health").await.expect(200);
    let id = Regex::new(r"(?:evt_)?[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-z]{16}\b").unwrap();
    let mut values = vec![("$folder".to_owned(), folder.path().display().to_string())];
    let _provider = prepare(&app, file, &folder, &mut values).await;
    let as_processes = if (engine, way) == (Engine::Sqlite, Way::Text) { first_lines() } else { BTreeMap::new() };
    let mut printed = Vec::new();
    for (number, line) in lines.lines().enumerate() {
        let is_process = as_processes.values().any(|place| *place == (file.to_owned(), number));
        let way = if is_process { Way::Process } else { way };
        let (name, line) = line.split_once(" = ").map_or((None, line), |(name, line)| (Some(name), line));
        let line = values.iter().fold(line.to_owned(), |line, (name, value)| line.replace(name, value));
        let text = run(app.variables(), &line, way).await;
        if let Some(name) = name {
            let (_, output) = text.split_once("stdout:").unwrap_or_else(|| panic!("{text}"));
            let printed: Value = serde_json::from_str(output).unwrap_or_default();
            let of_json = printed["id"].as_str().or(printed["data"][0]["id"].as_str());
            let id = of_json.or(id.find(output).map(|id| id.as_str())).unwrap_or_else(|| panic!("no id in {text}"));
            values.push((format!("${name}"), id.to_owned()));
        }
        printed.push(text);
    }
    printed.join(&format!("\n{}\n", "─".repeat(100)))
}

/// Makes what no command makes: a provider that answers, and identities.
async fn prepare(
    app: &TestApp,
    name: &str,
    folder: &TempDir,
    values: &mut Vec<(String, String)>,
) -> Option<ScriptedProvider> {
    if name == "identities" {
        connect_identities(app).await;
    }
    if name != "provider_check" {
        return None;
    }
    let provider = ScriptedProvider::start().await;
    std::fs::write(folder.path().join("secret"), &provider.client_secret).unwrap();
    values.push(("$issuer".to_owned(), provider.issuer.clone()));
    Some(provider)
}

/// Ada has an account at two providers, and has used one of them.
async fn connect_identities(app: &TestApp) {
    let create = "user create ada@example.com --password-stdin --verified < a lighthouse in the fog";
    let created = run(app.variables(), create, Way::Text).await;
    assert!(created.contains("exit code 0"), "{created}");
    let user_id = operator::find(&app.app.store, &Principal::operator(), "ada").await.unwrap().id;
    let mut tx = begin(&app.app.store).await;
    for (number, name, issuer, subject) in [
        (1, "google", "https://accounts.google.com", "110169484474386276334"),
        (2, "corp", "https://id.example.com", "ada"),
    ] {
        let (id, provider) = (IdentityId(Uuid::from_u128(number)), &ProviderName::parse(name).unwrap());
        let new = NewIdentity { id, user_id, issuer, subject, provider, email: None };
        assert!(tx.identity_create(&new).await.unwrap());
        if number == 1 {
            tx.identity_note_use(id, provider, None).await.unwrap();
        }
    }
    tx.commit().await.unwrap();
}

/// The long help of a command, without what each of them has.
fn help(command: &str) -> String {
    let arguments = ["doorward"].into_iter().chain(command.split_whitespace()).chain(["--help"]).map(OsString::from);
    let help = parse(arguments, &Environment::default()).unwrap_err().to_string();
    let global = Regex::new("(?s)\n*Global options:\n.*Print help").unwrap();
    if command.is_empty() { help } else { global.replace(&help, "").trim_end().to_owned() }
}

/// A file for each command, with those in it.
async fn every_command_has_help() {
    let serve = help("serve");
    part("settings", &serve[serve.find("Settings are environment variables").unwrap()..]);
    snapshot("help/doorward", &help(""));
    let tree = described(&ServiceName::parse("svc").unwrap());
    for command in tree.get_subcommands() {
        let mut texts = Vec::new();
        add_help(command, command.get_name(), &mut texts);
        snapshot(&format!("help/{}", command.get_name().replace('-', "_")), &texts.join("\n\n\n"));
    }
}

fn add_help(command: &clap::Command, path: &str, texts: &mut Vec<String>) {
    texts.push(help(path));
    for inner in command.get_subcommands() {
        add_help(inner, &format!("{path} {}", inner.get_name()), texts);
    }
}

/// Commands that print what stands elsewhere: the help of all commands, `messages/*.ftl`, `docs`, and the banner of `serve`.
const AS_ELSEWHERE: [&str; 4] = ["completions", "dev", "messages export", "docs"];

async fn every_command_has_snapshots() {
    let all = all_commands();
    let command = Regex::new(r"(?m)^(?:[A-Z_]+=\S* )*doorward (.+)\n\nexit code (\d+)$").unwrap();
    let snapshots = files(&folder_of_snapshots()).into_iter().filter(|file| file.extension().is_some());
    let texts: Vec<String> = snapshots.map(|file| contents(&file)).collect();
    let ran: Vec<(&str, bool)> = texts
        .iter()
        .flat_map(|text| command.captures_iter(text))
        .map(|found| (found.get(1).unwrap().as_str(), &found[2] == "0"))
        .collect();
    let mut missing = BTreeSet::new();
    for name in &all {
        let has = |done: bool, json: bool| {
            let is_it = |line: &str| line.replace(" --json", "").replace("--json ", "") + " ";
            let same = |line: &str| is_it(line).starts_with(&format!("{name} ")) && line.contains("--json") == json;
            ran.iter().any(|(line, succeeded)| *succeeded == done && same(line))
        };
        // The tests of a command that runs until it is stopped show what it prints meanwhile.
        let ends = !UNTIL_STOPPED.contains(&name.as_str()) && !AS_ELSEWHERE.contains(&name.as_str());
        let outcomes = [(true, false), (true, true), (false, false), (false, true)];
        let wanted = outcomes.iter().filter(|(done, _)| ends || !*done);
        missing.extend(wanted.filter(|(done, json)| !has(*done, *json)).map(|(done, json)| {
            format!("{name}{}: {}", if *json { " --json" } else { "" }, if *done { "done" } else { "refused" })
        }));
    }
    assert!(missing.is_empty(), "no snapshot of\n{}", missing.into_iter().collect::<Vec<_>>().join("\n"));
}

async fn every_command_runs_as_a_process() {
    let run = first_lines();
    let missing: Vec<String> = all_commands().into_iter().filter(|command| !run.contains_key(command)).collect();
    assert!(missing.is_empty(), "no line of {missing:?}");
}
