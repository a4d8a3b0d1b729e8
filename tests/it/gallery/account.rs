//! The account pages.

use super::visitor::{EMAIL, PASSWORD};
use super::{LANGUAGES, Visitor};
use doorward::domain::account::operator;
use doorward::model::principal::Principal;
use doorward::model::roles::PlatformRole;
use std::time::Duration;

browser![account_and_export_pages, name_and_password_pages, sessions_and_activity_pages, reauthentication_pages];

const NEW_PASSWORD: &str = "a second lighthouse in the fog";

async fn account_and_export_pages() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[("SVC_EMAIL_VERIFICATION", "optional")]).await;
        let thief = visitor.sign_up(EMAIL).await;
        visitor.log_in(EMAIL).await;
        give_roles(&visitor).await;
        visitor.app.database().execute("UPDATE users SET email_verified_at = 1").await;
        visitor.go("/auth/account").await;
        visitor.see("account", "account").await;
        visitor.go("/auth/account/export").await;
        visitor.see("account_export", "export").await;
        // On a page without links beneath, which the open menu would cover in part.
        visitor.open_menu().await;
        visitor.see("account_export", "export-menu").await;
        visitor.send("main form", &[("csrf_token", "stale")]).await;
        visitor.see("account_export", "export-stale").await;
        let old = thief.copy();
        for _ in 0..2 {
            thief.refresh("app").await.expect(200);
            visitor.app.clock().advance(Duration::from_secs(31));
        }
        old.refresh("app").await.expect(401);
        visitor.app.database().execute("UPDATE users SET email_verified_at = NULL").await;
        visitor.go("/auth/account").await;
        visitor.see("account", "account-warned").await;
        visitor.go("/auth/account/sessions").await;
        visitor.see("account_sessions", "sessions-warned").await;
        visitor.go("/auth/account/delete").await;
        visitor.see("account_delete", "account-delete").await;
        visitor.send("main form", &[("password", "wrong")]).await;
        visitor.see("account_delete", "account-delete-wrong").await;
        // The last administrator could not be deleted.
        visitor.app.database().execute("UPDATE users SET roles = ''").await;
        visitor.send("main form", &[("password", PASSWORD)]).await;
        visitor.see("message", "message").await;
    }
}

async fn give_roles(visitor: &Visitor) {
    let user = visitor.app.database().texts("SELECT username FROM users").await.remove(0);
    let found = operator::find(&visitor.app.app.store, &Principal::operator(), &user).await.unwrap();
    for role in [PlatformRole::Admin, PlatformRole::Monitor] {
        assert!(crate::operators::grant(&visitor.app.app, found.id, role).await.unwrap());
    }
}

async fn name_and_password_pages() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        visitor.sign_up(EMAIL).await;
        visitor.log_in(EMAIL).await;
        visitor.go("/auth/account/name").await;
        visitor.see("account_name", "name").await;
        visitor.send("main form", &[("name", "www.example.com")]).await;
        visitor.see("account_name", "name-error").await;
        visitor.go("/auth/account/username").await;
        visitor.see("account_username", "username").await;
        visitor.send("main form", &[("username", "a b")]).await;
        visitor.see("account_username", "username-error").await;
        visitor.send("main form", &[("username", "grace")]).await;
        visitor.see("account", "account-done").await;
        visitor.go("/auth/account/security").await;
        visitor.see("account_security", "security").await;
        visitor.go("/auth/account/password").await;
        visitor.see("account_password", "password").await;
        visitor.send("main form", &[("current", "wrong"), ("password", NEW_PASSWORD)]).await;
        visitor.see("account_password", "password-wrong").await;
        visitor.send("main form", &[("current", PASSWORD), ("password", "grace")]).await;
        visitor.see("account_password", "password-refused").await;
        visitor.send("main form", &[("current", PASSWORD), ("password", NEW_PASSWORD)]).await;
        visitor.see("account_security", "security-done").await;
        visitor.app.database().execute("UPDATE users SET password_hash = NULL").await;
        visitor.go("/auth/account/password").await;
        visitor.see("account_password", "password-first").await;
    }
}

async fn sessions_and_activity_pages() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[("SVC_RATE_LIMIT", "off")]).await;
        let elsewhere = visitor.sign_up(EMAIL).await;
        visitor.log_in(EMAIL).await;
        visitor.go("/auth/account/sessions").await;
        visitor.see("account_sessions", "sessions").await;
        visitor.send("form[action$='/end-others']", &[]).await;
        visitor.see("account_sessions", "sessions-alone").await;
        elsewhere.log_in(EMAIL, "wrong").await.expect(401);
        elsewhere.log_in(EMAIL, PASSWORD).await.expect(303);
        for number in 0..60 {
            let fields = [("username", format!("grace{number}"))];
            let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
            elsewhere.post_form("/auth/account/username", &fields).await.expect(303);
        }
        visitor.go("/auth/account/activity").await;
        visitor.see("account_activity", "activity").await;
        visitor.go(&visitor.href(".pager a[rel=next]").await).await;
        visitor.see("account_activity", "activity-last").await;
        visitor.go("/auth/account/activity?only=security").await;
        visitor.see("account_activity", "activity-security").await;
        visitor.app.database().execute("DELETE FROM audit").await;
        visitor.go("/auth/account/activity").await;
        visitor.see("account_activity", "activity-none").await;
    }
}

async fn reauthentication_pages() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        visitor.sign_up(EMAIL).await;
        visitor.log_in(EMAIL).await;
        visitor.app.clock().advance(Duration::from_mins(16));
        visitor.go("/auth/account/export").await;
        visitor.see("account_confirm", "confirm").await;
        visitor.send("main form", &[("password", "wrong")]).await;
        visitor.see("account_confirm", "confirm-wrong").await;
        visitor.send("main form", &[("csrf_token", "stale")]).await;
        visitor.see("account_confirm", "confirm-stale").await;
        visitor.go("/auth/account/confirm?mfa=1").await;
        visitor.see("account_confirm", "confirm-no-factor").await;
        visitor.app.database().execute("INSERT INTO totp SELECT id, x'00', 0, 0, 0, 0, NULL FROM users").await;
        visitor.go("/auth/account/confirm?mfa=1").await;
        visitor.see("account_confirm", "confirm-code").await;
        visitor.app.database().execute("DELETE FROM totp").await;
        visitor.app.database().execute("UPDATE users SET password_hash = NULL").await;
        visitor.go("/auth/account/confirm").await;
        visitor.see("account_confirm", "confirm-mail").await;
        visitor.send("form[action='/auth/account/confirm/mail']", &[]).await;
        visitor.send("form[action='/auth/account/confirm/code']", &[("mailed_code", "000000")]).await;
        visitor.see("account_confirm", "confirm-mail-sent").await;
        let without = "UPDATE users SET email = lower(hex(id)) || '@unverified.invalid'";
        visitor.app.database().execute(without).await;
        visitor.go("/auth/account/confirm").await;
        visitor.see("account_confirm", "confirm-nothing").await;
    }
}
