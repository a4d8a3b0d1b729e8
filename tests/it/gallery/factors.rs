//! Second factors and passkeys.

use super::room::EMAIL;
use super::{LANGUAGES, Language, Room};
use crate::harness::Authenticator;
use serde_json::json;
use std::time::Duration;

browser![an_app_is_set_up, an_app_is_asked_for, passkeys_are_kept];

/// Sets an app up as whoever is logged in; at the end its recovery codes are in front.
async fn set_up(room: &Room) -> Authenticator {
    room.go("/auth/account/two-factor").await;
    room.send("main form", &[]).await;
    let phone = Authenticator::from_page(&room.browser.page.source().await.unwrap());
    room.send("form[action$='/confirm']", &[("code", &phone.code(&room.app))]).await;
    phone
}

async fn an_app_is_set_up() {
    for language in LANGUAGES {
        let room = Room::open(language, &[]).await;
        room.person(EMAIL).await;
        room.log_in(EMAIL).await;
        room.go("/auth/account/two-factor").await;
        room.see("two_factor", "two-factor-off").await;
        room.send("main form", &[]).await;
        room.see("two_factor", "two-factor-setup").await;
        room.send("form[action$='/confirm']", &[("code", "1")]).await;
        room.see("two_factor", "two-factor-code").await;
        set_up(&room).await;
        room.see("recovery_codes", "recovery-codes-first").await;
        room.go("/auth/account/two-factor").await;
        room.see("two_factor", "two-factor-on").await;
        room.go("/auth/account/recovery-codes").await;
        room.see("recovery_codes", "recovery-codes").await;
        room.send("main form", &[("csrf_token", "stale")]).await;
        room.see("recovery_codes", "recovery-codes-error").await;
        room.send("main form", &[]).await;
        room.see("recovery_codes", "recovery-codes-new").await;
        room.go("/auth/account/two-factor/remove").await;
        room.see("two_factor_remove", "two-factor-remove").await;
        room.send("main form", &[("password", "wrong")]).await;
        room.see("two_factor_remove", "two-factor-remove-error").await;
        room.go("/auth/account/security").await;
        room.see("account_security", "security-two-factor").await;
    }
}

async fn an_app_is_asked_for() {
    const FACTOR: &str = "form[action='/auth/login/second-factor']";
    for language in LANGUAGES {
        let room = Room::open(language, &[]).await;
        let (phone, codes) = room.person(EMAIL).await.turn_on_two_factor(&room.app).await;
        room.app.clock().advance(Duration::from_mins(1));
        room.log_in(EMAIL).await;
        room.see("second_factor", "second-factor").await;
        room.send(FACTOR, &[("code", &phone.wrong_code(&room.app))]).await;
        room.see("second_factor", "second-factor-error").await;
        room.go("/auth/login/second-factor?with=recovery-code").await;
        room.see("second_factor", "second-factor-recovery").await;
        room.send(FACTOR, &[("recovery_code", "wrong")]).await;
        room.see("second_factor", "second-factor-recovery-error").await;
        room.send(FACTOR, &[("csrf_token", "stale")]).await;
        room.see("second_factor", "second-factor-refused").await;
        // Each code is used on a device that is remembered; one is left.
        for code in &codes[1..] {
            let device = room.app.anonymous();
            device.log_in(EMAIL, super::room::PASSWORD).await.expect(303);
            let fields = [("recovery_code", code.as_str()), ("remember", "yes")];
            device.post_form("/auth/login/second-factor", &fields).await.expect(303);
        }
        room.go("/auth/login/second-factor").await;
        room.send(FACTOR, &[("code", &phone.next_code(&room.app))]).await;
        room.go("/auth/account/two-factor").await;
        room.see("two_factor", "two-factor-few").await;
    }
}

async fn passkeys_are_kept() {
    for language in LANGUAGES {
        let room = Room::open(language, &[]).await;
        let device = crate::passkeys::add_device(&room.browser).await;
        room.person(EMAIL).await;
        room.log_in(EMAIL).await;
        room.go("/auth/account/passkeys").await;
        room.see("passkeys", "passkeys-none").await;
        room.go("/auth/account/passkeys/new").await;
        room.see("passkey_new", "passkey-new").await;
        room.send("main form", &[("name", "Laptop"), ("credential", "nothing")]).await;
        room.see("passkey_new", "passkey-new-error").await;
        add_passkey(&room, "Laptop").await;
        // A device makes one passkey for an account.
        room.browser.devtools("WebAuthn.clearCredentials", json!({ "authenticatorId": device })).await;
        add_passkey(&room, "Donaudampfschifffahrtsgesellschaftskapitänslaptop").await;
        let used = "UPDATE passkeys SET last_used_at = created_at, backed_up = 1 WHERE name <> 'Laptop'";
        room.app.database().execute(used).await;
        room.go("/auth/account/passkeys").await;
        room.see("passkeys", "passkeys").await;
        room.go(&room.href(".rows li:last-child a").await).await;
        room.see("passkey", "passkey").await;
        room.send("form[action$='/rename']", &[("name", " ")]).await;
        room.see("passkey", "passkey-error").await;
        room.browser.devtools("WebAuthn.removeVirtualAuthenticator", json!({ "authenticatorId": device })).await;
        without_a_password(&room).await;
        room.leave().await;
        room.go("/auth/login").await;
        room.see("login", "login-passkey").await;
        passkeys_need_a_name(language).await;
    }
}

/// What is asked of somebody who has a passkey, with a password beside it and without.
async fn without_a_password(room: &Room) {
    let later = || room.app.clock().advance(Duration::from_mins(16));
    later();
    room.go("/auth/account/export").await;
    room.see("account_confirm", "confirm-passkey").await;
    room.log_in(EMAIL).await;
    room.app.database().execute("UPDATE users SET password_hash = NULL").await;
    room.app.database().execute("INSERT INTO totp SELECT id, x'00', 0, 0, 0, 0, NULL FROM users").await;
    room.go("/auth/account/delete").await;
    room.see("account_delete", "account-delete-passkey").await;
    room.go("/auth/account/two-factor/remove").await;
    room.see("two_factor_remove", "two-factor-remove-passkey").await;
    later();
    room.go("/auth/account/export").await;
    room.see("account_confirm", "confirm-passkey-only").await;
}

async fn passkeys_need_a_name(language: Language) {
    let room = Room::at_a_number(language, &[]).await;
    room.person(EMAIL).await;
    room.log_in(EMAIL).await;
    room.go("/auth/account/passkeys").await;
    room.see("passkeys", "passkeys-impossible").await;
}

async fn add_passkey(room: &Room, name: &str) {
    room.go("/auth/account/passkeys/new").await;
    room.browser.type_into("name", name).await;
    room.browser.page.active_element().await.unwrap().send_keys(crate::harness::ENTER).await.unwrap();
    room.browser.wait_for_url("/auth/account/passkeys").await;
}
