//! Why a person could not log in, on their page.

use super::person_tables::audit_table;
use crate::domain::account::login_status::{LoginBlocker, LoginStatus};
use crate::http::views::{AdminPart, Cell, Cells, PartContent, Table};
use crate::messages::{Key, Message};
use crate::rate_limit::{RefusedLogin, RefusedStep, RefusedUntil};

/// What stands in the way now, each with what to do about it.
pub(super) fn blockers(status: &LoginStatus) -> AdminPart {
    let rows = status.blockers.iter().map(|blocker| {
        let (what, until, todo) = described(blocker);
        vec![vec![Cell::Alarm(what)], until, vec![Cell::words(todo)]]
    });
    let table = Table {
        caption: Key("admin-standing"),
        columns: ["admin-standing-what", "admin-standing-when", "admin-standing-do"].map(Key).to_vec(),
        rows: rows.collect(),
        empty: Message::new("admin-standing-none"),
    };
    AdminPart {
        id: "standing",
        heading: Key("admin-standing"),
        content: PartContent::Table(table),
        more: None,
        acts: Vec::new(),
    }
}

pub(super) fn attempts(status: &LoginStatus) -> AdminPart {
    AdminPart {
        id: "attempts",
        heading: Key("admin-login-attempts"),
        content: PartContent::Table(audit_table("admin-login-attempts", &status.attempts, "admin-login-attempts-none")),
        more: None,
        acts: Vec::new(),
    }
}

/// What it is, since or until when, and what to do.
fn described(blocker: &LoginBlocker) -> (Message, Cells, &'static str) {
    match blocker {
        LoginBlocker::Disabled { since } => {
            (Message::new("admin-state-disabled"), vec![Cell::Moment(*since)], "admin-standing-enable")
        }
        LoginBlocker::Unverified => (Message::new("admin-state-unverified"), Vec::new(), "admin-standing-verify"),
        LoginBlocker::NoWayIn { link_until } => {
            let todo = if link_until.is_some() { "admin-standing-way-in-mailed" } else { "admin-standing-give-way-in" };
            (Message::new("admin-standing-no-way-in"), link_until.map(Cell::Moment).into_iter().collect(), todo)
        }
        LoginBlocker::Limited(RefusedLogin { step, until }) => {
            let mut until = match until {
                RefusedUntil::Time(at) => vec![Cell::Moment(*at)],
                RefusedUntil::Cleared => Vec::new(),
            };
            let (what, todo) = match step {
                RefusedStep::FromUnknown => ("admin-standing-limited", "admin-standing-unlock"),
                RefusedStep::FromOthers => ("admin-standing-limited-others", "admin-standing-unlock"),
                RefusedStep::From(address) => {
                    until.push(Cell::Code(address.to_string()));
                    ("admin-standing-limited-there", "admin-standing-unlock")
                }
                RefusedStep::AppCode => ("admin-standing-codes", "admin-standing-unlock-codes"),
            };
            (Message::new(what), until, todo)
        }
        LoginBlocker::MailFailed(mail) => {
            let mut when: Cells = mail.finished_at.map(Cell::Moment).into_iter().collect();
            when.push(Cell::Link { href: format!("/auth/admin/deliveries/{}", mail.id), text: mail.kind.clone() });
            (Message::new("admin-standing-mail"), when, "admin-standing-mail-do")
        }
    }
}
