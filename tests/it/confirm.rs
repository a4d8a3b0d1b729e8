//! Step-up: before what protects the account is changed, its user proves again who they are.

use crate::harness::{Client, Engine};
use std::time::Duration;

both![
    a_log_in_counts_for_a_while_then_the_password_is_asked_for,
    a_session_from_before_counts_from_its_log_in,
    a_confirmation_that_was_not_meant_or_not_right_changes_nothing,
];

const PASSWORD: &str = "a lighthouse in the fog";
const CONFIRM: &str = "/auth/account/confirm?return_to=%2Fnext%3Fa%3Db";

/// Whether the account still has to be confirmed.
async fn is_asked(client: &Client) -> bool {
    match client.get(CONFIRM).await {
        reply if reply.status == 200 => true,
        reply => {
            assert_eq!(reply.expect(303).location(), "/next?a=b");
            false
        }
    }
}

async fn a_log_in_counts_for_a_while_then_the_password_is_asked_for(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    assert!(!is_asked(&ada).await);
    app.clock().advance(Duration::from_mins(15) - Duration::from_secs(2));
    assert!(!is_asked(&ada).await);
    app.clock().advance(Duration::from_secs(2));
    assert!(is_asked(&ada).await);
    ada.refresh("app").await.expect(200);
    assert!(is_asked(&ada).await, "a refresh proves nothing");
    let page = ada.get(CONFIRM).await.expect(200).text();
    assert!(page.contains("value=\"ada\"") && page.contains("name=\"return_to\" value=\"/next?a=b\""), "{page}");
    let fields = [("password", PASSWORD), ("return_to", "/next?a=b")];
    assert_eq!(ada.post_form("/auth/account/confirm", &fields).await.expect(303).location(), "/next?a=b");
    assert!(!is_asked(&ada).await);
    let recorded = "SELECT count(*) FROM audit WHERE kind = 'confirmed'";
    assert_eq!(app.database().count(recorded).await, 1);
    // Another session of the same user is another matter.
    let elsewhere = app.anonymous();
    elsewhere.log_in("ada", PASSWORD).await.expect(303);
    app.clock().advance(Duration::from_mins(15));
    ada.post_form("/auth/account/confirm", &fields).await.expect(303);
    assert!(is_asked(&elsewhere).await);
    let nobody = app.anonymous().get(CONFIRM).await.expect(303);
    assert_eq!(nobody.location(), "/auth/login?return_to=%2Fnext%3Fa%3Db");
}

async fn a_session_from_before_counts_from_its_log_in(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    // As the previous version writes it.
    app.database().execute("UPDATE sessions SET authenticated_at = NULL").await;
    assert!(!is_asked(&ada).await);
    app.clock().advance(Duration::from_mins(15));
    assert!(is_asked(&ada).await);
}

async fn a_confirmation_that_was_not_meant_or_not_right_changes_nothing(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    app.clock().advance(Duration::from_mins(15));
    let page = ada.post_form("/auth/account/confirm", &[("password", "not the password at all")]).await.expect(422);
    assert!(page.text().contains("This is not your password.") && !page.text().contains("not the password at all"));
    ada.form("/auth/account/confirm", &[("password", PASSWORD), ("csrf_token", "forged")]).await.expect(403);
    assert!(is_asked(&ada).await);
    for _ in 0..9 {
        ada.post_form("/auth/account/confirm", &[("password", "not the password at all")]).await.expect(422);
    }
    let page = ada.post_form("/auth/account/confirm", &[("password", PASSWORD)]).await.expect(429);
    assert!(page.header("retry-after").is_some());
}
