//! Refresh tokens at `/auth/gate`: which are renewed, which are ignored, and which are theft (docs/reference/gate.md
//! 17).

use crate::gate::{APPLICATION, ask, page, script, start};
use crate::harness::{Client, Engine, Reply, TestApp, advance_tokio_clock, on_one_thread};
use std::time::Duration;

both_engines![
    each_process_sends_to_renewal_and_none_after_it,
    superseded_token_is_refused_by_other_processes_within_a_second,
];
one_engine![
    old_refresh_token_is_renewed_once_a_minute,
    browser_that_keeps_no_cookies_is_renewed_once,
    browser_that_keeps_its_cookies_is_renewed_once,
    superseded_token_is_ignored_here_and_theft_at_refresh,
    refresh_token_at_gate_shows_arrival,
];

const ROTATIONS: [&str; 3] = ["always", "1h", "never"];

async fn old_refresh_token_is_renewed_once_a_minute(engine: Engine) {
    for rotation in ROTATIONS {
        let app = start(engine, &[("SVC_REFRESH_ROTATION", rotation)]).await;
        let ada = app.sign_up("ada@example.com").await;
        page(ask(&ada, "")).await.expect(200);
        app.clock().advance(Duration::from_secs(3601));
        // Scripts and forms are never interrupted.
        script(ask(&ada, "")).await.expect(200);
        page(ask(&ada, "")).header("x-forwarded-method", "POST").await.expect(200);
        let mut redirects = 0;
        for _ in 0..20 {
            redirects += usize::from(page(ask(&ada, "")).await.status != 200);
        }
        assert_eq!(redirects, usize::from(rotation != "never"), "{rotation}");
        if rotation == "never" {
            continue;
        }
        app.clock().advance(Duration::from_mins(1));
        let reply = page(ask(&ada, "")).await.expect(302);
        let renew = reply.location().strip_prefix(&app.url()).unwrap().to_owned();
        assert!(renew.starts_with("/auth/sessions/renew?return_to="), "{renew}");
        let before = ada.token("refresh");
        let reply = ada.get(&renew).await.expect(303);
        assert_eq!(reply.location(), format!("{APPLICATION}/page?a=1&b=2"));
        assert!(reply.cookie("svc_access").is_some());
        assert_ne!(ada.token("refresh"), before);
        app.clock().advance(Duration::from_secs(61));
        page(ask(&ada, "")).await.expect(200);
        let nobody = app.anonymous().get(&renew).await.expect(303);
        assert!(nobody.location().starts_with("/auth/login?return_to="), "{}", nobody.location());
    }
}

/// Opens a page of the application and follows redirects on the way to it, each as the browser that `with` gives; how
/// many times it was sent to the renewal.
async fn open(app: &TestApp, with: impl Fn() -> Client) -> usize {
    let mut renewals = 0;
    loop {
        let reply = page(ask(&with(), "")).await;
        if reply.status == 200 {
            return renewals;
        }
        let renew = own_path(app, reply.expect(302).location()).to_owned();
        assert!(renew.starts_with("/auth/sessions/renew?"), "{renew}");
        let reply = with().get(&renew).await.expect(303);
        assert_eq!(reply.location(), format!("{APPLICATION}/page?a=1&b=2"), "neither the login nor a refusal");
        renewals += 1;
        assert!(renewals < 5, "it goes round in circles");
    }
}

fn own_path<'a>(app: &TestApp, location: &'a str) -> &'a str {
    location.strip_prefix(&app.url()).expect("a page of ours")
}

/// The cookies of each answer are lost: every page comes with the first refresh token, and no access token.
async fn browser_that_keeps_no_cookies_is_renewed_once(engine: Engine) {
    on_one_thread(async move || {
        for rotation in ROTATIONS {
            let app = start(engine, &[("SVC_REFRESH_ROTATION", rotation)]).await;
            let first = app.sign_up("ada@example.com").await;
            first.jar().remove("svc_access");
            app.clock().advance(Duration::from_secs(3601));
            let mut renewals = 0;
            for number in 0..20 {
                page(ask(&first, "")).header("x-forwarded-method", "POST").await.expect(200);
                script(ask(&first, "")).await.expect(200);
                renewals += open(&app, || first.copy()).await;
                // Half of the pages within a minute, the others one a minute.
                app.clock().advance(Duration::from_secs(if number < 10 { 5 } else { 60 }));
                // A session may be remembered as it was half a second ago.
                advance_tokio_clock(Duration::from_secs(1)).await;
            }
            assert_eq!(renewals, usize::from(rotation != "never"), "{rotation}");
            assert_eq!(app.database().count("SELECT count(*) FROM sessions WHERE ended_at IS NOT NULL").await, 0);
        }
    })
    .await;
}

async fn browser_that_keeps_its_cookies_is_renewed_once(engine: Engine) {
    for rotation in ROTATIONS {
        let app = start(engine, &[("SVC_REFRESH_ROTATION", rotation)]).await;
        let ada = app.sign_up("ada@example.com").await;
        for hour in 0..3 {
            let mut renewals = 0;
            for _ in 0..20 {
                renewals += open(&app, || ada.clone()).await;
                app.clock().advance(Duration::from_mins(2));
            }
            let expected = usize::from(rotation != "never" && hour > 0);
            assert_eq!(renewals, expected, "{rotation}, hour {hour}");
            app.clock().advance(Duration::from_mins(21));
        }
    }
}

/// What is known of a redirect is the process's own; that a token was replaced is known to all.
async fn each_process_sends_to_renewal_and_none_after_it(engine: Engine) {
    on_one_thread(async move || {
        let app = start(engine, &[]).await;
        let second = app.second_process().await;
        let ada = app.sign_up("ada@example.com").await;
        app.clock().advance(Duration::from_secs(3601));
        let old = ada.copy();
        let ask_both = async |browser: &Client| -> Vec<Reply> {
            [page(ask(browser, "")).await, page(ask(&browser.at(&second.url()), "")).await].into()
        };
        let mut replies = Vec::new();
        for _ in 0..20 {
            replies.extend(ask_both(&ada).await);
        }
        let redirects: Vec<&Reply> = replies.iter().filter(|reply| reply.status == 302).collect();
        assert_eq!(redirects.len(), 2, "each process sends once a minute at most");
        ada.get(own_path(&app, redirects[0].location())).await.expect(303);
        app.clock().advance(Duration::from_mins(1));
        advance_tokio_clock(Duration::from_secs(1)).await;
        for browser in [&old, &ada] {
            let replies = ask_both(browser).await;
            assert!(replies.iter().all(|reply| reply.status == 200), "{replies:?}");
        }
    })
    .await;
}

async fn superseded_token_is_ignored_here_and_theft_at_refresh(engine: Engine) {
    let app = start(engine, &[]).await;
    let ada = app.sign_up("ada@example.com").await;
    let thief = ada.copy();
    for _ in 0..2 {
        app.clock().advance(Duration::from_secs(61));
        ada.refresh("app").await.expect(200);
    }
    app.clock().advance(Duration::from_secs(61));
    let before = app.app.metrics.auth.gate_replaced_tokens.get();
    ask(&thief, "").await.expect(401);
    assert_eq!(app.app.metrics.auth.gate_replaced_tokens.get(), before + 1);
    ask(&ada, "").await.expect(200);
    assert_eq!(app.database().count("SELECT count(*) FROM sessions WHERE ended_at IS NOT NULL").await, 0);
    thief.refresh("app").await.expect(401);
    assert_eq!(app.database().count("SELECT count(*) FROM sessions WHERE end_reason = 'reuse'").await, 1);
    ask(&ada, "").await.expect(401);
}

/// Whatever another process has in memory of the session.
async fn superseded_token_is_refused_by_other_processes_within_a_second(engine: Engine) {
    on_one_thread(async move || {
        let app = start(engine, &[]).await;
        let second = app.second_process().await;
        let ada = app.sign_up("ada@example.com").await;
        let old = ada.at(&second.url());
        old.jar().remove("svc_access");
        for _ in 0..3 {
            ask(&old, "").await.expect(200);
        }
        let new = ada.copy();
        app.clock().advance(Duration::from_secs(61));
        new.refresh("app").await.expect(200);
        // Seen, so that no answer was lost; and past the grace, on both clocks.
        ask(&new, "").await.expect(200);
        app.app.last_use.write(&app.app.store).await.unwrap();
        for clock in [app.clock(), second.clock()] {
            clock.advance(Duration::from_secs(122));
        }
        advance_tokio_clock(Duration::from_secs(1)).await;
        ask(&old, "").await.expect(401);
        ask(&new.at(&second.url()), "").await.expect(200);
    })
    .await;
}

/// The parent of a token that was seen is theft once the grace is over, as if it had been used for a refresh.
async fn refresh_token_at_gate_shows_arrival(engine: Engine) {
    let app = start(engine, &[]).await;
    let ada = app.sign_up("ada@example.com").await;
    let parent = ada.copy();
    app.clock().advance(Duration::from_secs(61));
    ada.refresh("app").await.expect(200);
    ada.jar().remove("svc_access");
    parent.jar().remove("svc_access");
    ask(&parent, "").await.expect(200);
    ask(&ada, "").await.expect(200);
    app.clock().advance(Duration::from_secs(61));
    ask(&parent, "").await.expect(401);
    parent.refresh("app").await.expect(401);
    assert_eq!(app.database().count("SELECT count(*) FROM sessions WHERE end_reason = 'reuse'").await, 1);
}
