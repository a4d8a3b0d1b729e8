//! Every action and the events that it emits, byte for byte and in order (docs/reference/webhooks.md 12), as snapshots;
//! the samples of docs/reference/events.md.

use crate::event_schemas::differences;
use crate::harness::{Engine, Received, Receiver, TestApp, backend, person, redact, sign_up, snapshot};
use doorward::domain::account::delete::Delete;
use doorward::domain::account::operator;
use doorward::domain::change;
use doorward::domain::organization::invite::{self, CreatedInvitation, Invite};
use doorward::domain::organization::{self, manage, members, respond};
use doorward::messages::Locale;
use doorward::model::api_key::Scope;
use doorward::model::device::Device;
use doorward::model::event::EventKind;
use doorward::model::ids::{OrganizationId, UserId};
use doorward::model::metadata::Metadata;
use doorward::model::organization::MemberRole;
use doorward::model::principal::Principal;
use doorward::model::roles::PlatformRole;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

one_engine![every_action_emits_documented_events, losing_last_membership_creates_new_organization,];

/// What was done, and the events that came of it.
struct EventWalk {
    app: TestApp,
    receiver: Receiver,
    received: Vec<Received>,
    /// Each step with its events: kind and `data`.
    text: String,
}

impl EventWalk {
    async fn begin(engine: Engine, mode: &str) -> Self {
        let receiver = Receiver::start().await;
        let builder = engine.prepare().await.webhooks(&receiver).set("SVC_WEBHOOK_WORKER_COUNT", "1");
        let app = builder.set("SVC_ORG_MODE", mode).set("SVC_RATE_LIMIT", "off").start().await;
        Self { app, receiver, received: Vec::new(), text: String::new() }
    }

    /// Notes the events since the last step, all of which are in the outbox by now.
    async fn step(&mut self, what: &str) {
        let stored = self.app.database().count("SELECT count(*) FROM outbox WHERE channel = 'webhook'").await;
        let all = self.receiver.wait_for(usize::try_from(stored).unwrap()).await;
        // In the order in which they were recorded: only those of one subject arrive so.
        let mut new = all[self.received.len()..].to_vec();
        new.sort_by_key(|event| event.id().to_owned());
        let nothing = if new.is_empty() { ": nothing" } else { "" };
        writeln!(self.text, "{what}{nothing}").unwrap();
        for event in new {
            assert_eq!(differences(&event.body), [""; 0], "{what}");
            let body = String::from_utf8_lossy(&event.body);
            let data = body.split_once(r#","data":"#).unwrap().1.strip_suffix('}').unwrap();
            writeln!(self.text, "    {} {data}", event.kind()).unwrap();
        }
        self.received = all;
    }

    async fn user(&self, name: &str) -> UserId {
        operator::find(&self.app.app.store, &Principal::operator(), name).await.unwrap().id
    }

    /// The organization that was last told with this name.
    fn organization(&self, name: &str) -> OrganizationId {
        let data = self.received.iter().rev().map(|event| event.json()["data"].clone());
        let named = data.into_iter().find(|data| data["name"] == name).unwrap();
        OrganizationId(named["organization_id"].as_str().unwrap().parse().unwrap())
    }

    async fn invite(
        &self,
        by: &Principal,
        to: OrganizationId,
        name: &str,
        role: MemberRole,
        metadata: &str,
    ) -> CreatedInvitation {
        let (metadata, locale) = (Metadata::parse(metadata).unwrap(), Locale::ENGLISH);
        let new = Invite { org: to, email: &format!("{name}@example.com"), role, metadata, send_mail: true, locale };
        change::run(&self.app.app, by, new).await.unwrap()
    }
}

async fn every_action_emits_documented_events(engine: Engine) {
    let mut walk = EventWalk::begin(engine, "multi").await;
    walk_accounts(&mut walk).await;
    walk_team_creation(&mut walk).await;
    walk_invitations(&mut walk).await;
    walk_member_changes(&mut walk).await;
    walk_endings(&mut walk).await;
    snapshot("events/actions", &walk.text);
    for kind in EventKind::ALL.map(EventKind::as_str) {
        let first = walk.received.iter().find(|event| event.kind() == kind).expect(kind);
        snapshot(&format!("events/{}", kind.replace('.', "_")), &first.to_string());
    }
    check_documentation(&walk.received);
}

async fn walk_accounts(walk: &mut EventWalk) {
    sign_up(&walk.app, "ada@example.com", None).await;
    walk.step("sign-up").await;
    crate::operators::create(&walk.app.app, "bob").await;
    walk.step("an operator's new account").await;
    let bob = walk.user("bob").await;
    let app = walk.app.app.clone();
    assert!(crate::operators::grant(&app, bob, PlatformRole::Monitor).await.unwrap());
    walk.step("a role").await;
    assert!(!crate::operators::grant(&app, bob, PlatformRole::Monitor).await.unwrap());
    walk.step("the same role again").await;
    assert!(crate::operators::set_disabled(&app, bob, true).await.unwrap());
    assert!(crate::operators::set_disabled(&app, bob, false).await.unwrap());
    walk.step("disabled and enabled").await;
}

async fn walk_team_creation(walk: &mut EventWalk) {
    let app = walk.app.app.clone();
    let ada = walk.user("ada").await;
    let (by, bob) = (&person(ada), person(walk.user("bob").await));
    change::run(&app, by, manage::CreateTeam { owner: ada, name: "  The\tcrew " }).await.unwrap();
    walk.step("a team").await;
    let crew = walk.organization("The crew");
    assert!(change::run(&app, by, manage::Rename { org: crew, name: Some("Crew") }).await.unwrap());
    walk.step("a new name").await;
    assert!(!change::run(&app, by, manage::Rename { org: crew, name: Some(" Crew ") }).await.unwrap());
    change::run(&app, by, manage::Rename { org: crew, name: Some(" ") }).await.unwrap_err();
    change::run(&app, &bob, manage::Rename { org: crew, name: Some("Mine") }).await.unwrap_err();
    walk.step("a name that is no other, and refused ones").await;
}

async fn walk_invitations(walk: &mut EventWalk) {
    let app = walk.app.app.clone();
    let (ada, crew) = (person(walk.user("ada").await), walk.organization("Crew"));
    let bob = person(walk.user("bob").await);
    let gold = r#"{"seat":"gold"}"#;
    let first = walk.invite(&Principal::operator(), crew, "bob", MemberRole::Admin, gold).await;
    walk.step("invited by an operator").await;
    let second = change::run(
        &app,
        &Principal::operator(),
        invite::Resend { org: crew, id: first.invitation.id, locale: Locale::ENGLISH },
    )
    .await
    .unwrap();
    walk.step("sent again").await;
    change::run(&app, &bob, respond::Accept { token: first.token.text() }).await.map(drop).unwrap_err();
    change::run(&app, &ada, respond::Accept { token: second.token.text() }).await.map(drop).unwrap_err();
    walk.step("the void link, and the wrong account").await;
    change::run(&app, &bob, respond::Accept { token: second.token.text() }).await.map(drop).unwrap();
    walk.step("accepted").await;
    change::run(&app, &bob, respond::Accept { token: second.token.text() }).await.map(drop).unwrap_err();
    walk.step("accepted again").await;
    let link = walk.invite(&ada, crew, "cy", MemberRole::Member, "{}").await;
    walk.step("invited").await;
    sign_up(&walk.app, "another@example.com", Some(link.token.text())).await;
    walk.step("sign-up by invitation").await;
    walk_ended_invitations(walk).await;
}

async fn walk_ended_invitations(walk: &mut EventWalk) {
    let app = walk.app.app.clone();
    let (ada, crew) = (&person(walk.user("ada").await), walk.organization("Crew"));
    let nobody = Principal::anonymous(Device::new("", None));
    let dan = walk.invite(ada, crew, "dan", MemberRole::Owner, "{}").await;
    change::run(&app, ada, invite::Revoke { org: crew, id: dan.invitation.id }).await.unwrap();
    change::run(&app, ada, invite::Revoke { org: crew, id: dan.invitation.id }).await.unwrap_err();
    walk.step("revoked").await;
    let eve = walk.invite(ada, crew, "eve", MemberRole::Member, "{}").await;
    change::run(&app, &nobody, respond::Decline { token: eve.token.text() }).await.unwrap();
    walk.step("declined").await;
    let fay = walk.invite(ada, crew, "fay", MemberRole::Member, "{}").await;
    walk.step("invited").await;
    walk.app.clock().advance(Duration::from_hours(169));
    change::run(&app, &nobody, respond::Decline { token: fay.token.text() }).await.unwrap_err();
    change::run(&app, ada, invite::Revoke { org: crew, id: fay.invitation.id }).await.unwrap();
    walk.step("expired").await;
}

async fn walk_member_changes(walk: &mut EventWalk) {
    let app = walk.app.app.clone();
    let (ada, crew) = (walk.user("ada").await, walk.organization("Crew"));
    let (by, bob) = (&person(ada), walk.user("bob").await);
    assert!(
        change::run(&app, by, members::SetRole { org: crew, user: bob, role: Some(MemberRole::Member) }).await.unwrap()
    );
    walk.step("another role").await;
    assert!(
        !change::run(&app, by, members::SetRole { org: crew, user: bob, role: Some(MemberRole::Member) })
            .await
            .unwrap()
    );
    change::run(&app, by, members::SetRole { org: crew, user: ada, role: Some(MemberRole::Member) }).await.unwrap_err();
    change::run(&app, &person(bob), members::SetRole { org: crew, user: ada, role: Some(MemberRole::Member) })
        .await
        .unwrap_err();
    change::run(&app, &person(ada), members::Leave { org: crew }).await.unwrap_err();
    change::run(&app, &person(bob), organization::delete::Delete { org: crew }).await.unwrap_err();
    change::run(&app, &person(ada), Delete { user: ada }).await.unwrap_err();
    walk.step("no change, and refused ones").await;
    walk_role_changes_and_invitations(walk).await;
    change::run(&app, by, members::RemoveMember { org: crew, user: bob }).await.unwrap();
    walk.step("removed").await;
    change::run(&app, &person(walk.user("cy").await), members::Leave { org: crew }).await.unwrap();
    walk.step("left").await;
    let (backend, cy) = (backend(&[Scope::OrganizationsWrite]), walk.user("cy").await);
    change::run(&app, &backend, members::AddMember { org: crew, user: cy, role: MemberRole::Member }).await.unwrap();
    walk.step("added by a backend").await;
    change::run(&app, &backend, members::RemoveMember { org: crew, user: cy }).await.unwrap();
    walk.step("removed by a backend").await;
}

/// Bob is promoted, invites in that role and is demoted again.
async fn walk_role_changes_and_invitations(walk: &mut EventWalk) {
    let app = walk.app.app.clone();
    let (ada, bob) = (&person(walk.user("ada").await), walk.user("bob").await);
    let crew = walk.organization("Crew");
    assert!(
        change::run(&app, ada, members::SetRole { org: crew, user: bob, role: Some(MemberRole::Owner) }).await.unwrap()
    );
    walk.step("a greater role").await;
    for (name, role) in [("joe", MemberRole::Owner), ("kim", MemberRole::Admin), ("ivy", MemberRole::Member)] {
        walk.invite(&person(bob), crew, name, role, "{}").await;
        walk.step("invited by bob").await;
    }
    assert!(
        change::run(&app, ada, members::SetRole { org: crew, user: bob, role: Some(MemberRole::Member) })
            .await
            .unwrap()
    );
    walk.step("a lesser role, and what was invited beyond it").await;
}

async fn walk_endings(walk: &mut EventWalk) {
    walk_account_deletion(walk).await;

    let app = walk.app.app.clone();
    let (ada, crew) = (walk.user("ada").await, walk.organization("Crew"));
    walk.invite(&person(ada), crew, "gil", MemberRole::Member, "{}").await;
    change::run(&app, &person(ada), organization::delete::Delete { org: walk.organization("ada") }).await.unwrap_err();
    change::run(&app, &person(ada), organization::delete::Delete { org: crew }).await.unwrap();
    walk.step("an organization is deleted").await;
    change::run(&app, &person(ada), manage::CreateTeam { owner: ada, name: "Crew" }).await.unwrap();
    walk.step("another team").await;
    let crew = walk.organization("Crew");
    walk.invite(&person(ada), crew, "hal", MemberRole::Member, "{}").await;
    change::run(&app, &person(ada), Delete { user: ada }).await.unwrap();
    walk.step("an account is deleted").await;
    change::run(&app, &Principal::operator(), Delete { user: ada }).await.unwrap_err();
    walk.step("deleted already").await;
}

async fn walk_account_deletion(walk: &mut EventWalk) {
    let app = walk.app.app.clone();
    let (ada, crew) = (person(walk.user("ada").await), walk.organization("Crew"));
    let lea = walk.invite(&ada, crew, "lea", MemberRole::Admin, "{}").await;
    sign_up(&walk.app, "", Some(lea.token.text())).await;
    walk.step("sign-up by invitation").await;
    let lea = walk.user("lea").await;
    walk.invite(&person(lea), crew, "mia", MemberRole::Member, "{}").await;
    change::run(&app, &person(lea), Delete { user: lea }).await.unwrap();
    walk.step("an account is deleted that invited where others stay").await;
}

async fn losing_last_membership_creates_new_organization(engine: Engine) {
    let mut walk = EventWalk::begin(engine, "single").await;
    let app = walk.app.app.clone();
    sign_up(&walk.app, "ada@example.com", None).await;
    walk.step("sign-up").await;
    let (ada, crew) = (walk.user("ada").await, walk.organization("ada"));
    for name in ["bob", "cy"] {
        let link = walk.invite(&person(ada), crew, name, MemberRole::Member, "{}").await;
        sign_up(&walk.app, "", Some(link.token.text())).await;
        walk.step("sign-up by invitation joins the inviting one only").await;
    }
    change::run(&app, &person(walk.user("bob").await), members::Leave { org: crew }).await.unwrap();
    walk.step("left the only one").await;
    change::run(&app, &person(ada), organization::delete::Delete { org: crew }).await.unwrap();
    walk.step("the only one of two people is deleted").await;
    let lost = "SELECT count(*) FROM sessions s WHERE NOT EXISTS (SELECT 1 FROM memberships m \
                WHERE m.user_id = s.user_id AND m.organization_id = s.organization_id)";
    assert_eq!(walk.app.database().count(lost).await, 0);
    snapshot("events/actions_where_all_organizations_are_teams", &walk.text);
}

/// Fails unless docs/reference/events.md has one sample of each kind, and each was sent but for ids and times.
fn check_documentation(received: &[Received]) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/events.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks = page.split("```json\n").skip(1).map(|rest| minified(rest.split("```").next().unwrap()));
    let sent: BTreeSet<String> = received.iter().map(|event| redact(&String::from_utf8_lossy(&event.body))).collect();
    let mut kinds = BTreeSet::new();
    for block in blocks {
        let sample: serde_json::Value = serde_json::from_str(&block).unwrap();
        assert!(sent.contains(&redact(&block)), "docs/reference/events.md has a sample that was not sent: {block}");
        assert!(
            kinds.insert(sample["type"].to_string()),
            "docs/reference/events.md has two samples of one kind: {block}"
        );
    }
    assert_eq!(kinds.len(), EventKind::ALL.len(), "{kinds:?}");
}

/// JSON without whitespace outside strings; the strings here have no escapes.
fn minified(json: &str) -> String {
    let parts = json.split('"').enumerate();
    let parts =
        parts.map(|(index, part)| if index % 2 == 1 { part.to_owned() } else { part.split_whitespace().collect() });
    parts.collect::<Vec<String>>().join("\"")
}
