//! Administrators see people and help them (docs/reference/administration.md).

use crate::harness::{Client, Engine, PASSWORD, Reply, TestApp, act, first_column, id_of, someone_with};
use crate::snapshots::{PERSON, routes};
use std::collections::BTreeSet;
use std::time::Duration;

both_engines![
    two_administrators_who_demote_each_other_leave_one,
    administrator_demoted_between_page_and_form_is_refused,
    roles_that_others_gave_meanwhile_stay,
    sessions_end_one_by_one_and_all_at_once,
    account_elsewhere_is_disconnected,
];
one_engine![
    each_act_is_a_form_and_is_done_once_it_is_sent,
    disabled_person_is_logged_out_until_enabled,
    reason_is_required_and_stands_in_the_audit_log,
    nobody_disables_demotes_or_deletes_themselves,
    administrator_whose_session_ended_changes_nothing,
    acts_and_exports_of_one_administrator_are_limited,
    change_needs_a_recent_confirmation,
    change_needs_the_second_factor_in_this_session,
    factor_is_changed_by_whom_has_shown_it,
    required_second_factor_is_set_up_before_any_page,
    account_is_made_mailed_and_renamed,
    form_that_its_page_did_not_send_changes_nothing,
    what_people_typed_stands_apart,
    menu_offers_the_pages_to_those_who_may,
];

const REASON: (&str, &str) = ("reason", "asked by phone");

async fn with_admin(engine: Engine) -> (TestApp, Client) {
    let app = engine.app().await;
    let admin = someone_with(&app, "admin").await;
    (app, admin)
}

async fn person(app: &TestApp, email: &str) -> (Client, String, String) {
    let client = app.sign_up(email).await;
    let id = id_of(app, email).await;
    let page = format!("/auth/admin/people/{id}");
    (client, id, page)
}

/// What the form of an act on a person asks for beside the reason.
fn fields_of(act: &str) -> &'static [(&'static str, &'static str)] {
    match act {
        "email" => &[("email", "ada@example.org"), ("verified", "yes")],
        "roles" => &[("roles", "auditor"), ("roles", "monitor")],
        _ => &[],
    }
}

async fn each_act_is_a_form_and_is_done_once_it_is_sent(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let auditor = someone_with(&app, "auditor").await;
    let (_, _, page) = person(&app, "ada@example.com").await;
    admin.get("/auth/admin/people").await.snapshot("admin/people");
    admin.get(&page).await.snapshot("admin/person");
    auditor.get(&page).await.snapshot("admin/person_of_auditor");
    app.anonymous().get(&page).await.snapshot("admin/person_logged_out");
    app.anonymous().get("/auth/admin").await.snapshot("admin/overview_logged_out");
    app.anonymous().get("/auth/admin/people?state=disabled").await.snapshot("admin/people_logged_out");
    let new = "/auth/admin/people/new";
    admin.get(new).await.snapshot("admin/new_form");
    auditor.get(new).await.snapshot("admin/new_form_refused");
    let made = act(&admin, new, &[("email", "bob@example.com"), ("send_mail", "yes"), REASON]).await;
    made.snapshot("admin/new_done");
    auditor.post_form(new, &[REASON]).await.snapshot("admin/new_refused");
    let acts = routes().into_iter().filter(|route| route.method == "POST");
    let acts = acts.filter_map(|route| route.path.strip_prefix(PERSON).map(str::to_owned));
    // From the last to the first by name: the account is deleted at the end, and its address mailed before it is verified.
    for name in acts.filter(|act| !act.contains('{')).collect::<BTreeSet<_>>().into_iter().rev() {
        let (path, file) = (format!("{page}/{name}"), name.replace(['/', '-'], "_"));
        admin.get(&path).await.snapshot(&format!("admin/{file}_form"));
        auditor.get(&path).await.snapshot(&format!("admin/{file}_form_refused"));
        auditor.post_form(&path, &[REASON]).await.snapshot(&format!("admin/{file}_refused"));
        act(&admin, &path, &[fields_of(&name), &[REASON]].concat()).await.snapshot(&format!("admin/{file}_done"));
    }
}

async fn disabled_person_is_logged_out_until_enabled(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let (ada, _, page) = person(&app, "ada@example.com").await;
    ada.api_user().await.expect(200);
    let done = act(&admin, &format!("{page}/disable"), &[REASON]).await.expect(303);
    assert_eq!(done.location(), page);
    ada.api_user().await.expect(401);
    app.anonymous().log_in("ada", PASSWORD).await.expect(403);
    assert_eq!(first_column(&admin.get("/auth/admin/people?state=disabled").await), ["ada@example.com"]);
    act(&admin, &format!("{page}/enable"), &[REASON]).await.expect(303);
    app.anonymous().log_in("ada", PASSWORD).await.expect(303);
}

async fn reason_is_required_and_stands_in_the_audit_log(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let (ada, id, page) = person(&app, "ada@example.com").await;
    let path = format!("{page}/disable");
    for (reason, sentence) in [
        ("", "Say why, in a few words."),
        ("  ", "Say why, in a few words."),
        ("\u{200b}", "Say why, in a few words."),
        ("a\u{1b}[31mb", "A reason is one line of plain text."),
        (&"x".repeat(501), "A reason has at most 500 characters."),
    ] {
        let refused = act(&admin, &path, &[("reason", reason)]).await.expect(422);
        assert!(refused.text().contains(sentence), "{refused}");
    }
    ada.api_user().await.expect(200);
    act(&admin, &path, &[("reason", " left <b>us</b> ")]).await.expect(303);
    let entry = "SELECT fields FROM audit WHERE kind = 'account_disabled'";
    assert_eq!(app.database().texts(entry).await, [r#"{"reason":"left <b>us</b>"}"#]);
    let by = format!(
        "SELECT count(*) FROM audit a JOIN users u ON u.id = a.actor_user_id WHERE a.kind = 'account_disabled' \
         AND a.actor = 'user' AND u.email = 'admin@example.com' AND a.address <> '' AND '{id}' <> ''"
    );
    assert_eq!(app.database().count(&by).await, 1);
}

async fn nobody_disables_demotes_or_deletes_themselves(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    app.sign_up("second@example.com").await;
    app.database().execute("UPDATE users SET roles = 'admin' WHERE email = 'second@example.com'").await;
    let page = format!("/auth/admin/people/{}", id_of(&app, "admin@example.com").await);
    for (name, fields) in [("disable", vec![]), ("delete", vec![]), ("roles", vec![("roles", "auditor")])] {
        let fields = [fields, vec![REASON]].concat();
        let refused = act(&admin, &format!("{page}/{name}"), &fields).await.expect(422);
        assert!(refused.text().contains("Ask another administrator"), "{refused}");
    }
    // More is none of the three.
    act(&admin, &format!("{page}/roles"), &[("roles", "admin"), ("roles", "monitor"), REASON]).await.expect(303);
    let roles = "SELECT roles FROM users WHERE email = 'admin@example.com'";
    assert_eq!(app.database().texts(roles).await, ["admin,monitor"]);
}

async fn two_administrators_who_demote_each_other_leave_one(engine: Engine) {
    let (app, first) = with_admin(engine).await;
    app.sign_up("second@example.com").await;
    app.database().execute("UPDATE users SET roles = 'admin' WHERE email = 'second@example.com'").await;
    let second = app.anonymous();
    second.log_in("second", PASSWORD).await.expect(303);
    let page_of = async |email| format!("/auth/admin/people/{}/roles", id_of(&app, email).await);
    let (of_first, of_second) = (page_of("admin@example.com").await, page_of("second@example.com").await);
    let (one, other) = tokio::join!(first.post_form(&of_second, &[REASON]), second.post_form(&of_first, &[REASON]));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert!(statuses[0] == 303 && [403, 422].contains(&statuses[1]), "{statuses:?}");
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE roles = 'admin'").await, 1);
}

/// The forms of an administrator who has opened them before.
async fn opened(admin: &Client, path: &str) -> Reply {
    admin.get(path).await.expect(200)
}

async fn administrator_demoted_between_page_and_form_is_refused(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let (ada, _, page) = person(&app, "ada@example.com").await;
    let path = format!("{page}/disable");
    opened(&admin, &path).await;
    app.database().execute("UPDATE users SET roles = '' WHERE email = 'admin@example.com'").await;
    // The memory of sessions may still have the role; the transaction does not.
    admin.post_form(&path, &[REASON]).await.expect(403);
    ada.api_user().await.expect(200);
}

async fn roles_that_others_gave_meanwhile_stay(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let (_, _, page) = person(&app, "ada@example.com").await;
    let path = format!("{page}/roles");
    let opened = opened(&admin, &path).await.hidden("opened");
    assert_eq!(opened, "");
    app.database().execute("UPDATE users SET roles = 'monitor' WHERE email = 'ada@example.com'").await;
    let sent = [("roles", "auditor"), ("opened", &opened), REASON];
    admin.post_form(&path, &sent).await.expect(303);
    let roles = "SELECT roles FROM users WHERE email = 'ada@example.com'";
    assert_eq!(app.database().texts(roles).await, ["auditor,monitor"]);
    // A client that opened no form sets what it says.
    admin.post_form(&path, &[("roles", "auditor"), REASON]).await.expect(303);
    assert_eq!(app.database().texts(roles).await, ["auditor"]);
    admin.post_form(&path, &[("opened", "king"), REASON]).await.expect(422);
}

async fn acts_and_exports_of_one_administrator_are_limited(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let (_, _, page) = person(&app, "ada@example.com").await;
    let path = format!("{page}/unlock");
    let mut statuses = Vec::new();
    for _ in 0..61 {
        statuses.push(admin.post_form(&path, &[REASON]).await.status);
    }
    assert_eq!((&statuses[..60], statuses[60]), (&[303; 60][..], 429));
    let export = "/auth/admin/audit/export?format=csv";
    for _ in 0..5 {
        admin.get(export).await.expect(200);
    }
    admin.get(export).await.expect(429);
    admin.get("/auth/admin/audit").await.expect(200);
}

async fn administrator_whose_session_ended_changes_nothing(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let (ada, _, page) = person(&app, "ada@example.com").await;
    let path = format!("{page}/disable");
    opened(&admin, &path).await;
    let ended = "UPDATE sessions SET ended_at = created_at WHERE user_id IN (SELECT id FROM users WHERE email = 'admin@example.com')";
    app.database().execute(ended).await;
    let refused = admin.post_form(&path, &[REASON]).await;
    assert!([303, 403].contains(&refused.status), "{refused}");
    ada.api_user().await.expect(200);
}

async fn change_needs_a_recent_confirmation(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let (ada, _, page) = person(&app, "ada@example.com").await;
    let path = format!("{page}/disable");
    opened(&admin, &path).await;
    app.clock().advance(Duration::from_mins(15));
    admin.get(&page).await.expect(200);
    let confirm = format!("/auth/account/confirm?return_to={}", path.replace('/', "%2F").replace('-', "%2D"));
    assert_eq!(admin.get(&path).await.expect(303).location(), confirm);
    assert_eq!(admin.post_form(&path, &[REASON]).await.expect(303).location(), confirm);
    ada.refresh("app").await.expect(200);
    let fields = [("password", PASSWORD), ("return_to", path.as_str())];
    assert_eq!(admin.post_form("/auth/account/confirm", &fields).await.expect(303).location(), path);
    // One confirmation for all changes.
    act(&admin, &path, &[REASON]).await.expect(303);
    act(&admin, &format!("{page}/enable"), &[REASON]).await.expect(303);
}

async fn change_needs_the_second_factor_in_this_session(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let (_, _, page) = person(&app, "ada@example.com").await;
    let path = format!("{page}/disable");
    let elsewhere = app.anonymous();
    elsewhere.log_in("admin@example.com", PASSWORD).await.expect(303);
    let (authenticator, _) = elsewhere.turn_on_two_factor(&app).await;
    let target = admin.get(&path).await.expect(303).location().to_owned();
    assert!(target.starts_with("/auth/account/confirm?return_to=") && target.ends_with("&mfa=1"), "{target}");
    let fields = [("code", authenticator.next_code(&app)), ("return_to", path.clone())];
    let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
    let confirmed = admin.post_form("/auth/account/confirm/code?mfa=1", &fields).await;
    assert_eq!(confirmed.expect(303).location(), path);
    act(&admin, &format!("{page}/enable"), &[REASON]).await.expect(303);
}

async fn factor_is_changed_by_whom_has_shown_it(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let elsewhere = app.anonymous();
    elsewhere.log_in("admin@example.com", PASSWORD).await.expect(303);
    let (authenticator, _) = elsewhere.turn_on_two_factor(&app).await;
    // Who has the password alone, as on a trusted device, gives the account no other factor, and takes none away.
    let password = ("password", PASSWORD);
    for path in ["/auth/account/recovery-codes", "/auth/account/passkeys/new", "/auth/account/two-factor/remove"] {
        let target = admin.get(path).await.expect(303).location().to_owned();
        assert!(
            target.starts_with("/auth/account/confirm?return_to=") && target.ends_with("&mfa=1"),
            "{path}: {target}"
        );
    }
    for path in ["/auth/account/recovery-codes", "/auth/account/two-factor", "/auth/account/two-factor/remove"] {
        let target = admin.post_form(path, &[password]).await.expect(303).location().to_owned();
        assert!(target.ends_with("&mfa=1"), "{path}: {target}");
    }
    let code = authenticator.next_code(&app);
    admin.post_form("/auth/account/confirm/code?mfa=1", &[("code", &code)]).await.expect(303);
    admin.post_form("/auth/account/recovery-codes", &[]).await.expect(200);
    // For anyone else it is as it was.
    let ada = app.sign_up("ada@example.com").await;
    let again = app.anonymous();
    again.log_in("ada", PASSWORD).await.expect(303);
    again.turn_on_two_factor(&app).await;
    ada.get("/auth/account/recovery-codes").await.expect(200);
}

async fn required_second_factor_is_set_up_before_any_page(engine: Engine) {
    let app = engine.prepare().await.set("SVC_ADMIN_MFA", "required").start().await;
    let admin = someone_with(&app, "admin").await;
    let (ada, _, page) = person(&app, "ada@example.com").await;
    for path in ["/auth/admin", "/auth/admin/people", &page] {
        assert_eq!(admin.get(path).await.expect(303).location(), "/auth/account/two-factor");
    }
    let post = admin.post_form(&format!("{page}/disable"), &[REASON]).await.expect(303);
    assert_eq!(post.location(), "/auth/account/two-factor");
    // Who may not see them learns nothing of it.
    ada.get("/auth/admin").await.expect(403);
    admin.turn_on_two_factor(&app).await;
    admin.get("/auth/admin").await.expect(200);
}

async fn account_is_made_mailed_and_renamed(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let path = "/auth/admin/people/new";
    let bad = act(&admin, path, &[("email", "nobody"), REASON]).await.expect(422);
    assert!(bad.text().contains("This isn’t a valid email address."), "{bad}");
    assert!(bad.text().contains("value=\"nobody\"") && bad.text().contains("value=\"asked by phone\""), "{bad}");
    let new = [("email", "cy@example.com"), ("name", "Cy Young"), ("verified", "yes"), ("send_mail", "yes"), REASON];
    let page = act(&admin, path, &new).await.expect(303).location().to_owned();
    let shown = admin.get(&page).await.expect(200);
    assert!(shown.text().contains("<bdi>Cy Young</bdi>"), "{shown}");
    assert_eq!(app.database().count("SELECT count(*) FROM mails").await, 1);
    assert!(shown.text().contains("They set a password with the emailed link, until then."), "{shown}");
    let taken = act(&admin, path, &[("email", "cy@example.com"), REASON]).await.expect(422);
    assert!(taken.text().contains("already exists"), "{taken}");
    let email = [("email", "cyril@example.com"), ("verified", "yes"), REASON];
    act(&admin, &format!("{page}/email"), &email).await.expect(303);
    assert_eq!(first_column(&admin.get("/auth/admin/people?query=cyril").await), ["cyril@example.com"]);
    // What is known of the address that she has says nothing of another one, nor is it taken back.
    let verified = "SELECT count(*) FROM users WHERE email_key LIKE 'cy%' AND email_verified_at IS NOT NULL";
    let form = admin.get(&format!("{page}/email")).await.expect(200).text();
    assert!(form.contains("name=\"verified\" type=\"checkbox\" value=\"yes\">"), "{form}");
    act(&admin, &format!("{page}/email"), &[("email", "cyril@example.com"), REASON]).await.expect(303);
    assert_eq!(app.database().count(verified).await, 1);
    act(&admin, &format!("{page}/email"), &[("email", "cy@example.org"), REASON]).await.expect(303);
    assert_eq!(app.database().count(verified).await, 0);
}

async fn sessions_end_one_by_one_and_all_at_once(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let (ada, _, page) = person(&app, "ada@example.com").await;
    let shown = admin.get(&page).await.expect(200);
    let text = shown.text();
    let one = text.split("href=\"").filter_map(|rest| rest.split('"').next());
    let one = one.into_iter().find(|href| href.contains("/sessions/") && !href.ends_with("/sessions/end")).unwrap();
    app.anonymous().get(one).await.snapshot("admin/session_end_logged_out");
    admin.get(one).await.snapshot("admin/session_end_form");
    act(&admin, one, &[REASON]).await.snapshot("admin/session_end_done");
    admin.get(one).await.expect(404);
    act(&admin, &format!("{page}/sessions/end"), &[REASON]).await.expect(303);
    ada.api_user().await.expect(401);
    assert!(admin.get(&page).await.text().contains("Not logged in anywhere."));
}

async fn account_elsewhere_is_disconnected(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let (_, _, page) = person(&app, "ada@example.com").await;
    let id = if engine == Engine::Sqlite { "randomblob(16)" } else { "gen_random_uuid()" };
    let row = format!(
        "INSERT INTO identities (id, user_id, issuer, subject, provider, created_at) SELECT {id}, id, \
         'https://accounts.example', '=1+1', 'other', created_at FROM users WHERE email = 'ada@example.com'"
    );
    app.database().execute(&row).await;
    let text = admin.get(&page).await.expect(200).text();
    let path =
        text.split("href=\"").filter_map(|rest| rest.split('"').next()).find(|href| href.contains("/identities/"));
    let path = path.unwrap();
    app.anonymous().get(path).await.snapshot("admin/identity_remove_logged_out");
    admin.get(path).await.snapshot("admin/identity_remove_form");
    act(&admin, path, &[REASON]).await.snapshot("admin/identity_remove_done");
    assert!(admin.get(&page).await.text().contains("No account elsewhere is connected."));
    admin.get(path).await.expect(404);
}

async fn form_that_its_page_did_not_send_changes_nothing(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let (ada, _, page) = person(&app, "ada@example.com").await;
    let token = admin.token("csrf").unwrap();
    for name in ["disable", "delete", "roles", "sessions/end"] {
        let call =
            admin.form(&format!("{page}/{name}"), &[REASON, ("csrf_token", &token)]).header("accept", "text/html");
        let refused = call.header("sec-fetch-mode", "navigate").header("sec-fetch-site", "same-origin").await;
        assert!(refused.expect(403).text().contains("or another page sent the form"), "{name}");
        admin.form(&format!("{page}/{name}"), &[REASON]).header("accept", "text/html").await.expect(403);
    }
    ada.api_user().await.expect(200);
}

async fn what_people_typed_stands_apart(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let (_, id, page) = person(&app, "ada@example.com").await;
    // As versions without today's rules may have stored them.
    app.database()
        .execute("UPDATE users SET username = '<script>alert(1)</script>' WHERE email = 'ada@example.com'")
        .await;
    app.database().execute("UPDATE users SET name = '$(reboot) ; rm -rf /' WHERE email = 'ada@example.com'").await;
    for path in ["/auth/admin/people", &page, &format!("{page}/disable")] {
        let text = admin.get(path).await.expect(200).text();
        assert!(!text.contains("<script>alert"), "{path}");
        let command = text.split("<p class=\"hint command\">").nth(1).unwrap().split("</p>").next().unwrap();
        assert!(!command.contains("reboot") && !command.contains("script"), "{command}");
    }
    let text = admin.get(&page).await.text();
    assert!(text.contains("<bdi>&#60;script&#62;alert(1)&#60;/script&#62;</bdi>"), "{text}");
    assert!(text.contains(&format!("<code>doorward user show {id}</code>")), "{text}");
}

async fn menu_offers_the_pages_to_those_who_may(engine: Engine) {
    let app = engine.app().await;
    let link = "href=\"/auth/admin\"";
    assert!(!app.sign_up("ada@example.com").await.get("/auth/account").await.text().contains(link));
    for role in ["admin", "auditor", "monitor"] {
        let client = someone_with(&app, role).await;
        assert!(client.get("/auth/account").await.text().contains(link), "{role}");
    }
}
