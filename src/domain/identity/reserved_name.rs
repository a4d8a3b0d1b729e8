//! Usernames that people and applications take for more than a person's: of administrators, of nobody, of the service.
//! Only operators and backends give them, and what they do not name themselves never becomes one.

use super::identifiers::Username;
use crate::context::App;
use crate::model::change::AccountChange;
use crate::model::mail_domain;
use crate::model::principal::Principal;
use crate::settings::ServiceName;
use crate::store::{Constraint, StoreError, Tx, UserRow};

/// As they are compared; besides these, what begins with the service's name and what has no letter or digit.
const RESERVED: [&str; 13] = [
    "admin",
    "administrator",
    "anonymous",
    "guest",
    "help",
    "info",
    "nobody",
    "operator",
    "root",
    "security",
    "support",
    "system",
    "unknown",
];
/// No service name begins both.
const IN_FRONT: [&str; 2] = ["user", "member"];

impl Username {
    fn is_reserved(&self, service: &ServiceName) -> bool {
        let key = self.key();
        RESERVED.contains(&key.as_str())
            || key.starts_with(service.as_str())
            || !key.contains(|c: char| c.is_ascii_alphanumeric())
    }

    /// Whether the name is reserved, and not for this principal to give.
    pub(in crate::domain) fn is_withheld_from(&self, principal: &Principal, service: &ServiceName) -> bool {
        !principal.gives_reserved_names() && self.is_reserved(service)
    }

    /// The name, or one made of it that is not reserved.
    #[must_use]
    pub(in crate::domain) fn unreserved(self, service: &ServiceName) -> Self {
        if !self.is_reserved(service) {
            return self;
        }
        let others = IN_FRONT.map(|word| self.behind(word));
        others.into_iter().find(|other| !other.is_reserved(service)).unwrap_or(self)
    }
}

/// Gives an account that this transaction has locked another username. Returns `false` if it has that already. A reserved
/// name is refused as a taken one is, so that no answer tells them apart.
pub(in crate::domain) async fn rename(
    app: &App,
    tx: &mut Tx,
    stored: &UserRow,
    name: &Username,
) -> Result<bool, StoreError> {
    if name.as_str() == stored.username {
        return Ok(false);
    }
    let is_other = name.key() != mail_domain::fold(&stored.username);
    if is_other && name.is_withheld_from(&tx.principal(), &app.settings.name) {
        return Err(StoreError::Constraint(Constraint::UserUsername));
    }
    tx.user_set_username(stored.id, name.as_str(), &name.key()).await?;
    let change = AccountChange::UsernameChanged { from: &stored.username, to: name.as_str() };
    tx.record_account(stored.id, change).await?;
    Ok(true)
}

#[cfg(test)]
#[path = "reserved_name_tests.rs"]
mod tests;
