//! Which events there must be: an action that was answered with success has exactly its own; one that was refused has
//! none; one whose outcome nobody could find out may have them or not.

use super::lock;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Mutex;

/// How many events of one content there must and may be.
#[derive(Clone, Copy, Default)]
pub struct Expected {
    /// At least.
    pub certain: usize,
    /// And at most so many more.
    pub possible: usize,
}

/// Everything that must be told.
#[derive(Default)]
pub struct Ledger(Mutex<HashMap<String, Expected>>);

impl Ledger {
    /// An action was answered with success.
    pub fn happened(&self, events: &[String]) {
        let mut ledger = lock(&self.0);
        for event in events {
            ledger.entry(event.clone()).or_default().certain += 1;
        }
    }

    /// Nobody could find out whether it happened.
    pub fn may_have_happened(&self, events: &[String]) {
        let mut ledger = lock(&self.0);
        for event in events {
            ledger.entry(event.clone()).or_default().possible += 1;
        }
    }

    /// How many events there must be.
    pub fn certain(&self) -> usize {
        lock(&self.0).values().map(|expected| expected.certain).sum()
    }

    /// Everything.
    pub fn all(&self) -> HashMap<String, Expected> {
        lock(&self.0).clone()
    }
}

/// What tells an event from others, from its own JSON: the kind, and what it is about.
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

/// The events of a sign-up.
pub fn signed_up(user: &str, org: &str) -> Vec<String> {
    vec![of("user.created", &[user]), created(org), joined(org, user)]
}

/// An organization came to be.
pub fn created(org: &str) -> String {
    of("organization.created", &[org])
}

/// Somebody became a member.
pub fn joined(org: &str, user: &str) -> String {
    of("organization.membership.created", &[org, user])
}

/// An organization has another name.
pub fn updated(org: &str, name: &str) -> String {
    of("organization.updated", &[org, name])
}
