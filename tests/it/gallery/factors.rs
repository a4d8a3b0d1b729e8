//! Second factors and passkeys.

use super::visitor::EMAIL;
use super::{LANGUAGES, Language, Visitor};
use crate::harness::Authenticator;
use fantoccini::Locator;
use serde_json::json;
use std::time::Duration;

browser![authenticator_setup_pages, second_factor_pages, passkey_pages];

/// Sets up an authenticator app for the logged-in user; ends on the page with the recovery codes.
async fn set_up_authenticator(visitor: &Visitor) -> Authenticator {
    visitor.go("/auth/account/two-factor").await;
    visitor.send("main form", &[]).await;
    let phone = Authenticator::from_page(&visitor.browser.page.source().await.unwrap());
    visitor.send("form[action$='/confirm']", &[("code", &phone.code(&visitor.app))]).await;
    phone
}

async fn authenticator_setup_pages() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        visitor.sign_up(EMAIL).await;
        visitor.log_in(EMAIL).await;
        visitor.go("/auth/account/two-factor").await;
        visitor.see("two_factor", "two-factor-off").await;
        visitor.send("main form", &[]).await;
        visitor.see("two_factor", "two-factor-setup").await;
        visitor.send("form[action$='/confirm']", &[("code", "1")]).await;
        visitor.see("two_factor", "two-factor-code").await;
        set_up_authenticator(&visitor).await;
        visitor.see("recovery_codes", "recovery-codes-first").await;
        visitor.go("/auth/account/two-factor").await;
        visitor.see("two_factor", "two-factor-on").await;
        visitor.go("/auth/account/recovery-codes").await;
        visitor.see("recovery_codes", "recovery-codes").await;
        visitor.send("main form", &[("csrf_token", "stale")]).await;
        visitor.see("recovery_codes", "recovery-codes-error").await;
        visitor.send("main form", &[]).await;
        visitor.see("recovery_codes", "recovery-codes-new").await;
        visitor.go("/auth/account/two-factor/remove").await;
        visitor.see("two_factor_remove", "two-factor-remove").await;
        visitor.send("main form", &[("password", "wrong")]).await;
        visitor.see("two_factor_remove", "two-factor-remove-error").await;
        visitor.go("/auth/account/security").await;
        visitor.see("account_security", "security-two-factor").await;
    }
}

async fn second_factor_pages() {
    const FACTOR: &str = "form[action='/auth/login/second-factor']";
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        let (phone, codes) = visitor.sign_up(EMAIL).await.turn_on_two_factor(&visitor.app).await;
        visitor.app.clock().advance(Duration::from_mins(1));
        visitor.log_in(EMAIL).await;
        visitor.see("second_factor", "second-factor").await;
        visitor.send(FACTOR, &[("code", &phone.wrong_code(&visitor.app))]).await;
        visitor.see("second_factor", "second-factor-error").await;
        visitor.go("/auth/login/second-factor?with=recovery-code").await;
        visitor.see("second_factor", "second-factor-recovery").await;
        visitor.send(FACTOR, &[("recovery_code", "wrong")]).await;
        visitor.see("second_factor", "second-factor-recovery-error").await;
        visitor.send(FACTOR, &[("csrf_token", "stale")]).await;
        visitor.see("second_factor", "second-factor-refused").await;
        // Each code but one is used to trust a device.
        for code in &codes[1..] {
            let device = visitor.app.anonymous();
            device.log_in(EMAIL, super::visitor::PASSWORD).await.expect(303);
            let fields = [("recovery_code", code.as_str()), ("remember", "yes")];
            device.post_form("/auth/login/second-factor", &fields).await.expect(303);
        }
        visitor.go("/auth/login/second-factor").await;
        visitor.send(FACTOR, &[("code", &phone.next_code(&visitor.app))]).await;
        visitor.go("/auth/account/two-factor").await;
        visitor.see("two_factor", "two-factor-few").await;
    }
}

async fn passkey_pages() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        let device = crate::passkeys::add_authenticator(&visitor.browser).await;
        visitor.sign_up(EMAIL).await;
        visitor.log_in(EMAIL).await;
        visitor.go("/auth/account/passkeys").await;
        visitor.see("passkeys", "passkeys-none").await;
        visitor.go("/auth/account/passkeys/new").await;
        visitor.see("passkey_new", "passkey-new").await;
        visitor.send("main form", &[("credential", "nothing")]).await;
        visitor.see("passkey_new", "passkey-new-error").await;
        add_passkey(&visitor, "Laptop").await;
        // An authenticator creates only one passkey per account.
        visitor.browser.devtools("WebAuthn.clearCredentials", json!({ "authenticatorId": device })).await;
        add_passkey(&visitor, "Donaudampfschifffahrtsgesellschaftskapitänslaptop").await;
        let used = "UPDATE passkeys SET last_used_at = created_at, backed_up = 1 WHERE name <> 'Laptop'";
        visitor.app.database().execute(used).await;
        visitor.go("/auth/account/passkeys").await;
        visitor.see("passkeys", "passkeys").await;
        visitor.go(&visitor.href(".rows li:last-child a").await).await;
        visitor.see("passkey", "passkey").await;
        visitor.send("form[action$='/rename']", &[("name", " ")]).await;
        visitor.see("passkey", "passkey-error").await;
        visitor.go(&visitor.href("a[href$='/remove']").await).await;
        visitor.see("passkey_remove", "passkey-remove").await;
        visitor.send("main form", &[("csrf_token", "stale")]).await;
        visitor.see("passkey_remove", "passkey-remove-error").await;
        visitor.browser.devtools("WebAuthn.removeVirtualAuthenticator", json!({ "authenticatorId": device })).await;
        pages_without_password(&visitor).await;
        visitor.clear_cookies().await;
        visitor.go("/auth/login").await;
        visitor.see("login", "login-passkey").await;
        passkeys_need_a_host_name(language).await;
    }
}

/// Reauthentication of a user with a passkey, with a password and without.
async fn pages_without_password(visitor: &Visitor) {
    let later = || visitor.app.clock().advance(Duration::from_mins(16));
    later();
    visitor.go("/auth/account/export").await;
    visitor.see("account_confirm", "confirm-passkey").await;
    visitor.log_in(EMAIL).await;
    visitor.app.database().execute("UPDATE users SET password_hash = NULL").await;
    visitor.app.database().execute("INSERT INTO totp SELECT id, x'00', 0, 0, 0, 0, NULL FROM users").await;
    visitor.go("/auth/account/delete").await;
    visitor.see("account_delete", "account-delete-passkey").await;
    visitor.go("/auth/account/two-factor/remove").await;
    visitor.see("two_factor_remove", "two-factor-remove-passkey").await;
    later();
    visitor.go("/auth/account/export").await;
    visitor.see("account_confirm", "confirm-passkey-only").await;
}

async fn passkeys_need_a_host_name(language: Language) {
    let visitor = Visitor::at_ip_address(language, &[]).await;
    visitor.sign_up(EMAIL).await;
    visitor.log_in(EMAIL).await;
    visitor.go("/auth/account/passkeys").await;
    visitor.see("passkeys", "passkeys-impossible").await;
}

async fn add_passkey(visitor: &Visitor, name: &str) {
    visitor.go("/auth/account/passkeys/new").await;
    visitor.browser.page.find(Locator::Css("#new button")).await.unwrap().click().await.unwrap();
    visitor.browser.wait_for_url("?done=added").await;
    visitor.go(&visitor.href(".rows li:last-child a").await).await;
    visitor.browser.type_into("name", name).await;
    visitor.browser.page.active_element().await.unwrap().send_keys(crate::harness::ENTER).await.unwrap();
    visitor.browser.wait_for_url("?done=renamed").await;
}
