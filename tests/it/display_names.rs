//! What a user is called: on the account page, in API v2, commands, mails and the export.

use crate::api_organizations::KeyHolder;
use crate::backup::doorward;
use crate::harness::{Engine, PASSWORD, Receiver, run_program};
use crate::invitations::invite;
use crate::organizations::{create_team, member, user_id};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

one_engine![
    user_sets_and_removes_own_name,
    applications_and_operators_set_names,
    person_is_called_by_name_on_pages,
    invitee_reads_name_and_address_of_inviter,
    mails_say_display_name,
    hidden_usernames_are_shown_nowhere,
];

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

async fn person_is_called_by_name_on_pages(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let bob = member(&app, &ada, &team, "bob@example.com", "member").await;
    let list = ada.get(&team).await.expect(200).text();
    assert!(list.contains("ada@example.com (you)") && list.contains(">bob@example.com<"), "{list}");
    bob.post_form(PAGE, &[("name", "Robert van Dam")]).await.expect(303);
    let list = ada.get(&team).await.expect(200).text();
    assert!(list.contains(">Robert van Dam<") && list.contains(">RV</span>"), "{list}");
    assert!(list.contains(">bob@example.com<"), "the address stays beside the name: {list}");
    let page = ada.get(&format!("{team}/members/{}", user_id(&bob).await)).await.expect(200).text();
    assert!(page.contains("Robert van Dam") && page.contains("bob@example.com"), "{page}");
    // One's own head of page, the page of an error, and the one for who came back from an application.
    let own = bob.get(&team).await.expect(200).text();
    assert!(own.contains("Account menu, Robert van Dam") && own.contains("Robert van Dam (you)"), "{own}");
    let missing = bob.get("/auth/organizations/x").await.expect(404).text();
    assert!(missing.contains("Robert van Dam"), "{missing}");
    bob.refresh("app").await.expect(200);
    let returned = bob.get("/auth/login").await.expect(200).text();
    assert!(returned.contains("Robert van Dam"), "{returned}");
}

async fn invitee_reads_name_and_address_of_inviter(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up_verified("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    ada.post_form(PAGE, &[("name", "Ada King")]).await.expect(303);
    let link = invite(&ada, &team, "bob@example.com", "member").await;
    let mail = app.mails_to("bob@example.com").await.remove(0);
    assert_eq!(mail.subject, "ada@example.com invited you to “Crew” on Doorward");
    assert!(mail.text.contains("“Ada King” (ada@example.com)"), "{}", mail.text);
    let page = app.anonymous().get(&link).await.expect(200).text();
    assert!(page.contains("\u{2068}Ada King\u{2069} (ada@example.com)"), "{page}");
}

/// With signup that asks for none, people have not chosen their usernames, and need not know them.
async fn hidden_usernames_are_shown_nowhere(engine: Engine) {
    let app = engine.prepare().await.set("SVC_SIGNUP_USERNAME", "hidden").start().await;
    let ada = app.sign_up("ada.franklin83@example.com").await;
    doorward(&["user", "grant", "ada.franklin83@example.com", "admin"], app.variables()).await;
    ada.log_in("ada.franklin83@example.com", PASSWORD).await.expect(303);
    let team = create_team(&ada, "Crew").await;
    let people = "/auth/admin/people";
    let person = format!("{people}/{}", user_id(&ada).await);
    // The page of a confirmation is shown only once one is due.
    app.clock().advance(Duration::from_mins(15));
    for path in ["/auth/account", "/auth/account/confirm", &team, people, &person] {
        let page = ada.get(path).await.expect(200).text();
        let shown = [">Username<", "/auth/account/username", "\"ada.franklin83\""];
        assert!(!shown.iter().any(|text| page.contains(text)), "{path}: {page}");
    }
}

async fn mails_say_display_name(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up_verified("ada@example.com").await;
    // In quotation marks, which it cannot close: who is in the account must not write the service's own words.
    ada.post_form(PAGE, &[("name", "All is well.” Ada")]).await.expect(303);
    let id = user_id(&ada).await;
    doorward(&["user", "delete", &id, "--yes"], app.variables()).await;
    let mail = app.mail_to("ada@example.com", "deleted").await;
    assert!(mail.text.contains("The account “All is well.’ Ada” (ada@example.com) at "), "{}", mail.text);
}
