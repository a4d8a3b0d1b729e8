//! Forged refresh tokens cost one statement at most, however many a request has, and hide neither a valid token nor
//! theft (docs/reference/browser.md 3).

use crate::harness::{Call, Client, Engine, TestApp};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use std::time::Duration;

one_engine![
    sixteen_forged_tokens_cost_one_statement,
    valid_token_among_forged_ones_is_accepted,
    older_token_among_forged_ones_is_theft,
    error_page_still_names_its_viewer,
    nothing_is_done_while_tokens_are_left_out,
];

/// Tokens of the right form under the service's own secret key, each of another session and of a high generation, so
/// that they are looked at first.
fn forged(real: &str, count: u8) -> Vec<String> {
    let real = BASE64_URL_SAFE_NO_PAD.decode(real.strip_prefix("r1.").unwrap()).unwrap();
    let forge = |number| {
        let mut token = real.clone();
        // After the id of the key, session and generation.
        token[4..20].fill(number);
        token[20..28].copy_from_slice(&1_000_000_i64.to_be_bytes());
        format!("r1.{}", BASE64_URL_SAFE_NO_PAD.encode(token))
    };
    (1..=count).map(forge).collect()
}

/// The request with these refresh tokens, and with no other cookie but the CSRF token's.
fn with_tokens(call: Call, client: &Client, tokens: &[String]) -> Call {
    let csrf = client.token("csrf").map(|token| format!("svc_csrf={token}"));
    let cookies = tokens.iter().map(|token| format!("svc_refresh={token}")).chain(csrf);
    call.header("cookie", &cookies.collect::<Vec<_>>().join("; "))
}

/// The requests that look at refresh tokens, and the path of each.
fn requests(client: &Client) -> Vec<(&'static str, Call)> {
    let csrf = client.token("csrf").unwrap();
    let csrf_field = [("csrf_token", csrf.as_str())];
    let delete = client.call(reqwest::Method::DELETE, "/auth/api/v2/session").header("x-csrf-token", &csrf);
    let login = [("email", "ada"), ("password", "not the password"), csrf_field[0]];
    vec![
        ("gate", client.get("/auth/gate")),
        ("session of the API", client.get("/auth/api/v2/session?refresh=look")),
        ("refresh", client.refresh("app")),
        ("account", client.get("/auth/account")),
        ("login page", client.get("/auth/login")),
        ("login", client.form("/auth/login", &login)),
        ("end of the session", delete),
        ("logout", client.form("/auth/sessions/logout", &csrf_field)),
    ]
}

async fn statements(app: &TestApp, call: Call) -> u64 {
    let before = app.app.store.statements();
    call.await;
    app.app.store.statements() - before
}

async fn sixteen_forged_tokens_cost_one_statement(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").without_background().start().await;
    let forged = forged(&app.sign_up("ada@example.com").await.token("refresh").unwrap(), 16);
    let visitor = app.anonymous();
    visitor.get("/auth/login").await.expect(200);
    for number in 0..requests(&visitor).len() {
        let request = || requests(&visitor).swap_remove(number);
        let (name, call) = request();
        let without = statements(&app, with_tokens(call, &visitor, &[])).await;
        let with = statements(&app, with_tokens(request().1, &visitor, &forged)).await;
        assert!(with <= without + 1, "{name}: {without} without tokens, {with} with them");
        visitor.get("/auth/login").await.expect(200);
    }
    let missing = with_tokens(visitor.get("/auth/nowhere").header("accept", "text/html"), &visitor, &forged);
    assert_eq!(statements(&app, missing).await, 0, "an error page");
}

async fn valid_token_among_forged_ones_is_accepted(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    // One process has the session in memory, the other one has never seen it.
    for process in [&app, &app.second_process().await] {
        let ada = ada.at(&process.url());
        app.clock().advance(Duration::from_secs(31));
        let tokens = [forged(&ada.token("refresh").unwrap(), 15), vec![ada.token("refresh").unwrap()]].concat();
        with_tokens(ada.get("/auth/gate"), &ada, &tokens).await.expect(200);
        let reply = with_tokens(ada.refresh("app"), &ada, &tokens).await.expect(200);
        assert!(reply.cookie("svc_refresh").is_some(), "it is replaced");
    }
}

async fn older_token_among_forged_ones_is_theft(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let second = app.second_process().await;
    for (number, process) in [&app, &second, &app, &second].into_iter().enumerate() {
        let ada = app.sign_up(&format!("ada{number}@example.com")).await;
        let stolen = ada.token("refresh").unwrap();
        for _ in 0..2 {
            ada.refresh("app").await.expect(200);
            app.clock().advance(Duration::from_secs(31));
        }
        let thief = app.anonymous().at(&process.url());
        thief.get("/auth/login").await.expect(200);
        let tokens = [forged(&stolen, 15), vec![stolen]].concat();
        if number < 2 {
            with_tokens(thief.refresh("app"), &thief, &tokens).await.expect(401);
        } else {
            let csrf = thief.token("csrf").unwrap();
            let logout = thief.form("/auth/sessions/logout", &[("csrf_token", &csrf)]);
            with_tokens(logout, &thief, &tokens).await.expect(204);
        }
        let ended = app.database().count("SELECT count(*) FROM sessions WHERE end_reason = 'reuse'").await;
        assert_eq!(ended, i64::try_from(number).unwrap() + 1);
        ada.refresh("app").await.expect(401);
    }
}

/// What was not looked at may be another person's.
async fn nothing_is_done_while_tokens_are_left_out(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let [access, refresh, csrf] = ["access", "refresh", "csrf"].map(|name| ada.token(name).unwrap());
    let own = [("refresh", refresh.clone()), ("access", access.clone()), ("csrf", csrf)];
    let (message, signature) = access.rsplit_once('.').unwrap();
    let others = forged(&refresh, 16).into_iter().map(|token| ("refresh", token)).collect::<Vec<_>>();
    let signatures = (0..4).map(|number| ("access", format!("{message}.{number:03}{}", &signature[3..])));
    let signatures = signatures.collect::<Vec<_>>();
    let cookies = |before: &[(&str, String)], after: &[(&str, String)]| {
        let all = before.iter().chain(&own).chain(after);
        all.map(|(name, token)| format!("svc_{name}={token}")).collect::<Vec<_>>().join("; ")
    };
    let pages = ["/auth/account", "/auth/sessions/renew?return_to=%2Fauth%2Faccount"];
    let organizations = "/auth/api/v2/session/organizations";
    for left_out in [cookies(&others, &[]), cookies(&[], &others)] {
        for path in pages {
            let page = ada.get(path).header("cookie", &left_out).await.expect(409);
            assert_eq!(page.cookie("svc_refresh"), None, "{page}");
        }
        let refreshed = ada.refresh("app").header("cookie", &left_out).await.expect(401);
        assert_eq!(refreshed.cookie("svc_refresh"), None, "{refreshed}");
        ada.get(organizations).header("cookie", &left_out).await.expect(401);
    }
    for left_out in [cookies(&signatures, &[]), cookies(&[], &signatures)] {
        ada.get("/auth/account").header("cookie", &left_out).await.expect(409);
        ada.get(organizations).header("cookie", &left_out).await.expect(401);
    }
    // Copies leave nothing out.
    let copies = [vec![others[0].clone(); 20], vec![signatures[0].clone(); 20]].concat();
    for cookies in [cookies(&copies, &[]), cookies(&others[..15], &signatures[..3])] {
        ada.get("/auth/account").header("cookie", &cookies).await.expect(200);
        ada.get(organizations).header("cookie", &cookies).await.expect(200);
        ada.refresh("app").header("cookie", &cookies).await.expect(200);
    }
}

/// By the refresh token alone, from memory.
async fn error_page_still_names_its_viewer(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.api_user().await.expect(200);
    let token = [ada.token("refresh").unwrap()];
    let page = async || with_tokens(ada.get("/auth/nowhere"), &ada, &token).header("accept", "text/html").await;
    assert!(page().await.expect(404).text().contains("ada@example.com"));
    ada.log_out().await.expect(204);
    assert!(!page().await.expect(404).text().contains("ada@example.com"));
}
