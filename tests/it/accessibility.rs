//! The main tasks work with the keyboard alone. `gallery` checks the rules of WCAG 2.2 AA, forced colors and reduced
//! motion on every page.

use crate::harness::{Browser, ENTER, ESCAPE, Engine, Look, SPACE, TAB, TestApp};
use fantoccini::Locator;
use serde_json::json;

browser![
    keyboard_only_sign_up_and_invitation_acceptance,
    keyboard_only_team_creation_and_invitation,
    keyboard_only_login_with_second_factor,
    keyboard_only_passkey_creation_and_login,
    menu_opens_and_closes_by_keyboard_and_pointer,
    current_section_is_in_view_on_a_phone,
    printed_page_has_no_menu_and_no_navigation,
];

const PASSWORD: &str = "a lighthouse in the fog";

async fn app() -> TestApp {
    Engine::Sqlite.prepare().await.set("SVC_DEFAULT_RETURN_TO", "/auth/account").start().await
}

/// Fills in the signup form and sends it.
async fn sign_up(browser: &Browser, url: &str, email: &str) {
    browser.go(&format!("{url}/auth/signup")).await;
    browser.tab_to("email").await;
    browser.press_key(email).await;
    browser.tab_to("username").await;
    browser.press_key(email.split('@').next().unwrap()).await;
    browser.tab_to("password").await;
    browser.press_key(PASSWORD).await;
    browser.tab_to("Show password").await;
    browser.tab_to("Create account").await;
    browser.press_key(ENTER).await;
    browser.wait_for_url("/auth/account").await;
}

/// Creates a team of Ada's and returns the link of an invitation to it.
async fn invitation(app: &TestApp, email: &str) -> String {
    let ada = app.sign_up("ada@example.com").await;
    let team = crate::organizations::create_team(&ada, "Crew").await;
    let link = crate::invitations::invite(&ada, &team, email, "member").await;
    format!("{}{}", app.url(), &link[link.find("/auth/").unwrap()..])
}

async fn keyboard_only_sign_up_and_invitation_acceptance() {
    let app = app().await;
    let link = invitation(&app, "bob@example.com").await;
    let browser = Browser::open(Look::DESKTOP).await;
    sign_up(&browser, &app.url(), "bob@example.com").await;
    // The first tab stop skips the navigation.
    browser.tab_to("Skip to the content").await;
    browser.go(&link).await;
    browser.tab_to("Decline").await;
    browser.go(&link).await;
    browser.tab_to("Accept").await;
    browser.press_key(ENTER).await;
    browser.wait_for_text("You joined Crew.").await;
}

async fn keyboard_only_team_creation_and_invitation() {
    let app = app().await;
    let browser = Browser::open(Look::DESKTOP).await;
    sign_up(&browser, &app.url(), "ada@example.com").await;
    browser.tab_to("Organizations").await;
    browser.press_key(ENTER).await;
    browser.wait_for_url("/auth/organizations").await;
    browser.tab_to("Create an organization").await;
    browser.press_key(ENTER).await;
    browser.wait_for_url("/auth/organizations/new").await;
    browser.press_key(&format!("Crew{ENTER}")).await;
    browser.wait_for_text("You’re the only member so far.").await;
    browser.tab_to("Invite").await;
    browser.press_key(ENTER).await;
    browser.wait_for_text("Sent invitations").await;
    browser.tab_to("email").await;
    browser.press_key("bob@example.com").await;
    browser.tab_to("role").await;
    browser.press_key("a").await;
    browser.tab_to("Invite").await;
    browser.press_key(ENTER).await;
    browser.wait_for_text("bob@example.com").await;
    let role = app.database().texts("SELECT role FROM invitations").await;
    assert_eq!(role, ["admin"]);
}

async fn keyboard_only_login_with_second_factor() {
    let app = app().await;
    let (phone, _) = app.sign_up("ada@example.com").await.turn_on_two_factor(&app).await;
    // The code from the setup is used up.
    app.clock().advance(std::time::Duration::from_mins(1));
    let browser = Browser::open(Look::DESKTOP).await;
    browser.go(&format!("{}/auth/login", app.url())).await;
    browser.tab_to("email").await;
    browser.press_key("ada@example.com").await;
    browser.tab_to("password").await;
    browser.press_key(&format!("{PASSWORD}{ENTER}")).await;
    browser.wait_for_url("/auth/login/second-factor").await;
    browser.tab_to("remember").await;
    browser.press_key(SPACE).await;
    // The sixth digit submits the code.
    browser.tab_to("code").await;
    browser.press_key(&phone.code(&app)).await;
    browser.wait_for_url("/auth/account").await;
    assert_eq!(app.database().count("SELECT count(*) FROM remembered_devices").await, 1);
}

async fn keyboard_only_passkey_creation_and_login() {
    let (_app, url) = crate::passkeys::service().await;
    let browser = Browser::open(Look::DESKTOP).await;
    let device = crate::passkeys::add_authenticator(&browser).await;
    sign_up(&browser, &url, "ada@example.com").await;
    browser.go(&format!("{url}/auth/account/passkeys")).await;
    browser.tab_to("Add a passkey").await;
    browser.press_key(ENTER).await;
    browser.wait_for_url("/auth/account/passkeys?done=added").await;
    // The login page would offer the passkey before any key is pressed.
    crate::passkeys::set_user_presence(&browser, &device, false).await;
    browser.tab_to("Account menu, ada@example.com").await;
    browser.press_key(ENTER).await;
    browser.tab_to("Log out").await;
    browser.press_key(ENTER).await;
    browser.wait_for_url("/auth/login").await;
    browser.tab_to("email").await;
    browser.press_key("ada").await;
    browser.tab_to("password").await;
    browser.press_key(&format!("wrong{ENTER}")).await;
    browser.wait_for_text("Wrong email or password.").await;
    crate::passkeys::set_user_presence(&browser, &device, true).await;
    browser.tab_to("Log in with a passkey").await;
    browser.press_key(ENTER).await;
    browser.wait_for_url("/auth/account").await;
}

async fn menu_opens_and_closes_by_keyboard_and_pointer() {
    let app = app().await;
    let browser = Browser::open(Look::DESKTOP).await;
    sign_up(&browser, &app.url(), "ada@example.com").await;
    let menu = "Account menu, ada@example.com";
    let is_open = async || {
        let script = "return document.querySelector('header details').open";
        browser.page.execute(script, vec![]).await.unwrap() == json!(true)
    };
    browser.tab_to(menu).await;
    assert!(!is_open().await);
    browser.press_key(ENTER).await;
    browser.tab_to("Your account").await;
    assert!(is_open().await);
    browser.press_key(ESCAPE).await;
    assert!(!is_open().await);
    // The focus is where it was before the menu opened.
    browser.press_key(SPACE).await;
    assert!(is_open().await);
    browser.page.find(Locator::Css("main h1")).await.unwrap().click().await.unwrap();
    assert!(!is_open().await);
    browser.tab_to(menu).await;
    browser.press_key(ENTER).await;
    browser.tab_to("Log out").await;
    assert!(is_open().await);
    browser.press_key(TAB).await;
    assert!(!is_open().await);
}

async fn current_section_is_in_view_on_a_phone() {
    let app = app().await;
    let browser = Browser::open(Look::PHONE).await;
    sign_up(&browser, &app.url(), "ada@example.com").await;
    browser.go(&format!("{}/auth/organizations", app.url())).await;
    let script = "const list = document.querySelector('.sections ul');
        const { left, right } = list.querySelector('[aria-current]').getBoundingClientRect();
        return [list.scrollWidth > list.clientWidth, left >= 0 && right <= document.documentElement.clientWidth, scrollY]";
    let seen = browser.page.execute(script, vec![]).await.unwrap();
    assert_eq!(
        seen,
        json!([true, true, 0]),
        "more sections than fit, the current one in view, and the page at its top"
    );
}

async fn printed_page_has_no_menu_and_no_navigation() {
    let app = app().await;
    let browser = Browser::open(Look::DESKTOP).await;
    sign_up(&browser, &app.url(), "ada@example.com").await;
    browser.page.find(Locator::Css("header summary")).await.unwrap().click().await.unwrap();
    let shown = "return ['.brand', 'main', '.menu', '.sections', '.foot'].filter((part) =>
        document.querySelector(part).getClientRects().length)";
    let everything = json!([".brand", "main", ".menu", ".sections", ".foot"]);
    assert_eq!(browser.page.execute(shown, vec![]).await.unwrap(), everything);
    browser.devtools("Emulation.setEmulatedMedia", json!({ "media": "print" })).await;
    assert_eq!(browser.page.execute(shown, vec![]).await.unwrap(), json!([".brand", "main"]));
}
