//! Proofs of addresses, and changes of them.

use super::room::{EMAIL, PASSWORD};
use super::{LANGUAGES, Language, Room};
use crate::harness::wrong_code;
use std::time::Duration;

browser![an_address_is_proved, an_address_is_changed, links_that_lead_nowhere];

const PROOF: &str = "/auth/email/verify/";
const OTHER: &str = "grace@example.org";
const NEW: &str = "admiral.hopper@example.org";

async fn asking_for_proof(language: Language) -> Room {
    let room = Room::open(language, &[("SVC_EMAIL_VERIFICATION", "optional")]).await;
    room.person(EMAIL).await;
    room.log_in(EMAIL).await;
    room
}

async fn an_address_is_proved() {
    for language in LANGUAGES {
        let room = asking_for_proof(language).await;
        room.see("account", "account-unproved").await;
        room.go("/auth/email/verify").await;
        room.see("email_verify", "verify").await;
        let (link, code) = room.mailed(EMAIL, PROOF).await;
        room.send("form[action='/auth/email/verify']", &[("code", &wrong_code(&code.unwrap()))]).await;
        room.see("email_verify", "verify-wrong").await;
        room.app.clock().advance(Duration::from_mins(2));
        room.send("form[action$='/resend']", &[]).await;
        room.see("email_verify", "verify-again").await;
        let (newer, _) = room.mailed(EMAIL, PROOF).await;
        assert_ne!(newer, link);
        room.go(&newer).await;
        room.see("email_confirm", "confirm-email").await;
        room.app.clock().advance(Duration::from_hours(25));
        room.go("/auth/email/verify").await;
        room.see("email_verify", "verify-unsent").await;
        room.send("form[action$='/resend']", &[]).await;
        let (link, _) = room.mailed(EMAIL, PROOF).await;
        room.leave().await;
        room.go(&link).await;
        room.see("email_confirm", "confirm-email-elsewhere").await;
        room.send("main form", &[("password", "wrong")]).await;
        room.see("email_confirm", "confirm-email-wrong").await;
        room.send("main form", &[("password", PASSWORD)]).await;
        room.see("login", "login-confirmed").await;
        room.go(&link).await;
        room.see("link_outcome", "proof-over").await;
    }
}

/// Proves the address of whoever is logged in.
async fn prove(room: &Room) {
    let (link, _) = room.mailed(EMAIL, PROOF).await;
    room.go(&link).await;
    room.send("main form", &[]).await;
}

async fn an_address_is_changed() {
    const CHANGE: &str = "form[action='/auth/account/email']";
    for language in LANGUAGES {
        let room = asking_for_proof(language).await;
        prove(&room).await;
        room.go("/auth/account/email").await;
        room.see("account_email", "account-email").await;
        room.send(CHANGE, &[("email", "nobody")]).await;
        room.see("account_email", "account-email-wrong").await;
        room.send(CHANGE, &[("email", NEW)]).await;
        room.see("account_email", "account-email-pending").await;
        let (_, code) = room.mailed(NEW, PROOF).await;
        let code = code.unwrap();
        room.send("form[action$='/confirm']", &[("code", &wrong_code(&code))]).await;
        room.see("account_email", "account-email-code").await;
        room.send("form[action$='/confirm']", &[("code", &code)]).await;
        room.see("account_email", "account-email-changed").await;
        let (undo, _) = room.mailed(EMAIL, "/auth/email/undo/").await;
        room.go(&undo).await;
        room.see("email_undo", "undo").await;
        room.send("main form", &[("csrf_token", "stale")]).await;
        room.see("email_undo", "undo-stale").await;
        room.send("main form", &[]).await;
        room.see("password_reset", "reset-after-undo").await;
        room.go(&undo).await;
        room.see("link_outcome", "undo-over").await;
    }
}

async fn links_that_lead_nowhere() {
    for language in LANGUAGES {
        let room = asking_for_proof(language).await;
        prove(&room).await;
        room.go("/auth/account/email").await;
        room.send("form[action='/auth/account/email']", &[("email", NEW)]).await;
        let (link, _) = room.mailed(NEW, PROOF).await;
        // Somebody proves the address first.
        room.person(NEW).await;
        room.go(&link).await;
        room.send("main form", &[]).await;
        room.see("link_outcome", "address-taken").await;
        room.go("/auth/account/email").await;
        room.send("form[action='/auth/account/email']", &[("email", "third@example.org")]).await;
        let (link, _) = room.mailed("third@example.org", PROOF).await;
        room.person(OTHER).await;
        room.log_in(OTHER).await;
        room.go(&link).await;
        room.see("link_outcome", "link-other").await;
        an_invitation_ends_before_the_proof(room).await;
    }
}

async fn an_invitation_ends_before_the_proof(mut room: Room) {
    let ada = room.person("ada@example.org").await;
    let team = crate::organizations::create_team(&ada, "Crew").await;
    let shown = crate::invitations::invite(&ada, &team, "bob@example.org", "member").await;
    room.app = room.app.restart_with(&[("SVC_EMAIL_VERIFICATION", "required"), ("SVC_SIGNUP", "invite")]).await;
    room.leave().await;
    room.go(&format!("/auth/signup?invitation={}", shown.rsplit('/').next().unwrap())).await;
    room.send("form[action='/auth/signup']", &[("password", PASSWORD)]).await;
    room.see("email_verify", "verify-before-sign-up").await;
    let (link, _) = room.mailed("bob@example.org", PROOF).await;
    room.app.database().execute("UPDATE invitations SET state = 'revoked'").await;
    room.go(&link).await;
    room.send("main form", &[]).await;
    room.see("link_outcome", "proof-invitation-void").await;
}
