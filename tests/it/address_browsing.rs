//! Proof of an address, forgotten passwords and changes of address, as a person sees them: with and without JavaScript,
//! in light and dark, on a phone, and for everybody.

use crate::harness::{Axe, Browser, Engine, Look, PASSWORD, TestApp, code_of, link_of, wrong_code};
use fantoccini::Locator;
use std::time::Duration;

browser![
    an_address_is_proved_where_it_must_be,
    a_forgotten_password_is_set_anew_without_javascript,
    the_pages_of_addresses_look_as_they_should,
];

const NEW: &str = "a second lighthouse in the fog";

async fn fits(browser: &Browser) {
    let script = "return [document.documentElement.scrollWidth, innerWidth]";
    let widths = browser.page.execute(script, vec![]).await.unwrap();
    assert!(widths[0].as_i64() <= widths[1].as_i64(), "the page is wider than the window: {widths}");
}

async fn sign_up(browser: &Browser, app: &TestApp, email: &str, query: &str) {
    browser.go(&format!("{}/auth/signup{query}", app.url())).await;
    browser.type_into("email", email).await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Create account").await;
}

async fn an_address_is_proved_where_it_must_be() {
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

async fn a_forgotten_password_is_set_anew_without_javascript() {
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
    // Its address was never confirmed.
    browser.page.find(Locator::Css("#account-keep")).await.unwrap().click().await.unwrap();
    browser.type_into("password", NEW).await;
    browser.press("Set password").await;
    assert!(browser.text().await.contains("Your new password is set"), "{}", browser.text().await);
    browser.type_into("email", "ada@example.com").await;
    browser.type_into("password", NEW).await;
    browser.press("Log in").await;
    browser.wait_for_url("/auth/health").await;
}

async fn the_pages_of_addresses_look_as_they_should() {
    for (name, look) in [("light", Look::DESKTOP), ("dark", Look::DESKTOP.dark()), ("phone", Look::PHONE)] {
        let app = Engine::Sqlite.prepare().await.asking_for_proof().start().await;
        let browser = Browser::open(look).await;
        look_at_proofs(&app, &browser, name).await;
        look_at_changes(&app, &browser, name).await;
        look_at_resets(&app, &browser, name).await;
    }
}

/// Sees to it that a page fits, keeps its picture, and asks whether everybody can use it.
async fn see(browser: &Browser, page: &str, name: &str) {
    fits(browser).await;
    browser.screenshot(&format!("{page}-{name}")).await;
    if let Some(axe) = Axe::find().filter(|_| name == "light") {
        axe.check(browser, &format!("{page}-{name}")).await;
    }
}

async fn look_at_proofs(app: &TestApp, browser: &Browser, name: &str) {
    let go = async |path: &str| browser.go(&format!("{}{path}", app.url())).await;
    sign_up(browser, app, "grace.hopper@example.org", "").await;
    browser.wait_for_url("/auth/account").await;
    see(browser, "account-unproved", name).await;
    browser.press("Enter the code").await;
    see(browser, "verify", name).await;
    let mail = app.mail_to("grace.hopper@example.org", "Confirm").await;
    browser.type_into("code", &wrong_code(&code_of(&mail))).await;
    browser.press("Confirm").await;
    see(browser, "verify-wrong", name).await;
    app.clock().advance(Duration::from_secs(61));
    browser.press("Send another mail").await;
    see(browser, "verify-again", name).await;
    let mail = app.mail_to("grace.hopper@example.org", "Confirm").await;
    let elsewhere = app.anonymous().get(&link_of(&mail)).await.expect(200);
    assert!(elsewhere.text().contains("type=\"password\""));
    go(&link_of(&mail)).await;
    see(browser, "confirm-email", name).await;
    browser.press("Yes, this is my address").await;
    browser.wait_for_url("/auth/account").await;
    go(&link_of(&mail)).await;
    see(browser, "link-over", name).await;
}

async fn look_at_changes(app: &TestApp, browser: &Browser, name: &str) {
    let go = async |path: &str| browser.go(&format!("{}{path}", app.url())).await;
    go("/auth/account/email").await;
    see(browser, "account-email", name).await;
    browser.type_into("email", "GRACE.hopper@example.org").await;
    browser.press("Send the mail").await;
    see(browser, "account-email-wrong", name).await;
    browser.type_into("email", "rear.admiral.grace.brewster.murray.hopper@navy.example.org").await;
    browser.press("Send the mail").await;
    see(browser, "account-email-pending", name).await;
    let address = "rear.admiral.grace.brewster.murray.hopper@navy.example.org";
    browser.type_into("code", &code_of(&app.mail_to(address, "Confirm your new").await)).await;
    browser.press("Confirm").await;
    browser.wait_for_url("/auth/account/email?notice=changed").await;
    see(browser, "account-email-changed", name).await;
    go(&link_of(&app.mail_to("grace.hopper@example.org", "was changed").await)).await;
    see(browser, "undo", name).await;
    browser.press("Bring it back").await;
    see(browser, "reset", name).await;
    browser.type_into("password", "password1").await;
    browser.press("Set password").await;
    see(browser, "reset-wrong", name).await;
    browser.type_into("password", NEW).await;
    browser.press("Set password").await;
    see(browser, "login-password-set", name).await;
}

async fn look_at_resets(app: &TestApp, browser: &Browser, name: &str) {
    let go = async |path: &str| browser.go(&format!("{}{path}", app.url())).await;
    go("/auth/password/forgot").await;
    see(browser, "forgot", name).await;
    browser.type_into("email", "grace.hopper@example.org").await;
    browser.press("Send the link").await;
    see(browser, "reset-sent", name).await;
    go("/auth/password/reset/nothing").await;
    see(browser, "reset-over", name).await;
    app.sign_up("ada@example.com").await;
    app.anonymous().post_form("/auth/password/forgot", &[("email", "ada@example.com")]).await.expect(303);
    let link = link_of(&app.mail_to("ada@example.com", "Set a new password").await);
    go(&link).await;
    see(browser, "reset-unproved", name).await;
    browser.send_unchecked("main form", &[("password", NEW)]).await;
    see(browser, "reset-undecided", name).await;
    go(&link_of(&app.mail_to("ada@example.com", "Confirm").await)).await;
    see(browser, "confirm-email-elsewhere", name).await;
    go(&format!("/auth/language?to=de&return_to={}", link_of(&app.mail_to("ada@example.com", "Confirm").await))).await;
    see(browser, "confirm-email-german", name).await;
}
