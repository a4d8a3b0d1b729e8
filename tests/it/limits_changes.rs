//! Changes that a user makes are limited: each costs an event, an audit entry or a mail, or tells whether a name is
//! taken (docs/reference/limits.md 14).

use crate::harness::{Client, Engine, PASSWORD, Receiver, Reply};
use crate::invitations::invite;
use crate::organizations::{create_team, user_id};
use std::time::Duration;

one_engine![
    names_are_limited_by_account,
    tries_of_taken_names_are_limited,
    tries_of_names_are_limited_by_network,
    factors_are_limited_by_account,
    switches_are_limited_by_account,
    organizations_are_limited_by_account,
    changes_of_members_are_limited_by_account,
    flood_of_changes_does_not_delay_others_events,
];
single_run![forged_forms_use_up_nothing, disabled_rate_limit_permits_every_change];

/// The number of requests before the first 429, which says when to retry; none of the others may fail.
async fn passed(mut request: impl AsyncFnMut(usize) -> Reply) -> usize {
    for number in 0..100 {
        let reply = request(number).await;
        if reply.status == 429 {
            let seconds: u64 = reply.header("retry-after").unwrap().parse().unwrap();
            assert!((1..=60).contains(&seconds), "{seconds}");
            return number;
        }
        assert!([200, 303, 422].contains(&reply.status), "{}: {}", reply.status, reply.text());
    }
    100
}

async fn rename(client: &Client, name: &str) -> Reply {
    client.post_form("/auth/account/username", &[("username", name)]).await
}

async fn names_are_limited_by_account(engine: Engine) {
    let app = engine.app().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    assert_eq!(passed(async |number| rename(&ada, &format!("ada{number}")).await).await, 20);
    let renamed = "SELECT count(*) FROM audit WHERE kind = 'username_changed'";
    assert_eq!(app.database().count(renamed).await, 20);
    rename(&bob, "robert").await.expect(303);
    app.clock().advance(Duration::from_mins(1));
    rename(&ada, "ada").await.expect(303);
    rename(&ada, "ada2").await.expect(429);
}

async fn tries_of_taken_names_are_limited(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    app.sign_up("bob@example.com").await;
    rename(&ada, "bob").await.expect(422);
    assert_eq!(passed(async |_| rename(&ada, "bob").await).await, 19);
}

async fn rename_from(client: &Client, address: &str, name: &str) -> Reply {
    let fields = [("username", name), ("csrf_token", &client.token("csrf").unwrap())];
    client.form("/auth/account/username", &fields).header("x-forwarded-for", address).await
}

/// Finding 9 of the review: many accounts ask for usernames, which are made of addresses.
async fn tries_of_names_are_limited_by_network(engine: Engine) {
    let app = engine.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.0/8").start().await;
    app.clock().hold();
    app.sign_up("target@example.com").await;
    for number in 0..3 {
        let eve = app.sign_up(&format!("eve{number}@example.com")).await;
        for _ in 0..20 {
            rename_from(&eve, "192.0.2.1", "target").await.expect(422);
        }
    }
    let eve = app.sign_up("eve4@example.com").await;
    rename_from(&eve, "192.0.2.1", "target").await.expect(429);
    rename_from(&eve, "192.0.2.2", "target").await.expect(422);
}

async fn factors_are_limited_by_account(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.turn_on_two_factor(&app).await;
    let codes = "/auth/account/recovery-codes";
    assert_eq!(passed(async |_| ada.post_form(codes, &[]).await).await, 18, "after the two steps of the setup");
    let password = [("current", PASSWORD), ("password", "a second lighthouse in the fog")];
    for (path, fields) in [
        ("/auth/account/password", password.as_slice()),
        ("/auth/account/email", &[("email", "new@example.com")]),
        ("/auth/account/two-factor", &[]),
        ("/auth/account/two-factor/confirm", &[("code", "123456")]),
        ("/auth/account/two-factor/forget-devices", &[]),
        ("/auth/account/two-factor/remove", &[("password", PASSWORD)]),
        ("/auth/account/passkeys", &[("name", "Phone")]),
        ("/auth/account/passkeys/01920000-0000-7000-8000-000000000000/remove", &[]),
    ] {
        let reply = ada.post_form(path, fields).await;
        assert_eq!(reply.status, 429, "{path}");
    }
    // Nobody with a stolen cookie can use up what takes something back.
    for path in ["/auth/account/email/cancel", "/auth/account/sessions/end-others"] {
        ada.post_form(path, &[]).await.expect(303);
    }
    app.clock().advance(Duration::from_mins(1));
    ada.post_form("/auth/account/password", &password).await.expect(303);
}

async fn switches_are_limited_by_account(engine: Engine) {
    let app = engine.app().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let team = create_team(&ada, "Crew").await;
    let link = invite(&bob, &create_team(&bob, "Others").await, "ada@example.com", "member").await;
    assert_eq!(passed(async |_| ada.post_form(&format!("{team}/switch"), &[]).await).await, 20);
    ada.post_form(&format!("{link}/accept"), &[]).await.expect(429);
    ada.post_form(&format!("{link}/decline"), &[]).await.expect(429);
    app.clock().advance(Duration::from_mins(1));
    ada.post_form(&format!("{link}/accept"), &[]).await.expect(303);
}

async fn organizations_are_limited_by_account(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let renamed =
        passed(async |number| ada.post_form(&format!("{team}/rename"), &[("name", &format!("Crew {number}"))]).await);
    assert_eq!(renamed.await, 19, "after the one that created it");
    ada.post_form("/auth/organizations", &[("name", "Another")]).await.expect(429);
    ada.post_form(&format!("{team}/delete"), &[("name", "Crew 18")]).await.expect(429);
    ada.post_form(&format!("{team}/leave"), &[]).await.expect(429);
}

async fn changes_of_members_are_limited_by_account(engine: Engine) {
    let app = engine.app().await;
    app.clock().hold();
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let team = create_team(&ada, "Crew").await;
    let link = invite(&ada, &team, "bob@example.com", "member").await;
    bob.post_form(&format!("{link}/accept"), &[]).await.expect(303);
    let member = format!("{team}/members/{}", user_id(&bob).await);
    let changed = passed(async |number| {
        let role = if number % 2 == 0 { "admin" } else { "member" };
        ada.post_form(&format!("{member}/role"), &[("role", role)]).await
    });
    assert_eq!(changed.await, 59, "after the one that invited");
    ada.post_form(&format!("{member}/remove"), &[]).await.expect(429);
    app.clock().advance(Duration::from_secs(10));
    ada.post_form(&format!("{member}/remove"), &[]).await.expect(303);
}

/// Finding 6 of the review: 800 changes a second held up the webhooks of everybody.
async fn flood_of_changes_does_not_delay_others_events(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.webhooks(&receiver).start().await;
    let eve = app.sign_up("eve@example.com").await;
    let team = create_team(&eve, "Flood").await;
    for number in 0..50 {
        rename(&eve, &format!("eve{number}")).await;
        eve.post_form(&format!("{team}/rename"), &[("name", &format!("Flood {number}"))]).await;
        eve.post_form(&format!("{team}/switch"), &[]).await;
    }
    app.sign_up("ada@example.com").await;
    let events = "SELECT count(*) FROM outbox WHERE channel = 'webhook'";
    let recorded = app.database().count(events).await;
    // Two sign-ups and a team with at most three events each, and 20 changes of each kind.
    assert!(recorded <= 9 + 40, "{recorded}");
}

async fn forged_forms_use_up_nothing() {
    let app = Engine::Sqlite.app().await;
    let ada = app.sign_up("ada@example.com").await;
    for _ in 0..25 {
        ada.form("/auth/account/username", &[("username", "mallory"), ("csrf_token", "x")]).await.expect(403);
    }
    rename(&ada, "countess").await.expect(303);
}

async fn disabled_rate_limit_permits_every_change() {
    let app = Engine::Sqlite.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    assert_eq!(passed(async |number| rename(&ada, &format!("ada{number}")).await).await, 100);
}
