//! Organizations as their members see them (docs/reference/browser.md 11).

use crate::harness::{Client, Engine, TestApp};
use crate::invitations::{invite, link_in};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;
use std::time::Duration;

both_engines![concurrent_leaves_keep_one_owner, members_are_searched_and_paginated];
one_engine![
    team_lifecycle,
    active_organization_is_per_session,
    lost_membership_switches_active_organization,
    login_during_membership_removal_gets_valid_session,
    roles_determine_permissions,
    organization_is_hidden_from_non_members,
    account_deletion_requires_password,
    last_owner_with_members_cannot_delete_account,
    form_with_invalid_csrf_token_changes_nothing
];

pub const PASSWORD: &str = "a lighthouse in the fog";

/// The claims of the client's access token.
pub fn claims(client: &Client) -> Value {
    let token = client.token("access").unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap()).unwrap()
}

/// Creates a team through the page; returns the path of its page.
pub async fn create_team(client: &Client, name: &str) -> String {
    client.post_form("/auth/organizations", &[("name", name)]).await.expect(303).location().to_owned()
}

pub async fn user_id(client: &Client) -> String {
    client.api_user().await.expect(200).json()["id"].as_str().unwrap().to_owned()
}

/// A new user who was invited and accepted.
pub async fn member(app: &TestApp, owner: &Client, team: &str, email: &str, role: &str) -> Client {
    let client = app.sign_up(email).await;
    let link = invite(owner, team, email, role).await;
    client.post_form(&format!("{link}/accept"), &[]).await.expect(303);
    client
}

async fn team_lifecycle(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.get("/auth/organizations").await.snapshot("organizations/list");
    ada.get("/auth/organizations/new").await.snapshot("organizations/new_shown");
    let long = "x".repeat(81);
    for (outcome, name) in [("no_name", "  "), ("long_name", &long), ("invisible_name", "Crew\u{202e}werC")] {
        let refused = ada.post_form("/auth/organizations", &[("name", name)]).await;
        refused.snapshot(&format!("organizations/{outcome}"));
    }
    let created = ada.post_form("/auth/organizations", &[("name", "Crew <1>")]).await.snapshot("organizations/created");
    let team = created.location();
    ada.get(team).await.snapshot("organizations/shown_to_owner");
    ada.get(&format!("{team}/settings")).await.snapshot("organizations/settings_shown");
    ada.post_form(&format!("{team}/rename"), &[("name", " ")]).await.snapshot("organizations/rename_without_name");
    ada.post_form(&format!("{team}/rename"), &[("name", "Crew")]).await.snapshot("organizations/renamed");
    let bob = member(&app, &ada, team, "bob@example.com", "member").await;
    bob.get(team).await.snapshot("organizations/shown_to_member");
    let bob_page = format!("{team}/members/{}", user_id(&bob).await);
    ada.get(&bob_page).await.snapshot("members/shown");
    ada.get(&format!("{bob_page}/remove")).await.snapshot("members/remove_shown");
    ada.post_form(&format!("{bob_page}/role"), &[("role", "admin")]).await.snapshot("members/role_set");
    bob.post_form(&format!("{team}/rename"), &[("name", "The crew")]).await.expect(303);
    bob.get(&format!("{team}/leave")).await.snapshot("organizations/leave_shown");
    ada.get(&format!("{team}/leave")).await.snapshot("organizations/leave_shown_to_last_owner");
    ada.post_form(&format!("{team}/leave"), &[]).await.snapshot("organizations/leave_as_last_owner");
    ada.get(&format!("{team}/delete")).await.snapshot("organizations/delete_shown");
    let typo = ada.post_form(&format!("{team}/delete"), &[("name", "crew")]).await;
    typo.snapshot("organizations/delete_with_wrong_name");
    ada.post_form(&format!("{team}/delete"), &[("name", " The crew ")]).await.snapshot("organizations/deleted");
    ada.get(team).await.snapshot("organizations/gone");
    bob.get(team).await.expect(404);
    bob.get("/auth/organizations").await.snapshot("organizations/list_after_deletion");
}

async fn active_organization_is_per_session(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let elsewhere = app.anonymous();
    elsewhere.log_in("ada", PASSWORD).await.expect(303);
    let own = claims(&ada)["org_id"].clone();
    let team = create_team(&ada, "Crew").await;
    assert_eq!(claims(&ada)["org_id"], team.rsplit('/').next().unwrap(), "who creates a team works in it");
    let back = ada.post_form(&format!("/auth/organizations/{}/switch", own.as_str().unwrap()), &[]).await;
    back.snapshot("organizations/switched_back");
    assert_eq!(claims(&ada)["org_id"], own);
    let fields = [("return_to", "/auth/account")];
    ada.post_form(&format!("{team}/switch"), &fields).await.snapshot("organizations/switched");
    assert_eq!(claims(&ada)["org_id"], team.rsplit('/').next().unwrap());
    assert_eq!(claims(&ada)["org_role"], "owner");
    ada.get("/auth/account").await.snapshot("account/team_is_active");
    ada.refresh("app").await.expect(200);
    assert_eq!(claims(&ada)["org_id"], team.rsplit('/').next().unwrap());
    elsewhere.refresh("app").await.expect(200);
    assert_eq!(claims(&elsewhere)["org_id"], own);
    let bob = app.sign_up("bob@example.com").await;
    bob.post_form(&format!("{team}/switch"), &[]).await.snapshot("organizations/switch_as_stranger");
}

async fn lost_membership_switches_active_organization(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let bob = member(&app, &ada, &team, "bob@example.com", "admin").await;
    assert_eq!(claims(&bob)["org_role"], "admin", "who accepts goes there");
    let crew = claims(&bob)["org_id"].clone();
    let backend = bob.copy();
    ada.post_form(&format!("{team}/members/{}/remove", user_id(&bob).await), &[]).await.snapshot("members/removed");
    bob.api_user().await.expect(200);
    backend.refresh("app").await.expect(200);
    assert_ne!(claims(&backend)["org_id"], crew);
    assert_eq!(claims(&backend)["org_role"], "owner");
    bob.get(&team).await.expect(404);
    bob.get("/auth/account").await.snapshot("account/membership_lost");
}

async fn concurrent_leaves_keep_one_owner(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let bob = app.sign_up("bob@example.com").await;
    for round in 0..5 {
        let team = create_team(&ada, &format!("Crew {round}")).await;
        let link = invite(&ada, &team, "bob@example.com", "owner").await;
        bob.post_form(&format!("{link}/accept"), &[]).await.expect(303);
        let path = format!("{team}/leave");
        let (first, second) = tokio::join!(ada.post_form(&path, &[]), bob.post_form(&path, &[]));
        let mut statuses = [first.status, second.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [303, 422], "round {round}");
    }
    let empty = "SELECT count(*) FROM organizations o WHERE NOT EXISTS \
                 (SELECT 1 FROM memberships m WHERE m.organization_id = o.id AND m.role = 'owner')";
    assert_eq!(app.database().count(empty).await, 0);
}

async fn login_during_membership_removal_gets_valid_session(engine: Engine) {
    // Without personal organizations a login starts in the membership that ends.
    let app = engine.prepare().await.set("SVC_ORG_MODE", "single").set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = format!("/auth/organizations/{}", claims(&ada)["org_id"].as_str().unwrap());
    for round in 0..5 {
        let email = format!("bob{round}@example.com");
        let link = invite(&ada, &team, &email, "member").await;
        let bob = app.anonymous();
        let fields = [("password", PASSWORD), ("invitation", link.rsplit('/').next().unwrap())];
        bob.post_form("/auth/signup", &fields).await.expect(303);
        let remove = format!("{team}/members/{}/remove", user_id(&bob).await);
        let elsewhere = app.anonymous();
        let (removed, logged_in) = tokio::join!(ada.post_form(&remove, &[]), elsewhere.log_in(&email, PASSWORD));
        assert_eq!((removed.status, logged_in.status), (303, 303), "round {round}");
        for client in [&bob, &elsewhere] {
            client.refresh("app").await.expect(200);
            assert_eq!(claims(client)["org_role"], "owner", "round {round}");
        }
    }
}

async fn roles_determine_permissions(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let bob = member(&app, &ada, &team, "bob@example.com", "admin").await;
    let cy = member(&app, &ada, &team, "cy@example.com", "member").await;
    let (ada_page, cy_page) =
        (format!("{team}/members/{}", user_id(&ada).await), format!("{team}/members/{}", user_id(&cy).await));
    // A member sees the members (`organizations/shown_to_member`) and nothing else.
    cy.get(&cy_page).await.snapshot("members/shown_to_member");
    bob.get(&ada_page).await.snapshot("members/owner_shown_to_admin");
    for (client, role) in [(&bob, "admin"), (&cy, "member")] {
        client.get(&format!("{team}/delete")).await.snapshot(&format!("organizations/delete_shown_to_{role}"));
    }
    // An unknown role is refused as invalid, not as a missing page.
    for (name, path) in [("members", format!("{cy_page}/role")), ("invitations", format!("{team}/invitations"))] {
        let bogus = bob.post_form(&path, &[("email", "x@example.com"), ("role", "king")]).await;
        bogus.snapshot(&format!("{name}/unknown_role"));
    }
}

async fn organization_is_hidden_from_non_members(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let bob = app.sign_up("bob@example.com").await;
    let team = create_team(&ada, "Crew").await;
    for path in ["", "/leave", "/delete"] {
        bob.get(&format!("{team}{path}")).await.expect(404);
        let sent = app.anonymous().get(&format!("{team}{path}")).await.expect(303);
        assert!(sent.location().starts_with("/auth/login?return_to=%2Fauth%2Forganizations%2F"), "{}", sent.location());
    }
    for path in [
        "/auth/organizations/1",
        "/auth/organizations/x'--",
        "/auth/organizations/00000000-0000-0000-0000-000000000000",
    ] {
        ada.get(path).await.expect(404);
    }
    // A personal organization has no other members and cannot be deleted on its own. Who created a team works there.
    let own = format!("/auth/organizations/{}", claims(&bob)["org_id"].as_str().unwrap());
    for (path, fields) in
        [("invitations", ("email", "cy@example.com")), ("delete", ("name", "bob")), ("leave", ("", ""))]
    {
        let refused = bob.post_form(&format!("{own}/{path}"), &[fields]).await;
        refused.snapshot(&format!("organizations/personal_{path}_sent"));
    }
    for path in ["", "/delete", "/leave"] {
        let name = format!("organizations/personal{}", path.replace('/', "_"));
        bob.get(&format!("{own}{path}")).await.snapshot(&name);
    }
}

async fn members_are_searched_and_paginated(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let org = format!("'{}'", team.rsplit('/').next().unwrap());
    for number in 10..65 {
        app.sign_up(&format!("sailor_{number}@example.com")).await;
    }
    let id = if app.app.store.is_sqlite() { format!("x{}", org.replace('-', "")) } else { org };
    let now = "SELECT m.created_at FROM memberships m WHERE m.user_id = u.id LIMIT 1";
    app.database()
        .execute(&format!(
            "INSERT INTO memberships (organization_id, user_id, role, created_at) \
             SELECT {id}, u.id, 'member', ({now}) FROM users u WHERE u.username <> 'ada'"
        ))
        .await;
    let first = ada.get(&team).await.expect(200).text();
    assert_eq!(first.matches("class=\"row-main\"").count(), 50);
    let next = first.split("?after=").nth(1).unwrap().split('"').next().unwrap();
    let second = ada.get(&format!("{team}?after={next}")).await.expect(200).text();
    assert_eq!(second.matches("class=\"row-main\"").count(), 6);
    assert!(second.contains("First page") && !second.contains("Next page"));
    // By the beginning of the address or the name, all members and not those of a page alone.
    for (search, found) in
        [("SAILOR_6", 5), ("sailor_42@example.com", 1), ("%25", 0), ("ailor", 0), ("sailor", 50), ("+ada+", 1)]
    {
        let page = ada.get(&format!("{team}?search={search}")).await.expect(200).text();
        assert_eq!(page.matches("class=\"row-main\"").count(), found, "{search}: {page}");
    }
    // A search goes on as the list does.
    let page = ada.get(&format!("{team}?search=sailor")).await.expect(200).text();
    let next = page.split("?search=sailor&amp;after=").nth(1).unwrap().split('"').next().unwrap();
    let rest = ada.get(&format!("{team}?search=sailor&after={next}")).await.expect(200).text();
    assert_eq!(rest.matches("class=\"row-main\"").count(), 5);
    let ada_id = user_id(&ada).await;
    let page = ada.get(&format!("{team}?search={ada_id}")).await.expect(200).text();
    assert_eq!(page.matches("class=\"row-main\"").count(), 1, "a whole id finds its member");
}

async fn account_deletion_requires_password(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let elsewhere = app.anonymous();
    elsewhere.log_in("ada", PASSWORD).await.expect(303);
    create_team(&ada, "Crew").await;
    ada.get("/auth/account/delete").await.snapshot("delete/shown");
    ada.post_form("/auth/account/delete", &[("password", "not it")]).await.snapshot("delete/wrong_password");
    ada.post_form("/auth/account/delete", &[("password", PASSWORD)]).await.snapshot("delete/done");
    elsewhere.api_user().await.expect(401);
    elsewhere.refresh("app").await.expect(401);
    for table in ["users", "sessions", "memberships", "organizations"] {
        assert_eq!(app.database().count(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
    app.sign_up("ada@example.com").await;
}

async fn last_owner_with_members_cannot_delete_account(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let bob = member(&app, &ada, &team, "bob@example.com", "admin").await;
    ada.post_form("/auth/account/delete", &[("password", PASSWORD)]).await.snapshot("delete/as_last_owner");
    ada.api_user().await.expect(200);
    ada.post_form(&format!("{team}/members/{}/role", user_id(&bob).await), &[("role", "owner")]).await.expect(303);
    ada.post_form("/auth/account/delete", &[("password", PASSWORD)]).await.expect(200);
    bob.get(&team).await.expect(200);
}

async fn form_with_invalid_csrf_token_changes_nothing(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let link = invite(&ada, &team, "bob@example.com", "member").await;
    let pending = link_in(&ada.get(&format!("{team}/invitations")).await.text(), "/invitations/");
    let own_page = format!("{team}/members/{}", user_id(&ada).await);
    for path in [
        "/auth/organizations",
        &format!("{team}/rename"),
        &format!("{team}/switch"),
        &format!("{team}/leave"),
        &format!("{team}/delete"),
        &format!("{team}/invitations"),
        &pending,
        &format!("{own_page}/role"),
        &format!("{own_page}/remove"),
        &format!("{link}/decline"),
        "/auth/account/delete",
    ] {
        let fields = [("name", "Crew"), ("email", "x@example.com"), ("role", "member"), ("password", PASSWORD)];
        ada.form(path, &fields).await.expect(403);
    }
    app.clock().advance(Duration::from_secs(1));
    ada.get(&team).await.expect(200);
    app.anonymous().get(&link).await.expect(200);
}
