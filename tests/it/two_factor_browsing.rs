//! Two-factor log-in as a person sees it: by keyboard alone, without JavaScript, in light and dark, on a phone.

use crate::harness::{Authenticator, Axe, Browser, Engine, Look, PASSWORD, TestApp, eventually};

browser![
    the_keyboard_is_enough,
    two_factor_log_in_works_without_javascript,
    the_pages_of_two_factors_look_as_they_should,
    the_pages_of_two_factors_break_no_rule_of_accessibility,
];

const TAB: &str = "\u{E004}";
const ENTER: &str = "\u{E007}";

/// Types where the focus is.
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
    assert!(browser.text().await.contains("Keep these codes"), "{}", browser.text().await);
    phone
}

async fn the_keyboard_is_enough() {
    let app = Engine::Sqlite.app().await;
    let browser = Browser::open(Look::DESKTOP).await;
    sign_up(&browser, &app).await;
    let phone = set_up(&browser, &app).await;
    browser.press("Log out").await;
    browser.go(&format!("{}/auth/login?return_to=%2Fauth%2Fhealth", app.url())).await;
    keys(&browser, &format!("ada{TAB}")).await;
    keys(&browser, &format!("{PASSWORD}{ENTER}")).await;
    browser.wait_for_url("/auth/login/second-factor?return_to=%2Fauth%2Fhealth").await;
    keys(&browser, &format!("{}{ENTER}", phone.wrong_code(&app))).await;
    let told = async || browser.text().await.contains("This code is not right").then_some(());
    eventually("the reason", told).await;
    // The focus is where to go on; the next field is the one for this device, then comes the button.
    keys(&browser, &format!("{}{TAB}", phone.next_code(&app))).await;
    keys(&browser, &format!(" {TAB}")).await;
    keys(&browser, ENTER).await;
    browser.wait_for_url("/auth/health").await;
    assert_eq!(app.database().count("SELECT count(*) FROM remembered_devices").await, 1);
}

async fn two_factor_log_in_works_without_javascript() {
    let app = Engine::Sqlite.app().await;
    let browser = Browser::open(Look::DESKTOP.without_javascript()).await;
    sign_up(&browser, &app).await;
    let phone = set_up(&browser, &app).await;
    browser.press("I have kept them").await;
    browser.press("Log out").await;
    browser.type_into("email", "ada").await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Log in").await;
    browser.press("Use a recovery code").await;
    browser.press("Use the app").await;
    browser.type_into("code", &phone.next_code(&app)).await;
    browser.press("Log in").await;
    browser.wait_for_url("/auth/account").await;
}

async fn fits(browser: &Browser) {
    let script = "return [document.documentElement.scrollWidth, innerWidth]";
    let widths = browser.page.execute(script, vec![]).await.unwrap();
    assert!(widths[0].as_i64() <= widths[1].as_i64(), "the page is wider than the window: {widths}");
}

async fn the_pages_of_two_factors_look_as_they_should() {
    for (name, look) in [("light", Look::DESKTOP), ("dark", Look::DESKTOP.dark()), ("phone", Look::PHONE)] {
        let app = Engine::Sqlite.app().await;
        let browser = Browser::open(look).await;
        sign_up(&browser, &app).await;
        let seen = async |page: &str| {
            fits(&browser).await;
            browser.screenshot(&format!("{page}-{name}")).await;
        };
        browser.go(&format!("{}/auth/account/two-factor", app.url())).await;
        seen("two-factor-off").await;
        browser.press("Set up").await;
        seen("two-factor-setup").await;
        let phone = Authenticator::from_page(&browser.page.source().await.unwrap());
        browser.type_into("code", "000000").await;
        browser.press("Turn on").await;
        seen("two-factor-wrong").await;
        browser.type_into("code", &phone.next_code(&app)).await;
        browser.press("Turn on").await;
        seen("recovery-codes-new").await;
        browser.press("I have kept them").await;
        seen("two-factor-on").await;
        browser.press("Make new codes…").await;
        seen("recovery-codes").await;
        browser.go(&format!("{}/auth/account/two-factor/remove", app.url())).await;
        seen("two-factor-remove").await;
        browser.go(&format!("{}/auth/account/passkeys", app.url())).await;
        seen("passkeys-impossible").await;
        app.database().execute("DELETE FROM sessions").await;
        browser.page.delete_all_cookies().await.unwrap();
        browser.go(&format!("{}/auth/login", app.url())).await;
        browser.type_into("email", "ada").await;
        browser.type_into("password", PASSWORD).await;
        browser.press("Log in").await;
        seen("second-factor").await;
        browser.type_into("code", "000000").await;
        browser.press("Log in").await;
        seen("second-factor-wrong").await;
        browser.press("Use a recovery code").await;
        seen("second-factor-recovery").await;
    }
}

async fn the_pages_of_two_factors_break_no_rule_of_accessibility() {
    let Some(axe) = Axe::find() else { return };
    let builder = Engine::Sqlite.prepare().await;
    let port = builder.variables()["SVC_LISTEN"].rsplit(':').next().unwrap().to_owned();
    let url = format!("http://localhost:{port}");
    let app = builder.set("SVC_BASE_URL", url.as_str()).start().await;
    let browser = Browser::open(Look::DESKTOP).await;
    let go = async |path: &str| browser.go(&format!("{url}{path}")).await;
    go("/auth/signup").await;
    browser.send_unchecked("form", &[("email", "ada@example.com"), ("password", PASSWORD)]).await;
    go("/auth/account/security").await;
    axe.check(&browser, "security").await;
    go("/auth/account/two-factor").await;
    axe.check(&browser, "two-factor-off").await;
    browser.press("Set up").await;
    axe.check(&browser, "two-factor-setup").await;
    let phone = Authenticator::from_page(&browser.page.source().await.unwrap());
    browser.send_unchecked("main form", &[("code", "000000")]).await;
    axe.check(&browser, "two-factor-wrong").await;
    browser.send_unchecked("main form", &[("code", &phone.next_code(&app))]).await;
    axe.check(&browser, "recovery-codes-new").await;
    for (path, name) in [
        ("/auth/account/two-factor", "two-factor-on"),
        ("/auth/account/two-factor/remove", "two-factor-remove"),
        ("/auth/account/recovery-codes", "recovery-codes"),
        ("/auth/account/passkeys", "passkeys"),
        ("/auth/account/passkeys/new", "passkey-new"),
    ] {
        go(path).await;
        axe.check(&browser, name).await;
    }
    browser.page.delete_all_cookies().await.unwrap();
    go("/auth/login").await;
    axe.check(&browser, "log-in-with-passkey").await;
    browser.send_unchecked("form", &[("email", "ada"), ("password", PASSWORD)]).await;
    axe.check(&browser, "second-factor").await;
    browser.send_unchecked("form", &[("code", "000000")]).await;
    axe.check(&browser, "second-factor-wrong").await;
    go("/auth/login/second-factor?with=recovery-code").await;
    axe.check(&browser, "second-factor-recovery").await;
}
