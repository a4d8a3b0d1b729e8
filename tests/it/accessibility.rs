//! Everybody can use the pages: WCAG 2.2 AA on every page in every state, the keyboard alone, the reader's own colours.

use crate::harness::{Axe, Browser, ENTER, Engine, Look, TestApp};
use serde_json::json;

browser![
    before_log_in,
    the_pages_of_an_account,
    what_protects_an_account,
    a_second_factor_with_the_keyboard_alone,
    the_pages_of_organizations,
    what_the_invited_see,
    errors_and_ends,
    the_keyboard_alone_signs_up_and_accepts_an_invitation,
    the_readers_own_colours_and_rest,
];

const PASSWORD: &str = "a lighthouse in the fog";

async fn app() -> TestApp {
    Engine::Sqlite.prepare().await.set("SVC_DEFAULT_RETURN_TO", "/auth/account").start().await
}

async fn log_in(app: &TestApp, browser: &Browser) {
    browser.go(&format!("{}/auth/login", app.url())).await;
    browser.send_unchecked("form", &[("email", "ada@example.com"), ("password", PASSWORD)]).await;
    browser.wait_for_url("/auth/account").await;
}

async fn before_log_in() {
    let Some(axe) = Axe::find() else { return };
    let app = app().await;
    app.sign_up("ada@example.com").await;
    let browser = Browser::open(Look::DESKTOP).await;
    let go = async |path: &str| browser.go(&format!("{}{path}", app.url())).await;
    go("/auth/login").await;
    axe.check(&browser, "log-in").await;
    browser.send_unchecked("form", &[("email", "ada"), ("password", "wrong")]).await;
    axe.check(&browser, "log-in-wrong").await;
    go("/auth/signup").await;
    axe.check(&browser, "sign-up").await;
    browser.send_unchecked("form", &[("email", "nobody"), ("username", "a b"), ("password", "short")]).await;
    axe.check(&browser, "sign-up-errors").await;
    browser.send_unchecked("form", &[("csrf_token", "stale")]).await;
    axe.check(&browser, "sign-up-stale").await;
    go("/auth/language?to=de&return_to=/auth/signup").await;
    axe.check(&browser, "sign-up-german").await;
}

async fn the_pages_of_an_account() {
    let Some(axe) = Axe::find() else { return };
    let app = app().await;
    app.sign_up("ada@example.com").await;
    let browser = Browser::open(Look::DESKTOP).await;
    log_in(&app, &browser).await;
    axe.check(&browser, "account").await;
    browser.go(&format!("{}/auth/account/delete", app.url())).await;
    axe.check(&browser, "account-delete").await;
    browser.send_unchecked("main form", &[("password", "wrong")]).await;
    axe.check(&browser, "account-delete-wrong").await;
    app.clock().advance(std::time::Duration::from_hours(1));
    browser.go(&format!("{}/auth/account/confirm", app.url())).await;
    axe.check(&browser, "confirm").await;
    browser.send_unchecked("main form", &[("password", "wrong")]).await;
    axe.check(&browser, "confirm-wrong").await;
    browser.go(&format!("{}/auth/account/delete", app.url())).await;
    browser.send_unchecked("main form", &[("password", PASSWORD)]).await;
    axe.check(&browser, "account-deleted").await;
}

async fn what_protects_an_account() {
    let Some(axe) = Axe::find() else { return };
    let app = app().await;
    app.sign_up("ada@example.com").await;
    let browser = Browser::open(Look::DESKTOP).await;
    log_in(&app, &browser).await;
    for page in ["security", "sessions", "activity", "export", "username", "password", "two-factor"] {
        browser.go(&format!("{}/auth/account/{page}", app.url())).await;
        axe.check(&browser, page).await;
    }
    browser.send_unchecked("main form", &[]).await;
    axe.check(&browser, "two-factor-set-up").await;
    browser.send_unchecked("form[action$='/confirm']", &[("code", "1")]).await;
    axe.check(&browser, "two-factor-wrong-code").await;
    browser.go(&format!("{}/auth/account/username", app.url())).await;
    browser.send_unchecked("main form", &[("username", "a b")]).await;
    axe.check(&browser, "username-error").await;
    browser.go(&format!("{}/auth/account/password", app.url())).await;
    browser.send_unchecked("main form", &[("current", "wrong"), ("password", "short")]).await;
    axe.check(&browser, "password-errors").await;
}

async fn a_second_factor_with_the_keyboard_alone() {
    let app = app().await;
    let (phone, _) = app.sign_up("ada@example.com").await.turn_on_two_factor(&app).await;
    // The code that turned it on is spent.
    app.clock().advance(std::time::Duration::from_mins(1));
    let browser = Browser::open(Look::DESKTOP).await;
    browser.go(&format!("{}/auth/login", app.url())).await;
    browser.tab_to("email").await;
    browser.press_key("ada@example.com").await;
    browser.tab_to("password").await;
    browser.press_key(&format!("{PASSWORD}{ENTER}")).await;
    browser.wait_for_url("/auth/login/second-factor").await;
    if let Some(axe) = Axe::find() {
        axe.check(&browser, "second-factor").await;
        browser.send_unchecked("form", &[("code", "1")]).await;
        axe.check(&browser, "second-factor-wrong").await;
    }
    browser.tab_to("code").await;
    browser.press_key(&phone.code(&app)).await;
    browser.tab_to("Log in").await;
    browser.press_key(ENTER).await;
    browser.wait_for_url("/auth/account").await;
    let Some(axe) = Axe::find() else { return };
    for page in ["two-factor", "recovery-codes", "two-factor/remove"] {
        browser.go(&format!("{}/auth/account/{page}", app.url())).await;
        axe.check(&browser, &format!("{}-on", page.replace('/', "-"))).await;
    }
}

async fn the_pages_of_organizations() {
    let Some(axe) = Axe::find() else { return };
    let app = app().await;
    app.sign_up("ada@example.com").await;
    let browser = Browser::open(Look::DESKTOP).await;
    log_in(&app, &browser).await;
    browser.go(&format!("{}/auth/organizations", app.url())).await;
    browser.send_unchecked("main form[action='/auth/organizations']", &[("name", " ")]).await;
    axe.check(&browser, "organizations-error").await;
    browser.send_unchecked("main form[action='/auth/organizations']", &[("name", "Crew")]).await;
    let team = browser.page.current_url().await.unwrap().to_string();
    axe.check(&browser, "organization").await;
    browser.send_unchecked("form[action$='/invitations']", &[("email", "nobody")]).await;
    axe.check(&browser, "organization-invite-error").await;
    browser.send_unchecked("form[action$='/invitations']", &[("email", "bob@example.com")]).await;
    axe.check(&browser, "organization-link").await;
    browser.send_unchecked("form[action$='/rename']", &[("name", "")]).await;
    axe.check(&browser, "organization-rename-error").await;
    browser.go(&format!("{team}?search=nobody")).await;
    axe.check(&browser, "organization-nobody-found").await;
    browser.go(&team).await;
    browser.page.find(fantoccini::Locator::Css("a[href*='/members/']")).await.unwrap().click().await.unwrap();
    axe.check(&browser, "member").await;
    browser.send_unchecked("form[action$='/remove']", &[]).await;
    axe.check(&browser, "member-last-owner").await;
    browser.go(&format!("{team}/leave")).await;
    axe.check(&browser, "leave").await;
    browser.go(&format!("{team}/delete")).await;
    browser.send_unchecked("main form", &[("name", "Another")]).await;
    axe.check(&browser, "organization-delete-error").await;
    browser.go(&format!("{}/auth/organizations", app.url())).await;
    axe.check(&browser, "organizations").await;
}

/// A team of Ada's, and the link of an invitation to it.
async fn invitation(app: &TestApp, email: &str) -> String {
    let ada = app.sign_up("ada@example.com").await;
    let team = ada.post_form("/auth/organizations", &[("name", "Crew")]).await.expect(303).location().to_owned();
    let form = [("email", email), ("role", "member")];
    let page = ada.post_form(&format!("{team}/invitations"), &form).await.expect(200).text();
    let rest = page.split_once("id=\"link\" type=\"text\" value=\"").unwrap().1;
    rest.split('"').next().unwrap().replace("http://localhost:8080", &app.url())
}

async fn what_the_invited_see() {
    let Some(axe) = Axe::find() else { return };
    let app = app().await;
    let link = invitation(&app, "bob@example.com").await;
    let browser = Browser::open(Look::DESKTOP).await;
    browser.go(&link).await;
    axe.check(&browser, "invitation").await;
    log_in(&app, &browser).await;
    browser.go(&link).await;
    axe.check(&browser, "invitation-other").await;
    browser.press("Log out and continue").await;
    browser.press("Create an account to accept").await;
    axe.check(&browser, "sign-up-invited").await;
    browser.go(&link).await;
    browser.press("Decline").await;
    axe.check(&browser, "invitation-declined").await;
}

async fn errors_and_ends() {
    let Some(axe) = Axe::find() else { return };
    let app = app().await;
    app.sign_up("ada@example.com").await;
    let browser = Browser::open(Look::DESKTOP).await;
    browser.go(&format!("{}/auth/nowhere", app.url())).await;
    axe.check(&browser, "not-found").await;
    log_in(&app, &browser).await;
    browser.send_unchecked("header form", &[("csrf_token", "stale")]).await;
    axe.check(&browser, "log-out-stale").await;
    browser.go(&format!("{}/auth/login", app.url())).await;
    axe.check(&browser, "refused-by-application").await;
    let closed = Engine::Sqlite.prepare().await.set("SVC_SIGNUP", "closed").start().await;
    browser.go(&format!("{}/auth/signup", closed.url())).await;
    axe.check(&browser, "sign-up-closed").await;
}

async fn the_keyboard_alone_signs_up_and_accepts_an_invitation() {
    let app = app().await;
    let link = invitation(&app, "bob@example.com").await;
    let browser = Browser::open(Look::DESKTOP).await;
    browser.go(&format!("{}/auth/signup", app.url())).await;
    browser.tab_to("email").await;
    browser.press_key("bob@example.com").await;
    browser.tab_to("username").await;
    browser.press_key("bob").await;
    browser.tab_to("password").await;
    browser.press_key(PASSWORD).await;
    browser.tab_to("Show password").await;
    browser.tab_to("Create account").await;
    browser.press_key(ENTER).await;
    browser.wait_for_url("/auth/account").await;
    // The first stop is the way past the navigation.
    browser.tab_to("Skip to the content").await;
    browser.go(&link).await;
    browser.tab_to("Decline").await;
    browser.go(&link).await;
    browser.tab_to("Accept").await;
    browser.press_key(ENTER).await;
    browser.wait_for_url("/auth/account").await;
    assert!(browser.text().await.contains("Crew"), "{}", browser.text().await);
}

async fn the_readers_own_colours_and_rest() {
    let app = app().await;
    let browser = Browser::open(Look::DESKTOP).await;
    browser.prefer(&[("forced-colors", "active"), ("prefers-reduced-motion", "reduce")]).await;
    browser.go(&format!("{}/auth/signup", app.url())).await;
    let script = "const found = [];
        for (const e of document.querySelectorAll('*')) {
            const style = getComputedStyle(e);
            const moves = [style.transitionDuration, style.animationDuration].join().split(',');
            if (moves.some((time) => parseFloat(time) > 0)) found.push('moves: ' + e.outerHTML);
            const control = e.matches('button.button, a.button, input:not([type=hidden]), select');
            if (control && parseFloat(style.borderTopWidth) === 0) found.push('no edge: ' + e.outerHTML);
        }
        return [matchMedia('(forced-colors: active)').matches, found]";
    let seen = browser.page.execute(script, vec![]).await.unwrap();
    assert_eq!(seen, json!([true, []]));
}
