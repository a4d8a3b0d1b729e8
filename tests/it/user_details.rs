//! What the application keeps with an account: its own id, and a JSON object.

use crate::harness::{Engine, Receiver, TestApp, read, run_program};
use doorward::model::ids::UserId;
use doorward::model::time::Time;
use doorward::store::{UserDetailsRow, UserFilter, UserState};
use serde_json::{Value, json};
use uuid::Uuid;

both_engines![search_that_thousands_match_is_newest_first];
one_engine![
    details_are_set_shown_and_exported_letter_by_letter,
    changed_details_send_one_event,
    bad_details_change_nothing,
    lists_find_users_by_time_and_beginning,
];

async fn doorward(app: &TestApp, arguments: &[&str]) -> Value {
    let output = run_program(&[&["--json"], arguments].concat(), app.variables()).await;
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

async fn set(app: &TestApp, arguments: &[&str]) -> Value {
    doorward(app, &[&["user", "set-details", "ada"], arguments].concat()).await["changed"].clone()
}

async fn details_are_set_shown_and_exported_letter_by_letter(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    assert_eq!(doorward(&app, &["user", "show", "ada"]).await["metadata"], json!({}));
    let metadata = r#"{ "plan":"gold",  "n": 1.00, "long": 12345678901234567890123 }"#;
    assert_eq!(set(&app, &["--external-id", "crm 7/ä", "--metadata", metadata]).await, true);
    assert_eq!(set(&app, &["--metadata", metadata]).await, false);
    let shown = doorward(&app, &["user", "show", "ada"]).await;
    assert_eq!((&shown["external_id"], &shown["metadata"]["plan"]), (&json!("crm 7/ä"), &json!("gold")));
    ada.get("/auth/account/export").await.expect(200);
    let exported = ada.post_form("/auth/account/export", &[]).await.expect(200).json();
    assert_eq!(exported["user"]["external_id"], "crm 7/ä");
    assert_eq!(exported["user"]["metadata"], metadata);
    for page in ["/auth/account", "/auth/api/v1/user"] {
        assert!(!ada.get(page).await.expect(200).text().contains("gold"), "{page}");
    }
    assert_eq!(set(&app, &["--external-id", ""]).await, true);
    let shown = doorward(&app, &["user", "show", "ada"]).await;
    assert_eq!((&shown["external_id"], &shown["metadata"]["plan"]), (&Value::Null, &json!("gold")));
    let create = ["user", "create", "bob@example.com", "--external-id", "8", "--metadata", r#"{"plan":"free"}"#];
    doorward(&app, &create).await;
    let shown = doorward(&app, &["user", "show", "bob"]).await;
    assert_eq!((&shown["external_id"], &shown["metadata"]), (&json!("8"), &json!({"plan": "free"})));
}

async fn changed_details_send_one_event(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.webhooks(&receiver).start().await;
    app.sign_up("ada@example.com").await;
    let updated = "SELECT COUNT(*) FROM outbox WHERE kind = 'user.updated'";
    set(&app, &["--external-id", "7", "--metadata", r#"{"a":1}"#]).await;
    assert_eq!(app.database().count(updated).await, 1);
    set(&app, &["--external-id", "7", "--metadata", r#"{"a":1}"#]).await;
    assert_eq!(app.database().count(updated).await, 1, "nothing changed");
    let audited = app.database().texts("SELECT actor || ' ' || detail FROM audit WHERE kind = 'details_changed'").await;
    assert_eq!(audited, ["operator external_id,metadata"]);
}

async fn bad_details_change_nothing(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    let large = format!(r#"{{"a":"{}"}}"#, "x".repeat(4096));
    let long = "x".repeat(256);
    let bad: [(&str, &str); 7] = [
        ("--metadata", "[]"),
        ("--metadata", r#"{"a":1,"a":2}"#),
        ("--metadata", r#"{"a":"\ud800"}"#),
        ("--metadata", "{"),
        ("--metadata", &large),
        ("--external-id", "a\nb"),
        ("--external-id", &long),
    ];
    for (option, value) in bad {
        let output = run_program(&["user", "set-details", "ada", option, value], app.variables()).await;
        assert_eq!(output.status.code(), Some(1), "{option} {value:.20}: {output:?}");
    }
    let nothing = run_program(&["user", "set-details", "ada"], app.variables()).await;
    assert_eq!(nothing.status.code(), Some(2), "{nothing:?}");
    let shown = doorward(&app, &["user", "show", "ada"]).await;
    assert_eq!((&shown["external_id"], &shown["metadata"]), (&Value::Null, &json!({})));
}

/// After this place a list begins.
const START: (Time, UserId) = (Time::from_micros(i64::MAX / 2), UserId(Uuid::max()));

fn names<'a>(rows: impl IntoIterator<Item = &'a UserDetailsRow>) -> Vec<&'a str> {
    rows.into_iter().map(|row| row.username.as_str()).collect()
}

async fn lists_find_users_by_time_and_beginning(engine: Engine) {
    let app = engine.app().await;
    for name in ["ada", "adam", "bob", "ADELE"] {
        app.sign_up(&format!("{name}@example.com")).await;
    }
    let mut conn = read(&app.app.store).await;
    let all = conn.users_list(&UserFilter::default(), START, 100).await.unwrap();
    assert_eq!(names(&all), ["ADELE", "bob", "adam", "ada"], "newest first");
    assert!(all.iter().all(|row| row.last_login_at.is_some() && !row.two_factor));
    let prefix = UserFilter { prefix: Some("ad".to_owned()), ..UserFilter::default() };
    let found = conn.users_list(&prefix, START, 2).await.unwrap();
    assert_eq!(names(&found), ["ADELE", "adam"]);
    let rest = conn.users_list(&prefix, (found[1].created_at, found[1].id), 2).await.unwrap();
    assert_eq!(names(&rest), ["ada"]);
    let later = UserFilter { oldest: Some((all[1].created_at, UserId(Uuid::max()))), ..UserFilter::default() };
    assert_eq!(names(&conn.users_list(&later, START, 100).await.unwrap()), ["ADELE"]);
    let wild = UserFilter { prefix: Some("%".to_owned()), ..UserFilter::default() };
    assert!(conn.users_list(&wild, START, 100).await.unwrap().is_empty());
}

/// Walked, where a narrower one is looked up: the pages are the same.
async fn search_that_thousands_match_is_newest_first(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("zoe@example.com").await;
    app.sign_up("user@example.com").await;
    app.database().execute("UPDATE users SET email_verified_at = created_at").await;
    let id = if engine == Engine::Sqlite { "randomblob(16)" } else { "gen_random_uuid()" };
    app.database()
        .execute(&format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 15100) \
             INSERT INTO users (id, email, email_key, username, username_key, roles, created_at, updated_at) \
             SELECT {id}, 'user' || i || '@example.org', 'user' || i || '@example.org', 'user' || i, 'user' || i, '', \
             u.created_at, u.created_at FROM n, users u WHERE u.username = 'zoe'"
        ))
        .await;
    let search = async |prefix: &str, state, after, limit| {
        let filter = UserFilter { prefix: Some(prefix.to_owned()), state, ..UserFilter::default() };
        read(&app.app.store).await.users_list(&filter, after, limit).await.unwrap()
    };
    let all = search("user", None, START, 20_000).await;
    assert_eq!((all.len(), all[0].username.as_str()), (15_101, "user"));
    let narrow = search("user1510", None, START, 20_000).await;
    assert_eq!(names(&narrow), names(all.iter().filter(|row| row.username.starts_with("user1510"))));
    let page = search("user", Some(UserState::Unverified), START, 1000).await;
    let last = &page[999];
    let rest = search("user", Some(UserState::Unverified), (last.created_at, last.id), 20_000).await;
    assert_eq!(names(page.iter().chain(&rest)), names(&all[1..]));
}
