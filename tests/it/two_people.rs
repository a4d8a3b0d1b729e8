//! A host beside this one has planted a stranger's session in a person's browser, where it comes before her own.

use crate::harness::{Client, Engine, PASSWORD};
use crate::provider_logins::Stage;
use std::time::Duration;

one_engine![
    pages_refuse_sessions_of_two_people_until_both_are_ended,
    planted_access_token_beside_a_refresh_token_alone_is_refused,
    planted_refresh_token_replaces_nothing,
    copies_of_a_planted_token_hide_nobody,
    button_ends_the_session_of_a_cookie_for_one_path,
    form_of_another_browser_or_of_yesterday_ends_nothing,
    sessions_of_one_person_are_not_those_of_two,
];

/// The cookies of a browser in which a token of another one was planted.
fn planted(own: &Client, token: &str, stranger: &Client) -> String {
    format!("svc_{token}={}; {}", stranger.token(token).unwrap(), own.jar().header().unwrap())
}

async fn pages_refuse_sessions_of_two_people_until_both_are_ended(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    let (ann, mallory) = (stage.app.sign_up("ann@example.com").await, stage.app.sign_up("mallory@example.com").await);
    let (cookies, csrf) = (planted(&ann, "access", &mallory), ann.token("csrf").unwrap());
    for path in ["/auth/", "/auth/account", "/auth/organizations", "/auth/login", "/auth/login/with/dev"] {
        let page = ann.get(path).header("cookie", &cookies).await.expect(409).text();
        assert!(page.contains("logged in to two accounts") && !page.contains("@example.com"), "{path}: {page}");
    }
    let connect = ann.form("/auth/account/connections/dev", &[("csrf_token", &csrf)]);
    connect.header("cookie", &cookies).await.expect(409);
    assert_eq!(stage.app.database().count("SELECT COUNT(*) FROM foreign_logins").await, 0);
    ann.get("/auth/api/v2/session/organizations").header("cookie", &cookies).await.expect(401);
    let page = ann.get("/auth/account/connections").header("cookie", &cookies).await.expect(409);
    let (before, return_to) = (ann.copy(), page.hidden("return_to"));
    let fields = [("csrf_token", csrf.as_str()), ("return_to", return_to.as_str())];
    let log_out = ann.form("/auth/sessions/logout", &fields).header("cookie", &cookies).header("accept", "text/html");
    let login = "/auth/login?return_to=%2Fauth%2Faccount%2Fconnections";
    assert_eq!(log_out.await.expect(303).location(), login);
    for client in [ann, before, mallory] {
        client.get("/auth/account").await.expect(303);
    }
}

async fn planted_access_token_beside_a_refresh_token_alone_is_refused(engine: Engine) {
    let app = engine.app().await;
    let (ann, mallory) = (app.sign_up("ann@example.com").await, app.sign_up("mallory@example.com").await);
    ann.jar().remove("svc_access");
    let cookies = planted(&ann, "access", &mallory);
    for path in ["/auth/account/connections", "/auth/organizations"] {
        ann.get(path).header("cookie", &cookies).await.expect(409);
    }
    // Without the planted one she is herself again.
    assert!(ann.get("/auth/account").await.expect(200).text().contains("ann@example.com"));
}

async fn planted_refresh_token_replaces_nothing(engine: Engine) {
    let app = engine.app().await;
    let (ann, mallory) = (app.sign_up("ann@example.com").await, app.sign_up("mallory@example.com").await);
    // Of a later generation than hers, it would be taken first.
    mallory.refresh("app").await.expect(200);
    let cookies = planted(&ann, "refresh", &mallory);
    let renewed =
        ann.get("/auth/sessions/renew?return_to=%2Fauth%2Faccount").header("cookie", &cookies).await.expect(409);
    let refreshed = ann.refresh("app").header("cookie", &cookies).await.expect(401);
    for reply in [renewed, refreshed] {
        let session = |name: &str| ["svc_access", "svc_refresh"].contains(&name);
        assert!(!reply.set_cookies().any(|cookie| session(&cookie.name)), "{reply}");
    }
    ann.refresh("app").await.expect(200);
    mallory.refresh("app").await.expect(200);
    assert_eq!(ann.api_user().await.expect(200).json()["email"], "ann@example.com");
}

async fn copies_of_a_planted_token_hide_nobody(engine: Engine) {
    let app = engine.app().await;
    let (ann, mallory) = (app.sign_up("ann@example.com").await, app.sign_up("mallory@example.com").await);
    for (token, copies) in [("refresh", 16), ("access", 4)] {
        let copy = format!("svc_{token}={}; ", mallory.token(token).unwrap());
        let own = format!("svc_{token}={}; svc_csrf={}", ann.token(token).unwrap(), ann.token("csrf").unwrap());
        let cookies = copy.repeat(copies) + &own;
        ann.get("/auth/account").header("cookie", &cookies).await.expect(409);
    }
    let copy = format!("svc_refresh={}; ", mallory.token("refresh").unwrap());
    let cookies = copy.repeat(16) + &ann.jar().header().unwrap();
    let renew = ann.get("/auth/sessions/renew?return_to=%2Fauth%2Faccount").header("cookie", &cookies);
    renew.await.expect(409);
    ann.refresh("app").header("cookie", &cookies).await.expect(401);
}

/// The browser sends it to that page, and not to where the page's form goes.
async fn button_ends_the_session_of_a_cookie_for_one_path(engine: Engine) {
    let app = engine.app().await;
    for token in ["refresh", "access"] {
        let ann = app.sign_up(&format!("ann-{token}@example.com")).await;
        let mallory = app.sign_up(&format!("mallory-{token}@example.com")).await;
        let page = ann.get("/auth/account").header("cookie", &planted(&ann, token, &mallory)).await.expect(409);
        let (csrf, sessions) = (ann.token("csrf").unwrap(), page.hidden("sessions"));
        let fields = [("csrf_token", csrf.as_str()), ("sessions", sessions.as_str())];
        ann.form("/auth/sessions/logout", &fields).header("accept", "text/html").await.expect(303);
        mallory.get("/auth/account").await.expect(303);
        ann.log_in(&format!("ann-{token}@example.com"), PASSWORD).await.expect(303);
        let page = ann.get("/auth/account").header("cookie", &planted(&ann, token, &mallory)).await.expect(200);
        assert!(page.text().contains("ann-") && !page.text().contains("mallory-"), "{page}");
    }
}

async fn form_of_another_browser_or_of_yesterday_ends_nothing(engine: Engine) {
    let app = engine.app().await;
    let (ann, mallory) = (app.sign_up("ann@example.com").await, app.sign_up("mallory@example.com").await);
    let page = ann.get("/auth/account").header("cookie", &planted(&ann, "refresh", &mallory)).await.expect(409);
    let sessions = page.hidden("sessions");
    let log_out = async |client: &Client, sessions: &str| {
        let csrf = client.token("csrf").unwrap();
        let fields = [("csrf_token", csrf.as_str()), ("sessions", sessions)];
        client.form("/auth/sessions/logout", &fields).await.expect(204);
    };
    let stranger = app.anonymous();
    stranger.get("/auth/login").await.expect(200);
    log_out(&stranger, &sessions).await;
    let without_sessions = app.anonymous();
    without_sessions.get("/auth/login").await.expect(200);
    without_sessions.set_token("csrf", &ann.token("csrf").unwrap());
    for wrong in ["", "AAAA", &sessions[1..]] {
        log_out(&without_sessions, wrong).await;
        without_sessions.set_token("csrf", &ann.token("csrf").unwrap());
    }
    app.clock().advance(Duration::from_mins(15));
    log_out(&without_sessions, &sessions).await;
    for client in [&ann, &mallory] {
        client.refresh("app").await.expect(200);
    }
}

async fn sessions_of_one_person_are_not_those_of_two(engine: Engine) {
    let app = engine.app().await;
    let (ann, elsewhere) = (app.sign_up("ann@example.com").await, app.anonymous());
    elsewhere.log_in("ann@example.com", PASSWORD).await.expect(303);
    for token in ["access", "refresh"] {
        ann.get("/auth/account").header("cookie", &planted(&ann, token, &elsewhere)).await.expect(200);
    }
}
