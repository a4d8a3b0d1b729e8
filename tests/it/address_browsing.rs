//! Email verification and password reset in a browser, with and without JavaScript.

use crate::harness::{Browser, Engine, Look, PASSWORD, TestApp, code_of, link_of, wrong_code};
use fantoccini::Locator;

browser![required_verification_completes_with_code, password_reset_works_without_javascript,];

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
    browser.press("Confirm").await;
    assert!(browser.text().await.contains("4 tries left"), "{}", browser.text().await);
    browser.type_into("code", &code).await;
    browser.press("Confirm").await;
    browser.wait_for_url("/auth/health").await;
    browser.go(&format!("{}/auth/account", app.url())).await;
    assert!(browser.text().await.contains("ada@example.com"));
}

async fn password_reset_works_without_javascript() {
    let app = Engine::Sqlite.app().await;
    app.sign_up("ada@example.com").await;
    let browser = Browser::open(Look::DESKTOP.without_javascript()).await;
    browser.go(&format!("{}/auth/login?return_to=%2Fauth%2Fhealth", app.url())).await;
    browser.press("Forgot your password?").await;
    browser.type_into("email", "ada@example.com").await;
    browser.press("Send the link").await;
    assert!(browser.text().await.contains("a link is on its way"), "{}", browser.text().await);
    let link = link_of(&app.mail_to("ada@example.com", "Set a new password").await);
    browser.go(&format!("{}{link}", app.url())).await;
    // Its address is unverified.
    browser.page.find(Locator::Css("#account-keep")).await.unwrap().click().await.unwrap();
    browser.type_into("password", NEW_PASSWORD).await;
    browser.press("Set password").await;
    assert!(browser.text().await.contains("Your new password is set"), "{}", browser.text().await);
    browser.type_into("email", "ada@example.com").await;
    browser.type_into("password", NEW_PASSWORD).await;
    browser.press("Log in").await;
    browser.wait_for_url("/auth/health").await;
}
