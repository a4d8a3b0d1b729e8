//! What a user is called: on the account page, in API v2, commands, mails and the export.

use crate::api_organizations::KeyHolder;
use crate::backup::doorward;
use crate::harness::{Engine, Receiver, run_program};
use crate::organizations::user_id;
use reqwest::Method;
use serde_json::{Value, json};

one_engine![user_sets_and_removes_own_name, applications_and_operators_set_names, mails_say_display_name,];

const USERS: &str = "/auth/api/v2/users";
const PAGE: &str = "/auth/account/name";

async fn user_sets_and_removes_own_name(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    assert!(ada.get("/auth/account").await.expect(200).text().contains("Add a name"));
    let set = async |name: &str| ada.post_form(PAGE, &[("name", name)]).await;
    let done = set("  Ada   King-Lovelace ").await.snapshot("display_name/changed");
    assert_eq!(done.location(), "/auth/account?done=name");
    let account = ada.get("/auth/account?done=name").await.expect(200).text();
    assert!(account.contains("<bdi>Ada King-Lovelace</bdi>") && account.contains("Your name was saved."), "{account}");
    let shown = ada.get(PAGE).await.snapshot("display_name/shown").text();
    assert!(shown.contains("value=\"Ada King-Lovelace\""), "{shown}");
    let refused = set("ada@example.com").await.snapshot("display_name/refused").text();
    assert!(refused.contains("A name can’t have a web address or an @ in it."), "{refused}");
    assert!(refused.contains("value=\"ada@example.com\""), "what was typed is shown again");
    set(&"x".repeat(101)).await.expect(422);
    assert_eq!(set("Ada King-Lovelace").await.expect(303).location(), "/auth/account", "nothing to change");
    assert!(ada.get("/auth/account/activity").await.expect(200).text().contains("Name changed"));
    let export = ada.post_form("/auth/account/export", &[]).await.expect(200).json();
    assert_eq!(export["user"]["name"], "Ada King-Lovelace");
    let fields: Vec<String> = ada.api_user().await.expect(200).json().as_object().unwrap().keys().cloned().collect();
    assert_eq!(fields.len(), 6, "version 1 stays: {fields:?}");
    assert_eq!(set("").await.expect(303).location(), "/auth/account?done=name-removed");
    let account = ada.get("/auth/account?done=name-removed").await.expect(200).text();
    assert!(account.contains("Add a name") && account.contains("Your name was removed."), "{account}");
    let names = "SELECT detail FROM audit WHERE kind = 'name_changed' ORDER BY at, id";
    assert_eq!(app.database().texts(names).await, ["Ada King-Lovelace", ""]);
    let events = "SELECT count(*) FROM outbox WHERE kind = 'user.updated'";
    assert_eq!(app.database().count(events).await, 0, "webhooks are off");
    app.anonymous().get(PAGE).await.expect(303);
}

async fn applications_and_operators_set_names(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.webhooks(&receiver).start().await;
    let backend = KeyHolder::with(&app, "backend", &["users:read", "users:write"]).await;
    let made = backend.post(USERS, &json!({"email": "ada@example.com", "name": " Ada  Lovelace"})).await.expect(201);
    assert_eq!(made.json()["name"], "Ada Lovelace");
    let path = made.location().to_owned();
    let change = async |name: Value| backend.send(Method::PATCH, &path, &json!({"name": name})).await;
    let updates = async || app.database().count("SELECT count(*) FROM outbox WHERE kind = 'user.updated'").await;
    assert_eq!(updates().await, 0);
    assert_eq!(change(json!("Countess")).await.expect(200).json()["name"], "Countess");
    assert_eq!(updates().await, 1);
    change(json!("Countess")).await.expect(200);
    assert_eq!(backend.send(Method::PATCH, &path, &json!({})).await.expect(200).json()["name"], "Countess");
    assert_eq!(updates().await, 1, "what changes nothing is no event");
    for name in ["", " ", "www.evil.example", "\u{202e}adA", &"x".repeat(101)] {
        let error = change(json!(name)).await.expect(422).json();
        assert!(error["error"]["details"]["name"].is_string(), "{name:?}: {error}");
    }
    assert_eq!(backend.get(&format!("{USERS}?query=ada")).await.expect(200).json()["data"][0]["name"], "Countess");
    assert_eq!(change(Value::Null).await.expect(200).json()["name"], Value::Null);
    doorward(&["user", "set-details", "ada", "--name", "Ada L."], app.variables()).await;
    assert_eq!(doorward(&["user", "show", "ada"], app.variables()).await["name"], "Ada L.");
    doorward(&["user", "set-details", "ada", "--name", ""], app.variables()).await;
    let arguments = ["user", "create", "bob@example.com", "--name", "Bob"];
    assert_eq!(doorward(&arguments, app.variables()).await["name"], "Bob");
    let refused = run_program(&["user", "set-details", "ada", "--name", "a@b"], app.variables()).await;
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert_eq!(doorward(&["user", "show", "ada"], app.variables()).await["name"], Value::Null);
}

async fn mails_say_display_name(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up_verified("ada@example.com").await;
    // In quotation marks, which it cannot close: who is in the account must not write the service's own words.
    ada.post_form(PAGE, &[("name", "All is well.” Ada")]).await.expect(303);
    let id = user_id(&ada).await;
    doorward(&["user", "delete", &id, "--yes"], app.variables()).await;
    let mail = app.mail_to("ada@example.com", "deleted").await;
    assert!(mail.text.contains("The account ada (“All is well.’ Ada”) at "), "{}", mail.text);
}
