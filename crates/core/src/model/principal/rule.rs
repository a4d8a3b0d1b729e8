//! Who may do an operation.

use crate::model::api_key::Scope;
use crate::model::organization::MemberRole;
use crate::model::roles::PlatformRole;

/// Who may do an operation beside the operator, who may do all.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub scope: Option<Scope>,
    /// At the pages of administrators, who has this platform role or a higher one.
    pub role: Option<PlatformRole>,
    pub user: Option<UserReach>,
    /// A browser between two factors, on its account.
    pub between_factors: bool,
    /// The holder of a mailed secret, on its account.
    pub secret_holder: bool,
    /// The process itself, where it names this permission.
    pub process: bool,
    /// Any client, and why that is right.
    pub everyone: Option<Everyone>,
}

/// What a logged-in person may do an operation on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserReach {
    OwnAccount,
    /// Organizations in which they have at least this role.
    Organization(MemberRole),
}

/// Why an operation is open to any client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Everyone(pub &'static str);

impl Rule {
    pub(super) const OPERATOR: Self = Self {
        scope: None,
        role: None,
        user: None,
        between_factors: false,
        secret_holder: false,
        process: false,
        everyone: None,
    };

    pub(super) const fn scope(self, scope: Scope) -> Self {
        Self { scope: Some(scope), ..self }
    }

    pub(super) const fn role(self, least: PlatformRole) -> Self {
        Self { role: Some(least), ..self }
    }

    pub(super) const fn own_account(self) -> Self {
        Self { user: Some(UserReach::OwnAccount), ..self }
    }

    pub(super) const fn member(self, least: MemberRole) -> Self {
        Self { user: Some(UserReach::Organization(least)), ..self }
    }

    pub(super) const fn between_factors(self) -> Self {
        Self { between_factors: true, ..self }
    }

    pub(super) const fn secret_holder(self) -> Self {
        Self { secret_holder: true, ..self }
    }

    pub(super) const fn process(self) -> Self {
        Self { process: true, ..self }
    }

    pub(super) const fn everyone(self, reason: &'static str) -> Self {
        Self { everyone: Some(Everyone(reason)), ..self }
    }
}
