//! What people do with their accounts. Each has the password of the tests.

use super::{LAPTOP, Maker, PHONE, code, link};
use crate::harness::{Authenticator, Client, PASSWORD, eventually, wrong_code};
use crate::organizations::user_id;
use doorward::clock::Clock;
use std::time::Duration;

/// Lou had an authenticator app when the operator lost the secret key.
pub(super) async fn loses_factors(maker: &Maker) {
    let lou = maker.sign_up("lou@example.com").await;
    set_up_app(&lou, Duration::ZERO).await;
}

/// Turns two-factor authentication on with the code from some time ago, so that later ones are left; returns the key and
/// the recovery codes.
pub(super) async fn set_up_app(client: &Client, ago: Duration) -> (String, Vec<String>) {
    client.post_form("/auth/account/two-factor", &[]).await.expect(303);
    let page = client.get("/auth/account/two-factor").await.expect(200);
    let key = Authenticator::key_on_page(&page.text());
    let code = Authenticator::from_key(&key).code_at(Clock::system().now() - ago);
    let shown = client.post_form("/auth/account/two-factor/confirm", &[("code", &code)]).await.expect(200);
    (key, crate::harness::recovery_codes(&shown))
}

pub(super) async fn act(maker: &mut Maker) {
    bob_ends_sessions(maker).await;
    address_changes_hands(maker).await;
    addresses_and_passwords_change(maker).await;
    sessions_are_stolen(maker).await;
    some_do_not_finish(maker).await;
    let gil = maker.sign_up("gil@example.com").await;
    maker.facts.deleted_user = user_id(&gil).await;
    gil.post_form("/auth/account/delete", &[("password", PASSWORD)]).await.expect(200);
}

async fn bob_ends_sessions(maker: &mut Maker) {
    let bob = maker.sign_up("bob@example.com").await;
    let others = [maker.log_in("bob@example.com").await, maker.log_in("bob@example.com").await];
    let page = bob.get("/auth/account/sessions").await.expect(200).text();
    let end = page.split("action=\"").find(|part| part.starts_with("/auth/account/sessions/0")).unwrap();
    bob.post_form(end.split('"').next().unwrap(), &[]).await.expect(303);
    bob.post_form("/auth/account/sessions/end-others", &[]).await.expect(303);
    for other in others {
        other.refresh("app").await.expect(401);
    }
    maker.log_in("bob@example.com").await.log_out().await.expect(204);
    maker.browser(PHONE).log_in("bob@example.com", "not the password").await.expect(401);
    bob.post_form("/auth/account/confirm", &[("password", "not the password")]).await.expect(422);
    bob.post_form("/auth/account/confirm", &[("password", PASSWORD)]).await.expect(303);
    for name in ["bobby", "robert"] {
        bob.post_form("/auth/account/username", &[("username", name)]).await.expect(303);
    }
    bob.post_form("/auth/account/name", &[("name", "Bob Builder")]).await.expect(303);
    let fields = [("current", PASSWORD), ("password", "a second lighthouse in the fog")];
    bob.post_form("/auth/account/password", &fields).await.expect(303);
    let fields = [("current", "a second lighthouse in the fog"), ("password", PASSWORD)];
    bob.post_form("/auth/account/password", &fields).await.expect(303);
    set_up_app(&bob, Duration::ZERO).await;
    bob.post_form("/auth/account/recovery-codes", &[]).await.expect(200);
    bob.post_form("/auth/account/two-factor/remove", &[("password", PASSWORD)]).await.expect(303);
    bob.post_form("/auth/account/export", &[]).await.expect(200);
    bob.get("/auth/language?to=de&return_to=%2Fauth%2Faccount").await.expect(303);
    maker.keep(&bob, "bob", "password");
    let again = maker.log_in("bob@example.com").await;
    maker.keep(&again, "bob", "password");
}

/// Eve never verified the address, which is Fay's: a mailed link is how Fay's session began.
async fn address_changes_hands(maker: &mut Maker) {
    let eve = maker.browser(LAPTOP);
    let fields = [("email", "fay@example.com"), ("username", "eve"), ("password", PASSWORD)];
    eve.post_form("/auth/signup", &fields).await.expect(303);
    let fay = maker.browser(LAPTOP);
    fay.sign_up("fay@example.com").await.expect(303);
    let link = link(&maker.mail("fay@example.com", "Finish signing up").await);
    let question = fay.post_form(&link, &[]).await.expect(200).text();
    let holder = question.split("name=\"holder\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    fay.post_form(&link, &[("account", "anew"), ("holder", holder)]).await.expect(303);
    maker.keep(&eve, "eve", "password");
    maker.keep(&fay, "fay", "password,mailed_link");
}

async fn addresses_and_passwords_change(maker: &mut Maker) {
    for (old, new) in [("hal@example.com", "hal@new.example"), ("joe@example.com", "joe@new.example")] {
        let client = maker.sign_up(old).await;
        client.post_form("/auth/account/email", &[("email", new)]).await.expect(303);
        client.post_form(&link(&maker.mail(new, "Verify your new").await), &[]).await.expect(303);
        if old.starts_with("hal") {
            let undo = link(&maker.mail(old, "Your email address was changed").await);
            client.post_form(&undo, &[]).await.expect(303);
        } else {
            client.post_form("/auth/account/email", &[("email", "joe@newer.example")]).await.expect(303);
            maker.keep(&client, "joe", "password");
        }
    }
    let ivy = maker.browser(LAPTOP);
    ivy.sign_up("ivy@example.com").await.expect(303);
    let other = maker.log_in("ivy@example.com").await;
    let code = code(&maker.mail("ivy@example.com", "Verify your").await);
    ivy.post_form("/auth/email/verify", &[("code", &code)]).await.expect(303);
    other.refresh("app").await.expect(401);
    ivy.post_form("/auth/password/forgot", &[("email", "ivy@example.com")]).await.expect(303);
    let reset = link(&maker.mail("ivy@example.com", "Reset your password").await);
    ivy.post_form(&reset, &[("password", PASSWORD)]).await.expect(303);
    // This link is not used.
    ivy.post_form("/auth/password/forgot", &[("email", "ivy@example.com")]).await.expect(303);
}

/// A copy of a browser uses a refresh token that was replaced.
async fn sessions_are_stolen(maker: &mut Maker) {
    let kim = maker.sign_up("kim@example.com").await;
    let thief = kim.copy();
    kim.refresh("app").await.expect(200);
    kim.refresh("app").await.expect(200);
    // Within the grace period it is answered.
    let is_refused = async || (thief.copy().refresh("app").await.status == 401).then_some(());
    eventually("the theft is noticed", is_refused).await;
    maker.wait_for("SELECT count(*) FROM audit WHERE kind = 'reuse_detected'").await;
    let kim = maker.log_in("kim@example.com").await;
    maker.keep(&kim, "kim", "password");
}

/// Dan has not verified his address, and typed a wrong code; Uma has not finished signing up.
async fn some_do_not_finish(maker: &mut Maker) {
    let dan = maker.browser(LAPTOP);
    dan.sign_up("dan@example.com").await.expect(303);
    let right = code(&maker.mail("dan@example.com", "Verify your").await);
    dan.post_form("/auth/email/verify", &[("code", &wrong_code(&right))]).await.expect(422);
    maker.keep(&dan, "dan", "password");
    let uma = maker.browser(LAPTOP);
    uma.sign_up("dan@example.com").await.expect(303);
    maker.mail("dan@example.com", "Finish signing up").await;
}
