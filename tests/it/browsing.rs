//! A person with a real browser (contract 7), with JavaScript and without.

use crate::harness::{Browser, Engine, Look, TestApp};

browser![
    sign_up_account_logout_and_login_with_javascript,
    sign_up_account_logout_and_login_without_javascript,
    pages_look_as_they_should,
];

const PASSWORD: &str = "a lighthouse in the fog";

async fn sign_up_account_logout_and_login_with_javascript() {
    sign_up_log_out_and_log_in(Look::DESKTOP).await;
}

async fn sign_up_account_logout_and_login_without_javascript() {
    sign_up_log_out_and_log_in(Look::DESKTOP.without_javascript()).await;
}

async fn sign_up_log_out_and_log_in(look: Look) {
    let app = Engine::Sqlite.prepare().await.set("SVC_DEFAULT_RETURN_TO", "/auth/account").start().await;
    let browser = Browser::open(look).await;
    browser.go(&format!("{}/auth/signup", app.url())).await;
    browser.type_into("email", "ada@example.com").await;
    browser.type_into("username", "ada").await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Create account").await;
    browser.wait_for_url("/auth/account").await;
    let account = browser.text().await;
    assert!(account.contains("ada@example.com") && account.contains("ada"), "{account}");
    browser.press("Log out").await;
    browser.wait_for_url("/auth/login").await;
    // The application sends people here with the place where they were.
    browser.go(&format!("{}/auth/login?return_to=%2Fauth%2Fhealth%3Ffrom%3Dlogin", app.url())).await;
    browser.type_into("email", "ada").await;
    browser.type_into("password", "not the password").await;
    browser.press("Log in").await;
    let login = browser.text().await;
    assert!(login.contains("Log in") && !login.contains("not the password"), "{login}");
    browser.type_into("email", "ada@example.com").await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Log in").await;
    browser.wait_for_url("/auth/health?from=login").await;
    // Whoever is logged in is sent on at once.
    browser.go(&format!("{}/auth/", app.url())).await;
    browser.wait_for_url("/auth/account").await;
}

async fn pages_look_as_they_should() {
    let app = Engine::Sqlite.prepare().await.set("SVC_DEFAULT_RETURN_TO", "/auth/account").start().await;
    app.sign_up("ada@example.com").await;
    let looks = [("light", Look::DESKTOP), ("dark", Look::DESKTOP.dark()), ("phone", Look::PHONE)];
    for (name, look) in looks {
        let browser = Browser::open(look).await;
        look_at_each_page(&app, &browser, name).await;
    }
}

async fn look_at_each_page(app: &TestApp, browser: &Browser, name: &str) {
    browser.go(&format!("{}/auth/signup", app.url())).await;
    expect_no_sideways_scrolling(browser).await;
    browser.screenshot(&format!("signup-{name}")).await;
    browser.go(&format!("{}/auth/login", app.url())).await;
    browser.type_into("email", "ada@example.com").await;
    browser.type_into("password", "not the password").await;
    browser.press("Log in").await;
    expect_no_sideways_scrolling(browser).await;
    browser.screenshot(&format!("login-error-{name}")).await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Log in").await;
    browser.wait_for_url("/auth/account").await;
    expect_no_sideways_scrolling(browser).await;
    browser.screenshot(&format!("account-{name}")).await;
}

async fn expect_no_sideways_scrolling(browser: &Browser) {
    let script = "return [document.documentElement.scrollWidth, innerWidth]";
    let widths = browser.page.execute(script, vec![]).await.unwrap();
    assert!(widths[0].as_i64() <= widths[1].as_i64(), "the page is wider than the window: {widths}");
}
