//! `doorward backup` and `doorward restore`: what a restored service knows, and what it has forgotten.

use crate::harness::{
    Answer, Client, Engine, PASSWORD, Process, Receiver, TempDir, TestApp, link_of, run_process, run_program,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;

both_engines![
    restored_service_has_accounts_but_no_sessions_and_links,
    sessions_and_links_live_on_if_asked_for,
    restore_requires_confirmation,
];
single_run![
    backup_is_private_and_overwrites_nothing,
    key_is_written_only_on_demand_and_restored,
    copied_backup_is_migrated_and_served,
    backup_under_load_is_consistent_and_its_events_arrive_once,
];
once_on_postgres![loaded_backup_is_left_alone_while_service_runs];

const RESET: &str = "Reset your password";

type Variables = BTreeMap<String, String>;

/// Runs a command that succeeds, with its JSON.
pub async fn doorward(arguments: &[&str], variables: &Variables) -> Value {
    json_of(&run_program(&[&["--json"], arguments].concat(), variables).await)
}

/// As [`doorward`], as a process: when it has ended, it has no file open. For what is restored over an existing file.
pub async fn doorward_process(arguments: &[&str], variables: &Variables) -> Value {
    json_of(&run_process(&[&["--json"], arguments].concat(), variables, "").await)
}

#[track_caller]
fn json_of(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The variables with another database, which does not exist yet.
pub fn with_new_database(variables: &Variables, folder: &TempDir) -> Variables {
    let mut variables = variables.clone();
    let data = folder.path().join("data");
    variables.insert("SVC_DATA_DIR".to_owned(), data.display().to_string());
    variables.insert("SVC_DATABASE_URL".to_owned(), format!("sqlite:{}", data.join("new.db").display()));
    variables
}

pub fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

/// Writes a backup as the command does, or as it says.
pub async fn back_up(app: &TestApp, folder: &TempDir) -> String {
    let file = folder.path().join("it's a backup").display().to_string();
    let made = doorward(&["backup", &file], app.variables()).await;
    if let Some(line) = made["command"].as_str() {
        assert!(!Path::new(&file).exists(), "it only prints the command");
        app.database().run_line(line);
    }
    assert_eq!(mode(Path::new(&file)), 0o600);
    file
}

/// Stops the service, restores the backup and starts it again.
async fn restore(app: &mut TestApp, file: &str, keep_sessions: bool, folder: &TempDir) -> (Process, Value) {
    app.stop().await;
    let mut variables = app.variables().clone();
    let keep: &[&str] = if keep_sessions { &["--keep-sessions"] } else { &[] };
    let mut report = Value::Null;
    if app.engine() == Engine::Sqlite {
        variables = with_new_database(&variables, folder);
        report = doorward(&[&["restore", file, "--yes"], keep].concat(), &variables).await;
    } else {
        let told = doorward(&["restore", file], &variables).await;
        app.database().run_line(told["command"].as_str().unwrap());
        if !keep_sessions {
            assert_eq!(told["next"], "doorward restore --loaded");
            report = doorward(&["restore", "--loaded", "--yes"], &variables).await;
            assert_eq!(report["sessions_ended"], 2);
        }
    }
    (Process::start(&variables).await, report)
}

/// A service with a user, her session, a link to reset her password, and an invitation.
async fn with_open_ends(engine: Engine) -> (TestApp, Client, String, String) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up_verified("ada@example.com").await;
    app.anonymous().post_form("/auth/password/forgot", &[("email", "ada@example.com")]).await.expect(303);
    let reset = link_of(&app.mail_to("ada@example.com", RESET).await);
    let org = doorward(&["org", "create", "Crew", "--owner", "ada"], app.variables()).await;
    let invite = ["invitation", "create", "--org", org["id"].as_str().unwrap(), "--email", "bob@example.com"];
    let invitation = doorward(&invite, app.variables()).await["link"].as_str().unwrap().to_owned();
    let invitation = invitation[invitation.find("/auth/").unwrap()..].to_owned();
    (app, ada, reset, invitation)
}

async fn restored_service_has_accounts_but_no_sessions_and_links(engine: Engine) {
    let folder = TempDir::new("backup");
    let (mut app, ada, reset, invitation) = with_open_ends(engine).await;
    let other = app.anonymous();
    other.log_in("ada", PASSWORD).await.expect(303);
    let create = async |name: &str| {
        doorward(&["api-key", "create", name, "--scope", "users:read"], app.variables()).await["id"].clone()
    };
    let (live, before) = (create("backend").await, create("worker").await);
    let revoke = ["api-key", "revoke", before.as_str().unwrap()];
    doorward(&revoke, app.variables()).await;
    let file = back_up(&app, &folder).await;
    doorward(&["api-key", "revoke", live.as_str().unwrap()], app.variables()).await;
    app.sign_up_verified("late@example.com").await;
    let (_restored, report) = restore(&mut app, &file, false, &folder).await;
    assert_eq!(report["api_keys"], json!([{"id": live, "name": "backend"}]));
    for session in [&ada, &other] {
        session.copy().api_user().await.expect(401);
        session.copy().refresh("app").await.expect(401);
    }
    app.anonymous().get(&reset).await.expect(404);
    let page = app.anonymous().get(&invitation).await.text();
    assert!(page.contains("This invitation was revoked"), "{page}");
    ada.log_in("ada", PASSWORD).await.expect(303);
    ada.api_user().await.expect(200);
    ada.refresh("app").await.expect(200);
    app.anonymous().log_in("late@example.com", PASSWORD).await.expect(401);
}

async fn sessions_and_links_live_on_if_asked_for(engine: Engine) {
    let folder = TempDir::new("backup");
    let (mut app, ada, reset, invitation) = with_open_ends(engine).await;
    let file = back_up(&app, &folder).await;
    let (_restored, _) = restore(&mut app, &file, true, &folder).await;
    ada.api_user().await.expect(200);
    ada.refresh("app").await.expect(200);
    for link in [&reset, &invitation] {
        app.anonymous().get(link).await.expect(200);
    }
}

async fn restore_requires_confirmation(engine: Engine) {
    let folder = TempDir::new("backup");
    let mut app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (arguments, variables) = match engine {
        Engine::Sqlite => {
            let file = back_up(&app, &folder).await;
            let elsewhere = with_new_database(app.variables(), &folder);
            let restored = run_program(&["restore", &file], &elsewhere).await;
            assert!(restored.status.success(), "nothing is lost, so nothing is asked: {restored:?}");
            assert!(folder.path().join("data/new.db").exists());
            (vec!["restore".to_owned(), file], elsewhere)
        }
        Engine::Postgres => (vec!["restore".to_owned(), "--loaded".to_owned()], app.variables().clone()),
    };
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    app.stop().await;
    assert_eq!(run_program(&arguments, &variables).await.status.code(), Some(2));
    let app = app.restart().await;
    let ada = ada.at(&app.url());
    ada.api_user().await.expect(200);
}

fn names(folder: &Path) -> BTreeSet<String> {
    folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

async fn backup_is_private_and_overwrites_nothing() {
    let folder = TempDir::new("backup");
    let app = Engine::Sqlite.app().await;
    app.sign_up("ada@example.com").await;
    let file = folder.path().join("backup");
    let arguments = ["backup", file.to_str().unwrap()];
    doorward(&arguments, app.variables()).await;
    assert_eq!((mode(&file), names(folder.path())), (0o600, ["backup".to_owned()].into()));
    let written = std::fs::read(&file).unwrap();
    app.sign_up("bob@example.com").await;
    assert_eq!(run_program(&arguments, app.variables()).await.status.code(), Some(1));
    assert!(std::fs::read(&file).unwrap() == written && names(folder.path()).len() == 1);
}

async fn key_is_written_only_on_demand_and_restored() {
    let folder = TempDir::new("backup");
    let mut variables = Engine::Sqlite.prepare().await.variables().clone();
    let file = |name: &str| folder.path().join(name).display().to_string();
    variables.remove("SVC_SECRET_KEY");
    variables.insert("SVC_DATABASE_URL".to_owned(), format!("sqlite:{}", file("old/old.db")));
    variables.insert("SVC_DATA_DIR".to_owned(), file("old"));
    doorward(&["migrate"], &variables).await;
    doorward(&["user", "create", "ada@example.com"], &variables).await;
    let key = std::fs::read(file("old/secret.key")).unwrap();
    doorward(&["backup", &file("alone")], &variables).await;
    assert!(!PathBuf::from(file("alone.key")).exists());
    doorward(&["backup", &file("both"), "--with-key"], &variables).await;
    assert_eq!((std::fs::read(file("both.key")).unwrap(), mode(Path::new(&file("both.key")))), (key.clone(), 0o600));
    // A key that stands in a variable is one of the backup's, too.
    variables.insert("SVC_SECRET_KEY".to_owned(), String::from_utf8(key.clone()).unwrap().trim().to_owned());
    doorward(&["backup", &file("variable"), "--with-key"], &variables).await;
    assert_eq!(std::fs::read(file("variable.key")).unwrap(), key);
    variables.remove("SVC_SECRET_KEY");
    let elsewhere = with_new_database(&variables, &folder);
    doorward(&["restore", &file("both"), "--with-key", "--yes"], &elsewhere).await;
    assert_eq!(std::fs::read(file("data/secret.key")).unwrap(), key);
    assert_eq!(doorward_process(&["user", "show", "ada"], &elsewhere).await["email"], "ada@example.com");
    std::fs::write(file("data/secret.key"), "another").unwrap();
    let output = run_program(&["restore", &file("both"), "--with-key", "--yes"], &elsewhere).await;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(std::fs::read(file("data/secret.key")).unwrap(), b"another");
}

async fn backup_under_load_is_consistent_and_its_events_arrive_once() {
    let folder = TempDir::new("backup");
    let receiver = Receiver::start().await;
    receiver.answer_always(Answer::Status(503));
    let mut app = Engine::Sqlite.prepare().await.webhooks(&receiver).set("SVC_RATE_LIMIT", "off").start().await;
    let people = async {
        for number in 0..40 {
            app.sign_up(&format!("user{number}@example.com")).await;
        }
    };
    let file = folder.path().join("backup").display().to_string();
    let arguments = ["backup", file.as_str()];
    let backup = async {
        receiver.wait_for(5).await;
        doorward(&arguments, app.variables()).await
    };
    tokio::join!(people, backup);
    app.stop().await;
    let variables = with_new_database(app.variables(), &folder);
    doorward(&["restore", &file, "--yes"], &variables).await;
    let users = doorward(&["user", "list"], &variables).await["data"].as_array().unwrap().len();
    assert!((2..=40).contains(&users), "{users}");
    // Signup and its events are one transaction: three of them for each account, or none.
    let before = receiver.received().len();
    receiver.answer_always(Answer::Status(204));
    // The time of the next attempt comes, and claims of the process that was backed up run out.
    let pool = sqlx::SqlitePool::connect(&variables["SVC_DATABASE_URL"]).await.unwrap();
    sqlx::query("UPDATE outbox SET due_at = 0, leased_at = 0").execute(&pool).await.unwrap();
    pool.close().await;
    let restored = Process::start(&variables).await;
    let arrived = receiver.wait_for(before + 3 * users).await.split_off(before);
    let ids: BTreeSet<&str> = arrived.iter().map(crate::harness::Received::id).collect();
    assert_eq!((arrived.len(), ids.len()), (3 * users, 3 * users));
    drop(restored);
    let stats = doorward(&["webhooks", "list", "--state", "pending"], &variables).await;
    assert_eq!(stats["data"].as_array().unwrap().len(), 0, "{stats}");
}

/// A backup is in another journal mode than the service's file.
async fn copied_backup_is_migrated_and_served() {
    let (app, folder) = (Engine::Sqlite.app().await, TempDir::new("copied"));
    app.sign_up("ada@example.com").await;
    let file = back_up(&app, &folder).await;
    let variables = with_new_database(app.variables(), &folder);
    std::fs::create_dir(folder.path().join("data")).unwrap();
    std::fs::copy(file, folder.path().join("data/new.db")).unwrap();
    doorward(&["migrate"], &variables).await;
    assert_eq!(doorward(&["user", "list"], &variables).await["data"][0]["email"], "ada@example.com");
}

async fn loaded_backup_is_left_alone_while_service_runs() {
    let builder = Engine::Postgres.prepare().await;
    let service = Process::start(builder.variables()).await;
    let ada = builder.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    for arguments in [&["restore", "--loaded", "--yes"][..], &["restore", "--loaded"]] {
        let refused = run_program(arguments, builder.variables()).await;
        let error = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(1), "{error}");
        assert!(error.contains("the service runs"), "{error}");
    }
    ada.api_user().await.expect(200);
    service.kill();
    let report = doorward(&["restore", "--loaded", "--yes"], builder.variables()).await;
    assert_eq!(report["sessions_ended"], 1);
}
