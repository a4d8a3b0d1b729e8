//! An account that was deleted by mistake comes back from a backup (docs/guides/trouble.md).

use crate::backup::{back_up, doorward};
use crate::harness::{
    Engine, PASSWORD, Passkey, Receiver, ScriptedProvider, TempDir, TestApp, TestDatabase, run_program,
};
use crate::organizations::{create_team, member, user_id};
use crate::passkeys::service_from;
use crate::provider_logins::{add_as, begin_to_connect, people, return_path_of};
use doorward::domain::provider::fields::ProviderFields;
use serde_json::{Value, json};
use std::path::Path;

both_engines![only_a_deleted_account_of_the_backup_comes_back,];
one_engine![
    deleted_account_comes_back_with_its_id,
    roles_and_what_others_have_now_stay_away,
    ways_in_that_ended_after_the_backup_stay_away,
    factors_and_passkeys_that_ended_after_the_backup_stay_away
];

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
    let made = doorward(&["user", "audit", &id, "--kind", "account_created"], app.variables()).await;
    let since = format!("{}Z", made["data"][0]["at"].as_str().unwrap().split_once('.').unwrap().0);
    let organization = crew.rsplit('/').next().unwrap();
    doorward(&["org", "delete", organization, "--yes"], app.variables()).await;
    let output = run_program(&["user", "recover", &id, "--from", &backup.from], app.variables()).await;
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(
        text,
        format!(
            "ada@example.com ({id}) is back, as it was in the backup\n\
             Its ways in:\n\
             WAY IN    NAME  SINCE                 LAST USED\n\
             password        {since}\n\
             Not its platform roles; doorward user grant ada@example.com admin\n\
             Not its memberships of teams that were deleted since: Crew\n\
             Its sessions ended; nobody was mailed\n"
        )
    );
    let back = doorward(&["user", "show", "ada"], app.variables()).await;
    assert_eq!((&back["id"], &back["roles"]), (&json!(id), &json!([])));
}

/// The names of the ways in of a list.
fn names(recovered: &Value, list: &str) -> Vec<String> {
    let ways = recovered[list].as_array().unwrap().iter();
    let mut names: Vec<String> = ways.map(|way| way["name"].as_str().or(way["way"].as_str()).unwrap().into()).collect();
    names.sort_unstable();
    names
}

async fn ways_in_that_ended_after_the_backup_stay_away(engine: Engine) {
    let folder = TempDir::new("deleted");
    let (app, _url) = service_from(engine.prepare().await).await;
    let ada = app.sign_up("ada@example.com").await;
    doorward(&["user", "set-email", "ada", "ada@example.com", "--verified"], app.variables()).await;
    let provider = ScriptedProvider::with_people(&people(false)).await;
    for name in ["corp", "dev"] {
        let another = ScriptedProvider::with_people(&people(false)).await;
        let used = if name == "dev" { &provider } else { &another };
        add_as(&app, used, name, ProviderFields::default()).await;
        let address = format!("{}&login_hint=ada", begin_to_connect(&ada, name).await);
        ada.get(&return_path_of(name, &used.visit(&address).await)).await.expect(303);
    }
    let backup = Backup::of(&app, &folder).await;
    // Her provider account is a thief's, and the password leaked: both were mended before the account was deleted.
    let shown = doorward(&["user", "show", "ada"], app.variables()).await;
    let identities = shown["identities"].as_array().unwrap();
    let removed = identities.iter().find(|identity| identity["provider"] == "dev").unwrap()["id"].as_str().unwrap();
    doorward(&["user", "identities", "remove", "ada", removed, "--yes"], app.variables()).await;
    let change = [("current", PASSWORD), ("password", "a lighthouse in the rain")];
    ada.post_form("/auth/account/password", &change).await.expect(303);
    doorward(&["user", "disable", "ada"], app.variables()).await;
    let id = delete(&app, "ada").await;
    let back = recover(&app, &id, &backup.from).await;
    assert_eq!(
        (names(&back, "ways_in"), names(&back, "ways_in_ended")),
        (vec!["corp".to_owned()], vec!["dev".to_owned(), "password".to_owned()],)
    );
    assert!(back["ways_in"][0]["since"].is_string(), "its age: {back}");
    assert_eq!((&back["disabled"], &back["mailed"]), (&json!(true), &json!(true)));
    doorward(&["user", "enable", "ada"], app.variables()).await;
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(401);
    let thief = app.anonymous();
    let begun = thief.get("/auth/login/with/dev?login_hint=ada").await.expect(303);
    thief.get(&return_path_of("dev", &provider.visit(begun.location()).await)).await;
    assert!(thief.token("access").is_none());
    let mail = app.mail_to("ada@example.com", "Your account was brought back").await;
    assert!(mail.text.contains("/auth/account/security"), "{}", mail.text);
}

async fn factors_and_passkeys_that_ended_after_the_backup_stay_away(engine: Engine) {
    let folder = TempDir::new("deleted");
    let (app, url) = service_from(engine.prepare().await).await;
    let ada = app.sign_up("ada@example.com").await;
    let bob = app.sign_up("bob@example.com").await;
    let eve = app.sign_up("eve@example.com").await;
    for client in [&ada, &bob] {
        client.turn_on_two_factor(&app).await;
    }
    for (client, name) in [(&ada, "Phone"), (&ada, "Key"), (&bob, "Phone"), (&eve, "Phone"), (&eve, "Key")] {
        Passkey::add(client, &url, name).await;
    }
    let backup = Backup::of(&app, &folder).await;
    // Ada removes one passkey and makes new recovery codes, an operator resets Bob's factors, and Eve renames one passkey
    // and removes the other: the log does not tell which is which then.
    let passkey = |user: &str, name: &str| {
        let id = if engine == Engine::Sqlite { "hex(p.id)" } else { "p.id::text" };
        format!(
            "SELECT {id} FROM passkeys p JOIN users u ON u.id = p.user_id WHERE u.username = '{user}' AND p.name = '{name}'"
        )
    };
    let path = async |user: &str, name: &str| {
        let id: uuid::Uuid = app.database().texts(&passkey(user, name)).await.remove(0).parse().unwrap();
        format!("/auth/account/passkeys/{id}")
    };
    ada.post_form(&format!("{}/remove", path("ada", "Phone").await), &[]).await.expect(303);
    ada.post_confirmed("/auth/account/recovery-codes", &[]).await.expect(200);
    doorward(&["user", "two-factor", "reset", "bob", "--yes"], app.variables()).await;
    eve.post_form(&format!("{}/rename", path("eve", "Phone").await), &[("name", "Old phone")]).await.expect(303);
    eve.post_form(&format!("{}/remove", path("eve", "Old phone").await), &[]).await.expect(303);
    for (user, back, ended) in [
        ("ada", vec!["Key", "authenticator app", "password"], vec!["Phone", "recovery codes"]),
        ("bob", vec!["password"], vec!["Phone", "authenticator app", "recovery codes"]),
        ("eve", vec!["password"], vec!["Key", "Phone"]),
    ] {
        let id = delete(&app, user).await;
        let recovered = recover(&app, &id, &backup.from).await;
        assert_eq!(
            (names(&recovered, "ways_in"), names(&recovered, "ways_in_ended")),
            (back.into_iter().map(str::to_owned).collect(), ended.into_iter().map(str::to_owned).collect(),)
        );
        assert_eq!(recovered["mailed"], json!(false), "the address was never verified");
    }
}
