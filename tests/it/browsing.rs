//! Signup, login and teams in a real browser, with JavaScript and without.

use crate::harness::{Browser, Engine, Look};
use serde_json::json;

browser![
    sign_up_account_logout_and_login_with_javascript,
    sign_up_account_logout_and_login_without_javascript,
    fragment_of_the_address_asked_for_survives_login_and_signup,
    code_waits_for_the_choice_beside_it,
    letters_of_a_password_are_counted_as_the_server_counts_them,
    times_are_those_of_the_readers_zone_and_country,
    team_lifecycle_with_javascript,
    team_lifecycle_without_javascript,
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
    browser.log_out().await;
    browser.wait_for_url("/auth/login").await;
    // The application redirects here with the current page as `return_to`.
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
    // A logged-in user is redirected at once.
    browser.go(&format!("{}/auth/", app.url())).await;
    browser.wait_for_url("/auth/account").await;
}

/// Single-page applications have their deep links behind `#`, which reaches no server.
async fn fragment_of_the_address_asked_for_survives_login_and_signup() {
    let app = Engine::Sqlite.app().await;
    let browser = Browser::open(Look::DESKTOP).await;
    let asked = format!("{}/auth/login?return_to=%2Fauth%2Fhealth%3Fa%3D1%2Bb#row-42/%C3%A4", app.url());
    let arrived = "/auth/health?a=1+b#row-42/%C3%A4";
    browser.go(&asked).await;
    browser.press("Sign up").await;
    browser.type_into("email", "ada@example.com").await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Create account").await;
    browser.wait_for_url(arrived).await;
    let ada = app.anonymous();
    ada.log_in("ada@example.com", PASSWORD).await.expect(303);
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    // By way of a wrong password, another language and the second factor.
    browser.page.delete_all_cookies().await.unwrap();
    browser.go(&asked).await;
    browser.press("Deutsch").await;
    for password in ["not the password", PASSWORD] {
        browser.type_into("email", "ada@example.com").await;
        browser.type_into("password", password).await;
        browser.press("Anmelden").await;
    }
    browser.type_into("code", &phone.next_code(&app)).await;
    browser.press("Anmelden").await;
    browser.wait_for_url(arrived).await;
    // A place in a page of ours is not the application's.
    browser.go(&format!("{}/auth/account/name#main", app.url())).await;
    assert!(!browser.page.source().await.unwrap().contains("%23main"));
}

/// Who types first, or has a manager of passwords fill it in, still gets to trust the device.
async fn code_waits_for_the_choice_beside_it() {
    let app = Engine::Sqlite.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    let browser = Browser::open(Look::DESKTOP).await;
    browser.go(&format!("{}/auth/login?return_to=%2Fauth%2Fhealth", app.url())).await;
    browser.type_into("email", "ada@example.com").await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Log in").await;
    browser.type_into("code", &phone.next_code(&app)).await;
    let sent =
        browser.page.execute("return document.querySelector('form[action$=second-factor]').ariaBusy", vec![]).await;
    assert_eq!(sent.unwrap(), json!(null), "nothing was sent");
    browser.page.find(fantoccini::Locator::Css("[name=remember]")).await.unwrap().click().await.unwrap();
    browser.press("Log in").await;
    browser.wait_for_url("/auth/health").await;
    assert_eq!(app.database().count("SELECT count(*) FROM remembered_devices").await, 1);
}

/// The times of a page, as text and as title, in the zone of New York.
async fn times_as_read(browser: &Browser, url: &str, languages: &str) -> Vec<(String, String)> {
    let agent = json!({ "userAgent": "a browser", "acceptLanguage": languages });
    browser.devtools("Emulation.setUserAgentOverride", agent).await;
    browser.devtools("Emulation.setTimezoneOverride", json!({ "timezoneId": "America/New_York" })).await;
    browser.go(url).await;
    let script = "return [...document.querySelectorAll('time')].map((time) => [time.textContent, time.title])";
    let times = browser.page.execute(script, vec![]).await.unwrap();
    serde_json::from_value(times).unwrap()
}

/// Decomposed letters, as some keyboards type them: each is two characters, of which the server makes one.
async fn letters_of_a_password_are_counted_as_the_server_counts_them() {
    let app = Engine::Sqlite.app().await;
    let browser = Browser::open(Look::DESKTOP).await;
    browser.go(&format!("{}/auth/signup", app.url())).await;
    browser.type_into("password", &"e\u{301}".repeat(7)).await;
    browser.wait_for_text("One more character").await;
}

async fn times_are_those_of_the_readers_zone_and_country() {
    let app = Engine::Sqlite.prepare().await.set("SVC_DEFAULT_RETURN_TO", "/auth/account").start().await;
    let browser = Browser::open(Look::DESKTOP).await;
    browser.go(&format!("{}/auth/signup", app.url())).await;
    browser.type_into("email", "ada@example.com").await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Create account").await;
    browser.wait_for_url("/auth/account").await;
    // 21 November 2025, 01:47 UTC, which is the day before in New York.
    let at = 1_763_689_620_000_000_i64;
    app.database().execute(&format!("UPDATE users SET created_at = {at}")).await;
    app.database().execute(&format!("UPDATE sessions SET created_at = {at}")).await;
    let (account, sessions) = (format!("{}/auth/account", app.url()), format!("{}/auth/account/sessions", app.url()));
    for (languages, day, zone, now) in [
        ("en-US", "November 20, 2025", " EST", "just now"),
        ("en-GB", "20 November 2025", " GMT-5", "just now"),
        ("de-AT", "20. November 2025", " GMT-5", "gerade eben"),
    ] {
        let days = times_as_read(&browser, &account, languages).await;
        assert_eq!(days[0].0, day, "{languages}: {days:?}");
        let moments = times_as_read(&browser, &sessions, languages).await;
        let (text, title) = &moments[0];
        assert!(title.ends_with(zone), "{languages}: {moments:?}");
        // The time itself is there for screen readers, too.
        assert_eq!(*text, format!("{now} ({title})"), "{languages}: {moments:?}");
        assert_eq!(moments[1].0, day, "{languages}: {moments:?}");
    }
}

async fn team_lifecycle_without_javascript() {
    team_lifecycle(Look::DESKTOP.without_javascript()).await;
}

async fn team_lifecycle_with_javascript() {
    team_lifecycle(Look::DESKTOP).await;
}

/// Creates a team, invites, accepts by signing up in a second browser, changes the role, leaves and deletes.
async fn team_lifecycle(look: Look) {
    let app = Engine::Sqlite.prepare().await.set("SVC_DEFAULT_RETURN_TO", "/auth/account").start().await;
    let ada = Browser::open(look).await;
    sign_up(&ada, &format!("{}/auth/signup", app.url()), Some("ada@example.com")).await;
    ada.press("Organizations").await;
    ada.press("Create an organization").await;
    ada.type_into("name", "Crew").await;
    ada.press("Create organization").await;
    let team = ada.page.current_url().await.unwrap().to_string();
    assert!(ada.text().await.contains("Crew was created. You’re working in it now."), "{}", ada.text().await);
    ada.press("Invite").await;
    ada.type_into("email", "bob@example.com").await;
    ada.press("Invite").await;
    let shown = ada.page.find(fantoccini::Locator::Id("link")).await.unwrap();
    let link = shown.prop("value").await.unwrap().unwrap();
    let bob = Browser::open(look).await;
    bob.go(&link).await;
    bob.press("Create an account").await;
    sign_up(&bob, bob.page.current_url().await.unwrap().as_str(), None).await;
    bob.go(&team).await;
    assert!(bob.text().await.contains("bob@example.com"));
    ada.go(&team).await;
    ada.press("bob@example.com").await;
    ada.page.find(fantoccini::Locator::Css("option[value=admin]")).await.unwrap().click().await.unwrap();
    ada.press("Change role").await;
    ada.wait_for_url(&format!("{team}?done=role")).await;
    bob.go(&team).await;
    assert!(bob.text().await.contains("You’re an admin"), "{}", bob.text().await);
    bob.press("Settings").await;
    bob.press("Leave organization").await;
    bob.press("Leave").await;
    bob.wait_for_url("/auth/organizations?done=left").await;
    assert!(!bob.text().await.contains("Crew"));
    ada.press("Settings").await;
    ada.press("Delete organization").await;
    ada.type_into("name", "Crew").await;
    ada.press("Delete organization").await;
    ada.wait_for_url("/auth/organizations?done=deleted").await;
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
