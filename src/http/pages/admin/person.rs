//! `/auth/admin/people/{id}`: one person.

use super::people::{PATH, states};
use super::person_acts::{ON_ACCESS, ON_ACCOUNT, ON_LOGIN, ON_SESSIONS, PersonAct};
use super::{Administrator, login_status, person_tables};
use crate::domain::account::login_status::{LoginStatus, login_status as read_login_status};
use crate::domain::directory::delivery;
use crate::domain::directory::list::ListRange;
use crate::domain::directory::session::{self, SessionRecord};
use crate::domain::directory::user::{self, UserRecord};
use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::pages::required::{not_found, parse_id};
use crate::http::views::{self, ActLink, AdminDetailPage, AdminPart, Cell, Cells, PartContent};
use crate::messages::{Key, Message};
use crate::model::ids::UserId;
use crate::model::list_place::ListPlace;
use crate::model::mail_domain;
use crate::model::placeholder_email::is_placeholder;
use crate::model::principal::Operation;
use crate::settings::AccountSettings;
use crate::store::{AuditRow, MailFilter, MailRow};
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use std::time::Duration;

/// Sessions, mails and entries of the audit log on the page.
const SHOWN: u32 = 20;
/// What was done this lately is confirmed.
const JUST_NOW: Duration = Duration::from_secs(15);

struct Person {
    user: UserRecord,
    sessions: Vec<SessionRecord>,
    mails: Vec<MailRow>,
    audit: Vec<AuditRow>,
    login_status: LoginStatus,
}

pub async fn show(context: PageContext, Path(id): Path<String>) -> Result<Response, PageError> {
    let admin = context.administrator(Operation::FindUsers).await?;
    let person = load(&context, &admin, UserId(parse_id(&id)?)).await?;
    let user = &person.user;
    let notice = just_done(&context, &admin, person.audit.first());
    let view = AdminDetailPage {
        layout: &admin.shell(&context, PATH, None),
        list: (PATH, Key("admin-people")),
        title: user.label().called(),
        tags: &states(&context.app.settings.name, user),
        notice: notice.as_ref(),
        parts: &parts(&context, &admin, &person),
        command: &format!("doorward user show {}", user.id),
        renews: false,
    };
    Ok(views::page(StatusCode::OK, &view))
}

/// What stands on the page, from what stands in the way of a login to what takes the account away.
fn parts(context: &PageContext, admin: &Administrator, person: &Person) -> Vec<AdminPart> {
    let user = &person.user;
    let path = format!("{PATH}/{}", user.id);
    let permitted = |acts: &[PersonAct]| links(admin, &path, acts);
    let mut parts = vec![login_status::blockers(&person.login_status), login_status::attempts(&person.login_status)];
    parts.extend([
        AdminPart {
            id: "account",
            heading: Key("account-profile"),
            content: PartContent::Facts(facts(&context.app.settings.accounts, user)),
            more: None,
            acts: permitted(ON_ACCOUNT),
        },
        AdminPart {
            id: "login",
            heading: Key("admin-login"),
            content: PartContent::Facts(ways_in(user)),
            more: None,
            acts: permitted(ON_LOGIN),
        },
        AdminPart {
            id: "sessions",
            heading: Key("sessions-title"),
            content: PartContent::Table(person_tables::sessions(context, admin, &path, &person.sessions)),
            more: None,
            acts: if person.sessions.is_empty() { Vec::new() } else { permitted(ON_SESSIONS) },
        },
        AdminPart {
            id: "identities",
            heading: Key("connections-title"),
            content: PartContent::Table(person_tables::identities(admin, &path, &user.identities)),
            more: None,
            acts: Vec::new(),
        },
        AdminPart {
            id: "organizations",
            heading: Key("organizations-section"),
            content: PartContent::Table(person_tables::organizations(
                user.organizations.as_deref().unwrap_or_default(),
            )),
            more: None,
            acts: Vec::new(),
        },
        AdminPart {
            id: "mails",
            heading: Key("admin-mails"),
            content: PartContent::Table(person_tables::mails(&person.mails)),
            more: None,
            acts: Vec::new(),
        },
        AdminPart {
            id: "audit",
            heading: Key("admin-audit"),
            content: PartContent::Table(person_tables::audit(&person.audit)),
            more: Some((format!("/auth/admin/audit?query={}", user.id), Key("admin-audit-all"))),
            acts: Vec::new(),
        },
    ]);
    let access = access(admin, &path, user);
    if !access.is_empty() {
        parts.push(AdminPart {
            id: "end",
            heading: Key("admin-access"),
            content: PartContent::Acts,
            more: None,
            acts: access,
        });
    }
    parts
}

async fn load(context: &PageContext, admin: &Administrator, id: UserId) -> Result<Person, PageError> {
    let (app, now) = (&context.app, context.app.clock.now());
    let mut conn = app.store.read(&admin.principal, Operation::FindUsers).await?;
    let user = user::find(&mut conn, &app.settings, now, id).await?.ok_or_else(not_found)?;
    let sessions = session::list(&mut conn, &app.settings, now, id, ListRange::first(SHOWN)).await?.data;
    let key = mail_domain::key(&user.email);
    let filter = MailFilter { state: None, recipient_key: Some(&key) };
    let mails = if is_placeholder(&user.email) {
        Vec::new()
    } else {
        delivery::mails(&mut conn, &filter, ListRange::first(SHOWN)).await?.data
    };
    let audit = conn.audit_list_of_user(id, ListPlace::START, SHOWN.into()).await?;
    drop(conn);
    let login_status = read_login_status(app, &admin.principal, id).await?.ok_or_else(not_found)?;
    Ok(Person { user, sessions, mails, audit, login_status })
}

/// What this administrator has just done, if that is the last that happened.
fn just_done(context: &PageContext, admin: &Administrator, latest: Option<&AuditRow>) -> Option<Message> {
    let entry = latest.filter(|entry| entry.session_id == Some(admin.live.id))?;
    let is_theirs = entry.actor_user_id == Some(admin.live.view.user_id) && entry.user_id != entry.actor_user_id;
    let is_new = context.app.clock.now() < entry.at + JUST_NOW;
    (is_theirs && is_new).then(|| Message::new("activity-kind").text("kind", entry.kind.as_str()))
}

/// The acts of these that the administrator may do.
fn links(admin: &Administrator, path: &str, acts: &[PersonAct]) -> Vec<ActLink> {
    acts.iter().filter(|act| admin.may(act.operation)).map(|act| act.link(path)).collect()
}

/// What takes the account away, or gives it back. Administrators cannot act on their own account.
fn access(admin: &Administrator, path: &str, user: &UserRecord) -> Vec<ActLink> {
    if admin.live.view.user_id == user.id {
        return Vec::new();
    }
    let done = if user.disabled { "disable" } else { "enable" };
    let acts = ON_ACCESS.iter().filter(|act| act.path != done && admin.may(act.operation));
    acts.map(|act| ActLink { is_dangerous: act.words.is_dangerous, ..act.link(path) }).collect()
}

fn facts(accounts: &AccountSettings, user: &UserRecord) -> Vec<(Key, Cells)> {
    let email = if is_placeholder(&user.email) { vec![] } else { Cell::typed(Some(&user.email)) };
    let verified = match user.email_verified_at {
        Some(at) => vec![Cell::Moment(at)],
        None => vec![Cell::Tag(Message::new("admin-state-unverified"))],
    };
    let mut facts = vec![(Key("email"), email), (Key("admin-verified"), verified)];
    if accounts.has_usernames() {
        facts.push((Key("username"), Cell::typed(Some(&user.username))));
    }
    facts.extend([
        (Key("display-name"), Cell::typed(user.name.as_deref())),
        (Key("account-roles"), user.roles.iter().map(|role| Cell::Code(role.clone())).collect()),
        (Key("admin-created"), vec![Cell::Moment(user.created_at)]),
    ]);
    if let Some(at) = user.disabled_at {
        facts.push((Key("admin-disabled-since"), vec![Cell::Moment(at)]));
    }
    facts.push((Key("admin-language"), user.language.iter().map(|tag| Cell::Code(tag.clone())).collect()));
    facts.push((Key("admin-external-id"), Cell::typed(user.external_id.as_deref())));
    facts.push((Key("account-id"), vec![Cell::Code(user.id.to_string())]));
    facts
}

fn ways_in(user: &UserRecord) -> Vec<(Key, Cells)> {
    let count = |count: Option<i64>| vec![Cell::Number(count.unwrap_or_default())];
    let mut last = Cell::ago(user.last_login_at);
    last.extend(user.last_login_address.clone().map(Cell::Code));
    let app = match user.two_factor_since {
        Some(at) => vec![Cell::Moment(at)],
        None => vec![Cell::words("admin-off")],
    };
    vec![
        (Key("admin-last-login"), last),
        (Key("admin-authenticator"), app),
        (Key("admin-recovery-codes"), count(user.recovery_codes_left)),
        (Key("admin-passkeys"), count(user.passkeys)),
        (Key("admin-trusted-devices"), count(user.remembered_devices)),
    ]
}
