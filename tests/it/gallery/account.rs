//! The account's own pages.

use super::room::{EMAIL, PASSWORD};
use super::{LANGUAGES, Room};
use doorward::domain::account::operator;
use doorward::model::roles::PlatformRole;
use std::time::Duration;

browser![the_account_and_its_data, names_and_passwords, sessions_and_activity, asked_again_who_one_is];

const NEW: &str = "a second lighthouse in the fog";

async fn the_account_and_its_data() {
    for language in LANGUAGES {
        let room = Room::open(language, &[("SVC_EMAIL_VERIFICATION", "optional")]).await;
        let thief = room.person(EMAIL).await;
        room.log_in(EMAIL).await;
        give_roles(&room).await;
        room.app.database().execute("UPDATE users SET email_verified_at = 1").await;
        room.go("/auth/account").await;
        room.see("account", "account").await;
        room.go("/auth/account/export").await;
        room.see("account_export", "export").await;
        room.send("main form", &[("csrf_token", "stale")]).await;
        room.see("account_export", "export-stale").await;
        let old = thief.copy();
        for _ in 0..2 {
            thief.refresh("app").await.expect(200);
            room.app.clock().advance(Duration::from_secs(31));
        }
        old.refresh("app").await.expect(401);
        room.app.database().execute("UPDATE users SET email_verified_at = NULL").await;
        room.go("/auth/account").await;
        room.see("account", "account-warned").await;
        room.go("/auth/account/sessions").await;
        room.see("account_sessions", "sessions-warned").await;
        room.go("/auth/account/delete").await;
        room.see("account_delete", "account-delete").await;
        room.send("main form", &[("password", "wrong")]).await;
        room.see("account_delete", "account-delete-wrong").await;
        room.send("main form", &[("password", PASSWORD)]).await;
        room.see("message", "message").await;
    }
}

async fn give_roles(room: &Room) {
    let user = room.app.database().texts("SELECT username FROM users").await.remove(0);
    let found = operator::find(&room.app.app.store, &user).await.unwrap();
    for role in [PlatformRole::Admin, PlatformRole::Monitor] {
        assert!(operator::grant(&room.app.app, found.id, role).await.unwrap());
    }
}

async fn names_and_passwords() {
    for language in LANGUAGES {
        let room = Room::open(language, &[]).await;
        room.person(EMAIL).await;
        room.log_in(EMAIL).await;
        room.go("/auth/account/username").await;
        room.see("account_username", "username").await;
        room.send("main form", &[("username", "a b")]).await;
        room.see("account_username", "username-error").await;
        room.send("main form", &[("username", "grace")]).await;
        room.see("account", "account-done").await;
        room.go("/auth/account/security").await;
        room.see("account_security", "security").await;
        room.go("/auth/account/password").await;
        room.see("account_password", "password").await;
        room.send("main form", &[("current", "wrong"), ("password", NEW)]).await;
        room.see("account_password", "password-wrong").await;
        room.send("main form", &[("current", PASSWORD), ("password", "grace")]).await;
        room.see("account_password", "password-refused").await;
        room.send("main form", &[("current", PASSWORD), ("password", NEW)]).await;
        room.see("account_security", "security-done").await;
        room.app.database().execute("UPDATE users SET password_hash = NULL").await;
        room.go("/auth/account/password").await;
        room.see("account_password", "password-first").await;
    }
}

async fn sessions_and_activity() {
    for language in LANGUAGES {
        let room = Room::open(language, &[]).await;
        let elsewhere = room.person(EMAIL).await;
        room.log_in(EMAIL).await;
        room.go("/auth/account/sessions").await;
        room.see("account_sessions", "sessions").await;
        room.send("form[action$='/end-others']", &[]).await;
        room.see("account_sessions", "sessions-alone").await;
        elsewhere.log_in(EMAIL, "wrong").await.expect(401);
        elsewhere.log_in(EMAIL, PASSWORD).await.expect(303);
        for number in 0..60 {
            let fields = [("username", format!("grace{number}"))];
            let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
            elsewhere.post_form("/auth/account/username", &fields).await.expect(303);
        }
        room.go("/auth/account/activity").await;
        room.see("account_activity", "activity").await;
        room.go(&room.href(".pager a[rel=next]").await).await;
        room.see("account_activity", "activity-last").await;
        room.app.database().execute("DELETE FROM audit").await;
        room.go("/auth/account/activity").await;
        room.see("account_activity", "activity-none").await;
    }
}

async fn asked_again_who_one_is() {
    for language in LANGUAGES {
        let room = Room::open(language, &[]).await;
        room.person(EMAIL).await;
        room.log_in(EMAIL).await;
        room.app.clock().advance(Duration::from_mins(16));
        room.go("/auth/account/export").await;
        room.see("account_confirm", "confirm").await;
        room.send("main form", &[("password", "wrong")]).await;
        room.see("account_confirm", "confirm-wrong").await;
        room.send("main form", &[("csrf_token", "stale")]).await;
        room.see("account_confirm", "confirm-stale").await;
    }
}
