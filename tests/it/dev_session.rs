//! `doorward dev session`: cookies for developers of applications; refused on other machines and for other accounts.

use crate::backup::doorward;
use crate::harness::{Client, Engine, PASSWORD, Passkey, TestApp, run_program, run_to_snapshot};
use crate::reset::{link_for, reset_fields};
use serde_json::Value;

one_engine![
    developer_gets_sessions_of_own_accounts,
    name_under_localhost_is_this_machine,
    other_machines_and_accounts_are_refused,
    account_that_a_person_has_taken_is_refused,
    start_for_other_machines_ends_what_was_made_for_development,
];

const DEV: &str = "dev@example.com";

async fn expect_refused(app: &TestApp, name: &str, email: &str, changes: &[(&str, &str)]) {
    let mut variables = app.variables().clone();
    variables.extend(changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    run_to_snapshot(&format!("commands/dev_session_{name}"), &["dev", "session", email], &variables).await;
}

async fn developer_gets_sessions_of_own_accounts(engine: Engine) {
    let app = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required").start().await;
    // The base URL is noted before the first answer.
    app.anonymous().get("/auth/health").await.expect(200);
    let first = doorward(&["dev", "session", DEV], app.variables()).await;
    let again = doorward(&["dev", "session", DEV], app.variables()).await;
    assert_eq!((&first["created"], &again["created"]), (&true.into(), &false.into()));
    assert_eq!(first["user_id"], again["user_id"]);
    for session in [&first, &again] {
        let client = app.anonymous();
        for cookie in session["cookies"].as_array().unwrap() {
            client.jar().set(cookie["name"].as_str().unwrap(), cookie["value"].as_str().unwrap());
        }
        assert_eq!(client.api_user().await.expect(200).json()["email"], DEV);
        client.refresh("app").await.expect(200);
        client.get("/auth/account").await.expect(200);
    }
    // As curl is given it: the text is a header, or a file.
    let printed = run_program(&["dev", "session", DEV], app.variables()).await;
    let header = String::from_utf8(printed.stdout).unwrap();
    assert_eq!(app.anonymous().api_user().header("cookie", header.trim()).await.expect(200).json()["email"], DEV);
    let printed = run_program(&["dev", "session", DEV, "--jar"], app.variables()).await;
    let jar = String::from_utf8(printed.stdout).unwrap();
    let access = jar.lines().find_map(|line| line.strip_prefix("#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t"));
    assert!(access.is_some_and(|rest| rest.contains("\tsvc_access\t")) && jar.lines().count() == 4, "{jar}");
    let shown = run_program(&["user", "show", DEV], app.variables()).await;
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    let logged_in = shown.lines().find(|line| line.starts_with("Logged in")).unwrap();
    assert!(logged_in.contains("20") && !logged_in.contains("from"), "no browser, and so no address: {shown}");
    let audit = doorward(&["user", "audit", DEV], app.variables()).await;
    let entries = audit["data"].as_array().unwrap().iter();
    let by_operator = |entry: &&Value| entry["actor"] == "operator" && entry["detail"] == "doorward dev session";
    assert_eq!(entries.filter(by_operator).count(), 4, "{audit}");
}

async fn name_under_localhost_is_this_machine(engine: Engine) {
    let builder = engine.prepare().await;
    let url = builder.variables()["SVC_BASE_URL"].replace("127.0.0.1", "app.localhost");
    let app = builder.set("SVC_BASE_URL", url).start().await;
    app.anonymous().get("/auth/health").await.expect(200);
    assert_eq!(doorward(&["dev", "session", DEV], app.variables()).await["email"], DEV);
    let printed = run_program(&["dev", "session", DEV, "--jar"], app.variables()).await;
    let jar = String::from_utf8(printed.stdout).unwrap();
    assert!(jar.contains("#HttpOnly_app.localhost\tFALSE\t/\tFALSE\t"), "{jar}");
}

async fn other_machines_and_accounts_are_refused(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    expect_refused(&app, "of_a_person", "ada@example.com", &[]).await;
    doorward(&["dev", "session", DEV], app.variables()).await;
    expect_refused(&app, "base_url_elsewhere", DEV, &[("SVC_BASE_URL", "https://auth.example.com")]).await;
    for (noted, name) in [("'https://auth.example.com'", "service_elsewhere"), ("NULL", "no_service")] {
        app.database().execute(&format!("UPDATE instance SET base_url = {noted} WHERE id = 1")).await;
        expect_refused(&app, name, DEV, &[]).await;
        expect_refused(&app, &format!("{name}_new"), "new@example.com", &[]).await;
    }
    assert_eq!(app.database().count("SELECT count(*) FROM users").await, 2);
    // A person's account stays a person's, and a start notes the base URL again.
    let app = app.restart().await;
    app.anonymous().log_in("ada", PASSWORD).await.expect(303);
    doorward(&["dev", "session", DEV], app.variables()).await;
}

/// Passkeys are for a name.
const ORIGIN: &str = "http://localhost:8080";
const REFUSED: &str = "or that got a password, a second factor, a passkey or a role since";

/// A browser with the cookies of a development session.
async fn browser(app: &TestApp, email: &str) -> Client {
    let session = doorward(&["dev", "session", email], app.variables()).await;
    let client = app.anonymous();
    for cookie in session["cookies"].as_array().unwrap() {
        client.jar().set(cookie["name"].as_str().unwrap(), cookie["value"].as_str().unwrap());
    }
    client
}

async fn expect_taken(app: &TestApp, email: &str) {
    let output = run_program(&["dev", "session", email], app.variables()).await;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && text.contains(REFUSED), "{email}: {output:?}");
}

/// By the mailbox: the first password of its own.
async fn reset_password(app: &TestApp, email: &str) -> Client {
    let person = app.anonymous();
    let link = link_for(app, email).await;
    person.post_form(&link, &reset_fields(PASSWORD)).await.expect(303);
    person
}

/// What the command made is its own until someone has given the account something to lose.
async fn account_that_a_person_has_taken_is_refused(engine: Engine) {
    let builder = engine.prepare().await.with_email_verification().set("SVC_RATE_LIMIT", "off");
    let app = builder.set("SVC_BASE_URL", ORIGIN).start().await;
    app.anonymous().get("/auth/health").await.expect(200);
    let [reset, factor, passkey, role, free] =
        ["reset", "factor", "passkey", "role", "free"].map(|name| format!("{name}@example.com"));
    for email in [&reset, &factor, &passkey, &role, &free] {
        browser(&app, email).await;
        browser(&app, email).await;
    }
    reset_password(&app, &reset).await;
    browser(&app, &factor).await.turn_on_two_factor(&app).await;
    Passkey::add(&browser(&app, &passkey).await, ORIGIN, "Phone").await;
    doorward(&["user", "grant", &role, "admin"], app.variables()).await;
    for email in [&reset, &factor, &passkey, &role] {
        expect_taken(&app, email).await;
    }
    // As the previous version leaves it, which notes nothing.
    app.database().execute("UPDATE dev_accounts SET taken_at = NULL").await;
    for email in [&factor, &passkey, &role] {
        expect_taken(&app, email).await;
    }
    browser(&app, &free).await.api_user().await.expect(200);
}

/// The database of the developer's machine goes into production.
async fn start_for_other_machines_ends_what_was_made_for_development(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up_verified("ada@example.com").await;
    let free = browser(&app, DEV).await;
    let factor = browser(&app, "factor@example.com").await;
    factor.turn_on_two_factor(&app).await;
    browser(&app, "owner@example.com").await;
    let owner = reset_password(&app, "owner@example.com").await;
    owner.log_in("owner@example.com", PASSWORD).await.expect(303);
    let app = app.restart().await;
    for client in [&free, &factor, &owner, &ada] {
        client.refresh("app").await.expect(200);
    }
    let url = app.variables()["SVC_BASE_URL"].clone();
    let app = app.restart_with(&[("SVC_BASE_URL", "https://auth.example.com")]).await;
    // What was made for development ends before the first answer.
    app.anonymous().get("/auth/health").await.expect(200);
    for (email, is_verified) in
        [(DEV, false), ("factor@example.com", false), ("owner@example.com", true), ("ada@example.com", true)]
    {
        let user = doorward(&["user", "show", email], app.variables()).await;
        assert_eq!(user["email_verified"], is_verified, "{user}");
        assert_eq!(user["sessions"] != 0, is_verified, "{user}");
    }
    let audit = doorward(&["user", "audit", DEV], app.variables()).await;
    let kinds: Vec<_> = audit["data"].as_array().unwrap().iter().take(2).map(|entry| entry["kind"].clone()).collect();
    assert!(kinds.contains(&"sessions_ended".into()) && kinds.contains(&"details_changed".into()), "{audit}");
    // The way back opens no door either.
    let app = app.restart_with(&[("SVC_BASE_URL", &url)]).await;
    for client in [&free, &factor] {
        client.refresh("app").await.expect(401);
    }
    ada.refresh("app").await.expect(200);
    expect_taken(&app, DEV).await;
}
