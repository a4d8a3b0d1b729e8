//! What a principal is given: an operation that is permitted, and how far.

use super::operation::Operation;
use crate::model::api_key::Scope;
use crate::model::ids::UserId;
use crate::model::organization::MemberRole;
use crate::model::roles::Roles;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    Any,
    /// Every account and every organization; from this account, the administrator's own, no rights are taken.
    Others(UserId),
    /// Every organization, and every account without platform roles.
    Ordinary,
    Own(UserId),
    /// Organizations in which the person has at least this role; any of their members.
    Member(MemberRole),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    #[error("the API key lacks the scope {}", .0.as_str())]
    Scope(Scope),
    /// The account has platform roles, and the API key lacks the scope for such accounts.
    #[error("the account has platform roles, and the API key may not change such an account")]
    Protected,
    #[error("the account is another's")]
    OtherAccount,
    /// The role in the organization is too low.
    #[error("the role in the organization is too low")]
    Role,
    /// They are no member of the organization, which they must not learn about.
    #[error("not a member of the organization")]
    NoMember,
    /// Administrators do not take their own rights away.
    #[error("the account is the administrator's own")]
    OwnAccount,
    #[error("the account is the last administrator who is not disabled")]
    LastAdministrator,
    /// Nothing that this principal could be granted permits the operation.
    #[error("the operation is not permitted")]
    Operation,
}

/// An account that an operation is about. Its id and roles are those in the transaction.
#[derive(Clone, Copy, Debug)]
pub struct AccountTarget {
    pub user: UserId,
    pub roles: Roles,
    /// Whether the operation disables or deletes the account, or takes a platform role from it.
    pub takes_rights: bool,
    /// Whether the operation would leave the service without an administrator.
    pub ends_last_administrator: bool,
}

impl AccountTarget {
    /// An account that keeps its rights.
    pub const fn new(user: UserId, roles: Roles) -> Self {
        Self { user, roles, takes_rights: false, ends_last_administrator: false }
    }
}

/// What a permit must still be compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwedChecks {
    pub account: bool,
    /// The role in the organization that is changed.
    pub role: bool,
}

/// A permitted operation. Only [`Principal::require`](super::Principal::require) makes one.
#[derive(Clone, Copy, Debug)]
pub struct Permit {
    operation: Operation,
    reach: Reach,
}

impl Permit {
    pub(super) const fn new(operation: Operation, reach: Reach) -> Self {
        Self { operation, reach }
    }

    pub const fn operation(&self) -> Operation {
        self.operation
    }

    pub const fn reach(&self) -> Reach {
        self.reach
    }

    /// What it must be compared with before a change is committed.
    pub const fn owed_checks(&self) -> OwedChecks {
        match self.reach {
            Reach::Any | Reach::Others(_) => OwedChecks { account: false, role: false },
            Reach::Own(_) => OwedChecks { account: true, role: false },
            Reach::Member(_) => OwedChecks { account: false, role: true },
            Reach::Ordinary => {
                let account = self.operation.changes_account();
                OwedChecks { account, role: !account }
            }
        }
    }

    pub fn covers(&self, target: AccountTarget) -> Result<(), Denied> {
        match self.reach {
            Reach::Others(user) if user == target.user && target.takes_rights => return Err(Denied::OwnAccount),
            Reach::Any | Reach::Others(_) | Reach::Member(_) => {}
            Reach::Ordinary if target.roles.is_empty() => {}
            Reach::Ordinary => return Err(Denied::Protected),
            Reach::Own(user) if user == target.user => {}
            Reach::Own(_) => return Err(Denied::OtherAccount),
        }
        if target.ends_last_administrator { Err(Denied::LastAdministrator) } else { Ok(()) }
    }

    /// The role with which the principal acts in an organization in which they have `role`; without one they are no
    /// member. Operators, administrators and backends act as an owner would.
    pub fn role_in(&self, role: Option<MemberRole>) -> Result<MemberRole, Denied> {
        match self.reach {
            Reach::Any | Reach::Others(_) | Reach::Ordinary => Ok(MemberRole::Owner),
            Reach::Member(least) => match role {
                None => Err(Denied::NoMember),
                Some(role) if role < least => Err(Denied::Role),
                Some(role) => Ok(role),
            },
            Reach::Own(_) => Err(Denied::Role),
        }
    }
}
