//! An account that was deleted by mistake comes back from a backup (docs/guides/trouble.md).

use crate::backup::{back_up, doorward};
use crate::harness::{Engine, PASSWORD, Passkey, Receiver, TempDir, TestApp, TestDatabase, run_program};
use crate::organizations::{create_team, member, user_id};
use crate::passkeys::service_from;
use serde_json::{Value, json};
use std::path::Path;

both_engines![only_a_deleted_account_of_the_backup_comes_back,];
one_engine![deleted_account_comes_back_with_its_id, roles_and_what_others_have_now_stay_away,];

/// A backup, as `--from` names it.
struct Backup {
    from: String,
    /// Dropped with this.
    _database: Option<TestDatabase>,
}

impl Backup {
    async fn of(app: &TestApp, folder: &TempDir) -> Self {
        let file = back_up(app, folder).await;
        if app.engine() == Engine::Sqlite {
            return Self { from: file, _database: None };
        }
        let database = TestDatabase::empty(Engine::Postgres, folder.path()).await;
        database.restore_into_new(Path::new(&file)).await;
        Self { from: database.url().to_owned(), _database: Some(database) }
    }
}

/// Deletes an account; returns the id that the command prints.
async fn delete(app: &TestApp, user: &str) -> String {
    let deleted = run_program(&["user", "delete", user, "--yes"], app.variables()).await;
    let text = String::from_utf8(deleted.stdout).unwrap();
    text.trim().trim_end_matches(')').rsplit_once('(').unwrap().1.to_owned()
}

async fn recover(app: &TestApp, id: &str, from: &str) -> Value {
    doorward(&["user", "recover", id, "--from", from], app.variables()).await
}

async fn expect_refused(app: &TestApp, id: &str, from: &str, why: &str) {
    let output = run_program(&["user", "recover", id, "--from", from], app.variables()).await;
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && error.contains(why), "{error}");
}

/// The organizations that a user is in, by name, with the role and the id.
async fn memberships(app: &TestApp, user: &str) -> Vec<String> {
    let sql = format!(
        "SELECT o.name || ' ' || m.role FROM memberships m JOIN organizations o ON o.id = m.organization_id \
         JOIN users u ON u.id = m.user_id WHERE u.username = '{user}'"
    );
    let mut found = app.database().texts(&sql).await;
    let listed = doorward(&["org", "list"], app.variables()).await;
    found.extend(listed["data"].as_array().unwrap().iter().map(|org| format!("{} {}", org["name"], org["id"])));
    found.sort_unstable();
    found
}

async fn deleted_account_comes_back_with_its_id(engine: Engine) {
    let (folder, receiver) = (TempDir::new("deleted"), Receiver::start().await);
    let (app, url) = service_from(engine.prepare().await.webhooks(&receiver)).await;
    let bob = app.sign_up("bob@example.com").await;
    let crew = create_team(&bob, "Crew").await;
    let ada = member(&app, &bob, &crew, "ada@example.com", "admin").await;
    create_team(&ada, "Engines").await;
    let mut passkey = Passkey::add(&ada, &url, "Phone").await;
    let (phone, codes) = ada.turn_on_two_factor(&app).await;
    let details = ["user", "set-details", "ada", "--external-id", "7", "--metadata", r#"{"plan":"gold"}"#];
    doorward(&details, app.variables()).await;
    doorward(&["user", "set-email", "ada", "ada@example.com", "--verified"], app.variables()).await;
    let (was, in_before) = (doorward(&["user", "show", "ada"], app.variables()).await, memberships(&app, "ada").await);
    assert_eq!(in_before.len(), 3 + 4, "{in_before:?}");
    let backup = Backup::of(&app, &folder).await;
    let id = delete(&app, "ada").await;
    let audit = doorward(&["user", "audit", &id], app.variables()).await;
    assert_eq!(audit["data"][0]["kind"], "account_deleted", "{audit}");
    let kinds = async || app.database().texts("SELECT kind FROM outbox WHERE channel = 'webhook' ORDER BY id").await;
    let before = kinds().await.len();

    let back = recover(&app, &id, &backup.from).await;
    assert_eq!(
        (&back["roles_before"], &back["teams_gone"], &back["ways_in_taken"]),
        (&json!([]), &json!([]), &json!(0))
    );
    let same = ["id", "email", "username", "external_id", "metadata", "created_at", "recovery_codes_left", "passkeys"];
    for same in same.iter().chain(&["email_verified_at"]) {
        assert_eq!(back[same], was[same], "{same}");
    }
    assert_eq!(memberships(&app, "ada").await, in_before);
    let created = ["organization.created", "organization.membership.created"];
    let mut events = kinds().await.split_off(before);
    events.sort_unstable();
    let mut expected = [&created[..], &created, &["organization.membership.created", "user.created"]].concat();
    expected.sort_unstable();
    assert_eq!(events, expected);

    ada.api_user().await.expect(401);
    let browser = app.anonymous();
    browser.log_in("ada@example.com", PASSWORD).await.expect(303);
    browser.send_code(&phone.next_code(&app)).await.expect(303);
    assert_eq!(user_id(&browser).await, id);
    let browser = app.anonymous();
    browser.log_in("ada@example.com", PASSWORD).await.expect(303);
    browser.send_recovery_code(&codes[0]).await.expect(303);
    let browser = app.anonymous();
    passkey.log_in(&browser).await.expect(303);
    assert_eq!(user_id(&browser).await, id);
}

async fn only_a_deleted_account_of_the_backup_comes_back(engine: Engine) {
    let folder = TempDir::new("deleted");
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    let backup = Backup::of(&app, &folder).await;
    let id = doorward(&["user", "show", "ada"], app.variables()).await["id"].as_str().unwrap().to_owned();
    expect_refused(&app, &id, &backup.from, "nothing to bring back").await;
    app.sign_up("bob@example.com").await;
    let late = delete(&app, "bob").await;
    expect_refused(&app, &late, &backup.from, &format!("the backup has no account with the id {late}")).await;
    delete(&app, "ada").await;
    doorward(&["user", "create", "ada@example.com", "--username", "eve"], app.variables()).await;
    expect_refused(&app, &id, &backup.from, "another account has the email address ada@example.com now").await;
    doorward(&["user", "set-email", "eve", "eve@example.com"], app.variables()).await;
    // The name is kept for the deleted account, until its time is over.
    app.database().execute("DELETE FROM kept_usernames").await;
    doorward(&["user", "create", "ada@example.org", "--username", "ada"], app.variables()).await;
    expect_refused(&app, &id, &backup.from, "another account has the username ada now").await;
    let wrong = if engine == Engine::Sqlite { "postgres://127.0.0.1/old" } else { "backup.db" };
    expect_refused(&app, &id, wrong, "--from must be ").await;
    let mut other_key = app.variables().clone();
    other_key.insert("SVC_SECRET_KEY".to_owned(), "B".repeat(43) + "=");
    let output = run_program(&["user", "recover", &id, "--from", &backup.from], &other_key).await;
    assert!(!output.status.success(), "{output:?}");
    assert_eq!(app.database().count("SELECT count(*) FROM users").await, 2, "nothing is half done");
}

async fn roles_and_what_others_have_now_stay_away(engine: Engine) {
    let folder = TempDir::new("deleted");
    let app = engine.app().await;
    let bob = app.sign_up("bob@example.com").await;
    let crew = create_team(&bob, "Crew").await;
    member(&app, &bob, &crew, "ada@example.com", "member").await;
    doorward(&["user", "grant", "bob", "admin"], app.variables()).await;
    doorward(&["user", "grant", "ada", "admin"], app.variables()).await;
    let backup = Backup::of(&app, &folder).await;
    let id = delete(&app, "ada").await;
    let organization = crew.rsplit('/').next().unwrap();
    doorward(&["org", "delete", organization, "--yes"], app.variables()).await;
    let output = run_program(&["user", "recover", &id, "--from", &backup.from], app.variables()).await;
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(
        text,
        format!(
            "ada@example.com ({id}) is back, as it was in the backup\n\
             Not its platform roles; doorward user grant ada@example.com admin\n\
             Not its memberships of teams that were deleted since: Crew\n\
             Its sessions ended; nobody was mailed\n"
        )
    );
    let back = doorward(&["user", "show", "ada"], app.variables()).await;
    assert_eq!((&back["id"], &back["roles"]), (&json!(id), &json!([])));
}
