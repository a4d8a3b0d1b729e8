//! A person with a real browser (contract 7), with JavaScript and without.

use crate::harness::{Browser, Engine, Look, TestApp};
use std::time::Duration;

browser![
    sign_up_account_logout_and_login_with_javascript,
    sign_up_account_logout_and_login_without_javascript,
    pages_look_as_they_should,
    a_team_with_javascript,
    a_team_without_javascript,
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
        look_at_the_account(&app, &browser, name).await;
        look_at_organizations(&app, &browser, name).await;
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

async fn a_team_without_javascript() {
    team_story(Look::DESKTOP.without_javascript()).await;
}

async fn a_team_with_javascript() {
    team_story(Look::DESKTOP).await;
}

/// Create, invite, accept by sign-up in a second browser, change the role, leave, delete.
async fn team_story(look: Look) {
    let app = Engine::Sqlite.prepare().await.set("SVC_DEFAULT_RETURN_TO", "/auth/account").start().await;
    let ada = Browser::open(look).await;
    sign_up(&ada, &format!("{}/auth/signup", app.url()), Some("ada@example.com")).await;
    ada.press("Organizations").await;
    ada.type_into("name", "Crew").await;
    ada.press("Create team").await;
    let team = ada.page.current_url().await.unwrap().to_string();
    ada.type_into("email", "bob@example.com").await;
    ada.press("Invite").await;
    let shown = ada.page.find(fantoccini::Locator::Id("link")).await.unwrap();
    let link = shown.prop("value").await.unwrap().unwrap();
    let bob = Browser::open(look).await;
    bob.go(&link).await;
    bob.press("Create an account to accept").await;
    sign_up(&bob, bob.page.current_url().await.unwrap().as_str(), None).await;
    bob.go(&team).await;
    assert!(bob.text().await.contains("bob@example.com"));
    ada.go(&team).await;
    ada.page.find(fantoccini::Locator::Css("[aria-label='Change bob']")).await.unwrap().click().await.unwrap();
    ada.page.find(fantoccini::Locator::Css("option[value=admin]")).await.unwrap().click().await.unwrap();
    ada.press("Change role").await;
    ada.wait_for_url(&team).await;
    bob.go(&team).await;
    assert!(bob.text().await.contains("Your role: Admin"), "{}", bob.text().await);
    bob.press("Leave…").await;
    bob.press("Leave").await;
    bob.wait_for_url("/auth/organizations").await;
    assert!(!bob.text().await.contains("Crew"));
    ada.press("Delete…").await;
    ada.type_into("name", "Crew").await;
    ada.press("Delete organization").await;
    ada.wait_for_url("/auth/organizations").await;
    assert!(!ada.text().await.contains("Crew"));
}

async fn sign_up(browser: &Browser, page: &str, email: Option<&str>) {
    browser.go(page).await;
    if let Some(email) = email {
        browser.type_into("email", email).await;
    }
    browser.type_into("password", PASSWORD).await;
    browser.press("Create account").await;
    browser.wait_for_url("/auth/account").await;
}

/// The pages of the account, in their states.
async fn look_at_the_account(app: &TestApp, browser: &Browser, name: &str) {
    let elsewhere = app.anonymous();
    elsewhere.log_in("ada@example.com", "not the password").await.expect(401);
    elsewhere.log_in("ada@example.com", PASSWORD).await.expect(303);
    for page in ["security", "sessions", "activity", "password", "username", "export"] {
        browser.go(&format!("{}/auth/account/{page}", app.url())).await;
        expect_no_sideways_scrolling(browser).await;
        browser.screenshot(&format!("account-{page}-{name}")).await;
    }
    browser.go(&format!("{}/auth/account/username", app.url())).await;
    browser.type_into("username", "a b").await;
    browser.press("Change username").await;
    browser.screenshot(&format!("account-username-error-{name}")).await;
    browser.go(&format!("{}/auth/account/password", app.url())).await;
    browser.type_into("current", "not the password").await;
    browser.type_into("password", "a harbour in the morning").await;
    browser.press("Change password").await;
    browser.screenshot(&format!("account-password-error-{name}")).await;
    browser.type_into("current", PASSWORD).await;
    browser.type_into("password", "a harbour in the morning").await;
    browser.press("Change password").await;
    browser.wait_for_url("/auth/account/security?done=password").await;
    browser.screenshot(&format!("account-security-done-{name}")).await;
    browser.go(&format!("{}/auth/account/password", app.url())).await;
    browser.type_into("current", "a harbour in the morning").await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Change password").await;
    browser.go(&format!("{}/auth/account/sessions", app.url())).await;
    expect_no_sideways_scrolling(browser).await;
    app.clock().advance(Duration::from_mins(16));
    browser.go(&format!("{}/auth/account/export", app.url())).await;
    expect_no_sideways_scrolling(browser).await;
    browser.screenshot(&format!("account-confirm-{name}")).await;
    browser.type_into("password", "not the password").await;
    browser.press("Continue").await;
    browser.screenshot(&format!("account-confirm-error-{name}")).await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Continue").await;
    browser.wait_for_url("/auth/account/export").await;
}

/// The pages about organizations, after the others.
async fn look_at_organizations(app: &TestApp, browser: &Browser, name: &str) {
    browser.go(&format!("{}/auth/organizations", app.url())).await;
    browser.type_into("name", &format!("Crew of the {name} ship with a rather long name for such a page")).await;
    browser.screenshot(&format!("organizations-{name}")).await;
    browser.press("Create team").await;
    let team = browser.page.current_url().await.unwrap().to_string();
    browser.type_into("email", "grace.hopper@example.org").await;
    browser.press("Invite").await;
    expect_no_sideways_scrolling(browser).await;
    browser.screenshot(&format!("organization-{name}")).await;
    let shown = browser.page.find(fantoccini::Locator::Id("link")).await.unwrap();
    let link = shown.prop("value").await.unwrap().unwrap();
    browser.page.find(fantoccini::Locator::Css("[aria-label='Change ada']")).await.unwrap().click().await.unwrap();
    expect_no_sideways_scrolling(browser).await;
    browser.screenshot(&format!("member-{name}")).await;
    for (page, path) in [("delete", "/delete"), ("leave", "/leave")] {
        browser.go(&format!("{team}{path}")).await;
        expect_no_sideways_scrolling(browser).await;
        browser.screenshot(&format!("organization-{page}-{name}")).await;
    }
    browser.go(&format!("{team}?search=nobody")).await;
    expect_no_sideways_scrolling(browser).await;
    browser.go(&format!("{}/auth/account/delete", app.url())).await;
    browser.screenshot(&format!("account-delete-{name}")).await;
    browser.go(&link).await;
    browser.screenshot(&format!("invitation-other-{name}")).await;
    browser.press("Log out and continue").await;
    expect_no_sideways_scrolling(browser).await;
    browser.screenshot(&format!("invitation-{name}")).await;
}
