//! Lists and errors of the command line, as programs and operators read them.

use crate::backup::doorward;
use crate::harness::{Client, Engine, TestApp, eventually, run_to_snapshot};
use serde_json::{Value, json};

both_engines![
    start_that_is_refused_logs_json_throughout,
    audit_log_is_paged,
    accounts_are_searched_filtered_and_paged,
    operator_lists_and_revokes_sessions,
];

async fn start_that_is_refused_logs_json_throughout(engine: Engine) {
    let app = engine.app().await;
    // Its port is taken, which is found after the first lines of the log.
    let mut twice = app.variables().clone();
    twice.insert("SVC_LISTN".to_owned(), "a warning".to_owned());
    run_to_snapshot("start/port_taken_json", &["serve", "--json"], &twice).await;
}

async fn audit_log_is_paged(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    for role in ["grant", "revoke"] {
        doorward(&["user", role, "ada", "monitor"], app.variables()).await;
    }
    let all = doorward(&["user", "audit", "ada"], app.variables()).await;
    assert_eq!((all["data"].as_array().unwrap().len(), &all["next"]), (3, &Value::Null));
    let (mut paged, mut place) = (Vec::new(), None::<String>);
    loop {
        let after: Vec<&str> = place.iter().flat_map(|place| ["--after", place]).collect();
        let page =
            doorward(&[&["user", "audit", "ada", "--limit", "1"], after.as_slice()].concat(), app.variables()).await;
        paged.extend(page["data"].as_array().unwrap().clone());
        place = page["next"].as_str().map(str::to_owned);
        if place.is_none() {
            break;
        }
    }
    assert_eq!(json!(paged), all["data"]);
}

/// The usernames on a page.
fn names(list: &Value) -> Vec<&str> {
    list["data"].as_array().unwrap().iter().map(|user| user["username"].as_str().unwrap()).collect()
}

async fn accounts_are_searched_filtered_and_paged(engine: Engine) {
    let app = engine.app().await;
    for email in ["cy@example.org", "ada@example.com", "bob@example.com", "dan@bücher.example"] {
        doorward(&["user", "create", email, "--verified"], app.variables()).await;
    }
    doorward(&["user", "create", "eve@example.com", "--role", "monitor", "--username", "Mallory"], app.variables())
        .await;
    doorward(&["user", "disable", "bob"], app.variables()).await;
    for (arguments, expected) in [
        ([].as_slice(), ["ada", "bob", "cy", "dan", "Mallory"].as_slice()),
        (&["EXAMPLE.org"], &["cy"]),
        (&["mall"], &["Mallory"]),
        (&["bücher"], &["dan"]),
        (&["--state", "disabled"], &["bob"]),
        (&["--state", "unverified"], &["Mallory"]),
        (&["--state", "active", "example.com"], &["ada", "Mallory"]),
        (&["--role", "monitor"], &["Mallory"]),
        (&["--role", "admin"], &[]),
    ] {
        let list = doorward(&[&["user", "list"], arguments].concat(), app.variables()).await;
        assert_eq!((names(&list).as_slice(), &list["next"]), (expected, &Value::Null), "{arguments:?}");
    }
    let mut seen = Vec::new();
    let mut after = String::new();
    loop {
        let page = doorward(&["user", "list", "--limit", "2", "--after", &after], app.variables()).await;
        assert!(names(&page).len() <= 2);
        seen.extend(names(&page).into_iter().map(str::to_owned));
        let Some(next) = page["next"].as_str() else { break };
        next.clone_into(&mut after);
    }
    assert_eq!(seen, ["ada", "bob", "cy", "dan", "Mallory"]);
}

async fn expect_revoked(app: &TestApp, session: &Client) {
    assert_eq!(app.database().count("SELECT count(*) FROM sessions WHERE end_reason = 'ended'").await, 1);
    eventually("the session is refused", async || (session.api_user().await.status == 401).then_some(())).await;
}

async fn operator_lists_and_revokes_sessions(engine: Engine) {
    let app = engine.app().await;
    let phone = app.sign_up("ada@example.com").await;
    let ids = async || -> Vec<String> {
        let list = doorward(&["user", "sessions", "list", "ada"], app.variables()).await;
        list["data"].as_array().unwrap().iter().map(|session| session["id"].as_str().unwrap().to_owned()).collect()
    };
    let first = ids().await;
    let laptop = app.anonymous();
    laptop.log_in("ada", crate::harness::PASSWORD).await.expect(303);
    let bob = app.sign_up("bob@example.com").await;
    assert_eq!(ids().await.len(), 2);
    doorward(&["user", "sessions", "revoke", "ada", &first[0]], app.variables()).await;
    expect_revoked(&app, &phone).await;
    laptop.api_user().await.expect(200);
    let all = doorward(&["user", "sessions", "revoke", "ada", "--all"], app.variables()).await;
    assert_eq!(all["revoked"], 1);
    eventually("the session is refused", async || (laptop.api_user().await.status == 401).then_some(())).await;
    assert!(ids().await.is_empty());
    bob.api_user().await.expect(200);
    let ended = "SELECT count(*) FROM audit WHERE kind IN ('session_ended', 'sessions_ended') AND actor = 'operator'";
    assert_eq!(app.database().count(ended).await, 2);
}
