//! The account's own second factor, before an account at a provider is connected that may show one in its place.

use crate::harness::{Authenticator, Client, Engine, PASSWORD};
use crate::provider_logins::{Stage, begin_to_connect, connect, return_path, update};
use doorward::domain::provider::fields::ProviderFields;
use serde_json::json;
use std::time::Duration;

one_engine![
    offer_asks_administrators_for_their_factor,
    trusted_provider_is_connected_after_the_factor_was_shown,
    provider_that_is_trusted_meanwhile_is_not_connected,
];

const OFFER: &str = "/auth/login/with/dev/connect";
const CODE: &str = "/auth/account/confirm/code?mfa=1";

async fn stage(engine: Engine, mfa: &str) -> Stage {
    let claims = json!({ "amr": ["pwd", "otp"] });
    let ada = json!({ "sub": "ada", "email": "ada@example.com", "email_verified": true, "claims": claims });
    let fields = ProviderFields { mfa: Some(mfa.to_owned()), ..ProviderFields::default() };
    let builder = engine.prepare().await.set("SVC_RATE_LIMIT", "off");
    Stage::with(builder, json!([ada, { "sub": "other", "claims": claims }]), fields).await
}

/// A browser that the account trusts, where its person has just logged in with the password alone.
async fn on_a_trusted_device(stage: &Stage) -> (Client, Authenticator) {
    let app = &stage.app;
    let (phone, _) = app.sign_up("ada@example.com").await.turn_on_two_factor(app).await;
    app.database().execute("UPDATE users SET email_verified_at = created_at").await;
    let browser = app.anonymous();
    browser.log_in("ada", PASSWORD).await.expect(303);
    let code = phone.next_code(app);
    browser.post_form("/auth/login/second-factor", &[("code", &code), ("remember", "yes")]).await.expect(303);
    browser.log_out().await.expect(204);
    app.clock().advance(Duration::from_secs(1));
    (browser, phone)
}

/// The offer to connect, in a browser that then logs in with the password; returns its state.
async fn take_the_offer(stage: &Stage, browser: &Client) -> String {
    let fields = stage.begin(browser, "login_hint=ada").await;
    browser.get(&return_path(&fields)).await.expect(200);
    browser.log_in("ada", PASSWORD).await.expect(303);
    let session = browser.get("/auth/api/v2/session").await.expect(200).json();
    assert_eq!(session["session"]["methods"], json!(["password", "trusted_device"]), "{session}");
    fields["state"].clone()
}

async fn expect_factor(stage: &Stage, browser: &Client, path: &str, fields: &[(&str, &str)], phone: &Authenticator) {
    let asked = browser.post_form(path, fields).await.expect(303);
    let location = asked.location();
    assert!(location.starts_with("/auth/account/confirm?return_to=") && location.ends_with("&mfa=1"), "{location}");
    assert_eq!(stage.identities().await, 0);
    browser.post_form(CODE, &[("code", &phone.next_code(&stage.app))]).await.expect(303);
}

async fn offer_asks_administrators_for_their_factor(engine: Engine) {
    for (role, asks) in [("''", false), ("'admin'", true)] {
        let stage = stage(engine, "ask").await;
        let (browser, phone) = on_a_trusted_device(&stage).await;
        stage.app.database().execute(&format!("UPDATE users SET roles = {role}")).await;
        let offer = take_the_offer(&stage, &browser).await;
        if asks {
            expect_factor(&stage, &browser, OFFER, &[("state", &offer)], &phone).await;
        }
        browser.post_form(OFFER, &[("state", &offer)]).await.expect(303);
        assert_eq!(stage.identities().await, 1);
    }
}

async fn trusted_provider_is_connected_after_the_factor_was_shown(engine: Engine) {
    let stage = stage(engine, "trust").await;
    let (browser, phone) = on_a_trusted_device(&stage).await;
    let offer = take_the_offer(&stage, &browser).await;
    expect_factor(&stage, &browser, OFFER, &[("state", &offer)], &phone).await;
    browser.post_form(OFFER, &[("state", &offer)]).await.expect(303);
    assert_eq!(stage.identities().await, 1);
    // On the page of the account, too.
    stage.app.database().execute("DELETE FROM identities").await;
    browser.log_out().await.expect(204);
    stage.app.clock().advance(Duration::from_secs(1));
    browser.log_in("ada", PASSWORD).await.expect(303);
    expect_factor(&stage, &browser, "/auth/account/connections/dev", &[], &phone).await;
    connect(&stage.provider, &browser, "other").await.expect(303);
    assert_eq!(stage.identities().await, 1);
    // An account without a factor has none to show.
    let bob = stage.app.sign_up("bob@example.com").await;
    connect(&stage.provider, &bob, "ada").await.expect(303);
    assert_eq!(stage.identities().await, 2);
}

async fn provider_that_is_trusted_meanwhile_is_not_connected(engine: Engine) {
    let stage = stage(engine, "ask").await;
    let (browser, _) = on_a_trusted_device(&stage).await;
    browser.log_in("ada", PASSWORD).await.expect(303);
    let address = format!("{}&login_hint=ada", begin_to_connect(&browser, "dev").await);
    update(&stage, ProviderFields { mfa: Some("trust".to_owned()), ..ProviderFields::default() }).await;
    browser.get(&return_path(&stage.provider.visit(&address).await)).await.expect(401);
    assert_eq!(stage.identities().await, 0);
}
