//! The expected events: a successful action has exactly its own events, a refused one has none, and one with an unknown
//! outcome may or may not have them.

use parking_lot::Mutex;
use serde_json::Value;
use std::collections::HashMap;

/// The number of events with the same content that must and may arrive.
#[derive(Clone, Copy, Default)]
pub struct Expected {
    pub required: usize,
    /// How many more may arrive.
    pub optional: usize,
}

#[derive(Default)]
pub struct Ledger(Mutex<HashMap<String, Expected>>);

impl Ledger {
    /// Records the events of a successful action.
    pub fn require(&self, events: &[String]) {
        let mut ledger = self.0.lock();
        for event in events {
            ledger.entry(event.clone()).or_default().required += 1;
        }
    }

    /// Records the events of an action with an unknown outcome.
    pub fn allow(&self, events: &[String]) {
        let mut ledger = self.0.lock();
        for event in events {
            ledger.entry(event.clone()).or_default().optional += 1;
        }
    }

    /// The number of events that must arrive.
    pub fn required(&self) -> usize {
        self.0.lock().values().map(|expected| expected.required).sum()
    }

    /// All expected events, by content.
    pub fn all(&self) -> HashMap<String, Expected> {
        self.0.lock().clone()
    }
}

/// The content that identifies an event, from its JSON: the kind and the subject's ids.
pub fn content(event: &Value) -> Option<String> {
    let kind = event["type"].as_str()?;
    let data = &event["data"];
    let field = |name: &str| data[name].as_str().unwrap_or("none").to_owned();
    Some(match kind {
        "organization.updated" => updated(&field("organization_id"), &field("name")),
        "organization.created" | "organization.deleted" => of(kind, &[&field("organization_id")]),
        "organization.membership.updated" => of(kind, &[&field("organization_id"), &field("user_id"), &field("role")]),
        _ if kind.starts_with("organization.membership.") => of(kind, &[&field("organization_id"), &field("user_id")]),
        _ if kind.starts_with("organization.invitation.") => of(kind, &[&field("organization_id"), &field("email")]),
        _ => of(kind, &[&field("user_id")]),
    })
}

/// The content of an event of this kind.
pub fn of(kind: &str, about: &[&str]) -> String {
    format!("{kind} {}", about.join(" "))
}

pub fn signed_up(user: &str, org: &str) -> Vec<String> {
    vec![of("user.created", &[user]), created(org), joined(org, user)]
}

pub fn created(org: &str) -> String {
    of("organization.created", &[org])
}

pub fn joined(org: &str, user: &str) -> String {
    of("organization.membership.created", &[org, user])
}

pub fn updated(org: &str, name: &str) -> String {
    of("organization.updated", &[org, name])
}
