//! The account pages: password and username changes, sessions, activity and the export of personal data.

use crate::harness::{Client, Engine, Receiver, TestApp, eventually};
use std::time::Duration;

both_engines![activity_is_paginated, activity_about_security_leaves_out_the_rest];
one_engine![
    password_change_ends_other_sessions_unless_opted_out,
    password_change_requires_current_password,
    password_change_applies_password_policy,
    username_is_changed,
    unchanged_values_record_no_events,
    sessions_are_listed_and_ended,
    many_sessions_do_not_hide_ones_own,
    sessions_of_other_users_cannot_be_ended,
    refresh_token_reuse_shows_warning,
    activity_has_a_heading_for_each_day,
    export_contains_all_data_and_no_secrets
];
single_run![account_pages_require_login, forms_with_invalid_csrf_token_change_nothing];

const PASSWORD: &str = "a lighthouse in the fog";
const NEW_PASSWORD: &str = "a harbour in the morning";
const NO_ID: &str = "00000000-0000-0000-0000-000000000000";

async fn change_password(client: &Client, current: &str, new: &str, end_others: bool) -> crate::harness::Reply {
    let mut fields = vec![("current", current), ("password", new)];
    fields.extend(end_others.then_some(("end_others", "yes")));
    client.post_form("/auth/account/password", &fields).await
}

async fn kinds(app: &TestApp) -> Vec<String> {
    app.database().texts("SELECT kind FROM audit ORDER BY at, id").await
}

async fn password_change_ends_other_sessions_unless_opted_out(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    app.database().execute("UPDATE users SET email_verified_at = created_at").await;
    let phone = app.anonymous();
    phone.log_in("ada", PASSWORD).await.expect(303);
    app.clock().advance(Duration::from_mins(20));
    ada.get("/auth/account/password").await.snapshot("password/shown");
    let done = change_password(&ada, PASSWORD, NEW_PASSWORD, true).await.snapshot("password/changed");
    ada.get(done.location()).await.snapshot("password/changed_shown");
    ada.api_user().await.expect(200);
    phone.api_user().await.expect(401);
    phone.refresh("app").await.expect(401);
    phone.log_in("ada", PASSWORD).await.expect(401);
    phone.log_in("ada", NEW_PASSWORD).await.expect(303);
    change_password(&ada, NEW_PASSWORD, PASSWORD, false).await.expect(303);
    phone.api_user().await.expect(200);
    // The password change counts as reauthentication.
    ada.get("/auth/account/confirm?return_to=%2Fnext").await.expect(303);
    let changed = "SELECT count(*) FROM audit WHERE kind = 'password_changed' AND session_id IS NOT NULL";
    assert_eq!(app.database().count(changed).await, 2);
    assert_eq!(app.database().count("SELECT count(*) FROM sessions WHERE end_reason = 'password'").await, 1);
    let mails = "SELECT count(*) FROM outbox WHERE channel = 'notice' AND kind = 'password-changed'";
    assert_eq!(app.database().count(mails).await, 1, "of the two changes, while the first waits");
}

async fn password_change_requires_current_password(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    change_password(&ada, "not the password at all", NEW_PASSWORD, false).await.snapshot("password/wrong_current");
    for _ in 0..9 {
        change_password(&ada, "not the password at all", NEW_PASSWORD, true).await.expect(422);
    }
    change_password(&ada, PASSWORD, NEW_PASSWORD, true).await.snapshot("password/too_many_attempts");
    app.clock().advance(Duration::from_mins(1));
    app.anonymous().log_in("ada@example.com", NEW_PASSWORD).await.expect(401);
}

async fn password_change_applies_password_policy(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada.lovelace@example.com").await;
    let long = "x".repeat(257);
    for (name, new) in [
        ("too_short", "short"),
        ("too_long", &long),
        ("too_common", "password123"),
        ("like_name", "Ada.Lovelace"),
        ("unchanged", PASSWORD),
    ] {
        change_password(&ada, PASSWORD, new, true).await.snapshot(&format!("password/{name}"));
    }
    assert_eq!(kinds(&app).await, ["account_created"]);
}

async fn username_is_changed(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.webhooks(&receiver).start().await;
    let ada = app.sign_up("ada@example.com").await;
    let bob = app.sign_up("bob@example.com").await;
    let set =
        async |client: &Client, name: &str| client.post_form("/auth/account/username", &[("username", name)]).await;
    ada.get("/auth/account/username").await.snapshot("username/shown");
    for (outcome, name) in [("taken", "BOB"), ("empty", ""), ("with_space", "a b"), ("too_short", "x")] {
        set(&ada, name).await.snapshot(&format!("username/{outcome}"));
    }
    let done = set(&ada, " Countess ").await.snapshot("username/changed");
    ada.get(done.location()).await.snapshot("username/changed_shown");
    assert_eq!(ada.api_user().await.expect(200).json()["username"], "Countess");
    set(&bob, "ada").await.expect(422);
    app.anonymous().log_in("countess", PASSWORD).await.expect(303);
    // Changing only the case of one's own name is no conflict.
    set(&ada, "countess").await.expect(303);
    let updated = "SELECT count(*) FROM outbox WHERE kind = 'user.updated'";
    assert_eq!(app.database().count(updated).await, 2);
    let details =
        app.database().texts("SELECT detail FROM audit WHERE kind = 'username_changed' ORDER BY at, id").await;
    assert_eq!(details, ["ada → Countess", "Countess → countess"]);
}

async fn unchanged_values_record_no_events(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.webhooks(&receiver).start().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.post_form("/auth/account/username", &[("username", "ada")]).await.snapshot("username/unchanged");
    ada.post_form("/auth/account/sessions/end-others", &[]).await.snapshot("sessions/no_others_to_end");
    assert_eq!(kinds(&app).await, ["account_created"]);
    assert_eq!(app.database().count("SELECT count(*) FROM outbox WHERE kind = 'user.updated'").await, 0);
}

/// The id of the other one of a user's two sessions.
async fn other_session(client: &Client) -> String {
    let page = client.get("/auth/account/sessions").await.expect(200).text();
    let forms: Vec<&str> = page.split("action=\"/auth/account/sessions/").skip(1).collect();
    assert_eq!(forms.len(), 2, "the button for all, and one other session");
    forms[1].split("/end\"").next().unwrap().to_owned()
}

async fn sessions_are_listed_and_ended(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.get("/auth/account/sessions").await.snapshot("sessions/one");
    app.clock().advance(Duration::from_mins(5));
    let phone = app.anonymous();
    phone.get("/auth/login").await.expect(200);
    let token = phone.token("csrf").unwrap();
    let fields = [("email", "ada"), ("password", PASSWORD), ("csrf_token", token.as_str())];
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    phone.form("/auth/login", &fields).header("user-agent", firefox).await.expect(303);
    ada.get("/auth/account/sessions").await.snapshot("sessions/two");
    let done = ada.post_form(&format!("/auth/account/sessions/{}/end", other_session(&ada).await), &[]).await;
    ada.get(done.snapshot("sessions/ended").location()).await.snapshot("sessions/ended_shown");
    phone.api_user().await.expect(401);
    phone.refresh("app").await.expect(401);
    let others = [app.anonymous(), app.anonymous()];
    for other in &others {
        other.log_in("ada", PASSWORD).await.expect(303);
    }
    ada.post_form("/auth/account/sessions/end-others", &[]).await.snapshot("sessions/others_ended");
    for other in &others {
        other.api_user().await.expect(401);
    }
    ada.api_user().await.expect(200);
    let recorded = kinds(&app).await;
    assert_eq!(recorded[recorded.len() - 1], "sessions_ended");
    assert_eq!(recorded.iter().filter(|kind| *kind == "session_ended").count(), 1);
    // A session whose tokens have expired is not listed.
    app.anonymous().log_in("ada", PASSWORD).await.expect(303);
    app.clock().advance(Duration::from_hours(200));
    ada.refresh("app").await.expect(200);
    app.clock().advance(Duration::from_hours(200));
    let page = ada.get("/auth/account/sessions").await.expect(200).text();
    assert!(page.contains("not logged in anywhere else"), "{page}");
}

/// A thief with the password opens sessions without end: the owner ends them all the same.
async fn many_sessions_do_not_hide_ones_own(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.clock().advance(Duration::from_mins(5));
    for _ in 0..201 {
        app.anonymous().log_in("ada", PASSWORD).await.expect(303);
    }
    let page = ada.get("/auth/account/sessions").await.expect(200).text();
    assert_eq!(page.matches("/end\"").count(), 200, "the newest others");
    assert_eq!(page.matches("tag current").count(), 1);
    ada.post_form("/auth/account/sessions/end-others", &[]).await.expect(303);
    assert_eq!(app.database().count("SELECT count(*) FROM sessions WHERE ended_at IS NULL").await, 1);
    ada.api_user().await.expect(200);
}

async fn sessions_of_other_users_cannot_be_ended(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let phone = app.anonymous();
    phone.log_in("ada", PASSWORD).await.expect(303);
    let session = other_session(&ada).await;
    let bob = app.sign_up("bob@example.com").await;
    bob.post_form(&format!("/auth/account/sessions/{session}/end"), &[]).await.snapshot("sessions/end_of_other_user");
    phone.api_user().await.expect(200);
    bob.post_form("/auth/account/sessions/end-others", &[]).await.expect(303);
    phone.api_user().await.expect(200);
    bob.post_form("/auth/account/sessions/no-id/end", &[]).await.snapshot("sessions/no_id");
    // Ending one's own session logs out.
    let own = other_session(&phone).await;
    ada.post_form(&format!("/auth/account/sessions/{own}/end"), &[]).await.snapshot("sessions/own_ended");
    ada.api_user().await.expect(401);
}

async fn refresh_token_reuse_shows_warning(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let thief = ada.copy();
    for _ in 0..2 {
        ada.refresh("app").await.expect(200);
        app.clock().advance(Duration::from_secs(31));
    }
    thief.refresh("app").await.expect(401);
    ada.log_in("ada", PASSWORD).await.expect(303);
    ada.get("/auth/account").await.snapshot("account/token_reused");
    ada.get("/auth/account/sessions").await.snapshot("sessions/token_reused");
    ada.get("/auth/account/activity").await.snapshot("activity/token_reused");
}

async fn activity_is_paginated(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    for number in 0..60 {
        let name = format!("ada{number}");
        ada.post_form("/auth/account/username", &[("username", name.as_str())]).await.expect(303);
    }
    app.sign_up("bob@example.com").await;
    let first = ada.get("/auth/account/activity").await.expect(200).text();
    assert_eq!(first.matches("Username changed").count(), 50);
    assert!(first.contains("ada58 → ada59") && !first.contains("bob"), "{first}");
    let older = first.split("href=\"/auth/account/activity?before=").nth(1).unwrap().split('"').next().unwrap();
    let last = ada.get(&format!("/auth/account/activity?before={older}")).await.expect(200).text();
    assert_eq!(first.matches(">Today</h2>").count(), 1, "one heading for a day");
    assert_eq!(last.matches("Username changed").count(), 10);
    assert!(last.contains("Account created") && last.contains(">Latest</a>") && !last.contains("rel=\"next\""));
    for nonsense in ["x", "1.x", "99999999999999999999.x", "9223372036854775807.00000000-0000-0000-0000-000000000000"] {
        let page = ada.get(&format!("/auth/account/activity?before={nonsense}")).await.expect(200).text();
        assert!(page.contains("ada58 → ada59"), "{nonsense}");
    }
}

async fn activity_about_security_leaves_out_the_rest(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    for number in 0..51 {
        app.clock().advance(Duration::from_secs(1));
        change_password(&ada, "not the password at all", NEW_PASSWORD, true).await.expect(422);
        let name = format!("ada{number}");
        ada.post_form("/auth/account/username", &[("username", name.as_str())]).await.expect(303);
    }
    app.clock().advance(Duration::from_secs(1));
    ada.log_in("ada50", PASSWORD).await.expect(303);
    let page = async |query: &str| ada.get(&format!("/auth/account/activity{query}")).await.expect(200).text();
    assert!(page("").await.contains("Username changed"));
    assert!(page("?only=nonsense").await.contains("Username changed"), "what is not known filters nothing");
    // Failed tries are written a moment later.
    let with_failed = async || Some(page("?only=security").await).filter(|page| page.contains("row-icon alarming"));
    let security = eventually("failed ones stand out", with_failed).await;
    assert!(security.contains("Logged in") && !security.contains("Username changed"), "{security}");
    // The filter stays from page to page.
    app.database().execute("UPDATE audit SET kind = 'signed_in' WHERE kind = 'username_changed'").await;
    let first = page("?only=security").await;
    let older = first.split("href=\"/auth/account/activity?only=security&#38;before=").nth(1).unwrap();
    let last = page(&format!("?only=security&before={}", older.split('"').next().unwrap())).await;
    assert!(last.contains("Account created") && last.contains("href=\"/auth/account/activity?only=security\">Latest"));
}

async fn activity_has_a_heading_for_each_day(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    for days in [3, 1, 1] {
        app.clock().advance(Duration::from_hours(24 * days));
        ada.log_in("ada", PASSWORD).await.expect(303);
    }
    let page = ada.get("/auth/account/activity").await.expect(200).text();
    let headings: Vec<&str> = page.split("<h2>").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
    assert_eq!(headings, ["Today", "Yesterday", "", ""], "the others are dates");
    assert_eq!(page.matches("data-local=\"clock\"").count(), 4);
}

async fn export_contains_all_data_and_no_secrets(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    app.clock().advance(Duration::from_mins(16));
    ada.get("/auth/account/export").await.snapshot("export/confirm_needed");
    ada.post_form("/auth/account/export", &[]).await.snapshot("export/confirm_needed_sent");
    ada.post_form("/auth/account/confirm", &[("password", PASSWORD)]).await.snapshot("confirm/done");
    ada.get("/auth/account/export").await.snapshot("export/shown");
    ada.post_form("/auth/account/export", &[]).await.snapshot("export/done");
    assert_eq!(kinds(&app).await.last().map(String::as_str), Some("data_exported"));
}

async fn account_pages_require_login() {
    let app = Engine::Sqlite.app().await;
    let routes = crate::snapshots::routes().into_iter().filter(|route| route.method == "GET");
    for route in routes.filter(|route| route.path.contains("/account") || route.path.contains("/organizations")) {
        let path = route.path.replace("{id}", NO_ID).replace("{user}", NO_ID).replace("{invitation}", NO_ID);
        if !path.contains("/api/") {
            app.anonymous().get(&path).await.snapshot(&format!("logged_out/{}", route.file_name()));
        }
    }
}

async fn forms_with_invalid_csrf_token_change_nothing() {
    let app = Engine::Sqlite.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let forms: [(&str, &[(&str, &str)]); 5] = [
        ("/auth/account/username", &[("username", "countess")]),
        ("/auth/account/password", &[("current", PASSWORD), ("password", NEW_PASSWORD)]),
        ("/auth/account/sessions/end-others", &[]),
        ("/auth/account/sessions/00000000-0000-0000-0000-000000000000/end", &[]),
        ("/auth/account/export", &[]),
    ];
    for (path, fields) in forms {
        ada.form(path, &[fields, &[("csrf_token", "forged")]].concat()).await.expect(403);
    }
    assert_eq!(kinds(&app).await, ["account_created"]);
}
