//! Lists and errors of the command line, as programs and operators read them.

use crate::backup::doorward;
use crate::harness::{Client, Engine, TestApp, eventually, run_program};
use serde_json::{Value, json};

both_engines![
    every_list_is_data_and_next,
    errors_are_json_where_json_is_asked_for,
    audit_log_is_paged,
    accounts_are_searched_filtered_and_paged,
    operator_lists_and_revokes_sessions,
];

async fn every_list_is_data_and_next(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    let org = doorward(&["org", "create", "Crew", "--owner", "ada"], app.variables()).await;
    let org = org["id"].as_str().unwrap();
    for (arguments, length) in [
        (["user", "list"].as_slice(), 1),
        (&["user", "list", "nobody"], 0),
        (&["user", "duplicates"], 0),
        (&["user", "audit", "ada"], 2),
        (&["user", "sessions", "list", "ada"], 1),
        (&["org", "list"], 2),
        (&["org", "members", "list", org], 1),
        (&["invitation", "list", "--org", org], 0),
        (&["mail", "list"], 0),
        (&["webhooks", "list"], 0),
        (&["keys", "list"], 1),
    ] {
        let list = doorward(arguments, app.variables()).await;
        let fields: Vec<&String> = list.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["data", "next"], "{arguments:?}");
        assert_eq!(
            (list["data"].as_array().map(Vec::len), &list["next"]),
            (Some(length), &Value::Null),
            "{arguments:?}"
        );
    }
}

async fn errors_are_json_where_json_is_asked_for(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    let mut broken = app.variables().clone();
    broken.insert("SVC_ACCESS_TTL".to_owned(), "soon".to_owned());
    for (arguments, variables, exit, code, words) in [
        (["user", "show", "nobody"].as_slice(), app.variables(), 1, "refused", "there is no user"),
        (&["keys", "fly"], app.variables(), 2, "invalid_arguments", "fly"),
        (&["user", "list"], &broken, 2, "invalid_settings", "SVC_ACCESS_TTL"),
        (&["user", "delete", "ada"], app.variables(), 2, "invalid_usage", "--yes"),
        (&["serve"], &broken, 2, "invalid_settings", "SVC_ACCESS_TTL"),
    ] {
        let output = run_program(&[arguments, &["--json"]].concat(), variables).await;
        assert_eq!(output.status.code(), Some(exit), "{output:?}");
        let error: Value = serde_json::from_slice(&output.stderr).unwrap_or_else(|_| panic!("{output:?}"));
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.contains(words) && !message.starts_with("doorward:"), "{message}");
        assert_eq!(error, json!({"error": {"code": code, "message": message}}));
        assert!(output.stdout.is_empty(), "{output:?}");
    }
    let checked = run_program(&["config", "--json"], &broken).await;
    let error: Value = serde_json::from_slice(&checked.stderr).unwrap_or_else(|_| panic!("{checked:?}"));
    assert_eq!((checked.status.code(), &error["error"]["code"]), (Some(2), &json!("invalid_settings")));
    let report: Value = serde_json::from_slice(&checked.stdout).unwrap();
    assert_eq!(report["problems"][0]["variable"], "SVC_ACCESS_TTL");
    // Its port is taken; the lines of the log before that are JSON too.
    let mut twice = app.variables().clone();
    twice.insert("SVC_LISTN".to_owned(), "a warning".to_owned());
    let output = run_program(&["serve", "--json"], &twice).await;
    let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    let lines: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let error = &lines.last().unwrap()["error"];
    assert!(output.status.code() == Some(2) && lines.len() > 1, "{printed}");
    assert!(error["message"].as_str().unwrap().contains("SVC_LISTEN"), "{printed}");
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
    let output = run_program(&["user", "list", "--limit", "1"], app.variables()).await;
    assert!(String::from_utf8_lossy(&output.stdout).contains("--after ada@example.com"), "{output:?}");
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
    let foreign = ["user", "sessions", "revoke", "bob", &first[0]];
    let output = run_program(&foreign, app.variables()).await;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
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
    let output = run_program(&["user", "sessions", "revoke", "ada"], app.variables()).await;
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
