//! How invitations end when their inviter loses a role or leaves, and how ended invitations are removed.

use crate::harness::{Client, Engine, Receiver, TestApp, person, run_program};
use crate::invitations::{invite, link_in, shown_link};
use crate::organizations::{create_team, user_id};
use doorward::background::{self, INVITATION_RETENTION};
use doorward::context::App;
use doorward::domain::account::delete::Delete;
use doorward::domain::change;
use doorward::domain::organization::invite::Invite;
use doorward::domain::organization::respond::{self, InvitationResponseError};
use doorward::domain::organization::{manage, members};
use doorward::messages::Locale;
use doorward::model::ids::{OrganizationId, UserId};
use doorward::model::metadata::Metadata;
use doorward::model::organization::MemberRole;
use doorward::model::principal::Principal;
use std::time::Duration;

both_engines![
    account_deletion_and_acceptance_can_run_concurrently,
    concurrent_deletion_of_linked_accounts_does_not_deadlock,
    ended_invitations_are_removed_after_retention,
];
one_engine![
    invitations_end_when_inviter_loses_role,
    resending_makes_the_sender_the_inviter,
    metadata_is_delivered_byte_for_byte,
];

/// A new user who joins the team as an owner.
async fn owner(app: &TestApp, ada: &Client, team: &str, name: &str) -> Client {
    let client = app.sign_up(&format!("{name}@example.com")).await;
    let link = invite(ada, team, &format!("{name}@example.com"), "owner").await;
    client.post_form(&format!("{link}/accept"), &[]).await.expect(303);
    client
}

async fn invitations_end_when_inviter_loses_role(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let org = team.rsplit('/').next().unwrap();
    let made = ["--json", "invitation", "create", "--org", org, "--email", "op@example.com", "--role", "owner"];
    let made = run_program(&made, app.variables()).await;
    let made: serde_json::Value = serde_json::from_slice(&made.stdout).unwrap();
    let operators = made["link"].as_str().unwrap().split_once("/auth/").unwrap().1.to_owned();
    let bob = owner(&app, &ada, &team, "bob").await;
    let bob_page = format!("{team}/members/{}", user_id(&bob).await);
    let adas = invite(&ada, &team, "by-ada@example.com", "owner").await;
    let mut bobs = Vec::new();
    for role in ["owner", "admin", "member"] {
        bobs.push(invite(&bob, &team, &format!("{role}@example.com"), role).await);
    }
    let guest = app.anonymous();
    // Each step, with which of Bob's links still work after it.
    for (path, fields, alive) in [
        ("role", [("role", "admin")].as_slice(), [false, true, true]),
        ("role", &[("role", "owner")], [false, true, true]),
        ("role", &[("role", "member")], [false, false, true]),
        ("remove", &[], [false; 3]),
    ] {
        ada.post_form(&format!("{bob_page}/{path}"), fields).await.expect(303);
        for (link, alive) in bobs.iter().zip(alive) {
            guest.get(link).await.expect(if alive { 200 } else { 410 });
        }
    }
    // Leaving and deleting the account end them too.
    for (name, path, fields) in [
        ("cy", format!("{team}/leave"), [("", "")]),
        ("dan", "/auth/account/delete".to_owned(), [("password", "a lighthouse in the fog")]),
    ] {
        let client = owner(&app, &ada, &team, name).await;
        let link = invite(&client, &team, &format!("by-{name}@example.com"), "member").await;
        guest.get(&link).await.expect(200);
        assert!(client.post_form(&path, &fields).await.status < 400, "{name}");
        assert!(guest.get(&link).await.expect(410).text().contains("was revoked"), "{name}");
    }
    guest.get(&adas).await.expect(200);
    guest.get(&format!("/auth/{operators}")).await.expect(200);
}

async fn resending_makes_the_sender_the_inviter(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let bob = owner(&app, &ada, &team, "bob").await;
    invite(&bob, &team, "cy@example.com", "member").await;
    let resend = link_in(&ada.get(&format!("{team}/invitations")).await.text(), "/resend");
    let link = shown_link(&ada.post_form(&resend, &[]).await.expect(200));
    bob.post_form(&format!("{team}/leave"), &[]).await.snapshot("organizations/left");
    app.anonymous().get(&link).await.expect(200);
    let eve = owner(&app, &ada, &team, "eve").await;
    let ada_page = format!("{team}/members/{}", user_id(&ada).await);
    eve.post_form(&format!("{ada_page}/remove"), &[]).await.expect(303);
    app.anonymous().get(&link).await.expect(410);
}

async fn account(app: &App, name: &str) -> UserId {
    crate::operators::create(app, name).await
}

/// Invites `name` as an owner; returns the token.
async fn token_for(app: &App, org: OrganizationId, by: UserId, name: &str) -> String {
    let email = format!("{name}@example.com");
    let new = Invite {
        org,
        email: &email,
        role: MemberRole::Owner,
        metadata: Metadata::default(),
        send_mail: true,
        locale: Locale::ENGLISH,
    };
    change::run(app, &person(by), new).await.unwrap().token.text().to_owned()
}

/// A team that `founder` created, invited `successor` to, and left.
async fn team_left_behind(app: &App, founder: UserId, successor: UserId, successor_name: &str) -> OrganizationId {
    let team =
        change::run(app, &person(founder), manage::CreateTeam { owner: founder, name: "Crew" }).await.unwrap().id;
    let token = token_for(app, team, founder, successor_name).await;
    change::run(app, &person(successor), respond::Accept { token: &token }).await.map(drop).unwrap();
    change::run(app, &person(founder), members::Leave { org: team }).await.unwrap();
    team
}

/// Runs `work` after yielding `turns` times, to vary which of two tasks is first.
async fn after_yields<T>(turns: usize, work: impl Future<Output = T>) -> T {
    for _ in 0..turns {
        tokio::task::yield_now().await;
    }
    work.await
}

async fn account_deletion_and_acceptance_can_run_concurrently(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = account(&app.app, "ada").await;
    let (mut accepted, mut refused) = (0, 0);
    let operator = Principal::operator();
    for round in 0..ROUNDS {
        let name = format!("bob{round}");
        let bob = account(&app.app, &name).await;
        let team = team_left_behind(&app.app, bob, ada, "ada").await;
        let token = token_for(&app.app, team, ada, &name).await;
        let actor = person(bob);
        let accept = change::run(&app.app, &actor, respond::Accept { token: &token });
        let (answer, deleted) = tokio::join!(
            after_yields(round % 5, accept),
            after_yields((round + 2) % 4, change::run(&app.app, &operator, Delete { user: bob }))
        );
        deleted.unwrap_or_else(|error| panic!("round {round}: {error}"));
        match answer.map(drop) {
            Ok(()) => accepted += 1,
            Err(InvitationResponseError::Unknown) => refused += 1,
            Err(error) => panic!("round {round}: {error}"),
        }
    }
    assert_eq!(accepted + refused, ROUNDS);
    assert_eq!(app.database().count("SELECT count(*) FROM users").await, 1);
}

/// Enough rounds for a wrong lock order to fail nearly always.
const ROUNDS: usize = 30;

async fn concurrent_deletion_of_linked_accounts_does_not_deadlock(engine: Engine) {
    let app = engine.app().await;
    let operator = Principal::operator();
    for round in 0..ROUNDS {
        let names = [format!("ada{round}"), format!("bob{round}")];
        let (ada, bob) = (account(&app.app, &names[0]).await, account(&app.app, &names[1]).await);
        team_left_behind(&app.app, ada, bob, &names[1]).await;
        team_left_behind(&app.app, bob, ada, &names[0]).await;
        let by_bob = person(bob);
        let (one, other) = tokio::join!(
            after_yields(round % 5, change::run(&app.app, &operator, Delete { user: ada })),
            after_yields((round + 2) % 4, change::run(&app.app, &by_bob, Delete { user: bob }))
        );
        one.and(other).unwrap_or_else(|error| panic!("round {round}: {error}"));
    }
    for table in ["users", "organizations", "invitations"] {
        assert_eq!(app.database().count(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
}

async fn ended_invitations_are_removed_after_retention(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let count = async || app.database().count("SELECT count(*) FROM invitations").await;
    let remove = async || {
        let before = count().await;
        background::clean_up(&app.app).await.unwrap();
        before - count().await
    };
    let declined = invite(&ada, &team, "bob@example.com", "member").await;
    app.anonymous().post_form(&format!("{declined}/decline"), &[]).await.expect(200);
    invite(&ada, &team, "cy@example.com", "member").await;
    let just = Duration::from_secs(1);
    app.clock().advance(INVITATION_RETENTION.saturating_sub(just));
    assert_eq!((remove().await, count().await), (0, 2));
    app.clock().advance(just + just);
    assert_eq!((remove().await, count().await), (1, 1), "the declined one");
    app.anonymous().get(&declined).await.expect(404);
    // The other expires after a week and is kept for the retention after that.
    app.clock().advance(Duration::from_hours(168));
    assert_eq!((remove().await, count().await), (1, 0));
    // More than one batch, and one pending invitation that must stay.
    ada.log_in("ada", "a lighthouse in the fog").await.expect(303);
    invite(&ada, &team, "dan@example.com", "member").await;
    let (id, hash) = if engine == Engine::Sqlite {
        ("randomblob(16)", "randomblob(32)")
    } else {
        ("gen_random_uuid()", "uuid_send(gen_random_uuid())")
    };
    app.database()
        .execute(&format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) \
             INSERT INTO invitations (id, organization_id, email, email_key, role, metadata, token_hash, \
             proves_address, state, created_at, expires_at, finished_at) \
             SELECT {id}, organization_id, email, email_key, role, metadata, {hash}, proves_address, 'revoked', \
             created_at, expires_at, created_at FROM invitations, n"
        ))
        .await;
    app.clock().advance(INVITATION_RETENTION + just);
    assert_eq!((remove().await, count().await), (2500, 1));
}

async fn metadata_is_delivered_byte_for_byte(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.webhooks(&receiver).start().await;
    let ada = app.sign_up("ada@example.com").await;
    let bob = app.sign_up("bob@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let org = team.rsplit('/').next().unwrap();
    let metadata = r#"{ "z": 12345678901234567890123, "a":1.10, "nested": {"b":2,"a":[1E2]}, "s":"\u00e9\/" }"#;
    let create = ["--json", "invitation", "create", "--org", org, "--email", "bob@example.com", "--metadata"];
    let made = run_program(&[create.as_slice(), &[metadata]].concat(), app.variables()).await;
    let made = String::from_utf8(made.stdout).unwrap();
    assert!(made.contains(&format!("\"metadata\": {metadata}")), "{made}");
    let made: serde_json::Value = serde_json::from_str(&made).unwrap();
    let link = made["link"].as_str().unwrap().split_once("/auth/").unwrap().1;
    bob.post_form(&format!("/auth/{link}/accept"), &[]).await.expect(303);
    let bodies = receiver.wait_for(3 + 3 + 2 + 3).await;
    let bodies = bodies.iter().map(|received| String::from_utf8(received.body.clone()).unwrap());
    let with_it = bodies.filter(|body| body.contains(&format!("\"metadata\":{metadata}"))).count();
    assert_eq!(with_it, 3, "made, joined, accepted");
    for (text, why) in [("[]", "not a JSON object"), (r#"{"a":1,"a":2}"#, "stands twice")] {
        let refused = run_program(&[create.as_slice(), &[text]].concat(), app.variables()).await;
        assert!(String::from_utf8_lossy(&refused.stderr).contains(why), "{refused:?}");
    }
}
