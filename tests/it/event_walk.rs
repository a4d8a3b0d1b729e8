//! Every action and every event that it causes, byte for byte and in order (contract 6); the samples of docs/events.md.

use crate::harness::{Engine, Receiver, TestApp};
use doorward::domain::account::delete::delete;
use doorward::domain::account::operator::{self, NewUser};
use doorward::domain::login::complete::Arrival;
use doorward::domain::organization::invite::{self, Invited, NewInvitation};
use doorward::domain::organization::rules::Actor;
use doorward::domain::organization::{self, manage, members, respond};
use doorward::domain::registration::form::SignUp;
use doorward::domain::registration::{admission, sign_up};
use doorward::messages::Locale;
use doorward::model::audit::By;
use doorward::model::device::Device;
use doorward::model::ids::{OrganizationId, UserId};
use doorward::model::metadata::Metadata;
use doorward::model::organization::MemberRole;
use doorward::model::roles::{PlatformRole, Roles};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

both![every_action_tells_what_the_contract_says, whoever_loses_the_last_membership_gets_a_new_one];

/// What the receiver got, read beside what was expected.
struct Tale {
    app: TestApp,
    receiver: Receiver,
    told: usize,
    /// The values that `<name>` has stood for.
    bound: BTreeMap<String, String>,
    /// One body of each kind, with the values of docs/events.md.
    samples: BTreeMap<String, String>,
}

impl Tale {
    async fn begin(engine: Engine, mode: &str) -> Self {
        let receiver = Receiver::start().await;
        let builder = engine.prepare().await.webhooks(&receiver).set("SVC_WEBHOOK_WORKER_COUNT", "1");
        let app = builder.set("SVC_ORG_MODE", mode).set("SVC_RATE_LIMIT", "off").start().await;
        Self { app, receiver, told: 0, bound: BTreeMap::new(), samples: BTreeMap::new() }
    }

    /// Fails unless just these events were told since the last call: kind and `data`, in which `<name>` stands for a
    /// value that is the same wherever the name is, and `<*>` for any.
    async fn told(&mut self, what: &str, expected: &[(&str, &str)]) {
        // Whatever should not have come stands in the outbox by now.
        let stored = self.app.database().count("SELECT count(*) FROM outbox WHERE channel = 'webhook'").await;
        assert_eq!(usize::try_from(stored).unwrap(), self.told + expected.len(), "{what}");
        let all = self.receiver.wait_for(self.told + expected.len()).await;
        for (received, (kind, data)) in all[self.told..].iter().zip(expected) {
            let body = String::from_utf8(received.body.clone()).unwrap();
            let envelope = format!(r#"{{"id":"evt_<*>","type":"{kind}","created_at":"<*>","data":{data}}}"#);
            self.compare(what, &body, &envelope);
            let sample = self.sample(&envelope);
            // The one with metadata says most; else the last.
            let kept = self.samples.entry((*kind).to_owned()).or_default();
            if !kept.contains("gold") {
                *kept = sample;
            }
        }
        self.told += expected.len();
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
                let known = self.bound.entry(name.to_owned()).or_insert_with(|| value.to_owned());
                assert_eq!(known, value, "{what}: <{name}> in\n{body}\ninstead of\n{expected}");
            }
            rest = rest[value.len()..].strip_prefix(literal).unwrap_or_else(|| fail(rest));
        }
        assert!(rest.is_empty(), "{what}: {rest} is left");
    }

    /// The expected body with the values that the documentation shows.
    fn sample(&self, envelope: &str) -> String {
        let mut text = envelope.replacen("<*>", "01980a3c-5b8e-7d21-9c40-2f6d1a7b8e93", 1);
        text = text.replace("<*>", "2026-03-14T09:26:53.589793Z");
        for name in self.bound.keys() {
            text = text.replace(&format!("<{name}>"), documented(name));
        }
        text
    }

    fn id(&self, name: &str) -> uuid::Uuid {
        self.bound[name].parse().unwrap()
    }

    fn user(&self, name: &str) -> UserId {
        UserId(self.id(name))
    }

    fn org(&self, name: &str) -> OrganizationId {
        OrganizationId(self.id(name))
    }

    async fn invite(&self, by: Actor, email: &str, role: MemberRole, metadata: &str) -> Invited {
        let new = NewInvitation { email, role, metadata: Metadata::parse(metadata).unwrap(), locale: Locale::En };
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

async fn sign_up(app: &TestApp, email: &str, invitation: Option<&str>) {
    let form = SignUp {
        email: email.to_owned(),
        username: String::new(),
        password: "a lighthouse in the fog".into(),
        return_to: None,
        locale: Locale::En,
    };
    let arrival = Arrival { device: Device::new("", None), replaces: Vec::new(), device_tokens: Vec::new() };
    let admission = admission::admit(&app.app, invitation).await.unwrap();
    sign_up::sign_up(&app.app, &admission, form, &arrival).await.map(drop).unwrap();
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

/// An invitation's data; `rest` is what its kind adds.
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

async fn every_action_tells_what_the_contract_says(engine: Engine) {
    let mut tale = Tale::begin(engine, "multi").await;
    accounts_begin(&mut tale).await;
    a_team_is_made(&mut tale).await;
    people_are_invited(&mut tale).await;
    members_change(&mut tale).await;
    things_end(&mut tale).await;
    assert_eq!(tale.samples.len(), 12, "a kind was never told: {:?}", tale.samples.keys());
    check_documentation(&tale.samples);
}

async fn accounts_begin(tale: &mut Tale) {
    sign_up(&tale.app, "ada@example.com", None).await;
    let user = (USER_CREATED, r#"{"user_id":"<ada>"}"#);
    tale.told("sign-up", &[user, (ORG_CREATED, &personal("ada")), (JOINED, &founder("own-ada", "ada"))]).await;
    let new = NewUser {
        email: "bob@example.com".to_owned(),
        username: None,
        password: "a lighthouse in the fog".into(),
        roles: Roles::NONE,
        verified: false,
    };
    operator::create(&tale.app.app, new).await.map(drop).unwrap();
    let user = (USER_CREATED, r#"{"user_id":"<bob>"}"#);
    tale.told(
        "an operator's new account",
        &[user, (ORG_CREATED, &personal("bob")), (JOINED, &founder("own-bob", "bob"))],
    )
    .await;
    let bob = tale.user("bob");
    let app = tale.app.app.clone();
    let updated = ("user.updated", r#"{"user_id":"<bob>"}"#);
    assert!(operator::grant(&app, bob, PlatformRole::Monitor).await.unwrap());
    tale.told("a role", &[updated]).await;
    assert!(!operator::grant(&app, bob, PlatformRole::Monitor).await.unwrap());
    tale.told("the same role again", &[]).await;
    assert!(operator::set_disabled(&app, bob, true).await.unwrap());
    assert!(operator::set_disabled(&app, bob, false).await.unwrap());
    tale.told("disabled and enabled", &[updated, updated]).await;
}

async fn a_team_is_made(tale: &mut Tale) {
    let app = tale.app.app.clone();
    let ada = Actor::User(tale.user("ada"));
    manage::create(&app, ada, tale.user("ada"), "  The\tcrew ").await.unwrap();
    let made = CREW.replace("Crew", "The crew");
    tale.told("a team", &[(ORG_CREATED, &made), (JOINED, &founder("crew", "ada"))]).await;
    assert!(manage::rename(&app, ada, tale.org("crew"), "Crew").await.unwrap());
    tale.told("a new name", &[("organization.updated", CREW)]).await;
    assert!(!manage::rename(&app, ada, tale.org("crew"), " Crew ").await.unwrap());
    manage::rename(&app, ada, tale.org("crew"), " ").await.unwrap_err();
    manage::rename(&app, Actor::User(tale.user("bob")), tale.org("crew"), "Mine").await.unwrap_err();
    tale.told("a name that is no other, and refused ones", &[]).await;
}

async fn people_are_invited(tale: &mut Tale) {
    let app = tale.app.app.clone();
    let (ada, crew) = (Actor::User(tale.user("ada")), tale.org("crew"));
    let gold = r#"{"seat":"gold"}"#;
    let first = tale.invite(Actor::Operator, "bob@example.com", MemberRole::Admin, gold).await;
    let by_operator = r#""invited_by_user_id":null,"expires_at":"<*>""#;
    tale.told("invited by an operator", &[(INVITED, &invitation("bob", "admin", gold, by_operator))]).await;
    let second = invite::resend(&app, Actor::Operator, crew, first.invitation.id, Locale::En).await.unwrap();
    tale.told("sent again", &[]).await;
    let session = doorward::model::ids::SessionId(uuid::Uuid::nil());
    respond::accept(&app, first.token.text(), tale.user("bob"), session).await.map(drop).unwrap_err();
    respond::accept(&app, second.token.text(), tale.user("ada"), session).await.map(drop).unwrap_err();
    tale.told("the void link, and the wrong account", &[]).await;
    respond::accept(&app, second.token.text(), tale.user("bob"), session).await.map(drop).unwrap();
    let by = r#""accepted_by_user_id":"<bob>","accepted_at":"<*>""#;
    tale.told(
        "accepted",
        &[(JOINED, &invitee("bob", "admin", gold)), (ACCEPTED, &invitation("bob", "admin", gold, by))],
    )
    .await;
    respond::accept(&app, second.token.text(), tale.user("bob"), session).await.map(drop).unwrap_err();
    tale.told("accepted again", &[]).await;
    let link = tale.invite(ada, "cy@example.com", MemberRole::Member, "{}").await;
    tale.told("invited", &[(INVITED, &invitation("cy", "member", "{}", BY_ADA))]).await;
    sign_up(&tale.app, "another@example.com", Some(link.token.text())).await;
    let by = r#""accepted_by_user_id":"<cy>","accepted_at":"<*>""#;
    tale.told(
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
    invitations_end(tale).await;
}

async fn invitations_end(tale: &mut Tale) {
    let app = tale.app.app.clone();
    let (ada, crew) = (Actor::User(tale.user("ada")), tale.org("crew"));
    let dan = tale.invite(ada, "dan@example.com", MemberRole::Owner, "{}").await;
    invite::revoke(&app, ada, crew, dan.invitation.id).await.unwrap();
    invite::revoke(&app, ada, crew, dan.invitation.id).await.unwrap_err();
    tale.told(
        "revoked",
        &[
            (INVITED, &invitation("dan", "owner", "{}", BY_ADA)),
            (REVOKED, &invitation("dan", "owner", "{}", REVOKED_BY_ADA)),
        ],
    )
    .await;
    let eve = tale.invite(ada, "eve@example.com", MemberRole::Member, "{}").await;
    respond::decline(&app, eve.token.text(), None).await.unwrap();
    tale.told(
        "declined",
        &[
            (INVITED, &invitation("eve", "member", "{}", BY_ADA)),
            (REVOKED, &invitation("eve", "member", "{}", REVOKED_BY_NOBODY)),
        ],
    )
    .await;
    let fay = tale.invite(ada, "fay@example.com", MemberRole::Member, "{}").await;
    tale.told("invited", &[(INVITED, &invitation("fay", "member", "{}", BY_ADA))]).await;
    tale.app.clock().advance(Duration::from_hours(169));
    respond::decline(&app, fay.token.text(), None).await.unwrap_err();
    invite::revoke(&app, ada, crew, fay.invitation.id).await.unwrap();
    tale.told("expired", &[]).await;
}

async fn members_change(tale: &mut Tale) {
    let app = tale.app.app.clone();
    let (ada, crew) = (tale.user("ada"), tale.org("crew"));
    let (by, bob) = (Actor::User(ada), tale.user("bob"));
    assert!(members::set_role(&app, by, crew, bob, MemberRole::Member).await.unwrap());
    tale.told("another role", &[(CHANGED, &member("crew", "bob", "member"))]).await;
    assert!(!members::set_role(&app, by, crew, bob, MemberRole::Member).await.unwrap());
    members::set_role(&app, by, crew, ada, MemberRole::Member).await.unwrap_err();
    members::set_role(&app, Actor::User(bob), crew, ada, MemberRole::Member).await.unwrap_err();
    members::leave(&app, crew, ada).await.unwrap_err();
    organization::delete::delete(&app, Actor::User(bob), crew).await.unwrap_err();
    delete(&app, ada, &By::user(ada, None, Device::new("", None))).await.unwrap_err();
    tale.told("no change, and refused ones", &[]).await;
    roles_take_invitations_along(tale).await;
    members::remove(&app, by, crew, bob).await.unwrap();
    tale.told(
        "removed",
        &[(LEFT, &member("crew", "bob", "member")), (REVOKED, &invitation("ivy", "member", "{}", REVOKED_BY_ADA))],
    )
    .await;
    members::leave(&app, crew, tale.user("cy")).await.unwrap();
    tale.told("left", &[(LEFT, &member("crew", "cy", "member"))]).await;
}

/// Bob rises, invites as what he is, and falls again.
async fn roles_take_invitations_along(tale: &mut Tale) {
    let app = tale.app.app.clone();
    let (ada, bob, crew) = (Actor::User(tale.user("ada")), tale.user("bob"), tale.org("crew"));
    assert!(members::set_role(&app, ada, crew, bob, MemberRole::Owner).await.unwrap());
    tale.told("a greater role", &[(CHANGED, &member("crew", "bob", "owner"))]).await;
    let by_bob = r#""invited_by_user_id":"<bob>","expires_at":"<*>""#;
    for (name, role) in [("joe", MemberRole::Owner), ("kim", MemberRole::Admin), ("ivy", MemberRole::Member)] {
        tale.invite(Actor::User(bob), &format!("{name}@example.com"), role, "{}").await;
        tale.told("invited by bob", &[(INVITED, &invitation(name, role.as_str(), "{}", by_bob))]).await;
    }
    assert!(members::set_role(&app, ada, crew, bob, MemberRole::Member).await.unwrap());
    tale.told(
        "a lesser role, and what was invited beyond it",
        &[
            (CHANGED, &member("crew", "bob", "member")),
            (REVOKED, &invitation("joe", "owner", "{}", REVOKED_BY_ADA)),
            (REVOKED, &invitation("kim", "admin", "{}", REVOKED_BY_ADA)),
        ],
    )
    .await;
}

async fn things_end(tale: &mut Tale) {
    an_account_takes_its_invitations_along(tale).await;

    let app = tale.app.app.clone();
    let (ada, crew) = (tale.user("ada"), tale.org("crew"));
    tale.invite(Actor::User(ada), "gil@example.com", MemberRole::Member, "{}").await;
    organization::delete::delete(&app, Actor::User(ada), tale.org("own-ada")).await.unwrap_err();
    organization::delete::delete(&app, Actor::User(ada), crew).await.unwrap();
    tale.told(
        "an organization is deleted",
        &[
            (INVITED, &invitation("gil", "member", "{}", BY_ADA)),
            (REVOKED, &invitation("gil", "member", "{}", REVOKED_BY_ADA)),
            (LEFT, &member("crew", "ada", "owner")),
            (ORG_DELETED, CREW),
        ],
    )
    .await;
    tale.bound.remove("crew");
    manage::create(&app, Actor::User(ada), ada, "Crew").await.unwrap();
    tale.told("another team", &[(ORG_CREATED, CREW), (JOINED, &founder("crew", "ada"))]).await;
    tale.invite(Actor::User(ada), "hal@example.com", MemberRole::Member, "{}").await;
    delete(&app, ada, &By::user(ada, None, Device::new("", None))).await.unwrap();
    tale.told(
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
    delete(&app, ada, &By::operator()).await.unwrap_err();
    tale.told("deleted already", &[]).await;
}

async fn an_account_takes_its_invitations_along(tale: &mut Tale) {
    let app = tale.app.app.clone();
    let lea = tale.invite(Actor::User(tale.user("ada")), "lea@example.com", MemberRole::Admin, "{}").await;
    sign_up(&tale.app, "", Some(lea.token.text())).await;
    let by = r#""accepted_by_user_id":"<lea>","accepted_at":"<*>""#;
    tale.told(
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
    let lea = tale.user("lea");
    tale.invite(Actor::User(lea), "mia@example.com", MemberRole::Member, "{}").await;
    delete(&app, lea, &By::user(lea, None, Device::new("", None))).await.unwrap();
    tale.told(
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

async fn whoever_loses_the_last_membership_gets_a_new_one(engine: Engine) {
    let mut tale = Tale::begin(engine, "single").await;
    let app = tale.app.app.clone();
    let team = |name: &str| personal(name).replace("personal", "team");
    sign_up(&tale.app, "ada@example.com", None).await;
    let mine = team("ada").replace("<own-ada>", "<crew>");
    let user = (USER_CREATED, r#"{"user_id":"<ada>"}"#);
    tale.told("sign-up", &[user, (ORG_CREATED, &mine), (JOINED, &founder("crew", "ada"))]).await;
    let (ada, crew) = (tale.user("ada"), tale.org("crew"));
    for name in ["bob", "cy"] {
        let link = tale.invite(Actor::User(ada), &format!("{name}@example.com"), MemberRole::Member, "{}").await;
        sign_up(&tale.app, "", Some(link.token.text())).await;
        let by = format!(r#""accepted_by_user_id":"<{name}>","accepted_at":"<*>""#);
        tale.told(
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
    members::leave(&app, crew, tale.user("bob")).await.unwrap();
    tale.told(
        "left the only one",
        &[(LEFT, &member("crew", "bob", "member")), (ORG_CREATED, &team("bob")), (JOINED, &founder("own-bob", "bob"))],
    )
    .await;
    organization::delete::delete(&app, Actor::User(ada), crew).await.unwrap();
    tale.told(
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
    assert_eq!(tale.app.database().count(lost).await, 0);
}

/// Each sample of the documentation is what was told.
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

/// JSON without the blanks outside of texts; no text here has an escape.
fn minified(json: &str) -> String {
    let parts = json.split('"').enumerate();
    let parts =
        parts.map(|(index, part)| if index % 2 == 1 { part.to_owned() } else { part.split_whitespace().collect() });
    parts.collect::<Vec<String>>().join("\"")
}
