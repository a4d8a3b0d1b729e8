//! Email verification and email change.

use super::visitor::{EMAIL, PASSWORD};
use super::{LANGUAGES, Language, Visitor};
use crate::harness::wrong_code;
use std::time::Duration;

browser![address_verification_pages, whose_account_pages, address_change_pages, invalid_link_pages];

const VERIFY_PATH: &str = "/auth/email/verify/";
const OTHER_ADDRESS: &str = "grace@example.org";
const NEW_PASSWORD: &str = "a second lighthouse in the fog";
const NEW_ADDRESS: &str = "admiral.hopper@example.org";

async fn with_email_verification(language: Language) -> Visitor {
    let visitor = Visitor::open(language, &[("SVC_EMAIL_VERIFICATION", "optional")]).await;
    visitor.sign_up(EMAIL).await;
    visitor.log_in(EMAIL).await;
    visitor
}

async fn address_verification_pages() {
    for language in LANGUAGES {
        let visitor = with_email_verification(language).await;
        visitor.see("account", "account-unproved").await;
        visitor.go("/auth/email/verify").await;
        visitor.see("email_verify", "verify").await;
        let (link, code) = visitor.mailed_link(EMAIL, VERIFY_PATH).await;
        visitor.send("form[action='/auth/email/verify']", &[("code", &wrong_code(&code.unwrap()))]).await;
        visitor.see("email_verify", "verify-wrong").await;
        visitor.app.clock().advance(Duration::from_mins(2));
        visitor.send("form[action$='/resend']", &[]).await;
        visitor.see("email_verify", "verify-again").await;
        let (newer, _) = visitor.mailed_link(EMAIL, VERIFY_PATH).await;
        assert_ne!(newer, link);
        visitor.go(&newer).await;
        visitor.see("email_confirm", "confirm-email").await;
        visitor.app.clock().advance(Duration::from_mins(11));
        visitor.go("/auth/email/verify").await;
        visitor.see("email_verify", "verify-spent").await;
        visitor.app.clock().advance(Duration::from_hours(25));
        visitor.go("/auth/email/verify").await;
        visitor.see("email_verify", "verify-unsent").await;
        visitor.send("form[action$='/resend']", &[]).await;
        let (link, _) = visitor.mailed_link(EMAIL, VERIFY_PATH).await;
        visitor.clear_cookies().await;
        visitor.go(&link).await;
        visitor.see("email_confirm", "confirm-email-elsewhere").await;
        visitor.send("main form", &[("password", "wrong")]).await;
        visitor.see("email_confirm", "confirm-email-wrong").await;
        visitor.send("main form", &[("password", PASSWORD)]).await;
        visitor.see("login", "login-confirmed").await;
        visitor.go(&link).await;
        visitor.see("link_outcome", "verification-over").await;
    }
}

/// Verifies the address of the logged-in user.
async fn verify_address(visitor: &Visitor) {
    let (link, _) = visitor.mailed_link(EMAIL, VERIFY_PATH).await;
    visitor.go(&link).await;
    visitor.send("main form", &[]).await;
}

async fn whose_account_pages() {
    const QUESTION: &str = "form:has([name='holder'])";
    for language in LANGUAGES {
        let mut visitor = Visitor::open(language, &[("SVC_EMAIL_VERIFICATION", "optional")]).await;
        let old = visitor.sign_up(EMAIL).await;
        crate::organizations::create_team(&old, "Donaudampfschifffahrtsgesellschaftskapitänsmützenabteilung").await;
        visitor.go("/auth/signup").await;
        visitor.send("form[action='/auth/signup']", &[("email", EMAIL), ("password", NEW_PASSWORD)]).await;
        let (link, code) = visitor.mailed_link(EMAIL, VERIFY_PATH).await;
        visitor.send("form[action='/auth/email/verify']", &[("code", &code.unwrap())]).await;
        visitor.see("whose_account", "whose-account").await;
        visitor.go(&link).await;
        visitor.send("main form", &[]).await;
        visitor.send(QUESTION, &[]).await;
        visitor.see("whose_account", "whose-account-wrong").await;
        visitor.send(QUESTION, &[("account", "anew")]).await;
        // The other account, by its username.
        let username = EMAIL.split('@').next().unwrap();
        visitor.log_in(username).await;
        visitor.see("account_email", "account-email-missing").await;
        visitor.go("/auth/account").await;
        visitor.see("account", "account-without-address").await;
        visitor.app = visitor.app.restart_with(&[("SVC_EMAIL_VERIFICATION", "required")]).await;
        visitor.log_in(username).await;
        visitor.see("login_address", "log-in-address").await;
        visitor.send("form[action='/auth/login/address']", &[("email", "nobody")]).await;
        visitor.see("login_address", "log-in-address-wrong").await;
    }
}

async fn address_change_pages() {
    const CHANGE: &str = "form[action='/auth/account/email']";
    for language in LANGUAGES {
        let visitor = with_email_verification(language).await;
        verify_address(&visitor).await;
        visitor.go("/auth/account/email").await;
        visitor.see("account_email", "account-email").await;
        visitor.send(CHANGE, &[("email", "nobody")]).await;
        visitor.see("account_email", "account-email-wrong").await;
        visitor.send(CHANGE, &[("email", NEW_ADDRESS)]).await;
        visitor.see("account_email", "account-email-pending").await;
        let (_, code) = visitor.mailed_link(NEW_ADDRESS, VERIFY_PATH).await;
        let code = code.unwrap();
        visitor.send("form[action$='/confirm']", &[("code", &wrong_code(&code))]).await;
        visitor.see("account_email", "account-email-code").await;
        visitor.send("form[action$='/confirm']", &[("code", &code)]).await;
        visitor.see("account_email", "account-email-changed").await;
        let (undo, _) = visitor.mailed_link(EMAIL, "/auth/email/undo/").await;
        visitor.go(&undo).await;
        visitor.see("email_undo", "undo").await;
        visitor.send("main form", &[("csrf_token", "stale")]).await;
        visitor.see("email_undo", "undo-stale").await;
        visitor.send("main form", &[]).await;
        visitor.see("password_reset", "reset-after-undo").await;
        visitor.go(&undo).await;
        visitor.see("link_outcome", "undo-over").await;
    }
}

async fn invalid_link_pages() {
    for language in LANGUAGES {
        let visitor = with_email_verification(language).await;
        verify_address(&visitor).await;
        visitor.go("/auth/account/email").await;
        visitor.send("form[action='/auth/account/email']", &[("email", NEW_ADDRESS)]).await;
        let (link, _) = visitor.mailed_link(NEW_ADDRESS, VERIFY_PATH).await;
        // Another account gets the address first.
        visitor.sign_up(NEW_ADDRESS).await;
        visitor.go(&link).await;
        visitor.send("main form", &[]).await;
        visitor.see("link_outcome", "address-taken").await;
        visitor.go("/auth/account/email").await;
        visitor.send("form[action='/auth/account/email/cancel']", &[]).await;
        visitor.send("form[action='/auth/account/email']", &[("email", "third@example.org")]).await;
        let (link, _) = visitor.mailed_link("third@example.org", VERIFY_PATH).await;
        visitor.sign_up(OTHER_ADDRESS).await;
        visitor.log_in(OTHER_ADDRESS).await;
        visitor.go(&link).await;
        visitor.see("link_outcome", "link-other").await;
        invitation_revoked_before_verification(visitor).await;
    }
}

async fn invitation_revoked_before_verification(mut visitor: Visitor) {
    let ada = visitor.sign_up("ada@example.org").await;
    visitor.app.database().execute("UPDATE users SET email_verified_at = created_at").await;
    let team = crate::organizations::create_team(&ada, "Crew").await;
    let shown = crate::invitations::invite(&ada, &team, "bob@example.org", "member").await;
    visitor.app = visitor.app.restart_with(&[("SVC_EMAIL_VERIFICATION", "required"), ("SVC_SIGNUP", "invite")]).await;
    visitor.clear_cookies().await;
    visitor.go(&format!("/auth/signup?invitation={}", shown.rsplit('/').next().unwrap())).await;
    visitor.send("form[action='/auth/signup']", &[("password", PASSWORD)]).await;
    visitor.see("email_verify", "verify-before-sign-up").await;
    let (link, _) = visitor.mailed_link("bob@example.org", VERIFY_PATH).await;
    visitor.app.database().execute("UPDATE invitations SET state = 'revoked'").await;
    visitor.go(&link).await;
    visitor.send("main form", &[]).await;
    visitor.see("link_outcome", "verification-invitation-void").await;
}
