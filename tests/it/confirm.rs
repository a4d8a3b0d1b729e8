//! Step-up: sensitive changes require reauthentication.

use crate::harness::{Client, Engine};
use std::time::Duration;

both_engines![
    reauthentication_is_required_after_15_minutes,
    session_of_previous_version_counts_from_its_login,
    wrong_password_or_csrf_token_does_not_reauthenticate,
];

const PASSWORD: &str = "a lighthouse in the fog";
const CONFIRM: &str = "/auth/account/confirm?return_to=%2Fnext%3Fa%3Db";

/// Whether the client has to reauthenticate.
async fn must_reauthenticate(client: &Client) -> bool {
    match client.get(CONFIRM).await {
        reply if reply.status == 200 => true,
        reply => {
            assert_eq!(reply.expect(303).location(), "/next?a=b");
            false
        }
    }
}

async fn reauthentication_is_required_after_15_minutes(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    assert!(!must_reauthenticate(&ada).await);
    app.clock().advance(Duration::from_mins(15) - Duration::from_secs(2));
    assert!(!must_reauthenticate(&ada).await);
    app.clock().advance(Duration::from_secs(2));
    assert!(must_reauthenticate(&ada).await);
    ada.refresh("app").await.expect(200);
    assert!(must_reauthenticate(&ada).await, "a refresh does not reauthenticate");
    let page = ada.get(CONFIRM).await.expect(200).text();
    assert!(page.contains("value=\"ada\"") && page.contains("name=\"return_to\" value=\"/next?a=b\""), "{page}");
    let fields = [("password", PASSWORD), ("return_to", "/next?a=b")];
    assert_eq!(ada.post_form("/auth/account/confirm", &fields).await.expect(303).location(), "/next?a=b");
    assert!(!must_reauthenticate(&ada).await);
    let recorded = "SELECT count(*) FROM audit WHERE kind = 'confirmed'";
    assert_eq!(app.database().count(recorded).await, 1);
    // Other sessions of the same user are not affected.
    let elsewhere = app.anonymous();
    elsewhere.log_in("ada", PASSWORD).await.expect(303);
    app.clock().advance(Duration::from_mins(15));
    ada.post_form("/auth/account/confirm", &fields).await.expect(303);
    assert!(must_reauthenticate(&elsewhere).await);
    let nobody = app.anonymous().get(CONFIRM).await.expect(303);
    assert_eq!(nobody.location(), "/auth/login?return_to=%2Fnext%3Fa%3Db");
}

async fn session_of_previous_version_counts_from_its_login(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    // As the previous version stored it.
    app.database().execute("UPDATE sessions SET authenticated_at = NULL").await;
    assert!(!must_reauthenticate(&ada).await);
    app.clock().advance(Duration::from_mins(15));
    assert!(must_reauthenticate(&ada).await);
}

async fn wrong_password_or_csrf_token_does_not_reauthenticate(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    app.clock().advance(Duration::from_mins(15));
    let page = ada.post_form("/auth/account/confirm", &[("password", "not the password at all")]).await.expect(422);
    assert!(page.text().contains("Wrong password.") && !page.text().contains("not the password at all"));
    ada.form("/auth/account/confirm", &[("password", PASSWORD), ("csrf_token", "forged")]).await.expect(403);
    assert!(must_reauthenticate(&ada).await);
    for _ in 0..9 {
        ada.post_form("/auth/account/confirm", &[("password", "not the password at all")]).await.expect(422);
    }
    let page = ada.post_form("/auth/account/confirm", &[("password", PASSWORD)]).await.expect(429);
    assert!(page.header("retry-after").is_some());
}
