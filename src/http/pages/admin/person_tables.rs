//! The tables on a person's page.

use super::Administrator;
use super::deliveries::state;
use crate::domain::directory::identity::IdentityRecord;
use crate::domain::directory::session::SessionRecord;
use crate::domain::directory::user::UserOrganization;
use crate::http::device;
use crate::http::pages::page_context::PageContext;
use crate::http::views::{Cell, Cells, Table};
use crate::messages::{Key, Message};
use crate::model::ids::UserId;
use crate::model::principal::Operation;
use crate::store::{AuditRow, MailRow};
use serde::Deserialize;
use std::collections::HashMap;

fn table(caption: &'static str, columns: &[&'static str], rows: Vec<Vec<Cells>>, empty: &'static str) -> Table {
    Table {
        caption: Key(caption),
        columns: columns.iter().copied().map(Key).collect(),
        rows,
        empty: Message::new(empty),
    }
}

/// The live sessions, each with the way to end it.
pub(super) fn sessions(context: &PageContext, admin: &Administrator, path: &str, rows: &[SessionRecord]) -> Table {
    let row = |session: &SessionRecord| {
        let end = format!("{path}/sessions/{}/end", session.id);
        vec![
            Cell::typed(Some(&device::display_name(context.layout().messages, &session.user_agent))),
            Cell::code(&session.address),
            session.methods.iter().map(|method| Cell::Code((*method).to_owned())).collect(),
            Cell::ago(Some(session.created_at)),
            Cell::ago(Some(session.last_used_at)),
            vec![Cell::Page { href: end, words: Message::new("sessions-end") }],
        ]
    };
    let columns = ["admin-device", "admin-address", "admin-methods", "admin-began", "admin-used", "admin-act"];
    let table = table("sessions-title", &columns, rows.iter().map(row).collect(), "admin-sessions-none");
    table.with_acts(admin.may(Operation::EndSessions))
}

pub(super) fn identities(admin: &Administrator, path: &str, rows: &[IdentityRecord]) -> Table {
    let row = |identity: &IdentityRecord| {
        let remove = format!("{path}/identities/{}/remove", identity.id);
        vec![
            vec![Cell::Code(identity.provider.clone())],
            Cell::typed(Some(&identity.issuer)),
            Cell::typed(Some(&identity.subject)),
            Cell::ago(identity.last_used_at),
            vec![Cell::Page { href: remove, words: Message::new("admin-remove-identity-button") }],
        ]
    };
    let columns = ["admin-provider", "admin-issuer", "admin-subject", "admin-used", "admin-act"];
    let table = table("connections-title", &columns, rows.iter().map(row).collect(), "admin-identities-none");
    table.with_acts(admin.may(Operation::SetIdentities))
}

pub(super) fn organizations(rows: &[UserOrganization]) -> Table {
    let row = |organization: &UserOrganization| {
        let link = format!("/auth/admin/organizations/{}", organization.id);
        vec![
            vec![Cell::Link { href: link, text: organization.name.clone() }],
            vec![Cell::Words(Message::new("kind").text("kind", organization.kind.as_str()))],
            vec![Cell::Words(Message::new("role").text("role", organization.role.as_str()))],
        ]
    };
    let columns = ["name", "account-organization-kind", "role-label"];
    table("organizations-section", &columns, rows.iter().map(row).collect(), "admin-organizations-none")
}

pub(super) fn mails(rows: &[MailRow]) -> Table {
    let row = |mail: &MailRow| {
        vec![
            vec![Cell::Link { href: format!("/auth/admin/deliveries/{}", mail.id), text: mail.kind.clone() }],
            vec![state(mail.state)],
            Cell::typed(mail.last_outcome.as_deref()),
            Cell::ago(Some(mail.created_at)),
        ]
    };
    let columns = ["admin-kind", "admin-state", "admin-outcome", "admin-created"];
    table("admin-mails", &columns, rows.iter().map(row).collect(), "admin-mails-none")
}

/// Entries of the audit log about one person, the latest first.
pub(super) fn audit(rows: &[AuditRow]) -> Table {
    audit_table("admin-audit", rows, "admin-audit-none")
}

/// Entries of the audit log about anyone, the latest first.
pub(super) fn audit_of_all(rows: &[AuditRow], names: &HashMap<UserId, String>) -> Table {
    let mut table = audit_table("admin-audit", rows, "admin-audit-nothing");
    table.columns.insert(1, Key("admin-about"));
    for (cells, row) in table.rows.iter_mut().zip(rows) {
        cells.insert(1, about(row, names));
        let actor = row.actor_user_id.filter(|actor| Some(*actor) != row.user_id);
        if let (Some(actor), Some(cell)) = (actor, cells.get_mut(2)) {
            *cell = vec![person(actor, names)];
        }
    }
    table
}

/// The person and the organization of an entry.
fn about(entry: &AuditRow, names: &HashMap<UserId, String>) -> Cells {
    let about = entry.subject_id.or(entry.user_id).map(|user| person(user, names));
    let organization = entry.organization_id.map(|org| Cell::Page {
        href: format!("/auth/admin/organizations/{org}"),
        words: Message::new("admin-organization"),
    });
    about.into_iter().chain(organization).collect()
}

/// A person by name, or by our word for one who was deleted.
fn person(user: UserId, names: &HashMap<UserId, String>) -> Cell {
    let href = format!("/auth/admin/people/{user}");
    match names.get(&user) {
        Some(name) => Cell::Link { href, text: name.clone() },
        None => Cell::Page { href, words: Message::new("admin-person-deleted") },
    }
}

pub(super) fn audit_table(caption: &'static str, rows: &[AuditRow], empty: &'static str) -> Table {
    let row = |entry: &AuditRow| {
        let mut kind = vec![Cell::Words(Message::new("activity-kind").text("kind", entry.kind.as_str()))];
        if entry.times > 1 {
            kind.push(Cell::Words(Message::new("activity-times").number("count", count(entry.times))));
        }
        let actor = match entry.actor_user_id {
            Some(user) if Some(user) != entry.user_id => vec![Cell::Page {
                href: format!("/auth/admin/people/{user}"),
                words: Message::new("admin-actor-of").text("actor", "administrator"),
            }],
            _ => match entry.actor.as_str() {
                known @ ("user" | "operator" | "unknown") => {
                    vec![Cell::Words(Message::new("admin-actor-of").text("actor", known))]
                }
                key => Cell::typed(Some(key)),
            },
        };
        vec![kind, actor, detail(entry), Cell::code(&entry.address), Cell::ago(Some(entry.at))]
    };
    let columns = ["admin-kind", "admin-actor", "admin-detail", "admin-address", "admin-when"];
    table(caption, &columns, rows.iter().map(row).collect(), empty)
}

/// What the kind alone does not say, and why an administrator did it.
fn detail(entry: &AuditRow) -> Cells {
    #[derive(Deserialize)]
    struct Reason {
        reason: String,
    }
    let mut cells = Cell::typed(Some(&entry.detail));
    let fields = entry.fields.as_deref().and_then(|fields| serde_json::from_str::<Reason>(fields).ok());
    cells.extend(fields.map(|Reason { reason }| Cell::Typed(reason)));
    cells
}

fn count(times: i64) -> usize {
    usize::try_from(times).unwrap_or_default()
}
