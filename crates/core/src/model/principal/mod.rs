//! Who acts, and what they were granted.
//!
//! Every change and every read of the database begins with a principal and an [`Operation`]. [`Principal::require`]
//! answers whether it may, and how far: the [`Reach`] of the [`Permit`] is compared with the account or the role in an
//! organization once that is read and locked. No constructor but [`Principal::operator`] grants everything.

mod actor;
mod operation;
mod permit;
mod reason;
mod rule;

pub use actor::Actor;
pub use operation::Operation;
pub use permit::{AccountTarget, Denied, OwedChecks, Permit, Reach};
pub use reason::{Reason, ReasonFault};
pub use rule::{Everyone, Rule, UserReach};

use super::api_key::{ApiKeyName, Scope, Scopes};
use super::device::Device;
use super::ids::{SessionId, UserId};
use super::roles::{PlatformRole, Roles};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Principal {
    actor: Arc<Actor>,
    grants: Grants,
}

#[derive(Clone, Copy, Debug)]
enum Grants {
    Operator,
    ApiKey(Scopes),
    Administrator(Roles),
    User(UserId),
    BetweenFactors(UserId),
    SecretHolder(UserId),
    Anonymous,
    Process(&'static [Operation]),
}

impl Principal {
    fn new(actor: Actor, grants: Grants) -> Self {
        Self { actor: Arc::new(actor), grants }
    }

    /// An operator at the command line, who may do everything: the person who runs commands can read and write the database.
    pub fn operator() -> Self {
        Self::new(Actor::operator(), Grants::Operator)
    }

    /// An application's backend, with the scopes of its API key.
    pub fn api_key(name: ApiKeyName, scopes: Scopes) -> Self {
        Self::new(Actor::api_key(name), Grants::ApiKey(scopes))
    }

    /// A logged-in person, with their own account and their roles in organizations. Platform roles grant nothing here.
    pub fn user(user: UserId, session: Option<SessionId>, device: Device) -> Self {
        Self::new(Actor::user(user, session, device), Grants::User(user))
    }

    /// A logged-in person at the pages of administrators, with their platform roles and nothing else. A transaction reads
    /// the roles again.
    pub fn administrator(user: UserId, roles: Roles, session: SessionId, device: Device) -> Self {
        Self::new(Actor::user(user, Some(session), device), Grants::Administrator(roles))
    }

    /// The same principal, who says why: each entry of the audit log has it.
    #[must_use]
    pub fn because(&self, reason: Reason) -> Self {
        Self { actor: Arc::new(self.actor.because(reason)), grants: self.grants }
    }

    /// The same administrator with the platform roles that the account has now.
    #[must_use]
    pub fn with_roles(&self, roles: Roles) -> Self {
        Self { actor: self.actor.clone(), grants: Grants::Administrator(roles) }
    }

    /// The account and session of an administrator, if it is one at their pages.
    pub fn administrator_session(&self) -> Option<(UserId, SessionId)> {
        if !self.is_administrator() {
            return None;
        }
        self.actor.user_id().zip(self.actor.session())
    }

    /// A browser that showed a first factor of an account, and not yet the second.
    pub fn between_factors(user: UserId, device: Device) -> Self {
        Self::new(Actor::unknown(device), Grants::BetweenFactors(user))
    }

    /// The holder of a mailed secret that was found valid, which is of this account.
    pub fn secret_holder(user: UserId, device: Device) -> Self {
        Self::new(Actor::user(user, None, device), Grants::SecretHolder(user))
    }

    /// A client of which nothing is known.
    pub fn anonymous(device: Device) -> Self {
        Self::new(Actor::unknown(device), Grants::Anonymous)
    }

    /// The process itself, with these permissions and no others.
    pub fn process(permissions: &'static [Operation]) -> Self {
        Self::new(Actor::undisclosed(), Grants::Process(permissions))
    }

    /// The person whom a client became by creating this account, on the same device. `None` of all others: operators and
    /// backends create accounts for others.
    pub fn as_new_account(&self, user: UserId) -> Option<Self> {
        match self.grants {
            Grants::Anonymous => self.actor.device().map(|device| Self::user(user, None, device.clone())),
            _ => None,
        }
    }

    /// Who acts, as the audit log names it.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// The acting user, if it is one.
    pub fn user_id(&self) -> Option<UserId> {
        self.actor.user_id()
    }

    /// Whether this is a logged-in person, who acts on their own account and in their own organizations.
    pub const fn is_user(&self) -> bool {
        matches!(self.grants, Grants::User(_))
    }

    /// Whether this is an administrator at their pages.
    pub const fn is_administrator(&self) -> bool {
        matches!(self.grants, Grants::Administrator(_))
    }

    /// Whether this is the operator, who answers for what the service cannot check.
    pub const fn is_operator(&self) -> bool {
        matches!(self.grants, Grants::Operator)
    }

    /// Whether this is an operator or a backend: they answer for usernames that are taken for more than a person's.
    pub const fn gives_reserved_names(&self) -> bool {
        matches!(self.grants, Grants::Operator | Grants::ApiKey(_))
    }

    /// Permits an operation, or says what is missing for it.
    pub fn require(&self, operation: Operation) -> Result<Permit, Denied> {
        Ok(Permit::new(operation, self.reach(operation)?))
    }

    /// How far a principal may go in an operation.
    fn reach(&self, operation: Operation) -> Result<Reach, Denied> {
        let rule = operation.rule();
        if rule.everyone.is_some() && !matches!(self.grants, Grants::Process(_)) {
            return Ok(Reach::Any);
        }
        match self.grants {
            Grants::Operator => Ok(Reach::Any),
            Grants::ApiKey(scopes) => match rule.scope {
                Some(scope) if !scopes.contains(scope) => Err(Denied::Scope(scope)),
                Some(_) if scopes.contains(Scope::PlatformWrite) => Ok(Reach::Any),
                Some(_) => Ok(Reach::Ordinary),
                None => Err(Denied::Operation),
            },
            Grants::Administrator(roles) => match rule.role {
                Some(least) if has_at_least(roles, least) => self.administrators_reach(),
                _ => Err(Denied::Operation),
            },
            Grants::User(user) => match rule.user {
                Some(UserReach::OwnAccount) => Ok(Reach::Own(user)),
                Some(UserReach::Organization(least)) => Ok(Reach::Member(least)),
                None => Err(Denied::Operation),
            },
            Grants::BetweenFactors(user) if rule.between_factors => Ok(Reach::Own(user)),
            Grants::SecretHolder(user) if rule.secret_holder => Ok(Reach::Own(user)),
            Grants::Process(permissions) if rule.process && permissions.contains(&operation) => Ok(Reach::Any),
            Grants::BetweenFactors(_) | Grants::SecretHolder(_) | Grants::Anonymous | Grants::Process(_) => {
                Err(Denied::Operation)
            }
        }
    }
}

impl Principal {
    fn administrators_reach(&self) -> Result<Reach, Denied> {
        self.actor.user_id().map(Reach::Others).ok_or(Denied::Operation)
    }
}

/// An administrator may do what an auditor may, and an auditor what a monitor may.
fn has_at_least(roles: Roles, least: PlatformRole) -> bool {
    roles.iter().any(|role| role <= least)
}

#[cfg(test)]
#[path = "principal_tests.rs"]
mod tests;
