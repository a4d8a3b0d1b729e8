//! Usernames that applications believe: reserved ones, and those that were given up (docs/reference/browser.md 10.1).

use crate::harness::{
    Client, Engine, PASSWORD, Reply, TestApp, act, begin, code_of, eventually, link_of, run_program, someone_with,
};
use crate::provider_logins::{Stage, people};
use doorward::domain::provider::fields::ProviderFields;
use doorward::model::ids::UserId;
use doorward::store::{Constraint, StoreError};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

both_engines![
    reserved_names_are_answered_as_taken_ones,
    reserved_names_come_from_commands_and_api_keys,
    derived_names_are_not_reserved,
    name_that_was_given_up_is_its_persons_for_90_days,
    name_of_a_deleted_account_is_kept,
];
once_on_postgres![name_given_up_at_this_moment_is_not_free];

const RENAME: &str = "/auth/account/username";
const DAY: Duration = Duration::from_hours(24);

async fn sign_up(app: &TestApp, email: &str, name: &str) -> Reply {
    let fields = [("email", email), ("username", name), ("password", PASSWORD)];
    app.anonymous().post_form("/auth/signup", &fields).await
}

async fn sign_up_as(app: &TestApp, name: &str, number: usize) -> Reply {
    sign_up(app, &format!("visitor{number}@example.com"), name).await
}

async fn name_of(client: &Client) -> String {
    client.api_user().await.expect(200).json()["username"].as_str().unwrap().to_owned()
}

/// What a page says, without what differs for every request and name.
fn said(page: &Reply, name: &str) -> String {
    let text = page.text();
    let main = text.split_once("<main").unwrap().1.split("value=\"").map(|part| match part.split_once('"') {
        Some((value, rest)) if value.len() > 20 || value == name || value.starts_with("visitor") => rest.to_owned(),
        _ => part.to_owned(),
    });
    main.collect()
}

async fn reserved_names_are_answered_as_taken_ones(engine: Engine) {
    for mode in ["off", "optional"] {
        let app = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", mode).set("SVC_RATE_LIMIT", "off").start().await;
        app.sign_up("taken@example.com").await;
        let ada = app.sign_up("ada@example.com").await;
        let taken = said(&sign_up_as(&app, "taken", 0).await.expect(422), "taken");
        let renamed = said(&ada.post_form(RENAME, &[("username", "taken")]).await.expect(422), "taken");
        assert!(taken.contains("This username is taken") && renamed.contains("This username is taken"), "{taken}");
        let reserved = ["admin", "Administrator", "ROOT", "operator", "system", "support", "security", "unknown"];
        let others = ["anonymous", "nobody", "guest", "help", "info", "svc", "SVCbackup", "..", "-_-"];
        for (number, name) in reserved.into_iter().chain(others).enumerate() {
            let reply = sign_up_as(&app, name, number + 1).await.expect(422);
            assert_eq!(said(&reply, name), taken, "{name}");
            let reply = ada.post_form(RENAME, &[("username", name)]).await.expect(422);
            assert_eq!(said(&reply, name), renamed, "{name}");
        }
        assert_eq!(app.database().count("SELECT count(*) FROM users").await, 2);
        for (number, name) in ["admin2", "my-svc", "-rf"].into_iter().enumerate() {
            sign_up_as(&app, name, 50 + number).await.expect(303);
        }
    }
    // The page of a provider asks for a name, too.
    let builder = engine.prepare().await.set("SVC_SIGNUP_USERNAME", "required");
    let stage = Stage::with(builder, people(true), ProviderFields::default()).await;
    sign_up(&stage.app, "taken@example.com", "taken").await.expect(303);
    let ada = stage.app.anonymous();
    let asked = stage.log_in(&ada, "ada").await.expect(200).hidden("state");
    let mut answers = Vec::new();
    for name in ["taken", "root"] {
        let fields = [("state", asked.as_str()), ("username", name)];
        answers.push(said(&ada.post_form("/auth/login/with/dev/address", &fields).await.expect(422), name));
    }
    assert_eq!(answers[0], answers[1]);
    // Neither a link that makes the first administrator gives such a name, nor the form of one.
    let app = engine.app().await;
    let printed = run_program(&["--json", "setup-link"], app.variables()).await;
    let printed: Value = serde_json::from_slice(&printed.stdout).unwrap();
    let link = printed["url"].as_str().unwrap().strip_prefix(&app.variables()["SVC_BASE_URL"]).unwrap().to_owned();
    let fields = [("email", "first@example.com"), ("username", "admin"), ("password", PASSWORD)];
    app.anonymous().post_form(&link, &fields).await.expect(422);
    let admin = someone_with(&app, "admin").await;
    let fields = [("email", "new@example.com"), ("username", "root"), ("reason", "asked by phone")];
    let refused = act(&admin, "/auth/admin/people/new", &fields).await.expect(422);
    assert!(refused.text().contains("This username is taken"), "{}", refused.text());
}

async fn reserved_names_come_from_commands_and_api_keys(engine: Engine) {
    let app = engine.app().await;
    let run = async |arguments: &[&str]| {
        let output = run_program(&[&["--json"], arguments].concat(), app.variables()).await;
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let made = run(&["user", "create", "op@example.com", "--username", "Operator"]).await;
    assert_eq!(made["username"], "Operator");
    // In the audit log the name is an actor's; where that leaves the account out, the command says so.
    let entries = run(&["user", "audit", "operator"]).await;
    assert!(entries["data"].as_array().unwrap().iter().all(|entry| entry["actor"] == "operator"), "{entries}");
    let text = run_program(&["user", "audit", "operator"], app.variables()).await;
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.ends_with("The account that is called so is doorward user audit op@example.com\n"), "{text}");
    let key = run(&["api-key", "create", "backend", "--scope", "users:write", "users:read"]).await;
    let key = format!("Bearer {}", key["key"].as_str().unwrap());
    let client = app.anonymous();
    let send = async |method: Method, path: &str, body: Value| {
        let call = client.call(method, path).header("authorization", &key);
        call.header("content-type", "application/json").body(body.to_string()).await
    };
    let users = "/auth/api/v2/users";
    let created =
        send(Method::POST, users, json!({"email": "a@example.com", "username": "svc-mail"})).await.expect(201);
    assert_eq!(created.json()["username"], "svc-mail");
    let path = format!("{users}/{}", created.json()["id"].as_str().unwrap());
    assert_eq!(send(Method::PATCH, &path, json!({"username": "root"})).await.expect(200).json()["username"], "root");
    // An account that has such a name keeps it, and may spell it otherwise; another reserved one stays closed.
    let ada = app.sign_up("ada@example.com").await;
    app.database().execute("UPDATE users SET username = 'guest', username_key = 'guest' WHERE username = 'ada'").await;
    ada.post_form(RENAME, &[("username", "Guest")]).await.expect(303);
    ada.post_form(RENAME, &[("username", "help")]).await.expect(422);
    assert_eq!(name_of(&ada).await, "Guest");
}

/// A derived name must not be one that applications believe either.
async fn derived_names_are_not_reserved(engine: Engine) {
    let app = engine.app().await;
    for (email, name) in [("admin@example.com", "useradmin"), ("svc.backup@example.com", "usersvc.backup")] {
        assert_eq!(name_of(&app.sign_up(email).await).await, name);
    }
    assert_eq!(name_of(&app.sign_up("Admin@example.org").await).await, "Admin2", "the first other name is taken");
    let output = run_program(&["--json", "user", "create", "--", "--@example.com"], app.variables()).await;
    let made: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(made["username"], "user--", "a command that names none gives none");
    // A name that was typed, where no answer tells which names are taken.
    let app = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required").start().await;
    let eve = app.anonymous();
    let fields = [("email", "eve@example.com"), ("username", "Root"), ("password", PASSWORD)];
    eve.post_form("/auth/signup", &fields).await.expect(303);
    let code = code_of(&app.mail_to("eve@example.com", "Finish").await);
    eve.post_form("/auth/email/verify", &[("code", &code)]).await.expect(303);
    assert_eq!(name_of(&eve).await, "userRoot");
    // From a provider.
    let people = json!([{"sub": "root", "email": "root@example.com", "email_verified": true, "name": "Root"}]);
    let stage = Stage::with(engine.prepare().await, people, ProviderFields::default()).await;
    let visitor = stage.app.anonymous();
    stage.log_in(&visitor, "root").await.expect(303);
    assert_eq!(name_of(&visitor).await, "userroot");
    // The account that a reset makes for the reader of a mailbox which another account held.
    let app = engine.prepare().await.with_email_verification().start().await;
    sign_up(&app, "help@example.com", "squatter").await.expect(303);
    app.anonymous().post_form("/auth/password/forgot", &[("email", "help@example.com")]).await.expect(303);
    let reader = app.anonymous();
    let link = link_of(&app.mail_to("help@example.com", "Reset your password").await);
    let fields = [("password", "a lighthouse in the rain"), ("account", "anew")];
    reader.post_form(&link, &fields).await.expect(303);
    assert_eq!(name_of(&reader).await, "userhelp");
}

async fn name_that_was_given_up_is_its_persons_for_90_days(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let alice = app.sign_up("alice@example.com").await;
    alice.post_form(RENAME, &[("username", "Lovelace")]).await.expect(303);
    let mallory = app.sign_up("mallory@example.com").await;
    let refused = sign_up_as(&app, "Alice", 1).await.expect(422);
    assert!(refused.text().contains("This username is taken"), "{}", refused.text());
    mallory.post_form(RENAME, &[("username", "ALICE")]).await.expect(422);
    let command = ["user", "create", "al@example.com", "--username", "alice"];
    let output = run_program(&command, app.variables()).await;
    assert_eq!(output.status.code(), Some(1), "not even an operator: {output:?}");
    assert_eq!(name_of(&app.sign_up("alice@example.org").await).await, "alice2", "a derived name");
    // Its person has it back, and in the meantime gave up another one.
    alice.post_form(RENAME, &[("username", "alice")]).await.expect(303);
    mallory.post_form(RENAME, &[("username", "lovelace")]).await.expect(422);
    let exported = {
        alice.get("/auth/account/export").await.expect(200);
        alice.post_form("/auth/account/export", &[]).await.expect(200).json()
    };
    assert_eq!(exported["kept_usernames"].as_array().unwrap().len(), 1, "{exported}");
    assert_eq!(exported["kept_usernames"][0]["username"], "lovelace");
    // The spelling is no other name.
    alice.post_form(RENAME, &[("username", "ALICE")]).await.expect(303);
    assert_eq!(app.database().count("SELECT count(*) FROM kept_usernames").await, 1);
    app.clock().advance((90 * DAY).checked_sub(Duration::from_mins(1)).unwrap());
    let mallory = app.anonymous();
    mallory.log_in("mallory@example.com", PASSWORD).await.expect(303);
    mallory.post_form(RENAME, &[("username", "lovelace")]).await.expect(422);
    app.clock().advance(Duration::from_mins(2));
    mallory.post_form(RENAME, &[("username", "lovelace")]).await.expect(303);
    // What is over is removed.
    app.clock().advance(91 * DAY);
    let app = app.restart().await;
    let gone = async || (app.database().count("SELECT count(*) FROM kept_usernames").await == 0).then_some(());
    eventually("old names are removed", gone).await;
}

async fn name_of_a_deleted_account_is_kept(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let bob = app.sign_up("bob@example.com").await;
    bob.post_form(RENAME, &[("username", "robert")]).await.expect(303);
    bob.post_form("/auth/account/delete", &[("password", PASSWORD)]).await.expect(200);
    app.sign_up("carol@example.com").await;
    let deleted = run_program(&["user", "delete", "carol", "--yes"], app.variables()).await;
    assert!(deleted.status.success(), "{deleted:?}");
    for (number, name) in ["bob", "Robert", "carol"].into_iter().enumerate() {
        sign_up_as(&app, name, number).await.expect(422);
    }
    // The same mailbox, and yet another account.
    assert_eq!(name_of(&app.sign_up("carol@example.com").await).await, "carol2");
    app.clock().advance(91 * DAY);
    for (number, name) in ["bob", "Robert", "carol"].into_iter().enumerate() {
        sign_up_as(&app, name, number).await.expect(303);
    }
}

/// A transaction that takes the name waits for the one that gives it up, and then finds it kept.
async fn name_given_up_at_this_moment_is_not_free() {
    let app = Engine::Postgres.prepare().await.without_background().start().await;
    let id = async |client: &Client| {
        let id = client.api_user().await.expect(200).json()["id"].as_str().unwrap().to_owned();
        UserId(id.parse().unwrap())
    };
    let alice = id(&app.sign_up("alice@example.com").await).await;
    let mallory = id(&app.sign_up("mallory@example.com").await).await;
    let mut gives_up = begin(&app.app.store).await;
    gives_up.user_set_username(alice, "lovelace", "lovelace").await.unwrap();
    let shared = app.app.clone();
    let takes = tokio::spawn(async move {
        let mut tx = begin(&shared.store).await;
        tx.user_set_username(mallory, "alice", "alice").await
    });
    let locks = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let is_blocked = async || (app.database().count(locks).await == 1).then_some(());
    eventually("the other waits", is_blocked).await;
    gives_up.commit().await.unwrap();
    let outcome = takes.await.unwrap();
    assert!(matches!(outcome, Err(StoreError::Constraint(Constraint::UserUsername))), "{outcome:?}");
}
