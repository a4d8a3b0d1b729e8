//! Lists and errors of the command line, as programs and operators read them.

use crate::api_organizations::{KeyHolder, ORGANIZATIONS};
use crate::backup::doorward;
use crate::harness::{Client, Engine, PASSWORD, TestApp, eventually, run_program, run_to_snapshot};
use crate::organizations::{create_team, user_id};
use serde_json::{Value, json};

both_engines![accounts_are_searched_filtered_and_paged, audit_log_is_paged];
one_engine![
    start_that_is_refused_logs_json_throughout,
    organizations_and_their_members_are_paged,
    operator_lists_and_revokes_sessions,
    commands_print_records_of_api,
    audit_entries_say_what_they_are_about
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
    assert_eq!(page_by_page(&app, &["user", "audit", "ada"], "1").await, all["data"]);
}

/// What the pages of a list have together.
async fn page_by_page(app: &TestApp, command: &[&str], limit: &str) -> Value {
    let (mut paged, mut place) = (Vec::new(), None::<String>);
    loop {
        let after: Vec<&str> = place.iter().flat_map(|place| ["--after", place]).collect();
        let page = doorward(&[command, &["--limit", limit], after.as_slice()].concat(), app.variables()).await;
        let data = page["data"].as_array().unwrap();
        assert!(data.len() <= limit.parse::<usize>().unwrap(), "{page}");
        paged.extend(data.clone());
        place = page["next"].as_str().map(str::to_owned);
        if place.is_none() {
            return json!(paged);
        }
    }
}

async fn organizations_and_their_members_are_paged(engine: Engine) {
    let app = engine.app().await;
    for name in ["ada", "bob", "cy"] {
        app.sign_up(&format!("{name}@example.com")).await;
    }
    let team = doorward(&["org", "create", "Crew", "--owner", "ada"], app.variables()).await;
    let team = team["id"].as_str().unwrap();
    let member = |name| {
        format!(
            "INSERT INTO memberships (organization_id, user_id, role, created_at) \
        SELECT o.id, u.id, 'member', u.created_at FROM organizations o, users u WHERE o.name = 'Crew' AND u.username = '{name}'"
        )
    };
    for name in ["bob", "cy"] {
        app.database().execute(&member(name)).await;
    }
    for (command, count) in [(["org", "list"].as_slice(), 4), (&["org", "members", "list", team], 3)] {
        let all = doorward(command, app.variables()).await;
        assert_eq!((all["data"].as_array().unwrap().len(), &all["next"]), (count, &Value::Null), "{command:?}");
        assert_eq!(page_by_page(&app, command, "2").await, all["data"], "{command:?}");
    }
}

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
        ([].as_slice(), ["Mallory", "dan", "bob", "ada", "cy"].as_slice()),
        (&["CY@example.org"], &["cy"]),
        // As the table prints it, and as it is stored.
        (&["dan@bücher.example"], &["dan"]),
        (&["dan@xn--b"], &["dan"]),
        (&["mall"], &["Mallory"]),
        (&["eve@"], &["Mallory"]),
        (&["allory"], &[]),
        (&["--state", "disabled"], &["bob"]),
        (&["--state", "unverified"], &["Mallory"]),
        (&["--state", "active"], &["Mallory", "dan", "ada", "cy"]),
        (&["--state", "active", "bob"], &[]),
        (&["--state", "disabled", "bob"], &["bob"]),
        (&["--role", "monitor"], &["Mallory"]),
        (&["--role", "admin"], &[]),
    ] {
        let list = doorward(&[&["user", "list"], arguments].concat(), app.variables()).await;
        assert_eq!((names(&list).as_slice(), &list["next"]), (expected, &Value::Null), "{arguments:?}");
    }
    let id = doorward(&["user", "show", "ada"], app.variables()).await["id"].as_str().unwrap().to_owned();
    for (arguments, expected) in
        [(vec![id.as_str()], ["ada"].as_slice()), (vec![id.as_str(), "--state", "disabled"], &[])]
    {
        let list = doorward(&[vec!["user", "list"], arguments].concat(), app.variables()).await;
        assert_eq!(names(&list), expected);
    }
    let short = run_program(&["user", "list", "ad"], app.variables()).await;
    assert_eq!(short.status.code(), Some(2), "{short:?}");
    let paged = json!({"data": page_by_page(&app, &["user", "list"], "2").await});
    assert_eq!(names(&paged), ["Mallory", "dan", "bob", "ada", "cy"]);
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

async fn commands_print_records_of_api(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.log_in("ada", PASSWORD).await.expect(303);
    let bob = app.sign_up("bob@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let (ada_id, org) = (user_id(&ada).await, team.rsplit('/').next().unwrap());
    let scopes = ["users:read", "users:security", "organizations:read", "organizations:write"];
    let backend = KeyHolder::with(&app, "backend", &scopes).await;
    let of_org = format!("{ORGANIZATIONS}/{org}");
    let member = json!({"user_id": user_id(&bob).await, "role": "member"});
    backend.post(&format!("{of_org}/members"), &member).await.expect(201);
    let new = json!({"email": "cy@example.com", "role": "admin", "metadata": {"b": 1, "a": [2.50]}});
    backend.post(&format!("{of_org}/invitations"), &new).await.expect(201);
    doorward(
        &["user", "set-details", "ada", "--external-id", "7", "--metadata", r#"{"z": 1.0, "a": 2}"#],
        app.variables(),
    )
    .await;
    for (command, path) in [
        (vec!["user", "show", "ada"], format!("/auth/api/v2/users/{ada_id}")),
        (vec!["user", "list"], "/auth/api/v2/users".to_owned()),
        (vec!["user", "list", "ada"], "/auth/api/v2/users?query=ada".to_owned()),
        (vec!["user", "sessions", "list", "ada"], format!("/auth/api/v2/users/{ada_id}/sessions")),
        (vec!["org", "list"], ORGANIZATIONS.to_owned()),
        (vec!["org", "show", org], of_org.clone()),
        (vec!["org", "members", "list", org], format!("{of_org}/members")),
        (vec!["invitation", "list", "--org", org], format!("{of_org}/invitations")),
    ] {
        let printed = doorward(&command, app.variables()).await;
        assert_eq!(printed, backend.get(&path).await.expect(200).json(), "{command:?}");
        assert_ne!(printed["data"], json!([]), "{command:?}");
    }
    let changed = doorward(&["org", "members", "set-role", org, "bob", "admin"], app.variables()).await;
    let members = backend.get(&format!("{of_org}/members")).await.expect(200).json();
    let mut record = members["data"].as_array().unwrap().iter().find(|one| one["username"] == "bob").unwrap().clone();
    record["changed"] = true.into();
    assert_eq!((&changed, &changed["role"]), (&record, &json!("admin")));
    let printed = run_program(&["user", "show", "ada", "--json"], app.variables()).await;
    assert!(
        String::from_utf8_lossy(&printed.stdout).contains(r#"{"z": 1.0, "a": 2}"#),
        "letter by letter: {printed:?}"
    );
}

async fn audit_entries_say_what_they_are_about(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (team, ada_id) = (create_team(&ada, "Crew").await, user_id(&ada).await);
    let org = team.rsplit('/').next().unwrap();
    ada.post_form(&format!("{team}/rename"), &[("name", "Works")]).await.expect(303);
    doorward(&["user", "grant", "ada", "monitor"], app.variables()).await;
    let log = doorward(&["user", "audit", "ada"], app.variables()).await;
    let of_kind = |kind: &str| log["data"].as_array().unwrap().iter().find(|entry| entry["kind"] == kind).unwrap();
    let renamed = of_kind("organization_renamed");
    let about = (&renamed["organization_id"], &renamed["subject"]);
    assert_eq!(about, (&json!(org), &json!({"type": "organization", "id": org})));
    assert_eq!(of_kind("organization_created")["subject"], json!({"type": "user", "id": ada_id}), "its owner");
    let granted = log["data"][0].clone();
    assert_eq!(granted["subject"], json!({"type": "user", "id": ada_id}));
    assert!(granted["fields"].is_object() && granted["organization_id"].is_null(), "{granted}");
}
