//! `doorward migrate`, `SVC_MIGRATE=off`, and what other commands do with an old schema, or without any.

use crate::commands::lines::{Way, first_lines, lines_of, run};
use crate::harness::{Builder, Engine, TempDir, run_program, run_to_snapshot};
use regex::Regex;
use serde_json::Value;
use std::collections::BTreeSet;
use tokio::task::JoinSet;

both_engines![
    old_schema_is_refused_until_it_is_migrated,
    steps_are_shown_without_being_taken,
    no_other_command_takes_steps,
    lost_key_does_not_prevent_migration,
    backup_of_old_version_is_restored,
    only_start_and_migrate_make_a_database,
];

async fn lacking_a_step(engine: Engine) -> Builder {
    let builder = engine.prepare().await;
    builder.database().execute("DELETE FROM _sqlx_migrations WHERE version = 153").await;
    builder
}

/// Exit code, and what was printed on either stream.
async fn doorward(builder: &Builder, arguments: &[&str]) -> (Option<i32>, String) {
    let output = run_program(arguments, builder.variables()).await;
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.code(), text)
}

async fn json(builder: &Builder, arguments: &[&str]) -> Value {
    let (code, printed) = doorward(builder, arguments).await;
    assert_eq!(code, Some(0), "{printed}");
    serde_json::from_str(&printed).unwrap()
}

async fn old_schema_is_refused_until_it_is_migrated(engine: Engine) {
    let builder = lacking_a_step(engine).await.set("SVC_MIGRATE", "off");
    for (name, line) in [
        ("user_list_old_schema", "user list"),
        ("serve_old_schema", "serve"),
        ("migrate_one_step", "migrate"),
        ("user_list_new_schema", "user list"),
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        run_to_snapshot(&format!("commands/{name}"), &arguments, builder.variables()).await;
    }
}

async fn steps_are_shown_without_being_taken(engine: Engine) {
    let builder = lacking_a_step(engine).await;
    for _ in 0..2 {
        let missing = json(&builder, &["migrate", "--dry-run", "--json"]).await;
        let numbers: Vec<_> = missing["missing"].as_array().unwrap().iter().map(|step| &step["number"]).collect();
        assert_eq!(numbers, [153]);
    }
    let steps = json(&builder, &["migrate", "status", "--json"]).await;
    let steps = steps["data"].as_array().unwrap();
    let lacking: Vec<_> = steps.iter().filter(|step| step["taken"] == false).map(|step| &step["number"]).collect();
    assert!(steps.len() > 10 && lacking == [153], "{steps:#?}");
    run_to_snapshot("commands/migrate_dry_run_one_step", &["migrate", "--dry-run"], builder.variables()).await;
    run_to_snapshot("commands/migrate_one_step_json", &["migrate", "--json"], builder.variables()).await;
}

/// Commands that read the database, or none.
const HARMLESS: [&str; 18] = [
    "config",
    "healthcheck --ready",
    "status",
    "doctor",
    "migrate --dry-run",
    "migrate status",
    "backup $folder/backup",
    "passwords check",
    "passwords status",
    "messages export",
    "messages check",
    "mail test ada@example.com",
    "completions bash",
    "docs gate",
    "explain DW-053",
    "man $folder",
    "version",
    "proxy-config nginx --host app.example.org --app http://127.0.0.1:3000",
];
/// What brings the schema up to date, and what needs no database and a receiver, or a list, or runs until it is stopped.
const NOT_RUN: [&str; 9] = [
    "serve",
    "dev",
    "migrate",
    "restore",
    "passwords import-hibp",
    "webhooks ping",
    "webhooks listen",
    "dev echo",
    "dev provider",
];

/// The names of all commands that do something.
pub fn commands(of: &clap::Command, before: &str, found: &mut BTreeSet<String>) {
    for command in of.get_subcommands() {
        let name = format!("{before}{}", command.get_name());
        // These do something by themselves, too.
        let has_own = ["config", "dev", "migrate"].contains(&command.get_name());
        if command.has_subcommands() && !["config", "migrate"].contains(&command.get_name()) {
            commands(command, &format!("{name} "), found);
        }
        if has_own || !command.has_subcommands() {
            found.insert(name);
        }
    }
}

/// Of each other command the first line in `tests/it/commands`: it opens the database, and changes or shows what is there.
fn refused_lines() -> Vec<String> {
    let is_of = |line: &str, name: &str| line.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c| c != ' '));
    let others =
        first_lines().into_iter().filter(|(name, _)| !HARMLESS.iter().chain(&NOT_RUN).any(|line| is_of(line, name)));
    let line = |(file, number): (String, usize)| {
        let text = lines_of(&file);
        let line = text.lines().nth(number).unwrap();
        line.split_once(" = ").map_or(line, |(_, line)| line).to_owned()
    };
    others.map(|(_, place)| line(place)).collect()
}

async fn no_other_command_takes_steps(engine: Engine) {
    let builder = lacking_a_step(engine).await;
    let (folder, id) = (TempDir::new("commands"), Regex::new(r"\$\w+").unwrap());
    let refused = refused_lines();
    assert!(refused.len() > 50, "{refused:?}");
    let mut running = JoinSet::new();
    let lines = refused.into_iter().map(|line| (line, true));
    for (line, must_refuse) in lines.chain(HARMLESS.map(|line| (line.to_owned(), false))) {
        let line = line.replace("$folder", &folder.path().display().to_string());
        let line = id.replace_all(&line, "0191d6ab-3f0e-7000-8000-000000000000").into_owned();
        let variables = builder.variables().clone();
        running.spawn(async move {
            let printed = run(&variables, &line, Way::Text).await;
            let words = "the schema lacks 1 of this version's steps: run doorward migrate";
            let is_refused = printed.ends_with(&format!("\n\nexit code 2\n\nstderr:\ndoorward: {words}\n"));
            assert!(!must_refuse || is_refused, "{printed}");
        });
    }
    running.join_all().await;
    assert_eq!(missing_steps(&builder).await, [153]);
}

async fn missing_steps(builder: &Builder) -> Vec<Value> {
    let missing = json(builder, &["migrate", "--dry-run", "--json"]).await;
    missing["missing"].as_array().unwrap().iter().map(|step| step["number"].clone()).collect()
}

/// `secrets reset` needs the schema of its version.
async fn lost_key_does_not_prevent_migration(engine: Engine) {
    let mut app = engine.app().await;
    app.stop().await;
    app.database().execute("DELETE FROM _sqlx_migrations WHERE version = 153").await;
    let mut variables = app.variables().clone();
    if engine == Engine::Sqlite {
        variables.remove("SVC_SECRET_KEY");
    } else {
        variables.insert("SVC_SECRET_KEY".to_owned(), "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=".to_owned());
    }
    let run = async |arguments: &[&str]| run_program(arguments, &variables).await;
    let refused = run(&["secrets", "reset", "--yes"]).await;
    assert!(String::from_utf8_lossy(&refused.stderr).contains("run doorward migrate"), "{refused:?}");
    for arguments in [["migrate"].as_slice(), &["secrets", "reset", "--yes"], &["keys", "rotate"]] {
        let output = run(arguments).await;
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }
}

async fn backup_of_old_version_is_restored(engine: Engine) {
    let folder = TempDir::new("old");
    let mut builder = lacking_a_step(engine).await;
    let mut arguments = vec!["restore".to_owned(), "--yes".to_owned()];
    if engine == Engine::Sqlite {
        let file = folder.path().join("backup").display().to_string();
        assert_eq!(doorward(&builder, &["backup", &file]).await.0, Some(0));
        builder = builder.on_empty_database().await;
        arguments.push(file);
    } else {
        arguments.push("--loaded".to_owned());
    }
    let (code, printed) = doorward(&builder, &arguments.iter().map(String::as_str).collect::<Vec<_>>()).await;
    assert_eq!(code, Some(0), "{printed}");
    assert!(missing_steps(&builder).await.is_empty());
}

async fn only_start_and_migrate_make_a_database(engine: Engine) {
    let builder = engine.prepare().await.on_empty_database().await;
    let all = missing_steps(&builder).await.len();
    let words = match engine {
        Engine::Sqlite => "there is no database at".to_owned(),
        Engine::Postgres => format!("the schema lacks {all} of this version's steps: run doorward migrate"),
    };
    let create = ["user", "create", "ada@example.com"];
    for arguments in [["setup-link"].as_slice(), &create, &["user", "list"], &["org", "list"], &["keys", "rotate"]] {
        let (code, printed) = doorward(&builder, arguments).await;
        assert!(code == Some(2) && printed.contains(&words), "{arguments:?}: {printed}");
    }
    assert_eq!(missing_steps(&builder).await.len(), all);
    for arguments in [["migrate"].as_slice(), &create] {
        let (code, printed) = doorward(&builder, arguments).await;
        assert_eq!(code, Some(0), "{arguments:?}: {printed}");
    }
    assert!(missing_steps(&builder).await.is_empty());
    let (code, printed) = doorward(&builder, &["setup-link"]).await;
    assert!(code == Some(0) && printed.contains("/auth/setup/"), "{printed}");
}
