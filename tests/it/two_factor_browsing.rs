//! Two-factor login in a browser: by keyboard alone, and without JavaScript.

use crate::harness::{Authenticator, Browser, Engine, Look, PASSWORD, TestApp, eventually};
use fantoccini::Locator;

browser![two_factor_login_works_by_keyboard_alone, two_factor_login_works_without_javascript,];

const TAB: &str = "\u{E004}";
const ENTER: &str = "\u{E007}";

async fn keys(browser: &Browser, text: &str) {
    browser.page.active_element().await.unwrap().send_keys(text).await.unwrap();
}

async fn sign_up(browser: &Browser, app: &TestApp) {
    browser.go(&format!("{}/auth/signup", app.url())).await;
    browser.type_into("email", "ada@example.com").await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Create account").await;
    browser.wait_for_url("/auth/account").await;
}

async fn set_up(browser: &Browser, app: &TestApp) -> Authenticator {
    browser.go(&format!("{}/auth/account/two-factor", app.url())).await;
    browser.press("Set up").await;
    let phone = Authenticator::from_page(&browser.page.source().await.unwrap());
    browser.type_into("code", &phone.code(app)).await;
    browser.press("Turn on").await;
    assert!(browser.text().await.contains("Save these codes"), "{}", browser.text().await);
    phone
}

async fn two_factor_login_works_by_keyboard_alone() {
    let app = Engine::Sqlite.app().await;
    let browser = Browser::open(Look::DESKTOP).await;
    sign_up(&browser, &app).await;
    let phone = set_up(&browser, &app).await;
    browser.log_out().await;
    browser.go(&format!("{}/auth/login?return_to=%2Fauth%2Fhealth", app.url())).await;
    keys(&browser, &format!("ada{TAB}")).await;
    keys(&browser, &format!("{PASSWORD}{ENTER}")).await;
    browser.wait_for_url("/auth/login/second-factor?return_to=%2Fauth%2Fhealth").await;
    keys(&browser, &format!("{}{ENTER}", phone.wrong_code(&app))).await;
    let refused = async || browser.text().await.contains("Wrong code").then_some(());
    eventually("the code is refused", refused).await;
    // The focus is on the code field; the checkbox for this device follows. Once that is checked, the sixth digit submits.
    keys(&browser, &format!("{TAB} ")).await;
    browser.page.find(Locator::Id("code")).await.unwrap().send_keys(&phone.next_code(&app)).await.unwrap();
    browser.wait_for_url("/auth/health").await;
    assert_eq!(app.database().count("SELECT count(*) FROM remembered_devices").await, 1);
}

async fn two_factor_login_works_without_javascript() {
    let app = Engine::Sqlite.app().await;
    let browser = Browser::open(Look::DESKTOP.without_javascript()).await;
    sign_up(&browser, &app).await;
    let phone = set_up(&browser, &app).await;
    browser.press("I’ve saved these codes").await;
    browser.log_out().await;
    browser.type_into("email", "ada").await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Log in").await;
    browser.press("Use a recovery code").await;
    browser.press("Use your authenticator app").await;
    browser.type_into("code", &phone.next_code(&app)).await;
    browser.press("Log in").await;
    browser.wait_for_url("/auth/account").await;
}
