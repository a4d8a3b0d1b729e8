//! Unverified accounts that are replaced when the owner of the address verifies it (docs/decisions/0007).

use crate::harness::{Client, Engine, Receiver, TestApp, link_of};
use crate::invitations::invite;
use crate::organizations::{PASSWORD, create_team, user_id};

both_engines![
    verified_sign_up_replaces_squatters_account,
    organization_with_members_passes_to_highest_member,
    reset_asks_whose_account_it_is_and_keeps_it_by_default,
    reset_can_replace_unverified_account,
    reset_never_replaces_verified_account,
];

const NEW_PASSWORD: &str = "a second lighthouse in the fog";
const SIGN_UP_SUBJECT: &str = "Finish signing up";
const RESET_SUBJECT: &str = "Set a new password";

/// An attacker who signed up with someone else's address.
async fn attacker(app: &TestApp, email: &str, username: &str) -> Client {
    let eve = app.anonymous();
    let fields = [("email", email), ("username", username), ("password", PASSWORD)];
    eve.post_form("/auth/signup", &fields).await.expect(303);
    eve
}

/// A new user who joins a team.
async fn member(app: &TestApp, owner: &Client, team: &str, email: &str, role: &str) -> Client {
    let client = app.sign_up(email).await;
    let link = invite(owner, team, email, role).await;
    client.post_form(&format!("{link}/accept"), &[]).await.expect(303);
    client
}

/// Signs up with an address and verifies it.
async fn sign_up_verified(app: &TestApp, email: &str) -> Client {
    let ada = app.anonymous();
    ada.post_form("/auth/signup", &[("email", email), ("password", NEW_PASSWORD)]).await.expect(303);
    ada.post_form(&link_of(&app.mail_to(email, SIGN_UP_SUBJECT).await), &[]).await.expect(303);
    ada
}

async fn reset_link_for(app: &TestApp, email: &str) -> String {
    app.anonymous().post_form("/auth/password/forgot", &[("email", email)]).await.expect(303);
    link_of(&app.mail_to(email, RESET_SUBJECT).await)
}

async fn verified_sign_up_replaces_squatters_account(engine: Engine) {
    let receiver = Receiver::start().await;
    let builder =
        engine.prepare().await.with_email_verification().webhooks(&receiver).set("SVC_WEBHOOK_WORKER_COUNT", "1");
    let app = builder.start().await;
    let eve = attacker(&app, "ada@example.com", "gullible").await;
    let old_id = user_id(&eve).await;
    let trap = create_team(&eve, "Trap").await;
    let mallory = member(&app, &eve, &trap, "mallory@example.com", "admin").await;
    let alone = create_team(&eve, "Alone").await;
    let pending = invite(&eve, &alone, "zed@example.com", "owner").await;
    eve.post_form("/auth/account/email", &[("email", "eve@example.com")]).await.expect(303);
    let change = link_of(&app.mail_to("eve@example.com", "Confirm your new").await);
    let sent = usize::try_from(app.database().count("SELECT count(*) FROM outbox WHERE channel = 'webhook'").await);
    let sent = sent.unwrap();
    let ada = sign_up_verified(&app, "ada@example.com").await;
    let warned = app.mail_to("ada@example.com", SIGN_UP_SUBJECT).await;
    assert!(warned.text.contains("nobody ever confirmed"), "{}", warned.text);
    // A new account, with only what a signup creates.
    let user = ada.api_user().await.expect(200).json();
    assert!(user["id"] != old_id.as_str() && user["username"] == "ada", "{user}");
    let list = ada.get("/auth/organizations").await.expect(200).text();
    assert!(!list.contains("Trap") && !list.contains("Alone"), "{list}");
    ada.get(&trap).await.expect(404);
    eve.api_user().await.expect(401);
    eve.refresh("app").await.expect(401);
    for login in ["ada@example.com", "gullible"] {
        app.anonymous().log_in(login, PASSWORD).await.expect(401);
    }
    ada.get(&change).await.expect(404);
    app.anonymous().get(&pending).await.expect(404);
    assert_eq!(app.database().count("SELECT count(*) FROM account_tokens").await, 1, "mallory's verification");
    assert!(mallory.get(&trap).await.expect(200).text().contains("Trap"));
    let events = receiver.wait_for(sent + 10).await;
    let kinds: Vec<String> = events[sent..].iter().map(crate::harness::Received::kind).collect();
    let expected = [
        "organization.membership.updated",
        "organization.invitation.revoked",
        "organization.membership.deleted",
        "organization.membership.deleted",
        "organization.membership.deleted",
        "organization.deleted",
        "organization.deleted",
        "user.deleted",
        "user.created",
        "organization.created",
    ];
    assert_eq!(kinds[..10], expected);
    assert_eq!(events[sent + 7].json()["data"]["user_id"], old_id.as_str());
    assert_eq!(events[sent + 8].json()["data"]["user_id"], user["id"]);
}

async fn organization_with_members_passes_to_highest_member(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let eve = attacker(&app, "ada@example.com", "founder").await;
    let team = create_team(&eve, "Crew").await;
    member(&app, &eve, &team, "first@example.com", "member").await;
    member(&app, &eve, &team, "second@example.com", "admin").await;
    member(&app, &eve, &team, "third@example.com", "admin").await;
    sign_up_verified(&app, "ada@example.com").await;
    let owners = "SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id \
                  JOIN organizations o ON o.id = m.organization_id WHERE o.name = 'Crew' AND m.role = 'owner'";
    assert_eq!(app.database().texts(owners).await, ["second@example.com"]);
}

async fn reset_asks_whose_account_it_is_and_keeps_it_by_default(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = attacker(&app, "ada@example.com", "lovelace").await;
    let id = user_id(&ada).await;
    let team = create_team(&ada, "Engine").await;
    let link = reset_link_for(&app, "ada@example.com").await;
    let browser = app.anonymous();
    let page = browser.get(&link).await.expect(200).text();
    assert!(
        page.contains("lovelace") && page.contains("Whose account") && page.contains("value=\"keep\" checked"),
        "{page}"
    );
    let short = browser.post_form(&link, &[("password", "short"), ("account", "anew")]).await.expect(422).text();
    assert!(short.contains("value=\"anew\" checked"), "{short}");
    ada.api_user().await.expect(200);
    // Without a choice the account is kept.
    browser.post_form(&link, &[("password", NEW_PASSWORD)]).await.expect(303);
    browser.log_in("lovelace", NEW_PASSWORD).await.expect(303);
    assert_eq!(user_id(&browser).await, id);
    browser.get(&team).await.expect(200);
    ada.api_user().await.expect(401);
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL").await, 1);
}

async fn reset_can_replace_unverified_account(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let eve = attacker(&app, "Ada@example.com", "gullible").await;
    let old_id = user_id(&eve).await;
    let team = create_team(&eve, "Trap").await;
    let mallory = member(&app, &eve, &team, "mallory@example.com", "member").await;
    let link = reset_link_for(&app, "ada@example.com").await;
    let browser = app.anonymous();
    let next = browser.post_form(&link, &[("password", NEW_PASSWORD), ("account", "anew")]).await.expect(303);
    assert_eq!(next.location(), "/auth/login?notice=password-set");
    browser.api_user().await.expect(401);
    browser.post_form(&link, &[("password", PASSWORD), ("account", "anew")]).await.expect(404);
    browser.log_in("ada@example.com", NEW_PASSWORD).await.expect(303);
    let user = browser.api_user().await.expect(200).json();
    assert!(user["id"] != old_id.as_str() && user["email"] == "Ada@example.com", "{user}");
    assert_eq!(user["username"], "Ada");
    browser.get(&team).await.expect(404);
    mallory.get(&team).await.expect(200);
    eve.api_user().await.expect(401);
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL").await, 1);
    let deleted = "SELECT count(*) FROM audit WHERE kind = 'account_deleted' AND detail <> ''";
    assert_eq!(app.database().count(deleted).await, 1);
    // Concurrent submissions from two tabs create one account.
    attacker(&app, "bob@example.com", "bob").await;
    let link = reset_link_for(&app, "bob@example.com").await;
    let fields = [("password", NEW_PASSWORD), ("account", "anew")];
    let tabs = [app.anonymous(), app.anonymous()];
    for tab in &tabs {
        tab.get(&link).await.expect(200);
    }
    let (one, other) = tokio::join!(tabs[0].post_form(&link, &fields), tabs[1].post_form(&link, &fields));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 404]);
}

async fn reset_never_replaces_verified_account(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let id = user_id(&ada).await;
    ada.post_form(&link_of(&app.mail_to("ada@example.com", "Confirm your").await), &[]).await.expect(303);
    let link = reset_link_for(&app, "ada@example.com").await;
    assert!(!app.anonymous().get(&link).await.expect(200).text().contains("Whose account"));
    // A forged form cannot delete it either.
    app.anonymous().post_form(&link, &[("password", NEW_PASSWORD), ("account", "anew")]).await.expect(303);
    let browser = app.anonymous();
    browser.log_in("ada@example.com", NEW_PASSWORD).await.expect(303);
    assert_eq!(user_id(&browser).await, id);
}
