//! A signup that its browser sends once more, as the first answer got lost: on a train, in a proxy, by a reload.

use crate::harness::{Client, Engine, PASSWORD, Reply, TestApp, code_of, link_of};
use crate::invitations::invite;
use crate::organizations::create_team;

both_engines![another_password_is_no_repetition, same_signup_twice_at_once_makes_one_account];
one_engine![
    lost_answer_leaves_one_account_and_one_email,
    lost_answer_of_pending_signup_leaves_one_code,
    another_browser_is_no_repetition,
    invitation_is_accepted_once,
];

const OTHER: &str = "another lighthouse in the fog";
const USERS: &str = "SELECT count(*) FROM users";
const SIGNUPS: &str = "SELECT count(*) FROM account_tokens WHERE kind = 'sign_up'";

async fn start(engine: Engine, verification: &str) -> (TestApp, Client) {
    let app = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", verification).start().await;
    let browser = app.anonymous();
    browser.get("/auth/signup").await.expect(200);
    (app, browser)
}

async fn sign_up(browser: &Client, password: &str) -> Reply {
    let fields = [("email", "ada@example.com"), ("password", password), ("return_to", "/app")];
    browser.post_form("/auth/signup", &fields).await
}

/// Signs up, and the browser never sees the answer.
async fn lose_answer(browser: &Client) -> Reply {
    sign_up(&browser.copy(), PASSWORD).await.expect(303)
}

async fn mails(app: &TestApp) -> usize {
    app.mails_to("ada@example.com").await.len()
}

async fn lost_answer_leaves_one_account_and_one_email(engine: Engine) {
    for (verification, emails) in [("off", 0), ("optional", 1)] {
        let (app, browser) = start(engine, verification).await;
        lose_answer(&browser).await;
        assert_eq!(sign_up(&browser, PASSWORD).await.expect(303).location(), "/app");
        assert_eq!(browser.api_user().await.expect(200).json()["username"], "ada");
        assert_eq!((app.database().count(USERS).await, app.database().count(SIGNUPS).await), (1, 0));
        assert_eq!(mails(&app).await, emails);
        let logins = "SELECT count(*) FROM audit WHERE kind = 'signed_in'";
        assert_eq!(app.database().count(logins).await, 1, "it counts as a login");
    }
}

async fn lost_answer_of_pending_signup_leaves_one_code(engine: Engine) {
    let (app, browser) = start(engine, "required").await;
    lose_answer(&browser).await;
    for _ in 0..2 {
        assert_eq!(sign_up(&browser, PASSWORD).await.expect(303).location(), "/auth/email/verify");
    }
    assert_eq!((mails(&app).await, app.database().count(SIGNUPS).await), (1, 1));
    let code = code_of(&app.mail_to("ada@example.com", "").await);
    assert_eq!(browser.post_form("/auth/email/verify", &[("code", &code)]).await.expect(303).location(), "/app");
    assert_eq!(browser.api_user().await.expect(200).json()["username"], "ada");
}

async fn another_password_is_no_repetition(engine: Engine) {
    // The account is asked about, as in any other browser.
    let (app, browser) = start(engine, "optional").await;
    lose_answer(&browser).await;
    assert_eq!(sign_up(&browser, OTHER).await.expect(303).location(), "/auth/email/verify");
    assert!(browser.token("access").is_none());
    assert_eq!((app.database().count(USERS).await, app.database().count(SIGNUPS).await), (1, 1));
    // The signup that waits is the last one.
    let (app, browser) = start(engine, "required").await;
    lose_answer(&browser).await;
    let old = code_of(&app.mail_to("ada@example.com", "").await);
    for _ in 0..2 {
        sign_up(&browser, OTHER).await.expect(303);
    }
    assert_eq!((mails(&app).await, app.database().count(SIGNUPS).await), (2, 1));
    let new = code_of(&app.mail_to("ada@example.com", "").await);
    if old != new {
        browser.post_form("/auth/email/verify", &[("code", &old)]).await.expect(422);
    }
    browser.post_form("/auth/email/verify", &[("code", &new)]).await.expect(303);
    app.anonymous().log_in("ada", PASSWORD).await.expect(401);
    app.anonymous().log_in("ada", OTHER).await.expect(303);
}

/// Who only knows the password may have prepared the account.
async fn another_browser_is_no_repetition(engine: Engine) {
    let (app, browser) = start(engine, "optional").await;
    lose_answer(&browser).await;
    let stranger = app.anonymous();
    assert_eq!(sign_up(&stranger, PASSWORD).await.expect(303).location(), "/auth/email/verify");
    assert!(stranger.token("access").is_none());
    let (app, browser) = start(engine, "required").await;
    lose_answer(&browser).await;
    sign_up(&app.anonymous(), PASSWORD).await.expect(303);
    assert_eq!((mails(&app).await, app.database().count(SIGNUPS).await), (2, 2));
    // Nor is one after a logout, which gives the browser another token.
    let (app, browser) = start(engine, "off").await;
    sign_up(&browser, PASSWORD).await.expect(303);
    browser.log_out().await.expect(204);
    sign_up(&browser, PASSWORD).await.expect(422);
    assert_eq!(app.database().count(USERS).await, 1);
}

/// The first answer uses the invitation up.
async fn invitation_is_accepted_once(engine: Engine) {
    let app = engine.app().await;
    let grace = app.sign_up("grace@example.com").await;
    let team = create_team(&grace, "Crew").await;
    let link = invite(&grace, &team, "ada@example.com", "member").await;
    let (browser, token) = (app.anonymous(), link.rsplit('/').next().unwrap());
    browser.get(&format!("/auth/signup?invitation={token}")).await.expect(200);
    let fields = |password| [("email", "ada@example.com"), ("password", password), ("invitation", token)];
    browser.copy().post_form("/auth/signup", &fields(PASSWORD)).await.expect(303);
    browser.post_form("/auth/signup", &fields(OTHER)).await.expect(403);
    browser.post_form("/auth/signup", &fields(PASSWORD)).await.expect(303);
    browser.get(&team).await.expect(200);
    app.anonymous().post_form("/auth/signup", &fields(PASSWORD)).await.expect(403);
    assert_eq!(app.database().count(USERS).await, 2);
}

async fn same_signup_twice_at_once_makes_one_account(engine: Engine) {
    for (verification, emails) in [("off", 0), ("optional", 1), ("required", 1)] {
        let (app, browser) = start(engine, verification).await;
        let (one, other) = (browser.copy(), browser.copy());
        let (first, second) = tokio::join!(sign_up(&one, PASSWORD), sign_up(&other, PASSWORD));
        assert_eq!(first.expect(303).location(), second.expect(303).location(), "{verification}");
        assert_eq!(mails(&app).await, emails, "{verification}");
        let accounts = i64::from(verification != "required");
        assert_eq!(app.database().count(USERS).await, accounts, "{verification}");
        assert_eq!(app.database().count(SIGNUPS).await, 1 - accounts, "{verification}");
        if emails > 0 {
            let link = link_of(&app.mail_to("ada@example.com", "").await);
            other.get(&link).await.expect(200);
        }
    }
}
