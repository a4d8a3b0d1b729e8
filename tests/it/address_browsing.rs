//! Email verification and password reset in a browser, with and without JavaScript.

use crate::harness::{Browser, Engine, Look, PASSWORD, TestApp, code_of, link_of, wrong_code};
use fantoccini::Locator;

browser![
    required_verification_completes_with_code,
    password_reset_works_without_javascript,
    no_way_round_the_question_whose_account_it_is,
];

const NEW_PASSWORD: &str = "a second lighthouse in the fog";

async fn sign_up(browser: &Browser, app: &TestApp, email: &str, query: &str) {
    browser.go(&format!("{}/auth/signup{query}", app.url())).await;
    browser.type_into("email", email).await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Create account").await;
}

async fn required_verification_completes_with_code() {
    let app = Engine::Sqlite.prepare().await.set("SVC_EMAIL_VERIFICATION", "required").start().await;
    let browser = Browser::open(Look::DESKTOP).await;
    sign_up(&browser, &app, "ada@example.com", "?return_to=%2Fauth%2Fhealth").await;
    browser.wait_for_url("/auth/email/verify").await;
    let code = code_of(&app.mail_to("ada@example.com", "Finish").await);
    browser.type_into("code", &wrong_code(&code)).await;
    // The sixth digit submits a code.
    browser.wait_for_text("4 attempts left").await;
    browser.type_into("code", &format!("{} {}", &code[..3], &code[3..])).await;
    browser.wait_for_url("/auth/health").await;
    browser.go(&format!("{}/auth/account", app.url())).await;
    assert!(browser.text().await.contains("ada@example.com"));
}

async fn password_reset_works_without_javascript() {
    let app = Engine::Sqlite.app().await;
    app.sign_up("ada@example.com").await;
    let browser = Browser::open(Look::DESKTOP.without_javascript()).await;
    browser.go(&format!("{}/auth/login?return_to=%2Fauth%2Fhealth", app.url())).await;
    browser.press("Forgot password?").await;
    browser.type_into("email", "ada@example.com").await;
    browser.press("Send link").await;
    assert!(
        browser.text().await.contains("ada@example.com has an account, we sent it a link"),
        "{}",
        browser.text().await
    );
    let link = link_of(&app.mail_to("ada@example.com", "Reset your password").await);
    browser.go(&format!("{}{link}", app.url())).await;
    // Its address is unverified.
    browser.page.find(Locator::Css("#account-keep")).await.unwrap().click().await.unwrap();
    browser.type_into("password", NEW_PASSWORD).await;
    browser.press("Set password").await;
    // The link has shown whose mailbox it is.
    browser.wait_for_url("/auth/health").await;
}

/// Two people, or one person in two browsers, sign up with one address. Every path of pages leads to the question, and
/// no answer deletes the first account.
async fn no_way_round_the_question_whose_account_it_is() {
    for (answer, users) in [("keep", 1), ("anew", 2)] {
        let app = Engine::Sqlite.prepare().await.set("SVC_EMAIL_VERIFICATION", "optional").start().await;
        let first = app.sign_up("ada@example.com").await;
        let id = first.api_user().await.expect(200).json()["id"].as_str().unwrap().replace('-', "");
        let kept = format!("SELECT count(*) FROM users WHERE lower(hex(id)) = '{id}'");
        let browser = Browser::open(Look::DESKTOP).await;
        sign_up(&browser, &app, "ada@example.com", "?return_to=%2Fauth%2Fhealth").await;
        browser.wait_for_url("/auth/email/verify").await;
        let mail = app.mail_to("ada@example.com", "Finish").await;
        // By the code, then by the link: both ask, with nothing preselected.
        browser.type_into("code", &code_of(&mail)).await;
        browser.wait_for_text("Is this account yours?").await;
        let link = format!("{}{}", app.url(), link_of(&mail));
        browser.go(&link).await;
        browser.press("Verify my email").await;
        browser.wait_for_text("Is this account yours?").await;
        let chosen = "return document.querySelectorAll('[name=account]:checked').length";
        assert_eq!(browser.page.execute(chosen, vec![]).await.unwrap(), 0);
        // Without an answer, back and forth, and by signing up again.
        browser.send_unchecked("form", &[]).await;
        browser.wait_for_text("Choose one of the two answers").await;
        browser.page.back().await.unwrap();
        browser.go(&link).await;
        assert_eq!((app.database().count(&kept).await, first.api_user().await.status), (1, 200));
        browser.press("Verify my email").await;
        browser.page.find(Locator::Id(&format!("account-{answer}"))).await.unwrap().click().await.unwrap();
        browser.press("Continue").await;
        browser.wait_for_url("/auth/health").await;
        assert_eq!(app.database().count(&kept).await, 1, "{answer}: the account is kept");
        assert_eq!(app.database().count("SELECT count(*) FROM users").await, users, "{answer}");
        // The first browser stays logged in exactly where the account is not the second person's.
        assert_eq!(first.api_user().await.status, if answer == "keep" { 401 } else { 200 });
    }
}
