//! Signing up, logging in, and a forgotten password.

use super::visitor::{EMAIL, PASSWORD};
use super::{LANGUAGES, Visitor};
use doorward::model::principal::Principal;

browser![
    sign_up_and_login_pages,
    password_reset_pages,
    password_reset_pages_of_unverified_address,
    closed_sign_up_pages,
    logout_and_refusal_pages
];

const SIGN_UP: &str = "form[action='/auth/signup']";
const LOG_IN: &str = "form[action='/auth/login']";

async fn sign_up_and_login_pages() {
    for language in LANGUAGES {
        let visitor = Visitor::at_ip_address(language, &[]).await;
        visitor.sign_up(EMAIL).await;
        visitor.go("/auth/signup").await;
        visitor.see("signup", "signup").await;
        visitor.send(SIGN_UP, &[("email", "nobody"), ("username", "a b"), ("password", "short")]).await;
        visitor.see("signup", "signup-errors").await;
        visitor.send(SIGN_UP, &[("csrf_token", "stale")]).await;
        visitor.see("signup", "signup-stale").await;
        visitor.go("/auth/login").await;
        visitor.see("login", "login").await;
        visitor.send(LOG_IN, &[("email", EMAIL), ("password", "wrong")]).await;
        visitor.see("login", "login-error").await;
    }
}

async fn password_reset_pages() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        visitor.sign_up(EMAIL).await;
        visitor.app.database().execute("UPDATE users SET email_verified_at = created_at").await;
        visitor.go("/auth/password/forgot").await;
        visitor.see("password_forgot", "forgot").await;
        visitor.send("form", &[("email", "nobody")]).await;
        visitor.see("password_forgot", "forgot-wrong").await;
        visitor.send("form", &[("email", EMAIL)]).await;
        visitor.see("reset_sent", "reset-sent").await;
        let (link, _) = visitor.mailed_link(EMAIL, "/auth/password/reset/").await;
        visitor.go(&link).await;
        visitor.see("password_reset", "reset").await;
        visitor.send("form", &[("password", "password1")]).await;
        visitor.see("password_reset", "reset-wrong").await;
        visitor.send("form", &[("password", "a second lighthouse in the fog")]).await;
        visitor.see("account", "account-reset").await;
        // After the reset of an account whose authenticator app was lost with the secret key.
        visitor.clear_cookies().await;
        visitor.go("/auth/login?notice=password-set").await;
        visitor.see("login", "login-notice").await;
        visitor.go(&link).await;
        visitor.see("link_outcome", "reset-over").await;
    }
}

async fn password_reset_pages_of_unverified_address() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[("SVC_EMAIL_VERIFICATION", "optional")]).await;
        let client = visitor.sign_up(EMAIL).await;
        client.post_form("/auth/password/forgot", &[("email", EMAIL)]).await.expect(303);
        let (link, _) = visitor.mailed_link(EMAIL, "/auth/password/reset/").await;
        visitor.go(&link).await;
        visitor.see("password_reset", "reset-unverified").await;
        visitor.send("form", &[("account", "anew"), ("password", "short")]).await;
        visitor.see("password_reset", "reset-answered").await;
        visitor.go(&link).await;
        visitor.send("form", &[("password", "a second lighthouse in the fog")]).await;
        visitor.see("password_reset", "reset-unanswered").await;
    }
}

async fn closed_sign_up_pages() {
    for language in LANGUAGES {
        let visitor =
            Visitor::open(language, &[("SVC_SIGNUP", "closed"), ("SVC_EMAIL_VERIFICATION", "required")]).await;
        visitor.go("/auth/signup").await;
        visitor.see("signup_refused", "signup-closed").await;
        let (token, _) = doorward::domain::registration::setup::issue(&visitor.app.app, &Principal::operator())
            .await
            .unwrap()
            .unwrap();
        visitor.go(&format!("/auth/setup/{}", token.text())).await;
        visitor.see("signup", "signup-setup").await;
        visitor.go("/auth/setup/nothing").await;
        visitor.see("link_outcome", "setup-over").await;
        visitor.go("/auth/login").await;
        visitor.send(LOG_IN, &[("email", EMAIL), ("password", "wrong")]).await;
        visitor.see("login", "login-note").await;
        let visitor = Visitor::open(language, &[("SVC_EMAIL_VERIFICATION", "required")]).await;
        visitor.go("/auth/signup").await;
        visitor.see("signup", "signup-numbered").await;
        let visitor = Visitor::open(language, &[("SVC_SIGNUP", "invite")]).await;
        visitor.go("/auth/signup").await;
        visitor.see("signup_refused", "signup-invite").await;
        visitor.go("/auth/signup?invitation=nothing").await;
        visitor.see("signup_refused", "signup-void").await;
    }
}

async fn logout_and_refusal_pages() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        visitor.sign_up(EMAIL).await;
        visitor.log_in(EMAIL).await;
        visitor.send("header form", &[("csrf_token", "stale")]).await;
        visitor.see("logout", "logout").await;
        visitor.go("/auth/logout").await;
        visitor.see("logout", "logout-link").await;
        visitor.go("/auth/login?return_to=%2Fauth%2Fhealth").await;
        visitor.see("refused_by_application", "logged-in").await;
        visitor.follow("/auth/login?return_to=%2Fauth%2Fhealth").await;
        visitor.see("refused_by_application", "refused").await;
        let user = visitor.app.database().texts("SELECT username FROM users").await.remove(0);
        let found = doorward::domain::account::operator::find(&visitor.app.app.store, &Principal::operator(), &user)
            .await
            .unwrap();
        assert!(crate::operators::set_disabled(&visitor.app.app, found.id, true).await.unwrap());
        visitor.clear_cookies().await;
        visitor.go("/auth/login").await;
        visitor.send(LOG_IN, &[("email", EMAIL), ("password", PASSWORD)]).await;
        visitor.see("disabled", "disabled").await;
    }
}
