//! Optional verification of the email address (docs/reference/browser.md 10.4, docs/concepts/decisions/0005).

use crate::harness::{Client, Engine, TestApp, code_of, link_of, wrong_code};
use std::time::Duration;

one_engine![
    link_in_signup_browser_verifies_address,
    code_with_spaces_verifies_address,
    link_in_other_browser_requires_password,
    link_and_code_of_other_account_are_refused,
    newer_email_invalidates_earlier_one,
    links_and_codes_expire,
    code_allows_five_attempts,
    fifty_wrong_codes_disable_codes_but_not_link,
    first_verification_ends_other_sessions,
    account_page_reminds_until_verification,
];
single_run![
    verification_off_sends_no_email,
    form_with_invalid_csrf_token_verifies_nothing,
    verification_emails_are_rate_limited
];

const PASSWORD: &str = "a lighthouse in the fog";
const VERIFIED: &str = "SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL";
const SUBJECT: &str = "Verify your email address";

async fn is_verified(app: &TestApp) -> bool {
    app.database().count(VERIFIED).await == 1
}

async fn type_code(client: &Client, code: &str) -> crate::harness::Reply {
    client.post_form("/auth/email/verify", &[("code", code)]).await
}

async fn link_in_signup_browser_verifies_address(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.anonymous();
    let fields = [("email", "ada@example.com"), ("password", PASSWORD), ("return_to", "/app?a=b")];
    ada.post_form("/auth/signup", &fields).await.snapshot("signup/done");
    let link = link_of(&app.mail_to("ada@example.com", SUBJECT).await);
    // Mail scanners follow links; GET changes nothing.
    for _ in 0..3 {
        app.anonymous().get(&link).await.snapshot("verify/link_in_other_browser");
        ada.get(&link).await.snapshot("verify/link_in_signup_browser");
    }
    assert!(!is_verified(&app).await);
    ada.post_form(&link, &[]).await.snapshot("verify/done_by_link");
    assert!(is_verified(&app).await);
    ada.api_user().await.expect(200);
    ada.post_form(&link, &[]).await.snapshot("verify/link_used");
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(303);
}

async fn code_with_spaces_verifies_address(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let mail = app.mail_to("ada@example.com", SUBJECT).await;
    let code = code_of(&mail);
    let (left, right) = code.split_at(3);
    ada.get("/auth/email/verify").await.snapshot("verify/shown");
    type_code(&ada, &format!(" {left} {right} ")).await.snapshot("verify/done_by_code");
    assert!(is_verified(&app).await);
    // Code and link of one email are used up together.
    ada.post_form(&link_of(&mail), &[("password", PASSWORD)]).await.expect(404);
    ada.get("/auth/email/verify").await.snapshot("verify/nothing_left");
}

async fn link_in_other_browser_requires_password(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let link = link_of(&app.mail_to("ada@example.com", SUBJECT).await);
    let phone = app.anonymous();
    phone.get(&link).await.expect(200);
    for wrong in ["", "not the password at all"] {
        phone.post_form(&link, &[("password", wrong)]).await.snapshot("verify/link_wrong_password");
    }
    assert!(!is_verified(&app).await);
    let next = phone.post_form(&link, &[("password", PASSWORD)]).await.snapshot("verify/done_by_link_and_password");
    phone.get(next.location()).await.snapshot("login/address_verified");
    assert!(is_verified(&app).await);
    // Verification with the password opens no session, and the first one ends the other sessions.
    phone.api_user().await.expect(401);
    ada.api_user().await.expect(401);
    phone.log_in("ada@example.com", PASSWORD).await.expect(303);
}

async fn link_and_code_of_other_account_are_refused(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    app.sign_up("ada@example.com").await;
    let link = link_of(&app.mail_to("ada@example.com", SUBJECT).await);
    let eve = app.sign_up("eve@example.com").await;
    assert!(eve.get(&link).await.expect(200).text().contains("type=\"password\""));
    eve.post_form(&link, &[]).await.expect(422);
    let code = code_of(&app.mail_to("ada@example.com", SUBJECT).await);
    type_code(&eve, &code).await.expect(422);
    assert_eq!(app.database().count(VERIFIED).await, 0);
}

async fn newer_email_invalidates_earlier_one(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let old = app.mail_to("ada@example.com", SUBJECT).await;
    let early = ada.post_form("/auth/email/verify/resend", &[]).await.snapshot("verify/resend_too_early");
    let wait: u64 = early.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    app.clock().advance(Duration::from_secs(wait));
    let sent = ada.post_form("/auth/email/verify/resend", &[]).await.snapshot("verify/resent");
    ada.get(sent.location()).await.snapshot("verify/resent_shown");
    let new = app.mail_to("ada@example.com", SUBJECT).await;
    assert_ne!(link_of(&old), link_of(&new));
    ada.get(&link_of(&old)).await.expect(404);
    ada.post_form(&link_of(&old), &[]).await.expect(404);
    if code_of(&old) != code_of(&new) {
        // More often than wrong ones are taken.
        for _ in 0..7 {
            let page = type_code(&ada, &code_of(&old)).await.expect(422).text();
            assert!(page.contains("A newer email has another code."), "{page}");
        }
    }
    type_code(&ada, &code_of(&new)).await.expect(303);
    assert!(is_verified(&app).await);
}

async fn links_and_codes_expire(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let mail = app.mail_to("ada@example.com", SUBJECT).await;
    app.clock().advance(Duration::from_secs(10 * 60 + 1));
    type_code(&ada, &code_of(&mail)).await.snapshot("verify/code_expired");
    ada.get(&link_of(&mail)).await.expect(200);
    app.clock().advance(Duration::from_hours(24));
    ada.get(&link_of(&mail)).await.snapshot("verify/link_expired");
    ada.post_form(&link_of(&mail), &[]).await.snapshot("verify/link_expired_sent");
    assert!(!is_verified(&app).await);
    // Without a valid code the page only offers another email.
    ada.get("/auth/email/verify").await.snapshot("verify/shown_without_code");
    ada.post_form("/auth/email/verify/resend", &[]).await.expect(303);
    let mail = app.mail_to("ada@example.com", SUBJECT).await;
    ada.post_form(&link_of(&mail), &[]).await.expect(303);
    assert!(is_verified(&app).await);
}

async fn code_allows_five_attempts(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let mail = app.mail_to("ada@example.com", SUBJECT).await;
    let (right, wrong) = (code_of(&mail), wrong_code(&code_of(&mail)));
    for left in [4, 3, 2] {
        type_code(&ada, &wrong).await.snapshot(&format!("verify/wrong_code_{left}_left"));
    }
    type_code(&ada, "").await.snapshot("verify/wrong_code_1_left");
    type_code(&ada, &wrong).await.snapshot("verify/last_wrong_code");
    type_code(&ada, &right).await.snapshot("verify/code_void");
    assert!(!is_verified(&app).await);
    ada.post_form(&link_of(&mail), &[]).await.expect(303);
    assert!(is_verified(&app).await);
}

async fn fifty_wrong_codes_disable_codes_but_not_link(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    for _ in 0..10 {
        let code = wrong_code(&code_of(&app.mail_to("ada@example.com", SUBJECT).await));
        for _ in 0..5 {
            type_code(&ada, &code).await.expect(422);
        }
        app.clock().advance(Duration::from_mins(10));
        ada.post_form("/auth/email/verify/resend", &[]).await.expect(303);
    }
    let mail = app.mail_to("ada@example.com", SUBJECT).await;
    assert!(type_code(&ada, &code_of(&mail)).await.expect(422).text().contains("no longer works"));
    ada.post_form(&link_of(&mail), &[]).await.expect(303);
    assert!(is_verified(&app).await);
}

async fn first_verification_ends_other_sessions(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let other = app.anonymous();
    other.log_in("ada@example.com", PASSWORD).await.expect(303);
    let mail = app.mail_to("ada@example.com", SUBJECT).await;
    ada.post_form(&link_of(&mail), &[]).await.expect(303);
    ada.api_user().await.expect(200);
    other.api_user().await.expect(401);
    other.refresh("app").await.expect(401);
    let ended = "SELECT count(*) FROM sessions WHERE end_reason = 'address_proved'";
    assert_eq!(app.database().count(ended).await, 1);
}

async fn account_page_reminds_until_verification(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let reminds = async || ada.get("/auth/account").await.expect(200).text().contains("/auth/email/verify/resend");
    assert!(reminds().await);
    ada.post_form(&link_of(&app.mail_to("ada@example.com", SUBJECT).await), &[]).await.expect(303);
    assert!(!reminds().await);
}

async fn verification_off_sends_no_email() {
    let app = Engine::Sqlite.prepare().await.set("SVC_EMAIL_VERIFICATION", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    assert_eq!(app.database().count("SELECT count(*) FROM mails").await, 0);
    assert!(!ada.get("/auth/account").await.text().contains("/auth/email/verify"));
}

async fn form_with_invalid_csrf_token_verifies_nothing() {
    let app = Engine::Sqlite.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let mail = app.mail_to("ada@example.com", SUBJECT).await;
    let (link, code) = (link_of(&mail), code_of(&mail));
    let forged = [("csrf_token", "forged"), ("code", code.as_str())];
    for path in [link.as_str(), "/auth/email/verify", "/auth/email/verify/resend"] {
        ada.form(path, &forged).await.expect(403);
        let token = ada.token("csrf").unwrap();
        let elsewhere =
            ada.form(path, &[("csrf_token", &token), ("code", &code)]).header("sec-fetch-site", "cross-site");
        elsewhere.await.expect(403);
    }
    assert!(!is_verified(&app).await);
    assert_eq!(app.mails_to("ada@example.com").await.len(), 1);
}

async fn verification_emails_are_rate_limited() {
    let app = Engine::Sqlite.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let mut sent = 0;
    for _ in 0..20 {
        app.clock().advance(Duration::from_secs(61));
        let reply = ada.post_form("/auth/email/verify/resend", &[]).await;
        sent += u32::from(reply.status == 303);
        assert!(reply.status == 303 || reply.header("retry-after").is_some(), "{}", reply.status);
    }
    assert!((6..=9).contains(&sent), "{sent}");
}
