//! Login, logout and the redirects after them (docs/reference/browser.md 8 and 9).

use crate::harness::{Client, Engine, TestApp, eventually, raw_http};
use doorward::crypto::password::{Params, PasswordHasher};
use doorward::model::principal::Principal;
use reqwest::Method;
use std::time::Duration;
use tokio::task::JoinSet;

const PASSWORD: &str = "a lighthouse in the fog";

both_engines![logins_at_once_upgrade_outdated_hash_and_all_succeed,];
one_engine![
    login_accepts_email_or_username,
    login_costs_same_work_for_unknown_accounts,
    disabled_account_is_revealed_only_after_correct_password,
    login_ends_previous_session_of_browser,
    login_page_redirects_with_fresh_token_when_logged_in,
    refused_token_causes_no_redirect_loop,
    page_blames_application_only_if_it_sent_user_back,
    logout_answers_forms_and_scripts,
    logout_page_ends_nothing_but_its_button_does,
    logout_with_invalid_csrf_token_keeps_session,
    outdated_password_hash_is_upgraded_at_login,
    password_is_right_in_either_encoding,
];
single_run![
    old_password_is_refused_when_changed_during_login,
    every_page_sets_csrf_cookie,
    matching_csrf_cookie_of_two_is_set_again,
    stale_form_does_not_open_closed_sign_up,
    non_ascii_cookie_of_other_application_is_ignored,
    forged_refresh_tokens_do_not_exhaust_owners_limit,
    too_many_attempts_return_429_with_retry_after,
    closed_sign_up_returns_403,
    cors_allows_only_configured_origins,
    return_origin_is_a_target_and_nothing_else,
    literal_return_to_keeps_its_query,
    responses_carry_security_headers,
    entry_page_redirects_by_login_state,
    small_paths_lead_to_pages,
];

async fn login_accepts_email_or_username(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("Ada.Lovelace@example.com").await;
    for login in ["ada.lovelace@EXAMPLE.com", " Ada.Lovelace@example.com ", "ada.lovelace", "ADA.Lovelace"] {
        let browser = app.anonymous();
        browser.log_in(login, PASSWORD).await.snapshot("login/done");
        assert_eq!(browser.api_user().await.expect(200).json()["username"], "Ada.Lovelace");
    }
}

/// The cost of an attempt: password verifications and statements.
async fn work_of(app: &TestApp, browser: &Client, login: &str) -> (u64, u64) {
    let before = (app.app.passwords.verifications(), app.app.store.statements());
    browser.log_in(login, "not the password at all").await.expect(401);
    (app.app.passwords.verifications() - before.0, app.app.store.statements() - before.1)
}

async fn login_costs_same_work_for_unknown_accounts(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    app.sign_up("ada@example.com").await;
    let browser = app.anonymous();
    browser.get("/auth/login").await.expect(200);
    let known = work_of(&app, &browser, "ada@example.com").await;
    // The lookup, reading the counters that change and those that do not, and writing.
    assert_eq!(known, (1, 4));
    for unknown in ["nobody@example.com", "nobody", "", &"x".repeat(300)] {
        assert_eq!(work_of(&app, &browser, unknown).await, known, "{unknown:?}");
    }
}

async fn disabled_account_is_revealed_only_after_correct_password(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    let user = doorward::domain::account::operator::find(&app.app.store, &Principal::operator(), "ada").await.unwrap();
    assert!(crate::operators::set_disabled(&app.app, user.id, true).await.unwrap());
    let browser = app.anonymous();
    browser.log_in("ada@example.com", "not the password at all").await.snapshot("login/wrong_password");
    browser.log_in("ada@example.com", PASSWORD).await.snapshot("login/account_disabled");
    assert!(crate::operators::set_disabled(&app.app, user.id, false).await.unwrap());
    browser.log_in("ada@example.com", PASSWORD).await.expect(303);
}

async fn login_ends_previous_session_of_browser(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let elsewhere = app.anonymous();
    elsewhere.log_in("ada@example.com", PASSWORD).await.expect(303);
    let before = ada.copy();
    ada.log_in("ada@example.com", PASSWORD).await.expect(303);
    ada.api_user().await.expect(200);
    before.api_user().await.expect(401);
    elsewhere.api_user().await.expect(200);
    assert_ne!(before.token("csrf"), ada.token("csrf"), "the CSRF token is replaced at login");
}

async fn login_page_redirects_with_fresh_token_when_logged_in(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    app.clock().advance(Duration::from_secs(11));
    for page in ["login", "signup"] {
        let path = format!("/auth/{page}?return_to=%2Fapp%3Fa%3Db");
        ada.get(&path).await.snapshot(&format!("{page}/already_logged_in"));
        app.clock().advance(Duration::from_secs(11));
    }
}

async fn refused_token_causes_no_redirect_loop(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    app.clock().advance(Duration::from_secs(11));
    ada.get("/auth/login?return_to=%2Fapp").await.expect(303);
    ada.get("/auth/login?return_to=%2Fapp").await.snapshot("login/sent_back_by_application");
    ada.api_user().await.expect(200);
    app.clock().advance(Duration::from_secs(11));
    ada.get("/auth/login?return_to=%2Fapp").await.expect(303);
}

async fn page_blames_application_only_if_it_sent_user_back(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    for (site, blames) in [
        (None, true),
        (Some("same-origin"), true),
        (Some("same-site"), true),
        (Some("cross-site"), false),
        (Some("none"), false),
        (Some("something new"), false),
    ] {
        let call = ada.get("/auth/login?return_to=%2Fapp");
        let call = if let Some(site) = site { call.header("sec-fetch-site", site) } else { call };
        // A redirect could go round in circles, however it began.
        call.await.snapshot(if blames { "login/sent_back_by_application" } else { "login/came_logged_in" });
    }
}

async fn logout_answers_forms_and_scripts(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let token = ada.token("csrf").unwrap();
    let before = ada.copy();
    let form = ada
        .form("/auth/sessions/logout", &[("csrf_token", &token), ("return_to", "/bye")])
        .header("accept", "text/html,application/xhtml+xml");
    let reply = form.await.snapshot("logout/form");
    assert_ne!(reply.cookie("svc_csrf").unwrap().value, token, "the CSRF token is replaced at logout");
    before.api_user().await.expect(401);
    before.refresh("app").await.expect_error(401, "unauthorized");

    let grace = app.sign_up("grace@example.com").await;
    let token = grace.token("csrf").unwrap();
    let script = grace.call(Method::POST, "/auth/sessions/logout").header("x-csrf-token", &token);
    script.header("accept", "*/*").await.snapshot("logout/script");
    grace.api_user().await.expect(401);
}

async fn logout_page_ends_nothing_but_its_button_does(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let csrf = ada.token("csrf").unwrap();
    for (name, target) in [("shown", "%2Fbye"), ("query", "/bye?x=1&y=2"), ("foreign", "https%3A%2F%2Fevil.example")] {
        let page = ada.get(&format!("/auth/logout?return_to={target}")).await.snapshot(&format!("logout/{name}"));
        assert!(page.text().contains(&csrf));
        ada.api_user().await.expect(200);
    }
    let form = ada.form("/auth/sessions/logout", &[("csrf_token", &csrf), ("return_to", "/bye")]);
    assert_eq!(form.header("accept", "text/html").await.expect(303).location(), "/bye");
    ada.api_user().await.expect(401);
    app.anonymous().get("/auth/logout").await.snapshot("logout/logged_out");
}

async fn logout_with_invalid_csrf_token_keeps_session(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let form = ada.form("/auth/sessions/logout", &[("csrf_token", "forged")]).header("accept", "text/html");
    let page = form.await.snapshot("logout/wrong_token");
    assert!(page.text().contains(&ada.token("csrf").unwrap()), "the page offers a working logout form");
    ada.call(Method::POST, "/auth/sessions/logout").await.snapshot("logout/no_token");
    ada.api_user().await.expect(200);
}

/// Gives every user a hash of [`PASSWORD`] with parameters that are not today's.
async fn make_hashes_outdated(app: &TestApp) {
    let old = Params { memory_kib: Params::CHEAPEST.memory_kib * 2, ..Params::CHEAPEST };
    let hash = PasswordHasher::new(old).unwrap().hash(PASSWORD).unwrap();
    app.database().execute(&format!("UPDATE users SET password_hash = '{hash}'")).await;
    assert_eq!(current_hashes(app).await, 0);
}

/// How many users have a hash with today's parameters.
async fn current_hashes(app: &TestApp) -> i64 {
    let memory = Params::CHEAPEST.memory_kib;
    app.database().count(&format!("SELECT count(*) FROM users WHERE password_hash LIKE '%m={memory},%'")).await
}

/// One keyboard has the letter, another composes it.
async fn password_is_right_in_either_encoding(engine: Engine) {
    let app = engine.app().await;
    for (number, [composed, decomposed]) in [
        ["l\u{e4}uchtt\u{fc}rme", "la\u{308}uchttu\u{308}rme"],
        ["contrase\u{f1}a-larga", "contrasen\u{303}a-larga"],
        ["No\u{eb}l au phare", "Noe\u{308}l au phare"],
    ]
    .into_iter()
    .enumerate()
    {
        for (order, [set, typed]) in [[composed, decomposed], [decomposed, composed]].into_iter().enumerate() {
            let email = format!("user{number}{order}@example.com");
            let browser = app.anonymous();
            browser.post_form("/auth/signup", &[("email", &email), ("password", set)]).await.expect(303);
            app.anonymous().log_in(&email, typed).await.expect(303);
            app.anonymous().log_in(&email, set).await.expect(303);
            app.anonymous().log_in(&email, &set.replace(|c: char| !c.is_ascii(), "")).await.expect(401);
            // It is no other password, either.
            let fields = [("current", typed), ("password", set)];
            browser.post_form("/auth/account/password", &fields).await.expect(422);
        }
    }
}

async fn logins_at_once_upgrade_outdated_hash_and_all_succeed(engine: Engine) {
    const LOGINS: u64 = 3;
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    app.sign_up("ada@example.com").await;
    make_hashes_outdated(&app).await;
    let users = app.database().hold_table("users").await;
    let before = app.app.passwords.verifications();
    let mut logins = JoinSet::new();
    for _ in 0..LOGINS {
        let browser = app.anonymous();
        logins.spawn(async move { browser.log_in("ada@example.com", PASSWORD).await.status });
    }
    let all_verified = async || (app.app.passwords.verifications() >= before + LOGINS).then_some(());
    eventually("each was verified against the old hash", all_verified).await;
    users.release().await;
    while let Some(status) = logins.join_next().await {
        assert_eq!(status.unwrap(), 303);
    }
    assert_eq!(current_hashes(&app).await, 1);
}

async fn outdated_password_hash_is_upgraded_at_login(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    make_hashes_outdated(&app).await;
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(303);
    assert_eq!(current_hashes(&app).await, 1);
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(303);
}

async fn old_password_is_refused_when_changed_during_login() {
    let app = Engine::Sqlite.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let mut writer = app.database().hold_writes().await;
    let verified = app.app.passwords.verifications();
    let browser = app.anonymous();
    browser.get("/auth/login").await.expect(200);
    let log_in = tokio::spawn(async move { browser.log_in("ada@example.com", PASSWORD).await.status });
    // The password was verified; the session waits for the write lock.
    eventually("checked", async || (app.app.passwords.verifications() > verified).then_some(())).await;
    sqlx::query("UPDATE users SET password_hash = NULL").execute(&mut *writer).await.unwrap();
    sqlx::query("COMMIT").execute(&mut *writer).await.unwrap();
    assert_eq!(log_in.await.unwrap(), 401);
    drop(ada);
}

async fn every_page_sets_csrf_cookie() {
    let app = Engine::Sqlite.prepare().await.set("SVC_SIGNUP", "closed").start().await;
    for path in ["/auth/signup", "/auth/login", "/auth/nowhere", "/elsewhere"] {
        let browser = app.anonymous();
        assert!(browser.get(path).await.cookie("svc_csrf").is_some(), "{path}");
        assert!(browser.get(path).await.cookie("svc_csrf").is_none(), "{path}: one is enough");
    }
    assert!(app.anonymous().call(Method::DELETE, "/auth/login").await.expect(405).cookie("svc_csrf").is_some());
    assert!(app.anonymous().api_user().await.expect(401).cookie("svc_csrf").is_some());
    assert!(app.anonymous().get("/auth/health").await.cookie("svc_csrf").is_none());
}

async fn matching_csrf_cookie_of_two_is_set_again() {
    let app = Engine::Sqlite.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let [refresh, csrf] = ["refresh", "csrf"].map(|suffix| ada.token(suffix).unwrap());
    let cookies = format!("svc_csrf={}; svc_csrf={csrf}; svc_refresh={refresh}", "B".repeat(43));
    let reply = ada.copy().refresh("app").header("cookie", &cookies).await.expect(200);
    assert_eq!(reply.cookie("svc_csrf").unwrap().value, csrf);
}

async fn stale_form_does_not_open_closed_sign_up() {
    let app = Engine::Sqlite.prepare().await.set("SVC_SIGNUP", "closed").start().await;
    app.anonymous().post_form("/auth/signup", &[("csrf_token", "stale")]).await.snapshot("signup/closed_stale");
}

async fn non_ascii_cookie_of_other_application_is_ignored() {
    let app = Engine::Sqlite.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let cookies = format!("name=J\u{fc}rgen; {}", ada.jar().header().unwrap());
    let request =
        format!("GET /auth/api/v1/user HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: {cookies}\r\n\r\n");
    let answer = raw_http(app.address(), request.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

async fn forged_refresh_tokens_do_not_exhaust_owners_limit() {
    let app = Engine::Sqlite.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let genuine = ada.token("refresh").unwrap();
    let forger = ada.copy();
    let imitation = format!("{}{}", &genuine[..genuine.len() - 8], "AAAAAAAA");
    for _ in 0..700 {
        forger.set_token("refresh", &imitation);
        forger.refresh("app").await.expect(401);
    }
    ada.refresh("app").await.expect(200);
}

async fn too_many_attempts_return_429_with_retry_after() {
    let app = Engine::Sqlite.app().await;
    app.clock().hold();
    app.sign_up("ada@example.com").await;
    let browser = app.anonymous();
    for _ in 0..10 {
        browser.log_in("ada@example.com", "not the password at all").await.expect(401);
    }
    let reply = browser.log_in("ada@example.com", PASSWORD).await.snapshot("login/too_many_attempts");
    let wait: u64 = reply.header("retry-after").unwrap().parse().unwrap();
    assert_eq!(wait, 15);
    app.clock().advance(Duration::from_secs(wait));
    browser.log_in("ada@example.com", PASSWORD).await.expect(303);
}

async fn closed_sign_up_returns_403() {
    for mode in ["closed", "invite"] {
        let app = Engine::Sqlite.prepare().await.set("SVC_SIGNUP", mode).start().await;
        let browser = app.anonymous();
        browser.get("/auth/signup").await.snapshot(&format!("signup/{mode}"));
        browser.get("/auth/login").await.expect(200);
        browser.sign_up("ada@example.com").await.snapshot(&format!("signup/{mode}_sent"));
        assert_eq!(app.database().count("SELECT count(*) FROM users").await, 0);
    }
}

async fn cors_allows_only_configured_origins() {
    let friend = "https://app.example.com";
    let app = Engine::Sqlite.prepare().await.set("SVC_ALLOWED_ORIGINS", friend).start().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.api_user().header("origin", friend).await.snapshot("cors/allowed_origin");
    ada.api_user().header("origin", "https://evil.example").await.snapshot("cors/foreign_origin");
    for path in ["api/v1/user", "api/v1/sessions/refresh", "sessions/refresh", "sessions/logout"] {
        let (name, path) = (path.replace('/', "_"), format!("/auth/{path}"));
        let path = path.as_str();
        let ask = app.anonymous().call(Method::OPTIONS, path).header("origin", friend);
        ask.header("access-control-request-method", "POST").await.snapshot(&format!("cors/preflight_of_{name}"));
        let ask = app.anonymous().call(Method::OPTIONS, path).header("origin", "https://evil.example").await;
        assert_eq!(ask.header("access-control-allow-origin"), None, "{path}");
    }
    let target = app.anonymous();
    target.get(&format!("/auth/login?return_to={friend}/cb")).await.snapshot("login/to_allowed_origin");
}

async fn responses_carry_security_headers() {
    let secure = Engine::Sqlite.prepare().await.set("SVC_BASE_URL", "https://id.example.com").start().await;
    for path in ["/auth/login", "/auth/api/v1/user", "/auth/nowhere", "/auth/.well-known/jwks.json", "/auth/health"] {
        let name = path.trim_start_matches("/auth/").replace(['/', '.'], "_");
        secure.anonymous().get(path).await.snapshot(&format!("https/{name}"));
    }
}

async fn small_paths_lead_to_pages() {
    let app = Engine::Sqlite.app().await;
    let visitor = app.anonymous();
    visitor.get("/robots.txt").await.snapshot("probes/robots");
    let led = visitor.get("/.well-known/change-password").await.snapshot("probes/change_password");
    visitor.get(led.location()).await.expect(303);
    for (path, target) in [
        ("/auth/login/?return_to=%2Fa%2F", "/auth/login?return_to=%2Fa%2F"),
        ("/auth/signup//", "/auth/signup"),
        ("/auth/password/forgot/", "/auth/password/forgot"),
    ] {
        assert_eq!(visitor.get(path).await.expect(308).location(), target);
        visitor.get(target).await.expect(200);
    }
    for path in ["/auth/gate/", "/auth/api/v1/user/", "/login/", "//evil.example/"] {
        visitor.get(path).await.expect(404);
    }
    visitor.call(Method::POST, "/auth/login/").await.expect(404);
    for path in ["/auth/login", "/auth/nowhere"] {
        assert!(visitor.get(path).await.text().contains("<meta name=\"robots\" content=\"noindex\">"), "{path}");
    }
}

async fn entry_page_redirects_by_login_state() {
    let app = Engine::Sqlite.app().await;
    let nobody = app.anonymous();
    for (name, path) in [("root", "/"), ("without_slash", "/auth"), ("logged_out", "/auth/")] {
        nobody.get(path).await.snapshot(&format!("home/{name}"));
    }
    nobody.get("/auth/login").await.snapshot("login/shown");
    nobody.get("/auth/signup").await.snapshot("signup/shown");
    let ada = app.sign_up("ada@example.com").await;
    ada.get("/auth/").await.snapshot("home/logged_in");
    ada.get("/auth/account").await.snapshot("account/shown");
    ada.get("/auth/account/security").await.snapshot("account/security");
}

async fn return_origin_is_a_target_and_nothing_else() {
    let wiki = "https://wiki.example.com";
    let app = Engine::Sqlite.prepare().await.set("SVC_RETURN_ORIGINS", wiki).start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.clock().advance(Duration::from_secs(11));
    let reply = ada.get(&format!("/auth/login?return_to={wiki}/page")).await.expect(303);
    assert_eq!(reply.location(), format!("{wiki}/page"));
    let page = app.anonymous().get("/auth/login").await.expect(200);
    assert!(
        page.header("content-security-policy").unwrap().ends_with(&format!("form-action 'self' {} {wiki}", app.url()))
    );
    let reply = ada.api_user().header("origin", wiki).await.expect(200);
    assert_eq!(reply.header("access-control-allow-origin"), None);
    let csrf = ada.token("csrf").unwrap();
    ada.form("/auth/sessions/logout", &[("csrf_token", &csrf)]).header("origin", wiki).await.expect(403);
    ada.api_user().await.expect(200);
}

async fn literal_return_to_keeps_its_query() {
    let app = Engine::Sqlite.app().await;
    app.sign_up("ada@example.com").await;
    let own = &app.variables()["SVC_BASE_URL"];
    for (query, target) in [
        ("return_to=/search?a=1&b=%20&return_to=/x".to_owned(), "/search?a=1&b=%20&return_to=/x".to_owned()),
        (format!("return_to={own}/x"), format!("{own}/x")),
        ("return_to=/a&b?=2".to_owned(), "/a".to_owned()),
    ] {
        let browser = app.anonymous();
        let page = browser.get(&format!("/auth/login?{query}")).await.expect(200).text();
        let shown = target.replace('&', "&#38;");
        assert!(page.contains(&format!("value=\"{shown}\"")), "{page}");
        let csrf = browser.token("csrf").unwrap();
        let fields = [
            ("csrf_token", csrf.as_str()),
            ("email", "ada@example.com"),
            ("password", PASSWORD),
            ("return_to", &target),
        ];
        assert_eq!(browser.form("/auth/login", &fields).await.expect(303).location(), target);
    }
}
