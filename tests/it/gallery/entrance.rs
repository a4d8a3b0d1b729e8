//! Signing up, logging in, and a forgotten password.

use super::room::{EMAIL, PASSWORD};
use super::{LANGUAGES, Room};

browser![
    signing_up_and_logging_in,
    a_forgotten_password,
    a_forgotten_password_of_an_address_without_proof,
    ways_that_are_closed,
    ends_of_a_session
];

const SIGN_UP: &str = "form[action='/auth/signup']";
const LOG_IN: &str = "form[action='/auth/login']";

async fn signing_up_and_logging_in() {
    for language in LANGUAGES {
        let room = Room::at_a_number(language, &[]).await;
        room.person(EMAIL).await;
        room.go("/auth/signup").await;
        room.see("signup", "signup").await;
        room.send(SIGN_UP, &[("email", "nobody"), ("username", "a b"), ("password", "short")]).await;
        room.see("signup", "signup-errors").await;
        room.send(SIGN_UP, &[("csrf_token", "stale")]).await;
        room.see("signup", "signup-stale").await;
        room.go("/auth/login").await;
        room.see("login", "login").await;
        room.send(LOG_IN, &[("email", EMAIL), ("password", "wrong")]).await;
        room.see("login", "login-error").await;
    }
}

async fn a_forgotten_password() {
    for language in LANGUAGES {
        let room = Room::open(language, &[]).await;
        room.person(EMAIL).await;
        room.app.database().execute("UPDATE users SET email_verified_at = created_at").await;
        room.go("/auth/password/forgot").await;
        room.see("password_forgot", "forgot").await;
        room.send("form", &[("email", "nobody")]).await;
        room.see("password_forgot", "forgot-wrong").await;
        room.send("form", &[("email", EMAIL)]).await;
        room.see("link_outcome", "reset-sent").await;
        let (link, _) = room.mailed(EMAIL, "/auth/password/reset/").await;
        room.go(&link).await;
        room.see("password_reset", "reset").await;
        room.send("form", &[("password", "password1")]).await;
        room.see("password_reset", "reset-wrong").await;
        room.send("form", &[("password", "a second lighthouse in the fog")]).await;
        room.see("login", "login-notice").await;
        room.go(&link).await;
        room.see("link_outcome", "reset-over").await;
    }
}

async fn a_forgotten_password_of_an_address_without_proof() {
    for language in LANGUAGES {
        let room = Room::open(language, &[("SVC_EMAIL_VERIFICATION", "optional")]).await;
        let person = room.person(EMAIL).await;
        person.post_form("/auth/password/forgot", &[("email", EMAIL)]).await.expect(303);
        let (link, _) = room.mailed(EMAIL, "/auth/password/reset/").await;
        room.go(&link).await;
        room.see("password_reset", "reset-unproved").await;
        room.send("form", &[("account", "anew"), ("password", "short")]).await;
        room.see("password_reset", "reset-unknown").await;
    }
}

async fn ways_that_are_closed() {
    for language in LANGUAGES {
        let room = Room::open(language, &[("SVC_SIGNUP", "closed"), ("SVC_EMAIL_VERIFICATION", "required")]).await;
        room.go("/auth/signup").await;
        room.see("signup_refused", "signup-closed").await;
        room.go("/auth/login").await;
        room.send(LOG_IN, &[("email", EMAIL), ("password", "wrong")]).await;
        room.see("login", "login-note").await;
        let room = Room::open(language, &[("SVC_SIGNUP", "invite")]).await;
        room.go("/auth/signup").await;
        room.see("signup_refused", "signup-invite").await;
        room.go("/auth/signup?invitation=nothing").await;
        room.see("signup_refused", "signup-void").await;
    }
}

async fn ends_of_a_session() {
    for language in LANGUAGES {
        let room = Room::open(language, &[]).await;
        room.person(EMAIL).await;
        room.log_in(EMAIL).await;
        room.send("header form", &[("csrf_token", "stale")]).await;
        room.see("logout", "logout").await;
        room.go("/auth/login?return_to=%2Fauth%2Fhealth").await;
        room.see("refused_by_application", "refused").await;
        let user = room.app.database().texts("SELECT username FROM users").await.remove(0);
        let found = doorward::domain::account::operator::find(&room.app.app.store, &user).await.unwrap();
        assert!(doorward::domain::account::operator::set_disabled(&room.app.app, found.id, true).await.unwrap());
        room.leave().await;
        room.go("/auth/login").await;
        room.send(LOG_IN, &[("email", EMAIL), ("password", PASSWORD)]).await;
        room.see("disabled", "disabled").await;
    }
}
