//! Every action and the events that it emits, byte for byte and in order (docs/protocol.md 12); the samples of
//! docs/events.md.

use crate::event_schemas::differences;
use crate::harness::{Engine, Receiver, TestApp, person, sign_up};
use doorward::domain::account::delete::delete;
use doorward::domain::organization::invite::{self, CreatedInvitation, NewInvitation};
use doorward::domain::organization::rules::Principal;
use doorward::domain::organization::{self, manage, members, respond};
use doorward::messages::Locale;
use doorward::model::api_key::ApiKeyName;
use doorward::model::audit::Actor;
use doorward::model::ids::{OrganizationId, UserId};
use doorward::model::metadata::Metadata;
use doorward::model::organization::MemberRole;
use doorward::model::roles::PlatformRole;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

both_engines![every_action_emits_documented_events, losing_last_membership_creates_new_organization];

/// Compares the received events with the expected ones.
struct EventWalk {
    app: TestApp,
    receiver: Receiver,
    seen: usize,
    /// The values of the placeholders `<name>`.
    placeholders: BTreeMap<String, String>,
    /// One body of each kind, with the values of docs/events.md.
    samples: BTreeMap<String, String>,
}

impl EventWalk {
    async fn begin(engine: Engine, mode: &str) -> Self {
        let receiver = Receiver::start().await;
        let builder = engine.prepare().await.webhooks(&receiver).set("SVC_WEBHOOK_WORKER_COUNT", "1");
        let app = builder.set("SVC_ORG_MODE", mode).set("SVC_RATE_LIMIT", "off").start().await;
        Self { app, receiver, seen: 0, placeholders: BTreeMap::new(), samples: BTreeMap::new() }
    }

    /// Fails unless exactly these events were sent since the last call: kind and `data`, in which `<name>` matches the
    /// same value everywhere and `<*>` matches any.
    async fn expect_events(&mut self, what: &str, expected: &[(&str, &str)]) {
        // Unexpected events are in the outbox by now.
        let stored = self.app.database().count("SELECT count(*) FROM outbox WHERE channel = 'webhook'").await;
        assert_eq!(usize::try_from(stored).unwrap(), self.seen + expected.len(), "{what}");
        let all = self.receiver.wait_for(self.seen + expected.len()).await;
        for (received, (kind, data)) in all[self.seen..].iter().zip(expected) {
            let body = String::from_utf8(received.body.clone()).unwrap();
            assert_eq!(differences(&received.body), [""; 0], "{what}");
            let envelope = format!(r#"{{"id":"evt_<*>","type":"{kind}","created_at":"<*>","data":{data}}}"#);
            self.compare(what, &body, &envelope);
            let sample = self.sample(&envelope);
            // Prefers the sample with metadata, else the last one.
            let entry = self.samples.entry((*kind).to_owned()).or_default();
            if !entry.contains("gold") {
                *entry = sample;
            }
        }
        self.seen += expected.len();
    }

    fn compare(&mut self, what: &str, body: &str, expected: &str) {
        let mut rest = body;
        let mut pieces = expected.split('<');
        let fail = |rest: &str| panic!("{what}:\n{body}\ninstead of\n{expected}\nat {rest}");
        rest = rest.strip_prefix(pieces.next().unwrap()).unwrap_or_else(|| fail(rest));
        for piece in pieces {
            let (name, literal) = piece.split_once('>').unwrap();
            let value = &rest[..rest.find('"').unwrap()];
            if name != "*" {
                let known = self.placeholders.entry(name.to_owned()).or_insert_with(|| value.to_owned());
                assert_eq!(known, value, "{what}: <{name}> in\n{body}\ninstead of\n{expected}");
            }
            rest = rest[value.len()..].strip_prefix(literal).unwrap_or_else(|| fail(rest));
        }
        assert!(rest.is_empty(), "{what}: {rest} is unexpected");
    }

    /// The expected body with the values that the documentation shows.
    fn sample(&self, envelope: &str) -> String {
        let mut text = envelope.replacen("<*>", "01980a3c-5b8e-7d21-9c40-2f6d1a7b8e93", 1);
        text = text.replace("<*>", "2026-03-14T09:26:53.589793Z");
        for name in self.placeholders.keys() {
            text = text.replace(&format!("<{name}>"), documented(name));
        }
        text
    }

    fn id(&self, name: &str) -> uuid::Uuid {
        self.placeholders[name].parse().unwrap()
    }

    fn user(&self, name: &str) -> UserId {
        UserId(self.id(name))
    }

    fn org(&self, name: &str) -> OrganizationId {
        OrganizationId(self.id(name))
    }

    async fn invite(&self, by: Principal<'_>, email: &str, role: MemberRole, metadata: &str) -> CreatedInvitation {
        let (metadata, locale) = (Metadata::parse(metadata).unwrap(), Locale::ENGLISH);
        let new = NewInvitation { email, role, metadata, send_mail: true, locale };
        invite::invite(&self.app.app, by, self.org("crew"), new).await.unwrap()
    }
}

/// The value in docs/events.md.
fn documented(name: &str) -> &'static str {
    match name {
        "crew" => "01980a3c-1111-7a4e-8f07-6a5b4c3d2e1f",
        "to-bob" => "01980a3c-2222-7c3b-a1d9-0e1f2a3b4c5d",
        "bob" => "01980a3c-3333-7b2a-9e8d-7c6b5a493827",
        name if name.starts_with("own-") => "01980a3c-4444-7f6e-8d5c-4b3a29181706",
        name if name.starts_with("to-") => "01980a3c-5555-7e5d-9c4b-3a2918170615",
        _ => "01980a3c-6666-7d4c-8b3a-291817061504",
    }
}

const USER_CREATED: &str = "user.created";
const ORG_CREATED: &str = "organization.created";
const JOINED: &str = "organization.membership.created";
const CHANGED: &str = "organization.membership.updated";
const LEFT: &str = "organization.membership.deleted";
const ORG_DELETED: &str = "organization.deleted";
const INVITED: &str = "organization.invitation.created";
const ACCEPTED: &str = "organization.invitation.accepted";
const REVOKED: &str = "organization.invitation.revoked";

const CREW: &str = r#"{"organization_id":"<crew>","name":"Crew","kind":"team","created_by_user_id":"<ada>"}"#;

fn personal(name: &str) -> String {
    format!(r#"{{"organization_id":"<own-{name}>","name":"{name}","kind":"personal","created_by_user_id":"<{name}>"}}"#)
}

fn founder(org: &str, user: &str) -> String {
    format!(
        r#"{{"organization_id":"<{org}>","user_id":"<{user}>","role":"owner","is_initial_membership":true,"invitation_id":null,"metadata":{{}}}}"#
    )
}

fn invitee(user: &str, role: &str, metadata: &str) -> String {
    format!(
        r#"{{"organization_id":"<crew>","user_id":"<{user}>","role":"{role}","is_initial_membership":false,"invitation_id":"<to-{user}>","metadata":{metadata}}}"#
    )
}

/// An invitation's data; `rest` has the fields of its kind.
fn invitation(to: &str, role: &str, metadata: &str, rest: &str) -> String {
    format!(
        r#"{{"invitation_id":"<to-{to}>","organization_id":"<crew>","email":"{to}@example.com","role":"{role}","metadata":{metadata},{rest}}}"#
    )
}

fn member(org: &str, user: &str, role: &str) -> String {
    format!(r#"{{"organization_id":"<{org}>","user_id":"<{user}>","role":"{role}"}}"#)
}

const BY_ADA: &str = r#""invited_by_user_id":"<ada>","expires_at":"<*>""#;
const REVOKED_BY_ADA: &str = r#""revoked_by_user_id":"<ada>","revoked_at":"<*>""#;
const REVOKED_BY_NOBODY: &str = r#""revoked_by_user_id":null,"revoked_at":"<*>""#;

async fn every_action_emits_documented_events(engine: Engine) {
    let mut walk = EventWalk::begin(engine, "multi").await;
    walk_accounts(&mut walk).await;
    walk_team_creation(&mut walk).await;
    walk_invitations(&mut walk).await;
    walk_member_changes(&mut walk).await;
    walk_endings(&mut walk).await;
    assert_eq!(walk.samples.len(), 12, "a kind was never sent: {:?}", walk.samples.keys());
    check_documentation(&walk.samples);
}

async fn walk_accounts(walk: &mut EventWalk) {
    sign_up(&walk.app, "ada@example.com", None).await;
    let user = (USER_CREATED, r#"{"user_id":"<ada>"}"#);
    walk.expect_events("sign-up", &[user, (ORG_CREATED, &personal("ada")), (JOINED, &founder("own-ada", "ada"))]).await;
    crate::operators::create(&walk.app.app, "bob").await;
    let user = (USER_CREATED, r#"{"user_id":"<bob>"}"#);
    walk.expect_events(
        "an operator's new account",
        &[user, (ORG_CREATED, &personal("bob")), (JOINED, &founder("own-bob", "bob"))],
    )
    .await;
    let bob = walk.user("bob");
    let app = walk.app.app.clone();
    let updated = ("user.updated", r#"{"user_id":"<bob>"}"#);
    assert!(crate::operators::grant(&app, bob, PlatformRole::Monitor).await.unwrap());
    walk.expect_events("a role", &[updated]).await;
    assert!(!crate::operators::grant(&app, bob, PlatformRole::Monitor).await.unwrap());
    walk.expect_events("the same role again", &[]).await;
    assert!(crate::operators::set_disabled(&app, bob, true).await.unwrap());
    assert!(crate::operators::set_disabled(&app, bob, false).await.unwrap());
    walk.expect_events("disabled and enabled", &[updated, updated]).await;
}

async fn walk_team_creation(walk: &mut EventWalk) {
    let app = walk.app.app.clone();
    let ada = Principal::User(&person(walk.user("ada")));
    manage::create(&app, ada, walk.user("ada"), "  The\tcrew ").await.unwrap();
    let made = CREW.replace("Crew", "The crew");
    walk.expect_events("a team", &[(ORG_CREATED, &made), (JOINED, &founder("crew", "ada"))]).await;
    assert!(manage::rename(&app, ada, walk.org("crew"), "Crew").await.unwrap());
    walk.expect_events("a new name", &[("organization.updated", CREW)]).await;
    assert!(!manage::rename(&app, ada, walk.org("crew"), " Crew ").await.unwrap());
    manage::rename(&app, ada, walk.org("crew"), " ").await.unwrap_err();
    manage::rename(&app, Principal::User(&person(walk.user("bob"))), walk.org("crew"), "Mine").await.unwrap_err();
    walk.expect_events("a name that is no other, and refused ones", &[]).await;
}

async fn walk_invitations(walk: &mut EventWalk) {
    let app = walk.app.app.clone();
    let (ada, crew) = (Principal::User(&person(walk.user("ada"))), walk.org("crew"));
    let gold = r#"{"seat":"gold"}"#;
    let first = walk.invite(Principal::Operator, "bob@example.com", MemberRole::Admin, gold).await;
    let by_operator = r#""invited_by_user_id":null,"expires_at":"<*>""#;
    walk.expect_events("invited by an operator", &[(INVITED, &invitation("bob", "admin", gold, by_operator))]).await;
    let second = invite::resend(&app, Principal::Operator, crew, first.invitation.id, Locale::ENGLISH).await.unwrap();
    walk.expect_events("sent again", &[]).await;
    let session = doorward::model::ids::SessionId(uuid::Uuid::nil());
    respond::accept(&app, first.token.text(), &person(walk.user("bob")), session).await.map(drop).unwrap_err();
    respond::accept(&app, second.token.text(), &person(walk.user("ada")), session).await.map(drop).unwrap_err();
    walk.expect_events("the void link, and the wrong account", &[]).await;
    respond::accept(&app, second.token.text(), &person(walk.user("bob")), session).await.map(drop).unwrap();
    let by = r#""accepted_by_user_id":"<bob>","accepted_at":"<*>""#;
    walk.expect_events(
        "accepted",
        &[(JOINED, &invitee("bob", "admin", gold)), (ACCEPTED, &invitation("bob", "admin", gold, by))],
    )
    .await;
    respond::accept(&app, second.token.text(), &person(walk.user("bob")), session).await.map(drop).unwrap_err();
    walk.expect_events("accepted again", &[]).await;
    let link = walk.invite(ada, "cy@example.com", MemberRole::Member, "{}").await;
    walk.expect_events("invited", &[(INVITED, &invitation("cy", "member", "{}", BY_ADA))]).await;
    sign_up(&walk.app, "another@example.com", Some(link.token.text())).await;
    let by = r#""accepted_by_user_id":"<cy>","accepted_at":"<*>""#;
    walk.expect_events(
        "sign-up by invitation",
        &[
            (USER_CREATED, r#"{"user_id":"<cy>"}"#),
            (ORG_CREATED, &personal("cy")),
            (JOINED, &founder("own-cy", "cy")),
            (JOINED, &invitee("cy", "member", "{}")),
            (ACCEPTED, &invitation("cy", "member", "{}", by)),
        ],
    )
    .await;
    walk_ended_invitations(walk).await;
}

async fn walk_ended_invitations(walk: &mut EventWalk) {
    let app = walk.app.app.clone();
    let (ada, crew) = (Principal::User(&person(walk.user("ada"))), walk.org("crew"));
    let dan = walk.invite(ada, "dan@example.com", MemberRole::Owner, "{}").await;
    invite::revoke(&app, ada, crew, dan.invitation.id).await.unwrap();
    invite::revoke(&app, ada, crew, dan.invitation.id).await.unwrap_err();
    walk.expect_events(
        "revoked",
        &[
            (INVITED, &invitation("dan", "owner", "{}", BY_ADA)),
            (REVOKED, &invitation("dan", "owner", "{}", REVOKED_BY_ADA)),
        ],
    )
    .await;
    let eve = walk.invite(ada, "eve@example.com", MemberRole::Member, "{}").await;
    respond::decline(&app, eve.token.text(), None).await.unwrap();
    walk.expect_events(
        "declined",
        &[
            (INVITED, &invitation("eve", "member", "{}", BY_ADA)),
            (REVOKED, &invitation("eve", "member", "{}", REVOKED_BY_NOBODY)),
        ],
    )
    .await;
    let fay = walk.invite(ada, "fay@example.com", MemberRole::Member, "{}").await;
    walk.expect_events("invited", &[(INVITED, &invitation("fay", "member", "{}", BY_ADA))]).await;
    walk.app.clock().advance(Duration::from_hours(169));
    respond::decline(&app, fay.token.text(), None).await.unwrap_err();
    invite::revoke(&app, ada, crew, fay.invitation.id).await.unwrap();
    walk.expect_events("expired", &[]).await;
}

async fn walk_member_changes(walk: &mut EventWalk) {
    let app = walk.app.app.clone();
    let (ada, crew) = (walk.user("ada"), walk.org("crew"));
    let (by, bob) = (Principal::User(&person(ada)), walk.user("bob"));
    assert!(members::set_role(&app, by, crew, bob, MemberRole::Member).await.unwrap());
    walk.expect_events("another role", &[(CHANGED, &member("crew", "bob", "member"))]).await;
    assert!(!members::set_role(&app, by, crew, bob, MemberRole::Member).await.unwrap());
    members::set_role(&app, by, crew, ada, MemberRole::Member).await.unwrap_err();
    members::set_role(&app, Principal::User(&person(bob)), crew, ada, MemberRole::Member).await.unwrap_err();
    members::leave(&app, &person(ada), crew).await.unwrap_err();
    organization::delete::delete(&app, Principal::User(&person(bob)), crew).await.unwrap_err();
    delete(&app, ada, &person(ada)).await.unwrap_err();
    walk.expect_events("no change, and refused ones", &[]).await;
    walk_role_changes_and_invitations(walk).await;
    members::remove(&app, by, crew, bob).await.unwrap();
    walk.expect_events(
        "removed",
        &[(LEFT, &member("crew", "bob", "member")), (REVOKED, &invitation("ivy", "member", "{}", REVOKED_BY_ADA))],
    )
    .await;
    members::leave(&app, &person(walk.user("cy")), crew).await.unwrap();
    walk.expect_events("left", &[(LEFT, &member("crew", "cy", "member"))]).await;
    let (backend, cy) = (Actor::api_key(ApiKeyName::parse("backend").unwrap(), false), walk.user("cy"));
    let added = members::begin_add(&app, &backend, crew, cy, MemberRole::Member).await.unwrap();
    added.commit().await.unwrap();
    let without_invitation = invitee("cy", "member", "{}").replace("\"<to-cy>\"", "null");
    walk.expect_events("added by a backend", &[(JOINED, &without_invitation)]).await;
    members::remove(&app, Principal::Backend(&backend), crew, cy).await.unwrap();
    walk.expect_events("removed by a backend", &[(LEFT, &member("crew", "cy", "member"))]).await;
}

/// Bob is promoted, invites in that role and is demoted again.
async fn walk_role_changes_and_invitations(walk: &mut EventWalk) {
    let app = walk.app.app.clone();
    let (ada, bob, crew) = (Principal::User(&person(walk.user("ada"))), walk.user("bob"), walk.org("crew"));
    assert!(members::set_role(&app, ada, crew, bob, MemberRole::Owner).await.unwrap());
    walk.expect_events("a greater role", &[(CHANGED, &member("crew", "bob", "owner"))]).await;
    let by_bob = r#""invited_by_user_id":"<bob>","expires_at":"<*>""#;
    for (name, role) in [("joe", MemberRole::Owner), ("kim", MemberRole::Admin), ("ivy", MemberRole::Member)] {
        walk.invite(Principal::User(&person(bob)), &format!("{name}@example.com"), role, "{}").await;
        walk.expect_events("invited by bob", &[(INVITED, &invitation(name, role.as_str(), "{}", by_bob))]).await;
    }
    assert!(members::set_role(&app, ada, crew, bob, MemberRole::Member).await.unwrap());
    walk.expect_events(
        "a lesser role, and what was invited beyond it",
        &[
            (CHANGED, &member("crew", "bob", "member")),
            (REVOKED, &invitation("joe", "owner", "{}", REVOKED_BY_ADA)),
            (REVOKED, &invitation("kim", "admin", "{}", REVOKED_BY_ADA)),
        ],
    )
    .await;
}

async fn walk_endings(walk: &mut EventWalk) {
    walk_account_deletion(walk).await;

    let app = walk.app.app.clone();
    let (ada, crew) = (walk.user("ada"), walk.org("crew"));
    walk.invite(Principal::User(&person(ada)), "gil@example.com", MemberRole::Member, "{}").await;
    organization::delete::delete(&app, Principal::User(&person(ada)), walk.org("own-ada")).await.unwrap_err();
    organization::delete::delete(&app, Principal::User(&person(ada)), crew).await.unwrap();
    walk.expect_events(
        "an organization is deleted",
        &[
            (INVITED, &invitation("gil", "member", "{}", BY_ADA)),
            (REVOKED, &invitation("gil", "member", "{}", REVOKED_BY_ADA)),
            (LEFT, &member("crew", "ada", "owner")),
            (ORG_DELETED, CREW),
        ],
    )
    .await;
    walk.placeholders.remove("crew");
    manage::create(&app, Principal::User(&person(ada)), ada, "Crew").await.unwrap();
    walk.expect_events("another team", &[(ORG_CREATED, CREW), (JOINED, &founder("crew", "ada"))]).await;
    walk.invite(Principal::User(&person(ada)), "hal@example.com", MemberRole::Member, "{}").await;
    delete(&app, ada, &person(ada)).await.unwrap();
    walk.expect_events(
        "an account is deleted",
        &[
            (INVITED, &invitation("hal", "member", "{}", BY_ADA)),
            (REVOKED, &invitation("hal", "member", "{}", REVOKED_BY_ADA)),
            (LEFT, &member("own-ada", "ada", "owner")),
            (LEFT, &member("crew", "ada", "owner")),
            (ORG_DELETED, &personal("ada")),
            (ORG_DELETED, CREW),
            ("user.deleted", r#"{"user_id":"<ada>"}"#),
        ],
    )
    .await;
    delete(&app, ada, &Actor::operator()).await.unwrap_err();
    walk.expect_events("deleted already", &[]).await;
}

async fn walk_account_deletion(walk: &mut EventWalk) {
    let app = walk.app.app.clone();
    let lea = walk.invite(Principal::User(&person(walk.user("ada"))), "lea@example.com", MemberRole::Admin, "{}").await;
    sign_up(&walk.app, "", Some(lea.token.text())).await;
    let by = r#""accepted_by_user_id":"<lea>","accepted_at":"<*>""#;
    walk.expect_events(
        "sign-up by invitation",
        &[
            (INVITED, &invitation("lea", "admin", "{}", BY_ADA)),
            (USER_CREATED, r#"{"user_id":"<lea>"}"#),
            (ORG_CREATED, &personal("lea")),
            (JOINED, &founder("own-lea", "lea")),
            (JOINED, &invitee("lea", "admin", "{}")),
            (ACCEPTED, &invitation("lea", "admin", "{}", by)),
        ],
    )
    .await;
    let lea = walk.user("lea");
    walk.invite(Principal::User(&person(lea)), "mia@example.com", MemberRole::Member, "{}").await;
    delete(&app, lea, &person(lea)).await.unwrap();
    walk.expect_events(
        "an account is deleted that invited where others stay",
        &[
            (INVITED, &invitation("mia", "member", "{}", r#""invited_by_user_id":"<lea>","expires_at":"<*>""#)),
            (LEFT, &member("crew", "lea", "admin")),
            (REVOKED, &invitation("mia", "member", "{}", REVOKED_BY_NOBODY)),
            (LEFT, &member("own-lea", "lea", "owner")),
            (ORG_DELETED, &personal("lea")),
            ("user.deleted", r#"{"user_id":"<lea>"}"#),
        ],
    )
    .await;
}

async fn losing_last_membership_creates_new_organization(engine: Engine) {
    let mut walk = EventWalk::begin(engine, "single").await;
    let app = walk.app.app.clone();
    let team = |name: &str| personal(name).replace("personal", "team");
    sign_up(&walk.app, "ada@example.com", None).await;
    let mine = team("ada").replace("<own-ada>", "<crew>");
    let user = (USER_CREATED, r#"{"user_id":"<ada>"}"#);
    walk.expect_events("sign-up", &[user, (ORG_CREATED, &mine), (JOINED, &founder("crew", "ada"))]).await;
    let (ada, crew) = (walk.user("ada"), walk.org("crew"));
    for name in ["bob", "cy"] {
        let link =
            walk.invite(Principal::User(&person(ada)), &format!("{name}@example.com"), MemberRole::Member, "{}").await;
        sign_up(&walk.app, "", Some(link.token.text())).await;
        let by = format!(r#""accepted_by_user_id":"<{name}>","accepted_at":"<*>""#);
        walk.expect_events(
            "sign-up by invitation joins the inviting one only",
            &[
                (INVITED, &invitation(name, "member", "{}", BY_ADA)),
                (USER_CREATED, &format!(r#"{{"user_id":"<{name}>"}}"#)),
                (JOINED, &invitee(name, "member", "{}")),
                (ACCEPTED, &invitation(name, "member", "{}", &by)),
            ],
        )
        .await;
    }
    members::leave(&app, &person(walk.user("bob")), crew).await.unwrap();
    walk.expect_events(
        "left the only one",
        &[(LEFT, &member("crew", "bob", "member")), (ORG_CREATED, &team("bob")), (JOINED, &founder("own-bob", "bob"))],
    )
    .await;
    organization::delete::delete(&app, Principal::User(&person(ada)), crew).await.unwrap();
    walk.expect_events(
        "the only one of two people is deleted",
        &[
            (LEFT, &member("crew", "ada", "owner")),
            (LEFT, &member("crew", "cy", "member")),
            (ORG_DELETED, &mine),
            (ORG_CREATED, &team("ada")),
            (JOINED, &founder("own-ada", "ada")),
            (ORG_CREATED, &team("cy")),
            (JOINED, &founder("own-cy", "cy")),
        ],
    )
    .await;
    let lost = "SELECT count(*) FROM sessions s WHERE NOT EXISTS (SELECT 1 FROM memberships m \
                WHERE m.user_id = s.user_id AND m.organization_id = s.organization_id)";
    assert_eq!(walk.app.database().count(lost).await, 0);
}

/// Fails unless each sample in the documentation matches a sent event.
fn check_documentation(samples: &BTreeMap<String, String>) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/events.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks: Vec<String> =
        page.split("```json\n").skip(1).map(|rest| minified(rest.split("```").next().unwrap())).collect();
    for (kind, sample) in samples {
        assert!(blocks.contains(sample), "docs/events.md has no sample for {kind}, which is\n{sample}");
    }
    assert_eq!(blocks.len(), samples.len(), "docs/events.md has a sample too many");
}

/// JSON without whitespace outside strings; the strings here have no escapes.
fn minified(json: &str) -> String {
    let parts = json.split('"').enumerate();
    let parts =
        parts.map(|(index, part)| if index % 2 == 1 { part.to_owned() } else { part.split_whitespace().collect() });
    parts.collect::<Vec<String>>().join("\"")
}
