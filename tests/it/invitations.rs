//! Invitations as inviters and invited users see them (docs/reference/browser.md 11).

use crate::enumeration::encoded;
use crate::harness::{Client, Engine, Receiver, Reply, TestApp, run_program};
use crate::organizations::{PASSWORD, claims, create_team, member, user_id};
use doorward::model::ids::{OrganizationId, UserId};
use doorward::rate_limit::RateLimit;
use std::time::Duration;

both_engines![concurrent_accepts_create_one_membership,];
one_engine![
    invitation_is_accepted_by_existing_account,
    invitation_is_accepted_by_signing_up,
    invitation_page_names_the_inviter_by_verified_address_else_username,
    wrong_account_is_offered_to_switch,
    new_link_voids_previous_link,
    operator_invitation_cannot_be_resent_by_members,
    expired_invitations_do_not_hide_pending_ones,
    invitation_ends_when_declined_revoked_or_team_deleted,
    lower_role_revokes_no_invitation_to_a_higher_one,
    return_to_is_kept_until_accepted,
    invitations_are_rate_limited,
    invited_address_is_validated,
    invite_only_sign_up_requires_invitation,
    personal_mode_has_no_invitations,
];

/// The last URL in a page that contains `part`, without the host.
pub fn link_in(page: &str, part: &str) -> String {
    let mut addresses = page.split('"').filter(|text| text.contains(part) && text.contains("/auth/"));
    let found = addresses.next_back().unwrap_or_else(|| panic!("no {part} in {page}"));
    found[found.find("/auth/").unwrap()..].to_owned()
}

/// The path of the invitation link on a page.
pub fn shown_link(reply: &Reply) -> String {
    let page = reply.text();
    let at = page.find("id=\"link\"").unwrap_or_else(|| panic!("no link in {page}"));
    let value = page[at..].split("value=\"").nth(1).unwrap().split('"').next().unwrap();
    value[value.find("/auth/invitations/").unwrap()..].to_owned()
}

/// Invites through the page; returns the path of the link.
pub async fn invite(client: &Client, team: &str, email: &str, role: &str) -> String {
    let fields = [("email", email), ("role", role)];
    shown_link(&client.post_form(&format!("{team}/invitations"), &fields).await.expect(200))
}

fn shows(reply: &Reply, text: &str) -> bool {
    reply.text().contains(text)
}

async fn invitation_is_accepted_by_existing_account(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    app.sign_up("bob@example.com").await;
    let link = invite(&ada, &team, "Bob@Example.com", "admin").await;
    assert_eq!(link.len(), "/auth/invitations/".len() + 43, "256 bits in base64url");
    let bob = app.anonymous();
    bob.get("/auth/login").await.expect(200);
    // Mail scanners follow links, so GET must not accept.
    for _ in 0..3 {
        bob.get(&link).await.snapshot("invitations/shown_logged_out");
    }
    let led = bob.post_form(&format!("{link}/accept"), &[]).await.snapshot("invitations/accept_logged_out");
    assert_eq!(led.location(), format!("/auth/login?return_to={}", encoded(&link)));
    let fields = [("email", "bob"), ("password", PASSWORD), ("return_to", &link)];
    assert_eq!(bob.post_form("/auth/login", &fields).await.expect(303).location(), link);
    bob.get(&link).await.snapshot("invitations/shown");
    bob.post_form(&format!("{link}/accept"), &[]).await.snapshot("invitations/accepted");
    assert_eq!(claims(&bob)["org_role"], "admin");
    bob.get(&team).await.snapshot("organizations/shown_to_admin");
    bob.get(&link).await.snapshot("invitations/already_joined");
    app.anonymous().get(&link).await.snapshot("invitations/used");
}

async fn invitation_is_accepted_by_signing_up(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let link = invite(&ada, &team, "bob@example.com", "member").await;
    let token = link.rsplit('/').next().unwrap();
    let bob = app.anonymous();
    let page = bob.get(&link).await.expect(200);
    let form = format!("/auth/signup?invitation={token}");
    assert!(shows(&page, &form), "{}", page.text());
    bob.get(&form).await.snapshot("signup/invited");
    let short = [("email", "eve@example.com"), ("password", "short"), ("invitation", token)];
    bob.post_form("/auth/signup", &short).await.snapshot("signup/invited_short_password");
    let fields = [("email", "eve@example.com"), ("password", PASSWORD), ("invitation", token)];
    bob.post_form("/auth/signup", &fields).await.expect(303);
    assert_eq!(bob.api_user().await.expect(200).json()["email"], "bob@example.com");
    assert_eq!(claims(&bob)["org_id"], team.rsplit('/').next().unwrap());
    bob.get("/auth/organizations").await.snapshot("organizations/list_with_active_team");
    // The inviter saw the link, so it does not verify the address; an operator's link would.
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL").await, 0);
    app.anonymous().post_form("/auth/signup", &fields).await.snapshot("signup/invitation_void");
    // A logged-in user is redirected to the invitation.
    assert_eq!(bob.get(&form).await.expect(303).location(), link);
}

async fn invitation_page_names_the_inviter_by_verified_address_else_username(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let link = invite(&ada, &team, "bob@example.com", "member").await;
    let (bob, stranger) = (app.sign_up("bob@example.com").await, app.anonymous());
    for (inviter, statement) in [
        ("unverified_inviter", "UPDATE users SET email_verified_at = NULL"),
        ("verified_inviter", "UPDATE users SET email_verified_at = created_at"),
        // An operator's invitation, or one whose sender has deleted their account.
        ("no_inviter", "UPDATE invitations SET invited_by_user_id = NULL"),
    ] {
        app.database().execute(statement).await;
        stranger.get(&link).await.snapshot(&format!("invitations/{inviter}_logged_out"));
        bob.get(&link).await.snapshot(&format!("invitations/{inviter}"));
    }
}

async fn wrong_account_is_offered_to_switch(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let link = invite(&ada, &team, "bob@example.com", "member").await;
    let eve = app.sign_up("eve@example.com").await;
    eve.get(&link).await.snapshot("invitations/for_someone_else");
    eve.post_form(&format!("{link}/accept"), &[]).await.snapshot("invitations/accept_for_someone_else");
    eve.post_form(&format!("{link}/decline"), &[]).await.snapshot("invitations/decline_for_someone_else");
    let out = eve.form("/auth/sessions/logout", &[("csrf_token", &eve.token("csrf").unwrap()), ("return_to", &link)]);
    assert_eq!(out.header("accept", "text/html").await.expect(303).location(), link);
    assert!(shows(&eve.get(&link).await.expect(200), "Create an account"));
}

async fn concurrent_accepts_create_one_membership(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let bob = app.sign_up("bob@example.com").await;
    let path = format!("{}/accept", invite(&ada, &team, "bob@example.com", "member").await);
    let (first, second) = tokio::join!(bob.post_form(&path, &[]), bob.post_form(&path, &[]));
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 409]);
    if first.status == 409 { first } else { second }.snapshot("invitations/accepted_twice");
    assert_eq!(app.database().count("SELECT count(*) FROM memberships").await, 4);
}

async fn new_link_voids_previous_link(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let old = invite(&ada, &team, "bob@example.com", "member").await;
    app.clock().advance(Duration::from_hours(200));
    ada.log_in("ada", PASSWORD).await.expect(303);
    app.anonymous().get(&old).await.snapshot("invitations/expired");
    let bob = app.sign_up("bob@example.com").await;
    bob.post_form(&format!("{old}/accept"), &[]).await.snapshot("invitations/accept_expired");
    let page = ada.get(&format!("{team}/invitations")).await.snapshot("invitations/listed_with_expired").text();
    let new = ada.post_form(&link_in(&page, "/resend"), &[]).await.snapshot("invitations/resent");
    let new = shown_link(&new);
    app.anonymous().get(&old).await.snapshot("invitations/replaced");
    bob.post_form(&format!("{old}/accept"), &[]).await.snapshot("invitations/accept_replaced");
    bob.post_form(&format!("{new}/accept"), &[]).await.expect(303);
}

async fn operator_invitation_cannot_be_resent_by_members(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let org = team.rsplit('/').next().unwrap();
    let made = ["invitation", "create", "--org", org, "--email", "vip@example.com", "--metadata", r#"{"seat":"gold"}"#];
    assert!(run_program(&made, app.variables()).await.status.success());
    let resend = link_in(&ada.get(&format!("{team}/invitations")).await.text(), "/resend");
    ada.post_form(&resend, &[]).await.snapshot("invitations/resend_of_operator");
}

async fn expired_invitations_do_not_hide_pending_ones(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.webhooks(&receiver).set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    for round in 0..4 {
        for number in 0..100 {
            invite(&ada, &team, &format!("a{round}x{number}@example.com"), "member").await;
        }
        app.clock().advance(Duration::from_hours(169));
        ada.log_in("ada", PASSWORD).await.expect(303);
    }
    invite(&ada, &team, "zed@example.com", "member").await;
    assert!(shows(&ada.get(&format!("{team}/invitations")).await, "zed@example.com"));
    ada.post_form(&format!("{team}/delete"), &[("name", "Crew")]).await.expect(303);
    let revoked = "SELECT count(*) FROM outbox WHERE kind = 'organization.invitation.revoked'";
    assert_eq!(app.database().count(revoked).await, 1);
}

async fn invitation_ends_when_declined_revoked_or_team_deleted(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let guest = app.anonymous();
    let declined = invite(&ada, &team, "bob@example.com", "member").await;
    guest.post_form(&format!("{declined}/decline"), &[]).await.snapshot("invitations/declined");
    guest.post_form(&format!("{declined}/decline"), &[]).await.snapshot("invitations/declined_already");
    let revoked = invite(&ada, &team, "bob@example.com", "member").await;
    let button = link_in(&ada.get(&format!("{team}/invitations")).await.text(), "/revoke");
    ada.post_form(&button, &[]).await.snapshot("invitations/revoked_by_owner");
    ada.post_form(&button, &[]).await.snapshot("invitations/no_longer_pending");
    guest.get(&revoked).await.snapshot("invitations/revoked");
    let bob = app.sign_up("bob@example.com").await;
    bob.post_form(&format!("{revoked}/accept"), &[]).await.snapshot("invitations/accept_revoked");
    let ended = invite(&ada, &team, "cy@example.com", "member").await;
    ada.post_form(&format!("{team}/delete"), &[("name", "Crew")]).await.expect(303);
    guest.get(&ended).await.expect(404);
    guest.get("/auth/invitations/nothing").await.snapshot("invitations/unknown");
}

async fn lower_role_revokes_no_invitation_to_a_higher_one(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let bob = member(&app, &ada, &team, "bob@example.com", "admin").await;
    let link = invite(&ada, &team, "cy@example.com", "owner").await;
    let revoke = link_in(&ada.get(&format!("{team}/invitations")).await.text(), "/revoke");
    let refused = bob.post_form(&revoke, &[]).await.expect(403);
    assert!(shows(&refused, "Only an owner can do that."), "{}", refused.text());
    app.anonymous().get(&link).await.expect(200);
    ada.post_form(&revoke, &[]).await.expect(303);
    app.anonymous().get(&link).await.expect(410);
}

async fn invited_address_is_validated(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let bob = app.sign_up("bob@example.com").await;
    let link = invite(&ada, &team, "bob@example.com", "member").await;
    bob.post_form(&format!("{link}/accept"), &[]).await.expect(303);
    invite(&ada, &team, "cy@example.com", "member").await;
    for (name, email) in [
        ("no_address", "nobody"),
        ("own_address", "ADA@example.com"),
        ("member_already", "Bob@example.com"),
        ("invited_already", "CY@example.com"),
    ] {
        let fields = [("email", email), ("role", "member")];
        let reply = ada.post_form(&format!("{team}/invitations"), &fields).await;
        reply.snapshot(&format!("invitations/{name}"));
    }
    for number in 1..100 {
        invite(&ada, &team, &format!("sailor{number}@example.com"), "member").await;
    }
    let fields = [("email", "dan@example.com"), ("role", "member"), ("metadata", "{\"seat\":\"gold\"}")];
    let reply = ada.post_form(&format!("{team}/invitations"), &fields).await.expect(422);
    assert!(shows(&reply, "100 invitations are waiting"), "{}", reply.text());
    assert_eq!(app.database().count("SELECT count(*) FROM invitations WHERE metadata <> '{}'").await, 0);
}

async fn invite_only_sign_up_requires_invitation(engine: Engine) {
    let app = engine.prepare().await.set("SVC_SIGNUP", "invite").start().await;
    let variables = app.variables().clone();
    let ada = crate::harness::run_program(&["user", "create", "ada@example.com", "--json"], &variables).await;
    let ada: serde_json::Value = serde_json::from_slice(&ada.stdout).unwrap();
    let owner = app.anonymous();
    owner.log_in("ada", ada["password"].as_str().unwrap()).await.expect(303);
    let team = create_team(&owner, "Crew").await;
    let link = invite(&owner, &team, "bob@example.com", "member").await;
    app.anonymous().sign_up("eve@example.com").await.expect(403);
    let token = link.rsplit('/').next().unwrap();
    let bob = app.anonymous();
    let fields = [("password", PASSWORD), ("invitation", token)];
    bob.post_form(&format!("/auth/signup?invitation={token}"), &fields).await.expect(303);
    user_id(&bob).await;
    let app = app.restart_with(&[("SVC_SIGNUP", "closed")]).await;
    let owner = owner.at(&app.url());
    let link = invite(&owner, &team, "cy@example.com", "member").await;
    let guest = app.anonymous();
    guest.get(&link).await.snapshot("invitations/shown_where_sign_up_is_closed");
    guest.get(&format!("/auth/signup?invitation={}", link.rsplit('/').next().unwrap())).await.expect(403);
}

async fn personal_mode_has_no_invitations(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let link = invite(&ada, &team, "bob@example.com", "member").await;
    let app = app.restart_with(&[("SVC_ORG_MODE", "personal")]).await;
    let ada = ada.at(&app.url());
    app.anonymous().get(&link).await.expect(404);
    ada.get(&team).await.snapshot("organizations/team_in_personal_mode");
    ada.post_form(&format!("{team}/invitations"), &[("email", "cy@example.com")]).await.expect(422);
    let refused = ada.post_form("/auth/organizations", &[("name", "Another")]).await;
    refused.snapshot("organizations/no_teams_in_personal_mode");
    ada.get("/auth/organizations").await.snapshot("organizations/list_in_personal_mode");
}

/// The URL of the link or form field after `before` in a page.
fn address_after(reply: &Reply, before: &str) -> String {
    let page = reply.text();
    let rest = page.split_once(before).unwrap_or_else(|| panic!("no {before} in {page}")).1;
    rest.split('"').next().unwrap().replace("&#38;", "&")
}

async fn return_to_is_kept_until_accepted(engine: Engine) {
    let app = engine.prepare().await.set("SVC_DEFAULT_RETURN_TO", "/home").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let bob = app.sign_up("bob@example.com").await;
    let link = invite(&ada, &team, "bob@example.com", "member").await;
    let accept = format!("{link}/accept");
    let app_path = "/cb?next=a%2Fb&x=1";
    let from_app = format!("{link}?return_to=%2Fcb%3Fnext%3Da%252Fb%26x%3D1");
    // By logging in in a new browser: invitation, login page, invitation, `return_to`.
    let browser = app.anonymous();
    let log_in = address_after(&browser.get(&from_app).await.expect(200), "<a class=\"button primary\" href=\"");
    let back = address_after(&browser.get(&log_in).await.expect(200), "name=\"return_to\" value=\"");
    let fields = [("email", "bob"), ("password", PASSWORD), ("return_to", &back)];
    let page = browser.post_form("/auth/login", &fields).await.expect(303).location().to_owned();
    let target = address_after(&browser.get(&page).await.expect(200), "name=\"return_to\" value=\"");
    assert_eq!(target, app_path);
    // Accepting without a session also returns through the login.
    let sent = app.anonymous().post_form(&accept, &[("return_to", app_path)]).await.expect(303);
    assert!(sent.location().contains("%3Freturn%5Fto%3D%252Fcb"), "{}", sent.location());
    // The wrong account is offered to switch and keeps `return_to`.
    let page = ada.get(&from_app).await.expect(200);
    let after_logout = address_after(&page, "name=\"return_to\" value=\"");
    assert!(after_logout.starts_with(&format!("{link}?return_to=")), "{after_logout}");
    let accepted = browser.post_form(&accept, &[("return_to", &target)]).await.expect(303);
    assert_eq!(accepted.location(), app_path);
    let again = browser.post_form(&accept, &[("return_to", &target)]).await.expect(409);
    assert!(shows(&again, "Continue"), "{}", again.text());
    // By signing up.
    let link = invite(&ada, &team, "cy@example.com", "member").await;
    let cy = app.anonymous();
    let page = cy.get(&format!("{link}?return_to=/cb")).await.expect(200);
    let sign_up = address_after(&page, "<a class=\"button\" href=\"");
    let page = cy.get(&sign_up).await.expect(200);
    assert_eq!(address_after(&page, "name=\"return_to\" value=\""), "/cb");
    let back = address_after(&page, "<p class=\"aside\"><a href=\"");
    assert_eq!(address_after(&cy.get(&back).await.expect(200), "name=\"return_to\" value=\""), "/cb");
    assert!(bob.get(&sign_up).await.expect(303).location().ends_with("?return_to=%2Fcb"));
    // Never to a foreign site; without `return_to`, to the default from the settings.
    let elsewhere = bob.get(&format!("{link}?return_to=https://evil.example/")).await.expect(200);
    // The language switch returns to the same page, query included.
    let text = elsewhere.text();
    assert!(text.lines().all(|line| !line.contains("evil") || line.contains("/auth/language?")), "{text}");
    let dan = app.sign_up("dan@example.com").await;
    let link = invite(&ada, &team, "dan@example.com", "member").await;
    assert_eq!(dan.post_form(&format!("{link}/accept"), &[]).await.expect(303).location(), "/home");
}

/// Empties a bucket; returns the number of tokens in it.
async fn exhaust(app: &TestApp, what: RateLimit<'_>) -> usize {
    let mut taken = 0;
    while app.app.rate_limiter.check(what).await.is_ok() {
        taken += 1;
    }
    taken
}

async fn invitations_are_rate_limited(engine: Engine) {
    let app = engine.app().await;
    app.clock().hold();
    let ada = app.sign_up("ada@example.com").await;
    let eve = app.sign_up("eve@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let path = format!("{team}/invitations");
    invite(&ada, &team, "bob@example.com", "member").await;
    let resend = link_in(&ada.get(&format!("{team}/invitations")).await.text(), "/resend");
    let user = UserId(user_id(&ada).await.parse().unwrap());
    // Longer than any bucket takes to refill; a non-member does not use up the organization's limit.
    app.clock().advance(Duration::from_mins(100));
    eve.post_form(&path, &[("email", "x@example.com")]).await.expect(404);
    let org = OrganizationId(team.rsplit('/').next().unwrap().parse().unwrap());
    for what in [RateLimit::InviteBy(user), RateLimit::InviteTo(org)] {
        exhaust(&app, what).await;
        for (path, fields) in [(&path, [("email", "cy@example.com")].as_slice()), (&resend, &[])] {
            let refused = ada.post_form(path, fields).await.expect(429);
            let seconds: u64 = refused.header("retry-after").unwrap().parse().unwrap();
            assert!((1..=20).contains(&seconds) && shows(&refused, "Try again in"), "{path}: {}", refused.text());
        }
        app.clock().advance(Duration::from_mins(100));
    }
    assert_eq!(exhaust(&app, RateLimit::InviteTo(org)).await, 200);
    app.clock().advance(Duration::from_secs(20));
    invite(&ada, &team, "cy@example.com", "member").await;
    exhaust(&app, RateLimit::NewTeam(user)).await;
    let refused =
        ada.post_form("/auth/organizations", &[("name", "Too many")]).await.snapshot("organizations/too_many");
    let seconds: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=300).contains(&seconds), "{seconds}");
}
